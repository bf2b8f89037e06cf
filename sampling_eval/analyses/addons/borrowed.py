"""A new run of a part of the questions, extended to all of an earlier run (`earlier=`)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...errors import OptionError
from ...inference.borrowing import borrowed_mean
from ...inference.intervals import Interval
from ...inference.estimate import within_questions
from ...reading.load import load
from ...render.blocks import Block, Table
from ...render.format import TARGET_WORDS, describe_ci, interval, percent
from ...results.base import Data, HasInterval, ends
from . import Asked, refuse_none, refuse_together


@dataclass(frozen=True, eq=False)
class BorrowedRow(HasInterval, Data):
    "One metric of a new run over all questions of an earlier one."
    metric: str  # Name with its budget
    raw: float  # Mean of the questions that were run
    raw_interval: Interval = field(metadata=ends(
        "raw_low", "raw_high", words="raw_method", target="new_questions"))
    estimate: float  # The mean over all questions, unbiased for a random part
    interval: Interval = field(metadata=ends(words="method"))
    stderr: float | None  # For the same questions where their noise is known; None: no spread
    earlier: float  # Mean of the earlier run over all questions
    target: str = "same_questions"  # What the CI of the estimate is for: all those of earlier
    raw_target: str = "new_questions"  # What that of the questions that were run is for


@dataclass(frozen=True, eq=False)
class BorrowedScore(Data):
    "A new run of a part of the questions, with an earlier run of all."
    sampled: int  # Questions that were run
    questions: int  # Questions of the earlier run
    rows: tuple[BorrowedRow, ...]  # One per metric and budget that both runs allow


NEEDS_ROWS = True
FOUND = BorrowedScore  # The class of what is found


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `score`
) -> Any:
    "The earlier run."
    if given["earlier"] is not None: refuse_together("earlier", given)
    return given["earlier"]


def measure(
    earlier: Any,  # An earlier run of all questions
    asked: Asked,  # What it is measured from
) -> BorrowedScore:
    "The new run over all questions of an earlier one."
    blocks, level = asked.list_blocks(), asked.style.confidence_level
    old = list(load(earlier, asked.options).blocks.values())
    if len(blocks) != 1 or len(old) != 1:
        raise OptionError("earlier", "an earlier run is for one model without groups",
                          found=f"{len(blocks)} and {len(old)} models or groups")
    (_, _, counts, chosen), before = blocks[0], old[0]
    place = positions_of(counts.questions, before.questions)
    rows = []
    for one in chosen:
        fits = one.metric.credit is not None and one.ks <= before.n_min
        if counts.c is None or before.c is None or not np.any(fits): continue
        ks, labels = one.ks[fits], np.array(one.labels, object)[fits]
        values, known = (one.metric.at_states(side, ks).of_questions() for side in (counts, before))
        credit: Any = one.metric.credit
        noise = within_questions(counts.n, counts.c, ks, credit).variance
        for i, label in enumerate(labels):
            within = noise[:, i] if counts.n_min >= 2 * ks[i] else None
            found = borrowed_mean(values[:, i], place, known[:, i], within=within)
            every = replace(found.confidence_interval(level), target="same_questions")
            plain = found.plain.confidence_interval(level)
            rows.append(BorrowedRow(str(label), found.plain.value, plain, found.value, every,
                                    found.stderr, found.earlier))
    refuse_none("earlier", rows)
    return BorrowedScore(len(place), len(before), tuple(rows))


def positions_of(
    new: np.ndarray,  # Names of the questions that were run
    old: np.ndarray,  # Names of all questions
) -> np.ndarray:  # Position of each new one among all
    """Where the questions stand that were run.

    Raises: `ValueError` for one that the earlier run does not have.
    """
    known = {name: i for i, name in enumerate(old.tolist())}
    absent = [name for name in new.tolist() if name not in known]
    if absent:
        raise OptionError("earlier", must="have every question of the new run",
                          found=f"no {absent[0]!r}",
                          where=f" ({len(absent)} of {len(new)} are absent)")
    return np.array([known[name] for name in new.tolist()])


# In words.

BORROWED = ["metric", "questions run", "CI", "all questions", "CI of all", "method",
            "earlier run"]


def sentences(found: BorrowedScore, confidence_level: float) -> list[str]:
    "The first number over all questions, beside that of the questions that were run."
    row = found.rows[0]
    own, raw = row.interval, row.raw_interval
    said = describe_ci(own.low, own.high, confidence_level, TARGET_WORDS[row.target],
                       str(own.method))
    return [f"Estimated on all {found.questions:,} questions of the earlier run: "
            f"{row.metric} {percent(row.estimate)} ({said}); "
            f"the {found.sampled:,} that were run alone: "
            f"{percent(row.raw)} ({interval(raw.low, raw.high)}, "
            f"{TARGET_WORDS[row.raw_target]}, {raw.method}). Assumes they were drawn at random."]


def folds(found: BorrowedScore) -> list[Block]:
    "Every borrowed number."
    return [Table(BORROWED, [
        [row.metric, percent(row.raw), interval(row.raw_interval.low, row.raw_interval.high),
         percent(row.estimate), interval(row.low, row.high), str(row.interval.method),
         percent(row.earlier)]
        for row in found.rows])]
