"""Numerics of power: the chance that the interval of a design lies on the right side of zero.

`chance_of_verdict` finds it for two systems of a `Population`: exactly where questions are won,
lost or tied, else by simulated benchmarks. `make_plan` searches with it for the questions or the
difference of a design; `pass_power` and `questions_to_pass` ask the same of the rule of a gate.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from ..errors import OptionError, OptionTypeError
from ..spelling import name_option, option
from ..foundations.checks import make_generator, whole_number, whole_numbers
from ..foundations.credit import Credit
from ..foundations.urn import draws
from .random_means import saddle_point, tail_chance
from .intervals import ASSUMPTION_FREE, check_target
from .planning import (Components, check_positive, detectable_difference, detection_reach, power_of,
                       required_questions)
from .population import (
    LATTICE, Population, difference_distribution, thin_states, value_counts)
from .quantiles import check_level, normal_quantile, t_quantile
from .estimate import within_questions
from .t_evidence import LEAST_DIFFERENT, LEAST_QUESTIONS, effective_needed
from .unseen import add_unseen, add_unseen_sample, upper_of_moments

__all__ = ["PassRule", "pass_power", "questions_to_pass"]

MOST_QUESTIONS = 10**7  # Questions beyond which no benchmark goes


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
    s = saddle_point(z, times, np.zeros(len(z)))
    rest = 1 - s[:, None] * z
    pull = z / rest
    height = -np.einsum("rs,rs->r", times, np.log(rest)) - np.log(s)
    square = pull * pull
    second = np.einsum("rs,rs->r", times, square) + s**-2
    third = np.einsum("rs,rs,rs->r", times, square, pull) - s**-3
    fourth = np.einsum("rs,rs,rs->r", times, square, square) + s**-4
    bend = 6 / 8 * fourth / second**2 - 4 * 5 / 24 * third**2 / second**3
    return np.exp(height) * (1 + bend) / (2 * np.pi * second)**.5


def takes_t(
    values: np.ndarray,  # Values that a question's difference can take, shape `(S,)`
    counts: np.ndarray,  # How many questions have each, one row per benchmark, `(R, S)`
) -> np.ndarray:  # Shape `(R,)`
    "Whether the t interval decides each benchmark, by the rule of `deciding_methods`."
    questions = counts.sum(1)
    rest = values - (counts @ values / questions)[:, None]
    second, fourth = ((counts * rest**power).sum(1) for power in (2, 4))
    needed = effective_needed(questions)
    # Products in place of quotients: benchmarks without spread have none.
    effective = (second**2 >= needed * fourth) & (second > 1e-24 * questions)
    return (questions >= LEAST_QUESTIONS) & (counts @ (values != 0) >= LEAST_DIFFERENT) & effective


def lies_above(
    values: np.ndarray,  # Values that a question's difference can take, shape `(S,)`
    counts: np.ndarray,  # How many questions have each, one row per benchmark, `(R, S)`
    tail: float,  # One minus the level, halved
    limit: float = 0.,  # What the interval is held against
) -> tuple[np.ndarray, np.ndarray]:  # Shape `(R,)` each
    "Whether the interval that decides lies above the limit, and whether that is a t interval."
    by_t = takes_t(values, counts)
    found = np.zeros(len(counts), bool)
    if by_t.any(): found[by_t] = t_lies_above(values, counts[by_t], tail, limit)
    if not by_t.all():
        found[~by_t] = excludes_zero((values - limit) / (1 + limit), counts[~by_t], tail)
    return found, by_t


def t_lies_above(values, counts, tail, limit):
    "Whether the t interval lies above the limit, shape `(R,)`."
    questions = counts.sum(1)
    mean = counts @ values / questions
    square = (counts * (values - mean[:, None])**2).sum(1) / (questions - 1) / questions
    return mean - t_quantile(tail, questions[0] - 1) * square**.5 > limit


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
    credit: str | Credit | None = None,  # Its name, or a function to `h(0..k)`; None: no noise
    *,
    target: str = "new_questions",  # `"new_questions"` or `"same_questions"`
    confidence_level: float = .95,  # Level of the interval
) -> int:  # Least number of questions
    """Questions with which the clearest data possible just exclude zero.

    Value: for new questions the least `Q` with `2 * 2**-Q` below one minus the level;
    for the same questions where one system is always right and the other never.
    """
    check_level(confidence_level)
    n, k, target = whole_number("n", n), whole_number("k", k), check_target(target)
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
    rule: Rule = "deciding",  # Interval that decides, or one that always does
) -> tuple[float, float]:  # The chance and its simulation error, 0 where it is exact
    """Chance that the interval by which `compare` decides lies on the right side of zero.

    Raises: `ValueError` for a level outside (0, 1), an unknown target, no question, or
    a difference that no system can have.
    """
    check_level(confidence_level)
    target = check_target(target)
    if not questions >= 1: raise ValueError(f"need questions >= 1, got {questions}")
    if not np.isfinite(delta) or delta == 0:
        raise ValueError(f"need a difference other than 0, got {delta}")
    tail = (1 - confidence_level) / 2
    rng = make_generator(rng)
    least = smallest_verdict(n, population.k, population.credit, target=target,
                             confidence_level=confidence_level)
    if questions < least: return 0., 0.
    if target == "same_questions":
        found = power_again(population, n, delta, questions, tail, repeats, rng)
    else:
        values, law = difference_distribution(population, n, delta)
        values = values * np.sign(delta)
        ternary = np.isin(values, (-1, 0, 1)).all()
        if n == 1 or rule == "assumption-free" and ternary:
            shares = law[values == 1].sum(), law[values == -1].sum()
            return power_of_wins(*shares, questions, tail), 0.
        found = simulate(values, law, questions, tail, repeats, rng, rule)
    return found, simulation_error(found, repeats)


Rule = Literal["deciding", "sure", "assumption-free"]
OFTEN = .9  # Share of benchmarks in which t decides, from which a plan counts on it


def simulate(values, law, questions, tail, repeats, rng, rule="deciding", limit=0.):
    """Share of simulated benchmarks whose interval for new questions lies above a limit.

    Value: `sure` counts on t only where it decides in nine benchmarks of ten.
    """
    counts = rng.multinomial(questions, law, repeats)
    if rule != "assumption-free":
        found, by_t = lies_above(values, counts, tail, limit)
        if rule == "deciding" or by_t.mean() >= OFTEN: return float(found.mean())
    return float(excludes_zero((values - limit) / (1 + limit), counts, tail).mean())


def questions_for_t(
    values: np.ndarray,  # Values that a question's difference can take, shape `(S,)`
    law: np.ndarray,  # Chance of each
    repeats: int = 200,  # Benchmarks simulated for each number
) -> int | None:  # Least number of questions; None beyond `MOST_QUESTIONS`
    "Questions with which t decides in nine benchmarks of ten."
    def often(questions: int) -> bool:
        counts = np.random.default_rng(0).multinomial(questions, law, repeats)
        return bool(takes_t(values, counts).mean() >= OFTEN)
    if not often(MOST_QUESTIONS): return None
    return first_true(often)


def simulation_error(share, repeats):
    return (max(share * (1 - share), 1 / repeats) / repeats)**.5


class Tried(NamedTuple):
    "A size that a search has tried, a number of questions or a difference, and what it gave."
    size: float
    chance: float = 0.  # Chance of a verdict
    error: float = 0.  # Its simulation error


def search_questions(chance, start, least, power, reach):
    "Least number of questions whose chance of a verdict reaches the power."
    short, enough, q = Tried(least - 1), None, max(int(start), least)
    while True:
        found = Tried(q, *chance(q))
        if found.chance >= power: enough = found
        else: short = found
        if enough:
            # A step that the simulation cannot see is no step.
            if enough.size - short.size <= max(1, found.error * q): return enough
            if enough.chance - power < found.error / 3: return enough
        if enough and short.size >= least:
            q = cross(short.size**.5, enough.size**.5, short.chance, enough.chance, power)**2
        else: q = q * move_by(found.chance, power, reach)**2
        q = max(int(np.ceil(q)), short.size + 1)
        if enough: q = min(q, enough.size - 1)


def search_difference(chance, start, most, power, reach):
    "Least difference whose chance of a verdict reaches the power; NaN if none does."
    short, enough, d = Tried(0.), None, min(start, most)
    for _ in range(60):
        found = Tried(d, *chance(d))
        if found.chance >= power: enough = found
        else: short = found
        if short.size == most: return short._replace(size=np.nan)
        if enough:
            if enough.chance - power < max(found.error / 3, 1e-3): break
            if enough.size - short.size < max(1e-3, found.error / 2) * enough.size: break
        # A thousandth more ends rather above the power than below it.
        d = min(d * move_by(found.chance, power, reach) * 1.001, most)
        if enough and (short.size or d >= enough.size):
            d = cross(short.size, enough.size, short.chance, enough.chance, power)
    return enough._replace(size=float(enough.size))


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
    d = np.linspace(0, 1, 2001)
    mean = np.maximum(d - ndtri(power) * (variance / questions)**.5, -1)
    low = lower_again(mean, variance / questions, step / questions, tail, third)
    return d[(low > 0).argmax()] if (low > 0).any() else 1.


# How many questions, how many samples: a plan, and the searches that fill it.


GOALS = {
    (True, False, False): "To see a difference of {delta:g} with power {power:.0%}",
    (False, True, False):
        "Smallest difference that {questions} questions show with power {power:.0%}",
    (True, True, False):
        "To see a difference of {delta:g} in {questions} questions "
        "with power {power:.0%}",
    (False, False, True):
        "Smallest difference that a budget of {budget:g} shows with power {power:.0%}",
    (False, True, True):
        "Smallest difference that a budget of {budget:g} and the questions there are "
        "show with power {power:.0%}"}


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    "Questions, difference, power and cost for each number of samples per question."
    goal: str  # What was asked, in words
    samples: np.ndarray  # Samples per question and system, shape `(S,)`
    questions: np.ndarray  # Questions, shape `(S,)`
    delta: np.ndarray  # True difference, shape `(S,)`; NaN where none is ever found
    power: np.ndarray  # Chance to find it, shape `(S,)`
    cost: np.ndarray  # Cost of questions and samples, shape `(S,)`
    best: int | None  # Position of the recommended row; None if no row reaches the goal
    enough: int | None  # Fewest samples that leave a tenth of the variance to sampling
    components: Components  # Variances the plan rests on
    confidence_level: float  # Level of the interval that must exclude zero
    method: str  # `"interval"`, `"assumption-free"`, simulated or exact, `"normal"` or `"t"`
    target: str = "new_questions"  # `"new_questions"` or `"same_questions"`
    smallest: np.ndarray | None = None  # Fewest questions that can exclude zero, `(S,)`
    error: float = 0.  # Largest simulation error of the powers; 0 where all are exact
    population: Population | None = None  # What was simulated; None if variances were given
    seed: int = 0  # Seed of the simulation
    notes: tuple[str, ...] = ()  # What a reader should know of the estimates

    @property
    def rows(self):
        "One dict per number of samples; also the share of variance between questions."
        total = self.components.total
        share = max(self.components.between, 0.) / np.where(total > 0, total, np.nan)
        columns = self.samples, self.questions, self.delta, self.power, self.cost, share
        names = "samples", "questions", "delta", "power", "cost", "between_share"
        rows = [dict(zip(names, row)) for row in zip(*(c.tolist() for c in columns))]
        return [{name: None if np.isnan(value) else value for name, value in row.items()}
                for row in rows]

    def power_at(self,
        row: int,  # Position of the number of samples
        delta: float,  # True difference
        questions: int,  # Number of questions
        repeats: int = 1000,  # Benchmarks simulated
    ) -> float:  # Chance of a verdict
        "Power of another design with as many samples, such as for a figure."
        if self.method not in SIMULATED:
            variance = target_variance(self.components, self.target)[row]
            return float(power_of(delta, questions, variance, method=self.method,
                                  confidence_level=self.confidence_level))
        turned = choose_side(self.population, delta)
        return chance_of_verdict(
            self.population, int(self.samples[row]), turned * delta, int(questions),
            target=self.target, confidence_level=self.confidence_level,
            repeats=repeats, rng=self.seed, rule=SIMULATED[self.method])[0]

    def __repr__(self):
        names = "samples", "questions", "difference", "power", "cost", "between"
        head = "".join(f"{o:>{w}}" for o, w in zip(names, (10, 11, 12, 8, 12, 9)))
        rows = [write_row(row, i == self.best) for i, row in enumerate(self.rows)]
        return "\n".join([self.goal, head, *rows])


def write_row(row, best):
    delta = "-" if row["delta"] is None else f"{row['delta']:.4f}"
    cells = f"{row['samples']:>8}{row['questions']:>11}{delta:>12}{row['power']:>8.3f}"
    share = "-" if row["between_share"] is None else f"{row['between_share']:.0%}"
    cells += f"{row['cost']:>12,.6g}{share:>9}"
    return f"{'*' if best else ' '} {cells}"


def make_plan(
    population: Population | Components,  # From `population_of`, or variances alone
    *,
    delta: float | None = None,  # Difference to find
    questions: int | None = None,  # Questions there are; with `budget` the most there can be
    budget: float | None = None,  # Total cost allowed
    power: float = .8,  # Chance to find the difference
    confidence_level: float = .95,  # Level of the interval that must exclude zero
    cost_question: float = 0.,  # Cost of one question, whatever its samples
    cost_sample: float = 1.,  # Cost of one more sample of a question, of both systems
    method: str | None = None,  # None is what decides in `compare`; or as `Plan.method`
    target: str = "new_questions",  # `"new_questions"` or `"same_questions"`
    repeats: int = 3000,  # Benchmarks simulated for each power
    rng: int | np.random.Generator | None = None,  # Seed or generator; None is seed 0
) -> Plan:  # Table with a recommended row
    """Questions needed, smallest difference found, power, or best split of a budget.

    Value: variances alone allow no simulation; None is `"normal"` then.

    Raises: `ValueError` unless `delta`, `questions`, both, or `budget` with or without
    `questions` are given; for a difference that is not positive or that no system can
    have, a level or power out of range, or costs that are not positive.
    """
    wanted = check_wanted(delta=delta, questions=questions, budget=budget)
    detection_reach(power, confidence_level)
    target = check_target(target)
    known = isinstance(population, Population)
    method = name_method(method, known)
    parts = population.components if known else population
    price = check_prices(cost_question, cost_sample, parts.samples)
    if questions is not None: questions = check_questions(questions)
    if delta is not None:
        check_positive(delta=delta)
        # It refuses a difference that no system can have, whatever the method.
        if known: choose_side(population, delta)
    if budget is not None:
        parts, price, questions = keep_affordable(parts, price, budget, questions)
    seed, least = take_seed(rng), None
    sizes = questions if np.ndim(questions) else [questions] * len(parts.samples)
    if method in SIMULATED:
        fill = Simulated(population, parts, seed, repeats, power, confidence_level, target,
                         SIMULATED[method])
        samples = parts.samples.tolist()
        rows = [fill.row(i, n, delta, q) for i, (n, q) in enumerate(zip(samples, sizes))]
        least = np.array([fill.least(n) for n in samples])
    else:
        most = max(population.room()) if known else np.inf
        test = dict(power=power, confidence_level=confidence_level, method=method)
        rows = [approximate_row(variance, delta, q, most, **test)
                for variance, q in zip(target_variance(parts, target), sizes)]
    size, gap, reached, error = (np.array(column) for column in zip(*rows))
    cost = size * price
    best, enough = recommend(wanted, parts, target, cost, gap, reached >= power)
    given = dict(delta=delta, power=power, questions=size.max(), budget=budget)
    return Plan(GOALS[wanted].format(**given), parts.samples, size, gap, reached, cost, best,
                enough, parts, confidence_level, method, target, least, float(error.max()),
                population if known else None, seed, population.notes if known else ())


def check_wanted(**given):
    "Which of the three is given, as `GOALS` has it."
    wanted = tuple(value is not None for value in given.values())
    if wanted in GOALS: return wanted
    names = [name for name, value in given.items() if value is not None]
    delta, questions, budget = map(name_option, ("delta", "questions", "budget"))
    raise OptionError("delta", f"give {delta}, {questions}, both, or {budget} with or without "
                               f"{questions}", found=" and ".join(names) or "none of them")


def name_method(method, known):
    "The method asked for; None is the best that can be had."
    if method is None: return "interval" if known else "normal"
    if method not in (*SIMULATED, "normal", "t"):
        raise OptionError("method", choices=(None, ASSUMPTION_FREE, "t", "normal"), got=method)
    if method in SIMULATED and not known:
        raise OptionError("method", "variances alone cannot be simulated",
                          hint=f"use {option('method', 'normal', 't')}, or make a population "
                               "with population_of")
    return method


def take_seed(rng):
    "A seed of its own for every simulation of one plan."
    if isinstance(rng, np.random.Generator): return int(rng.integers(2**32))
    return int(rng) if isinstance(rng, (int, np.integer)) else 0


def check_prices(cost_question, cost_sample, samples):
    "Cost of a question with each number of samples, above 0."
    for name, cost in ("cost_question", cost_question), ("cost_sample", cost_sample):
        if not (isinstance(cost, (int, float, np.number)) and 0 <= cost < np.inf):
            raise OptionError(name, f"need {name_option(name)} >= 0", cost)
    # A whole number beyond 64 bits is none for numpy.
    each, drawn = (float(o) if o > 2**53 else o for o in (cost_question, cost_sample))
    price = each + drawn * samples
    if not (price > 0).all():
        raise ValueError("need a cost of questions or of samples, got 0")
    return price


def check_questions(questions):
    questions = whole_numbers("questions", questions)
    if questions.ndim:
        raise OptionTypeError("questions", must="be one number", got=questions.tolist())
    questions = int(questions)
    if questions < 2:
        raise OptionError("questions", f"need {name_option('questions')} >= 2", questions)
    return questions


def keep_affordable(components, price, budget, most):
    "Variances, prices and numbers of questions where two questions can be paid."
    check_positive(budget=budget)
    size = np.minimum(budget // price, np.inf if most is None else most)
    keep = size >= 2
    if not keep.any():
        raise OptionError("budget", "need a budget for two questions at least",
                          found=f"{budget:g} at {price.min():g} a question")
    within, samples = components.within[keep], components.samples[keep]
    kept = Components(components.between, within, samples, components.source)
    return kept, price[keep], size[keep].astype(np.int64)


# Methods of a plan that are simulated, and the rule by which they decide.
SIMULATED: dict[str, Rule] = {"interval": "deciding", ASSUMPTION_FREE: "assumption-free"}


@dataclass(frozen=True)
class Simulated:
    "Rows of a plan from the interval by which `compare` decides."
    population: Population  # Two systems on questions of one kind
    components: Components  # Variances of the difference, with the samples of the rows
    seed: int  # Seed of every simulation
    repeats: int  # Benchmarks simulated
    power: float  # Chance wanted
    confidence_level: float  # Level of the interval
    target: str  # `"new_questions"` or `"same_questions"`
    rule: Rule  # How it decides

    def chance(self, n, delta, questions, sure=False):
        "Chance of a verdict; what is searched for does not count on luck of the rule."
        rule = "sure" if sure and self.rule == "deciding" else self.rule
        return chance_of_verdict(
            self.population, n, delta, questions, target=self.target, rng=self.seed,
            confidence_level=self.confidence_level, repeats=self.repeats, rule=rule)

    def least(self, n):
        "Fewest questions with which zero can be excluded, with `n` samples."
        return smallest_verdict(n, self.population.k, self.population.credit, target=self.target,
                                confidence_level=self.confidence_level)

    @property
    def reach(self): return detection_reach(self.power, self.confidence_level)

    def row(self, i, n, delta, questions):
        "Questions, difference, power and its error with `n` samples."
        if delta is None: return questions, *self.find_difference(i, n, questions)
        ahead = choose_side(self.population, delta) * delta
        if questions is not None:
            return questions, delta, *self.chance(n, ahead, questions)
        questions, power, error = self.find_questions(i, n, ahead)
        return questions, delta, power, error

    def find_questions(self, i, n, ahead):
        "The questions that show how far the second system is ahead."
        def chance(questions): return self.chance(n, ahead, questions, sure=True)
        start = self.guess(guess_questions, i, n, abs(ahead), ahead)
        return search_questions(chance, start, self.least(n), self.power, self.reach)

    def find_difference(self, i, n, questions):
        "The difference that the questions show: ahead if there is room, else behind."
        for side, room in zip((1, -1), self.population.room()):
            # At the very end no question is left to differ from the others.
            most = .98 * room
            if not most > 0: continue
            def chance(d): return self.chance(n, side * d, questions, sure=True)
            start = self.guess(guess_difference, i, n, questions, None)
            if start < most:
                start = self.guess(guess_difference, i, n, questions, side * start)
            found = search_difference(chance, start, most, self.power, self.reach)
            if not np.isnan(found[0]): break
        return found

    def guess(self, formula, i, n, given, delta):
        "Where a search starts, by a formula that needs no simulation."
        variance = target_variance(self.components, self.target)[i]
        new = self.target == "new_questions"
        if new and delta is not None:
            # A system close to either end varies less than the pilot did.
            values, law = difference_distribution(self.population, n, delta)
            variance = law @ (values - law @ values)**2
        step = 2. if new else min(1, self.population.k / n)
        tail, third = (1 - self.confidence_level) / 2, 0. if new else None
        return formula(given, variance, step, tail, self.power, third)


def approximate_row(variance, delta, questions, most, power, **test):
    "Questions, difference, power and its error, which is 0, as if differences were normal."
    if questions is None: questions = required_questions(delta, variance, power=power, **test)
    if delta is None: delta = detectable_difference(questions, variance, power=power, **test)
    reached = power_of(min(delta, most), questions, variance, **test)
    return questions, delta if delta <= most else np.nan, reached, 0.


def target_variance(components, target):
    "Variance of a question's difference as the target counts it."
    return components.within if target == "same_questions" else components.total


def choose_side(population, delta):
    "1 if the second system can lie so far above the first, -1 if only below it."
    up, down = population.room()
    if delta < up: return 1
    if delta < down: return -1
    raise ValueError(f"need delta < {max(up, down):.3g}, the farthest that a system "
                     f"can lie from the mean of the first, got {delta}; where "
                     "questions are nearly all solved or never, there is little room")


def recommend(wanted, parts, target, cost, gap, reached):
    "The recommended row, and the samples from which more of them save little."
    low = np.flatnonzero(9 * parts.within <= parts.between)
    enough = None
    if len(low) and target == "new_questions":
        enough = int(low[parts.samples[low].argmin()])
    order = np.where(np.isnan(gap), np.inf, gap)
    if wanted[0]: order = np.where(reached, cost, np.inf)
    best = int(order.argmin()) if np.isfinite(order).any() else None
    if wanted == (False, True, False) and enough is not None and best is not None:
        best = enough if np.isfinite(order[enough]) else best
    return best, None if enough is None else int(parts.samples[enough])


# Power of a gate: the chance that its own interval passes a rule, if the truth is what is
# assumed.


REPEATS = 3000  # Benchmarks simulated for each power


@dataclass(frozen=True)
class PassRule:
    "A rule about new questions, and what is true."
    limit: float  # Least value that the interval has to reach; of a drop minus the drop allowed
    truth: float  # True value; of a drop the true difference
    drop: bool  # Whether it is about the difference of two systems

    @property
    def gap(self) -> float:
        "How far the truth lies above the limit."
        return self.truth - self.limit


def pass_power(
    population: Population,  # Two systems on questions of one kind, of which one may be judged
    rule: PassRule,  # What the interval has to reach, and the truth
    n: int,  # Samples per question
    questions: int,  # Number of questions
    confidence_level: float = .95,  # Level of the two-sided interval
    rng: int = 0,  # Seed of the simulation
    method: str = "interval",  # As in `Plan.method`
) -> tuple[float, float]:  # The chance that the rule passes, and its simulation error
    """Chance that a gate passes a rule on new questions.

    Raises: `ValueError` for a level outside (0, 1), or a truth that no system can have.
    """
    check_level(confidence_level)
    values, law = spread_values(population, rule, n)
    tail = (1 - confidence_level) / 2
    return pass_share(values, law, rule, questions, tail, rng, name_rule(rule, n, method))


def questions_to_pass(
    population: Population,  # Two systems on questions of one kind, of which one may be judged
    rule: PassRule,  # What the interval has to reach, and the truth
    n: int,  # Samples per question
    power: float = .8,  # Chance to pass
    confidence_level: float = .95,  # Level of the two-sided interval
    rng: int = 0,  # Seed of the simulation
    method: str = "interval",  # As in `Plan.method`
) -> tuple[int, float, float] | None:  # Questions, power, its error; None beyond `MOST_QUESTIONS`
    """Fewest questions with which a gate passes a rule with that chance.

    Raises: `ValueError` for a truth at the limit or below, which no number of questions passes.
    """
    check_level(confidence_level)
    if not rule.gap > 0:
        raise ValueError(f"need a truth above the limit, got {rule.truth} and {rule.limit}")
    tail = (1 - confidence_level) / 2
    values, law = spread_values(population, rule, n)
    variance = float(law @ (values - law @ values)**2)
    reach = -normal_quantile(tail) + normal_quantile(power)
    start = max(2., variance * (reach / rule.gap)**2, -np.log(tail) * scale_of(rule) / rule.gap)
    if start > MOST_QUESTIONS: return None
    how = name_rule(rule, n, method, sure=True)
    def chance(q: int) -> tuple[float, float]:
        return pass_share(values, law, rule, q, tail, rng, how)
    found = search_questions(chance, start, 2, power, reach)
    return int(found.size), float(found.chance), float(found.error)


def name_rule(rule: PassRule, n: int, method: str, sure: bool = False) -> Rule:
    "How a gate decides: a minimum, and one sample of each question, without assumptions."
    if n == 1 or not rule.drop or method == ASSUMPTION_FREE: return "assumption-free"
    return "sure" if sure else "deciding"


def scale_of(rule: PassRule) -> float:
    "How far the least possible value lies below the limit."
    return 1 + rule.limit if rule.drop else rule.limit


def pass_share(
    values: np.ndarray, law: np.ndarray, rule: PassRule, questions: int, tail: float, rng: int,
    how: Rule,
) -> tuple[float, float]:
    "The share of simulated benchmarks that pass, and its error."
    # A limit at the least possible value passes whatever the data.
    if scale_of(rule) <= 0: return 1., 0.
    draws = np.random.default_rng(rng)
    if rule.drop:
        found = simulate(values, law, questions, tail, REPEATS, draws, how, rule.limit)
    else:
        moved = (values - rule.limit) / scale_of(rule)
        found = simulate(moved, law, questions, tail, REPEATS, draws, how)
    return found, simulation_error(found, REPEATS)


def spread_values(
    population: Population, rule: PassRule, n: int,
) -> tuple[np.ndarray, np.ndarray]:
    "What a question can give, and with which chances."
    if rule.drop: return difference_distribution(population, n, rule.truth)
    from scipy.special import expit
    x, _ = population.logits(LATTICE)
    shift = population.find_shift(x, rule.truth)
    if shift is None: raise ValueError(f"need a true value between 0 and 1, got {rule.truth}")
    x = x + shift
    law = draws(expit(x), expit(-x), n, step=0).mean(0)
    found: tuple[np.ndarray, np.ndarray] = thin_states(value_counts(population, n), law)
    return found
