// SPDX-License-Identifier: BSD-3-Clause
// Registry: the live objects of one kind that users have handles of, found by address, so that a handle that was freed or never
// given out is told.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/error.h"

namespace starling::tool {

// Guarded by the mutex of the interface.
template <class T>
class Registry {
 public:
  T& add(std::unique_ptr<T> object) { return *objects_.emplace_back(std::move(object)); }
  // The object behind a handle; throws Error(error_class) if there is none.
  T& get(const void* handle, int error_class, const char* what) const {
    for (const auto& object : objects_)
      if (object.get() == handle) return *object;
    fail(error_class, "not a valid %s", what);
  }
  void erase(const T& object) {
    std::erase_if(objects_, [&](const auto& held) { return held.get() == &object; });
  }
  template <class Condition>
  void erase_where(Condition condition) {
    std::erase_if(objects_, [&](const auto& held) { return condition(*held); });
  }
  void clear() { objects_.clear(); }
  std::size_t size() const { return objects_.size(); }
  T& operator[](std::size_t i) const { return *objects_[i]; }
  auto begin() const { return objects_.begin(); }
  auto end() const { return objects_.end(); }

 private:
  std::vector<std::unique_ptr<T>> objects_;
};

}  // namespace starling::tool
