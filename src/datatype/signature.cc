// SPDX-License-Identifier: BSD-3-Clause
#include "datatype/signature.h"

#include "base/constants.gen.h"

namespace starling::datatype {

Count basic_elements(const Datatype& type) {
  if (type.size == 0) return 0;
  if (type.basic) return type.size / type.basic->size;
  Count elements = 0;
  for (std::size_t i = 0; i < type.envelope->types.size(); ++i)
    elements += part_length(type, i) * basic_elements(*type.envelope->types[i]);
  return elements;
}

Count elements_in_bytes(const Datatype& type, Count bytes) {
  if (bytes == 0) return 0;
  if (type.size == 0) return kUndefined;
  if (type.basic) return bytes % type.basic->size == 0 ? bytes / type.basic->size : Count{kUndefined};
  Count elements = bytes / type.size * basic_elements(type);
  Count rest = bytes % type.size;
  for (std::size_t i = 0; rest > 0; ++i) {
    const Datatype& part = *type.envelope->types[i];
    Count part_bytes = part_length(type, i) * part.size;
    Count more = elements_in_bytes(part, rest < part_bytes ? rest : part_bytes);
    if (more == kUndefined) return kUndefined;
    elements += more;
    rest -= rest < part_bytes ? rest : part_bytes;
  }
  return elements;
}

Count bytes_of_elements(const Datatype& type, Count elements) {
  if (elements == 0 || type.size == 0) return 0;
  if (type.basic) return elements * type.basic->size;
  Count in_one = basic_elements(type);
  Count bytes = elements / in_one * type.size;
  Count rest = elements % in_one;
  for (std::size_t i = 0; rest > 0; ++i) {
    const Datatype& part = *type.envelope->types[i];
    Count part_elements = part_length(type, i) * basic_elements(part);
    bytes += bytes_of_elements(part, rest < part_elements ? rest : part_elements);
    rest -= rest < part_elements ? rest : part_elements;
  }
  return bytes;
}

}  // namespace starling::datatype
