"""One question, told in every form: its samples, its answers, and what it moves."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Self

from .document import Written
from .explained import Answer, Effect, Explained, Scores, Side, Vote
from .explanation_parts import NAME, cut_text, explanation_parts, explanation_screen
from .parts import Part

__all__ = ["Explanation"]


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Written, Explained):
    "One question that writes itself in every form."
    needed = "question", "sides", "answers", "rows", "questions"

    @property
    def heading(self) -> str: return self.title or f"Question {cut_text(self.question, NAME)}"

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        told = dict(values)
        told["sides"] = tuple(map(read_side, values["sides"]))
        told["answers"] = tuple(Answer(o["answer"], tuple(o["samples"]), tuple(o["right"]))
                                for o in values["answers"])
        told["rows"] = tuple(Effect(**row) for row in values["rows"])
        return cls(**told | dict(notes=tuple(values["notes"])))

    def parts(self) -> list[Part]: return explanation_parts(self)
    def screen_parts(self) -> list[Part]: return explanation_screen(self)

    def plot(self, **given: Any) -> NoReturn:
        "Refuse: there is nothing to draw."
        raise ValueError("one question has no figure; write it as .json, .csv, .md, .html or .txt")


def read_side(values: Mapping[str, Any]) -> Side:
    "A system from its plain values."
    vote, scores = values["vote"], values["scores"]
    return Side(**{**values, "vote": vote and Vote(**vote), "scores": scores and Scores(**scores)})
