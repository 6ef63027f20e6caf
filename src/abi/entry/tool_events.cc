// SPDX-License-Identifier: BSD-3-Clause
// Events and their sources (MPI 5.0, 15.3.8).
#include <algorithm>
#include <cstdint>

#include "abi/entry/tool.h"
#include "tool/event_registration.h"

namespace starling::abi {

namespace {

constexpr MPI_T_cb_safety kSafeties[] = {MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_T_CB_REQUIRE_THREAD_SAFE,
                                         MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE};
static_assert(std::size(kSafeties) == static_cast<std::size_t>(tool::Safety::kCount_));

MPI_T_cb_safety user_safety(tool::Safety safety) { return kSafeties[static_cast<std::size_t>(safety)]; }
tool::Safety safety_of(MPI_T_cb_safety value) {
  const auto* found = std::find(std::begin(kSafeties), std::end(kSafeties), value);
  if (found == std::end(kSafeties)) fail(kTErrInvalid, "not a level of safety");
  return static_cast<tool::Safety>(found - kSafeties);
}

MPI_T_event_registration user_registration(tool::Registration& registration) {
  return reinterpret_cast<MPI_T_event_registration>(&registration);
}

void call_event(void* function, tool::Instance& instance, tool::Registration& registration, tool::Safety safety,
                void* user_data) {
  reinterpret_cast<MPI_T_event_cb_function*>(function)(reinterpret_cast<MPI_T_event_instance>(&instance),
                                                       user_registration(registration), user_safety(safety), user_data);
}
void call_dropped(void* function, std::int64_t count, tool::Registration& registration, tool::Safety safety, void* user_data) {
  reinterpret_cast<MPI_T_event_dropped_cb_function*>(function)(count, user_registration(registration), 0, user_safety(safety),
                                                               user_data);
}
void call_freed(void* function, tool::Registration& registration, tool::Safety safety, void* user_data) {
  reinterpret_cast<MPI_T_event_free_cb_function*>(function)(user_registration(registration), user_safety(safety), user_data);
}

constexpr tool::EventAbi kEventAbi = {&call_event, &call_dropped, &call_freed};

// Hints: nobody has defined any, so they are kept and told back.
Ref<Info> kept_info(MPI_Info info) {
  if (is_null<Info>(info)) return {};
  const Info* found = in<Info>(info);
  if (!found) fail(kTErrInvalid, "not a valid info");
  return Ref<Info>::adopt(object::copy_info(*found));
}
MPI_Info info_copy(const Info* info) { return out<Info>(info ? object::copy_info(*info) : info_pool().create()); }

void require_source(int index) {
  if (index != 0) fail(kTErrInvalidIndex, "there is no source %d", index);
}

}  // namespace

int t_event_get_num(int* num_events) {
  return tool_call([&] { needed(num_events) = static_cast<int>(tool::event_types().size()); });
}

int t_event_get_info(int event_index, char* name, int* name_len, int* verbosity, MPI_Datatype array_of_datatypes[],
                     MPI_Aint array_of_displacements[], int* num_elements, MPI_T_enum* enumtype, MPI_Info* info, char* desc,
                     int* desc_len, int* bind) {
  return tool_call([&] {
    const tool::EventType& type = tool::event_type_at(event_index);
    give_text(type.name, name, name_len);
    give_text(type.help, desc, desc_len);
    give(verbosity, user_verbosity(tool::Verbosity::kMpidevBasic));
    const std::size_t room = num_elements ? static_cast<std::size_t>(std::max(*num_elements, 0)) : 0;
    for (std::size_t i = 0; i < std::min(room, type.elements.size()); ++i) {
      if (array_of_datatypes) array_of_datatypes[i] = user_type(type.elements[i]);
      if (array_of_displacements) array_of_displacements[i] = static_cast<MPI_Aint>(type.displacement(i));
    }
    give(num_elements, type.elements.size());
    give(enumtype, user_enumeration(&type.names));
    if (info) *info = info_copy(nullptr);
    give(bind, MPI_T_BIND_NO_OBJECT);
  });
}

int t_event_get_index(const char* name, int* event_index) {
  return tool_call([&] { needed(event_index) = tool::find_event_type(needed_text(name)); });
}

int t_event_handle_alloc(int event_index, void*, MPI_Info info, MPI_T_event_registration* event_registration) {
  return tool_call([&] {
    const tool::EventType& type = tool::event_type_at(event_index);
    MPI_T_event_registration& place = needed(event_registration);
    place = user_registration(tool::make_registration(type, kept_info(info)));
  });
}

int t_event_handle_set_info(MPI_T_event_registration event_registration, MPI_Info info) {
  return tool_call([&] { tool::registration(event_registration).info = kept_info(info); });
}
int t_event_handle_get_info(MPI_T_event_registration event_registration, MPI_Info* info_used) {
  return tool_call([&] {
    const tool::Registration& registration = tool::registration(event_registration);
    needed(info_used) = info_copy(registration.info.get());
  });
}

int t_event_register_callback(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info,
                              void* user_data, MPI_T_event_cb_function* event_cb_function) {
  return tool_call([&] {
    tool::Registration& registration = tool::registration(event_registration);
    tool::Registration::Callback callback{reinterpret_cast<void*>(event_cb_function), user_data, &kEventAbi, kept_info(info)};
    tool::set_callback(registration, safety_of(cb_safety), std::move(callback));
  });
}

int t_event_callback_set_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info) {
  return tool_call([&] { tool::registration(event_registration).at(safety_of(cb_safety)).info = kept_info(info); });
}
int t_event_callback_get_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info* info_used) {
  return tool_call([&] {
    const auto& callback = tool::registration(event_registration).at(safety_of(cb_safety));
    needed(info_used) = info_copy(callback.info.get());
  });
}

int t_event_set_dropped_handler(MPI_T_event_registration event_registration,
                                MPI_T_event_dropped_cb_function* dropped_cb_function) {
  return tool_call([&] {
    tool::Registration& registration = tool::registration(event_registration);
    registration.dropped_handler = reinterpret_cast<void*>(dropped_cb_function);
    registration.dropped_abi = &kEventAbi;
  });
}

// The handle is not valid any more when the user's function is called, which may use its number to find what belongs to it.
int t_event_handle_free(MPI_T_event_registration event_registration, void* user_data,
                        MPI_T_event_free_cb_function* free_cb_function) {
  return tool_call([&] {
    tool::Registration& registration = tool::registration(event_registration);
    registration.freed = true;
    if (free_cb_function)
      kEventAbi.freed(reinterpret_cast<void*>(free_cb_function), registration, tool::Safety::kNone, user_data);
    tool::free_registration(registration);
  });
}

int t_event_read(MPI_T_event_instance event_instance, int element_index, void* buffer) {
  return tool_call([&] {
    const tool::Instance& instance = tool::instance(event_instance);
    needed(buffer);
    tool::read(instance, element_index, buffer);
  });
}

int t_event_copy(MPI_T_event_instance event_instance, void* buffer) {
  return tool_call([&] {
    const tool::Instance& instance = tool::instance(event_instance);
    needed(buffer);
    tool::copy(instance, buffer);
  });
}

int t_event_get_timestamp(MPI_T_event_instance event_instance, MPI_Count* event_timestamp) {
  return tool_call([&] {
    const tool::Instance& instance = tool::instance(event_instance);
    needed(event_timestamp) = instance.time;
  });
}

int t_event_get_source(MPI_T_event_instance event_instance, int* source_index) {
  return tool_call([&] {
    tool::instance(event_instance);
    needed(source_index) = 0;
  });
}

int t_source_get_num(int* num_sources) {
  return tool_call([&] { needed(num_sources) = 1; });
}

int t_source_get_info(int source_index, char* name, int* name_len, char* desc, int* desc_len, MPI_T_source_order* ordering,
                      MPI_Count* ticks_per_second, MPI_Count* max_ticks, MPI_Info* info) {
  return tool_call([&] {
    require_source(source_index);
    give_text(tool::kSourceName, name, name_len);
    give_text(tool::kSourceHelp, desc, desc_len);
    give(ordering, MPI_T_SOURCE_ORDERED);
    give(ticks_per_second, tool::kTicksPerSecond);
    give(max_ticks, INT64_MAX);
    if (info) *info = info_copy(nullptr);
  });
}

int t_source_get_timestamp(int source_index, MPI_Count* timestamp) {
  return tool_call([&] {
    require_source(source_index);
    needed(timestamp) = tool::timestamp();
  });
}

}  // namespace starling::abi
