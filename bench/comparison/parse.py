# SPDX-License-Identifier: BSD-3-Clause
"""Reads what benchmark programs print, by the shape of it: the tables of the OSU suite with all their columns, the line of osu_init, and
lines NAME <tab> VALUE <tab> UNIT of our own small programs."""
import re
from dataclasses import dataclass

NO_SIZE = ""  # the key of rows of programs without sizes (barriers)
KEY_COLUMNS = {"Size", "Size (B)", "Size [B]", "Operation"}
GAP = re.compile(r"\t+| {2,}")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$")
INIT_LINE = re.compile(r"^nprocs: \d+, (min: .*)$")
INIT_FIELD = re.compile(r"(min|max|avg): ([\d.]+) ms")
VALIDATION_ERROR = "DATA VALIDATION ERROR"


@dataclass(frozen=True)
class Sample:
    metric: str  # the column, as printed; with the datatype in front if there are several tables
    key: str  # the size, as printed
    value: float
    half_unit: float  # half a unit in the last place that was printed: the value may be off by this much


def half_unit(text):
    """'0.17' stands for anything from 0.165 to 0.175."""
    if "e" in text.lower():
        mantissa, exponent = re.split("[eE]", text)
        return half_unit(mantissa) * 10 ** int(exponent)
    return 0.5 * 10 ** -len(text.partition(".")[2])


def columns_of(line):
    """The columns a '#' line names, or None if it is not a line of columns."""
    names = [word for word in GAP.split(line.lstrip("# ").rstrip()) if word]
    if not names:
        return None
    if names[0] in KEY_COLUMNS or names[0].endswith("(us)"):
        return names
    return None


class Reader:
    def __init__(self):
        self.samples = []
        self.columns = []
        self.section = ""  # of osu_mbw_mr -V: '# Message Rate Profile'
        self.datatypes = []

    def metric(self, name):
        words = [self.datatypes[-1]] if len(self.datatypes) > 1 else []
        return " ".join(words + ([f"{self.section}, window {name}"] if self.section else [name]))

    def comment(self, line):
        text = line.lstrip("# ").strip()
        windows = GAP.split(text)
        columns = columns_of(line)
        if columns:
            self.columns, self.section = columns, ""
        elif text.startswith("Datatype:"):
            self.datatypes.append(text.removeprefix("Datatype:").strip(" ."))
        elif self.section and all(word.isdigit() for word in windows):
            self.columns = ["Size", *windows]
        elif text.endswith("(MB/sec)") or text == "Message Rate Profile":
            self.section = text

    def row(self, line):
        words = [word for word in GAP.split(line.strip()) if word]
        keyed = bool(self.columns) and self.columns[0] in KEY_COLUMNS
        if len(words) != len(self.columns) or not any(NUMBER.match(word) for word in words[keyed:]):
            return
        key = words[0] if keyed else NO_SIZE
        for name, word in zip(self.columns[keyed:], words[keyed:]):
            if NUMBER.match(word):
                self.samples.append(Sample(self.metric(name), key, float(word), half_unit(word)))

    def own_line(self, words):
        name, value, unit = words
        self.samples.append(Sample(f"{name} ({unit})", NO_SIZE, float(value), half_unit(value)))

    def line(self, line):
        words = line.split("\t")
        init = INIT_LINE.match(line)
        if line.startswith("#"):
            self.comment(line)
        elif init:
            for name, value in INIT_FIELD.findall(init.group(1)):
                self.samples.append(Sample(f"{name} (ms)", NO_SIZE, float(value), half_unit(value)))
        elif not self.columns and len(words) == 3 and NUMBER.match(words[1]):
            self.own_line(words)
        elif line.strip() and self.columns:
            self.row(line)


def parse(text):
    """All samples, in the order in which they were printed. Lines that belong to no table are passed over."""
    reader = Reader()
    for line in text.splitlines():
        reader.line(line)
    return reader.samples


def validation_failed(text):
    return VALIDATION_ERROR in text


LOWER_IS_BETTER = {"us", "ms", "s", "ns", "KiB"}
HIGHER_IS_BETTER = {"MB/s", "GB/s", "MB/sec", "Messages/s", "M/s", "Million ops/s"}


def unit_of(metric):
    """'Avg Latency(us)' -> 'us'; 'MB/s' -> 'MB/s'."""
    found = re.search(r"\(([^()]*)\)|\[([^\[\]]*)\]", metric)
    return (found.group(1) or found.group(2)) if found else metric


def direction(metric):
    """-1: less is better; +1: more is better; 0: not a measure of quality (iterations, sizes)."""
    unit = unit_of(metric)
    return -1 if unit in LOWER_IS_BETTER else 1 if unit in HIGHER_IS_BETTER else 0
