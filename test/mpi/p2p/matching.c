// SPDX-License-Identifier: BSD-3-Clause
// Matching: order, wildcards, probes and matched probes, contexts that do not mix, floods of unexpected messages.
#include "../check.h"

enum { kTag = 5 };

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

// Messages of one pair and one tag are received in the order sent, whatever their sizes (hence protocols) are.
static void order_of_mixed_sizes(void) {
  static const int sizes[] = {1, 200000, 1, 30000, 2, 1000000, 64, 1, 5000, 0};
  enum { kRounds = 3, kMessages = 10 };
  unsigned char* out = check_alloc(1000000);
  unsigned char* in = check_alloc(1000000);
  for (int round = 0; round < kRounds; round++) {
    MPI_Request sends[kMessages];
    for (int i = 0; i < kMessages; i++) {
      CHECK_OK(MPI_Isend(out, sizes[i], MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &sends[i]));
    }
    for (int i = 0; i < kMessages; i++) {
      MPI_Status status;
      int count;
      int source = (i + round) % 2 ? MPI_ANY_SOURCE : left(), tag = (i + round) % 3 ? MPI_ANY_TAG : kTag;
      CHECK_OK(MPI_Recv(in, 1000000, MPI_BYTE, source, tag, MPI_COMM_WORLD, &status));
      CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
      CHECK_EQ(count, sizes[i]);
      CHECK_EQ(status.MPI_SOURCE, left());
      CHECK_EQ(status.MPI_TAG, kTag);
    }
    CHECK_OK(MPI_Waitall(kMessages, sends, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
  free(in);
  free(out);
}

// Receives are matched in the order posted; a wildcard takes part in that order.
static void order_of_receives(void) {
  int values[6] = {-1, -1, -1, -1, -1, -1}, out[6] = {0, 1, 2, 3, 4, 5};
  static const int tags[6] = {MPI_ANY_TAG, 7, MPI_ANY_TAG, 8, 7, MPI_ANY_TAG};
  static const int sent[6] = {7, 7, 8, 8, 7, 9};
  MPI_Request requests[6];
  for (int i = 0; i < 6; i++) {
    int source = i % 2 ? left() : MPI_ANY_SOURCE;
    CHECK_OK(MPI_Irecv(&values[i], 1, MPI_INT, source, tags[i], MPI_COMM_WORLD, &requests[i]));
  }
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < 6; i++) CHECK_OK(MPI_Send(&out[i], 1, MPI_INT, right(), sent[i], MPI_COMM_WORLD));
  CHECK_OK(MPI_Waitall(6, requests, MPI_STATUSES_IGNORE));
  for (int i = 0; i < 6; i++) CHECK_EQ(values[i], i);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
}

// Tags are taken out of order from a queue of unexpected messages.
static void tags_backwards(void) {
  enum { kMessages = 500 };
  int* out = check_alloc(kMessages * sizeof(int));
  MPI_Request sends[kMessages];
  for (int i = 0; i < kMessages; i++) {
    out[i] = i;
    CHECK_OK(MPI_Isend(&out[i], 1, MPI_INT, right(), i, MPI_COMM_WORLD, &sends[i]));
  }
  for (int i = kMessages - 1; i >= 0; i--) {
    int value = -1;
    CHECK_OK(MPI_Recv(&value, 1, MPI_INT, i % 2 ? left() : MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQ(value, i);
  }
  CHECK_OK(MPI_Waitall(kMessages, sends, MPI_STATUSES_IGNORE));
  free(out);
}

// Everybody sends to rank 0, which receives from any source: per source the order holds, and each message comes once.
static void any_source_fan_in(void) {
  enum { kMessages = 300 };
  if (check_rank == 0) {
    int* next = check_alloc((size_t)check_size * sizeof(int));
    for (int i = 0; i < (check_size - 1) * kMessages; i++) {
      int value = -1;
      MPI_Status status;
      CHECK_OK(MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &status));
      CHECK_EQ(value, next[status.MPI_SOURCE]);
      next[status.MPI_SOURCE]++;
    }
    free(next);
  } else {
    for (int i = 0; i < kMessages; i++) CHECK_OK(MPI_Send(&i, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD));
  }
}

// Two communicators with the same group: the same source and tag, yet each message is received on its own.
static void contexts(void) {
  enum { kComms = 8 };
  MPI_Comm comms[kComms];
  MPI_Request sends[kComms];
  int out[kComms];
  for (int i = 0; i < kComms; i++) CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
  for (int i = 0; i < kComms; i++) {
    out[i] = 100 + i;
    CHECK_OK(MPI_Isend(&out[i], 1, MPI_INT, right(), kTag, comms[i], &sends[i]));
  }
  for (int i = kComms - 1; i >= 0; i--) {
    int value = -1;
    CHECK_OK(MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], MPI_STATUS_IGNORE));
    CHECK_EQ(value, 100 + i);
  }
  CHECK_OK(MPI_Waitall(kComms, sends, MPI_STATUSES_IGNORE));
  for (int i = 0; i < kComms; i++) CHECK_OK(MPI_Comm_free(&comms[i]));
}

static void probe(void) {
  static const int sizes[] = {0, 3, 100, 5000, 70000, 600000};
  unsigned char* buffer = check_alloc(600000);
  for (int i = 0; i < 6; i++) {
    MPI_Request send;
    MPI_Status status;
    int flag = 0, count;
    CHECK_OK(MPI_Iprobe(left(), 1000 + i, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_EQ(flag, 0);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Isend(buffer, sizes[i], MPI_BYTE, right(), 1000 + i, MPI_COMM_WORLD, &send));
    CHECK_OK(MPI_Probe(i % 2 ? left() : MPI_ANY_SOURCE, i % 3 ? 1000 + i : MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK_EQ(count, sizes[i]);
    CHECK_EQ(status.MPI_SOURCE, left());
    CHECK_EQ(status.MPI_TAG, 1000 + i);
    // A probe does not take the message away.
    while (!flag) CHECK_OK(MPI_Iprobe(MPI_ANY_SOURCE, 1000 + i, MPI_COMM_WORLD, &flag, &status));
    unsigned char* in = check_alloc((size_t)sizes[i]);
    CHECK_OK(MPI_Recv(in, sizes[i], MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Iprobe(left(), 1000 + i, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK_EQ(flag, 0);
    free(in);
  }
  free(buffer);
}

// A matched message is out of the queue: a later receive with the same envelope gets the next one.
static void matched_probe(void) {
  static const int sizes[] = {0, 40, 3000, 200000};
  enum { kSizes = 4, kMessages = 3, kRoom = 200000 + kMessages };
  unsigned char* out = check_alloc(kRoom);
  unsigned char* in = check_alloc(kRoom);
  for (int s = 0; s < kSizes; s++) {
    MPI_Request sends[kMessages], receive;
    MPI_Message first = MPI_MESSAGE_NULL, second = MPI_MESSAGE_NULL;
    MPI_Status status;
    int flag = 0, count;
    for (int i = 0; i < kMessages; i++) {
      CHECK_OK(MPI_Isend(out, sizes[s] + i, MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &sends[i]));
    }
    CHECK_OK(MPI_Mprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &first, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK_EQ(count, sizes[s]);
    while (!flag) CHECK_OK(MPI_Improbe(left(), MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &second, &status));
    CHECK_OK(MPI_Recv(in, kRoom, MPI_BYTE, left(), kTag, MPI_COMM_WORLD, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK_EQ(count, sizes[s] + 2);
    CHECK_OK(MPI_Imrecv(in, kRoom, MPI_BYTE, &second, &receive));
    CHECK(second == MPI_MESSAGE_NULL);
    CHECK_OK(MPI_Wait(&receive, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK_EQ(count, sizes[s] + 1);
    CHECK_OK(MPI_Mrecv(in, kRoom, MPI_BYTE, &first, &status));
    CHECK(first == MPI_MESSAGE_NULL);
    CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK_EQ(count, sizes[s]);
    CHECK_EQ(status.MPI_SOURCE, left());
    CHECK_OK(MPI_Waitall(kMessages, sends, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
  free(in);
  free(out);
}

// Thousands of messages that nobody waits for yet, with their contents checked.
static void unexpected_flood(void) {
  enum { kMessages = 3000, kBytes = 48 };
  unsigned char out[kBytes], in[kBytes];
  MPI_Request* sends = check_alloc(kMessages * sizeof *sends);
  check_fill(out, kBytes, (unsigned)check_rank);
  for (int i = 0; i < kMessages; i++) {
    CHECK_OK(MPI_Isend(out, i % (kBytes + 1), MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &sends[i]));
  }
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < kMessages; i++) {
    MPI_Status status;
    int count;
    memset(in, 0, kBytes);
    CHECK_OK(MPI_Recv(in, kBytes, MPI_BYTE, left(), kTag, MPI_COMM_WORLD, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
    CHECK_EQ(count, i % (kBytes + 1));
    CHECK_PATTERN(in, (size_t)count, (unsigned)left());
  }
  CHECK_OK(MPI_Waitall(kMessages, sends, MPI_STATUSES_IGNORE));
  free(sends);
}

// Many receives outstanding at once, completed in an order that has nothing to do with that of the sends.
static void posted_flood(void) {
  enum { kMessages = 2000 };
  int* in = check_alloc(kMessages * sizeof(int));
  MPI_Request* receives = check_alloc(kMessages * sizeof *receives);
  unsigned random = 12345;
  for (int i = 0; i < kMessages; i++) {
    in[i] = -1;
    CHECK_OK(MPI_Irecv(&in[i], 1, MPI_INT, left(), i, MPI_COMM_WORLD, &receives[i]));
  }
  for (int i = 0; i < kMessages; i++) {
    int tag = (i * 769 + 11) % kMessages;  // a permutation: 769 is prime to 2000
    CHECK_OK(MPI_Send(&tag, 1, MPI_INT, right(), tag, MPI_COMM_WORLD));
  }
  for (int left_over = kMessages; left_over > 0; left_over--) {
    unsigned pick = check_random(&random) % (unsigned)left_over;
    CHECK_OK(MPI_Wait(&receives[pick], MPI_STATUS_IGNORE));
    receives[pick] = receives[left_over - 1];
  }
  for (int i = 0; i < kMessages; i++) CHECK_EQ(in[i], i);
  free(receives);
  free(in);
}

static const CheckCase kCases[] = {
    {"order of messages of mixed sizes", order_of_mixed_sizes, 0},
    {"order of receives with wildcards", order_of_receives, 0},
    {"tags out of order", tags_backwards, 0},
    {"fan-in from any source", any_source_fan_in, 0},
    {"communicators do not mix", contexts, 0},
    {"probe", probe, 0},
    {"matched probe", matched_probe, 0},
    {"flood of unexpected messages", unexpected_flood, 0},
    {"flood of posted receives", posted_flood, 0},
};
CHECK_MAIN(kCases)
