// SPDX-License-Identifier: BSD-3-Clause
// Which parts of the machine this process is confined to, for MPI_Comm_split_type and MPI_Get_hw_resource_info. Read from the
// kernel at each call (the binding may change); thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace starling::comm {

// From large to small.
enum class Level { kMachine, kPackage, kNumaNode, kL3Cache, kCore, kProcessor };
inline constexpr int kLevels = 6;

// As values of the info key mpi_hw_resource_type, named like hwloc's object types.
inline constexpr std::string_view kLevelNames[kLevels] = {"hwloc://Machine", "hwloc://Package", "hwloc://NUMANode",
                                                          "hwloc://L3Cache", "hwloc://Core",    "hwloc://PU"};

// A number for the part of this level on which this process may run, different from that of all other parts of all machines; 0
// if the process may run on several, or the kernel does not tell.
std::uint64_t resource_at(Level level);

}  // namespace starling::comm
