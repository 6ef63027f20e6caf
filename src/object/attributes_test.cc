// SPDX-License-Identifier: BSD-3-Clause
#include "object/attributes.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace starling {
namespace {

using attributes::create_keyval;
using attributes::free_keyval;

// What the callbacks of the tests saw and should return.
struct Calls {
  std::vector<void*> deleted;
  int copies = 0;
  int result = kSuccess;
  bool flag = true;
};
Calls calls;

int on_copy(void*, Object&, int, void*, void* in, void* out, bool& flag) {
  ++calls.copies;
  *static_cast<void**>(out) = static_cast<char*>(in) + 1;
  flag = calls.flag;
  return calls.result;
}
int on_delete(void*, Object&, int, void* value, void*) {
  calls.deleted.push_back(value);
  return calls.result;
}

const CallbackAbi kAbi{nullptr, nullptr, on_copy, on_delete, nullptr, nullptr, nullptr, nullptr, nullptr};
char function;
const Callback kCallback{&function, &kAbi, false};

struct AttributesTest : testing::Test {
  AttributesTest() {
    calls = {};
    comm.kind = Kind::kComm;
  }
  void* value(int i) { return &values[i]; }
  int error_of(auto&& call) {
    try {
      call();
    } catch (const Error& e) {
      return e.error_class;
    }
    return kSuccess;
  }

  Object comm;
  Attributes list;
  char values[8] = {};
};

TEST_F(AttributesTest, SetGetErase) {
  int keyval = create_keyval(Kind::kComm, {}, kCallback, nullptr);
  void* found = nullptr;
  EXPECT_FALSE(list.get(keyval, found));
  list.set(comm, keyval, value(1));
  ASSERT_TRUE(list.get(keyval, found, Kind::kComm));
  EXPECT_EQ(found, value(1));
  list.set(comm, keyval, value(2));
  EXPECT_EQ(calls.deleted, std::vector<void*>{value(1)});
  list.erase(comm, keyval);
  EXPECT_EQ(calls.deleted.size(), 2u);
  EXPECT_FALSE(list.get(keyval, found));
  EXPECT_EQ(error_of([&] { list.erase(comm, keyval); }), kErrKeyval);
  free_keyval(Kind::kComm, keyval);
}

TEST_F(AttributesTest, RejectsWrongKeyvals) {
  int keyval = create_keyval(Kind::kDatatype, {}, {}, nullptr);
  void* found = nullptr;
  EXPECT_EQ(error_of([&] { list.set(comm, keyval, nullptr); }), kErrKeyval);
  EXPECT_EQ(error_of([&] { list.get(keyval, found, Kind::kComm); }), kErrKeyval);
  EXPECT_EQ(error_of([&] { list.set(comm, kTagUb, nullptr); }), kErrKeyval);
  EXPECT_EQ(error_of([&] { list.set(comm, kKeyvalInvalid, nullptr); }), kErrKeyval);
  EXPECT_EQ(error_of([&] { list.set(comm, -2147483647 - 1, nullptr); }), kErrKeyval);
  EXPECT_EQ(error_of([&] { free_keyval(Kind::kComm, keyval); }), kErrKeyval);
  free_keyval(Kind::kDatatype, keyval);
  EXPECT_EQ(error_of([&] { free_keyval(Kind::kDatatype, keyval); }), kErrKeyval);
}

TEST_F(AttributesTest, CopiesAsAsked) {
  int null = create_keyval(Kind::kComm, {}, {}, nullptr);
  int dup = create_keyval(Kind::kComm, {kDupFunction, nullptr, false}, {}, nullptr);
  int user = create_keyval(Kind::kComm, kCallback, {}, nullptr);
  list.set(comm, null, value(0));
  list.set(comm, dup, value(1));
  list.set(comm, user, value(2));
  Attributes copy;
  list.copy_to(comm, copy);
  void* found = nullptr;
  EXPECT_FALSE(copy.get(null, found));
  ASSERT_TRUE(copy.get(dup, found));
  EXPECT_EQ(found, value(1));
  ASSERT_TRUE(copy.get(user, found));
  EXPECT_EQ(found, value(3));

  calls.flag = false;
  Attributes without;
  list.copy_to(comm, without);
  EXPECT_FALSE(without.get(user, found));
  calls.result = kErrOther;
  Attributes failing;
  EXPECT_EQ(error_of([&] { list.copy_to(comm, failing); }), kErrOther);
  for (int keyval : {null, dup, user}) free_keyval(Kind::kComm, keyval);
}

TEST_F(AttributesTest, ClearsInReverseOrderAfterKeyvalsWereFreed) {
  for (int i = 0; i < 3; ++i) {
    int keyval = create_keyval(Kind::kComm, {}, kCallback, nullptr);
    list.set(comm, keyval, value(i));
    free_keyval(Kind::kComm, keyval);
  }
  list.clear(comm);
  EXPECT_EQ(calls.deleted, (std::vector<void*>{value(2), value(1), value(0)}));
}

TEST_F(AttributesTest, FindsAttributesOfAFreedKeyval) {
  int keyval = create_keyval(Kind::kComm, {}, kCallback, nullptr);
  list.set(comm, keyval, value(1));
  free_keyval(Kind::kComm, keyval);
  void* found = nullptr;
  ASSERT_TRUE(list.get(keyval, found, Kind::kComm));
  EXPECT_EQ(found, value(1));
  EXPECT_EQ(error_of([&] { list.set(comm, keyval, value(2)); }), kErrKeyval);
  list.erase(comm, keyval);
  EXPECT_EQ(calls.deleted, std::vector<void*>{value(1)});
  EXPECT_EQ(error_of([&] { list.get(keyval, found); }), kErrKeyval);
}

TEST_F(AttributesTest, KeepsAnAttributeWhoseDeleteCallbackFails) {
  int keyval = create_keyval(Kind::kComm, {}, kCallback, nullptr);
  list.set(comm, keyval, value(1));
  calls.result = kErrArg;
  EXPECT_EQ(error_of([&] { list.clear(comm); }), kErrArg);
  void* found = nullptr;
  EXPECT_TRUE(list.get(keyval, found));
  free_keyval(Kind::kComm, keyval);
}

}  // namespace
}  // namespace starling
