// SPDX-License-Identifier: BSD-3-Clause
//
// Collectives that touch more memory than most caches hold: all of it arrives, wherever the buffers begin, and nothing beside
// it.
#include "forms.h"

enum { kInts = 2500003, kGuards = 3 };  // 10 MB for each rank: 40 in all with two ranks

// Room for `count` integers that begins beside a line, with guards at both ends.
static int* guarded(long count) {
  int* room = check_alloc((size_t)(count + 2 * kGuards) * sizeof(int));
  for (int i = 0; i < kGuards; i++) room[i] = room[kGuards + count + i] = -7;
  return room + kGuards;
}
static void release(int* data, long count) {
  for (int i = 1; i <= kGuards; i++) CHECK(data[-i] == -7 && data[count - 1 + i] == -7);
  free(data - kGuards);
}

static void bcast(void) {
  int* data = guarded(kInts);
  for (int root = 0; root < check_size; root++) {
    memset(data, 0, kInts * sizeof(int));
    if (check_rank == root) fill_input(data, root, kInts);
    CHECK_OK(MPI_Bcast(data, kInts, MPI_INT, root, MPI_COMM_WORLD));
    CHECK_INPUT(data, root, 0, kInts);
  }
  release(data, kInts);
}

static void gather_and_scatter(void) {
  const long total = (long)kInts * check_size;
  const int root = check_size - 1;
  int *mine = guarded(kInts), *all = check_rank == root ? guarded(total) : NULL;
  fill_input(mine, check_rank, kInts);
  CHECK_OK(MPI_Gather(mine, kInts, MPI_INT, all, kInts, MPI_INT, root, MPI_COMM_WORLD));
  for (int r = 0; all && r < check_size; r++) CHECK_INPUT(all + (long)r * kInts, r, 0, kInts);
  memset(mine, 0, kInts * sizeof(int));
  CHECK_OK(MPI_Scatter(all, kInts, MPI_INT, mine, kInts, MPI_INT, root, MPI_COMM_WORLD));
  CHECK_INPUT(mine, check_rank, 0, kInts);
  if (all) release(all, total);
  release(mine, kInts);
}

static void allgather(void) {
  const long total = (long)kInts * check_size;
  int *mine = guarded(kInts), *all = guarded(total);
  MPI_Request request;
  fill_input(mine, check_rank, kInts);
  CHECK_OK(MPI_Allgather(mine, kInts, MPI_INT, all, kInts, MPI_INT, MPI_COMM_WORLD));
  for (int r = 0; r < check_size; r++) CHECK_INPUT(all + (long)r * kInts, r, 0, kInts);
  memset(all, 0, (size_t)total * sizeof(int));
  CHECK_OK(MPI_Iallgather(mine, kInts, MPI_INT, all, kInts, MPI_INT, MPI_COMM_WORLD, &request));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  for (int r = 0; r < check_size; r++) CHECK_INPUT(all + (long)r * kInts, r, 0, kInts);
  release(all, total);
  release(mine, kInts);
}

static void alltoall(void) {
  const int block = kInts / check_size;
  const long total = (long)block * check_size;
  int *out = guarded(total), *in = guarded(total);
  for (int to = 0; to < check_size; to++) fill_input(out + (long)to * block, check_rank + to, block);
  CHECK_OK(MPI_Alltoall(out, block, MPI_INT, in, block, MPI_INT, MPI_COMM_WORLD));
  for (int from = 0; from < check_size; from++) CHECK_INPUT(in + (long)from * block, check_rank + from, 0, block);
  release(in, total);
  release(out, total);
}

static void allreduce(void) {
  int *mine = guarded(kInts), *sum = guarded(kInts);
  for (int i = 0; i < kInts; i++) mine[i] = check_rank + i % 1000;
  CHECK_OK(MPI_Allreduce(mine, sum, kInts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (int i = 0; i < kInts; i++)
    if (!CHECK_EQ(sum[i], check_size * (check_size - 1) / 2 + check_size * (i % 1000))) break;
  release(sum, kInts);
  release(mine, kInts);
}

static const CheckCase kCases[] = {
    {"bcast", bcast, 0},         {"gather and scatter", gather_and_scatter, 0},
    {"allgather", allgather, 0}, {"alltoall", alltoall, 0},
    {"allreduce", allreduce, 0},
};
CHECK_MAIN(kCases)
