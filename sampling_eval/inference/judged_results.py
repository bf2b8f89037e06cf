"Plumbing: results of judged evaluations, and checks of rates, verdicts, labels and grades."
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError, OptionTypeError
from ..foundations.checks import faults, list_entries, make_array, whole_numbers
from .intervals import Estimate, Estimates, Interval, Method
from .quantiles import check_level, t_quantile

__all__ = ["check_rate", "check_judged", "JudgedCurve", "read_flags", "LabelledMean",
           "check_places", "size_or_known", "check_grades", "check_panel"]


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

def check_panel(
    right: ArrayLike,  # Whether each judge agrees with the gold label, rows are items
) -> np.ndarray:  # As int64
    """A whole table of verdicts that are right or wrong.

    Raises: `ValueError` or `TypeError` unless all rows have one length and hold 0/1 or bool.
    """
    matrix = isinstance(right, np.ndarray) and right.ndim == 2  # Needs no list of its rows
    rows = right if matrix else list_entries("right", right, "rows, one an item")
    table = make_array("right", rows)
    if table.ndim != 2 or not table.size:
        raise ValueError("right must hold one row per item and one column per judge, "
                         f"got shape {table.shape}")
    if table.dtype.kind == "O":
        given = [np.nan if one is None else one for one in table.ravel()]
        table = np.array(given, object).reshape(table.shape)
    try: values = table.astype(float) if table.dtype.kind in "biufO" else None
    except (TypeError, ValueError): values = None
    if values is None:
        raise TypeError(f"right must hold 0/1 or bool, got {table.ravel().tolist()[0]!r}; "
                        "compare the verdicts with the gold labels first")
    if (bad := (values != 0) & (values != 1)).any():
        item = int(bad.any(1).argmax())
        advice = "without a gold label, or a verdict, an item tells nothing: leave it out"
        raise ValueError(f"right must hold 0/1, got {values[bad][0]} at item {item} "
                         f"({bad.sum()} of {bad.size} fail): {advice}")
    return values.astype(np.int64)
