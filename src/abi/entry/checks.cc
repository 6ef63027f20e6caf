// SPDX-License-Identifier: BSD-3-Clause
#include "abi/entry/checks.h"

#include <algorithm>
#include <cstring>

#include "abi/entry/collective.h"

namespace starling::abi {

void bad_in_place(const Comm& comm, Argument argument) {
  bad(kErrBuffer, argument,
      comm.inter ? "must not be MPI_IN_PLACE on an intercommunicator" : "may be MPI_IN_PLACE at the root only");
}

int put_string(std::string_view text, char* place, int capacity) {
  const auto length = std::min(text.size(), static_cast<std::size_t>(std::max(capacity - 1, 0)));
  std::memcpy(place, text.data(), length);
  if (capacity > 0) place[length] = '\0';
  return static_cast<int>(length);
}

void put_whole(std::string_view text, char* place, int& length) {
  if (length > 0) put_string(text, place, length);
  length = static_cast<int>(text.size()) + 1;
}

}  // namespace starling::abi
