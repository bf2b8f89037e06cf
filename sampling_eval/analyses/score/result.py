"""The result of `score`: rows, what was read, and what else an option asked for."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TYPE_CHECKING, TypeAlias

import numpy as np

from ...parameters import Target
from ...results.added import Extended
from ...results.base import Data, Unit, live
from ...results.cautions import AllAgree, Caution
from ...results.columns import Absent, Columns
from ...results.reading import Coverage, ReadSummary
from ...results.rows import WHOLE, Bound, Row, name_family
from ...results.verdict import Advice

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Blocks", "Command", "Letters", "Many", "Ragged", "Report", "Reruns",
           "is_whole", "name_block", "name_bound", "order_flaky", "pick_labels"]

Blocks: TypeAlias = dict[tuple[str, str], list[Row]]  # Rows by model and group
# By metric and model: letters such as `ab`. Models that share one do not differ significantly.
Letters: TypeAlias = dict[str, dict[str, str]]


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
class Report(Extended):
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
        reruns            Of the only model, with two samples of each question or more: another run
                          of the questions
        left_out          Metrics that have no number, and why
        ragged            Models with questions of different numbers of samples
        cautions          What may be wrong with the data, with the test behind it
        agreement         Models of which all samples of each question agree
        totals            Totals that logs store
        letters           By metric; empty where models are not compared
        next              What would halve the first interval of the only model
        questions         One row per model and question: model, question, n, c, and each metric
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
    left_out: dict[str, str] = field(default_factory=dict)  # Metrics that have no number, and why
    ragged: tuple[Ragged, ...] = ()  # Models with questions of different numbers of samples
    cautions: tuple[Caution, ...] = ()  # What may be wrong with the data, with the test behind it
    agreement: tuple[AllAgree, ...] = ()  # Models of which all samples of each question agree
    totals: tuple[Coverage, ...] = ()  # Totals that logs store
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
FIRST_METRIC = "pass@1"  # Stands before them: how often one sample is right
MOST_OVERVIEW_METRICS = 5  # Metrics of an overview


def pick_labels(
    blocks: Sequence[Sequence[Row]],  # Rows of each model or group
) -> list[str]:  # Names of at most five metrics
    "The metrics of an overview: one sample, then each metric at the largest budget of all."
    names = [[row.metric for row in rows] for rows in blocks]
    everywhere = set.intersection(*map(set, names))
    shared = [name for name in names[0] if name in everywhere]
    budgets = {row.metric: row.k or 0 for rows in blocks for row in rows}
    largest = {name_family(label): label for label in sorted(shared, key=budgets.__getitem__)}
    first = [FIRST_METRIC] if FIRST_METRIC in shared else []
    if first: largest.pop("avg@k", None)  # They are one number
    places = {name: i for i, name in enumerate(PREFERRED)}
    others = [largest[name] for name in sorted(largest, key=lambda o: places.get(o, len(places)))]
    labels = list(dict.fromkeys([*first, *others]))
    if all(row.n_max == 1 for rows in blocks for row in rows): labels = drop_equal(labels, blocks)
    return labels[:MOST_OVERVIEW_METRICS]


def drop_equal(labels: Sequence[str], blocks: Sequence[Sequence[Row]]) -> list[str]:
    "With one sample a question most metrics are one number, of which the first name stands."
    named = [{row.metric: row.estimate for row in rows} for rows in blocks]
    columns = {label: tuple(own[label] for own in named) for label in labels}
    found = {values: label for label, values in reversed(columns.items())}
    return [label for label in labels if found[columns[label]] == label and label != "mg-pass@1"]


# Another run of the same questions.

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
