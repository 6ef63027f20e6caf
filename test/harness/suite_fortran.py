# SPDX-License-Identifier: BSD-3-Clause
"""The Fortran programs below test/fortran: in every binding and both ABIs by our mpifort, on our library and on PyPI's MPICH, which has to
give the same results; then with another MPI's Fortran, both on that (so that it is the oracle of the bindings, too) and on our library
(so that what it built runs here)."""
import concurrent.futures
import os
import re

from . import job, programs
from .suite_c import ORACLE_ENVIRONMENT, Exceptions, check_library

SOURCES = programs.TEST / "fortran"
RANKS = [1, 2, 4]
FLAGS = ["-O1", "-g", "-Wall", "-Wno-unused-dummy-argument", "-Wno-unused-parameter", "-Wno-maybe-uninitialized"]
FIXED_FLAGS = ["-O1", "-g"]  # of a time when types were implicit
TIME_LIMIT = 300  # seconds
NOT_HELD = re.compile(r"^ *does not hold: (.*?) *$", re.MULTILINE)  # checks.f90


class Program:
    """A source and the binding that it is compiled with."""

    def __init__(self, source, binding, options):
        self.source, self.binding, self.options = source, binding, options
        self.name = f"{source.stem}, {binding}"
        self.file_name = f"{source.stem}_{binding.replace('.', '_').replace(' ', '_')}"


def all_programs(chosen):
    found = []
    for source in sorted(SOURCES.glob("old/*.F90")):
        found += [Program(source, "mpif.h", [*FLAGS, "-DWITH_MPIF"]), Program(source, "use mpi", FLAGS)]
    found += [Program(source, "mpif.h", FIXED_FLAGS) for source in sorted(SOURCES.glob("fixed/*.F"))]
    found += [Program(source, "mpi_f08", FLAGS) for source in sorted(SOURCES.glob("f08/*.f90"))]
    return [p for p in found if not chosen or any(text in p.name for text in chosen)]


def compile_all(report, suite, compiler, chosen, folder, libraries=()):
    """Each program in a folder of its own, as modules are files. Returns name -> executable of those that compile."""
    folder.mkdir(parents=True, exist_ok=True)
    checks = job.run([*compiler, *FLAGS, "-c", SOURCES / "checks.f90", "-o", folder / "checks.o"], TIME_LIMIT, cwd=folder)
    if checks.problem():
        report.add(suite, "compile checks", 0, 1, checks.seconds, "does not compile", checks.output)
        return {}

    def compile_one(program):
        own = folder / program.file_name
        own.mkdir(exist_ok=True)
        command = [*compiler, *program.options, f"-I{folder}", program.source, folder / "checks.o", "-o", own / "program", *libraries]
        return program, own / "program", job.run(command, TIME_LIMIT, cwd=own)

    executables = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for program, target, outcome in pool.map(compile_one, chosen):
            if outcome.problem():
                report.add(suite, f"compile {program.name}", 0, 1, outcome.seconds, "does not compile", outcome.output)
            else:
                executables[program.name] = target
    return executables


def run_all(report, suite, launcher, executables, env=None, exceptions=None):
    for name, executable in executables.items():
        for n in RANKS:
            outcome = job.run([launcher, "-n", n, executable], TIME_LIMIT, env)
            known = known_differences(name, n, outcome, exceptions) if exceptions else []
            if known:
                report.add(suite, f"{name} np={n}", outcome.closing_line()[0], 0, outcome.seconds, f"known: {', '.join(known)}")
            else:
                report.add_outcome(suite, f"{name} np={n}", outcome)


def known_differences(name, n, outcome, exceptions):
    """What does not hold in a program that ended well, if all of it is listed in test/oracle_exceptions.txt."""
    found = sorted(set(NOT_HELD.findall(outcome.output)))
    program = f"fortran/{name.split(',')[0]}"
    ended = outcome.closing_line() and not outcome.problem()
    return found if ended and all(exceptions.covers(program, text, n) for text in found) else []


def run_ours(report, options, chosen):
    for abi, library, bindings in (("mpich", "libmpi.so.12", "libmpifort.so.12"), ("standard", "libmpi_abi.so.1", "libmpifort_abi.so.1")):
        suite = f"fortran, {abi} ABI"
        compiler = [options.build_dir / "bin/mpifort", f"-abi={abi}"]
        executables = compile_all(report, suite, compiler, chosen, options.work / f"fortran-{abi}")
        run_all(report, suite, options.mpiexec, executables)
        report.end_suite(suite)
        run_on_mpich(report, options, f"{suite}, on PyPI's MPICH", executables, library, bindings)


def run_on_mpich(report, options, suite, executables, library, bindings):
    """The same executables and our bindings, but MPICH's C library below them; its wheel has no Fortran of its own."""
    only_bindings = options.work / f"{bindings}-alone"  # for beside them in our folder is our C library
    only_bindings.mkdir(parents=True, exist_ok=True)
    link = only_bindings / bindings
    link.unlink(missing_ok=True)
    link.symlink_to((options.build_dir / "lib" / bindings).resolve())
    theirs = (options.mpich / "lib").resolve()
    env = {**ORACLE_ENVIRONMENT, "LD_LIBRARY_PATH": f"{only_bindings.resolve()}:{theirs}"}
    check_library(report, suite, executables, env, library, theirs)
    run_all(report, suite, options.mpich / "bin/mpiexec", executables, env, Exceptions())
    report.end_suite(suite)


def run_other(report, options, chosen):
    """Debian's MPICH (tools/setup/debian.sh): of the wheels, none has Fortran. Its version knows MPI 4.0 and mpi_f08 without large
    counts, so that binding is ours alone; it is no part of the common ABI either."""
    root = options.mpich_fortran
    library = next(root.glob("usr/lib/*/libmpichfort.so.12"), None)
    if library is None:
        report.add("fortran, oracle", "MPICH for Fortran", 0, 1, 0, f"{root} has no libmpichfort.so.12; see tools/setup/debian.sh")
        return
    include = next(root.glob("usr/include/*/mpich"))
    chosen = [program for program in chosen if program.binding != "mpi_f08"]
    compiler = ["gfortran", "-fallow-argument-mismatch", f"-I{include}"]
    libraries = [library, f"-L{library.parent}", f"-Wl,-rpath-link,{library.parent}", "-l:libmpich.so.12"]
    executables = compile_all(report, "fortran, oracle", compiler, chosen, options.work / "fortran-oracle", libraries)
    run_all(report, "fortran, oracle", options.mpich / "bin/mpiexec", executables,
            {**ORACLE_ENVIRONMENT, "LD_LIBRARY_PATH": str(library.parent)})  # fmt: skip
    report.end_suite("fortran, oracle")

    suite = "fortran, built by MPICH, on our libraries"
    run_all(report, suite, options.mpiexec, executables, {"LD_LIBRARY_PATH": f"{options.build_dir / 'lib/mpich-compat'}:{options.build_dir / 'lib'}"})
    report.end_suite(suite)


def run_fortran(report, options):
    if not (options.build_dir / "bin/mpifort").exists():
        report.say("fortran: built without gfortran")
        report.add("fortran", "left out", 1, 0, 0)
        return
    chosen = all_programs(options.only)
    run_ours(report, options, chosen)
    run_other(report, options, chosen)
