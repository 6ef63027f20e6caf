// SPDX-License-Identifier: BSD-3-Clause
// Ways to make a communicator: dup, split, split by kind, create, create_group, from a group; and that each is independent.
#include "../check.h"

// A communicator works if a sum and a ring of messages over it give what its size and ranks say. Frees it.
static void check_works(MPI_Comm* comm, int size, int rank) {
  int got_size = -1, got_rank = -1, sum = -1, in = -1;
  CHECK_OK(MPI_Comm_size(*comm, &got_size));
  CHECK_OK(MPI_Comm_rank(*comm, &got_rank));
  CHECK_EQ(got_size, size);
  CHECK_EQ(got_rank, rank);
  CHECK_OK(MPI_Allreduce(&got_rank, &sum, 1, MPI_INT, MPI_SUM, *comm));
  CHECK_EQ(sum, size * (size - 1) / 2);
  CHECK_OK(MPI_Sendrecv(&got_rank, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, *comm,
                        MPI_STATUS_IGNORE));
  CHECK_EQ(in, (rank + size - 1) % size);
  CHECK_OK(MPI_Comm_free(comm));
  CHECK(*comm == MPI_COMM_NULL);
}

static void duplicates(void) {
  MPI_Comm comm, again;
  MPI_Request request;
  int result = -1;
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  CHECK_OK(MPI_Comm_compare(comm, MPI_COMM_WORLD, &result));
  CHECK_EQ(result, MPI_CONGRUENT);
  CHECK_OK(MPI_Comm_compare(comm, comm, &result));
  CHECK_EQ(result, MPI_IDENT);
  CHECK_OK(MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &again));
  check_works(&again, check_size, check_rank);
  CHECK_OK(MPI_Comm_idup(comm, &again, &request));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  check_works(&again, check_size, check_rank);
#if MPI_VERSION >= 4
  CHECK_OK(MPI_Comm_idup_with_info(comm, MPI_INFO_NULL, &again, &request));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  check_works(&again, check_size, check_rank);
#endif
  check_works(&comm, check_size, check_rank);
}

// Many duplications at once, on two communicators, with messages and collectives in between, completed in another order.
static void overlapping_idup(void) {
  enum { kComms = 6 };
  MPI_Comm parent[2], comms[kComms];
  MPI_Request requests[kComms];
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &parent[0]));
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &parent[1]));
  for (int i = 0; i < kComms; i++) {
    int one = 1, sum = 0;
    CHECK_OK(MPI_Comm_idup(parent[i % 2], &comms[i], &requests[i]));
    CHECK_OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, parent[(i + 1) % 2]));
    CHECK_EQ(sum, check_size);
  }
  for (int i = kComms - 1; i >= 0; i--) CHECK_OK(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
  for (int i = 0; i < kComms; i++) check_works(&comms[i], check_size, check_rank);
  CHECK_OK(MPI_Comm_free(&parent[0]));
  CHECK_OK(MPI_Comm_free(&parent[1]));
}

static void split(void) {
  MPI_Comm comm;
  // By parity, ranked backwards.
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, -check_rank, &comm));
  int size = (check_size + 1 - check_rank % 2) / 2;
  check_works(&comm, size, size - 1 - check_rank / 2);
  // Equal keys: the old order decides.
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, 5, 1, &comm));
  check_works(&comm, check_size, check_rank);
  // Not everybody takes part; colours are arbitrary numbers.
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, check_rank % 3 == 0 ? MPI_UNDEFINED : 1000000 * (check_rank % 3), 0, &comm));
  if (check_rank % 3 == 0) {
    CHECK(comm == MPI_COMM_NULL);
  } else {
    check_works(&comm, (check_size + 2 - check_rank % 3) / 3, check_rank / 3);
  }
  // Everybody alone.
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, check_rank, 0, &comm));
  check_works(&comm, 1, 0);
}

static void split_by_kind(void) {
  MPI_Comm comm;
  int size, rank, result;
  CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -check_rank, MPI_INFO_NULL, &comm));
  CHECK_OK(MPI_Comm_size(comm, &size));
  CHECK_OK(MPI_Comm_rank(comm, &rank));
  CHECK(size >= 1 && size <= check_size);
  if (size == check_size) CHECK_EQ(rank, check_size - 1 - check_rank);
  CHECK_OK(MPI_Comm_compare(comm, MPI_COMM_WORLD, &result));
  CHECK_OK(MPI_Comm_free(&comm));
  CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &comm));
  CHECK(comm == MPI_COMM_NULL);
  MPI_Comm shared;
  CHECK_OK(
      MPI_Comm_split_type(MPI_COMM_WORLD, check_rank % 2 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared));
  CHECK_EQ(shared == MPI_COMM_NULL, check_rank % 2);
  if (shared != MPI_COMM_NULL) CHECK_OK(MPI_Comm_free(&shared));
#if MPI_VERSION >= 4
  // Hardware levels: each level down, the communicator gets smaller, until there is none.
  MPI_Comm level = MPI_COMM_WORLD, next;
  for (int depth = 0; depth < 20 && level != MPI_COMM_NULL; depth++) {
    int before, after;
    CHECK_OK(MPI_Comm_size(level, &before));
    CHECK_OK(MPI_Comm_split_type(level, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &next));
    if (next != MPI_COMM_NULL) {
      CHECK_OK(MPI_Comm_size(next, &after));
      CHECK(after < before);
    }
    if (level != MPI_COMM_WORLD) CHECK_OK(MPI_Comm_free(&level));
    level = next;
  }
  CHECK(level == MPI_COMM_NULL);
#endif
}

// The group of the ranks that divide by `step`.
static MPI_Group every(int step) {
  MPI_Group world, group;
  int range[1][3] = {{0, check_size - 1, step}};
  CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
  CHECK_OK(MPI_Group_range_incl(world, 1, range, &group));
  CHECK_OK(MPI_Group_free(&world));
  return group;
}

static void create(void) {
  for (int step = 1; step <= 3; step++) {
    MPI_Group group = every(step);
    MPI_Comm comm;
    int count = (check_size + step - 1) / step, member = check_rank % step == 0;
    CHECK_OK(MPI_Comm_create(MPI_COMM_WORLD, group, &comm));
    CHECK_EQ(comm != MPI_COMM_NULL, member);
    if (member) check_works(&comm, count, check_rank / step);
    if (member) {  // only the members call
      CHECK_OK(MPI_Comm_create_group(MPI_COMM_WORLD, group, step, &comm));
      check_works(&comm, count, check_rank / step);
    }
#if MPI_VERSION >= 4
    if (member) {
      CHECK_OK(MPI_Comm_create_from_group(group, "test/create", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
      check_works(&comm, count, check_rank / step);
    }
#endif
    CHECK_OK(MPI_Group_free(&group));
  }
}

// Disjoint groups in one call of create; groups that share one member in create_group, at the same time, told apart by the tag.
static void disjoint_and_overlapping(void) {
  MPI_Group world, group;
  MPI_Comm comm;
  int half = check_size / 2, low = check_rank < half;
  int range[1][3] = {{low ? 0 : half, low ? half - 1 : check_size - 1, 1}};
  CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
  CHECK_OK(MPI_Group_range_incl(world, 1, range, &group));
  CHECK_OK(MPI_Comm_create(MPI_COMM_WORLD, group, &comm));
  check_works(&comm, low ? half : check_size - half, low ? check_rank : check_rank - half);
  CHECK_OK(MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, &comm));
  check_works(&comm, low ? half : check_size - half, low ? check_rank : check_rank - half);
  CHECK_OK(MPI_Group_free(&group));
  for (int pair = 0; pair + 1 < check_size; pair++) {
    int both[2] = {pair, pair + 1};
    if (check_rank != pair && check_rank != pair + 1) continue;
    CHECK_OK(MPI_Group_incl(world, 2, both, &group));
    CHECK_OK(MPI_Comm_create_group(MPI_COMM_WORLD, group, 100 + pair, &comm));
    check_works(&comm, 2, check_rank - pair);
    CHECK_OK(MPI_Group_free(&group));
  }
  CHECK_OK(MPI_Group_free(&world));
}

// A freed communicator finishes what was started on it.
static void freed_while_in_use(void) {
  MPI_Comm comm;
  MPI_Request requests[3];
  int in = -1, sum = -1;
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  CHECK_OK(MPI_Irecv(&in, 1, MPI_INT, (check_rank + 1) % check_size, 0, comm, &requests[0]));
  CHECK_OK(MPI_Iallreduce(&check_rank, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[1]));
  CHECK_OK(MPI_Isend(&check_rank, 1, MPI_INT, (check_rank + check_size - 1) % check_size, 0, comm, &requests[2]));
  CHECK_OK(MPI_Comm_free(&comm));
  CHECK_OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
  CHECK_EQ(in, (check_rank + 1) % check_size);
  CHECK_EQ(sum, check_size * (check_size - 1) / 2);
}

// Communicators come and go for ever: neither contexts nor memory may run out.
static void endless_duplicates(void) {
  enum { kRounds = 3000, kAlive = 40 };
  MPI_Comm alive[kAlive];
  for (int i = 0; i < kAlive; i++) alive[i] = MPI_COMM_NULL;
  for (int i = 0; i < kRounds; i++) {
    MPI_Comm* comm = &alive[i % kAlive];
    if (*comm != MPI_COMM_NULL) CHECK_OK(MPI_Comm_free(comm));
    if (!CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, comm))) break;
  }
  for (int i = 0; i < kAlive; i++) check_works(&alive[i], check_size, check_rank);
}

static const CheckCase kCases[] = {
    {"dup", duplicates, 0},
    {"overlapping idup", overlapping_idup, 0},
    {"split", split, 0},
    {"split by kind", split_by_kind, 0},
    {"create", create, 0},
    {"disjoint and overlapping groups", disjoint_and_overlapping, 2},
    {"freed while in use", freed_while_in_use, 0},
    {"endless duplicates", endless_duplicates, 0},
};
CHECK_MAIN(kCases)
