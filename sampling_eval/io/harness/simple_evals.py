"""simple-evals: a document with all examples of a run, whose scores stand on their pages only."""
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import numpy as np

from .ask import Ask, Row, Rows, find_period
from .limits import shorten
from .log import Log

EVALS = ("browsecomp", "drop", "gpqa", "healthbench_consensus", "healthbench_hard",
         "healthbench_meta", "healthbench", "humaneval", "math", "mgsm", "mmlu", "simpleqa")
FILE = re.compile(rf"({'|'.join(EVALS)})_(.+)_\d{{8}}_\d{{6}}(?:_DEBUG)?_allresults")
PARTS = {part: re.compile(rf"<p>{part}: (.*?)</p>", re.DOTALL)
         for part in ("Correct Answer", "Extracted Answer", "Score")}
LETTER = re.compile(r"^([A-D])\) ", re.MULTILINE)
SEVERAL = re.compile(r"\[[01](, [01])*\]")  # What humaneval shows of the samples of one task
WORDS = {"True": "1", "False": "0"}


def rows(log: Log, ask: Ask) -> Rows:
    "One row per example, or per sample of an example."
    pages, convos = log.head["htmls"], log.head["convos"]
    if len(pages) != len(convos):
        raise ValueError(f"need a page and a conversation for each example, got {len(pages)} and "
                         f"{len(convos)} in {log.path.name}")
    scores = [read_score(page, log) for page in pages]
    check_mean(scores, log)
    size = find_period(list(map(tell_prompt, convos)))
    found = FILE.fullmatch(log.path.stem)
    task, model = found.groups() if found else (log.path.stem, None)
    run = dict(task=task, model=model)
    outcomes = list(map(list_outcomes, pages, convos, scores))
    expect_examples(log, ask, len(outcomes[0]) if outcomes else 1)
    took = dict(question="position in the period of the prompts", sample="repeat",
                score="Score on the page", answer="Extracted Answer")
    return took, (row | run for row in make_rows(outcomes, size))


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
                 target=choices.get(target, target))]


def list_choices(asked: str) -> Iterator[tuple[str | None, str]]:
    "Letter and text of each choice: a letter alone stands for another text in each repeat."
    parts = LETTER.split(asked)[1:]
    for letter, text in zip(parts[::2], parts[1::2]): yield letter, text.strip()


def make_rows(outcomes: list[list[Row]], size: int) -> Iterator[Row]:
    for place, samples in enumerate(outcomes):
        repeat, question = divmod(place, size)
        for sample, row in enumerate(samples, len(samples) * repeat):
            yield row | dict(question=question, sample=sample)
