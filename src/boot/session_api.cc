// SPDX-License-Identifier: BSD-3-Clause
// Sessions and process sets (MPI 5.0 section 11.3). Two process sets exist: mpi://WORLD and mpi://SELF.
#include <algorithm>
#include <cctype>
#include <string>

#include "base/error.h"
#include "boot/entry.gen.h"
#include "boot/runtime.h"
#include "boot/world.h"
#include "object/entry.gen.h"
#include "object/group.h"
#include "object/info.h"
#include "object/pool.h"
#include "object/session.h"

namespace starling {

namespace {

Pool<Session, Kind::kSession, 1 << 16>& pool() {
  static auto* instance = new Pool<Session, Kind::kSession, 1 << 16>;
  return *instance;
}

constexpr const char* kWorldSet = "mpi://WORLD";
constexpr const char* kSelfSet = "mpi://SELF";

// Names of process sets are URIs: scheme and host compare without regard to case (MPI 5.0, 11.3.2).
bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

std::vector<Peer> peers_of(std::string_view name) {
  if (same_name(name, kSelfSet)) return {runtime().worker->self()};
  if (!same_name(name, kWorldSet))
    fail(kErrArg, "there is no process set named \"%.*s\"", static_cast<int>(name.size()), name.data());
  std::vector<Peer> peers(static_cast<std::size_t>(runtime().size));
  for (std::size_t i = 0; i < peers.size(); ++i) peers[i] = static_cast<Peer>(i);
  return peers;
}

// The thread level that the info argument asks for (key "thread_level"), else the default of the standard.
int wanted_level(const Info* info) {
  const std::string* text = info ? info->find("thread_level") : nullptr;
  if (!text || *text == "MPI_THREAD_SINGLE") return kThreadSingle;
  if (*text == "MPI_THREAD_FUNNELED") return kThreadFunneled;
  if (*text == "MPI_THREAD_SERIALIZED") return kThreadSerialized;
  return kThreadMultiple;
}

const char* level_name(int level) {
  switch (level) {
    case kThreadSingle:
      return "MPI_THREAD_SINGLE";
    case kThreadFunneled:
      return "MPI_THREAD_FUNNELED";
    case kThreadSerialized:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

}  // namespace

void destroy(Session& session) { pool().destroy(&session); }
Session* find_session(const void* handle) { return pool().find(handle); }
Session* session_at(std::uint32_t index) { return pool().at(index); }

namespace boot {

void session_init(Info* info, Errhandler& errhandler, Session*& session) {
  object::check_errhandler(errhandler, Kind::kSession);
  int level = wanted_level(info);
  acquire(level);
  session = pool().create();
  session->errhandler = Ref<Errhandler>(&errhandler);
  session->thread_level = std::max(level, runtime().thread_level);  // what others have asked for serves this one, too
  session->memory_kinds = object::supported_memory_kinds(info);
}

void session_finalize(Session*& session) {
  starling::release(std::exchange(session, nullptr));
  release();
}

void session_get_info(Session& session, Info*& info_used) {
  object::info_create(info_used);
  info_used->set("thread_level", level_name(session.thread_level));
  info_used->set(object::kMemoryKindsKey, session.memory_kinds);
}

void session_get_num_psets(Session&, Info*, int& npset_names) { npset_names = 2; }

void session_get_nth_pset(Session&, Info*, int n, std::string& pset_name) {
  if (n < 0 || n > 1) fail(kErrArg, "n = %d, but there are 2 process sets", n);
  pset_name = n == 0 ? kWorldSet : kSelfSet;
}

void session_get_pset_info(Session&, std::string_view pset_name, Info*& info) {
  auto size = peers_of(pset_name).size();
  object::info_create(info);
  info->set("mpi_size", std::to_string(size));
}

void group_from_session_pset(Session&, std::string_view pset_name, Group*& newgroup) {
  newgroup = object::make_group(peers_of(pset_name), runtime().worker->self());
}

}  // namespace boot
}  // namespace starling
