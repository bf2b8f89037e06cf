"""How often most judges of a panel are right, from a column of gold labels (`panel=`)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...errors import OptionError, OptionTypeError
from ...foundations.counts import Counts
from ...inference.estimate import mean_over_questions
from ...inference.intervals import Interval
from ...inference.judges import PanelFacts, panel_at_k, panel_facts
from ...reading.options import Options
from ...render.blocks import Block, Table, Text
from ...render.format import count, decimal, describe_ci, interval, percent
from ...results.base import Data, HasInterval, ends
from ...spelling import option
from . import Asked, load_flags, refuse_beside

READ_AS = dict(panel="ignore")  # What reading calls the column
LEAST_ITEMS, LEAST_JUDGES, MOST_LISTED = 2, 2, 9


@dataclass(frozen=True, eq=False)
class PanelRow(HasInterval, Data):
    "The majority of a random panel, a tie decided by lot."
    k: int  # Its judges
    estimate: float  # Share of items on which it is right
    interval: Interval = field(metadata=ends(words="method", target="new_questions", unit="share"))
    independent: float  # The same for judges as right on average that err independently


@dataclass(frozen=True, eq=False)
class Panel(Data):
    "Judges of the same items, held against gold labels."
    gold: str  # Column of gold labels
    confidence_level: float
    judges: tuple[str, ...]
    items: int  # With a gold label and a verdict of every judge
    left_out: int  # Other items
    rows: tuple[PanelRow, ...] = ()  # By size; none without items
    mean_accuracy: float | None = None
    error_correlation: float | None = None  # Of two judges, mean over pairs; None without errors
    effective_number: float | None = None  # None without errors, or if the mean never varies


FOUND = Panel  # The class of what is found


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `score`
) -> Any:
    """The column of gold labels.

    Raises: `OptionTypeError` unless it is a name, `OptionError` beside weights, bounds, what looks
    behind the outcomes, and missing verdicts that are taken for wrong ones.
    """
    gold = given["panel"]
    if gold is None: return None
    if not isinstance(gold, str) or not gold:
        raise OptionTypeError("panel", must="be the name of a column", got=gold)
    refuse_beside("panel", given)
    if given["missing"] == "wrong":
        raise OptionError("missing", "a judge without a verdict is neither right nor wrong",
                          got="wrong", hint="leave the items without one out")
    return gold


def prepare(gold: str, options: Options) -> Options:
    "The gold labels are no outcome, and tell no rows apart."
    return replace(options, ignore=tuple(dict.fromkeys((*options.ignore, gold))))


def measure(gold: str, asked: Asked) -> Panel:
    """The panel of all models, or gradings, that were read.

    Raises: `OptionError` for one judge, several verdicts of one on an item, graded verdicts, and
    labels that are not 0 and 1.
    """
    sides = {model: own for (model, group), own in asked.loaded.blocks.items() if not group}
    if len(sides) < LEAST_JUDGES:
        raise OptionError("panel", "a panel needs two judges", found=f"{len(sides)} in the data",
                          hint=f"name their columns by {option('correct')}, or the column of "
                          f"judges by {option('model')}")
    for model, own in sides.items(): check_judge(model, own)
    labels = read_gold(gold, asked)
    known = [dict(zip(own.questions.tolist(), np.asarray(own.c).tolist()))
             for own in sides.values()]
    first = next(iter(sides.values()))
    every = set().union(*known)
    items = [name for name in first.questions.tolist()
             if name in labels and all(name in one for one in known)]
    told = Panel(gold, asked.style.confidence_level, tuple(sides), len(items),
                 len(every) - len(items))
    if len(items) < LEAST_ITEMS: return told
    right = np.array([[one[name] == labels[name] for one in known] for name in items])
    cluster = None
    if first.cluster is not None:
        groups = dict(zip(first.questions.tolist(), first.cluster.tolist()))
        cluster = [groups[name] for name in items]
    facts = panel_facts(right)
    worth = facts.effective_number
    return replace(told, rows=make_rows(right, facts, cluster, told.confidence_level),
                   mean_accuracy=facts.mean_accuracy, error_correlation=facts.error_correlation,
                   effective_number=None if worth is None or np.isinf(worth) else worth)


def check_judge(model: str, own: Counts) -> None:
    "Refuse graded verdicts, and several of one judge on an item."
    if own.c is None:
        raise OptionError("panel", "a panel needs verdicts of 0 and 1", found="graded scores",
                          hint=f"set {option('threshold', ...)}")
    if own.n_max > 1:
        raise OptionError("panel", "every judge gives one verdict on an item",
                          found=f"{own.n_max} of {model!r} on {own.questions[own.n.argmax()]!r}",
                          hint=f"name what tells items apart by {option('question', ...)}")


def read_gold(gold: str, asked: Asked) -> dict[Any, int]:
    """The gold label of each item that has one.

    Raises: `OptionError` for items with two different ones.
    """
    options = replace(asked.options, several=None)
    low, high = (load_flags("panel", gold, asked.data, replace(
        options, policy=replace(options.policy, missing=policy))).blocks
        for policy in ("wrong", "right"))
    found: dict[Any, int] = {}
    for (model, group), own in low.items():
        if group: continue
        columns = own.questions, own.n, np.asarray(own.c), np.asarray(high[model, group].c)
        for name, n, wrong, right in zip(*(one.tolist() for one in columns)):
            if wrong != right: continue  # Without a label
            if wrong not in (0, n) or found.get(name, wrong > 0) != (wrong > 0):
                raise OptionError("panel", "an item has one gold label", found="0 and 1",
                                  where=f" for item {name!r}")
            found[name] = int(wrong > 0)
    return found


def make_rows(
    right: np.ndarray, facts: PanelFacts, cluster: list[Any] | None, level: float,
) -> tuple[PanelRow, ...]:
    "Panels of every size; of many judges the small ones, and all."
    most = right.shape[1]
    sizes = [k for k in range(1, most + 1) if k <= MOST_LISTED or k == most]
    alone = facts.independent(sizes)
    means = [mean_over_questions(one, cluster=cluster) for one in panel_at_k(right, sizes).T]
    return tuple(PanelRow(k, mean.value, mean.confidence_interval(level), float(other))
                 for k, mean, other in zip(sizes, means, alone))


# In words.

def blocks(found: Panel) -> list[Block]:
    "What the panel is worth, and every size of it; a sentence where no item has a label."
    items = f"{count(found.items, 'item')} with a gold label in {found.gold}"
    rest = f" ({found.left_out:,} left out)" * bool(found.left_out)
    if not found.rows:
        return [Text(f"No claim on the {len(found.judges)} judges: {items}{rest}; judges that "
                     "agree may all be wrong.")]
    rows = [[f"{row.k}", percent(row.estimate), interval(row.low, row.high),
             percent(row.independent)] for row in found.rows]
    return [Text(f"{count(len(found.judges), 'judge')} on {items}{rest}: {describe_worth(found)}."),
            Text(describe_panel(found)),
            Table(["judges drawn", "majority right", "CI", "if independent"], rows, left=0)]


def describe_worth(found: Panel) -> str:
    "Accuracy of single judges, and what they are worth together."
    said = f"mean accuracy {percent(found.mean_accuracy)}"
    if found.error_correlation is None: return f"{said}, all alike, so errors show no correlation"
    said += f", error correlation {decimal(found.error_correlation)}"
    if found.effective_number is None: return f"{said}: their errors cancel"
    return f"{said}: worth {found.effective_number:.1f} independent judges"


def describe_panel(found: Panel) -> str:
    "The majority of the largest odd panel, beside independent judges, and what it is not."
    row = [one for one in found.rows if one.k % 2][-1]
    said = describe_ci(row.low, row.high, found.confidence_level, "new items",
                       str(row.interval.method))
    return (f"The majority of {row.k} drawn at random is right on {percent(row.estimate)} "
            f"({said}); of {row.k} that err independently on {percent(row.independent)}. About "
            "these judges only; a tie counts half.")
