// SPDX-License-Identifier: BSD-3-Clause
#include "launch/info.h"

namespace starling::launch {

std::string version_text(const std::string& called_as) { return called_as + " (Starling) " STARLING_VERSION "\n"; }

std::string info_text(const std::string& called_as) {
  std::string text = version_text(called_as);
  text += "names:               mpiexec, mpirun, mpirun_rsh\n";
  text += "hosts:               this host only\n";
  text += "process management:  job segment, PMI-1, PMI-2\n";
#if STARLING_HAVE_HWLOC
  text += "binding:             kernel's topology; described machines by hwloc (HWLOC_SYNTHETIC, HWLOC_XMLFILE)\n";
#else
  text += "binding:             kernel's topology\n";
#endif
#if defined(__clang__)
  text += "compiler:            clang " __clang_version__ "\n";
#else
  text += "compiler:            gcc " __VERSION__ "\n";
#endif
  return text;
}

}  // namespace starling::launch
