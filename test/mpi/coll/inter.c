// SPDX-License-Identifier: BSD-3-Clause
// Collectives on an intercommunicator whose sides differ in size; needs two ranks.
#include "forms.h"

static MPI_Comm inter;
static int low, local_size, remote_size, local_rank;

static int root_argument(int root_is_low, int root) {
  if (low != root_is_low) return root;
  return local_rank == root ? MPI_ROOT : MPI_PROC_NULL;
}

// World rank of a member of the other side.
static int remote(int rank) { return low ? local_size + rank : rank; }
static int world_rank_of(int is_low, int rank) { return is_low ? rank : (low ? local_size : remote_size) + rank; }

static void create(void) {
  MPI_Comm local;
  int third = (check_size + 2) / 3;
  low = check_rank < third;
  local_size = low ? third : check_size - third;
  remote_size = check_size - local_size;
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, low, check_rank, &local));
  CHECK_OK(MPI_Comm_rank(local, &local_rank));
  CHECK_OK(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, low ? third : 0, 1, &inter));
  CHECK_OK(MPI_Comm_free(&local));
}

static void barrier(void) {
  for (int i = 0; i < 5; i++) {
    MPI_Request request;
    CHECK_OK(MPI_Barrier(inter));
    CHECK_OK(MPI_Ibarrier(inter, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
}

static void bcast(void) {
  static const int counts[] = {0, 1, 100, 5000};
  int mine[5000];
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < 4; c++) {
      for (int side = 0; side < 2; side++) {
        int side_size = side == low ? local_size : remote_size, sender;
        for (int r = 0; r < side_size; r++) {
          sender = side == low ? check_rank : world_rank_of(side, r);  // the root's side keeps what it has
          fill_input(mine, check_rank, counts[c]);
          RUN(form, Bcast, Ibcast, mine, counts[c], MPI_INT, root_argument(side, r), inter);
          CHECK_INPUT(mine, sender, 0, counts[c]);
        }
      }
    }
  }
}

// Other rooted operations: the root's side only names the root, the other side takes part with data.
static void rooted(void) {
  static const int counts[] = {0, 1, 100, 5000};
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < 4; c++) {
      int count = counts[c];
      int* all = check_alloc((size_t)(remote_size * count) * sizeof(int));
      int* mine = check_alloc((size_t)count * sizeof(int));
      for (int side = 0; side < 2; side++) {
        int side_size = side == low ? local_size : remote_size;
        for (int r = 0; r < side_size; r++) {
          int root = root_argument(side, r), am_root = root == MPI_ROOT, receives = side != low;
          fill_input(mine, check_rank, count);
          RUN(form, Gather, Igather, mine, count, MPI_INT, all, count, MPI_INT, root, inter);
          for (int k = 0; k < remote_size && am_root; k++) CHECK_INPUT(all + k * count, remote(k), 0, count);
          if (am_root) fill_input(all, check_rank, remote_size * count);
          RUN(form, Scatter, Iscatter, all, count, MPI_INT, mine, count, MPI_INT, root, inter);
          if (receives) CHECK_INPUT(mine, world_rank_of(side, r), local_rank * count, count);
          fill_input(mine, check_rank, count);
          RUN(form, Reduce, Ireduce, mine, all, count, MPI_INT, MPI_SUM, root, inter);
          for (int i = 0; i < count && am_root; i++) {
            int want = 0;
            for (int k = 0; k < remote_size; k++) want += input(remote(k), i);
            if (!CHECK_EQ(all[i], want)) break;
          }
        }
      }
      free(mine);
      free(all);
    }
  }
}

// Each side gets what the other side contributes.
static void all_to_all(void) {
  static const int counts[] = {0, 1, 100, 5000};
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < 4; c++) {
      int count = counts[c], larger = local_size > remote_size ? local_size : remote_size;
      int* got = check_alloc((size_t)(larger * count) * sizeof(int));
      int* mine = check_alloc((size_t)(larger * count) * sizeof(int));
      fill_input(mine, check_rank, larger * count);
      RUN(form, Allgather, Iallgather, mine, count, MPI_INT, got, count, MPI_INT, inter);
      for (int k = 0; k < remote_size; k++) CHECK_INPUT(got + k * count, remote(k), 0, count);
      RUN(form, Alltoall, Ialltoall, mine, count, MPI_INT, got, count, MPI_INT, inter);
      for (int k = 0; k < remote_size; k++) CHECK_INPUT(got + k * count, remote(k), local_rank * count, count);
      RUN(form, Allreduce, Iallreduce, mine, got, count, MPI_INT, MPI_SUM, inter);
      for (int i = 0; i < count; i++) {
        int want = 0;
        for (int k = 0; k < remote_size; k++) want += input(remote(k), i);
        if (!CHECK_EQ(got[i], want)) break;
      }
      free(mine);
      free(got);
    }
  }
}

static void vectors(void) {
  int larger = local_size > remote_size ? local_size : remote_size;
  int* counts = check_alloc((size_t)larger * sizeof(int));
  int* places = check_alloc((size_t)larger * sizeof(int));
  int* got = check_alloc((size_t)(larger * 8) * sizeof(int));
  int* mine = check_alloc((size_t)(larger * 8) * sizeof(int));
  fill_input(mine, check_rank, larger * 8);
  for (int form = 0; form < kForms; form++) {
    for (int k = 0; k < larger; k++) counts[k] = remote(k) % 4, places[k] = 8 * k;
    RUN(form, Allgatherv, Iallgatherv, mine, check_rank % 4, MPI_INT, got, counts, places, MPI_INT, inter);
    for (int k = 0; k < remote_size; k++) CHECK_INPUT(got + 8 * k, remote(k), 0, counts[k]);
    for (int k = 0; k < larger; k++) counts[k] = (remote(k) + check_rank) % 5;
    RUN(form, Alltoallv, Ialltoallv, mine, counts, places, MPI_INT, got, counts, places, MPI_INT, inter);
    for (int k = 0; k < remote_size; k++) CHECK_INPUT(got + 8 * k, remote(k), 8 * local_rank, counts[k]);
  }
  free(mine), free(got), free(places), free(counts);
}

// The other side's contributions, reduced and scattered over this side; totals must agree on both sides.
static void reduce_scatter(void) {
  for (int form = 0; form < kForms; form++) {
    int total = local_size * remote_size * 10, count = total / local_size;
    int* mine = check_alloc((size_t)total * sizeof(int));
    int* got = check_alloc((size_t)count * sizeof(int));
    int* counts = check_alloc((size_t)local_size * sizeof(int));
    for (int k = 0; k < local_size; k++) counts[k] = count;
    fill_input(mine, check_rank, total);
    for (int block = 0; block < 2; block++) {
      memset(got, 0, (size_t)count * sizeof(int));
      if (block) {
        RUN(form, Reduce_scatter_block, Ireduce_scatter_block, mine, got, count, MPI_INT, MPI_SUM, inter);
      } else {
        RUN(form, Reduce_scatter, Ireduce_scatter, mine, got, counts, MPI_INT, MPI_SUM, inter);
      }
      for (int i = 0; i < count; i++) {
        int want = 0;
        for (int k = 0; k < remote_size; k++) want += input(remote(k), local_rank * count + i);
        if (!CHECK_EQ(got[i], want)) break;
      }
    }
    free(counts), free(got), free(mine);
  }
}

static void release(void) { CHECK_OK(MPI_Comm_free(&inter)); }

static const CheckCase kCases[] = {
    {"create", create, 2},
    {"barrier", barrier, 2},
    {"bcast", bcast, 2},
    {"rooted", rooted, 2},
    {"all to all", all_to_all, 2},
    {"vectors", vectors, 2},
    {"reduce_scatter", reduce_scatter, 2},
    {"free", release, 2},
};
CHECK_MAIN(kCases)
