"""The columns of a plain table: what they hold, and which part each could play."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .column_names import EXPECTED, ROWS, has_word, is_property, names_sample
from .columns import COLUMNS, Source, list_called, list_columns, simplify, take_column
from .values import is_absent

__all__ = ["survey_sources", "suggest_grades", "suggest_way", "hold_outcomes",
           "show_columns", "EXPECTED"]

OUTCOMES = (set("01") | {"true", "false"}, {"yes", "no"}, {"pass", "fail"}, {"passed", "failed"},
            {"c", "i"}, {"correct", "incorrect"}, {"right", "wrong"})
# Words in the names of columns that tell what they hold.
QUESTION = set("question task problem item prompt example instance case query id name "
               "qid".split())
GROUPS = set("type kind category suite group domain subject class tag difficulty set source split "
             "family topic area format folder user model agent".split())
COUNTS = set("count counts total totals sum mean avg average std stderr n num turns steps failures "
             "retries calls tries length len size bytes chars words lines duplicates misses hits "
             "age year".split())
OUTCOME = set("ok correct right pass passed success solved resolved outcome result valid acc "
              "accuracy verdict grade".split())
SURE = set("ok correct right pass passed success solved resolved verdict".split())
SCORE = set("score scores reward rating grade points judge judgement accuracy acc value recall "
            "precision f1".split())
NESTED = list, tuple, dict, np.ndarray
SHOWN, WIDTH, MOST = 2, 12, 12  # Examples of a column, letters of each, columns that are shown


@dataclass(frozen=True)
class Seen:
    "A column and what it holds."
    column: str  # Its name
    holds: str = ""  # Words for its values; empty where an engine would have to count them
    different: int | None = None  # Different values, without those that are absent
    examples: tuple[str, ...] = ()  # The first of them
    parts: tuple[str, ...] = ()  # Parts that it could play, the likeliest first


def survey_sources(sources: Sequence[Source]) -> list[Seen]:  # Its columns in their order
    "What stands in each column, of tables that are read and not counted by an engine."
    columns = list_columns(sources)
    return [see_column(column, sources) for column in columns]


def see_column(column: str, sources: Sequence[Source]) -> Seen:
    named = tuple(part for part, names in COLUMNS.items() if simplify(column) in names)
    if any(source.verb != "read" for source in sources): return Seen(str(column), parts=named)
    values = list_values(column, sources)
    different = {repr(value): value for value in values}
    guessed = guess_parts(values, list(different.values()))
    parts = tuple(dict.fromkeys((*named, *guessed)))
    examples = tuple(cut_example(str(value)) for value in list(different.values())[:SHOWN])
    return Seen(str(column), tell_kind(values), len(different), examples, parts)


def list_values(column: str, sources: Sequence[Source]) -> list:
    "What a column holds where it holds anything."
    parts = (take_column(source, "question", column) for source in sources
             if column in source.columns)
    return [value for part in parts for value in part.tolist() if not is_absent(value)]


def cut_example(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDTH else line[:WIDTH - 3] + "..."


def tell_kind(values: list) -> str:
    "One or two words for the values of a column."
    if not values: return "nothing"
    if all(isinstance(value, bool) for value in values): return "flags"
    if all(map(reads_as_number, values)): return "whole numbers" if are_whole(values) else "numbers"
    if any(isinstance(value, NESTED) for value in values): return "lists"
    return "text" if all(isinstance(value, str) for value in values) else "mixed"


def are_whole(numbers: list) -> bool:
    "Whether no number has a fraction; beyond 2^53 a float has none anyway."
    floats = map(float, numbers)
    return all(value.is_integer() or abs(value) >= 2**53 for value in floats)


def reads_as_number(value: object) -> bool:
    "Whether a value is a number, or a text that is one."
    if isinstance(value, (bool, *NESTED)): return False
    try: return np.isfinite(float(value))  # type: ignore[arg-type, return-value]
    except (TypeError, ValueError): return False


def guess_parts(values: list, different: list) -> tuple[str, ...]:
    "Parts that values allow: names repeat, outcomes are two words or numbers, scores are numbers."
    kind, several = tell_kind(values), 1 < len(different)
    if several and hold_outcomes(different): return ("correct",)
    if kind == "numbers": return ("score",)
    if kind not in ("text", "whole numbers") or not several: return ()
    return ("question",) if 2 * len(different) <= len(values) else ()


def hold_outcomes(different: list) -> bool:
    "Whether values are two words or numbers that stand for right and wrong."
    words = {str(value).strip().lower().removesuffix(".0") for value in different}
    return len(words) == 2 and any(words <= known for known in OUTCOMES)


# What may be offered as a command, where names do not tell.


def suggest_way(
    heads: Mapping[str, np.ndarray],  # Columns of a table, with all or the first of their values
    named: Mapping[str, object],  # Parts that the caller has named
) -> dict[str, object]:  # Options to add; empty where more than one way may be meant
    "The only columns that could be the question and the outcome."
    table = {column: values.tolist() for column, values in heads.items()
             if column not in named.values()}
    question = pick_question(table, named)
    if question is None: return {}
    left = {column: values for column, values in table.items() if column not in question.values()}
    outcome = pick_outcome(left, named)
    return {} if outcome is None else {**question, **outcome}


def is_taken(column: str) -> bool:
    "Whether a column is known to be something else than the question or the outcome."
    known = any(simplify(column) in COLUMNS[part]
                for part in ("sample", "model", "correct", "answer", "score"))
    return known or names_sample(column) or is_property(column)


def is_out(column: str, values: list) -> bool:
    "Whether a column can be no question: a count, a fraction, a constant, or what happened."
    if is_taken(column) or has_word(column, COUNTS) or hold_outcomes(list_present(values)):
        return True
    return not may_name(values)


def pick_question(table: Mapping[str, list], named: Mapping[str, object]) -> dict | None:
    "The question: empty where it is known, None where several columns could be meant."
    known = list_called(table, COLUMNS["question"])
    if named.get("question") or len(known) == 1: return {}
    if known or named.get("question") is False: return None
    like = [c for c in table if not is_taken(c) and has_word(c, QUESTION)
            and not has_word(c, COUNTS | GROUPS)]
    like = [c for c in like if not (has_word(c, ROWS) and is_unique(table[c]))]
    several = [c for c in like if may_name(table[c])]
    if not several: return pick_single(like, table) or pick_unique(table)
    if len(several) > 1: several = pick_same(several, table) or [
        c for c in several if is_unique(table[c])]
    # What is unique in every row leaves nothing to be numbered.
    if len(several) != 1 or is_unique(table[several[0]]) and has_numbers(table): return None
    return dict(question=several[0])


def pick_same(several: Sequence[str], table: Mapping[str, list]) -> list[str]:
    "The shortest of columns that name the same questions; none where they differ."
    pairs = [set(zip(table[several[0]], table[c])) for c in several]
    sizes = {len(set(table[c])) for c in several} | {len(pair) for pair in pairs}
    if len(sizes) > 1: return []
    return [min(several, key=lambda c: sum(len(str(value)) for value in table[c]))]


def is_unique(values: list) -> bool: return len(set(map(repr, values))) == len(values)


def has_numbers(table: Mapping[str, list]) -> bool:
    "Whether a column numbers samples of questions that have several."
    return any(names_sample(c) and not is_unique(values) and len(set(map(repr, values))) > 1
               for c, values in table.items())


def pick_single(like: Sequence[str], table: Mapping[str, list]) -> dict | None:
    "A lone column such as task, of one value, whose samples have a number."
    numbered = any(names_sample(c) and is_unique(values) for c, values in table.items())
    single = len(like) == 1 and len(set(map(repr, table[like[0]]))) == 1
    return dict(question=like[0]) if single and numbered else None


def pick_unique(table: Mapping[str, list]) -> dict | None:
    "A column that is unique in every row, where no other one could name questions."
    able = [c for c, values in table.items() if not is_out(c, values)]
    if not able or has_numbers(table) or any(has_word(c, ROWS) for c in able): return None
    return dict(question=able[0]) if all(is_unique(table[c]) for c in able) else None


def pick_outcome(table: Mapping[str, list], named: Mapping[str, object]) -> dict | None:
    "The outcome: empty where it is known, None where no column or several could be meant."
    known = list_called(table, COLUMNS["correct"]), list_called(table, COLUMNS["score"])
    if {"correct", "score"} & named.keys() or any(len(found) == 1 for found in known): return {}
    if any(known): return None
    free = {column: values for column, values in table.items()
            if not is_taken(column) and tell_kind(list_present(values)) != "lists"}
    able = [column for column, values in free.items() if hold_outcomes(list_present(values))]
    called = [column for column in able if has_word(column, SURE)]
    called = called or [column for column in able[:1] if len(able) == 1
                        and has_word(column, OUTCOME)]
    if len(called) == 1: return dict(correct=called[0])
    scores = [column for column, values in free.items()
              if has_word(column, SCORE) and not has_word(column, COUNTS)
              and tell_kind(list_present(values)) in ("numbers", "whole numbers")]
    if called: return None
    if len(scores) == 1: return dict(score=scores[0])
    # What stands alone beside names can be nothing else.
    return dict(correct=able[0]) if able and list(free) == able[:1] else None


def may_name(values: list) -> bool:
    "Whether values are names: text or whole numbers, one in every row, and several of them."
    plain = all(isinstance(value, (str, int)) and not isinstance(value, bool) for value in values)
    if not plain or "" in values or len(set(values)) < 2: return False
    return not all(map(reads_as_number, values)) or are_whole(values)


def suggest_grades(
    heads: Mapping[str, np.ndarray],  # Columns that play no part, with the first of their values
    chosen: Mapping[str, str],  # Column of each part
) -> list[dict[str, object]]:  # Options to add; of several each gives another number
    "Answers that can be judged, or a column of scores, where nothing looks like an outcome."
    expected = list_called(heads, EXPECTED)
    if len(expected) == 1 and "answer" in chosen:
        return [{"grade": rule} for rule in ("exact", "number", "last_line")]
    found = pick_outcome({column: values.tolist() for column, values in heads.items()}, {})
    return [found] if found else []


def show_columns(
    heads: Mapping[str, np.ndarray],  # Columns of a table, with the first of their values
) -> str:  # `'task' (text, 3 different: fix, add)`
    "Each column, what it holds, how many different values, and two of them."
    return ", ".join(show_column(column, values.tolist())
                     for column, values in list(heads.items())[:MOST])


def show_column(column: str, values: list) -> str:
    present = list_present(values)
    different = {repr(value): value for value in present}
    examples = ", ".join(cut_example(str(v)) for v in list(different.values())[:SHOWN])
    return f"{column!r} ({tell_kind(present)}, {len(different)} different: {examples})"


def list_present(values: list) -> list: return [v for v in values if not is_absent(v)]
