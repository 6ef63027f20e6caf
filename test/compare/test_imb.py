# SPDX-License-Identifier: BSD-3-Clause
"""IMB-MPI1's tables, and when two suites agree."""
import tempfile
import unittest
from pathlib import Path

from comparison import agree_cli, imb, stats
from comparison.parse import Sample

TABLES = """# MPI Version           : 5.0
# List of Benchmarks to run:
# PingPongSpecificSource
#---------------------------------------------------
# Benchmarking PingPongSpecificSource
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            8        10000         0.10        76.44
      1048576          200       132.23      7930.08

#---------------------------------------------------
# Benchmarking Uniband
#---------------------------------------------------
       #bytes #repetitions   Mbytes/sec      Msg/sec
           16          100       174.84     10927301

# Benchmarking Allreduce
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            8         1000         0.24         0.26         0.25

# All processes entering MPI_Finalize
"""


class Tables(unittest.TestCase):
    def test_each_table_gives_the_column_that_ours_is_compared_with(self):
        latency, bandwidth = "Avg Latency(us)", "Bandwidth (MB/s)"
        self.assertEqual(imb.parse(TABLES), [
            Sample(latency, "8", 0.10, 0.005), Sample(latency, "1048576", 132.23, 0.005),
            Sample(bandwidth, "16", 174.84, 0.005), Sample(latency, "8", 0.25, 0.005)])  # fmt: skip
        self.assertEqual(imb.parse("# nothing\n  8 1 2\n"), [])

    def test_every_program_of_ours_has_a_benchmark_there(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "bin").mkdir()
            (Path(folder) / "bin/mpi_info").touch()
            library = imb.Imb("imb", folder, path=Path("/IMB-MPI1"))
            for pair in imb.PAIRS:
                command = library.launch(2, 2, library.find(pair.ours.program), "-m", "8")
                self.assertEqual(command[command.index("/IMB-MPI1") + 1], pair.theirs)
                self.assertNotIn("-m", command)
        self.assertIsNone(library.find("osu_bcast"))


class Agreement(unittest.TestCase):
    def test_an_interval_that_comes_within_the_tolerance(self):
        def ratio(low, high):
            return stats.Ratio((low * high) ** 0.5, low, high, 7)

        self.assertTrue(agree_cli.agrees(ratio(0.9, 1.1)))
        self.assertTrue(agree_cli.agrees(ratio(1.04, 1.2)))
        self.assertFalse(agree_cli.agrees(ratio(1.06, 1.2)))
        self.assertFalse(agree_cli.agrees(ratio(0.8, 0.94)))
