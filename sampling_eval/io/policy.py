"""What a sample without an outcome or without an answer counts as."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..foundations.counts import whole_numbers
from ..kinds import check_choice

__all__ = ["Policy"]

CHOICES: dict[str, tuple[str | None, ...]] = {
    "missing": ("raise", "wrong", "drop", "right"),
    "no_answer": (None, "abstain", "vote"),
    "conflict": ("refuse", "any", "majority"),
    "normalize": (None, "strip", "lower", "number"),
}


@dataclass(frozen=True)
class Policy:
    """The choices that turn counted rows into counts.

    Raises: `ValueError` or `TypeError` for a choice that there is not.
    """
    missing: str = "raise"  # What a sample without an outcome counts as
    samples_per_question: int | None = None  # Samples every question should have
    no_answer: str | None = None  # Whether samples without an answer `abstain` or `vote`
    normalize: str | Callable | None = None  # Rule under which answers are equal
    conflict: str = "refuse"  # What an answer marked both right and wrong is
    scale: tuple[float, float] | None = None  # Least and largest score there can be

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if not callable(getattr(self, name)): check_choice(name, getattr(self, name), known)
        should = self.samples_per_question
        if should is not None: check_size(should)
        if self.scale is not None: object.__setattr__(self, "scale", check_scale(self.scale))


def check_size(should: int) -> None:
    "Refuse what is no number of samples."
    name = "samples_per_question"
    if isinstance(should, bool) or whole_numbers(name, should).ndim or should < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {should!r}")


def check_scale(
    scale: object,  # What was given as a scale of scores
) -> tuple[float, float]:  # Its ends
    "The least and the largest score, refused unless they are two rising numbers."
    ends = list(scale) if isinstance(scale, (list, tuple, np.ndarray)) else []
    known = [isinstance(end, (int, float, np.number)) and not isinstance(end, bool) for end in ends]
    if len(ends) == 2 and all(known) and -np.inf < ends[0] < ends[1] < np.inf:
        return float(ends[0]), float(ends[1])
    raise ValueError("scale must be the least and the largest score there can be, such as (1, 5), "
                     f"got {scale!r:.60}")


