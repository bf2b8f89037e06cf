"""How a comparison is judged: rows of differences, pairs of a ranking, curves."""
from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np

from ...inference.comparison import Comparison, Comparisons, TOGETHER
from ...inference.curves import PairedCurve
from ...inference.estimate import Estimates, find_method
from ...inference.ranking import NO_TEST, Ranking
from ...inference.significance import PValue
from ...parameters import Target
from ...results.base import Rng, Style, Unit
from ...results.rows import NO_INTERVAL, Interval, find_interval, find_intervals, tell_weights
from ...results.verdict import (
    WithoutAssumptions, find_evidence, find_without, judge_interval, pick_estimate, run_test)
from .result import Difference, DifferenceCurve, Pair, Ranks, SystemCurve

__all__ = ["make_differences", "make_pairs", "make_ranks", "make_curves", "widen_band"]


# Two systems.

def make_differences(
    labels: Sequence[str],  # Name of the metric at each budget
    budgets: Sequence[int | None],  # Samples kept per trial at each
    comparisons: Comparisons,  # B against A at each
    style: Style,  # Level, interval, test, target and rng
    estimator: str = "",  # Estimator of a question's value
    unit: Unit = "share",  # Of the metric
) -> tuple[Difference, ...]:
    """The rows of a comparison, which share what is computed for all budgets at once.

    Raises: `ValueError` where a named method or test does not apply.
    """
    known: list[dict[str, Any]] = [{} for _ in labels]
    # A generator is drawn from in the order of the rows.
    if not style.draws_in_order: known = list_ends(comparisons, style)
    if shows_without(style):
        known = [dict(one, without=without) for one, without in
                 zip(known, list_without(comparisons, style.confidence_level))]
    return tuple(judge(label, comparison, style, k, estimator, unit, **ends)
                 for label, k, comparison, ends in zip(labels, budgets, comparisons, known))


def judge(
    metric: str,  # Name with its budget
    comparison: Comparison,  # B against A
    style: Style,  # Level, interval, test, target and rng
    k: int | None = None,  # Samples kept per trial
    estimator: str = "",  # Estimator of a question's value
    unit: Unit = "share",  # Of the metric
    *,
    new: Interval | None = None,  # For new questions, where it is known
    same: Interval | None = None,  # For the same questions
    tested: PValue | None = None,  # The interval of the verdict, inverted
    named: dict[str, Any] | None = None,  # The test that was asked for
    without: WithoutAssumptions | None = None,  # The assumption-free interval, where it is shown
) -> Difference:
    """A row: both intervals, the p value that goes with the verdict, and what stands beside.

    Raises: `ValueError` where a named method or test does not apply.
    """
    target, rng = style.target, style.rng
    # A generator would give the p value other draws than the interval.
    same_draws = deepcopy(rng) if style.draws_in_order else rng
    if new is None: new = find_one(comparison, "new_questions", style)
    if same is None: same = find_one(comparison, "same_questions", style)
    ends = new if target == "new_questions" else same
    if ends.low is None: tested = None
    elif tested is None: tested = comparison.invert(style.interval, target=target, rng=same_draws)
    if named is None and style.test is not None:
        named = run_test(comparison, style.test, target, rng)
    weights = comparison.pairs.weights
    weighted = None if weights is None else tell_weights(weights, new.method)
    estimate = comparison.estimate
    method = style.interval or comparison.deciding_method(target)
    p = None if tested is None else tested.value
    return Difference(
        metric, k, comparison.average(comparison.a), comparison.average(comparison.b),
        comparison.difference, comparison.stderr, comparison.stderr_unpaired,
        comparison.correlation, new.low, new.high, new.method, same.low, same.high, same.method, p,
        test="none" if tested is None else tested.method,
        null="" if tested is None else "weighted " * (weights is not None) + tested.null,
        smallest=None if tested is None else tested.smallest or None,
        wins=comparison.wins, ties=comparison.ties, losses=comparison.losses,
        chance=comparison.chance, questions=estimate.questions, stderr_kind=estimate.stderr_kind,
        estimator=estimator, reason=estimate.reason, pvalue=p, without_assumptions=without,
        evidence=find_evidence(comparison), named_test=named, bounds=comparison.stated,
        confidence_level=style.confidence_level,
        method=find_method(pick_estimate(comparison, target).units, method),
        method_asked=style.interval is not None, target=target, unit=unit,
        verdict=judge_interval(ends.low, ends.high), weights=weighted, comparison=comparison)


def find_one(comparison: Comparison, target: Target, style: Style) -> Interval:
    "The interval for one of the targets, by the method that was named or by the one that decides."
    method = style.name_interval(target) or comparison.deciding_method(target)
    estimate = pick_estimate(comparison, target)
    return find_interval(estimate, style.confidence_level, method, style.rng)


def shows_without(
    style: Style,  # How a difference is judged
) -> bool:
    "Whether the assumption-free interval stands beside the one that decides."
    strict = None, "assumption-free", "gaffke"
    return style.interval in strict and style.target == "new_questions"


def list_without(
    comparisons: Comparisons,  # B against A at each budget
    confidence_level: float,  # Level of the intervals
) -> list[WithoutAssumptions | None]:
    "The assumption-free interval and p value at each budget."
    if comparisons.estimates.units.bounds is None: return [None] * len(comparisons)
    low, high, _ = comparisons.estimates.ends(confidence_level, "gaffke")
    tests = (one.invert("gaffke") for one in comparisons)
    return [WithoutAssumptions(*ends, test.value, judge_interval(*ends))
            for ends, test in zip(zip(low.tolist(), high.tolist()), tests)]


def list_ends(comparisons: Comparisons, style: Style) -> list[dict[str, Any]]:
    "The intervals for both targets at each budget, and the named test, as fields of a row."
    level, rng = style.confidence_level, style.rng
    new = find_deciding(comparisons, level, style.name_interval("new_questions"), rng)
    same = find_intervals(comparisons.again, level, style.name_interval("same_questions"), rng)
    rows = [dict(new=one, same=other) for one, other in zip(new, same)]
    if style.test not in TOGETHER: return rows
    tests = comparisons.tests(style.test, target=style.target, rng=rng)
    told = [run_test(one, style.test, style.target, rng, test)
            for one, test in zip(comparisons, tests)]
    return [dict(row, named=test) for row, test in zip(rows, told)]


def find_deciding(
    comparisons: Comparisons,  # B against A at each budget
    confidence_level: float,  # Level of the intervals
    method: str | None,  # Interval method; None: the one that decides at each budget
    rng: Rng,  # Seed of methods that draw
) -> list[Interval]:
    "The intervals for new questions, at each budget by its own method."
    estimates = comparisons.estimates
    if method is not None: return find_intervals(estimates, confidence_level, method, rng)
    decides = comparisons.deciding_methods()
    found: list[Interval] = [NO_INTERVAL] * len(decides)
    for one in dict.fromkeys(decides):
        own = np.flatnonzero([name == one for name in decides])
        some = find_intervals(estimates.some(own), confidence_level, one, rng)
        for place, interval in zip(own.tolist(), some): found[place] = interval
    return found


# Several systems.

def make_pairs(
    metric: str,  # Name with its budget
    ranking: Ranking,  # All pairs compared
    style: Style,  # Level, interval, test, target and rng
    unit: Unit = "share",  # Of the metric
) -> list[Pair]:  # One row per pair
    """The pairs of a ranking as rows.

    Raises: `ValueError` where a named interval method does not apply.
    """
    apart = ranking.ahead | ranking.ahead.T
    nothing = [None] * len(ranking.pairs)
    without = ranking.adjusted_without
    rows = []
    tests = zip(ranking.pairs.items(), ranking.p, ranking.p_adjusted,
                nothing if without is None else without.tolist(), strict=True)
    for ((i, j), comparison), tested, holm, holm_without in tests:
        beside = find_without(comparison, style.confidence_level) if shows_without(style) else None
        # The ranking has inverted the interval, unless it takes another test along.
        known = tested if ranking.method is None and tested is not NO_TEST else None
        row = judge(metric, comparison, style, unit=unit, tested=known, without=beside)
        low, high = row.span()
        of_new = row.target == "new_questions"
        rows.append(Pair(
            metric, str(ranking.systems[i]), str(ranking.systems[j]), row.difference, row.stderr,
            low, high, row.interval if of_new else row.again_interval, row.p, float(holm), row.test,
            bool(apart[i, j]), row.pvalue, beside, row.named_test, row.bounds, row.method,
            row.method_asked, holm_without, tested.method, unit, row))
    return rows


def make_ranks(ranking: Ranking) -> Ranks:
    "Which ranks each system may have, and which ones are tied."
    means, low, high = (tuple(np.asarray(column).tolist()) for column in
                        (ranking.means, ranking.rank_low, ranking.rank_high))
    tied = tuple(tuple(map(str, group)) for group in ranking.tied)
    return Ranks(tuple(map(str, ranking.systems)), means, low, high, tied)


# Curves.

def widen_band(
    curve: PairedCurve | None,  # Differences with an approximate band
    rows: Sequence[Difference],  # One row per budget
) -> DifferenceCurve | None:  # With a band that holds the interval of each row
    "A band that decides no more than the intervals of single budgets do."
    if curve is None: return None
    own = DifferenceCurve(**vars(curve))
    if any(row.low is None for row in rows): return own
    low, high = np.array([(row.low, row.high) for row in rows], float).T
    return replace(own, low=np.minimum(own.low, low), high=np.maximum(own.high, high))


def make_curves(
    names: Sequence[str],  # What the systems are called
    k: Sequence[int | None],  # Budgets, ascending
    means: Sequence[Estimates] | None,  # Means of each system; None where they are not known
    confidence_level: float,  # Level of the intervals
) -> tuple[SystemCurve, ...] | None:
    "Each system as `score` would give it on these questions."
    if means is None: return None
    found = [find_intervals(one, confidence_level) for one in means]
    return tuple(SystemCurve(name, tuple(k), tuple(one.value.tolist()),
                             tuple(end.low for end in ends), tuple(end.high for end in ends))
                 for name, one, ends in zip(names, means, found))
