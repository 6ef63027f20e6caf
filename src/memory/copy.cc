// SPDX-License-Identifier: BSD-3-Clause
#include "memory/copy.h"

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace starling::memory {

namespace {

// How many processors a list of the kernel names, as in "0-7,64-71".
long processors_in(std::istream& list) {
  long count = 0, first = 0, last = 0;
  for (char separator = ','; separator == ',' && list >> first; ++count) {
    separator = '\n';
    list.get(separator);
    if (separator == '-' && list >> last) {
      count += last - first;
      list.get(separator);
    }
  }
  return count;
}

// sysconf tells what it has computed from the processor's identity, which in a virtual machine may be a dozen times too much.
std::size_t find_cache_bytes() {
  std::size_t bytes = 0;
  // Level by level, so the last that is there is what counts.
  for (int index = 0;; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    std::ifstream size(folder + "/size"), shared(folder + "/shared_cpu_list");
    std::size_t amount;
    char unit = ' ';
    if (!(size >> amount >> unit)) return bytes;
    amount <<= unit == 'M' ? 20 : 10;
    const long sharers = processors_in(shared), processors = sysconf(_SC_NPROCESSORS_CONF);
    bytes = amount * static_cast<std::size_t>(sharers > 0 && processors > sharers ? processors / sharers : 1);
  }
}

}  // namespace

std::size_t cache_bytes() {
  static const std::size_t bytes = find_cache_bytes();
  return bytes;
}

#ifdef __SSE2__

void copy_past_caches(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t kLine = 64, kShort = 4096;  // shorter ones are not worth the fence
  if (bytes < kShort) {
    std::memcpy(to, from, bytes);
    return;
  }
  auto* out = static_cast<std::byte*>(to);
  const auto* in = static_cast<const std::byte*>(from);
  const std::size_t head = (kLine - reinterpret_cast<std::uintptr_t>(out) % kLine) % kLine, lines = (bytes - head) / kLine;
  std::memcpy(out, in, head);
  out += head;
  in += head;
  for (std::size_t line = 0; line < lines; ++line, out += kLine, in += kLine) {
    const auto* source = reinterpret_cast<const __m128i*>(in);
    auto* target = reinterpret_cast<__m128i*>(out);
    const __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1), c = _mm_loadu_si128(source + 2),
                  d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  std::memcpy(out, in, bytes - head - lines * kLine);
  _mm_sfence();  // these stores are in no order with the release by which others are told
}

#else

void copy_past_caches(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

#endif

}  // namespace starling::memory
