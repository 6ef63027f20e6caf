// SPDX-License-Identifier: BSD-3-Clause
// What the buffers of a collective look like: Data is one piece of memory, Blocks one piece for each rank (or neighbour).
// Both are views: they own nothing and are copied freely.
#pragma once

#include <cstdint>

#include "base/constants.gen.h"
#include "base/types.h"
#include "datatype/datatype.h"

namespace starling::coll {

// Address arithmetic that also holds for MPI_BOTTOM (nullptr).
inline void* shifted(void* address, Count bytes) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(bytes));
}

// `count` elements of `type` at `address`, the three parameters by which MPI describes a buffer. Buffers that are only sent are
// not written, although the address is not const.
struct Data {
  void* address = nullptr;
  Count count = 0;
  const Datatype* type = nullptr;

  bool in_place() const { return address == kInPlace; }
  Count bytes() const { return count * type->size; }
  // Elements first, first + 1, ... first + n - 1.
  Data part(Count first, Count n) const { return {shifted(address, first * type->extent), n, type}; }
};

inline Data data(const void* address, Count count, const Datatype& type) { return {const_cast<void*>(address), count, &type}; }

inline const Datatype& byte_type() {
  static const Datatype& type = *predefined_datatype(kCodeByte);
  return type;
}
// How much memory `count` elements with the layout of `type` need, gaps included, and the elements if they begin at `memory`.
inline Count low_end(Count count, const Datatype& type) {
  const Count spread = count > 0 ? (count - 1) * type.extent : 0;  // of the first bytes of the elements; may be negative
  return type.true_lb + (spread < 0 ? spread : 0);
}
inline Count span(Count count, const Datatype& type) {
  const Count spread = count > 0 ? (count - 1) * type.extent : 0;
  return type.true_extent + (spread < 0 ? -spread : spread);
}
inline Data fitted(void* memory, Count count, const Datatype& type) {
  return {shifted(memory, -low_end(count, type)), count, &type};
}

// `n` bytes without structure: how data travels through processes that do not know its type.
inline Data raw(void* address, Count n) { return {address, n, &byte_type()}; }

// The three ways in which MPI gives a buffer of many blocks: equal blocks one after the other (MPI_Gather), blocks with counts
// and displacements in elements (MPI_Gatherv), or with types and displacements in bytes (MPI_Alltoallw).
struct Blocks {
  void* address = nullptr;
  Count count = 0;                 // of each block, without `counts`
  const Datatype* type = nullptr;  // of each block, without `types`
  CountArray counts;
  CountArray displacements;          // with `counts`
  Datatype* const* types = nullptr;  // with `counts`; displacements are in bytes then

  bool in_place() const { return address == kInPlace; }
  bool uniform() const { return !counts; }
  Data operator[](int i) const {
    if (uniform()) return {shifted(address, i * count * type->extent), count, type};
    if (types) return {shifted(address, displacements[i]), counts[i], types[i]};
    return {shifted(address, displacements[i] * type->extent), counts[i], type};
  }
  Count bytes(int i) const { return (counts ? counts[i] : count) * (types ? types[i] : type)->size; }
};

inline Blocks blocks(const void* address, Count count, const Datatype& type) {
  return {const_cast<void*>(address), count, &type, {}, {}, nullptr};
}
inline Blocks blocks(const void* address, CountArray counts, CountArray displacements, const Datatype& type) {
  return {const_cast<void*>(address), 0, &type, counts, displacements, nullptr};
}
inline Blocks blocks(const void* address, CountArray counts, CountArray displacements, Datatype* const* types) {
  return {const_cast<void*>(address), 0, nullptr, counts, displacements, types};
}

// Cuts `total` things into `parts` runs whose lengths differ by one at most.
struct Partition {
  Count total;
  int parts;
  Count first(int part) const { return total / parts * part + (part < total % parts ? part : total % parts); }
  Count length(int part) const { return first(part + 1) - first(part); }
};

}  // namespace starling::coll
