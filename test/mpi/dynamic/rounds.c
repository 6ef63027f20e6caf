// SPDX-License-Identifier: BSD-3-Clause
// A thousand rounds of spawn and disconnect leave nothing behind: no descriptors, no mappings, no processes.
// run: ranks=1,2 timeout=600 oracle=no
#include <dirent.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

enum { kRounds = 1000, kWarmUp = 20 };
static char self[PATH_MAX];

static int entries(const char* path) {
  int n = 0;
  DIR* directory = opendir(path);
  while (directory && readdir(directory)) n++;
  if (directory) closedir(directory);
  return n;
}

static int mappings(void) {
  int lines = 0;
  FILE* file = fopen("/proc/self/maps", "r");
  for (int c; file && (c = getc(file)) != EOF;) lines += c == '\n';
  if (file) fclose(file);
  return lines;
}

// Descriptors of the agent, our parent.
static int agent_descriptors(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/fd", (long)getppid());
  return entries(path);
}

// Children of the agent: the ranks, and agents of spawned jobs.
static int agent_children(void) {
  char path[96];
  int children = 0, process;
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)getppid(), (long)getppid());
  FILE* file = fopen(path, "r");
  while (file && fscanf(file, "%d", &process) == 1) children++;
  if (file) fclose(file);
  return children;
}

static void one_round(int round) {
  char* arguments[] = {"child", NULL};
  int value = round, answer = -1;
  MPI_Comm inter;
  CHECK_OK(MPI_Comm_spawn(self, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE));
  CHECK_OK(MPI_Bcast(&value, 1, MPI_INT, check_rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter));
  if (check_rank == 0) {
    CHECK_OK(MPI_Recv(&answer, 1, MPI_INT, 0, 1, inter, MPI_STATUS_IGNORE));
    CHECK_EQ(answer, round + 1);
  }
  CHECK_OK(MPI_Comm_disconnect(&inter));
}

static void settle(void) {
  const struct timespec pause = {0, 1000000};
  for (int tries = 0; tries < 5000 && agent_children() > check_size; tries++) nanosleep(&pause, NULL);
}

static void rounds(void) {
  for (int i = 0; i < kWarmUp; i++) one_round(i);
  settle();
  const int files = entries("/proc/self/fd"), maps = mappings(), agent_files = agent_descriptors();
  for (int i = 0; i < kRounds; i++) one_round(i);
  settle();
  CHECK_EQ(entries("/proc/self/fd"), files);
  CHECK(mappings() <= maps + 8);  // the heap may have grown in some pieces
  CHECK(agent_descriptors() <= agent_files);
  CHECK_EQ(agent_children(), check_size);
}

static int child(void) {
  int value;
  MPI_Comm parent;
  MPI_Comm_get_parent(&parent);
  MPI_Bcast(&value, 1, MPI_INT, 0, parent);
  value++;
  MPI_Send(&value, 1, MPI_INT, 0, 1, parent);
  MPI_Comm_disconnect(&parent);
  MPI_Finalize();
  return 0;
}

static const CheckCase cases[] = {{"rounds", rounds, 0}};

int main(int argc, char** argv) {
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return EXIT_FAILURE;
  MPI_Init(&argc, &argv);
  if (argc > 1) return child();
  int failed = check_run(cases, 1);
  MPI_Finalize();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
