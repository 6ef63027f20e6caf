// SPDX-License-Identifier: BSD-3-Clause
// Collectives on intercommunicators, through the border functions, against the definition.
#include "coll/entry.gen.h"
#include "coll/sim_test.h"
#include "comm/create.h"

namespace starling::coll::test {
namespace {

// Two groups over the ranks of a SimWorld, the first `left` of them and the others.
class TwoSides {
 public:
  TwoSides(int left, int right) : left_(left), world_(left + right, weather(static_cast<unsigned>(3 * left + right))) {
    for (int i = 0; i < left + right; ++i) {
      const auto self = static_cast<Peer>(i);
      auto a = Ref<Group>::adopt(object::make_consecutive_group(0, left, self));
      auto b = Ref<Group>::adopt(object::make_consecutive_group(static_cast<Peer>(left), right, self));
      const bool first = i < left;
      // The sides choose the contexts of their local communicators by themselves.
      const comm::InterContexts contexts{1000, first ? 2000u : 3000u};
      comms_.push_back(Ref<Comm>::adopt(comm::make_inter(contexts, world_.worker(i), first ? a : b, first ? b : a, nullptr)));
    }
  }
  SimWorld& world() { return world_; }
  int size() const { return world_.size(); }
  Comm& comm(int i) { return *comms_[static_cast<std::size_t>(i)]; }
  bool first(int i) const { return i < left_; }
  int other_size(int i) const { return first(i) ? size() - left_ : left_; }
  int other(int i, int rank) const { return first(i) ? left_ + rank : rank; }  // index of a rank of the other side
  int rank(int i) const { return first(i) ? i : i - left_; }

 private:
  int left_;
  SimWorld world_;
  std::vector<Ref<Comm>> comms_;  // end before the world
};

template <class Body>
void for_all_sides(Body&& body) {
  for (int left : {1, 2, 3, 5, 8, 13})
    for (int right : {1, 2, 4, 7, 40}) {
      SCOPED_TRACE(testing::Message() << left << " and " << right << " ranks");
      TwoSides sides(left, right);
      body(sides);
      if (testing::Test::HasFailure()) return;
    }
}

// One buffer for each process.
struct Memory {
  Memory(TwoSides& sides, Count count, bool filled) {
    for (int i = 0; i < sides.size(); ++i) {
      buffers.emplace_back(gapped(), count);
      for (Count e = 0; filled && e < count; ++e) buffers.back().set(e, value(i, 0, e));
    }
  }
  Buffer& operator[](int i) { return buffers[static_cast<std::size_t>(i)]; }
  std::vector<Buffer> buffers;
};

// The root argument of process i for a root with index `root`.
int root_at(const TwoSides& sides, int root, int i) {
  if (i == root) return kRoot;
  return sides.first(i) == sides.first(root) ? kProcNull : sides.rank(root);
}

constexpr Count kCount = 5;
Datatype& type() { return *gapped().type; }

TEST(Inter, Barrier) {
  for_all_sides([](TwoSides& sides) {
    const int last = sides.size() - 1;
    std::vector<Request*> requests(static_cast<std::size_t>(last));
    for (int i = 0; i < last; ++i) ibarrier(sides.comm(i), requests[static_cast<std::size_t>(i)]);
    sides.world().run(requests);
    // Nobody of the first side leaves before the last one of the second has entered.
    for (Request* request : requests) ASSERT_TRUE(request->comm->group->peer(0) != 0 || !request->complete);
    ibarrier(sides.comm(last), requests.emplace_back());
    ASSERT_TRUE(sides.world().run(requests));
    EXPECT_EQ(finish(requests), kSuccess);
  });
}

TEST(Inter, RootedMoves) {
  for_all_sides([](TwoSides& sides) {
    const int root = sides.size() / 2, n = sides.other_size(root);
    Memory one(sides, kCount, true), all(sides, kCount * n, false), many(sides, kCount * n, true), part(sides, kCount, false);
    auto run = [&](auto&& start) {
      return run_on_all(sides.world(), [&](int i) {
        Request* request;
        start(i, root_at(sides, root, i), sides.comm(i), request);
        return request;
      });
    };
    ASSERT_TRUE(run([&](int i, int r, Comm& c, Request*& request) {
      igather(one[i].address(), kCount, type(), all[i].address(), kCount, type(), r, c, request);
    }));
    ASSERT_TRUE(run([&](int i, int r, Comm& c, Request*& request) {
      iscatter(many[i].address(), kCount, type(), part[i].address(), kCount, type(), r, c, request);
    }));
    for (int k = 0; k < n; ++k)
      for (Count e = 0; e < kCount; ++e) {
        ASSERT_EQ(all[root].get(k * kCount + e), value(sides.other(root, k), 0, e));
        ASSERT_EQ(part[sides.other(root, k)].get(e), value(root, 0, k * kCount + e));
      }
    ASSERT_TRUE(
        run([&](int i, int r, Comm& c, Request*& request) { ibcast(one[i].address(), kCount, type(), r, c, request); }));
    for (int i = 0; i < sides.size(); ++i)
      for (Count e = 0; e < kCount; ++e) ASSERT_EQ(one[i].get(e), value(sides.first(i) == sides.first(root) ? i : root, 0, e));
  });
}

TEST(Inter, Reductions) {
  for_all_sides([](TwoSides& sides) {
    const int root = sides.size() / 2;
    Memory send(sides, kCount, true), sum(sides, kCount, false), at_root(sides, kCount, false);
    Op& op = *composition().op;
    ASSERT_TRUE(run_on_all(sides.world(), [&](int i) {
      Request* request;
      iallreduce(send[i].address(), sum[i].address(), kCount, type(), op, sides.comm(i), request);
      return request;
    }));
    ASSERT_TRUE(run_on_all(sides.world(), [&](int i) {
      Request* request;
      ireduce(send[i].address(), at_root[i].address(), kCount, type(), op, root_at(sides, root, i), sides.comm(i), request);
      return request;
    }));
    for (int i = 0; i < sides.size(); ++i)
      for (Count e = 0; e < kCount; ++e) {
        Affine expected = value(sides.other(i, 0), 0, e);
        for (int k = 1; k < sides.other_size(i); ++k) expected = compose(expected, value(sides.other(i, k), 0, e));
        ASSERT_EQ(sum[i].get(e), expected);
        ASSERT_EQ(at_root[i].get(e), i == root ? expected : Buffer::kNothing);
      }
  });
}

TEST(Inter, ReduceScatter) {
  for_all_sides([](TwoSides& sides) {
    // Both sides get the same number of elements.
    auto block = [&](int i) { return static_cast<Count>(sides.other_size(i)); };
    const Count total = static_cast<Count>(sides.other_size(0)) * sides.other_size(sides.size() - 1);
    Memory send(sides, total, true), recv(sides, total, false);
    ASSERT_TRUE(run_on_all(sides.world(), [&](int i) {
      Request* request;
      ireduce_scatter_block(send[i].address(), recv[i].address(), block(i), type(), *composition().op, sides.comm(i), request);
      return request;
    }));
    for (int i = 0; i < sides.size(); ++i)
      for (Count e = 0; e < block(i); ++e) {
        const Count index = sides.rank(i) * block(i) + e;
        Affine expected = value(sides.other(i, 0), 0, index);
        for (int k = 1; k < sides.other_size(i); ++k) expected = compose(expected, value(sides.other(i, k), 0, index));
        ASSERT_EQ(recv[i].get(e), expected);
      }
  });
}

TEST(Inter, MovesForAll) {
  for_all_sides([](TwoSides& sides) {
    const int most = std::max(sides.other_size(0), sides.other_size(sides.size() - 1));
    // The sides may send different amounts.
    auto amount = [&](int i) { return sides.first(i) ? kCount : kCount + 3; };
    Memory send(sides, (kCount + 3) * most, true), all(sides, (kCount + 3) * most, false),
        exchanged(sides, kCount * most, false);
    ASSERT_TRUE(run_on_all(sides.world(), [&](int i) {
      Request* request;
      iallgather(send[i].address(), amount(i), type(), all[i].address(), amount(sides.other(i, 0)), type(), sides.comm(i),
                 request);
      return request;
    }));
    ASSERT_TRUE(run_on_all(sides.world(), [&](int i) {
      Request* request;
      ialltoall(send[i].address(), kCount, type(), exchanged[i].address(), kCount, type(), sides.comm(i), request);
      return request;
    }));
    for (int i = 0; i < sides.size(); ++i)
      for (int k = 0; k < sides.other_size(i); ++k) {
        const int from = sides.other(i, k);
        for (Count e = 0; e < amount(from); ++e) ASSERT_EQ(all[i].get(k * amount(from) + e), value(from, 0, e));
        for (Count e = 0; e < kCount; ++e)
          ASSERT_EQ(exchanged[i].get(k * kCount + e), value(from, 0, sides.rank(i) * kCount + e));
      }
  });
}

}  // namespace
}  // namespace starling::coll::test
