"""Which column plays which part."""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from ..errors import OptionError, option

__all__ = ["COLUMNS", "RUNS", "WAYS", "choose_columns", "is_mark", "name_asked", "no_column",
           "pick_only", "simplify", "tell_apart"]

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
MARKS = "task", "system", "grade", "file"  # Parts that only tell which rows belong together


def choose_columns(
    columns: Iterable[str],  # Names of the columns there are
    named: Mapping[str, str | bool | None] | None = None,  # Column of a part; False uses none
    added: Collection[str] = (),  # Columns that are added up, such as costs or verdicts
) -> dict[str, str]:  # Column of each part that was found, in the order of `COLUMNS`
    """Which column plays which part.

    Raises: `ValueError` if a named column is not there, two could play one part, or none is the
    question.
    """
    columns, named = list(columns), named or {}
    taken = [name for name in named.values() if isinstance(name, str)]
    chosen = {}
    for part in COLUMNS:
        found = find_column(part, named.get(part), columns, taken, added)
        if found is not None: chosen[part] = found
    if "question" not in chosen:
        raise OptionError("question",
                          f"Which column holds the question? Got {list_names(columns)}",
                          choices=columns)
    refuse_two_parts(chosen)
    return chosen


def find_column(part: str, name: str | bool | None, columns: list[str], taken: list[str],
                added: Collection[str]) -> str | None:
    "The column of one part: as named, or the only one that is called so."
    if name is False: return None
    if name is not None:
        if name not in columns: raise no_column(name_asked(part), name, columns)
        return str(name)
    found = [c for c in columns if c not in taken and simplify(c) in COLUMNS[part]]
    if len(found) > 1 and part == "sample": found = leave_runs(found)
    if len(found) > 1: found = [c for c in found if c not in added] or found
    return pick_only(part, found)


def pick_only(
    part: str,  # What the column stands for
    found: Sequence[str],  # Columns that could be it
) -> str | None:  # The only one; None if there is none
    """The column of a part.

    Raises: `ValueError` naming two of several.
    """
    if len(found) < 2: return found[0] if found else None
    asked = name_asked(part)
    raise OptionError(asked, f"ambiguous: {found[0]!r} or {found[1]!r} could be the "
                             f"{'outcome' if part == 'correct' else part}", choices=found,
                      ways=[{asked: column} for column in found[:WAYS]])


def name_asked(
    part: str,  # What a column stands for
) -> str:  # Such as `by` of a group
    "The option that names the column of a part."
    return ASKED.get(part, part)


def leave_runs(columns: list[str]) -> list[str]:
    return [c for c in columns if simplify(c) not in RUNS] or columns


def is_mark(
    part: str,  # What a column stands for
) -> bool:
    "Whether a part is only there to tell which rows belong together."
    return part.partition(" ")[0] in MARKS


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


def simplify(
    column: object,  # Name of a column
) -> str:  # The same in small letters, with underscores
    "A name as it is compared with those that are known."
    if isinstance(column, Twin): column = column.base
    return str(column).strip().lower().replace(" ", "_").replace("-", "_")


def list_names(names: Sequence) -> str:
    "The first twelve names in words."
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(map(repr, names[:12])) + more if names else "no columns"


def no_column(asked: str, name: object, columns: Sequence) -> OptionError:
    "The refusal of a column that is not there, with the nearest one."
    from difflib import get_close_matches
    near = get_close_matches(str(name), list(map(str, columns)), 1, 0.6)
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
