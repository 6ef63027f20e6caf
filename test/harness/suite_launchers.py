# SPDX-License-Identifier: BSD-3-Clause
"""Our programs under other launchers, and programs on other MPI libraries under our mpiexec: a few programs that show that all ranks
find one another, that data arrive, and that the exit code comes back."""
from . import programs
from .suite_c import ORACLE_ENVIRONMENT

OUR_PROGRAMS = ("env/lifetime", "env/sessions_only", "env/exit_code", "p2p/sendrecv", "dynamic/spawn_plain")
THEIR_PROGRAMS = ("env/exit_code", "comm/groups")  # what these libraries do right
OUR_RANKS = (1, 2, 4, 8)
THEIR_RANKS = (2, 4, 8)


def chosen_programs(options, names):
    return [p for p in programs.all_programs(options.only) if p.name in names]


def run_ours(report, options):
    """Our library finds its job through the PMI-1 of these launchers."""
    launchers = {"MPICH's mpiexec": options.mpich / "bin/mpiexec.hydra", "Intel's mpiexec": options.impi / "bin/mpiexec.hydra"}
    chosen = chosen_programs(options, OUR_PROGRAMS)
    for abi in ("mpich", "standard"):
        compiler = [options.build_dir / "bin/mpicc", f"-abi={abi}"]
        executables = programs.compile_all(report, "launchers", compiler, chosen, options.work / f"launchers-{abi}")
        for name, launcher in launchers.items():
            suite = f"launchers, ours ({abi} ABI) under {name}"
            if not launcher.exists():
                report.add(suite, "set-up", 0, 1, 0, f"{launcher} is missing; make test sets it up")
                continue
            programs.run_all(report, suite, [launcher], chosen, executables, OUR_RANKS)
            report.end_suite(suite)


def run_theirs(report, options):
    """MPICH's library, and Intel's with programs that our mpicc has compiled for the ABI of both. Both speak PMI-1: MPICH's wheel
    refuses MPIR_CVAR_PMI_VERSION=2 under any launcher. PMI-2 is tested by test/launch/pmi_client.py."""
    kinds = [
        # (what, compiler, prefix of the library, environment)
        ("MPICH", [options.mpich / "bin/mpicc"], options.mpich, ORACLE_ENVIRONMENT),
        ("Intel MPI", [options.build_dir / "bin/mpicc", "-abi=mpich"], options.impi, {"I_MPI_THREAD_YIELD": "2"}),
    ]
    for what, compiler, prefix, settings in kinds:
        suite = f"launchers, {what} under ours"
        library = prefix / "lib/libmpi.so.12"
        if not library.exists():
            report.add(suite, "set-up", 0, 1, 0, f"{library} is missing; make test sets it up")
            continue
        chosen = chosen_programs(options, THEIR_PROGRAMS)
        directory = options.work / f"launchers-{prefix.name}"
        executables = programs.compile_all(report, suite, compiler, chosen, directory)
        env = {**settings, "LD_LIBRARY_PATH": str(prefix / "lib")}
        programs.run_all(report, suite, [options.mpiexec], chosen, executables, THEIR_RANKS, env)
        report.end_suite(suite)


def run_launchers(report, options):
    run_ours(report, options)
    run_theirs(report, options)
