"""What samples say: prompts and answers, read in a second pass for the questions of a page.

Counting never reads them. Of each question and model the first few right and wrong samples are
kept, each text cut, so that what is held does not grow with the log.
"""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias

from ..patterns import label_path
from ..results.reading import ReadSummary
from .columns import COLUMNS, simplify
from .files import is_remote, is_table, kind_of
from .listing import list_files, open_packs
from .logs.ask import Row
from .logs.limits import number_lines, parquet_rows
from .logs.log import Log
from .options import Input, Options
from .tables import leave_others, look_inside, make_ask
from .text_files import open_once, read_cells, read_layout, read_values
from .values import PAIRS, plain_name

__all__ = ["Cut", "Gathering", "SampleText", "ShownSample", "read_input"]

# Columns of plain tables, the first that is there; those of counted parts come before.
PROMPTS = ("prompt", "prompts", "question", "question_text", "problem", "input", "instruction",
           "query", "messages", "text")
ANSWERS = ("completion", "response", "output", "generation", "generated_text", "model_output",
           "prediction", "solution", "code", "reply", *COLUMNS["answer"])
# Rows of such tables are no samples, and have no answers.
SEVERAL = "lists", "totals", "run_columns"

Rows: TypeAlias = Iterator[tuple[int, Mapping[str, Any]]]  # Line or number of a row, and the row
EACH = 4  # Samples of one outcome that are kept of each question of a model
START, END = 1500, 1000  # Characters of a text that are kept; what it comes to stands at its end


@dataclass(frozen=True)
class ShownSample:
    "A sample as a page shows it."
    model: str
    outcome: Any  # Whether it is right, or its score; None without one
    said: SampleText


def read_input(
    given: Input,  # Files of a result
    wanted: Collection[str],  # Names of the questions that are shown
) -> Iterator[ShownSample]:
    "Few samples of each question under the names of the result, in the order of the files."
    gradings = given.options.split()
    ways = gradings or {"": given.options}
    for name, options in ways.items():
        for one in read_samples(given, options, Gathering.of(wanted)):
            model = name or one.model
            if given.system is None: yield ShownSample(model, one.outcome, one.said)
            elif given.model in (None, "", model):
                yield ShownSample(given.system, one.outcome, one.said)


def read_samples(given: Input, options: Options, gathering: Gathering) -> Iterator[ShownSample]:
    with open_once():
        data = open_packs(given.data, options.limits)
        files = list_files(data, options.limits)
        counted, found = look_inside(data, files, options)
        if counted: return
        if found: yield from read_logs(found, options, gathering)
        else: yield from read_tables(given, options, gathering, leave_others(
            data, files, found is not None)[0])


# Logs.

def read_logs(found: Any, options: Options, gathering: Gathering) -> Iterator[ShownSample]:
    "The samples of logs, put together as they are where they are counted."
    from .logs import several as logs
    asked = make_ask(options, gathering)
    read = logs.read_logs(found, asked, options.files_hold, options.policy.missing)
    size = len(read.texts)
    columns = {part: read.columns.get(part) or [None] * size
               for part in ("model", "correct", "score")}
    for model, correct, score, said in zip(*columns.values(), read.texts):
        if not said: continue
        outcome = find_outcome(correct, score, options)
        yield ShownSample("" if model is None else str(model), outcome, said)


def find_outcome(correct: Any, score: Any, options: Options) -> Any:
    "Whether a sample is right; its score where nothing says so."
    if options.threshold is not None and isinstance(score, (int, float)):
        return score > options.threshold
    return score if correct is None else correct


# Plain tables.

@dataclass(frozen=True)
class Layout:
    "Which columns of a table say what."
    names: tuple[str, ...]  # Parts of the name of a question
    model: str | None
    by_file: Callable[[str], str] | None  # Names the model after a file
    outcome: str | None
    threshold: float | None
    prompt: str | None
    answer: str | None

    @classmethod
    def of(cls, summary: ReadSummary, options: Options, files: Sequence[str],
           columns: Sequence[str]) -> Layout | None:
        "The columns as they were counted, and those that are likely to hold texts."
        parts = dict(summary.columns)
        if parts.get("question") not in columns: return None
        notes = {note.kind: note for note in summary.notes}
        taken = {column for part, column in parts.items() if part != "answer"}
        names: tuple[str, ...] = (parts["question"],)
        if "named_by_task" in notes: names = notes["named_by_task"].names
        elif "named_by_group" in notes and "group" in parts: names = parts["group"], *names
        paths = list(map(Path, files))
        by_file = (lambda file: label_path(Path(file), paths)) if parts.get("model") == "file" \
            and "file" not in columns else None
        outcome = parts.get("correct" if options.threshold is None else "score", parts.get("score"))
        whole = not notes.keys() & set(SEVERAL)
        answer = find_column(ANSWERS, columns, taken) or parts.get("answer")
        return cls(names, None if by_file else parts.get("model"), by_file,
                   outcome if whole else None, options.threshold,
                   find_column(PROMPTS, columns, taken | {answer}), answer if whole else None)


def find_column(names: Sequence[str], columns: Sequence[str], taken: Collection[Any]) -> str | None:
    "The first of some names that a column has which plays no other part."
    known = {simplify(column): column for column in columns if column not in taken}
    return next((known[name] for name in names if name in known), None)


def read_tables(
    given: Input, options: Options, gathering: Gathering, files: Sequence[str],
) -> Iterator[ShownSample]:
    "The samples of plain tables whose rows can be told by their place."
    for file in files:
        if is_remote(file) or is_table(file): continue
        rows = open_rows(file)
        first = next(rows, None)
        if first is None: continue
        layout = Layout.of(given.summary, options, files, list(first[1]))
        if layout is None or layout.prompt is None and layout.answer is None: continue
        yield from take_rows(file, layout, gathering, [first])
        yield from take_rows(file, layout, gathering, rows)


def take_rows(
    file: str, layout: Layout, gathering: Gathering,
    rows: Iterable[tuple[int, Mapping[str, Any]]],
) -> Iterator[ShownSample]:
    lined = kind_of(file) == "csv" or has_lines(file)
    for at, row in rows:
        cells = [plain_name(row.get(name)) for name in layout.names]
        name = "/".join(map(str, cells))
        if name not in gathering.questions: continue
        model = layout.by_file(file) if layout.by_file else str(row.get(layout.model) or "") \
            if layout.model else ""
        outcome = read_outcome(row.get(layout.outcome or ""), layout.threshold)
        if gathering.pick([name], model, outcome) is None: continue
        prompt, answer = (row.get(column) if column else None
                          for column in (layout.prompt, layout.answer))
        place = dict(line=at) if lined else dict(names=f"row {at}")
        said = SampleText(name, cut_text(prompt), cut_text(answer), file, **place)
        if said: yield ShownSample(model, outcome, said)


def read_outcome(cell: Any, threshold: float | None) -> Any:
    "A cell as right, wrong or a score; None for anything else."
    if isinstance(cell, str):
        word = cell.strip().lower()
        try: cell = float(word)
        except ValueError:
            return next((word == right for right, *wrong in PAIRS if word in (right, *wrong)), None)
    if not isinstance(cell, (bool, int, float)) or cell != cell: return None
    if threshold is not None: return cell > threshold
    return bool(cell) if cell in (0, 1) else cell


def open_rows(file: str) -> Rows:
    "The rows of a file with their lines, where it has any."
    kind = kind_of(file)
    if kind == "csv": yield from read_csv(file)
    elif kind == "json": yield from read_json(file)
    elif kind == "parquet":
        yield from enumerate(parquet_rows(Path(file)), 1)


def read_csv(file: str) -> Rows:
    _, mark, columns = read_layout(file, "csv")
    for line, cells in read_cells(file, mark, len(columns)): yield line, dict(zip(columns, cells))


def has_lines(file: str) -> bool:
    "Whether each row of a JSON file is a line."
    return kind_of(file) == "json" and read_layout(file, "json")[1] == "newline_delimited"


def read_json(file: str) -> Rows:
    for row, (line, value) in enumerate(read_values(file, read_layout(file, "json")[1]), 1):
        if isinstance(value, Mapping): yield line or row, value


# Which texts are kept, and how much of each.

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

    def number(self,
        log: Log,  # File that was opened
    ) -> Log:  # The same; while records are read, `at` is where the last one stands
        "A log that tells where its records stand."
        return NumberedLog(*(getattr(log, one.name) for one in fields(log)))

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
