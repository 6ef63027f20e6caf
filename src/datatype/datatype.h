// SPDX-License-Identifier: BSD-3-Clause
// Datatype: what a buffer looks like in memory, and moving such data to and from contiguous bytes (MPI 5.0 chapter 5).
//
// Ownership: a type keeps the types alive that it was made from. Thread-safety: what is said at each field; moving data only
// reads the type, so that many threads may use one type at once.
#pragma once

#include <sys/uio.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "base/types.h"
#include "object/attributes.h"
#include "object/object.h"
#include "object/pool.h"

namespace starling {

class Layout;     // datatype/layout.h: the canonical nested strided blocks of one element
struct Envelope;  // datatype/envelope.h: how the type was constructed

namespace op {
struct Reduction;
}

// A datatype is immutable once constructed, apart from `committed`, name and attributes. All sizes are in bytes.
struct Datatype : Object {
  Count size = 0;                      // data in one element
  Count lb = 0, extent = 0;            // MPI_Type_get_extent
  Count true_lb = 0, true_extent = 0;  // MPI_Type_get_true_extent
  bool committed = false;
  bool contiguous = false;  // size == extent, true_lb == 0, no gaps, in order: `count` elements are count * size bytes
  bool marked = false;      // lb and ub were set by the user (resized, subarray, darray) and so override those of other parts
  bool permanent = false;   // predefined, with a handle of its own (code != 0) or without (MPI_Type_create_f90_real ...)
  Count alignment = 1;
  // The basic (predefined, non-pair) type of all data if it is the same for all, else nullptr: what a reduction,
  // accumulate or external32 needs to know at once.
  const Datatype* basic = nullptr;
  // Likewise, but a pair of value and index (MPI_DOUBLE_INT ...) counts as one, which an operation on pairs needs to know.
  const Datatype* unit = nullptr;
  mutable std::atomic<const op::Reduction*> reductions{nullptr};  // of a unit: how each operation reduces it; made by op.cc
  std::shared_ptr<const Layout> layout;                           // never null after construction
  std::shared_ptr<const Envelope> envelope;                       // never null after construction
  std::string name;
  Attributes attributes;
};

using DatatypePool = Pool<Datatype, Kind::kDatatype>;
DatatypePool& datatype_pool();  // of those made by users, and of the permanent ones without a handle of their own
void destroy(Datatype& type);

// Predefined type by its standard handle code (kCodeInt ...), nullptr if there is none (for instance kCodeReal16 on a
// machine without it). Thread-safe; a type exists from the first call for it on, for ever.
Datatype* predefined_datatype(unsigned code);

namespace datatype {

// First byte of element 0's data, for a contiguous type. Defined for MPI_BOTTOM (nullptr) too.
inline const std::byte* data_of(const void* buffer, const Datatype& type) {
  return reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(buffer) +
                                            static_cast<std::uintptr_t>(type.true_lb));
}

// Copies bytes [offset, offset + length) of the packed representation of (buffer, count, type) to `packed`, or the other
// way. Any byte offset is allowed: a message can be cut anywhere. Requires offset + length <= count * type.size.
void pack(const void* buffer, Count count, const Datatype& type, Count offset, void* packed, Count length);
void unpack(void* buffer, Count count, const Datatype& type, Count offset, const void* packed, Count length);

// Copies layout to layout without an intermediate buffer where possible; copies min of both packed sizes and returns it.
// The two must not overlap.
Count copy(const void* from, Count from_count, const Datatype& from_type, void* to, Count to_count, const Datatype& to_type);

// Lists the memory that holds bytes [offset, offset + length) of the packed representation as contiguous pieces, in order,
// neighbours merged, at most `n` of them. Returns the number of pieces; `covered` is how many of the bytes they hold (less than
// `length` when n was too small: continue at offset + covered).
std::size_t segments(const void* buffer, Count count, const Datatype& type, Count offset, Count length, iovec* out,
                     std::size_t n, Count& covered);

}  // namespace datatype
}  // namespace starling
