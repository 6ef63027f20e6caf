# SPDX-License-Identifier: BSD-3-Clause
"""The statistics: medians, confidence intervals, and the five grades.

A launch gives one value for a size. Launches of two libraries in the same round are a pair, and what is compared is the ratio of a pair,
so whatever slows a whole round cancels. The median of the ratios gets the confidence interval of the order statistics (the
sign test turned round): it assumes nothing about the distribution, which for benchmarks is skewed and has outliers. With three or four
pairs that cannot give the confidence wanted; then it is Student's interval of the logarithms, which assumes that they are normal.
"""
import math
import statistics
from dataclasses import dataclass

CONFIDENCE = 0.90  # at least; with 5 pairs the whole range has 0.9375
STUDENT = {3: 2.920, 4: 2.353}  # number of pairs -> quantile of Student's distribution for CONFIDENCE to both sides
LEAST = min(STUDENT)  # pairs below which there is no interval
ENOUGH = 5  # pairs from which on it assumes nothing
MUCH = 5.0  # percent: the outer two of the five grades
SAME = 1.0  # percent: a difference below this is none
PRECISE = 2.5  # percent: an interval that reaches no further than this to each side is good enough

GRADES = ("much_better", "better", "same", "worse", "much_worse")


def interval(values):
    """(low, high) of the median with a confidence of at least CONFIDENCE, or None if there are too few values."""
    count = len(values)
    if count < LEAST:
        return None
    if count < ENOUGH:
        logs = [math.log(value) for value in values]
        middle, reach = statistics.mean(logs), STUDENT[count] * statistics.stdev(logs) / math.sqrt(count)
        return math.exp(middle - reach), math.exp(middle + reach)
    ordered = sorted(values)
    below, rank = 0.0, 0  # chance that at most `rank` of the values lie below the median
    while True:
        below += math.comb(count, rank) / 2**count
        if 1 - 2 * below < CONFIDENCE:
            break
        rank += 1
    rank = max(rank, 1)
    return ordered[rank - 1], ordered[count - rank]


@dataclass(frozen=True)
class Ratio:
    """How many times as fast: above 1 the first library is better. Without an interval it is only a guess."""

    median: float
    low: float | None
    high: float | None
    pairs: int

    @property
    def percent(self):
        """+25: takes 1/1.25 of the time, or moves 1.25 times as much. -25: the same, the other way round."""
        return percent(self.median)

    @property
    def certain(self):
        """The interval leaves no doubt which is better."""
        return self.low is not None and (self.low > 1 or self.high < 1)

    @property
    def rests_on_normality(self):
        """There is an interval, but of so few pairs that it assumes how noise is distributed."""
        return self.low is not None and self.pairs < ENOUGH

    @property
    def grade(self):
        if self.low is None or not self.certain or abs(self.percent) < SAME:
            return "same"
        size = "much_" if abs(self.percent) > MUCH else ""
        return size + ("better" if self.median > 1 else "worse")

    def is_settled(self):
        """More launches would not tell more that matters."""
        if self.low is None:
            return False
        if percent(self.low) > MUCH or percent(self.high) < -MUCH:
            return True
        return 100 * math.log(self.high / self.low) / 2 <= PRECISE


def percent(ratio):
    return (ratio - 1) * 100 if ratio >= 1 else (1 - 1 / ratio) * 100


def compare(mine, other, direction, half_unit=0.0):
    """The Ratio of paired values; None without any. `half_unit` is how far each value may be off by being printed with few digits:
    the interval grows by what that amounts to, because it does not average out. Zeros (below what was printed) count as half_unit."""
    floor = half_unit or 1e-12
    pairs = [(max(a, floor), max(b, floor)) for a, b in zip(mine, other)]
    if not pairs:
        return None
    ratios = [a / b if direction > 0 else b / a for a, b in pairs]
    bounds = interval(ratios)
    if bounds is None:
        return Ratio(statistics.median(ratios), None, None, len(pairs))
    smallest = statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)
    spread = math.prod((v + half_unit) / max(v - half_unit, floor / 2) for v in smallest) ** 0.5
    return Ratio(statistics.median(ratios), bounds[0] / spread, bounds[1] * spread, len(pairs))
