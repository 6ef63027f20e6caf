// SPDX-License-Identifier: BSD-3-Clause
// Which hosts the user asked for. So far a job runs on this host only; the names are checked, so that nobody is surprised.
#pragma once

#include <string>

#include "launch/options.h"

namespace starling::launch {

// The name of this host, as gethostname tells it.
std::string host_name();

// Whether a word of the user ("node3", "node3:8", "user@node3", "localhost", "127.0.0.1") means this host.
bool is_this_host(const std::string& word);

// Throws Error(kErrArg) when -hosts, the host file or the default host file of mpirun_rsh (~/.mpirun_hosts) name another host.
void check_hosts(const Options& options);

// Ranks of a program for which neither -n nor a file says a number: the slots of the hosts named, else -ppn, else 1.
int default_ranks(const Options& options);

}  // namespace starling::launch
