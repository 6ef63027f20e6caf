// SPDX-License-Identifier: BSD-3-Clause
// How two groups that become an intercommunicator learn of each other: the leaders meet somehow (over a communicator, a port, a
// socket), and each tells its side.
#pragma once

#include <vector>

#include "base/error.h"
#include "comm/agree.h"
#include "comm/create.h"

namespace starling::comm {

// What the leaders tell each other, and then their sides.
struct Introduction {
  InterContexts proposal;
  std::int32_t size;
  std::int32_t error;  // class, if the leader cannot take part
};
struct OtherSide {
  Introduction says{};
  std::vector<ProcessAddress> members;
};

// What the leader of `local` says.
Introduction introduce(const Comm& local);
// Turns what the other leader said into what the local side has to know. Both sides propose contexts, the smaller is taken.
void agree(const Introduction& mine, Introduction& theirs);

// Everybody's part: the local leader passes on what it learned from the other, or that it could not. Throws the error then.
Comm* join_sides(Comm& local, int leader, OtherSide theirs);

// Collective over `local`: the leader runs meet(), which returns an OtherSide; an error there is first told to the local
// group, which would wait for ever otherwise.
template <class Meet>
Comm* create_inter(Comm& local, int leader, Meet&& meet) {
  OtherSide theirs;
  if (local.rank == leader) {
    try {
      theirs = meet();
    } catch (const Error& error) {
      theirs.says = {{}, 0, error.error_class};
      broadcast(local, creation_tag(local), &theirs.says, sizeof theirs.says, leader);
      throw;
    }
  }
  return join_sides(local, leader, std::move(theirs));
}

}  // namespace starling::comm
