"""Analyses of a difference: the one that gives the verdict, the usual one, and what comes next."""
from __future__ import annotations

from typing import Any, Literal, TYPE_CHECKING, TypeAlias

from ..inference.units import Units
from ..parameters import Target
from ..records import dataclass
from .base import Data, Rng, Style, Unit
from .rows import find_interval

if TYPE_CHECKING:
    from ..inference.comparison import Comparison
    from ..inference.estimate import Estimate
    from ..inference.significance import PValue

__all__ = ["Sign", "Significance", "Kind", "Analysis", "usual_analysis", "default_analysis",
           "usual_kind", "default_kind", "run_test", "judge_interval", "compare_analyses",
           "Equivalence", "Advice"]


Sign: TypeAlias = Literal["better", "worse", "inconclusive", "none"]
Significance: TypeAlias = Literal["significant", "usual only", "not significant", "none"]

Kind: TypeAlias = Literal["t", "normal", "mcnemar", "gaffke", "other"]  # What kind of analysis
# What an approximation assumes.
ASSUMES: dict[Kind, str] = dict(
    t="no rare large {moves} that these {units} missed",
    normal="sampling noise that is close to normal",
    mcnemar="one right or wrong sample of each question")


@dataclass(frozen=True, eq=False)
class Analysis(Data):
    "An interval of a difference with the p value that goes with it."
    method: str  # Name of the interval, or of the test where there is no interval
    low: float | None  # Lower end; None where a test stands alone
    high: float | None  # Upper end
    pvalue: float | None  # Two-sided p value
    significant: bool  # Whether zero is excluded
    assumes: str = ""  # What it assumes beyond the range of scores
    kind: Kind = "other"


def judge_interval(
    low: float | None,  # Lower end of an interval of B minus A; None where there is none
    high: float | None,  # Upper end
) -> Sign:
    "What an interval says of B."
    if low is None or high is None: return "none"
    if low > 0: return "better"
    return "worse" if high < 0 else "inconclusive"


def usual_analysis(
    comparison: Comparison,  # B against A
    style: Style,  # Level and target
) -> Analysis | None:  # None where no spread is seen
    "The analysis that most reports take: McNemar at one sample each, else t or normal."
    tested = comparison.usual(target=style.target)
    if tested is None: return None
    alpha = 1 - style.confidence_level
    kind = usual_kind(comparison, style.target)
    if kind == "mcnemar":
        return Analysis(tested.method, None, None, tested.value, bool(tested.value <= alpha),
                        ASSUMES[kind], kind)
    estimate = pick_estimate(comparison, style.target)
    found = find_interval(estimate, style.confidence_level, "t")
    return Analysis(tested.method, found.low, found.high, tested.value,
                    excludes_zero(found.low, found.high), name_assumption(kind, estimate), kind)


def default_analysis(
    comparison: Comparison,  # B against A
    style: Style,  # Level and target
) -> Analysis:
    "The analysis of the package default, whichever gives the verdict."
    estimate = pick_estimate(comparison, style.target)
    found = find_interval(estimate, style.confidence_level, None, style.rng)
    if found.low is None: return Analysis("none", None, None, None, False)
    tested = comparison.invert(target=style.target)
    return Analysis(tested.method, found.low, found.high, tested.value,
                    excludes_zero(found.low, found.high), kind=default_kind(estimate))


def usual_kind(
    comparison: Comparison,  # B against A
    target: Target,  # What the verdict is about
) -> Kind:
    "What kind of analysis most reports take."
    if target == "new_questions" and comparison.single: return "mcnemar"
    return find_kind(pick_estimate(comparison, target))


def find_kind(estimate: Estimate) -> Kind:
    "What the interval by a standard error is: t for new questions, else normal."
    return "t" if isinstance(estimate.units, Units) else "normal"


def default_kind(
    estimate: Estimate,  # A mean difference
) -> Kind:
    "What kind of interval the package default is."
    if estimate.units is None: return "other"
    from ..inference.intervals import default_method
    kinds: dict[str, Kind] = dict(gaffke="gaffke", t=find_kind(estimate))
    return kinds.get(default_method(estimate.units), "other")


def pick_estimate(
    comparison: Comparison,  # B against A
    target: Target,  # What the verdict is about
) -> Estimate:
    "The mean difference for new questions, or for the same questions."
    return comparison.estimate if target == "new_questions" else comparison.again


def excludes_zero(low: float | None, high: float | None) -> bool:
    return judge_interval(low, high) in ("better", "worse")


def name_assumption(kind: Kind, estimate: Estimate) -> str:
    "What an approximation assumes; empty where it assumes nothing."
    units = "clusters" if getattr(estimate.units, "clustered", False) else "questions"
    moves = "losses" if estimate.value > 0 else "gains"
    return ASSUMES[kind].format(units=units, moves=moves)


def run_test(
    comparison: Comparison,  # B against A
    test: str,  # Test by name
    target: Target,  # Target of the comparison
    rng: Rng = None,  # Seed of tests that draw
    found: PValue | None = None,  # Its result, where it is known
) -> dict[str, Any] | None:  # Method, p value, null hypothesis; None where no spread is seen
    "A test that was asked for by name, with its own null hypothesis."
    estimate = comparison.again if test == "interval" else comparison.estimate
    unbounded = test == "interval" and estimate.units is not None and estimate.units.bounds is None
    if (test == "t" or unbounded) and estimate.stderr is None: return None
    tested = found or comparison.test(test, target=target, rng=rng)
    return dict(method=tested.method, pvalue=tested.value, null=tested.null,
                smallest=tested.smallest or None)


def compare_analyses(
    verdict: Sign,  # What the interval says
    usual: Analysis | None,  # The usual analysis
) -> Significance:
    "Which of three cases a difference is; `none` without an interval."
    if verdict == "none": return "none"
    if verdict != "inconclusive": return "significant"
    return "usual only" if usual is not None and usual.significant else "not significant"


# The same, within a margin


@dataclass(frozen=True, eq=False)
class Equivalence(Data):
    "Whether two systems are the same within a margin, by the interval of one metric."
    margin: float  # Largest difference that does not matter
    metric: str  # Name with its budget
    verdict: Literal["same", "different", "inconclusive", "none"]  # `none` without an interval
    low: float | None  # Ends of the interval; None without one
    high: float | None
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
    has_samples: tuple[tuple[int, int], ...]  # Fewest and most samples of a question, per system
    hopeless: bool = False  # Whether no number of samples of these questions is enough
    clustered: bool = False  # Whether `questions` counts clusters of them
    difference: bool = False  # Whether the value is a difference of two systems
    unit: Unit = "share"  # Of the value and the limit
    pair: tuple[str, str] | None = None  # Of several systems the two meant, the better one first
    confidence_level: float | None = None  # What Holm's correction leaves of the level for them
    # Lower and upper 95 % confidence limit of `gain`, in whole percents; None: unknown.
    gain_at_least: float | None = None
    gain_at_most: float | None = None
    usual_questions: int | None = None  # Questions by the usual analysis; None as for `questions`
    usual_samples: int | None = None  # Samples by the usual analysis
