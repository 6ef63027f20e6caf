// SPDX-License-Identifier: BSD-3-Clause
// Barrier, allgather and alltoall in all variants and forms.
#include "forms.h"

// Nobody leaves before everybody has entered: messages sent before are there when the barrier is over.
static void barrier(void) {
  for (int form = 0; form < kForms; form++) {
    for (int late = 0; late < check_size; late++) {
      int flag = 0, token = late, in = -1, next = (late + 1) % check_size;
      MPI_Request request = MPI_REQUEST_NULL;
      if (check_rank == next) CHECK_OK(MPI_Irecv(&in, 1, MPI_INT, late, 3, MPI_COMM_WORLD, &request));
      if (check_rank == late) CHECK_OK(MPI_Ssend(&token, 1, MPI_INT, next == late ? MPI_PROC_NULL : next, 3, MPI_COMM_WORLD));
      if (next == late) CHECK_OK(MPI_Send(&token, 1, MPI_INT, next, 3, MPI_COMM_WORLD));
      if (form == kBlocking) CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
      if (form == kNonblocking) {
        MPI_Request done;
        CHECK_OK(MPI_Ibarrier(MPI_COMM_WORLD, &done));
        CHECK_OK(MPI_Wait(&done, MPI_STATUS_IGNORE));
      }
#if MPI_VERSION >= 4
      if (form == kPersistent) {
        MPI_Request again;
        CHECK_OK(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &again));
        for (int turn = 0; turn < 3; turn++) {
          CHECK_OK(MPI_Start(&again));
          CHECK_OK(MPI_Wait(&again, MPI_STATUS_IGNORE));
        }
        CHECK_OK(MPI_Request_free(&again));
      }
#endif
      CHECK_OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
      CHECK_EQ(flag, 1);
      CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
  }
}

// With Ibarrier nobody is done as long as one rank has not entered.
static void barrier_waits(void) {
  for (int late = 0; late < check_size; late++) {
    MPI_Request request;
    int flag = 0;
    if (check_rank != late) {
      CHECK_OK(MPI_Ibarrier(MPI_COMM_WORLD, &request));
      for (int turn = 0; turn < 100; turn++) {
        CHECK_OK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        CHECK_EQ(flag, 0);
      }
      CHECK_OK(MPI_Send(NULL, 0, MPI_INT, late, 4, MPI_COMM_WORLD));
    } else {
      for (int i = 1; i < check_size; i++)
        CHECK_OK(MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      CHECK_OK(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    }
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
}

static void allgather(void) {
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < kCountsUsed - 1; c++) {
      int count = kCounts[c];
      int* all = check_alloc((size_t)(check_size * count) * sizeof(int));
      int* mine = check_alloc((size_t)count * sizeof(int));
      fill_input(mine, check_rank, count);
      for (int in_place = 0; in_place < 2; in_place++) {
        memset(all, 0, (size_t)(check_size * count) * sizeof(int));
        if (in_place) memcpy(all + check_rank * count, mine, (size_t)count * sizeof(int));
        RUN(form, Allgather, Iallgather, in_place ? MPI_IN_PLACE : mine, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD);
        for (int r = 0; r < check_size; r++) CHECK_INPUT(all + r * count, r, 0, count);
      }
      free(mine);
      free(all);
    }
  }
}

static void allgather_of_types(void) {
  enum { kInts = 500 };
  int mine[kInts];
  int* all = check_alloc((size_t)(2 * kInts * check_size) * sizeof(int));
  MPI_Datatype spaced = spaced_int();
  fill_input(mine, check_rank, kInts);
  for (int form = 0; form < kForms; form++) {
    memset(all, 0xff, (size_t)(2 * kInts * check_size) * sizeof(int));
    RUN(form, Allgather, Iallgather, mine, kInts, MPI_INT, all, kInts, spaced, MPI_COMM_WORLD);
    for (int i = 0; i < kInts * check_size; i++) {
      CHECK_EQ(all[2 * i], input(i / kInts, i % kInts));
      CHECK_EQ(all[2 * i + 1], -1);
    }
  }
  CHECK_OK(MPI_Type_free(&spaced));
  free(all);
}

static void allgatherv(void) {
  static const int units[] = {1, 10, 4000};
  int* counts = check_alloc((size_t)check_size * sizeof(int));
  int* places = check_alloc((size_t)check_size * sizeof(int));
  for (int u = 0; u < 3; u++) {
    int total = 0;
    for (int r = check_size - 1; r >= 0; r--) counts[r] = r % 3 * units[u], places[r] = total, total += counts[r] + 1;
    int* all = check_alloc((size_t)total * sizeof(int));
    int* mine = check_alloc((size_t)(2 * units[u]) * sizeof(int));
    fill_input(mine, check_rank, counts[check_rank]);
    for (int form = 0; form < kForms; form++) {
      for (int in_place = 0; in_place < 2; in_place++) {
        memset(all, 0xff, (size_t)total * sizeof(int));
        if (in_place) fill_input(all + places[check_rank], check_rank, counts[check_rank]);
        RUN(form, Allgatherv, Iallgatherv, in_place ? MPI_IN_PLACE : mine, counts[check_rank], MPI_INT, all, counts, places,
            MPI_INT, MPI_COMM_WORLD);
        for (int r = 0; r < check_size; r++) {
          CHECK_INPUT(all + places[r], r, 0, counts[r]);
          CHECK_EQ(all[places[r] + counts[r]], -1);
        }
      }
    }
    free(mine);
    free(all);
  }
  free(places);
  free(counts);
}

// What rank `from` sends to rank `to` starts at this position of its contribution.
static int first_for(int to) { return 1000 * to; }

static void fill_for(int* buffer, int to, int count) {
  for (int i = 0; i < count; i++) buffer[i] = input(check_rank, first_for(to) + i);
}

static void alltoall(void) {
  static const int counts[] = {0, 1, 2, 16, 100, 1000, 9001};
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < 7; c++) {
      int count = counts[c];
      int* out = check_alloc((size_t)(check_size * count) * sizeof(int));
      int* in = check_alloc((size_t)(check_size * count) * sizeof(int));
      for (int r = 0; r < check_size; r++) fill_for(out + r * count, r, count);
      RUN(form, Alltoall, Ialltoall, out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD);
      for (int r = 0; r < check_size; r++) CHECK_INPUT(in + r * count, r, first_for(check_rank), count);
      RUN(form, Alltoall, Ialltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, MPI_INT, MPI_COMM_WORLD);
      for (int r = 0; r < check_size; r++) CHECK_INPUT(out + r * count, r, first_for(check_rank), count);
      free(in);
      free(out);
    }
  }
}

// Between ranks a and b go (a + b) % 3 * unit ints each way (symmetric, as in-place needs); blocks lie in reverse order.
static void alltoallv(void) {
  static const int units[] = {1, 50, 3000};
  int* counts = check_alloc((size_t)check_size * sizeof(int));
  int* places = check_alloc((size_t)check_size * sizeof(int));
  for (int u = 0; u < 3; u++) {
    int total = 0;
    for (int r = check_size - 1; r >= 0; r--)
      counts[r] = (check_rank + r) % 3 * units[u], places[r] = total, total += counts[r] + 2;
    int* out = check_alloc((size_t)total * sizeof(int));
    int* in = check_alloc((size_t)total * sizeof(int));
    for (int form = 0; form < kForms; form++) {
      for (int r = 0; r < check_size; r++) fill_for(out + places[r], r, counts[r]);
      memset(in, 0xff, (size_t)total * sizeof(int));
      RUN(form, Alltoallv, Ialltoallv, out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
      for (int r = 0; r < check_size; r++) {
        CHECK_INPUT(in + places[r], r, first_for(check_rank), counts[r]);
        CHECK_EQ(in[places[r] + counts[r]], -1);
      }
      RUN(form, Alltoallv, Ialltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, out, counts, places, MPI_INT,
          MPI_COMM_WORLD);
      for (int r = 0; r < check_size; r++) CHECK_INPUT(out + places[r], r, first_for(check_rank), counts[r]);
    }
    free(in);
    free(out);
  }
  free(places);
  free(counts);
}

// Every block with a type of its own: plain ints to even ranks, spaced ones to odd ranks. Displacements are in bytes.
static void alltoallw(void) {
  enum { kInts = 120 };
  int n = check_size;
  int *counts = check_alloc((size_t)n * sizeof(int)), *places = check_alloc((size_t)n * sizeof(int));
  MPI_Datatype* types = check_alloc((size_t)n * sizeof *types);
  MPI_Datatype spaced = spaced_int();
  int* out = check_alloc((size_t)(n * 2 * kInts) * sizeof(int));
  int* in = check_alloc((size_t)(n * 2 * kInts) * sizeof(int));
  for (int r = 0; r < n; r++) {
    counts[r] = kInts;
    places[r] = r * 2 * kInts * (int)sizeof(int);
    types[r] = r % 2 ? spaced : MPI_INT;
  }
  for (int form = 0; form < kForms; form++) {
    for (int i = 0; i < n * kInts; i++)
      out[i / kInts * 2 * kInts + i % kInts * (i / kInts % 2 + 1)] = input(check_rank, first_for(i / kInts) + i % kInts);
    memset(in, 0xff, (size_t)(n * 2 * kInts) * sizeof(int));
    RUN(form, Alltoallw, Ialltoallw, out, counts, places, types, in, counts, places, types, MPI_COMM_WORLD);
    for (int i = 0; i < n * kInts; i++) {
      int r = i / kInts;
      CHECK_EQ(in[r * 2 * kInts + i % kInts * (r % 2 + 1)], input(r, first_for(check_rank) + i % kInts));
    }
    RUN(form, Alltoallw, Ialltoallw, MPI_IN_PLACE, NULL, NULL, NULL, in, counts, places, types, MPI_COMM_WORLD);
    for (int i = 0; i < n * kInts; i++) {
      int r = i / kInts;  // back where it came from
      CHECK_EQ(in[r * 2 * kInts + i % kInts * (r % 2 + 1)], input(check_rank, first_for(r) + i % kInts));
    }
  }
  CHECK_OK(MPI_Type_free(&spaced));
  free(in), free(out), free(types), free(places), free(counts);
}

static const CheckCase kCases[] = {
    {"barrier", barrier, 0},       {"barrier waits for the last", barrier_waits, 2},
    {"allgather", allgather, 0},   {"allgather of types", allgather_of_types, 0},
    {"allgatherv", allgatherv, 0}, {"alltoall", alltoall, 0},
    {"alltoallv", alltoallv, 0},   {"alltoallw", alltoallw, 0},
};
CHECK_MAIN(kCases)
