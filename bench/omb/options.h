// SPDX-License-Identifier: BSD-3-Clause
// The command line. One table describes every option (options.cc); a program names the letters it accepts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace omb {

struct Program;

enum class Sync { kDefault, kLock, kFlush, kFlushLocal, kLockAll, kPscw, kFence };
enum class WindowKind { kCreate, kAllocate, kDynamic };
enum class Derived { kNone, kContiguous, kVector, kIndexed };
enum class Neighbours { kCartesian, kGraph };

// One of the sizes that a run is limited to.
struct SizeCount {
  size_t size;
  int iterations;  // 0: as many as always
};

struct Options {
  bool help = false, version = false, full = false;
  std::optional<size_t> min, max;  // message size
  std::optional<int> iterations, warmup;
  std::optional<int> window;
  bool vary_window = false;
  bool rate = true;
  int pairs = 0;                          // 0: as many as there are
  int tests = 0;                          // MPI_Test calls in the computation
  std::optional<int> senders, receivers;  // threads or processes
  int array_size = 32;
  bool multiple_buffers = false;
  size_t memory_limit = size_t{512} << 20;
  bool memory_limit_raised = false;
  std::optional<Sync> sync;
  WindowKind window_kind = WindowKind::kAllocate;
  bool validate = false, log = false;
  std::string log_directory = "validation_output";
  int validation_warmup = 5;
  bool graph = false, tty = false, png = false, pdf = false;
  std::vector<std::string> papi_events;
  std::string papi_path = "papi_output.out";
  bool papi_default_path = false;
  Derived derived = Derived::kNone;
  int stride = 8, block = 4;
  std::string index_file;
  Neighbours neighbours = Neighbours::kCartesian;
  int dimensions = 1, radius = 1;
  std::string graph_file;
  std::vector<int> types;  // indices of base_types(); empty: the program's default
  bool session = false, in_place = false;
  std::vector<double> percentiles;
  int root_rank = 0;
  bool rotate_root = false;
  int partitions = 8;
  int digits = 2;                // after the point; OMB_DIGITS in the environment
  bool count_barrier = false;    // a collective's time ends after the barrier behind it; OMB_COUNT_BARRIER in the environment
  std::vector<SizeCount> sizes;  // instead of the powers of two; OMB_SIZES in the environment

  int window_size() const { return window.value_or(64); }
};

// What is wrong with the command line; empty message: nothing.
struct BadUsage {
  std::string message, option;
};

BadUsage parse_options(const Program& program, int argc, char** argv, Options& options);
void print_help(const Program& program);

}  // namespace omb
