"""Whether a row of a table holds one sample or several, told by names and values of its columns."""
from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np

from ..errors import OptionError
from ..spelling import option
from ..results.reading import ReadNote
from .columns import (Batch, COLUMNS, Keep, Source, add_columns, are_alone, hold_objects,
                      is_mark, join_sources, list_called, list_columns, list_plain,
                      names_question, pick_only, simplify, take_column, take_here, zip_columns)
from .values import are_words, check_outcomes, read_written, tidy

__all__ = ["shape_sources", "PLACE", "NUMBER", "ROW", "is_list", "parse_list"]

Named = Mapping[str, str | bool]  # Column of a part; False uses none
LISTS = dict(
    correct="graded graded_list corrects correct_list is_correct_list correctness_list "
            "correctness_math_verify pass passes pass_list passed_list outcomes verdicts results "
            "acc accs accuracy",
    score="scores score_list rewards reward_list",
    answer="answers preds predictions pred_list prediction_list predicted_answers model_answers "
           "extracted_answers parsed_answers final_answers answer_list",
)
QUESTIONS = "idx index uuid unique_id problem_idx problem_index problem prompt".split()
RUNS = set("run sample pass attempt trial try seed epoch rep repeat repetition replicate correct "
           "passed acc success outcome solved result rollout completion generation draw response "
           "eval iter iteration".split())
SIZES = "n num_samples n_samples total num_total n_total num_trials n_trials num_attempts".split()
RIGHT = "c num_correct n_correct num_passed n_passed num_success n_success".split()


@dataclass(frozen=True)
class Shaped:
    "Sources with one row per sample."
    sources: list[Source]
    named: Named  # Column of each part, as far as it is known
    notes: tuple[ReadNote, ...] = ()  # What was unfolded


def shape_sources(
    sources: list[Source],  # A table as it stands
    named: Named,  # Columns that the caller named
    sums: Sequence[str] = (),  # Columns that are added up over samples
    ignore: Sequence[str] = (),  # Columns that play no part
    means: bool = False,  # Whether the mean of a whole run may stand for it
) -> Shaped:  # The same with one row per sample
    """A table whose rows are samples, whatever they were before.

    A row may hold lists of outcomes, scores and answers, an outcome in each of several columns, or
    the numbers of samples and of right ones.

    Raises: `ValueError` where two columns could hold the samples.
    """
    if named.get("question") is False: return shape_numbered(sources, named, sums, ignore)
    columns = [name for name in list_columns(sources) if name not in ignore]
    for shape in shape_lists, shape_totals, shape_runs:
        shaped = shape(sources, columns, named, sums)
        if shaped is None: continue
        unnamed = "question" not in shaped.named and not names_question(columns)
        alone = are_alone(shaped.sources, columns, {*shaped.named.values(), *ignore})
        if not unnamed or not alone or hold_objects(sources, shaped.named.values()):
            return shaped
        return shape_numbered(sources, named, sums, ignore)
    found = find_means(sources[0], columns, named) if len(sources) == 1 else None
    if found is not None and not means: refuse_means(found)
    if found is not None:
        source, parts, note = take_means(sources[0], found)
        return Shaped([source], {**named, **parts}, (note,))
    return Shaped(sources, named)


def shape_numbered(sources: list[Source], named: Named, sums: Sequence[str],
                   ignore: Sequence[str]) -> Shaped:
    "The same with the number of each row as its question."
    numbered = list(map(number_rows, list_plain(sources)))
    shaped = shape_sources(numbered, {**named, "question": ROW}, sums, ignore)
    return replace(shaped, notes=(*shaped.notes, ReadNote("row_numbers")))


def find_question(columns: list[str], named: Named) -> Named:
    "The column of questions, which may have further names where a row is a question."
    if "question" in named: return {}
    names = list(map(simplify, columns))
    if any(name in COLUMNS["question"] for name in names): return {}
    found = next((name for name in QUESTIONS if name in names), None)
    return {} if found is None else {"question": columns[names.index(found)]}


# One row per question with lists.

def shape_lists(sources: list[Source], columns: list[str], named: Named,
                sums: Sequence[str]) -> Shaped | None:
    "Lists of outcomes or scores, and what stands beside them."
    if has_outcome(sources, columns, named): return None
    found = find_lists(sources, columns, named)
    if not found.keys() & {"correct", "score"}: return None
    for part in LISTS: refuse_single(part, named.get(part), found)
    summed = [name for name in sums if name in columns]
    for name in summed:
        if not holds_lists(sources, name): refuse_single("sums", name, found)
    lists = list(dict.fromkeys([*found.values(), *summed]))
    own = dict.fromkeys(LISTS, False) | found
    sample = {"sample": named.get("sample", PLACE)}
    unfolded = [unfold_lists(source, lists) for source in list_plain(sources)]
    notes = ReadNote("lists", tuple(found.values())),
    return Shaped(unfolded, {**named, **own, **sample, **find_question(columns, named)}, notes)


def has_outcome(sources: list[Source], columns: list[str], named: Named) -> bool:
    "Whether the rows have an outcome each, so that lists beside it are something else."
    name = named.get("correct")
    if name is False: return False
    names = [name] if name else list_called(columns, COLUMNS["correct"])
    return any(c in columns and not holds_lists(sources, str(c)) for c in names)


def find_lists(sources: list[Source], columns: list[str], named: Named) -> dict[str, str]:
    "The column of each part that holds lists."
    found = {part: find_list(part, sources, columns, named) for part in LISTS}
    return {part: column for part, column in found.items() if column}


def find_list(part: str, sources: list[Source], columns: list[str], named: Named) -> str | None:
    "The column that holds lists of one part."
    name = named.get(part)
    if name is False: return None
    known = (*COLUMNS[part], *LISTS[part].split())
    names = [name] if name else list_called(columns, known)
    found = [str(c) for c in names if c in columns and holds_lists(sources, str(c))]
    return pick_only(part, found)


def refuse_single(part: str, name: str | bool | None, found: Mapping[str, str]) -> None:
    if not isinstance(name, str) or name in found.values(): return
    held = next(iter(found.values()))
    raise OptionError(part, f"{option(part, name)} must hold a list in every row, as {held!r} does",
                      hint="leave it out, or write one row per sample")


def holds_lists(sources: Sequence[Source], column: str) -> bool:
    "Whether the first cell of a column that is there is a list."
    for source in sources:
        if column not in source.columns: continue
        if source.holds_lists is not None:
            if source.holds_lists(column): return True
            continue
        values = take_column(source, "question", column)
        first = next((v for v in values if v is not None), None) if values.dtype == object else None
        if first is not None: return is_list(first)
    return False


# One row per question with the number of its samples.

def shape_totals(sources: list[Source], columns: list[str], named: Named,
                 sums: Sequence[str]) -> Shaped | None:
    "Numbers of samples and of right ones."
    if sums or names_any(named, "sample", "score", "answer"): return None
    names = dict(zip(map(simplify, columns), columns))
    if not names.keys() & set(SIZES) or names.keys() & set(COLUMNS["sample"]): return None
    right, rows = find_right(names, named), list_plain(sources)
    n = find_size(rows, names, right) if right else None
    if right and not n: refuse_unclear(rows, names, named, right)
    if not right or not n: return None
    chosen = {**named, "correct": right, "sample": False, "score": False, "answer": False,
              **find_question(columns, named)}
    unfolded = unfold_totals(join_sources(rows), n, right)
    return Shaped([unfolded], chosen, (ReadNote("totals", (n, right)),))


def names_any(named: Named, *parts: str) -> bool: return any(named.get(part) for part in parts)


def find_right(names: Mapping[str, str], named: Named) -> str | None:
    "The column that may hold the number of right samples."
    name = named.get("correct")
    if name is False: return None
    if name: return str(name) if name in names.values() else None
    return pick_known(names, *COLUMNS["correct"], *RIGHT)


def pick_known(names: Mapping[str, str], *known: str) -> str | None:
    "The first column that is called by one of some known names."
    return next((names[name] for name in known if name in names), None)


def find_size(rows: Sequence[Source], names: Mapping[str, str], right: str) -> str | None:
    "The column of n, if that of c is one: whole numbers up to n, and more than 1 somewhere."
    sizes = list_sizes(names)
    fit = [n for n in sizes if are_pairs(rows, n, right)]
    sure = simplify(right) in RIGHT
    if sure and not fit: refuse_pair(rows[0], sizes[0], right)
    if not fit or not (sure or exceeds_one(rows, right)): return None
    if len(fit) == 1: return fit[0]
    raise ValueError(f"ambiguous: {fit[0]!r} or {fit[1]!r} could hold the number of samples; "
                     "take one of them out")


def list_sizes(names: Mapping[str, str]) -> list[str]:
    "The columns whose names say that they hold numbers of samples."
    return [names[name] for name in SIZES if name in names]


def refuse_unclear(rows: Sequence[Source], names: Mapping[str, str], named: Named,
                   right: str) -> None:
    "Refuse outcomes of 0 and 1 beside several samples, where each question stands once."
    if simplify(right) in RIGHT: return
    sizes = (n for n in list_sizes(names) if "total" not in simplify(n))
    n = next((n for n in sizes if are_pairs(rows, n, right) and are_several(rows, n)), None)
    if n is None or not stands_once(rows, names, named): return
    raise OptionError(
        "ignore", f"ambiguous: {right} could count the right ones of {n} samples or be the outcome "
                  "of one", found=f"0 and 1 only, each question once and {n} above 1",
        hint=f"pass {option('ignore', n)} if each row is one sample, or rename {right!r} to 'c'")


def stands_once(rows: Sequence[Source], names: Mapping[str, str], named: Named) -> bool:
    "Whether no question has two rows of one model."
    question = named.get("question") or pick_known(names, *COLUMNS["question"])
    model = pick_known(names, *COLUMNS["model"], *COLUMNS["group"])
    keys = [str(column) for column in (question, model) if column]
    if any(not set(keys) <= set(source.columns) for source in rows): return False
    found = [repr(key) for source in rows for key in zip_columns(source, keys)]
    return 0 < len(found) == len(set(found))


def take_pair(source: Source, n: str, c: str) -> tuple[np.ndarray, np.ndarray]:
    if not {n, c} <= set(source.columns): return np.array([None]), np.array([None])
    size, right = (join_numbers(take_column(source, "score", column)) for column in (n, c))
    return size, right


def join_numbers(column: np.ndarray) -> np.ndarray:
    "Whole numbers and floats of one column as floats."
    if column.dtype.kind != "O" or set(map(type, column.tolist())) != {int, float}: return column
    return column.astype(float)


def are_pairs(rows: Sequence[Source], n: str, c: str) -> bool:
    "Whether two columns hold whole numbers with 0 <= c <= n in every row."
    return all(is_pair(source, n, c) for source in rows)


def is_pair(source: Source, n: str, c: str) -> bool:
    size, right = take_pair(source, n, c)
    return hold_numbers(size, right) and not mark_unfit(size, right).any()


def hold_numbers(*columns: np.ndarray) -> bool:
    return all(column.dtype.kind in "iuf" for column in columns)


def mark_unfit(n: np.ndarray, c: np.ndarray) -> np.ndarray:
    "Where n and c are not whole numbers with 0 <= c <= n."
    return ~((n % 1 == 0) & (c % 1 == 0) & (0 <= c) & (c <= n) & (n < 2**31))


def refuse_pair(source: Source, n: str, c: str) -> None:
    "Refuse numbers under the names of n and c that cannot be n and c."
    size, right = take_pair(source, n, c)
    if not hold_numbers(size, right) or not (bad := mark_unfit(size, right)).any(): return
    row = int(bad.argmax())
    where = source.take({"question": n}, Keep()).place("question", row)
    got = f"{n}={size[row]:g}, {c}={right[row]:g} {where}"
    raise ValueError(f"need whole numbers 0 <= {c} <= {n}, got {got} "
                     f"({bad.sum()} of {len(bad)} fail)")


def exceeds_one(rows: Sequence[Source], column: str) -> bool:
    "Whether a number is above 1 somewhere."
    return any((take_column(source, "score", column) > 1).any() for source in rows)


def are_several(rows: Sequence[Source], column: str) -> bool:
    "Whether every number is above 1."
    return all(take_column(source, "score", column).min() > 1 for source in rows)


# One row per question with a column for each run.

def shape_runs(sources: list[Source], columns: list[str], named: Named,
               sums: Sequence[str]) -> Shaped | None:
    "Columns of one name but for the number at their end."
    if sums or names_any(named, "correct", "score", "answer", "sample"): return None
    if list_called(columns, COLUMNS["correct"]): return None
    stems = group_runs(columns)
    rows = list_plain(sources) if stems else []
    runs = find_run_columns(rows, stems)
    if not runs: return None
    ends = next(iter(runs)), next(reversed(runs))
    label = "..".join(ends)
    refuse_score(columns, named, label)
    sample = named.get("sample", NUMBER)
    chosen = {**named, "correct": label, "sample": sample, "score": False, "answer": False,
              **find_question(columns, named)}
    unfolded = [unfold_runs(source, runs, label) for source in rows]
    return Shaped(unfolded, chosen, (ReadNote("run_columns", ends),))


def find_run_columns(rows: Sequence[Source], stems: Mapping[str, dict[str, int]]) -> dict[str, int]:
    "The columns that hold an outcome in every row; empty if there are none."
    fit = [runs for runs in stems.values()
           if all(are_outcomes(source, column) for source in rows for column in runs)]
    if len(fit) < 2: return fit[0] if fit else {}
    one, other = (next(iter(runs)) for runs in fit[:2])
    raise ValueError(f"ambiguous: columns such as {one!r} or {other!r} could hold the samples; "
                     "write one row per sample, with a column model")


def refuse_score(columns: Sequence[str], named: Named, label: str) -> None:
    "Refuse a score beside runs: it may be their mean, or they the parts of it."
    score = next(iter(list_called(columns, COLUMNS["score"])), None)
    if score is None or named.get("score") is False: return
    raise OptionError("score", f"ambiguous: {label} or {score!r} could hold the samples",
                      hint=f"pass {option('score', False)} if they are runs, or "
                           f"{option('score', score)} if a row is a sample")


def group_runs(columns: Sequence[str]) -> dict[str, dict[str, int]]:
    "Columns such as run_1 and run_2 under what they have in common, with their numbers in order."
    stems: dict[str, dict[str, int]] = {}
    for column in columns:
        found = re.fullmatch(r"(.*[a-z])_?([0-9]{1,9})", simplify(column))
        if not found or found[1].split("_")[-1] not in RUNS: continue
        stems.setdefault(found[1], {})[column] = int(found[2])
    stems |= group_numbers(columns)
    return {stem: dict(sorted(runs.items(), key=itemgetter(1)))
            for stem, runs in stems.items() if len(runs) > 1 and not are_budgets(stem, runs)}


def group_numbers(columns: Sequence[str]) -> dict[str, dict[str, int]]:
    "Columns 0, 1, 2, as an array has them that became a frame."
    runs = {column: int(column) for column in columns if re.fullmatch("0|[1-9][0-9]{0,8}", column)}
    first = min(runs.values(), default=2)
    return {"": runs} if first < 2 and sorted(runs.values()) == list(
        range(first, first + len(runs))) else {}


def are_budgets(stem: str, runs: Mapping[str, int]) -> bool:
    "Whether columns such as pass_1, pass_2 and pass_4 stand for pass@k, as their gaps tell."
    gaps = max(runs.values()) - min(runs.values()) >= len(runs)
    return stem.split("_")[-1] == "pass" and gaps


def are_outcomes(source: Source, column: str) -> bool:
    "Whether the values of a column are outcomes."
    if column not in source.columns: return False
    values = take_column(source, "correct", column)
    if are_words(values): return True
    try: check_outcomes(values, np.zeros(len(values)), np.ones(len(values), np.int64))
    except (TypeError, ValueError): return False
    return True


# One row per run with the mean of all questions, such as an accuracy per seed.

ALL = "all questions"
MEANS = set("accuracy acc mean_accuracy avg_accuracy mean_acc avg_acc accuracy_mean mean "
            "mean_score pass@1 pass_at_1 pass_1".split())
QUESTION_COUNTS = set("questions num_questions n_questions question_count n size total "
                      "num_examples examples problems".split())
SEEDS = set("seed run run_id epoch trial repeat repetition rep replicate attempt".split())
RunMeans = tuple[str, str, str]  # Columns of the run, its mean, and its questions (empty: none)


def find_means(source: Source, columns: Sequence[str], named: Named) -> RunMeans | None:
    "The columns of a table of run means, where it holds nothing else."
    if "question" in named or source.verb != "read": return None
    runs, means, sizes, models = (list_called(columns, known) for known in
                                  (SEEDS, MEANS, QUESTION_COUNTS, COLUMNS["model"]))
    if len(runs) != 1 or len(means) != 1 or len(sizes) > 1: return None
    if {*columns} != {*runs, *means, *sizes, *models}: return None
    values = read_written(take_column(source, "score", means[0]))[0]
    if values.dtype.kind != "f" or not ((0 <= values) & (values <= 1)).all(): return None
    if not ((0 < values) & (values < 1)).any(): return None
    return runs[0], means[0], sizes[0] if sizes else ""


def refuse_means(found: RunMeans) -> None:
    "Say that nothing can be said of new questions."
    raise OptionError("target", f"each row is the {found[1]} of a whole run, which tells how runs "
                                "differ and nothing of new questions",
                      ways=[dict(target="same_questions")])


def take_means(source: Source, found: RunMeans) -> tuple[Source, dict[str, str | bool], ReadNote]:
    "Runs as samples of one question that stands for all; the parts of the columns; a note."
    def name_all(runs: np.ndarray) -> np.ndarray: return np.full(len(runs), ALL, object)
    parts: dict[str, str | bool] = dict(question=ALL, sample=found[0], score=found[1],
                                        correct=False)
    sizes = set(take_column(source, "score", found[2]).tolist()) if found[2] else set()
    count = int(sizes.pop()) if len(sizes) == 1 else None
    unfolded = add_columns(source, {ALL: ([found[0]], name_all)})
    return unfolded, parts, ReadNote("run_means", (found[1],), count=count)


# Rows that hold several samples as one row per sample.


ROW = "number of the row"
PLACE = "place in the list"
NUMBER = "number of the column"


@dataclass(frozen=True, eq=False)
class Samples:
    "The samples behind the rows of a table: arrays of shape `(N,)`."
    row: np.ndarray  # Position of the row each sample stands in
    times: np.ndarray  # Samples behind each entry; 0 for a question without one
    cells: Mapping[str, np.ndarray]  # Values of the columns that hold samples


Collect = Callable[[Batch], Samples]  # The rows of a table to the samples that they hold


def unfold_source(source: Source, own: Sequence[str], collect: Collect,
                  hidden: Sequence[str] = (), check: Callable[[Batch], None] | None = None,
                  ) -> Source:
    "A source whose own columns are made from each row, and whose other columns are repeated."
    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        whole = {part: column for part, column in chosen.items() if column not in own}
        # Rows are counted by any column, where none of those that are wanted names them.
        if "question" not in whole: whole["question"] = next(iter(source.columns))
        base = take_here(source, whole, keep)
        if check is not None and not keep.looking: check(base)
        samples = collect(base)
        parts = {part: samples.cells[column] if column in own else base.parts[part][samples.row]
                 for part, column in chosen.items()}
        return Batch(parts, samples.times,
                     lambda part, row: base.place(part, int(samples.row[row])))
    columns = [c for c in source.columns if c not in own and c not in hidden]
    return Source([*columns, *own], take, source.what, source.verb, source.files,
                  tells_files=True)


# Rows that are questions.

def number_rows(source: Source) -> Source:  # The same with a column `ROW`, from 0 on in each file
    "Rows named by their numbers."
    def collect(base: Batch) -> Samples:
        sizes = source.sizes or (len(base),)
        number = np.concatenate(list(map(np.arange, sizes)))
        return Samples(np.arange(len(base)), base.times, {ROW: number})
    return replace(unfold_source(source, [ROW], collect), sizes=source.sizes)


# Lists.

def is_list(value: object) -> bool:  # Whether it holds several values
    "Whether a cell is a list, or the text of one."
    if isinstance(value, (list, tuple)): return True
    if isinstance(value, np.ndarray): return value.ndim > 0
    return isinstance(value, str) and value.strip()[:1] == "[" and value.strip()[-1:] == "]"


def unfold_lists(source: Source, columns: Sequence[str]) -> Source:
    "Lists as rows; a question whose lists are empty stays, with no sample."
    here = [column for column in columns if column in source.columns]

    def collect(base: Batch) -> Samples:
        lists = {column: read_lists(source, column, base) for column in here}
        sizes = measure_lists(lists, base)
        places = np.maximum(sizes, 1)
        row = np.repeat(np.arange(len(base)), places)
        cells = {column: flatten_lists(lists[column], places) for column in here}
        cells[PLACE] = np.arange(len(row)) - (np.cumsum(places) - places)[row]
        return Samples(row, np.minimum(sizes, 1)[row], cells)
    return unfold_source(source, [*here, PLACE], collect)


def read_lists(source: Source, column: str, base: Batch) -> list[list | None]:
    "The lists of a column; None for a cell that is empty."
    cells = source.take({"question": column, "answer": column}, Keep()).parts["answer"].tolist()
    return [read_list(cell, column, i, base) for i, cell in enumerate(cells)]


def read_list(cell: Any, column: str, row: int, base: Batch) -> list | None:
    if cell is None or isinstance(cell, float) and cell != cell: return None
    found = parse_list(cell) if is_list(cell) else None
    if found is not None: return found
    raise TypeError(f"{column} must hold a list in every row, got {cell!r:.60} "
                    f"{base.place(column, row)}")


def parse_list(cell: Any) -> list | None:
    "A list from what holds one; None for text that only looks like one."
    if not isinstance(cell, str): return cell.tolist() if hasattr(cell, "tolist") else list(cell)
    try: return json.loads(cell)
    except (ValueError, RecursionError): pass
    # A frame that was written as CSV has lists as Python prints them.
    quoted = "'" in cell or '"' in cell
    if "_" in cell and not quoted: return None
    plain = cell if quoted else re.sub(r"\bnan\b", "None", cell)
    try: found = literal_eval(plain.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError): return None
    return found if isinstance(found, list) else None


def measure_lists(lists: Mapping[str, list], base: Batch) -> np.ndarray:
    "Samples of each row, which all its lists agree on."
    columns = [[-1 if cell is None else len(cell) for cell in cells] for cells in lists.values()]
    sizes = np.array(columns, np.int64).reshape(len(lists), len(base))
    most = sizes.max(0, initial=0)
    odd = ((sizes >= 0) & (sizes != most)).any(0)
    if not odd.any(): return most
    row = int(odd.argmax())
    got = ", ".join(f"{max(m, 0)} of {name}" for name, m in zip(lists, sizes[:, row]))
    raise ValueError(f"the lists of a row must have one length, got {got} "
                     f"{base.place('question', row)} ({odd.sum()} of {len(base)} rows fail)")


def flatten_lists(lists: list, places: np.ndarray) -> np.ndarray:
    filled = (cell or [None] * size for cell, size in zip(lists, places.tolist()))
    return tidy(list(chain.from_iterable(filled)))


# Columns of runs.

def unfold_runs(source: Source, runs: Mapping[str, int], label: str) -> Source:
    "Columns of runs as rows."
    def collect(base: Batch) -> Samples:
        columns = [source.take({"question": c, "correct": c}, Keep()).parts["correct"].tolist()
                   for c in runs]
        row = np.repeat(np.arange(len(base)), len(runs))
        cells = {label: tidy(list(chain.from_iterable(zip(*columns)))),
                 NUMBER: np.tile(list(runs.values()), len(base))}
        return Samples(row, np.ones(len(row), np.int64), cells)
    return unfold_source(source, [label, NUMBER], collect, list(runs))


# Numbers of samples.

def unfold_totals(source: Source, n: str, c: str) -> Source:
    """Numbers of samples as a row for the right ones and one for the wrong ones.

    Raises: `ValueError` for a question that stands there twice.
    """
    def collect(base: Batch) -> Samples:
        size, right = (source.take({"question": o, "score": o}, Keep()).parts["score"]
                       .astype(np.int64) for o in (n, c))
        times = np.stack([right, size - right], 1)
        row, side = np.nonzero(times)
        empty = np.flatnonzero(size == 0)
        row, side = np.r_[row, empty], np.r_[side, np.full(len(empty), 1)]
        order = np.argsort(row, kind="stable")
        row, side = row[order], side[order]
        return Samples(row, times[row, side], {c: 1 - side})
    return unfold_source(source, [c], collect, [n], refuse_again)


def refuse_again(base: Batch) -> None:
    "Refuse two rows of one question: they are no totals, or come from two runs."
    # What files and marks may not share is told by them, once all rows are there.
    named = [part for part in base.parts if part in ("model", "group") or is_mark(part)]
    parts = [base.parts[part].tolist() for part in [*named, "question"]]
    seen: dict[tuple, int] = {}
    for row, key in enumerate(zip(*parts)):
        if key in seen:
            raise ValueError("each question must appear once in a table of n and c, got "
                             f"{key[-1]!r} {base.place('question', seen[key])} and again "
                             f"{base.place('question', row)}; add them up, or name a column model")
        seen[key] = row
