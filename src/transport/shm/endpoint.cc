// SPDX-License-Identifier: BSD-3-Clause
#include "transport/shm/endpoint.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/settings.h"
#include "datatype/datatype.h"
#include "transport/doorbell.h"
#include "transport/shm/cma.h"

namespace starling::transport {

ShmEndpoint::ShmEndpoint(RankSlot& slot, int worker, Ring& out, Ring* in, Peer to)
    : slot_(slot), waiting_(slot.worker[worker].waiting), writer_(out), out_(out), in_(in), heap_(slot) {
  peer = to;
  eager_limit = static_cast<std::size_t>(std::clamp<std::int64_t>(settings().smp_eagersize, kInlinePayload, kMostPayload));
  short_limit = eager_limit;
  fetch_from = static_cast<std::size_t>(std::max<std::int64_t>(settings().smp_fetchsize, 1024));
  copy_chunk = static_cast<std::size_t>(std::max<std::int64_t>(settings().smp_cma_chunk, 4096));
  direct = settings().smp_use_cma;
}

bool ShmEndpoint::send_short(const AmHeader& header, const void* payload, std::size_t length) {
  if (!writer_.write(header, static_cast<const std::byte*>(payload), length)) {
    lacked_room_ = true;
    return false;
  }
  doorbell::ring(slot_.sleeping);
  return true;
}

bool ShmEndpoint::send_packed(const AmHeader& header, const PackSource& source) {
  const bool sent = writer_.write_with(header, static_cast<std::size_t>(source.length), [&source](std::byte* to) {
    datatype::pack(source.buffer, source.count, *source.type, source.offset, to, source.length);
  });
  if (sent)
    doorbell::ring(slot_.sleeping);
  else
    lacked_room_ = true;
  return sent;
}

bool ShmEndpoint::get(void* local, std::uint64_t remote_address, std::size_t length) {
  if (const std::byte* mapped = heap_.find(remote_address, length)) {
    std::memcpy(local, mapped, length);
    return true;
  }
  return cma_read(pid(), local, remote_address, length);
}

bool ShmEndpoint::put(const void* local, std::uint64_t remote_address, std::size_t length) {
  if (std::byte* mapped = heap_.find(remote_address, length)) {
    std::memcpy(mapped, local, length);
    return true;
  }
  return cma_write(pid(), local, remote_address, length);
}

SharedCopy* ShmEndpoint::open_copy(std::uint32_t& id) {
  for (std::uint64_t free = ~open_copies_ & kAllCopies; free != 0; free &= free - 1) {
    id = static_cast<std::uint32_t>(std::countr_zero(free));
    SharedCopy& copy = out_.copies[id];
    if (copy.busy.load(std::memory_order_acquire)) continue;  // the receiver has not let go yet
    open_copies_ |= std::uint64_t{1} << id;
    copy.target.store(0, std::memory_order_relaxed);
    copy.busy.store(1, std::memory_order_relaxed);  // the message that names the copy publishes both
    return &copy;
  }
  id = kNoCopy;
  return nullptr;
}

void ShmEndpoint::notify() { doorbell::ring(slot_.sleeping); }

}  // namespace starling::transport
