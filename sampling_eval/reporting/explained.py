"""What is known of one question: its samples, its answers, and what it moves."""
from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Answer", "Vote", "Scores", "Side", "Effect", "Explained", "GAP"]

GAP = "B - A"  # What the difference of two systems is called


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
class Explained:
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

    def label(self) -> list[tuple[str, Side]]:
        "Each system: the only one without a name, two under letters, others under their names."
        names = [side.name for side in self.sides]
        labels = {1: [""], 2: ["A", "B"]}.get(len(names), names)
        return list(zip(labels, self.sides))
