"""OpenAI: evals and simple-evals."""
from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import takewhile
from typing import Any

import numpy as np

from ...errors import OptionError
from ...spelling import option
from .ask import Ask, Row, Rows, add_score, find_period, has_keys, list_numbers, name_outcome
from .limits import shorten
from .log import Log


# evals: the specification of a run, its events and its report, a line for each.

KINDS = "match", "metrics"  # Types of the events that hold outcomes, the first one preferred


def recognise_evals(head: Any) -> bool:
    "Whether it is the specification of a run."
    return has_keys(head["spec"], "completion_fns", "eval_name")


def evals_rows(log: Log, ask: Ask) -> Rows:
    "One row per sample, of the events of one type."
    spec = log.head["spec"]
    events = [event for event in log.records() if event.get("type") in KINDS]
    names = [name for event in events for name in list_numbers(event["data"])]
    if not ask.grade and not names:
        raise ValueError("OpenAI evals stores an outcome in events of type match or metrics, got "
                         f"none with a number in {log.path.name}: the final report alone holds no "
                         "outcome per sample")
    name = ask.choose_score(log, names, ["correct", "score", "accuracy"])
    held = take_events(events, name)
    refuse_several(log, held)
    reports = [record["final_report"] for record in log.records() if "final_report" in record]
    if not reports: ask.add_note("unfinished")
    for report in reports: check_accuracy(held, name, report, log)
    run = dict(model=",".join(spec["completion_fns"]), task=spec["eval_name"])
    took = dict(question="sample_id", sample="one a run") | name_outcome(name)
    return took | dict(answer="sampled"), (row | run for row in make_event_rows(held, name))


def take_events(events: list[Any], name: str | None) -> list[Any]:
    "The events that hold a score; where answers are judged anew, matches if there are any."
    if name is not None: return [event for event in events if name in event["data"]]
    return [event for event in events if event["type"] == KINDS[0]] or events


def refuse_several(log: Log, events: list[Any]) -> None:
    "Refuse several events of one sample: they are turns or parts of it, and no draws."
    found = Counter(event["sample_id"] for event in events)
    often = [(name, times) for name, times in found.items() if times > 1]
    if not often: return
    name, times = often[0]
    raise OptionError("score", "need one event per sample",
                      found=f"{times} of {shorten(name)} in {log.path.name} ({len(often)} of "
                            f"{len(found)} fail): they are parts of one sample",
                      hint=f"pass {option('score')} a name that stands once in each")


def check_accuracy(events: list[Any], name: str | None, report: Any, log: Log) -> None:
    "Refuse events with another accuracy than the run reported: the log is not whole."
    stored = report.get("accuracy") if isinstance(report, dict) else None
    if name != "correct" or not isinstance(stored, (int, float)) or not events: return
    mean = sum(float(event["data"]["correct"] or 0) for event in events) / len(events)
    if abs(mean - stored) <= 1e-9: return
    raise ValueError(f"the {len(events)} samples in {log.path.name} have an accuracy of "
                     f"{mean:.6g}, but the final report says {stored:.6g}: some are missing or "
                     "stand twice, and nothing says how many; complete the log, or take the line "
                     "of the final report out to read the samples there are")


def make_event_rows(events: list[Any], name: str | None) -> Iterator[Row]:
    for event in events:
        data = event["data"]
        # What was picked is None for a wrong answer, which would lose its vote.
        row = dict(question=event["sample_id"], sample=0, target=data.get("expected"),
                   answer=data.get("sampled", data.get("picked")),
                   said=(data.get("prompt"), data.get("sampled")))
        yield add_score(row, data, name)


# simple-evals: a document with all examples of a run, whose scores stand on their pages only.

EVALS = ("browsecomp", "drop", "gpqa", "healthbench_consensus", "healthbench_hard",
         "healthbench_meta", "healthbench", "humaneval", "math", "mgsm", "mmlu", "simpleqa")
RUN_FILE = re.compile(rf"({'|'.join(EVALS)})_(.+)_\d{{8}}_\d{{6}}(?:_DEBUG)?_allresults")
PARTS = {part: re.compile(rf"<p>{part}: (.*?)</p>", re.DOTALL)
         for part in ("Correct Answer", "Extracted Answer", "Score")}
LETTER = re.compile(r"^([A-D])\) ", re.MULTILINE)
SEVERAL = re.compile(r"\[[01](, [01])*\]")  # What humaneval shows of the samples of one task
WORDS = {"True": "1", "False": "0"}


def simple_rows(log: Log, ask: Ask) -> Rows:
    "One row per example, or per sample of an example."
    pages, convos = log.head["htmls"], log.head["convos"]
    if len(pages) != len(convos):
        raise ValueError(f"need a page and a conversation for each example, got {len(pages)} and "
                         f"{len(convos)} in {log.path.name}")
    scores = [read_score(page, log) for page in pages]
    check_mean(scores, log)
    size = find_period(list(map(tell_prompt, convos)))
    found = RUN_FILE.fullmatch(log.stem)
    task, model = found.groups() if found else (log.stem, None)
    run = dict(task=task, model=model)
    outcomes = list(map(list_outcomes, pages, convos, scores))
    expect_examples(log, ask, len(outcomes[0]) if outcomes else 1)
    took = dict(question="position in the period of the prompts", sample="repeat",
                score="Score on the page", answer="Extracted Answer")
    return took, (row | run for row in make_example_rows(outcomes, size))


def expect_examples(log: Log, ask: Ask, samples: int) -> None:
    "Expect every example of which metadata are stored, with so many samples each."
    about = (log.head.get("metadata") or {}).get("example_level_metadata")
    if isinstance(about, list):
        ask.expect(len(about) * samples, f"example_level_metadata in {log.path.name}")


def refuse_means(log: Log, ask: Ask) -> Rows:
    "Nothing: there is no outcome per example."
    raise ValueError(f"simple-evals stores only means in {log.path.name}; pass the file of the "
                     "same run whose name ends in _allresults.json")


def read_score(page: str | None, log: Log) -> float:
    text = read_part(page or "", "Score")
    try: return float(WORDS.get(str(text), text or ""))
    except ValueError:
        raise ValueError("simple-evals stores a score on the page of each example, got "
                         f"{shorten(text)} on one of {log.path.name}") from None


def read_part(page: str, part: str) -> str | None:
    "What a page says of a part, last: what the model wrote is escaped and comes before."
    from html import unescape
    found = [text for text in PARTS[part].findall(page)[-1:] if text != "None"]
    return unescape(found[0]) if found else None


def check_mean(scores: list[float], log: Log) -> None:
    "Refuse pages that show something else than the score, as those of healthbench_meta do."
    if not scores: return
    mean, stored = float(np.mean(scores)), log.head["score"]
    # HealthBench clips its mean, and not its scores, to the range from 0 to 1.
    if stored is not None and np.isclose(stored, [mean, np.clip(mean, 0, 1)]).any(): return
    raise ValueError(f"the scores on the pages of {log.path.name} have the mean {mean:.6g}, but "
                     f"the run stored {stored!r}: they are not its outcomes")


def tell_prompt(convo: list[Any]) -> tuple[str, ...]:
    "The lines of a prompt in no order: gpqa shuffles the choices at every repeat."
    lines = LETTER.sub("", join_asked(convo)).split("\n")
    return tuple(sorted(filter(None, map(str.strip, lines))))


def join_asked(convo: list[Any]) -> str:
    return "\n".join(str(said["content"]) for said in convo if said["role"] != "assistant")


def list_outcomes(page: str, convo: list[Any], score: float) -> list[Row]:
    "The outcomes of an example: one, or of humaneval as many as it drew samples."
    answer, target = (read_part(page, part) for part in ("Extracted Answer", "Correct Answer"))
    replies = takewhile(lambda said: said["role"] == "assistant", reversed(convo))
    # They stand in the order in which the programs ended, which is not that of the replies.
    if len(list(replies)) > 1 and SEVERAL.fullmatch(answer or ""):
        return [dict(score=correct) for correct in json.loads(answer or "")]
    choices = dict(list_choices(join_asked(convo)))
    return [dict(score=score, answer=choices.get(answer, answer),
                 target=choices.get(target, target),
                 said=(partial(join_asked, convo), convo[-1]["content"] if convo else None))]


def list_choices(asked: str) -> Iterator[tuple[str | None, str]]:
    "Letter and text of each choice: a letter alone stands for another text in each repeat."
    parts = LETTER.split(asked)[1:]
    for letter, text in zip(parts[::2], parts[1::2]): yield letter, text.strip()


def make_example_rows(outcomes: list[list[Row]], size: int) -> Iterator[Row]:
    for place, samples in enumerate(outcomes):
        repeat, question = divmod(place, size)
        for sample, row in enumerate(samples, len(samples) * repeat):
            yield row | dict(question=question, sample=sample)
