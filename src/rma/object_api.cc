// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of a window, and hung on it (MPI 5.0 sections 12.2.6 and 12.2.7, 7.7.3, 7.8, 9.3.2).
#include "base/error.h"
#include "object/entry.gen.h"
#include "object/error_text.h"
#include "rma/entry.gen.h"
#include "rma/hints.h"
#include "rma/locate.h"

namespace starling::rma {

namespace {

// Hints with a default; those without one are kept only if the user gives them.
struct Hint {
  std::string_view key;
  const char* initial;
  bool only_shared = false;
};
constexpr Hint kHints[] = {{"no_locks", "false"},
                           {"accumulate_ordering", "rar,raw,war,waw"},
                           {"accumulate_ops", "same_op_no_op"},
                           {"mpi_accumulate_granularity", nullptr},
                           {"same_size", "false"},
                           {"same_disp_unit", "false"},
                           {"alloc_shared_noncontig", "false", true},
                           {"mpi_minimum_memory_alignment", nullptr},
                           {"mpi_assert_memory_alloc_kinds", nullptr}};

void* predefined_value(Win& win, int keyval) {
  switch (keyval) {
    case kWinBase:
      return win.base;
    case kWinSize:
      return &win.size;
    case kWinDispUnit:
      return &win.disp_unit;
    case kWinCreateFlavor:
      return &win.flavor;
    default:
      return &win.model;
  }
}

bool is_predefined(int keyval) { return keyval >= kWinBase && keyval <= kWinModel; }

}  // namespace

Ref<Info> make_hints(const Info* info, int flavor) {
  Ref<Info> hints = Ref<Info>::adopt(info_pool().create());
  for (const Hint& hint : kHints) {
    if (hint.only_shared && flavor != kWinFlavorShared) continue;
    const std::string* value = info ? info->find(hint.key) : nullptr;
    if (value) {
      hints->set(hint.key, *value);
    } else if (hint.initial) {
      hints->set(hint.key, hint.initial);
    }
  }
  return hints;
}

void win_set_info(Win& win, Info* info) {
  for (const Hint& hint : kHints) {
    if (hint.only_shared) continue;  // of the allocation, which is over
    if (const std::string* value = info ? info->find(hint.key) : nullptr) win.info->set(hint.key, *value);
  }
}

void win_get_info(Win& win, Info*& info_used) {
  info_used = object::copy_info(*win.info);
  info_used->set(object::kMemoryKindsKey, object::kMemoryKinds);
}

void win_get_group(Win& win, Group*& group) { group = retain(win.comm->group.get()); }

void win_set_name(Win& win, std::string_view win_name) { win.name = win_name.substr(0, kMaxObjectName - 1); }
void win_get_name(Win* win, std::string& win_name) { win_name = win ? win->name : "MPI_WIN_NULL"; }

void win_create_keyval(Callback win_copy_attr_fn, Callback win_delete_attr_fn, int& win_keyval, void* extra_state) {
  win_keyval = attributes::create_keyval(Kind::kWin, win_copy_attr_fn, win_delete_attr_fn, extra_state);
}
void win_free_keyval(int& win_keyval) {
  attributes::free_keyval(Kind::kWin, win_keyval);
  win_keyval = kKeyvalInvalid;
}
void win_set_attr(Win& win, int win_keyval, void* attribute_val) { win.attributes.set(win, win_keyval, attribute_val); }
void win_delete_attr(Win& win, int win_keyval) { win.attributes.erase(win, win_keyval); }
void win_get_attr(Win& win, int win_keyval, void*& attribute_val, bool& flag) {
  if (!is_predefined(win_keyval)) {
    flag = win.attributes.get(win_keyval, attribute_val, Kind::kWin);
    return;
  }
  attribute_val = predefined_value(win, win_keyval);
  flag = true;
}

void win_set_errhandler(Win& win, Errhandler& errhandler) {
  object::check_errhandler(errhandler, Kind::kWin);
  win.errhandler = Ref<Errhandler>(&errhandler);
}
void win_get_errhandler(Win& win, Errhandler*& errhandler) {
  errhandler = retain(win.errhandler ? win.errhandler.get() : predefined_errhandler(kCodeErrorsAreFatal));
}
void win_call_errhandler(Win& win, int errorcode) {
  const std::string text =
      "MPI_Win_call_errhandler was called with error " + std::to_string(errorcode) + ": " + object::error_text(errorcode);
  object::handle_error(win.errhandler.get(), win, errorcode, text);
}

// MPI_PROC_NULL stands for the lowest rank with memory (MPI 5.0, 12.2.3).
void win_shared_query(Win& win, int rank, Count& size, Count& disp_unit, void*& baseptr) {
  if (win.flavor == kWinFlavorDynamic) fail(kErrRmaFlavor, "the window was made by MPI_Win_create_dynamic");
  size = 0;
  disp_unit = 0;
  baseptr = nullptr;
  if (rank == kProcNull) {
    for (rank = 0; rank < win.comm->size && win.targets[static_cast<std::size_t>(rank)].size == 0;) ++rank;
    if (rank == win.comm->size) return;
  }
  const Target& target = target_of(win, rank);
  if (!target.mapped) return;  // no direct access: size 0
  size = target.size;
  disp_unit = target.disp_unit;
  baseptr = reinterpret_cast<void*>(target.base);
}

}  // namespace starling::rma
