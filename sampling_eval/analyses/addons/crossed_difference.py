"""Two systems where groups, such as prompts, are drawn as questions are (`crossed=`, `by=`)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import OptionError
from ...render.format import describe_ci, difference
from ...render.verdicts import significance_of
from ...spelling import option
from ..engine.crossing import cross_items
from ..engine.measure import Measured
from . import Compared
from .crossed import (
    Crossed, CrossedRow, ask as ask_crossed, describe_planned, make_row, suppose)

FOUND = Crossed  # The class of what is found; its rows are differences


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `compare`
) -> Any:
    """Whether groups are drawn.

    Raises: `OptionError` for one of both options, beside weights, and for missing samples that are
    counted both ways.
    """
    crossed = ask_crossed(given)
    if crossed and not isinstance(given["by"], str):
        raise OptionError("by", f"{option('crossed')} needs the column of groups, such as prompts",
                          got=given["by"], hint=f"name it by {option('by', ...)}")
    if not crossed and given["by"] is not None:
        raise OptionError("by", "a comparison takes groups that are drawn as questions are",
                          found=f"{option('by', given['by'])} alone",
                          hint=f"{option('crossed', True)}, or a table by groups")
    return crossed


def measure(request: bool, asked: Compared) -> Crossed:
    """B minus A in every metric, over questions and groups.

    Raises: `OptionError` for fewer than three groups, and where these do not share the questions.
    """
    names, by = asked.aligned.questions.tolist(), str(asked.by)
    items = np.asarray(names if asked.cluster is None else asked.cluster)
    group = np.array([asked.groups[name] for name in names], object)
    cells = cross_items(items, group, by)
    level = asked.report.confidence_level
    rows = tuple(row for one in asked.measured for row in subtract(one, cells, level))
    return Crossed(by, level, cells.shape[1], len(cells), rows)


def subtract(measured: Measured, cells: np.ndarray, level: float) -> list[CrossedRow]:
    "The difference in a metric at each budget."
    a, b = (side.of_questions() for side in measured.values)
    chosen = measured.chosen
    bounds = None if chosen.bounds is None else (
        chosen.bounds[0] - chosen.bounds[1], chosen.bounds[1] - chosen.bounds[0])
    return [make_row(label, (b - a)[cells, i], bounds, chosen.metric.unit, level)
            for i, label in enumerate(chosen.labels)]


# In words.

def sentences(found: Crossed, names: tuple[str, str]) -> list[str]:
    "The first difference with the error of questions and of groups, and with more groups."
    row = found.rows[0]
    size = f"{names[1]} - {names[0]} = {difference(row.estimate, row.unit)} in {row.metric}"
    if row.interval is None or row.low is None or row.high is None:
        return [f"{suppose(found)}: {size}, no CI: neither questions nor groups show a spread."]
    said = describe_ci(row.low, row.high, found.confidence_level,
                       f"new questions and new values of {found.by}", str(row.interval.method),
                       unit=row.unit, change=True)
    apart = row.low > 0 or row.high < 0
    verdict = significance_of("better" if apart else "inconclusive")
    return [" ".join([f"{suppose(found)}: {size} ({said}): {verdict}.",
                      *describe_planned(found, row)])]
