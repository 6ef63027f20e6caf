// SPDX-License-Identifier: BSD-3-Clause
// The page: the numbers as JSON, and a script that draws them. It loads nothing, so it can be mailed and opened anywhere.
#include "profile/report.h"

namespace starling::profile {

namespace {

constexpr const char kHead[] = R"page(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>MPI profile</title><style>
:root { --ink: #1c2430; --faint: #667; --line: #d8dde4; --ground: #fff; --compute: #5b8c5a; --waiting: #d9822b; --transfer: #3a6ea5;
        --other: #9aa3ad; --heat: 58, 110, 165; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ec; --faint: #9aa; --line: #3a424c; --ground: #171b20; } }
* { box-sizing: border-box }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--ground); margin: 0 auto; padding: 1rem; max-width: 1200px }
table { margin-top: .5rem }
h1 { font-size: 1.4rem; margin: 0 0 .2rem; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin: 1.8rem 0 .4rem }
p { margin: .3rem 0; max-width: 48rem } .faint { color: var(--faint) }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: .6rem; margin: 1rem 0 }
.fact { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem } .fact b { display: block; font-size: 1.3rem }
.scroll { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line) }
th { font-weight: 600; color: var(--faint) } th:first-child, td:first-child { text-align: left }
.bars { display: grid; grid-template-columns: auto minmax(60px, 1fr) auto; gap: .25rem .6rem; align-items: center }
.bar { display: flex; height: 1.1rem; background: none } .bar i { display: block; height: 100% }
.compute { background: var(--compute) } .waiting { background: var(--waiting) } .transfer { background: var(--transfer) }
.other { background: var(--other) } .legend span { white-space: nowrap; margin-right: 1rem } .legend i { display: inline-block; width: .8rem; height: .8rem; margin-right: .3rem; vertical-align: -1px }
.heat td { border: 1px solid var(--ground); text-align: center; min-width: 2.6rem }
</style></head><body><script type="application/json" id="data">)page";

constexpr const char kScript[] = R"page(</script><main id="page"></main><script>
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const page = document.getElementById('page');
const make = (tag, parent, text, name) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (name) e.className = name;
  if (parent) parent.append(e);
  return e;
};
const seconds = s => s >= 100 ? s.toFixed(0) + ' s' : s >= 1 ? s.toFixed(2) + ' s' : s >= 1e-3 ? (s * 1e3).toFixed(2) + ' ms'
  : s > 0 ? (s * 1e6).toFixed(2) + ' us' : '0';
const size = b => { let u = 0; for (; b >= 1024 && u < 4; b /= 1024) ++u; return (u && b < 100 ? b.toFixed(1) : b.toFixed(0)) + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB'][u]; };
const percent = (part, whole) => whole > 0 ? (100 * part / whole).toFixed(1) + '%' : '-';
const count = n => n.toLocaleString('en');
const kinds = ['compute', 'waiting', 'transfer', 'other'];
const present = data.by_rank.filter(r => r.state !== 'absent');
const heading = (title, text) => { make('h2', page, title); if (text) make('p', page, text, 'faint'); };
const table = (titles, rows, name) => {
  const t = make('table', make('div', page, undefined, 'scroll'), undefined, name);
  const head = make('tr', make('thead', t));
  titles.forEach(title => make('th', head, title));
  const body = make('tbody', t);
  rows.forEach(row => { const tr = make('tr', body); row.forEach(cell => make('td', tr, cell)); });
  return body;
};

make('h1', page, 'MPI profile of ' + (present[0].program || 'a program'));
make('p', page, `${data.ranks} ranks on ${[...new Set(present.map(r => r.host))].join(', ')}`, 'faint');
const facts = make('div', page, undefined, 'facts');
const fact = (value, text) => { const f = make('div', facts, undefined, 'fact'); make('b', f, value); make('span', f, text, 'faint'); };
const total = key => present.reduce((sum, r) => sum + r[key], 0), run = total('run_s');
fact(seconds(data.elapsed_s), 'between MPI_Init and MPI_Finalize');
fact(seconds(data.perfect_interconnect.estimate_s), 'with a perfect interconnect');
fact(seconds(data.perfect_interconnect.balanced_s), 'perfectly balanced as well, at least');
fact(percent(run - total('compute_s'), run), 'of all time in MPI');
const late = present.reduce((a, b) => b.caused_s > a.caused_s ? b : a);
if (late.caused_s > 0) fact('rank ' + late.rank, `was waited for most: ${seconds(late.caused_s)} in all`);
for (const r of present.filter(r => r.state === 'unfinished'))
  make('p', page, `Rank ${r.rank} did not come to MPI_Finalize; it ended ` + (r.inside ? `after ${seconds(r.inside_s)} in ${r.inside}.` : 'outside of MPI.'));
if (data.present < data.ranks) make('p', page, `${data.ranks - data.present} ranks did not come to the end of MPI_Init.`);
if (data.looked_at < 1) make('p', page, `There were so many waits that one in ${1 / data.looked_at} was looked at.`, 'faint');
if (data.unmatched) make('p', page, `Of ${count(data.waits)} waits the other side of ${count(data.unmatched)} is not known; they count as other.`, 'faint');

heading('Ranks', 'Waiting: until the last of those that a call needs had come. Transfer: the rest of the call. Other: in calls of which nobody knows for whom they waited.');
const legend = make('p', page, undefined, 'legend');
kinds.forEach(k => { const s = make('span', legend); make('i', s, undefined, k); s.append(k); });
const bars = make('div', page, undefined, 'bars');
for (const r of present) {
  make('span', bars, 'rank ' + r.rank);
  const bar = make('div', bars, undefined, 'bar');
  kinds.forEach(k => { const i = make('i', bar, undefined, k); i.style.width = 100 * r[k + '_s'] / data.elapsed_s + '%'; i.title = k + ' ' + seconds(r[k + '_s']); });
  make('span', bars, seconds(r.run_s), 'faint');
}
table(['rank', 'run', ...kinds, 'others waited for it'], present.map(r =>
  [r.rank, seconds(r.run_s), ...kinds.map(k => percent(r[k + '_s'], r.run_s)), seconds(r.caused_s)]));

heading('Calls', 'Least and most are the ranks that spent the least and the most time in it.');
table(['call', 'count', 'total', 'average', 'longest', 'of run', 'waiting', 'transfer', 'least (rank)', 'most (rank)'], data.calls.map(c =>
  [c.name, count(c.count), seconds(c.total_s), seconds(c.average_s), seconds(c.max_s), percent(c.total_s, run),
   ...(c.waiting_s + c.transfer_s > 0 ? [percent(c.waiting_s, c.total_s), percent(c.transfer_s, c.total_s)] : ['-', '-']),
   `${seconds(c.least_s)} (${c.least_rank})`, `${seconds(c.most_s)} (${c.most_rank})`]));

const histogram = (title, sizes) => {
  if (!sizes.length) return;
  heading(title);
  const most = Math.max(...sizes.map(s => s.count)), grid = make('div', page, undefined, 'bars');
  for (const s of sizes) {
    make('span', grid, s.to > s.from ? `${size(s.from)} to < ${size(s.to + 1)}` : `${s.from} B`);
    const i = make('i', make('div', grid, undefined, 'bar'), undefined, 'transfer');
    i.style.width = Math.max(.5, 100 * s.count / most) + '%';
    make('span', grid, `${count(s.count)}, ${size(s.bytes)}`, 'faint');
  }
};
histogram('Sizes of messages sent', data.message_sizes);
histogram('Sizes of the parts of collective operations', data.collective_sizes);

const heat = (title, text, matrix, show) => {
  const most = Math.max(...matrix.flat());
  if (!(most > 0)) return;
  heading(title, text);
  if (matrix.length > 64) {
    const cells = matrix.flatMap((row, i) => row.map((v, j) => [i, j, v])).filter(c => c[2] > 0).sort((a, b) => b[2] - a[2]).slice(0, 64);
    table(['row', 'column', ''], cells.map(c => [c[0], c[1], show(c[2])]));
    return;
  }
  const body = table(['', ...matrix.map((_, i) => i)], matrix.map((row, i) => [i, ...row.map(v => v > 0 ? show(v) : '')]), 'heat');
  [...body.rows].forEach((tr, i) => matrix[i].forEach((v, j) => { tr.cells[j + 1].style.background = `rgba(var(--heat), ${.75 * v / most})`; }));
};
heat('Who waited for whom', 'Row: the rank that waited. Column: the rank that came last.', data.waited_for_s, seconds);
heat('Bytes sent', 'Row: sender. Column: receiver. Messages between two ranks; those inside of collective operations are not among them.', data.bytes, size);
heat('Messages sent', 'Row: sender. Column: receiver.', data.messages, count);
</script></body></html>
)page";

}  // namespace

std::string html_report(const std::string& json) { return kHead + json + kScript; }

}  // namespace starling::profile
