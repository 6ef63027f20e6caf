# SPDX-License-Identifier: BSD-3-Clause
"""What the cases share: starting the launcher, looking for processes that were left behind, comparing."""
import os
import signal
import subprocess
import time
import uuid


# How long a test waits before it says that something hangs, on a machine however busy. Less than what the ranks of the tests sleep, so a
# job that waited for them is noticed.
PATIENCE_S = 120


class Failure(Exception):
    pass


class Result:
    def __init__(self, code, out, err, seconds):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds

    def lines(self):
        return sorted(self.out.splitlines())


class Launcher:
    """Starts mpiexec. Every process of a test carries a mark in its environment, so that leftovers can be told from others."""

    def __init__(self, mpiexec, folder, mpich=None, impi=None):
        self.mpiexec = mpiexec
        self.folder = folder
        self.mpich = mpich
        self.impi = impi
        self.mark = f"LAUNCH_TEST_MARK={uuid.uuid4()}"
        self.here = os.path.dirname(os.path.abspath(__file__))

    def named(self, name):
        return os.path.join(os.path.dirname(self.mpiexec), name)

    def environment(self, extra=None):
        changes_us = ("MVP_", "MV2_", "HYDRA_", "OMP_")
        environment = {key: value for key, value in os.environ.items() if not key.startswith(changes_us)}
        key, value = self.mark.split("=")
        environment[key] = value
        environment.update(extra or {})
        return environment

    def start(self, *words, env=None, name="mpiexec", **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen([self.named(name), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=self.environment(env), cwd=self.folder, **options)

    def run(self, *words, env=None, name="mpiexec", timeout=PATIENCE_S, input=None):
        start = time.monotonic()
        process = self.start(*words, env=env, name=name, stdin=subprocess.PIPE if input is not None else subprocess.DEVNULL)
        try:
            out, err = process.communicate(input, timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return Result(process.returncode, out, err, time.monotonic() - start)

    def marked(self):
        """Process ids of this test's processes."""
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) == os.getpid():
                continue
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if self.mark.encode() in file.read().split(b"\0"):
                        found.append(int(entry))
            except OSError:
                pass
        return found

    def tree(self, root):
        """A process and its descendants, parents before their children."""
        found = [root]
        for process in found:
            with open(f"/proc/{process}/task/{process}/children") as file:
                found += map(int, file.read().split())
        return found

    def leftovers(self, patience=PATIENCE_S):
        end = time.monotonic() + patience
        while self.marked():
            if time.monotonic() > end:
                return f"processes are left: {[(p, command(p)) for p in self.marked()]}"
            time.sleep(0.01)
        return None

    def clean(self):
        for process in self.marked():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def wait_for(self, condition, what, patience=PATIENCE_S):
        end = time.monotonic() + patience
        while not condition():
            if time.monotonic() > end:
                raise Failure(f"waited {patience} s for {what}")
            time.sleep(0.005)


def command(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read().replace(b"\0", b" ").decode().strip()
    except OSError:
        return "gone"


def state(process):
    with open(f"/proc/{process}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


def median(values):
    return sorted(values)[len(values) // 2]


def same(got, expected, what=""):
    if got != expected:
        raise Failure(f"{what} got {got!r}, expected {expected!r}")


def contains(text, *parts):
    for part in parts:
        if part not in text:
            raise Failure(f"{part!r} is not in {text!r}")


def one_line(text):
    """The launcher's own message: exactly one line."""
    lines = [line for line in text.splitlines() if line.startswith("mpiexec:")]
    if len(lines) != 1:
        raise Failure(f"expected one line of mpiexec, got {text!r}")
    return lines[0]
