"""The tables on the page of a comparison: systems by name, shares in percent, points."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..inference.comparison import Move
from ..inference.estimate import TARGETS
from ..report.axis import shorten_names
from ..report.blocks import Table
from .aligned import align_ends, align_level, align_points
from .differences import Difference, decide
from .numbers import chance_text, p_text, percent
from .parts import Heading, Note, Part, Sentence
from .points import is_share
from .records import Absent
from .versus_words import WHERE

if TYPE_CHECKING: from .versus_facts import VersusFacts

__all__ = ["list_rows", "list_more", "list_moved", "name_shortly"]

SHORT = dict(questions="new questions", benchmark="these run again")
LETTERS = 14  # Letters of a name that heads a column
Count: TypeAlias = Callable[[object], tuple[str, str]]  # Question to right samples on either side


def name_shortly(
    versus: VersusFacts,  # Two systems compared
) -> tuple[str, str]:  # Names of A and B that fit above a column
    "Both names, long ones with their middle left out."
    a, b = shorten_names(versus.names, LETTERS)
    return a, b


def list_rows(
    versus: VersusFacts,  # Two systems compared
) -> list[Part]:  # A table, and what its columns are
    "Who is ahead in every metric, by how much, and both values."
    a, b = name_shortly(versus)
    heads = ["metric", "verdict", "difference", name_interval(versus), a, b, "won / tied / lost"]
    rows = [write_row(row, versus) for row in versus.rows]
    alone = ", each k by itself" * (versus.curve is not None)
    told = (f"Difference: {b} minus {a}. Could be: its interval {WHERE[versus.target]}{alone}. "
            f"Won, tied, lost: questions on which {b} is ahead, equal, behind.")
    return [Heading("Every metric"), Table(heads, rows, left=2), Note(told)]


def name_interval(versus: VersusFacts) -> str:
    "The head of the intervals; of several metrics each has a level of its own."
    return "could be" if versus.primary else f"could be ({percent(versus.confidence_level)} %)"


def write_row(row: Difference, versus: VersusFacts) -> list[str]:
    ends = align_ends(*row.span(versus.target), row.metric)
    values = [align_level(value, row.metric) for value in (row.a, row.b)]
    score = f"{row.wins} / {row.ties} / {row.losses}"
    return [row.metric, say_decided(row, versus, versus.target),
            align_points(row.difference, row.metric), ends, *values, score]


def say_decided(row: Difference, versus: VersusFacts, target: str) -> str:
    "The verdict on one metric, with the name of the better system."
    a, b = name_shortly(versus)
    said = dict(better=f"decided: {b}", worse=f"decided: {a}", open="not decided",
                none="no interval")
    return said[decide(*row.span(target))]


# What is folded.

def list_more(
    versus: VersusFacts,  # Two systems compared
) -> list[Part]:  # A table, and what its columns are
    "The other target, all budgets at once, p values and chances."
    a, b = name_shortly(versus)
    other = find_other(versus.target)
    columns = {"metric": [row.metric for row in versus.rows],
               f"could be, {SHORT[other]}": [align_ends(*row.span(other), row.metric)
                                             for row in versus.rows]}
    # What is adjusted for several metrics is adjusted for one target.
    if not versus.primary:
        columns["verdict there"] = [say_decided(row, versus, other) for row in versus.rows]
    if versus.curve is not None: columns["could be, all k at once"] = list_bands(versus)
    columns["p"] = [p_text(row.p) for row in versus.rows]
    if any(row.chance is not None for row in versus.rows):
        columns[f"P({b} > {a})"] = [chance_text(row.chance) for row in versus.rows]
    rows = list(map(list, zip(*columns.values(), strict=True)))
    return [Table(list(columns), rows), *map(Note, explain_chances(versus))]


def find_other(target: str) -> str:
    return next(name for name in TARGETS if name != target)


def list_bands(versus: VersusFacts) -> list[str]:
    "The band over all budgets, at each of them."
    curve = versus.curve
    assert curve is not None
    # A curve has one value for each row.
    return [align_ends(low, high, row.metric) for row, low, high
            in zip(versus.rows, curve.low.tolist(), curve.high.tolist(), strict=True)]


def explain_chances(versus: VersusFacts) -> list[str]:
    "What p and the chance of a lead are."
    a, b = name_shortly(versus)
    alpha = f"{1 - versus.confidence_level:.2g}"
    tests = dict.fromkeys((row.null, row.test) for row in versus.rows if row.p is not None)
    said = [f"p: the interval inverted ({test}), so that it is at most {alpha} exactly where the "
            f"interval excludes 0; its null hypothesis: {null}." for null, test in tests]
    if any(row.chance is not None for row in versus.rows):
        said.append(f"P({b} > {a}): the chance that {b} is ahead on new questions of this kind, "
                    "given these data, from a cautious Bayesian bootstrap. It is not the verdict.")
    return said


# Questions.

def list_moved(
    versus: VersusFacts,  # Two systems compared
) -> list[Part]:  # A table for each metric that has such questions
    "The questions that moved most, by their right samples where these are known."
    count = count_samples(versus.questions)
    parts: list[Part] = []
    for metric, moves in versus.moved.items():
        if moves: parts += [Heading(f"Largest differences in {metric}"),
                            write_moves(versus, metric, moves, count)]
        else: parts.append(Sentence(f"No question differs in {metric}."))
    return parts


def write_moves(
    versus: VersusFacts, metric: str, moves: Sequence[Move], count: Count | None,
) -> Table:
    rows = []
    for move in moves:
        values = align_level(move.a, metric), align_level(move.b, metric)
        if count is not None and is_share(metric): values = count(move.question)
        rows.append([str(move.question), *values, align_points(move.difference, metric)])
    return Table(["question", *name_shortly(versus), metric], rows)


def count_samples(
    columns: Any,  # Columns of the questions, or what stands for them where they are not known
) -> Count | None:  # What finds the right samples of a question; None where they are not known
    "Right samples of all samples, of either side."
    if isinstance(columns, Absent) or not {"c A", "c B"} <= set(columns): return None
    sides = [[f"{c:g} of {n}" for c, n in zip(columns[f"c {side}"], columns[f"n {side}"])]
             for side in "AB"]
    return dict(zip(columns["question"].tolist(), zip(*sides), strict=True)).__getitem__
