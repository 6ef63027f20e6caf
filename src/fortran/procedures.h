// SPDX-License-Identifier: BSD-3-Clause
// Procedures of the program that MPI calls. Fortran wants integers where C hands over handles and values, so a C function
// stands between. Operations and error handlers have no extra state that could name the procedure: each one gets one of a fixed
// number of C functions, which it keeps, however many operations are made with it, and through whichever copy of the entries.
#pragma once

#include <array>
#include <mutex>
#include <utility>

#include "glue.h"

namespace starling::fortran {

inline constexpr std::size_t kProcedures = 256;  // of one kind in a program

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

// ---- Procedures of MPI that a program hands over, and that are recognised (predefined.cc).
extern "C" {
void mpi_conversion_fn_null_(void*, Fint*, Fint*, void*, MPI_Offset*, MPI_Aint*, Fint*);
void mpi_conversion_fn_null_c_(void*, Fint*, MPI_Count*, void*, MPI_Offset*, MPI_Aint*, Fint*);
}

}  // namespace starling::fortran
