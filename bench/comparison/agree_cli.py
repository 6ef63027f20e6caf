# SPDX-License-Identifier: BSD-3-Clause
"""The command bench/agree: do our suite and IMB-MPI1 find the same numbers for the same library?"""
import argparse
import os
import statistics
import sys
from pathlib import Path

from . import build, imb, launch, libraries, machine, plan, results, stats, table
from .progress import Progress
from .runner import Limits, Runner

TOLERANCE = 5.0  # percent


def agrees(ratio):
    """The interval, which holds what noise and printed digits leave open, reaches a difference that does not matter."""
    return stats.percent(ratio.low) <= TOLERANCE and stats.percent(ratio.high) >= -TOLERANCE


def make_parser():
    parser = argparse.ArgumentParser(prog="agree", description="Measures latency, bandwidth and allreduce of one MPI library by our suite and by "
                                     "IMB-MPI1, in turns. Exit codes: 0; 1: a size differs by more than noise and 5%; 2: wrong options, "
                                     "or too few launches to tell.")  # fmt: skip
    add = parser.add_argument
    add("prefix", type=Path, metavar="PREFIX", help="an MPI library with MPICH's binary interface")
    add("--imb", type=Path, required=True, metavar="FILE", help="IMB-MPI1, as .venv/impi/bin/IMB-MPI1")
    add("--build-with", type=Path, metavar="PREFIX", help="whose mpicc builds our suite, if PREFIX has none (Intel's wheel)")
    add("--np", type=int, default=2, metavar="N", help="ranks of allreduce (default 2)")
    add("--time-budget", type=float, default=120, metavar="S", help="seconds for all launches together (default 120)")
    add("--rounds", type=int, nargs=2, default=(7, 15), metavar=("LEAST", "MOST"), help="launches of each (default 7 15)")
    add("--keep-disturbed", action="store_true", help="every launch counts, whatever else the machine does")
    add("--out", type=Path, default=build.BENCH.parent / "build/agree", metavar="DIR", help="default build/agree")
    return parser


def measure(options, progress):
    suite = libraries.Library("osu", options.prefix)
    theirs = imb.Imb("imb", options.prefix, path=options.imb.resolve(strict=True))
    helpers = [libraries.Library("builder", options.build_with)] if options.build_with else []
    progress.say("building the benchmarks")
    programs = {"osu": build.build(suite, [suite, *helpers], build.BENCH / "omb", options.out / "programs"), "imb": theirs}
    probe = build.probe(options.out / "native")
    launch.adopt_orphans()
    cores = len(os.sched_getaffinity(0))
    data = results.Results("osu", [suite.facts(), theirs.facts()], machine.facts(cores))
    limits = Limits(60, None, *options.rounds, options.keep_disturbed)
    runner = Runner([suite, theirs], programs, probe, limits, progress, cores, data.launches)
    runner.run([plan.Case(pair.ours, 2 if pair.ours.ranks == "two" else options.np) for pair in imb.PAIRS], options.time_budget)
    data.save(options.out / "results.json")
    return data


def main():
    options = make_parser().parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        data = measure(options, Progress())
    except (libraries.LibraryError, build.BuildError, OSError) as error:
        print(f"agree: {error}", file=sys.stderr)
        return 2
    print("\n".join(table.lines(data, color=sys.stdout.isatty())))
    cells = [cell for cell in data.cells() if cell.ratio and cell.ratio.low is not None]
    apart = [cell for cell in cells if not agrees(cell.ratio)]
    for cell in apart:
        print(f"  {table.change(cell.ratio):>8}  {cell.name}")
    if not cells:
        print("too few undisturbed launches to tell: give more time")
        return 2
    print(f"in the median a size differs by {statistics.median(abs(cell.ratio.percent) for cell in cells):.1f}%")
    print(f"{len(cells) - len(apart)} of {len(cells)} sizes agree within {TOLERANCE:g}% and noise")
    return 1 if apart else 0
