"""Single questions: one by its name, several by patterns, and the values of all as a file."""
from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from math import ceil
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import numpy as np

from ..errors import OptionError, name_option, option
from ..extras import need, tell_unwritten
from ..foundations.counts import Counts
from ..inference.deciding import judge_same
from ..inference.regressions import fewest_samples, find_falls
from ..io.duckdb.sql import connect, quote_text
from ..io.files import is_remote, is_table
from ..patterns import match_paths
from ..report.output import check_ending, defuse, escape_controls, write
from ..report.text import cut_text, printable
from ..results.analysis import Equivalence
from ..results.columns import Absent, Columns
from ..results.comparison import Difference, PairwiseComparison
from ..results.verdicts import Check, MustPass, QuestionRegression, RegressionPower

__all__ = ["split_words", "join_words", "find_question", "write_questions", "Wanted",
           "list_must_pass", "check_must_pass", "check_share", "find_regressions",
           "check_regressions", "check_margin", "add_margin"]

# One question


NAME = 60  # Columns of a name in an error
COMPARED, LENGTH = 5000, 100  # Names, and characters of each, that are compared for a near match
NEAR = 3  # Near matches that are named


def split_words(
    words: Sequence[str],  # One or two files, and the name of a question or none
    about: str | None = None,  # The name, where it was given by itself
) -> tuple[list[str], str | None]:  # The files, and the name
    """Files and a question, told apart by what is there.

    Raises: `ValueError` where there are too many words, or one names no file.
    """
    files, name = list(words), about
    named = name is None and len(words) > 1 and (len(words) > 2 or not is_input(words[-1]))
    if named: name = files.pop()
    if len(files) > 2:
        raise ValueError(f"explain takes one or two files and a question, got {len(words)} words; "
                         "put quotes around a name with spaces, and around a pattern of files")
    if len(files) == 2 and not is_input(files[1]):
        raise ValueError(f"no file to read at {quote_name(files[1])}; put quotes around the name "
                         "of a question that has spaces")
    return files, name


def join_words(
    files: Sequence[str],  # One or two files
    name: str,  # Name of a question
) -> list[str]:  # Words that `split_words` takes apart again
    "Files and a question as they are typed."
    could_be_else = name.startswith("-") or is_input(name)
    return [*files, f"--about={name}" if could_be_else else name]


def is_input(word: str) -> bool:
    "Whether a word names data: a file, a folder, a pattern that fits some, an address."
    if is_remote(word) or is_table(word): return True
    return os.path.lexists(word) or bool(match_paths(word))


def find_question(
    names: Sequence[Any],  # Names of the questions, as they were read
    wanted: Any,  # The name, or what a shell makes of it
) -> int:  # Its position
    """The position of a question: of that very name, or of the one that reads like it.

    Raises: `ValueError` with near matches where there is none, or where several read like it.
    """
    same = [i for i, name in enumerate(names) if type(name) is type(wanted) and name == wanted]
    if same: return same[0]
    texts, text = list(map(str, names)), str(wanted)
    found = [i for i, name in enumerate(texts) if name == text]
    if not found: found = find_printed(texts, text)
    if len(found) == 1: return found[0]
    if found: raise ValueError(f"{len(found)} questions read like {quote_name(text)}; pass the "
                               "name itself, a number as a number")
    raise ValueError(tell_unknown(texts, text))


def tell_unknown(texts: Sequence[str], text: str) -> str:
    "The refusal of a name that no question has, with those near to it."
    near = find_near(texts, text)
    hint = f"; did you mean {' or '.join(near)}?"
    if not near: hint = f"; they are named like {', '.join(map(quote_name, texts[:NEAR]))}"
    return f"there is no question {quote_name(text)} among the {len(texts)}{hint}"


def find_printed(texts: Sequence[str], wanted: str) -> list[int]:
    "Names that are printed as what is wanted: without control characters, or cut at the mark …."
    shown, (start, cut, _) = printable(wanted), printable(wanted).partition("…")
    one_line = [printable(" ".join(name[:1000].split())) for name in texts]
    found = [i for i, name in enumerate(texts) if shown in (printable(name), one_line[i])]
    if found or not cut or not start: return found
    return [i for i, name in enumerate(one_line) if name.startswith(start)]


def find_near(texts: Sequence[str], wanted: str) -> list[str]:
    "Names that hold what is wanted, or are close to it."
    low = wanted.lower()[:LENGTH]
    holding = [name for name in texts if low and low in name.lower()]
    short = {name[:LENGTH]: name for name in texts[:COMPARED]}
    close = [short[o] for o in get_close_matches(wanted[:LENGTH], short, NEAR, .6)]
    near = dict.fromkeys([*sorted(holding, key=len)[:NEAR], *close])
    return [quote_name(name) for name in list(near)[:NEAR]]


def quote_name(name: str) -> str: return repr(cut_text(name, NAME))


# All questions as a file


def write_questions(
    path: Path,  # File to write, which ends in .csv, .json or .parquet
    columns: Mapping[str, Any],  # The `questions` of a result
) -> None:
    """One row per model and question in a file: counts, and every metric at every budget.

    Raises: `ValueError` for a result without them or another ending, `OSError` where the file
    cannot be written.
    """
    check_ending(path)
    if isinstance(columns, Absent): raise ValueError(Absent.said)
    table = columns if isinstance(columns, Columns) else Columns(columns)
    ending = path.suffix.lower()
    if ending == ".parquet": write_parquet(path, table)
    else: write(path, tell_csv(table) if ending == ".csv" else tell_json(table))


def tell_csv(table: Columns) -> str:
    "Comma-separated values, whose texts no spreadsheet runs."
    out = csv.writer(text := io.StringIO())
    out.writerow(map(defuse, table))
    out.writerows(zip(*(map(defuse, column.tolist()) for column in table.values())))
    return text.getvalue()


def tell_json(table: Columns) -> str:
    "A list with an object per row."
    rows = table.rows()
    return escape_controls(json.dumps(rows, ensure_ascii=False, indent=1, default=str))


def write_parquet(path: Path, table: Columns) -> None:
    "A Parquet file, whole or not at all."
    duckdb: Any = need("duckdb", "files")
    if not path.parent.is_dir(): raise OSError(f"cannot write {path}: there is no such folder")
    part = path.with_name(f".{path.name[:200]}.{os.getpid()}.part")
    con = connect()
    con.register("held", {name: plain_column(column) for name, column in table.items()})
    try:
        con.execute(f"COPY (SELECT * FROM held) TO {quote_text(part)} (FORMAT parquet)")
        os.replace(part, path)
    except duckdb.IOException as error:
        raise OSError(f"cannot write {path}: {tell_unwritten(error)}") from None
    finally: part.unlink(missing_ok=True)


def plain_column(column: np.ndarray) -> np.ndarray:
    "A column of numbers as it is; names of questions that are not all numbers as text."
    if column.dtype.kind in "iufb": return np.ascontiguousarray(column)
    return np.array([str(value) for value in column.tolist()], object)


# Rules of a verdict: those on single questions, and a margin within which systems are the same.

# Single questions


Wanted: TypeAlias = str | int | PathLike | Iterable
SIGNS = "*?["  # What makes a name a pattern
LISTED = 5  # Regressions that are listed though they are not significant


# Questions that must pass.

def list_must_pass(
    wanted: Wanted,  # Names or patterns, a text of them with commas, or a file with one a line
    counts: Counts,  # Counts of the new system
    share: float = 1.,  # Least share of right samples of each question
) -> tuple[MustPass, ...]:  # In the order of the questions
    """The questions that must pass, each with its verdict.

    Raises: `ValueError` for a name or pattern that fits no question, or without outcomes.
    """
    if counts.c is None:
        refuse_scores("must_pass")
    names: list = np.asarray(counts.questions).tolist()
    places = choose_questions(wanted, list(map(str, names)))
    return tuple(judge_question(names[i], int(counts.c[i]), int(counts.n[i]), share)
                 for i in places)


def judge_question(name: object, right: int, samples: int, share: float) -> MustPass:
    "Whether one question is right often enough."
    needed = ceil(share * samples - 1e-9)
    return MustPass(name, right, samples, needed, "pass" if right >= needed else "fail")


def choose_questions(wanted: Wanted, names: Sequence[str]) -> list[int]:
    "Positions of the questions that are meant, each once."
    known = {name: i for i, name in enumerate(names)}
    words = split_wanted(wanted, known)
    if not words:
        raise OptionError("must_pass", f"{name_option('must_pass')} names no question",
                          hint="leave it out, or name some")
    chosen: set[int] = set()
    absent = []
    for word in words:
        found = [known[word]] if word in known else match_names(word, names)
        if not found: absent.append(word)
        chosen.update(found)
    if absent: refuse_absent(absent, len(words), names)
    return sorted(chosen)


def split_wanted(wanted: Wanted, known: Iterable[str]) -> list[str]:
    "The names and patterns, one by one."
    if isinstance(wanted, PathLike): return read_names(Path(wanted))
    if isinstance(wanted, str):
        if wanted in known: return [wanted]
        if is_file(wanted): return read_names(Path(wanted))
        return [word.strip() for word in wanted.split(",") if word.strip()]
    if isinstance(wanted, Iterable): return [str(word) for word in wanted]
    return [str(wanted)]


def is_file(text: str) -> bool:
    "Whether a text is the path of a file; one that is too long for a path is none."
    try: return Path(text).is_file()
    except (OSError, ValueError): return False


def read_names(path: Path) -> list[str]:
    "The lines of a file, without empty ones and those that begin with `#`."
    try: lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise OptionError("must_pass", must="be a text file with one question a line",
                          found=f"{path}, which is not UTF-8 text") from None
    named = [line.strip() for line in lines]
    return [line for line in named if line and not line.startswith("#")]


def match_names(word: str, names: Sequence[str]) -> list[int]:
    "Positions of the questions that fit a pattern; none for a plain name."
    if not any(sign in word for sign in SIGNS): return []
    return [i for i, name in enumerate(names) if fnmatchcase(name, word)]


def refuse_absent(absent: Sequence[str], asked: int, names: Sequence[str]) -> None:
    "Refuse names that fit no question, with near ones."
    near = get_close_matches(absent[0], names[:20000], 3)
    raise OptionError("must_pass", must="name questions of the new run",
                      found=f"{absent[0]!r:.80}", where=f" ({len(absent)} of {asked} fail)",
                      hint=f"near: {', '.join(map(repr, near))}" if near else "")


def check_must_pass(
    found: tuple[MustPass, ...],  # Questions that must pass
    questions: int,  # Questions of the new run, those that need not pass among them
) -> Check:  # Fails where one of them does not pass
    "The rule that some questions pass."
    passed = sum(one.verdict == "pass" for one in found)
    return Check("must-pass questions pass", "must_pass", "must-pass questions", passed, None, None,
                 len(found), "pass" if passed == len(found) else "fail", questions, "samples")


def check_share(
    share: float,  # Least share of right samples
) -> None:
    "Refuse a share that is none."
    if not 0 < share <= 1:
        raise OptionError("must_pass_share", must="lie above 0 and at most 1", got=share,
                          hint="3 of 4 samples are 0.75")


def refuse_scores(name: str) -> NoReturn:
    "Refuse a rule about questions where there are no outcomes."
    raise OptionError(name, f"{name_option(name)} needs outcomes, right or wrong",
                      found="scores only", hint=f"{option('threshold')} makes outcomes of them")


# Questions that may not regress.

def find_regressions(
    sides: Mapping[str, Counts],  # The baseline and the new system on their common questions
    confidence_level: float = .95,  # One less the probability that any question is named by chance
) -> tuple[tuple[QuestionRegression, ...], RegressionPower | None]:
    """The questions that scored lower, and what the samples could show.

    Value: significant ones first, each kind by its p value; of the others the first five. None
    where samples have no outcomes.
    """
    old, new = sides.values()
    if old.c is None or new.c is None: return (), None
    found = find_falls(old.n, old.c, new.n, new.c, round(1 - confidence_level, 12))
    lower = (new.c * old.n < old.c * new.n).nonzero()[0]
    # Equal p values stay in the order of the questions.
    order = lower[np.lexsort((found.p[lower], found.adjusted[lower]))]
    kept = order[:int(found.certain[lower].sum()) + LISTED]
    columns = old.c, old.n, new.c, new.n, found.p, found.adjusted, found.certain
    names = np.asarray(old.questions).tolist()
    values = zip(*(np.asarray(column)[kept].tolist() for column in columns))
    rows = tuple(QuestionRegression(names[i], *row) for i, row in zip(kept.tolist(), values))
    sizes = min(old.n_min, new.n_min), max(old.n_max, new.n_max)
    needed = fewest_samples(len(old), found.level)
    detectable = int(found.watched.sum())
    return rows, RegressionPower(len(old), detectable, *sizes, needed, found.level, len(lower))


def check_regressions(
    regressions: tuple[QuestionRegression, ...],  # Questions that scored lower
    power: RegressionPower | None,  # What the samples could show
) -> Check:  # Fails where one is significant, inconclusive where none could be
    """The rule that no question regresses.

    Raises: `ValueError` for samples without outcomes.
    """
    if power is None:
        refuse_scores("no_question_regresses")
    number = sum(one.significant for one in regressions)
    verdict = "fail" if number else "pass" if power.detectable else "inconclusive"
    return Check("no question regresses", "regressions", "regressions", number, None, None, 0,
                 verdict, power.questions, "same_questions")  # type: ignore[arg-type]


# The same, within a margin


def check_margin(
    margin: float | None,  # Largest difference that does not matter
) -> None:
    "Refuse a margin within which nothing can lie."
    if margin is None or (is_number(margin) and 0 < margin < np.inf): return
    raise OptionError("same_within", must="be a finite margin above 0", got=margin,
                      hint="no data can show a difference of exactly 0; two points of a hundred "
                           "are 0.02")


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.bool_))


def add_margin(
    result: PairwiseComparison,  # Two systems compared
    margin: float | None,  # Largest difference that does not matter; None where none was named
) -> PairwiseComparison:
    "The same with the verdict on a margin, where one was named."
    if margin is None: return result
    row = result.rows[0]
    if row.unit == "share" and margin >= 1:
        raise OptionError("same_within", must="be below 1 for shares", got=margin,
                          hint="two points of a hundred are 0.02")
    return replace(result, same_within=find_equivalence(row, margin))


def find_equivalence(row: Difference, margin: float) -> Equivalence:
    "Whether the interval of a row lies inside the margin, beyond it, or neither."
    low, high = row.span()
    verdict = "none" if low is None or high is None else judge_same(low, high, margin)
    return Equivalence(float(margin), row.metric, verdict,  # type: ignore[arg-type]
                       low, high, row.target, row.confidence_level, row.unit)
