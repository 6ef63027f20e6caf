# SPDX-License-Identifier: BSD-3-Clause
"""What a comparison found: the launches, as they are kept in a JSON file, and the cells computed from them.

A cell is one size of one benchmark with one number of ranks. It compares the subject (the library that is judged) with each other library,
by the launches of the same round that were undisturbed and had the processors at the same distance; if these distances
differed during the run, the one with most pairs is taken."""
import dataclasses
import json
import statistics
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from . import parse, plan, stats

FORMAT = 1
MAIN = "main"
CONFIRM = ("confirm", "confirm again")  # phases, too: what the gate suspects it measures again


@dataclass
class Launch:
    program: str
    ranks: int
    library: str
    round: int
    phase: str
    placement: str  # how far apart the processors were: disturbance.py
    disturbed: list  # reasons; empty if it counts
    problem: str  # why it failed; empty if it did not
    seconds: float
    samples: list  # of parse.Sample


@dataclass
class Cell:
    suite: str
    program: str
    ranks: int
    metric: str
    key: str
    placement: str
    medians: dict  # library -> (median, least, most, launches)
    ratios: dict  # other library -> stats.Ratio of the subject to it
    best: str  # the best of the others
    disturbed: bool  # no undisturbed launches: computed from the others

    @property
    def name(self):
        return f"{self.program} np={self.ranks} {self.metric}" + (f" {self.key}" if self.key else "")

    @property
    def ratio(self):
        """To the best of the others."""
        return self.ratios.get(self.best)


@dataclass
class Results:
    subject: str
    libraries: list  # of facts, in the order of the table
    machine: dict
    limits: dict = field(default_factory=dict)
    launches: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    @property
    def names(self):
        return [library["name"] for library in self.libraries]

    def cells(self, phase=MAIN):
        launches = [item for item in self.launches if item.phase == phase]
        cases = dict.fromkeys((item.program, item.ranks) for item in launches)
        order = {suite: number for number, suite in enumerate(plan.SUITES)}
        found = [cell for program, ranks in cases
                 for cell in cells_of_case(launches, plan.find(program, ranks), ranks, self.names, self.subject)]  # fmt: skip
        return sorted(found, key=lambda cell: order.get(cell.suite, len(order)))

    def failures(self):
        """(program, ranks, library) -> why it has no or few results."""
        return {(item.program, item.ranks, item.library): item.problem for item in self.launches if item.problem}

    def save(self, path):
        content = {"format": FORMAT, "subject": self.subject, "libraries": self.libraries, "machine": self.machine, "limits": self.limits,
                   "notes": self.notes, "launches": [as_json(item) for item in self.launches]}  # fmt: skip
        Path(path).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

    @staticmethod
    def load(path):
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        if content.get("format") != FORMAT:
            raise ValueError(f"{path} is not a results file of format {FORMAT}")
        launches = [from_json(item) for item in content["launches"]]
        return Results(content["subject"], content["libraries"], content["machine"], content["limits"], launches, content["notes"])


def as_json(launch):
    return {**dataclasses.asdict(launch), "samples": [list(dataclasses.astuple(sample)) for sample in launch.samples]}


def from_json(item):
    return Launch(**{**item, "samples": [parse.Sample(*sample) for sample in item["samples"]]})


def counting(launches):
    """(the last launch of each library and round, whether they are disturbed). Undisturbed ones if there are any of each library."""
    clean = [item for item in launches if not item.disturbed]
    disturbed = {item.library for item in clean} != {item.library for item in launches}
    chosen = launches if disturbed else clean
    return {(item.library, item.round): item for item in chosen}, disturbed


def pairs_of(chosen, subject, other, placement):
    """Launches of two libraries in the same round."""
    rounds = sorted(number for library, number in chosen if library == subject)
    found = ((chosen[subject, number], chosen.get((other, number))) for number in rounds)
    return [(mine, theirs) for mine, theirs in found if theirs and mine.placement == theirs.placement == placement]


def main_placement(chosen, subject, names):
    """The placement with most pairs."""
    count = Counter()
    for placement in dict.fromkeys(item.placement for item in chosen.values()):
        count[placement] = sum(len(pairs_of(chosen, subject, name, placement)) for name in names if name != subject)
    return count.most_common(1)[0][0] if count else ""


def metrics_of(launches, wanted):
    metrics = dict.fromkeys(sample.metric for item in launches for sample in item.samples)
    return [wanted] if wanted in metrics else [metric for metric in metrics if parse.direction(metric)] if not wanted else []


def values_by_launch(items):
    """id of a launch -> (metric, key) -> sample."""
    return {id(item): {(sample.metric, sample.key): sample for sample in item.samples} for item in items}


def cells_of_case(launches, benchmark, ranks, names, subject):
    mine = [item for item in launches if (item.program, item.ranks) == (benchmark.program, ranks)]
    if not mine:
        return []
    chosen, disturbed = counting(mine)
    placement = main_placement(chosen, subject, names)
    values = values_by_launch(chosen.values())
    pairs = {name: pairs_of(chosen, subject, name, placement) for name in names if name != subject}
    cells = []
    for metric in metrics_of(mine, benchmark.metric):
        for key in dict.fromkeys(sample.key for item in mine for sample in item.samples if sample.metric == metric):
            cells.append(make_cell(benchmark, ranks, metric, key, placement, disturbed, chosen, values, pairs))
    return cells


def make_cell(benchmark, ranks, metric, key, placement, disturbed, chosen, values, pairs):
    direction = parse.direction(metric)

    def sample(item):
        return values[id(item)].get((metric, key))

    medians = {}
    for name in dict.fromkeys(library for library, _ in chosen):
        items = [item for (library, _), item in chosen.items() if library == name]
        near = [item for item in items if item.placement == placement] or items
        got = [sample(item).value for item in near if sample(item)]
        if got:
            medians[name] = (statistics.median(got), min(got), max(got), len(got))
    ratios = {}
    for name, items in pairs.items():
        both = [(sample(a), sample(b)) for a, b in items if sample(a) and sample(b)]
        unit = max((s.half_unit for pair in both for s in pair), default=0.0)
        ratio = stats.compare([a.value for a, _ in both], [b.value for _, b in both], direction, unit)
        if ratio:
            ratios[name] = ratio
    known = [name for name in ratios if ratios[name].low is not None] or ratios  # one that was launched once tells little
    best = min(known, key=lambda name: -direction * medians[name][0], default="")
    return Cell(benchmark.suite, benchmark.program, ranks, metric, key, placement, medians, ratios, best, disturbed)
