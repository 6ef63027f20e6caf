# SPDX-License-Identifier: BSD-3-Clause
"""The C test programs below test/mpi: compiled by any mpicc, run by any mpiexec.

A comment line '// run: key=value ...' near the top of a program changes how it is run:
  exit=N|nonzero  the exit code of the job that is right (default 0)
  timeout=S       seconds it may take before it counts as hanging (default 300)
  ranks=N,N       the only numbers of ranks it is run with
  oracle=no       it asks too much of other MPI libraries, and they have nothing to say about it
  also=NAME=VALUE it is run again with this variable in the environment (a setting of ours); several: also=A=1,B=2, each alone
"""
import concurrent.futures
import itertools
import os
import pathlib
import re

from . import job

TEST = pathlib.Path(__file__).resolve().parent.parent
FLAGS = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O1", "-g", "-Wall", "-Wextra", "-Wshadow"]
LIBRARIES = ["-lm", "-pthread"]
RUN_LINE = re.compile(r"^// run: (.*)$", re.MULTILINE)


class Program:
    """A C source and how to run it."""

    def __init__(self, source):
        self.source = pathlib.Path(source)
        self.name = f"{self.source.parent.name}/{self.source.stem}"
        head = self.source.read_text(encoding="utf-8")[:2000]
        found = RUN_LINE.search(head)
        options = dict(word.split("=", 1) for word in found.group(1).split()) if found else {}
        code = options.get("exit", "0")
        self.exit_code = code if code == "nonzero" else int(code)
        self.timeout = int(options.get("timeout", 300))
        self.oracle = options.get("oracle", "yes") == "yes"
        also = options["also"].split(",") if "also" in options else []
        self.variants = [{}] + [dict([setting.split("=", 1)]) for setting in also]
        self.ranks = [int(n) for n in options["ranks"].split(",")] if "ranks" in options else None

    def file_name(self):
        return self.name.replace("/", "_")


def all_programs(chosen=None):
    programs = [Program(path) for path in sorted(TEST.glob("mpi/*/*.c"))]
    return [p for p in programs if not chosen or any(text in p.name for text in chosen)]


def compile_all(report, suite, compiler, programs, directory):
    """Compiles each program into `directory`; a warning is a failure, too. Returns name -> executable of those that compile."""
    directory.mkdir(parents=True, exist_ok=True)

    def compile_one(program):
        target = directory / program.file_name()
        outcome = job.run([*compiler, *FLAGS, program.source, "-o", target, *LIBRARIES], timeout=300)
        return program, target, outcome

    executables = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for program, target, outcome in pool.map(compile_one, programs):
            if outcome.problem() or outcome.output.strip():
                note = "does not compile" if outcome.problem() else "compiles with warnings"
                report.add(suite, f"compile {program.name}", 0, 1, outcome.seconds, note, outcome.output)
            if not outcome.problem():
                executables[program.name] = target
    return executables


def run_all(report, suite, launcher, programs, executables, ranks, env=None, judge=None, leave_out=None, ours=True):
    """Runs each program with each number of ranks, but for those with `leave_out(program, n)`. `judge(program, n, outcome)` may
    take over the verdict by returning True. `ours`: the library is, so that its settings mean something."""
    for program in programs:
        if program.name not in executables:
            continue
        for variant, n in itertools.product(program.variants if ours else [{}], program.ranks or ranks):
            if leave_out and leave_out(program, n):
                continue
            outcome = job.run([*launcher, "-n", n, executables[program.name]], program.timeout, {**(env or {}), **variant})
            if judge and judge(program, n, outcome):
                continue
            name = " ".join([f"{program.name} np={n}", *(f"{key}={value}" for key, value in variant.items())])
            report.add_outcome(suite, name, outcome, program.exit_code)
