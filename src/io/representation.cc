// SPDX-License-Identifier: BSD-3-Clause
#include "io/representation.h"

#include <climits>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "datatype/entry.gen.h"
#include "datatype/envelope.h"
#include "datatype/external32.h"
#include "datatype/signature.h"
#include "io/entry.gen.h"

namespace starling::io {

namespace {

class Native final : public Representation {
 public:
  bool native() const override { return true; }
  Count size_of(const Datatype& basic) const override { return basic.size; }
  void to_file(const void* buffer, Count count, const Datatype& type, std::byte* file) const override {
    datatype::pack(buffer, count, type, 0, file, count * type.size);
  }
  void from_file(const std::byte* file, void* buffer, Count count, const Datatype& type) const override {
    datatype::unpack(buffer, count, type, 0, file, count * type.size);
  }
};

class External32 final : public Representation {
 public:
  Count size_of(const Datatype& basic) const override { return datatype::external_size(basic); }
  void to_file(const void* buffer, Count count, const Datatype& type, std::byte* file) const override {
    datatype::to_external(buffer, count, type, file);
  }
  void from_file(const std::byte* file, void* buffer, Count count, const Datatype& type) const override {
    datatype::from_external(file, buffer, count, type);
  }
};

// A direction without a function (MPI_CONVERSION_FN_NULL) is not converted.
class UserMade final : public Representation {
 public:
  UserMade(Callback read, Callback write, Callback extent, void* extra)
      : read_(read), write_(write), extent_(extent), extra_(extra) {}

  Count size_of(const Datatype& basic) const override {
    Count bytes = 0;
    check(extent_.abi->datarep_extent(extent_.function, const_cast<Datatype&>(basic), bytes, extra_));
    if (bytes <= 0)
      fail(kErrConversion, "the extent function of the data representation gives %lld", static_cast<long long>(bytes));
    return bytes;
  }
  void to_file(const void* buffer, Count count, const Datatype& type, std::byte* file) const override {
    if (!write_) return Native().to_file(buffer, count, type, file);
    convert(write_, const_cast<void*>(buffer), count, type, file);
  }
  void from_file(const std::byte* file, void* buffer, Count count, const Datatype& type) const override {
    if (!read_) return Native().from_file(file, buffer, count, type);
    convert(read_, buffer, count, type, const_cast<std::byte*>(file));
  }

 private:
  static void check(int code) {
    if (code != kSuccess) fail(kErrConversion, "a function of the data representation returned error %d", code);
  }
  // The function counts basic elements. One that counts in int gets at most as many as that holds at a time.
  void convert(const Callback& how, void* buffer, Count count, const Datatype& type, std::byte* file) const {
    const Count total = count * datatype::basic_elements(type);
    for (Count done = 0; done < total;) {
      const Count now = how.large || total - done <= kMostAtATime ? total - done : kMostAtATime;
      check(how.abi->datarep_conversion(how.function, how.large, buffer, const_cast<Datatype&>(type), now, file, done, extra_));
      file += bytes_of_elements(type, done, now);
      done += now;
    }
  }
  static constexpr Count kMostAtATime = INT_MAX / 2;

  // Bytes in the file of elements [first, first + n) of the tiled type.
  Count bytes_of_elements(const Datatype& type, Count first, Count n) const {
    const Count in_one = datatype::basic_elements(type);
    if (first == 0 && n % in_one == 0) return n / in_one * bytes_in_file(*this, type);
    return type.basic ? n * size_of(*type.basic) : throw_mixed();
  }
  [[noreturn]] static Count throw_mixed() {
    fail(kErrConversion, "more than %lld elements of different types need functions with large counts",
         static_cast<long long>(kMostAtATime));
  }

  Callback read_, write_, extent_;
  void* extra_;
};

using Registry = std::map<std::string, std::unique_ptr<Representation>, std::less<>>;
Registry& registry() {
  static auto& all = *[] {
    auto* made = new Registry;
    made->emplace("native", std::make_unique<Native>());
    made->emplace("internal", std::make_unique<Native>());
    made->emplace("external32", std::make_unique<External32>());
    return made;
  }();
  return all;
}

// The numbers by which a type was constructed, as MPI_Type_get_contents has them.
struct Construction {
  const Envelope& envelope;
  std::vector<Count> numbers;  // counts and displacements in the order of the constructor
  bool large;

  explicit Construction(const Datatype& type) : envelope(*type.envelope), large(envelope.large) {
    if (large) {
      numbers = envelope.large_counts;
    } else {
      numbers.assign(envelope.integers.begin(), envelope.integers.end());
      numbers.insert(numbers.end(), envelope.addresses.begin(), envelope.addresses.end());
    }
  }
  Count operator[](std::size_t i) const { return numbers[i]; }
  CountArray from(Count i) const { return CountArray(reinterpret_cast<const std::int64_t*>(numbers.data() + i)); }
};

Datatype* subarray_of(const Construction& c, Datatype& part) {
  const std::vector<int>& ints = c.envelope.integers;
  const Count dims = ints[0], first = c.large ? 0 : 1;
  Datatype* made = nullptr;
  datatype::type_create_subarray(ints[0], c.from(first), c.from(first + dims), c.from(first + 2 * dims), ints.back(), part,
                                 made, c.large);
  return made;
}

Datatype* darray_of(const Construction& c, Datatype& part) {
  const std::vector<int>& ints = c.envelope.integers;
  const int dims = ints[2];
  const int* distributions = ints.data() + 3 + (c.large ? 0 : dims);
  Datatype* made = nullptr;
  datatype::type_create_darray(ints[0], ints[1], dims, c.from(c.large ? 0 : 3), distributions, distributions + dims,
                               distributions + 2 * dims, ints.back(), part, made, c.large);
  return made;
}

Datatype* struct_of(const Representation& how, const Construction& c) {
  std::vector<Ref<Datatype>> parts;
  std::vector<Datatype*> types;
  for (const Ref<Datatype>& part : c.envelope.types) types.push_back(parts.emplace_back(in_file(how, *part)).get());
  Datatype* made = nullptr;
  datatype::type_create_struct(c[0], c.from(1), c.from(1 + c[0]), types.data(), made, c.large);
  return made;
}

// A pair of value and index: its two parts one after the other, as there is no constructor that says more.
Datatype* pair_of(const Representation& how, const Datatype& type) {
  Datatype* types[2];
  Count lengths[2] = {1, 1}, displacements[2] = {0, 0};
  Ref<Datatype> parts[2];
  for (std::size_t i = 0; i < 2; ++i) {
    parts[i] = in_file(how, *type.envelope->types[i]);
    types[i] = parts[i].get();
  }
  displacements[1] = parts[0]->extent;
  Datatype* made = nullptr;
  datatype::type_create_struct(2, lengths, displacements, types, made, true);
  return made;
}

Datatype* constructed(const Representation& how, const Datatype& type) {
  const Construction c(type);
  const int combiner = c.envelope.combiner;
  if (combiner == kCombinerStruct) return struct_of(how, c);
  if (datatype::is_pair(type)) return pair_of(how, type);
  const Ref<Datatype> inner = in_file(how, *c.envelope.types[0]);
  Datatype& part = *inner;
  Datatype* made = nullptr;
  switch (combiner) {
    case kCombinerContiguous:
      datatype::type_contiguous(c[0], part, made, c.large);
      return made;
    case kCombinerVector:
      datatype::type_vector(c[0], c[1], c[2], part, made, c.large);
      return made;
    case kCombinerHvector:
      datatype::type_create_hvector(c[0], c[1], c[2], part, made, c.large);
      return made;
    case kCombinerIndexed:
      datatype::type_indexed(c[0], c.from(1), c.from(1 + c[0]), part, made, c.large);
      return made;
    case kCombinerHindexed:
      datatype::type_create_hindexed(c[0], c.from(1), c.from(1 + c[0]), part, made, c.large);
      return made;
    case kCombinerIndexedBlock:
      datatype::type_create_indexed_block(c[0], c[1], c.from(2), part, made, c.large);
      return made;
    case kCombinerHindexedBlock:
      datatype::type_create_hindexed_block(c[0], c[1], c.from(2), part, made, c.large);
      return made;
    case kCombinerSubarray:
      return subarray_of(c, part);
    case kCombinerDarray:
      return darray_of(c, part);
    case kCombinerResized:
      datatype::type_create_resized(part, c[0], c[1], made, c.large);
      return made;
    default:  // a copy
      return retain(&part);
  }
}

// Whether all basic elements have the size in a file that they have in memory.
bool same_sizes(const Representation& how, const Datatype& type) {
  bool same = true;
  datatype::visit_basics(type, 1, [&](const Datatype& basic, Count) { same = same && how.size_of(basic) == basic.size; });
  return same;
}

}  // namespace

const Representation& representation(std::string_view name) {
  const auto found = registry().find(name);
  if (found == registry().end())
    fail(kErrUnsupportedDatarep, "there is no data representation \"%.*s\"", static_cast<int>(name.size()), name.data());
  return *found->second;
}

void add_representation(std::string_view name, Callback read, Callback write, Callback extent, void* extra) {
  if (name.empty() || name.size() >= static_cast<std::size_t>(kMaxDatarepString))
    fail(kErrArg, "the name of a data representation has 1 to %d characters", kMaxDatarepString - 1);
  if (!registry().emplace(name, std::make_unique<UserMade>(read, write, extent, extra)).second)
    fail(kErrDupDatarep, "there is a data representation \"%.*s\" already", static_cast<int>(name.size()), name.data());
}

void register_datarep(std::string_view datarep, Callback read_conversion_fn, Callback write_conversion_fn,
                      Callback dtype_file_extent_fn, void* extra_state) {
  add_representation(datarep, read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state);
}

Count bytes_in_file(const Representation& how, const Datatype& type) {
  if (how.native()) return type.size;
  Count bytes = 0;
  datatype::visit_basics(type, 1, [&](const Datatype& basic, Count n) { bytes += n * how.size_of(basic); });
  return bytes;
}

Ref<Datatype> in_file(const Representation& how, const Datatype& type) {
  auto& same = const_cast<Datatype&>(type);
  if (how.native() || same_sizes(how, type)) return Ref<Datatype>(&same);
  if (type.permanent && !datatype::is_pair(type)) {
    Datatype* bytes = nullptr;
    datatype::type_contiguous(how.size_of(type), *predefined_datatype(kCodeByte), bytes, true);
    return Ref<Datatype>::adopt(bytes);
  }
  return Ref<Datatype>::adopt(constructed(how, type));
}

}  // namespace starling::io
