# SPDX-License-Identifier: BSD-3-Clause
"""The command bench/mpi_tune."""
import argparse
import json
import os
import sys
from pathlib import Path

from . import build, cli, gate, launch, libraries, machine, page, results, table, tune
from .progress import Progress
from .runner import Limits, Runner

DESCRIPTION = """Measures the algorithms of collectives on this machine, for all sizes and the numbers of ranks named, writes a table of rules for
MVP_COLL_TUNING_FILE, and shows what is gained by it as a page. It can be interrupted at any time, and goes on with --resume."""

PERCENT = (tune.SLOWEST - 1) * 100
GAIN_SHARE = 0.25  # of the time budget, for the comparison of before and after


def collective_list(text):
    unknown = [word for word in cli.words(text) if word not in tune.COLLECTIVES]
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no collective '{unknown[0]}'; there are {','.join(tune.COLLECTIVES)}")
    return cli.words(text)


def make_parser():
    parser = argparse.ArgumentParser(prog="mpi_tune", description=DESCRIPTION)
    add = parser.add_argument
    add("prefix", type=Path, help="the library: an installation, or a build folder")
    add("--np", type=cli.numbers, default=[2, 4, 8], metavar="N,N,...", help="numbers of ranks (default 2,4,8)")
    add("--collectives", type=collective_list, default=list(tune.COLLECTIVES), metavar="NAME,...", help="default " + ",".join(tune.COLLECTIVES))
    add("--time-budget", type=float, default=1800, metavar="S", help="seconds for all launches together (default 1800)")
    add("--rounds", type=int, nargs=2, default=(3, 9), metavar=("LEAST", "MOST"))
    add("--launch-limit", type=float, default=20, metavar="S")
    add("--keep-disturbed", action="store_true", help="every launch counts, whatever else the machine does and wherever the processors are")
    add("--iterations", type=int, metavar="N")
    add("--table", type=Path, metavar="FILE", help="the table to write (default DIR/tune.json)")
    add("--out", type=Path, default=build.BENCH.parent / "build/tune", metavar="DIR", help="for everything else (default build/tune)")
    add("--omb", type=Path, default=build.BENCH / "omb", metavar="DIR", help="folder with the suite's build.sh")
    add("--check", action="store_true", help="writes no table, but fails if in any cell the library's choice (with --table FILE, the table's) is "
        "surely slower than the best algorithm by more than 10%%")
    add("--resume", action="store_true", help="go on with what DIR has")
    return parser


class Tuning:
    def __init__(self, options, progress):
        self.options = options
        self.progress = progress
        self.cores = len(os.sched_getaffinity(0))
        self.library = libraries.Library("ours", options.prefix)
        self.programs = build.build(self.library, [self.library], options.omb.resolve(), options.out / "programs")
        self.probe = build.probe(options.out / "native")
        self.facts = machine.facts(self.cores) | {"cores": self.cores}
        launch.adopt_orphans()

    def algorithms(self, collective):
        """Asked of the library itself, by a name that it cannot know: so new ones need no change here."""
        program = self.programs.find(collective.program)
        if program is None:
            raise libraries.LibraryError(f"the suite has no {collective.program}")
        environment = self.library.environment() | {collective.setting: "?"}
        outcome = launch.run(self.library.launch(2, self.cores, program, "-m", "8", "-i", "1", "-x", "0"), environment, 30)
        names = tune.algorithm_names(outcome.output + outcome.errors)
        if not names:
            raise libraries.LibraryError(f"{self.options.prefix} does not name the algorithms of {collective.setting}")
        return names

    def measure(self, name, members, cases, seconds):
        """Runs the cases with all members, and keeps the launches in NAME.json, from where --resume takes them."""
        path = self.options.out / f"{name}.json"
        data = results.Results(members[0].name, [member.facts() for member in members], self.facts)
        if self.options.resume and path.exists():
            data.launches = results.Results.load(path).launches
        limits = Limits(self.options.launch_limit, self.options.iterations, *self.options.rounds, self.options.keep_disturbed, tune.SIZES,
                        count_barrier=True, repetitions=tune.REPETITIONS)  # fmt: skip
        programs = {member.name: self.programs for member in members}
        runner = Runner(members, programs, self.probe, limits, self.progress, self.cores, data.launches)
        runner.after_round = lambda: data.save(path)
        runner.run(cases, seconds)
        data.save(path)
        return data

    def tune(self):
        """The content of the table."""
        content = {"comment": "Written by mpi_tune. The first rule that holds wins.", "machine": self.facts, "library": self.library.facts(),
                   "rules": [], "costs": [], "raw": {}}  # fmt: skip
        share = self.options.time_budget * (1 - GAIN_SHARE) / len(self.options.collectives)
        for name in self.options.collectives:
            collective = tune.COLLECTIVES[name]
            members = tune.as_libraries(self.options.prefix, collective, self.algorithms(collective))
            self.progress.say(f"{name}: {', '.join(member.name for member in members[1:])}")
            data = self.measure(name, members, tune.cases(collective, [n for n in self.options.np if n > 1]), share)
            measured = tune.times_of(data.cells())
            content["rules"] += tune.rules(collective, measured, self.cores)
            content["costs"] += tune.costs(collective, measured)
            content["raw"][name] = measured
        return content

    def check(self, table):
        """The cells in which the choice is surely too slow, as lines for people."""
        share = self.options.time_budget / len(self.options.collectives)
        for name in self.options.collectives:
            collective = tune.COLLECTIVES[name]
            settings = {"MVP_COLL_TUNING_FILE": str(table)} if table else {}
            members = tune.as_libraries(self.options.prefix, collective, self.algorithms(collective), settings)
            cells = self.measure(f"check-{name}", members, tune.cases(collective, [n for n in self.options.np if n > 1]), share).cells()
            for cell in cells:
                if not gate.is_worse(cell, gate.Rule(0, PERCENT)):
                    continue
                yield f"{cell.name}: the choice takes {cell.medians[tune.AUTO][0]:g} us, {cell.best} {cell.medians[cell.best][0]:g} us"

    def gain(self, path):
        """Before and after, as a comparison of two libraries."""
        members = [libraries.Library("tuned", self.options.prefix, {"MVP_COLL_TUNING_FILE": str(path)}),
                   libraries.Library("before", self.options.prefix)]  # fmt: skip
        cases = [case for name in self.options.collectives for case in tune.cases(tune.COLLECTIVES[name], [n for n in self.options.np if n > 1])]
        return self.measure("gain", members, cases, self.options.time_budget * GAIN_SHARE)


def check(options):
    slow = list(Tuning(options, Progress()).check(options.table and options.table.resolve()))
    for line in slow:
        print(f"slow: {line}")
    print(f"{len(slow)} cells in which the choice is slower than the best by more than {PERCENT:g}%")
    return 1 if slow else 0


def main():
    options = make_parser().parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    path = (options.table or options.out / "tune.json").resolve()
    try:
        if options.check:
            return check(options)
        tuning = Tuning(options, Progress())
        content = tuning.tune()
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        data = tuning.gain(path)
    except (libraries.LibraryError, build.BuildError, OSError) as error:
        print(f"mpi_tune: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"mpi_tune: interrupted; --resume goes on with what {options.out} has", file=sys.stderr)
        return 1
    (options.out / "gain.html").write_text(page.render(data), encoding="utf-8")
    print("\n".join(table.lines(data, color=sys.stdout.isatty())))
    print(f"{path}: {len(content['rules'])} rules; what they gain: {options.out}/gain.html")
    return 0
