// SPDX-License-Identifier: BSD-3-Clause
#include "object/error_text.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace starling::object {
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

TEST(ErrorText, EveryClassHasASentence) {
  for (int code = kSuccess; code <= kErrAbi; ++code) {
    EXPECT_GT(error_text(code).size(), 5u) << code;
    EXPECT_LT(error_text(code).size(), std::size_t{kMaxErrorString});
    EXPECT_EQ(error_class(code), code);
  }
  for (int code = kTErrCannotInit; code <= kTErrPvarNoAtomic; ++code) EXPECT_FALSE(error_text(code).empty()) << code;
  for (int code : {-1, kErrAbi + 1, kErrLastcode - 1, kErrLastcode + 1})
    EXPECT_EQ(error_of([&] { error_text(code); }), kErrArg);
}

TEST(ErrorText, UserClassesAndCodes) {
  int user_class = add_class();
  EXPECT_EQ(user_class, *last_used_code());
  EXPECT_GT(user_class, kErrLastcode);
  EXPECT_EQ(error_text(user_class), "");
  int code = add_code(user_class);
  int other = add_code(kErrOther);
  EXPECT_EQ(error_class(code), user_class);
  EXPECT_EQ(error_class(other), kErrOther);
  EXPECT_EQ(error_of([&] { add_code(code); }), kErrArg);
  add_text(code, "a text");
  EXPECT_EQ(error_text(code), "a text");

  EXPECT_EQ(error_of([&] { remove_class(user_class); }), kErrOther);
  EXPECT_EQ(error_of([&] { remove_code(code); }), kErrOther);
  remove_text(code);
  remove_code(code);
  EXPECT_EQ(error_of([&] { remove_code(code); }), kErrArg);
  remove_class(user_class);
  EXPECT_EQ(*last_used_code(), other);
  remove_code(other);
  EXPECT_EQ(*last_used_code(), kErrLastcode);
}

TEST(ErrorText, TheLibrarysOwnCannotBeChanged) {
  EXPECT_EQ(error_of([] { remove_class(kErrArg); }), kErrOther);
  EXPECT_EQ(error_of([] { remove_code(kSuccess); }), kErrOther);
  EXPECT_EQ(error_of([] { add_text(kErrArg, "x"); }), kErrOther);
}

}  // namespace
}  // namespace starling::object
