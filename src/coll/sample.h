// SPDX-License-Identifier: BSD-3-Clause
// Sample: arguments of a call with vectors or blocks of some length, on addresses that nobody looks at; for predictions by a
// Model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "coll/algorithm.h"
#include "coll/model.h"
#include "datatype/datatype.h"

namespace starling::coll {

class Sample {
 public:
  // `bytes`: of the vector, or of each block.
  Sample(int ranks, Count bytes)
      : bytes_(bytes), ranks_(ranks), counts_(static_cast<std::size_t>(ranks), bytes), places_(counts_.size()) {
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = static_cast<Count>(i) * bytes;
  }
  BarrierArgs barrier() const { return {}; }
  BcastArgs bcast() const { return {raw(out(), bytes_), 0}; }
  GatherArgs gather(bool equal) const { return {raw(out(), bytes_), equal ? same(in()) : each(in()), 0, equal}; }
  ScatterArgs scatter(bool equal) const { return {equal ? same(out()) : each(out()), raw(in(), bytes_), 0, equal}; }
  AllgatherArgs allgather(bool equal) const { return {raw(out(), bytes_), equal ? same(in()) : each(in()), ranks_}; }
  AlltoallArgs alltoall(bool equal) const {
    return {equal ? same(out()) : each(out()), equal ? same(in()) : each(in()), ranks_, ranks_};
  }
  ReduceArgs reduce() const { return {out(), in(), bytes_, &type(), predefined_op(kCodeBor), 0}; }
  ReduceScatterArgs reduce_scatter() const { return {out(), in(), bytes_, {}, &type(), predefined_op(kCodeBor)}; }

  // By the type of the arguments, with blocks of equal size.
  void get(BarrierArgs& args) const { args = barrier(); }
  void get(BcastArgs& args) const { args = bcast(); }
  void get(GatherArgs& args) const { args = gather(true); }
  void get(ScatterArgs& args) const { args = scatter(true); }
  void get(AllgatherArgs& args) const { args = allgather(true); }
  void get(AlltoallArgs& args) const { args = alltoall(true); }
  void get(ReduceArgs& args) const { args = reduce(); }
  void get(ReduceScatterArgs& args) const { args = reduce_scatter(); }

 private:
  static void* out() { return reinterpret_cast<void*>(std::uintptr_t{1} << 41); }
  static void* in() { return reinterpret_cast<void*>(std::uintptr_t{1} << 42); }
  static Datatype& type() { return *predefined_datatype(kCodeByte); }
  Blocks same(void* address) const { return blocks(address, bytes_, byte_type()); }
  Blocks each(void* address) const {
    return blocks(address, CountArray(counts_.data()), CountArray(places_.data()), byte_type());
  }

  Count bytes_;
  int ranks_;
  std::vector<Count> counts_, places_;
};

// As the blocking function of rank 0 sees it.
struct View {
  explicit View(Model& model) : run(*model.comm().worker, 0, true), c(run, model.comm()) {}
  Run run;
  Ctx c;
};

// Nanoseconds, if the algorithm applies in the model (what needs shared memory does not) and sends few enough messages.
template <class Args>
std::optional<double> predict(Model& model, const Collective<Args>& collective, const Algorithm<Args>& algorithm,
                              const Args& args, Count most_messages) {
  View view(model);
  if (algorithm.applies && !algorithm.applies(view.c, args)) return {};
  const Load load{view.c.size, collective.bytes(view.c, args), 0, &nodes_of(view.c)};
  if (!algorithm.traffic || algorithm.traffic(load).messages > most_messages) return {};
  return model.time(algorithm, args);
}

}  // namespace starling::coll
