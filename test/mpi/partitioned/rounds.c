// SPDX-License-Identifier: BSD-3-Clause
// Partitioned messages (MPI 5.0 chapter 4): partitions that differ on the two sides, in any order, round after round.
#include "../check.h"

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

// A permutation of 0 .. n-1.
static void shuffle(int* order, int n, unsigned* state) {
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = (int)(check_random(state) % (unsigned)(i + 1)), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
}

// Which calls mark the partitions in `order`.
static void mark(MPI_Request request, const int* order, int n, int round) {
  if (round % 3 == 0) {
    for (int i = 0; i < n; i++) CHECK_OK(MPI_Pready(order[i], request));
  } else if (round % 3 == 1) {
    CHECK_OK(MPI_Pready_list(n / 2, order, request));
    CHECK_OK(MPI_Pready_list(n - n / 2, order + n / 2, request));
  } else {
    CHECK_OK(MPI_Pready_range(n / 2, n - 1, request));
    if (n > 1) CHECK_OK(MPI_Pready_range(0, n / 2 - 1, request));
  }
}

static void ring(int out_parts, int in_parts, int bytes, int rounds) {
  unsigned char* out = check_alloc((size_t)bytes);
  unsigned char* in = check_alloc((size_t)bytes);
  int* order = check_alloc((size_t)out_parts * sizeof *order);
  unsigned state = (unsigned)(1 + check_rank);
  MPI_Request requests[2];
  CHECK_OK(
      MPI_Psend_init(out, out_parts, bytes / out_parts, MPI_BYTE, right(), 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Precv_init(in, in_parts, bytes / in_parts, MPI_BYTE, left(), 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  for (int round = 0; round < rounds; round++) {
    MPI_Status statuses[2];
    int count;
    check_fill(out, (size_t)bytes, (unsigned)(check_rank * 1000 + round));
    memset(in, 0, (size_t)bytes);
    shuffle(order, out_parts, &state);
    CHECK_OK(MPI_Startall(2, requests));
    mark(requests[0], order, out_parts, round);
    if (round % 2) {  // look at each partition before completing
      for (int p = 0; p < in_parts; p++) {
        int flag = 0, size = bytes / in_parts;
        while (!flag) CHECK_OK(MPI_Parrived(requests[1], p, &flag));
        for (int i = p * size; i < (p + 1) * size; i++) {
          if (in[i] == check_pattern((unsigned)(left() * 1000 + round), (size_t)i)) continue;
          CHECK_EQ(i, -1);
          break;
        }
      }
    }
    CHECK_OK(MPI_Waitall(2, requests, statuses));
    CHECK_PATTERN(in, (size_t)bytes, (unsigned)(left() * 1000 + round));
    CHECK_EQ(statuses[1].MPI_SOURCE, left());
    CHECK_EQ(statuses[1].MPI_TAG, 3);
    CHECK_OK(MPI_Get_count(&statuses[1], MPI_BYTE, &count));
    CHECK_EQ(count, bytes);
  }
  CHECK_OK(MPI_Request_free(&requests[0]));
  CHECK_OK(MPI_Request_free(&requests[1]));
  CHECK(requests[0] == MPI_REQUEST_NULL);
  free(order);
  free(in);
  free(out);
}

static void equal_partitions(void) {
  ring(1, 1, 64, 12);
  ring(8, 8, 64, 12);
  ring(16, 16, 16 * 3000, 12);
}
static void more_at_sender(void) {
  ring(12, 4, 1200, 12);
  ring(30, 1, 90000, 6);
}
static void more_at_receiver(void) {
  ring(4, 12, 1200, 12);
  ring(1, 30, 90000, 6);
}
static void not_multiples(void) {
  ring(6, 4, 12000, 12);
  ring(7, 5, 35 * 4000, 6);
}
static void long_partitions(void) {
  ring(4, 4, 4 * 300000, 4);
  ring(3, 2, 6 * 200000, 4);
}
static void many_partitions(void) { ring(1000, 500, 8000, 3); }

// Every second int of the sender goes to bytes with gaps at the receiver.
static void derived_types(void) {
  enum { kParts = 6, kEach = 50 };
  MPI_Datatype every_second, pairs;
  int out[kParts * kEach * 2], in[kParts * kEach * 3 / 2 + 8];
  MPI_Request requests[2];
  CHECK_OK(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_second));
  CHECK_OK(MPI_Type_commit(&every_second));
  CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &pairs));
  MPI_Datatype spaced;
  CHECK_OK(MPI_Type_create_resized(pairs, 0, 3 * sizeof(int), &spaced));
  CHECK_OK(MPI_Type_commit(&spaced));
  CHECK_OK(MPI_Psend_init(out, kParts, kEach, every_second, right(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Precv_init(in, 3, kParts * kEach / 6, spaced, left(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < kParts * kEach * 2; i++) out[i] = i % 2 ? -7 : check_rank * 10000 + round * 1000 + i / 2;
    memset(in, 0xff, sizeof in);
    CHECK_OK(MPI_Startall(2, requests));
    for (int p = kParts - 1; p >= 0; p--) CHECK_OK(MPI_Pready(p, requests[0]));
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < kParts * kEach; i++) {
      if (!CHECK_EQ(in[i / 2 * 3 + i % 2], left() * 10000 + round * 1000 + i)) break;
    }
    for (int i = 0; i < kParts * kEach / 2; i++) {
      if (!CHECK_EQ(in[i * 3 + 2], -1)) break;
    }
  }
  CHECK_OK(MPI_Request_free(&requests[0]));
  CHECK_OK(MPI_Request_free(&requests[1]));
  CHECK_OK(MPI_Type_free(&every_second));
  CHECK_OK(MPI_Type_free(&spaced));
  CHECK_OK(MPI_Type_free(&pairs));
}

// A partition of the sender ends in the middle of a pair of the receiver.
static void cut_elements(void) {
  enum { kPairs = 30 };
  MPI_Datatype pair;
  int out[2 * kPairs], in[2 * kPairs];
  MPI_Request requests[2];
  CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &pair));
  CHECK_OK(MPI_Type_commit(&pair));
  CHECK_OK(MPI_Psend_init(out, 4, kPairs / 2, MPI_INT, right(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Precv_init(in, 2, kPairs / 2, pair, left(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  for (int round = 0; round < 4; round++) {
    int flag = 0;
    for (int i = 0; i < 2 * kPairs; i++) out[i] = check_rank * 1000 + round * 100 + i;
    memset(in, 0, sizeof in);
    CHECK_OK(MPI_Startall(2, requests));
    CHECK_OK(MPI_Pready_range(2, 3, requests[0]));
    // It may arrive before the others are ready, but need not.
    for (int tries = 0; tries < 1000 && !flag; tries++) CHECK_OK(MPI_Parrived(requests[1], 1, &flag));
    for (int i = kPairs; flag && i < 2 * kPairs; i++) CHECK_EQ(in[i], left() * 1000 + round * 100 + i);
    CHECK_OK(MPI_Pready_range(0, 1, requests[0]));
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 2 * kPairs; i++) CHECK_EQ(in[i], left() * 1000 + round * 100 + i);
  }
  CHECK_OK(MPI_Request_free(&requests[0]));
  CHECK_OK(MPI_Request_free(&requests[1]));
  CHECK_OK(MPI_Type_free(&pair));
}

// Requests of one tag are paired in the order of their init calls, whatever is started first; other messages are not met.
static void pairing(void) {
  enum { kPairs = 4 };
  int out[kPairs], in[kPairs], plain = -1;
  MPI_Request sends[kPairs], receives[kPairs], other;
  CHECK_OK(MPI_Irecv(&plain, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &other));
  for (int i = 0; i < kPairs; i++) {
    CHECK_OK(MPI_Psend_init(&out[i], 1, 1, MPI_INT, right(), 5, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[i]));
  }
  for (int i = 0; i < kPairs; i++) {
    CHECK_OK(MPI_Precv_init(&in[i], 1, 1, MPI_INT, left(), 5, MPI_COMM_WORLD, MPI_INFO_NULL, &receives[i]));
  }
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < kPairs; i++) {
      int k = kPairs - 1 - i;
      out[k] = check_rank * 100 + round * 10 + k;
      in[k] = -1;
      CHECK_OK(MPI_Start(&sends[k]));
      CHECK_OK(MPI_Pready(0, sends[k]));
    }
    for (int i = 0; i < kPairs; i++) CHECK_OK(MPI_Start(&receives[(i + round) % kPairs]));
    for (int i = 0; i < kPairs; i++) {
      int flag = 0;
      while (!flag) CHECK_OK(MPI_Test(&receives[i], &flag, MPI_STATUS_IGNORE));
      CHECK_EQ(in[i], left() * 100 + round * 10 + i);
    }
    CHECK_OK(MPI_Waitall(kPairs, sends, MPI_STATUSES_IGNORE));
  }
  for (int i = 0; i < kPairs; i++) {
    CHECK_OK(MPI_Request_free(&sends[i]));
    CHECK_OK(MPI_Request_free(&receives[i]));
  }
  CHECK_EQ(plain, -1);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));  // all have looked
  CHECK_OK(MPI_Send(&check_rank, 1, MPI_INT, right(), 9, MPI_COMM_WORLD));
  CHECK_OK(MPI_Wait(&other, MPI_STATUS_IGNORE));
  CHECK_EQ(plain, left());
}

// The receiver says no partition has come before it was sent, and all have when it is not active.
static void parrived(void) {
  int out[2] = {1, 2}, in[2] = {0, 0}, flag = 1;
  MPI_Request requests[2];
  CHECK_OK(MPI_Psend_init(out, 2, 1, MPI_INT, right(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Precv_init(in, 2, 1, MPI_INT, left(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  CHECK_OK(MPI_Startall(2, requests));
  CHECK_OK(MPI_Parrived(requests[1], 0, &flag));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_Pready(1, requests[0]));
  CHECK_OK(MPI_Pready(0, requests[0]));
  CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  CHECK_EQ(in[0], 1);
  CHECK_EQ(in[1], 2);
  CHECK_OK(MPI_Request_free(&requests[0]));
  CHECK_OK(MPI_Request_free(&requests[1]));
}

static void proc_null(void) {
  int value = 7, flag = 0, count = -1;
  MPI_Request requests[2];
  MPI_Status status;
  CHECK_OK(MPI_Psend_init(&value, 1, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Precv_init(&value, 1, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  CHECK_OK(MPI_Startall(2, requests));
  CHECK_OK(MPI_Pready(0, requests[0]));
  CHECK_OK(MPI_Parrived(requests[1], 0, &flag));
  CHECK_EQ(flag, 1);
  CHECK_OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Wait(&requests[1], &status));
  CHECK_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
  CHECK_EQ(count, 0);
  CHECK_EQ(value, 7);
  CHECK_OK(MPI_Request_free(&requests[0]));
  CHECK_OK(MPI_Request_free(&requests[1]));
}

// A request may be freed while it is active; it goes on to the end.
static void freed_while_active(void) {
  unsigned char* out = check_alloc(400000);
  unsigned char* in = check_alloc(400000);
  MPI_Request requests[2];
  check_fill(out, 400000, (unsigned)check_rank);
  CHECK_OK(MPI_Psend_init(out, 4, 100000, MPI_BYTE, right(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Precv_init(in, 4, 100000, MPI_BYTE, left(), 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
  CHECK_OK(MPI_Startall(2, requests));
  CHECK_OK(MPI_Pready_range(0, 3, requests[0]));
  CHECK_OK(MPI_Request_free(&requests[0]));
  CHECK_OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
  CHECK_PATTERN(in, 400000, (unsigned)left());
  CHECK_OK(MPI_Request_free(&requests[1]));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));  // the neighbour has read all
  free(in);
  free(out);
}

static const CheckCase kCases[] = {
    {"equal partitions", equal_partitions, 0},
    {"more at the sender", more_at_sender, 0},
    {"more at the receiver", more_at_receiver, 0},
    {"no multiples of each other", not_multiples, 0},
    {"long partitions", long_partitions, 0},
    {"many partitions", many_partitions, 0},
    {"derived types", derived_types, 0},
    {"elements cut in two", cut_elements, 0},
    {"pairing", pairing, 0},
    {"parrived", parrived, 0},
    {"MPI_PROC_NULL", proc_null, 0},
    {"freed while active", freed_while_active, 0},
};

CHECK_MAIN(kCases)
