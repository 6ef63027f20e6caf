// SPDX-License-Identifier: BSD-3-Clause
// Attributes of communicators (MPI 5.0 section 7.7), the predefined ones (9.1.2) included.
#include <climits>

#include "base/error.h"
#include "comm/comm.h"
#include "comm/entry.gen.h"
#include "object/error_text.h"

namespace starling::comm {

namespace {

constinit Worker* the_worker = nullptr;  // comm::set_process
constinit int universe_size = 0;
constinit int appnum = -1;

// The value of a predefined attribute is a pointer to an int, good for ever; nullptr: not known. Every communicator has them.
int* predefined_value(int keyval) {
  static constinit int tag_ub = INT_MAX;
  static constinit int host = kProcNull;
  static constinit int io = kAnySource;  // every process can do I/O
  static constinit int wtime_is_global = 0;
  switch (keyval) {
    case kTagUb:
      return &tag_ub;
    case kHost:
      return &host;
    case kIo:
      return &io;
    case kWtimeIsGlobal:
      return &wtime_is_global;
    case kLastusedcode:
      return object::last_used_code();
    case kUniverseSize:
      return universe_size > 0 ? &universe_size : nullptr;
    case kAppnum:
      return appnum >= 0 ? &appnum : nullptr;
    default:
      return nullptr;
  }
}

bool is_predefined(int keyval) { return keyval >= kTagUb && keyval <= kUniverseSize; }

}  // namespace

void set_process(Worker* worker, int size, int number) {
  the_worker = worker;
  universe_size = size;
  appnum = number;
}

Worker& process_worker() {
  if (!the_worker) fail(kErrOther, "MPI is not initialized");
  return *the_worker;
}

void comm_create_keyval(Callback copy, Callback erase, int& comm_keyval, void* extra_state) {
  comm_keyval = attributes::create_keyval(Kind::kComm, copy, erase, extra_state);
}

void comm_free_keyval(int& comm_keyval) {
  attributes::free_keyval(Kind::kComm, comm_keyval);
  comm_keyval = kKeyvalInvalid;
}

void comm_set_attr(Comm& comm, int keyval, void* value) { comm.attributes.set(comm, keyval, value); }

void comm_delete_attr(Comm& comm, int keyval) { comm.attributes.erase(comm, keyval); }

void comm_get_attr(Comm& comm, int keyval, void*& value, bool& flag) {
  if (!is_predefined(keyval)) {
    flag = comm.attributes.get(keyval, value, Kind::kComm);
  } else if (int* predefined = predefined_value(keyval)) {
    value = predefined;
    flag = true;
  } else {
    flag = false;
  }
}

}  // namespace starling::comm
