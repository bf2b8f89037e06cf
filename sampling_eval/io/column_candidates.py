"""The columns of a plain table: what they hold, and which part each could play."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..records import dataclass
from .columns import COLUMNS, simplify
from .tabular import Source, list_columns, take_column
from .values import is_absent

__all__ = ["survey_sources", "suggest_parts"]

OUTCOMES = (set("01") | {"true", "false"}, {"yes", "no"}, {"pass", "fail"}, {"passed", "failed"},
            {"c", "i"}, {"correct", "incorrect"}, {"right", "wrong"})
WANTED = "question", "correct"
NESTED = list, tuple, dict, np.ndarray
SHOWN, WIDTH = 2, 12  # Examples of a column, and characters of each


@dataclass(frozen=True)
class Seen:
    "A column and what it holds."
    column: str  # Its name
    holds: str = ""  # Words for its values; empty where an engine would have to count them
    different: int | None = None  # Different values, without those that are absent
    examples: tuple[str, ...] = ()  # The first of them
    parts: tuple[str, ...] = ()  # Parts that it could play, the likeliest first


def survey_sources(
    sources: Sequence[Source],  # Sources of one table
) -> list[Seen]:  # Its columns in their order
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


def suggest_parts(
    seen: Sequence[Seen],  # Columns of a table
    named: Mapping[str, object],  # Parts that the caller has named
) -> dict[str, str]:  # Column to try for each part that has to be named
    "The likeliest question and outcome, where the caller named none and names do not tell."
    found: dict[str, str] = {}
    for part in WANTED:
        if part in named: continue
        able = [one for one in seen if part in one.parts and one.column not in found.values()]
        by_name = [one for one in able if simplify(one.column) in COLUMNS[part]]
        if len(by_name) != 1 and able: found[part] = (by_name or able)[0].column
    return found
