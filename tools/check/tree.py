# SPDX-License-Identifier: BSD-3-Clause
"""What the checks share: the files of the source tree, and how a check reports."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Folders of src/ in dependency order: a file includes only from its own folder or those before it.
LAYERS = ["base", "object", "datatype", "memory", "transport", "progress", "p2p", "comm", "coll", "rma", "io", "boot", "tool", "abi", "fortran"]
# Code outside src/ and what it may use of it.
OUTSIDE = {"launch": ["base"], "tools": ["base", "coll", "tool"], "profile": ["base"]}

SOURCE = {".c", ".cc", ".h", ".f90", ".F90", ".F", ".py", ".sh", ".cmake"}


def files(*folders, suffixes=(".cc", ".h")):
    """All files below the folders with one of the suffixes, in order; whatever is not committed yet included."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file() and "__pycache__" not in path.parts:
                yield path


def all_sources():
    """Every text file of ours that carries a licence line; what is not committed yet included, what others wrote or a build left not."""
    skipped = {".git", ".venv", "build", "install", "__pycache__"}
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if skipped.isdisjoint(parts) and not parts[0].startswith("build-") and path.is_file():
            if path.suffix in SOURCE or path.name in ("CMakeLists.txt", "Makefile"):
                yield path


def without_comments(text):
    """C++ text with comments and string literals blanked; line numbers stay."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
    return pattern.sub(lambda m: "\n" * m.group(0).count("\n") or " ", text)


def name(path):
    return str(path.relative_to(ROOT))
