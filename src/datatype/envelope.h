// SPDX-License-Identifier: BSD-3-Clause
// Envelope: how a datatype was constructed, in the form in which MPI_Type_get_contents tells it (MPI 5.0 section 5.1.13).
#pragma once

#include <vector>

#include "base/constants.gen.h"
#include "datatype/datatype.h"

namespace starling {

// Immutable and shared. A type made by a `_c` function has its counts, displacements and extents in `large_counts`; the others
// have counts in `integers` and byte displacements in `addresses`.
struct Envelope {
  int combiner = kCombinerNamed;
  bool large = false;
  std::vector<int> integers;
  std::vector<Count> addresses;
  std::vector<Count> large_counts;
  // What the type was made from. For a pair of value and index these two, whether or not MPI_Type_get_contents tells so.
  std::vector<Ref<Datatype>> types;

  void add_count(Count value) {
    if (large) {
      large_counts.push_back(value);
    } else {
      integers.push_back(static_cast<int>(value));
    }
  }
  void add_address(Count value) { (large ? large_counts : addresses).push_back(value); }
};

namespace datatype {

// Whether the type is a pair of value and index, for MPI_MINLOC and MPI_MAXLOC.
inline bool is_pair(const Datatype& type) { return type.permanent && type.envelope->types.size() == 2; }

}  // namespace datatype
}  // namespace starling
