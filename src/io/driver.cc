// SPDX-License-Identifier: BSD-3-Clause
#include "io/driver.h"

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "io/posix.h"

namespace starling::io {

struct FileSystem {
  std::string_view prefix;
  std::unique_ptr<Driver> (*open)(const std::string& path, int amode);
  void (*remove)(const std::string& path);
};

namespace {

// The first is that of names without a prefix. The prefixes are those that programs have learnt from ROMIO.
constexpr FileSystem kFileSystems[] = {
    {"ufs", open_posix, remove_posix},  {"nfs", open_posix, remove_posix},    {"xfs", open_posix, remove_posix},
    {"gpfs", open_posix, remove_posix}, {"lustre", open_posix, remove_posix}, {"panfs", open_posix, remove_posix},
};

struct ErrorOfSystem {
  int number;
  int error_class;
};
constexpr ErrorOfSystem kErrors[] = {
    {ENOENT, kErrNoSuchFile}, {EEXIST, kErrFileExists}, {EACCES, kErrAccess},        {EPERM, kErrAccess},
    {EROFS, kErrReadOnly},    {ENOSPC, kErrNoSpace},    {EDQUOT, kErrQuota},         {EFBIG, kErrNoSpace},
    {ENOTDIR, kErrBadFile},   {EISDIR, kErrBadFile},    {ENAMETOOLONG, kErrBadFile}, {ELOOP, kErrBadFile},
    {ETXTBSY, kErrFileInUse}, {EBUSY, kErrFileInUse},   {ENOMEM, kErrNoMem},
};

int class_of(int error) {
  for (const ErrorOfSystem& known : kErrors)
    if (known.number == error) return known.error_class;
  return kErrIo;
}

}  // namespace

void fail_system(int error, const char* what, const std::string& path) {
  fail(class_of(error), "%s %s: %s", what, path.c_str(), std::strerror(error));
}

Location::Location(std::string_view name) : path(name), system(&kFileSystems[0]) {
  for (const FileSystem& candidate : kFileSystems) {
    const std::size_t length = candidate.prefix.size();
    if (name.size() <= length || name.substr(0, length) != candidate.prefix || name[length] != ':') continue;
    system = &candidate;
    path = name.substr(length + 1);
    break;
  }
  if (path.empty()) fail(kErrBadFile, "the file name is empty");
}

std::unique_ptr<Driver> Location::open(int amode) const { return system->open(path, amode); }
void Location::remove() const { system->remove(path); }

}  // namespace starling::io
