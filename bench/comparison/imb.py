# SPDX-License-Identifier: BSD-3-Clause
"""IMB-MPI1 as one more library for the runner: the same MPI library, but measured by Intel's benchmarks. Each program of ours has a
benchmark there that does the same; options make the two count alike, and their tables get our names."""
import re
from dataclasses import dataclass
from pathlib import Path

from .libraries import Library
from .parse import Sample, half_unit
from .plan import Benchmark

LEAST, MOST = 3, 20  # powers of two: 8 bytes to 1 MB


@dataclass(frozen=True)
class Pair:
    """One benchmark in both suites, with the same datatype and window, and about as many iterations."""

    ours: Benchmark
    theirs: str
    iterations: str  # theirs: of short messages, and MB at most
    column: str  # theirs
    metric: str  # ours
    options: tuple = ()

    @property
    def command(self):
        return (self.theirs, "-npmin", "1024", "-msglog", f"{LEAST}:{MOST}", "-zero_size", "off", "-iter", self.iterations,
                "-iter_policy", "dynamic", *self.options)  # fmt: skip


def ours(suite, program, title, ranks, *options):
    return Benchmark(suite, program, title, ranks, options=("-m", f"{2**LEAST}:{2**MOST}", *options))


# IMB's PingPong receives from any source; osu_latency names it. While IMB finds out how many iterations it will count, it makes up to as
# many calls as it counts then (the profile of a run shows them): for ours, warm-up.
PAIRS = (
    Pair(ours("p2p", "osu_latency", "Latency", "two", "-x", "1000"), "PingPongSpecificSource", "10000,200", "t[usec]", "Avg Latency(us)"),
    Pair(ours("p2p", "osu_bw", "Bandwidth", "two", "-x", "50"), "Uniband", "100,20", "Mbytes/sec", "Bandwidth (MB/s)",
         ("-window_size", "64")),
    Pair(ours("coll", "osu_allreduce", "Allreduce", "any", "-T", "mpi_float", "-x", "1000"), "Allreduce", "1000,100", "t_avg[usec]",
         "Avg Latency(us)", ("-sync", "on", "-red_data_type", "float")),
)  # fmt: skip


def parse(text):
    """All samples of the columns that PAIRS name."""
    samples, columns = [], []
    names = {pair.column: pair.metric for pair in PAIRS}
    for line in text.splitlines():
        words = line.split()
        if words and words[0] == "#bytes":
            columns = words
            wanted = next((word for word in ("t[usec]", "t_avg[usec]", "Mbytes/sec") if word in words), None)
        elif columns and len(words) == len(columns) and wanted and all(re.fullmatch(r"[\d.]+", word) for word in words):
            word = words[columns.index(wanted)]
            samples.append(Sample(names[wanted], words[0], float(word), half_unit(word)))
    return samples


@dataclass
class Imb(Library):
    """The library at `prefix`, measured by the program at `path`."""

    path: Path = Path()

    def environment(self):
        env = super().environment()
        env["LD_LIBRARY_PATH"] = str(self.prefix / "lib")  # it was linked with Intel's library
        return env

    def find(self, program):
        """As build.Programs: what measures the same as this program of ours."""
        return next((pair for pair in PAIRS if pair.ours.program == program), None)

    def launch(self, ranks, cores, pair, *_):
        return super().launch(ranks, cores, self.path, *pair.command)

    def read(self, output):
        return parse(output)

    def facts(self):
        return super().facts() | {"measured by": str(self.path)}
