// SPDX-License-Identifier: BSD-3-Clause
// What only the MPICH ABI has: functions that MPI-3.0 removed but its library still exports, conversions of statuses for
// Fortran, and data symbols.
#include <algorithm>

#include "abi/entry/checks.h"
#include "datatype/entry.gen.h"
#include "object/entry.gen.h"

using namespace starling;
using namespace starling::abi;

// Addresses of these are the values: any will do, as long as they differ.
namespace {
int unweighted, weights_empty;
MPI_Fint f_status_ignore[MPI_F_STATUS_SIZE], f_statuses_ignore[MPI_F_STATUS_SIZE];
MPI_F08_status f08_status_ignore, f08_statuses_ignore;
}  // namespace

extern "C" {

int* const MPI_UNWEIGHTED = &unweighted;
int* const MPI_WEIGHTS_EMPTY = &weights_empty;
MPI_Fint* MPI_F_STATUS_IGNORE = f_status_ignore;
MPI_Fint* MPI_F_STATUSES_IGNORE = f_statuses_ignore;
MPI_F08_status* MPI_F08_STATUS_IGNORE = &f08_status_ignore;
MPI_F08_status* MPI_F08_STATUSES_IGNORE = &f08_statuses_ignore;
struct MPI_T_pvar_handle_t* const MPI_T_PVAR_ALL_HANDLES = reinterpret_cast<struct MPI_T_pvar_handle_t*>(1);

int MPIR_Dup_fn(MPI_Comm, int, void*, void* attribute_val_in, void* attribute_val_out, int* flag) {
  *static_cast<void**>(attribute_val_out) = attribute_val_in;
  *flag = 1;
  return MPI_SUCCESS;
}

// ---- Functions removed in MPI-3.0: today's names, small counts

STARLING_NAME_SHIFTED(Address);
int PMPI_Address(void* location, MPI_Aint* address) { return PMPI_Get_address(location, address); }

STARLING_NAME_SHIFTED(Errhandler_create);
int PMPI_Errhandler_create(MPI_Comm_errhandler_function* function, MPI_Errhandler* errhandler) {
  return PMPI_Comm_create_errhandler(function, errhandler);
}

STARLING_NAME_SHIFTED(Errhandler_get);
int PMPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* errhandler) { return PMPI_Comm_get_errhandler(comm, errhandler); }

STARLING_NAME_SHIFTED(Errhandler_set);
int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler) { return PMPI_Comm_set_errhandler(comm, errhandler); }

STARLING_NAME_SHIFTED(Type_extent);
int PMPI_Type_extent(MPI_Datatype datatype, MPI_Aint* extent) {
  MPI_Aint lb;
  return PMPI_Type_get_extent(datatype, &lb, extent);
}

STARLING_NAME_SHIFTED(Type_lb);
int PMPI_Type_lb(MPI_Datatype datatype, MPI_Aint* displacement) {
  MPI_Aint extent;
  return PMPI_Type_get_extent(datatype, displacement, &extent);
}

STARLING_NAME_SHIFTED(Type_ub);
int PMPI_Type_ub(MPI_Datatype datatype, MPI_Aint* displacement) {
  MPI_Aint lb = 0, extent = 0;
  const int code = PMPI_Type_get_extent(datatype, &lb, &extent);
  if (code == MPI_SUCCESS && displacement) *displacement = lb + extent;
  return code;
}

STARLING_NAME_SHIFTED(Type_hvector);
int PMPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return PMPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}

STARLING_NAME_SHIFTED(Type_hindexed);
int PMPI_Type_hindexed(int count, int blocklengths[], MPI_Aint displacements[], MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return PMPI_Type_create_hindexed(count, blocklengths, displacements, oldtype, newtype);
}

// The markers MPI_LB and MPI_UB, which carry no data, become the bounds of a resized type.
STARLING_NAME_SHIFTED(Type_struct);
int PMPI_Type_struct(int count, int blocklengths[], MPI_Aint displacements[], MPI_Datatype types[], MPI_Datatype* newtype) {
  Call call("MPI_Type_struct");
  try {
    nonnegative(count, kErrCount, {"count", 1});
    Temporary<int> lengths(count);
    Temporary<Count> places(count);
    Temporary<Datatype*> members(count);
    array(blocklengths, count, {"array_of_blocklengths", 2});
    array(displacements, count, {"array_of_displacements", 3});
    array(types, count, {"array_of_types", 4});
    writable(newtype, {"newtype", 5});
    bool has_lb = false, has_ub = false;
    Count lb = 0, ub = 0;
    int n = 0;
    for (int i = 0; i < count; ++i) {
      if (types[i] == MPI_LB) {
        lb = has_lb ? std::min<Count>(lb, displacements[i]) : displacements[i];
        has_lb = true;
      } else if (types[i] == MPI_UB) {
        ub = has_ub ? std::max<Count>(ub, displacements[i]) : displacements[i];
        has_ub = true;
      } else {
        lengths.data()[n] = nonnegative(blocklengths[i], kErrCount, {"array_of_blocklengths", 2});
        places.data()[n] = displacements[i];
        members.data()[n++] = &decode<Datatype>(types[i], {"array_of_types", 4});
      }
    }
    Datatype* made = nullptr;
    datatype::type_create_struct(n, lengths.data(), places.data(), members.data(), made, false);
    if (has_lb || has_ub) {
      Ref<Datatype> whole = Ref<Datatype>::adopt(made);
      if (!has_lb) lb = whole->lb;
      if (!has_ub) ub = whole->lb + whole->extent;
      datatype::type_create_resized(*whole, lb, ub - lb, made, false);
    }
    *newtype = out<Datatype>(made);
    return MPI_SUCCESS;
  } catch (...) {
    return call.failed();
  }
}

// ---- Statuses for Fortran: the same five integers

static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint) && sizeof(MPI_F08_status) == sizeof(MPI_Status));

STARLING_NAME_SHIFTED(Status_c2f);
int PMPI_Status_c2f(const MPI_Status* c_status, MPI_Fint* f_status) {
  __builtin_memcpy(f_status, c_status, sizeof *c_status);
  return MPI_SUCCESS;
}

STARLING_NAME_SHIFTED(Status_f2c);
int PMPI_Status_f2c(const MPI_Fint* f_status, MPI_Status* c_status) {
  __builtin_memcpy(c_status, f_status, sizeof *c_status);
  return MPI_SUCCESS;
}

STARLING_NAME_SHIFTED(Status_c2f08);
int PMPI_Status_c2f08(const MPI_Status* c_status, MPI_F08_status* f08_status) {
  __builtin_memcpy(f08_status, c_status, sizeof *f08_status);
  return MPI_SUCCESS;
}

STARLING_NAME_SHIFTED(Status_f082c);
int PMPI_Status_f082c(const MPI_F08_status* f08_status, MPI_Status* c_status) {
  __builtin_memcpy(c_status, f08_status, sizeof *c_status);
  return MPI_SUCCESS;
}

STARLING_NAME_SHIFTED(Status_f082f);
int PMPI_Status_f082f(const MPI_F08_status* f08_status, MPI_Fint* f_status) {
  __builtin_memcpy(f_status, f08_status, sizeof *f08_status);
  return MPI_SUCCESS;
}

STARLING_NAME_SHIFTED(Status_f2f08);
int PMPI_Status_f2f08(const MPI_Fint* f_status, MPI_F08_status* f08_status) {
  __builtin_memcpy(f08_status, f_status, sizeof *f08_status);
  return MPI_SUCCESS;
}

}  // extern "C"
