#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The one generator: turns the data in api/ into headers, entries, declarations, tests and manuals (doc/api-layer.md).

gen.py          writes what has changed
gen.py --check  writes nothing; fails if a committed file is not what would be written
gen.py --man <folder>  writes the manual pages of the functions there
"""
import sys
from pathlib import Path

import abi_tables
import bad_input
import declare
import entries
import fortran_entries
import fortran_modules
import headers
import info
import manpages
import profile
from table import ROOT, Table

WRITERS = [declare, headers, abi_tables, entries, bad_input, info, profile, fortran_entries, fortran_modules]


def main():
    check = "--check" in sys.argv[1:]
    table = Table()
    if sys.argv[1:2] == ["--man"]:
        manpages.write(table, Path(sys.argv[2]))
        return
    stale = 0
    for writer in WRITERS:
        for name, text in writer.outputs(table):
            path = ROOT / name
            if path.exists() and path.read_text(encoding="utf-8") == text:
                continue
            stale += 1
            if check:
                print(f"{name} is not what tools/gen makes of api/", file=sys.stderr)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                print(f"wrote {name}")
    if check and stale:
        sys.exit(1)


if __name__ == "__main__":
    main()
