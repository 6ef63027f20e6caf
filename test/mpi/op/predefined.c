// SPDX-License-Identifier: BSD-3-Clause
// Every predefined operation on every type it is allowed on, by Reduce_local and Allreduce, against a plain loop; and the same
// pairs that are not allowed give MPI_ERR_OP.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#include "../check.h"

enum { kCount = 67 };

// The groups of MPI 5.0, section 6.9.2.
typedef enum { kInteger, kFloating, kLogical, kComplex, kByte, kAddress } Kind;

#define OPS_ORDERED(T)                                            \
  static void max_##T(T* a, const T* b, int n) {                  \
    for (int i = 0; i < n; i++) a[i] = a[i] > b[i] ? a[i] : b[i]; \
  }                                                               \
  static void min_##T(T* a, const T* b, int n) {                  \
    for (int i = 0; i < n; i++) a[i] = a[i] < b[i] ? a[i] : b[i]; \
  }
// In: the type to compute in. Integers wrap, which only unsigned types may.
#define OPS_ARITHMETIC(T, In)                                    \
  static void sum_##T(T* a, const T* b, int n) {                 \
    for (int i = 0; i < n; i++) a[i] = (T)((In)a[i] + (In)b[i]); \
  }                                                              \
  static void prod_##T(T* a, const T* b, int n) {                \
    for (int i = 0; i < n; i++) a[i] = (T)((In)a[i] * (In)b[i]); \
  }
#define OPS_LOGICAL(T)                                 \
  static void land_##T(T* a, const T* b, int n) {      \
    for (int i = 0; i < n; i++) a[i] = a[i] && b[i];   \
  }                                                    \
  static void lor_##T(T* a, const T* b, int n) {       \
    for (int i = 0; i < n; i++) a[i] = a[i] || b[i];   \
  }                                                    \
  static void lxor_##T(T* a, const T* b, int n) {      \
    for (int i = 0; i < n; i++) a[i] = !a[i] != !b[i]; \
  }
#define OPS_BITS(T)                                      \
  static void band_##T(T* a, const T* b, int n) {        \
    for (int i = 0; i < n; i++) a[i] = (T)(a[i] & b[i]); \
  }                                                      \
  static void bor_##T(T* a, const T* b, int n) {         \
    for (int i = 0; i < n; i++) a[i] = (T)(a[i] | b[i]); \
  }                                                      \
  static void bxor_##T(T* a, const T* b, int n) {        \
    for (int i = 0; i < n; i++) a[i] = (T)(a[i] ^ b[i]); \
  }
#define OPS_INTEGER(T) OPS_ORDERED(T) OPS_ARITHMETIC(T, ullong) OPS_LOGICAL(T) OPS_BITS(T)
#define OPS_FLOATING(T) OPS_ORDERED(T) OPS_ARITHMETIC(T, T)

typedef signed char schar;
typedef unsigned char uchar;
typedef unsigned short ushort_t;
typedef unsigned uint_t;
typedef unsigned long ulong_t;
typedef long long llong;
typedef unsigned long long ullong;
typedef long double ldouble;
typedef float complex fcomplex;
typedef double complex dcomplex;
typedef long double complex lcomplex;

OPS_INTEGER(schar)
OPS_INTEGER(uchar)
OPS_INTEGER(short)
OPS_INTEGER(ushort_t)
OPS_INTEGER(int)
OPS_INTEGER(uint_t)
OPS_INTEGER(long)
OPS_INTEGER(ulong_t)
OPS_INTEGER(llong)
OPS_INTEGER(ullong)
OPS_FLOATING(float)
OPS_FLOATING(double)
OPS_FLOATING(ldouble)
OPS_LOGICAL(bool)
OPS_ARITHMETIC(fcomplex, fcomplex)
OPS_ARITHMETIC(dcomplex, dcomplex)
OPS_ARITHMETIC(lcomplex, lcomplex)

typedef void (*Apply)(void* inout, const void* in, int n);
enum { kMax, kMin, kSum, kProd, kLand, kLor, kLxor, kBand, kBor, kBxor, kOps };

typedef struct Type {
  const char* name;
  MPI_Datatype type;
  size_t size;
  Kind kind;
  Apply apply[kOps];  // null: not allowed
} Type;

#define A(f) ((Apply)(void (*)(void))(f))
#define INTEGER(name, T, kind)                                                                                        \
  {                                                                                                                   \
    #name, name, sizeof(T), kind, {                                                                                   \
      A(max_##T), A(min_##T), A(sum_##T), A(prod_##T), A(land_##T), A(lor_##T), A(lxor_##T), A(band_##T), A(bor_##T), \
          A(bxor_##T)                                                                                                 \
    }                                                                                                                 \
  }
#define ADDRESS(name, T) INTEGER(name, T, kAddress)
#define FLOATING(name, T)                                                                  \
  {                                                                                        \
    #name, name, sizeof(T), kFloating, { A(max_##T), A(min_##T), A(sum_##T), A(prod_##T) } \
  }
#define COMPLEX(name, T)                                                \
  {                                                                     \
    #name, name, sizeof(T), kComplex, { 0, 0, A(sum_##T), A(prod_##T) } \
  }

static void fill(const Type* t, unsigned char* memory, unsigned seed) {
  unsigned random = seed * 2654435761u + 1;
  for (int i = 0; i < kCount; i++) {
    unsigned r = check_random(&random);
    int small = (int)(r >> 8 & 7) - 2;  // sums and products of small whole numbers are exact in every type
    unsigned char* at = memory + (size_t)i * t->size;
    if (t->kind == kFloating && t->size == sizeof(float))
      *(float*)at = (float)small;
    else if (t->kind == kFloating && t->size == sizeof(double))
      *(double*)at = small;
    else if (t->kind == kFloating)
      *(long double*)at = small;
    else if (t->kind == kComplex && t->size == sizeof(float complex))
      *(float complex*)at = (float)small + (float)(r & 3) * I;
    else if (t->kind == kComplex && t->size == sizeof(double complex))
      *(double complex*)at = small + (r & 3) * I;
    else if (t->kind == kComplex)
      *(long double complex*)at = small + (r & 3) * I;
    else if (t->kind == kLogical)
      *(bool*)at = r & 1;
    else if (i % 3 == 0)
      memset(at, 0, t->size);  // false, for the logical operations
    else if (i % 3 == 1)
      memset(at, 0, t->size), at[0] = r & 1;
    else
      for (size_t b = 0; b < t->size; b++) at[b] = (unsigned char)(check_random(&random) >> 7);
  }
}

#define EQUAL_AS(T)                                       \
  do {                                                    \
    for (int i = 0; i < kCount; i++) {                    \
      if (((const T*)a)[i] != ((const T*)b)[i]) return 0; \
    }                                                     \
    return 1;                                             \
  } while (0)

// Floating-point values are compared as such: zeros have two signs, and long double has padding.
static int equal(const Type* t, const void* a, const void* b) {
  if (t->kind == kFloating && t->size == sizeof(float)) EQUAL_AS(float);
  if (t->kind == kFloating && t->size == sizeof(double)) EQUAL_AS(double);
  if (t->kind == kFloating) EQUAL_AS(long double);
  if (t->kind == kComplex && t->size == sizeof(float complex)) EQUAL_AS(float complex);
  if (t->kind == kComplex && t->size == sizeof(double complex)) EQUAL_AS(double complex);
  if (t->kind == kComplex) EQUAL_AS(long double complex);
  return memcmp(a, b, (size_t)kCount * t->size) == 0;
}

static void check_type_and_op(const Type* t, MPI_Op op, Apply apply, const char* op_name) {
  _Alignas(32) unsigned char mine[kCount * 32], got[kCount * 32], want[kCount * 32];
  memset(got, 0, sizeof got);
  memset(want, 0, sizeof want);
  fill(t, mine, (unsigned)check_rank + 1);
  fill(t, want, 99);
  memcpy(got, want, sizeof got);
  CHECK_OK(MPI_Reduce_local(mine, got, kCount, t->type, op));
  apply(want, mine, kCount);
  int good = CHECK(equal(t, got, want));
  CHECK_OK(MPI_Allreduce(mine, got, kCount, t->type, op, MPI_COMM_WORLD));
  fill(t, want, 1);
  for (int rank = 1; rank < check_size; rank++) {
    fill(t, mine, (unsigned)rank + 1);
    apply(want, mine, kCount);
  }
  good &= CHECK(equal(t, got, want));
  if (!good) fprintf(stderr, "  %s on %s\n", op_name, t->name);
}

static const char* const kOpNames[kOps] = {"MAX", "MIN", "SUM", "PROD", "LAND", "LOR", "LXOR", "BAND", "BOR", "BXOR"};

static void all_ops_and_types(void) {
  const Type types[] = {
      INTEGER(MPI_SIGNED_CHAR, schar, kInteger),
      INTEGER(MPI_UNSIGNED_CHAR, uchar, kInteger),
      INTEGER(MPI_SHORT, short, kInteger),
      INTEGER(MPI_UNSIGNED_SHORT, ushort_t, kInteger),
      INTEGER(MPI_INT, int, kInteger),
      INTEGER(MPI_UNSIGNED, uint_t, kInteger),
      INTEGER(MPI_LONG, long, kInteger),
      INTEGER(MPI_UNSIGNED_LONG, ulong_t, kInteger),
      INTEGER(MPI_LONG_LONG_INT, llong, kInteger),
      INTEGER(MPI_UNSIGNED_LONG_LONG, ullong, kInteger),
      INTEGER(MPI_INT8_T, schar, kInteger),
      INTEGER(MPI_INT16_T, short, kInteger),
      INTEGER(MPI_INT32_T, int, kInteger),
      INTEGER(MPI_INT64_T, llong, kInteger),
      INTEGER(MPI_UINT8_T, uchar, kInteger),
      INTEGER(MPI_UINT16_T, ushort_t, kInteger),
      INTEGER(MPI_UINT32_T, uint_t, kInteger),
      INTEGER(MPI_UINT64_T, ullong, kInteger),
      ADDRESS(MPI_AINT, llong),
      ADDRESS(MPI_OFFSET, llong),
      ADDRESS(MPI_COUNT, llong),
      FLOATING(MPI_FLOAT, float),
      FLOATING(MPI_DOUBLE, double),
      FLOATING(MPI_LONG_DOUBLE, ldouble),
      COMPLEX(MPI_C_FLOAT_COMPLEX, fcomplex),
      COMPLEX(MPI_C_DOUBLE_COMPLEX, dcomplex),
      COMPLEX(MPI_C_LONG_DOUBLE_COMPLEX, lcomplex),
      {"MPI_C_BOOL",
       MPI_C_BOOL,
       sizeof(bool),
       kLogical,
       {[kLand] = A(land_bool), [kLor] = A(lor_bool), [kLxor] = A(lxor_bool)}},
      {"MPI_BYTE", MPI_BYTE, 1, kByte, {[kBand] = A(band_uchar), [kBor] = A(bor_uchar), [kBxor] = A(bxor_uchar)}},
  };
  const MPI_Op ops[kOps] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    for (int op = 0; op < kOps; op++) {
      if (types[t].kind == kAddress && op >= kLand && op <= kLxor) continue;  // addresses are not C integers: no logic
      if (types[t].apply[op]) check_type_and_op(&types[t], ops[op], types[t].apply[op], kOpNames[op]);
    }
  }
}

static void forbidden_pairs(void) {
  const struct {
    MPI_Datatype type;
    MPI_Op op;
  } kPairs[] = {
      {MPI_DOUBLE, MPI_BAND}, {MPI_FLOAT, MPI_LXOR}, {MPI_C_DOUBLE_COMPLEX, MPI_MAX},
      {MPI_C_BOOL, MPI_SUM},  {MPI_BYTE, MPI_SUM},   {MPI_DOUBLE, MPI_MAXLOC},
      {MPI_2INT, MPI_SUM},
  };
  double in[4] = {0}, out[4] = {0};
  for (size_t i = 0; i < sizeof kPairs / sizeof *kPairs; i++) {
    CHECK_CLASS(MPI_Reduce_local(in, out, 1, kPairs[i].type, kPairs[i].op), MPI_ERR_OP);
    CHECK_CLASS(MPI_Allreduce(in, out, 1, kPairs[i].type, kPairs[i].op, MPI_COMM_WORLD), MPI_ERR_OP);
  }
}

// Value and place; of equal values the smaller place wins.
#define LOCATION_TEST(T, mpi_type)                                                                              \
  static void location_##T(void) {                                                                              \
    struct Pair {                                                                                               \
      T value;                                                                                                  \
      int place;                                                                                                \
    } mine[kCount], low[kCount], high[kCount];                                                                  \
    memset(mine, 0, sizeof mine);                                                                               \
    for (int i = 0; i < kCount; i++) mine[i].value = (T)((check_rank * 7 + i) % 5), mine[i].place = check_rank; \
    CHECK_OK(MPI_Allreduce(mine, low, kCount, mpi_type, MPI_MINLOC, MPI_COMM_WORLD));                           \
    CHECK_OK(MPI_Allreduce(mine, high, kCount, mpi_type, MPI_MAXLOC, MPI_COMM_WORLD));                          \
    for (int i = 0; i < kCount; i++) {                                                                          \
      int min_at = 0, max_at = 0;                                                                               \
      for (int r = 1; r < check_size; r++) {                                                                    \
        if ((r * 7 + i) % 5 < (min_at * 7 + i) % 5) min_at = r;                                                 \
        if ((r * 7 + i) % 5 > (max_at * 7 + i) % 5) max_at = r;                                                 \
      }                                                                                                         \
      CHECK(low[i].value == (T)((min_at * 7 + i) % 5) && low[i].place == min_at);                               \
      CHECK(high[i].value == (T)((max_at * 7 + i) % 5) && high[i].place == max_at);                             \
    }                                                                                                           \
  }
LOCATION_TEST(int, MPI_2INT)
LOCATION_TEST(short, MPI_SHORT_INT)
LOCATION_TEST(long, MPI_LONG_INT)
LOCATION_TEST(float, MPI_FLOAT_INT)
LOCATION_TEST(double, MPI_DOUBLE_INT)
LOCATION_TEST(ldouble, MPI_LONG_DOUBLE_INT)

static void all_commute(void) {
  int commutes = -1;
  const MPI_Op ops[] = {MPI_MAX,  MPI_MIN,  MPI_SUM, MPI_PROD, MPI_LAND,   MPI_LOR,
                        MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    CHECK_OK(MPI_Op_commutative(ops[i], &commutes));
    CHECK_EQ(commutes, 1);
  }
}

// Infinities and not-a-number behave as the C operators do.
static void special_floats(void) {
  double a[3] = {INFINITY, -INFINITY, DBL_MAX}, b[3] = {1, 1, DBL_MAX};
  CHECK_OK(MPI_Reduce_local(a, b, 3, MPI_DOUBLE, MPI_SUM));
  CHECK(isinf(b[0]) && b[0] > 0);
  CHECK(isinf(b[1]) && b[1] < 0);
  CHECK(isinf(b[2]));
}

static const CheckCase kCases[] = {
    {"all operations on all types", all_ops_and_types, 0},
    {"forbidden pairs", forbidden_pairs, 0},
    {"locations with int", location_int, 0},
    {"locations with short", location_short, 0},
    {"locations with long", location_long, 0},
    {"locations with float", location_float, 0},
    {"locations with double", location_double, 0},
    {"locations with long double", location_ldouble, 0},
    {"predefined operations commute", all_commute, 0},
    {"special floats", special_floats, 0},
};
CHECK_MAIN(kCases)
