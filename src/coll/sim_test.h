// SPDX-License-Identifier: BSD-3-Clause
// What tests of collectives share: elements whose reduction shows every mistake of order, buffers that show every stray write,
// and running an operation on all ranks of a SimWorld.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <unordered_map>
#include <vector>

#include "coll/drive.h"
#include "coll/nodes.h"
#include "coll/sim_world.h"
#include "datatype/entry.gen.h"

namespace starling::coll::test {

using Word = std::uint64_t;

// The map x -> a x + b modulo 2^64. Composition is associative, not commutative.
struct Affine {
  Word a, b;
  friend bool operator==(const Affine&, const Affine&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Affine& m) { return out << m.a << "x+" << m.b; }
};

// The data of a process, different for every process, block and element.
inline Affine value(int rank, Count block, Count element) {
  const Word seed = static_cast<Word>(rank) * 1000003 + static_cast<Word>(block) * 10007 + static_cast<Word>(element) + 1;
  return {seed * 0x9e3779b97f4a7c15u | 1, seed * 0xbf58476d1ce4e5b9u};
}

// How elements lie in memory: words `first` and `second` of each `stride`.
struct Shape {
  Ref<Datatype> type;
  const char* name;
  Count stride, first, second;
};

inline Shape make_shape(const char* name, Count stride, Count first, Count second, Count lower_bound) {
  const Count places[] = {first * 8, second * 8};
  Datatype *words, *type;
  datatype::type_create_hindexed_block(2, 1, CountArray(places), *predefined_datatype(kCodeUint64T), words, false);
  datatype::type_create_resized(*words, lower_bound * 8, stride * 8, type, false);
  datatype::type_commit(*type);
  datatype::type_free(words);
  return {Ref<Datatype>::adopt(type), name, stride, first, second};
}
inline const Shape& dense() {
  static const Shape shape = make_shape("dense", 2, 0, 1, 0);
  return shape;
}
// Gaps between and around, and data that does not begin at the address.
inline const Shape& gapped() {
  static const Shape shape = make_shape("gapped", 5, 1, 3, -1);
  return shape;
}
// Later elements lie before earlier ones.
inline const Shape& backward() {
  static const Shape shape = make_shape("backward", -4, 1, 2, 0);
  return shape;
}

// Elements with guards around them and in their gaps.
class Buffer {
 public:
  static constexpr Word kGuard = 0xdeadbeefcafef00d;
  static constexpr Affine kNothing{kGuard, kGuard};

  Buffer(const Shape& shape, Count count) : shape_(&shape), count_(count) {
    const Count width = std::abs(shape.stride);
    words_.assign(static_cast<std::size_t>((count + 2 * kMargin) * width), kGuard);
    base_ = (shape.stride < 0 ? count - 1 + kMargin : kMargin) * width;
  }
  void* address() { return &word(0, 0); }
  Data data() { return coll::data(address(), count_, *shape_->type); }
  Count count() const { return count_; }
  void set(Count i, const Affine& v) {
    word(i, shape_->first) = v.a;
    word(i, shape_->second) = v.b;
  }
  Affine get(Count i) { return {word(i, shape_->first), word(i, shape_->second)}; }
  // No word outside of elements was written.
  bool guarded() {
    for (Count i = -kMargin; i < count_ + kMargin; ++i)
      for (Count w = 0; w < std::abs(shape_->stride); ++w)
        if ((i < 0 || i >= count_ || (w != shape_->first && w != shape_->second)) && word(i, w) != kGuard) return false;
    return true;
  }

 private:
  static constexpr Count kMargin = 2;  // elements
  Word& word(Count i, Count w) { return words_[static_cast<std::size_t>(base_ + i * shape_->stride + w)]; }
  const Shape* shape_;
  Count count_;
  Count base_;  // index of word 0 of element 0
  std::vector<Word> words_;
};

// left op right: first the left map.
inline Affine compose(const Affine& left, const Affine& right) { return {left.a * right.a, left.b * right.a + right.b}; }
inline Affine add(const Affine& left, const Affine& right) { return {left.a + right.a, left.b + right.b}; }

using Combine = Affine (*)(const Affine&, const Affine&);

inline void call_combine(void* function, bool, const void* in, void* inout, Count count, Datatype& type) {
  const Shape* shape = &dense();
  for (const Shape* other : {&gapped(), &backward()})
    if (other->type.get() == &type) shape = other;
  const auto* left = static_cast<const Word*>(in);
  auto* right = static_cast<Word*>(inout);
  for (Count i = 0; i < count; ++i, left += shape->stride, right += shape->stride) {
    const Affine result = reinterpret_cast<Combine>(function)({left[shape->first], left[shape->second]},
                                                              {right[shape->first], right[shape->second]});
    right[shape->first] = result.a;
    right[shape->second] = result.b;
  }
}

struct Reduction {
  Op* op;
  Combine combine;
};
inline Reduction make_reduction(Combine combine, bool commutes) {
  static const CallbackAbi abi{call_combine, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
  Op* op;
  op::op_create(Callback{reinterpret_cast<void*>(combine), &abi, true}, commutes, op);
  return {op, combine};
}
inline const Reduction& composition() {
  static const Reduction reduction = make_reduction(compose, false);
  return reduction;
}
inline const Reduction& addition() {
  static const Reduction reduction = make_reduction(add, true);
  return reduction;
}

// Numbers of ranks to be tested: all small ones, and some around a large power of two.
inline std::vector<int> sizes(int all_up_to = 70) {
  std::vector<int> list;
  for (int n = 1; n <= all_up_to; ++n) list.push_back(n);
  for (int n : {127, 128, 129}) list.push_back(n);
  return list;
}
inline std::vector<int> with_thousands(std::vector<int> list) {
  for (int n : {1000, 4096}) list.push_back(n);
  return list;
}

// Networks that differ with the seed: order of arrival, protocols, room.
inline transport::SimOptions weather(unsigned seed) {
  transport::SimOptions options;
  options.seed = seed;
  options.jitter = seed % 3 * 5000;
  options.eager_limit = seed % 4 == 1 ? 64 : 8192;
  options.direct = seed % 8 < 4;
  options.refusals = seed % 5 == 2 ? 0.2 : 0;
  return options;
}
// Ranks on nodes: all on one, the same number on each, runs of different lengths, or anywhere.
inline std::vector<int> placement(int ranks, unsigned seed) {
  std::vector<int> node_of(static_cast<std::size_t>(ranks));
  std::mt19937 random(seed);
  const int nodes = 1 + static_cast<int>(random() % 7), kind = static_cast<int>(seed % 4);
  int node = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    if (kind == 1) node = rank / std::max(1, ranks / nodes);
    if (kind == 2) node += random() % 3 == 0 ? 1 : 0;
    if (kind == 3) node = static_cast<int>(random() % static_cast<unsigned>(nodes));
    node_of[static_cast<std::size_t>(rank)] = node;
  }
  return node_of;
}

// Ends complete requests; the error class of the first that failed.
inline int finish(std::vector<Request*>& requests) {
  int error = kSuccess;
  for (Request* request : requests) {
    Status status;
    bool freed;
    EXPECT_TRUE(p2p::test(*request, status, freed));
    if (error == kSuccess) error = status.error;
  }
  requests.clear();
  return error;
}

// Starts the operation on all ranks, one after the other in any order, lets it run, and looks at the outcome. `start(rank)`
// makes the request. After a deadlock the requests are left behind.
template <class Start>
bool run_on_all(SimWorld& world, Start&& start) {
  std::vector<int> order(static_cast<std::size_t>(world.size()));
  for (int rank = 0; rank < world.size(); ++rank) order[static_cast<std::size_t>(rank)] = rank;
  std::mt19937 random(static_cast<unsigned>(world.network().random() * 1e9));
  std::shuffle(order.begin(), order.end(), random);
  std::vector<Request*> requests;
  for (int rank : order) {
    world.network().spend(static_cast<Peer>(rank), 1000 * world.network().random());
    requests.push_back(start(rank));
  }
  if (!world.run(requests)) {
    ADD_FAILURE() << "deadlock: " << SimWorld::stuck(requests).size() << " of " << world.size() << " ranks";
    return false;
  }
  EXPECT_EQ(finish(requests), kSuccess);
  return true;
}

inline constexpr RequestOps kTestOps = nonblocking_ops("test");

// Whether the algorithm may be chosen for these arguments of rank 0.
template <class Args>
bool applies(SimWorld& world, const Algorithm<Args>& algorithm, const Args& args) {
  Run run(world.worker(0), 0, false);
  return !algorithm.applies || algorithm.applies(Ctx(run, world.comm(0)), args);
}

// Thousands of ranks are for algorithms that do not send as many messages as there are pairs of them.
inline constexpr int kMany = 1000;
template <class Args>
bool testable(SimWorld& world, const Algorithm<Args>& algorithm, const Args& args) {
  constexpr Count kMostMessages = 150000;
  if (!applies(world, algorithm, args)) return false;
  return world.size() < kMany ||
         algorithm.traffic({world.size(), world.size() * Count{16}, 0, &nodes_of(world.comm(0))}).messages <= kMostMessages;
}

// test(algorithm) for every algorithm of the list.
template <class Args, class Test>
void for_all_algorithms(std::span<const Algorithm<Args>> list, Test&& test) {
  for (const auto& algorithm : list) {
    SCOPED_TRACE(algorithm.name);
    test(algorithm);
    if (testing::Test::HasFailure()) return;
  }
}

// The same for an algorithm with the arguments of each rank.
template <class Args, class MakeArgs>
bool run_algorithm(SimWorld& world, const Algorithm<Args>& algorithm, MakeArgs&& args_of) {
  return run_on_all(world, [&](int rank) { return start_with(kTestOps, algorithm, world.comm(rank), args_of(rank)); });
}

// n ranks in some weather, somehow on nodes. Large worlds serve many tests.
inline std::shared_ptr<SimWorld> make_world(int n) {
  static std::unordered_map<int, std::shared_ptr<SimWorld>> large;
  if (n >= kMany && large[n]) return large[n];
  transport::SimOptions options = weather(static_cast<unsigned>(n));
  options.node_of = placement(n, static_cast<unsigned>(n < kMany ? n : n + 1));
  auto world = std::make_shared<SimWorld>(n, options);
  if (n >= kMany) large[n] = world;
  return world;
}

// Calls body(world, random, shape) for every number of ranks; with all shapes if there are few ranks.
template <class Body>
void for_all_sizes(const std::vector<int>& list, Body&& body) {
  for (int n : list) {
    const std::shared_ptr<SimWorld> here = make_world(n);
    SimWorld& world = *here;
    std::mt19937 random(static_cast<unsigned>(n));
    std::vector<const Shape*> shapes{&dense(), &gapped(), &backward()};
    if (n > 16) shapes = {shapes[static_cast<std::size_t>(n % 2)]};
    for (const Shape* shape : shapes) {
      SCOPED_TRACE(testing::Message() << n << " ranks, " << shape->name);
      body(world, random, *shape);
      if (testing::Test::HasFailure()) return;
    }
  }
}

inline int pick(std::mt19937& random, int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

}  // namespace starling::coll::test
