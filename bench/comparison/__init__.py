# SPDX-License-Identifier: BSD-3-Clause
"""The side-by-side comparison of MPI libraries: bench/compare is its command, doc/benchmarks.md its description.

In the order of a run: libraries (how to compile and launch with each), plan (what is run), build, runner (interleaved launches within a
time budget) with parse (what a program printed) and disturbance (what else the machine did), results (the file that is kept, and
the cells computed from it by stats), and from that table, page (with chart) and gate. tune makes rules for collectives from cells; its
command is bench/mpi_tune. imb makes IMB-MPI1 look like one more library, for bench/agree.
"""
