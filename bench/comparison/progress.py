# SPDX-License-Identifier: BSD-3-Clause
"""One line that says how far a run is, what it does, and how long it will still take. In a log, a line a minute."""
import shutil
import sys
import time

WIDTH = 24
LOG_SECONDS = 60


def clock(seconds):
    seconds = max(0, round(seconds))
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


class Progress:
    def __init__(self, stream=sys.stderr):
        self.stream = stream
        self.terminal = stream.isatty()
        self.start = time.monotonic()
        self.logged = -LOG_SECONDS

    def elapsed(self):
        return time.monotonic() - self.start

    def show(self, left, text):
        """`left`: the seconds that it will still take, as far as we know."""
        elapsed = self.elapsed()
        share = elapsed / (elapsed + left) if elapsed + left > 0 else 0
        done = int(WIDTH * share)
        line = f"[{'#' * done}{'.' * (WIDTH - done)}] {100 * share:3.0f}%  {clock(left)} left  {text}"
        if self.terminal:
            room = shutil.get_terminal_size().columns - 1
            self.stream.write(f"\r{line[:room]:<{room}}")
            self.stream.flush()
        elif elapsed - self.logged >= LOG_SECONDS:
            self.logged = elapsed
            print(line, file=self.stream, flush=True)

    def say(self, text):
        """A line that stays."""
        if self.terminal:
            self.stream.write("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r")
        print(text, file=self.stream, flush=True)
