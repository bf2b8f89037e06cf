"""Which metrics at which budgets: names and credits, as they were asked for."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Union

import numpy as np
from numpy.typing import ArrayLike

from ...errors import OptionError, OptionTypeError
from ...spelling import Sentence, marked, option
from ...foundations.counts import Counts, faults, whole_numbers
from ...metrics.catalog import CATALOG, Metric, find_metric, majority_vote, own_metric

Credit = Union[Callable[[int], ArrayLike], ArrayLike, Metric, None]
Metrics = Union[str, Sequence[str], Mapping[str, Credit], None]
Budgets = Union[int, ArrayLike, None]

MOST_BUDGETS = 2**20
UNCLEAR = "maj@k", "best@k"  # How a missing sample would have voted or ranked is unknown
# Metrics that need the score of every sample, and those of them on the scale of the scores
RANKED = "best@", "max@", "min@", "mean@"
SCALED = "max@k", "min@k", "mean@n"

# Why a metric cannot be computed, by the field of `Counts` that it needs, and what to do.
LACKS = {"c": "no outcomes", "score_sum": "no graded scores", "votes": "no answers",
         "rewards": "no scores to choose by",
         "ranking": "the only score is the outcome, by which best@k is pass@k"}
# The column that holds it
COLUMN_OF_FIELD = {"c": "correct", "score_sum": "score", "votes": "answer", "rewards": "score",
                   "ranking": "score"}


@dataclass(frozen=True, eq=False)
class Chosen:
    "A metric, the budgets it is computed at, and its names there."
    metric: Metric
    ks: np.ndarray  # Ascending budgets, shape `(K,)`; a 1 for a metric without budgets
    labels: tuple[str, ...]  # Name at each budget, such as `pass@8`

    @property
    def budgets(self) -> np.ndarray | None:
        "The budgets; None for a metric that has none."
        return None if self.metric.at == "n" else self.ks

    @property
    def bounds(self) -> tuple[float, float] | None:
        "Least and largest value of a question; None if unknown."
        return (0, 1) if self.metric.bounded else self.metric.bounds


def choose_metrics(
    counts: Counts,  # Counts of one system
    metrics: Metrics = None,  # Names, or names with credits of one's own; None for all
    k: Budgets = None,  # Budgets asked for; None chooses
    *,
    ties: str = "expected",  # Rule for ties of maj@k: `expected` or `wrong`
    lacks: Mapping[str, str] | None = None,  # Field of the counts to the reason it is absent
) -> tuple[list[Chosen], dict[str, str]]:  # Metrics in order; name to why it is left out
    """The metrics to report, with their budgets.

    Raises: `ValueError` for an unknown name, or one that the data cannot give.
    """
    found, left_out = pick_metrics(counts, metrics, k, ties, lacks)
    if not found:
        # Where scores are there and no metric can take them, their reason is the one to mend.
        outside = (lacks or {}).get("score_sum") if "soft@n" in left_out else None
        why = marked(outside) if outside else say_left_out(left_out)
        raise OptionError("metrics", f"no metric to report: {why}",
                          ways=[dict(metrics="mean@n")] if outside and metrics is None else ())
    uses_k = any(metric.at != "n" and not stated for metric, stated in found)
    shared = reported_budgets(counts, k) if uses_k else None
    return [choose_budgets(metric, stated, counts, shared) for metric, stated in found], left_out


def choose_one(
    counts: Counts,  # Counts of one system
    metrics: Metrics,  # A name, or one name with a credit of one's own
    k: Budgets = None,  # Budgets asked for
    *,
    ties: str = "expected",  # Rule for ties of maj@k
    lacks: Mapping[str, str] | None = None,  # Field of the counts to the reason it is absent
) -> tuple[Metric, int | None]:  # The metric, and the budget that its name states
    """The one metric that was asked for.

    Raises: `ValueError` for several, for an unknown name, or one that the data cannot give.
    """
    if metrics is None: raise TypeError("metrics must name one metric, got None")
    found, _ = pick_metrics(counts, metrics, k, ties, lacks)
    if len(found) == 1: return found[0]
    names = ", ".join(repr(metric.label(k or "k")) for metric, k in found)
    raise OptionError("metrics", must="name one metric", found=names or "none",
                      hint="write one of them")


def pick_metrics(
    counts: Counts, metrics: Metrics, k: Budgets, ties: str, lacks: Mapping[str, str] | None,
) -> tuple[list[tuple[Metric, int | None]], dict[str, str]]:
    "Metrics that the data can give, with the budget their name states; and why others cannot."
    found, left_out = [], {}
    reasons = LACKS | dict(lacks or {})
    for name, metric, stated in named_metrics(metrics, counts, k):
        absent = missing_field(metric, counts)
        if absent is None:
            found.append((suit_metric(metric, counts, ties), stated))
        elif metrics is not None:
            why = reasons[absent]
            todo = name_column(absent) if why == LACKS[absent] else ""
            raise OptionError("metrics", f"{name} cannot be computed: {marked(why)}", hint=todo)
        else:
            left_out[name] = reasons[absent]
    return found, left_out


def suit_metric(metric: Metric, counts: Counts, ties: str) -> Metric:
    "A metric of the catalog with its rule for ties, or with the scale of the scores."
    if "votes" in metric.needs: return majority_vote(ties)
    if metric.name not in SCALED or counts.rewards is None: return metric
    return replace(metric, bounds=counts.rewards.bounds) if counts.rewards.bounds else metric


def say_left_out(left_out: Mapping[str, str]) -> str:
    "Each metric that is left out, with its reason and what to do."
    todo = {why: f"{why}; {name_column(field)}" for field, why in LACKS.items()}
    said = "; ".join(f"{name} ({todo.get(why, marked(why))})" for name, why in left_out.items())
    return said or "metrics holds no name"


def name_column(
    field: str,  # Field of `Counts`
) -> str:  # A hint
    "What to do where the data lack what a metric needs."
    other = ", or take cons@k, the strict majority of correct samples" * (field == "votes")
    whose = "the column of a verifier" if field == "ranking" else "the column"
    return f"name {whose} with {option(COLUMN_OF_FIELD[field])}{other}"


def missing_field(metric: Metric, counts: Counts) -> str | None:
    "The first field that a metric needs and the counts lack."
    return next((field for field in metric.needs if getattr(counts, field) is None), None)


def columns_to_keep(metrics: Metrics) -> dict[str, bool | None]:
    "What reading keeps for the metrics: answers for votes, every score for what ranks by it."
    if metrics is None or not hasattr(metrics, "__iter__"): return dict(answers=True)
    names = [str(name).lower() for name in ([metrics] if isinstance(metrics, str) else metrics)]
    ranked = any(word in name for name in names for word in RANKED)
    return dict(answers=any("maj" in name for name in names), scores=True if ranked else None)


def named_metrics(
    metrics: Metrics, counts: Counts, k: Budgets,
) -> Iterator[tuple[str, Metric, int | None]]:
    "Every metric that was named, with the budget that its name states."
    if metrics is None: metrics = default_metrics(counts)
    if isinstance(metrics, str): metrics = split_metric_names(metrics)
    if not hasattr(metrics, "__iter__"):
        raise OptionTypeError("metrics", must="be names", got=metrics)
    for name in metrics:
        if not isinstance(name, str) and not isinstance(metrics, Mapping):
            raise OptionTypeError("metrics", must="be names", got=name)
        refuse_file(name)
        credit = metrics[name] if isinstance(metrics, Mapping) else None
        if credit is None: found, stated = look_up(name_average(name, counts))
        elif isinstance(credit, Metric): found, stated = [credit], None
        else: found, stated = make_own(name, credit, counts, k)
        for metric in found: yield name, metric, stated


def split_metrics(
    metrics: Metrics,  # Names, or names with credits of one's own
) -> list[Metrics]:  # Each by itself; empty for None
    "One metric after the other."
    if isinstance(metrics, Mapping): return [{name: metrics[name]} for name in metrics]
    return [*(split_metric_names(metrics) if isinstance(metrics, str) else metrics or ())]


def split_metric_names(
    metrics: str | Sequence[str],  # Names, or text of several with commas between
) -> list[str]:  # One after the other
    "Names of metrics, `pass@1,pass@8` as the command takes them or a list."
    if isinstance(metrics, str): return [name.strip() for name in metrics.split(",")]
    return list(metrics)


def default_metrics(counts: Counts) -> list[str]:
    "What is reported unasked: the mean on its own scale where the scale is stated."
    scaled = counts.rewards is not None and counts.rewards.bounds is not None
    return [name for name, metric in CATALOG.items()
            if metric.default or (scaled and name == "mean@n")]


def say_approximate(
    chosen: Iterable[Chosen],  # Metrics that were computed
) -> tuple[str, ...]:  # One sentence; none where every mean of scores has a scale
    "That an interval is approximate where the scale of the scores is not known."
    odd = [one for one in chosen if one.metric.name == "mean@n" and one.bounds is None]
    if not odd: return ()
    return Sentence(f"No range of scores is stated for {odd[0].labels[0]}: its interval is the t "
                    f"interval, which is approximate; with a range, as in "
                    f"{option('scale', (1, 5))}, it holds for any scores in that range."),


def refuse_file(name: object) -> None:
    "Refuse a file in the place of a metric, where several files were meant."
    if isinstance(name, (str, PathLike)) and Path(name).suffix and Path(name).is_file():
        raise OptionError("metrics", must="be names such as 'pass@k'",
                          found=f"the file {str(name)!r}",
                          hint="several files are one list, such as ['a.csv', 'b.csv']; further "
                               f"systems of compare are {option('others', [str(name)])}")


@lru_cache(maxsize=256)
def look_up(name: str) -> tuple[list[Metric], int | None]:
    "The metrics of a name, kept: most reports ask for the same ones."
    return find_metric(name)


def name_average(name: str, counts: Counts) -> str:
    "`avg@n` for `avg@4` where every question has 4 samples; any other name as it is."
    pattern = r"\s*(avg|soft|mean)@([1-9][0-9]{0,8})\s*"
    stated = re.fullmatch(pattern, name, re.I) if isinstance(name, str) else None
    if stated is None: return name
    family, samples = stated[1], int(stated[2])
    if (odd := counts.n != samples).any():
        place = faults(odd, counts.questions)
        raise OptionError("metrics", f"{name} is a mean over all {samples} samples",
                          found=f"n={counts.n[odd][0]}", where=place,
                          hint=f"{family}@n takes what there is")
    return f"{family}@n"


def make_own(
    name: str, credit: Callable[[int], ArrayLike] | ArrayLike, counts: Counts, k: Budgets,
) -> tuple[list[Metric], int | None]:
    "A metric of one's own, and its budget where the credit is that of one budget."
    if callable(credit):
        return [own_metric(name, credit, reported_budgets(counts, k).tolist())], None
    budget = np.size(credit) - 1
    return [own_metric(name, credit, [max(budget, 1)])], budget


def choose_budgets(
    metric: Metric, stated: int | None, counts: Counts, shared: np.ndarray | None,
) -> Chosen:
    "A metric with the budgets at which it is computed; `shared` are those asked for."
    if metric.at == "n": ks = np.array([1])
    elif stated or shared is None: ks = reported_budgets(counts, stated)
    elif metric.at == "largest k": ks = shared[-1:]
    else: ks = shared
    size = counts.n_min if counts.n_min == counts.n_max else "n"
    return Chosen(metric, ks, name_budgets(metric, ks, size))


def name_budgets(metric: Metric, ks: np.ndarray, size: int | str) -> tuple[str, ...]:
    "The name of a metric at each budget; `size` stands for the samples of an average."
    if metric.at == "n": return (metric.label(size),)
    head, mark, tail = metric.label("\0").partition("\0")
    # A name without @k is the same at every budget.
    labels = tuple(f"{head}{budget if mark else ''}{tail}" for budget in ks.tolist())
    if len(set(labels)) == len(labels): return labels
    raise ValueError("the name of a metric with several budgets must hold @k, "
                     f"got {metric.name!r}; such as {metric.name + '@k'!r}")


def reported_budgets(
    counts: Counts,  # Counts of one system
    k: Budgets = None,  # Budgets asked for; None chooses
) -> np.ndarray:  # Ascending budgets, shape `(K,)`
    """The budgets to report: all up to 8 samples, then powers of two and the smallest `n`.

    Raises: `ValueError` naming the first question with fewer than `k` samples.
    """
    if k is None: return default_budgets(counts.n_min)
    ks = check_budgets(k)
    if ks[-1] > counts.n_min:
        short = counts.n < ks[-1]
        place = faults(short, counts.questions)
        raise OptionError("k", f"k={ks[-1]} needs {ks[-1]} samples",
                          found=f"n={counts.n[short][0]}", where=place,
                          hint=f"the largest k for all questions is {counts.n_min}")
    return ks


def default_budgets(most: int) -> np.ndarray:
    "Every budget up to 8; above that powers of two and the largest."
    if most <= 8: return np.arange(1, most + 1)
    powers = [2**i for i in range(most.bit_length())]
    return np.array(powers if powers[-1] == most else [*powers, most])


def check_budgets(k: int | ArrayLike) -> np.ndarray:
    "Ascending distinct budgets from an int, or from one row of ints."
    if isinstance(k, range) and len(k) > MOST_BUDGETS:
        raise OptionError("k", must=f"hold at most {MOST_BUDGETS} budgets", got=len(k))
    if isinstance(k, range): k = np.array(k)
    several = list(k) if isinstance(k, (list, tuple)) else k
    refuse_odd_budgets(several)
    ks = np.array(sorted(set(np.atleast_1d(whole_numbers("k", several)).tolist())))
    if ks[0] < 1: raise OptionError("k", "need k >= 1", found=f"k={ks[0]}")
    return ks


def refuse_odd_budgets(k: list | ArrayLike) -> None:
    "Refuse flags, and rows of rows."
    for one in k if isinstance(k, list) else [k]:
        if isinstance(one, (bool, np.bool_)): raise TypeError(f"k must be an int, got {one}")
    nested = any(map(np.ndim, k)) if isinstance(k, list) else np.ndim(k) > 1
    if nested: raise ValueError(f"k must be an int or one row of them, got {k!r:.60}")


# Missing samples counted both ways: the two values between which a metric lies.

def refuse_unbounded(chosen: Sequence[Chosen], metrics: Metrics, counts: Counts) -> None:
    "Refuse metrics that missing samples leave without bounds, where they were asked for by name."
    unclear = [name for name in UNCLEAR if any(one.metric.name == name for one in chosen)]
    if metrics is not None and unclear and counts.missing.any():
        raise OptionError("missing", f"{unclear[0]} has no bounds: how a missing sample would have "
                                     "voted or ranked is unknown",
                          hint=f"choose {option('missing', 'wrong', 'drop')}")
    if isinstance(metrics, Mapping):
        for one in chosen: refuse_falling(one, metrics.get(one.metric.name))


def refuse_falling(chosen: Chosen, credit: object) -> None:
    "Refuse a credit that falls with another right sample."
    if credit is None or chosen.metric.credit is None: return
    for k in chosen.ks.tolist():
        if (np.diff(np.asarray(chosen.metric.credit(k), float)) < 0).any():
            raise OptionError("missing", f"{option('missing', 'bounds')} needs a credit that never "
                                         "falls with another right sample", got=chosen.metric.name)
