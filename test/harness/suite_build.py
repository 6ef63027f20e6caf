# SPDX-License-Identifier: BSD-3-Clause
"""Suites around what the build made: unit tests, checks of the source tree, the generated bad-input test, the tests of the launcher and of
the comparison."""
import os
import re
import sys

from . import job, programs

CTEST_LINE = re.compile(r"^ *\d+/\d+ Test +#\d+: (\S+) \.*(.*?) +([\d.]+) sec", re.MULTILINE)


def run_unit(report, options):
    suite = "unit"
    command = ["ctest", "--test-dir", options.build_dir, "-j", str(os.cpu_count()), "--output-on-failure", "--timeout", "900"]
    for pattern in options.only or []:
        command += ["-R", pattern]
    outcome = job.run(command, 3600)
    found = CTEST_LINE.findall(outcome.output)
    for name, verdict, seconds in found:
        good = verdict.strip() == "Passed"
        report.add(suite, name, int(good), int(not good), float(seconds), verdict.strip(" *"), outcome.output)
    if not found:
        report.add(suite, "ctest", 0, 1, outcome.seconds, outcome.problem() or "no tests were found", outcome.output)
    report.end_suite(suite)


def run_source(report, options):
    suite = "source"
    command = [sys.executable, programs.TEST.parent / "tools/check/all.py", "--build-dir", options.build_dir]
    outcome = job.run(command, 3600)
    report.add_outcome(suite, "tools/check", outcome)
    if outcome.closing_line() is None:
        report.add(suite, "closing line", 0, 1, 0, "tools/check/all.py printed no closing line", outcome.output)
    report.end_suite(suite)


def run_bad_input(report, options):
    """Every function with one wrong argument at a time, in both ABIs."""
    suite = "bad_input"
    program = programs.Program(programs.TEST / "generated/bad_input.gen.c")
    for abi in ("mpich", "standard"):
        target = options.work / f"bad_input-{abi}"
        compiled = job.run([options.build_dir / "bin/mpicc", f"-abi={abi}", "-O0", program.source, "-o", target], 600)
        if compiled.problem():
            report.add(suite, f"compile for the {abi} ABI", 0, 1, compiled.seconds, "does not compile", compiled.output)
            continue
        for n in (1, 2):
            outcome = job.run([options.mpiexec, "-n", n, target], 300)
            report.add_outcome(suite, f"{abi} ABI np={n}", outcome)
            if outcome.closing_line() is None:
                report.add(suite, f"{abi} ABI np={n}, closing line", 0, 1, 0, "the program printed no closing line", outcome.output)
    report.end_suite(suite)


def run_launch(report, options):
    """The launcher's own tests, with programs of MPICH and of Intel MPI where those are installed."""
    suite = "launch"
    command = [sys.executable, programs.TEST / "launch/run.py", "--mpiexec", options.mpiexec]
    for name in ("mpich", "impi"):
        if getattr(options, name).exists():
            command += [f"--{name}", getattr(options, name)]
    outcome = job.run(command, 3600)
    report.add_outcome(suite, "launcher", outcome)
    if outcome.closing_line() is None:
        report.add(suite, "closing line", 0, 1, 0, "test/launch/run.py printed no closing line", outcome.output)
    report.end_suite(suite)


def run_compare(report, options):
    """The tests of bench/compare and bench/limits, which need no MPI."""
    suite = "compare"
    outcome = job.run([sys.executable, programs.TEST / "compare/run.py", *(options.only or [])], 1800)
    report.add_outcome(suite, "bench/compare", outcome)
    if outcome.closing_line() is None:
        report.add(suite, "closing line", 0, 1, 0, "test/compare/run.py printed no closing line", outcome.output)
    report.end_suite(suite)
