// SPDX-License-Identifier: BSD-3-Clause
#include "base/reserve.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstdlib>

namespace starling {
namespace {

constexpr std::size_t kMany = std::size_t{1} << 36;

TEST(Reserve, GrowsInPlace) {
  Reserve table;
  ASSERT_TRUE(table.open(kMany));
  EXPECT_EQ(table.capacity(), kMany);
  ASSERT_TRUE(table.extend(1));
  std::byte* const start = table.start();
  start[0] = std::byte{1};
  ASSERT_TRUE(table.extend(10'000'000));
  EXPECT_EQ(table.start(), start);
  EXPECT_EQ(start[0], std::byte{1});
  start[9'999'999] = std::byte{1};
  EXPECT_FALSE(table.extend(kMany + 1));
  munmap(start, kMany);  // or the next test has too few
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they take terabytes of addresses themselves
// Emulators of other processors keep such limits from the kernel.
bool is_obeyed(const rlimit& limit) {
  void* more = mmap(nullptr, limit.rlim_cur + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return more == MAP_FAILED || munmap(more, limit.rlim_cur + 1) != 0;
}

// In a process of its own: a limit cannot be taken back.
TEST(Reserve, LeavesMostOfFewAddressesToTheProgram) {
  const auto limited = [](int resource) {
    const rlimit few{400'000'000, 400'000'000};
    if (setrlimit(resource, &few) != 0) return 1;
    if (!is_obeyed(few)) return 0;
    for (int i = 0; i < 12; ++i) {
      Reserve table;
      if (!table.open(kMany) || !table.extend(1)) return 2;
      table.start()[0] = std::byte{1};
    }
    void* rest = std::malloc(200'000'000);
    if (!rest) return 3;
    std::free(rest);
    return 0;
  };
  EXPECT_EXIT(std::_Exit(limited(RLIMIT_AS)), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::_Exit(limited(RLIMIT_DATA)), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace starling
