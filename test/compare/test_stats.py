# SPDX-License-Identifier: BSD-3-Clause
import math
import random
import unittest

from comparison import stats


class Interval(unittest.TestCase):
    def test_needs_three_values(self):
        self.assertIsNone(stats.interval([1, 2]))
        self.assertEqual(stats.interval([5, 3, 1, 2, 4]), (1, 5))

    def test_few_values_get_students_interval(self):
        low, high = stats.interval([1, 2, 4])  # logarithms: mean ln 2, deviation ln 2
        self.assertAlmostEqual(low * high, 4)
        self.assertAlmostEqual(math.log(high / 2), 2.920 * math.log(2) / math.sqrt(3))
        self.assertEqual(stats.interval([2, 2, 2, 2]), (2, 2))

    def test_few_values_cover_the_truth_if_noise_is_normal(self):
        chooser, trials = random.Random(5), 2000
        for count in stats.STUDENT:
            covered = 0
            for _ in range(trials):
                low, high = stats.interval([chooser.lognormvariate(0, 0.3) for _ in range(count)])
                covered += low <= 1 <= high
            self.assertAlmostEqual(covered / trials, stats.CONFIDENCE, delta=0.02)

    def test_ranks_are_those_of_the_binomial_distribution(self):
        # 90%: of 8 values the second and the seventh (93%), of 20 the sixth and the fifteenth (95.9%)
        self.assertEqual(stats.interval(list(range(1, 9))), (2, 7))
        self.assertEqual(stats.interval(list(range(1, 21))), (6, 15))

    def test_an_outlier_does_not_move_it(self):
        values = [1.0 + i / 100 for i in range(11)]
        self.assertEqual(stats.interval(values), stats.interval(values[:-1] + [1000.0]))

    def test_covers_the_true_median_as_often_as_it_says(self):
        chooser, covered, trials = random.Random(7), 0, 2000
        for _ in range(trials):
            low, high = stats.interval([chooser.lognormvariate(0, 1) for _ in range(9)])  # skewed; the median is 1
            covered += low <= 1 <= high
        self.assertGreater(covered / trials, stats.CONFIDENCE)


def pairs(factor, count=7, noise=0.02, seed=3):
    """Times of a library that takes `factor` times as long as the other; each round has its own speed."""
    chooser = random.Random(seed)
    rounds = [chooser.uniform(0.7, 1.3) for _ in range(count)]
    return ([100 * factor * speed * chooser.uniform(1 - noise, 1 + noise) for speed in rounds],
            [100 * speed * chooser.uniform(1 - noise, 1 + noise) for speed in rounds])  # fmt: skip


class Compare(unittest.TestCase):
    def test_grades(self):
        for factor, grade in ((0.5, "much_better"), (0.93, "much_better"), (0.965, "better"), (1.0, "same"), (1.035, "worse"), (1.15, "much_worse")):
            with self.subTest(factor=factor):
                self.assertEqual(stats.compare(*pairs(factor, noise=0.003), -1).grade, grade)

    def test_pairs_cancel_what_slows_a_whole_round(self):
        ratio = stats.compare(*pairs(1.10), -1)  # the rounds differ by 30%, the libraries by 10%
        self.assertTrue(ratio.certain)
        self.assertAlmostEqual(ratio.percent, -10, delta=3)

    def test_noise_is_the_same(self):
        self.assertEqual(stats.compare(*pairs(1.0, noise=0.2), -1).grade, "same")

    def test_rates_go_the_other_way(self):
        mine, other = pairs(1.2)
        self.assertEqual(stats.compare(mine, other, 1).grade, "much_better")
        self.assertEqual(stats.compare(mine, other, -1).grade, "much_worse")

    def test_percent_is_symmetric(self):
        self.assertAlmostEqual(stats.percent(1.25), 25)
        self.assertAlmostEqual(stats.percent(1 / 1.25), -25)

    def test_too_few_pairs_leave_it_open(self):
        ratio = stats.compare([1, 1], [2, 2], -1)
        self.assertIsNone(ratio.low)
        self.assertFalse(ratio.certain or ratio.is_settled())
        self.assertEqual(ratio.grade, "same")
        self.assertIsNone(stats.compare([], [], -1))

    def test_three_pairs_tell_with_an_assumption(self):
        ratio = stats.compare([1.0, 1.01, 0.99], [2.0, 2.01, 2.02], -1)
        self.assertTrue(ratio.certain and ratio.rests_on_normality)
        self.assertEqual(ratio.grade, "much_better")
        self.assertFalse(stats.compare([1.0] * 5, [2.0] * 5, -1).rests_on_normality)

    def test_printed_digits_limit_what_is_certain(self):
        coarse = stats.compare([0.09] * 7, [0.08] * 7, -1, 0.005)  # 0.085 and 0.085 would print like this
        self.assertFalse(coarse.certain)
        fine = stats.compare([0.0900] * 7, [0.0800] * 7, -1, 0.00005)
        self.assertEqual(fine.grade, "much_worse")

    def test_zero_counts_as_less_than_was_printed(self):
        self.assertEqual(stats.compare([0.0] * 7, [3.0] * 7, -1, 0.005).grade, "much_better")
        self.assertFalse(stats.compare([0.0] * 7, [0.01] * 7, -1, 0.005).is_settled())

    def test_settled(self):
        self.assertTrue(stats.compare(*pairs(1.0, noise=0.005), -1).is_settled())  # precise
        self.assertTrue(stats.compare(*pairs(3.0, noise=0.2), -1).is_settled())  # vague, but beyond doubt
        self.assertFalse(stats.compare(*pairs(1.0, noise=0.2), -1).is_settled())
