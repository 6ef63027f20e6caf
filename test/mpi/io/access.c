// SPDX-License-Identifier: BSD-3-Clause
// Every function for data access: what is written is there, what is read comes back, pointers and statuses are right (MPI 5.0
// section 14.4).
#include "files.h"

enum { kInts = 37 };

static int value(int rank, int i) { return rank * 1000 + i * 7 + 1; }

static void check_count(MPI_Status* status, int want) {
  int count;
  CHECK_OK(MPI_Get_count(status, MPI_INT, &count));
  CHECK_EQ(count, want);
}

// Where the block of a rank is: known, except with the shared pointer.
static void check_file(const Way* way) {
  long size;
  int* all = (int*)file_bytes(&size);
  CHECK_EQ(size, (long)sizeof(int) * kInts * check_size);
  char* seen = check_alloc((size_t)check_size);
  for (int block = 0; block < check_size && size == (long)sizeof(int) * kInts * check_size; block++) {
    const int rank = way->where == kShared ? (all[block * kInts] - 1) / 1000 : block;
    if (!CHECK(rank >= 0 && rank < check_size && !seen[rank])) break;
    seen[rank] = 1;
    for (int i = 0; i < kInts; i++)
      if (!CHECK_EQ(all[block * kInts + i], value(rank, i))) break;
  }
  free(seen);
  free(all);
}

static void write_and_read(const Way* way, int etype_is_int) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Status status;
  int data[kInts], back[kInts];
  MPI_Offset position;
  const MPI_Offset unit = etype_is_int ? 1 : sizeof(int), start = (MPI_Offset)check_rank * kInts * unit;
  if (etype_is_int) CHECK_OK(MPI_File_set_view(fh, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  for (int i = 0; i < kInts; i++) data[i] = value(check_rank, i);

  if (way->where == kIndividual) CHECK_OK(MPI_File_seek(fh, start, MPI_SEEK_SET));
  CHECK_OK(write_way(way, fh, start, data, kInts, MPI_INT, &status));
  check_count(&status, kInts);
  CHECK_OK(MPI_File_get_position(fh, &position));
  CHECK_EQ(position, way->where == kIndividual ? start + kInts * unit : 0);
  publish(fh);
  CHECK_OK(MPI_File_get_position_shared(fh, &position));
  CHECK_EQ(position, way->where >= kShared ? kInts * unit * check_size : 0);
  check_file(way);

  CHECK_OK(MPI_File_seek(fh, start, MPI_SEEK_SET));
  CHECK_OK(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
  memset(back, 0, sizeof back);
  CHECK_OK(read_way(way, fh, start, back, kInts, MPI_INT, &status));
  check_count(&status, kInts);
  const int from = way->where == kShared ? (back[0] - 1) / 1000 : check_rank;
  for (int i = 0; i < kInts; i++)
    if (!CHECK_EQ(back[i], value(from, i))) break;

  // Beyond the end of the file there is nothing.
  const MPI_Offset beyond = kInts * unit * check_size;
  CHECK_OK(MPI_File_seek(fh, beyond, MPI_SEEK_SET));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  back[0] = -5;
  CHECK_OK(read_way(way, fh, beyond, back, kInts, MPI_INT, &status));
  check_count(&status, 0);
  CHECK_EQ(back[0], -5);
  close_and_delete(&fh);
}

static void all_functions(void) {
  for (int w = 0; w < kWayCount; w++) {
    write_and_read(&kWays[w], 0);
    write_and_read(&kWays[w], 1);
  }
}

// A read that the end of the file cuts, and the pointer after it.
static void short_reads(void) {
  char data[10] = "0123456789", back[16];
  MPI_Status status;
  MPI_Offset position;
  int count;
  MPI_File fh = new_file(MPI_INFO_NULL);
  if (check_rank == 0) CHECK_OK(MPI_File_write_at(fh, 0, data, 10, MPI_CHAR, MPI_STATUS_IGNORE));
  publish(fh);
  for (int w = 0; w < kWayCount; w++) {
    if (kWays[w].where >= kShared) continue;
    CHECK_OK(MPI_File_seek(fh, 4, MPI_SEEK_SET));
    memset(back, '-', sizeof back);
    CHECK_OK(read_way(&kWays[w], fh, 4, back, 16, MPI_CHAR, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_CHAR, &count));
    CHECK_EQ(count, 6);
    CHECK_BYTES(back, "456789----------", 16);
    CHECK_OK(MPI_Get_elements(&status, MPI_CHAR, &count));
    CHECK_EQ(count, 6);
  }
  CHECK_OK(MPI_File_seek(fh, 0, MPI_SEEK_SET));
  CHECK_OK(MPI_File_read(fh, back, 16, MPI_CHAR, &status));
  CHECK_OK(MPI_File_get_position(fh, &position));
  CHECK_EQ(position, 10);
  close_and_delete(&fh);
}

// Data with gaps in memory, to and from a file without.
static void gaps_in_memory(void) {
  enum { kBlocks = 300, kBlock = 3, kStride = 5 };
  MPI_Datatype vector;
  int data[kBlocks * kStride], back[kBlocks * kStride];
  CHECK_OK(MPI_Type_vector(kBlocks, kBlock, kStride, MPI_INT, &vector));
  CHECK_OK(MPI_Type_commit(&vector));
  for (int i = 0; i < kBlocks * kStride; i++) data[i] = value(check_rank, i);
  for (int w = 0; w < kWayCount; w++) {
    if (kWays[w].where == kShared) continue;
    MPI_File fh = new_file(MPI_INFO_NULL);
    MPI_Status status;
    const MPI_Offset start = (MPI_Offset)(check_rank * kBlocks * kBlock * (int)sizeof(int));
    CHECK_OK(MPI_File_seek(fh, start, MPI_SEEK_SET));
    CHECK_OK(write_way(&kWays[w], fh, start, data, 1, vector, &status));
    publish(fh);
    CHECK_OK(MPI_File_seek(fh, start, MPI_SEEK_SET));
    CHECK_OK(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    for (int i = 0; i < kBlocks * kStride; i++) back[i] = -1;
    CHECK_OK(read_way(&kWays[w], fh, start, back, 1, vector, &status));
    int count;
    CHECK_OK(MPI_Get_count(&status, vector, &count));
    CHECK_EQ(count, 1);
    for (int i = 0; i < kBlocks * kStride; i++)
      if (!CHECK_EQ(back[i], i % kStride < kBlock ? data[i] : -1)) break;
    long size;
    int* all = (int*)file_bytes(&size);
    CHECK_EQ(size, check_size * kBlocks * kBlock * (long)sizeof(int));
    for (int i = 0; i < kBlocks * kBlock && size > 0; i++)
      if (!CHECK_EQ(all[check_rank * kBlocks * kBlock + i], data[i / kBlock * kStride + i % kBlock])) break;
    free(all);
    close_and_delete(&fh);
  }
  CHECK_OK(MPI_Type_free(&vector));
}

// Nothing to move is no error, and an empty part in a collective neither.
static void nothing(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Status status;
  int data = check_rank, back = -1, count;
  for (int w = 0; w < kWayCount; w++) {
    CHECK_OK(write_way(&kWays[w], fh, 0, NULL, 0, MPI_INT, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_EQ(count, 0);
    CHECK_OK(read_way(&kWays[w], fh, 0, NULL, 0, MPI_INT, &status));
  }
  CHECK_OK(MPI_File_write_at_all(fh, 4 * check_rank, &data, check_rank % 2 == 0, MPI_INT, &status));
  publish(fh);
  CHECK_OK(MPI_File_read_at_all(fh, 4 * check_rank, &back, check_rank % 2 == 0, MPI_INT, &status));
  CHECK_EQ(back, check_rank % 2 == 0 ? check_rank : -1);
  close_and_delete(&fh);
}

// Several under way at once, completed in another order; collective ones with other communication in between.
static void many_requests(void) {
  enum { kRequests = 12 };
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Request requests[kRequests];
  MPI_Status statuses[kRequests];
  int data[kRequests], back[kRequests], sum = 0, count;
  for (int i = 0; i < kRequests; i++) {
    data[i] = value(check_rank, i);
    const MPI_Offset at = (MPI_Offset)sizeof(int) * (i * check_size + check_rank);
    if (i % 2 == 0)
      CHECK_OK(MPI_File_iwrite_at(fh, at, &data[i], 1, MPI_INT, &requests[i]));
    else
      CHECK_OK(MPI_File_iwrite_at_all(fh, at, &data[i], 1, MPI_INT, &requests[i]));
  }
  CHECK_OK(MPI_Allreduce(&check_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  CHECK_OK(MPI_Waitall(kRequests, requests, statuses));
  for (int i = 0; i < kRequests; i++) {
    CHECK_OK(MPI_Get_count(&statuses[i], MPI_INT, &count));
    CHECK_EQ(count, 1);
  }
  publish(fh);
  memset(back, 0, sizeof back);
  for (int i = 0; i < kRequests; i++) {
    const MPI_Offset at = (MPI_Offset)sizeof(int) * (i * check_size + (check_rank + 1) % check_size);
    CHECK_OK(MPI_File_iread_at_all(fh, at, &back[i], 1, MPI_INT, &requests[i]));
  }
  // A process that comes late must not be waited for by those who only start.
  if (check_rank == check_size - 1) {
    int token = 0;
    for (int r = 0; r < check_size - 1; r++) CHECK_OK(MPI_Recv(&token, 1, MPI_INT, r, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  } else {
    CHECK_OK(MPI_Send(&sum, 1, MPI_INT, check_size - 1, 7, MPI_COMM_WORLD));
  }
  for (int i = kRequests - 1; i >= 0; i--) CHECK_OK(MPI_Wait(&requests[i], &statuses[i]));
  for (int i = 0; i < kRequests; i++) CHECK_EQ(back[i], value((check_rank + 1) % check_size, i));
  close_and_delete(&fh);
}

// The start of a collective operation returns before the others have come.
static void starts_without_others(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Request request;
  int data = value(check_rank, 3), back = 0, token = 1;
  if (check_rank == 0 && check_size > 1)
    CHECK_OK(MPI_Recv(&token, 1, MPI_INT, check_size - 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_File_iwrite_all(fh, &data, check_rank == 0, MPI_INT, &request));
  if (check_rank == check_size - 1 && check_size > 1) CHECK_OK(MPI_Send(&token, 1, MPI_INT, 0, 9, MPI_COMM_WORLD));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  publish(fh);
  CHECK_OK(MPI_File_read_at(fh, 0, &back, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_EQ(back, value(0, 3));
  close_and_delete(&fh);
}

// The functions with large counts.
static void large_count_functions(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Status status;
  MPI_Request request;
  MPI_Count count;
  int data[kInts], back[kInts];
  const MPI_Offset at = (MPI_Offset)sizeof data * check_rank;
  for (int i = 0; i < kInts; i++) data[i] = value(check_rank, i);
  CHECK_OK(MPI_File_write_at_all_c(fh, at, data, kInts, MPI_INT, &status));
  CHECK_OK(MPI_Get_count_c(&status, MPI_INT, &count));
  CHECK_EQ(count, kInts);
  publish(fh);
  memset(back, 0, sizeof back);
  CHECK_OK(MPI_File_iread_at_c(fh, at, back, kInts, MPI_INT, &request));
  CHECK_OK(MPI_Wait(&request, &status));
  CHECK_BYTES(back, data, sizeof data);
  memset(back, 0, sizeof back);
  CHECK_OK(MPI_File_read_at_all_begin_c(fh, at, back, kInts, MPI_INT));
  CHECK_OK(MPI_File_read_at_all_end(fh, back, &status));
  CHECK_BYTES(back, data, sizeof data);
  close_and_delete(&fh);
}

// Beyond 4 GB, in a file that is nearly all hole.
static void far_offsets(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  const MPI_Offset far = (MPI_Offset)5 << 30;
  int data = value(check_rank, 1), back = 0;
  MPI_Offset size;
  CHECK_OK(MPI_File_write_at_all(fh, far + (MPI_Offset)sizeof(int) * check_rank, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
  publish(fh);
  CHECK_OK(MPI_File_get_size(fh, &size));
  CHECK_EQ(size, far + (MPI_Offset)sizeof(int) * check_size);
  CHECK_OK(MPI_File_read_at(fh, far + (MPI_Offset)sizeof(int) * (check_size - 1), &back, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_EQ(back, value(check_size - 1, 1));
  CHECK_OK(MPI_File_read_at_all(fh, (MPI_Offset)3 << 30, &back, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_EQ(back, 0);
  close_and_delete(&fh);
}

static const CheckCase kCases[] = {
    {"all functions", all_functions, 0},
    {"short reads", short_reads, 0},
    {"gaps in memory", gaps_in_memory, 0},
    {"nothing", nothing, 0},
    {"many requests", many_requests, 0},
    {"starts without others", starts_without_others, 0},
    {"large count functions", large_count_functions, 0},
    {"far offsets", far_offsets, 0},
};
CHECK_MAIN(kCases)
