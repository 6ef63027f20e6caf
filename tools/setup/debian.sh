#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Unpacks packages of Debian below .venv/, for tests: nothing is installed. What is there already, from the same list, is left alone.
# Without apt, or without such a package, nothing happens; the tests say what they miss.
#
# debian.sh NAME...
#   hdf5           parallel HDF5 for MPICH
#   scalapack      ScaLAPACK for MPICH, and its test drivers
#   mpich-fortran  MPICH with Fortran bindings: the wheels of MPICH have none
#   openmp         LLVM's OpenMP library, which serves programs that name Intel's: IMB-MT does
set -eu
cd "$(dirname "$0")/../.."

packages_for() {
  case $1 in
    hdf5) echo libhdf5-mpich-103-1 libhdf5-mpich-dev libsz2 libaec0 ;;
    scalapack) echo libscalapack-mpich2.2 scalapack-mpi-test scalapack-test-common libblas3 liblapack3 ;;
    mpich-fortran) echo libmpich12 libmpich-dev libucx0 libhwloc15 ;;
    openmp) echo libomp5-16 ;;
    *)
      echo "debian.sh: no set of packages is called '$1' (hdf5, scalapack, mpich-fortran, openmp)" >&2
      exit 2
      ;;
  esac
}

# Old package lists name versions that the mirror no longer has.
download() {
  apt-get -q download "$@" >log 2>&1 && return
  apt-get -q update >>log 2>&1 || true
  apt-get -q download "$@" >>log 2>&1
}

unpack() {
  mkdir -p "$1/packages"
  (
    cd "$1/packages"
    shift
    download "$@" || { tail -n 5 log >&2; exit 1; }
    for package in *.deb; do dpkg -x "$package" ..; done
  ) || return 1
  rm -r "$1/packages"
}

for name in "$@"; do
  packages=$(packages_for "$name")
  folder=.venv/$name
  [ "$(cat "$folder/installed.txt" 2>/dev/null)" != "$packages" ] || continue
  command -v apt-get >/dev/null || { echo "setup: no apt-get, so no $name to test with" >&2; continue; }
  [ "$name" != hdf5 ] || tools/setup/system.sh hdf5
  echo "setup: $folder: $packages"
  rm -rf "$folder"
  # shellcheck disable=SC2086
  unpack "$folder" $packages || { echo "setup: no $name; its tests will say so" >&2; continue; }
  for library in "$folder"/usr/lib/llvm-*/lib/libomp.so.5; do
    [ ! -e "$library" ] || ln -s libomp.so.5 "${library%/*}/libiomp5.so"
  done
  echo "$packages" >"$folder/installed.txt"  # last: it says that all before it worked
done
