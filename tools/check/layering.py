# SPDX-License-Identifier: BSD-3-Clause
"""A file of src/ includes only from its own folder and from folders before it in the order of the layers."""
import re

from tree import LAYERS, OUTSIDE, ROOT, files, name

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)


def allowed(path):
    parts = path.relative_to(ROOT).parts
    if parts[0] != "src":
        return OUTSIDE[parts[0]]
    layer = parts[1]
    return LAYERS[: LAYERS.index(layer) + 1]


def check():
    """Yields (file, problem or None)."""
    for path in files("src", "launch", "profile", "tools"):
        problems = []
        for match in INCLUDE.finditer(path.read_text(encoding="utf-8")):
            folder = match.group(1).split("/")[0]
            if folder in LAYERS and folder not in allowed(path):
                problems.append(f'includes "{match.group(1)}", which is not below it')
        yield name(path), "; ".join(problems) or None
