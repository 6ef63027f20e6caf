# SPDX-License-Identifier: BSD-3-Clause
"""The micro-benchmarks of bench/omb: every program on our library and on MPICH, and, on ours, every shape of output, every option and
every error. Their output is read by omb_output, which knows nothing of our sources."""
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
from dataclasses import dataclass

from . import job, programs
from .omb_output import PROGRAMS, Expectation, Mismatch, check_help
from .suite_c import ORACLE_ENVIRONMENT

ROOT = programs.TEST.parent
TIMEOUT = 60
BUILD_TIMEOUT = 1200  # as long as a busy machine may need
SHORT = ["-i", "2", "-x", "1", "-m", "4:8"]
WORKERS = max(1, (os.cpu_count() or 2) // 2)

# A program that our library cannot run yet ends with a message that names this function.
NEEDS = {"one-sided": "MPI_Win_allocate", "osu_partitioned_latency": "MPI_Psend_init"}


@dataclass(frozen=True)
class Peer:
    """Another MPI library. `builder`: whose mpicc compiles for it (Intel's wheel has none, but MPICH's binary interface)."""

    label: str
    folder: pathlib.Path
    builder: pathlib.Path
    environment: dict
    options: tuple = ()  # of its mpiexec
    newest: int = 4  # the MPI standard that it has
    wrong: tuple = ()  # programs for which it delivers wrong data, as a few lines of C show, too

    @property
    def launcher(self):
        return [self.folder / "bin/mpiexec", *self.options]


def peers(options):
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    intel = {"I_MPI_ROOT": options.impi, "FI_PROVIDER_PATH": options.impi / "lib", "LD_LIBRARY_PATH": options.impi / "lib"}
    return (
        Peer("MPICH", options.mpich, options.mpich, ORACLE_ENVIRONMENT),
        Peer("Open MPI", options.openmpi, options.openmpi, root, ("--bind-to", "none", "--map-by", ":OVERSUBSCRIBE"), newest=3),
        # Of release 2021.18 these operations move data in the first of their calls only.
        Peer("Intel MPI", options.impi, options.mpich, {name: str(value) for name, value in intel.items()},
             wrong=("osu_allgather_persistent", "osu_gather_persistent", "osu_scatter_persistent")),
    )


def needs_mpi4(program):
    return program.name == "osu_partitioned_latency" or (program.folder == "collective" and program.name.endswith("_persistent"))


class Suite:
    def __init__(self, report, options, name="omb"):
        self.report, self.options, self.name = report, options, name
        self.work = options.work / name
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.counter = itertools.count()
        self.folder = options.build_dir / "libexec/starling/omb"
        self.missing = self.find_missing()
        self.theirs = self.build("MPICH", options.mpich)

    def build(self, label, prefix):
        """All programs, by that library's mpicc, without a warning. Returns their folder."""
        folder = self.work / prefix.name
        outcome = job.run([ROOT / "bench/omb/build.sh", prefix / "bin/mpicc", folder, "-O1"], BUILD_TIMEOUT)
        good = not outcome.problem() and not outcome.output.strip()
        self.report.add(self.name, f"build.sh with mpicc of {label}", int(good), int(not good), outcome.seconds, outcome.problem() or "",
                        outcome.output)  # fmt: skip
        return folder

    def find_missing(self):
        """The functions of MPI that our library does not have yet."""
        outcome = job.run([self.options.build_dir / "bin/mpi_info", "--json"], TIMEOUT)
        functions = json.loads(outcome.output)["functions"] if not outcome.problem() else []
        return {f["name"] for f in functions if not f["implemented"]}

    def needed(self, program):
        """The function that our library lacks for this program, or None."""
        function = NEEDS.get(program.name, NEEDS.get(program.folder))
        return function if function in self.missing else None

    def launch(self, path, ranks, arguments, launcher=None, env=None, cwd=None):
        """(outcome with stdout alone, stderr)"""
        errors = self.work / f"stderr.{next(self.counter)}"
        command = ["/bin/sh", "-c", 'exec "$@" 2>"$0"', errors, *(launcher or [self.options.mpiexec]), "-n", ranks, path, *arguments]
        outcome = job.run(command, TIMEOUT, env, cwd or self.work)
        text = errors.read_text(encoding="utf-8", errors="replace")
        errors.unlink()
        return outcome, text

    def path(self, name, folder=None):
        return (folder or self.folder) / PROGRAMS[name].folder / name

    def judge(self, name, outcome, errors, check, code=0):
        """Adds one result: the exit code is right, and `check` finds nothing wrong."""
        problem = None
        if outcome.timed_out or outcome.code != code:
            problem = outcome.problem() or f"exit code 0, not {code}"
        else:
            try:
                check(outcome.output, errors)
            except Mismatch as mismatch:
                problem = str(mismatch)
        seconds = outcome.seconds
        self.report.add(self.name, name, int(not problem), int(bool(problem)), seconds, problem or "", f"{outcome.output}\n{errors}")

    def case(self, name, ranks, arguments, env=None, cwd=None, check=None, code=0, **expected):
        """Runs a program and compares all it prints with an Expectation, or calls `check(stdout, stderr)`. What our library does not have
        yet is done by MPICH: it is the program that is tested here."""
        program = PROGRAMS[name]
        if self.needed(program):
            env = {**ORACLE_ENVIRONMENT, **(env or {})}
            outcome, errors = self.launch(self.path(name, self.theirs), ranks, arguments, [self.options.mpich / "bin/mpiexec"], env, cwd)
        else:
            outcome, errors = self.launch(self.path(name), ranks, arguments, env=env, cwd=cwd)
        if not check:

            def check(stdout, _):
                Expectation(program, ranks=ranks, **expected).check(stdout)

        self.judge(f"{name} {' '.join(map(str, arguments))} np={ranks}", outcome, errors, check, code)


RANK_ERRORS = {"two": "This test requires exactly two processes", "nodes": "This test requires at least two nodes"}
DIMENSIONS = {2: "2", 4: "4"}


def default_rma(program):
    return ("MPI_Win_allocate", "MPI_Win_post/start/complete/wait" if program.name == "osu_put_bibw" else "MPI_Win_flush")


def run_everywhere(suite, label, folder, launcher, env, missing, workers, wanted=tuple(PROGRAMS.values())):
    """Every program at the smallest number of ranks that is right, and at 4: there, those for two say so."""

    def run_one(pair):
        program, ranks = pair
        arguments = [] if program.folder == "startup" else SHORT
        if "c" in program.options and not missing(program) and ranks == 2:
            arguments = [*arguments, "-c", *(["-u", "1"] if "u" in program.options else []), *(["-t", "2:2"] if "mt" in program.name else [])]
        return program, ranks, arguments, suite.launch(folder / program.folder / program.name, ranks, arguments, launcher, env)

    def wrong_ranks(program, ranks):
        return (ranks != 2 and program.ranks == "two") or program.ranks == "nodes"

    def check_of(program, ranks, arguments):
        def check(stdout, errors):
            if wrong_ranks(program, ranks):
                if RANK_ERRORS[program.ranks] not in errors:
                    raise Mismatch(f"stderr is {errors!r}")
            elif missing(program):
                if missing(program) not in errors + stdout:
                    raise Mismatch(f"{missing(program)} is not there, and the program does not say so")
            else:
                reduces = "reduce" in program.name
                verdict = {"one-sided": "passed"}.get(program.folder, "Pass") if "-c" in arguments else None
                threads = (2, 2) if verdict else (1, 2)
                pairs = ranks // 2
                Expectation(program, types=("MPI_INT",) if reduces else ("MPI_CHAR",), verdict=verdict, threads=threads, pairs=pairs,
                            ranks=ranks, dimensions=DIMENSIONS.get(ranks, "1"), rma=default_rma(program)).check(stdout)  # fmt: skip

        return check

    pairs = [(p, n) for p in wanted for n in ((1, 4) if p.ranks == "any" else (2, 4))]
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for program, ranks, arguments, (outcome, errors) in pool.map(run_one, pairs):
            wrong = wrong_ranks(program, ranks)
            code = outcome.code if missing(program) and not wrong and outcome.code > 0 else int(wrong)
            suite.judge(f"{program.name} on {label}, np={ranks}", outcome, errors, check_of(program, ranks, arguments), code)


def run_shapes(suite):
    """Every option of the table, each with a program whose output it changes."""
    case = suite.case
    all_types = ("MPI_CHAR", "MPI_INT", "MPI_FLOAT")
    case("osu_latency", 2, ["-i", 5, "-x", 1, "-m", 4], least=0, most=4)
    case("osu_latency", 2, ["-i", 5, "-x", 1, "-m", ":4"], least=0, most=4)
    case("osu_bw", 2, ["-i", 2, "-x", 0, "-m", "2097152:"], least=2 << 20, most=4 << 20)
    case("osu_bw", 2, [*SHORT, "-W", 3, "-t", 5])
    case("osu_bibw", 2, [*SHORT, "-b", "multiple", "-c", "-u", 0], verdict="Pass")
    case("osu_bw", 2, [*SHORT, "--buffer-num", "single", "--validation", "--validation-warmup=2"], verdict="Pass")
    case("osu_latency", 2, [*SHORT, "-T", "all", "-z"], types=all_types, percentiles=("50", "90", "99"))
    case("osu_latency", 2, [*SHORT, "-T", "MPI_FLOAT", "-T", "mpi_int", "-z1,99.9"], types=("MPI_FLOAT", "MPI_INT"), percentiles=("1", "99.9"))
    case("osu_bw", 2, [*SHORT, "-z100"], percentiles=("100",))
    case("osu_latency", 2, [*SHORT, "-z50"], env={"OMB_DIGITS": "4"}, check=check_digits)
    case("osu_allreduce", 2, ["-f", "-i", 9], env={"OMB_SIZES": "8:3,24,4194304:2"}, check=check_some_sizes)
    case("osu_latency", 2, [], env={"OMB_SIZES": "8:x"}, check=check_bad_sizes, code=1)
    case("osu_latency", 2, [*SHORT, "-I"])
    case("osu_latency_mt", 2, [*SHORT, "-I", "-t", "2:2", "-c"], threads=(2, 2), verdict="Pass")
    case("osu_latency_mt", 2, [*SHORT, "-t", 3, "-z"], threads=(1, 3), percentiles=("50", "90", "99"))
    case("osu_latency_mt", 2, [*SHORT, "--num-test-calls", "2:1"], threads=(2, 1))
    case("osu_latency_mp", 2, [*SHORT, "-t", "1:1"], processes=(1, 1))
    case("osu_latency_mp", 2, [*SHORT, "-t", "1"], processes=(1, 1))
    case("osu_mbw_mr", 4, [*SHORT, "-R", 0, "-W", 2], rate=False, window=2, pairs=2)
    case("osu_mbw_mr", 5, [*SHORT, "-p", 1, "-c"], pairs=1, verdict="Pass")
    case("osu_mbw_mr", 4, [*SHORT, "-V", "-T", "all"], types=all_types, window="varied", pairs=2)
    case("osu_multi_lat", 4, [*SHORT, "-c", "-z"], verdict="Pass", percentiles=("50", "90", "99"))

    case("osu_allgather", 2, ["-i", 2, "-x", 1, "-m", "16", "-Dvect:4:2"], least=1, most=16, transmit=lambda size: size // 4 * 2)
    case("osu_bcast", 2, [*SHORT, "-D", "vect"], transmit=lambda size: size // 8 * 4)
    case("osu_latency", 2, [*SHORT, "-D", "cont", "-T", "mpi_int"], types=("MPI_INT",), transmit=lambda size: size)
    index = suite.work / "index.txt"
    index.write_text("# displacement, blocklength\n0, 2\n5,3  # last\n", encoding="utf-8")
    case("osu_alltoallw", 3, [*SHORT, "-D", f"indx:{index}"], transmit=lambda size: 5)

    case("osu_allreduce", 4, [*SHORT, "-f", "-z"], types=("MPI_INT",), full=True, percentiles=("50", "90", "99"))
    case("osu_allreduce", 3, [*SHORT, "-T", "all", "-c"], types=all_types, verdict="Pass")
    case("osu_barrier", 3, ["-i", 3, "-x", 1, "-f"], full=True)
    case("osu_ibarrier", 3, ["-i", 3, "-x", 1, "-f", "-t", 2, "-z"], full=True, percentiles=("50", "90", "99"))
    case("osu_ialltoall", 3, [*SHORT, "-f", "-t", 4, "-a", 8, "-c"], full=True, verdict="Pass")
    case("osu_allgather", 2, ["-i", 2, "-x", 0, "-m", "1048576", "-M", "1048576"], check=check_memory_limit)
    case("osu_reduce_scatter_block", 4, ["-i", 2, "-x", 0, "-m", "4:64", "-c"], types=("MPI_INT",), least=4, most=64, verdict="Pass")
    for name in ("allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "allreduce", "reduce_scatter", "ireduce_scatter", "igather"):
        reduces = ("MPI_INT",) if "reduce" in name else ("MPI_CHAR",)
        case(f"osu_{name}", 3, [*SHORT, "-l", "-c"], types=reduces, verdict="Pass")
    for name, root in itertools.product(("gather", "scatterv", "reduce", "iscatter"), ("rotate", "fixed:2")):
        reduces = ("MPI_INT",) if "reduce" in name else ("MPI_CHAR",)
        case(f"osu_{name}", 3, [*SHORT, "-k", root, "-l", "-c"], types=reduces, verdict="Pass")

    case("osu_neighbor_allgather", 16, [*SHORT, "-N", "cart:2:1"], dimensions="4 4")
    case("osu_neighbor_alltoallw", 8, [*SHORT, "-N", "cart:3:1", "-c", "-f"], dimensions="2 2 2", verdict="Pass", full=True)
    case("osu_neighbor_allgatherv", 5, [*SHORT, "-N", "cart:1:2", "-c"], dimensions="5", verdict="Pass")
    graph = suite.work / "graph.txt"
    graph.write_text("# source, destination\n0, 1\n1,2\n2, 3 # and so on\n2,0\n", encoding="utf-8")
    case("osu_ineighbor_alltoallv", 4, [*SHORT, "-N", f"graph:{graph}", "-c", "-t", 1], verdict="Pass")

    texts = {"lock": "lock/unlock", "flush": "flush", "flush_local": "flush_local", "lock_all": "lock_all/unlock_all", "fence": "fence",
             "pscw": "post/start/complete/wait"}  # fmt: skip
    windows = {"create": "create", "allocate": "allocate", "dynamic": "create_dynamic"}
    for sync, window in itertools.product(texts, windows):
        rma = (f"MPI_Win_{windows[window]}", f"MPI_Win_{texts[sync]}")
        skipped = () if sync in ("pscw", "fence") else (0,)
        case("osu_acc_latency", 2, [*SHORT, "-s", sync, "-w", window, "-c"], rma=rma, verdict="passed", skipped_ranks=skipped)
        case("osu_put_bw", 2, [*SHORT, "-s", sync, "-w", window, "-W", 4], rma=rma)
        case("osu_get_mbw", 5, [*SHORT, "-s", sync, "-w", window, "-W", 4], rma=rma, pairs=2, window=4)
        case("osu_get_multi_lat", 4, [*SHORT, "-s", sync, "-w", window], rma=rma)
    case("osu_put_bibw", 2, SHORT, rma=("MPI_Win_allocate", "MPI_Win_post/start/complete/wait"))
    case("osu_get_mbw", 4, [*SHORT, "-p", 1, "-R", 0, "-z"], rate=False, percentiles=("50", "90", "99"))
    case("osu_get_multi_lat", 4, [*SHORT, "-z"], percentiles=("50", "90", "99"))
    case("osu_fop_latency", 2, [*SHORT, "-c", "-T", "all"], types=all_types, verdict="passed")
    case("osu_cas_latency", 2, [*SHORT, "-c", "-T", "all"], types=("MPI_CHAR", "MPI_INT"), verdict="passed")
    case("osu_partitioned_latency", 2, [*SHORT, "-q", 4, "-c"], verdict="Pass")
    case("osu_init", 3, [])
    case("osu_init", 3, ["-I"])
    case("osu_hello", 3, [])


def check_digits(stdout, _):
    rows = [line for line in stdout.splitlines() if line[:1].isdigit()]
    if len(rows) != 2 or not all(re.fullmatch(r"\d {15}( *\d+\.\d{4}){2}", row) and len(row) == 50 for row in rows):
        raise Mismatch(f"rows are {rows}")


def check_some_sizes(stdout, _):
    rows = [(int(row[0]), int(row[-1])) for row in (line.split() for line in stdout.splitlines()) if row and row[0].isdigit()]
    if rows != [(8, 3), (24, 9), (4194304, 2)]:
        raise Mismatch(f"sizes and iterations are {rows}")


def check_bad_sizes(_, errors):
    if errors != "Invalid sizes: a list of SIZE or SIZE:ITERATIONS [OMB_SIZES=8:x]\n\n":
        raise Mismatch(f"stderr is {errors!r}")


def check_memory_limit(stdout, errors):
    Expectation(PROGRAMS["osu_allgather"], least=1, most=512 << 10).check(stdout)
    if "--mem-limit" not in errors or errors.endswith("\n"):
        raise Mismatch(f"stderr is not one line without its end: {errors!r}")


def run_help(suite):
    for program in PROGRAMS.values():
        outcome, errors = suite.launch(suite.path(program.name), 1, ["-h"])
        suite.judge(f"{program.name} -h", outcome, errors, lambda stdout, _, p=program: check_help(p, stdout))
    outcome, errors = suite.launch(suite.path("osu_ibcast"), 2, ["--version"])

    def check(stdout, _):
        if stdout != "\n# OSU MPI Non-Blocking Broadcast Latency Test v7.4\n":
            raise Mismatch(repr(stdout))

    suite.judge("osu_ibcast --version", outcome, errors, check)


# (program, arguments, what stderr begins with before " [option]")
BAD_USAGE = [
    ("osu_latency", ["-Q"], "Invalid option [-Q]"),
    ("osu_latency", ["--nonsense"], "Invalid option [--nonsense]"),
    ("osu_latency", ["-W", "3"], "Invalid option [-W]"),
    ("osu_barrier", ["-c"], "Invalid option [-c]"),
    ("osu_latency", ["-i"], "Option needs an argument [-i]"),
    ("osu_latency", ["-i", "0"], "Invalid number of iterations [-i 0]"),
    ("osu_latency", ["-i", "2x"], "Invalid number of iterations [-i 2x]"),
    ("osu_latency", ["-x", "-1"], "Invalid number of warmup iterations [-x -1]"),
    ("osu_latency", ["-m", "0:8"], "Invalid message size: MAX, MIN:MAX, MIN: or :MAX with MIN > 0 [-m 0:8]"),
    ("osu_latency", ["-m", "8:4"], "Invalid message size: MIN is larger than MAX [-m 8:4]"),
    ("osu_latency", ["-m", "1:2:3"], "Invalid message size"),
    ("osu_latency", ["-b", "two"], "Invalid buffer number: single or multiple [-b two]"),
    ("osu_latency", ["-cfile"], "Invalid validation option: log or log:DIR [-c file]"),
    ("osu_latency", ["-u", "11"], "Invalid number of validation warmup iterations [-u 11]"),
    ("osu_latency", ["-G", "gif"], "Invalid graph output: a list of tty, png and pdf [-G gif]"),
    ("osu_latency", ["-P", ":x"], "Invalid PAPI events"),
    ("osu_latency", ["-D", "vect:0"], "Invalid derived datatype: cont, vect:STRIDE:BLOCK or indx:FILE [-D vect:0]"),
    ("osu_latency", ["-D", "vect:2:4"], "Invalid derived datatype: the block is longer than the stride [-D vect:2:4]"),
    ("osu_latency", ["-D", "cont", "-c"], "Derived datatypes cannot be validated [-D]"),
    ("osu_latency", ["-T", "mpi_double"], "Invalid datatype: all, mpi_char, mpi_int or mpi_float [-T mpi_double]"),
    ("osu_latency", ["-z101"], "Invalid percentile: a list of numbers from 0 to 100 [-z 101]"),
    ("osu_latency", ["-z1,2,3,4,5,6"], "Invalid percentile: at most 5 [-z 1,2,3,4,5,6]"),
    ("osu_latency", ["-d", "cuda"], "Accelerator support is not built in [-d cuda]"),
    ("osu_latency", ["D", "H"], "Accelerator support is not built in: buffers are on the host (H) [D]"),
    ("osu_latency", ["X"], "Invalid argument [X]"),
    ("osu_latency_mt", ["-t", "128"], "Invalid number of threads or processes: RECV or SEND:RECV, 1 to 127 each [-t 128]"),
    ("osu_bw", ["-W", "0"], "Invalid window size [-W 0]"),
    ("osu_mbw_mr", ["-V", "-W", "4"], "The window size cannot be both given and varied [-V]"),
    ("osu_mbw_mr", ["-R", "2"], "Invalid choice for the rate: 0 or 1 [-R 2]"),
    ("osu_mbw_mr", ["-p", "0"], "Invalid number of pairs [-p 0]"),
    ("osu_ibcast", ["-t", "x"], "Invalid number of test calls [-t x]"),
    ("osu_bcast", ["-a", "0"], "Invalid array size [-a 0]"),
    ("osu_bcast", ["-M", "much"], "Invalid memory limit [-M much]"),
    ("osu_gather", ["-k", "1"], "Invalid root rank: fixed:RANK or rotate [-k 1]"),
    ("osu_neighbor_allgather", ["-N", "torus"], "Invalid topology: cart:DIMENSIONS:RADIUS or graph:FILE [-N torus]"),
    ("osu_put_latency", ["-s", "none"], "Invalid synchronization: lock, flush, flush_local, lock_all, pscw or fence [-s none]"),
    ("osu_put_bibw", ["-s", "lock"], "Invalid synchronization: this test has pscw and fence [-s lock]"),
    ("osu_put_latency", ["-w", "shared"], "Invalid window: create, allocate or dynamic [-w shared]"),
    ("osu_cas_latency", ["-T", "mpi_float"], "Invalid datatype: this operation has no mpi_float [-T mpi_float]"),
    ("osu_partitioned_latency", ["-q", "0"], "Invalid number of partitions [-q 0]"),
]

# (program, ranks, arguments, stderr)
FAILURES = [
    ("osu_latency", 1, [], "This test requires exactly two processes"),
    ("osu_bcast", 1, [], "This test requires at least two processes"),
    ("osu_multi_lat", 3, [], "This test requires an even number of processes"),
    ("osu_mbw_mr", 2, ["-p", "2"], "There are not enough processes for 2 pairs"),
    ("osu_get_mbw", 3, ["-p", "2"], "There are not enough processes for 2 pairs"),
    ("osu_get_mbw", 1, [], "This test requires at least two processes"),
    ("osu_get_multi_lat", 3, [], "This test requires an even number of processes"),
    ("osu_gather", 2, ["-k", "fixed:2"], "The root rank 2 is not among the processes"),
    ("osu_latency", 2, ["-D", "indx:/nonexistent"], "The index file '/nonexistent' cannot be read"),
    ("osu_neighbor_allgather", 2, ["-N", "graph:/nonexistent"], "The graph file '/nonexistent' cannot be read"),
    ("osu_latency_mt", 2, ["-c", "-t", "1:2"], "Validation needs as many sender as receiver threads"),
    ("osu_latency", 2, ["-m", "4294967296:"], None),
    ("osu_bw", 2, ["-m", "4294967296"], "Messages of 4294967296 bytes have more elements than an int can count"),
]


def run_errors(suite):
    for name, arguments, wanted in BAD_USAGE:
        outcome, errors = suite.launch(suite.path(name), 2, arguments)

        def check(stdout, errors, name=name, wanted=wanted):
            lines = errors.split("\n")
            if not lines[0].startswith(wanted) or lines[1:3] != ["", ""] or not lines[0].endswith("]"):
                raise Mismatch(f"stderr is {errors!r}")
            check_help(PROGRAMS[name], stdout)

        suite.judge(f"{name} {' '.join(arguments)}", outcome, errors, check, 1)
    for name, ranks, arguments, wanted in FAILURES:
        outcome, errors = suite.launch(suite.path(name), ranks, arguments)

        def check(stdout, errors, wanted=wanted):
            if wanted and errors.split("\n")[0] != wanted:
                raise Mismatch(f"stderr is {errors!r}")

        suite.judge(f"{name} {' '.join(arguments)} np={ranks}", outcome, errors, check, 1 if wanted else 0)


def run_omb(report, options):
    from .omb_tools import run_tools  # what the programs use besides MPI

    suite = Suite(report, options)
    run_everywhere(suite, "our library", suite.folder, [options.mpiexec], None, suite.needed, WORKERS)
    run_help(suite)
    run_shapes(suite)
    run_errors(suite)
    run_tools(suite)
    run_on_peer(suite, peers(options)[0], suite.theirs)
    report.end_suite("omb")


def run_on_peer(suite, peer, folder):
    wanted = [p for p in PROGRAMS.values() if peer.newest >= 4 or not needs_mpi4(p)]
    there = {path.name for path in folder.glob("*/osu_*")}
    names = {program.name for program in wanted}
    problem = "" if there == names else f"build.sh made {sorted(there - names)} too many, and not {sorted(names - there)}"
    suite.report.add(suite.name, f"the programs for {peer.label}", int(not problem), int(bool(problem)), 0, problem)
    good = [program for program in wanted if program.name not in peer.wrong]
    run_everywhere(suite, peer.label, folder, peer.launcher, peer.environment, lambda program: None, WORKERS, good)
    for name in peer.wrong:
        outcome, errors = suite.launch(suite.path(name, folder), 2, [*SHORT, "-c"], peer.launcher, peer.environment)
        suite.judge(f"{name} finds the wrong data of {peer.label}", outcome, errors, check_wrong_data, 1)


def check_wrong_data(stdout, _):
    if "DATA VALIDATION ERROR" not in stdout:
        raise Mismatch("the data are right now: take it out of the list")


def run_omb_peers(report, options):
    """Every program, built by each peer's own mpicc (where it has one) and run by it."""
    suite = Suite(report, options, "omb_peers")
    built = {options.mpich: suite.theirs}
    chosen = [peer for peer in peers(options) if not options.only or any(text in peer.folder.name for text in options.only)]
    for peer in chosen:
        if peer.builder not in built:
            built[peer.builder] = suite.build(peer.label, peer.builder)
        before = report.totals()
        run_on_peer(suite, peer, built[peer.builder])
        passed, failed = (now - then for now, then in zip(report.totals(), before))
        report.say(f"omb_peers: {peer.label}: {passed} passed, {failed} failed")
    report.end_suite("omb_peers")
