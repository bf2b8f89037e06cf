"""The result of `gate`: a verdict on each rule, and on single questions."""
from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from ...inference.intervals import Estimate, Interval, Method
from ...parameters import Target
from ...spelling import spell
from ...results.base import Data, HasInterval, Result, Unit, ends, live
from ...results.columns import Absent, Columns
from ...results.reading import Alignment, ReadSummary
from ...results.registry import words_module
from ...results.rows import Weighted
from ...results.verdict import Advice, Evidence, GateVerdict

__all__ = ["RuleKind", "OtherInterval", "Watched", "Check", "QuestionRegression", "RegressionPower",
           "MustPass", "Command", "Gate"]

RuleKind: TypeAlias = Literal["drop", "same", "minimum", "regressions", "must_pass"]


# Rules.

@dataclass(frozen=True, eq=False)
class OtherInterval(HasInterval, Data):
    "Another interval than the one that decides a rule, and the verdict by it."
    interval: Interval = field(metadata=ends(name="method"))
    verdict: GateVerdict


@dataclass(frozen=True, eq=False)
class Watched(Data):
    "What a rule that may be looked at at any time rests on."
    to_pass: float  # Largest evidence so far that the drop is smaller than is allowed
    to_fail: float  # Largest evidence so far that it is larger
    needed: float  # Evidence that settles it
    settled_after: int | None  # Questions after which there was as much; None: go on
    looks: int  # Looks that brought questions
    fresh: int  # Questions that this look brought


@dataclass(frozen=True, eq=False)
class Check(HasInterval, Data):
    "One rule of a gate, the numbers it was judged by, and the verdict."
    rule: str  # Its name, such as `pass@1 drops by at most 0.05`
    kind: RuleKind
    metric: str  # Name with its budget, or what is counted
    value: float  # Difference new minus baseline, value of the new system, or number of questions
    # None where questions are counted
    interval: Interval | None = field(metadata=ends(method="method", before="equal_passes"))
    limit: float  # What the interval, or the count, is held against
    verdict: GateVerdict
    questions: int
    target: Target | Literal["samples"]  # Of `samples`: those drawn
    unit: Unit = "share"  # Of value, interval and limit
    equal_passes: float | None = None  # Probability that a system equal to the baseline passes
    equal_flips: float | None = None  # Probability that it gets another verdict when run again
    least: int | None = None  # Questions, or clusters, without which nothing passes, if too few
    fails_alone: bool = False  # Whether it fails but for Holm's correction for the other rules
    next: Advice | None = None  # What would decide an inconclusive rule
    # Of a difference on new questions that t decides, by the assumption-free interval
    without_assumptions: OtherInterval | None = None
    # Of a rule on the same questions, what the interval that decides on new ones says
    for_new_questions: OtherInterval | None = None
    evidence: Evidence | None = None  # What a t interval rests on, of a difference on new questions
    test: str = ""  # Test behind the interval, where a p value of it has a name of its own
    method_asked: bool = False  # Whether the method was asked for by name
    bounds: tuple[float, float] | None = None  # Range that was stated for the differences
    weights: Weighted | None = None  # None where all questions weigh the same
    watched: Watched | None = None  # None unless the verdict holds at every look
    estimate: Estimate | None = live()  # What the interval is computed from

    @property
    def method(self) -> Method | None:
        "How the interval was computed; None where questions are counted."
        return None if self.interval is None else self.interval.method

    @property
    def drop(self) -> bool:
        "Whether the rule is about a difference from the baseline."
        return self.kind in ("drop", "same")

    def to_flat(self) -> dict[str, Any]:
        "The same at one level, for a file or a frame with one column each."
        flat = self.to_dict()
        method, next_ = flat.pop("method") or {}, flat.pop("next") or {}
        flat |= dict(method=method.get("name"), confidence_level=method.get("level"),
                     next_questions=next_.get("questions"), next_samples=next_.get("samples"))
        weights = flat.pop("weights") or {}
        for name in "without_assumptions", "for_new_questions":
            other = flat.pop(name) or {}
            flat |= {f"{name}_{part}": other.get(part)
                     for part in ("method", "low", "high", "verdict")}
        evidence, watched = flat.pop("evidence") or {}, flat.pop("watched") or {}
        flat |= {f"evidence_{one.name}": evidence.get(one.name) for one in fields(Evidence)}
        flat |= {one.name: weights.get(one.name) for one in fields(Weighted)}
        flat |= {f"watched_{one.name}": watched.get(one.name) for one in fields(Watched)}
        low, high = flat.pop("bounds") or (None, None)
        return flat | dict(bounds_low=low, bounds_high=high)

    def confidence_interval(self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Interval method; None is the package default
        *,
        rng: int | np.random.Generator | None = None,  # Seed of methods that draw
    ) -> Interval:  # Ends, level and method
        """Another interval around the value.

        Raises: `ValueError` where the method does not apply, and for a row read from JSON.
        """
        if self.estimate is None:
            raise ValueError("the check holds its printed interval only, not the values of the "
                             "questions; judge the data again for others")
        return self.estimate.confidence_interval(confidence_level, method, rng=rng)


# Single questions.

@dataclass(frozen=True, eq=False)
class QuestionRegression(Data):
    "A question that the new system answers right less often than the baseline."
    question: Any  # Its name
    before: int  # Right samples of the baseline
    of_before: int  # Samples of the baseline
    after: int  # Right samples of the new system
    of_after: int  # Samples of the new system
    p: float  # One-sided p value of Fisher's exact test
    p_adjusted: float  # The same over all questions; 1 where `p` is above the level
    significant: bool


@dataclass(frozen=True, eq=False)
class RegressionPower(Data):
    "What the samples could show of single questions."
    questions: int  # Questions compared
    detectable: int  # Those on which losing every right sample would be significant
    n_min: int  # Fewest samples of a question and system
    n_max: int  # Most samples of one
    needed: int  # Samples with which a drop from all right to none is significant
    level: float  # Largest probability that any question is named that did not regress
    lower: int | None = None  # Questions that scored lower


@dataclass(frozen=True, eq=False)
class MustPass(Data):
    "A question that must pass, and how often it is right."
    question: Any  # Its name
    right: int  # Right samples of the new system
    samples: int  # All samples of the new system
    needed: int  # Right samples that it takes
    verdict: Literal["pass", "fail"]


# All of them.

@dataclass(frozen=True)
class Command:
    "How a gate was asked for in a shell."
    strict: bool = False  # Whether an inconclusive rule fails
    inconclusive_passes: bool = False  # Whether an inconclusive rule passes
    explain: str = ""  # The command that shows the questions behind a failure
    explains: bool = False  # Whether every rule was to be explained at length


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Result):
    """Verdicts on a new system.

    Parameters:
        rows              One check per rule
        names             Name of the new system, and of the baseline if there is one
        read              What was read, by system
        samples           Fewest and most per question, of each system
        alignment         Which questions were compared; None without a baseline
        regressions       Significant ones, then the five largest
        regression_power  None without a baseline, or outcomes
        must_pass         Questions that must pass
        must_pass_share   Least share of right samples of each of these
        identical         Whether both systems hold the same outcomes on every question
        equal_weights     What the questions are weighted by, if all weigh the same by it
        task_versions     Which versions of one task were read, if there are two
        command           How it was asked for in a shell; None in Python
        questions         Samples and right ones of each question, of the baseline if there is one
                          and the new system
        texts             Where the samples stand, for a page
    """
    kind: ClassVar[str] = "gate"
    rows: tuple[Check, ...]  # One check per rule
    names: tuple[str, ...]  # Name of the new system, and of the baseline if there is one
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What was read, by system
    samples: tuple[tuple[int, int], ...] = ()  # Fewest and most per question, of each system
    alignment: Alignment | None = None  # Which questions were compared; None without a baseline
    regressions: tuple[QuestionRegression, ...] = ()  # Significant ones, then the five largest
    regression_power: RegressionPower | None = None  # None without a baseline, or outcomes
    must_pass: tuple[MustPass, ...] = ()  # Questions that must pass
    must_pass_share: float = 1.  # Least share of right samples of each of these
    identical: bool = False  # Whether both systems hold the same outcomes on every question
    equal_weights: str = ""  # What the questions are weighted by, if all weigh the same by it
    task_versions: str = ""  # Which versions of one task were read, if there are two
    command: Command | None = live()  # How it was asked for in a shell; None in Python
    # Samples and right ones of each question, of the baseline if there is one and the new system
    questions: Columns | Absent = field(default_factory=Absent, compare=False,
                                        metadata=dict(live=True))
    texts: Any = live()  # Where the samples stand, for a page

    @property
    def verdict(self) -> GateVerdict:
        "The worst verdict: `fail`, else `inconclusive`, else `pass`."
        found = {row.verdict for row in self.rows}
        order: tuple[GateVerdict, ...] = "fail", "inconclusive", "pass"
        return next(verdict for verdict in order if verdict in found)

    @property
    def passed(self) -> bool:
        "Whether every rule passed; False also where the gate is inconclusive."
        return self.verdict == "pass"

    def __bool__(self) -> bool:
        raise TypeError("a gate has three verdicts and is neither true nor false; ask for .passed, "
                        ".verdict or .exit_code()")

    @property
    def primary(self) -> str | None:
        "Of several rules with an interval the one that fails at the full level; None of one."
        ranged = [row.rule for row in self.rows if row.interval is not None]
        return ranged[0] if len(ranged) > 1 else None

    @property
    def forbids_regressions(self) -> bool:
        "Whether a rule speaks of single questions that regress."
        return any(row.kind == "regressions" for row in self.rows)

    @property
    def warnings(self) -> tuple[str, ...]:
        "What is inconclusive, and what would decide it."
        return tuple(spell(self._module().describe_check(self, row)) for row in self.rows
                     if row.verdict == "inconclusive")

    def explain(self) -> str:
        "A paragraph on each rule: what was tested, why it came out so, and what would change it."
        return spell("\n\n".join(self._module().explain_rules(self)))

    def exit_code(self,
        strict: bool = False,  # Whether an inconclusive gate fails
        inconclusive_passes: bool = False,  # Whether an inconclusive gate passes
    ) -> int:  # 0 for pass, 1 for fail, 3 for inconclusive
        "The exit code of a command; of an inconclusive gate as it was decided on."
        if self.verdict != "inconclusive": return 0 if self.verdict == "pass" else 1
        if inconclusive_passes: return 0
        return 1 if strict else 3

    def to_dict(self) -> dict[str, Any]:
        "All stored fields as plain Python values, the verdict, and the primary rule."
        return super().to_dict() | dict(verdict=self.verdict, primary=self.primary)

    def to_junit(self,
        strict: bool = False,  # Whether an inconclusive rule fails
        inconclusive_passes: bool = False,  # Whether an inconclusive rule passes
        timestamp: str | None = None,  # Such as `2026-01-31T12:00:00`; the present time if None
        skip_inconclusive: bool = False,  # Whether an inconclusive rule is skipped; else it fails
    ) -> str:  # XML
        "One test case for every rule, every question that must pass, and every one that regressed."
        write = words_module("junit").write_junit
        return str(write(self, strict, inconclusive_passes, timestamp, skip_inconclusive))

    def to_summary(self) -> str:
        "Markdown for the step summary of a workflow: the verdict in words, numbers folded."
        return self.to_markdown()
