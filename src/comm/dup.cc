// SPDX-License-Identifier: BSD-3-Clause
#include "comm/dup.h"

#include <algorithm>

#include "base/error.h"
#include "comm/create.h"
#include "comm/entry.gen.h"
#include "comm/topology.h"
#include "progress/worker.h"

namespace starling::comm {

Duplication::Duplication(Comm& parent) : parent_(&parent) {
  tag_ = creation_tag(parent);
  if (parent.inter) local_tag_ = creation_tag(*parent.local_comm);
  Worker& worker = *parent.worker;
  made_ = Ref<Comm>::adopt(parent.inter ? make_inter({}, worker, parent.group, parent.remote_group, &parent)
                                        : make_comm(0, worker, parent.group, {}, &parent));
  if (parent.topology) made_->topology = make_held<Topology>(*parent.topology);
  parent.attributes.copy_to(parent, made_->attributes);
  start();
}

// Of an intracommunicator, the leader makes the context. Of an intercommunicator, the leaders exchange proposals, the smaller
// is taken, and each tells its side together with the context of the local communicator.
void Duplication::start() {
  Comm& parent = *parent_;
  leader_ = leader_of(parent, tag_, parent.size);
  mine_ = {next_context(), 0};
  if (!parent.inter) {
    broadcast_.start(parent, tag_, &mine_, sizeof mine_, leader_);
    return;
  }
  mine_.local = next_context();
  meeting_ = parent.rank == leader_;
  if (meeting_)
    exchange_.start(parent, tag_, &mine_, sizeof mine_, &theirs_, sizeof theirs_, leader_of(parent, tag_, parent.remote_size));
  else
    broadcast_.start(*parent.local_comm, local_tag_, &mine_, sizeof mine_, leader_);
}

bool Duplication::step() {
  if (meeting_) {
    if (!exchange_.step()) return false;
    meeting_ = false;
    mine_.inter = std::min(mine_.inter, theirs_.inter);
    broadcast_.start(*parent_->local_comm, local_tag_, &mine_, sizeof mine_, leader_);
  }
  if (!broadcast_.step()) return false;
  made_->context = mine_.inter;
  if (made_->local_comm) made_->local_comm->context = mine_.local;
  return try_choose_worker(*made_);
}

void comm_dup(Comm& comm, Comm*& newcomm) {
  Duplication duplication(comm);
  comm.worker->wait([&duplication] { return duplication.step(); });
  newcomm = retain(&duplication.made());
}

void comm_dup_with_info(Comm& comm, Info* info, Comm*& newcomm) {
  comm_dup(comm, newcomm);
  newcomm->info = known_hints(info);
}

}  // namespace starling::comm
