# SPDX-License-Identifier: BSD-3-Clause
import json
import unittest

from comparison import tune


def chosen(rules, collective, size, ranks, cores):
    """`size`: as the library counts it."""
    collective = tune.COLLECTIVES[collective]
    return tune.chosen(rules, collective, ranks, size // (ranks if collective.per_rank else 1), cores)


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
                self.assertIn(chosen(rules, "bcast", size, ranks, cores), ("small", "large"))
        self.assertEqual(chosen(rules, "bcast", 65535, 2, "own"), "small")  # up to the first size where the other won
        self.assertEqual(chosen(rules, "bcast", 65536, 2, "own"), "large")

    def test_allgather_counts_the_bytes_of_all_ranks(self):
        rules = tune.rules(tune.COLLECTIVES["allgather"], {4: times(1024)}, cores=4)
        self.assertEqual(chosen(rules, "allgather", 4 * 1024, 4, "own"), "small")
        self.assertEqual(chosen(rules, "allgather", 4 * 65536, 4, "own"), "large")

    def test_noise_makes_no_rules(self):
        measured = {size: {"a": 1.0, "b": 0.99 if size % 2 == 0 else 1.01} for size in range(1, 20)}
        self.assertEqual(len({name for _, name in tune.winners(measured)}), 1)

    def test_the_library_is_left_alone_unless_another_is_clearly_better(self):
        measured = {2: {8: {tune.AUTO: 1.09, "a": 1.0}, 64: {tune.AUTO: 1.2, "a": 1.0}, 512: {tune.AUTO: 1.0, "a": 1.05}, 4096: {tune.AUTO: 1.0, "a": 1.2}}}
        rules = tune.rules(tune.COLLECTIVES["bcast"], measured, cores=2)
        self.assertEqual([(rule["algorithm"], rule["min_bytes"], rule["max_bytes"]) for rule in rules], [("a", 64, 4095)])
        self.assertEqual([chosen(rules, "bcast", size, 2, "own") for size in (8, 64, 512, 4096)], [tune.AUTO, "a", "a", tune.AUTO])

    def test_an_algorithm_without_a_value_is_not_kept(self):
        self.assertEqual(tune.winners({1: {"a": 1.0, "b": 2.0}, 2: {"b": 2.0}}), [(1, "a"), (2, "b")])


class Check(unittest.TestCase):
    def content(self, **changes):
        collective = tune.COLLECTIVES["allgather"]
        raw = {2: times(1024), 4: times(65536)}
        content = {"machine": {"cores": 2}, "rules": tune.rules(collective, raw, cores=2), "raw": {"allgather": raw}}
        return json.loads(json.dumps(content | changes))

    def test_a_table_holds_against_its_own_measurements(self):
        self.assertEqual(list(tune.slow_cells(self.content())), [])

    def test_what_is_within_a_tenth_passes(self):
        content = self.content(raw={"allgather": {"2": {"8": {"small": 1.09, "large": 1.0}}}})
        self.assertEqual(list(tune.slow_cells(content)), [])

    def test_a_slow_cell_is_found(self):
        content = self.content(raw={"allgather": {"2": {"8": {"small": 1.2, "large": 1.0}}}})
        self.assertEqual(list(tune.slow_cells(content)), ["allgather np=2 8 B: small takes 1.2 us, large 1 us"])

    def test_a_choice_that_was_not_measured_is_found(self):
        content = self.content(rules=[])
        self.assertEqual(len(list(tune.slow_cells(content))), 8)


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
