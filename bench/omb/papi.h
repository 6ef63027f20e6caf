// SPDX-License-Identifier: BSD-3-Clause
// Hardware counters of the timed iterations (-P), by the PAPI library, which is loaded if it is there.
#pragma once

#include <string>
#include <vector>

namespace omb {

struct Run;

class Papi {
 public:
  // Loads the library and opens the events; returns what is wrong.
  std::string open(const std::vector<std::string>& events);
  void start();
  void stop();
  // Appends a table of all ranks' counts to `path`; all ranks call it.
  void write(const Run& run, size_t size, const std::string& path);
  ~Papi();

 private:
  std::string load();
  void* library_ = nullptr;
  int set_ = -1;  // PAPI_NULL
  bool truncate_ = true;
  std::vector<std::string> events_;
  std::vector<long long> counts_;
  int (*library_init_)(int) = nullptr;
  int (*create_eventset_)(int*) = nullptr;
  int (*add_named_event_)(int, const char*) = nullptr;
  int (*start_)(int) = nullptr;
  int (*stop_)(int, long long*) = nullptr;
};

void papi_start(Run& run);
void papi_stop(Run& run);

}  // namespace omb
