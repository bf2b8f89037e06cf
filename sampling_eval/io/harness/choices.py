"""Log-probabilities of multiple-choice questions."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...records import dataclass
from ...metrics.choice import choice_scores
from . import lighteval, lm_eval
from .ask import Ask, Row, Rows, Scored, name_outcome, number_samples
from .limits import Limits, shorten
from .log import Log, open_log
from .readers import BUILT_IN

__all__ = ["Choices", "read_choices"]

RULES = dict(acc="raw", acc_norm="char", acc_bytes="byte")  # Names of lm-eval, and what is divided


def read_choices_of(
    place: int,  # Position of the record in its file
    record: dict[str, Any],  # One row
) -> Scored:  # The question with its choices
    "The log-probabilities of one row of a plain table."
    name = next((record[key] for key in ("question", "id") if record.get(key) is not None), place)
    return Scored(name, record["choices"], record["logprobs"], record.get("unconditional"),
                  record["gold"], None)


def rows(log: Log, ask: Ask) -> Rows:
    "One row per question of a plain table with the log-probabilities of choices."
    name = ask.choose_score(log, RULES, ["acc"])
    found = [read_choices_of(place, record) for place, record in enumerate(log.records())]
    took = dict(question="question", sample="line", answer="best of choices")
    return took | name_outcome(name), make_rows(found, name)


def make_rows(questions: Sequence[Scored], name: str | None) -> Iterator[Row]:
    gold = place_gold(questions)
    for question, place in zip(questions, gold): check_gold(question, place)
    texts = [question.texts for question in questions]
    scores = choice_scores([question.logprobs for question in questions], gold, texts=texts,
                           normalize=RULES[name or "acc"])
    best = [text[place] for text, place in zip(texts, scores.predictions)]
    found = list(zip(questions, gold, best, scores.credit))
    for sample, (question, place, answer, credit) in number_samples(found, name_question):
        row = dict(question=question.question, sample=sample, answer=answer,
                   target=question.texts[place])
        yield row if name is None else row | dict(score=float(credit))


def name_question(found: tuple[Scored, Any, str, float]) -> Any: return found[0].question


READS: dict[str, Callable[[int, dict[str, Any]], Scored]] = {
    "lm-eval": lm_eval.read_choices_of, "lighteval": lighteval.read_choices_of,
    "choices": read_choices_of}


@dataclass(frozen=True, eq=False)
class Choices:
    "Log-probabilities of the choices of each question."
    logprobs: tuple[np.ndarray, ...]  # One float64 array per question, of its number of choices
    gold: np.ndarray  # Position of the right choice, shape `(Q,)`
    choices: tuple[tuple[str, ...], ...]  # Texts of the choices of each question, as scored
    questions: np.ndarray  # Names of the questions
    unconditional: tuple[np.ndarray, ...] | None = None  # Log-probabilities without the question
    source: str = ""  # What was taken for what

    def __len__(self) -> int: return len(self.gold)

    def __repr__(self) -> str:
        sizes = sorted({len(choices) for choices in self.logprobs})
        each = f"{sizes[0]}..{sizes[-1]}" if len(sizes) > 1 else sizes[0]
        more = ", unconditional" if self.unconditional else ""
        return f"Choices({len(self)} questions of {each} choices{more})"


def read_choices(
    path: str | Path,  # One lm-eval or lighteval log
    *,
    limits: Limits = Limits(),  # How many bytes are believed
) -> Choices:  # Log-probabilities, gold and texts of the choices
    """The log-probabilities that a multiple-choice log holds, ready for choice scoring.

    Raises: `ValueError` if the log holds none, or a question has not exactly one right choice.
    """
    log = open_log(path, limits)
    name = find_harness(log)
    questions = read_questions(log, name)
    gold = place_gold(questions)
    for question, place in zip(questions, gold): check_gold(question, place)
    bare = [question.unconditional for question in questions]
    return Choices(make_arrays([question.logprobs for question in questions]), np.array(gold),
                   tuple(tuple(question.texts) for question in questions),
                   np.array([question.question for question in questions], object),
                   None if None in bare else make_arrays(bare), f"{name}, {log.path.name}")


def find_harness(log: Log) -> str:
    for reader in BUILT_IN:
        if reader.name in READS and log.kind in reader.kinds and reader.recognise(log.head):
            return reader.name
    raise ValueError(f"need an lm-eval or lighteval log, got {log.path.name}")


def read_questions(log: Log, name: str) -> list[Scored]:
    "Every question once; lm-eval repeats it for every filter."
    found: dict[Any, Scored] = {}
    try:
        for place, record in enumerate(log.records()):
            question = READS[name](place, record)
            found[question.question] = question
    except (KeyError, IndexError, TypeError, AttributeError) as fault:
        what = f"{type(fault).__name__}: {fault}"
        raise ValueError(f"{log.path.name} does not follow the layout of {name} with choices "
                         f"({what})") from fault
    return list(found.values())


def make_arrays(lists: Sequence[Any]) -> tuple[np.ndarray, ...]:
    return tuple(np.array(values, np.float64) for values in lists)


def check_gold(question: Scored, place: Any) -> None:
    size = len(question.texts)
    if isinstance(place, int) and 0 <= place < size: return
    raise ValueError(f"every question needs one right choice among its {size}, "
                     f"got {shorten(place)} at question {question.question!r}")


def place_gold(questions: Sequence[Scored]) -> list[Any]:
    """The position of the right choice of each question, as far as it can be found.

    lm-eval stores it as text, and "3" may be the fourth choice or the choice that reads 3.
    The reading that agrees with `acc` of all questions is the right one.
    """
    stored = [question.gold for question in questions]
    if not any(isinstance(gold, str) for gold in stored): return stored
    by_place, by_text = list(map(take_position, questions)), list(map(find_text, questions))
    if not are_places(by_text): return by_place
    if not are_places(by_place): return by_text
    for places in by_place, by_text:
        if all(map(agrees, questions, places)): return places
    raise ValueError("targets are positions and texts of choices at once, and acc agrees with "
                     "neither")


def are_places(gold: Sequence[Any]) -> bool: return all(isinstance(place, int) for place in gold)


def take_position(question: Scored) -> Any:
    gold = question.gold
    is_place = isinstance(gold, str) and gold.isdigit() and int(gold) < len(question.texts)
    return int(gold) if is_place else gold


def find_text(question: Scored) -> Any:
    gold, texts = question.gold, [text.strip() for text in question.texts]
    if isinstance(gold, str) and gold.strip() in texts: return texts.index(gold.strip())
    return gold


def agrees(question: Scored, gold: int) -> bool:
    "Whether a right choice makes the likeliest one right where `acc` says so."
    if question.acc is None: return True
    return bool(np.argmax(question.logprobs) == gold) == (question.acc == 1)
