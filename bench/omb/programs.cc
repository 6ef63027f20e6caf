// SPDX-License-Identifier: BSD-3-Clause
// The table of programs (programs.def) and what its rows refer to: size classes, shapes, accepted options.
#include "programs.h"

#include <cstdio>

#include "pairs.h"
#include "topology.h"

namespace omb {
namespace {

using enum Ranks;

// sizes, then {iterations, warm-up} of small and of large messages
constexpr SizeClass kLatencySizes = {0, 4 << 20, {10000, 100}, {1000, 10}};
constexpr SizeClass kPartitionedSizes = {1, 4 << 20, {10000, 100}, {1000, 10}};
constexpr SizeClass kRmaSizes = {1, 4 << 20, {10000, 100}, {1000, 10}};
constexpr SizeClass kNoSizes = {0, 0, {1, 0}, {1, 0}};
constexpr SizeClass kBandwidthSizes = {1, 4 << 20, {100, 10}, {20, 2}};
constexpr SizeClass kCollectiveSizes = {1, 1 << 20, {1000, 100}, {100, 10}};
constexpr SizeClass kRateSizes = {1, 4 << 20, {100, 10}, {100, 10}};

constexpr const char* kSize = "# Size";
constexpr const char* kLatencyUnit = "Lat(us)";
constexpr const char* kBandwidthUnit = "BW(MB/s)";

bool full(const Run& run) { return run.options.full; }
bool with_rate(const Run& run) { return run.options.rate; }

const Shape kLatency = {drive_tables, kSize, {{"Avg Latency(us)"}}, kLatencyUnit};
const Shape kBandwidth = {drive_tables, kSize, {{"Bandwidth (MB/s)"}}, kBandwidthUnit};
const Shape kFan = {drive_tables, kSize, {{"Bandwidth (MB/s)"}}, kBandwidthUnit, true, require_nodes};
const Shape kThreadLatency = {drive_tables, kSize, {{"Avg Latency(us)"}}, kLatencyUnit, true, nullptr, announce_threads};
const Shape kProcessLatency = {drive_processes, kSize, {{"Avg Latency(us)"}}, kLatencyUnit, true, nullptr, announce_processes};
const Shape kRate = {
    drive_multiple_bandwidth, kSize, {{"MB/s"}, {"Messages/s", with_rate}}, kBandwidthUnit, false, nullptr, announce_pairs};

const std::vector<Column> kMeans = {
    {"Avg Latency(us)"}, {"Min Latency(us)", full}, {"Max Latency(us)", full}, {"Iterations", full, 12, 0}};
const std::vector<Column> kPhases = {{"Overall(us)"},         {"Compute(us)"},         {"Coll. Init(us)", full},
                                     {"MPI_Test(us)", full},  {"MPI_Wait(us)", full},  {"Pure Comm.(us)"},
                                     {"Min Comm.(us)", full}, {"Max Comm.(us)", full}, {"Overlap(%)"}};

// A table without sizes: the first column is as wide as its name.
std::vector<Column> unsized(std::vector<Column> columns) {
  columns[0] = {"", nullptr, 0};
  return columns;
}

const Shape kCollective = {drive_tables, kSize, kMeans, kLatencyUnit};
const Shape kBarrierShape = {drive_single, "# Avg Latency(us)", unsized(kMeans), kLatencyUnit};
const Shape kOverlap = {drive_tables, kSize, kPhases, kLatencyUnit, true, nullptr, announce_overlap};
const Shape kOverlapBarrier = {drive_single, "# Overall(us)", unsized(kPhases), kLatencyUnit, true, nullptr, announce_overlap};
const Shape kNeighbor = {drive_tables, kSize, kMeans, kLatencyUnit, true, make_topology};
const Shape kNeighborOverlap = {drive_tables, kSize, kPhases, kLatencyUnit, true, make_topology, announce_overlap};

const Shape kRmaLatency = {drive_tables, kSize, {{"Latency (us)"}}, kLatencyUnit, false, nullptr, announce_window};
const Shape kRmaBandwidth = {drive_tables, kSize, {{"Bandwidth (MB/s)"}}, kBandwidthUnit, false, nullptr, announce_window};
const Shape kRmaRate = {drive_tables,
                        kSize,
                        {{"MB/s"}, {"Messages/s", with_rate}},
                        kBandwidthUnit,
                        false,
                        require_pairs,
                        announce_window_and_pairs};
const Shape kRmaSum = {drive_accumulate, kSize,           {{"Latency (us)"}}, kLatencyUnit, false,
                       nullptr,          announce_window, "passed",           "failed"};
const Shape kRmaAtomic = {drive_atomic, kSize,           {{"Latency (us)"}}, kLatencyUnit, false,
                          nullptr,      announce_window, "passed",           "failed"};
const Shape kInit = {drive_init, "", {}, "", false};
const Shape kHello = {drive_hello, "", {}, "", false};

// The keys of options.cc.
constexpr const char* kPt2ptOptions = "hvmxibcuGDPTIz";
constexpr const char* kBandwidthOptions = "hvmxibcuGDPTIztW";
constexpr const char* kThreadOptions = "hvmxiycuGDTIz";
constexpr const char* kProcessOptions = "hvmxiycuGDPTIz";
constexpr const char* kFanOptions = "hvmxiWbGDPTIz";
constexpr const char* kRateOptions = "pWRximVhvbcuGDPTIz";
constexpr const char* kRmaLatencyOptions = "wshvmxiGIzP";
constexpr const char* kRmaBandwidthOptions = "wshvmxiGIzPW";
constexpr const char* kRmaRateOptions = "wshvmxiGIzPWpR";
constexpr const char* kRmaBothWaysOptions = "wShvmxiGIzPW";
constexpr const char* kRmaSumOptions = "wshvmxiGIzPcT";
constexpr const char* kRmaCompareOptions = "wshvmxiGIzPcJ";
constexpr const char* kInitOptions = "hvI";
constexpr const char* kHelloOptions = "hv";
constexpr const char* kAllOptions = "hvfmixMacuGDPTIlz";
constexpr const char* kRootOptions = "hvfmixMacuGDPTIlzk";
constexpr const char* kBcastOptions = "hvfmixMacuGDPTIz";
constexpr const char* kReduceOptions = "hvfmixMacuGPTIlz";
constexpr const char* kRootReduceOptions = "hvfmixMacuGPTIlzk";
constexpr const char* kBarrierOptions = "hvfmixMauGPIz";
constexpr const char* kNeighborOptions = "hvfmixMacuNGDPTIz";
constexpr const char* kAllOverlapOptions = "hvfmixMacuGDPTIlzt";
constexpr const char* kRootOverlapOptions = "hvfmixMacuGDPTIlzkt";
constexpr const char* kBcastOverlapOptions = "hvfmixMacuGDPTIzt";
constexpr const char* kReduceOverlapOptions = "hvfmixMacuGPTIlzt";
constexpr const char* kRootReduceOverlapOptions = "hvfmixMacuGPTIlzkt";
constexpr const char* kBarrierOverlapOptions = "hvfmixMtaGPIz";
constexpr const char* kNeighborOverlapOptions = "hvfmixMacuNGDPTIzt";
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
