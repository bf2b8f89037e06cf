"""An explorer of votes: who wins among k samples, and what the metrics make of it.

A plain module: no notebook exports it.
"""
from __future__ import annotations

from collections.abc import Sequence
from math import comb
from numbers import Integral

import numpy as np

from ..metrics.consensus import cons_at_k
from ..metrics.passhat import pass_hat_k
from ..metrics.passk import pass_at_k
from ..metrics.vote import maj_at_k
from .explorers import Explorer
from .phrases import say_count
from .script_parts import ADD, CHOOSE, DRAW, define_constant
from .site import Table, show_value

__all__ = ["vote_explorer"]

MEANING = {
    "pass@k": "at least one sample says A", "maj@k": "A wins the vote, ties are shared",
    "maj@k, ties lose": "A has more votes than any other", "cons@k": "more than half say A",
    "pass^k": "all say A", "avg@n": "share of samples that say A"}

# The first answer is right. A win shared by t answers counts 1/t, in twelfths: every number is a
# whole one below 2^53 until the last division.
VOTE_CORE = CHOOSE + ADD + """
const tally = (votes, k) => {  // ways to keep k in which an answer is on top, by how many are
  const wins = votes.map(() => [0, 0, 0, 0]);
  const keep = (i, left, ways, kept) => {
    if (i < votes.length) {
      for (let j = 0; j <= Math.min(votes[i], left); j++)
        keep(i + 1, left - j, ways * choose(votes[i], j), [...kept, j]);
    } else if (!left) {
      const top = Math.max(...kept), tied = kept.filter(o => o === top).length;
      kept.forEach((o, answer) => { if (o === top) wins[answer][tied - 1] += ways; });
    }
  };
  keep(0, k, 1, []);
  return wins;
};
const twelfths = ([alone, two, three, four]) => 12 * alone + 6 * two + 4 * three + 3 * four;
const measure = (votes, k) => {
  const [c] = votes, n = add(votes), all = choose(n, k), [mine] = tally(votes, k);
  const holds = least => add(Array.from({length: k + 1}, (_, j) =>
    j < least ? 0 : choose(c, j) * choose(n - c, k - j)));
  return {
    "pass@k": holds(1) / all, "maj@k": twelfths(mine) / (12 * all),
    "maj@k, ties lose": mine[0] / all, "cons@k": holds(Math.floor(k / 2) + 1) / all,
    "pass^k": choose(c, k) / all, "avg@n": c / n};
};
"""

VOTE_SHOW = define_constant("MEANING", MEANING) + """
const NAMES = Object.keys(MEANING), LETTERS = "ABCD";
const count = ({a, b, c, d}) => [a, b, c, d];
const named = (name, k, n) => name.replace("@k", "@" + k).replace("^k", "^" + k)
  .replace("@n", "@" + n);
const drawVotes = (votes, k) => {
  const all = choose(add(votes), k), parts = [text(112, 16, "the samples", MIDDLE + FAINT),
    text(338, 16, `chance to win, ${k} vote${k > 1 ? "s" : ""}`, 'text-anchor="end"' + FAINT)];
  tally(votes, k).forEach((wins, i) => {
    const y = 52 + 50 * i, chance = twelfths(wins) / (12 * all), paint = i ? "currentColor" : HUE;
    const look = i ? 'opacity=".55"' : "";
    parts.push(text(8, y + 5, LETTERS[i], 'font-weight="700"'));
    for (let j = 0; j < votes[i]; j++) parts.push(`<circle cx="${27 + 16 * j}" cy="${y}" r="6.5"
      ${i ? `fill="none" stroke="currentColor" ${FAINT}` : `fill="${HUE}"`}/>`);
    parts.push(`<rect x="226" y="${y - 9}" width="${70 * chance}" height="18" fill="${paint}"
      ${look}/>`, text(232 + 70 * chance, y + 4, chance.toFixed(3), ""));
  });
  return parts;
};
const drawCurves = (curve, k, choice) => {
  const n = curve.length, x = at => n === 1 ? 180 : 40 + 285 * (at - 1) / (n - 1);
  const y = v => 200 - 180 * v;
  const line = (name, look) => `<polyline fill="none" ${look} points="` +
    curve.map((o, i) => x(i + 1) + "," + y(o[name])).join(" ") + '"/>';
  return [
    ...[0, .5, 1].map(v => rule(40, 325, y(v)) + text(22, y(v) + 4, v, MIDDLE + FAINT)),
    ...NAMES.filter(o => o !== choice).map(o => line(o, `stroke="currentColor" opacity=".45"`)),
    line(choice, `stroke="${HUE}" stroke-width="3"`), dot(x(k), y(curve[k - 1][choice])),
    text(x(1), 222, 1, MIDDLE + FAINT), text(x(n), 222, n > 1 ? n : "", MIDDLE + FAINT),
    text(182, 240, `${choice} over k (thin: the others)`, MIDDLE + FAINT)];
};
const compareEnds = (first, last, n) => {
  const ends = `${first.toFixed(3)} with one, ${last.toFixed(3)} with all ${n}`;
  if (n === 1) return "";
  if (first === last) return ` All ${n} votes are as good as one: ${last.toFixed(3)}.`;
  return last < first ? ` More votes hurt: ${ends}.` : ` More votes help: ${ends}.`;
};
const explain = (votes, curve, k, choice) => {
  const n = add(votes), all = choose(n, k), now = curve[k - 1][choice];
  const result = `<b>${named(choice, k, n)} = ${now.toFixed(3)}</b>`;
  if (choice === "avg@n") return `${result}: ${votes[0]} of ${n} samples say A, whatever k is.`;
  const ways = `${result}: of the ${commas(all)} way${all > 1 ? "s" : ""} to keep ${k} of ${n},`;
  if (!choice.startsWith("maj")) {
    const how = {"pass@k": "hold an A", "cons@k": "hold more A than all others together",
      "pass^k": "hold nothing but A"}[choice];
    return `${ways} ${commas(Math.round(now * all))} ${how}.`;
  }
  const [alone, ...tied] = tally(votes, k)[0], shared = commas(add(tied));
  return `${ways} A wins ${commas(alone)} alone and shares the first place in ${shared}.` +
    compareEnds(curve[0][choice], curve[n - 1][choice], n);
};
const show = state => {
  const votes = count(state), n = add(votes), {k, choice} = state;
  const curve = Array.from({length: n}, (_, i) => measure(votes, i + 1));
  return {
    panels: [
      svg(340, 250, `votes ${votes.join(", ")} and the chance of each answer to win`,
        drawVotes(votes, k)),
      svg(340, 250, `${choice} over k`, drawCurves(curve, k, choice))],
    said: explain(votes, curve, k, choice),
    rows: NAMES.map(o => [o, MEANING[o], curve[k - 1][o].toFixed(3)]),
  };
};
"""

# The slider of k ends at the number of samples, which the four others make.
VOTE_SIZE = """
Object.defineProperty(state, "n", {get: () => add(count(state))});
"""

MOST = 12


def vote_explorer(
    votes:Sequence[int]=(4, 5, 1, 0),  # Samples of four answers, up to 12 each; the first is right
    k:int=3,  # Samples that vote
    *,
    choice:str="maj@k",  # Metric shown first
)->Explorer:  # The figure
    """Who wins the vote of `k` samples, and the metrics of the same samples beside it.

    Raises: `ValueError` unless four whole numbers up to 12 are given, the first at least 1, and
    `1 <= k <= n`.
    """
    if len(votes) != 4 or not all(isinstance(o, Integral) and 0 <= o <= MOST for o in votes):
        raise ValueError(f"votes must be four whole numbers from 0 to {MOST}, got {votes}")
    n, right = sum(votes), votes[0]
    if not (right and 1 <= k <= n):
        raise ValueError(f"need a right answer and 1 <= k <= n, got votes={votes}, k={k}")
    if choice not in MEANING:
        raise ValueError(f"choice must be one of {list(MEANING)}, got {choice!r}")
    answers = [np.repeat(list("ABCD"), votes).tolist()]
    marks = [[o == "A" for o in answers[0]]]
    values = {
        "pass@k": pass_at_k(n, right, k), "maj@k": maj_at_k(answers, marks, k)[0],
        "maj@k, ties lose": maj_at_k(answers, marks, k, ties="wrong")[0],
        "cons@k": cons_at_k(n, right, k), "pass^k": pass_hat_k(n, right, k), "avg@n": right / n}
    labels = "A, the right answer", "B, wrong", "C, wrong", "D, wrong"
    controls = [
        {"name": name, "label": label, "low": int(name == "a"), "high": MOST, "step": 1}
        for name, label in zip("abcd", labels, strict=True)]
    controls += [{"name": "k", "label": "votes, k", "low": 1, "high": "n", "step": 1}]
    chosen = show_value(float(values[choice]))
    ways = say_count([comb(n, k)], "way")
    given = ", ".join(f"{times} {o}" for o, times in zip("ABCD", votes, strict=True))
    return Explorer(
        VOTE_CORE + DRAW + VOTE_SHOW + VOTE_SIZE, controls,
        {**dict(zip("abcd", map(int, votes), strict=True)), "k": int(k), "choice": choice},
        Table([(name, words, values[name]) for name, words in MEANING.items()],
              "metric", "credit", "value"),
        "Give each answer its samples and move k; choose a metric in the table. A is right."
        " Everything is counted exactly, in this page.",
        f"{given}; A is right. {ways} to keep {k} of {n}: {choice} = {chosen}.")
