// SPDX-License-Identifier: BSD-3-Clause
// The core's status. The codecs of the two ABIs (src/abi) convert it to and from the user's MPI_Status.
#pragma once

#include "base/constants.gen.h"
#include "base/types.h"

namespace starling {

struct Status {
  int source = kAnySource;
  int tag = kAnyTag;
  int error = kSuccess;
  bool cancelled = false;
  Count bytes = 0;  // received bytes of packed data; MPI_Get_count and friends divide by the type's size
};

// The empty status of a null or inactive request is Status{} (MPI 5.0, 3.7.3).

}  // namespace starling
