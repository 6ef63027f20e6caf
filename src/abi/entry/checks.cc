// SPDX-License-Identifier: BSD-3-Clause
#include "abi/entry/checks.h"

#include <algorithm>
#include <cstring>
#include <iterator>

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

Count cart_dims(const Comm& of) { return std::ssize(comm::topology(of, kCart).dims); }
Count weights_in(const Comm& of, int room) {
  const Topology& graph = comm::topology(of, kDistGraph);
  return graph.weighted ? std::min<Count>(room, std::ssize(graph.sources)) : 0;
}
Count weights_out(const Comm& of, int room) {
  const Topology& graph = comm::topology(of, kDistGraph);
  return graph.weighted ? std::min<Count>(room, std::ssize(graph.destinations)) : 0;
}

}  // namespace starling::abi
