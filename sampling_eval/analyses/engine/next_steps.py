"""What more data would do: give other numbers, decide a verdict, or halve an interval.

`score` says what another run of the same questions gives, and what halves its interval; `compare`
and `gate` what would decide the first verdict that is open. All ask `data_to_decide`, of a distance
that an interval still reaches over and of the samples behind it.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import numpy as np

from ...foundations.counts import Counts, distinct_states
from ...foundations.urn import draws, mean_credit, within_variance
from ...inference.deciding import enough_data, enough_noise
from ...inference.estimate import Estimate
from ...inference.intervals import USUAL, estimates_of, row_of
from ...inference.rerun import Kinds, facts_of
from ...inference.t_evidence import LEAST_QUESTIONS, evidence_by_budget
from ...inference.units import Strata, Units
from ...parameters import Target
from ...results.base import Style, Unit
from ...results.rows import WHOLE, interval_of, name_method
from ...results.verdict import Advice, judge_interval
from ..score.result import Reruns
from .choose import Chosen

if TYPE_CHECKING:
    from ...results.rows import Row
    from ...inference.comparison import Comparison, Tables
    from ...inference.ranking import Ranking
    from ..compare.result import Difference

Span = tuple[int, int]  # Fewest and most samples of a question

POWER = .8  # Chance with which what is advised decides
MOST_TIMES_THE_DATA = 1000.  # Multiple of the data up to which there is a promise
DOUBLES = 2.**np.arange(-1, 11)  # Multiples of the samples at which their noise is computed


@dataclass(frozen=True)
class Sampling:
    "The samples behind a mean, from which the noise of other numbers of samples follows."
    sides: tuple[tuple[np.ndarray, np.ndarray], ...]  # Samples and correct ones, of each system
    k: int  # Budget
    credit: Callable  # Maps a budget to its credits

    @cached_property
    def known(self) -> bool:
        "Whether there are samples for two trials of every question, which show the noise."
        return all(int(n.min()) >= 2 * self.k for n, _ in self.sides)

    @property
    def fewest(self) -> int: return min(int(n.min()) for n, _ in self.sides)

    def variance(self, samples: np.ndarray) -> np.ndarray:
        "Variance of the mean over new samples of these questions, so many of each."
        noise = [self._find_noise(n, c, samples).mean(0) / len(n) for n, c in self.sides]
        return np.add.reduce(noise)

    def now(self) -> float:
        "The same with the samples there are."
        return sum(float(self._find_own(n, c).mean()) / len(n) for n, c in self.sides)

    def _find_own(self, n: np.ndarray, c: np.ndarray) -> np.ndarray:
        noise = np.empty(len(n))
        # np.unique would import np.ma, a quarter of what numpy takes to import.
        for size in sorted(set(n.tolist())):
            own = n == size
            noise[own] = self._find_noise(n[own], c[own], np.array([size]))[:, 0]
        return noise

    def _find_noise(self, n: np.ndarray, c: np.ndarray, samples: np.ndarray) -> np.ndarray:
        "Unbiased variance of each question with so many samples, shape `(Q, S)`."
        if self.k > 1:
            # Not needed for pass@1, which most reports begin with.
            from ...inference.planning import within_at
            return within_at(n, c, self.k, self.credit, samples)
        wrong, right = map(float, self.credit(1))
        single = (right - wrong)**2 * c * (n - c) / (n * (n - 1.))
        return single[:, None] / samples

    @cached_property
    def doubt(self) -> float | None:
        "How much smaller the variance between these questions may be than estimated."
        return doubt_samples(self.sides, self.k, self.credit)

    def find_samples(self, goal: float) -> int | None:
        "Samples of each question with which so much variance is left; None where too many."
        samples = np.unique(np.maximum(self.fewest * DOUBLES, self.k).astype(int))
        variance = self.variance(samples)
        if not (variance[-1] < goal and variance.min() > 0): return None
        # Both logarithms are close to a straight line.
        x = np.interp(-np.log(goal), -np.log(variance), np.log(samples))
        return max(ceil(np.exp(x) - 1e-9), self.fewest + 1)


@dataclass(frozen=True)
class Gap:
    "A distance that an interval still reaches over, and the error behind it."
    distance: float  # From the value to what it is held against, or half a width wanted
    reach: float  # From the value to the end on that side, or half the width there is
    error: float  # Standard error of the mean; 0 where none is seen
    confidence_level: float
    power: float = .5

    def times(self) -> float | None:
        "Multiple of the data that would do; None where none up to a thousand does."
        factor = enough_data(self.distance, self.reach, self.error, self.confidence_level,
                             self.power)
        return factor if factor <= MOST_TIMES_THE_DATA else None

    def noise(self, between: float) -> float:
        "Variance of sampling with which as many questions would do; 0 where none is enough."
        return enough_noise(self.distance, self.reach, self.error, between,
                            self.confidence_level, self.power)


# `score`: half as wide an interval.

def advise_halving(
    rows: Sequence[Row],  # Rows of a report on one model
    counts: Counts,  # All its questions
    chosen: Chosen,  # Its first metric
    style: Style,  # How its intervals were computed
) -> Advice | None:  # None where there is no interval to halve
    "What halves the interval of the first row: questions or samples."
    wide = first_wide_row(rows)
    if wide is None: return None
    row, source, half = wide
    gap = Gap(half / 2, half, row.stderr or 0., style.confidence_level)
    target: Target = "new_questions" if isinstance(source.units, Units) else "same_questions"
    sampling = metric_sampling(chosen, counts)
    found = data_to_decide(gap, source, sampling, target)
    if found["questions"] is None and found["samples"] is None: return None
    found |= narrowing_shares(row, source, sampling, style)
    return Advice(row.metric, "halve", target, row.estimate, None, None,
                  has_questions=row.questions, has_samples=((row.n_min, row.n_max),),
                  unit=row.unit, **found)


def first_wide_row(rows: Sequence[Row]) -> tuple[Row, Estimate, float] | None:
    "The first row over all questions, what it is made of, and half its width; None if it has none."
    row = next((row for row in rows if row.group in WHOLE), None)
    if row is None or row.source is None or row.low is None or row.high is None: return None
    return None if row.high <= row.low else (row, row.source, (row.high - row.low) / 2)


def metric_sampling(chosen: Chosen, counts: Counts) -> Sampling | None:
    "The samples behind the first budget of a metric; None where its noise is unknown."
    if chosen.metric.credit is None or counts.c is None: return None
    return Sampling(((counts.n, counts.c),), int(chosen.ks[0]), chosen.metric.credit)


def narrowing_shares(
    row: Row,  # Row whose interval is meant
    source: Estimate,  # What it is made of
    sampling: Sampling | None,  # The samples behind it
    style: Style,  # How it was computed
) -> dict[str, float | None]:  # Empty where it is not known
    """Shares by which endless samples of each question would narrow an interval.

    The questions then lie closer to their mean, by the root of the share of the variance that is
    not noise; the interval is computed of these. So its width is known where the noise is.
    """
    units, method = source.units, name_method(row.interval)
    # A limit from the samples takes every question by itself.
    if not isinstance(units, Units) or units.clustered or units.weighted: return {}
    if sampling is None or not sampling.known or not row.stderr: return {}
    # Limits of outcomes say nothing of chances between them.
    if row_of(method).binary: return {}
    doubt, variance = sampling.doubt, row.stderr**2
    if doubt is None: return {}
    left = (variance - sampling.now() + np.array([doubt, 0, -doubt])) / variance
    mean = units.mean()
    near = replace(units, total=mean + units.rest() * np.clip(left, 0, 1)**.5)
    low, high = estimates_of(near).ends(style.confidence_level, method, style.rng)
    # Methods that rest on a spread have no ends without one: nothing is left of their width.
    kept = np.nan_to_num(high - low) / (row.high - row.low)  # type: ignore
    least, gain, most = (1 - kept).tolist()
    return dict(gain=max(gain, 0.), gain_at_least=max(floor(100 * least) / 100, 0.),
                gain_at_most=min((floor(100 * most) + 1) / 100, 1.))


# `compare`: the first verdict that is open.

def advise_comparison(
    rows: Sequence[Difference],  # Rows of a comparison
    style: Style,  # Target and level of the verdict
    samples: Sequence[Span],  # Fewest and most samples of a question of either side
) -> Advice | None:  # None where everything is decided
    "What would decide the first row whose verdict is open."
    target = style.target
    # Where nothing differs there is no size that the next comparison could be planned for.
    row = next((row for row in rows if row.difference
                and judge_interval(row.about(target)) == "inconclusive"), None)
    if row is None: return None
    estimate = row.known.estimate if target == "new_questions" else row.known.again
    return advise_verdict(row.metric, estimate, 0., style.confidence_level,
                          sampling_of(row.known.tables), target=target, difference=True,
                          unit=row.unit, has_samples=samples,
                          deciding=list_deciding(row.known, style.interval))


def list_deciding(
    comparison: Comparison,  # B against A
    asked: str | None,  # Interval method that was named
) -> Deciding:
    "What decides more data of the same kind."
    if asked is None: return (None,) if comparison.single else (USUAL, None)
    return (asked,) if row_of(asked).advises else (None,)


# `compare` of several: the leader, and the first that may equal it.

def advise_leader(
    rankings: Mapping[str, Ranking],  # All pairs by metric
    style: Style,  # Target and level of all pairs at once
    samples: Mapping[str, Span],  # Fewest and most samples of a question of each system
    unit: Unit,  # Of the metrics
) -> Advice | None:  # None where the leader differs significantly from all others
    "What would show that the leader is better than the next one, in the first inconclusive metric."
    for metric, ranking in rankings.items():
        behind = np.flatnonzero(~ranking.ahead[0])[1:]
        # Where nothing differs there is no size that the next comparison could be planned for.
        if not len(behind) or not ranking.pairs[0, behind[0]].difference: continue
        return advise_pair(metric, ranking, int(behind[0]), style, samples, unit)
    return None


def advise_pair(
    metric: str, ranking: Ranking, place: int, style: Style, samples: Mapping[str, Span],
    unit: Unit,
) -> Advice | None:
    "What would show that the leader is better than another one."
    compared, target = ranking.pairs[0, place], style.target
    estimate = compared.estimate if target == "new_questions" else compared.again
    # Holm's next step judges all pairs that are left at one level.
    left = int((ranking.p_adjusted > 1 - style.confidence_level).sum())
    level = 1 - (1 - style.confidence_level) / left
    method = style.interval or compared.deciding_method(target)
    found = interval_of(estimate, level, method, style.rng)
    if judge_interval(found) != "inconclusive": return None
    pair = str(ranking.systems[0]), str(ranking.systems[place])
    advice = advise_verdict(metric, estimate, 0., level, sampling_of(compared.tables),
                            target=target, difference=True, unit=unit,
                            has_samples=[samples[name] for name in pair],
                            deciding=list_deciding(compared, style.interval))
    return None if advice is None else replace(advice, pair=pair, confidence_level=level)


def advise_shares(
    advice: Advice | None,  # What would decide a comparison
) -> Advice | None:
    "The same of win shares: a prompt has one and no samples, and the same prompts have no advice."
    if advice is None or advice.target == "same_questions": return None
    return replace(advice, has_samples=())


def count_samples(
    *sides: Counts,  # Counts of each system
) -> tuple[Span, ...]:
    "Fewest and most samples of a question of each system."
    return tuple((side.n_min, side.n_max) for side in sides)


def sampling_of(
    tables: Tables | None,  # Counts of two systems, at one budget
) -> Sampling | None:  # None where the counts are not known
    "The samples behind a difference."
    if tables is None: return None
    sides = (tables.n_a, tables.c_a), (tables.n_b, tables.c_b)
    return Sampling(sides, int(np.max(tables.k)), tables.credit)


# Any verdict.

def advise_verdict(
    metric: str,  # Name with its budget
    estimate: Estimate,  # What was inconclusive
    limit: float,  # The number it reaches over
    confidence_level: float,  # Its level
    sampling: Sampling | None,  # The samples behind it
    *,
    target: Target,  # What the interval is about
    has_samples: Sequence[Span],  # Fewest and most samples of a question, per system
    difference: bool,  # Whether it is about a difference
    unit: Unit,  # Of the value
    deciding: Deciding = (None,),  # Which interval decides
) -> Advice | None:  # None where the interval has no ends
    "What would decide it, if the truth is what was measured."
    if isinstance(estimate.units, Strata): return None
    given = limit, confidence_level, sampling, target
    # The same questions have one interval, whatever decides on new ones.
    if target == "same_questions" and len(deciding) > 1: deciding = (None,)
    found = [data_by_interval(estimate, method, *given) for method in deciding]
    # Without a spread t has nothing to say.
    known = [one for one in found if one is not None]
    if not known: return None
    first, *others = known
    if len(found) > 1 and found[0] is not None:
        first = wait_for_t(first, estimate.units, others)
    without = others[0]["questions"] if others else None
    return Advice(metric, "decide", target, estimate.value, limit, POWER,
                  has_questions=estimate.questions, has_samples=tuple(has_samples),
                  unit=unit, difference=difference, **first,
                  questions_without=None if without == first["questions"] else without)


Deciding = tuple[str | None, ...]  # Methods of which one decides more data; None: the default


def data_by_interval(
    estimate: Estimate, method: str | None, limit: float, confidence_level: float,
    sampling: Sampling | None, target: Target,
) -> dict[str, Any] | None:
    "Data that would decide by one interval; None where it has no ends."
    found = interval_of(estimate, confidence_level, method)
    if found is None: return None
    value = estimate.value
    reach = value - found.low if value >= limit else found.high - value
    gap = Gap(abs(value - limit), reach, estimate.stderr or 0., confidence_level, POWER)
    return data_to_decide(gap, estimate, sampling, target)


def wait_for_t(
    by_t: dict[str, Any],  # Data that would decide by t
    units: Units,  # Differences
    others: list[dict[str, Any]],  # The same without assumptions
) -> dict[str, Any]:
    "The same with as many questions as let t decide, or as do without it."
    from ...inference.power import questions_for_t  # Not needed for most reports
    enough = questions_for_t(units.total[:, 0], units.times / units.count)
    known = [one["questions"] for one in others if one["questions"] is not None]
    if enough is not None and by_t["questions"] is not None:
        known.append(max(by_t["questions"], enough))
    found = by_t | dict(questions=min(known, default=None))
    if evidence_by_budget(units)[0].enough: return found
    # More samples of these questions need not let t decide them, and of fewer than 20 never do.
    strict = others[0] if others else {}
    return found | dict(samples=strict.get("samples"),
                        hopeless=strict.get("hopeless", False) and units.count < LEAST_QUESTIONS)


def data_to_decide(
    gap: Gap, estimate: Estimate, sampling: Sampling | None, target: Target,
) -> dict[str, Any]:
    "Questions, or samples of these, that would do, and whether no number of samples would."
    factor = gap.times()
    if target == "same_questions":
        return dict(questions=None, gain=None, samples=grow_samples(factor, sampling))
    units = estimate.units
    assert isinstance(units, Units)
    questions = None if factor is None else ceil(units.count * factor - 1e-9)
    found = dict(questions=questions, samples=None, gain=None,
                 clustered=units.clustered)
    if sampling is None or not sampling.known or not gap.error: return found
    return found | samples_to_decide(gap, units, sampling)


def samples_to_decide(gap: Gap, units: Units, sampling: Sampling) -> dict[str, Any]:
    "Samples that would do without new questions, and whether no number of them would."
    # What is left of the variance if every question had endless samples, without bias.
    left, wide = gap.error**2 - sampling.now(), doubt_variance(units)
    # A limit from the samples takes every question by itself.
    alone = not (units.clustered or units.weighted)
    doubt = sampling.doubt if alone else None
    least = max(left - (wide if doubt is None else doubt), 0.)
    sure = gap.noise(max(left, 0.) + wide)
    return dict(samples=sampling.find_samples(sure) if sure > 0 else None,
                hopeless=not gap.noise(least) > 0)


def doubt_variance(units: Units) -> float:
    "How much larger the variance of a mean may be than it is estimated: one chance in twenty."
    rest = units.rest()[:, 0]**2
    square = float(units.times @ rest / units.count)
    fourth = float(units.times @ rest**2 / units.count)
    # At least as uncertain as that of a normal distribution.
    excess = max(fourth / square**2, 3.) - 1
    return 1.645 * (excess / units.count)**.5 * float(units.variance()[0])


def grow_samples(factor: float | None, sampling: Sampling | None) -> int | None:
    "Samples of fixed questions that leave one part in `factor` of the variance there is."
    if factor is None or sampling is None: return None
    now = sampling.now() if sampling.known else 0.
    found = sampling.find_samples(now / factor) if now > 0 else None
    # Four times as many are four times as many, on every machine: rounding adds no sample.
    return found or ceil(sampling.fewest * factor * (1 - 1e-9))


# `score` and `table`: another run of the same questions.

def measure_reruns(
    counts: Counts,  # Counts of one system
) -> Reruns | None:  # None for graded scores, and where a question has one sample
    "What another run of the same questions would give."
    if counts.c is None or counts.n_min < 2: return None
    states = counts.states
    facts = facts_of(Kinds(states.n, states.c, states.times))
    found = Reruns(*(getattr(facts, one.name) for one in fields(Reruns)))
    if facts.shows_difference: return found
    return replace(found, least_difference_95=None, least_questions_exact=None)


def rerun_models(
    blocks: Sequence[Mapping[str, Counts]],  # Counts by model, of all questions or of each group
    weighted: bool,  # Whether questions have weights
) -> dict[str, Reruns | None]:  # By model; None where a question has one sample
    """Another run of each model, over all questions.

    Raises: `ValueError` for groups or weights, and where no model has two outcomes of each
    question.
    """
    if len(blocks) > 1 or weighted:
        what, option = ("weights", "weights") if weighted else ("groups", "by")
        raise ValueError(f"run_difference=True is for all questions together, got {what}; leave "
                         f"out {option}")
    found = {model: measure_reruns(counts) for model, counts in blocks[0].items()}
    if not any(found.values()):
        models = "1 model" if len(found) == 1 else f"{len(found)} models"
        raise ValueError("run_difference=True needs two outcomes of every question, got none with "
                         f"them among {models}")
    return found


# How much smaller the variance between questions may be than it is estimated: the samples of each
# question are drawn anew.

QUANTILE = 1.645  # Of the normal distribution: exceeded with a chance of one in twenty
UNSEEN = 2  # Outcomes not seen; with the quantile a question always right reaches 3.2 / n from 1
CELLS = 2**21  # Outcomes of single questions that are listed at most

Side = tuple[np.ndarray, np.ndarray]  # Samples and correct ones of each question


@dataclass(frozen=True)
class Redrawn:
    "What one system's samples say of each question, and would say if they were drawn anew."
    value: np.ndarray  # Mean credit, shape `(Q,)`
    noise: np.ndarray  # Its unbiased variance
    spread: np.ndarray  # Variance of the value, at a chance of (c + 1/2)/(n + 1)
    lean: np.ndarray  # Covariance of its deviation with that deviation squared less the noise
    rest: np.ndarray  # Variance of the squared deviation less the noise
    moves: Sequence[tuple[np.ndarray, np.ndarray]]  # Value and noise with one more right, or wrong


def doubt_samples(
    sides: Sequence[Side],  # One system, or the two of a difference
    k: int,  # Budget; `n >= 2k`
    credit: Callable,  # Maps a budget to the credits `h(0..k)`
) -> float | None:  # Variance of the mean; None where there are too many outcomes to list
    "How much smaller the variance between these questions may be than estimated."
    found = [redraw_single(n, c, credit) if k == 1 else redraw_listed(n, c, k, credit)
             for n, c in sides]
    known = [one for one in found if one is not None]
    if len(known) < len(found): return None
    count = len(known[0].value)
    signs = (1,) if len(known) == 1 else (-1, 1)
    value = known[0].value if len(known) == 1 else known[1].value - known[0].value
    apart = value - value.mean()
    variance, step = np.zeros(count), 0.
    for sign, one in zip(signs, known):
        variance += 4 * apart**2 * one.spread + 4 * sign * apart * one.lean + one.rest
        step = max(step, *(squared_distance_drop(sign * apart, one, *move) for move in one.moves))
    if len(known) == 2: variance += 4 * known[0].spread * known[1].spread
    reach = QUANTILE * float(variance.sum())**.5 + UNSEEN * step
    return reach / (count * max(count - 1, 1))


def squared_distance_drop(
    apart: np.ndarray, one: Redrawn, value: np.ndarray, noise: np.ndarray,
) -> float:
    "How far one other outcome lowers the square of the distance from the mean, less the noise."
    moved = apart + value - one.value
    return float((apart**2 - one.noise - moved**2 + noise).max())


def redraw_single(n: np.ndarray, c: np.ndarray, credit: Callable) -> Redrawn:
    "The moments of one system's questions in the mean of single samples, where all are known."
    wrong, right = map(float, credit(1))
    rise = right - wrong

    def read(c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return wrong + rise * c / n, rise**2 * c * (n - c) / (n * n * (n - 1.))

    chance = (c + .5) / (n + 1.)
    spread = rise**2 * chance * (1 - chance) / n
    moves = read(np.minimum(c + 1, n)), read(np.maximum(c - 1, 0))
    return Redrawn(*read(c), spread, np.zeros(len(n)), 2 * spread**2 * n / (n - 1.), moves)


def redraw_listed(n: np.ndarray, c: np.ndarray, k: int, credit: Callable) -> Redrawn | None:
    """The same for any budget, from a list of all outcomes of each question.

    Value: None where there are too many outcomes to list.
    """
    sizes, rights, state = distinct_states(n, c)
    kinds = sorted(set(sizes.tolist()))
    cells = sum((size + 1) * max(int((sizes == size).sum()), 2 * k) for size in kinds)
    if cells > CELLS: return None
    columns = np.empty((9, len(sizes)))
    for size in kinds:
        own = sizes == size
        columns[:, own] = redrawn_states(size, rights[own], k, credit)
    value, noise, spread, lean, rest, more, loud, less, quiet = columns[:, state]
    return Redrawn(value, noise, spread, lean, rest, ((more, loud), (less, quiet)))


def redrawn_states(n: int, c: np.ndarray, k: int, credit: Callable) -> np.ndarray:
    """Columns of `Redrawn` for states with so many samples, `n >= 2k`.

    Value: each pair of `moves` is taken apart.
    """
    counts, budget = np.arange(n + 1), np.array([k])
    value = mean_credit(counts, n - counts, budget, credit)[:, 0]
    noise = within_variance(np.full(n + 1, n), counts, budget, credit)[:, 0]
    chance = draws(c + .5, n - c + .5, n, step=0)
    apart = value - (chance @ value)[:, None]
    square = apart**2 - noise  # With a mean of 0, since the noise is unbiased
    moments = [(chance * one).sum(1) for one in (apart**2, apart * square, square**2)]
    more, less = np.minimum(c + 1, n), np.maximum(c - 1, 0)
    spread, lean, rest = moments
    return np.stack([value[c], noise[c], spread, lean, rest,
                     value[more], noise[more], value[less], noise[less]])
