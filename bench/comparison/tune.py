# SPDX-License-Identifier: BSD-3-Clause
"""From measured algorithms to a table of rules for MVP_COLL_TUNING_FILE.

To measure, the algorithms of a collective are compared as libraries are: the same prefix several times, each with the setting that
names one of them, and once without (AUTO). What comes out are cells, and from these the rules: exceptions from what the library chooses."""
import re
from dataclasses import dataclass

from . import libraries, plan

AUTO = "auto"
BETTER = 1.10  # times as fast as what the library chooses, or the neighbouring size's rule, an algorithm must be for a rule of its own
SLOWEST = 1.10  # times the best time that a table's choice may take
ANY = 2**31 - 1
# What is measured. The barrier behind each operation counts, because an algorithm must not win by having the ranks wait there instead.
SIZES = plan.Sizes.parse(",".join(str(2**exponent) for exponent in range(2, 21)))
REPETITIONS = plan.Repetitions(16, 1000, 32 << 20)
VALID = re.compile(r"valid are ([\w, ]+)")


@dataclass(frozen=True)
class Collective:
    name: str
    per_rank: bool = False  # rules count the bytes of all ranks, the benchmark those of one

    @property
    def program(self):
        return f"osu_{self.name}"

    @property
    def setting(self):
        return f"MVP_{self.name.upper()}_INTRA_ALGORITHM"

    def bytes(self, size, ranks):
        return size * ranks if self.per_rank else size


COLLECTIVES = {c.name: c for c in (
    Collective("barrier"), Collective("bcast"), Collective("reduce"), Collective("allreduce"), Collective("gather"), Collective("scatter"),
    Collective("allgather", per_rank=True), Collective("alltoall"), Collective("reduce_scatter"))}  # fmt: skip


def algorithm_names(text):
    """The names in the library's answer to one that it does not know."""
    found = VALID.search(text)
    return [name for name in found.group(1).replace(" ", "").split(",") if name != AUTO] if found else []


def as_libraries(prefix, collective, algorithms, settings=None):
    """The prefix as it chooses by itself (with `settings`), and with each algorithm."""
    return [libraries.Library(AUTO, prefix, settings or {})] + [libraries.Library(name, prefix, {collective.setting: name}) for name in algorithms]


def cases(collective, numbers_of_ranks):
    benchmark = next(b for b in plan.BENCHMARKS if b.program == collective.program)
    return [plan.Case(benchmark, ranks) for ranks in numbers_of_ranks]


def winners(times):
    """times: {size: {algorithm: us}} -> [(size, algorithm)], the best of each size. A size keeps the algorithm of the one before, or what
    the library chooses (AUTO), unless another is clearly better: a table that changes with the noise would be of no use."""
    chosen, last = [], AUTO
    for size in sorted(times):
        measured = times[size]
        best = min(measured, key=measured.get)
        best = next((name for name in (last, AUTO) if name in measured and measured[name] < BETTER * measured[best]), best)
        chosen.append((size, best))
        last = best
    return chosen


def byte_ranges(chosen):
    """[(size, algorithm)] -> [(least, most or None, algorithm)] without gaps: an algorithm holds from its first size up to the next one's."""
    ranges = []
    for size, algorithm in chosen:
        if ranges and ranges[-1][2] == algorithm:
            continue
        if ranges:
            ranges[-1][1] = size - 1
        ranges.append([size if ranges else 0, None, algorithm])
    return ranges


def rank_ranges(numbers_of_ranks):
    """[2, 4, 8] -> {2: (1, 3), 4: (4, 7), 8: (8, any)}."""
    ordered = sorted(numbers_of_ranks)
    lows = [1, *ordered[1:]]
    highs = [following - 1 for following in ordered[1:]] + [ANY]
    return {ranks: (low, high) for ranks, low, high in zip(ordered, lows, highs)}


def rules(collective, measured, cores):
    """measured: {ranks: {size: {algorithm: us}}}. Ranks with cores of their own and ranks that share cores are different worlds: each has
    its rules for all numbers of ranks, taken from the nearest number below that was measured."""
    found = []
    for world, members in (("own", [n for n in measured if n <= cores]), ("shared", [n for n in measured if n > cores])):
        for ranks, (low, high) in rank_ranges(members).items():
            for least, most, algorithm in byte_ranges(winners(measured[ranks])):
                if algorithm == AUTO:
                    continue
                rule = {"collective": collective.name, "algorithm": algorithm, "min_ranks": low, "max_ranks": high, "cores": world}
                rule |= {"min_bytes": collective.bytes(least, ranks)} if least else {}
                rule |= {"max_bytes": collective.bytes(most + 1, ranks) - 1} if most is not None else {}
                found.append(rule)
    return found


def chosen(table, collective, ranks, size, world):
    """The algorithm that a table names, as the library reads it: the first rule that holds (on one node). AUTO: none does."""
    size = collective.bytes(size, ranks)
    for rule in table:
        if (rule["collective"] == collective.name and rule.get("min_bytes", 0) <= size <= rule.get("max_bytes", size)
                and rule.get("min_ranks", 1) <= ranks <= rule.get("max_ranks", ranks) and rule.get("min_nodes", 1) <= 1
                and rule.get("cores", "any") in ("any", world)):  # fmt: skip
            return rule["algorithm"]
    return AUTO


def slow_cells(content, most=SLOWEST):
    """The cells of a table's own measurements (`raw`) in which what its rules choose took more than `most` times as long as the best, or in
    which they choose what was not measured: lines for people."""
    for name, measured in content["raw"].items():
        for ranks, sizes in measured.items():
            world = "own" if int(ranks) <= content["machine"]["cores"] else "shared"
            for size, times in sizes.items():
                choice = chosen(content["rules"], COLLECTIVES[name], int(ranks), int(size), world)
                best = min(times, key=times.get)
                where = f"{name} np={ranks} {size} B"
                if choice not in times:
                    yield f"{where}: the table chooses {choice}, which was not measured"
                elif times[choice] > most * times[best]:
                    yield f"{where}: {choice} takes {times[choice]:g} us, {best} {times[best]:g} us"


def cost(points):
    """(alpha in us, beta in us a byte) of time = alpha + beta * size, with the least relative errors; neither below zero."""
    weights = [(1 / time**2, size, time) for size, time in points if time > 0]
    total = sum(w for w, _, _ in weights)
    if not total:
        return 0.0, 0.0
    mean_size, mean_time = sum(w * s for w, s, _ in weights) / total, sum(w * t for w, _, t in weights) / total
    spread = sum(w * (s - mean_size) ** 2 for w, s, _ in weights)
    beta = max(sum(w * (s - mean_size) * (t - mean_time) for w, s, t in weights) / spread, 0.0) if spread else 0.0
    return max(mean_time - beta * mean_size, 0.0), beta


def times_of(cells):
    """Cells of one collective -> {ranks: {size: {algorithm: median us}}}."""
    measured = {}
    for cell in cells:
        times = {name: values[0] for name, values in cell.medians.items()}
        if times:
            measured.setdefault(cell.ranks, {})[int(cell.key or 0)] = times
    return measured


def costs(collective, measured):
    """Rows of the fitted model, for readers and for the predictions of other sizes."""
    for ranks, sizes in measured.items():
        for algorithm in dict.fromkeys(name for times in sizes.values() for name in times if name != AUTO):
            alpha, beta = cost([(size, times[algorithm]) for size, times in sizes.items() if algorithm in times])
            yield {"collective": collective.name, "algorithm": algorithm, "ranks": ranks, "alpha_us": round(alpha, 4),
                   "beta_us_per_byte": float(f"{beta:.4g}")}  # fmt: skip
