// SPDX-License-Identifier: BSD-3-Clause
// The constructors of derived datatypes (MPI 5.0 sections 5.1.2, 5.1.7 and 5.1.10); those of arrays are in array_api.cc.
#include "base/error.h"
#include "datatype/build.h"
#include "datatype/entry.gen.h"

namespace starling::datatype {

namespace {

Envelope envelope_of(int combiner, bool large, Datatype& oldtype) {
  Envelope envelope;
  envelope.combiner = combiner;
  envelope.large = large;
  envelope.types.emplace_back(&oldtype);
  return envelope;
}

// `count` blocks of `length` elements, `stride` bytes apart.
Datatype* make_vector(Count count, Count length, Count stride, Datatype& oldtype, Envelope&& envelope) {
  Draft draft;
  draft.layout = Layout::strided(Layout::strided(*oldtype.layout, length, oldtype.extent), count, stride);
  Bounds bounds;
  if (count > 0) {
    bounds.add_block(oldtype, length, 0);
    bounds.add_block(oldtype, length, checked_multiply(count - 1, stride));
  }
  bounds.set(draft);
  return make_type(std::move(draft), std::move(envelope));
}

Datatype* make_indexed(const Layout::Blocks& blocks, Datatype& oldtype, Envelope&& envelope) {
  Draft draft;
  draft.layout = Layout::indexed(*oldtype.layout, oldtype.extent, blocks);
  Bounds bounds;
  for (Count i = 0; i < blocks.count; ++i)
    bounds.add_block(oldtype, blocks.lengths ? blocks.lengths[i] : blocks.length,
                     checked_multiply(blocks.displacements[i], blocks.unit));
  bounds.set(draft);
  return make_type(std::move(draft), std::move(envelope));
}

void check_lengths(Count count, CountArray lengths) {
  for (Count i = 0; i < count; ++i)
    if (lengths[i] < 0)
      fail(kErrArg, "array_of_blocklengths[%lld] = %lld is negative", static_cast<long long>(i),
           static_cast<long long>(lengths[i]));
}

// Envelope of the four indexed constructors: count, lengths (or the one length), displacements.
Envelope indexed_envelope(int combiner, bool large, const Layout::Blocks& blocks, bool in_bytes, Datatype& oldtype) {
  Envelope envelope = envelope_of(combiner, large, oldtype);
  envelope.add_count(blocks.count);
  if (!blocks.lengths) envelope.add_count(blocks.length);
  if (blocks.lengths)
    for (Count i = 0; i < blocks.count; ++i) envelope.add_count(blocks.lengths[i]);
  for (Count i = 0; i < blocks.count; ++i)
    in_bytes ? envelope.add_address(blocks.displacements[i]) : envelope.add_count(blocks.displacements[i]);
  return envelope;
}

}  // namespace

void type_contiguous(Count count, Datatype& oldtype, Datatype*& newtype, bool large) {
  Envelope envelope = envelope_of(kCombinerContiguous, large, oldtype);
  envelope.add_count(count);
  newtype = make_vector(1, count, 0, oldtype, std::move(envelope));
}

void type_vector(Count count, Count blocklength, Count stride, Datatype& oldtype, Datatype*& newtype, bool large) {
  Envelope envelope = envelope_of(kCombinerVector, large, oldtype);
  for (Count value : {count, blocklength, stride}) envelope.add_count(value);
  newtype = make_vector(count, blocklength, checked_multiply(stride, oldtype.extent), oldtype, std::move(envelope));
}

void type_create_hvector(Count count, Count blocklength, Count stride, Datatype& oldtype, Datatype*& newtype, bool large) {
  Envelope envelope = envelope_of(kCombinerHvector, large, oldtype);
  envelope.add_count(count);
  envelope.add_count(blocklength);
  envelope.add_address(stride);
  newtype = make_vector(count, blocklength, stride, oldtype, std::move(envelope));
}

void type_indexed(Count count, CountArray lengths, CountArray displacements, Datatype& oldtype, Datatype*& newtype,
                  bool large) {
  check_lengths(count, lengths);
  Layout::Blocks blocks{count, lengths, 0, displacements, oldtype.extent};
  newtype = make_indexed(blocks, oldtype, indexed_envelope(kCombinerIndexed, large, blocks, false, oldtype));
}

void type_create_hindexed(Count count, CountArray lengths, CountArray displacements, Datatype& oldtype, Datatype*& newtype,
                          bool large) {
  check_lengths(count, lengths);
  Layout::Blocks blocks{count, lengths, 0, displacements, 1};
  newtype = make_indexed(blocks, oldtype, indexed_envelope(kCombinerHindexed, large, blocks, true, oldtype));
}

void type_create_indexed_block(Count count, Count blocklength, CountArray displacements, Datatype& oldtype, Datatype*& newtype,
                               bool large) {
  Layout::Blocks blocks{count, CountArray(), blocklength, displacements, oldtype.extent};
  newtype = make_indexed(blocks, oldtype, indexed_envelope(kCombinerIndexedBlock, large, blocks, false, oldtype));
}

void type_create_hindexed_block(Count count, Count blocklength, CountArray displacements, Datatype& oldtype, Datatype*& newtype,
                                bool large) {
  Layout::Blocks blocks{count, CountArray(), blocklength, displacements, 1};
  newtype = make_indexed(blocks, oldtype, indexed_envelope(kCombinerHindexedBlock, large, blocks, true, oldtype));
}

void type_create_struct(Count count, CountArray lengths, CountArray displacements, Datatype* const* types, Datatype*& newtype,
                        bool large) {
  check_lengths(count, lengths);
  std::vector<Layout::Placed> parts;
  parts.reserve(static_cast<std::size_t>(count));
  Bounds bounds;
  Envelope envelope;
  envelope.combiner = kCombinerStruct;
  envelope.large = large;
  envelope.add_count(count);
  for (Count i = 0; i < count; ++i) {
    parts.push_back({displacements[i], Layout::strided(*types[i]->layout, lengths[i], types[i]->extent)});
    bounds.add_block(*types[i], lengths[i], displacements[i]);
    envelope.add_count(lengths[i]);
    envelope.types.emplace_back(types[i]);
  }
  for (Count i = 0; i < count; ++i) envelope.add_address(displacements[i]);
  Draft draft;
  draft.layout = Layout::sequence(parts);
  bounds.set(draft);
  newtype = make_type(std::move(draft), std::move(envelope));
}

namespace {

// The data of a type, for a type that differs in its bounds only.
Draft draft_like(const Datatype& oldtype) {
  return {*oldtype.layout, oldtype.lb,  checked_add(oldtype.lb, oldtype.extent), oldtype.marked, oldtype.alignment,
          oldtype.basic,   oldtype.unit};
}

}  // namespace

void type_create_resized(Datatype& oldtype, Count lb, Count extent, Datatype*& newtype, bool large) {
  Envelope envelope = envelope_of(kCombinerResized, large, oldtype);
  envelope.add_address(lb);
  envelope.add_address(extent);
  Draft draft = draft_like(oldtype);
  draft.lb = lb;
  draft.ub = checked_add(lb, extent);
  draft.marked = true;
  newtype = make_type(std::move(draft), std::move(envelope));
}

void type_dup(Datatype& oldtype, Datatype*& newtype) {
  auto copy = Ref<Datatype>::adopt(make_type(draft_like(oldtype), envelope_of(kCombinerDup, false, oldtype)));
  copy->layout = oldtype.layout;
  copy->committed = oldtype.committed;
  oldtype.attributes.copy_to(oldtype, copy->attributes);
  newtype = copy.leak();
}

}  // namespace starling::datatype
