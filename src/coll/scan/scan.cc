// SPDX-License-Identifier: BSD-3-Clause
#include "coll/scan/scan.h"

#include "coll/drive.h"
#include "coll/nodes.h"

namespace starling::coll {

namespace {

constexpr Algorithm<ReduceArgs> kScanIntra[] = {
    {"recursive_doubling", scan_recursive_doubling, nullptr, scan_recursive_doubling_traffic, kCanonical},
    {"shared", scan_shared, vector_fits_board, nullptr, kInCallOrder},
    {"two_level", scan_two_level, ordered_nodes, scan_two_level_traffic},
    {"linear", scan_linear, nullptr, scan_linear_traffic},
};
constexpr Algorithm<ReduceArgs> kExscanIntra[] = {
    {"recursive_doubling", exscan_recursive_doubling, nullptr, scan_recursive_doubling_traffic, kCanonical},
    {"shared", exscan_shared, vector_fits_board, nullptr, kInCallOrder},
    {"two_level", exscan_two_level, ordered_nodes, scan_two_level_traffic},
    {"linear", exscan_linear, nullptr, scan_linear_traffic},
};

}  // namespace

// Not defined on intercommunicators.
constexpr Collective<ReduceArgs> kScan{
    Id::kScan, kScanIntra, {}, bytes_reduced, nonblocking_ops("MPI_Iscan"), persistent_ops("MPI_Scan_init")};
constexpr Collective<ReduceArgs> kExscan{
    Id::kExscan, kExscanIntra, {}, bytes_reduced, nonblocking_ops("MPI_Iexscan"), persistent_ops("MPI_Exscan_init")};

}  // namespace starling::coll
