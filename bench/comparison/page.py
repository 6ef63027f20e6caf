# SPDX-License-Identifier: BSD-3-Clause
"""The results as one HTML page that needs nothing else: no scripts, no fonts, no images from elsewhere."""
from html import escape
from pathlib import Path

from . import chart, limits, page_facts, parse, plan, stats
from .table import UNPLACED, change, count_grades, disturbed_share, groups, number, size_name, summary

STYLE = Path(__file__).with_name("page.css")
BEST = ""  # as a library to compare with: the best of the others
MEANING = {"much_better": f"more than {stats.MUCH:g}% better", "better": "better", "same": "the same", "worse": "worse",
           "much_worse": f"more than {stats.MUCH:g}% worse", "open": "too few launches"}  # fmt: skip
WORST = 12
BUSY = 0.3


def ratio_of(cell, other):
    return cell.ratios.get(other) if other else cell.ratio


def css_of(ratio):
    return "none" if ratio is None else "open" if ratio.low is None else ratio.grade


def times(ratio):
    """'6.2 times as fast (5.9 to 6.4, 7 pairs)'."""
    value = f"{ratio.median:.2f} times as good"
    return value + (f" ({ratio.low:.2f} to {ratio.high:.2f}" if ratio.low is not None else " (no interval") + f"; {ratio.pairs} pairs)"


def hint(cell, other, subject):
    """What a square says when pointed at."""
    ratio, name, unit = ratio_of(cell, other), other or cell.best, parse.unit_of(cell.metric)
    values = ", ".join(f"{who} {number(cell.medians[who][0])} {unit}" for who in (subject, name) if who in cell.medians)
    size = f"{size_name(cell.key)} B: " if cell.key.isdigit() else ""
    return f"{size}{values}" + (f"; {times(ratio)}" if ratio else "")


def anchor(case, metric):
    return "".join(c if c.isalnum() else "-" for c in f"{case.name} {metric}")


# The overview --------------------------------------------------------------------------------------------------------


def square(cell, other, subject, column):
    ratio = ratio_of(cell, other)
    return (f'<i class="{css_of(ratio)}" style="grid-column:{column}" title="{escape(hint(cell, other, subject))}">'
            f"{escape(change(ratio).rstrip('~?'))}</i>")  # fmt: skip


def reason(case, cells, other, data):
    """Why a row of the overview is empty."""
    for name in (data.subject, other):
        problem = data.failures().get((case.benchmark.program, case.ranks, name))
        if problem:
            return f"{name}: {problem.partition(':')[0]}"
        if name and not any(name in cell.medians for cell in cells):
            return f"{name} has no results"
    return "never measured in the same round with the processors at the same distance"


def grid_row(case, metric, cells, several, other, data, columns):
    words = metric.partition(" (")[0] if several else case.benchmark.title
    title = f"{escape(words)} <span>{case.ranks} ranks</span>"
    name = f'<div class="name"><a href="#{anchor(case, metric)}">{title}</a></div>'
    if not any(ratio_of(cell, other) for cell in cells):
        return f'<div class="row">{name}<div class="soft meta">{escape(reason(case, cells, other, data))}</div></div>'
    if [cell.key for cell in cells] == [parse.NO_SIZE]:
        inner = square(cells[0], other, data.subject, "1")
        return f'<div class="row">{name}<div class="cells wide" style="grid-template-columns:minmax(60px,90px)">{inner}</div></div>'
    inner = "".join(square(cell, other, data.subject, columns.index(cell.key) + 1) for cell in cells if cell.key in columns)
    return f'<div class="row">{name}<div class="cells" style="grid-template-columns:repeat({len(columns)},1fr)">{inner}</div></div>'


def size_row(columns):
    inner = "".join(f'<i class="{"major" if key in ("1", "1024", "1048576") else ""}" style="grid-column:{number_ + 1}">{size_name(key)}</i>'
                    for number_, key in enumerate(columns))  # fmt: skip
    return (f'<div class="row sizes"><div class="name"></div>'
            f'<div class="cells" style="grid-template-columns:repeat({len(columns)},1fr)">{inner}</div></div>')  # fmt: skip


def grid(cells, other, data):
    columns = sorted({cell.key for cell in cells if cell.key.isdigit()}, key=int)
    found = list(groups(cells))
    parts, suite = [], None
    for case, metric, group in found:
        if group[0].suite != suite:
            suite = group[0].suite
            parts.append(f'<div class="suite">{escape(plan.SUITE_TITLES.get(suite, suite))}</div>')
            if any(cell.key.isdigit() for cell in cells if cell.suite == suite):
                parts.append(size_row(columns))
        several = sum(c.name == case.name for c, _, _ in found) > 1
        parts.append(grid_row(case, metric, group, several, other, data, columns))
    return "".join(parts)


def overview(cells, others, data):
    """One grid for each library to compare with; the style shows the one that is chosen."""
    choices = ([(BEST, "the best of the others")] if len(others) > 1 else []) + [(name, name) for name in others]
    inputs, sections, rules = [], [], []
    for index, (other, words) in enumerate(choices):
        checked = " checked" if index == 0 else ""
        inputs.append(f'<input type="radio" name="against" id="against{index}"{checked}>')
        inputs.append(f'<label for="against{index}">against {escape(words)}</label>')
        sections.append(f'<section id="grid{index}">{grid(cells, other, data)}</section>')
        rules.append(f"#against{index}:checked ~ #grid{index}")
    style = f"<style>{','.join(rules)} {{ display: block; }}</style>"
    return f'{style}<div class="tabs">{"".join(inputs)}{"".join(sections)}</div>'


def key():
    return '<div class="key">' + "".join(f'<span><i class="{css}"></i>{words}</span>' for css, words in MEANING.items()) + "</div>"


def score_bar(counts):
    total = max(sum(counts.values()), 1)
    bars = "".join(f'<b class="{css}" style="flex:{counts[css]}" title="{counts[css]} {words}">{counts[css] if counts[css] > total * 0.03 else ""}</b>'
                   for css, words in MEANING.items() if counts[css])  # fmt: skip
    return f'<div class="bar" role="img" aria-label="{escape(summary(counts))}">{bars}</div>'


def score(cells, others):
    rows = [(f"against {name}", count_grades(cells, name)) for name in others]
    if len(others) > 1:
        rows.insert(0, ("against the best of them", count_grades(cells)))
    return '<div class="score">' + "".join(f"<div>{escape(words)}</div>{score_bar(counts)}" for words, counts in rows) + "</div>"


def behind(cells, subject):
    """The cells where the subject is furthest behind the best of the others."""
    worst = sorted((cell for cell in cells if cell.ratio and cell.ratio.grade == "much_worse"), key=lambda cell: cell.ratio.median)[:WORST]
    if not worst:
        return ""
    rows = "".join(f"<tr><td>{escape(plan.Case(plan.find(c.program, c.ranks), c.ranks).title)} {escape(size_name(c.key))}</td>"
                   f"<td>{number(c.medians[subject][0])}</td><td>{number(c.medians[c.best][0])}</td><td>{escape(parse.unit_of(c.metric))}</td>"
                   f"<td>{escape(c.best)}</td><td>{change(c.ratio)}</td></tr>" for c in worst)  # fmt: skip
    return (f"<h2>Where {escape(subject)} is furthest behind</h2><div class=\"scroll\"><table><tr><th>benchmark</th><th>{escape(subject)}</th>"
            f"<th>best</th><th></th><th></th><th></th></tr>{rows}</table></div>")  # fmt: skip


# The benchmarks ------------------------------------------------------------------------------------------------------


def legend(names, limit_names):
    line = '<svg viewBox="0 0 24 10" aria-hidden="true"><line class="{}" x1="0" x2="24" y1="5" y2="5"/></svg>'
    items = [f"<span>{line.format(f's{index}')}{escape(name)}</span>" for index, name in names]
    items += [f"<span>{line.format(f'limit limit{index}')}{escape(name)}</span>" for index, name in enumerate(limit_names)]
    return f'<div class="legend">{"".join(items)}</div>'


def case_chart(case, metric, cells, data):
    """A plot with the physical limits, or bars where there are no sizes."""
    unit = parse.unit_of(metric)
    sized = [cell for cell in cells if cell.key.isdigit()]
    sizes = [int(cell.key) for cell in sized] or [0]
    lines = limits.curves(case.benchmark.limit, data.limits, sizes, case.ranks, data.machine.get("cores", 1))
    if case.benchmark.limit == "start" and not metric.startswith("Start"):
        lines = {}
    if not sized:
        values = {name: cells[0].medians[name][0] for name in data.names if name in cells[0].medians}
        order = {name: index for index, name in enumerate(data.names)}
        picture = chart.bar_chart(values, {name: points[0][1] for name, points in lines.items()}, unit, case.title, order)
        return picture
    series = {name: [(int(c.key), c.medians[name][0]) for c in sized if name in c.medians] for name in data.names}
    picture = chart.line_chart(series, lines, unit, f"{case.title}: {metric}")
    names = [(index, name) for index, name in enumerate(data.names) if series[name]]
    return picture + (legend(names, lines) if picture else "")


def value_cell(middle):
    if middle is None:
        return "<td>none</td>"
    median, least, most, _ = middle
    spread = f" <small>{number(least)} to {number(most)}</small>" if most > least else ""
    return f"<td>{number(median)}{spread}</td>"


def case_table(cells, data):
    others = [name for name in data.names if name != data.subject]
    head = "".join(f"<th>{escape(name)}</th>" for name in data.names) + "".join(f"<th>to {escape(name)}</th>" for name in others)
    rows = []
    for cell in cells:
        values = "".join(value_cell(cell.medians.get(name)) for name in data.names)
        grades = "".join(f'<td class="grade {css_of(cell.ratios.get(name))}">'
                         f"{change(cell.ratios.get(name))}</td>" for name in others)  # fmt: skip
        rows.append(f"<tr><td>{escape(size_name(cell.key)) or 'all'}</td>{values}{grades}</tr>")
    return f'<div class="scroll"><table><tr><th>bytes</th>{head}</tr>{"".join(rows)}</table></div>'


def card(case, metric, cells, data):
    placement = cells[0].placement
    meta = [escape(metric), f"<code>{escape(case.benchmark.program)}</code>"]
    meta += [f"processors {escape(placement)}"] if placement not in UNPLACED else []
    meta += ["disturbed"] if cells[0].disturbed else []
    failed = [f"{name}: {escape(why)}" for (program, ranks, name), why in data.failures().items()
              if (program, ranks) == (case.benchmark.program, case.ranks)]  # fmt: skip
    failures = f'<p class="meta">{"; ".join(failed)}</p>' if failed else ""
    return (f'<div class="card" id="{anchor(case, metric)}"><h3>{escape(case.title)}</h3><p class="meta">{" · ".join(meta)}</p>'
            f"{case_chart(case, metric, cells, data)}{failures}<details><summary>Numbers</summary>{case_table(cells, data)}</details></div>")  # fmt: skip


def benchmarks(cells, data):
    parts, suite = [], None
    for case, metric, group in groups(cells):
        if group[0].suite != suite:
            parts.append("</div>" if suite else "")
            suite = group[0].suite
            parts.append(f'<h2>{escape(plan.SUITE_TITLES.get(suite, suite))}</h2><div class="cards">')
        parts.append(card(case, metric, group, data))
    return "".join(parts) + ("</div>" if suite else "")


def warnings(data):
    share = disturbed_share(data)
    if share > BUSY:
        yield f"{100 * share:.0f}% of the launches were disturbed by something else on this machine. Do not quote these numbers."
    yield from data.notes


def render(data):
    cells = data.cells()
    others = [name for name in data.names if name != data.subject]
    title = f"{data.subject} against {', '.join(others[:-1]) + ' and ' if others[1:] else ''}{others[-1]}"
    machine = data.machine
    notes = "".join(f'<div class="warning">{escape(words)}</div>' for words in warnings(data))
    body = (f"<h1>{escape(title)}</h1><p class=\"meta\">{escape(machine.get('date', ''))} · {escape(machine.get('processor', ''))} · "
            f"{escape(machine.get('processors', ''))} processors · {escape(machine.get('kernel', ''))}</p>{notes}{score(cells, others)}"
            f"<p class=\"soft\">A cell is one size of one benchmark. Its grade comes from the median of paired launches; where the confidence "
            f"interval leaves open who is better, it is the same.</p>{key()}"
            f"<h2>Every size</h2>{overview(cells, others, data)}{behind(cells, data.subject)}{benchmarks(cells, data)}"
            f"{page_facts.render(data)}")  # fmt: skip
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta name="color-scheme" content="light dark"><title>{escape(title)}</title>'
            f"<style>{STYLE.read_text(encoding='utf-8')}</style></head><body><main>{body}</main></body></html>\n")  # fmt: skip
