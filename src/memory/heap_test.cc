// SPDX-License-Identifier: BSD-3-Clause
#include "memory/heap.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace starling::memory {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

struct Allocated {
  bool zeroed = false;
  std::byte* at;
  explicit Allocated(std::size_t bytes) : at(static_cast<std::byte*>(heap_allocate(bytes, zeroed))) {}
};

bool is_zero(const std::byte* at, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    if (at[i] != std::byte{0}) return false;
  return true;
}

class SharedHeap : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(place_.base, 0u) << "memfd_create or mmap is refused"; }
  const HeapPlace place_ = open_heap();
};

TEST_F(SharedHeap, IsMadeOnce) {
  const HeapPlace again = open_heap();
  EXPECT_EQ(again.base, place_.base);
  EXPECT_EQ(again.fd, place_.fd);
}

TEST_F(SharedHeap, BlocksHaveRoomAndDoNotOverlap) {
  std::vector<std::pair<std::byte*, std::size_t>> blocks;
  std::size_t bytes = 1;
  for (int i = 0; i < 60; ++i, bytes = bytes * 5 / 4 + 4097) {
    Allocated block(bytes);
    ASSERT_NE(block.at, nullptr);
    EXPECT_TRUE(in_heap(block.at) && in_heap(block.at + bytes - 1));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.at) % kHeapUnit, 0u);
    EXPECT_GE(heap_block_size(block.at), bytes);
    EXPECT_LE(heap_block_size(block.at), std::max(bytes + bytes / 4, bytes + kHeapUnit));
    block.at[0] = block.at[bytes - 1] = static_cast<std::byte>(i);
    blocks.emplace_back(block.at, bytes);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i].first[0], static_cast<std::byte>(i));
    EXPECT_EQ(blocks[i].first[blocks[i].second - 1], static_cast<std::byte>(i));
    heap_free(blocks[i].first);
  }
}

TEST_F(SharedHeap, FreedBlocksAreUsedAgain) {
  const Allocated first(kMiB);
  std::memset(first.at, 1, kMiB);
  heap_free(first.at);
  for (int round = 0; round < 1000; ++round) {
    const Allocated block(kMiB - static_cast<std::size_t>(round));
    ASSERT_EQ(block.at, first.at);
    EXPECT_FALSE(block.zeroed);
    heap_free(block.at);
  }
}

TEST_F(SharedHeap, WhatCountsAsZeroIsZero) {
  constexpr std::size_t kLarge = 80 * kMiB;  // more than free blocks may keep
  const Allocated first(kLarge);
  EXPECT_TRUE(first.zeroed);
  std::memset(first.at, 1, kLarge);
  heap_free(first.at);
  const Allocated second(kLarge);
  ASSERT_EQ(second.at, first.at);
  EXPECT_TRUE(second.zeroed);
  EXPECT_TRUE(is_zero(second.at, kLarge));
  heap_free(second.at);
}

TEST_F(SharedHeap, RefusesWhatIsTooLarge) {
  EXPECT_EQ(Allocated(place_.reserved).at, nullptr);
  EXPECT_EQ(Allocated(SIZE_MAX).at, nullptr);
  int local;
  EXPECT_FALSE(in_heap(&local));
  EXPECT_FALSE(in_heap(nullptr));
}

TEST_F(SharedHeap, IsMappedByItsFile) {
  const Allocated block(100000);
  block.at[99999] = std::byte{7};
  const std::string path = "/proc/self/fd/" + std::to_string(place_.fd);
  const int fd = open(path.c_str(), O_RDWR);
  ASSERT_GE(fd, 0);
  const auto offset = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(block.at) - place_.base);
  auto* other = static_cast<std::byte*>(mmap(nullptr, 131072, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset));
  ASSERT_NE(other, MAP_FAILED);
  EXPECT_EQ(other[99999], std::byte{7});
  other[0] = std::byte{9};
  EXPECT_EQ(block.at[0], std::byte{9});
  munmap(other, 131072);
  close(fd);
  heap_free(block.at);
}

// A child has what the parent had at fork(), and neither sees what the other one writes afterwards.
TEST_F(SharedHeap, ForkCopies) {
  const Allocated block(3 * kMiB);
  const Allocated untouched(kMiB);
  std::memset(block.at, 0, 3 * kMiB);
  std::memset(block.at, 5, kMiB);
  const bool untouched_is_zero = untouched.zeroed;
  int go[2];
  ASSERT_EQ(pipe(go), 0);
  const pid_t child = fork();
  if (child == 0) {
    char byte;
    close(go[1]);
    const bool told = read(go[0], &byte, 1) == 1;
    bool good = told && block.at[0] == std::byte{5} && block.at[kMiB - 1] == std::byte{5} && is_zero(block.at + kMiB, 2 * kMiB);
    std::memset(block.at, 6, 3 * kMiB);
    good = good && (!untouched_is_zero || is_zero(untouched.at, kMiB));
    heap_free(block.at);
    heap_free(untouched.at);
    bool zeroed;
    good = good && heap_allocate(kMiB, zeroed) == nullptr && open_heap().base == 0;
    _exit(good ? 0 : 1);
  }
  ASSERT_GT(child, 0);
  close(go[0]);
  std::memset(block.at, 8, 3 * kMiB);
  untouched.at[0] = std::byte{1};
  ASSERT_EQ(write(go[1], "x", 1), 1);
  close(go[1]);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(block.at[0], std::byte{8});
  EXPECT_EQ(block.at[3 * kMiB - 1], std::byte{8});
  EXPECT_EQ(Allocated(kHeapUnit).at == nullptr, false);
  heap_free(untouched.at);
  heap_free(block.at);
}

TEST_F(SharedHeap, ThreadsAllocateAndFree) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      std::vector<std::byte*> held;
      for (int i = 0; i < 2000; ++i) {
        const Allocated block(static_cast<std::size_t>(i % 37 + 1) * 10000);
        ASSERT_NE(block.at, nullptr);
        block.at[0] = static_cast<std::byte>(t);
        held.push_back(block.at);
        if (i % 3 == 0) continue;
        EXPECT_EQ(held.back()[0], static_cast<std::byte>(t));
        heap_free(held.back());
        held.pop_back();
        if (i % 7 != 0 || held.empty()) continue;
        EXPECT_EQ(held.front()[0], static_cast<std::byte>(t));
        heap_free(held.front());
        held.erase(held.begin());
      }
      for (std::byte* block : held) heap_free(block);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace starling::memory
