#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PnetCDF with its test programs below .venv/pnetcdf, for tests: built from the source that Debian keeps, by the mpicc of MPICH's
# wheel (python.sh mpich). Debian's own package is for Open MPI. Takes a few minutes, once.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
version=1.12.3
checksum=8f54023ffbbd3c8137e5422b44e32324113d5690f1da0cb7ecd5842c2de850a9
source=http://deb.debian.org/debian/pool/main/p/pnetcdf/pnetcdf_$version.orig.tar.xz
folder=$root/.venv/pnetcdf
apt_helper=/usr/lib/apt/apt-helper
[ "$(cat "$folder/installed.txt" 2>/dev/null)" != $version ] || exit 0
[ -x $apt_helper ] || { echo "setup: no apt, so no PnetCDF to test with" >&2; exit 0; }
"$root/tools/setup/system.sh" autotools
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
echo "setup: building PnetCDF $version below .venv/pnetcdf, which takes some minutes"
$apt_helper download-file $source source.tar.xz SHA256:$checksum >log 2>&1 || {
  tail -n 5 log >&2
  echo "setup: no PnetCDF; its tests will say so" >&2
  exit 0
}
tar -xJf source.tar.xz --strip-components=1
{
  autoreconf -i
  ./configure MPICC="$root/.venv/mpich/bin/mpicc" --disable-fortran --disable-cxx CFLAGS=-O1
  make -j "$(nproc)" tests
} >log 2>&1 || {
  tail -n 20 log >&2
  exit 1
}
echo $version >installed.txt  # last: it says that all before it worked
