"How many questions, how many samples: a plan, and the searches that fill it."
from __future__ import annotations


import numpy as np

from ..errors import OptionError, name_option, option
from ..foundations.checks import whole_numbers
from ..records import dataclass
from .intervals import check_target
from .planning import (
    Components, check_positive, detectable_difference, find_reach, power_of, required_questions)
from .population import Population, difference_distribution
from .power import (
    chance_of_verdict, guess_difference, guess_questions, search_difference, search_questions,
    smallest_verdict)


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
    method: str  # `"interval"`, simulated or exact, or `"normal"` or `"t"`
    target: str = "new_questions"  # `"new_questions"` or `"same_questions"`
    smallest: np.ndarray | None = None  # Fewest questions that can exclude zero, `(S,)`
    error: float = 0.  # Largest simulation error of the powers; 0 where all are exact
    population: Population | None = None  # What was simulated; None if variances were given
    seed: int = 0  # Seed of the simulation
    notes: tuple[str, ...] = ()  # What a reader should know of the estimates

    @property
    def rows(self):
        "One dict per number of samples; also the share of variance between questions."
        share = max(self.components.between, 0.) / self.components.total
        columns = self.samples, self.questions, self.delta, self.power, self.cost, share
        names = "samples", "questions", "delta", "power", "cost", "between_share"
        rows = [dict(zip(names, row)) for row in zip(*(c.tolist() for c in columns))]
        lost = dict(delta=None)
        return [row | lost if np.isnan(row["delta"]) else row for row in rows]

    def power_at(self,
        row: int,  # Position of the number of samples
        delta: float,  # True difference
        questions: int,  # Number of questions
        repeats: int = 1000,  # Benchmarks simulated
    ) -> float:  # Chance of a verdict
        "Power of another design with as many samples, such as for a figure."
        if self.method != "interval":
            variance = find_variance(self.components, self.target)[row]
            return float(power_of(delta, questions, variance, method=self.method,
                                  confidence_level=self.confidence_level))
        turned = choose_side(self.population, delta)
        return chance_of_verdict(
            self.population, int(self.samples[row]), turned * delta, int(questions),
            target=self.target, confidence_level=self.confidence_level,
            repeats=repeats, rng=self.seed)[0]

    def __repr__(self):
        names = "samples", "questions", "difference", "power", "cost", "between"
        head = "".join(f"{o:>{w}}" for o, w in zip(names, (10, 11, 12, 8, 12, 9)))
        rows = [write_row(row, i == self.best) for i, row in enumerate(self.rows)]
        return "\n".join([self.goal, head, *rows])


def write_row(row, best):
    delta = "-" if row["delta"] is None else f"{row['delta']:.4f}"
    cells = f"{row['samples']:>8}{row['questions']:>11}{delta:>12}{row['power']:>8.3f}"
    cells += f"{row['cost']:>12,.6g}{row['between_share']:>9.0%}"
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
    method: str | None = None,  # None is what `compare` prints; `"normal"`, `"t"` approximate
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
    find_reach(power, confidence_level)
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
    seed = take_seed(rng)
    test = dict(power=power, confidence_level=confidence_level, target=target)
    if method == "interval": fill = Simulated(population, parts, seed, repeats, **test)
    else:
        most = max(population.room()) if known else np.inf
        fill = Approximate(parts, method, **test, most=most)
    size, gap, reached, error = fill_rows(fill, delta, questions)
    cost = size * price
    best, enough = recommend(wanted, parts, target, cost, gap, reached >= power)
    given = dict(delta=delta, power=power, questions=size.max(), budget=budget)
    return Plan(GOALS[wanted].format(**given), parts.samples, size, gap, reached,
                cost, best, enough, parts, confidence_level, method, target,
                fill.least(), float(error.max()), population if known else None, seed,
                population.notes if known else ())


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
    if method not in ("interval", "normal", "t"):
        raise OptionError("method", choices=(None, "normal", "t"), got=method)
    if method == "interval" and not known:
        raise OptionError("method", "variances alone cannot be simulated",
                          hint=f"use {option('method', 'normal', 't')}, or make a population "
                               "with population_of")
    return method


def take_seed(rng):
    "A seed of its own for every simulation of one plan."
    if isinstance(rng, np.random.Generator): return int(rng.integers(2**32))
    return int(rng) if isinstance(rng, (int, np.integer)) else 0


def fill_rows(fill, delta, questions):
    "Questions, difference, power and its error at each number of samples, `(S,)` each."
    samples = fill.components.samples.tolist()
    each = questions if np.ndim(questions) else [questions] * len(samples)
    rows = [fill.row(i, n, delta, q) for i, (n, q) in enumerate(zip(samples, each))]
    return [np.array(column) for column in zip(*rows)]


def check_prices(cost_question, cost_sample, samples):
    "Cost of a question with each number of samples, above 0."
    for name, cost in ("cost_question", cost_question), ("cost_sample", cost_sample):
        if not (np.isfinite(cost) and cost >= 0):
            raise OptionError(name, f"need {name_option(name)} >= 0", cost)
    price = cost_question + cost_sample * samples
    if not (price > 0).all():
        raise ValueError("need a cost of questions or of samples, got 0")
    return price


def check_questions(questions):
    questions = int(whole_numbers("questions", questions))
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


@dataclass(frozen=True)
class Simulated:
    "Rows of a plan from the interval that `compare` prints."
    population: Population  # Two systems on questions of one kind
    components: Components  # Variances of the difference, with the samples of the rows
    seed: int  # Seed of every simulation
    repeats: int  # Benchmarks simulated
    power: float  # Chance wanted
    confidence_level: float  # Level of the interval
    target: str  # `"new_questions"` or `"same_questions"`

    def chance(self, n, delta, questions):
        return chance_of_verdict(
            self.population, n, delta, questions, target=self.target, rng=self.seed,
            confidence_level=self.confidence_level, repeats=self.repeats)

    def least(self):
        "Fewest questions with which zero can be excluded, at each number of samples."
        test = dict(target=self.target, confidence_level=self.confidence_level)
        metric = self.population.k, self.population.credit
        samples = self.components.samples
        found = [smallest_verdict(n, *metric, **test) for n in samples.tolist()]
        return np.array(found)

    @property
    def reach(self): return find_reach(self.power, self.confidence_level)

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
        def chance(questions): return self.chance(n, ahead, questions)
        start = self.guess(guess_questions, i, n, abs(ahead), ahead)
        least = int(self.least()[i])
        return search_questions(chance, start, least, self.power, self.reach)

    def find_difference(self, i, n, questions):
        "The difference that the questions show: ahead if there is room, else behind."
        for side, room in zip((1, -1), self.population.room()):
            # At the very end no question is left to differ from the others.
            most = .98 * room
            if not most > 0: continue
            def chance(d): return self.chance(n, side * d, questions)
            start = self.guess(guess_difference, i, n, questions, None)
            if start < most:
                start = self.guess(guess_difference, i, n, questions, side * start)
            found = search_difference(chance, start, most, self.power, self.reach)
            if not np.isnan(found[0]): break
        return found

    def guess(self, formula, i, n, given, delta):
        "Where a search starts, by a formula that needs no simulation."
        variance = find_variance(self.components, self.target)[i]
        new = self.target == "new_questions"
        if new and delta is not None:
            # A system close to either end varies less than the pilot did.
            values, law = difference_distribution(self.population, n, delta)
            variance = law @ (values - law @ values)**2
        step = 2. if new else min(1, self.population.k / n)
        tail, third = (1 - self.confidence_level) / 2, 0. if new else None
        return formula(given, variance, step, tail, self.power, third)


@dataclass(frozen=True)
class Approximate:
    "Rows of a plan from variances, as if differences were normal."
    components: Components  # Variances of the difference
    method: str  # `"normal"` or `"t"`
    power: float  # Chance wanted
    confidence_level: float  # Level of the interval
    target: str  # `"new_questions"` or `"same_questions"`
    most: float = np.inf  # Largest difference that two systems can have

    def row(self, i, n, delta, questions):
        "Questions, difference, power and its error, which is 0."
        test = dict(confidence_level=self.confidence_level, method=self.method)
        variance = find_variance(self.components, self.target)[i]
        if questions is None:
            questions = required_questions(delta, variance, power=self.power, **test)
        if delta is None:
            delta = detectable_difference(questions, variance, power=self.power, **test)
        reached = power_of(min(delta, self.most), questions, variance, **test)
        return questions, delta if delta <= self.most else np.nan, reached, 0.

    def least(self):
        "Without a simulation nothing is known of it."
        return None


def find_variance(components, target):
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
