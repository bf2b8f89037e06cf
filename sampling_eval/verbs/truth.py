"""What `score` adds to verdicts: the truth behind them, and all questions of an earlier run."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from ..errors import OptionError, OptionTypeError, option
from ..foundations.counts import Counts
from ..io.columns import no_column
from ..io.load import Loaded, load, settle_all
from ..io.options import Options
from ..io.counted import holds_outcomes
from ..records import dataclass
from ..results.score_report import (BorrowedRow, BorrowedScore, CorrectedRow, CorrectedScore,
                                    LabelledRow, MeasuredJudge, Report)
from ..results.base import Style
from .metric_choice import Chosen

__all__ = ["Behind", "check_behind", "load_named", "load_flags"]

CREDITED = {"pass@k": "any", "pass^k": "all", "avg@n": "any"}  # Metrics whose CI labels can have


Block: TypeAlias = tuple[str, str, Counts, list[Chosen]]  # Model, group, counts and metrics


class Asked(Protocol):
    "What `score` was asked for."
    @property
    def style(self) -> Style: ...  # Level and target of CIs
    def choose(self,
        counts: Counts, lacks: Mapping[str, str],
    ) -> tuple[list[Chosen], dict[str, str]]: ...


class Labels(NamedTuple):
    "What labels say of each question's samples, shape `(Q,)` each."
    right: np.ndarray  # Samples labelled right
    right_passed: np.ndarray  # Of these passed by the judge
    wrong: np.ndarray  # Samples labelled wrong
    wrong_passed: np.ndarray  # Of these passed by the judge


@dataclass(frozen=True)
class Behind:
    "What is asked for behind the outcomes as they are."
    judge: Any = None  # `Judge` whose verdicts the outcomes are; None if not given
    labels: str | None = None  # Column of true outcomes, known for some samples
    earlier: Any = None  # Earlier run of all questions

    @property
    def asked(self) -> bool: return self != Behind()

    def list_ignored(self,
        data: Any,  # What is read
        given: Mapping[str, Any],  # How, by option
    ) -> list[str]:  # Columns that tell no rows apart: the labels among them
        """Columns to be ignored where verdicts are read.

        Raises: `ValueError` for data without columns, or labels that are the verdicts.
        """
        if holds_outcomes(data):
            raise OptionError("labels", "labels need a table with a column of verdicts",
                              found="outcomes alone")
        if given.get("correct") == self.labels:
            raise OptionError("labels", must="be another column than that of the verdicts",
                              got=self.labels)
        ignore = given.get("ignore")
        return [*([ignore] if isinstance(ignore, str) else ignore or ()), str(self.labels)]

    def add(self,
        report: Report,  # The outcomes as they are
        asked: Asked,  # What was asked for
        loaded: Loaded,  # What was read
        data: Any,  # What it was read from
        options: Options,  # How
    ) -> Report:  # With what is behind them
        """The report with the corrected score, or the borrowed one.

        Raises: `ValueError` for data that allow none, with the reason.
        """
        blocks = [(model, group, counts, asked.choose(counts, loaded.lacks)[0])
                  for (model, group), counts in loaded.blocks.items()]
        return replace(report, **self.find(blocks, loaded, data, options, asked.style))

    def find(self,
        blocks: Sequence[Block],  # Every model and group with its metrics
        loaded: Loaded,  # What was read
        data: Any,  # What it was read from
        options: Options,  # How
        style: Style,  # Level and target of CIs
    ) -> dict[str, Any]:  # Fields of the report
        "The corrected score, or the borrowed one, by field."
        found: dict[str, Any] = {}
        if self.judge is not None:
            rows = [row for block in blocks for row in correct(*block, self.judge, style)]
            refuse_none("judge", rows)
            found["corrected"] = CorrectedScore(self.judge.sensitivity, self.judge.specificity,
                                                tuple(rows))
        if self.labels is not None:
            found["corrected"] = correct_by_labels(self.labels, blocks, loaded, data, options,
                                                   style)
        if self.earlier is not None:
            found["borrowed"] = borrow(self.earlier, blocks, options, style)
        return found


def check_behind(
    judge: Any,  # `Judge`, two rates, or None
    labels: Any,  # Column, or None
    earlier: Any,  # Data, or None
    **others: Any,  # Options that go with none of them
) -> Behind:  # The same, checked
    "What is asked for, or an error where it contradicts itself."
    named = dict(judge=judge, labels=labels, earlier=earlier)
    asked = [name for name, value in named.items() if value is not None]
    if not asked: return Behind()
    from ..inference.judges import Judge  # Few scores are corrected
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
        if asked and value is not None:
            raise OptionError(name, f"{name} and {asked[0]} exclude each other", found="both")
    return Behind(judge, labels, earlier)


def refuse_none(name, rows):
    "An error where no metric follows from right and wrong."
    if rows: return
    raise OptionError(name, f"{name} needs outcomes, right or wrong",
                      found="data or metrics without them")


# Given rates.

def correct(model, group, counts, chosen, judge, style) -> Iterator[CorrectedRow]:
    "Rows of one model and group, corrected with known rates."
    from ..inference.judges import judged_curve
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
            yield CorrectedRow(label, float(seen), float(value), ends.low, ends.high,
                               ends.method, None if np.isnan(error) else float(error),
                               float(least), float(largest), model, group, target)


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
    refuse_none("labels", [row for part in parts for row in part.rows])
    if len(parts) == 1: return parts[0]
    judges = tuple(MeasuredJudge(
        model, group, part.sensitivity, part.specificity,  # type: ignore[arg-type]
        part.labels, part.right_labels,  # type: ignore[arg-type]
        part.labelled_questions) for (model, group, *_), part in zip(blocks, parts))
    rows, labelled = (tuple(row for part in parts for row in getattr(part, field))
                      for field in ("rows", "labelled"))
    return CorrectedScore(None, None, rows, labelled=labelled, judges=judges)


def calibrate(block, labels, style) -> CorrectedScore:
    "The score of one model and group, corrected by the labels of its samples."
    from ..inference.judges import Calibration, calibrated_interval, judged_curve
    model, group, counts, chosen = block
    right, passed, wrong, false = (int(part.sum()) for part in labels)
    try: found = Calibration(passed, right, wrong - false, wrong)
    except OptionError as error:
        who = " / ".join(filter(None, (model, group)))
        if not who: raise
        raise OptionError("labels", error.rule, found=f"none of {who}", hint=error.hint) from None
    judge, rows = found.judge, []
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
            rows.append(CorrectedRow(label, float(seen), float(value), ends.low, ends.high,
                                     ends.method, model=model, group=group))
    whole = labels.right + labels.wrong == counts.n
    parts = bool(((labels.right + labels.wrong > 0) & ~whole).any())
    own = [] if parts or whole.sum() < 3 else list(powered(labels, whole, counts, chosen, style))
    return CorrectedScore(judge.sensitivity, judge.specificity, tuple(rows), right + wrong, right,
                          int(whole.sum()),
                          tuple(replace(row, model=model, group=group) for row in own))


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
    from ..inference.judges import prediction_powered_mean
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
            yield LabelledRow(label, found.alone.value, alone.low, alone.high, found.value,
                              None if ends is None else ends.low,
                              None if ends is None else ends.high, method=alone.method,
                              powered_method="" if ends is None else ends.method)


# An earlier run.

def borrow(earlier, blocks, options, style) -> BorrowedScore:
    "The new run over all questions of an earlier one."
    from ..inference.borrowing import borrowed_mean
    from ..inference.within import within_questions
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
