# SPDX-License-Identifier: BSD-3-Clause
"""Dynamic processes: jobs that meet, jobs that spawn others, and what happens to all of them when somebody is killed."""
import os
import re
import signal
import subprocess

from cases_mpi import compile_program
from harness import Failure, contains, same

PROGRAM = r"""
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* Usage: program accept|connect SERVICE: meets another job by a published name.
 *        program serve|visit FILE: by a port name in a file.
 *        program spawn [child's way]: starts two of itself, which go that way: fine, abort, kill, wait, alone. */
static int meet(const char* what, const char* name) {
  char port[MPI_MAX_PORT_NAME] = "";
  int rank, size, sum = 0;
  MPI_Comm inter;
  FILE* file;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!strcmp(what, "accept") || !strcmp(what, "serve")) {
    if (rank == 0) {
      MPI_Open_port(MPI_INFO_NULL, port);
      if (!strcmp(what, "accept")) {
        MPI_Publish_name(name, MPI_INFO_NULL, port);
      } else {
        char part[1000];
        snprintf(part, sizeof part, "%s.part", name);
        file = fopen(part, "w");
        fprintf(file, "%s\n", port);
        fclose(file);
        rename(part, name);
      }
    }
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter);
  } else {
    if (rank == 0 && !strcmp(what, "connect")) {
      MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
      while (MPI_Lookup_name(name, MPI_INFO_NULL, port) != MPI_SUCCESS) usleep(10000);
      MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    } else if (rank == 0) {
      while (!(file = fopen(name, "r"))) usleep(10000);
      if (fscanf(file, "%s", port) != 1) return 1;
      fclose(file);
    }
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter);
  }
  rank++;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
  MPI_Comm_remote_size(inter, &size);
  printf("%s %d met %d sum %d\n", what, rank - 1, size, sum);
  if (!strcmp(what, "accept") && rank == 1) MPI_Unpublish_name(name, MPI_INFO_NULL, port);
  MPI_Comm_disconnect(&inter);
  return 0;
}

static int spawn(char* self, char* way) {
  char* arguments[] = {"child", way, NULL};
  int value = 0, rank;
  MPI_Comm inter;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_spawn(self, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE);
  MPI_Bcast(&rank, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
  if (!strcmp(way, "alone")) {
    MPI_Comm_disconnect(&inter);
    return 0;
  }
  if (rank == 0) MPI_Recv(&value, 1, MPI_INT, 1, 1, inter, MPI_STATUS_IGNORE);
  MPI_Comm_disconnect(&inter);
  if (rank == 0) printf("the child said %d\n", value);
  return 0;
}

static int child(const char* way) {
  int rank, value = 5;
  MPI_Comm parent;
  MPI_Comm_get_parent(&parent);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&value, 1, MPI_INT, 0, parent);
  if (!strcmp(way, "alone")) {
    MPI_Comm_disconnect(&parent);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("the child is alone\n");
    return 3;
  }
  value = 42;
  if (rank == 1) {
    if (!strcmp(way, "abort")) MPI_Abort(MPI_COMM_WORLD, 9);
    if (!strcmp(way, "kill")) kill(getpid(), SIGKILL);
    if (strcmp(way, "fine")) {
      printf("waiting\n");
      fflush(stdout);
      sleep(600);
    }
    MPI_Send(&value, 1, MPI_INT, 0, 1, parent);
  }
  MPI_Comm_disconnect(&parent);
  return 0;
}

int main(int argc, char** argv) {
  int code;
  MPI_Init(&argc, &argv);
  if (!strcmp(argv[1], "spawn"))
    code = spawn(argv[0], argc > 2 ? argv[2] : "fine");
  else if (!strcmp(argv[1], "child"))
    code = child(argv[2]);
  else
    code = meet(argv[1], argv[2]);
  MPI_Finalize();
  return code;
}
"""


def cases(l):
    if not os.path.exists(l.named("mpicc")):
        return []
    program = l.folder / "dynamic-program"

    def build():
        compile_program(l, l.named("mpicc"), PROGRAM, program)

    def finish(process):
        out, err = process.communicate(timeout=120)
        if process.returncode:
            raise Failure(f"exit code {process.returncode}: {err}")
        return sorted(out.splitlines())

    def two_jobs(first, second, name, *options):
        one = l.start(*options, "-n", 3, program, first, name)
        two = l.start(*options, "-n", 2, program, second, name)
        same(finish(one), [f"{first} {r} met 2 sum 3" for r in range(3)])
        same(finish(two), [f"{second} {r} met 3 sum 6" for r in range(2)])

    def jobs_meet():
        two_jobs("serve", "visit", l.folder / "port")

    def singletons_meet():
        file = l.folder / "port-of-singletons"
        pair = [subprocess.Popen([str(program), what, str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 env=l.environment()) for what in ("serve", "visit")]  # fmt: skip
        same([finish(process) for process in pair], [["serve 0 met 1 sum 1"], ["visit 0 met 1 sum 1"]])

    def name_server():
        server = l.start(name="mpi_nameserver")
        try:
            reached = re.compile("cannot reach the name server")
            l.wait_for(lambda: not reached.search(l.run("-nameserver", "localhost", "-n", 1, "true").err), "the name server")
            two_jobs("accept", "connect", f"service {os.getpid()}", "-nameserver", "localhost")
            # A job is told when there is no server.
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate()
        result = l.run("-nameserver", "localhost", "-n", 1, "true")
        contains(result.err, "has mpi_nameserver been started?")
        same(result.code != 0, True)

    def spawn():
        for ranks in (1, 3):
            result = l.run("-n", ranks, program, "spawn")
            same((result.code, result.err, result.out), (0, "", "the child said 42\n"))

    def singleton_spawns():
        process = subprocess.Popen([str(program), "spawn"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   stdin=subprocess.DEVNULL, env=l.environment())  # fmt: skip
        same(finish(process), ["the child said 42"])

    def child_fails():
        for way, text in (("abort", "aborted the job with code 9"), ("kill", "signal 9 (Killed)")):
            result = l.run("-n", 2, program, "spawn", way)
            same(result.code != 0, True, way)
            contains(result.err, "rank 1 on host", text, "the job is ended")

    def child_alone():
        result = l.run("-n", 2, program, "spawn", "alone")
        same((result.code, result.err, result.lines()), (3, "", ["the child is alone"] * 2))

    def killed():
        """kill -9 of every process of the tree in turn: nothing is left (the caller looks)."""
        for victim in range(7):
            process = l.start("-n", 2, program, "spawn", "wait")
            process.stdout.readline()
            tree = l.tree(process.pid)
            if len(tree) != 7:  # front, agent, 2 ranks, agent, 2 ranks
                raise Failure(f"the tree is {tree}")
            os.kill(tree[victim], signal.SIGKILL)
            process.communicate(timeout=120)
            same(process.returncode != 0, True, f"victim {victim}")
            if problem := l.leftovers():
                raise Failure(f"victim {victim}: {problem}")

    return [(f"dynamic: {f.__name__}", f) for f in (build, jobs_meet, singletons_meet, name_server, spawn, singleton_spawns,
                                                    child_fails, child_alone, killed)]  # fmt: skip
