// SPDX-License-Identifier: BSD-3-Clause
//
// The harness of the MPI test programs: a table of cases, checks that name file and line, one closing line.
//
// A program lists its cases and calls check_main; nothing here depends on the MPI library under test, so that every program
// also runs on another MPI, which then serves as the oracle. A case is collective over MPI_COMM_WORLD: all ranks run it, and it
// fails if a check fails on any rank. A case that needs more ranks than the job has is left out and not counted. MPI errors
// return (MPI_ERRORS_RETURN on MPI_COMM_WORLD and MPI_COMM_SELF), and are reported by CHECK_OK.
//
// Threads: checks may be made by several threads at once.
#ifndef STARLING_TEST_CHECK_H_
#define STARLING_TEST_CHECK_H_

#include <mpi.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxReportsPerCase = 8 };

typedef struct CheckCase {
  const char* name;
  void (*run)(void);
  int min_ranks;  // 0: any number of ranks will do
} CheckCase;

static atomic_int check_failures;  // failed checks of this rank in the current case
static int check_rank;             // of this process in MPI_COMM_WORLD
static int check_size;             // of MPI_COMM_WORLD
static const char* check_case_name = "";

// Counts a failure, and reports it unless there were too many. One write a line, so that lines of different ranks do not mix.
__attribute__((format(printf, 3, 4))) static inline void check_failed(const char* file, int line, const char* format, ...) {
  char text[2048];
  va_list arguments;
  if (atomic_fetch_add(&check_failures, 1) >= kMaxReportsPerCase) return;
  int used = snprintf(text, sizeof text / 2, "%s:%d: %s, rank %d of %d: ", file, line, check_case_name, check_rank, check_size);
  va_start(arguments, format);
  used += vsnprintf(text + used, sizeof text - (size_t)used - 1, format, arguments);
  va_end(arguments);
  if ((size_t)used > sizeof text - 2) used = sizeof text - 2;
  memcpy(text + used, "\n", 2);
  fputs(text, stderr);
}

static inline int check_true(int ok, const char* text, const char* file, int line) {
  if (!ok) check_failed(file, line, "not true: %s", text);
  return ok;
}

static inline int check_equal(long long got, long long want, const char* text, const char* file, int line) {
  if (got != want) check_failed(file, line, "%s is %lld, not %lld", text, got, want);
  return got == want;
}

static inline int check_string(const char* got, const char* want, const char* text, const char* file, int line) {
  int ok = strcmp(got, want) == 0;
  if (!ok) check_failed(file, line, "%s is \"%s\", not \"%s\"", text, got, want);
  return ok;
}

static inline int check_bytes(const void* got, const void* want, size_t bytes, const char* text, const char* file, int line) {
  if (memcmp(got, want, bytes) == 0) return 1;
  size_t at = 0;
  while (((const unsigned char*)got)[at] == ((const unsigned char*)want)[at]) at++;
  check_failed(file, line, "%s differs at byte %zu of %zu", text, at, bytes);
  return 0;
}

// Checks that an MPI call returned the error class `want` (MPI_SUCCESS for a call that must work).
static inline int check_class(int code, int want, const char* text, const char* file, int line) {
  int class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
  if (class == want) return 1;
  char message[MPI_MAX_ERROR_STRING] = "success";
  int length;
  if (code != MPI_SUCCESS) MPI_Error_string(code, message, &length);
  check_failed(file, line, "%s gives class %d, not %d: %s", text, class, want, message);
  return 0;
}

#define CHECK(condition) check_true((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define CHECK_EQ(got, want) check_equal((long long)(got), (long long)(want), #got, __FILE__, __LINE__)
#define CHECK_STR(got, want) check_string(got, want, #got, __FILE__, __LINE__)
#define CHECK_BYTES(got, want, bytes) check_bytes(got, want, bytes, #got, __FILE__, __LINE__)
#define CHECK_CLASS(call, want) check_class(call, want, #call, __FILE__, __LINE__)
#define CHECK_OK(call) check_class(call, MPI_SUCCESS, #call, __FILE__, __LINE__)

// Memory for a test: never fails, zeroed, never a null pointer, also for zero bytes.
static inline void* check_alloc(size_t bytes) {
  void* memory = calloc(bytes + 1, 1);
  if (!memory) {
    fprintf(stderr, "out of memory: %zu bytes\n", bytes);
    abort();
  }
  return memory;
}

// The byte that position `at` of a test pattern holds; patterns of different seeds differ almost everywhere.
static inline unsigned char check_pattern(unsigned seed, size_t at) {
  unsigned x = (unsigned)at * 2654435761u + seed * 40503u;
  return (unsigned char)(x >> 24 ^ x >> 11);
}

static inline void check_fill(void* memory, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; i++) ((unsigned char*)memory)[i] = check_pattern(seed, i);
}

// Position of the first byte that is not the pattern's, or -1.
static inline long long check_find(const void* memory, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; i++) {
    if (((const unsigned char*)memory)[i] != check_pattern(seed, i)) return (long long)i;
  }
  return -1;
}

#define CHECK_PATTERN(memory, bytes, seed) CHECK_EQ(check_find(memory, bytes, seed), -1)

// A small random number generator, the same on every machine. `state` is any number but 0.
static inline unsigned check_random(unsigned* state) {
  unsigned x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return *state = x;
}

// Runs the cases; MPI must be initialised. Returns the number of failed ones and prints the closing line on rank 0.
static inline int check_run(const CheckCase* cases, int count) {
  int passed = 0, failed = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &check_size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int i = 0; i < count; i++) {
    if (check_size < cases[i].min_ranks) continue;
    check_case_name = cases[i].name;
    atomic_store(&check_failures, 0);
    cases[i].run();
    int mine = atomic_load(&check_failures), all = 0;
    if (MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS) all = mine + 1;
    *(all ? &failed : &passed) += 1;
    if (all && check_rank == 0) printf("FAILED: %s (%d checks)\n", cases[i].name, all);
  }
  if (check_rank == 0) printf("%d passed, %d failed\n", passed, failed);
  fflush(stdout);
  return failed;
}

#define CHECK_MAIN(cases)                                                   \
  int main(int argc, char** argv) {                                         \
    MPI_Init(&argc, &argv);                                                 \
    int failed = check_run(cases, (int)(sizeof(cases) / sizeof(*(cases)))); \
    MPI_Finalize();                                                         \
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;                            \
  }

// The same for programs whose threads call MPI at once.
#define CHECK_MAIN_THREADS(cases)                                           \
  int main(int argc, char** argv) {                                         \
    int provided = -1;                                                      \
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);          \
    if (provided < MPI_THREAD_MULTIPLE) {                                   \
      printf("0 passed, 1 failed\nMPI_THREAD_MULTIPLE is not provided\n");  \
      MPI_Finalize();                                                       \
      return EXIT_FAILURE;                                                  \
    }                                                                       \
    int failed = check_run(cases, (int)(sizeof(cases) / sizeof(*(cases)))); \
    MPI_Finalize();                                                         \
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;                            \
  }

#endif  // STARLING_TEST_CHECK_H_
