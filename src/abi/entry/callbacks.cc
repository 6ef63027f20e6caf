// SPDX-License-Identifier: BSD-3-Clause
// Calling functions of the user in the ABI for which this file is compiled.
#include <algorithm>
#include <climits>

#include "codec.h"

namespace starling::abi {

namespace {

void call_op(void* function, bool large, const void* in, void* inout, Count count, Datatype& type) {
  MPI_Datatype handle = out<Datatype>(&type);
  auto* left = static_cast<std::byte*>(const_cast<void*>(in));
  auto* right = static_cast<std::byte*>(inout);
  if (large) {
    MPI_Count length = count;
    reinterpret_cast<MPI_User_function_c*>(function)(left, right, &length, &handle);
    return;
  }
  for (Count done = 0; done < count;) {  // a function with an int count gets the data in pieces
    int length = static_cast<int>(std::min<Count>(count - done, INT_MAX));
    const Count offset = done * type.extent;
    done += length;
    reinterpret_cast<MPI_User_function*>(function)(left + offset, right + offset, &length, &handle);
  }
}

template <class T, class Function>
void call_errhandler_of(void* function, Object& on, int& code) {
  Handle<T> handle = out<T>(static_cast<const T*>(&on));
  int user_code = out_error(code);
  reinterpret_cast<Function*>(function)(&handle, &user_code);
  code = in_error(user_code);
}

void call_errhandler(void* function, Object& on, int& code) {
  switch (on.kind) {
    case Kind::kSession:
      return call_errhandler_of<Session, MPI_Session_errhandler_function>(function, on, code);
    case Kind::kWin:
      return call_errhandler_of<Win, MPI_Win_errhandler_function>(function, on, code);
    case Kind::kFile:
      return call_errhandler_of<File, MPI_File_errhandler_function>(function, on, code);
    default:
      return call_errhandler_of<Comm, MPI_Comm_errhandler_function>(function, on, code);
  }
}

template <class T>
int copy_of(void* function, Object& on, int keyval, void* extra, void* value_in, void* value_out, bool& flag) {
  using Function = int(Handle<T>, int, void*, void*, void*, int*);
  int copied = 0;
  int code = reinterpret_cast<Function*>(function)(out<T>(static_cast<const T*>(&on)), out_keyval(keyval), extra, value_in,
                                                   value_out, &copied);
  flag = copied != 0;
  return in_error(code);
}

int call_attribute_copy(void* function, Object& on, int keyval, void* extra, void* value_in, void* value_out, bool& flag) {
  switch (on.kind) {
    case Kind::kDatatype:
      return copy_of<Datatype>(function, on, keyval, extra, value_in, value_out, flag);
    case Kind::kWin:
      return copy_of<Win>(function, on, keyval, extra, value_in, value_out, flag);
    default:
      return copy_of<Comm>(function, on, keyval, extra, value_in, value_out, flag);
  }
}

template <class T>
int delete_of(void* function, Object& on, int keyval, void* value, void* extra) {
  using Function = int(Handle<T>, int, void*, void*);
  return in_error(reinterpret_cast<Function*>(function)(out<T>(static_cast<const T*>(&on)), out_keyval(keyval), value, extra));
}

int call_attribute_delete(void* function, Object& on, int keyval, void* value, void* extra) {
  switch (on.kind) {
    case Kind::kDatatype:
      return delete_of<Datatype>(function, on, keyval, value, extra);
    case Kind::kWin:
      return delete_of<Win>(function, on, keyval, value, extra);
    default:
      return delete_of<Comm>(function, on, keyval, value, extra);
  }
}

int call_grequest_query(void* function, void* extra, Status& status) {
  MPI_Status user;
  put_status(status, &user);
  put_error(out_error(status.error), &user);
  int code = reinterpret_cast<MPI_Grequest_query_function*>(function)(extra, &user);
  status = get_status(&user);
  return in_error(code);
}

int call_grequest_free(void* function, void* extra) {
  return in_error(reinterpret_cast<MPI_Grequest_free_function*>(function)(extra));
}

int call_grequest_cancel(void* function, void* extra, bool complete) {
  return in_error(reinterpret_cast<MPI_Grequest_cancel_function*>(function)(extra, complete));
}

int call_datarep_conversion(void* function, bool large, void* user, Datatype& type, Count count, void* file, Count position,
                            void* extra) {
  const MPI_Datatype handle = out<Datatype>(&type);
  if (large)
    return in_error(reinterpret_cast<MPI_Datarep_conversion_function_c*>(function)(user, handle, count, file, position, extra));
  return in_error(reinterpret_cast<MPI_Datarep_conversion_function*>(function)(user, handle, static_cast<int>(count), file,
                                                                               position, extra));
}

int call_datarep_extent(void* function, Datatype& type, Count& extent, void* extra) {
  MPI_Aint result = 0;
  const int code = reinterpret_cast<MPI_Datarep_extent_function*>(function)(out<Datatype>(&type), &result, extra);
  extent = result;
  return in_error(code);
}

}  // namespace

constinit const CallbackAbi kCallbacks = {call_op,
                                          call_errhandler,
                                          call_attribute_copy,
                                          call_attribute_delete,
                                          call_grequest_query,
                                          call_grequest_free,
                                          call_grequest_cancel,
                                          call_datarep_conversion,
                                          call_datarep_extent};

}  // namespace starling::abi
