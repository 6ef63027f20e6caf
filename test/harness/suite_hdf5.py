# SPDX-License-Identifier: BSD-3-Clause
"""Debian's parallel HDF5, unmodified, on our library.

It names MPICH's library as Debian does, libmpich.so.12; lib/mpich-compat has ours under that name. A program against its C interface is
compiled by our mpicc.
"""
from . import job, programs

TIMEOUT = 600


def run_hdf5(report, options):
    suite = "hdf5"
    libraries = options.hdf5 / "usr/lib/x86_64-linux-gnu"
    headers = options.hdf5 / "usr/include/hdf5/mpich"
    if not (headers / "hdf5.h").exists():
        report.add(suite, "set-up", 0, 1, 0, f"{headers}/hdf5.h is missing; make test sets it up")
        return
    target = options.work / "hdf5-parallel"
    compat = options.build_dir / "lib/mpich-compat"
    command = [options.build_dir / "bin/mpicc", *programs.FLAGS, f"-I{headers}", programs.TEST / "hdf5/parallel.c", "-o", target,
               libraries / "libhdf5_mpich.so.103", "-Wl,--allow-shlib-undefined", *programs.LIBRARIES]  # fmt: skip
    outcome = job.run(command, TIMEOUT)
    if outcome.problem():
        report.add(suite, "compile", 0, 1, outcome.seconds, outcome.problem(), outcome.output)
        return
    env = {"LD_LIBRARY_PATH": f"{libraries}:{compat}:{options.build_dir / 'lib'}"}
    for n in options.np:
        outcome = job.run([options.mpiexec, "-n", n, target], TIMEOUT, env)
        passed, failed = outcome.closing_line() or (0, 1)
        problem = outcome.problem()
        report.add(suite, f"parallel np={n}", passed, failed or int(bool(problem)), outcome.seconds, problem or "", outcome.output)
    report.end_suite(suite)
