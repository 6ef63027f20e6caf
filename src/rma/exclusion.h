// SPDX-License-Identifier: BSD-3-Clause
// How accumulates to the same memory stay atomic with each other (MPI 5.0 section 12.7.1), whatever way each of them takes:
//
//   Single   a few elements of 1, 2, 4 or 8 bytes, each changed by one atomic instruction of the processor
//   Bulk     many such elements, changed by the loops of the reductions, which are not atomic
//   Locked   elements of other sizes (pairs, long double ...), never changed otherwise
//
// Bulk and Locked hold the target's lock. Single takes no lock; it only says in a word of its own where it is at work, and
// looks whether a Bulk is. Bulk says so first and then looks at these words. Each side stores, then loads the other's word;
// all four accesses are sequentially consistent, so at least one of them sees the other. (The doorbell's membarrier would save
// a Single its barrier, some 5 ns, and cost a Bulk a microsecond: more than what most Bulks do.)
//
// All words lie in memory that the processes share; zero is "nobody". Holders do not wait for anything, so waiting is short
// unless the holder has lost its processor: then yielding lets it go on.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "base/types.h"

namespace starling::rma {

// One per target.
struct alignas(kCacheLine) ExclusionWords {
  std::atomic<std::uint32_t> locked;
  std::atomic<std::uint32_t> bulk;
};
// One per origin: 1 + the target on which its Single is at work, 0: none.
struct alignas(kCacheLine) SingleWord {
  std::atomic<std::uint32_t> target;
};

template <class Done>
void spin_until(Done&& done) {
  for (unsigned tries = 1; !done(); ++tries) {
    if (tries % 64 == 0) {
      sched_yield();
    } else {
      cpu_relax();
    }
  }
}

class Single {
 public:
  Single(const ExclusionWords& words, SingleWord& mine, std::uint32_t target) : mine_(mine) {
    while (!enter(words, target)) {
      leave();
      spin_until([&words] { return words.bulk.load(std::memory_order_relaxed) == 0; });
    }
  }
  ~Single() { leave(); }
  Single(const Single&) = delete;
  Single& operator=(const Single&) = delete;

 private:
  bool enter(const ExclusionWords& words, std::uint32_t target) {
    mine_.target.store(target + 1, std::memory_order_seq_cst);
    return words.bulk.load(std::memory_order_seq_cst) == 0;  // then it also sees what the last Bulk has written
  }
  void leave() { mine_.target.store(0, std::memory_order_release); }  // release: to the Bulk that waits for it

  SingleWord& mine_;
};

class Locked {
 public:
  explicit Locked(ExclusionWords& words) : words_(words) {
    spin_until([&words] {
      return words.locked.load(std::memory_order_relaxed) == 0 && words.locked.exchange(1, std::memory_order_acquire) == 0;
    });
  }
  ~Locked() { words_.locked.store(0, std::memory_order_release); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  ExclusionWords& words_;
};

class Bulk {
 public:
  // `word(i)` is the SingleWord of origin i of n; that of the caller counts as left.
  template <class WordOf>
  Bulk(ExclusionWords& words, int n, int self, std::uint32_t target, WordOf&& word) : locked_(words), words_(words) {
    words.bulk.store(1, std::memory_order_seq_cst);
    for (int i = 0; i < n; ++i) {
      if (i == self) continue;
      const SingleWord& other = word(i);
      spin_until([&other, target] { return other.target.load(std::memory_order_seq_cst) != target + 1; });
    }
  }
  ~Bulk() { words_.bulk.store(0, std::memory_order_release); }
  Bulk(const Bulk&) = delete;
  Bulk& operator=(const Bulk&) = delete;

 private:
  Locked locked_;
  ExclusionWords& words_;
};

}  // namespace starling::rma
