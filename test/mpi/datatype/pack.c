// SPDX-License-Identifier: BSD-3-Clause
// Pack and unpack piece by piece, the external32 representation, counts of elements, status arithmetic, and large counts.
#include "../check.h"

static void pieces(void) {
  int i = 7, got_i = 0, position = 0, size, total = 0;
  double d[3] = {1.5, -2.5, 1e300}, got_d[3];
  char text[] = "starling", got_text[sizeof text];
  char buffer[200];
  CHECK_OK(MPI_Pack(&i, 1, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
  CHECK_OK(MPI_Pack(d, 3, MPI_DOUBLE, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
  CHECK_OK(MPI_Pack(text, sizeof text, MPI_CHAR, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
  CHECK_OK(MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size));
  total += size;
  CHECK_OK(MPI_Pack_size(3, MPI_DOUBLE, MPI_COMM_WORLD, &size));
  total += size;
  CHECK_OK(MPI_Pack_size(sizeof text, MPI_CHAR, MPI_COMM_WORLD, &size));
  total += size;
  CHECK(position <= total);
  // A packed message may be received as packed bytes, or directly as the first of the types it was made of.
  char in[200];
  MPI_Status status;
  int count;
  CHECK_OK(MPI_Sendrecv(buffer, position, MPI_PACKED, check_rank, 1, in, sizeof in, MPI_PACKED, check_rank, 1, MPI_COMM_WORLD,
                        &status));
  CHECK_OK(MPI_Get_count(&status, MPI_PACKED, &count));
  CHECK_EQ(count, position);
  position = 0;
  CHECK_OK(MPI_Unpack(in, count, &position, &got_i, 1, MPI_INT, MPI_COMM_WORLD));
  CHECK_OK(MPI_Unpack(in, count, &position, got_d, 3, MPI_DOUBLE, MPI_COMM_WORLD));
  CHECK_OK(MPI_Unpack(in, count, &position, got_text, sizeof text, MPI_CHAR, MPI_COMM_WORLD));
  CHECK_EQ(got_i, 7);
  CHECK_BYTES(got_d, d, sizeof d);
  CHECK_STR(got_text, text);
  CHECK_EQ(position, count);
}

// external32 is big-endian, with sizes of its own (MPI 5.0, section 14.5.2).
static void external32(void) {
  const int i = 0x01020304;
  const short s = 0x0506;
  const double d = 1.0;
  const long l = 0x0102030405060708L;
  static const unsigned char want[] = {1, 2, 3, 4, 5, 6, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
  unsigned char buffer[64];
  MPI_Aint position = 0, size = 0, at = 0;
  CHECK_OK(MPI_Pack_external("external32", &i, 1, MPI_INT, buffer, sizeof buffer, &position));
  CHECK_OK(MPI_Pack_external("external32", &s, 1, MPI_SHORT, buffer, sizeof buffer, &position));
  CHECK_OK(MPI_Pack_external("external32", &d, 1, MPI_DOUBLE, buffer, sizeof buffer, &position));
  CHECK_OK(MPI_Pack_external("external32", &l, 1, MPI_INT64_T, buffer, sizeof buffer, &position));
  CHECK_EQ(position, sizeof want);
  CHECK_BYTES(buffer, want, sizeof want);
  CHECK_OK(MPI_Pack_external_size("external32", 5, MPI_DOUBLE, &size));
  CHECK_EQ(size, 40);
  CHECK_OK(MPI_Pack_external_size("external32", 5, MPI_CHAR, &size));
  CHECK_EQ(size, 5);
  int i2 = 0;
  short s2 = 0;
  double d2 = 0;
  CHECK_OK(MPI_Unpack_external("external32", buffer, position, &at, &i2, 1, MPI_INT));
  CHECK_OK(MPI_Unpack_external("external32", buffer, position, &at, &s2, 1, MPI_SHORT));
  CHECK_OK(MPI_Unpack_external("external32", buffer, position, &at, &d2, 1, MPI_DOUBLE));
  CHECK_EQ(i2, i);
  CHECK_EQ(s2, s);
  CHECK(d2 == d);
  CHECK_EQ(at, 14);
}

static void external32_derived(void) {
  int out[12], in[12];
  unsigned char buffer[64];
  MPI_Datatype type;
  MPI_Aint position = 0, at = 0, size;
  for (int i = 0; i < 12; i++) out[i] = i + 1, in[i] = -1;
  CHECK_OK(MPI_Type_vector(3, 2, 4, MPI_INT, &type));
  CHECK_OK(MPI_Type_commit(&type));
  CHECK_OK(MPI_Pack_external_size("external32", 1, type, &size));
  CHECK_EQ(size, 24);
  CHECK_OK(MPI_Pack_external("external32", out, 1, type, buffer, sizeof buffer, &position));
  CHECK_EQ(position, 24);
  CHECK_EQ(buffer[3], 1);
  CHECK_EQ(buffer[11], 5);
  CHECK_OK(MPI_Unpack_external("external32", buffer, position, &at, in, 1, type));
  for (int i = 0; i < 12; i++) {
    if (i < 10) CHECK_EQ(in[i], i % 4 < 2 ? i + 1 : -1);
  }
  CHECK_OK(MPI_Type_free(&type));
}

// Elements of a partly received struct: basic elements count, not bytes.
static void elements(void) {
  MPI_Datatype type;
  const MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
  const int lengths[] = {2, 1, 3};
  const MPI_Aint places[] = {0, 8, 16};
  static const int bytes[] = {4, 8, 16, 17, 19, 23, 27, 35, 38};
  static const int counts[] = {1, 2, 3, 4, 6, 7, 8, 9, 12};
  char out[64] = {0}, in[128];
  CHECK_OK(MPI_Type_create_struct(3, lengths, places, parts, &type));
  CHECK_OK(MPI_Type_commit(&type));
  for (int i = 0; i < 9; i++) {
    MPI_Status status;
    int count = -1, whole = -1;
    CHECK_OK(MPI_Sendrecv(out, bytes[i], MPI_PACKED, check_rank, 1, in, 4, type, check_rank, 1, MPI_COMM_WORLD, &status));
    CHECK_OK(MPI_Get_elements(&status, type, &count));
    CHECK_EQ(count, counts[i]);
    CHECK_OK(MPI_Get_count(&status, type, &whole));
    CHECK_EQ(whole, counts[i] % 6 ? MPI_UNDEFINED : counts[i] / 6);
    MPI_Count large = -1;
    CHECK_OK(MPI_Get_elements_x(&status, type, &large));
    CHECK_EQ(large, counts[i]);
  }
  CHECK_OK(MPI_Type_free(&type));
}

static void status_fields(void) {
  MPI_Status status;
  int count = -1, cancelled = -1;
  memset(&status, 0, sizeof status);
  CHECK_OK(MPI_Status_set_elements(&status, MPI_INT, 10));
  CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
  CHECK_EQ(count, 10);
  CHECK_OK(MPI_Get_elements(&status, MPI_INT, &count));
  CHECK_EQ(count, 10);
  CHECK_OK(MPI_Status_set_cancelled(&status, 1));
  CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
  CHECK_EQ(cancelled, 1);
  CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
  CHECK_EQ(count, 10);
  CHECK_OK(MPI_Status_set_cancelled(&status, 0));
  CHECK_OK(MPI_Status_set_elements_x(&status, MPI_BYTE, 3000000000LL));
  CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
  CHECK_EQ(cancelled, 0);
  MPI_Count large = 0;
  CHECK_OK(MPI_Get_elements_x(&status, MPI_BYTE, &large));
  CHECK_EQ(large, 3000000000LL);
  const MPI_Count largest = 0x7fffffffffffffffLL;
  CHECK_OK(MPI_Status_set_elements_x(&status, MPI_BYTE, largest));
  CHECK_OK(MPI_Get_elements_x(&status, MPI_BYTE, &large));
  CHECK(large == largest);
  CHECK_OK(MPI_Get_count(&status, MPI_BYTE, &count));
  CHECK_EQ(count, MPI_UNDEFINED);  // does not fit an int
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
  int value = 0;
  CHECK_OK(MPI_Status_set_source(&status, 3));
  CHECK_OK(MPI_Status_set_tag(&status, 4));
  CHECK_OK(MPI_Status_set_error(&status, MPI_ERR_TAG));
  CHECK_OK(MPI_Status_get_source(&status, &value));
  CHECK_EQ(value, 3);
  CHECK_OK(MPI_Status_get_tag(&status, &value));
  CHECK_EQ(value, 4);
  CHECK_OK(MPI_Status_get_error(&status, &value));
  CHECK_EQ(value, MPI_ERR_TAG);
#endif
}

// Types larger than 2^31 bytes: nothing is moved, only described.
static void large_types(void) {
  MPI_Datatype row, huge;
  int small = 0;
  MPI_Count size = 0, lb = -1, extent = -1;
  CHECK_OK(MPI_Type_contiguous(1 << 30, MPI_INT, &row));
  CHECK_OK(MPI_Type_vector(4, 1, 2, row, &huge));
  CHECK_OK(MPI_Type_size_x(huge, &size));
  CHECK_EQ(size, 16LL << 30);
  CHECK_OK(MPI_Type_get_extent_x(huge, &lb, &extent));
  CHECK_EQ(lb, 0);
  CHECK_EQ(extent, 28LL << 30);
  CHECK_OK(MPI_Type_get_true_extent_x(huge, &lb, &extent));
  CHECK_EQ(extent, 28LL << 30);
  CHECK_OK(MPI_Type_size(huge, &small));
  CHECK_EQ(small, MPI_UNDEFINED);
  CHECK_OK(MPI_Type_free(&huge));
  CHECK_OK(MPI_Type_free(&row));
#if MPI_VERSION >= 4
  CHECK_OK(MPI_Type_contiguous_c(5LL << 32, MPI_CHAR, &huge));
  CHECK_OK(MPI_Type_size_c(huge, &size));
  CHECK_EQ(size, 5LL << 32);
  MPI_Count integers, addresses, counts, types, value[1];
  int combiner, dummy[1];
  MPI_Datatype got;
  MPI_Aint address[1];
  CHECK_OK(MPI_Type_get_envelope_c(huge, &integers, &addresses, &counts, &types, &combiner));
  CHECK_EQ(combiner, MPI_COMBINER_CONTIGUOUS);
  CHECK_EQ(integers, 0);
  CHECK_EQ(counts, 1);
  CHECK_OK(MPI_Type_get_contents_c(huge, 0, 0, 1, 1, dummy, address, value, &got));
  CHECK_EQ(value[0], 5LL << 32);
  CHECK_OK(MPI_Type_free(&huge));
#endif
}

static void addresses(void) {
  char bytes[100] = {0};
  MPI_Aint a, b;
  CHECK_OK(MPI_Get_address(bytes, &a));
  CHECK_OK(MPI_Get_address(bytes + 60, &b));
  CHECK_EQ(MPI_Aint_diff(b, a), 60);
  CHECK_EQ(MPI_Aint_add(a, 60), b);
}

static const CheckCase kCases[] = {
    {"piece by piece", pieces, 0},
    {"external32", external32, 0},
    {"external32 of a vector", external32_derived, 0},
    {"elements", elements, 0},
    {"fields of a status", status_fields, 0},
    {"large types", large_types, 0},
    {"addresses", addresses, 0},
};
CHECK_MAIN(kCases)
