"""The result of `score`: rows, what was read, and what else an option asked for."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TYPE_CHECKING, TypeAlias

import numpy as np

from ...parameters import Target
from ...results.base import Data, Result, Unit, live
from ...results.cautions import AllAgree, Caution
from ...results.columns import Absent, Columns
from ...results.reading import Coverage, ReadSummary
from ...results.rows import Bound, Row, name_family
from ...results.verdict import Advice

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["WHOLE", "Blocks", "Command", "Letters", "Many", "Ragged", "Report",
           "is_whole", "name_block", "name_bound", "order_flaky", "pick_labels",
           "Reruns", "Ordered", "Spend", "EqualSpending", "GuardedRow", "Guarded", "Split", "Gain",
           "SourceMix", "BorrowedRow", "BorrowedScore", "CorrectedRow", "CorrectedScore",
           "JudgingPlan", "LabelledRow", "MeasuredJudge", "PlannedRun", "PlannedQuestion",
           "SettledRule"]

Blocks: TypeAlias = dict[tuple[str, str], list[Row]]  # Rows by model and group
# By metric and model: letters such as `ab`. Models that share one do not differ significantly.
Letters: TypeAlias = dict[str, dict[str, str]]
WHOLE = "", "all questions"  # Groups of rows over all questions of a model


@dataclass(frozen=True, eq=False)
class Ragged(Data):
    "A model whose questions have different numbers of samples."
    model: str
    most: int  # Most samples of a question, those without an outcome among them
    absent: int  # Samples that the others have fewer, in all
    largest_k: int | None  # Where budgets end because of them; None if they were named


@dataclass(frozen=True, eq=False)
class Many(Data):
    "Very many models or groups, of which only the highest are shown."
    what: Literal["model", "group"]
    metric: str  # Metric by which they are chosen
    means: dict[str, float]  # Its value for each
    questions: tuple[int, int]  # Fewest and most questions of one
    samples: tuple[int, int]  # Fewest and most samples of a question
    missing: tuple[int, int]  # Fewest and most missing samples of one
    same_questions: bool  # Whether all were asked the same questions
    unit: Unit = "share"  # Of the metric
    rows: Sequence[Row] = live()  # Rows of those that are shown


@dataclass(frozen=True)
class Command:
    "How the command that compares the models is typed: its files, and its options by name."
    files: tuple[str, ...]
    options: dict[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """Every metric at every budget: rows, per-question columns, and what to do next.

    Parameters:
        rows              One row per metric, budget, model and group
        summary           What was read, and what missing samples count as
        notes             What a reader of the numbers has to know
        confidence_level  Level of the intervals
        title             Name of the data
        systems           What is scored side by side
        target            What intervals are about
        flaky_questions   Of the only model: right in some samples, wrong in others
        guarded           Tries until a judge passes, where `verdict` was named
        portfolio         Tries split over the groups, where it was asked for
        left_out          Metrics that have no number, and why
        ragged            Models with questions of different numbers of samples
        cautions          What may be wrong with the data, with the test behind it
        agreement         Models of which all samples of each question agree
        totals            Totals that logs store
        corrected         The truth behind verdicts, where a judge was named
        borrowed          All questions of an earlier run, where one was named
        spend             What trying until success costs, where costs were named
        ordered           What attempts solve in their order, where they have one
        letters           By metric; empty where models are not compared
        next              What would halve the first interval of the only model
        many              Of very many models or groups, what is shown of them
        command           Command that compares the models; None in Python
        files             What was read, to be hashed for a page
        texts             Where the samples stand, for a page
    """
    kind = "score"
    rows: Sequence[Row]  # One row per metric, budget, model and group
    summary: ReadSummary | None = None  # What was read, and what missing samples count as
    notes: tuple[str, ...] = ()  # What a reader of the numbers has to know
    confidence_level: float = .95  # Level of the intervals
    title: str = ""  # Name of the data
    systems: Literal["models", "gradings"] = "models"  # What is scored side by side
    target: Target | Literal["both"] = "new_questions"  # What intervals are about
    flaky_questions: int | None = None  # Of the only model: right in some samples, wrong in others
    # Of the only model, with two samples of each question or more: another run of the questions
    reruns: Reruns | None = None
    guarded: Guarded | None = None  # Tries until a judge passes, where `verdict` was named
    portfolio: SourceMix | None = None  # Tries split over the groups, where it was asked for
    left_out: dict[str, str] = field(default_factory=dict)  # Metrics that have no number, and why
    ragged: tuple[Ragged, ...] = ()  # Models with questions of different numbers of samples
    cautions: tuple[Caution, ...] = ()  # What may be wrong with the data, with the test behind it
    agreement: tuple[AllAgree, ...] = ()  # Models of which all samples of each question agree
    totals: tuple[Coverage, ...] = ()  # Totals that logs store
    corrected: CorrectedScore | None = None  # The truth behind verdicts, where a judge was named
    borrowed: BorrowedScore | None = None  # All questions of an earlier run, where one was named
    spend: tuple[Spend, ...] = ()  # What trying until success costs, where costs were named
    ordered: tuple[Ordered, ...] = ()  # What attempts solve in their order, where they have one
    letters: Letters = field(default_factory=dict)  # By metric; empty where models are not compared
    next: Advice | None = None  # What would halve the first interval of the only model
    # One row per model and question: model, question, n, c, and each metric
    questions: Columns | Absent = field(default_factory=Absent, compare=False,
                                        metadata=dict(live=True))
    many: Many | None = live()  # Of very many models or groups, what is shown of them
    command: Command | None = live()  # Command that compares the models; None in Python
    files: Any = live()  # What was read, to be hashed for a page
    texts: Any = live()  # Where the samples stand, for a page

    @property
    def system(self) -> str:
        "What one of those side by side is."
        return "model" if self.systems == "models" else "grading"

    @property
    def read(self) -> str:
        "What was read, and what missing samples count as, in a sentence."
        return "" if self.summary is None else f"{self.summary}."

    # Rows by name.

    def blocks(self) -> Blocks:
        "Rows by model and group, in order."
        found: Blocks = {}
        for row in self.rows: found.setdefault((row.model, row.group), []).append(row)
        return found

    def whole_blocks(self) -> Blocks:
        "The same over all questions of a model only, where there are such rows."
        blocks = self.blocks()
        return {key: rows for key, rows in blocks.items() if is_whole(rows)} or blocks

    def rank_blocks(self,
        blocks: Blocks,  # Some of the rows, by model and group
    ) -> Blocks:
        "The same with the best model first, where models were compared."
        if not self.letters: return blocks
        label = next(iter(self.letters))
        values = {row.model: row.estimate for row in self.rows if row.metric == label}
        return dict(sorted(blocks.items(), key=lambda item: -values[item[0][0]]))

    def __getitem__(self,
        metric: str | tuple[str, ...],  # `pass@8`, or model, metric, or model, group, metric
    ) -> Row:
        """The row of a metric.

        Raises: `KeyError` with the names there are, and where a name is there several times.
        """
        *where, name = [metric] if isinstance(metric, str) else metric
        named = [row for row in self.rows if row.metric == name]
        found = [row for row in named if set(where) <= {row.model, row.group}]
        if len(found) == 1: return found[0]
        if not found:
            known = list(dict.fromkeys(row.metric for row in self.rows))
            raise KeyError(f"metric must be one of {known}, got {metric!r}")
        places = ", ".join(repr(name_block((row.model, row.group))) for row in found)
        raise KeyError(f"{metric!r} stands in {len(found)} rows, of {places}; "
                       "write report[model, metric] or report[model, group, metric]")

    def flaky(self) -> Columns:
        "The questions with some right and some wrong samples, those closest to even first."
        if isinstance(self.questions, Absent): raise ValueError(Absent.said)
        if "c" not in self.questions:
            raise ValueError("flaky questions need outcomes, and these data hold graded scores "
                             "only")
        return self.questions.where(order_flaky(self.questions["c"] / self.questions["n"]))

    def shown(self) -> Report:
        "The same with the models or groups that are shown, where there are very many."
        if self.many is None: return self
        questions = Absent() if self.many.what == "model" else self.questions
        return replace(self, rows=self.many.rows, questions=questions)

    # Plain values.

    def estimates(self) -> dict[str, Any]:
        "Estimates by name, `{'pass@8': 0.81}`; one dict per model and group if there are several."
        found = {name_block(key): {row.metric: row.estimate for row in rows}
                 for key, rows in self.blocks().items()}
        return next(iter(found.values())) if len(found) == 1 else found

    def plot(self,
        model: str | None = None,  # Which model; all of them if None
        metric: str | None = None,  # Which metric, `pass@k` or `pass@8`; chosen if None
        *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        """Draw what the report holds: the metrics of one model over k, or one metric of several
        models or groups; dots with intervals where there is one budget.

        Raises: `ValueError` for an unknown model or metric, for Axes and a size, and for an
        unknown size.
        """
        draw: Axes = self._module().plot(self, model, metric, ax=ax, size=size)
        return draw


def is_whole(rows: Sequence[Row]) -> bool:
    "Whether rows of one group are over all questions of a model."
    return rows[0].group_alone in WHOLE


def name_bound(bound: Bound) -> str:
    "The name of a group whose missing samples are counted in one of two ways."
    return name_block((bound.group, f"missing counted {bound.missing}"))


def name_block(
    key: Sequence[str],  # Model and group, either may be empty; and a metric
) -> str:  # `gpt-4o / airline`
    "A model and group as a name."
    return " / ".join(filter(None, key))


def order_flaky(
    share: np.ndarray,  # Share of right samples per question, shape `(Q,)`
) -> np.ndarray:  # Positions of the flaky ones, those closest to even first
    "The questions that are neither always nor never right."
    order = np.argsort(np.abs(share - .5), kind="stable")
    return order[(share[order] > 0) & (share[order] < 1)]


# The metrics that several models are compared in.

PREFERRED = "pass@k", "pass^k", "maj@k", "best@k", "soft@k", "avg@k", "cons@k"
FIRST = "pass@1"  # Stands before them: how often one sample is right
MOST = 5  # Metrics of an overview


def pick_labels(
    blocks: Sequence[Sequence[Row]],  # Rows of each model or group
) -> list[str]:  # Names of at most five metrics
    "The metrics of an overview: one sample, then each metric at the largest budget of all."
    names = [[row.metric for row in rows] for rows in blocks]
    everywhere = set.intersection(*map(set, names))
    shared = [name for name in names[0] if name in everywhere]
    budgets = {row.metric: row.k or 0 for rows in blocks for row in rows}
    largest = {name_family(label): label for label in sorted(shared, key=budgets.__getitem__)}
    first = [FIRST] if FIRST in shared else []
    if first: largest.pop("avg@k", None)  # They are one number
    places = {name: i for i, name in enumerate(PREFERRED)}
    others = [largest[name] for name in sorted(largest, key=lambda o: places.get(o, len(places)))]
    labels = list(dict.fromkeys([*first, *others]))
    if all(row.n_max == 1 for rows in blocks for row in rows): labels = drop_equal(labels, blocks)
    return labels[:MOST]


def drop_equal(labels: Sequence[str], blocks: Sequence[Sequence[Row]]) -> list[str]:
    "With one sample a question most metrics are one number, of which the first name stands."
    named = [{row.metric: row.estimate for row in rows} for rows in blocks]
    columns = {label: tuple(own[label] for own in named) for label in labels}
    found = {values: label for label, values in reversed(columns.items())}
    return [label for label in labels if found[columns[label]] == label and label != "mg-pass@1"]


# What a report carries besides its rows: reruns, ordered attempts, costs, loops, mixes, truth.

# Another run of the same questions


@dataclass(frozen=True, eq=False)
class Reruns(Data):
    "How far the numbers of one system move when the same questions are run again."
    n_min: int  # Fewest samples of a question
    n_max: int  # Most samples of a question
    one_run_variance: float  # Variance of the mean of one sample per question
    one_run_sd: float  # Its root
    # Two single runs differ by more in about 1 of 20 reruns; None below five flaky questions
    least_difference_95: float | None
    least_questions_exact: int | None  # The same in questions, without the normal approximation
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
    spend: float  # What both spend
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
    share: float | None = None  # Of the most that both can spend; None where the spend was named


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
    "One metric of the truth behind a judge's verdicts, within the range of the metric."
    metric: str  # Name with its budget
    raw: float  # The same of the verdicts as they are
    estimate: float  # Corrected for the rates; from labels they are approximate
    low: float  # Lower end of the CI; of the whole range where the rates do not fit
    high: float  # Upper end of the CI
    method: str  # How the CI was computed
    stderr: float | None = None  # For given rates; None where no spread is seen
    least: float | None = None  # Least corrected value of a question; None where rates vary
    largest: float | None = None  # Largest corrected value of a question
    model: str = ""
    group: str = ""
    target: str = "new_questions"  # What the CI is for
    unbiased: float | None = None  # The estimate before it was limited to the range; None if in it
    fits: bool = True  # Whether the CI before that reaches into the range


@dataclass(frozen=True, eq=False)
class LabelledRow(Data):
    "One metric from questions that are labelled as a whole: the labels alone, and PPI++."
    metric: str  # Name with its budget
    estimate: float  # Mean of the labelled questions
    low: float  # Its CI assumes nothing of the judge
    high: float
    powered: float  # Estimate of PPI++ (approximate), within the range of the metric
    powered_low: float | None  # Its CI is approximate; None where no spread is seen
    powered_high: float | None
    model: str = ""
    group: str = ""
    method: str = ""  # How the CI of the labels alone was computed
    powered_method: str = ""  # How that of PPI++ was; approximate
    fitted: bool = True  # Whether the slope of PPI++ was fitted to the labels
    target: str = "new_questions"  # What both CIs are for


@dataclass(frozen=True, eq=False)
class MeasuredJudge(Data):
    "What the labels of one model or group say of the judge."
    model: str
    group: str  # Empty for all questions
    sensitivity: float | None  # Share of right answers that pass; None where none is labelled
    specificity: float | None  # Share of wrong answers that are rejected; None where none is
    labels: int  # Labelled samples that the rates are from
    right_labels: int  # Of these labelled right
    labelled_questions: int  # Questions of which every sample is labelled


@dataclass(frozen=True, eq=False)
class CorrectedScore(Data):
    "A score corrected for a judge that errs."
    # Share of right answers that pass; None where models differ in it, or no label tells.
    sensitivity: float | None
    specificity: float | None  # Share of wrong answers that are rejected; None as well
    rows: tuple[CorrectedRow, ...]  # One per metric and budget; none where the labels give none
    labels: int | None = None  # Labelled samples that the rates are from; None where given
    right_labels: int | None = None  # Of these labelled right
    labelled_questions: int = 0  # Questions of which every sample is labelled
    labelled: tuple[LabelledRow, ...] = ()  # From these, where labels are on whole questions
    judges: tuple[MeasuredJudge, ...] = ()  # By model and group, where labels are of several

    @property
    def informed(self) -> bool:
        "Whether both rates are known, and verdicts with such rates say anything of the truth."
        if self.sensitivity is None or self.specificity is None: return False
        return self.sensitivity + self.specificity > 1

    def by_judge(self) -> Iterator[CorrectedScore]:
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
