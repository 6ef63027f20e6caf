# SPDX-License-Identifier: BSD-3-Clause
"""The regression gate: fails when more than N cells are worse by more than X percent.

Of a thousand cells some look worse by accident, and the sizes of one benchmark look so together, because they come from the same launches.
So a cell that does is only a suspect. While there are more suspects than allowed, their benchmarks are measured again, by launches of their
own (results.CONFIRM), and a cell stays a suspect only if it is worse by more than the limit each time, with an interval that leaves no
doubt. What the machine did not let us measure is never called worse or good: then there is no verdict."""
import re
from dataclasses import dataclass

from . import results, stats


def well_known(ratio):
    """It has an interval, and of so many pairs that it assumes nothing: a verdict needs that."""
    return ratio is not None and ratio.low is not None and not ratio.rests_on_normality


@dataclass(frozen=True)
class Rule:
    cells: int = 5
    percent: float = 10.0

    @staticmethod
    def parse(text):
        """'5:10': more than 5 cells worse by more than 10%."""
        match = re.fullmatch(r"(\d+):(\d+(?:\.\d+)?)%?", text)
        if not match:
            raise ValueError(f"'{text}' is not CELLS:PERCENT, as 5:10")
        return Rule(int(match.group(1)), float(match.group(2)))

    def __str__(self):
        return f"more than {self.cells} cells worse by more than {self.percent:g}%"

    def decides(self, ratio):
        """The whole interval is on one side of the limit: more launches would not change the verdict."""
        return well_known(ratio) and (stats.percent(ratio.low) > -self.percent or stats.percent(ratio.high) < -self.percent)


def measured(cell):
    return well_known(cell.ratio) and not cell.disturbed


def is_worse(cell, rule):
    return measured(cell) and cell.ratio.certain and cell.ratio.percent < -rule.percent


@dataclass(frozen=True)
class Verdict:
    rule: Rule
    worse: list  # cells, as measured last
    suspected: int  # at first sight
    unconfirmed: int  # suspects that could not be measured again
    undecided: int  # cells with too few undisturbed launches to tell
    cells: int

    @property
    def failed(self):
        return len(self.worse) > self.rule.cells

    @property
    def unknown(self):
        return not self.failed and (len(self.worse) + self.unconfirmed > self.rule.cells or 2 * self.undecided > self.cells)

    @property
    def exit_code(self):
        return 1 if self.failed else 2 if self.unknown else 0

    def lines(self):
        found = f"{len(self.worse)} cells are worse by more than {self.rule.percent:g}% ({self.suspected} at first sight)"
        yield f"gate: {found}, allowed: {self.rule.cells}"
        if self.unconfirmed:
            yield f"gate: {self.unconfirmed} suspects could not be measured again"
        if self.undecided:
            yield f"gate: {self.undecided} of {self.cells} cells had too few undisturbed launches to be judged: give more time"
        for cell in sorted(self.worse, key=lambda cell: cell.ratio.percent):
            yield f"  {cell.ratio.percent:+6.1f}%  {cell.name}"
        yield "gate: " + ("FAILED" if self.failed else "no verdict" if self.unknown else "passed")


def judge(data, rule):
    """The verdict on a results.Results, by the phases that it has."""
    cells = data.cells()
    worse = [cell for cell in cells if is_worse(cell, rule)]
    suspected, unconfirmed = len(worse), 0
    for phase in results.CONFIRM:
        again = {cell.name: cell for cell in data.cells(phase)}
        if not again:
            break
        known = [again[cell.name] for cell in worse if cell.name in again and measured(again[cell.name])]
        unconfirmed += len(worse) - len(known)
        worse = [cell for cell in known if is_worse(cell, rule)]
    undecided = sum(not measured(cell) for cell in cells)
    return Verdict(rule, worse, suspected, unconfirmed, undecided, len(cells))
