"""What the samples of logs say, gathered in a second pass for the questions that are asked for."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any

from ...records import dataclass
from .ask import Row
from .limits import number_lines
from .log import Log

__all__ = ["Cut", "SampleText", "Gathering", "cut_text", "number_log"]

EACH = 4  # Samples of one outcome that are kept of each question of a model
START, END = 1500, 1000  # Characters of a text that are kept; what it comes to stands at its end


@dataclass(frozen=True)
class Cut:
    "A text, or its beginning and its end."
    start: str
    end: str = ""
    left_out: int = 0  # Characters between the two

    @property
    def size(self) -> int:
        "Characters that are kept."
        return len(self.start) + len(self.end)


@dataclass(frozen=True)
class SampleText:
    "What one sample says, and where it stands."
    question: str  # Its question, as it was asked for
    prompt: Cut | None
    answer: Cut | None
    path: str  # File
    line: int | None = None  # Its line, where a file has lines
    names: str = ""  # Else its names, or the number of its row

    def __bool__(self) -> bool: return self.prompt is not None or self.answer is not None


@dataclass(frozen=True)
class Gathering:
    "Takes the first samples of each question that is asked for."
    questions: Collection[str]  # Names of questions
    taken: Counter[Any]  # Samples by model, question and outcome

    @classmethod
    def of(cls, questions: Iterable[str]) -> Gathering: return cls(frozenset(questions), Counter())

    def pick(self,
        names: Collection[str],  # What the question may be called
        model: Any,  # Whose sample it is
        outcome: Any,  # Right, wrong, or a score
    ) -> str | None:  # Name that was asked for, if the sample is among the first of its kind
        "The question of a sample that is kept, which is counted."
        found = next((name for name in names if name in self.questions), None)
        if found is None: return None
        key = found, model, outcome if outcome in (0, 1) else None
        self.taken[key] += 1
        return found if self.taken[key] <= EACH else None

    def take(self,
        row: Row,  # Parts of a sample
        log: Log,  # Where it stands
        took: Any,  # Field that was taken for each part, or a sentence on it
    ) -> SampleText | None:
        "What a sample of a log says, if it is wanted."
        names = str(row["question"]), f"{row.get('task')}/{row['question']}"
        outcome = row.get("correct", row.get("score"))
        name = self.pick(names, (log.path, row.get("model"), row.get("task")), outcome)
        if name is None: return None
        prompt, answer = row.get("said", (None, None))
        if answer is None: answer = row.get("answer")
        place = tell_place(row, log, took if isinstance(took, dict) else {})
        return SampleText(name, cut_text(prompt), cut_text(answer), str(log.path), **place)


def tell_place(row: Row, log: Log, took: dict[str, str]) -> dict[str, Any]:
    "The line of a sample; else its row or its names, by which a log is searched."
    at = row.get("at") or log.at
    if at: return dict(line=at) if log.kind == "lines" else dict(names=f"row {at}")
    named = [(took.get(part, part), row.get(part)) for part in ("question", "sample")]
    # A sentence on a field is no name of it.
    return dict(names=", ".join(f"{part if ' ' in field else field} {value}"
                                for part, (field, value) in zip(("question", "sample"), named)))


def number_log(
    log: Log,  # File that was opened
) -> Log:  # The same; while records are read, `at` is where the last one stands
    "A log that tells where its records stand."
    return NumberedLog(*(getattr(log, one.name) for one in fields(log)))


class NumberedLog(Log):
    "A log that knows the place of the record that it gave last, until it gave all."

    def records(self, columns: Sequence[str] = ()) -> Iterator[Any]:
        lines = self.kind == "lines"
        numbered = (number_lines(self.path, self.limits) if lines
                    else enumerate(super().records(columns), 1))
        single = self.kind in ("document", "archive")
        try:
            for at, record in numbered:
                self.at = None if single else at
                yield record
        finally: self.at = None


# Texts.

def cut_text(
    value: Any,  # A text, messages, a function that gives one, or anything else
) -> Cut | None:  # None where it says nothing
    "The text of a value, cut where it is long."
    text = tell_text(value() if callable(value) else value)
    if not text: return None
    more = len(text) - START - END
    return Cut(text) if more <= 0 else Cut(text[:START], text[-END:], more)


def tell_text(value: Any) -> str:
    "Messages as what they say, each below who says it; data of another kind as JSON."
    if value is None or isinstance(value, str): return value or ""
    if isinstance(value, dict) and "content" in value: return tell_message(value)
    if isinstance(value, (list, tuple)):
        if all(isinstance(one, str) or isinstance(one, dict) and "content" in one for one in value):
            return "\n\n".join(map(tell_text, value))
    try: return json.dumps(value, ensure_ascii=False, indent=1, default=str)
    except (ValueError, RecursionError): return ""


def tell_message(message: dict[str, Any]) -> str:
    "One message: its role, what it says, and what it calls."
    content, role = message["content"], message.get("role")
    parts = content if isinstance(content, list) else [content]
    said = "\n".join(str(part.get("text") or f"[{part.get('type', 'no text')}]")
                     if isinstance(part, dict) else tell_text(part) for part in parts)
    calls = message.get("tool_calls")
    more = json.dumps(calls, ensure_ascii=False, default=str) if calls else ""
    whole = "\n".join(filter(None, [said, more]))
    return f"{role}: {whole}" if role and whole else whole
