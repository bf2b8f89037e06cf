"""What a report carries besides its rows: reruns, ordered attempts, costs, loops, mixes, truth."""
from __future__ import annotations

from collections.abc import Iterator

from ..records import dataclass
from .base import Data

__all__ = ["Reruns", "Ordered", "Spend", "EqualSpending", "GuardedRow", "Guarded", "Split", "Gain",
           "SourceMix", "BorrowedRow", "BorrowedScore", "CorrectedRow", "CorrectedScore",
           "JudgingPlan", "LabelledRow", "MeasuredJudge", "PlannedRun", "PlannedQuestion",
           "SettledRule"]


# Another run of the same questions


@dataclass(frozen=True, eq=False)
class Reruns(Data):
    "How far the numbers of one system move when the same questions are run again."
    n_min: int  # Fewest samples of a question
    n_max: int  # Most samples of a question
    one_run_variance: float  # Variance of the mean of one sample per question
    one_run_sd: float  # Its root
    least_difference_95: float  # Two single runs differ by more in 1 of 20 reruns
    least_questions_exact: int  # The same in questions, without the normal approximation
    flip_rate: float  # Share of outcomes that differ between two runs
    flaky_share: float  # Share of questions whose samples do not all agree
    icc: float | None  # Share of the variance between questions; None where all outcomes are equal


# Attempts in their order


@dataclass(frozen=True, eq=False)
class Ordered(Data):
    "The share solved within `k` ordered attempts, beside pass@k, which takes any `k` of them."
    model: str  # Empty for a single one
    k: int  # Attempts allowed
    solved: float  # Share of questions solved within them
    low: float  # Ends of its interval, for new questions
    high: float
    method: str  # How the interval was computed; approximate ones say so
    exchangeable: float | None  # pass@k; None where a question has fewer attempts
    questions: int
    confidence_level: float = .95


# What trying until success costs


@dataclass(frozen=True, eq=False)
class Spend(Data):
    "Trying until the first success, at most `k` times: what it costs and what it solves."
    model: str  # Empty for a single one
    k: int  # Most tries
    unit: str  # Column that holds the cost of a sample
    spend: float  # Mean spend of a question
    solved: float  # Share of questions solved, pass@k
    per_solved: float | None  # Total spend over total solved; None where nothing is solved
    low: float | None  # Ends of its interval, for new questions; None where it has none
    high: float | None
    method: str  # How the interval was computed; approximate ones say so
    questions: int
    confidence_level: float = .95
    reason: str = ""  # Why there is no cost per solved
    absent: int = 0  # Samples without a cost
    samples: int = 0  # Samples in all
    missing_cost: str = "raise"  # What an absent cost counts as: `mean` or `cap`
    cap: float | None = None  # Most that a sample can cost; None where nothing bounds it


@dataclass(frozen=True, eq=False)
class EqualSpending(Data):
    "Two systems where both spend as much on a question, on average."
    spend: float  # What both spend, the most that both can unless it was named
    unit: str  # Column that holds the cost of a sample
    a: float  # Share that A solves for it
    b: float  # Share that B solves for it
    difference: float  # B minus A
    low: float  # Ends of its interval, for new questions
    high: float
    method: str  # How the interval was computed; approximate ones say so
    k_a: float  # Budget of A; between two whole ones, some questions get one try more
    k_b: float  # Budget of B
    confidence_level: float = .95
    absent_a: int = 0  # Samples of A without a cost
    absent_b: int = 0  # Samples of B without a cost
    samples: int = 0  # Samples of both
    missing_cost: str = "raise"  # What an absent cost counts as


# Loops that retry until a judge passes


@dataclass(frozen=True, eq=False)
class GuardedRow(Data):
    "A loop with a limit of tries, as means over questions."
    k: int  # Most tries
    reported: float  # Share of questions on which the judge passed a try
    right: float  # Share on which what is delivered is right
    right_with_last: float  # The same if the last try is handed over where none passes
    pass_at_k: float  # Share on which a right try is among the first `k`
    tries: float  # Tries used
    slip: float  # Reported less right: delivered and wrong
    slip_low: float  # Ends of its interval, paired by question, for new questions
    slip_high: float
    method: str = ""  # How that interval was computed
    model: str = ""  # Empty for a single one
    group: str = ""  # Empty for all questions


@dataclass(frozen=True, eq=False)
class Guarded(Data):
    "The loop at every limit of tries."
    verdict: str  # Column of the judge's verdicts
    confidence_level: float  # Level of the intervals of the slip
    questions: int
    rows: tuple[GuardedRow, ...]  # One per limit of each model and group, ascending


# Tries split over sources


@dataclass(frozen=True, eq=False)
class Split(Data):
    "One way to split the tries, with its mean over questions."
    tries: tuple[int, ...]  # Tries of each source
    estimate: float  # pass@k
    low: float  # Ends of the simultaneous band over all splits
    high: float


@dataclass(frozen=True, eq=False)
class Gain(Data):
    "What the best split gains over all tries of one source, paired by question."
    source: str
    estimate: float
    low: float  # Ends of the simultaneous band over all splits
    high: float

    @property
    def significant(self) -> bool: return self.low > 0


@dataclass(frozen=True, eq=False)
class SourceMix(Data):
    "All splits of `k` tries over sources on the same questions."
    k: int
    sources: tuple[str, ...]
    questions: int
    confidence_level: float  # Of all splits together
    best: int  # Position of the split with the largest mean, chosen after looking
    splits: tuple[Split, ...]
    gains: tuple[Gain, ...]  # Over each source that has samples for all tries
    band: str = ""  # Method of the bands

    @property
    def best_split(self) -> Split: return self.splits[self.best]


# The truth behind verdicts, and a new run on all questions


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
    target: str = "new_questions"  # What the CI is for


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
    method: str = ""  # How the CI of the labels alone was computed
    powered_method: str = ""  # How that of PPI++ was; approximate
    target: str = "new_questions"  # What both CIs are for


@dataclass(frozen=True, eq=False)
class MeasuredJudge(Data):
    "What the labels of one model or group say of the judge."
    model: str
    group: str  # Empty for all questions
    sensitivity: float  # Share of right answers that pass
    specificity: float  # Share of wrong answers that are rejected
    labels: int  # Labelled samples that the rates are from
    right_labels: int  # Of these labelled right
    labelled_questions: int  # Questions of which every sample is labelled


@dataclass(frozen=True, eq=False)
class CorrectedScore(Data):
    "A score corrected for a judge that errs."
    sensitivity: float | None  # Share of right answers that pass; None where models differ in it
    specificity: float | None  # Share of wrong answers that are rejected; None as well
    rows: tuple[CorrectedRow, ...]  # One per metric and budget
    labels: int | None = None  # Labelled samples that the rates are from; None where given
    right_labels: int | None = None  # Of these labelled right
    labelled_questions: int = 0  # Questions of which every sample is labelled
    labelled: tuple[LabelledRow, ...] = ()  # From these, where labels are on whole questions
    judges: tuple[MeasuredJudge, ...] = ()  # By model and group, where labels are of several

    def split(self) -> Iterator[CorrectedScore]:
        "The score of each model and group whose judge was measured by itself; else this one."
        if not self.judges: yield self
        for one in self.judges:
            def own(rows, one=one): return tuple(
                row for row in rows if (row.model, row.group) == (one.model, one.group))
            yield CorrectedScore(one.sensitivity, one.specificity, own(self.rows), one.labels,
                                 one.right_labels, one.labelled_questions, own(self.labelled))


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
    method: str = ""  # How the CI of the estimate was computed
    raw_method: str = ""  # How that of the questions that were run was
    target: str = "same_questions"  # What the CI of the estimate is for: all those of earlier
    raw_target: str = "new_questions"  # What that of the questions that were run is for


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
