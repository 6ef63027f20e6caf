# SPDX-License-Identifier: BSD-3-Clause
"""kill -9 of a rank, in the middle of a message, a collective, or finalize: the job ends within a second, every time, with one clear
line, and nothing is left; kill -9 of the launcher: nothing is left either."""
import os
import pathlib
import random
import re
import signal
import subprocess
import time

from . import job, programs

RANKS = 4
TIMES = 100
LAUNCHER_TIMES = 20
LIMIT_S = 1.0
MODES = ("send", "collective", "finalize")
MESSAGE = re.compile(r"rank (\d+).*(signal 9|SIGKILL|killed)", re.IGNORECASE)


def alive(pids):
    """Those of the processes that still run; a zombie does not."""
    left = []
    for pid in pids:
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state not in "ZX":
            left.append(pid)
    return left


def wait_until_gone(pids, limit):
    end = time.monotonic() + limit
    while alive(pids) and time.monotonic() < end:
        time.sleep(0.005)
    return alive(pids)


class VictimJob:
    """A running job of test/kill/victim.c; `pids` are those of its ranks, all of which are at work."""

    def __init__(self, launcher, victim, mode, directory):
        directory.mkdir(parents=True, exist_ok=True)
        for old in directory.glob("pid.*"):
            old.unlink()
        command = [str(launcher), "-n", str(RANKS), str(victim), mode, str(directory)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        )
        files = [directory / f"pid.{rank}" for rank in range(RANKS)]
        end = time.monotonic() + 20
        while not all(f.exists() for f in files):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"the job did not start: {job.stop(self.process).decode(errors='replace')}")
            time.sleep(0.002)
        self.pids = [int(f.read_text(encoding="utf-8")) for f in files]

    def clean_up(self):
        job.stop(self.process)
        for pid in alive(self.pids):
            os.kill(pid, signal.SIGKILL)


def kill_rank(launcher, victim, mode, directory, rank):
    """Kills one rank of a job. Returns what is wrong with the way the job ended, or None."""
    running = VictimJob(launcher, victim, mode, directory)
    try:
        time.sleep(random.uniform(0, 0.02))
        start = time.monotonic()
        os.kill(running.pids[rank], signal.SIGKILL)
        try:
            output = running.process.communicate(timeout=10)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            return "the job did not end within 10 s"
        seconds = time.monotonic() - start
        left = wait_until_gone(running.pids, max(0.0, LIMIT_S - seconds))
        if seconds > LIMIT_S:
            return f"the job took {seconds:.2f} s to end"
        if left:
            return f"processes left: {left}"
        if running.process.returncode == 0:
            return "exit code 0"
        named = MESSAGE.findall(output)
        if [int(r) for r, _ in named] != [rank]:
            return f"not one line that names rank {rank} and the signal: {output!r}"
        return None
    finally:
        running.clean_up()


def kill_launcher(launcher, victim, mode, directory):
    running = VictimJob(launcher, victim, mode, directory)
    try:
        time.sleep(random.uniform(0, 0.02))
        os.kill(running.process.pid, signal.SIGKILL)
        left = wait_until_gone(running.pids, LIMIT_S)
        return f"processes left: {left}" if left else None
    finally:
        running.clean_up()


def repeat(report, suite, name, times, attempt):
    start = time.monotonic()
    problems = []
    for i in range(times):
        try:
            problem = attempt(i)
        except RuntimeError as error:
            problem = str(error)
        if problem:
            problems.append(f"attempt {i + 1}: {problem}")
        if len(problems) >= 10:
            break
    seconds = time.monotonic() - start
    report.add(suite, f"{name}, {times} times", int(not problems), len(problems), seconds, problems[0] if problems else "", "\n".join(problems))


def run_kill(report, options):
    suite = "kill"
    victim = options.work / "victim"
    compiled = job.run([options.build_dir / "bin/mpicc", programs.TEST / "kill/victim.c", "-o", victim], 60)
    if compiled.problem():
        report.add(suite, "compile victim", 0, 1, compiled.seconds, "does not compile", compiled.output)
        return
    random.seed(1)
    for mode in MODES:
        directory = options.work / f"kill-{mode}"

        def rank_of(i, mode=mode):
            return RANKS - 1 if mode == "finalize" and i % 2 else i % (RANKS - 1) if mode == "finalize" else i % RANKS

        repeat(
            report, suite, f"kill -9 of a rank in {mode}", TIMES,
            lambda i: kill_rank(options.mpiexec, victim, mode, directory, rank_of(i)),  # noqa: B023
        )
        repeat(
            report, suite, f"kill -9 of the launcher in {mode}", LAUNCHER_TIMES,
            lambda _: kill_launcher(options.mpiexec, victim, mode, directory),  # noqa: B023
        )
    report.end_suite(suite)
