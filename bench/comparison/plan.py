# SPDX-License-Identifier: BSD-3-Clause
"""What is run: one line for each benchmark. A benchmark with a number of ranks is a Case."""
from dataclasses import dataclass

# With more ranks than cores some libraries need milliseconds for a message; the suite's own counts would take minutes then.
CROWDED_COUNTS = ("-i", "100", "-x", "10")


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

    def arguments(self, ranks, cores, iterations=None, sizes=""):
        """`iterations`: for all sizes, instead of the suite's own counts; `sizes`: LEAST:MOST."""
        if self.own:
            return []
        counts = ("-i", str(iterations), "-x", str(max(iterations // 10, 1))) if iterations else CROWDED_COUNTS if ranks > cores else ()
        return [*self.options, *counts, *(("-m", sizes) if sizes else ())]


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
