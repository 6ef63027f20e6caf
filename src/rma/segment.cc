// SPDX-License-Identifier: BSD-3-Clause
#include "rma/segment.h"

#include <unistd.h>

namespace starling::rma {

std::uint64_t page_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

Segment::Segment(Comm& comm, std::uint64_t data_bytes, bool with_regions) : ranks_(comm.size) {
  const auto n = static_cast<std::uint64_t>(ranks_);
  const std::uint64_t words = regions_offset() + (with_regions ? n * kMostRegions * sizeof(Region) : 0);
  data_offset_ = (words + page_bytes() - 1) / page_bytes() * page_bytes();
  memory_ = comm::SharedMemory(comm, data_offset_ + data_bytes, "starling-window");
}

}  // namespace starling::rma
