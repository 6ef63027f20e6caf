# SPDX-License-Identifier: BSD-3-Clause
"""How to compile and start programs with each MPI library: what differs between them, in one place."""
import os
import shlex
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from . import parse

# A file that only this kind of library has.
MARKS = (("mpi_info", "starling"), ("ompi_info", "openmpi"), ("impi_info", "impi"), ("mpichversion", "mpich"))
WITH_MPICH_ABI = ("starling", "mpich")

# The options with which a launcher binds each rank to a core of its own, and those for more ranks than cores, where every library keeps
# its default. Intel's and ours bind without being asked; Intel's knows no option for it, but a variable.
BOUND = {
    "starling": ["-bind-to", "core"],
    "mpich": ["-bind-to", "core"],
    "openmpi": ["--bind-to", "core"],
    "impi": ["-genv", "I_MPI_PIN", "1", "-genv", "I_MPI_PIN_DOMAIN", "core"],
}
CROWDED = {"openmpi": ["--bind-to", "none", "--map-by", ":OVERSUBSCRIBE"]}

# Variables that change what an MPI library does: those that are set are part of the results.
TELLING = ("MVP_", "MV2_", "MPIR_", "MPICH_", "OMPI_", "PRTE_", "PMIX_MCA_", "I_MPI_", "UCX_", "FI_", "HYDRA_")


class LibraryError(Exception):
    pass


def tune_variables(name, environment):
    """OLD_TUNEVAR='A=1 B=2' sets A and B for the library called old."""
    text = environment.get(f"{name.upper()}_TUNEVAR", "")
    words = shlex.split(text)
    bad = [word for word in words if "=" not in word]
    if bad:
        raise LibraryError(f"{name.upper()}_TUNEVAR: '{bad[0]}' is not NAME=VALUE")
    return dict(word.split("=", 1) for word in words)


@dataclass
class Library:
    """An MPI library installed (or built) at `prefix`."""

    name: str
    prefix: Path
    tuning: dict = field(default_factory=dict)

    def __post_init__(self):
        self.prefix = Path(self.prefix).resolve()
        self.kind = self.find_kind()

    def find_kind(self):
        for program, kind in MARKS:
            if (self.prefix / "bin" / program).exists():
                return kind
        if self.mpiexec.exists():
            return "mpich"  # one of its relatives
        raise LibraryError(f"{self.name}: there is no MPI library at {self.prefix} (no bin/mpiexec)")

    @property
    def mpiexec(self):
        return self.prefix / "bin/mpiexec"

    @property
    def mpicc(self):
        return self.prefix / "bin/mpicc"

    def environment(self):
        env = dict(os.environ)
        env["PATH"] = f"{self.prefix / 'bin'}:{env['PATH']}"
        if self.kind == "impi":  # the wheel comes without the script that sets these
            env["I_MPI_ROOT"] = str(self.prefix)
            env["FI_PROVIDER_PATH"] = str(self.prefix / "lib")
            env["LD_LIBRARY_PATH"] = str(self.prefix / "lib")
        if self.kind == "openmpi":
            env["OMPI_ALLOW_RUN_AS_ROOT"] = env["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
        env.update(self.tuning)
        return env

    def compiler(self, libraries):
        """The library whose mpicc compiles for this one: its own, or, for the Intel wheel which has none, any with MPICH's ABI."""
        candidates = [self] + [other for other in libraries if self.kind == "impi" and other.kind in WITH_MPICH_ABI]
        for library in candidates:
            if library.mpicc.exists():
                return library
        raise LibraryError(f"{self.name} has no mpicc: name also a library with MPICH's ABI that has one")

    def launch(self, ranks, cores, *command):
        """The command that starts `ranks` ranks, each bound to a core of its own if there are enough."""
        options = BOUND.get(self.kind, []) if 1 < ranks <= cores else CROWDED.get(self.kind, []) if ranks > cores else []
        return [str(self.mpiexec), "-n", str(ranks), *options, *map(str, command)]

    def read(self, output):
        """The samples in what a program printed."""
        return parse.parse(output)

    def version(self):
        """One line, as far as the library tells."""
        ask = {"starling": ["mpi_info", "--version"], "openmpi": ["ompi_info", "--version"], "mpich": ["mpichversion", "--version"],
               "impi": ["mpiexec", "--version"]}[self.kind]  # fmt: skip
        try:
            result = subprocess.run([self.prefix / "bin" / ask[0], *ask[1:]], env=self.environment(), capture_output=True, text=True,
                                    timeout=20, stdin=subprocess.DEVNULL, check=False)  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return self.kind
        lines = [" ".join(line.split()) for line in result.stdout.splitlines() if line.strip()]
        return lines[0] if result.returncode == 0 and lines else self.kind

    def facts(self):
        return {"name": self.name, "prefix": str(self.prefix), "kind": self.kind, "version": self.version(), "tuning": self.tuning}


def from_words(words, environment):
    """Libraries from NAME=PREFIX words."""
    libraries = []
    for word in words:
        name, equals, prefix = word.partition("=")
        if not equals or not name:
            raise LibraryError(f"--mpi {word}: not NAME=PREFIX")
        if any(name == library.name for library in libraries):
            raise LibraryError(f"--mpi {word}: there are two libraries called {name}")
        libraries.append(Library(name, prefix, tune_variables(name, environment)))
    return libraries


def telling_variables(environment):
    return {name: value for name, value in sorted(environment.items()) if name.startswith(TELLING)}
