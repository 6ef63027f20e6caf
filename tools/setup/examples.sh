#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `make run`: compiles examples/*.c with our mpicc, and those in Fortran with mpifort where it was built, runs each on 4 ranks with our mpiexec, and ends with a small table of latency and
# bandwidth between two ranks.
#
# examples.sh BUILD_DIR
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd)
bin=$build/bin
programs=$build/examples
ranks=4
mkdir -p "$programs"

# Two ranks measure, so that on a small machine each has a core of its own; that program comes last.
table=latency_bandwidth
for source in examples/*.c examples/*.f90; do
  name=$(basename "${source%.*}")
  case $source in
    *.c) "$bin/mpicc" -O2 "$source" -o "$programs/$name" -lm ;;
    *) [ -x "$bin/mpifort" ] || continue; "$bin/mpifort" -O2 "$source" -o "$programs/$name" ;;
  esac
  [ "$name" != $table ] || continue
  echo
  echo "== mpiexec -n $ranks $name"
  "$bin/mpiexec" -n $ranks "$programs/$name" </dev/null
done
echo
echo "== mpiexec -n 2 $table"
"$bin/mpiexec" -n 2 "$programs/$table" </dev/null
