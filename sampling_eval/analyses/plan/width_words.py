"""What a plan for the interval of one system says: the questions, what it assumes, every design."""
from __future__ import annotations

from collections.abc import Iterator

from ...inference.intervals import row_of
from ...inference.widths import MOST_QUESTIONS
from ...render.blocks import Block, Fold, Headline, Later, Table, Text
from ...render.citations import cite
from ...render.format import amount, count, interval, join, level, percent, points
from ..phrases.reading import describe_read, versions_sentence
from .result import PlannedWidth, WidthPlan

__all__ = ["document", "title", "methods"]

NAMED = dict(gaffke="CI of score (new questions, Gaffke, assumption-free)", t="t interval",
             normal="normal interval")


def title(result: WidthPlan) -> str: return f"plan for {result.metric}"


def document(result: WidthPlan) -> list[Block]:
    "The answer, what it assumes, and the questions by the samples of each."
    known = [Text(said) for said in assumption_sentences(result)]
    read = [Text(f"Pilot: {describe_read(result.read)}", "note")] if result.read else []
    return [Headline(headline(result)), *known, make_table(result), *read,
            *[Text(note, "note") for note in result.notes],
            Fold("Methods", Later(methods_blocks, result))]


def headline(result: WidthPlan) -> str:
    "What to do, in a sentence."
    wanted = f"a {level(result.confidence_level)} CI of ± {name_width(result)} for {result.metric}"
    if result.best is None:
        return f"More than {MOST_QUESTIONS:,} questions are needed for {wanted}."
    row = result.rows[result.best]
    return f"About {name_design(row)} give {wanted}, where that is near {percent(result.value)}."


def name_width(result: WidthPlan) -> str: return points(result.half_width, True, False)


def name_design(row: PlannedWidth) -> str:
    each = f"{count(row.samples, 'sample')} each"
    return f"{count(row.questions or 0, 'question')} at {each}"


def assumption_sentences(result: WidthPlan) -> Iterator[str]:
    "What difficulty is taken to be, and how sure the width is."
    if not result.pilot: yield "No pilot: assumes uniformly distributed difficulty."
    last = result.rows[-1]
    if len(result.rows) > 1 and last.questions is not None:
        yield (f"More samples save questions only so far: {name_design(last)} do as well.")
    if result.best is not None:
        yield ("The width of one run varies about this: plan for some more questions, or for a "
               "narrower CI, to be on the safe side.")
    if result.clustered:
        yield ("Clusters are not used: questions are planned as independent draws, and clustered "
               "ones take more.")


def make_table(result: WidthPlan) -> Table:
    "Questions and cost by the samples of each."
    shown = any(row.usual is not None for row in result.rows)
    heads = ["", "samples each", "questions", *["by t"] * shown,
             f"{level(result.confidence_level)} CI", "cost"]
    lines = []
    for i, row in enumerate(result.rows):
        usual = ["-" if row.usual is None else f"{row.usual:,}"] if shown else []
        ends = "-" if row.low is None or row.high is None else interval(row.low, row.high)
        cost = "-" if row.cost is None else amount(row.cost, 6)
        size = "-" if row.questions is None else f"{row.questions:,}"
        lines.append(["cheapest" if i == result.best else "", f"{row.samples:,}", size, *usual,
                      ends, cost])
    return Table(heads, lines, f"Questions until the CI is ± {name_width(result)}")


def methods_blocks(result: WidthPlan) -> list[Block]: return [Text(cite(methods(result)))]


def methods(result: WidthPlan) -> str:
    "What was computed and how."
    each = join([f"{row.samples:,}" for row in result.rows])
    sources = row_of(result.method).sources
    source = f"@{{{', '.join(sources)}}}" if sources else ""
    return (f"Fewest questions whose {level(result.confidence_level)} {NAMED[result.method]} "
            f"{source} is {2 * 100 * result.half_width:g} points wide, where every value of a "
            f"question is as frequent as expected. Samples per question considered: {each}. "
            f"{versions_sentence()}")
