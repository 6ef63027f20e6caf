// SPDX-License-Identifier: BSD-3-Clause
#include "graph.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "omb.h"

namespace omb {

constexpr const char* kPng = "png size 1024,768";
constexpr const char* kPdf = "pdfcairo size 10.24,7.68";
constexpr const char* kDumb = "dumb";

// gnuplot reads its commands and data from us; it prints to our stdout, or to `file`.
class Graph::Gnuplot {
 public:
  explicit Gnuplot(const char* terminal, const std::string& file = "") : pipe_(popen("gnuplot", "w")) {
    say("set terminal %s\n", terminal);
    if (!file.empty()) say("set output \"%s\"\n", file.c_str());
  }
  ~Gnuplot() {
    if (pipe_ && pclose(pipe_) != 0) std::fprintf(stderr, "gnuplot could not draw a graph\n");
  }
  Gnuplot(const Gnuplot&) = delete;
  Gnuplot& operator=(const Gnuplot&) = delete;
  [[gnu::format(printf, 2, 3)]] void say(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (pipe_) std::vfprintf(pipe_, format, arguments);
    va_end(arguments);
  }

 private:
  FILE* pipe_;
};

namespace {

bool succeeds(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

}  // namespace

Graph::Graph(const Options& options, std::string program, std::string unit)
    : options_(options), program_(std::move(program)), unit_(std::move(unit)) {}

std::string Graph::missing_tool(const Options& options) {
  if (!succeeds("command -v gnuplot")) return "Graphs need gnuplot, which is not in the path";
  if (options.pdf && !succeeds("gnuplot -e 'set terminal pdfcairo'"))
    return "Graphs as pdf need a gnuplot that has the terminal pdfcairo";
  return "";
}

void Graph::draw(Gnuplot& plot, const Curve& curve) const {
  const double average =
      std::accumulate(curve.samples.begin(), curve.samples.end(), 0.0) / static_cast<double>(curve.samples.size());
  plot.say("set title \"Size: %zu, Avg:%.2f\"\nset xlabel \"Iteration Count\"\nset ylabel \"%s\"\nset key off\n", curve.size,
           average, unit_.c_str());
  plot.say("plot '-' using 1:2 with lines\n");
  for (size_t i = 0; i < curve.samples.size(); ++i) plot.say("%zu %.4f\n", i, curve.samples[i]);
  plot.say("e\n");
}

void Graph::add(size_t size, const std::vector<double>& samples) {
  curves_.push_back({size, samples});
  if (options_.tty) {
    Gnuplot plot(kDumb);
    draw(plot, curves_.back());
  }
  if (options_.png) {
    Gnuplot plot(kPng, program_ + "-" + std::to_string(size) + ".png");
    draw(plot, curves_.back());
  }
}

// There is none through one line.
bool Graph::has_surface(bool large) const {
  return std::count_if(curves_.begin(), curves_.end(), [&](const Curve& c) { return (c.size > kLargeMessage) == large; }) > 1;
}

void Graph::draw_surface(Gnuplot& plot, bool large) const {
  plot.say("set title \"%s\" noenhanced\nset xlabel \"Iteration Count\"\nset ylabel \"Size\"\nset zlabel \"%s\"\n",
           program_.c_str(), unit_.c_str());
  plot.say("set logscale y 2\nset key off\nsplot '-' using 1:2:3 with lines\n");
  for (const Curve& curve : curves_) {
    if ((curve.size > kLargeMessage) != large) continue;
    for (size_t i = 0; i < curve.samples.size(); ++i)
      plot.say("%zu %zu %.4f\n", i, std::max<size_t>(curve.size, 1), curve.samples[i]);
    plot.say("\n");
  }
  plot.say("e\n");
}

void Graph::finish() {
  for (const bool large : {false, true}) {
    if (!options_.png || !has_surface(large)) continue;
    Gnuplot plot(kPng, program_ + (large ? "3D1.png" : "3D0.png"));
    draw_surface(plot, large);
  }
  if (options_.pdf) {  // a page for each
    Gnuplot plot(kPdf, program_ + ".pdf");
    for (const Curve& curve : curves_) draw(plot, curve);
    for (const bool large : {false, true})
      if (has_surface(large)) draw_surface(plot, large);
  }
  curves_.clear();
}

}  // namespace omb
