// SPDX-License-Identifier: BSD-3-Clause
// Command lines, environments, topologies of the kernel and PMI messages.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "launch/environment.h"
#include "launch/hosts.h"
#include "launch/options.h"
#include "launch/output.h"
#include "launch/pmi.h"
#include "launch/topology.h"

namespace starling::launch {
namespace {

using Words = std::vector<std::string>;

// A file that is removed at the end of the test.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& text) {
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { unlink(path); }
  char path[32] = "/tmp/starling-test-XXXXXX";
};

TEST(Options, OneProgram) {
  Options options = parse_command_line("/usr/bin/mpiexec", {"-n", "4", "--ppn=2", "-l", "./a.out", "-n", "7"});
  EXPECT_EQ(options.called_as, "mpiexec");
  ASSERT_EQ(options.programs.size(), 1u);
  EXPECT_EQ(options.programs[0].ranks, 4);
  EXPECT_EQ(options.programs[0].words, (Words{"./a.out", "-n", "7"}));
  EXPECT_EQ(options.prepend_pattern, "[%r] ");
  EXPECT_EQ(options.ranks_per_host, 2);
}

TEST(Options, SeveralPrograms) {
  Options options =
      parse_command_line("mpirun", {"-n", "1", "-wdir", "/tmp", "a", "x", ":", "-np", "2", "-env", "A", "1", "b"});
  ASSERT_EQ(options.programs.size(), 2u);
  EXPECT_EQ(options.programs[0].directory, "/tmp");
  EXPECT_EQ(options.programs[0].words, (Words{"a", "x"}));
  EXPECT_EQ(options.programs[1].ranks, 2);
  EXPECT_EQ(options.programs[1].environment.assigned.size(), 1u);
}

TEST(Options, Assignments) {
  Options options = parse_command_line("mpirun_rsh", {"-np", "2", "localhost", "localhost", "A=b=c", "-genv", "B", "2"});
  EXPECT_EQ(options.programs[0].words, (Words{"-genv", "B", "2"}));  // after the first other word nothing is ours
  options = parse_command_line("mpirun", {"-genv", "X=1", "-genv", "Y", "2", "Z=3", "prog", "W=4"});
  EXPECT_EQ(options.environment.assigned.size(), 3u);
  EXPECT_EQ(options.environment.assigned[2].second, "3");
  EXPECT_EQ(options.programs[0].words, (Words{"prog", "W=4"}));
}

TEST(Options, Mistakes) {
  for (const Words& words :
       {Words{}, Words{"-n"}, Words{"-n", "x", "a"}, Words{"-n", "0", "a"}, Words{"-banana", "a"}, Words{"-n", "2"},
        Words{"a", ":"}, Words{":", "a"}, Words{"-l=1", "a"}, Words{"-sparehosts", "f", "a"}})
    EXPECT_THROW(parse_command_line("mpiexec", words), Error) << (words.empty() ? "" : words.back());
}

TEST(Options, ConfigurationFiles) {
  TemporaryFile hydra("# two programs\n-n 2 ./a 'one word'\n\n-n 3 -env A 1 \\\n./b\n");
  Options options = parse_command_line("mpiexec", {"-configfile", hydra.path});
  ASSERT_EQ(options.programs.size(), 2u);
  EXPECT_EQ(options.programs[0].words, (Words{"./a", "one word"}));
  EXPECT_EQ(options.programs[1].ranks, 3);
  TemporaryFile rsh("-n 2 : ./a\n-n 1 : ./b x\n");
  options = parse_command_line("mpirun_rsh", {"-np", "3", "-config", rsh.path});
  ASSERT_EQ(options.programs.size(), 2u);
  EXPECT_EQ(options.programs[1].words, (Words{"./b", "x"}));
  EXPECT_THROW(parse_command_line("mpirun_rsh", {"-np", "4", "-config", rsh.path}), Error);
  EXPECT_THROW(parse_command_line("mpiexec", {"-configfile", "/nonexistent"}), Error);
}

TEST(Options, HelpNamesEveryOption) {
  std::string help = help_text("mpiexec");
  for (const char* name : {"-n,", "-hostfile", "-genvlist", "-bind-to", "-print-all-exitcodes", "-timeout"})
    EXPECT_NE(help.find(name), std::string::npos) << name;
}

TEST(Hosts, ThisHostOnly) {
  for (const std::string& word : {std::string("localhost"), std::string("127.0.0.1"), std::string("localhost:4"), host_name(),
                                  "user@" + host_name() + ":2:mlx5_0"})
    EXPECT_TRUE(is_this_host(word)) << word;
  EXPECT_FALSE(is_this_host("no-such-host"));
  TemporaryFile file("# hosts\nlocalhost:3 user=me\n\n" + host_name() + "  # again\n");
  Options options = parse_command_line("mpiexec", {"-f", file.path, "a"});
  check_hosts(options);
  EXPECT_EQ(options.programs[0].ranks, 4);
  EXPECT_THROW(check_hosts(parse_command_line("mpiexec", {"-hosts", "localhost,elsewhere", "a"})), Error);
}

TEST(Environment, Rules) {
  const char* inherited[] = {"A=1", "B=2", "PMI_RANK=5", "MVP_COMM_WORLD_RANK=5", nullptr};
  auto entries = [&](EnvironmentRules global, EnvironmentRules program) {
    return Environment(const_cast<char* const*>(inherited), global, program).entries();
  };
  using Inherit = EnvironmentRules::Inherit;
  EnvironmentRules none, list, plain;
  none.inherit = Inherit::kNone;
  list.inherit = Inherit::kList;
  list.inherited = {"B"};
  EXPECT_EQ(entries(plain, plain), (Words{"A=1", "B=2"}));
  EXPECT_EQ(entries(none, plain), Words{});
  EXPECT_EQ(entries(none, list), (Words{"B=2"}));
  plain.assigned = {{"A", "x"}, {"C", ""}};
  EXPECT_EQ(entries(plain, {}), (Words{"A=x", "B=2", "C="}));
  EnvironmentRules without;
  without.excluded = {"A"};
  EXPECT_EQ(entries(without, {}), (Words{"B=2"}));
}

TEST(Output, Patterns) { EXPECT_EQ(expand_pattern("out.%r.%h%%%x", 3, "node"), "out.3.node%%x"); }

// A machine as the kernel shows it: two cores of two threads and a third core that the job may not use.
TEST(Topology, KernelFiles) {
  char root[] = "/tmp/starling-test-XXXXXX";
  ASSERT_TRUE(mkdtemp(root));
  std::string base = root;
  auto write = [&](const std::string& path, const std::string& text) {
    std::string folder = base + "/" + path;
    for (std::size_t i = base.size() + 1; (i = folder.find('/', i)) != folder.npos; ++i)
      mkdir(folder.substr(0, i).c_str(), 0777);
    std::ofstream(folder) << text << "\n";
  };
  for (int id = 0; id < 6; ++id) {
    std::string cpu = "cpu/cpu" + std::to_string(id);
    std::string pair = std::to_string(id % 3) + "," + std::to_string(id % 3 + 3);
    write(cpu + "/topology/thread_siblings_list", pair);
    write(cpu + "/topology/core_siblings_list", "0-5");
    write(cpu + "/cache/index0/level", "1");
    write(cpu + "/cache/index0/type", "Data");
    write(cpu + "/cache/index0/shared_cpu_list", pair);
    write(cpu + "/cache/index1/level", "3");
    write(cpu + "/cache/index1/type", "Unified");
    write(cpu + "/cache/index1/shared_cpu_list", id % 3 < 2 ? "0,1,3,4" : "2,5");
  }
  write("node/node0/cpulist", "0-5");
  Topology topology = read_topology({0, 1, 3, 4}, base);
  EXPECT_EQ(topology.count[kHwthread], 4);
  EXPECT_EQ(topology.count[kCore], 2);
  EXPECT_EQ(topology.count[kL1], 2);
  EXPECT_EQ(topology.count[kL3], 1);
  EXPECT_EQ(topology.count[kSocket], 1);
  EXPECT_EQ(topology.processors[1].id, 3);  // the second thread of the first core is its neighbour
  EXPECT_EQ(read_topology({7, 9}, "/nonexistent").count[kCore], 2);
  std::string remove = "rm -r " + base;
  EXPECT_EQ(std::system(remove.c_str()), 0);
}

TEST(Pmi, Messages) {
  PmiMessage line = PmiMessage::parse_blanks("cmd=put kvsname=k key=a value=b=c");
  EXPECT_EQ(line.command(), "put");
  EXPECT_EQ(line.get("value"), "b=c");
  EXPECT_FALSE(line.has("rc"));
  EXPECT_EQ(PmiMessage("get_result").add("rc", 0).text_blanks(), "cmd=get_result rc=0\n");
  PmiMessage body = PmiMessage::parse_semicolons("cmd=kvs-put;key=a;value=x;;y;");
  EXPECT_EQ(body.get("value"), "x;y");
  EXPECT_EQ(PmiMessage("a").add("v", "x;y").text_semicolons(), "    13cmd=a;v=x;;y;");
}

}  // namespace
}  // namespace starling::launch
