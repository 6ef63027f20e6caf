// SPDX-License-Identifier: BSD-3-Clause
// Functions whose Fortran form differs from that of C by more than the kinds of the arguments tell.
#include <cstring>
#include <deque>
#include <vector>

#include "section.h"
#include "text.h"

using namespace starling::fortran;

namespace {

// Tools and other languages ask the library about our LOGICAL and types (MPI 5.0, 20.4). Whoever comes first says it.
void describe_fortran() {
  Fint yes = 1, no = 0, is_set = 0;
  int t = 0, f = 0;
  if (PMPI_Abi_get_fortran_booleans(sizeof(Fint), &t, &f, &is_set) == MPI_SUCCESS && !is_set) {
    PMPI_Abi_set_fortran_booleans(sizeof(Fint), &yes, &no);
  }
  MPI_Info info = MPI_INFO_NULL;
  if (PMPI_Abi_get_fortran_info(&info) != MPI_SUCCESS) return;
  if (info == MPI_INFO_NULL) {
    PMPI_Info_create(&info);
    for (const char* key : {"mpi_logical_size", "mpi_integer_size", "mpi_real_size"}) PMPI_Info_set(info, key, "4");
    PMPI_Info_set(info, "mpi_double_precision_size", "8");
    PMPI_Abi_set_fortran_info(info);
  }
  PMPI_Info_free(&info);
}

// The length of a string without and with the zero of C.
int with_zero(Fint length) { return length > 0 ? length + 1 : 0; }

}  // namespace

extern "C" {

void STARLING_LOWER(init_)(Fint* ierror) {
  const int code = STARLING_UPPER(Init)(nullptr, nullptr);
  if (code == MPI_SUCCESS) describe_fortran();
  put(ierror, code);
}
STARLING_NAMES(init, INIT)
STARLING_NAMES_F08(init)

void STARLING_LOWER(init_thread_)(const Fint* required, Fint* provided, Fint* ierror) {
  const int code = STARLING_UPPER(Init_thread)(nullptr, nullptr, *required, provided);
  if (code == MPI_SUCCESS) describe_fortran();
  put(ierror, code);
}
STARLING_NAMES(init_thread, INIT_THREAD)
STARLING_NAMES_F08(init_thread)

void STARLING_LOWER(pcontrol_)(const Fint* level) { STARLING_UPPER(Pcontrol)(*level); }
STARLING_NAMES(pcontrol, PCONTROL)
STARLING_NAMES_F08(pcontrol)

void STARLING_LOWER(info_create_env_)(Fint* info, Fint* ierror) {
  put(ierror, STARLING_UPPER(Info_create_env)(0, nullptr, Info::Out(info)));
}
STARLING_NAMES(info_create_env, INFO_CREATE_ENV)
STARLING_NAMES_F08(info_create_env)

double STARLING_LOWER(wtime_)() { return STARLING_UPPER(Wtime)(); }
STARLING_NAMES(wtime, WTIME)
double STARLING_LOWER(wtick_)() { return STARLING_UPPER(Wtick)(); }
STARLING_NAMES(wtick, WTICK)
MPI_Aint STARLING_LOWER(aint_add_)(const MPI_Aint* base, const MPI_Aint* disp) {
  return STARLING_UPPER(Aint_add)(*base, *disp);
}
STARLING_NAMES(aint_add, AINT_ADD)
MPI_Aint STARLING_LOWER(aint_diff_)(const MPI_Aint* addr1, const MPI_Aint* addr2) {
  return STARLING_UPPER(Aint_diff)(*addr1, *addr2);
}
STARLING_NAMES(aint_diff, AINT_DIFF)

// The call alone keeps the compiler from holding the buffer in a register.
void STARLING_LOWER(f_sync_reg_)(void*) {}
STARLING_NAMES(f_sync_reg, F_SYNC_REG)
void STARLING_UPPER(F_sync_reg_f08ts)(CFI_cdesc_t*) {}

void STARLING_UPPER(Sizeof_f08ts)(const CFI_cdesc_t* x, Fint* size, Fint* ierror) {
  *size = static_cast<Fint>(x->elem_len);
  put(ierror, MPI_SUCCESS);
}

// ---- Statuses: one layout in C, as an array and as TYPE(MPI_Status)

void STARLING_LOWER(status_f2f08_)(const Fint* f_status, Fint* f08_status, Fint* ierror) {
  std::memcpy(f08_status, f_status, sizeof(MPI_Status));
  put(ierror, MPI_SUCCESS);
}
STARLING_NAMES(status_f2f08, STATUS_F2F08)
STARLING_NAMES_F08(status_f2f08)

void STARLING_LOWER(status_f082f_)(const Fint* f08_status, Fint* f_status, Fint* ierror) {
  std::memcpy(f_status, f08_status, sizeof(MPI_Status));
  put(ierror, MPI_SUCCESS);
}
STARLING_NAMES(status_f082f, STATUS_F082F)
STARLING_NAMES_F08(status_f082f)

// ---- Buffers for MPI_Bsend: with mpi_f08 the address comes back; in mpif.h and `use mpi` the argument has the wrong type for
// it

void STARLING_LOWER(buffer_detach_)(void*, Fint* size, Fint* ierror) {
  void* nowhere;
  put(ierror, STARLING_UPPER(Buffer_detach)(&nowhere, size));
}
STARLING_NAMES(buffer_detach, BUFFER_DETACH)
void STARLING_LOWER(buffer_detach_f08_)(void* buffer, Fint* size, Fint* ierror) {
  put(ierror, STARLING_UPPER(Buffer_detach)(buffer, size));
}
void STARLING_LOWER(buffer_detach_c_f08_)(void* buffer, MPI_Count* size, Fint* ierror) {
  put(ierror, STARLING_UPPER(Buffer_detach_c)(buffer, size));
}

void STARLING_LOWER(comm_detach_buffer_)(const Fint* comm, void*, Fint* size, Fint* ierror) {
  void* nowhere;
  put(ierror, STARLING_UPPER(Comm_detach_buffer)(Comm::in(comm), &nowhere, size));
}
STARLING_NAMES(comm_detach_buffer, COMM_DETACH_BUFFER)
void STARLING_LOWER(comm_detach_buffer_f08_)(const Fint* comm, void* buffer, Fint* size, Fint* ierror) {
  put(ierror, STARLING_UPPER(Comm_detach_buffer)(Comm::in(comm), buffer, size));
}
void STARLING_LOWER(comm_detach_buffer_c_f08_)(const Fint* comm, void* buffer, MPI_Count* size, Fint* ierror) {
  put(ierror, STARLING_UPPER(Comm_detach_buffer_c)(Comm::in(comm), buffer, size));
}

void STARLING_LOWER(session_detach_buffer_)(const Fint* session, void*, Fint* size, Fint* ierror) {
  void* nowhere;
  put(ierror, STARLING_UPPER(Session_detach_buffer)(Session::in(session), &nowhere, size));
}
STARLING_NAMES(session_detach_buffer, SESSION_DETACH_BUFFER)
void STARLING_LOWER(session_detach_buffer_f08_)(const Fint* session, void* buffer, Fint* size, Fint* ierror) {
  put(ierror, STARLING_UPPER(Session_detach_buffer)(Session::in(session), buffer, size));
}
void STARLING_LOWER(session_detach_buffer_c_f08_)(const Fint* session, void* buffer, MPI_Count* size, Fint* ierror) {
  put(ierror, STARLING_UPPER(Session_detach_buffer_c)(Session::in(session), buffer, size));
}

// ---- Strings with a length of their own: the zero of C does not count

void STARLING_LOWER(info_get_)(const Fint* info, const char* key, const Fint* valuelen, char* value, Fint* flag, Fint* ierror,
                               std::size_t key_len, std::size_t value_len) {
  *flag = 0;
  put(ierror, STARLING_UPPER(Info_get)(Info::in(info), Text(key, key_len), *valuelen,
                                       TextOut(value, value_len, *valuelen + 1LL), flag));
}
STARLING_NAMES(info_get, INFO_GET)
STARLING_NAMES_F08(info_get)

void STARLING_LOWER(info_get_string_)(const Fint* info, const char* key, Fint* buflen, char* value, Fint* flag, Fint* ierror,
                                      std::size_t key_len, std::size_t value_len) {
  int length = with_zero(*buflen);
  *flag = 0;
  put(ierror,
      STARLING_UPPER(Info_get_string)(Info::in(info), Text(key, key_len), &length, TextOut(value, value_len, length), flag));
  if (*flag) *buflen = length - 1;
}
STARLING_NAMES(info_get_string, INFO_GET_STRING)
STARLING_NAMES_F08(info_get_string)

void STARLING_LOWER(session_get_nth_pset_)(const Fint* session, const Fint* info, const Fint* n, Fint* pset_len,
                                           char* pset_name, Fint* ierror, std::size_t pset_name_len) {
  int length = with_zero(*pset_len);
  const int code = STARLING_UPPER(Session_get_nth_pset)(Session::in(session), Info::in(info), *n, &length,
                                                        TextOut(pset_name, pset_name_len, length));
  if (code == MPI_SUCCESS) *pset_len = length - 1;
  put(ierror, code);
}
STARLING_NAMES(session_get_nth_pset, SESSION_GET_NTH_PSET)
STARLING_NAMES_F08(session_get_nth_pset)

// ---- Starting processes: arguments count at the root only

void STARLING_LOWER(comm_spawn_)(const char* command, const char* argv, const Fint* maxprocs, const Fint* info,
                                 const Fint* root, const Fint* comm, Fint* intercomm, Fint* errcodes, Fint* ierror,
                                 std::size_t command_len, std::size_t argv_len) {
  int rank = -1;
  PMPI_Comm_rank(Comm::in(comm), &rank);
  const bool none = rank != *root || argv == &mpiprivc_.argv_null;
  TextArray words(argv, argv_len, none ? 0 : TextArray::kUntilBlank, argv_len);
  put(ierror, STARLING_UPPER(Comm_spawn)(Text(command, rank == *root ? command_len : 0),
                                         none ? MPI_ARGV_NULL : static_cast<char**>(words), *maxprocs,
                                         rank == *root ? Info::in(info) : MPI_INFO_NULL, *root, Comm::in(comm),
                                         Comm::Out(intercomm), errcodes_of(errcodes)));
}
STARLING_NAMES(comm_spawn, COMM_SPAWN)
STARLING_NAMES_F08(comm_spawn)

void STARLING_LOWER(comm_spawn_multiple_)(const Fint* count, const char* commands, const char* argv, const Fint* maxprocs,
                                          const Fint* infos, const Fint* root, const Fint* comm, Fint* intercomm,
                                          Fint* errcodes, Fint* ierror, std::size_t command_len, std::size_t argv_len) {
  int rank = -1;
  PMPI_Comm_rank(Comm::in(comm), &rank);
  const int n = rank == *root ? *count : 0;
  TextArray names(commands, command_len, n, command_len);
  std::deque<TextArray> words;
  std::vector<char**> argvs;
  if (argv != &mpiprivc_.argvs_null) {
    for (int i = 0; i < n; ++i) {
      const auto stride = static_cast<std::size_t>(*count) * argv_len;
      argvs.push_back(
          words.emplace_back(argv + static_cast<std::size_t>(i) * argv_len, argv_len, TextArray::kUntilBlank, stride));
    }
  }
  put(ierror, STARLING_UPPER(Comm_spawn_multiple)(*count, names, argvs.empty() ? MPI_ARGVS_NULL : argvs.data(), maxprocs,
                                                  Info::In(infos, n), *root, Comm::in(comm), Comm::Out(intercomm),
                                                  errcodes_of(errcodes)));
}
STARLING_NAMES(comm_spawn_multiple, COMM_SPAWN_MULTIPLE)
STARLING_NAMES_F08(comm_spawn_multiple)

}  // extern "C"
