// SPDX-License-Identifier: BSD-3-Clause
#include "datatype/op.h"

#include <algorithm>
#include <atomic>
#include <climits>

#include "base/error.h"
#include "datatype/datatype.h"
#include "datatype/envelope.h"
#include "datatype/kernels.h"
#include "datatype/scalar.h"

namespace starling {

namespace {

constexpr unsigned kFirstOp = kCodeOpNull + 1;
constexpr unsigned kOps = kCodeNoOp - kCodeOpNull;

bool exists(unsigned code) {
  switch (code) {
    case kCodeSum:
    case kCodeMin:
    case kCodeMax:
    case kCodeProd:
    case kCodeBand:
    case kCodeBor:
    case kCodeBxor:
    case kCodeLand:
    case kCodeLor:
    case kCodeLxor:
    case kCodeMinloc:
    case kCodeMaxloc:
    case kCodeReplace:
    case kCodeNoOp:
      return true;
    default:
      return false;
  }
}

struct PredefinedOps {
  Op ops[kOps];
  PredefinedOps() {
    for (unsigned i = 0; i < kOps; ++i) {
      ops[i].kind = exists(kFirstOp + i) ? Kind::kOp : Kind::kFree;
      ops[i].code = static_cast<std::uint16_t>(kFirstOp + i);
      ops[i].commutative = kFirstOp + i != kCodeReplace;
    }
  }
};

}  // namespace

OpPool& op_pool() {
  static OpPool pool;
  return pool;
}

void destroy(Op& op) { op_pool().destroy(&op); }

Op* predefined_op(unsigned code) {
  static PredefinedOps predefined;
  return code - kFirstOp < kOps && exists(code) ? &predefined.ops[code - kFirstOp] : nullptr;
}

namespace op {

// How to reduce elements of a predefined type: the kernel, and how many scalars (or pairs) it sees in an element. No kernel:
// the operation is not defined on the type.
struct Reduction {
  Kernel kernel = nullptr;
  Count per_unit = 1;
};

namespace {

constexpr unsigned bit(Family family) { return 1U << static_cast<unsigned>(family); }
constexpr unsigned kIntegers = bit(Family::kInteger) | bit(Family::kMultiple) | bit(Family::kCharacter);
constexpr unsigned kOrdered = kIntegers | bit(Family::kFloating);

// Families that an operation is defined on (MPI 5.0 table 6.1), and its kernel.
struct Rule {
  unsigned families;
  KernelOp kernel;
};

Rule rule_of(unsigned code) {
  switch (code) {
    case kCodeSum:
      return {kOrdered | bit(Family::kComplex), KernelOp::kSum};
    case kCodeProd:
      return {kOrdered | bit(Family::kComplex), KernelOp::kProduct};
    case kCodeMin:
      return {kOrdered, KernelOp::kMin};
    case kCodeMax:
      return {kOrdered, KernelOp::kMax};
    case kCodeLand:
      return {kIntegers | bit(Family::kLogical), KernelOp::kLogicalAnd};
    case kCodeLor:
      return {kIntegers | bit(Family::kLogical), KernelOp::kLogicalOr};
    case kCodeLxor:
      return {kIntegers | bit(Family::kLogical), KernelOp::kLogicalXor};
    case kCodeBand:
      return {kIntegers | bit(Family::kByte), KernelOp::kBitAnd};
    case kCodeBor:
      return {kIntegers | bit(Family::kByte), KernelOp::kBitOr};
    case kCodeBxor:
      return {kIntegers | bit(Family::kByte), KernelOp::kBitXor};
    default:
      return {0, KernelOp::kSum};
  }
}

Reduction pair_reduction(unsigned code, const Datatype& value, const Datatype& index) {
  const BasicType* v = datatype::basic_type(value.code);
  const BasicType* i = datatype::basic_type(index.code);
  constexpr unsigned kIndexes = bit(Family::kInteger) | bit(Family::kMultiple);
  if ((code != kCodeMinloc && code != kCodeMaxloc) || !v || !i || !((kIndexes | bit(Family::kFloating)) & bit(v->family)))
    return {};
  bool real_index =
      i->family == Family::kFloating && v->code == i->code && (v->code == kCodeReal || v->code == kCodeDoublePrecision);
  if (!(kIndexes & bit(i->family)) && !real_index) return {};
  return {locate_kernel(best_kernels(), code == kCodeMaxloc, v->scalar, i->scalar), 1};
}

Reduction find_reduction(unsigned code, const Datatype& unit) {
  if (datatype::is_pair(unit)) return pair_reduction(code, *unit.envelope->types[0], *unit.envelope->types[1]);
  const BasicType* basic = datatype::basic_type(unit.code);
  Rule rule = rule_of(code);
  if (!basic || !(rule.families & bit(basic->family))) return {};
  if (basic->family == Family::kComplex && rule.kernel == KernelOp::kProduct) rule.kernel = KernelOp::kComplexProduct;
  return {best_kernels().at(rule.kernel, basic->scalar), basic->scalars()};
}

// Found once for each type, which is predefined and so lives for ever.
[[gnu::cold, gnu::noinline]] const Reduction* find_reductions(const Datatype& unit) {
  auto* found = new Reduction[kOps];
  for (unsigned i = 0; i < kOps; ++i) found[i] = find_reduction(kFirstOp + i, unit);
  const Reduction* none = nullptr;
  if (unit.reductions.compare_exchange_strong(none, found, std::memory_order_acq_rel)) return found;
  delete[] found;  // another thread was faster
  return none;
}

Reduction reduction_of(unsigned code, const Datatype& unit) {
  const Reduction* reductions = unit.reductions.load(std::memory_order_acquire);
  if (!reductions) [[unlikely]]
    reductions = find_reductions(unit);
  return code - kFirstOp < kOps ? reductions[code - kFirstOp] : Reduction{};  // no code: of a user
}

std::byte* shifted(const void* buffer, Count bytes) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(buffer) + static_cast<std::uintptr_t>(bytes));
}

// Calls a function of the user, whose count is an int unless it was created by MPI_Op_create_c.
void call_user(const Callback& user, const void* in, void* inout, Count count, Datatype& type) {
  Count most = user.large ? count : Count{INT_MAX};
  for (Count done = 0; done < count;) {
    Count now = std::min(most, count - done);
    user.abi->op(user.function, user.large, shifted(in, done * type.extent), shifted(inout, done * type.extent), now, type);
    done += now;
  }
}

void combine_by_user(const Callback& user, const void* left, const void* right, void* out, Count count, Datatype& type) {
  void* inout = out == left ? const_cast<void*>(right) : out;
  if (inout != right) datatype::copy(right, count, type, inout, count, type);
  call_user(user, left, inout, count, type);
  if (inout != out) datatype::copy(inout, count, type, out, count, type);
}

// Elements with gaps: through arrays of the predefined type they are made of, which stay in the first-level cache.
void combine_staged(const Reduction& reduction, const void* left, const void* right, void* out, Count count,
                    const Datatype& type) {
  constexpr Count kStage = 4096;
  alignas(kCacheLine) std::byte packed[kStage], a[kStage], b[kStage];
  const Datatype& unit = *type.unit;
  Count units = count * (type.size / unit.size);
  Count in_stage = kStage / std::max(unit.extent, unit.size);
  for (Count done = 0; done < units; done += in_stage) {
    Count now = std::min(in_stage, units - done);
    Count offset = done * unit.size, bytes = now * unit.size;
    datatype::pack(left, count, type, offset, packed, bytes);
    datatype::unpack(a, now, unit, 0, packed, bytes);
    datatype::pack(right, count, type, offset, packed, bytes);
    datatype::unpack(b, now, unit, 0, packed, bytes);
    reduction.kernel(a, b, b, static_cast<std::size_t>(now * reduction.per_unit));
    datatype::pack(b, now, unit, 0, packed, bytes);
    datatype::unpack(out, count, type, offset, packed, bytes);
  }
}

}  // namespace

bool allowed(const Op& op, const Datatype& type) {
  if (op.user) return true;
  return type.permanent && reduction_of(op.code, *type.unit).kernel;
}

bool accumulable(const Op& op, const Datatype& type) {
  if (op.code == kCodeReplace || op.code == kCodeNoOp) return true;
  return type.size == 0 || (type.unit && reduction_of(op.code, *type.unit).kernel);
}

void combine(const Op& op, const void* left, const void* right, void* out, Count count, Datatype& type) {
  if (op.user) return combine_by_user(op.user, left, right, out, count, type);
  if (count == 0 || type.size == 0) return;
  if (op.code == kCodeNoOp || op.code == kCodeReplace) {
    const void* kept = op.code == kCodeReplace ? left : right;
    if (kept != out) datatype::copy(kept, count, type, out, count, type);
    return;
  }
  Reduction reduction = type.unit ? reduction_of(op.code, *type.unit) : Reduction{};
  if (!reduction.kernel)
    fail(kErrOp, "the operation is not defined on %s", type.name.empty() ? "this derived datatype" : type.name.c_str());
  // Elements that follow each other like an array of the unit.
  if (&type == type.unit || (type.contiguous && type.unit->contiguous)) {
    Count units = count * (type.size / type.unit->size);
    reduction.kernel(left, right, out, static_cast<std::size_t>(units * reduction.per_unit));
  } else {
    combine_staged(reduction, left, right, out, count, type);
  }
}

void reduce(const Op& op, const void* in, void* inout, Count count, Datatype& type) {
  if (op.user) return call_user(op.user, in, inout, count, type);
  combine(op, in, inout, inout, count, type);
}

}  // namespace op
}  // namespace starling
