// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.h"

#include <cstdarg>
#include <cstdio>

namespace starling {

void fail(int error_class, const char* format, ...) {
  char text[400];  // the entry adds function and rank; together below MPI_MAX_ERROR_STRING
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof text, format, args);
  va_end(args);
  throw Error{error_class, text};
}

}  // namespace starling
