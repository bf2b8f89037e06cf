"""Numerics of power: two systems on questions of one kind, as a simulation draws them.

`population_of` fits a `Population` to pilots: a Beta distribution of difficulty for each system and
the correlation of both; `difference_distribution` is what one question of it can give.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError
from ..spelling import option
from ..foundations.counts import Counts, distinct_states
from ..foundations.credit import Credit, resolve_credit
from ..foundations.urn import draws, mean_credit, pair
from .extrapolation import BetaDistribution, fit_beta_distribution
from .planning import Components, check_samples, contrast, distribution_components, pilot_components


LATTICE, LONGEST = 1597, 64


class Population:
    "Two systems on questions of one kind, as a plan simulates them."
    def __init__(self,
        a: BetaDistribution,  # Distribution of the chance of a right sample of the first system
        b: BetaDistribution,  # Of the second, before it is moved to the difference wanted
        correlation: float,  # Correlation of their true values over questions
        k: int,  # Samples kept per trial
        credit: str | Credit,  # Name of a credit, or a function from `k` to credits `h(0..k)`
        components: Components,  # Variances of the difference at the samples planned for
        notes: Sequence[str] = (),  # What a reader should know of the estimates
    ):
        self.a, self.b, self.correlation, self.k = a, b, correlation, k
        self.credit, self.components = resolve_credit(credit), components
        self.notes = tuple(notes)
        self.kept: dict[Any, Any] = {}

    def __repr__(self): return f"Population({self.components.source})"

    @cached_property
    def table(self):
        "Logits of chances, and the true value of a question at each."
        from scipy.special import expit
        x = np.linspace(-25, 25, 2501)
        budget = np.array([self.k])
        return x, mean_credit(expit(x), expit(-x), budget, self.credit, step=0)[:, 0]

    def value(self, logit): return np.interp(logit, *self.table)

    @cached_property
    def tilt(self):
        "Correlation of the normal copula that gives the values their correlation."
        from scipy.optimize import brentq
        x = self.value(logit_quantiles(self.a, spread_shares(0., LATTICE)[0]))
        def excess(r):
            y = self.value(logit_quantiles(self.b, spread_shares(r, LATTICE)[1]))
            apart = x.std() * y.std()
            return np.mean((x - x.mean()) * (y - y.mean())) - self.correlation * apart
        if excess(-1.) >= 0: return -1.
        if excess(1.) <= 0: return 1.
        return brentq(excess, -1, 1, xtol=1e-12)

    def logits(self, count):
        "Logits of both systems' chances on evenly spread questions."
        if count not in self.kept:
            first, second = spread_shares(self.tilt, count)
            self.kept[count] = logit_quantiles(self.a, first), logit_quantiles(self.b, second)
        return self.kept[count]

    def room(self):
        "How far the second system can lie above the first, and below it."
        x, y = self.logits(LATTICE)
        mean = self.value(x).mean()
        return self.value(y + 60).mean() - mean, mean - self.value(y - 60).mean()

    def find_shift(self, logits, mean):
        "What added to logits gives their questions this mean true value; None if nothing does."
        from scipy.optimize import brentq
        def excess(shift): return self.value(logits + shift).mean() - mean
        if not excess(-60.) < 0 < excess(60.): return None
        return brentq(excess, -60, 60, xtol=1e-13)

    def at(self,
        delta: float,  # Mean difference of the true values, second less first
        count: int = LATTICE,  # Number of questions
    ) -> tuple[np.ndarray, np.ndarray]:  # Logits of both chances, each of shape `(count,)`
        "Evenly spread questions on which the second system is ahead by `delta`."
        x, y = self.logits(count)
        goal = self.value(x).mean() + delta
        shift = self.find_shift(y, goal)
        # A few questions can lie closer to the end than all of the kind do.
        if shift is None and count < LATTICE: shift = 60 * np.sign(delta)
        if shift is not None: return x, y + shift
        raise ValueError(f"need a difference that a system can have from a mean of "
                         f"{goal - delta:.4g}, got {delta:+.4g}")


def spread_shares(tilt, count):
    "Shares of the questions of two distributions: a lattice of pairs with a normal copula."
    from scipy.special import ndtr, ndtri
    i = np.arange(count)
    # Multiples of the golden ratio fill the second side as evenly as the first.
    first = ndtri((i + .5) / count)
    second = ndtri((i * (5**.5 - 1) / 2 + .5) % 1)
    both = tilt * first + (1 - tilt**2)**.5 * second
    return ndtr(first), ndtr(both)


def logit_quantiles(law, share):
    "Logits of the chances below which the shares of the questions lie."
    from scipy.special import betainc, betainccinv, betaincinv
    rest = np.maximum(share - law.zero, 0) / (1 - law.zero)
    hard = rest <= betainc(law.a, law.b, .5)
    # The smaller chance, of a right sample or of a wrong one, has all its digits.
    small = np.empty_like(rest)
    small[hard] = betaincinv(law.a, law.b, rest[hard])
    small[~hard] = betainccinv(law.b, law.a, rest[~hard])
    with np.errstate(divide="ignore"): logit = np.log(small) - np.log1p(-small)
    return np.where(hard, logit, -logit)


def population_of(
    k: int,  # Samples kept per trial
    credit: str | Credit,  # Name of a credit, or a function from `k` to credits `h(0..k)`
    samples: ArrayLike,  # Numbers of samples to plan for, shape `(S,)`, each at least `k`
    a: Counts | BetaDistribution | None = None,  # Pilot of the first system; None is uniform
    b: Counts | None = None,  # Pilot of the second, same questions in the same order
    *,
    correlation: float | None = None,  # Of the true values; None is 0, or from two pilots
) -> Population:  # Distributions, correlation and variances of the difference
    """What a comparison would draw from: two distributions of difficulty and their correlation.

    Value: distributions that have the mean and the variance which the pilots show, without bias
    where these have `n >= 2k`, and the most likely Beta distributions below.

    Raises: `ValueError` for pilots of different questions or too small to fit, a second
    pilot without a first, or a correlation given beside two pilots.
    """
    credit, samples = resolve_credit(credit), check_samples(samples, k)
    if b is not None:
        if not isinstance(a, Counts):
            raise ValueError("a second pilot needs a first one on the same questions")
        if correlation is not None:
            raise OptionError("correlation", "two pilots show the correlation",
                              found=f"{option('correlation')} as well")
        return pair_pilots(k, credit, samples, a, b)
    law, notes = BetaDistribution(1, 1), ()
    if isinstance(a, Counts):
        parts = pilot_components(a.n, a.c, k, credit, samples)
        law, notes = match_distribution(a, k, credit, parts.between)
    else:
        law = law if a is None else a
        parts = distribution_components(law, k, credit, samples)
    both = contrast(parts, correlation=correlation or 0.)
    return Population(law, law, correlation or 0., k, credit, both, notes)


def pair_pilots(k, credit, samples, a, b):
    "The population behind two pilots on the same questions."
    if not np.array_equal(a.questions, b.questions):
        raise ValueError("pilots must cover the same questions in the same order")
    if min(a.n_min, b.n_min) < k:
        raise ValueError(f"need n >= k to see how two pilots move together, "
                         f"got n={min(a.n_min, b.n_min)}, k={k}")
    parts = [pilot_components(o.n, o.c, k, credit, samples) for o in (a, b)]
    matched = [match_distribution(o, k, credit, p.between) for o, p in zip((a, b), parts)]
    laws, notes = zip(*matched)
    values = [value_pilot(o, k, credit) for o in (a, b)]
    together = np.cov(*values)[0, 1]
    apart = np.prod([max(p.between, 0.) for p in parts])**.5
    rho, said = (together / apart if apart else 0.), list(dict.fromkeys(sum(notes, ())))
    if abs(rho) > 1:
        said.append(f"The correlation of the two pilots is estimated as {rho:.3g}, "
                    f"beyond {np.sign(rho):g} by chance; {np.sign(rho):g} is used.")
    between = parts[0].between + parts[1].between - 2 * together
    source = f"{len(a)} questions, two pilots, correlation {rho:.3g}"
    within = parts[0].within + parts[1].within
    both = Components(float(between), within, samples, source)
    return Population(*laws, float(np.clip(rho, -1, 1)), k, credit, both, said)


def value_pilot(counts, k, credit):
    "Value of each question of a pilot."
    n, c, state = distinct_states(counts.n, counts.c)
    return mean_credit(c, n - c, np.array([k]), credit)[state, 0]


def match_distribution(counts, k, credit, between):
    "The Beta distribution with a pilot's mean and variance between questions, and remarks."
    law = fit_beta_distribution(counts.n, counts.c)
    if counts.n_min < 2 * k: return law, ()
    mean, square = value_pilot(counts, k, credit).mean(), pair(credit(k))
    def spread(o): return o.mean(2 * k, lambda _: square) - o.mean(k, credit)**2
    if between <= 0:
        return law, (f"The variance between questions of a pilot is estimated as "
                     f"{between:.3g}, below 0 by chance; the most likely distribution is used, "
                     f"with {spread(law):.2g}.",)
    from scipy.optimize import root
    def miss(x):
        o = BetaDistribution(*np.exp(x))
        return [(o.mean(k, credit) - mean) / between**.5, spread(o) / between - 1]
    # Far beyond the range of the likelihood search a and b would overflow.
    found = root(lambda x: miss(np.clip(x, -14, 18)), np.log([law.a, law.b]), tol=1e-12)
    fits = np.abs(found.fun).max() < 1e-8 and np.abs(found.x - 2).max() < 16
    return (BetaDistribution(*np.exp(found.x).tolist()) if fits else law), ()


def relate(
    population: Population,  # Two systems on questions of one kind
    correlation: float,  # Correlation of their true values over questions
    samples: ArrayLike | None = None,  # Samples to plan for, `(S,)`; None: as before
) -> Population:  # The same two distributions of difficulty
    "The same two systems, but going together over questions to another degree."
    k, credit = population.k, population.credit
    planned = population.components.samples if samples is None else samples
    laws = population.a, population.b
    parts = [distribution_components(law, k, credit, planned) for law in laws]
    source = f"the same laws of difficulty, assumed correlation {correlation:.3g}"
    both = replace(contrast(*parts, correlation=correlation), source=source)
    return Population(*laws, correlation, k, credit, both, population.notes)


def difference_distribution(
    population: Population,  # Two systems on questions of one kind
    n: int,  # Samples per question and system
    delta: float,  # Mean difference of the true values, second less first
) -> tuple[np.ndarray, np.ndarray]:  # Values and their chances, each of shape `(S,)`
    """Distribution of one question's difference, with at most 64 values.

    Value: where there were more, with the same first three moments in every stretch.
    """
    from scipy.special import expit
    x, y = population.at(delta)
    if n > LONGEST: return thin_states(*moments_apart(population, n, x, y))
    value = value_counts(population, n)
    # The questions of the first system do not move with the difference.
    if ("draws", n) not in population.kept:
        population.kept["draws", n] = draws(expit(x), expit(-x), n, step=0)
    left, right = population.kept["draws", n], draws(expit(y), expit(-y), n, step=0)
    return thin_states(np.subtract.outer(value, value).T, left.T @ right / len(x))


def value_counts(population, n):
    "Value of a question with `0..n` right samples."
    c = np.arange(n + 1)
    return mean_credit(c, n - c, np.array([population.k]), population.credit)[:, 0]


def thin_states(values, law, bins=32):
    "The distribution on at most two values a bin, with three moments of every bin kept."
    values, place = np.unique(values.round(12), return_inverse=True)
    law = np.bincount(place.ravel(), law.ravel())
    law, values = law[law > 1e-16], values[law > 1e-16]
    law = law / law.sum()
    if len(values) <= 2 * bins: return values, law
    place = (values - values[0]) / np.ptp(values) * bins
    _, place = np.unique(np.minimum(place.astype(int), bins - 1), return_inverse=True)
    mass = np.bincount(place, law)
    mean = np.bincount(place, law * values) / mass
    rest = values - mean[place]
    second, third = (np.bincount(place, law * rest**p) / mass for p in (2, 3))
    return join_points(mass, mean, second, third)


def join_points(mass, mean, second, third):
    "Two values for each mass, with its mean, variance and third moment."
    sd = np.maximum(second, 0)**.5
    half = np.where(sd > 1e-9, third / np.maximum(sd, 1e-9)**3, 0) / 2
    root = (1 + half**2)**.5
    values = np.r_[mean + sd * (half + root), mean + sd * (half - root)]
    law = np.r_[mass * (root - half), mass * (root + half)] / np.r_[root, root] / 2
    return np.clip(values, -1, 1), law


def moments_apart(population, n, x, y):
    "Two values for each pair of chances: with many samples these are close together."
    from scipy.special import expit
    if ("moments", n) not in population.kept:
        grid = np.linspace(-1, 1, 241) * (np.log(n) + 5)
        law = draws(expit(grid), expit(-grid), n, step=0)
        value = value_counts(population, n)
        rest = value - (law @ value)[:, None]
        moments = law @ value, (law * rest**2).sum(1), (law * rest**3).sum(1)
        population.kept["moments", n] = grid, moments
    grid, moments = population.kept["moments", n]
    (_, vx, tx), (_, vy, ty) = (
        [np.interp(o, grid, m) for m in moments] for o in (x, y))
    mean = population.value(y) - population.value(x)
    return join_points(np.full(len(x), 1 / len(x)), mean, vx + vy, ty - tx)
