"""What a plan for groups that are drawn says: how many, and what other numbers give."""
from __future__ import annotations

from ...render.blocks import Block, Fold, Headline, Later, Table, Text
from ...render.citations import cite
from ...render.format import count, level, percent, points
from ..phrases.reading import describe_read, versions_sentence
from .result import MOST_GROUPS, GroupPlan

__all__ = ["document", "title", "methods"]


def title(result: GroupPlan) -> str: return f"plan for {result.metric} over {result.by}"


def document(result: GroupPlan) -> list[Block]:
    "The answer, what it rests on, and the half-width of some numbers of groups."
    read = [Text(f"Pilot: {describe_read(result.read)}", "note")] if result.read else []
    return [Headline(headline(result)), Text(describe_pilot(result)), make_table(result),
            Text(f"Assumes that values of {result.by} are drawn as questions are; the variance of "
                 f"{result.pilot_groups} of them is itself uncertain.", "note"), *read,
            Fold("Methods", Later(methods_blocks, result))]


def headline(result: GroupPlan) -> str:
    "What to do, in a sentence."
    wanted = (f"a {level(result.confidence_level)} CI of ± {name_width(result.half_width)} for "
              f"{result.metric} over new questions and new values of {result.by}")
    asked = count(result.questions, "question")
    if result.fewest is None:
        return (f"No number of values of {result.by} gives {wanted}, on {asked}: "
                f"{MOST_GROUPS:,} leave ± {name_width(result.floor)}. It takes more questions.")
    return (f"About {count(result.fewest, 'value')} of {result.by} on {asked} give {wanted}, where "
            f"that is near {percent(result.value)}.")


def name_width(half_width: float) -> str: return points(half_width, True, False)


def describe_pilot(result: GroupPlan) -> str:
    "How much of the variance is of the groups."
    return (f"In the pilot, {result.pilot_questions:,} questions by {result.pilot_groups:,} values "
            f"of {result.by}, {percent(result.share, decimals=0)} of the variance of the mean is "
            f"of {result.by}.")


def make_table(result: GroupPlan) -> Table:
    "The half-width to expect."
    lines = [["fewest" if row.groups == result.fewest else "", f"{row.groups:,}",
              f"± {name_width(row.half_width)}"] for row in result.rows]
    return Table(["", result.by, f"{level(result.confidence_level)} CI"], lines,
                 f"On {count(result.questions, 'question')}")


def methods_blocks(result: GroupPlan) -> list[Block]: return [Text(cite(methods(result)))]


def methods(result: GroupPlan) -> str:
    "What was computed and how."
    return (f"Half-width of the {level(result.confidence_level)} t interval of a mean over "
            f"questions and {result.by}, both drawn, from the mean squares of the pilot; degrees "
            f"of freedom by Satterthwaite at the sizes planned. {versions_sentence()}")
