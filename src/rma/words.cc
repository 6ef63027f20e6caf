// SPDX-License-Identifier: BSD-3-Clause
#include "rma/words.h"

#include <atomic>

#include "datatype/scalar.h"

namespace starling::rma {

namespace {

// What the processor has an instruction for; the rest is computed aside and put in place if the element is still the same.
enum class Instruction : std::uint8_t { kLoad, kExchange, kAdd, kAnd, kOr, kXor, kCompareExchange };

bool adds_like_integers(const Datatype& unit) {
  const BasicType* basic = datatype::basic_type(unit.code);
  return basic &&
         (basic->family == Family::kInteger || basic->family == Family::kMultiple || basic->family == Family::kCharacter);
}

Instruction instruction_for(const Update& update) {
  if (update.compare) return Instruction::kCompareExchange;
  switch (update.op.code) {
    case kCodeNoOp:
      return Instruction::kLoad;
    case kCodeReplace:
      return Instruction::kExchange;
    case kCodeSum:
      return adds_like_integers(update.unit) ? Instruction::kAdd : Instruction::kCompareExchange;
    case kCodeBand:
      return Instruction::kAnd;
    case kCodeBor:
      return Instruction::kOr;
    case kCodeBxor:
      return Instruction::kXor;
    default:
      return Instruction::kCompareExchange;
  }
}

template <class Word>
Word load_word(const std::byte* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

template <class Word>
Word replace_if_same(const Update& update, std::atomic_ref<Word> at, const std::byte* in) {
  Word seen = at.load(std::memory_order_acquire);
  for (;;) {
    Word changed = seen;
    apply(update, in, reinterpret_cast<std::byte*>(&changed), sizeof changed);
    if (at.compare_exchange_weak(seen, changed, std::memory_order_acq_rel, std::memory_order_acquire)) return seen;
  }
}

template <class Word>
Word compare_and_swap(std::atomic_ref<Word> at, Word compare, Word value) {
  at.compare_exchange_strong(compare, value, std::memory_order_acq_rel, std::memory_order_acquire);
  return compare;
}

template <class Word>
Word update_word(const Update& update, Instruction instruction, std::atomic_ref<Word> at, const std::byte* in) {
  switch (instruction) {
    case Instruction::kLoad:
      return at.load(std::memory_order_acquire);
    case Instruction::kExchange:
      return at.exchange(load_word<Word>(in), std::memory_order_acq_rel);
    case Instruction::kAdd:
      return at.fetch_add(load_word<Word>(in), std::memory_order_acq_rel);
    case Instruction::kAnd:
      return at.fetch_and(load_word<Word>(in), std::memory_order_acq_rel);
    case Instruction::kOr:
      return at.fetch_or(load_word<Word>(in), std::memory_order_acq_rel);
    case Instruction::kXor:
      return at.fetch_xor(load_word<Word>(in), std::memory_order_acq_rel);
    case Instruction::kCompareExchange:
      if (update.compare) return compare_and_swap(at, load_word<Word>(update.compare), load_word<Word>(in));
      return replace_if_same(update, at, in);
  }
  __builtin_unreachable();
}

template <class Word>
void update_all(const Update& update, void* at, const std::byte* in, std::byte* old, Count n) {
  const Instruction instruction = instruction_for(update);
  auto* words = static_cast<Word*>(at);
  for (Count i = 0; i < n; ++i) {
    const Word former =
        update_word(update, instruction, std::atomic_ref<Word>(words[i]), in ? in + i * Count{sizeof(Word)} : in);
    if (old) std::memcpy(old + i * Count{sizeof(Word)}, &former, sizeof former);
  }
}

}  // namespace

void update_words(const Update& update, void* at, const std::byte* in, std::byte* old, Count n) {
  switch (update.unit.size) {
    case 8:
      return update_all<std::uint64_t>(update, at, in, old, n);
    case 4:
      return update_all<std::uint32_t>(update, at, in, old, n);
    case 2:
      return update_all<std::uint16_t>(update, at, in, old, n);
    default:
      return update_all<std::uint8_t>(update, at, in, old, n);
  }
}

}  // namespace starling::rma
