// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators: creation, queries, messages, split, dup, merge in both orders.
#include "../check.h"

static int low;  // is this rank in the lower group?
static int local_size, remote_size, local_rank;
static MPI_Comm local;  // the local group's intracommunicator
static MPI_Comm inter;

// The world in two parts of unequal size: the first third, and the rest.
static void create(void) {
  int third = (check_size + 2) / 3;
  int leader_of_others;
  low = check_rank < third;
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, low, check_rank, &local));
  CHECK_OK(MPI_Comm_rank(local, &local_rank));
  local_size = low ? third : check_size - third;
  remote_size = check_size - local_size;
  leader_of_others = low ? third : 0;
  CHECK_OK(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, leader_of_others, 9, &inter));
}

static void queries(void) {
  int flag = 0, size = -1, rank = -1, result;
  MPI_Group group;
  CHECK_OK(MPI_Comm_test_inter(inter, &flag));
  CHECK_EQ(flag, 1);
  CHECK_OK(MPI_Comm_test_inter(local, &flag));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Comm_size(inter, &size));
  CHECK_EQ(size, local_size);
  CHECK_OK(MPI_Comm_rank(inter, &rank));
  CHECK_EQ(rank, local_rank);
  CHECK_OK(MPI_Comm_remote_size(inter, &size));
  CHECK_EQ(size, remote_size);
  CHECK_OK(MPI_Comm_remote_group(inter, &group));
  CHECK_OK(MPI_Group_size(group, &size));
  CHECK_EQ(size, remote_size);
  CHECK_OK(MPI_Group_rank(group, &rank));
  CHECK_EQ(rank, MPI_UNDEFINED);
  CHECK_OK(MPI_Group_free(&group));
  CHECK_OK(MPI_Comm_compare(inter, inter, &result));
  CHECK_EQ(result, MPI_IDENT);
  CHECK_OK(MPI_Comm_compare(inter, local, &result));
  CHECK_EQ(result, MPI_UNEQUAL);
}

// Ranks in messages are those of the other side.
static void messages(void) {
  for (int i = 0; i < local_size * remote_size; i++) {
    int lower = i % (low ? local_size : remote_size), upper = i / (low ? local_size : remote_size);
    int me = low ? lower : upper, peer = low ? upper : lower, in = -1;
    MPI_Status status;
    if (me != local_rank) continue;
    CHECK_OK(MPI_Sendrecv(&check_rank, 1, MPI_INT, peer, i, &in, 1, MPI_INT, MPI_ANY_SOURCE, i, inter, &status));
    CHECK_EQ(status.MPI_SOURCE, peer);
    CHECK_EQ(in, low ? local_size + peer : peer);
  }
}

static void check_comm(MPI_Comm comm, int size, int rank) {
  int got_size, got_rank, sum = -1;
  CHECK_OK(MPI_Comm_size(comm, &got_size));
  CHECK_OK(MPI_Comm_rank(comm, &got_rank));
  CHECK_EQ(got_size, size);
  CHECK_EQ(got_rank, rank);
  CHECK_OK(MPI_Allreduce(&got_rank, &sum, 1, MPI_INT, MPI_SUM, comm));
  CHECK_EQ(sum, size * (size - 1) / 2);
}

static void merge(void) {
  for (int low_first = 0; low_first < 2; low_first++) {
    MPI_Comm all;
    int first = low == low_first;
    CHECK_OK(MPI_Intercomm_merge(inter, !first, &all));
    check_comm(all, check_size, local_rank + (first ? 0 : remote_size));
    CHECK_OK(MPI_Comm_free(&all));
  }
}

static void duplicate(void) {
  MPI_Comm copy;
  MPI_Request request;
  int result, flag;
  for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
    if (nonblocking) {
      CHECK_OK(MPI_Comm_idup(inter, &copy, &request));
      CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
      CHECK_OK(MPI_Comm_dup(inter, &copy));
    }
    CHECK_OK(MPI_Comm_test_inter(copy, &flag));
    CHECK_EQ(flag, 1);
    CHECK_OK(MPI_Comm_compare(copy, inter, &result));
    CHECK_EQ(result, MPI_CONGRUENT);
    int sum = -1;
    CHECK_OK(MPI_Allreduce(&check_rank, &sum, 1, MPI_INT, MPI_SUM, copy));
    CHECK_OK(MPI_Comm_free(&copy));
  }
}

// Split by parity of the local rank: a colour that only one side has gives MPI_COMM_NULL.
static void split(void) {
  MPI_Comm part;
  CHECK_OK(MPI_Comm_split(inter, local_rank % 2, -local_rank, &part));
  int mine = (local_size + 1 - local_rank % 2) / 2, others = (remote_size + 1 - local_rank % 2) / 2;
  if (others == 0) {
    CHECK(part == MPI_COMM_NULL);
    return;
  }
  int size = -1, rank = -1;
  CHECK_OK(MPI_Comm_size(part, &size));
  CHECK_EQ(size, mine);
  CHECK_OK(MPI_Comm_remote_size(part, &size));
  CHECK_EQ(size, others);
  CHECK_OK(MPI_Comm_rank(part, &rank));
  CHECK_EQ(rank, mine - 1 - local_rank / 2);
  CHECK_OK(MPI_Comm_free(&part));
}

// Only the first of each side stay.
static void create_from_groups_of_inter(void) {
  MPI_Group group, one;
  MPI_Comm pair;
  int zero = 0, size = -1;
  CHECK_OK(MPI_Comm_group(inter, &group));
  CHECK_OK(MPI_Group_incl(group, 1, &zero, &one));
  CHECK_OK(MPI_Comm_create(inter, one, &pair));
  CHECK_EQ(pair != MPI_COMM_NULL, local_rank == 0);
  if (pair != MPI_COMM_NULL) {
    CHECK_OK(MPI_Comm_remote_size(pair, &size));
    CHECK_EQ(size, 1);
    CHECK_OK(MPI_Comm_free(&pair));
  }
  CHECK_OK(MPI_Group_free(&one));
  CHECK_OK(MPI_Group_free(&group));
}

#if MPI_VERSION >= 4
static void from_groups(void) {
  MPI_Group world, mine, others;
  MPI_Comm comm;
  int third = (check_size + 2) / 3, size = -1;
  int first[1][3] = {{0, third - 1, 1}}, rest[1][3] = {{third, check_size - 1, 1}};
  CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
  CHECK_OK(MPI_Group_range_incl(world, 1, low ? first : rest, &mine));
  CHECK_OK(MPI_Group_range_incl(world, 1, low ? rest : first, &others));
  CHECK_OK(MPI_Intercomm_create_from_groups(mine, 0, others, 0, "test/inter", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
  CHECK_OK(MPI_Comm_size(comm, &size));
  CHECK_EQ(size, local_size);
  CHECK_OK(MPI_Comm_remote_size(comm, &size));
  CHECK_EQ(size, remote_size);
  CHECK_OK(MPI_Barrier(comm));
  CHECK_OK(MPI_Comm_free(&comm));
  CHECK_OK(MPI_Group_free(&mine));
  CHECK_OK(MPI_Group_free(&others));
  CHECK_OK(MPI_Group_free(&world));
}
#endif

static void release(void) {
  CHECK_OK(MPI_Comm_free(&inter));
  CHECK_OK(MPI_Comm_disconnect(&local));
  CHECK(local == MPI_COMM_NULL);
}

static const CheckCase kCases[] = {
    {"create", create, 2},
    {"queries", queries, 2},
    {"messages", messages, 2},
    {"merge", merge, 2},
    {"dup", duplicate, 2},
    {"split", split, 2},
    {"create from a group", create_from_groups_of_inter, 2},
#if MPI_VERSION >= 4
    {"create from groups", from_groups, 2},
#endif
    {"free", release, 2},
};
CHECK_MAIN(kCases)
