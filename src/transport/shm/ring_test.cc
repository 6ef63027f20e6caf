// SPDX-License-Identifier: BSD-3-Clause
#include "transport/shm/ring.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

namespace starling::transport {
namespace {

// Message i of a stream, made up so that reader and writer agree without talking.
struct Expected {
  std::uint32_t i;
  std::size_t length() const {
    switch (i % 7) {
      case 0:
        return 0;
      case 1:
        return i % (kInlinePayload + 1);
      case 2:
        return kInlinePayload;
      case 3:
        return kInlinePayload + 1;
      case 4:
        return kMostPayload;
      default:
        return (i * 2654435761u >> 8) % (kMostPayload + 1);
    }
  }
  std::byte at(std::size_t k) const { return static_cast<std::byte>(i * 31 + k * 7); }
  AmHeader header() const {
    return {std::uint64_t{i} << 33 | 2, static_cast<std::int32_t>(i), static_cast<std::int32_t>(~i), Am::kEager};
  }
};

struct CheckingInbox : Inbox {
  CheckingInbox() : Inbox(1) {
    set_handler(Am::kEager, [](Inbox& inbox, const AmHeader& header, Peer from, const std::byte* payload, std::size_t length) {
      auto& self = static_cast<CheckingInbox&>(inbox);
      const Expected want{self.received++};
      bool ok = from == 0 && length == want.length() && header.context == want.header().context &&
                header.source == want.header().source && header.tag == want.header().tag;
      for (std::size_t k = 0; ok && k < length; ++k) ok = payload[k] == want.at(k);
      self.wrong += !ok;
    });
  }
  std::uint32_t received = 0;
  std::uint32_t wrong = 0;
};

bool write(RingWriter& writer, const Expected& message, std::vector<std::byte>& scratch) {
  const std::size_t length = message.length();
  scratch.resize(length);
  for (std::size_t k = 0; k < length; ++k) scratch[k] = message.at(k);
  if (message.i % 2 == 0) return writer.write(message.header(), scratch.data(), length);
  return writer.write_with(message.header(), length, [&](std::byte* to) { std::copy(scratch.begin(), scratch.end(), to); });
}

std::unique_ptr<Ring> empty_ring() { return std::unique_ptr<Ring>(new Ring()); }

TEST(Ring, KeepsOrderAndContentUnderStress) {
  constexpr std::uint32_t kMessages = 20000;
  auto ring = empty_ring();
  std::thread sender([&ring] {
    RingWriter writer(*ring);
    std::vector<std::byte> scratch;
    for (std::uint32_t i = 0; i < kMessages; ++i)
      while (!write(writer, Expected{i}, scratch)) sched_yield();
  });
  CheckingInbox inbox;
  RingReader reader(*ring, 0);
  while (inbox.received < kMessages)
    if (reader.poll(inbox) == 0) sched_yield();
  sender.join();
  EXPECT_EQ(inbox.wrong, 0u);
  EXPECT_EQ(reader.poll(inbox), 0);
}

TEST(Ring, RefusesWhenFullAndRecovers) {
  auto ring = empty_ring();
  RingWriter writer(*ring);
  RingReader reader(*ring, 0);
  CheckingInbox inbox;
  std::vector<std::byte> scratch;
  std::uint32_t sent = 0;
  for (int round = 0; round < 50; ++round) {
    while (write(writer, Expected{sent}, scratch)) ++sent;
    EXPECT_LE(sent - inbox.received, kCells);
    while (reader.poll(inbox) > 0) {
    }
    EXPECT_EQ(inbox.received, sent);
  }
  EXPECT_GT(sent, 50u);
  EXPECT_EQ(inbox.wrong, 0u);
}

// The worst case of the invariant in ring.h: the longest message after everything was read, wherever the ring stands.
TEST(Ring, LongestMessageAlwaysFitsIntoAReadRing) {
  auto ring = empty_ring();
  RingWriter writer(*ring);
  RingReader reader(*ring, 0);
  struct Sink : Inbox {
    Sink() : Inbox(1) {
      set_handler(Am::kData, [](Inbox&, const AmHeader&, Peer, const std::byte*, std::size_t) {});
    }
  } sink;
  std::vector<std::byte> payload(kMostPayload);
  const AmHeader header{0, 0, 0, Am::kData};
  for (std::size_t i = 0; i < 4000; ++i) {
    ASSERT_TRUE(writer.write(header, payload.data(), 41 + i * 4099 % (kMostPayload - 41)));
    while (reader.poll(sink) > 0) {
    }
    ASSERT_TRUE(writer.write(header, payload.data(), kMostPayload));
    while (reader.poll(sink) > 0) {
    }
  }
}

// A pair that talks in turns touches the front of the data ring and no more; one that does not wait gets all of it.
TEST(Ring, ShortPayloadsStayInTheFrontWhileTheReaderKeepsUp) {
  auto ring = empty_ring();
  RingWriter writer(*ring);
  RingReader reader(*ring, 0);
  struct Sink : Inbox {
    Sink() : Inbox(1) {
      set_handler(Am::kData, [](Inbox&, const AmHeader&, Peer, const std::byte*, std::size_t) {});
    }
  } sink;
  const std::vector<std::byte> payload(kShortPayload, std::byte{1});
  const AmHeader header{0, 0, 0, Am::kData};
  const auto touched = [&] {
    return std::any_of(ring->data + kFrontBytes, ring->data + kDataBytes, [](std::byte byte) { return byte != std::byte{0}; });
  };
  for (std::size_t i = 0; i < 4000; ++i) {
    ASSERT_TRUE(writer.write(header, payload.data(), 41 + i * 4099 % (kShortPayload - 40)));
    while (reader.poll(sink) > 0) {
    }
  }
  EXPECT_FALSE(touched());
  std::size_t unread = 0;
  while (writer.write(header, payload.data(), kShortPayload)) unread += kShortPayload;
  EXPECT_GE(unread, kDataBytes * 3 / 4);
  EXPECT_TRUE(touched());
}

TEST(Ring, CopyInlineCopiesExactly) {
  for (std::size_t n = 0; n <= kInlinePayload; ++n) {
    std::byte from[kInlinePayload], to[kInlinePayload + 1];
    for (std::size_t k = 0; k < kInlinePayload; ++k) from[k] = static_cast<std::byte>(k + 1);
    std::fill(std::begin(to), std::end(to), std::byte{0});
    copy_inline(to, from, n);
    for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(to[k], from[k]);
    EXPECT_EQ(to[n], std::byte{0}) << n;
  }
}

}  // namespace
}  // namespace starling::transport
