// SPDX-License-Identifier: BSD-3-Clause
#include "validate.h"

#include <sys/stat.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "datatype.h"
#include "omb.h"

namespace omb {
namespace {

constexpr double kTolerance = 0.001;  // of floating point

template <class T>
void fill_as(char* buffer, size_t elements, int from, int to, int iteration) {
  T* values = reinterpret_cast<T*>(buffer);
  for (size_t i = 0; i < elements; ++i) values[i] = static_cast<T>(pattern(from, to, i, iteration));
}

}  // namespace

int pattern(int from, int to, size_t i, int iteration) {
  return static_cast<int>(
             (i * 7 + static_cast<size_t>(from) * 5 + static_cast<size_t>(to) * 3 + static_cast<size_t>(iteration) * 11) %
             101) +
         1;
}

void fill(char* buffer, const Message& message, int from, int to, int iteration) {
  if (message.derived) return;  // cannot be validated; what is in the gaps does not matter
  switch (message.base) {
    case kChar:
      return fill_as<signed char>(buffer, message.elements, from, to, iteration);
    case kInt:
      return fill_as<int>(buffer, message.elements, from, to, iteration);
    default:
      return fill_as<float>(buffer, message.elements, from, to, iteration);
  }
}

void spoil(char* buffer, const Message& message) { std::memset(buffer, 0xee, message.extent); }

template <class T, class Expected>
bool Checker::compare_as(const T* values, size_t elements, Expected expected) {
  FILE* log = nullptr;
  bool good = true;
  for (size_t i = 0; i < elements; ++i) {
    const T wanted = static_cast<T>(expected(i));
    if (std::fabs(static_cast<double>(values[i]) - static_cast<double>(wanted)) <= kTolerance) continue;
    good = false;
    if (!run_.options.log) break;
    if (!log) {
      const std::string path = run_.options.log_directory + "/log-" + std::to_string(run_.rank) + ".log";
      log = std::fopen(path.c_str(), "a");
      if (!log) break;
      std::fprintf(log, "Size: %zu, Iteration:%d, Datatype: %s\n%-10s%20s%20s\n", message_.size, iteration_,
                   base_types()[static_cast<size_t>(message_.base)].name, "Position", "Expected", "Actual");
    }
    std::fprintf(log, "%-10zu%20g%20g\n", i, static_cast<double>(wanted), static_cast<double>(values[i]));
  }
  if (log) std::fclose(log);
  return good;
}

template <class Expected>
bool Checker::compare(const char* buffer, size_t elements, Expected expected) {
  switch (message_.base) {
    case kChar:
      return compare_as(reinterpret_cast<const signed char*>(buffer), elements, expected);
    case kInt:
      return compare_as(reinterpret_cast<const int*>(buffer), elements, expected);
    default:
      return compare_as(reinterpret_cast<const float*>(buffer), elements, expected);
  }
}

bool Checker::from(const char* buffer, int from, int to) {
  return compare(buffer, message_.elements, [&](size_t i) { return pattern(from, to, i, iteration_); });
}

bool Checker::sum(const char* buffer, int ranks, size_t first, size_t elements) {
  return compare(buffer, elements, [&](size_t i) {
    int total = 0;
    for (int rank = 0; rank < ranks; ++rank) total += pattern(rank, 0, first + i, iteration_);
    return total;
  });
}

std::string make_log_directory(const std::string& path) {
  if (mkdir(path.c_str(), 0777) == 0) return "";
  return "The directory for validation logs '" + path + "' cannot be made: " + std::strerror(errno);
}

}  // namespace omb
