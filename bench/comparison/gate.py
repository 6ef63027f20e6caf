# SPDX-License-Identifier: BSD-3-Clause
"""The regression gate: fails when more than N cells are worse by more than X percent.

Of a thousand cells some look worse by accident. So a cell that does is only a suspect; the benchmarks of all suspects are measured once
more, and what counts is a cell that is worse both times, each time with an interval that leaves no doubt."""
import re
from dataclasses import dataclass


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


def is_worse(ratio, percent):
    return ratio is not None and ratio.certain and ratio.percent < -percent


def suspects(cells, rule):
    return [cell for cell in cells if is_worse(cell.ratio, rule.percent)]


@dataclass(frozen=True)
class Verdict:
    rule: Rule
    worse: list  # cells
    suspected: int
    undecided: int  # cells without an interval: too few launches to tell

    @property
    def failed(self):
        return len(self.worse) > self.rule.cells

    def lines(self):
        found = f"{len(self.worse)} cells are worse by more than {self.rule.percent:g}% ({self.suspected} at first sight)"
        yield f"gate: {found}, allowed: {self.rule.cells}"
        if self.undecided:
            yield f"gate: {self.undecided} cells had too few launches to be judged: give more time"
        for cell in sorted(self.worse, key=lambda cell: cell.ratio.percent):
            yield f"  {cell.ratio.percent:+6.1f}%  {cell.name}"
        yield "gate: FAILED" if self.failed else "gate: passed"


def judge(main_cells, confirm_cells, rule):
    """`confirm_cells`: from the second measurement; of the suspects only those count that it contains and agrees with."""
    first = suspects(main_cells, rule)
    again = {cell.name: cell for cell in confirm_cells}
    worse = [again[cell.name] for cell in first if cell.name in again and is_worse(again[cell.name].ratio, rule.percent)]
    undecided = sum(1 for cell in main_cells if cell.ratio is None or cell.ratio.low is None)
    return Verdict(rule, worse, len(first), undecided)
