"""The truth behind the verdicts of a judge that errs (`judge=`, `labels=`)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from ...errors import OptionError, OptionTypeError
from ...spelling import name_option, option
from ...foundations.counts import Counts
from ...inference.intervals import Interval, Method
from ...inference.judges import (
    Calibration, Judge, calibrated_interval, judged_curve, prediction_powered_mean)
from ...reading.counted import holds_outcomes
from ...reading.load import Loaded, settle_all
from ...reading.options import Options
from ...render.blocks import Block, Table
from ...render.format import TARGET_WORDS, count, describe_ci, interval, percent
from ...results.base import Data, HasInterval, ends
from ...results.cautions import JudgeRates
from ...results.rows import name_family
from ..engine.judging import check_judge
from . import Asked, load_flags, name_block, refuse_none, refuse_together

READ_AS = dict(labels="ignore")  # What reading calls the column


@dataclass(frozen=True, eq=False)
class CorrectedRow(HasInterval, Data):
    "One metric of the truth behind a judge's verdicts, within the range of the metric."
    metric: str  # Name with its budget
    raw: float  # The same of the verdicts as they are
    estimate: float  # Corrected for the rates; from labels they are approximate
    # The whole range where the rates do not fit
    interval: Interval = field(metadata=ends(words="method"))
    stderr: float | None = None  # For given rates; None where no spread is seen
    least: float | None = None  # Least corrected value of a question; None where rates vary
    largest: float | None = None  # Largest corrected value of a question
    model: str = ""
    group: str = ""
    target: str = "new_questions"  # What the CI is for
    unbiased: float | None = None  # The estimate before it was limited to the range; None if in it
    fits: bool = True  # Whether the CI before that reaches into the range


@dataclass(frozen=True, eq=False)
class LabelledRow(HasInterval, Data):
    "One metric from questions that are labelled as a whole: the labels alone, and PPI++."
    metric: str  # Name with its budget
    estimate: float  # Mean of the labelled questions
    interval: Interval = field(metadata=ends(words="method"))  # It assumes nothing of the judge
    powered: float  # Estimate of PPI++ (approximate), within the range of the metric
    # Approximate; None where no spread is seen
    powered_interval: Interval | None = field(
        metadata=ends("powered_low", "powered_high", words="powered_method"))
    model: str = ""
    group: str = ""
    fitted: bool = True  # Whether the slope of PPI++ was fitted to the labels
    target: str = "new_questions"  # What both CIs are for


@dataclass(frozen=True, eq=False)
class MeasuredJudge(Data):
    "What the labels of one model or group say of the judge."
    model: str
    group: str  # Empty for all questions
    sensitivity: float | None  # Share of right answers that pass; None where none is labelled
    specificity: float | None  # Share of wrong answers that are rejected; None where none is
    labels: int  # Labelled samples that the rates are from
    right_labels: int  # Of these labelled right
    labelled_questions: int  # Questions of which every sample is labelled


@dataclass(frozen=True, eq=False)
class CorrectedScore(Data):
    "A score corrected for a judge that errs."
    # Share of right answers that pass; None where models differ in it, or no label tells.
    sensitivity: float | None
    specificity: float | None  # Share of wrong answers that are rejected; None as well
    rows: tuple[CorrectedRow, ...]  # One per metric and budget; none where the labels give none
    labels: int | None = None  # Labelled samples that the rates are from; None where given
    right_labels: int | None = None  # Of these labelled right
    labelled_questions: int = 0  # Questions of which every sample is labelled
    labelled: tuple[LabelledRow, ...] = ()  # From these, where labels are on whole questions
    judges: tuple[MeasuredJudge, ...] = ()  # By model and group, where labels are of several

    @property
    def informed(self) -> bool:
        "Whether both rates are known, and verdicts with such rates say anything of the truth."
        if self.sensitivity is None or self.specificity is None: return False
        return self.sensitivity + self.specificity > 1

    def by_judge(self) -> Iterator[CorrectedScore]:
        "The score of each model and group whose judge was measured by itself; else this one."
        if not self.judges: yield self
        for one in self.judges:
            def own(rows, one=one): return tuple(
                row for row in rows if (row.model, row.group) == (one.model, one.group))
            yield CorrectedScore(one.sensitivity, one.specificity, own(self.rows), one.labels,
                                 one.right_labels, one.labelled_questions, own(self.labelled))


NEEDS_ROWS = True
FOUND = CorrectedScore  # The class of what is found


# Measured.

class Request(NamedTuple):
    "Rates that are given, or the column of labels that gives them."
    judge: Judge | None = None
    labels: str | None = None


def ask(
    given: Mapping[str, Any],  # Options of `score`
) -> Request | None:
    "Rates or labels; None where neither was given."
    judge, labels = check_judge(given["judge"]), given["labels"]
    if labels is not None and not isinstance(labels, str):
        raise OptionTypeError("labels", must="name a column", got=labels)
    if judge is None and labels is None: return None
    refuse_together("labels" if judge is None else "judge", given)
    return Request(judge, labels)


def adjust(request: Request, data: Any, given: dict[str, Any]) -> dict[str, Any]:
    "Options of reading under which labels tell no rows apart."
    if request.labels is None: return given
    return given | dict(ignore=ignored_columns(request.labels, data, given))


def measure(request: Request, asked: Asked) -> CorrectedScore:
    """The corrected score.

    Raises: `ValueError` for data that allow none, with the reason.
    """
    blocks, style = asked.list_blocks(), asked.style
    if request.labels is not None:
        return correct_by_labels(request.labels, blocks, asked.loaded, asked.data, asked.options,
                                 style)
    judge = request.judge
    assert judge is not None
    rows = [row for block in blocks for row in correct(*block, judge, style)]
    refuse_none("judge", rows)
    return CorrectedScore(judge.sensitivity, judge.specificity, tuple(rows))


def cautions(found: CorrectedScore) -> Iterator[JudgeRates]:
    "Rates that do not fit the verdicts."
    yield from caution_rates(found.rows)


CREDITED = {"pass@k": "any", "pass^k": "all", "avg@n": "any"}  # Metrics whose CI labels can have


class Labels(NamedTuple):
    "What labels say of each question's samples, shape `(Q,)` each."
    right: np.ndarray  # Samples labelled right
    right_passed: np.ndarray  # Of these passed by the judge
    wrong: np.ndarray  # Samples labelled wrong
    wrong_passed: np.ndarray  # Of these passed by the judge


def ignored_columns(
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
        for label, seen, value, own, error, least, largest in columns:
            yield limit_row(CorrectedRow(
                label, float(seen), float(value), own, None if np.isnan(error) else float(error),
                float(least), float(largest), model, group, target), one.bounds)


def limit_row(row: CorrectedRow, bounds: tuple[float, float] | None) -> CorrectedRow:
    "The same within the range of the metric, all of it where no part of the CI lies there."
    least, largest = bounds or (0, 1)
    inside = min(max(row.estimate, least), largest)
    if inside != row.estimate: row = replace(row, estimate=float(inside), unbiased=row.estimate)
    own = row.interval
    low, high = (float(min(max(end, least), largest)) for end in (own.low, own.high))
    if low < high: return replace(row, interval=replace(own, low=low, high=high))
    whole = replace(own, low=float(least), high=float(largest),
                    method=Method("none: the rates do not fit the verdicts"))
    return replace(row, interval=whole, fits=False)


def caution_rates(rows: Sequence[CorrectedRow]) -> Iterator[JudgeRates]:
    "Rates that do not fit: the first metric of each model, or of a group, that shows it."
    seen = set()
    for row in rows:
        if row.fits or (row.model, row.group) in seen: continue
        seen.add((row.model, row.group))
        unbiased = row.estimate if row.unbiased is None else row.unbiased
        yield JudgeRates(row.metric, row.raw, unbiased, model=name_block((row.model, row.group)))


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
            own = calibrated_interval(
                counts.n, counts.c, k, found, credit=credit, cluster=counts.cluster,
                confidence_level=style.confidence_level)
            value = judged_curve(counts.n, counts.c, k, sensitivity=judge.sensitivity,
                                 specificity=judge.specificity, credit=credit).value[0]
            yield limit_row(CorrectedRow(label, float(seen), float(value), own, model=model,
                                         group=group), one.bounds)


def load_labels(name, loaded, data, options) -> tuple[Loaded, Loaded]:
    "What is read if samples without a label are counted as wrong, and as right."
    verdicts = None if loaded.summary.columns is None else loaded.summary.columns.get("correct")
    graded = options.grade is not None
    if graded or not verdicts or loaded.rows is None:
        raise OptionError("labels", "labels need a table with a column of verdicts",
                          found="answers that are graded" if graded else "none",
                          hint=f"leave {name_option('grade')} out, and name it by "
                          f"{option('correct', ...)}" if graded else option("correct", ...))
    other = replace(options, sums=(verdicts,), policy=replace(options.policy, missing="wrong"))
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
            own = None
            if found.stderr > 0: own = found.confidence_interval(style.confidence_level)
            value = float(np.clip(found.value, *found.bounds))
            yield LabelledRow(label, found.alone.value, alone, value, own, fitted=found.fitted)


# In words.

def headline(found: CorrectedScore, confidence_level: float) -> list[str]:
    "The corrected number where rates were given; those from labels leave a wide CI."
    given = not found.judges and found.labels is None
    return [corrected_headline(found, confidence_level)] if given else []


def beside(found: CorrectedScore, answer: str) -> list[str]:
    "What the verdicts say, behind a corrected number."
    return [f"The verdicts as they are: {answer}"] * bool(headline(found, .95))


def sentences(found: CorrectedScore, confidence_level: float) -> list[str]:
    "What is true behind the outcomes, one sentence each."
    names = [name_block((one.model, one.group)) for one in found.judges] or [""]
    said = []
    for name, one in zip(names, found.by_judge()):
        if one.informed: said.append(correction_sentence(one, confidence_level))
        else: said.append(why_uncorrected(one, name))
        if one.labelled: said.append(labels_sentence(one, confidence_level, name))
    return said


def folds(found: CorrectedScore) -> list[Block]:
    "Every corrected number."
    blocks: list[Block] = [Table(CORRECTED, [
        [name_block((row.model, row.group, row.metric)), percent(row.raw),
         percent(row.estimate), interval(row.low, row.high), str(row.interval.method)]
        for row in found.rows])]
    if found.labelled:
        blocks.append(Table(LABELLED, [
            [name_block((row.model, row.group, row.metric)), percent(row.estimate),
             interval(row.low, row.high), str(row.interval.method), percent(row.powered),
             *write_powered(row)] for row in found.labelled]))
    return blocks


def write_powered(row: LabelledRow) -> tuple[str, str]:
    "The CI of PPI++ and its method; empty without one."
    own = row.powered_interval
    return (interval(None, None), "") if own is None else \
        (interval(own.low, own.high), str(own.method))


CORRECTED = ["metric", "verdicts", "corrected", "CI", "method"]


LABELLED = ["metric", "labels alone", "CI", "method", "PPI++ (approximate)", "approximate CI",
            "its method"]


def corrected_headline(
    found: CorrectedScore,  # What a judge's verdicts were corrected to
    confidence_level: float,  # Level of the CIs
) -> str:  # `pass@1 = 48.2 % (95 % CI ...); corrected for a judge with ...`
    "The first corrected number of each model, for a headline."
    rows = whole_rows(found)
    told = [number_with_ci(own[0], confidence_level, " = ") for own in rows[:NAMED]]
    if len(rows) > NAMED: told.append(f"and {len(rows) - NAMED} more")
    return f"{'; '.join(told)}; corrected for a judge with {rates_sentence(found)}."


NAMED = 4  # Models that a headline names


def whole_rows(found: CorrectedScore) -> list[list[CorrectedRow]]:
    "The rows of each model over all questions, or of each group where nothing else is there."
    rows: dict[tuple[str, str], list[CorrectedRow]] = {}
    for row in found.rows: rows.setdefault((row.model, row.group), []).append(row)
    return [own for (_, group), own in rows.items() if not group] or list(rows.values())


def rates_sentence(found: CorrectedScore) -> str:
    "Both rates, and what they are from."
    source = "" if found.labels is None else f" from {count(found.labels, 'label')}"
    return (f"sensitivity {percent(found.sensitivity)}, specificity {percent(found.specificity)}"
            f"{source}")


def correction_sentence(found: CorrectedScore, confidence_level: float) -> str:
    "Corrected numbers that the headline does not say, and what is assumed."
    rows = [row for own in whole_rows(found)[:NAMED]
            for row in pick_ends(own)[found.labels is None:]]
    told = "; ".join(number_with_ci(row, confidence_level)
                     + f", where the verdicts say {percent(row.raw)}" * row.fits for row in rows)
    assumes = "errors are independent given the truth, with the same rates on every question"
    rates = "" if found.labels is None else f" for a judge with {rates_sentence(found)}"
    said = f"Corrected{rates}: {told}. " * bool(told)
    return f"{said}Assumes {assumes}."


def why_uncorrected(found: CorrectedScore, name: str = "") -> str:
    "Why labels give no corrected number."
    who = f"{name}: no" if name else "No"
    told = f"{who} corrected number from {count(found.labels or 0, 'label')}: "
    if found.sensitivity is not None and found.specificity is not None:
        return (f"{told}by them sensitivity is {percent(found.sensitivity)} and specificity "
                f"{percent(found.specificity)}, and where both add up to 100 % or less, verdicts "
                "say nothing of the truth. More labels may.")
    side, rate, known = ("wrong", "specificity", "sensitivity") if found.specificity is None else \
        ("right", "sensitivity", "specificity")
    return (f"{told}none of the labelled answers is {side}, so {rate} is unknown; {known} is "
            f"{percent(getattr(found, known))}. Label more answers.")


def number_with_ci(
    row: CorrectedRow | LabelledRow,  # A number with its CI
    confidence_level: float,  # Level of the CI
    equals: str = " ",  # Between its name and the number
) -> str:  # `pass@1 48.2 % (95 % CI 37.9 to 58.7 %, new questions, gaffke)`
    "A number with its CI."
    who = f"{side} " if isinstance(row, CorrectedRow) and (side := name_side(row)) else ""
    if isinstance(row, CorrectedRow) and not row.fits:
        return f"{who}no {row.metric}, the rates do not fit verdicts that say {percent(row.raw)}"
    outside = getattr(row, "unbiased", None)
    more = "" if outside is None else f"limited from {100 * outside:.1f} %"
    said = describe_ci(row.low, row.high, confidence_level, TARGET_WORDS[row.target],
                       str(row.interval.method), more)
    return f"{who}{row.metric}{equals}{percent(row.estimate)} ({said})"


def pick_ends(rows: Sequence[CorrectedRow]) -> Sequence[CorrectedRow]:
    "The first row, and the one at the largest budget of its metric."
    family = [row for row in rows if name_family(row.metric) == name_family(rows[0].metric)]
    return [rows[0]] if len(family) == 1 else [rows[0], family[-1]]


def labels_sentence(found: CorrectedScore, confidence_level: float, name: str = "") -> str:
    "The labels alone, and PPI++ beside them."
    row = found.labelled[0]
    own = row.powered_interval
    powered = ("without an interval: labels and verdicts show no spread"
               if own is None else describe_ci(own.low, own.high, confidence_level))
    if not row.fitted and own is not None: powered += ", slope not fitted"
    first = f"{name}: the" if name else "The"
    return (f"{first} {found.labelled_questions} labelled questions alone: "
            f"{number_with_ci(row, confidence_level)}; with the verdicts on all "
            f"{percent(row.powered)} (PPI++, approximate: {powered}). Assumes they were drawn at "
            f"random.")


def name_side(one: CorrectedRow | LabelledRow) -> str:
    "Model and group of a row; empty for a single one."
    return name_block((one.model, one.group))
