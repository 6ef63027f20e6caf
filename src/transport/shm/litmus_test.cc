// SPDX-License-Identifier: BSD-3-Clause
// Stress in the shape of litmus tests, for machines with weak memory models: each test repeats one of the handshakes whose
// memory orders ring.h and doorbell.h argue, as tightly as it can, between processes over a shared mapping as in a job. On x86
// most of them could fail by the compiler's reordering only.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "base/job.h"
#include "transport/doorbell.h"
#include "transport/shm/ring.h"
#include "transport/shm/shm.h"

namespace starling::transport {
namespace {

// A T in memory shared with children; all zero.
template <class T>
class Shared {
 public:
  Shared() : memory_(mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    EXPECT_NE(memory_, MAP_FAILED);
  }
  ~Shared() { munmap(memory_, sizeof(T)); }
  Shared(const Shared&) = delete;
  T* operator->() const { return static_cast<T*>(memory_); }
  T& operator*() const { return *static_cast<T*>(memory_); }

 private:
  void* memory_;
};

// A process that runs body() and is waited for; it fails if a check fails in it.
class Child {
 public:
  template <class Body>
  explicit Child(Body&& body) : pid_(fork()) {
    if (pid_ != 0) return;
    alarm(120);  // should the parent have died
    body();
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  ~Child() {
    int status = 0;
    waitpid(pid_, &status, 0);
    EXPECT_EQ(status, 0) << "a check failed in the child, or it died";
  }
  Child(const Child&) = delete;

 private:
  pid_t pid_;
};

// A few irregular steps, so that the two sides meet at ever different places.
void stagger(std::uint32_t i) {
  for (std::uint32_t n = (i * 2654435761u) >> 26; n > 0; --n) cpu_relax();
}

// Every word of the header and of the payload is made from the message's number.
AmHeader numbered_header(std::uint32_t i) {
  return {std::uint64_t{i} << 32 | ~i, static_cast<std::int32_t>(i), static_cast<std::int32_t>(i ^ 0x55555555), Am::kEager};
}
// Short ones in the cell and long ones in the data ring.
std::size_t numbered_words(std::uint32_t i) { return i % 4 == 3 ? 30 + i % 200 : kInlinePayload / 8; }

struct NumberedInbox : Inbox {
  NumberedInbox() : Inbox(1) {
    set_handler(Am::kEager, [](Inbox& inbox, const AmHeader& header, Peer, const std::byte* payload, std::size_t length) {
      auto& self = static_cast<NumberedInbox&>(inbox);
      const std::uint32_t i = self.received++;
      self.wrong += !right(i, header, payload, length);
      // The writer must not touch what is being read: look again, later.
      stagger(i);
      self.wrong += !right(i, header, payload, length);
    });
  }
  static bool right(std::uint32_t i, const AmHeader& header, const std::byte* payload, std::size_t length) {
    const AmHeader want = numbered_header(i);
    bool ok = length == numbered_words(i) * 8 && header.context == want.context && header.source == want.source &&
              header.tag == want.tag;
    for (std::size_t at = 0; ok && at < length; at += 8) {
      std::uint64_t word;
      std::memcpy(&word, payload + at, sizeof word);
      ok = word == (std::uint64_t{i} << 32 | at);
    }
    return ok;
  }
  std::uint32_t received = 0;
  std::uint32_t wrong = 0;
};

bool write_numbered(RingWriter& writer, std::uint32_t i) {
  return writer.write_with(numbered_header(i), numbered_words(i) * 8, [i](std::byte* to) {
    for (std::size_t at = 0; at < numbered_words(i) * 8; at += 8) {
      const std::uint64_t word = std::uint64_t{i} << 32 | at;
      std::memcpy(to + at, &word, sizeof word);
    }
  });
}

// "Message passing", both ways round: the reader sees whole messages only (sequence), and the writer, which never waits longer
// than it must and so always writes what has just become free, destroys none that is still read (credits).
TEST(Litmus, RingPassesWholeMessagesAndOverwritesNone) {
  constexpr std::uint32_t kMessages = 100'000;
  Shared<Ring> ring;
  Child writing([&ring] {
    RingWriter writer(*ring);
    for (std::uint32_t i = 0; i < kMessages; ++i)
      while (!write_numbered(writer, i)) sched_yield();
  });
  NumberedInbox inbox;
  RingReader reader(*ring, 0);
  while (inbox.received < kMessages)
    if (reader.poll(inbox) == 0) sched_yield();
  EXPECT_EQ(inbox.wrong, 0u);
  EXPECT_EQ(reader.poll(inbox), 0);
}

// "Store buffering": the sleeper announces itself and then looks for a message, the sender publishes one and then looks for a
// sleeper; at least one must see the other. Each round has a bell and a message of its own, and both sides try to
// begin it together.
TEST(Litmus, SleeperOrSenderSeesTheOther) {
  constexpr std::uint32_t kRounds = 20'000;
  struct Round {
    alignas(kCacheLine) std::atomic<std::uint32_t> bell;
    alignas(kCacheLine) std::atomic<std::uint32_t> message;
  };
  struct Board {
    alignas(kCacheLine) std::atomic<std::uint32_t> sleeper_at, sender_at;  // how many rounds each has begun
    Round rounds[kRounds];
  };
  Shared<Board> board;
  // Spins for a while, so that the other is met within nanoseconds; on a busy machine, where it may not be running, goes on.
  const auto meet = [](std::atomic<std::uint32_t>& mine, const std::atomic<std::uint32_t>& other, std::uint32_t i) {
    mine.store(i + 1, std::memory_order_relaxed);
    for (unsigned tries = 0; tries < 2000 && other.load(std::memory_order_relaxed) <= i; ++tries) {
    }
    std::atomic<std::uint32_t> step;  // steps of a nanosecond or so, which stagger()'s are not
    for (std::uint32_t n = (i * 2654435761u) >> 26; n > 0; --n) step.store(n, std::memory_order_relaxed);
  };
  std::vector<std::uint32_t> announced(kRounds), seen(kRounds);
  {
    Child sending([&] {
      doorbell::prepare();
      for (std::uint32_t i = 0; i < kRounds; ++i) {
        Round& round = board->rounds[i];
        meet(board->sender_at, board->sleeper_at, i);
        round.message.store(1, std::memory_order_release);
        doorbell::ring(round.bell);
      }
    });
    doorbell::prepare();
    for (std::uint32_t i = 0; i < kRounds; ++i) {
      Round& round = board->rounds[i];
      meet(board->sleeper_at, board->sender_at, i);
      announced[i] = doorbell::announce(round.bell);
      seen[i] = round.message.load(std::memory_order_acquire);
    }
  }
  std::uint32_t lost = 0;
  for (std::uint32_t i = 0; i < kRounds; ++i) lost += !seen[i] && board->rounds[i].bell == announced[i];
  EXPECT_EQ(lost, 0u);
}

// The same with all that belongs to it: a ring, falling asleep, being woken. The doorbell's net, by which a sleeper looks again
// after a while, would hide a lost ring, so the reader finds out: it was not rung for a message after which the writer has
// looked at the bell.
TEST(Litmus, NobodySleepsThroughAMessage) {
  constexpr std::uint32_t kMessages = 20'000;
  struct Line {
    Ring ring;
    alignas(kCacheLine) std::atomic<std::uint32_t> bell;
    alignas(kCacheLine) std::atomic<std::uint32_t> looked;  // messages after which the writer has looked at the bell
  };
  Shared<Line> line;
  Child writing([&line] {
    doorbell::prepare();
    RingWriter writer(line->ring);
    for (std::uint32_t i = 0; i < kMessages; ++i) {
      while (!write_numbered(writer, i)) sched_yield();
      doorbell::ring(line->bell);
      line->looked.store(i + 1, std::memory_order_release);
      if (i % 8 == 0) sched_yield();  // lets the reader fall asleep
      stagger(i);
    }
  });
  doorbell::prepare();
  NumberedInbox inbox;
  RingReader reader(line->ring, 0);
  std::uint32_t lost = 0;
  while (inbox.received < kMessages) {
    if (reader.poll(inbox) > 0) continue;
    const std::uint32_t announced = doorbell::announce(line->bell);
    // `looked` before the bell: a writer that has looked since then, and found the announcement, has answered it before.
    if (reader.poll(inbox) == 0 && !doorbell::sleep(line->bell, announced) &&
        line->looked.load(std::memory_order_acquire) > inbox.received && line->bell == announced)
      ++lost;
    doorbell::retract(line->bell);
  }
  EXPECT_EQ(lost, 0u);
  EXPECT_EQ(inbox.wrong, 0u);
}

// Each sender tells the receiver by a bit and a counter that it is there, then writes to a ring that the receiver has never
// looked at. Senders come at the same time; nobody may be overlooked for good.
TEST(Litmus, NewSendersAreMet) {
  constexpr std::uint32_t kRanks = 6;
  for (int round = 0; round < 50; ++round) {
    JobMapping job;
    const int segment = create_job_segment(kRanks, kDefaultRingBytes, job);
    std::atomic<std::uint32_t> ready{0};
    std::vector<std::thread> senders;
    for (std::uint32_t rank = 1; rank < kRanks; ++rank)
      senders.emplace_back([&job, &ready, rank] {
        Inbox inbox(rank);
        auto shm = make_shm(inbox, job);
        ++ready;
        while (ready < kRanks) sched_yield();
        EXPECT_TRUE(shm->connect(0).send_short(numbered_header(rank), nullptr, 0));
      });
    struct Met : Inbox {
      Met() : Inbox(0) {
        set_handler(Am::kEager, [](Inbox& inbox, const AmHeader& header, Peer from, const std::byte*, std::size_t) {
          auto& self = static_cast<Met&>(inbox);
          ++self.messages;
          self.right += header.source == static_cast<std::int32_t>(from);
        });
      }
      std::uint32_t messages = 0, right = 0;
    } met;
    auto shm = make_shm(met, job);
    ++ready;
    // What all have sent must be there when all have ended, at the latest.
    while (shm->progress() > 0 || met.messages == 0) sched_yield();
    for (std::thread& sender : senders) sender.join();
    shm->progress();
    EXPECT_EQ(met.messages, kRanks - 1);
    EXPECT_EQ(met.right, kRanks - 1);
    munmap(job.base, job.header().total_bytes);
    close(segment);
  }
}

}  // namespace
}  // namespace starling::transport
