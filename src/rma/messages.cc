// SPDX-License-Identifier: BSD-3-Clause
#include "rma/messages.h"

#include <vector>

#include "base/error.h"

namespace starling::rma {

namespace {

// A message of Am::kRma, whose header carries the window's context: Question, iovec[runs], the data of the origin if there is
// any
// (`bytes` bytes), the data to compare with (likewise).
struct Question {
  std::uint64_t asking;  // the origin's Asking, which the answer names
  Act act;
  bool has_data;
  bool has_compare;
  bool wants_data;
  std::uint16_t op, unit;  // codes: units are predefined types
  std::uint32_t runs;
  std::uint32_t bytes;
};
static_assert(sizeof(Question) == 24);
constexpr std::size_t kMostQuestion = sizeof(Question) + kMessageLimits.runs * sizeof(iovec) + 2 * kMessageLimits.bytes;
static_assert(kMostQuestion <= Endpoint::kLeastMessage, "Endpoint::kLeastMessage");

// An origin that waits for the answer, a message of Am::kRmaAnswer with the contents that it wanted.
struct Asking {
  std::byte* out;
  bool done = false;
  int error = kSuccess;
};

// Where a message is put together.
class Letter {
 public:
  void add(const void* bytes, std::size_t n) {
    if (n != 0) std::memcpy(data_ + length_, bytes, n);
    length_ += n;
  }
  const std::byte* data() const { return data_; }
  std::size_t length() const { return length_; }

 private:
  alignas(16) std::byte data_[kMostQuestion];
  std::size_t length_ = 0;
};

Win* find_window(Inbox& inbox, Context context) {
  Win* found = nullptr;
  win_pool().for_each([&](Win& win) {
    if (win.comm && win.comm->context == context && win.comm->worker == &inbox) found = &win;
  });
  return found;
}

// An answer for which there was no room at once.
struct Answer {
  Worker& worker;
  Peer to;
  AmHeader header;
  std::vector<std::byte> payload;

  bool send() const { return worker.endpoint(to).send_short(header, payload.data(), payload.size()); }
  static bool poll(void* self) {
    auto* answer = static_cast<Answer*>(self);
    if (!answer->send()) return false;
    answer->worker.remove_poller({&poll, self});
    delete answer;
    return true;
  }
};

void act(const Win& win, const Question& question, Runs runs, const std::byte* data, std::byte* out) {
  const LocalMemory memory;
  const auto bytes = static_cast<Count>(question.bytes);
  const std::byte* compare = question.has_compare ? data + bytes : nullptr;
  switch (question.act) {
    case Act::kRead:
      return memory.read(runs, out);
    case Act::kWrite:
      return memory.write(runs, data);
    case Act::kUpdate: {
      const Locked locked(win.words(win.comm->rank).exclusion);
      modify(memory, runs, Update{*predefined_op(question.op), *predefined_datatype(question.unit), compare}, data, out, bytes);
    }
  }
}

void on_question(Inbox& inbox, const AmHeader& header, Peer from, const std::byte* payload, std::size_t) {
  auto& worker = static_cast<Worker&>(inbox);
  Question question;
  std::memcpy(&question, payload, sizeof question);
  Answer answer{worker, from, {question.asking, 0, kSuccess, Am::kRmaAnswer}, {}};
  if (question.wants_data) answer.payload.resize(question.bytes);
  if (const Win* win = find_window(inbox, header.context)) {
    iovec runs[kMessageLimits.runs];
    std::memcpy(runs, payload + sizeof question, question.runs * sizeof(iovec));
    const std::byte* data = payload + sizeof question + question.runs * sizeof(iovec);
    act(*win, question, Runs(runs, question.runs), data, question.wants_data ? answer.payload.data() : nullptr);
  } else {
    answer.header.tag = kErrWin;
  }
  if (answer.send()) return;
  worker.add_poller({&Answer::poll, new Answer(std::move(answer))});
}

void on_answer(Inbox&, const AmHeader& header, Peer, const std::byte* payload, std::size_t length) {
  auto& asking = *reinterpret_cast<Asking*>(header.context);
  if (length != 0) std::memcpy(asking.out, payload, length);
  asking.error = header.tag;
  asking.done = true;
}

}  // namespace

void serve(Worker& worker) {
  worker.set_handler(Am::kRma, &on_question);
  worker.set_handler(Am::kRmaAnswer, &on_answer);
}

void ask(Win& win, Endpoint& endpoint, Act act, Runs runs, const Update* update, const std::byte* in, std::byte* out,
         Count bytes) {
  Asking asking{out};
  Question question{};
  question.asking = reinterpret_cast<std::uint64_t>(&asking);
  question.act = act;
  question.has_data = in != nullptr;
  question.has_compare = update && update->compare;
  question.wants_data = out != nullptr;
  question.runs = static_cast<std::uint32_t>(runs.size());
  question.bytes = static_cast<std::uint32_t>(bytes);
  if (update) {
    question.op = update->op.code;
    question.unit = update->unit.code;
  }
  Letter letter;
  letter.add(&question, sizeof question);
  letter.add(runs.data(), runs.size_bytes());
  if (in) letter.add(in, question.bytes);
  if (question.has_compare) letter.add(update->compare, question.bytes);

  Worker& worker = *win.comm->worker;
  const AmHeader header{win.comm->context, win.comm->rank, 0, Am::kRma};
  worker.wait([&] { return endpoint.send_short(header, letter.data(), letter.length()); });
  worker.wait([&] { return asking.done; });
  if (asking.error != kSuccess) fail(asking.error, "the target has freed the window");
}

}  // namespace starling::rma
