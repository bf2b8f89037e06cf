"""An explorer of intervals: how often each method holds the true rate, at every rate.

A plain module: no notebook exports it.
"""
from __future__ import annotations

from statistics import NormalDist

import numpy as np

from ..inference.estimate import clopper_pearson_limits, wilson_limits
from .explorers import Explorer
from .script_parts import CHANCES, DRAW
from .site import Table

__all__ = ["interval_explorer"]

# The interval of each count, and what follows from them. `tail` is the chance of a miss on one
# side, `z` its normal quantile. The limits of Clopper and Pearson and of a flat prior are found
# from chances of counts, by Newton's steps within brackets; a rate that is a limit itself is held,
# whatever rounding says. Every list of lower limits rises with the count and the upper limits are
# its mirror image, so between two neighbouring limits the same neighbouring counts hold the rate:
# there the coverage rises and then falls, and is least at the limits themselves.
COVER_CORE = CHANCES + """
const atLeast = (n, c, p) => add(chances(n, p).slice(c));
const solve = (n, c, tail) => {  // rate at which c or more right answers have this chance
  let low = 0, high = 1, p = c / (n + 1);
  for (let i = 0; i < 60; i++) {
    const law = chances(n, p), value = add(law.slice(c));
    if (value < tail) low = p; else high = p;
    const newton = p - (value - tail) * p / (c * law[c]);  // c/p times the chance of c is the slope
    const next = low < newton && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - p) < 1e-15) break;
    p = next;
  }
  return p;
};
const redraw = (n, c, tail) => {  // quantile of the share of right answers, drawn anew
  let sum = 0;
  return chances(n, c / n).findIndex(o => (sum += o) >= tail) / n;
};
const LOWER = {
  "Wald": (n, c, tail, z) => Math.max(0, c / n - z * Math.sqrt(c * (n - c) / n) / n),
  "bootstrap": redraw,
  "Wilson": (n, c, tail, z) => c
    ? (c + z * z / 2 - z * Math.sqrt(c * (n - c) / n + z * z / 4)) / (n + z * z) : 0,
  "flat prior": (n, c, tail) => solve(n + 1, c + 1, tail),
  "Gaffke": (n, c, tail) => c ? solve(n, c, tail) : 0,
};
const intervals = (name, n, tail, z) => {
  const low = Array.from({length: n + 1}, (_, c) => LOWER[name](n, c, tail, z));
  return low.map((o, c) => [o, 1 - low[n - c]]);
};
const holds = ([low, high], p) => low <= p + 1e-12 && p <= high + 1e-12;
const coverage = (ends, p) =>
  add(chances(ends.length - 1, p).filter((_, c) => holds(ends[c], p)));
const between = (ends, p, inside) =>  // with the counts that hold a rate nearby
  add(chances(ends.length - 1, p).filter((_, c) => holds(ends[c], inside)));
const pieces = ends => {
  const at = [...new Set([0, ...ends.flat(), 1])].sort((x, y) => x - y);
  return at.slice(1).map((o, i) => [at[i], o]).filter(([from, to]) => to - from > 1e-12);
};
const worst = ends => {
  let least = [2, 0];
  for (const [from, to] of pieces(ends)) for (const p of [from, to]) {
    const value = between(ends, p, (from + to) / 2);
    if (value < least[0] - 1e-9) least = [value, p];
  }
  return least;
};
const average = ends => {
  const n = ends.length - 1;
  return add(ends.map(([low, high], c) => atLeast(n + 1, c + 1, high) - atLeast(n + 1, c + 1, low)))
    / (n + 1);
};
"""

COVER_SHOW = """
const NAMES = Object.keys(LOWER), known = {};
const study = (n, level, tail, z) => known[[n, level]] ??= Object.fromEntries(NAMES.map(name => {
  const ends = intervals(name, n, tail, z);
  return [name, {ends, worst: worst(ends), average: average(ends)}];
}));
const percent = v => (100 * v).toFixed(1) + "\\u00a0%";
const drawIntervals = (ends, p) => {
  const n = ends.length - 1, chance = chances(n, p), most = Math.max(...chance);
  const x = v => 30 + 220 * v, y = c => 200 - 180 * c / n, thick = Math.min(4, 110 / n);
  const parts = ends.map((o, c) => {
    const look = holds(o, p) ? `fill="${HUE}"` : 'fill="currentColor" opacity=".5"';
    const bar = (from, wide) => `<rect x="${from.toFixed(1)}" y="${(y(c) - thick / 2).toFixed(1)}"
      width="${wide.toFixed(1)}" height="${thick.toFixed(2)}" ${look}/>`;
    return bar(x(o[0]), Math.max(1.5, x(o[1]) - x(o[0]))) + bar(272, 60 * chance[c] / most);
  });
  return [...parts, `<path d="M${x(p)} 12V208" stroke="currentColor" stroke-dasharray="4 3"/>`,
    text(14, y(0) + 4, 0, MIDDLE + FAINT), text(14, y(n) + 4, n, MIDDLE + FAINT),
    text(x(0), 222, 0, MIDDLE + FAINT), text(x(1), 222, 1, MIDDLE + FAINT),
    text(x(.5), 240, "interval of every count", MIDDLE + FAINT),
    text(302, 240, "its chance", MIDDLE + FAINT)];
};
const drawCoverage = ({ends, worst: [least, where]}, p, level) => {
  const room = [0, .5, .8, .9, .98].filter(o => o <= Math.min(least, level) - .005).pop() || 0;
  const x = v => 40 + 285 * v, y = v => 200 - 180 * (v - room) / (1 - room);
  const points = pieces(ends).flatMap(([from, to]) => [0, .25, .5, .75, 1].map(part => {
    const at = from + part * (to - from);
    return x(at).toFixed(1) + "," + y(between(ends, at, (from + to) / 2)).toFixed(1);
  }));
  const left = where < .5;
  return [
    ...[room, 1].map(v => rule(40, 325, y(v)) + text(22, y(v) + 4, v, MIDDLE + FAINT)),
    rule(40, 325, y(level), 'stroke-dasharray="4 3"'),
    text(20, Math.max(y(level) + 4, y(1) + 19), level),
    `<polyline points="${points.join(" ")}" fill="none" stroke="${HUE}" stroke-width="1.3"/>`,
    dot(x(p), y(coverage(ends, p))),
    `<path d="M${x(where)} ${y(least) + 2}l5 9h-10z" fill="currentColor"/>`,
    text(x(where) + (left ? 10 : -10), Math.min(212, y(least) + 12), "worst " + percent(least),
      `text-anchor="${left ? "start" : "end"}"`),
    text(x(0), 224, 0, MIDDLE + FAINT), text(x(1), 224, 1, MIDDLE + FAINT),
    text(182, 240, "coverage over the true rate", MIDDLE + FAINT)];
};
const show = ({n, at, rate, choice, levels, z}) => {
  const level = levels[at] / 1000, p = rate / 200;
  const all = study(n, levels[at], (1 - level) / 2, z[at]);
  const chosen = all[choice], now = coverage(chosen.ends, p), [least, where] = chosen.worst;
  return {
    panels: [svg(340, 250, `the ${choice} interval of every count of right answers`,
        drawIntervals(chosen.ends, p)),
      svg(340, 250, `coverage of the ${choice} interval`, drawCoverage(chosen, p, level))],
    said: `<b>${choice} holds the true rate ${p} in ${percent(now)} of runs</b> of ${n} ` +
      `question${n > 1 ? "s" : ""}; ${+(100 * level).toFixed(1)} % is promised. Over all rates: ` +
      `${percent(chosen.average)} on average, at worst ${percent(least)}, near ` +
      `${where.toFixed(3)}.`,
    rows: NAMES.map(o => [o, `at rate ${p}: ${percent(coverage(all[o].ends, p))}`,
      `worst: ${percent(all[o].worst[0])}`])};
};
"""

LEVELS = 80., 90., 95., 99., 99.9
MOST = 200


def interval_explorer(
    n:int=30,  # Questions with one answer each, up to 200
    rate:float=.98,  # True rate of right answers, a multiple of 1/200 between 0 and 1
    level:float=95,  # Promised coverage in percent: 80, 90, 95, 99 or 99.9
    *,
    choice:str="Wald",  # Method shown first
)->Explorer:  # The figure
    """How often five intervals hold the true rate of right answers, added up over all counts.

    On right and wrong answers Gaffke's interval is that of Clopper and Pearson.

    Raises: `ValueError` unless `1 <= n <= 200`, and for a rate, a level or a method not listed.
    """
    if not 1 <= n <= MOST: raise ValueError(f"need 1 <= n <= {MOST}, got {n}")
    steps = round(200 * rate)
    if not (0 < steps < 200 and abs(200 * rate - steps) < 1e-9):
        raise ValueError(f"rate must be a multiple of 1/200 between 0 and 1, got {rate}")
    if level not in LEVELS: raise ValueError(f"level must be one of {LEVELS}, got {level}")
    if choice not in METHODS:
        raise ValueError(f"choice must be one of {list(METHODS)}, got {choice!r}")
    rows = []
    for name in METHODS:
        ends = find_intervals(name, n, level)
        rows.append((name, write_percent(cover(ends, rate)), write_percent(find_worst(ends))))
    controls = [
        {"name": "n", "label": "questions, n", "low": 1, "high": MOST, "step": 1},
        {"name": "rate", "label": "true rate", "low": 1, "high": 199, "step": 1, "scale": 200},
        {"name": "at", "label": "promised, %", "low": 0, "high": len(LEVELS) - 1, "step": 1,
         "shown": LEVELS}]
    start = {
        "n": n, "rate": steps, "at": LEVELS.index(level), "choice": choice,
        "levels": [round(10 * o) for o in LEVELS], "z": [find_z(o) for o in LEVELS]}
    return Explorer(
        COVER_CORE + DRAW + COVER_SHOW, controls, start,
        Table(rows, "interval", f"holds the rate {rate:g}", "at the worst rate"),
        "Move the sliders; choose a method in the table. Blue intervals hold the true rate, the"
        " dashed line; the bars beside them are the chances of the counts, and those of the blue"
        " ones add up to the coverage. Gaffke's interval, the default, is here that of Clopper and"
        " Pearson.",
        f"{n} questions, {level:g} % intervals: in how many runs they hold the true rate.")


def find_z(level):
    return NormalDist().inv_cdf(.5 + level / 200)


def write_percent(value):
    return f"{100 * value:.1f} %"


def limit_wald(n, c, level):
    return c / n - find_z(level) * np.sqrt(c * (n - c) / n) / n


def limit_bootstrap(n, c, level):
    from scipy.stats import binom
    return binom.ppf(.5 - level / 200, n, c / n) / n


def limit_wilson(n, c, level):
    return wilson_limits(c, n, .5 - level / 200)[0]


def limit_gaffke(n, c, level):
    return clopper_pearson_limits(c, n, .5 - level / 200)[0]


def limit_flat(n, c, level):
    return limit_gaffke(n + 1, c + 1, level)


METHODS = {
    "Wald": limit_wald, "bootstrap": limit_bootstrap, "Wilson": limit_wilson,
    "flat prior": limit_flat, "Gaffke": limit_gaffke}


def find_intervals(name, n, level):
    "Both ends for every count of right answers, shape `(n + 1, 2)`."
    c = np.arange(n + 1)
    low = np.maximum(METHODS[name](n, c, level), 0)
    return np.stack([low, 1 - low[::-1]], 1)


def cover(ends, rate, inside=None):
    "Chance of the counts whose interval holds a rate, or another one near it."
    from scipy.stats import binom
    inside = rate if inside is None else inside
    held = (ends[:, 0] <= inside + 1e-12) & (inside <= ends[:, 1] + 1e-12)
    return float(binom.pmf(np.arange(len(ends)), len(ends) - 1, rate) @ held)


def find_worst(ends):
    "The lowest coverage over all rates: it lies beside a limit of some interval."
    at = np.unique(np.concatenate([[0, 1], ends.ravel()]))
    wide = np.diff(at) > 1e-12
    spans = zip(at[:-1][wide], at[1:][wide], strict=True)
    return min(cover(ends, p, (low + high) / 2) for low, high in spans for p in (low, high))
