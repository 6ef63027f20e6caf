// SPDX-License-Identifier: BSD-3-Clause
#include "abi/entry/contents.h"

#include "datatype/entry.gen.h"

namespace starling::abi {

namespace {

struct Counts {
  Count integers = 0, addresses = 0, large_counts = 0, datatypes = 0;
  int combiner = kUndefined;
};

Counts counts_of(Datatype& type) {
  Counts counts;
  datatype::type_get_envelope(type, counts.integers, counts.addresses, counts.large_counts, counts.datatypes, counts.combiner);
  return counts;
}

// The small functions cannot tell about types that were made by the large ones.
void must_be_small(const Counts& counts) {
  if (counts.large_counts > 0) bad(kErrType, {"datatype", 1}, "was constructed with large counts; use the function with _c");
}

// `room` is what the caller has; `wide` tells apart the positions of the arguments in the two functions.
void get_contents(Datatype& type, const Counts& counts, const Counts& room, bool wide, int* integers, Count* addresses,
                  Count* large_counts, MPI_Datatype* datatypes) {
  nonnegative(room.integers, kErrArg, {"max_integers", 2});
  nonnegative(room.addresses, kErrArg, {"max_addresses", 3});
  nonnegative(room.large_counts, kErrArg, {"max_large_counts", 4});
  nonnegative(room.datatypes, kErrArg, {"max_datatypes", wide ? 5 : 4});
  if (counts.combiner == kCombinerNamed) bad(kErrType, {"datatype", 1}, "is a predefined datatype");
  const int last = wide ? 5 : 4;  // position of max_datatypes
  if (room.integers < counts.integers) bad(kErrArg, {"max_integers", 2}, room.integers, "is too small");
  if (room.addresses < counts.addresses) bad(kErrArg, {"max_addresses", 3}, room.addresses, "is too small");
  if (room.large_counts < counts.large_counts) bad(kErrArg, {"max_large_counts", 4}, room.large_counts, "is too small");
  if (room.datatypes < counts.datatypes) bad(kErrArg, {"max_datatypes", last}, room.datatypes, "is too small");
  array(integers, counts.integers, {"array_of_integers", last + 1});
  array(addresses, counts.addresses, {"array_of_addresses", last + 2});
  array(large_counts, counts.large_counts, {"array_of_large_counts", last + 3});
  array(datatypes, counts.datatypes, {"array_of_datatypes", last + (wide ? 4 : 3)});
  Temporary<Datatype*> types(counts.datatypes);
  datatype::type_get_contents(type, room.integers, room.addresses, room.large_counts, counts.datatypes, integers, addresses,
                              large_counts, types.data());
  out_contents(counts.combiner, counts.large_counts > 0, integers);
  for (Count i = 0; i < counts.datatypes; ++i) datatypes[i] = out<Datatype>(types.data()[i]);
}

}  // namespace

int type_get_envelope(MPI_Datatype datatype, int* num_integers, int* num_addresses, int* num_datatypes, int* combiner) {
  Call call("MPI_Type_get_envelope");
  try {
    const Counts counts = counts_of(decode<Datatype>(datatype, {"datatype", 1}));
    must_be_small(counts);
    narrow(counts.integers, writable(num_integers, {"num_integers", 2}), {"num_integers", 2});
    narrow(counts.addresses, writable(num_addresses, {"num_addresses", 3}), {"num_addresses", 3});
    narrow(counts.datatypes, writable(num_datatypes, {"num_datatypes", 4}), {"num_datatypes", 4});
    writable(combiner, {"combiner", 5}) = out_combiner(counts.combiner);
    return MPI_SUCCESS;
  } catch (...) {
    return call.failed();
  }
}

int type_get_envelope_c(MPI_Datatype datatype, MPI_Count* num_integers, MPI_Count* num_addresses, MPI_Count* num_large_counts,
                        MPI_Count* num_datatypes, int* combiner) {
  Call call("MPI_Type_get_envelope_c");
  try {
    const Counts counts = counts_of(decode<Datatype>(datatype, {"datatype", 1}));
    writable(num_integers, {"num_integers", 2}) = counts.integers;
    writable(num_addresses, {"num_addresses", 3}) = counts.addresses;
    writable(num_large_counts, {"num_large_counts", 4}) = counts.large_counts;
    writable(num_datatypes, {"num_datatypes", 5}) = counts.datatypes;
    writable(combiner, {"combiner", 6}) = out_combiner(counts.combiner);
    return MPI_SUCCESS;
  } catch (...) {
    return call.failed();
  }
}

int type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int* integers,
                      MPI_Aint* addresses, MPI_Datatype* datatypes) {
  Call call("MPI_Type_get_contents");
  try {
    Datatype& type = decode<Datatype>(datatype, {"datatype", 1});
    const Counts counts = counts_of(type);
    must_be_small(counts);
    get_contents(type, counts, {max_integers, max_addresses, 0, max_datatypes}, false, integers, out_counts(addresses), nullptr,
                 datatypes);
    return MPI_SUCCESS;
  } catch (...) {
    return call.failed();
  }
}

int type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts,
                        MPI_Count max_datatypes, int* integers, MPI_Aint* addresses, MPI_Count* large_counts,
                        MPI_Datatype* datatypes) {
  Call call("MPI_Type_get_contents_c");
  try {
    Datatype& type = decode<Datatype>(datatype, {"datatype", 1});
    get_contents(type, counts_of(type), {max_integers, max_addresses, max_large_counts, max_datatypes}, true, integers,
                 out_counts(addresses), out_counts(large_counts), datatypes);
    return MPI_SUCCESS;
  } catch (...) {
    return call.failed();
  }
}

}  // namespace starling::abi
