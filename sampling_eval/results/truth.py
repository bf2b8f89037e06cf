"""What lies behind a score: the truth behind verdicts, and a new run on all questions."""
from __future__ import annotations


from ..records import dataclass
from .base import Data

__all__ = ["BorrowedRow", "BorrowedScore", "CorrectedRow", "CorrectedScore", "JudgingPlan",
           "LabelledRow", "PlannedRun", "PlannedQuestion", "SettledRule"]


@dataclass(frozen=True, eq=False)
class CorrectedRow(Data):
    "One metric of the truth behind a judge's verdicts; nothing is clipped."
    metric: str  # Name with its budget
    raw: float  # The same of the verdicts as they are
    estimate: float  # Unbiased where the rates are given, approximate where they are from labels
    low: float  # Lower end of the CI
    high: float  # Upper end of the CI
    method: str  # How the CI was computed
    stderr: float | None = None  # For given rates; None where no spread is seen
    least: float | None = None  # Least corrected value of a question; None where rates vary
    largest: float | None = None  # Largest corrected value of a question
    model: str = ""
    group: str = ""


@dataclass(frozen=True, eq=False)
class LabelledRow(Data):
    "One metric from questions that are labelled as a whole: the labels alone, and PPI++."
    metric: str  # Name with its budget
    estimate: float  # Mean of the labelled questions
    low: float  # Its CI assumes nothing of the judge
    high: float
    powered: float  # Estimate of PPI++ (approximate)
    powered_low: float | None  # Its CI is approximate; None where no spread is seen
    powered_high: float | None
    model: str = ""
    group: str = ""


@dataclass(frozen=True, eq=False)
class CorrectedScore(Data):
    "A score corrected for a judge that errs."
    sensitivity: float  # Share of right answers that pass
    specificity: float  # Share of wrong answers that are rejected
    rows: tuple[CorrectedRow, ...]  # One per metric and budget
    labels: int | None = None  # Labelled samples that the rates are from; None where given
    right_labels: int | None = None  # Of these labelled right
    labelled_questions: int = 0  # Questions of which every sample is labelled
    labelled: tuple[LabelledRow, ...] = ()  # From these, where labels are on whole questions


@dataclass(frozen=True, eq=False)
class BorrowedRow(Data):
    "One metric of a new run over all questions of an earlier one."
    metric: str  # Name with its budget
    raw: float  # Mean of the questions that were run
    raw_low: float  # Its CI
    raw_high: float
    estimate: float  # The mean over all questions, unbiased for a random part
    low: float
    high: float
    stderr: float | None  # For the same questions where their noise is known; None: no spread
    earlier: float  # Mean of the earlier run over all questions


@dataclass(frozen=True, eq=False)
class BorrowedScore(Data):
    "A new run of a part of the questions, with an earlier run of all."
    sampled: int  # Questions that were run
    questions: int  # Questions of the earlier run
    rows: tuple[BorrowedRow, ...]  # One per metric and budget that both runs allow


@dataclass(frozen=True, eq=False)
class PlannedQuestion(Data):
    "A question to run, and how often."
    question: str  # Its name
    samples: int


@dataclass(frozen=True, eq=False)
class PlannedRun(Data):
    "Which questions to run, and how often, fixed before the run by an earlier one."
    questions: int  # Questions of the earlier run
    drawn: bool  # Whether a random part was drawn; else all, with samples by difficulty
    seed: int | None  # Seed of the draw; None where nothing was drawn, or a generator was given
    listed: tuple[PlannedQuestion, ...]


@dataclass(frozen=True, eq=False)
class JudgingPlan(Data):
    "Labels and gradings for a judge that errs."
    sensitivity: float
    specificity: float
    share: float  # Share of right answers that is assumed
    half_width: float  # Half of the CI of the corrected pass@1 that is wanted
    labels: int | None  # Labelled answers that give it, about; None if no number does
    gradings: float | None  # Best gradings per answer; None where no answer noise is seen


@dataclass(frozen=True, eq=False)
class SettledRule(Data):
    "A rule on one try of each question, which may stop when its verdict is settled."
    minimum: float  # Share of successes that is to be exceeded
    questions: int  # Tries planned, one of each question
    needed: int | None  # Successes that pass; None where no outcome can
    tries: dict[str, float]  # Mean tries until it is settled, by the true share

    @property
    def failures(self) -> int | None:
        "Failures that settle it."
        return None if self.needed is None else self.questions - self.needed + 1
