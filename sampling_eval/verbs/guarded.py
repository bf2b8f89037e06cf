"`score(verdict=)`: tries until a judge passes, from a column of verdicts beside the outcomes."
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..foundations.counts import Counts
from ..inference.estimate import mean_over_questions
from ..io.load import Loaded, load
from ..io.options import Options
from ..metrics.guarded import guarded_at_k, guarded_tries
from ..metrics.passk import pass_at_k
from ..results.guarded import Guarded, GuardedRow
from ..results.score_report import Report
from .portfolio import measure_portfolio

__all__ = ["add_verdict", "add_loops_and_mixes", "measure_guarded"]


def add_verdict(
    options: Options,  # How the data are read
    verdict: str,  # Column of the judge's verdicts
) -> Options:  # The same, with the verdicts of right and of wrong samples added up
    """How outcomes and verdicts are read together.

    Raises: `TypeError` unless the verdict is the name of a column, `ValueError` where it is that of
    the outcome, or where missing samples are guessed.
    """
    if not isinstance(verdict, str):
        raise TypeError(f"verdict must be the name of a column, got {verdict!r}")
    if options.columns.get("correct") == verdict:
        raise ValueError(f"verdict={verdict!r} is the column of outcomes too; name another column")
    if options.policy.missing not in ("raise", "drop"):
        raise ValueError("verdict needs missing='raise' or 'drop', got "
                         f"missing={options.policy.missing!r}: a sample without an outcome has no "
                         "truth to hold the verdict against")
    return replace(options, sums=tuple(dict.fromkeys((*options.sums, verdict))))


def add_loops_and_mixes(
    report: Report,  # What `score` found
    data: Any,  # As `score` takes it
    loaded: Loaded,  # What was read
    options: Options,  # How
    verdict: str | None,  # Column of the judge's verdicts
    by: str | None,  # Column of groups
    portfolio: int | None,  # Tries that are split over the groups
) -> Report:  # With `guarded` or `portfolio`
    "The report with a loop that retries until a judge passes, or with tries split over groups."
    level = report.confidence_level
    if verdict is not None:
        limits = sorted({row.k for row in report.rows if row.k})
        found = measure_guarded(data, loaded, options, verdict, limits, level)
        report = replace(report, guarded=found)
    if portfolio is None: return report
    return replace(report, portfolio=measure_portfolio(data, loaded, options, by, portfolio, level))


def measure_guarded(
    data: Any,  # As `score` takes it
    loaded: Loaded,  # The same, read with `add_verdict`
    options: Options,  # How it was read
    verdict: str,  # Column of the judge's verdicts
    ks: Sequence[int],  # Limits of tries
    confidence_level: float,  # Of the slip
) -> Guarded:
    """The loop at every limit.

    Raises: `ValueError` for several models or groups, and for verdicts other than 0 and 1.
    """
    if len(loaded.blocks) > 1:
        raise ValueError(f"verdict is for one model at a time, got {len(loaded.blocks)} models or "
                         "groups; read one of them")
    truth = next(iter(loaded.blocks.values()))
    columns = dict(options.columns) | dict(correct=verdict)
    judged = next(iter(load(data, replace(options, columns=columns, sums=())).blocks.values()))
    wrong, right = check_verdicts(truth, judged, verdict)
    n, m = truth.n, judged.c
    assert truth.c is not None and m is not None
    rows = [make_row(n, m, right, truth.c, k, confidence_level) for k in ks]
    return Guarded(verdict, confidence_level, len(truth), tuple(rows))


def check_verdicts(truth: Counts, judged: Counts, verdict: str) -> tuple[np.ndarray, np.ndarray]:
    "Passed samples of each question, wrong and right ones, or an error."
    if truth.c is None or verdict not in truth.sums:
        raise ValueError(f"verdict={verdict!r} needs outcomes of 0 and 1 beside it, got graded "
                         "scores only")
    same = len(truth) == len(judged) and (truth.n == judged.n).all()
    if not same or truth.questions.tolist() != judged.questions.tolist():
        raise ValueError(f"every sample needs an outcome and a verdict, got {truth.n.sum():,} "
                         f"outcomes and {judged.n.sum():,} verdicts in column {verdict!r}")
    wrong, right = np.rint(truth.sums[verdict]).astype(np.int64).T
    if (wrong + right != judged.c).any() or (right > truth.c).any() or (
            wrong > truth.n - truth.c).any():
        raise ValueError(f"verdict={verdict!r} must hold 0 and 1, a verdict for each outcome")
    return wrong, right


def make_row(
    n: np.ndarray, m: np.ndarray, right: np.ndarray, c: np.ndarray, k: int, level: float,
) -> GuardedRow:
    "Means over questions at one limit of tries."
    reported, delivered = pass_at_k(n, m, k), guarded_at_k(n, m, right, k)
    slip = mean_over_questions(reported - delivered)
    ends = slip.confidence_interval(level)
    last = guarded_at_k(n, m, right, k, right_rejected=c - right)
    return GuardedRow(k, float(reported.mean()), float(delivered.mean()), float(last.mean()),
                      float(pass_at_k(n, c, k).mean()), float(guarded_tries(n, m, k).mean()),
                      slip.value, ends.low, ends.high)
