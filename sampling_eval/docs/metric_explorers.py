"""Explorers of single metrics: the best of k by score, calibration, and the choice by log p.

The scripts in explorers/ compute the same as the tables here; tests compare both.
"""
from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from .display import Table
from .explorer import Explorer, check_choice, check_ranges, slide

__all__ = ["bestof_explorer", "calibration_explorer", "choice_explorer"]

PICKS = {"best of k": "the highest-scored of k is right", "pass@k": "a perfect score picks",
         "avg@n": "a random pick is right"}
ERRORS = {"ECE": "mean gap between confidence and share right",
          "overconfidence": "the same gap, with its sign",
          "Brier score": "mean squared distance from what came true"}
READINGS = {"raw": "highest log p", "per character": "highest log p / length"}
SAID = 10, 14, 18  # Right answers of twenty, if 50, 70 and 90 % were true
EACH = 20


def list_picks(n: int, c: int, k: int, above: int) -> list[tuple[str, str, str]]:
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
        Table(list_picks(n, c, k, above), "", "the pick", "value"),
        "Put wrong samples above the right ones and move k. Blue samples are right; a bar is the"
        " chance that a sample has the highest score of k. Counted exactly, in this page.",
        f"{n} samples, {c} right, {above} wrong ones scored above them, best of {k}.",
        presets={"A perfect score": {"n": 12, "c": 4, "k": 4, "above": 0},
                 "One sample fools it": {"n": 12, "c": 4, "k": 8, "above": 1},
                 "Worse than chance": {"n": 12, "c": 4, "k": 6, "above": 6}},
        meaning=PICKS)


def list_errors(rights: Sequence[int]) -> list[tuple[str, str, str]]:
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
        Table(list_errors((low, middle, high)), "error", "what it is", "value"),
        "Say how many of each group were right; choose an error in the table. On the dashed line"
        " confidence and share right agree.",
        f"Right of twenty each: {low} said with 50 %, {middle} with 70 %, {high} with 90 %.",
        presets={"Calibrated": {"low": 10, "middle": 14, "high": 18},
                 "Too confident": {"low": 6, "middle": 9, "high": 12},
                 "Gaps that cancel": {"low": 16, "middle": 14, "high": 12}},
        meaning=ERRORS)


def list_credits(minus: Sequence[int], lengths: Sequence[int]) -> list[tuple[str, str, str]]:
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
        Table(list_credits(minus, lengths), "reading", "who wins", "credit of A"),
        "Give each choice its log-probability and its length. A is right; ties share the credit.",
        f"Minus log p in tenths: {list(minus)}; characters: {list(lengths)}.",
        presets={"Short and wrong": {"minusA": 62, "lengthA": 24, "minusB": 41, "lengthB": 8},
                 "Long and wrong": {"minusA": 20, "lengthA": 5, "minusB": 60, "lengthB": 40},
                 "A tie": {"minusA": 30, "minusB": 30, "minusC": 90, "lengthA": 10, "lengthB": 10}},
        meaning=READINGS)
