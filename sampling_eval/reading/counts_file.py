"""Counted rows in one small Parquet file, and how two counts become one."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ..errors import OptionError
from ..spelling import name_verb, option
from ..extras import need, unwritten_reason
from ..results.reading import ReadNote, ReadSummary
from .columns import Batch, Keep, name_asked, names_item
from .counted import CountedRows, find_ids
from .duckdb.scans import guard, list_paths
from .duckdb.sql import ask, connect, parse_texts, quote_name, quote_text
from .files import is_remote, kind_of
from .identity import find_coincidence, have_common
from .options import Options
from .reduce import reduce_rows
from .sample_ids import (File, Fingerprint, WORDS, find_shared, hash_names, join_fingerprints,
                         list_tasks, mark_distinct, pack_fingerprint, refuse_other_tasks,
                         refuse_same_runs, unpack_fingerprint)
from .text_files import digest, identify, refuse_equal
from .values import code_equal, join_arrays, join_codes, join_columns, join_present, tidy

__all__ = ["write_counts", "find_counts", "read_counts_files", "merge_rows", "stack_gradings"]

KEY, VERSION = "sampling_eval", 1
CELLS = {"correct": "CASE WHEN correct >= 0 THEN correct = 1 END AS correct",
         "answer": "nullif(answer, '') AS answer"}


def write_counts(path: str | os.PathLike, rows: CountedRows) -> None:
    """Write counted rows to one small Parquet file, whole or not at all.

    Raises: `ValueError` if a file that was counted has changed since, `OSError` if it cannot be
    written.
    """
    duckdb: Any = need("duckdb", "files")
    check_place(path := Path(path))
    rows = identify_files(rows)
    held, part = tabulate_rows(rows), path.with_name(f".{path.name}.{os.getpid()}.part")
    about = json.dumps(tell_about(rows))
    cells = ", ".join(CELLS.get(name, quote_name(name)) for name in held)
    con = connect()
    con.register("held", held)
    try:
        con.execute(f"COPY (SELECT {cells} FROM held) TO {quote_text(part)} (FORMAT parquet, "
                    f"COMPRESSION zstd, KV_METADATA {{{KEY}: {quote_text(about)}}})")
        os.replace(part, path)
    except duckdb.IOException as error:
        raise OSError(f"cannot write {os.fspath(path)!r}: {unwritten_reason(error)}") from None
    finally: part.unlink(missing_ok=True)


def tell_about(rows: CountedRows) -> dict[str, Any]:
    "What a file says about its rows; what an older package does not know is absent where idle."
    held = None if rows.draws is not None else pack_fingerprint(rows.fingerprint)
    more = dict(fingerprint=held)
    return dict(version=VERSION, source=tell_columns(rows.summary), summary=rows.summary.to_dict(),
                files=name_files(rows.files),
                tasks=rows.tasks, derived=rows.derived,
                **({} if rows.ordered else dict(ordered=False)),
                **{name: value for name, value in more.items() if value})


def tell_columns(summary: ReadSummary) -> str:
    "What version 0.1 of this package says of the rows."
    return ", ".join(f"{part}={column}" for part, column in summary.columns.items())


def check_place(path: Path) -> None:
    "Refuse a name that promises another format, and a folder that is not there."
    if kind_of(path.name) != "parquet":
        raise ValueError("a counts file is Parquet, its name must end in .parquet, "
                         f"got {path.name!r}")
    if not path.parent.is_dir():
        raise OSError(f"cannot write {os.fspath(path)!r}: there is no folder "
                      f"{os.fspath(path.parent)!r}")


def name_files(files: Sequence[File]) -> list[list[str]]:
    return [[o.path if is_remote(o.path) else os.path.basename(o.path), o.sha256] for o in files]


def tabulate_rows(rows: CountedRows) -> dict[str, np.ndarray]:
    "Columns of the file; those of 0.1.0 keep their names, so that it reads the file too."
    table = dict(model=rows.model, question=rows.questions[rows.question], cluster=rows.cluster,
                 item=rows.item, group=rows.group, rows=rows.times, score=rows.total,
                 scored=rows.scored, single=rows.score)
    if rows.correct is not None:
        table["correct"] = np.nan_to_num(rows.correct, nan=-1).astype(np.int8)
    if rows.answer is not None: table["answer"] = write_texts(rows.answer)
    if rows.draws is not None:
        table |= {f"draws{i}": np.ascontiguousarray(o) for i, o in enumerate(rows.draws.T)}
    table |= {f"sum {name}": values for name, values in rows.sums.items()}
    return {name: values for name, values in table.items() if values is not None}


def write_texts(answer: np.ndarray) -> np.ndarray:
    "Answers as JSON text; an empty text stands for none."
    texts = ["" if a is None else json.dumps(a, default=str) for a in answer.tolist()]
    return np.array(texts, object)


def is_counts(file: str) -> bool:
    if kind_of(file) != "parquet" or is_remote(file) or not os.path.getsize(file): return False
    query = f"SELECT count(*) FROM parquet_kv_metadata({list_paths([file])}) WHERE key = '{KEY}'"
    return guard(lambda: ask(query).fetchone()[0], [file]) > 0


def find_counts(files: Sequence[str]) -> list[str]:  # Those that `write_counts` wrote
    "The files that hold counts rather than samples."
    return [file for file in files if is_counts(file)]


def read_counts_files(files: Sequence[str], counted: Sequence[str],
                      options: Options) -> CountedRows:
    """One or several counts files.

    Raises: `ValueError` for samples beside counts, for a column of samples, or a file twice.
    """
    other = next((file for file in files if file not in counted), None)
    if other is not None:
        raise ValueError("counts files and samples cannot be read together, got "
                         f"{counted[0]!r} and {other!r}; write counts of the samples first")
    for name in options.given: refuse_option(name, options, files[0])
    runs = list(map(read_counts, files))
    return runs[0] if len(runs) == 1 else merge_rows(*runs, union=True)


def refuse_option(name: str, options: Options, file: str) -> None:
    "Refuse an option that counted samples cannot honour."
    column = options.columns.get(name)
    if name == "cluster" and (column is None or names_item(column)) or column is False: return
    said = "names a column of samples" if column or name == "weights" else "is for samples"
    asked = name_asked(name)
    raise OptionError(asked, f"{option(asked)} {said}, but {file!r} holds counts",
                      hint="pass a mapping of question to weight" * (name == "weights"))


def read_counts(path: str | os.PathLike) -> CountedRows:
    "Counted rows from a counts file."
    file = os.fspath(path)
    if not os.path.isfile(file): raise FileNotFoundError(f"no file to read at {file}")
    if not is_counts(file):
        raise OptionError("path", f"{file!r} is no counts file",
                          hint=f"count it with {name_verb('count')}")
    about = read_about(file)
    columns = ask(f"FROM read_parquet({list_paths([file])})").fetchnumpy()
    table = {name: tidy(values) for name, values in columns.items()}
    if (table["rows"] < 1).any():
        raise ValueError(f"{file!r}: need rows >= 1, got {table['rows'].min()}")
    keep = Keep(scores=True, draws=True)
    rows, _ = reduce_rows(batch_of_columns(table, file), keep, {})
    return replace(rows, summary=find_summary(about), files=find_origin(about["files"], file),
                   tasks=list_tasks(about.get("tasks", [])), ordered=about.get("ordered", True),
                   derived=about.get("derived", are_scores(rows)),
                   fingerprint=unpack_fingerprint(about.get("fingerprint")))


def find_summary(about: dict[str, Any]) -> ReadSummary:
    "What was read of the rows; an older file has sentences only."
    if "summary" in about: return ReadSummary.from_dict(about["summary"])
    said, *warnings = (ReadNote("recorded", text=text)
                       for text in (about.get("source", ""), *about.get("warnings", ())))
    return ReadSummary("recorded", notes=(said,), warnings=tuple(warnings))


def are_scores(rows: CountedRows) -> bool:
    "Whether outcomes may be scores that are all 0 or 1, in a file that does not tell."
    if rows.correct is None or rows.score is None: return False
    return np.array_equal(rows.correct, rows.score, equal_nan=True)


def read_about(file: str) -> dict:
    query = (f"SELECT decode(value) FROM parquet_kv_metadata({list_paths([file])}) "
             f"WHERE key = '{KEY}'")
    about = json.loads(ask(query).fetchall()[0][0])
    if about["version"] == VERSION: return about
    raise ValueError(f"{file!r} has version {about['version']}, this package reads {VERSION}; "
                     "count the samples again")


def batch_of_columns(table: dict[str, np.ndarray], file: str) -> Batch:
    "The columns of a counts file as a batch."
    names = "question", "model", "cluster", "item", "group", "correct"
    parts = {name: table[name] for name in names if name in table}
    if "answer" in table: parts["answer"] = parse_texts(table["answer"])
    added = {name: table[name].astype(float) for name in table if name.startswith("sum ")}
    if "single" in table: parts["score"] = table["single"]
    elif "score" in table:
        added |= dict(total=table["score"].astype(float), scored=table["scored"].astype(float))
    draws = None
    if "draws0" in table: draws = np.stack([table[f"draws{i}"] for i in range(WORDS)], 1)
    return Batch(parts, table["rows"].astype(np.int64), lambda part, row: f"in {file}", added,
                 draws, False)


def find_origin(files: list, path: str) -> tuple[File, ...]:
    "The files behind a counts file; without any, the counts file itself."
    known = tuple(File(name, sha256) for name, sha256 in files)
    return known or (File(path, digest(path).hex()),)


# Runs, seeds, shards and machines added up, and gradings side by side.


def merge_rows(
    *runs: CountedRows,  # Runs, seeds, shards or machines
    separate: bool = False,  # Whether equal sample numbers in different runs are different samples
    union: bool = False,  # Whether runs of one model may cover different questions
) -> CountedRows:  # Their sum; a part that one of them lacks is left out
    """Counted rows of several runs, added row by row.

    Raises: `ValueError` if a file or a sample would be counted twice, or questions differ.
    """
    if not runs: raise ValueError("need at least one run, got none")
    runs = agree_outcomes(list(map(identify_files, runs)))
    check_runs(runs, union)
    several = len(runs) > 1
    batch = stack_runs(runs, separate and several)
    held = None if separate and several else compare_ids(runs)
    rows, notes = reduce_rows(batch, Keep(scores=True, draws=True), {})
    if rows.draws is not None: refuse_overlaps(rows, rows.draws)
    if several and not separate: refuse_copies(runs)
    files = tuple(chain.from_iterable(run.files for run in runs))
    totals = tuple(chain.from_iterable(run.totals for run in runs))
    repeats = tuple(chain.from_iterable(run.repeats for run in runs))
    tasks = list_tasks(chain.from_iterable(run.tasks for run in runs))
    derived = all(run.derived for run in runs)
    summary = summarize_runs(runs, notes)
    if several and not separate and not all(map(has_ids, runs)) and share_questions(runs):
        summary = warn_once(summary, ReadNote("no_sample_ids"))
    return replace(rows, files=files, tasks=tasks, derived=derived,
                   ordered=all(run.ordered for run in runs), totals=totals, repeats=repeats,
                   fingerprint=held if rows.draws is None else None, summary=summary)


def summarize_runs(runs: Sequence[CountedRows], notes: Sequence[ReadNote]) -> ReadSummary:
    "What was added, with each warning once."
    inputs = tuple(run.summary for run in runs)
    summary = ReadSummary("runs", notes=tuple(notes), inputs=inputs, rows=sum(map(len, runs)),
                          unit="sample")
    for one in inputs:
        for warning in one.warnings: summary = warn_once(summary, warning)
    return summary


def warn_once(summary: ReadSummary, warning: ReadNote) -> ReadSummary:
    if warning in summary.warnings: return summary
    return replace(summary, warnings=(*summary.warnings, warning))


def check_runs(runs: Sequence[CountedRows], union: bool) -> None:
    "Refuse runs that hold a file or a task twice, or that are not about the same questions."
    refuse_equal((f"{path!r} in run {i + 1}", content) for i, run in enumerate(runs)
                 for content, path in list_contents(run).items())
    sides = {f"run {i + 1}": run.tasks for i, run in enumerate(runs)}
    refuse_same_runs(sides)
    if not union: refuse_other_questions(runs)
    if share_questions(runs): refuse_other_tasks(sides)
    for part in "correct", "model": refuse_some(runs, part)


def agree_outcomes(runs: Sequence[CountedRows]) -> tuple[CountedRows, ...]:
    """Runs of one kind of outcome.

    Scores that are all 0 or 1 in one run only are scores: the samples of another run decide.
    """
    if all(run.correct is not None for run in runs): return tuple(runs)
    return tuple(replace(run, correct=None, derived=False,
                         summary=run.summary.without("score_as_outcome"))
                 if run.derived else run for run in runs)


def identify_files(rows: CountedRows) -> CountedRows:
    "The same rows with the hash of every file that was read."
    return replace(rows, files=tuple(map(identify, rows.files)))


def stack_runs(runs: Sequence[CountedRows], separate: bool) -> Batch:
    "The rows of all runs as one batch, with the parts that all of them have."
    names = [tidy(run.questions[run.question]) for run in runs]
    parts = {"question": join_arrays(names)}
    for part in "model", "group", "cluster", "item", "correct", "answer", "score":
        columns = [getattr(run, part) for run in runs]
        if all(o is not None for o in columns): parts[part] = join_arrays(columns)
    added = stack_sums(runs)
    if "score" not in parts: added |= stack_totals(runs)
    kept = None if separate else join_present([run.draws for run in runs])
    times = np.concatenate([run.times for run in runs])
    return Batch(parts, times, lambda part, row: "in the runs", added, kept, False)


def stack_totals(runs: Sequence[CountedRows]) -> dict[str, np.ndarray]:
    "The sums of scores of all runs, and of how many there are."
    columns = {name: join_present([getattr(run, name) for run in runs])
               for name in ("total", "scored")}
    return {name: column.astype(float) for name, column in columns.items() if column is not None}


def stack_sums(runs: Sequence[CountedRows]) -> dict[str, np.ndarray]:
    "The further columns that all runs have added up."
    shared = set(runs[0].sums).intersection(*(run.sums for run in runs[1:]))
    return {f"sum {name}": np.concatenate([run.sums[name] for run in runs]) for name in shared}


# Samples that two runs share.

def has_ids(run: CountedRows) -> bool: return run.draws is not None or run.fingerprint is not None


def compare_ids(runs: Sequence[CountedRows]) -> Fingerprint | None:
    "The sample ids of all runs together; None where a run has none."
    # Small numbers are compared as sets of bits, once they have been added up.
    if all(run.draws is not None for run in runs): return None
    held = [find_ids(run, None) for run in runs]
    for (i, one), (j, other) in combinations(enumerate(held), 2):
        if one is None or other is None: continue
        shared = find_shared(one, other)
        if len(shared): raise_shared(runs[i], (i, j), shared)
    known = [ids for ids in held if ids is not None]
    return join_fingerprints(known) if len(known) == len(runs) else None


def raise_shared(run: CountedRows, sides: tuple[int, int], shared: np.ndarray) -> NoReturn:
    "Name a question of which two runs share a sample."
    names = np.flatnonzero(np.isin(hash_names(run.questions), shared))
    question = run.questions.tolist()[names[0]]
    refuse_shared(f"question {question!r} with one sample id in run {sides[0] + 1} and run "
                  f"{sides[1] + 1} ({len(shared)} samples of {len(names)} questions fail)")


def refuse_shared(found: str) -> NoReturn:
    "Refuse samples that two runs share."
    raise OptionError("separate", "each sample must appear once", found=found,
                      hint=f"if these are separate draws, pass {option('separate', True)}")


def refuse_copies(runs: Sequence[CountedRows]) -> None:
    "Refuse two runs that agree in all counts, where chance does not make them so."
    sizes = [len(run.times) for run in runs]
    side = np.repeat(np.arange(len(runs)), sizes)
    pair = code_questions(runs)
    # Parts of one benchmark share no question, and may be many.
    if not have_common(side, pair): return
    parts = "correct", "answer", "score"
    columns = {part: [getattr(run, part) for run in runs] for part in parts}
    known = {part: join_arrays(column) for part, column in columns.items()  # type: ignore
             if all(values is not None for values in column)}
    times = np.concatenate([run.times for run in runs])
    right = known["correct"] == 1 if "correct" in known else np.zeros(len(pair))

    def code_contents() -> np.ndarray: return join_columns([pair, *known.values()])
    found = find_coincidence(side, pair, right, code_contents, times)
    if found is None: return
    refuse_shared(f"the same ones in run {found.first + 1} and run {found.second + 1}: "
                  f"{found.said}")


def code_questions(runs: Sequence[CountedRows]) -> np.ndarray:
    "One code for each pair of model and question over all runs, whose names are compared as text."
    names = [name for run in runs for name in run.questions[run.question].tolist()]
    code = code_equal(list(map(str, names)))[0]
    if runs[0].model is None: return code
    models = [name for run in runs if run.model is not None for name in run.model.tolist()]
    return join_codes(code, code_equal(list(map(str, models)))[0])


def refuse_some(runs: Sequence[CountedRows], part: str) -> None:
    have = sum(getattr(run, part) is not None for run in runs)
    if 0 < have < len(runs):
        raise ValueError(f"all runs or none must have {part}, got {have} of {len(runs)}")


def list_contents(run: CountedRows) -> dict[str, str]:
    "A path for each content behind a run, which may be there under several names."
    return {file.sha256 or file.path: file.path for file in run.files}


def list_question_names(run: CountedRows) -> dict[object, set[str]]:
    "The names of the questions of each model."
    return {model: set(map(str, part.questions.tolist())) for model, part in run.models().items()}


def share_questions(runs: Sequence[CountedRows]) -> bool:
    "Whether a question of a model is in two runs."
    seen: set[tuple] = set()
    for run in runs:
        here = {(model, q) for model, names in list_question_names(run).items() for q in names}
        if seen & here: return True
        seen |= here
    return False


def refuse_other_questions(runs: Sequence[CountedRows]) -> None:
    first: dict[object, tuple[set[str], int]] = {}
    for i, run in enumerate(runs):
        for model, names in list_question_names(run).items():
            known, at = first.setdefault(model, (names, i))
            if names == known: continue
            lone, other = (sorted(side)[:3] for side in (known - names, names - known))
            raise OptionError("union", "runs must cover the same questions",
                              found=f"only in run {at + 1} {lone}, only in run {i + 1} {other}",
                              hint=f"pass {option('union', True)} for parts of one benchmark")


def refuse_overlaps(rows: CountedRows, draws: np.ndarray) -> None:
    "Refuse a sample number that stands in two runs."
    pair = rows.question
    if rows.model is not None: pair = join_codes(code_equal(rows.model.tolist())[0], pair)
    single = mark_distinct(draws, pair, rows.times)
    if single.all(): return
    row = int(np.flatnonzero(pair == np.flatnonzero(~single)[0])[0])
    model = "" if rows.model is None else f"model {rows.model[row]!r}, "
    question = rows.questions.tolist()[rows.question[row]]
    refuse_shared(f"{model}question {question!r} with one sample number in two runs "
                  f"({(~single).sum()} of {len(single)} questions fail)")


def stack_gradings(
    rows: Mapping[str, CountedRows],  # Rows under each grading, by its name
) -> CountedRows:  # All of them, each grading a model
    """The rows of several gradings, with the grading in the place of the model.

    Raises: `ValueError` where one grading says right or wrong and another gives a score.
    """
    refuse_mixed_kinds(rows)
    named = [name_rows(name, own) for name, own in rows.items()]
    if len(named) == 1: return replace(named[0], model=next(iter(rows.values())).model)
    batch = replace(stack_runs(named, False), in_order=True)
    stacked, notes = reduce_rows(batch, Keep(scores=True), {})
    summary = ReadSummary("gradings", notes=tuple(notes), gradings=tuple(rows),
                          inputs=tuple(own.summary for own in rows.values()),
                          warnings=stacked.summary.warnings)
    first = named[0]
    return replace(stacked, files=first.files, tasks=first.tasks, totals=first.totals,
                   repeats=first.repeats, summary=summary)


def name_rows(grading: str, rows: CountedRows) -> CountedRows:
    "Rows whose models are called by the grading, and by their own name where they are several."
    models = [] if rows.model is None else rows.model.tolist()
    several = len(set(models)) > 1
    names = [f"{model} {grading}" for model in models] if several else [grading] * len(rows.times)
    return replace(rows, model=np.array(names, object), draws=None)


def refuse_mixed_kinds(rows: Mapping[str, CountedRows]) -> None:
    judged = [name for name, own in rows.items() if own.correct is not None]
    graded = [name for name, own in rows.items() if own.correct is None]
    if not judged or not graded: return
    raise OptionError("threshold",
                      "gradings side by side must all say right or wrong, or all give a score",
                      found=f"{judged[0]!r} (right or wrong) and {graded[0]!r} (a score)",
                      hint=f"pass {option('threshold')}, above which a score is right")
