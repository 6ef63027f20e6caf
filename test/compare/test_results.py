# SPDX-License-Identifier: BSD-3-Clause
import random
import tempfile
import unittest
from pathlib import Path

from comparison import gate, results, stats
from shared import SIZES, launch, planted

PROGRAMS = ("osu_latency", "osu_bcast")
PHASES = (results.MAIN, *results.CONFIRM)


class Cells(unittest.TestCase):
    def test_medians_and_the_best_of_the_others(self):
        cells = planted({"ours": 1.0, "slow": 2.0, "fast": 0.8}).cells()
        self.assertEqual(len(cells), len(SIZES))
        for cell in cells:
            self.assertEqual(cell.best, "fast")
            self.assertEqual((cell.ratio.grade, cell.ratios["slow"].grade), ("much_worse", "much_better"))
            self.assertEqual(cell.medians["ours"][3], 7)

    def test_disturbed_launches_do_not_count(self):
        data = planted({"ours": 1.0, "other": 1.0})
        chooser = random.Random(5)
        for number in range(20, 26):
            data.launches.append(launch("ours", number, 3.0, disturbed=["steal 10%"], chooser=chooser))
            data.launches.append(launch("other", number, chooser=chooser))
        self.assertEqual({cell.ratio.grade for cell in data.cells()}, {"same"})
        self.assertFalse(any(cell.disturbed for cell in data.cells()))

    def test_with_nothing_but_disturbed_launches_they_count_and_are_marked(self):
        cells = planted({"ours": 2.0, "other": 1.0}, disturbed=["others 50%"]).cells()
        self.assertTrue(all(cell.disturbed and cell.ratio.grade == "much_worse" for cell in cells))

    def test_processors_at_another_distance_are_not_compared(self):
        """The subject was measured near five times, and far when the other was near: that does not make it slower."""
        data = planted({"ours": 1.0, "other": 1.0}, rounds=6)
        chooser = random.Random(6)
        for number in range(20, 24):
            data.launches.append(launch("ours", number, 4.0, placement="far", chooser=chooser))
            data.launches.append(launch("other", number, placement="near", chooser=chooser))
        for cell in data.cells():
            self.assertEqual((cell.placement, cell.ratio.pairs, cell.ratio.grade), ("near", 6, "same"))

    def test_a_library_without_results(self):
        data = planted({"ours": 1.0, "other": 1.0})
        data.libraries.append({"name": "broken", "kind": "mpich", "prefix": "/x", "version": "", "tuning": {}})
        data.launches.append(results.Launch("osu_latency", 2, "broken", 0, results.MAIN, "near", [], "exit code 1", 0.1, []))
        self.assertTrue(all("broken" not in cell.medians and "broken" not in cell.ratios for cell in data.cells()))
        self.assertEqual(data.failures(), {("osu_latency", 2, "broken"): "exit code 1"})

    def test_a_file_brings_everything_back(self):
        data = planted({"new": 1.1, "old": 1.0}, programs=PROGRAMS)
        data.notes.append("a note")
        with tempfile.TemporaryDirectory() as folder:
            data.save(Path(folder) / "results.json")
            again = results.Results.load(Path(folder) / "results.json")
        self.assertEqual(again, data)


class Gate(unittest.TestCase):
    RULE = gate.Rule(5, 10.0)

    def judge(self, factor, seed, **options):
        data = planted({"new": factor, "old": 1.0}, programs=PROGRAMS, seed=seed, phases=PHASES, **options)
        return gate.judge(data, self.RULE)

    def test_finds_15_percent_in_one_path_ten_times_of_ten(self):
        for seed in range(10):
            verdict = self.judge({"osu_bcast": 1.15}, seed)
            self.assertTrue(verdict.failed)
            self.assertEqual({cell.program for cell in verdict.worse}, {"osu_bcast"})
            self.assertGreater(len(verdict.worse), len(SIZES) * 0.8)

    def test_is_quiet_on_equal_builds_ten_times_of_ten(self):
        for seed in range(10):
            self.assertFalse(self.judge(1.0, seed).failed)

    def test_is_quiet_on_equal_builds_on_a_noisy_machine(self):
        for seed in range(10):
            self.assertFalse(self.judge(1.0, seed, noise=0.15, rounds=5).failed)

    def test_is_quiet_when_it_got_faster(self):
        self.assertFalse(self.judge(0.7, 1).failed)

    def test_what_a_later_measurement_does_not_confirm_does_not_count(self):
        for factors in ((1.3, 1.0), (1.3, 1.3, 1.0)):
            data = planted({"new": 1.0, "old": 1.0}, phases=())
            for seed, (factor, phase) in enumerate(zip(factors, PHASES)):
                data.launches += planted({"new": factor, "old": 1.0}, phases=(phase,), seed=seed).launches
            verdict = gate.judge(data, self.RULE)
            self.assertEqual((verdict.exit_code, verdict.worse, verdict.suspected), (0, [], len(SIZES)))

    def test_as_many_as_allowed_pass(self):
        data = planted({"new": 1.3, "old": 1.0}, phases=PHASES)
        self.assertEqual(gate.judge(data, gate.Rule(len(SIZES), 10)).exit_code, 0)
        self.assertEqual(gate.judge(data, gate.Rule(len(SIZES) - 1, 10)).exit_code, 1)

    def test_without_enough_undisturbed_launches_there_is_no_verdict(self):
        for options in ({"rounds": 2}, {"disturbed": ["steal 10%"]}):
            verdict = gate.judge(planted({"new": 2.0, "old": 1.0}, phases=PHASES, **options), self.RULE)
            self.assertEqual((verdict.exit_code, verdict.undecided), (2, len(SIZES)))
            self.assertIn("too few undisturbed launches", "\n".join(verdict.lines()))

    def test_suspects_that_could_not_be_measured_again_leave_it_open(self):
        data = planted({"new": 1.3, "old": 1.0})
        data.launches += planted({"new": 1.3, "old": 1.0}, rounds=2, phases=("confirm",)).launches
        verdict = gate.judge(data, self.RULE)
        self.assertEqual((verdict.exit_code, verdict.unconfirmed), (2, len(SIZES)))

    def test_a_cell_is_decided_when_its_interval_is_on_one_side_of_the_limit(self):
        def ratio(low, high):
            return stats.Ratio((low * high) ** 0.5, low, high, 7)

        self.assertTrue(self.RULE.decides(ratio(0.95, 1.2)))  # not 10% worse, and that is all that matters
        self.assertTrue(self.RULE.decides(ratio(0.6, 0.8)))
        self.assertFalse(self.RULE.decides(ratio(0.85, 0.95)))
        self.assertFalse(self.RULE.decides(stats.Ratio(0.5, None, None, 3)))

    def test_rule(self):
        self.assertEqual(gate.Rule.parse("3:7.5%"), gate.Rule(3, 7.5))
        for bad in ("", "5", "a:b", "5:-1"):
            self.assertRaises(ValueError, gate.Rule.parse, bad)
