// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace starling::boot {

// MVP_REPORT_LEAKS: prints to stderr how many objects of each kind the program made and never freed, and the names of those
// that have one. To be called when the library's own objects are gone. Returns the number of leaked objects.
int report_leaks(int rank);

}  // namespace starling::boot
