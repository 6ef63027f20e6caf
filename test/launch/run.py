#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the launcher. Prints a line for each case and closes with 'N passed, N failed'.

    run.py --mpiexec build/release/bin/mpiexec [--mpich PREFIX] [--impi PREFIX]

Most cases run plain programs. With --mpich (a prefix with bin/mpicc and lib/) programs of MPICH are built and started too,
with --impi Intel's IMB-MPI1. If an mpicc stands beside mpiexec, the cases that need our own library run as well.
"""
import argparse
import os
import pathlib
import signal
import sys
import tempfile
import time

import cases_control
import cases_diagnosis
import cases_dynamic
import cases_failure
import cases_mpi
import cases_options
from harness import Failure, Launcher


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--mpich", help="prefix of an MPICH")
    parser.add_argument("--impi", help="prefix of Intel MPI's run time")
    parser.add_argument("--only", default="", help="run only cases with this text in their name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="starling-launch-") as folder:
        launcher = Launcher(os.path.abspath(options.mpiexec), pathlib.Path(folder), options.mpich, options.impi)
        modules = (cases_options, cases_control, cases_failure, cases_mpi, cases_diagnosis, cases_dynamic)
        cases = [case for module in modules for case in module.cases(launcher)]
        passed = failed = 0
        for name, run in cases:
            if options.only not in name:
                continue
            start = time.monotonic()
            try:
                run()
                problem = launcher.leftovers()
                if problem:
                    raise Failure(problem)
                passed += 1
                print(f"pass  {name}  ({time.monotonic() - start:.2f} s)", flush=True)
            except Exception as error:  # whatever it is, the other cases run
                failed += 1
                print(f"FAIL  {name}: {type(error).__name__}: {error}", flush=True)
                launcher.clean()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
