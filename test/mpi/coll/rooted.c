// SPDX-License-Identifier: BSD-3-Clause
// run: also=MVP_COLL_DYNAMIC_TUNING=1
//
// Broadcast, gather, scatter and reduce: every root, every form, in place, derived types, vector forms.
#include "forms.h"

static void bcast(void) {
  int* buffer = check_alloc(kLargest * sizeof(int));
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < kCountsUsed; c++) {
      for (int root = 0; root < check_size; root++) {
        int count = kCounts[c];
        memset(buffer, 0, (size_t)count * sizeof(int));
        if (check_rank == root) fill_input(buffer, root, count);
        RUN(form, Bcast, Ibcast, buffer, count, MPI_INT, root, MPI_COMM_WORLD);
        CHECK_INPUT(buffer, root, 0, count);
      }
    }
  }
  free(buffer);
}

// The type at the root differs from that of the others; only the signature agrees.
static void bcast_of_types(void) {
  enum { kInts = 3000 };
  int buffer[2 * kInts];
  MPI_Datatype spaced = spaced_int();
  for (int form = 0; form < kForms; form++) {
    for (int root = 0; root < check_size; root++) {
      for (int i = 0; i < 2 * kInts; i++) buffer[i] = -1;
      if (check_rank == root) {
        for (int i = 0; i < kInts; i++) buffer[2 * i] = input(root, i);
        RUN(form, Bcast, Ibcast, buffer, kInts, spaced, root, MPI_COMM_WORLD);
        for (int i = 0; i < kInts; i++) CHECK_EQ(buffer[2 * i + 1], -1);
      } else {
        RUN(form, Bcast, Ibcast, buffer, kInts, MPI_INT, root, MPI_COMM_WORLD);
        CHECK_INPUT(buffer, root, 0, kInts);
        CHECK_EQ(buffer[kInts], -1);
      }
    }
  }
  CHECK_OK(MPI_Type_free(&spaced));
}

static void gather(void) {
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < kCountsUsed - 1; c++) {
      int count = kCounts[c];
      int* all = check_alloc((size_t)(check_size * count) * sizeof(int));
      int* mine = check_alloc((size_t)count * sizeof(int));
      fill_input(mine, check_rank, count);
      for (int root = 0; root < check_size; root++) {
        for (int in_place = 0; in_place < 2; in_place++) {
          int am_root = check_rank == root;
          const void* send = mine;
          memset(all, 0, (size_t)(check_size * count) * sizeof(int));
          if (in_place && am_root) fill_input(all + root * count, root, count), send = MPI_IN_PLACE;
          RUN(form, Gather, Igather, send, count, MPI_INT, am_root ? all : NULL, count, MPI_INT, root, MPI_COMM_WORLD);
          for (int r = 0; r < check_size && am_root; r++) CHECK_INPUT(all + r * count, r, 0, count);
        }
      }
      free(mine);
      free(all);
    }
  }
}

static void scatter(void) {
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < kCountsUsed - 1; c++) {
      int count = kCounts[c];
      int* all = check_alloc((size_t)(check_size * count) * sizeof(int));
      int* mine = check_alloc((size_t)count * sizeof(int));
      for (int root = 0; root < check_size; root++) {
        for (int in_place = 0; in_place < 2; in_place++) {
          int am_root = check_rank == root;
          void* receive = in_place && am_root ? MPI_IN_PLACE : mine;
          memset(mine, 0, (size_t)count * sizeof(int));
          if (am_root) fill_input(all, root, check_size * count);
          RUN(form, Scatter, Iscatter, am_root ? all : NULL, count, MPI_INT, receive, count, MPI_INT, root, MPI_COMM_WORLD);
          CHECK_INPUT(receive == MPI_IN_PLACE ? all + root * count : mine, root, check_rank * count, count);
        }
      }
      free(mine);
      free(all);
    }
  }
}

// Rank r contributes r % 4 blocks of `unit` ints, so that some contribute nothing; the root stores them last rank first, with
// gaps.
static void vectors(void) {
  static const int units[] = {1, 10, 3000};
  int* counts = check_alloc((size_t)check_size * sizeof(int));
  int* places = check_alloc((size_t)check_size * sizeof(int));
  for (int u = 0; u < 3; u++) {
    int total = 0;
    for (int r = check_size - 1; r >= 0; r--) counts[r] = r % 4 * units[u], places[r] = total + 1, total += counts[r] + 1;
    int* all = check_alloc((size_t)(total + 1) * sizeof(int));
    int* mine = check_alloc((size_t)(3 * units[u]) * sizeof(int));
    int count = counts[check_rank];
    for (int form = 0; form < kForms; form++) {
      for (int root = 0; root < check_size; root++) {
        int am_root = check_rank == root;
        fill_input(mine, check_rank, count);
        memset(all, 0xff, (size_t)(total + 1) * sizeof(int));
        RUN(form, Gatherv, Igatherv, mine, count, MPI_INT, all, counts, places, MPI_INT, root, MPI_COMM_WORLD);
        for (int r = 0; r < check_size && am_root; r++) {
          CHECK_INPUT(all + places[r], r, 0, counts[r]);
          CHECK_EQ(all[places[r] - 1], -1);  // the gap
        }
        memset(mine, 0, (size_t)count * sizeof(int));
        RUN(form, Scatterv, Iscatterv, all, counts, places, MPI_INT, mine, count, MPI_INT, root, MPI_COMM_WORLD);
        CHECK_INPUT(mine, check_rank, 0, count);
        const void* send = am_root ? MPI_IN_PLACE : mine;
        RUN(form, Gatherv, Igatherv, send, count, MPI_INT, all, counts, places, MPI_INT, root, MPI_COMM_WORLD);
        for (int r = 0; r < check_size && am_root; r++) CHECK_INPUT(all + places[r], r, 0, counts[r]);
        void* receive = am_root ? MPI_IN_PLACE : mine;
        RUN(form, Scatterv, Iscatterv, all, counts, places, MPI_INT, receive, count, MPI_INT, root, MPI_COMM_WORLD);
        CHECK_INPUT(mine, check_rank, 0, count);
      }
    }
    free(mine);
    free(all);
  }
  free(places);
  free(counts);
}

// Gathered into the columns of a matrix, scattered from them.
static void columns(void) {
  enum { kRows = 200 };
  int* matrix = check_alloc((size_t)(kRows * check_size) * sizeof(int));
  int mine[kRows];
  MPI_Datatype column, next;
  CHECK_OK(MPI_Type_vector(kRows, 1, check_size, MPI_INT, &next));
  CHECK_OK(MPI_Type_create_resized(next, 0, sizeof(int), &column));
  CHECK_OK(MPI_Type_commit(&column));
  for (int form = 0; form < kForms; form++) {
    for (int root = 0; root < check_size; root++) {
      fill_input(mine, check_rank, kRows);
      RUN(form, Gather, Igather, mine, kRows, MPI_INT, matrix, 1, column, root, MPI_COMM_WORLD);
      for (int i = 0; i < kRows * check_size && check_rank == root; i++)
        CHECK_EQ(matrix[i], input(i % check_size, i / check_size));
      memset(mine, 0, sizeof mine);
      RUN(form, Scatter, Iscatter, matrix, 1, column, mine, kRows, MPI_INT, root, MPI_COMM_WORLD);
      CHECK_INPUT(mine, check_rank, 0, kRows);
    }
  }
  CHECK_OK(MPI_Type_free(&column));
  CHECK_OK(MPI_Type_free(&next));
  free(matrix);
}

static void reduce(void) {
  int* mine = check_alloc(kLargest * sizeof(int));
  int* got = check_alloc(kLargest * sizeof(int));
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < kCountsUsed; c++) {
      for (int root = 0; root < check_size; root++) {
        for (int in_place = 0; in_place < 2; in_place++) {
          int count = kCounts[c], am_root = check_rank == root;
          fill_input(mine, check_rank, count);
          memset(got, 0, (size_t)count * sizeof(int));
          if (in_place && am_root) fill_input(got, root, count);
          RUN(form, Reduce, Ireduce, in_place && am_root ? MPI_IN_PLACE : mine, am_root ? got : NULL, count, MPI_INT, MPI_SUM,
              root, MPI_COMM_WORLD);
          CHECK_INPUT(mine, check_rank, 0, count);  // the send buffer is not scratch space
          for (int i = 0; i < count && am_root; i++) {
            int want = 100003 * (check_size * (check_size - 1) / 2) + check_size * (i * 7 + 1);
            if (!CHECK_EQ(got[i], want)) break;
          }
        }
      }
    }
  }
  free(got);
  free(mine);
}

static const CheckCase kCases[] = {
    {"bcast", bcast, 0},     {"bcast of different types", bcast_of_types, 0},
    {"gather", gather, 0},   {"scatter", scatter, 0},
    {"vectors", vectors, 0}, {"columns of a matrix", columns, 0},
    {"reduce", reduce, 0},
};
CHECK_MAIN(kCases)
