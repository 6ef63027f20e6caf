#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds all benchmarks with any MPI library: OUTDIR/osu, and OUTDIR/{pt2pt,collective,one-sided,startup}/osu_* that are links to it.
#
# build.sh MPICC OUTDIR [options of the compiler]      MPICC may be several words ("mpicc -abi=standard")
set -eu
[ $# -ge 2 ] || { sed -n 's/^# //; 3,5p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mpicc=$1
out=$2
shift 2
mkdir -p "$out"

# As many compilations at a time as there are processors; $mpicc may be several words.
export OMB_COMPILE="$mpicc -std=c++20 -O2 -Wall -Wextra -Wshadow -Wno-unused-parameter -pthread $*" OMB_OUT="$out"
find "$here" -maxdepth 1 -name '*.cc' -print0 | xargs -0 -P "$(nproc)" -I{} sh -c '
  object=$OMB_OUT/.$(basename "$1" .cc).o
  exec $OMB_COMPILE -c "$1" -o "$object"' sh {}
$mpicc "$@" "$out"/.*.o -o "$out/osu" -pthread -lstdc++ -lm -ldl
rm -f "$out"/.*.o

# The preprocessor knows which programs this MPI can have.
printf '#include <mpi.h>\n#include "programs.def"\n' | $mpicc -E -P -I"$here" -x c - |
  sed -n 's/^PROGRAM(\([a-z0-9-]*\), *\([a-z0-9_]*\),.*/\1 \2/p' |
  while read -r folder name; do
    mkdir -p "$out/$folder"
    ln -sf ../osu "$out/$folder/$name"
  done
