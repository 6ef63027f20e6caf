#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The interface of the suite's build: build.sh MPICC OUTDIR.
set -eu
mkdir -p "$2/pt2pt" "$2/collective"
for name in osu_latency osu_bw; do "$1" $name.c -o "$2/pt2pt/$name"; done
for name in osu_barrier osu_bcast; do "$1" $name.c -o "$2/collective/$name"; done
