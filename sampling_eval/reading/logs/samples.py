"""The samples of one log as columns, checked row by row."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import OptionTypeError
from ...spelling import marked
from ...results.reading import Repeat
from . import lighteval, lm_eval
from .ask import Ask, NoOutcomes, Row, Rows, Scored, name_outcome, number_samples
from .folder import BUILT_IN, Reader
from .grading import Grade, TextGrade
from .limits import Limits, open_packed, shorten
from .log import Log, open_log

__all__ = ["PARTS", "Table", "read_table", "Choices", "read_choices"]

PARTS = ("question", "sample", "correct", "answer", "score", "model", "task", "run", "uuid",
         "invalid", "costs", "texts")
NAME = str, type(None)
TYPES: dict[str, tuple[type, ...]] = dict(question=(int, str), sample=(int,), model=NAME, task=NAME,
                                          run=NAME, uuid=NAME)
# What a reader stumbles over when a record does not keep to its layout.
STUMBLES = (KeyError, IndexError, TypeError, AttributeError, OverflowError, StopIteration)


@dataclass
class Table:
    "The samples of one log, or of several logs of one run."
    path: Path = Path()  # Where the log is; of several, the last
    took: dict[str, str] | str = ""  # Field that was taken for each part, or a sentence on it
    columns: dict[str, list[Any]] = field(default_factory=lambda: {part: [] for part in PARTS})
    outcomes: bool = False  # Whether rows say what is correct, and not only a score
    said: Ask = field(default_factory=Ask)  # Remarks, tasks and totals
    repeat: Repeat | None = None  # Lines that the file holds several times over
    # Task and question of samples that were let go, as an earlier run holds them too
    copied: list[tuple[Any, Any]] = field(default_factory=list)

    def add(self, row: Row) -> None:
        "Add a sample."
        for part, column in self.columns.items(): column.append(row.get(part))
        self.outcomes |= "correct" in row

    def has_outcome(self) -> bool:
        "Whether anything is known of any sample."
        known = self.columns["correct"], self.columns["score"]
        return any(value is not None for column in known for value in column)

    def list_tasks(self) -> list[tuple[str, str, str]]:  # Name, version and run of each
        "The tasks that the log names; what is only the name of its file may be a model."
        run, versions = next(iter(self.columns["run"]), None) or "", self.said.versions
        names = [name for name in dict.fromkeys(self.columns["task"])
                 if name in versions or name not in (None, self.path.stem)]
        return [(name, versions.get(name, ""), run) for name in names]

    def keep(self, places: Iterable[int]) -> None:
        "Let go of the samples at all other positions."
        places = list(places)
        for column in self.columns.values(): column[:] = [column[place] for place in places]


def read_table(log: Log, reader: Reader, ask: Ask) -> Table:  # Its samples
    """The samples of one log, judged anew if the caller asks for it.

    Raises: `ValueError` if a record does not keep to the layout: nothing is read as far as it
    goes; `NoOutcomes` if nothing says which samples are right.
    """
    ask = ask.start_log()
    if ask.texts is not None: log = ask.texts.number(log)
    with blame_layout(log, reader): took, rows = reader.rows(log, ask)
    table = Table(log.path, took if isinstance(took, str) else dict(took), said=ask)
    left_out = 0
    for row in check_rows(rows, log, reader):
        if ask.task is not None and row.get("task") not in (None, ask.task):
            left_out += 1
            continue
        judged = judge_row(row, ask.grade, log) if ask.grade else row
        if ask.texts is not None: judged |= dict(texts=ask.texts.take(judged, log, took))
        table.add(judged)
    # A total counts the samples of all tasks, unless it says of which.
    if left_out: ask.totals[:] = [total for total in ask.totals if total.task == ask.task]
    table.outcomes |= ask.grade is not None
    table.repeat = find_repeat(log, len(table.columns["question"]))
    return table


@contextmanager
def blame_layout(log: Log, reader: Reader) -> Iterator[None]:
    "Turn whatever a reader stumbles over into one refusal with the file and the absent key."
    try: yield
    except Exception as fault:
        told = tell_failure(fault, log, reader)
        if told is None: raise
        raise ValueError(told) from fault


def tell_failure(fault: Exception, log: Log, reader: Reader) -> str | None:
    "What to say of a failure; None where what was raised is a refusal already."
    what = f"({type(fault).__name__}: {fault})"
    if isinstance(fault, STUMBLES):
        return f"{log.path.name} does not follow the layout of {reader.name} {what}"
    said = isinstance(fault, ValueError) and log.path.name in str(fault)
    if said or not reader.origin: return None
    return f"the reader {reader.name!r} of {reader.origin} failed on {log.path.name} {what}"


def check_rows(rows: Iterable[Row], log: Log, reader: Reader) -> Iterator[Row]:
    with blame_layout(log, reader):
        for row in rows:
            for part, types in TYPES.items():
                if not isinstance(row.get(part), types):
                    raise TypeError(f"{part} {shorten(row.get(part))}")
            yield blank_outcome(row) if row.get("missing", False) else row


def blank_outcome(row: Row) -> Row:
    "A row of a sample that broke down: what it has of correct and score is missing."
    return row | dict.fromkeys({"correct", "score"} & row.keys() or {"score"})


def judge_row(row: Row, grade: Grade, log: Log) -> Row:
    "A row with a verdict in place of its score; a choice keeps what the harness judged."
    answer, voted = row.get("answer"), {}
    if row.get("judged", False): verdict = row["score"]
    else:
        answer = None if row.get("missing", False) else row.get("graded", answer)
        try: verdict = None if answer is None else grade(answer, row.get("target"))
        except NoOutcomes as fault:
            raise NoOutcomes(f"{marked(fault)} for question {shorten(row['question'])} in "
                             f"{log.path.name}") from None
        # Answers that the rule calls equal are one in a vote.
        if isinstance(grade, TextGrade) and None not in (answer, row.get("answer")):
            voted = dict(answer=grade.spell(answer))
    return row | dict(correct=check_verdict(verdict, answer), score=None) | voted


def check_verdict(verdict: Any, answer: Any) -> bool | None:
    if verdict is None: return None
    if isinstance(verdict, (bool, np.bool_, int, float)) and verdict in (0, 1):
        return bool(verdict)
    raise OptionTypeError("grade", must="return True, False or None", found=shorten(verdict),
                          where=f" for answer {shorten(answer)}")


# JSON lines that were appended to themselves.

def find_repeat(log: Log, rows: int) -> Repeat | None:
    "The part of two or more lines that makes up the whole of a file; None if there is none."
    if log.kind != "lines" or rows < 4: return None
    with open_packed(log.path) as file:
        lines = [hash(text) for line in file if (text := line.strip())]
    size = find_shortest(lines)
    # Where a reader leaves out what stands twice, nothing is counted twice.
    if size < 2 or size == len(lines) or rows < len(lines): return None
    return Repeat(log.path.name, size, len(lines) // size)


def find_shortest(lines: Sequence[int]) -> int:
    "The shortest beginning of which the lines are a repetition; all of them if there is none."
    # The border of each beginning, as in the search of Knuth, Morris and Pratt.
    border = [0] * len(lines)
    for place in range(1, len(lines)):
        size = border[place - 1]
        while size and lines[size] != lines[place]: size = border[size - 1]
        border[place] = size + (lines[size] == lines[place])
    period = len(lines) - border[-1]
    return period if len(lines) % period == 0 else len(lines)


# Log-probabilities of multiple-choice questions.

# By what a log-probability is divided, under the names of lm-eval.
RULES: dict[str, Callable[[str], int]] = dict(
    acc=lambda text: 1, acc_norm=len, acc_bytes=lambda text: len(text.encode()))


def read_choices_of(place: int, record: dict[str, Any]) -> Scored:  # The question with its choices
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
    asked = zip(questions, gold)
    for sample, (question, place) in number_samples(asked, lambda one: one[0].question):
        best = find_best(question, RULES[name or "acc"])
        row = dict(question=question.question, sample=sample, answer=question.texts[best[0]],
                   target=question.texts[place])
        # A tie is drawn: its credit is the chance of the right one.
        yield row if name is None else row | dict(score=(place in best) / len(best))


def find_best(question: Scored, size: Callable[[str], int]) -> list[int]:
    "Positions of the choices with the largest log-probability by length."
    if not all(map(size, question.texts)):
        raise ValueError("a log-probability by length needs a text of each choice, got '' at "
                         f"question {question.question!r}")
    scores = [value / size(text) for value, text in zip(question.logprobs, question.texts)]
    return [place for place, score in enumerate(scores) if score == max(scores)]


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

    Parameters:
        path    One lm-eval or lighteval log
        limits  How many bytes are believed
        return  Log-probabilities, gold and texts of the choices

    Raises: `ValueError` if the log holds none, or a question has not exactly one right choice.
    """
    if not isinstance(path, (str, PathLike)):
        raise TypeError(f"path must be the path of a file, got {path!r:.60}")
    if Path(path).is_dir(): raise ValueError(f"read_choices reads one log, got the folder {path}")
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
