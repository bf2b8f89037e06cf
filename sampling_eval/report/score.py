"""What `score` says."""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import option, spell_command
from ..results.rows import Method, Row
from ..results.score_report import Report, name_block
from .advice import describe, describe_advice
from .blocks import Block, Code, Fold, Grid, Headline, Later, Table, Text
from .estimate_tables import explain_weights, make_grid, make_list, make_overview
from .questions import has_questions, list_questions, open_questions
from .format import (TARGETS, count, count_range, describe_method, interval, join, level,
                     open_sentence, value)
from .score_parts import (describe_reruns, describe_truth, list_guarded, list_ordered,
                          list_portfolio, list_spend, list_truth)
from .headline import describe_answer, describe_extent, describe_size, describe_verdict
from .metric_names import (define_metrics, describe_columns, describe_rules, group_rows,
                           join_equal)
from .reading import describe_versions, list_sources
from .score_curves import draw_figures, draw_more
from .sources import cite

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["document", "page", "title", "methods", "plot"]


def title(result: Report) -> str: return result.title or "Report"


def document(result: Report) -> list[Block]:
    "The answer with its picture, what to do next, every metric; questions and methods folded."
    shown = result.shown()
    tables = list_tables(shown)
    first = [Headline(describe_answer(result), describe_verdict(shown))]
    said = [text for text in (describe_extent(shown), describe_reruns(result.reruns)) if text]
    truth = describe_truth(result.corrected, result.borrowed, result.confidence_level)
    return [*first, *map(Text, said), Text(f"{describe_size(result)}."), *map(Text, truth),
            *(Text(str(one), "caution") for one in result.cautions), *draw_figures(shown),
            *tables, *list_legend(shown, tables), *list_guarded(result.guarded),
            *list_portfolio(result.portfolio), *list_spend(result.spend),
            *list_ordered(result.ordered), *list_next(result),
            *(Text(text, "note") for text in list_notes(result)), *list_folds(shown)]


def page(
    result: Report,  # Result of `score`
) -> list[Block]:
    "The same with every question where each has one sample only, if its text may be shown."
    blocks = document(result)
    if has_questions(result) or not result.texts: return blocks
    each = list_questions(result, 1)
    return open_questions(blocks, [Fold("Every question", each)] if each else [])


def list_folds(result: Report) -> list[Block]:
    "What is shown on demand."
    several = len(result.blocks()) > 1
    folds = [Fold("Every metric", Later(list_metrics_and_curves, result))] * several
    folds += [Fold("Every question", Later(list_questions, result))] * has_questions(result)
    if result.corrected is not None or result.borrowed is not None:
        folds.append(Fold("Behind the outcomes", list_truth(result.corrected, result.borrowed)))
    return [*folds, Fold("All numbers", Later(list_numbers, result)),
            Fold("Methods", Later(list_methods, result))]


# Tables.

def list_tables(result: Report) -> list[Block]:
    "The metrics of the only model; of several one line each."
    blocks = result.blocks()
    if len(blocks) == 1: return list_block("", next(iter(blocks.values())), result)
    named = {name_block(key): rows for key, rows in blocks.items()}
    corner = result.system if any(model for model, _ in blocks) else "group"
    overview = make_overview(named, corner, result.letters)
    return [overview] if overview.columns else list_every_metric(result)


def list_every_metric(result: Report) -> list[Block]:
    "All metrics of each model and group, the best model first."
    return [block for key, rows in result.rank_blocks(result.blocks()).items()
            for block in list_block(name_block(key), rows, result)]


def list_metrics_and_curves(result: Report) -> list[Block]:
    return [*list_every_metric(result), *draw_more(result)]


def list_block(name: str, rows: Sequence[Row], result: Report) -> list[Block]:
    "The metrics of one model and group, and why some of its numbers are undefined."
    families, same = join_equal(group_rows(rows))
    curves = [family for family in families if len(family.rows) > 1]
    single = [family for family in families if len(family.rows) == 1]
    blocks: list[Block] = [make_grid(curves, name)] * bool(curves)
    if single: blocks.append(make_list(single, result.confidence_level, "" if curves else name))
    return [*blocks, *(Text(text, "note") for text in [*same, *list_reasons(rows)])]


def list_reasons(rows: Sequence[Row]) -> list[str]:
    "Why there is no standard error, and at which metrics where others have one."
    found: dict[str, dict[str, None]] = {}
    known = {row.metric for row in rows if not row.reason}  # Of one model at least
    for row in rows:
        reason = "" if row.metric in known else row.reason
        found.setdefault(reason, {})[row.metric] = None
    if len(found) < 2: return [f"No standard error: {reason}." for reason in found if reason]
    return [f"No standard error of {', '.join(metrics)}: {reason}."
            for reason, metrics in found.items() if reason]


HEAD = ["metric", "estimate", "std. error", "CI", "method", "questions", "samples"]


def list_numbers(result: Report) -> list[Block]:
    "Every number with what it rests on."
    return [Table(HEAD, [write_row(row) for row in result.rows], left=1)]


def write_row(row: Row) -> list[str]:
    name = " / ".join(filter(None, (row.model, row.group, row.metric)))
    method = "none" if row.interval is None else row.interval.name
    return [name, value(row.estimate, row.unit), value(row.stderr, row.unit),
            interval(row.low, row.high, row.unit), method, f"{row.questions:,}",
            count_range(row.n_min, row.n_max)]


# What the numbers mean.

def list_legend(result: Report, tables: Sequence[Block]) -> list[Block]:
    "What intervals, letters and columns mean."
    rows, overview = result.rows, [one for one in tables if isinstance(one, Grid)]
    several = len(result.blocks()) > 1
    said = [f"{place_intervals(tables)} {describe_intervals(result)}"]
    if result.letters:
        where = " in a column" * (len(result.letters) > 1)
        said.append(f"Models that share a letter{where} do not differ significantly (family-wise "
                    f"{level(result.confidence_level)}, {name_target(result)}).")
    if several and overview:
        found = {row.metric: row for row in rows}
        said.append(describe_columns(found[name] for name in overview[0].columns
                                     if name in found))
        said += list_reasons(rows)
    if not several: said.append(" ".join(describe_rules(rows)))
    return [Text(text, "note") for text in said if text]


def place_intervals(tables: Sequence[Block]) -> str:
    below = any(isinstance(one, Grid) for one in tables)
    return f"{'Below' if below else 'Beside'} each estimate:"


def describe_intervals(result: Report) -> str:
    "The level of the intervals, and what they are about."
    if all(row.low is None for row in result.rows):
        return "no CI; the reason stands with the numbers."
    assumed = [row.weights.assumed_largest_weight for row in result.rows if row.weights]
    most = max((one for one in assumed if one is not None), default=None)
    rest = f" (approximate: assumes no weight above {most:g})" if most is not None else ""
    return f"{level(result.confidence_level)} CI, {name_target(result)}{rest}."


def name_target(result: Report) -> str:
    "What intervals are about."
    if result.target == "both": return "for new questions and for the same questions"
    if result.target == "same_questions": return TARGETS[result.target]
    clustered = any(row.interval is not None and row.interval.clusters is not None
                    for row in result.rows)
    return "new clusters of questions" if clustered else TARGETS[result.target]


def list_next(result: Report) -> list[Block]:
    "What to do now: compare several models, or draw more of one."
    if not result.letters:
        advice = result.next
        # One question does not show how questions vary.
        if advice is None or advice.has_questions == 1: return []
        return [Text(describe_advice(advice))]
    asked = "how large the difference is, and on which questions"
    if result.command is None: return [Text(f"Next: compare tells {asked}.")]
    label = next(iter(result.letters))
    models = [model for model, _ in result.rank_blocks(result.blocks())]
    metric = re.sub(r"(?<=^avg@)\d+|(?<=^soft@)\d+|(?<=^mean@)\d+", "n", label)
    named = dict(metrics=metric) if metric != "pass@1" else {}
    # The worst model is the baseline.
    options = named | dict(models=models[::-1]) | result.command.options
    return [Text(f"Next: {asked}:"), Code(spell_command("compare", result.command.files, options))]


def list_notes(result: Report) -> Iterator[str]:
    "What is shown, what a reader has to know, and what was read."
    many = result.many
    if many is not None:
        shown = {getattr(row, many.what) for row in many.rows} & many.means.keys()
        yield (f"Shown: the {len(shown)} of {len(many.means):,} {many.what}s with the highest "
               f"{many.metric}. Files (.csv, .json), rows and to_frame() have all of them.")
        if many.what == "model":
            yield "Only the models shown were tested for copied runs and for runs that differ."
    for ragged in result.ragged:
        name = f"{ragged.model}: " if len({model for model, _ in result.blocks()}) > 1 else ""
        ends = f"k ends at {ragged.largest_k}, the fewest samples of a question; "
        be = "one is" if ragged.absent == 1 else "ones are"
        said = (f"{ends * (ragged.largest_k is not None)}if every question should have "
                f"{ragged.most} samples, pass {option('samples_per_question', ragged.most)}: the "
                f"{ragged.absent} absent {be} then missing.")
        yield f"{name}{said if name or ragged.largest_k is not None else open_sentence(said)}"
    missing = None if result.summary is None else result.summary.missing
    if missing is not None and missing.policy == "both":
        yield ("Missing samples: each metric lies between its two values; a CI for it runs from "
               "the lower end of the first to the upper end of the second.")
    yield from map(open_sentence, map(describe, result.agreement))
    yield from result.notes
    if result.left_out:
        found: dict[str, list[str]] = {}
        for name, why in result.left_out.items(): found.setdefault(why, []).append(name)
        listed = "; ".join(f"{', '.join(names)} ({why})" for why, names in found.items())
        yield f"Left out: {listed}."
    told = missing is not None and missing.count or result.summary is not None and (
        result.summary.kind != "outcomes")
    if told: yield open_sentence(result.read)


# Methods.

def list_methods(result: Report) -> list[Block]:
    "What was computed, of which files."
    return [Text(cite(methods(result))), *list_sources(result.sources)]


def methods(result: Report) -> str:
    "What was estimated, from which samples, with which intervals, and by which program."
    rows = result.rows
    weighted = next((row.weights for row in rows if row.weights is not None), None)
    equal = "" if weighted else ", with equal weight"
    numbers = [(row.metric, row.k, row.estimator) for row in rows if row.of_groups is None]
    said = [describe_models(result), describe_lost(result), define_metrics(numbers),
            f"Each metric is computed per question and averaged over questions{equal}.",
            explain_weights(weighted), *list_methods_of_intervals(result), *describe_band(result),
            describe_versions()]
    return " ".join(filter(None, said))


def describe_models(result: Report) -> str:
    "Questions and samples of every model."
    sizes = {key: f"{count(rows[-1].questions, 'question')} with "
                  f"{count_range(rows[-1].n_min, rows[-1].n_max, 'sample')} per question"
             for key, rows in result.whole_blocks().items()}
    models = list(dict.fromkeys(model for model, _ in sizes))
    if len(set(sizes.values())) == 1:
        who = f"Each of {len(models)} {result.systems}" if len(models) > 1 else models[0]
        return f"{who or 'The model'} was evaluated on {next(iter(sizes.values()))}."
    listed = "; ".join(f"{name_block(key)} on {size}" for key, size in sizes.items())
    return f"{open_sentence(result.systems)} were evaluated with repeated samples: {listed}."


def describe_lost(result: Report) -> str:
    "How many samples had no outcome, and what they count as."
    missing = None if result.summary is None else result.summary.missing
    if missing is None: return ""
    if not missing.count: return "" if missing.ragged else "No sample was missing."
    treated = dict(wrong="counted as wrong", drop="excluded", both="counted both ways")
    return (f"{count(missing.count, 'sample')} had no outcome and "
            f"{'was' if missing.count == 1 else 'were'} {treated.get(missing.policy, 'missing')}.")


def list_methods_of_intervals(result: Report) -> list[str]:
    "What the intervals are about, and how each was computed."
    same = "for the same questions"
    whom = same if result.target == "same_questions" else f"for {name_target(result)}"
    if result.target == "both": whom = "for new questions"
    pairs = ((whom, [row.interval for row in result.rows]),
             (same, [row.again_interval for row in result.rows]))
    said = [f"Two-sided {level(result.confidence_level)} confidence intervals {target}: "
            f"{name_methods([one for one in found if one is not None])}."
            for target, found in pairs if any(found)]
    if any(row.of_groups for row in result.rows):
        said.append("Means over groups give each group the same weight.")
    return said + ["Each interval holds for its number alone; none is adjusted for several "
                   "metrics or budgets."] * bool(said)


CITED = {"gaffke": "gaffke2005, vlassis2026", "clopper-pearson": "clopper1934",
         "gamma": "fay1997"}


def name_methods(methods: Sequence[Method]) -> str:
    "Interval methods with their sources, each once."
    plain = {describe_method(replace(one, same_as=""), False): one.name for one in methods}
    said = join([f"{text} @{{{CITED[name]}}}" if name in CITED else text
                 for text, name in plain.items()], "or")
    if not any(one.same_as for one in methods): return said
    return (f"{said}; where every question is 0 or 1 it is the Clopper-Pearson interval "
            "@{clopper1934}")


def describe_band(result: Report) -> list[str]:
    bands = [name for name in dict.fromkeys(row.band for row in result.rows) if name]
    if not bands: return []
    return [f"Simultaneous {level(result.confidence_level)} bands over all budgets of a metric "
            f"(band_low and band_high in files): {join(bands)}."]


def plot(
    result: Report,  # Result of `score`
    model: str | None = None,  # Which model; all of them if None
    metric: str | None = None,  # Which metric, `pass@k` or `pass@8`; chosen if None
    *,
    ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
    size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
) -> Axes:  # The Axes drawn on
    "Draw the metrics of one model over k, or one metric of several models or groups."
    from .score_plot import plot_report
    return plot_report(result, model, metric, ax=ax, size=size)
