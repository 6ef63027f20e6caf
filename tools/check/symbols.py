#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks what the built libraries export: symbols.py <folder with the libraries>

libmpi_abi.so.1 and libmpi.so.12 export exactly the names that api/ lists, MPI_X is a weak alias of PMPI_X at the same address,
and libmpi.so.12 has every MPI_ and PMPI_ name of MPICH's library (api/mpich_exports.txt)."""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "gen"))
import abi_tables  # noqa: E402
from table import Table  # noqa: E402


def exported(library):
    """Name -> (address, type letter) of the dynamic symbols that a library defines."""
    listing = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    symbols = {}
    for line in listing.splitlines():
        address, letter, name = line.split()
        symbols[name.split("@")[0]] = (address, letter)
    return symbols


def check(library, expected):
    symbols = exported(library)
    problems = [f"{library.name}: {name} is missing" for name in expected if name not in symbols]
    problems += [f"{library.name}: {name} should not be exported" for name in symbols if name not in expected]
    for name, (address, letter) in symbols.items():
        if name.startswith("PMPI_"):
            alias = symbols.get(name[1:])
            if alias is not None and alias != (address, "W"):
                problems.append(f"{library.name}: {name[1:]} is not a weak alias of {name}")
    return problems


def main():
    folder = Path(sys.argv[1])
    table = Table()
    problems = check(folder / "libmpi_abi.so.1", abi_tables.exports(table, mpich=False))
    problems += check(folder / "libmpi.so.12", abi_tables.exports(table, mpich=True))
    ours = exported(folder / "libmpi.so.12")
    for name in (ROOT / "api" / "mpich_exports.txt").read_text().split():
        if name not in ours:
            problems.append(f"libmpi.so.12: {name}, which MPICH exports, is missing")
    print("\n".join(problems) if problems else "exported symbols are as they should be")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
