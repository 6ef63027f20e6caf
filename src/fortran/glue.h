// SPDX-License-Identifier: BSD-3-Clause
// What the Fortran entries share: between the arguments of a Fortran program and those of the C functions. It uses nothing but
// the public C interface, so one text serves both ABIs (doc/fortran.md). What the library exports is in exports.map.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace starling::fortran {

using Fint = int;  // INTEGER; a LOGICAL has its size, and .TRUE. is 1

// Programs of other compilers and of older times call mpi_send_ by other names. An own definition of a tool comes before each.
#define STARLING_ALIAS(other, name) STARLING_ALIAS_(other, name)
#define STARLING_ALIAS_(other, name) extern decltype(name) other __attribute__((weak, alias(#name)));

// Entries are compiled twice: as mpi_send_, which calls MPI_Send, so that a tool in C sees what Fortran programs do, and, with
// STARLING_PROFILING, as pmpi_send_, which calls PMPI_Send, so that a tool in Fortran goes on below every tool.
#ifdef STARLING_PROFILING
#define STARLING_LOWER(name) pmpi_##name
#define STARLING_UPPER(name) PMPI_##name
#else
#define STARLING_LOWER(name) mpi_##name
#define STARLING_UPPER(name) MPI_##name
#endif
#define STARLING_NAMES(lower, upper)                                  \
  STARLING_ALIAS(STARLING_LOWER(lower##__), STARLING_LOWER(lower##_)) \
  STARLING_ALIAS(STARLING_LOWER(lower), STARLING_LOWER(lower##_))     \
  STARLING_ALIAS(STARLING_UPPER(upper), STARLING_LOWER(lower##_))
// What mpi_f08 calls, where nothing is different there.
#define STARLING_NAMES_F08(lower) STARLING_ALIAS(STARLING_LOWER(lower##_f08_), STARLING_LOWER(lower##_))

// IERROR may be left out with mpi_f08.
inline void put(Fint* ierror, int code) {
  if (ierror) *ierror = code;
}

// ---- Variables whose address is their meaning: the common blocks of mpif.h (names and shapes are MPICH's), shared with the
// program.

extern "C" {
struct Mpipriv1 {
  Fint bottom, in_place, status_ignore[sizeof(MPI_Status) / sizeof(Fint)];
};
struct Mpipriv2 {
  Fint statuses_ignore[sizeof(MPI_Status) / sizeof(Fint)], errcodes_ignore;
};
struct Mpiprivc {
  char argvs_null, argv_null;
};
extern Mpipriv1 mpipriv1_;
extern Mpipriv2 mpipriv2_;
extern Mpiprivc mpiprivc_;
extern Fint mpifcmb5_, mpifcmb9_, mpifcmba_;  // MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY, MPI_BUFFER_AUTOMATIC
extern MPI_Status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
}

inline void* buffer_of(const void* buffer) {
  if (buffer == &mpipriv1_.bottom) return MPI_BOTTOM;
  if (buffer == &mpipriv1_.in_place) return MPI_IN_PLACE;
  if (buffer == &mpifcmba_) return MPI_BUFFER_AUTOMATIC;
  return const_cast<void*>(buffer);
}

inline MPI_Status* status_of(const Fint* status) {
  const void* place = status;
  if (place == mpipriv1_.status_ignore || place == &MPIR_F08_MPI_STATUS_IGNORE_OBJ) return MPI_STATUS_IGNORE;
  return reinterpret_cast<MPI_Status*>(const_cast<Fint*>(status));
}

inline MPI_Status* statuses_of(const Fint* statuses) {
  const void* place = statuses;
  if (place == mpipriv2_.statuses_ignore || place == &MPIR_F08_MPI_STATUSES_IGNORE_OBJ) return MPI_STATUSES_IGNORE;
  return reinterpret_cast<MPI_Status*>(const_cast<Fint*>(statuses));
}

template <class T>
T* weights_of(T* weights) {
  if (weights == &mpifcmb5_) return const_cast<T*>(MPI_UNWEIGHTED);
  if (weights == &mpifcmb9_) return const_cast<T*>(MPI_WEIGHTS_EMPTY);
  return weights;
}

inline Fint* errcodes_of(Fint* codes) { return codes == &mpipriv2_.errcodes_ignore ? MPI_ERRCODES_IGNORE : codes; }

// ---- Handles: integers in Fortran. Where the C handle is that integer already (MPICH's ABI), nothing is copied.

// Room for a few objects without the heap.
template <class T>
class Room {
 public:
  explicit Room(long long n) : heap_(n > kFew ? new T[static_cast<std::size_t>(n)] : nullptr) {}
  T* data() { return heap_ ? heap_.get() : few_; }

 private:
  static constexpr long long kFew = 32;
  T few_[kFew];
  std::unique_ptr<T[]> heap_;
};

template <class Handle, Handle (*From)(int), int (*To)(Handle)>
struct Handles {
  static constexpr bool kSame = std::is_same_v<Handle, Fint>;

  static Handle in(const Fint* handle) {
    if constexpr (kSame)
      return *handle;
    else
      return From(*handle);
  }

  static Fint out(Handle handle) {
    if constexpr (kSame)
      return handle;
    else
      return To(handle);
  }

  // The place of a result; the user's integer is written when the call has ended and has made something.
  class Out {
   public:
    explicit Out(Fint* user) : user_(user) {}
    Out(const Out&) = delete;
    ~Out() {
      if constexpr (!kSame) {
        if (value_ != Handle{}) *user_ = To(value_);
      }
    }
    operator Handle*() {
      if constexpr (kSame)
        return user_;
      else
        return &value_;
    }

   private:
    Fint* user_;
    Handle value_{};
  };

  // Arrays; one that is in and out, or out alone, is written back.
  template <bool kIn, bool kOut>
  class Array {
   public:
    Array(const Fint* user, long long n) : user_(const_cast<Fint*>(user)), n_(kSame || n < 0 ? 0 : n), values_(n_) {
      for (long long i = 0; i < n_; ++i) values_.data()[i] = kIn ? in(user + i) : Handle{};
    }
    Array(const Array&) = delete;
    ~Array() {
      for (long long i = 0; kOut && i < n_; ++i) {
        if (kIn || values_.data()[i] != Handle{}) user_[i] = out(values_.data()[i]);
      }
    }
    operator Handle*() {
      if constexpr (kSame)
        return user_;
      else
        return values_.data();
    }

   private:
    Fint* user_;
    long long n_;
    Room<Handle> values_;
  };

  using In = Array<true, false>;
  using InOut = Array<true, true>;
  using OutArray = Array<false, true>;
};

using Comm = Handles<MPI_Comm, PMPI_Comm_fromint, PMPI_Comm_toint>;
using Group = Handles<MPI_Group, PMPI_Group_fromint, PMPI_Group_toint>;
using Type = Handles<MPI_Datatype, PMPI_Type_fromint, PMPI_Type_toint>;
using Op = Handles<MPI_Op, PMPI_Op_fromint, PMPI_Op_toint>;
using Errhandler = Handles<MPI_Errhandler, PMPI_Errhandler_fromint, PMPI_Errhandler_toint>;
using Info = Handles<MPI_Info, PMPI_Info_fromint, PMPI_Info_toint>;
using Request = Handles<MPI_Request, PMPI_Request_fromint, PMPI_Request_toint>;
using Message = Handles<MPI_Message, PMPI_Message_fromint, PMPI_Message_toint>;
using Win = Handles<MPI_Win, PMPI_Win_fromint, PMPI_Win_toint>;
using File = Handles<MPI_File, PMPI_File_fromint, PMPI_File_toint>;
using Session = Handles<MPI_Session, PMPI_Session_fromint, PMPI_Session_toint>;

// The types of alltoallw: how many there are follows from the communicator; those of an in-place send do not count.
enum Peers { kRanks, kSources, kDestinations };
long long peers(MPI_Comm comm, Peers which, const void* buffer);

}  // namespace starling::fortran
