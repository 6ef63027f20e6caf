// SPDX-License-Identifier: BSD-3-Clause
#include "memory/copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace starling::memory {
namespace {

TEST(Copy, AllLengthsAndAlignmentsAndNothingBeside) {
  constexpr std::size_t kMost = 9000, kGuard = 128;
  std::vector<unsigned char> from(kMost + 2 * kGuard);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 7 + i / 251);
  for (std::size_t bytes : {0u, 1u, 63u, 4095u, 4096u, 4097u, 4159u, 4160u, 8191u, 8192u, 9000u})
    for (std::size_t to_shift : {0u, 1u, 8u, 63u})
      for (std::size_t from_shift : {0u, 5u, 64u}) {
        std::vector<unsigned char> to(kMost + 2 * kGuard, 0xee);
        const std::size_t start = kGuard + to_shift;
        copy_past_caches(&to[start], &from[from_shift], bytes);
        EXPECT_EQ(std::memcmp(&to[start], &from[from_shift], bytes), 0) << bytes;
        for (std::size_t i = 0; i < start; ++i) ASSERT_EQ(to[i], 0xee) << bytes << " bytes, at " << i;
        for (std::size_t i = start + bytes; i < to.size(); ++i) ASSERT_EQ(to[i], 0xee) << bytes << " bytes, at " << i;
      }
}

TEST(Copy, SizeOfTheCaches) {
  // Either it is not known, or it is plausible for a host.
  const std::size_t bytes = cache_bytes();
  if (bytes != 0) {
    EXPECT_GE(bytes, std::size_t{128} << 10);
    EXPECT_LE(bytes, std::size_t{64} << 30);
  }
}

}  // namespace
}  // namespace starling::memory
