// SPDX-License-Identifier: BSD-3-Clause
#include "text.h"

#include <algorithm>
#include <cstring>

namespace starling::fortran {
namespace {

constexpr char kUnwritten = '\1';  // what a string does not begin with

std::size_t trimmed(const char* user, std::size_t length) {
  while (length > 0 && user[length - 1] == ' ') --length;
  return length;
}

}  // namespace

Text::Text(const char* user, std::size_t length) : copy_(static_cast<long long>(length) + 1) {
  std::size_t end = trimmed(user, length), start = 0;
  while (start < end && user[start] == ' ') ++start;
  std::memcpy(copy_.data(), user + start, end - start);
  copy_.data()[end - start] = '\0';
}

TextOut::TextOut(char* user, std::size_t length, long long capacity)
    : user_(user), length_(length), copy_(std::max(capacity, 1LL)) {
  copy_.data()[0] = kUnwritten;
}

TextOut::~TextOut() {
  if (copy_.data()[0] == kUnwritten) return;
  const std::size_t written = std::min(std::strlen(copy_.data()), length_);
  std::memcpy(user_, copy_.data(), written);
  std::memset(user_ + written, ' ', length_ - written);
}

long long TextArray::count(const char* user, std::size_t length, long long n, std::size_t stride) {
  if (n != kUntilBlank) return n;
  for (n = 0; trimmed(user + static_cast<std::size_t>(n) * stride, length) > 0;) ++n;
  return n;
}

TextArray::TextArray(const char* user, std::size_t length, long long n, std::size_t stride)
    : n_(count(user, length, n, stride)), letters_(n_ * static_cast<long long>(length + 1)), words_(n_ + 1) {
  for (long long i = 0; i < n_; ++i) {
    const char* word = user + static_cast<std::size_t>(i) * stride;
    char* copy = letters_.data() + static_cast<std::size_t>(i) * (length + 1);
    const std::size_t end = trimmed(word, length);
    std::memcpy(copy, word, end);
    copy[end] = '\0';
    words_.data()[i] = copy;
  }
  words_.data()[n_] = nullptr;
}

}  // namespace starling::fortran
