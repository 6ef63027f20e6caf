// SPDX-License-Identifier: BSD-3-Clause
#include "object/error_text.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

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

TEST(ErrorText, CodesCarryDetails) {
  const int first = make_code(kErrTag, "tag = -7 is negative");
  const int second = make_code(kErrRank, "rank 9 is too large");
  EXPECT_EQ(error_class(first), kErrTag);
  EXPECT_EQ(error_class(second), kErrRank);
  EXPECT_GT(first, kErrTag);
  EXPECT_LT(first, kErrLastcode);
  EXPECT_EQ(error_text(first), "tag = -7 is negative");
  EXPECT_EQ(error_text(second), "rank 9 is too large");
  EXPECT_EQ(error_text(make_code(kErrTag, std::string(2000, 'x'))).size(), std::size_t{kMaxErrorString} - 1);
  EXPECT_EQ(error_of([&] { add_code(first); }), kErrArg);
  EXPECT_EQ(error_of([&] { add_text(first, "x"); }), kErrOther);
  for (int plain : {+kSuccess, +kErrInStatus, +kErrPending, +kTErrMemory, kErrLastcode + 5, first})
    EXPECT_EQ(make_code(plain, "x"), plain);
}

TEST(ErrorText, OldDetailsGiveWay) {
  const int old = make_code(kErrTag, "an old one");
  for (int i = 0; i < kDetails; ++i) {
    const int code = make_code(kErrCount, std::to_string(i));
    EXPECT_LT(code, kErrLastcode);
    EXPECT_EQ(error_text(code), std::to_string(i));
  }
  EXPECT_EQ(error_class(old), kErrTag);
  EXPECT_EQ(error_text(old), error_text(kErrTag));
}

TEST(ErrorText, ThreadsMakeCodesAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int error : {kErrTag, kErrRank, kErrCount})
    threads.emplace_back([error, &wrong] {
      for (int i = 0; i < 1000; ++i)
        if (const int code = make_code(error, "x"); error_class(code) != error || error_text(code).empty()) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ErrorText, TheLibrarysOwnCannotBeChanged) {
  EXPECT_EQ(error_of([] { remove_class(kErrArg); }), kErrOther);
  EXPECT_EQ(error_of([] { remove_code(kSuccess); }), kErrOther);
  EXPECT_EQ(error_of([] { add_text(kErrArg, "x"); }), kErrOther);
}

}  // namespace
}  // namespace starling::object
