// SPDX-License-Identifier: BSD-3-Clause
// Life, bounds, contents, names and attributes of datatypes (MPI 5.0 sections 5.1.5 to 5.1.13, 7.7.4 and 7.8).
#include <algorithm>

#include "base/error.h"
#include "datatype/datatype.h"
#include "datatype/entry.gen.h"
#include "datatype/envelope.h"

namespace starling::datatype {

// A layout is canonical from the start, so there is nothing left to do.
void type_commit(Datatype& type) { type.committed = true; }

void type_free(Datatype*& type) {
  if (type->permanent)
    fail(kErrType, "a predefined datatype%s%s cannot be freed", type->name.empty() ? "" : " ", type->name.c_str());
  // While other types or requests use it, or the user has a second handle from MPI_Type_get_contents, attributes stay.
  if (type->references.load(std::memory_order_acquire) == 1) type->attributes.clear(*type);
  release(type);
  type = nullptr;
}

void type_size(Datatype& type, Count& size) { size = type.size; }

void type_get_extent(Datatype& type, Count& lb, Count& extent) {
  lb = type.lb;
  extent = type.extent;
}

void type_get_true_extent(Datatype& type, Count& true_lb, Count& true_extent) {
  true_lb = type.true_lb;
  true_extent = type.true_extent;
}

void type_get_envelope(Datatype& type, Count& num_integers, Count& num_addresses, Count& num_large_counts, Count& num_datatypes,
                       int& combiner) {
  const Envelope& envelope = *type.envelope;
  combiner = envelope.combiner;
  num_integers = static_cast<Count>(envelope.integers.size());
  num_addresses = static_cast<Count>(envelope.addresses.size());
  num_large_counts = static_cast<Count>(envelope.large_counts.size());
  num_datatypes = combiner == kCombinerNamed ? 0 : static_cast<Count>(envelope.types.size());
}

namespace {

template <class T>
void copy_contents(const char* what, const std::vector<T>& values, Count room, T* out) {
  auto count = static_cast<Count>(values.size());
  if (room < count)
    fail(kErrArg, "there are %lld %s, but room for %lld only", static_cast<long long>(count), what,
         static_cast<long long>(room));
  std::copy(values.begin(), values.end(), out);
}

}  // namespace

void type_get_contents(Datatype& type, Count max_integers, Count max_addresses, Count max_large_counts, Count max_datatypes,
                       int* integers, Count* addresses, Count* large_counts, Datatype** types) {
  const Envelope& envelope = *type.envelope;
  if (envelope.combiner == kCombinerNamed) fail(kErrType, "%s is predefined and has no contents", type.name.c_str());
  copy_contents("integers", envelope.integers, max_integers, integers);
  copy_contents("addresses", envelope.addresses, max_addresses, addresses);
  copy_contents("large counts", envelope.large_counts, max_large_counts, large_counts);
  if (max_datatypes < static_cast<Count>(envelope.types.size()))
    fail(kErrArg, "there are %zu datatypes, but room for %lld only", envelope.types.size(),
         static_cast<long long>(max_datatypes));
  for (std::size_t i = 0; i < envelope.types.size(); ++i) types[i] = retain(envelope.types[i].get());  // the user frees them
}

void type_get_name(Datatype* type, std::string& name) { name = type ? type->name : "MPI_DATATYPE_NULL"; }

void type_set_name(Datatype& type, std::string_view name) { type.name = name; }

void type_create_keyval(Callback copy, Callback erase, int& keyval, void* extra_state) {
  keyval = attributes::create_keyval(Kind::kDatatype, copy, erase, extra_state);
}

void type_free_keyval(int& keyval) {
  attributes::free_keyval(Kind::kDatatype, keyval);
  keyval = kKeyvalInvalid;
}

void type_set_attr(Datatype& type, int keyval, void* value) { type.attributes.set(type, keyval, value); }

void type_delete_attr(Datatype& type, int keyval) { type.attributes.erase(type, keyval); }

void type_get_attr(Datatype& type, int keyval, void*& value, bool& flag) {
  flag = type.attributes.get(keyval, value, Kind::kDatatype);
}

}  // namespace starling::datatype
