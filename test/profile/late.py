# SPDX-License-Identifier: BSD-3-Clause
"""Under Python the MPI library comes late and is hidden from others: rank 1 is late to three barriers."""
import time

from mpi4py import MPI

comm = MPI.COMM_WORLD
for _ in range(3):
    if comm.rank == 1:
        time.sleep(0.05)
    comm.Barrier()
