# SPDX-License-Identifier: BSD-3-Clause
"""What users get: installs the build into a folder, moves that elsewhere, and uses it as users do: by mpicc, by pkg-config, by
CMake's FindMPI, by mpiexec."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from . import programs

ROOT = programs.TEST.parent
PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, size, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, sum %d\\n", size, sum);
  MPI_Finalize();
  return 0;
}
"""
CMAKE_PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C CXX)
find_package(MPI REQUIRED)
add_executable(by_cmake program.c)
target_link_libraries(by_cmake MPI::MPI_C)
add_executable(by_cmake_cxx program.cc)
target_link_libraries(by_cmake_cxx MPI::MPI_CXX)
"""
FORTRAN_PROGRAM = """
program user
  use mpi_f08
  integer :: rank, size, total
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(I0, A, I0)', size, ' ranks, sum ', total
  call MPI_Finalize()
end program
"""
FORTRAN_CMAKE_PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES Fortran)
find_package(MPI REQUIRED)
add_executable(by_cmake_fortran program.f90)
target_link_libraries(by_cmake_fortran MPI::MPI_Fortran)
if(NOT (MPI_Fortran_HAVE_F77_HEADER AND MPI_Fortran_HAVE_F90_MODULE AND MPI_Fortran_HAVE_F08_MODULE))
  message(FATAL_ERROR "FindMPI does not find all bindings")
endif()
"""
EXPECTED = "3 ranks, sum 3"
FILES = ["bin/mpicc", "bin/mpicxx", "bin/mpiexec", "bin/mpirun", "bin/mpirun_rsh", "bin/mpi_info", "lib/libmpi.so", "lib/libmpi.so.12",
         "lib/libmpi_abi.so", "lib/libmpi_abi.so.1", "lib/libmpicxx.so.12", "lib/libmpifort.so.12", "include/starling/std/mpi.h",
         "include/starling/mpich/mpi.h", "share/man/man1/mpicc.1", "share/man/man1/mpiexec.1",
         "share/man/man3/MPI_Send.3", "share/bash-completion/completions/mpiexec", "lib/pkgconfig/starling.pc",
         "libexec/starling/omb/pt2pt/osu_latency", "libexec/starling/omb/startup/osu_hello"]  # fmt: skip


class Installation:
    def __init__(self, build, folder):
        self.folder = Path(folder)
        self.prefix = self.folder / "moved"
        first = self.folder / "first"
        self.run("cmake", "--install", build, "--prefix", first)
        first.rename(self.prefix)
        self.source = self.folder / "program.c"
        self.source.write_text(PROGRAM, encoding="utf-8")
        shutil.copy(self.source, self.folder / "program.cc")

    def run(self, *command, **more_environment):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("PMI_", "STARLING_", "LD_LIBRARY_PATH"))}
        env["PATH"] = f"{self.folder / 'moved/bin'}:{env['PATH']}"
        result = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300, cwd=self.folder, check=False,
                                stdin=subprocess.DEVNULL, env={**env, **more_environment})  # fmt: skip
        if result.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, command))}: exit code {result.returncode}\n{result.stdout[-500:]}{result.stderr[-500:]}")
        return result.stdout

    def starts(self, program):
        output = self.run("mpiexec", "-n", "3", program).strip()
        assert output == EXPECTED, f"{program} printed '{output}', not '{EXPECTED}'"

    def needed(self, program):
        return set(re.findall(r"\(NEEDED\).*\[(libmpi[^\]]*)\]", self.run("readelf", "-d", program)))


def test_files(i):
    missing = [name for name in FILES if not (i.prefix / name).exists()]
    assert not missing, "not installed: " + " ".join(missing)


def test_mpicc(i):
    for options, soname in ([], "libmpi.so.12"), (["-abi=mpich"], "libmpi.so.12"), (["-abi=standard"], "libmpi_abi.so.1"):
        i.run("mpicc", *options, "-Wall", "-Werror", i.source, "-o", "by_mpicc")
        assert i.needed("by_mpicc") == {soname}, f"mpicc {options}: needs {i.needed('by_mpicc')}, not {soname}"
        i.starts(i.folder / "by_mpicc")


def test_mpicxx(i):
    for compiler in "mpicxx", "mpic++", "mpicxx_abi":
        i.run(compiler, i.folder / "program.cc", "-o", "by_mpicxx")
        i.starts(i.folder / "by_mpicxx")


def test_fortran(i):
    if not (i.prefix / "bin/mpifort").exists():
        return  # built without gfortran
    source = i.folder / "program.f90"
    source.write_text(FORTRAN_PROGRAM, encoding="utf-8")
    standard = {"libmpifort_abi.so.1", "libmpi_abi.so.1"}
    for compiler, sonames in ("mpifort", None), ("mpif90", None), ("mpif77", None), ("mpifort_abi", standard):
        i.run(compiler, source, "-o", "by_mpifort")
        assert i.needed("by_mpifort") <= (sonames or {"libmpifort.so.12", "libmpi.so.12"}), i.needed("by_mpifort")
        i.starts(i.folder / "by_mpifort")
    shown = i.run("mpifort", "-show", "-abi=standard", "x.f90")
    assert "-lmpifort_abi -lmpi_abi" in shown and f"-I{i.prefix}/lib/fortran/standard" in shown, shown
    path = str(i.prefix / "lib/pkgconfig")
    for package in "starling-fortran", "starling-fortran-standard", "starling-fortran-mpich":
        flags = i.run("pkg-config", "--cflags", "--libs", package, PKG_CONFIG_PATH=path).split()
        i.run("gfortran", source, "-o", "by_pkg_config_fortran", *flags)
        i.starts(i.folder / "by_pkg_config_fortran")
    project = i.folder / "fortran_project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(FORTRAN_CMAKE_PROJECT, encoding="utf-8")
    shutil.copy(source, project)
    i.run("cmake", "-S", project, "-B", "fortran_build")
    i.run("cmake", "--build", "fortran_build")
    i.starts(i.folder / "fortran_build/by_cmake_fortran")


def test_examples(i):
    for name, expected in ("hello", "of 2"), ("pi", "3.14159"):
        i.run("mpicc", ROOT / f"examples/{name}.c", "-o", name, "-lm")
        output = i.run("mpiexec", "-n", "2", i.folder / name)
        assert expected in output, f"{name} printed '{output}'"


def test_manuals(i):
    for page, word in ("man1/mpiexec.1", "-genv"), ("man1/mpicc.1", "-show"), ("man1/mpi_info.1", "settings"), ("man3/MPI_Send.3", "dest"):
        text = (i.prefix / "share/man" / page).read_text(encoding="utf-8")
        assert ".SH NAME" in text and word in text.replace("\\-", "-"), f"{page} does not explain {word}"
    assert len(list((i.prefix / "share/man/man3").glob("MPI_*.3"))) > 500


def test_completion(i):
    script = i.prefix / "share/bash-completion/completions"
    for program, word, expected in ("mpiexec", "-gen", "-genv"), ("mpicc", "-sh", "-show"), ("mpi_info", "MVP_SMP_E", "MVP_SMP_EAGERSIZE"):
        ask = f'source {script}/{program} && _starling {program} {word} && printf "%s\\n" "${{COMPREPLY[@]}}"'
        offered = i.run("bash", "-c", ask).split()
        assert expected in offered, f"{program} {word}: {offered}"


def test_separate_compilation(i):
    odd = i.folder / "a folder's name"
    odd.mkdir()
    i.run("mpicc", "-c", i.source, "-o", odd / "program.o")
    i.run("mpicc", odd / "program.o", "-o", odd / "program")
    i.starts(odd / "program")


def test_show(i):
    shown = i.run("mpicc", "-show", "-abi=standard", "x.c", "-o", "a b")
    assert f"-I{i.prefix}/include/starling/std" in shown and "-lmpi_abi" in shown and "'a b'" in shown, shown
    assert "-lmpi" not in i.run("mpicc", "-show", "-c", "x.c"), "mpicc -c links"
    assert "-lmpi" not in i.run("mpicc", "-compile-info"), "-compile-info links"
    assert "-lmpi" in i.run("mpicc", "-link-info"), "-link-info does not link"
    assert i.run("mpicc", "-showme:incdirs").strip() == f"{i.prefix}/include/starling/mpich"


def test_pkg_config(i):
    path = str(i.prefix / "lib/pkgconfig")
    for package in "starling", "starling-standard", "starling-mpich":
        flags = i.run("pkg-config", "--cflags", "--libs", package, PKG_CONFIG_PATH=path).split()
        i.run("gcc", i.source, "-o", "by_pkg_config", *flags)
        i.starts(i.folder / "by_pkg_config")


def test_cmake(i):
    (i.folder / "CMakeLists.txt").write_text(CMAKE_PROJECT, encoding="utf-8")
    i.run("cmake", "-S", ".", "-B", "cmake_build")
    i.run("cmake", "--build", "cmake_build")
    for program in "by_cmake", "by_cmake_cxx":
        assert i.needed(f"cmake_build/{program}") == {"libmpi.so.12"}, f"{program} needs {i.needed('cmake_build/' + program)}"
        i.starts(i.folder / "cmake_build" / program)


def test_benchmarks(i):
    shown = i.run("mpiexec", "-n", "3", i.prefix / "libexec/starling/omb/startup/osu_hello")
    assert "This is a test with 3 processes" in shown, shown


def test_mpi_info(i):
    report = json.loads(i.run("mpi_info", "--json", MV2_SMP_EAGERSIZE="4K"))
    declared = re.findall(r'^SETTING\(\w+, \w+, \w+, (?:"[^"]*"|[^,]+), "(\w+)"', (ROOT / "src/base/settings.def").read_text(), re.M)
    listed = {row["name"]: row for row in report["settings"]}
    assert list(listed) == declared, f"settings differ: {set(declared) ^ set(listed)}"
    eager = listed["SMP_EAGERSIZE"]
    assert (eager["current"], eager["origin"]) == ("4096", "MV2_SMP_EAGERSIZE"), eager
    functions = {row["name"]: row["implemented"] for row in report["functions"]}
    assert functions["MPI_Send"] and len(functions) > 500, len(functions)
    assert "now 4096 from MV2_SMP_EAGERSIZE" in i.run("mpi_info", "eager", MV2_SMP_EAGERSIZE="4K")


def run_install(report, options):
    suite = "install"
    tests = [(name.removeprefix("test_"), value) for name, value in sorted(globals().items()) if name.startswith("test_")]
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        installation = None
        for name, test in [("install", None), *tests]:
            start, problem = time.monotonic(), ""
            try:
                if test is None:
                    installation = Installation(options.build_dir, folder)
                else:
                    test(installation)
            except (AssertionError, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as error:
                problem = str(error)
            report.add(suite, name, int(not problem), int(bool(problem)), time.monotonic() - start, problem, problem)
            if installation is None:
                break
    report.end_suite(suite)
