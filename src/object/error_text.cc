// SPDX-License-Identifier: BSD-3-Clause
#include "object/error_text.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/spinlock.h"

namespace starling::object {

namespace {

struct Text {
  int error_class;
  const char* text;
};

// In the order of the numbers.
constexpr Text kTexts[] = {
    {kSuccess, "No error"},
    {kErrBuffer, "The buffer pointer is not valid"},
    {kErrCount, "The count is not valid"},
    {kErrType, "The datatype is not valid or not committed"},
    {kErrTag, "The tag is not valid"},
    {kErrComm, "The communicator is not valid"},
    {kErrRank, "The rank is not valid"},
    {kErrRequest, "The request is not valid"},
    {kErrRoot, "The root is not valid"},
    {kErrGroup, "The group is not valid"},
    {kErrOp, "The operation is not valid or not defined on this datatype"},
    {kErrTopology, "The communicator does not have the topology that the call needs"},
    {kErrDims, "The dimensions are not valid"},
    {kErrArg, "An argument is not valid"},
    {kErrUnknown, "Unknown error"},
    {kErrTruncate, "The message is longer than the receive buffer"},
    {kErrOther, "An error that no other class describes"},
    {kErrIntern, "Internal error of the MPI library"},
    {kErrPending, "The operation is neither complete nor has it failed"},
    {kErrInStatus, "The error code is in the status"},
    {kErrAccess, "Permission to access the file is denied"},
    {kErrAmode, "The access mode of the file is not valid"},
    {kErrAssert, "The assertion is not valid"},
    {kErrBadFile, "The file name is not valid"},
    {kErrBase, "The base pointer of the memory to free is not valid"},
    {kErrConversion, "A data conversion function of the user failed"},
    {kErrDisp, "The displacement is not valid"},
    {kErrDupDatarep, "A data representation of this name is registered already"},
    {kErrFileExists, "The file exists already"},
    {kErrFileInUse, "The file is open in some process"},
    {kErrFile, "The file handle is not valid"},
    {kErrInfoKey, "The info key is too long or empty"},
    {kErrInfoNokey, "The info has no such key"},
    {kErrInfoValue, "The info value is too long or not valid"},
    {kErrInfo, "The info object is not valid"},
    {kErrIo, "Input or output failed"},
    {kErrKeyval, "The attribute key is not valid"},
    {kErrLocktype, "The lock type is not valid"},
    {kErrName, "The service name is not published"},
    {kErrNoMem, "Memory is exhausted"},
    {kErrNotSame, "The processes of a collective call gave different values to an argument that must be the same"},
    {kErrNoSpace, "There is not enough space on the device"},
    {kErrNoSuchFile, "The file does not exist"},
    {kErrPort, "The port name is not valid"},
    {kErrQuota, "The quota is exceeded"},
    {kErrReadOnly, "The file or file system is read-only"},
    {kErrRmaAttach, "The memory cannot be attached to the window"},
    {kErrRmaConflict, "Conflicting accesses to the window"},
    {kErrRmaRange, "The target memory is not part of the window"},
    {kErrRmaShared, "The memory cannot be shared by the processes of the group"},
    {kErrRmaSync, "Wrong synchronization of one-sided communication"},
    {kErrService, "The service name cannot be published or withdrawn"},
    {kErrSize, "The size is not valid"},
    {kErrSpawn, "The processes could not be started"},
    {kErrUnsupportedDatarep, "The data representation is not supported"},
    {kErrUnsupportedOperation, "The operation is not supported"},
    {kErrWin, "The window is not valid"},
    {kErrRmaFlavor, "The window has the wrong flavor"},
    {kErrProcAborted, "A process of the operation has aborted"},
    {kErrValueTooLarge, "The value is too large to be stored"},
    {kErrSession, "The session is not valid"},
    {kErrErrhandler, "The error handler is not valid"},
    {kErrAbi, "The ABI does not permit this"},
    {kTErrCannotInit, "The tool interface cannot be initialized"},
    {kTErrNotAccessible, "The tool variable is not accessible"},
    {kTErrNotInitialized, "The tool interface is not initialized"},
    {kTErrNotSupported, "The tool interface does not support this"},
    {kTErrMemory, "The tool interface is out of memory"},
    {kTErrInvalid, "An argument of a tool interface function is not valid"},
    {kTErrInvalidIndex, "The index of a tool variable or category is not valid"},
    {kTErrInvalidItem, "The index of an enumeration item is not valid"},
    {kTErrInvalidSession, "The performance variable session is not valid"},
    {kTErrInvalidHandle, "The handle of a tool variable is not valid"},
    {kTErrInvalidName, "The tool interface knows no such name"},
    {kTErrOutOfHandles, "The tool interface is out of handles"},
    {kTErrOutOfSessions, "The tool interface is out of sessions"},
    {kTErrCvarSetNotNow, "The control variable cannot be set at this moment"},
    {kTErrCvarSetNever, "The control variable cannot be set"},
    {kTErrPvarNoWrite, "The performance variable cannot be written or reset"},
    {kTErrPvarNoStartstop, "The performance variable cannot be started or stopped"},
    {kTErrPvarNoAtomic, "The performance variable cannot be read and written atomically"},
    {kErrLastcode, "The last error code of the library"},
};

const Text* library_text(int code) {
  auto text =
      std::lower_bound(std::begin(kTexts), std::end(kTexts), code, [](const Text& t, int c) { return t.error_class < c; });
  return text != std::end(kTexts) && text->error_class == code ? text : nullptr;
}

// A class or code of the user. Class and code share one numbering: entry i has number kErrLastcode + 1 + i.
struct UserCode {
  bool alive = true;
  int error_class = 0;  // own number: a class
  std::string text;
};

struct UserCodes {
  Spinlock lock;
  std::vector<UserCode> entries;
  int last_used = kErrLastcode;

  UserCode* find(int code) {
    auto i = static_cast<std::size_t>(code) - kErrLastcode - 1;
    return code > kErrLastcode && i < entries.size() && entries[i].alive ? &entries[i] : nullptr;
  }
  int number(std::size_t i) const { return kErrLastcode + 1 + static_cast<int>(i); }
  int append(int error_class) {
    int code = number(entries.size());
    entries.push_back({true, error_class ? error_class : code, {}});
    return last_used = code;
  }
  // Numbers at the end are given back; in the middle they stay unused, so that no number gets a second meaning while others
  // live.
  void remove(UserCode& entry) {
    entry.alive = false;
    while (!entries.empty() && !entries.back().alive) entries.pop_back();
    last_used = kErrLastcode + static_cast<int>(entries.size());
  }
};

// Never destroyed: programs ask for texts in their own exit handlers.
UserCodes& user_codes() {
  static UserCodes& codes = *new UserCodes;
  return codes;
}

// The last errors, in a ring.
struct Details {
  struct Detail {
    int error_class = kSuccess;
    std::string text;
  };
  Spinlock lock;
  Detail ring[kDetails];
  int next = 0;
};

// Never destroyed, as above.
Details& details() {
  static Details& details = *new Details;
  return details;
}

// The class of a code that make_code has made; kSuccess if it has not. Its text, if it is still there.
int class_of_detail(int code, std::string* text) {
  if (!has_detail(code)) return kSuccess;
  const int error_class = code & kClassMask;
  Details& all = details();
  SpinGuard guard(all.lock);
  const Details::Detail& detail = all.ring[(code >> kClassBits) - 1];
  if (detail.error_class == kSuccess) return kSuccess;
  if (text && detail.error_class == error_class) *text = detail.text;
  return library_text(error_class) ? error_class : kSuccess;
}

// The entry of a code that the user may change. The lock is held.
UserCode& changeable(UserCodes& codes, int code, const char* what) {
  if (library_text(code) || has_detail(code)) fail(kErrOther, "%s %d belongs to the library and cannot be changed", what, code);
  UserCode* entry = codes.find(code);
  if (!entry) fail(kErrArg, "%s %d was not added by this program", what, code);
  return *entry;
}

}  // namespace

int make_code(int error_class, std::string_view text) {
  const bool literal = error_class == kErrInStatus || error_class == kErrPending;
  if (literal || error_class <= kSuccess || error_class >= kClasses) return error_class;
  Details& all = details();
  SpinGuard guard(all.lock);
  all.ring[all.next] = {error_class, std::string(text.substr(0, kMaxErrorString - 1))};
  const int number = all.next + 1;
  all.next = number % kDetails;
  return number << kClassBits | error_class;
}

std::string error_text(int code) {
  if (const Text* text = library_text(code)) return text->text;
  std::string detail;
  if (const int error_class = class_of_detail(code, &detail)) return detail.empty() ? library_text(error_class)->text : detail;
  UserCodes& codes = user_codes();
  SpinGuard guard(codes.lock);
  UserCode* entry = codes.find(code);
  if (!entry) fail(kErrArg, "%d is not an error code", code);
  return entry->text;
}

int error_class(int code) {
  if (library_text(code)) return code;
  if (const int error_class = class_of_detail(code, nullptr)) return error_class;
  UserCodes& codes = user_codes();
  SpinGuard guard(codes.lock);
  UserCode* entry = codes.find(code);
  if (!entry) fail(kErrArg, "%d is not an error code", code);
  return entry->error_class;
}

int add_class() {
  UserCodes& codes = user_codes();
  SpinGuard guard(codes.lock);
  return codes.append(0);
}

int add_code(int error_class) {
  UserCodes& codes = user_codes();
  SpinGuard guard(codes.lock);
  UserCode* entry = codes.find(error_class);
  if (!library_text(error_class) && !(entry && entry->error_class == error_class))
    fail(kErrArg, "%d is not an error class", error_class);
  return codes.append(error_class);
}

void add_text(int code, std::string_view text) {
  if (text.size() >= kMaxErrorString)
    fail(kErrArg, "the text has %zu characters, but at most %d are allowed", text.size(), kMaxErrorString - 1);
  UserCodes& codes = user_codes();
  SpinGuard guard(codes.lock);
  changeable(codes, code, "error code").text = text;
}

void remove_class(int error_class) {
  UserCodes& codes = user_codes();
  SpinGuard guard(codes.lock);
  UserCode& entry = changeable(codes, error_class, "error class");
  if (entry.error_class != error_class) fail(kErrArg, "%d is an error code, not a class", error_class);
  for (std::size_t i = 0; i < codes.entries.size(); ++i)
    if (codes.entries[i].alive && &codes.entries[i] != &entry && codes.entries[i].error_class == error_class)
      fail(kErrOther, "error class %d still has the error code %d", error_class, codes.number(i));
  if (!entry.text.empty()) fail(kErrOther, "error class %d still has a text", error_class);
  codes.remove(entry);
}

void remove_code(int code) {
  UserCodes& codes = user_codes();
  SpinGuard guard(codes.lock);
  UserCode& entry = changeable(codes, code, "error code");
  if (entry.error_class == code) fail(kErrArg, "%d is an error class, not a code", code);
  if (!entry.text.empty()) fail(kErrOther, "error code %d still has a text", code);
  codes.remove(entry);
}

void remove_text(int code) {
  UserCodes& codes = user_codes();
  SpinGuard guard(codes.lock);
  changeable(codes, code, "error code").text.clear();
}

int* last_used_code() { return &user_codes().last_used; }

}  // namespace starling::object
