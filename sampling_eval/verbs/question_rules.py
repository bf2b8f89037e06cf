"""Rules of a verdict: those on single questions, and a margin within which systems are the same."""
from __future__ import annotations

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
from ..foundations.counts import Counts
from ..inference.deciding import judge_same
from ..inference.regressions import fewest_samples, find_falls
from ..results.analysis import Equivalence
from ..results.comparison import Difference, PairwiseComparison
from ..results.verdicts import Check, MustPass, QuestionRegression, RegressionPower

__all__ = ["Wanted", "list_must_pass", "check_must_pass", "check_share", "find_regressions",
           "check_regressions", "check_margin", "add_margin"]


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
