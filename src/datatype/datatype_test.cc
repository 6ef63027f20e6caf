// SPDX-License-Identifier: BSD-3-Clause
// Bounds, envelopes, names, attributes, arrays, Fortran kinds: what the test of layouts does not see.
#include "datatype/datatype.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "datatype/entry.gen.h"
#include "datatype/envelope.h"
#include "datatype/layout.h"
#include "object/status.h"

namespace starling {
namespace {

Datatype& named(unsigned code) { return *predefined_datatype(code); }

TEST(Datatype, PredefinedTypes) {
  EXPECT_EQ(named(kCodeInt).name, "MPI_INT");
  EXPECT_EQ(&named(kCodeInt), &named(kCodeInt));
  EXPECT_EQ(named(kCodeInt).size, 4);
  EXPECT_EQ(named(kCodeInt).basic, &named(kCodeInt));
  EXPECT_TRUE(named(kCodeInt).contiguous && named(kCodeInt).committed);
  EXPECT_EQ(named(kCodeComplex32).size, 32);
  EXPECT_EQ(predefined_datatype(kCodeDatatypeNull), nullptr);
  EXPECT_EQ(predefined_datatype(0x2ff), nullptr);
  EXPECT_EQ(predefined_datatype(kCodeSum), nullptr);
  struct LongDoubleInt {
    long double value;
    int index;
  };
  EXPECT_EQ(named(kCodeLongDoubleInt).extent, static_cast<Count>(sizeof(LongDoubleInt)));
  EXPECT_FALSE(named(kCodeDoubleInt).contiguous);
  EXPECT_EQ(named(kCodeDoubleInt).basic, nullptr);
  EXPECT_EQ(named(kCode2int).basic, &named(kCodeInt));
}

struct StructCase {
  std::vector<Count> lengths, places;
  std::vector<Datatype*> types;
};
Ref<Datatype> structure(const StructCase& c) {
  Datatype* type;
  datatype::type_create_struct(static_cast<Count>(c.lengths.size()), c.lengths.data(), c.places.data(), c.types.data(), type,
                               true);
  return Ref<Datatype>::adopt(type);
}
Ref<Datatype> resized(Datatype& old, Count lb, Count extent) {
  Datatype* type;
  datatype::type_create_resized(old, lb, extent, type, false);
  return Ref<Datatype>::adopt(type);
}

TEST(Datatype, StructsArePaddedAsInC) {
  auto padded = structure({{1, 1}, {0, 8}, {&named(kCodeDouble), &named(kCodeChar)}});
  EXPECT_EQ(padded->size, 9);
  EXPECT_EQ(padded->extent, 16);
  EXPECT_EQ(padded->true_extent, 9);
  auto shifted = structure({{1, 1}, {4, 2}, {padded.get(), &named(kCodeChar)}});
  EXPECT_EQ(shifted->lb, 2);
  EXPECT_EQ(shifted->extent, 24);
}

TEST(Datatype, BoundsSetByTheUserWin) {
  auto small = resized(named(kCodeInt), 0, 4);
  auto type = structure({{1, 1}, {0, 16}, {small.get(), &named(kCodeDouble)}});
  EXPECT_EQ(type->extent, 4);
  EXPECT_EQ(type->true_extent, 24);
  auto odd = resized(named(kCodeInt), -3, 11);
  Datatype* vector;
  datatype::type_vector(2, 1, 3, *odd, vector, false);
  EXPECT_EQ(vector->lb, -3);
  EXPECT_EQ(vector->extent, 44);
  release(vector);
}

TEST(Datatype, EmptyTypes) {
  Datatype* empty;
  datatype::type_contiguous(0, named(kCodeDouble), empty, false);
  EXPECT_EQ(empty->size, 0);
  EXPECT_EQ(empty->extent, 0);
  auto type = structure({{1, 1}, {-8, 4}, {empty, &named(kCodeInt)}});
  EXPECT_EQ(type->lb, 4);
  EXPECT_EQ(type->extent, 4);
  Status status;
  Count count = -1;
  datatype::get_count(status, *empty, count);
  EXPECT_EQ(count, 0);
  datatype::pack(nullptr, 3, *empty, 0, nullptr, 0);
  release(empty);
}

TEST(Datatype, CountsOfAStatus) {
  Status status;
  status.bytes = 10;
  Count count = 0;
  datatype::get_count(status, named(kCodeInt), count);
  EXPECT_EQ(count, kUndefined);
  datatype::get_elements(status, named(kCodeShortInt), count);
  EXPECT_EQ(count, kUndefined);  // a whole pair is 6 bytes, then a short, then half an int
  status.bytes = 8;
  datatype::get_elements(status, named(kCodeShortInt), count);
  EXPECT_EQ(count, 3);
  datatype::get_count(status, named(kCodeShortInt), count);
  EXPECT_EQ(count, kUndefined);
}

struct Contents {
  Count integers, addresses, large_counts, datatypes;
  int combiner;
};
Contents envelope_of(Datatype& type) {
  Contents c{};
  datatype::type_get_envelope(type, c.integers, c.addresses, c.large_counts, c.datatypes, c.combiner);
  return c;
}

TEST(Datatype, ContentsOfSmallAndLargeConstructors) {
  int lengths[] = {1, 2};
  Count places[] = {0, 64};
  Datatype* types[] = {&named(kCodeInt), &named(kCodeDouble)};
  Datatype* type;
  datatype::type_create_struct(2, lengths, places, types, type, false);
  Contents c = envelope_of(*type);
  EXPECT_EQ(c.combiner, kCombinerStruct);
  EXPECT_EQ(c.integers, 3);
  EXPECT_EQ(c.addresses, 2);
  EXPECT_EQ(c.large_counts, 0);
  EXPECT_EQ(c.datatypes, 2);
  int integers[3];
  Count addresses[2];
  Datatype* contents[2];
  datatype::type_get_contents(*type, 3, 2, 0, 2, integers, addresses, nullptr, contents);
  EXPECT_EQ(integers[0], 2);
  EXPECT_EQ(integers[2], 2);
  EXPECT_EQ(addresses[1], 64);
  EXPECT_EQ(contents[1], types[1]);
  EXPECT_THROW(datatype::type_get_contents(*type, 2, 2, 0, 2, integers, addresses, nullptr, contents), Error);
  release(type);

  datatype::type_create_hvector(3, 2, 100, named(kCodeInt), type, true);
  c = envelope_of(*type);
  EXPECT_EQ(c.integers, 0);
  EXPECT_EQ(c.large_counts, 3);
  Count large[3];
  datatype::type_get_contents(*type, 0, 0, 3, 1, nullptr, nullptr, large, contents);
  EXPECT_EQ(large[2], 100);
  EXPECT_THROW(datatype::type_get_contents(*type, 3, 1, 0, 1, integers, addresses, nullptr, contents), Error);
  release(type);
  EXPECT_EQ(envelope_of(named(kCodeShortInt)).datatypes, 0);
  EXPECT_THROW(datatype::type_get_contents(named(kCodeInt), 0, 0, 0, 0, nullptr, nullptr, nullptr, nullptr), Error);
}

TEST(Datatype, PartsLiveAsLongAsTheWhole) {
  std::size_t before = datatype_pool().live_count();
  Datatype *part, *whole, *contents;
  datatype::type_contiguous(2, named(kCodeInt), part, false);
  datatype::type_vector(2, 1, 3, *part, whole, false);
  Datatype* kept = part;
  datatype::type_free(part);
  EXPECT_EQ(part, nullptr);
  int integers[3];
  datatype::type_get_contents(*whole, 3, 0, 0, 1, integers, nullptr, nullptr, &contents);
  EXPECT_EQ(contents, kept);
  datatype::type_free(whole);
  EXPECT_EQ(contents->size, 8);
  datatype::type_free(contents);
  EXPECT_EQ(datatype_pool().live_count(), before);
  Datatype* integer = &named(kCodeInt);
  EXPECT_THROW(datatype::type_free(integer), Error);
}

int deleted = 0;
int count_deletion(void*, Object&, int, void*, void*) {
  ++deleted;
  return kSuccess;
}

TEST(Datatype, AttributesAreCopiedAndDeleted) {
  CallbackAbi abi{};
  abi.attribute_delete = count_deletion;
  int keyval;
  datatype::type_create_keyval(Callback{kDupFunction, nullptr, false}, Callback{&deleted, &abi, false}, keyval, nullptr);
  Datatype *type, *copy;
  datatype::type_contiguous(2, named(kCodeInt), type, false);
  datatype::type_commit(*type);
  datatype::type_set_name(*type, "pair of integers");
  datatype::type_set_attr(*type, keyval, &keyval);
  datatype::type_dup(*type, copy);
  EXPECT_TRUE(copy->committed);
  EXPECT_EQ(envelope_of(*copy).combiner, kCombinerDup);
  std::string name = "unset";
  datatype::type_get_name(copy, name);
  EXPECT_EQ(name, "");
  void* value = nullptr;
  bool flag = false;
  datatype::type_get_attr(*copy, keyval, value, flag);
  EXPECT_TRUE(flag && value == &keyval);
  datatype::type_free(copy);
  EXPECT_EQ(deleted, 1);
  datatype::type_free(type);
  EXPECT_EQ(deleted, 2);
  datatype::type_free_keyval(keyval);
}

// Every element of a distributed array belongs to exactly one process, to the one that the definition says.
void check_darray(const std::vector<int>& sizes, const std::vector<int>& grid, const std::vector<int>& distribs,
                  const std::vector<int>& dargs, int order) {
  auto ndims = static_cast<int>(sizes.size());
  int processes = 1;
  Count elements = 1;
  for (int p : grid) processes *= p;
  for (int s : sizes) elements *= s;
  std::vector<int> owner(static_cast<std::size_t>(elements), -1);
  for (int rank = 0; rank < processes; ++rank) {
    Datatype* type;
    datatype::type_create_darray(processes, rank, ndims, sizes.data(), distribs.data(), dargs.data(), grid.data(), order,
                                 named(kCodeInt), type, false);
    EXPECT_EQ(type->extent, elements * 4);
    std::vector<int> mine(static_cast<std::size_t>(type->size / 4), rank);
    for (int& o : owner) o = o < 0 ? -1 : o;
    datatype::unpack(owner.data(), 1, *type, 0, mine.data(), type->size);
    release(type);
  }
  for (Count e = 0; e < elements; ++e) {
    int rank = 0;
    Count rest = e;
    std::vector<Count> at(sizes.size());
    for (int nth = 0; nth < ndims; ++nth) {
      auto i = static_cast<std::size_t>(order == kOrderC ? ndims - 1 - nth : nth);
      at[i] = rest % sizes[i];
      rest /= sizes[i];
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      Count block = dargs[i] != kDistributeDfltDarg    ? dargs[i]
                    : distribs[i] == kDistributeCyclic ? 1
                    : distribs[i] == kDistributeNone   ? sizes[i]
                                                       : (sizes[i] + grid[i] - 1) / grid[i];
      rank = rank * grid[i] + static_cast<int>(at[i] / block % grid[i]);
    }
    EXPECT_EQ(owner[static_cast<std::size_t>(e)], rank) << "element " << e;
  }
}

TEST(Datatype, DistributedArrays) {
  constexpr int kDefault = kDistributeDfltDarg;
  for (int order : {kOrderC, kOrderFortran}) {
    check_darray({10}, {3}, {kDistributeBlock}, {kDefault}, order);
    check_darray({3}, {5}, {kDistributeBlock}, {kDefault}, order);
    check_darray({11}, {3}, {kDistributeCyclic}, {2}, order);
    check_darray({7, 9}, {2, 3}, {kDistributeBlock, kDistributeCyclic}, {kDefault, kDefault}, order);
    check_darray({5, 4, 6}, {2, 1, 3}, {kDistributeCyclic, kDistributeNone, kDistributeBlock}, {2, kDefault, 3}, order);
  }
}

TEST(Datatype, ArrayArgumentsAreChecked) {
  int sizes[] = {4}, subsizes[] = {3}, starts[] = {2}, distribs[] = {kDistributeBlock}, dargs[] = {1}, grid[] = {2};
  Datatype* type = nullptr;
  EXPECT_THROW(datatype::type_create_subarray(1, sizes, subsizes, starts, kOrderC, named(kCodeInt), type, false), Error);
  EXPECT_THROW(datatype::type_create_darray(2, 0, 1, sizes, distribs, dargs, grid, kOrderC, named(kCodeInt), type, false),
               Error);
  EXPECT_THROW(datatype::type_create_darray(3, 0, 1, sizes, distribs, dargs, grid, kOrderC, named(kCodeInt), type, false),
               Error);
  EXPECT_EQ(type, nullptr);
}

TEST(Datatype, FortranKinds) {
  Datatype *type, *again;
  datatype::type_create_f90_real(15, 300, type);
  datatype::type_create_f90_real(15, 300, again);
  EXPECT_EQ(type, again);
  EXPECT_EQ(type->size, 8);
  EXPECT_EQ(type->basic, &named(kCodeReal8));
  EXPECT_EQ(envelope_of(*type).combiner, kCombinerF90Real);
  EXPECT_EQ(envelope_of(*type).integers, 2);
  EXPECT_THROW(datatype::type_free(type), Error);
  datatype::type_create_f90_real(kUndefined, 30, type);
  EXPECT_EQ(type->size, 4);
  datatype::type_create_f90_complex(10, kUndefined, type);
  EXPECT_EQ(type->size, 16);
  datatype::type_create_f90_integer(9, type);
  EXPECT_EQ(type->size, 4);
  EXPECT_THROW(datatype::type_create_f90_integer(100, type), Error);
  EXPECT_THROW(datatype::type_create_f90_real(kUndefined, kUndefined, type), Error);
  datatype::type_match_size(kTypeclassReal, 8, type);
  EXPECT_EQ(type, &named(kCodeReal8));
  EXPECT_THROW(datatype::type_match_size(kTypeclassInteger, 3, type), Error);
}

TEST(Datatype, ValueIndexPairs) {
  Datatype* pair;
  datatype::type_get_value_index(named(kCodeDouble), named(kCodeInt), pair);
  EXPECT_EQ(pair, &named(kCodeDoubleInt));
  datatype::type_get_value_index(named(kCodeDouble), named(kCodeLong), pair);
  EXPECT_EQ(pair, nullptr);
  datatype::type_get_value_index(named(kCodeComplex), named(kCodeInt), pair);
  EXPECT_EQ(pair, nullptr);
}

}  // namespace
}  // namespace starling
