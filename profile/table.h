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
    if (slots_.empty()) return nullptr;
    for (std::size_t i = home(key);; i = next(i)) {
      if (!slots_[i].used) return nullptr;
      if (slots_[i].key == key) return &slots_[i].value;
    }
  }

  // The value of the key, which is made if it is not there.
  Value& at(std::uint64_t key) {
    if (Value* found = find(key)) return *found;
    if (2 * (size_ + 1) > slots_.size()) grow();
    ++size_;
    return insert(key, Value{});
  }

  void erase(std::uint64_t key) {
    if (slots_.empty()) return;
    std::size_t hole = home(key);
    for (; slots_[hole].used && slots_[hole].key != key; hole = next(hole)) {
    }
    if (!slots_[hole].used) return;
    --size_;
    // Those behind that could not have their home move up, so that a search may stop at the first free slot.
    for (std::size_t i = next(hole); slots_[i].used; i = next(i)) {
      if (((i - home(slots_[i].key)) & mask()) < ((i - hole) & mask())) continue;
      slots_[hole] = std::move(slots_[i]);
      hole = i;
    }
    slots_[hole] = Slot{};
  }

  std::size_t size() const { return size_; }

  template <class Visit>
  void for_each(Visit visit) {
    for (Slot& slot : slots_)
      if (slot.used) visit(slot.value);
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    bool used = false;
    Value value{};
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t next(std::size_t i) const { return (i + 1) & mask(); }
  std::size_t home(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15u >> 32) & mask(); }

  Value& insert(std::uint64_t key, Value&& value) {
    std::size_t i = home(key);
    while (slots_[i].used) i = next(i);
    slots_[i] = Slot{key, true, std::move(value)};
    return slots_[i].value;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (Slot& slot : old)
      if (slot.used) insert(slot.key, std::move(slot.value));
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace starling::profile
