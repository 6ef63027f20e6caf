// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>

#include "profile/report.h"

namespace starling::profile {

namespace {

// Just enough of a JSON writer: values go where the caller is, commas come by themselves.
class Json {
 public:
  Json& key(const char* name) {
    value(name);
    text_ += ':';
    fresh_ = true;
    return *this;
  }
  Json& open(char bracket) {
    comma();
    text_ += bracket;
    fresh_ = true;
    return *this;
  }
  Json& close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    return *this;
  }
  Json& value(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", std::isfinite(number) ? number : 0.0);
    return raw(digits);
  }
  Json& value(std::uint64_t number) { return raw(std::to_string(number)); }
  Json& value(int number) { return raw(std::to_string(number)); }
  Json& value(const char* text) { return value(std::string(text)); }
  Json& value(const std::string& text) {
    std::string quoted = "\"";
    for (char c : text) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      bool plain = static_cast<unsigned char>(c) >= 32 && c != '"' && c != '\\' && c != '<';  // '<' would end a script element
      plain ? quoted += c : quoted += escape;
    }
    return raw(quoted + '"');
  }
  template <class T>
  Json& field(const char* name, const T& v) {
    return key(name).value(v);
  }
  std::string take() { return std::move(text_); }

 private:
  void comma() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }
  Json& raw(const std::string& text) {
    comma();
    text_ += text;
    return *this;
  }
  std::string text_;
  bool fresh_ = true;
};

const char* state_name(RankState state) {
  return state == RankState::kFinished ? "finished" : state == RankState::kRunning ? "unfinished" : "absent";
}

void put_rank(Json& json, int number, const RankResult& rank) {
  json.open('{')
      .field("rank", number)
      .field("state", state_name(rank.state))
      .field("pid", static_cast<std::uint64_t>(rank.pid));
  json.field("host", rank.host).field("program", rank.program).field("run_s", rank.run).field("compute_s", rank.compute);
  json.field("waiting_s", rank.waiting)
      .field("transfer_s", rank.transfer)
      .field("other_s", rank.other)
      .field("caused_s", rank.caused);
  if (!rank.inside.empty()) json.field("inside", rank.inside).field("inside_s", rank.inside_for);
  json.close('}');
}

void put_call(Json& json, const CallResult& call) {
  json.open('{').field("name", call.name).field("count", call.count).field("total_s", call.total);
  json.field("average_s", call.total / static_cast<double>(call.count)).field("max_s", call.max);
  json.field("waiting_s", call.waiting).field("transfer_s", call.transfer).field("other_s", call.other);
  json.field("least_s", call.least)
      .field("least_rank", call.least_rank)
      .field("most_s", call.most)
      .field("most_rank", call.most_rank);
  json.close('}');
}

void put_sizes(Json& json, const char* name, const std::vector<SizeCount>& sizes) {
  json.key(name).open('[');
  for (unsigned b = 0; b < sizes.size(); ++b) {
    if (!sizes[b].messages) continue;
    const std::uint64_t from = b ? std::uint64_t{1} << (b - 1) : 0;
    json.open('{').field("from", from).field("to", b ? 2 * from - 1 : 0).field("count", sizes[b].messages);
    json.field("bytes", sizes[b].bytes).close('}');
  }
  json.close(']');
}

template <class Cell>
void put_matrix(Json& json, const char* name, std::size_t ranks, Cell cell) {
  json.key(name).open('[');
  for (std::size_t row = 0; row < ranks; ++row) {
    json.open('[');
    for (std::size_t column = 0; column < ranks; ++column) json.value(cell(row, column));
    json.close(']');
  }
  json.close(']');
}

}  // namespace

std::string json_report(const Result& result) {
  Json json;
  const std::size_t ranks = result.ranks.size();
  json.open('{').field("version", 1).field("ranks", static_cast<std::uint64_t>(ranks)).field("present", result.present);
  json.field("elapsed_s", result.elapsed);
  json.key("perfect_interconnect")
      .open('{')
      .field("estimate_s", result.perfect)
      .field("balanced_s", result.perfect_least)
      .close('}');
  json.field("looked_at", 1.0 / static_cast<double>(std::uint64_t{1} << result.thinned)).field("waits", result.events);
  json.field("unmatched", result.unmatched).field("unnumbered", result.lost_channels);
  json.key("by_rank").open('[');
  for (std::size_t i = 0; i < ranks; ++i) put_rank(json, static_cast<int>(i), result.ranks[i]);
  json.close(']').key("calls").open('[');
  for (const CallResult& call : result.calls) put_call(json, call);
  json.close(']');
  put_sizes(json, "message_sizes", result.message_sizes);
  put_sizes(json, "collective_sizes", result.collective_sizes);
  put_matrix(json, "messages", ranks, [&](auto from, auto to) { return result.traffic[from][to].messages; });
  put_matrix(json, "bytes", ranks, [&](auto from, auto to) { return result.traffic[from][to].bytes; });
  put_matrix(json, "waited_for_s", ranks, [&](auto who, auto whom) { return result.waited_for[who][whom]; });
  return json.close('}').take() + "\n";
}

}  // namespace starling::profile
