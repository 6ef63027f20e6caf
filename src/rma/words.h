// SPDX-License-Identifier: BSD-3-Clause
// Elements of 1, 2, 4 or 8 bytes that the processor's atomic instructions can change in memory that all processes have mapped.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rma/update.h"

namespace starling::rma {

// Whether data of this predefined type is made of such elements. (Complex numbers of 8 bytes are; pairs are not.)
inline bool is_word(const Datatype& unit) {
  return unit.basic == &unit && (unit.size == 8 || unit.size == 4 || unit.size == 2 || unit.size == 1);
}
inline bool aligned(std::uintptr_t address, const Datatype& unit) {
  return address % static_cast<std::uintptr_t>(unit.size) == 0;
}

// Applies the update to n elements at `at`, each atomically (acquire and release). `in` and `old` (unless nullptr) are arrays
// in private memory, of any alignment; `in` is not looked at for MPI_NO_OP.
void update_words(const Update& update, void* at, const std::byte* in, std::byte* old, Count n);

}  // namespace starling::rma
