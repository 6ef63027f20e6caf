// SPDX-License-Identifier: BSD-3-Clause
#include "io/access.h"

#include <cstdint>

#include "datatype/layout.h"

namespace starling::io {

namespace {

void check_mode(const File& file, Direction direction) {
  if (direction == Direction::kRead && file.amode & kModeWronly) fail(kErrAccess, "the file was opened with MPI_MODE_WRONLY");
  if (direction == Direction::kWrite && file.amode & kModeRdonly)
    fail(kErrReadOnly, "the file was opened with MPI_MODE_RDONLY");
}

}  // namespace

Access::Access(File& f, Direction d, void* buffer, Count count, Datatype& type)
    : file(&f), direction(d), memory(coll::data(buffer, count, type)), type_(&type), buffer_(buffer) {
  check_mode(f, d);
  bytes = checked_multiply(count, bytes_in_file(*f.how, type));
  const Count etype_bytes = f.view.etype_bytes();
  if (bytes > 0 && f.view.empty()) fail(kErrIo, "the filetype of the view has no data");
  if (etype_bytes > 0 && bytes % etype_bytes != 0)
    fail(kErrIo, "%lld bytes are not a whole number of etypes of %lld bytes", static_cast<long long>(bytes),
         static_cast<long long>(etype_bytes));
  if (!is_converted()) return;
  converted_ = std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes));
  memory = coll::raw(converted_.get(), bytes);
  if (writes() && count > 0) f.how->to_file(buffer, count, type, converted_.get());
}

void Access::place(Count etype) {
  position = checked_multiply(etype, file->view.etype_bytes());
  checked_add(position, bytes);
}

Count Access::reached() const {
  const Count etype_bytes = file->view.etype_bytes();
  return etype_bytes > 0 ? (position + moved + etype_bytes - 1) / etype_bytes : 0;
}

Count Access::first_offset() const { return file->view.ordered() ? file->view.offset(position) : 0; }
Count Access::end_offset() const { return file->view.ordered() ? file->view.offset(position + bytes - 1) + 1 : INT64_MAX; }

void Access::finish() {
  if (error.error_class != kSuccess) throw Error(error);
  if (writes() || !is_converted()) return;
  const Count of_one = bytes_in_file(*file->how, *type_);
  if (of_one > 0) file->how->from_file(converted_.get(), buffer_, moved / of_one, *type_);
}

Status Access::status() const {
  Status status;
  status.bytes = moved;
  if (is_converted()) {
    const Count of_one = bytes_in_file(*file->how, *type_);
    status.bytes = of_one > 0 ? moved / of_one * type_->size : 0;
  }
  return status;
}

}  // namespace starling::io
