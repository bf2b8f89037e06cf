"""Loops that retry until a judge passes: what they report, and what is right (`verdict=`)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import numpy as np

from ...errors import OptionError, OptionTypeError
from ...spelling import name_option, option
from ...foundations.counts import Counts
from ...inference.estimate import mean_over_questions
from ...inference.intervals import Interval
from ...metrics.guarded import guarded_at_k, guarded_tries
from ...metrics.passk import pass_at_k
from ...reading.options import Options
from ...render.blocks import Block, Text
from ...render.format import describe_ci, interval, percent
from ...results.base import Data, ends
from . import Asked, load_flags, make_table, name_block, name_tries

READ_AS = dict(verdict="sums")  # What reading calls the column


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
    # Paired by question
    slip_interval: Interval = field(metadata=ends(
        "slip_low", "slip_high", words="method", target="new_questions"))
    model: str = ""  # Empty for a single one
    group: str = ""  # Empty for all questions


@dataclass(frozen=True, eq=False)
class Guarded(Data):
    "The loop at every limit of tries."
    verdict: str  # Column of the judge's verdicts
    confidence_level: float  # Level of the intervals of the slip
    questions: int
    rows: tuple[GuardedRow, ...]  # One per limit of each model and group, ascending


FOUND = Guarded  # The class of what is found


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `score`
) -> Any:
    "The column of verdicts."
    return given["verdict"]


def prepare(
    verdict: Any,  # Column of the judge's verdicts
    options: Options,  # How the data are read
) -> Options:  # The same, with the verdicts of right and of wrong samples added up
    """How outcomes and verdicts are read together.

    Raises: `TypeError` unless the verdict is the name of a column, `ValueError` where it is that of
    the outcome, or where missing samples are guessed.
    """
    if not isinstance(verdict, str):
        raise OptionTypeError("verdict", must="be the name of a column", got=verdict)
    if options.columns.get("correct") == verdict: refuse_outcome(verdict)
    if options.policy.missing not in ("raise", "drop"):
        raise OptionError("missing", f"{name_option('verdict')} needs "
                          f"{option('missing', 'raise', 'drop')}", got=options.policy.missing,
                          hint="a sample without an outcome has no truth to hold the verdict "
                          "against")
    return replace(options, sums=tuple(dict.fromkeys((*options.sums, verdict))))


def measure(verdict: str, asked: Asked) -> Guarded:
    """The loop at every limit of tries that pass@k is reported at, or that were named.

    Raises: `ValueError` for verdicts other than 0 and 1, or that are the outcomes.
    """
    level, loaded = asked.style.confidence_level, asked.loaded
    ks = sorted(asked.budgets.get("guarded") or {row.k for row in asked.report.rows if row.k})
    read = asked.loaded.summary.columns or {}
    if read.get("correct") == verdict: refuse_outcome(verdict)
    judged = load_flags("verdict", verdict, asked.data, replace(asked.options, sums=())).blocks
    rows = []
    for (model, group), truth in loaded.blocks.items():
        side = judged.get((model, group))
        _, right = check_verdicts(truth, side, verdict)
        sides = truth.n, side.c, right, truth.c  # type: ignore[union-attr]
        rows += [replace(make_row(*sides, k, level),  # type: ignore[arg-type]
                         model=model, group=group)
                 for k in ks if k <= truth.n_min]
    names = {name for truth in loaded.blocks.values() for name in truth.questions.tolist()}
    return Guarded(verdict, level, len(names), tuple(rows))


def refuse_outcome(verdict: str) -> NoReturn:
    "Refuse a verdict that is the outcome."
    raise OptionError("verdict", must="be another column than that of the outcomes", got=verdict,
                      hint="name that of the judge's verdicts")


def check_verdicts(
    truth: Counts, judged: Counts | None, verdict: str,
) -> tuple[np.ndarray, np.ndarray]:
    "Passed samples of each question, wrong and right ones, or an error."
    if truth.c is not None and verdict not in truth.sums:
        raise OptionError("verdict", "a verdict needs a table with a column of it",
                          found="outcomes alone")
    if truth.c is None:
        raise OptionError("verdict", "a verdict needs outcomes of 0 and 1 beside it",
                          found="graded scores only", hint="name them by "
                          f"{option('correct', ...)}, or set {option('threshold', ...)}")
    seen = 0 if judged is None else int(judged.n.sum())
    if judged is None or len(truth) != len(judged) or (truth.n != judged.n).any() or (
            truth.questions.tolist() != judged.questions.tolist()):
        raise OptionError("verdict", "every sample needs an outcome and a verdict",
                          found=f"{truth.n.sum():,} outcomes and {seen:,} verdicts in column "
                          f"{verdict!r}", hint="leave out the samples that lack one of them")
    wrong, right = np.rint(truth.sums[verdict]).astype(np.int64).T
    if (wrong + right != judged.c).any() or (right > truth.c).any() or (
            wrong > truth.n - truth.c).any():
        raise OptionError("verdict", f"column {verdict!r} must hold 0 and 1, a verdict for each "
                          "outcome", hint="write 1 where the judge passed the sample")
    return wrong, right


def make_row(
    n: np.ndarray, m: np.ndarray, right: np.ndarray, c: np.ndarray, k: int, level: float,
) -> GuardedRow:
    "Means over questions at one limit of tries."
    reported, delivered = pass_at_k(n, m, k), guarded_at_k(n, m, right, k)
    slip = mean_over_questions(reported - delivered)
    last = guarded_at_k(n, m, right, k, right_rejected=c - right)
    return GuardedRow(k, float(reported.mean()), float(delivered.mean()), float(last.mean()),
                      float(pass_at_k(n, c, k).mean()), float(guarded_tries(n, m, k).mean()),
                      slip.value, slip.confidence_interval(level))


# In words.

HEADS = ["most tries", "reported", "right", "wrong", "CI", "right with the last", "pass@k", "tries"]


def blocks(found: Guarded) -> list[Block]:
    "The loop in a sentence, and at every limit of tries."
    last = {name_block((one.model, one.group)): one for one in found.rows}
    rows = [[name_block((one.model, one.group)), f"{one.k}", percent(one.reported),
             percent(one.right), percent(one.slip), write_slip(one),
             percent(one.right_with_last), percent(one.pass_at_k), f"{one.tries:.2f}"]
            for one in found.rows]
    return [*(Text(guarded_sentence(found, one)) for one in last.values()), make_table(HEADS, rows)]


def write_slip(row: GuardedRow) -> str:
    return interval(row.slip_interval.low, row.slip_interval.high)


def guarded_sentence(found: Guarded, last: GuardedRow) -> str:
    "What is reported and what is right, at the largest limit of a model or group."
    own = last.slip_interval
    said = describe_ci(own.low, own.high, found.confidence_level, "new questions", str(own.method))
    who = name_block((last.model, last.group))
    first = f"{who}: retried" if who else "Retried"
    return (f"{first} until {found.verdict} = 1, at most {name_tries(last.k)}: "
            f"{percent(last.reported)} reported, {percent(last.right)} right; delivered and wrong: "
            f"{percent(last.slip)} ({said}).")
