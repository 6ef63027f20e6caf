// SPDX-License-Identifier: BSD-3-Clause
#include "object/comm.h"

#include <utility>

namespace starling {

namespace {

constinit CommPool pool;
constinit Comm* world = nullptr;
constinit Comm* self = nullptr;

}  // namespace

CommPool& comm_pool() { return pool; }

void destroy(Comm& comm) { pool.destroy(&comm); }

Comm* comm_world() { return world; }
Comm* comm_self() { return self; }

namespace object {

void set_world(Comm* comm) { world = comm; }
void set_self(Comm* comm) { self = comm; }

Comm* make_comm(Context context, Worker& worker, Ref<Group> local, Ref<Group> remote, const Comm* parent) {
  Comm* comm = pool.create();
  comm->context = context;
  comm->worker = &worker;
  comm->rank = local->rank;
  comm->size = local->size;
  comm->inter = static_cast<bool>(remote);
  comm->remote_group = remote ? std::move(remote) : local;
  comm->remote_size = comm->remote_group->size;
  comm->group = std::move(local);
  if (parent) comm->errhandler = parent->errhandler;
  return comm;
}

}  // namespace object
}  // namespace starling
