// SPDX-License-Identifier: BSD-3-Clause
// Basic datatypes (-T), derived ones (-D), and a message made of them.
#pragma once

#define MPICH_SKIP_MPICXX 1
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace omb {

struct Options;

struct BaseType {
  const char* name;
  size_t size;
  MPI_Datatype type;
  // The type that reductions and atomics use: MPI_CHAR holds text, and the standard gives it no arithmetic.
  MPI_Datatype arithmetic;
};

enum { kChar, kInt, kFloat };
const std::vector<BaseType>& base_types();

// One message of `size` bytes: `count` elements of `type`. With -D it is one element (or none) of a derived type, which this
// owns.
struct Message {
  Message(const Options& options, int base, size_t size);
  ~Message();
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  int base;         // index of base_types()
  size_t size;      // what the first column says
  size_t elements;  // of the base type
  MPI_Datatype type;
  MPI_Datatype arithmetic;
  int count;
  size_t extent;       // bytes from the start of one such message to the next
  size_t transmitted;  // bytes that move
  bool derived = false;
};

struct IndexBlock {
  int displacement, length;  // in elements
};

// Reads lines of two numbers separated by a comma; '#' begins a comment. On an error returns what is wrong.
std::string read_pairs(const std::string& path, size_t most, std::vector<IndexBlock>& pairs);

}  // namespace omb
