# SPDX-License-Identifier: BSD-3-Clause
import unittest

from comparison import parse


def head(title, *lines):
    return "\n".join(["", f"# OSU {title} v7.4", *lines]) + "\n"


def columns(*names, first="# Size"):
    return f"{first:<10}" + "".join(f"{name:>20}" for name in names)


def row(key, *values):
    return f"{key:<10}" + "".join(f"{value:>20}" for value in values)


def values(text):
    return {(s.metric, s.key): s.value for s in parse.parse(text)}


class Shapes(unittest.TestCase):
    def test_latency(self):
        text = head("MPI Latency Test", "# Datatype: MPI_CHAR.", columns("Avg Latency(us)"), row(0, "0.15"), row(4194304, "164.02"))
        found = parse.parse(text)
        self.assertEqual([(s.key, s.value) for s in found], [("0", 0.15), ("4194304", 164.02)])
        self.assertEqual({s.half_unit for s in found}, {0.005})
        self.assertEqual(found[0].metric, "Avg Latency(us)")

    def test_full_columns_and_percentiles(self):
        names = ("Avg Latency(us)", "Min Latency(us)", "Max Latency(us)")
        text = head("MPI Allreduce Latency Test", "# Datatype: MPI_INT.", columns(*names) + f"{'Iterations':>12}" + f"{'P50 Tail Lat(us)':>20}",
                    row(4, "1.00", "0.90", "1.10") + f"{1000:>12}" + f"{'0.99':>20}")  # fmt: skip
        self.assertEqual(values(text), {(names[0], "4"): 1.0, (names[1], "4"): 0.9, (names[2], "4"): 1.1, ("Iterations", "4"): 1000,
                                        ("P50 Tail Lat(us)", "4"): 0.99})  # fmt: skip

    def test_validation_column_is_passed_over(self):
        text = head("MPI Latency Test", "# Datatype: MPI_CHAR.", columns("Avg Latency(us)", "Validation"), row(1, "0.20", "Pass"))
        self.assertEqual(values(text), {("Avg Latency(us)", "1"): 0.2})

    def test_barrier_has_no_size(self):
        text = head("MPI Barrier Latency Test", "# Avg Latency(us)", f"{'0.45':>17}")
        self.assertEqual(values(text), {("Avg Latency(us)", ""): 0.45})

    def test_non_blocking(self):
        names = ("Overall(us)", "Compute(us)", "Pure Comm.(us)", "Overlap(%)")
        text = head("MPI Non-blocking Allreduce Latency Test", "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait", "",
                    "# Datatype: MPI_CHAR.", columns(*names), row(8, "5.96", "2.60", "2.69", "3.23"))  # fmt: skip
        self.assertEqual(values(text)[("Pure Comm.(us)", "8")], 2.69)
        self.assertEqual([parse.direction(name) for name in names], [-1, -1, -1, 0])

    def test_non_blocking_barrier(self):
        text = head("MPI Non-blocking Barrier Latency Test", "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait", "",
                    "# Overall(us)" + "".join(f"{n:>20}" for n in ("Compute(us)", "Pure Comm.(us)", "Overlap(%)")),
                    f"{'1.90':>13}" + "".join(f"{v:>20}" for v in ("0.80", "0.90", "1.00")))  # fmt: skip
        self.assertEqual(values(text)[("Overall(us)", "")], 1.9)

    def test_message_rate(self):
        text = "\n".join(["# OSU MPI Multiple Bandwidth / Message Rate Test v7.4", "# [ pairs: 1 ] [ window size: 64 ]", "# Datatype: MPI_CHAR.",
                          columns("MB/s", "Messages/s"), row(8, "130.11", "16263750.42")])  # fmt: skip
        self.assertEqual(values(text), {("MB/s", "8"): 130.11, ("Messages/s", "8"): 16263750.42})

    def test_message_rate_of_several_windows(self):
        windows = "#      " + "".join(f"  {w:>10}" for w in (1, 2))
        text = "\n".join(["# OSU MPI Multiple Bandwidth / Message Rate Test v7.4", "# [ pairs: 1 ] [ window size: varied ]", "",
                          "# Uni-directional Bandwidth (MB/sec)", "# Datatype: MPI_CHAR.", windows, f"{1:<7}  {'1.50':>10}  {'2.50':>10}", "",
                          "# Message Rate Profile", windows, f"{1:<7}  {'1500000.00':>10}  {'2500000.00':>10}"])  # fmt: skip
        self.assertEqual(values(text), {("Uni-directional Bandwidth (MB/sec), window 1", "1"): 1.5,
                                        ("Uni-directional Bandwidth (MB/sec), window 2", "1"): 2.5,
                                        ("Message Rate Profile, window 1", "1"): 1.5e6,
                                        ("Message Rate Profile, window 2", "1"): 2.5e6})  # fmt: skip

    def test_one_sided(self):
        text = "\n".join(["# OSU MPI_Put Latency Test v7.4", "# Window creation: MPI_Win_allocate", "# Synchronization: MPI_Win_flush",
                          "# Datatype: MPI_CHAR.", columns("Latency (us)"), row(1, "0.11")])  # fmt: skip
        self.assertEqual(values(text), {("Latency (us)", "1"): 0.11})

    def test_neighbourhood(self):
        text = "Dimensions size = 4 4 \nTime took to create topology graph:12.34 us.\n" + head(
            "MPI Neighborhood Allgather Latency Test", "# Datatype: MPI_CHAR.", columns("Avg Latency(us)"), row(1, "0.50"))
        self.assertEqual(values(text), {("Avg Latency(us)", "1"): 0.5})

    def test_several_datatypes(self):
        text = head("MPI Allgather Latency Test", "# Datatype: MPI_CHAR.", columns("Avg Latency(us)"), row(4, "0.50"),
                    "# Datatype: MPI_INT.", columns("Avg Latency(us)"), row(4, "0.60"))  # fmt: skip
        self.assertEqual(values(text), {("Avg Latency(us)", "4"): 0.5, ("MPI_INT Avg Latency(us)", "4"): 0.6})

    def test_init_and_own_lines(self):
        self.assertEqual(values("# OSU MPI Init Test v7.4\nnprocs: 2, min: 3 ms, max: 5 ms, avg: 4 ms\n"),
                         {("min (ms)", ""): 3, ("max (ms)", ""): 5, ("avg (ms)", ""): 4})  # fmt: skip
        self.assertEqual(values("PSS after MPI_Init\t2488\tKiB\n"), {("PSS after MPI_Init (KiB)", ""): 2488})

    def test_operations_and_other_suites(self):
        text = "# OSU OpenSHMEM Atomic Operation Rate Test v7.4\n" + f"{'# Operation':<20}{'Million ops/s':>20}{'Latency (us)':>20}\n" + (
            f"{'shmem_int_fadd':<20}{'8.10':>20}{'0.12':>20}\n")
        self.assertEqual(values(text), {("Million ops/s", "shmem_int_fadd"): 8.1, ("Latency (us)", "shmem_int_fadd"): 0.12})
        self.assertEqual(values("# OSU Latency Test\n# Size [B]\tLatency [us]\n1\t0.90\n"), {("Latency [us]", "1"): 0.9})


class Robustness(unittest.TestCase):
    def test_noise_between_lines(self):
        text = "warning: something\n" + head("MPI Latency Test", columns("Avg Latency(us)"), row(1, "0.20"), "[host:1] a message 2.0", row(2, "nan"))
        self.assertEqual(values(text), {("Avg Latency(us)", "1"): 0.2})

    def test_a_table_that_was_cut_off(self):
        text = head("MPI Latency Test", columns("Avg Latency(us)"), row(1, "0.20")) + "2    "
        self.assertEqual(values(text), {("Avg Latency(us)", "1"): 0.2})
        self.assertEqual(parse.parse(""), [])

    def test_half_unit(self):
        self.assertEqual([parse.half_unit(t) for t in ("3", "0.1", "0.15")], [0.5, 0.05, 0.005])
        self.assertAlmostEqual(parse.half_unit("1.5e3"), 50)

    def test_wrong_data(self):
        self.assertTrue(parse.validation_failed("DATA VALIDATION ERROR: ./osu_bw exited with status 1 on message size 8.\n"))
        self.assertFalse(parse.validation_failed("# OSU"))

    def test_directions(self):
        for metric, direction in (("Avg Latency(us)", -1), ("Bandwidth (MB/s)", 1), ("Messages/s", 1), ("Iterations", 0), ("Transmit Size", 0)):
            self.assertEqual(parse.direction(metric), direction)
