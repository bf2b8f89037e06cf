"Numerics of intervals: quantiles of the normal and t distributions, roots of falling functions."
from __future__ import annotations

from collections.abc import Callable
from math import erfc, exp, lgamma, log, log1p, pi

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError, OptionTypeError
from ..spelling import name_option


def check_level(
    confidence_level: float,  # Level of an interval
) -> float:  # The same
    "A level between 0 and 1, or an error."
    if not isinstance(confidence_level, (int, float, np.number, np.bool_)):
        raise OptionTypeError("confidence_level", must="be a number", got=confidence_level)
    if not 0 < confidence_level < 1:
        rule = f"need 0 < {name_option('confidence_level')} < 1"
        raise OptionError("confidence_level", rule, confidence_level)
    return confidence_level


def normal_quantile(
    chance: ArrayLike,  # Chances between 0 and 1, any shape
) -> np.ndarray:  # Where the standard normal distribution has these chances below it
    "Quantiles of the normal distribution by the rational functions of Wichura (1988)."
    chance = np.asarray(chance, float)
    from_half, tail = chance - .5, np.minimum(chance, 1 - chance)
    square = .180625 - from_half**2
    middle = from_half * divide_polynomials(square, MIDDLE)
    depth = np.sqrt(-np.log(tail))
    near = divide_polynomials(depth - 1.6, NEAR_TAIL)
    far = divide_polynomials(depth - 5, FAR_TAIL)
    outer = np.where(depth <= 5, near, far)
    return np.where(square >= 0, middle, np.where(from_half < 0, -outer, outer))


def normal_chance(
    x: ArrayLike,  # Numbers of any shape
) -> np.ndarray:  # Chances below them
    "Chance that a standard normal variable is below each number."
    x = np.asarray(x, float)
    below = [erfc(-o / 2**.5) / 2 for o in x.ravel().tolist()]
    return np.array(below).reshape(x.shape)[()]


def divide_polynomials(x, coefficients):
    "One polynomial by another, coefficients from the highest power down."
    above = below = 0.
    for one, other in zip(*coefficients): above, below = above * x + one, below * x + other
    return above / below


MIDDLE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853,
     45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
     133.14166789178437745, 3.387132872796366608),
    (5226.495278852854561, 28729.085735721942674, 39307.89580009271061,
     21213.794301586595867, 5394.1960214247511077, 687.1870074920579083,
     42.313330701600911252, 1.))
NEAR_TAIL = (
    (7.7454501427834140764e-4, .0227238449892691845833, .24178072517745061177,
     1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055,
     4.6303378461565452959, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.475938084995344946e-4, .0151986665636164571966,
     .14810397642748007459, .68976733498510000455, 1.6763848301838038494,
     2.05319162663775882187, 1.))
FAR_TAIL = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, .0012426609473880784386,
     .026532189526576123093, .29656057182850489123, 1.7848265399172913358,
     5.4637849111641143699, 6.6579046435011037772),
    (2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
     7.868691311456132591e-4, .0148753612908506148525, .13692988092273580531,
     .59983220655588793769, 1.))


def find_roots(
    excess: Callable,  # Falling functions of `x`, all at once
    low: np.ndarray,  # Where they are positive
    high: np.ndarray,  # Where they are not
    x: np.ndarray,  # Where to begin
    step: np.ndarray,  # The scale on which they fall
) -> np.ndarray:  # The roots
    "Where falling functions are 0: secants, kept between ends of different sign."
    x = np.where((low < x) & (x < high), x, (low + high) / 2)
    slope, before = -1 / step, None
    last = earlier = np.zeros_like(x)
    for _ in range(100):
        height = excess(x)
        low, high = np.where(height > 0, x, low), np.where(height > 0, high, x)
        with np.errstate(divide="ignore", invalid="ignore"):
            if before is not None:
                slope = np.where(x == before, slope,
                                 (height - last) / (x - before))
            new = x - height / slope
        inside = (low <= new) & (new <= high)
        done = (np.abs(new - x) <= 1e-14 * step) | (np.abs(height) < 1e-11)
        # A secant gains in each step as many digits as in the two before.
        done |= height**2 < 1e-12 * np.abs(earlier)
        # The last secant step is taken too: it is right to the last digits.
        new = np.where(inside, new, np.where(done, x, (low + high) / 2))
        before, last, earlier, x = x, height, last, new
        if done.all(): break
    return x


def solve_falling(law, tail, u):
    "Where a chance falls to `tail`: Newton on its logarithm, kept between two ends."
    low, high = 0., 40.
    for _ in range(100):
        chance, slope = law(u)
        low, high = (u, high) if chance > tail else (low, u)
        falls = chance > 0 and slope < 0
        new = u - np.log(chance / tail) * chance / slope if falls else np.inf
        # A step of Newton squares its error.
        if abs(new - u) < 1e-8: return float(new)
        u = new if low < new < high else (low + high) / 2
    return float(u)


def t_quantile(
    tail: float,  # Chance above the quantile, in (0, 1/2]
    df: float,  # Degrees of freedom, above 0; may be infinite
) -> float:  # The quantile
    "Upper quantile of the t distribution: Newton steps on the logarithm of its tail."
    if tail == .5: return 0.
    if df >= 10_000: return expand_t(-float(normal_quantile(tail)), df)
    start = start_middle if tail > .25 else start_tail
    # Starts lie on the side from which the steps never pass the root.
    y = min(start(tail, df), 340.)
    for _ in range(100):
        outside, inside, rise = share_t(y, df)
        if tail > .25: step = log((.5 - tail) / inside) * inside / rise
        else: step = log(outside / tail) * outside / rise
        y = min(y + step, 340.)
        if abs(step) < 1e-14: break
    return exp(y)


def expand_t(z, df):
    "The quantile from the normal one, in powers of 1/df (Cornish and Fisher)."
    terms = (z, (z**3 + z) / 4, (5*z**5 + 16*z**3 + 3*z) / 96,
             (3*z**7 + 19*z**5 + 17*z**3 - 15*z) / 384,
             (79*z**9 + 776*z**7 + 1482*z**5 - 1920*z**3 - 945*z) / 92160)
    return sum(term / df**i for i, term in enumerate(terms))


def start_middle(tail, df):
    "Logarithm of a number below the quantile, from the density at 0."
    return log(.5 - tail) - half_step(df / 2) + log(pi * df) / 2


def start_tail(tail, df):
    "Logarithm of a number above the quantile, from the far tail of the density."
    level = half_step(df / 2) - log(pi) / 2
    far = (level + (df / 2 - 1) * log(df) - log(tail)) / df
    if df <= 3: return far
    return min(far, log(2 * expand_t(max(-float(normal_quantile(tail)), 1.), df)))


def share_t(y, df):
    "Chances above `exp(y)` and between 0 and `exp(y)`, and the slope of the second."
    odds = exp(2 * y) / df
    # The two ends of the beta distribution, each without subtraction.
    x, rest, a = 1 / (1 + odds), odds / (1 + odds), df / 2
    rise = beta_density(x, rest, a)
    if x < (a + 1) / (a + 2.5):
        outside = rise / df * beta_fraction(x, a, .5)
        return outside, .5 - outside, rise
    inside = rise * beta_fraction(rest, .5, a)
    return .5 - inside, inside, rise


def beta_density(x, rest, a):
    "Factor `x**a rest**(1/2) / B(a, 1/2)` of the t distribution's tail; `rest` is `1 - x`."
    power = -log1p(rest / x) if x > .5 else log(x)
    return exp(half_step(a) - log(pi) / 2 + a * power + log(rest) / 2)


def half_step(a):
    "Logarithm of the ratio of the gamma function at `a + 1/2` and at `a`."
    if a < 20: return lgamma(a + .5) - lgamma(a)
    # The difference of two large logarithms would lose their last digits.
    rest = 1/8 - (1/192 - (1/640 - 17/14336 / a**2) / a**2) / a**2
    return log(a) / 2 - rest / a


def beta_fraction(x, a, b):
    "Continued fraction of the incomplete beta function, from the front (Lentz)."
    c, d = 1., 1 / (1 - (a + b) * x / (a + 1))
    whole = d
    for m in range(1, 1000):
        for step in (m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m)),
                     -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))):
            d, c = 1 / (1 + step * d), 1 + step / c
            whole *= c * d
        if abs(c * d - 1) < 4e-16: break
    return whole
