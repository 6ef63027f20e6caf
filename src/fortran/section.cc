// SPDX-License-Identifier: BSD-3-Clause
#include "section.h"

#include <cstdlib>
#include <cstring>

namespace starling::fortran {

// An assumed-size array has -1 for its last extent; it lies in one piece, as does a scalar.
Section::Section(const CFI_cdesc_t* descriptor)
    : base_(static_cast<char*>(descriptor->base_addr)), element_(descriptor->elem_len), bytes_(element_), rank_(descriptor->rank) {
  CFI_index_t next = static_cast<CFI_index_t>(element_);  // the distance that continues without a gap
  for (int k = 0; k < rank_; ++k) {
    dim_[k] = descriptor->dim[k];
    if (dim_[k].extent < 0) {
      contiguous_ = true;
      return;
    }
    if (dim_[k].extent != 1 && dim_[k].sm != next) contiguous_ = false;
    next *= dim_[k].extent;
    bytes_ *= static_cast<std::size_t>(dim_[k].extent);
  }
  if (bytes_ == 0 || !base_) contiguous_ = true;
}

namespace {

// Walks over a section in array element order, one column at a time.
template <class Move>
void walk(const Section& section, char* at, int rank, Move& move) {
  if (rank == 0) return move(at);
  const CFI_dim_t& dim = section.dim(rank - 1);
  for (CFI_index_t i = 0; i < dim.extent; ++i) walk(section, at + i * dim.sm, rank - 1, move);
}

}  // namespace

void Section::gather(void* image) const {
  auto move = [to = static_cast<char*>(image), size = element_](const char* from) mutable {
    std::memcpy(to, from, size);
    to += size;
  };
  walk(*this, base_, rank_, move);
}

void Section::scatter(const void* image) const {
  auto move = [from = static_cast<const char*>(image), size = element_](char* to) mutable {
    std::memcpy(to, from, size);
    from += size;
  };
  walk(*this, base_, rank_, move);
}

Copied::Copied(const CFI_cdesc_t* descriptor, Access access) : section_(descriptor), access_(access) {
  if (section_.contiguous()) return;
  image_ = new char[section_.bytes()];
  section_.gather(image_);  // also of what is only written: MPI may write less
}

Copied::~Copied() {
  if (image_ && access_ == kWrite) section_.scatter(image_);
  delete[] image_;
}

Typed::Typed(const CFI_cdesc_t* descriptor, MPI_Count count, MPI_Datatype datatype)
    : section_(descriptor), count_(count), datatype_(datatype) {
  if (!section_.contiguous() && count > 0) describe();
}

Typed::~Typed() {
  if (made_) PMPI_Type_free(&datatype_);
}

// `count` elements of a datatype without gaps lie on the first elements of the array. What is no whole number of array elements is
// described by bytes.
void Typed::describe() {
  MPI_Count lb = 0, extent = 0, size = 0;
  error_ = PMPI_Type_get_extent_c(datatype_, &lb, &extent);
  if (error_ == MPI_SUCCESS) error_ = PMPI_Type_size_c(datatype_, &size);
  if (error_ != MPI_SUCCESS || size == 0) return;
  const auto length = static_cast<MPI_Count>(section_.element());
  const MPI_Count bytes = count_ * size;
  if (lb != 0 || extent != size || bytes % length != 0) {
    error_ = PMPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_TYPE);
    error_ = MPI_ERR_TYPE;
    return;
  }
  MPI_Datatype element;
  if (length % size == 0) PMPI_Type_contiguous_c(length / size, datatype_, &element);
  else PMPI_Type_contiguous_c(length, MPI_BYTE, &element);
  datatype_ = over(section_.rank(), bytes / length, element);
  PMPI_Type_free(&element);
  PMPI_Type_commit(&datatype_);
  count_ = 1;
  made_ = true;
}

// The first `elements` elements of the lowest dimensions: whole hyperplanes, then what remains of the next one.
MPI_Datatype Typed::over(int rank, MPI_Count elements, MPI_Datatype element) const {
  MPI_Datatype result;
  if (rank == 0) {
    PMPI_Type_dup(element, &result);
    return result;
  }
  MPI_Count plane = 1;
  for (int k = 0; k < rank - 1; ++k) plane *= section_.dim(k).extent;
  const MPI_Count whole = elements / plane, rest = elements % plane, step = section_.dim(rank - 1).sm;
  MPI_Datatype parts[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  MPI_Count places[2] = {0, whole * step}, lengths[2] = {1, 1};
  int n = 0;
  if (whole > 0) {
    const MPI_Datatype inner = over(rank - 1, plane, element);
    PMPI_Type_create_hvector_c(whole, 1, step, inner, &parts[n++]);
    MPI_Datatype used = inner;
    PMPI_Type_free(&used);
  }
  if (rest > 0) {
    places[n] = whole * step;
    parts[n++] = over(rank - 1, rest, element);
  }
  if (n == 1 && places[0] == 0) return parts[0];
  PMPI_Type_create_struct_c(n, lengths, places, parts, &result);
  for (int i = 0; i < n; ++i) PMPI_Type_free(&parts[i]);
  return result;
}

}  // namespace starling::fortran
