"""What every page carries: its style, and the script that filters and sorts."""
from __future__ import annotations

from collections.abc import Sequence

from ..report.palette import DARK, LIGHT

__all__ = ["STYLE", "SCRIPT"]


def name_colours(colours: Sequence[str]) -> str:
    "The colours of series as variables of a style."
    return " ".join(f"--c{i}: {colour};" for i, colour in enumerate(colours))

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #59636e; --line: #dde1e6;
  --page: #fff; """ + name_colours(LIGHT) + """ }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --dim: #a0a8b2; --line: #343a41;
  --page: #15181c; """ + name_colours(DARK) + """ } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page);
  max-width: 68rem; margin: 2rem auto 4rem; padding: 0 1rem; }
h1 { font-size: clamp(1.4rem, 4.5vw, 2.1rem); line-height: 1.2; margin: .2rem 0 .6rem;
  max-width: 26em; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .6rem; overflow-wrap: anywhere; }
p { max-width: 46em; overflow-wrap: anywhere; }
.note, figcaption { color: var(--dim); font-size: .92em; }
.lead { font-size: 1.1rem; }
p > code { display: block; white-space: pre-wrap; overflow-wrap: anywhere; padding: .2rem 0; }
.beside { display: grid; gap: 1.5rem 2rem; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
@media (max-width: 48rem) { .beside { grid-template-columns: minmax(0, 1fr); } }
.key { border-top: 1px solid var(--line); padding: .6rem 0; display: grid;
  grid-template-columns: minmax(0, 1fr) auto; align-items: baseline; gap: 0 1rem;
  overflow-wrap: anywhere; }
.key b { font-size: 1.6rem; } .key small { color: var(--dim); text-align: right; }
.key svg { grid-column: 1 / -1; }
svg { width: 100%; height: auto; font-size: 12px; fill: var(--ink); overflow: visible; }
svg .grid { stroke: var(--line); fill: none; stroke-width: 1.5; }
svg .range { fill: var(--hue); opacity: .2; } svg .span .range { opacity: .35; }
svg .line { fill: none; stroke: var(--hue); stroke-width: 2.2; }
svg circle, svg .mark, svg .name, .shares rect { fill: var(--hue); }
svg .name { font-weight: 600; } svg .crossing { fill: var(--line); opacity: .5; }
svg [data-say]:focus { outline: none; stroke: var(--ink); stroke-width: 3; }
svg .stretch path { stroke: var(--hue); stroke-width: 7; opacity: .7; }
svg .gap path { stroke: var(--line); opacity: 1; }
svg .upright { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 4 3; }
.ruler { max-width: 32rem; margin: 1.2rem 0; }
.chart { max-width: 44rem; }
.judged { --hue: var(--dim); border-left: 3px solid var(--hue); padding-left: 1rem;
  margin: 1.6rem 0; }
.judged.pass { --hue: var(--c2); } .judged.fail { --hue: var(--c1); }
.judged p { margin: .4rem 0; } .judged b { color: var(--hue); }
.figures { display: flex; flex-wrap: wrap; gap: 1rem; }
/* Drawn for a light ground, turned for a dark one. */
.figures svg { max-width: 36rem; fill: #000; }
@media screen and (prefers-color-scheme: dark) {
  .figures svg { filter: invert(.9) hue-rotate(180deg); } }
/* A shade at the side where a table goes on; it is covered where the table ends. */
.scroll { overflow-x: auto; margin: 1rem 0; background:
  linear-gradient(to right, var(--page) 50%, transparent) left / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--page) 50%, transparent) right / 2.5rem 100% no-repeat local,
  linear-gradient(to right, var(--line), transparent) left / .9rem 100% no-repeat scroll,
  linear-gradient(to left, var(--line), transparent) right / .9rem 100% no-repeat scroll; }
.scroll table { min-width: min(100%, 38rem); }
.shares { margin: 0; } .shares b { color: var(--hue); overflow-wrap: anywhere; }
.strips { display: grid; gap: .8rem 2rem; margin: .6rem 0 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
svg .end { fill: var(--dim); font-size: 11px; } .live { margin-bottom: .8rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
:is(th, td):first-child, :is(.two, .wraps) :is(th, td):nth-child(2), .questions :is(th, td) {
  text-align: left; }
td:first-child { max-width: 24rem; min-width: 8.2rem; white-space: normal;
  overflow-wrap: anywhere; }
thead th { border-bottom: 2px solid var(--ink); }
td small, .key small { color: var(--dim); } .key small { white-space: nowrap; }
td small { display: block; }
.mark { display: inline-block; margin-left: .15em; text-align: left; color: var(--c1); }
summary { cursor: pointer; padding: .5rem 0; font-weight: 600; }
details { border-top: 1px solid var(--line); }
.controls { display: flex; flex-wrap: wrap; gap: .4rem .6rem; margin: .6rem 0; }
.controls label { border: 1px solid var(--line); border-radius: 1rem; padding: .15rem .7rem;
  cursor: pointer; max-width: 100%; overflow-wrap: anywhere; }
.controls input { accent-color: var(--hue, var(--c0)); }
input[type=search] { font: inherit; color: inherit; background: inherit; padding: .15rem .7rem;
  border: 1px solid var(--line); border-radius: 1rem; width: 14rem; }
button.head { font: inherit; font-weight: inherit; color: inherit; background: none; border: 0;
  padding: 0; cursor: pointer; }
.dots { --size: .85em; display: inline-block; height: var(--size); vertical-align: middle;
  width: calc(var(--n) * var(--size)); print-color-adjust: exact; margin-right: .6em;
  background: radial-gradient(circle, var(--line) 45%, transparent 50%) 0 0 / var(--size) 100%; }
.dots::before { content: ""; display: block; height: 100%; width: calc(var(--c) * var(--size));
  print-color-adjust: exact;
  background: radial-gradient(circle, var(--hue, var(--c0)) 45%, transparent 50%)
    0 0 / var(--size) 100%; }
.bar { display: inline-block; height: .7em; width: 10em; background: var(--line);
  margin-right: .6em; print-color-adjust: exact; }
.bar::before { content: ""; display: block; height: 100%; background: var(--hue, var(--c0));
  print-color-adjust: exact; width: calc(100% * var(--c) / var(--n)); }
:focus-visible { outline: 2px solid var(--c0); outline-offset: 2px; }
@media (max-width: 30rem) {
  th { white-space: normal; } th, td { padding-inline: .3rem; font-size: .92em; }
  :is(.two, .matrix) td:first-child { min-width: 4.8rem; }
  .scroll .wraps { min-width: 0; }
  .wraps :is(th, td) { white-space: normal; padding-inline: .2rem; }
  .wraps td:first-child { min-width: 0; overflow-wrap: break-word; }
  .wraps td:nth-child(2) { white-space: nowrap; }
  .two td:first-child { white-space: nowrap; } .two td:nth-child(2) { white-space: normal; }
  .several :is(.dots, .bar) { display: none; }
  .chart svg text { font-size: 15px; } .ruler svg text { font-size: 13px; }
  .chart svg .name { font-size: 14px; }
}
@media print {
  .controls, .live { display: none; } body { margin: 0; max-width: none; font-size: 11pt; }
  h2, thead, summary { break-after: avoid; } tr, svg { break-inside: avoid; }
  .scroll { overflow: visible; background: none; } .scroll table { min-width: 0; }
  th, td { white-space: normal; padding: .15rem .35rem; font-size: 9pt; }
}
""" + "".join(f".c{i} {{ --hue: var(--c{i}); }}\n" for i in range(len(LIGHT)))

SCRIPT = """
(() => {
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  all(".controls").forEach(controls => { controls.hidden = false; });
  for (const chart of all(".chart")) {
    const live = chart.querySelector(".live");
    for (const point of all("[data-say]", chart))
      for (const seen of ["focus", "pointerenter"])
        point.addEventListener(seen, () => { live.textContent = point.dataset.say; });
    for (const box of all("input[data-shows]", chart))
      box.addEventListener("change", () => {
        const series = chart.querySelector(`[data-series="${box.dataset.shows}"]`);
        series.toggleAttribute("hidden", !box.checked);
      });
  }
  for (const part of all(".questions")) {
    const body = part.querySelector("tbody"), rows = [...body.rows];
    const search = part.querySelector("input[type=search]"), count = part.querySelector(".live");
    const show = () => {
      const kind = part.querySelector("input[type=radio]:checked").value;
      const text = search.value.toLowerCase();
      let shown = 0;
      for (const row of rows) {
        const named = row.cells[0].textContent.toLowerCase().includes(text);
        row.hidden = !(named && (kind === "all" || kind === row.dataset.kind));
        shown += !row.hidden;
      }
      count.textContent = `${shown} shown`;
    };
    part.addEventListener("input", show);
    const order = new Intl.Collator(undefined, {numeric: true});
    all("th", part).forEach((head, i) => {
      const button = document.createElement("button");
      button.className = "head";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      let up = true;
      button.addEventListener("click", () => {
        const value = row => row.cells[i].dataset.order ?? row.cells[i].textContent;
        rows.sort((a, b) => (up ? 1 : -1) * order.compare(value(a), value(b)));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        up = !up;
        body.append(...rows);
      });
    });
  }
  addEventListener("beforeprint", () => all("details").forEach(part => { part.open = true; }));
})();
"""
