# SPDX-License-Identifier: BSD-3-Clause
"""Runs one command to its end, or to a limit, and tells what it printed and how much processor time all of its processes used."""
import ctypes
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass

PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """Processes whose parent ends become our children, so that we can count their time and end them."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass
class Outcome:
    output: str
    errors: str
    code: int
    timed_out: bool
    seconds: float
    cpu_seconds: float

    @property
    def problem(self):
        if self.timed_out:
            return f"no end within {self.seconds:.0f} s"
        if self.code != 0:
            said = [line.strip() for line in (self.errors + self.output).splitlines() if any(map(str.isalpha, line))]
            return f"exit code {self.code}" + (f": {said[0][:160]}" if said else "")
        return ""


def descendants():
    """Processes below us, from /proc."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
    found, wanted = [], {os.getpid()}
    while wanted:
        wanted = {process for process, parent in parents.items() if parent in wanted}
        found += wanted
    return found


def end_everything():
    """Ends all processes below us, if they do not end by themselves: after a launch nothing of it may disturb the next."""
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        for _ in range(20):
            reap()
            left = descendants()
            if not left:
                return
            for process in left if number else []:
                try:
                    os.kill(process, number)
                except ProcessLookupError:
                    pass
            time.sleep(0.05)


def reap():
    """Takes what has ended, so that its time is counted."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def run(command, environment, limit_seconds):
    used = children_seconds()
    start = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)  # fmt: skip
    timed_out = False
    try:
        output, errors = process.communicate(timeout=limit_seconds)
        seconds = time.monotonic() - start
    except subprocess.TimeoutExpired:
        timed_out = True
        seconds = time.monotonic() - start
        process.terminate()
        try:
            output, errors = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            end_everything()
            output, errors = process.communicate()
    except BaseException:
        process.kill()
        end_everything()
        process.wait()
        raise
    end_everything()
    return Outcome(output.decode(errors="replace"), errors.decode(errors="replace"), process.returncode, timed_out, seconds,
                   children_seconds() - used)  # fmt: skip
