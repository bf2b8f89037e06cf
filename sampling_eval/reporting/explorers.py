"""Figures a reader can move: one HTML figure each, that loads nothing.

A plain module: no notebook exports it. Where scripts do not run, the table and the sentence stay.
"""
from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from ..metrics.consensus import cons_at_k
from ..metrics.gpass import g_pass_at_k
from ..metrics.passhat import pass_hat_k
from ..metrics.passk import pass_at_k
from .phrases import say_count
from .script_parts import CHOOSE, define_constant
from .site import Table, show_value

__all__ = ["Explorer", "urn_explorer", "curve_explorer"]

# Colours are the text colour, shares of it, and one hue that the dark theme replaces.
STYLE = """
#ID { --hue: #0072B2; --line: color-mix(in srgb, currentColor 22%, transparent);
  margin: 1.2rem 0; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: .6rem; }
.quarto-dark #ID, [data-jp-theme-light="false"] #ID { --hue: #56B4E9; }
#ID .controls, #ID .panels { display: grid; gap: 1rem 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); }
#ID .panels { grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); margin: .8rem 0; }
#ID label { display: block; font-size: .95em; }
#ID output { font-weight: 700; }
#ID input[type=range] { width: 100%; accent-color: var(--hue); }
#ID input[type=radio] { accent-color: var(--hue); margin-right: .4em; }
#ID svg { width: 100%; height: auto; font-size: 12px; fill: currentColor; }
#ID svg.wide { grid-column: 1 / -1; }
#ID svg.narrow { display: none; }
@media (max-width: 600px) { #ID svg.wide { display: none; } #ID svg.narrow { display: block; } }
#ID td label { display: flex; align-items: baseline; }
#ID .said { margin: .4rem 0 .6rem; }
#ID .said b { color: var(--hue); }
#ID table { width: 100%; display: table; border-collapse: collapse;
  font-variant-numeric: tabular-nums; }
#ID td, #ID th { padding: .3rem .5rem; border-bottom: 1px solid var(--line); text-align: left; }
#ID td:last-child, #ID th:last-child { text-align: right; }
#ID tr:has(input:checked) { background: color-mix(in srgb, var(--hue) 14%, transparent); }
#ID figcaption { font-size: .9em; opacity: .75; margin-top: .6rem; }
"""

# The part every explorer shares. `show(state)` comes from the explorer itself and returns
# `{panels: [svg], said: html, rows: [[name, meaning, value]]}`; the first cells are the choices.
FRAME = """
const put = (parent, tag, attributes = {}, text = "") => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return parent.appendChild(made);
};
const stage = root.querySelector(".stage"), said = root.querySelector(".said");
const bound = end => typeof end === "string" ? state[end] : end;
stage.textContent = "";
const sliders = put(stage, "div", {class: "controls"}), inputs = controls.map(control => {
  const label = put(sliders, "label", {}, control.label + " "), value = put(label, "output");
  const input = put(label, "input", {type: "range", step: control.step});
  input.addEventListener("input", () => { state[control.name] = +input.value; update(); });
  return {control, input, value};
});
const panels = put(stage, "div", {class: "panels"});
const table = put(put(root, "div"), "table"), lines = [];
root.insertBefore(said, table.parentNode);
root.append(root.querySelector("figcaption"));
root.querySelector(".static").remove();
said.setAttribute("aria-live", "polite");
function update() {
  for (const {control, input, value} of inputs) {
    const low = bound(control.low), high = bound(control.high);
    state[control.name] = Math.min(high, Math.max(low, state[control.name]));
    input.min = low; input.max = high; input.value = state[control.name];
    const at = state[control.name];
    value.textContent = control.shown ? control.shown[at] : at / (control.scale || 1);
  }
  const shown = show(state);
  panels.innerHTML = shown.panels.join("");
  said.innerHTML = shown.said;
  shown.rows.forEach((row, i) => {
    if (!lines[i]) {
      const tr = put(table, "tr"), label = put(put(tr, "td"), "label");
      const input = put(label, "input", {type: "radio", name: root.id});
      input.checked = row[0] === state.choice;
      input.addEventListener("change", () => { state.choice = row[0]; update(); });
      label.append(row[0]);
      lines[i] = row.slice(1).map(() => put(tr, "td"));
    }
    row.slice(1).forEach((text, j) => { lines[i][j].textContent = text; });
  });
}
update();
"""


class Explorer:
    "A figure with sliders that draws itself anew, and a table where scripts do not run."

    def __init__(
        self,
        script:str,  # JavaScript that defines `show(state)`, see `FRAME`
        controls:Sequence[Mapping],  # Sliders: `name`, `label`, `low`, `high`, `step`; how a value
            # is shown: divided by `scale`, or as an entry of `shown`
        start:Mapping,  # First value of every control, and `choice`
        table:Table,  # What is seen without scripts
        caption:str,  # What the reader can do
        sentence:str="",  # What the table says, without scripts
    ):
        self.script, self.controls, self.start = script, list(controls), dict(start)
        self.table, self.caption, self.sentence = table, caption, sentence

    def _repr_html_(self):
        given = json.dumps([self.controls, self.start]).replace("<", "\\u003c")
        # Taken from the content: stored outputs stay the same from run to run.
        name = "explorer-" + hashlib.sha256((self.script + given).encode()).hexdigest()[:10]
        head, *rows = self.table.lines()
        cells = "".join(write_row(row, "td") for row in rows)
        return "\n".join([
            f'<figure class="explorer" id="{name}">',
            f"<style>{STYLE.replace('ID', name)}</style>",
            '<div class="stage"></div>',
            f'<p class="said">{html.escape(self.sentence)}</p>',
            f'<table class="static"><thead>{write_row(head, "th")}</thead>'
            f"<tbody>{cells}</tbody></table>",
            f"<figcaption>{html.escape(self.caption)}</figcaption>",
            "<script>(() => {",
            f'const root = document.getElementById("{name}"), [controls, state] = {given};',
            self.script.strip(), FRAME.strip(),
            "})();</script>", "</figure>"])

    def __repr__(self): return f"{self.table!r}\n{self.sentence}".rstrip()


def write_row(row, tag):
    return "<tr>" + "".join(f"<{tag}>{html.escape(o)}</{tag}>" for o in row) + "</tr>"


# The arithmetic by itself, so that a test can run it. Every number is a whole one below 2^53
# until the last division; `tau` counts twentieths.
URN_CORE = CHOOSE + """const subsets = (n, c, k) =>
  Array.from({length: k + 1}, (_, j) => choose(c, j) * choose(n - c, k - j));
const CREDIT = {
  "pass@k": (j, k) => j >= 1,
  "cons@k": (j, k) => 2 * j > k,
  "G-Pass@k": (j, k, tau) => j >= 1 && 20 * j >= tau * k,
  "pass^k": (j, k) => j === k,
};
const earning = (name, n, c, k, tau) =>
  subsets(n, c, k).reduce((sum, ways, j) => sum + (CREDIT[name](j, k, tau) ? ways : 0), 0);
const value = (name, n, c, k, tau) =>
  name === "avg@n" ? c / n : earning(name, n, c, k, tau) / choose(n, k);
"""

MEANING = {
    "pass@k": "at least one correct", "cons@k": "more than half correct",
    "G-Pass@k": "at least the share τ correct", "pass^k": "all correct",
    "avg@n": "share of correct ones"}

URN_SHOW = define_constant("MEANING", MEANING) + """
const NAMES = Object.keys(MEANING), HUE = "var(--hue)", FAINT = 'opacity=".55"';
const text = (x, y, words, more = "") =>
  `<text x="${x}" y="${y}" text-anchor="middle" ${more}>${words}</text>`;
const ball = (x, y, r, right) => right
  ? `<circle cx="${x}" cy="${y}" r="${r}" fill="${HUE}"/>`
  : `<circle cx="${x}" cy="${y}" r="${r - .7}" fill="none" stroke="currentColor" ${FAINT}/>`;
const svg = (height, label, parts) =>
  `<svg viewBox="0 0 340 ${height}" role="img" aria-label="${label}">${parts.join("")}</svg>`;

const drawUrn = (n, c) => Array.from({length: n}, (_, i) =>
  ball(20 + 30 * (i % 10), 16 + 26 * Math.floor(i / 10), 10, i < c));
const earns = (name, j, k, tau) => name === "avg@n" ? j > 0 : CREDIT[name](j, k, tau);
const drawSubsets = ({n, c, k, tau, choice}) => {
  const ways = subsets(n, c, k), most = Math.max(...ways), floor = 208;
  const wide = Math.min(60, 320 / (k + 1)), single = most <= 10 && k <= 4;
  const parts = [`<path d="M8 ${floor}H332" stroke="currentColor" ${FAINT}/>`];
  ways.forEach((count, j) => {
    const x = 170 + (j - k / 2) * wide, tall = single ? 13 * count : 120 * count / most;
    const paint = earns(choice, j, k, tau) ? `fill="${HUE}"` : `fill="currentColor" ${FAINT}`;
    if (single) for (let i = 0; i < count; i++) {
      const y = floor - 8 - 13 * i, left = x - 5.5 * k - 1;
      parts.push(`<rect x="${left}" y="${y - 6}" width="${11 * k + 2}" height="12" rx="6"
        ${paint} fill-opacity=".22"/>`);
      for (let b = 0; b < k; b++) parts.push(ball(x + 11 * (b - (k - 1) / 2), y, 4.4, b < j));
    }
    else parts.push(`<rect x="${x - .38 * wide}" width="${.76 * wide}" y="${floor - tall}"
      height="${tall}" ${paint}/>`);
    const small = wide < 24 ? ' font-size="8"' : "";
    parts.push(text(x, floor + 15, j, small));
    const room = String(count).length * (small ? 4.5 : 6.5) < 1.1 * wide;
    if (count && (room || count === most))
      parts.push(text(x, floor - tall - 6, count.toLocaleString("en"), FAINT + small));
  });
  const words = "every way to keep k, by its number of correct samples";
  return [...parts, text(170, floor + 32, words, FAINT)];
};
const drawCurves = ({n, c, k, tau, choice}) => {
  const x = at => n === 1 ? 180 : 40 + 285 * (at - 1) / (n - 1), y = v => 200 - 180 * v;
  const points = name => Array.from({length: n}, (_, i) =>
    x(i + 1) + "," + y(value(name, n, c, i + 1, tau))).join(" ");
  const line = (name, more) => `<polyline fill="none" points="${points(name)}" ${more}/>`;
  const rule = v => `<path d="M40 ${y(v)}H325" stroke="currentColor" opacity=".2"/>`;
  return [
    ...[0, .5, 1].map(v => rule(v) + text(22, y(v) + 4, v, FAINT)),
    ...NAMES.filter(o => o !== choice).map(o => line(o, `stroke="currentColor" ${FAINT}`)),
    line(choice, `stroke="${HUE}" stroke-width="3"`),
    `<circle cx="${x(k)}" cy="${y(value(choice, n, c, k, tau))}" r="5" fill="${HUE}"/>`,
    text(x(1), 222, 1, FAINT), text(x(n), 222, n > 1 ? n : "", FAINT),
    text(182, 240, `${choice} over k (thin: the others)`, FAINT)];
};
const named = (name, k, n) => name.replace(/k$/, k).replace(/n$/, n);
const explain = ({n, c, k, tau, choice}) => {
  const result = `<b>${named(choice, k, n)} = ${value(choice, n, c, k, tau).toFixed(3)}</b>`;
  if (choice === "avg@n") return `${result}: ${c} of ${n} samples are correct, whatever k is.`;
  const all = choose(n, k).toLocaleString("en");
  const some = earning(choice, n, c, k, tau).toLocaleString("en");
  const what = {
    "pass@k": "hold at least one correct", "cons@k": "hold more correct than wrong ones",
    "G-Pass@k": `hold at least the share ${tau / 20} of correct ones`, "pass^k": "are all correct",
  }[choice];
  return `${result}: ${some} of the ${all} ways to keep ${k} of ${n} ${what}.`;
};
const show = state => {
  const {n, c, k, tau} = state;
  return {
    panels: [
      svg(250, `${c} of ${n} samples correct; the ways to keep ${k}`,
        [`<g>${drawUrn(n, c).join("")}</g>`, ...drawSubsets(state)]),
      svg(250, `${state.choice} over k`, drawCurves(state))],
    said: explain(state),
    rows: NAMES.map(o => [o, MEANING[o], value(o, n, c, k, tau).toFixed(3)]),
  };
};
"""

LARGEST = 20


def urn_explorer(
    n:int=5,  # Samples drawn, up to 20
    c:int=3,  # Correct ones among them
    k:int=2,  # Samples kept
    tau:float|Fraction=.5,  # Share asked by G-Pass@k, a multiple of 1/20
    *,
    choice:str="pass@k",  # Metric shown first
)->Explorer:  # The figure
    """Every way to keep `k` of `n` samples, and what each count metric makes of them.

    Raises: `ValueError` unless `1 <= k <= n <= 20`, `0 <= c <= n` and `tau` is a multiple of 1/20.
    """
    if not all(isinstance(o, Integral) for o in (n, c, k)):
        raise TypeError(f"n, c and k must be ints, got {n!r}, {c!r}, {k!r}")
    if not (1 <= k <= n <= LARGEST and 0 <= c <= n):
        raise ValueError(f"need 1 <= k <= n <= {LARGEST} and 0 <= c <= n, got n={n}, c={c}, k={k}")
    steps = round(20 * tau)
    if not (0 <= steps <= 20 and abs(20 * tau - steps) < 1e-9):
        raise ValueError(f"tau must be a multiple of 1/20 in [0, 1], got {tau}")
    if choice not in MEANING:
        raise ValueError(f"choice must be one of {list(MEANING)}, got {choice!r}")
    values: dict[str, np.ndarray | float] = {
        "pass@k": pass_at_k(n, c, k), "cons@k": cons_at_k(n, c, k),
        "G-Pass@k": g_pass_at_k(n, c, k, Fraction(steps, 20)), "pass^k": pass_hat_k(n, c, k),
        "avg@n": c / n}
    controls = [
        {"name": "n", "label": "samples drawn, n", "low": 1, "high": LARGEST, "step": 1},
        {"name": "c", "label": "correct ones, c", "low": 0, "high": "n", "step": 1},
        {"name": "k", "label": "samples kept, k", "low": 1, "high": "n", "step": 1},
        {"name": "tau", "label": "share asked, τ", "low": 0, "high": 20, "step": 1, "scale": 20}]
    chosen = show_value(float(values[choice]))
    some, ways = say_count([n], "sample"), say_count([comb(n, k)], "way")
    return Explorer(
        URN_CORE + URN_SHOW, controls,
        {"n": n, "c": c, "k": k, "tau": steps, "choice": choice},
        Table([(name, words.replace("τ", str(tau)), values[name])
               for name, words in MEANING.items()], "metric", "credit", "value"),
        "Move a slider; choose a metric in the table. Blue subsets earn its credit."
        " Everything is counted exactly, in this page.",
        f"{some}, {c} of them correct, {ways} to keep {k}: {choice} = {chosen}.")


CURVE_CORE = """
const verdict = (low, high, [first, second]) =>
  low > 0 ? `${second} is ahead` : high < 0 ? `${first} is ahead` : "not decided";
"""

CURVE_SHOW = """
const HUE = "var(--hue)", FAINT = 'opacity=".55"', WIDTH = 340, LEFT = 40;
const digits = v => v.toFixed(3).replace("-", "\\u2212");
const show = ({at, k, difference, low, high, a, b, names}) => {
  const longest = a && b ? Math.max(...names.map(o => o.length)) : 0;
  const right = Math.max(200, 326 - 7 * longest), logs = k.map(Math.log2);
  const span = logs[logs.length - 1] - logs[0] || 1;
  const x = i => LEFT + (right - LEFT) * (logs[i] - logs[0]) / span;
  const height = 250, draw = (curves, band, label) => {
    const all = [...curves.flatMap(o => o.values), ...band.flat(), ...(band.length ? [0] : [])];
    const top = Math.max(...all), bottom = Math.min(...all), room = top - bottom || 1;
    const y = v => 14 + (height - 64) * (top - v) / room;
    const path = values => values.map((v, i) => x(i) + "," + y(v)).join(" ");
    const text = (x, y, words, anchor, more = "") =>
      `<text x="${x}" y="${y}" text-anchor="${anchor}" ${more}>${words}</text>`;
    const parts = band.length
      ? [`<path d="M${LEFT} ${y(0)}H${right}" stroke="currentColor" stroke-dasharray="4 3"/>`,
         `<polygon fill="${HUE}" opacity=".2" points="${path(band[0])} ` +
         band[1].map((v, i) => x(i) + "," + y(v)).reverse().join(" ") + '"/>'] : [];
    for (const [i, {name, values, hue}] of curves.entries()) {
      const stroke = hue ? HUE : "currentColor", last = values.length - 1;
      parts.push(`<polyline fill="none" stroke="${stroke}" stroke-width="2.2"
        ${hue ? "" : 'stroke-dasharray="7 4"'} points="${path(values)}"/>`,
        `<circle cx="${x(at)}" cy="${y(values[at])}" r="5" fill="${stroke}"/>`);
      const gap = curves.length > 1 ? values[last] - curves[1 - i].values[last] : Infinity;
      const close = Math.abs(y(gap) - y(0)) < 14;  // the two names would touch
      const shift = !close ? 4 : gap > 0 || gap === 0 && i ? -3 : 11;
      parts.push(text(right + 6, y(values[last]) + shift, name, "start"));
    }
    const ends = [[top, y(top)], [bottom, y(bottom)]];
    parts.push(...ends.map(([v, h]) => text(LEFT - 6, h + 4, v.toFixed(2), "end", FAINT)));
    parts.push(...[0, k.length - 1].map(i => text(x(i), height - 24, k[i], "middle", FAINT)));
    parts.push(text((LEFT + right) / 2, height - 6, label, "middle", FAINT));
    return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}"
      style="max-width: 32rem">${parts.join("")}</svg>`;
  };
  const panels = [draw([{name: "", values: difference, hue: true}], [low, high],
    `${names[1]} \\u2212 ${names[0]} over k, with its interval`)];
  const both = a && b && [{name: names[0], values: a}, {name: names[1], values: b, hue: true}];
  if (both) panels.push(draw(both, [], "both over k"));
  const ends = `interval ${digits(low[at])} to ${digits(high[at])}`;
  return {panels, rows: [], said: `<b>k = ${k[at]}: ${verdict(low[at], high[at], names)}.</b> ` +
    `${names[1]} \\u2212 ${names[0]} = ${digits(difference[at])}, ${ends}.`};
};
"""


def curve_explorer(
    k:ArrayLike,  # Budgets, ascending, shape `(K,)`
    difference:ArrayLike,  # Second system minus the first at each of them, shape `(K,)`
    low:ArrayLike,  # Lower ends of the intervals
    high:ArrayLike,  # Upper ends
    *,
    a:ArrayLike|None=None,  # Values of the first system
    b:ArrayLike|None=None,  # Values of the second
    names:Sequence[str]=("A", "B"),  # Names of the two
    start:int|None=None,  # Budget shown first; the first one if None
)->Explorer:  # The figure
    """Two systems over the budget `k`: their difference, its interval, and who is ahead.

    Raises: `ValueError` unless all curves are as long as `k`, finite, and `low <= high`.
    """
    k, given = np.asarray(k), {"difference": difference, "low": low, "high": high, "a": a, "b": b}
    curves = {name: np.asarray(o, float) for name, o in given.items() if o is not None}
    check_curves(k, curves)
    if start is None: start = k[0]
    if start not in k: raise ValueError(f"start must be one of k, got {start}")
    at = int(np.flatnonzero(k == start)[0])
    first, second = (html.escape(str(o)) for o in names)
    said = [decide(x, y, names) for x, y in zip(curves["low"], curves["high"], strict=True)]
    # Without scripts, eight budgets stand for all.
    few = np.unique(np.linspace(0, len(k) - 1, min(len(k), 8)).round().astype(int))
    shown = [(k[i], *(curves[o][i] for o in ("difference", "low", "high")), said[i]) for i in few]
    table = Table(shown, "k", f"{names[1]} - {names[0]}", "low", "high", "verdict")
    values = {name: o.round(6).tolist() for name, o in curves.items()}
    controls = [{"name": "at", "label": "samples kept, k", "low": 0, "high": len(k) - 1, "step": 1,
                 "shown": k.tolist()}]
    return Explorer(
        CURVE_CORE + CURVE_SHOW, controls,
        {"at": at, "k": k.tolist(), **values, "names": [first, second]}, table,
        "Move the slider along k. Where the interval leaves the dashed line at zero, one is ahead.",
        f"k = {k[at]}: {said[at]}.")


def check_curves(k, curves):
    "Refuse curves that are not drawn over the budgets."
    if k.ndim != 1 or not len(k) or (k < 1).any() or (np.diff(k) <= 0).any():
        raise ValueError(f"k must be budgets that rise from 1 on, got {k}")
    for name, o in curves.items():
        if o.shape != k.shape:
            raise ValueError(f"{name} must have one value per k, got {o.shape} for {k.shape}")
        if (bad := ~np.isfinite(o)).any():
            raise ValueError(f"{name} must be finite, got {o[bad][0]} at k={k[bad][0]}"
                             f" ({bad.sum()} of {len(k)} fail)")
    if (bad := curves["low"] > curves["high"]).any():
        raise ValueError(f"low must not exceed high, got the reverse at k={k[bad][0]}"
                         f" ({bad.sum()} of {len(k)} fail)")


def decide(low, high, names):
    "Who is ahead where an interval of the difference leaves zero."
    if low > 0: return f"{names[1]} is ahead"
    return f"{names[0]} is ahead" if high < 0 else "not decided"
