"""The columns of a plain table: what they hold, and which part each could play."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .columns import COLUMNS, Source, WAYS, list_called, list_columns, simplify, take_column
from .values import is_absent

__all__ = ["survey_sources", "suggest_parts", "suggest_grades", "suggest_ways", "hold_outcomes",
           "EXPECTED"]

OUTCOMES = (set("01") | {"true", "false"}, {"yes", "no"}, {"pass", "fail"}, {"passed", "failed"},
            {"c", "i"}, {"correct", "incorrect"}, {"right", "wrong"})
WANTED = "question", "correct"
# Words in the names of columns that tell what they hold.
QUESTION = set("question task problem item prompt example instance case query id name idx index "
               "key test uuid".split())
OUTCOME = set("ok correct right pass passed success solved outcome result valid acc accuracy is "
              "verdict grade label".split())
SCORE = set("score scores reward rating grade points judge judgement accuracy acc value".split())
EXPECTED = set("target targets gold gold_answer reference reference_answer expected "
               "expected_answer ground_truth ground_truth_answer correct_answer right_answer "
               "answer_key label solution".split())
SAMPLE = set("attempt trial epoch seed rep repeat repetition replicate try run rollout sample "
             "iteration iter draw generation".split())
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


def suggest_parts(seen: Sequence[Seen], named: Mapping[str, object]) -> dict[str, str]:
    "The likeliest question and outcome, where the caller named none and names do not tell."
    found: dict[str, str] = {}
    for part in WANTED:
        if part in named: continue
        able = [one for one in seen if part in one.parts and one.column not in found.values()]
        by_name = [one for one in able if simplify(one.column) in COLUMNS[part]]
        if len(by_name) != 1 and able: found[part] = (by_name or able)[0].column
    return found


# Whole ways to read a table.

def suggest_ways(
    heads: Mapping[str, np.ndarray],  # Columns of a table, with all or the first of their values
    named: Mapping[str, object],  # Parts that the caller has named
) -> list[dict[str, object]]:  # Options to add, the likeliest first
    "The columns that could be the question and the outcome, where names do not tell."
    table = {column: values.tolist() for column, values in heads.items()
             if column not in named.values()}
    outcomes = rank_outcomes(table, named)
    taken = {column for way in outcomes for column in way.values()}
    questions = rank_questions({c: v for c, v in table.items() if c not in taken}, named)
    ways = [question | find_sample(question, table, named, taken) | outcome
            for question in questions for outcome in outcomes]
    return [way for way in ways if way][:WAYS]


def has_word(column: str, words: set[str]) -> bool:
    "Whether one of the words in the name of a column is known."
    return not words.isdisjoint(re.split(r"[_. ]", simplify(column)))


def is_taken(column: str) -> bool:
    "Whether a column is known to be something else than the question or the outcome."
    return any(simplify(column) in COLUMNS[part]
               for part in ("sample", "model", "correct", "answer", "score"))


def rank_outcomes(table: Mapping[str, list], named: Mapping[str, object]) -> list[dict]:
    "Ways to name the outcome: an empty one where it is known, none where nothing looks like one."
    known = [*list_called(table, COLUMNS["correct"]), *list_called(table, COLUMNS["score"])]
    if known or {"correct", "score"} & named.keys(): return [{}]
    able = [column for column, values in table.items()
            if not is_taken(column) and hold_outcomes(list_present(values))]
    able.sort(key=lambda column: not has_word(column, OUTCOME))
    # Trials 0 and 1 look like outcomes.
    able = [column for column in able if not has_word(column, SAMPLE)] or able
    return [dict(correct=column) for column in able]


def rank_questions(table: Mapping[str, list], named: Mapping[str, object]) -> list[dict]:
    "Ways to name the question, of which the number of the row is the last."
    if named.get("question") or len(list_called(table, COLUMNS["question"])) == 1: return [{}]
    known = list_called(table, COLUMNS["question"])
    able = [c for c, values in table.items()
            if not is_taken(c) and not has_word(c, SAMPLE) and may_name(values)]
    like = [column for column in able if has_word(column, QUESTION)]
    several = [c for c in able if len(set(map(repr, table[c]))) < len(table[c])]
    found = known or like or several or able
    return [dict(question=column) for column in found] or [dict(question=False)]


def may_name(values: list) -> bool:
    "Whether values are names: text or whole numbers, one in every row, and several of them."
    plain = all(isinstance(value, (str, int)) and not isinstance(value, bool) for value in values)
    return plain and "" not in values and len(set(values)) > 1


def suggest_grades(
    heads: Mapping[str, np.ndarray],  # Columns that play no part, with the first of their values
    chosen: Mapping[str, str],  # Column of each part
) -> list[dict[str, object]]:  # Options to add, the likeliest first
    "Answers that can be judged, and columns of scores, where nothing looks like an outcome."
    expected = list_called(heads, EXPECTED)
    if len(expected) == 1 and "answer" in chosen:
        return [{"grade": rule} for rule in ("exact", "number", "last_line")]
    scores = [column for column, values in heads.items()
              if has_word(column, SCORE) and tell_kind(list_present(values.tolist()))
              in ("numbers", "whole numbers")]
    return [{"score": column} for column in scores[:WAYS]]


def find_sample(question: Mapping[str, object], table: Mapping[str, list],
                named: Mapping[str, object], taken: set) -> dict[str, object]:
    "A column that numbers the samples of each question, where no name tells."
    column = question.get("question")
    if not column or "sample" in named or list_called(table, COLUMNS["sample"]): return {}
    for other, values in table.items():
        if other == column or other in taken or not has_word(other, SAMPLE): continue
        pairs = list(zip(map(repr, table[str(column)]), map(repr, values)))
        if len(set(pairs)) == len(pairs) and may_name(values): return dict(sample=other)
    return {}


def list_present(values: list) -> list: return [v for v in values if not is_absent(v)]
