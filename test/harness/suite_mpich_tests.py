# SPDX-License-Identifier: BSD-3-Clause
"""MPICH's own test suite (tools/setup/mpich_tests.sh) on our libraries, with our compilers and launcher.

It builds and runs its programs one after the other, and says of each 'ok' or 'not ok'. What is expected not to be is in
test/mpich_tests_exceptions.txt, with the reason.
"""
import re
import subprocess

from . import job, programs
from .suite_libraries import fresh_folder, missing

SUITE = "mpich_tests"
FOLDERS = ("attr", "coll", "comm", "datatype", "errhan", "group", "info", "init", "mpi_t", "pt2pt", "part", "rma", "topo", "threads",
           "io", "errors", "spawn", "f77", "f90")  # fmt: skip
CONFIGURE = ["./configure", "--disable-cxx", "--enable-fortran=all", "--enable-threads=multiple", "--enable-strictmpi"]
PROGRAM_LIMIT = 60
FOLDER_LIMIT = 1800
OUTCOME = re.compile(r"^(not ok|ok)\s+- \./(\S+) *(\d*) # ", re.MULTILINE)


def exceptions():
    """Program -> why it is not expected to pass."""
    lines = (programs.TEST / "mpich_tests_exceptions.txt").read_text(encoding="utf-8").splitlines()
    return dict(tuple(part.strip() for part in line.split("|", 1)) for line in lines if line and not line.startswith("#"))


def run_mpich_tests(report, options):
    source = programs.TEST.parent / ".venv/mpich-tests"
    if missing(report, SUITE, source / "installed.txt"):
        return
    folder = fresh_folder(options.work / "mpich-tests") / "mpi"
    subprocess.run(["cp", "-a", source, folder], check=True)  # with the times of the files: make looks at them
    env = {"PATH": f"{options.build_dir / 'bin'}:/usr/bin:/bin", "MPITEST_TIMEOUT": str(PROGRAM_LIMIT)}
    outcome = job.run([*CONFIGURE, f"--with-mpi={options.build_dir}"], FOLDER_LIMIT, env, folder)
    if outcome.problem():
        report.add(SUITE, "configure", 0, 1, outcome.seconds, outcome.problem(), outcome.output)
        return
    excepted = exceptions()
    for name in FOLDERS:
        if options.only and not any(text in name for text in options.only):
            continue
        tap = folder / f"{name}.tap"
        outcome = job.run(["./runtests", "-srcdir=.", "-tests=testlist", f"-testdirs={name}", f"-mpiexec={options.mpiexec}",
                           f"-xmlfile={name}.xml", f"-tapfile={tap.name}"], FOLDER_LIMIT, env, folder)  # fmt: skip
        found = OUTCOME.findall(tap.read_text(encoding="utf-8", errors="replace")) if tap.exists() else []
        if not found:
            report.add(SUITE, name, 0, 1, outcome.seconds, outcome.problem() or "no outcomes", outcome.output)
        for said, program, ranks in found:
            if program in excepted:
                continue
            passed = said == "ok"
            report.add(SUITE, f"{program} np={ranks or '?'}", int(passed), int(not passed), 0, "" if passed else f"see {tap}")
    report.end_suite(SUITE)
