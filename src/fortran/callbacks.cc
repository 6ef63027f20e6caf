// SPDX-License-Identifier: BSD-3-Clause
// Functions of the program that MPI calls. Fortran procedures want integers where C hands over handles and values, so a C function
// stands between. Where C passes an extra state on, that names the procedure. Operations and error handlers have none: each
// procedure gets one of a fixed number of C functions, which it keeps, however many operations are made with it.
#include <array>
#include <mutex>
#include <utility>

#include "text.h"

using namespace starling::fortran;

namespace {

constexpr std::size_t kProcedures = 256;  // of one kind in a program

template <class Kind>
class Pool {
 public:
  // The C function that calls `procedure`, or nullptr when there are too many: MPI refuses that.
  static typename Kind::Function* function_for(typename Kind::Procedure* procedure) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    std::size_t i = 0;
    while (i < kProcedures && procedures[i] && procedures[i] != procedure) ++i;
    if (i == kProcedures) return nullptr;
    procedures[i] = procedure;
    return functions(std::make_index_sequence<kProcedures>())[i];
  }

  static inline typename Kind::Procedure* procedures[kProcedures];

 private:
  template <std::size_t... I>
  static const std::array<typename Kind::Function*, kProcedures>& functions(std::index_sequence<I...>) {
    static constexpr std::array<typename Kind::Function*, kProcedures> all = {&Kind::template call<I>...};
    return all;
  }
};

template <class C, class Count>
struct Reduction {
  using Function = C;
  using Procedure = void(void*, void*, Count*, Fint*);
  template <std::size_t I>
  static void call(void* in, void* inout, Count* length, MPI_Datatype* datatype) {
    Fint type = Type::out(*datatype);
    Pool<Reduction>::procedures[I](in, inout, length, &type);
  }
};

template <class Codec, class Handle>
struct Handler {
  using Function = void(Handle*, int*, ...);
  using Procedure = void(Fint*, Fint*);
  template <std::size_t I>
  static void call(Handle* object, int* code, ...) {
    Fint handle = Codec::out(*object);
    Pool<Handler>::procedures[I](&handle, code);
  }
};

using SmallReduction = Reduction<MPI_User_function, int>;
using LargeReduction = Reduction<MPI_User_function_c, MPI_Count>;
using CommHandler = Handler<Comm, MPI_Comm>;
using WinHandler = Handler<Win, MPI_Win>;
using FileHandler = Handler<File, MPI_File>;
using SessionHandler = Handler<Session, MPI_Session>;

// ---- Generalized requests

struct Generalized {
  void (*query)(MPI_Aint*, Fint*, Fint*);
  void (*free)(MPI_Aint*, Fint*);
  void (*cancel)(MPI_Aint*, Fint*, Fint*);
  MPI_Aint extra_state;
};

int query(void* state, MPI_Status* status) {
  auto* request = static_cast<Generalized*>(state);
  Fint code = MPI_SUCCESS;
  request->query(&request->extra_state, reinterpret_cast<Fint*>(status), &code);
  return code;
}

int release(void* state) {
  auto* request = static_cast<Generalized*>(state);
  Fint code = MPI_SUCCESS;
  request->free(&request->extra_state, &code);
  delete request;
  return code;
}

int cancel(void* state, int complete) {
  auto* request = static_cast<Generalized*>(state);
  Fint code = MPI_SUCCESS, flag = complete != 0;
  request->cancel(&request->extra_state, &flag, &code);
  return code;
}

// ---- Data representations: they live as long as the process.

template <class Count>
using Conversion = void(void*, Fint*, Count*, void*, MPI_Offset*, MPI_Aint*, Fint*);

template <class Count>
struct Datarep {
  Conversion<Count>*read, *write;
  void (*extent)(Fint*, MPI_Aint*, MPI_Aint*, Fint*);
  MPI_Aint extra_state;
};

template <class Count, Conversion<Count>* Datarep<Count>::*kWhich>
int convert(void* userbuf, MPI_Datatype datatype, Count count, void* filebuf, MPI_Offset position, void* state) {
  auto* datarep = static_cast<Datarep<Count>*>(state);
  Fint type = Type::out(datatype), code = MPI_SUCCESS;
  (datarep->*kWhich)(userbuf, &type, &count, filebuf, &position, &datarep->extra_state, &code);
  return code;
}

template <class Count>
int file_extent(MPI_Datatype datatype, MPI_Aint* extent, void* state) {
  auto* datarep = static_cast<Datarep<Count>*>(state);
  Fint type = Type::out(datatype), code = MPI_SUCCESS;
  datarep->extent(&type, extent, &datarep->extra_state, &code);
  return code;
}

}  // namespace

extern "C" {

void pmpi_op_create_(SmallReduction::Procedure* user_fn, const Fint* commute, Fint* op, Fint* ierror) {
  put(ierror, PMPI_Op_create(Pool<SmallReduction>::function_for(user_fn), *commute, Op::Out(op)));
}
STARLING_NAMES_ONCE(op_create, OP_CREATE)
STARLING_NAMES_F08_ONCE(op_create)

void pmpi_op_create_c_(LargeReduction::Procedure* user_fn, const Fint* commute, Fint* op, Fint* ierror) {
  put(ierror, PMPI_Op_create_c(Pool<LargeReduction>::function_for(user_fn), *commute, Op::Out(op)));
}
STARLING_NAMES_F08_ONCE(op_create_c)

void pmpi_comm_create_errhandler_(CommHandler::Procedure* function, Fint* errhandler, Fint* ierror) {
  put(ierror, PMPI_Comm_create_errhandler(Pool<CommHandler>::function_for(function), Errhandler::Out(errhandler)));
}
STARLING_NAMES_ONCE(comm_create_errhandler, COMM_CREATE_ERRHANDLER)
STARLING_NAMES_F08_ONCE(comm_create_errhandler)
void pmpi_errhandler_create_(CommHandler::Procedure* function, Fint* errhandler, Fint* ierror) {
  pmpi_comm_create_errhandler_(function, errhandler, ierror);
}
STARLING_NAMES_ONCE(errhandler_create, ERRHANDLER_CREATE)

void pmpi_win_create_errhandler_(WinHandler::Procedure* function, Fint* errhandler, Fint* ierror) {
  put(ierror, PMPI_Win_create_errhandler(Pool<WinHandler>::function_for(function), Errhandler::Out(errhandler)));
}
STARLING_NAMES_ONCE(win_create_errhandler, WIN_CREATE_ERRHANDLER)
STARLING_NAMES_F08_ONCE(win_create_errhandler)

void pmpi_file_create_errhandler_(FileHandler::Procedure* function, Fint* errhandler, Fint* ierror) {
  put(ierror, PMPI_File_create_errhandler(Pool<FileHandler>::function_for(function), Errhandler::Out(errhandler)));
}
STARLING_NAMES_ONCE(file_create_errhandler, FILE_CREATE_ERRHANDLER)
STARLING_NAMES_F08_ONCE(file_create_errhandler)

void pmpi_session_create_errhandler_(SessionHandler::Procedure* function, Fint* errhandler, Fint* ierror) {
  put(ierror, PMPI_Session_create_errhandler(Pool<SessionHandler>::function_for(function), Errhandler::Out(errhandler)));
}
STARLING_NAMES_ONCE(session_create_errhandler, SESSION_CREATE_ERRHANDLER)
STARLING_NAMES_F08_ONCE(session_create_errhandler)

void pmpi_grequest_start_(void (*query_fn)(MPI_Aint*, Fint*, Fint*), void (*free_fn)(MPI_Aint*, Fint*),
                          void (*cancel_fn)(MPI_Aint*, Fint*, Fint*), const MPI_Aint* extra_state, Fint* request, Fint* ierror) {
  auto* state = new Generalized{query_fn, free_fn, cancel_fn, *extra_state};
  const int code = PMPI_Grequest_start(query, release, cancel, state, Request::Out(request));
  if (code != MPI_SUCCESS) delete state;
  put(ierror, code);
}
STARLING_NAMES_ONCE(grequest_start, GREQUEST_START)
STARLING_NAMES_F08_ONCE(grequest_start)

// Stands for "no conversion needed"; nobody calls it.
void pmpi_conversion_fn_null_(void*, Fint*, Fint*, void*, MPI_Offset*, MPI_Aint*, Fint*) {}
STARLING_NAMES_LOWER(conversion_fn_null)
void pmpi_conversion_fn_null_c_(void*, Fint*, MPI_Count*, void*, MPI_Offset*, MPI_Aint*, Fint*) {}
STARLING_NAMES_LOWER(conversion_fn_null_c)

void pmpi_register_datarep_(const char* name, Conversion<Fint>* read, Conversion<Fint>* write,
                            void (*extent)(Fint*, MPI_Aint*, MPI_Aint*, Fint*), const MPI_Aint* extra_state, Fint* ierror,
                            std::size_t name_len) {
  using Rep = Datarep<Fint>;
  auto* datarep = new Rep{read, write, extent, *extra_state};
  const int code = PMPI_Register_datarep(Text(name, name_len), read == mpi_conversion_fn_null_ ? nullptr : convert<Fint, &Rep::read>,
                                         write == mpi_conversion_fn_null_ ? nullptr : convert<Fint, &Rep::write>,
                                         file_extent<Fint>, datarep);
  if (code != MPI_SUCCESS) delete datarep;
  put(ierror, code);
}
STARLING_NAMES_ONCE(register_datarep, REGISTER_DATAREP)
STARLING_NAMES_F08_ONCE(register_datarep)

void pmpi_register_datarep_c_(const char* name, Conversion<MPI_Count>* read, Conversion<MPI_Count>* write,
                              void (*extent)(Fint*, MPI_Aint*, MPI_Aint*, Fint*), const MPI_Aint* extra_state, Fint* ierror,
                              std::size_t name_len) {
  using Rep = Datarep<MPI_Count>;
  auto* datarep = new Rep{read, write, extent, *extra_state};
  const int code = PMPI_Register_datarep_c(
      Text(name, name_len), read == mpi_conversion_fn_null_c_ ? nullptr : convert<MPI_Count, &Rep::read>,
      write == mpi_conversion_fn_null_c_ ? nullptr : convert<MPI_Count, &Rep::write>, file_extent<MPI_Count>, datarep);
  if (code != MPI_SUCCESS) delete datarep;
  put(ierror, code);
}
STARLING_NAMES_F08_ONCE(register_datarep_c)

}  // extern "C"
