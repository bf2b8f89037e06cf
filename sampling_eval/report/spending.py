"""What trying until success costs, in a table and a sentence."""
from __future__ import annotations

from collections.abc import Sequence
from math import inf

from ..results.spending import EqualSpending, Spend
from .blocks import Block, Table, Text
from .format import difference, difference_interval, level, percent

__all__ = ["list_spend", "describe_equal"]

FEW = 12  # Budgets of a model that stand in the table


def list_spend(
    found: Sequence[Spend],  # A line for each model and budget
) -> list[Block]:
    "The sentence of the largest budget of each model, and the table; nothing without costs."
    if not found: return []
    last = {one.model: one for one in found}
    ends = f"{level(found[0].confidence_level)} CI"
    heads = ["model", "k", "solved", "spend", "per solved", ends]
    rows = [write_row(one) for one in pick(found)]
    if list(last) == [""]: heads, rows = heads[1:], [row[1:] for row in rows]
    methods = sorted({one.method for one in found if one.method})
    note = (f"spend: mean {found[0].unit} of a question, trying until the first success and at "
            f"most k times; per solved: total spend over total solved, CI for new questions "
            f"({' and '.join(methods) or 'none'}).")
    absent = [describe_absent(one.model, one.absent, one.samples, one) for one in last.values()
              if one.absent]
    return [*(Text(describe_spend(one)) for one in last.values()), *map(Text, absent),
            Table(heads, rows, left=1 if heads[0] == "model" else 0), Text(note, "note")]


def describe_absent(who: str, absent: int, samples: int, found: Spend | EqualSpending) -> str:
    "How many costs are absent, and what they count as."
    said = f"{f'{who}: ' if who else ''}{absent} of {samples} costs are absent"
    if isinstance(found, EqualSpending) or found.missing_cost == "mean":
        return (f"{said}; each counts as the mean of the question's other samples with the same "
                "outcome: assumes that costs are absent at random among these. All outcomes count.")
    return (f"{said}; each counts as the cap, {found.cap:.4g}: spend and cost per solved are at "
            "most these, and the lower end of the CI counts it as 0. All outcomes count.")


def pick(found: Sequence[Spend]) -> list[Spend]:
    "All budgets where they are few; else the first, powers of two and the last of each model."
    most = {one.model: one.k for one in found}
    if len(found) <= FEW * len(most): return list(found)
    return [one for one in found if one.k == most[one.model] or one.k & (one.k - 1) == 0]


def describe_spend(one: Spend) -> str:
    "What a solved question costs at one budget."
    who = f"{one.model}: " if one.model else ""
    tries = f"at most {one.k} tries" if one.k > 1 else "one try"
    said = (f"{who}{tries} cost {one.spend:.4g} {one.unit} per question and solve "
            f"{percent(one.solved)}")
    if one.per_solved is None: return f"{said}; {one.reason}, so there is no cost per solved."
    ends = f"{level(one.confidence_level)} CI {write_ends(one)}, new questions"
    return f"{said}: {one.per_solved:.4g} per solved question ({ends})."


def write_ends(one: Spend) -> str:
    if one.low is None: return "none"
    high = inf if one.high is None else one.high
    return f"{one.low:.4g} to {high:.4g}" if high < inf else f"from {one.low:.4g}, without an end"


def write_row(one: Spend) -> list[str]:
    ratio = "-" if one.per_solved is None else f"{one.per_solved:.4g}"
    return [one.model, str(one.k), percent(one.solved), f"{one.spend:.4g}", ratio, write_ends(one)]


def describe_equal(
    found: EqualSpending | None,  # Two systems where both spend as much
    names: tuple[str, str],  # Of A and of B
) -> list[str]:  # Sentences; none without costs
    "Who solves more for the same money, and how many costs are absent."
    if found is None: return []
    a, b = names
    ends = difference_interval(found.low, found.high)
    absent = found.absent_a + found.absent_b
    return [f"At equal spend ({found.spend:.4g} {found.unit} per question): {a} solves "
            f"{percent(found.a)} (k = {found.k_a:.3g}), {b} {percent(found.b)} "
            f"(k = {found.k_b:.3g}); {difference(found.difference)} "
            f"({level(found.confidence_level)} CI {ends}, {found.method}).",
            *([describe_absent("", absent, found.samples, found)] if absent else [])]
