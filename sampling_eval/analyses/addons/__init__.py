"""What options of a verb add to its result: one file each, from the column to the words.

`ADDONS` of `results.registry` names the modules of the package; others come through the entry point
`sampling_eval.addons` and take what they need from `addons={name: value}`. A module has

- `ask(given)`: what its options ask for, checked; None where nothing
- `measure(request, asked)`: what it found, an object of `Data` or a tuple of them

and, where it needs them, `adjust(request, data, given)` and `prepare(request, options)`, by which
data are read for it, with the option of reading that a column becomes in `READ_AS`; `headline`,
`sentences`, `blocks` and `folds`, which say what was found; `cautions`; and `FOUND`, the class of
what is found, by which JSON is read. `NEEDS_ROWS` is true of one for which all rows have to be
there.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ...errors import OptionError, OptionTypeError
from ...spelling import marked, option
from ...foundations.counts import Counts
from ...inference.units import Weights
from ...reading.columns import no_column
from ...reading.counted import CountedRows
from ...reading.load import Loaded, load, split_blocks
from ...reading.options import Options
from ...render.blocks import Table
from ...results.base import Style
from ...results.registry import ADDONS, addon_module, addons_of
from ..engine.choose import Budgets, Chosen
from ..engine.measure import Measured, Weighing
from ..engine.runs import RunTable
from ..score.result import Report, name_block

if TYPE_CHECKING:
    from ..compare.result import PairwiseComparison
    from ..engine.systems import Aligned

__all__ = ["Asked", "Compared", "Numbered", "Part", "Ranked", "Requests", "BEHIND", "ask_all",
           "adjust_all", "prepare_all", "load_all", "add_all", "need_rows", "load_flags",
           "load_numbers", "make_table", "name_block", "name_tries", "refuse_beside", "refuse_none",
           "refuse_together"]

Part: TypeAlias = tuple[str, str, Counts, list[Chosen]]  # Model, group, counts and metrics
Requests: TypeAlias = dict[str, Any]  # By the name of an add-on, what was asked of it


class Asked(NamedTuple):
    "What an add-on of `score` is measured from."
    data: Any  # As `score` takes it
    loaded: Loaded  # The same, read
    options: Options  # How
    report: Report  # Without what is added
    style: Style  # Level and target of intervals
    k: Budgets  # Budgets as they were asked for
    budgets: Mapping[str, tuple[int, ...]]  # Those that a metric of its own names, such as spend@4
    by: str | None  # Column of groups
    weighing: Weighing  # How questions are weighted
    choose: Callable[[Loaded], tuple[dict[tuple[str, str], list[Chosen]], Any]]  # Metrics of each

    def list_blocks(self) -> list[Part]:
        "Every model and group with its metrics."
        chosen, _ = self.choose(self.loaded)
        return [(*key, counts, chosen[key]) for key, counts in self.loaded.blocks.items()]


class Numbered(NamedTuple):
    "Samples of one model with a number of each, equal ones once."
    counts: Counts
    rows: CountedRows  # A row stands for all samples that are equal
    correct: np.ndarray  # Outcome of each row, NaN where it is missing
    number: np.ndarray  # NaN where there is none
    no_votes: str  # Why answers are no votes; empty where they are, or where there are none


class Compared(NamedTuple):
    "What an add-on of `compare` is measured from."
    report: PairwiseComparison  # Without what is added
    aligned: Aligned  # Counts of both systems on the same questions
    cluster: list | None  # Group of each question; None where each is drawn by itself
    weights: Weights | None  # Weight of each question; None where all weigh the same
    measured: Sequence[Measured]  # Every metric on both
    by: str | None  # Column of groups
    groups: Mapping[Any, str]  # Question to its group; empty without the column


class Ranked(NamedTuple):
    "What an add-on of `table`, or of `compare` of several systems, is measured from."
    report: Any  # Without what is added
    metrics: Sequence[str]  # With their budgets
    runs: Mapping[str, RunTable | None]  # Runs of each system, where all have the same questions


# What a verb does with all of them.

def ask_all(
    verb: str,  # Such as `score`
    given: Mapping[str, Any],  # Options of add-ons, and what else these look at
    others: Mapping[str, Any] = {},  # What add-ons of other packages were given, by name
) -> Requests:
    "What was asked of each add-on."
    named = given.get("budgets", ())  # By metrics such as spend@4
    wanted = [name for name in addons_of(verb) if name in named or not ADDONS[name].options or any(
        is_given(given[asking], usual) for asking, usual in ADDONS[name].options.items())]
    if taken := [name for name in others if name in ADDONS]:
        asking = option(next(iter(ADDONS[taken[0]].options)))
        raise OptionError("addons", must="name add-ons of other packages", got=taken[0],
                          hint=f"it has an option of its own, {asking}")
    requests = {name: addon_module(name).ask(given) for name in wanted}
    requests |= {name: addon_module(name).ask({**given, name: value})
                 for name, value in others.items()}
    return {name: request for name, request in requests.items() if request is not None}


def is_given(value: Any, usual: Any) -> bool:
    "Whether an option, which may be a frame, is not what it is by default."
    if usual is None or usual is False: return value is not usual
    return not (isinstance(value, str) and value == usual)


def adjust_all(requests: Requests, data: Any, given: dict[str, Any]) -> dict[str, Any]:
    "Options of reading, with what add-ons need."
    for name, request in requests.items():
        adjust = getattr(addon_module(name), "adjust", None)
        if adjust is not None: given = adjust(request, data, given)
    return given


def prepare_all(requests: Requests, options: Options) -> Options:
    "How data are read, with what add-ons need."
    for name, request in requests.items():
        prepare = getattr(addon_module(name), "prepare", None)
        if prepare is not None: options = prepare(request, options)
    return options


def load_all(
    requests: Requests,  # What was asked of each add-on
    data: Any,  # As `score` takes it
    options: Options,  # How it is read
    given: Mapping[str, Any],  # Options of add-ons
) -> Loaded:
    """What was read.

    Raises: `OptionError` that names the option which named a column that is not there.
    """
    try: return load(data, options)
    except OptionError as error:
        for name in requests:
            for part, read_as in getattr(addon_module(name), "READ_AS", {}).items():
                if given[part] is None or (error.option, error.got) != (read_as, given[part]):
                    continue
                raise no_column(part, given[part], error.choices) from None
        raise


def need_rows(requests: Requests) -> bool:
    "Whether an add-on needs all rows, however many models there are."
    return any(getattr(addon_module(name), "NEEDS_ROWS", False) for name in requests)


def add_all(requests: Requests, asked: Asked | Compared | Ranked) -> Any:
    "The result with what each add-on found."
    found = {name: addon_module(name).measure(request, asked) for name, request in requests.items()}
    found = {name: value for name, value in found.items() if value is not None}
    if not found: return asked.report
    cautions = [one for name, value in found.items()
                if (say := getattr(addon_module(name), "cautions", None)) for one in say(value)]
    if not cautions: return replace(asked.report, addons=found)
    return replace(asked.report, addons=found, cautions=(*asked.report.cautions, *cautions))


# What several of them do.

BEHIND = "judge", "labels", "earlier"  # Options that look behind the outcomes: one at a time


def refuse_together(name: str, given: Mapping[str, Any]) -> None:
    "Refuse a second option that looks behind the outcomes, and what goes with none of them."
    first, *more = [one for one in BEHIND if given[one] is not None]
    if more:
        raise OptionError(more[0], f"only one of {first} and {more[0]} can be taken", found="both")
    bounds = "bounds" if given["missing"] == "bounds" else None
    for other, value in dict(weights=given["weights"], missing=bounds).items():
        if value is not None:
            raise OptionError(other, f"{other} and {name} exclude each other", found="both")


def refuse_beside(name: str, given: Mapping[str, Any]) -> None:
    "Refuse weights of questions, bounds, and what looks behind the outcomes."
    bounds = "bounds" if given["missing"] == "bounds" else None
    others = {one: given[one] for one in (*BEHIND, "weights")} | dict(missing=bounds)
    for other, value in others.items():
        if value is not None:
            raise OptionError(other, f"{other} and {name} exclude each other", found="both")


def load_flags(
    part: str,  # Option that names the column
    name: str,  # Column of 0 and 1 that is read in the place of the outcomes
    data: Any,  # As `score` takes it
    options: Options,  # How it is read
) -> Loaded:
    """What was read, with no other outcome beside it: no score, no answers judged anew.

    Raises: `OptionError` that says which column has the fault.
    """
    columns = {**options.columns, "correct": name, "score": False}
    ignore = tuple(one for one in options.ignore if one != name)
    plain = replace(options, columns=columns, ignore=ignore, threshold=None, grade=None)
    try: return load(data, plain)
    except ValueError as error:
        raise OptionError(part, f"{option(part, name)}: {marked(error)}") from None


def load_numbers(
    part: str,  # Option that names the column
    name: str,  # Column of a number of each sample
    asked: Asked,  # What was read without it
) -> dict[str, Numbered]:  # By model, over all its questions
    """The samples with a number beside each outcome, which is read in the place of a score.

    Raises: `OptionError` that names the option for a column that is not there or holds no numbers,
    and where outcomes do not stand in a column of their own.
    """
    first, options = asked.loaded, asked.options
    graded = any(counts.c is None for counts in first.blocks.values())
    made = options.threshold is not None or (options.several or ("",))[0] == "score"
    if first.rows is None or graded or made:
        found = "outcomes alone" if first.rows is None else "graded scores"
        raise OptionError(part, f"{option(part)} needs a table with a column of it, beside one of "
                          "outcomes, 0 or 1", found=found)
    columns = dict(first.rows.summary.columns) if options.several is None else {}
    # Scores that are all 0 or 1 are outcomes; here others stand in their place.
    own = columns.get("correct") or columns.get("score")
    if own == name:
        raise OptionError(part, must="be another column than that of the outcomes", got=name)
    named = dict(options.columns) | dict(score=name) | (
        dict(correct=own) if own and isinstance(options.columns.get("correct"), (str, NoneType))
        else {})
    policy = replace(options.policy, scale=None)
    try:
        found = load(asked.data, replace(options, columns=named, policy=policy, scores=True,
                                         answers=True))
    except OptionError as error:
        if (error.option, error.got) == ("score", name):
            raise no_column(part, name, error.choices) from None
        raise OptionError(part, f"{option(part, name)}: {marked(error)}") from None
    except OptionTypeError as error:
        # Its hint is about a score, whose place the numbers take.
        raise OptionError(part, f"{option(part, name)}: {error.rule}") from None
    except ValueError as error:
        raise OptionError(part, f"{option(part, name)}: {marked(error)}") from None
    if found.rows is None or found.rows.score is None or not same_outcomes(first, found):
        raise OptionError(part, f"{option(part)} needs a table with a column of outcomes, 0 or 1",
                          found="outcomes that are made from something else",
                          hint=f"name their column by {option('correct', ...)}")
    return {model: Numbered(found.blocks[model, ""], rows, np.asarray(rows.correct),
                            np.asarray(rows.score), found.lacks.get("votes", ""))
            for (model, group), rows in split_blocks(found.rows) if not group}


def same_outcomes(first: Loaded, second: Loaded) -> bool:
    "Whether all models and groups have the same questions, samples and right ones."
    return [*first.blocks] == [*second.blocks] and all(
        one.questions.tolist() == other.questions.tolist() and np.array_equal(one.n, other.n)
        and other.c is not None and np.array_equal(np.asarray(one.c), other.c)
        for one, other in zip(first.blocks.values(), second.blocks.values()))


def refuse_none(name: str, rows: Sequence[Any]) -> None:
    "An error where no metric follows from right and wrong."
    if rows: return
    raise OptionError(name, f"{name} needs outcomes, right or wrong",
                      found="data or metrics without them")


def make_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    "Rows that begin with a model, which is left out where none has a name."
    if any(row[0] for row in rows): return Table(["model", *heads], rows)
    return Table(heads, [row[1:] for row in rows], left=0)


def name_tries(k: int) -> str: return f"{k:,} {'try' if k == 1 else 'tries'}"
