# SPDX-License-Identifier: BSD-3-Clause
"""Suites of C programs: with our library in both ABIs, with another MPI as the oracle, and across libraries (abi)."""
import re

from . import job, programs

ORACLE_ENVIRONMENT = {
    # Otherwise this library takes milliseconds a message when ranks share cores.
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "1",
}

# Objects that a program made and did not free are printed at its end; the test programs free all.
LEAK_ENVIRONMENT = {"MVP_REPORT_LEAKS": "1"}
LEAK = re.compile(r"^starling: rank \d+ leaked .*$", re.MULTILINE)

# With more ranks than cores it waits busily: with 5 on 2 some programs take minutes, and what they check with 5 is no other than with 3.
MOST_ORACLE_RANKS = 3


def run_c(report, options):
    """The programs compiled by our mpicc for both ABIs."""
    chosen = programs.all_programs(options.only)
    for abi in ("mpich", "standard"):
        suite = f"c, {abi} ABI"
        compiler = [options.build_dir / "bin/mpicc", f"-abi={abi}"]
        executables = programs.compile_all(report, suite, compiler, chosen, options.work / f"c-{abi}")

        def find_leaks(program, n, outcome, suite=suite):
            leaks = LEAK.findall(outcome.output)
            if leaks and program.exit_code == 0:
                report.add(suite, f"{program.name} np={n}, leaks", 0, 1, outcome.seconds, leaks[0], "\n".join(leaks))
            return False

        programs.run_all(report, suite, [options.mpiexec], chosen, executables, options.np, LEAK_ENVIRONMENT, find_leaks)
        report.end_suite(suite)


class Exceptions:
    """test/oracle_exceptions.txt: the cases in which the oracle is known to be wrong."""

    def __init__(self):
        self.rows = []
        for line in (programs.TEST / "oracle_exceptions.txt").read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                program, case, ranks, reason = (field.strip() for field in line.split("|"))
                if not reason:
                    raise ValueError(f"oracle_exceptions.txt: no reason given: {line}")
                self.rows.append((program, case, ranks))

    def covers(self, program, case, n):
        for row_program, row_case, ranks in self.rows:
            in_range = ranks == "any" or (n >= int(ranks[:-1]) if ranks.endswith("+") else n == int(ranks))
            if row_program == program and row_case in (case, "all") and in_range:
                return True
        return False

    def cover_all(self, program, n):
        """Such a program tells nothing, and one that corrupts the oracle's memory may hang until its time is over."""
        return self.covers(program.name, "all", n)


def run_oracle(report, options):
    """The same programs on MPICH: what fails there is a mistake of the test, unless it is listed as an exception."""
    suite = "oracle"
    exceptions = Exceptions()
    chosen = [program for program in programs.all_programs(options.only) if program.oracle]
    executables = programs.compile_all(report, suite, [options.mpich / "bin/mpicc"], chosen, options.work / "oracle")

    def judge(program, n, outcome):
        failed = outcome.failed_cases()
        if failed and all(exceptions.covers(program.name, case, n) for case in failed):
            passed, _ = outcome.closing_line() or (0, 0)
            report.add(suite, f"{program.name} np={n}", passed, 0, outcome.seconds, f"known: {', '.join(failed)}")
            return True
        return False

    ranks = [n for n in options.np if n <= MOST_ORACLE_RANKS]
    launcher = [options.mpich / "bin/mpiexec"]
    programs.run_all(report, suite, launcher, chosen, executables, ranks, ORACLE_ENVIRONMENT, judge, exceptions.cover_all, ours=False)
    report.end_suite(suite)


def run_abi(report, options):
    """Programs compiled with one library's headers and run on another's library, in both directions and both ABIs."""
    ours, theirs = options.build_dir, options.mpich
    directions = [
        # (what, compiler, library to run on, its name, launcher)
        ("built by MPICH's mpicc, on our libmpi.so.12", [theirs / "bin/mpicc"], ours, "libmpi.so.12"),
        ("built by MPICH's mpicc_abi, on our libmpi_abi.so.1", [theirs / "bin/mpicc_abi"], ours, "libmpi_abi.so.1"),
        ("built by our mpicc, on MPICH's libmpi.so.12", [ours / "bin/mpicc", "-abi=mpich"], theirs, "libmpi.so.12"),
        ("built by our mpicc, on MPICH's libmpi_abi.so.1", [ours / "bin/mpicc", "-abi=standard"], theirs, "libmpi_abi.so.1"),
    ]
    exceptions = Exceptions()
    chosen = [program for program in programs.all_programs(options.only) if program.oracle]
    for number, (what, compiler, runtime, library) in enumerate(directions):
        suite = f"abi, {what}"
        executables = programs.compile_all(report, suite, compiler, chosen, options.work / f"abi-{number}")
        env = {"LD_LIBRARY_PATH": str((runtime / "lib").resolve())}
        if runtime == theirs:
            env.update(ORACLE_ENVIRONMENT)
        check_library(report, suite, executables, env, library, runtime / "lib")

        def judge(program, n, outcome, on_oracle=runtime == theirs):
            failed = outcome.failed_cases()
            return on_oracle and failed and all(exceptions.covers(program.name, case, n) for case in failed)

        launcher = [runtime / "bin/mpiexec"]
        leave_out = exceptions.cover_all if runtime == theirs else None
        programs.run_all(report, suite, launcher, chosen, executables, [n for n in options.np if n <= MOST_ORACLE_RANKS], env, judge, leave_out,
                         ours=runtime == ours)
        report.end_suite(suite)


def check_library(report, suite, executables, env, library, folder):
    """Makes sure that the programs load the library they are meant to."""
    for executable in list(executables.values())[:1]:
        outcome = job.run(["ldd", executable], 20, env)
        lines = [line for line in outcome.output.splitlines() if library in line]
        good = len(lines) == 1 and str(folder.resolve()) in lines[0]
        report.add(suite, f"{library} is the one meant", int(good), int(not good), outcome.seconds, "", outcome.output)
