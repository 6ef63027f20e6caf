# SPDX-License-Identifier: BSD-3-Clause
"""Signals, timeouts, exit codes, the terminal."""
import os
import pty
import signal
import time

from harness import PATIENCE_S, Failure, command, contains, same, state


def cases(l):
    def started(script, *words, ranks=2, **options):
        """Starts ranks that write a file each when they are ready, and waits for the files."""
        for rank in range(ranks):
            (l.folder / f"ready{rank}").unlink(missing_ok=True)
        process = l.start("-n", ranks, *words, "sh", "-c", script.replace("READY", ": > ready$PMI_RANK"), **options)
        l.wait_for(lambda: all((l.folder / f"ready{rank}").exists() for rank in range(ranks)), "the ranks to start")
        return process

    def both_sleep():
        """A shell catches SIGINT for itself and loses one that comes while it turns into its last command: wait for that command."""
        l.wait_for(lambda: sum(command(process) == "sleep 600" for process in l.marked()) == 2, "the ranks to sleep")

    def exit_codes():
        same(l.run("-n", 2, "true").code, 0)
        same(l.run("-n", 2, "sh", "-c", "exit 7").code, 7)
        result = l.run("-n", 3, "-disable-auto-cleanup", "-print-all-exitcodes", "sh", "-c", "exit $PMI_RANK")
        same(result.code, 2)
        contains(result.err, "] 0,1,2")
        same(l.run("-n", 2, "sh", "-c", "kill -9 $$").code, 137)

    def timeout():
        for words, env in ((["-timeout", 1], {}), ([], {"MPIEXEC_TIMEOUT": "1"}), (["MVP_MPIRUN_TIMEOUT=1"], {})):
            result = l.run("-n", 2, *words, "sleep", "600", env=env)
            same(result.code, 124)
            contains(result.err, "longer than its limit of 1 s")
            assert result.seconds > 0.9, result.seconds

    def ended_by(number):
        process = started("READY; sleep 600")
        both_sleep()
        os.kill(process.pid, number)
        out, err = process.communicate(timeout=PATIENCE_S)
        same(process.returncode, 128 + number)
        same(err, "")

    def interrupt():
        ended_by(signal.SIGINT)

    def terminate():
        ended_by(signal.SIGTERM)

    def handled_signal():
        process = started("trap 'echo bye $PMI_RANK; exit 0' TERM; READY; while :; do sleep 0.05; done")
        os.kill(process.pid, signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE_S)
        same((process.returncode, sorted(out.split("\n"))), (0, ["", "bye 0", "bye 1"]))

    def second_signal_kills():
        process = started("trap '' INT TERM; READY; while :; do sleep 0.05; done")
        os.kill(process.pid, signal.SIGINT)
        time.sleep(0.1)
        same(process.poll(), None)
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)
        same(process.returncode, 137)

    def ignored_signal_ends_anyway():
        process = started("trap '' TERM; READY; while :; do sleep 0.05; done")
        begin = time.monotonic()
        os.kill(process.pid, signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
        assert time.monotonic() - begin > 4

    def user_signals():
        process = started("trap 'echo one' USR1; trap 'echo two; exit 0' USR2; READY; while :; do sleep 0.05; done")
        os.kill(process.pid, signal.SIGUSR1)
        time.sleep(0.3)
        os.kill(process.pid, signal.SIGUSR2)
        out, err = process.communicate(timeout=PATIENCE_S)
        same((process.returncode, sorted(out.split())), (0, ["one", "one", "two", "two"]))

    def suspend_and_resume():
        go_on = l.folder / "go-on"
        go_on.unlink(missing_ok=True)
        # Without child processes: a shell whose child is stopped before it runs its program waits for that, and does not stop.
        process = started("echo $$ > pid$PMI_RANK; READY; while ! [ -e go-on ]; do :; done; echo done")
        ranks = [int((l.folder / f"pid{rank}").read_text()) for rank in range(2)]
        os.kill(process.pid, signal.SIGTSTP)
        l.wait_for(lambda: all(state(p) == "T" for p in [process.pid, *ranks]), "all to stop")
        go_on.touch()
        time.sleep(0.3)
        same([state(p) for p in [process.pid, *ranks]], ["T"] * 3)
        os.kill(process.pid, signal.SIGCONT)
        out, err = process.communicate(timeout=PATIENCE_S)
        same((process.returncode, out), (0, "done\ndone\n"))

    def nohup():
        process = started("READY; sleep 0.5; echo survived", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        os.kill(process.pid, signal.SIGHUP)
        out, err = process.communicate(timeout=PATIENCE_S)
        same((process.returncode, out), (0, "survived\nsurvived\n"))

    def closed_output():
        process = started("READY; while echo x; do :; done", "-l")
        process.stdout.close()
        process.stdout = None
        process.communicate(timeout=PATIENCE_S)
        if process.returncode == 0:
            raise Failure("ranks that nobody reads should end by SIGPIPE")

    def terminal_reads():
        """Rank 0 reads what is typed; Ctrl-C reaches all ranks."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(l.folder)
            script = "[ $PMI_RANK = 0 ] && read line && echo got $line; sleep 600"
            os.execve(l.mpiexec, ["mpiexec", "-n", "2", "sh", "-c", script], l.environment())
        os.write(terminal, b"words\n")
        text = b""
        while b"got words" not in text:
            text += os.read(terminal, 1024)
        both_sleep()
        os.write(terminal, b"\x03")
        try:
            while os.read(terminal, 1024):
                pass
        except OSError:
            pass
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        same(os.waitstatus_to_exitcode(status), 130)

    def background_processes_end():
        result = l.run("-n", 2, "sh", "-c", "sleep 600 & setsid sleep 600 & echo done")
        same((result.code, result.out), (0, "done\ndone\n"))

    def many_ranks():
        result = l.run("-n", 64, "sh", "-c", "echo $PMI_RANK")
        same((result.code, result.lines()), (0, sorted(str(rank) for rank in range(64))))

    return [(f"control: {f.__name__}", f) for f in (
        exit_codes, timeout, interrupt, terminate, handled_signal, second_signal_kills, ignored_signal_ends_anyway,
        user_signals, suspend_and_resume, nohup, closed_output, terminal_reads, background_processes_end, many_ranks)]
