# SPDX-License-Identifier: BSD-3-Clause
"""What the OSU micro-benchmarks print, written down apart from our suite: their programs, the options of each, and a parser of their
output that accepts every column in its place and nothing else."""
import re

PT2PT = "hvmxibcuGDPTIz"
ALL = "hvfmixMacuGDPTIlz"
REDUCE = "hvfmixMacuGPTIlz"
BARRIER = "hvfmixMauGPIz"

# Blocking collectives: name -> (title, options)
COLLECTIVES = {
    "allgather": ("Allgather", ALL), "allgatherv": ("Allgatherv", ALL), "allreduce": ("Allreduce", REDUCE),
    "alltoall": ("All-to-All Personalized Exchange", ALL), "alltoallv": ("All-to-Allv Personalized Exchange", ALL),
    "alltoallw": ("All-to-Allw Personalized Exchange", ALL), "barrier": ("Barrier", BARRIER),
    "bcast": ("Broadcast", ALL.replace("l", "")), "gather": ("Gather", ALL + "k"), "gatherv": ("Gatherv", ALL + "k"),
    "reduce": ("Reduce", REDUCE + "k"), "reduce_scatter": ("Reduce_scatter", REDUCE),
    "reduce_scatter_block": ("Reduce_scatter_block", REDUCE), "scatter": ("Scatter", ALL + "k"), "scatterv": ("Scatterv", ALL + "k"),
}  # fmt: skip
NEIGHBOR_TITLES = {
    "allgather": "Neighborhood Allgather", "allgatherv": "Neighborhood Allgatherv", "alltoall": "Neighborhood Alltoall",
    "alltoallv": "Neighborhood All-to-Allv", "alltoallw": "All-to-Allw Personalized Exchange",
}  # fmt: skip
NEIGHBOR = "hvfmixMacuNGDPTIz"
WINDOW = "wshvmxiGIzP"


class Program:
    """A program of the suite; `ranks` is two, least (two or more), even, or any; `kind` is a letter of SHAPES."""

    def __init__(self, folder, name, title, ranks, kind, options):
        self.folder, self.name, self.title, self.ranks, self.kind, self.options = folder, "osu_" + name, title, ranks, kind, options

    def __repr__(self):
        return self.name


def pt2pt_programs():
    def add(name, title, kind, options=PT2PT, ranks="two"):
        return Program("pt2pt", name, f"MPI {title} Test", ranks, kind, options)

    bandwidth = PT2PT + "tW"
    yield add("latency", "Latency", "latency")
    yield add("latency_mt", "Multi-threaded Latency", "threads", "hvmxitcuGDTIz")
    yield add("latency_mp", "Multi-process Latency", "processes", "hvmxitcuGDPTIz")
    yield add("bw", "Bandwidth", "bandwidth", bandwidth)
    yield add("bibw", "Bi-Directional Bandwidth", "bandwidth", bandwidth)
    yield add("mbw_mr", "Multiple Bandwidth / Message Rate", "rate", "pWRximVhvbcuGDPTIz", "least")
    yield add("multi_lat", "Multi Latency", "latency", ranks="even")
    yield add("latency_persistent", "Latency Persistent", "latency")
    yield add("bw_persistent", "Bandwidth Persistent", "bandwidth", bandwidth)
    yield add("bibw_persistent", "Bi-Directional Bandwidth Persistent", "bandwidth", bandwidth)
    yield add("bw_fan_in", "Bandwidth", "bandwidth", "hvmxiWbGDPTIz", "nodes")
    yield add("bw_fan_out", "Bandwidth", "bandwidth", "hvmxiWbGDPTIz", "nodes")
    yield add("partitioned_latency", "Partitioned Latency", "latency", PT2PT + "q")


def collective_programs():
    def add(name, title, kind, options):
        return Program("collective", name, f"MPI {title} Latency Test", "least", kind, options)

    for name, (title, options) in COLLECTIVES.items():
        barrier = name == "barrier"
        yield add(name, title, "barrier" if barrier else "collective", options)
        overlap = {"alltoall": "Non-blocking All-to-All", "bcast": "Non-Blocking Broadcast"}.get(name, "Non-blocking " + title)
        yield add("i" + name, overlap, "ibarrier" if barrier else "overlap", "hvfmixMtaGPIz" if barrier else options + "t")
        if name != "reduce_scatter_block":
            yield add(name + "_persistent", title + " Persistent", "barrier" if barrier else "collective", options.replace("k", ""))
    for name, title in NEIGHBOR_TITLES.items():
        yield add("neighbor_" + name, title, "neighbor", NEIGHBOR)
        yield add("ineighbor_" + name, f"Non-blocking Neighborhood {name.capitalize()}", "ineighbor", NEIGHBOR + "t")


def onesided_programs():
    def add(name, title, kind, options=WINDOW, ranks="two"):
        return Program("one-sided", name, title + " Test", ranks, kind, options)

    yield add("put_latency", "MPI_Put Latency", "rma latency")
    yield add("get_latency", "MPI_Get latency", "rma latency")
    yield add("put_bw", "MPI_Put Bandwidth", "rma bandwidth", WINDOW + "W")
    yield add("get_bw", "MPI_Get Bandwidth", "rma bandwidth", WINDOW + "W")
    yield add("get_mbw", "MPI_Get Multiple Bandwidth / Message Rate", "rma rate", WINDOW + "WpR", "least")
    yield add("get_multi_lat", "MPI_Get Multi Latency", "rma latency", ranks="even")
    yield add("put_bibw", "MPI_Put Bi-directional Bandwidth", "rma bandwidth", WINDOW + "W")
    yield add("acc_latency", "MPI_Accumulate latency", "rma latency", WINDOW + "cT")
    yield add("get_acc_latency", "MPI_Get_accumulate latency", "rma latency")
    yield add("cas_latency", "MPI_Compare_and_swap latency", "rma latency", WINDOW + "cT")
    yield add("fop_latency", "MPI_Fetch_and_op latency", "rma latency", WINDOW + "cT")


def startup_programs():
    yield Program("startup", "init", "MPI Init Test", "any", "init", "hvI")
    yield Program("startup", "hello", "MPI Hello World Test", "any", "hello", "hv")


PROGRAMS = {p.name: p for p in [*pt2pt_programs(), *collective_programs(), *onesided_programs(), *startup_programs()]}
SIZES = {"MPI_CHAR": 1, "MPI_INT": 4, "MPI_FLOAT": 4}

MEANS = ["Avg Latency(us)"]
MEANS_FULL = ["Avg Latency(us)", "Min Latency(us)", "Max Latency(us)", ("Iterations", 12, 0)]
OVERLAP = ["Overall(us)", "Compute(us)", "Pure Comm.(us)", "Overlap(%)"]
OVERLAP_FULL = ["Overall(us)", "Compute(us)", "Coll. Init(us)", "MPI_Test(us)", "MPI_Wait(us)", "Pure Comm.(us)", "Min Comm.(us)",
                "Max Comm.(us)", "Overlap(%)"]  # fmt: skip

# kind -> (columns, columns with -f)
COLUMNS = {
    "latency": (MEANS, MEANS), "threads": (MEANS, MEANS), "processes": (MEANS, MEANS),
    "bandwidth": (["Bandwidth (MB/s)"],) * 2, "rate": (["MB/s", "Messages/s"],) * 2,
    "collective": (MEANS, MEANS_FULL), "neighbor": (MEANS, MEANS_FULL), "barrier": (MEANS, MEANS_FULL),
    "overlap": (OVERLAP, OVERLAP_FULL), "ineighbor": (OVERLAP, OVERLAP_FULL), "ibarrier": (OVERLAP, OVERLAP_FULL),
    "rma rate": (["MB/s", "Messages/s"],) * 2, "rma latency": (["Latency (us)"],) * 2, "rma bandwidth": (["Bandwidth (MB/s)"],) * 2,
}  # fmt: skip


class Mismatch(AssertionError):
    pass


class Output:
    """The lines of a program's stdout, read from first to last."""

    def __init__(self, text):
        self.lines = text.split("\n")
        if self.lines and self.lines[-1] == "":
            self.lines.pop()
        self.at = 0

    def peek(self):
        return self.lines[self.at] if self.at < len(self.lines) else None

    def exact(self, wanted):
        if self.peek() != wanted:
            raise Mismatch(f"line {self.at + 1} is {self.peek()!r}, not {wanted!r}")
        self.at += 1

    def match(self, pattern):
        line = self.peek()
        found = re.fullmatch(pattern, line) if line is not None else None
        if not found:
            raise Mismatch(f"line {self.at + 1} is {line!r}, not like {pattern!r}")
        self.at += 1
        return found

    def end(self):
        if self.at != len(self.lines):
            raise Mismatch(f"line {self.at + 1}, {self.peek()!r}, should not be there")


class Expectation:
    """What a run should print. `sizes` gives the sizes of a type; the rest says which options were given."""

    def __init__(self, program, least=4, most=8, types=("MPI_CHAR",), full=False, verdict=None, percentiles=(), transmit=None, rate=True,
                 pairs=1, window=64, threads=(1, 2), processes=(2, 2), rma=("MPI_Win_allocate", "MPI_Win_flush"), skipped_ranks=(0,),
                 dimensions="", ranks=2):  # fmt: skip
        self.__dict__.update({k: v for k, v in locals().items() if k != "self"})

    def columns(self):
        columns = list(COLUMNS[self.program.kind][self.full])
        if not self.rate:
            columns.remove("Messages/s")
        columns += ["Validation"] if self.verdict else []
        unit = "BW(MB/s)" if any("MB/s" in c for c in columns if isinstance(c, str)) else "Lat(us)"
        columns += [f"P{p} Tail {unit}" for p in self.percentiles]
        columns += ["Transmit Size"] if self.transmit else []
        return [(c, 20, 2) if isinstance(c, str) else c for c in columns]

    def header(self, out, first):
        columns = self.columns()
        if first == "# Size":
            out.exact(first.ljust(10) + "".join(name.rjust(width) for name, width, _ in columns))
        else:
            out.exact(first + "".join(name.rjust(width) for name, width, _ in columns[1:]))

    def row(self, out, size, first_width=None):
        """One row; with `first_width` it has no size and its first value is so wide."""
        line = out.peek()
        at = 0
        if first_width is None:
            if line is None or line[:10] != str(size).ljust(10):
                raise Mismatch(f"line {out.at + 1} is {line!r}, not the row of size {size}")
            at = 10
        values = []
        for number, (name, width, digits) in enumerate(self.columns()):
            width = first_width if first_width and number == 0 else width
            cell, at = line[at : at + width], at + width
            pattern = {"Validation": self.verdict, "Transmit Size": r"\d+"}.get(name, r"\d+" if digits == 0 else r"\d+\.\d\d")
            if len(cell) != width or not re.fullmatch(rf" *{pattern}", cell):
                raise Mismatch(f"line {out.at + 1}: column {name} is {cell!r}, not {pattern} in {width} characters")
            values.append(cell.strip())
        if len(line) != at:
            raise Mismatch(f"line {out.at + 1} is longer than its columns: {line!r}")
        if self.transmit and values[-1] != str(self.transmit(size)):
            raise Mismatch(f"line {out.at + 1}: {values[-1]} bytes transmitted, not {self.transmit(size)}")
        out.at += 1
        return values

    def rows(self, out, type_name):
        if self.program.name in ("osu_cas_latency", "osu_fop_latency"):
            return [self.row(out, SIZES[type_name])]
        size, rows = self.least, []
        while size <= self.most:
            if size == 0 or size >= SIZES[type_name] * (self.ranks if "scatter_block" in self.program.name else 1):
                rows.append(self.row(out, size))
            size = size * 2 or 1
        return rows

    def tables(self, out):
        rows = []
        for type_name in self.types:
            out.exact(f"# Datatype: {type_name}.")
            self.header(out, "# Size")
            rows += self.rows(out, type_name)
        return rows

    def check(self, text):
        """Reads all of the output; returns the values of the rows."""
        out = Output(text)
        kind = self.program.kind
        if kind in ("neighbor", "ineighbor"):
            if self.dimensions:
                out.exact(f"Dimensions size = {self.dimensions} ")
            out.match(r"Time took to create topology graph:\d+\.\d\d us\.")
        if kind not in ("rate", "init", "hello") and not kind.startswith("rma"):
            out.exact("")
        out.exact(f"# OSU {self.program.title} v7.4")
        rows = getattr(self, "check_" + kind.replace(" ", "_"), self.tables)(out)
        out.end()
        return rows

    def check_threads(self, out):
        out.exact(f"# Number of Sender threads: {self.threads[0]} ")
        out.exact(f"# Number of Receiver threads: {self.threads[1]}")
        return self.tables(out)

    def check_processes(self, out):
        out.exact(f"# Number of forked processes in sender: {self.processes[0]}")
        out.exact(f"# Number of forked processes in receiver: {self.processes[1]}")
        return self.tables(out)

    def check_rate(self, out):
        out.exact(f"# [ pairs: {self.pairs} ] [ window size: {self.window} ]")
        if self.window != "varied":
            return self.tables(out)
        windows = "#      " + "".join(f"  {window:10d}" for window in (1, 2, 4, 8, 16, 32, 64, 128))
        for type_name in self.types:
            for title in "# Uni-directional Bandwidth (MB/sec)", "# Message Rate Profile":
                out.exact("")
                out.exact(title)
                if "Bandwidth" in title:
                    out.exact(f"# Datatype: {type_name}.")
                out.exact(windows)
                size = self.least
                while size <= self.most:
                    if size >= SIZES[type_name]:
                        out.match(rf"{str(size).ljust(7)}(?:  (?=[ \d.]{{10}}) *\d+\.\d\d){{8}}")
                    size *= 2
        return []

    def check_overlap(self, out):
        out.exact("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait")
        out.exact("")
        return self.tables(out)

    check_ineighbor = check_overlap

    def check_barrier(self, out):
        self.header(out, "# Avg Latency(us)")
        return [self.row(out, None, 17)]

    def check_ibarrier(self, out):
        out.exact("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait")
        out.exact("")
        self.header(out, "# Overall(us)")
        return [self.row(out, None, 13)]

    def check_rma_latency(self, out):
        out.exact(f"# Window creation: {self.rma[0]}")
        out.exact(f"# Synchronization: {self.rma[1]}")
        if self.program.kind == "rma rate":
            out.exact(f"# [ pairs: {self.pairs} ] [ window size: {self.window} ]")
        rows = self.tables(out)
        for rank in range(self.ranks if self.verdict else 0):
            out.match("-{10,}")
            out.exact(f"Atomic Data Validation results for Rank={rank}:")
            out.exact("skipped" if rank in self.skipped_ranks else self.verdict)
            out.match("-{10,}")
        return rows

    check_rma_bandwidth = check_rma_rate = check_rma_latency

    def check_init(self, out):
        out.match(rf"nprocs: {self.ranks}, min: \d+ ms, max: \d+ ms, avg: \d+ ms")
        return []

    def check_hello(self, out):
        out.exact(f"This is a test with {self.ranks} processes")
        return []


HELP_OPTION = re.compile(r"^  -(\w), --([\w-]+) *(\S.*)$")


def check_help(program, text):
    """The help names the program's options in the documented layout, and no others."""
    lines = text.splitlines()
    if lines[0] != f"Usage: {program.name} [options]" or "Options:" not in lines:
        raise Mismatch(f"the help begins with {lines[:2]!r}")
    letters = ""
    for line in lines[lines.index("Options:") + 1 :]:
        found = HELP_OPTION.match(line)
        if found:
            letters += found.group(1)
            if line[:28] != f"  -{found.group(1)}, --{found.group(2).ljust(20)}":
                raise Mismatch(f"the help's columns are not in their places: {line!r}")
        elif not re.match(r" {28}\S", line):
            raise Mismatch(f"a line of help is neither an option nor the rest of one: {line!r}")
    if sorted(letters) != sorted(program.options):
        raise Mismatch(f"the help has the options {''.join(sorted(letters))}, not {''.join(sorted(program.options))}")
