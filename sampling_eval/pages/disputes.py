"""Explorers of disputes about a number: each draws bars, and its table is what the library says."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from ..inference.judges import judged_pass_at_k
from ..inference.planning import detection_reach, required_questions
from ..inference.shares import clopper_pearson_limits
from ..inference.significance import mcnemar
from ..metrics.passk import pass_at_k
from ..render.format import count
from .display import Table
from .explorer import Explorer, check_choice, check_ranges, slide
from .explorer_tables import z_of_level

__all__ = ["paired_explorer", "runs_explorer", "beyond_explorer", "rate_explorer",
           "needed_explorer", "judge_explorer"]

SHARES = {"1 of 2": .5, "19 of 20": .05, "99 of 100": .01}  # Pairs of runs, and what is left
POWERS = {"1 of 2": .5, "4 of 5": .8, "9 of 10": .9}  # Evaluations that see a lead


def show_bars(
    name: str,  # Of the script
    controls: Sequence[Mapping[str, Any]],  # Sliders
    start: Mapping[str, Any],  # Their values, and the choice
    rows: Sequence[tuple[str, str, str]],  # Name, meaning, value or both ends
    value: str,  # Head of the values
    sentence: str,  # What the rows say
    presets: Mapping[str, Mapping[str, Any]],  # States with a name
    **more: Any,  # What else the script reads
) -> Explorer:
    "An explorer whose script draws the rows as bars."
    check_ranges(controls, start)
    check_choice(start["choice"], [row[0] for row in rows])
    return Explorer(name, controls, start, Table(rows, "", "what it is", value),
                    "Move the sliders to your own numbers. On the site, the address keeps them.",
                    sentence, presets, **more)


# Callers write `0 - x`, which is never -0.0.
def span(low: Any, high: Any) -> str: return f"{100 * low:.1f} to {100 * high:.1f}"


def lead_by_chance(differ: int, tail: float) -> int:
    "The largest lead, in questions, that equal systems have more often than `tail`."
    return next(differ - 2 * few for few in range(differ // 2 + 1)
                if mcnemar(differ - few, few).value > tail)


def paired_explorer(
    n: int = 200,  # Questions, up to 1000
    both: int = 126,  # Both right
    a: int = 20,  # Only A right
    b: int = 26,  # Only B right
    *,
    choice: str = "lead of B",  # Bar in colour
) -> Explorer:  # The figure
    """Two systems on the same questions: their bars, their lead, and what chance alone gives.

    Raises: `ValueError` or `TypeError` unless `both + a + b <= n` are ints in their ranges.
    """
    controls = [slide("n", "questions", 5, 1000), slide("both", "both right", 0, "n"),
                slide("a", "only A right", 0, ["n", "-both"]),
                slide("b", "only B right", 0, ["n", "-both", "-a"])]
    start = {"n": n, "both": both, "a": a, "b": b, "choice": choice}
    check_ranges(controls, start)
    chance = lead_by_chance(a + b, .05) / n
    rights = {"A": both + a, "B": both + b}
    rows = [(name, f"{right} of {n} right", span(*clopper_pearson_limits(right, n, .025)))
            for name, right in rights.items()]
    rows += [("lead of B", "seen", f"{100 * (b - a) / n:.1f}"),
             ("chance", "19 of 20 leads of equal systems", span(0 - chance, chance))]
    return show_bars(
        "paired", controls, start, rows, "points",
        f"Only A right on {a} questions, only B on {b}: p = {mcnemar(b, a).value:.3f}.",
        {"3 points of 100": dict(n=100, both=70, a=3, b=6),
         "3 points of 1000": dict(n=1000, both=650, a=80, b=110),
         "Bars overlap, lead real": dict(n=200, both=130, a=4, b=18)})


def runs_explorer(
    n: int = 50,  # Questions, up to 2000
    flips: int = 15,  # Questions that came out differently in two runs
    *,
    choice: str = "19 of 20",  # Pairs of runs in colour
) -> Explorer:  # The figure
    """How far two runs of one system lie apart by chance alone.

    Raises: `ValueError` or `TypeError` unless both are ints in their ranges.
    """
    controls = [slide("n", "questions", 5, 2000),
                slide("flips", "changed between two runs", 0, "n")]
    start = {"n": n, "flips": flips, "choice": choice}
    check_ranges(controls, start)
    leads = {name: lead_by_chance(flips, tail) for name, tail in SHARES.items()}
    rows = [(name, f"at most {count(lead, 'question')}", span(0 - lead / n, lead / n))
            for name, lead in leads.items()]
    return show_bars(
        "runs", controls, start, rows, "points",
        f"{flips} of {n} questions came out differently in two runs.",
        {"30 questions": dict(n=30, flips=8), "1000 questions": dict(n=1000, flips=250),
         "Nearly the same": dict(n=1000, flips=20)}, shares=SHARES)


def beyond_explorer(
    n: int = 3,  # Samples of one question, up to 50
    c: int = 1,  # Right ones among them
    k: int = 5,  # Samples of pass@k, up to 100
    *,
    choice: str = "95 % interval",  # Bar in colour
) -> Explorer:  # The figure
    """pass@k of one question from fewer than `k` samples: what is printed, and what is known.

    Raises: `ValueError` or `TypeError` unless all are ints in their ranges.
    """
    controls = [slide("n", "samples, n", 1, 50), slide("c", "right ones, c", 0, "n"),
                slide("k", "k", 1, 100)]
    start = {"n": n, "c": c, "k": k, "choice": choice}
    check_ranges(controls, start)
    low, high = (1 - (1 - float(p))**k for p in clopper_pearson_limits(c, n, .025))
    common = 1. if n - c < k else float(pass_at_k(n, c, k))
    rows = [("HumanEval code", "1 where fewer than k samples are wrong", f"{common:.3f}"),
            ("plug-in", "share right, as if it were the truth", f"{1 - (1 - c / n)**k:.3f}"),
            ("95 % interval", "what these samples allow", f"{low:.3f} to {high:.3f}")]
    return show_bars(
        "beyond", controls, start, rows, f"pass@{k}",
        f"{count(n, 'sample')} of one question, {c} right.",
        {"None right": dict(n=3, c=0, k=5), "100 from 10": dict(n=10, c=1, k=100),
         "Enough samples": dict(n=10, c=3, k=5)})


def rate_explorer(
    n: int = 60,  # Runs, up to 1000
    c: int = 0,  # Failures among them
    *,
    choice: str = "at most",  # Bar in colour
) -> Explorer:  # The figure
    """How often something fails that failed `c` times in `n` runs.

    Raises: `ValueError` or `TypeError` unless both are ints in their ranges.
    """
    controls = [slide("n", "runs, n", 1, 1000), slide("c", "failures, c", 0, "n")]
    start = {"n": n, "c": c, "choice": choice}
    check_ranges(controls, start)
    half = z_of_level(95) * sqrt(c * (n - c) / n) / n
    most = float(clopper_pearson_limits(c, n, .05)[1])
    rows = [("at most", "one-sided, 95 %", span(0, most)),
            ("exact", "Clopper and Pearson, 95 %", span(*clopper_pearson_limits(c, n, .025))),
            ("± 1.96 s.e.", "what many tools print",
             span(max(0, c / n - half), min(1, c / n + half)))]
    return show_bars(
        "rate", controls, start, rows, "failures, %",
        f"{c} of {n} failed: at most {100 * most:.1f} % fail, with 95 % confidence.",
        {"0 of 10": dict(n=10, c=0), "0 of 300": dict(n=300, c=0), "4 of 60": dict(n=60, c=4)},
        z=z_of_level(95))


def needed_explorer(
    lead: int = 30,  # Lead to be seen, in tenths of a point
    differ: int = 200,  # Questions on which the two systems differ, in tenths of a percent
    *,
    choice: str = "4 of 5",  # Evaluations that see it
) -> Explorer:  # The figure
    """How many questions show a lead, by how often it shall be seen.

    Raises: `ValueError` or `TypeError` unless `1 <= lead <= differ` are ints, `differ` at most 600.
    """
    controls = [slide("differ", "questions on which they differ, %", 1, 600, scale=10),
                slide("lead", "lead, points", 1, "differ", scale=10)]
    start = {"differ": differ, "lead": lead, "choice": choice}
    check_ranges(controls, start)
    variance = differ / 1000 - (lead / 1000)**2
    rows = [(name, "evaluations find it significant",
             str(required_questions(lead / 1000, variance, power=power)))
            for name, power in POWERS.items()]
    return show_bars(
        "needed", controls, start, rows, "questions",
        f"A lead of {lead / 10:g} points of systems that differ on {differ / 10:g} %.",
        {"1 point": dict(lead=10), "10 points": dict(lead=100),
         "Two versions of one model": dict(lead=10, differ=50)},
        reach={name: detection_reach(power, .95) for name, power in POWERS.items()})


def judge_explorer(
    n: int = 1000,  # Answers, up to 1000
    passed: int = 243,  # Those that pass the judge
    s: int = 93,  # Right answers that pass, percent
    t: int = 90,  # Wrong answers that do not, percent
    *,
    choice: str = "corrected",  # Bar in colour
) -> Explorer:  # The figure
    """What is right behind the verdicts of a judge with known error rates.

    Raises: `ValueError` or `TypeError` unless all are ints, `passed <= n`, rates in 51 to 100.
    """
    controls = [slide("n", "answers", 1, 1000), slide("passed", "passed", 0, "n"),
                slide("s", "right ones it passes, %", 51, 100),
                slide("t", "wrong ones it rejects, %", 51, 100)]
    start = {"n": n, "passed": passed, "s": s, "t": t, "choice": choice}
    check_ranges(controls, start)
    truth = float(judged_pass_at_k(n, passed, 1, sensitivity=s / 100, specificity=t / 100))
    wrong = 1 - t / 100
    low, high = (min(1, max(0, (float(o) - wrong) / (s / 100 - wrong)))
                 for o in clopper_pearson_limits(passed, n, .025))
    rows = [("the judge says", f"{passed} of {n} pass", f"{100 * passed / n:.1f}"),
            ("nothing right", "what would pass by mistake", f"{100 - t:.1f}"),
            ("corrected", "what is right", f"{100 * truth:.1f}"),
            ("its interval", "95 %", span(low, high))]
    return show_bars(
        "judge", controls, start, rows, "%",
        f"{passed} of {n} answers pass a judge that passes {s} % of right ones and rejects {t} %"
        " of wrong ones.",
        {"Nothing right": dict(n=400, passed=40, s=93, t=90),
         "A strict judge": dict(n=400, passed=200, s=70, t=99),
         "A kind judge": dict(n=400, passed=300, s=99, t=70)})
