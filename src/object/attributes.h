// SPDX-License-Identifier: BSD-3-Clause
// Attribute caching on communicators, datatypes and windows (MPI 5.0 section 7.7).
#pragma once

#include <vector>

#include "base/types.h"
#include "object/callback.h"
#include "object/object.h"

namespace starling {

struct Keyval;  // object/attributes.cc

struct Attribute {
  Keyval* keyval;  // counted: lives on after MPI_*_free_keyval until its last attribute is gone
  void* value;     // the user's, never looked into
};

// The attributes of one object, in the order of their creation. Not thread-safe: guarded by the worker lock. The user's
// callbacks run inside these functions and may themselves read and change the attributes of the same object.
class Attributes {
 public:
  Attributes() = default;
  ~Attributes();  // calls no callback: clear() comes first where the standard wants them
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  // False: no such attribute. A keyval that was freed is alive while attributes have it, for get() and erase().
  // Throws Error(kErrKeyval) if the keyval is not alive or, where `on` is given, made for another
  // kind.
  bool get(int keyval, void*& value, Kind on = Kind::kFree) const;
  // Calls the delete callback of a value that is replaced. Throws Error(kErrKeyval) for a wrong keyval, or what a callback
  // returns.
  void set(Object& on, int keyval, void* value);
  void erase(Object& on, int keyval);
  // Calls the copy callbacks (MPI_Comm_dup, MPI_Type_dup); throws what a callback returns. `target` is empty and not yet
  // visible.
  void copy_to(Object& on, Attributes& target) const;
  // Calls the delete callbacks in reverse order of creation (MPI_Comm_free, MPI_Finalize on MPI_COMM_SELF); throws what a
  // callback returns, with that attribute and the older ones still there.
  void clear(Object& on);

  bool empty() const { return entries_.empty(); }

 private:
  Attribute* find(const Keyval* keyval);
  void drop(const Keyval* keyval);

  std::vector<Attribute> entries_;
};

namespace attributes {

// The first number that a keyval of the user gets; smaller ones are those of the standard.
inline constexpr int kFirstUserKeyval = 1024;

// Creates a keyval for objects of one kind (kComm, kDatatype, kWin). Empty callbacks are the NULL functions: without `copy`
// nothing is copied, with kDupFunction the value as it is. Thread-safe, like free_keyval.
int create_keyval(Kind kind, Callback copy, Callback erase, void* extra_state);
// Throws Error(kErrKeyval) for a predefined keyval, one of another kind, and one that is not alive.
void free_keyval(Kind kind, int keyval);

}  // namespace attributes
}  // namespace starling
