"""What samples say: prompts and answers, read in a second pass for the questions of a page.

Counting never reads them. Of each question and model the first few right and wrong samples are
kept, each text cut, so that what is held does not grow with the log.
"""
from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from ..patterns import label_path
from ..records import dataclass
from ..results.reading import ReadSummary
from .columns import COLUMNS, simplify
from .counts_file import find_counts
from .text_files import long_cells, open_file, open_once, read_layout, split_values
from .files import is_remote, is_table, kind_of, list_files
from .harness.limits import parquet_rows
from .harness.samples import Gathering, SampleText, cut_text
from .options import Input, Options
from .paths import leave_others, make_ask, search_logs
from .values import PAIRS, plain_name

__all__ = ["ShownSample", "read_input"]

# Columns of plain tables, the first that is there; those of counted parts come before.
PROMPTS = ("prompt", "prompts", "question", "question_text", "problem", "input", "instruction",
           "query", "messages", "text")
ANSWERS = ("completion", "response", "output", "generation", "generated_text", "model_output",
           "prediction", "solution", "code", "reply", *COLUMNS["answer"])
# Rows of such tables are no samples, and have no answers.
SEVERAL = "lists", "totals", "run_columns"
NAMED = "named_by_task", "named_by_group"

Rows: TypeAlias = Iterator[tuple[int, Mapping[str, Any]]]  # Line or number of a row, and the row


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
        files = list_files(given.data)
        if find_counts(files): return
        found = None if options.names_columns else search_logs(given.data, files, options)
        if found: yield from read_logs(found, options, gathering)
        else: yield from read_tables(given, options, gathering, leave_others(
            given.data, files, found is not None)[0])


# Logs.

def read_logs(found: Any, options: Options, gathering: Gathering) -> Iterator[ShownSample]:
    "The samples of logs, put together as they are where they are counted."
    from .harness import logs
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
        found = next((word == right for right, wrong in PAIRS if word in (right, wrong)), None)
        if found is not None: return found
        try: cell = float(word)
        except ValueError: return None
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
    with open_file(file) as opened, long_cells():
        rows = csv.reader(io.TextIOWrapper(opened, "utf-8-sig", newline=""), delimiter=mark)
        start = 1
        for row in rows:
            line, start = start, rows.line_num + 1
            if row and line > 1: yield line, dict(zip(columns, row))


def has_lines(file: str) -> bool:
    "Whether each row of a JSON file is a line."
    return kind_of(file) == "json" and read_layout(file, "json")[1] == "newline_delimited"


def read_json(file: str) -> Rows:
    with open_file(file) as opened:
        if has_lines(file):
            for at, line in enumerate(opened, 1):
                if line.strip(): yield at, json.loads(line)
        else:
            found = split_values(opened.read().decode(), read_layout(file, "json")[1])
            yield from ((at, row) for at, row in enumerate(found, 1) if isinstance(row, Mapping))
