"""Which rows are samples of one question, as the names of columns and files tell.

`chosen` is the column of each part throughout. Columns without a part that is known by name
(`find_marks`) tell tasks, systems and graders apart; what no name tells is looked for in the first
rows: other texts, crossed designs, copies and runs.
"""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, lgamma, log
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import OptionError
from ..spelling import name_option, option
from ..patterns import label_path
from ..results.reading import ReadNote
from .column_names import KIND_NAMES, KINDS, KNOWN, TEXTS
from .columns import (Batch, COLUMNS, FILE, Keep, RUNS, Source, is_mark, list_called,
                      list_columns, no_column, simplify)
from .counted import CountedRows
from .options import Options
from .values import (code_values, find_varied, is_whole_text, join_codes, join_columns,
                     order_value, plain_name, tidy)

__all__ = ["choose_files", "label_files", "find_marks", "list_unused", "settle_tasks",
           "refuse_others", "advise_files", "advise_repeat", "list_keys", "join_names",
           "find_coincidence", "have_common", "refuse_row_ids", "check_duplicates",
           "are_duplicates", "join_heads", "list_scope", "name_tasks", "find_texts",
           "refuse_named_runs", "refuse_other_text", "read_name", "are_numbers", "FIRST", "MANY"]

# Files that hold models.

def choose_files(chosen: Mapping[str, str], options: Options,
                 files: Sequence[str]) -> dict[str, str]:
    """Columns of all parts, files among them.

    Raises: `ValueError` if models are to be named by files, and a column names them already.
    """
    if options.files_hold != "models" or len(files) < 2: return dict(chosen)
    if "model" not in chosen: return {**chosen, "model": FILE}
    raise OptionError(
        "files_hold", f"{option('files_hold', 'models')} names each model after its file, but "
                      f"there is {option('model', chosen['model'])}",
        hint=f"leave {name_option('files_hold')} out, or pass {option('model', False)}")


def label_files(rows: CountedRows, chosen: Mapping[str, str], files: Sequence[str]) -> CountedRows:
    "Models named after files, without the folders that all have in common."
    if chosen.get("model") != FILE or rows.model is None: return rows
    paths = list(map(Path, files))
    labels = {os.fspath(file): label_path(path, paths) for file, path in zip(files, paths)}
    names = [labels.get(name, name) for name in rows.model.tolist()]
    return replace(rows, model=np.array(names, object))


# Columns that are known by name.

def find_marks(columns: Sequence[str], chosen: Mapping[str, str], options: Options,
               files: Sequence[str]) -> dict[str, str]:  # Column by part, such as `task dataset`
    """Columns that are not used, and may tell which rows belong together.

    Raises: `ValueError` for an ignored column that is not there.
    """
    order = {name: at for at, name in enumerate(KINDS)}
    left = [c for c in list_unused(columns, chosen, options) if simplify(c) in KINDS]
    left.sort(key=lambda column: order[simplify(column)])
    marks = {f"{KINDS[simplify(c)]} {c}": c for c in left}
    if "cluster" in chosen and simplify(chosen["cluster"]) in KIND_NAMES["task"].split():
        marks[f"task {chosen['cluster']}"] = chosen["cluster"]
    if len(files) > 1 and may_hold_draws(chosen, options): marks["file"] = FILE
    return marks


def may_hold_draws(chosen: Mapping[str, str], options: Options) -> bool:
    "Whether files may hold samples of one model: as the caller says, or as no column denies."
    if options.files_hold is not None: return options.files_hold == "draws"
    named = {"sample", "model"} & chosen.keys()
    return not named and options.columns.get("model") is not False


def list_unused(columns: Sequence[str], chosen: Mapping[str, str], options: Options) -> list[str]:
    "Columns that play no part, and that nobody said to leave out."
    odd = [c for c in options.ignore if c not in columns]
    if odd: raise no_column("ignore", odd[0], columns)
    told = [part for part, column in options.columns.items() if column is False or part == "model"]
    refused = {name for part in told for name in COLUMNS[part]}
    used = {*chosen.values(), *options.sums, *options.ignore}
    # Columns that name samples together, such as `run,iteration`, are used one by one.
    used |= {one for name in chosen.values() if "," in name for one in name.split(",")}
    return [c for c in columns if c not in used and simplify(c) not in refused]


def settle_tasks(batch: Batch, chosen: Mapping[str, str]) -> tuple[Batch, list[ReadNote]]:
    "Tasks in which the names of questions restart become part of the name; others are left out."
    marks = name_tasks(batch)
    if not marks: return batch, []
    scope = join_columns(batch.parts[part] for part in ("question", "group") if part in batch.parts)
    tasks = []
    for part in marks:
        code = code_values(batch.parts[part])[0]
        if not find_varied(scope, code).any(): continue
        tasks.append(part)
        scope = join_codes(scope, code)
    idle = set(marks) - set(tasks)
    parts = {part: values for part, values in batch.parts.items() if part not in idle}
    if not tasks: return replace(batch, parts=parts), []
    names = (*(part.partition(" ")[2] for part in tasks), chosen["question"])
    return replace(batch, parts=parts), [ReadNote("named_by_task", names)]


def refuse_others(batch: Batch, chosen: Mapping[str, str], options: Options) -> None:
    """Refuse a question that has rows of several systems, graders or files.

    Raises: `ValueError` naming the column, a question and what to pass.
    """
    idle = {*name_tasks(batch), *["file"] * (options.files_hold == "draws")}
    marks = [part for part in batch.parts if is_mark(part) and part not in idle]
    if not marks: return
    whole = [part for part in ("question", "group", *name_tasks(batch), "model")
             if part in batch.parts]
    scope = join_columns(batch.parts[part] for part in whole)
    for part in marks: refuse_varied(batch, chosen["question"], part, scope)


def refuse_varied(batch: Batch, question: str, part: str, scope: np.ndarray) -> None:
    code, names = code_values(batch.parts[part])
    varied = find_varied(scope, code)
    if not varied.any(): return
    questions = tidy(batch.parts["question"]).tolist()
    first = min(np.flatnonzero(varied).tolist(), key=lambda row: order_value(questions[row]))
    both = sorted({names[c] for c in code[scope == scope[first]].tolist()}, key=order_value)[:2]
    got = " and ".join(tell_value(part, value) for value in both)
    bad = len(set(scope[varied].tolist()))
    nameable = {type(plain_name(name)) for name in names} <= {int, str}
    once = nameable and len(np.unique(join_codes(scope, code))) == batch.times.sum()
    asked, rule, ways = tell_rule(part, part.partition(" ")[2], once)
    where = (f" for {question} {plain_name(questions[first])!r} "
             f"({bad} of {int(scope.max()) + 1} questions fail)")
    raise OptionError(asked, rule, found=got, where=where, hint=ways)


def tell_rule(part: str, column: str, once: bool) -> tuple[str, str, str]:
    "The option and the rule of a column, and the ways out; values that come once may be samples."
    if part == "file":
        return ("files_hold", "files with the same questions must be told apart",
                f"pass {option('files_hold', 'models')} if each file is a model, "
                f"{option('files_hold', 'draws')} if they hold more samples of one; if they are "
                "other tasks, add a column dataset to each")
    keep = f"keep the rows of one {column}"
    ignore = f"{option('ignore', column)} if it changes nothing"
    if part.startswith("grade "):
        return ("ignore", f"a sample has one outcome, but there are rows of several {column}",
                f"{keep}, or pass {ignore}")
    draws = f"{option('sample', column)} if they are draws of one model, " if once else ""
    return ("model", f"a question needs rows of one {column}",
            f"pass {option('model', column)} to tell them apart, {draws}or {ignore}; or {keep}")


def tell_value(part: str, value: Any) -> str:
    return repr(re.split(r"[\\/]", value)[-1] if part == "file" else plain_name(value))


# The names of one sample.

def list_keys(batch: Batch) -> list[str]:  # Parts that name a sample
    "Question and sample last, after what tells questions apart."
    whole = [part for part in ("file", "model", "group") if part in batch.parts]
    return [*whole, *name_tasks(batch), "question", "sample"]


def name_tasks(batch: Batch) -> list[str]:  # Parts of the tasks, in the order of their names
    "The tasks that questions are named by."
    return [part for part in batch.parts if part.startswith("task ")]


def join_names(batch: Batch, named: Mapping[str, Any]) -> dict[str, Any]:
    "The names of a sample, its question called by group and task where these name it."
    outer = [*["group"] * names_restart(batch), *name_tasks(batch)]
    question = named["question"]
    if outer: question = "/".join(str(named[part]) for part in [*outer, "question"])
    return {part: question if part == "question" else name for part, name in named.items()
            if part in ("file", "model", "question", "sample")}


def names_restart(batch: Batch) -> bool:
    "Whether one question stands in several groups."
    if "group" not in batch.parts: return False
    scope = code_values(batch.parts["question"])[0]
    for part in name_tasks(batch): scope = join_codes(scope, code_values(batch.parts[part])[0])
    return bool(find_varied(scope, code_values(batch.parts["group"])[0]).any())


def advise_repeat(columns: Sequence[str], chosen: Mapping[str, str], files: Sequence[str]) -> str:
    "The ways out of a sample that appears twice."
    own = f"if each row is a sample of its own, pass {option('sample', False)}"
    runs = [c for c in (chosen["sample"], *columns)
            if simplify(c) in RUNS and c != chosen.get("model")]
    if runs:
        return (f"if each {runs[0]} is a model of its own, pass {option('model', runs[0])}; {own}")
    others = [c for c in columns if c not in chosen.values()]
    which = f" ({', '.join(others[:3])}{', ...' * (len(others) > 3)})" if others else ""
    ways = [f"if a column{which} tells them apart, pass {option('model', '...')} or "
            f"{option('sample', '...')}", own, advise_files(files)]
    return "; ".join(filter(None, ways))


def advise_files(files: Sequence[str]) -> str:
    "The way out of a sample that stands in two files; empty where there is one."
    if len(files) < 2: return ""
    return ("if the files hold other models or more samples, pass "
            f"{option('files_hold', 'models', 'draws')}")


# Rows that may be other than they seem: copies, other systems, texts and runs.


CHANCE = 1e-4  # Of a refusal of independent runs, at most
MANY = 100  # Columns without a known name that are looked at
FIRST = 10_000  # Rows that are looked at where an engine holds the data
FEW = 50  # Different values of a column that may tell systems apart
NUMBERED = re.compile(r"[0-9a-f]{8,}|[0-9]+")
WIDE = 200  # Columns that may number samples; of more the first ones
LARGE = 100 * FIRST  # Rows that are looked at where somebody said not to use a column


@dataclass(frozen=True)
class Coincidence:
    "Two runs with the same counts on all questions that both have."
    first: int  # Position of one run
    second: int  # Position of the other
    questions: int  # Questions that both have
    chance: float  # Chance of this for independent samples of equal questions

    @property
    def said(self) -> str:
        "What was seen, and how likely it is."
        return (f"they agree in every count of {self.questions} questions, which independent runs "
                f"do with a chance of {self.chance:.0e}")


def have_common(run: np.ndarray, pair: np.ndarray) -> bool:
    "Whether a question has samples in two runs."
    several = np.unique(run.astype(np.int64) * (int(pair.max()) + 1) + pair)
    return len(several) > len(np.unique(pair))


def find_coincidence(
    run: np.ndarray,  # Run of each row, as a code, shape `(R,)`
    pair: np.ndarray,  # Model and question of each row, as a code
    right: np.ndarray,  # Whether its samples are right; 0 where that is not known
    code_contents: Callable[[], np.ndarray],  # Code of question, outcome, answer and score of each
    times: np.ndarray,  # Samples behind each row
) -> Coincidence | None:  # Two runs that agree too well
    """Two runs that agree so well that independent ones do so once in ten thousand times.

    Given all samples of a question, each split into two runs is equally likely if they are
    independent, whatever the model: the chance of two equal halves is multivariate
    hypergeometric. Questions without a choice, of which all samples are equal, say nothing, so
    that runs with deterministic decoding or a single question are never refused.
    """
    size, models = int(run.max()) + 1, int(pair.max()) + 1
    at = run * models + pair
    n = np.bincount(at, times, size * models).reshape(size, models)
    c = np.bincount(at, times * right, size * models).reshape(size, models)
    pairs, content = size * (size - 1) // 2, None
    for one, other in combinations(range(size), 2):
        both = (n[one] > 0) & (n[other] > 0)
        equal = (n[one] == n[other]) & (c[one] == c[other])
        if not both.any() or not equal[both].all(): continue
        if content is None: content = code_contents()
        chance = compare_contents(run, pair, content, times, (one, other), both)
        if chance is None or chance > log(CHANCE / pairs): continue
        return Coincidence(one, other, int(both.sum()), exp(max(chance, -700)))
    return None


def compare_contents(run: np.ndarray, pair: np.ndarray, content: np.ndarray, times: np.ndarray,
                     sides: Sequence[int], both: np.ndarray) -> float | None:
    "Logarithm of the chance of two equal runs; None where they differ."
    tables = [sum_contents(content[own], pair[own], times[own])
              for own in ((run == side) & both[pair] for side in sides)]
    (names, question, counts), (others, _, more) = tables
    if not np.array_equal(names, others) or not np.array_equal(counts, more): return None
    n = np.bincount(question, counts)
    ways = np.bincount(question, [2 * lgamma(m + 1) - lgamma(2 * m + 1) for m in counts])
    return float(sum(2 * lgamma(m + 1) - lgamma(2 * m + 1) - way
                     for m, way in zip(n.tolist(), ways.tolist()) if m))


def sum_contents(content: np.ndarray, pair: np.ndarray,
                 times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    "Each content, its question, and how many samples have it."
    names, first, row = np.unique(content, return_index=True, return_inverse=True)
    return names, pair[first], np.bincount(row, times)


def list_scope(batch: Batch, chosen: Mapping[str, str]) -> list[str]:
    "The columns that name one question of one model."
    names = [chosen[part] for part in ("question", "group", "model") if part in chosen]
    names += [part.partition(" ")[2] for part in name_tasks(batch)]
    return [name for name in names if name != FILE]


def find_texts(
    columns: Iterable[str],  # Names of columns
) -> list[str]:  # Those called as the text of a question
    "The columns that hold what was asked."
    return list_called(columns, TEXTS)


def join_heads(sources: Sequence[Source], columns: Sequence[str],
               size: int = FIRST) -> dict[str, np.ndarray]:
    "Some columns of the first rows; all rows of what is small."
    wanted = list(dict.fromkeys(columns))
    tables = []
    for source in sources:
        here = [c for c in wanted if c in source.columns] or source.columns[:1]
        if source.head: tables.append(source.head(here, size))
        else: tables.append(take_columns(source, here))
    sizes = [len(next(iter(table.values()))) for table in tables]
    return {c: tidy([value for table, size in zip(tables, sizes)
                     for value in (table[c].tolist() if c in table else [None] * size)])
            for c in wanted}


def take_columns(source: Source, columns: Sequence[str]) -> dict[str, np.ndarray]:
    wanted = {f"look {c}": c for c in columns} | {"question": columns[0]}
    parts = source.take(wanted, Keep(looking=True)).parts
    return {c: parts[f"look {c}"] for c in columns}


def refuse_named_runs(column: str, values: np.ndarray) -> None:
    "Refuse a column of runs whose values are names rather than numbers."
    texts = sorted({str(plain_name(value)) for value in values.tolist() if value is not None})
    stems = {NUMBERED.sub("#", text.lower()): text for text in reversed(texts)}
    if len(stems) < 2: return
    one, other = sorted(stems.values())[:2]
    raise OptionError(
        "model", f"{column} must number the samples", found=f"{one!r} and {other!r}",
        hint=f"pass {option('model', column)} if each is a model of its own, or "
             f"{option('sample', column)} if they are draws of one model")


def refuse_other_text(head: Mapping[str, np.ndarray], question: str, column: str,
                      scope: np.ndarray) -> None:
    "Refuse one name for two texts."
    texts = head[column]
    said = find_said(texts)
    if not said.any(): return
    varied = find_varied(scope[said], code_values(texts[said])[0])
    if not varied.any(): return
    names = {read_name(name) for name in head[question][said][varied].tolist()}
    few = len(set(map(str, texts[said].tolist()))) <= scope.max()
    way = (f"{option('model', column)} to tell these apart" if few else
           f"{option('question', column)} if the text is the question")
    raise OptionError(
        "ignore", f"one {question} needs one {column}",
        found=f"two for {min(names, key=order_value)!r}",
        hint=f"pass {way}, or {option('ignore', column)} if its wording changes from sample to "
             "sample")


def read_name(value: Any) -> Any:
    "A value as a name; the cells of a CSV file are text."
    whole = isinstance(value, str) and is_whole_text(value)
    return int(value) if whole else plain_name(value)


def are_numbers(names: Sequence[Any]) -> bool:
    "Whether values count samples, from 0 or 1."
    whole = [name for name in map(read_name, names) if type(name) is int]
    return sorted(whole) in (list(range(len(names))), list(range(1, len(names) + 1)))


# Names of rows beside texts that repeat.

def refuse_row_ids(
    head: Mapping[str, np.ndarray],  # First rows of the models and of the texts of questions
    models: Sequence[str],  # Columns of models
    texts: Sequence[str],  # Columns of texts
    rows: CountedRows,  # All rows
    question: str,  # Column of the questions
) -> None:
    """Refuse names that number the rows where the text of the question repeats.

    Raises: `ValueError` with both ways out.
    """
    if not texts or len(rows) < 3 or has_several(rows): return
    # Texts that repeat while another one does not are parts of it, such as an instruction.
    if not all(repeats(head[column], [head[c] for c in models]) for column in texts): return
    column = max(texts, key=lambda name: len(code_values(head[name])[1]))
    raise OptionError(
        "question", f"{len(rows)} rows have {len(rows.questions)} different {question}, "
                    f"but most share their {column} with another",
        hint=f"pass {option('question', column)} if rows of one {column} are samples of one "
             f"question, {option('question', question)} if each is a question of its own")


def has_several(rows: CountedRows) -> bool:
    "Whether a question has more than one sample of a model."
    if len(rows) == len(rows.questions): return False
    if rows.model is None: return True
    return len(set(zip(rows.model.tolist(), rows.question.tolist()))) < len(rows)


def repeats(texts: np.ndarray, models: Sequence[np.ndarray]) -> bool:
    "Whether most rows have a text that comes more than once, and texts differ at all."
    said = find_said(texts)
    if len(set(map(repr, texts[said].tolist()))) < 2: return False
    times = np.bincount(join_columns(column[said] for column in (texts, *models)))
    return bool(times[times > 1].sum() >= .5 * times.sum())


def find_said(texts: np.ndarray) -> np.ndarray:
    "Whether there is a text."
    return np.array([text is not None and text != "" for text in texts.tolist()])


def check_duplicates(sources: Sequence[Source], batch: Batch, chosen: Mapping[str, str],
                     options: Options) -> tuple[ReadNote, ...]:
    """A warning where rows may be copies, which a column that numbers samples tells from samples.

    Raises: `ValueError` where samples of their own would agree so well once in ten thousand times.
    """
    columns = [column for column in list_columns(sources) if column != FILE]
    refused = [*options.ignore, *list_refused(columns, options)]
    numbering = [c for c in columns if c not in {*chosen.values(), *options.sums}
                 and (c in refused or simplify(c) not in KNOWN)]
    numbering = sorted(numbering, key=lambda column: column not in refused)[:WIDE]
    if not numbering or "sample" in chosen: return ()
    scope = list_scope(batch, chosen)
    head = join_heads(sources, [*scope, *numbering], LARGE if refused else FIRST)
    for column in numbering:
        if not are_few_numbers(head[column]): continue
        whole = join_columns(head[name] for name in scope)
        key = join_codes(whole, code_values(head[column])[0])
        if len(np.unique(key)) == len(key) or len(np.unique(key)) == len(np.unique(whole)): continue
        every = join_heads(sources, columns, LARGE if refused else FIRST)
        row = join_columns(every.values())
        if len(np.unique(row)) > len(np.unique(key)): continue
        rest = [every[c] for c in columns if c != column]
        return judge_copies(column, whole, key, join_columns(rest), len(columns))
    return ()


def list_refused(columns: Sequence[str], options: Options) -> list[str]:
    "Columns of samples that somebody said not to use."
    if options.columns.get("sample") is not False: return []
    return list_called(columns, COLUMNS["sample"])


def are_few_numbers(values: np.ndarray) -> bool:
    "Whether a column numbers samples, from 0 or 1."
    names = code_few(values)[1]
    return bool(names) and are_numbers(names)


def code_few(values: np.ndarray) -> tuple[np.ndarray, list]:
    "The code of each value, and the values, where these are few; else nothing."
    # Most columns are dismissed by their first values, long before all are compared.
    if len(set(map(repr, values[:1000].tolist()))) > FEW: return np.array([]), []
    code, names = code_values(values)
    return (code, names) if 1 < len(names) <= FEW else (np.array([]), [])


def judge_copies(column: str, scope: np.ndarray, key: np.ndarray, content: np.ndarray,
                 width: int) -> tuple[ReadNote, ...]:
    "Refuse copies, or warn of what may be copies."
    copies = len(key) - len(np.unique(key))
    chance = find_chance(scope, key, content)
    if chance is None or chance > log(CHANCE):
        return (ReadNote("exact_copies", count=copies, total=len(key), value=float(width)),)
    said = (f"{copies:,} of {len(key):,} rows are exact copies of other rows (all {width} columns "
            "are equal)")
    raise OptionError("sample", "each sample must appear once",
                      found=f"{said}, which samples of their own are with a chance of "
                            f"{exp(max(chance, -700)):.0e}",
                      hint=f"leave the copies out and pass {option('sample', column)}, or take "
                           f"{column!r} out of the data")


def find_chance(scope: np.ndarray, key: np.ndarray, content: np.ndarray) -> float | None:
    """Logarithm of the chance that rows of one number agree; None where numbers differ in rows.

    Given all samples of a question, each order of them is equally likely under its numbers.
    """
    times = np.bincount(key)
    if len(set(times.tolist())) > 1: return None
    each = int(times[0])
    _, first = np.unique(key, return_index=True)
    groups = scope[first]
    kind = join_codes(groups, content[first])
    equal = np.bincount(kind)
    total = sum(lgamma(n + 1) - lgamma(each * n + 1) for n in np.bincount(groups).tolist())
    return float(total - sum(lgamma(m + 1) - lgamma(each * m + 1) for m in equal.tolist()))


def are_duplicates(sources: Sequence[Source], batch: Batch, chosen: Mapping[str, str]) -> bool:
    "Whether the rows of one sample agree in all columns, as far as is looked."
    columns = [column for column in list_columns(sources) if column != FILE]
    names = [chosen.get(part, part.partition(" ")[2]) for part in list_keys(batch)]
    if not set(names) <= set(columns): return False
    every = join_heads(sources, columns, LARGE)
    key, row = join_columns(every[name] for name in names), join_columns(every.values())
    return len(np.unique(row)) == len(np.unique(key)) < len(key)
