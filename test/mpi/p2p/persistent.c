// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests: started again and again, all together or one by one, in any order, and freed while active.
#include "../check.h"

enum { kRequests = 6, kRounds = 25 };

static const int kSizes[kRequests] = {0, 4, 100, 4096, 40000, 500000};

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

typedef struct Channel {
  unsigned char* buffers[2 * kRequests];
  MPI_Request requests[2 * kRequests];  // receives, then sends
} Channel;

static void open_channel(Channel* c) {
  for (int i = 0; i < 2 * kRequests; i++) {
    int bytes = kSizes[i % kRequests];
    c->buffers[i] = check_alloc((size_t)bytes);
    if (i < kRequests) {
      CHECK_OK(MPI_Recv_init(c->buffers[i], bytes, MPI_BYTE, left(), i, MPI_COMM_WORLD, &c->requests[i]));
    } else {
      CHECK_OK(MPI_Send_init(c->buffers[i], bytes, MPI_BYTE, right(), i - kRequests, MPI_COMM_WORLD, &c->requests[i]));
    }
  }
}

static void close_channel(Channel* c) {
  for (int i = 0; i < 2 * kRequests; i++) {
    CHECK_OK(MPI_Request_free(&c->requests[i]));
    CHECK(c->requests[i] == MPI_REQUEST_NULL);
    free(c->buffers[i]);
  }
}

static void fill(Channel* c, int round) {
  for (int i = 0; i < kRequests; i++) {
    memset(c->buffers[i], 0, (size_t)kSizes[i]);
    check_fill(c->buffers[kRequests + i], (size_t)kSizes[i], (unsigned)(round * 100 + check_rank));
  }
}

static void check_round(const Channel* c, int round, const MPI_Status* statuses) {
  for (int i = 0; i < kRequests; i++) {
    int count;
    CHECK_PATTERN(c->buffers[i], (size_t)kSizes[i], (unsigned)(round * 100 + left()));
    CHECK_OK(MPI_Get_count(&statuses[i], MPI_BYTE, &count));
    CHECK_EQ(count, kSizes[i]);
    CHECK_EQ(statuses[i].MPI_TAG, i);
    CHECK(c->requests[i] != MPI_REQUEST_NULL);
  }
}

static void startall(void) {
  Channel c;
  MPI_Status statuses[2 * kRequests];
  open_channel(&c);
  for (int round = 0; round < kRounds; round++) {
    fill(&c, round);
    CHECK_OK(MPI_Startall(2 * kRequests, c.requests));
    CHECK_OK(MPI_Waitall(2 * kRequests, c.requests, statuses));
    check_round(&c, round, statuses);
  }
  close_channel(&c);
}

static void start_one_by_one(void) {
  Channel c;
  MPI_Status statuses[2 * kRequests], status;
  unsigned random = 99;
  open_channel(&c);
  for (int round = 0; round < kRounds; round++) {
    fill(&c, round);
    unsigned first = check_random(&random) % (2 * kRequests);
    for (unsigned i = 0; i < 2 * kRequests; i++) CHECK_OK(MPI_Start(&c.requests[(first + 5 * i) % (2 * kRequests)]));
    for (int done = 0; done < 2 * kRequests; done++) {
      int index = -1;
      CHECK_OK(MPI_Waitany(2 * kRequests, c.requests, &index, &status));
      if (!CHECK(index >= 0 && index < 2 * kRequests)) return;
      statuses[index] = status;
    }
    check_round(&c, round, statuses);
  }
  close_channel(&c);
}

// A persistent send meets an ordinary receive, and the other way round.
static void mixed_with_ordinary(void) {
  int out = check_rank, in = -1;
  MPI_Request send, receive;
  CHECK_OK(MPI_Send_init(&out, 1, MPI_INT, right(), 1, MPI_COMM_WORLD, &send));
  CHECK_OK(MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive));
  for (int round = 0; round < kRounds; round++) {
    int got = -1, value = 1000 * round + check_rank;
    out = value;
    CHECK_OK(MPI_Start(&send));
    CHECK_OK(MPI_Recv(&got, 1, MPI_INT, left(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_EQ(got, 1000 * round + left());
    CHECK_OK(MPI_Wait(&send, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Start(&receive));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Send(&value, 1, MPI_INT, right(), 2, MPI_COMM_WORLD));
    CHECK_OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    CHECK_EQ(in, 1000 * round + left());
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
  CHECK_OK(MPI_Request_free(&send));
  CHECK_OK(MPI_Request_free(&receive));
}

static void freed_while_active(void) {
  unsigned char* out = check_alloc(200000);
  unsigned char* in = check_alloc(200000);
  check_fill(out, 200000, (unsigned)check_rank);
  for (int bytes = 4; bytes <= 200000; bytes *= 200) {
    MPI_Request send;
    CHECK_OK(MPI_Send_init(out, bytes, MPI_BYTE, right(), 3, MPI_COMM_WORLD, &send));
    CHECK_OK(MPI_Start(&send));
    CHECK_OK(MPI_Request_free(&send));
    CHECK_OK(MPI_Recv(in, bytes, MPI_BYTE, left(), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_PATTERN(in, (size_t)bytes, (unsigned)left());
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
  free(in);
  free(out);
}

static void to_nobody(void) {
  int value = 1;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  CHECK_OK(MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]));
  CHECK_OK(MPI_Send_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]));
  for (int round = 0; round < 3; round++) {
    CHECK_OK(MPI_Startall(2, requests));
    CHECK_OK(MPI_Waitall(2, requests, statuses));
    CHECK_EQ(statuses[0].MPI_SOURCE, MPI_PROC_NULL);
    CHECK_EQ(statuses[0].MPI_TAG, MPI_ANY_TAG);
  }
  for (int i = 0; i < 2; i++) CHECK_OK(MPI_Request_free(&requests[i]));
}

static const CheckCase kCases[] = {
    {"startall", startall, 0},
    {"one by one, in any order", start_one_by_one, 0},
    {"mixed with ordinary messages", mixed_with_ordinary, 0},
    {"freed while active", freed_while_active, 0},
    {"PROC_NULL", to_nobody, 0},
};
CHECK_MAIN(kCases)
