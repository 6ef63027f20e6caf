#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Configures (once) and builds a preset of CMakePresets.json into build/<preset>.
#
# build.sh PRESET [arguments of cmake at the first configuration]
set -eu
cd "$(dirname "$0")/../.."
preset=$1
shift
# A configuration that broke off has a cache but no build files.
if [ $# -gt 0 ] || [ ! -f "build/$preset/build.ninja" ]; then
  echo "build: configuring $preset"
  cmake --preset "$preset" "$@" </dev/null
fi
echo "build: compiling $preset"
# On a terminal ninja shows its progress in one line; in a log, a line a minute is enough.
if [ -t 1 ]; then
  exec cmake --build "build/$preset"
fi
NINJA_STATUS='[%f/%t %es] ' cmake --build "build/$preset" </dev/null >"build/$preset/build.log" 2>&1 &
compiling=$!
trap 'kill $compiling 2>/dev/null' INT TERM
seconds=0
while kill -0 $compiling 2>/dev/null; do
  sleep 1
  seconds=$((seconds + 1))
  [ $((seconds % 30)) -ne 0 ] || tail -n 1 "build/$preset/build.log"
done
if ! wait $compiling; then
  grep -vE '^\[[0-9]+/' "build/$preset/build.log" | tail -n 100
  exit 1
fi
grep -E 'warning:' "build/$preset/build.log" | sort -u || true
echo "build: build/$preset is ready"
