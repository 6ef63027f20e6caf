// SPDX-License-Identifier: BSD-3-Clause
// Which arguments of a collective matter on this process, and their checks (MPI 5.0 chapter 6). What does not matter is not
// looked at: the core gets MPI_BYTE for a type and nullptr for an array.
#pragma once

#include "abi/entry/checks.h"
#include "comm/topology.h"

namespace starling::abi {

struct Part {
  bool sends, receives;
};

[[noreturn, gnu::cold, gnu::noinline]] void bad_in_place(const Comm& comm, Argument argument);

// Allgather, Allreduce and the like: everybody takes part. MPI_IN_PLACE as send buffer is for intracommunicators.
inline Part everybody(const Comm& comm, const void* sendbuf, Argument argument) {
  if (in_buffer(sendbuf) != kInPlace) return {true, true};
  if (comm.inter) [[unlikely]]
    bad_in_place(comm, argument);
  return {false, true};
}
// Gather, Reduce: to the root. MPI_IN_PLACE as send buffer is for the root.
inline Part to_root(const Comm& comm, int root, const void* sendbuf, Argument argument) {
  if (comm.inter) return {root >= 0, root == kRoot};
  const bool is_root = comm.rank == root;
  if (in_buffer(sendbuf) != kInPlace) return {true, is_root};
  if (!is_root) [[unlikely]]
    bad_in_place(comm, argument);
  return {false, true};
}
// Scatter: from the root. MPI_IN_PLACE as receive buffer is for the root.
inline Part from_root(const Comm& comm, int root, const void* recvbuf, Argument argument) {
  if (comm.inter) return {root == kRoot, root >= 0};
  const bool is_root = comm.rank == root;
  if (in_buffer(recvbuf) != kInPlace) return {is_root, true};
  if (!is_root) [[unlikely]]
    bad_in_place(comm, argument);
  return {true, false};
}
// Bcast: of an intercommunicator's group with the root only the root takes part.
inline bool takes_part(const Comm& comm, int root) { return !comm.inter || root != kProcNull; }

inline Datatype& type_if(bool matters, MPI_Datatype handle, Argument argument) {
  return matters ? committed(handle, argument) : *predefined_datatype(kCodeByte);
}
inline Op& reduction_if(bool matters, MPI_Op handle, const Datatype& type, Argument argument) {
  return matters ? reduction(handle, type, argument) : *predefined_op(kCodeSum);
}
template <class Int>
inline Count count_if(bool matters, Int count, Argument argument) {
  return matters ? nonnegative<Count>(count, kErrCount, argument) : 0;
}
template <class Address>
inline Address buffer_if(bool matters, Address user, Count count, const Datatype& type, Argument argument) {
  return matters ? checked_buffer(user, count, type, argument) : in_buffer(user);
}
// The buffer of a collective with an array of counts: whether it may be null is not known.
template <class Address>
inline Address buffer_if(bool matters, Address user, Argument argument) {
  Address address = in_buffer(user);
  if (matters && address == kInPlace) [[unlikely]]
    bad(kErrBuffer, argument, "must not be MPI_IN_PLACE");
  return address;
}

template <class Int>
inline CountArray displacements_if(bool matters, const Int* values, Count n, Argument argument) {
  return matters ? in_counts(array(values, n, argument)) : CountArray();
}

// The datatypes of MPI_Alltoallw: converted if they matter, else absent.
class TypeArray {
 public:
  TypeArray(bool matters, const MPI_Datatype* handles, Count n, Argument argument)
      : types_(matters ? n : 0), present_(matters) {
    if (!matters) return;
    array(handles, n, argument);
    for (Count i = 0; i < n; ++i) types_.data()[i] = &committed(handles[i], argument);
  }
  Datatype** data() { return present_ ? types_.data() : nullptr; }

 private:
  Temporary<Datatype*> types_;
  bool present_;
};

// How many neighbours this process sends to and receives from; fails with kErrTopology without a topology.
inline Count neighbors_out(const Comm& comm) { return static_cast<Count>(comm::topology(comm).destinations.size()); }
inline Count neighbors_in(const Comm& comm) { return static_cast<Count>(comm::topology(comm).sources.size()); }

}  // namespace starling::abi
