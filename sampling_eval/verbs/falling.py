"""Which single questions a new system answers right less often than its baseline."""
from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..foundations.counts import Counts
from ..inference.regressions import Falls, fewest_samples, find_falls
from ..reporting.question_rules import Fall, Watch, say_lower, say_watch
from ..reporting.gate_facts import FELL, Check

__all__ = ["list_falls", "check_falls"]

OPEN = 5  # Falls that are listed though they may be chance


def list_falls(
    sides: Mapping[str, Counts],  # The baseline and the new system on their common questions
    confidence_level: float = .95,  # One less the chance that any question is named by chance
) -> tuple[tuple[Fall, ...], Watch | None]:  # None where samples have no outcomes
    """The questions that fell, the largest falls that may be chance, and what could be seen.

    Value: those that are certain first, each kind by its p value.
    """
    old, new = sides.values()
    if old.c is None or new.c is None: return (), None
    found = find_falls(old.n, old.c, new.n, new.c, round(1 - confidence_level, 12))
    lower = (new.c * old.n < old.c * new.n).nonzero()[0]
    # Equal p values stay in the order of the questions.
    order = lower[np.lexsort((found.p[lower], found.adjusted[lower]))].tolist()
    kept = order[:int(found.certain[lower].sum()) + OPEN]
    names = np.asarray(old.questions).tolist()
    falls = tuple(make_fall(names[i], i, old, new, found) for i in kept)
    sizes = min(old.n_min, new.n_min), max(old.n_max, new.n_max)
    needed = fewest_samples(len(old), found.level)
    watch = Watch(len(old), int(found.watched.sum()), *sizes, needed, found.level, len(lower))
    return falls, watch


def make_fall(name: object, i: int, old: Counts, new: Counts, found: Falls) -> Fall:
    "One question that is right less often."
    assert old.c is not None and new.c is not None
    counts = int(old.c[i]), int(old.n[i]), int(new.c[i]), int(new.n[i])
    return Fall(name, *counts, float(found.p[i]), float(found.adjusted[i]),
                bool(found.certain[i]))


def check_falls(
    falls: tuple[Fall, ...],  # Questions that are right less often
    watch: Watch | None,  # What the samples could show
) -> Check:  # Fails where a question fell, weak where no fall could be seen
    """The rule that no question falls.

    Raises: `ValueError` for samples without outcomes.
    """
    if watch is None:
        raise ValueError("no_question_falls needs outcomes, right or wrong, got scores only; "
                         "threshold= makes outcomes of them")
    fallen = sum(fall.certain for fall in falls)
    verdict = "fail" if fallen else "pass" if watch.watched else "weak"
    warning = say_watch(watch) if verdict == "weak" else ""
    return Check("no question falls", FELL, fallen, None, None, 0, verdict, "", watch.questions,
                 "these questions, run again", warning=warning,
                 said=say_lower(falls, watch))
