// SPDX-License-Identifier: BSD-3-Clause
// The Wait and Test families: null and inactive requests, statuses, order, and request_get_status, which frees nothing.
#include "../check.h"

enum { kTag = 9, kCount = 6 };

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

static void check_empty(const MPI_Status* status) {
  int count = -1, cancelled = 1;
  CHECK_EQ(status->MPI_SOURCE, MPI_ANY_SOURCE);
  CHECK_EQ(status->MPI_TAG, MPI_ANY_TAG);
  CHECK_OK(MPI_Get_count(status, MPI_BYTE, &count));
  CHECK_EQ(count, 0);
  CHECK_OK(MPI_Test_cancelled(status, &cancelled));
  CHECK_EQ(cancelled, 0);
}

// All requests null, none at all, or inactive: complete at once with the empty status and an undefined index.
static void nothing_active(void) {
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL}, persistent;
  MPI_Status status, statuses[3];
  int flag = 0, index = 0, indices[3], done = 0, value;
  CHECK_OK(MPI_Recv_init(&value, 1, MPI_INT, left(), kTag, MPI_COMM_WORLD, &persistent));
  for (int inactive = 0; inactive < 2; inactive++) {
    if (inactive) requests[1] = persistent;
    CHECK_OK(MPI_Wait(&requests[1], &status));
    check_empty(&status);
    CHECK_OK(MPI_Test(&requests[1], &flag, &status));
    CHECK_EQ(flag, 1);
    check_empty(&status);
    CHECK_OK(MPI_Waitany(3, requests, &index, &status));
    CHECK_EQ(index, MPI_UNDEFINED);
    check_empty(&status);
    flag = 0;
    CHECK_OK(MPI_Testany(3, requests, &index, &flag, &status));
    CHECK_EQ(flag, 1);
    CHECK_EQ(index, MPI_UNDEFINED);
    check_empty(&status);
    CHECK_OK(MPI_Waitsome(3, requests, &done, indices, statuses));
    CHECK_EQ(done, MPI_UNDEFINED);
    CHECK_OK(MPI_Testsome(3, requests, &done, indices, statuses));
    CHECK_EQ(done, MPI_UNDEFINED);
    CHECK_OK(MPI_Waitall(3, requests, statuses));
    for (int i = 0; i < 3; i++) check_empty(&statuses[i]);
    flag = 0;
    CHECK_OK(MPI_Testall(3, requests, &flag, statuses));
    CHECK_EQ(flag, 1);
    flag = 0;
    CHECK_OK(MPI_Request_get_status(requests[1], &flag, &status));
    CHECK_EQ(flag, 1);
    check_empty(&status);
  }
  CHECK(requests[1] == persistent);
  CHECK_OK(MPI_Request_free(&persistent));
  CHECK(persistent == MPI_REQUEST_NULL);
  CHECK_OK(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
  CHECK_OK(MPI_Waitany(0, NULL, &index, &status));
  CHECK_EQ(index, MPI_UNDEFINED);
  CHECK_OK(MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE));
  CHECK_EQ(flag, 1);
}

typedef struct Exchange {
  int values[kCount];
  MPI_Request requests[kCount];
} Exchange;

// Posts kCount receives with tags 0.. from the left; nothing is sent yet.
static void post(Exchange* x) {
  for (int i = 0; i < kCount; i++) {
    x->values[i] = -1;
    CHECK_OK(MPI_Irecv(&x->values[i], 1, MPI_INT, left(), i, MPI_COMM_WORLD, &x->requests[i]));
  }
}

static void send_tag(int tag) {
  int value = 10 * tag + 1;
  CHECK_OK(MPI_Send(&value, 1, MPI_INT, right(), tag, MPI_COMM_WORLD));
}

static void check_arrived(const Exchange* x, int i, const MPI_Status* status) {
  CHECK_EQ(x->values[i], 10 * i + 1);
  CHECK_EQ(status->MPI_TAG, i);
  CHECK_EQ(status->MPI_SOURCE, left());
  CHECK(x->requests[i] == MPI_REQUEST_NULL);
}

static void any(void) {
  static const int order[kCount] = {3, 0, 5, 1, 4, 2};
  Exchange x;
  MPI_Status status;
  int index, flag;
  post(&x);
  CHECK_OK(MPI_Testany(kCount, x.requests, &index, &flag, &status));
  CHECK_EQ(flag, 0);
  CHECK_EQ(index, MPI_UNDEFINED);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < kCount; i++) {
    send_tag(order[i]);
    if (i % 2) {
      CHECK_OK(MPI_Waitany(kCount, x.requests, &index, &status));
    } else {
      do CHECK_OK(MPI_Testany(kCount, x.requests, &index, &flag, &status));
      while (!flag);
    }
    // The left neighbour may be ahead or behind, but it sends in this order, one message at a time.
    CHECK_EQ(index, order[i]);
    if (index >= 0) check_arrived(&x, index, &status);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
}

static void some(void) {
  for (int testing = 0; testing < 2; testing++) {
    Exchange x;
    MPI_Status statuses[kCount];
    int indices[kCount], done = 0, total = 0, seen[kCount] = {0};
    post(&x);
    CHECK_OK(MPI_Testsome(kCount, x.requests, &done, indices, statuses));
    CHECK_EQ(done, 0);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = kCount - 1; i >= 0; i--) send_tag(i);
    while (total < kCount) {
      if (testing) {
        CHECK_OK(MPI_Testsome(kCount, x.requests, &done, indices, statuses));
      } else {
        CHECK_OK(MPI_Waitsome(kCount, x.requests, &done, indices, statuses));
        CHECK(done >= 1);
      }
      if (!CHECK(done >= 0 && done <= kCount)) break;
      for (int i = 0; i < done; i++) {
        seen[indices[i]]++;
        check_arrived(&x, indices[i], &statuses[i]);
      }
      total += done;
    }
    for (int i = 0; i < kCount; i++) CHECK_EQ(seen[i], 1);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  }
}

static void all(void) {
  Exchange x;
  MPI_Status statuses[kCount];
  int flag = 1;
  post(&x);
  for (int i = 0; i < kCount - 1; i++) send_tag(i);
  for (int turn = 0; turn < 50; turn++) {
    CHECK_OK(MPI_Testall(kCount, x.requests, &flag, statuses));
    CHECK_EQ(flag, 0);
    for (int i = 0; i < kCount; i++) CHECK(x.requests[i] != MPI_REQUEST_NULL);  // all or nothing
  }
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  send_tag(kCount - 1);
  do CHECK_OK(MPI_Testall(kCount, x.requests, &flag, statuses));
  while (!flag);
  for (int i = 0; i < kCount; i++) check_arrived(&x, i, &statuses[i]);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  post(&x);
  for (int i = 0; i < kCount; i++) send_tag(i);
  CHECK_OK(MPI_Waitall(kCount, x.requests, statuses));
  for (int i = 0; i < kCount; i++) check_arrived(&x, i, &statuses[i]);
}

// Asking for the status leaves the request as it is: it can be asked again, and completed afterwards.
static void get_status(void) {
  MPI_Request request;
  MPI_Status status;
  int value = -1, flag = 0;
  CHECK_OK(MPI_Irecv(&value, 1, MPI_INT, left(), 4, MPI_COMM_WORLD, &request));
  CHECK_OK(MPI_Request_get_status(request, &flag, &status));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  send_tag(4);
  for (int times = 0; times < 3; times++) {
    do CHECK_OK(MPI_Request_get_status(request, &flag, &status));
    while (!flag);
    CHECK_EQ(status.MPI_TAG, 4);
    CHECK_EQ(value, 41);
  }
  CHECK(request != MPI_REQUEST_NULL);
  CHECK_OK(MPI_Wait(&request, &status));
  CHECK_EQ(status.MPI_SOURCE, left());
  CHECK(request == MPI_REQUEST_NULL);
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
static void get_status_of_many(void) {
  Exchange x;
  MPI_Status status, statuses[kCount];
  int flag = 0, index = 0, done = 0, indices[kCount];
  post(&x);
  CHECK_OK(MPI_Request_get_status_all(kCount, x.requests, &flag, statuses));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Request_get_status_any(kCount, x.requests, &index, &flag, &status));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Request_get_status_some(kCount, x.requests, &done, indices, statuses));
  CHECK_EQ(done, 0);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  send_tag(2);
  do CHECK_OK(MPI_Request_get_status_any(kCount, x.requests, &index, &flag, &status));
  while (!flag);
  CHECK_EQ(index, 2);
  CHECK_EQ(status.MPI_TAG, 2);
  CHECK_OK(MPI_Request_get_status_some(kCount, x.requests, &done, indices, statuses));
  CHECK_EQ(done, 1);
  CHECK_EQ(indices[0], 2);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < kCount; i++) {
    if (i != 2) send_tag(i);
  }
  do CHECK_OK(MPI_Request_get_status_all(kCount, x.requests, &flag, statuses));
  while (!flag);
  for (int i = 0; i < kCount; i++) CHECK_EQ(statuses[i].MPI_TAG, i);
  CHECK_OK(MPI_Waitall(kCount, x.requests, MPI_STATUSES_IGNORE));
}
#endif

// A freed request still completes; the application knows by other means.
static void freed_requests(void) {
  enum { kBytes = 300000 };
  unsigned char* out = check_alloc(kBytes);
  unsigned char* in = check_alloc(kBytes);
  for (int bytes = 1; bytes <= kBytes; bytes = bytes * 7 + 3) {
    MPI_Request send, receive;
    check_fill(out, (size_t)bytes, (unsigned)check_rank);
    CHECK_OK(MPI_Isend(out, bytes, MPI_BYTE, right(), kTag, MPI_COMM_WORLD, &send));
    CHECK_OK(MPI_Irecv(in, bytes, MPI_BYTE, left(), kTag, MPI_COMM_WORLD, &receive));
    CHECK_OK(MPI_Request_free(&send));
    CHECK(send == MPI_REQUEST_NULL);
    CHECK_OK(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    CHECK_PATTERN(in, (size_t)bytes, (unsigned)left());
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));  // now all messages are received, and `out` may change
  }
  free(in);
  free(out);
}

static const CheckCase kCases[] = {
    {"null and inactive requests", nothing_active, 0},
    {"any", any, 0},
    {"some", some, 0},
    {"all", all, 0},
    {"request_get_status", get_status, 0},
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    {"request_get_status of many", get_status_of_many, 0},
#endif
    {"freed requests", freed_requests, 0},
};
CHECK_MAIN(kCases)
