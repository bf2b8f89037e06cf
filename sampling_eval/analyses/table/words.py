"""What a table of models by metrics says: who leads, the numbers with letters, how to read it."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...render.blocks import (
    SHARES, Block, Cell, Fold, Grid, GridLine, Headline, Intervals, Later, Line, Text)
from ...render.citations import cite
from ...render.drawing import LIGHT
from ...render.format import (
    TARGET_WORDS, count, count_range, describe_dead, difference, interval, join,
    join_some, level, open_sentence, value)
from ...render.latex import write_float
from ...render.plot import open_axes, plain
from ...render.text import measure
from ...render.verdicts import word_of
from ...results.rows import Row, Weighted
from ...results.verdict import Badge
from ..phrases.added import hear
from ..phrases.advice import describe_caution
from ..phrases.deciding import describe_method
from ..phrases.metrics import (
    MODELS_NAMED, decimals_for, define_metrics, enclose_ci, explain_letters, lead_over_others,
    make_cell, name_equal, write_estimate)
from ..phrases.reading import are_shares, describe_read, items_clause
from ..phrases.weights import explain_weights, max_weight_sentence, weighting_clause
from .result import Column, ModelTable

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["document", "title", "methods", "plot", "to_latex"]

RUN_DIFFERENCE = "run difference"  # Head of a column
HEAD = 24  # Columns of a terminal for the name of a group
DRAWN = 20  # Models that a picture holds at most


def title(result: ModelTable) -> str: return result.title or "models by metrics"


def document(result: ModelTable) -> list[Block]:
    "Which model leads, the table, how to read it, and how it was computed."
    cautions = [Text(one, "caution") for one in caution_sentences(result)]
    notes = [Text(one, "note") for one in legend_sentences(result)]
    return [Headline(leader_sentence(result), lead_verdict(result)),
            *map(Text, hear(result, "sentences")), Text(size_sentence(result)),
            *draw_models(result), *make_grids(result), *notes, *cautions,
            Fold("Methods", Later(methods_blocks, result))]


# The answer.

def leader_sentence(result: ModelTable) -> str:
    "Which model leads the first metric, by how much, and whether that is significant."
    column, models = result.first_column(), result.models
    first = result[models[0], column.metric, column.group]
    unit = first.unit
    ends = enclose_ci(first, result.confidence_level, result.target)
    number = f"{value(first.estimate, unit)} in {column.name}{ends}"
    if len(models) == 1: return f"{models[0]}: {number}." if models[0] else f"{number}."
    gaps = {model: round(first.estimate - result[model, column.metric, column.group].estimate, 12)
            for model in models}
    equal = [model for model, gap in gaps.items() if not gap]
    who = f"{models[0]} leads" if len(equal) < 2 else name_equal(equal)
    others = models[len(equal):]
    if not others: return f"{who} with {number}."
    ahead = f"{difference(gaps[others[0]], unit, sign=False)} ahead of {others[0]}"
    tied = [name for name in tied_with_leader(result, column) if name in others]
    verdict = lead_over_others(tied, len(others), f"all {len(others)} others")
    if len(models) == 2: verdict = word_of("not significant" if tied else "significant")
    elif len(others) == 1: verdict = lead_over_others(tied, 1, others[0])
    return f"{who} with {number}, {ahead}: {verdict}."


def tied_with_leader(result: ModelTable, column: Column) -> list[str]:
    "Models that do not differ significantly from the first."
    first, *others = result.models
    beside = {name for group in column.tied if first in group for name in group}
    return [name for name in others if name in beside]


def lead_verdict(result: ModelTable) -> Badge:
    "Whether the first model is significantly better than all others; empty for a single one."
    if len(result.models) == 1: return ""
    return "inconclusive" if tied_with_leader(result, result.first_column()) else "better"


def size_sentence(result: ModelTable) -> str:
    "What the table is about."
    group = result.groups[-1]
    rows = [row for row in result.numbers if row.group == group]
    questions = [row.questions for row in rows]
    samples = [n for row in rows for n in (row.n_min, row.n_max)]
    missing = {row.model: row.missing for row in rows}
    lost = count_range(min(missing.values()), max(missing.values()), "missing sample")
    each = " per model" * (len(missing) > 1)
    said = [count(len(result.models), "model"),
            count_range(min(questions), max(questions), "question")]
    if not are_shares(result.read):
        said += [f"{count_range(min(samples), max(samples), 'sample')} each",
                 f"{lost}{each}" if any(missing.values()) else "none missing"]
    # With groups each of them has its own weights.
    if result.groups == [""]: said += filter(None, [weighting_clause(overall_weights(result))])
    unit = "" if result.target == "same_questions" else items_clause(result.read)
    return (f"{result.title}: " if result.title else "") + "; ".join(
        filter(None, [", ".join(said), unit])) + "."


# The picture and the table.

def draw_models(result: ModelTable) -> list[Block]:
    "The first metric of each model with its interval; nothing for a single one, or too many."
    column = result.first_column()
    if not 1 < len(result.models) <= DRAWN: return []
    rows = [result[model, column.metric, column.group] for model in result.models]
    unit = rows[0].unit
    lines = [Line(row.model, f"{value(row.estimate, unit)} {column.letters[row.model]}",
                  row.estimate, row.low, row.high, interval(row.low, row.high, unit))
             for row in rows]
    alt = f"{column.name} of each model with its {level(result.confidence_level)} CI and letters"
    return [Intervals(lines, alt, **SHARES if unit == "share" else {})]


def make_grids(result: ModelTable) -> list[Grid]:
    "Models by metrics; with groups a grid per metric, models by groups."
    if result.groups == [""]: return [make_grid(result, result.columns)]
    return [make_grid(result, [one for one in result.columns if one.metric == metric], metric)
            for metric in result.metrics]


def make_grid(result: ModelTable, columns: Sequence[Column], title: str = "") -> Grid:
    found = [[result[model, one.metric, one.group] for one in columns] for model in result.models]
    decimals = decimals_for([row for line in found for row in line])
    lines = tuple(GridLine(model, "", tuple(
        write_cell(row, one.letters.get(model, ""), decimals, result)
        for row, one in zip(line, columns))) for model, line in zip(result.models, found))
    names = name_heads(result)
    heads = tuple(names[one.group] if title else one.metric for one in columns)
    if result.reruns:
        heads = *heads, RUN_DIFFERENCE
        lines = tuple(replace(line, cells=(*line.cells, write_run_difference(result, line.name)))
                      for line in lines)
    return Grid("model", heads, lines, title=title, wraps=True)


def write_cell(row: Row, letters: str, decimals: int, result: ModelTable) -> Cell:
    "A number with its interval and its letters."
    if result.errors == "ends": return replace(make_cell(row, decimals), letters=letters)
    number = write_estimate(row, decimals, named=False)
    return Cell(f"{number} ± {write_half(row, decimals)}", (), letters)


def write_run_difference(result: ModelTable, model: str) -> Cell:
    "By how many points two single runs must differ; a dash where that is unknown."
    found = result.run_differences[model]
    return Cell("-" if found is None else f"{100 * found:.1f}")


def write_half(row: Row, decimals: int) -> str:
    "The distance from the estimate to the farther end of its interval."
    if row.low is None or row.high is None: return "-"
    half = max(row.estimate - row.low, row.high - row.estimate)
    if row.unit == "score": return f"{half:.{decimals + 2}f}"
    return f"{100 * half:.{decimals}f} %"


def name_heads(result: ModelTable) -> dict[str, str]:
    "The groups as heads of columns: `mean of 3`, and a number where a name is long."
    names = {group: group for group in result.groups}
    # With several groups the last column is their mean.
    if len(names) > 1: names[result.groups[-1]] = f"mean of {len(names) - 1}"
    return {group: head if measure(head) <= HEAD else f"({i})"
            for i, (group, head) in enumerate(names.items(), 1)}


# How to read it.

def legend_sentences(result: ModelTable) -> Iterator[str]:
    "What intervals and letters mean, and what else has to be known."
    yield bars_sentence(result)
    yield from why_no_stderr(result)
    if len(result.models) > 1:
        each = ", each column by itself" * (len(result.columns) > 1)
        yield explain_letters(result.confidence_level, TARGET_WORDS[result.target] + each)
    for group, head in name_heads(result).items():
        if measure(group) > HEAD: yield f"{head}: {group}."
    if len(result.groups) > 1: yield "The mean of the groups gives each group the same weight."
    if result.reruns:
        few = any(one is not None and one.least_difference_95 is None
                  for one in result.reruns.values())
        yield (f"{RUN_DIFFERENCE}: two single runs of a model, one sample of each question, differ "
               f"by more points in about 1 of 20 reruns{'; -: too few flaky questions' * few}.")
    yield from disputed_pairs(result)
    yield from named_test_results(result)
    if result.dead is not None and len(result.models) > 1: yield describe_dead(result.dead)
    yield from left_out_sentences(result)
    yield from basis_sentences(result)
    for metric in result.unscaled:
        yield (f"{metric}: no range of scores is stated, so its CI is a t interval (approximate); "
               "with a range (option scale) it is assumption-free.")


def bars_sentence(result: ModelTable) -> str:
    if all(row.low is None for row in result.numbers): return "There is no CI."
    known = [row.interval.method.max_weight for row in result.numbers
             if row.interval is not None]
    assumed = max((one for one in known if one is not None), default=None)
    more = "" if assumed is None else f"; approximate: assumes no weight above {assumed:g}"
    ci = f"{level(result.confidence_level)} CI ({TARGET_WORDS[result.target]}{more})"
    if result.errors == "half": return f"±: distance to the farther end of the {ci}."
    return f"Below each estimate: {ci}."


def why_no_stderr(result: ModelTable) -> Iterator[str]:
    "Why there is no interval, where there is none."
    if all(row.low is not None for row in result.numbers): return
    found: dict[str, dict[str, None]] = {}
    for row in result.numbers:
        if row.reason: found.setdefault(row.reason, {})[row.metric] = None
    for reason, metrics in found.items():
        yield f"No standard error of {join(list(metrics))}: {reason}."


def disputed_pairs(result: ModelTable) -> Iterator[str]:
    "Pairs of models that have another verdict without assumptions."
    for own, verdict in ((False, "significant"), (True, "inconclusive")):
        found = [f"{better} over {worse} in {one.name}" for one in result.columns
                 for better, worse, ours in one.disputed if ours == own]
        if found:
            yield (f"Without assumptions (Holm): {word_of(verdict)} for "
                   f"{join_some(found, MODELS_NAMED)}.")


def named_test_results(result: ModelTable) -> Iterator[str]:
    "What a test that was asked for by name finds."
    for one in result.columns:
        if not one.named_tests: continue
        found = [f"{better} over {worse}" for better, worse in one.named_apart]
        yield (f"Significant in {one.name} by {join(one.named_tests, 'or')} (Holm): "
               f"{join_some(found, MODELS_NAMED) or 'none'}.")


def left_out_sentences(result: ModelTable) -> Iterator[str]:
    "Groups and questions that only some models have."
    for one in result.lacking:
        yield f"Group {one.group} is left out: {count(one.models, 'model')} without it."
    for group, found in result.alignments.items():
        if not found.left_out: continue
        where = f" of {group}" if group else ""
        most = max(one.questions for one in found.unmatched)
        yield (f"Only the {count(found.common, 'question')}{where} of all models are compared; up "
               f"to {most:,} of a model are left out.")


def basis_sentences(result: ModelTable) -> Iterator[str]:
    if result.equal_weights:
        yield f"Weights: {result.equal_weights} gives all questions the same weight."
    weighted = overall_weights(result)
    if weighted is None: return
    if len(result.groups) > 1:
        yield f"Within a group questions are weighted by {weighted.weighted_by}."
    yield max_weight_sentence(weighted)


def overall_weights(result: ModelTable) -> Weighted | None:
    "How questions are weighted, with the largest weight of all groups."
    found = [row.weights for row in result.numbers if row.weights is not None]
    return max(found, key=lambda one: one.largest_weight, default=None)


def caution_sentences(result: ModelTable) -> list[str]:
    "What may be wrong with the data."
    read = [note.sentence for one in result.read.values() for note in one.warnings]
    said = [*read, *map(describe_caution, result.cautions)]
    return list(dict.fromkeys(said))


# How it was computed.

def inputs_sentence(result: ModelTable) -> str:
    "What was read."
    return open_sentence(describe_read(result.read))


def methods_blocks(result: ModelTable) -> list[Block]:
    return [Text(cite(methods(result))), Text(inputs_sentence(result), "note")]


def methods(result: ModelTable) -> str:
    "What was computed and how."
    return " ".join(filter(None, explain_methods(result)))


def explain_methods(result: ModelTable) -> Iterator[str]:
    yield define_metrics((row.metric, row.k, row.estimator) for row in result.numbers
                         if row.of_groups is None)
    yield "Each metric is computed per question and averaged over questions."
    yield explain_weights(overall_weights(result))
    known = [row.interval for row in result.numbers if row.interval is not None]
    if known: yield f"CIs: {join_once(map(describe_method, known))}."
    if len(result.models) == 1: return
    tests = join_once(test for one in result.columns for test in one.tests)
    yield (f"Letters: {tests}, two-sided, Holm's correction over all pairs of models in each "
           "column @{holm1979}.")


def join_once(texts: Iterable[str]) -> str: return "; ".join(dict.fromkeys(texts))


def to_latex(result: ModelTable) -> str:
    "A float for the package `booktabs`, with caption and label."
    said = [f"{', '.join(result.metrics)}.", size_sentence(result), *hear(result, "sentences"),
            *legend_sentences(result)]
    return write_float(make_grids(result), " ".join(said), "tab:models",
                       [*caution_sentences(result), inputs_sentence(result), cite(methods(result))])


def plot(
    result: ModelTable, metric: str | None = None, *, ax: Axes | None = None,
    size: str | float | None = None,
) -> Axes:
    "A metric of every model with its interval, the best at the top, letters at the right."
    column = result.first_column(metric)
    rows = [result[model, column.metric, column.group] for model in result.models]
    y = np.arange(len(rows))[::-1]
    low, high = np.array([[row.low, row.high] for row in rows], float).T
    with open_axes(ax, size, rows=len(rows)) as ax:
        ax.hlines(y, low, high, color=LIGHT[0])
        ax.plot([row.estimate for row in rows], y, "o", color=LIGHT[0])
        for row, place in zip(rows, y):
            ax.annotate(column.letters.get(row.model, ""), (1.01, place), va="center",
                        xycoords=("axes fraction", "data"))
        ax.set_yticks(y, [plain(row.model) for row in rows])
        ax.set(xlabel=plain(column.metric), ylim=(-.6, len(rows) - .4))
    return ax
