// SPDX-License-Identifier: BSD-3-Clause
// Functions of the program that MPI calls (procedures.h). Where C passes an extra state on, that names the procedure.
#include "procedures.h"
#include "text.h"

using namespace starling::fortran;

namespace {

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

void STARLING_LOWER(op_create_)(SmallReduction::Procedure* user_fn, const Fint* commute, Fint* op, Fint* ierror) {
  put(ierror, STARLING_UPPER(Op_create)(Pool<SmallReduction>::function_for(user_fn), *commute, Op::Out(op)));
}
STARLING_NAMES(op_create, OP_CREATE)
STARLING_NAMES_F08(op_create)

void STARLING_LOWER(op_create_c_)(LargeReduction::Procedure* user_fn, const Fint* commute, Fint* op, Fint* ierror) {
  put(ierror, STARLING_UPPER(Op_create_c)(Pool<LargeReduction>::function_for(user_fn), *commute, Op::Out(op)));
}
STARLING_NAMES_F08(op_create_c)

void STARLING_LOWER(comm_create_errhandler_)(CommHandler::Procedure* function, Fint* errhandler, Fint* ierror) {
  put(ierror, STARLING_UPPER(Comm_create_errhandler)(Pool<CommHandler>::function_for(function), Errhandler::Out(errhandler)));
}
STARLING_NAMES(comm_create_errhandler, COMM_CREATE_ERRHANDLER)
STARLING_NAMES_F08(comm_create_errhandler)
void STARLING_LOWER(errhandler_create_)(CommHandler::Procedure* function, Fint* errhandler, Fint* ierror) {
  STARLING_LOWER(comm_create_errhandler_)(function, errhandler, ierror);
}
STARLING_NAMES(errhandler_create, ERRHANDLER_CREATE)

void STARLING_LOWER(win_create_errhandler_)(WinHandler::Procedure* function, Fint* errhandler, Fint* ierror) {
  put(ierror, STARLING_UPPER(Win_create_errhandler)(Pool<WinHandler>::function_for(function), Errhandler::Out(errhandler)));
}
STARLING_NAMES(win_create_errhandler, WIN_CREATE_ERRHANDLER)
STARLING_NAMES_F08(win_create_errhandler)

void STARLING_LOWER(file_create_errhandler_)(FileHandler::Procedure* function, Fint* errhandler, Fint* ierror) {
  put(ierror, STARLING_UPPER(File_create_errhandler)(Pool<FileHandler>::function_for(function), Errhandler::Out(errhandler)));
}
STARLING_NAMES(file_create_errhandler, FILE_CREATE_ERRHANDLER)
STARLING_NAMES_F08(file_create_errhandler)

void STARLING_LOWER(session_create_errhandler_)(SessionHandler::Procedure* function, Fint* errhandler, Fint* ierror) {
  put(ierror,
      STARLING_UPPER(Session_create_errhandler)(Pool<SessionHandler>::function_for(function), Errhandler::Out(errhandler)));
}
STARLING_NAMES(session_create_errhandler, SESSION_CREATE_ERRHANDLER)
STARLING_NAMES_F08(session_create_errhandler)

void STARLING_LOWER(grequest_start_)(void (*query_fn)(MPI_Aint*, Fint*, Fint*), void (*free_fn)(MPI_Aint*, Fint*),
                                     void (*cancel_fn)(MPI_Aint*, Fint*, Fint*), const MPI_Aint* extra_state, Fint* request,
                                     Fint* ierror) {
  auto* state = new Generalized{query_fn, free_fn, cancel_fn, *extra_state};
  const int code = STARLING_UPPER(Grequest_start)(query, release, cancel, state, Request::Out(request));
  if (code != MPI_SUCCESS) delete state;
  put(ierror, code);
}
STARLING_NAMES(grequest_start, GREQUEST_START)
STARLING_NAMES_F08(grequest_start)

void STARLING_LOWER(register_datarep_)(const char* name, Conversion<Fint>* read, Conversion<Fint>* write,
                                       void (*extent)(Fint*, MPI_Aint*, MPI_Aint*, Fint*), const MPI_Aint* extra_state,
                                       Fint* ierror, std::size_t name_len) {
  using Rep = Datarep<Fint>;
  auto* datarep = new Rep{read, write, extent, *extra_state};
  const int code = STARLING_UPPER(Register_datarep)(
      Text(name, name_len), read == mpi_conversion_fn_null_ ? nullptr : convert<Fint, &Rep::read>,
      write == mpi_conversion_fn_null_ ? nullptr : convert<Fint, &Rep::write>, file_extent<Fint>, datarep);
  if (code != MPI_SUCCESS) delete datarep;
  put(ierror, code);
}
STARLING_NAMES(register_datarep, REGISTER_DATAREP)
STARLING_NAMES_F08(register_datarep)

void STARLING_LOWER(register_datarep_c_)(const char* name, Conversion<MPI_Count>* read, Conversion<MPI_Count>* write,
                                         void (*extent)(Fint*, MPI_Aint*, MPI_Aint*, Fint*), const MPI_Aint* extra_state,
                                         Fint* ierror, std::size_t name_len) {
  using Rep = Datarep<MPI_Count>;
  auto* datarep = new Rep{read, write, extent, *extra_state};
  const int code = STARLING_UPPER(Register_datarep_c)(
      Text(name, name_len), read == mpi_conversion_fn_null_c_ ? nullptr : convert<MPI_Count, &Rep::read>,
      write == mpi_conversion_fn_null_c_ ? nullptr : convert<MPI_Count, &Rep::write>, file_extent<MPI_Count>, datarep);
  if (code != MPI_SUCCESS) delete datarep;
  put(ierror, code);
}
STARLING_NAMES_F08(register_datarep_c)

}  // extern "C"
