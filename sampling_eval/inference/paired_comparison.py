"Two systems compared on the same questions, at one budget or at several."
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from operator import index

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError, option
from ..parameters import Target
from ..records import dataclass
from .fixed_questions import Noise
from .intervals import Estimate, Estimates, Interval, check_target, estimates_of
from .paired_tests import GAFFKE, TESTS, TOGETHER, name_inverted
from .pairs import (
    Move, Pairs, Tables, at_budget, check_names, check_side, count_where, estimate_again,
    find_noise, pair_states, place_questions, share_samples, split_error)
from .randomization import PValue
from .significance import chance_above_zero, mcnemar
from .units import Units, check_bounds
from .weights import Weights


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    "B against A on the same questions; every difference is B minus A."
    estimate: Estimate  # Mean difference over new questions
    pairs: Pairs  # Values of both, at one budget
    stderr_unpaired: float | None  # Standard error had the questions differed
    correlation: float | None  # Correlation of A and B over questions, or over clusters
    noise: Noise | Callable | None = None  # Noise of `b - a` by pair, or what computes it
    names: Sequence | None = None  # Name of each question
    cluster: Sequence | None = None  # Group of each question
    samples: tuple | None = None  # Samples per question of A and of B; None if unknown
    tables: Tables | None = None  # Counts, where the values are credits of counts
    rng: int | np.random.Generator | None = None  # Seed of tests that draw
    span: tuple | None = None  # Least and largest possible difference; None if unknown
    stated: tuple | None = None  # A narrower range that was stated, for new questions

    @cached_property
    def a(self): return self.pairs.a[self.pairs.state, 0]

    @cached_property
    def b(self): return self.pairs.b[self.pairs.state, 0]

    @cached_property
    def again(self) -> Estimate:
        "The same difference for the same questions."
        noise = self.noise() if callable(self.noise) else self.noise
        return estimate_again(self.pairs, noise, self.span)[0]

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
        "Cautious posterior probability that B is better on new questions."
        bounds = self.estimate.units.bounds
        if bounds is None or self.pairs.weights is not None: return None
        rows, state = self.pairs.changes, self.pairs.state
        return chance_above_zero(rows, cluster=self.cluster, bounds=bounds, state=state)

    def confidence_interval(
        self,
        confidence_level: float = .95,  # Share of such intervals that should hold the truth
        method: str | None = None,  # Name of the method as in `Estimate`; None is the default
        *,
        target: Target = "new_questions",  # `"new_questions"` or `"same_questions"`
        rng: int | np.random.Generator | None = None,  # Seed or generator of methods that draw
    ) -> Interval:  # Ends, level and method
        "Interval around the mean difference for one of the targets."
        target = check_target(target)
        estimate = self.estimate if target == "new_questions" else self.again
        return estimate.confidence_interval(confidence_level, method, rng=rng)

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
        target = check_target(target)
        estimate = self.estimate if target == "new_questions" else self.again
        found = name_inverted(estimate, method, target, rng)
        plain = target == "new_questions" and estimate.units.bounds == (-1, 1)
        if not (plain and found.method == GAFFKE and self.single): return found
        # Answers right or wrong: what Gaffke's interval inverts to is McNemar's test.
        exact = mcnemar(self.wins, self.losses)
        return exact._replace(method=f"{GAFFKE} = {exact.method}")

    def usual(
        self,
        *,
        target: Target = "new_questions",  # `"new_questions"` or `"same_questions"`
    ) -> PValue | None:  # Two-sided p value; None where no spread is seen
        """The test that most reports take.

        Value: exact McNemar at one 0/1 sample per question, else the t test; for the
        same questions the normal test.
        """
        target = check_target(target)
        if target == "new_questions" and self.single: return self.test("mcnemar")
        estimate = self.estimate if target == "new_questions" else self.again
        if estimate.stderr is None: return None
        return name_inverted(estimate, "t", target, None)

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

        Value: by default the default interval of the target, inverted, as `invert`
        gives it; any other test has a null hypothesis of its own.

        Raises: `ValueError` where the test does not apply, with the reason.
        """
        target = check_target(target)
        if method is None: return self.invert(target=target, rng=rng)
        if method not in TESTS:
            raise OptionError("method", choices=tuple(TESTS), got=method)
        return TESTS[method](self, draws, rng)

    @property
    def single(self):
        "Whether each question has one right or wrong sample on either side."
        one = self.samples is None or all((n == 1).all() for n in self.samples)
        weighted = self.pairs.weights is not None
        if self.cluster is not None or weighted or not one: return False
        return bool(np.isin([self.a, self.b], [0, 1]).all())

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

    @property
    def span(self):
        "Least and largest possible difference; None if unknown."
        if self.bounds is None: return None
        return self.bounds[0] - self.bounds[1], self.bounds[1] - self.bounds[0]

    @cached_property
    def estimates(self) -> Estimates:
        "Mean differences over new questions."
        return estimates_of(self.pairs.units(self.pairs.gaps, self.stated or self.span))

    @cached_property
    def again(self) -> Estimates:
        "The same differences for the same questions."
        noise = find_noise(self, range(len(self)))
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

    def ends(
        self,
        confidence_level: float = .95,  # Share of intervals that should hold the truth
        method: str | None = None,  # Name of the method; None is the default
        *,
        target: Target = "new_questions",  # `"new_questions"` or `"same_questions"`
        rng: int | np.random.Generator | None = None,  # Seed or generator of methods that draw
    ) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:  # As `Estimates.ends`
        "Ends of the interval at each budget, and the name of its method."
        target = check_target(target)
        estimates = self.estimates if target == "new_questions" else self.again
        return estimates.ends(confidence_level, method, rng)

    def __len__(self): return self.pairs.a.shape[1]

    def __getitem__(self, i):
        "The comparison at one budget."
        i = range(len(self))[index(i)]
        errors = [None if np.isnan(o[i]) else float(o[i]) for o in self.errors]
        facts = self.names, self.pairs.cluster, self.samples
        noise, tables = partial(find_noise, self, i), at_budget(self.tables, i)
        return Comparison(self.estimates[i], self.pairs.at(i), *errors, noise, *facts,
                          tables, self.rng, self.span, self.stated)

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
    found = Comparisons(pairs, bounds, k, noise, names, samples, tables, rng)
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
