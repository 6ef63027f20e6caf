#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of bench/compare and bench/limits: no MPI is needed. Closes with 'N passed, N failed'.

    run.py [NAME...]     all, or those whose name contains one of these"""
import sys
import unittest
from pathlib import Path


def all_tests(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from all_tests(item)
        else:
            yield item


def main():
    folder = str(Path(__file__).resolve().parent)
    sys.path.insert(0, str(Path(folder).parents[1] / "bench"))
    tests = all_tests(unittest.defaultTestLoader.discover(folder, "test_*.py", folder))
    chosen = [test for test in tests if len(sys.argv) == 1 or any(word in test.id() for word in sys.argv[1:])]
    result = unittest.TextTestRunner(sys.stdout, verbosity=2).run(unittest.TestSuite(chosen))
    failed = len({test.id() for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 1 if failed or not result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
