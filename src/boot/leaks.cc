// SPDX-License-Identifier: BSD-3-Clause
#include "boot/leaks.h"

#include <cstdio>
#include <string>

#include "datatype/datatype.h"
#include "datatype/op.h"
#include "io/file.h"
#include "object/comm.h"
#include "object/errhandler.h"
#include "object/info.h"
#include "p2p/message.h"
#include "p2p/request.h"
#include "progress/worker.h"
#include "rma/win.h"

namespace starling::boot {

namespace {

int print(int rank, const char* what, int count, const std::string& names) {
  if (count > 0)
    std::fprintf(stderr, "starling: rank %d leaked %d %s%s%s\n", rank, count, what, count == 1 ? "" : "s", names.c_str());
  return count;
}

// Counts the objects of a pool that a user made.
template <class P>
int report(int rank, const char* what, const P& pool) {
  int count = 0;
  std::string names;
  pool.for_each([&](const auto& object) {
    if (object.predefined()) return;
    if constexpr (requires { object.permanent; }) {
      if (object.permanent) return;
    }
    ++count;
    if constexpr (requires { object.name.size(); }) {
      if (!object.name.empty() && names.size() < 200) names += (names.empty() ? ": " : ", ") + object.name;
    }
  });
  return print(rank, what, count, names);
}

}  // namespace

int report_leaks(const Worker& home) {
  const int rank = static_cast<int>(home.self());
  const int leaks = report(rank, "communicator", comm_pool()) + report(rank, "group", group_pool()) +
                    report(rank, "datatype", datatype_pool()) + report(rank, "operation", op_pool()) +
                    report(rank, "error handler", errhandler_pool()) + report(rank, "info object", info_pool()) +
                    report(rank, "window", win_pool()) + report(rank, "file", file_pool());
  return leaks + print(rank, "request", static_cast<int>(p2p::live_requests(home)), "") +
         print(rank, "matched message", static_cast<int>(p2p::live_messages()), "");
}

}  // namespace starling::boot
