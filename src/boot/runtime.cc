// SPDX-License-Identifier: BSD-3-Clause
#include "boot/runtime.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/settings.h"
#include "boot/launch.h"

namespace starling {

constinit Immortal<Runtime> the_runtime;

namespace boot {

void abort_job(const std::string& message, int code) {
  if (!message.empty()) std::fprintf(stderr, "%s\n", message.c_str());
  std::fflush(nullptr);  // what the program printed before belongs to the reader of the error
  if (runtime().launch) runtime().launch->abort(code);
  _exit(code);
}

}  // namespace boot
}  // namespace starling
