# SPDX-License-Identifier: BSD-3-Clause
"""The results as text: a table for each case, and counts of the grades."""
from collections import Counter
from itertools import groupby

from . import disturbance, plan, stats

SIGNS = {"much_better": "++", "better": "+", "same": "=", "worse": "-", "much_worse": "--"}
UNPLACED = ("", disturbance.ALONE, disturbance.ANY)
COLORS = {"much_better": "1;32", "better": "32", "same": "0", "worse": "33", "much_worse": "1;31"}


def number(value):
    """Three digits or so, with a letter for millions."""
    for factor, letter in ((1e9, "G"), (1e6, "M")):
        if abs(value) >= factor:
            return f"{value / factor:.3g}{letter}"
    return next((f"{value:.{digits}f}" for least, digits in ((100, 0), (10, 1), (1, 2)) if abs(value) >= least), f"{value:.3f}")


def size_name(key):
    """'65536' -> '64K'."""
    if not key.isdigit():
        return key
    size = int(key)
    for factor, letter in ((2**30, "G"), (2**20, "M"), (2**10, "K")):
        if size >= factor and size % factor == 0:
            return f"{size // factor}{letter}"
    return key


def change(ratio):
    """'+25%', '×2.4', '÷2.4'; a question mark if there were too few launches, a tilde if the interval leaves open which is better."""
    if ratio is None:
        return ""
    mark = "?" if ratio.low is None else "" if ratio.certain else "~"
    if 0.5 < ratio.median < 2:
        return f"{ratio.percent:+.0f}%{mark}"
    factor = max(ratio.median, 1 / ratio.median)
    return f"{'×' if ratio.median > 1 else '÷'}{factor:.{0 if factor >= 10 else 1}f}{mark}"


def groups(cells):
    """Cells of the same case and column, in their order."""
    for key, group in groupby(cells, key=lambda cell: (cell.suite, cell.program, cell.ranks, cell.metric)):
        yield plan.Case(plan.find(key[1], key[2]), key[2]), key[3], list(group)


def count_grades(cells, other=None):
    """Grade -> number of cells; 'open': those with too few launches; 'few': those whose intervals assume that noise is normal. Against one
    library, or the best of the others."""
    counts = Counter()
    for cell in cells:
        ratio = cell.ratios.get(other) if other else cell.ratio
        if ratio is not None:
            counts["open" if ratio.low is None else ratio.grade] += 1
            counts["few"] += ratio.rests_on_normality
    return counts


def case_table(case, metric, cells, names, color):
    first, width = max(8, *(len(size_name(cell.key)) for cell in cells)), 10
    placement = f", processors {cells[0].placement}" if cells[0].placement not in UNPLACED else ""
    note = " (disturbed)" if cells[0].disturbed else ""
    yield f"{case.title}: {metric}{placement}{note}"
    yield "  " + " " * first + "".join(f"{name:>{max(width, len(name) + 2)}}" for name in names) + "      against the best"
    for cell in cells:
        line = f"  {size_name(cell.key):>{first}}"
        for name in names:
            middle = cell.medians.get(name)
            line += f"{number(middle[0]) if middle else 'none':>{max(width, len(name) + 2)}}"
        ratio = cell.ratio
        if ratio:
            tail = f"{change(ratio):>8} {SIGNS[ratio.grade]:<2} {cell.best}"
            line += f"  \033[{COLORS[ratio.grade]}m{tail}\033[0m" if color else f"  {tail}"
        yield line
    yield ""


def summary(counts):
    """One sentence."""
    total = sum(counts[grade] for grade in stats.GRADES)
    better, worse = counts["much_better"] + counts["better"], counts["much_worse"] + counts["worse"]
    text = (f"{total} cells: {better} better ({counts['much_better']} by more than {stats.MUCH:g}%), {counts['same']} the same, "
            f"{worse} worse ({counts['much_worse']} by more than {stats.MUCH:g}%)")  # fmt: skip
    text += f"; {counts['few']} of them from {stats.LEAST} or {stats.ENOUGH - 1} launches, assuming that noise is normal" if counts["few"] else ""
    return text + (f"; {counts['open']} more with too few launches to tell" if counts["open"] else "")


def disturbed_share(results):
    return sum(bool(item.disturbed) for item in results.launches) / max(len(results.launches), 1)


def lines(results, color=False):
    cells = results.cells()
    for case, metric, group in groups(cells):
        yield from case_table(case, metric, group, results.names, color)
    for (program, ranks, library), problem in results.failures().items():
        yield f"{library}: {plan.Case(plan.find(program, ranks), ranks).name}: {problem}"
    for note in results.notes:
        yield note
    share = disturbed_share(results)
    if share > 0.3:
        yield f"{100 * share:.0f}% of the launches were disturbed: something else runs on this machine, do not quote these numbers"
    others = [name for name in results.names if name != results.subject]
    for other in others:
        yield f"{results.subject} against {other}: {summary(count_grades(cells, other))}"
    if len(others) > 1:
        yield f"{results.subject} against the best of them: {summary(count_grades(cells))}"

