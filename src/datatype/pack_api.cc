// SPDX-License-Identifier: BSD-3-Clause
// MPI_Pack and its relatives (MPI 5.0 sections 5.2 and 5.3), addresses, and the contents of a status in elements
// (3.2.5, 5.1.11).
#include "base/error.h"
#include "datatype/datatype.h"
#include "datatype/entry.gen.h"
#include "datatype/external32.h"
#include "datatype/layout.h"
#include "datatype/signature.h"
#include "object/status.h"

namespace starling::datatype {

namespace {

// Throws unless `bytes` more fit behind `position` of a packed buffer.
void check_room(const char* buffer, Count size, Count position, Count bytes) {
  if (position < 0 || bytes > size - position)
    fail(kErrArg, "%s of %lld bytes is too small for %lld bytes at position %lld", buffer, static_cast<long long>(size),
         static_cast<long long>(bytes), static_cast<long long>(position));
}

void check_datarep(std::string_view datarep) {
  if (datarep != "external32")
    fail(kErrArg, "\"%.*s\" is not a data representation for packing; there is \"external32\"",
         static_cast<int>(datarep.size()), datarep.data());
}

}  // namespace

void pack(const void* inbuf, Count incount, Datatype& type, void* outbuf, Count outsize, Count& position, Comm&) {
  Count bytes = checked_multiply(incount, type.size);
  check_room("outbuf", outsize, position, bytes);
  pack(inbuf, incount, type, 0, static_cast<std::byte*>(outbuf) + position, bytes);
  position += bytes;
}

void unpack(const void* inbuf, Count insize, Count& position, void* outbuf, Count outcount, Datatype& type, Comm&) {
  Count bytes = checked_multiply(outcount, type.size);
  check_room("inbuf", insize, position, bytes);
  unpack(outbuf, outcount, type, 0, static_cast<const std::byte*>(inbuf) + position, bytes);
  position += bytes;
}

void pack_size(Count incount, Datatype& type, Comm&, Count& size) { size = checked_multiply(incount, type.size); }

void pack_external(std::string_view datarep, const void* inbuf, Count incount, Datatype& type, void* outbuf, Count outsize,
                   Count& position) {
  check_datarep(datarep);
  Count bytes = checked_multiply(incount, external_size(type));
  check_room("outbuf", outsize, position, bytes);
  to_external(inbuf, incount, type, static_cast<std::byte*>(outbuf) + position);
  position += bytes;
}

void unpack_external(std::string_view datarep, const void* inbuf, Count insize, Count& position, void* outbuf, Count outcount,
                     Datatype& type) {
  check_datarep(datarep);
  Count bytes = checked_multiply(outcount, external_size(type));
  check_room("inbuf", insize, position, bytes);
  from_external(static_cast<const std::byte*>(inbuf) + position, outbuf, outcount, type);
  position += bytes;
}

void pack_external_size(std::string_view datarep, Count incount, Datatype& type, Count& size) {
  check_datarep(datarep);
  size = checked_multiply(incount, external_size(type));
}

void get_address(const void* location, Count& address) { address = reinterpret_cast<std::intptr_t>(location); }

void get_count(const Status& status, Datatype& type, Count& count) {
  if (type.size == 0) {
    count = status.bytes == 0 ? 0 : Count{kUndefined};
  } else {
    count = status.bytes % type.size == 0 ? status.bytes / type.size : Count{kUndefined};
  }
}

void get_elements(const Status& status, Datatype& type, Count& count) { count = elements_in_bytes(type, status.bytes); }

void status_set_elements(Status& status, Datatype& type, Count count) { status.bytes = bytes_of_elements(type, count); }

}  // namespace starling::datatype
