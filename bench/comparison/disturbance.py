# SPDX-License-Identifier: BSD-3-Clause
"""Was a launch disturbed? Four witnesses: the processor time that the host took away (steal), the time that processes outside the launch
used, a fixed piece of work before and after it, and the distance of the processors before and after it."""
import os
import statistics
import subprocess
from collections import deque
from dataclasses import dataclass
from pathlib import Path

STEAL_SHARE = 0.02  # of all processor time during the launch
FOREIGN_SHARE = 0.03
SLACK_SECONDS = 0.03  # /proc/stat counts in ticks of 10 ms
SLOWER_WORK = 1.06  # times the usual duration
USUAL_FROM, USUAL_OF = 5, 15  # probes before there is a usual duration, and of how many it is the median

SIBLING_BELOW, NEAR_BELOW, FAR_BELOW = 33.0, 120.0, 2000.0  # nanoseconds
ALONE = "alone"  # there is only one processor
TAKEN = "taken"  # the two halves of the probe hardly ever ran at the same time: other processes have the processors
ANY = "any"  # for what does not depend on it


@dataclass(frozen=True)
class CpuTimes:
    """Seconds since boot, all processors together."""

    busy: float
    steal: float

    @staticmethod
    def parse(text, ticks_per_second=100):
        """From the first line of /proc/stat: user nice system idle iowait irq softirq steal ..."""
        fields = [int(word) / ticks_per_second for word in text.splitlines()[0].split()[1:]]
        fields += [0.0] * (8 - len(fields))
        user, nice, system, _, _, irq, softirq, steal = fields[:8]
        return CpuTimes(user + nice + system + irq + softirq, steal)

    @staticmethod
    def now():
        return CpuTimes.parse(Path("/proc/stat").read_text(encoding="ascii"), os.sysconf("SC_CLK_TCK"))


@dataclass(frozen=True)
class Probe:
    line_ns: float  # a cache line between two processors, one way; 0: there is only one
    work_us: float

    @property
    def placement(self):
        if self.line_ns == 0:
            return ALONE
        distances = (("sibling", SIBLING_BELOW), ("near", NEAR_BELOW), ("far", FAR_BELOW))
        return next((name for name, below in distances if self.line_ns < below), TAKEN)


class Usual:
    """The usual duration of the fixed piece of work: the median of the last probes. A clock that changes for good, or a host that gives us other
    processors, disturbs the launches at that moment; those after it have the new speed in common."""

    def __init__(self):
        self.durations = deque(maxlen=USUAL_OF)

    def add(self, probe):
        self.durations.append(probe.work_us)

    def slower(self, probe):
        return len(self.durations) >= USUAL_FROM and probe.work_us > SLOWER_WORK * statistics.median(self.durations)


def judge(before, after, own_seconds, wall_seconds, processors, probes, usual, placed=True):
    """The reasons why a launch does not count; none if nothing disturbed it. `probes` are those before and after, `own_seconds` the
    processor time of the launch itself; `placed`: the distance of the processors matters."""
    reasons = []
    available = wall_seconds * processors
    steal = after.steal - before.steal
    foreign = after.busy - before.busy - own_seconds
    if steal > STEAL_SHARE * available + SLACK_SECONDS:
        reasons.append(f"steal {100 * steal / available:.0f}%")
    if foreign > FOREIGN_SHARE * available + SLACK_SECONDS:
        reasons.append(f"others {100 * foreign / available:.0f}%")
    if any(usual.slower(probe) for probe in probes):
        reasons.append("slow processor")
    placements = {probe.placement for probe in probes}
    if placed and TAKEN in placements:
        reasons.append("processors taken")
    elif placed and len(placements) > 1:
        reasons.append("processors moved")
    return reasons


def run_probe(program):
    output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    line, work = map(float, output.split())
    return Probe(line, work)
