// SPDX-License-Identifier: BSD-3-Clause
#include "comm/agree.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "progress/worker.h"

namespace starling::comm {

namespace {

constexpr Context kCreationBit = Context{1} << 62;
constexpr Context kProvisionalBit = Context{1} << 63;
constexpr std::uint32_t kTagMask = 0x3fffffff;

Context creation_context(const Comm& over) { return over.context | kCreationBit | 1; }

Datatype& byte_type() { return *predefined_datatype(kCodeByte); }

void start(p2p::SendOp& op, Comm& over, int tag, const void* data, std::size_t bytes, int rank) {
  p2p::start_send(op, over, creation_context(over), data, static_cast<Count>(bytes), byte_type(), rank, tag);
}

void start(p2p::RecvOp& op, Comm& over, int tag, void* data, std::size_t bytes, int rank) {
  p2p::start_recv(op, over, creation_context(over), data, static_cast<Count>(bytes), byte_type(), rank, tag);
}

void check(const p2p::Operation& op) {
  if (op.status.error != kSuccess) fail(op.status.error, "a message between the processes that create a communicator failed");
}

void finish(Comm& over, const p2p::Operation& op) {
  over.worker->wait([&op] { return op.done; });
  check(op);
}

// The finalizer of splitmix64: every bit of the input changes half of the bits of the result.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

int creation_tag(Comm& parent) { return static_cast<int>(parent.creation_sequence++ & kTagMask); }

int leader_of(const Comm& over, int tag, int n) {
  // Neither alone is enough: the contexts of a chain of copies count up while the tags stay 0.
  return static_cast<int>(((over.context >> 1) + static_cast<Context>(tag)) % static_cast<Context>(n));
}

Context provisional_context(std::initializer_list<std::uint64_t> seed) {
  std::uint64_t hash = 0;
  for (std::uint64_t word : seed) hash = mix(hash ^ word);
  return (hash | kProvisionalBit) & ~(kCreationBit | 1);
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (char c : text) hash = mix(hash ^ static_cast<unsigned char>(c));
  return hash;
}

std::uint64_t hash_of(const Worker& worker, const Group& group) {
  std::uint64_t hash = static_cast<std::uint64_t>(group.size);
  for (int r = 0; r < group.size; ++r) {
    const ProcessId id = worker.peers.id(group.peer(r));
    hash = mix(hash ^ mix(id.job) ^ id.rank);
  }
  return hash;
}

void send(Comm& over, int tag, const void* data, std::size_t bytes, int rank) {
  p2p::SendOp op;
  start(op, over, tag, data, bytes, rank);
  finish(over, op);
}

void receive(Comm& over, int tag, void* data, std::size_t bytes, int rank) {
  p2p::RecvOp op;
  start(op, over, tag, data, bytes, rank);
  finish(over, op);
}

void exchange(Comm& over, int tag, const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes, int rank) {
  Exchange operation;
  operation.start(over, tag, out, out_bytes, in, in_bytes, rank);
  over.worker->wait([&operation] { return operation.step(); });
}

void Exchange::start(Comm& over, int tag, const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes, int rank) {
  comm::start(receive_, over, tag, in, in_bytes, rank);
  comm::start(send_, over, tag, out, out_bytes, rank);
}

bool Exchange::step() {
  if (!receive_.done || !send_.done) return false;
  check(receive_);
  check(send_);
  return true;
}

void broadcast(Comm& over, int tag, void* data, std::size_t bytes, int root) {
  Broadcast operation;
  operation.start(over, tag, data, bytes, root);
  over.worker->wait([&operation] { return operation.step(); });
}

void Broadcast::start(Comm& over, int tag, void* data, std::size_t bytes, int root) {
  over_ = &over;
  tag_ = tag;
  data_ = data;
  bytes_ = bytes;
  root_ = root;
  int me = (over.rank - root + over.size) % over.size;
  if (me == 0) {
    receive_.done = true;
  } else {
    int parent = me & (me - 1);  // without the lowest bit
    comm::start(receive_, over, tag, data, bytes, (parent + root) % over.size);
  }
  if (receive_.done) forward();
}

// Sends to the children: those whose number is ours with one bit more below our lowest bit, the largest subtree first.
void Broadcast::forward() {
  check(receive_);
  forwarded_ = true;
  Comm& over = *over_;
  int me = (over.rank - root_ + over.size) % over.size;
  std::vector<int> children;
  for (int bit = 1; me + bit < over.size && !(me & bit); bit <<= 1) children.push_back(me + bit);
  sends_ = std::vector<p2p::SendOp>(children.size());
  for (std::size_t i = 0; i < children.size(); ++i)
    comm::start(sends_[i], over, tag_, data_, bytes_, (children[children.size() - 1 - i] + root_) % over.size);
}

bool Broadcast::step() {
  if (!forwarded_) {
    if (!receive_.done) return false;
    forward();
  }
  while (sent_ < sends_.size() && sends_[sent_].done) check(sends_[sent_++]);
  return sent_ == sends_.size();
}

void allgather(Comm& over, int tag, void* records, std::size_t record_bytes) {
  const int n = over.size;
  if (n == 1) return;
  auto* result = static_cast<std::byte*>(records);
  // block i of `blocks` is the record of rank me + i; each step doubles the number of blocks that this process has.
  std::vector<std::byte> blocks(static_cast<std::size_t>(n) * record_bytes);
  auto offset = [record_bytes](int i) { return static_cast<std::size_t>(i) * record_bytes; };
  std::memcpy(blocks.data(), result + offset(over.rank), record_bytes);
  for (int have = 1; have < n; have *= 2) {
    std::size_t bytes = offset(std::min(have, n - have));
    p2p::RecvOp incoming;
    p2p::SendOp outgoing;
    start(incoming, over, tag, blocks.data() + offset(have), bytes, (over.rank + have) % n);
    start(outgoing, over, tag, blocks.data(), bytes, (over.rank - have + n) % n);
    finish(over, incoming);
    finish(over, outgoing);
  }
  std::memcpy(result + offset(over.rank), blocks.data(), offset(n - over.rank));
  std::memcpy(result, blocks.data() + offset(n - over.rank), offset(over.rank));
}

}  // namespace starling::comm
