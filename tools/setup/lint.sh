#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# clang-format and clang-tidy over our own C++ files, by the commands of a build.
#
# lint.sh BUILD_DIR
set -eu
cd "$(dirname "$0")/../.."
echo "lint: clang-format"
find src launch profile tools -name '*.gen.*' -prune -o \( -name '*.cc' -o -name '*.h' \) -print0 \
  | xargs -0 clang-format-16 --dry-run -Werror
echo "lint: clang-tidy"
exec run-clang-tidy-16 -quiet -p "$1" "$PWD/(src|launch|tools)/.*\.cc$"
