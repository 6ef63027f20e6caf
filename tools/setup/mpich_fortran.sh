#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Unpacks Debian's MPICH with its Fortran bindings below .venv/mpich-fortran, as the wheels of MPICH have none: tests compare with it.
# Nothing is installed.
set -eu
cd "$(dirname "$0")/../.."
target=.venv/mpich-fortran
[ ! -e $target/ready ] || exit 0
command -v apt-get >/dev/null || { echo "setup: no apt-get, so no MPICH to compare Fortran with" >&2; exit 0; }
echo "setup: MPICH with Fortran, below $target"
rm -rf $target
mkdir -p $target/packages
cd $target/packages
# libucx0 is what libmpich12 itself needs beyond what a build machine has. Old package lists name versions that the mirror no longer has.
packages="libmpich12 libmpich-dev libucx0 libhwloc15"
# shellcheck disable=SC2086
if ! apt-get -q download $packages >log 2>&1; then
  apt-get -q update >>log 2>&1 || true
  apt-get -q download $packages >>log 2>&1 || { tail -n 5 log >&2; echo "setup: no MPICH with Fortran; its tests will say so" >&2; exit 0; }
fi
for package in *.deb; do dpkg -x "$package" ..; done
cd ..
rm -r packages
: >ready
