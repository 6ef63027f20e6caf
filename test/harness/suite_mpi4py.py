# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py's own tests with the wheel from PyPI, unmodified, on our libmpi.so.12.

The wheel holds a module for each ABI. MPI4PY_LIBMPI names the library; the wheel loads it, finds out its ABI and picks the module. The
module's own need of libmpi.so.12 is then met by what is loaded already.
"""
import re

from . import job, programs

TIMEOUT = 1800
# Lines begin with the rank, "[0] ": labelled output comes in whole lines, however the ranks write.
LABEL = r"^\[\d+\] "
RAN = re.compile(LABEL + r"Ran (\d+) tests? in ", re.MULTILINE)
VERDICT = re.compile(LABEL + r"(?:OK|FAILED)(?: \((.*)\))?$", re.MULTILINE)
FAILURE = re.compile(LABEL + r"(?:FAIL|ERROR|UNEXPECTED SUCCESS): (.*)$", re.MULTILINE)


def skip_patterns():
    """The patterns of mpi4py_skip.txt; every line must name the chapter that is missing."""
    patterns = []
    for line in (programs.TEST / "mpi4py_skip.txt").read_text(encoding="utf-8").splitlines():
        pattern, _, reason = (field.strip() for field in line.partition("#"))
        if pattern and not reason:
            raise ValueError(f"mpi4py_skip.txt: no chapter given: {line}")
        if pattern:
            patterns.append(pattern)
    return patterns


def add_result(report, suite, name, outcome, ranks):
    """Rank 0 tells how many tests ran; a test failed if it failed on any rank."""
    ran = [int(n) for n in RAN.findall(outcome.output)]
    failed = sorted(set(FAILURE.findall(outcome.output)))
    skipped = 0
    for verdict in VERDICT.findall(outcome.output):
        counts = dict(part.split("=") for part in verdict.split(", ") if "=" in part)
        skipped = max(skipped, int(counts.get("skipped", 0)))
    if len(ran) < ranks or outcome.timed_out:
        report.add(suite, name, 0, max(1, len(failed)), outcome.seconds, outcome.problem() or "a rank did not finish", outcome.output)
        return
    passed = max(0, min(ran) - skipped - len(failed))
    bad = len(failed) or int(bool(outcome.problem()))
    note = "; ".join(failed[:20]) if failed else outcome.problem() or ""
    report.add(suite, name, passed, bad, outcome.seconds, note, outcome.output)
    report.say(f"{suite}: {name}: {min(ran)} ran, {bad} failed, {skipped} do not apply ({outcome.seconds:.0f} s)")


def run_mpi4py(report, options):
    suite = "mpi4py"
    python = options.test_venv / "bin/python"
    main = options.mpi4py / "test/main.py"
    if not (python.exists() and main.exists()):
        report.add(suite, "set-up", 0, 1, 0, f"{python} or {main} is missing; make test sets them up")
        return
    skip = options.work / "mpi4py_skip.txt"
    patterns = skip_patterns()
    modules = [pattern.split()[1] for pattern in patterns if pattern.startswith("module ")]
    skip.write_text("".join(f"{pattern}\n" for pattern in patterns if not pattern.startswith("module ")), encoding="utf-8")
    library = (options.mpi_library or options.build_dir / "lib/libmpi.so.12").resolve()
    env = {"MPI4PY_LIBMPI": str(library), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    for n in options.np:
        command = [options.mpiexec, "-l", "-n", n, python, main, "--verbose", "--xfile", skip]
        for module in modules:
            command += ["-e", rf"^{module}\.py$"]
        for pattern in options.only or []:
            command += ["-k", pattern]
        outcome = job.run(command, TIMEOUT, env, cwd=options.mpi4py)
        (options.work / f"mpi4py-{n}.log").write_text(outcome.output, encoding="utf-8")
        add_result(report, suite, f"np={n}", outcome, n)
    report.end_suite(suite)
