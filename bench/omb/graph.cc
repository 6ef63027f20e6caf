// SPDX-License-Identifier: BSD-3-Clause
#include "graph.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "omb.h"

namespace omb {
namespace {

constexpr const char* kPng = "set terminal png size 1024,768";
constexpr const char* kDumb = "set terminal dumb";

// gnuplot reads its commands and data from us and prints to our stdout.
class Gnuplot {
 public:
  Gnuplot() { pipe_ = popen("gnuplot", "w"); }
  ~Gnuplot() {
    if (pipe_) pclose(pipe_);
  }
  [[gnu::format(printf, 2, 3)]] void say(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (pipe_) std::vfprintf(pipe_, format, arguments);
    va_end(arguments);
  }

 private:
  FILE* pipe_;
};

bool installed(const char* tool) { return std::system(("command -v " + std::string(tool) + " >/dev/null 2>&1").c_str()) == 0; }

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

Graph::Graph(const Options& options, std::string program, std::string unit)
    : options_(options), program_(std::move(program)), unit_(std::move(unit)) {}

std::string Graph::missing_tool(const Options& options) {
  if (!installed("gnuplot")) return "Graphs need gnuplot, which is not in the path";
  if (options.pdf && !installed("convert")) return "Graphs as pdf need convert (ImageMagick), which is not in the path";
  return "";
}

void Graph::draw(const Curve& curve, const std::string& terminal) {
  const double average =
      std::accumulate(curve.samples.begin(), curve.samples.end(), 0.0) / static_cast<double>(curve.samples.size());
  Gnuplot plot;
  plot.say("%s\nset title \"Size: %zu, Avg:%.2f\"\nset xlabel \"Iteration Count\"\nset ylabel \"%s\"\nset key off\n",
           terminal.c_str(), curve.size, average, unit_.c_str());
  plot.say("plot '-' using 1:2 with lines\n");
  for (size_t i = 0; i < curve.samples.size(); ++i) plot.say("%zu %.4f\n", i, curve.samples[i]);
  plot.say("e\n");
}

void Graph::add(size_t size, const std::vector<double>& samples) {
  curves_.push_back({size, samples});
  if (options_.tty) draw(curves_.back(), kDumb);
  if (options_.png || options_.pdf) {
    files_.push_back(program_ + "-" + std::to_string(size) + ".png");
    draw(curves_.back(), std::string(kPng) + "\nset output \"" + files_.back() + "\"");
  }
}

void Graph::surface(const std::string& file, bool large) {
  const auto wanted = [&](const Curve& curve) { return (curve.size > kLargeMessage) == large; };
  if (std::count_if(curves_.begin(), curves_.end(), wanted) < 2) return;  // no surface through one line
  Gnuplot plot;
  plot.say("%s\nset output \"%s\"\nset title \"%s\"\nset xlabel \"Iteration Count\"\nset ylabel \"Size\"\nset zlabel \"%s\"\n",
           kPng, file.c_str(), program_.c_str(), unit_.c_str());
  plot.say("set logscale y 2\nset key off\nsplot '-' using 1:2:3 with lines\n");
  for (const Curve& curve : curves_) {
    if (!wanted(curve)) continue;
    for (size_t i = 0; i < curve.samples.size(); ++i)
      plot.say("%zu %zu %.4f\n", i, std::max<size_t>(curve.size, 1), curve.samples[i]);
    plot.say("\n");
  }
  plot.say("e\n");
  files_.push_back(file);
}

void Graph::finish() {
  if (options_.png || options_.pdf) {
    surface(program_ + "3D0.png", false);
    surface(program_ + "3D1.png", true);
  }
  if (options_.pdf) {
    std::string command = "convert";
    for (const std::string& file : files_) command += " " + quoted(file);
    if (std::system((command + " " + quoted(program_ + ".pdf")).c_str()) != 0)
      std::fprintf(stderr, "convert could not make %s.pdf\n", program_.c_str());
  }
  curves_.clear();
  files_.clear();
}

}  // namespace omb
