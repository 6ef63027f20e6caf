// SPDX-License-Identifier: BSD-3-Clause
// The portable data representation "external32" (MPI 5.0 section 14.5.2): big-endian, IEEE 754, sizes fixed by the standard.
// Integers that are wider here lose their high bytes; long double becomes IEEE binary128.
#pragma once

#include "datatype/datatype.h"

namespace starling::datatype {

// Bytes of one element of the type.
Count external_size(const Datatype& type);
// Converts `count` elements; the other side has room for count * external_size(type) bytes.
void to_external(const void* buffer, Count count, const Datatype& type, std::byte* external);
void from_external(const std::byte* external, void* buffer, Count count, const Datatype& type);

}  // namespace starling::datatype
