// SPDX-License-Identifier: BSD-3-Clause
// Transport: a way to move bytes. It carries active messages (a small header plus payload, delivered in order for each pair of
// processes) and, where it can, reads and writes the peer's memory. It knows nothing of MPI matching: p2p/ owns matching
// and protocols, once, for all transports (DESIGN D3).
//
// Thread-safety: all calls are made with the worker lock held.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/job.h"
#include "base/types.h"

namespace starling {

struct Datatype;
namespace p2p {
struct SendOp;
}

// What an active message is for; the index of its handler in the worker (p2p/ registers the handlers).
enum class Am : std::uint8_t {
  kEager,      // a whole message: envelope + packed data
  kEagerSync,  // the same behind 8 bytes that kAck carries back: the sender waits for it (synchronous mode)
  kRts,        // rendezvous: request to send; payload p2p::RtsPayload
  kCts,        // rendezvous: the receive is matched, send
  kData,       // rendezvous without direct access: a fragment of packed data
  kFin,        // rendezvous: the receiver has read all, the send is complete
  kAck,        // a kEagerSync message was matched
  kRma,        // one-sided: act on memory of the receiver (rma/messages.cc)
  kRmaAnswer,  // it is done; payload: what the memory held
  kCount_,
};

// Envelope of a message; meaning of the fields for messages other than kEager* and kRts is the protocol's.
struct AmHeader {
  std::uint64_t context;
  std::int32_t source;  // rank of the sender in the communicator (its local group)
  std::int32_t tag;
  Am am;
};

// Packed bytes [offset, offset + length) of (buffer, count, type), to be written straight into the transport's memory.
struct PackSource {
  const void* buffer;
  Count count;
  const Datatype* type;
  Count offset;
  Count length;
};

// Where transports put what arrives: the table of message handlers of one worker, which derives from this.
class Inbox {
 public:
  explicit Inbox(Peer self) : self_(self) {}
  virtual ~Inbox() = default;
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  using Handler = void (*)(Inbox&, const AmHeader&, Peer from, const std::byte* payload, std::size_t length);

  // Called by transports for every arrived message; the payload is valid during the call only.
  void deliver(const AmHeader& header, Peer from, const std::byte* payload, std::size_t length) {
    handlers_[static_cast<std::size_t>(header.am)](*this, header, from, payload, length);
  }
  void set_handler(Am am, Handler handler) { handlers_[static_cast<std::size_t>(am)] = handler; }
  Peer self() const { return self_; }

  // Processes of other jobs: their number in this process, given to them now if they have none, and back.
  virtual Peer admit(const ProcessAddress& address);
  virtual ProcessAddress address(Peer peer) const;

  // The doorbell (transport/doorbell.h): odd while the worker sleeps. A transport whose peers can see memory of the job moves
  // it there.
  std::atomic<std::uint32_t>* bell = &own_bell_;
  // 1 while the worker waits (Worker::wait); likewise.
  std::atomic<std::uint32_t>* waiting = &own_waiting_;

 private:
  Handler handlers_[static_cast<std::size_t>(Am::kCount_)] = {};
  std::atomic<std::uint32_t> own_bell_{0};
  std::atomic<std::uint32_t> own_waiting_{0};
  Peer self_;
};

// A long copy that sender and receiver do together, in memory that both see (one cache line). The copy is cut into chunks; each
// side claims the next one from `next` and copies it with get or put, until all `chunks` are `finished`. The receiver publishes
// it by storing `target` (release), after `chunks` and `chunk_bytes`; a sender that is not inside MPI simply does not take
// part.
struct alignas(kCacheLine) SharedCopy {
  std::atomic<std::uint64_t> target;  // address of the data in the receiver; 0: not yet matched
  std::uint64_t bytes;                // to copy in all
  std::uint64_t chunk_bytes;
  std::uint32_t chunks;
  std::atomic<std::uint32_t> next;      // chunk to be claimed next; >= chunks: none left
  std::atomic<std::uint32_t> finished;  // chunks that have been copied (acq_rel: whoever sees all sees the data)
  std::atomic<std::uint32_t> returned;  // 1 + chunk that the sender could not copy; the receiver takes it over
  std::atomic<std::uint32_t> busy;      // set by the sender when it opens the copy, cleared by the receiver as its last access
};
static_assert(sizeof(SharedCopy) == kCacheLine);

inline constexpr std::uint32_t kNoCopy = 0xffffffff;

// One peer through one transport. Limits are fixed when the endpoint is made (DESIGN D10: choose at setup, not per call).
class Endpoint {
 public:
  virtual ~Endpoint() = default;

  // Bytes that any endpoint can carry in one message, whatever its limits (below) say about when that pays.
  static constexpr std::size_t kLeastMessage = 8192;

  // Sends a message of at most `short_limit` contiguous payload bytes. Returns false, with nothing sent, when there is no room:
  // the caller queues the message and tries again from progress, in order.
  virtual bool send_short(const AmHeader& header, const void* payload, std::size_t length) = 0;
  // The same for at most `eager_limit` bytes, packed directly to where the peer reads them.
  virtual bool send_packed(const AmHeader& header, const PackSource& source) = 0;

  // Where memory of the peer is mapped here, until the peer frees it; nullptr: it is not. For what is mapped get and put cannot
  // fail.
  virtual std::byte* map(std::uint64_t remote_address, std::size_t length) {
    (void)remote_address, (void)length;
    return nullptr;
  }

  // Direct access to the peer's memory, where it is mapped, or `direct`. Synchronous (memory or kernel-assisted copy). False:
  // not permitted, nothing copied; the caller falls back to kData fragments.
  virtual bool get(void* local, std::uint64_t remote_address, std::size_t length) {
    (void)local, (void)remote_address, (void)length;
    return false;
  }
  virtual bool put(const void* local, std::uint64_t remote_address, std::size_t length) {
    (void)local, (void)remote_address, (void)length;
    return false;
  }

  // Shared copies, where the transport has memory for them. The sender opens one for a message to the peer (nullptr: none
  // free), and closes it when it has seen the end; the receiver finds it by the id that came with the message.
  virtual SharedCopy* open_copy(std::uint32_t& id) {
    id = kNoCopy;
    return nullptr;
  }
  virtual void close_copy(std::uint32_t id) { (void)id; }
  virtual SharedCopy* find_copy(std::uint32_t id) {
    (void)id;
    return nullptr;
  }
  // Whether the peer waits inside MPI at the moment. A hint.
  virtual bool peer_waits() const { return false; }
  // Wakes the peer if it sleeps: after a change in memory of both (a SharedCopy ...) that it may wait for.
  virtual void notify() {}

  Peer peer = 0;
  std::size_t short_limit = 0;  // bytes, contiguous
  std::size_t eager_limit = 0;  // bytes; longer messages use rendezvous
  std::size_t fetch_from =
      SIZE_MAX;  // bytes; from here to eager_limit a peer that waits had better copy from our memory if it can
  std::size_t copy_chunk = 1 << 17;  // bytes a side moves at a time by get or put
  bool direct = false;               // get and put may be tried on memory that is not mapped
  bool direct_proven = false;        // such a get has worked
  bool put_failed = false;           // such a put was refused: this side does not help with shared copies there

  // Messages that found no room, oldest first; the list belongs to p2p/ (protocol.cc).
  p2p::SendOp* pending = nullptr;
  p2p::SendOp* pending_last = nullptr;
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual const char* name() const = 0;
  // Whether this transport can reach the peer, and the endpoint to it (owned by the transport, made on first use).
  virtual bool reaches(Peer peer) const = 0;
  virtual Endpoint& connect(Peer peer) = 0;
  // This process has nothing more for the peer, a process of another job: its endpoint ends. False if the peer may still send.
  virtual bool disconnect(Peer peer) {
    (void)peer;
    return true;
  }
  // Delivers arrived messages with inbox.deliver(). Returns how many.
  virtual int progress() = 0;
  // Before sleeping: true if nothing has arrived and a later arrival will ring the worker's doorbell (transport/doorbell.h).
  virtual bool arm() = 0;
};

}  // namespace starling
