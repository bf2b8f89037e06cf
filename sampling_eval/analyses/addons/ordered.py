"""Attempts in their order: what is solved within so many of them (`attempts="ordered"`)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...errors import OptionError
from ...foundations.checks import faults
from ...foundations.counts import Counts
from ...inference.intervals import Interval
from ...inference.sequential import solved_interval, solved_within
from ...metrics.passk import pass_at_k
from ...render.blocks import Block, Text
from ...render.format import describe_ci, interval, level, percent
from ...results.base import Data, HasInterval, ends
from ..engine.measure import counts_by_model
from ..engine.runs import ABSENT, RunTable, run_tables
from . import Asked, make_table


@dataclass(frozen=True, eq=False)
class Ordered(HasInterval, Data):
    "The share solved within `k` ordered attempts, beside pass@k, which takes any `k` of them."
    model: str  # Empty for a single one
    k: int  # Attempts allowed
    solved: float  # Share of questions solved within them
    # Approximate methods say so
    interval: Interval = field(metadata=ends(words="method", target="new_questions"))
    exchangeable: float | None  # pass@k; None where a question has fewer attempts
    questions: int
    confidence_level: float = .95


FOUND = Ordered  # The class of what is found


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `score`
) -> str | None:
    "Whether attempts have an order."
    return "ordered" if given["attempts"] == "ordered" else None


def measure(request: str, asked: Asked) -> tuple[Ordered, ...]:
    "What each model solves within each number of attempts."
    tables = run_tables(asked.loaded, asked.options.policy.missing == "drop")
    level = asked.style.confidence_level
    return tuple(solved_by_attempts(counts_by_model(asked.loaded), tables, level))


def solved_by_attempts(
    whole: Mapping[str, Counts],  # Counts of each model
    tables: Mapping[str, RunTable | None],  # Its samples by number, where these are known
    confidence_level: float,  # Level of the intervals
) -> Iterator[Ordered]:
    """The share of each model solved within each number of attempts, in their order.

    Raises: `OptionError` where the order of the attempts is not known, or has gaps.
    """
    for model, counts in whole.items():
        attempts, solved = attempts_until_success(counts, tables.get(model))
        yield from attempt_rows(model, counts, attempts, solved, confidence_level)


def attempt_rows(
    model: str, counts: Counts, attempts: np.ndarray, solved: np.ndarray, level: float,
) -> Iterator[Ordered]:
    "A line for each number of attempts."
    for k in range(1, int(attempts.max()) + 1):
        try: value = float(solved_within(attempts, solved, k))
        # Beyond the attempts of those that are unsolved nothing was seen.
        except ValueError: return
        found = replace(solved_interval(attempts, solved, k, level), target="new_questions")
        known = k <= counts.n_min
        right: Any = counts.c
        any_k = float(pass_at_k(counts.n, right, k).mean()) if known else None
        yield Ordered(model, k, value, found, any_k, len(attempts), level)


ORDERED = 2**18  # Samples up to which attempts are put in order


def attempts_until_success(counts: Counts, table: RunTable | None) -> tuple[np.ndarray, np.ndarray]:
    "Attempts until the first success or the end, and whether there was one, by question."
    if table is None or not table.binary or not are_numbers(table):
        raise OptionError("attempts", "the order of attempts must be known",
                          hint="number them from the first by a column of whole numbers, named "
                          "by sample")
    outcomes = table.list_outcomes(ORDERED)
    if len(outcomes) < len(counts):
        raise OptionError("attempts", "so many samples are not put in order", got="ordered",
                          found=f"{len(counts)} questions of {outcomes.shape[1]} attempts",
                          hint="take solved_within of sampling_eval")
    held = outcomes != ABSENT
    made = held.sum(1)
    if (bad := ~held & (np.arange(held.shape[1]) < made[:, None])).any():
        raise OptionError("attempts", "attempts must be numbered without a gap",
                          where=faults(bad.any(1), counts.questions))
    right = outcomes == 1
    solved = right.any(1)
    return np.where(solved, right.argmax(1) + 1, made), solved


def are_numbers(table: RunTable) -> bool:
    "Whether the attempts stand in the order of their numbers."
    whole = all(isinstance(name, (int, np.integer)) for name in table.names)
    return whole and list(table.names) == sorted(table.names)  # type: ignore[type-var]


# In words.

def blocks(found: Sequence[Ordered]) -> list[Block]:
    "A sentence for each model, and the table; nothing where attempts are independent."
    if not found: return []
    last = {one.model: one for one in found}
    heads = ["attempts", "solved in order", f"{level(found[0].confidence_level)} CI", "any k"]
    rows = [[one.model, str(one.k), percent(one.solved), interval(one.low, one.high),
             percent(one.exchangeable)] for one in found]
    methods = " and ".join(sorted({str(one.interval.method) for one in found}))
    note = (f"solved in order: within the first k attempts, CI for new questions ({methods}); any "
            "k: pass@k, which takes attempts as independent.")
    return [*(Text(most_attempts_sentence(one)) for one in last.values()), make_table(heads, rows),
            Text(note, "note")]


def most_attempts_sentence(one: Ordered) -> str:
    "What the most attempts solve."
    who = f"{one.model}: " if one.model else ""
    said = describe_ci(one.low, one.high, one.confidence_level, "new questions",
                       str(one.interval.method))
    tries = f"{one.k} attempts" if one.k > 1 else "one attempt"
    return f"{who}{percent(one.solved)} solved within {tries}, in their order ({said})."
