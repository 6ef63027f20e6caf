#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the system packages that Starling's build and tests need, if any is missing. Debian and Ubuntu; elsewhere it says
# what to install.
#
# system.sh [autotools|build|cross|hdf5|lint]...     which sets of packages; build is the default
set -eu

packages_for() {
  case $1 in
    autotools)
      echo autoconf automake libtool m4 xz-utils
      ;;
    build)
      echo build-essential gfortran cmake ninja-build ccache pkg-config python3 python3-venv libgtest-dev libhwloc-dev nlohmann-json3-dev valgrind
      ;;
    cross)
      echo g++-aarch64-linux-gnu g++-powerpc64le-linux-gnu libc6-dev-arm64-cross libc6-dev-ppc64el-cross googletest qemu-user
      ;;
    hdf5)
      echo libcurl4 zlib1g
      ;;
    lint)
      echo clang-16 clang-format-16 clang-tidy-16
      ;;
    *)
      echo "system.sh: no set of packages is called '$1' (autotools, build, cross, hdf5, lint)" >&2
      exit 2
      ;;
  esac
}

[ $# -gt 0 ] || set -- build
wanted=
for set in "$@"; do wanted="$wanted $(packages_for "$set")"; done

if ! command -v dpkg-query >/dev/null; then
  echo "setup: this is not Debian or Ubuntu; please see to the equivalents of:$wanted" >&2
  exit 0
fi

missing=
for package in $wanted; do
  case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
    *' installed') ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
  as_root=sudo
else
  echo "setup: these packages are missing, and only root may install them. Run once, then try again:" >&2
  echo "  sudo apt-get install$missing" >&2
  exit 1
fi

echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  $as_root apt-get -q -y -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" >"$log" 2>&1 </dev/null || return 1
}
# Old package lists name versions that the mirror no longer has: so fetch new ones first, but go on if that fails.
echo "setup:   fetching package lists"
apt update || { tail -n 5 "$log" >&2; echo "setup:   no new lists; trying with the old ones" >&2; }
echo "setup:   downloading and installing"
# shellcheck disable=SC2086
if ! apt install --no-install-recommends $missing; then
  cat "$log" >&2
  exit 1
fi
echo "setup:   done"
