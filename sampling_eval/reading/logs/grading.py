"""Texts judged against the right answer beside them, in logs and in plain tables."""
from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from ...errors import OptionError
from ...spelling import marked, option
from ...foundations.checks import is_blank, normalized
from ...results.reading import ReadNote
from ..column_candidates import EXPECTED
from ..columns import (COLUMNS, Source, WAYS, add_columns, list_columns, list_plain, no_column,
                       simplify)
from ..options import Options
from ..shapes import is_list, parse_list
from .ask import NoOutcomes
from .limits import quote_names, shorten

__all__ = ["Grade", "TextGrade", "find_grade", "grade_sources", "note_grading"]

GRADES = "exact", "number", "last_line"
LONGEST = 30  # Decimal places of an answer that is spelled as a decimal
Grade: TypeAlias = Callable[[Any, Any], Any]


@dataclass
class TextGrade:
    "A rule for equal answers that judges texts, and counts the texts that it cannot read."
    name: str  # exact: the same text, spaces at the ends aside; number; last_line of the answer
    judged: int = 0  # Texts so far
    odd: int = 0  # Texts so far that are no number, where numbers are compared

    def __call__(
        self,
        answer: Any,  # Text of one sample
        target: Any,  # Right answer, or a list of several
    ) -> bool:  # Whether the text is one of them
        """Whether an answer is right.

        Raises: `NoOutcomes` where there is nothing to compare with.
        """
        found = self.read(answer)
        targets = target if isinstance(target, list) and target else [target]
        right = [self.read_target(one) for one in targets]
        self.judged += 1
        self.odd += self.name == "number" and not is_exact_number(found)
        return found in right

    def read(self, answer: Any) -> Any:
        "What an answer is compared as."
        return self.read_text(last_line(answer) if self.name == "last_line" else answer)

    def read_text(self, text: Any) -> Any:
        return normalized(str(text), "number" if self.name == "number" else "strip")

    def spell(self, answer: Any) -> str | None:
        "The answer under which a sample votes: one spelling for all that compare as equal."
        return None if is_blank(answer) else spell_number(self.read(answer))

    def read_target(self, target: Any) -> Any:
        "What the right answer is compared as; not every text can be."
        found = None if is_blank(target) else self.read_text(target)
        if found is not None and (self.name != "number" or is_exact_number(found)): return found
        what = "the right answer" if self.name != "number" else "a number as the right answer"
        got = "an empty target" if target == "" else shorten(target)
        raise NoOutcomes(f"{option('grade', self.name)} needs {what} beside each text, got {got}")

    def refuse_none_judged(self) -> None:
        "Refuse logs in which no sample has a text to judge."
        if self.judged: return
        raise OptionError("grade", f"{option('grade', self.name)} compares the text of an answer "
                                   "with the target, and these logs hold no such text",
                          hint=f"leave {option('grade')} out to take the stored outcomes")


def last_line(answer: Any) -> str:
    "The last line of a text that is not blank."
    lines = str(answer).strip().splitlines()
    return lines[-1] if lines else ""


def is_exact_number(value: Any) -> bool:
    "Whether a text was read as a number."
    return isinstance(value, (int, Fraction))


def spell_number(value: Any) -> str:
    "A number as a decimal, or as a fraction where that would not end; text as it is."
    if not isinstance(value, Fraction): return str(value)
    places = 0
    while places < LONGEST and (value * 10**places).denominator > 1: places += 1
    if places == LONGEST: return str(value)
    digits = f"{abs(value * 10**places).numerator:0{places + 1}}"
    return f"{'-' * (value < 0)}{digits[:-places]}.{digits[-places:]}"


def find_grade(
    given: Any,  # Name of a rule, a function of (answer, target), or None
) -> Grade | None:  # Judges one text; None keeps what the harness judged
    "Who judges; raises `ValueError` for anything that cannot."
    if given is None or callable(given): return given
    if isinstance(given, str) and given in GRADES: return TextGrade(given)
    raise OptionError("grade", must=f"be {quote_names(GRADES)} or a function of (answer, target)",
                      got=given, choices=GRADES)


# Answers of a plain table, whose right answers stand in a column.

GRADED = "answer equals the expected one"


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

    def judge_all(answers: np.ndarray, right: np.ndarray) -> np.ndarray:
        pairs = zip(split_lists(answers, right), right.tolist())
        return hold_cells([judge_cell(one, other, grade) for one, other in pairs])
    made: dict[str, tuple[list[str], Callable]] = {GRADED: ([answer, expected], judge_all)}
    if isinstance(grade, TextGrade):
        spell = grade.spell
        def spell_all(answers: np.ndarray, right: np.ndarray) -> np.ndarray:
            cells = split_lists(answers, right)
            return hold_cells([[spell(plain_text(one)) for one in cell] if isinstance(cell, list)
                               else spell(plain_text(cell)) for cell in cells])
        # Answers that the rule calls equal are one in a vote.
        made[answer] = [answer, expected], spell_all
    judged = [add_columns(source, made) for source in list_plain(sources)]
    named = {**options.columns, "correct": GRADED, "score": False, "answer": answer}
    ignore = (*options.ignore, expected)
    return judged, replace(options, columns=named, ignore=ignore, grade=None), grade


def find_expected(columns: Sequence[str], named: str | None) -> str:
    "The column of right answers."
    return choose_column("expected", "right answer", columns, named, EXPECTED)


def find_answer(columns: Sequence[str], named: object) -> str:
    "The column of the answers that are judged."
    words = {"answer", "response", "output", "completion", "prediction"}
    like = [c for c in columns if not words.isdisjoint(simplify(c).split("_"))]
    return choose_column("answer", "answer", columns, named, COLUMNS["answer"], like)


def choose_column(asked: str, what: str, columns: Sequence[str], named: object,
                  known: Collection[str], like: Sequence[str] = ()) -> str:
    """The column that is named, or the only one of a known name.

    Raises: `OptionError` where there is none, or several could be it.
    """
    if isinstance(named, str):
        if named not in columns: raise no_column(asked, named, columns)
        return named
    found = [c for c in columns if simplify(c) in known]
    if len(found) == 1: return str(found[0])
    rule = (f"ambiguous: {found[0]!r} or {found[1]!r} could be the {what}" if found else
            f"Which column holds the {what}? Got {', '.join(map(repr, columns[:12]))}")
    free = [c for c in columns if not any(simplify(c) in names for names in COLUMNS.values())]
    able = (found or like or free)[:WAYS]
    if len(able) == 1: raise OptionError(asked, rule, choices=columns, ways=[{asked: able[0]}])
    raise OptionError(asked, rule, choices=columns,
                      hint=f"pass {option(asked, *able)}" if able else "")


def split_lists(answers: np.ndarray, right: np.ndarray) -> list[Any]:
    "Answers as they are, and lists of them as lists, which may be written as text."
    cells: list[Any] = answers.tolist()
    texts = [cell for cell in cells if isinstance(cell, str) and not is_blank(cell)]
    # Where the right answer is a list itself, so is one answer.
    written = len(texts) == len(cells) and all(map(is_list, texts)) and not any(
        isinstance(target, str) and is_list(target) for target in right.tolist())
    return [parse_list(cell) if is_list(cell) and (written or not isinstance(cell, str)) else cell
            for cell in cells]


def hold_cells(cells: list[Any]) -> np.ndarray:
    "A column whose cells may be lists, which numpy would take for further dimensions."
    return np.fromiter(cells, object, len(cells))


def judge_cell(answer: object, expected: object, grade: Grade) -> bool | list[bool]:
    "Whether an answer is right; of a list of answers, of which each is a sample, each."
    if not isinstance(answer, list): return judge(answer, expected, grade)
    return [judge(one, expected, grade) for one in answer]


def judge(answer: object, expected: object, grade: Grade) -> bool:
    "Whether an answer is right; without one it is wrong."
    try: return bool(grade(plain_text(answer), plain_text(expected)))
    except NoOutcomes as error: raise OptionError("grade", marked(error)) from None


def plain_text(value: object) -> object:
    "A number as it would be written, so that 4.0 of a frame is 4."
    if isinstance(value, float) and value.is_integer(): return str(int(value))
    return value if value is None or isinstance(value, list) else str(value)


def note_grading(grade: Grade | None) -> list[ReadNote]:
    "By which rule answers were judged."
    if not isinstance(grade, TextGrade): return []
    return [ReadNote("graded_texts", (grade.name,), count=grade.odd, total=grade.judged)]
