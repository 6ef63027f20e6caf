// SPDX-License-Identifier: BSD-3-Clause
// Control and performance variables (MPI 5.0, 15.3.6 and 15.3.7).
#include "abi/entry/tool.h"
#include "tool/cvars.h"
#include "tool/pvar_session.h"

namespace starling::abi {

// ---- Control variables

int t_cvar_get_num(int* num_cvar) {
  return tool_call([&] { needed(num_cvar) = static_cast<int>(tool::cvars().size()); });
}

int t_cvar_get_info(int cvar_index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype, MPI_T_enum* enumtype,
                    char* desc, int* desc_len, int* bind, int* scope) {
  constexpr int kScopes[] = {MPI_T_SCOPE_CONSTANT, MPI_T_SCOPE_LOCAL, MPI_T_SCOPE_ALL_EQ};
  return tool_call([&] {
    const tool::Cvar& cvar = tool::cvar_at(cvar_index);
    const bool tuning = cvar.area == tool::Area::kCollectives || cvar.area == tool::Area::kPointToPoint;
    give_text(cvar.name, name, name_len);
    give_text(cvar.help, desc, desc_len);
    give(verbosity, user_verbosity(tuning ? tool::Verbosity::kTunerBasic : tool::Verbosity::kUserBasic));
    give(datatype, user_type(cvar.type));
    give(enumtype, user_enumeration(cvar.items));
    give(bind, MPI_T_BIND_NO_OBJECT);
    give(scope, kScopes[static_cast<std::size_t>(cvar.scope)]);
  });
}

int t_cvar_get_index(const char* name, int* cvar_index) {
  return tool_call([&] { needed(cvar_index) = tool::find_cvar(needed_text(name)); });
}

int t_cvar_handle_alloc(int cvar_index, void*, MPI_T_cvar_handle* handle, int* count) {
  return tool_call([&] {
    const tool::Cvar& cvar = tool::cvar_at(cvar_index);
    MPI_T_cvar_handle& place = needed(handle);
    needed(count) = cvar.count;
    place = reinterpret_cast<MPI_T_cvar_handle>(&tool::make_handle(cvar));
  });
}

int t_cvar_handle_free(MPI_T_cvar_handle* handle) {
  return tool_call([&] {
    tool::free_handle(tool::cvar_handle(needed(handle)));
    *handle = MPI_T_CVAR_HANDLE_NULL;
  });
}

int t_cvar_read(MPI_T_cvar_handle handle, void* buf) {
  return tool_call([&] {
    const tool::CvarHandle& found = tool::cvar_handle(handle);
    needed(buf);
    tool::read(*found.cvar, buf);
  });
}

int t_cvar_write(MPI_T_cvar_handle handle, const void* buf) {
  return tool_call([&] {
    const tool::CvarHandle& found = tool::cvar_handle(handle);
    needed(buf);
    tool::write(*found.cvar, buf);
  });
}

// ---- Performance variables

namespace {

constexpr int kClasses[] = {MPI_T_PVAR_CLASS_STATE,      MPI_T_PVAR_CLASS_LEVEL,         MPI_T_PVAR_CLASS_SIZE,
                            MPI_T_PVAR_CLASS_PERCENTAGE, MPI_T_PVAR_CLASS_HIGHWATERMARK, MPI_T_PVAR_CLASS_LOWWATERMARK,
                            MPI_T_PVAR_CLASS_COUNTER,    MPI_T_PVAR_CLASS_AGGREGATE,     MPI_T_PVAR_CLASS_TIMER,
                            MPI_T_PVAR_CLASS_GENERIC};
static_assert(std::size(kClasses) == static_cast<std::size_t>(tool::PvarClass::kCount_));

// A class that there is none of names no variable.
tool::PvarClass class_of(int value) {
  std::size_t i = 0;
  while (i < std::size(kClasses) && kClasses[i] != value) ++i;
  return static_cast<tool::PvarClass>(i);
}

bool means_all(MPI_T_pvar_handle handle) { return handle == MPI_T_PVAR_ALL_HANDLES; }

// An action on one handle of a session, or on all.
int act(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void (*one)(tool::PvarHandle&),
        void (*all)(const tool::PvarSession&)) {
  return tool_call([&] {
    tool::PvarSession& found = tool::pvar_session(session);
    if (means_all(handle)) {
      all(found);
    } else {
      one(tool::pvar_handle(found, handle));
    }
  });
}

}  // namespace

int t_pvar_get_num(int* num_pvar) {
  return tool_call([&] { needed(num_pvar) = static_cast<int>(tool::pvars().size()); });
}

int t_pvar_get_info(int pvar_index, char* name, int* name_len, int* verbosity, int* var_class, MPI_Datatype* datatype,
                    MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* readonly, int* continuous, int* atomic) {
  return tool_call([&] {
    const tool::Pvar& pvar = tool::pvar_at(pvar_index);
    give_text(pvar.name, name, name_len);
    give_text(pvar.help, desc, desc_len);
    give(verbosity,
         user_verbosity(pvar.area == tool::Area::kProgress ? tool::Verbosity::kTunerDetail : tool::Verbosity::kUserDetail));
    give(var_class, kClasses[static_cast<std::size_t>(pvar.of_class)]);
    give(datatype, user_type(pvar.type()));
    give(enumtype, user_enumeration(pvar.items()));
    give(bind, user_bind(pvar.bind));
    give(readonly, pvar.continuous());
    give(continuous, pvar.continuous());
    give(atomic, !pvar.continuous());
  });
}

int t_pvar_get_index(const char* name, int var_class, int* pvar_index) {
  return tool_call([&] { needed(pvar_index) = tool::find_pvar(needed_text(name), class_of(var_class)); });
}

int t_pvar_session_create(MPI_T_pvar_session* pe_session) {
  return tool_call([&] { needed(pe_session) = reinterpret_cast<MPI_T_pvar_session>(&tool::make_session()); });
}

int t_pvar_session_free(MPI_T_pvar_session* pe_session) {
  return tool_call([&] {
    tool::free_session(tool::pvar_session(needed(pe_session)));
    *pe_session = MPI_T_PVAR_SESSION_NULL;
  });
}

int t_pvar_handle_alloc(MPI_T_pvar_session pe_session, int pvar_index, void* obj_handle, MPI_T_pvar_handle* handle,
                        int* count) {
  return tool_call([&] {
    tool::PvarSession& session = tool::pvar_session(pe_session);
    const tool::Pvar& pvar = tool::pvar_at(pvar_index);
    MPI_T_pvar_handle& place = needed(handle);
    needed(count) = 1;
    place = reinterpret_cast<MPI_T_pvar_handle>(&tool::make_handle(session, pvar, bound_object(pvar.bind, obj_handle)));
  });
}

int t_pvar_handle_free(MPI_T_pvar_session pe_session, MPI_T_pvar_handle* handle) {
  return tool_call([&] {
    tool::PvarSession& session = tool::pvar_session(pe_session);
    tool::free_handle(tool::pvar_handle(session, needed(handle)));
    *handle = MPI_T_PVAR_HANDLE_NULL;
  });
}

int t_pvar_start(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle) {
  return act(pe_session, handle, &tool::start, &tool::start_all);
}
int t_pvar_stop(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle) {
  return act(pe_session, handle, &tool::stop, &tool::stop_all);
}
int t_pvar_reset(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle) {
  return act(pe_session, handle, &tool::reset, &tool::reset_all);
}

int t_pvar_read(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, void* buf) {
  return tool_call([&] {
    tool::PvarHandle& found = tool::pvar_handle(tool::pvar_session(pe_session), handle);
    needed(buf);
    tool::read(found, buf);
  });
}

int t_pvar_readreset(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, void* buf) {
  return tool_call([&] {
    tool::PvarHandle& found = tool::pvar_handle(tool::pvar_session(pe_session), handle);
    needed(buf);
    if (found.pvar->continuous()) fail(kTErrPvarNoAtomic, "%s cannot be reset", found.pvar->name.c_str());
    tool::read(found, buf);
    tool::reset(found);
  });
}

int t_pvar_write(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, const void* buf) {
  return tool_call([&] {
    tool::PvarHandle& found = tool::pvar_handle(tool::pvar_session(pe_session), handle);
    needed(buf);
    tool::write(found, buf);
  });
}

}  // namespace starling::abi
