// SPDX-License-Identifier: BSD-3-Clause
// Ring: how messages get from one process to another through the job segment. One ring for each ordered pair of processes,
// written by one, read by the other: no lock, no atomic read-modify-write. doc/shared-segment.md describes the format.
//
// A message is one cell of one cache line: header, up to 40 bytes of payload, and the sequence number that tells the reader
// that the cell is complete, so that a short message is one transfer of one cache line. Longer payloads lie in the data ring,
// and the cell says where.
//
// Memory orders. (1) Writer: header and payload with plain stores, then `sequence` with release. Reader: `sequence` with
// acquire, then the rest. (2) Reader: takes the payload, then publishes how far it has read with release. Writer: reads that
// with acquire before it writes to the cells and data that became free. So neither side ever sees or overwrites half a message,
// on any memory model. The sequence is never cleared: lap n of the ring expects n + 1, what is left from the lap before is n.
//
// Invariants: read <= tail <= read + kCells; data likewise. The reader publishes at the latest when a quarter of either is
// unpublished, so a writer without room always gets at least three quarters once the reader has read everything: a message of
// up to kMostPayload bytes, and the gap that keeps it contiguous at the end of the ring, fits in any case. A gap behind the
// front of the ring takes no room: there is nothing unread before it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/job.h"
#include "base/types.h"
#include "transport/transport.h"

namespace starling::transport {

inline constexpr std::uint32_t kCells = 256;
inline constexpr std::uint32_t kDataBytes = 64 << 10;
inline constexpr std::size_t kInlinePayload = 40;
inline constexpr std::size_t kMostPayload = kDataBytes / 4;
// Short payloads stay in the front of the data ring while the reader keeps up: most pairs of processes never have more under
// way, and each page of the ring that they do not touch is memory saved, each line a miss.
inline constexpr std::uint32_t kFrontBytes = 8 << 10;
inline constexpr std::size_t kShortPayload = kFrontBytes / 16;
inline constexpr std::uint32_t kCopies = 63;

struct alignas(kCacheLine) Cell {
  std::atomic<std::uint32_t> sequence;
  std::uint16_t length;  // of the payload, bytes
  Am am;
  std::uint8_t in_data_ring;  // 1: payload holds the position (u64) of the data, counted from the beginning of the ring's life
  std::int32_t source;
  std::int32_t tag;
  std::uint64_t context;
  std::byte payload[kInlinePayload];
};
static_assert(sizeof(Cell) == kCacheLine && std::atomic<std::uint32_t>::is_always_lock_free);

// In the segment; all zero at the start.
struct Ring {
  // Written by the reader: how far it has read, cells and bytes.
  alignas(kCacheLine) std::atomic<std::uint64_t> cells_read;
  std::atomic<std::uint64_t> data_read;
  SharedCopy copies[kCopies];  // long messages from the writer to the reader
  Cell cells[kCells];
  std::byte data[kDataBytes];
};
static_assert(sizeof(Ring) <= kDefaultRingBytes && offsetof(Ring, cells) == 4096);

// Copies up to kInlinePayload bytes by a few moves of fixed size, which may overlap.
inline void copy_inline(std::byte* to, const std::byte* from, std::size_t n) {
  if (n > 16) {
    std::memcpy(to, from, 16);
    if (n > 32) std::memcpy(to + 16, from + 16, 16);
    std::memcpy(to + n - 16, from + n - 16, 16);
  } else if (n >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + n - 8, from + n - 8, 8);
  } else if (n >= 4) {
    std::memcpy(to, from, 4);
    std::memcpy(to + n - 4, from + n - 4, 4);
  } else if (n > 0) {
    to[0] = from[0];
    to[n / 2] = from[n / 2];
    to[n - 1] = from[n - 1];
  }
}

// The writing end. In the memory of the sender.
class RingWriter {
 public:
  explicit RingWriter(Ring& ring) : ring_(&ring) {}

  // Contiguous payload of at most kMostPayload bytes. False: no room, nothing written.
  bool write(const AmHeader& header, const std::byte* payload, std::size_t length) {
    if (length > kInlinePayload)
      return write_long(header, length, [payload, length](std::byte* to) { std::memcpy(to, payload, length); });
    if (!has_cell()) return false;
    Cell& cell = next_cell();
    copy_inline(cell.payload, payload, length);
    publish(cell, header, length, false);
    return true;
  }

  // The same with fill(std::byte* to), which writes `length` bytes of payload.
  template <class Fill>
  bool write_with(const AmHeader& header, std::size_t length, Fill&& fill) {
    if (length > kInlinePayload) return write_long(header, length, fill);
    if (!has_cell()) return false;
    Cell& cell = next_cell();
    fill(cell.payload);
    publish(cell, header, length, false);
    return true;
  }

 private:
  bool has_cell() {
    if (tail_ - cells_read_ < kCells) [[likely]]
      return true;
    cells_read_ = ring_->cells_read.load(std::memory_order_acquire);
    return tail_ - cells_read_ < kCells;
  }
  Cell& next_cell() { return ring_->cells[tail_ % kCells]; }

  void publish(Cell& cell, const AmHeader& header, std::size_t length, bool in_data_ring) {
    cell.length = static_cast<std::uint16_t>(length);
    cell.am = header.am;
    cell.in_data_ring = in_data_ring;
    cell.source = header.source;
    cell.tag = header.tag;
    cell.context = header.context;
    cell.sequence.store(static_cast<std::uint32_t>(tail_ / kCells) + 1, std::memory_order_release);
    ++tail_;
  }

  template <class Fill>
  bool write_long(const AmHeader& header, std::size_t length, Fill&& fill) {
    if (!has_cell()) return false;
    const std::uint64_t position = place(length);
    if (!has_room(lines_end(position + length))) return false;
    fill(ring_->data + position % kDataBytes);
    data_tail_ = lines_end(position + length);
    Cell& cell = next_cell();
    std::memcpy(cell.payload, &position, sizeof position);
    publish(cell, header, length, true);
    return true;
  }

  // Where the next payload goes. Contiguous: what would cross the end of the ring begins at its start; so does what would leave
  // the front, if everything has been read. That is asked once in a lap, because the answer is a line that the reader writes.
  std::uint64_t place(std::size_t length) {
    const std::uint64_t offset = data_tail_ % kDataBytes, after = offset + length, start = data_tail_ - offset + kDataBytes;
    if (after > kDataBytes) return start;
    const bool leaves_front = offset <= kFrontBytes && after > kFrontBytes;
    if (leaves_front && length <= kShortPayload && look_at_reader() == data_tail_) return data_read_ = start;
    return data_tail_;
  }
  bool has_room(std::uint64_t end) { return end - data_read_ <= kDataBytes || end - look_at_reader() <= kDataBytes; }
  // How far the reader is, as far as it has published that; never before a gap that counts as read.
  std::uint64_t look_at_reader() { return data_read_ = std::max(data_read_, ring_->data_read.load(std::memory_order_acquire)); }
  static std::uint64_t lines_end(std::uint64_t end) { return (end + kCacheLine - 1) / kCacheLine * kCacheLine; }

  Ring* ring_;
  std::uint64_t tail_ = 0;        // cells written
  std::uint64_t cells_read_ = 0;  // as last seen
  std::uint64_t data_tail_ = 0;
  std::uint64_t data_read_ = 0;
};

// The reading end. In the memory of the receiver.
class RingReader {
 public:
  RingReader(Ring& ring, Peer peer) : ring_(&ring), peer_(peer) {}

  // Delivers what is there, at most kBurst messages so that others get their turn. Returns how many.
  int poll(Inbox& inbox) {
    int delivered = 0;
    while (delivered < kBurst) {
      const Cell& cell = ring_->cells[head_ % kCells];
      if (cell.sequence.load(std::memory_order_acquire) != static_cast<std::uint32_t>(head_ / kCells) + 1) break;
      const AmHeader header{cell.context, cell.source, cell.tag, cell.am};
      const std::byte* payload = cell.payload;
      if (cell.in_data_ring) {
        std::uint64_t position;
        std::memcpy(&position, cell.payload, sizeof position);
        payload = ring_->data + position % kDataBytes;
        data_head_ = (position + cell.length + kCacheLine - 1) / kCacheLine * kCacheLine;
      }
      inbox.deliver(header, peer_, payload, cell.length);
      ++head_;
      ++delivered;
      if (head_ - cells_published_ >= kCells / 4 || data_head_ - data_published_ >= kDataBytes / 4) give_credit();
    }
    // The ring is empty, so the writer may begin at its start.
    if (data_head_ != data_published_) give_credit();
    return delivered;
  }

 private:
  static constexpr int kBurst = 64;

  void give_credit() {
    cells_published_ = head_;
    data_published_ = data_head_;
    ring_->cells_read.store(head_, std::memory_order_release);
    ring_->data_read.store(data_head_, std::memory_order_release);
  }

  Ring* ring_;
  Peer peer_;
  std::uint64_t head_ = 0;  // cells read
  std::uint64_t data_head_ = 0;
  std::uint64_t cells_published_ = 0;
  std::uint64_t data_published_ = 0;
};

}  // namespace starling::transport
