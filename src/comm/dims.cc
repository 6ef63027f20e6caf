// SPDX-License-Identifier: BSD-3-Clause
// MPI_Dims_create (MPI 5.0 section 8.5.2).
#include <algorithm>
#include <vector>

#include "base/error.h"
#include "comm/entry.gen.h"

namespace starling::comm {

namespace {

// All divisors, ascending.
std::vector<int> divisors_of(int n) {
  std::vector<int> low, high;
  for (int d = 1; static_cast<std::int64_t>(d) * d <= n; ++d) {
    if (n % d != 0) continue;
    low.push_back(d);
    if (d != n / d) high.push_back(n / d);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

// base^exponent >= n, without overflow.
bool power_reaches(std::int64_t base, std::size_t exponent, std::int64_t n) {
  std::int64_t power = 1;
  for (std::size_t i = 0; i < exponent && power < n; ++i) power *= base;  // base and n are ints: the product fits
  return power >= n;
}

// Writes n as a product of `count` factors, none above `limit`, descending: the first as small as possible, then the second,
// and so on. Few divisors are tried: none below the count-th root of what is left can be the largest factor.
bool factor(int n, std::size_t count, int limit, const std::vector<int>& divisors, int* factors) {
  if (count == 1) {
    factors[0] = n;
    return n <= limit;
  }
  for (int d : divisors) {
    if (d > limit) return false;
    if (n % d != 0 || !power_reaches(d, count, n)) continue;
    factors[0] = d;
    if (factor(n / d, count - 1, d, divisors, factors + 1)) return true;
  }
  return false;
}

}  // namespace

void dims_create(int nnodes, int ndims, int* dims) {
  if (nnodes <= 0) fail(kErrArg, "the number of nodes is %d, but must be positive", nnodes);
  if (ndims < 0) fail(kErrDims, "the number of dimensions is %d", ndims);
  std::vector<int> free;
  std::int64_t given = 1;
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] < 0) fail(kErrDims, "dimension %d is %d, but must not be negative", i, dims[i]);
    if (dims[i] == 0)
      free.push_back(i);
    else if (given <= nnodes)  // beyond that it cannot divide any more
      given *= dims[i];
  }
  if (ndims == 0) return;
  if (nnodes % given != 0 || (free.empty() && given != nnodes))
    fail(kErrDims, "%d nodes cannot be arranged with the given dimensions, whose product is %lld", nnodes,
         static_cast<long long>(given));
  if (free.empty()) return;
  int rest = static_cast<int>(nnodes / given);
  std::vector<int> factors(free.size());
  factor(rest, free.size(), rest, divisors_of(rest), factors.data());
  for (std::size_t i = 0; i < free.size(); ++i) dims[free[i]] = factors[i];
}

}  // namespace starling::comm
