// SPDX-License-Identifier: BSD-3-Clause
// Attributes (MPI 5.0 section 19.3.7). What C stores is a pointer: for a value that Fortran sets, to the integer, which
// therefore gets a place of its own. What C set is seen in Fortran as its address. The predefined ones, which C gets a pointer
// to, are values in Fortran. MPI-1's functions have default integers where today's have addresses.
#include <bit>
#include <mutex>
#include <unordered_set>

#include "abi.h"
#include "glue.h"

namespace starling::fortran {

// The places of the values that Fortran has set. One lives until the attribute goes, which the delete function of a keyval made
// in Fortran tells; of a keyval made in C nobody does, so they stay. Thread-safe.
class Places {
 public:
  // MPI-1's values are read by C as int: the same place, as all our processors store the low half first.
  static_assert(std::endian::native == std::endian::little);

  void* keep(MPI_Aint value) {
    auto* place = new MPI_Aint(value);
    const std::lock_guard guard(lock_);
    known_.insert(place);
    return place;
  }
  bool knows(void* pointer) {
    const std::lock_guard guard(lock_);
    return known_.count(pointer) > 0;
  }
  void forget(void* pointer) {
    const std::lock_guard guard(lock_);
    if (known_.erase(pointer) > 0) delete static_cast<MPI_Aint*>(pointer);
  }
  // As Fortran sees it.
  MPI_Aint value(void* pointer) {
    return knows(pointer) ? *static_cast<MPI_Aint*>(pointer) : reinterpret_cast<MPI_Aint>(pointer);
  }

 private:
  std::mutex lock_;
  std::unordered_set<void*> known_;
};

// One for both compilations of this file. Never destroyed: attributes are deleted in exit handlers, too.
inline Places& places() {
  static Places& only = *new Places;
  return only;
}

}  // namespace starling::fortran

using namespace starling::fortran;

namespace {

constexpr int kWorldKeys[] = {MPI_TAG_UB, MPI_HOST,         MPI_IO,           MPI_WTIME_IS_GLOBAL,
                              MPI_APPNUM, MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE};
constexpr int kWindowKeys[] = {MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL};

template <std::size_t N>
bool among(const int (&keys)[N], int keyval) {
  for (const int key : keys) {
    if (key == keyval) return true;
  }
  return false;
}

bool predefined(int keyval) { return among(kWorldKeys, keyval) || among(kWindowKeys, keyval); }

int keyval_in(const Fint* keyval) { return predefined(*keyval - kKeyvalOffset) ? *keyval - kKeyvalOffset : *keyval; }

MPI_Aint value_of(int keyval, void* value) {
  if (keyval == MPI_WIN_SIZE) return *static_cast<MPI_Aint*>(value);
  if (keyval == MPI_WIN_BASE) return reinterpret_cast<MPI_Aint>(value);
  if (predefined(keyval)) return *static_cast<int*>(value);
  return places().value(value);
}

// What a keyval made in Fortran has for its extra state. A keyval may be freed before its last attribute, and C does not tell
// when that goes; so these live as long as the process.
template <class Value>
struct Keyval {
  void (*copy)(Fint*, Fint*, Value*, Value*, Value*, Fint*, Fint*);
  void (*remove)(Fint*, Fint*, Value*, Value*, Fint*);
  Value extra_state;
};

template <class Codec, class Handle, class Value>
int copy(Handle object, int key, void* state, void* value_in, void* value_out, int* flag) {
  auto* keyval = static_cast<Keyval<Value>*>(state);
  Fint handle = Codec::out(object), code = MPI_SUCCESS, copied = 0;
  auto in = static_cast<Value>(places().value(value_in));
  Value out = 0;
  keyval->copy(&handle, &key, &keyval->extra_state, &in, &out, &copied, &code);
  *flag = copied != 0;
  if (code != MPI_SUCCESS || !*flag) return code;
  // The copy of a pointer that C has set is one.
  *static_cast<void**>(value_out) =
      places().knows(value_in) ? places().keep(out) : reinterpret_cast<void*>(static_cast<MPI_Aint>(out));
  return code;
}

template <class Codec, class Handle, class Value>
int remove(Handle object, int key, void* value, void* state) {
  auto* keyval = static_cast<Keyval<Value>*>(state);
  Fint handle = Codec::out(object), code = MPI_SUCCESS;
  auto old = static_cast<Value>(places().value(value));
  keyval->remove(&handle, &key, &old, &keyval->extra_state, &code);
  if (code == MPI_SUCCESS) places().forget(value);
  return code;
}

template <class Codec, class Handle, class Value, class Create>
int create(Create create_keyval, decltype(Keyval<Value>::copy) copy_fn, decltype(Keyval<Value>::remove) delete_fn, Fint* keyval,
           const Value* extra_state) {
  auto* state = new Keyval<Value>{copy_fn, delete_fn, *extra_state};
  const int code = create_keyval(copy<Codec, Handle, Value>, remove<Codec, Handle, Value>, keyval, state);
  if (code != MPI_SUCCESS) delete state;
  return code;
}

template <class Handle>
int set(int (*set_attr)(Handle, int, void*), Handle object, const Fint* keyval, MPI_Aint value) {
  void* place = places().keep(value);
  const int code = set_attr(object, keyval_in(keyval), place);
  if (code != MPI_SUCCESS) places().forget(place);
  return code;
}

template <class Handle, class Value>
int get(int (*get_attr)(Handle, int, void*, int*), Handle object, const Fint* keyval, Value* value, Fint* flag) {
  const int key = keyval_in(keyval);
  void* found = nullptr;
  const int code = get_attr(object, key, &found, flag);
  if (code == MPI_SUCCESS && *flag) *value = static_cast<Value>(value_of(key, found));
  return code;
}

}  // namespace

// The five functions for one kind of object.
#define STARLING_ATTRIBUTES(lower, upper, Codec, Handle, Name)                                                                \
  void STARLING_LOWER(lower##_create_keyval_)(decltype(Keyval<MPI_Aint>::copy) copy_fn,                                       \
                                              decltype(Keyval<MPI_Aint>::remove) delete_fn, Fint * keyval,                    \
                                              const MPI_Aint* extra_state, Fint* ierror) {                                    \
    put(ierror,                                                                                                               \
        create<Codec, Handle, MPI_Aint>(STARLING_UPPER(Name##_create_keyval), copy_fn, delete_fn, keyval, extra_state));      \
  }                                                                                                                           \
  void STARLING_LOWER(lower##_free_keyval_)(Fint * keyval, Fint * ierror) {                                                   \
    put(ierror, STARLING_UPPER(Name##_free_keyval)(keyval));                                                                  \
  }                                                                                                                           \
  void STARLING_LOWER(lower##_set_attr_)(const Fint* object, const Fint* keyval, const MPI_Aint* value, Fint* ierror) {       \
    put(ierror, set(STARLING_UPPER(Name##_set_attr), Codec::in(object), keyval, *value));                                     \
  }                                                                                                                           \
  void STARLING_LOWER(lower##_get_attr_)(const Fint* object, const Fint* keyval, MPI_Aint* value, Fint* flag, Fint* ierror) { \
    put(ierror, get(STARLING_UPPER(Name##_get_attr), Codec::in(object), keyval, value, flag));                                \
  }                                                                                                                           \
  void STARLING_LOWER(lower##_delete_attr_)(const Fint* object, const Fint* keyval, Fint* ierror) {                           \
    put(ierror, STARLING_UPPER(Name##_delete_attr)(Codec::in(object), keyval_in(keyval)));                                    \
  }                                                                                                                           \
  STARLING_NAMES(lower##_create_keyval, upper##_CREATE_KEYVAL)                                                                \
  STARLING_NAMES(lower##_free_keyval, upper##_FREE_KEYVAL)                                                                    \
  STARLING_NAMES(lower##_set_attr, upper##_SET_ATTR)                                                                          \
  STARLING_NAMES(lower##_get_attr, upper##_GET_ATTR)                                                                          \
  STARLING_NAMES(lower##_delete_attr, upper##_DELETE_ATTR)                                                                    \
  STARLING_NAMES_F08(lower##_create_keyval)                                                                                   \
  STARLING_NAMES_F08(lower##_free_keyval)                                                                                     \
  STARLING_NAMES_F08(lower##_set_attr)                                                                                        \
  STARLING_NAMES_F08(lower##_get_attr)                                                                                        \
  STARLING_NAMES_F08(lower##_delete_attr)

extern "C" {

STARLING_ATTRIBUTES(comm, COMM, Comm, MPI_Comm, Comm)
STARLING_ATTRIBUTES(type, TYPE, Type, MPI_Datatype, Type)
STARLING_ATTRIBUTES(win, WIN, Win, MPI_Win, Win)

void STARLING_LOWER(keyval_create_)(decltype(Keyval<Fint>::copy) copy_fn, decltype(Keyval<Fint>::remove) delete_fn,
                                    Fint* keyval, const Fint* extra_state, Fint* ierror) {
  put(ierror, create<Comm, MPI_Comm, Fint>(STARLING_UPPER(Comm_create_keyval), copy_fn, delete_fn, keyval, extra_state));
}
STARLING_NAMES(keyval_create, KEYVAL_CREATE)

void STARLING_LOWER(keyval_free_)(Fint* keyval, Fint* ierror) { put(ierror, STARLING_UPPER(Comm_free_keyval)(keyval)); }
STARLING_NAMES(keyval_free, KEYVAL_FREE)

void STARLING_LOWER(attr_put_)(const Fint* comm, const Fint* keyval, const Fint* value, Fint* ierror) {
  put(ierror, set(STARLING_UPPER(Comm_set_attr), Comm::in(comm), keyval, *value));
}
STARLING_NAMES(attr_put, ATTR_PUT)

void STARLING_LOWER(attr_get_)(const Fint* comm, const Fint* keyval, Fint* value, Fint* flag, Fint* ierror) {
  put(ierror, get(STARLING_UPPER(Comm_get_attr), Comm::in(comm), keyval, value, flag));
}
STARLING_NAMES(attr_get, ATTR_GET)

void STARLING_LOWER(attr_delete_)(const Fint* comm, const Fint* keyval, Fint* ierror) {
  put(ierror, STARLING_UPPER(Comm_delete_attr)(Comm::in(comm), keyval_in(keyval)));
}
STARLING_NAMES(attr_delete, ATTR_DELETE)

}  // extern "C"
