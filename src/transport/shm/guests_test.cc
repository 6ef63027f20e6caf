// SPDX-License-Identifier: BSD-3-Clause
// Messages between processes of different jobs: two jobs, whose processes are all in this one.
#include "transport/shm/guests.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "base/error.h"
#include "transport/shm/shm.h"

namespace starling::transport {
namespace {

struct TestJob {
  explicit TestJob(std::uint32_t ranks) : fd(create_job_segment(ranks, kDefaultRingBytes, mapping)) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) mapping.slot(rank).pid.store(static_cast<std::uint32_t>(getpid()));
  }
  ~TestJob() {
    unmap_job_segment(mapping);
    close(fd);
  }
  JobMapping mapping;
  int fd;
};

// A rank that knows everybody, guests by the order in which it met them, and keeps the tags of what arrives.
struct Process : Inbox {
  Process(TestJob& job, Peer rank) : Inbox(rank), residents(job.mapping.header().ranks), shm(make_shm(*this, job.mapping)) {
    set_handler(Am::kEager,
                [](Inbox& inbox, const AmHeader& header, Peer sender, const std::byte* payload, std::size_t length) {
                  auto& self = static_cast<Process&>(inbox);
                  self.tags.push_back(header.tag);
                  self.from = sender;
                  for (std::size_t i = 0; i < length; ++i) self.wrong += payload[i] != static_cast<std::byte>(header.tag);
                });
  }
  Peer admit(const ProcessAddress& address) override {
    for (std::size_t i = 0; i < guests.size(); ++i)
      if (guests[i].job_id == address.job_id && guests[i].rank == address.rank) return residents + static_cast<Peer>(i);
    guests.push_back(address);
    return residents + static_cast<Peer>(guests.size()) - 1;
  }
  ProcessAddress address(Peer peer) const override { return guests[peer - residents]; }
  bool send(Peer to, int tag, std::size_t bytes = 8) {
    const std::vector<std::byte> payload(bytes, static_cast<std::byte>(tag));
    return shm->connect(to).send_short({1, 0, tag, Am::kEager}, payload.data(), bytes);
  }
  void receive() {
    while (shm->progress() > 0) {
    }
  }

  Peer residents;
  std::vector<ProcessAddress> guests;
  std::vector<int> tags;
  Peer from = 0;
  int wrong = 0;
  std::unique_ptr<Transport> shm;
};

int claims_in_use(const TestJob& job, std::uint32_t rank) {
  int used = 0;
  for (std::uint32_t i = 0; i < kGuestRings; ++i) used += job.mapping.guest(rank, i).state.load() != GuestState::kFree;
  return used;
}

TEST(Guests, BothDirections) {
  TestJob left(2), right(3);
  Process a(left, 1), b(right, 2);
  const Peer to_b = a.admit(right.mapping.address(2));
  EXPECT_TRUE(a.send(to_b, 1));
  EXPECT_TRUE(a.send(to_b, 2, 5000));
  b.receive();
  EXPECT_EQ(b.tags, (std::vector<int>{1, 2}));
  EXPECT_EQ(b.from, 3u);  // the first number beyond its own job
  EXPECT_TRUE(b.send(b.from, 3));
  a.receive();
  EXPECT_EQ(a.tags, std::vector<int>{3});
  EXPECT_EQ(a.from, to_b);
  EXPECT_EQ(a.wrong + b.wrong, 0);
  EXPECT_FALSE(a.shm->disconnect(to_b));  // b has not closed yet
  EXPECT_TRUE((b.receive(), b.shm->disconnect(b.from)));
  a.receive();
  EXPECT_TRUE(a.shm->disconnect(to_b));
  EXPECT_EQ(claims_in_use(left, 1) + claims_in_use(right, 2), 0);
}

// Many times over one place, each time from the beginning of the ring; the sender is gone before anybody looks.
TEST(Guests, RingsAreUsedAgain) {
  TestJob home(1);
  Process b(home, 0);
  int sent = 0;
  for (int round = 0; round < 3 * static_cast<int>(kGuestRings); ++round) {
    TestJob away(1);
    Process a(away, 0);
    const Peer to_b = a.admit(home.mapping.address(0));
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(a.send(to_b, sent++ % 100, static_cast<std::size_t>(i) * 700));
    EXPECT_TRUE(a.shm->disconnect(to_b));
    if (round % 7 == 0) b.receive();
  }
  b.receive();
  EXPECT_EQ(static_cast<int>(b.tags.size()), sent);
  EXPECT_EQ(b.wrong, 0);
  EXPECT_EQ(claims_in_use(home, 0), 0);
}

// A sender that closes and comes again before the receiver has looked: what it said first comes first.
TEST(Guests, OrderOverReconnection) {
  TestJob left(1), right(1);
  Process a(left, 0), b(right, 0);
  const Peer to_b = a.admit(right.mapping.address(0));
  std::vector<int> expected;
  for (int i = 0; i < 100; ++i) {
    for (int k = 0; k <= i % 4; ++k) {
      expected.push_back(10 * i + k);
      ASSERT_TRUE(a.send(to_b, 10 * i + k, 0));
    }
    a.shm->disconnect(to_b);
    if (i % 3 == 2) b.receive();
  }
  b.receive();
  EXPECT_EQ(b.tags, expected);
}

TEST(Guests, TooMany) {
  TestJob home(1), away(kGuestRings + 1);
  std::vector<std::unique_ptr<Process>> guests;
  for (std::uint32_t rank = 0; rank <= kGuestRings; ++rank) {
    guests.push_back(std::make_unique<Process>(away, rank));
    const Peer to = guests.back()->admit(home.mapping.address(0));
    if (rank < kGuestRings)
      EXPECT_TRUE(guests.back()->send(to, 1));
    else
      EXPECT_THROW(guests.back()->send(to, 1), Error);
  }
}

TEST(Guests, JobThatIsOver) {
  ProcessAddress gone;
  {
    TestJob job(1);
    gone = job.mapping.address(0);
  }
  TestJob home(1);
  Process a(home, 0);
  EXPECT_THROW(a.send(a.admit(gone), 1), Error);
}

}  // namespace
}  // namespace starling::transport
