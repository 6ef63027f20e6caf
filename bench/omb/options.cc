// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"

#include <getopt.h>
#include <strings.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "datatype.h"
#include "omb.h"

namespace omb {
namespace {

using Text = const char*;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  size_t start = 0;
  for (size_t end; (end = text.find(separator, start)) != std::string::npos; start = end + 1)
    words.push_back(text.substr(start, end - start));
  words.push_back(text.substr(start));
  return words;
}

// The whole of `text` as a number between the two limits.
template <class Number>
bool number(const std::string& text, long long least, long long most, Number& result) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return false;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), nullptr, 10);
  if (errno != 0 || value < least || value > most) return false;
  result = static_cast<Number>(value);
  return true;
}

template <class Number>
bool number(const std::string& text, long long least, long long most, std::optional<Number>& result) {
  Number value;
  if (!number(text, least, most, value)) return false;
  result = value;
  return true;
}

Text set_message_size(Options& o, Text argument) {
  constexpr long long kMost = LLONG_MAX / 2;
  const auto parts = split(argument, ':');
  const std::string& last = parts.back();
  bool good = parts.size() <= 2 && (last.empty() ? parts.size() == 2 : number(last, 0, kMost, o.max));
  if (good && parts.size() == 2 && !parts[0].empty()) good = number(parts[0], 1, kMost, o.min);
  if (!good) return "Invalid message size: MAX, MIN:MAX, MIN: or :MAX with MIN > 0";
  if (o.min && o.max && *o.min > *o.max) return "Invalid message size: MIN is larger than MAX";
  return nullptr;
}

bool set_sizes(Options& o, Text list) {
  for (const std::string& word : split(list, ',')) {
    const auto parts = split(word, ':');
    SizeCount& each = o.sizes.emplace_back();
    if (parts.size() > 2 || !number(parts[0], 0, LLONG_MAX / 2, each.size)) return false;
    if (parts.size() == 2 && !number(parts[1], 1, INT_MAX, each.iterations)) return false;
  }
  return true;
}

Text set_threads(Options& o, Text argument) {
  const auto parts = split(argument, ':');
  bool good = parts.size() <= 2 && number(parts.back(), 1, 127, o.receivers);
  if (good && parts.size() == 2) good = number(parts[0], 1, 127, o.senders);
  if (good && parts.size() == 1) o.senders = 1;
  return good ? nullptr : "Invalid number of threads or processes: RECV or SEND:RECV, 1 to 127 each";
}

Text set_memory_limit(Options& o, Text argument) {
  constexpr size_t kLeast = size_t{1} << 20;
  if (!number(argument, 0, LLONG_MAX, o.memory_limit)) return "Invalid memory limit";
  if (o.memory_limit < kLeast) {
    o.memory_limit = kLeast;
    o.memory_limit_raised = true;
  }
  return nullptr;
}

Text set_sync(Options& o, Text argument) {
  static constexpr std::pair<Text, Sync> kNames[] = {
      {"lock", Sync::kLock},        {"flush", Sync::kFlush}, {"flush_local", Sync::kFlushLocal},
      {"lock_all", Sync::kLockAll}, {"pscw", Sync::kPscw},   {"fence", Sync::kFence}};
  for (auto [name, sync] : kNames)
    if (!strcasecmp(name, argument)) return o.sync = sync, nullptr;
  return "Invalid synchronization: lock, flush, flush_local, lock_all, pscw or fence";
}

Text set_active_sync(Options& o, Text argument) {
  if (Text problem = set_sync(o, argument)) return problem;
  return o.sync == Sync::kPscw || o.sync == Sync::kFence ? nullptr : "Invalid synchronization: this test has pscw and fence";
}

Text set_window(Options& o, Text argument) {
  static constexpr std::pair<Text, WindowKind> kNames[] = {
      {"create", WindowKind::kCreate}, {"allocate", WindowKind::kAllocate}, {"dynamic", WindowKind::kDynamic}};
  for (auto [name, kind] : kNames)
    if (!strcasecmp(name, argument)) return o.window_kind = kind, nullptr;
  return "Invalid window: create, allocate or dynamic";
}

Text set_validation(Options& o, Text argument) {
  o.validate = true;
  if (!argument) return nullptr;
  const auto parts = split(argument, ':');
  if (parts[0] != "log" || parts.size() > 2 || (parts.size() == 2 && parts[1].empty()))
    return "Invalid validation option: log or log:DIR";
  o.log = true;
  if (parts.size() == 2) o.log_directory = parts[1];
  return nullptr;
}

Text set_graph(Options& o, Text argument) {
  for (const std::string& word : split(argument, ',')) {
    bool* flag = word == "tty" ? &o.tty : word == "png" ? &o.png : word == "pdf" ? &o.pdf : nullptr;
    if (!flag) return "Invalid graph output: a list of tty, png and pdf";
    *flag = o.graph = true;
  }
  return nullptr;
}

Text set_papi(Options& o, Text argument) {
  constexpr size_t kMostEvents = 100;
  const std::string text = argument;
  // Names of events have colons too ("perf::TASK-CLOCK"), two at a time; a single one begins the path.
  size_t colon = text.find(':');
  while (colon != std::string::npos && colon + 1 < text.size() && text[colon + 1] == ':') colon = text.find(':', colon + 2);
  o.papi_default_path = colon == std::string::npos;
  if (!o.papi_default_path) o.papi_path = text.substr(colon + 1);
  o.papi_events = split(text.substr(0, colon), ',');
  for (const std::string& event : o.papi_events)
    if (event.empty()) return "Invalid PAPI events: EVENT[,EVENT...][:PATH]";
  if (o.papi_path.empty()) return "Invalid PAPI events: the path is empty";
  return o.papi_events.size() <= kMostEvents ? nullptr : "Invalid PAPI events: more than 100";
}

Text set_derived(Options& o, Text argument) {
  const auto parts = split(argument, ':');
  bool good = false;
  if (parts[0] == "cont") {
    o.derived = Derived::kContiguous;
    good = parts.size() == 1;
  } else if (parts[0] == "vect") {
    o.derived = Derived::kVector;
    good = parts.size() <= 3 && (parts.size() < 2 || number(parts[1], 1, INT_MAX, o.stride)) &&
           (parts.size() < 3 || number(parts[2], 1, INT_MAX, o.block));
    if (good && o.block > o.stride) return "Invalid derived datatype: the block is longer than the stride";
  } else if (parts[0] == "indx") {
    o.derived = Derived::kIndexed;
    good = parts.size() == 2 && !parts[1].empty();
    if (good) o.index_file = parts[1];
  }
  return good ? nullptr : "Invalid derived datatype: cont, vect:STRIDE:BLOCK or indx:FILE";
}

Text set_neighbours(Options& o, Text argument) {
  const auto parts = split(argument, ':');
  bool good = false;
  if (parts[0] == "cart") {
    o.neighbours = Neighbours::kCartesian;
    good = parts.size() <= 3 && (parts.size() < 2 || number(parts[1], 1, 64, o.dimensions)) &&
           (parts.size() < 3 || number(parts[2], 1, INT_MAX, o.radius));
  } else if (parts[0] == "graph") {
    o.neighbours = Neighbours::kGraph;
    good = parts.size() == 2 && !parts[1].empty();
    if (good) o.graph_file = parts[1];
  }
  return good ? nullptr : "Invalid topology: cart:DIMENSIONS:RADIUS or graph:FILE";
}

Text set_type(Options& o, Text argument) {
  const auto& all = base_types();
  const bool every = !strcasecmp(argument, "all");
  bool known = every;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!every && strcasecmp(argument, all[i].name)) continue;
    known = true;
    bool chosen = false;
    for (int type : o.types) chosen |= type == static_cast<int>(i);
    if (!chosen) o.types.push_back(static_cast<int>(i));
  }
  return known ? nullptr : "Invalid datatype: all, mpi_char, mpi_int or mpi_float";
}

Text set_integer_type(Options& o, Text argument) {
  if (Text problem = set_type(o, argument)) return problem;
  if (!strcasecmp(argument, "all")) std::erase(o.types, static_cast<int>(kFloat));
  return o.types.back() != kFloat ? nullptr : "Invalid datatype: this operation has no mpi_float";
}

Text set_percentiles(Options& o, Text argument) {
  constexpr size_t kMost = 5;
  o.percentiles.clear();
  for (const std::string& word : split(argument ? argument : "50,90,99", ',')) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end || !(value >= 0 && value <= 100)) return "Invalid percentile: a list of numbers from 0 to 100";
    o.percentiles.push_back(value);
  }
  return o.percentiles.size() <= kMost ? nullptr : "Invalid percentile: at most 5";
}

Text set_root(Options& o, Text argument) {
  const auto parts = split(argument, ':');
  if (parts.size() == 1 && parts[0] == "rotate") return o.rotate_root = true, nullptr;
  if (parts.size() == 2 && parts[0] == "fixed" && number(parts[1], 0, INT_MAX, o.root_rank)) return nullptr;
  return "Invalid root rank: fixed:RANK or rotate";
}

Text set_session(Options& o, Text) {
#if MPI_VERSION >= 4
  o.session = true;
  return nullptr;
#else
  return "Sessions need a build against MPI 4";
#endif
}

// An option: `key` is what programs list; it is the letter, except where two options share one.
struct Option {
  char key, letter;
  Text name;
  int argument;  // of getopt
  Text help;     // lines separated by \n
  Text (*set)(Options&, Text argument);
  Text other_name = nullptr;  // under which it is accepted, too
};

template <auto Member>
Text set_flag(Options& o, Text) {
  o.*Member = true;
  return nullptr;
}

constexpr int kNone = no_argument, kRequired = required_argument, kOptional = optional_argument;

const Option kTable[] = {
    {'h', 'h', "help", kNone, "print this help", set_flag<&Options::help>},
    {'v', 'v', "version", kNone, "print the version", set_flag<&Options::version>},
    {'f', 'f', "full", kNone, "print all columns: minimum, maximum and iterations,\nor every part of the time",
     set_flag<&Options::full>},
    {'p', 'p', "num-pairs", kRequired, "number of pairs (default: half of the ranks)",
     [](Options& o, Text a) { return number(a, 1, INT_MAX, o.pairs) ? nullptr : "Invalid number of pairs"; }},
    {'m', 'm', "message-size", kRequired,
     "message sizes in bytes: MAX, MIN:MAX, MIN: or :MAX\n128      from the default minimum to 128\n2:128    from 2 to 128\n"
     "2:       from 2 to the default maximum",
     set_message_size},
    {'W', 'W', "window-size", kRequired, "messages per synchronisation (default 64)",
     [](Options& o, Text a) { return number(a, 1, INT_MAX, o.window) ? nullptr : "Invalid window size"; }},
    {'R', 'R', "print-rate", kRequired, "0 or 1: print the message rate (default 1)",
     [](Options& o, Text a) { return number(a, 0, 1, o.rate) ? nullptr : "Invalid choice for the rate: 0 or 1"; }},
    {'V', 'V', "vary-window", kNone, "measure all window sizes 1, 2, 4 ... 128", set_flag<&Options::vary_window>},
    {'t', 't', "num-test-calls", kRequired, "calls of MPI_Test during the computation (default 0)",
     [](Options& o, Text a) { return number(a, 0, INT_MAX, o.tests) ? nullptr : "Invalid number of test calls"; }},
    {'y', 't', "num_threads", kRequired, "threads (or processes): RECV or SEND:RECV, each from 1\nto 127", set_threads,
     "num-test-calls"},
    {'i', 'i', "iterations", kRequired, "timed iterations (default: by message size)",
     [](Options& o, Text a) { return number(a, 1, INT_MAX, o.iterations) ? nullptr : "Invalid number of iterations"; }},
    {'x', 'x', "warmup", kRequired, "iterations before the timed ones (default: by message\nsize)",
     [](Options& o, Text a) { return number(a, 0, INT_MAX, o.warmup) ? nullptr : "Invalid number of warmup iterations"; }},
    {'M', 'M', "mem-limit", kRequired, "most memory of a process in bytes (default 536870912)", set_memory_limit},
    {'a', 'a', "array-size", kRequired, "size of the array that the computation uses\n(default 32)",
     [](Options& o, Text a) { return number(a, 1, 1 << 20, o.array_size) ? nullptr : "Invalid array size"; }},
    {'s', 's', "sync-option", kRequired, "synchronisation: lock, flush, flush_local, lock_all,\npscw or fence", set_sync},
    {'S', 's', "sync-option", kRequired, "synchronisation: pscw or fence (default pscw)", set_active_sync},
    {'w', 'w', "win-options", kRequired, "window: create, allocate or dynamic (default allocate)", set_window},
    {'b', 'b', "buffer-num", kRequired, "single or multiple: one buffer, or one for each message\nof a window (default single)",
     [](Options& o, Text a) -> Text {
       o.multiple_buffers = !strcasecmp(a, "multiple");
       return o.multiple_buffers || !strcasecmp(a, "single") ? nullptr : "Invalid buffer number: single or multiple";
     }},
    {'c', 'c', "validation", kOptional,
     "check the data; -clog[:DIR] also writes what is wrong to\nDIR/log-RANK.log (default: validation_output)", set_validation},
    {'u', 'u', "validation-warmup", kRequired, "unchecked repetitions before each checked iteration,\n0 to 10 (default 5)",
     [](Options& o, Text a) {
       return number(a, 0, 10, o.validation_warmup) ? nullptr : "Invalid number of validation warmup iterations";
     }},
    {'G', 'G', "graph", kRequired, "graphs of every iteration: a list of tty, png, pdf\n(with gnuplot)", set_graph},
    {'P', 'P', "papi", kRequired, "hardware counters: EVENT[,EVENT...][:PATH]", set_papi},
    {'D', 'D', "ddt", kRequired, "derived datatype: cont, vect:STRIDE:BLOCK (default 8:4)\nor indx:FILE", set_derived},
    {'N', 'N', "nhbr", kRequired, "topology: cart:DIMENSIONS:RADIUS (default 1:1) or\ngraph:FILE", set_neighbours},
    {'T', 'T', "type", kRequired, "datatype: all, mpi_char, mpi_int or mpi_float; may be\nrepeated", set_type},
    {'J', 'T', "type", kRequired, "datatype: all, mpi_char or mpi_int; may be repeated", set_integer_type},
    {'I', 'I', "session", kNone, "initialise by an MPI session", set_session},
    {'l', 'l', "in-place", kNone, "use MPI_IN_PLACE", set_flag<&Options::in_place>},
    {'z', 'z', "tail-lat", kOptional, "print percentiles: -z50,90,99 (the default), at most 5", set_percentiles},
    {'k', 'k', "root-rank", kRequired, "root: fixed:RANK or rotate (default fixed:0)", set_root},
    {'q', 'q', "partitions", kRequired, "partitions of a message (default 8)",
     [](Options& o, Text a) { return number(a, 1, INT_MAX, o.partitions) ? nullptr : "Invalid number of partitions"; }},
};

std::vector<const Option*> options_of(const Program& program) {
  std::vector<const Option*> options;
  for (const Option& option : kTable)
    if (std::strchr(program.options, option.key)) options.push_back(&option);
  return options;
}

// Options exclude each other, and some belong to a build that this is not.
std::string contradiction(const Options& o, char& letter) {
  if (o.vary_window && o.window) return letter = 'V', "The window size cannot be both given and varied";
  if (o.derived != Derived::kNone && o.validate) return letter = 'D', "Derived datatypes cannot be validated";
  return "";
}

// Accelerator builds take the places of the buffers as arguments: this one has only the host.
std::string check_places(int argc, char** argv, int first, std::string& place) {
  for (int i = first; i < argc; ++i) {
    place = argv[i];
    if (i >= first + 2 || (place != "H" && place != "D" && place != "MH" && place != "MD" && place != "M"))
      return "Invalid argument";
    if (place != "H") return "Accelerator support is not built in: buffers are on the host (H)";
  }
  return "";
}

}  // namespace

BadUsage parse_options(const Program& program, int argc, char** argv, Options& options) {
  const auto accepted = options_of(program);
  std::string letters = ":d:r:";  // those two are for accelerators; they get an answer of their own
  std::vector<option> names;
  for (const Option* o : accepted) {
    letters += o->letter;
    letters.append(o->argument == kRequired ? 1 : o->argument == kOptional ? 2 : 0, ':');
    for (Text name : {o->name, o->other_name})
      if (name) names.push_back({name, o->argument, nullptr, o->letter});
  }
  names.push_back({"accelerator", kRequired, nullptr, 'd'});
  names.push_back({"cuda-target", kRequired, nullptr, 'r'});
  names.push_back({});
  // No options, so that other suites, which do not know them, can be called in the same way.
  if (Text digits = std::getenv("OMB_DIGITS"); digits && !number(digits, 0, 9, options.digits))
    return {"Invalid number of digits: 0 to 9", std::string("OMB_DIGITS=") + digits};
  if (Text wanted = std::getenv("OMB_COUNT_BARRIER")) options.count_barrier = *wanted == '1';
  if (Text sizes = std::getenv("OMB_SIZES"); sizes && !set_sizes(options, sizes))
    return {"Invalid sizes: a list of SIZE or SIZE:ITERATIONS", std::string("OMB_SIZES=") + sizes};
  opterr = 0;
  optind = 1;
  for (int letter; (letter = getopt_long(argc, argv, letters.c_str(), names.data(), nullptr)) != -1;) {
    const std::string text = optarg ? std::string(" ") + optarg : "";
    const std::string shown = std::string("-") + static_cast<char>(optopt ? optopt : letter);
    if (letter == '?' || letter == ':')
      return {letter == '?' ? "Invalid option" : "Option needs an argument", optopt ? shown : argv[optind - 1]};
    const std::string given = std::string("-") + static_cast<char>(letter) + text;
    if (letter == 'd' || letter == 'r') return {"Accelerator support is not built in", given};
    for (const Option* o : accepted)
      if (o->letter == letter)
        if (Text problem = o->set(options, optarg)) return {problem, given};
  }
  BadUsage bad;
  bad.message = check_places(argc, argv, optind, bad.option);
  if (!bad.message.empty()) return bad;
  char letter = 0;
  bad.message = contradiction(options, letter);
  bad.option = std::string("-") + letter;
  return bad;
}

void print_help(const Program& program) {
  std::printf("Usage: %s [options]\n", program.name);
  if (std::strchr(program.options, 'V'))
    std::printf(
        "Ranks are taken in blocks: with P pairs, rank r sends to rank r+P,\nso place the first half of the ranks on one "
        "side.\n");
  std::printf("Options:\n");
  for (const Option* o : options_of(program)) {
    const auto lines = split(o->help, '\n');
    std::printf("  -%c, --%-20s%s\n", o->letter, o->name, lines[0].c_str());
    for (size_t i = 1; i < lines.size(); ++i) std::printf("%28s%s\n", "", lines[i].c_str());
  }
  std::fflush(stdout);
}

}  // namespace omb
