# SPDX-License-Identifier: BSD-3-Clause
"""Builds the benchmark programs, once for each mpicc: the suite by its own build.sh MPICC OUTDIR, and the small programs beside it."""
import hashlib
import subprocess
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
PROGRAMS = BENCH / "programs"
OWN = ("startup", "memory", "binding")


class BuildError(Exception):
    pass


def run(command, environment, log):
    with open(log, "wb") as output:
        result = subprocess.run([str(word) for word in command], env=environment, stdout=output, stderr=subprocess.STDOUT,
                                stdin=subprocess.DEVNULL, check=False)  # fmt: skip
    if result.returncode != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
        raise BuildError(f"{' '.join(map(str, command))}: exit code {result.returncode}; {log} ends with\n{tail}")


def fingerprint(mpicc, sources):
    """Changes when the sources or the compiler wrapper do."""
    digest = hashlib.sha256(str(mpicc).encode())
    for path in [mpicc, *sources]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def sources_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def native_program(name, sources, folder):
    """A program without MPI, by the system's compiler."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / name
    if not target.exists() or any(source.stat().st_mtime > target.stat().st_mtime for source in sources):
        run(["gcc", "-O3", "-pthread", *sources, "-o", target], None, folder / f"{name}.log")
    return target


def probe(folder):
    return native_program("probe", [PROGRAMS / "probe.c"], folder)


class Programs:
    """The executables of one library, found by name wherever the suite's build has put them."""

    def __init__(self, folder):
        self.paths = {path.name: path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_mode & 0o100}

    def find(self, name):
        return self.paths.get(name)


def build(library, libraries, suite, folder):
    """The Programs of `library`, below `folder`/NAME; `suite` is the folder with the suite's build.sh."""
    by = library.compiler(libraries)
    target = folder / by.name
    target.mkdir(parents=True, exist_ok=True)
    script = suite / "build.sh"
    stamp = target / "built.txt"
    if not script.exists():
        raise BuildError(f"there is no benchmark suite at {suite} (no build.sh)")
    wanted = fingerprint(by.mpicc, sources_of(suite) + sources_of(PROGRAMS))
    if not stamp.exists() or stamp.read_text(encoding="ascii") != wanted:
        stamp.unlink(missing_ok=True)
        run([script, by.mpicc, target / "suite"], by.environment(), target / "suite.log")
        for name in OWN:
            run([by.mpicc, "-O2", PROGRAMS / f"{name}.c", "-o", target / name], by.environment(), target / f"{name}.log")
        stamp.write_text(wanted, encoding="ascii")
    return Programs(target)
