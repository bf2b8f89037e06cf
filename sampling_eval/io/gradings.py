"""The same samples under several gradings, side by side as systems."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..results.reading import ReadSummary
from .counted import CountedRows
from .merging import stack_runs
from .reduce import reduce_rows
from .tabular import Keep

__all__ = ["stack_gradings"]


def stack_gradings(
    rows: Mapping[str, CountedRows],  # Rows under each grading, by its name
) -> CountedRows:  # All of them, each grading a model
    """The rows of several gradings, with the grading in the place of the model.

    Raises: `ValueError` where one grading says right or wrong and another gives a score.
    """
    refuse_mixed_kinds(rows)
    named = [name_rows(name, own) for name, own in rows.items()]
    if len(named) == 1: return replace(named[0], model=next(iter(rows.values())).model)
    batch = replace(stack_runs(named, False), in_order=True)
    stacked, notes = reduce_rows(batch, Keep(scores=True), {})
    summary = ReadSummary("gradings", notes=tuple(notes), gradings=tuple(rows),
                          inputs=tuple(own.summary for own in rows.values()),
                          warnings=stacked.summary.warnings)
    first = named[0]
    return replace(stacked, files=first.files, tasks=first.tasks, totals=first.totals,
                   repeats=first.repeats, summary=summary)


def name_rows(grading: str, rows: CountedRows) -> CountedRows:
    "Rows whose models are called by the grading, and by their own name where they are several."
    models = [] if rows.model is None else rows.model.tolist()
    several = len(set(models)) > 1
    names = [f"{model} {grading}" for model in models] if several else [grading] * len(rows.times)
    return replace(rows, model=np.array(names, object), draws=None)


def refuse_mixed_kinds(rows: Mapping[str, CountedRows]) -> None:
    judged = [name for name, own in rows.items() if own.correct is not None]
    graded = [name for name, own in rows.items() if own.correct is None]
    if not judged or not graded: return
    raise ValueError("gradings side by side must all say right or wrong, or all give a score, got "
                     f"{judged[0]!r} (right or wrong) and {graded[0]!r} (a score); pass "
                     "threshold=, above which a score is right")
