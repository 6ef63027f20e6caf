// SPDX-License-Identifier: BSD-3-Clause
// Messages are queued and delivered from progress, not at once, so that a handler that answers is never entered again by its
// answer.
#include "transport/self/self.h"

#include <cstring>
#include <utility>

#include "datatype/datatype.h"

namespace starling::transport {

namespace {

constexpr std::size_t kEagerLimit = 16384;  // bytes; beyond it one copy instead of two pays

struct Queued {
  Queued* next;
  AmHeader header;
  std::size_t length;
  std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
};

class SelfEndpoint final : public Endpoint {
 public:
  explicit SelfEndpoint(Peer self) {
    peer = self;
    short_limit = eager_limit = kEagerLimit;
    copy_chunk = std::size_t{1} << 22;
    direct = direct_proven = true;
  }
  ~SelfEndpoint() override {
    while (first_) operator delete(pop());
  }

  bool send_short(const AmHeader& header, const void* payload, std::size_t length) override {
    std::byte* to = push(header, length);
    if (length != 0) std::memcpy(to, payload, length);
    return true;
  }

  bool send_packed(const AmHeader& header, const PackSource& source) override {
    std::byte* to = push(header, static_cast<std::size_t>(source.length));
    datatype::pack(source.buffer, source.count, *source.type, source.offset, to, source.length);
    return true;
  }

  bool get(void* local, std::uint64_t remote_address, std::size_t length) override {
    std::memmove(local, reinterpret_cast<const void*>(remote_address), length);
    return true;
  }

  bool put(const void* local, std::uint64_t remote_address, std::size_t length) override {
    std::memmove(reinterpret_cast<void*>(remote_address), local, length);
    return true;
  }

  bool empty() const { return !first_; }

  Queued* pop() {
    Queued* message = first_;
    first_ = message->next;
    if (!first_) last_ = nullptr;
    return message;
  }

 private:
  std::byte* push(const AmHeader& header, std::size_t length) {
    auto* message = new (operator new(sizeof(Queued) + length)) Queued{nullptr, header, length};
    (last_ ? last_->next : first_) = message;
    last_ = message;
    return message->payload();
  }

  Queued* first_ = nullptr;
  Queued* last_ = nullptr;
};

class SelfTransport final : public Transport {
 public:
  explicit SelfTransport(Inbox& inbox) : inbox_(inbox), endpoint_(inbox.self()) {}

  const char* name() const override { return "self"; }
  bool reaches(Peer peer) const override { return peer == endpoint_.peer; }
  Endpoint& connect(Peer) override { return endpoint_; }

  int progress() override {
    int delivered = 0;
    for (; !endpoint_.empty(); ++delivered) {
      Queued* message = endpoint_.pop();
      inbox_.deliver(message->header, endpoint_.peer, message->payload(), message->length);
      operator delete(message);
    }
    return delivered;
  }

  bool arm() override { return endpoint_.empty(); }

 private:
  Inbox& inbox_;
  SelfEndpoint endpoint_;
};

}  // namespace

std::unique_ptr<Transport> make_self(Inbox& inbox) { return std::make_unique<SelfTransport>(inbox); }

}  // namespace starling::transport
