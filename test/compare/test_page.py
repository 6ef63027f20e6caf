# SPDX-License-Identifier: BSD-3-Clause
import re
import unittest
from html.parser import HTMLParser

from comparison import chart, page, results, table
from shared import planted

VOID = {"meta", "input", "br", "hr", "img", "link"}
LIMITS = {
    "cache line, one way": {"unit": "ns", "values": {"0": [50, 45, 60]}},
    "kernel copy of one byte": {"unit": "us", "values": {"1": [1.5, 1, 2]}},
    "kernel copy": {"unit": "GB/s", "values": {"1024": [0.6, 0.5, 0.7], "1048576": [13, 12, 14]}},
    "mapped copy, one processor": {"unit": "GB/s", "values": {"1024": [20, 18, 22], "1048576": [47, 46, 48]}},
    "mapped copy, two processors": {"unit": "GB/s", "values": {"1024": [10, 9, 11], "1048576": [93, 90, 94]}},
}


class Checker(HTMLParser):
    """Every tag is closed by its own kind, ids are unique, links lead somewhere on the page, and nothing is loaded."""

    def __init__(self):
        super().__init__()
        self.open, self.problems, self.ids, self.targets, self.loads, self.text = [], [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids += [attrs["id"]] if "id" in attrs else []
        if tag == "a":
            self.targets.append(attrs["href"])
        self.loads += [f"{tag} {name}" for name in ("src", "srcset", "data", "poster", "xlink:href") if name in attrs]
        self.loads += [tag] if tag in ("script", "link", "iframe", "object", "embed", "base") else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        self.text.append(data)


def check(html):
    checker = Checker()
    checker.feed(html)
    checker.close()
    return checker


def example():
    data = planted({"ours": {"osu_bcast": 1.2}, "mpich": 1.0, "<i>odd & name": 1.3}, programs=("osu_latency", "osu_bcast"))
    data.limits = LIMITS
    data.notes.append("a <note>")
    data.launches.append(results.Launch("osu_barrier", 8, "ours", 0, results.MAIN, "near", [], "no end within 20 s", 20, []))
    return data


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.html = page.render(example())
        cls.checker = check(cls.html)

    def test_well_formed(self):
        self.assertEqual((self.checker.problems, self.checker.open), ([], []))
        self.assertEqual(len(self.checker.ids), len(set(self.checker.ids)))
        self.assertEqual({target[1:] for target in self.checker.targets} - set(self.checker.ids), set())

    def test_self_contained(self):
        self.assertEqual(self.checker.loads, [])
        self.assertNotRegex(self.html, r"url\(|@import|https?://(?!www\.w3\.org)|//cdn")

    def test_for_phones_and_for_the_dark(self):
        self.assertIn("width=device-width", self.html)
        self.assertIn("prefers-color-scheme: dark", self.html)
        self.assertIn("max-width: 640px", self.html)

    def test_names_are_escaped(self):
        self.assertNotIn("<i>odd", self.html)
        self.assertIn("<i>odd & name", "".join(self.checker.text))

    def test_shows_every_library_grade_and_limit(self):
        text = "".join(self.checker.text)
        for words in ("ours", "mpich", "a <note>", "A <fast> & good processor", "kernel copy", "MVP_X=1 & 2"):
            self.assertIn(words, text)
        for css in ("much_better", "much_worse", "same"):
            self.assertRegex(self.html, rf'<i class="{css}"')
        self.assertIn('class="limit limit0"', self.html)

    def test_a_row_without_grades_says_why(self):
        data = example()
        data.launches = [item for item in data.launches if item.program != "osu_bcast" or item.library != "ours"]
        data.launches.append(results.Launch("osu_bcast", 2, "ours", 0, results.MAIN, "near", [], "exit code 7: a message", 0.1, []))
        self.assertIn("ours: exit code 7</div>", page.render(data))
        data.launches = [item for item in data.launches if not item.problem]
        self.assertIn("ours has no results</div>", page.render(data))
        for item in data.launches:
            item.placement = "far" if item.library == "ours" else "near"
        self.assertIn("never measured in the same round", page.render(data))

    def test_page_of_nothing(self):
        data = example()
        data.launches, data.limits = [], {}
        checker = check(page.render(data))
        self.assertEqual((checker.problems, checker.open), ([], []))

    def test_style_has_balanced_braces(self):
        css = page.STYLE.read_text(encoding="utf-8")
        self.assertEqual(css.count("{"), css.count("}"))
        for name in ("much_better", "better", "same", "worse", "much_worse"):
            self.assertEqual(len(re.findall(rf"--{name}:", css)), 2, name)  # light and dark


class Charts(unittest.TestCase):
    def test_points_stay_inside_the_frame(self):
        picture = chart.line_chart({"a": [(0, 0.15), (1, 0.15), (4194304, 405.0)], "b": [(1, 0.0), (8, 3.0)]}, {"l": [(1, 0.05)]}, "us", "x")
        for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', picture):
            self.assertTrue(chart.LEFT <= float(x) <= chart.WIDTH and 0 <= float(y) <= chart.HEIGHT - chart.BOTTOM, (x, y))
        self.assertEqual(picture.count("<circle"), 4)  # not the zero: it has no place on a logarithmic axis

    def test_nothing_to_draw(self):
        self.assertEqual(chart.line_chart({"a": []}, {}, "us", "x"), "")
        self.assertEqual(chart.line_chart({"a": [(1, 2.0)]}, {}, "us", "x"), "")
        self.assertEqual(chart.bar_chart({}, {}, "us", "x", {}), "")


class Text(unittest.TestCase):
    def test_table(self):
        text = "\n".join(table.lines(example()))
        self.assertIn("Latency, 2 ranks: Avg Latency(us), processors near", text)
        self.assertRegex(text, r"1M +[\d.]+ +[\d.]+ +[\d.]+ +[-+×÷.\d%~]+ ")
        self.assertIn("ours: osu_barrier np=8: no end within 20 s", text)
        self.assertIn("ours against the best of them: 42 cells", text)

    def test_numbers_and_sizes(self):
        self.assertEqual([table.number(v) for v in (0.123, 12.34, 405.2, 16263750, 1.2e9)], ["0.123", "12.3", "405", "16.3M", "1.2G"])
        self.assertEqual([table.size_name(v) for v in ("0", "1023", "65536", "4194304", "name")], ["0", "1023", "64K", "4M", "name"])
