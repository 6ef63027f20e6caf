// SPDX-License-Identifier: BSD-3-Clause
#include "p2p/request.h"

#include <atomic>

#include "base/error.h"
#include "base/events.h"
#include "base/reserve.h"
#include "base/spinlock.h"
#include "p2p/entry.gen.h"
#include "p2p/p2p.h"
#include "progress/worker.h"

namespace starling {

void destroy(Request& request) {
  release(std::exchange(request.comm, nullptr));
  request.ops->destroy(request);
}

namespace p2p {

namespace {

struct alignas(kCacheLine) Slot {
  std::byte bytes[kRequestBytes];
  // Behind the head, which tells for ever that no object is here.
  Slot*& next_free() { return *reinterpret_cast<Slot**>(bytes + sizeof(Object)); }
};

constexpr std::size_t kMostRequests = std::size_t{1} << 22;

// Of the process, not of a worker: handles are found by address. Guarded by the worker lock, except for `used` and what is
// behind it; by a lock of its own as soon as there is more than one worker.
struct RequestPool {
  Reserve memory;
  std::atomic<Slot*> slots{nullptr};  // memory.start()
  std::atomic<std::uint32_t> used{0};
  Slot* free = nullptr;
  std::size_t live = 0;
  std::uint64_t begun = 0;
  std::atomic<bool> shared{false};
  Spinlock lock;
};
constinit RequestPool pool;

class PoolGuard {
 public:
  PoolGuard() : locked_(pool.shared.load(std::memory_order_relaxed)) {
    if (locked_) [[unlikely]]
      pool.lock.lock();
  }
  ~PoolGuard() {
    if (locked_) [[unlikely]]
      pool.lock.unlock();
  }
  PoolGuard(const PoolGuard&) = delete;
  PoolGuard& operator=(const PoolGuard&) = delete;

 private:
  bool locked_;
};

Request* live(Slot* slot) {
  auto* request = std::launder(reinterpret_cast<Request*>(slot));
  return request->kind == Kind::kRequest ? request : nullptr;
}

Slot* reserve() {
  if (!pool.memory.open(kMostRequests * sizeof(Slot))) fail(kErrNoMem, "no address space for requests");
  auto* slots = reinterpret_cast<Slot*>(pool.memory.start());
  pool.slots.store(slots, std::memory_order_release);
  return slots;
}

const RequestOps kCompletedOps{"MPI_Isend", nullptr, nullptr, nullptr, nullptr};

// The outcome of a request that is complete.
bool hand_out(Request& request, Status& status) {
  if (request.ops->finish) request.ops->finish(request);
  if (request.ops->retire) request.ops->retire(request);
  status = request.status;
  if (request.persistent) {
    request.active = false;
    request.complete = false;
    return false;
  }
  if (request.ops != &kCompletedOps) release(&request);
  return true;
}

}  // namespace

void share_request_pool() { pool.shared.store(true, std::memory_order_relaxed); }

void* take_request_slot(std::uint32_t& index) {
  PoolGuard guard;
  Slot* slots = pool.slots.load(std::memory_order_relaxed);
  Slot* slot = pool.free;
  if (slot) {
    pool.free = slot->next_free();
  } else {
    if (!slots) slots = reserve();
    const std::uint32_t used = pool.used.load(std::memory_order_relaxed);
    if (!pool.memory.extend((std::size_t{used} + 1) * sizeof(Slot)))
      fail(kErrNoMem, "%u requests are alive, the most there can be", used);
    slot = &slots[used];
    pool.used.store(used + 1, std::memory_order_release);
  }
  ++pool.live;
  ++pool.begun;
  index = static_cast<std::uint32_t>(slot - slots);
  return slot;
}

void free_request_slot(void* memory) {
  PoolGuard guard;
  auto* slot = static_cast<Slot*>(memory);
  reinterpret_cast<Object*>(slot)->kind = Kind::kFree;
  slot->next_free() = pool.free;
  pool.free = slot;
  --pool.live;
}

Request* find_request(const void* handle) {
  Slot* slots = pool.slots.load(std::memory_order_acquire);
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(slots);
  if (offset >= pool.used.load(std::memory_order_acquire) * sizeof(Slot) || offset % sizeof(Slot) != 0) return nullptr;
  return live(&slots[offset / sizeof(Slot)]);
}

Request* request_at(std::uint32_t index) {
  if (index >= pool.used.load(std::memory_order_acquire)) return nullptr;
  return live(&pool.slots.load(std::memory_order_acquire)[index]);
}

std::size_t live_requests() { return pool.live; }
std::uint64_t requests_begun() { return pool.begun; }
void note_begin() { ++pool.begun; }

bool any_under_way() {
  for (std::uint32_t index = 0, end = pool.used.load(std::memory_order_relaxed); index < end; ++index)
    if (const Request* request = request_at(index); request && request->active && !request->complete) return true;
  return false;
}

Request* completed_send() {
  static Request* const request = [] {
    std::uint32_t index;
    auto* r = new (take_request_slot(index)) Request;
    r->kind = Kind::kRequest;
    r->index = index;
    r->ops = &kCompletedOps;
    r->complete = true;
    --pool.live;  // not the user's
    return r;
  }();
  return request;
}

void complete(Request& request) {
  request.complete = true;
  events::raise(events::Kind::kRequestCompleted, request.status.source, request.status.tag, request.status.bytes,
                request.status.error);
  if (request.freed) release(&request);
}

bool wait(Request& request, Status& status) {
  if (!request.active) {
    status = Status{};
    return false;
  }
  if (!request.complete) request.worker->wait([&request] { return request.complete; });
  return hand_out(request, status);
}

bool test(Request& request, Status& status, bool& freed) {
  freed = false;
  if (!request.active) {
    status = Status{};
    return true;
  }
  if (!request.complete) {
    request.worker->progress();
    if (!request.complete) return false;
  }
  freed = hand_out(request, status);
  return true;
}

bool get_status(Request& request, Status& status) {
  if (!request.active) {
    status = Status{};
    return true;
  }
  if (!request.complete) {
    request.worker->progress();
    if (!request.complete) return false;
  }
  if (request.ops->finish) request.ops->finish(request);
  status = request.status;
  return true;
}

void cancel(Request& request) {
  if (!request.active) fail(kErrRequest, "the persistent request is not active");
  if (request.ops->cancel) request.ops->cancel(request);
}

void request_free(Request*& request) {
  Request& r = *std::exchange(request, nullptr);
  if (r.ops == &kCompletedOps) return;
  if (r.complete || !r.active) {
    release(&r);
  } else {
    r.freed = true;
  }
}

}  // namespace p2p
}  // namespace starling
