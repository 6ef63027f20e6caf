// SPDX-License-Identifier: BSD-3-Clause
// As much of spawning as works under launchers of others, too: the program spawns itself, twice; what is not there cannot be
// spawned.
// run: oracle=no
#include <limits.h>
#include <unistd.h>

#include "../check.h"

static char self[PATH_MAX];

static int child(const char* text) {
  MPI_Comm parent;
  int rank, remote, word = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK_OK(MPI_Comm_get_parent(&parent));
  CHECK(parent != MPI_COMM_NULL);
  CHECK_STR(text, "two words");
  CHECK_OK(MPI_Comm_remote_size(parent, &remote));
  CHECK_OK(MPI_Bcast(&word, 1, MPI_INT, 0, parent));
  CHECK_EQ(word, remote);
  int report[2] = {rank, atomic_load(&check_failures)};
  CHECK_OK(MPI_Gather(report, 2, MPI_INT, NULL, 0, MPI_INT, 0, parent));
  CHECK_OK(MPI_Comm_disconnect(&parent));
  MPI_Finalize();
  return 0;
}

static void spawn_twice(void) {
  enum { kChildren = 2 };
  char* arguments[] = {"two words", NULL};
  const int root = 0, role = check_rank == root ? MPI_ROOT : MPI_PROC_NULL;
  for (int round = 0; round < 2; round++) {
    MPI_Comm inter;
    int codes[kChildren] = {-1, -1}, reports[kChildren][2], remote;
    CHECK_OK(MPI_Comm_spawn(self, arguments, kChildren, MPI_INFO_NULL, root, MPI_COMM_WORLD, &inter, codes));
    CHECK_OK(MPI_Comm_remote_size(inter, &remote));
    CHECK_EQ(remote, kChildren);
    CHECK_OK(MPI_Bcast(&check_size, 1, MPI_INT, role, inter));
    CHECK_OK(MPI_Gather(NULL, 0, MPI_INT, reports, 2, MPI_INT, role, inter));
    for (int i = 0; i < kChildren; i++) {
      CHECK_EQ(codes[i], MPI_SUCCESS);
      if (check_rank != root) continue;
      CHECK_EQ(reports[i][0], i);
      CHECK_EQ(reports[i][1], 0);
    }
    CHECK_OK(MPI_Comm_disconnect(&inter));
  }
}

static void nothing_there(void) {
  MPI_Comm inter;
  CHECK_CLASS(MPI_Comm_spawn("/nonexistent/program", NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE),
              MPI_ERR_SPAWN);
  CHECK_CLASS(MPI_Comm_spawn("no-program-of-this-name", NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE),
              MPI_ERR_SPAWN);
}

static const CheckCase cases[] = {{"spawn_twice", spawn_twice, 0}, {"nothing_there", nothing_there, 0}};

int main(int argc, char** argv) {
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return EXIT_FAILURE;
  MPI_Init(&argc, &argv);
  if (argc > 1) return child(argv[1]);
  int failed = check_run(cases, (int)(sizeof cases / sizeof *cases));
  MPI_Finalize();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
