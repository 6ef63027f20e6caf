// SPDX-License-Identifier: BSD-3-Clause
// Many collectives under way at once: on one communicator, on several, mixed with messages, completed in any order; and
// persistent ones that are started many times.
#include "forms.h"

// Outstanding on one communicator, completed backwards. All ranks start them in the same order.
static void outstanding(void) {
  enum { kOperations = 40, kInts = 200 };
  static int in[kOperations][kInts], out[kOperations][kInts];
  MPI_Request requests[kOperations];
  for (int round = 0; round < 5; round++) {
    for (int k = 0; k < kOperations; k++) {
      fill_input(in[k], check_rank + k, kInts);
      memset(out[k], 0, sizeof out[k]);
      int root = k % check_size;
      if (k % 4 == 0) {
        CHECK_OK(MPI_Iallreduce(in[k], out[k], kInts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[k]));
      } else if (k % 4 == 1) {
        if (check_rank == root) memcpy(out[k], in[k], sizeof in[k]);
        CHECK_OK(MPI_Ibcast(out[k], kInts, MPI_INT, root, MPI_COMM_WORLD, &requests[k]));
      } else if (k % 4 == 2) {
        CHECK_OK(MPI_Ireduce(in[k], out[k], kInts, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &requests[k]));
      } else {
        CHECK_OK(MPI_Iscan(in[k], out[k], kInts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[k]));
      }
    }
    for (int k = kOperations - 1; k >= 0; k--) CHECK_OK(MPI_Wait(&requests[k], MPI_STATUS_IGNORE));
    for (int k = 0; k < kOperations; k++) {
      int root = k % check_size, last = k % 4 == 3 ? check_rank : check_size - 1;
      for (int i = 0; i < kInts; i++) {
        int want = 0;
        for (int r = 0; r <= last; r++) want += input(r + k, i);
        if (k % 4 == 1) want = input(root + k, i);
        if (k % 4 == 2 && check_rank != root) want = 0;
        if (!CHECK_EQ(out[k][i], want)) break;
      }
    }
  }
}

// Ranks wait for two communicators' operations in opposite orders: no operation may depend on another's completion.
static void opposite_orders(void) {
  MPI_Comm comms[2];
  for (int i = 0; i < 2; i++) CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
  for (int round = 0; round < 50; round++) {
    int sums[2] = {-1, -1}, ones[2] = {1, 2};
    MPI_Request requests[2];
    for (int i = 0; i < 2; i++) {
      int k = check_rank % 2 ? 1 - i : i;
      CHECK_OK(MPI_Iallreduce(&ones[k], &sums[k], 1, MPI_INT, MPI_SUM, comms[k], &requests[k]));
    }
    for (int i = 0; i < 2; i++) CHECK_OK(MPI_Wait(&requests[(check_rank + round + i) % 2], MPI_STATUS_IGNORE));
    CHECK_EQ(sums[0], check_size);
    CHECK_EQ(sums[1], 2 * check_size);
  }
  for (int i = 0; i < 2; i++) CHECK_OK(MPI_Comm_free(&comms[i]));
}

// A collective started early completes although the rank meanwhile is inside blocking calls on other things.
static void mixed_with_messages(void) {
  enum { kInts = 30000 };
  int* in = check_alloc(kInts * sizeof(int));
  int* out = check_alloc(kInts * sizeof(int));
  int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
  for (int round = 0; round < 10; round++) {
    MPI_Request requests[3];
    int got = -1, one = 1, sum = 0;
    fill_input(in, check_rank + round, kInts);
    CHECK_OK(MPI_Irecv(&got, 1, MPI_INT, left, round, MPI_COMM_WORLD, &requests[0]));
    CHECK_OK(MPI_Iallreduce(in, out, kInts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]));
    CHECK_OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));  // a blocking one behind it
    CHECK_EQ(sum, check_size);
    CHECK_OK(MPI_Isend(&check_rank, 1, MPI_INT, right, round, MPI_COMM_WORLD, &requests[2]));
    CHECK_OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    CHECK_EQ(got, left);
    for (int i = 0; i < kInts; i++) {
      int want = 0;
      for (int r = 0; r < check_size; r++) want += input(r + round, i);
      if (!CHECK_EQ(out[i], want)) break;
    }
  }
  free(out);
  free(in);
}

// A request that one rank starts before a blocking call and the others after it. MPI asks for the same order everywhere;
// libraries that number the two kinds apart let it pass, and tests of mpi4py count on that.
static void around_blocking_calls(void) {
  for (int round = 0; round < 20; round++) {
    MPI_Request request;
    int bits = check_rank == round % check_size ? 0xb : 0xd, common = -1, sum = -1, flag = 1;
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (check_rank == round % check_size) {
      CHECK_OK(MPI_Iallreduce(&bits, &common, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD, &request));
      if (check_size > 1) {
        CHECK_OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        CHECK_EQ(flag, 0);
      }
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Allreduce(&check_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    if (check_rank != round % check_size)
      CHECK_OK(MPI_Iallreduce(&bits, &common, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQ(common, check_size > 1 ? 0x9 : 0xb);
    CHECK_EQ(sum, check_size * (check_size - 1) / 2);
  }
}

// Messages with wildcards never see what collectives send.
static void wildcards_see_nothing(void) {
  MPI_Request requests[10];
  int got = -1, flag = 1, sums[10];
  MPI_Request receive;
  CHECK_OK(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive));
  for (int k = 0; k < 10; k++)
    CHECK_OK(MPI_Iallreduce(&check_rank, &sums[k], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[k]));
  CHECK_OK(MPI_Waitall(10, requests, MPI_STATUSES_IGNORE));
  CHECK_OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Test(&receive, &flag, MPI_STATUS_IGNORE));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_Send(&check_rank, 1, MPI_INT, (check_rank + 1) % check_size, 5, MPI_COMM_WORLD));
  CHECK_OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
  CHECK_EQ(got, (check_rank + check_size - 1) % check_size);
  for (int k = 0; k < 10; k++) CHECK_EQ(sums[k], check_size * (check_size - 1) / 2);
}

#if MPI_VERSION >= 4
static void persistent_many_times(void) {
  enum { kInts = 1000, kRounds = 30 };
  int in[kInts] = {0}, sum[kInts], mine[4] = {0}, *all = check_alloc((size_t)(4 * check_size) * sizeof(int));
  MPI_Request requests[3];
  int token = 0;
  CHECK_OK(MPI_Allreduce_init(in, sum, kInts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Allgather_init(mine, 4, MPI_INT, all, 4, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  CHECK_OK(MPI_Bcast_init(&token, 1, MPI_INT, check_size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]));
  for (int round = 0; round < kRounds; round++) {
    fill_input(in, check_rank + round, kInts);
    fill_input(mine, check_rank * 2 + round, 4);
    token = check_rank == check_size - 1 ? 1000 + round : -1;
    CHECK_OK(MPI_Startall(3, requests));
    CHECK_OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < kInts; i++) {
      int want = 0;
      for (int r = 0; r < check_size; r++) want += input(r + round, i);
      if (!CHECK_EQ(sum[i], want)) break;
    }
    for (int i = 0; i < 4 * check_size; i++) CHECK_EQ(all[i], input(i / 4 * 2 + round, i % 4));
    CHECK_EQ(token, 1000 + round);
  }
  for (int k = 0; k < 3; k++) CHECK_OK(MPI_Request_free(&requests[k]));
  free(all);
}
#endif

static const CheckCase kCases[] = {
    {"many outstanding", outstanding, 0},
    {"opposite orders", opposite_orders, 0},
    {"mixed with messages", mixed_with_messages, 0},
    {"around blocking calls", around_blocking_calls, 0},
    {"wildcards see nothing", wildcards_see_nothing, 0},
#if MPI_VERSION >= 4
    {"persistent, many times", persistent_many_times, 0},
#endif
};
CHECK_MAIN(kCases)
