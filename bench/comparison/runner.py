# SPDX-License-Identifier: BSD-3-Clause
"""Launches everything, interleaved, until the results are good enough or the time is up.

A round launches a case with every library in turn (A B C), the next one in the reverse order (C B A): who comes after whom must not matter.
The cases take turns, too, so that the rounds of one case are spread over the whole time. A case has had enough rounds when most of its
cells are settled (stats.py). A disturbed launch is repeated, unless most of them are: on a busy machine that would only spend the time.
If the processors moved between the launches of a round, those before are repeated, so that the round still makes pairs."""
import time
from collections.abc import Callable
from dataclasses import dataclass

from . import disturbance, launch, parse, plan, results, stats

ATTEMPTS = 3
HOPELESS = 0.5  # share of disturbed launches from which on they are not repeated
SETTLED_SHARE = 0.9  # of the cells of a case
START_PROBES = 7
DIGITS = "4"  # of the suite's numbers: 0.08 us and 0.09 us may be the same or 25% apart. Other suites print what they print


@dataclass
class Limits:
    """How long and how often to measure."""

    launch_seconds: float = 20
    iterations: int | None = None  # in a launch; None: the suite's own counts
    least_rounds: int = 5
    most_rounds: int = 15
    keep_disturbed: bool = False  # every launch counts, whatever else the machine does
    sizes: plan.Sizes = plan.Sizes()  # of the messages
    count_barrier: bool = False  # the time of a collective includes the barrier behind it
    repetitions: plan.Repetitions | None = None  # of a message, where some sizes only are measured; None: the usual ones
    settled: Callable = stats.Ratio.is_settled  # whether more launches would tell more that matters of a ratio


class Runner:
    NOT_BUILT = "not built"

    def __init__(self, libraries, programs, probe, limits, progress, cores, launches=None):
        self.libraries = libraries
        self.programs = programs  # name of the library -> build.Programs
        self.probe_program = probe
        self.limits = limits
        self.progress = progress
        self.cores = cores
        self.usual = disturbance.Usual()
        self.launches = launches if launches is not None else []  # of an earlier run, whose rounds count; it grows
        self.after_round = lambda: None
        self.costs = {}  # (case, library) -> seconds of its last launch, probes included
        self.given_up = {}  # (case, library) -> why
        self.subject = libraries[0].name
        self.deadline = time.monotonic()
        self.expected = 0.0  # seconds, if every case gets the least number of rounds

    def probe(self):
        probe = disturbance.run_probe(self.probe_program)
        self.usual.add(probe)
        return probe

    def hopeless(self):
        recent = self.launches[-20:]
        return len(recent) >= 10 and sum(bool(item.disturbed) for item in recent) > HOPELESS * len(recent)

    # One launch -------------------------------------------------------------------------------------------------------

    def watched(self, command, environment, placed):
        """(outcome, distance of the processors, what disturbed it)"""
        if self.limits.keep_disturbed:
            return launch.run(command, environment, self.limits.launch_seconds), disturbance.ANY, []
        first = self.probe()
        before = disturbance.CpuTimes.now()
        outcome = launch.run(command, environment, self.limits.launch_seconds)
        after = disturbance.CpuTimes.now()
        last = self.probe()
        reasons = disturbance.judge(before, after, outcome.cpu_seconds, outcome.seconds, self.cores, (first, last), self.usual, placed)
        return outcome, first.placement if placed else disturbance.ANY, reasons

    def launch_once(self, case, library, program, round_number, phase):
        arguments = case.benchmark.arguments(case.ranks, self.cores, self.limits.iterations, self.limits.sizes)
        command = library.launch(case.ranks, self.cores, program, *arguments)
        settings = self.limits.sizes.environment(case.ranks > self.cores, self.limits.iterations, self.limits.repetitions)
        settings |= {"OMB_DIGITS": DIGITS} | ({"OMB_COUNT_BARRIER": "1"} if self.limits.count_barrier else {})
        environment = library.environment() | settings
        outcome, placement, reasons = self.watched(command, environment, case.benchmark.placed)
        samples = library.read(outcome.output)
        if case.benchmark.timed and not outcome.problem:
            samples.insert(0, parse.Sample("Start to end (ms)", parse.NO_SIZE, outcome.seconds * 1e3, 0.0))
        problem = outcome.problem
        if parse.validation_failed(outcome.output):
            problem, samples = "wrong data", []
        elif not samples and not problem:
            problem = "printed no results"
        return results.Launch(case.benchmark.program, case.ranks, library.name, round_number, phase, placement, reasons, problem,
                              round(outcome.seconds, 4), samples)  # fmt: skip

    def launch_well(self, case, library, round_number, phase):
        """The result of one launch, which is repeated if it was disturbed. A library whose program fails is not asked again."""
        key = case, library.name
        program = self.programs[library.name].find(case.benchmark.program)
        if program is None:
            self.given_up[key] = self.NOT_BUILT
            return None
        for _ in range(ATTEMPTS):
            start = time.monotonic()
            item = self.launch_once(case, library, program, round_number, phase)
            self.launches.append(item)
            self.costs[key] = time.monotonic() - start
            if item.problem:
                self.given_up[key] = item.problem
                self.progress.say(f"{library.name}: {case.name}: {item.problem}")
                break
            if not item.disturbed or self.hopeless() or self.left() < self.costs[key]:
                break
        return item

    # Rounds -----------------------------------------------------------------------------------------------------------

    def active(self, case):
        return [library for library in self.libraries if (case, library.name) not in self.given_up]

    def round(self, case, number, phase):
        order = self.active(case)[:: 1 if number % 2 == 0 else -1]
        items = [self.turn(case, library, number, phase) for library in order]
        for library, item in zip(order, items):
            moved = item and items[-1] and item.placement != items[-1].placement
            if moved and not self.hopeless() and self.left() > self.cost(case):
                self.turn(case, library, number, phase)

    def turn(self, case, library, number, phase):
        words = f"round {number + 1}, {case.name}, {library.name}"
        self.progress.show(min(self.expected, max(self.left(), 0)), words)
        return self.launch_well(case, library, number, phase)

    def cost(self, case):
        """Seconds of a round of this case; those that were never run are guessed by the others."""
        known = list(self.costs.values())
        typical = sum(known) / len(known) if known else 2.0
        return sum(self.costs.get((case, library.name), typical) for library in self.active(case))

    def enough(self, case, phase):
        """Whether most of its cells have their grade for good."""
        cells = results.cells_of_case(self.launches_of(case, phase), case.benchmark, case.ranks, self.names(), self.subject)
        ratios = [ratio for cell in cells for ratio in cell.ratios.values()]
        return bool(ratios) and sum(self.limits.settled(ratio) for ratio in ratios) >= SETTLED_SHARE * len(ratios)

    def names(self):
        return [library.name for library in self.libraries]

    def left(self):
        return self.deadline - time.monotonic()

    def done(self, case, rounds, phase):
        """There is nobody left to compare with, or no need to. Only rounds without disturbed launches count."""
        if len(self.active(case)) < 2 or not any(library.name == self.subject for library in self.active(case)):
            return rounds > 0
        undisturbed = self.undisturbed_rounds(case, phase)
        return undisturbed >= self.limits.most_rounds or (undisturbed >= self.limits.least_rounds and self.enough(case, phase))

    def launches_of(self, case, phase):
        key = case.benchmark.program, case.ranks, phase
        return [item for item in self.launches if (item.program, item.ranks, item.phase) == key]

    def undisturbed_rounds(self, case, phase):
        clean = {(item.library, item.round) for item in self.launches_of(case, phase) if not item.disturbed}
        return min(sum(name == library.name for name, _ in clean) for library in self.active(case))

    def rounds_before(self, case, phase):
        return max((item.round + 1 for item in self.launches_of(case, phase)), default=0)

    def run(self, cases, seconds, phase="main"):
        """Measures the cases for at most `seconds`. Returns those that had no time for a single round."""
        if len(self.usual.durations) < START_PROBES and not self.limits.keep_disturbed:
            for _ in range(START_PROBES):
                self.probe()
        self.deadline = time.monotonic() + seconds
        rounds = {case: self.rounds_before(case, phase) for case in cases}
        waiting = [case for case in cases if not self.done(case, rounds[case], phase)]
        while waiting and self.left() > 0:
            for case in list(waiting):
                self.expected = sum(self.cost(c) * max(self.limits.least_rounds - rounds[c], 1) for c in waiting)
                if self.left() <= 0 or (rounds[case] > 0 and self.cost(case) > self.left()):
                    continue
                self.round(case, rounds[case], phase)
                rounds[case] += 1
                self.after_round()
            still = [case for case in waiting if not self.done(case, rounds[case], phase)]
            if all(self.cost(case) > self.left() for case in still):
                break
            waiting = still
        return [case for case in cases if rounds[case] == 0]
