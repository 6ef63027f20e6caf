// SPDX-License-Identifier: BSD-3-Clause
#include "abi/entry/call.h"

#include <cxxabi.h>

#include <cinttypes>
#include <cstdio>
#include <exception>
#include <new>

#include "object/entry.gen.h"
#include "object/error_text.h"

namespace starling::abi {

void bad(int error_class, Argument argument, Count value, const char* what) {
  fail(error_class, "%s = %" PRId64 " %s (argument %d)", argument.name, value, what, argument.position);
}
void bad(int error_class, Argument argument, const char* what) {
  fail(error_class, "%s %s (argument %d)", argument.name, what, argument.position);
}

void Call::not_running() const {
  const bool finalized = runtime().world == Runtime::World::kFinalized;
  boot::abort_job(std::string(function_) + (finalized ? ": called after MPI_Finalize" : ": called before MPI_Init"), kErrOther);
}

void Call::begin(Worker& home, When when) {
  chooses_ = when == kMessages && home.team().size() > 1;
  if (!chooses_) hold_worker(home);
}
void Call::end() { locked_->unlock(); }

void Call::hold_for(const Object* object) {
  const bool by_comm = object && object->kind == Kind::kComm;
  hold_worker(by_comm ? *static_cast<const Comm*>(object)->message_worker : *runtime().worker);
}

void Call::hold_worker(Worker& worker) {
  if (locked_ == &worker) return;
  if (locked_) locked_->unlock();
  worker.lock();
  locked_ = &worker;
}

void Call::unsupported() const {
  fail(kErrUnsupportedOperation, "this version of the library does not have %s yet", function_);
}

int Call::failed() {
  try {
    throw;
  } catch (const Error& error) {
    return report(error);
  } catch (const __cxxabiv1::__forced_unwind&) {  // pthread_cancel
    throw;
  } catch (const std::bad_alloc&) {
    return report({kErrNoMem, "out of memory"});
  } catch (const std::exception& error) {
    return report({kErrIntern, std::string("internal error: ") + error.what()});
  }
}

int Call::failed(const Error& error) { return report(error); }

namespace {

std::string name_of(const Comm& comm) {
  if (!comm.name.empty()) return comm.name;
  return comm.inter ? "an intercommunicator" : "a communicator";
}

Errhandler* handler_of(Object& object) {
  switch (object.kind) {
    case Kind::kComm:
      return static_cast<Comm&>(object).errhandler.get();
    case Kind::kWin:
      return static_cast<Win&>(object).errhandler.get();
    case Kind::kFile:
      return static_cast<File&>(object).errhandler.get();
    case Kind::kSession:
      return static_cast<Session&>(object).errhandler.get();
    default:
      return nullptr;
  }
}

// Where errors of calls without an object go: MPI_COMM_SELF since MPI-4, before that MPI_COMM_WORLD. A program that has set a
// handler there only is of that time.
Comm* comm_of_no_object() {
  Comm* const self = comm_self();
  Comm* const world = comm_world();
  return self && !self->errhandler && world && world->errhandler ? world : self;
}

// The communicator in which the process has the rank that users know it by.
const Comm* comm_of(const Object& object) {
  switch (object.kind) {
    case Kind::kComm:
      return static_cast<const Comm*>(&object);
    case Kind::kWin:
      return static_cast<const Win&>(object).comm.get();
    case Kind::kFile:
      return static_cast<const File&>(object).comm.get();
    default:
      return comm_world();
  }
}

}  // namespace

std::string Call::describe(const Error& error) const {
  std::string text = std::string(function_) + ": " + error.message;
  const Comm* comm = on_ ? comm_of(*on_) : comm_world();
  if (comm) {
    char where[64];
    std::snprintf(where, sizeof where, "; on rank %d of ", comm->rank);
    text += where + name_of(*comm);
    std::snprintf(where, sizeof where, comm->size == 1 ? " (1 rank)" : " (%d ranks)", comm->size);
    text += where;
  }
  return text;
}

int Call::code_of(const Error& error) {
  if (chooses_) hold_worker(*runtime().worker);  // codes are home's
  return out_error(object::make_code(error.error_class, describe(error)));
}

int Call::report(const Error& error) {
  if (chooses_) hold_worker(*runtime().worker);  // so are error handlers
  const bool no_file = no_file_ && (!on_ || on_->kind != Kind::kFile);
  Object nothing;
  Object* on = no_file ? &io::null_file() : on_ ? on_ : comm_of_no_object();
  const Ref<Errhandler> handler(no_file ? io::null_errhandler().get() : on ? handler_of(*on) : nullptr);
  const std::string message = describe(error);
  int code = error.error_class;
  if (!object::is_fatal(handler.get())) code = object::make_code(code, message);
  object::handle_error(handler.get(), on ? *on : nothing, code, message);
  return out_error(code);
}

}  // namespace starling::abi
