"""Judged details, as opencompass writes them, and AISBench after it."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .ask import Ask
from .log import Log, open_log
from .records import Row, Rows, as_number

__all__ = ["Group", "detail_rows", "expect_predictions", "find_writers", "read_groups"]

NAMES = "example_abbr",
VERDICTS = "correct", "is_correct", "cascade_correct"
PREDICTIONS = "pred", "predictions", "prediction"
REFERENCES = "answer", "references", "reference", "gold"


@dataclass(frozen=True)
class Group:
    "The samples of one entry of the details."
    name:Any # Name of the question, if stored
    correct:list[Any] # Verdict on each sample
    predictions:list[Any] # What was judged, or None for each
    references:list[Any] # Right answer beside each, or None for each


def find_writers(
    head:Any, # The document
)->set[str]: # Names of harnesses; empty if it holds no details
    "The harnesses that could have written a document of details."
    details = head.get("details") if isinstance(head, dict) else None
    # Any document with a dict of that name is taken for one; without verdicts it is refused.
    if isinstance(details, dict): return {"opencompass"}
    if not isinstance(details, list) or not all(map(_is_judged, details)): return set()
    # Both name metrics such as `avg@4` in each entry; only opencompass has G-Pass among them.
    metrics = _list_metrics(details)
    if metrics: return {"opencompass"} if metrics & {"G-Pass", "mG-Pass"} else {"aisbench"}
    # Without metrics the two differ only where an entry has several samples, and read it
    # differently: this cannot be told apart, and is refused.
    several = any(_has_several(detail) for detail in details)
    return {"opencompass", "aisbench"} if several else {"opencompass"}


def _list_metrics(details: Sequence[dict[str, Any]]) -> set[str]:
    "The metrics that the entries hold with a budget."
    keys = {key for detail in details for key in detail}
    return {key.split("@")[0] for key in keys if "@" in key}


def _is_judged(detail: Any) -> bool:
    return isinstance(detail, dict) and _find_first(detail, VERDICTS) is not None


def _has_several(detail: dict[str, Any]) -> bool:
    verdicts = _find_first(detail, VERDICTS)
    return isinstance(verdicts, list) and len(verdicts) > 1


def _find_first(entry: dict[str, Any], names: Sequence[str]) -> Any:
    "The value under the first of the names that there is."
    return next((entry[name] for name in names if name in entry), None)


def read_groups(
    log:Log, # Document with details
    regraded:bool, # Whether answers are to be judged anew
)->list[Group]: # One for each entry, in order
    "The entries of the details; raises `ValueError` if there are none, or if they shall be judged."
    if regraded:
        raise ValueError("grade= needs texts as they were generated; read the predictions file")
    details = log.head["details"]
    if isinstance(details, dict):
        details = [details[key] for key in sorted(filter(str.isdigit, details), key=int)]
    if not details: raise ValueError("details must hold at least one question, got none")
    return [_read_group(entry) for entry in details]


def expect_predictions(
    log:Log, # A document with details
    ask:Ask, # Where the total is kept
    groups:Sequence[Group], # Its entries
)->None:
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


def _read_group(entry: dict[str, Any]) -> Group:
    correct, name = _find_first(entry, VERDICTS), _find_first(entry, NAMES)
    predictions, references = _find_first(entry, PREDICTIONS), _find_first(entry, REFERENCES)
    if correct is None: raise KeyError("correct")
    if not isinstance(correct, list): return Group(name, [correct], [predictions], [references])
    size = len(correct)
    return Group(name, correct, _fit(predictions, size), _fit(references, size))


def _fit(values: Any, size: int) -> list[Any]:
    "The values if there is one for each sample, else None for each."
    if isinstance(values, list) and len(values) == size: return values
    return [None] * size


def detail_rows(
    groups:Sequence[Group], # One for each question
    task:str, # Name of the task
)->Rows: # What was taken for what, and the rows
    "One row per judged sample."
    named = all(group.name is not None for group in groups)
    question = "example_abbr" if named else "position"
    took = f"question={question}, sample=position, score=correct, answer=pred"
    return took, _list_samples(groups, named, task)


def _list_samples(groups: Sequence[Group], named: bool, task: str) -> Iterator[Row]:
    for place, group in enumerate(groups):
        for sample, (correct, prediction) in enumerate(zip(group.correct, group.predictions)):
            yield dict(question=group.name if named else place, sample=sample, answer=prediction,
                       score=as_number(correct, "correct"), task=task)
