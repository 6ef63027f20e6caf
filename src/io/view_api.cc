// SPDX-License-Identifier: BSD-3-Clause
// Views and file pointers (MPI 5.0 sections 14.3, 14.4.3, 14.4.4 and 14.5.1).
#include "comm/agree.h"
#include "datatype/entry.gen.h"
#include "io/agree.h"
#include "io/entry.gen.h"
#include "io/file.h"

namespace starling::io {

namespace {

void check_displacement(const File& file, Count displacement) {
  const bool current = displacement == kDisplacementCurrent;
  if (file.amode & kModeSequential) {
    if (!current) fail(kErrArg, "disp has to be MPI_DISPLACEMENT_CURRENT for a file opened with MPI_MODE_SEQUENTIAL");
  } else if (current) {
    fail(kErrArg, "MPI_DISPLACEMENT_CURRENT needs a file opened with MPI_MODE_SEQUENTIAL");
  } else if (displacement < 0) {
    fail(kErrArg, "disp = %lld is negative", static_cast<long long>(displacement));
  }
}

void check_filetype(const File& file, const Datatype& etype, const Datatype& filetype) {
  if (etype.size == 0 ? filetype.size != 0 : filetype.size % etype.size != 0)
    fail(kErrArg, "the filetype of %lld bytes is not made of etypes of %lld bytes", static_cast<long long>(filetype.size),
         static_cast<long long>(etype.size));
  if (filetype.true_lb < 0) fail(kErrType, "the filetype has data at negative displacements");
  if (!(file.amode & kModeRdonly) && !ordered(filetype))
    fail(kErrType, "the filetype of a file that may be written needs data in the order of the displacements, without overlap");
}

// The number of etypes that begin before the end of the file.
Count end_in_etypes(const File& file) {
  const Count etype_bytes = file.view.etype_bytes();
  if (etype_bytes == 0) return 0;
  return (file.view.positions_before(file.driver->size()) + etype_bytes - 1) / etype_bytes;
}

Count sought(const File& file, Count current, Count offset, int whence) {
  if (whence != kSeekSet && whence != kSeekCur && whence != kSeekEnd)
    fail(kErrArg, "whence is none of MPI_SEEK_SET, MPI_SEEK_CUR and MPI_SEEK_END");
  const Count from = whence == kSeekSet ? 0 : whence == kSeekCur ? current : end_in_etypes(file);
  Count target = 0;
  if (__builtin_add_overflow(from, offset, &target) || target < 0)
    fail(kErrArg, "offset = %lld leads before the beginning of the view", static_cast<long long>(offset));
  return target;
}

void check_random(const File& file) {
  if (file.amode & kModeSequential)
    fail(kErrUnsupportedOperation, "a file opened with MPI_MODE_SEQUENTIAL has a shared file pointer only");
}

// A type that the user may free, unless it is one that exists by itself.
Datatype* handed_out(Datatype& type) {
  if (type.permanent) return &type;
  Datatype* copy = nullptr;
  datatype::type_dup(type, copy);
  return copy;
}

}  // namespace

void file_set_view(File& fh, Count disp, Datatype& etype, Datatype& filetype, std::string_view datarep, Info* info) {
  const Representation* how = nullptr;
  FileView view;
  const auto make = [&] {
    check_displacement(fh, disp);
    check_filetype(fh, etype, filetype);
    how = &representation(datarep);
    const Count start = disp == kDisplacementCurrent
                            ? fh.view.offset(fh.shared_position().load(std::memory_order_relaxed) * fh.view.etype_bytes())
                            : disp;
    view = FileView(start, in_file(*how, filetype), bytes_in_file(*how, etype));
  };
  const auto extent = static_cast<std::uint64_t>(etype.extent);
  agreed(*fh.comm, make, comm::hash_of(datarep) + extent, "datarep or of the extent of etype");
  fh.view = std::move(view);
  fh.how = how;
  fh.datarep = datarep;
  fh.etype = Ref<Datatype>(&etype);
  fh.filetype = Ref<Datatype>(&filetype);
  fh.position = 0;
  if (fh.comm->rank == 0) fh.shared_position().store(0, std::memory_order_relaxed);
  take_hints(fh, info);
  agree(*fh.comm, {kSuccess, {}});  // nobody uses the shared pointer before it is 0
}

void file_get_view(File& fh, Count& disp, Datatype*& etype, Datatype*& filetype, std::string& datarep) {
  disp = fh.view.displacement();
  etype = handed_out(*fh.etype);
  filetype = handed_out(*fh.filetype);
  datarep = fh.datarep;
}

void file_get_type_extent(File& fh, Datatype& datatype, Count& extent) { extent = in_file(*fh.how, datatype)->extent; }

void file_seek(File& fh, Count offset, int whence) {
  check_random(fh);
  fh.position = sought(fh, fh.position, offset, whence);
}
void file_get_position(File& fh, Count& offset) {
  check_random(fh);
  offset = fh.position;
}

void file_get_byte_offset(File& fh, Count offset, Count& disp) {
  if (offset < 0) fail(kErrArg, "offset = %lld is negative", static_cast<long long>(offset));
  disp = fh.view.empty() ? fh.view.displacement() : fh.view.offset(offset * fh.view.etype_bytes());
}

void file_seek_shared(File& fh, Count offset, int whence) {
  const auto what = static_cast<std::uint64_t>(offset) * 1024 + static_cast<std::uint64_t>(whence);
  agree(*fh.comm, {kSuccess, {}}, what, "offset or whence");  // whoever has come here has made its accesses
  agreed_at_root(*fh.comm, [&] {
    auto& pointer = fh.shared_position();
    pointer.store(sought(fh, pointer.load(std::memory_order_relaxed), offset, whence), std::memory_order_relaxed);
  });
}
void file_get_position_shared(File& fh, Count& offset) { offset = fh.shared_position().load(std::memory_order_relaxed); }

}  // namespace starling::io
