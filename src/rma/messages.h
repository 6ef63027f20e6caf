// SPDX-License-Identifier: BSD-3-Clause
// Access to a target's memory by messages (Am::kRma), where the kernel does not permit the origin to copy. Used by remote.cc.
#pragma once

#include "rma/remote.h"

namespace starling::rma {

enum class Act : std::uint8_t { kRead, kWrite, kUpdate };

// What fits into one message.
inline constexpr Limits kMessageLimits{2048, 64};

// Asks the target to act on `bytes` bytes of its memory and waits until it has. `in`: data for kWrite and kUpdate, `out`: place
// for the (former) contents, or nullptr. `update` is for kUpdate.
void ask(Win& win, Endpoint& endpoint, Act act, Runs runs, const Update* update, const std::byte* in, std::byte* out,
         Count bytes);

}  // namespace starling::rma
