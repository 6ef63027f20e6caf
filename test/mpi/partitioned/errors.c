// SPDX-License-Identifier: BSD-3-Clause
// Wrong use of partitioned messages is told, and changes nothing.
#include "../check.h"

static void wildcards(void) {
  int value = 0;
  MPI_Request request;
  CHECK_CLASS(MPI_Precv_init(&value, 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Precv_init(&value, 1, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &request), MPI_ERR_TAG);
  CHECK_CLASS(MPI_Psend_init(&value, -1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Psend_init(&value, 1, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request), MPI_ERR_COUNT);
}

static void wrong_partitions(void) {
  int out[4] = {1, 2, 3, 4}, in[4] = {0}, flag;
  const int twice[] = {2, 3, 2}, beyond[] = {2, 4};
  MPI_Request requests[2];
  CHECK_OK(MPI_Psend_init(out, 4, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Precv_init(in, 4, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]));
  CHECK_CLASS(MPI_Pready(0, requests[0]), MPI_ERR_REQUEST);  // not started
  CHECK_OK(MPI_Startall(2, requests));
  CHECK_CLASS(MPI_Pready(0, requests[1]), MPI_ERR_REQUEST);
  CHECK_CLASS(MPI_Parrived(requests[0], 0, &flag), MPI_ERR_REQUEST);
  CHECK_CLASS(MPI_Pready(4, requests[0]), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Pready_range(3, 2, requests[0]), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Pready_range(0, 4, requests[0]), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Pready_list(2, beyond, requests[0]), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Pready_list(3, twice, requests[0]), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Parrived(requests[1], 4, &flag), MPI_ERR_ARG);
  CHECK_OK(MPI_Pready(1, requests[0]));
  CHECK_CLASS(MPI_Pready(1, requests[0]), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Pready_range(0, 3, requests[0]), MPI_ERR_ARG);
  CHECK_OK(MPI_Pready_list(0, NULL, requests[0]));
  CHECK_OK(MPI_Pready_range(2, 3, requests[0]));
  CHECK_OK(MPI_Pready(0, requests[0]));
  CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  CHECK_BYTES(in, out, sizeof in);
  CHECK_OK(MPI_Request_free(&requests[0]));
  CHECK_OK(MPI_Request_free(&requests[1]));
}

// A message that is longer than the receiver's partitions, and one that is shorter.
static void sizes(void) {
  int out[8], in[8], flag = 0, count = 0;
  MPI_Status status;
  MPI_Request requests[2];
  for (int i = 0; i < 8; i++) out[i] = i + 1;
  memset(in, 0, sizeof in);
  CHECK_OK(MPI_Psend_init(out, 4, 2, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Precv_init(in, 1, 5, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]));
  CHECK_OK(MPI_Startall(2, requests));
  CHECK_OK(MPI_Pready_range(0, 3, requests[0]));
  CHECK_CLASS(MPI_Wait(&requests[1], &status), MPI_ERR_TRUNCATE);
  CHECK_OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  CHECK_EQ(in[4], 5);
  CHECK_EQ(in[5], 0);
  CHECK_OK(MPI_Request_free(&requests[0]));
  CHECK_OK(MPI_Request_free(&requests[1]));
  CHECK_OK(MPI_Psend_init(out, 2, 2, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &requests[0]));
  CHECK_OK(MPI_Precv_init(in, 4, 2, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]));
  CHECK_OK(MPI_Startall(2, requests));
  CHECK_OK(MPI_Pready_range(0, 1, requests[0]));
  CHECK_OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Wait(&requests[1], &status));
  CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
  CHECK_EQ(count, 4);
  CHECK_OK(MPI_Parrived(requests[1], 3, &flag));  // not active
  CHECK_EQ(flag, 1);
  CHECK_OK(MPI_Request_free(&requests[0]));
  CHECK_OK(MPI_Request_free(&requests[1]));
}

// Freed before they were started, on either side first: requests made later are paired as if those were still there.
static void freed_before_start(void) {
  int out = 5, in = 0;
  for (int first = 0; first < 2; first++) {
    MPI_Request requests[2];
    for (int i = 0; i < 2; i++) {
      if ((first + i) % 2) {
        CHECK_OK(MPI_Precv_init(&in, 1, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_INFO_NULL, &requests[i]));
      } else {
        CHECK_OK(MPI_Psend_init(&out, 1, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_INFO_NULL, &requests[i]));
      }
      CHECK_OK(MPI_Request_free(&requests[i]));
    }
    CHECK_OK(MPI_Psend_init(&out, 1, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_INFO_NULL, &requests[0]));
    CHECK_OK(MPI_Precv_init(&in, 1, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]));
    CHECK_OK(MPI_Startall(2, requests));
    CHECK_OK(MPI_Pready(0, requests[0]));
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_EQ(in, 5);
    in = 0;
    CHECK_OK(MPI_Request_free(&requests[0]));
    CHECK_OK(MPI_Request_free(&requests[1]));
  }
}

static void nothing_to_send(void) {
  int value = 3;
  MPI_Request requests[2];
  for (int partitions = 0; partitions < 2; partitions++) {
    CHECK_OK(MPI_Psend_init(&value, partitions, 0, MPI_INT, 0, 4, MPI_COMM_SELF, MPI_INFO_NULL, &requests[0]));
    CHECK_OK(MPI_Precv_init(&value, partitions, 0, MPI_INT, 0, 4, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]));
    CHECK_OK(MPI_Startall(2, requests));
    for (int i = 0; i < partitions; i++) CHECK_OK(MPI_Pready(i, requests[0]));
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Request_free(&requests[0]));
    CHECK_OK(MPI_Request_free(&requests[1]));
  }
}

static const CheckCase kCases[] = {
    {"wildcards and sizes", wildcards, 0},   {"wrong partitions", wrong_partitions, 0},
    {"longer and shorter", sizes, 0},        {"freed before the start", freed_before_start, 0},
    {"nothing to send", nothing_to_send, 0},
};

CHECK_MAIN(kCases)
