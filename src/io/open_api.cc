// SPDX-License-Identifier: BSD-3-Clause
// Opening, closing and deleting files (MPI 5.0 sections 14.2.1 to 14.2.3).
#include <utility>

#include "comm/agree.h"
#include "comm/create.h"
#include "io/agree.h"
#include "io/entry.gen.h"
#include "io/file.h"

namespace starling {

FilePool& file_pool() {
  static auto* instance = new FilePool;
  return *instance;
}

void destroy(File& file) { file_pool().destroy(&file); }

namespace io {

namespace {

void check_amode(int amode) {
  const int access = amode & (kModeRdonly | kModeWronly | kModeRdwr);
  constexpr int kAll = kModeAppend | kModeCreate | kModeDeleteOnClose | kModeExcl | kModeRdonly | kModeRdwr | kModeSequential |
                       kModeUniqueOpen | kModeWronly;
  if (amode & ~kAll) fail(kErrAmode, "amode has a bit that is none of the MPI_MODE_ constants");
  if (access != kModeRdonly && access != kModeWronly && access != kModeRdwr)
    fail(kErrAmode, "amode needs exactly one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR");
  if (access == kModeRdonly && amode & (kModeCreate | kModeExcl))
    fail(kErrAmode, "MPI_MODE_CREATE and MPI_MODE_EXCL make no sense with MPI_MODE_RDONLY");
  if (access == kModeRdwr && amode & kModeSequential) fail(kErrAmode, "MPI_MODE_SEQUENTIAL makes no sense with MPI_MODE_RDWR");
}

// Rank 0 opens the file first, and creates it if that is wanted; the others find it there.
void open_driver(File& file, Comm& comm) {
  agreed_at_root(comm, [&file] { file.driver = file.location.open(file.amode); });
  file.shared = comm::SharedMemory(comm, sizeof(SharedPart), "starling-file");
  agreed(comm, [&] {
    if (comm.rank != 0) file.driver = file.location.open(file.amode & ~(kModeCreate | kModeExcl));
    if (file.amode & kModeAppend) file.position = file.driver->size();
    if (comm.rank == 0) file.shared_position().store(file.position, std::memory_order_relaxed);
  });
}

}  // namespace

void file_open(Comm& comm, std::string_view filename, int amode, Info* info, File*& fh) {
  comm::check_intra(comm);
  const Ref<Comm> own = Ref<Comm>::adopt(comm::create_first(comm, comm.size));
  own->name = comm.name;
  Ref<File> file;
  agreed(
      *own,
      [&] {
        check_amode(amode);
        file = Ref<File>::adopt(file_pool().create(Location(filename)));
      },
      static_cast<std::uint64_t>(amode), "amode");
  file->comm = own;
  file->amode = amode;
  file->etype = file->filetype = Ref<Datatype>(predefined_datatype(kCodeByte));
  file->how = &representation(file->datarep);
  file->errhandler = null_errhandler();
  open_driver(*file, *own);
  file->hints.take_system();
  take_hints(*file, info);
  fh = file.leak();
}

void file_close(File*& fh) {
  File& file = *fh;
  if (file.split) fail(kErrIo, "%s has begun and not ended", file.split_name);
  const Ref<Comm> comm = file.comm;
  agree(*comm, {kSuccess, {}});  // whoever has come here accesses nothing any more
  const Ref<File> last = Ref<File>::adopt(std::exchange(fh, nullptr));
  if (file.amode & kModeDeleteOnClose) agreed_at_root(*comm, [&file] { file.location.remove(); });
}

void file_delete(std::string_view filename, Info*) { Location(filename).remove(); }

}  // namespace io
}  // namespace starling
