# SPDX-License-Identifier: BSD-3-Clause
"""What the cases share: planted results."""
import random
from pathlib import Path

from comparison import results
from comparison.parse import Sample

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SIZES = [2**power for power in range(0, 21)]


def machine():
    return {"date": "2026-01-02 03:04 UTC", "processor": "A <fast> & good processor", "processors": "2 of 2 usable", "kernel": "6.1",
            "cores": 2, "bindings": {"new": {"2": "0 1"}}, "settings": {"MVP_X": "1 & 2"}}  # fmt: skip


def latency(size):
    return 20 + size / 500


def launch(library, number, factor=1.0, *, program="osu_latency", ranks=2, phase=results.MAIN, placement="near", disturbed=(), noise=0.02,
           chooser=random.Random(1), values=latency):  # fmt: skip
    """A launch whose values are those of `values` times `factor`, with noise that is the same for no two launches."""
    common = chooser.uniform(1 - noise, 1 + noise)
    samples = [Sample("Avg Latency(us)", str(size), round(values(size) * factor * common * chooser.uniform(1 - noise / 2, 1 + noise / 2), 2), 0.005)
               for size in SIZES]  # fmt: skip
    return results.Launch(program, ranks, library, number, phase, placement, list(disturbed), "", 0.5, samples)


def planted(factors, rounds=7, programs=("osu_latency",), seed=1, phases=(results.MAIN,), **options):
    """Results of libraries whose times are those of the others times the factor: {"new": 1.15, "old": 1.0}. The first is the subject.
    A factor may depend on the program: {"new": {"osu_latency": 1.15}}."""
    chooser = random.Random(seed)
    facts = [{"name": name, "kind": "starling", "prefix": "/p", "version": "1", "tuning": {}} for name in factors]
    data = results.Results(next(iter(factors)), facts, machine())
    for phase in phases:
        for number in range(rounds):
            for program in programs:
                for name, factor in factors.items():
                    mine = factor.get(program, 1.0) if isinstance(factor, dict) else factor
                    data.launches.append(launch(name, number, mine, program=program, phase=phase, chooser=chooser, **options))
    return data
