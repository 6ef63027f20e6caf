// SPDX-License-Identifier: BSD-3-Clause
#include "section.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace starling::fortran {

// An assumed-size array has -1 for its last extent; it lies in one piece, as does a scalar.
Section::Section(const CFI_cdesc_t* descriptor)
    : base_(static_cast<char*>(descriptor->base_addr)),
      element_(descriptor->elem_len),
      bytes_(element_),
      rank_(descriptor->rank) {
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

MPI_Count Section::distance(MPI_Count n) const {
  const auto length = static_cast<MPI_Count>(element_);
  MPI_Count element = n / length, bytes = n % length;
  for (int k = 0; k < rank_; ++k) {
    bytes += element % dim_[k].extent * dim_[k].sm;
    element /= dim_[k].extent;
  }
  return bytes;
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

// `count` elements of a datatype without gaps lie on the first elements of the array, a whole number on each.
void Typed::describe() {
  MPI_Count lb = 0, extent = 0, size = 0;
  error_ = PMPI_Type_get_extent_c(datatype_, &lb, &extent);
  if (error_ == MPI_SUCCESS) error_ = PMPI_Type_size_c(datatype_, &size);
  if (error_ != MPI_SUCCESS || size == 0) return;
  const auto length = static_cast<MPI_Count>(section_.element());
  const MPI_Count bytes = count_ * size;
  if (lb != 0 || extent != size || length % size != 0 || bytes % length != 0) return describe_by_units();
  MPI_Datatype element;
  PMPI_Type_contiguous_c(length / size, datatype_, &element);
  datatype_ = over(section_.rank(), bytes / length, element);
  PMPI_Type_free(&element);
  PMPI_Type_commit(&datatype_);
  count_ = 1;
  made_ = true;
}

namespace {

// The predefined datatype of which all of a datatype consists; MPI_BYTE if there are several.
MPI_Datatype unit_of(MPI_Datatype datatype) {
  MPI_Count integers, addresses, counts, types;
  int combiner;
  PMPI_Type_get_envelope_c(datatype, &integers, &addresses, &counts, &types, &combiner);
  if (types == 0) return datatype;
  std::vector<int> some_integers(static_cast<std::size_t>(integers));
  std::vector<MPI_Aint> some_addresses(static_cast<std::size_t>(addresses));
  std::vector<MPI_Count> some_counts(static_cast<std::size_t>(counts));
  std::vector<MPI_Datatype> parts(static_cast<std::size_t>(types));
  PMPI_Type_get_contents_c(datatype, integers, addresses, counts, types, some_integers.data(), some_addresses.data(),
                           some_counts.data(), parts.data());
  MPI_Datatype unit = MPI_DATATYPE_NULL;
  for (MPI_Datatype& part : parts) {
    const MPI_Datatype its = unit_of(part);
    unit = unit == MPI_DATATYPE_NULL || unit == its ? its : MPI_BYTE;
    PMPI_Type_get_envelope_c(part, &integers, &addresses, &counts, &types, &combiner);
    if (types > 0) PMPI_Type_free(&part);
  }
  return unit;
}

}  // namespace

// Any other datatype. Where it has its bytes it tells by packing positions, one byte of each at a time; the same bytes of the
// section, neighbours together, are what is wanted. Described in units of the predefined datatype if they are whole in both,
// which accumulates need, and files in another representation.
void Typed::describe_by_units() {
  MPI_Count lb = 0, extent = 0, first = 0, span = 0, size = 0, length = 0;
  PMPI_Type_get_extent_c(datatype_, &lb, &extent);
  PMPI_Type_get_true_extent_c(datatype_, &first, &span);
  PMPI_Type_size_c(datatype_, &size);
  const MPI_Count last = (count_ - 1) * extent;
  const MPI_Count begin = first + std::min<MPI_Count>(last, 0), end = first + span + std::max<MPI_Count>(last, 0);
  if (begin < 0 || end > static_cast<MPI_Count>(section_.bytes())) return refuse();
  std::vector<unsigned char> image(static_cast<std::size_t>(end)), packed(static_cast<std::size_t>(count_ * size));
  std::vector<MPI_Count> places(packed.size());
  for (int shift = 0; shift == 0 || (end - 1) >> shift > 0; shift += 8) {
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<unsigned char>(i >> shift);
    MPI_Count position = 0;
    error_ = PMPI_Pack_c(image.data(), count_, datatype_, packed.data(), count_ * size, &position, MPI_COMM_SELF);
    if (error_ != MPI_SUCCESS) return;
    for (std::size_t i = 0; i < packed.size(); ++i) places[i] |= MPI_Count{packed[i]} << shift;
  }
  for (MPI_Count& place : places) place = section_.distance(place);

  MPI_Datatype unit = unit_of(datatype_);
  PMPI_Type_size_c(unit, &length);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (const auto inside = static_cast<MPI_Count>(i) % length;
        places[i] != places[i - static_cast<std::size_t>(inside)] + inside) {
      unit = MPI_BYTE;
      length = 1;
      break;
    }
  std::vector<MPI_Count> starts, counts;
  for (std::size_t i = 0; i < places.size(); i += static_cast<std::size_t>(length)) {
    if (!starts.empty() && starts.back() + counts.back() * length == places[i]) {
      ++counts.back();
    } else {
      starts.push_back(places[i]);
      counts.push_back(1);
    }
  }
  PMPI_Type_create_hindexed_c(static_cast<MPI_Count>(starts.size()), counts.data(), starts.data(), unit, &datatype_);
  PMPI_Type_commit(&datatype_);
  count_ = 1;
  made_ = true;
}

void Typed::refuse() {
  PMPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_TYPE);
  error_ = MPI_ERR_TYPE;
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
