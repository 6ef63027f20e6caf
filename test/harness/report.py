# SPDX-License-Identifier: BSD-3-Clause
"""Collects results, shows progress, and writes the logs: results.json and junit.xml."""
import dataclasses
import json
import pathlib
import time
import xml.etree.ElementTree as xml

TAIL_LINES = 25
SUMMARY_LINES = 6


@dataclasses.dataclass
class Result:
    suite: str
    name: str
    passed: int
    failed: int
    seconds: float
    note: str = ""
    output: str = ""


class Report:
    def __init__(self, directory, verbose=False, sanitizers=None):
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.verbose = verbose
        self.sanitizers = sanitizers
        self.results = []
        self.start = time.monotonic()

    def say(self, text):
        print(f"[{time.monotonic() - self.start:7.1f} s] {text}", flush=True)

    def add(self, suite, name, passed, failed, seconds, note="", output=""):
        """One result. Failures are shown with the end of their output, which is also kept in a file. What sanitizers have reported meanwhile
        is a failure, however the program ended."""
        found = self.sanitizers.take() if self.sanitizers else ""
        if found:
            failed, note, output = failed + 1, f"sanitizer report; {note or f'{passed} passed'}", f"{output}\n{found}"
        self.results.append(Result(suite, name, passed, failed, round(seconds, 3), note, output if failed else ""))
        if failed:
            path = self.directory / (f"{suite} {name}".replace("/", "_").replace(" ", "_") + ".log")
            path.write_text(output, encoding="utf-8")
            self.say(f"FAILED {suite}: {name}: {note or f'{failed} failed'}")
            for line in output.rstrip().splitlines()[-TAIL_LINES:]:
                print(f"    {line[:300]}")
            print(f"    all of it: {path}", flush=True)
        elif self.verbose:
            self.say(f"{suite}: {name}: {passed} passed ({seconds:.1f} s)")

    def add_outcome(self, suite, name, outcome, expected_code=0):
        """The result of a program that prints a closing line, or, without one, counts as one case by its exit code."""
        counts = outcome.closing_line()
        problem = outcome.problem()
        if expected_code and not outcome.timed_out:
            good = outcome.code == expected_code or (expected_code == "nonzero" and outcome.code > 0)
            counts, problem = (1, 0), None if good else f"exit code {outcome.code}, not {expected_code}"
        passed, failed = counts or ((0, 1) if problem else (1, 0))
        if problem and not failed:
            failed = 1  # all cases passed, and yet the program did not end well
        self.add(suite, name, passed, failed, outcome.seconds, problem or "", outcome.output)

    def totals(self, suite=None):
        chosen = [r for r in self.results if suite in (None, r.suite)]
        return sum(r.passed for r in chosen), sum(r.failed for r in chosen)

    def show_failures(self):
        """Once more at the end, where a reader who has only the last lines of a log looks."""
        for result in self.results:
            if result.failed:
                print(f"FAILED {result.suite}: {result.name}: {result.note or f'{result.failed} failed'}")
                for line in result.output.rstrip().splitlines()[-SUMMARY_LINES:]:
                    print(f"    {line[:200]}")

    def end_suite(self, suite):
        passed, failed = self.totals(suite)
        seconds = sum(r.seconds for r in self.results if r.suite == suite)
        self.say(f"{suite}: {passed} passed, {failed} failed in {seconds:.1f} s")

    def write(self):
        everything = [dataclasses.asdict(r) for r in self.results]
        (self.directory / "results.json").write_text(json.dumps(everything, indent=1), encoding="utf-8")
        root = xml.Element("testsuites")
        for suite in dict.fromkeys(r.suite for r in self.results):
            mine = [r for r in self.results if r.suite == suite]
            passed, failed = self.totals(suite)
            node = xml.SubElement(root, "testsuite", name=suite, tests=str(passed + failed), failures=str(failed))
            for r in mine:
                case = xml.SubElement(node, "testcase", classname=suite, name=r.name, time=str(r.seconds))
                if r.failed:
                    xml.SubElement(case, "failure", message=r.note or f"{r.failed} failed").text = "".join(
                        c for c in r.output if c.isprintable() or c in "\n\t"
                    )
        xml.ElementTree(root).write(self.directory / "junit.xml", encoding="utf-8", xml_declaration=True)
