// SPDX-License-Identifier: BSD-3-Clause
// The table of programs (programs.def) and what its rows refer to: size classes, shapes, accepted options.
#include "programs.h"

#include <cstdio>

namespace omb {
namespace {

using enum Ranks;

// sizes, then {iterations, warm-up} of small and of large messages
constexpr SizeClass kLatencySizes = {0, 4 << 20, {10000, 100}, {1000, 10}};
constexpr SizeClass kPartitionedSizes = {1, 4 << 20, {10000, 100}, {1000, 10}};
constexpr SizeClass kBandwidthSizes = {1, 4 << 20, {100, 10}, {20, 2}};
constexpr SizeClass kRateSizes = {1, 4 << 20, {100, 10}, {100, 10}};

constexpr const char* kSize = "# Size";
constexpr const char* kLatencyUnit = "Lat(us)";
constexpr const char* kBandwidthUnit = "BW(MB/s)";

bool with_rate(const Run& run) { return run.options.rate; }

const Shape kLatency = {drive_tables, kSize, {{"Avg Latency(us)"}}, kLatencyUnit};
const Shape kBandwidth = {drive_tables, kSize, {{"Bandwidth (MB/s)"}}, kBandwidthUnit};
const Shape kFan = {drive_tables, kSize, {{"Bandwidth (MB/s)"}}, kBandwidthUnit, true, require_nodes, true};
const Shape kThreadLatency = {drive_tables, kSize, {{"Avg Latency(us)"}}, kLatencyUnit, true, announce_threads};
const Shape kProcessLatency = {drive_processes, kSize, {{"Avg Latency(us)"}}, kLatencyUnit, true, announce_processes};
const Shape kRate = {drive_multiple_bandwidth, kSize, {{"MB/s"}, {"Messages/s", with_rate}},
                     kBandwidthUnit,           false, announce_pairs};

// The keys of options.cc.
constexpr const char* kPt2ptOptions = "hvmxibcuGDPTIz";
constexpr const char* kBandwidthOptions = "hvmxibcuGDPTIztW";
constexpr const char* kThreadOptions = "hvmxiycuGDTIz";
constexpr const char* kProcessOptions = "hvmxiycuGDPTIz";
constexpr const char* kFanOptions = "hvmxiWbGDPTIz";
constexpr const char* kRateOptions = "pWRximVhvbcuGDPTIz";
#if MPI_VERSION >= 4
constexpr const char* kPartitionedOptions = "hvmxibcuGDPTIzq";
#endif

const Program kPrograms[] = {
#define PROGRAM(group, name, title, ranks, sizes, shape, options, traits, body, detail) \
  {#group, #name, title, ranks, &sizes, &shape, options, traits, body, detail},
#include "programs.def"
#undef PROGRAM
};

}  // namespace

const Program* find_program(const std::string& name) {
  for (const Program& program : kPrograms)
    if (name == program.name || "osu_" + name == program.name) return &program;
  return nullptr;
}

void list_programs() {
  for (const Program& program : kPrograms) std::printf("  %-36s %s\n", program.name, program.title);
}

}  // namespace omb
