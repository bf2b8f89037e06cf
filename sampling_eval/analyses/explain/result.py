"""The results of `explain`: one question, or the questions that are worth a look."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ...inference.intervals import Interval
from ...results.base import Data, HasInterval, Result, Unit, ends, live
from ...results.reading import ReadSummary

__all__ = ["Answer", "Vote", "Scores", "Side", "Effect", "Explanation", "ListedSide", "Listed",
           "Shortlist", "Order", "GAP"]

Order: TypeAlias = Literal["flaky", "graded", "scores", "difference", "spread"]
GAP = "B - A"  # What the difference of two systems is called


@dataclass(frozen=True, eq=False)
class Answer(Data):
    "An answer, and how often each system gave it."
    answer: str | None  # Its first 1,000 characters; None for no answer
    length: int  # Characters of the whole
    samples: tuple[int | None, ...]  # Samples of each system; None where no answers are kept
    # Whether it is right, a share where it was judged both ways; None for a system that never
    # gave it
    right: tuple[bool | float | None, ...]

    @property
    def total(self) -> int:
        "Samples of all systems."
        return sum(count for count in self.samples if count)


@dataclass(frozen=True, eq=False)
class Vote(Data):
    "The answer that most samples gave."
    answer: str | None  # The first of them where several tie
    samples: int  # Samples that gave it
    tied: int  # Answers with as many samples, itself included
    right: float  # Right ones among them; one that was judged both ways counts as its share


@dataclass(frozen=True, eq=False)
class Scores(Data):
    "The scores of the samples."
    samples: int  # Samples with a score
    low: float
    median: float
    high: float
    mean: float
    best_right: bool | None  # Whether every best-scored sample is right; None where none is judged


@dataclass(frozen=True, eq=False)
class Side(HasInterval, Data):
    "What one system did with the question."
    name: str  # Name of the system; empty for the only one
    n: int  # Samples
    c: int | None  # Right ones; None for graded scores
    missing: int  # Samples without an outcome
    mean_score: float | None = None  # Mean of the graded scores
    # The exact 95 % CI of its chance to be right; None for graded scores
    interval: Interval | None = field(default=None, metadata=ends())
    different: int | None = None  # Different answers; None where none are kept
    blank: int = 0  # Samples without an answer, which do not vote
    vote: Vote | None = None
    scores: Scores | None = None  # None where single scores are not kept


@dataclass(frozen=True, eq=False)
class Effect(Data):
    "A metric on the question and on all questions, for one system or for the difference of two."
    of: str  # Name of the system, or `B - A`
    metric: str  # Name with its budget
    k: int | None  # Budget; None for a metric without one
    unit: Unit  # `share`, or `score` of a scale of its own
    value: float  # Value of this question
    mean: float  # Mean over all questions
    without: float | None  # Mean over the other questions; None where there are none
    moved: float | None  # By how much this question moves the mean


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Result):
    """One question: what was answered, and what it changes in every metric.

    Parameters:
        question   Its name
        sides      Each system
        answers    Answers, most frequent first
        rows       One row per metric and system, and per metric and difference
        questions  Questions in the mean
        rank       Place of its part in the difference by size, 1 is the largest
        ties       Ties of maj@k
        notes      What could not be shown, and why
        read       What was read, by system
        title      Name of the data
        texts      Where the samples stand, for a page
    """
    kind = "explain"
    question: str  # Its name
    sides: tuple[Side, ...]  # Each system
    answers: tuple[Answer, ...]  # Answers, most frequent first
    rows: tuple[Effect, ...]  # One row per metric and system, and per metric and difference
    questions: int  # Questions in the mean
    rank: int | None = None  # Place of its part in the difference by size, 1 is the largest
    ties: str = "expected"  # Ties of maj@k
    notes: tuple[str, ...] = ()  # What could not be shown, and why
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What was read, by system
    title: str = ""  # Name of the data
    texts: Any = live()  # Where the samples stand, for a page

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


@dataclass(frozen=True, eq=False)
class ListedSide(Data):
    "A system on a question of a list."
    right: int | None  # Right samples; None for graded scores
    samples: int
    mean_score: float | None = None  # Of graded scores


@dataclass(frozen=True, eq=False)
class Listed(Data):
    "A question that is worth a look."
    question: str | int  # Its name
    sides: tuple[ListedSide, ...] = ()  # One or two systems
    difference: float | None = None  # B minus A, of two systems
    adds: float | None = None  # What it adds to the mean difference
    low: float | None = None  # Lowest value of more than two systems, and whose it is
    low_of: str = ""
    high: float | None = None  # Highest value
    high_of: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Shortlist(Result):
    """Questions worth a look: flaky ones first, or those that make up most of a difference.

    Parameters:
        names      Names of the systems
        listed     In the order to look at them
        questions  Questions there are
        order      What puts a question first
        counts     Questions of each kind, such as flaky, never and always right
        metric     Metric of the difference or spread; empty for one system
        unit       Its unit
        notes      What a reader has to know of the data
        read       What was read, by system
        title      Name of the data
        texts      Where the samples stand, for a page
    """
    kind = "shortlist"
    names: tuple[str, ...]  # Names of the systems
    listed: tuple[Listed, ...]  # In the order to look at them
    questions: int  # Questions there are
    order: Order  # What puts a question first
    counts: dict[str, int]  # Questions of each kind, such as flaky, never and always right
    metric: str = ""  # Metric of the difference or spread; empty for one system
    unit: Unit = "share"  # Its unit
    notes: tuple[str, ...] = ()  # What a reader has to know of the data
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What was read, by system
    title: str = ""  # Name of the data
    texts: Any = live()  # Where the samples stand, for a page

    @property
    def rows(self) -> list[dict[str, Any]]:
        "One dict a question, with a column for each number of each system."
        return [self._row(one) for one in self.listed]

    def _row(self, one: Listed) -> dict[str, Any]:
        row: dict[str, Any] = dict(question=one.question)
        for letter, side in zip([""] if len(one.sides) == 1 else [" A", " B"], one.sides):
            if side.right is not None: row[f"right{letter}"] = side.right
            else: row[f"mean score{letter}"] = side.mean_score
            row[f"samples{letter}"] = side.samples
        if one.difference is not None: row |= {GAP: one.difference, "adds": one.adds}
        if one.low is not None:
            row |= {"lowest": one.low, "lowest of": one.low_of}
            row |= {"highest": one.high, "highest of": one.high_of}
        return row
