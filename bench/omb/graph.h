// SPDX-License-Identifier: BSD-3-Clause
// Graphs of every iteration (-G), drawn by gnuplot on rank 0.
#pragma once

#include <string>
#include <vector>

namespace omb {

struct Options;

class Graph {
 public:
  Graph(const Options& options, std::string program, std::string unit);
  static std::string missing_tool(const Options& options);  // what is not installed, or empty
  void add(size_t size, const std::vector<double>& samples);
  void finish();  // the surfaces over all sizes, and the pdf

 private:
  struct Curve {
    size_t size;
    std::vector<double> samples;
  };
  class Gnuplot;
  void draw(Gnuplot& plot, const Curve& curve) const;
  bool has_surface(bool large) const;
  void draw_surface(Gnuplot& plot, bool large) const;
  const Options& options_;
  std::string program_, unit_;
  std::vector<Curve> curves_;
};

}  // namespace omb
