// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init ... MPI_Finalize, MPI_Abort, and questions about the library and the machine (MPI 5.0 chapters 9.1, 9.6, 11.2, 20).
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/version.h"
#include "boot/entry.gen.h"
#include "boot/runtime.h"
#include "boot/world.h"
#include "object/comm.h"
#include "object/entry.gen.h"
#include "object/info.h"

namespace starling::boot {

void init(int* argc, char*** argv) {
  int provided;
  init_thread(argc, argv, kThreadSingle, provided);
}

void init_thread(int*, char***, int required, int& provided) {
  Runtime& r = runtime();
  if (r.world.load() == Runtime::World::kFinalized)
    fail(kErrOther, "MPI_Finalize has been called; MPI cannot be initialized again");
  if (r.world.load() == Runtime::World::kInitialized) fail(kErrOther, "MPI is initialized already");
  acquire(required);
  r.main_thread = pthread_self();
  open_world();
  provided = r.thread_level = required;
  r.world.store(Runtime::World::kInitialized);
}

void finalize() {
  Runtime& r = runtime();
  if (!pthread_equal(r.main_thread, pthread_self()))
    fail(kErrOther, "called by another thread than the one that called MPI_Init");
  close_world();
  r.world.store(Runtime::World::kFinalized);
  release();
}

void initialized(bool& flag) { flag = runtime().world.load() != Runtime::World::kBeforeInit; }
void finalized(bool& flag) { flag = runtime().world.load() == Runtime::World::kFinalized; }
void query_thread(int& provided) { provided = runtime().thread_level; }
void is_thread_main(bool& flag) { flag = pthread_equal(runtime().main_thread, pthread_self()); }

void abort(Comm&, int errorcode) { abort_job("", errorcode); }

void get_version(int& version, int& subversion) { version = 5, subversion = 0; }
void get_library_version(std::string& version) { version = kLibraryVersion; }

void get_processor_name(std::string& name) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  name = host;
}

double wtime() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wtick() {
  timespec resolution;
  clock_getres(CLOCK_MONOTONIC, &resolution);
  return static_cast<double>(resolution.tv_sec) + 1e-9 * static_cast<double>(resolution.tv_nsec);
}

void alloc_mem(Count size, Info*, void*& baseptr) {
  void* memory = nullptr;
  if (posix_memalign(&memory, 4096, static_cast<std::size_t>(size > 0 ? size : 1)) != 0)
    fail(kErrNoMem, "no memory for %lld bytes", static_cast<long long>(size));
  baseptr = memory;
}

void free_mem(void* base) { std::free(base); }

void pcontrol(int) {}  // for profiling tools, which intercept it

void abi_get_version(int& abi_major, int& abi_minor) { abi_major = 1, abi_minor = 0; }

void abi_get_info(Info*& info) {
  object::info_create(info);
  info->set("mpi_aint_size", std::to_string(sizeof(Aint)));
  info->set("mpi_count_size", std::to_string(sizeof(Count)));
  info->set("mpi_offset_size", std::to_string(sizeof(Offset)));
}

namespace {

// What the Fortran run-time told us about itself (MPI 5.0, 20.4): set once by its support library, asked by tools.
struct FortranFacts {
  Info* info = nullptr;
  int logical_size = 0;
  unsigned char true_value[16], false_value[16];
};
FortranFacts& fortran() {
  static FortranFacts facts;
  return facts;
}

}  // namespace

void abi_set_fortran_info(Info* info) {
  if (fortran().info) fail(kErrAbi, "the Fortran facts are set already");
  if (info) {
    object::info_create(fortran().info);
    fortran().info->entries = info->entries;
  }
}

void abi_get_fortran_info(Info*& info) {
  info = nullptr;
  if (fortran().info) {
    object::info_create(info);
    info->entries = fortran().info->entries;
  }
}

void abi_set_fortran_booleans(int logical_size, void* logical_true, void* logical_false) {
  FortranFacts& facts = fortran();
  if (facts.logical_size) fail(kErrAbi, "the Fortran booleans are set already");
  if (logical_size < 1 || logical_size > 16) fail(kErrArg, "logical_size = %d is not between 1 and 16", logical_size);
  std::memcpy(facts.true_value, logical_true, static_cast<std::size_t>(logical_size));
  std::memcpy(facts.false_value, logical_false, static_cast<std::size_t>(logical_size));
  facts.logical_size = logical_size;
}

void abi_get_fortran_booleans(int logical_size, void* logical_true, void* logical_false, bool& is_set) {
  const FortranFacts& facts = fortran();
  is_set = facts.logical_size != 0;
  if (!is_set) return;
  if (logical_size != facts.logical_size)
    fail(kErrArg, "logical_size = %d, but a LOGICAL has %d bytes", logical_size, facts.logical_size);
  std::memcpy(logical_true, facts.true_value, static_cast<std::size_t>(logical_size));
  std::memcpy(logical_false, facts.false_value, static_cast<std::size_t>(logical_size));
}

}  // namespace starling::boot
