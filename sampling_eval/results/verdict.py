"""Analyses of a difference: the verdict, the same without assumptions, and what comes next."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TYPE_CHECKING, TypeAlias

from ..inference import t_evidence
from ..inference.intervals import Interval, row_of
from ..parameters import Target
from .base import Data, HasInterval, Rng, Unit, ends

if TYPE_CHECKING:
    from ..inference.comparison import Comparison
    from ..inference.estimate import Estimate
    from ..inference.significance import PValue

__all__ = ["Sign", "GateVerdict", "Closeness", "Badge", "WithoutAssumptions", "Evidence",
           "evidence_of", "needs_spread", "run_test", "judge_interval", "pick_estimate",
           "Equivalence", "Advice"]

# Values, in code, JSON and exit codes; `render.verdicts` has the words for them.
Sign: TypeAlias = Literal["better", "worse", "inconclusive", "none"]  # `none` without an interval
GateVerdict: TypeAlias = Literal["pass", "fail", "inconclusive"]
Closeness: TypeAlias = Literal["same", "different", "inconclusive", "none"]
Badge: TypeAlias = Literal["", "better", "worse", "inconclusive", "pass", "fail"]


@dataclass(frozen=True, eq=False)
class WithoutAssumptions(HasInterval, Data):
    "The assumption-free interval of a difference, whichever interval decides."
    interval: Interval = field(metadata=ends(target="new_questions"))
    pvalue: float  # Two-sided, of no difference
    verdict: Sign


@dataclass(frozen=True, eq=False)
class Evidence(t_evidence.Evidence, Data):
    "What a t interval of a difference rests on."


def judge_interval(
    found: Interval | None,  # Of B minus A
) -> Sign:
    "What an interval says of B."
    if found is None: return "none"
    if found.low > 0: return "better"
    return "worse" if found.high < 0 else "inconclusive"


def evidence_of(
    found: t_evidence.Evidence,  # Of a comparison
) -> Evidence:
    "What a t interval for new questions would rest on, as a field of a result."
    return Evidence(**vars(found))


def pick_estimate(
    comparison: Comparison,  # B against A
    target: Target,  # What the verdict is about
) -> Estimate:
    "The mean difference for new questions, or for the same questions."
    return comparison.estimate if target == "new_questions" else comparison.again


def needs_spread(
    comparison: Comparison,  # B against A
    test: str,  # Test by name
) -> bool:
    "Whether a test needs a spread of differences that is not seen."
    estimate = comparison.again if test == "interval" else comparison.estimate
    unbounded = test == "interval" and estimate.units is not None and estimate.units.bounds is None
    # A test that is called as an interval is that one, inverted.
    return (row_of(test).needs_spread or unbounded) and estimate.stderr is None


def run_test(
    comparison: Comparison,  # B against A
    test: str,  # Test by name
    target: Target,  # Target of the comparison
    rng: Rng = None,  # Seed of tests that draw
    found: PValue | None = None,  # Its result, where it is known
) -> dict[str, Any] | None:  # Method, p value, null hypothesis; None where no spread is seen
    "A test that was asked for by name, with its own null hypothesis."
    if needs_spread(comparison, test): return None
    tested = found or comparison.test(test, target=target, rng=rng)
    return dict(method=tested.method, pvalue=tested.value, null=tested.null,
                smallest=tested.smallest or None)


# The same, within a margin


@dataclass(frozen=True, eq=False)
class Equivalence(HasInterval, Data):
    "Whether two systems are the same within a margin, by the interval of one metric."
    margin: float  # Largest difference that does not matter
    metric: str  # Name with its budget
    verdict: Closeness
    interval: Interval | None = field(metadata=ends())
    target: str  # What the interval is about
    confidence_level: float  # Of the interval
    unit: Unit = "share"  # Whether 0.01 is a point


# What more data would do


@dataclass(frozen=True, eq=False)
class Advice(Data):
    "How many questions, or samples, would decide a verdict or halve an interval."
    metric: str  # Name with its budget
    goal: Literal["decide", "halve"]  # A verdict, or an interval
    target: Target
    value: float  # What was measured, assumed to be the truth
    limit: float | None  # What it is held against; None where an interval is halved
    power: float | None  # Power wanted; None where an interval is halved
    questions: int | None  # Questions with as many samples; None where no number is enough
    samples: int | None  # Samples of each of these questions; None where no number is enough
    gain: float | None  # Share by which endless samples would narrow it; None: unknown
    has_questions: int  # Questions there are
    # Fewest and most samples of a question, per system; none of win shares, which have no samples
    has_samples: tuple[tuple[int, int], ...]
    hopeless: bool = False  # Whether no number of samples of these questions is enough
    clustered: bool = False  # Whether `questions` counts clusters of them
    difference: bool = False  # Whether the value is a difference of two systems
    unit: Unit = "share"  # Of the value and the limit
    pair: tuple[str, str] | None = None  # Of several systems the two meant, the better one first
    confidence_level: float | None = None  # What Holm's correction leaves of the level for them
    # Lower and upper 95 % confidence limit of `gain`, in whole percents; None: unknown.
    gain_at_least: float | None = None
    gain_at_most: float | None = None
    # Questions by the assumption-free interval, where another one decides
    questions_without: int | None = None
