// SPDX-License-Identifier: BSD-3-Clause
// Driver: a kind of file system as the library sees it. Errors of the system are thrown as Error with the class that MPI has
// for them (MPI 5.0 section 14.7). A driver is one process's view of one open file; it holds what it opened until it is
// destroyed.
//
// A new kind of file system is a class derived from Driver and a line in the table of driver.cc.
#pragma once

#include <sys/uio.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/types.h"

namespace starling::io {

enum class Sharing { kShared, kExclusive };

class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  // Moves all bytes of the parts from or to the file, from `offset` on. The parts are changed. A read returns how many bytes it
  // got, fewer than asked for only at the end of the file.
  virtual Count read(Count offset, iovec* parts, int n) = 0;
  virtual void write(Count offset, iovec* parts, int n) = 0;

  virtual Count size() = 0;
  virtual void set_size(Count bytes) = 0;
  // Gets storage for the first `bytes` bytes; the file has at least this size then.
  virtual void preallocate(Count bytes) = 0;
  // Returns when what was written is on the storage device.
  virtual void sync() = 0;

  // Locks a range of the file against other processes that lock; waits for them.
  virtual void lock(Sharing sharing, Count first, Count bytes) = 0;
  virtual void unlock(Count first, Count bytes) = 0;
};

// A range of a file, locked as long as the object lives.
class RangeLock {
 public:
  RangeLock(Driver& driver, Sharing sharing, Count first, Count bytes) : driver_(driver), first_(first), bytes_(bytes) {
    driver.lock(sharing, first, bytes);
  }
  RangeLock(const RangeLock&) = delete;
  RangeLock& operator=(const RangeLock&) = delete;
  ~RangeLock() { driver_.unlock(first_, bytes_); }

 private:
  Driver& driver_;
  Count first_, bytes_;
};

// A file name of the user's. A prefix like "ufs:" names the kind of file system and is no part of the path.
struct Location {
  explicit Location(std::string_view name);
  std::unique_ptr<Driver> open(int amode) const;  // kModeCreate ...
  void remove() const;

  std::string path;
  const struct FileSystem* system;
};

// Throws the error that an errno stands for: "<what> <path>: <reason>".
[[noreturn]] void fail_system(int error, const char* what, const std::string& path);

}  // namespace starling::io
