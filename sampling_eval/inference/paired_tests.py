"Tests of a paired difference by name, and p values of intervals."
from __future__ import annotations

import numpy as np

from ..errors import OptionError
from ..parameters import Target
from .fixed_questions import chance_above_zero_of_sum
from .intervals import Estimate, draw_means, find_method, name_gamma, need_units
from .pairs import flip_pairs
from .randomization import PValue, ZERO_MEAN, permutations
from .significance import invert_gaffke, mcnemar, permutation
from .units import Units


SAME_MEAN = "mean difference zero on these questions"
GAFFKE = "gaffke, inverted"


def invert_interval(
    estimate: Estimate,  # A mean difference and the units behind it
    method: str | None = None,  # Name of an interval method; None is the default
    rng: int | np.random.Generator | None = None,  # Seed or generator of methods that draw
) -> float:  # Two-sided p value
    """One minus the largest level at which an interval leaves out zero.

    Raises: `ValueError` where the method does not apply, with the reason.
    """
    method = find_method(estimate.units, method)
    if method not in INVERTED:
        # A method that fits no difference says why.
        estimate.confidence_interval(method=method)
        raise ValueError(f"{method} has no p value; use 'gaffke' or 't'")
    if method in ("t", "bootstrap") and estimate.stderr is None:
        raise ValueError(f"no p value by {method}: {estimate.reason}")
    p = float(INVERTED[method](estimate, rng))
    # The quadrature has nine digits: what it cannot tell from 1 is 1.
    return p if estimate.value and p < 1 - 1e-8 else 1.


def chance_of_gaffke(estimate, rng):
    return invert_gaffke(need_units(estimate, "gaffke", "the default is 'gamma'")).value


def chance_of_gamma(estimate, rng):
    return 2 * chance_above_zero_of_sum(estimate.units.moments(find_side(estimate)))


def chance_of_t(estimate, rng):
    "Two-sided p value of a mean in units of its standard error."
    from scipy.special import ndtr, stdtr
    ratio = -abs(estimate.value) / estimate.stderr
    if not isinstance(estimate.units, Units): return float(2 * ndtr(ratio))
    return float(2 * stdtr(estimate.units.count - 1, ratio))


def chance_of_anchored_t(estimate, rng):
    from scipy.special import stdtr
    more = need_units(estimate, "anchored-t", "the default is 'gamma'").anchored()
    ratio = find_side(estimate) * more.mean()[0] / more.variance()[0]**.5
    return 2 * stdtr(more.df(), ratio)


def chance_of_bootstrap(estimate, rng):
    "Twice the share of drawn means up to zero, between two of them by a straight line."
    units = need_units(estimate, "the bootstrap", "the default method has an interval")
    sums = np.sort(-find_side(estimate) * draw_means(units, rng))
    passed = int(np.searchsorted(sums, 0, "right"))
    if passed in (0, len(sums)): return 2. * (passed > 0)
    below, above = sums[passed - 1:passed + 1]
    return 2 * (passed - 1 - below / (above - below)) / (len(sums) - 1)


def find_side(estimate):
    "The sign of the side of zero, seen from the mean: -1 for a mean above zero."
    return -1 if estimate.value > 0 else 1


INVERTED = {"gaffke": chance_of_gaffke, "gamma": chance_of_gamma, "t": chance_of_t,
            "anchored-t": chance_of_anchored_t, "bootstrap": chance_of_bootstrap}


def name_inverted(
    estimate: Estimate,  # A mean difference and the units behind it
    method: str | None,  # Name of an interval method; None is the default
    target: Target,  # `"new_questions"` or `"same_questions"`, which its null hypothesis is about
    rng: int | np.random.Generator | None,  # Seed or generator of methods that draw
) -> PValue:  # Two-sided p value
    "The p value of an interval with its name and its null hypothesis."
    null = ZERO_MEAN if target == "new_questions" else SAME_MEAN
    units, method = estimate.units, find_method(estimate.units, method)
    if method == "gaffke" and isinstance(units, Units):
        return invert_gaffke(units)._replace(null=null, target=target)
    p = invert_interval(estimate, method, rng)
    name = f"{method} (approximate), inverted"
    if method == "gamma": name = f"{name_gamma(units)}, inverted"
    if method == "t": name = "normal (approximate)"
    if method == "t" and isinstance(units, Units):
        name = f"t (approximate), {units.count - 1:g} degrees of freedom"
    return PValue(p, name, null, target)


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


def run_mid_p(comparison, draws, rng):
    return run_mcnemar(comparison, draws, rng, mid=True)


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
    raise ValueError("permutation needs the counts of right samples behind "
                     "the values; "
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


TESTS = {"mcnemar": run_mcnemar, "mcnemar-mid": run_mid_p,
         "sign-flip": run_sign_flip, "gaffke": run_gaffke,
         "permutation": run_permutation, "interval": run_interval,
         "cautious": run_cautious, "t": run_t}


def flip_together(comparisons, draws, rng):
    refuse_unequal(comparisons[0])
    return flip_pairs(comparisons.pairs, draws, rng)


def permute_together(comparisons, draws, rng):
    refuse_uncounted(comparisons)
    return permutations(*comparisons.tables, draws=draws, rng=rng)


# Tests that draw: all budgets take one draw.
TOGETHER = {"sign-flip": flip_together, "permutation": permute_together}
