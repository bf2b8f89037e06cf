"""What `score` adds on request: ordered attempts, portfolios, guarded loops, corrected verdicts.

`attempts="ordered"` gives the share solved within so many attempts, `portfolio=` splits tries over
the groups of `by=`, `verdict=` retries until a judge passes. `judge=` and `labels=` correct
verdicts that err, `earlier=` extends a random part of the questions to all of them: at most one of
these three (`check_behind`), found by `find_truth`.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ...errors import OptionError, OptionTypeError, name_option, option
from ...foundations.checks import faults
from ...foundations.counts import Counts
from ...inference.bands import simultaneous_band
from ...inference.borrowing import borrowed_mean
from ...inference.estimate import mean_over_questions
from ...inference.judges import (Calibration, Judge, calibrated_interval, judged_curve,
                                 prediction_powered_mean)
from ...inference.sequential import solved_interval, solved_within
from ...inference.within import within_questions
from ...metrics.guarded import guarded_at_k, guarded_tries
from ...metrics.parts import check_splits
from ...metrics.passk import pass_at_k
from ...metrics.portfolio import portfolio_splits
from ...reading.columns import no_column
from ...reading.counted import holds_outcomes
from ...reading.load import Loaded, load, settle_all
from ...reading.options import Options
from ...results.base import Style
from ...results.cautions import JudgeRates
from ..engine.choose import Chosen
from ..engine.runs import ABSENT, RunTable
from ..engine.systems import align_systems
from .result import (BorrowedRow, BorrowedScore, CorrectedRow, CorrectedScore, Gain, Guarded,
                     GuardedRow, LabelledRow, MeasuredJudge, Ordered, SourceMix, Split, name_block)

# Attempts in their order.

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


ORDERED = 2**18  # Samples up to which attempts are put in order


def find_attempts(counts: Counts, table: RunTable | None) -> tuple[np.ndarray, np.ndarray]:
    "Attempts until the first success or the end, and whether there was one, by question."
    if table is None or not table.binary or not are_numbers(table):
        raise OptionError("attempts", "the order of attempts must be known",
                          hint="number them from the first by a column of whole numbers, named "
                          "by sample")
    outcomes = table.list_outcomes(ORDERED)
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


# Tries split over sources.

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


# Loops that retry until a judge passes.

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


# The truth behind verdicts, and all questions of an earlier run.

CREDITED = {"pass@k": "any", "pass^k": "all", "avg@n": "any"}  # Metrics whose CI labels can have

Block: TypeAlias = tuple[str, str, Counts, list[Chosen]]  # Model, group, counts and metrics


class Labels(NamedTuple):
    "What labels say of each question's samples, shape `(Q,)` each."
    right: np.ndarray  # Samples labelled right
    right_passed: np.ndarray  # Of these passed by the judge
    wrong: np.ndarray  # Samples labelled wrong
    wrong_passed: np.ndarray  # Of these passed by the judge


def check_behind(
    judge: Any,  # `Judge`, two rates, or None
    labels: Any,  # Column, or None
    earlier: Any,  # Data, or None
    **others: Any,  # Options that go with none of them
) -> dict[str, Any]:  # The one that is given, by its name; empty where none is
    "What is asked for behind the outcomes as they are, or an error where it contradicts itself."
    named = dict(judge=judge, labels=labels, earlier=earlier)
    asked = [name for name, value in named.items() if value is not None]
    if not asked: return {}
    if isinstance(judge, (tuple, list)) and len(judge) == 2:
        judge = Judge(sensitivity=judge[0], specificity=judge[1])
    if judge is not None and not isinstance(judge, Judge):
        raise OptionTypeError("judge", must="be a Judge, or its sensitivity and specificity",
                              got=judge)
    if labels is not None and not isinstance(labels, str):
        raise OptionTypeError("labels", must="name a column", got=labels)
    if len(asked) > 1:
        raise OptionError(asked[1], f"only one of {asked[0]} and {asked[1]} can be taken",
                          found="both")
    for name, value in others.items():
        if value is not None:
            raise OptionError(name, f"{name} and {asked[0]} exclude each other", found="both")
    [name] = asked
    return {name: judge if name == "judge" else named[name]}


def list_ignored(
    labels: str,  # Column of labels
    data: Any,  # What is read
    given: Mapping[str, Any],  # How, by option
) -> list[str]:  # Columns that tell no rows apart: the labels among them
    """Columns to be ignored where verdicts are read.

    Raises: `ValueError` for data without columns, or labels that are the verdicts.
    """
    if holds_outcomes(data):
        raise OptionError("labels", "labels need a table with a column of verdicts",
                          found="outcomes alone")
    if given.get("correct") == labels:
        raise OptionError("labels", must="be another column than that of the verdicts", got=labels)
    ignore = given.get("ignore")
    return [*([ignore] if isinstance(ignore, str) else ignore or ()), labels]


def find_truth(
    asked: Mapping[str, Any],  # What `check_behind` found
    blocks: Sequence[Block],  # Every model and group with its metrics
    loaded: Loaded,  # What was read
    data: Any,  # What it was read from
    options: Options,  # How
    style: Style,  # Level and target of CIs
) -> dict[str, Any]:  # Field of the report
    """The corrected score, or the borrowed one.

    Raises: `ValueError` for data that allow none, with the reason.
    """
    if not asked: return {}
    if "labels" in asked:
        return dict(corrected=correct_by_labels(asked["labels"], blocks, loaded, data, options,
                                                style))
    if "earlier" in asked:
        return dict(borrowed=borrow(asked["earlier"], blocks, options, style))
    judge = asked["judge"]
    rows = [row for block in blocks for row in correct(*block, judge, style)]
    refuse_none("judge", rows)
    return dict(corrected=CorrectedScore(judge.sensitivity, judge.specificity, tuple(rows)))


def refuse_none(name, rows):
    "An error where no metric follows from right and wrong."
    if rows: return
    raise OptionError(name, f"{name} needs outcomes, right or wrong",
                      found="data or metrics without them")


# Given rates.

def correct(model, group, counts, chosen, judge, style) -> Iterator[CorrectedRow]:
    "Rows of one model and group, corrected with known rates."
    target = "same_questions" if style.target == "same_questions" else "new_questions"
    for one in chosen:
        if one.metric.credit is None or counts.c is None: continue
        curve = judged_curve(
            counts.n, counts.c, one.ks, sensitivity=judge.sensitivity,
            specificity=judge.specificity, credit=one.metric.credit, target=target,
            cluster=counts.cluster if target == "new_questions" else None)
        raw = one.metric.at_states(counts, one.ks).of_questions().mean(0)
        columns = zip(one.labels, raw, curve.value, curve.intervals(style.confidence_level),
                      curve.stderr, curve.low, curve.high)
        for label, seen, value, ends, error, least, largest in columns:
            yield limit_row(CorrectedRow(
                label, float(seen), float(value), ends.low, ends.high, ends.method,
                None if np.isnan(error) else float(error), float(least), float(largest), model,
                group, target), one.bounds)


def limit_row(row: CorrectedRow, bounds: tuple[float, float] | None) -> CorrectedRow:
    "The same within the range of the metric, all of it where no part of the CI lies there."
    least, largest = bounds or (0, 1)
    inside = min(max(row.estimate, least), largest)
    if inside != row.estimate: row = replace(row, estimate=float(inside), unbiased=row.estimate)
    low, high = (float(min(max(end, least), largest)) for end in (row.low, row.high))
    if low < high: return replace(row, low=low, high=high)
    return replace(row, low=float(least), high=float(largest), fits=False,
                   method="none: the rates do not fit the verdicts")


def caution_rates(rows: Sequence[CorrectedRow]) -> Iterator[JudgeRates]:
    "Rates that do not fit: the first metric of each model, or of a group, that shows it."
    seen = set()
    for row in rows:
        if row.fits or (row.model, row.group) in seen: continue
        seen.add((row.model, row.group))
        unbiased = row.estimate if row.unbiased is None else row.unbiased
        yield JudgeRates(row.metric, row.raw, unbiased, model=name_block((row.model, row.group)))


def load_named(
    data: Any,  # As `score` takes it
    options: Options,  # How it is read
    verdict: str | None,  # Column of verdicts, which is added up
    labels: str | None,  # Column of labels, which is left out at first
) -> Loaded:
    """What was read.

    Raises: `OptionError` that names the option which named a column that is not there.
    """
    try: return load(data, options)
    except OptionError as error:
        for part, name, read_as in ("verdict", verdict, "sums"), ("labels", labels, "ignore"):
            if name is not None and (error.option, error.got) == (read_as, name):
                raise no_column(part, name, error.choices) from None
        raise


def load_flags(
    part: str,  # Option that names the column
    name: str,  # Column of 0 and 1 that is read as outcomes are
    data: Any,  # As `score` takes it
    options: Options,  # How it is read
) -> Loaded:
    """What was read.

    Raises: `OptionError` that says which column has the fault.
    """
    try: return load(data, options)
    except ValueError as error: raise OptionError(part, f"{option(part, name)}: {error}") from None


# Rates from labels.

def correct_by_labels(name, blocks, loaded, data, options, style) -> CorrectedScore:
    "The score of every model and group, corrected by what a column of labels says of each."
    sides = load_labels(name, loaded, data, options)
    parts = [calibrate(block, read_labels(block, *sides), style) for block in blocks]
    refuse_none("labels", [part for part in parts if part.rows or not part.informed])
    if len(parts) == 1: return parts[0]
    judges = tuple(MeasuredJudge(
        model, group, part.sensitivity, part.specificity,
        part.labels, part.right_labels,  # type: ignore[arg-type]
        part.labelled_questions) for (model, group, *_), part in zip(blocks, parts))
    rows, labelled = (tuple(row for part in parts for row in getattr(part, field))
                      for field in ("rows", "labelled"))
    return CorrectedScore(None, None, rows, labelled=labelled, judges=judges)


def calibrate(block, labels, style) -> CorrectedScore:
    "The score of one model and group, corrected by the labels of its samples."
    model, group, counts, chosen = block
    right, passed, wrong, false = (int(part.sum()) for part in labels)
    if not right + wrong:
        who = name_block((model, group))
        raise OptionError("labels", must="label some answers",
                          found=f"none of {who}" if who else "none")
    whole = labels.right + labels.wrong == counts.n
    parts = bool(((labels.right + labels.wrong > 0) & ~whole).any())
    own = [] if parts or whole.sum() < 3 else list(powered(labels, whole, counts, chosen, style))
    told = CorrectedScore(
        passed / right if right else None, (wrong - false) / wrong if wrong else None, (),
        right + wrong, right, int(whole.sum()),
        tuple(replace(row, model=model, group=group) for row in own))
    # Else only what assumes no rates is left.
    if not told.informed: return told
    found = Calibration(passed, right, wrong - false, wrong)
    return replace(told, rows=tuple(correct_by_rates(found, model, group, counts, chosen, style)))


def correct_by_rates(found, model, group, counts, chosen, style) -> Iterator[CorrectedRow]:
    "Rows of one model and group, corrected with rates that labels gave."
    judge = found.judge
    for one in chosen:
        credit = CREDITED.get(one.metric.name)
        if credit is None: continue
        raw = one.metric.at_states(counts, one.ks).of_questions().mean(0)
        for label, k, seen in zip(one.labels, one.ks.tolist(), raw):
            ends = calibrated_interval(
                counts.n, counts.c, k, found, credit=credit, cluster=counts.cluster,
                confidence_level=style.confidence_level)
            value = judged_curve(counts.n, counts.c, k, sensitivity=judge.sensitivity,
                                 specificity=judge.specificity, credit=credit).value[0]
            yield limit_row(CorrectedRow(label, float(seen), float(value), ends.low, ends.high,
                                         ends.method, model=model, group=group), one.bounds)


def load_labels(name, loaded, data, options) -> tuple[Loaded, Loaded]:
    "What is read if samples without a label are counted as wrong, and as right."
    verdicts = None if loaded.summary.columns is None else loaded.summary.columns.get("correct")
    if not verdicts or loaded.rows is None:
        raise OptionError("labels", "labels need a table with a column of verdicts",
                          found="none", hint=option("correct", ...))
    other = replace(options, columns={**options.columns, "correct": name}, sums=(verdicts,),
                    ignore=(), policy=replace(options.policy, missing="wrong"))
    wrong = load_flags("labels", name, data, other)
    both = replace(other, policy=replace(options.policy, missing="right"))
    right = settle_all(wrong.rows, both)  # type: ignore[arg-type]
    return wrong, right


def read_labels(block, wrong, right) -> Labels:
    "Labels of the samples that have one, beside the judge's verdict on them."
    low, high = (pick_counts(one.blocks, block) for one in (wrong, right))
    name_of_sum = next(iter(low.sums))
    rights, wrongs = np.asarray(low.c), high.n - np.asarray(high.c)
    return Labels(rights, low.sums[name_of_sum][:, 1].astype(int), wrongs,
                  high.sums[name_of_sum][:, 0].astype(int))


def pick_counts(blocks, block) -> Counts:
    "The same model and group, with the questions of the verdicts in their order."
    model, group, counts, _ = block
    found = blocks.get((model, group))
    if found is not None and np.array_equal(found.questions, counts.questions): return found
    raise OptionError("labels", "labels must belong to the questions that were judged",
                      found="others")


def powered(labels, whole, counts, chosen, style) -> Iterator[LabelledRow]:
    "Rows from questions of which every sample is labelled."
    place = np.flatnonzero(whole)
    truth = Counts(counts.n[place], labels.right[place])
    for one in chosen:
        if one.metric.credit is None or not one.metric.bounded: continue
        values = one.metric.at_states(truth, one.ks).of_questions()
        judged = one.metric.at_states(counts, one.ks).of_questions()
        for i, label in enumerate(one.labels):
            found = prediction_powered_mean(values[:, i], judged[:, i], place)
            alone = found.alone.confidence_interval(style.confidence_level)
            ends = None
            if found.stderr > 0: ends = found.confidence_interval(style.confidence_level)
            value = float(np.clip(found.value, *found.bounds))
            yield LabelledRow(label, found.alone.value, alone.low, alone.high, value,
                              None if ends is None else ends.low,
                              None if ends is None else ends.high, method=alone.method,
                              powered_method="" if ends is None else ends.method,
                              fitted=found.fitted)


# An earlier run.

def borrow(earlier, blocks, options, style) -> BorrowedScore:
    "The new run over all questions of an earlier one."
    old = list(load(earlier, options).blocks.values())
    if len(blocks) != 1 or len(old) != 1:
        raise OptionError("earlier", "an earlier run is for one model without groups",
                          found=f"{len(blocks)} and {len(old)} models or groups")
    (_, _, counts, chosen), before = blocks[0], old[0]
    place = find_places(counts.questions, before.questions)
    rows = []
    for one in chosen:
        fits = one.metric.credit is not None and one.ks <= before.n_min
        if counts.c is None or before.c is None or not np.any(fits): continue
        ks, labels = one.ks[fits], np.array(one.labels, object)[fits]
        values, known = (one.metric.at_states(side, ks).of_questions() for side in (counts, before))
        noise = within_questions(counts.n, counts.c, ks, one.metric.credit).variance
        for i, label in enumerate(labels):
            within = noise[:, i] if counts.n_min >= 2 * ks[i] else None
            found = borrowed_mean(values[:, i], place, known[:, i], within=within)
            ends = found.confidence_interval(style.confidence_level)
            plain = found.plain.confidence_interval(style.confidence_level)
            rows.append(BorrowedRow(str(label), found.plain.value, plain.low, plain.high,
                                    found.value, ends.low, ends.high, found.stderr,
                                    found.earlier, ends.method, plain.method))
    refuse_none("earlier", rows)
    return BorrowedScore(len(place), len(before), tuple(rows))


def find_places(
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
