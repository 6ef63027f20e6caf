// SPDX-License-Identifier: BSD-3-Clause
// A job of n ranks inside the test program, each with a worker of its own and queues in memory between them.
#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "datatype/datatype.h"
#include "object/comm.h"
#include "p2p/p2p.h"
#include "progress/worker.h"

namespace starling::test {

// What other threads have sent to one rank.
struct Mailbox {
  struct Letter {
    AmHeader header;
    Peer from;
    std::vector<std::byte> payload;
  };
  std::mutex mutex;
  std::deque<Letter> letters;
};

class MailEndpoint final : public Endpoint {
 public:
  MailEndpoint(Peer from, Peer to, Mailbox& mailbox) : from_(from), mailbox_(mailbox) {
    peer = to;
    short_limit = eager_limit = 4096;  // small, so that groups of some size take the rendezvous
  }
  bool send_short(const AmHeader& header, const void* payload, std::size_t length) override {
    auto* bytes = static_cast<const std::byte*>(payload);
    return post(header, std::vector<std::byte>(bytes, bytes + length));
  }
  bool send_packed(const AmHeader& header, const PackSource& source) override {
    std::vector<std::byte> packed(static_cast<std::size_t>(source.length));
    datatype::pack(source.buffer, source.count, *source.type, source.offset, packed.data(), source.length);
    return post(header, std::move(packed));
  }

 private:
  bool post(const AmHeader& header, std::vector<std::byte> payload) {
    std::lock_guard guard(mailbox_.mutex);
    if (mailbox_.letters.size() > 16) return false;  // full at times, like a real one
    mailbox_.letters.push_back({header, from_, std::move(payload)});
    return true;
  }

  Peer from_;
  Mailbox& mailbox_;
};

class MailTransport final : public Transport {
 public:
  MailTransport(Inbox& inbox, std::vector<Mailbox>& boxes) : inbox_(inbox), boxes_(boxes) {}
  const char* name() const override { return "mail"; }
  bool reaches(Peer) const override { return true; }
  Endpoint& connect(Peer peer) override {
    endpoints_.push_back(std::make_unique<MailEndpoint>(inbox_.self(), peer, boxes_[peer]));
    return *endpoints_.back();
  }
  int progress() override {
    std::deque<Mailbox::Letter> arrived;
    {
      std::lock_guard guard(boxes_[inbox_.self()].mutex);
      arrived.swap(boxes_[inbox_.self()].letters);
    }
    for (const auto& letter : arrived) inbox_.deliver(letter.header, letter.from, letter.payload.data(), letter.payload.size());
    return static_cast<int>(arrived.size());
  }
  bool arm() override { return false; }  // no doorbell: never sleep

 private:
  Inbox& inbox_;
  std::vector<Mailbox>& boxes_;
  std::vector<std::unique_ptr<MailEndpoint>> endpoints_;
};

// One rank of n.
struct Rank {
  Rank(int rank, int n, std::vector<Mailbox>& boxes) : worker(static_cast<Peer>(rank), n) {
    worker.ranks_per_core = 2;
    p2p::attach(worker);
    worker.add_transport(std::make_unique<MailTransport>(worker, boxes));
    auto group = Ref<Group>::adopt(object::make_consecutive_group(0, n, worker.self()));
    world = Ref<Comm>::adopt(object::make_comm(kWorldContext, worker, std::move(group), {}, nullptr));
  }
  Worker worker;
  Ref<Comm> world;
};

// Runs body(world) at each of n ranks and returns when all have ended.
template <class Body>
void run_ranks(int n, Body&& body) {
  std::vector<Mailbox> boxes(static_cast<std::size_t>(n));
  std::vector<std::thread> threads;
  for (int r = 0; r < n; ++r)
    threads.emplace_back([&, r] {
      Rank rank(r, n, boxes);
      body(*rank.world);
      p2p::drain(rank.worker);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace starling::test
