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
from .site import Table, show_value

__all__ = ["Explorer", "urn_explorer", "curve_explorer", "metric_chooser",
           "score_auditor"]

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
URN_CORE = """
const choose = (n, k) => {
  let ways = k < 0 || k > n ? 0 : 1;
  for (let i = 1; i <= k && ways; i++) ways = ways * (n - k + i) / i;
  return ways;
};
const subsets = (n, c, k) =>
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

URN_SHOW = """
const MEANING = {
  "pass@k": "at least one correct", "cons@k": "more than half correct",
  "G-Pass@k": "at least the share \\u03c4 correct", "pass^k": "all correct",
  "avg@n": "share of correct ones",
};
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
    metrics = {
        "pass@k": ("at least one correct", pass_at_k(n, c, k)),
        "cons@k": ("more than half correct", cons_at_k(n, c, k)),
        "G-Pass@k": (f"at least the share {tau} correct",
                     g_pass_at_k(n, c, k, Fraction(steps, 20))),
        "pass^k": ("all correct", pass_hat_k(n, c, k)),
        "avg@n": ("share of correct ones", c / n)}
    if choice not in metrics:
        raise ValueError(f"choice must be one of {list(metrics)}, got {choice!r}")
    controls = [
        {"name": "n", "label": "samples drawn, n", "low": 1, "high": LARGEST, "step": 1},
        {"name": "c", "label": "correct ones, c", "low": 0, "high": "n", "step": 1},
        {"name": "k", "label": "samples kept, k", "low": 1, "high": "n", "step": 1},
        {"name": "tau", "label": "share asked, τ", "low": 0, "high": 20, "step": 1, "scale": 20}]
    chosen = show_value(float(metrics[choice][1]))
    return Explorer(
        URN_CORE + URN_SHOW, controls,
        {"n": n, "c": c, "k": k, "tau": steps, "choice": choice},
        Table([(name, *about) for name, about in metrics.items()], "metric", "credit", "value"),
        "Move a slider; choose a metric in the table. Blue subsets earn its credit."
        " Everything is counted exactly, in this page.",
        f"{n} samples, {c} of them correct, {comb(n, k):,} ways to keep {k}: {choice} = {chosen}.")


CURVE_CORE = """
const verdict = (low, high, [first, second]) =>
  low > 0 ? `${second} is ahead` : high < 0 ? `${first} is ahead` : "not decided";
"""

CURVE_SHOW = """
const HUE = "var(--hue)", FAINT = 'opacity=".55"', WIDTH = 680, LEFT = 48, RIGHT = 600;
const digits = v => v.toFixed(3).replace("-", "\\u2212");
const show = ({at, k, difference, low, high, a, b, names}) => {
  const logs = k.map(Math.log2), span = logs[logs.length - 1] - logs[0] || 1;
  const x = i => LEFT + (RIGHT - LEFT) * (logs[i] - logs[0]) / span;
  const draw = (curves, band, label, height) => {
    const all = [...curves.flatMap(o => o.values), ...band.flat(), ...(band.length ? [0] : [])];
    const top = Math.max(...all), bottom = Math.min(...all), room = top - bottom || 1;
    const y = v => 14 + (height - 44) * (top - v) / room;
    const path = values => values.map((v, i) => x(i) + "," + y(v)).join(" ");
    const text = (x, y, words, anchor, more = "") =>
      `<text x="${x}" y="${y}" text-anchor="${anchor}" ${more}>${words}</text>`;
    const parts = band.length
      ? [`<path d="M${LEFT} ${y(0)}H${RIGHT}" stroke="currentColor" stroke-dasharray="4 3"/>`,
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
      parts.push(text(RIGHT + 8, y(values[last]) + shift, name, "start"));
    }
    const ends = [[top, y(top)], [bottom, y(bottom)]];
    parts.push(...ends.map(([v, h]) => text(LEFT - 6, h + 4, v.toFixed(2), "end", FAINT)));
    parts.push(...[0, k.length - 1].map(i => text(x(i), height - 6, k[i], "middle", FAINT)));
    parts.push(text((LEFT + RIGHT) / 2, height - 6, label, "middle", FAINT));
    return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}"
      style="grid-column: 1 / -1">${parts.join("")}</svg>`;
  };
  const panels = [draw([{name: `${names[1]} \\u2212 ${names[0]}`, values: difference, hue: true}],
    [low, high], "difference over k, with its interval", 220)];
  const both = a && b && [{name: names[0], values: a}, {name: names[1], values: b, hue: true}];
  if (both) panels.push(draw(both, [], "both over k", 190));
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


# What is used of the samples, what one wants to know, the metric, what the log must hold, what the
# metric says, and what it takes for granted. `@k` is replaced by the number in the sentence.
GOALS = (
    ("one sample", "How good is one sample?", "avg@n", "flags",
     "how often one sample is correct", "It hides whether questions are easy or hard."),
    ("one sample", "How right is a partly right answer?", "soft accuracy", "grades",
     "the mean credit of one answer", "A cut at one half is another metric, hard accuracy."),
    ("one sample", "How likely is the right choice?", "choice scores", "logprobs",
     "how the right choice ranks by probability", "Name what the lengths are counted in."),
    ("one of k", "Can it be done, if a judge picks?", "pass@k", "flags",
     "how often at least one of k samples is correct", "Without a judge it is no performance."),
    ("one of k", "Does the commonest answer win?", "maj@k", "answers",
     "how often a vote of k answers is correct", "Say what ties and blanks count as."),
    ("one of k", "Does a verifier pick a right one?", "best@k", "verifier",
     "how often the best liked of k samples is correct", "Never choose k from the curve."),
    ("all of k", "Does it work every time?", "pass^k", "flags",
     "how often all of k samples are correct", "Lost tries change it: say what they count as."),
    ("all of k", "Are most samples correct?", "cons@k", "flags",
     "how often more than half of k samples are correct", "It is no vote on answers."),
    ("all of k", "Is a share of the samples correct?", "G-Pass@k", "flags",
     "how often at least the share tau of k samples is correct", "It needs a tau, stated."),
)
LOGS = (("right or wrong", ("flags",)), ("and the answers", ("flags", "answers")),
        ("and a verifier's scores", ("flags", "verifier")), ("grades from 0 to 1", ("grades",)),
        ("log-probabilities of choices", ("flags", "logprobs")))
LACKS = {"flags": "which samples are right", "answers": "the answers themselves",
         "verifier": "a verifier's score of each sample", "grades": "a grade of each answer",
         "logprobs": "log-probabilities of the choices"}

CHOOSER_CORE = """
const keeps = metric => metric.endsWith("k");
const verdict = ([, , metric, needs], held, n, k) =>
  !held.includes(needs) ? `lacks ${LACKS[needs]}` :
  keeps(metric) && k > n ? `needs ${k} samples` :
  keeps(metric) && 2 * k > n ? `yes; a rerun's error needs ${2 * k}` :
  !keeps(metric) && n < 2 ? "yes; a rerun's error needs 2" : "yes";
"""

CHOOSER_SHOW = """
const HUE = "var(--hue)", PLACES = {"one sample": 52, "one of k": 130, "all of k": 208};
const show = ({goals, logs, log, n, k, choice}) => {
  const held = logs[log][1], parts = [];
  const text = (x, y, words, more) => `<text x="${x}" y="${y}" ${more}>${words}</text>`;
  const path = (x, y, to, end, on) => `<path d="M${x} ${y}C${(x + to) / 2} ${y} ${(x + to) / 2}
    ${end} ${to} ${end}" fill="none" stroke="${on ? HUE : "currentColor"}"
    stroke-width="${on ? 3 : 1}" opacity="${on ? 1 : .35}"/>`;
  const chosen = goals.find(o => o[1] === choice);
  parts.push(text(4, 134, "what is used?", ""));
  for (const [name, y] of Object.entries(PLACES)) {
    const on = chosen[0] === name;
    parts.push(path(88, 130, 150, y, on),
      text(156, y + 4, name, on ? `fill="${HUE}" font-weight="700"` : ""));
  }
  goals.forEach((goal, i) => {
    const y = 26 + 26 * i, on = goal === chosen, can = verdict(goal, held, n, k);
    const faint = can.startsWith("yes") ? "" : 'opacity=".4"';
    const look = on ? `fill="${HUE}" font-weight="700"` : faint;
    parts.push(path(226, PLACES[goal[0]], 290, y, on), text(296, y + 4, goal[2], look),
      text(386, y + 4, goal[1], look));
  });
  const can = verdict(chosen, held, n, k), name = chosen[2].replace(/k$/, k).replace(/n$/, n);
  const says = chosen[4].replace(/of k /, `of ${k} `);
  return {
    panels: [`<svg viewBox="0 0 660 262" role="img" style="grid-column: 1 / -1"
      aria-label="a tree from what is used to the metric">${parts.join("")}</svg>`],
    said: `<b>${name}</b> says ${says}. Can this log give it? ` +
      `${can[0].toUpperCase() + can.slice(1)}. ${chosen[5]}`,
    rows: goals.map(o => [o[1], o[2], verdict(o, held, n, k)])};
};
"""


def metric_chooser(
    n:int=8,  # Samples per question, up to 64
    k:int=4,  # Samples used together
    *,
    log:int=0,  # What is recorded: an entry of `LOGS`
    goal:str="Does it work every time?",  # What one wants to know: the second entry of a goal
)->Explorer:  # The figure
    """From what one wants to know to the metric, and whether a log can give it.

    Raises: `ValueError` unless `1 <= n, k <= 64`, the log is listed and the goal is known.
    """
    if not (1 <= n <= 64 and 1 <= k <= 64): raise ValueError(f"need 1 <= n, k <= 64, got {n}, {k}")
    if log not in range(len(LOGS)): raise ValueError(f"log must be 0 to {len(LOGS) - 1}, got {log}")
    asked = [o[1] for o in GOALS]
    if goal not in asked: raise ValueError(f"goal must be one of {asked}, got {goal!r}")
    rows = [(o[1], o[2], say_missing(o, LOGS[log][1], n, k)) for o in GOALS]
    controls = [
        {"name": "log", "label": "the log holds", "low": 0, "high": len(LOGS) - 1, "step": 1,
         "shown": [words for words, _ in LOGS]},
        {"name": "n", "label": "samples per question, n", "low": 1, "high": 64, "step": 1},
        {"name": "k", "label": "samples used together, k", "low": 1, "high": 64, "step": 1}]
    return Explorer(
        f"const LACKS = {json.dumps(LACKS)};" + CHOOSER_CORE + CHOOSER_SHOW, controls,
        {"log": log, "n": n, "k": k, "choice": goal, "goals": GOALS, "logs": LOGS},
        Table(rows, "you want to know", "metric", "can this log give it?"),
        "Choose a question in the table; say what the log holds and how many samples there are.",
        f"A log of {LOGS[log][0]}, {n} samples a question, {k} used together.")


def say_missing(goal, held, n, k):
    "Whether a log can give a metric, and what it lacks."
    metric, needs = goal[2:4]
    kept = metric.endswith("k")
    if needs not in held: return f"lacks {LACKS[needs]}"
    if kept and k > n: return f"needs {k} samples"
    least = 2 * k if kept else 2
    return "yes" if n >= least else f"yes; a rerun's error needs {least}"


# Scores and leads are tenths of a point: the count behind a score is found in whole numbers.
AUDIT_CORE = """
const logGamma = x => {
  const parts = [676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];
  const t = x + 6.5, sum = parts.reduce((s, o, i) => s + o / (x + i), 0.99999999999980993);
  return Math.log(2 * Math.PI) / 2 + (x - .5) * Math.log(t) - t + Math.log(sum);
};
const fraction = (x, a, b) => {  // continued fraction of the incomplete beta function, Lentz
  const tiny = 1e-300, away = v => Math.abs(v) < tiny ? tiny : v;
  let c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), h = d;
  for (let m = 1; m < 3000; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d); c = away(1 + even / c); h *= c * d;
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d); c = away(1 + odd / c);
    const step = c * d;
    h *= step;
    if (Math.abs(step - 1) < 1e-14) break;
  }
  return h;
};
const below = (x, a, b) => {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const all = logGamma(a + b) - logGamma(a) - logGamma(b);
  const front = Math.exp(all + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a
    : 1 - front * fraction(1 - x, b, a) / b;
};
const quantile = (q, a, b) => {
  let low = 0, high = 1;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (below(middle, a, b) < q) low = middle; else high = middle;
  }
  return (low + high) / 2;
};
const interval = (right, all) => [
  right <= 0 ? 0 : quantile(.025, right, all - right + 1),
  right >= all ? 1 : quantile(.975, right + 1, all - right)];
const nearest = (tenths, all) => Math.floor((tenths * all + 500) / 1000);
const possible = (tenths, all) =>
  2 * Math.abs(1000 * nearest(tenths, all) - tenths * all) <= all;
const decided = (lead, questions, tries) => Math.min(questions, nearest(lead, questions * tries));
"""

AUDIT_SHOW = """
const writeWhole = n => String(n).replace(/\\B(?=(\\d{3})+$)/g, ",");
const HUE = "var(--hue)", percent = v => (100 * v).toFixed(1);
const smallest = m => m < 2 ? "1" : m > 31 ? "below 1 in a billion"
  : "1/" + writeWhole(2 ** (m - 1));
const show = ({score, questions, tries, lead, choice}) => {
  const all = questions * tries, share = score / 1000, x = v => 30 + 600 * v;
  const bars = {"widest interval": interval(share * questions, questions),
                "narrowest interval": interval(share * all, all)};
  const count = nearest(score, all), good = possible(score, all);
  const m = decided(lead, questions, tries);
  const said = v => `${percent(v[0])} to ${percent(v[1])}`, parts = [];
  const text = (x, y, words, more) => `<text x="${x}" y="${y}" ${more}>${words}</text>`;
  const faint = 'text-anchor="middle" opacity=".6"';
  for (const v of [0, .25, .5, .75, 1]) parts.push(text(x(v), 118, 100 * v, faint),
    `<path d="M${x(v)} 12V100" stroke="currentColor" opacity=".2"/>`);
  Object.entries(bars).forEach(([name, [low, high]], i) => {
    const paint = name === choice ? HUE : "currentColor", y = 40 + 34 * i;
    const left = x(low) > 150, look = `text-anchor="${left ? "end" : "start"}"`;
    parts.push(`<rect x="${x(low)}" width="${Math.max(1, x(high) - x(low))}" y="${y - 6}"
      height="12" fill="${paint}" opacity="${name === choice ? .8 : .3}"/>`,
      text(left ? x(low) - 8 : x(high) + 8, y + 4, name, look));
  });
  parts.push(`<path d="M${x(share)} 12V100" stroke="${HUE}" stroke-width="2"/>`);
  if (lead) parts.push(`<path d="M${x(share - lead / 1000)} 12V100" stroke="currentColor"
    stroke-dasharray="4 3"/>`, text(x(share - lead / 1000), 10, "rival", faint));
  const answers = writeWhole(all), right = writeWhole(count);
  return {
    panels: [`<svg viewBox="0 0 660 124" role="img" style="grid-column: 1 / -1"
      aria-label="two intervals around the score">${parts.join("")}</svg>`],
    said: `<b>${good ? `${right} of ${answers} answers` : `No count of ${answers} answers`}</b> ` +
      `${good ? "give" : "gives"} ${(score / 10).toFixed(1)} %` +
      `${good ? "" : `; the nearest is ${percent(count / all)} %`}. ` +
      `A lead of ${(lead / 10).toFixed(1)} points can rest on ${m} questions at most, ` +
      `so its p is never below ${smallest(m)}.`,
    rows: [
      ["possible?", "some count of right answers gives the score", good ? "yes" : "no"],
      ["widest interval", "every question always right, or never", said(bars["widest interval"])],
      ["narrowest interval", "all questions equally hard", said(bars["narrowest interval"])],
      ["smallest p", "the lead, if no question speaks against it", smallest(m)]]};
};
"""


def score_auditor(
    score:float=73.3,  # Published score in percent, one decimal
    questions:int=30,  # Questions of the benchmark, 2 to 500
    tries:int=1,  # Tries of each question, up to 64
    lead:float=10.0,  # Published lead over a rival, in points, one decimal
)->Explorer:  # The figure
    """What a published score can mean: its count, two 95 % intervals, the smallest p of a lead.

    Raises: `ValueError` unless `0 <= lead <= score <= 100` in tenths of a point, and questions
    and tries lie in their ranges.
    """
    tenths, ahead = round(10 * score), round(10 * lead)
    if not (0 <= ahead <= tenths <= 1000 and abs(10 * score - tenths) < 1e-6
            and abs(10 * lead - ahead) < 1e-6):
        raise ValueError("need 0 <= lead <= score <= 100 in tenths of a point, "
                         f"got lead={lead}, score={score}")
    if not (2 <= questions <= 500 and 1 <= tries <= 64):
        raise ValueError("need 2 <= questions <= 500 and 1 <= tries <= 64, "
                         f"got questions={questions}, tries={tries}")
    controls = [
        {"name": "score", "label": "published score, %", "low": 0, "high": 1000, "step": 1,
         "scale": 10},
        {"name": "questions", "label": "questions", "low": 2, "high": 500, "step": 1},
        {"name": "tries", "label": "tries of each", "low": 1, "high": 64, "step": 1},
        {"name": "lead", "label": "lead over a rival, points", "low": 0, "high": "score", "step": 1,
         "scale": 10}]
    return Explorer(
        AUDIT_CORE + AUDIT_SHOW, controls,
        {"score": tenths, "questions": questions, "tries": tries, "lead": ahead,
         "choice": "widest interval"},
        Table(audit(tenths, questions, tries, ahead), "", "what it says", "value"),
        "Set what was published; choose an interval in the table. Intervals are those of Clopper"
        " and Pearson; p is that of the exact sign-flip test, two-sided.",
        f"{score} % of {questions} questions, tries of each: {tries}; lead: {lead} points.")


def audit(score, questions, tries, lead):
    "Rows of the auditor, scores in tenths of a point."
    total = questions * tries
    count = (score * total + 500) // 1000
    good = 2 * abs(1000 * count - score * total) <= total
    spread = min(questions, (lead * total + 500) // 1000)
    wide, narrow = (write_interval(score * o / 1000, o) for o in (questions, total))
    return [
        ("possible?", "some count of right answers gives the score", "yes" if good else "no"),
        ("widest interval", "every question always right, or never", wide),
        ("narrowest interval", "all questions equally hard", narrow),
        ("smallest p", "the lead, if no question speaks against it", write_smallest(spread))]


def write_interval(right, total):
    "The interval of Clopper and Pearson in percent; the count need not be whole."
    from scipy.special import betaincinv
    low = betaincinv(right, total - right + 1, .025) if right > 0 else 0.
    high = betaincinv(right + 1, total - right, .975) if right < total else 1.
    return f"{100 * low:.1f} to {100 * high:.1f}"


def write_smallest(spread):
    "Smallest two-sided p of a sign-flip test when so many questions differ, all in one direction."
    if spread < 2: return "1"
    return f"1/{2**(spread - 1):,}" if spread < 32 else "below 1 in a billion"
