"""Texts judged against the right answer that is stored beside them."""
from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from ...errors import OptionError, option
from ...foundations.answers import normalized
from ...records import dataclass
from .ask import NoOutcomes
from .limits import quote_names, shorten

__all__ = ["GRADES", "Grade", "TextGrade", "find_grade"]

GRADES = "exact", "number", "last_line"
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
        found = self.read(last_line(answer) if self.name == "last_line" else answer)
        targets = target if isinstance(target, list) and target else [target]
        right = [self.read_target(one) for one in targets]
        self.judged += 1
        self.odd += self.name == "number" and not is_exact_number(found)
        return found in right

    def read(self, answer: Any) -> Any:
        "What an answer is compared as."
        return normalized(str(answer), "number" if self.name == "number" else "strip")

    def read_target(self, target: Any) -> Any:
        "What the right answer is compared as; not every text can be."
        found = None if target is None else self.read(target)
        if found is not None and (self.name != "number" or is_exact_number(found)): return found
        what = "the right answer" if self.name != "number" else "a number as the right answer"
        raise NoOutcomes(f"{option('grade', self.name)} needs {what} beside each text, "
                         f"got {shorten(target)}")

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


def find_grade(
    given: Any,  # Name of a rule, a function of (answer, target), or None
) -> Grade | None:  # Judges one text; None keeps what the harness judged
    "Who judges; raises `ValueError` for anything that cannot."
    if given is None or callable(given): return given
    if isinstance(given, str) and given in GRADES: return TextGrade(given)
    raise OptionError("grade", must=f"be {quote_names(GRADES)} or a function of (answer, target)",
                      got=given, choices=GRADES)
