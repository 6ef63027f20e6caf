// SPDX-License-Identifier: BSD-3-Clause
// Sendrecv in all its forms, messages to oneself and to nobody.
#include "../check.h"

#define HAVE_ISENDRECV (MPI_VERSION >= 4)

enum { kTag = 21, kLargest = 2000000 };

static const int kSizes[] = {0, 1, 40, 64, 1000, 8192, 70000, kLargest};

static void sendrecv_shifts(void) {
  unsigned char* out = check_alloc(kLargest);
  unsigned char* in = check_alloc(kLargest);
  check_fill(out, kLargest, (unsigned)check_rank);
  for (int shift = 0; shift < check_size; shift++) {
    int to = (check_rank + shift) % check_size, from = (check_rank + check_size - shift) % check_size;
    for (int s = 0; s < 8; s++) {
      MPI_Status status;
      int count;
      memset(in, 0, (size_t)kSizes[s]);
      CHECK_OK(MPI_Sendrecv(out, kSizes[s], MPI_BYTE, to, shift, in, kLargest, MPI_BYTE, s % 2 ? from : MPI_ANY_SOURCE,
                            s % 3 ? shift : MPI_ANY_TAG, MPI_COMM_WORLD, &status));
      CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
      CHECK_EQ(count, kSizes[s]);
      CHECK_EQ(status.MPI_SOURCE, from);
      CHECK_EQ(status.MPI_TAG, shift);
      CHECK_PATTERN(in, (size_t)kSizes[s], (unsigned)from);
      CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    }
  }
  free(in);
  free(out);
}

static void sendrecv_replace(void) {
  unsigned char* buffer = check_alloc(kLargest);
  for (int shift = 0; shift < check_size; shift++) {
    int to = (check_rank + shift) % check_size, from = (check_rank + check_size - shift) % check_size;
    for (int s = 0; s < 8; s++) {
      MPI_Status status;
      check_fill(buffer, (size_t)kSizes[s], (unsigned)check_rank);
      CHECK_OK(MPI_Sendrecv_replace(buffer, kSizes[s], MPI_BYTE, to, kTag, from, kTag, MPI_COMM_WORLD, &status));
      CHECK_PATTERN(buffer, (size_t)kSizes[s], (unsigned)from);
      CHECK_EQ(status.MPI_SOURCE, from);
    }
  }
  free(buffer);
}

// Only what the type covers is replaced.
static void replace_strided(void) {
  int values[100], to = (check_rank + 1) % check_size, from = (check_rank + check_size - 1) % check_size;
  MPI_Datatype odd;
  for (int i = 0; i < 100; i++) values[i] = 1000 * check_rank + i;
  CHECK_OK(MPI_Type_vector(50, 1, 2, MPI_INT, &odd));
  CHECK_OK(MPI_Type_commit(&odd));
  CHECK_OK(MPI_Sendrecv_replace(values + 1, 1, odd, to, kTag, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  for (int i = 0; i < 100; i++) CHECK_EQ(values[i], 1000 * (i % 2 ? from : check_rank) + i);
  CHECK_OK(MPI_Type_free(&odd));
}

#if HAVE_ISENDRECV
static void nonblocking_forms(void) {
  unsigned char* out = check_alloc(kLargest);
  unsigned char* in = check_alloc(kLargest);
  int to = (check_rank + 1) % check_size, from = (check_rank + check_size - 1) % check_size;
  for (int s = 0; s < 8; s++) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int count;
    unsigned char* replaced = check_alloc((size_t)kSizes[s]);
    check_fill(out, (size_t)kSizes[s], (unsigned)check_rank);
    check_fill(replaced, (size_t)kSizes[s], (unsigned)(check_rank + 500));
    CHECK_OK(MPI_Isendrecv(out, kSizes[s], MPI_BYTE, to, 1, in, kLargest, MPI_BYTE, from, 1, MPI_COMM_WORLD, &requests[0]));
    CHECK_OK(MPI_Isendrecv_replace(replaced, kSizes[s], MPI_BYTE, to, 2, from, 2, MPI_COMM_WORLD, &requests[1]));
    CHECK_OK(MPI_Waitall(2, requests, statuses));
    for (int i = 0; i < 2; i++) {
      CHECK_OK(MPI_Get_count(&statuses[i], MPI_BYTE, &count));
      CHECK_EQ(count, kSizes[s]);
      CHECK_EQ(statuses[i].MPI_SOURCE, from);
      CHECK_EQ(statuses[i].MPI_TAG, i + 1);
    }
    CHECK_PATTERN(in, (size_t)kSizes[s], (unsigned)from);
    CHECK_PATTERN(replaced, (size_t)kSizes[s], (unsigned)(from + 500));
    free(replaced);
  }
  free(in);
  free(out);
}
#endif

static void check_nobody(const MPI_Status* status) {
  int count = -1;
  CHECK_EQ(status->MPI_SOURCE, MPI_PROC_NULL);
  CHECK_EQ(status->MPI_TAG, MPI_ANY_TAG);
  CHECK_OK(MPI_Get_count(status, MPI_BYTE, &count));
  CHECK_EQ(count, 0);
}

static void proc_null(void) {
  int value = 77, flag = 0;
  MPI_Status status;
  MPI_Request request;
  MPI_Message message = MPI_MESSAGE_NULL;
  CHECK_OK(MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
  CHECK_OK(MPI_Ssend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
  CHECK_OK(MPI_Rsend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
  CHECK_OK(MPI_Bsend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
  CHECK_OK(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
  check_nobody(&status);
  CHECK_OK(MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request));
  CHECK_OK(MPI_Wait(&request, &status));
  check_nobody(&status);
  CHECK_OK(MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Probe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
  check_nobody(&status);
  CHECK_OK(MPI_Iprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &status));
  CHECK_EQ(flag, 1);
  CHECK_OK(MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status));
  CHECK(message == MPI_MESSAGE_NO_PROC);
  check_nobody(&status);
  CHECK_OK(MPI_Mrecv(&value, 1, MPI_INT, &message, &status));
  CHECK(message == MPI_MESSAGE_NULL);
  check_nobody(&status);
  CHECK_OK(MPI_Improbe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &message, &status));
  CHECK_EQ(flag, 1);
  CHECK_OK(MPI_Imrecv(&value, 1, MPI_INT, &message, &request));
  CHECK_OK(MPI_Wait(&request, &status));
  check_nobody(&status);
  CHECK_OK(MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, &value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
  check_nobody(&status);
  CHECK_OK(MPI_Sendrecv_replace(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
  check_nobody(&status);
  CHECK_EQ(value, 77);
}

// Half open: the ends of an open chain send to, or receive from, nobody.
static void open_chain(void) {
  int in = -1, up = check_rank + 1 < check_size ? check_rank + 1 : MPI_PROC_NULL;
  int down = check_rank > 0 ? check_rank - 1 : MPI_PROC_NULL;
  MPI_Status status;
  CHECK_OK(MPI_Sendrecv(&check_rank, 1, MPI_INT, up, kTag, &in, 1, MPI_INT, down, kTag, MPI_COMM_WORLD, &status));
  CHECK_EQ(in, check_rank - 1);
  CHECK_EQ(status.MPI_SOURCE, down);
}

static void to_oneself(void) {
  unsigned char* out = check_alloc(kLargest);
  unsigned char* in = check_alloc(kLargest);
  check_fill(out, kLargest, 5);
  for (int own_comm = 0; own_comm < 2; own_comm++) {
    MPI_Comm comm = own_comm ? MPI_COMM_SELF : MPI_COMM_WORLD;
    int me = own_comm ? 0 : check_rank;
    for (int s = 0; s < 8; s++) {
      MPI_Request requests[2];
      memset(in, 0, (size_t)kSizes[s]);
      CHECK_OK(MPI_Irecv(in, kSizes[s], MPI_BYTE, me, kTag, comm, &requests[0]));
      CHECK_OK(MPI_Send(out, kSizes[s], MPI_BYTE, me, kTag, comm));
      CHECK_OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
      CHECK_PATTERN(in, (size_t)kSizes[s], 5);
      memset(in, 0, (size_t)kSizes[s]);
      CHECK_OK(MPI_Isend(out, kSizes[s], MPI_BYTE, me, kTag, comm, &requests[0]));
      CHECK_OK(MPI_Issend(out, kSizes[s], MPI_BYTE, me, kTag, comm, &requests[1]));
      CHECK_OK(MPI_Recv(in, kSizes[s], MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE));
      CHECK_OK(MPI_Recv(in, kSizes[s], MPI_BYTE, me, kTag, comm, MPI_STATUS_IGNORE));
      CHECK_PATTERN(in, (size_t)kSizes[s], 5);
      CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
  }
  free(in);
  free(out);
}

static const CheckCase kCases[] = {
    {"sendrecv by every shift", sendrecv_shifts, 0},
    {"sendrecv_replace", sendrecv_replace, 0},
    {"sendrecv_replace of a strided type", replace_strided, 0},
#if HAVE_ISENDRECV
    {"non-blocking sendrecv", nonblocking_forms, 0},
#endif
    {"PROC_NULL", proc_null, 0},
    {"an open chain", open_chain, 0},
    {"messages to oneself", to_oneself, 0},
};
CHECK_MAIN(kCases)
