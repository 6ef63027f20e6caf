# SPDX-License-Identifier: BSD-3-Clause
import unittest

from comparison.disturbance import CpuTimes, Probe, Usual, judge

NEAR, FAR, SIBLING, ALONE = Probe(55, 100), Probe(240, 100), Probe(25, 100), Probe(0, 100)


def verdict(busy=2.0, steal=0.0, own=2.0, wall=1.0, probes=(NEAR, NEAR), usual=None, placed=True):
    """Two processors, a launch of one second that uses both."""
    return judge(CpuTimes(1000, 5), CpuTimes(1000 + busy, 5 + steal), own, wall, 2, probes, usual or Usual(), placed)


class Judge(unittest.TestCase):
    def test_a_quiet_launch(self):
        self.assertEqual(verdict(), [])
        self.assertEqual(verdict(busy=2.05, steal=0.02), [])  # ticks

    def test_time_that_the_host_took(self):
        self.assertEqual(verdict(steal=0.2), ["steal 10%"])

    def test_time_that_others_used(self):
        self.assertEqual(verdict(own=1.6), ["others 20%"])

    def test_ticks_do_not_disturb_a_short_launch(self):
        self.assertEqual(verdict(busy=0.05, own=0.03, wall=0.03), [])

    def test_processors_that_moved(self):
        self.assertEqual(verdict(probes=(NEAR, FAR)), ["processors moved"])
        self.assertEqual(verdict(probes=(FAR, FAR)), [])
        self.assertEqual(verdict(probes=(NEAR, FAR), placed=False), [])
        self.assertEqual(verdict(probes=(NEAR, Probe(364095, 100))), ["processors taken"])

    def test_a_slow_processor(self):
        usual = Usual()
        slow = Probe(55, 120)
        for work in (99, 100, 101, 100):
            usual.add(Probe(55, work))
        self.assertEqual(verdict(probes=(NEAR, slow), usual=usual), [])  # not yet known what is usual
        usual.add(Probe(55, 130))
        self.assertEqual(verdict(probes=(NEAR, slow), usual=usual), ["slow processor"])
        self.assertEqual(verdict(probes=(NEAR, Probe(55, 103)), usual=usual), [])

    def test_a_speed_that_lasts_is_the_usual_one(self):
        usual = Usual()
        for work in [100] * 15 + [120] * 8:
            usual.add(Probe(55, work))
        self.assertEqual(verdict(probes=(NEAR, Probe(55, 120)), usual=usual), [])
        self.assertEqual(verdict(probes=(NEAR, Probe(55, 130)), usual=usual), ["slow processor"])

    def test_all_at_once(self):
        self.assertEqual(verdict(busy=2.5, steal=0.3, probes=(SIBLING, FAR)), ["steal 15%", "others 25%", "processors moved"])


class Reading(unittest.TestCase):
    def test_proc_stat(self):
        text = "cpu  100 20 30 4000 50 6 7 80 9 10\ncpu0 1 2 3 4\n"
        self.assertEqual(CpuTimes.parse(text, ticks_per_second=1), CpuTimes(163, 80))
        self.assertEqual(CpuTimes.parse("cpu  100 0 0 5\n").steal, 0)
        self.assertGreater(CpuTimes.now().busy, 0)

    def test_placement(self):
        self.assertEqual([p.placement for p in (ALONE, SIBLING, NEAR, FAR)], ["alone", "sibling", "near", "far"])
