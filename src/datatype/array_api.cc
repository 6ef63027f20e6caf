// SPDX-License-Identifier: BSD-3-Clause
// Datatypes of parts of arrays: subarray (MPI 5.0 section 5.1.3) and the local part of a distributed array (5.1.4).
#include <algorithm>

#include "base/error.h"
#include "datatype/build.h"
#include "datatype/entry.gen.h"

namespace starling::datatype {

namespace {

// The dimension that is the `nth` fastest one.
int fastest(int nth, int ndims, int order) { return order == kOrderC ? ndims - 1 - nth : nth; }

void check_order(int order) {
  if (order != kOrderC && order != kOrderFortran) fail(kErrArg, "order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
}

// The part of one array dimension that belongs to one process.
struct Dimension {
  Count size;        // of the whole array
  Count block;       // elements dealt out at a time
  Count processes;   // to which they are dealt out in turn
  Count coordinate;  // of this one
};

// Elements of `child` that are `stride` bytes apart, as far as they belong to the process.
Layout distribute(const Layout& child, Count stride, const Dimension& d) {
  Count first = checked_multiply(d.coordinate, d.block);
  if (first >= d.size) return Layout();
  Count cycle = checked_multiply(d.block, d.processes);
  Count whole = (d.size - first) / cycle;  // full blocks that are followed by the blocks of all others
  Count rest = std::min(d.block, d.size - first - whole * cycle);
  if (rest == d.block) {
    ++whole;
    rest = 0;
  }
  Layout blocks = Layout::strided(Layout::strided(child, d.block, stride), whole, checked_multiply(cycle, stride));
  return Layout::sequence({{first * stride, blocks}, {(first + whole * cycle) * stride, Layout::strided(child, rest, stride)}});
}

Dimension dimension_of(int i, Count size, int distribution, int argument, int processes, int coordinate) {
  Dimension d{size, 0, processes, coordinate};
  switch (distribution) {
    case kDistributeNone:
      if (processes != 1) fail(kErrArg, "array_of_psizes[%d] is %d, but the dimension is not distributed", i, processes);
      d.block = size;
      break;
    case kDistributeBlock:
      d.block = argument == kDistributeDfltDarg ? (size + processes - 1) / processes : argument;
      if (d.block <= 0 || d.block * processes < size)
        fail(kErrArg, "array_of_dargs[%d] = %d: %d such blocks do not hold the array", i, argument, processes);
      break;
    case kDistributeCyclic:
      d.block = argument == kDistributeDfltDarg ? 1 : argument;
      if (d.block <= 0) fail(kErrArg, "array_of_dargs[%d] = %d is not positive", i, argument);
      break;
    default:
      fail(kErrArg, "array_of_distribs[%d] is not MPI_DISTRIBUTE_BLOCK, _CYCLIC or _NONE", i);
  }
  return d;
}

// The draft of a type that has the bounds of the whole array.
Draft array_draft(Layout&& layout, Count bytes, const Datatype& oldtype) {
  Draft draft;
  draft.layout = std::move(layout);
  draft.ub = bytes;
  draft.marked = true;
  draft.alignment = oldtype.alignment;
  draft.basic = oldtype.basic;
  draft.unit = oldtype.unit;
  return draft;
}

}  // namespace

void type_create_subarray(int ndims, CountArray sizes, CountArray subsizes, CountArray starts, int order, Datatype& oldtype,
                          Datatype*& newtype, bool large) {
  check_order(order);
  Layout layout = *oldtype.layout;
  Count stride = oldtype.extent;
  Count displacement = 0;
  for (int nth = 0; nth < ndims; ++nth) {
    int i = fastest(nth, ndims, order);
    if (sizes[i] < 1) fail(kErrArg, "array_of_sizes[%d] is not positive", i);
    if (subsizes[i] < 1 || subsizes[i] > sizes[i]) fail(kErrArg, "array_of_subsizes[%d] is not between 1 and the size", i);
    if (starts[i] < 0 || starts[i] > sizes[i] - subsizes[i])
      fail(kErrArg, "array_of_starts[%d]: the subarray is not inside the array", i);
    layout = Layout::strided(layout, subsizes[i], stride);
    displacement = checked_add(displacement, checked_multiply(starts[i], stride));
    stride = checked_multiply(stride, sizes[i]);
  }
  Envelope envelope;
  envelope.combiner = kCombinerSubarray;
  envelope.large = large;
  envelope.integers.push_back(ndims);
  for (CountArray array : {sizes, subsizes, starts})
    for (int i = 0; i < ndims; ++i) envelope.add_count(array[i]);
  envelope.integers.push_back(order);
  envelope.types.emplace_back(&oldtype);
  newtype = make_type(array_draft(layout.moved(displacement), stride, oldtype), std::move(envelope));
}

void type_create_darray(int size, int rank, int ndims, CountArray gsizes, const int* distribs, const int* dargs,
                        const int* psizes, int order, Datatype& oldtype, Datatype*& newtype, bool large) {
  check_order(order);
  if (rank < 0 || rank >= size) fail(kErrRank, "rank %d is not between 0 and size - 1 = %d", rank, size - 1);
  std::vector<int> coordinates(static_cast<std::size_t>(ndims));  // of the process grid, always in C order
  Count processes = 1;
  for (int i = ndims - 1, rest = rank; i >= 0; --i) {
    if (psizes[i] < 1) fail(kErrArg, "array_of_psizes[%d] is not positive", i);
    if (gsizes[i] < 1) fail(kErrArg, "array_of_gsizes[%d] is not positive", i);
    coordinates[static_cast<std::size_t>(i)] = rest % psizes[i];
    rest /= psizes[i];
    processes = checked_multiply(processes, psizes[i]);
  }
  if (processes != size) fail(kErrArg, "the product of array_of_psizes is not size = %d", size);
  Layout layout = *oldtype.layout;
  Count stride = oldtype.extent;
  for (int nth = 0; nth < ndims; ++nth) {
    int i = fastest(nth, ndims, order);
    int coordinate = coordinates[static_cast<std::size_t>(i)];
    layout = distribute(layout, stride, dimension_of(i, gsizes[i], distribs[i], dargs[i], psizes[i], coordinate));
    stride = checked_multiply(stride, gsizes[i]);
  }
  Envelope envelope;
  envelope.combiner = kCombinerDarray;
  envelope.large = large;
  envelope.integers = {size, rank, ndims};
  for (int i = 0; i < ndims; ++i) envelope.add_count(gsizes[i]);
  for (const int* array : {distribs, dargs, psizes}) envelope.integers.insert(envelope.integers.end(), array, array + ndims);
  envelope.integers.push_back(order);
  envelope.types.emplace_back(&oldtype);
  newtype = make_type(array_draft(std::move(layout), stride, oldtype), std::move(envelope));
}

}  // namespace starling::datatype
