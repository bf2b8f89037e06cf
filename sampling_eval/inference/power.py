"Power: the chance that the interval of a design lies on the right side of zero."
from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

import numpy as np

from ..records import dataclass
from .fixed_questions import add_unseen, add_unseen_sample, upper_of_moments
from .gaffke import find_saddle, tail_chance
from .intervals import check_target
from .population import Population, difference_distribution, value_counts
from .quantiles import check_level
from .within import within_questions


def excludes_zero(
    values: np.ndarray,  # Values that a question's difference can take, shape `(S,)`
    counts: np.ndarray,  # How many questions have each, one row per benchmark, `(R, S)`
    tail: float,  # One minus the level, halved
) -> np.ndarray:  # Whether Gaffke's interval lies above 0, shape `(R,)`
    "Whether the interval for new questions shows that the second system is better."
    chance = np.empty(len(counts))
    # Small blocks stay in the cache.
    block = max(1, 2**14 // len(values))
    for i in range(0, len(counts), block):
        times = np.c_[counts[i:i + block], np.ones(len(counts[i:i + block]))]
        z = np.broadcast_to(np.r_[-values, 1.], times.shape)
        some = approximate_tail(z, times)
        # As measured it is at most 7 % too small or 4 % too large: closer to the limit
        # the quadrature decides.
        near = (some > .92 * tail) & (some < 1.05 * tail)
        if near.any(): some[near] = tail_chance(z[near], times[near])
        chance[i:i + block] = some
    return chance < tail


def approximate_tail(z, times):
    "`tail_chance` of rows with largest value 1 by Laplace's method, second order."
    s = find_saddle(z, times, np.zeros(len(z)))
    rest = 1 - s[:, None] * z
    pull = z / rest
    height = -np.einsum("rs,rs->r", times, np.log(rest)) - np.log(s)
    square = pull * pull
    second = np.einsum("rs,rs->r", times, square) + s**-2
    third = np.einsum("rs,rs,rs->r", times, square, pull) - s**-3
    fourth = np.einsum("rs,rs,rs->r", times, square, square) + s**-4
    bend = 6 / 8 * fourth / second**2 - 4 * 5 / 24 * third**2 / second**3
    return np.exp(height) * (1 + bend) / (2 * np.pi * second)**.5


def power_of_wins(win, loss, questions, tail):
    "Chance of a verdict where questions are won, lost or tied: McNemar's test."
    from scipy.special import bdtr
    both = win + loss
    spread = 10 * (questions * both * (1 - both))**.5 + 10
    ends = questions * both + spread * np.array([-1, 1])
    first, last = np.clip(ends, 0, questions).astype(int)
    decided = np.arange(first, last + 1)
    chance = np.diff(bdtr(decided, questions, both), prepend=0.)
    most = most_losses(decided, tail)
    found = np.where(most >= 0, bdtr(np.maximum(most, 0), decided, loss / both), 0)
    return float(chance @ found)


def most_losses(decided, tail):
    "The most lost questions among the decided ones that still show a win; -1 for none."
    from scipy.special import bdtr, ndtri
    most = np.floor(decided / 2 + ndtri(tail) * np.sqrt(decided) / 2) + 2
    most = np.minimum(most, decided).astype(int)
    def many(): return (most >= 0) & (bdtr(np.maximum(most, 0), decided, .5) >= tail)
    while (less := many()).any(): most = most - less
    return most


def power_again(population, n, delta, questions, tail, repeats, rng):
    "Chance of a verdict on fixed questions, of which only the samples are drawn anew."
    from scipy.special import expit
    drawn = min(questions, 200)
    x, y = population.at(delta, drawn)
    turned, k = np.sign(delta), population.k
    # One question a row: equal chances in sequence are drawn three times faster.
    c_a, c_b = (rng.binomial(n, expit(o)[:, None], (drawn, repeats)) for o in (x, y))
    if n == 1:
        wins, losses = (c_b > c_a).sum(0), (c_b < c_a).sum(0)
        if turned < 0: wins, losses = losses, wins
        wins, losses = (grow_sum(o, questions / drawn).round().clip(0)
                        for o in (wins, losses))
        return float((losses <= most_losses((wins + losses).astype(int), tail)).mean())
    value, c = value_counts(population, n), np.arange(n + 1)
    noise = within_questions(np.full(n + 1, n), c, k, population.credit)
    moves = turned * (value[c_b] - value[c_a])
    gap, room = moves.sum(0), 1 + moves.max(0)
    spread = (noise.variance[c_a] + noise.variance[c_b]).sum(0)
    gap, spread = (grow_sum(o, questions / drawn) for o in (gap, spread))
    step = noise.step[0] / questions
    low = lower_again(gap / questions, spread / questions**2, step, tail, room=room)
    return float((low > 0).mean())


def grow_sum(total, factor):
    "Sums over more questions than drawn: the mean grows, the spread by the root."
    return total.mean() * factor + (total - total.mean()) * factor**.5


def lower_again(mean, variance, step, tail, third=None, room=None):
    "Lower limits of mean differences of fixed questions, as `Fixed.limits`."
    mean, variance = np.broadcast_arrays(mean, np.maximum(variance, 0.))
    # New questions come with a third moment: one unseen can lie anywhere below.
    if third is not None: law = add_unseen(-mean, variance, third, step, 1 + mean, 2.)
    else:
        room = 1 + mean if room is None else room
        law = add_unseen_sample(-mean, variance, step, 1., room, 1.)
    return np.minimum(-upper_of_moments(law, tail), mean)


def smallest_verdict(
    n: int,  # Samples per question and system
    k: int = 1,  # Samples kept per trial
    credit: Callable | None = None,  # Maps a budget to its credits `h(0..k)`; None: no noise
    *,
    target: str = "new_questions",  # `"new_questions"` or `"same_questions"`
    confidence_level: float = .95,  # Level of the interval
) -> int:  # Least number of questions
    """Questions with which the clearest data possible just exclude zero.

    Value: for new questions the least `Q` with `2 * 2**-Q` below one minus the level;
    for the same questions where one system is always right and the other never.
    """
    check_level(confidence_level)
    target = check_target(target)
    tail = (1 - confidence_level) / 2
    if target == "new_questions" or n == 1: return int(np.floor(-np.log2(tail))) + 1
    step, variance = min(1, k / n), 0.
    if credit is not None:
        # With fewer than 2k samples even samples that agree may not do so again.
        noise = within_questions(np.array([n, n]), np.array([0, n]), k, credit)
        variance = noise.variance.sum()
    return first_true(lambda q: lower_again(1., variance / q, step / q, tail) > 0)


def first_true(holds):
    "The first whole number from 1 on for which a growing condition holds."
    high = 1
    while not holds(high): high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def chance_of_verdict(
    population: Population,  # Two systems on questions of one kind
    n: int,  # Samples per question and system
    delta: float,  # True mean difference, second less first, not 0
    questions: int,  # Number of questions
    *,
    target: str = "new_questions",  # `"new_questions"` or `"same_questions"`
    confidence_level: float = .95,  # Level of the interval
    repeats: int = 4000,  # Benchmarks simulated where the chance is not computed exactly
    rng: int | np.random.Generator | None = None,  # Seed or generator; None is seed 0
) -> tuple[float, float]:  # The chance and its simulation error, 0 where it is exact
    """Chance that the interval which `compare` prints lies on the right side of zero.

    Raises: `ValueError` for a level outside (0, 1), an unknown target, no question, or
    a difference that no system can have.
    """
    check_level(confidence_level)
    target = check_target(target)
    if not questions >= 1: raise ValueError(f"need questions >= 1, got {questions}")
    if not np.isfinite(delta) or delta == 0:
        raise ValueError(f"need a difference other than 0, got {delta}")
    tail = (1 - confidence_level) / 2
    rng = np.random.default_rng(0 if rng is None else rng)
    least = smallest_verdict(n, population.k, population.credit, target=target,
                             confidence_level=confidence_level)
    if questions < least: return 0., 0.
    if target == "same_questions":
        found = power_again(population, n, delta, questions, tail, repeats, rng)
    else:
        values, law = difference_distribution(population, n, delta)
        values = values * np.sign(delta)
        if np.isin(values, (-1, 0, 1)).all():
            shares = law[values == 1].sum(), law[values == -1].sum()
            return power_of_wins(*shares, questions, tail), 0.
        counts = rng.multinomial(questions, law, repeats)
        found = float(excludes_zero(values, counts, tail).mean())
    return found, (max(found * (1 - found), 1 / repeats) / repeats)**.5


@dataclass(frozen=True)
class Trials:
    "The sizes that a search has tried: numbers of questions, or differences."
    power: float  # Chance of a verdict that is looked for
    tried: dict = field(default_factory=dict)  # Size to its chance, and the error of that

    def enough(self):
        "The least size that reaches the power; None if none does."
        reached = (size for size in self.tried if self.surplus(size) >= 0)
        return min(reached, default=None)

    def short(self, default, end=np.inf):
        "The largest size before `end` that falls short of the power."
        short = (size for size in self.tried if self.surplus(size) < 0 and size < end)
        return max(short, default=default)

    def surplus(self, size):
        "How far the chance of a size lies above the power."
        return self.tried[size][0] - self.power

    def chances(self, *sizes):
        "The chance of each size; 0 for one that was not tried."
        return [self.tried.get(size, (0.,))[0] for size in sizes]


def search_questions(chance, start, least, power, reach):
    "Least number of questions whose chance of a verdict reaches the power."
    trials, q = Trials(power), max(int(start), least)
    while True:
        found, error = trials.tried[q] = chance(q)
        enough = trials.enough()
        short = trials.short(least - 1, enough or np.inf)
        # A step that the simulation cannot see is no step.
        if enough and enough - short <= max(1, error * q): break
        if enough and trials.surplus(enough) < error / 3: break
        if enough and short in trials.tried:
            ends = trials.chances(short, enough)
            q = cross(short**.5, enough**.5, *ends, power)**2
        else: q = q * move_by(found, power, reach)**2
        q = max(int(np.ceil(q)), short + 1)
        if enough: q = min(q, enough - 1)
    return enough, *trials.tried[enough]


def search_difference(chance, start, most, power, reach):
    "Least difference whose chance of a verdict reaches the power; NaN if none does."
    trials, d = Trials(power), min(start, most)
    for _ in range(60):
        found, error = trials.tried[d] = chance(d)
        enough, short = trials.enough(), trials.short(0.)
        if short == most: return np.nan, *trials.tried[most]
        if enough and trials.surplus(enough) < max(error / 3, 1e-3): break
        if enough and enough - short < max(1e-3, error / 2) * enough: break
        # A thousandth more ends rather above the power than below it.
        d = min(d * move_by(found, power, reach) * 1.001, most)
        if enough and (short or d >= enough):
            d = cross(short, enough, *trials.chances(short, enough), power)
    return float(enough), *trials.tried[enough]


def move_by(found, power, reach):
    "Factor for the difference, or for the root of the number of questions."
    from scipy.special import ndtri
    # The normal quantile of the chance rises about in line with both.
    gain = (ndtri(power) - ndtri(np.clip(found, .001, .999))) / reach
    return 1 + np.clip(gain, -.5, 1)


def cross(low, high, short, enough, power):
    "Where the chance's normal quantile crosses the power's, between two places."
    from scipy.special import ndtri
    a, b, goal = ndtri(np.clip([short, enough, power], .001, .999))
    share = np.clip((goal - a) / max(b - a, 1e-9), .1, .9)
    return low + share * (high - low)


def guess_questions(delta, variance, step, tail, power, third=None):
    "Questions that show a difference with that chance, by the moments of the interval."
    from scipy.special import ndtri
    def shows(q):
        # The mean that is undercut with one minus the power.
        mean = max(delta - ndtri(power) * (variance / q)**.5, -1.)
        return lower_again(mean, variance / q, step / q, tail, third) > 0
    return first_true(shows)


def guess_difference(questions, variance, step, tail, power, third=None):
    "The difference that so many questions show with that chance, or 1 if none."
    from scipy.special import ndtri
    d = np.linspace(0, 1, 2001)[1:]
    mean = np.maximum(d - ndtri(power) * (variance / questions)**.5, -1)
    low = lower_again(mean, variance / questions, step / questions, tail, third)
    return d[(low > 0).argmax()] if (low > 0).any() else 1.
