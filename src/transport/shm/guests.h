// SPDX-License-Identifier: BSD-3-Clause
// Guests: processes of other jobs that this one exchanges messages with (doc/dynamic.md).
//
// A process writes to one of another job by a ring in the receiver's job segment, which it maps: each rank has kGuestRings
// rings that no rank of its own job uses, and a claim in front of each (base/job.h). The sender claims a free one, counts
// new_senders up as ranks do, and so is met. When it has nothing more to say it closes the claim and may unmap the segment, or
// end: the receiver reads what is there and frees the ring. The two directions of a pair come and go independently of each
// other.
//
// Called with the worker lock held.
#pragma once

#include <memory>
#include <vector>

#include "transport/shm/endpoint.h"

namespace starling::transport {

class Guests {
 public:
  Guests(Inbox& inbox, const JobMapping& job) : inbox_(inbox), job_(job) {}

  // The endpoint to a guest. Throws Error(kErrOther) if its job is over, Error(kErrNoMem) if all its rings are taken.
  Endpoint& connect(Peer peer);
  // Closes it. False if the guest may still send.
  bool disconnect(Peer peer);

  // Looks at the claims: new_senders has changed.
  void meet();
  bool any() const { return !readers_.empty(); }
  int progress();
  bool lacked_room() {  // as ShmEndpoint::lacked_room, of any
    bool lacked = false;
    for (End& end : ends_) lacked |= end.endpoint->lacked_room();
    return lacked;
  }

  // Ends this process, by the job's abort, if a guest that it has an endpoint to has died.
  void check() const;

 private:
  // The segment of a job, mapped as long as an endpoint needs it.
  struct Job {
    explicit Job(const ProcessAddress& member) : mapping(map_job_segment(member)) {}
    ~Job() { unmap_job_segment(mapping); }
    Job(const Job&) = delete;
    JobMapping mapping;
  };
  struct End {
    std::shared_ptr<Job> job;
    RankSlot* slot;
    GuestClaim* claim;
    std::unique_ptr<ShmEndpoint> endpoint;
  };
  struct Reader {
    GuestClaim* claim;
    Ring* ring;
    Peer peer;
    RingReader reader;
  };

  std::shared_ptr<Job> job_of(const ProcessAddress& member) const;
  Ring& ring(std::uint32_t number) const { return *reinterpret_cast<Ring*>(job_.guest_ring(inbox_.self(), number)); }
  End* end_of(Peer peer);
  Reader* reader_of(Peer peer);
  void drain(Reader& reader);

  Inbox& inbox_;
  JobMapping job_;
  std::vector<End> ends_;
  std::vector<Reader> readers_;
};

}  // namespace starling::transport
