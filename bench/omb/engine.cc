// SPDX-License-Identifier: BSD-3-Clause
// Tables: which types and sizes a run measures, and how they are printed.
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "datatype.h"
#include "graph.h"
#include "omb.h"
#include "papi.h"
#include "topology.h"

namespace omb {

Run::Run() = default;
Run::~Run() = default;

char* Memory::at_least(size_t bytes) {
  if (bytes > size_ || !data_) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    std::free(data_);
    size_ = (bytes / page + 1) * page;
    data_ = static_cast<char*>(std::aligned_alloc(page, size_));
    if (!data_) {
      std::fprintf(stderr, "There is no memory for %zu bytes\n", size_);
      MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    std::memset(data_, 1, size_);  // now, not in the timed loop, the pages come into being
  }
  return data_;
}

Count Run::count_for(size_t bytes) const {
  Count result = bytes > kLargeMessage ? program->sizes->large : program->sizes->small;
  if (options.iterations) result.iterations = *options.iterations;
  if (options.warmup) result.warmup = *options.warmup;
  for (const SizeCount& each : options.sizes)
    if (each.size == bytes && each.iterations) result = {each.iterations, std::max(each.iterations / 10, 1)};
  return result;
}

double reduce(const Run& run, double value, MPI_Op op) {
  double result = 0;
  MPI_Reduce(&value, &result, 1, MPI_DOUBLE, op, 0, run.comm);
  return result;
}

void average_samples(const Run& run, std::vector<double>& samples, int ranks) {
  if (!run.wants_samples()) return;
  samples.resize(static_cast<size_t>(run.count.iterations));
  std::vector<double> sums(samples.size());
  MPI_Reduce(samples.data(), sums.data(), static_cast<int>(samples.size()), MPI_DOUBLE, MPI_SUM, 0, run.comm);
  for (double& sum : sums) sum /= ranks;
  samples.swap(sums);
}

void print_title(const Run& run) {
  if (!run.root()) return;
  std::printf("%s# OSU %s v%s\n", run.program->shape->blank_line ? "\n" : "", run.program->title, kVersion);
}

namespace {

bool wanted(const Run& run, const Column& column) { return !column.wanted || column.wanted(run); }

bool bandwidth(const Run& run) { return !std::strncmp(run.program->shape->unit, "BW", 2); }

std::string percentile_name(const Run& run, double percentile) {
  char text[64];
  std::snprintf(text, sizeof text, "P%g Tail %s", percentile, bandwidth(run) ? "BW(MB/s)" : "Lat(us)");
  return text;
}

double percentile_of(const std::vector<double>& sorted, double percentile) {
  const long index = std::lround(static_cast<double>(sorted.size()) * percentile / 100) - 1;
  return sorted[static_cast<size_t>(std::clamp(index, 0L, static_cast<long>(sorted.size()) - 1))];
}

}  // namespace

void print_header(const Run& run, const char* datatype) {
  if (!run.root()) return;
  const Shape& shape = *run.program->shape;
  if (datatype) std::printf("# Datatype: %s.\n", datatype);
  std::printf(shape.columns[0].width ? "%-10s" : "%s", shape.first);
  for (const Column& column : shape.columns)
    if (column.width && wanted(run, column)) std::printf("%*s", column.width, column.name);
  if (run.options.validate) std::printf("%20s", "Validation");
  for (double percentile : run.options.percentiles) std::printf("%20s", percentile_name(run, percentile).c_str());
  if (run.options.derived != Derived::kNone) std::printf("%20s", "Transmit Size");
  std::printf("\n");
  std::fflush(stdout);
}

void print_row(Run& run, const Message& message, const Result& result) {
  const Shape& shape = *run.program->shape;
  if (run.root()) {
    const bool sized = shape.columns[0].width != 0;
    if (sized) std::printf("%-10zu", message.size);
    for (size_t i = 0; i < shape.columns.size(); ++i) {
      const Column& column = shape.columns[i];
      if (!wanted(run, column)) continue;
      std::printf("%*.*f", column.width ? column.width : static_cast<int>(std::strlen(shape.first)),
                  column.digits == Column::kReal ? run.options.digits : column.digits, result.values[i]);
    }
    if (run.options.validate) std::printf("%20s", result.valid ? shape.pass : shape.fail);
    std::vector<double> sorted = result.samples;
    std::sort(sorted.begin(), sorted.end());
    for (double percentile : run.options.percentiles)
      std::printf("%20.*f", run.options.digits, percentile_of(sorted, percentile));
    if (run.options.derived != Derived::kNone) std::printf("%20zu", message.transmitted);
    std::printf("\n");
    std::fflush(stdout);
    if (run.graph) run.graph->add(message.size, result.samples);
  }
  if (run.papi) run.papi->write(run, message.size, run.options.papi_path);
}

void report_invalid(Run& run, size_t size) {
  if (run.root()) std::printf("DATA VALIDATION ERROR: %s exited with status 1 on message size %zu.\n", run.argv0, size);
  run.status = EXIT_FAILURE;
}

bool measure_message(Run& run, const Message& message, Result& result) {
  run.count = run.count_for(message.size);
  MPI_Barrier(run.comm);
  result = run.program->body(run, message, run.program->detail);
  if (!run.options.validate) return true;
  int mine = result.valid, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, run.comm);
  result.valid = all != 0;
  return result.valid;
}

bool measure_size(Run& run, int base, size_t size) {
  const Message message(run.options, base, size);
  Result result;
  const bool valid = measure_message(run, message, result);
  print_row(run, message, result);
  if (!valid) report_invalid(run, size);
  return valid;
}

namespace {

// The largest size within --mem-limit, for programs that have the option.
size_t most_of(const Run& run) {
  size_t most = run.options.max.value_or(run.program->sizes->max);
  if (!run.options.sizes.empty() && !run.options.max) most = std::ranges::max(run.options.sizes, {}, &SizeCount::size).size;
  const bool per_rank = run.program->traits & kPerRank;  // displacements of the ranks' blocks are ints
  const size_t limit =
      per_rank ? std::min(run.options.memory_limit, size_t{INT_MAX}) / static_cast<size_t>(run.size) : run.options.memory_limit;
  if (!std::strchr(run.program->options, 'M') || most <= limit) return most;
  if (run.root()) std::fprintf(stderr, "Warning: --mem-limit permits messages of up to %zu bytes, not %zu", limit, most);
  return limit;
}

void finish_graph(Run& run) {
  if (run.graph) run.graph->finish();
}

}  // namespace

void print_top(Run& run) {
  const Shape& shape = *run.program->shape;
  if (shape.before_title) shape.before_title(run);
  print_title(run);
  if (shape.after_title) shape.after_title(run);
}

std::vector<int> types_of(const Run& run) {
  if (!run.options.types.empty()) return run.options.types;
  return {run.program->traits & kReduces ? kInt : kChar};
}

std::vector<size_t> sizes_of(Run& run) {
  std::vector<size_t> sizes;
  const size_t least = run.options.min.value_or(run.program->sizes->min), most = most_of(run);
  if (most > INT_MAX)
    quit(run, EXIT_FAILURE, "Messages of " + std::to_string(most) + " bytes have more elements than an int can count");
  if (run.options.sizes.empty()) {
    for (size_t size = least; size <= most; size = size ? size * 2 : 1) sizes.push_back(size);
  } else {
    for (const SizeCount& each : run.options.sizes)
      if (each.size >= least && each.size <= most) sizes.push_back(each.size);
  }
  return sizes;
}

void drive_tables(Run& run) {
  const auto sizes = sizes_of(run);
  print_top(run);
  for (int base : types_of(run)) {
    const BaseType& type = base_types()[static_cast<size_t>(base)];
    print_header(run, type.name);
    for (size_t size : sizes) {
      const size_t least = type.size * (run.program->traits & kShares ? static_cast<size_t>(run.size) : 1);
      if (size > 0 && size < least) continue;
      if (!measure_size(run, base, size)) return;
    }
    finish_graph(run);
  }
}

void drive_single(Run& run) {
  print_top(run);
  print_header(run, nullptr);
  measure_size(run, kChar, 0);
  finish_graph(run);
}

}  // namespace omb
