# SPDX-License-Identifier: BSD-3-Clause
"""Every header compiles on its own; public headers in C and C++."""
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

from tree import ROOT, files, name

WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Werror", "-Wno-unused-parameter", "-Wno-pragma-once-outside-header"]


def compilers():
    """(C, C++): what the environment asks for, else GCC; ccache in front where it is installed."""
    cache = [shutil.which("ccache")] if shutil.which("ccache") else []
    return cache + [os.environ.get("CC", "gcc")], cache + [os.environ.get("CXX", "g++")]


def commands():
    """(file, what, command)"""
    c, cxx = compilers()
    for path in files("src", "launch", "profile", "tools", suffixes=(".h",)):
        flavors = ["standard"]
        if name(path).startswith("src/fortran") and not shutil.which("gfortran"):
            continue  # left out of the build, too
        if path.parent.name in ("standard", "mpich"):
            flavors = [path.parent.name]
        elif name(path).startswith(("src/abi/entry", "src/fortran")):
            flavors.append("mpich")
        for flavor in flavors:
            include = ["-Isrc", "-I.", f"-Isrc/abi/{flavor}", f"-Isrc/abi", f"-Iinclude/{'std' if flavor == 'standard' else 'mpich'}"]
            yield name(path), flavor, cxx + ["-std=c++20", "-fsyntax-only", *WARNINGS, *include, "-include", name(path), "-x", "c++", "/dev/null"]
    for path in files("include", suffixes=(".h",)):
        if path.name == "mpif.h":
            continue  # Fortran
        source = ["-fsyntax-only", *WARNINGS, "-pedantic", "-include", name(path)]
        yield name(path), "C", c + ["-std=c99", *source, "-x", "c", "/dev/null"]
        yield name(path), "C++", cxx + ["-std=c++11", *source, "-x", "c++", "/dev/null"]


def compile_one(job):
    file, what, command = job
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    lines = [line for line in result.stderr.splitlines() if "error" in line] or result.stderr.splitlines()
    return f"{file} ({what})", None if result.returncode == 0 else "does not compile alone: " + "\n    ".join(lines[:3])


def check():
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        yield from pool.map(compile_one, list(commands()))
