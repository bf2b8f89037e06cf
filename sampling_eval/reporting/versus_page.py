"""The page of a comparison: who is ahead and by how much, the curves, and every number."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .differences import Difference, decide
from .headline import join_names
from .numbers import chance_text, p_text, percent
from .openings import say_read
from .parts import Folded, Heading, Lead, Note, Part, Ruler, Sentence
from .points import say_could_move, say_size, say_terms
from .provenance import list_origin
from .versus_chart import list_curves
from .versus_screen import WHERE, say_lead, say_pairing

if TYPE_CHECKING: from .versus import Versus

__all__ = ["versus_page"]

ENDS = {"open": "not decided", "better": "decided", "worse": "decided"}
ZERO = ("Differences are B minus A: {} the dashed line at 0 B is ahead, {} it A is; where an "
        "interval reaches across the line it is not decided.")


def versus_page(
    versus: Versus,  # Two systems compared
    table: Sequence[Part],  # Every number of every metric
    verdicts: Sequence[Part],  # What other intervals decide, and their figure
    moved: Sequence[Part],  # Questions that moved most
) -> list[Part]:  # The answer, the curves, every number, and what is folded
    "What the page of a comparison says, in order."
    step = "" if versus.next is None else versus.next.sentence
    told = step, versus.say_primary(), *map(say_read, versus.notes)
    said = [Sentence(text) for text in told if text]
    apart = Heading("The difference by itself"), *verdicts, Note(say_zero(versus))
    terms = Note(say_terms(percent(versus.confidence_level)))
    return [*open_page(versus), terms, *list_curves(versus.chart()), *table,
            *map(Sentence, explain_p(versus)), *said, *apart, *moved, *fold_rest(versus)]


def open_page(versus: Versus) -> list[Part]:
    "Who is compared, who is ahead, and where that is decided."
    row = versus.rows[0]
    parts: list[Part] = [Note(say_pairing(versus)), Lead(say_ahead(versus, row))]
    every = say_lead(versus, versus.target, "who is ahead")
    if len(versus.rows) > 1: parts.append(Sentence(every))
    return [*parts, Sentence(say_rule(versus)), *draw_row(versus, row)]


def say_zero(versus: Versus) -> str:
    "What the line at 0 means: differences stand upright over k, else they lie."
    sides = ("right of", "left of") if versus.curve is None else ("above", "below")
    return ZERO.format(*sides)


def say_ahead(versus: Versus, row: Difference) -> str:
    "Who is ahead in a metric, by how much, and whether that is decided."
    a, b = versus.names
    low, high = row.span(versus.target)
    first, second = (b, a) if row.difference >= 0 else (a, b)
    said = f"{first} is ahead of {second} by {say_size(row.difference, row.metric)}"
    if row.difference == 0: said = f"{b} and {a} are level"
    said += f" in {row.metric}"
    if low is None or high is None: return f"{said}; there is no interval."
    ends = (-high, -low) if row.difference < 0 else (low, high)
    could = say_could_move(*ends, row.metric, ("{} behind", "{} ahead"))
    return f"{said} ({could}): {ENDS[decide(low, high)]}."


def say_rule(versus: Versus) -> str:
    "Which interval decides."
    level = percent(versus.confidence_level)
    kind = "" if versus.primary else f"{level} % "
    return (f"What decides is the {kind}interval of the difference {WHERE[versus.target]}: who is "
            "ahead is decided only where all of it lies on one side of 0.")


def draw_row(versus: Versus, row: Difference) -> list[Part]:
    "The interval of a difference against 0; nothing without one."
    low, high = row.span(versus.target)
    if low is None or high is None: return []
    a, b = versus.names
    seen = (f"{row.metric}, {b} minus {a}, {WHERE[versus.target]}: the dot is what was measured, "
            f"the bar its interval. Right of the dashed line {b} is ahead, left of it {a}.")
    return [Ruler(row.difference, low, high, 0., "0: no difference", "", seen)]


def explain_p(versus: Versus) -> list[str]:
    "Why small p values and high chances do not decide; nothing where none stands beside that."
    rows = [row for row in versus.rows if decide(*row.span(versus.target)) == "open"]
    least = 1 - versus.confidence_level
    small = [row for row in rows if row.p is not None and row.p < least]
    likely = [row for row in rows if row.chance is not None and abs(row.chance - .5) > .4]
    said = []
    if small:
        said.append(f"{list_values(small)}: small, but no verdict. A p value comes from a test "
                    "of its own, and the verdict from the interval, which reaches across 0 here.")
    if likely:
        # The last one says it for all.
        row = likely[-1]
        said.append(f"P(B > A) = {chance_text(row.chance)} at {row.metric} is a chance, and less "
                    "than a verdict needs.")
    return said


def list_values(rows: Sequence[Difference]) -> str:
    "P values by metric, the first few of many."
    return join_names([f"p = {p_text(row.p)} at {row.metric}" for row in rows[:4]])


def fold_rest(versus: Versus) -> list[Part]:
    "The method, and what was read when."
    read = Sentence(f"Questions: {versus.alignment}."), Sentence(say_read(versus.read))
    return [Folded("How it was computed", [Sentence(versus.how())]),
            Folded("What was read", [*read, *list_origin()])]
