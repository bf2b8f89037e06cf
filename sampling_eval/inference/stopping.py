"Plumbing: results of evaluations that stop early, and checks of how they stopped."
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError, OptionTypeError
from ..foundations.checks import faults, make_array, real_numbers, whole_numbers, zero_one
from .intervals import Interval, Method

__all__ = ["ConfidenceSequence", "VoteCertificate", "check_stopping", "check_rule",
           "check_attempts", "check_differences", "check_range"]


@dataclass(frozen=True, eq=False, repr=False)
class ConfidenceSequence:
    "An interval for the mean after every question, all of which hold together."
    mean: np.ndarray  # Running mean, shape `(T,)`
    low: np.ndarray  # Lower ends, never falling
    high: np.ndarray  # Upper ends, never rising
    confidence_level: float  # Chance that all intervals hold

    def __len__(self) -> int: return len(self.mean)

    @property
    def decided(self) -> int | None:
        "Questions until zero was excluded; None if it never was."
        out = (self.low > 0) | (self.high < 0)
        return int(out.argmax()) + 1 if out.any() else None

    def interval(
        self,
        questions: int | None = None,  # After how many questions; all if None
    ) -> Interval:  # Ends, level and method
        """The interval after a number of questions, valid at any stopping time.

        Raises: `ValueError` where every mean has been refuted, which random order makes
        unlikely.
        """
        if questions is None: questions = len(self)
        if not 1 <= questions <= len(self):
            raise ValueError(f"need 1 <= questions <= {len(self)}, got {questions}")
        low, high = float(self.low[questions - 1]), float(self.high[questions - 1])
        if low > high:
            raise ValueError(f"no mean fits the first {questions} questions; "
                             "are they in random order?")
        how = Method("betting confidence sequence")
        return Interval(low, high, self.confidence_level, method=how)

    def __repr__(self) -> str:
        when = "zero not excluded"
        if self.decided is not None: when = f"zero excluded after {self.decided}"
        ends = self.interval() if self.low[-1] <= self.high[-1] else "no mean fits"
        mean = f"mean {self.mean[-1]:+.4f}"
        return f"ConfidenceSequence({len(self)} questions, {mean}, {ends}, {when})"


@dataclass(frozen=True)
class VoteCertificate:
    "Whether a sequence of answers certified its target, and when."
    target: object  # The answer that is claimed to be the most probable one
    named: bool  # Whether it was named beforehand; else it is the first answer
    counts: tuple[int, int]  # Of the target, and of the most frequent other answer
    evidence: float  # E-value after the last answer
    certified_at: int | None  # Answers drawn until it was certified; None if it was not
    confidence_level: float  # One less the chance of certifying another one

    def __repr__(self) -> str:
        told = "not certified"
        if self.certified_at is not None: told = f"certified after {self.certified_at} answers"
        how = "named beforehand" if self.named else "the first answer"
        return (f"VoteCertificate({self.target!r}, {how}: {told} "
                f"({100 * self.confidence_level:.12g} %), E = {self.evidence:.4g})")


def check_stopping(
    n: np.ndarray,  # Samples drawn per question
    c: np.ndarray,  # Correct ones among them
    k: np.ndarray,  # Budgets
    successes: int,  # Correct samples after which drawing stopped
    tries: int | None,  # Samples after which it stopped anyway
) -> None:
    """Counts of drawing that stopped at successes, or at a number of tries.

    Raises: `ValueError` or `TypeError` naming the first question that ended otherwise.
    """
    for name, value in dict(successes=successes, tries=tries).items():
        if value is None and name == "tries": continue
        if value is None or isinstance(value, (bool, np.bool_)) or make_array(name, value).ndim:
            raise OptionTypeError(name, must="be an int", got=value)
        if whole_numbers(name, value) < 1:
            raise OptionError(name, f"need {name} >= 1", got=value)
    def refuse(bad: np.ndarray, rule: str, remedy: str = "") -> None:
        if not bad.any(): return
        raise ValueError(f"{rule}, got n={n[bad][0]}, c={c[bad][0]}{faults(bad)}{remedy}")
    refuse(c > successes, f"need c <= {successes} where drawing stops there",
           "; a fixed number of samples is for pass_at_k")
    if tries is None:
        return refuse(c < successes, f"need c == {successes} where nothing else ends the drawing",
                      f"; pass tries={n.max()} if that was the limit")
    if k.max() > tries: raise ValueError(f"need k <= tries, got k={k.max()}, tries={tries}")
    refuse(n > tries, f"need n <= tries={tries}")
    refuse((c < successes) & (n < tries), f"need c == {successes} or n == tries={tries}")


def check_range(
    bounds: Any,  # Least and largest value there can be
) -> tuple[float, float]:  # The same as numbers
    """Two rising and finite numbers.

    Raises: `ValueError` for anything else.
    """
    ends = real_numbers("bounds", bounds)
    if ends.shape == (2,) and np.isfinite(ends).all() and ends[0] < ends[1]:
        low, high = bounds
        return low, high
    raise ValueError(f"bounds must be two rising numbers, got {bounds!r:.60}")


def check_differences(
    name: str,  # What the caller calls them
    values: Any,  # Differences in order of arrival along the last axis
    bounds: tuple[float, float],  # Least and largest there can be
) -> np.ndarray:  # The same as floats
    """Differences within their range.

    Raises: `ValueError` or `TypeError` for others, for NaN, and for none.
    """
    x = real_numbers(name, values)
    if x.ndim == 0 or x.shape[-1] == 0:
        raise ValueError(f"{name} must hold at least one difference, got shape {x.shape}")
    low, high = bounds
    slack = 1e-9 * (high - low)
    if (bad := ~((x >= low - slack) & (x <= high + slack))).any():
        raise ValueError(f"{name} must lie in {list(bounds)}, got {x[bad][0]}{faults(bad)}")
    return x


def check_rule(
    N: ArrayLike,  # Tries planned
    needed: ArrayLike,  # Successes that pass
) -> tuple[np.ndarray, ...]:  # Both in one shape
    """The numbers of a rule "at least `needed` of `N`".

    Raises: `ValueError` or `TypeError` unless `1 <= needed <= N` are integers.
    """
    N, needed = np.broadcast_arrays(whole_numbers("N", N), whole_numbers("needed", needed))
    bad = (needed < 1) | (needed > N)
    if bad.any():
        got = f"N={N[bad][0]}, needed={needed[bad][0]}{faults(bad)}"
        raise ValueError(f"need 1 <= needed <= N, got {got}")
    return N, needed


def check_attempts(
    attempts: ArrayLike,  # Attempts made at each question, shape `(Q,)`
    solved: ArrayLike,  # Whether the last of them succeeded, shape `(Q,)`, 0/1
) -> tuple[np.ndarray, np.ndarray]:  # Attempts as int64, and outcomes as bool
    """Ordered attempts of every question.

    Raises: `ValueError` or `TypeError` unless all made one, and outcomes are 0 or 1.
    """
    made, won = whole_numbers("attempts", attempts), make_array("solved", solved)
    if made.ndim != 1 or won.shape != made.shape:
        raise ValueError("attempts and solved must hold one value per question, got "
                         f"shapes {made.shape} and {won.shape}")
    if (bad := made < 1).any():
        raise ValueError(f"need attempts >= 1, got {made[bad][0]}{faults(bad)}")
    return made, zero_one(won, np.arange(len(won)))
