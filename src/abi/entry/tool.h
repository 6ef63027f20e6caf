// SPDX-License-Identifier: BSD-3-Clause
// The tool interface (MPI 5.0, 15.3) over tool/, by hand because its rules are its own: errors are returned and never handled,
// results may be left out, it works before MPI_Init and after MPI_Finalize, and strings tell how much room they want.
#pragma once

#include <mutex>
#include <string_view>

#include "abi/entry/call.h"
#include "tool/describe.h"
#include "tool/interface.h"

namespace starling::abi {

// Held during every function of the interface: variables belong to the worker, handles to the interface.
class ToolLock {
 public:
  ToolLock();
  ~ToolLock();
  ToolLock(const ToolLock&) = delete;
  ToolLock& operator=(const ToolLock&) = delete;

 private:
  Worker* worker_;
};

// The code of the error that is being handled.
int tool_error();

// A function of the interface: tells handlers what was dropped meanwhile, then does what it is for.
void begin_tool_call();
template <class Body>
int tool_call(Body body) {
  const ToolLock lock;
  try {
    begin_tool_call();
    body();
    return MPI_SUCCESS;
  } catch (...) {
    return tool_error();
  }
}

// A place without which the call makes no sense ...
[[noreturn]] void missing_place();
template <class T>
T& needed(T* place) {
  if (!place) missing_place();
  return *place;
}
void needed(const void* place);
std::string_view needed_text(const char* text);
// ... and one that may be left out.
template <class T, class Value>
void give(T* place, Value value) {
  if (place) *place = static_cast<T>(value);
}
// `length` is the room and becomes what the whole text needs, its zero included; at most room - 1 characters are written.
void give_text(std::string_view text, char* place, int* length);

// As users know them.
MPI_Datatype user_type(tool::Type type);
int user_bind(tool::Bind bind);
int user_verbosity(tool::Verbosity verbosity);
MPI_T_enum user_enumeration(const tool::Enumeration* enumeration);
// The object to which a variable is bound; nullptr for a variable that is bound to none. Throws Error(kTErrInvalid).
const Object* bound_object(tool::Bind bind, const void* handle);

int t_category_changed(int* update_number);
int t_category_get_categories(int cat_index, int len, int indices[]);
int t_category_get_cvars(int cat_index, int len, int indices[]);
int t_category_get_events(int cat_index, int len, int indices[]);
int t_category_get_index(const char* name, int* cat_index);
int t_category_get_info(int cat_index, char* name, int* name_len, char* desc, int* desc_len, int* num_cvars, int* num_pvars,
                        int* num_categories);
int t_category_get_num(int* num_cat);
int t_category_get_num_events(int cat_index, int* num_events);
int t_category_get_pvars(int cat_index, int len, int indices[]);
int t_cvar_get_index(const char* name, int* cvar_index);
int t_cvar_get_info(int cvar_index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype, MPI_T_enum* enumtype,
                    char* desc, int* desc_len, int* bind, int* scope);
int t_cvar_get_num(int* num_cvar);
int t_cvar_handle_alloc(int cvar_index, void* obj_handle, MPI_T_cvar_handle* handle, int* count);
int t_cvar_handle_free(MPI_T_cvar_handle* handle);
int t_cvar_read(MPI_T_cvar_handle handle, void* buf);
int t_cvar_write(MPI_T_cvar_handle handle, const void* buf);
int t_enum_get_info(MPI_T_enum enumtype, int* num, char* name, int* name_len);
int t_enum_get_item(MPI_T_enum enumtype, int indx, int* value, char* name, int* name_len);
int t_event_callback_get_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info* info_used);
int t_event_callback_set_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info);
int t_event_copy(MPI_T_event_instance event_instance, void* buffer);
int t_event_get_index(const char* name, int* event_index);
int t_event_get_info(int event_index, char* name, int* name_len, int* verbosity, MPI_Datatype array_of_datatypes[],
                     MPI_Aint array_of_displacements[], int* num_elements, MPI_T_enum* enumtype, MPI_Info* info, char* desc,
                     int* desc_len, int* bind);
int t_event_get_num(int* num_events);
int t_event_get_source(MPI_T_event_instance event_instance, int* source_index);
int t_event_get_timestamp(MPI_T_event_instance event_instance, MPI_Count* event_timestamp);
int t_event_handle_alloc(int event_index, void* obj_handle, MPI_Info info, MPI_T_event_registration* event_registration);
int t_event_handle_free(MPI_T_event_registration event_registration, void* user_data,
                        MPI_T_event_free_cb_function* free_cb_function);
int t_event_handle_get_info(MPI_T_event_registration event_registration, MPI_Info* info_used);
int t_event_handle_set_info(MPI_T_event_registration event_registration, MPI_Info info);
int t_event_read(MPI_T_event_instance event_instance, int element_index, void* buffer);
int t_event_register_callback(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info,
                              void* user_data, MPI_T_event_cb_function* event_cb_function);
int t_event_set_dropped_handler(MPI_T_event_registration event_registration,
                                MPI_T_event_dropped_cb_function* dropped_cb_function);
int t_finalize();
int t_init_thread(int required, int* provided);
int t_pvar_get_index(const char* name, int var_class, int* pvar_index);
int t_pvar_get_info(int pvar_index, char* name, int* name_len, int* verbosity, int* var_class, MPI_Datatype* datatype,
                    MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* readonly, int* continuous, int* atomic);
int t_pvar_get_num(int* num_pvar);
int t_pvar_handle_alloc(MPI_T_pvar_session pe_session, int pvar_index, void* obj_handle, MPI_T_pvar_handle* handle, int* count);
int t_pvar_handle_free(MPI_T_pvar_session pe_session, MPI_T_pvar_handle* handle);
int t_pvar_read(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, void* buf);
int t_pvar_readreset(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, void* buf);
int t_pvar_reset(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle);
int t_pvar_session_create(MPI_T_pvar_session* pe_session);
int t_pvar_session_free(MPI_T_pvar_session* pe_session);
int t_pvar_start(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle);
int t_pvar_stop(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle);
int t_pvar_write(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, const void* buf);
int t_source_get_info(int source_index, char* name, int* name_len, char* desc, int* desc_len, MPI_T_source_order* ordering,
                      MPI_Count* ticks_per_second, MPI_Count* max_ticks, MPI_Info* info);
int t_source_get_num(int* num_sources);
int t_source_get_timestamp(int source_index, MPI_Count* timestamp);

}  // namespace starling::abi
