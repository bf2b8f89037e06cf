"""One question, told in every form: its samples, its answers, and what it moves."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Self

from .document import Written
from .explanation_parts import GAP, NAME, cut_text, explanation_parts, explanation_screen
from .parts import Part

__all__ = ["Answer", "Vote", "Scores", "Side", "Effect", "Explanation"]


@dataclass(frozen=True)
class Answer:
    "An answer, and how often each system gave it."
    answer: str  # The answer as text, cut where it is long
    samples: tuple[int | None, ...]  # Samples of each system; None where no answers are kept
    right: tuple[bool | None, ...]  # Whether it is right; None for a system that never gave it

    @property
    def total(self) -> int:
        "Samples of all systems."
        return sum(count for count in self.samples if count)


@dataclass(frozen=True)
class Vote:
    "The answer that most samples gave."
    answer: str  # The answer as text, the first of them where several tie
    samples: int  # Samples that gave it
    tied: int  # Answers with as many samples, itself included
    right: int  # Right ones among them


@dataclass(frozen=True)
class Scores:
    "The scores of the samples."
    samples: int  # Samples with a score
    low: float
    median: float
    high: float
    mean: float
    best_right: bool | None  # Whether every best-scored sample is right; None where none is judged


@dataclass(frozen=True)
class Side:
    "What one system did with the question."
    name: str  # Name of the system; empty for the only one
    n: int  # Samples
    c: int | None  # Right ones; None for graded scores
    missing: int  # Samples without an outcome
    mean_score: float | None = None  # Mean of the graded scores
    different: int | None = None  # Different answers; None where none are kept
    blank: int = 0  # Samples without an answer, which do not vote
    vote: Vote | None = None
    scores: Scores | None = None  # None where single scores are not kept


@dataclass(frozen=True)
class Effect:
    "A metric on the question and on all questions, for one system or for the difference of two."
    of: str  # Name of the system, or `B - A`
    metric: str  # Name with its budget
    k: int | None  # Budget; None for a metric without one
    value: float  # Value of this question
    mean: float  # Mean over all questions
    without: float | None  # Mean over the other questions; None where there are none
    moved: float | None  # By how much this question moves the mean


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Written):
    "One question: what was answered, and what it changes in every metric."
    question: str  # Its name
    sides: tuple[Side, ...]  # Each system
    answers: tuple[Answer, ...]  # Answers, most frequent first
    rows: tuple[Effect, ...]  # One row per metric and system, and per metric and difference
    questions: int  # Questions in the mean
    rank: int | None = None  # Place of its part in the difference by size, 1 is the largest
    ties: str = "expected"  # Ties of maj@k
    notes: tuple[str, ...] = ()  # What could not be shown, and why
    read: str = ""  # What was read
    title: str = ""  # Name of the data

    needed = "question", "sides", "answers", "rows", "questions"

    @property
    def heading(self) -> str: return self.title or f"Question {cut_text(self.question, NAME)}"

    @property
    def weight(self) -> float:
        "Share of the question in a mean over all questions."
        return 1 / self.questions

    def __getitem__(self,
        key: str | tuple[str, str],  # `pass@8`, or system and metric; `B - A` is a system too
    ) -> Effect:
        """The row of a metric; of the difference where there are two systems.

        Raises: `KeyError` with the names there are.
        """
        of, metric = key if isinstance(key, tuple) else (self.main, key)
        for row in self.rows:
            if (row.of, row.metric) == (of, metric): return row
        known = list(dict.fromkeys(row.metric for row in self.rows))
        raise KeyError(f"metric must be one of {known}, of {list(self.systems)}, got {key!r}")

    @property
    def systems(self) -> tuple[str, ...]:
        "What rows are about: each system, and the difference of two."
        return tuple(dict.fromkeys(row.of for row in self.rows))

    @property
    def main(self) -> str:
        "The difference of two systems, or the first of any other number."
        return GAP if GAP in self.systems else self.sides[0].name

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

    def label(self) -> list[tuple[str, Side]]:
        "Each system: the only one without a name, two under letters, others under their names."
        names = [side.name for side in self.sides]
        labels = {1: [""], 2: ["A", "B"]}.get(len(names), names)
        return list(zip(labels, self.sides))

    def plot(self, **given: Any) -> NoReturn:
        "Refuse: there is nothing to draw."
        raise ValueError("one question has no figure; write it as .json, .csv, .md, .html or .txt")


def read_side(values: Mapping[str, Any]) -> Side:
    "A system from its plain values."
    vote, scores = values["vote"], values["scores"]
    return Side(**{**values, "vote": vote and Vote(**vote), "scores": scores and Scores(**scores)})
