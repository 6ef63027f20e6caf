// SPDX-License-Identifier: BSD-3-Clause
// A function of the user that the library calls back, with the knowledge of how to call it.
#pragma once

#include "base/types.h"

namespace starling {

struct Comm;
struct Datatype;
struct Object;
struct Status;

// One per ABI (src/abi/standard, src/abi/mpich): encodes handles and constants as the user's code expects them and calls
// the function. All return the error code of the user's function as a core error class, kSuccess if it returns none.
struct CallbackAbi {
  // MPI_User_function, or with `large` MPI_User_function_c.
  void (*op)(void* function, bool large, const void* in, void* inout, Count count, Datatype& type);
  // MPI_*_errhandler_function for a communicator, window, file or session; `code` is read and written.
  void (*errhandler)(void* function, Object& on, int& code);
  // MPI_*_copy_attr_function and MPI_*_delete_attr_function. Predefined functions (NULL_COPY, DUP) are recognised by the
  // codec when the keyval is created and never reach these.
  int (*attribute_copy)(void* function, Object& on, int keyval, void* extra, void* value_in, void* value_out, bool& flag);
  int (*attribute_delete)(void* function, Object& on, int keyval, void* value, void* extra);
  // MPI_Grequest_query_function, _free_function, _cancel_function.
  int (*grequest_query)(void* function, void* extra, Status& status);
  int (*grequest_free)(void* function, void* extra);
  int (*grequest_cancel)(void* function, void* extra, bool complete);
  // MPI_Datarep_conversion_function, or with `large` its _c form: `count` basic elements of the tiled type, from number
  // `position` on; and MPI_Datarep_extent_function.
  int (*datarep_conversion)(void* function, bool large, void* user, Datatype& type, Count count, void* file, Count position,
                            void* extra);
  int (*datarep_extent)(void* function, Datatype& type, Count& extent, void* extra);
};

// Callback::function of a predefined attribute copy function that copies the value (MPI_COMM_DUP_FN ...); such a callback has
// no `abi` and is never called. The predefined functions that do nothing are empty callbacks.
inline void* const kDupFunction = reinterpret_cast<void*>(1);

struct Callback {
  void* function = nullptr;
  const CallbackAbi* abi = nullptr;
  bool large = false;  // registered through the _c function
  explicit operator bool() const { return function; }
};

}  // namespace starling
