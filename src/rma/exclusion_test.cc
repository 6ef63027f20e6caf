// SPDX-License-Identifier: BSD-3-Clause
#include "rma/exclusion.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "datatype/datatype.h"
#include "datatype/op.h"
#include "rma/words.h"

namespace starling::rma {
namespace {

// Some origins add with single atomic instructions, others with plain loops while they exclude the rest: nothing is lost.
TEST(Exclusion, SingleAndBulk) {
  constexpr int kOrigins = 4, kRounds = 3000, kElements = 64;
  ExclusionWords words{};
  SingleWord singles[kOrigins] = {};
  alignas(kCacheLine) std::int64_t data[kElements] = {};
  std::vector<std::thread> threads;
  for (int self = 0; self < kOrigins; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < kRounds; ++i) {
        if ((i + self) % 16 == 0) {
          const Bulk bulk(words, kOrigins, self, 0, [&](int origin) -> const SingleWord& { return singles[origin]; });
          for (std::int64_t& element : data) ++element;
        } else {
          const Single single(words, singles[self], 0);
          for (std::int64_t& element : data) std::atomic_ref(element).fetch_add(1, std::memory_order_relaxed);
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::int64_t element : data) EXPECT_EQ(element, std::int64_t{kOrigins} * kRounds);
  EXPECT_EQ(words.bulk.load(), 0U);
  EXPECT_EQ(words.locked.load(), 0U);
}

TEST(Exclusion, Locked) {
  constexpr int kOrigins = 4, kRounds = 5000;
  ExclusionWords words{};
  long count = 0;
  std::vector<std::thread> threads;
  for (int self = 0; self < kOrigins; ++self)
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const Locked locked(words);
        ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, long{kOrigins} * kRounds);
}

template <class T>
const std::byte* bytes_of(const T& value) {
  return reinterpret_cast<const std::byte*>(&value);
}

TEST(Words, EveryWayToChangeOne) {
  Datatype& ints = *predefined_datatype(kCodeInt32T);
  std::int32_t word = 5, old = 0, value = 3;
  auto* former = reinterpret_cast<std::byte*>(&old);
  auto run = [&](unsigned op) { update_words({*predefined_op(op), ints}, &word, bytes_of(value), former, 1); };
  run(kCodeSum);
  EXPECT_EQ(old, 5);
  EXPECT_EQ(word, 8);
  run(kCodeProd);
  EXPECT_EQ(old, 8);
  EXPECT_EQ(word, 24);
  run(kCodeMin);
  EXPECT_EQ(word, 3);
  run(kCodeNoOp);
  EXPECT_EQ(old, 3);
  value = 12;
  run(kCodeReplace);
  EXPECT_EQ(word, 12);
  const std::int32_t wrong = 11, right = 12, next = 40;
  update_words({*predefined_op(kCodeReplace), ints, bytes_of(wrong)}, &word, bytes_of(next), former, 1);
  EXPECT_EQ(old, 12);
  EXPECT_EQ(word, 12);
  update_words({*predefined_op(kCodeReplace), ints, bytes_of(right)}, &word, bytes_of(next), former, 1);
  EXPECT_EQ(word, 40);
}

TEST(Words, FloatingPointAndSizes) {
  Datatype& doubles = *predefined_datatype(kCodeDouble);
  double words[3] = {1, 2, 3};
  const double values[3] = {0.5, 0.25, 4};
  update_words({*predefined_op(kCodeSum), doubles}, words, bytes_of(values), nullptr, 3);
  EXPECT_EQ(words[0], 1.5);
  EXPECT_EQ(words[1], 2.25);
  EXPECT_EQ(words[2], 7);
  Datatype& shorts = *predefined_datatype(kCodeInt16T);
  std::int16_t little[2] = {-1, 100};
  const std::int16_t less[2] = {1, -200};
  update_words({*predefined_op(kCodeSum), shorts}, little, bytes_of(less), nullptr, 2);
  EXPECT_EQ(little[0], 0);
  EXPECT_EQ(little[1], -100);
}

// Pairs with gaps are changed in packed form.
TEST(Update, Pairs) {
  Datatype& pair = *predefined_datatype(kCodeDoubleInt);
  struct Pair {
    double value;
    int index;
  };
  const Pair in[2] = {{3, 1}, {1, 2}};
  Pair out[2] = {{2, 7}, {2, 8}};
  std::byte packed_in[24], packed_out[24];
  datatype::pack(in, 2, pair, 0, packed_in, 24);
  datatype::pack(out, 2, pair, 0, packed_out, 24);
  apply({*predefined_op(kCodeMaxloc), pair}, packed_in, packed_out, 24);
  datatype::unpack(out, 2, pair, 0, packed_out, 24);
  EXPECT_EQ(out[0].value, 3);
  EXPECT_EQ(out[0].index, 1);
  EXPECT_EQ(out[1].value, 2);
  EXPECT_EQ(out[1].index, 8);
}

}  // namespace
}  // namespace starling::rma
