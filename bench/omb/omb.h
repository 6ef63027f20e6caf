// SPDX-License-Identifier: BSD-3-Clause
// What every benchmark sees: a program (a row of programs.def), a run of it, and the result of one message size.
//
// A benchmark is a body: it moves messages of one size, times them by measure(), and returns a Result. The engine does the
// rest: options, types and sizes, headers and rows, percentiles, graphs, counters. All ranks call the same body.
#pragma once

#define MPICH_SKIP_MPICXX 1
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "options.h"

namespace omb {

// The release whose programs, options and output this suite follows; headers show it because parsers expect a version.
inline constexpr const char* kVersion = "7.4";
inline constexpr size_t kLargeMessage = 8192;  // above it, fewer iterations

struct Count {
  int iterations;
  int warmup;
};

struct SizeClass {
  size_t min, max;
  Count small, large;
};

enum class Ranks { kAny, kTwo, kAtLeastTwo, kEven };

// What the engine has to know of some programs.
enum Traits : unsigned {
  kPlain = 0,
  kReduces = 1,   // starts with MPI_INT, because MPI_CHAR has no arithmetic
  kPerRank = 2,   // a buffer holds a message for each rank: counts for --mem-limit
  kShares = 4,    // divides a message among the ranks: sizes with fewer elements are left out
  kThreaded = 8,  // needs MPI_THREAD_MULTIPLE
};

struct Run;

struct Column {
  const char* name;
  bool (*wanted)(const Run&) = nullptr;  // by default in every run
  int width = 20;
  int digits = kReal;

  static constexpr int kReal = -1;  // as many as all measured values have (Options::digits)
};

struct Message;

struct Result {
  std::vector<double> values;   // one for each column, those that only -f prints included; rank 0's are printed
  std::vector<double> samples;  // one per iteration in the unit of the first column; for -z and -G, on rank 0
  bool valid = true;            // what this rank found with -c
};

// How the output of a group of programs looks.
struct Shape {
  void (*drive)(Run&);  // the whole program once options and ranks are checked
  const char* first;    // the first column: "# Size" of width 10, or that of a table without sizes
  std::vector<Column> columns;
  const char* unit;        // of percentiles and graphs: "Lat(us)" or "BW(MB/s)"
  bool blank_line = true;  // before the title
  // Print lines, or check what is special; all ranks call them.
  void (*before_title)(Run&) = nullptr;
  void (*after_title)(Run&) = nullptr;
  const char *pass = "Pass", *fail = "Fail";  // in the column of -c
};

struct Program {
  const char* group;
  const char* name;
  const char* title;
  Ranks ranks;
  const SizeClass* sizes;
  const Shape* shape;
  const char* options;
  unsigned traits;
  Result (*body)(Run&, const Message&, int detail);
  int detail;  // what the body has to know of this program
};

const Program* find_program(const std::string& name);
void list_programs();

// Memory that grows but never shrinks, page-aligned, so that one size does not measure the page faults of the next.
class Memory {
 public:
  char* at_least(size_t bytes);
  ~Memory() { std::free(data_); }
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

 private:
  char* data_ = nullptr;
  size_t size_ = 0;
};

class Papi;
class Graph;
struct Topology;

struct Run {
  const Program* program = nullptr;
  const char* argv0 = "";
  Options options;
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 0;
  double init_seconds = 0;
  int status = EXIT_SUCCESS;
  Count count{};     // for the current message size
  Memory memory[4];  // send, receive, and whatever a body needs
  std::unique_ptr<Papi> papi;
  std::unique_ptr<Graph> graph;
  std::unique_ptr<Topology> topology;

  Run();
  ~Run();
  bool wants_samples() const { return !options.percentiles.empty() || options.graph; }
  bool root() const { return rank == 0; }
  Count count_for(size_t bytes) const;
};

// Starts MPI, by MPI_Init or a session, and ends it.
void start_mpi(Run& run, int* argc, char*** argv);
void end_mpi(Run& run);

// Ends the program in order on all ranks: every rank calls it, rank 0 prints the message to stderr.
[[noreturn]] void quit(Run& run, int status, const std::string& message = "");

// Drivers: a table for each datatype with a row for each size, and the same without sizes.
void drive_tables(Run& run);
void drive_single(Run& run);

// What drivers are made of: the sizes and types of this run; one message, measured and checked, without its row. False: the
// data were wrong, and the table ends.
std::vector<size_t> sizes_of(Run& run);
std::vector<int> types_of(const Run& run);
bool measure_message(Run& run, const Message& message, Result& result);
void report_invalid(Run& run, size_t size);
bool measure_size(Run& run, int base, size_t size);  // with its row

// What all tables print.
void print_top(Run& run);  // the title, and what the shape has around it
void print_title(const Run& run);
void print_header(const Run& run, const char* datatype);
void print_row(Run& run, const Message& message, const Result& result);

// Sums, or finds the largest of, a value of each rank; the result is rank 0's.
double reduce(const Run& run, double value, MPI_Op op);
// The average of the samples of `ranks` ranks, iteration by iteration; the others give none. The result is rank 0's.
void average_samples(const Run& run, std::vector<double>& samples, int ranks);

}  // namespace omb
