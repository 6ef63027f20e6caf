// SPDX-License-Identifier: BSD-3-Clause
// A hash table from 64-bit keys to small values, with open addressing: made for the few instructions that a look-up may cost
// between two calls of MPI. Not thread-safe. Values move when the table grows or something is erased.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace starling::profile {

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 29)) * 0x94d049bb133111ebu;
  return h ^ (h >> 32);
}

template <class Value>
class Table {
 public:
  Value* find(std::uint64_t key) {
    for (std::size_t i = home(key); size_ > 0; i = next(i)) {
      Slot& slot = slots_[i];
      if (!slot.used) return nullptr;
      if (slot.key == key) return &slot.value;
    }
    return nullptr;
  }

  // The value of the key, which is made if it is not there.
  Value& at(std::uint64_t key) {
    if (2 * size_ >= mask_) grow();
    Slot& slot = place(key);
    if (!slot.used) {
      ++size_;
      slot.used = true;
      slot.key = key;
    }
    return slot.value;
  }

  // Of a value that is in the table.
  void erase(Value* value) {
    auto* slot = reinterpret_cast<Slot*>(value);  // it is the first member
    --size_;
    // Those behind that could not have their home move up, so that a search may stop at the first free slot.
    auto hole = static_cast<std::size_t>(slot - slots_.data());
    for (std::size_t i = next(hole); slots_[i].used; i = next(i)) {
      if (((i - home(slots_[i].key)) & mask_) < ((i - hole) & mask_)) continue;
      slots_[hole] = std::move(slots_[i]);
      hole = i;
    }
    slots_[hole].used = false;
    slots_[hole].value = Value{};
  }

  std::size_t size() const { return size_; }

  template <class Visit>
  void for_each(Visit visit) {
    for (Slot& slot : slots_)
      if (slot.used) visit(slot.value);
  }

 private:
  struct Slot {
    Value value{};
    std::uint64_t key = 0;
    bool used = false;
  };

  std::size_t next(std::size_t i) const { return (i + 1) & mask_; }
  std::size_t home(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15u >> 32) & mask_; }

  // Where the key is, or is to come.
  Slot& place(std::uint64_t key) {
    std::size_t i = home(key);
    while (slots_[i].used && slots_[i].key != key) i = next(i);
    return slots_[i];
  }

  [[gnu::noinline]] void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (Slot& slot : old)
      if (slot.used) place(slot.key) = std::move(slot);
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
};

}  // namespace starling::profile
