"""An explorer that leads from what one wants to know to a metric.

A plain module: no notebook exports it.
"""
from __future__ import annotations

from .explorers import Explorer
from .script_parts import define_constant
from .site import Table

__all__ = ["metric_chooser"]

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
      text(430, y + 4, goal[1], look));
  });
  const can = verdict(chosen, held, n, k), name = chosen[2].replace(/k$/, k).replace(/n$/, n);
  const says = chosen[4].replace(/of k /, `of ${k} `);
  return {
    panels: [["wide", "0 0 700 262"], ["narrow", "152 0 260 262"]].map(([name, box]) =>
      `<svg class="${name}" viewBox="${box}" role="img"
        aria-label="a tree from what is used to the metric">${parts.join("")}</svg>`),
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
        define_constant("LACKS", LACKS) + CHOOSER_CORE + CHOOSER_SHOW, controls,
        {"log": log, "n": n, "k": k, "choice": goal, "goals": GOALS, "logs": LOGS},
        Table(rows, "you want to know", "metric", "can this log give it?"),
        "Choose a question in the table; say what the log holds and how many samples there are.",
        f"A log of {say_log(log)}, {n} samples a question, {k} used together.")


def say_log(log):
    "What a log holds; what it holds besides outcomes is named after them."
    words = LOGS[log][0]
    return f"{LOGS[0][0]} {words}" if words.startswith("and ") else words


def say_missing(goal, held, n, k):
    "Whether a log can give a metric, and what it lacks."
    metric, needs = goal[2:4]
    kept = metric.endswith("k")
    if needs not in held: return f"lacks {LACKS[needs]}"
    if kept and k > n: return f"needs {k} samples"
    least = 2 * k if kept else 2
    return "yes" if n >= least else f"yes; a rerun's error needs {least}"
