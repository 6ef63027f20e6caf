#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares MPI libraries on this machine: latency, bandwidth, message rate, barriers, start-up, memory.

compare.py NAME=PREFIX [NAME=PREFIX ...]     the first one is compared with the best of the others

Launches are interleaved (A B C A B C ...). Before and after each, a probe measures how far apart the processors are at that moment
(doc/performance.md); only launches with the same answer before and after count, and only launches with the same answer are
compared. Printed are medians with (minimum-maximum), and the ratio of the first library to the best peer.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from peers import Library

HERE = Path(__file__).resolve().parent
LIMIT_SECONDS = 120  # of one launch


@dataclass
class Benchmark:
    source: str
    ranks: int
    timed: bool = False  # the result is the time from start to end of mpiexec
    placed: bool = False  # the distance of the processors matters

    @property
    def title(self):
        return f"{self.source}, {self.ranks} ranks"


GROUPS = {
    "p2p": [Benchmark("pingpong", 2, placed=True)],
    "barrier": [Benchmark("barrier", n, placed=n <= (os.cpu_count() or 1)) for n in (2, 4, 8, 16)],
    "startup": [Benchmark("startup", n, timed=True) for n in (1, 2, 8, 64)],
    "rss": [Benchmark("rss", 2), Benchmark("rss", 8)],
}


def placement(nanoseconds):
    """The names doc/performance.md uses for the distance of two processors."""
    return "sibling" if nanoseconds < 33 else "near" if nanoseconds < 120 else "far"


class Bench:
    def __init__(self, libraries, folder):
        self.libraries = libraries
        self.folder = Path(folder)
        self.cores = len(os.sched_getaffinity(0))
        self.probe_program = self.folder / "probe"
        subprocess.run(["gcc", "-O2", "-pthread", HERE / "probe.c", "-o", self.probe_program], check=True)
        self.records = []  # of (benchmark title, result name, unit, library, placement, value)

    def probe(self):
        if self.cores < 2:
            return "alone"
        result = subprocess.run([self.probe_program], capture_output=True, text=True, check=True)
        return placement(float(result.stdout))

    def program(self, library, benchmark):
        path = self.folder / f"{benchmark.source}.{library.name}"
        if not path.exists():
            library.compile(HERE / f"{benchmark.source}.c", path, self.libraries)
        return path

    def launch(self, library, benchmark):
        """{(result, unit): value}; empty if it failed."""
        command = library.launch(benchmark.ranks, self.cores, self.program(library, benchmark))
        start = time.monotonic()
        try:
            result = subprocess.run(command, env=library.environment(), capture_output=True, text=True, timeout=LIMIT_SECONDS,
                                    stdin=subprocess.DEVNULL, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            print(f"  {library.name}: {benchmark.title}: no end after {LIMIT_SECONDS} s", file=sys.stderr)
            return {}
        seconds = time.monotonic() - start
        if result.returncode != 0:
            print(f"  {library.name}: {benchmark.title}: exit code {result.returncode}\n{result.stderr[-800:]}", file=sys.stderr)
            return {}
        if benchmark.timed:
            return {("start to end", "ms"): seconds * 1e3}
        rows = [line.split("\t") for line in result.stdout.splitlines() if line.count("\t") == 2]
        return {(name, unit): float(value) for name, value, unit in rows}

    def run(self, benchmark, rounds):
        for library in self.libraries:
            self.program(library, benchmark)
        given_up = set()
        for number in range(rounds):
            print(f"{benchmark.title}: round {number + 1} of {rounds}", file=sys.stderr, flush=True)
            for library in self.libraries:
                if library.name in given_up:
                    continue
                if not self.record_one(library, benchmark):
                    given_up.add(library.name)

    def record_one(self, library, benchmark):
        """One launch that counts, with a few more attempts if the processors moved meanwhile; False if the program fails."""
        for _ in range(4):
            before = self.probe() if benchmark.placed else "any"
            results = self.launch(library, benchmark)
            if not results:
                return False
            after = self.probe() if benchmark.placed else "any"
            if before == after:
                for (name, unit), value in results.items():
                    self.records.append((benchmark.title, name, unit, library.name, before, value))
                return True
        return True


def show(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def cell(values):
    return f"{show(statistics.median(values))} ({show(min(values))}-{show(max(values))})" if values else "none"


def ratio(mine, peers, unit):
    """First library to best peer; above 1 is better for the first where larger is better, below 1 otherwise."""
    if not mine or not any(peers):
        return ""
    best = (max if unit.endswith("/s") else min)(statistics.median(p) for p in peers if p)
    return f"{statistics.median(mine) / best:.2f}"


def tables(records, names):
    """Markdown: one table for each benchmark and placement."""
    text = ""
    for title, place in dict.fromkeys((r[0], r[4]) for r in records):
        text += f"\n### {title}" + (f", processors {place}" if place != "any" else "") + "\n\n"
        text += "| result | " + " | ".join(names) + " | ratio |\n" + "|---" * (len(names) + 2) + "|\n"
        for result, unit in dict.fromkeys((r[1], r[2]) for r in records if (r[0], r[4]) == (title, place)):
            values = [[r[5] for r in records if r[:5] == (title, result, unit, name, place)] for name in names]
            cells = " | ".join(cell(v) for v in values)
            text += f"| {result} [{unit}] | {cells} | {ratio(values[0], values[1:], unit)} |\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+", metavar="NAME=PREFIX")
    parser.add_argument("--only", nargs="+", choices=GROUPS, default=list(GROUPS), metavar="GROUP", help=" ".join(GROUPS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="write every single result to this file")
    options = parser.parse_args()

    libraries = [Library(*word.split("=", 1)) for word in options.libraries]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(libraries, folder)
        try:
            for group in options.only:
                for benchmark in GROUPS[group]:
                    bench.run(benchmark, options.rounds)
        except KeyboardInterrupt:
            print("interrupted; what has been measured so far:", file=sys.stderr)
    print(tables(bench.records, [library.name for library in libraries]))
    if options.json:
        keys = ("benchmark", "result", "unit", "library", "placement", "value")
        Path(options.json).write_text(json.dumps([dict(zip(keys, r)) for r in bench.records], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
