"""Plumbing of a comparison on the same questions: its difference, intervals and tests, B minus A.

`compare_budgets` makes a `Comparisons`, all budgets at once; its items are a `Comparison` each.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError
from ..spelling import option
from ..parameters import Target
from .fixed_questions import Noise
from .intervals import (
    ASSUMPTION_FREE, Estimate, Estimates, Interval, INTERVAL_METHODS, check_method, check_target,
    default_method, estimates_of, resolve_method)
from .pairs import (
    Move, Pairs, Tables, at_budget, check_names, check_side, count_where, estimate_again,
    flip_pairs, pair_noise, pair_states, place_questions, share_samples, split_error)
from .randomization import PValue, ZERO_MEAN
from .significance import invert_gaffke, mcnemar, permutation, permutations
from .t_evidence import LEAST_EFFECTIVE, Evidence, deciding_methods, evidence_by_budget
from .units import Units, Weights, check_bounds


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    "B against A on the same questions; every difference is B minus A."
    estimate: Estimate  # Mean difference over new questions
    pairs: Pairs  # Values of both, at one budget
    stderr_unpaired: float | None  # Standard error had the questions differed
    correlation: float | None  # Correlation of A and B over questions, or over clusters
    noise: Noise | Callable | None = None  # Noise of `b - a` by pair, or what computes it
    names: Sequence | None = None  # Name of each question
    samples: tuple | None = None  # Samples per question of A and of B; None if unknown
    tables: Tables | None = None  # Counts, where the values are credits of counts
    rng: int | np.random.Generator | None = None  # Seed of tests that draw
    span: tuple | None = None  # Least and largest possible difference; None if unknown
    stated: tuple | None = None  # A narrower range that was stated, for new questions
    least_effective: float = LEAST_EFFECTIVE  # Effective questions with which t may decide
    k: int = 1  # Samples kept per trial
    single: bool = False  # Whether each question has one right or wrong sample on either side

    @cached_property
    def a(self): return self.pairs.a[self.pairs.state, 0]

    @cached_property
    def b(self): return self.pairs.b[self.pairs.state, 0]

    @cached_property
    def again(self) -> Estimate:
        "The same difference for the same questions."
        noise = self.noise() if callable(self.noise) else self.noise
        return estimate_again(self.pairs, noise, self.span)[0]

    def of(self, target: Target) -> Estimate:
        "The mean difference for one of the targets."
        return self.estimate if check_target(target) == "new_questions" else self.again

    @property
    def difference(self): return self.estimate.value

    @property
    def stderr(self): return self.estimate.stderr

    def average(
        self,
        values: np.ndarray,  # Value of each question, shape `(Q,)`
    ) -> float:  # Their mean
        "Mean over questions, by their weights where they have some."
        weights = self.pairs.weights
        return float(values.mean() if weights is None else weights.average(values))

    @property
    def changes(self):
        "B minus A per question; 0 where only rounding distinguishes them."
        return self.pairs.changes[self.pairs.state, 0]

    @property
    def wins(self): return int((self.changes > 0).sum())

    @property
    def losses(self): return int((self.changes < 0).sum())

    @property
    def ties(self): return len(self.a) - self.wins - self.losses

    @cached_property
    def p(self) -> PValue: return self.invert(rng=self.rng)

    @cached_property
    def chance(self):
        "Cautious posterior probability that B is better on new questions: `chance_above_zero`."
        if self.estimate.units.bounds is None or self.pairs.weights is not None: return None
        # The tail that the p value doubles.
        tail = self.without_assumptions.value / 2
        return 1 - tail if self.difference > 0 else tail

    @cached_property
    def without_assumptions(self) -> PValue:
        "The assumption-free interval for new questions, inverted."
        return name_inverted(self.estimate, ASSUMPTION_FREE, "new_questions", None)

    def confidence_interval(
        self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Name of the method as in `Estimate`; None is the default
        *,
        target: Target = "new_questions",  # `"new_questions"` or `"same_questions"`
        rng: int | np.random.Generator | None = None,  # Seed or generator of methods that draw
    ) -> Interval:  # Ends, level and method
        "Interval around the mean difference for one of the targets, by default what decides."
        method = method or self.deciding_method(target)
        return self.of(target).confidence_interval(confidence_level, method, rng=rng)

    def deciding_method(self, target: Target = "new_questions") -> str:
        "Name of the interval that decides: t where it can be trusted, else the default."
        if check_target(target) == "same_questions": return default_method(self.again.units)
        return self.deciding

    @cached_property
    def deciding(self) -> str:
        "Name of the interval that decides on new questions."
        return deciding_methods(self.estimate.units, binary=self.single,
                                evidence=[self.evidence])[0]

    @cached_property
    def differing(self) -> Units:
        "The differences, 0 where they are less than those of one sample."
        return moved_units(self.pairs, self.samples, np.array([self.k]), self.span)

    @cached_property
    def evidence(self) -> Evidence:
        "What a t interval for new questions rests on."
        return evidence_by_budget(self.estimate.units, self.least_effective, self.differing)[0]

    def invert(
        self,
        method: str | None = None,  # Name of an interval method; None is the default
        *,
        target: Target = "new_questions",  # `"new_questions"` or `"same_questions"`
        rng: int | np.random.Generator | None = None,  # Seed or generator of methods that draw
    ) -> PValue:  # Two-sided p value
        """The p value that goes with an interval, so that both give one verdict.

        Value: at most `1 - confidence_level` exactly where `confidence_interval` of the
        same method and target leaves out zero, at every level.

        Raises: `ValueError` where the method does not apply, with the reason.
        """
        estimate = self.of(target)
        method = resolve_method(estimate.units, method or self.deciding_method(target))
        if target != "new_questions" or not INTERVAL_METHODS[method].free:
            return name_inverted(estimate, method, target, rng)
        found, equal = self.without_assumptions, self.pairs.weights is None
        if not (self.single and equal and estimate.units.bounds == self.span): return found
        # Answers right or wrong: what Gaffke's interval inverts to is McNemar's test.
        exact = mcnemar(self.wins, self.losses)
        return exact._replace(method=f"{found.method} = {exact.method}")

    def test(
        self,
        method: str | None = None,  # A test by name; None is the default of the target
        *,
        target: Target = "new_questions",  # `"new_questions"` or `"same_questions"`
        draws: int = 9999,  # Tables drawn where a test is not exact
        rng: int | np.random.Generator | None = None,  # Seed or generator of the draws
    ) -> PValue:  # Two-sided p value with its null hypothesis
        """Two-sided test: `"sign-flip"`, `"mcnemar"`, `"mcnemar-mid"`, `"gaffke"`
        or `"t"` for new questions, `"permutation"`, `"interval"` or `"cautious"`, the
        larger p value of these two, for the same ones.

        Value: by default the interval that decides the target, inverted, as `invert`
        gives it; any other test has a null hypothesis of its own.

        Raises: `ValueError` where the test does not apply, with the reason.
        """
        target = check_target(target)
        if method is None: return self.invert(target=target, rng=rng)
        if method not in TESTS:
            raise OptionError("method", choices=tuple(TESTS), got=method)
        return TESTS[method](self, draws, rng)

    @property
    def equal(self):
        "Whether both sides have the same number of samples on every question."
        return self.samples is None or np.array_equal(*self.samples)

    def moved(
        self,
        count: int = 5,  # How many questions
    ) -> list[Move]:  # The questions that moved most, largest first
        "The questions with the largest differences, in either direction."
        d = self.changes
        names = range(len(d)) if self.names is None else self.names
        first = [int(i) for i in np.argsort(-np.abs(d), kind="stable")[:count] if d[i]]
        columns = self.a, self.b, d
        return [Move(names[i], *(float(o[i]) for o in columns)) for i in first]

    def __repr__(self):
        error = "undefined" if self.stderr is None else f"{self.stderr:.4f}"
        unpaired = self.stderr_unpaired
        apart = "" if unpaired is None else f" (unpaired {unpaired:.4f})"
        return (f"Comparison(B - A = {self.difference:+.4f}, stderr {error}{apart}, "
                f"new questions {self._show('new_questions')}, {self._show_test()}, "
                f"these again {self._show('same_questions')}, "
                f"wins/ties/losses {self.wins}/{self.ties}/{self.losses})")

    def _show(self, target):
        # Without a range, differences that agree have no interval.
        try: return self.confidence_interval(target=target)
        except ValueError: return "no interval"

    def _show_test(self):
        try: return self.p
        except ValueError: return "no test"


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Sequence):
    "B against A at several budgets; item `i` is the `Comparison` at one."
    pairs: Pairs  # Values of both, at all budgets
    bounds: tuple | None = (0, 1)  # Least and largest value of a system; None if unknown
    k: ArrayLike | None = None  # The budgets, where they have names
    noise: Noise | tuple | Callable | None = None  # Noise as in `compare_budgets`
    names: Sequence | None = None  # Name of each question
    samples: tuple | None = None  # Samples per question of A and of B; None if unknown
    tables: Tables | None = None  # Counts, where the values are credits of counts
    rng: int | np.random.Generator | None = None  # Seed of tests that draw
    stated: tuple | None = None  # Range of differences that was stated, for new questions
    least_effective: float = LEAST_EFFECTIVE  # Effective questions with which t may decide
    single: ArrayLike = False  # As in `Comparison`, shape `(K,)`, or for all budgets

    @property
    def span(self):
        "Least and largest possible difference; None if unknown."
        if self.bounds is None: return None
        return self.bounds[0] - self.bounds[1], self.bounds[1] - self.bounds[0]

    @property
    def budgets(self) -> np.ndarray:
        "Samples kept per trial at each budget, shape `(K,)`."
        return np.ones(len(self), int) if self.k is None else np.asarray(self.k)

    @cached_property
    def estimates(self) -> Estimates:
        "Mean differences over new questions."
        return estimates_of(self.pairs.units(self.pairs.gaps, self.stated or self.span))

    @cached_property
    def again(self) -> Estimates:
        "The same differences for the same questions."
        noise = pair_noise(self, range(len(self)))
        return estimate_again(self.pairs, noise, self.span)

    @cached_property
    def sides(self) -> tuple[Units, Units]:
        "Sampling units of A and of B by themselves."
        units, bounds = self.pairs.units, self.bounds
        return units(self.pairs.a, bounds), units(self.pairs.b, bounds)

    @property
    def difference(self): return self.estimates.value

    @property
    def stderr(self): return self.estimates.stderr

    @cached_property
    def errors(self) -> tuple[np.ndarray, np.ndarray]:
        "Unpaired standard errors and correlations, nan where no spread is seen."
        paired = np.nan_to_num(self.stderr)**2
        return split_error(paired, *(side.variance() for side in self.sides))

    @property
    def stderr_unpaired(self): return self.errors[0]

    @property
    def correlation(self): return self.errors[1]

    @cached_property
    def wins(self): return count_where(self.pairs, self.pairs.changes > 0)

    @cached_property
    def losses(self): return count_where(self.pairs, self.pairs.changes < 0)

    @property
    def ties(self): return len(self.pairs.state) - self.wins - self.losses

    @cached_property
    def p(self) -> tuple[PValue, ...]:
        "The default test for new questions at each budget."
        return self.tests(rng=self.rng)

    def tests(
        self,
        method: str | None = None,  # As in `Comparison.test`
        *,
        target: Target = "new_questions",  # `"new_questions"` or `"same_questions"`
        draws: int = 9999,  # Tables drawn where a test is not exact
        rng: int | np.random.Generator | None = None,  # Seed or generator of the draws
    ) -> tuple[PValue, ...]:  # Two-sided p values, one a budget
        "The test of `Comparison.test` at each budget; what is drawn is drawn once."
        target = check_target(target)
        if method in TOGETHER: return tuple(TOGETHER[method](self, draws, rng))
        return tuple(one.test(method, target=target, draws=draws, rng=rng)
                     for one in self)

    def intervals(
        self,
        confidence_level: float = .95,  # Share of intervals that should hold the truth
        method: str | None = None,  # Name of the method; None is the default
        *,
        target: Target = "new_questions",  # `"new_questions"` or `"same_questions"`
        rng: int | np.random.Generator | None = None,  # Seed or generator of methods that draw
    ) -> list[Interval | None]:  # As `Estimates.intervals`
        "The interval at each budget."
        estimates = self.estimates if check_target(target) == "new_questions" else self.again
        if method is not None: return estimates.intervals(confidence_level, method, rng)
        decides = np.array(self.deciding_methods(target))
        found: list[Interval | None] = [None] * len(self)
        for one in dict.fromkeys(decides.tolist()):
            own = np.flatnonzero(decides == one)
            some = estimates if len(own) == len(self) else estimates.some(own)
            several = some.intervals(confidence_level, one, rng)
            for place, interval in zip(own.tolist(), several): found[place] = interval
        return found

    def deciding_methods(self, target: Target = "new_questions") -> tuple[str, ...]:
        "Name of the interval that decides at each budget, as `Comparison.deciding_method`."
        if check_target(target) == "same_questions":
            return (default_method(self.again.units),) * len(self)
        return self.deciding

    @cached_property
    def deciding(self) -> tuple[str, ...]:
        "Name of the interval that decides on new questions at each budget."
        units: Any = self.estimates.units
        return tuple(deciding_methods(units, binary=self.single, evidence=self.evidence))

    @cached_property
    def differing(self) -> Units:
        "As in `Comparison`, at all budgets."
        return moved_units(self.pairs, self.samples, self.budgets, self.span)

    @cached_property
    def evidence(self) -> list[Evidence]:
        "What a t interval for new questions rests on at each budget."
        units: Any = self.estimates.units
        return evidence_by_budget(units, self.least_effective, self.differing)

    def __len__(self): return self.pairs.a.shape[1]

    def __getitem__(self, i):
        "The comparison at one budget."
        i = range(len(self))[index(i)]
        errors = [None if np.isnan(o[i]) else float(o[i]) for o in self.errors]
        return Comparison(
            self.estimates[i], self.pairs.at(i), *errors, partial(pair_noise, self, i),
            self.names, self.samples, at_budget(self.tables, i), self.rng, self.span, self.stated,
            self.least_effective, int(self.budgets[i]),
            bool(np.broadcast_to(self.single, len(self))[i]))

    def __repr__(self):
        return f"Comparisons({len(self)} budgets, {len(self.pairs.state)} questions)"


def compare_budgets(
    a: ArrayLike,  # Values of A at each budget: `(Q, K)`, or `(S, K)` with `state_a`
    b: ArrayLike,  # Values of B: `(Q, K)`, or `(T, K)` with `state_b`
    *,
    state_a: ArrayLike | None = None,  # Row of A of each question; its position if None
    state_b: ArrayLike | None = None,  # Row of B of each question
    k: ArrayLike | None = None,  # The budgets, where they have names
    cluster: Sequence | None = None,  # Group of each question
    names: Sequence | None = None,  # Name of each question
    bounds: tuple | None = (0, 1),  # Least and largest possible value; None if unknown
    weights: Weights | None = None,  # Weight of each question; None where all weigh the same
    noise: Noise | tuple | Callable | None = None,  # Noise of `b - a` of questions, or a pair: of
    # the rows of A and of B; or a function that gives it; from `tables` if None
    samples: tuple | None = None,  # Samples per question of A and of B; from `tables` if None
    tables: Tables | None = None,  # Counts behind values that are credits of counts
    rng: int | np.random.Generator | None = None,  # Seed, used only where a test has to draw
    stated: tuple | None = None,  # Range of differences, an assumption; None: of bounds
    least_effective: float = LEAST_EFFECTIVE,  # Effective questions with which t may decide
    single: bool | None = None,  # As in `Comparison`; None: as the values are
) -> Comparisons:  # Differences, errors, tests at every budget
    """Comparison of B with A at several budgets, question by question.

    Value: nothing but the checks is computed at once.

    Raises: `ValueError` for NaN, values outside the bounds, states without a row,
    unequal numbers of questions, or a difference outside the stated range.
    """
    bounds = check_bounds(bounds)
    a, b = check_side("a", a, bounds), check_side("b", b, bounds)
    state_a, state_b = place_questions(a, state_a), place_questions(b, state_b)
    shapes = [(len(state_a), a.shape[1]), (len(state_b), b.shape[1])]
    if shapes[0] != shapes[1]:
        raise ValueError("a and b must hold the same questions and budgets, "
                         f"got {shapes[0]} and {shapes[1]}; see align")
    check_names(names, len(state_a))
    samples = share_samples(samples, tables, len(state_a))
    pairs = replace(pair_states(a, b, state_a, state_b, cluster), weights=weights)
    if single is None: single = are_single((pairs.a, pairs.b), samples or (1, 1), bounds)
    found = Comparisons(pairs, bounds, k, noise, names, samples, tables, rng,
                        least_effective=least_effective,
                        single=cluster is None and single)
    if stated is None: return found
    return replace(found, stated=check_stated(stated, found))


def check_stated(
    stated: tuple[float, float],  # Least and largest difference of a question held possible
    comparisons: Comparisons,  # B against A, whose differences have to lie inside
) -> tuple[float, float]:  # The range
    "A range of differences around zero that no question leaves, or an error."
    low, high = check_bounds(stated) or stated
    span = comparisons.span or (-np.inf, np.inf)
    if not span[0] <= low < 0 < high <= span[1]:
        raise OptionError("bounds", "bounds of differences must hold 0 inside and lie within "
                                    f"[{span[0]:g}, {span[1]:g}]", found=f"({low:g}, {high:g})")
    gaps, pairs = comparisons.pairs.changes, comparisons.pairs
    slack = 1e-12 * max(-low, high)
    out = ((gaps < low - slack) | (gaps > high + slack)).any(1)[pairs.state]
    if not out.any(): return low, high
    first = int(np.flatnonzero(out)[0])
    gap = gaps[pairs.state[first]]
    name = first if comparisons.names is None else comparisons.names[first]
    worst = gap[np.argmax(np.abs(gap))]
    ends = option("bounds", (float(f"{low:g}"), float(f"{high:g}")))
    raise OptionError("bounds", f"no question may differ by more than {ends} says",
                      found=f"{worst:+.4g} at question {name!r}",
                      where=f" ({int(out.sum())} of {len(out)} outside)",
                      hint="state a range that holds for any question, or none")


def are_single(
    sides: Sequence[ArrayLike],  # Values of systems, the last axis budgets, or questions alone
    samples: Sequence[ArrayLike],  # Samples per question of each
    bounds: tuple | None,  # Least and largest value of a system; None if unknown
) -> ArrayLike:  # One a budget, or one
    """Whether each question has one right or wrong sample in every system.

    Value: on any scale, where a sample has its least or its largest value.
    """
    if any(np.any(np.asarray(n) != 1) for n in samples): return False
    return np.all([np.isin(side, bounds or (0, 1)).all(0) for side in sides], 0)


def moved_units(
    pairs: Pairs,  # Values of both at `K` budgets
    samples: tuple | None,  # Samples per question of A and of B; None if unknown
    k: np.ndarray,  # The budgets, shape `(K,)`
    span: tuple | None,  # Least and largest possible difference; None if unknown
) -> Units:  # Their differences
    """The differences, 0 where the sides have unequal numbers and it is less than half a sample.

    With one sample on one side and 64 on the other nearly all questions differ a little, however
    few samples of the first were wrong; what counts is a sample of the side with fewer.
    """
    changes = pairs.changes
    if samples is not None and span is not None:
        n_a, n_b = (np.asarray(n)[pairs.some] for n in samples)
        step = span[1] * np.minimum(1., k / np.minimum(n_a, n_b)[:, None])
        # Rounding makes no half of what is one.
        small = np.abs(changes) < step / 2 * (1 - 1e-9)
        changes = np.where(small & (n_a != n_b)[:, None], 0., changes)
    return pairs.units(changes, None)


# P values of intervals, and tests by name.

SAME_MEAN = "mean difference zero on these questions"


def name_inverted(
    estimate: Estimate,  # A mean difference and the units behind it
    method: str | None,  # Name of an interval method; None is the default
    target: Target,  # `"new_questions"` or `"same_questions"`, which its null hypothesis is about
    rng: int | np.random.Generator | None,  # Seed or generator of methods that draw
) -> PValue:  # Two-sided p value, its name and its null hypothesis
    """One minus the largest level at which an interval leaves out zero.

    Raises: `ValueError` where the method does not apply, with the reason.
    """
    null = ZERO_MEAN if target == "new_questions" else SAME_MEAN
    method = resolve_method(estimate.units, method)
    row = INTERVAL_METHODS[method]
    check_method(estimate.units, method)
    if row.invert is None:
        others = " or ".join(repr(name) for name, one in INTERVAL_METHODS.items() if one.invert)
        raise ValueError(f"{method} has no p value; use {others}")
    if row.needs_spread and estimate.stderr is None:
        raise ValueError(f"no p value by {method}: {estimate.reason}")
    p, test, smallest = row.invert(estimate, rng)
    # The quadrature has nine digits: what it cannot tell from 1 is 1.
    p = float(p) if estimate.value and p < 1 - 1e-8 else 1.
    return PValue(p, test, null, target, smallest)


def run_mcnemar(comparison, draws, rng, mid=False):
    refuse_weights(comparison, "mcnemar", "'sign-flip' or 'gaffke'")
    if not comparison.single:
        raise ValueError("mcnemar needs one 0/1 sample per question and no clusters; "
                         "use 'sign-flip'")
    return mcnemar(comparison.wins, comparison.losses, mid=mid)


def refuse_weights(comparison, name, other):
    "An error where a test would count questions that have weights."
    if comparison.pairs.weights is None: return
    raise ValueError(f"{name} takes all questions as equal, got weights; use {other}")


def run_sign_flip(comparison, draws, rng):
    refuse_unequal(comparison)
    return flip_pairs(comparison.pairs, draws, rng)[0]


def refuse_unequal(comparison):
    "An error where the sides differ in their numbers of samples."
    if comparison.equal: return
    known = comparison.estimate.units.bounds is not None
    raise ValueError("sign-flip needs the same number of samples on both sides, "
                     "or it tells equal systems apart too often; "
                     f"use {'gaffke' if known else 't'!r}")


def run_gaffke(comparison, draws, rng):
    units = comparison.estimate.units
    if units.bounds is None:
        raise OptionError("test", "gaffke needs the least and the largest possible value",
                          found="bounds=None", hint="use 't'")
    return invert_gaffke(units)


def run_permutation(comparison, draws, rng):
    refuse_uncounted(comparison)
    return permutation(*comparison.tables, draws=draws, rng=rng)


def refuse_uncounted(comparison):
    "An error where nothing but values is known."
    refuse_weights(comparison, "permutation", "'interval'")
    if comparison.tables is not None: return
    raise ValueError("permutation needs the counts of right samples behind the values; "
                     "use 'interval', the inverted interval of the same questions")


def run_t(comparison, draws, rng):
    estimate = comparison.estimate
    if estimate.stderr is None:
        other = "; use 'sign-flip'" if comparison.equal else ""
        raise ValueError(f"no t test: {estimate.reason}{other}")
    return name_inverted(estimate, "t", "new_questions", rng)


def run_interval(comparison, draws, rng):
    "The level at which the interval of the same questions begins to exclude zero."
    return comparison.invert(target="same_questions", rng=rng)


def run_cautious(comparison, draws, rng):
    "The larger p value of the interval and, where that is approximate, of deals."
    found = run_interval(comparison, draws, rng)
    plain = comparison.tables and comparison.pairs.weights is None
    if not plain or isinstance(comparison.again.units, Units): return found
    exact = run_permutation(comparison, draws, rng)
    method = f"{found.method}, and {exact.method}, the larger p value"
    return found._replace(value=max(found.value, exact.value), method=method)


TESTS: dict[str, Callable] = {
    "mcnemar": run_mcnemar, "mcnemar-mid": partial(run_mcnemar, mid=True),
    "sign-flip": run_sign_flip, "gaffke": run_gaffke, "permutation": run_permutation,
    "interval": run_interval, "cautious": run_cautious, "t": run_t}


def flip_together(comparisons, draws, rng):
    refuse_unequal(comparisons[0])
    return flip_pairs(comparisons.pairs, draws, rng)


def permute_together(comparisons, draws, rng):
    refuse_uncounted(comparisons)
    return permutations(*comparisons.tables, draws=draws, rng=rng)


# Tests that draw: all budgets take one draw.
TOGETHER = {"sign-flip": flip_together, "permutation": permute_together}
