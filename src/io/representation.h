// SPDX-License-Identifier: BSD-3-Clause
// Representation: how the basic elements of data look in a file (MPI 5.0 section 14.5). "native" and "internal" are as in
// memory; "external32" and those that a user registered are converted on the way.
#pragma once

#include <memory>
#include <string_view>

#include "datatype/datatype.h"
#include "object/callback.h"

namespace starling::io {

class Representation {
 public:
  virtual ~Representation() = default;
  virtual bool native() const { return false; }
  // Bytes of one basic element in a file.
  virtual Count size_of(const Datatype& basic) const = 0;
  // Converts `count` elements of the type; `file` has room for them. Throw Error(kErrConversion).
  virtual void to_file(const void* buffer, Count count, const Datatype& type, std::byte* file) const = 0;
  virtual void from_file(const std::byte* file, void* buffer, Count count, const Datatype& type) const = 0;
};

// The one of this name. Throws Error(kErrUnsupportedDatarep). It lives for ever.
const Representation& representation(std::string_view name);
// Throws Error(kErrDupDatarep) for a name that is taken.
void add_representation(std::string_view name, Callback read, Callback write, Callback extent, void* extra);

// Bytes of data of one element of the type in a file.
Count bytes_in_file(const Representation& how, const Datatype& type);
// The type as it is laid out in a file: constructed in the same way of elements with the sizes there. Displacements in bytes
// stay what they are.
Ref<Datatype> in_file(const Representation& how, const Datatype& type);

}  // namespace starling::io
