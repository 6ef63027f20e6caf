# SPDX-License-Identifier: BSD-3-Clause
"""Budgets (budget.json) kept by what was built: instructions of a short message and of
reductions, counted by callgrind, and a rank's memory.

Instructions are counted and not timed, because the count is the same on every machine of one architecture and in every run."""
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MESSAGES = 50  # kMessages in short_message.c
SEND = "instructions of MPI_Send, 8 bytes to another rank"
RECEIVE = "instructions of MPI_Recv, 8 bytes that have arrived"
BROADCAST = ("instructions of MPI_Bcast, 8 bytes, at the root", "instructions of MPI_Bcast, 8 bytes that have arrived")
PROFILED = {SEND: "instructions that the profile adds to MPI_Send, 8 bytes",
            RECEIVE: "instructions that the profile adds to MPI_Recv, 8 bytes"}  # fmt: skip
KIB = 256  # kKiB in reduction.c
REDUCTIONS = {
    "instructions of MPI_SUM, KiB of doubles": "measured_sum_double",
    "instructions of MPI_MIN, KiB of bytes": "measured_min_int8",
    "instructions of MPI_PROD, KiB of complex doubles": "measured_prod_complex",
    "instructions of MPI_MINLOC, KiB of doubles with places": "measured_minloc_double",
}
RESIDENT = "KiB resident in a rank after MPI_Init"


class Failure(Exception):
    pass


def run(command, env=None):
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False,
                                env={**os.environ, **(env or {})})  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failure(str(error)) from error
    if result.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))}: exit code {result.returncode}\n    " + result.stderr.strip()[-600:])
    return result.stdout


def compile_program(build, source, folder):
    program = Path(folder) / source.stem
    run([build / "bin/mpicc", "-O2", "-g", source, "-o", program])
    return program


def collected(path):
    """Instructions that callgrind collected in one process."""
    match = re.search(r"^(?:totals|summary): (\d+)", path.read_text(), re.M)
    return int(match.group(1)) if match else 0


def count_instructions(build, folder, profile, what):
    """Of one send, of one receive; or of both sides of a broadcast."""
    program = compile_program(build, HERE / "short_message.c", folder)
    run([build / "bin/mpiexec", "-n", "2", "valgrind", "--tool=callgrind", "--toggle-collect=measured_*",
         f"--callgrind-out-file={folder}/count.%q{{PMI_RANK}}", program, f"{folder}/turn.{what}.{profile}", what], {"MVP_PROFILE": profile})  # fmt: skip
    counts = [collected(Path(folder) / f"count.{rank}") // MESSAGES for rank in (0, 1)]
    if 0 in counts:
        raise Failure(f"callgrind collected nothing: {counts}")
    return dict(zip(BROADCAST if what == "bcast" else (SEND, RECEIVE), counts))


def count_reductions(build, folder):
    program = compile_program(build, HERE / "reduction.c", folder)
    values = {}
    for name, function in REDUCTIONS.items():
        count = Path(folder) / function
        run(["valgrind", "--tool=callgrind", f"--toggle-collect={function}", f"--callgrind-out-file={count}", program])
        values[name] = collected(count) // KIB
        if not values[name]:
            raise Failure(f"callgrind collected nothing in {function}")
    return values


def resident(build, folder):
    """KiB of the largest of four ranks."""
    program = compile_program(build, HERE.parents[1] / "bench/programs/memory.c", folder)
    output = run([build / "bin/mpiexec", "-n", "4", program])
    return int(re.search(r"^RSS after MPI_Init\t(\d+)\tKiB$", output, re.M).group(1))


def measure(build, folder):
    values = count_instructions(build, folder, "0", "message")
    profiled = count_instructions(build, folder, "1", "message")
    values |= {PROFILED[what]: profiled[what] - values[what] for what in PROFILED}
    values |= count_instructions(build, folder, "0", "bcast")
    return {**values, **count_reductions(build, folder), RESIDENT: resident(build, folder)}


def check(build_dir):
    """Yields (budget, problem or None). Sanitizers have their own instructions and memory, so there it is no question."""
    build = Path(build_dir).resolve()
    with open(HERE / "budget.json", encoding="utf-8") as file:
        budgets = json.load(file)
    if "STARLING_SANITIZE:STRING=\n" not in (build / "CMakeCache.txt").read_text() + "\n":
        return
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        try:
            values = measure(build, folder)
        except Failure as failure:
            yield "budgets", str(failure)
            return
    for name, limit in budgets.items():
        print(f"  {name}: {values[name]} (at most {limit})")
        yield name, None if values[name] <= limit else f"{values[name]}, at most {limit} allowed"
