"""lm-evaluation-harness: one line per question and filter."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .ask import Ask, Row, Rows, Scored, add_score, name_outcome, no_outcome
from .grading import TextGrade
from .limits import quote_names
from .log import Log, read_sidecar

STAMP = re.compile(r"_\d{4}-\d\d-\d\dT[\d.:-]+$")  # The time of a run in the names of its files


def rows(log: Log, ask: Ask) -> Rows:
    "One row per text, of the lines of one filter."
    # The same texts appear once for each filter; reading all lines would count questions twice.
    first: dict[str, Any] = {}
    for record in log.records(): first.setdefault(name_filter(record), record)
    some = next(iter(first.values()))
    refuse_unjudged(log, ask, some)
    chosen, choices = choose_filter(log, ask, first), read_logprobs(some) is not None
    head = first[chosen]
    # A choice has no text to compare with the target, which is its place among the choices.
    regraded = ask.grade and not (choices and isinstance(ask.grade, TextGrade))
    metric = None if regraded else choose_metric(log, ask, head, choices)
    expect_documents(log, ask, len(list(split_texts(head))))
    answer = "likeliest choice" if choices else name_texts(head)
    took = dict(question="doc_id", sample="repeat") | name_outcome(metric)
    return took | dict(filter=chosen, answer=answer), read_rows(log, ask, chosen, metric)


def name_task(log: Log) -> str:
    return STAMP.sub("", log.stem).removeprefix("samples_")


def expect_documents(log: Log, ask: Ask, texts: int) -> None:
    "Expect as many documents as the results of the same run count, with so many texts each."
    path = find_results(log)
    about = read_sidecar(path, log.limits) if path else {}
    sizes: dict[str, Any] = (about.get("n-samples") or {}).get(name_task(log)) or {}
    size = sizes.get("effective")
    if path is None or not isinstance(size, int): return
    # The first documents are taken, unless somebody names some of them.
    first = sizes.get("original") == size or (about.get("config") or {}).get("limit") is not None
    ask.expect(size * texts, f"n-samples in {path.name}", each=texts,
               questions=dict.fromkeys(range(size), texts) if first else None)


def find_results(log: Log) -> Path | None:
    "The results of the same time; else the only ones beside the log, as a copy may be renamed."
    stamp = STAMP.search(log.stem)
    path = log.path.with_name(f"results{stamp[0] if stamp else ''}.json")
    if path.is_file(): return path
    found = list(log.path.parent.glob("results*.json"))
    return found[0] if len(found) == 1 else None


def refuse_unjudged(log: Log, ask: Ask, some: dict[str, Any]) -> None:
    "Refuse a log whose texts have no outcome of their own, unless they are judged anew."
    if is_rolling(some):
        raise no_outcome(log, "lm-eval", "it holds the likelihood of whole texts, no answers")
    if ask.grade or read_logprobs(some) is not None: return
    texts = len(some["resps"][0])
    if texts > 1:
        why = f"{texts} texts a question and one metric over them by each filter"
        raise no_outcome(log, "lm-eval", why)


def name_filter(record: dict[str, Any]) -> str:
    "The filter of a line; null is what an unnamed one is written as."
    return record.get("filter") or "none"


def choose_filter(log: Log, ask: Ask, first: Mapping[str, Any]) -> str:
    "The filter to read, where that makes a difference."
    # Where every filter keeps fewer texts than there are, the texts are the same under each.
    equal = ask.filter is None and all(map(keeps_fewer, first.values()))
    return next(iter(first)) if equal else ask.choose(log, "filter", first)


def keeps_fewer(record: dict[str, Any]) -> bool:
    "Whether the filter made fewer of the texts, so that all of them are read in their place."
    if read_logprobs(record) is not None: return False
    return len(record["resps"][0]) > len(list_kept(record))


def name_texts(record: dict[str, Any]) -> str:
    "Under which name the texts that are read stand in the log."
    return "resps" if keeps_fewer(record) else "filtered_resps"


def list_kept(record: dict[str, Any]) -> list[Any]:
    "What the filter kept of the texts."
    kept: list[Any] = record["filtered_resps"]
    return kept[0] if len(kept) == 1 and isinstance(kept[0], list) else kept


def choose_metric(log: Log, ask: Ask, head: dict[str, Any], choices: bool) -> str:
    plain = [key for key in head if key != "doc_id" and is_plain(head, key)]
    stored = head.get("metrics") or plain
    numbers = [name for name in stored if is_plain(head, name)]
    if numbers: return ask.choose(log, "score", numbers, ["acc"] if choices else [])
    if not stored: raise no_outcome(log, "lm-eval", "its samples hold no metric")
    why = f"{quote_names(stored)} hold the material of a corpus metric, not a number per question"
    raise no_outcome(log, "lm-eval", why)


def is_plain(head: dict[str, Any], name: str) -> bool:
    return isinstance(head.get(name), (int, float))


def read_rows(log: Log, ask: Ask, chosen: str, metric: str | None) -> Iterator[Row]:
    task = name_task(log)
    hashes = set()
    for record in log.records():
        if name_filter(record) != chosen: continue
        hashes.add(record.get("doc_hash"))
        more = dict(task=task, judged=metric is not None)
        for row in split_texts(record): yield add_score(row, record, metric) | more
    # The name of a file that was renamed is no task, unless its documents say which it is.
    if log.name.startswith("samples_") or any(hashes): ask.note_task(task, hashes)


def split_texts(record: dict[str, Any]) -> Iterator[Row]:
    "A row for each text of a question."
    for place, text in enumerate(read_texts(record)):
        # A filter that finds nothing writes `[invalid]`: no answer, but a text that can be judged.
        answer = None if text == "[invalid]" else text
        yield dict(question=record["doc_id"], sample=place, answer=answer, graded=text,
                   target=record.get("target"), said=(partial(tell_asked, record),
                                                      partial(tell_written, record, place, text)))


def tell_asked(record: dict[str, Any]) -> Any:
    "What the model was asked, or else the document of the question."
    try: return read_arguments(record)[0][0]
    except (KeyError, IndexError, TypeError, ValueError): return record.get("doc")


def tell_written(record: dict[str, Any], place: int, text: Any) -> Any:
    "What the model wrote, before a filter took its answer from it."
    raw = record["resps"][0]
    written = isinstance(raw, list) and len(raw) > place and isinstance(raw[place], str)
    return raw[place] if written and read_logprobs(record) is None else text


def is_rolling(record: dict[str, Any]) -> bool:
    "Whether a whole text was scored, which is a request without a continuation."
    asked = record.get("arguments") or {}
    request = next(iter(asked.values() if isinstance(asked, dict) else asked), None)
    return request is not None and len(request) == 1


def read_texts(record: dict[str, Any]) -> list[Any]:
    "The likeliest choice; else what the filter kept of each text, or the texts if it kept fewer."
    logprobs = read_logprobs(record)
    if logprobs is not None: return [list_choices(record)[int(np.argmax(logprobs))].strip()]
    raw: list[Any] = record["resps"][0]
    kept = list_kept(record)
    return kept if len(kept) == len(raw) else raw


def read_logprobs(record: dict[str, Any], half: int = 0) -> list[float] | None:
    "Log-probabilities of the choices, in the second half without the question; None for texts."
    pairs = [tries[0] for tries in record["resps"]]
    if not all(map(is_logprob_pair, pairs)): return None
    size = len(list_choices(record))
    return [float(logprob) for logprob, _ in pairs[half * size:][:size]]


def is_logprob_pair(response: Any) -> bool:
    "Whether a response is a log-probability and whether it is what greedy decoding gives."
    # A text that is a list of two could be taken for one, if its second entry reads True or False.
    if not isinstance(response, list) or len(response) != 2: return False
    return str(response[1]) in ("True", "False")


def list_choices(record: dict[str, Any]) -> list[str]:
    "What was scored for each choice: its continuation, or its context where all share one."
    asked = read_arguments(record)
    # Asked for, log-probabilities without the question follow in a second half, of no context.
    half, bare = len(asked) // 2, [context == "" for context, _ in asked]
    if len(asked) % 2 == 0 and all(bare[half:]) and not all(bare): asked = asked[:half]
    texts = [text for _, text in asked]
    return texts if len(set(texts)) == len(asked) else [context for context, _ in asked]


def read_arguments(record: dict[str, Any]) -> list[tuple[str, str]]:
    "Context and continuation of each request."
    asked = record["arguments"]
    if isinstance(asked, list): return [(context, text) for context, text in asked]
    requests = [asked[f"gen_args_{i}"] for i in range(len(record["resps"]))]
    return [(request["arg_0"], request["arg_1"]) for request in requests]


def read_choices_of(place: int, record: dict[str, Any]) -> Scored:  # The question with its choices
    "The log-probabilities of one line; raises `ValueError` if it holds texts."
    logprobs = read_logprobs(record)
    if logprobs is None:
        raise ValueError("lm-eval stored texts here, and no log-probabilities of choices")
    return Scored(record["doc_id"], list_choices(record), logprobs,
                  read_logprobs(record, 1) or None, record["target"], record.get("acc"))
