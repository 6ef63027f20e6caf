// SPDX-License-Identifier: BSD-3-Clause
#include "coll/scan/scan.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

constexpr Algorithm<ReduceArgs> kScanIntra[] = {
    {"shared", scan_shared, vector_fits_board, true},
    {"recursive_doubling", scan_recursive_doubling},
};
constexpr Algorithm<ReduceArgs> kExscanIntra[] = {
    {"shared", exscan_shared, vector_fits_board, true},
    {"recursive_doubling", exscan_recursive_doubling},
};

}  // namespace

// Not defined on intercommunicators.
constexpr Collective<ReduceArgs> kScan{
    Id::kScan, kScanIntra, {}, bytes_reduced, nonblocking_ops("MPI_Iscan"), persistent_ops("MPI_Scan_init")};
constexpr Collective<ReduceArgs> kExscan{
    Id::kExscan, kExscanIntra, {}, bytes_reduced, nonblocking_ops("MPI_Iexscan"), persistent_ops("MPI_Exscan_init")};

}  // namespace starling::coll
