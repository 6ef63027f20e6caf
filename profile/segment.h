// SPDX-License-Identifier: BSD-3-Clause
// The profile segment: where the ranks of a job write what they measure. It is shared memory, so whatever a rank has written is
// there however the rank ends. mpiexec makes it and reads it when the job is over; without our launcher rank 0 does both. It is
// a memfd reached as /proc/<pid>/fd/<n> (environment variable STARLING_PROFILE), so nothing can be left behind.
//
// Format (version 2): Header; then for each rank, at blocks_offset + rank * stride: RankBlock, Traffic[ranks] (what it sent to
// each), Event[capacity]. A block is written by its rank only. Only touched pages cost memory. All times are ticks of clock.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "profile/clock.h"

namespace starling::profile {

inline constexpr std::uint64_t kMagic = 0x32304650474c5453;  // "STLGPF02"
inline constexpr unsigned kMaxCalls = 320;                   // room for Call of calls.gen.h
inline constexpr unsigned kSizeBuckets = 65;                 // bucket b: sizes of b bits, so 0; 1; 2-3; 4-7; ...

struct Header {
  std::uint64_t magic;
  std::uint32_t ranks;
  std::uint32_t steady;  // whether ticks are the processor's counter
  std::uint64_t capacity;
  std::uint64_t blocks_offset;
  std::uint64_t stride;
  std::uint64_t total_bytes;
  Instant start;  // when the segment was made: the first half of the calibration
};

struct CallStats {
  std::uint64_t count;
  std::uint64_t ticks;
  std::uint64_t max;
  std::uint64_t split;  // those of `ticks` whose events tell for whom the call waited
};

struct SizeCount {
  std::uint64_t messages;
  std::uint64_t bytes;
};
using Traffic = SizeCount;

// What a rank has to do with the other ranks that take part in an operation: whose start it may have to wait for.
enum class Role : std::uint8_t {
  kAll,       // for everybody's
  kRoot,      // for everybody's, being the root
  kLeaf,      // for that of the root, which is `partner`
  kPrefix,    // for those of lower ranks in the communicator; `partner` is the own rank there
  kSender,    // for the receiver's
  kReceiver,  // for the sender's
  kLookout,   // a receiver that only looks (MPI_Probe): nobody waits for it
};

// Operations of one kind are named one after the other in steps of this (2^64 times the golden ratio): identities are spread
// evenly over all words however many there are and whichever of them one looks at, so those below a limit are a fair sample.
inline constexpr std::uint64_t kIdentityStep = 0x9e3779b97f4a7c15u;
inline constexpr std::uint32_t kMaxThinned = 63;
// Of a segment in which only one of 2^thinned operations is kept.
inline constexpr std::uint64_t largest_kept_identity(std::uint32_t thinned) { return ~std::uint64_t{0} >> thinned; }

// One operation of one rank. Events of different ranks with one identity are about the same message or collective operation.
struct Event {
  std::uint64_t identity;
  std::uint64_t post;   // when the rank started its part
  std::uint64_t begin;  // when it began to wait for the end of it ...
  std::uint64_t end;    // ... and when that wait was over. Both 0: it never waited
  std::uint32_t partner;
  std::uint16_t call;  // in which it waited
  Role role;
  std::uint8_t unused;
};
static_assert(sizeof(Event) == 40);

enum class RankState : std::uint32_t { kAbsent, kRunning, kFinished };

struct RankBlock {
  RankState state;
  std::uint32_t pid;
  std::uint32_t thinned;        // only events whose identity begins with this many zero bits are kept
  std::uint32_t lost_channels;  // messages that could not be numbered because too many tags are in use
  std::uint64_t run_begin;      // after MPI_Init
  std::uint64_t run_end;        // before MPI_Finalize
  std::uint64_t last;           // end of the last call
  std::uint64_t inside_since;   // and, while a call lasts, which (plus 1) and since when
  std::uint64_t inside;
  std::uint64_t events;
  char program[128];
  char host[64];
  CallStats calls[kMaxCalls];
  SizeCount message_sizes[kSizeBuckets];     // of messages sent
  SizeCount collective_sizes[kSizeBuckets];  // of what this rank contributes to a collective operation
};
static_assert(sizeof(RankBlock) % 8 == 0);

struct Segment {
  std::byte* base = nullptr;
  Header& header() const { return *reinterpret_cast<Header*>(base); }
  RankBlock& block(std::uint32_t rank) const {
    return *reinterpret_cast<RankBlock*>(base + header().blocks_offset + rank * header().stride);
  }
  Traffic* traffic(std::uint32_t rank) const { return reinterpret_cast<Traffic*>(&block(rank) + 1); }
  Event* events(std::uint32_t rank) const { return reinterpret_cast<Event*>(traffic(rank) + header().ranks); }
};

// Makes a segment with room for `capacity` events of each rank; returns its descriptor (close-on-exec) or -1 with errno set.
int create_segment(std::uint32_t ranks, std::uint64_t capacity, Segment& segment);
// Maps the segment at `path`. False if it is not there or not of this version.
bool map_segment(const std::string& path, Segment& segment);

}  // namespace starling::profile
