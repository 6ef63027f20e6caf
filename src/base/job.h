// SPDX-License-Identifier: BSD-3-Clause
// The job segment: one shared mapping per host that the launcher makes before it starts the ranks (DESIGN D13). A rank maps it
// and has everything it needs: how many ranks, who they are, where their message rings are. No names, no files: it is a
// memfd of the launcher, reached as /proc/<pid>/fd/<n> (environment variable STARLING_JOB), so nothing can be left behind.
//
// Format (version 5), all offsets from the start of the mapping, all areas page-aligned; touched pages only cost memory:
//   JobHeader
//   RankSlot[ranks]
//   rings: for each worker w, receiver r and sender s, ring_bytes at rings_offset + ((w * ranks + r) * ranks + s) * ring_bytes
//   boards: kBoardsPerRank for each rank, to be given to communicators that it leads, board_bytes each
//   guests: for each rank, GuestClaim[kGuestRings] and as many rings: messages from processes of other jobs
//   (transport/shm/guests.h)
// (transport/shm/ring.h describes a ring, coll/board.h a board).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/types.h"

namespace starling {

inline constexpr std::uint64_t kJobMagic = 0x35304a474c525453;  // "STRLGJ05"

// What the launcher learns from the segment when a rank ends the job (MPI_Abort) or signals it.
struct JobHeader {
  std::uint64_t magic;
  std::uint32_t ranks;         // on this host
  std::uint32_t launcher_pid;  // 0: no launcher of ours (Hydra, singleton)
  std::uint64_t total_bytes;
  std::uint64_t slots_offset;
  std::uint64_t rings_offset;
  std::uint64_t ring_bytes;
  std::uint64_t boards_offset;
  std::uint64_t board_bytes;
  std::uint64_t guests_offset;
  std::uint64_t guests_bytes;  // for each rank
  std::uint64_t job_id;        // random, never 0; tells jobs apart in messages and name-space keys
  // Where others find the segment as long as the job lives: /proc/<holder_pid>/fd/<holder_fd>.
  std::uint32_t holder_pid;
  std::int32_t holder_fd;
  // MPI_Abort: the first rank to change abort_state from 0 to 1 fills the rest and sets 2 (release; the launcher loads it with
  // acquire). Then it sends the launcher SIGCHLD, at which the launcher looks at the segment as well as for children that
  // ended. Not a real-time signal: those have no fixed numbers (an emulator or another C library shifts them), and one that
  // reaches somebody who does not expect it kills.
  alignas(kCacheLine) std::atomic<std::uint32_t> abort_state;
  std::int32_t abort_rank;
  std::int32_t abort_code;
  // How many ranks have come to MPI_Finalize, which nobody leaves before all are there.
  alignas(kCacheLine) std::atomic<std::uint32_t> finalizing;
  // Ranks wait in MPI_Init while this is set: a debugger is still attaching to them.
  std::atomic<std::uint32_t> held;
  // How many ranks have disconnected from the processes that spawned this job: when all have, its end no longer concerns them.
  std::atomic<std::uint32_t> disconnected;
};

// Names a process to processes of other jobs.
struct ProcessAddress {
  std::uint64_t job_id;
  std::uint32_t holder_pid;  // as in JobHeader
  std::int32_t holder_fd;
  std::uint32_t rank;  // in its job
  std::uint32_t unused;
};

// Who writes to a ring for guests. The sender changes the state from kFree to kTaken, then to kOpen (release, after `sender`),
// and as its last access to kClosed (release); the receiver, having read all, makes the ring zero again and the state kFree
// (release).
enum class GuestState : std::uint32_t { kFree, kTaken, kOpen, kClosed };
struct alignas(kCacheLine) GuestClaim {
  std::atomic<GuestState> state;
  ProcessAddress sender;
};
inline constexpr std::uint32_t kGuestRings = 256;

enum class RankState : std::uint32_t { kNotStarted, kInitialized, kFinalized };

// For whom a rank waits that has waited for longer than MVP_HANG_TIMEOUT.
inline constexpr std::uint32_t kMostWaits = 8;
inline constexpr std::uint32_t kWaitsForAnybody = 0xffffffff;

// Workers that a process may have (progress/worker.h).
inline constexpr std::uint32_t kMostWorkers = 4;
inline constexpr std::uint32_t kSenderBits = 15 * 32;

// What peers and one worker of a rank tell each other.
struct WorkerSlot {
  // Whether the worker waits inside MPI, so that it soon looks at what arrives.
  alignas(kCacheLine) std::atomic<std::uint32_t> waiting;
  // A peer that is about to write to its ring to this worker for the first time sets its bit in `senders` and then bumps this,
  // so that the worker looks at the bits. Sender s has bit s modulo kSenderBits: in a larger job the worker takes all that
  // share the bit.
  alignas(kCacheLine) std::atomic<std::uint32_t> new_senders;
  std::atomic<std::uint32_t> senders[kSenderBits / 32];
};
static_assert(sizeof(WorkerSlot) == 2 * kCacheLine);

// One per rank; apart from each other what the rank writes, so that a sender's look at the doorbell does not disturb what
// others read.
struct RankSlot {
  // Written by the rank itself in MPI_Init (pid 0: not yet) and MPI_Finalize; read by the launcher and by peers.
  alignas(kCacheLine) std::atomic<std::uint32_t> pid;
  std::atomic<RankState> state;
  std::int32_t first_cpu;        // launcher: first CPU of the binding, -1 unbound
  std::uint32_t ranks_per_core;  // launcher: how many ranks share this rank's cores, rounded up
  // A rank that waits for too long: when it said so last (1 + seconds of the monotonic clock; stored with release, after the
  // others), and for which ranks.
  std::atomic<std::uint32_t> waits_at;
  std::atomic<std::uint32_t> waits;
  std::atomic<std::uint32_t> waits_for[kMostWaits];
  // Doorbell (transport/doorbell.h): odd while the rank sleeps or is about to; a sender that sees it so rings by futex.
  alignas(kCacheLine) std::atomic<std::uint32_t> sleeping;
  // The rank's shared heap (memory/heap.h), for peers to map: written once, in MPI_Init, the base last (release). Base 0: none.
  std::int32_t heap_fd;
  std::uint64_t heap_reserved;  // bytes
  std::atomic<std::uint64_t> heap_base;
  // How many workers the rank has; 0: it has not begun yet. Written once, when they can receive (release).
  std::atomic<std::uint32_t> workers;
  WorkerSlot worker[kMostWorkers];
};
static_assert(sizeof(RankSlot) == (2 + 2 * kMostWorkers) * kCacheLine);
// Says now that the rank hangs and waits for these, at most kMostWaits.
void leave_waits(RankSlot& slot, const std::uint32_t* ranks, std::uint32_t n);

// Boards (coll/board.h). A stride that is an odd number of lines keeps the slots of different members out of each other's cache
// sets.
inline constexpr std::uint32_t kBoardsPerRank = 8;
inline constexpr std::uint32_t kBoardCells = 4;
inline constexpr std::uint64_t kBoardSlotBytes = 8192;
inline constexpr std::uint64_t kBoardSlotStride = kBoardSlotBytes + kCacheLine;
inline constexpr std::uint64_t kBoardHeadBytes = 1024;
// What stands before the lines of the members: the head, and two bytes for each of them.
inline constexpr std::uint64_t board_front_bytes(std::uint64_t members) {
  return kBoardHeadBytes + (2 * members + kCacheLine - 1) / kCacheLine * kCacheLine;
}
inline constexpr std::uint64_t board_bytes(std::uint64_t members) {
  return board_front_bytes(members) + members * (kCacheLine + kBoardCells * kBoardSlotStride);
}

struct JobMapping {
  std::byte* base = nullptr;
  JobHeader& header() const { return *reinterpret_cast<JobHeader*>(base); }
  RankSlot& slot(std::uint32_t rank) const { return reinterpret_cast<RankSlot*>(base + header().slots_offset)[rank]; }
  std::byte* ring(std::uint32_t receiver, std::uint32_t sender, std::uint32_t worker) const {
    const std::uint64_t row = std::uint64_t{worker} * header().ranks + receiver;
    return base + header().rings_offset + (row * header().ranks + sender) * header().ring_bytes;
  }
  GuestClaim& guest(std::uint32_t receiver, std::uint32_t number) const {
    return reinterpret_cast<GuestClaim*>(base + header().guests_offset + receiver * header().guests_bytes)[number];
  }
  std::byte* guest_ring(std::uint32_t receiver, std::uint32_t number) const {
    const std::uint64_t end = header().guests_offset + (std::uint64_t{receiver} + 1) * header().guests_bytes;
    return base + end - (kGuestRings - number) * header().ring_bytes;
  }
  ProcessAddress address(std::uint32_t rank) const {
    return {header().job_id, header().holder_pid, header().holder_fd, rank, 0};
  }
  std::byte* board(std::uint32_t leader, std::uint32_t number) const {
    return base + header().boards_offset + (std::uint64_t{leader} * kBoardsPerRank + number) * header().board_bytes;
  }
};

// Makes a segment for `ranks` ranks and returns its file descriptor (close-on-exec) and mapping. Throws Error(kErrNoMem).
int create_job_segment(std::uint32_t ranks, std::uint64_t ring_bytes, JobMapping& mapping);
// Maps the segment at `path` (/proc/<pid>/fd/<n>). Throws Error(kErrOther) naming the path and the reason.
JobMapping map_job_segment(const std::string& path);
// The same for that of another job; throws likewise when that job is over.
JobMapping map_job_segment(const ProcessAddress& member);
void unmap_job_segment(JobMapping& mapping);

inline constexpr std::uint64_t kDefaultRingBytes = 128 << 10;

}  // namespace starling
