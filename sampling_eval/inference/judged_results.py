"Results of judged evaluations, and checks of rates, verdicts, labels and grades."
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError, OptionTypeError
from ..foundations.checks import faults, list_entries, make_array, whole_numbers
from ..foundations.urn import draws
from .intervals import Estimate, Estimates, Interval, Method
from .quantiles import check_level, t_quantile

__all__ = ["check_rate", "check_judged", "JudgedCurve", "read_flags", "LabelledMean",
           "check_places", "GradingVariances", "check_grades", "PanelFacts", "half_tie_credit",
           "check_panel"]


# Rates and verdicts.

def check_rate(
    name: str,  # What the rate is called
    value: object,  # What was given for it
) -> None:
    """A chance between 0 and 1.

    Raises: `OptionError` or `OptionTypeError` for anything else.
    """
    if not isinstance(value, (int, float, np.integer, np.floating)) or isinstance(value, bool):
        raise OptionTypeError(name, must="be a number in [0, 1]", got=value)
    if 0 <= value <= 1: return
    percent = f"write {value / 100:g} for {value:g} %" if 1 < value <= 100 else ""
    raise OptionError(name, must="lie in [0, 1]", got=value, hint=percent)


def check_judged(
    n: ArrayLike,  # Samples judged per question
    judged: ArrayLike,  # Samples that passed the judge
) -> tuple[np.ndarray, np.ndarray]:  # Both in one shape
    "Samples and passes per question, or an error that calls them so."
    n, judged = whole_numbers("n", n), whole_numbers("judged", judged)
    try: n, judged = np.broadcast_arrays(n, judged)
    except ValueError:
        raise ValueError("n and judged must hold one number per question, "
                         f"got shapes {n.shape} and {judged.shape}") from None
    bad = (judged < 0) | (judged > n)
    if not bad.any(): return n, judged
    raise ValueError(f"need 0 <= judged <= n, got n={n[bad][0]}, judged={judged[bad][0]}"
                     f"{faults(bad)}")


@dataclass(frozen=True, eq=False, repr=False)
class JudgedCurve:
    "Corrected means over questions, at each budget; nothing is clipped."
    k: np.ndarray  # Samples kept, shape `(K,)`
    low: np.ndarray  # Least value that a question can have, shape `(K,)`
    high: np.ndarray  # Largest value that a question can have, shape `(K,)`
    scaled: Estimates  # The means, in widths of that range

    @property
    def value(self) -> np.ndarray:
        "Corrected mean at each budget, shape `(K,)`."
        return self.low + (self.high - self.low) * self.scaled.value

    @property
    def stderr(self) -> np.ndarray:
        "Its standard error, NaN where the data show none, shape `(K,)`."
        return (self.high - self.low) * self.scaled.stderr

    def intervals(
        self,
        confidence_level: float = .95,  # Share of such intervals that hold the truth
    ) -> list[Interval]:  # One at each budget
        "Intervals in the range of the corrected values; for new questions a theorem."
        width = self.high - self.low
        found = self.scaled.intervals(confidence_level)
        return [replace(one, low=float(least + size * one.low), high=float(least + size * one.high))
                for one, least, size in zip(found, self.low, width) if one is not None]

    def __repr__(self) -> str:
        values = ", ".join(f"{v:.4g}" for v in self.value[:6])
        more = ", ..." if len(self.k) > 6 else ""
        return f"JudgedCurve({values}{more}; {self.scaled.questions} questions)"


# Labels.

def read_flags(
    name: str,  # What they are called
    values: ArrayLike,  # 0/1 or bool, any shape
) -> np.ndarray:  # As bool
    """Flags of single answers.

    Raises: `OptionError` unless there are some, and all are 0 or 1.
    """
    flags = make_array(name, values)
    known = flags.dtype.kind in "biuf" and flags.size > 0
    if known and ((flags == 0) | (flags == 1)).all(): return flags == 1
    odd = "none" if not flags.size else repr(flags.ravel().tolist()[0])[:60]
    if known: odd = repr(flags[(flags != 0) & (flags != 1)].ravel()[0].item())
    raise OptionError(name, must="hold 0/1 or bool", found=odd)


@dataclass(frozen=True, repr=False)
class LabelledMean:
    "A mean of labelled questions, drawn towards the truth by verdicts on all."
    value: float  # The estimate, outside of the range of values too
    stderr: float  # Its standard error, for new questions (approximate)
    slope: float  # How much of the judge's departure is taken off, after PPI++
    fitted: bool  # Whether the slope was fitted to the same labels
    judged: float  # Mean of the verdicts on all questions, as they are
    questions: int  # Questions with verdicts
    alone: Estimate  # The labelled questions alone, whose interval assumes nothing
    bounds: tuple[float, float] = (0, 1)  # Least and largest value of a question

    @property
    def labelled(self) -> int:
        "Questions with labels."
        return self.alone.questions

    def confidence_interval(
        self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
    ) -> Interval:  # Ends, level and method
        """The interval of PPI++ with a t quantile, within the range of values.

        Value: approximate, so read it beside that of `alone`; a fitted slope takes one degree
        of freedom more.

        Raises: `ValueError` where the labelled questions show no spread.
        """
        if not self.stderr > 0:
            raise ValueError("no PPI++ interval: labels and verdicts of the "
                             f"{self.labelled} labelled questions show no spread; "
                             "the labels alone have an interval")
        tail = (1 - check_level(confidence_level)) / 2
        half = self.stderr * t_quantile(tail, self.labelled - 1 - self.fitted)
        ends = np.clip([self.value - half, self.value + half], *self.bounds)
        method = f"ppi++, t, from {self.labelled} labelled questions (approximate)"
        return Interval(float(ends[0]), float(ends[1]), confidence_level, method=Method(method))

    def __repr__(self) -> str:
        slope = f"slope {self.slope:.3g}" + " not fitted" * (not self.fitted)
        error = f"stderr {self.stderr:.4g} (approximate), {slope}"
        counts = f"{self.labelled} of {self.questions} questions labelled"
        alone = f"{self.alone.value:.6g}, {self.alone.questions} questions"
        return f"LabelledMean({self.value:.6g}, {error}; {counts}; labels alone {alone})"


def check_places(
    places: ArrayLike,  # Positions among all questions, shape `(m,)`
    shape: tuple[int, ...],  # Shape of the values that belong to them
    questions: int,  # Number of all questions
    least: int = 3,  # Fewest positions
    name: str = "labelled",  # What they are called
) -> np.ndarray:  # The positions as int64
    """Positions of some of the questions, each at most once.

    Raises: `OptionError` naming the first position that is not one of them.
    """
    place = whole_numbers(name, places)
    if place.ndim != 1 or shape != place.shape:
        raise OptionError(name, must="hold one position per value",
                          found=f"shapes {place.shape} and {shape}")
    bad = (place < 0) | (place >= questions)
    if bad.any():
        raise OptionError(name, must=f"be positions among the {questions} questions",
                          found=f"{place[bad][0]}", where=f" ({bad.sum()} of {bad.size} fail)")
    seen, times = np.unique(place, return_counts=True)
    if times.max() > 1:
        raise OptionError(name, must="hold each question once",
                          found=f"{seen[times.argmax()]} {times.max()} times")
    if len(place) < least:
        raise OptionError(name, f"need at least {least} {name} questions", found=f"{len(place)}")
    return place


# Gradings.

@dataclass(frozen=True)
class GradingVariances:
    "How much of a mean grade's noise is the judge's, the answers', the questions'."
    mean: float  # Mean grade
    judge: float  # Variance of a grade, the answer being the same
    answer: float  # Variance of answers, the question being the same
    question: float  # Variance of questions
    questions: int  # Number of questions
    samples: int  # Answers per question
    gradings: int  # Gradings of each answer

    @property
    def negative(self) -> tuple[str, ...]:
        "Components estimated below 0: too small to be told from 0 with these data."
        names = "judge", "answer", "question"
        return tuple(name for name in names if getattr(self, name) < 0)

    def variance(
        self,
        target: str = "new_questions",  # Or `"same_questions"`, `"same_answers"`
        *,
        questions: int | None = None,  # Number of questions; as here if None
        samples: int | None = None,  # Answers per question; as here if None
        gradings: int | None = None,  # Gradings of each answer; as here if None
    ) -> float:  # Unbiased; may be below 0 where a component is
        """Variance of the mean grade in a rerun of such an evaluation.

        Raises: `ValueError` for an unknown target, or numbers below 1.
        """
        q = size_or_known("questions", questions, self.questions)
        n = size_or_known("samples", samples, self.samples)
        g = size_or_known("gradings", gradings, self.gradings)
        parts = [self.question, self.answer / n, self.judge / (n * g)]
        redrawn = {"new_questions": 0, "same_questions": 1, "same_answers": 2}
        if target in redrawn: return sum(parts[redrawn[target]:]) / q
        raise OptionError("target", got=target, choices=tuple(redrawn))

    def best_gradings(
        self,
        answer_cost: float,  # What one answer costs
        grading_cost: float = 1.,  # What one grading costs, in the same unit
    ) -> float | None:  # Not rounded; below 1 means one; None where no answer noise is seen
        """Gradings per answer that buy the least noise for a fixed sum of money.

        Value: `sqrt(judge / answer * answer_cost / grading_cost)`.

        Raises: `ValueError` unless both costs are positive and finite.
        """
        for name, cost in ("answer_cost", answer_cost), ("grading_cost", grading_cost):
            if cost > 0 and np.isfinite(cost): continue
            raise OptionError(name, must="be positive and finite", got=cost)
        if self.answer <= 0: return None
        return float(np.sqrt(self.judge / self.answer * answer_cost / grading_cost))


def size_or_known(name: str, given: int | None, known: int) -> int:
    "A whole number of at least 1, or what is known."
    if given is None: return known
    if whole_numbers(name, given) >= 1: return int(given)
    raise OptionError(name, must="be at least 1", got=given)


def check_grades(
    grades: ArrayLike,  # Grade of each grading, shape `(Q, n, G)`
) -> np.ndarray:  # As floats
    """A whole table of grades.

    Raises: `OptionError` unless there are at least 2 questions, 2 answers of each and 2
    gradings of each answer, the same numbers everywhere, and all grades are finite.
    """
    try: table = np.asarray(grades)
    except ValueError: table = np.empty(0)
    if table.dtype.kind not in "biuf" or table.ndim != 3:
        raise OptionError("grades", must="be a table questions x answers x gradings, with as many "
                          "answers and gradings everywhere", found=f"shape {table.shape}")
    if min(table.shape) < 2:
        sizes = "{} questions x {} answers x {} gradings".format(*table.shape)
        raise OptionError("grades", "need at least 2 of each", found=sizes)
    if not np.isfinite(table).all(): raise OptionError("grades", must="be finite")
    return table.astype(float)


# Panels of judges.

@dataclass(frozen=True, repr=False)
class PanelFacts:
    "How right the judges of a panel are, and how much they err together."
    items: int  # Items with a gold label
    judges: int  # Judges of each item, `J`
    mean_accuracy: float  # Share of verdicts that are right
    error_correlation: float | None  # Of two judges, mean over pairs; None without errors

    @property
    def effective_number(self) -> float | None:
        "Independent judges of which the mean varies as much: `J / (1 + (J - 1) rho)`."
        if self.error_correlation is None: return None
        spread = 1 + (self.judges - 1) * self.error_correlation
        return self.judges / spread if spread > 1e-12 else np.inf

    def __repr__(self) -> str:
        said = f"PanelFacts({self.judges} judges, {self.items} items: mean accuracy "
        said += f"{self.mean_accuracy:.3f}"
        if self.error_correlation is None: return f"{said}, no correlation)"
        return (f"{said}, error correlation {self.error_correlation:.3f}, "
                f"effective number {self.effective_number:.2f})")

    def independent(
        self,
        k: int | ArrayLike,  # Judges of a panel; any number
    ) -> np.ndarray:  # In the shape of `k`
        """Accuracy of most of `k` judges of this accuracy that err independently.

        Raises: `ValueError` or `TypeError` unless all are whole numbers of at least 1.
        """
        sizes, p = whole_numbers("k", k), np.float64(self.mean_accuracy)
        if (sizes < 1).any(): raise ValueError(f"need k >= 1, got k={sizes.min()}")
        values = [draws(p, 1 - p, int(size), step=0) @ half_tie_credit(int(size))
                  for size in sizes.ravel()]
        return np.reshape(values, sizes.shape)[()]


def half_tie_credit(
    k: int,  # Judges of a panel
) -> np.ndarray:  # Credits `h(0..k)`, shape `(k + 1,)`
    "Credit of `x` right judges among `k`: 1 if they are more than half, 1/2 in a tie."
    return (1 + np.sign(2 * np.arange(k + 1) - k)) / 2


def check_panel(
    right: ArrayLike,  # Whether each judge agrees with the gold label, rows are items
) -> np.ndarray:  # As int64
    """A whole table of verdicts that are right or wrong.

    Raises: `ValueError` or `TypeError` unless all rows have one length and hold 0/1 or bool.
    """
    table = make_array("right", list_entries("right", right, "rows, one an item"))
    if table.ndim != 2 or not table.size:
        raise ValueError("right must hold one row per item and one column per judge, "
                         f"got shape {table.shape}")
    if table.dtype.kind == "O":
        given = [np.nan if one is None else one for one in table.ravel()]
        table = np.array(given, object).reshape(table.shape)
    try: values = table.astype(float) if table.dtype.kind in "biufO" else None
    except (TypeError, ValueError): values = None
    if values is None:
        raise TypeError(f"right must hold 0/1 or bool, got {table.ravel()[0]!r}; compare the "
                        "verdicts with the gold labels first")
    if (bad := (values != 0) & (values != 1)).any():
        item = int(bad.any(1).argmax())
        advice = "without a gold label, or a verdict, an item tells nothing: leave it out"
        raise ValueError(f"right must hold 0/1, got {values[bad][0]} at item {item} "
                         f"({bad.sum()} of {bad.size} fail): {advice}")
    return values.astype(np.int64)
