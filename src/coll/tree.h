// SPDX-License-Identifier: BSD-3-Clause
// Tree: a k-nomial tree over the processes, any one of them at the top (k = 2: binomial). Written in base k, the parent of a
// process is its number with the last digit that is not 0 set to 0; so the processes below one are those that follow it, which
// is what lets gather and scatter pass on runs of blocks, and reductions keep the order of ranks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/settings.h"
#include "coll/ctx.h"

namespace starling::coll {

// How many children a process has on each level of a k-nomial tree, and one more.
inline int tree_degree() { return std::max(2, settings().knomial_factor); }
// Bytes of a piece of what is pipelined.
inline Count pipeline_segment() { return std::max<Count>(1, settings().pipeline_segment); }

class Tree {
 public:
  Tree(const Ctx& c, int top, int degree) : Tree(c.rank, c.size, top, degree) {}
  Tree(int rank, int ranks, int top, int degree)
      : size_(ranks), degree_(degree), top_(top), relative_((rank - top + ranks) % ranks) {
    while (reach_ < size_ && relative_ % (reach_ * degree) == 0) reach_ *= degree;
    while (child(children_) < size_ && child(children_) < relative_ + reach_) ++children_;
  }

  // Numbers of processes count from the top.
  int number() const { return relative_; }
  int rank_of(int number) const { return (number + top_) % size_; }
  bool top() const { return relative_ == 0; }
  int parent() const { return rank_of(static_cast<int>(relative_ - relative_ % (reach_ * degree_))); }
  // The process and all below it: numbers number() ... end() - 1.
  int end() const { return static_cast<int>(std::min<std::int64_t>(relative_ + reach_, size_)); }

  // The children, nearest first: child(0) ... child(children() - 1), by number.
  int children() const { return children_; }
  int child(int i) const {
    return static_cast<int>(std::min<std::int64_t>(relative_ + (i % (degree_ - 1) + 1) * step(i), size_));
  }
  // One beyond the numbers of the child and all below it.
  int end_of(int i) const { return static_cast<int>(std::min<std::int64_t>(child(i) + step(i), size_)); }

 private:
  std::int64_t step(int i) const {
    std::int64_t step = 1;
    for (int level = i / (degree_ - 1); level > 0; --level) step *= degree_;
    return step;
  }

  int size_, degree_, top_, relative_;
  std::int64_t reach_ = 1;
  int children_ = 0;
};

// How many blocks travel in all when every process but the top sends (gets) those of the processes below it and its own.
Count blocks_below(int ranks, int degree);

}  // namespace starling::coll
