// SPDX-License-Identifier: BSD-3-Clause
// run: timeout=300 oracle=no
// A communicator that comes and goes a hundred thousand times leaves nothing behind: the process stays as large as it was.
#include <unistd.h>

#include "../check.h"

enum { kRounds = 100000, kWarmUp = 2000, kMostPages = 64 };  // 64 pages are 2.6 bytes a round

#ifdef __SANITIZE_ADDRESS__
// Otherwise it holds freed memory back, up to 256 MB, to notice late uses of it, and that would look like growth.
const char* __asan_default_options(void);
const char* __asan_default_options(void) { return "quarantine_size_mb=0:thread_local_quarantine_size_kb=0"; }
#endif

static long resident_pages(void) {
  long size = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
  fclose(file);
  return resident;
}

static void dup_and_free(MPI_Comm parent, int rounds) {
  for (int i = 0; i < rounds; i++) {
    MPI_Comm comm;
    if (MPI_Comm_dup(parent, &comm) != MPI_SUCCESS || MPI_Comm_free(&comm) != MPI_SUCCESS) {
      CHECK(!"MPI_Comm_dup and MPI_Comm_free succeed");
      return;
    }
  }
}

static void stays_flat(MPI_Comm parent, int rounds) {
  dup_and_free(parent, kWarmUp);
  const long before = resident_pages();
  CHECK(before > 0);
  dup_and_free(parent, rounds);
  const long grown = resident_pages() - before;
  if (grown > kMostPages) fprintf(stderr, "grown by %ld pages\n", grown);
  CHECK(grown <= kMostPages);
}

static void alone(void) { stays_flat(MPI_COMM_SELF, kRounds); }
static void together(void) { stays_flat(MPI_COMM_WORLD, kRounds); }

static const CheckCase kCases[] = {{"alone", alone, 0}, {"together", together, 2}};
CHECK_MAIN(kCases)
