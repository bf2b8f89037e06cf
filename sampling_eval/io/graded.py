"""Answers of a plain table judged by the right answer that stands beside them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors import OptionError
from ..results.reading import ReadNote
from .column_candidates import EXPECTED
from .columns import Batch, COLUMNS, Keep, Source, WAYS, list_columns, no_column, simplify
from .harness.ask import NoOutcomes
from .harness.grading import Grade, TextGrade, find_grade
from .options import Options

__all__ = ["find_expected", "grade_sources", "note_grading"]

GRADED = "answer equals the expected one"


def find_expected(
    columns: Sequence[str],  # Names of all columns
    named: str | None,  # Column of right answers, where the caller says so
) -> str:
    """The column of right answers.

    Raises: `OptionError` where there is none, or several could be it.
    """
    if named is not None and named not in columns: raise no_column("expected", named, columns)
    found = [named] if named else [c for c in columns if simplify(c) in EXPECTED]
    if len(found) == 1: return str(found[0])
    rule = (f"ambiguous: {found[0]!r} or {found[1]!r} could be the right answer" if found else
            f"Which column holds the right answer? Got {', '.join(map(repr, columns[:12]))}")
    left = found or [c for c in columns if not any(simplify(c) in o for o in COLUMNS.values())]
    raise OptionError("expected", rule, choices=columns,
                      ways=[dict(expected=column) for column in left[:WAYS]])


def grade_sources(
    sources: list[Source],  # A table with answers and right answers
    options: Options,  # With the rule, and columns where they are named
) -> tuple[list[Source], Options, Grade]:  # With a column of outcomes; the rule that judges
    """The same with each answer judged.

    Raises: `OptionError` where a column is not known, or an outcome stands there already.
    """
    grade = find_grade(options.grade)
    assert grade is not None
    columns = [name for name in list_columns(sources) if name not in options.ignore]
    answer = find_answer(columns, options.columns.get("answer"))
    expected = find_expected([c for c in columns if c != answer], options.expected)
    plain = [part for source in sources for part in (source.plain() if source.plain else [source])]
    judged = [judge_source(source, answer, expected, grade) for source in plain]
    named = {**options.columns, "correct": GRADED, "score": False, "answer": answer}
    ignore = (*options.ignore, expected)
    return judged, replace(options, columns=named, ignore=ignore, grade=None), grade


def find_answer(columns: Sequence[str], named: object) -> str:
    "The column of the answers that are judged."
    if isinstance(named, str):
        if named not in columns: raise no_column("answer", named, columns)
        return named
    known = COLUMNS["answer"]
    found = [c for c in columns if simplify(c) in known]
    if len(found) == 1: return found[0]
    like = found or [c for c in columns if has_answer(c)] or [
        c for c in columns if not any(simplify(c) in o for o in COLUMNS.values())]
    rule = (f"ambiguous: {found[0]!r} or {found[1]!r} could be the answer" if found else
            f"Which column holds the answer? Got {', '.join(map(repr, columns[:12]))}")
    raise OptionError("answer", rule, choices=columns,
                      ways=[dict(answer=column) for column in like[:WAYS]])


def has_answer(column: str) -> bool:
    words = set(simplify(column).split("_"))
    return not words.isdisjoint({"answer", "response", "output", "completion", "prediction"})


def judge_source(source: Source, answer: str, expected: str, grade: Grade) -> Source:
    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        whole = {part: name for part, name in chosen.items() if name != GRADED}
        if len(whole) == len(chosen): return source.take(chosen, keep)
        # As text: "4" of a CSV file is compared as it was written.
        wanted = {"question": answer, **whole, "look answer": answer, "look expected": expected}
        base = source.take(wanted, keep)
        pairs = zip(base.parts["look answer"].tolist(), base.parts["look expected"].tolist())
        right = np.array([judge(one, other, grade) for one, other in pairs], object)
        parts = {part: right if name == GRADED else base.parts[part]
                 for part, name in chosen.items()}
        return replace(base, parts=parts)
    return replace(source, columns=[*source.columns, GRADED], take=take, head=None, plain=None)


def judge(answer: object, expected: object, grade: Grade) -> bool:
    "Whether an answer is right; without one it is wrong."
    try: return bool(grade(plain_text(answer), plain_text(expected)))
    except NoOutcomes as error: raise OptionError("grade", str(error)) from None


def plain_text(value: object) -> object:
    "A number as it would be written, so that 4.0 of a frame is 4."
    if isinstance(value, float) and value.is_integer(): return str(int(value))
    return value if value is None or isinstance(value, list) else str(value)


def note_grading(grade: Grade) -> list[ReadNote]:
    "By which rule answers were judged."
    if not isinstance(grade, TextGrade): return []
    return [ReadNote("graded_texts", (grade.name,), count=grade.odd, total=grade.judged)]
