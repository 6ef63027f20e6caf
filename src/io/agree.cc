// SPDX-License-Identifier: BSD-3-Clause
#include "io/agree.h"

#include <cstdio>
#include <vector>

#include "comm/agree.h"

namespace starling::io {

namespace {

struct Vote {
  std::uint64_t value;
  std::int32_t error;
  char text[180];
};

}  // namespace

void agree(Comm& comm, const Error& mine, std::uint64_t value, const char* argument) {
  const int tag = comm::creation_tag(comm);
  std::vector<Vote> votes(static_cast<std::size_t>(comm.size));
  Vote& own = votes[static_cast<std::size_t>(comm.rank)];
  own.value = value;
  own.error = mine.error_class;
  std::snprintf(own.text, sizeof own.text, "%s", mine.message.c_str());
  comm::allgather(comm, tag, votes.data(), sizeof(Vote));
  if (mine.error_class != kSuccess) throw Error(mine);
  for (const Vote& vote : votes)
    if (vote.error != kSuccess) fail(vote.error, "%s", vote.text);
  for (const Vote& vote : votes)
    if (vote.value != value) fail(kErrNotSame, "the processes call with different values of %s", argument);
}

}  // namespace starling::io
