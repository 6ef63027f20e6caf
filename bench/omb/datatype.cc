// SPDX-License-Identifier: BSD-3-Clause
#include "datatype.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <fstream>

#include "options.h"

namespace omb {

const std::vector<BaseType>& base_types() {
  static const std::vector<BaseType> types = {
      {"MPI_CHAR", 1, MPI_CHAR, MPI_SIGNED_CHAR},
      {"MPI_INT", sizeof(int), MPI_INT, MPI_INT},
      {"MPI_FLOAT", sizeof(float), MPI_FLOAT, MPI_FLOAT},
  };
  return types;
}

std::string read_pairs(const std::string& path, size_t most, std::vector<IndexBlock>& pairs) {
  std::ifstream file(path);
  if (!file) return "cannot be read";
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    IndexBlock pair;
    char rest;
    if (std::sscanf(line.c_str(), "%d , %d %c", &pair.displacement, &pair.length, &rest) != 2 || pair.displacement < 0 ||
        pair.length < 0)
      return "line " + std::to_string(number) + " is not 'number, number'";
    if (pairs.size() == most) return "has more than " + std::to_string(most) + " lines";
    pairs.push_back(pair);
  }
  return pairs.empty() ? "has no lines" : "";
}

namespace {

MPI_Datatype make_indexed(const std::string& path, MPI_Datatype base, size_t base_size, size_t& transmitted) {
  std::vector<IndexBlock> blocks;
  read_pairs(path, 100, blocks);  // was checked at the start
  std::vector<int> lengths, displacements;
  MPI_Aint end = 0;
  transmitted = 0;
  for (const IndexBlock& block : blocks) {
    lengths.push_back(block.length);
    displacements.push_back(block.displacement);
    transmitted += static_cast<size_t>(block.length) * base_size;
    end = std::max(end, (static_cast<MPI_Aint>(block.displacement) + block.length) * static_cast<MPI_Aint>(base_size));
  }
  MPI_Datatype indexed, resized;
  MPI_Type_indexed(static_cast<int>(blocks.size()), lengths.data(), displacements.data(), base, &indexed);
  MPI_Type_create_resized(indexed, 0, end, &resized);  // from 0, so that messages follow each other
  MPI_Type_free(&indexed);
  return resized;
}

}  // namespace

Message::Message(const Options& options, int base_index, size_t bytes) : base(base_index), size(bytes) {
  const BaseType& basic = base_types()[static_cast<size_t>(base)];
  elements = bytes / basic.size;
  type = basic.type;
  arithmetic = basic.arithmetic;
  count = static_cast<int>(elements);
  extent = transmitted = elements * basic.size;
  if (options.derived == Derived::kNone) return;

  derived = true;
  count = 1;
  if (options.derived == Derived::kContiguous) {
    MPI_Type_contiguous(static_cast<int>(elements), basic.type, &type);
  } else if (options.derived == Derived::kVector) {
    const int blocks = static_cast<int>(elements / static_cast<size_t>(options.stride));
    MPI_Type_vector(blocks, options.block, options.stride, basic.type, &type);
    transmitted = static_cast<size_t>(blocks) * static_cast<size_t>(options.block) * basic.size;
  } else {
    type = make_indexed(options.index_file, basic.type, basic.size, transmitted);
  }
  MPI_Type_commit(&type);
  MPI_Aint lower, width;
  MPI_Type_get_extent(type, &lower, &width);
  extent = static_cast<size_t>(width);
}

Message::~Message() {
  if (derived) MPI_Type_free(&type);
}

}  // namespace omb
