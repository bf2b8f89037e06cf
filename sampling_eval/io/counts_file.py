"""Counted rows in one small Parquet file."""
from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import OptionError, name_verb, option
from ..extras import need, tell_unwritten
from ..results.reading import ReadNote, ReadSummary
from .duckdb.sql import ask, connect, parse_texts, quote_name, quote_text
from .file_content import digest
from .columns import name_asked
from .counted import CountedRows
from .sample_ids import WORDS, pack_fingerprint, unpack_fingerprint
from .files import is_remote, kind_of
from .merging import identify_files, merge_rows
from .options import Options
from .grouped_rows import File, list_tasks
from .reduce import reduce_rows
from .duckdb.scans import guard, list_paths
from .tabular import Batch, Keep
from .values import tidy

__all__ = ["write_counts", "find_counts", "read_counts_files"]

KEY, VERSION = "sampling_eval", 1
CELLS = {"correct": "CASE WHEN correct >= 0 THEN correct = 1 END AS correct",
         "answer": "nullif(answer, '') AS answer"}


def write_counts(
    path: str | os.PathLike,  # File to write, usually `counts.parquet`
    rows: CountedRows,  # What to keep
) -> None:
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
        raise OSError(f"cannot write {os.fspath(path)!r}: {tell_unwritten(error)}") from None
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
                 group=rows.group, rows=rows.times, score=rows.total, scored=rows.scored,
                 single=rows.score)
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


def find_counts(
    files: Sequence[str],  # Files of any kind
) -> list[str]:  # Those that `write_counts` wrote
    "The files that hold counts rather than samples."
    return [file for file in files if is_counts(file)]


def read_counts_files(
    files: Sequence[str],  # Files that are read together
    counted: Sequence[str],  # Those of them that hold counts
    options: Options,  # Which may name no column
) -> CountedRows:  # Their sum
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
    if name == "cluster" and column is None or column is False: return
    said = "names a column of samples" if column or name == "weights" else "is for samples"
    asked = name_asked(name)
    raise OptionError(asked, f"{option(asked)} {said}, but {file!r} holds counts",
                      hint="pass a mapping of question to weight" * (name == "weights"))


def read_counts(path: str | os.PathLike) -> CountedRows:
    "Counted rows from a counts file."
    file = os.fspath(path)
    if not os.path.isfile(file): raise FileNotFoundError(f"no file to read at {file}")
    if not is_counts(file):
        raise ValueError(f"{file!r} is no counts file; count it with {name_verb('count')}")
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
    names = "question", "model", "cluster", "group", "correct"
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
