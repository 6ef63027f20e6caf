// SPDX-License-Identifier: BSD-3-Clause
// User-defined operations: order of operands for those that do not commute, derived types, and the datatype handed to the
// function.
#include "../check.h"

// 2x2 matrices modulo a prime: multiplication is associative and does not commute.
enum { kPrime = 10007, kMatrices = 9 };
typedef struct Matrix {
  int e[4];
} Matrix;

static Matrix product(Matrix a, Matrix b) {
  return (Matrix){{(a.e[0] * b.e[0] + a.e[1] * b.e[2]) % kPrime, (a.e[0] * b.e[1] + a.e[1] * b.e[3]) % kPrime,
                   (a.e[2] * b.e[0] + a.e[3] * b.e[2]) % kPrime, (a.e[2] * b.e[1] + a.e[3] * b.e[3]) % kPrime}};
}

static void multiply(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; i++) ((Matrix*)inout)[i] = product(((Matrix*)in)[i], ((Matrix*)inout)[i]);
}

static Matrix matrix_of(int rank, int i) {
  return (Matrix){{rank + 1, rank * rank + i + 2, 3 * rank + i * i + 1, rank + 5 * i + 7}};
}

// Product of the matrices of ranks 0 .. last.
static Matrix prefix(int last, int i) {
  Matrix m = matrix_of(0, i);
  for (int rank = 1; rank <= last; rank++) m = product(m, matrix_of(rank, i));
  return m;
}

static void matrices(int commute) {
  Matrix mine[kMatrices], got[kMatrices];
  MPI_Datatype type;
  MPI_Op op;
  int flag = -1;
  CHECK_OK(MPI_Type_contiguous(4, MPI_INT, &type));
  CHECK_OK(MPI_Type_commit(&type));
  CHECK_OK(MPI_Op_create(multiply, commute, &op));
  CHECK_OK(MPI_Op_commutative(op, &flag));
  CHECK_EQ(flag, commute);
  for (int i = 0; i < kMatrices; i++) mine[i] = matrix_of(check_rank, i);
  CHECK_OK(MPI_Allreduce(mine, got, kMatrices, type, op, MPI_COMM_WORLD));
  for (int i = 0; i < kMatrices; i++) {
    Matrix want = prefix(check_size - 1, i);
    CHECK_BYTES(&got[i], &want, sizeof want);
  }
  for (int root = 0; root < check_size; root++) {
    CHECK_OK(MPI_Reduce(mine, got, kMatrices, type, op, root, MPI_COMM_WORLD));
    for (int i = 0; i < kMatrices && check_rank == root; i++) {
      Matrix want = prefix(check_size - 1, i);
      CHECK_BYTES(&got[i], &want, sizeof want);
    }
  }
  CHECK_OK(MPI_Scan(mine, got, kMatrices, type, op, MPI_COMM_WORLD));
  for (int i = 0; i < kMatrices; i++) {
    Matrix want = prefix(check_rank, i);
    CHECK_BYTES(&got[i], &want, sizeof want);
  }
  CHECK_OK(MPI_Exscan(mine, got, kMatrices, type, op, MPI_COMM_WORLD));
  for (int i = 0; i < kMatrices && check_rank > 0; i++) {
    Matrix want = prefix(check_rank - 1, i);
    CHECK_BYTES(&got[i], &want, sizeof want);
  }
  CHECK_OK(MPI_Op_free(&op));
  CHECK(op == MPI_OP_NULL);
  CHECK_OK(MPI_Type_free(&type));
}

static void noncommutative(void) { matrices(0); }

// Blocks of a reduce-scatter, each in rank order too.
static void noncommutative_scatter(void) {
  MPI_Datatype type;
  MPI_Op op;
  Matrix* mine = check_alloc((size_t)check_size * 2 * sizeof *mine);
  Matrix got[2];
  int* counts = check_alloc((size_t)check_size * sizeof *counts);
  CHECK_OK(MPI_Type_contiguous(4, MPI_INT, &type));
  CHECK_OK(MPI_Type_commit(&type));
  CHECK_OK(MPI_Op_create(multiply, 0, &op));
  for (int i = 0; i < 2 * check_size; i++) mine[i] = matrix_of(check_rank, i);
  for (int i = 0; i < check_size; i++) counts[i] = 2;
  for (int uneven = 0; uneven < 2; uneven++) {
    memset(got, 0, sizeof got);
    if (uneven) {
      CHECK_OK(MPI_Reduce_scatter(mine, got, counts, type, op, MPI_COMM_WORLD));
    } else {
      CHECK_OK(MPI_Reduce_scatter_block(mine, got, 2, type, op, MPI_COMM_WORLD));
    }
    for (int i = 0; i < 2; i++) {
      Matrix want = prefix(check_size - 1, 2 * check_rank + i);
      CHECK_BYTES(&got[i], &want, sizeof want);
    }
  }
  CHECK_OK(MPI_Op_free(&op));
  CHECK_OK(MPI_Type_free(&type));
  free(counts);
  free(mine);
}

static MPI_Datatype expected_type;
static int strange_types;

static void add_every_third(void* in, void* inout, int* count, MPI_Datatype* type) {
  if (*type != expected_type) strange_types++;
  for (int i = 0; i < *count; i++) ((int*)inout)[3 * i] += ((int*)in)[3 * i];
}

// A type with gaps: the function gets the user's handle, and the gaps stay untouched.
static void type_with_gaps(void) {
  enum { kItems = 50 };
  int mine[3 * kItems], got[3 * kItems];
  MPI_Op op;
  CHECK_OK(MPI_Type_create_resized(MPI_INT, 0, 12, &expected_type));
  CHECK_OK(MPI_Type_commit(&expected_type));
  CHECK_OK(MPI_Op_create(add_every_third, 1, &op));
  for (int i = 0; i < 3 * kItems; i++) mine[i] = check_rank + i, got[i] = -5;
  strange_types = 0;
  CHECK_OK(MPI_Allreduce(mine, got, kItems, expected_type, op, MPI_COMM_WORLD));
  for (int i = 0; i < 3 * kItems; i++) {
    CHECK_EQ(got[i], i % 3 ? -5 : check_size * i + check_size * (check_size - 1) / 2);
  }
  CHECK_EQ(strange_types, 0);
  CHECK_OK(MPI_Op_free(&op));
  CHECK_OK(MPI_Type_free(&expected_type));
}

// Freed while a non-blocking reduction still uses it.
static void freed_while_in_use(void) {
  enum { kItems = 5000 };
  int* mine = check_alloc(3 * kItems * sizeof(int));
  int* got = check_alloc(3 * kItems * sizeof(int));
  MPI_Op op;
  MPI_Request request;
  CHECK_OK(MPI_Type_create_resized(MPI_INT, 0, 12, &expected_type));
  CHECK_OK(MPI_Type_commit(&expected_type));
  CHECK_OK(MPI_Op_create(add_every_third, 0, &op));
  for (int i = 0; i < kItems; i++) mine[3 * i] = check_rank + i;
  MPI_Datatype type = expected_type;
  CHECK_OK(MPI_Iallreduce(mine, got, kItems, type, op, MPI_COMM_WORLD, &request));
  CHECK_OK(MPI_Op_free(&op));
  CHECK_OK(MPI_Type_free(&type));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  for (int i = 0; i < kItems; i++) {
    if (!CHECK_EQ(got[3 * i], check_size * i + check_size * (check_size - 1) / 2)) break;
  }
  free(got);
  free(mine);
}

#if MPI_VERSION >= 4
static void add_large(void* in, void* inout, MPI_Count* count, MPI_Datatype* type) {
  (void)type;
  for (MPI_Count i = 0; i < *count; i++) ((int*)inout)[i] += ((int*)in)[i];
}

static void large_count_function(void) {
  int mine[10], got[10];
  MPI_Op op;
  for (int i = 0; i < 10; i++) mine[i] = check_rank * i;
  CHECK_OK(MPI_Op_create_c(add_large, 1, &op));
  CHECK_OK(MPI_Allreduce(mine, got, 10, MPI_INT, op, MPI_COMM_WORLD));
  for (int i = 0; i < 10; i++) CHECK_EQ(got[i], i * check_size * (check_size - 1) / 2);
  CHECK_OK(MPI_Allreduce_c(mine, got, 10, MPI_INT, op, MPI_COMM_WORLD));
  for (int i = 0; i < 10; i++) CHECK_EQ(got[i], i * check_size * (check_size - 1) / 2);
  CHECK_OK(MPI_Op_free(&op));
}
#endif

static const CheckCase kCases[] = {
    {"does not commute", noncommutative, 0},
    {"does not commute, reduce-scatter", noncommutative_scatter, 0},
    {"type with gaps", type_with_gaps, 0},
    {"freed while in use", freed_while_in_use, 0},
#if MPI_VERSION >= 4
    {"function with large counts", large_count_function, 0},
#endif
};
CHECK_MAIN(kCases)
