# SPDX-License-Identifier: BSD-3-Clause
"""The command bench/compare."""
import argparse
import os
import subprocess
import sys
from pathlib import Path

from . import build, gate, launch, libraries, limits, machine, page, plan, results, stats, table
from .progress import Progress, clock
from .runner import Limits, Runner

DESCRIPTION = """Compares MPI libraries on this machine, side by side. The first library (with --old and --new: the new one) is the one that is
judged. Writes results.json, table.txt and report.html to the folder of --out, and prints the table."""

EPILOG = """NAME_TUNEVAR='A=1 B=2' in the environment sets variables for the library called NAME only; with --old and --new these are OLD_TUNEVAR
and NEW_TUNEVAR. Exit codes: 0; 1: the gate failed; 2: wrong options, something could not be built, or the gate could not tell."""

CONFIRM_SHARE = 0.5  # of the time budget, on top of it, for each time that suspects are measured again


def words(text):
    return [word for word in text.split(",") if word]


def numbers(text):
    try:
        found = sorted({int(word) for word in words(text)})
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers") from None
    if not found or found[0] < 1:
        raise argparse.ArgumentTypeError("numbers of ranks begin at 1")
    return found


def suite_list(text):
    unknown = [word for word in words(text) if word not in plan.SUITES]
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no suite '{unknown[0]}'; there are {','.join(plan.SUITES)}")
    return words(text)


def gate_rule(text):
    try:
        return gate.Rule.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def size_choice(text):
    try:
        return plan.Sizes.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def make_parser():
    parser = argparse.ArgumentParser(prog="compare", description=DESCRIPTION, epilog=EPILOG)
    add = parser.add_argument
    add("--mpi", action="append", default=[], metavar="NAME=PREFIX", help="a library; at least two")
    add("--old", type=Path, metavar="PREFIX", help="with --new: two builds of the same library; short for --mpi new=... --mpi old=...")
    add("--new", type=Path, metavar="PREFIX")
    add("--np", type=numbers, default=[2, 4, 8], metavar="N,N,...", help="numbers of ranks (default 2,4,8)")
    add("--suite", type=suite_list, default=list(plan.SUITES), metavar="NAME,...", help="default " + ",".join(plan.SUITES))
    add("--only", type=words, default=[], metavar="TEXT,...", help="only benchmarks whose name contains one of these, as 'osu_bcast np=4'")
    add("--time-budget", type=float, default=300, metavar="S", help="seconds for all launches together (default 300)")
    add("--rounds", type=int, nargs=2, default=(5, 15), metavar=("LEAST", "MOST"), help="undisturbed launches of each library and benchmark (default 5 15)")
    add("--launch-limit", type=float, default=20, metavar="S", help="end a launch that takes longer (default 20)")
    add("--iterations", type=int, metavar="N", help="of every size in a launch, instead of the suite's own numbers")
    add("--sizes", type=size_choice, default=plan.Sizes(), metavar="LEAST:MOST or N,N,...", help="of the messages, in bytes, instead of all")
    add("--count-barrier", action="store_true", help="the time of a collective includes the barrier behind it (of our suite only)")
    add("--preset", choices=plan.PRESETS, help="a table whose options are known; others may be added or changed")
    add("--out", type=Path, default=build.BENCH.parent / "build/compare", metavar="DIR", help="default build/compare")
    add("--omb", type=Path, default=build.BENCH / "omb", metavar="DIR", help="folder with the suite's build.sh (default bench/omb)")
    add("--gate", type=gate_rule, metavar="CELLS:PERCENT", help="exit code 1 if more cells are worse by more than that, as 5:10")
    add("--keep-disturbed", action="store_true", help="every launch counts, whatever else the machine does and wherever the processors are")
    add("--no-limits", action="store_true", help="do not measure the physical limits")
    add("--from", dest="recorded", type=Path, metavar="FILE", help="measure nothing: take the results of an earlier run")
    add("--list", action="store_true", help="only list the benchmarks")
    return parser


def chosen_libraries(options):
    if bool(options.old) != bool(options.new):
        raise libraries.LibraryError("--old and --new come together")
    pairs = [f"new={options.new}", f"old={options.old}"] if options.old else []
    found = libraries.from_words(pairs + options.mpi, os.environ)
    if len(found) < 2:
        raise libraries.LibraryError("name at least two libraries: --mpi NAME=PREFIX --mpi NAME=PREFIX")
    return found


def bindings(found, programs, cores, numbers_of_ranks):
    """{library: {ranks: what each rank is bound to}}: shows that all libraries place their ranks alike."""
    report = {}
    for library in found:
        report[library.name] = {}
        for ranks in numbers_of_ranks:
            command = library.launch(ranks, cores, programs[library.name].find("binding"))
            outcome = launch.run(command, library.environment(), 30)
            report[library.name][str(ranks)] = outcome.output.strip() or outcome.problem
    return report


def measure_limits(folder, progress):
    try:
        return limits.measure(limits.program(folder), show=lambda n, of: progress.say(f"physical limits: run {n + 1} of {of}"))
    except (OSError, subprocess.SubprocessError, build.BuildError) as error:
        progress.say(f"the physical limits could not be measured: {error}")
        return {}


def confirm(runner, data, rule, cases, seconds, progress):
    """Measures again what the gate suspects, as long as there are too many suspects."""
    for phase in results.CONFIRM:
        suspected = gate.judge(data, rule).worse
        if len(suspected) <= rule.cells:
            return
        again = [case for case in cases if any((cell.program, cell.ranks) == (case.benchmark.program, case.ranks) for cell in suspected)]
        progress.say(f"gate: {len(suspected)} suspects, measuring {len(again)} benchmarks again for at most {clock(seconds)}")
        runner.run(again, seconds, phase)


def compare(options, progress):
    found = chosen_libraries(options)
    cores = len(os.sched_getaffinity(0))
    cases = plan.cases(options.suite, options.np, options.only)
    if not cases:
        raise libraries.LibraryError("no benchmark has such a name; --list shows them")
    programs = {}
    for library in found:
        progress.say(f"building the benchmarks for {library.name}")
        programs[library.name] = build.build(library, found, options.omb.resolve(), options.out / "programs")
    probe = build.probe(options.out / "native")
    launch.adopt_orphans()
    facts = machine.facts(cores)
    facts["cores"] = cores
    facts["settings"] = libraries.telling_variables(os.environ)
    facts["bindings"] = bindings(found, programs, cores, options.np)
    facts["time budget"] = options.time_budget
    measured = {} if options.no_limits else measure_limits(options.out / "native", progress)
    data = results.Results(found[0].name, [library.facts() for library in found], facts, measured)
    settled = options.gate.decides if options.gate else stats.Ratio.is_settled
    limits_of_runs = Limits(options.launch_limit, options.iterations, *options.rounds, options.keep_disturbed, options.sizes, options.count_barrier,
                            settled=settled)  # fmt: skip
    data.notes += ["the time of a collective includes the barrier behind it"] if options.count_barrier else []
    runner = Runner(found, programs, probe, limits_of_runs, progress, cores)
    data.launches = runner.launches
    try:
        missed = [case.name for case in runner.run(cases, options.time_budget)]
        data.notes += [f"the time budget left nothing for {len(missed)} benchmarks: {', '.join(missed)}"] if missed else []
        if options.gate:
            confirm(runner, data, options.gate, cases, CONFIRM_SHARE * options.time_budget, progress)
    except KeyboardInterrupt:
        data.notes.append("interrupted: these are the results so far")
    for (case, name), why in runner.given_up.items():
        if why == runner.NOT_BUILT:
            data.notes.append(f"{name} has no {case.benchmark.program}")
    data.notes = list(dict.fromkeys(data.notes))
    return data


def write(data, folder):
    folder.mkdir(parents=True, exist_ok=True)
    data.save(folder / "results.json")
    (folder / "table.txt").write_text("\n".join(table.lines(data)) + "\n", encoding="utf-8")
    (folder / "report.html").write_text(page.render(data), encoding="utf-8")


def main():
    parser = make_parser()
    options = parser.parse_args()
    if options.preset:
        parser.set_defaults(**plan.PRESETS[options.preset])
        options = parser.parse_args()
    if options.list:
        print("\n".join(f"{case.benchmark.suite:8} {case.name}" for case in plan.cases(options.suite, options.np, options.only)))
        return 0
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    progress = Progress()
    try:
        data = results.Results.load(options.recorded) if options.recorded else compare(options, progress)
    except (libraries.LibraryError, build.BuildError, ValueError, OSError) as error:
        print(f"compare: {error}", file=sys.stderr)
        return 2
    write(data, options.out)
    print("\n" + "\n".join(table.lines(data, color=sys.stdout.isatty())))
    print(f"{options.out}/report.html, table.txt, results.json")
    if not options.gate:
        return 0
    verdict = gate.judge(data, options.gate)
    print("\n".join(verdict.lines()))
    return verdict.exit_code
