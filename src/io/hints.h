// SPDX-License-Identifier: BSD-3-Clause
// The hints of a file (MPI 5.0 section 14.2.8), with the names that ROMIO gave them.
#pragma once

#include <string>

#include "base/types.h"
#include "object/info.h"

namespace starling::io {

enum class Choice : std::uint8_t { kAutomatic, kEnable, kDisable };

struct Hints {
  Count cb_buffer_size = 16 << 20;       // bytes of the file that an aggregator works on at a time
  Count cb_nodes = 1;                    // aggregators; one on each node unless told otherwise
  Choice cb_read = Choice::kAutomatic;   // whether collective reads go through aggregators
  Choice cb_write = Choice::kAutomatic;  // likewise collective writes
  Count ind_rd_buffer_size = 4 << 20;    // bytes that a sieving read reads at a time
  Count ind_wr_buffer_size = 512 << 10;
  Choice ds_read = Choice::kAutomatic;  // whether reads of near pieces also read what is between them
  Choice ds_write = Choice::kDisable;   // whether writes of near pieces read and write again what is between them
  Count striping_unit = 0;              // parts of aggregators begin at multiples of it; 0: of 4096

  // Takes over what an info says, or lines "key value" of the file that ROMIO_HINTS names. What cannot be understood is
  // ignored.
  void take(const Info& info);
  void take_system();
  // What holds, with those other hints of `given` that this library keeps without using them.
  Ref<Info> shown(const Info* given) const;
};

}  // namespace starling::io
