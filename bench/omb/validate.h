// SPDX-License-Identifier: BSD-3-Clause
// Data whose values tell where they come from, and the check that they arrived (-c).
//
// An element's value depends on its sender, its receiver (where those differ), its position and the iteration, so that data of
// the wrong rank, place or time are found. Values are small integers, exact in every type.
#pragma once

#include <cstddef>
#include <string>

namespace omb {

struct Run;
struct Message;

// Value of element `i` of what `from` sends to `to`.
int pattern(int from, int to, size_t i, int iteration);

void fill(char* buffer, const Message& message, int from, int to, int iteration);
void spoil(char* buffer, const Message& message);  // values that no sender has

// The value expected at position i is given by `expected`; writes what differs to the log, if there is one. True if all agree.
class Checker {
 public:
  Checker(const Run& run, const Message& message, int iteration) : run_(run), message_(message), iteration_(iteration) {}
  bool from(const char* buffer, int from, int to);                         // what `from` sent
  bool sum(const char* buffer, int ranks, size_t first, size_t elements);  // the sum over ranks

 private:
  template <class Expected>
  bool compare(const char* buffer, size_t elements, Expected expected);
  template <class T, class Expected>
  bool compare_as(const T* values, size_t elements, Expected expected);
  const Run& run_;
  const Message& message_;
  int iteration_;
};

// Makes the directory of the logs; returns what is wrong. On one rank.
std::string make_log_directory(const std::string& path);

}  // namespace omb
