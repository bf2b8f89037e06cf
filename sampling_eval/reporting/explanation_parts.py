"""What one question says: tables of its answers and metrics, and sentences."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from re import sub

from .explained import GAP, Answer, Effect, Explained, Side
from .numbers import digits, signed
from .openings import say_read
from .parts import Cell, GridLine, Heading, Lead, Matrix, Note, Part, Sentence, Table
from .phrases import say_share
from .text import measure, printable

__all__ = ["NAME", "explanation_parts", "explanation_screen", "cut_text", "cut_answer",
           "name_letters"]

WIDTH, NAME, ANSWER = 80, 60, 44  # Columns of a terminal, of a name and of an answer
SHOWN = 10  # Answers that the first screen lists
FEW = 12  # Metrics that are all shown
ONE_HEADS = "metric", "this question", "all questions", "without it", "moved by it"
TWO_HEADS = "metric", "A", "B", GAP, "all questions", "without it"
HOW = ("Each question has the same weight in a mean. Without it: the mean over the other "
       "questions. Moved by it: the mean minus the mean without it.")


def explanation_parts(
    explanation: Explained,  # One question
) -> list[Part]:
    "Everything: the answers, every metric, and how it was computed."
    last = say_weight(explanation), *map(say_read, [*explanation.notes, explanation.read]), HOW
    return [*map(Heading, filter(None, [explanation.title])), *open_parts(explanation),
            *list_answers(explanation, len(explanation.answers)),
            *map(Sentence, say_samples(explanation)),
            *list_effects(explanation, explanation.rows), *map(Sentence, filter(None, last))]


def explanation_screen(
    explanation: Explained,  # One question
) -> list[Part]:
    "The same with the most frequent answers, and the largest budget of each metric."
    told = say_samples(explanation) if len(explanation.sides) < 3 else []
    last = say_weight(explanation), *map(say_read, [*explanation.notes, explanation.read])
    return [*open_parts(explanation), *list_answers(explanation, SHOWN), *map(Note, told),
            *list_effects(explanation, pick_effects(explanation.rows)),
            *map(Lead, filter(None, last))]


def open_parts(explanation: Explained) -> list[Part]:
    "Who answered, and how often the answer was right."
    name, label = cut_text(explanation.question, NAME), explanation.label()
    if len(label) == 1: return [Lead(f"{say_side(explanation.sides[0], name)}.")]
    if len(label) > 2: return [Lead(f"Question {name}, answered by {len(label)} models.")]
    told = ", ".join(f"{letter} is {say_tries(side)}" for letter, side in label)
    who = name_letters([side.name for side in explanation.sides])
    return [Note(f"{who}: question {name}" if who else f"Question {name}"), Lead(f"{told}.")]


def cut_text(
    value: object,  # A name or an answer, of any length
    width: int,  # Columns of a terminal that it may take
) -> str:  # One line without control characters
    "A text in one line, cut where it is too long, with the length of the whole."
    whole = str(value) or "''"
    text = printable(" ".join(whole[:4 * width].split()))
    if text == whole and measure(text) <= width: return text
    if not whole.strip():
        return repr(whole) if len(whole) < width else f"{len(whole):,} characters of space"
    if len(whole) <= 4 * width and measure(text) <= width: return text
    mark = f"… ({len(whole):,} characters)"
    room, used, end = max(width - len(mark), 1), 0, 0
    while end < len(text) and (used := used + measure(text[end])) <= room: end += 1
    return text[:end] + mark


def name_letters(
    names: Sequence[str],  # Names of two systems
) -> str:  # `A = base, B = tuned`; empty where the letters are the names
    "Which system is A, and which is B."
    if list(names) == ["A", "B"]: return ""
    return ", ".join(f"{letter} = {cut_text(name, NAME)}" for letter, name in zip("AB", names))


def cut_answer(
    answer: object,  # An answer as it was counted, None for none
) -> str:  # One short line
    "An answer as a result keeps it."
    return "no answer" if answer is None else cut_text(answer, ANSWER)


# Tables.

def list_answers(explanation: Explained, most: int) -> list[Part]:
    "Answers with their samples, most frequent first."
    shown = explanation.answers[:most]
    if not shown: return []
    table = make_tally(explanation, shown)
    more = [f"{said} different answers{of}; the {len(shown)} most frequent are shown."
            for said, of in count_hidden(explanation, len(shown))]
    return [table, *map(Note, more)]


def make_tally(explanation: Explained, shown: Sequence[Answer]) -> Table:
    "A column for each system, or their sum where there is no room."
    names = [label for label, _ in explanation.label()]
    heads, samples = names, [list(map(write_count, one.samples)) for one in shown]
    room = WIDTH - ANSWER - len("right") - 4
    if len(names) == 1 or sum(2 + measure(printable(name)) for name in names) > room:
        heads, samples = ["samples"], [[str(one.total)] for one in shown]
    rows = [[one.answer, *counts, say_right(one, names)] for one, counts in zip(shown, samples)]
    return Table(["answer", *heads, "right"], rows)


def write_count(count: int | None) -> str: return "-" if count is None else str(count)


def count_hidden(explanation: Explained, shown: int) -> list[tuple[int, str]]:
    "Systems with more answers than are shown."
    several = len(explanation.sides) > 1
    return [(side.different, f" of {label}" * several) for label, side in explanation.label()
            if side.different is not None and side.different > shown]


def say_right(answer: Answer, heads: Sequence[str]) -> str:
    "Whether an answer is right, and for whom where that differs."
    known = {o for o in answer.right if o is not None}
    if len(known) < 2: return "yes" if True in known else "no"
    if len(heads) > 2: return "for some"
    return "for " + "".join(head for head, right in zip(heads, answer.right) if right)


def pick_effects(rows: Sequence[Effect]) -> Sequence[Effect]:
    "All metrics where they are few; else pass@1, and the largest budget of each."
    metrics = list(dict.fromkeys(row.metric for row in rows))
    if len(metrics) <= FEW: return rows
    families = groupby(metrics, lambda metric: sub(r"(?<=[@^])\d+", "k", metric, count=1))
    last = [list(found)[-1] for _, found in families]
    # The mean of all samples is pass@1.
    if "pass@1" in metrics: last = [o for o in last if not o.startswith("avg@")]
    return [row for row in rows if row.metric in ("pass@1", *last)]


def list_effects(explanation: Explained, rows: Sequence[Effect]) -> list[Part]:
    "The metrics of one system, of two with their difference, or of several side by side."
    if len(explanation.sides) == 1:
        return [Table(list(ONE_HEADS), [write_effect(row) for row in rows])]
    if len(explanation.sides) > 2: return [make_grid(explanation, rows)]
    found = {(row.of, row.metric): row for row in rows}
    a, b = (side.name for side in explanation.sides)
    gaps = [row for row in rows if row.of == GAP]
    return [Table(list(TWO_HEADS), [write_gap(found[a, o.metric], found[b, o.metric], o)
                                    for o in gaps])]


def write_effect(row: Effect) -> list[str]:
    return [row.metric, digits(row.value), digits(row.mean), digits(row.without),
            signed(row.moved)]


def write_gap(a: Effect, b: Effect, gap: Effect) -> list[str]:
    numbers = [digits(a.value), digits(b.value), signed(gap.value), signed(gap.mean)]
    return [gap.metric, *numbers, "-" if gap.without is None else signed(gap.without)]


def make_grid(explanation: Explained, rows: Sequence[Effect]) -> Matrix:
    "A line per system: each metric on this question, and below it on all questions."
    metrics = list(dict.fromkeys(row.metric for row in rows))
    found = {(row.of, row.metric): row for row in rows}
    lines = []
    for side in explanation.sides:
        cells = tuple(make_cell(found[side.name, metric]) for metric in metrics)
        lines.append(GridLine(side.name, say_share_right(side), cells))
    return Matrix("model", tuple(metrics), tuple(lines), ("all questions",))


def say_share_right(side: Side) -> str:
    "Right samples of one system among all."
    return f"{side.n} samples" if side.c is None else f"{side.c} of {side.n} right"


def make_cell(row: Effect) -> Cell: return Cell(digits(row.value), (digits(row.mean),))


# Sentences.

def say_side(side: Side, question: str) -> str:
    "How often the only system is right, with its name where it has one."
    if side.name: return f"{side.name} is {say_tries(side)} of question {question}"
    return capitalise(f"{say_tries(side)} of question {question}")


def say_samples(explanation: Explained) -> list[str]:
    "What a vote of the samples says on each system, and how they were scored."
    told = [say(label, side, explanation.ties) for label, side in explanation.label()
            for say in (say_vote, say_scores)]
    return [text for text in told if text]


def say_tries(side: Side) -> str:
    "How often a system is right, such as in 3 of 4 samples, and how many are missing."
    samples = f"{side.n} sample{'s' * (side.n != 1)}"
    if side.c is None: said = f"scored {digits(side.mean_score)} on average in {samples}"
    else: said = f"right in {side.c} of {samples}"
    return said + f" ({side.missing} missing)" * bool(side.missing)


def say_weight(explanation: Explained) -> str:
    "What the question weighs, and which mean it moves most."
    if explanation.questions == 1: return "It is the only question."
    weight = say_share(explanation.weight)
    start = f"It is one of {explanation.questions} questions, with {weight} of the weight."
    rows = [row for row in explanation.rows if row.of == explanation.main]
    most = max(rows, key=lambda row: abs(row.moved or 0))
    if not most.moved: return f"{start} Every mean would be the same without it."
    if explanation.main != GAP: return f"{start} {say_most(most, len(explanation.sides) > 1)}"
    more = "" if most is rows[0] else " " + say_most(most, True)
    return f"{start} {say_part(explanation, rows[0])}{more}"


def say_part(explanation: Explained, gap: Effect) -> str:
    "What the question adds to a difference."
    if not gap.value: return f"It adds nothing to B - A in {gap.metric}."
    count = explanation.questions
    place = f"number {explanation.rank} of {count} by size" if explanation.rank else ""
    if explanation.rank == 1: place = "no question adds more"
    return (f"It adds {signed(gap.value / count)} to B - A in {gap.metric} ({place}), which is "
            f"{signed(gap.mean)} and without it would be {write_signed(gap.without)}.")


def say_most(most: Effect, several: bool) -> str:
    "The mean that the question moves most."
    of = f" of {most.of}" if several and most.of != GAP else ""
    gap = most.of == GAP
    where = f"B - A in {most.metric}" if gap else most.metric + of
    write = write_signed if gap else digits
    with_it, without = write(most.mean), write(most.without)
    # Among very many questions both read the same.
    span = "" if with_it == without else f", from {without} without it to {with_it}"
    return f"It moves {where} most: by {signed(most.moved)}{span}."


def write_signed(value: float | None) -> str: return "-" if value is None else signed(value)


def say_vote(label: str, side: Side, ties: str) -> str:
    "What a vote of all samples says; empty without answers."
    vote = side.vote
    if vote is None or side.n == 1: return ""
    gives = "gives" if side.blank == 1 else "give"
    abstain = f", of which {side.blank} {gives} no answer," * bool(side.blank)
    start = f"a vote of all {side.n} samples{abstain}"
    if vote.tied == 1:
        verdict = "right" if vote.right else "wrong"
        return head(label, f'{start} is {verdict}: {vote.samples} say "{vote.answer}".')
    rule = "gives each its share" if ties == "expected" else "gives nothing for a tie"
    return head(label, f"{start} ends in a tie of {vote.tied} answers, {vote.right} of them right; "
                       f"maj@k {rule}.")


def say_scores(label: str, side: Side, ties: str) -> str:
    "The spread of the scores; empty where they are not kept, or 0 and 1 as the outcomes are."
    scores = side.scores
    if scores is None: return ""
    outcomes = {scores.low, scores.high} <= {0, 1}
    if outcomes and side.c is not None and scores.mean == side.c / side.n: return ""
    best = {None: "", True: "; the highest is of a right sample",
            False: "; the highest is of a wrong sample"}[scores.best_right]
    return head(label, f"scores go from {digits(scores.low)} to {digits(scores.high)}, with median "
                       f"{digits(scores.median)} and mean {digits(scores.mean)}{best}.")


def head(label: str, text: str) -> str:
    "A sentence on one system, under its name where there are several."
    return f"{label}: {text}" if label else capitalise(text)


def capitalise(text: str) -> str: return text[:1].upper() + text[1:]
