// SPDX-License-Identifier: BSD-3-Clause
// Signature: the sequence of basic datatypes in a type, read from the way it was constructed (MPI 5.0 section 5.1).
#pragma once

#include "datatype/datatype.h"
#include "datatype/envelope.h"

namespace starling::datatype {

// How many elements of envelope->types[i] follow each other in a type made from several (struct, pair of value and index), or
// else from envelope->types[0] alone.
inline Count part_length(const Datatype& type, std::size_t i) {
  const Envelope& envelope = *type.envelope;
  if (envelope.combiner == kCombinerStruct) return envelope.large ? envelope.large_counts[i + 1] : envelope.integers[i + 1];
  if (is_pair(type)) return 1;
  Count size = envelope.types[0]->size;
  return size == 0 ? 0 : type.size / size;
}

// Calls visit(const Datatype& basic, Count n) for each stretch of n equal basic elements in `count` elements of the type.
template <class Visit>
void visit_basics(const Datatype& type, Count count, Visit&& visit) {
  if (type.size == 0 || count == 0) return;
  if (type.basic) return visit(*type.basic, count * (type.size / type.basic->size));
  for (Count k = 0; k < count; ++k)
    for (std::size_t i = 0; i < type.envelope->types.size(); ++i)
      visit_basics(*type.envelope->types[i], part_length(type, i), visit);
}

// Number of basic elements in one element of the type.
Count basic_elements(const Datatype& type);
// Number of basic elements in the first `bytes` bytes of packed data of elements of the type, kUndefined if they end inside
// one.
Count elements_in_bytes(const Datatype& type, Count bytes);
// Size of the first `elements` basic elements.
Count bytes_of_elements(const Datatype& type, Count elements);

}  // namespace starling::datatype
