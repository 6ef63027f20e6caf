# SPDX-License-Identifier: BSD-3-Clause
"""The prebuilt IMB programs of Intel MPI's wheel, unmodified, on our libmpi.so.12.

None of the programs of this release but IMB-MT can check the data it moves (the option is compiled out); what is checked is that every
benchmark runs through all message sizes and that nothing is reported. The C tests check data.
"""
import dataclasses
import re
import typing

from . import job

TIMEOUT = 1800
TROUBLE = re.compile(r"time-out|error|failure|invalid|abort|fatal|defect|out of mem|segmentation", re.IGNORECASE)

MPI1 = """PingPong PingPongSpecificSource PingPongAnySource PingPing PingPingSpecificSource PingPingAnySource Sendrecv Exchange
Uniband Biband Allreduce Reduce Reduce_local Reduce_scatter Reduce_scatter_block Allgather Allgatherv Gather Gatherv Scatter Scatterv
Alltoall Alltoallv Bcast Barrier""".split()
NBC = """Ibcast Iallgather Iallgatherv Igather Igatherv Iscatter Iscatterv Ialltoall Ialltoallv Ireduce Ireduce_scatter Iallreduce
Ibarrier""".split()
NBC += [name + "_pure" for name in NBC]
RMA = """Unidir_put Unidir_get Bidir_put Bidir_get One_put_all One_get_all All_put_all All_get_all Put_local Put_all_local Get_local
Get_all_local Exchange_put Exchange_get Accumulate Get_accumulate Fetch_and_op Compare_and_swap Truly_passive_put""".split()
MT = "PingPongMT PingPingMT SendRecvMT ExchangeMT UniBandMT BiBandMT BcastMT ReduceMT AllReduceMT BarrierMT".split()
P2P = "PingPong PingPing Unirandom Birandom Corandom Stencil2D Stencil3D SendRecv_Replace".split()

# Benchmarks that need more than two ranks.
LEAST_RANKS = {"Stencil2D": 4, "Stencil3D": 8}

MANY = 8  # beyond, messages of up to 64 KB: every rank holds as many of them as there are ranks
LIMITS = ["-iter", "10", "-iter_policy", "off", "-time", "300"]  # -time: seconds for a benchmark; only a hang takes so long


@dataclasses.dataclass
class Program:
    name: str
    benchmarks: list
    arguments: typing.Callable  # of the number of ranks
    ranks: tuple = (2, 4, 8)
    threads: int = 1  # of OpenMP, in each rank


PROGRAMS = [
    Program("IMB-MPI1", MPI1, lambda n: ["-npmin", n, *(["-msglog", "0:16"] if n > MANY else []), *LIMITS]),
    Program("IMB-NBC", NBC, lambda n: ["-npmin", n, "-msglog", "0:16" if n > MANY else "0:20", *LIMITS]),
    Program("IMB-RMA", RMA, lambda n: ["-npmin", 2, *LIMITS]),  # some of them want two ranks and no more
    Program("IMB-P2P", P2P, lambda n: ["-iter", 30]),
    Program("IMB-MT", MT, lambda n: ["-thread_level", "multiple", "-check", 1, "-repeat", 20, "-count", "1,100,10000,200000"], (2, 4), 2),
]


def sections(output):
    """Benchmark name -> number of result rows."""
    rows = {}
    pieces = re.split(r"^# Benchmarking:? +", output, flags=re.MULTILINE)
    for piece in pieces[1:]:
        name = piece.split()[0]
        numbers = [line for line in piece.splitlines() if re.match(r"^\s+\d+(\s+[\d.]+)+\s*$", line)]
        rows[name] = rows.get(name, 0) + len(numbers)
    return rows


def check(report, suite, name, wanted, outcome):
    rows = sections(outcome.output)
    missing = [benchmark for benchmark in wanted if not rows.get(benchmark)]
    trouble = [line for line in outcome.output.splitlines() if TROUBLE.search(line)]
    problem = outcome.problem()
    failed = len(missing) or int(bool(trouble or problem))
    note = "; ".join(filter(None, [problem, f"no results: {' '.join(missing)}" if missing else "", *trouble[:3]]))
    report.add(suite, name, len(wanted) - len(missing), failed, outcome.seconds, note, outcome.output)
    report.say(f"{suite}: {name}: {len(wanted) - len(missing)} of {len(wanted)} benchmarks ({outcome.seconds:.0f} s)")


def run_imb(report, options):
    suite = "imb"
    library = (options.mpi_library or options.build_dir / "lib/libmpi.so.12").resolve()
    openmp = next(options.openmp.glob("usr/lib/llvm-*/lib"), options.openmp)  # IMB-MT names it
    for program in PROGRAMS:
        path = options.impi / "bin" / program.name
        if not path.exists():
            report.add(suite, program.name, 0, 1, 0, f"{path} is missing; make test sets it up")
            continue
        env = {"LD_LIBRARY_PATH": f"{library.parent}:{openmp}", "OMP_NUM_THREADS": str(program.threads)}
        for n in program.ranks if options.np == job.RANKS else [n for n in options.np if n > 1]:
            chosen = [b for b in program.benchmarks if n >= LEAST_RANKS.get(b, 2)]
            if options.only:
                chosen = [b for b in chosen if any(text in b or text == program.name for text in options.only)]
                if not chosen:
                    continue
            outcome = job.run([options.mpiexec, "-n", n, path, *program.arguments(n), *chosen], TIMEOUT, env)
            check(report, suite, f"{program.name} np={n}", chosen, outcome)
    report.end_suite(suite)
