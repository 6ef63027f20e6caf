// SPDX-License-Identifier: BSD-3-Clause
// The clock of a profile: the processor's counter, which costs a few nanoseconds to read and counts alike on all cores of a
// host. Calibration turns its ticks into nanoseconds of CLOCK_MONOTONIC; where the counter cannot be relied upon, a tick is a
// nanosecond.
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace starling::profile {

inline std::uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000000000u + static_cast<std::uint64_t>(now.tv_nsec);
}

// Whether the counter runs at one rate whatever the core does. Every process of a host comes to the same answer.
inline bool counter_is_steady() {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
#else
  return true;  // the generic timer of Arm and the time base of POWER are made so
#endif
}

inline std::uint64_t counter() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#elif defined(__powerpc64__)
  return __builtin_ppc_get_timebase();
#else
  return monotonic_ns();
#endif
}

struct Instant {
  std::uint64_t ticks, ns;
};

inline std::uint64_t ticks(bool steady) { return steady ? counter() : monotonic_ns(); }

inline Instant instant(bool steady) {
  if (!steady) {
    std::uint64_t ns = monotonic_ns();
    return {ns, ns};
  }
  // Of several pairs the one read with the least delay between: a process may lose its core at any place.
  Instant best{};
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < 5; ++i) {
    std::uint64_t before = counter(), ns = monotonic_ns(), after = counter();
    if (after - before >= least) continue;
    least = after - before;
    best = {before + least / 2, ns};
  }
  return best;
}

}  // namespace starling::profile
