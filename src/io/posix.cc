// SPDX-License-Identifier: BSD-3-Clause
#include "io/posix.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "base/constants.gen.h"

namespace starling::io {

namespace {

class Posix final : public Driver {
 public:
  Posix(const std::string& path, int fd) : path_(path), fd_(fd) {}
  ~Posix() override { close(fd_); }

  Count read(Count offset, iovec* parts, int n) override {
    return move(
        offset, parts, n, [this](Count at, const iovec* now, int k) { return preadv(fd_, now, k, at); }, "cannot read");
  }
  void write(Count offset, iovec* parts, int n) override {
    move(
        offset, parts, n, [this](Count at, const iovec* now, int k) { return pwritev(fd_, now, k, at); }, "cannot write");
  }

  Count size() override {
    struct stat status;
    if (fstat(fd_, &status) != 0) fail_system(errno, "cannot tell the size of", path_);
    return status.st_size;
  }
  void set_size(Count bytes) override {
    if (ftruncate(fd_, bytes) != 0) fail_system(errno, "cannot set the size of", path_);
  }
  void preallocate(Count bytes) override {
    if (bytes == 0) return;
    if (const int error = posix_fallocate(fd_, 0, bytes)) fail_system(error, "cannot preallocate", path_);
  }
  void sync() override {
    if (fsync(fd_) != 0 && errno != EINVAL) fail_system(errno, "cannot sync", path_);  // EINVAL: nothing to sync, as /dev/null
  }

  void lock(Sharing sharing, Count first, Count bytes) override {
    set_lock(static_cast<short>(sharing == Sharing::kShared ? F_RDLCK : F_WRLCK), first, bytes);
  }
  void unlock(Count first, Count bytes) override { set_lock(F_UNLCK, first, bytes); }

 private:
  // The system may move fewer bytes than asked for; goes on until all are moved or none is left to be moved.
  template <class Once>
  Count move(Count offset, iovec* parts, int n, Once once, const char* what) {
    Count moved = 0;
    while (n > 0) {
      const ssize_t now = once(offset + moved, parts, std::min(n, IOV_MAX));
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) fail_system(errno, what, path_);
      if (now == 0 && parts->iov_len > 0) break;
      moved += now;
      auto rest = static_cast<std::size_t>(now);
      for (; n > 0 && rest >= parts->iov_len; ++parts, --n) rest -= parts->iov_len;
      if (n > 0) {
        parts->iov_base = static_cast<std::byte*>(parts->iov_base) + rest;
        parts->iov_len -= rest;
      }
    }
    return moved;
  }

  // Locks that belong to the open file, not to the process, so that two handles of a process on one file do not undo each
  // other's. Where the system has none, those of the process.
  void set_lock(short type, Count first, Count bytes) {
    struct flock range {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = first;
    range.l_len = bytes;
    while (fcntl(fd_, command_, &range) != 0) {
      if (errno == EINVAL && command_ == F_OFD_SETLKW) {
        command_ = F_SETLKW;
      } else if (errno != EINTR) {
        if (type == F_UNLCK) return;  // what cannot be unlocked was not locked
        fail_system(errno, "cannot lock", path_);
      }
    }
  }

  std::string path_;
  int fd_;
  int command_ = F_OFD_SETLKW;
};

int open_flags(int amode) {
  int flags = O_CLOEXEC;
  flags |= amode & kModeRdwr ? O_RDWR : amode & kModeWronly ? O_WRONLY : O_RDONLY;
  if (amode & kModeCreate) flags |= O_CREAT;
  if (amode & kModeExcl) flags |= O_EXCL;
  return flags;
}

}  // namespace

std::unique_ptr<Driver> open_posix(const std::string& path, int amode) {
  const int fd = open(path.c_str(), open_flags(amode), 0666);
  if (fd < 0) fail_system(errno, "cannot open", path);
  struct stat status;
  if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {  // can be opened for reading, but not read
    close(fd);
    fail_system(EISDIR, "cannot open", path);
  }
  return std::make_unique<Posix>(path, fd);
}

void remove_posix(const std::string& path) {
  if (unlink(path.c_str()) != 0) fail_system(errno, "cannot delete", path);
}

}  // namespace starling::io
