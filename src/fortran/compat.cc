// SPDX-License-Identifier: BSD-3-Clause
// Functions that MPI-3.0 removed, for programs of before: addresses are default integers, and wrap where memory is larger.
#include "abi.h"
#include "glue.h"

using namespace starling::fortran;

namespace {

// Displacements as today's functions want them.
class Places {
 public:
  Places(const Fint* old, Fint n) : places_(n) {
    for (Fint i = 0; i < n; ++i) places_.data()[i] = old[i];
  }
  operator MPI_Aint*() { return places_.data(); }

 private:
  Room<MPI_Aint> places_;
};

}  // namespace

extern "C" {

void STARLING_LOWER(address_)(const void* location, Fint* place, Fint* ierror) {
  MPI_Aint at = 0;
  const int code = STARLING_UPPER(Get_address)(buffer_of(location), &at);
  *place = static_cast<Fint>(at);
  put(ierror, code);
}
STARLING_NAMES(address, ADDRESS)

void STARLING_LOWER(errhandler_get_)(const Fint* comm, Fint* errhandler, Fint* ierror) {
  put(ierror, STARLING_UPPER(Comm_get_errhandler)(Comm::in(comm), Errhandler::Out(errhandler)));
}
STARLING_NAMES(errhandler_get, ERRHANDLER_GET)

void STARLING_LOWER(errhandler_set_)(const Fint* comm, const Fint* errhandler, Fint* ierror) {
  put(ierror, STARLING_UPPER(Comm_set_errhandler)(Comm::in(comm), Errhandler::in(errhandler)));
}
STARLING_NAMES(errhandler_set, ERRHANDLER_SET)

void STARLING_LOWER(type_extent_)(const Fint* datatype, Fint* extent, Fint* ierror) {
  MPI_Aint lb = 0, length = 0;
  const int code = STARLING_UPPER(Type_get_extent)(Type::in(datatype), &lb, &length);
  *extent = static_cast<Fint>(length);
  put(ierror, code);
}
STARLING_NAMES(type_extent, TYPE_EXTENT)

void STARLING_LOWER(type_lb_)(const Fint* datatype, Fint* displacement, Fint* ierror) {
  MPI_Aint lb = 0, length = 0;
  const int code = STARLING_UPPER(Type_get_extent)(Type::in(datatype), &lb, &length);
  *displacement = static_cast<Fint>(lb);
  put(ierror, code);
}
STARLING_NAMES(type_lb, TYPE_LB)

void STARLING_LOWER(type_ub_)(const Fint* datatype, Fint* displacement, Fint* ierror) {
  MPI_Aint lb = 0, length = 0;
  const int code = STARLING_UPPER(Type_get_extent)(Type::in(datatype), &lb, &length);
  *displacement = static_cast<Fint>(lb + length);
  put(ierror, code);
}
STARLING_NAMES(type_ub, TYPE_UB)

void STARLING_LOWER(type_hvector_)(const Fint* count, const Fint* length, const Fint* stride, const Fint* oldtype,
                                   Fint* newtype, Fint* ierror) {
  put(ierror, STARLING_UPPER(Type_create_hvector)(*count, *length, *stride, Type::in(oldtype), Type::Out(newtype)));
}
STARLING_NAMES(type_hvector, TYPE_HVECTOR)

void STARLING_LOWER(type_hindexed_)(const Fint* count, const Fint* lengths, const Fint* displacements, const Fint* oldtype,
                                    Fint* newtype, Fint* ierror) {
  put(ierror, STARLING_UPPER(Type_create_hindexed)(*count, lengths, Places(displacements, *count), Type::in(oldtype),
                                                   Type::Out(newtype)));
}
STARLING_NAMES(type_hindexed, TYPE_HINDEXED)

void STARLING_LOWER(type_struct_)(const Fint* count, Fint* lengths, const Fint* displacements, const Fint* types, Fint* newtype,
                                  Fint* ierror) {
  put(ierror, type_struct(*count, lengths, Places(displacements, *count), Type::In(types, *count), Type::Out(newtype)));
}
STARLING_NAMES(type_struct, TYPE_STRUCT)

}  // extern "C"
