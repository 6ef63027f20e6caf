// SPDX-License-Identifier: BSD-3-Clause
// The timed loop of every benchmark.
#pragma once

#include <vector>

#include "omb.h"
#include "papi.h"

namespace omb {

struct Timing {
  double seconds = 0;           // of all timed iterations
  std::vector<double> samples;  // seconds of each, if the run wants them
  bool valid = true;
};

struct Nothing {
  void operator()(int) const {}
};

// How the iterations follow each other. `kBackToBack` reads the clock before the first and after the last, or, when every
// iteration is wanted, once between two: a sample then includes one reading of the clock. `kApart` times each iteration and
// lets ranks meet in between, as is usual for collectives, so that an iteration does not pay for the skew of the one before.
// `kTogether` is kBackToBack for more than one pair: all ranks meet after the warm-up.
enum class Pace { kBackToBack, kTogether, kApart };

// Runs `body(i)` for the warm-up and the timed iterations. With -c, each iteration is: unchecked repetitions, prepare(i), one
// that is timed, and check(i); prepare() fills the buffers and lets the ranks concerned meet.
template <bool Checked = true, class Body, class Prepare, class Check>
Timing measure(Run& run, Pace pace, Body body, Prepare prepare, Check check) {
  Timing timing;
  const auto [iterations, warmup] = run.count;
  const bool validate = Checked && run.options.validate, samples = run.wants_samples();
  if (samples) timing.samples.reserve(static_cast<size_t>(iterations));
  const auto timed = [&](double seconds) {
    timing.seconds += seconds;
    if (samples) timing.samples.push_back(seconds);
  };

  if (!validate && pace != Pace::kApart) {
    for (int i = 0; i < warmup; ++i) body(i);
    if (pace == Pace::kTogether) MPI_Barrier(run.comm);
    papi_start(run);
    const double start = MPI_Wtime();
    double last = start;
    for (int i = warmup; i < warmup + iterations; ++i) {
      body(i);
      if (samples) {
        const double now = MPI_Wtime();
        timing.samples.push_back(now - last);
        last = now;
      }
    }
    timing.seconds = (samples ? last : MPI_Wtime()) - start;
    papi_stop(run);
    return timing;
  }

  const int repetitions = validate ? run.options.validation_warmup : 0;
  const bool apart = pace == Pace::kApart, counted = apart && run.options.count_barrier;
  for (int i = 0; i < warmup + iterations; ++i) {
    if (i == warmup) papi_start(run);
    if (repetitions) prepare(i);
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      body(i);
      if (apart) MPI_Barrier(run.comm);
    }
    if (validate) prepare(i);  // again: what the repetitions delivered must not count
    const double start = MPI_Wtime();
    body(i);
    if (counted) MPI_Barrier(run.comm);
    const double end = MPI_Wtime();
    if (i >= warmup) timed(end - start);
    if (validate) timing.valid &= check(i);
    if (apart && !counted) MPI_Barrier(run.comm);
  }
  papi_stop(run);
  return timing;
}

// The same without data to check.
template <class Body>
Timing measure(Run& run, Pace pace, Body body) {
  return measure<false>(run, pace, body, Nothing(), [](int) { return true; });
}

// Microseconds of 1/`parts` of an iteration.
inline Result latency_result(const Run& run, const Timing& timing, double parts) {
  Result result{{timing.seconds * 1e6 / run.count.iterations / parts}, timing.samples, timing.valid};
  for (double& sample : result.samples) sample *= 1e6 / parts;
  return result;
}

// Megabytes (10^6) per second; an iteration moves `bytes`.
inline Result bandwidth_result(const Run& run, const Timing& timing, double bytes) {
  Result result{{bytes / 1e6 * run.count.iterations / timing.seconds}, timing.samples, timing.valid};
  for (double& sample : result.samples) sample = bytes / 1e6 / sample;
  return result;
}

}  // namespace omb
