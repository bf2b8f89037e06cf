"""How data are read: columns, log options and the policy, checked by name."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ..arguments import check_choice
from ..errors import OptionError, OptionTypeError
from ..spelling import option
from ..results.reading import ReadSummary
from .columns import COLUMNS, names_item
from .counted import Policy

__all__ = ["Input", "Options", "Policy"]

OF_LOGS = "harness", "task", "filter", "grade", "files_hold", "limits"
OF_TASKS = "group", "cluster"  # What the tasks of logs may be
OF_QUESTIONS = "cluster", "weight"  # Parts that may also be handed over beside the data
OF_TABLES = (*(part for part in COLUMNS if part not in OF_QUESTIONS), "threshold", "sums",
             "ignore", "keys", "expected", "failed")
OF_POLICY = tuple(field.name for field in fields(Policy))
GRADINGS = "score", "correct", "filter", "grade"  # Of these one may be given several times
KNOWN = *OF_TABLES, "by", "cluster", *OF_LOGS, *OF_POLICY


@dataclass(frozen=True)
class Options:
    "What `load` and `read` are told beside the data."
    columns: Mapping[str, str | bool] = field(default_factory=dict)  # Column of a part; False: none
    cluster: str | bool | Mapping | Sequence | None = None  # Column, or group of each question
    threshold: float | None = None  # Score above which a sample is correct, strictly
    sums: tuple[str, ...] = ()  # Further columns that are added up, such as a cost
    ignore: tuple[str, ...] = ()  # Columns that tell no rows apart
    harness: str = "auto"  # Name of a harness; table is any plain table
    task: str | None = None  # The only task that is read
    filter: str | None = None  # Filter whose answers are taken (lm-eval)
    grade: Callable | str | None = None  # Judges anew: exact, number, or maps (answer, target)
    files_hold: str | None = None  # What files with the same questions hold: draws or models
    limits: Any = None  # How many bytes of a log are believed
    answers: bool = True  # Whether votes are kept
    scores: bool | None = None  # Whether single scores are kept; None: where they are few
    draws: bool = False  # Whether sample numbers are kept, for merging
    runs: bool = False  # Whether it is kept which run each sample is from
    whole: bool = False  # Whether all sample ids are kept, to be compared one by one
    policy: Policy = Policy()  # What settles missing samples and answers
    given: tuple[str, ...] = ()  # Names of the options that were given and hold for files only
    weights: str | Mapping | None = None  # Column, or weight by question
    several: tuple[str, tuple[Any, ...]] | None = None  # An option, and its values side by side
    keys: str | None = None  # What the keys of an object are: questions, models or samples
    means: bool = False  # Whether the mean of a whole run may stand for it: of a rerun alone
    expected: str | None = None  # Column of right answers, for `grade`
    failed: str | None = None  # What tries count as that failed: missing or wrong
    costs: tuple[str, ...] = ()  # Of the columns added up, those whose known cells are counted

    @classmethod
    def of(
        cls,
        given: Mapping,  # Options by name; None is the same as not given
        verb_names: Iterable[str] = (),  # Further names that the caller knows, for the near match
        **kept: Any,  # What is kept: `answers`, `scores`, `draws` and `runs`
    ) -> Options:  # The same, checked
        """Options from what a caller was given.

        Raises: `TypeError` for a name that is no option, `ValueError` for a value that is none.
        """
        given = {name: value for name, value in given.items() if value is not None}
        refuse_unknown(given, verb_names)
        if "by" in given: given["group"] = given.pop("by")
        for_files = [name for name in given if name in (*OF_TABLES, *OF_LOGS)]
        several = find_several(given)
        if several is not None: del given[several[0]]
        if "scale" in given: kept["scores"] = True
        check_weighting(weights := kept.get("weights"))
        if isinstance(given.get("cluster"), (str, bool)): for_files.append("cluster")
        if isinstance(weights, str): for_files.append("weights")
        return cls(
            list_named(given, weights), given.get("cluster"), given.get("threshold"),
            check_names("sums", given.get("sums", ())),
            check_names("ignore", given.get("ignore", ())), **pick_given(given, OF_LOGS), **kept,
            policy=Policy(**pick_given(given, OF_POLICY)), given=tuple(for_files),
            keys=given.get("keys"), expected=given.get("expected"),
            failed=check_failed(given.get("failed")),
            several=several)

    @property
    def names_columns(self) -> bool:
        "Whether a column was named that only a plain table has."
        if self.harness != "auto": return self.harness == "table"
        named = any(isinstance(name, str) for part, name in self.columns.items()
                    if part != "score" and not is_of_logs(part, name))
        return named or bool(set(self.sums) - set(self.costs))

    def split(self) -> dict[str, Options]:
        "The same options once for each grading, by its name; none where there is only one."
        if self.several is None: return {}
        part, values = self.several
        return {name_grading(value): replace(self.choose(part, value), several=None)
                for value in values}

    def name_items(self, columns: Sequence[str]) -> Options:
        "The same, where the clusters asked for are the ids of the questions of some columns."
        name, question = self.columns.get("cluster"), self.columns.get("question")
        if not isinstance(name, str): return self
        others = [column for column in columns if column != name and names_item(column)]
        own = name == question if isinstance(question, str) else names_item(name) and not others
        if name in columns and not own or name not in columns and name != "question": return self
        return replace(self, columns={**self.columns, "cluster": False})

    def choose(self, part: str, value: Any) -> Options:
        "The same with one grading."
        if part in OF_LOGS: return replace(self, **{part: value})
        return replace(self, columns={**self.columns, part: value})

    @property
    def uses_clusters(self) -> bool:
        "Whether a column of clusters is used."
        return isinstance(self.cluster, (str, bool)) and bool(self.cluster)

    @property
    def groups_questions(self) -> bool:
        "Whether clusters were handed over beside the data."
        return self.cluster is not None and not isinstance(self.cluster, (str, bool))


def is_of_logs(part: str, name: Any) -> bool:
    "Whether a name is a column that logs have: their tasks, or their ids of questions."
    return part in OF_TASKS and name == "task" or part == "cluster" and names_item(name)


@dataclass(frozen=True)
class Input:
    "Files of one system, or of several that they name."
    data: Any  # Paths
    options: Options  # How they were read
    summary: ReadSummary  # What was taken for what
    system: str | None = None  # What the result calls it; None: as the files do
    model: str | None = None  # Which model of the files it is; None: the only one


def check_weighting(weights: Any) -> None:
    "Refuse weights that are neither a column nor a mapping."
    if weights is None or isinstance(weights, (str, Mapping)): return
    raise OptionTypeError("weights", must="be a column or a mapping of question to weight",
                          found=type(weights).__name__)


def find_several(given: dict[str, Any]) -> tuple[str, tuple[Any, ...]] | None:
    "The option that was given several values, each of which grades the samples anew."
    found = [name for name in GRADINGS if isinstance(given.get(name), (list, tuple))]
    if not found: return None
    if len(found) > 1:
        raise OptionError(found[1], "only one option may hold several gradings",
                          found=f"{option(found[0])} and {option(found[1])}")
    values = tuple(given[found[0]])
    names = list(map(name_grading, values))
    if names and len(set(names)) == len(names): return found[0], values
    raise OptionError(found[0], must="name each grading once", found=str(names))


def name_grading(value: Any) -> str:
    "What one grading is called."
    return value if isinstance(value, str) else getattr(value, "__name__", str(value))


def pick_given(given: Mapping, names: Iterable[str]) -> dict[str, Any]:
    "Those of some options that were given."
    return {name: given[name] for name in names if name in given}


def list_named(given: Mapping, weights: Any) -> dict[str, Any]:
    "The column of each part, as far as it was named."
    columns = pick_given(given, (part for part in COLUMNS if part in OF_TABLES))
    if isinstance(given.get("cluster"), str): columns["cluster"] = given["cluster"]
    if isinstance(weights, str): columns["weight"] = weights
    return columns


def refuse_unknown(given: Mapping, verb_names: Iterable[str]) -> None:
    odd = next((name for name in given if name not in KNOWN), None)
    if odd is None: return
    if odd in ("weights", "largest_weight"):
        raise OptionTypeError(odd, f"{option(odd)} is for score, compare, table and gate",
                              hint="leave it out, or use one of these")
    from difflib import get_close_matches
    near = get_close_matches(odd, [*verb_names, *KNOWN], 1, .5)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(KNOWN)}"
    raise OptionTypeError(odd, f"there is no option {odd!r}", choices=KNOWN, hint=hint)


def check_failed(value: Any) -> str | None:
    "What failed tries count as."
    if value is not None: check_choice("failed", value, ("missing", "wrong"))
    return value


def check_names(asked: str, names: str | Sequence[str]) -> tuple[str, ...]:
    "The columns that an option names."
    if not hasattr(names, "__iter__"):
        raise OptionTypeError(asked, must="be the names of columns", got=names)
    names = (names,) if isinstance(names, str) else tuple(names)
    odd = [name for name in names if not isinstance(name, (str, int))]
    if odd: raise OptionTypeError(asked, must="be the names of columns", got=odd[0])
    if len(set(names)) == len(names): return names
    raise OptionError(asked, must="name each column once", found=str(names))
