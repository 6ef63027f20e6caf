# SPDX-License-Identifier: BSD-3-Clause
"""Committed generated files are what the generator writes; the libraries export what the table says. Both belong to the API
layer's own tools; this runs them and reads their verdict."""
import subprocess
import sys

from tree import ROOT


def run(*command):
    result = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                            check=False)  # fmt: skip
    lines = (result.stderr + result.stdout).strip().splitlines()
    return None if result.returncode == 0 else "\n    ".join(lines[:10]) or f"exit code {result.returncode}"


def check():
    yield "api/", run("tools/gen/gen.py", "--check")


def check_symbols(build_dir):
    yield "libmpi, libmpi_abi", run("tools/check/symbols.py", f"{build_dir}/lib")
