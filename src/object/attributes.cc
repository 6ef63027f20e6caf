// SPDX-License-Identifier: BSD-3-Clause
#include "object/attributes.h"

#include <algorithm>

#include "base/error.h"
#include "base/spinlock.h"

namespace starling {

struct Keyval {
  Kind kind;
  Callback copy;
  Callback erase;
  void* extra_state;
  int number;
  int references = 1;  // the user's, until free_keyval, and one per attribute; guarded by the table's lock
  bool freed = false;
};

namespace {

// All keyvals of the process: entry i has number kFirstUserKeyval + i; nullptr is a free number.
struct Table {
  Spinlock lock;
  std::vector<Keyval*> keyvals;
};

// Never destroyed: programs free keyvals in their own exit handlers.
Table& table() {
  static Table& only = *new Table;
  return only;
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::kComm:
      return "communicators";
    case Kind::kDatatype:
      return "datatypes";
    case Kind::kWin:
      return "windows";
    default:
      return "other objects";
  }
}

// Whether a keyval counts after MPI_*_free_keyval: while it has attributes, they can be looked at and deleted by its number
// (MPI 5.0, 7.7.2), but no more can be made.
enum class Freed { kAllowed, kRejected };

// The live keyval of a number, with one more reference. `kind` kFree: any.
Keyval* acquire(int number, Kind kind, Freed freed) {
  if (number == kKeyvalInvalid) fail(kErrKeyval, "the keyval is MPI_KEYVAL_INVALID");
  if (number > 0 && number < attributes::kFirstUserKeyval)
    fail(kErrKeyval, "keyval %d is a predefined one, whose value only the library changes", number);
  Table& all = table();
  SpinGuard guard(all.lock);
  auto i = static_cast<std::size_t>(static_cast<std::int64_t>(number) - attributes::kFirstUserKeyval);
  Keyval* keyval = i < all.keyvals.size() ? all.keyvals[i] : nullptr;
  if (!keyval || (keyval->freed && freed == Freed::kRejected))
    fail(kErrKeyval, "keyval %d does not exist or was freed", number);
  if (kind != Kind::kFree && keyval->kind != kind)
    fail(kErrKeyval, "keyval %d was made for %s, not for %s", number, kind_name(keyval->kind), kind_name(kind));
  ++keyval->references;
  return keyval;
}

void retain(Keyval* keyval) {
  SpinGuard guard(table().lock);
  ++keyval->references;
}

void release(Keyval* keyval) {
  Table& all = table();
  SpinGuard guard(all.lock);
  if (--keyval->references > 0) return;
  all.keyvals[static_cast<std::size_t>(keyval->number - attributes::kFirstUserKeyval)] = nullptr;
  delete keyval;
}

// Keeps a keyval alive while a callback may free it.
class Hold {
 public:
  explicit Hold(Keyval* acquired) : keyval_(acquired) {}
  ~Hold() { release(keyval_); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  Keyval* operator->() const { return keyval_; }
  Keyval* get() const { return keyval_; }

 private:
  Keyval* keyval_;
};

void call_erase(const Keyval& keyval, Object& on, void* value) {
  if (!keyval.erase) return;
  if (int code = keyval.erase.abi->attribute_delete(keyval.erase.function, on, keyval.number, value, keyval.extra_state))
    fail(code, "the delete callback of keyval %d returned error %d", keyval.number, code);
}

}  // namespace

namespace attributes {

int create_keyval(Kind kind, Callback copy, Callback erase, void* extra_state) {
  Table& all = table();
  SpinGuard guard(all.lock);
  auto slot = std::find(all.keyvals.begin(), all.keyvals.end(), nullptr);
  if (slot == all.keyvals.end()) slot = all.keyvals.insert(slot, nullptr);
  int number = kFirstUserKeyval + static_cast<int>(slot - all.keyvals.begin());
  *slot = new Keyval{kind, copy, erase, extra_state, number};
  return number;
}

void free_keyval(Kind kind, int number) {
  Hold keyval(acquire(number, kind, Freed::kAllowed));
  if (keyval->freed) return;  // already, but attributes have it: programs free it in each of their delete functions
  keyval->freed = true;
  release(keyval.get());
}

}  // namespace attributes

Attributes::~Attributes() {
  for (const Attribute& entry : entries_) release(entry.keyval);
}

Attribute* Attributes::find(const Keyval* keyval) {
  for (Attribute& entry : entries_)
    if (entry.keyval == keyval) return &entry;
  return nullptr;
}

void Attributes::drop(const Keyval* keyval) {
  Attribute* entry = find(keyval);
  if (!entry) return;
  Keyval* counted = entry->keyval;
  entries_.erase(entries_.begin() + (entry - entries_.data()));
  release(counted);
}

bool Attributes::get(int number, void*& value, Kind on) const {
  Hold keyval(acquire(number, on, Freed::kAllowed));
  for (const Attribute& entry : entries_) {
    if (entry.keyval != keyval.get()) continue;
    value = entry.value;
    return true;
  }
  return false;
}

void Attributes::set(Object& on, int number, void* value) {
  Hold keyval(acquire(number, on.kind, Freed::kRejected));
  if (Attribute* old = find(keyval.get())) call_erase(*keyval.get(), on, old->value);
  if (Attribute* old = find(keyval.get())) {  // again: the callback may have changed the attributes
    old->value = value;
    return;
  }
  entries_.push_back({keyval.get(), value});
  retain(keyval.get());
}

void Attributes::erase(Object& on, int number) {
  Hold keyval(acquire(number, on.kind, Freed::kAllowed));
  Attribute* entry = find(keyval.get());
  if (!entry) fail(kErrKeyval, "the object has no attribute with keyval %d", number);
  call_erase(*keyval.get(), on, entry->value);
  drop(keyval.get());
}

void Attributes::copy_to(Object& on, Attributes& target) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Attribute entry = entries_[i];
    void* value = entry.value;
    const Keyval& keyval = *entry.keyval;
    bool flag = keyval.copy.function == kDupFunction;
    if (keyval.copy && !flag) {
      int code =
          keyval.copy.abi->attribute_copy(keyval.copy.function, on, keyval.number, keyval.extra_state, value, &value, flag);
      if (code) fail(code, "the copy callback of keyval %d returned error %d", keyval.number, code);
    }
    if (!flag) continue;
    target.entries_.push_back({entry.keyval, value});
    retain(entry.keyval);
  }
}

void Attributes::clear(Object& on) {
  while (!entries_.empty()) {
    Attribute entry = entries_.back();
    call_erase(*entry.keyval, on, entry.value);
    drop(entry.keyval);
  }
}

}  // namespace starling
