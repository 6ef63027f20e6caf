# SPDX-License-Identifier: BSD-3-Clause
"""Parallel libraries that others have built for MPICH, unmodified, on ours: HDF5 and ScaLAPACK from Debian, and PnetCDF.

Debian calls MPICH's libraries libmpich.so.12 and libmpichfort.so.12; lib/mpich-compat has ours under those names. What one MPI has written
the other one reads.
"""
import dataclasses
import re
import shutil

from . import job, programs
from .suite_c import ORACLE_ENVIRONMENT

TIMEOUT = 600
RANKS = 4  # where the tests of a library want a certain number


@dataclasses.dataclass
class Mpi:
    """A launcher, and where its library is under all its names."""

    name: str
    launcher: object
    folders: list
    env: dict

    def run(self, n, command, *folders, cwd=None):
        path = ":".join(str(folder) for folder in [*folders, *self.folders])
        return job.run([self.launcher, "-n", n, *command], TIMEOUT, {**self.env, "LD_LIBRARY_PATH": path}, cwd)


def ours(options):
    folders = [options.build_dir / "lib/mpich-compat", options.build_dir / "lib"]
    # A program in Fortran that is ended by MPI_Abort shows only what it has not buffered.
    return Mpi("ours", options.mpiexec, folders, {"GFORTRAN_UNBUFFERED_PRECONNECTED": "1"})


def mpich(options):
    names = fresh_folder(options.work / "mpich-names")
    (names / "libmpich.so.12").symlink_to(options.mpich / "lib/libmpi.so.12")
    folders = [names, options.mpich / "lib", options.mpich / "lib/mpich"]  # the last has what its library looks for beside itself
    return Mpi("MPICH", options.mpich / "bin/mpiexec", folders, ORACLE_ENVIRONMENT)


def fresh_folder(path):
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def missing(report, suite, path):
    """Whether what the suite needs is not there, which is a failure."""
    if not path.exists():
        report.add(suite, "set-up", 0, 1, 0, f"{path} is missing; make test sets it up")
    return not path.exists()


# ---- HDF5

# What PyPI's h5py, which has an HDF5 of its own and no MPI, sees in a file.
LIST_WITH_H5PY = """
import hashlib, sys, h5py
def show(name, item):
    if isinstance(item, h5py.Dataset):
        print(name, item.dtype, item.shape, item.chunks, hashlib.sha256(item[()].tobytes()).hexdigest())
with h5py.File(sys.argv[1]) as file:
    file.visititems(show)
"""

def run_hdf5(report, options):
    suite = "hdf5"
    libraries = options.hdf5 / "usr/lib/x86_64-linux-gnu"
    headers = options.hdf5 / "usr/include/hdf5/mpich"
    if missing(report, suite, headers / "hdf5.h"):
        return
    target = options.work / "hdf5-parallel"
    command = [options.build_dir / "bin/mpicc", *programs.FLAGS, f"-I{headers}", programs.TEST / "hdf5/parallel.c", "-o", target,
               libraries / "libhdf5_mpich.so.103", "-Wl,--allow-shlib-undefined", *programs.LIBRARIES]  # fmt: skip
    outcome = job.run(command, TIMEOUT)
    if outcome.problem():
        report.add(suite, "compile", 0, 1, outcome.seconds, outcome.problem(), outcome.output)
        return
    for n in options.np:
        report.add_outcome(suite, f"parallel np={n}", ours(options).run(n, [target], libraries))
    files = fresh_folder(options.work / "hdf5-files")
    lists = []
    for writer, reader in (ours(options), mpich(options)), (mpich(options), ours(options)):
        file = files / f"{writer.name}.h5"
        report.add_outcome(suite, f"written by {writer.name}", writer.run(RANKS, [target, "write", file], libraries))
        report.add_outcome(suite, f"written by {writer.name}, read by {reader.name}", reader.run(3, [target, "read", file], libraries))
        lists.append(job.run([options.test_venv / "bin/python", "-c", LIST_WITH_H5PY, file], TIMEOUT).output)
    same = lists[0] == lists[1] and ">i4" in lists[0]
    report.add(suite, "the same to h5py", int(same), int(not same), 0, "" if same else "h5py sees different data", "\n".join(lists))
    report.end_suite(suite)


# ---- ScaLAPACK

# Test drivers and what they read.
DRIVERS = {
    "xFbtest": "BLACS/*", "PBLAS/dpb1tst": "PBLAS/PD*1TST.dat", "PBLAS/dpb2tst": "PBLAS/PD*2TST.dat",
    "PBLAS/dpb3tst": "PBLAS/PD*3TST.dat", "PBLAS/zpb3tst": "PBLAS/PZ*3TST.dat", "xdlu": "LU.dat", "xzlu": "LU.dat", "xdllt": "LLT.dat",
    "xdqr": "QR.dat", "xdls": "LS.dat", "xdinv": "INV.dat", "xdbrd": "BRD.dat", "xdtrd": "TRD.dat", "xdhrd": "HRD.dat", "xdnep": "NEP.dat", "xdsep": "SEP.dat",
}  # fmt: skip
LAST_TEST_ABORTS = "The final auxiliary test is for BLACS_ABORT."
# How they count: residuals; routines of PBLAS; what BLACS sends, all of it or part.
RESIDUALS = re.compile(r"^\s*(\d+) tests completed and (passed|failed)", re.MULTILINE)
ROUTINES = re.compile(r"^\s*\|?\s*P[A-Z0-9]+\s+\d+\s+(\d+)\s+(\d+)\s+\d+\s*$", re.MULTILINE)
TRANSFERS = re.compile(r"TESTS:(?: PASSED ALL *(\d+) TESTS|\s*\d+ TESTS;\s*(\d+) PASSED,\s*\d+ SKIPPED,\s*(\d+) FAILED)\.")


def counts_of(output):
    """(passed, failed) of a driver; nothing of both if it has not come to its end."""
    pairs = [(int(n), 0) if verdict == "passed" else (0, int(n)) for n, verdict in RESIDUALS.findall(output)]
    pairs += [(int(passed), int(failed)) for passed, failed in ROUTINES.findall(output)]
    pairs += [(int(every or passed), int(failed or 0)) for every, passed, failed in TRANSFERS.findall(output)]
    return sum(passed for passed, _ in pairs), sum(failed for _, failed in pairs)


def run_scalapack(report, options):
    suite = "scalapack"
    libraries = options.scalapack / "usr/lib/x86_64-linux-gnu"
    drivers = libraries / "scalapack/mpich-tests"
    if missing(report, suite, drivers / "xdlu"):
        return
    for driver, data in DRIVERS.items():
        folder = fresh_folder(options.work / "scalapack" / driver)  # they read and write files of fixed names
        for file in (options.scalapack / "usr/share/scalapack").glob(data):
            shutil.copy(file, folder)
        outcome = ours(options).run(RANKS, [drivers / driver], libraries, libraries / "lapack", libraries / "blas", cwd=folder)
        passed, failed = counts_of(outcome.output)
        problem = None if LAST_TEST_ABORTS in outcome.output and outcome.code > 0 else outcome.problem()
        if not passed:
            problem = problem or "no results"
        report.add(suite, driver, passed, failed or int(bool(problem)), outcome.seconds, problem or "", outcome.output)
    report.end_suite(suite)


# ---- PnetCDF

PNETCDF_TESTS = ("test/C", "test/testcases", "test/nonblocking", "test/header", "test/cdf_format")
VERDICT = re.compile(r"^\*\*\* .*-- (?:\x1b\[\d+m)?(pass|fail)", re.MULTILINE)


def run_pnetcdf(report, options):
    suite = "pnetcdf"
    examples = options.pnetcdf / "examples/C"
    if missing(report, suite, examples / "put_vara"):
        return
    files = fresh_folder(options.work / "pnetcdf")
    for folder in PNETCDF_TESTS:
        run_their_tests(report, suite, options, folder, files)
    dumps = []
    for writer, reader in (ours(options), mpich(options)), (mpich(options), ours(options)):
        file = files / f"{writer.name}.nc"
        report.add_outcome(suite, f"written by {writer.name}", writer.run(RANKS, [examples / "put_vara", file]))
        report.add_outcome(suite, f"written by {writer.name}, read by {reader.name}", reader.run(RANKS, [examples / "get_vara", file]))
        dumps.append(reader.run(1, [options.pnetcdf / "src/utils/ncmpidump/ncmpidump", "-n", "same", file]).output)
    same = dumps[0] == dumps[1] and "data:" in dumps[0]
    report.add(suite, "the same contents", int(same), int(not same), 0, "" if same else "the dumps differ", "\n".join(dumps))
    report.end_suite(suite)


def run_their_tests(report, suite, options, folder, files):
    """Their script runs each program with four ranks, and checks the files that come of it. It stops at the first that fails."""
    command = ["make", "-C", options.pnetcdf / folder, "ptest4", f"TESTMPIRUN={options.mpiexec} -n NP",
               f"TESTSEQRUN={options.mpiexec} -n 1", f"TESTOUTDIR={files}"]  # fmt: skip
    outcome = job.run(command, TIMEOUT, {"LD_LIBRARY_PATH": str(options.build_dir / "lib")})
    verdicts = VERDICT.findall(outcome.output)
    problem = outcome.problem() or (None if verdicts else "no test has run")
    failed = verdicts.count("fail") or int(bool(problem))
    report.add(suite, folder, verdicts.count("pass"), failed, outcome.seconds, problem or "", outcome.output)


def run_libraries(report, options):
    for run in (run_hdf5, run_scalapack, run_pnetcdf):
        run(report, options)
