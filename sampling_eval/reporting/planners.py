"""An explorer of plans: how narrow an interval so many questions and samples will give.

A plain module: no notebook exports it.
"""
from __future__ import annotations

from math import sqrt

from .explorers import Explorer
from .script_parts import DRAW
from .site import Table

__all__ = ["plan_explorer"]

# Rates are percents, shares twentieths, half-widths tenths of a point, and 1.96 is exact: whether
# a plan is enough is decided in whole numbers below 2^53. A target counts the part of an outcome's
# variance that lies between questions, and the part within them, which n samples divide.
PLAN_CORE = """
const PARTS = {
  "questions of this kind": rho => [rho, 20 - rho], "these questions again": rho => [0, 20 - rho],
  "all samples independent": () => [0, 20],
};
const needed = (name, n, rate, rho) => {
  const [between, within] = PARTS[name](rho);
  return 38416 * rate * (100 - rate) * (between * n + within);
};
const half = (name, questions, n, rate, rho) =>  // tenths of a point
  Math.sqrt(needed(name, n, rate, rho) / (2000 * questions * n));
const leastQuestions = (name, n, rate, rho, aim) =>
  Math.max(1, Math.ceil(needed(name, n, rate, rho) / (2000 * aim * aim * n)));
const leastSamples = (name, questions, rate, rho, aim) => {  // null if no number is enough
  const [between, within] = PARTS[name](rho), one = 38416 * rate * (100 - rate);
  const room = 2000 * aim * aim * questions - one * between;
  if (one * within === 0) return room < 0 ? null : 1;
  return room <= 0 ? null : Math.max(1, Math.ceil(one * within / room));
};
"""

PLAN_SHOW = """
const NAMES = Object.keys(PARTS), points = tenths => (tenths / 10).toFixed(1);
const drawOver = (label, from, to, now, aim, choice, value) => {
  const x = v => 40 + 280 * Math.log(v / from) / Math.log(to / from);
  const steps = Array.from({length: 61}, (_, i) => from * (to / from) ** (i / 60));
  const top = Math.max(aim * 1.25, ...NAMES.map(o => value(o, now) * 1.6)), y = v =>
    200 - 180 * v / top;
  const line = (name, look) => `<polyline fill="none" ${look} points="` +
    steps.filter(v => value(name, v) <= top)
      .map(v => x(v).toFixed(1) + "," + y(value(name, v)).toFixed(1)).join(" ") + '"/>';
  return [
    ...[0, top].map(v => rule(40, 320, y(v)) + text(20, y(v) + 4, points(v), MIDDLE + FAINT)),
    rule(40, 320, y(aim), 'stroke-dasharray="4 3"'), text(20, y(aim) + 4, points(aim)),
    ...NAMES.filter(o => o !== choice).map(o => line(o, 'stroke="currentColor" opacity=".45"')),
    line(choice, `stroke="${HUE}" stroke-width="3"`), dot(x(now), y(value(choice, now))),
    text(x(from), 222, from, MIDDLE + FAINT), text(x(to), 222, commas(to), MIDDLE + FAINT),
    text(182, 240, label, MIDDLE + FAINT)];
};
const many = (n, what) => `${commas(n)} ${what}${n === 1 ? "" : "s"}`;
const advise = (name, {questions, n, rate, rho, aim}) => {
  const more = leastSamples(name, questions, rate, rho, aim);
  const enough = leastQuestions(name, n, rate, rho, aim);
  const first = more === null ? "no number of samples is enough for these questions"
    : `${many(more, "sample")} of each of these questions`;
  return `For \\u00b1 ${points(aim)}: ${first}; with ${many(n, "sample")}, ` +
    `${many(enough, "question")}.`;
};
const show = state => {
  const {questions, n, rate, rho, aim, choice} = state;
  const worth = 20 * questions * n / (rho * n + 20 - rho);
  return {
    panels: [
      svg(340, 250, "half-width over the samples of a question", drawOver(
        "\\u00b1 points over samples a question", 1, 256, n, aim, choice,
        (name, v) => half(name, questions, v, rate, rho))),
      svg(340, 250, "half-width over the questions", drawOver(
        "\\u00b1 points over questions", 10, 1000, questions, aim, choice,
        (name, v) => half(name, v, n, rate, rho)))],
    said: `<b>\\u00b1 ${points(half(choice, questions, n, rate, rho))} points, ${choice}.</b> ` +
      `${advise(choice, state)} For questions of this kind the ${commas(questions * n)} samples ` +
      `are worth ${+worth.toFixed(1)} independent ones.`,
    rows: NAMES.map(o => {
      const least = leastSamples(o, questions, rate, rho, aim);
      return [o, `\\u00b1 ${points(half(o, questions, n, rate, rho))} points`,
        least === null ? "never enough" : `enough: ${many(least, "sample")}`];
    })};
};
"""

PARTS = {
    "questions of this kind": lambda rho: (rho, 20 - rho),
    "these questions again": lambda rho: (0, 20 - rho),
    "all samples independent": lambda rho: (0, 20)}


def plan_explorer(
    questions:int=100,  # Questions, 10 to 1000
    n:int=4,  # Samples of each, up to 256
    rate:float=.7,  # Share of right answers, whole percents
    rho:float=.5,  # Share of an outcome's variance between questions, a multiple of 1/20
    aim:float=.05,  # Half-width wanted, in tenths of a point up to .3
    *,
    choice:str="questions of this kind",  # What is claimed, shown first
)->Explorer:  # The figure
    """Half of the width of a 95 % interval for the average, and what it takes to make it small.

    Raises: `ValueError` for values outside their ranges.
    """
    percent, parts, tenths = round(100 * rate), round(20 * rho), round(1000 * aim)
    exact = abs(100 * rate - percent) + abs(20 * rho - parts) + abs(1000 * aim - tenths) < 1e-6
    if not (exact and 1 <= percent <= 99 and 0 <= parts <= 20 and 1 <= tenths <= 300):
        raise ValueError("need rate in percents, rho in twentieths and aim in tenths of a point "
                         f"up to .3, got rate={rate}, rho={rho}, aim={aim}")
    if not (10 <= questions <= 1000 and 1 <= n <= 256):
        raise ValueError("need 10 <= questions <= 1000 and 1 <= n <= 256, "
                         f"got questions={questions}, n={n}")
    if choice not in PARTS:
        raise ValueError(f"choice must be one of {list(PARTS)}, got {choice!r}")
    rows = []
    for name in PARTS:
        least = find_samples(name, questions, percent, parts, tenths)
        half = f"± {find_half(name, questions, n, percent, parts):.1f} points"
        rows.append((name, half, write_samples(least)))
    controls = [
        {"name": "questions", "label": "questions", "low": 10, "high": 1000, "step": 1},
        {"name": "n", "label": "samples of each", "low": 1, "high": 256, "step": 1},
        {"name": "rate", "label": "right, %", "low": 1, "high": 99, "step": 1},
        {"name": "rho", "label": "between questions, ρ", "low": 0, "high": 20, "step": 1,
         "scale": 20},
        {"name": "aim", "label": "wanted, ± points", "low": 1, "high": 300, "step": 1,
         "scale": 10}]
    return Explorer(
        PLAN_CORE + DRAW + PLAN_SHOW, controls,
        {"questions": questions, "n": n, "rate": percent, "rho": parts, "aim": tenths,
         "choice": choice},
        Table(rows, "claim about", "half of the 95 % interval", f"for ± {100 * aim:g} points"),
        "Move the sliders; choose a claim in the table. Half-widths are 1.96 standard errors of the"
        " average; the dashed line is what is wanted, thin lines are the other claims.",
        f"{questions} questions, {n} samples of each, {percent} % right, ρ = {rho:g}.")


def write_samples(least):
    if least is None: return "never enough"
    return f"enough: {least:,} {'sample' if least == 1 else 'samples'}"


def needed(name, n, rate, rho):
    "The variance of an average, in the whole numbers of `PLAN_CORE`."
    between, within = PARTS[name](rho)
    return 38416 * rate * (100 - rate) * (between * n + within)


def find_half(name, questions, n, rate, rho):
    "Half of the width in points."
    return sqrt(needed(name, n, rate, rho) / (2000 * questions * n)) / 10


def find_samples(name, questions, rate, rho, aim):
    "The least samples of each question that are enough; None if no number is."
    between, within = PARTS[name](rho)
    one = 38416 * rate * (100 - rate)
    room = 2000 * aim**2 * questions - one * between
    if within == 0: return None if room < 0 else 1
    return None if room <= 0 else max(1, -(-one * within // room))
