"""Figures a reader can move: each call says where its explorer starts, and its named states.

Where scripts do not run, a table, its picture and a sentence stay; `explorer_tables` computes them.
"""
from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, sqrt
from numbers import Integral
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.counts import check_counts
from ..metrics.cost import spend_at_k
from ..metrics.passk import pass_at_k
from ..render.format import count
from .display import Table, show_value
from .explorer import Explorer, check_choice, check_ranges, slide
from .explorer_tables import (CLAIMS, COUNT_CREDITS, COVERED_METHODS, GOALS, LACKS, LEVELS, LOGS,
                              PEEK_RULES, VOTE_CREDITS, audit, chooser_rows, count_metrics,
                              interval_rows, name_leader, peeking_rows, plan_rows, vote_metrics,
                              z_of_level)

__all__ = ["urn_explorer", "curve_explorer", "vote_explorer", "peek_explorer", "plan_explorer",
           "score_auditor", "metric_chooser", "interval_explorer", "bestof_explorer",
           "calibration_explorer", "choice_explorer", "bands_explorer", "significance_explorer",
           "bayes_explorer", "spend_explorer", "stopping_rows"]

def urn_explorer(
    n: int = 5,  # Samples drawn, up to 20
    c: int = 3,  # Correct ones among them
    k: int = 2,  # Samples kept
    tau: float | Fraction = .5,  # Share asked by G-Pass@k, a multiple of 1/20
    *,
    choice: str = "pass@k",  # Metric shown first
) -> Explorer:  # The figure
    """Every way to keep `k` of `n` samples, and what each count metric makes of them.

    Raises: `ValueError` unless `1 <= k <= n <= 20`, `0 <= c <= n` and `tau` is a multiple of 1/20.
    """
    if not all(isinstance(o, Integral) for o in (n, c, k)):
        raise TypeError(f"n, c and k must be ints, got {n!r}, {c!r}, {k!r}")
    if not (1 <= k <= n <= 20 and 0 <= c <= n):
        raise ValueError(f"need 1 <= k <= n <= 20 and 0 <= c <= n, got n={n}, c={c}, k={k}")
    steps = round(20 * tau)
    if not (0 <= steps <= 20 and abs(20 * tau - steps) < 1e-9):
        raise ValueError(f"tau must be a multiple of 1/20 in [0, 1], got {tau}")
    check_choice(choice, COUNT_CREDITS)
    values = count_metrics(n, c, k, Fraction(steps, 20))
    rows = [(name, credit.replace("τ", str(tau)), values[name])
            for name, credit in COUNT_CREDITS.items()]
    some, ways = count(n, "sample"), count(comb(n, k), "way")
    return Explorer(
        "urn",
        [slide("n", "samples drawn, n", 1, 20), slide("c", "correct ones, c", 0, "n"),
         slide("k", "samples kept, k", 1, "n"), slide("tau", "share asked, τ", 0, 20, scale=20)],
        {"n": n, "c": c, "k": k, "tau": steps, "choice": choice},
        Table(rows, "metric", "credit", "value"),
        "Move a slider; choose a metric in the table. Blue subsets earn its credit."
        " Everything is counted exactly, in this page.",
        f"{some}, {c} of them correct, {ways} to keep {k}: "
        f"{choice} = {show_value(float(values[choice]))}.",
        presets={"Lucky": {"n": 20, "c": 2, "k": 10, "choice": "pass@k"},
                 "Flaky": {"n": 10, "c": 5, "k": 4, "choice": "pass^k"},
                 "Always a coin": {"n": 20, "c": 10, "k": 5, "choice": "cons@k"}},
        meaning=COUNT_CREDITS)


def curve_explorer(
    k: ArrayLike,  # Budgets, ascending, shape `(K,)`
    difference: ArrayLike,  # Second system minus the first at each of them, shape `(K,)`
    low: ArrayLike,  # Lower ends of the intervals
    high: ArrayLike,  # Upper ends
    *,
    a: ArrayLike | None = None,  # Values of the first system
    b: ArrayLike | None = None,  # Values of the second
    names: Sequence[str] = ("A", "B"),  # Names of the two
    start: int | None = None,  # Budget shown first; the first one if None
) -> Explorer:  # The figure
    """Two systems over the budget `k`: their difference, its interval, and who is ahead.

    Raises: `ValueError` unless all curves are as long as `k`, finite, and `low <= high`.
    """
    k, given = np.asarray(k), {"difference": difference, "low": low, "high": high, "a": a, "b": b}
    curves = {name: np.asarray(o, float) for name, o in given.items() if o is not None}
    check_curves(k, curves)
    if start is None: start = k[0]
    if start not in k: raise ValueError(f"start must be one of k, got {start}")
    at = int(np.flatnonzero(k == start)[0])
    said = [name_leader(*ends, names) for ends in zip(curves["low"], curves["high"], strict=True)]
    # Without scripts, eight budgets stand for all.
    few = np.unique(np.linspace(0, len(k) - 1, min(len(k), 8)).round().astype(int))
    rows = [(k[i], *(curves[o][i] for o in ("difference", "low", "high")), said[i]) for i in few]
    values = {name: o.round(6).tolist() for name, o in curves.items()}
    return Explorer(
        "curve",
        [slide("at", "samples kept, k", 0, len(k) - 1, shown=k.tolist())],
        {"at": at, "k": k.tolist(), **values, "names": [html.escape(str(o)) for o in names]},
        Table(rows, "k", f"{names[1]} - {names[0]}", "low", "high", "verdict"),
        "Move the slider along k. Where the interval leaves the dashed line at zero, one is ahead.",
        f"k = {k[at]}: {said[at]}.", drawn=(2, 3))


def check_curves(k: np.ndarray, curves: Mapping[str, np.ndarray]) -> None:
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


def vote_explorer(
    votes: Sequence[int] = (4, 5, 1, 0),  # Samples of four answers, up to 12; the first is right
    k: int = 3,  # Samples that vote
    *,
    choice: str = "maj@k",  # Metric shown first
) -> Explorer:  # The figure
    """Who wins the vote of `k` samples, and the metrics of the same samples beside it.

    Raises: `ValueError` unless four whole numbers up to 12 are given, the first at least 1, and
    `1 <= k <= n`.
    """
    if len(votes) != 4 or not all(isinstance(o, Integral) and 0 <= o <= 12 for o in votes):
        raise ValueError(f"votes must be four whole numbers from 0 to 12, got {votes}")
    n = sum(votes)
    if not (votes[0] and 1 <= k <= n):
        raise ValueError(f"need a right answer and 1 <= k <= n, got votes={votes}, k={k}")
    check_choice(choice, VOTE_CREDITS)
    values = vote_metrics(votes, k)
    labels = "A, the right answer", "B, wrong", "C, wrong", "D, wrong"
    given = ", ".join(f"{number} {o}" for o, number in zip("ABCD", votes, strict=True))
    return Explorer(
        "vote",
        [*(slide(name, label, int(name == "a"), 12)
           for name, label in zip("abcd", labels, strict=True)),
         slide("k", "votes, k", 1, list("abcd"))],
        {**dict(zip("abcd", map(int, votes), strict=True)), "k": int(k), "choice": choice},
        Table([(name, credit, values[name]) for name, credit in VOTE_CREDITS.items()],
              "metric", "credit", "value"),
        "Give each answer its samples and move k; choose a metric in the table. A is right."
        " Everything is counted exactly, in this page.",
        f"{given}; A is right. {count(comb(n, k), 'way')} to keep {k} of {n}: "
        f"{choice} = {show_value(float(values[choice]))}.",
        presets={"Outvoted": {"a": 4, "b": 6, "c": 1, "d": 0, "k": 9, "choice": "maj@k"},
                 "Wrong ones scatter": {"a": 4, "b": 3, "c": 3, "d": 3, "k": 11, "choice": "maj@k"},
                 "A tie": {"a": 3, "b": 3, "c": 0, "d": 0, "k": 6, "choice": "maj@k, ties lose"}},
        meaning=VOTE_CREDITS)


def peek_explorer(
    looks: int = 5,  # How often somebody looks, up to 20
    step: int = 20,  # Questions that one of the two wins, from look to look, up to 20
    win: int = 50,  # Chance in percent that B wins such a question, 50 to 90
    *,
    choice: str = "every look",  # Rule shown first
) -> Explorer:  # The figure
    """How often an evaluation that is watched announces a winner, under four rules, exactly.

    Raises: `ValueError` unless looks and step lie in 1 to 20 and win in 50 to 90.
    """
    if not (1 <= looks <= 20 and 1 <= step <= 20 and 50 <= win <= 90):
        raise ValueError("need 1 <= looks <= 20, 1 <= step <= 20 and 50 <= win <= 90, "
                         f"got looks={looks}, step={step}, win={win}")
    check_choice(choice, PEEK_RULES)
    return Explorer(
        "peek",
        [slide("looks", "looks", 1, 20), slide("step", "decided questions a look", 1, 20),
         slide("win", "B wins one, %", 50, 90)],
        {"looks": looks, "step": step, "win": win, "choice": choice},
        Table(peeking_rows(looks, step, win / 100),
              "rule", "a winner is announced when", "how often"),
        "Move the sliders; choose a rule in the table. Questions on which both agree are left out."
        " The shade holds the lead in about 95 of 100 evaluations at any one time; the chances are"
        " added up over all courses.",
        f"{looks} looks, {step} decided questions from one to the next; B wins {win} % of them.",
        presets={"Equal, 20 looks": {"looks": 20, "step": 10, "win": 50, "choice": "every look"},
                 "B is better": {"looks": 10, "step": 10, "win": 60, "choice": "every look"}},
        meaning=PEEK_RULES)


def plan_explorer(
    questions: int = 100,  # Questions, 10 to 1000
    n: int = 4,  # Samples of each, up to 256
    rate: float = .7,  # Share of right answers, whole percents
    rho: float = .5,  # Share of an outcome's variance between questions, a multiple of 1/20
    aim: float = .05,  # Half-width wanted, in tenths of a point up to .3
    *,
    choice: str = "new questions",  # What is claimed, shown first
) -> Explorer:  # The figure
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
    check_choice(choice, CLAIMS)
    return Explorer(
        "plan",
        [slide("questions", "questions", 10, 1000), slide("n", "samples of each", 1, 256),
         slide("rate", "right, %", 1, 99), slide("rho", "between questions, ρ", 0, 20, scale=20),
         slide("aim", "wanted, ± points", 1, 300, scale=10)],
        {"questions": questions, "n": n, "rate": percent, "rho": parts, "aim": tenths,
         "choice": choice},
        Table(plan_rows(questions, n, percent, parts, tenths),
              "claim about", "half of the 95 % interval", f"for ± {100 * aim:g} points"),
        "Move the sliders; choose a claim in the table. Half-widths are 1.96 standard errors of the"
        " average; the dashed line is what is wanted, thin lines are the other claims.",
        f"{questions} questions, {n} samples of each, {percent} % right, ρ = {rho:g}.",
        presets={"30 questions, 64 samples": {"questions": 30, "n": 64, "rho": 14, "aim": 50},
                 "Always a coin": {"rate": 50, "rho": 0}, "Never flaky": {"rho": 20, "n": 1}},
        drawn=(1,))


def score_auditor(
    score: float = 73.3,  # Published score in percent, one decimal
    questions: int = 30,  # Questions of the benchmark, 2 to 500
    tries: int = 1,  # Tries of each question, up to 64
    lead: float = 10.0,  # Published lead over a rival, in points, one decimal
) -> Explorer:  # The figure
    """What a published score can mean: its count, two 95 % intervals, the smallest p of a lead.

    Raises: `ValueError` unless `0 <= lead <= score <= 100` in tenths of a point, and questions
    and tries lie in their ranges.
    """
    tenths, ahead = round(10 * score), round(10 * lead)
    exact = abs(10 * score - tenths) < 1e-6 and abs(10 * lead - ahead) < 1e-6
    if not (exact and 0 <= ahead <= tenths <= 1000):
        raise ValueError("need 0 <= lead <= score <= 100 in tenths of a point, "
                         f"got lead={lead}, score={score}")
    if not (2 <= questions <= 500 and 1 <= tries <= 64):
        raise ValueError("need 2 <= questions <= 500 and 1 <= tries <= 64, "
                         f"got questions={questions}, tries={tries}")
    return Explorer(
        "auditor",
        [slide("score", "published score, %", 0, 1000, scale=10),
         slide("questions", "questions", 2, 500), slide("tries", "tries of each", 1, 64),
         slide("lead", "lead over a rival, points", 0, "score", scale=10)],
        {"score": tenths, "questions": questions, "tries": tries, "lead": ahead,
         "choice": "widest interval"},
        Table(audit(tenths, questions, tries, ahead), "", "what it says", "value"),
        "Set what was published; choose an interval in the table. Intervals are those of Clopper"
        " and Pearson; p is that of the exact sign-flip test, two-sided.",
        f"{score} % of {questions} questions, tries of each: {tries}; lead: {lead} points.",
        presets={"One question ahead": {"score": 733, "questions": 30, "tries": 1, "lead": 33},
                 "500 questions": {"score": 733, "questions": 500, "tries": 1, "lead": 20},
                 "A score that no count gives": {"score": 715, "questions": 30, "tries": 1}})


def metric_chooser(
    n: int = 8,  # Samples per question, up to 64
    k: int = 4,  # Samples used together
    *,
    log: int = 0,  # What is recorded: an entry of `LOGS`
    goal: str = "Does it work every time?",  # What one wants to know: a question of `GOALS`
    site: str = "",  # Folder of the pages, which are then linked
) -> Explorer:  # The figure
    """From what one wants to know to the metric, and whether a log can give it.

    Raises: `ValueError` unless `1 <= n, k <= 64`, the log is listed and the goal is known.
    """
    if not (1 <= n <= 64 and 1 <= k <= 64): raise ValueError(f"need 1 <= n, k <= 64, got {n}, {k}")
    if log not in range(len(LOGS)): raise ValueError(f"log must be 0 to {len(LOGS) - 1}, got {log}")
    check_choice(goal, [o.question for o in GOALS], "goal")
    words = LOGS[log][0]
    # What a log holds besides outcomes is named after them.
    held = f"{LOGS[0][0]} {words}" if words.startswith("and ") else words
    return Explorer(
        "chooser",
        [slide("log", "the log holds", 0, len(LOGS) - 1, shown=[words for words, _ in LOGS]),
         slide("n", "samples per question, n", 1, 64),
         slide("k", "samples used together, k", 1, 64)],
        {"log": log, "n": n, "k": k, "choice": goal},
        Table(chooser_rows(log, n, k), "you want to know", "metric", "can this log give it?"),
        "Choose a question in the table; say what the log holds and how many samples there are.",
        f"A log of {held}, {n} samples a question, {k} used together.",
        goals=[o._asdict() for o in GOALS], logs=[holds for _, holds in LOGS], lacks=LACKS,
        site=html.escape(site))


def interval_explorer(
    n: int = 30,  # Questions with one answer each, up to 200
    rate: float = .98,  # True rate of right answers, a multiple of 1/200 between 0 and 1
    level: float = 95,  # Promised coverage in percent: 80, 90, 95, 99 or 99.9
    *,
    choice: str = "Wald",  # Method shown first
) -> Explorer:  # The figure
    """How often five intervals hold the true rate of right answers, added up over all counts.

    On right and wrong answers Gaffke's interval is that of Clopper and Pearson.

    Raises: `ValueError` unless `1 <= n <= 200`, and for a rate, a level or a method not listed.
    """
    if not 1 <= n <= 200: raise ValueError(f"need 1 <= n <= 200, got {n}")
    steps = round(200 * rate)
    if not (0 < steps < 200 and abs(200 * rate - steps) < 1e-9):
        raise ValueError(f"rate must be a multiple of 1/200 between 0 and 1, got {rate}")
    if level not in LEVELS: raise ValueError(f"level must be one of {LEVELS}, got {level}")
    check_choice(choice, COVERED_METHODS)
    return Explorer(
        "interval",
        [slide("n", "questions, n", 1, 200), slide("rate", "true rate", 1, 199, scale=200),
         slide("at", "promised, %", 0, len(LEVELS) - 1, shown=LEVELS)],
        {"n": n, "rate": steps, "at": LEVELS.index(level), "choice": choice},
        Table(interval_rows(n, rate, level),
              "interval", f"holds the rate {rate:g}", "at the worst rate"),
        "Move the sliders; choose a method in the table. Blue intervals hold the true rate, the"
        " dashed line; the bars beside them are the chances of the counts, and those of the blue"
        " ones add up to the coverage. Gaffke's interval, the default, is here that of Clopper and"
        " Pearson.",
        f"{n} questions, {level:g} % intervals: in how many runs they hold the true rate.",
        presets={"Thirty of thirty": {"n": 30, "rate": 196, "choice": "Wald"},
                 "Five questions": {"n": 5, "rate": 100, "choice": "flat prior"},
                 "Two hundred": {"n": 200, "rate": 180, "choice": "Wilson"}},
        levels=[round(10 * o) for o in LEVELS], z=[z_of_level(o) for o in LEVELS], drawn=(1,))


# Explorers of single metrics: the best of k by score, calibration, and the choice by log p.


PICKS = {"best of k": "the highest-scored of k is right", "pass@k": "a perfect score picks",
         "avg@n": "a random pick is right"}
ERRORS = {"ECE": "mean gap between confidence and share right",
          "overconfidence": "the same gap, with its sign",
          "Brier score": "mean squared distance from what came true"}
READINGS = {"raw": "highest log p", "per character": "highest log p / length"}
SAID = 10, 14, 18  # Right answers of twenty, if 50, 70 and 90 % were true
EACH = 20


def pick_rows(n: int, c: int, k: int, above: int) -> list[tuple[str, str, str]]:
    "Chance that the picked one of `k` is right, by who picks."
    ways = comb(n, k)
    best = Fraction(comb(n - above, k) - comb(n - above - c, k), ways)
    values = best, 1 - Fraction(comb(n - c, k), ways), Fraction(c, n)
    return [(*pick, f"{float(value):.3f}")
            for pick, value in zip(PICKS.items(), values, strict=True)]


def bestof_explorer(
    n: int = 12,  # Samples drawn, up to 20
    c: int = 4,  # Right ones among them
    k: int = 4,  # Samples of which the highest-scored is picked
    above: int = 2,  # Wrong samples scored above all right ones
    *,
    choice: str = "best of k",  # Value shown first
) -> Explorer:  # The figure
    """What a score that some wrong samples fool makes of more samples.

    Raises: `ValueError` or `TypeError` unless `1 <= k <= n <= 20`, `1 <= c <= n` and
    `0 <= above <= n - c` are ints.
    """
    controls = [slide("n", "samples drawn, n", 1, 20), slide("c", "right ones, c", 1, "n"),
                slide("k", "samples kept, k", 1, "n"),
                slide("above", "wrong ones on top", 0, ["n", "-c"])]
    start = {"n": n, "c": c, "k": k, "above": above, "choice": choice}
    check_ranges(controls, start)
    check_choice(choice, PICKS)
    return Explorer(
        "bestof", controls, start,
        Table(pick_rows(n, c, k, above), "", "the pick", "value"),
        "Put wrong samples above the right ones and move k. Blue samples are right; a bar is the"
        " chance that a sample has the highest score of k. Counted exactly, in this page.",
        f"{n} samples, {c} right, {above} wrong ones scored above them, best of {k}.",
        presets={"A perfect score": {"n": 12, "c": 4, "k": 4, "above": 0},
                 "One sample fools it": {"n": 12, "c": 4, "k": 8, "above": 1},
                 "Worse than chance": {"n": 12, "c": 4, "k": 6, "above": 6}},
        meaning=PICKS)


def calibration_rows(rights: Sequence[int]) -> list[tuple[str, str, str]]:
    "Three errors of twenty answers at each confidence, of which so many are right."
    gaps = [Fraction(said - right, EACH) for said, right in zip(SAID, rights, strict=True)]
    squares = [Fraction(right * (EACH - said)**2 + (EACH - right) * said**2, EACH**3)
               for said, right in zip(SAID, rights, strict=True)]
    values = sum(map(abs, gaps)) / 3, sum(gaps) / 3, sum(squares) / 3
    return [(*error, f"{float(value):.4f}")
            for error, value in zip(ERRORS.items(), values, strict=True)]


def calibration_explorer(
    low: int = 7,  # Right ones of twenty answers said with 50 %
    middle: int = 12,  # Of twenty said with 70 %
    high: int = 15,  # Of twenty said with 90 %
    *,
    choice: str = "ECE",  # Error shown first
) -> Explorer:  # The figure
    """Sixty answers, their confidences, and three errors of these.

    Raises: `ValueError` or `TypeError` unless all are ints from 0 to 20.
    """
    controls = [slide(name, f"right of 20 said with {percent} %", 0, EACH)
                for name, percent in (("low", 50), ("middle", 70), ("high", 90))]
    start = {"low": low, "middle": middle, "high": high, "choice": choice}
    check_ranges(controls, start)
    check_choice(choice, ERRORS)
    return Explorer(
        "calibration", controls, start,
        Table(calibration_rows((low, middle, high)), "error", "what it is", "value"),
        "Say how many of each group were right; choose an error in the table. On the dashed line"
        " confidence and share right agree.",
        f"Right of twenty each: {low} said with 50 %, {middle} with 70 %, {high} with 90 %.",
        presets={"Calibrated": {"low": 10, "middle": 14, "high": 18},
                 "Too confident": {"low": 6, "middle": 9, "high": 12},
                 "Gaps that cancel": {"low": 16, "middle": 14, "high": 12}},
        meaning=ERRORS)


def choice_rows(minus: Sequence[int], lengths: Sequence[int]) -> list[tuple[str, str, str]]:
    "Credit of the first choice by each reading of the log-probabilities; ties share."
    rows = []
    for reading, divisors in zip(READINGS.items(), ([1] * len(minus), lengths), strict=True):
        scores = [Fraction(-one, of) for one, of in zip(minus, divisors, strict=True)]
        credit = (scores[0] == max(scores)) / scores.count(max(scores))
        rows.append((*reading, f"{credit:.3f}"))
    return rows


def choice_explorer(
    minus: Sequence[int] = (62, 41, 80),  # Minus log p of three choices, in tenths, 1 to 200
    lengths: Sequence[int] = (24, 8, 30),  # Their characters, 1 to 60; the first is right
    *,
    choice: str = "raw",  # Reading shown first
) -> Explorer:  # The figure
    """Three choices, the first of them right: who wins by log p, and by log p per character.

    Raises: `ValueError` or `TypeError` unless three ints of each are given in their ranges.
    """
    if len(minus) != 3 or len(lengths) != 3:
        raise ValueError(f"need three choices, got minus={minus}, lengths={lengths}")
    names = "A, right", "B", "C"
    controls = [slide(f"minus{name[0]}", f"{name}: minus log p", 1, 200, scale=10)
                for name in names]
    controls += [slide(f"length{name[0]}", f"{name}: characters", 1, 60) for name in names]
    start = {**{f"minus{o}": one for o, one in zip("ABC", minus, strict=True)},
             **{f"length{o}": one for o, one in zip("ABC", lengths, strict=True)}, "choice": choice}
    check_ranges(controls, start)
    check_choice(choice, READINGS)
    return Explorer(
        "choice", controls, start,
        Table(choice_rows(minus, lengths), "reading", "who wins", "credit of A"),
        "Give each choice its log-probability and its length. A is right; ties share the credit.",
        f"Minus log p in tenths: {list(minus)}; characters: {list(lengths)}.",
        presets={"Short and wrong": {"minusA": 62, "lengthA": 24, "minusB": 41, "lengthB": 8},
                 "Long and wrong": {"minusA": 20, "lengthA": 5, "minusB": 60, "lengthB": 40},
                 "A tie": {"minusA": 30, "minusB": 30, "minusC": 90, "lengthA": 10, "lengthB": 10}},
        meaning=READINGS)


# Explorers of inference: bands over budgets, a paired test, and a belief with its prior.


BANDS = {"pointwise": "95 % at each budget", "sup-t": "95 % for all budgets together",
         "Bonferroni": "95 % together, whatever the correlation"}
TESTS = {"exact McNemar": "both tails of a fair coin", "mid-p": "half of what was seen counts",
         "z test": "the normal curve in place of the coin"}
PRIORS = {"flat": "one right and one wrong sample", "Jeffreys": "half of each",
          "yours": "as many of each as you set"}
BELIEF_LEVEL = .95


def chance_within(z: float, m: int, r: float) -> float:
    "Chance that `m` standard normal errors stay within `z`, neighbours correlated by `r`."
    node, weight = np.polynomial.legendre.leggauss(120)
    at, weight = z * node, z * weight
    spread = sqrt(1 - r * r)
    density = np.vectorize(NormalDist().pdf)
    step = density((at[:, None] - r * at) / spread) / spread * weight
    now = density(at)
    for _ in range(m - 1): now = step @ now
    return float(weight @ now)


def band_widths(m: int, r: float) -> dict[str, float]:
    "Standard errors on each side of the curve, by the names of `BANDS`."
    normal = NormalDist()
    pointwise, bonferroni = (normal.inv_cdf(1 - (1 - BELIEF_LEVEL) / 2 / of) for of in (1, m))
    low, high = pointwise, bonferroni
    for _ in range(40):
        middle = (low + high) / 2
        if chance_within(middle, m, r) < BELIEF_LEVEL: low = middle
        else: high = middle
    return dict(zip(BANDS, (pointwise, high, bonferroni), strict=True))


def band_rows(m: int, r: int) -> list[tuple[str, str, str, str]]:
    "Half-width of each band, and how often it holds the whole curve."
    return [(name, BANDS[name], f"± {z:.2f} s.e.", f"{100 * chance_within(z, m, r / 100):.1f} %")
            for name, z in band_widths(m, r / 100).items()]


def bands_explorer(
    m: int = 16,  # Budgets, up to 48
    r: int = 80,  # Correlation of neighbouring errors, percent up to 95
    *,
    choice: str = "pointwise",  # Band shown first
) -> Explorer:  # The figure
    """How wide a band must be to hold a whole curve, and how often a pointwise one does.

    Raises: `ValueError` or `TypeError` unless both are ints in their ranges.
    """
    controls = [slide("m", "budgets", 1, 48),
                slide("r", "correlation of neighbours", 0, 95, scale=100)]
    start = {"m": m, "r": r, "choice": choice}
    check_ranges(controls, start)
    check_choice(choice, BANDS)
    return Explorer(
        "bands", controls, start,
        Table(band_rows(m, r), "band", "promise", "half-width", "holds all"),
        "Move the sliders; choose a band in the table. Errors are normal, each correlated with its"
        " neighbours; the dashed line is the promise.",
        f"{m} budgets, correlation of neighbours {r / 100:g}.",
        presets={"Nearly one curve": {"m": 16, "r": 95}, "All independent": {"m": 16, "r": 0},
                 "One budget": {"m": 1}},
        meaning=BANDS)


def paired_test_rows(a: int, b: int) -> list[tuple[str, str, str]]:
    "P values of three tests where only A is right on `a` questions, and only B on `b`."
    n, few = a + b, min(a, b)
    tail = sum(comb(n, j) for j in range(few + 1))
    exact = min(1, 2 * tail / 2**n)
    mid = (2 * tail - comb(n, few)) / 2**n if 2 * few < n else 1
    rough = 2 * NormalDist().cdf(-(n - 2 * few) / sqrt(n)) if n else 1
    return [(*test, f"{p:.4f}") for test, p in zip(TESTS.items(), (exact, mid, rough), strict=True)]


def significance_explorer(
    a: int = 9,  # Questions that only A got right, up to 60
    b: int = 2,  # Questions that only B got right, up to 60
    *,
    choice: str = "exact McNemar",  # Test shown first
) -> Explorer:  # The figure
    """Whether wins of one system over another on the same questions are more than a fair coin's.

    Raises: `ValueError` or `TypeError` unless both are ints from 0 to 60.
    """
    controls = [slide("a", "only A right", 0, 60), slide("b", "only B right", 0, 60)]
    start = {"a": a, "b": b, "choice": choice}
    check_ranges(controls, start)
    check_choice(choice, TESTS)
    return Explorer(
        "significance", controls, start,
        Table(paired_test_rows(a, b), "test", "what it adds up", "p"),
        "Move the sliders; choose a test in the table. Blue outcomes are at least as lopsided as"
        " what was seen, if both systems were equal.",
        f"Only A right on {a} questions, only B on {b}.",
        presets={"Five against none": {"a": 5, "b": 0}, "Six against none": {"a": 6, "b": 0},
                 "Thirty against twenty": {"a": 30, "b": 20}},
        meaning=TESTS)


def belief_rows(n: int, c: int, a: int, b: int) -> list[tuple[str, str, str, str]]:
    "Mean and central 95 % of the belief in a chance, by its prior."
    from scipy.special import betaincinv
    rows = []
    for prior, (more, less) in zip(PRIORS.items(), ((1, 1), (.5, .5), (a / 2, b / 2)), strict=True):
        right, wrong = more + c, less + n - c
        low, high = betaincinv(right, wrong, [.025, .975])
        rows.append((*prior, f"mean {right / (right + wrong):.4f}", f"{low:.4f} to {high:.4f}"))
    return rows


def bayes_explorer(
    n: int = 10,  # Samples, 1 to 100
    c: int = 9,  # Right ones among them
    a: int = 8,  # Twice the right samples that the prior is worth, 1 to 40
    b: int = 8,  # Twice the wrong ones, 1 to 40
    *,
    choice: str = "flat",  # Prior shown first
) -> Explorer:  # The figure
    """What is believed of a chance after `n` samples, by three priors.

    Raises: `ValueError` or `TypeError` unless all are ints in their ranges.
    """
    controls = [slide("n", "samples, n", 1, 100), slide("c", "right ones, c", 0, "n"),
                slide("a", "your prior: right", 1, 40, scale=2),
                slide("b", "your prior: wrong", 1, 40, scale=2)]
    start = {"n": n, "c": c, "a": a, "b": b, "choice": choice}
    check_ranges(controls, start)
    check_choice(choice, PRIORS)
    return Explorer(
        "bayes", controls, start,
        Table(belief_rows(n, c, a, b), "prior", "worth", "belief", "95 % of it"),
        "Move the sliders; choose a prior in the table. The dashed curve is the belief before the"
        " samples, the blue one after them.",
        f"{c} of {n} right; your prior is worth {a / 2:g} right and {b / 2:g} wrong samples.",
        presets={"All right": {"n": 10, "c": 10}, "Much data": {"n": 100, "c": 90},
                 "A stubborn prior": {"a": 20, "b": 20, "choice": "yours"}},
        meaning=PRIORS)


# The explorer of what trying until success costs, and the table shown where scripts do not run.


STOPS = {
    "one try": "the first try, whatever it shows",
    "stop at success": "until one is right, at most k",
    "always k": "all k tries, whatever they show"}


def stopping_rows(
    n: int,  # Samples drawn
    c: int,  # Correct ones among them
    k: int,  # Most tries
    right: int,  # Cost of a right try
    wrong: int,  # Cost of a wrong one
) -> list[tuple[str, str, str, str, str]]:  # Rule, tries, solved, spend, per solved
    "What each rule spends on one question, how often it solves it, and the ratio of both."
    prices = dict(right=right, wrong=wrong)
    one, some = (float(spend_at_k(n, c, tries, **prices)) for tries in (1, k))
    solved, spend = [float(pass_at_k(n, c, tries)) for tries in (1, k, k)], [one, some, k * one]
    return [(*rule, f"{share:.3f} solved", f"{paid:.3f} spent",
             f"{paid / share:.3f} per solved" if share else "never solved")
            for rule, share, paid in zip(STOPS.items(), solved, spend, strict=True)]


def spend_explorer(
    n: int = 10,  # Samples drawn, up to 20
    c: int = 2,  # Correct ones among them
    k: int = 5,  # Most tries
    right: int = 2,  # Cost of a right try, 0 to 20
    wrong: int = 4,  # Cost of a wrong one, 0 to 20
    *,
    choice: str = "stop at success",  # Rule shown first
) -> Explorer:  # The figure
    """What one question costs who tries at most `k` times, by three rules, from its counts.

    Raises: `ValueError` or `TypeError` unless `1 <= k <= n <= 20` and `0 <= c <= n` are ints and
    costs lie in 0 to 20.
    """
    check_counts(n, c, k)
    if n > 20: raise ValueError(f"need n <= 20, got n={n}")
    if not (right in range(21) and wrong in range(21)):
        raise ValueError(f"costs must be whole numbers from 0 to 20, got {right} and {wrong}")
    check_choice(choice, STOPS)
    rows = stopping_rows(n, c, k, right, wrong)
    return Explorer(
        "spend",
        [slide("n", "samples drawn, n", 1, 20), slide("c", "correct ones, c", 0, "n"),
         slide("k", "most tries, k", 1, "n"), slide("right", "cost of a right try", 0, 20),
         slide("wrong", "cost of a wrong try", 0, 20)],
        {"n": n, "c": c, "k": k, "right": right, "wrong": wrong, "choice": choice},
        Table(rows, "rule", "tries made", "solved", "spend", "per solved"),
        "Move a slider; choose a rule in the table. All orders of the samples are equally likely;"
        " everything is counted exactly, in this page.",
        f"{n} samples, {c} correct; a right try costs {right}, a wrong one {wrong}: "
        f"{choice} at k = {k}: {rows[list(STOPS).index(choice)][3]}.",
        presets={"One in ten": {"n": 10, "c": 1, "k": 10, "choice": "stop at success"},
                 "Success is dear": {"n": 10, "c": 6, "k": 4, "right": 15, "wrong": 2}},
        meaning=STOPS)
