"""What is solved within k attempts in their order."""
from __future__ import annotations

from collections.abc import Sequence

from ..results.ordered import Ordered
from .blocks import Block, Table, Text
from .format import interval, level, percent

__all__ = ["list_ordered"]


def list_ordered(
    found: Sequence[Ordered],  # A line for each model and number of attempts
) -> list[Block]:
    "A sentence for each model, and the table; nothing where attempts are independent."
    if not found: return []
    last = {one.model: one for one in found}
    heads = ["model", "attempts", "solved in order", f"{level(found[0].confidence_level)} CI",
             "any k"]
    rows = [write_row(one) for one in found]
    if list(last) == [""]: heads, rows = heads[1:], [row[1:] for row in rows]
    methods = " and ".join(sorted({one.method for one in found}))
    note = (f"solved in order: within the first k attempts, CI for new questions ({methods}); any "
            "k: pass@k, which takes attempts as independent.")
    return [*(Text(describe(one)) for one in last.values()),
            Table(heads, rows, left=1 if heads[0] == "model" else 0), Text(note, "note")]


def describe(one: Ordered) -> str:
    "What the most attempts solve."
    who = f"{one.model}: " if one.model else ""
    ends = f"{level(one.confidence_level)} CI {interval(one.low, one.high)}, new questions"
    tries = f"{one.k} attempts" if one.k > 1 else "one attempt"
    return f"{who}{percent(one.solved)} solved within {tries}, in their order ({ends})."


def write_row(one: Ordered) -> list[str]:
    other = "-" if one.exchangeable is None else percent(one.exchangeable)
    return [one.model, str(one.k), percent(one.solved), interval(one.low, one.high), other]
