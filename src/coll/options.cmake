# SPDX-License-Identifier: BSD-3-Clause
# A coroutine finds the place where it goes on by a table of addresses: a page and a line of their own, for one look. A few
# comparisons lie with the code.
set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -fno-jump-tables)
