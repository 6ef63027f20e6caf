# SPDX-License-Identifier: BSD-3-Clause
"""The whole command, on an MPI that only prints numbers (fake/)."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from comparison import libraries, plan, results
from shared import HERE, ROOT

FAKE = HERE / "fake"


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="starling-compare-"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def compare(self, *options, two=("--new", FAKE, "--old", FAKE), **variables):
        """The built programs are kept between the cases; the results are not."""
        command = [sys.executable, ROOT / "bench/compare", *two, "--omb", FAKE, "--out", self.folder, "--np", "2", "--no-limits",
                   "--keep-disturbed", "--rounds", "5", "5", "--time-budget", "280", *options]  # fmt: skip
        return subprocess.run(list(map(str, command)), env={**os.environ, **variables}, capture_output=True, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, check=False)  # fmt: skip

    def results(self):
        return results.Results.load(self.folder / "results.json")

    def test_equal_builds_pass_the_gate(self):
        done = self.compare("--gate", "3:10", "--only", "osu_latency,osu_barrier,startup,memory")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("gate: passed", done.stdout)
        data = self.results()
        self.assertEqual(data.names, ["new", "old"])
        self.assertGreaterEqual(len(data.launches), 5 * 2 * 4)
        rounds = [(item.round, item.library) for item in data.launches if item.program == "osu_latency"]
        self.assertEqual(list(dict.fromkeys(rounds)), [(number, name) for number in range(5) for name in (("new", "old"), ("old", "new"))[number % 2]])
        for name in ("table.txt", "report.html"):
            self.assertGreater((self.folder / name).stat().st_size, 500)
        self.assertEqual(data.machine["bindings"]["old"]["2"], "0 1")

    def test_a_slowdown_of_15_percent_fails_the_gate(self):
        done = self.compare("--gate", "3:10", "--only", "osu_latency,osu_bcast", NEW_TUNEVAR="FAKE_SLOW=osu_bcast:1.15")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("gate: FAILED", done.stdout)
        data = self.results()
        self.assertEqual({(item.phase, item.program) for item in data.launches if item.phase != results.MAIN},
                         {(phase, "osu_bcast") for phase in results.CONFIRM})  # fmt: skip
        self.assertEqual(data.libraries[0]["tuning"], {"FAKE_SLOW": "osu_bcast:1.15"})
        again = self.compare("--from", self.folder / "results.json", "--gate", "3:10", two=())
        self.assertEqual(again.returncode, 1)
        again = self.compare("--from", self.folder / "results.json", "--gate", "3:20", two=())
        self.assertEqual(again.returncode, 0)

    def test_failing_programs_do_not_end_it(self):
        for name, how, words in (("osu_latency", "exit", "exit code 7"), ("osu_bw", "hang", "no end within"),
                                 ("osu_bcast", "silent", "printed no results"), ("osu_barrier", "corrupt", "wrong data")):  # fmt: skip
            done = self.compare("--only", name, "--launch-limit", "1.5", "--rounds", "1", "1", OLD_TUNEVAR=f"FAKE_FAIL={name}:{how}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn(f"old: {name} np=2: {words}", done.stdout)

    def test_programs_that_the_suite_does_not_have(self):
        done = self.compare("--suite", "rma", "--only", "osu_put_latency", "--rounds", "1", "1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("old has no osu_put_latency", done.stdout)

    def test_wrong_options(self):
        for options, words in (
            (["--suite", "nonsense"], "there is no suite 'nonsense'"),
            (["--np", "0"], "numbers of ranks begin at 1"),
            (["--sizes", "8-64"], "is neither LEAST:MOST nor a list of sizes"),
            (["--preset", "nonsense"], "invalid choice: 'nonsense'"),
            (["--gate", "5"], "is not CELLS:PERCENT"),
            (["--only", "nonsense"], "no benchmark has such a name"),
            (["--omb", "/nonexistent"], "there is no benchmark suite"),
            (["--mpi", "x"], "not NAME=PREFIX"),
            (["--mpi", "old=/usr"], "two libraries called old"),
            (["--mpi", "third=/nonexistent"], "no MPI library at /nonexistent"),
            (["--from", "/nonexistent"], "No such file"),
        ):
            done = self.compare(*options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(words, done.stderr)
        self.assertEqual(self.compare(two=("--old", FAKE)).returncode, 2)

    def test_preset(self):
        done = self.compare("--preset", "collectives", "--list")
        self.assertIn("coll     osu_barrier np=2\n", done.stdout)
        self.assertNotIn("p2p", done.stdout)
        self.assertNotIn("np=4", done.stdout)  # options of the user come first: --np 2
        everything = subprocess.run([sys.executable, ROOT / "bench/compare", "--preset", "collectives", "--list"], capture_output=True,
                                    text=True, timeout=60, check=True).stdout  # fmt: skip
        self.assertIn("coll     osu_alltoall np=16\n", everything)

    def test_sizes(self):
        sizes = plan.Sizes.parse("16777216,8,65536")
        self.assertEqual(sizes.least_most, "8:16777216")
        self.assertEqual(sizes.environment(crowded=False), {"OMB_SIZES": "8:1000,65536:1000,16777216:4"})
        self.assertEqual(sizes.environment(crowded=True), {"OMB_SIZES": "8:100,65536:100,16777216:2"})
        self.assertEqual(sizes.environment(False, 7), {"OMB_SIZES": "8:7,65536:7,16777216:7"})
        self.assertEqual(sizes.environment(True, repetitions=plan.Repetitions(3, 50, 64 << 10)), {"OMB_SIZES": "8:50,65536:3,16777216:3"})
        self.assertEqual(plan.Sizes.parse("8:64").environment(False), {})
        self.assertRaises(ValueError, plan.Sizes.parse, "8-64")

    def test_list(self):
        done = self.compare("--list")
        self.assertIn("p2p      osu_latency np=2", done.stdout)
        self.assertNotIn("np=4", done.stdout)


class Tune(unittest.TestCase):
    def test_finds_the_crossover_and_shows_the_gain(self):
        with tempfile.TemporaryDirectory(prefix="starling-tune-") as folder:
            command = [sys.executable, ROOT / "bench/mpi_tune", FAKE, "--omb", FAKE, "--out", folder, "--collectives", "bcast", "--np", "2",
                       "--keep-disturbed", "--rounds", "5", "5", "--time-budget", "280"]  # fmt: skip
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            content = json.loads((Path(folder) / "tune.json").read_text(encoding="utf-8"))
            # 20 + s/5 = 50 + s/50 at 167 bytes; by itself the library chooses the former
            self.assertEqual([(rule["algorithm"], rule.get("min_bytes"), rule.get("max_bytes")) for rule in content["rules"]],
                             [("bulk", 256, None)])  # fmt: skip
            self.assertIn("date", content["machine"])
            gain = results.Results.load(Path(folder) / "gain.json").cells()
            self.assertEqual({cell.key: cell.ratio.grade for cell in gain}["1024"], "much_better")
            self.assertIn("tuned against before", (Path(folder) / "gain.html").read_text(encoding="utf-8"))

            launched = len(results.Results.load(Path(folder) / "bcast.json").launches)
            subprocess.run([*map(str, command), "--resume"], capture_output=True, timeout=300, check=True)
            self.assertEqual(len(results.Results.load(Path(folder) / "bcast.json").launches), launched)  # all of it was there

    def test_check_finds_cells_where_the_choice_is_slow(self):
        with tempfile.TemporaryDirectory(prefix="starling-tune-") as folder:
            command = [sys.executable, ROOT / "bench/mpi_tune", FAKE, "--check", "--omb", FAKE, "--out", folder, "--collectives", "bcast",
                       "--np", "2", "--keep-disturbed", "--rounds", "5", "5", "--time-budget", "280"]  # fmt: skip
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("slow: osu_bcast np=2 Avg Latency(us) 1024: the choice takes", done.stdout)
            self.assertNotIn("Avg Latency(us) 1:", done.stdout)
            table = Path(folder) / "table.json"
            rules = [{"algorithm": "eager", "max_bytes": 255}, {"algorithm": "bulk"}]
            table.write_text(json.dumps({"rules": rules}), encoding="utf-8")
            done = subprocess.run([*map(str, command), "--table", table], capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_library_whose_algorithms_cannot_be_chosen(self):
        with tempfile.TemporaryDirectory(prefix="starling-tune-") as folder:
            command = [sys.executable, ROOT / "bench/mpi_tune", FAKE, "--omb", FAKE, "--out", folder, "--collectives", "barrier", "--np", "2"]
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("does not name the algorithms of MVP_BARRIER_INTRA_ALGORITHM", done.stderr)


class Libraries(unittest.TestCase):
    def test_tune_variables(self):
        self.assertEqual(libraries.tune_variables("old", {"OLD_TUNEVAR": "A=1 B='x y'"}), {"A": "1", "B": "x y"})
        self.assertEqual(libraries.tune_variables("new", {"OLD_TUNEVAR": "A=1"}), {})
        self.assertRaises(libraries.LibraryError, libraries.tune_variables, "old", {"OLD_TUNEVAR": "A"})

    def test_each_launcher_has_its_own_way_to_bind(self):
        with tempfile.TemporaryDirectory() as folder:
            for mark, kind in libraries.MARKS:
                prefix = Path(folder) / kind
                (prefix / "bin").mkdir(parents=True)
                (prefix / "bin" / mark).touch()
                library = libraries.Library(kind, prefix)
                self.assertEqual(library.kind, kind)
                self.assertIn("core", library.launch(2, 2, "program"))
                self.assertNotIn("core", library.launch(8, 2, "program"))
                self.assertNotIn("core", library.launch(1, 2, "program"))
            self.assertIn(":OVERSUBSCRIBE", libraries.Library("o", Path(folder) / "openmpi").launch(8, 2, "program"))
            self.assertRaises(libraries.LibraryError, libraries.Library, "none", folder)


class Limits(unittest.TestCase):
    def test_the_program_measures_something(self):
        with tempfile.TemporaryDirectory(prefix="starling-limits-") as folder:
            done = subprocess.run([sys.executable, ROOT / "bench/limits", "--runs", "1", "--build-dir", folder, "sum"],
                                  capture_output=True, text=True, timeout=300, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"sum of doubles, one processor +1MB +[\d.]+ +GB/s")
