"""What `explain` says of one question: its answers, and what it moves in every metric."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ...render.blocks import (SHARES, Block, Cell, Fold, Grid, GridLine, Headline, Intervals, Line,
                              Samples, Table, Text)
from ...render.citations import cite
from ...render.format import count, decimal, difference, interval, open_sentence, percent, value
from ...render.text import cut_text, measure, printable
from ...results.rows import name_family
from ..phrases.reading import describe_read
from .result import GAP, Answer, Effect, Explanation, Side

__all__ = ["document", "title", "methods"]

WIDTH, NAME, ANSWER = 80, 60, 44  # Columns of a terminal, of a name and of an answer
ANSWERS_SHOWN = 8  # Answers, and metrics, that are shown without a click


def title(result: Explanation) -> str:
    return result.title or f"Question {cut_text(result.question, NAME)}"


def document(result: Explanation) -> list[Block]:
    "How often it was right, its answers, and what it moves in every metric."
    said = [*vote_sentences(result), *score_sentences(result)]
    first = pick_effects(result.rows)
    blocks: list[Block] = [Headline(sides_sentence(result)), Text(weight_sentence(result))]
    blocks += [*draw_sides(result), *answer_blocks(result, ANSWERS_SHOWN), *map(Text, said),
               *effect_blocks(result, first), *(Text(f"{note}.", "note") for note in result.notes)]
    blocks.append(Samples(result.question, total=sum(side.n for side in result.sides)))
    if len(result.answers) > ANSWERS_SHOWN:
        blocks.append(Fold("All answers", answer_blocks(result, len(result.answers))))
    if len(first) < len(result.rows):
        blocks.append(Fold("All metrics", effect_blocks(result, result.rows)))
    read = Text(open_sentence(describe_read(result.read)), "note")
    return [*blocks, Fold("Methods", [Text(cite(methods(result))), read])]


def methods(result: Explanation) -> str:
    return ("Each question has the same weight in a mean. Without it: the mean over the other "
            "questions. Moved by: the mean minus the mean without it. Intervals of one question: "
            "exact 95 % confidence intervals of Clopper and Pearson @{clopper1934}.")


def label_sides(result: Explanation) -> list[tuple[str, Side]]:
    "Each system under its name; the only one without a name under none."
    return [(cut_text(side.name, NAME) if side.name else "", side) for side in result.sides]


# Sentences.

def sides_sentence(result: Explanation) -> str:
    "How often each system was right."
    name = cut_text(result.question, NAME)
    told = [" ".join(filter(None, (label, right_of_samples(side))))
            for label, side in label_sides(result)]
    if len(told) > 3: told = [f"{len(told)} models"]
    return f"Question {name}: {', '.join(told)}."


def right_of_samples(side: Side) -> str:
    "How often a system is right, such as right in 3 of 4 samples, and how many are missing."
    samples = count(side.n, "sample")
    if side.c is None: said = f"scored {decimal(side.mean_score)} on average in {samples}"
    else: said = f"right in {side.c} of {samples}"
    return said + f" ({side.missing} missing)" * bool(side.missing)


def weight_sentence(result: Explanation) -> str:
    "What the question weighs, and which mean it moves most."
    if result.questions == 1: return "It is the only question."
    whole = count(result.questions, "question")
    start = f"One of {whole} ({percent(result.weight)} of the weight)."
    rows = [row for row in result.rows if row.of == result.main]
    most = max(rows, key=lambda row: abs(row.moved or 0))
    if not most.moved: return f"{start} Every mean would be the same without it."
    if result.main != GAP: return f"{start} {largest_effect_clause(most, result)}"
    more = "" if most is rows[0] else f" {largest_effect_clause(most, result)}"
    return f"{start} {part_clause(result, rows[0])}{more}"


def part_clause(result: Explanation, gap: Effect) -> str:
    "What the question adds to a difference."
    names = " - ".join(label for label, _ in label_sides(result)[::-1])
    if not gap.value: return f"It adds nothing to {names} in {gap.metric}."
    place = "no question adds more" if result.rank == 1 else f"rank {result.rank} by size"
    return (f"It adds {difference(gap.value / result.questions, gap.unit)} to {names} in "
            f"{gap.metric} ({place}): {difference(gap.mean, gap.unit)}, without it "
            f"{difference(gap.without, gap.unit)}.")


def largest_effect_clause(most: Effect, result: Explanation) -> str:
    "The mean that the question moves most."
    several = len(result.sides) > 1 and most.of != GAP
    of = f" of {most.of}" * several
    write = difference if most.of == GAP else value
    return (f"It moves {most.metric}{of} most: {write(most.mean, most.unit)}, without it "
            f"{write(most.without, most.unit)}.")


def vote_sentences(result: Explanation) -> Iterator[str]:
    "What a vote of all samples says of each system that has answers."
    if len(result.sides) > 2: return
    for label, side in label_sides(result):
        if side.vote is not None and side.n > 1:
            said = vote_sentence(side, result.ties)
            yield f"{label}: {said}" if label else open_sentence(said)


def vote_sentence(side: Side, ties: str) -> str:
    vote = side.vote
    assert vote is not None
    abstain = f" ({side.blank} without an answer)" * bool(side.blank)
    start = f"a vote of all {side.n} samples{abstain}"
    if vote.tied == 1:
        said = f'{vote.samples} say "{cut_answer(vote.answer)}"'
        if 0 < vote.right < 1: return f"{start}: {said}, right in {percent(vote.right)} of them."
        return f"{start} is {'right' if vote.right else 'wrong'}: {said}."
    rule = "shares the credit" if ties == "expected" else "gives nothing for a tie"
    return f"{start} ties {vote.tied} answers, {vote.right:.4g} of them right; maj@k {rule}."


def score_sentences(result: Explanation) -> Iterator[str]:
    "The spread of the scores; none where they are 0 and 1 as the outcomes are."
    if len(result.sides) > 2: return
    for label, side in label_sides(result):
        scores = side.scores
        if scores is None: continue
        outcomes = {scores.low, scores.high} <= {0, 1}
        if outcomes and side.c is not None and scores.mean == side.c / side.n: continue
        best = {None: "", True: "; the highest is right", False: "; the highest is wrong"}
        said = (f"scores {decimal(scores.low)} to {decimal(scores.high)}, median "
                f"{decimal(scores.median)}, mean {decimal(scores.mean)}{best[scores.best_right]}.")
        yield f"{label}: {said}" if label else open_sentence(said)


# Pictures and tables.

def draw_sides(result: Explanation) -> list[Block]:
    "The share of right samples of each system with its exact interval, and the mean of all."
    means = {row.of: row.mean for row in result.rows if row.k == 1 and row.unit == "share"}
    lines = [Line(label or "right", f"{side.c} of {side.n}", side.c / side.n, side.low, side.high,
                  interval(side.low, side.high), means.get(side.name), colour=i)
             for i, (label, side) in enumerate(label_sides(result))
             if side.c is not None and side.n]
    if not lines or means.keys() == {GAP}: return []
    alt = "Share of right samples with its 95 % CI; the upright line is the mean of all questions"
    return [Intervals(lines, alt, limit="mean of all questions", **SHARES)]


def answer_blocks(result: Explanation, most: int) -> list[Block]:
    "Answers with their samples, most frequent first."
    shown = result.answers[:most]
    if not shown: return []
    more = [Text(f"{different} different answers{f' of {label}' * bool(label)}.", "note")
            for label, side in label_sides(result)
            if (different := side.different or 0) > len(shown)]
    return [make_tally(result, shown), *more]


def make_tally(result: Explanation, shown: Sequence[Answer]) -> Table:
    "A column for each system, or their sum where there is no room."
    names = [label for label, _ in label_sides(result)]
    heads, samples = names, [["-" if many is None else str(many) for many in one.samples]
                             for one in shown]
    room = WIDTH - ANSWER - len("right") - 4
    if len(names) == 1 or sum(2 + measure(printable(name)) for name in names) > room:
        heads, samples = ["samples"], [[str(one.total)] for one in shown]
    rows = [[cut_answer(one.answer, one.length), *counts, right_or_wrong(one, names)]
            for one, counts in zip(shown, samples)]
    return Table(["answer", *heads, "right"], rows)


def cut_answer(answer: str | None, length: int | None = None) -> str:
    return "no answer" if answer is None else cut_text(answer, ANSWER, length)


def right_or_wrong(answer: Answer, names: Sequence[str]) -> str:
    "Whether an answer is right, and for whom where that differs."
    known = {one for one in answer.right if one is not None}
    if len(known) < 2: return mark_right(known.pop() if known else False)
    if len(names) > 2: return "for some"
    return "for " + ", ".join(name + f" ({percent(right)})" * (right < 1)
                              for name, right in zip(names, answer.right) if right)


def mark_right(right: bool | float) -> str:
    "A mark, or the share of an answer that was judged both ways."
    return percent(right) if 0 < right < 1 else "✓" if right else "✗"


def pick_effects(rows: Sequence[Effect]) -> Sequence[Effect]:
    "All metrics where they are few; else pass@1, and the largest budget of each."
    metrics = list(dict.fromkeys(row.metric for row in rows))
    if len(metrics) <= ANSWERS_SHOWN: return rows
    families = groupby(metrics, name_family)
    last = [list(found)[-1] for _, found in families]
    # The mean of all samples is pass@1.
    if "pass@1" in metrics: last = [name for name in last if name_family(name) != "avg@k"]
    return [row for row in rows if row.metric in ("pass@1", *last)]


def effect_blocks(result: Explanation, rows: Sequence[Effect]) -> list[Block]:
    "The metrics of one system, of two with their difference, or of several side by side."
    if len(result.sides) == 1:
        heads = ["metric", "this question", "all questions", "without it", "moved by"]
        return [Table(heads, list(map(write_effect, rows)))]
    if len(result.sides) > 2: return [make_grid(result, rows)]
    found = {(row.of, row.metric): row for row in rows}
    a, b = (side.name for side in result.sides)
    names = [label for label, _ in label_sides(result)]
    heads = ["metric", *names, "difference", "all questions", "without it"]
    return [Table(heads, [write_gap(found[a, row.metric], found[b, row.metric], row)
                          for row in rows if row.of == GAP])]


def write_effect(row: Effect) -> list[str]:
    levels = [value(number, row.unit) for number in (row.value, row.mean, row.without)]
    return [row.metric, *levels, difference(row.moved, row.unit, named=False)]


def write_gap(a: Effect, b: Effect, gap: Effect) -> list[str]:
    changes = [difference(number, gap.unit, named=False)
               for number in (gap.value, gap.mean, gap.without)]
    return [gap.metric, value(a.value, a.unit), value(b.value, b.unit), *changes]


def make_grid(result: Explanation, rows: Sequence[Effect]) -> Grid:
    "A line per system: each metric on this question, and below it on all questions."
    metrics = list(dict.fromkeys(row.metric for row in rows))
    found = {(row.of, row.metric): row for row in rows}
    lines = []
    for label, side in label_sides(result):
        cells = tuple(make_cell(found[side.name, metric]) for metric in metrics)
        right = f"{side.n} samples" if side.c is None else f"{side.c} of {side.n} right"
        lines.append(GridLine(label, right, cells))
    return Grid("model", tuple(metrics), tuple(lines), ("all questions",))


def make_cell(row: Effect) -> Cell:
    return Cell(value(row.value, row.unit), (value(row.mean, row.unit),))
