"""inspect_ai: an archive with a file for each sample and epoch, or one document."""
from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from ...errors import OptionError
from ...spelling import option
from ...results.reading import ReadNote
from .ask import Ask, NoOutcomes, Row, Rows, as_number, name_outcome, no_outcome
from .limits import parse_json, shorten
from .log import Log

WORDS = dict(C=1., P=.5, I=0., N=0., yes=1., true=1., no=0., false=0.)


def recognise(head: Any) -> bool:
    "Whether it is the header of a log, or a whole log."
    return isinstance(head["eval"], dict)


def name_task(log: Log) -> Any:
    "The task of a log."
    return log.head["eval"].get("task")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per sample and epoch, with the value of one scorer."
    # All samples are read first: which scorers there are shows in all of them only.
    samples = [read_sample(record) for record in read_records(log)]
    if not samples:
        ended = tell_end(log.head)
        way = f": {ended}" if ended else "; run inspect with --log-samples"
        raise NoOutcomes(f"{log.path.name} holds no samples{way}")
    offered = [name for sample in samples for name in sample["scores"]]
    # Of samples that were all declared invalid, another log may hold the outcomes.
    void = ask.several and not offered and any("invalid" in sample for sample in samples)
    if not offered and not ask.grade and not void:
        why = "the samples were not scored (`inspect score` adds scores)"
        raise no_outcome(log, "inspect", why)
    name = ask.choose_score(log, offered) if not void else None
    run = note_run(log.head, ask, samples)
    expect_samples(log, ask)
    answer = "answer of the scorer" if name else "output"
    outcome = dict(score="none, as samples are invalid") if void else name_outcome(name)
    took = dict(question="id", sample="epoch") | outcome | dict(answer=answer)
    return took, (make_row(sample, name) | run for sample in samples)


def note_run(head: dict[str, Any], ask: Ask, samples: Sequence[Row]) -> Row:
    "What all samples have in common, noted as far as a reader has to know it."
    about = head["eval"]
    if end := read_end(head): ask.notes.append(end)
    ask.note_task(about.get("task"), [sample["asked"] for sample in samples], tell_version(about))
    return dict(model=about.get("model"), task=about.get("task"), run=about.get("task_id"))


def read_end(head: dict[str, Any]) -> ReadNote | None:
    "How the run ended, and why; None if it was a success."
    status = head.get("status", "started")
    if status == "success": return None
    fault = head.get("error")
    why = fault.get("message") if isinstance(fault, dict) else None
    return ReadNote("unfinished", (status,), text=shorten(why) if why else "")


def tell_end(head: dict[str, Any]) -> str:
    "The same in words, for a refusal; empty if it was a success."
    end = read_end(head)
    return "" if end is None else end.ending


def expect_samples(log: Log, ask: Ask) -> None:
    "Expect what the header counts: by its total, or by the questions and epochs that were planned."
    about = log.head["eval"]
    names = (about.get("dataset") or {}).get("sample_ids")
    epochs = (about.get("config") or {}).get("epochs") or 1
    planned = len(names) * epochs if names else None
    total = (log.head.get("results") or {}).get("total_samples")
    where = "total_samples" if total is not None else "sample_ids and epochs"
    if total is None: total = planned
    questions = dict.fromkeys(names, epochs) if names and total == planned else None
    ask.expect(total, f"{where} in its header", questions=questions, each=epochs,
               why=tell_end(log.head))


def make_row(sample: Row, name: str | None) -> Row:
    "The parts of a sample under the scorer that was chosen; the text where none was."
    value, answer = sample["scores"].get(name, (None, None if name else sample["text"]))
    # An error after a scorer gave its value leaves the value standing.
    return sample | dict(score=read_value(value), answer=answer,
                         missing=sample["missing"] and value is None,
                         said=(partial(split_input, sample["asked"]), sample["text"]))


def tell_version(about: dict[str, Any]) -> str:
    "What tells two versions of a task apart, beside its questions."
    data = (about.get("dataset") or {}).get("name")
    facts = dict(version=about.get("task_version"), dataset=data)
    return ", ".join(f"{name} {value}" for name, value in facts.items() if value is not None)


def read_records(log: Log) -> Iterator[dict[str, Any]]:
    if log.kind == "document":
        yield from log.head.get("samples") or []
        return
    from .archive import archive_members
    def is_sample(name: str) -> bool: return name.startswith("samples/") and name.endswith(".json")
    for name, data in archive_members(log.path, is_sample, log.limits):
        yield parse_json(data, f"{shorten(name)} of {log.path.name}")


def read_sample(record: dict[str, Any]) -> Row:
    """What a log says of one sample in one epoch, before a score is chosen.

    Beside the parts of a row: value and answer under each scorer, what was asked and written.
    """
    invalid = bool(record.get("invalidation"))
    scores = {} if invalid else dict(read_scores(record.get("scores") or {}))
    return dict(question=record["id"], sample=record["epoch"], target=record.get("target"),
                uuid=record.get("uuid"), costs=read_costs(record), scores=scores,
                missing=bool(invalid or record.get("error")),
                asked=read_input(record.get("input") or ""),
                text=read_output(record.get("output") or {}),
                **dict(invalid=True) if invalid else {})


# What a sample cost by the fields of each model's usage, those of a judge among them.
USAGE = dict(tokens="total_tokens", input_tokens="input_tokens", output_tokens="output_tokens",
             cost_usd="total_cost")


def read_costs(record: dict[str, Any]) -> dict[str, float | None]:
    usage = list((record.get("model_usage") or {}).values())
    found = {name: [one.get(field) for one in usage] for name, field in USAGE.items()}
    sums = {name: sum(values) if values and None not in values else None
            for name, values in found.items()}
    return sums | dict(seconds=record.get("total_time"))


def read_input(asked: str | list[Any]) -> str:
    "What was asked; of messages only what they say, as their names differ from run to run."
    if isinstance(asked, str): return asked
    return json.dumps([message.get("content") for message in asked])


def split_input(asked: str) -> Any:
    "What was asked, of messages what each says."
    if not asked.startswith("["): return asked
    try: return json.loads(asked)
    except ValueError: return asked


def read_output(output: dict[str, Any]) -> str | None:
    if output.get("completion") or not output.get("choices"): return output.get("completion")
    content = output["choices"][0]["message"]["content"]
    if isinstance(content, str): return content
    return "".join(part.get("text") or "" for part in content)


def read_scores(scores: dict[str, Any]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    "Name, value and answer of each score; a dict of values is a score for each of its keys."
    for name, score in scores.items():
        value, answer = score["value"], score.get("answer")
        if isinstance(value, dict):
            for key, part in value.items(): yield f"{name}/{key}", (part, answer)
        else: yield name, (value, answer)


def read_value(value: Any) -> float | None:
    "A score as a number: C is 1, P a half, I and N are 0."
    if not isinstance(value, str): return as_number(value, "an inspect score")
    # Letters are capital; a small `p` is not partial credit.
    word = value if value in "CPIN" else value.lower()
    if word in WORDS: return WORDS[word]
    try: return float(value)
    except ValueError:
        raise OptionError(
            "score", "an inspect score must be C, P, I, N, yes, no, true, false or a number",
            found=shorten(value),
            hint=f"pass {option('score')} another scorer, or {option('grade')}") from None
