"""An explorer that says what a published score can mean.

A plain module: no notebook exports it.
"""
from __future__ import annotations

from ..inference.estimate import clopper_pearson_limits
from .explorers import Explorer
from .site import Table

__all__ = ["score_auditor"]

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
const draw = (name, wide, bars, share, lead, choice) => {
  const x = v => 84 + (wide - 104) * v, parts = [], faint = 'text-anchor="middle" opacity=".6"';
  const text = (x, y, words, more) => `<text x="${x}" y="${y}" ${more}>${words}</text>`;
  for (const v of [0, .25, .5, .75, 1]) parts.push(text(x(v), 118, 100 * v, faint),
    `<path d="M${x(v)} 16V100" stroke="currentColor" opacity=".2"/>`);
  Object.entries(bars).forEach(([name, [low, high]], i) => {
    const paint = name === choice ? HUE : "currentColor", y = 34 + 34 * i;
    parts.push(`<rect x="${x(low)}" width="${Math.max(1, x(high) - x(low))}" y="${y}"
      height="12" fill="${paint}" opacity="${name === choice ? .8 : .3}"/>`,
      text(68, y + 10, name.replace(" interval", ""), 'text-anchor="end"'));
  });
  parts.push(`<path d="M${x(share)} 16V100" stroke="${HUE}" stroke-width="2"/>`);
  if (lead) parts.push(`<path d="M${x(share - lead)} 16V100" stroke="currentColor"
    stroke-dasharray="4 3"/>`, text(x(share - lead), 11, "rival", faint));
  return `<svg class="${name}" viewBox="0 0 ${wide} 124" role="img"
    aria-label="two intervals around the score">${parts.join("")}</svg>`;
};
const show = ({score, questions, tries, lead, choice}) => {
  const all = questions * tries, share = score / 1000;
  const bars = {"widest interval": interval(share * questions, questions),
                "narrowest interval": interval(share * all, all)};
  const count = nearest(score, all), good = possible(score, all);
  const m = decided(lead, questions, tries);
  const said = v => `${percent(v[0])} to ${percent(v[1])}`;
  const answers = writeWhole(all), right = writeWhole(count);
  return {
    panels: [["wide", 660], ["narrow", 340]].map(([name, wide]) =>
      draw(name, wide, bars, share, lead / 1000, choice)),
    said: `<b>${good ? `${right} of ${answers} answers` : `No count of ${answers} answers`}</b> ` +
      `${good ? "give" : "gives"} ${(score / 10).toFixed(1)} %` +
      `${good ? "" : `; the nearest is ${percent(count / all)} %`}. ` +
      `A lead of ${(lead / 10).toFixed(1)} points can rest on ${m} questions at most, ` +
      `so its p ${m > 31 ? "can be" : "is never below"} ${smallest(m)}.`,
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
    low, high = clopper_pearson_limits(right, total, .025)
    return f"{100 * low:.1f} to {100 * high:.1f}"


def write_smallest(spread):
    "Smallest two-sided p of a sign-flip test when so many questions differ, all in one direction."
    if spread < 2: return "1"
    return f"1/{2**(spread - 1):,}" if spread < 32 else "below 1 in a billion"
