// SPDX-License-Identifier: BSD-3-Clause
#include "profile/analysis.h"

#include <algorithm>

#include "profile/calls.gen.h"

namespace starling::profile {

static_assert(kCalls <= kMaxCalls);

namespace {

struct Reference {
  std::uint64_t identity;
  std::uint32_t rank, index;
};

// Who was the last to start, of those for whom an event may have waited.
struct Cause {
  bool known = false;  // somebody of the other side is there
  std::uint32_t rank = 0;
  std::uint64_t post = 0;  // 0: nobody came before the wait was over
};

bool waits_for(const Event& event, const Event& other, std::uint32_t other_rank) {
  switch (event.role) {
    case Role::kAll:
    case Role::kRoot:
      return true;
    case Role::kLeaf:
      return event.partner == other_rank;
    case Role::kPrefix:
      return other.partner < event.partner;
    case Role::kSender:
      return other.role == Role::kReceiver;
    case Role::kReceiver:
    case Role::kLookout:
      return other.role == Role::kSender;
  }
  return false;
}

class Matcher {
 public:
  explicit Matcher(const Segment& segment) : segment_(segment), ranks_(segment.header().ranks), causes_(ranks_) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) thinned_ = std::max(thinned_, segment.block(rank).thinned);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      const std::uint64_t count = std::min(segment.block(rank).events, segment.header().capacity);
      causes_[rank].resize(count);
      for (std::uint32_t i = 0; i < count; ++i)
        if (kept(event(rank, i))) references_.push_back({event(rank, i).identity, rank, i});
    }
    std::sort(references_.begin(), references_.end(), [](auto& a, auto& b) { return a.identity < b.identity; });
    for (auto first = references_.begin(); first != references_.end();) {
      auto last = std::find_if(first, references_.end(), [first](auto& r) { return r.identity != first->identity; });
      match(first, last);
      first = last;
    }
  }

  unsigned thinned() const { return thinned_; }
  std::uint64_t events(std::uint32_t rank) const { return causes_[rank].size(); }
  const Event& event(std::uint32_t rank, std::uint64_t index) const { return segment_.events(rank)[index]; }
  const Cause& cause(std::uint32_t rank, std::uint64_t index) const { return causes_[rank][index]; }
  bool kept(const Event& e) const { return e.identity <= largest_kept_identity(thinned_); }

 private:
  using Iterator = std::vector<Reference>::iterator;

  // The events of one operation, the latest start first: usually the first one that is somebody else's is the cause.
  void match(Iterator first, Iterator last) {
    std::sort(first, last, [this](auto& a, auto& b) { return event(a.rank, a.index).post > event(b.rank, b.index).post; });
    for (Iterator mine = first; mine != last; ++mine) {
      const Event& wait = event(mine->rank, mine->index);
      Cause& found = causes_[mine->rank][mine->index];
      if (wait.end == 0) continue;
      for (Iterator other = first; other != last && found.post == 0; ++other) {
        const Event& start = event(other->rank, other->index);
        if (other == mine || !waits_for(wait, start, other->rank)) continue;
        found.known = true;
        if (start.post <= wait.end) found.rank = other->rank, found.post = start.post;
      }
      // A message cannot arrive before it is sent: if it seems so, the numbers of sends and receives do not go together.
      if (found.post == 0 && wait.role == Role::kReceiver) found.known = false;
    }
  }

  const Segment& segment_;
  const std::uint32_t ranks_;
  unsigned thinned_ = 0;
  std::vector<Reference> references_;
  std::vector<std::vector<Cause>> causes_;
};

// What the events that were kept say about one call of one rank, in ticks.
struct Sample {
  std::uint64_t known = 0, unknown = 0, waiting = 0;
  std::vector<std::uint64_t> waited_for;
};

class Analysis {
 public:
  explicit Analysis(const Segment& segment) : segment_(segment), header_(segment.header()), matcher_(segment) {
    const Instant now = instant(header_.steady);
    seconds_ = 1e-9 * static_cast<double>(now.ns - header_.start.ns) / static_cast<double>(now.ticks - header_.start.ticks);
    now_ = now.ticks;
    result_.ranks.resize(header_.ranks);
    result_.waited_for.assign(header_.ranks, std::vector<double>(header_.ranks));
    result_.message_sizes.resize(kSizeBuckets);
    result_.collective_sizes.resize(kSizeBuckets);
    result_.thinned = matcher_.thinned();
    calls_.resize(kCalls);
  }

  Result run() {
    for (std::uint32_t rank = 0; rank < header_.ranks; ++rank) {
      const Traffic* traffic = segment_.traffic(rank);
      result_.traffic.emplace_back(traffic, traffic + header_.ranks);
      if (segment_.block(rank).state != RankState::kAbsent) add_rank(rank);
    }
    for (std::uint32_t rank = 0; rank < header_.ranks; ++rank)
      for (std::uint32_t late = 0; late < header_.ranks; ++late) result_.ranks[late].caused += result_.waited_for[rank][late];
    for (const RankResult& rank : result_.ranks) {
      result_.elapsed = std::max(result_.elapsed, rank.run);
      result_.perfect = std::max(result_.perfect, rank.run - rank.transfer);
      result_.perfect_least = std::max(result_.perfect_least, rank.compute);
    }
    for (CallResult& call : calls_)
      if (call.count > 0) result_.calls.push_back(call);
    std::stable_sort(result_.calls.begin(), result_.calls.end(), [](auto& a, auto& b) { return a.total > b.total; });
    return std::move(result_);
  }

 private:
  double time(std::uint64_t ticks) const { return static_cast<double>(ticks) * seconds_; }

  void add_rank(std::uint32_t index) {
    const RankBlock& block = segment_.block(index);
    RankResult& rank = result_.ranks[index];
    ++result_.present;
    rank.state = block.state;
    rank.pid = block.pid;
    rank.program = block.program;
    rank.host = block.host;
    const bool finished = block.state == RankState::kFinished;
    const bool inside = !finished && block.inside > 0 && block.inside <= kCalls;
    // A rank that did not come to its end: what is known ends with its last call, or the one in which it is.
    rank.run = time((finished ? block.run_end
                     : inside ? std::max(block.last, block.inside_since)
                              : block.last) -
                    block.run_begin);
    if (inside) {
      rank.inside = kCallNames[block.inside - 1];
      rank.inside_for = now_ > block.inside_since ? time(now_ - block.inside_since) : 0;
    }
    result_.lost_channels += block.lost_channels;
    for (unsigned b = 0; b < kSizeBuckets; ++b) {
      add(result_.message_sizes[b], block.message_sizes[b]);
      add(result_.collective_sizes[b], block.collective_sizes[b]);
    }
    std::vector<Sample> samples = sample(index);
    for (std::uint16_t call = 0; call < kCalls; ++call)
      if (block.calls[call].count) add_call(index, call, samples[call]);
    rank.compute = std::max(0.0, rank.run - rank.waiting - rank.transfer - rank.other);
  }

  static void add(SizeCount& sum, const SizeCount& part) {
    sum.messages += part.messages;
    sum.bytes += part.bytes;
  }

  // Events with the same interval are one wait for several operations: it lasted until the last of those had started and
  // arrived.
  std::vector<Sample> sample(std::uint32_t rank) {
    std::vector<Sample> samples(kCalls);
    const std::uint64_t count = matcher_.events(rank);
    for (std::uint64_t i = 0; i < count;) {
      const Event& wait = matcher_.event(rank, i);
      Cause last;
      for (; i < count && matcher_.event(rank, i).begin == wait.begin; ++i) {
        const Cause& cause = matcher_.cause(rank, i);
        last.known |= cause.known;
        if (cause.post > last.post) last.post = cause.post, last.rank = cause.rank;
        if (wait.end == 0) break;
      }
      if (wait.end == 0) ++i;
      if (wait.end == 0 || !matcher_.kept(wait) || wait.call >= kCalls) continue;
      Sample& sum = samples[wait.call];
      ++result_.events;
      if (!last.known) {
        ++result_.unmatched;
        sum.unknown += wait.end - wait.begin;
        continue;
      }
      sum.known += wait.end - wait.begin;
      if (last.post <= wait.begin) continue;
      const std::uint64_t waited = std::min(last.post, wait.end) - wait.begin;
      sum.waiting += waited;
      sum.waited_for.resize(header_.ranks);
      sum.waited_for[last.rank] += waited;
    }
    return samples;
  }

  void add_call(std::uint32_t index, std::uint16_t call, const Sample& sample) {
    const CallStats& stats = segment_.block(index).calls[call];
    RankResult& rank = result_.ranks[index];
    CallResult& sum = calls_[call];
    // If only part of the operations was kept, it stands for all.
    const std::uint64_t looked_at = sample.known + sample.unknown;
    const double scale = looked_at ? static_cast<double>(stats.split) / static_cast<double>(looked_at) : 0;
    const double total = time(stats.ticks), waiting = time(sample.waiting) * scale;
    const double transfer = time(sample.known) * scale - waiting, other = std::max(0.0, total - waiting - transfer);
    for (std::size_t late = 0; late < sample.waited_for.size(); ++late)
      result_.waited_for[index][late] += time(sample.waited_for[late]) * scale;
    rank.waiting += waiting;
    rank.transfer += transfer;
    rank.other += other;
    const auto number = static_cast<int>(index);
    if (sum.count == 0 || total < sum.least) sum.least = total, sum.least_rank = number;
    if (sum.count == 0 || total > sum.most) sum.most = total, sum.most_rank = number;
    sum.name = kCallNames[call];
    sum.count += stats.count;
    sum.total += total;
    sum.max = std::max(sum.max, time(stats.max));
    sum.waiting += waiting;
    sum.transfer += transfer;
    sum.other += other;
  }

  const Segment& segment_;
  const Header& header_;
  const Matcher matcher_;
  double seconds_ = 0;  // of a tick
  std::uint64_t now_ = 0;
  Result result_;
  std::vector<CallResult> calls_;
};

}  // namespace

Result analyze(const Segment& segment) { return Analysis(segment).run(); }

}  // namespace starling::profile
