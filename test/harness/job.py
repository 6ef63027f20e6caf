# SPDX-License-Identifier: BSD-3-Clause
"""Runs one command with a time limit, and reads the closing line of test programs."""
import dataclasses
import os
import re
import signal
import subprocess
import time

CLOSING_LINE = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
FAILED_CASE = re.compile(r"^FAILED: (.*) \(\d+ checks\)$", re.MULTILINE)
RANKS = [1, 2, 3, 5, 8]  # numbers of ranks, unless others are asked for


@dataclasses.dataclass
class Outcome:
    """What became of a command. `code` is its exit status, or minus the signal that ended it."""

    command: list
    code: int
    output: str
    seconds: float
    timed_out: bool

    def closing_line(self):
        """(passed, failed) of the last closing line, or None."""
        found = CLOSING_LINE.findall(self.output)
        return (int(found[-1][0]), int(found[-1][1])) if found else None

    def failed_cases(self):
        return FAILED_CASE.findall(self.output)

    def problem(self):
        """Why the command as a whole went wrong, or None."""
        if self.timed_out:
            return f"did not end within {self.seconds:.0f} s"
        if self.code < 0:
            return f"ended by signal {-self.code}"
        if self.code > 0:
            return f"exit code {self.code}"
        return None


def stop(process):
    """Ends a command and what it started: politely, so that a launcher can end its ranks, then for good."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            return process.communicate(timeout=5)[0]
        except subprocess.TimeoutExpired:
            continue
    return b""


def run(command, timeout, env=None, cwd=None):
    """Runs a command without input in a session of its own; `env` is added to the environment. Output and errors come together."""
    start = time.monotonic()
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        start_new_session=True,
    )
    timed_out = False
    try:
        output = process.communicate(timeout=timeout)[0]
    except subprocess.TimeoutExpired:
        timed_out = True
        output = stop(process)
    except BaseException:
        stop(process)
        raise
    seconds = time.monotonic() - start
    return Outcome([str(word) for word in command], process.returncode, output.decode(errors="replace"), seconds, timed_out)
