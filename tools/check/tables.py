# SPDX-License-Identifier: BSD-3-Clause
"""The tables in tune/ against the measurements that they were made of, which each of them contains (`raw`)."""
import json
import sys

import tree

sys.path.insert(0, str(tree.ROOT / "bench"))
from comparison import tune  # noqa: E402

PROVENANCE = ("machine", "library", "rules", "raw")


def problem_of(content):
    missing = [key for key in PROVENANCE if not content.get(key)]
    if missing:
        return f"has no {missing[0]}"
    slow = list(tune.slow_cells(content))
    return f"{len(slow)} cells are slower than the best by more than 10%: " + "; ".join(slow[:5]) if slow else None


def check():
    for path in tree.files("tune", suffixes=(".json",)):
        try:
            yield tree.name(path), problem_of(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError) as error:
            yield tree.name(path), f"is not a table: {error!r}"
