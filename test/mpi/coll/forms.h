// SPDX-License-Identifier: BSD-3-Clause
//
// The three forms of a collective operation, so that one test text runs all of them.
#ifndef STARLING_TEST_FORMS_H_
#define STARLING_TEST_FORMS_H_

#include "../check.h"

typedef enum { kBlocking, kNonblocking, kPersistent, kForms } Form;

#if MPI_VERSION >= 4
#define RUN_PERSISTENT(Blocking, ...)                                          \
  do {                                                                         \
    MPI_Request persistent_ = MPI_REQUEST_NULL;                                \
    CHECK_OK(MPI_##Blocking##_init(__VA_ARGS__, MPI_INFO_NULL, &persistent_)); \
    CHECK_OK(MPI_Start(&persistent_));                                         \
    CHECK_OK(MPI_Wait(&persistent_, MPI_STATUS_IGNORE));                       \
    CHECK_OK(MPI_Request_free(&persistent_));                                  \
  } while (0)
#else
#define RUN_PERSISTENT(Blocking, ...) CHECK_OK(MPI_##Blocking(__VA_ARGS__))
#endif

// RUN(form, Bcast, Ibcast, buffer, count, type, root, comm)
#define RUN(form, Blocking, Nonblocking, ...)              \
  do {                                                     \
    if ((form) == kBlocking) {                             \
      CHECK_OK(MPI_##Blocking(__VA_ARGS__));               \
    } else if ((form) == kNonblocking) {                   \
      MPI_Request request_ = MPI_REQUEST_NULL;             \
      CHECK_OK(MPI_##Nonblocking(__VA_ARGS__, &request_)); \
      CHECK_OK(MPI_Wait(&request_, MPI_STATUS_IGNORE));    \
    } else {                                               \
      RUN_PERSISTENT(Blocking, __VA_ARGS__);               \
    }                                                      \
  } while (0)

// Counts of ints on both sides of the points where an implementation may change its algorithm.
static const int kCounts[] = {0, 1, 2, 3, 7, 64, 511, 1000, 4099, 20000, 70001};
enum { kCountsUsed = sizeof kCounts / sizeof *kCounts, kLargest = 70001 };

// What rank `rank` contributes at position i.
static inline int input(int rank, int i) { return rank * 100003 + i * 7 + 1; }

static inline void fill_input(int* buffer, int rank, int count) {
  for (int i = 0; i < count; i++) buffer[i] = input(rank, i);
}

// Checks `count` ints that came from position `first` on of `rank`'s contribution; false at the first difference.
static inline int check_input(const int* got, int rank, int first, int count, const char* what, int line) {
  for (int i = 0; i < count; i++) {
    if (got[i] != input(rank, first + i)) return check_equal(got[i], input(rank, first + i), what, __FILE__, line);
  }
  return 1;
}

#define CHECK_INPUT(got, rank, first, count) check_input(got, rank, first, count, #got, __LINE__)

// An int every 8 bytes.
static inline MPI_Datatype spaced_int(void) {
  MPI_Datatype type;
  CHECK_OK(MPI_Type_create_resized(MPI_INT, 0, 8, &type));
  CHECK_OK(MPI_Type_commit(&type));
  return type;
}

#endif  // STARLING_TEST_FORMS_H_
