// SPDX-License-Identifier: BSD-3-Clause
// Data access (MPI 5.0 section 14.4): every function is one line that says where the access begins, which way the data goes,
// and whether the process does it alone or together with the others.
#include <algorithm>
#include <utility>

#include "io/collective.h"
#include "io/entry.gen.h"
#include "io/transfer.h"

namespace starling::io {

namespace {

// Where an access begins: at an offset that the user gives, at the individual file pointer, at the shared one, or, in the order
// of the ranks, at the shared one.
struct Place {
  enum class Kind { kExplicit, kIndividual, kShared, kOrdered } kind;
  Count offset = 0;
};
Place at(Count offset) { return {Place::Kind::kExplicit, offset}; }
constexpr Place kIndividual{Place::Kind::kIndividual};
constexpr Place kShared{Place::Kind::kShared};
constexpr Place kOrdered{Place::Kind::kOrdered};

struct Buffer {
  void* address;
  Count count;
  Datatype& type;
};
Buffer buffer(const void* address, Count count, Datatype& type) { return {const_cast<void*>(address), count, type}; }

constexpr Direction kRead = Direction::kRead, kWrite = Direction::kWrite;

// The access begins at its place, and file pointers move on by what it asks for.
void locate(Access& access, const Place& place) {
  File& file = *access.file;
  const bool random = place.kind == Place::Kind::kExplicit || place.kind == Place::Kind::kIndividual;
  if (random && file.amode & kModeSequential)
    fail(kErrUnsupportedOperation, "a file opened with MPI_MODE_SEQUENTIAL has a shared file pointer only");
  switch (place.kind) {
    case Place::Kind::kExplicit:
      if (place.offset < 0) fail(kErrArg, "offset = %lld is negative", static_cast<long long>(place.offset));
      return access.place(place.offset);
    case Place::Kind::kIndividual:
      access.place(file.position);
      file.position += access.etypes();
      return;
    case Place::Kind::kShared:
      return access.place(file.shared_position().fetch_add(access.etypes(), std::memory_order_relaxed));
    case Place::Kind::kOrdered:
      access.ordered = true;
  }
}

// An individual file pointer stays where the file ended.
void settle(const Access& access, const Place& place) {
  if (place.kind == Place::Kind::kIndividual && access.moved < access.bytes) access.file->position = access.reached();
}

void do_alone(Access& access, const Place& place) {
  locate(access, place);
  transfer(access);
  access.finish();
  settle(access, place);
}

void alone(File& file, Direction direction, const Place& place, const Buffer& b, Status& status) {
  Access access(file, direction, b.address, b.count, b.type);
  do_alone(access, place);
  status = access.status();
}
// No other process is needed, so the access is carried out at once.
Request* alone(const RequestOps& ops, File& file, Direction direction, const Place& place, const Buffer& b) {
  Access access(file, direction, b.address, b.count, b.type);
  do_alone(access, place);
  return completed(ops, access);
}

void together(File& file, Direction direction, const Place& place, const Buffer& b, Status& status) {
  if (file.split) fail(kErrIo, "%s has begun and not ended", file.split_name);
  Access access(file, direction, b.address, b.count, b.type);
  locate(access, place);
  run_together(access);
  settle(access, place);
  status = access.status();
}
Request* together(const RequestOps& ops, File& file, Direction direction, const Place& place, const Buffer& b) {
  auto access = std::make_unique<Access>(file, direction, b.address, b.count, b.type);
  locate(*access, place);
  return start_together(ops, std::move(access));
}

// Split collective operations: at most one of a file is under way.
void begin(const RequestOps& ops, File& file, Direction direction, const Place& place, const Buffer& b) {
  if (file.split) fail(kErrIo, "%s has begun and not ended", file.split_name);
  file.split = together(ops, file, direction, place, b);
  file.split_name = ops.name;
}
void end(const RequestOps& ops, File& file, Status& status) {
  if (!file.split) fail(kErrIo, "no split collective operation has begun");
  if (file.split_name != ops.name) fail(kErrIo, "%s has begun, which this function does not end", file.split_name);
  Request& request = *file.split;
  request.worker->wait([&request]() -> bool { return request.complete; });
  file.split = nullptr;
  const Error error{request.status.error, request.error_text ? request.error_text : ""};
  p2p::wait(request, status);
  if (error.error_class != kSuccess) throw Error(error);
}

constexpr RequestOps kIread = request_ops("MPI_File_iread");
constexpr RequestOps kIreadAll = request_ops("MPI_File_iread_all");
constexpr RequestOps kIreadAt = request_ops("MPI_File_iread_at");
constexpr RequestOps kIreadAtAll = request_ops("MPI_File_iread_at_all");
constexpr RequestOps kIreadShared = request_ops("MPI_File_iread_shared");
constexpr RequestOps kIwrite = request_ops("MPI_File_iwrite");
constexpr RequestOps kIwriteAll = request_ops("MPI_File_iwrite_all");
constexpr RequestOps kIwriteAt = request_ops("MPI_File_iwrite_at");
constexpr RequestOps kIwriteAtAll = request_ops("MPI_File_iwrite_at_all");
constexpr RequestOps kIwriteShared = request_ops("MPI_File_iwrite_shared");
constexpr RequestOps kReadAll = request_ops("MPI_File_read_all_begin");
constexpr RequestOps kReadAtAll = request_ops("MPI_File_read_at_all_begin");
constexpr RequestOps kReadOrdered = request_ops("MPI_File_read_ordered_begin");
constexpr RequestOps kWriteAll = request_ops("MPI_File_write_all_begin");
constexpr RequestOps kWriteAtAll = request_ops("MPI_File_write_at_all_begin");
constexpr RequestOps kWriteOrdered = request_ops("MPI_File_write_ordered_begin");

}  // namespace

// Non-blocking, alone.
void file_iread(File& fh, void* buf, Count count, Datatype& datatype, Request*& request) {
  request = alone(kIread, fh, kRead, kIndividual, buffer(buf, count, datatype));
}
void file_iread_at(File& fh, Count offset, void* buf, Count count, Datatype& datatype, Request*& request) {
  request = alone(kIreadAt, fh, kRead, at(offset), buffer(buf, count, datatype));
}
void file_iread_shared(File& fh, void* buf, Count count, Datatype& datatype, Request*& request) {
  request = alone(kIreadShared, fh, kRead, kShared, buffer(buf, count, datatype));
}
void file_iwrite(File& fh, const void* buf, Count count, Datatype& datatype, Request*& request) {
  request = alone(kIwrite, fh, kWrite, kIndividual, buffer(buf, count, datatype));
}
void file_iwrite_at(File& fh, Count offset, const void* buf, Count count, Datatype& datatype, Request*& request) {
  request = alone(kIwriteAt, fh, kWrite, at(offset), buffer(buf, count, datatype));
}
void file_iwrite_shared(File& fh, const void* buf, Count count, Datatype& datatype, Request*& request) {
  request = alone(kIwriteShared, fh, kWrite, kShared, buffer(buf, count, datatype));
}

// Non-blocking, collective.
void file_iread_all(File& fh, void* buf, Count count, Datatype& datatype, Request*& request) {
  request = together(kIreadAll, fh, kRead, kIndividual, buffer(buf, count, datatype));
}
void file_iread_at_all(File& fh, Count offset, void* buf, Count count, Datatype& datatype, Request*& request) {
  request = together(kIreadAtAll, fh, kRead, at(offset), buffer(buf, count, datatype));
}
void file_iwrite_all(File& fh, const void* buf, Count count, Datatype& datatype, Request*& request) {
  request = together(kIwriteAll, fh, kWrite, kIndividual, buffer(buf, count, datatype));
}
void file_iwrite_at_all(File& fh, Count offset, const void* buf, Count count, Datatype& datatype, Request*& request) {
  request = together(kIwriteAtAll, fh, kWrite, at(offset), buffer(buf, count, datatype));
}

// Blocking, by this process alone.
void file_read(File& fh, void* buf, Count count, Datatype& datatype, Status& status) {
  alone(fh, kRead, kIndividual, buffer(buf, count, datatype), status);
}
void file_read_at(File& fh, Count offset, void* buf, Count count, Datatype& datatype, Status& status) {
  alone(fh, kRead, at(offset), buffer(buf, count, datatype), status);
}
void file_read_shared(File& fh, void* buf, Count count, Datatype& datatype, Status& status) {
  alone(fh, kRead, kShared, buffer(buf, count, datatype), status);
}
void file_write(File& fh, const void* buf, Count count, Datatype& datatype, Status& status) {
  alone(fh, kWrite, kIndividual, buffer(buf, count, datatype), status);
}
void file_write_at(File& fh, Count offset, const void* buf, Count count, Datatype& datatype, Status& status) {
  alone(fh, kWrite, at(offset), buffer(buf, count, datatype), status);
}
void file_write_shared(File& fh, const void* buf, Count count, Datatype& datatype, Status& status) {
  alone(fh, kWrite, kShared, buffer(buf, count, datatype), status);
}

// Blocking, collective.
void file_read_all(File& fh, void* buf, Count count, Datatype& datatype, Status& status) {
  together(fh, kRead, kIndividual, buffer(buf, count, datatype), status);
}
void file_read_at_all(File& fh, Count offset, void* buf, Count count, Datatype& datatype, Status& status) {
  together(fh, kRead, at(offset), buffer(buf, count, datatype), status);
}
void file_read_ordered(File& fh, void* buf, Count count, Datatype& datatype, Status& status) {
  together(fh, kRead, kOrdered, buffer(buf, count, datatype), status);
}
void file_write_all(File& fh, const void* buf, Count count, Datatype& datatype, Status& status) {
  together(fh, kWrite, kIndividual, buffer(buf, count, datatype), status);
}
void file_write_at_all(File& fh, Count offset, const void* buf, Count count, Datatype& datatype, Status& status) {
  together(fh, kWrite, at(offset), buffer(buf, count, datatype), status);
}
void file_write_ordered(File& fh, const void* buf, Count count, Datatype& datatype, Status& status) {
  together(fh, kWrite, kOrdered, buffer(buf, count, datatype), status);
}

// Split collective.
void file_read_all_begin(File& fh, void* buf, Count count, Datatype& datatype) {
  begin(kReadAll, fh, kRead, kIndividual, buffer(buf, count, datatype));
}
void file_read_all_end(File& fh, void*, Status& status) { end(kReadAll, fh, status); }
void file_read_at_all_begin(File& fh, Count offset, void* buf, Count count, Datatype& datatype) {
  begin(kReadAtAll, fh, kRead, at(offset), buffer(buf, count, datatype));
}
void file_read_at_all_end(File& fh, void*, Status& status) { end(kReadAtAll, fh, status); }
void file_read_ordered_begin(File& fh, void* buf, Count count, Datatype& datatype) {
  begin(kReadOrdered, fh, kRead, kOrdered, buffer(buf, count, datatype));
}
void file_read_ordered_end(File& fh, void*, Status& status) { end(kReadOrdered, fh, status); }
void file_write_all_begin(File& fh, const void* buf, Count count, Datatype& datatype) {
  begin(kWriteAll, fh, kWrite, kIndividual, buffer(buf, count, datatype));
}
void file_write_all_end(File& fh, const void*, Status& status) { end(kWriteAll, fh, status); }
void file_write_at_all_begin(File& fh, Count offset, const void* buf, Count count, Datatype& datatype) {
  begin(kWriteAtAll, fh, kWrite, at(offset), buffer(buf, count, datatype));
}
void file_write_at_all_end(File& fh, const void*, Status& status) { end(kWriteAtAll, fh, status); }
void file_write_ordered_begin(File& fh, const void* buf, Count count, Datatype& datatype) {
  begin(kWriteOrdered, fh, kWrite, kOrdered, buffer(buf, count, datatype));
}
void file_write_ordered_end(File& fh, const void*, Status& status) { end(kWriteOrdered, fh, status); }

}  // namespace starling::io
