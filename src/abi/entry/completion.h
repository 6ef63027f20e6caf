// SPDX-License-Identifier: BSD-3-Clause
// The functions that complete requests (MPI 5.0 section 3.7) and what they need of the status. Written by hand over the codec:
// they work in place on the arrays of the user, without allocating. Each gets the arguments of its MPI function and returns the
// code.
#pragma once

#include "abi/entry/checks.h"

namespace starling::abi {

int wait(Call& call, MPI_Request* request, MPI_Status* status);
int waitall(Call& call, int count, MPI_Request* requests, MPI_Status* statuses);
int waitany(Call& call, int count, MPI_Request* requests, int* index, MPI_Status* status);
int waitsome(Call& call, int incount, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses);
int test(Call& call, MPI_Request* request, int* flag, MPI_Status* status);
int testall(Call& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses);
int testany(Call& call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status);
int testsome(Call& call, int incount, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses);
int request_get_status(Call& call, MPI_Request request, int* flag, MPI_Status* status);
int request_get_status_all(Call& call, int count, const MPI_Request* requests, int* flag, MPI_Status* statuses);
int request_get_status_any(Call& call, int count, const MPI_Request* requests, int* index, int* flag, MPI_Status* status);
int request_get_status_some(Call& call, int incount, const MPI_Request* requests, int* outcount, int* indices,
                            MPI_Status* statuses);
int start(Call& call, MPI_Request* request);
int startall(Call& call, int count, MPI_Request* requests);

int test_cancelled(Call& call, const MPI_Status* status, int* flag);
int status_set_cancelled(Call& call, MPI_Status* status, int flag);
// The fields are the user's own numbers: nothing to translate.
inline int status_get_source(Call&, const MPI_Status* status, int* source) {
  writable(source, {"source", 2}) = writable(status, {"status", 1}).MPI_SOURCE;
  return MPI_SUCCESS;
}
inline int status_get_tag(Call&, const MPI_Status* status, int* tag) {
  writable(tag, {"tag", 2}) = writable(status, {"status", 1}).MPI_TAG;
  return MPI_SUCCESS;
}
inline int status_get_error(Call&, const MPI_Status* status, int* err) {
  writable(err, {"err", 2}) = writable(status, {"status", 1}).MPI_ERROR;
  return MPI_SUCCESS;
}
inline int status_set_source(Call&, MPI_Status* status, int source) {
  writable(status, {"status", 1}).MPI_SOURCE = source;
  return MPI_SUCCESS;
}
inline int status_set_tag(Call&, MPI_Status* status, int tag) {
  writable(status, {"status", 1}).MPI_TAG = tag;
  return MPI_SUCCESS;
}
inline int status_set_error(Call&, MPI_Status* status, int err) {
  writable(status, {"status", 1}).MPI_ERROR = err;
  return MPI_SUCCESS;
}

}  // namespace starling::abi
