// SPDX-License-Identifier: BSD-3-Clause
// The matcher against the rules of MPI written down naively: two lists, searched from the front.
#include "p2p/matcher.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <list>
#include <random>

namespace starling::p2p {
namespace {

struct Posted : RecvOp {
  int id = 0;
};

// The model, and the real one beside it; every step is compared.
class Bench {
 public:
  explicit Bench(std::uint32_t seed, int sources, int tags) : random_(seed), sources_(sources), tags_(tags) {}
  ~Bench() {
    for (Posted& op : ops_) matcher_.remove(op);
  }

  void step() {
    switch (pick(0, 9)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return arrive();
      case 4:
      case 5:
      case 6:
      case 7:
        return receive();
      case 8:
        return cancel();
      default:
        return probe();
    }
  }

  void check_sizes() const {
    EXPECT_EQ(matcher_.posted(), posted_.size());
    EXPECT_EQ(matcher_.unexpected(), unexpected_.size());
  }

 private:
  struct Arrived {
    AmHeader header;
    int id;
  };

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  void arrive() {
    const AmHeader header{static_cast<std::uint64_t>(pick(1, 2)) * 2, pick(0, sources_ - 1), pick(0, tags_ - 1), Am::kEager};
    auto want = std::find_if(posted_.begin(), posted_.end(), [&](Posted* op) {
      return Pattern{op->context, op->source, op->tag}.accepts(header);
    });
    auto* got = static_cast<Posted*>(matcher_.match(header));
    ASSERT_EQ(got, want == posted_.end() ? nullptr : *want);
    if (got) {
      posted_.erase(want);
      return;
    }
    const int id = next_id_++;
    std::byte payload[300] = {};
    std::memcpy(payload, &id, sizeof id);
    const std::size_t length = id % 5 == 0 ? sizeof payload : sizeof id;
    matcher_.add_unexpected(header, 3, payload, length, static_cast<Count>(length));
    unexpected_.push_back({header, id});
  }

  Pattern random_pattern() {
    Pattern p{static_cast<std::uint64_t>(pick(1, 2)) * 2, pick(0, sources_ - 1), pick(0, tags_ - 1)};
    if (pick(0, 4) == 0) p.source = kAnySource;
    if (pick(0, 4) == 0) p.tag = kAnyTag;
    return p;
  }

  // The message that the model and the real one find; both must agree.
  Unexpected* find(const Pattern& p, std::list<Arrived>::iterator& want) {
    want = std::find_if(unexpected_.begin(), unexpected_.end(), [&](const Arrived& a) { return p.accepts(a.header); });
    Unexpected* got = matcher_.find_unexpected(p);
    EXPECT_EQ(got == nullptr, want == unexpected_.end());
    if (!got || want == unexpected_.end()) return nullptr;
    int id;
    std::memcpy(&id, got->payload(), sizeof id);
    EXPECT_EQ(id, want->id);
    return got;
  }

  void receive() {
    const Pattern p = random_pattern();
    std::list<Arrived>::iterator want;
    if (Unexpected* got = find(p, want)) {
      matcher_.take(*got);
      matcher_.recycle(got);
      unexpected_.erase(want);
      return;
    }
    Posted& op = ops_.emplace_back();
    op.context = p.context;
    op.source = p.source;
    op.tag = p.tag;
    matcher_.post(op);
    posted_.push_back(&op);
  }

  void probe() {
    std::list<Arrived>::iterator want;
    find(random_pattern(), want);
  }

  void cancel() {
    if (posted_.empty()) return;
    auto victim = std::next(posted_.begin(), pick(0, static_cast<int>(posted_.size()) - 1));
    EXPECT_TRUE(matcher_.remove(**victim));
    EXPECT_FALSE(matcher_.remove(**victim));
    posted_.erase(victim);
  }

  std::mt19937 random_;
  int sources_;
  int tags_;
  int next_id_ = 0;
  Matcher matcher_;
  std::deque<Posted> ops_;
  std::list<Posted*> posted_;
  std::list<Arrived> unexpected_;
};

TEST(Matcher, AgreesWithTheNaiveModel) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    Bench bench(seed, 1 + static_cast<int>(seed % 9), 1 + static_cast<int>(seed % 4) * 5);
    for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
      bench.step();
      bench.check_sizes();
    }
  }
}

TEST(Matcher, KeepsOrderWhenTheBinsGrow) {
  Matcher matcher;
  std::deque<RecvOp> ops(5000);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    ops[i].context = 2;
    ops[i].source = static_cast<int>(i % 3);
    ops[i].tag = i % 100 == 0 ? kAnyTag : static_cast<int>(i % 50);
    matcher.post(ops[i]);
  }
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].tag == kAnyTag) continue;
    RecvOp* got = matcher.match({2, ops[i].source, ops[i].tag, Am::kEager});
    ASSERT_NE(got, nullptr);
    EXPECT_LE(got->order, ops[i].order);
    EXPECT_TRUE(got == &ops[i] || got->tag == kAnyTag);
    if (got != &ops[i]) matcher.match({2, ops[i].source, ops[i].tag, Am::kEager});
  }
  for (RecvOp& op : ops) matcher.remove(op);
  EXPECT_EQ(matcher.posted(), 0u);
}

}  // namespace
}  // namespace starling::p2p
