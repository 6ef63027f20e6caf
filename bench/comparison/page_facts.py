# SPDX-License-Identifier: BSD-3-Clause
"""The end of the page: the machine, the libraries, how it was measured, and the physical limits."""
from collections import Counter
from html import escape

from . import stats
from .table import number, size_name

METHOD = f"""Libraries take turns (A B C, A B C, ...), and the benchmarks take turns, too. Two launches of the same round are a pair; the ratio
shown is the median of the pairs, with an interval of at least {100 * stats.CONFIDENCE:.0f}% confidence from the order of the ratios, widened by
what the printed digits leave open. With {stats.LEAST} or {stats.ENOUGH - 1} pairs it is Student's interval of the logarithms, which assumes that
they are normally distributed; with fewer there is none. +25% means: 1/1.25 of the time, or 1.25 times the rate; -25%
the same the other way round. Before and after each launch a probe measures how far apart the processors are (sibling, near, far) and how fast they work; launches
that something disturbed are repeated, and pairs with processors at different distances are not compared. Dashed lines are physical
limits, measured without MPI on the same day."""


def facts_table(rows):
    inner = "".join(f"<tr><td>{escape(name)}</td><td>{escape(str(value))}</td></tr>" for name, value in rows if value not in ("", {}, []))
    return f'<table class="facts">{inner}</table>'


def library_rows(data):
    bindings = data.machine.get("bindings", {})
    for library in data.libraries:
        words = [library["version"], library["prefix"]]
        words += [f"with {name}={value}" for name, value in library["tuning"].items()]
        words += [f"{ranks} ranks bound to {where}" for ranks, where in bindings.get(library["name"], {}).items()]
        yield library["name"], "; ".join(words)


def launch_rows(data):
    reasons = Counter(reason.rstrip("0123456789% ") for item in data.launches for reason in item.disturbed)
    placements = Counter(item.placement for item in data.launches)
    yield "launches", f"{len(data.launches)} in {sum(item.seconds for item in data.launches):.0f} s"
    yield "disturbed", ", ".join(f"{name}: {count}" for name, count in reasons.most_common()) or "none"
    yield "processors were", ", ".join(f"{name}: {count}" for name, count in placements.most_common())


def limits_table(limits):
    if not limits:
        return ""
    rows = []
    for name, item in limits.items():
        values = ", ".join((f"{size_name(size)}: " if size != "0" else "") + number(value[0]) for size, value in item["values"].items())
        rows.append(f"<tr><td>{escape(name)}</td><td>{escape(item['unit'])}</td><td>{escape(values)}</td></tr>")
    return f'<h2>Physical limits</h2><table class="facts">{"".join(rows)}</table>'


def render(data):
    shown = [(name, value) for name, value in data.machine.items() if name not in ("bindings", "cores", "settings")]
    settings = "; ".join(f"{name}={value}" for name, value in data.machine.get("settings", {}).items())
    return (f"<h2>Machine</h2>{facts_table([*shown, ('settings in the environment', settings or 'none')])}"
            f"<h2>Libraries</h2>{facts_table(library_rows(data))}<h2>Method</h2><p>{METHOD}</p>{facts_table(launch_rows(data))}"
            f"{limits_table(data.limits)}")  # fmt: skip
