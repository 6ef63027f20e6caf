// SPDX-License-Identifier: BSD-3-Clause
// Error codes, their classes and their texts (MPI 5.0 sections 9.4 and 9.5). A code of the library is a class, or a class and
// the number of a detail: what exactly went wrong, kept for the last kDetails errors. Users may add classes and codes of their
// own, with numbers above kErrLastcode.
//
// Process-wide and thread-safe: these functions may be called before MPI_Init and after MPI_Finalize.
#pragma once

#include <string>
#include <string_view>

#include "base/constants.gen.h"

namespace starling::object {

// The class is in the low bits of a code, the number of the detail (1..kDetails) above it; 0: none. Both ABIs have this form,
// so that all codes of the library lie below MPI_ERR_LASTCODE. Classes from kClasses on (those of the tool interface) have no
// details: their numbers would look like codes.
inline constexpr int kClassBits = 7;
inline constexpr int kClassMask = (1 << kClassBits) - 1;
inline constexpr int kClasses = 101;
inline constexpr int kDetails = (kErrLastcode >> kClassBits) - 1;
static_assert(kErrAbi < kClasses && (kTErrCannotInit & kClassMask) >= kClasses && (kTErrPvarNoAtomic & kClassMask) >= kClasses);

inline bool has_detail(int code) {
  return code > kClassMask && code >> kClassBits <= kDetails && (code & kClassMask) < kClasses &&
         (code & kClassMask) != kSuccess;
}

// A code of the class with this text, which it keeps until kDetails more codes have been made; from then on it has the text of
// its class, or of a later error of the same class. What is no class of the library's comes back as it is, and so do
// MPI_ERR_IN_STATUS and MPI_ERR_PENDING, which the standard wants to be returned as such.
int make_code(int error_class, std::string_view text);

// One English sentence, or what the user added; empty for a code of the user's without text. Throws Error(kErrArg) for a number
// that is no error code.
std::string error_text(int code);
int error_class(int code);  // throws likewise

// All throw Error(kErrOther) when the predefined codes of the library are to be changed or something is still in use, and
// Error(kErrArg) for numbers that were never added.
int add_class();
int add_code(int error_class);
void add_text(int code, std::string_view text);
void remove_class(int error_class);
void remove_code(int code);
void remove_text(int code);

// The value of attribute MPI_LASTUSEDCODE, kept up to date in place.
int* last_used_code();

}  // namespace starling::object
