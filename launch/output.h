// SPDX-License-Identifier: BSD-3-Clause
// Where the output of the ranks goes. Without a wish of the user ranks write to the launcher's own stdout and stderr, and the
// launcher has no part in it. -outfile-pattern gives ranks files. Only labelled lines (-l, -prepend-pattern) pass through the
// launcher: whole lines, each in one write; a line without end is passed on when the rank ends or 64 KiB are full.
#pragma once

#include <poll.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "launch/options.h"

namespace starling::launch {

// Replaces %r by the rank, %h by the host, %p by the launcher's process id, %% by %.
std::string expand_pattern(const std::string& pattern, int rank, const std::string& host);

class Output {
 public:
  Output(const Options& options, std::string host);
  ~Output();
  Output(const Output&) = delete;

  // The descriptors that a rank gets as stdout and stderr; -1: the launcher's own. The caller hands them to the rank, then
  // calls started(). Throws Error(kErrArg) if a file cannot be opened.
  struct Ends {
    int fd[2];
  };
  Ends open_rank(int rank);
  void started(Ends ends);

  // Adds what to wait for to `set`; afterwards, in the same order, serve() looks at the answers from set[first] on.
  void add_to(std::vector<pollfd>& set);
  void serve(const std::vector<pollfd>& set, std::size_t first);

  // Whether output of ranks may still come or wait to be written.
  bool busy() const;
  // Writes what there is, for at most so many milliseconds: the end of a job.
  void drain(int milliseconds);

 private:
  // A file or terminal that lines go to. Several streams may share one.
  struct Sink {
    int fd = -1;
    std::string queue;    // lines not yet written
    bool broken = false;  // nobody reads it any more
  };
  // One stream of one rank.
  struct Stream {
    int fd = -1;  // our end of the pipe; -1: ended
    std::string label;
    std::string line;  // begun, not yet ended
    Sink* sink = nullptr;
  };

  Sink* sink_for(int which, int rank);
  void read_stream(Stream& stream);
  void pass_lines(Stream& stream, bool at_end);
  void write_sink(Sink& sink);

  const Options& options_;
  std::string host_;
  std::map<std::string, std::unique_ptr<Sink>> sinks_;  // by file name; "" and "2" are stdout and stderr
  std::vector<Stream> streams_;
};

}  // namespace starling::launch
