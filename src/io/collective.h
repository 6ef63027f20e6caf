// SPDX-License-Identifier: BSD-3-Clause
// Accesses that all processes of a file take part in.
#pragma once

#include "coll/ctx.h"
#include "io/access.h"
#include "p2p/request.h"

namespace starling::io {

// The access of this process in a collective one. Does not throw errors of the system: they are in Access::error afterwards, at
// all processes that have to know.
coll::Task access_together(coll::Ctx c, Access* access);

// Runs it to the end. Throws Error.
void run_together(Access& access);
// The same with a request, named after the function that makes it.
Request* start_together(const RequestOps& ops, std::unique_ptr<Access> access);
// The request of an access that has been carried out.
Request* completed(const RequestOps& ops, Access& access);

// RequestOps of the requests of a file.
void destroy_request(Request& request);
constexpr RequestOps request_ops(const char* name) { return {name, nullptr, nullptr, nullptr, destroy_request}; }

}  // namespace starling::io
