# SPDX-License-Identifier: BSD-3-Clause
"""The profile of a run (doc/profile.md): programs that plant waits and know how long they were, that send a known number of messages, or
that end badly. What the programs measured themselves is the truth."""
import json
import os
import re
import signal
import subprocess
import time

from . import job, programs

SOURCES = programs.TEST / "profile"
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Wshadow"]
RANKS, LATE, SECONDS, ROUNDS = 4, 2, 0.03, 10
TOLERANCE = 0.05
# kind of test/profile/late.c -> the function in which the others wait
KINDS = {"barrier": "Barrier", "allreduce": "Allreduce", "bcast": "Bcast", "ibarrier": "Wait", "persistent": "Wait", "split": "Comm_split",
         "send": "Recv", "anysource": "Recv", "waitall": "Waitall", "receive": "Ssend", "sendrecv": "Sendrecv", "twin": "Allreduce"}  # fmt: skip
TRUTH = re.compile(r"^truth rank (\d+) waited (\S+) compute (\S+)$", re.M)


class Runner:
    def __init__(self, options, abi):
        self.options = options
        self.directory = options.work / f"profile-{abi}"
        self.directory.mkdir(parents=True, exist_ok=True)
        self.compiler = [options.build_dir / "bin/mpicc", f"-abi={abi}"]

    def compile(self, name, *extra, source=None):
        return self.build(name, [*self.compiler, *FLAGS, SOURCES / (source or f"{name}.c"), *extra])

    def compile_tool(self, name, *extra):
        flags = ["-shared", "-fPIC", f'-DNAME="{name}"', "-Wl,-z,relro", "-Wl,-z,now", *extra]
        return self.compile(f"lib{name}.so", *flags, source="tool.c")

    def build(self, name, command):
        target = self.directory / name
        outcome = job.run([*command, "-o", target], 300)
        if outcome.problem() or outcome.output.strip():
            raise OSError(f"{name} does not compile without warnings:\n{outcome.output}")
        return target

    def run(self, command, ranks=RANKS, env=None, launcher=None, profile=True):
        """(outcome, profile or None). `profile`: the job is told to write one."""
        prefix = self.directory / "profile"
        for suffix in (".json", ".html"):
            prefix.with_name(prefix.name + suffix).unlink(missing_ok=True)
        launcher = [self.options.mpiexec, "-n", ranks] if launcher is None else launcher
        wanted = {"MVP_PROFILE": "1", "MVP_PROFILE_FILE": str(prefix)} if profile else {}
        outcome = job.run([*launcher, *command], 120, {**wanted, **(env or {})})
        return outcome, self.profile()

    def profile(self):
        path = self.directory / "profile.json"
        return json.loads(path.read_text()) if path.exists() else None


def call(profile, name):
    return next((c for c in profile["calls"] if c["name"] == f"MPI_{name}"), {"count": 0, "waiting_s": 0, "transfer_s": 0, "total_s": 0})


def close(value, truth, tolerance=TOLERANCE):
    return abs(value - truth) <= tolerance * truth


def waits(runner, program, kind, seconds=SECONDS, rounds=ROUNDS, env=None, tolerance=TOLERANCE):
    """What is wrong with the profile of a planted wait, or None; and the output."""
    outcome, profile = runner.run([program, kind, LATE, seconds, rounds], env=env)
    truth = {int(rank): float(waited) for rank, waited, _ in TRUTH.findall(outcome.output)}
    if outcome.problem() or profile is None or len(truth) != RANKS:
        return outcome.problem() or "no profile", outcome, profile
    ranks = profile["by_rank"]
    late = max(ranks, key=lambda r: r["caused_s"])["rank"]
    waiters = [(LATE + 1) % RANKS] if kind == "reduce" else [r for r in range(RANKS) if r != LATE]
    problems = [] if late == LATE else [f"rank {late} is named as the late one, not {LATE}"]
    for r in waiters if tolerance else []:
        if profile["waited_for_s"][r][LATE] < (1 - tolerance) * truth[r]:
            problems.append(f"rank {r} waited {profile['waited_for_s'][r][LATE]:.4f} s, truth {truth[r]:.4f}")
    if kind in KINDS and tolerance:
        found, expected = call(profile, KINDS[kind])["waiting_s"], sum(truth[r] for r in waiters)
        if not close(found, expected, tolerance):
            problems.append(f"{KINDS[kind]}: waiting {found:.4f} s, truth {expected:.4f}")
        if call(profile, KINDS[kind])["total_s"] < found:
            problems.append("a call waits longer than it lasts")
    for r in ranks:
        if not close(r["compute_s"] + r["waiting_s"] + r["transfer_s"] + r["other_s"], r["run_s"], 0.001):
            problems.append(f"the parts of rank {r['rank']} do not make the whole")
    if not profile["perfect_interconnect"]["balanced_s"] <= profile["perfect_interconnect"]["estimate_s"] <= profile["elapsed_s"]:
        problems.append("the estimates are not in order")
    return "; ".join(problems) or None, outcome, profile


def wait_cases(report, suite, runner):
    program = runner.compile("late")
    for kind in [*KINDS, "reduce"]:
        problem, outcome, _ = waits(runner, program, kind)
        report.add(suite, f"late in {kind}", not problem, bool(problem), outcome.seconds, problem or "", outcome.output)
    # So many operations that only some of them can be kept. How well these stand for all depends on what else disturbs the machine;
    # unit_profile tests the arithmetic.
    problem, outcome, profile = waits(runner, program, "barrier", 0.002, 400, {"MVP_PROFILE_EVENTS": "60"}, None)
    if not problem and not profile["looked_at"] < 1:
        problem = "all waits were kept"
    report.add(suite, "a sample of many waits", not problem, bool(problem), outcome.seconds, problem or "", outcome.output)


def count_problems(profile, ranks, complete=True):
    """What is wrong with the counts of test/profile/counts.c. If not all ranks came to the end, the last operation may lack its other side."""
    if profile is None:
        return ["no profile"]
    sizes = {(s["from"], s["to"]): (s["count"], s["bytes"]) for s in profile["message_sizes"]}
    parts = {(s["from"], s["to"]): (s["count"], s["bytes"]) for s in profile["collective_sizes"]}
    parts_of_alltoall = 8 * ranks
    expected_parts = {(32, 63): (7 * ranks, 7 * ranks * 32)}
    low = 1 << (parts_of_alltoall.bit_length() - 1)
    before = expected_parts.get((low, 2 * low - 1), (0, 0))
    expected_parts[(low, 2 * low - 1)] = (before[0] + ranks, before[1] + ranks * parts_of_alltoall)
    expected = {
        "sizes": (sizes, {(0, 0): (1, 0), (4, 7): (3, 12), (16, 31): (5, 120), (512, 1023): (2, 1600)}),
        "collective sizes": ({k: v for k, v in parts.items() if k != (0, 0)}, expected_parts),
        "messages": (profile["messages"][0][1], 11),
        "bytes": (profile["bytes"][0][1], 12 + 120 + 1600),
        "other pairs": (sum(map(sum, profile["messages"])), 11),
        "MPI_Send": (call(profile, "Send")["count"], 6),
        "MPI_Isend": (call(profile, "Isend")["count"], 5),
        "MPI_Recv": (call(profile, "Recv")["count"], 9),
        "MPI_Allreduce": (call(profile, "Allreduce")["count"], 7 * ranks),
        "unmatched": (profile["unmatched"] if complete else 0, 0),
    }
    return [f"{what}: {found}, not {right}" for what, (found, right) in expected.items() if found != right]


def count_cases(report, suite, runner):
    program = runner.compile("counts")
    library = runner.options.build_dir / "lib/libstarling_profile.so"

    def add(name, outcome, problems):
        problem = outcome.problem() if not problems else "; ".join(problems)
        report.add(suite, name, not problem, bool(problem), outcome.seconds, problem or "", outcome.output)

    outcome, profile = runner.run([program])
    add("counts", outcome, count_problems(profile, RANKS))

    tool = runner.compile_tool("tool")
    outcome, profile = runner.run([program], env={"LD_PRELOAD": str(tool)})
    problems = count_problems(profile, RANKS)
    if outcome.output.count("tool counted 7") != RANKS:
        problems.append("the other tool did not count")
    add("with another tool", outcome, problems)

    late = runner.compile("late")
    outcome, profile = runner.run([late, "barrier", "0", "0.01", "3"], env={"LD_PRELOAD": str(library)}, launcher=[])
    add("alone, without mpiexec", outcome, [] if profile and call(profile, "Barrier")["count"] == 3 else ["no profile"])

    python = runner.options.test_venv / "bin/python"
    if python.exists():
        path = {"LD_LIBRARY_PATH": str(runner.options.build_dir / "lib")}
        outcome, profile = runner.run([python, SOURCES / "late.py"], env=path)
        late = max(profile["by_rank"], key=lambda r: r["caused_s"])["rank"] if profile else None
        good = late == 1 and call(profile, "Barrier")["count"] == 3 * RANKS
        add("mpi4py", outcome, [] if good else [f"rank {late} is named as the late one" if profile else "no profile"])

    outcome, profile = runner.run(["sh", "-c", "true"])
    add("not a program of MPI", outcome, [] if "no rank called MPI_Init" in outcome.output else ["nobody says that there is no profile"])


def chain_cases(report, suite, runner):
    """Several tools at once, one behind the other, in the order of MVP_TOOLS (doc/tool.md)."""
    program = runner.compile("counts")
    tools = {"first": runner.compile_tool("first"), "second": runner.compile_tool("second", "-DPOINTER"),
             "silent": runner.compile_tool("silent", "-DNO_ALLREDUCE")}  # fmt: skip

    def run(names, profile):
        path = ":".join(str(tools.get(name, name)) for name in names)
        outcome, found = runner.run(["-l", program], env={"MVP_TOOLS": path}, profile="profile" in names or profile)
        problems = []
        for rank in range(RANKS):
            expected = [f"{name} counted {0 if name == 'silent' else 7}" for name in names if name in tools]
            lines = re.findall(rf"^\[?{rank}\]?:? *(\w+ counted \d+)$", outcome.output, re.M)
            if lines != expected:
                problems.append(f"rank {rank}: {lines}, not {expected}")
        if (found is not None) != ("profile" in names or profile):
            problems.append("a profile" if found else "no profile")
        if found:
            problems += count_problems(found, RANKS)
        problem = outcome.problem() or "; ".join(problems)
        name = f"tools {':'.join(names)}{', profile' if profile else ''}"
        report.add(suite, name, not problem, bool(problem), outcome.seconds, problem, outcome.output)

    run(["first", "second"], False)
    run(["second", "silent", "first"], False)
    run(["first", "profile", "second"], False)
    run(["silent", "second"], True)
    outcome, _ = runner.run([program], env={"MVP_TOOLS": f"{tools['first']}:libnobodyhasit.so"}, profile=False)
    good = outcome.output.count("first counted 7") == RANKS and "libnobodyhasit.so of MVP_TOOLS is not loaded" in outcome.output
    report.add(suite, "tools, one is missing", good, not good, outcome.seconds, "" if good else "nobody says so", outcome.output)


def fortran_cases(report, suite, runner):
    """What a tool in C sees of a program in Fortran (doc/fortran.md): calls of MPI_ functions, and not those of PMPI_ functions."""
    compiler = [runner.options.build_dir / "bin/mpifort", *runner.compiler[1:]]
    if not compiler[0].exists():
        return
    tool = runner.compile_tool("tool")
    for binding in ("mpif", "mpi", "f08"):
        program = runner.build(f"bindings-{binding}", [*compiler, f"-DWITH_{binding.upper()}", f"-J{runner.directory}", SOURCES / "bindings.F90"])
        outcome, profile = runner.run([program], env={"LD_PRELOAD": str(tool)})
        count = call(profile, "Allreduce")["count"] if profile else None
        problem = outcome.problem() or ("" if count == 7 * RANKS else f"the profile has {count} calls")
        if not problem and [outcome.output.count(line) for line in ("tool counted 7", "tool saw 2 attributes")] != [RANKS, RANKS]:
            problem = "the tool did not count 7 and 2"
        report.add(suite, f"Fortran, {binding}", not problem, bool(problem), outcome.seconds, problem, outcome.output)


def spawn_cases(report, suite, runner):
    program = runner.compile("spawn")
    other = runner.directory / "profile.spawned1.json"
    other.unlink(missing_ok=True)
    outcome, profile = runner.run([program], ranks=1)
    spawned = json.loads(other.read_text()) if other.exists() else None
    found = [call(p, "Allreduce")["count"] if p else None for p in (profile, spawned)]
    problem = outcome.problem() or ("" if found == [3, 10] else f"MPI_Allreduce counts are {found}")
    report.add(suite, "spawned jobs", not problem, bool(problem), outcome.seconds, problem, outcome.output)


def failure_cases(report, suite, runner):
    program = runner.compile("counts")
    outcome, profile = runner.run([program, "abort"])
    problems = count_problems(profile, RANKS, complete=False)
    if profile and outcome.code == 3 and profile["by_rank"][1].get("inside") not in (None, "MPI_Abort"):
        problems.append("rank 1 ended somewhere else than in MPI_Abort")
    good = outcome.code == 3 and not problems
    report.add(suite, "MPI_Abort", good, not good, outcome.seconds, "; ".join(problems) or f"exit code {outcome.code}", outcome.output)

    for suffix in (".json", ".html"):
        (runner.directory / f"profile{suffix}").unlink(missing_ok=True)
    env = {**os.environ, "MVP_PROFILE_FILE": str(runner.directory / "profile")}
    start = time.monotonic()
    process = subprocess.Popen([runner.options.mpiexec, "-n", str(RANKS), program, "stop"], stdin=subprocess.DEVNULL, text=True, env=env,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)  # fmt: skip
    try:
        line = process.stdout.readline()
        time.sleep(1)  # the others come to the barrier
        os.kill(int(line.split()[1]), signal.SIGKILL)
        output = process.communicate(timeout=30)[0]
    except (OSError, ValueError, IndexError, subprocess.TimeoutExpired) as error:
        output = f"{error}\n{job.stop(process)}"
    profile = runner.profile()
    problems = count_problems(profile, RANKS, complete=False)
    if profile:
        states = [r["state"] for r in profile["by_rank"]]
        inside = [r.get("inside") for r in profile["by_rank"]]
        if states != ["unfinished"] * RANKS or inside.count("MPI_Barrier") != RANKS - 1:
            problems.append(f"states {states}, inside {inside}")
    report.add(suite, "kill -9", not problems, bool(problems), time.monotonic() - start, "; ".join(problems), output)


def run_profile(report, options):
    if "STARLING_SANITIZE:STRING=\n" not in (options.build_dir / "CMakeCache.txt").read_text() + "\n":
        return  # a sanitizer's runtime wants to be the first library itself
    for abi in ("mpich", "standard"):
        suite = f"profile, {abi} ABI"
        runner = Runner(options, abi)
        for cases in (wait_cases, count_cases, chain_cases, fortran_cases, spawn_cases, failure_cases):
            cases(report, suite, runner)
        report.end_suite(suite)
