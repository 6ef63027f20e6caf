#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The source of MPICH's own test suite below .venv/mpich-tests, from the source that Debian keeps. It is configured and built for a
# build of ours by test/run.py --suite mpich_tests (make mpich-test).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
version=4.0.2
checksum=b27039f964afeb6b8a3e009c56b441cbe368c26d6d6476ad3bb7190996875860
source=http://deb.debian.org/debian/pool/main/m/mpich/mpich_$version.orig.tar.xz
folder=$root/.venv/mpich-tests
apt_helper=/usr/lib/apt/apt-helper
[ "$(cat "$folder/installed.txt" 2>/dev/null)" != $version ] || exit 0
[ -x $apt_helper ] || { echo "setup: no apt, so no test suite of MPICH" >&2; exit 0; }
"$root/tools/setup/system.sh" autotools
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
echo "setup: .venv/mpich-tests: the test suite of MPICH $version"
$apt_helper download-file $source source.tar.xz SHA256:$checksum >log 2>&1 || {
  tail -n 5 log >&2
  exit 1
}
tar -xJf source.tar.xz --strip-components=3 --wildcards 'mpich-*/test/mpi/*'
rm source.tar.xz
echo $version >installed.txt  # last: it says that all before it worked
