// SPDX-License-Identifier: BSD-3-Clause
#include "launch/output.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace starling::launch {

namespace {

constexpr std::size_t kLongestLine = 64 << 10;
// Above this many unwritten bytes a sink's streams are not read, so that a slow reader slows the ranks and not the launcher's
// memory.
constexpr std::size_t kFullQueue = 256 << 10;

}  // namespace

std::string expand_pattern(const std::string& pattern, int rank, const std::string& host) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : 0;
    if (next == 'r')
      text += std::to_string(rank);
    else if (next == 'h')
      text += host;
    else if (next == 'p')
      text += std::to_string(getpid());
    else if (next == '%')
      text += '%';
    else
      next = 0;
    if (next)
      ++i;
    else
      text += pattern[i];
  }
  return text;
}

Output::Output(const Options& options, std::string host) : options_(options), host_(std::move(host)) {}

Output::~Output() {
  for (Stream& stream : streams_)
    if (stream.fd >= 0) close(stream.fd);
  for (auto& [name, sink] : sinks_)
    if (sink->fd > 2) close(sink->fd);
}

// `which` is 0 for stdout, 1 for stderr. A file is emptied when the first rank opens it; ranks that share it append.
Output::Sink* Output::sink_for(int which, int rank) {
  const std::string& pattern = which == 0 ? options_.outfile_pattern : options_.errfile_pattern;
  std::string name = pattern.empty() ? std::to_string(which + 1) : "file " + expand_pattern(pattern, rank, host_);
  std::unique_ptr<Sink>& sink = sinks_[name];
  if (sink) return sink.get();
  sink = std::make_unique<Sink>();
  sink->fd = which + 1;
  if (pattern.empty()) return sink.get();
  std::string path = expand_pattern(pattern, rank, host_);
  sink->fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (sink->fd < 0) fail(kErrArg, "cannot write the output file %s: %s", path.c_str(), std::strerror(errno));
  return sink.get();
}

Output::Ends Output::open_rank(int rank) {
  Ends ends{{-1, -1}};
  for (int which = 0; which < 2; ++which) {
    bool to_file = !(which == 0 ? options_.outfile_pattern : options_.errfile_pattern).empty();
    if (options_.prepend_pattern.empty()) {
      if (to_file) ends.fd[which] = fcntl(sink_for(which, rank)->fd, F_DUPFD_CLOEXEC, 3);
      continue;
    }
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
      fail(kErrOther, "cannot make a pipe for the output of rank %d: %s", rank, std::strerror(errno));
    fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    streams_.push_back({pipe_ends[0], expand_pattern(options_.prepend_pattern, rank, host_), "", sink_for(which, rank)});
    ends.fd[which] = pipe_ends[1];
  }
  return ends;
}

void Output::started(Ends ends) {
  for (int fd : ends.fd)
    if (fd >= 0) close(fd);
}

void Output::add_to(std::vector<pollfd>& set) {
  for (Stream& stream : streams_) {
    bool wanted = stream.fd >= 0 && stream.sink->queue.size() < kFullQueue;
    set.push_back({wanted ? stream.fd : -1, POLLIN, 0});
  }
  for (auto& [name, sink] : sinks_) set.push_back({sink->queue.empty() ? -1 : sink->fd, POLLOUT, 0});
}

void Output::serve(const std::vector<pollfd>& set, std::size_t first) {
  for (Stream& stream : streams_)
    if (set[first++].revents) read_stream(stream);
  for (auto& [name, sink] : sinks_)
    if (set[first++].revents) write_sink(*sink);
}

void Output::read_stream(Stream& stream) {
  char buffer[16384];
  ssize_t n = read(stream.fd, buffer, sizeof buffer);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n > 0) stream.line.append(buffer, static_cast<std::size_t>(n));
  pass_lines(stream, n <= 0);
  if (n <= 0 || stream.sink->broken) {  // broken: the rank shall get SIGPIPE, as it would without us
    close(stream.fd);
    stream.fd = -1;
  }
}

// Moves whole lines, labelled, to the sink; at the end of the stream, or if it grows too long, also one without end.
void Output::pass_lines(Stream& stream, bool at_end) {
  std::size_t start = 0;
  for (;;) {
    auto end = stream.line.find('\n', start);
    bool whole = end != std::string::npos;
    if (!whole) end = stream.line.size();
    bool cut = !whole && end > start && (at_end || end - start >= kLongestLine);
    if (!whole && !cut) break;
    stream.sink->queue += stream.label;
    stream.sink->queue.append(stream.line, start, end - start);
    stream.sink->queue += '\n';
    start = std::min(end + 1, stream.line.size());
  }
  stream.line.erase(0, start);
}

// At most PIPE_BUF bytes: as poll has told that there is room, that cannot block, whatever kind of file it is.
void Output::write_sink(Sink& sink) {
  ssize_t n = write(sink.fd, sink.queue.data(), std::min<std::size_t>(sink.queue.size(), PIPE_BUF));
  if (n > 0) {
    sink.queue.erase(0, static_cast<std::size_t>(n));
  } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
    sink.broken = true;
    sink.queue.clear();
    for (Stream& stream : streams_)
      if (stream.sink == &sink && stream.fd >= 0) close(stream.fd), stream.fd = -1;
  }
}

bool Output::busy() const {
  for (const Stream& stream : streams_)
    if (stream.fd >= 0) return true;
  for (const auto& [name, sink] : sinks_)
    if (!sink->queue.empty()) return true;
  return false;
}

void Output::drain(int milliseconds) {
  std::vector<pollfd> set;
  while (busy()) {
    set.clear();
    add_to(set);
    if (poll(set.data(), set.size(), milliseconds) <= 0) return;
    serve(set, 0);
  }
}

}  // namespace starling::launch
