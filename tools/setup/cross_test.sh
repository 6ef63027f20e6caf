#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds for another processor, and runs the unit tests and the multi-process tests of that build under qemu-user. Our own mpiexec
# of this machine starts the ranks: the job segment has the same format on all 64-bit little-endian targets.
#
# An emulated processor is ten times as slow: of the C programs only those where processes and threads meet in memory run, at 2 ranks, in both
# ABIs. Options say otherwise: cross_test.sh aarch64 --np 2,3 --only ''
#
# cross_test.sh aarch64|ppc64le [options of test/run.py]
set -eu
cd "$(dirname "$0")/../.."
target=$1
shift
build=$PWD/build/$target
case $target in
  aarch64) emulator='qemu-aarch64 -L /usr/aarch64-linux-gnu' ;;
  ppc64le) emulator='qemu-ppc64le -L /usr/powerpc64le-linux-gnu' ;;
  *) echo "cross_test.sh: unknown target $target" >&2; exit 2 ;;
esac
[ -f build/release/build.ninja ] || cmake --preset release </dev/null
cmake --build build/release --target mpiexec </dev/null
tools/setup/build.sh "$target"

# The tests call `mpiexec -n N program`: between N and the program comes the emulator.
launcher=$build/emulated_mpiexec
cat >"$launcher" <<END
#!/bin/sh
ranks=\$2
shift 2
exec "$PWD/build/release/bin/mpiexec" -n "\$ranks" $emulator "\$@"
END
chmod +x "$launcher"

# The toolchain file tells ctest to put the emulator in front.
echo "$target: unit tests"
ctest --test-dir "$build" --output-on-failure --timeout 1200
echo "$target: C programs in both ABIs"
exec python3 test/run.py --build-dir "$build" --mpiexec "$launcher" --suite c --np 2 --only p2p/,coll/,rma/,threads/,partitioned/ "$@"
