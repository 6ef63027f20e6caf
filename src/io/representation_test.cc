// SPDX-License-Identifier: BSD-3-Clause
#include "io/representation.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "datatype/entry.gen.h"
#include "datatype/layout.h"

namespace starling::io {
namespace {

Datatype& predefined(unsigned code) { return *predefined_datatype(code); }
const Representation& external32() { return representation("external32"); }

// Every constructor over MPI_LONG, which has 4 bytes in external32, must be what it is over MPI_INT.
struct Constructor {
  const char* name;
  Datatype* (*make)(Datatype& part, bool large);
};

const Constructor kConstructors[] = {
    {"contiguous",
     [](Datatype& part, bool large) {
       Datatype* made = nullptr;
       datatype::type_contiguous(5, part, made, large);
       return made;
     }},
    {"vector",
     [](Datatype& part, bool large) {
       Datatype* made = nullptr;
       datatype::type_vector(4, 2, 3, part, made, large);
       return made;
     }},
    {"indexed",
     [](Datatype& part, bool large) {
       const std::int64_t lengths[] = {2, 1, 3}, displacements[] = {1, 5, 7};
       Datatype* made = nullptr;
       datatype::type_indexed(3, lengths, displacements, part, made, large);
       return made;
     }},
    {"indexed block",
     [](Datatype& part, bool large) {
       const std::int64_t displacements[] = {1, 5, 8};
       Datatype* made = nullptr;
       datatype::type_create_indexed_block(3, 2, displacements, part, made, large);
       return made;
     }},
    {"subarray",
     [](Datatype& part, bool large) {
       const std::int64_t sizes[] = {6, 8}, subsizes[] = {2, 3}, starts[] = {1, 4};
       Datatype* made = nullptr;
       datatype::type_create_subarray(2, sizes, subsizes, starts, kOrderC, part, made, large);
       return made;
     }},
    {"darray",
     [](Datatype& part, bool large) {
       const std::int64_t sizes[] = {6, 9};
       const int distributions[] = {kDistributeCyclic, kDistributeBlock};
       const int arguments[] = {kDistributeDfltDarg, kDistributeDfltDarg}, grid[] = {2, 3};
       Datatype* made = nullptr;
       datatype::type_create_darray(6, 4, 2, sizes, distributions, arguments, grid, kOrderFortran, part, made, large);
       return made;
     }},
    {"dup",
     [](Datatype& part, bool) {
       Datatype* made = nullptr;
       datatype::type_dup(part, made);
       return made;
     }},
};

std::vector<iovec> bytes_of(const Datatype& type) {
  std::vector<iovec> list(64);
  Count covered = 0;
  list.resize(datatype::segments(nullptr, 1, type, 0, type.size, list.data(), list.size(), covered));
  EXPECT_EQ(covered, type.size);
  return list;
}

TEST(Representation, TypesInAFile) {
  ASSERT_EQ(external32().size_of(predefined(kCodeLong)), 4);
  for (const Constructor& constructor : kConstructors)
    for (const bool large : {false, true}) {
      const Ref<Datatype> of_long = Ref<Datatype>::adopt(constructor.make(predefined(kCodeLong), large));
      const Ref<Datatype> of_int = Ref<Datatype>::adopt(constructor.make(predefined(kCodeInt), large));
      const Ref<Datatype> moved = in_file(external32(), *of_long);
      EXPECT_EQ(moved->size, of_int->size) << constructor.name;
      EXPECT_EQ(moved->extent, of_int->extent) << constructor.name;
      EXPECT_EQ(moved->lb, of_int->lb) << constructor.name;
      const auto got = bytes_of(*moved), want = bytes_of(*of_int);
      ASSERT_EQ(got.size(), want.size()) << constructor.name;
      for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].iov_base, want[i].iov_base) << constructor.name;
        EXPECT_EQ(got[i].iov_len, want[i].iov_len) << constructor.name;
      }
      // What does not change is the same type.
      EXPECT_EQ(in_file(external32(), *of_int).get(), of_int.get());
      EXPECT_EQ(in_file(representation("native"), *of_long).get(), of_long.get());
    }
}

TEST(Representation, DisplacementsInBytesStay) {
  const std::int64_t lengths[] = {1, 2}, displacements[] = {0, 20};
  Datatype* types[] = {&predefined(kCodeLong), &predefined(kCodeDouble)};
  Datatype* made = nullptr;
  datatype::type_create_struct(2, lengths, displacements, types, made, true);
  const Ref<Datatype> type = Ref<Datatype>::adopt(made);
  const Ref<Datatype> moved = in_file(external32(), *type);
  EXPECT_EQ(bytes_in_file(external32(), *type), 4 + 16);
  EXPECT_EQ(moved->size, 20);
  const auto list = bytes_of(*moved);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(list[1].iov_base), 20U);
  EXPECT_EQ(list[1].iov_len, 16U);
}

TEST(Representation, Names) {
  EXPECT_TRUE(representation("native").native());
  EXPECT_TRUE(representation("internal").native());
  EXPECT_FALSE(external32().native());
  EXPECT_THROW(representation("Native"), Error);
  EXPECT_THROW(add_representation("external32", {}, {}, {}, nullptr), Error);
  EXPECT_THROW(add_representation("", {}, {}, {}, nullptr), Error);
}

}  // namespace
}  // namespace starling::io
