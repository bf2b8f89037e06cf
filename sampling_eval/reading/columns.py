"""Which column plays which part, in tables of records, of columns and of rows."""
from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import OptionError
from ..results.reading import ReadNote
from ..spelling import option
from .values import join_arrays, join_present

__all__ = ["COLUMNS", "RUNS", "WAYS", "choose_columns", "is_mark", "name_asked", "names_item",
           "no_column", "pick_only", "simplify", "list_words", "list_called", "tell_apart",
           "Batch", "FILE", "Keep", "Source", "list_columns", "place_samples", "join_batches",
           "take_column",
           "take_here", "zip_columns", "are_alone", "find_task", "hold_objects",
           "names_question", "add_columns", "list_plain", "list_names", "name_known_cells",
           "batch_of", "join_source", "join_sources"]

NAMES = dict(
    question="question question_id task_id problem_id doc_id prompt_id example_id item_id "
             "instance_id query_id qid id",
    sample="sample sample_id sample_index sample_idx sample_num trial trial_id epoch seed repeat "
           "repetition replica replicate attempt rollout rollout_id completion_id "
           "completion_index generation_id run run_id",
    correct="correct is_correct correctness passed is_passed success is_success outcome solved "
            "resolved",
    answer="answer prediction pred predicted predicted_answer extracted_answer model_answer "
           "parsed_answer final_answer",
    score="score reward rating",
    model="model model_name model_id system",
    cluster="cluster cluster_id group group_id passage passage_id document document_id",
    group="",
    weight="",
)
COLUMNS: dict[str, tuple[str, ...]] = {part: tuple(names.split()) for part, names in NAMES.items()}
ASKED = dict(group="by", weight="weights")  # Options that name a column by another word
WAYS = 3  # Ways out that an error spells
RUNS = "run", "run_id"  # Number the samples where no other column does
MARKS = "task", "system", "grade", "file", "status"  # Parts that only tell rows apart


Settle = Callable[[str, list[str]], list[str]]  # A part and its columns to those that are left


def choose_columns(
    columns: Iterable[str],  # Names of the columns there are
    named: Mapping[str, str | bool | None] | None = None,  # Column of a part; False uses none
    added: Collection[str] = (),  # Columns that are added up, such as costs or verdicts
    settle: Settle | None = None,  # Which of several a part has, where their values tell
) -> dict[str, str]:  # Column of each part that was found, in the order of `COLUMNS`
    """Which column plays which part.

    Raises: `ValueError` if a named column is not there, two could play one part, or none is the
    question.
    """
    columns, named = list(columns), named or {}
    taken = [name for name in named.values() if isinstance(name, str)]
    chosen = {}
    for part in COLUMNS:
        found = find_column(part, named.get(part), columns, taken, added, settle)
        if found is not None: chosen[part] = found
    if "question" not in chosen:
        refuse_taken(chosen)
        raise OptionError("question",
                          f"Which column holds the question? Got {list_names(columns)}",
                          choices=columns)
    refuse_two_parts(chosen)
    return chosen


def refuse_taken(chosen: Mapping[str, str]) -> None:
    "Refuse a table whose only column that is called as the question plays another part."
    for part, column in chosen.items():
        if simplify(column) not in COLUMNS["question"]: continue
        asked = name_asked(part)
        raise OptionError(asked, f"{option(asked, column)} leaves no column for the question",
                          found=f"{column!r}, which is called as the question",
                          hint=f"leave it out, or name another with {option('question', '...')}")


def find_column(part: str, name: str | bool | None, columns: list[str], taken: list[str],
                added: Collection[str], settle: Settle | None) -> str | None:
    "The column of one part: as named, or the only one that is called so."
    if name is False: return None
    if name is not None:
        if name not in columns: raise no_column(name_asked(part), name, columns)
        return str(name)
    found = [c for c in columns if c not in taken and simplify(c) in COLUMNS[part]]
    if len(found) > 1 and part == "sample":
        found = [c for c in found if simplify(c) not in RUNS] or found
    if len(found) > 1: found = [c for c in found if c not in added] or found
    if len(found) > 1 and settle is not None: found = settle(part, found)
    return pick_only(part, found)


def pick_only(part: str, found: Sequence[str]) -> str | None:  # The only one; None if there is none
    """The column of a part.

    Raises: `ValueError` naming two of several.
    """
    if len(found) < 2: return found[0] if found else None
    asked = name_asked(part)
    raise OptionError(asked, f"ambiguous: {found[0]!r} or {found[1]!r} could be the "
                             f"{'outcome' if part == 'correct' else part}", choices=found,
                      hint=f"pass {option(asked, *found[:WAYS])}")


def name_asked(part: str) -> str:  # Such as `by` of a group
    "The option that names the column of a part."
    return ASKED.get(part, part)


def names_item(column: object) -> bool:
    "Whether a column of clusters is called as that of the questions, whose ids items share."
    return isinstance(column, str) and simplify(column) in COLUMNS["question"]


def is_mark(part: str) -> bool:
    "Whether a part is only there to tell which rows belong together."
    return part.partition(" ")[0] in MARKS


HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")  # Where a word begins in taskId


class Twin(str):
    "The name of a column that stands in the header several times, with its place among them."
    base: str = ""


def tell_apart(
    columns: Sequence[str],  # Names in a header
) -> tuple[str, ...]:  # The same, `correct.1` and `correct.2` where one stands there twice
    "Names of which each stands for one column."
    if len(set(columns)) == len(columns): return tuple(columns)
    found, seen = [], Counter[str]()
    for column in columns:
        seen[column] += 1
        found.append(name_twin(column, seen[column]) if columns.count(column) > 1 else column)
    return tuple(found)


def name_twin(column: str, place: int) -> Twin:
    twin = Twin(f"{column}.{place}")
    twin.base = column
    return twin


def simplify(column: object) -> str:  # The same in small letters, with underscores
    "A name as it is compared with those that are known."
    if isinstance(column, Twin): column = column.base
    return HUMP.sub("_", str(column).strip()).lower().replace(" ", "_").replace("-", "_")


def list_words(column: object) -> list[str]:  # `runId`, `run_id` and `Run ID` have two
    "The words in the name of a column, in small letters."
    return [word for word in re.split(r"[_./]+", simplify(column)) if word]


def list_called(
    columns: Iterable,  # Names of columns
    known: Container[str],  # Names in small letters, with underscores
) -> list:  # The columns that are called so
    "The columns with one of the names that are known."
    return [column for column in columns if simplify(column) in known]


def list_names(names: Sequence) -> str:
    "The first twelve names in words."
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(map(repr, names[:12])) + more if names else "no columns"


def no_column(asked: str, name: object, columns: Sequence) -> OptionError:
    "The refusal of a column that is not there, with the nearest one."
    from difflib import get_close_matches
    known = list(map(str, columns))
    begun = [column for column in known if column.startswith(f"{name}")]
    near = begun or get_close_matches(str(name), known, 1, 0.6)
    return OptionError(asked, f"{option(asked, name)} is not a column", choices=columns,
                       got=name, found=list_names(columns),
                       hint=f"did you mean {near[0]!r}?" if near else "",
                       ways=[{asked: near[0]}] if near else ())


def refuse_two_parts(chosen: Mapping[str, str]) -> None:
    for part, column in chosen.items():
        also = [p for p, c in chosen.items()
                if c == column and p != part and {p, part} != {"correct", "score"}]
        if also:
            raise OptionError(name_asked(part), "a column plays one part", hint="name another",
                              found=f"{column!r} as {part} and as {also[0]}")


# A table before it is reduced: rows, and how many samples stand behind each.


FILE = "\0file"  # Stands among the columns for the file that a row is from


@dataclass(frozen=True)
class Keep:
    "What is kept of a table beside outcomes."
    answers: bool = True
    scores: bool | None = None  # None: where there are few different ones
    draws: bool = False
    threshold: float | None = None
    runs: bool = False
    whole: bool = False  # Whether all sample ids are kept, to be compared one by one
    # Columns added up of which cells may be absent: the others are added, and counted beside them.
    # None may be negative: their sum is -inf.
    costs: tuple[str, ...] = ()
    looking: bool = False  # Whether a few columns are looked at, without what names the rows


def name_known_cells(column: str) -> str:
    "Under what name it is kept how many cells of a column of costs are known."
    return f"{column}, known"


# From a batch and some of its rows, None for all, to the row and the id of each of their samples.
ListSamples = Callable[["Batch", np.ndarray | None], tuple[np.ndarray, np.ndarray] | None]


@dataclass(frozen=True, eq=False)
class Batch:
    "Rows of a table, or rows that an engine has counted: arrays of shape `(R,)`."
    parts: Mapping[str, np.ndarray]  # Values by part, from `tidy`
    times: np.ndarray  # Samples behind each row
    place: Callable[[str, int], str]  # Part and position to words for where a value stands
    added: Mapping[str, np.ndarray] = field(default_factory=dict)  # Sums over the samples of a row
    draws: np.ndarray | None = None  # Sample numbers as sets of bits, shape `(R, 3)`
    in_order: bool = True  # Whether rows stand in the order of the data
    marks: np.ndarray | None = None  # Sum of hashes of the samples of a row, where an engine counts
    check_repeats: Callable[[np.ndarray, Batch], None] | None = None  # Of an engine
    find_first: Callable[[str, np.ndarray], int] | None = None  # Which of some rows comes first
    list_samples: ListSamples | None = None  # Sample ids of some rows that an engine has counted

    def __len__(self) -> int: return len(self.times)


Head = Callable[[Sequence[str], int], dict[str, np.ndarray]]  # Columns and rows wanted
# Columns wanted, that of the questions, and the questions of which all rows are.
Whole = Callable[[Sequence[str], str, Sequence], dict[str, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Source:
    "Something with columns that can be taken as a batch."
    columns: list[str]  # Names of the columns
    take: Callable[[Mapping[str, str], Keep], Batch]  # Maps column of each part to a batch
    what: str = ""  # Words for the origin
    verb: str = "read"  # What is done to it: read or counted
    files: tuple[str, ...] = ()  # Files behind it
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # Columns of a part, if told
    sizes: tuple[int, ...] = ()  # Rows of each file; empty where an engine counts them
    head: Head | None = None  # Columns of the first rows, where taking all would be costly
    whole: Whole | None = None  # Of all rows of some questions, where there is a head
    holds_lists: Callable[[str], bool] | None = None  # Of a column; None: its cells show it
    plain: Callable[[], list[Source]] | None = None  # The rows one by one, where they are counted
    tells_files: bool = False  # Whether it takes `FILE` for a column, as engines do
    notes: tuple[ReadNote, ...] = ()  # What was done to make a table of it


def list_columns(sources: Sequence[Source]) -> list[str]:  # Names of their columns, each once
    "The columns of a table in the order in which they first appear."
    return list(dict.fromkeys(column for source in sources for column in source.columns))


def list_plain(sources: Sequence[Source]) -> list[Source]:
    "The same row by row, where an engine would count them."
    return [part for source in sources for part in (source.plain() if source.plain else [source])]


Make = Callable[..., np.ndarray]  # Cells of some columns to those of another one


def add_columns(
    source: Source,  # A table as it stands
    made: Mapping[str, tuple[Sequence[str], Make]],  # Columns each is made of, and what makes it
) -> Source:
    "The same with columns made of others, or of themselves, whose cells are taken as they stand."
    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        own = {name: made[name] for name in chosen.values() if name in made}
        if not own: return source.take(chosen, keep)
        needed = [column for columns, _ in own.values() for column in columns]
        whole = {part: name for part, name in chosen.items() if name not in own}
        # As text: "4" of a CSV file is compared as it was written.
        looked = {f"look {column}": column for column in needed}
        base = source.take({"question": needed[0]} | whole | looked, keep)
        cells = {name: make(*(base.parts[f"look {column}"] for column in columns))
                 for name, (columns, make) in own.items()}
        return replace(base, parts={part: cells[name] if name in own else base.parts[part]
                                    for part, name in chosen.items()})
    columns = list(dict.fromkeys([*source.columns, *made]))
    return replace(source, columns=columns, take=take, head=None, plain=None)


def join_source(
    source: Source,  # A table as it stands
    columns: Sequence[str],  # Some of its columns
) -> Source:  # The same with a column of their values, called `run,iteration`
    "Several columns that are one name together."
    if not set(columns) <= {*source.columns}: return source
    if source.head is not None: source = join_sources(list_plain([source]))
    return add_columns(source, {",".join(columns): (columns, join_cells)})


def join_cells(*columns: np.ndarray) -> np.ndarray:  # `r0/1`, None where one is absent
    "The values of several columns side by side."
    rows = zip(*(column.tolist() for column in columns))
    return np.array([None if None in row else "/".join(map(str, row)) for row in rows], object)


def join_sources(sources: Sequence[Source]) -> Source:
    "One source, so that a question of two files is seen."
    if len(sources) == 1: return sources[0]

    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        return join_batches([take_here(source, chosen, keep) for source in sources])
    files = tuple(file for source in sources for file in source.files)
    first = sources[0]
    return Source(list_columns(sources), take, first.what, first.verb, files, tells_files=True)


def place_samples(
    place: Mapping[tuple, int],  # A row of a batch by its names down to the question, as text
    found: Sequence[tuple],  # The same names of some samples, and then their ids
) -> tuple[np.ndarray, np.ndarray]:  # Row and id of each sample whose row is there
    "The row of the batch to which each sample belongs."
    held = [(row, name[-1]) for name in found if (row := place.get(name[:-1])) is not None]
    rows, ids = zip(*held) if held else ((), ())
    return np.array(rows, np.int64), np.fromiter(ids, object, len(ids))


def place_row(part: str, row: int) -> str: return f"at row {row}"


def batch_of(parts: Mapping[str, np.ndarray],
             place: Callable[[str, int], str] = place_row) -> Batch:
    "Rows that stand for one sample each."
    return Batch(parts, np.ones(len(parts["question"]), np.int64), place)


def take_column(source: Source, part: str, column: str) -> np.ndarray:
    "The values of one column."
    return source.take({"question": column, part: column}, Keep()).parts[part]


def zip_columns(source: Source, columns: Sequence[str]) -> Iterator[tuple]:
    "The values of some columns, row by row."
    return zip(*(take_column(source, "answer", column).tolist() for column in columns))


def take_here(source: Source, chosen: Mapping[str, str], keep: Keep) -> Batch:
    "What a source holds of the chosen columns; a part that it lacks is absent."
    here = {part: column for part, column in chosen.items() if column in source.columns}
    of_file = [part for part, column in chosen.items() if column == FILE]
    if "question" in here and source.verb == "read" and not source.tells_files:
        return add_files(source, source.take(here, keep), of_file)
    if "question" in here: return source.take(here | dict.fromkeys(of_file, FILE), keep)
    raise no_column("question", chosen["question"], source.columns)


def add_files(source: Source, batch: Batch, parts: list[str]) -> Batch:
    "The same rows with the file of each under some parts."
    if not parts: return batch
    files = np.array(source.files, object)
    column = np.repeat(files, source.sizes or len(batch))
    return replace(batch, parts={**batch.parts, **dict.fromkeys(parts, column)})


def join_batches(batches: list[Batch]) -> Batch:  # All their rows
    "One batch from several; a part that is absent somewhere is missing there."
    if len(batches) == 1: return batches[0]
    stack = Stack(batches, np.cumsum(list(map(len, batches))).tolist())
    times = np.concatenate([batch.times for batch in batches])
    draws = join_present([batch.draws for batch in batches])
    marks = join_present([batch.marks for batch in batches])
    return Batch(join_parts(batches), times, stack.place, join_added(batches), draws,
                 batches[0].in_order, marks, find_first=stack.find_first)


@dataclass(frozen=True, eq=False)
class Stack:
    "Batches one after another, and the row at which each ends."
    batches: list[Batch]
    ends: list[int]

    def find(self, row: int) -> tuple[Batch, int]:
        "The batch in which a row stands, and the row at which that batch starts."
        i = bisect_right(self.ends, row)
        return self.batches[i], self.ends[i] - len(self.batches[i])

    def place(self, part: str, row: int) -> str:
        "Words for where a value stands."
        batch, start = self.find(row)
        return batch.place(part, row - start)

    def find_first(self, part: str, some: np.ndarray) -> int:
        "Which of some rows comes first: of the first batch that has any, as that batch knows."
        batch, start = self.find(int(some.argmax()))
        here = some[start:start + len(batch)]
        first = here.argmax() if batch.find_first is None else batch.find_first(part, here)
        return start + int(first)


def join_parts(batches: list[Batch]) -> dict[str, np.ndarray]:
    names = dict.fromkeys(part for batch in batches for part in batch.parts)
    return {part: join_arrays([fill_part(batch, part) for batch in batches]) for part in names}


def fill_part(batch: Batch, part: str) -> np.ndarray:
    return batch.parts[part] if part in batch.parts else np.full(len(batch), None)


def join_added(batches: list[Batch]) -> dict[str, np.ndarray]:
    names = dict.fromkeys(name for batch in batches for name in batch.added)
    return {name: np.concatenate([b.added.get(name, np.zeros(len(b))) for b in batches])
            for name in names}


# Questions that no known column names: columns such as `task`, and numbers of rows.


Named = Mapping[str, str | bool]  # Column of a part; False uses none
TASKS = "task task_name problem problem_name item item_name prompt case test test_name name".split()
TRIALS = set("trial trial_id epoch seed rep repeat repetition replica replicate attempt rollout "
             "attempt_no trial_no run run_id iteration iter".split())
UNNAMED = re.compile(r"|Unnamed: 0|index")  # How pandas calls its index in a file


def names_question(columns: Sequence[str]) -> bool:
    "Whether a column is called like that of the questions."
    return bool(list_called(columns, COLUMNS["question"]))


def are_alone(sources: Sequence[Source], columns: Sequence[str], taken: set) -> bool:
    "Whether nothing stands beside the samples but the numbers of rows that pandas writes."
    left = [c for c in list_columns(sources) if c in columns and c not in taken]
    return all(UNNAMED.fullmatch(str(column)) and are_row_numbers(sources, column)
               for column in left)


def hold_objects(sources: Sequence[Source], columns: Iterable[object]) -> bool:
    "Whether lists hold objects, as in a document whose rows stand under a name."
    cells = (cell for source in sources for column in columns if column in source.columns
             for cell in take_column(source, "answer", str(column)).tolist())
    return any(isinstance(value, Mapping) for cell in cells if isinstance(cell, list)
               for value in cell)


def are_row_numbers(sources: Sequence[Source], column: str) -> bool:
    "Whether a column counts the rows, from 0 or from 1."
    values = [value for source in sources for value in take_column(source, "question", column)]
    plain = list(dict.fromkeys(values))
    return plain in (list(range(len(plain))), list(range(1, len(plain) + 1)))


def find_task(sources: list[Source], columns: Sequence[str], named: Named) -> Named:
    """A column such as `task`, where each of its values was tried several times.

    It is the question if nothing else could be: there is an outcome, and a number of the trial
    that repeats in no task. Where the samples have ids, the task could hold other questions.
    """
    if "question" in named or names_question(columns): return {}
    found = [c for c in columns if simplify(c) in TASKS and c not in named.values()]
    sample = named.get("sample") or next((c for c in columns if simplify(c) in TRIALS), None)
    right = named.get("correct") or next(
        (c for c in columns if simplify(c) in COLUMNS["correct"]), None)
    if len(found) != 1 or sources[0].verb != "read": return {}
    if not {sample, right} <= set(columns) or simplify(str(sample)) not in TRIALS: return {}
    model = named.get("model") or next((c for c in columns if simplify(c) in COLUMNS["model"]), "")
    keys = [found[0], str(sample), *[str(model)] * (model in columns)]
    if any(not set(keys) <= set(source.columns) for source in sources): return {}
    rows = [tuple(map(repr, row)) for source in sources for row in zip_columns(source, keys)]
    tasks = len({row[0] for row in rows})
    return dict(question=found[0]) if tasks < len(set(rows)) == len(rows) else {}
