// SPDX-License-Identifier: BSD-3-Clause
// Accumulator: the partial result of a reduction on one process, which grows by what other processes send. It keeps the order
// that operations without commutativity need, and moves data only where it must: a received part becomes the result where it
// lies.
#pragma once

#include <utility>

#include "coll/ctx.h"

namespace starling::coll {

class Accumulator {
 public:
  // Starts with the data of this process at `mine`, which is not written. `room` is the user's receive buffer, where the result
  // is wanted in the end, or nullptr; it may be kept until then for parts. They must not overlap: room is nullptr if mine lies
  // there.
  Accumulator(const Ctx& c, const void* mine, void* room, Count count, Datatype& type, const Op& op)
      : c_(c), op_(op), type_(type), first_(c), second_(c), current_(data(mine, count, type)) {
    if (room) incoming_ = data(room, count, type);
  }
  Accumulator(const Accumulator&) = delete;
  Accumulator& operator=(const Accumulator&) = delete;

  // The result so far; to be sent.
  Data current() const { return current_; }
  // Where to receive what is to be absorbed next.
  Data incoming() {
    if (!incoming_.type) incoming_ = take();
    return incoming_;
  }

  // What was received comes from ranks below (above) all that the result so far is made of: it is the left (right) operand.
  void absorb_lower() {
    if (!owned_ && c_.may_reorder(op_)) return absorb_higher();
    const Data result = owned_ ? current_ : take();
    c_.combine(op_, incoming_, current_, result);
    current_ = result;
    owned_ = true;
  }
  void absorb_higher() {
    if (owned_ && c_.may_reorder(op_)) return absorb_lower();
    c_.reduce(op_, current_, incoming_);
    advance();
  }
  void absorb(bool lower) { lower ? absorb_lower() : absorb_higher(); }

  // Brings the result to its place, if it is not there.
  void finish(void* place) { c_.copy(current_, data(place, current_.count, type_)); }

 private:
  // The result now lies in the incoming buffer; the next part comes to another.
  void advance() {
    if (owned_) {
      std::swap(current_, incoming_);
      return;
    }
    current_ = std::exchange(incoming_, Data{});
    owned_ = true;
  }
  // One more buffer. There are never more than two besides the caller's: the result and what comes next.
  Data take() { return (first_.taken() ? second_ : first_).take(current_.count, type_); }

  const Ctx& c_;
  const Op& op_;
  Datatype& type_;
  Scratch first_, second_;  // buffers, taken when needed
  Data current_, incoming_;
  bool owned_ = false;  // current_ may be written
};

}  // namespace starling::coll
