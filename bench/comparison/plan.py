# SPDX-License-Identifier: BSD-3-Clause
"""What is run: one line for each benchmark. A benchmark with a number of ranks is a Case."""
import re
from dataclasses import dataclass

# With more ranks than cores some libraries need milliseconds for a message; the suite's own counts would take minutes then.
CROWDED_COUNTS = ("-i", "100", "-x", "10")


@dataclass(frozen=True)
class Repetitions:
    """How often a launch repeats a message, if it measures some sizes only: as often as it takes to move `volume` bytes, within limits. The
    suite's own numbers end at 1 MB and would take minutes with 16 MB."""

    least: int
    most: int
    volume: int

    def of(self, size):
        return min(max(self.volume // max(size, 1), self.least), self.most)


REPETITIONS, CROWDED_REPETITIONS = Repetitions(4, 1000, 64 << 20), Repetitions(2, 100, 16 << 20)


@dataclass(frozen=True)
class Sizes:
    """Which messages a launch measures: the suite's own powers of two, those in a range, or just some sizes."""

    least_most: str = ""  # as the suite's option -m takes it
    some: tuple = ()

    @staticmethod
    def parse(text):
        """'8:1024' is a range, '8,1024,65536' are these."""
        if re.fullmatch(r"\d*:\d*|", text):
            return Sizes(least_most=text)
        if not re.fullmatch(r"\d+(,\d+)*", text):
            raise ValueError(f"'{text}' is neither LEAST:MOST nor a list of sizes")
        some = tuple(sorted(map(int, text.split(","))))
        return Sizes(f"{max(some[0], 1)}:{some[-1]}", some)

    def environment(self, crowded, iterations=None, repetitions=None):
        """For our suite; others measure the whole range."""
        often = repetitions or (CROWDED_REPETITIONS if crowded else REPETITIONS)
        words = [f"{size}:{iterations or often.of(size)}" for size in self.some]
        return {"OMB_SIZES": ",".join(words)} if words else {}


@dataclass(frozen=True)
class Benchmark:
    suite: str
    program: str
    title: str
    ranks: str = "any"  # two; even; any: which of the wanted numbers of ranks it runs with
    metric: str = ""  # the column that is compared; empty: every one that has a better and a worse
    options: tuple = ()
    own: bool = False  # one of bench/programs, not of the suite
    timed: bool = False  # the time from start to end of the launcher is a result
    limit: str = ""  # which physical limits its plot shows: a function of limits.py

    @property
    def placed(self):
        """Whether the distance of the processors matters."""
        return not self.own

    def runs_with(self, ranks):
        return {"two": ranks == 2, "even": ranks % 2 == 0 and ranks > 2, "any": ranks > 1 or self.own}[self.ranks]

    def arguments(self, ranks, cores, iterations=None, sizes=Sizes()):
        """`iterations`: for all sizes, instead of the suite's own counts."""
        if self.own:
            return []
        counts = ("-i", str(iterations), "-x", str(max(iterations // 10, 1))) if iterations else CROWDED_COUNTS if ranks > cores else ()
        return [*self.options, *counts, *(("-m", sizes.least_most) if sizes.least_most else ())]


BENCHMARKS = (
    Benchmark("p2p", "osu_latency", "Latency", "two", limit="latency"),
    Benchmark("p2p", "osu_bw", "Bandwidth", "two", limit="bandwidth"),
    Benchmark("p2p", "osu_bibw", "Bandwidth, both ways", "two", limit="bandwidth"),
    Benchmark("p2p", "osu_mbw_mr", "Message rate", "two", metric="Messages/s", limit="rate"),
    Benchmark("p2p", "osu_multi_lat", "Latency, all pairs", "even"),
    Benchmark("p2p", "osu_mbw_mr", "Message rate, all pairs", "even", metric="Messages/s"),
    Benchmark("coll", "osu_barrier", "Barrier", limit="synchronization"),
    Benchmark("coll", "osu_bcast", "Broadcast", limit="synchronization"),
    Benchmark("coll", "osu_reduce", "Reduce", limit="synchronization"),
    Benchmark("coll", "osu_allreduce", "Allreduce", limit="synchronization"),
    Benchmark("coll", "osu_gather", "Gather", limit="synchronization"),
    Benchmark("coll", "osu_scatter", "Scatter", limit="synchronization"),
    Benchmark("coll", "osu_allgather", "Allgather", limit="synchronization"),
    Benchmark("coll", "osu_alltoall", "All-to-all", limit="synchronization"),
    Benchmark("coll", "osu_reduce_scatter", "Reduce-scatter", limit="synchronization"),
    Benchmark("coll", "osu_iallreduce", "Allreduce, non-blocking", metric="Pure Comm.(us)"),
    Benchmark("rma", "osu_put_latency", "Put latency", "two", limit="store"),
    Benchmark("rma", "osu_get_latency", "Get latency", "two", limit="store"),
    Benchmark("rma", "osu_acc_latency", "Accumulate latency", "two"),
    Benchmark("rma", "osu_fop_latency", "Fetch and op latency", "two"),
    Benchmark("rma", "osu_cas_latency", "Compare and swap latency", "two"),
    Benchmark("rma", "osu_put_bw", "Put bandwidth", "two", limit="bandwidth"),
    Benchmark("rma", "osu_get_bw", "Get bandwidth", "two", limit="bandwidth"),
    Benchmark("startup", "startup", "Start-up", own=True, timed=True, limit="start"),
    Benchmark("memory", "memory", "Memory of a rank", own=True),
)

# Tables that one command makes: values of options, which the user's own replace.
PRESETS = {
    "collectives": {"suite": ["coll"], "np": [2, 4, 8, 16], "sizes": Sizes.parse("8,1024,65536,1048576,16777216"), "rounds": (3, 7),
                    "launch_limit": 60.0},
}  # fmt: skip

SUITES = tuple(dict.fromkeys(benchmark.suite for benchmark in BENCHMARKS))
SUITE_TITLES = {"p2p": "Point to point", "coll": "Collectives", "rma": "One-sided", "startup": "Start-up", "memory": "Memory"}


@dataclass(frozen=True)
class Case:
    benchmark: Benchmark
    ranks: int

    @property
    def name(self):
        return f"{self.benchmark.program} np={self.ranks}"

    @property
    def title(self):
        return f"{self.benchmark.title}, {self.ranks} ranks"


def cases(suites, numbers_of_ranks, only=()):
    """All cases of the suites, in the order of the table; with `only`, those whose name contains one of these words."""
    chosen = [Case(b, n) for b in BENCHMARKS if b.suite in suites for n in numbers_of_ranks if b.runs_with(n)]
    return [case for case in chosen if not only or any(word in case.name for word in only)]


def find(program, ranks):
    """The benchmark of a case in a results file; an unknown one has just its name."""
    for benchmark in BENCHMARKS:
        if benchmark.program == program and benchmark.runs_with(ranks):
            return benchmark
    return Benchmark("other", program, program)
