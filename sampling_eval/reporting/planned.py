"""A plan with what was asked, and what it is when the systems go together more."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..inference.sample_size import Plan

__all__ = ["AskedPlan", "Related"]


@dataclass(frozen=True)
class Related:
    "Rows of a plan for two systems that go together to some degree."
    correlation: float  # Of their true values over questions
    rows: tuple[dict[str, Any], ...]  # As `Plan.rows`; empty where no such systems can be


@dataclass(frozen=True, eq=False, repr=False)
class AskedPlan(Plan):
    "A `Plan`, and the question that it answers."
    metric: str = ""  # What is planned for, with its budget
    wanted: float = .8  # Power asked for
    read: str = ""  # What the pilot was
    asked: Mapping[str, float | None] | None = None  # Difference, questions and budget asked for
    piloted: int | None = None  # Samples of every question of the pilot, where they are equal
    correlation: float | None = None  # Of the two systems, where two pilots show it
    others: tuple[Related, ...] = ()  # The rows of the first screen at other correlations
    usual: tuple[dict[str, Any], ...] = ()  # The rows by the t interval, which most reports take
    questions_needed: int | None = None  # Questions that do, where those asked for do not
