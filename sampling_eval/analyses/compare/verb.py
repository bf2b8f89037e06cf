"""`compare`: is B better than A, on the same questions?

Systems are read and put on their common questions, a metric is measured on all of them, and then
two are compared at every budget, or in several metrics (`compare_pair`), more than two pair by pair
(`rank_systems`).
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

import numpy as np

from ...arguments import checked, name_parameters
from ...errors import OptionError
from ...spelling import option
from ...foundations.counts import Counts
from ...inference.bands import PairedCurve, curve_of
from ...inference.comparison import Comparisons
from ...inference.deciding import judge_same
from ...inference.estimate import Estimates, estimates_of
from ...inference.units import Units
from ...parameters import Method, Shared, Target, Test, Ties, Unmatched
from ...reading.counted import is_written_count
from ...reading.options import Options
from ...results.base import Rng, Style, check_range, check_style
from ...results.cautions import Caution
from ...results.columns import Columns, Gap, Spread
from ...results.verdict import Equivalence
from ..addons import Compared, Ranked, add_all, adjust_all, ask_all, prepare_all
from ..audit.result import Audit
from ..engine.battles import HALF, choose_share, split_evenly
from ..engine.choose import Budgets, Metrics, columns_to_keep, say_approximate, split_metrics
from ..engine.diagnostics import caution_clusters, caution_sides
from ..engine.measure import Measured, check_request, measure_sides, sampling_units
from ..engine.named_columns import refuse_spend
from ..engine.next_steps import (
    advise_comparison, advise_leader, advise_shares, count_samples)
from ..engine.pairs import check_margin, compare_sides, rank_at, step_down
from ..engine.systems import (Aligned, Systems, align_systems, identical_systems, load_systems,
                              question_groups)
from .counts import compare_counts
from .judge import make_curves, make_differences, make_pairs, make_ranks, widen_band
from .result import Difference, MultipleComparison, PairwiseComparison


@checked
def compare(
    baseline: Any,  # System A: anything that `score` reads
    new: Any = None,  # System B, the one judged; None compares the models inside `baseline`
    metrics: Metrics = "pass@k",  # Such as `maj@8`, or several, of which the first is primary
    k: Budgets = None,  # Budgets; None: every `k` up to 8, else powers of two and the smallest `n`
    *,
    others: Sequence[Any] = (),  # Further systems, to be ranked with these two
    models: Sequence[str] | str | None = None,  # One model per input, or several of one input
    cluster: str | bool | Mapping | Sequence | None = None,  # Column of groups, or group of each
    on_unmatched: Unmatched = "refuse",  # Questions that only one side has
    confidence_level: float = .95,  # Level of intervals, band and ranking
    method: Method | None = None,  # CI that decides (default: t where it can be trusted)
    bounds: tuple[float, float] | None = None,  # No question differs by more, an assumption
    test: Test | None = None,  # Test to print beside the CI
    target: Target = "new_questions",  # Whose interval gives the verdict
    by: str | None = None,  # Column of groups, such as prompts, for `crossed`
    crossed: bool = False,  # Whether these groups are drawn as questions are
    same_within: float | None = None,  # Margin within which two systems count as the same
    ties: Ties = "expected",  # Ties of maj@k: `expected` shares the credit, `wrong` gives none
    weights: str | Mapping | None = None,  # Column of weights of the questions, or by question
    largest_weight: float | None = None,  # Upper bound on weights (default: observed maximum)
    cost: str | None = None,  # Column of the cost of a sample: coverage at equal spend
    spend: float | None = None,  # Mean cost of a question (default: .8 of what both can spend)
    missing_cost: Literal["raise", "mean"] = "raise",  # Samples without a cost; mean: as in score
    rng: Rng = None,  # Random seed (default 0)
    title: str = "",  # Name of the comparison
    **reading: Unpack[Shared],  # Missing policy, columns and the rest of what `score` takes
) -> PairwiseComparison | MultipleComparison | Audit:  # Two systems; a ranking; or two counts
    """B minus A on the same questions, with paired errors, tests, a band over all budgets, and
    the questions that moved.

    Parameters:
        baseline          System A: anything that `score` reads
        new               System B, the one judged; None compares the models inside `baseline`
        metrics           Such as `maj@8`, or several, of which the first is primary
        k                 Budgets; None: every `k` up to 8, else powers of two and the smallest `n`
        others            Further systems, to be ranked with these two
        models            One model per input, or several of one input
        cluster           Column of groups, or group of each
        on_unmatched      Questions that only one side has
        confidence_level  Level of intervals, band and ranking
        method            CI that decides (default: t where it can be trusted)
        bounds            No question differs by more, an assumption
        test              Test to print beside the CI
        target            Whose interval gives the verdict
        by                Column of groups, such as prompts, for `crossed`
        crossed           Whether these groups are drawn as questions are
        same_within       Margin within which two systems count as the same
        ties              Ties of maj@k: `expected` shares the credit, `wrong` gives none
        weights           Column of weights of the questions, or by question
        largest_weight    Upper bound on weights (default: observed maximum)
        cost              Column of the cost of a sample: coverage at equal spend
        spend             Mean cost of a question (default: .8 of what both can spend)
        missing_cost      Samples without a cost; mean: as in score
        rng               Random seed (default 0)
        title             Name of the comparison
        reading           Missing policy, columns and the rest of what `score` takes (see `read`):
                          missing, samples_per_question, no_answer, normalize, scale, conflict,
                          question, sample, correct, answer, score, model, expected, keys,
                          threshold, ignore, failed, sums, harness, task, filter, grade, files_hold,
                          limits
        return            Two systems; a ranking; or two counts

    Value: `PairwiseComparison` for two systems; `MultipleComparison` for more, all pairs with
    Holm's correction; `Audit` for two counts such as "17/20", which are not paired.

    Raises: `ValueError`, `TypeError` or `FileNotFoundError` for data, names or options that allow
    no comparison.
    """
    if is_written_count(baseline) and is_written_count(new):
        given: dict[str, Any] = dict(
            metrics=metrics, k=k, target=target, others=others, models=models, test=test,
            cluster=cluster, method=method, bounds=bounds, same_within=same_within,
            weights=weights, cost=cost, spend=spend, by=by, crossed=crossed, **reading)
        return compare_counts(baseline, new, confidence_level, title, given)
    style = check_style(Style(confidence_level, method, test, target, rng,
                              check_range(bounds, target)), word="method")
    named = cluster if isinstance(cluster, (str, bool)) else None
    refuse_spend(metrics)
    requests = ask_all("compare", dict(
        cost=cost, spend=spend, missing_cost=missing_cost, by=by, crossed=crossed, weights=weights,
        missing=reading.get("missing")))
    given = adjust_all(requests, None, dict(reading) | dict(cluster=named, by=by))
    weighing = check_request(weights, largest_weight, cluster)
    inputs = [baseline, *[new][new is None:], *(others or ())]
    options = prepare_all(requests, Options.of(
        given, name_parameters(compare), **columns_to_keep(metrics), weights=weights,
        runs=len(inputs) != 2))
    check_margin(same_within)
    found = load_systems(inputs, options, models)
    if len(found.counts) < 2:
        raise OptionError("new", "compare needs two systems", found="one",
                          hint=f"pass {option('new')}, or data with several models")
    sides = split_evenly(found.counts, found.battles)
    # A range that follows from what is compared is no assumption.
    known = bounds is None and sides is not found.counts
    if known: style = style._replace(bounds=HALF)
    aligned = align_systems(sides, on_unmatched)
    metrics = choose_share(metrics, found.battles, "pass@k")
    groups = question_groups(aligned, cluster)
    if weighing.asked: refuse_many(aligned, "weights")
    if same_within is not None: refuse_many(aligned, "same_within")
    if cost is not None: refuse_many(aligned, "cost")
    if crossed: refuse_many(aligned, "crossed")
    own = weighing.find(aligned.questions, found.weights)
    told = dict(read=found.inputs, title=title, notes=input_notes(found, weighing.say([own])),
                texts=found.texts)
    several = split_metrics(metrics)
    if len(several) > 1:
        refuse_several(aligned, k)
        measured = measure_several(aligned.sides, several, ties=ties, lacks=found.lacks)
    else: measured = [measure_sides(aligned.sides, metrics, k, ties=ties, lacks=found.lacks)]
    measured = [replace(one, weights=own) for one in measured]
    if len(aligned.sides) > 2:
        ranked = rank_systems(aligned, measured[0], groups, style, told)
        if found.battles: ranked = replace(ranked, next=advise_shares(ranked.next))
        runs = {} if aligned.alignment.left_out else found.runs
        return add_all(ask_all("ranking", {}), Ranked(ranked, [*ranked.rankings], runs))
    pair = add_margin(compare_pair(aligned, measured, groups, style, told), same_within)
    if found.battles: pair = replace(pair, next=advise_shares(pair.next))
    if known: pair = replace(pair, rows=tuple(replace(row, bounds=None) for row in pair.rows))
    return add_all(requests, Compared(pair, aligned, groups, own, measured, by, found.groups))


def input_notes(found: Systems, weighted: Sequence[str]) -> tuple[str, ...]:
    "What could not be checked, and what weights do."
    versions = (f"Warning: {found.versions}.",) if found.versions else ()
    return (*versions, *found.warnings, *weighted)


def refuse_many(aligned: Aligned, name: str) -> None:
    "Refuse an option for a ranking."
    if len(aligned.sides) == 2: return
    raise OptionError(name, f"{option(name)} is for two systems", found=str(len(aligned.sides)),
                      hint="compare two at a time, or all of them with table")


def refuse_several(aligned: Aligned, k: Budgets) -> None:
    "Refuse several metrics where they cannot be compared."
    if len(aligned.sides) > 2:
        raise OptionError("metrics", "several metrics are for two systems",
                          found=str(len(aligned.sides)),
                          hint="rank them by one metric at a time")
    if k is not None:
        raise OptionError("k", "several metrics state their budgets, as pass@4 does",
                          found=f"k={k} as well")


# Two systems.

def compare_pair(
    aligned: Aligned, measured: list[Measured], groups: list | None, style: Style,
    told: dict[str, Any],
) -> PairwiseComparison:
    "B against A: in one metric at every budget, or in several metrics of one number each."
    questions = aligned.questions
    a, b = map(str, aligned.sides)
    pairs = [compare_sides(one, groups, questions.tolist(), style.rng, style.bounds)
             for one in measured]
    samples = count_samples(*measured[0].sides)
    notes = *told["notes"], *say_approximate(one.chosen for one in measured)
    if len(measured) > 1:
        # The first decides, the others are adjusted for their number.
        rows = compare_several(measured, pairs, style)
        moved = {row.metric: tuple(pair[0].moved(5)) for row, pair in zip(rows, pairs)}
        found: dict[str, Any] = dict(rows=rows, moved=moved, primary=rows[0].metric)
    else:
        found, why = compare_at_budgets((a, b), measured[0], pairs[0], groups, style)
        notes = *notes, *why
    return PairwiseComparison(
        (a, b), **found, samples=samples, alignment=aligned.alignment, target=style.target,
        confidence_level=style.confidence_level, questions=question_columns(questions, measured),
        cautions=(*caution(groups), *identical_systems(counts_by_system(aligned)),
                  *caution_votes(aligned, measured)),
        **told | dict(notes=notes))


def compare_at_budgets(
    names: tuple[str, str], measured: Measured, pairs: Comparisons, groups: list | None,
    style: Style,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    "What one metric shows at all its budgets, as fields of the result, and what it does not."
    rows = judge_rows(measured, pairs, style)
    curve, why = draw_curve(pairs, style.confidence_level)
    step = None
    if measured.weights is None:
        step = advise_comparison(rows, style, count_samples(*measured.sides))
    labels = measured.chosen.labels
    moved = {labels[i]: tuple(pairs[i].moved(5)) for i in sorted({0, len(pairs) - 1})}
    sides = make_curves(names, budgets_of(measured), estimate_sides(measured, groups),
                        style.confidence_level)
    return dict(rows=rows, moved=moved, curve=widen_band(curve, rows), next=step, sides=sides), why


def judge_rows(measured: Measured, pairs: Comparisons, style: Style) -> tuple[Difference, ...]:
    "B minus A at every budget, with its verdict."
    chosen = measured.chosen
    return make_differences(chosen.labels, budgets_of(measured), pairs, style,
                            chosen.metric.estimator, chosen.metric.unit)


def budgets_of(measured: Measured) -> list[int | None]:
    "The budgets of a metric; None for one without."
    found = measured.chosen.budgets
    return [None] if found is None else found.tolist()


def estimate_sides(measured: Measured, groups: list | None) -> tuple[Estimates, ...]:
    "The mean of each system over new questions."
    bounds, weights = measured.chosen.bounds, measured.weights
    return tuple(estimates_of(sampling_units(values, bounds, groups, weights))
                 for values in measured.values)


def draw_curve(
    pairs: Comparisons, confidence_level: float,
) -> tuple[PairedCurve | None, tuple[str, ...]]:
    "The band over all budgets, or a note that says why there is none."
    if len(pairs) < 2: return None, ()
    units = pairs.estimates.units
    if pairs.pairs.weights is not None or not isinstance(units, Units):
        return None, ("No band over all values of k: it takes all questions as equal.",)
    try: return curve_of(units, pairs.budgets, confidence_level), ()
    except ValueError as error: return None, (f"No band over all values of k: {error}.",)


def counts_by_system(aligned: Aligned) -> dict[str, list[Counts]]:
    return {str(name): [side] for name, side in aligned.sides.items()}


def caution_votes(aligned: Aligned, measured: list[Measured]) -> Iterator[Caution]:
    "Right answers in several spellings, where answers vote."
    if any("votes" in one.chosen.metric.needs for one in measured):
        yield from caution_sides(aligned.sides)


def caution(groups: list | None) -> tuple[Caution, ...]:
    "What a reader has to know about the groups."
    return () if groups is None else tuple(caution_clusters(np.asarray(groups)))


def question_columns(
    questions: np.ndarray, measured: Sequence[Measured], names: Sequence[str] = "AB",
) -> Columns:
    "One row per question: its name, counts and values of every system, and B - A of two."
    columns: dict[str, Any] = dict(question=questions)
    for name, side in zip(names, measured[0].sides):
        columns |= {f"n {name}": side.n, f"c {name}": side.c, f"missing {name}": side.missing}
    for one in measured:
        for i, label in enumerate(one.chosen.labels):
            own = [Spread(((values.table[:, i], values.state),)) for values in one.values]
            columns |= {f"{label} {name}": values for name, values in zip(names, own)}
            if len(own) == 2: columns[f"{label} B - A"] = Gap(own[1], own[0])
    return Columns({name: column for name, column in columns.items() if column is not None})


# Several metrics.

def measure_several(
    sides: Mapping[str, Counts],  # Counts of two systems
    metrics: Sequence[Metrics],  # Several metrics
    **options: Any,  # `ties` and `lacks`
) -> list[Measured]:  # Each at the one budget that its name states
    """Several metrics on systems, with one number each.

    Raises: `ValueError` for a metric without a budget, or one that is named twice.
    """
    found = [measure_sides(sides, metric, **options) for metric in metrics]
    for one in found:
        if len(one.chosen.labels) == 1 and one.stated: continue
        label = one.chosen.metric.label(1)
        raise ValueError("of several metrics each must be one number, got "
                         f"{one.chosen.metric.name!r}; state the budget as in {label!r}")
    labels = [one.chosen.labels[0] for one in found]
    if twice := [label for label in labels if labels.count(label) > 1]:
        raise ValueError(f"each metric must be named once, got {twice[0]!r} twice")
    return found


def compare_several(
    measured: Sequence[Measured],  # Metrics on two systems, the primary one first
    pairs: Sequence[Comparisons],  # B against A in each
    style: Style,  # How the primary one is judged
) -> tuple[Difference, ...]:  # One row per metric
    """The first row at the full level, the others at the levels of Holm's correction.

    Value: the interval of another row leaves out zero where Holm's test rejects it: rejected ones
    keep the level of their step, the rest have that of the step at which it ended.
    """
    def judge(place: int, level: float) -> Difference:
        return judge_rows(measured[place], pairs[place], style._replace(confidence_level=level))[0]

    def is_significant(row: Difference) -> bool: return row.verdict in ("better", "worse")
    level = style.confidence_level
    others = step_down(range(1, len(measured)), judge, is_significant, level)
    return (judge(0, level), *(others[place] for place in range(1, len(measured))))


# The same, within a margin.

def add_margin(
    result: PairwiseComparison,  # Two systems compared
    margin: float | None,  # Largest difference that does not matter; None where none was named
) -> PairwiseComparison:
    "The same with the verdict on a margin, where one was named."
    if margin is None: return result
    row = result.rows[0]
    if row.unit == "share" and margin >= 1:
        raise OptionError("same_within", must="be below 1 for shares", got=margin,
                          hint="two points of a hundred are 0.02")
    return replace(result, same_within=judge_equivalence(row, margin))


def judge_equivalence(row: Difference, margin: float) -> Equivalence:
    "Whether the interval of a row lies inside the margin, beyond it, or neither."
    found = row.about()
    verdict = "none" if found is None else judge_same(found.low, found.high, margin)
    return Equivalence(float(margin), row.metric, verdict,  # type: ignore[arg-type]
                       found, row.target, row.confidence_level, row.unit)


# Several systems.

def rank_systems(
    aligned: Aligned, measured: Measured, groups: list | None, style: Style, told: dict[str, Any],
) -> MultipleComparison:
    "All pairs of several systems at every budget."
    metric = measured.chosen.metric
    rankings = {label: rank_at(i, aligned, measured, groups, style)
                for i, label in enumerate(measured.chosen.labels)}
    rows = [pair for label, ranking in rankings.items()
            for pair in make_pairs(label, ranking, style, metric.unit)]
    names = tuple(map(str, aligned.sides))
    notes = *told["notes"], *map(str, identical_systems(counts_by_system(aligned)))
    samples = dict(zip(names, count_samples(*measured.sides)))
    return MultipleComparison(
        {label: make_ranks(ranking) for label, ranking in rankings.items()}, tuple(rows),
        aligned.alignment, estimator=metric.estimator, unit=metric.unit, target=style.target,
        confidence_level=style.confidence_level,
        next=advise_leader(rankings, style, samples, metric.unit),
        questions=question_columns(aligned.questions, [measured], list(aligned.sides)), names=names,
        sides=make_curves(names, budgets_of(measured), estimate_sides(measured, groups),
                          style.confidence_level),
        k=tuple(budgets_of(measured)),
        **told | dict(notes=notes))

