/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Reduce_local for every predefined operation and type: bytes moved per second (two operands read, one written), and as a
 * share of what a loop of exclusive-ors over the same memory moves. One process; for any MPI.
 *
 * reduce [BYTES]    of each operand; by default 16384, 1048576 and 16777216: in the caches of the first, second and third level
 *                   of many processors */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBatches = 5, kPasses = 1 << 25 }; /* a batch moves that many bytes of each operand at least */

struct named_op {
  MPI_Op op;
  const char* name;
};
struct named_type {
  MPI_Datatype type;
  const char* name;
};

static void* aligned(size_t bytes) {
  void* memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!memory) MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

/* Small numbers: no operation becomes slow by denormals or infinities, and integers of all sizes have some of both orders. */
static void fill(MPI_Datatype type, void* memory, size_t bytes, unsigned seed) {
  if (type == MPI_DOUBLE || type == MPI_C_DOUBLE_COMPLEX || type == MPI_2DOUBLE_PRECISION) {
    for (size_t i = 0; i < bytes / sizeof(double); ++i) ((double*)memory)[i] = (i + seed) % 7 < 3 ? 1 : -1;
  } else if (type == MPI_FLOAT || type == MPI_C_FLOAT_COMPLEX || type == MPI_FLOAT_INT) {
    for (size_t i = 0; i < bytes / sizeof(float); ++i) ((float*)memory)[i] = (i + seed) % 7 < 3 ? 1 : -1;
  } else if (type == MPI_LONG_DOUBLE || type == MPI_C_LONG_DOUBLE_COMPLEX || type == MPI_LONG_DOUBLE_INT) {
    for (size_t i = 0; i < bytes / sizeof(long double); ++i) ((long double*)memory)[i] = (i + seed) % 7 < 3 ? 1 : -1;
  } else {
    for (size_t i = 0; i < bytes; ++i) ((unsigned char*)memory)[i] = (unsigned char)((i * seed * 2654435761u >> 13) & 1);
  }
}

/* As wide as the processor permits. */
typedef uint64_t words __attribute__((vector_size(64), may_alias));
#if defined __x86_64__
__attribute__((target_clones("default", "avx2", "avx512f")))
#endif
static void
combine_words(const words* in, words* inout, size_t n) {
  for (size_t i = 0; i < n; ++i) inout[i] ^= in[i];
}

/* Seconds for one pass, the best of some batches. `type` NULL: the loop of exclusive-ors. */
static double best(const struct named_type* type, MPI_Op op, void* in, void* inout, size_t bytes) {
  MPI_Aint lower = 0, extent = 1;
  if (type) MPI_Type_get_extent(type->type, &lower, &extent);
  const int count = (int)(bytes / (size_t)extent);
  size_t passes = kPasses / bytes + 1;
  double least = 1e30;
  for (int batch = 0; batch < kBatches; ++batch) {
    double start = MPI_Wtime();
    for (size_t pass = 0; pass < passes; ++pass) {
      if (!type) {
        combine_words(in, inout, bytes / sizeof(words));
      } else if (MPI_Reduce_local(in, inout, count, type->type, op) != MPI_SUCCESS) {
        return 0;
      }
    }
    double seconds = (MPI_Wtime() - start) / (double)passes;
    if (seconds < least) least = seconds;
  }
  return least;
}

static void measure(size_t bytes) {
  const struct named_op ops[] = {{MPI_SUM, "sum"},   {MPI_PROD, "prod"}, {MPI_MIN, "min"},       {MPI_MAX, "max"},
                                 {MPI_LAND, "land"}, {MPI_LOR, "lor"},   {MPI_LXOR, "lxor"},     {MPI_BAND, "band"},
                                 {MPI_BOR, "bor"},   {MPI_BXOR, "bxor"}, {MPI_MINLOC, "minloc"}, {MPI_MAXLOC, "maxloc"}};
  const struct named_type types[] = {{MPI_INT8_T, "int8"},
                                     {MPI_INT16_T, "int16"},
                                     {MPI_INT32_T, "int32"},
                                     {MPI_INT64_T, "int64"},
                                     {MPI_UINT8_T, "uint8"},
                                     {MPI_UINT16_T, "uint16"},
                                     {MPI_UINT32_T, "uint32"},
                                     {MPI_UINT64_T, "uint64"},
                                     {MPI_FLOAT, "float"},
                                     {MPI_DOUBLE, "double"},
                                     {MPI_LONG_DOUBLE, "long double"},
                                     {MPI_C_FLOAT_COMPLEX, "float complex"},
                                     {MPI_C_DOUBLE_COMPLEX, "double complex"},
                                     {MPI_C_LONG_DOUBLE_COMPLEX, "long double complex"},
                                     {MPI_C_BOOL, "bool"},
                                     {MPI_BYTE, "byte"},
                                     {MPI_FLOAT_INT, "float int"},
                                     {MPI_DOUBLE_INT, "double int"},
                                     {MPI_2INT, "int int"},
                                     {MPI_LONG_INT, "long int"},
                                     {MPI_SHORT_INT, "short int"},
                                     {MPI_LONG_DOUBLE_INT, "long double int"}};
  void *in = aligned(bytes), *inout = aligned(bytes);
  memset(in, 1, bytes);
  memset(inout, 1, bytes);
  printf("# %zu bytes\n# %-20s %-7s %8s %8s %6s\n", bytes, "type", "op", "GB/s", "limit", "share");
  for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
    /* For each type anew: on a shared machine it changes. */
    const double limit = best(NULL, MPI_OP_NULL, in, inout, bytes);
    for (size_t o = 0; o < sizeof ops / sizeof *ops; ++o) {
      fill(types[t].type, in, bytes, 3);
      fill(types[t].type, inout, bytes, 5);
      const double seconds = best(&types[t], ops[o].op, in, inout, bytes);
      if (seconds > 0)
        printf("  %-20s %-7s %8.1f %8.1f %5.0f%%\n", types[t].name, ops[o].name, 3e-9 * (double)bytes / seconds,
               3e-9 * (double)bytes / limit, 100 * limit / seconds);
    }
  }
  free(in);
  free(inout);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const long bytes = argc > 1 ? atol(argv[1]) : 0;
  if (argc > 1 && bytes < 64) {
    fprintf(stderr, "reduce: \"%s\" is not a number of bytes of at least 64\n", argv[1]);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (bytes > 0) {
    measure((size_t)bytes);
  } else {
    measure(16384);
    measure(1048576);
    measure(16777216);
  }
  MPI_Finalize();
  return 0;
}
