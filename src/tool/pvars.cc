// SPDX-License-Identifier: BSD-3-Clause
#include "tool/pvars.h"

#include "base/error.h"
#include "boot/runtime.h"
#include "coll/allgather/allgather.h"
#include "coll/allreduce/allreduce.h"
#include "coll/alltoall/alltoall.h"
#include "coll/barrier/barrier.h"
#include "coll/bcast/bcast.h"
#include "coll/gather/gather.h"
#include "coll/neighbor/neighbor.h"
#include "coll/reduce/reduce.h"
#include "coll/reduce_scatter/reduce_scatter.h"
#include "coll/scan/scan.h"
#include "coll/scatter/scatter.h"
#include "coll/selection.h"
#include "datatype/datatype.h"
#include "p2p/p2p.h"
#include "p2p/request.h"
#include "rma/win.h"

namespace starling::tool {

namespace {

// Of the worker, while there is one; before the library starts everything is zero.
const Worker* worker() { return runtime().worker; }

std::uint64_t read_counter(const Pvar& pvar, const Object*) {
  std::uint64_t sum = 0;
  if (worker()) for_each_worker(*worker(), [&](Worker& each) { sum += each.counters.*pvar.counter; });
  return sum;
}
std::uint64_t read_algorithm(const Pvar& pvar, const Object*) {
  return worker() ? worker()->counters.algorithms[pvar.collective][pvar.algorithm] : 0;
}
std::uint64_t read_posted(const Pvar&, const Object* on) {
  return worker() ? p2p::queues(*worker(), static_cast<const Comm*>(on)).posted : 0;
}
std::uint64_t read_unexpected(const Pvar&, const Object* on) {
  return worker() ? p2p::queues(*worker(), static_cast<const Comm*>(on)).unexpected : 0;
}
std::uint64_t read_unexpected_bytes(const Pvar&, const Object*) { return worker() ? p2p::unexpected_bytes(*worker()) : 0; }
std::uint64_t read_collectives(const Pvar&, const Object* on) {
  const auto& [blocking, others] = static_cast<const Comm*>(on)->coll_sequence;
  return std::uint64_t{blocking} + others;
}
std::uint64_t read_win(const Pvar&, const Object* on) { return static_cast<const Win*>(on)->operations; }
std::uint64_t read_state(const Pvar&, const Object*) {
  if (boot::running()) return 1;
  return worker() ? 2 : 0;
}

// Static: they are made for the table below and for nothing else.
constexpr auto kNone = Bind::kNoObject;
std::vector<Pvar> moments() {
  return {
      {"library_state", "Whether MPI has been initialized or finalized", PvarClass::kState, Area::kLibrary, kNone, &read_state},
      {"posted_receives", "Receives that wait for their message", PvarClass::kLevel, Area::kPointToPoint, kNone, &read_posted},
      {"unexpected_queue", "Messages that wait for their receive", PvarClass::kLevel, Area::kPointToPoint, kNone,
       &read_unexpected},
      {"unexpected_queue_most", "The most messages that have waited for their receive at a time, since the start of the handle",
       PvarClass::kHighWatermark, Area::kPointToPoint, kNone, &read_unexpected},
      {"unexpected_memory", "Bytes of messages that wait for their receive", PvarClass::kSize, Area::kPointToPoint, kNone,
       &read_unexpected_bytes},
      {"comm_posted_receives", "Receives of a communicator that wait for their message", PvarClass::kLevel, Area::kPointToPoint,
       Bind::kComm, &read_posted},
      {"comm_unexpected_queue", "Messages of a communicator that wait for their receive", PvarClass::kLevel,
       Area::kPointToPoint, Bind::kComm, &read_unexpected},
      {"comm_collectives", "Collective operations called on a communicator", PvarClass::kCounter, Area::kCollectives,
       Bind::kComm, &read_collectives},
      {"win_operations", "One-sided calls of this process on a window", PvarClass::kCounter, Area::kOneSided, Bind::kWin,
       &read_win},
      {"requests_alive", "Requests that have not been completed or freed", PvarClass::kLevel, Area::kObjects, kNone,
       [](const Pvar&, const Object*) -> std::uint64_t { return worker() ? p2p::live_requests(*worker()) : 0; }},
      {"communicators_alive", "Communicators, MPI_COMM_WORLD and MPI_COMM_SELF included", PvarClass::kLevel, Area::kObjects,
       kNone, [](const Pvar&, const Object*) -> std::uint64_t { return comm_pool().live_count(); }},
      {"datatypes_alive", "Datatypes that the program has made", PvarClass::kLevel, Area::kObjects, kNone,
       [](const Pvar&, const Object*) -> std::uint64_t { return datatype_pool().live_count(); }},
      {"windows_alive", "Windows", PvarClass::kLevel, Area::kObjects, kNone,
       [](const Pvar&, const Object*) -> std::uint64_t { return win_pool().live_count(); }},
  };
}

Pvar counter(Area area, PvarClass of_class, const char* name, const char* help, std::uint64_t Counters::*place) {
  return {name, help, of_class, area, kNone, &read_counter, place};
}

template <class Args>
void add_algorithms(std::vector<Pvar>& all, const coll::Collective<Args>& collective) {
  const std::string operation = coll::name_of(collective.id);
  std::size_t place = 0;
  auto add = [&](const coll::Algorithm<Args>& algorithm, const std::string& between, const char* what) {
    Pvar pvar{"coll_" + operation + between + algorithm.name,
              std::string("Calls for which MPI has chosen ") + algorithm.name + " for " + operation + what,
              PvarClass::kCounter,
              Area::kCollectives,
              kNone,
              &read_algorithm};
    pvar.collective = static_cast<std::size_t>(collective.id);
    pvar.algorithm = place++;
    all.push_back(std::move(pvar));
  };
  for (const auto& algorithm : collective.intra) add(algorithm, "_", "");
  for (const auto& algorithm : collective.inter) add(algorithm, "_between_groups_", " between two groups");
  if (place > kCountedAlgorithms) fail(kErrIntern, "there is no room to count the algorithms of %s", operation.c_str());
}

template <class... Collectives>
void add_all_algorithms(std::vector<Pvar>& all, const Collectives&... collectives) {
  (add_algorithms(all, collectives), ...);
}

std::vector<Pvar> make_table() {
  std::vector<Pvar> all = moments();
#define COUNTER(area, kind, field, help) \
  all.push_back(counter(Area::k##area, PvarClass::k##kind, #field, help, &Counters::field));
#include "base/counters.def"
#undef COUNTER
  using namespace coll;
  add_all_algorithms(all, kBarrier, kBcast, kGather, kGatherv, kScatter, kScatterv, kAllgather, kAllgatherv, kAlltoall,
                     kAlltoallv, kAlltoallw, kReduce, kAllreduce, kReduceScatterBlock, kReduceScatter, kScan, kExscan,
                     kNeighborAllgather, kNeighborAllgatherv, kNeighborAlltoall, kNeighborAlltoallv, kNeighborAlltoallw);
  return all;
}

}  // namespace

const std::vector<Pvar>& pvars() {
  static const auto& all = *new std::vector<Pvar>(make_table());
  return all;
}

const Pvar& pvar_at(int index) {
  if (index < 0 || index >= static_cast<int>(pvars().size()))
    fail(kTErrInvalidIndex, "there is no performance variable %d", index);
  return pvars()[static_cast<std::size_t>(index)];
}

int find_pvar(std::string_view name, PvarClass of_class) {
  for (std::size_t i = 0; i < pvars().size(); ++i)
    if (pvars()[i].name == name && pvars()[i].of_class == of_class) return static_cast<int>(i);
  fail(kTErrInvalidName, "there is no performance variable %.*s of this class", static_cast<int>(name.size()), name.data());
}

}  // namespace starling::tool
