"""The results of `plan`: what more data would show, of two systems and of one."""
from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from ...inference.intervals import Interval
from ...inference.planning import Components
from ...inference.population import Population
from ...inference.power import SIMULATED, Plan
from ...parameters import Target
from ...results.base import Data, HasInterval, Result, ends, live
from ...results.reading import Alignment, ReadSummary

__all__ = ["Goal", "Role", "Variances", "AtCorrelation", "PowerAnalysis", "GatePlan",
           "PlannedRule", "PlannedQuestion", "PlannedRun", "JudgingPlan", "SettledRule",
           "PlannedWidth", "WidthPlan"]


# Plans


Goal: TypeAlias = Literal["delta", "questions", "both", "budget"]  # What was given
Role: TypeAlias = Literal["best", "piloted", "fewest", "most"]  # Why a row is worth a look


@dataclass(frozen=True, eq=False)
class Variances(Components, Data):
    "Variances of the difference of two systems: between questions, and within them."


@dataclass(frozen=True, eq=False)
class AtCorrelation(Data):
    "Rows of a plan for two systems whose true values have another correlation over questions."
    correlation: float
    rows: tuple[dict[str, Any], ...]  # As `PowerAnalysis.rows`; empty where there are no such two


@dataclass(frozen=True, eq=False)
class PlannedRule(Data):
    "A rule of a gate that is to pass, and what is assumed to be true."
    metric: str  # Name with its budget
    kind: Literal["drop", "minimum"]
    limit: float  # Least value that the CI has to reach; of a drop minus the drop allowed
    truth: float  # True value of the metric; of a drop the true difference


@dataclass(frozen=True, eq=False)
class GatePlan(Data):
    "Questions with which a gate passes, by the samples of each, on new questions."
    rules: tuple[PlannedRule, ...]
    samples: tuple[int, ...]  # Samples per question and system
    questions: tuple[int | None, ...]  # For each of these; None where no number does
    power: tuple[float, ...]  # Probability that all rules pass, at least
    best: int | None  # Position of the cheapest that reaches the power; None if none does
    wanted: float  # Power asked for
    given: bool  # Whether the number of questions was given
    alone: bool  # Whether nothing else was asked for


# What is prepared before a run


@dataclass(frozen=True, eq=False)
class PlannedQuestion(Data):
    "A question to run, and how often."
    question: str  # Its name
    samples: int


@dataclass(frozen=True, eq=False)
class PlannedRun(Data):
    "Which questions to run, and how often, fixed before the run by an earlier one."
    questions: int  # Questions of the earlier run
    drawn: bool  # Whether a random part was drawn; else all, with samples by difficulty
    seed: int | None  # Seed of the draw; None where nothing was drawn, or a generator was given
    listed: tuple[PlannedQuestion, ...]


@dataclass(frozen=True, eq=False)
class JudgingPlan(Data):
    "Labels and gradings for a judge that errs."
    sensitivity: float
    specificity: float
    share: float  # Share of right answers that is assumed
    half_width: float  # Half of the CI of the corrected pass@1 that is wanted
    labels: int | None  # Labelled answers that give it, about; None if no number does
    gradings: float | None  # Best gradings per answer; None where no answer noise is seen


@dataclass(frozen=True, eq=False)
class SettledRule(Data):
    "A rule on one try of each question, which may stop when its verdict is settled."
    minimum: float  # Share of successes that is to be exceeded
    questions: int  # Tries planned, one of each question
    needed: int | None  # Successes that pass; None where no outcome can
    tries: dict[str, float]  # Mean tries until it is settled, by the true share

    @property
    def failures(self) -> int | None:
        "Failures that settle it."
        return None if self.needed is None else self.questions - self.needed + 1


# The plan for two systems


@dataclass(frozen=True, eq=False, repr=False)
class PowerAnalysis(Result):
    """Questions, true difference, power and cost for each number of samples, `(S,)` each.

    Parameters:
        metric               What is planned for, with its budget
        asked                Given `delta`, `questions` and `budget`
        wanted               Power asked for
        samples              Samples per question and system
        delta                True difference; NaN where none is ever detected
        best                 Position of the recommended row; None if no row reaches the goal
        enough               Fewest samples that leave a tenth of the variance to sampling
        components           Variances the plan rests on
        confidence_level     Level of the interval that must exclude zero
        method               `interval`: as `compare`
        target               What that interval is about
        smallest             Fewest questions whose interval can exclude zero
        error                Largest simulation error of the powers; 0 where all are exact
        seed                 Seed of the simulation
        notes                What a reader should know of the estimates
        pilots               Systems piloted; None where variances or a population were given
        read                 What the pilots were read from
        alignment            Which questions two pilots share
        clustered            Whether clusters were named, which a plan does not use
        piloted              Samples of every question of the pilots, where they are equal
        correlation          Of the two systems, where two pilots show it
        others               Rows of the first screen at other correlations
        without_assumptions  Its rows without assumptions beside
        questions_needed     Questions that do, where those asked for do not
        run                  Questions and samples to run, where an earlier run was named
        judging              Labels and gradings, where a judge was named
        settled              When a rule is settled, where a minimum was given
        gate                 When a gate passes, where rules and a truth were given
        population           What was simulated
    """
    kind = "plan"
    metric: str  # What is planned for, with its budget
    goal: Goal
    asked: dict[str, int | float | None]  # Given `delta`, `questions` and `budget`
    wanted: float  # Power asked for
    samples: np.ndarray  # Samples per question and system
    questions: np.ndarray
    delta: np.ndarray  # True difference; NaN where none is ever detected
    power: np.ndarray
    cost: np.ndarray
    best: int | None  # Position of the recommended row; None if no row reaches the goal
    enough: int | None  # Fewest samples that leave a tenth of the variance to sampling
    components: Variances  # Variances the plan rests on
    confidence_level: float  # Level of the interval that must exclude zero
    method: Literal["interval", "assumption-free", "normal", "t"]  # `interval`: as `compare`
    target: Target  # What that interval is about
    smallest: np.ndarray | None  # Fewest questions whose interval can exclude zero
    error: float  # Largest simulation error of the powers; 0 where all are exact
    seed: int  # Seed of the simulation
    notes: tuple[str, ...]  # What a reader should know of the estimates
    pilots: int | None  # Systems piloted; None where variances or a population were given
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What the pilots were read from
    alignment: Alignment | None = None  # Which questions two pilots share
    clustered: bool = False  # Whether clusters were named, which a plan does not use
    piloted: int | None = None  # Samples of every question of the pilots, where they are equal
    correlation: float | None = None  # Of the two systems, where two pilots show it
    others: tuple[AtCorrelation, ...] = ()  # Rows of the first screen at other correlations
    without_assumptions: tuple[dict[str, Any], ...] = ()  # Its rows without assumptions beside
    questions_needed: int | None = None  # Questions that do, where those asked for do not
    run: PlannedRun | None = None  # Questions and samples to run, where an earlier run was named
    judging: JudgingPlan | None = None  # Labels and gradings, where a judge was named
    settled: SettledRule | None = None  # When a rule is settled, where a minimum was given
    gate: GatePlan | None = None  # When a gate passes, where rules and a truth were given
    population: Population | None = live()  # What was simulated

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        "One dict per number of samples; also the share of the variance between questions."
        return list(self._plan().rows)

    @property
    def choices(self) -> dict[int, Role]:
        "Positions of at most four rows to choose between: the best, as piloted, fewest and most."
        last = len(self.samples) - 1
        found: dict[int, Role] = {}
        # The best row takes the place of the end that it is at.
        if self.best in (None, last): found[0] = "fewest"
        found[last] = "most"
        found |= {i: "piloted" for i, n in enumerate(self.samples) if n == self.piloted}
        if self.best is not None: found[self.best] = "best"
        return dict(sorted(found.items()))

    def power_at(self,
        row: int,  # Position of the number of samples
        delta: float,  # True difference
        questions: int,  # Number of questions
    ) -> float:  # Probability to detect it
        """Power of another design with as many samples.

        Raises: `ValueError` for a simulated plan that was read from JSON.
        """
        if self.method in SIMULATED and self.population is None:
            raise ValueError("JSON does not hold the simulated population; plan again for a "
                             "figure of its power")
        return float(self._plan().power_at(row, delta, questions))

    def _plan(self) -> Plan:
        "The same as the lesson on planning has it."
        return Plan(**{one.name: getattr(self, one.name) for one in fields(Plan)})



# An interval as narrow as is wanted


@dataclass(frozen=True, eq=False)
class PlannedWidth(HasInterval, Data):
    "Questions with so many samples each, and the interval to expect."
    samples: int  # Of each question
    questions: int | None  # Fewest that do; None where no number does
    # Where every value is as frequent as expected
    interval: Interval | None = field(metadata=ends())
    cost: float | None  # Of all questions and samples
    usual: int | None = None  # Questions by the t interval, where that is not the plan


@dataclass(frozen=True, eq=False, repr=False)
class WidthPlan(Result):
    """Questions that give the CI of one system a half-width, by the samples of each.

    Parameters:
        metric      What is planned for, with its budget
        half_width  Half of the CI wanted
        value       Mean that the pilot, or the assumption, makes likely
        method      Of the CI; `gaffke` is the default of `score`
        best        Position of the cheapest row; None if no row does
        pilot       Whether difficulty is that of a pilot; else it is assumed to be uniform
        read        What the pilot was read from
        clustered   Whether clusters were named, which a plan does not use
        notes       What a reader should know of the estimates
    """
    kind = "width"
    metric: str  # What is planned for, with its budget
    half_width: float  # Half of the CI wanted
    value: float  # Mean that the pilot, or the assumption, makes likely
    confidence_level: float
    method: Literal["gaffke", "normal", "t"]  # Of the CI; `gaffke` is the default of `score`
    rows: tuple[PlannedWidth, ...]
    best: int | None  # Position of the cheapest row; None if no row does
    pilot: bool  # Whether difficulty is that of a pilot; else it is assumed to be uniform
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What the pilot was read from
    clustered: bool = False  # Whether clusters were named, which a plan does not use
    notes: tuple[str, ...] = ()  # What a reader should know of the estimates


MOST_GROUPS = 10_000  # Beyond which no benchmark goes


@dataclass(frozen=True, eq=False)
class PlannedGroupWidth(Data):
    "What so many groups give."
    groups: int
    half_width: float  # To expect


@dataclass(frozen=True, eq=False, repr=False)
class GroupPlan(Result):
    """Groups, such as prompts, that give the crossed mean of one system a half-width.

    Parameters:
        metric           What is planned for, with its budget
        by               Column of the groups
        half_width       Half of the CI wanted
        value            Mean of the pilot
        questions        Questions planned for
        pilot_questions  Questions of every group of the pilot
        share            Share of the variance of the pilot's mean that is of its groups
        fewest           Fewest groups that do; None if no number does
        floor            Half-width of 10,000 groups, on as many questions
        read             What the pilot was read from
    """
    kind = "groups"
    metric: str  # What is planned for, with its budget
    by: str  # Column of the groups
    half_width: float  # Half of the CI wanted
    value: float  # Mean of the pilot
    confidence_level: float
    questions: int  # Questions planned for
    pilot_questions: int  # Questions of every group of the pilot
    pilot_groups: int
    share: float  # Share of the variance of the pilot's mean that is of its groups
    fewest: int | None  # Fewest groups that do; None if no number does
    floor: float  # Half-width of 10,000 groups, on as many questions
    rows: tuple[PlannedGroupWidth, ...]
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What the pilot was read from
