// SPDX-License-Identifier: BSD-3-Clause
// Making communicators together with other processes: what the creation functions of this folder share. Called with the worker
// lock held; blocking. Results carry the caller's reference; nullptr stands for MPI_COMM_NULL.
#pragma once

#include <string_view>
#include <vector>

#include "comm/comm.h"

namespace starling::comm {

// Throw Error(kErrComm) for the other kind of communicator.
void check_intra(const Comm& comm);
void check_inter(const Comm& comm);

// A communicator over `group`, of which this process is a member. Its members, and nobody else, call this together;
// `provisional` is the same at all of them and tells this creation from others. One of them makes the context and tells the
// others.
Comm* create_members(Worker& worker, Context provisional, Ref<Group> group, const Comm* parent);

// Collective over an intracommunicator: one over some of its ranks, in that order. Every member names the ranks that are to be
// with it, or none. nullptr at those that are not among their `ranks`.
Comm* create_ranks(Comm& parent, const std::vector<int>& ranks);
// The same over the first n ranks.
Comm* create_first(Comm& parent, int n);

// Contexts of an intercommunicator and of its local communicator.
struct InterContexts {
  Context inter = 0;
  Context local = 0;
};

// An intercommunicator object with its local communicator. No communication.
Comm* make_inter(InterContexts contexts, Worker& worker, Ref<Group> local, Ref<Group> remote, const Comm* parent);

// Gives an intracommunicator, whose context is settled, the worker for its users' messages: by its context, among as many as
// all members have, so that all choose alike. Does nothing for intercommunicators and where there is one worker. try_ returns
// false while a member has not begun MPI_Init, so that its number is not known.
bool try_choose_worker(Comm& comm);
void choose_worker(Comm& comm);

// Splits a communicator of either kind (MPI_Comm_split with a wide colour). kNoColor: not a member of any.
inline constexpr std::int64_t kNoColor = INT64_MIN;
Comm* split(Comm& parent, std::int64_t color, int key);

// Hints of an info that this library knows for communicators, or an empty reference.
Ref<Info> known_hints(const Info* info);

}  // namespace starling::comm
