"""The result of `table`: models by metrics on the same questions."""
from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ...parameters import Target
from ...results.added import Extended
from ...results.base import Data
from ...results.cautions import Caution
from ...results.reading import Alignment, DeadCount, LackingGroup, ReadSummary
from ...results.rows import Row
from ..score.result import Reruns

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Errors", "Place", "Column", "ModelTable"]

Errors: TypeAlias = Literal["ends", "half"]  # How error bars are printed


@dataclass(frozen=True, eq=False)
class Place(Data):
    "Where a model stands in one metric."
    system: str
    mean: float
    rank_low: int  # Best rank that the tests allow
    rank_high: int  # Worst rank
    letters: str  # Models that share a letter do not differ significantly


@dataclass(frozen=True, eq=False)
class Column(Data):
    "One metric in one group: the models in order, and which of them differ significantly."
    metric: str  # Name with its budget
    group: str  # Group of questions; empty for all
    systems: tuple[Place, ...] = ()  # Best first; empty for a single model
    tied: tuple[tuple[str, ...], ...] = ()  # Largest groups without a significant difference
    tests: tuple[str, ...] = ()  # Tests of two models
    other_tests: tuple[str, ...] = ()  # Those of the assumption-free intervals beside
    # Better, worse, whether `tests` find it, of pairs with another verdict without assumptions
    disputed: tuple[tuple[str, str, bool], ...] = ()
    named_tests: tuple[str, ...] = ()  # Those of a test that was asked for by name
    named_apart: tuple[tuple[str, str], ...] = ()  # Better and worse of pairs significant by it

    @property
    def letters(self) -> dict[str, str]:
        "The letters of each model; none for a single one."
        return {one.system: one.letters for one in self.systems}

    @property
    def name(self) -> str:
        "The metric, and its group where there are several."
        return f"{self.metric}, {self.group}" if self.group else self.metric


@dataclass(frozen=True, eq=False, repr=False)
class ModelTable(Extended):
    """Models by metrics on the same questions, best model first.

    Parameters:
        numbers           One per model, group and metric; `rows` in JSON
        columns           One per metric and group, in the order of the table
        read              What was read of each input, by its name; empty for the only one
        alignments        Questions that the models share, by group
        confidence_level  Of the intervals; family-wise for all letters of a column
        title             Name of the data
        target            What intervals and letters are about
        method            Interval behind the letters, as `method=`; None is the default
        unscaled          Means of scores whose range is not stated
        equal_weights     Weights that give all questions the same weight, by name
        cautions          What may be wrong with the data
        reruns            Where asked for, another run of each model; None where a question has one
                          sample
        dead              Questions that tell no models apart; None without outcomes
    """
    kind = "table"
    numbers: tuple[Row, ...]  # One per model, group and metric; `rows` in JSON
    columns: tuple[Column, ...]  # One per metric and group, in the order of the table
    read: dict[str, ReadSummary]  # What was read of each input, by its name; empty for the only one
    alignments: dict[str, Alignment]  # Questions that the models share, by group
    confidence_level: float = .95  # Of the intervals; family-wise for all letters of a column
    title: str = ""  # Name of the data
    target: Target = "new_questions"  # What intervals and letters are about
    method: str | None = None  # Interval behind the letters, as `method=`; None is the default
    errors: Errors = "ends"
    lacking: tuple[LackingGroup, ...] = ()
    unscaled: tuple[str, ...] = ()  # Means of scores whose range is not stated
    equal_weights: str = ""  # Weights that give all questions the same weight, by name
    cautions: tuple[Caution, ...] = ()  # What may be wrong with the data
    # Where asked for, another run of each model; None where a question has one sample
    reruns: dict[str, Reruns | None] = field(default_factory=dict)
    dead: DeadCount | None = None  # Questions that tell no models apart; None without outcomes

    @property
    def models(self) -> list[str]:
        "The models, best first in the first metric."
        return list(dict.fromkeys(row.model for row in self.numbers))

    @property
    def run_differences(self) -> dict[str, float | None]:
        "By how much two single runs of each model must differ; None where that is unknown."
        return {model: None if one is None else one.least_difference_95
                for model, one in self.reruns.items()}

    @property
    def metrics(self) -> list[str]:
        "The metrics in the order of the table."
        return list(dict.fromkeys(column.metric for column in self.columns))

    @property
    def groups(self) -> list[str]:
        "The groups of questions, their mean last; one empty name where there are none."
        return list(dict.fromkeys(column.group for column in self.columns))

    @property
    def rows(self) -> list[dict[str, Any]]:
        "One row per model and group: every estimate, its interval and its letters."
        return [self.make_row(model, group) for group in self.groups for model in self.models]

    def make_row(self,
        model: str,  # Name of the model
        group: str,  # Group of questions; empty for all
    ) -> dict[str, Any]:  # A line of a spreadsheet
        "The numbers of one model and group by name."
        row: dict[str, Any] = dict(model=model, group=group) if group else dict(model=model)
        for column in self.columns:
            if column.group != group: continue
            one, name = self[model, column.metric, group], column.metric
            row |= {name: one.estimate, f"{name} low": one.low, f"{name} high": one.high,
                    f"{name} letters": column.letters.get(model, "")}
        if self.reruns: row["run_difference"] = self.run_differences[model]
        return row

    @cached_property
    def places(self) -> dict[tuple[str, str, str], Row]:
        "The numbers by model, metric and group."
        return {(row.model, row.metric, row.group): row for row in self.numbers}

    def __getitem__(self,
        key: tuple[str, ...],  # Model and metric, or model, metric and group
    ) -> Row:
        """The number of a model and a metric.

        Raises: `KeyError` with the names there are.
        """
        found = self.places.get((*key, self.groups[-1])[:3])  # type: ignore[arg-type]
        if found is not None: return found
        grouped = f" and of the groups {self.groups}" if self.groups != [""] else ""
        raise KeyError(f"need one of the models {self.models}, of the metrics {self.metrics}"
                       f"{grouped}, got {key!r}")

    def first_column(self,
        metric: str | None = None,  # Which metric; None is the first
    ) -> Column:  # Over all groups where there are several
        """The column of a metric that speaks of all questions.

        Raises: `ValueError` for a metric that the table does not have.
        """
        metric = metric or self.metrics[0]
        if metric not in self.metrics:
            raise ValueError(f"metric must be one of {self.metrics}, got {metric!r}")
        return next(one for one in self.columns[::-1] if one.metric == metric)

    def to_dict(self) -> dict[str, Any]:
        "All fields as plain Python values; `rows` are the numbers."
        told = super().to_dict()
        return told | dict(rows=told.pop("numbers"))

    @classmethod
    def from_dict(cls, values: Any) -> ModelTable:
        "The table of its plain values."
        return super().from_dict(dict(values, numbers=values["rows"]))

    def to_latex(self) -> str:
        "A float for the package `booktabs`, with caption and label; the method as comments."
        latex: str = self._module().to_latex(self)
        return latex

    def plot(self,
        metric: str | None = None,  # Which metric; None is the first
        *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        "Draw one metric of every model with its intervals."
        axes: Axes = self._module().plot(self, metric, ax=ax, size=size)
        return axes
