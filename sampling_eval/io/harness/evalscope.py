"""evalscope: a folder of reviews, with a line for each sample."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter
from typing import Any

from ...records import dataclass
from .ask import Ask, Row, Rows, add_score, has_keys, name_outcome, number_samples
from .log import Log, read_sidecar

FOLDER = "reviews"  # Holds a folder for each model


@dataclass(frozen=True)
class Review:
    "What a line says of one sample."
    question: Any  # The group of the sample
    position: Any  # Its place in the group; None in older files
    values: dict[str, Any]  # Its scores; one that could not be judged is absent
    main: list[str]  # The score that the harness calls main, if there is one
    answer: Any  # What was extracted from the text
    target: Any  # Reference answer, or the list of several
    model: Any  # Who wrote the last message
    said: Any = None  # What was asked and answered, where a page shows it
    at: int | None = None  # Its line


def recognise(head: Any) -> bool:
    "Whether a sample has a score."
    return has_keys(head["sample_score"], "score")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per sample."
    # A sample that was reviewed again has several lines, of which the harness takes the last.
    reviews = list({record["index"]: read_review(record) if ask.texts is None else
                    replace(read_review(record), said=tell_messages(record), at=log.at)
                    for record in log.records()}.values())
    offered = [name for review in reviews for name in review.values]
    name = ask.choose_score(log, offered, [main for review in reviews for main in review.main])
    run = dict(model=name_model(log, reviews[0]), task=log.path.stem)
    expect_reviews(log, ask, reviews)
    if any(review.position is None for review in reviews): ask.note_unordered()
    took = dict(question="group_id", sample="generation_index") | name_outcome(name)
    return (took | dict(answer="extracted_prediction"),
            (row | run for row in make_rows(reviews, name)))


def expect_reviews(log: Log, ask: Ask, reviews: list[Review]) -> None:
    "Expect as many samples as the report on the same model counts for the subset."
    model, folder = log.path.parent, log.path.parent.parent
    if folder.name != FOLDER: return
    # All questions of a subset are asked equally often.
    each = max(Counter(review.question for review in reviews).values())
    for path in sorted((folder.with_name("reports") / model.name).glob("*.json")):
        size = count_subset(read_sidecar(path, log.limits), log.path.stem)
        if size: ask.expect(size, f"report {path.name}", each=each)


def count_subset(report: dict[str, Any], name: str) -> int:
    "How many samples a report has on a subset; 0 if it is on another one."
    data = report.get("dataset_name")
    if not isinstance(data, str) or not name.startswith(f"{data}_"): return 0
    subset = name.removeprefix(f"{data}_")
    run = (report.get("execution_summary") or {}).get("subsets") or {}
    if has_keys(run.get(subset), "requested"): return int(run[subset]["requested"])
    # Some metrics are over groups of samples; the largest number is that of the samples.
    return max((int(part.get("num") or 0) for metric in report.get("metrics") or []
                for kind in metric.get("categories") or [] for part in kind.get("subsets") or []
                if part.get("name") == subset), default=0)


def read_review(record: dict[str, Any]) -> Review:
    sample = record["sample_score"]
    score, group = sample["score"], sample.get("group_id")
    named = score.get("main_score_name")
    return Review(record["index"] if group is None else group, sample.get("generation_index"),
                  score["value"], [named] if named else list(score["value"])[:1],
                  score.get("extracted_prediction"), read_target(record),
                  (record.get("messages") or [{}])[-1].get("model"))


def tell_messages(record: dict[str, Any]) -> tuple[Any, Any]:
    "All messages but the last one, and that."
    messages = record.get("messages") or []
    return messages[:-1], messages[-1:]


def read_target(record: dict[str, Any]) -> Any:
    target = record.get("target")
    return target[0] if isinstance(target, list) and len(target) == 1 else target


def name_model(log: Log, review: Review) -> Any:
    "The model, which the folder of the file names unless it was moved."
    folder = log.path.parent
    return folder.name if folder.parent.name == FOLDER else review.model


def make_rows(reviews: list[Review], name: str | None) -> Iterator[Row]:
    for place, review in number_samples(reviews, attrgetter("question")):
        row = dict(question=review.question, answer=review.answer, target=review.target,
                   sample=place if review.position is None else review.position)
        if review.said is not None: row |= dict(said=review.said, at=review.at)
        yield add_score(row, {name: review.values.get(name)} if name else {}, name)
