// SPDX-License-Identifier: BSD-3-Clause
// Counts beyond 2^31 in one call: more than 2 GB of data where the machine has room for them, and everywhere as many elements
// of a type that takes no room.
#include <unistd.h>

#include "../check.h"

#if MPI_VERSION >= 4

static const MPI_Count kMany = (MPI_Count)1 << 32;  // elements
static const MPI_Count kGap = 5000;

// Bytes that may be used without harm; the same at all ranks.
static long long room(void) {
  long long mine = (long long)sysconf(_SC_AVPHYS_PAGES) * sysconf(_SC_PAGESIZE), least = 0;
  MPI_Allreduce(&mine, &least, 1, MPI_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
  return least;
}

// Two gigabytes and some, between two ranks that both keep them.
static void much_data(void) {
  const MPI_Count bytes = ((MPI_Count)1 << 31) + 100 * kGap;
  if (room() < 4 * (long long)bytes) return;
  if (check_rank < 2) {
    unsigned char* data = malloc((size_t)bytes);
    CHECK(data != NULL);
    if (data && check_rank == 0) {
      for (MPI_Count i = 0; i < bytes; i += kGap) data[i] = check_pattern(1, (size_t)i);
      CHECK_OK(MPI_Send_c(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD));
    } else if (data) {
      MPI_Status status;
      MPI_Count count = 0;
      MPI_Count wrong = 0;
      CHECK_OK(MPI_Recv_c(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &status));
      CHECK_OK(MPI_Get_count_c(&status, MPI_BYTE, &count));
      CHECK_EQ(count, bytes);
      int narrow = 0;
      CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &narrow));
      CHECK_EQ(narrow, MPI_UNDEFINED);
      for (MPI_Count i = 0; i < bytes; i += kGap) wrong += data[i] != check_pattern(1, (size_t)i);
      CHECK_EQ(wrong, 0);
    }
    free(data);
  }
}

// Elements without data: counted, sent, and nothing moves.
static void many_elements(void) {
  MPI_Datatype nothing;
  MPI_Status status;
  MPI_Count count = -1;
  char place = 7;
  int peer = (check_rank + 1) % check_size, from = (check_rank + check_size - 1) % check_size;
  CHECK_OK(MPI_Type_contiguous(0, MPI_BYTE, &nothing));
  CHECK_OK(MPI_Type_commit(&nothing));
  CHECK_OK(MPI_Sendrecv_c(&place, kMany, nothing, peer, 0, &place, kMany, nothing, from, 0, MPI_COMM_WORLD, &status));
  CHECK_OK(MPI_Get_count_c(&status, nothing, &count));
  CHECK_EQ(count, 0);
  CHECK_OK(MPI_Bcast_c(&place, kMany, nothing, 0, MPI_COMM_WORLD));
  CHECK_EQ(place, 7);
  CHECK_OK(MPI_Type_free(&nothing));
}

// A type that spans more than 2^31 bytes, with data only at both ends.
static void wide_type(void) {
  MPI_Datatype ends;
  MPI_Count size = 0, lb = -1, extent = 0;
  CHECK_OK(MPI_Type_create_hindexed_c(2, (const MPI_Count[]){1, 1}, (const MPI_Count[]){0, kMany}, MPI_INT, &ends));
  CHECK_OK(MPI_Type_commit(&ends));
  CHECK_OK(MPI_Type_size_c(ends, &size));
  CHECK_EQ(size, 2 * sizeof(int));
  CHECK_OK(MPI_Type_get_extent_c(ends, &lb, &extent));
  CHECK_EQ(lb, 0);
  CHECK_EQ(extent, kMany + (MPI_Count)sizeof(int));
  CHECK_OK(MPI_Type_free(&ends));
}

static const CheckCase kCases[] = {
    {"more than two gigabytes", much_data, 2},
    {"many elements", many_elements, 0},
    {"a wide type", wide_type, 0},
};
CHECK_MAIN(kCases)

#else
int main(void) { return 0; }
#endif
