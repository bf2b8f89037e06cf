"""Metrics that `score` computes from a column of their own: `spend@k`, `guarded@k`, `portfolio@k`.

Each is reported beside pass@k, and asks for that at its budget.
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...errors import OptionError
from ...spelling import name_verb, option
from ...metrics.catalog import NEEDED_COLUMNS
from .choose import Metrics, split_metric_names

NAME = re.compile(rf"({'|'.join(NEEDED_COLUMNS)})@(k|[1-9][0-9]{{0,8}})", re.I)


@dataclass(frozen=True)
class Named:
    "Metrics as they were named, those with a column of their own apart."
    metrics: Metrics  # Without them, and with pass@k in their place
    # Budgets of `spend` and the others that were named; empty for all that pass@k is reported at
    budgets: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def take_named(
    metrics: Metrics,  # As they were asked for
    given: Mapping[str, object],  # Options that name a column to what they were given
) -> Named:  # Those that the catalog knows, or will refuse for want of a column
    "Metrics whose column was named are taken out of the list."
    if metrics is None or isinstance(metrics, Mapping) or not hasattr(metrics, "__iter__"):
        return Named(metrics)
    kept: list[str] = []
    budgets: dict[str, tuple[int, ...]] = {}
    for name in split_metric_names(metrics):
        family, budget = split_name(name)
        if not family or given[NEEDED_COLUMNS[family][0]] is None:
            kept.append(name)
            continue
        more = () if budget == "k" else (int(budget),)
        budgets[family] = (*budgets.get(family, ()), *more)
        # Tries that are split over sources may be more than one source has.
        kept.append("pass@k" if family == "portfolio" else f"pass@{budget}")
    if not budgets: return Named(metrics)
    return Named(list(dict.fromkeys(kept)), budgets)


def split_name(name: object) -> tuple[str, str]:
    "Family and budget of a name, both empty where it needs no column."
    found = NAME.fullmatch(name) if isinstance(name, str) else None
    return (found[1].lower(), found[2].lower()) if found else ("", "")


def refuse_spend(
    metrics: Metrics,  # As they were asked for
) -> None:
    "Refuse to compare what systems spend: who solves less may spend less."
    for name in split_metric_names(metrics if isinstance(metrics, str) else [*(metrics or ())]):
        if split_name(name)[0] != "spend": continue
        rule = f"systems are compared in pass@k at equal spend, not in {name}"
        raise OptionError("metrics", rule,
                          hint=f"pass {option('metrics', 'pass@k')} and {option('cost', ...)}; "
                               f"{name_verb('score')} shows what each spends")
