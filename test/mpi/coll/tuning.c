// SPDX-License-Identifier: BSD-3-Clause
// run: oracle=no
//
// MVP_COLL_DYNAMIC_TUNING=1: while the algorithms of a collective are tried, and afterwards, every call is right, whatever its
// root, type and operation; what was found is saved as a table that can be read.
#include <unistd.h>

#include "forms.h"

enum { kMost = 30000, kCalls = 60 };  // more calls than all candidates together have turns

static int *in, *out;
static char table[100];

static void expect_sum(int count, int size) {
  for (int i = 0; i < count; i++)
    if (!CHECK_EQ(out[i], size * (i % 100) + size * (size - 1) / 2)) return;
}

static void fill(int count, int rank) {
  for (int i = 0; i < count; i++) in[i] = i % 100 + rank;
}

static void some_calls(MPI_Comm comm, int call) {
  static const int counts[] = {1, 1000, kMost};
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int root = call % size;
  CHECK_OK(MPI_Barrier(comm));
  for (int c = 0; c < 3; c++) {
    const int count = counts[c] - (counts[c] > 1 ? call % 100 : 0), block = count / size;
    fill(count, rank);
    memset(out, 0, sizeof(int) * (size_t)count);
    CHECK_OK(MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, comm));
    expect_sum(count, size);
    memset(out, 0, sizeof(int) * (size_t)count);
    CHECK_OK(MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, root, comm));
    if (rank == root) expect_sum(count, size);
    if (rank == root) memcpy(out, in, sizeof(int) * (size_t)count);
    CHECK_OK(MPI_Bcast(out, count, MPI_INT, root, comm));
    CHECK_EQ(out[count - 1], (count - 1) % 100 + root);
    CHECK_OK(MPI_Allgather(in, block, MPI_INT, out, block, MPI_INT, comm));
    for (int r = 0; r < size && block > 0; r++) CHECK_EQ(out[r * block + block - 1], (block - 1) % 100 + r);
    CHECK_OK(MPI_Alltoall(in, block, MPI_INT, out, block, MPI_INT, comm));
    for (int r = 0; r < size && block > 0; r++) CHECK_EQ(out[r * block], rank * block % 100 + r);
    CHECK_OK(MPI_Gather(in, block, MPI_INT, out, block, MPI_INT, root, comm));
    for (int r = 0; r < size && block > 0 && rank == root; r++) CHECK_EQ(out[r * block], r);
    CHECK_OK(MPI_Scatter(in, block, MPI_INT, out, block, MPI_INT, root, comm));
    if (block > 0) CHECK_EQ(out[0], rank * block % 100 + root);
    CHECK_OK(MPI_Scan(in, out, count, MPI_INT, MPI_SUM, comm));
    CHECK_EQ(out[count - 1], (rank + 1) * ((count - 1) % 100) + rank * (rank + 1) / 2);
    CHECK_OK(MPI_Reduce_scatter_block(in, out, block, MPI_INT, MPI_SUM, comm));
    if (block > 0) CHECK_EQ(out[0], size * (rank * block % 100) + size * (size - 1) / 2);
  }
}

static void world(void) {
  for (int call = 0; call < kCalls; call++) some_calls(MPI_COMM_WORLD, call);
}

// What is not known yet is tried on the copy.
static void copies_and_parts(void) {
  MPI_Comm copy, part, late;
  CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, -check_rank, &part));
  for (int call = 0; call < kCalls / 4; call++) {
    some_calls(copy, call);
    some_calls(part, call);
  }
  // While trials are under way.
  CHECK_OK(MPI_Comm_dup(part, &late));
  for (int call = 0; call < kCalls / 4; call++) some_calls(late, call);
  CHECK_OK(MPI_Comm_free(&late));
  CHECK_OK(MPI_Comm_free(&part));
  CHECK_OK(MPI_Comm_free(&copy));
}

// Calls of one size whose arguments differ in what algorithms ask for.
static void mixed(void) {
  MPI_Datatype spaced = spaced_int();
  int* wide = check_alloc(sizeof(int) * 2000);
  for (int call = 0; call < kCalls; call++) {
    for (int i = 0; i < 2000; i++) wide[i] = check_rank == call % check_size ? i : -1;
    CHECK_OK(MPI_Bcast(wide, 1000, call % 3 ? spaced : MPI_INT, call % check_size, MPI_COMM_WORLD));
    CHECK_EQ(wide[call % 3 ? 1998 : 999], call % 3 ? 1998 : 999);
    fill(1000, check_rank);
    CHECK_OK(MPI_Allreduce(in, out, 1000, MPI_INT, call % 2 ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD));
    if (call % 2) {
      expect_sum(1000, check_size);
    } else {
      CHECK_EQ(out[999], 99 + check_size - 1);
    }
  }
  free(wide);
  CHECK_OK(MPI_Type_free(&spaced));
}

static void saved(void) {
  static char text[1 << 16];
  if (check_rank == 0) {
    FILE* file = fopen(table, "r");
    CHECK(file != NULL);
    if (file) {
      text[fread(text, 1, sizeof text - 1, file)] = 0;
      fclose(file);
      CHECK(strstr(text, "\"rules\"") && strstr(text, "\"collective\": \"allreduce\""));
    }
    unlink(table);
  }
}

int main(int argc, char** argv) {
  static const CheckCase cases[] = {
      {"world", world, 0}, {"copies and parts", copies_and_parts, 0}, {"mixed", mixed, 0}, {"saved", saved, 2}};
  snprintf(table, sizeof table, "/tmp/starling-tuning-%ld.json", (long)getpid());
  setenv("MVP_COLL_DYNAMIC_TUNING", "1", 1);
  setenv("MVP_COLL_TUNING_SAVE", table, 1);
  in = check_alloc(sizeof(int) * kMost);
  out = check_alloc(sizeof(int) * kMost);
  MPI_Init(&argc, &argv);
  int failed = check_run(cases, (int)(sizeof cases / sizeof *cases));
  MPI_Finalize();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
