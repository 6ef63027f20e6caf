// SPDX-License-Identifier: BSD-3-Clause
// run: oracle=no also=MVP_SMP_USE_CMA=0,MVP_ASYNC_PROGRESS_CORE=0:0:0
//
// MVP_ASYNC_PROGRESS=1: non-blocking operations complete while no thread of the application is inside of MPI; the thread that
// sees to that sleeps when there is nothing to do, and nobody notices it otherwise.
#define _GNU_SOURCE
#include <dirent.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

enum { kSeconds = 120 };  // after which something that should come by itself counts as lost

static void nap(void) {
  const struct timespec moment = {.tv_nsec = 1000000};
  nanosleep(&moment, NULL);
}

// Looks at memory only: whether the byte becomes `want`. No program may do so, which is why thread sanitizers do not watch this
// one.
__attribute__((no_sanitize_thread)) static int becomes(const unsigned char* byte, unsigned char want) {
  const time_t end = time(NULL) + kSeconds;
  while (*(const volatile unsigned char*)byte != want) {
    if (time(NULL) > end) return 0;
    nap();
  }
  return 1;
}

static void messages_of(int bytes, int synchronous) {
  const int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
  unsigned char *out = check_alloc((size_t)bytes), *in = check_alloc((size_t)bytes);
  MPI_Request requests[2];
  check_fill(out, (size_t)bytes, (unsigned)check_rank);
  out[bytes - 1] = 77;
  CHECK_OK(MPI_Irecv(in, bytes, MPI_BYTE, left, 5, MPI_COMM_WORLD, &requests[0]));
  CHECK_OK((synchronous ? MPI_Issend : MPI_Isend)(out, bytes, MPI_BYTE, right, 5, MPI_COMM_WORLD, &requests[1]));
  CHECK(becomes(&in[bytes - 1], 77));
  CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  CHECK_PATTERN(in, (size_t)bytes - 1, (unsigned)left);
  free(in);
  free(out);
}

static void messages(void) {
  static const int sizes[] = {8, 5000, 100000, 1 << 20, 5 << 20};
  for (int round = 0; round < 4; round++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) messages_of(sizes[i], round % 2);
}

// The last element of every rank's result appears without a further call.
static void collectives(void) {
  enum { kMost = 1 << 18 };
  int *in = check_alloc(kMost * sizeof(int)), *out = check_alloc(kMost * sizeof(int));
  for (int count = 16; count <= kMost; count *= 16) {
    MPI_Request request;
    for (int i = 0; i < count; i++) in[i] = 1, out[i] = 0;
    CHECK_OK(MPI_Iallreduce(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    CHECK(becomes((unsigned char*)&out[count - 1] + (*(char*)&(int){1} ? 0 : sizeof(int) - 1), (unsigned char)check_size));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < count; i++)
      if (!CHECK_EQ(out[i], check_size)) break;
    memset(out, 0, sizeof(int) * (size_t)count);
    if (check_rank == 0) memset(out, 1, sizeof(int) * (size_t)count);
    CHECK_OK(MPI_Ibcast(out, count, MPI_INT, 0, MPI_COMM_WORLD, &request));
    CHECK(becomes((unsigned char*)&out[count - 1], 1));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  free(in);
  free(out);
}

// The call that begins an operation leaves all of it to the helper, also where the others are waiting and it could be done at
// once.
static _Thread_local int beginning;
static int combined_at_once;
static void sum(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  combined_at_once |= beginning;
  for (int i = 0; i < *count; i++) ((int*)inout)[i] += ((int*)in)[i];
}

static void left_to_helper(void) {
  enum { kCount = 1 << 16, kRounds = 20 };
  int *in = check_alloc(kCount * sizeof(int)), *out = check_alloc(kCount * sizeof(int));
  MPI_Op op;
  CHECK_OK(MPI_Op_create(sum, 1, &op));
  combined_at_once = 0;
  for (int round = 0; round < kRounds; round++) {
    MPI_Request requests[2];
    int small = 1, sums = 0;
    for (int i = 0; i < kCount; i++) in[i] = round;
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < (check_size - 1 - check_rank) * 2; i++) nap();  // rank 0 comes last
    beginning = 1;
    CHECK_OK(MPI_Iallreduce(in, out, kCount, MPI_INT, op, MPI_COMM_WORLD, &requests[0]));
    CHECK_OK(MPI_Iallreduce(&small, &sums, 1, MPI_INT, op, MPI_COMM_WORLD, &requests[1]));
    beginning = 0;
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_EQ(out[kCount - 1], round * check_size);
    CHECK_EQ(sums, check_size);
  }
  CHECK(!combined_at_once);
  CHECK_OK(MPI_Op_free(&op));
  free(in);
  free(out);
}

// Also while the application only asks now and then.
static void with_tests(void) {
  enum { kCount = 1 << 16, kRounds = 20 };
  int *in = check_alloc(kCount * sizeof(int)), *out = check_alloc(kCount * sizeof(int));
  for (int round = 0; round < kRounds; round++) {
    MPI_Request request;
    int done = 0;
    for (int i = 0; i < kCount; i++) in[i] = round;
    CHECK_OK(MPI_Iallreduce(in, out, kCount, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
    while (!done) CHECK_OK(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    CHECK_EQ(out[kCount - 1], round * check_size);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
  free(in);
  free(out);
}

static void persistent(void) {
  unsigned char in[1000], out[1000];
  MPI_Request requests[2];
  const int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
  CHECK_OK(MPI_Recv_init(in, 1000, MPI_BYTE, left, 1, MPI_COMM_WORLD, &requests[0]));
  CHECK_OK(MPI_Ssend_init(out, 1000, MPI_BYTE, right, 1, MPI_COMM_WORLD, &requests[1]));
  for (unsigned char round = 1; round < 10; round++) {
    memset(in, 0, sizeof in);
    memset(out, round, sizeof out);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Startall(2, requests));
    CHECK(becomes(&in[999], round));
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  }
  for (int i = 0; i < 2; i++) CHECK_OK(MPI_Request_free(&requests[i]));
}

// How often the thread has gone to sleep; -1: it was not found.
static long sleeps(void) {
  long found = -1;
  DIR* tasks = opendir("/proc/self/task");
  for (struct dirent* entry; tasks && (entry = readdir(tasks));) {
    char path[300], line[200], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
    FILE* status = fopen(path, "r");
    if (!status) continue;
    while (fgets(line, sizeof line, status)) {
      sscanf(line, "Name: %31s", name);
      if (strcmp(name, "mpi-progress") == 0) sscanf(line, "voluntary_ctxt_switches: %ld", &found);
    }
    fclose(status);
  }
  if (tasks) closedir(tasks);
  return found;
}

static void nothing_to_do(void) {
  const time_t end = time(NULL) + kSeconds;
  long before;
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK(sleeps() >= 0);
  // What was begun before may keep it awake for a moment; then it does not wake up any more.
  for (int quiet = 0; quiet < 300 && time(NULL) < end; quiet++) {
    before = sleeps();
    nap();
    if (sleeps() != before) quiet = 0;
  }
  CHECK(time(NULL) < end);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
}

static void thread_level(void) {
  int level;
  CHECK_OK(MPI_Query_thread(&level));
  CHECK_EQ(level, MPI_THREAD_FUNNELED);
}

static void forks(void) {
  MPI_Request request;
  int in = 0;
  CHECK_OK(MPI_Irecv(&in, 1, MPI_INT, check_rank, 9, MPI_COMM_WORLD, &request));
  pid_t child = fork();
  if (child == 0) _exit(3);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  CHECK_OK(MPI_Send(&(int){42}, 1, MPI_INT, check_rank, 9, MPI_COMM_WORLD));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK_EQ(in, 42);
}

int main(int argc, char** argv) {
  static const CheckCase cases[] = {{"messages", messages, 2},
                                    {"collectives", collectives, 0},
                                    {"left to the helper", left_to_helper, 0},
                                    {"with tests", with_tests, 0},
                                    {"persistent", persistent, 2},
                                    {"nothing to do", nothing_to_do, 0},
                                    {"thread level", thread_level, 0},
                                    {"forks", forks, 0}};
  int provided;
  setenv("MVP_ASYNC_PROGRESS", "1", 1);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int failed = check_run(cases, (int)(sizeof cases / sizeof *cases));
#if MPI_VERSION >= 4
  // The thread goes on for a session, and ends with it.
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Finalize();
  failed |= sleeps() < 0;
  MPI_Session_finalize(&session);
  // A thread that was joined may still be listed for a moment.
  const time_t end = time(NULL) + kSeconds;
  while (sleeps() >= 0 && time(NULL) < end) nap();
  failed |= sleeps() >= 0;
#else
  MPI_Finalize();
#endif
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
