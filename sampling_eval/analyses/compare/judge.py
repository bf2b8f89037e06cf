"""The rows of a comparison with their verdicts: differences, pairs of a ranking, curves."""
from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np

from ...inference.bands import PairedCurve
from ...inference.comparison import Comparison, Comparisons, TOGETHER
from ...inference.estimate import Estimates, resolve_method
from ...inference.intervals import ASSUMPTION_FREE, FREE, Interval, row_of
from ...inference.ranking import NO_TEST, Ranking
from ...inference.significance import PValue
from ...parameters import Target
from ...results.base import Style, Unit
from ...results.rows import interval_of, intervals_of, weighted_of
from ...results.verdict import (
    Evidence, WithoutAssumptions, evidence_of, judge_interval, pick_estimate, run_test)
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
    each = tuple(comparisons)
    methods = name_methods(comparisons, style, style.target)
    known: list[dict[str, Any]] = [{} for _ in each]
    # A generator is drawn from in the order of the rows.
    if not style.draws_in_order: known = interval_facts(comparisons, each, style, unit)
    rows = zip(labels, budgets, each, methods, comparisons.evidence, known, strict=True)
    return tuple(judge(label, k, comparison, style, method, evidence_of(evidence), estimator,
                       unit, **ends)
                 for label, k, comparison, method, evidence, ends in rows)


def name_methods(
    comparisons: Comparisons,  # B against A at each budget
    style: Style,  # How a difference is judged
    target: Target,  # What an interval is about
) -> tuple[str, ...]:  # Names of interval methods
    "The method at each budget: the one that was named, or the one that decides there."
    asked = style.name_interval(target)
    if asked is None: return comparisons.deciding_methods(target)
    new = target == "new_questions"
    units = (comparisons.estimates if new else comparisons.again).units
    return (resolve_method(units, asked),) * len(comparisons)


def judge(
    metric: str,  # Name with its budget
    k: int | None,  # Samples kept per trial
    comparison: Comparison,  # B against A
    style: Style,  # Level, interval, test, target and rng
    method: str,  # Interval that gives the verdict
    evidence: Evidence,  # Behind a t interval
    estimator: str,  # Estimator of a question's value
    unit: Unit,  # Of the metric
    new: Interval | None = None,  # For new questions, where it is known
    same: Interval | None = None,  # For the same questions
    free: Interval | None = None,  # For new questions, without assumptions
    named: dict[str, Any] | None = None,  # The test that was asked for
) -> Difference:
    """A row: both intervals, the p value that goes with the verdict, and what stands beside.

    Raises: `ValueError` where a named method or test does not apply.
    """
    target, rng = style.target, style.rng
    # A generator would give the p value other draws than the interval.
    same_draws = deepcopy(rng) if style.draws_in_order else rng
    if new is None: new = target_interval(comparison, "new_questions", style, unit)
    if same is None: same = target_interval(comparison, "same_questions", style, unit)
    found, tested = new if target == "new_questions" else same, None
    if found is not None: tested = comparison.invert(method, target=target, rng=same_draws)
    if named is None and style.test is not None:
        named = run_test(comparison, style.test, target, rng)
    weights = comparison.pairs.weights
    estimate, p = comparison.estimate, None if tested is None else tested.value
    return Difference(
        metric=metric, k=k, a=comparison.average(comparison.a),
        b=comparison.average(comparison.b), difference=estimate.value, stderr=estimate.stderr,
        stderr_unpaired=comparison.stderr_unpaired, correlation=comparison.correlation,
        interval=new, again=same, p=p, test="none" if tested is None else tested.method,
        null="" if tested is None else "weighted " * (weights is not None) + tested.null,
        smallest=None if tested is None else tested.smallest or None,
        wins=comparison.wins, ties=comparison.ties, losses=comparison.losses,
        chance=comparison.chance, questions=estimate.questions, stderr_kind=estimate.stderr_kind,
        estimator=estimator, reason=estimate.reason, pvalue=p,
        without_assumptions=judge_without(comparison, style, unit, free), evidence=evidence,
        named_test=named, bounds=comparison.stated, confidence_level=style.confidence_level,
        method=method, method_asked=style.interval is not None, target=target, unit=unit,
        verdict=judge_interval(found),
        weights=None if weights is None else weighted_of(weights, new),
        comparison=comparison)


def target_interval(
    comparison: Comparison, target: Target, style: Style, unit: Unit,
) -> Interval | None:
    "The interval for one of the targets, by the method that was named or by the one that decides."
    method = style.name_interval(target) or comparison.deciding_method(target)
    estimate = pick_estimate(comparison, target)
    return interval_of(estimate, style.confidence_level, method, style.rng, unit)


def shows_without(
    style: Style,  # How a difference is judged
) -> bool:
    "Whether the assumption-free interval stands beside the one that decides."
    return style.interval in (None, ASSUMPTION_FREE, FREE) and style.target == "new_questions"


def judge_without(
    comparison: Comparison,  # B against A
    style: Style,  # How a difference is judged
    unit: Unit,  # Of the difference
    free: Interval | None = None,  # The interval, where it is known
) -> WithoutAssumptions | None:  # None where it is not shown, or has no range of values
    "What holds without assumptions."
    estimate = comparison.estimate
    if not shows_without(style) or estimate.units.bounds is None: return None
    found = free or interval_of(estimate, style.confidence_level, FREE, unit=unit)
    assert found is not None  # It needs no spread
    return WithoutAssumptions(found, comparison.invert(FREE).value, judge_interval(found))


def interval_facts(
    comparisons: Comparisons,  # B against A
    each: Sequence[Comparison],  # The same at each budget
    style: Style,  # How a difference is judged
    unit: Unit,  # Of the differences
) -> list[dict[str, Any]]:
    "The intervals at each budget, and the named test, as facts of `judge`."
    level, rng, estimates = style.confidence_level, style.rng, comparisons.estimates
    free: list[Interval | None] = [None] * len(each)
    if shows_without(style) and estimates.units.bounds is not None:
        free = intervals_of(estimates, level, FREE, unit=unit)
    methods = name_methods(comparisons, style, "new_questions")
    new = intervals_by_method(estimates, methods, style, free, unit)
    asked = style.name_interval("same_questions")
    same = intervals_of(comparisons.again, level, asked, rng, unit)
    rows = [dict(zip(("new", "same", "free"), ends)) for ends in zip(new, same, free)]
    if style.test not in TOGETHER: return rows
    tests = comparisons.tests(style.test, target=style.target, rng=rng)
    return [dict(row, named=run_test(one, style.test, style.target, rng, test))
            for row, one, test in zip(rows, each, tests)]


def intervals_by_method(
    estimates: Estimates,  # Differences at each budget, for new questions
    methods: Sequence[str],  # Interval method at each
    style: Style,  # Level and rng
    free: Sequence[Interval | None],  # Intervals without assumptions, where they are known
    unit: Unit,  # Of the differences
) -> list[Interval | None]:
    "The interval at each budget by its own method."
    found = list(free)
    for method in dict.fromkeys(methods):
        if row_of(method).free and None not in free: continue
        own = np.flatnonzero([one == method for one in methods])
        some = estimates if len(own) == len(methods) else estimates.some(own)
        intervals = intervals_of(some, style.confidence_level, method, style.rng, unit)
        for place, interval in zip(own.tolist(), intervals): found[place] = interval
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
    nothing = [None] * len(ranking.pairs)
    without = ranking.adjusted_without
    tests = zip(ranking.pairs.items(), ranking.p, ranking.p_adjusted.tolist(),
                nothing if without is None else without.tolist(), strict=True)
    apart = (ranking.ahead | ranking.ahead.T).tolist()
    rows = []
    for ((i, j), comparison), tested, holm, holm_without in tests:
        # The ranking has inverted the interval, unless it takes another test along.
        known = tested if ranking.method is None and tested is not NO_TEST else None
        names = str(ranking.systems[i]), str(ranking.systems[j])
        rows.append(Pair(
            metric, *names, p_holm=holm, p_holm_without=holm_without, test_holm=tested.method,
            apart=apart[i][j], unit=unit, **judge_alone(comparison, style, unit, known)))
    return rows


def judge_alone(
    comparison: Comparison,  # The first of a pair against the second
    style: Style,  # Level, interval, test, target and rng
    unit: Unit,  # Of the metric
    tested: PValue | None,  # The interval of the verdict, inverted; None where it is not known
) -> dict[str, Any]:  # Fields of a `Pair`
    "Two of several systems by themselves: the interval, its p value, and what stands beside."
    target, rng = style.target, style.rng
    estimate = pick_estimate(comparison, target)
    method = resolve_method(estimate.units, style.interval or comparison.deciding_method(target))
    # A generator would give the p value other draws than the interval.
    same_draws = deepcopy(rng) if tested is None and style.draws_in_order else rng
    found = interval_of(estimate, style.confidence_level, method, rng, unit)
    if found is None: tested = None
    elif tested is None: tested = comparison.invert(method, target=target, rng=same_draws)
    p = None if tested is None else tested.value
    named = None if style.test is None else run_test(comparison, style.test, target, rng)
    free = found if row_of(method).free else None
    return dict(
        difference=comparison.difference, stderr=comparison.stderr, interval=found, p=p, pvalue=p,
        test="none" if tested is None else tested.method,
        without_assumptions=judge_without(comparison, style, unit, free), named_test=named,
        bounds=comparison.stated, method=method, method_asked=style.interval is not None,
        comparison=comparison, target=target)


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
    found = [row.interval for row in rows]
    if any(one is None for one in found): return own
    low, high = np.array([(one.low, one.high) for one in found if one is not None]).T
    return replace(own, low=np.minimum(own.low, low), high=np.maximum(own.high, high))


def make_curves(
    names: Sequence[str],  # What the systems are called
    k: Sequence[int | None],  # Budgets, ascending
    means: Sequence[Estimates] | None,  # Means of each system; None where they are not known
    confidence_level: float,  # Level of the intervals
) -> tuple[SystemCurve, ...] | None:
    "Each system as `score` would give it on these questions."
    if means is None: return None
    found = [intervals_of(one, confidence_level) for one in means]
    return tuple(SystemCurve(name, tuple(k), tuple(one.value.tolist()),
                             tuple(None if end is None else end.low for end in ends),
                             tuple(None if end is None else end.high for end in ends))
                 for name, one, ends in zip(names, means, found))
