"""What a comparison of several systems says: who is first, and who is tied."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...inference.intervals import ASSUMPTION_FREE, FREE
from ...render.blocks import (
    Block, Cell, Curves, Fold, Grid, GridLine, Headline, Later, Table, Text)
from ...render.citations import cite
from ...render.drawing import shorten_names
from ...render.format import (
    TARGET_WORDS, count, decimal, describe_alignment, difference, difference_interval, join,
    join_some, level, open_sentence, pvalue, value, write_interval)
from ...render.plot import open_axes, plot_curves, plot_forest
from ...render.verdicts import SIGNIFICANTLY, significantly, word_of
from ..phrases.added import hear
from ..phrases.advice import describe_advice
from ..phrases.metrics import (
    MODELS_NAMED, define_metrics, explain_letters, name_equal, order_budgets)
from ..phrases.questions import open_questions, side_blocks
from ..phrases.reading import items_clause, made_on, versions_sentence
from .result import MultipleComparison, Pair, Ranks, letter_models
from .words import (LETTER, define_intervals, draw_systems, inputs_sentence, is_mixed,
                    named_test_result, stated_range)

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["document", "page", "title", "methods", "plot"]

PAIRS_NAMED = 6  # Pairs that are named in a sentence
LETTERS_IN_PAIR = 14  # Letters of a name in a column of pairs


def title(result: MultipleComparison) -> str: return f"sampling_eval: {result.heading}"


def document(result: MultipleComparison) -> list[Block]:
    "Who is first, the values of all with letters and ranks, and every pair."
    step = [] if result.next is None else [describe_advice(result.next)]
    texts = [other_metrics(result), *hear(result, "sentences"), *step]
    beside = [*disputed_pairs(result), *named_test_result(result.rows),
              *stated_range(result.rows)]
    first = leader_sentence(result, *next(iter(result.rankings.items())))
    return [Headline(first), *map(Text, filter(None, texts)),
            *draw_result(result), Text(material_sentence(result)), make_grid(result),
            *(Text(text, "note") for text in explain_grid(result)), *map(Text, beside),
            Fold("All pairs", Later(pair_tables, result)),
            Fold("Methods", Later(methods_blocks, result)),
            *(Text(text, "note") for text in [*result.notes, *inputs_sentence(result.read)])]


def page(result: MultipleComparison) -> list[Block]:
    "The same with every question, and the day."
    each = side_blocks(result.questions, {name: name for name in result.names or ()})
    return [*open_questions(document(result), each), Text(f"Made on {made_on()}.", "note")]


# The answer.

def leader_sentence(result: MultipleComparison, metric: str, ranks: Ranks) -> str:
    "The value of the first system, whom it is better than, and which others are tied."
    best, first = round(ranks.means[0], 12), ranks.systems[0]
    equal = [name for name, mean in zip(ranks.systems, ranks.means) if round(mean, 12) == best]
    others = ranks.systems[len(equal):]
    groups = [group for group in ranks.tied if len(group) > 1]
    near = {name for group in groups if set(equal) & set(group) for name in group}
    tied = [name for name in others if name in near]
    behind = [name for name in others if name not in near]
    said = [f"{verdict} {name_some(names, others)}" for verdict, names in
            ((f"{significantly('better')} than", behind),
             (f"{word_of('inconclusive')} against", tied)) if names]
    who = f"{first} leads in" if len(equal) < 2 else f"{name_equal(equal)} in"
    verdicts = f": {', '.join(said)}" * bool(said)
    return (f"{who} {metric} ({value(ranks.means[0], result.unit)}){verdicts}."
            f"{open_pairs_clause(groups, first, behind)}")


def name_some(names: Sequence[str], others: Sequence[str]) -> str:
    "Some of the systems but the first, or how many they are."
    if len(names) == len(others) > 1:
        return "both others" if len(others) == 2 else f"all {len(others)} others"
    return join(names) if len(names) <= MODELS_NAMED else f"{len(names)} others"


def open_pairs_clause(groups: Sequence[Sequence[str]], first: str, behind: Collection[str]) -> str:
    "Which of the systems that are worse than the first do not differ significantly."
    rest = [group for group in groups if first not in group]
    if not rest: return f" All others differ {SIGNIFICANTLY} too." if len(behind) > 1 else ""
    if len(rest) > 1 or len(rest[0]) > MODELS_NAMED: return " Some of the others are tied."
    return f" {join(rest[0])}: {word_of('inconclusive')}."


def ranked_systems(result: MultipleComparison) -> tuple[str, ...]:
    "The systems, best in the first metric first."
    return next(iter(result.rankings.values())).systems


def other_metrics(result: MultipleComparison) -> str:
    "The other metrics: where the verdicts are the same, and what differs elsewhere."
    (_, ranks), *others = result.rankings.items()
    same = [metric for metric, one in others if verdicts_key(one) == verdicts_key(ranks)]
    rest = [(metric, one) for metric, one in others if metric not in same]
    # Of many the last one stands for them, since the table has them all.
    if len(rest) > MODELS_NAMED: rest = rest[-1:]
    named = join(same) if 0 < len(same) <= MODELS_NAMED else (
        f"{len(same)} more metrics, from {same[0]} to {same[-1]}" if same else "")
    said = [f"Same verdicts in {named}."] if same else []
    return " ".join(said + [leader_sentence(result, metric, one) for metric, one in rest])


def verdicts_key(ranks: Ranks) -> tuple[object, ...]:
    "Which system is first and all verdicts, whatever the order of the others."
    places = frozenset(zip(ranks.systems, ranks.rank_low, ranks.rank_high))
    return ranks.systems[0], places, frozenset(map(frozenset, ranks.tied))


def material_sentence(result: MultipleComparison) -> str:
    "How many systems there are, and on how many questions."
    named = f"{result.title}: " if result.title else ""
    shared = open_sentence(describe_alignment(result.alignment))
    unit = items_clause(result.read)
    more = f" {open_sentence(unit)}." if unit else ""
    return f"{named}{count(len(ranked_systems(result)), 'system')}. {shared}.{more}"


def disputed_pairs(result: MultipleComparison) -> list[str]:
    "Which pairs have another verdict without assumptions, with the same correction."
    alpha = 1 - result.confidence_level
    found = [row for row in result.rows
             if row.p_holm_without is not None and (row.p_holm_without <= alpha) != row.apart]
    verdicts = {False: "significant", True: "inconclusive"}
    return [f"Without assumptions (Holm): {word_of(verdicts[apart])} for "
            f"{name_pairs([row for row in found if row.apart == apart])}."
            for apart in verdicts if any(row.apart == apart for row in found)]


def name_pairs(rows: Sequence[Pair]) -> str:
    pairs = [(row.first, row.second) if row.difference > 0 else (row.second, row.first)
             for row in rows]
    return join_some([f"{better} over {worse} in {row.metric}"
                      for (better, worse), row in zip(pairs, rows)], PAIRS_NAMED)


# The table.

def make_grid(result: MultipleComparison) -> Grid:
    "Systems by metrics: means with letters, above their CIs, as `score` has them, and the ranks."
    columns = [metric_cells(result, ranks, i) for i, ranks in enumerate(result.rankings.values())]
    lines = [GridLine(system, "", tuple(cells[system] for cells in columns))
             for system in ranked_systems(result)]
    order = ()
    if result.sides is not None: order = order_budgets([k or 0 for k in result.sides[0].k])
    kinds = (f"{level(result.confidence_level)} CI", "ranks") if result.sides else ()
    return Grid("model", tuple(result.rankings), tuple(lines), kinds, order=order)


def metric_cells(result: MultipleComparison, ranks: Ranks, i: int) -> dict[str, Cell]:
    "The mean of each system, its CI at a budget, its possible ranks and its letters."
    letters = letter_models(ranks.tied)
    known = {side.name: (side.low[i], side.high[i]) for side in result.sides or ()}
    ends = {name: (write_interval(*span, result.unit == "share", 1),)
            for name, span in known.items()}
    places = zip(ranks.systems, ranks.means, ranks.rank_low, ranks.rank_high)
    return {system: Cell(value(mean, result.unit),
                         (*ends.get(system, ()), write_rank(low, high)), letters[system])
            for system, mean, low, high in places}


def write_rank(low: int, high: int) -> str: return f"{low}" if low == high else f"{low}\u2013{high}"


def explain_grid(result: MultipleComparison) -> list[str]:
    "What the letters and the ranks of the table mean."
    each = " in a column" * (len(result.rankings) > 1)
    spans = [(low, high) for ranks in result.rankings.values()
             for low, high in zip(ranks.rank_low, ranks.rank_high) if low < high]
    example = ""
    if spans:
        low, high = spans[0]
        word = "or" if high - low == 1 else "to"
        example = f"; {write_rank(low, high)} means {low} {word} {high}"
    ends = f"{level(result.confidence_level)} CI (new questions); " * bool(result.sides)
    return [explain_letters(result.confidence_level, TARGET_WORDS[result.target], each),
            f"Below each value: {ends}possible ranks, 1 for the best{example}. Every pair with its "
            "difference, CI and p value: --how, or any file."]


# Pairs.

def pair_tables(result: MultipleComparison) -> list[Block]:
    "Every pair of systems, metric by metric."
    ends, alpha = level(result.confidence_level), f"{1 - result.confidence_level:.2g}"
    told = (f"Significant ({TARGET_WORDS[result.target]}) "
            "where the p value with Holm's correction is "
            f"at most {alpha}. CI and p are of each pair by itself.{explain_methods(result.rows)}")
    heads = ["pair", "verdict", "difference", f"{ends} CI", "standard error", "p", "p (Holm)"]
    systems = ranked_systems(result)
    names = dict(zip(systems, shorten_names(systems, LETTERS_IN_PAIR)))
    test_level = 1 - result.confidence_level
    mixed = is_mixed([row.method for row in result.rows])
    tables = [Table(heads, [write_pair(row, names, test_level, mixed) for row in result.rows
                            if row.metric == metric], metric, left=2)
              for metric in result.rankings]
    return [Text(told, "note"), *tables]


def explain_methods(rows: Sequence[Pair]) -> str:
    "What the letter beside some intervals means; empty where none is."
    said = f" CIs are paired t; {LETTER}: {ASSUMPTION_FREE}, where too little stands behind t."
    return said * is_mixed([row.method for row in rows])


def write_pair(row: Pair, names: dict[str, str], alpha: float, mixed: bool) -> list[str]:
    better = names[row.first if row.difference > 0 else row.second]
    mark = f" {LETTER}" * (mixed and row.method == FREE)
    return [f"{names[row.first]} - {names[row.second]}",
            f"{better} {word_of('better')}" if row.apart else word_of("inconclusive"),
            difference(row.difference, row.unit),
            difference_interval(row.low, row.high, row.unit) + mark, decimal(row.stderr),
            pvalue(row.p, equals=False, alpha=alpha),
            pvalue(row.p_holm, equals=False, alpha=alpha)]


# Pictures.

def draw_curves(result: MultipleComparison) -> Curves | None:
    "All systems over the budgets; None at one budget."
    if result.sides is None or len(result.rankings) < 2: return None
    return draw_systems(result.sides, next(iter(result.rankings)), result.unit, result.heading,
                        result.confidence_level)


def draw_result(result: MultipleComparison) -> list[Block]:
    "The curves where values are shares of 1."
    curves = draw_curves(result)
    return [curves] if curves is not None and all(0 <= one <= 1 for one in curves.values) else []


def plot(
    result: MultipleComparison, metric: str | None = None, *, ax: Axes | None = None,
    size: str | float | None = None,
) -> Axes:
    "All systems over the budgets; at one budget every system against the best one."
    if metric not in (None, *result.rankings):
        raise ValueError(f"metric must be one of {list(result.rankings)}, got {metric!r}")
    curves = draw_curves(result) if metric is None else None
    if curves is not None: return plot_curves(curves, ax=ax, size=size)
    metric = metric or next(iter(result.rankings))
    best = result.rankings[metric].systems[0]
    rows = [row for row in result.rows if (row.metric, row.first) == (metric, best)]
    # A pair is the first less the second; the figure shows the second less the first.
    high, low = -np.array([[row.low, row.high] for row in rows], float).T
    values = [-row.difference for row in rows], low, high
    label = f"{metric}: difference from {best}"
    with open_axes(ax, size, rows=len(rows)) as ax:
        return plot_forest([row.second for row in rows], *values, ax=ax, label=label)


# Methods.

def methods_blocks(result: MultipleComparison) -> list[Block]:
    return [Text(cite(methods(result)))]


def methods(result: MultipleComparison) -> str:
    "What was compared and how."
    tests = " or ".join(dict.fromkeys(row.test_holm for row in result.rows))
    metrics = ", ".join(result.rankings)
    defined = define_metrics((name, k, result.estimator)
                             for name, k in zip(result.rankings, result.k))
    ends = define_intervals([row.interval for row in result.rows],
                            f"each pair by itself, {TARGET_WORDS[result.target]}")
    return " ".join([
        f"All pairs of {count(len(ranked_systems(result)), 'system')} were compared in {metrics}, "
        f"{TARGET_WORDS[result.target]}.", defined,
        f"Two-sided tests: {tests}, with Holm's correction over the pairs of each metric "
        f"@{{holm1979}} at {level(result.confidence_level)}.", *ends, versions_sentence()])
