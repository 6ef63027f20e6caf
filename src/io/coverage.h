// SPDX-License-Identifier: BSD-3-Clause
// Coverage: which bytes of a window of a file somebody has written or asked for, one bit a byte. The ranges come from many
// processes, interleaved and in any order; a bit map has them in order without sorting.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace starling::io {

class Coverage {
 public:
  // An empty map for `bytes` bytes.
  void reset(Count bytes) { words_.assign(static_cast<std::size_t>(bytes / 64 + 1), 0); }

  void mark(Count first, Count bytes) {
    if (bytes == 0) return;
    const Count last = first + bytes - 1;
    const auto begin = static_cast<std::size_t>(first / 64), end = static_cast<std::size_t>(last / 64);
    const std::uint64_t from = ~std::uint64_t{0} << (first % 64), to = ~std::uint64_t{0} >> (63 - last % 64);
    if (begin == end) {
      words_[begin] |= from & to;
      return;
    }
    words_[begin] |= from;
    for (std::size_t i = begin + 1; i < end; ++i) words_[i] = ~std::uint64_t{0};
    words_[end] |= to;
  }

  // Calls visit(first, bytes) for each range of marked bytes, from left to right.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (Count at = find(0, true); at >= 0;) {
      const Count end = find(at, false);  // there is one: the map has room for a byte more
      visit(at, end - at);
      at = find(end, true);
    }
  }

 private:
  // The first byte from `at` on that is marked or not; -1: none.
  Count find(Count at, bool marked) const {
    auto i = static_cast<std::size_t>(at / 64);
    std::uint64_t skip = ~std::uint64_t{0} << (at % 64);
    for (; i < words_.size(); ++i, skip = ~std::uint64_t{0}) {
      const std::uint64_t found = (marked ? words_[i] : ~words_[i]) & skip;
      if (found) return static_cast<Count>(i) * 64 + std::countr_zero(found);
    }
    return -1;
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace starling::io
