// SPDX-License-Identifier: BSD-3-Clause
#include "datatype/external32.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "datatype/scalar.h"
#include "datatype/signature.h"

namespace starling::datatype {

namespace {

// How one scalar of a basic type is converted.
struct Conversion {
  std::size_t native;    // bytes here
  std::size_t external;  // bytes there
  bool is_signed;        // how to fill the high bytes of a wider native integer
  bool long_double;
};

Conversion conversion_of(const BasicType& basic) {
  return {static_cast<std::size_t>(size_of(basic.scalar)), basic.external, basic.scalar <= Scalar::kInt128,
          basic.scalar == Scalar::kLongDouble};
}

// Reverses the bytes of a number where the machine is little-endian.
void copy_big_endian(std::byte* to, const std::byte* from, std::size_t bytes) {
  if constexpr (std::endian::native == std::endian::big) {
    std::memcpy(to, from, bytes);
  } else {
    std::reverse_copy(from, from + bytes, to);
  }
}

void integer_to_external(const Conversion& c, const std::byte* native, std::byte* external) {
  std::byte big[16];
  copy_big_endian(big, native, c.native);
  std::memcpy(external, big + c.native - c.external, c.external);
}

void integer_from_external(const Conversion& c, const std::byte* external, std::byte* native) {
  std::byte big[16];
  bool negative = c.is_signed && (external[0] & std::byte{0x80}) != std::byte{0};
  std::memset(big, negative ? 0xff : 0, sizeof big);
  std::memcpy(big + c.native - c.external, external, c.external);
  copy_big_endian(native, big, c.native);
}

#ifdef STARLING_HAS_FLOAT128
void long_double_to_external(const std::byte* native, std::byte* external) {
  long double value;
  std::memcpy(&value, native, sizeof value);
  auto wide = static_cast<Float128>(value);
  copy_big_endian(external, reinterpret_cast<const std::byte*>(&wide), sizeof wide);
}

void long_double_from_external(const std::byte* external, std::byte* native) {
  Float128 wide;
  copy_big_endian(reinterpret_cast<std::byte*>(&wide), external, sizeof wide);
  auto value = static_cast<long double>(wide);
  std::memset(native, 0, sizeof value);  // 80-bit numbers leave padding
  std::memcpy(native, &value, sizeof value);
}
#endif

// n scalars. Equal sizes are the rule; the fixed-size loops compile to byte-swap instructions.
template <bool kToExternal>
void convert(const Conversion& c, Count n, const std::byte* from, std::byte* to) {
  std::size_t from_size = kToExternal ? c.native : c.external;
  std::size_t to_size = kToExternal ? c.external : c.native;
  auto each = [&](auto&& one) {
    for (Count i = 0; i < n; ++i, from += from_size, to += to_size) one();
  };
#ifdef STARLING_HAS_FLOAT128
  if (c.long_double) {
    if constexpr (kToExternal) return each([&] { long_double_to_external(from, to); });
    return each([&] { long_double_from_external(from, to); });
  }
#endif
  if (c.native == c.external) {
    switch (c.native) {
      case 1:
        std::memcpy(to, from, static_cast<std::size_t>(n));
        return;
      case 2:
        return each([&] { copy_big_endian(to, from, 2); });
      case 4:
        return each([&] { copy_big_endian(to, from, 4); });
      case 8:
        return each([&] { copy_big_endian(to, from, 8); });
      default:
        return each([&] { copy_big_endian(to, from, c.native); });
    }
  }
  if constexpr (kToExternal) return each([&] { integer_to_external(c, from, to); });
  each([&] { integer_from_external(c, from, to); });
}

const BasicType& description(const Datatype& basic) { return *basic_type(basic.code); }

// Runs `piece(native buffer, conversion, scalars, offset, native bytes)` over the whole buffer in pieces that fit into a
// buffer.
template <class Piece>
void for_each_piece(Count count, const Datatype& type, Piece&& piece) {
  constexpr Count kStage = 4096;
  alignas(kCacheLine) std::byte stage[kStage];
  Count offset = 0;
  visit_basics(type, count, [&](const Datatype& basic, Count n) {
    Conversion conversion = conversion_of(description(basic));
    Count in_stage = kStage / basic.size;
    while (n > 0) {
      Count now = std::min(n, in_stage);
      piece(stage, conversion, now * description(basic).scalars(), offset, now * basic.size);
      offset += now * basic.size;
      n -= now;
    }
  });
}

}  // namespace

Count external_size(const Datatype& type) {
  if (type.size == 0) return 0;
  if (type.basic) return type.size / type.basic->size * description(*type.basic).scalars() * description(*type.basic).external;
  Count size = 0;
  for (std::size_t i = 0; i < type.envelope->types.size(); ++i)
    size += part_length(type, i) * external_size(*type.envelope->types[i]);
  return size;
}

void to_external(const void* buffer, Count count, const Datatype& type, std::byte* external) {
  for_each_piece(count, type, [&](std::byte* stage, const Conversion& c, Count scalars, Count offset, Count bytes) {
    pack(buffer, count, type, offset, stage, bytes);
    convert<true>(c, scalars, stage, external);
    external += scalars * static_cast<Count>(c.external);
  });
}

void from_external(const std::byte* external, void* buffer, Count count, const Datatype& type) {
  for_each_piece(count, type, [&](std::byte* stage, const Conversion& c, Count scalars, Count offset, Count bytes) {
    convert<false>(c, scalars, external, stage);
    unpack(buffer, count, type, offset, stage, bytes);
    external += scalars * static_cast<Count>(c.external);
  });
}

}  // namespace starling::datatype
