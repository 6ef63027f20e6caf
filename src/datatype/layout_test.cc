// SPDX-License-Identifier: BSD-3-Clause
// Random nested datatypes against a naive interpreter of type maps, which follows the definitions of the standard entry by
// entry.
#include "datatype/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "datatype/datatype.h"
#include "datatype/entry.gen.h"
#include "datatype/op.h"
#include "datatype/signature.h"
#include "object/status.h"

namespace starling {
namespace {

// A type map: basic entries in order, and its bounds.
struct Model {
  struct Entry {
    Count displacement;
    Count size;
  };
  std::vector<Entry> entries;
  bool any = false, marked = false;
  Count lb = 0, ub = 0, alignment = 1;

  Count extent() const { return ub - lb; }

  void append(const Model& part, Count at) {
    for (const Entry& e : part.entries) entries.push_back({e.displacement + at, e.size});
    if (!part.any && !part.marked) return;
    if (!part.entries.empty()) alignment = std::max(alignment, part.alignment);
    if (marked && !part.marked) return;
    bool fresh = !any || (part.marked && !marked);
    lb = fresh ? part.lb + at : std::min(lb, part.lb + at);
    ub = fresh ? part.ub + at : std::max(ub, part.ub + at);
    any = true;
    marked = part.marked;
  }
  void round() {
    while (!marked && (ub - lb) % alignment != 0) ++ub;
  }
};

struct Sample {
  Ref<Datatype> type;
  Model model;
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Count pick(Count low, Count high) { return std::uniform_int_distribution<Count>(low, high)(random_); }

  Sample make(int depth) {
    if (depth == 0) return basic();
    switch (pick(0, 8)) {
      case 0:
        return contiguous(make(depth - 1));
      case 1:
        return vector(make(depth - 1));
      case 2:
        return hvector(make(depth - 1));
      case 3:
        return indexed(make(depth - 1));
      case 4:
        return hindexed(make(depth - 1));
      case 5:
        return indexed_block(make(depth - 1));
      case 6:
        return structure(depth);
      case 7:
        return resized(make(depth - 1));
      default:
        return subarray(make(depth - 1));
    }
  }

 private:
  Sample basic() {
    constexpr unsigned kCodes[] = {kCodeByte,       kCodeShort,          kCodeInt,     kCodeDouble,
                                   kCodeLongDouble, kCodeCDoubleComplex, kCodeShortInt};
    Datatype* type = predefined_datatype(kCodes[pick(0, 6)]);
    Model model;
    if (type->code == kCodeShortInt) {
      model.entries = {{0, 2}, {4, 4}};
    } else {
      model.entries = {{0, type->size}};
    }
    model.any = true;
    model.ub = type->extent;
    model.alignment = type->alignment;
    return {Ref(type), model};
  }

  Sample finish(Datatype* type, Model&& model) {
    model.round();
    return {Ref<Datatype>::adopt(type), std::move(model)};
  }

  Sample contiguous(Sample&& old) {
    Count n = pick(0, 4);
    Datatype* type;
    datatype::type_contiguous(n, *old.type, type, pick(0, 1));
    Model model;
    for (Count i = 0; i < n; ++i) model.append(old.model, i * old.model.extent());
    return finish(type, std::move(model));
  }

  Model vector_model(const Sample& old, Count count, Count length, Count stride) {
    Model model;
    for (Count i = 0; i < count; ++i)
      for (Count j = 0; j < length; ++j) model.append(old.model, i * stride + j * old.model.extent());
    return model;
  }
  Sample vector(Sample&& old) {
    Count count = pick(0, 3), length = pick(0, 3), stride = pick(-4, 6);
    Datatype* type;
    datatype::type_vector(count, length, stride, *old.type, type, false);
    return finish(type, vector_model(old, count, length, stride * old.model.extent()));
  }
  Sample hvector(Sample&& old) {
    Count count = pick(0, 3), length = pick(0, 3), stride = pick(-70, 150);
    Datatype* type;
    datatype::type_create_hvector(count, length, stride, *old.type, type, true);
    return finish(type, vector_model(old, count, length, stride));
  }

  Model blocks_model(const Sample& old, const std::vector<Count>& lengths, const std::vector<Count>& places, Count unit) {
    Model model;
    for (std::size_t i = 0; i < lengths.size(); ++i)
      for (Count j = 0; j < lengths[i]; ++j) model.append(old.model, places[i] * unit + j * old.model.extent());
    return model;
  }
  std::vector<Count> picks(std::size_t n, Count low, Count high) {
    std::vector<Count> values(n);
    for (Count& value : values) value = pick(low, high);
    return values;
  }
  Sample indexed(Sample&& old) {
    auto n = static_cast<std::size_t>(pick(0, 4));
    auto lengths = picks(n, 0, 3), places = picks(n, -5, 9);
    std::vector<int> small_lengths(lengths.begin(), lengths.end()), small_places(places.begin(), places.end());
    Datatype* type;
    datatype::type_indexed(static_cast<Count>(n), small_lengths.data(), small_places.data(), *old.type, type, false);
    return finish(type, blocks_model(old, lengths, places, old.model.extent()));
  }
  Sample hindexed(Sample&& old) {
    auto n = static_cast<std::size_t>(pick(0, 4));
    auto lengths = picks(n, 0, 3), places = picks(n, -99, 200);
    Datatype* type;
    datatype::type_create_hindexed(static_cast<Count>(n), lengths.data(), places.data(), *old.type, type, true);
    return finish(type, blocks_model(old, lengths, places, 1));
  }
  Sample indexed_block(Sample&& old) {
    auto n = static_cast<std::size_t>(pick(0, 4));
    Count length = pick(0, 3);
    auto places = picks(n, -5, 9);
    Datatype* type;
    datatype::type_create_indexed_block(static_cast<Count>(n), length, places.data(), *old.type, type, true);
    return finish(type, blocks_model(old, std::vector<Count>(n, length), places, old.model.extent()));
  }
  Sample structure(int depth) {
    auto n = static_cast<std::size_t>(pick(1, 3));
    auto lengths = picks(n, 0, 2), places = picks(n, -60, 120);
    std::vector<Sample> parts;
    std::vector<Datatype*> types;
    Model model;
    for (std::size_t i = 0; i < n; ++i) {
      parts.push_back(make(depth - 1));
      types.push_back(parts[i].type.get());
      for (Count j = 0; j < lengths[i]; ++j) model.append(parts[i].model, places[i] + j * parts[i].model.extent());
    }
    Datatype* type;
    datatype::type_create_struct(static_cast<Count>(n), lengths.data(), places.data(), types.data(), type, true);
    return finish(type, std::move(model));
  }
  Sample resized(Sample&& old) {
    Count lb = pick(-20, 20), extent = pick(0, 100);
    Datatype* type;
    datatype::type_create_resized(*old.type, lb, extent, type, false);
    Model model = old.model;
    model.marked = true;
    model.lb = lb;
    model.ub = lb + extent;
    return finish(type, std::move(model));
  }
  Sample subarray(Sample&& old) {
    int sizes[2], subsizes[2], starts[2];
    for (int i = 0; i < 2; ++i) {
      sizes[i] = static_cast<int>(pick(1, 4));
      subsizes[i] = static_cast<int>(pick(1, sizes[i]));
      starts[i] = static_cast<int>(pick(0, sizes[i] - subsizes[i]));
    }
    bool c_order = pick(0, 1) == 0;
    int order = c_order ? kOrderC : kOrderFortran;
    Datatype* type;
    datatype::type_create_subarray(2, sizes, subsizes, starts, order, *old.type, type, false);
    int slow = c_order ? 0 : 1, fast = 1 - slow;
    Model model;
    for (int i = 0; i < subsizes[slow]; ++i)
      for (int j = 0; j < subsizes[fast]; ++j)
        model.append(old.model, ((starts[slow] + i) * sizes[fast] + starts[fast] + j) * old.model.extent());
    model.marked = true;
    model.lb = 0;
    model.ub = sizes[0] * sizes[1] * old.model.extent();
    return finish(type, std::move(model));
  }

  std::mt19937 random_;
};

// Memory around a buffer that is large enough for `count` elements, whatever their bounds.
class Arena {
 public:
  Arena(const Sample& sample, Count count) {
    for (Count k : {Count{0}, count - 1}) {
      for (const auto& e : sample.model.entries) {
        low_ = std::min(low_, e.displacement + k * sample.model.extent());
        high_ = std::max(high_, e.displacement + e.size + k * sample.model.extent());
      }
    }
    bytes_.resize(static_cast<std::size_t>(high_ - low_) + 1);
  }
  std::byte* buffer() { return bytes_.data() - low_; }
  std::vector<std::byte>& bytes() { return bytes_; }
  void fill(unsigned seed) {
    std::mt19937 random(seed);
    for (std::byte& b : bytes_) b = static_cast<std::byte>(random());
  }

 private:
  Count low_ = 0, high_ = 0;
  std::vector<std::byte> bytes_;
};

template <class Visit>
void interpret(const Model& model, Count count, std::byte* buffer, Visit&& visit) {
  for (Count k = 0; k < count; ++k)
    for (const auto& e : model.entries) visit(buffer + k * model.extent() + e.displacement, static_cast<std::size_t>(e.size));
}

std::vector<std::byte> naive_pack(const Model& model, Count count, std::byte* buffer) {
  std::vector<std::byte> packed;
  interpret(model, count, buffer, [&](std::byte* at, std::size_t n) { packed.insert(packed.end(), at, at + n); });
  return packed;
}

void naive_unpack(const Model& model, Count count, std::byte* buffer, const std::byte* packed) {
  interpret(model, count, buffer, [&](std::byte* at, std::size_t n) {
    std::memcpy(at, packed, n);
    packed += n;
  });
}

// Whether no byte appears twice: only then may the type be received into.
bool receivable(const Model& model, Count count) {
  std::vector<std::pair<Count, Count>> ranges;
  for (Count k = 0; k < count; ++k)
    for (const auto& e : model.entries) ranges.push_back({e.displacement + k * model.extent(), e.size});
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i - 1].first + ranges[i - 1].second > ranges[i].first) return false;
  return true;
}

void check_bounds(const Sample& sample) {
  const Model& model = sample.model;
  Count low = 0, high = 0, size = 0;
  for (const auto& e : model.entries) {
    low = size == 0 ? e.displacement : std::min(low, e.displacement);
    high = size == 0 ? e.displacement + e.size : std::max(high, e.displacement + e.size);
    size += e.size;
  }
  EXPECT_EQ(sample.type->size, size);
  EXPECT_EQ(sample.type->lb, model.lb);
  EXPECT_EQ(sample.type->extent, model.extent());
  EXPECT_EQ(sample.type->true_lb, low);
  EXPECT_EQ(sample.type->true_extent, high - low);
}

// All pieces of [from, from + length), `n` at a time.
std::vector<std::byte> gather(const Sample& sample, Count count, std::byte* buffer, Count from, Count length, std::size_t n) {
  std::vector<std::byte> bytes;
  std::vector<iovec> pieces(n);
  while (length > 0) {
    Count covered = 0;
    std::size_t used = datatype::segments(buffer, count, *sample.type, from, length, pieces.data(), n, covered);
    EXPECT_GT(used, 0U);
    for (std::size_t i = 0; i < used; ++i) {
      auto* start = static_cast<std::byte*>(pieces[i].iov_base);
      bytes.insert(bytes.end(), start, start + pieces[i].iov_len);
    }
    from += covered;
    length -= covered;
  }
  return bytes;
}

void check_movement(Generator& random, const Sample& sample, Count count, unsigned seed) {
  Arena arena(sample, count);
  arena.fill(seed);
  auto expected = naive_pack(sample.model, count, arena.buffer());
  auto bytes = static_cast<Count>(expected.size());
  if (bytes == 0) return;
  std::vector<std::byte> packed(expected.size());
  for (int i = 0; i < 8; ++i) {  // any range
    Count from = random.pick(0, bytes - 1), length = random.pick(1, bytes - from);
    if (i == 0) from = 0, length = bytes;
    datatype::pack(arena.buffer(), count, *sample.type, from, packed.data(), length);
    ASSERT_EQ(std::memcmp(packed.data(), expected.data() + from, static_cast<std::size_t>(length)), 0);
    auto gathered = gather(sample, count, arena.buffer(), from, length, static_cast<std::size_t>(random.pick(1, 20)));
    ASSERT_EQ(gathered.size(), static_cast<std::size_t>(length));
    ASSERT_EQ(std::memcmp(gathered.data(), expected.data() + from, gathered.size()), 0);
  }
  if (!receivable(sample.model, count)) return;
  Arena target(sample, count), reference(sample, count);
  for (Count from = 0; from < bytes;) {  // in fragments
    Count length = random.pick(1, bytes - from);
    datatype::unpack(target.buffer(), count, *sample.type, from, expected.data() + from, length);
    from += length;
  }
  naive_unpack(sample.model, count, reference.buffer(), expected.data());
  ASSERT_EQ(target.bytes(), reference.bytes());
}

void check_copy(const Sample& from, Count from_count, const Sample& to, Count to_count, unsigned seed) {
  if (!receivable(to.model, to_count)) return;
  Arena source(from, from_count), target(to, to_count), reference(to, to_count);
  source.fill(seed);
  auto packed = naive_pack(from.model, from_count, source.buffer());
  auto kept = naive_pack(to.model, to_count, reference.buffer());
  std::copy_n(packed.begin(), std::min(packed.size(), kept.size()), kept.begin());
  naive_unpack(to.model, to_count, reference.buffer(), kept.data());
  Count copied = datatype::copy(source.buffer(), from_count, *from.type, target.buffer(), to_count, *to.type);
  EXPECT_EQ(copied, static_cast<Count>(std::min(packed.size(), kept.size())));
  ASSERT_EQ(target.bytes(), reference.bytes());
}

// Counts of basic elements for every prefix that ends between two entries.
void check_elements(const Sample& sample, Count count) {
  Status status;
  Count elements = 0;
  for (Count k = 0; k < count; ++k) {
    for (const auto& e : sample.model.entries) {
      status.bytes += e.size;
      ++elements;
      Count got = 0;
      datatype::get_elements(status, *sample.type, got);
      ASSERT_EQ(got, elements);
      Status set;
      datatype::status_set_elements(set, *sample.type, elements);
      ASSERT_EQ(set.bytes, status.bytes);
    }
  }
}

TEST(Layout, RandomTypesBehaveLikeTheirTypeMaps) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    Generator random(seed);
    Sample sample = random.make(static_cast<int>(random.pick(0, 4)));
    if (sample.model.entries.size() > 3000) continue;
    check_bounds(sample);
    Count count = random.pick(1, 5);
    check_movement(random, sample, count, seed);
    check_elements(sample, std::min<Count>(count, 2));
    Sample other = random.make(static_cast<int>(random.pick(0, 3)));
    if (other.model.entries.size() > 3000) continue;
    check_copy(sample, count, other, random.pick(1, 5), seed);
    check_copy(sample, count, sample, count, seed);
    if (testing::Test::HasFailure()) return;
  }
}

Ref<Datatype> vector_of(Datatype& old, Count count, Count length, Count stride) {
  Datatype* type;
  datatype::type_vector(count, length, stride, old, type, false);
  return Ref<Datatype>::adopt(type);
}

TEST(Layout, EqualDataHasEqualForm) {
  Datatype& type = *predefined_datatype(kCodeInt);
  EXPECT_TRUE(vector_of(type, 5, 3, 3)->layout->is_run());
  EXPECT_TRUE(vector_of(type, 5, 3, 3)->contiguous);
  auto rows = vector_of(type, 4, 2, 10);
  EXPECT_EQ(rows->layout->root().form, LayoutNode::Form::kStrided);
  EXPECT_EQ(rows->layout->root().run_count, 4);
  int places[] = {0, 10, 20, 30};
  Datatype* indexed;
  datatype::type_create_indexed_block(4, 2, places, type, indexed, false);
  EXPECT_EQ(indexed->layout->root().form, LayoutNode::Form::kStrided);
  EXPECT_EQ(indexed->layout->root().stride, 40);
  release(indexed);
  // A vector of vectors that continues the pattern is one vector.
  Datatype* resized;
  datatype::type_create_resized(*rows, 0, 160, resized, false);
  auto nested = vector_of(*resized, 3, 1, 1);
  EXPECT_EQ(nested->layout->root().count, 12);
  EXPECT_EQ(nested->layout->root().child->form, LayoutNode::Form::kRun);
  release(resized);
}

TEST(Layout, HugeTypesCostNothing) {
  Datatype& byte = *predefined_datatype(kCodeByte);
  Datatype* huge;
  datatype::type_create_hvector(Count{1} << 31, 2, 8, byte, huge, true);
  EXPECT_EQ(huge->size, Count{1} << 32);
  EXPECT_EQ(huge->extent, (((Count{1} << 31) - 1) * 8) + 2);
  Datatype* more;
  datatype::type_contiguous(Count{1} << 20, *huge, more, true);
  EXPECT_EQ(more->size, Count{1} << 52);
  iovec piece;
  Count covered;
  Count offset = (Count{1} << 40) + 1;
  EXPECT_EQ(datatype::segments(nullptr, 1, *more, offset, 1, &piece, 1, covered), 1U);
  EXPECT_EQ(reinterpret_cast<Count>(piece.iov_base), (Count{1} << 8) * huge->extent + 1);
  release(more);
  release(huge);
}

TEST(Layout, TypesBeyondTheAddressSpaceAreErrors) {
  Datatype& type = *predefined_datatype(kCodeDouble);
  Datatype* huge = nullptr;
  try {
    datatype::type_contiguous(Count{1} << 62, type, huge, true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class, kErrValueTooLarge);
  }
}

TEST(Layout, AbsoluteAddresses) {
  int a = 1, b = 2, values[2] = {};
  Count places[] = {reinterpret_cast<Count>(&a), reinterpret_cast<Count>(&b)};
  Datatype* type;
  datatype::type_create_hindexed_block(2, 1, places, *predefined_datatype(kCodeInt), type, true);
  datatype::pack(nullptr, 1, *type, 0, values, 8);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], 2);
  values[1] = 7;
  datatype::unpack(nullptr, 1, *type, 4, values + 1, 4);
  EXPECT_EQ(b, 7);
  release(type);
}

}  // namespace
}  // namespace starling
