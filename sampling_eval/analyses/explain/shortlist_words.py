"""What `explain` says where no question is named: those that are worth a look."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...render.blocks import Block, Fold, Headline, Question, Table, Text
from ...render.format import count, difference, open_sentence, value
from ...render.text import cut_text
from ..phrases.questions import draw_tries, kind_of_question
from ..phrases.reading import describe_read
from .result import GAP, Shortlist

__all__ = ["document", "page", "title", "methods"]

QUESTIONS_SHOWN = 8  # Questions that are shown without a click
NAME, SHORT = 44, 16  # Columns of the name of a question, and of a model


def title(result: Shortlist) -> str: return result.title or "Questions worth a look"


def document(result: Shortlist) -> list[Block]:
    "How many questions there are of each kind, and the first ones."
    blocks: list[Block] = [Headline(kind_counts(result)), Text(order_note(result))]
    if result.listed: blocks.append(make_table(result, result.rows[:QUESTIONS_SHOWN]))
    if len(result.listed) > QUESTIONS_SHOWN:
        whole = f"All {len(result.listed)} listed"
        blocks.append(Fold(whole, [make_table(result, result.rows)]))
    blocks += [Text(f"{note}.", "note") for note in result.notes]
    read = Text(open_sentence(describe_read(result.read)), "note")
    return [*blocks, Fold("Methods", [Text(methods(result)), read])]


def page(result: Shortlist) -> list[Block]:
    "The first questions with their samples, which open to what they say; the others folded."
    rows = list(draw_rows(result))
    if not rows: return document(result)
    heads = [cut_text(name, NAME) for name in result.names] if len(result.names) > 1 else ["right"]
    head, order, *rest = document(result)
    kept = [block for block in rest if not isinstance(block, Table)
            and not (isinstance(block, Fold) and isinstance(block.blocks[0], Table))]
    first, others = rows[:QUESTIONS_SHOWN], rows[QUESTIONS_SHOWN:]
    more = [Fold(f"The other {len(others)} listed", [draw_tries(others, heads)])] if others else []
    return [head, order, draw_tries(first, heads), *more,
            Fold("All numbers", [make_table(result, result.rows)]), *kept]


def draw_rows(result: Shortlist) -> Iterator[Question]:
    "The listed questions, where all have right samples."
    sides = [one.sides for one in result.listed]
    if not all(own and None not in (side.right for side in own) for own in sides): return
    for one in result.listed:
        tries = [(side.right or 0, side.samples) for side in one.sides]
        yield Question(str(one.question), kind_of_question(tries), tries)


def methods(result: Shortlist) -> str:
    if result.order == "difference":
        return f"Adds: the difference on the question divided by {result.questions} questions."
    if result.order in ("graded", "scores"): return "Mean score: over the samples of the question."
    return "A flaky question is right in some of its samples and wrong in others."


def kind_counts(result: Shortlist) -> str:
    "How many questions there are of each kind."
    whole, counts = count(result.questions, "question"), result.counts
    if result.order == "graded": return f"{whole} with graded scores."
    if result.order == "scores": return f"{whole} with scores."
    if result.order == "flaky":
        return (f"{whole}: {counts['flaky']} flaky, {counts['never']} never right, "
                f"{counts['always']} always right.")
    if result.order == "spread":
        models = f"{len(result.names)} models"
        return f"{whole}: {counts['differ']} separate the {models} in {result.metric}."
    a, b = (cut_text(name, SHORT) for name in result.names)
    return (f"{whole}: {b} scores higher than {a} in {result.metric} on {counts['higher']}, lower "
            f"on {counts['lower']}, equal on {counts['equal']}.")


def order_note(result: Shortlist) -> str:
    said = dict(flaky="Closest to half right first.", graded="Means closest to 0.5 first.",
                scores="Lowest means first.",
                difference="Largest differences first.", spread="Widest spread first.")
    return said[result.order] if result.listed else "No question is worth a look."


def make_table(result: Shortlist, rows: Sequence[dict[str, Any]]) -> Table:
    "A line per question."
    lines = [write_row(row, result) for row in rows]
    return Table(list(lines[0]), [list(line.values()) for line in lines])


def write_row(row: dict[str, Any], result: Shortlist) -> dict[str, str]:
    "The cells of one question by their heads."
    cells = dict(question=cut_text(row["question"], NAME))
    sides = ("",) if len(result.names) == 1 else (" A", " B")
    alone = "right" if result.order == "flaky" else "mean score"
    names = (alone,) if len(result.names) == 1 else result.names
    for side, name in zip(sides, names):
        if f"samples{side}" in row: cells[cut_text(name, SHORT)] = write_tries(row, side)
    for head in ("lowest", "highest"):
        if head not in row: continue
        cells[head] = value(row[head], result.unit)
        cells[f"{head} of"] = cut_text(row[f"{head} of"], SHORT)
    if GAP in row:
        cells |= {head: difference(row[name], result.unit, named=False)
                  for head, name in (("difference", GAP), ("adds", "adds"))}
    return cells


def write_tries(row: dict[str, Any], side: str) -> str:
    "How often one system was right."
    samples = row[f"samples{side}"]
    if f"right{side}" in row: return f"{row[f'right{side}']} of {samples}"
    return f"{value(row[f'mean score{side}'], 'score')} in {samples}"
