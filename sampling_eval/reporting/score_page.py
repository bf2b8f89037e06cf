"""The page of a score: the answer, figures, every metric, every question, and where it is from."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from ..report.blocks import Table
from .advice import say_half
from .families import Family, group_rows, say_meaning, say_rules
from .headline import Blocks, find_first, find_main, say_size
from .numbers import digits, percent, span_text
from .openings import say_read
from .parts import (Beside, Chart, Folded, Heading, Key, Keys, Lead, Matrix, Note, Part, Sentence,
                    Series, Typed)
from .phrases import say_share, say_shares
from .points import is_share, say_size as say_gap, say_terms
from .provenance import list_origin, tell_date
from .question_parts import FLAKY, list_questions
from .rows import Row
from .score_parts import (describe_method, list_tables, say_legend, say_next, sort_blocks,
                          spell_next)

if TYPE_CHECKING: from .report_facts import ReportFacts

__all__ = ["score_page"]

Colours: TypeAlias = Mapping[tuple[str, str], int]  # By model and group
CURVES = 12  # Curves of a chart
MODELS = 6  # Models with figures and columns of their own
DRAWN = "pass@k", "pass^k", "maj@k", "cons@k", "best@k"
SEEN = "pass@k", "pass^k"  # Curves that are shown before they are asked for


def score_page(
    report: ReportFacts,  # Result of `score`
) -> list[Part]:  # The answer with figures, then every number, and how it was computed
    "What the page of a report says, in order."
    blocks, level = sort_blocks(report), percent(report.confidence_level)
    size = say_size(blocks, report.title, report.kind)
    answer: list[Part] = [Note(f"{size}; {tell_date()}"), Lead(report.headline)]
    # A page has one heading, and a warning is none.
    answer += [Sentence(f"Warning: {text}") for text in report.cautions]
    seen = say_legend(report, "Dots are estimates, bars and shades their")
    flaky = "flaky" in report.headline
    known = f"{FLAKY} {seen}" if flaky else seen
    # A model has the colour of its place in the data, as in a comparison, wherever it stands here.
    colours = {key: i for i, key in enumerate(find_main(report.blocks()))}
    figures = Beside(list_keys(blocks, report.kind, colours), list_charts(blocks, colours))
    parts = [*answer, Note(known), Note(say_terms(level)), *list_next(report), figures]
    tables = list_tables(report, "", blocks)
    said = say_legend(report, place_spans(tables)), " ".join(say_rules(report.rows))
    parts += [Heading("Every metric"), *tables, *map(Note, filter(None, said))]
    models = list(dict.fromkeys(model for model, _ in blocks))
    owners = {model: i for (model, _), i in reversed(colours.items())}
    return [*parts, *list_questions(report.questions, models, MODELS, report.kind, flaky, owners),
            *fold_rest(report)]


def list_next(report: ReportFacts) -> list[Part]:
    "What to do now: compare several models, or draw more of one."
    if not report.letters: return list_width(report)
    asked = "how large the difference is, and on which questions"
    if typed := spell_next(report):
        return [Sentence(f"Next: {asked}:"), Typed(typed[0].removeprefix("Next: "))]
    return [Sentence(f"Next: sampling-eval compare tells {asked}.")]


def list_width(report: ReportFacts) -> list[Part]:
    "How far the first number may be off, and what would halve that, if it can be said."
    advice = report.next
    if advice is None or not say_next(report): return []
    rows = next(iter(find_main(report.blocks()).values()))
    told = [say_reach(row) for row in rows if row.metric == advice.metric]
    return [Sentence(" ".join([*told[:1], say_half(advice)]))]


def say_reach(row: Row) -> str:
    "How far a number may be off: the longer side of its interval."
    if row.low is None or row.high is None: return ""
    reach = max(row.high - row.estimate, row.estimate - row.low)
    ends = [row.low, row.high]
    low, high = say_shares(ends) if is_share(row.metric) else map(digits, ends)
    # Whole points, as the ends are whole percents; two digits where that would be too coarse.
    about = round(reach, 2) if is_share(row.metric) and reach >= .02 else float(f"{reach:.2g}")
    return f"{row.metric} may be off by about {say_gap(about, row.metric)} ({low} to {high})."


def place_spans(tables: Sequence[Part]) -> str:
    "Where the intervals stand in tables: below in a grid, beside in a list, or both."
    kinds = {Matrix: "below", Table: "beside"}
    found = dict.fromkeys(kinds[type(part)] for part in tables if type(part) in kinds)
    return f"{' or '.join(found).capitalize()} each estimate its" if found else "Their"


def list_keys(blocks: Blocks, kind: str, colours: Colours) -> list[Part]:
    "Three numbers of one model, or the first of each of several."
    main = find_main(blocks)
    if len(main) == 1:
        rows = pick_keys(group_rows(next(iter(main.values()))))
        return [Keys([make_key(row, row.metric, meaning) for row, meaning in rows])]
    found = {key: find_first(group_rows(rows)) for key, rows in main.items()}
    known = [(key, row) for key, row in found.items() if row is not None]
    keys = [replace(make_key(row, name_block(key), row.metric), colour=colours[key])
            for key, row in known[:MODELS]]
    more = len(known) - MODELS
    return [Keys(keys), *[Note(f"The first {MODELS} of {len(known)} {kind}s.")] * (more > 0)]


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
        return Key(said, name, meaning, span_text(row.low, row.high), None, None, None)
    return Key(say_share(row.estimate), name, meaning, say_range(row), row.estimate, row.low,
               row.high)


def say_range(row: Row) -> str:
    if row.low is None or row.high is None: return ""
    return f"{say_share(row.low)} to {say_share(row.high)}"


# Curves.

def list_charts(blocks: Blocks, colours: Colours) -> list[Part]:
    "Curves over k: all metrics of one model, or all models by metric, the first one open."
    main = find_main(blocks)
    found: dict[str, list[Series]] = {}
    for key, rows in main.items():
        for family in filter(has_curve, group_rows(rows)):
            if len(main) == 1: name, series = "", make_series("", family)
            else: name, series = family.name, make_series(name_block(key), family, colours[key])
            found.setdefault(name, []).append(series)
    charts = [(name, Chart(series[:CURVES], f"{name or 'curves'} over k with intervals"))
              for name, series in found.items()]
    if not charts: return []
    first, *others = charts
    title: list[Part] = [Note(say_title(first[0]))] * bool(first[0])
    return [*title, first[1], *(Folded(say_title(name), [chart]) for name, chart in others)]


def say_title(name: str) -> str: return f"{name}: {say_meaning(name)}"


def has_curve(family: Family) -> bool:
    "Whether a metric is drawn: a known one, of several budgets, between 0 and 1."
    shares = all(0 <= row.estimate <= 1 for row in family.rows)
    return family.name in DRAWN and len(family.rows) > 1 and shares


def make_series(model: str, family: Family, colour: int | None = None) -> Series:
    "One metric of one model over its budgets."
    rows = family.rows
    said = [say_point(model, row) for row in rows]
    seen = bool(model) or family.name in SEEN
    return Series(model or family.name, "" if model else family.meaning,
                  [row.k or 0 for row in rows], [row.estimate for row in rows],
                  [row.low for row in rows], [row.high for row in rows], said, seen,
                  colour=colour)


def say_point(model: str, row: Row) -> str:
    "A point of a curve in words, with its interval where it has one."
    name, spread = " ".join(filter(None, (model, row.metric))), say_range(row)
    return f"{name}: {say_share(row.estimate)}" + f" ({spread})" * bool(spread)


# What is folded.

def fold_rest(report: ReportFacts) -> list[Part]:
    "The method, all numbers, and what was read."
    table = Table(HEAD, [write_row(report, row) for row in report.rows], left=1)
    told = [*map(Sentence, map(say_read, [report.read, *report.notes])), *list_origin(report.files)]
    return [Folded("How it was computed", [Sentence(describe_method(report))]),
            Folded("All numbers", [table]), Folded("What was read", told)]

HEAD = ["metric", "estimate", "std. error", "interval", "method", "questions", "samples"]


def write_row(report: ReportFacts, row: Row) -> list[str]:
    name = " / ".join(filter(None, (row.model, row.group, row.metric)))
    return [name, digits(row.estimate), digits(row.stderr), span_text(row.low, row.high),
            row.interval, str(row.questions), row.samples]
