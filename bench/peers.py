# SPDX-License-Identifier: BSD-3-Clause
"""How to compile and start programs with each MPI library: what differs between them, in one place."""
import os
import subprocess
from pathlib import Path


class Library:
    """An MPI library installed (or built) at `prefix`."""

    def __init__(self, name, prefix):
        self.name = name
        self.prefix = Path(prefix).resolve()
        self.kind = self.find_kind()

    def find_kind(self):
        for program, kind in (("mpi_info", "starling"), ("ompi_info", "openmpi"), ("impi_info", "impi"), ("mpichversion", "mpich")):
            if (self.prefix / "bin" / program).exists():
                return kind
        if (self.prefix / "bin/mpiexec").exists():
            return "mpich"  # one of its relatives
        raise SystemExit(f"{self.name}: there is no MPI library at {self.prefix}")

    def environment(self):
        env = dict(os.environ)
        env["PATH"] = f"{self.prefix / 'bin'}:{env['PATH']}"
        if self.kind == "impi":  # comes without its script that sets these
            env["I_MPI_ROOT"] = str(self.prefix)
            env["FI_PROVIDER_PATH"] = str(self.prefix / "lib")
            env["LD_LIBRARY_PATH"] = str(self.prefix / "lib")
        if self.kind == "openmpi":
            env["OMPI_ALLOW_RUN_AS_ROOT"] = env["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
        return env

    def compiler(self, libraries):
        """Its own mpicc; the Intel wheel has none, but takes programs of any library with MPICH's ABI."""
        if (self.prefix / "bin/mpicc").exists():
            return self
        for other in libraries:
            if other.kind in ("mpich", "starling") and (other.prefix / "bin/mpicc").exists():
                return other
        raise SystemExit(f"{self.name} has no mpicc: name a library with MPICH's ABI that has one, too")

    def compile(self, source, program, libraries):
        by = self.compiler(libraries)
        subprocess.run([by.prefix / "bin/mpicc", "-O2", source, "-o", program], env=by.environment(), check=True)

    def launch(self, ranks, cores, *command):
        """The command that starts `ranks` ranks on `cores` cores: each bound to a core of its own if there are enough."""
        mpiexec = [str(self.prefix / "bin/mpiexec"), "-n", str(ranks)]
        bind = ranks <= cores and ranks > 1
        if self.kind == "openmpi":
            mpiexec += ["--bind-to", "core"] if bind else ["--bind-to", "none", "--map-by", ":OVERSUBSCRIBE"]
        elif self.kind == "mpich" and bind:
            mpiexec += ["-bind-to", "core"]
        return [*mpiexec, *map(str, command)]  # Intel and Starling bind by themselves
