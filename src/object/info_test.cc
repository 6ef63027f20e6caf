// SPDX-License-Identifier: BSD-3-Clause
#include "object/info.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace starling {
namespace {

template <class F>
int error_of(F&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.error_class;
  }
  return kSuccess;
}

TEST(Info, KeepsOrderAndReplacesInPlace) {
  auto info = Ref<Info>::adopt(info_pool().create());
  info->set("b", "1");
  info->set("a", "2");
  info->set("b", "3");
  ASSERT_EQ(info->entries.size(), 2u);
  EXPECT_EQ(info->entries[0].first, "b");
  EXPECT_EQ(*info->find("b"), "3");
  EXPECT_EQ(info->find("c"), nullptr);
  info->erase("b");
  EXPECT_EQ(info->entries[0].first, "a");
  EXPECT_EQ(error_of([&] { info->erase("b"); }), kErrInfoNokey);
}

TEST(Info, ChecksLengths) {
  auto info = Ref<Info>::adopt(info_pool().create());
  EXPECT_EQ(error_of([&] { info->set("", "x"); }), kErrInfoKey);
  EXPECT_EQ(error_of([&] { info->set(std::string(kMaxInfoKey, 'k'), "x"); }), kErrInfoKey);
  EXPECT_EQ(error_of([&] { info->set("k", std::string(kMaxInfoVal, 'v')); }), kErrInfoValue);
  EXPECT_EQ(error_of([&] { info->set(std::string(kMaxInfoKey - 1, 'k'), std::string(kMaxInfoVal - 1, 'v')); }), kSuccess);
}

TEST(Info, CopyIsIndependent) {
  auto info = Ref<Info>::adopt(info_pool().create());
  info->set("k", "true");
  auto copy = Ref<Info>::adopt(object::copy_info(*info));
  info->set("k", "false");
  EXPECT_TRUE(object::hint_is_true(copy.get(), "k"));
  EXPECT_FALSE(object::hint_is_true(info.get(), "k"));
  EXPECT_FALSE(object::hint_is_true(nullptr, "k"));
}

TEST(Info, EnvTellsTheCommand) {
  ASSERT_NE(info_env()->find("command"), nullptr);
  EXPECT_NE(info_env()->find("command")->find("unit_object"), std::string::npos);
  EXPECT_TRUE(info_env()->predefined());
}

}  // namespace
}  // namespace starling
