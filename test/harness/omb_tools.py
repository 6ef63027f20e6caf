# SPDX-License-Identifier: BSD-3-Clause
"""Cases of the suite `omb` with something beside MPI: an MPI that is wrong, several hosts, PAPI, gnuplot. Each is played by a stand-in
(test/omb), so that what is tested is what our programs do with it."""
import re

from . import job, programs
from .omb_output import PROGRAMS, Expectation, Mismatch

SHORT = ["-i", "2", "-x", "1", "-m", "4:8"]
GNUPLOT = '#!/bin/sh\n[ "$1" != -e ] || exit ${OMB_NO_PDF-0}\ncat >>"$OMB_RECORD"\necho "(graph)"\n'


def compile_library(suite, compiler, source, target):
    outcome = job.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", programs.TEST / "omb" / source, "-o", target], 60)
    good = not outcome.problem()
    suite.report.add("omb", f"compile {source}", int(good), int(not good), outcome.seconds, outcome.problem() or "", outcome.output)


def run_wrong_data(suite):
    """A message that arrives with another first byte is found, told, and written to the log of its rank."""
    library = suite.work / "interpose.so"
    compile_library(suite, suite.options.build_dir / "bin/mpicc", "interpose.c", library)
    preload = {"LD_PRELOAD": str(library)}

    def check(stdout, _):
        table, _, error = stdout.rpartition("DATA VALIDATION ERROR: ")
        rows = re.findall(r"^(\d+) .*(Pass|Fail)$", table, re.MULTILINE)
        if rows != [("4", "Pass"), ("8", "Fail")]:
            raise Mismatch(f"rows are {rows}")
        if not re.fullmatch(r"\S*osu_latency exited with status 1 on message size 8\.\n", error):
            raise Mismatch(f"the error is {error!r}")

    arguments = ["-i", "2", "-x", "1", "-m", "4:16"]
    wrong = {**preload, "OMB_SPOIL_SIZE": "8"}
    suite.case("osu_latency", 2, [*arguments, "-c"], env=wrong, check=check, code=1)
    suite.case("osu_latency", 2, [*arguments, "-clog"], env=wrong, check=check, code=1)
    logs = suite.work / "validation_output"

    def check_log(stdout, _):
        for rank in 0, 1:
            lines = (logs / f"log-{rank}.log").read_text(encoding="utf-8").splitlines()
            if not re.fullmatch(r"Size: 8, Iteration:\d+, Datatype: MPI_CHAR", lines[0]) or len(lines) != 9:
                raise Mismatch(f"log {rank} is {lines}")
            if lines[1] != "Position".ljust(10) + "Expected".rjust(20) + "Actual".rjust(20):
                raise Mismatch(f"log {rank} is {lines}")
            position, expected, actual = lines[2].split()
            if position != "0" or int(actual) != int(expected) + 1 or len(lines[2]) != 50:
                raise Mismatch(f"log {rank} is {lines}")

    suite.case("osu_latency", 2, SHORT, check=check_log)

    def check_taken(_, errors):
        if "validation_output" not in errors or "exists" not in errors:
            raise Mismatch(f"stderr is {errors!r}")

    suite.case("osu_latency", 2, [*SHORT, "-clog"], check=check_taken, code=1)
    suite.case("osu_latency", 2, [*SHORT, "-clog:" + str(suite.work / "other")], verdict="Pass")

    def check_slow(stdout, _):
        rows = [line.split() for line in stdout.splitlines() if line[:1].isdigit()]
        if len(rows) != 2 or any(float(row[1]) < 3000 for row in rows):
            raise Mismatch(f"rows are {rows}")

    slow_barrier = {**preload, "OMB_BARRIER_US": "3000", "OMB_COUNT_BARRIER": "1"}
    suite.case("osu_bcast", 3, SHORT, env=slow_barrier, check=check_slow)
    suite.case("osu_bcast", 3, [*SHORT, "-c"], env=slow_barrier, verdict="Pass")

    for name in "osu_bw_fan_in", "osu_bw_fan_out":
        suite.case(name, 2, SHORT, env={**preload, "OMB_NODES": "2"})
        suite.case(name, 6, [*SHORT, "-z"], env={**preload, "OMB_NODES": "3"}, percentiles=("50", "90", "99"))

        def check_uneven(_, errors):
            if errors != "This test requires the same number of processes on each node\n":
                raise Mismatch(f"stderr is {errors!r}")

        suite.case(name, 5, SHORT, env={**preload, "OMB_NODES": "2"}, check=check_uneven, code=1)


def run_papi(suite):
    def check_missing(_, errors):
        if not re.search("PAPI is not available|PAPI cannot count the event OMB_A", errors):  # the latter if the machine has it
            raise Mismatch(f"stderr is {errors!r}")

    folder = suite.work / "papi"
    folder.mkdir()
    compile_library(suite, "cc", "papi.c", folder / "libpapi.so")
    env = {"LD_LIBRARY_PATH": str(folder)}
    path = suite.work / "counts.txt"
    suite.case("osu_latency", 2, [*SHORT, "-P", f"OMB_A,OMB_B:{path}"], env=env)

    def check_file(stdout, _):
        rule = r">>=+\n"
        row = r"{name} {{15}}\d+ {{17}}\d+ {{17}}\n"
        size = rf"Size: {{size}}\n{rule}PAPI Event Name {{{{5}}}}Rank:0 {{{{14}}}}Rank:1 {{{{14}}}}\n"
        size += row.format(name="OMB_A").replace("{", "{{").replace("}", "}}") + row.format(name="OMB_B").replace("{", "{{").replace("}", "}}")
        size += "##=+##\n\n"
        wanted = "".join(size.format(size=n) for n in (4, 8))
        text = path.read_text(encoding="utf-8")
        if not re.fullmatch(wanted, text):
            raise Mismatch(f"the file is {text!r}, not like {wanted!r}")
        if re.findall(r"OMB_B +(\d+)", text) != ["201", "202"]:
            raise Mismatch(f"the counters are not those of the timed iterations: {text!r}")

    suite.case("osu_hello", 1, [], check=check_file)

    def check_event(_, errors):
        if errors != "PAPI cannot count the event OMB_C\n":
            raise Mismatch(f"stderr is {errors!r}")

    suite.case("osu_latency", 2, [*SHORT, "-P", f"OMB_C:{path}"], env=env, check=check_event, code=1)

    def check_default(_, errors):
        if "papi_output.out" not in errors or not (suite.work / "papi_output.out").exists():
            raise Mismatch(f"stderr is {errors!r}")

    suite.case("osu_allreduce", 2, [*SHORT, "-P", "OMB_A"], env=env, check=check_default)
    (folder / "libpapi.so").write_text("", encoding="utf-8")  # not a library
    suite.case("osu_latency", 2, [*SHORT, "-P", "OMB_A"], env=env, check=check_missing, code=1)


def run_graphs(suite):
    tools = suite.work / "tools"
    tools.mkdir()
    (tools / "gnuplot").write_text(GNUPLOT, encoding="utf-8")
    (tools / "gnuplot").chmod(0o755)
    record = suite.work / "graphs"
    env = {"PATH": f"{tools}:/usr/bin:/bin", "OMB_RECORD": str(record)}

    def check_tty(stdout, _):
        if stdout.count("(graph)") != 2:
            raise Mismatch(f"not a graph for each size: {stdout!r}")
        Expectation(PROGRAMS["osu_latency"]).check(stdout.replace("(graph)\n", ""))
        commands = record.read_text(encoding="utf-8")
        for wanted in ("set terminal dumb", 'set title "Size: 8, Avg:', 'set xlabel "Iteration Count"', 'set ylabel "Lat(us)"'):
            if wanted not in commands:
                raise Mismatch(f"gnuplot was not told '{wanted}': {commands!r}")
        if len(re.findall(r"^\d \d+\.\d+$", commands, re.MULTILINE)) != 6:
            raise Mismatch(f"gnuplot did not get every iteration: {commands!r}")

    suite.case("osu_latency", 2, ["-i", 3, "-x", 1, "-m", "4:8", "-G", "tty"], env=env, check=check_tty)

    def check_files(stdout, _):
        commands = record.read_text(encoding="utf-8")
        for name in ("osu_bw-4.png", "osu_bw-16384.png", "osu_bw3D0.png", "osu_bw3D1.png"):
            if f'set output "{name}"' not in commands:
                raise Mismatch(f"gnuplot did not make {name}: {commands!r}")
        if 'set ylabel "BW(MB/s)"' not in commands:
            raise Mismatch(commands)
        pages = commands.partition('set output "osu_bw.pdf"')[2]
        if len(re.findall("^plot ", pages, re.MULTILINE)) != 14 or len(re.findall("^splot ", pages, re.MULTILINE)) != 2:
            raise Mismatch(f"the pdf has not a page for each size and surface: {pages!r}")

    suite.case("osu_bw", 2, ["-i", 2, "-x", 1, "-m", "4:32768", "-G", "png,pdf"], env=env, check=check_files)

    def check_missing(_, errors):
        if not re.fullmatch(r"Graphs .*need .*gnuplot(, which is not in the path| that has the terminal pdfcairo)\n", errors):
            raise Mismatch(f"stderr is {errors!r}")

    suite.case("osu_bw", 2, [*SHORT, "-G", "pdf"], env={**env, "OMB_NO_PDF": "1"}, check=check_missing, code=1)
    (tools / "gnuplot").unlink()
    suite.case("osu_bw", 2, [*SHORT, "-G", "pdf"], env={**env, "PATH": str(tools)}, check=check_missing, code=1)


def run_tools(suite):
    run_wrong_data(suite)
    run_papi(suite)
    run_graphs(suite)
