// SPDX-License-Identifier: BSD-3-Clause
// Strings: padded with blanks and of given length in Fortran, ended by a zero in C.
#pragma once

#include <ISO_Fortran_binding.h>

#include <cstddef>

#include "glue.h"

namespace starling::fortran {

// A string that MPI reads: without the blanks around it. Info keys and values may have leading blanks in the program, too, and
// nothing else that MPI takes begins with one.
class Text {
 public:
  Text(const char* user, std::size_t length);
  explicit Text(const CFI_cdesc_t* user) : Text(static_cast<const char*>(user->base_addr), user->elem_len) {}
  operator const char*() { return copy_.data(); }
  operator char*() { return copy_.data(); }

 private:
  Room<char> copy_;
};

// A string that MPI writes, padded into the program's variable at the end of the call. Nothing is written if MPI wrote nothing.
class TextOut {
 public:
  TextOut(char* user, std::size_t length, long long capacity);  // the capacity counts the zero
  TextOut(const TextOut&) = delete;
  ~TextOut();
  operator char*() { return copy_.data(); }

 private:
  char* user_;
  std::size_t length_;
  Room<char> copy_;
};

// An array of strings as the argv of C: it ends with a blank string, or has n elements; `stride` is the distance of two
// elements.
class TextArray {
 public:
  static constexpr long long kUntilBlank = -1;
  TextArray(const char* user, std::size_t length, long long n, std::size_t stride);
  operator char**() { return words_.data(); }

 private:
  static long long count(const char* user, std::size_t length, long long n, std::size_t stride);
  long long n_;
  Room<char> letters_;
  Room<char*> words_;
};

}  // namespace starling::fortran
