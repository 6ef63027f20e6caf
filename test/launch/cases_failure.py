# SPDX-License-Identifier: BSD-3-Clause
"""A rank, or a part of the launcher itself, dies: the job ends soon, with one line, and nothing is left.

How soon is what most of many attempts show (fifty_times): a single one tells more about what else the machine does."""
import os
import signal
import socket
import sys
import time

from harness import PATIENCE_S, Failure, contains, median, one_line, same


def cases(l):
    host = socket.gethostname()
    sleeper = ("import os, signal, time\n"
               "for number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)\n"
               "name = 'ready' + os.environ['PMI_RANK']\n"
               "open(name + '.new', 'w').write(str(os.getpid()))\n"
               "os.rename(name + '.new', name)\n"
               "time.sleep(600)")

    def running(*words, ranks=3):
        for rank in range(ranks):
            (l.folder / f"ready{rank}").unlink(missing_ok=True)
        process = l.start("-n", ranks, *words)
        l.wait_for(lambda: all((l.folder / f"ready{rank}").exists() for rank in range(ranks)), "the ranks to start")
        return process

    def children(process):
        with open(f"/proc/{process}/task/{process}/children") as file:
            return [int(word) for word in file.read().split()]

    def finish(process):
        return process.communicate(timeout=PATIENCE_S)[1]

    def killed_rank():
        """The others ignore SIGTERM."""
        for number, name in ((signal.SIGKILL, "Killed"), (signal.SIGSEGV, "Segmentation fault")):
            process = running(sys.executable, "-c", sleeper)
            os.kill(int((l.folder / "ready1").read_text()), number)
            line = one_line(finish(process))
            contains(line, f"rank 1 on host {host}", sys.executable, f"signal {int(number)} ({name})", "the job is ended")
            same(process.returncode, 128 + number)

    def exit_before_init():
        result = l.run("-n", 3, "sh", "-c", "[ $PMI_RANK = 2 ] && exit 3; sleep 600")
        contains(one_line(result.err), f"rank 2 on host {host} (sh, process ", "exited with code 3")
        same(result.code, 3)

    def stopped_ranks_end_too():
        result = l.run("-n", 2, "sh", "-c", "[ $PMI_RANK = 0 ] && kill -STOP $$; sleep 0.1; exit 4")
        same(result.code, 4)

    def process_trees():
        """Grandchildren, in sessions of their own and deaf to SIGTERM, end with the job."""
        script = ("setsid sh -c \"trap '' TERM; sleep 600; sleep 600\" & sleep 600 & : > ready$PMI_RANK; sleep 0.2; "
                  "[ $PMI_RANK = 1 ] && exit 5; wait")
        process = running("sh", "-c", script)
        finish(process)
        same(process.returncode, 5)
        same(l.leftovers(0), None)

    def killed_launcher():
        """kill -9 of mpiexec itself."""
        script = "setsid sh -c 'sleep 600; true' & : > ready$PMI_RANK; trap '' TERM HUP; wait; sleep 600"
        for words in (("sh", "-c", script), (sys.executable, "-c", sleeper)):
            process = running(*words)
            process.kill()
            process.wait()
            same(l.leftovers(), None)
            process.communicate()

    def killed_agent():
        script = "setsid sh -c 'sleep 600; true' & : > ready$PMI_RANK; sleep 600"
        process = running("sh", "-c", script)
        os.kill(children(process.pid)[0], signal.SIGKILL)
        contains(one_line(finish(process)), "signal 9")
        same(process.returncode, 137)
        same(l.leftovers(0), None)

    def killed_launcher_and_agent():
        """Both at once: direct children die with the agent."""
        process = running(sys.executable, "-c", sleeper)
        agent = children(process.pid)[0]
        os.kill(process.pid, signal.SIGSTOP)  # so that it cannot help
        os.kill(agent, signal.SIGKILL)
        process.kill()
        process.communicate()
        same(l.leftovers(), None)

    def fifty_times():
        seconds = []
        for i in range(50):
            result = l.run("-n", 4, "sh", "-c", f"[ $PMI_RANK = {i % 4} ] && kill -9 $$; sleep 600")
            same(result.code, 137)
            one_line(result.err)
            same(l.leftovers(0), None)
            seconds.append(result.seconds)
        if median(seconds) > 1:
            raise Failure(f"of {len(seconds)} jobs half took more than {median(seconds):.2f} s to end")

    return [(f"failure: {f.__name__}", f) for f in (
        killed_rank, exit_before_init, stopped_ranks_end_too, process_trees, killed_launcher, killed_agent,
        killed_launcher_and_agent, fifty_times)]
