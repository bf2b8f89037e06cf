"""Rows of which equal ones have been counted."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import OptionError, option
from ..foundations.counts import Counts
from ..records import dataclass
from .columns import list_names
from .sample_ids import GroupedRows
from .options import Policy, settle_rows

__all__ = ["CountedRows"]

COLUMNS = ("correct", "answer", "score", "total", "scored", "model", "group", "cluster", "weight",
           "draws", "runs")
SHOWN = "correct", "answer", "score", "model", "group", "cluster"


@dataclass(frozen=True, eq=False, repr=False)
class CountedRows(GroupedRows):
    "Equal samples of a long table, counted: flat columns of shape `(R,)`."

    def __repr__(self) -> str:
        parts = ", ".join(part for part in SHOWN if getattr(self, part) is not None)
        return (f"CountedRows({len(self)} samples of {len(self.questions)} questions; "
                f"{parts or 'no other column'})")

    def models(self) -> dict:
        "The rows of each model under its name; under '' if no model is named."
        return split_rows(self, "model")

    def groups(self) -> dict:
        "The rows of each group under its name; under '' if there are no groups."
        return split_rows(self, "group")

    def counts(
        self,
        policy: Policy = Policy(),  # What missing samples and answers count as
    ) -> Counts:  # One entry per question, with its votes and scores
        """Samples and correct samples per question of one model.

        Raises: `ValueError` for several models, without outcomes, or as the policy says.
        """
        names = [] if self.model is None else list(dict.fromkeys(self.model.tolist()))
        if len(names) > 1:
            raise OptionError("model", "counts are of one model", found=list_names(names),
                              hint=f"take one of models(), or pass {option('model', False)} when "
                                   "reading if these are samples of one")
        if self.correct is None and self.total is not None:
            raise OptionError("threshold", "scores are graded, and no column holds the outcome",
                              hint=f"pass {option('threshold', ...)} when reading to derive it "
                                   "from score")
        return settle_rows(self, policy)[0]


def split_rows(rows: CountedRows, part: str) -> dict:
    "Rows by the names in one column, in order of first appearance."
    column = getattr(rows, part)
    if column is None: return {"": rows}
    names = list(dict.fromkeys(column.tolist()))
    place = {name: i for i, name in enumerate(names)}
    code = np.fromiter((place[name] for name in column.tolist()), np.int64, len(column))
    found = np.split(np.argsort(code, kind="stable"), np.cumsum(np.bincount(code))[:-1])
    return {name: take_rows(rows, some) for name, some in zip(names, found)}


def take_rows(rows: CountedRows, some: np.ndarray) -> CountedRows:
    "Some of the rows."
    present, first, code = np.unique(rows.question[some], return_index=True, return_inverse=True)
    order = np.argsort(first)
    present, code = present[order], np.argsort(order)[code]
    columns: dict[str, Any] = {
        part: None if (value := getattr(rows, part)) is None else value[some]
        for part in COLUMNS}
    sums = {name: values[some] for name, values in rows.sums.items()}
    # Which samples stand behind some of the rows, hashes do not tell.
    known = rows.fingerprint if len(some) == len(rows.times) else None
    return replace(rows, question=code, questions=rows.questions[present], times=rows.times[some],
                   sums=sums, fingerprint=known, **columns)
