# SPDX-License-Identifier: BSD-3-Clause
"""Runs the limits program, and turns what it measured into the lines that no library can pass in a plot."""
import math
import statistics
import subprocess

from . import build

RUNS = 3
LIMIT_SECONDS = 300

LINE, LINE_RATE = "cache line, one way", "cache lines through a ring"
MEMCPY, KERNEL, KERNEL_CALL = "memcpy, one processor", "kernel copy", "kernel copy of one byte"
MAPPED, MAPPED_BOTH, RING = "mapped copy, one processor", "mapped copy, two processors", "two copies through a ring"
YIELD, STARTS = "sched_yield to a neighbour", "processes that end at once"


def program(folder):
    return build.native_program("limits", sorted((build.PROGRAMS / "limits").glob("*.c")), folder)


def measure(path, runs=RUNS, parts=(), show=None):
    """{name: {"unit": unit, "values": {size: [median, least, most]}}} of several runs."""
    seen = {}
    for number in range(runs):
        if show:
            show(number, runs)
        output = subprocess.run([path, *parts], capture_output=True, text=True, timeout=LIMIT_SECONDS, check=True).stdout
        for name, size, value, unit in (line.split("\t") for line in output.splitlines()):
            seen.setdefault((name, unit), {}).setdefault(size, []).append(float(value))
    return {name: {"unit": unit, "values": {size: [statistics.median(v), min(v), max(v)] for size, v in by_size.items()}}
            for (name, unit), by_size in seen.items()}  # fmt: skip


class Limits:
    def __init__(self, measured):
        self.measured = measured

    def has(self, *names):
        return all(name in self.measured for name in names)

    def one(self, name):
        return next(iter(self.measured[name]["values"].values()))[0]

    def at(self, name, size):
        """Between the sizes that were measured: straight lines over the logarithm of the size."""
        points = sorted((int(s), v[0]) for s, v in self.measured[name]["values"].items())
        if size <= points[0][0]:
            return points[0][1]
        for (left, low), (right, high) in zip(points, points[1:]):
            if size <= right:
                return low + (high - low) * math.log(size / left) / math.log(right / left)
        return points[-1][1]

    def mapped(self, size):
        """GB/s of the faster way to read memory that both map."""
        return max(self.at(name, size) for name in (MAPPED, MAPPED_BOTH) if self.has(name))

    def kernel_us(self, size):
        return max(self.one(KERNEL_CALL), size / self.at(KERNEL, size) / 1e3)


def latency(limits, sizes, ranks, cores):
    line = limits.one(LINE) / 1e3
    yield "shared memory, both copy", [(s, line + s / limits.mapped(s) / 1e3) for s in sizes]
    yield "kernel copy", [(s, line + limits.kernel_us(s)) for s in sizes]


def bandwidth(limits, sizes, ranks, cores):
    sizes = [size for size in sizes if size >= 1024]
    yield "shared memory, both copy", [(s, limits.mapped(s) * 1e3) for s in sizes]
    yield "two copies through a ring", [(s, limits.at(RING, s) * 1e3) for s in sizes if s >= 8192]
    yield "kernel copy", [(s, s / limits.kernel_us(s)) for s in sizes]


def rate(limits, sizes, ranks, cores):
    lines = limits.one(LINE_RATE) * 1e6
    yield "cache lines, shared memory", [(s, min(lines, limits.mapped(s) * 1e9 / max(s, 1))) for s in sizes]


def synchronization(limits, sizes, ranks, cores):
    """Ranks on cores of their own need a cache line for each doubling of their number; ranks that share cores each need a turn."""
    if ranks <= cores:
        least, name = limits.one(LINE) / 1e3 * math.ceil(math.log2(ranks)), "cache lines, shared memory"
    else:
        least, name = limits.one(YIELD) * ranks / cores, "one turn of each rank"
    yield name, [(s, least + s / limits.at(MEMCPY, s) / 1e3) for s in sizes]


def store(limits, sizes, ranks, cores):
    yield "memcpy", [(s, s / limits.at(MEMCPY, s) / 1e3) for s in sizes if s >= 1024]


def start(limits, sizes, ranks, cores):
    yield "processes that end at once", [(s, limits.at(STARTS, ranks)) for s in sizes]


CURVES = {f.__name__: (f, needs) for f, needs in (
    (latency, (LINE, MAPPED, KERNEL, KERNEL_CALL)), (bandwidth, (MAPPED, RING, KERNEL, KERNEL_CALL)), (rate, (LINE_RATE, MAPPED)),
    (synchronization, (LINE, YIELD, MEMCPY)), (store, (MEMCPY,)), (start, (STARTS,)))}  # fmt: skip


def curves(kind, measured, sizes, ranks, cores):
    """{name: [(size, value)]} in the unit of the benchmark, for those limits that were measured."""
    if kind not in CURVES:
        return {}
    function, needs = CURVES[kind]
    limits = Limits(measured)
    return {name: points for name, points in function(limits, sizes, ranks, cores) if points} if limits.has(*needs) else {}
