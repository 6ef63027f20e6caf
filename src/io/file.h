// SPDX-License-Identifier: BSD-3-Clause
// File: a file that the processes of a communicator have opened together (MPI 5.0 chapter 14; doc/io.md).
//
// Thread-safety: everything is guarded by the worker lock, except the shared file pointer, which lies in shared memory.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/types.h"
#include "comm/shared_memory.h"
#include "datatype/datatype.h"
#include "io/driver.h"
#include "io/hints.h"
#include "io/representation.h"
#include "io/view.h"
#include "object/comm.h"
#include "object/errhandler.h"
#include "object/info.h"
#include "object/object.h"
#include "object/pool.h"

namespace starling {

struct Request;

namespace io {

// What the processes of a file share.
struct SharedPart {
  alignas(kCacheLine) std::atomic<Count> position;  // the shared file pointer, in etypes
};
static_assert(std::atomic<Count>::is_always_lock_free);  // processes meet in it

}  // namespace io

struct File : Object {
  Ref<Comm> comm;  // the file's own, with the group of the communicator it was opened on
  io::Location location;
  int amode = 0;
  std::unique_ptr<io::Driver> driver;

  // The view. `etype` and `filetype` are those of MPI_File_set_view, `view` is made of them as they are in the file.
  Ref<Datatype> etype, filetype;
  std::string datarep = "native";
  const io::Representation* how = nullptr;  // never null after opening
  io::FileView view;

  Count position = 0;  // the individual file pointer, in etypes
  comm::SharedMemory shared;
  bool atomic = false;

  io::Hints hints;
  Ref<Info> info;  // hints as MPI_File_get_info shows them; never null after opening
  Ref<Errhandler> errhandler;

  // The split collective operation that has begun and not ended: what began it, and its request.
  const char* split_name = nullptr;
  Request* split = nullptr;

  explicit File(io::Location where) : location(std::move(where)) {}
  std::atomic<Count>& shared_position() const { return reinterpret_cast<io::SharedPart*>(shared.base())->position; }
};

using FilePool = Pool<File, Kind::kFile, 1 << 16>;
FilePool& file_pool();
void destroy(File& file);

namespace io {

// What stands for MPI_FILE_NULL when a handler of the user is called, and the handler of errors that belong to no open file,
// which new files start with (MPI 5.0, 14.7).
Object& null_file();
Ref<Errhandler>& null_errhandler();

// Collective: takes over the hints of `info` (nullptr: none). Those about collective accesses are what rank 0 says.
void take_hints(File& file, const Info* info);

}  // namespace io
}  // namespace starling
