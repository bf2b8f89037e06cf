"""A comparison of two systems in sentences that a page and a terminal share."""
from __future__ import annotations

from typing import TYPE_CHECKING

from .differences import Difference, decide
from .openings import say_range
from .phrases import say_count
from .points import say_could_move, say_size
from .weights import say_weights

if TYPE_CHECKING: from .versus import Versus

__all__ = ["WHERE", "say_ahead", "say_material"]

WHERE = dict(questions="on new questions of this kind", benchmark="on these questions, run again")
ENDS = {"open": "not decided", "better": "decided", "worse": "decided"}


def say_ahead(
    versus: Versus,  # Two systems compared
    row: Difference,  # One of its rows
) -> str:  # One sentence
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


def say_material(
    versus: Versus,  # Two systems compared
) -> str:  # `the same 60 questions, 4 samples each`
    "On what the two are compared."
    samples = say_range(" and ".join(dict.fromkeys(versus.samples)))
    each = f"{samples} sample{'s' * (samples != '1')} each"
    questions = say_count([versus.rows[0].questions], "question")
    return ", ".join([f"the same {questions}", each, *say_weights(versus.rows)])
