// SPDX-License-Identifier: BSD-3-Clause
// One binary for all programs: it is the one it is called as (links named osu_latency ...), or the one its first argument
// names.
#include <cstdio>
#include <cstring>
#include <ctime>

#include "datatype.h"
#include "graph.h"
#include "omb.h"
#include "papi.h"
#include "topology.h"
#include "validate.h"

namespace omb {
namespace {

#if MPI_VERSION >= 4
MPI_Session session = MPI_SESSION_NULL;

void start_session(Run& run) {
  MPI_Info info;
  MPI_Group group;
  MPI_Info_create(&info);
  MPI_Info_set(info, "thread_level", run.program->traits & kThreaded ? "MPI_THREAD_MULTIPLE" : "MPI_THREAD_SINGLE");
  MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Info_free(&info);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "omb", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &run.comm);
  MPI_Group_free(&group);
}

// MPI_THREAD_MULTIPLE or less: what the session provides.
int session_threads() {
  constexpr std::pair<const char*, int> kLevels[] = {{"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE},
                                                     {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
                                                     {"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED}};
  MPI_Info info;
  char value[MPI_MAX_INFO_VAL + 1] = "";
  int length = MPI_MAX_INFO_VAL, found = 0;
  MPI_Session_get_info(session, &info);
  MPI_Info_get_string(info, "thread_level", &length, value, &found);
  MPI_Info_free(&info);
  for (auto [name, level] : kLevels)
    if (found && !std::strcmp(name, value)) return level;
  return MPI_THREAD_SINGLE;
}
#endif

void check_ranks(Run& run) {
  switch (run.program->ranks) {
    case Ranks::kTwo:
      if (run.size != 2) quit(run, EXIT_FAILURE, "This test requires exactly two processes");
      break;
    case Ranks::kAtLeastTwo:
      if (run.size < 2) quit(run, EXIT_FAILURE, "This test requires at least two processes");
      break;
    case Ranks::kEven:
      if (run.size < 2 || run.size % 2) quit(run, EXIT_FAILURE, "This test requires an even number of processes");
      break;
    case Ranks::kAny:
      break;
  }
}

// What the options need besides MPI: tools, libraries, files. A rank that finds something missing takes all along.
void prepare(Run& run) {
  const Options& o = run.options;
  const bool root = run.root();
  std::string problem;
  if (o.memory_limit_raised && root) std::fprintf(stderr, "Warning: the memory limit is raised to 1 MiB, the least there is\n");
  if (o.root_rank >= run.size) problem = "The root rank " + std::to_string(o.root_rank) + " is not among the processes";
  if (o.derived == Derived::kIndexed && problem.empty()) {
    std::vector<IndexBlock> blocks;
    problem = read_pairs(o.index_file, 100, blocks);
    if (!problem.empty()) problem = "The index file '" + o.index_file + "' " + problem;
  }
  if (o.graph && root && problem.empty()) problem = Graph::missing_tool(o);
  if (!o.papi_events.empty() && problem.empty()) {
    if (o.papi_default_path && root)
      std::fprintf(stderr, "Warning: no path is given, so PAPI counts go to %s\n", o.papi_path.c_str());
    run.papi = std::make_unique<Papi>();
    problem = run.papi->open(o.papi_events);
  }
  if (o.log && root && problem.empty()) problem = make_log_directory(o.log_directory);

  int mine = problem.empty() ? run.size : run.rank, first = run.size;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, run.comm);
  if (first < run.size) {
    char text[512] = "";
    std::snprintf(text, sizeof text, "%s", problem.c_str());
    MPI_Bcast(text, sizeof text, MPI_CHAR, first, run.comm);
    quit(run, EXIT_FAILURE, text);
  }
  if (o.graph && root) run.graph = std::make_unique<Graph>(o, run.program->name, run.program->shape->unit);
}

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

int run_program(const Program& program, int argc, char** argv) {
  Run run;
  run.program = &program;
  run.argv0 = argv[0];
  const BadUsage bad = parse_options(program, argc, argv, run.options);
  start_mpi(run, &argc, &argv);
  if (!bad.message.empty()) {
    if (run.root()) {
      std::fprintf(stderr, "%s [%s]\n\n", bad.message.c_str(), bad.option.c_str());
      print_help(program);
    }
    quit(run, EXIT_FAILURE);
  }
  if (run.options.help) {
    if (run.root()) print_help(program);
    quit(run, EXIT_SUCCESS);
  }
  if (run.options.version) {
    print_title(run);
    quit(run, EXIT_SUCCESS);
  }
  check_ranks(run);
  prepare(run);
  program.shape->drive(run);
  run.topology.reset();
  end_mpi(run);
  return run.status;
}

}  // namespace

void start_mpi(Run& run, int* argc, char*** argv) {
  const bool threaded = run.program->traits & kThreaded;
  const int wanted = threaded ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  int provided = wanted;
  timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);  // not MPI_Wtime: MPI has not begun
#if MPI_VERSION >= 4
  if (run.options.session)
    start_session(run);
  else
#endif
      if (threaded)
    MPI_Init_thread(argc, argv, wanted, &provided);
  else
    MPI_Init(argc, argv);
  clock_gettime(CLOCK_MONOTONIC, &end);
  run.init_seconds = static_cast<double>(end.tv_sec - start.tv_sec) + 1e-9 * static_cast<double>(end.tv_nsec - start.tv_nsec);
#if MPI_VERSION >= 4
  if (run.options.session) provided = session_threads();
#endif
  if (!run.options.session) run.comm = MPI_COMM_WORLD;
  MPI_Comm_rank(run.comm, &run.rank);
  MPI_Comm_size(run.comm, &run.size);
  if (provided < wanted) quit(run, EXIT_FAILURE, "This test requires MPI_THREAD_MULTIPLE");
}

void end_mpi(Run& run) {
#if MPI_VERSION >= 4
  if (run.options.session) {
    MPI_Comm_free(&run.comm);
    MPI_Session_finalize(&session);
    return;
  }
#endif
  MPI_Finalize();
}

void quit(Run& run, int status, const std::string& message) {
  if (run.root() && !message.empty()) std::fprintf(stderr, "%s\n", message.c_str());
  std::fflush(stdout);
  run.topology.reset();
  end_mpi(run);
  std::exit(status);
}

}  // namespace omb

int main(int argc, char** argv) {
  using namespace omb;
  const Program* program = find_program(base_name(argv[0]));
  if (!program && argc > 1) {
    program = find_program(argv[1]);
    ++argv;
    --argc;
  }
  if (program) return run_program(*program, argc, argv);
  std::printf("Usage: PROGRAM [options], where PROGRAM is one of\n");
  list_programs();
  return EXIT_FAILURE;
}
