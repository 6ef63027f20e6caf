// SPDX-License-Identifier: BSD-3-Clause
// Moving data between memory of any layout and contiguous bytes, or other memory.
#include <cstring>
#include <limits>

#include "datatype/datatype.h"
#include "datatype/walk.h"

namespace starling::datatype {

namespace {

std::byte* pointer(Address at) { return reinterpret_cast<std::byte*>(at); }

// Copies `count` runs of kBytes bytes; known sizes become one load and one store.
template <std::size_t kBytes>
void copy_fixed(std::byte* to, Count to_stride, const std::byte* from, Count from_stride, Count count) {
  for (Count i = 0; i < count; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, kBytes);
}

void copy_strided(std::byte* to, Count to_stride, const std::byte* from, Count from_stride, Count count, Count bytes) {
  switch (bytes) {
    case 1:
      return copy_fixed<1>(to, to_stride, from, from_stride, count);
    case 2:
      return copy_fixed<2>(to, to_stride, from, from_stride, count);
    case 4:
      return copy_fixed<4>(to, to_stride, from, from_stride, count);
    case 8:
      return copy_fixed<8>(to, to_stride, from, from_stride, count);
    case 12:
      return copy_fixed<12>(to, to_stride, from, from_stride, count);
    case 16:
      return copy_fixed<16>(to, to_stride, from, from_stride, count);
    case 24:
      return copy_fixed<24>(to, to_stride, from, from_stride, count);
    case 32:
      return copy_fixed<32>(to, to_stride, from, from_stride, count);
    case 64:
      return copy_fixed<64>(to, to_stride, from, from_stride, count);
    default:
      for (Count i = 0; i < count; ++i)
        std::memcpy(to + i * to_stride, from + i * from_stride, static_cast<std::size_t>(bytes));
  }
}

void copy_run(std::byte* to, const std::byte* from, Count bytes) {
  if (bytes == 8) {
    std::memcpy(to, from, 8);  // lists of single numbers are frequent
  } else {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}

class Packer {
 public:
  explicit Packer(std::byte* packed) : packed_(packed) {}
  void run(Address at, Count bytes) {
    copy_run(packed_, pointer(at), bytes);
    packed_ += bytes;
  }
  void strided(Address at, Count count, Count stride, Count bytes) {
    copy_strided(packed_, bytes, pointer(at), stride, count, bytes);
    packed_ += count * bytes;
  }
  static constexpr bool full() { return false; }

 private:
  std::byte* packed_;
};

class Unpacker {
 public:
  explicit Unpacker(const std::byte* packed) : packed_(packed) {}
  void run(Address at, Count bytes) {
    copy_run(pointer(at), packed_, bytes);
    packed_ += bytes;
  }
  void strided(Address at, Count count, Count stride, Count bytes) {
    copy_strided(pointer(at), stride, packed_, bytes, count, bytes);
    packed_ += count * bytes;
  }
  static constexpr bool full() { return false; }

 private:
  const std::byte* packed_;
};

// Copies memory to other memory of the same layout, `distance` bytes away.
class Twin {
 public:
  explicit Twin(Address distance) : distance_(distance) {}
  void run(Address at, Count bytes) { copy_run(pointer(at + distance_), pointer(at), bytes); }
  void strided(Address at, Count count, Count stride, Count bytes) {
    copy_strided(pointer(at + distance_), stride, pointer(at), stride, count, bytes);
  }
  static constexpr bool full() { return false; }

 private:
  Address distance_;
};

// Unpacks run by run of the source into the destination.
class Redistributor {
 public:
  Redistributor(void* to, const Datatype& type) : to_(to), type_(type) {}
  void run(Address at, Count bytes) {
    Unpacker unpacker(pointer(at));
    walk(to_, type_, offset_, bytes, unpacker);
    offset_ += bytes;
  }
  void strided(Address at, Count count, Count stride, Count bytes) {
    for (Count i = 0; i < count; ++i) run(at + i * stride, bytes);
  }
  static constexpr bool full() { return false; }

 private:
  void* to_;
  const Datatype& type_;
  Count offset_ = 0;
};

class SegmentLister {
 public:
  SegmentLister(iovec* out, std::size_t n) : out_(out), n_(n) {}
  void run(Address at, Count bytes) {
    auto length = static_cast<std::size_t>(bytes);
    if (used_ > 0 && static_cast<std::byte*>(out_[used_ - 1].iov_base) + out_[used_ - 1].iov_len == pointer(at)) {
      out_[used_ - 1].iov_len += length;
    } else if (used_ < n_) {
      out_[used_++] = {pointer(at), length};
    } else {
      full_ = true;
      return;
    }
    covered_ += bytes;
  }
  void strided(Address at, Count count, Count stride, Count bytes) {
    for (Count i = 0; i < count && !full_; ++i) run(at + i * stride, bytes);
  }
  bool full() const { return full_; }
  std::size_t used() const { return used_; }
  Count covered() const { return covered_; }

 private:
  iovec* out_;
  std::size_t n_;
  std::size_t used_ = 0;
  Count covered_ = 0;
  bool full_ = false;
};

// Through a buffer that stays in the first-level cache: cheaper than finding the place in the destination for every few bytes.
void copy_staged(const void* from, const Datatype& from_type, void* to, const Datatype& to_type, Count bytes) {
  constexpr Count kStage = 8192;
  alignas(kCacheLine) std::byte stage[kStage];
  for (Count offset = 0; offset < bytes; offset += kStage) {
    Count length = std::min(kStage, bytes - offset);
    Packer packer(stage);
    walk(from, from_type, offset, length, packer);
    Unpacker unpacker(stage);
    walk(to, to_type, offset, length, unpacker);
  }
}

// The packed size of a buffer, or the largest number if that is larger.
Count packed_size(Count count, const Datatype& type) {
  Count bytes;
  return __builtin_mul_overflow(count, type.size, &bytes) ? std::numeric_limits<Count>::max() : bytes;
}

}  // namespace

void pack(const void* buffer, Count, const Datatype& type, Count offset, void* packed, Count length) {
  Packer packer(static_cast<std::byte*>(packed));
  walk(buffer, type, offset, length, packer);
}

void unpack(void* buffer, Count, const Datatype& type, Count offset, const void* packed, Count length) {
  Unpacker unpacker(static_cast<const std::byte*>(packed));
  walk(buffer, type, offset, length, unpacker);
}

Count copy(const void* from, Count from_count, const Datatype& from_type, void* to, Count to_count, const Datatype& to_type) {
  constexpr Count kLongRun = 256;  // bytes from which on finding the place of each run does not matter
  Count bytes = std::min(packed_size(from_count, from_type), packed_size(to_count, to_type));
  if (bytes == 0) return 0;
  const Layout& source = *from_type.layout;
  if (&source == to_type.layout.get() && from_type.extent == to_type.extent) {
    Twin twin(reinterpret_cast<Address>(to) - reinterpret_cast<Address>(from));
    walk(from, from_type, 0, bytes, twin);
  } else if (to_type.contiguous) {
    pack(from, from_count, from_type, 0, const_cast<std::byte*>(data_of(to, to_type)), bytes);
  } else if (from_type.contiguous || source.bytes() / source.root().run_count >= kLongRun) {
    Redistributor redistributor(to, to_type);
    walk(from, from_type, 0, bytes, redistributor);
  } else {
    copy_staged(from, from_type, to, to_type, bytes);
  }
  return bytes;
}

std::size_t segments(const void* buffer, Count, const Datatype& type, Count offset, Count length, iovec* out, std::size_t n,
                     Count& covered) {
  SegmentLister lister(out, n);
  walk(buffer, type, offset, length, lister);
  covered = lister.covered();
  return lister.used();
}

}  // namespace starling::datatype
