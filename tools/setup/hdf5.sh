#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Puts Debian's parallel HDF5 for MPICH below .venv/hdf5, for a test: unpacked there, not installed. Nothing is done where it is
# there already, or where there is no apt.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
packages="libhdf5-mpich-103-1 libhdf5-mpich-dev libsz2 libaec0"
folder=$root/.venv/hdf5
[ ! -e "$folder/done" ] || exit 0
command -v apt-get >/dev/null || { echo "setup: no apt-get, so no HDF5 to test with" >&2; exit 0; }
"$root/tools/setup/system.sh" hdf5
echo "setup: HDF5 below .venv/hdf5"
rm -rf "$folder"
mkdir -p "$folder/packages"
cd "$folder/packages"
# shellcheck disable=SC2086
apt-get -q download $packages >download.log 2>&1 || { cat download.log >&2; exit 1; }
for package in *.deb; do dpkg-deb -x "$package" "$folder"; done
touch "$folder/done"
