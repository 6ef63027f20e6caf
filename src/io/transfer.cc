// SPDX-License-Identifier: BSD-3-Clause
// The pieces of the file that the view shows, one after the other. Pieces that are near each other are read together with what
// is between them, which costs less than a call of the system for each (data sieving: Thakur, Gropp, Lusk, Frontiers '99).
// Writes go piece by piece, so that nothing is ever written that the program did not write, unless the hint romio_ds_write
// permits it.
#include "io/transfer.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "datatype/layout.h"

namespace starling::io {

namespace {

constexpr Count kLargestHole = 16384;       // that is read along: copying it costs about as much as a call of the system
constexpr std::size_t kMostPieces = 65536;  // that are moved together
constexpr Count kShortRun = 512;            // in memory: shorter ones are gathered by copying them
constexpr Count kStage = 1 << 18;           // bytes that are gathered at a time
constexpr std::size_t kParts = 256;         // pieces of memory for one call of the system

class Transfer {
 public:
  explicit Transfer(Access& access)
      : access_(access), driver_(*access.file->driver), sieve_(may_sieve(access)), locks_(sieve_ && access.writes()) {
    const Hints& hints = access.file->hints;
    room_ = access.writes() ? hints.ind_wr_buffer_size : hints.ind_rd_buffer_size;
  }

  // The next piece of the file; false: the file has ended.
  bool add(Count offset, Count bytes) {
    if (!group_.empty() && !joins(offset, bytes) && !flush()) return false;
    group_.push_back({offset, bytes});
    return sieve_ || flush();
  }
  bool flush() {
    if (group_.empty()) return true;
    const Count before = access_.moved;
    Count wanted = 0;
    for (const Piece& piece : group_) wanted += piece.bytes;
    std::optional<RangeLock> lock;
    if (locks_) lock.emplace(driver_, Sharing::kExclusive, group_.front().offset, end() - group_.front().offset);
    if (group_.size() == 1) {
      move_piece(group_.front());
    } else if (access_.writes()) {
      write_group();
    } else {
      read_group();
    }
    group_.clear();
    return access_.moved - before == wanted;
  }

 private:
  struct Piece {
    Count offset, bytes;
  };

  // Sieving a write reads, and so needs a file that can be read.
  static bool may_sieve(const Access& access) {
    const File& file = *access.file;
    if (file.view.contiguous()) return false;
    if (access.writes()) return file.hints.ds_write == Choice::kEnable && file.amode & kModeRdwr && !file.atomic;
    return file.hints.ds_read != Choice::kDisable;
  }
  Count end() const { return group_.back().offset + group_.back().bytes; }
  bool joins(Count offset, Count bytes) const {
    const Count hole = offset - end();
    return sieve_ && hole >= 0 && hole <= kLargestHole && offset + bytes - group_.front().offset <= room_ &&
           group_.size() < kMostPieces;
  }

  void pack(std::byte* to, Count n) const {
    datatype::pack(access_.memory.address, access_.memory.count, *access_.memory.type, access_.moved, to, n);
  }
  void unpack(const std::byte* from, Count n) const {
    datatype::unpack(access_.memory.address, access_.memory.count, *access_.memory.type, access_.moved, from, n);
  }
  std::byte* buffer(Count bytes) {
    if (bytes > buffer_bytes_) {
      buffer_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
      buffer_bytes_ = bytes;
    }
    return buffer_.get();
  }
  Count move_parts(Count offset, iovec* parts, std::size_t n, Count bytes) {
    if (!access_.writes()) return driver_.read(offset, parts, static_cast<int>(n));
    driver_.write(offset, parts, static_cast<int>(n));
    return bytes;
  }

  // One piece of the file, whatever the memory looks like.
  void move_piece(const Piece& piece) {
    const Datatype& type = *access_.memory.type;
    const bool gather = !type.contiguous && type.size / type.layout->root().run_count < kShortRun;
    for (Count done = 0; done < piece.bytes;) {
      Count now = piece.bytes - done;
      const Count got = gather ? move_gathered(piece.offset + done, now) : move_listed(piece.offset + done, now);
      access_.moved += got;
      done += got;
      if (got < now) return;
    }
  }
  // `bytes` becomes how many of them were tried; returns how many were moved.
  Count move_gathered(Count offset, Count& bytes) {
    bytes = std::min(bytes, kStage);
    iovec part{buffer(kStage), static_cast<std::size_t>(bytes)};
    if (access_.writes()) pack(buffer(kStage), bytes);
    const Count got = move_parts(offset, &part, 1, bytes);
    if (!access_.writes()) unpack(buffer(kStage), got);
    return got;
  }
  Count move_listed(Count offset, Count& bytes) {
    iovec parts[kParts];
    const coll::Data& memory = access_.memory;
    const std::size_t n =
        datatype::segments(memory.address, memory.count, *memory.type, access_.moved, bytes, parts, kParts, bytes);
    return move_parts(offset, parts, n, bytes);
  }

  void read_group() {
    const Count first = group_.front().offset;
    std::byte* block = buffer(end() - first);
    iovec part{block, static_cast<std::size_t>(end() - first)};
    const Count got = driver_.read(first, &part, 1);
    for (const Piece& piece : group_) {
      const Count there = std::clamp<Count>(got - (piece.offset - first), 0, piece.bytes);
      unpack(block + (piece.offset - first), there);
      access_.moved += there;
      if (there < piece.bytes) return;
    }
  }
  void write_group() {
    const Count first = group_.front().offset, span = end() - first;
    std::byte* block = buffer(span);
    iovec part{block, static_cast<std::size_t>(span)};
    const Count got = driver_.read(first, &part, 1);
    std::fill(block + got, block + span, std::byte{0});  // what lies beyond the end of the file becomes a hole of zeros
    for (const Piece& piece : group_) {
      pack(block + (piece.offset - first), piece.bytes);
      access_.moved += piece.bytes;
    }
    part = {block, static_cast<std::size_t>(span)};
    driver_.write(first, &part, 1);
  }

  Access& access_;
  Driver& driver_;
  const bool sieve_;
  const bool locks_;  // a sieving write, and all others of its file, must not see each other's pieces half written
  Count room_ = 0;
  std::vector<Piece> group_;
  std::unique_ptr<std::byte[]> buffer_;
  Count buffer_bytes_ = 0;
};

}  // namespace

void transfer(Access& access) {
  if (access.bytes == 0) return;
  std::optional<RangeLock> lock;  // atomic mode: others see all of the access or nothing (MPI 5.0, 14.6.1)
  if (access.file->atomic) {
    const Count first = access.first_offset();
    lock.emplace(*access.file->driver, access.writes() ? Sharing::kExclusive : Sharing::kShared, first,
                 access.end_offset() - first);
  }
  Transfer transfer(access);
  access.file->view.for_each_piece(access.position, access.bytes,
                                   [&transfer](Count offset, Count bytes) { return transfer.add(offset, bytes); });
  transfer.flush();
}

}  // namespace starling::io
