// SPDX-License-Identifier: BSD-3-Clause
// MPI_Put and MPI_Get (MPI 5.0 sections 12.3.1, 12.3.2). Both are complete when they return.
#include <cinttypes>

#include "base/error.h"
#include "rma/entry.gen.h"
#include "rma/remote.h"

namespace starling::rma {

namespace {

void check_fits(Count from, Count to) {
  if (from > to) [[unlikely]]
    fail(kErrTruncate, "%" PRId64 " bytes of data do not fit into a buffer of %" PRId64 " bytes", from, to);
}

// A short copy of a usual length is one load and one store, which nobody can see half done.
inline void copy_bytes(const void* from, void* to, Count bytes) {
  switch (bytes) {
    case 1:
      return static_cast<void>(std::memcpy(to, from, 1));
    case 2:
      return static_cast<void>(std::memcpy(to, from, 2));
    case 4:
      return static_cast<void>(std::memcpy(to, from, 4));
    case 8:
      return static_cast<void>(std::memcpy(to, from, 8));
    default:
      std::memmove(to, from, static_cast<std::size_t>(bytes));
  }
}

inline void copy_mapped(const void* from, Count from_count, const Datatype& from_type, void* to, Count to_count,
                        const Datatype& to_type) {
  if (from_type.contiguous && to_type.contiguous) [[likely]] {
    copy_bytes(datatype::data_of(from, from_type), const_cast<std::byte*>(datatype::data_of(to, to_type)),
               from_count * from_type.size);
  } else {
    datatype::copy(from, from_count, from_type, to, to_count, to_type);
  }
}

void put_remote(Win& win, const Place& place, const void* origin, Count count, const Datatype& type, Count target_count,
                const Datatype& target_type) {
  const Remote remote(win, place);
  alignas(kCacheLine) std::byte room[kPieceBytes];
  for_pieces(
      place.address, target_count, target_type, count * type.size, 1, remote.limits(type.contiguous),
      [&](Runs runs, Count offset, Count bytes) { remote.write(runs, packed_part(origin, count, type, offset, bytes, room)); });
}

void get_remote(Win& win, const Place& place, void* origin, Count count, const Datatype& type, Count target_count,
                const Datatype& target_type) {
  const Remote remote(win, place);
  alignas(kCacheLine) std::byte room[kPieceBytes];
  for_pieces(place.address, target_count, target_type, target_count * target_type.size, 1, remote.limits(type.contiguous),
             [&](Runs runs, Count offset, Count bytes) {
               if (type.contiguous) {
                 remote.read(runs, const_cast<std::byte*>(datatype::data_of(origin, type)) + offset);
               } else {
                 remote.read(runs, room);
                 datatype::unpack(origin, count, type, offset, room, bytes);
               }
             });
}

}  // namespace

void put(const void* origin_addr, Count origin_count, Datatype& origin_datatype, int target_rank, Count target_disp,
         Count target_count, Datatype& target_datatype, Win& win) {
  const Place place = locate(win, &Counters::puts, target_rank, target_disp, target_count, target_datatype);
  if (!place.target) return;
  check_fits(origin_count * origin_datatype.size, target_count * target_datatype.size);
  if (place.target->mapped) [[likely]] {
    copy_mapped(origin_addr, origin_count, origin_datatype, place.pointer(), target_count, target_datatype);
  } else {
    put_remote(win, place, origin_addr, origin_count, origin_datatype, target_count, target_datatype);
  }
}

void get(void* origin_addr, Count origin_count, Datatype& origin_datatype, int target_rank, Count target_disp,
         Count target_count, Datatype& target_datatype, Win& win) {
  const Place place = locate(win, &Counters::gets, target_rank, target_disp, target_count, target_datatype);
  if (!place.target) return;
  check_fits(target_count * target_datatype.size, origin_count * origin_datatype.size);
  if (place.target->mapped) [[likely]] {
    copy_mapped(place.pointer(), target_count, target_datatype, origin_addr, origin_count, origin_datatype);
  } else {
    get_remote(win, place, origin_addr, origin_count, origin_datatype, target_count, target_datatype);
  }
}

}  // namespace starling::rma
