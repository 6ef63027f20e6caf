# SPDX-License-Identifier: BSD-3-Clause
"""Rules that a look at one file decides: licence line, environment, headers, length, place in the table of pages."""
import re

from tree import ROOT, all_sources, files, name, without_comments

LICENSE = "SPDX-License-Identifier: BSD-3-Clause"
MAX_LINES = 600  # the aim is 500; generated files may be longer

# Settings come from base/settings.cc; the launcher passes the environment on, so it has to look at it.
READS_ENVIRONMENT = re.compile(r"\b(?:secure_)?getenv\s*\(|\benviron\b")
HEAVY_HEADERS = re.compile(r"#\s*include\s*<(iostream|regex|filesystem)>")
NOT_FOR_HEADERS = re.compile(r"^\s*using\s+namespace\b|#\s*include\s*<(functional|map|sstream)>", re.M)


def check_license():
    for path in all_sources():
        head = "\n".join(path.read_text(encoding="utf-8", errors="replace").splitlines()[:3])
        yield name(path), None if LICENSE in head else f"has no '{LICENSE}' in its first lines"


def check_environment():
    for path in files("src"):
        if path.name == "settings_test.cc" or name(path) == "src/base/settings.cc":
            continue
        text = without_comments(path.read_text(encoding="utf-8"))
        problem = None
        if READS_ENVIRONMENT.search(text):
            problem = "reads the environment; declare a setting in base/settings.def, or use launcher_variable()"
        yield name(path), problem


def check_includes():
    for path in files("src"):
        text = path.read_text(encoding="utf-8")
        match = HEAVY_HEADERS.search(text) if not path.stem.endswith("_test") else None
        if not match and path.suffix == ".h":
            match = NOT_FOR_HEADERS.search(without_comments(text))
        yield name(path), f"'{match.group(0).strip()}' makes every rank larger and slower to start" if match else None


def check_pragma_once():
    for path in files("src", "launch", "profile", "tools", suffixes=(".h",)):
        yield name(path), None if "#pragma once" in path.read_text(encoding="utf-8") else "has no #pragma once"


def check_length():
    for path in files("src", "launch", "profile", "tools", suffixes=(".cc", ".h", ".py")):
        if ".gen." in path.name:
            continue
        lines = path.read_text(encoding="utf-8").count("\n")
        yield name(path), f"has {lines} lines, more than {MAX_LINES}" if lines > MAX_LINES else None


def check_pages():
    """The table of README.md has every page of doc/."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in sorted((ROOT / "doc").glob("*.md")):
        yield name(path), None if f"](doc/{path.name})" in readme else "is not in the table of README.md"
