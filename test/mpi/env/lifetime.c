// SPDX-License-Identifier: BSD-3-Clause
// From before MPI_Init to after MPI_Finalize: the calls allowed at any time, the order of callbacks at the end, clocks and
// versions.
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

static int order[3], deleted;

static int note_deletion(MPI_Comm comm, int keyval, void* value, void* state) {
  int finalized = -1;
  (void)comm, (void)keyval, (void)state;
  MPI_Finalized(&finalized);
  if (deleted < 3) order[deleted++] = finalized ? -1 : *(int*)value;  // MPI is still usable
  return MPI_SUCCESS;
}

// True if all that may be called at any time can be called now.
static int callable_at_any_time(int initialized_now, int finalized_now) {
  int flag = -1, version = 0, subversion = -1, length = 0;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int good = MPI_Initialized(&flag) == MPI_SUCCESS && flag == initialized_now;
  good = good && MPI_Finalized(&flag) == MPI_SUCCESS && flag == finalized_now;
  good =
      good && MPI_Get_version(&version, &subversion) == MPI_SUCCESS && version == MPI_VERSION && subversion == MPI_SUBVERSION;
  good = good && MPI_Get_library_version(text, &length) == MPI_SUCCESS && length > 0 && (int)strlen(text) == length;
  return good;
}

static int good_before;

static void before_init(void) { CHECK(good_before); }

static void states(void) {
  int flag = -1, level = -1;
  CHECK(callable_at_any_time(1, 0));
  CHECK_OK(MPI_Is_thread_main(&flag));
  CHECK_EQ(flag, 1);
  CHECK_OK(MPI_Query_thread(&level));
  CHECK(level >= MPI_THREAD_SINGLE && level <= MPI_THREAD_MULTIPLE);
  CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED &&
        MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
}

static void clocks(void) {
  double tick = MPI_Wtick(), start = MPI_Wtime(), before = start;
  CHECK(tick > 0 && tick <= 1e-3);
  for (int i = 0; i < 10000; i++) {
    double now = MPI_Wtime();
    if (!CHECK(now >= before)) break;
    before = now;
  }
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  CHECK(MPI_Wtime() - start >= 0.019);
  CHECK(MPI_Wtime() - start < 250);  // seconds, on a machine however busy
}

// More ranks than processors are moved to one each in MPI_Init, and left free again.
static cpu_set_t processors_before;

static void processors(void) {
  cpu_set_t now;
  CHECK_EQ(sched_getaffinity(0, sizeof now, &now), 0);
  CHECK(CPU_EQUAL(&now, &processors_before));
}

static void processor_name(void) {
  char name[MPI_MAX_PROCESSOR_NAME], host[256];
  int length = -1;
  CHECK_OK(MPI_Get_processor_name(name, &length));
  CHECK_EQ(strlen(name), length);
  CHECK_EQ(gethostname(host, sizeof host), 0);
  CHECK(strncmp(name, host, strlen(host)) == 0 || strncmp(host, name, strlen(name)) == 0);
}

static void memory(void) {
  char* block = NULL;
  CHECK_OK(MPI_Alloc_mem(1000000, MPI_INFO_NULL, &block));
  check_fill(block, 1000000, 3);
  MPI_Request request;
  char* in = check_alloc(1000000);
  CHECK_OK(MPI_Irecv(in, 1000000, MPI_BYTE, (check_rank + check_size - 1) % check_size, 0, MPI_COMM_WORLD, &request));
  CHECK_OK(MPI_Send(block, 1000000, MPI_BYTE, (check_rank + 1) % check_size, 0, MPI_COMM_WORLD));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK_PATTERN(in, 1000000, 3);
  CHECK_OK(MPI_Free_mem(block));
  free(in);
}

static void environment(void) {
  char value[MPI_MAX_INFO_VAL + 1];
  int flag = 0, keys = -1;
  CHECK_OK(MPI_Info_get_nkeys(MPI_INFO_ENV, &keys));
  CHECK(keys >= 0);
  CHECK_OK(MPI_Info_get(MPI_INFO_ENV, "no such key", MPI_MAX_INFO_VAL, value, &flag));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Pcontrol(1));
}

static const CheckCase kCases[] = {
    {"before init", before_init, 0},
    {"states", states, 0},
    {"clocks", clocks, 0},
    {"processors", processors, 0},
    {"processor name", processor_name, 0},
    {"memory", memory, 0},
    {"environment", environment, 0},
};

int main(int argc, char** argv) {
  static int values[3] = {1, 2, 3};
  int keys[3];
  good_before = callable_at_any_time(0, 0);
  sched_getaffinity(0, sizeof processors_before, &processors_before);
  MPI_Init(&argc, &argv);
  int failed = check_run(kCases, (int)(sizeof kCases / sizeof *kCases));
  for (int i = 0; i < 3; i++) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_deletion, &keys[i], NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[i], &values[i]);
  }
  MPI_Finalize();
  // Finalize deletes the attributes of MPI_COMM_SELF first, the last one set first.
  int good = deleted == 3 && order[0] == 3 && order[1] == 2 && order[2] == 1;
  if (!good)
    fprintf(stderr, "attributes of MPI_COMM_SELF at the end: %d deleted, %d %d %d\n", deleted, order[0], order[1], order[2]);
  if (!callable_at_any_time(1, 1)) good = 0, fprintf(stderr, "wrong state after MPI_Finalize\n");
  return failed || !good ? EXIT_FAILURE : EXIT_SUCCESS;
}
