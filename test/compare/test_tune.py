# SPDX-License-Identifier: BSD-3-Clause
import unittest

from comparison import tune


def chosen(rules, collective, size, ranks, cores):
    """As the library reads the table: the first rule that holds."""
    for rule in rules:
        if rule["collective"] == collective and rule.get("min_bytes", 0) <= size <= rule.get("max_bytes", 2**63) and (
                rule["min_ranks"] <= ranks <= rule["max_ranks"] and rule["cores"] == cores):
            return rule["algorithm"]
    return None


def times(crossover, sizes=(1, 1024, 65536, 1048576), noise=1.0):
    """`small` is the better one up to the crossover, `large` beyond it."""
    return {size: {"small": 1.0 if size <= crossover else 5.0, "large": 3.0 if size <= crossover else 2.0 * noise} for size in sizes}


class Rules(unittest.TestCase):
    def test_every_size_and_number_of_ranks_gets_the_best(self):
        measured = {2: times(1024), 4: times(65536), 8: times(1)}
        rules = tune.rules(tune.COLLECTIVES["bcast"], measured, cores=2)
        for ranks, crossover in ((2, 1024), (4, 65536), (8, 1)):
            for size in (1, 1024, 65536, 1048576):
                self.assertEqual(chosen(rules, "bcast", size, ranks, "own" if ranks <= 2 else "shared"), "small" if size <= crossover else "large")

    def test_what_was_not_measured_is_covered(self):
        rules = tune.rules(tune.COLLECTIVES["bcast"], {2: times(1024), 4: times(65536), 8: times(1)}, cores=2)
        for size in (0, 3, 1500, 2**40):
            for ranks, cores in ((1, "own"), (2, "own"), (300, "own"), (3, "shared"), (5, "shared"), (1000, "shared")):
                self.assertIsNotNone(chosen(rules, "bcast", size, ranks, cores))
        self.assertEqual(chosen(rules, "bcast", 65535, 2, "own"), "small")  # up to the first size where the other won
        self.assertEqual(chosen(rules, "bcast", 65536, 2, "own"), "large")

    def test_allgather_counts_the_bytes_of_all_ranks(self):
        rules = tune.rules(tune.COLLECTIVES["allgather"], {4: times(1024)}, cores=4)
        self.assertEqual(chosen(rules, "allgather", 4 * 1024, 4, "own"), "small")
        self.assertEqual(chosen(rules, "allgather", 4 * 65536, 4, "own"), "large")

    def test_noise_makes_no_rules(self):
        measured = {size: {"a": 1.0, "b": 0.99 if size % 2 == 0 else 1.01} for size in range(1, 20)}
        self.assertEqual(len({name for _, name in tune.winners(measured)}), 1)

    def test_an_algorithm_without_a_value_is_not_kept(self):
        self.assertEqual(tune.winners({1: {"a": 1.0, "b": 2.0}, 2: {"b": 2.0}}), [(1, "a"), (2, "b")])


class Costs(unittest.TestCase):
    def test_the_model_is_found_again(self):
        alpha, beta = tune.cost([(size, 2.5 + 0.001 * size) for size in (1, 64, 4096, 1048576)])
        self.assertAlmostEqual(alpha, 2.5, places=6)
        self.assertAlmostEqual(beta, 0.001, places=9)

    def test_one_size_has_no_slope(self):
        self.assertEqual(tune.cost([(0, 3.0)]), (3.0, 0.0))
        self.assertEqual(tune.cost([]), (0.0, 0.0))


class Names(unittest.TestCase):
    def test_algorithms_from_the_answer(self):
        text = 'MVP_BCAST_INTRA_ALGORITHM: "?" is not an algorithm of bcast; valid are auto, binomial, ring\n'
        self.assertEqual(tune.algorithm_names(text), ["binomial", "ring"])
        self.assertEqual(tune.algorithm_names("something else"), [])
