// SPDX-License-Identifier: BSD-3-Clause
// Array sections as buffers (mpi_f08). The compiler hands over a descriptor of TS 29113; what lies in one piece is passed on,
// else
// - a blocking call works on a copy (Copied), which is right for every datatype and every collective;
// - a one-sided or non-blocking transfer of one buffer uses a derived datatype over the section (Typed);
// - a non-blocking or persistent collective works on a copy that lives as long as its request (Kept, pending.h).
#pragma once

#include <ISO_Fortran_binding.h>

#include "glue.h"

namespace starling::fortran {

// The place of a section in memory, independent of the descriptor's life.
class Section {
 public:
  Section() = default;
  explicit Section(const CFI_cdesc_t* descriptor);

  void* base() const { return base_; }
  bool contiguous() const { return contiguous_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t element() const { return element_; }
  int rank() const { return rank_; }
  const CFI_dim_t& dim(int k) const { return dim_[k]; }
  // From the base to a byte of the section that would be the n-th if it lay in one piece.
  MPI_Count distance(MPI_Count n) const;
  void gather(void* image) const;         // from the section
  void scatter(const void* image) const;  // into the section

 private:
  char* base_ = nullptr;
  std::size_t element_ = 0, bytes_ = 0;
  int rank_ = 0;
  bool contiguous_ = true;
  CFI_dim_t dim_[CFI_MAX_RANK];
};

enum Access { kRead, kWrite };

class Copied {
 public:
  Copied(const CFI_cdesc_t* descriptor, Access access);
  Copied(const Copied&) = delete;
  ~Copied();
  operator void*() { return image_ ? image_ : buffer_of(section_.base()); }

 private:
  Section section_;
  Access access_;
  char* image_ = nullptr;
};

class Typed {
 public:
  Typed(const CFI_cdesc_t* descriptor, MPI_Count count, MPI_Datatype datatype);
  Typed(const Typed&) = delete;
  ~Typed();
  int error() const { return error_; }
  void* buffer() const { return buffer_of(section_.base()); }
  MPI_Datatype datatype() const { return datatype_; }
  template <class T>
  T count() const {
    return static_cast<T>(count_);
  }

 private:
  void describe();
  void describe_by_units();
  void refuse();
  MPI_Datatype over(int rank, MPI_Count elements, MPI_Datatype element) const;

  Section section_;
  MPI_Count count_;
  MPI_Datatype datatype_;
  bool made_ = false;
  int error_ = MPI_SUCCESS;
};

// Where a section begins; for calls that want an address and no data.
inline void* base_of(const CFI_cdesc_t* descriptor) { return buffer_of(descriptor->base_addr); }

}  // namespace starling::fortran
