"""AISBench: details whose groups may mix questions, and predictions by line."""
from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from .ask import Ask, no_outcome
from .details import Group, detail_rows, expect_predictions, find_writers, read_groups
from .log import Log
from .records import Row, Rows, has_keys, number_samples

__all__ = ["recognise", "rows", "recognise_predictions", "prediction_rows"]


def recognise(head: Any) -> bool:
    "Whether it holds details that AISBench could have written."
    return "aisbench" in find_writers(head)


def rows(log: Log, ask: Ask) -> Rows:
    "One row per judged sample, each with its own question."
    groups = read_groups(log, bool(ask.grade))
    size = len(groups[0].correct)
    if any(len(group.correct) != size for group in groups):
        raise ValueError(f"every question needs {size} samples, got other numbers too")
    if size > 1 and len(groups) > 1: groups = _put_back(groups, ask)
    expect_predictions(log, ask, groups)
    return detail_rows(groups, log.path.stem)


def _put_back(groups: list[Group], ask: Ask) -> list[Group]:
    """Groups of one question each, whichever way they were stored.

    All samples of a question have the same reference answer. If that holds only after regrouping,
    the file has the fault; if only before, a version without it wrote the file.
    """
    mended = _regroup(groups)
    before, after = _share_references(groups), _share_references(mended)
    if before == after:
        ways = "both ways" if before else "neither way"
        raise ValueError("cannot tell which samples belong together, since the reference answers "
                         f"fit {ways} of grouping; read the predictions with grade=")
    if before: return groups
    ask.note("AISBench had pooled samples of different questions; they were put back, "
             "so its own pass@k and cons@k differ")
    return mended


def _regroup(groups: list[Group]) -> list[Group]:
    """The same samples, grouped by question.

    They come one replica after the other and were cut into groups as if they came one question
    after the other: sample s of question q of R is entry s * R + q of all.
    """
    correct = [value for group in groups for value in group.correct]
    predictions = [value for group in groups for value in group.predictions]
    references = [value for group in groups for value in group.references]
    step = len(groups)
    return [replace(group, correct=correct[q::step], predictions=predictions[q::step],
                    references=references[q::step]) for q, group in enumerate(groups)]


def _share_references(groups: Sequence[Group]) -> bool:
    "Whether the samples of each group have one reference answer."
    def tell(values: list[Any]) -> set[str]:
        return {json.dumps(value, sort_keys=True) for value in values}
    return all(len(tell(group.references)) == 1 for group in groups)


def recognise_predictions(head: Any) -> bool:
    "Whether a line names its data set and its question."
    return has_keys(head, "data_abbr", "id")


def prediction_rows(log: Log, ask: Ask) -> Rows:
    "One row per prediction, for `grade` to judge."
    if ask.grade is None:
        raise no_outcome(log, "AISBench", "predictions are not judged; the results file is, "
                                          "with --dump-eval-details")
    took = "question=id, sample=order within id, correct=grade, answer=prediction"
    ask.note_unordered()
    return f"{took}; failed requests are missing", _read_predictions(log)


def _read_predictions(log: Log) -> Iterator[Row]:
    for place, record in number_samples(log.records(), itemgetter("data_abbr", "id")):
        failed = "prediction" not in record or record.get("success") is False
        yield dict(question=record["id"], sample=place, task=record["data_abbr"],
                   answer=record.get("prediction"), target=record.get("gold"), lost=failed)
