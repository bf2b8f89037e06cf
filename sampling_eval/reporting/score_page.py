"""The page of a score: the answer, figures, every metric, every question, and where it is from."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .families import Family, group_rows, say_meaning
from .headline import Blocks, find_first, find_main, say_share, say_size
from .numbers import digits, percent, span_text
from .openings import say_read
from .parts import (Beside, Chart, Folded, Heading, Key, Keys, Lead, Matrix, Note, Part, Question,
                    Questions, Sentence, Series, Table)
from .points import say_terms
from .provenance import list_origin
from .records import Absent
from .rows import Row
from .score_parts import describe_method, list_tables, say_legend, say_marks

if TYPE_CHECKING: from .report import Report

__all__ = ["score_page"]

FLAKY = "A flaky question is right in some of its samples and wrong in others."
SHOWN = 1000  # Questions on a page
CURVES = 12  # Curves of a chart
MODELS = 6  # Models with figures and columns of their own
DRAWN = "pass@k", "pass^k", "maj@k", "cons@k", "best@k"
PLAIN = {"one right": "at least one right"}  # Meanings that a page has room to say in full
SEEN = "pass@k", "pass^k"  # Curves that are shown before they are asked for


def score_page(
    report: Report,  # Result of `score`
) -> list[Part]:  # The answer with figures, then every number, and how it was computed
    "What the page of a report says, in order."
    blocks = report.blocks()
    answer: list[Part] = [Note(say_size(blocks, report.title)), Lead(report.answer)]
    # A page has one heading, and a warning is none.
    answer += [Sentence(f"Warning: {text}") for text in report.cautions]
    seen = say_legend(report, "Dots are estimates, bars and shades their")
    tables = list_tables(report, "")
    known = f"{FLAKY} {seen}" if "flaky" in report.answer else seen
    figures = Beside([Keys(list_keys(blocks))], list_charts(blocks))
    terms = Note(say_terms(percent(report.confidence_level)))
    parts: list[Part] = [*answer, Note(known), terms, figures]
    parts += [Heading("Every metric"), *tables]
    parts += map(Note, [say_legend(report, place_spans(tables)), *say_marks(report)])
    return [*parts, *list_questions(report.questions), *fold_rest(report)]


def place_spans(tables: Sequence[Part]) -> str:
    "Where the intervals stand in tables: below in a grid, beside in a list, or both."
    kinds = {Matrix: "below", Table: "beside"}
    found = dict.fromkeys(kinds[type(part)] for part in tables if type(part) in kinds)
    return f"{' or '.join(found).capitalize()} each estimate its" if found else "Their"


def list_keys(blocks: Blocks) -> list[Key]:
    "Three numbers of one model, or the first of each of several."
    main = find_main(blocks)
    if len(main) == 1:
        rows = pick_keys(group_rows(next(iter(main.values()))))
        return [make_key(row, row.metric, meaning) for row, meaning in rows]
    found = {name_block(key): find_first(group_rows(rows)) for key, rows in main.items()}
    first = [(name, row) for name, row in found.items() if row is not None][:MODELS]
    return [replace(make_key(row, name, row.metric), colour=i)
            for i, (name, row) in enumerate(first)]


def name_block(key: tuple[str, str]) -> str:
    "A model, and what was assumed where its missing samples were counted both ways."
    model, group = key
    assumed = group.removeprefix("all questions").removeprefix(" / ")
    return " / ".join(filter(None, (model, assumed)))


def pick_keys(families: Sequence[Family]) -> Iterator[tuple[Row, str]]:
    "A single sample, at least once, every time; each with its meaning."
    first = find_first(families)
    if first is not None: yield first, "one sample"
    for family in families:
        last = family.rows[-1]
        if last.k is None or last.k == 1: continue
        if family.name == "pass@k": yield last, f"at least once in {last.k}"
        if family.name == "pass^k": yield last, f"every time of {last.k}"


def make_key(row: Row, name: str, meaning: str) -> Key:
    "A row as a number to look at first; what is no share has no place on a line from 0 to 1."
    if not 0 <= row.estimate <= 1:
        said = digits(row.estimate)
        return Key(said, name, meaning, span_text(row.low, row.high), .5, None, None)
    return Key(say_share(row.estimate), name, meaning, say_range(row), row.estimate, row.low,
               row.high)


def say_range(row: Row) -> str:
    if row.low is None or row.high is None: return ""
    return f"{say_share(row.low)} to {say_share(row.high)}"


# Curves.

def list_charts(blocks: Blocks) -> list[Part]:
    "Curves over k: all metrics of one model, or all models by metric, the first one open."
    main = find_main(blocks)
    found: dict[str, list[Series]] = {}
    for key, rows in main.items():
        for family in filter(has_curve, group_rows(rows)):
            name = family.name if len(main) > 1 else ""
            found.setdefault(name, []).append(make_series(name_block(key) if name else "", family))
    charts = [(name, Chart(series[:CURVES], f"{name or 'curves'} over k with intervals"))
              for name, series in found.items()]
    if not charts: return []
    first, *others = charts
    title: list[Part] = [Note(f"{first[0]}: {say_meaning(first[0])}")] * bool(first[0])
    return [*title, first[1], *(Folded(name, [chart]) for name, chart in others)]


def has_curve(family: Family) -> bool:
    "Whether a metric is drawn: a known one, of several budgets, between 0 and 1."
    shares = all(0 <= row.estimate <= 1 for row in family.rows)
    return family.name in DRAWN and len(family.rows) > 1 and shares


def make_series(model: str, family: Family) -> Series:
    "One metric of one model over its budgets."
    said = [f"{' '.join(filter(None, (model, row.metric)))}: {say_share(row.estimate)}"
            + (f" ({say_range(row)})" if say_range(row) else "") for row in family.rows]
    seen = bool(model) or family.name in SEEN
    meaning = "" if model else PLAIN.get(family.meaning, family.meaning)
    return Series(model or family.name, meaning, [row.k or 0 for row in family.rows],
                  [row.estimate for row in family.rows], [row.low for row in family.rows],
                  [row.high for row in family.rows], said, seen)


# Questions.

def list_questions(columns: Any) -> list[Part]:
    "The questions, flaky ones first; nothing where their outcomes are not known."
    if isinstance(columns, Absent) or "c" not in columns: return []
    c, n = np.asarray(columns["c"]), np.asarray(columns["n"])
    if not len(n) or n.max() < 2 or not n.min(): return []
    names, models = columns["question"].tolist(), spread_models(columns, len(n))
    order = list(dict.fromkeys(models.tolist()))[:MODELS]
    tries: dict[Any, dict[str, tuple[int, int]]] = {}
    for name, model, *pair in zip(names, models.tolist(), c.tolist(), n.tolist()):
        tries.setdefault(name, {})[model] = (pair[0], pair[1])
    rows = [make_question(name, own, order) for name, own in tries.items()]
    counts = {kind: sum(row.kind == kind for row in rows) for kind in ("flaky", "never", "always")}
    rows.sort(key=order_question)
    more = len(rows) - SHOWN
    note = [Note(f"The first {SHOWN} of {len(rows)} questions.")] * (more > 0)
    heads = [model or "right" for model in order]
    kinds = Note(f"{FLAKY} Never right, always right: in none, in all of its samples.")
    return [Heading("Questions"), kinds, Questions(heads, rows[:SHOWN], counts, c, n), *note]


def spread_models(columns: Mapping[str, Any], size: int) -> np.ndarray:
    "The model of each row; empty names where there is only one without a name."
    return np.asarray(columns["model"]) if "model" in columns else np.full(size, "")


def make_question(name: Any, own: Mapping[str, tuple[int, int]], models: Sequence[str]) -> Question:
    right, drawn = (sum(counts) for counts in zip(*own.values()))
    kind = "never" if right == 0 else "always" if right == drawn else "flaky"
    return Question(str(name), kind, [own.get(model) for model in models])


def order_question(question: Question) -> tuple[int, float]:
    "Flaky questions first, those closest to even before all others."
    known = [pair for pair in question.tries if pair]
    share = sum(c for c, _ in known) / max(1, sum(n for _, n in known))
    return ("flaky", "never", "always").index(question.kind), abs(share - .5)


# What is folded.

def fold_rest(report: Report) -> list[Part]:
    "The method, all numbers, and what was read."
    table = Table(HEAD, [write_row(report, row) for row in report.rows], left=1)
    told = [*map(Sentence, map(say_read, [report.read, *report.notes])), *list_origin(report.files)]
    return [Folded("How it was computed", [Sentence(describe_method(report))]),
            Folded("All numbers", [table]), Folded("What was read", told)]


HEAD = ["metric", "estimate", "std. error", "interval", "method", "questions", "samples"]


def write_row(report: Report, row: Row) -> list[str]:
    name = " / ".join(filter(None, (row.model, row.group, row.metric)))
    return [name, digits(row.estimate), digits(row.stderr), span_text(row.low, row.high),
            row.interval, str(row.questions), row.samples]
