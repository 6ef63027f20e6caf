# SPDX-License-Identifier: BSD-3-Clause
"""kill -9 of a rank, in the middle of a message, a collective, a write to a file, or finalize: the job ends, every time, with one clear
line, and nothing is left, nor does a file hold what nobody wrote; kill -9 of the launcher: nothing is left either. At least half of the
attempts end within a second; what a single one takes depends on what else the machine does."""
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess
import time

from . import job, programs

RANKS = 4
TIMES = 100
LAUNCHER_TIMES = 20
USUAL_S = 1.0
PATIENCE_S = 60  # then it hangs
MODES = ("send", "collective", "write", "finalize")
RECORD = 64  # bytes of a record of the file that victims write
MESSAGE = re.compile(r"rank (\d+).*(signal 9|SIGKILL|killed)", re.IGNORECASE)


def stat(pid):
    """State and start time of a process, or None. Both together tell it from another one that got its number later."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return fields[0], int(fields[19])


def alive(processes):
    """Those of the processes, pairs of number and start time, that still run; a zombie does not."""
    return [(pid, start) for pid, start in processes if (now := stat(pid)) and now[0] not in "ZX" and now[1] == start]


def wait_until_gone(processes, limit):
    end = time.monotonic() + limit
    while alive(processes) and time.monotonic() < end:
        time.sleep(0.005)
    return alive(processes)


class VictimJob:
    """A running job of test/kill/victim.c; `ranks` are the processes of its ranks, all of which are at work."""

    def __init__(self, launcher, victim, mode, directory):
        directory.mkdir(parents=True, exist_ok=True)
        for old in [*directory.glob("pid.*"), *directory.glob("data")]:
            old.unlink()
        command = [str(launcher), "-n", str(RANKS), str(victim), mode, str(directory)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        )
        files = [directory / f"pid.{rank}" for rank in range(RANKS)]
        end = time.monotonic() + PATIENCE_S
        while not all(f.exists() for f in files):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"the job did not start: {job.stop(self.process).decode(errors='replace')}")
            time.sleep(0.002)
        pids = [int(f.read_text(encoding="utf-8")) for f in files]
        found = [(pid, stat(pid)) for pid in pids]
        if not all(now for _, now in found):
            raise RuntimeError(f"a rank ended too early: {job.stop(self.process).decode(errors='replace')}")
        self.ranks = [(pid, start) for pid, (_, start) in found]

    def clean_up(self):
        job.stop(self.process)
        for pid, _ in alive(self.ranks):
            os.kill(pid, signal.SIGKILL)


def damage(file):
    """What is wrong with the records of a file that a killed job wrote: a rank's hold its letter or nothing, nobody's nothing."""
    content = file.read_bytes()
    for slot in range(RANKS + 1):
        allowed = {ord(".")} | ({ord("a") + slot} if slot < RANKS else set())
        for at in range(slot * RECORD, len(content), (RANKS + 1) * RECORD):
            if not set(content[at : at + RECORD]) <= allowed:
                return f"the record at {at} of {file} has what nobody wrote there"
    return None


def kill_rank(launcher, victim, mode, directory, rank):
    """Kills one rank of a job. Returns how long the job took to end, and what is wrong with the way it did, or None."""
    running = VictimJob(launcher, victim, mode, directory)
    try:
        time.sleep(random.uniform(0, 0.02))
        start = time.monotonic()
        os.kill(running.ranks[rank][0], signal.SIGKILL)
        try:
            output = running.process.communicate(timeout=PATIENCE_S)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            return PATIENCE_S, f"the job did not end within {PATIENCE_S} s"
        seconds = time.monotonic() - start
        left = alive(running.ranks)
        if left:
            return seconds, f"processes left: {left}"
        if running.process.returncode == 0:
            return seconds, "exit code 0"
        named = MESSAGE.findall(output)
        if [int(r) for r, _ in named] != [rank]:
            return seconds, f"not one line that names rank {rank} and the signal: {output!r}"
        return seconds, damage(directory / "data") if mode == "write" else None
    finally:
        running.clean_up()


def kill_launcher(launcher, victim, mode, directory):
    running = VictimJob(launcher, victim, mode, directory)
    try:
        time.sleep(random.uniform(0, 0.02))
        start = time.monotonic()
        os.kill(running.process.pid, signal.SIGKILL)
        left = wait_until_gone(running.ranks, PATIENCE_S)
        return time.monotonic() - start, f"processes left: {left}" if left else None
    finally:
        running.clean_up()


def repeat(report, suite, name, times, attempt):
    begin = time.monotonic()
    problems = []
    seconds = []
    for i in range(times):
        try:
            taken, problem = attempt(i)
            seconds.append(taken)
        except RuntimeError as error:
            problem = str(error)
        if problem:
            problems.append(f"attempt {i + 1}: {problem}")
        if len(problems) >= 10:
            break
    if seconds and statistics.median(seconds) > USUAL_S:
        problems.append(f"half of the jobs took more than {statistics.median(seconds):.2f} s to end")
    total = time.monotonic() - begin
    report.add(suite, f"{name}, {times} times", int(not problems), len(problems), total, problems[0] if problems else "", "\n".join(problems))


def run_kill(report, options):
    suite = "kill"
    victim = options.work / "victim"
    compiled = job.run([options.build_dir / "bin/mpicc", programs.TEST / "kill/victim.c", "-o", victim], 300)
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
