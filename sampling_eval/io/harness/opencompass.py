"""opencompass and AISBench: judged details, and predictions that `grade` judges.

AISBench follows opencompass, and its details may mix samples of different questions.
"""
from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from ...errors import OptionError, option
from ...records import dataclass
from .ask import (Ask, Row, Rows, as_number, find_period, has_keys, no_outcome, number_samples)
from .log import Log, open_log

VERDICTS = "correct", "is_correct", "cascade_correct"
PREDICTIONS = "pred", "predictions", "prediction"
REFERENCES = "answer", "references", "reference", "gold"


@dataclass(frozen=True)
class Group:
    "The samples of one entry of the details."
    name: Any  # Name of the question, if stored
    correct: list[Any]  # Verdict on each sample
    predictions: list[Any]  # What was judged, or None for each
    references: list[Any]  # Right answer beside each, or None for each


# Who wrote the details.

def may_be_opencompass(head: Any) -> bool:
    "Whether it holds details that opencompass could have written."
    return "opencompass" in find_writers(head["details"])


def may_be_aisbench(head: Any) -> bool:
    "Whether it holds details that AISBench could have written."
    return "aisbench" in find_writers(head["details"])


def find_writers(details: Any) -> set[str]:
    # Any document with a dict of that name is taken for one; without verdicts it is refused.
    if isinstance(details, dict): return {"opencompass"}
    if not isinstance(details, list) or not all(map(is_judged, details)): return set()
    # Both name metrics such as `avg@4` in each entry; only opencompass has G-Pass among them.
    metrics = {key.split("@")[0] for detail in details for key in detail if "@" in key}
    if metrics: return {"opencompass"} if metrics & {"G-Pass", "mG-Pass"} else {"aisbench"}
    # Without metrics the two differ only where an entry has several samples, and read it
    # differently: this cannot be told apart, and is refused.
    several = any(is_repeated(detail) for detail in details)
    return {"opencompass", "aisbench"} if several else {"opencompass"}


def is_judged(detail: Any) -> bool:
    return isinstance(detail, dict) and take_first(detail, VERDICTS) is not None


def is_repeated(detail: dict[str, Any]) -> bool:
    verdicts = take_first(detail, VERDICTS)
    return isinstance(verdicts, list) and len(verdicts) > 1


def take_first(entry: dict[str, Any], names: Sequence[str]) -> Any:
    "The value under the first of the names that there is."
    return next((entry[name] for name in names if name in entry), None)


# Details.

def rows(log: Log, ask: Ask) -> Rows:
    "One row per sample that opencompass judged."
    groups = read_groups(log, ask)
    expect_predictions(log, ask, groups)
    return make_rows(groups, log.path.stem)


def read_groups(log: Log, ask: Ask) -> list[Group]:
    "The entries of the details in order."
    if ask.grade:
        raise OptionError("grade", f"{option('grade')} needs texts as they were generated",
                          hint="read the predictions file")
    details = log.head["details"]
    if isinstance(details, dict):
        details = [details[key] for key in sorted(filter(str.isdigit, details), key=int)]
    if not details: raise ValueError("details must hold at least one question, got none")
    return [read_group(entry) for entry in details]


def read_group(entry: dict[str, Any]) -> Group:
    correct, name = take_first(entry, VERDICTS), entry.get("example_abbr")
    predictions, references = take_first(entry, PREDICTIONS), take_first(entry, REFERENCES)
    if correct is None: raise KeyError("correct")
    if not isinstance(correct, list): return Group(name, [correct], [predictions], [references])
    size = len(correct)
    return Group(name, correct, fit(predictions, size), fit(references, size))


def fit(values: Any, size: int) -> list[Any]:
    "The values if there is one for each sample, else None for each."
    if isinstance(values, list) and len(values) == size: return values
    return [None] * size


def expect_predictions(log: Log, ask: Ask, groups: Sequence[Group]) -> None:
    "Expect a verdict on each prediction of the same name, in the folder beside the results."
    model, results = log.path.parent, log.path.parent.parent
    if results.name != "results": return
    for ending in ".json", ".jsonl":
        path = results.with_name("predictions") / model.name / (log.path.stem + ending)
        if not path.is_file(): continue
        # Requests that failed stand apart, also after they were made again: then no total is known.
        if path.with_name(f"{path.stem}_failed{ending}").is_file(): continue
        made = open_log(path, log.limits)
        size = len(made.head) if made.kind == "document" else sum(1 for _ in made.records())
        sizes = {len(group.correct) for group in groups}
        ask.expect(size, f"predictions in {path.name}",
                   each=sizes.pop() if len(sizes) == 1 else None)


def make_rows(groups: Sequence[Group], task: str) -> Rows:
    named = all(group.name is not None for group in groups)
    took = dict(question="example_abbr" if named else "position", sample="position",
                score="correct", answer="pred")
    return took, (dict(question=group.name if named else place, sample=sample, answer=prediction,
                       score=as_number(correct, "correct"), task=task)
                  for place, group in enumerate(groups)
                  for sample, (correct, prediction) in enumerate(
                      zip(group.correct, group.predictions)))


def aisbench_rows(log: Log, ask: Ask) -> Rows:
    "One row per sample that AISBench judged, each with its own question."
    groups = read_groups(log, ask)
    size = len(groups[0].correct)
    if any(len(group.correct) != size for group in groups):
        raise ValueError(f"every question needs {size} samples, got other numbers too")
    if size > 1 and len(groups) > 1: groups = put_back(groups, ask)
    expect_predictions(log, ask, groups)
    return make_rows(groups, log.path.stem)


def put_back(groups: list[Group], ask: Ask) -> list[Group]:
    """Groups of one question each, whichever way they were stored.

    All samples of a question have the same reference answer. If that holds only after regrouping,
    the file has the fault; if only before, a version without it wrote the file.
    """
    mended = regroup(groups)
    before, after = share_references(groups), share_references(mended)
    if before == after:
        ways = "both ways" if before else "neither way"
        raise OptionError("grade", "cannot tell which samples belong together, since the reference "
                                   f"answers fit {ways} of grouping",
                          hint=f"read the predictions with {option('grade')}")
    if before: return groups
    ask.add_note("regrouped", "AISBench")
    return mended


def regroup(groups: list[Group]) -> list[Group]:
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


def share_references(groups: Sequence[Group]) -> bool:
    "Whether the samples of each group have one reference answer."
    return all(len({json.dumps(value, sort_keys=True) for value in group.references}) == 1
               for group in groups)


# Predictions.

def recognise_predictions(head: Any) -> bool:
    "Whether a document maps numbers to predictions, as opencompass writes them."
    return all(key.isdigit() for key in head) and has_keys(head["0"], "prediction")


def prediction_rows(log: Log, ask: Ask) -> Rows:
    "One row per prediction of opencompass, numbered over questions and repeats."
    if ask.grade is None:
        raise no_outcome(log, "opencompass", "predictions are not judged; the results file is, "
                                             "with dump_eval_details on")
    entries = [log.head[key] for key in sorted(log.head, key=int)]
    size = find_period([json.dumps([entry.get("origin_prompt"), entry.get("gold")], sort_keys=True)
                        for entry in entries])
    took = dict(question=f"index modulo {size} (the period of the prompts)", sample="replica",
                correct="grade", answer="prediction")
    return took, (dict(question=place % size, sample=place // size, answer=entry["prediction"],
                       target=entry.get("gold"), task=log.path.stem,
                       said=(entry.get("origin_prompt"), entry["prediction"]))
                  for place, entry in enumerate(entries))


def aisbench_predictions(log: Log, ask: Ask) -> Rows:
    "One row per prediction of AISBench, a line each."
    if ask.grade is None:
        raise no_outcome(log, "AISBench", "predictions are not judged; the results file is, "
                                          "with --dump-eval-details")
    ask.note_unordered()
    took = dict(question="id", sample="order within id", correct="grade", answer="prediction")
    return took, read_predictions(log, ask)


def read_predictions(log: Log, ask: Ask) -> Iterator[Row]:
    for place, record in number_samples(log.records(), itemgetter("data_abbr", "id")):
        failed = "prediction" not in record or record.get("success") is False
        ask.note_missing("request", "failed", int(failed))
        yield dict(question=record["id"], sample=place, task=record["data_abbr"],
                   answer=record.get("prediction"), target=record.get("gold"), missing=failed,
                   said=(record.get("origin_prompt"), record.get("prediction")))
