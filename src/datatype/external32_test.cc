// SPDX-License-Identifier: BSD-3-Clause
#include "datatype/external32.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "base/error.h"
#include "datatype/entry.gen.h"

namespace starling {
namespace {

std::string hex(const std::vector<std::byte>& bytes) {
  std::string text;
  for (std::byte b : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(b));
    text += digits;
  }
  return text;
}

// Converts there and back.
template <class T>
std::string external(unsigned code, T value) {
  Datatype& type = *predefined_datatype(code);
  EXPECT_EQ(type.size, static_cast<Count>(sizeof(T))) << type.name;
  std::vector<std::byte> bytes(static_cast<std::size_t>(datatype::external_size(type)));
  datatype::to_external(&value, 1, type, bytes.data());
  T back{};
  datatype::from_external(bytes.data(), &back, 1, type);
  EXPECT_TRUE(back == value) << type.name;
  return hex(bytes);
}

// Golden bytes by IEEE 754 and MPI 5.0 table 14.2; the reals agree with what another implementation writes.
TEST(External32, GoldenBytes) {
  EXPECT_EQ(external(kCodeChar, 'a'), "61");
  EXPECT_EQ(external<short>(kCodeShort, 0x1234), "1234");
  EXPECT_EQ(external<int>(kCodeInt, -2), "fffffffe");
  EXPECT_EQ(external<long>(kCodeLong, -5), "fffffffb");  // four bytes, whatever the machine
  EXPECT_EQ(external<unsigned long>(kCodeUnsignedLong, 0xfedcba98UL), "fedcba98");
  EXPECT_EQ(external<long long>(kCodeLongLong, 0x0102030405060708LL), "0102030405060708");
  EXPECT_EQ(external<wchar_t>(kCodeWchar, 0x20ac), "20ac");
  EXPECT_EQ(external<bool>(kCodeCBool, true), "01");
  EXPECT_EQ(external<float>(kCodeFloat, 1.0F), "3f800000");
  EXPECT_EQ(external<double>(kCodeDouble, -2.0), "c000000000000000");
  EXPECT_EQ(external<long double>(kCodeLongDouble, -1.5L), "bfff8000000000000000000000000000");
  EXPECT_EQ(external<Aint>(kCodeAint, 1), "0000000000000001");
  EXPECT_EQ(external<int>(kCodeLogical, 1), "00000001");
}

TEST(External32, ComplexIsTwoReals) {
  double value[2] = {1.0, -2.0}, back[2];
  Datatype& type = *predefined_datatype(kCodeCDoubleComplex);
  std::vector<std::byte> bytes(16);
  datatype::to_external(value, 1, type, bytes.data());
  EXPECT_EQ(hex(bytes), "3ff0000000000000c000000000000000");
  datatype::from_external(bytes.data(), back, 1, type);
  EXPECT_EQ(back[1], -2.0);
}

TEST(External32, MixedTypesWithGaps) {
  struct Record {
    short a;
    double b;
    long c;
  };
  Count lengths[] = {1, 1, 1}, places[] = {offsetof(Record, a), offsetof(Record, b), offsetof(Record, c)};
  Datatype* parts[] = {predefined_datatype(kCodeShort), predefined_datatype(kCodeDouble), predefined_datatype(kCodeLong)};
  Datatype* type;
  datatype::type_create_struct(3, lengths, places, parts, type, true);
  EXPECT_EQ(datatype::external_size(*type), 2 + 8 + 4);
  std::vector<Record> records(1000), back(1000);
  for (int i = 0; i < 1000; ++i) records[static_cast<std::size_t>(i)] = {static_cast<short>(i), i / 4.0, -i};
  Count size = 0, position = 0;
  datatype::pack_external_size("external32", 1000, *type, size);
  EXPECT_EQ(size, 14000);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  datatype::pack_external("external32", records.data(), 1000, *type, bytes.data(), size, position);
  EXPECT_EQ(position, size);
  bytes.resize(28);
  EXPECT_EQ(hex(bytes),
            "0000"
            "0000000000000000"
            "00000000"
            "0001"
            "3fd0000000000000"
            "ffffffff");
  bytes.resize(static_cast<std::size_t>(size));
  position = 0;
  datatype::pack_external("external32", records.data(), 1000, *type, bytes.data(), size, position);
  position = 0;
  datatype::unpack_external("external32", bytes.data(), size, position, back.data(), 1000, *type);
  for (std::size_t i = 0; i < records.size(); ++i) {
    ASSERT_EQ(back[i].a, records[i].a);
    ASSERT_EQ(back[i].b, records[i].b);
    ASSERT_EQ(back[i].c, records[i].c);
  }
  release(type);
}

TEST(External32, Errors) {
  int value = 1;
  std::byte bytes[3];
  Count position = 0;
  Datatype& type = *predefined_datatype(kCodeInt);
  EXPECT_THROW(datatype::pack_external("external64", &value, 1, type, bytes, 3, position), Error);
  EXPECT_THROW(datatype::pack_external("external32", &value, 1, type, bytes, 3, position), Error);
  EXPECT_EQ(position, 0);
}

}  // namespace
}  // namespace starling
