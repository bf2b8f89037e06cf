"""The first screen of a comparison: the answer, and a table that fits a terminal."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..report.advice import describe_advice
from ..inference.estimate import TARGETS
from ..report.blocks import Table
from .differences import Difference, decide
from .families import name_family
from .numbers import digits, signed, signed_span
from .openings import say_read
from .parts import Lead, Part
from .versus_words import WHERE, list_analyses, say_ahead, say_material
from .weights import say_assumed

if TYPE_CHECKING: from .versus_facts import VersusFacts

__all__ = ["screen_versus", "list_reasons", "say_lead", "say_unmatched", "pick_rows"]

HEADS = "metric", "A", "B", "B - A", "these, run again", "new questions", "won/tied/lost"
WIDE = 8  # Budgets that are listed one by one


def screen_versus(
    versus: VersusFacts,  # Two systems compared
) -> list[Part]:  # Who is better, by how much, and on what that rests
    "What the first screen of a comparison says."
    other = next(target for target in TARGETS if target != versus.target)
    rows = pick_rows(versus.rows)
    table = Table(list(HEADS), [write_row(row) for row in rows])
    more = [f"{len(versus.rows) - len(rows)} more values of k: --how or a file has them all."]
    step = [] if versus.next is None else [describe_advice(versus.next)]
    said = [*more * (len(rows) < len(versus.rows)), *list_reasons(versus.rows),
            *filter(None, [versus.say_primary()]), *list_analyses(versus, rows),
            say_legend(versus), *say_bounds(rows), *step,
            *say_unmatched(versus.alignment), *map(say_read, [*versus.notes, versus.read])]
    lead = say_lead(versus, versus.target)
    if not versus.primary: lead += f" {say_lead(versus, other)}"
    opening = say_ahead(versus, versus.rows[0]), lead, say_pairing(versus)
    return [*map(Lead, opening), table, *map(Lead, said)]


def list_reasons(
    rows: Sequence[Difference],  # Rows of a comparison
) -> list[str]:  # One sentence for each reason
    "Why there is no standard error, each reason once with its metrics."
    found: dict[str, list[Difference]] = {}
    for row in rows: found.setdefault(row.reason, []).append(row)
    return [f"{list_rows(own)}: {reason}." for reason, own in found.items() if reason]


def say_bounds(rows: Sequence[Difference]) -> list[str]:
    "Where the interval for these questions is that for new ones."
    wide = [row for row in rows if "an upper bound" in row.again_interval]
    if not wide: return []
    return [f"{list_rows(wide)}: how much these questions vary from run to run is not known, so "
            "their interval is that for new questions, wider than need be."]


def say_unmatched(
    alignment: str,  # How many questions are in both, only in A, only in B
) -> list[str]:  # One sentence, none where both hold the same questions
    "Which questions were left out because only one system has them."
    if not alignment or alignment.endswith("0 only in A, 0 only in B"): return []
    return [f"Questions: {alignment}."]


def say_pairing(versus: VersusFacts) -> str:
    "Who is A and who is B, and on what they are compared."
    a, b = versus.names
    who = "A and B" if (a, b) == ("A", "B") else f"A = {a}, B = {b}"
    return f"{who}: {say_material(versus)}"


def say_lead(
    versus: VersusFacts,  # Two systems compared
    target: str,  # Whose intervals decide
) -> str:  # One sentence
    "Where B is better or worse, and where it is not decided."
    found: dict[str, list[Difference]] = {}
    for row in versus.rows: found.setdefault(decide(*row.span(target)), []).append(row)
    named = {verdict: list_runs(rows, versus.rows) for verdict, rows in found.items()}
    said = [f"{versus.names[1]} is {verdict} at {named[verdict]}"
            for verdict in ("better", "worse") if verdict in found]
    if "open" in found: said.append(f"who is ahead is not decided at {named['open']}")
    if "none" in found: said.append(f"there is no interval at {named['none']}")
    text = f"{WHERE[target]}, {'; '.join(said)}."
    return text[0].upper() + text[1:]


def list_runs(rows: Sequence[Difference], every: Sequence[Difference]) -> str:
    "Metrics by name, three neighbours or more as `pass@1 to pass@4`."
    places = {id(row): place for place, row in enumerate(every)}
    runs: list[list[Difference]] = []
    for row in rows:
        follows = runs and places[id(row)] == places[id(runs[-1][-1])] + 1
        same = follows and name_family(row.metric) == name_family(runs[-1][-1].metric)
        if same: runs[-1].append(row)
        else: runs.append([row])
    if len(runs) > WIDE: return list_rows(rows)
    return ", ".join(f"{run[0].metric} to {run[-1].metric}" if len(run) > 2 else list_rows(run)
                     for run in runs)


def list_rows(rows: Sequence[Difference]) -> str:
    "Metrics by name; the first and the last where they are many."
    if len(rows) <= WIDE: return ", ".join(row.metric for row in rows)
    return f"{len(rows)} values of k from {rows[0].metric} to {rows[-1].metric}"


def pick_rows(rows: Sequence[Difference]) -> Sequence[Difference]:
    "All rows where they are few; else the first, powers of two, and the last."
    if len(rows) <= 2 * WIDE: return rows
    last = len(rows) - 1
    return [row for i, row in enumerate(rows)
            if i in (0, last) or row.k is not None and row.k & (row.k - 1) == 0]


def write_row(row: Difference) -> list[str]:
    means = [digits(row.a), digits(row.b), signed(row.difference)]
    spans = [signed_span(*row.span(target)) for target in ("benchmark", "questions")]
    return [row.metric, *means, *spans, f"{row.wins}/{row.ties}/{row.losses}"]


def say_legend(versus: VersusFacts) -> str:
    level = f"{100 * versus.confidence_level:g} %"
    spans = f"{level} intervals of B - A" + ", each k by itself" * (len(versus.rows) > 1)
    if versus.primary: spans = f"intervals of B - A, {level} or wider as adjusted"
    assumed = say_assumed(versus.rows)
    if assumed: spans += f" (for new questions {assumed})"
    return (f"In brackets: {spans}; won, tied and lost are questions on "
            "which B is ahead, equal, behind.")
