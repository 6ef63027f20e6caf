#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the checks of the source tree and, with --build-dir, those of what was built.

all.py [--build-dir DIR] [--only NAME ...]

Each check looks at many files; a file that passes counts as one passed case. The closing line is 'N passed, N failed'.
"""
import argparse
import sys

import budget
import generated
import headers
import layering
import rules
import tables

# name -> (what it makes sure, function; those of BUILT take the build directory)
SOURCE_CHECKS = {
    "layering": ("files include only from layers below", layering.check),
    "license": ("files carry the licence line", rules.check_license),
    "environment": ("only base/settings.cc reads the environment", rules.check_environment),
    "includes": ("no heavy headers", rules.check_includes),
    "pragma": ("headers are included once", rules.check_pragma_once),
    "length": ("files stay short", rules.check_length),
    "pages": ("pages of doc/ are found from README.md", rules.check_pages),
    "generated": ("generated files are up to date", generated.check),
    "tables": ("tuning tables choose what was measured as the fastest, or nearly so", tables.check),
    "headers": ("headers compile on their own", headers.check),
}
BUILT_CHECKS = {
    "symbols": ("libraries export what the standard says", generated.check_symbols),
    "budget": ("a short message stays within its instructions, a rank within its memory", budget.check),
}


def run(title, cases):
    passed = failed = 0
    for name, problem in cases:
        if problem is None:
            passed += 1
        else:
            failed += 1
            print(f"FAILED {name}: {problem}")
    print(f"{title}: {passed} passed, {failed} failed", flush=True)
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", help="check also the programs and libraries built there")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[*SOURCE_CHECKS, *BUILT_CHECKS])
    options = parser.parse_args()

    checks = {name: (title, check()) for name, (title, check) in SOURCE_CHECKS.items() if not options.only or name in options.only}
    if options.build_dir:
        for name, (title, check) in BUILT_CHECKS.items():
            if not options.only or name in options.only:
                checks[name] = (title, check(options.build_dir))
    totals = [run(title, cases) for title, cases in checks.values()]
    passed, failed = sum(t[0] for t in totals), sum(t[1] for t in totals)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
