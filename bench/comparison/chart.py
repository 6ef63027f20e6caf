# SPDX-License-Identifier: BSD-3-Clause
"""Plots as SVG text: lines over sizes with logarithmic axes, and bars where there are no sizes. Colours are classes (s0, s1, ..., limit) that
the page's style gives a colour for light and dark."""
import math
from html import escape

from .table import number, size_name

WIDTH, HEIGHT = 480, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 34


class Axis:
    """Logarithmic, from the lowest to the highest value, along [start, end] of the picture. Zero stands a step before the lowest."""

    def __init__(self, values, start, end, base):
        positive = [value for value in values if value > 0]
        self.zero = math.log(min(positive), base) - 1 if any(value == 0 for value in values) else None
        low = math.log(min(positive), base) if self.zero is None else self.zero
        high = math.log(max(positive), base)
        self.low, self.high = low, max(high, low + 0.5)
        self.start, self.end, self.base = start, end, base

    def at(self, value):
        place = math.log(value, self.base) if value > 0 else self.zero if self.zero is not None else self.low
        return self.start + (self.end - self.start) * (place - self.low) / (self.high - self.low)

    def powers(self, most):
        """Powers of the base within, no more than about `most`."""
        first, last = math.ceil(self.low - 1e-9 if self.zero is None else self.zero + 1 - 1e-9), math.floor(self.high + 1e-9)
        step = max(1, math.ceil((last - first + 1) / most))
        return [self.base**power for power in range(first, last + 1, step)]


def text(x, y, words, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{escape(words)}</text>'


def tick(value):
    """'0.1', '10', '1M'."""
    for factor, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:g}{letter}"
    return f"{value:g}"


def frame(x, y, unit):
    parts = []
    for value in y.powers(6):
        at = y.at(value)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(text(LEFT - 6, at + 4, tick(value), "end"))
    for value in ([0] if x.zero is not None else []) + x.powers(7):
        parts.append(text(x.at(value), HEIGHT - BOTTOM + 18, size_name(str(int(value)))))
    parts.append(text(LEFT + 6, TOP + 10, unit, "start", ' class="unit"'))
    parts.append(text(WIDTH - RIGHT, HEIGHT - 3, "bytes", "end", ' class="unit"'))
    return parts


def path(points, x, y, css):
    places = [(x.at(size), y.at(value)) for size, value in sorted(points) if value > 0]
    steps = " ".join(f"{'L' if number_ else 'M'}{a:.1f} {b:.1f}" for number_, (a, b) in enumerate(places))
    return f'<path class="{css}" d="{steps}"/>'


def dots(name, points, x, y, css, unit):
    for size, value in points:
        if value > 0:
            label = f"{name}: {number(value)} {unit} at {size_name(str(size))} bytes"
            yield f'<circle class="{css}" cx="{x.at(size):.1f}" cy="{y.at(value):.1f}" r="2.6"><title>{escape(label)}</title></circle>'


def line_chart(series, limits, unit, label):
    """`series` and `limits`: {name: [(size, value)]}. Limits are dashed. Empty text if there is nothing to draw."""
    drawn = [(s, v) for points in series.values() for s, v in points if v > 0]
    if len({size for size, _ in drawn}) < 2:
        return ""
    everything = drawn + [(s, v) for points in limits.values() for s, v in points if v > 0]
    x = Axis([size for size, _ in everything], LEFT + 8, WIDTH - RIGHT - 8, 2)
    y = Axis([value for _, value in everything], HEIGHT - BOTTOM - 6, TOP + 16, 10)
    parts = frame(x, y, unit)
    parts += [path(points, x, y, f"limit limit{index}") for index, points in enumerate(limits.values())]
    for index, (name, points) in reversed(list(enumerate(series.items()))):  # the subject, which is first, on top
        parts.append(path(points, x, y, f"series s{index}"))
        parts += dots(name, points, x, y, f"dot s{index}", unit)
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'


def bar_chart(values, limits, unit, label, colors):
    """`values`: {name: value}; limits: {name: value}, upright dashed lines; colors: {name: index}. Bars begin at zero."""
    if not values:
        return ""
    row, top = 30, 22
    height = top + row * len(values) + 6
    most = max(max(values.values()), 1e-12)
    scale = (WIDTH - 190) / most
    parts = []
    for index, (name, value) in enumerate(values.items()):
        y = top + row * index
        parts.append(text(96, y + 19, name, "end"))
        parts.append(f'<rect class="bar s{colors[name]}" x="104" y="{y + 4}" width="{max(value * scale, 1.5):.1f}" height="22" rx="2"/>')
        parts.append(text(110 + value * scale, y + 19, f"{number(value)} {unit}", "start"))
    for index, (name, value) in enumerate(limits.items()):
        at = 104 + min(value, most) * scale
        parts.append(f'<line class="limit limit{index}" x1="{at:.1f}" x2="{at:.1f}" y1="{top - 4}" y2="{height - 4}"/>')
        parts.append(text(at, 13, f"{name}: {number(value)} {unit}", "start" if at < WIDTH / 2 else "end", ' class="unit"'))
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'
