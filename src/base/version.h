// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace starling {

// MPI_Get_library_version.
inline constexpr const char kLibraryVersion[] = "Starling 0.1.0 (MPI 5.0, ABI 1.0)";

}  // namespace starling
