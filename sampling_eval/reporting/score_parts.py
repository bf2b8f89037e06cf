"""What the report of a score says."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..report.advice import describe_advice
from .families import Family, group_rows, name_family, say_meaning, say_rules
from .headline import Blocks, say_samples, say_size
from .intervals import explain_gaffke
from .letters import say_letters
from .many import say_shown, say_sizes
from .matrix import make_list, make_matrix, make_overview
from .numbers import percent
from .openings import say_range, say_read
from .parts import Lead, Matrix, Note, Part, Typed
from .records import join_field
from .weights import explain_weights, say_assumed, say_weights

if TYPE_CHECKING:
    from .report_facts import ReportFacts
    from .rows import Row

__all__ = ["score_parts", "screen_parts", "list_budgets", "list_tables", "say_legend",
           "join_equal", "sort_blocks", "say_next", "spell_next", "describe_method",
           "order_flaky"]


def score_parts(
    report: ReportFacts,  # Result of `score`
) -> list[Part]:  # The answer, every number, what was read and how it was computed
    "What a report says, in order; of very many models and groups those that are shown."
    if report.many is not None:
        return [*score_parts(report.shorten()), Note(say_shown(report.many))]
    tables = list_tables(report)
    legend = say_legend(report, place(tables)), *say_rules(report.rows), *say_next(report)
    told = map(say_read, [report.read, *report.notes])
    notes = *legend, *told, describe_method(report)
    return [Lead(report.headline), *warn(report), *map(show_all, tables), *map(Note, notes)]


def show_all(part: Part) -> Part:
    "A matrix whose columns without room stand below; any other part as it is."
    return replace(part, wraps=True) if isinstance(part, Matrix) else part


def place(tables: Sequence[Part]) -> str:
    "Where the intervals stand in tables."
    below = any(isinstance(part, Matrix) for part in tables)
    return f"{'Below' if below else 'Beside'} each estimate its"


def warn(
    report: ReportFacts,  # Result of `score`
) -> list[Part]:  # One line each, none where nothing is known
    "What may be wrong with the data."
    return [Lead(f"Warning: {text}") for text in report.cautions]


def list_tables(
    report: ReportFacts,  # Result of `score`
    alone: str | None = None,  # Title of a block that has no other beside it; None is its name
    blocks: Blocks | None = None,  # The same rows in another order; as they stand
) -> list[Part]:  # A table of all models and groups, and one for each
    "Every metric of every block; a block whose numbers all stand in the first table has no other."
    blocks, level = blocks or report.blocks(), report.confidence_level
    if len(blocks) == 1:
        ((key, rows),) = blocks.items()
        return list_block(report.name(key) if alone is None else alone, rows, level)
    overview = list_overview(report, blocks)
    shown = {column for part in overview if isinstance(part, Matrix) for column in part.columns}
    whole = all(row.metric in shown for row in report.rows)
    if whole: return [*overview, *map(Note, list_reasons(report.rows))]
    return overview + [part for key, rows in blocks.items()
                       for part in list_block(report.name(key), rows, level)]


def say_next(report: ReportFacts) -> list[str]:
    "What would halve the first interval, if that can be said."
    # One question does not show how questions vary.
    if report.next is None or report.next.has_questions == 1: return []
    return [describe_advice(report.next)]


def spell_next(
    report: ReportFacts,  # Result of `score`
) -> list[str]:  # One command; none where models were not compared, or where it is not known
    "The command that compares the models."
    best = find_best(report)
    if best is None or report.spelled is None: return []
    label, models = best
    metric = re.sub(r"(?<=^avg@)\d+|(?<=^soft@)\d+|(?<=^mean@)\d+", "n", label)
    # The worst model is the baseline.
    return [f"Next: {report.spelled(metric, models[::-1])}"]


def screen_parts(
    report: ReportFacts,  # Result of `score`
) -> list[Part]:  # The same without the method, and one line per model where there are several
    "What the first screen says."
    many, report = report.many, report.shorten()
    blocks = report.blocks()
    size = say_size(blocks, report.title, report.kind)
    if many is not None and many.what == "model": size = say_sizes(many, report.title)
    parts: list[Part] = [Lead(size), Lead(report.headline), *warn(report)]
    overview = list_overview(report, blocks)
    tables = overview or list_tables(report, "")
    if many is not None: tables = [*tables, Note(say_shown(many))]
    rules = [" ".join(say_rules(report.rows))] * (not overview)
    legend = say_legend(report, place(tables)), *rules, *say_next(report)
    said = [*filter(None, legend), say_read(report.read), *map(shorten_note, report.notes)]
    return [*parts, *tables, *map(Lead, said), *map(Typed, spell_next(report))]


def list_overview(report: ReportFacts, blocks: Blocks) -> list[Part]:
    "One line per model and group, where there are several that share a metric."
    if len(blocks) == 1: return []
    named = {report.name(key): rows for key, rows in blocks.items()}
    corner = "model" if any(model for model, _ in blocks) else "group"
    overview = make_overview(named, corner, report.letters)
    if corner == "model": overview = replace(overview, corner=report.kind)
    if not overview.columns: return []
    return [overview, *map(Note, [*say_marks(report), *say_columns(overview.columns)])]


def say_columns(
    columns: Sequence[str],  # Names of metrics with their budgets
) -> list[str]:  # One sentence; none where no metric has a meaning
    "What the metrics of an overview ask."
    ks = {name: int("".join(re.findall(r"(?<=[@^])\d+", name)) or 1) for name in columns}
    said = [f"{name}: {say_column(name, k)}" for name, k in ks.items()
            if k > 1 and say_meaning(name_family(name))]
    return [f"{'; '.join(said)}."] * bool(said)


def say_column(name: str, k: int) -> str:
    "What a metric asks of its k samples."
    meaning = say_meaning(name_family(name))
    tie = " (a tie counts as wrong)" * (name.startswith("cons@") and k % 2 == 0)
    return meaning + tie


def find_best(
    report: ReportFacts,  # Result of `score`
) -> tuple[str, list[str]] | None:  # The first metric of the table, and the models, best first
    "By which metric the models are ordered; None where they were not compared."
    if not report.letters: return None
    label = next(iter(report.letters))
    values = {row.model: row.estimate for row in report.rows if row.metric == label}
    return label, sorted(values, key=lambda model: -values[model])


def sort_blocks(
    report: ReportFacts,  # Result of `score`
) -> Blocks:  # Rows by model and group, in the order of the table of all models
    "The blocks, the best model first where models were compared."
    blocks, best = report.blocks(), find_best(report)
    if best is None: return blocks
    return dict(sorted(blocks.items(), key=lambda item: best[1].index(item[0][0])))


def list_block(title: str, rows: Sequence[Row], level: float) -> list[Part]:
    "The metrics of one model and group, and why some of its numbers are undefined."
    families, same = join_equal(group_rows(rows))
    curves = [family for family in families if len(family.rows) > 1]
    single = [family for family in families if len(family.rows) == 1]
    parts: list[Part] = [make_matrix(curves, title)] * bool(curves)
    if single: parts.append(make_list(single, percent(level), "" if curves else title))
    return [*parts, *map(Note, [*same, *list_reasons(rows)])]


def list_reasons(rows: Sequence[Row]) -> list[str]:
    "Why there is no standard error, and at which metrics where others have one."
    found: dict[str, dict[str, None]] = {}
    for row in rows: found.setdefault(row.reason, {})[row.metric] = None
    if len(found) < 2: return [f"No standard error: {reason}." for reason in found if reason]
    return [f"No standard error of {', '.join(metrics)}: {reason}."
            for reason, metrics in found.items() if reason]


def join_equal(
    families: Sequence[Family],  # Metrics of one model and group
) -> tuple[Sequence[Family], list[str]]:  # Those that differ, and a sentence on the others
    "With one sample a question most metrics are one number, which is told once."
    if len(families) < 2 or not have_one_sample(families): return families, []
    first = families[0].rows[0]
    alike = [family for family in families[1:] if is_same(family.rows[0], first)]
    if not alike: return families, []
    # The mean over the thresholds above one half has no term at k = 1.
    empty = [family for family in families if family.rows[0].metric == "mg-pass@1"]
    rest = [family for family in families if family not in (*alike, *empty)]
    more = ["mg-pass@1 is not shown: it is 0 by its definition."] * bool(empty)
    return rest, [say_alike(alike), *more]


def have_one_sample(families: Sequence[Family]) -> bool:
    return all(row.n_max <= 1 for family in families for row in family.rows)


def say_alike(families: Sequence[Family]) -> str:
    "Which metrics are one number."
    names = ", ".join(family.rows[0].metric for family in families)
    verb = "is" if len(families) == 1 else "are"
    return f"With one sample a question {names} {verb} the same number."


def is_same(row: Row, other: Row) -> bool:
    return (row.estimate, row.low, row.high) == (other.estimate, other.low, other.high)


def say_legend(
    report: ReportFacts,  # Result of `score`
    where: str = "Below each estimate its",  # Where the intervals are seen
) -> str:  # One sentence
    "What the intervals are about."
    kinds = {row.stderr_kind for row in report.rows if row.low is not None}
    if not kinds: return "There is no interval; the reason stands with the numbers."
    said = f"{where} {percent(report.confidence_level)} % interval{'s' * ('their' in where)}"
    assumed = say_assumed(report.rows)
    rest = f"; {assumed}." if assumed else "."
    if any(row.again_interval for row in report.rows):
        return f"{said}, for new questions of this kind and for these questions, run again{rest}"
    whom = dict.fromkeys(map(say_whom, sorted(kinds)))
    return f"{said}, {' or '.join(whom)}{rest}"


def say_marks(
    report: ReportFacts,  # Result of `score`
) -> list[str]:  # One sentence; none where there are no letters
    "What the letters of models mean."
    if not report.letters: return []
    whom = say_whom(report.rows[0].stderr_kind)
    return [say_letters(report.confidence_level, whom, len(report.letters) > 1)]


def say_whom(kind: str) -> str:
    "What an interval holds for, in plain words."
    if kind.startswith("within"): return "for these questions, run again"
    if "clusters" in kind: return "for new clusters of questions"
    if "groups" in kind: return "for new questions in the same groups"
    return "for new questions of this kind"


def shorten_note(note: str) -> str:
    "What was left out and why, without the way out; any other note as it stands."
    if not note.startswith("left out: "): return say_read(note)
    return say_read(re.sub(r";[^()]*(?:\([^()]*\)[^()]*)*\)", ")", note))


def order_flaky(
    share: np.ndarray,  # Share of right samples per question, shape `(Q,)`
) -> np.ndarray:  # Positions of the flaky ones, those closest to even first
    "The questions that are neither always nor never right."
    order = np.argsort(np.abs(share - .5), kind="stable")
    return order[(share[order] > 0) & (share[order] < 1)]


# The method in sentences.

def describe_method(
    report: ReportFacts,  # Result of `score`
) -> str:  # Sentences fit for a paper
    "What was computed and how, from the rows themselves."
    rows = report.rows
    kinds = " and ".join(dict.fromkeys(row.stderr_kind for row in rows))
    weights = explain_weights(rows)
    return (f"{describe_sizes(report)}. {describe_metrics(rows)}. {weights}{' ' * bool(weights)}"
            f"Standard errors: {kinds}. {describe_intervals(rows)}.{describe_bands(rows)}")


def describe_sizes(report: ReportFacts) -> str:
    "Questions, samples and missing ones of every model and group."
    blocks = {key: rows[-1] for key, rows in report.blocks().items()}
    sizes = set(map(describe_size, blocks.values()))
    kind = "models" if len({model for model, _ in blocks}) == len(blocks) else "groups"
    if len(blocks) > 1 == len(sizes): return f"Each of {len(blocks)} {kind}: {sizes.pop()}"
    named = {key: f"{report.name(key)}: " if len(blocks) > 1 else "" for key in blocks}
    return "; ".join(named[key] + describe_size(row) for key, row in blocks.items())


def describe_size(row: Row) -> str:
    questions = f"{row.questions} question" + "s" * (row.questions != 1)
    samples = f"{say_range(row.samples)} sample" + "s" * (row.samples != "1")
    each = [f"{samples} each", f"{row.missing or 'none'} missing"]
    if row.n_min < row.n_max: each = say_samples([row])
    return ", ".join([questions, *each, *say_weights([row])])


def describe_metrics(rows: Sequence[Row]) -> str:
    "Every metric with its budgets and its estimator; metrics that differ in name only together."
    budgets: dict[tuple[str, str], list[int | None]] = {}
    for row in rows:
        name = re.sub(r"(?<=[@^])\d+", "n" if row.k is None else "k", row.metric)
        budgets.setdefault((name, row.estimator), []).append(row.k)
    alike: dict[tuple[str, str], list[str]] = {}
    for (name, estimator), ks in budgets.items():
        alike.setdefault((estimator, list_budgets(ks)), []).append(name)
    return "; ".join(f"{', '.join(names)}{at}: {estimator}"
                     for (estimator, at), names in alike.items())


def list_budgets(
    ks: Sequence[int | None],  # Budgets of a metric; None where it has none
) -> str:  # ` for k = 1, 2`
    "The budgets of a metric in words."
    if ks[0] is None: return ""
    return f" for k = {', '.join(map(str, dict.fromkeys(ks)))}"


def describe_intervals(rows: Sequence[Row]) -> str:
    found = join_field([row for row in rows if row.low is not None], "interval") or "none"
    known = found + explain_gaffke(found)
    again = join_field(rows, "again_interval")
    if not again: return f"Intervals: {known}"
    return (f"Intervals for new questions of this kind: {known}; "
            f"for these questions, run again: {again}")


def describe_bands(rows: Sequence[Row]) -> str:
    method = join_field(rows, "band")
    if not method: return ""
    return (" Each interval is for its k alone; "
            f"band_low and band_high, in files, hold at all k at once ({method}).")
