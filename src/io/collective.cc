// SPDX-License-Identifier: BSD-3-Clause
// Collective access in two phases (Thakur, Gropp, Lusk, Frontiers '99): the processes hand their small, interleaved pieces to a
// few aggregators, which read or write long ranges of the file.
#include "io/collective.h"

#include "coll/allgather/allgather.h"
#include "coll/bcast/bcast.h"
#include "datatype/layout.h"
#include "io/exchange.h"
#include "io/transfer.h"

namespace starling::io {

using coll::Ctx;
using coll::Messages;
using coll::Task;

namespace {

constexpr Count kSmallPiece = 16384;  // that a process had better not transfer by itself

template <class T>
coll::Data bytes_of(T& value) {
  return coll::raw(&value, sizeof value);
}
coll::Data bytes_of(std::vector<FileRun>& runs) {
  return coll::raw(runs.data(), static_cast<Count>(runs.size() * sizeof(FileRun)));
}

// The argument of an allgather in place.
template <class T>
coll::AllgatherArgs everybodys(coll::ScratchArray<T>& values, int size) {
  return {{kInPlace, 0, nullptr}, coll::blocks(&values[0], sizeof(T), coll::byte_type()), size};
}

Extent extent_of(const Access& access) {
  if (access.bytes == 0) return {};
  const FileView& view = access.file->view;
  return {access.first_offset(), access.end_offset(), access.bytes, view.piece_bytes() < kSmallPiece, !view.ordered()};
}

void note(Access& access, int error_class, const char* text) {
  if (error_class != kSuccess && access.error.error_class == kSuccess) access.error = {error_class, text};
}

// In the order of the ranks, by the shared file pointer.
Task take_turns(Ctx c, Access* a) {
  coll::ScratchArray<Count> etypes(c, c.size);
  etypes[c.rank] = a->etypes();
  co_await coll::allgather_brucks(c, everybodys(etypes, c.size));
  Count before = 0, all = 0;
  for (int r = 0; r < c.size; ++r) {
    if (r == c.rank) before = all;
    all += etypes[r];
  }
  Count start = 0;
  if (c.rank == 0) start = a->file->shared_position().fetch_add(all, std::memory_order_relaxed);  // the message orders it
  const coll::BcastArgs message{bytes_of(start), 0};
  co_await coll::bcast_binomial(c, message);
  a->place(start + before);
}

// An aggregator's part in a round of a write.
Task write_window(Ctx c, Exchange* x) {
  const int n = static_cast<int>(x->in.size());
  Messages heads(c, n);
  for (Incoming& from : x->in) heads.recv(bytes_of(from.head), from.source);
  co_await heads.all();
  for (Incoming& from : x->in) {
    from.runs.resize(static_cast<std::size_t>(from.head.runs));
    coll::Scratch data(c, from.head.bytes);
    Messages body(c, 2);
    body.recv(bytes_of(from.runs), from.source);
    body.recv(data.raw(0, from.head.bytes), from.source);
    co_await body.all();
    x->scatter(from, data.bytes());
  }
  x->write_window();
}

// An aggregator's part in a round of a read. The answers, which lie in `data`, are among the messages `replies`.
Task read_window(Ctx c, Exchange* x, Messages* replies, coll::Scratch* data) {
  const int n = static_cast<int>(x->in.size());
  Messages asked(c, n);
  for (Incoming& from : x->in) asked.recv(bytes_of(from.head), from.source);
  co_await asked.all();
  for (Incoming& from : x->in) {
    from.runs.resize(static_cast<std::size_t>(from.head.runs));
    asked.recv(bytes_of(from.runs), from.source);
  }
  co_await asked.all();
  x->read_window();
  Count total = 0;
  for (Incoming& to : x->in) {
    to.skipped = total;
    total += to.answer.bytes;
  }
  data->take(total);
  for (Incoming& to : x->in) {
    x->gather(to, data->bytes() + to.skipped);
    replies->send(bytes_of(to.answer), to.source);
    replies->send(data->raw(to.skipped, to.answer.bytes), to.source);
  }
}

Task receive_answers(Ctx c, Exchange* x) {
  Messages in(c, static_cast<int>(x->out.size()));
  for (Outgoing& from : x->out) in.recv(bytes_of(from.answer), from.aggregator_rank);
  co_await in.all();
  for (Outgoing& from : x->out) {
    coll::Data data = x->data_of(from);
    data.count = from.answer.bytes;
    in.recv(data, from.aggregator_rank);
  }
  co_await in.all();
  for (Outgoing& from : x->out) {
    x->received(from);
    note(x->access, from.answer.error, from.answer.text);
  }
}

Task one_round(Ctx c, Exchange* x, Count round) {
  x->begin_round(round);
  const bool writes = x->access.writes();
  coll::Scratch answers(c);  // outlives the messages that send it
  Messages messages(c, 3 * static_cast<int>(x->out.size()) + 2 * static_cast<int>(x->in.size()));
  for (Outgoing& to : x->out) {
    messages.send(bytes_of(to.head), to.aggregator_rank);
    messages.send(bytes_of(to.runs), to.aggregator_rank);
    if (writes) messages.send(x->data_of(to), to.aggregator_rank);
  }
  if (writes) {
    if (x->mine >= 0) co_await write_window(c, x);
  } else {
    if (x->mine >= 0) co_await read_window(c, x, &messages, &answers);
    co_await receive_answers(c, x);
  }
  co_await messages.all();
}

// The aggregators of a write tell those whose data they had how it went.
Task tell_outcome(Ctx c, Exchange* x) {
  Messages messages(c, c.size + x->plan.aggregators);
  Answer mine{};
  put_error(x->error, mine);
  const Extent& own = x->extents[c.rank];
  coll::ScratchArray<Answer> answers(c, x->plan.aggregators);
  for (int i = 0; i < x->plan.aggregators; ++i) {
    answers[i].error = kSuccess;
    if (x->plan.part_of(i).meets(own)) messages.recv(bytes_of(answers[i]), x->plan.rank_of(i));
  }
  for (int r = 0; x->mine >= 0 && r < c.size; ++r)
    if (x->plan.part_of(x->mine).meets(x->extents[r])) messages.send(bytes_of(mine), r);
  co_await messages.all();
  for (int i = 0; i < x->plan.aggregators; ++i) note(x->access, answers[i].error, answers[i].text);
}

void access_alone(Access& access) {
  try {
    transfer(access);
  } catch (const Error& error) {
    access.error = error;
  }
}

}  // namespace

Task access_together(Ctx c, Access* a) {
  if (a->ordered) co_await take_turns(c, a);
  const Hints& hints = a->file->hints;
  const Choice choice = a->writes() ? hints.cb_write : hints.cb_read;
  if (c.size == 1 || a->file->atomic || choice == Choice::kDisable) {
    access_alone(*a);
    co_return;
  }
  coll::ScratchArray<Extent> extents(c, c.size);
  extents[c.rank] = extent_of(*a);
  co_await coll::allgather_brucks(c, everybodys(extents, c.size));
  const Plan plan = make_plan(extents.begin(), c.size, hints, choice);
  if (!plan.together) {
    access_alone(*a);
    co_return;
  }
  Exchange exchange(*a, extents.begin(), plan, c.rank);
  for (Count round = 0; round < plan.rounds; ++round) co_await one_round(c, &exchange, round);
  if (!a->writes()) co_return;
  co_await tell_outcome(c, &exchange);
  a->moved = a->bytes;
}

}  // namespace starling::io
