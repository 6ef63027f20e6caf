# SPDX-License-Identifier: BSD-3-Clause
"""The order of launches, and which are repeated, with launches that are only told."""
import io
import unittest

from comparison import plan, results
from comparison.progress import Progress
from comparison.runner import Limits, Runner
from shared import launch


class Library:
    def __init__(self, name):
        self.name = name


class Programs:
    def find(self, name):
        return name


class Told(Runner):
    """Launches take no time; each sees the processors at the next of `placements`, "!" says that it was disturbed."""

    def __init__(self, names, placements, rounds):
        limits = Limits(least_rounds=rounds, most_rounds=rounds, keep_disturbed=True)
        super().__init__([Library(name) for name in names], {name: Programs() for name in names}, None, limits, Progress(io.StringIO()), 2)
        self.placements = iter(placements)

    def launch_once(self, case, library, program, round_number, phase):
        placement = next(self.placements, "near")
        disturbed = ["processors moved"] if placement.endswith("!") else []
        return launch(library.name, round_number, phase=phase, placement=placement.rstrip("!"), disturbed=disturbed)


def told(names, placements, rounds):
    case = plan.Case(plan.find("osu_latency", 2), 2)
    runner = Told(names, placements, rounds)
    runner.run([case], 10)
    cells = results.cells_of_case(runner.launches, case.benchmark, 2, names, names[0])
    return [item.library for item in runner.launches], cells[0].ratio


class Order(unittest.TestCase):
    def test_every_other_round_is_the_other_way_round(self):
        self.assertEqual(told("ABC", [], 3)[0], list("ABC" "CBA" "ABC"))

    def test_disturbed_launches_are_repeated_up_to_twice(self):
        self.assertEqual(told("AB", ["near!", "near", "near"], 1)[0], list("AAB"))
        self.assertEqual(told("AB", ["near", "near!", "near!", "near"], 1)[0], list("ABBB"))

    def test_a_round_with_nothing_but_disturbed_launches_does_not_count(self):
        self.assertEqual(told("AB", ["near", "near!", "near!", "near!"], 1)[0], list("ABBB" "BA"))

    def test_what_an_earlier_phase_found_does_not_end_a_later_one(self):
        case = plan.Case(plan.find("osu_latency", 2), 2)
        runner = Told("AB", [], 5)
        for phase in (results.MAIN, *results.CONFIRM):
            runner.run([case], 10, phase)
        self.assertEqual([len(runner.launches_of(case, phase)) for phase in (results.MAIN, *results.CONFIRM)], [10, 10, 10])

    def test_when_the_processors_move_those_before_are_repeated(self):
        order, ratio = told("AB", ["near", "far", "far", "far", "near", "near"], 2)
        self.assertEqual(order, list("ABA" "BAB"))
        self.assertEqual(ratio.pairs, 1)  # at each distance
        order, ratio = told("AB", ["near", "far", "far"], 2)
        self.assertEqual(order, list("ABA" "BA"))
