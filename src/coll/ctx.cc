// SPDX-License-Identifier: BSD-3-Clause
#include "coll/ctx.h"

#include <algorithm>
#include <new>
#include <utility>

#include "coll/model.h"

namespace starling::coll {

void copy_past_caches(const Data& from, const Data& to) {
  memory::copy_past_caches(shifted(to.address, to.type->true_lb), shifted(from.address, from.type->true_lb),
                           static_cast<std::size_t>(std::min(from.bytes(), to.bytes())));
}

// Only after an exception between the start of a message and the wait for it.
void Gate::drain() {
  run.worker.wait([this] { return under_way == 0; });
}

void Gate::send(p2p::SendOp& room, Comm& comm, Context context, const Data& what, int to) {
  if (run.model) [[unlikely]]
    return run.model->send(*this, what, to);
  p2p::SendOp& op = *new (&room) p2p::SendOp;
  op.user = this;
  op.on_done = &completed;
  p2p::start_send(op, comm, context, what.address, what.count, what.type ? *what.type : byte_type(), to, run.tag);
  started(op);
}

void Gate::recv(p2p::RecvOp& room, Comm& comm, Context context, const Data& what, int from) {
  if (run.model) [[unlikely]]
    return run.model->recv(*this, what, from);
  p2p::RecvOp& op = *new (&room) p2p::RecvOp;
  op.user = this;
  op.on_done = &completed;
  p2p::start_recv(op, comm, context, what.address, what.count, what.type ? *what.type : byte_type(), from, run.tag);
  started(op);
}

void Gate::started(p2p::Operation& op) {
  if (op.done) {
    run.note(op);
  } else {
    ++under_way;
  }
}

// From progress: a later pass, or the end of this one, resumes the coroutine.
void Gate::completed(p2p::Operation& op) {
  Gate& gate = *static_cast<Gate*>(op.user);
  gate.run.note(op);
  if (--gate.under_way == 0 && gate.waiter) gate.run.worker.make_ready(std::exchange(gate.waiter, {}));
}

bool Gate::passable() {
  if (run.model && under_way == 0) [[unlikely]]
    run.model->settle(*this);
  if (under_way == 0) return true;
  if (!run.blocking) return false;
  run.worker.wait([this] { return under_way == 0; });
  return true;
}

}  // namespace starling::coll
