# SPDX-License-Identifier: BSD-3-Clause
"""PMI, programs of other MPI libraries, and programs of ours."""
import os
import subprocess
import sys

from harness import Failure, contains, one_line, same

PROGRAM = r"""
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* Usage: program fine|abort|leave|exit5|kill|late4: what the last rank does. */
int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "fine";
  int rank, size, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == size - 1) {
    if (!strcmp(what, "abort")) MPI_Abort(MPI_COMM_WORLD, 7);
    if (!strcmp(what, "leave")) _exit(0);
    if (!strcmp(what, "exit5")) _exit(5);
    if (!strcmp(what, "kill")) kill(getpid(), SIGKILL);
  }
  if (strcmp(what, "fine") && strcmp(what, "late4")) sleep(600);
  printf("%d of %d sum %d\n", rank, size, sum);
  MPI_Finalize();
  return !strcmp(what, "late4") && rank == size - 1 ? 4 : 0;
}
"""

UNRECEIVED = r"""
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
/* Usage: program file: rank 0 goes to MPI_Finalize with two messages under way; rank 1 receives them when the file is there. */
int main(int argc, char** argv) {
  int rank, small = 0;
  char* large = calloc(1, 1000000);
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Isend(large, 1000000, MPI_BYTE, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Issend(&small, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  } else {
    while (access(argv[1], F_OK)) usleep(10000);
    MPI_Recv(&small, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(large, 1000000, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  free(large);
  return 0;
}
"""


def compile_program(l, compiler, text, program):
    source = l.folder / "program.c"
    source.write_text(text)
    clean = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    done = subprocess.run([compiler, str(source), "-o", str(program)], capture_output=True, text=True, env=clean)
    if done.returncode:
        raise Failure(done.stderr)


def mpi_cases(l, name, compiler, env, wrapped):
    """The same cases for every MPI. `wrapped`: its programs are watched even behind a shell that hides how they end."""
    program = l.folder / f"program-{name}"

    def build():
        compile_program(l, compiler, PROGRAM, program)

    def sizes():
        for ranks in (1, 2, 3, 4, 8):
            result = l.run("-n", ranks, program, env=env, timeout=300)
            same((result.code, result.err), (0, ""))
            same(result.lines(), sorted(f"{r} of {ranks} sum {ranks * (ranks - 1) // 2}" for r in range(ranks)))

    def failures():
        for what, code, text in (("abort", 7, "aborted the job with code 7"),
                                 ("leave", 1, "exited without calling MPI_Finalize"),
                                 ("exit5", 5, "exited with code 5 without calling MPI_Finalize"),
                                 ("kill", 137, "signal 9 (Killed)")):
            result = l.run("-n", 3, program, what, env=env)
            same(result.code, code, what)
            contains(one_line(result.err), "rank 2 on host", str(program), text, "the job is ended")

    def nonzero_after_finalize():
        result = l.run("-n", 3, program, "late4", env=env)
        same((result.code, result.err, len(result.lines())), (4, "", 3))

    def behind_a_shell():
        same(l.run("-n", 2, "sh", "-c", f"{program}; true", env=env).code, 0)
        for what in ("leave", "kill"):
            result = l.run("-n", 2, "sh", "-c", f"{program} {what}; true", env=env)
            same(result.code, 1, what)
            contains(one_line(result.err), "rank 1", "without calling MPI_Finalize")
            if wrapped:  # the shell goes on, the job does not
                result = l.run("-n", 2, "sh", "-c", f"{program} {what}; sleep 600", env=env)
                contains(one_line(result.err), "rank 1", "ended without calling MPI_Finalize")

    return [(f"{name}: {f.__name__}", f) for f in (build, sizes, failures, nonzero_after_finalize, behind_a_shell)]


def cases(l):
    client = [sys.executable, os.path.join(l.here, "pmi_client.py")]

    def protocol(version):
        for ranks in (1, 2, 5):
            result = l.run("-n", ranks, *client, version)
            same((result.code, result.err), (0, ""))

    def pmi1():
        protocol(1)

    def pmi2():
        protocol(2)

    def job_names():
        """Differ even if process numbers come again: other libraries name their shared memory after the job."""
        random_parts = {l.run("-n", 1, *client, "name").out.strip().split("_")[2] for _ in range(3)}
        same([len(part) for part in random_parts], [16] * 3)

    def pmi_failures():
        result = l.run("-n", 2, *client, "abort1")
        same(result.code, 9)
        contains(one_line(result.err), "rank 1", "aborted the job with code 9")
        same(l.run("-n", 2, *client, "abort2").code, 1)
        contains(one_line(l.run("-n", 2, *client, "leave1").err), "exited without calling MPI_Finalize")

    found = [(f"pmi: {f.__name__}", f) for f in (pmi1, pmi2, job_names, pmi_failures)]
    if l.mpich:
        libraries = {"LD_LIBRARY_PATH": os.path.join(l.mpich, "lib")}
        found += mpi_cases(l, "mpich", os.path.join(l.mpich, "bin/mpicc"), libraries, False)
    if l.impi:

        def imb():
            for ranks in (1, 2, 4):
                # -time: by default it leaves out what a busy machine has not done within ten seconds.
                result = l.run("-n", ranks, os.path.join(l.impi, "bin/IMB-MPI1"), "-iter", 10, "-time", 300, "-msglog", "2:3", "Allreduce",
                               env={"LD_LIBRARY_PATH": os.path.join(l.impi, "lib")}, timeout=300)
                same(result.code, 0)
                contains(result.out, f"#processes = {ranks}", "All processes entering MPI_Finalize")

        found.append(("impi: imb", imb))
    own = l.named("mpicc")
    if os.access(own, os.X_OK):
        found += mpi_cases(l, "starling", own, {}, True)

        def unreceived():
            """MPI_Finalize says for which message it waits, and goes on when that is received after all."""
            program, file = l.folder / "unreceived", l.folder / "go"
            compile_program(l, own, UNRECEIVED, program)
            process = l.start("-timeout", 60, "-n", 2, program, file, env={"MVP_FINALIZE_PATIENCE": "1"})
            line = process.stderr.readline()
            file.touch()
            rest = process.communicate(timeout=60)[1]
            same((process.returncode, rest), (0, ""))
            contains(line, "rank 0 still waits in MPI_Finalize", "1000000 bytes", "tag 7", "rank 1 of MPI_COMM_WORLD", "and 1 more")

        found.append(("starling: unreceived", unreceived))
    return found
