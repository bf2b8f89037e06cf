"""Both analyses of a difference: the one that gives the verdict, and the usual one beside it."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..inference.units import Units
from ..records import dataclass
from .base import Data
from .interval import find_interval
from .style import Rng, Style

if TYPE_CHECKING:
    from ..inference.comparison import Comparison
    from ..inference.estimate import Estimate
    from ..inference.significance import PValue

__all__ = ["Sign", "Significance", "Analysis", "usual_analysis", "default_analysis", "run_test",
           "judge_interval", "compare_analyses", "usual_verdict"]

Sign: TypeAlias = Literal["better", "worse", "inconclusive", "none"]
Significance: TypeAlias = Literal["significant", "usual only", "not significant", "none"]

# What an approximation assumes, by the name that its method begins with.
ASSUMES = {
    "t": "no rare large {moves} that these {units} missed",
    "normal": "sampling noise that is close to normal",
    "McNemar": "one right or wrong sample of each question",
}


@dataclass(frozen=True, eq=False)
class Analysis(Data):
    "An interval of a difference with the p value that goes with it."
    method: str  # Name of the interval, or of the test where there is no interval
    low: float | None  # Lower end; None where a test stands alone
    high: float | None  # Upper end
    pvalue: float | None  # Two-sided p value
    significant: bool  # Whether zero is excluded
    assumes: str = ""  # What it assumes beyond the range of scores


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
    if style.target == "new_questions" and comparison.single:
        return Analysis(tested.method, None, None, tested.value, bool(tested.value <= alpha),
                        ASSUMES["McNemar"])
    estimate = pick_estimate(comparison, style.target)
    found = find_interval(estimate, style.confidence_level, "t")
    return Analysis(tested.method, found.low, found.high, tested.value,
                    excludes_zero(found.low, found.high), name_assumption(tested.method, estimate))


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
                    excludes_zero(found.low, found.high))


def pick_estimate(
    comparison: Comparison,  # B against A
    target: str,  # `new_questions` or `same_questions`
) -> Estimate:
    "The mean difference for new questions, or for the same questions."
    return comparison.estimate if target == "new_questions" else comparison.again


def excludes_zero(low: float | None, high: float | None) -> bool:
    return judge_interval(low, high) in ("better", "worse")


def name_assumption(method: str, estimate: Estimate) -> str:
    "What an approximation assumes; empty where it assumes nothing."
    units = "clusters" if getattr(estimate.units, "clustered", False) else "questions"
    moves = "losses" if estimate.value > 0 else "gains"
    name = next((name for name in ASSUMES if method.startswith(name)), None)
    return "" if name is None else ASSUMES[name].format(units=units, moves=moves)


def run_test(
    comparison: Comparison,  # B against A
    test: str,  # Test by name
    target: str,  # Target of the comparison
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


def usual_verdict(
    estimate: Estimate,  # Any mean
    confidence_level: float,  # Level of the interval
    judge: Callable[[float, float], str],  # Both ends to a verdict
) -> dict[str, Any] | None:  # Method, ends, verdict and assumption; None where no spread is seen
    "The interval that most reports take, and its verdict."
    found = find_interval(estimate, confidence_level, "t")
    if found.low is None or found.high is None: return None
    method = "t (approximate)" if isinstance(estimate.units, Units) else "normal (approximate)"
    return dict(method=method, low=found.low, high=found.high,
                verdict=judge(found.low, found.high), assumes=name_assumption(method, estimate))
