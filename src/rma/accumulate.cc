// SPDX-License-Identifier: BSD-3-Clause
// The accumulate family (MPI 5.0 sections 12.3.4 to 12.3.6). Complete on return, in the order of the calls.
#include <algorithm>
#include <cinttypes>

#include "base/error.h"
#include "datatype/scalar.h"
#include "rma/entry.gen.h"
#include "rma/remote.h"
#include "rma/words.h"

namespace starling::rma {

namespace {

// A buffer of the origin. `type` nullptr: there is none.
struct Buffer {
  const void* address = nullptr;
  Count count = 0;
  const Datatype* type = nullptr;

  Count bytes() const { return type ? count * type->size : 0; }
};

// Everything about one call.
struct Accumulation {
  Win& win;
  const Place& place;
  Count count;  // of target elements
  Datatype& type;
  Count bytes;  // packed
  Update update;
  Buffer in;   // none for MPI_NO_OP
  Buffer out;  // for the former contents; none: they are not wanted
};

// Where the former contents of a range of the result go: into the result itself, or into `room` and from there by put_old.
std::byte* place_for_old(const Accumulation& a, Count offset, std::byte* room) {
  if (!a.out.type) return nullptr;
  return a.out.type->contiguous ? const_cast<std::byte*>(datatype::data_of(a.out.address, *a.out.type)) + offset : room;
}
void put_old(const Accumulation& a, Count offset, const std::byte* room, Count bytes) {
  if (a.out.type && !a.out.type->contiguous)
    datatype::unpack(const_cast<void*>(a.out.address), a.out.count, *a.out.type, offset, room, bytes);
}
const std::byte* data_for(const Accumulation& a, Count offset, Count bytes, std::byte* room) {
  return a.in.type ? packed_part(a.in.address, a.in.count, *a.in.type, offset, bytes, room) : nullptr;
}

// Piece by piece; update(runs, in, old, bytes) changes one.
template <class UpdatePiece>
void in_pieces(const Accumulation& a, Limits limits, UpdatePiece&& update) {
  alignas(kCacheLine) std::byte in_room[kPieceBytes], old_room[kPieceBytes];
  for_pieces(a.place.address, a.count, a.type, a.bytes, a.update.unit.size, limits, [&](Runs runs, Count offset, Count bytes) {
    update(runs, data_for(a, offset, bytes, in_room), place_for_old(a, offset, old_room), bytes);
    put_old(a, offset, old_room, bytes);
  });
}

// Few enough words that single atomic instructions, 2 to 5 ns each, are faster than shutting the others out, which costs some
// 30 ns and a look at every other origin's word.
constexpr Limits kFewWords{2048, kMostRuns};
Count few_words(const Win& win) { return 8 + win.comm->size / 2; }

// Returns false, with nothing done, if this is no case for the processor's atomic instructions.
bool update_singly(const Accumulation& a) {
  Datatype& unit = a.update.unit;
  if (!a.type.unit || !is_word(unit) || a.bytes > std::min(kFewWords.bytes, few_words(a.win) * unit.size)) return false;
  iovec runs[kMostRuns];
  Count covered;
  const std::size_t n = datatype::segments(a.place.pointer(), a.count, a.type, 0, a.bytes, runs, kMostRuns, covered);
  if (covered < a.bytes) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (!aligned(reinterpret_cast<std::uintptr_t>(runs[i].iov_base), unit)) return false;
  alignas(kCacheLine) std::byte in_room[kFewWords.bytes], old_room[kFewWords.bytes];
  const std::byte* in = data_for(a, 0, a.bytes, in_room);
  std::byte* const old = place_for_old(a, 0, old_room);
  {
    const int self = a.win.comm->rank;
    const Single single(a.win.words(a.place.rank).exclusion, a.win.words(self).single,
                        static_cast<std::uint32_t>(a.place.rank));
    for (std::size_t i = 0, done = 0; i < n; done += runs[i].iov_len, ++i)
      update_words(a.update, runs[i].iov_base, in ? in + done : nullptr, old ? old + done : nullptr,
                   static_cast<Count>(runs[i].iov_len) / unit.size);
  }
  put_old(a, 0, old_room, a.bytes);
  return true;
}

// In mapped memory, while nobody else updates it.
void update_mapped(const Accumulation& a) {
  const bool plain = a.type.contiguous && a.update.unit.contiguous && !a.update.compare && a.in.type && a.in.type->contiguous;
  if (!plain)
    return in_pieces(a, {kPieceBytes, kMostRuns}, [&a](Runs runs, const std::byte* in, std::byte* old, Count bytes) {
      modify(LocalMemory{}, runs, a.update, in, old, bytes);
    });
  if (a.out.type)
    datatype::copy(a.place.pointer(), a.count, a.type, const_cast<void*>(a.out.address), a.out.count, *a.out.type);
  apply(a.update, datatype::data_of(a.in.address, *a.in.type), static_cast<std::byte*>(a.place.pointer()), a.bytes);
}

void update_excluding(const Accumulation& a) {
  Win& win = a.win;
  ExclusionWords& words = win.words(a.place.rank).exclusion;
  if (win.shared() && is_word(a.update.unit)) {
    const Bulk bulk(words, win.comm->size, win.comm->rank, static_cast<std::uint32_t>(a.place.rank),
                    [&win](int rank) -> const SingleWord& { return win.words(rank).single; });
    update_mapped(a);
  } else {
    const Locked locked(words);
    update_mapped(a);
  }
}

void run(const Accumulation& a) {
  if (!a.place.target->mapped) {
    const Remote remote(a.win, a.place);
    Limits limits = remote.limits(false);
    in_pieces(a, limits, [&](Runs runs, const std::byte* in, std::byte* old, Count bytes) {
      remote.update(runs, a.update, in, old, bytes);
    });
  } else if (a.place.target->hold == Hold::kExclusive && !a.place.target->unchecked) {
    update_mapped(a);  // nobody else may be there
  } else if (!a.win.shared() || !update_singly(a)) {
    update_excluding(a);
  }
}

// The predefined type that the data is made of, which must know the operation.
Datatype& unit_of(const Datatype& type, const Op& op) {
  if (op.user) fail(kErrOp, "operations of the user cannot be used in one-sided communication");
  if (type.unit && type.unit->code != 0 && op::accumulable(op, type)) return const_cast<Datatype&>(*type.unit);
  // Moving data needs no common type, only that nobody sees a part of an element: bytes may be of anything.
  if (op.code == kCodeReplace || op.code == kCodeNoOp) return *predefined_datatype(kCodeByte);
  fail(kErrOp, "the operation is not defined on the datatype, or the datatype is made of different predefined types");
}

void check_bytes(const char* what, Count bytes, Count target_bytes) {
  if (bytes != target_bytes) [[unlikely]]
    fail(kErrArg, "the %s buffer has %" PRId64 " bytes of data, but the target buffer %" PRId64, what, bytes, target_bytes);
}

// All forms but the two for one element.
void accumulate_all(const Buffer& in, const Buffer& out, int rank, Count disp, Count count, Datatype& type, Op& op, Win& win) {
  const Place place = locate(win, &Counters::updates, rank, disp, count, type);
  if (!place.target) return;
  const Count bytes = count * type.size;
  if (in.type) check_bytes("origin", in.bytes(), bytes);
  if (out.type) check_bytes("result", out.bytes(), bytes);
  if (bytes == 0) return;  // no element on which the operation would have to be defined
  run({win, place, count, type, bytes, Update{op, unit_of(type, op)}, in, out});
}

// One element of a predefined type.
void update_one(const Place& place, const Update& update, const void* in, void* out, Win& win) {
  Datatype& type = update.unit;
  if (win.shared() && is_word(type) && aligned(place.address, type)) [[likely]] {
    const Single single(win.words(place.rank).exclusion, win.words(win.comm->rank).single,
                        static_cast<std::uint32_t>(place.rank));
    return update_words(update, place.pointer(), static_cast<const std::byte*>(in), static_cast<std::byte*>(out), 1);
  }
  run({win, place, 1, type, type.size, update, in ? Buffer{in, 1, &type} : Buffer{}, {out, 1, &type}});
}

void check_predefined(const Datatype& type) {
  if (!type.permanent) [[unlikely]]
    fail(kErrType, "the datatype is not a predefined one");
}

// The place of one element of the origin.
void check_element(const void* buffer, const char* name) {
  if (!buffer || buffer == kInPlace) [[unlikely]]
    fail(kErrBuffer, "%s %s", name, buffer ? "must not be MPI_IN_PLACE" : "is a null pointer");
}

// Which types MPI_Compare_and_swap can be used with (MPI 5.0, 12.3.4).
bool swappable(const Datatype& type) {
  const BasicType* basic = datatype::basic_type(type.code);
  return basic && (basic->family == Family::kInteger || basic->family == Family::kMultiple ||
                   basic->family == Family::kLogical || basic->family == Family::kByte || basic->family == Family::kCharacter);
}

}  // namespace

void accumulate(const void* origin_addr, Count origin_count, Datatype& origin_datatype, int target_rank, Count target_disp,
                Count target_count, Datatype& target_datatype, Op& op, Win& win) {
  if (op.code == kCodeNoOp) fail(kErrOp, "MPI_NO_OP cannot be used in MPI_Accumulate, only where data is fetched");
  accumulate_all({origin_addr, origin_count, &origin_datatype}, {}, target_rank, target_disp, target_count, target_datatype, op,
                 win);
}

void get_accumulate(const void* origin_addr, Count origin_count, Datatype* origin_datatype, void* result_addr,
                    Count result_count, Datatype& result_datatype, int target_rank, Count target_disp, Count target_count,
                    Datatype& target_datatype, Op& op, Win& win) {
  Buffer in;  // what the origin buffer is does not matter for MPI_NO_OP
  if (op.code != kCodeNoOp) {
    if (!origin_datatype || !origin_datatype->committed)
      fail(kErrType, "origin_datatype is %s", origin_datatype ? "not committed (MPI_Type_commit)" : "the null datatype");
    if (!origin_addr && origin_count > 0 && origin_datatype->contiguous && origin_datatype->size > 0)
      fail(kErrBuffer, "origin_addr is a null pointer");
    in = {origin_addr, origin_count, origin_datatype};
  }
  accumulate_all(in, {result_addr, result_count, &result_datatype}, target_rank, target_disp, target_count, target_datatype, op,
                 win);
}

void fetch_and_op(const void* origin_addr, void* result_addr, Datatype& datatype, int target_rank, Count target_disp, Op& op,
                  Win& win) {
  check_predefined(datatype);
  if (op.code != kCodeNoOp) check_element(origin_addr, "origin_addr");
  check_element(result_addr, "result_addr");
  const Place place = locate(win, &Counters::updates, target_rank, target_disp, 1, datatype);
  if (!place.target) return;
  update_one(place, Update{op, unit_of(datatype, op)}, op.code == kCodeNoOp ? nullptr : origin_addr, result_addr, win);
}

void compare_and_swap(const void* origin_addr, const void* compare_addr, void* result_addr, Datatype& datatype, int target_rank,
                      Count target_disp, Win& win) {
  if (!swappable(datatype)) [[unlikely]]
    fail(kErrType, "MPI_Compare_and_swap works on integers, logicals, MPI_AINT, MPI_COUNT, MPI_OFFSET and MPI_BYTE only");
  check_element(origin_addr, "origin_addr");
  check_element(compare_addr, "compare_addr");
  check_element(result_addr, "result_addr");
  const Place place = locate(win, &Counters::updates, target_rank, target_disp, 1, datatype);
  if (!place.target) return;
  const Update update{*predefined_op(kCodeReplace), datatype, static_cast<const std::byte*>(compare_addr)};
  update_one(place, update, origin_addr, result_addr, win);
}

}  // namespace starling::rma
