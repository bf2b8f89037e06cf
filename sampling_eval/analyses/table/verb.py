"""`table`: models by metrics on the same questions, for a paper.

Every metric is measured on all models in each group of questions (`Part`); the parts of one metric
are a `Family`. From a family come the numbers, and by pairwise comparison the letters of each
column: per group, and for the mean of the groups.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations
from typing import Any, NamedTuple, Unpack, get_args

import numpy as np

from ...arguments import check_choice, checked, name_parameters
from ...errors import OptionError, OptionTypeError
from ...spelling import name_option, option
from ...foundations.counts import Counts
from ...inference.comparison import (
    Comparison, are_single, name_inverted, paired_difference)
from ...inference.estimate import Estimate, estimates_of
from ...inference.ranking import NO_TEST, Ranking, compare_all, holm
from ...inference.significance import PValue
from ...inference.units import join_groups, Weights
from ...metrics.catalog import CATALOG
from ...parameters import Method, Shared, Target, Test, Ties, Unmatched
from ...reading.options import Options
from ...results.base import Rng, Style, check_range, check_style
from ...results.cautions import Caution
from ...results.reading import count_dead, join_dead
from ...results.rows import Row
from ...results.verdict import needs_spread
from ..addons import Ranked, add_all, ask_all
from ..compare.result import letter_models
from ..engine.battles import choose_share
from ..engine.choose import (Budgets, Metrics, choose_one, columns_to_keep, missing_field,
                             name_budgets, reported_budgets, split_metrics)
from ..engine.diagnostics import caution_sides, cautions_of
from ..engine.measure import (
    Curve, Measured, average_groups, check_request, measure, measure_sides, rows_of_curves)
from ..engine.next_steps import rerun_models
from ..engine.pairs import know_pair, rank_at
from ..engine.systems import (Aligned, align_groups, choose_models, drop_alone, gather_models,
                              identical_systems, name_groups)
from .result import Column, Errors, ModelTable, Place

CHOSEN = "pass@k", "pass^k", "maj@k", "best@k"  # Metrics at the largest budget, where none is named


@checked
def table(
    systems: Any,  # What `score` reads, a list of files with a model each, or name to data
    metrics: Metrics = None,  # Names such as `pass@8`, or name to own credit; None: the usual ones
    k: Budgets = None,  # Budgets of metrics that state none; None: as `score`
    *,
    by: str | None = None,  # Column of groups, task in logs: a column per group, and their mean
    models: Sequence[str] | str | None = None,  # Models wanted (default: all)
    cluster: str | bool | Mapping | Sequence | None = None,  # Column of groups, or group of each
    on_unmatched: Unmatched = "refuse",  # Questions that only some models have
    errors: Errors = "ends",  # `ends` of the intervals, or `half`: distance to the farther end
    confidence_level: float = .95,  # Level of the intervals, and of all letters of a column
    method: Method | None = None,  # CI behind the letters (default: t where it can be trusted)
    bounds: tuple[float, float] | None = None,  # No question differs by more, an assumption
    test: Test | None = None,  # Test of two models to print beside the letters
    target: Target = "new_questions",  # What intervals and letters are about
    ties: Ties = "expected",  # Ties of maj@k: `expected` shares the credit, `wrong` gives none
    weights: str | Mapping | None = None,  # Column of weights of the questions, or by question
    largest_weight: float | None = None,  # Upper bound on weights (default: observed maximum)
    run_difference: bool = False,  # A column: by how much two single runs of a model must differ
    rng: Rng = None,  # Random seed (default 0)
    title: str = "",  # Name of the data
    **reading: Unpack[Shared],  # Missing policy, columns and the rest of what `score` takes
) -> ModelTable:  # Numbers, intervals, and letters of models that do not differ significantly
    """Models by metrics on the same questions, sorted by the first metric, as a paper prints them.

    Parameters:
        systems           What `score` reads, a list of files with a model each, or name to data
        metrics           Names such as `pass@8`, or name to own credit; None: the usual ones
        k                 Budgets of metrics that state none; None: as `score`
        by                Column of groups, task in logs: a column per group, and their mean
        models            Models wanted (default: all)
        cluster           Column of groups, or group of each
        on_unmatched      Questions that only some models have
        errors            `ends` of the intervals, or `half`: distance to the farther end
        confidence_level  Level of the intervals, and of all letters of a column
        method            CI behind the letters (default: t where it can be trusted)
        bounds            No question differs by more, an assumption
        test              Test of two models to print beside the letters
        target            What intervals and letters are about
        ties              Ties of maj@k: `expected` shares the credit, `wrong` gives none
        weights           Column of weights of the questions, or by question
        largest_weight    Upper bound on weights (default: observed maximum)
        run_difference    A column: by how much two single runs of a model must differ
        rng               Random seed (default 0)
        title             Name of the data
        reading           Missing policy, columns and the rest of what `score` takes (see `read`):
                          missing, samples_per_question, no_answer, normalize, scale, conflict,
                          question, sample, correct, answer, score, model, expected, keys,
                          threshold, ignore, failed, sums, harness, task, filter, grade, files_hold,
                          limits
        return            Numbers, intervals, and letters of models that do not differ significantly

    Value: models that share a letter in a column do not differ significantly: Holm's correction
    over all pairs of models, paired by question. With `by=` a column per group, and their mean.

    Raises: `ValueError`, `TypeError` or `FileNotFoundError` for data, names or options that allow
    no table, and where the models were not asked the same questions.
    """
    style = check_style(Style(confidence_level, method, test, target, rng,
                              check_range(bounds, target)), word="method")
    check_choice("errors", errors, get_args(Errors))
    given = {**reading, "by": by, "cluster": cluster if isinstance(cluster, (str, bool)) else None}
    weighing = check_request(weights, largest_weight, cluster)
    requests = ask_all("table", {})
    options = Options.of(given, name_parameters(table), **columns_to_keep(metrics), weights=weights,
                         runs=True)
    found = gather_models(systems, options)
    aligned, lacking = align_groups(found, choose_models(found, models), on_unmatched)
    blocks = [take_block(group, one, cluster) for group, one in aligned.items()]
    sides = [one.sides for one in blocks]
    asked = AskedTable(choose_share(metrics, found.battles), k, ties, style, found.lacks,
                       partial(weighing.find, known=found.weights))
    families = asked.measure_all(blocks)
    numbers = make_rows(families, style)
    columns = tuple(column for family in families for column in rank_family(family, style))
    votes = any("votes" in family[0].measured.chosen.metric.needs for family in families)
    unequal = any(row.weights is not None for row in numbers)
    result = ModelTable(
        sort_rows(numbers, columns), columns, found.read,
        {group: one.alignment for group, one in aligned.items()}, style.confidence_level, title,
        target, method, errors, lacking, tuple(unscaled_means(families)),
        "" if unequal or not weighing.asked else weighing.name,
        tuple(table_cautions(found.cautions, blocks, target, votes)),
        rerun_models(sides, weighing.asked) if run_difference else {},
        join_dead([count_dead(list(one.values())) for one in sides]))
    # Of groups, weights and questions that some models lack, means of whole runs know nothing.
    whole = result.groups == [""] and not weighing.asked and not aligned[""].alignment.left_out
    runs = {model: found.runs.get(model) for model in result.models} if whole else {}
    return add_all(requests, Ranked(result, result.metrics, runs))


def unscaled_means(families: Sequence[Family]) -> Iterator[str]:
    "Means of scores whose range nobody has stated."
    for chosen in (family[0].measured.chosen for family in families):
        if chosen.metric.name == "mean@n" and chosen.bounds is None: yield chosen.labels[0]


def table_cautions(
    known: Sequence[Caution], blocks: Sequence[Block], target: str, votes: bool,
) -> list[Caution]:
    "What may be wrong with the data, each once."
    systems = {model: [block.sides[model] for block in blocks] for model in blocks[0].sides}
    found = [*known, *(one for block in blocks for one in cautions_of(block.first, target)),
             *identical_systems(systems)]
    if votes: found += (one for block in blocks for one in caution_sides(block.sides))
    return list({str(one): one for one in found}.values())


class Block(NamedTuple):
    "The models on the questions of one group."
    group: str  # Its name; empty for all questions
    aligned: Aligned
    clusters: list | None  # Cluster of each question

    @property
    def sides(self) -> dict[str, Counts]: return self.aligned.sides

    @property
    def first(self) -> Counts: return next(iter(self.sides.values()))


class Part(NamedTuple):
    "One metric of all models in one block."
    block: Block
    measured: Measured
    curves: tuple[Curve, ...]  # One per model


Family = list[Part]  # One metric in every block


def take_block(group: str, aligned: Aligned, cluster: Any) -> Block:
    "The models of one group, whose questions know their clusters."
    listed = cluster is not None and not isinstance(cluster, (str, bool, Mapping))
    if group and listed:
        raise OptionTypeError("cluster", f"with {option('by')}, {name_option('cluster')} must be a "
                                         "column or a mapping of question to cluster",
                              found=type(cluster).__name__)
    clusters = name_groups(aligned, cluster)
    if clusters is None: return Block(group, aligned, None)
    names = np.array(clusters)
    sides = {model: replace(side, cluster=names) for model, side in aligned.sides.items()}
    return Block(group, replace(aligned, sides=sides), clusters)


@dataclass(frozen=True)
class AskedTable:
    "What is to be computed, whatever the data are."
    metrics: Metrics
    k: Budgets
    ties: str  # Ties of maj@k
    style: Style  # How error bars are computed
    lacks: Mapping[str, str]  # Field of the counts to the reason why it is absent
    weigh: Callable[[np.ndarray], Weights | None]  # Names of questions to their weights

    def measure_all(self, blocks: Sequence[Block]) -> list[Family]:
        "Every metric in every block, at budgets that all blocks share."
        most = min(side.n_min for block in blocks for side in block.sides.values())
        return [self.measure_family(one, budgets, blocks)
                for one, budgets in self.list_metrics(blocks[0], most)]

    def measure_family(self, one: Metrics, budgets: Budgets, blocks: Sequence[Block]) -> Family:
        "One metric in every block, under the same names."
        family = [self.measure_part(one, budgets, block) for block in blocks]
        chosen = family[0].measured.chosen
        if len({part.measured.chosen.labels for part in family}) == 1: return family
        # Blocks of different size have no average of 4 samples in common, but that of n.
        labels = name_budgets(chosen.metric, chosen.ks, "n")
        return [self.measure_part(one, budgets, block, labels) for block in blocks]

    def list_metrics(self, block: Block, most: int) -> Iterator[tuple[Metrics, Budgets]]:
        "Each metric with its budgets; `most` is the largest one that all questions allow."
        if self.metrics is None:
            yield from self.list_usual(block, most)
            return
        for one in split_metrics(self.metrics):
            metric, stated = choose_one(block.first, one, self.k, ties=self.ties, lacks=self.lacks)
            if stated or metric.at == "n": yield one, None
            elif self.k is not None: yield one, self.k
            elif metric.at == "largest k": yield one, most
            else: yield one, reported_budgets(Counts(np.array([most]), np.array([0])))

    def list_usual(self, block: Block, most: int) -> Iterator[tuple[Metrics, Budgets]]:
        "pass@1, and what the data can give at the largest budget."
        known = [name for name in CHOSEN if all(
            missing_field(CATALOG[name], side) is None for side in block.sides.values())]
        scaled = block.first.rewards is not None and block.first.rewards.bounds is not None
        if not known: yield "mean@n" if scaled else "soft@n", None
        elif self.k is not None: yield from ((name, self.k) for name in known)
        else:
            yield "pass@1", None
            if most > 1: yield from ((name, most) for name in known)

    def measure_part(
        self, one: Metrics, budgets: Budgets, block: Block, labels: tuple[str, ...] = (),
    ) -> Part:
        "One metric of all models, under the names given or its own."
        given: dict[str, Any] = dict(ties=self.ties, lacks=self.lacks)
        weights = self.weigh(block.aligned.questions)
        measured = measure_sides(block.sides, one, budgets, **given)
        labels = labels or measured.chosen.labels
        chosen = replace(measured.chosen, labels=labels)
        measured = replace(measured, weights=weights, chosen=chosen)
        curves = [measure(chosen, side, self.style, model, block.group, weights, values)
                  for (model, side), values in zip(block.sides.items(), measured.values)]
        return Part(block, measured, tuple(curves))


def make_rows(families: Sequence[Family], style: Style) -> list[Row]:
    "Every number of every model, the mean of groups last."
    curves = [curve for family in families for part in family for curve in part.curves]
    if any(curve.group for curve in curves): curves += average_groups(curves)
    return list(rows_of_curves(curves, style.confidence_level, style.rng))


def sort_rows(rows: Sequence[Row], columns: Sequence[Column]) -> tuple[Row, ...]:
    "The rows by model, best first in the first metric, over all groups where there are several."
    if not columns: raise OptionError("metrics", must="name a metric", found="none")
    metric, last = columns[0].metric, columns[-1].group
    means = {row.model: row.estimate for row in rows if (row.metric, row.group) == (metric, last)}
    place = {key: i for i, key in enumerate((one.metric, one.group) for one in columns)}
    kept = [row for row in rows if (row.metric, row.group) in place]
    order = sorted(means, key=lambda model: -means[model])
    return tuple(sorted(kept, key=lambda row: (order.index(row.model),
                                               place[row.metric, row.group])))


# Which models differ significantly.

def rank_family(family: Family, style: Style) -> Iterator[Column]:
    "The columns of one metric: one per budget and group, and one for the mean of the groups."
    labels = family[0].measured.chosen.labels
    for i, label in enumerate(labels):
        for part in family: yield rank_part(i, label, part, style)
        if len(family) > 1: yield rank_means(i, label, family, style)


def rank_part(i: int, label: str, part: Part, style: Style) -> Column:
    "One metric at one budget in one group."
    if len(part.block.sides) == 1: return Column(label, part.block.group)
    clusters = drop_alone(part.block.clusters)
    ranking = rank_at(i, part.block.aligned, part.measured, clusters, style)
    return make_column(label, part.block.group, ranking, style)


def make_column(label: str, group: str, ranking: Ranking, style: Style) -> Column:
    "What a ranking has found."
    letters = letter_models(ranking.tied)
    places = zip(map(str, ranking.systems), ranking.means.tolist(), ranking.rank_low.tolist(),
                 ranking.rank_high.tolist())
    named = [] if style.test is None else [
        test_pair(pair, style) for pair in ranking.pairs.values()]
    apart = [order_pair(at, ranking) for at, p in zip(ranking.pairs, holm([p.value for p in named]))
             if p <= 1 - style.confidence_level]
    return Column(label, group, tuple(Place(*place, letters[place[0]]) for place in places),
                  tuple(tuple(map(str, group)) for group in ranking.tied),
                  names_of_tests(ranking.p), names_of_tests(ranking.without_assumptions),
                  tuple((str(a), str(b), own) for a, b, own in ranking.disputed),
                  names_of_tests([one for one in named if one is not NO_TEST]), tuple(apart))


def test_pair(pair: Comparison, style: Style) -> PValue:
    "The test that was asked for; `NO_TEST` where it needs a spread that is not seen."
    assert style.test is not None
    if needs_spread(pair, style.test): return NO_TEST
    return pair.test(style.test, target=style.target, rng=style.rng)


def names_of_tests(tests: Sequence[PValue | None]) -> tuple[str, ...]:
    "The names of some tests, each once."
    return tuple(dict.fromkeys(one.method for one in tests if one is not None))


def order_pair(at: tuple[int, int], ranking: Ranking) -> tuple[str, str]:
    "Both systems of a pair, the better one first."
    first, second = (str(ranking.systems[place]) for place in at)
    return (first, second) if ranking.pairs[at].difference > 0 else (second, first)


def rank_means(i: int, label: str, family: Family, style: Style) -> Column:
    "One metric at one budget, in the mean of the groups."
    group = f"mean of {len(family)} groups"
    if len(family[0].block.sides) == 1: return Column(label, group)
    rank = rank_again if style.target == "same_questions" else rank_weighted
    return make_column(label, group, rank(i, family, style), style)


# For new questions: the questions of a small group count more, so that their mean is that of the
# groups; the tests are those of single groups.

def rank_weighted(i: int, family: Family, style: Style) -> Ranking:
    "All pairs of models in the mean of the groups, for new questions."
    names = list(family[0].block.sides)
    weights, most = weigh_groups(family)
    values = {name: np.concatenate(
        [part.measured.values[at].of_questions()[:, i] for part in family])
        for at, name in enumerate(names)}
    samples = {name: np.concatenate([part.block.sides[name].n for part in family])
               for name in names}
    bounds, stated = family[0].measured.chosen.bounds, style.bounds
    # What is one right or wrong sample before it is weighted goes by no t.
    facts = {(a, b): dict(
        samples=(samples[a], samples[b]),
        single=bool(are_single((values[a], values[b]), (samples[a], samples[b]), bounds)))
        for a in names for b in names}
    weighted = {name: weights * values[name] for name in names}
    if bounds is not None: bounds = bounds[0] * most, bounds[1] * most
    if stated is not None: stated = stated[0] * most, stated[1] * most
    return compare_all(weighted, facts=facts, cluster=join_clusters(family), bounds=bounds,
                       confidence_level=style.confidence_level,
                       interval=style.interval, rng=style.rng, stated=stated)


def weigh_groups(family: Family) -> tuple[np.ndarray, float]:
    "Weights with which the mean over questions is that of the groups, and the largest there is."
    own = [part.measured.weights or Weights(np.ones(len(part.block.first))) for part in family]
    share = sum(len(one.weight) for one in own) / len(own)
    factors = [share / one.weight.sum() for one in own]
    weights = np.concatenate([factor * one.weight for factor, one in zip(factors, own)])
    return weights, max(factor * one.largest for factor, one in zip(factors, own))


def join_clusters(family: Family) -> list | None:
    "The cluster of each question; one that several groups name is one."
    named = [part.block.clusters for part in family if part.block.clusters is not None]
    return drop_alone(list(chain.from_iterable(named))) if len(named) == len(family) else None


# For the same questions: the interval of the mean of the groups, inverted.

class Gap(NamedTuple):
    "The mean over groups of the difference of two models."
    difference: float
    again: Estimate  # The same with what its interval is computed from

    def invert(self,
        method: str | None = None,  # Interval method; None is the default
        *,
        target: Target = "same_questions",  # A rerun
    ) -> PValue:  # Two-sided p value
        "The p value that goes with the interval."
        return name_inverted(self.again, method, target, None)

    def test(self, method: str, **_: Any) -> PValue:
        "Refused: the tests by name know single questions only."
        raise OptionError("test", f"{option('test', method)} is not for the mean of groups with "
                                  f"{option('target', 'same_questions')}",
                          hint=f"leave {option('test')} or {option('by')} out")


def rank_again(i: int, family: Family, style: Style) -> Ranking:
    "All pairs of models in the mean of the groups, for the same questions."
    names = list(family[0].block.sides)
    means = [np.mean([part.curves[at].estimates[i].value for part in family])
             for at in range(len(names))]
    order = np.argsort(-np.array(means), kind="stable")
    pairs = {(a, b): average_pair(i, order[a], order[b], family, style)
             for a, b in combinations(range(len(order)), 2)}
    tests = tuple(pair.invert(style.interval) for pair in pairs.values())
    adjusted = holm([one.value for one in tests])
    return Ranking(tuple(names[at] for at in order), np.array(means)[order], pairs, tests, adjusted,
                   style.confidence_level, "same_questions", style.interval)


def average_pair(i: int, new: int, old: int, family: Family, style: Style) -> Gap:
    "The mean over groups of one model less another."
    parts: list[Any] = [compare_models(i, new, old, part, style).again.units for part in family]
    mean = estimates_of(join_groups(parts))[0]
    return Gap(mean.value, mean)


def compare_models(i: int, new: int, old: int, part: Part, style: Style) -> Comparison:
    "One model against another in one group."
    measured = part.measured
    a, b = (measured.values[side].of_questions()[:, i] for side in (old, new))
    known = know_pair(measured, (old, new), i)
    return paired_difference(a, b, bounds=measured.chosen.bounds, weights=measured.weights, **known)
