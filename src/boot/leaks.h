// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace starling {
class Worker;

namespace boot {

// MVP_REPORT_LEAKS: prints to stderr how many objects of each kind the program made and never freed, and the names of those
// that have one. To be called when the library's own objects are gone. Returns the number of leaked objects.
int report_leaks(const Worker& home);

}  // namespace boot
}  // namespace starling
