"""`compare`: is B better than A, on the same questions?"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..foundations.counts import Counts
from ..inference.comparison import Comparisons, Tables, at_budget, compare_budgets
from ..inference.curves import PairedCurve, curve_of
from ..inference.estimate import Estimates, estimates_of
from ..inference.ranking import Ranking, compare_all
from ..io.options import Options
from ..renaming import name_parameters, renamed
from ..reporting.columns import Columns, Gap, Spread
from ..reporting.differences import difference_rows
from ..reporting.sides import Sides
from ..reporting.standings import Standings
from ..reporting.standings_facts import pair_rows
from ..reporting.style import Style
from ..reporting.versus import Versus
from .next_steps import advise_comparison, advise_leader
from .cautions import caution_clusters
from .metric_choice import Budgets, Metrics, find_kept, say_approximate
from .measuring import Measured, find_noise, measure_sides
from .several import compare_several, measure_several, split_metrics
from .style import Rng, check_range, check_style
from .systems import Aligned, align_systems, find_groups, load_systems
from .weighing import check_request, find_units


@renamed(a="baseline", b="new", metric="metrics", format="harness", files="files_hold",
         interval="method")
def compare(
    baseline: Any,  # System A: anything that `score` reads
    new: Any = None,  # System B, the one judged; None compares the models inside `baseline`
    metrics: Metrics = "pass@k",  # Such as `maj@8`, or several, of which the first is primary
    k: Budgets = None,  # Budgets; None: every `k` up to 8, else powers of two and the smallest `n`
    *,
    others: Sequence[Any] = (),  # Further systems, to be ranked with these two
    models: Sequence[str] | str | None = None,  # One model per input, or several of one input
    cluster: str | bool | Mapping | Sequence | None = None,  # Column of groups, or group of each
    on_unmatched: str = "refuse",  # Questions that only one side has: `refuse` or `drop`
    confidence_level: float = .95,  # Level of intervals, band and ranking
    method: str | None = None,  # Interval that decides: None assumption-free, `t` the usual one
    bounds: tuple[float, float] | None = None,  # No question differs by more, an assumption
    test: str | None = None,  # A test to print beside: `sign-flip`, `mcnemar`, `permutation`, ...
    target: str = "questions",  # Whose interval gives the verdict: new `questions` or `benchmark`
    ties: str = "expected",  # Ties of maj@k: `expected` shares, `wrong` gives nothing
    weights: str | Mapping | None = None,  # Column of weights of the questions, or by question
    largest_weight: float | None = None,  # Largest there may be; None: the largest seen
    rng: Rng = None,  # Seed of whatever draws; None is seed 0
    title: str = "",  # Name of the comparison
    **reading: Any,  # `missing=`, `no_answer=`, columns and the rest of what `score` takes
) -> Versus | Standings:  # Two systems, or a ranking of several
    """B minus A on the same questions, with paired errors, tests, a band over all budgets, and
    the questions that moved.

    Value: `Versus` for two systems; `Standings` for more, all pairs with Holm's correction.

    Raises: `ValueError`, `TypeError` or `FileNotFoundError` for data, names or options that allow
    no comparison.
    """
    style = check_style(Style(confidence_level, method, test, target, rng,
                              check_range(bounds, target)), word="method")
    named = cluster if isinstance(cluster, (str, bool)) else None
    given = reading | dict(cluster=named)
    weighing = check_request(weights, largest_weight, cluster)
    options = Options.of(given, name_parameters(compare), **find_kept(metrics), weights=weights)
    inputs = [baseline, *([] if new is None else [new]), *(others or ())]
    found = load_systems(inputs, options, models)
    if len(found.counts) < 2:
        raise ValueError("compare needs two systems, got one; pass new=, or data with several "
                         "models")
    aligned = align_systems(found.counts, on_unmatched)
    groups = find_groups(aligned, cluster)
    if weighing.asked: refuse_many(aligned)
    own = weighing.find(aligned.questions, found.weights)
    told = dict(read=found.read, title=title)
    noted = told | dict(notes=(*found.warnings, *weighing.say([own])))
    if several := split_metrics(metrics):
        refuse_several(aligned, k)
        each = measure_several(aligned.sides, several, ties=ties, lacks=found.lacks)
        each = [replace(one, weights=own) for one in each]
        return compare_metrics(aligned, each, groups, style, noted)
    measured = measure_sides(aligned.sides, metrics, k, ties=ties, lacks=found.lacks)
    measured = replace(measured, weights=own)
    if len(aligned.sides) == 2: return compare_two(aligned, measured, groups, style, noted)
    told["read"] = " ".join([found.read, *found.warnings])
    return rank_systems(aligned, measured, groups, style, told)


# Two systems.

def compare_two(
    aligned: Aligned, measured: Measured, groups: list | None, style: Style, told: dict[str, Any],
) -> Versus:
    "B against A at every budget."
    chosen, questions = measured.chosen, aligned.questions
    pairs = compare_sides(measured, groups, questions.tolist(), style.rng, style.bounds)
    ks = [None] if chosen.budgets is None else chosen.budgets.tolist()
    rows = difference_rows(chosen.labels, ks, pairs, chosen.metric.estimator, style)
    curve, notes = draw_curve(pairs, style.confidence_level)
    vague = say_approximate([chosen])
    own = told | dict(notes=(*told["notes"], *vague, *notes, *caution(groups)))
    moved = {chosen.labels[i]: pairs[i].moved(5) for i in sorted({0, len(pairs) - 1})}
    old, new = measured.sides
    samples = say_samples(old), say_samples(new)
    advised = None
    if measured.weights is None: advised = partial(advise_comparison, rows, style, count_samples(old, new))
    return Versus(rows, curve, moved, name_pair(aligned), aligned.said,
                  samples=samples, advised=advised,
                  confidence_level=style.confidence_level, target=style.target,
                  questions=list_values(questions, [measured]),
                  sides=list_sides(aligned, measured, groups, style), **own)


def list_sides(
    aligned: Aligned, measured: Measured, groups: list | None, style: Style,
) -> Sides:
    "The systems by themselves, for figures."
    chosen = measured.chosen
    ks = [None] if chosen.budgets is None else chosen.budgets.tolist()
    find = partial(estimate_sides, measured, groups)
    return Sides(list(map(str, aligned.sides)), ks, find, style.confidence_level)


def estimate_sides(measured: Measured, groups: list | None) -> list[Estimates]:
    "The mean of each system over new questions of this kind."
    return [estimates_of(find_units(values, measured.chosen.bounds, groups, measured.weights))
            for values in measured.values]


def refuse_many(aligned: Aligned) -> None:
    "Refuse weights for a ranking."
    if len(aligned.sides) == 2: return
    raise ValueError(f"weights= is for two systems, got {len(aligned.sides)}; compare two at a "
                     "time, or all of them with table")


def refuse_several(aligned: Aligned, k: Budgets) -> None:
    "Refuse several metrics where they cannot be compared."
    if len(aligned.sides) > 2:
        raise ValueError(f"several metrics are for two systems, got {len(aligned.sides)}; rank "
                         "them by one metric at a time")
    if k is not None:
        raise ValueError(f"several metrics state their budgets, as pass@4 does, got k={k} as well")


def compare_metrics(
    aligned: Aligned, measured: list[Measured], groups: list | None, style: Style,
    told: dict[str, Any],
) -> Versus:
    "B against A in several metrics."
    questions = aligned.questions
    pairs = [compare_sides(one, groups, questions.tolist(), style.rng, style.bounds)
             for one in measured]
    rows = compare_several(measured, pairs, style)
    vague = say_approximate(one.chosen for one in measured)
    own = told | dict(notes=(*told["notes"], *vague, *caution(groups)))
    moved = {row.metric: pair[0].moved(5) for row, pair in zip(rows, pairs)}
    old, new = measured[0].sides
    return Versus(rows, None, moved, name_pair(aligned), aligned.said,
                  samples=(say_samples(old), say_samples(new)),
                  confidence_level=style.confidence_level, target=style.target,
                  primary=rows[0].metric, questions=list_values(questions, measured), **own)


def name_pair(aligned: Aligned) -> tuple[str, str]:
    "The names of A and B."
    a, b = map(str, aligned.sides)
    return a, b


def compare_sides(
    measured: Measured,  # A metric on two systems
    groups: list | None = None,  # Group of each question
    names: list | None = None,  # Name of each question
    rng: Rng = None,  # Seed of tests that draw
    stated: tuple[float, float] | None = None,  # Range of differences, where one was stated
) -> Comparisons:  # B against A at each budget
    "B against A, question by question, at every budget."
    a, b = measured.values
    chosen = measured.chosen
    return compare_budgets(a.table, b.table, state_a=a.state, state_b=b.state, k=chosen.budgets,
                           cluster=groups, names=names, bounds=chosen.bounds, rng=rng,
                           weights=measured.weights, stated=stated,
                           **know_pair(measured))


def know_pair(
    measured: Measured,  # A metric on several systems
    sides: tuple[int, int] = (0, 1),  # Positions of A and of B
) -> dict[str, Any]:  # Facts for `compare_budgets`
    "What the samples behind two tables of values tell: their numbers, and counts or noise."
    old, new = (measured.sides[side] for side in sides)
    metric, ks = measured.chosen.metric, measured.chosen.ks
    facts: dict[str, Any] = dict(samples=(old.n, new.n))
    if metric.credit and metric.needs == ("c",):
        return facts | dict(tables=Tables(old.n, old.c, new.n, new.c, ks, metric.credit))
    noise = [find_noise(measured.chosen, side) for side in (old, new)]
    return facts if None in noise else facts | dict(noise=tuple(noise))


def draw_curve(
    pairs: Comparisons, confidence_level: float,
) -> tuple[PairedCurve | None, tuple[str, ...]]:
    "The band over all budgets, or a note that says why there is none."
    if len(pairs) < 2: return None, ()
    if pairs.pairs.weights is not None:
        return None, ("No band over all values of k: it takes all questions as equal.",)
    try: return curve_of(pairs, confidence_level), ()
    except ValueError as error: return None, (f"No band over all values of k: {error}.",)


def caution(groups: list | None) -> list[str]:
    "What a reader has to know about the groups."
    return [str(one) for one in caution_clusters(np.asarray(groups))] if groups is not None else []


def count_samples(*sides: Counts) -> list[tuple[int, int]]:
    "Fewest and most samples of a question of each system."
    return [(side.n_min, side.n_max) for side in sides]


def say_samples(counts: Counts) -> str:
    "Samples per question, as a number or a range."
    if counts.n_min == counts.n_max: return f"{counts.n_min}"
    return f"{counts.n_min}..{counts.n_max}"


def list_values(
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


# Several systems.

def rank_systems(
    aligned: Aligned, measured: Measured, groups: list | None, style: Style, told: dict[str, Any],
) -> Standings:
    "All pairs of several systems at every budget."
    rankings = {label: rank_at(i, aligned, measured, groups, style)
                for i, label in enumerate(measured.chosen.labels)}
    rows = [row for label, ranking in rankings.items()
            for row in pair_rows(label, ranking, **style._asdict())]
    samples = dict(zip(map(str, aligned.sides), count_samples(*aligned.sides.values())))
    return Standings(rankings, tuple(rows), aligned.said, confidence_level=style.confidence_level,
                     estimator=measured.chosen.metric.estimator, target=style.target,
                     questions=list_values(aligned.questions, [measured], list(aligned.sides)),
                     sides=list_sides(aligned, measured, groups, style),
                     advised=partial(advise_leader, rankings, style, samples), **told)


def rank_at(
    i: int, aligned: Aligned, measured: Measured, groups: list | None, style: Style,
) -> Ranking:
    "All pairs at one budget."
    names = list(aligned.sides)
    values = {name: side.of_questions()[:, i] for name, side in zip(names, measured.values)}
    facts = {(names[a], names[b]): know_at(know_pair(measured, (a, b)), i)
             for a in range(len(names)) for b in range(len(names)) if a != b}
    bounds = measured.chosen.bounds
    return compare_all(values, facts=facts, cluster=groups, bounds=bounds,
                       confidence_level=style.confidence_level,
                       method=match_test(style, bounds, len(names)), interval=style.interval,
                       target=style.target, weights=measured.weights, rng=style.rng,
                       stated=style.bounds)


def match_test(
    style: Style,  # How two systems are told apart
    bounds: tuple[float, float] | None,  # Least and largest value of a question
    count: int,  # How many systems there are
) -> str | None:  # Name of a test; None where the interval alone decides
    "A test that rejects only where the interval that `compare` prints leaves out zero."
    # Few samples run again have no exact interval at the high levels that many pairs need.
    again = style.target == "benchmark" and style.interval in (None, "gamma")
    return "cautious" if again and count > 2 and bounds is not None else None


def know_at(facts: dict[str, Any], i: int) -> dict[str, Any]:
    "What is known of a pair at one budget."
    found = dict(facts)
    if "tables" in found: found["tables"] = at_budget(found["tables"], i)
    if "noise" in found:
        old, new = found["noise"]
        found["noise"] = new.minus(old).at(i)
    return found
