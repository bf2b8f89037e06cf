"""An explorer of peeking: how often somebody who looks again and again announces a winner.

A plain module: no notebook exports it.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .explorers import Explorer
from .script_parts import CHANCES, DRAW, define_constant
from .site import Table

__all__ = ["peek_explorer"]

MEANING = {
    "one look": "sign test at the end", "every look": "sign test, each at 5 %",
    "level shared": "sign test, each at 5 % / looks",
    "wealth": "a bettor against equality has 20"}

# A question that one of two systems wins is a toss. All runs are followed at once, by their number
# of wins; those that a rule stops at a look are taken out. No sum ever meets its level exactly:
# the one is a multiple of 1/2^t, the other is not.
PEEK_CORE = CHANCES + """
const known = {}, fair = t => known[t] ??= chances(t, .5);
const twoSided = (t, wins) => Math.min(1, 2 * add(fair(t).slice(Math.max(wins, t - wins))));
const wealth = (t, wins) => 1 / ((t + 1) * fair(t)[wins]);
const RULES = {
  "one look": (t, wins, looks, at) => at === looks && twoSided(t, wins) <= .05,
  "every look": (t, wins) => twoSided(t, wins) <= .05,
  "level shared": (t, wins, looks) => twoSided(t, wins) <= .05 / looks,
  "wealth": (t, wins) => wealth(t, wins) >= 20,
};
const follow = (name, looks, step, p) => {  // lead that stops, chance to have stopped, mean length
  let running = [1], stopped = 0, length = 0;
  const out = {limits: [], stopped: []};
  for (let at = 1, t = 0; at <= looks; at++) {
    for (let i = 0; i < step; i++) {
      length += add(running);
      const next = Array(++t + 1).fill(0);
      running.forEach((chance, wins) => {
        next[wins] += chance * (1 - p);
        next[wins + 1] += chance * p;
      });
      running = next;
    }
    const least = Array.from({length: t + 1}, (_, wins) => wins)
      .find(wins => 2 * wins >= t && RULES[name](t, wins, looks, at));
    const isOut = wins => least !== undefined && Math.max(wins, t - wins) >= least;
    running = running.map((chance, wins) => {
      if (isOut(wins)) stopped += chance;
      return isOut(wins) ? 0 : chance;
    });
    out.limits.push(least === undefined ? null : 2 * least - t);
    out.stopped.push(stopped);
  }
  return {...out, length};
};
"""

PEEK_SHOW = define_constant("MEANING", MEANING) + """
const NAMES = Object.keys(RULES), percent = v => (100 * v).toFixed(1) + "\\u00a0%";
const drawLimits = ({limits}, looks, step, p) => {
  const all = looks * step, x = t => 40 + 285 * t / all;
  const usual = (t, sign) => t * (2 * p - 1) + sign * 1.96 * Math.sqrt(4 * t * p * (1 - p));
  const high = Math.max(2.6 * Math.sqrt(all), 1.1 * usual(all, 1), ...limits.map(o => o || 0));
  const y = lead => 110 - 90 * lead / high;
  const edge = sign => Array.from({length: 41}, (_, i) =>
    x(all * i / 40).toFixed(1) + "," + y(usual(all * i / 40, sign)).toFixed(1));
  const parts = [rule(40, 325, y(0)),
    `<polygon points="${edge(1).concat(edge(-1).reverse()).join(" ")}" fill="currentColor"
      opacity=".12"/>`];
  limits.forEach((lead, i) => {
    const at = x((i + 1) * step);
    parts.push(`<path d="M${at} 16V204" stroke="currentColor" opacity=".15"/>`);
    if (lead !== null) for (const end of [lead, -lead]) parts.push(
      `<path d="M${at} ${y(end)}V${end > 0 ? 16 : 204}" stroke="${HUE}" stroke-width="3"/>`);
  });
  return [...parts, text(20, y(0) + 4, 0, MIDDLE + FAINT), text(20, 22, "B", MIDDLE + FAINT),
    text(20, 204, "A", MIDDLE + FAINT), text(x(0), 222, 0, MIDDLE + FAINT),
    text(x(all), 222, all, MIDDLE + FAINT),
    text(182, 240, "who leads, over questions; blue stops", MIDDLE + FAINT)];
};
const drawStopped = (found, looks, choice) => {
  const x = at => 40 + 285 * at / looks;
  const most = Math.max(.1, ...NAMES.map(o => found[o].stopped[looks - 1]));
  const y = v => 200 - 180 * v / most;
  const line = (name, look) => `<polyline fill="none" ${look} points="` +
    [0, ...found[name].stopped].map((v, i) => x(i) + "," + y(v).toFixed(1)).join(" ") + '"/>';
  return [
    ...[0, most].map(v => rule(40, 325, y(v)) +
      text(20, y(v) + 4, (100 * v).toFixed(0) + " %", MIDDLE + FAINT)),
    rule(40, 325, y(.05), 'stroke-dasharray="4 3"'), text(332, y(.05) + 4, "5", FAINT),
    ...NAMES.filter(o => o !== choice).map(o => line(o, 'stroke="currentColor" opacity=".45"')),
    line(choice, `stroke="${HUE}" stroke-width="3"`),
    dot(x(looks), y(found[choice].stopped[looks - 1])),
    text(x(0), 222, 0, MIDDLE + FAINT), text(x(looks), 222, looks, MIDDLE + FAINT),
    text(182, 240, "winner announced by look (thin: the others)", MIDDLE + FAINT)];
};
const show = ({looks, step, win, choice}) => {
  const p = win / 100, all = looks * step;
  const found = Object.fromEntries(NAMES.map(o => [o, follow(o, looks, step, p)]));
  const {stopped, length} = found[choice], now = percent(stopped[looks - 1]);
  const truth = win === 50 ? "though both are equal" : `where B wins ${win} %`;
  return {
    panels: [svg(340, 250, "the leads at which each look stops", drawLimits(found[choice], looks,
        step, p)),
      svg(340, 250, "chance to have announced a winner, by look", drawStopped(found, looks,
        choice))],
    said: `<b>A winner is announced in ${now} of evaluations</b>, ${truth}: ` +
      `${looks} look${looks > 1 ? "s" : ""}, one after every ${step} questions that one of the ` +
      `two wins. It takes ${length.toFixed(1)} of ${all} such questions on average.`,
    rows: NAMES.map(o => [o, MEANING[o], percent(found[o].stopped[looks - 1])])};
};
"""


def peek_explorer(
    looks:int=5,  # How often somebody looks, up to 20
    step:int=20,  # Questions that one of the two wins, from look to look, up to 20
    win:int=50,  # Chance in percent that B wins such a question, 50 to 90
    *,
    choice:str="every look",  # Rule shown first
)->Explorer:  # The figure
    """How often an evaluation that is watched announces a winner, under four rules, exactly.

    Raises: `ValueError` unless looks and step lie in 1 to 20 and win in 50 to 90.
    """
    if not (1 <= looks <= 20 and 1 <= step <= 20 and 50 <= win <= 90):
        raise ValueError("need 1 <= looks <= 20, 1 <= step <= 20 and 50 <= win <= 90, "
                         f"got looks={looks}, step={step}, win={win}")
    if choice not in MEANING:
        raise ValueError(f"choice must be one of {list(MEANING)}, got {choice!r}")
    rules = find_rules(looks)
    rows = [(name, words, f"{100 * announce(rules[name], looks, step, win / 100):.1f} %")
            for name, words in MEANING.items()]
    controls = [
        {"name": "looks", "label": "looks", "low": 1, "high": 20, "step": 1},
        {"name": "step", "label": "decided questions a look", "low": 1, "high": 20, "step": 1},
        {"name": "win", "label": "B wins one, %", "low": 50, "high": 90, "step": 1}]
    return Explorer(
        PEEK_CORE + DRAW + PEEK_SHOW, controls,
        {"looks": looks, "step": step, "win": win, "choice": choice},
        Table(rows, "rule", "a winner is announced when", "how often"),
        "Move the sliders; choose a rule in the table. Questions on which both agree are left out."
        " The shade holds the lead in about 95 of 100 evaluations at any one time; the chances are"
        " added up over all courses.",
        f"{looks} looks, {step} decided questions from one to the next; B wins {win} % of them.")


def find_rules(
    looks:int,  # How often somebody looks
)->dict[str, Callable]:  # From questions and number of the look to the wins that stop
    "For each rule a function that says which numbers of wins stop at a look."
    def test(t, level):
        from scipy.stats import binom
        wins = np.arange(t + 1)
        return 2 * binom.sf(np.maximum(wins, t - wins) - 1, t, .5) <= level

    def grow_rich(t, at):
        from scipy.stats import binom
        return (t + 1) * binom.pmf(np.arange(t + 1), t, .5) <= 1 / 20

    return {
        "one look": lambda t, at: test(t, .05) & (at == looks),
        "every look": lambda t, at: test(t, .05),
        "level shared": lambda t, at: test(t, .05 / looks),
        "wealth": grow_rich}


def announce(stops, looks, step, p):
    "The chance that a rule stops at one of the looks."
    running, t = np.ones(1), 0
    for at in range(1, looks + 1):
        for _ in range(step): running = np.convolve(running, [1 - p, p])
        t += step
        running = np.where(stops(t, at), 0, running)
    return 1 - running.sum()
