// SPDX-License-Identifier: BSD-3-Clause
#include "papi.h"

#include <dlfcn.h>

#include <cstdio>

#include "omb.h"

namespace omb {
namespace {

constexpr const char* kLibraries[] = {"libpapi.so",     "libpapi.so.7",   "libpapi.so.7.2", "libpapi.so.7.1",
                                      "libpapi.so.7.0", "libpapi.so.6.0", "libpapi.so.5"};

template <class Function>
bool find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

std::string Papi::load() {
  for (const char* name : kLibraries)
    if ((library_ = dlopen(name, RTLD_NOW | RTLD_GLOBAL))) break;
  if (!library_) return "PAPI is not available: libpapi.so cannot be loaded";
  if (!find(library_, "PAPI_library_init", library_init_) || !find(library_, "PAPI_create_eventset", create_eventset_) ||
      !find(library_, "PAPI_add_named_event", add_named_event_) || !find(library_, "PAPI_start", start_) ||
      !find(library_, "PAPI_stop", stop_))
    return "PAPI is not available: libpapi.so lacks a function";
  // The library accepts only callers of its own release and answers with its version.
  for (int major = 5; major <= 9; ++major)
    for (int minor = 0; minor <= 9; ++minor) {
      const int version = major << 24 | minor << 16;
      if (library_init_(version) == version) return "";
    }
  return "PAPI cannot be initialized";
}

std::string Papi::open(const std::vector<std::string>& events) {
  if (std::string problem = load(); !problem.empty()) return problem;
  if (create_eventset_(&set_) != 0) return "PAPI cannot make an event set";
  for (const std::string& event : events)
    if (add_named_event_(set_, event.c_str()) != 0) return "PAPI cannot count the event " + event;
  events_ = events;
  counts_.assign(events.size(), 0);
  return "";
}

void Papi::start() { start_(set_); }

void Papi::stop() { stop_(set_, counts_.data()); }

void Papi::write(const Run& run, size_t size, const std::string& path) {
  const int events = static_cast<int>(events_.size());
  std::vector<long long> all(run.root() ? counts_.size() * static_cast<size_t>(run.size) : 0);
  MPI_Gather(counts_.data(), events, MPI_LONG_LONG, all.data(), events, MPI_LONG_LONG, 0, run.comm);
  if (!run.root()) return;
  FILE* file = std::fopen(path.c_str(), truncate_ ? "w" : "a");
  if (!file) {
    std::fprintf(stderr, "The PAPI output file '%s' cannot be written\n", path.c_str());
    return;
  }
  truncate_ = false;
  const std::string rule(20 * static_cast<size_t>(run.size + 1) - 2, '=');
  std::fprintf(file, "Size: %zu\n>>%s\n%-20s", size, rule.c_str(), "PAPI Event Name");
  for (int rank = 0; rank < run.size; ++rank) std::fprintf(file, "%-20s", ("Rank:" + std::to_string(rank)).c_str());
  std::fprintf(file, "\n");
  for (size_t event = 0; event < events_.size(); ++event) {
    std::fprintf(file, "%-20s", events_[event].c_str());
    for (size_t rank = 0; rank < static_cast<size_t>(run.size); ++rank)
      std::fprintf(file, "%-20lld", all[rank * events_.size() + event]);
    std::fprintf(file, "\n");
  }
  std::fprintf(file, "##%s##\n\n", rule.substr(2).c_str());
  std::fclose(file);
}

Papi::~Papi() {
  if (library_) dlclose(library_);
}

void papi_start(Run& run) {
  if (run.papi) run.papi->start();
}

void papi_stop(Run& run) {
  if (run.papi) run.papi->stop();
}

}  // namespace omb
