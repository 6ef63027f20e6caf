# SPDX-License-Identifier: BSD-3-Clause
"""The command bench/limits."""
import argparse
import json
import os
import sys
from pathlib import Path

from . import disturbance, limits, machine
from .build import BENCH, BuildError, probe
from .table import number, size_name

PARTS = ("line", "memcpy", "sum", "kernel", "mapped", "ring", "wake", "tcp", "start")
SIZED_BY_BYTES = ("GB/s", "M/s", "us")


def lines(measured):
    """A line for each thing: median and range, with one column for each size."""
    width = max(map(len, measured), default=0)
    for name, item in measured.items():
        for size, (middle, least, most) in item["values"].items():
            what = "" if size == "0" else size_name(size) + ("B" if item["unit"] in SIZED_BY_BYTES else "")
            yield f"{name:<{width}}  {what:>6}  {number(middle):>8} {item['unit']:<5} ({number(least)} to {number(most)})"


def main():
    parser = argparse.ArgumentParser(prog="limits", description="Measures the physical limits of this machine for processes that "
                                     "exchange data: medians of several runs, with the least and the most.")  # fmt: skip
    parser.add_argument("parts", nargs="*", metavar="PART", help="only these: " + " ".join(PARTS))
    parser.add_argument("--runs", type=int, default=limits.RUNS, help="default %(default)s")
    parser.add_argument("--json", type=Path, help="write the results to this file, too")
    parser.add_argument("--build-dir", type=Path, default=BENCH.parent / "build/compare/native", help="where to build the programs")
    options = parser.parse_args()
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part '{unknown[0]}'; there are {', '.join(PARTS)}")
    try:
        program, prober = limits.program(options.build_dir), probe(options.build_dir)
    except BuildError as error:
        sys.exit(f"limits: {error}")
    before = disturbance.run_probe(prober)
    measured = limits.measure(program, options.runs, options.parts,
                              lambda done, runs: print(f"run {done + 1} of {runs}", file=sys.stderr))  # fmt: skip
    after = disturbance.run_probe(prober)
    print("\n".join(lines(measured)))
    print(f"processors {before.placement} before, {after.placement} after ({before.line_ns:g}, {after.line_ns:g} ns)")
    if options.json:
        facts = machine.facts(len(os.sched_getaffinity(0)))
        content = {"machine": facts, "limits": measured, "placement": [before.placement, after.placement]}
        options.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
