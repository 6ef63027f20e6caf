// SPDX-License-Identifier: BSD-3-Clause
#include "launch/options.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "launch/hosts.h"

namespace starling::launch {

namespace {

std::vector<std::string> split_blanks(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

const OptionRow* find_option(std::string_view name) {
  OptionTable table = option_table();
  for (const OptionRow* row = table.begin; row != table.end; ++row)
    for (const std::string& known : split_blanks(row->names))
      if (known == name) return row;
  return nullptr;
}

bool is_assignment(const std::string& word) {
  auto equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || std::isdigit(static_cast<unsigned char>(word[0]))) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// Reads blocks "options NAME=VALUE... [hosts] program arguments" separated by ':'.
class Parser {
 public:
  Parser(Options& options, std::vector<std::string>& config_files) : options_(options), config_files_(config_files) {}

  void parse(const std::vector<std::string>& words) {
    words_ = &words;
    at_ = 0;
    for (bool first = true;; first = false, ++at_) {
      Program program;
      const std::size_t start = at_;
      parse_options(program);
      if (at_ > start && at_ + 1 < words.size() && words[at_] == ":") ++at_;  // "-n 2 : program" of mpirun_rsh's files
      parse_before_program();
      while (at_ < words.size() && words[at_] != ":") program.words.push_back(words[at_++]);
      if (!program.words.empty())
        options_.programs.push_back(std::move(program));
      else if (first && at_ == words.size())
        leftover_ = std::move(program);
      else
        fail(kErrArg, "no program is named on one side of a ':'");
      if (at_ == words.size()) return;
    }
  }

  // Options without a program: "mpirun_rsh -np 4 -config file" says how many ranks the file describes.
  const Program& leftover() const { return leftover_; }

 private:
  void parse_options(Program& program) {
    const auto& words = *words_;
    ParseState state{options_, program, {}};
    while (at_ < words.size() && words[at_].size() > 1 && words[at_][0] == '-') {
      std::string word = words[at_++];
      std::string name = word.substr(word[1] == '-' ? 2 : 1);
      if (name.empty()) break;  // "--" ends the options
      std::vector<std::string> values;
      auto equals = name.find('=');
      if (equals != std::string::npos) {
        values.push_back(name.substr(equals + 1));
        name.resize(equals);
      }
      const OptionRow* row = find_option(name);
      if (!row) fail(kErrArg, "unknown option %s (-help lists the options)", word.c_str());
      collect_values(*row, word, values);
      if (row->kind == OptionRow::Kind::kUnsupported)
        fail(kErrArg, "option %s is not supported yet: %s", word.c_str(), row->help);
      if (row->kind == OptionRow::Kind::kEffect) row->apply(state, values);
    }
    config_files_.insert(config_files_.end(), state.config_files.begin(), state.config_files.end());
  }

  void collect_values(const OptionRow& row, const std::string& word, std::vector<std::string>& values) {
    std::vector<std::string> wanted = split_blanks(row.values);
    while (values.size() < wanted.size()) {
      // NAME VALUE may also be written NAME=VALUE.
      if (wanted.size() == 2 && values.size() == 1 && is_assignment(values[0])) {
        auto equals = values[0].find('=');
        values.push_back(values[0].substr(equals + 1));
        values[0].resize(equals);
        continue;
      }
      if (at_ >= words_->size()) fail(kErrArg, "option %s needs %s", word.c_str(), row.values);
      values.push_back((*words_)[at_++]);
    }
    if (values.size() > wanted.size()) fail(kErrArg, "option %s takes no value", word.c_str());
  }

  // NAME=VALUE words, and for mpirun_rsh the names of the hosts, in any order.
  void parse_before_program() {
    const auto& words = *words_;
    for (; at_ < words.size() && words[at_] != ":"; ++at_) {
      const std::string& word = words[at_];
      if (is_assignment(word)) {
        auto equals = word.find('=');
        options_.environment.assigned.emplace_back(word.substr(0, equals), word.substr(equals + 1));
      } else if (options_.personality == Personality::kMpirunRsh && options_.host_file.empty() && is_this_host(word)) {
        options_.hosts.push_back(word);
      } else {
        break;
      }
    }
  }

  Options& options_;
  std::vector<std::string>& config_files_;
  const std::vector<std::string>* words_ = nullptr;
  std::size_t at_ = 0;
  Program leftover_;
};

// Splits a line as a shell would without expansions: blanks separate, quotes and backslashes protect.
std::vector<std::string> split_line(const std::string& line, const std::string& file) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool in_word = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == '\\' && i + 1 < line.size()) {
      word += line[++i];
      in_word = true;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote) fail(kErrArg, "%s: a quote is not closed in \"%s\"", file.c_str(), line.c_str());
  if (in_word) words.push_back(std::move(word));
  return words;
}

void read_config_file(const std::string& path, Parser& parser) {
  std::ifstream file(path);
  if (!file) fail(kErrArg, "cannot read the configuration file %s: %s", path.c_str(), std::strerror(errno));
  std::string line, whole;
  while (std::getline(file, line)) {
    if (!line.empty() && line.back() == '\\') {
      whole += line.substr(0, line.size() - 1) + " ";
      continue;
    }
    whole += line;
    std::vector<std::string> words = split_line(whole, path);
    whole.clear();
    if (!words.empty() && words[0][0] != '#') parser.parse(words);
  }
}

// What only makes sense once everything is read: how many ranks, and whether there is something to run.
void complete(Options& options, const Program& leftover) {
  if (options.programs.empty()) {
    fail(kErrArg, "no program to run is named (usage: %s -n 4 ./program; -help lists the options)", options.called_as.c_str());
  }
  int total = 0;
  for (Program& program : options.programs) {
    if (program.ranks == 0 && options.programs.size() == 1) program.ranks = leftover.ranks;
    if (program.ranks == 0) program.ranks = default_ranks(options);
    total += program.ranks;
  }
  if (leftover.ranks > 0 && total != leftover.ranks)
    fail(kErrArg, "-np says %d ranks, the configuration file describes %d", leftover.ranks, total);
}

}  // namespace

Options parse_command_line(std::string_view called_as, const std::vector<std::string>& words) {
  Options options;
  auto slash = called_as.rfind('/');
  options.called_as = called_as.substr(slash == called_as.npos ? 0 : slash + 1);
  if (options.called_as == "mpirun_rsh") options.personality = Personality::kMpirunRsh;
  std::vector<std::string> config_files;
  Parser parser(options, config_files);
  parser.parse(words);
  for (std::size_t i = 0; i < config_files.size(); ++i) {  // by index: a file may name another
    if (i > 64) fail(kErrArg, "more than 64 configuration files: does %s name itself?", config_files[i].c_str());
    read_config_file(std::string(config_files[i]), parser);
  }
  if (options.action == Options::Action::kRun && options.singleton_fd < 0) complete(options, parser.leftover());
  return options;
}

std::string help_text(std::string_view called_as) {
  std::string text;
  std::string name(called_as);
  text += "Usage: " + name + " [options] [NAME=VALUE ...] program [arguments] [: [options] program [arguments] ...]\n";
  if (name == "mpirun_rsh") text += "       " + name + " -np N [options] [host ...] [NAME=VALUE ...] program [arguments]\n";
  text += "Starts the ranks of an MPI job on this host. One dash or two, \"-option value\" or \"-option=value\".\n\n";
  OptionTable table = option_table();
  for (const OptionRow* row = table.begin; row != table.end; ++row) {
    if (row->kind == OptionRow::Kind::kUnsupported) continue;
    std::string left;
    for (const std::string& alias : split_blanks(row->names)) left += (left.empty() ? "  -" : ", -") + alias;
    if (*row->values) left += std::string(" ") + row->values;
    if (left.size() < 34)
      left.resize(34, ' ');
    else
      left += "\n" + std::string(34, ' ');
    text += left + row->help + "\n";
  }
  text += "\nThe settings for binding, timeouts and the library are environment variables: mpi_info lists them.\n";
  return text;
}

}  // namespace starling::launch
