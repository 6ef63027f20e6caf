// SPDX-License-Identifier: BSD-3-Clause
#include "profile/analysis.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "profile/calls.gen.h"
#include "profile/report.h"

namespace starling::profile {

namespace {

// Two ranks that run from tick 1000 to 11000, with what the test puts in.
struct Job {
  Job() {
    close(create_segment(2, 16, segment));
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      RankBlock& block = segment.block(rank);
      block.state = RankState::kFinished;
      block.run_begin = 1000;
      block.run_end = 11000;
    }
  }

  void wait(std::uint32_t rank, Call call, Event event, std::uint64_t begin, std::uint64_t end) {
    RankBlock& block = segment.block(rank);
    event.begin = begin;
    event.end = end;
    event.call = call;
    segment.events(rank)[block.events++] = event;
    CallStats& stats = block.calls[call];
    if (end == 0) return;
    ++stats.count;
    stats.ticks += end - begin;
    stats.split += end - begin;
  }

  Segment segment;
};

Event part(std::uint64_t identity, Role role, std::uint64_t post) {
  Event event{};
  event.identity = identity;
  event.role = role;
  event.post = post;
  return event;
}

// In parts of the run, because the length of a tick is that of this machine.
double share(const Result& result, double seconds) { return seconds / result.elapsed; }

}  // namespace

TEST(Analysis, SplitsACollectiveAtTheLastArrival) {
  Job job;
  job.wait(0, kBarrier, part(8, Role::kAll, 2000), 2000, 5000);
  job.wait(1, kBarrier, part(8, Role::kAll, 4000), 4000, 5000);
  Result result = analyze(job.segment);
  EXPECT_NEAR(share(result, result.waited_for[0][1]), 0.2, 1e-9);
  EXPECT_NEAR(share(result, result.ranks[1].caused), 0.2, 1e-9);
  EXPECT_NEAR(share(result, result.ranks[0].transfer), 0.1, 1e-9);
  EXPECT_NEAR(share(result, result.ranks[1].waiting), 0, 1e-9);
  EXPECT_NEAR(share(result, result.perfect), 0.9, 1e-9);
}

TEST(Analysis, TakesNoLaterArrivalThanTheEndOfTheWait) {
  Job job;  // an eager send returns before the receiver comes
  job.wait(0, kSend, part(8, Role::kSender, 2000), 2000, 2100);
  job.wait(1, kRecv, part(8, Role::kReceiver, 6000), 6000, 6100);
  Result result = analyze(job.segment);
  EXPECT_EQ(result.ranks[0].waiting, 0);
  EXPECT_NEAR(share(result, result.ranks[0].transfer), 0.01, 1e-9);
  EXPECT_EQ(result.unmatched, 0u);
}

TEST(Analysis, CountsAReceiveWithoutItsSendAsOther) {
  Job job;
  job.wait(1, kRecv, part(8, Role::kReceiver, 6000), 6000, 7000);
  Result result = analyze(job.segment);
  EXPECT_EQ(result.unmatched, 1u);
  EXPECT_NEAR(share(result, result.ranks[1].other), 0.1, 1e-9);
}

TEST(Analysis, AWaitForSeveralLastsUntilTheLast) {
  Job job;
  job.wait(0, kIsend, part(8, Role::kSender, 3000), 0, 0);
  job.wait(0, kIsend, part(16, Role::kSender, 5000), 0, 0);
  job.wait(1, kWaitall, part(8, Role::kReceiver, 1500), 2000, 6000);
  job.segment.events(1)[1] = job.segment.events(1)[0];
  job.segment.events(1)[1].identity = 16;
  job.segment.block(1).events = 2;
  Result result = analyze(job.segment);
  EXPECT_NEAR(share(result, result.waited_for[1][0]), 0.3, 1e-9);
  EXPECT_NEAR(share(result, result.ranks[1].transfer), 0.1, 1e-9);
}

TEST(Analysis, LetsASampleStandForAll) {
  Job job;
  job.wait(0, kBarrier, part(8, Role::kAll, 2000), 2000, 4000);
  job.wait(1, kBarrier, part(8, Role::kAll, 3000), 3000, 4000);
  job.segment.block(0).thinned = 3;
  job.segment.block(0).calls[kBarrier].split *= 2;
  job.segment.block(0).calls[kBarrier].ticks *= 2;
  job.wait(1, kBarrier, part(~std::uint64_t{0} >> 2, Role::kAll, 5000), 5000,
           6000);  // rank 0 no longer has its part of this one
  Result result = analyze(job.segment);
  EXPECT_EQ(result.thinned, 3u);
  EXPECT_NEAR(share(result, result.ranks[0].waiting), 0.2, 1e-9);
  EXPECT_NEAR(share(result, result.ranks[0].transfer), 0.2, 1e-9);
  EXPECT_NEAR(share(result, result.waited_for[0][1]), 0.2, 1e-9);
  EXPECT_NEAR(share(result, result.ranks[1].transfer), 0.2, 1e-9);
}

TEST(Report, MakesAPageThatHasItsData) {
  Job job;
  Result result = analyze(job.segment);
  result.ranks[0].program = "</script>\"";
  std::string json = json_report(result);
  EXPECT_EQ(json.find("</script>"), std::string::npos);
  EXPECT_NE(html_report(json).find(json), std::string::npos);
  EXPECT_NE(text_report(result).find("perfect interconnect"), std::string::npos);
}

}  // namespace starling::profile
