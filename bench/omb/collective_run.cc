// SPDX-License-Identifier: BSD-3-Clause
// The bodies of all collective benchmarks: blocking, non-blocking with computation, persistent.
#include <algorithm>
#include <cstdio>

#include "collective.h"
#include "datatype.h"
#include "measure.h"
#include "programs.h"
#include "topology.h"
#include "validate.h"

namespace omb {
namespace {

// One side's counts and displacements.
struct Layout {
  std::vector<int> counts, displacements, bytes;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;

  Layout(int blocks, int count, size_t extent, MPI_Datatype type) : types(static_cast<size_t>(blocks), type) {
    for (int block = 0; block < blocks; ++block) add(count, block * count, static_cast<size_t>(block) * extent);
  }
  void add(int count, int displacement, size_t offset) {
    counts.push_back(count);
    displacements.push_back(displacement);
    bytes.push_back(static_cast<int>(offset));
    addresses.push_back(static_cast<MPI_Aint>(offset));
  }
};

// The buffers of a collective of one message size, its arguments in each iteration, its data and their check.
class Operation {
 public:
  Operation(Run& run, const Message& message, int id);
  // Made once, unless the root changes with the iteration: calls are timed.
  const Arguments& arguments(int i) const {
    if (run_.options.rotate_root) arguments_ = make_arguments(i);
    return arguments_;
  }
  void prepare(int i) const;
  bool check(int i) const;
  void call(int i) const { collective_.call(arguments(i)); }
  const Collective& collective() const { return collective_; }

 private:
  int root(int i) const { return run_.options.rotate_root ? i % run_.size : run_.options.root_rank; }
  bool sends(int i) const { return collective_.root != Root::kSends || run_.rank == root(i); }
  bool receives(int i) const { return collective_.root != Root::kReceives || run_.rank == root(i); }
  bool send_in_place(int i) const;
  bool receive_in_place(int i) const;
  char* input(int i, int block) const;
  Arguments make_arguments(int i) const;

  Run& run_;
  const Message& message_;
  const Collective& collective_;
  std::vector<int> sources_, destinations_;  // of the blocks
  Layout send_layout_, receive_layout_;
  size_t first_ = 0;  // of this rank's share
  char *send_, *receive_;
  mutable Arguments arguments_;
};

std::vector<int> all_ranks(const Run& run) {
  std::vector<int> ranks(static_cast<size_t>(run.size));
  for (int rank = 0; rank < run.size; ++rank) ranks[static_cast<size_t>(rank)] = rank;
  return ranks;
}

int number(Blocks blocks, const std::vector<int>& each) {
  return blocks == Blocks::kNone ? 0 : blocks == Blocks::kEach ? static_cast<int>(each.size()) : 1;
}

Operation::Operation(Run& run, const Message& message, int id)
    : run_(run),
      message_(message),
      collective_(omb::collective(id)),
      sources_(run.topology ? run.topology->sources : all_ranks(run)),
      destinations_(run.topology ? run.topology->destinations : all_ranks(run)),
      send_layout_(static_cast<int>(destinations_.size()), message.count, message.extent, message.type),
      receive_layout_(static_cast<int>(sources_.size()), message.count, message.extent, message.type) {
  if (collective_.receive == Blocks::kShare) {
    receive_layout_ = Layout(0, 0, 0, message.type);
    for (int rank = 0; rank < run.size; ++rank) {
      const bool equal = id == kReduceScatterBlock;
      receive_layout_.add(message.count / run.size + (!equal && rank < message.count % run.size), 0, 0);
      if (rank < run.rank) first_ += static_cast<size_t>(receive_layout_.counts.back());
    }
  }
  const int blocks = std::max(
      {1, number(collective_.send, destinations_), number(collective_.receive, sources_)});  // either, for MPI_IN_PLACE
  send_ = run.memory[0].at_least(static_cast<size_t>(blocks) * message.extent);
  receive_ = run.memory[1].at_least(static_cast<size_t>(blocks) * message.extent);
  arguments_ = make_arguments(0);
}

bool Operation::send_in_place(int i) const {
  const InPlace where = collective_.in_place;
  return run_.options.in_place && (where == InPlace::kSend || (where == InPlace::kRootSend && run_.rank == root(i)));
}

bool Operation::receive_in_place(int i) const {
  return run_.options.in_place && collective_.in_place == InPlace::kRootReceive && run_.rank == root(i);
}

Arguments Operation::make_arguments(int i) const {
  const bool block_count = collective_.receive == Blocks::kShare;
  const Layout &s = send_layout_, &r = receive_layout_;
  return {send_in_place(i) ? MPI_IN_PLACE : send_,
          receive_in_place(i) ? MPI_IN_PLACE : receive_,
          block_count ? message_.count / run_.size : message_.count,
          collective_.reduces ? message_.arithmetic : message_.type,
          s.counts.data(),
          s.displacements.data(),
          s.bytes.data(),
          r.counts.data(),
          r.displacements.data(),
          r.bytes.data(),
          s.addresses.data(),
          r.addresses.data(),
          s.types.data(),
          r.types.data(),
          root(i),
          run_.topology ? run_.topology->comm : run_.comm};
}

// Where block `block` of what this rank gives is.
char* Operation::input(int i, int block) const {
  if (collective_.send == Blocks::kNone) return receive_;  // broadcast has one buffer
  if (!send_in_place(i)) return send_ + static_cast<size_t>(block) * message_.extent;
  const int place = collective_.send == Blocks::kEach ? block : collective_.receive == Blocks::kEach ? run_.rank : 0;
  return receive_ + static_cast<size_t>(place) * message_.extent;
}

void Operation::prepare(int i) const {
  for (int block = 0; block < number(collective_.receive, sources_); ++block)
    spoil(receive_ + static_cast<size_t>(block) * message_.extent, message_);
  if (sends(i) && collective_.receive != Blocks::kNone)
    for (int block = 0; block < std::max(1, number(collective_.send, destinations_)); ++block) {
      if (collective_.send == Blocks::kEach && destinations_.empty()) break;
      fill(input(i, block), message_, run_.rank, collective_.personal ? destinations_[static_cast<size_t>(block)] : 0, i);
    }
  MPI_Barrier(run_.comm);
}

bool Operation::check(int i) const {
  if (!receives(i) || receive_in_place(i)) return true;
  Checker checker(run_, message_, i);
  if (collective_.reduces) {
    const bool share = collective_.receive == Blocks::kShare;
    const size_t elements =
        share ? static_cast<size_t>(receive_layout_.counts[static_cast<size_t>(run_.rank)]) : message_.elements;
    return checker.sum(receive_, run_.size, first_, elements);
  }
  bool good = true;
  for (int block = 0; block < number(collective_.receive, sources_); ++block) {
    const int from = collective_.receive == Blocks::kEach ? sources_[static_cast<size_t>(block)] : root(i);
    good &= checker.from(receive_ + static_cast<size_t>(block) * message_.extent, from, collective_.personal ? run_.rank : 0);
  }
  return good;
}

// Runs `body` as the collective of `operation`, with its data if those are checked.
template <class Body>
Timing measure_operation(Run& run, const Operation& operation, Body body) {
  return measure(
      run, Pace::kApart, body, [&](int i) { operation.prepare(i); }, [&](int i) { return operation.check(i); });
}

double microseconds(const Run& run, const Timing& timing) { return timing.seconds * 1e6 / run.count.iterations; }

// Each rank has its mean over the iterations; printed are the average, least and largest of the ranks' means.
Result over_ranks(Run& run, Timing timing) {
  const double mine = microseconds(run, timing);
  Result result;
  result.values = {reduce(run, mine, MPI_SUM) / run.size, reduce(run, mine, MPI_MIN), reduce(run, mine, MPI_MAX),
                   static_cast<double>(run.count.iterations)};
  for (double& sample : timing.samples) sample *= 1e6;
  average_samples(run, timing.samples, run.size);
  result.samples = std::move(timing.samples);
  result.valid = timing.valid;
  return result;
}

// Work on the processor for some time: rows of a product of matrix and vector, between looks at the clock.
class Computation {
 public:
  explicit Computation(int size)
      : size_(static_cast<size_t>(size)), matrix_(size_ * size_, 1.0f), vector_(size_, 2.0f), product_(size_) {}
  void run(double seconds) {
    const double end = MPI_Wtime() + seconds;
    do {
      float sum = 0;
      for (size_t column = 0; column < size_; ++column) sum += matrix_[row_ * size_ + column] * vector_[column];
      product_[row_] = product_[row_] * 0.5f + sum;
      row_ = (row_ + 1) % size_;
    } while (MPI_Wtime() < end);
  }

 private:
  size_t size_, row_ = 0;
  std::vector<float> matrix_, vector_, product_;
};

// Seconds of the parts of non-blocking collectives with computation.
struct Phases {
  double init = 0, compute = 0, test = 0, wait = 0;
  long calls = 0;
};

// Starts the collective, computes for `seconds` with calls of MPI_Test in between, waits.
void overlap_once(const Operation& operation, int i, Computation& computation, double seconds, int tests, Phases& phases) {
  MPI_Request request = MPI_REQUEST_NULL;
  const double start = MPI_Wtime();
  operation.collective().start(operation.arguments(i), &request);
  const double started = MPI_Wtime();
  for (int n = 0; n < tests; ++n) {
    int done = 0;
    computation.run(seconds / (tests + 1));
    const double before = MPI_Wtime();
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    phases.test += MPI_Wtime() - before;
  }
  computation.run(seconds / (tests + 1));
  const double computed = MPI_Wtime();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  phases.init += started - start;
  phases.compute += computed - started;
  phases.wait += MPI_Wtime() - computed;
  ++phases.calls;
}

}  // namespace

Result collective_blocking(Run& run, const Message& message, int id) {
  const Operation operation(run, message, id);
  return over_ranks(run, measure_operation(run, operation, [&](int i) { operation.call(i); }));
}

#if MPI_VERSION >= 4
Result collective_persistent(Run& run, const Message& message, int id) {
  const Operation operation(run, message, id);
  MPI_Request request = MPI_REQUEST_NULL;
  operation.collective().init(operation.arguments(0), &request);
  const auto body = [&](int) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  };
  Timing timing = measure_operation(run, operation, body);
  MPI_Request_free(&request);
  return over_ranks(run, std::move(timing));
}
#endif

// First the collective alone; then with as much computation as that took.
Result collective_overlap(Run& run, const Message& message, int id) {
  const Operation operation(run, message, id);
  const auto alone = [&](int i) {
    MPI_Request request = MPI_REQUEST_NULL;
    operation.collective().start(operation.arguments(i), &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  };
  const Timing pure_timing = measure_operation(run, operation, alone);
  const double pure = microseconds(run, pure_timing);

  Computation computation(run.options.array_size);
  Phases phases;
  const auto together = [&](int i) {
    if (i < run.count.warmup) phases = {};
    overlap_once(operation, i, computation, pure / 1e6, run.options.tests, phases);
  };
  Timing timing = measure_operation(run, operation, together);
  timing.valid &= pure_timing.valid;
  const auto average = [&](double value) { return reduce(run, value, MPI_SUM) / run.size; };
  const auto phase = [&](double seconds) { return average(seconds * 1e6 / static_cast<double>(phases.calls)); };

  const double overall = average(microseconds(run, timing)), test = phase(phases.test), compute = phase(phases.compute) - test;
  const double init = phase(phases.init), wait = phase(phases.wait), pure_average = average(pure);
  const double overlap = std::max(0.0, 100 - 100 * (overall - compute) / pure_average);
  Result result;
  result.values = {overall, compute, init, test, wait, pure_average, reduce(run, pure, MPI_MIN), reduce(run, pure, MPI_MAX),
                   overlap};
  for (double& sample : timing.samples) sample *= 1e6;
  average_samples(run, timing.samples, run.size);
  result.samples = std::move(timing.samples);
  result.valid = timing.valid;
  return result;
}

void announce_overlap(Run& run) {
  if (run.root()) std::printf("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n");
}

}  // namespace omb
