"""Groups that were all asked the same questions, such as prompts: which of them are the same."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import OptionError
from ...foundations.counts import Counts
from ...inference.crossed import CrossedMean
from ...spelling import option


def list_items(counts: Counts) -> np.ndarray:
    "What the questions of a group are called in all groups."
    return np.asarray(counts.questions if counts.cluster is None else counts.cluster)


def cross_items(
    items: np.ndarray,  # What each question is called in all groups, shape `(R,)`
    group: np.ndarray,  # The group of each
    by: str,  # Column of the groups
) -> np.ndarray:  # Position of each cell, a row per question and a column per group
    "A table of questions by groups; raises as `order_items`."
    places = [np.flatnonzero(group == one) for one in dict.fromkeys(group.tolist())]
    orders = order_items([items[own] for own in places], by)
    return np.array([own[order] for own, order in zip(places, orders)]).T


def share_of_groups(found: CrossedMean) -> float:
    "Share of the variance of the mean that is of the groups."
    return found.parts()[1] / found.prompts / found.variance


def order_items(groups: Sequence[np.ndarray], by: str) -> list[np.ndarray]:
    """The order of the questions of each group in which all have the same.

    Raises: `OptionError` for fewer than three groups, and where these do not share the questions.
    """
    if len(groups) < 3:
        raise OptionError("crossed", "groups that are drawn have to be three at least",
                          found=f"{len(groups)} in column {by!r}",
                          hint="leave it out, and the interval is about these groups")
    orders = [np.argsort(own, kind="stable") for own in groups]
    first = groups[0][orders[0]]
    if any(len(own) != len(first) or (own[order] != first).any()
           for own, order in zip(groups, orders)):
        sizes = sorted(map(len, groups))
        raise OptionError("crossed", "every group needs every question once, by the same name",
                          found=f"{sizes[0]:,} to {sizes[-1]:,} questions in {len(groups)} groups",
                          hint="leave out the questions that some groups lack, or name what "
                          f"groups share by {option('question', ...)}")
    return orders
