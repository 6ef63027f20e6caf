// SPDX-License-Identifier: BSD-3-Clause
// Error codes, their classes and their texts (MPI 5.0 sections 9.4 and 9.5). A code of the library is its class; users may add
// classes and codes of their own, with numbers above kErrLastcode.
//
// Process-wide and thread-safe: these functions may be called before MPI_Init and after MPI_Finalize.
#pragma once

#include <string>
#include <string_view>

namespace starling::object {

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
