// SPDX-License-Identifier: BSD-3-Clause
#include "io/exchange.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace starling::io {

namespace {

constexpr Count kAlignment = 4096;        // of the aggregators' parts, unless striping_unit says otherwise
constexpr Count kLargestHole = 64 << 10;  // that an aggregator reads along

// Collects the runs of a view, joining neighbours.
class RunList {
 public:
  explicit RunList(std::vector<FileRun>& list) : list_(list) {}
  void run(datatype::Address at, Count bytes) {
    if (!list_.empty() && list_.back().count == 1 && list_.back().offset + list_.back().bytes == at) {
      list_.back().bytes += bytes;
    } else {
      list_.push_back({at, bytes, 1, bytes});
    }
  }
  void strided(datatype::Address at, Count count, Count stride, Count bytes) {
    if (stride == bytes) return run(at, count * bytes);
    list_.push_back({at, bytes, count, stride});
  }
  bool full() const { return false; }

 private:
  std::vector<FileRun>& list_;
};

// Calls visit(offset, bytes) for each piece of the runs.
template <class Visit>
void for_each_piece(const std::vector<FileRun>& runs, Visit&& visit) {
  for (const FileRun& run : runs)
    for (Count i = 0; i < run.count; ++i) visit(run.offset + i * run.stride, run.bytes);
}

bool interleaved(const Extent* extents, int size) {
  Count end = INT64_MIN;
  for (int r = 0; r < size; ++r) {
    if (extents[r].bytes == 0) continue;
    if (extents[r].first < end) return true;
    end = extents[r].end;
  }
  return false;
}

}  // namespace

Plan make_plan(const Extent* extents, int size, const Hints& hints, Choice choice) {
  Plan plan;
  Range all{INT64_MAX, 0};
  bool loose = false, small = false;
  for (int r = 0; r < size; ++r) {
    if (extents[r].bytes == 0) continue;
    all.first = std::min(all.first, extents[r].first);
    all.end = std::max(all.end, extents[r].end);
    loose = loose || extents[r].loose;
    small = small || extents[r].small;
  }
  plan.together = all.first < all.end && !loose && choice != Choice::kDisable &&
                  (choice == Choice::kEnable || (small && interleaved(extents, size)));
  if (!plan.together) return plan;
  const Count unit = hints.striping_unit > 0 ? hints.striping_unit : kAlignment;
  plan.size = size;
  plan.aggregators = static_cast<int>(std::min<Count>(hints.cb_nodes, size));
  plan.base = all.first / unit * unit;
  plan.end = all.end;
  const Count share = (plan.end - plan.base + plan.aggregators - 1) / plan.aggregators;
  plan.part = (share + unit - 1) / unit * unit;
  plan.window = std::min(hints.cb_buffer_size, plan.part);
  plan.rounds = (plan.part + plan.window - 1) / plan.window;
  return plan;
}

Range Plan::part_of(int aggregator) const {
  const Count first = std::min(base + aggregator * part, end);
  return {first, std::min(first + part, end)};
}
Range Plan::window_of(int aggregator, Count round) const {
  const Range whole = part_of(aggregator);
  const Count first = std::min(whole.first + round * window, whole.end);
  return {first, std::min(first + window, whole.end)};
}

void put_error(const Error& error, Answer& answer) {
  answer.error = error.error_class;
  std::snprintf(answer.text, sizeof answer.text, "%s", error.message.c_str());
}

Exchange::Exchange(Access& a, const Extent* all, const Plan& p, int rank) : access(a), extents(all), plan(p) {
  for (int i = 0; i < plan.aggregators; ++i)
    if (plan.rank_of(i) == rank) mine = i;
  if (mine >= 0) buffer_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(plan.window));
}

void Exchange::begin_round(Count round) {
  const FileView& view = access.file->view;
  const Count begin = access.position, end = begin + access.bytes;
  const Extent own = access.bytes > 0 ? Extent{access.first_offset(), access.end_offset(), access.bytes, 0, 0} : Extent{};
  out.clear();
  for (int i = 0; i < plan.aggregators; ++i) {
    const Range window = plan.window_of(i, round);
    if (!window.meets(own)) continue;
    const Count first = std::clamp(view.positions_before(window.first), begin, end);
    const Count last = std::clamp(view.positions_before(window.end), begin, end);
    Outgoing& to = out.emplace_back();
    to.aggregator_rank = plan.rank_of(i);
    to.from = first - begin;
    RunList list(to.runs);
    view.walk(first, last - first, list);
    to.head = {last - first, static_cast<Count>(to.runs.size())};
  }
  in.clear();
  if (mine < 0) return;
  window_ = plan.window_of(mine, round);
  coverage_.reset(window_.end - window_.first);
  for (int r = 0; r < plan.size; ++r)
    if (window_.meets(extents[r])) in.emplace_back().source = r;
}

coll::Data Exchange::data_of(Outgoing& to) {
  const coll::Data& memory = access.memory;
  if (memory.type->contiguous)
    return coll::raw(const_cast<std::byte*>(datatype::data_of(memory.address, *memory.type)) + to.from, to.head.bytes);
  to.packed = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(to.head.bytes));
  if (access.writes()) datatype::pack(memory.address, memory.count, *memory.type, to.from, to.packed.get(), to.head.bytes);
  return coll::raw(to.packed.get(), to.head.bytes);
}

void Exchange::received(const Outgoing& from) {
  const coll::Data& memory = access.memory;
  if (from.packed)
    datatype::unpack(memory.address, memory.count, *memory.type, from.from, from.packed.get(), from.answer.bytes);
  access.moved += from.answer.bytes;
}

void Exchange::scatter(const Incoming& from, const std::byte* data) {
  for_each_piece(from.runs, [&](Count offset, Count bytes) {
    std::memcpy(buffer_.get() + (offset - window_.first), data, static_cast<std::size_t>(bytes));
    coverage_.mark(offset - window_.first, bytes);
    data += bytes;
  });
}

// Others wait for this process, whatever happens to it.
template <class Move>
void Exchange::attempt(Move&& move) {
  try {
    move();
  } catch (const Error& met) {
    if (error.error_class == kSuccess) error = met;
  }
}

void Exchange::write_window() {
  attempt([this] {
    coverage_.for_each([this](Count first, Count bytes) {
      iovec part{buffer_.get() + first, static_cast<std::size_t>(bytes)};
      access.file->driver->write(window_.first + first, &part, 1);
    });
  });
}

void Exchange::read_window() {
  for (const Incoming& from : in)
    for_each_piece(from.runs, [&](Count offset, Count bytes) { coverage_.mark(offset - window_.first, bytes); });
  Count file_end = INT64_MAX;  // as far as it was met
  Range next{0, 0};            // to be read at once
  const auto read = [&] {
    if (next.first == next.end || file_end != INT64_MAX) return;
    iovec part{buffer_.get() + next.first, static_cast<std::size_t>(next.end - next.first)};
    const Count got = access.file->driver->read(window_.first + next.first, &part, 1);
    if (got < next.end - next.first) file_end = window_.first + next.first + got;
  };
  attempt([&] {
    coverage_.for_each([&](Count first, Count bytes) {
      if (first - next.end > kLargestHole) {
        read();
        next.first = first;
      } else if (next.first == next.end) {
        next.first = first;
      }
      next.end = first + bytes;
    });
    read();
  });
  for (Incoming& from : in) {
    from.answer.bytes = error.error_class == kSuccess ? bytes_before(from, file_end) : 0;
    put_error(error, from.answer);
  }
}

Count Exchange::bytes_before(const Incoming& from, Count offset) const {
  if (offset == INT64_MAX) return from.head.bytes;
  Count before = 0;
  for_each_piece(from.runs, [&](Count first, Count bytes) { before += std::clamp<Count>(offset - first, 0, bytes); });
  return before;
}

void Exchange::gather(const Incoming& to, std::byte* data) const {
  Count left = to.answer.bytes;
  for_each_piece(to.runs, [&](Count offset, Count bytes) {
    const Count now = std::min(bytes, left);
    std::memcpy(data, buffer_.get() + (offset - window_.first), static_cast<std::size_t>(now));
    data += now;
    left -= now;
  });
}

}  // namespace starling::io
