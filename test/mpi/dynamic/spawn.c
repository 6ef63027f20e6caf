// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_spawn and what can be done with the processes that it makes. The program spawns itself: argument 1 says what a child
// does.
// run: oracle=no
#include <limits.h>
#include <unistd.h>

#include "../check.h"

static char self[PATH_MAX];

// What parents and children do together.
static void talk(MPI_Comm inter, int remote, int is_child) {
  enum { kLong = 200000 };
  int rank, size, all = 0;
  unsigned char *in = check_alloc(kLong), *out = check_alloc(kLong);
  MPI_Comm merged, copy;
  CHECK_OK(MPI_Comm_rank(inter, &rank));
  CHECK_OK(MPI_Comm_size(inter, &size));
  // Everybody with everybody on the other side.
  check_fill(out, kLong, 3);
  for (int peer = 0; peer < remote; peer++) {
    MPI_Request requests[2];
    const int bytes = peer % 2 == rank % 2 ? kLong : 17;
    memset(in, 0, kLong);
    CHECK_OK(MPI_Irecv(in, kLong, MPI_BYTE, peer, 4, inter, &requests[0]));
    CHECK_OK(MPI_Isend(out, bytes, MPI_BYTE, peer, 4, inter, &requests[1]));
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_PATTERN(in, bytes, 3);
  }
  CHECK_OK(MPI_Intercomm_merge(inter, is_child, &merged));
  int one = 1, merged_rank;
  CHECK_OK(MPI_Comm_rank(merged, &merged_rank));
  CHECK_EQ(merged_rank, is_child ? remote + rank : rank);
  CHECK_OK(MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, merged));
  CHECK_EQ(all, size + remote);
  CHECK_OK(MPI_Comm_dup(merged, &copy));
  CHECK_OK(MPI_Comm_free(&merged));
  // A window over both jobs.
  int *memory, value = -1;
  MPI_Win win;
  CHECK_OK(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, copy, &memory, &win));
  *memory = -5;
  CHECK_OK(MPI_Win_fence(0, win));
  const int next = (merged_rank + 1) % all;
  CHECK_OK(MPI_Put(&merged_rank, 1, MPI_INT, next, 0, 1, MPI_INT, win));
  CHECK_OK(MPI_Win_fence(0, win));
  CHECK_EQ(*memory, (merged_rank + all - 1) % all);
  CHECK_OK(MPI_Get(&value, 1, MPI_INT, next, 0, 1, MPI_INT, win));
  CHECK_OK(MPI_Win_fence(0, win));
  CHECK_EQ(value, merged_rank);
  CHECK_OK(MPI_Win_free(&win));
  CHECK_OK(MPI_Comm_disconnect(&copy));
  free(in);
  free(out);
}

static int child(const char* what) {
  MPI_Comm parent;
  int remote, flag, *value;
  check_case_name = what;
  MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &check_size);
  CHECK_OK(MPI_Comm_get_parent(&parent));
  CHECK(parent != MPI_COMM_NULL);
  CHECK_OK(MPI_Comm_remote_size(parent, &remote));
  CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag));
  CHECK(flag);
  if (flag) CHECK_EQ(*value, strcmp(what, "second") == 0);
  if (strcmp(what, "leave") != 0) talk(parent, remote, 1);
  int failures = atomic_load(&check_failures), all;
  CHECK_OK(MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, parent));
  if (strcmp(what, "leave") != 0) {
    CHECK_OK(MPI_Comm_disconnect(&parent));
    CHECK_OK(MPI_Comm_get_parent(&parent));
    CHECK(parent == MPI_COMM_NULL);
  }
  MPI_Finalize();
  return 0;
}

// The number of failed checks of the children, which all have reported.
static void collect(MPI_Comm inter, int root) {
  int rank, failures = -1;
  CHECK_OK(MPI_Comm_rank(inter, &rank));
  CHECK_OK(MPI_Reduce(NULL, &failures, 1, MPI_INT, MPI_SUM, rank == root ? MPI_ROOT : MPI_PROC_NULL, inter));
  if (rank == root) CHECK_EQ(failures, 0);
}

static void spawn_from(MPI_Comm comm, int root, int n) {
  char* arguments[] = {"talk", "second argument", "", NULL};
  int rank, size, remote, codes[16];
  MPI_Comm inter;
  memset(codes, -1, sizeof codes);
  CHECK_OK(MPI_Comm_rank(comm, &rank));
  if (rank == root)
    CHECK_OK(MPI_Comm_spawn(self, arguments, n, MPI_INFO_NULL, root, comm, &inter, codes));
  else
    CHECK_OK(MPI_Comm_spawn(NULL, NULL, -1, MPI_INFO_NULL, root, comm, &inter, codes));
  for (int i = 0; i < n; i++) CHECK_EQ(codes[i], MPI_SUCCESS);
  CHECK_OK(MPI_Comm_size(comm, &size));
  CHECK_OK(MPI_Comm_remote_size(inter, &remote));
  CHECK_EQ(remote, n);
  talk(inter, n, 0);
  collect(inter, 0);
  CHECK_OK(MPI_Comm_disconnect(&inter));
}

static void from_world(void) { spawn_from(MPI_COMM_WORLD, check_size - 1, 3); }

// One after the other, since each spawns from MPI_COMM_SELF.
static void from_self(void) {
  for (int turn = 0; turn < check_size && turn < 2; turn++) {
    if (turn == check_rank) spawn_from(MPI_COMM_SELF, 0, 2);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
}

static void multiple(void) {
  char *commands[] = {self, self}, *first[] = {"first", NULL}, *second[] = {"second", NULL}, **arguments[] = {first, second};
  int counts[] = {1, 2}, codes[3] = {-1, -1, -1};
  MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm inter;
  CHECK_OK(MPI_Info_create(&infos[1]));
  CHECK_OK(MPI_Info_set(infos[1], "wdir", "/"));
  CHECK_OK(MPI_Info_set(infos[1], "host", "localhost"));
  CHECK_OK(MPI_Comm_spawn_multiple(2, commands, arguments, counts, infos, 0, MPI_COMM_WORLD, &inter, codes));
  for (int i = 0; i < 3; i++) CHECK_EQ(codes[i], MPI_SUCCESS);
  talk(inter, 3, 0);
  collect(inter, 0);
  CHECK_OK(MPI_Comm_disconnect(&inter));
  CHECK_OK(MPI_Info_free(&infos[1]));
}

// As many processes as the set of `soft` allows; the others are reported. The keys come from a file, but for one.
static void soft(void) {
  char *commands[] = {self, self}, *first[] = {"first", NULL}, *second[] = {"second", NULL}, **arguments[] = {first, second};
  int counts[] = {3, 5}, codes[8], remote, class;
  char path[64];
  MPI_Info infos[2];
  MPI_Comm inter;
  snprintf(path, sizeof path, "/tmp/starling-spawn-%d", (int)getpid());
  if (check_rank == 0) {
    FILE* file = fopen(path, "w");
    CHECK(file && fputs("# keys and values\nsoft 2:5:2\nwdir /nonexistent\n", file) >= 0 && fclose(file) == 0);
  }
  for (int i = 0; i < 2; i++) {
    CHECK_OK(MPI_Info_create(&infos[i]));
    CHECK_OK(MPI_Info_set(infos[i], "wdir", "/"));
  }
  CHECK_OK(MPI_Info_set(infos[0], "soft", "7,1"));
  CHECK_OK(MPI_Info_set(infos[1], "file", path));
  CHECK_OK(MPI_Comm_spawn_multiple(2, commands, arguments, counts, infos, 0, MPI_COMM_WORLD, &inter, codes));
  CHECK_OK(MPI_Comm_remote_size(inter, &remote));
  CHECK_EQ(remote, 1 + 4);
  for (int i = 0; i < 8; i++) {
    MPI_Error_class(codes[i], &class);
    CHECK_EQ(class, i == 0 || (i >= 3 && i < 7) ? MPI_SUCCESS : MPI_ERR_SPAWN);
  }
  talk(inter, remote, 0);
  collect(inter, 0);
  CHECK_OK(MPI_Comm_disconnect(&inter));
  CHECK_OK(MPI_Info_set(infos[0], "soft", "4:9"));
  CHECK_CLASS(MPI_Comm_spawn(self, first, 3, infos[0], 0, MPI_COMM_WORLD, &inter, codes), MPI_ERR_SPAWN);
  for (int i = 0; i < 2; i++) CHECK_OK(MPI_Info_free(&infos[i]));
  if (check_rank == 0) unlink(path);
}

// The child ends without disconnecting, which is right: MPI_Finalize.
static void child_leaves(void) {
  char* arguments[] = {"leave", NULL};
  MPI_Comm inter;
  CHECK_OK(MPI_Comm_spawn(self, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE));
  collect(inter, 0);
  CHECK_OK(MPI_Comm_disconnect(&inter));
}

static void errors(void) {
  int codes[2] = {0, 0}, class = 0;
  char* arguments[] = {NULL};
  MPI_Info info;
  MPI_Comm inter;
  CHECK_CLASS(MPI_Comm_spawn("/nonexistent/program", arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter, codes),
              MPI_ERR_SPAWN);
  for (int i = 0; i < 2; i++) {
    MPI_Error_class(codes[i], &class);
    CHECK_EQ(class, MPI_ERR_SPAWN);
  }
  CHECK_CLASS(MPI_Comm_spawn("/nonexistent/program", NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE),
              MPI_ERR_SPAWN);
  CHECK_OK(MPI_Info_create(&info));
  CHECK_OK(MPI_Info_set(info, "wdir", "/nonexistent"));
  CHECK_CLASS(MPI_Comm_spawn(self, NULL, 1, info, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE), MPI_ERR_SPAWN);
  CHECK_OK(MPI_Info_free(&info));
  // A program that does not use MPI never connects.
  CHECK_CLASS(MPI_Comm_spawn("/bin/true", NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE),
              MPI_ERR_SPAWN);
  CHECK_CLASS(MPI_Comm_spawn(self, NULL, 0, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE), MPI_ERR_ARG);
}

static void no_parent(void) {
  MPI_Comm parent;
  CHECK_OK(MPI_Comm_get_parent(&parent));
  CHECK(parent == MPI_COMM_NULL);
}

static const CheckCase cases[] = {
    {"no_parent", no_parent, 0},       {"from_world", from_world, 0}, {"from_self", from_self, 0}, {"multiple", multiple, 0},
    {"child_leaves", child_leaves, 0}, {"errors", errors, 0},         {"soft", soft, 0},
};

int main(int argc, char** argv) {
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return EXIT_FAILURE;
  MPI_Init(&argc, &argv);
  if (argc > 1) return child(argv[1]);
  int failed = check_run(cases, (int)(sizeof cases / sizeof *cases));
  MPI_Finalize();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
