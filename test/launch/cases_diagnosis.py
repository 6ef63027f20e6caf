# SPDX-License-Identifier: BSD-3-Clause
"""What the launcher tells about a job that hangs, and to debuggers."""
import os
import pathlib
import struct
import subprocess

from cases_mpi import compile_program
from harness import PATIENCE_S, contains, same

HANG = r"""
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
/* Usage: program circle|busy file: hangs until the file is there. */
int main(int argc, char** argv) {
  int rank, size, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(argv[1], "circle") || rank < size - 1)
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 42, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    while (access(argv[2], F_OK)) usleep(10000);
  if (rank > 0) MPI_Send(&value, 1, MPI_INT, rank - 1, 42, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


def symbol_addresses(program):
    listing = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    return {line.split()[2]: int(line.split()[0], 16) for line in listing.splitlines() if len(line.split()) == 3}


class Memory:
    """Variables of a running process, as a debugger reads them."""

    def __init__(self, process, program):
        self.process = process
        self.symbols = symbol_addresses(program)
        maps = pathlib.Path(f"/proc/{process}/maps").read_text().splitlines()
        self.base = min(int(line.split("-")[0], 16) for line in maps if line.endswith(os.path.realpath(program)))

    def at(self, address, length):
        with open(f"/proc/{self.process}/mem", "rb") as memory:
            memory.seek(address)
            return memory.read(length)

    def variable(self, name, layout):
        return struct.unpack(layout, self.at(self.base + self.symbols[name], struct.calcsize(layout)))[0]

    def text(self, address):
        return self.at(address, 4096).split(b"\0")[0].decode()


def cases(l):
    mpicc = l.named("mpicc")
    if not os.path.exists(mpicc):
        return []
    program = l.folder / "program-hang"

    def told(what, *texts):
        """Starts a job that hangs, and reads its stderr until all texts were there."""
        compile_program(l, mpicc, HANG, program)
        errors = l.folder / "hang.err"
        go = l.folder / "go"
        go.unlink(missing_ok=True)
        with open(errors, "w") as file:
            process = subprocess.Popen([l.mpiexec, "-n", "3", "-genv", "MVP_HANG_TIMEOUT", "1", str(program), what, str(go)],
                                       stderr=file, stdin=subprocess.DEVNULL, env=l.environment())
        try:
            l.wait_for(lambda: all(text in errors.read_text() for text in texts), f"{texts} in {errors.read_text()}")
        finally:
            if what == "busy":
                go.write_text("")
            else:
                process.terminate()
            process.wait(timeout=PATIENCE_S)
        if what == "busy":
            same(process.returncode, 0)

    def hang_in_a_circle():
        told("circle", "rank 1 has waited for 1 s for a message from rank 2 of MPI_COMM_WORLD with tag 42", "3 of 3 ranks hang",
             "rank 2 waits for rank 0", "they wait in a circle: 0 -> 1 -> 2 -> 0")

    def hang_on_one():
        told("busy", "2 of 3 ranks hang", "rank 0 waits for rank 1", "does not wait in MPI: rank 2")

    def process_table():
        """As a debugger finds it that attaches to mpiexec."""
        process = l.start("-n", 3, "sleep", "600")
        try:
            memory = []

            def ready():
                memory[:] = [Memory(process.pid, l.mpiexec)]
                return memory[0].variable("MPIR_proctable_size", "i") == 3

            l.wait_for(ready, "the process table")
            table = memory[0].variable("MPIR_proctable", "P")
            same(memory[0].variable("MPIR_debug_state", "i"), 1)
            for rank in range(3):
                host, name, pid = struct.unpack("PPi4x", memory[0].at(table + 24 * rank, 24))
                contains(memory[0].text(name), "sleep")
                same(memory[0].text(host) != "", True)
                same(pathlib.Path(f"/proc/{pid}/comm").read_text().strip(), "sleep")
                contains(pathlib.Path(f"/proc/{pid}/environ").read_text(), f"PMI_RANK={rank}\0")
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE_S)

    return [(f"diagnosis: {f.__name__}", f) for f in (hang_in_a_circle, hang_on_one, process_table)]
