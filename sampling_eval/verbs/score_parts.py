"""What `score` adds on request: ordered attempts, tries over sources, guarded loops."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import OptionError, OptionTypeError, name_option, option
from ..foundations.checks import faults
from ..foundations.counts import Counts
from ..inference.bands import simultaneous_band
from ..inference.estimate import mean_over_questions
from ..inference.sequential import solved_interval, solved_within
from ..io.load import Loaded, load
from ..io.options import Options
from ..metrics.guarded import guarded_at_k, guarded_tries
from ..metrics.parts import check_splits
from ..metrics.passk import pass_at_k
from ..metrics.portfolio import portfolio_splits
from ..results.score_report import Gain, Guarded, GuardedRow, Ordered, Report, SourceMix, Split
from .runs import ABSENT, RunTable
from .systems import align_systems
from .truth import load_flags

__all__ = ["list_ordered", "measure_portfolio", "add_verdict", "add_loops_and_mixes",
           "measure_guarded"]


# Attempts in their order


def list_ordered(
    whole: Mapping[str, Counts],  # Counts of each model
    tables: Mapping[str, RunTable | None],  # Its samples by number, where these are known
    confidence_level: float,  # Level of the intervals
) -> Iterator[Ordered]:
    """The share of each model solved within each number of attempts, in their order.

    Raises: `OptionError` where the order of the attempts is not known, or has gaps.
    """
    for model, counts in whole.items():
        attempts, solved = find_attempts(counts, tables.get(model))
        yield from list_budgets(model, counts, attempts, solved, confidence_level)


def list_budgets(
    model: str, counts: Counts, attempts: np.ndarray, solved: np.ndarray, level: float,
) -> Iterator[Ordered]:
    "A line for each number of attempts."
    for k in range(1, int(attempts.max()) + 1):
        try: value = float(solved_within(attempts, solved, k))
        # Beyond the attempts of those that are unsolved nothing was seen.
        except ValueError: return
        ends = solved_interval(attempts, solved, k, level)
        known = k <= counts.n_min
        right: Any = counts.c
        any_k = float(pass_at_k(counts.n, right, k).mean()) if known else None
        yield Ordered(model, k, value, ends.low, ends.high, ends.method, any_k, len(attempts),
                      level)


def find_attempts(counts: Counts, table: RunTable | None) -> tuple[np.ndarray, np.ndarray]:
    "Attempts until the first success or the end, and whether there was one, by question."
    if table is None or not table.binary or not are_numbers(table):
        raise OptionError("attempts", "the order of attempts must be known",
                          hint="number them from the first by a column of whole numbers, named "
                          "by sample")
    outcomes = table.list_outcomes()
    if len(outcomes) < len(counts):
        raise OptionError("attempts", "so many samples are not put in order", got="ordered",
                          found=f"{len(counts)} questions of {outcomes.shape[1]} attempts",
                          hint="take solved_within of sampling_eval")
    held = outcomes != ABSENT
    made = held.sum(1)
    if (bad := ~held & (np.arange(held.shape[1]) < made[:, None])).any():
        raise OptionError("attempts", "attempts must be numbered without a gap",
                          where=faults(bad.any(1), counts.questions))
    right = outcomes == 1
    solved = right.any(1)
    return np.where(solved, right.argmax(1) + 1, made), solved


def are_numbers(table: RunTable) -> bool:
    "Whether the attempts stand in the order of their numbers."
    whole = all(isinstance(name, (int, np.integer)) for name in table.names)
    return whole and list(table.names) == sorted(table.names)  # type: ignore[type-var]


# Tries split over sources


def measure_portfolio(
    data: Any,  # As `score` takes it
    loaded: Loaded,  # The same, read in groups
    options: Options,  # How it was read
    by: str | None,  # Column of the sources
    k: int,  # Tries in all
    confidence_level: float,  # Of all splits together
) -> SourceMix:
    """Every split of the tries over the sources.

    Raises: `ValueError` without a column of sources, for several models, for fewer than two
    sources, and where these do not share the questions.
    """
    if not isinstance(by, str):
        raise OptionError("by", f"{option('portfolio', k)} needs the column of sources",
                          got=by, hint=f"name it by {option('by', ...)}")
    models = {model for model, _ in loaded.blocks}
    if len(models) > 1:
        raise OptionError("portfolio", "the tries of one model are split over sources",
                          found=f"{len(models)} models beside the sources in {by!r}",
                          hint="read the rows of one model, or make the models the sources by "
                          f"{option('by', 'model')}")
    # A source is read as a model: its questions keep the names that all sources share.
    columns = {part: name for part, name in options.columns.items() if part != "group"}
    sources = load(data, replace(options, columns=columns | dict(model=by), cluster=None))
    sides = {model: counts for (model, _), counts in sources.blocks.items()}
    if len(sides) < 2:
        raise OptionError("portfolio", "tries are split over two sources at least",
                          found=f"{len(sides)} in column {by!r}",
                          hint=f"name another column by {option('by', ...)}")
    check_shared(sides)
    return split_sources(align_systems(sides).sides, k, confidence_level)


def check_shared(sides: dict[str, Counts]) -> None:
    "Refuse sources that do not have the same questions."
    asked = {name: set(side.questions.tolist()) for name, side in sides.items()}
    shared = set.intersection(*asked.values())
    more = {name: len(questions) - len(shared) for name, questions in asked.items()}
    name = max(more, key=lambda one: more[one])
    if not more[name]: return
    raise OptionError("portfolio", "every source needs every question",
                      found=f"{len(shared):,} questions in all {len(sides)} sources and "
                      f"{more[name]:,} more in {name!r}", hint="leave out what only some have")


def split_sources(sides: dict[str, Counts], k: int, level: float) -> SourceMix:
    "Every split, with simultaneous bands of the means and of the gains of the best."
    if any(side.c is None for side in sides.values()):
        raise OptionError("portfolio", "a portfolio needs outcomes of 0 and 1",
                          found="graded scores only",
                          hint=f"set {option('threshold', ...)}")
    n, c = (np.stack([getattr(side, name) for side in sides.values()], 1) for name in ("n", "c"))
    check_splits(k, n.min(0), "portfolio")
    found = portfolio_splits(n, c, k)
    band = simultaneous_band(found.values, level)
    splits = [Split(tuple(tries), float(mean), float(low), float(high)) for tries, mean, low, high
              in zip(found.splits.tolist(), found.means, band.low, band.high)]
    gains = []
    for i, source in enumerate(sides):
        alone = k * (np.arange(len(sides)) == i)
        if n[:, i].min() < k or (alone == found.best_split).all(): continue
        gain = simultaneous_band(found.gains(alone), level, bounds=(-1, 1))
        ends = (float(x[found.best]) for x in (gain.value, gain.low, gain.high))
        gains.append(Gain(source, *ends))
    return SourceMix(k, tuple(sides), len(n), level, found.best, tuple(splits), tuple(gains),
                     band.method)


# Loops that retry until a judge passes


def add_verdict(
    options: Options,  # How the data are read
    verdict: str,  # Column of the judge's verdicts
) -> Options:  # The same, with the verdicts of right and of wrong samples added up
    """How outcomes and verdicts are read together.

    Raises: `TypeError` unless the verdict is the name of a column, `ValueError` where it is that of
    the outcome, or where missing samples are guessed.
    """
    if not isinstance(verdict, str):
        raise OptionTypeError("verdict", must="be the name of a column", got=verdict)
    if options.columns.get("correct") == verdict:
        raise OptionError("verdict", must="be another column than that of the outcomes",
                          got=verdict, hint="name that of the judge's verdicts")
    if options.policy.missing not in ("raise", "drop"):
        raise OptionError("missing", f"{name_option('verdict')} needs "
                          f"{option('missing', 'raise', 'drop')}", got=options.policy.missing,
                          hint="a sample without an outcome has no truth to hold the verdict "
                          "against")
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
        limits = sorted({row.k for row in report.rows if row.k and row.k > 0})
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

    Raises: `ValueError` for verdicts other than 0 and 1.
    """
    columns = dict(options.columns) | dict(correct=verdict)
    known = replace(options, columns=columns, sums=())
    judged = load_flags("verdict", verdict, data, known).blocks
    rows = []
    for (model, group), truth in loaded.blocks.items():
        side = judged.get((model, group))
        _, right = check_verdicts(truth, side, verdict)
        sides = truth.n, side.c, right, truth.c  # type: ignore[union-attr]
        rows += [replace(make_row(*sides, k, confidence_level),  # type: ignore[arg-type]
                         model=model, group=group)
                 for k in ks if k <= truth.n_min]
    asked = {name for truth in loaded.blocks.values() for name in truth.questions.tolist()}
    return Guarded(verdict, confidence_level, len(asked), tuple(rows))


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
    ends = slip.confidence_interval(level)
    last = guarded_at_k(n, m, right, k, right_rejected=c - right)
    return GuardedRow(k, float(reported.mean()), float(delivered.mean()), float(last.mean()),
                      float(pass_at_k(n, c, k).mean()), float(guarded_tries(n, m, k).mean()),
                      slip.value, ends.low, ends.high, ends.method)
