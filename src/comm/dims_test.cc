// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "comm/entry.gen.h"

namespace starling::comm {
namespace {

using Dims = std::vector<int>;

Dims create(int nodes, Dims dims) {
  dims_create(nodes, static_cast<int>(dims.size()), dims.data());
  return dims;
}
int error_of(int nodes, Dims dims) {
  try {
    create(nodes, dims);
  } catch (const Error& e) {
    return e.error_class;
  }
  return kSuccess;
}

TEST(Dims, ExamplesOfTheStandard) {
  EXPECT_EQ(create(6, {0, 0}), (Dims{3, 2}));
  EXPECT_EQ(create(7, {0, 0}), (Dims{7, 1}));
  EXPECT_EQ(create(6, {0, 3, 0}), (Dims{2, 3, 1}));
  EXPECT_EQ(error_of(7, {0, 3, 0}), kErrDims);
}

TEST(Dims, AreBalanced) {
  EXPECT_EQ(create(16, {0, 0}), (Dims{4, 4}));
  EXPECT_EQ(create(36, {0, 0}), (Dims{6, 6}));
  EXPECT_EQ(create(72, {0, 0, 0}), (Dims{6, 4, 3}));
  EXPECT_EQ(create(1 << 30, {0, 0, 0}), (Dims{1024, 1024, 1024}));
  EXPECT_EQ(create(2147483647, {0, 0}), (Dims{2147483647, 1}));
  EXPECT_EQ(create(223092870, Dims(9, 0)), (Dims{23, 19, 17, 13, 11, 7, 5, 3, 2}));
  EXPECT_EQ(create(1, {0, 0, 0}), (Dims{1, 1, 1}));
}

// The largest dimension is the smallest possible one, found here by trying everything.
TEST(Dims, LargestIsSmallestPossible) {
  for (int n = 1; n <= 300; ++n) {
    Dims dims = create(n, {0, 0, 0});
    int best = n;
    for (int a = 1; a <= n; ++a)
      for (int b = 1; a * b <= n; ++b)
        if (n % (a * b) == 0) best = std::min(best, std::max({a, b, n / (a * b)}));
    EXPECT_EQ(dims[0], best) << n;
    EXPECT_EQ(dims[0] * dims[1] * dims[2], n);
    EXPECT_TRUE(std::is_sorted(dims.rbegin(), dims.rend()));
  }
}

TEST(Dims, Errors) {
  EXPECT_EQ(error_of(0, {0}), kErrArg);
  EXPECT_EQ(error_of(4, {-1, 0}), kErrDims);
  EXPECT_EQ(error_of(4, {2, 3}), kErrDims);
  EXPECT_EQ(error_of(4, {65536, 65536, 0}), kErrDims);
  EXPECT_EQ(error_of(4, {2, 2}), kSuccess);
  EXPECT_EQ(error_of(5, {}), kSuccess);
}

}  // namespace
}  // namespace starling::comm
