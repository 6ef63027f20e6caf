// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of a file and set for it as a whole (MPI 5.0 sections 14.2.4 to 14.2.8, 14.6, 14.7).
#include <type_traits>

#include "comm/agree.h"
#include "io/agree.h"
#include "io/entry.gen.h"
#include "io/file.h"
#include "object/error_text.h"

namespace starling::io {

namespace {

void check_can_resize(const File& file, Count size) {
  if (size < 0) fail(kErrArg, "size = %lld is negative", static_cast<long long>(size));
  if (file.amode & kModeRdonly) fail(kErrReadOnly, "the file was opened with MPI_MODE_RDONLY");
  if (file.amode & kModeSequential) fail(kErrUnsupportedOperation, "the file was opened with MPI_MODE_SEQUENTIAL");
}

}  // namespace

void file_get_size(File& fh, Count& size) { size = fh.driver->size(); }

void file_set_size(File& fh, Count size) {
  agreed(
      *fh.comm, [&] { check_can_resize(fh, size); }, static_cast<std::uint64_t>(size), "size");
  agreed_at_root(*fh.comm, [&] { fh.driver->set_size(size); });
}

void file_preallocate(File& fh, Count size) {
  agreed(
      *fh.comm, [&] { check_can_resize(fh, size); }, static_cast<std::uint64_t>(size), "size");
  agreed_at_root(*fh.comm, [&] { fh.driver->preallocate(size); });
}

void file_sync(File& fh) {
  agreed(*fh.comm, [&] { fh.driver->sync(); });
}

void file_get_amode(File& fh, int& amode) { amode = fh.amode; }
void file_get_group(File& fh, Group*& group) { group = retain(fh.comm->group.get()); }

void file_set_atomicity(File& fh, bool flag) {
  agree(*fh.comm, {kSuccess, {}}, flag, "flag");
  fh.atomic = flag;
}
void file_get_atomicity(File& fh, bool& flag) { flag = fh.atomic; }

void take_hints(File& file, const Info* info) {
  static_assert(std::is_trivially_copyable_v<Hints>);
  if (info) file.hints.take(*info);
  Hints first = file.hints;
  comm::broadcast(*file.comm, comm::creation_tag(*file.comm), &first, sizeof first, 0);
  file.hints.cb_buffer_size = first.cb_buffer_size;
  file.hints.cb_nodes = first.cb_nodes;
  file.hints.cb_read = first.cb_read;
  file.hints.cb_write = first.cb_write;
  file.hints.striping_unit = first.striping_unit;
  Ref<Info> given = Ref<Info>::adopt(info_pool().create());
  for (const Info* part : {static_cast<const Info*>(file.info.get()), info})
    if (part)
      for (const auto& [key, value] : part->entries) given->set(key, value);
  file.info = file.hints.shown(given.get());
}

void file_set_info(File& fh, Info* info) { take_hints(fh, info); }
void file_get_info(File& fh, Info*& info_used) { info_used = object::copy_info(*fh.info); }

Object& null_file() {
  static constinit Object file{Kind::kFile, kCodeFileNull};
  return file;
}
Ref<Errhandler>& null_errhandler() {
  static auto& handler = *new Ref<Errhandler>(predefined_errhandler(kCodeErrorsReturn));
  return handler;
}

namespace {

Ref<Errhandler>& errhandler_of(File* file) { return file ? file->errhandler : null_errhandler(); }

}  // namespace

void file_set_errhandler(File* file, Errhandler& errhandler) {
  object::check_errhandler(errhandler, Kind::kFile);
  errhandler_of(file) = Ref<Errhandler>(&errhandler);
}
void file_get_errhandler(File* file, Errhandler*& errhandler) { errhandler = retain(errhandler_of(file).get()); }

void file_call_errhandler(File* fh, int errorcode) {
  const std::string text =
      "MPI_File_call_errhandler was called with error " + std::to_string(errorcode) + ": " + object::error_text(errorcode);
  object::handle_error(errhandler_of(fh).get(), fh ? static_cast<Object&>(*fh) : null_file(), errorcode, text);
}

}  // namespace starling::io
