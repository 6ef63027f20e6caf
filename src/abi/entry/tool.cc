// SPDX-License-Identifier: BSD-3-Clause
#include "abi/entry/tool.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "tool/categories.h"
#include "tool/event_registration.h"

namespace starling::abi {

ToolLock::ToolLock() : worker_(runtime().worker) {
  if (worker_ && !worker_->multithreaded) worker_ = nullptr;
  if (worker_) worker_->lock();
  tool::mutex().lock();
}
ToolLock::~ToolLock() {
  tool::mutex().unlock();
  if (worker_) worker_->unlock();
}

int tool_error() {
  try {
    throw;
  } catch (const Error& error) {
    return out_error(error.error_class);
  } catch (const std::bad_alloc&) {
    return out_error(kTErrMemory);
  }
}

void begin_tool_call() {
  tool::require_initialized();
  tool::tell_dropped();
}

void missing_place() { fail(kTErrInvalid, "a place for a result is a null pointer"); }
void needed(const void* place) {
  if (!place) missing_place();
}
std::string_view needed_text(const char* text) {
  needed(text);
  return text;
}

void give_text(std::string_view text, char* place, int* length) {
  if (!length) return;
  if (place && *length > 0) {
    const std::size_t written = std::min(text.size(), static_cast<std::size_t>(*length) - 1);
    std::memcpy(place, text.data(), written);
    place[written] = '\0';
  }
  *length = static_cast<int>(text.size()) + 1;
}

MPI_Datatype user_type(tool::Type type) {
  const MPI_Datatype types[] = {MPI_INT, MPI_COUNT, MPI_UNSIGNED_LONG_LONG, MPI_DOUBLE, MPI_CHAR};
  return types[static_cast<std::size_t>(type)];
}
int user_bind(tool::Bind bind) {
  constexpr int kBinds[] = {MPI_T_BIND_NO_OBJECT, MPI_T_BIND_MPI_COMM, MPI_T_BIND_MPI_WIN};
  return kBinds[static_cast<std::size_t>(bind)];
}
int user_verbosity(tool::Verbosity verbosity) {
  constexpr int kVerbosities[] = {MPI_T_VERBOSITY_USER_BASIC, MPI_T_VERBOSITY_USER_DETAIL, MPI_T_VERBOSITY_TUNER_BASIC,
                                  MPI_T_VERBOSITY_TUNER_DETAIL, MPI_T_VERBOSITY_MPIDEV_BASIC};
  return kVerbosities[static_cast<std::size_t>(verbosity)];
}
MPI_T_enum user_enumeration(const tool::Enumeration* enumeration) {
  return reinterpret_cast<MPI_T_enum>(const_cast<tool::Enumeration*>(enumeration));
}

const Object* bound_object(tool::Bind bind, const void* handle) {
  if (bind == tool::Bind::kNoObject) return nullptr;
  needed(handle);
  const Object* object = nullptr;
  if (bind == tool::Bind::kComm) {
    object = in<Comm>(*static_cast<const MPI_Comm*>(handle));
  } else {
    object = in<Win>(*static_cast<const MPI_Win*>(handle));
  }
  if (!object) fail(kTErrInvalid, "not a handle of an object that the variable can be bound to");
  return object;
}

// ---- The interface itself

int t_init_thread(int required, int* provided) {
  const ToolLock lock;
  const int level = in_thread_level(required);
  const int levels[] = {kThreadSingle, kThreadFunneled, kThreadSerialized, kThreadMultiple};
  if (std::find(std::begin(levels), std::end(levels), level) == std::end(levels)) return out_error(kTErrCannotInit);
  tool::initialize();
  give(provided, required);  // every level is the same here
  return MPI_SUCCESS;
}

int t_finalize() {
  return tool_call([&] { tool::finalize(); });
}

// ---- Enumerations

namespace {

const tool::Enumeration& enumeration(MPI_T_enum handle) {
  const tool::Enumeration* found = tool::find_enumeration(handle);
  if (!found) fail(kTErrInvalid, "not a valid enumeration");
  return *found;
}

}  // namespace

int t_enum_get_info(MPI_T_enum enumtype, int* num, char* name, int* name_len) {
  return tool_call([&] {
    const tool::Enumeration& found = enumeration(enumtype);
    give(num, found.items.size());
    give_text(found.name, name, name_len);
  });
}

int t_enum_get_item(MPI_T_enum enumtype, int index, int* value, char* name, int* name_len) {
  return tool_call([&] {
    const tool::Enumeration& found = enumeration(enumtype);
    if (index < 0 || index >= static_cast<int>(found.items.size())) fail(kTErrInvalidItem, "no item %d", index);
    const auto& [number, text] = found.items[static_cast<std::size_t>(index)];
    give(value, number);
    give_text(text, name, name_len);
  });
}

// ---- Categories

namespace {

int give_indices(int category, std::vector<int> tool::Category::*which, int length, int* indices) {
  return tool_call([&] {
    const std::vector<int>& found = tool::category_at(category).*which;
    if (length < 0) fail(kTErrInvalid, "a negative length");
    if (length > 0) needed(indices);
    std::copy_n(found.begin(), std::min(found.size(), static_cast<std::size_t>(length)), indices);
  });
}

}  // namespace

int t_category_get_num(int* num_cat) {
  return tool_call([&] { needed(num_cat) = static_cast<int>(tool::categories().size()); });
}

int t_category_get_info(int cat_index, char* name, int* name_len, char* desc, int* desc_len, int* num_cvars, int* num_pvars,
                        int* num_categories) {
  return tool_call([&] {
    const tool::Category& category = tool::category_at(cat_index);
    give_text(tool::text_of(category.area).name, name, name_len);
    give_text(tool::text_of(category.area).help, desc, desc_len);
    give(num_cvars, category.cvars.size());
    give(num_pvars, category.pvars.size());
    give(num_categories, category.categories.size());
  });
}

int t_category_get_num_events(int cat_index, int* num_events) {
  return tool_call([&] { needed(num_events) = static_cast<int>(tool::category_at(cat_index).events.size()); });
}

int t_category_get_index(const char* name, int* cat_index) {
  return tool_call([&] { needed(cat_index) = tool::find_category(needed_text(name)); });
}

int t_category_get_cvars(int cat_index, int len, int indices[]) {
  return give_indices(cat_index, &tool::Category::cvars, len, indices);
}
int t_category_get_pvars(int cat_index, int len, int indices[]) {
  return give_indices(cat_index, &tool::Category::pvars, len, indices);
}
int t_category_get_events(int cat_index, int len, int indices[]) {
  return give_indices(cat_index, &tool::Category::events, len, indices);
}
int t_category_get_categories(int cat_index, int len, int indices[]) {
  return give_indices(cat_index, &tool::Category::categories, len, indices);
}

int t_category_changed(int* update_number) {
  return tool_call([&] { needed(update_number) = 0; });
}

}  // namespace starling::abi
