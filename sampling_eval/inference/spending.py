"Cost per solved question with its interval, the best budget for a value, coverage at equal spend."
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError
from ..foundations.checks import faults, real_number, real_numbers
from .bands import Band, band_of
from .gaffke import MOST_UNTHINNED, gaffke_chances, tail_chance
from .intervals import Interval, Method
from .quantiles import check_level, find_roots, normal_quantile, t_quantile
from .units import units_of, weigh_units, Weights

# A ratio so many times the estimate has no end: hardly any question was solved.
FAR = 2.**40


@dataclass(frozen=True)
class CostPerSolved:
    "Spend per solved question: a ratio of two totals, with its interval."
    value: float  # Total spend over total solved
    interval: Interval  # Ends, level and method; the upper end may be infinite
    spend: float  # Mean spend of a question
    solved: float  # Share of questions solved
    questions: int  # Number of questions

    def __repr__(self):
        return f"CostPerSolved({self.value:.6g}, {self.interval}, {self.questions} questions)"


def cost_per_solved(
    spend: ArrayLike,  # Expected spend on each question, shape `(Q,)`, as from `spend_at_k`
    solved: ArrayLike,  # Its chance of being solved, shape `(Q,)`, as from `pass_at_k`
    *,
    cap: float | None = None,  # Most that a question can cost; None if nothing bounds it
    least: float = 0.,  # Least that a question can cost
    cluster: Sequence | None = None,  # Group of each question, shape `(Q,)`
    weights: Weights | None = None,  # Weight of each question, from `check_weights`
    confidence_level: float = .95,  # Share of such intervals that should hold the truth
) -> CostPerSolved:  # The ratio and its interval, for new questions
    """What a solved question costs: total spend over total solved, with an interval.

    Parameters:
        spend             Expected spend on each question, shape `(Q,)`, as from `spend_at_k`
        solved            Its chance of being solved, shape `(Q,)`, as from `pass_at_k`
        cap               Most that a question can cost; None if nothing bounds it
        least             Least that a question can cost
        cluster           Group of each question, shape `(Q,)`
        weights           Weight of each question, from `check_weights`
        confidence_level  Share of such intervals that should hold the truth
        return            The ratio and its interval, for new questions

    Value: with `cap` Gaffke's interval of `spend - theta solved`, inverted, which holds for
    every distribution of independent questions, or of groups of them that are no larger than
    the largest one seen; without one Fieller's, with t quantiles, an approximation. Both
    totals are weighted where there are weights.

    Raises: `ValueError` where nothing is solved, a spend is negative, missing or above `cap`.
    """
    check_level(confidence_level)
    spend, solved = check_spending(spend, solved, cap, least)
    units = units_of_spending(np.stack([spend, solved], 1), cluster, weights)
    if cap is not None: least, cap = float(least), float(cap)
    # Gaffke's test is made many times, the t test once: only there sorting pays.
    if cap is not None: units = merge_equal(units)
    paid, won = units.mean()
    if not won > 0:
        raise ValueError("spend per solved needs a solved question, got none of "
                         f"{len(solved)}; report the spend by itself")
    tail = (1 - confidence_level) / 2
    if cap is None: ends, name = fieller_limits(units, tail), "Fieller t (approximate)"
    else: ends, name = ratio_limits(units, (least, cap), tail), name_ratio(units)
    interval = Interval(
        ends[0], ends[1], confidence_level, method=Method(name), unit="score")
    return CostPerSolved(float(paid / won), interval, float(paid), float(won), len(solved))


def check_spending(
    spend: ArrayLike,  # Spend of each question, shape `(Q,)` or at each budget `(Q, K)`
    solved: ArrayLike,  # Chance of being solved, same shape
    cap: float | None = None,  # Largest spend possible
    least: float = 0.,  # Least spend possible
) -> tuple[np.ndarray, np.ndarray]:  # Both as floats
    "Spend and chance of every question, or the first that breaks a rule."
    spend, solved = real_numbers("spend", spend), real_numbers("solved", solved)
    if spend.shape != solved.shape or spend.ndim not in (1, 2) or not spend.size:
        raise ValueError("spend and solved must have one number per question, got shapes "
                         f"{spend.shape} and {solved.shape}")
    bad = ~(np.isfinite(spend) & (spend >= 0))
    if bad.any():
        raise ValueError(f"need finite spend >= 0, got {spend[bad][0]}{where(bad)}")
    if (bad := ~((solved >= 0) & (solved <= 1))).any():
        raise ValueError(f"need 0 <= solved <= 1, got {solved[bad][0]}{where(bad)}")
    if cap is None: return spend, solved
    least, cap = real_number("least", least), real_number("cap", cap)
    if not 0 <= least < cap < np.inf:
        raise ValueError(f"need 0 <= least < cap, got least={least:g}, cap={cap:g}")
    slack = 1e-9 * cap
    if (bad := (spend > cap + slack) | (spend < least - slack)).any():
        raise ValueError(f"need {least:g} <= spend <= cap={cap:g}, got {spend[bad][0]}{where(bad)}")
    return np.clip(spend, least, cap), solved


def where(bad):
    "The first question that breaks a rule at any budget."
    return faults(bad if bad.ndim == 1 else bad.any(1))


def units_of_spending(values, cluster=None, weights=None):
    "Sampling units of values whose range is not known."
    if weights is not None: return weigh_units(values, weights, bounds=None)
    return units_of(values, bounds=None, cluster=cluster)


def name_ratio(units):
    "Gaffke's interval of a ratio, and what bounds a unit where nothing is known to."
    name = "gaffke, inverted" + f" over {units.count} clusters" * units.clustered
    if units.assumed is not None:
        return f"{name} (approximate: assumes no larger weight than {units.assumed:g})"
    if units.clustered and np.ptp(units.size):
        return f"{name} (approximate: assumes no cluster larger than {units.top:g})"
    return name


def merge_equal(units):
    "The same units where equal ones stand once."
    rows, times = np.unique(np.c_[units.total, units.size], axis=0, return_counts=True)
    if len(rows) == len(units.times): return units
    return replace(units, total=rows[:, :2], size=rows[:, 2], times=times)


def ratio_limits(units, bounds, tail):
    "Ratios that Gaffke's test of `spend - theta solved` does not refute, on either side."
    paid, won = units.mean()
    ratio = float(paid / won)
    scale, middle = ratio or bounds[1], float(normal_quantile(tail))

    def excess(theta):
        chance = np.clip(ratio_chances(units, bounds, theta), 1e-300, 1 - 1e-16)
        return SIDES * (normal_quantile(chance) - middle)

    start = np.array(fieller_limits(units, tail))
    start = np.where(np.isfinite(start) & (start > 0), start, scale * np.array([.5, 2]))
    low, high = np.array([0., ratio]), np.array([ratio, max(start[1], ratio + scale)])
    while high[1] < FAR * scale and excess(high)[1] > 0: high[1] *= 2
    ends = find_roots(excess, low, high, start, np.abs(start - ratio) / 2 + 1e-9 * scale)
    far = high[1] >= FAR * scale
    return min(float(ends[0]), ratio), np.inf if far else max(float(ends[1]), ratio)


# Of the tests of a ratio: too small, whose chance rises in it, and too large, whose chance falls.
SIDES = np.array([-1., 1.])


def ratio_chances(units, bounds, theta):
    "Chances of Gaffke's tests that the first ratio is too small, and the second too large."
    least, cap = bounds
    paid, won = units.total.T
    rest = SIDES[:, None] * (paid - theta[:, None] * won)
    # The test adds the largest unit at the far end of the range that the values have then.
    ends = units.top * np.array([theta[0] - least, cap])
    if rest.shape[1] <= MOST_UNTHINNED: return tail_chance(np.c_[rest, ends], np.r_[units.times, 1])
    ranges = (least - theta[0], cap), (least - theta[1], cap)
    return np.array([gaffke_chances(replace(units, total=(side * row)[:, None], bounds=range))[i]
                     for i, (side, row, range) in enumerate(zip(SIDES, rest, ranges))])


def fieller_limits(units, tail):
    "Ratios that a t test of `spend - theta solved` does not refute; the upper may be infinite."
    if units.count < 2: return 0., np.inf
    # Of totals of units: whatever their size, the mean of `spend - theta solved` is 0.
    paid, won = np.average(units.total, axis=0, weights=units.times)
    spread = np.cov(units.total.T, fweights=units.times) / units.count
    spread *= t_quantile(tail, max(units.df(), 1e-9))**2
    square = won**2 - spread[1, 1]
    cross, rest = paid * won - spread[0, 1], paid**2 - spread[0, 0]
    root = np.sqrt(max(cross**2 - square * rest, 0))
    # The smaller root in the form that subtracts nothing.
    low = max(float(rest / (cross + root)), 0.) if cross + root > 0 else 0.
    return low, float((cross + root) / square) if square > 0 else np.inf


@dataclass(frozen=True, eq=False)
class BestBudget:
    "The budget with the largest mean net value, and those that may be the best."
    k: int  # Budget with the largest mean
    value: float  # What a solved question was taken to be worth
    net: np.ndarray  # Mean net value at each budget, shape `(K,)`
    band: Band  # Simultaneous band of the net values
    budgets: np.ndarray  # The budgets, shape `(K,)`
    possible: tuple[int, ...]  # Budgets that are not significantly worse than the best
    confidence_level: float  # Chance that the best budget is among the possible ones
    method: str  # How budgets were ruled out

    def __repr__(self):
        few, many = min(self.possible), max(self.possible)
        span = f"k = {few}" if few == many else f"k = {few} to {many}"
        return (f"BestBudget(k = {self.k} at {self.value:g} per solved question, "
                f"possible: {span} ({100*self.confidence_level:.12g} %, {self.method}))")


def best_budget(
    spend: ArrayLike,  # Spend of each question at each budget, shape `(Q, K)`
    solved: ArrayLike,  # Chance of being solved, same shape
    k: ArrayLike,  # The budgets, shape `(K,)`, rising
    value: float,  # What a solved question is worth, in the unit of the spend
    *,
    cap: float | None = None,  # Most that one try can cost; None if nothing bounds it
    confidence_level: float = .95,  # Chance that the best budget is among the possible ones
) -> BestBudget:  # Best budget, net values with their band, budgets that may be best
    """The budget with the largest mean of `value * solved - spend`, and its rivals.

    Value: a budget is ruled out where the leader is better than it by a one-sided test whose
    level is shared among all budgets, so that looking for the leader costs nothing; with
    `cap` by Gaffke's test, else by t, an approximation.

    Raises: `ValueError` unless `value` is positive and finite.
    """
    check_level(confidence_level)
    spend, solved = check_spending(spend, solved)
    k = np.asarray(k)
    if spend.ndim != 2 or k.shape != spend.shape[1:] or (np.diff(k) <= 0).any():
        raise ValueError("spend and solved need a column for each budget, budgets rising; "
                         f"got shape {spend.shape} and {k.size} budgets")
    if not 0 < value < np.inf: raise ValueError(f"need a finite value > 0, got {value}")
    check_cap(spend, k, cap)
    net = value * solved - spend
    mean = net.mean(0)
    # Of equal means the fewest tries.
    best = int(np.argmax(mean >= mean.max() - 1e-12 * abs(mean.max())))
    tail = (1 - confidence_level) / max(len(k) - 1, 1)
    kept = [i for i in range(len(k)) if i == best or not is_worse(
        net[:, best] - net[:, i], tail, gain_range(k[best] - k[i], value, cap))]
    bounds = None if cap is None else (-float(cap * k[-1]), float(value))
    name = "gaffke" if cap is not None else "t (approximate)"
    band = spending_band(net, bounds, confidence_level)
    return BestBudget(int(k[best]), float(value), mean, band, k,
                      tuple(k[kept].tolist()), confidence_level,
                      f"{name}, Bonferroni over {max(len(k) - 1, 1)} rivals")


def check_cap(spend, k, cap):
    "Refuse a cap that a spend passes."
    if cap is None: return
    if not 0 < cap < np.inf: raise ValueError(f"need a finite cap > 0, got {cap}")
    if (bad := spend > cap * k * (1 + 1e-9)).any():
        raise ValueError(f"need spend <= k * cap, got {spend[bad][0]} with cap={cap}{where(bad)}")


def spending_band(net, bounds, confidence_level):
    "A band over the budgets; where no spread is seen at one of them, the exact one or none."
    units = units_of(net, bounds=bounds)
    if bounds is not None: return band_of(units, confidence_level)
    flat = units.variance() == 0
    if flat.any():
        end = np.full(len(flat), np.inf)
        return Band(units.mean(), -end, end, np.zeros(len(flat)), None, confidence_level,
                    len(net), "none: no spread")
    return band_of(units, confidence_level)


def gain_range(more, value, cap):
    "The range of the gain of a budget over one that has `more` tries fewer."
    if cap is None: return None
    spent = float(cap * abs(more))
    return (-spent, float(value)) if more > 0 else (-float(value), spent)


def is_worse(gain, tail, bounds):
    "Whether the mean gain over a budget is above 0 by a one-sided test."
    if bounds is not None: return gaffke_chances(units_of(gain, bounds=bounds))[0] < tail
    spread = gain.std(ddof=1) / len(gain)**.5 if len(gain) > 1 else np.inf
    return bool(gain.mean() > t_quantile(min(tail, .5), max(len(gain) - 1, 1)) * spread)


@dataclass(frozen=True)
class EqualSpend:
    "Two systems where both have spent the same: coverage of each, and the difference."
    spend: float  # What both spend on a question, on average
    a: float  # Share that A solves for it
    b: float  # Share that B solves for it
    difference: float  # B minus A
    interval: Interval  # Of the difference, for new questions
    k_a: float  # Budget of A: between two whole ones, some questions get one try more
    k_b: float  # Budget of B
    questions: int  # Number of questions

    def __repr__(self):
        return (f"EqualSpend(at {self.spend:.4g}: {self.b:.4f} - {self.a:.4f} = "
                f"{self.difference:+.4f}, {self.interval}, k = {self.k_a:.3g} and {self.k_b:.3g})")


def at_equal_spend(
    spend_a: ArrayLike,  # Spend of A on each question at `k = 1, 2, ...`, shape `(Q, K)`
    solved_a: ArrayLike,  # Its chance of solving it, same shape
    spend_b: ArrayLike,  # Spend of B on the same questions, shape `(Q, L)`
    solved_b: ArrayLike,  # Its chance of solving them, same shape
    *,
    spend: float | None = None,  # Mean spend; 80 % of the most that both can spend if None
    cluster: Sequence | None = None,  # Group of each question, shape `(Q,)`
    weights: Weights | None = None,  # Weight of each question, from `check_weights`
    confidence_level: float = .95,  # Share of such intervals that should hold the truth
) -> EqualSpend:  # The difference in coverage with a t interval
    """Coverage of two systems at one mean spend, B minus A, paired by question.

    Value: between two budgets a share of the questions, chosen at random, gets one try more.
    The interval is a jackknife's, of the difference at the spend that is returned: all is
    computed anew without each question, or group, in turn; an approximation.

    Raises: `ValueError` where one of the two cannot spend as much.
    """
    check_level(confidence_level)
    a, b = check_spending(spend_a, solved_a), check_spending(spend_b, solved_b)
    if a[0].ndim != 2 or b[0].ndim != 2 or len(a[0]) != len(b[0]):
        raise ValueError("both need a row for each question and a column for each budget, got "
                         f"shapes {a[0].shape} and {b[0].shape}")
    tables = *a, *b
    units = units_of_spending(np.hstack(tables), cluster, weights)
    cuts = np.cumsum([table.shape[1] for table in tables])[:-1]
    paid_a, won_a, paid_b, won_b = np.split(units.mean()[None], cuts, 1)
    most = float(min(paid_a[0, -1], paid_b[0, -1]))
    target = SPENT * most if spend is None else float(spend)
    if not most > 0: raise ValueError("equal spend needs costs above 0, got a system without any")
    if not 0 < target <= most * (1 + 1e-12):
        raise OptionError("spend", must=f"be above 0 and at most {most:.6g}, what both spend at "
                          "their largest budget", got=target)
    (k_a, p_a), (k_b, p_b) = (
        spend_to(paid, won, target) for paid, won in ((paid_a, won_a), (paid_b, won_b)))
    middle = float(p_b[0] - p_a[0])
    half, name = reach_jackknife(units, cuts, target, (1 - confidence_level) / 2)
    low, high = max(middle - half, -1.), min(middle + half, 1.)
    interval = Interval(low, high, confidence_level, method=Method(name))
    return EqualSpend(target, float(p_a[0]), float(p_b[0]), middle, interval, float(k_a[0]),
                      float(k_b[0]), len(a[0]))


# Of the most that both can spend: at the last try few questions are left, and which of two equal
# systems has spent less by then is luck. An interval that let the spend vary with it erred twice
# as often as promised; this one is often far too wide there.
SPENT = .8


def reach_jackknife(units, cuts, target, tail):
    "How far the interval of a difference reaches, and its name; infinitely without a spread."
    none = np.inf, "none: no spread"
    if units.count < 2: return none
    rest = (units.times @ units.total - units.total) / (units.questions - units.size)[:, None]
    paid_a, won_a, paid_b, won_b = np.split(rest, cuts, 1)
    gap = spend_to(paid_b, won_b, target)[1] - spend_to(paid_a, won_a, target)[1]
    spread = np.average((gap - np.average(gap, weights=units.times))**2, weights=units.times)
    error = float((units.count - 1) * spread)**.5
    if error <= 1e-12: return none
    return t_quantile(tail, max(units.df(), 1e-9)) * error, "t, jackknife (approximate)"


def spend_to(paid, won, target):
    "Budget and coverage at a mean spend, of each row of mean curves; past its end a line goes on."
    paid, won = (np.c_[np.zeros(len(rows)), rows] for rows in (paid, won))
    at = np.clip((paid < target * (1 - 1e-12)).sum(1), 1, paid.shape[1] - 1)
    def step(table): return np.take_along_axis(table, np.c_[at - 1, at], 1)
    (low, high), (few, many) = step(paid).T, step(won).T
    share = np.where(high > low, (target - low) / np.where(high > low, high - low, 1), 1)
    return at - 1 + share, few + share * (many - few)


def pareto_frontier(
    spend: ArrayLike,  # Mean spend of each point, shape `(N,)`
    solved: ArrayLike,  # Share that it solves, shape `(N,)`
) -> np.ndarray:  # Positions of the points on the frontier, by rising spend
    """The points that no other one beats: none solves more for as little.

    Value: of equal points the first.
    """
    spend, solved = real_numbers("spend", spend), real_numbers("solved", solved)
    order = np.lexsort((-solved, spend))
    best = np.maximum.accumulate(np.r_[-np.inf, solved[order]])[:-1]
    return order[solved[order] > best]
