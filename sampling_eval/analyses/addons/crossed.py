"""Groups that are drawn as questions are, such as prompts: the error of both (`crossed=`)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...errors import OptionError, OptionTypeError
from ...foundations.counts import Counts
from ...inference.crossed import CrossedMean, crossed_mean
from ...inference.intervals import Interval
from ...render.blocks import Block, Text
from ...render.format import count, describe_ci, difference, interval, percent, value
from ...results.base import Data, HasInterval, Unit, ends
from ...spelling import option
from ..engine.choose import Chosen
from ..engine.crossing import list_items, order_items, share_of_groups
from . import Asked, make_table


@dataclass(frozen=True, eq=False)
class PlannedGroups(Data):
    "What another number of groups would give, on as many questions."
    groups: int
    stderr: float  # To expect


@dataclass(frozen=True, eq=False)
class CrossedRow(HasInterval, Data):
    "A metric over questions and groups that are both drawn."
    metric: str  # Its name, with its budget
    estimate: float  # Mean of all cells
    # Approximate; None where neither questions nor groups show a spread
    interval: Interval | None = field(metadata=ends(words="method", target="new_questions"))
    unbiased_variance: float  # Of the mean; may be negative
    MSQ: float  # Mean square of questions
    MSP: float  # Mean square of groups
    MSI: float  # Mean square of what neither explains
    df: float  # Degrees of freedom of the interval
    share: float | None  # Of the variance that is of the groups
    model: str = ""  # Empty for a single one
    unit: Unit = "share"  # Of the estimate
    stderr: float | None = None  # None without an interval
    planned: tuple[PlannedGroups, ...] = ()  # With more groups; none without an interval


@dataclass(frozen=True, eq=False)
class Crossed(Data):
    "Every metric with the error of questions and of groups."
    by: str  # Column of the groups
    confidence_level: float
    groups: int
    questions: int  # That every group was asked
    rows: tuple[CrossedRow, ...]

    def stderr_at(self,
        questions: int,  # How many there may be
        groups: int,  # How many values of the column
        metric: str | None = None,  # Of the first model that has it; None: the first
    ) -> float:  # Of the mean
        """The standard error to expect of other numbers of questions and of groups.

        Raises: `ValueError` for a metric that is not there, and numbers below 1.
        """
        row = next((one for one in self.rows if metric in (None, one.metric)), None)
        if row is None: raise OptionError("metric", choices=[one.metric for one in self.rows],
                                          got=metric)
        parts = row.unbiased_variance, row.unbiased_variance, row.MSQ, row.MSP, row.MSI, row.df
        whole = CrossedMean(row.estimate, *parts, self.questions, self.groups, False)
        return float(whole.variance_at(questions, groups)**.5)


FOUND = Crossed  # The class of what is found


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `score`
) -> Any:
    """Whether groups are drawn.

    Raises: `OptionError` beside weights, and missing samples that are counted both ways.
    """
    crossed = given["crossed"]
    if not isinstance(crossed, (bool, np.bool_)):
        raise OptionTypeError("crossed", must="be True or False", got=crossed)
    if not crossed: return None
    bounds = "bounds" if given["missing"] == "bounds" else None
    for name, other in dict(weights=given["weights"], missing=bounds).items():
        if other is not None:
            raise OptionError(name, f"{name} and crossed exclude each other", found="both")
    return True


def measure(request: bool, asked: Asked) -> Crossed:
    """Every metric that all groups have, at every budget.

    Raises: `OptionError` without a column of groups, for fewer than three groups, and where these
    do not share the questions.
    """
    if not isinstance(asked.by, str):
        raise OptionError("by", f"{option('crossed')} needs the column of groups, such as prompts",
                          got=asked.by, hint=f"name it by {option('by', ...)}")
    models: dict[str, list[tuple[Counts, list[Chosen]]]] = {}
    for model, group, counts, chosen in asked.list_blocks():
        if group: models.setdefault(model, []).append((counts, chosen))
    level = asked.style.confidence_level
    rows = [row for model, groups in models.items()
            for row in cross_groups(model, groups, asked.by, level)]
    return Crossed(asked.by, level, max(map(len, models.values())),
                   len(next(iter(models.values()))[0][0]), tuple(rows))


def cross_groups(
    model: str, groups: list[tuple[Counts, list[Chosen]]], by: str, level: float,
) -> Iterator[CrossedRow]:
    "The rows of one model."
    orders = order_items([list_items(counts) for counts, _ in groups], by)
    tables: dict[str, list[tuple[str, Chosen, np.ndarray]]] = {}
    for (counts, chosen), order in zip(groups, orders):
        for one in chosen:
            found = one.metric.at_states(counts, one.ks).of_questions()[order]
            # The average of 4 samples in one group and of 8 in another is avg@n over both.
            keys = one.labels if one.budgets is not None else (one.metric.name,)
            for key, label, column in zip(keys, one.labels, found.T):
                tables.setdefault(key, []).append((label, one, column))
    for key, parts in tables.items():
        if len(parts) < len(groups): continue
        first, one, _ = parts[0]
        name = first if all(label == first for label, _, _ in parts) else key
        table = np.array([column for _, _, column in parts]).T
        yield make_row(name, table, one.bounds, one.metric.unit, level, model)


def make_row(
    name: str, table: np.ndarray, bounds: tuple[float, float] | None, unit: Unit, level: float,
    model: str = "",
) -> CrossedRow:
    "One metric at one budget."
    found = crossed_mean(table, bounds=bounds)
    questions, groups = table.shape
    planned = () if found.stderr is None else tuple(
        PlannedGroups(more, found.variance_at(questions, more)**.5)
        for more in (2 * groups, 4 * groups, 8 * groups))
    own = None if found.stderr is None else replace(found.confidence_interval(level), unit=unit)
    share = None if found.stderr is None else share_of_groups(found)
    return CrossedRow(name, found.mean, own, found.unbiased_variance, found.MSQ, found.MSP,
                      found.MSI, found.df, share, model, unit, found.stderr, planned)


# In words.

def blocks(found: Crossed) -> list[Block]:
    "The first number of each model in a sentence, and all of them."
    first = {one.model: one for one in reversed(found.rows)}
    rows = [[one.model, one.metric, value(one.estimate, one.unit),
             interval(one.low, one.high, one.unit),
             "-" if one.share is None else percent(one.share, decimals=0)] for one in found.rows]
    heads = ["metric", "mean", "CI", f"variance from {found.by}"]
    told = [(describe_crossed(found, first[model]), *describe_planned(found, first[model]))
            for model in reversed(first)]
    return [*(Text(" ".join(said)) for said in told), make_table(heads, rows)]


def describe_crossed(found: Crossed, row: CrossedRow) -> str:
    "What the mean is where groups are drawn too."
    said = "no CI: neither questions nor groups show a spread"
    if row.interval is not None:
        said = describe_ci(row.low, row.high, found.confidence_level,
                           f"new questions and new values of {found.by}",
                           str(row.interval.method), unit=row.unit)
    who = f"{row.model}: " if row.model else ""
    return f"{who}{suppose(found)}: {row.metric} = {value(row.estimate, row.unit)} ({said})."


def suppose(found: Crossed) -> str:
    "What is assumed of the groups."
    return (f"If the {count(found.groups, 'group')} of {found.by} could have been others, drawn as "
            f"the {count(found.questions, 'question')} are")


def describe_planned(found: Crossed, row: CrossedRow) -> list[str]:
    "The standard error to expect with more groups; nothing where none is known."
    if row.stderr is None: return []
    def say(stderr: float) -> str: return difference(stderr, row.unit, sign=False)
    listed = ", ".join(f"{say(one.stderr)} with {one.groups}" for one in row.planned)
    return [f"Standard error: {say(row.stderr)}; on as many questions about {listed} groups."]
