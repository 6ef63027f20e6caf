// SPDX-License-Identifier: BSD-3-Clause
// Truncation, cancelled receives, and generalized requests.
#include "../check.h"

enum { kTag = 31 };

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

// A message longer than the buffer: an error for the receiver, nothing written behind the buffer, and the next message is
// intact.
static void truncation(void) {
  static const int sizes[] = {2, 41, 1000, 10000, 100000, 1000000};
  unsigned char* out = check_alloc(1000000);
  unsigned char* in = check_alloc(1000000);
  for (int s = 0; s < 6; s++) {
    for (int early = 0; early < 2; early++) {  // is the receive posted before the message comes?
      int room = sizes[s] / 2, next = -1;
      MPI_Request sends[2], receive = MPI_REQUEST_NULL;
      memset(in, 0x11, 1000000);
      if (early) CHECK_OK(MPI_Irecv(in, room, MPI_BYTE, left(), kTag, MPI_COMM_WORLD, &receive));
      if (early) CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
      CHECK_OK(MPI_Isend(out, sizes[s], MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &sends[0]));
      CHECK_OK(MPI_Isend(&check_rank, 1, MPI_INT, right(), kTag, MPI_COMM_WORLD, &sends[1]));
      if (early) {
        CHECK_CLASS(MPI_Wait(&receive, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
      } else {
        CHECK_CLASS(MPI_Recv(in, room, MPI_BYTE, left(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
      }
      for (int i = room; i < 1000000; i++) {
        if (!CHECK_EQ(in[i], 0x11)) break;
      }
      CHECK_OK(MPI_Recv(&next, 1, MPI_INT, left(), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      CHECK_EQ(next, left());
      CHECK_OK(MPI_Waitall(2, sends, MPI_STATUSES_IGNORE));
    }
  }
  free(in);
  free(out);
}

// Among many requests the one with the error is named by its status.
static void truncation_among_many(void) {
  int values[3] = {-1, -1, -1}, out[3] = {1, 2, 3};
  MPI_Request requests[3];
  MPI_Status statuses[3];
  int class = MPI_SUCCESS;
  for (int i = 0; i < 3; i++) {
    CHECK_OK(MPI_Irecv(&values[i], i == 1 ? 0 : 1, MPI_INT, left(), i, MPI_COMM_WORLD, &requests[i]));
  }
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < 3; i++) CHECK_OK(MPI_Send(&out[i], 1, MPI_INT, right(), i, MPI_COMM_WORLD));
  // Without this barrier Waitall may legally report MPI_ERR_PENDING for a request that is not complete yet.
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_CLASS(MPI_Waitall(3, requests, statuses), MPI_ERR_IN_STATUS);
  for (int i = 0; i < 3; i++) {
    CHECK_OK(MPI_Error_class(statuses[i].MPI_ERROR, &class));
    if (i == 1) CHECK_EQ(class, MPI_ERR_TRUNCATE);
    if (i != 1) CHECK(class == MPI_SUCCESS || class == MPI_ERR_PENDING);
  }
  CHECK_OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
  CHECK_EQ(values[0], 1);
  CHECK_EQ(values[1], -1);
  CHECK_EQ(values[2], 3);
}

static void cancel_receive(void) {
  enum { kRequests = 20 };
  MPI_Request requests[kRequests];
  MPI_Status status;
  int values[kRequests], cancelled;
  for (int i = 0; i < kRequests; i++) {
    values[i] = -1;
    CHECK_OK(MPI_Irecv(&values[i], 1, MPI_INT, i % 3 ? left() : MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &requests[i]));
  }
  for (int i = 0; i < kRequests; i++) {
    if (i != 7) CHECK_OK(MPI_Cancel(&requests[i]));
  }
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_Send(&check_rank, 1, MPI_INT, right(), kTag, MPI_COMM_WORLD));
  for (int i = 0; i < kRequests; i++) {
    CHECK_OK(MPI_Wait(&requests[i], &status));
    CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK_EQ(cancelled, i != 7);
    CHECK_EQ(values[i], i == 7 ? left() : -1);
  }
}

// A persistent receive can be started again after it was cancelled.
static void cancel_persistent(void) {
  MPI_Request request;
  MPI_Status status;
  int value = -1, cancelled = 0;
  CHECK_OK(MPI_Recv_init(&value, 1, MPI_INT, left(), kTag, MPI_COMM_WORLD, &request));
  CHECK_OK(MPI_Start(&request));
  CHECK_OK(MPI_Cancel(&request));
  CHECK_OK(MPI_Wait(&request, &status));
  CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
  CHECK_EQ(cancelled, 1);
  CHECK(request != MPI_REQUEST_NULL);
  CHECK_OK(MPI_Start(&request));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_Send(&check_rank, 1, MPI_INT, right(), kTag, MPI_COMM_WORLD));
  CHECK_OK(MPI_Wait(&request, &status));
  CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
  CHECK_EQ(cancelled, 0);
  CHECK_EQ(value, left());
  CHECK_OK(MPI_Request_free(&request));
}

// A completed message cannot be cancelled any more.
static void cancel_too_late(void) {
  MPI_Request request;
  MPI_Status status;
  int value = -1, cancelled = 1;
  CHECK_OK(MPI_Irecv(&value, 1, MPI_INT, left(), kTag, MPI_COMM_WORLD, &request));
  CHECK_OK(MPI_Send(&check_rank, 1, MPI_INT, right(), kTag, MPI_COMM_WORLD));
  int flag = 0;
  while (!flag) CHECK_OK(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Cancel(&request));
  CHECK_OK(MPI_Wait(&request, &status));
  CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
  CHECK_EQ(cancelled, 0);
  CHECK_EQ(value, left());
}

typedef struct Work {
  int queried, freed, cancelled, result;
} Work;

static int query_work(void* state, MPI_Status* status) {
  Work* work = state;
  work->queried++;
  MPI_Status_set_elements(status, MPI_INT, 5);
  MPI_Status_set_cancelled(status, work->cancelled != 0);
  status->MPI_SOURCE = 42;
  status->MPI_TAG = 43;
  return work->result;
}

static int free_work(void* state) {
  ((Work*)state)->freed++;
  return MPI_SUCCESS;
}

static int cancel_work(void* state, int complete) {
  ((Work*)state)->cancelled = complete ? -1 : 1;
  return MPI_SUCCESS;
}

static void generalized(void) {
  Work work = {0, 0, 0, MPI_SUCCESS};
  MPI_Request request;
  MPI_Status status;
  int flag = 1, count = 0;
  CHECK_OK(MPI_Grequest_start(query_work, free_work, cancel_work, &work, &request));
  CHECK_OK(MPI_Test(&request, &flag, &status));
  CHECK_EQ(flag, 0);
  CHECK_EQ(work.queried, 0);
  CHECK_OK(MPI_Grequest_complete(request));
  CHECK_OK(MPI_Wait(&request, &status));
  CHECK(request == MPI_REQUEST_NULL);
  CHECK_EQ(work.queried, 1);
  CHECK_EQ(work.freed, 1);
  CHECK_EQ(status.MPI_SOURCE, 42);
  CHECK_EQ(status.MPI_TAG, 43);
  CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
  CHECK_EQ(count, 5);
}

static void generalized_cancelled_and_freed(void) {
  Work work = {0, 0, 0, MPI_SUCCESS};
  MPI_Request requests[2];
  MPI_Status statuses[2];
  int cancelled = 0, value = -1;
  CHECK_OK(MPI_Grequest_start(query_work, free_work, cancel_work, &work, &requests[0]));
  CHECK_OK(MPI_Cancel(&requests[0]));
  CHECK_EQ(work.cancelled, 1);
  CHECK_OK(MPI_Grequest_complete(requests[0]));
  CHECK_OK(MPI_Irecv(&value, 1, MPI_INT, left(), kTag, MPI_COMM_WORLD, &requests[1]));
  CHECK_OK(MPI_Send(&check_rank, 1, MPI_INT, right(), kTag, MPI_COMM_WORLD));
  CHECK_OK(MPI_Waitall(2, requests, statuses));  // together with a message
  CHECK_OK(MPI_Test_cancelled(&statuses[0], &cancelled));
  CHECK_EQ(cancelled, 1);
  CHECK_EQ(statuses[1].MPI_SOURCE, left());
  CHECK_EQ(work.freed, 1);
  MPI_Request request;
  Work second = {0, 0, 0, MPI_SUCCESS};
  CHECK_OK(MPI_Grequest_start(query_work, free_work, cancel_work, &second, &request));
  MPI_Request copy = request;
  CHECK_OK(MPI_Request_free(&request));
  CHECK_EQ(second.freed, 0);
  CHECK_OK(MPI_Grequest_complete(copy));
  CHECK_EQ(second.freed, 1);
}

static const CheckCase kCases[] = {
    {"truncation", truncation, 0},
    {"truncation among many requests", truncation_among_many, 0},
    {"cancelled receives", cancel_receive, 0},
    {"cancelled persistent receive", cancel_persistent, 0},
    {"cancel after completion", cancel_too_late, 0},
    {"generalized request", generalized, 0},
    {"generalized request, cancelled and freed", generalized_cancelled_and_freed, 0},
};
CHECK_MAIN(kCases)
