"""What may be wrong with the data behind some numbers: a class for each kind of caution."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, TypeAlias

from ..spelling import spell
from .base import Data
from .registry import words_module

__all__ = ["Caution", "Test", "Word", "OddRun", "RunEffect", "DuplicateRuns", "StoppedAtSuccess",
           "SampleCount", "RepeatedFile", "ShortLog", "ClusterSizes", "Attempts", "AllAgree",
           "RightSpellings", "IdenticalOutcomes", "EmptyRuns", "JudgeRates", "Stated"]

Word: TypeAlias = Literal["run", "column", "place"]  # What holds one sample of each question
Test: TypeAlias = Literal[
    "",  # Nothing was tested
    "permutation",  # Exact permutation test within questions
    "normal",  # Its normal approximation
    "cochran",  # Cochran's Q, exact
    "cochran permutation",  # With random permutations
    "cochran chi-square",  # By its chi-square approximation
    "fisher",  # Fisher's exact test of first samples
    "last",  # Exact permutation test of last samples
    "bound",  # Upper bound over all distributions of difficulty
]


@dataclass(frozen=True, eq=False, kw_only=True)
class Caution(Data):
    """What was seen in the samples of one system that intervals do not take into account.

    `str` has it in words.
    """
    kind: ClassVar[str]  # Such as `odd_run`
    model: str = ""  # System whose samples it is about; empty for the only one
    p: float | None = None  # p value, adjusted for all comparisons; None where nothing was tested
    test: Test = ""  # Test behind `p`
    comparisons: int = 1  # Tests that `p` is adjusted for (Bonferroni; Holm for pairs of runs)

    def of(self,
        model: str,  # One of several systems
    ) -> Self:
        "The same of one system among others."
        return replace(self, model=model)

    def to_dict(self) -> dict[str, Any]:
        "The kind, and every field."
        return dict(kind=self.kind) | super().to_dict()

    @classmethod
    def from_dict(cls,
        values: Mapping[str, Any],  # What `to_dict` gave
    ) -> Any:  # A caution of that kind
        """A caution of any kind.

        Raises: `ValueError` for an unknown kind, and for fields that are absent or of another kind.
        """
        kind = values.get("kind")
        if kind not in KINDS:
            raise ValueError(f"need a caution of kind {', '.join(KINDS)}, got {kind!r}")
        return super(Caution, KINDS[kind]).from_dict(values)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.kind, self.model, self.p))

    def __str__(self) -> str: return spell(words_module("caution").describe_caution(self))


# Runs: each holds at most one sample of a question.

@dataclass(frozen=True, eq=False)
class OddRun(Caution):
    "A run with fewer, or more, right samples than the others."
    kind = "odd_run"
    runs: tuple[str, ...]  # Its name; both of two, since nobody knows which one is odd
    right: tuple[int, ...]  # Right samples of each
    samples: tuple[int, ...]  # Samples of each
    missing: tuple[int, ...]  # Samples of each without an outcome
    others: int  # Other runs
    low: float | None  # Smallest share right of another run; None without others
    high: float | None  # Largest
    word: Word = "run"


@dataclass(frozen=True, eq=False)
class RunEffect(Caution):
    "The share of right samples differs between runs."
    kind = "run_effect"
    runs: tuple[str, ...]  # The run that is right least often, and most often
    shares: tuple[float, ...]  # Their shares right, of the questions that every run has
    among: int  # Runs
    statistic: float  # Cochran's Q
    permutations: int = 0  # Random permutations of the test
    word: Word = "run"
    looked: int | None = None  # Questions looked at, evenly spaced; None for all


@dataclass(frozen=True, eq=False)
class DuplicateRuns(Caution):
    "Runs that agree too often for independent ones."
    kind = "duplicate_runs"
    runs: tuple[str, ...]  # Those that agree; where each is there several times, one of each
    among: int  # Runs
    multiplicity: int | None = None  # How often each run is there; None where only some agree
    differ: int | None = None  # Questions on which the closest two differ; None with multiplicity
    shared: int | None = None  # Questions that both have
    expected: float | None = None  # Questions on which two independent runs would differ
    answers: bool = False  # Whether answers were compared besides outcomes
    word: Word = "run"
    looked: int | None = None  # Questions looked at, evenly spaced; None for all


# Numbers of samples that depend on outcomes.

@dataclass(frozen=True, eq=False)
class StoppedAtSuccess(Caution):
    "Every question with fewer samples than others has exactly one right."
    kind = "stopped_at_success"
    questions: int  # Questions with fewer samples
    last: bool  # Whether the right sample is known to be the last one


@dataclass(frozen=True, eq=False)
class SampleCount(Caution):
    "Questions with the fewest samples are right more often, or less, than the others."
    kind = "sample_count"
    samples: int  # Fewest samples of a question
    questions: tuple[int, int]  # Questions with so many samples, and with more
    shares: tuple[float, float]  # Mean share right of each


# Files, columns, clusters.

@dataclass(frozen=True, eq=False)
class RepeatedFile(Caution):
    "A file that is several equal parts."
    kind = "repeated_file"
    file: str
    lines: int  # Lines of a part
    multiplicity: int  # Parts


@dataclass(frozen=True, eq=False)
class ShortLog(Caution):
    "A log with fewer samples than its run had."
    kind = "short_log"
    file: str
    found: int  # Samples it holds
    expected: int  # Samples it says there are
    where: str  # Where it says so


@dataclass(frozen=True, eq=False)
class ClusterSizes(Caution):
    "Clusters of unequal size."
    kind = "cluster_sizes"
    clusters: int
    smallest: int  # Questions of the smallest
    largest: int


@dataclass(frozen=True, eq=False)
class Attempts(Caution):
    "Samples whose column says that each may have seen the one before."
    kind = "attempts"
    column: str  # Column that numbers the samples


@dataclass(frozen=True, eq=False)
class AllAgree(Caution):
    "All samples of each question agree."
    kind = "all_agree"
    questions: int
    answers: bool = False  # Whether the answers are known to be equal too


@dataclass(frozen=True, eq=False)
class RightSpellings(Caution):
    "Questions whose right answers differ as texts, each of which has a vote of its own."
    kind = "right_spellings"
    questions: int  # Questions with several right answers
    among: int  # All questions
    question: str  # The first of them
    answers: tuple[str, ...]  # Two of its right answers
    rule: str | None = None  # Rule for equal answers that joins most; None where none joins any
    left: int = 0  # Questions with several right answers under that rule


@dataclass(frozen=True, eq=False)
class IdenticalOutcomes(Caution):
    "Systems hold the same outcomes on every question."
    kind = "identical_outcomes"
    questions: int
    systems: tuple[str, ...] = ()  # Their names; empty for a baseline and the new system


@dataclass(frozen=True, eq=False)
class EmptyRuns(Caution):
    "Runs without a single outcome, whose samples count as wrong."
    kind = "empty_runs"
    runs: tuple[str, ...]
    samples: tuple[int, ...]  # Samples of each
    word: Word = "run"


@dataclass(frozen=True, eq=False)
class JudgeRates(Caution):
    "Rates of a judge, or independent errors, that do not fit its verdicts."
    kind = "judge_rates"
    metric: str  # The first whose corrected CI lies outside of its range
    raw: float  # The same of the verdicts as they are
    unbiased: float  # Corrected, outside of the range


@dataclass(frozen=True, eq=False)
class Stated(Caution):
    "A sentence of whoever read the data."
    kind = "not_checked"
    said: str


KINDS: dict[str, type[Caution]] = {one.kind: one for one in Caution.__subclasses__()}
