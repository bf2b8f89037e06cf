"""How rarely do the error bars hold the truth, where an adversary chooses the law?

    python bench/worst_case.py [--quick] [--only KIND] [--out sampling_eval/examples/worst_case.csv]

Every cell fixes a design (number of questions, samples, metric, groups) and a level; a search over
laws then looks for the one under which the interval misses the truth most often. Where the outcomes
can be listed the chance to miss is a finite sum without simulation error; elsewhere the worst law
found is simulated once more, with fresh draws, so that the search has not picked its own luck.

One line a cell: kind, method, level, questions, design, misses (their share divided by 1 - level;
for gates by half of it), error (its standard error; 0 if exact), law (the one that does it), width
(mean width divided by that of the plain t interval, under an ordinary law), aim (blank if none).

A finite sum drops outcomes of less than 1e-12; the quadrature of the package is accurate to 1e-9.
"""
import argparse
import csv
import sys
import time
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.special import (bdtr, bdtrc, betainc, betaincc, betaincinv, gammainc, gammaincc, gammaln,
                           ndtri, stdtrit, xlogy)

from sampling_eval.foundations.credit import (all_credit, any_credit, majority_credit,
                                              share_credit)
from sampling_eval.foundations.urn import draws, mean_credit
from sampling_eval.inference.bands import band_of
from sampling_eval.inference.intervals import clopper_pearson_limits, wilson_limits
from sampling_eval.inference.estimate import mean_over_questions, within_questions
from sampling_eval.inference.gaffke import gaffke_chances, tail_chance
from sampling_eval.inference.borrowing import borrowed_mean
from sampling_eval.inference.judges import Judge, judged_pass_at_k, judged_range
from sampling_eval.inference.rerun import (
    flip_chance, icc_limits, least_questions, question_limits, rerun_facts)
from sampling_eval.inference.significance import mcnemar, permutation, sign_flip
from sampling_eval.inference.spending import at_equal_spend
from sampling_eval.inference.units import join_groups, units_of
from sampling_eval.inference.unseen import (
    add_unseen, add_unseen_sample, reach_unseen, seen_mean, split_by_size, upper_of_moments)
from sampling_eval.metrics.cost import spend_at_k
from sampling_eval.metrics.passk import pass_at_k

LEVELS = np.array([.9, .95, .99, .999])
NOMINAL, TAILS = 1 - LEVELS, (1 - LEVELS) / 2
QUESTIONS = 1, 2, 3, 5, 8, 15, 30, 50, 100, 200, 500, 1000, 1319
FIELDS = "kind", "method", "level", "questions", "design", "misses", "error", "law", "width", "aim"
SLACK = 1e-9


class Misses(NamedTuple):
    """Chances that the interval is too low, and too high, at each level; their standard error."""
    low: np.ndarray
    high: np.ndarray
    error: np.ndarray

    @property
    def ratio(self): return (self.low + self.high) / NOMINAL


def sum_misses(chance, upper, lower, draws=0):
    """Misses, from the tails at which the limits of each outcome meet the truth."""
    low, high = (np.array([chance @ (p < tail * (1 - SLACK)) for tail in TAILS])
                 for p in (upper, lower))
    both = low + high
    return Misses(low, high, np.sqrt(both * (1 - both) / draws) if draws else np.zeros(len(TAILS)))


def line(kind, method, level, questions, design, misses, error=0., law="", width="", aim=""):
    """One line of the table; the share of misses in units of 1 - level."""
    width = "" if width == "" or not np.isfinite(width) else f"{width:.3g}"
    return dict(zip(FIELDS, (kind, method, f"{level:g}", questions, design, f"{misses:.4g}",
                             f"{error:.2g}", law, width, aim)))


# --- search -------------------------------------------------------------------------------------

def climb(height, start, steps, low, high, rounds):
    """Largest height found by moving one coordinate at a time, with shrinking steps."""
    best, top = np.array(start, float), height(start)
    steps = np.array(steps, float)
    for _ in range(rounds):
        moved = False
        for i, side in product(range(len(best)), (1, -1)):
            new = best.copy()
            new[i] = np.clip(new[i] + side * steps[i], low[i], high[i])
            if new[i] != best[i] and (seen := height(new)) > top:
                best, top, moved = new, seen, True
        if not moved: steps /= 3
    return best, top


def worst_laws(misses, starts, steps, low, high, rounds, best=3):
    """For each level the law with the most misses: the best starts, each improved by `climb`."""
    seen = [misses(x) for x in starts]
    for level in range(len(LEVELS)):
        order = np.argsort([-m.ratio[level] for m in seen])[:best]
        found = [climb(lambda x: misses(x).ratio[level], starts[i], steps, low, high, rounds)
                 for i in order]
        law = max(found, key=lambda pair: pair[1])[0]
        yield level, law, misses(law)


# --- single systems and pairs: laws with few atoms ---------------------------------------------

def two_atom_tail(a, b, w, u, v):
    """P(a gammas times -w, b gammas times u, one exponential times v: sum > 0), 0 < u <= v, w > 0.

    The exponential alone exceeds the rest with a chance that tilts the other gammas.
    """
    a, b, w, u, v = np.broadcast_arrays(*(np.asarray(o, float) for o in (a, b, w, u, v)))
    same, some = v - u <= 1e-9 * v, np.where(a > 0, a, 1)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        first = betainc(some, np.where(b + same > 0, b + same, 1), u / (u + w)) * (b + same > 0)
        far, near = w * v / (v + w), u * v / np.where(same, 1, v - u)
        rest = np.where(b > 0, betaincc(some, np.where(b > 0, b, 1), near / (near + far)), 1)
        power = -a * np.log1p(w / v) - b * np.log1p(-np.where(same, 0, u / v))
        tilted = np.where((rest > 0) & ~same, np.exp(np.minimum(power, 700) + np.log(rest)), 0)
    chance = np.where(a == 0, 1., first + tilted)
    # Where a huge factor meets a tiny one the quadrature of the package takes over.
    if (bad := (power > 300) & ~same & (a > 0)).any():
        z = np.stack([-w[bad], u[bad], v[bad]], 1)
        chance[bad] = tail_chance(z, np.stack([a[bad], b[bad], np.ones(bad.sum())], 1))
    return chance


def refuted_rates(questions, x, end, tail):
    """For every count of the upper atom the chance of it at which the upper limit is the mean."""
    j, (left, right) = np.arange(questions), x
    low, high = np.zeros(questions), np.ones(questions)
    for _ in range(46):
        p = (low + high) / 2
        w, u = p * (right - left), (1 - p) * (right - left)
        held = two_atom_tail(questions - j, j, w, u, end - left - w) > tail
        low, high = np.where(held, p, low), np.where(held, high, p)
    # With every question at the upper atom the limit is never below the mean.
    return np.r_[(low + high) / 2, 1.]


def gaffke_two(questions, x, tail, low=0., high=1.):
    """Chances to be too low and too high for two given atoms, at every chance where these jump.

    The interval is too low where at most some count is seen, too high where at least some count is.
    Both are finite sums; they are largest beside the chances at which one more count is refuted.
    """
    above = refuted_rates(questions, x, high, tail)
    below = 1 - refuted_rates(questions, -x[::-1], -low, tail)[::-1]
    p = np.r_[above[:-1] * (1 + SLACK), below[1:] * (1 - SLACK)]
    p = p[(p > 0) & (p < 1)]
    few = np.searchsorted(above, p) - 1
    many = np.searchsorted(below, p, side="right")
    too_low = np.where(few >= 0, bdtr(np.maximum(few, 0), questions, p), 0)
    too_high = np.where(many <= questions, bdtrc(np.minimum(many, questions) - 1., questions, p), 0)
    return p, too_low, np.where(many == 0, 1, too_high)


def most_missed(questions, x, tail, low, high, side="both"):
    """Largest chance to miss, and the chance of the upper atom where it is."""
    x = np.sort(x)
    if x[1] - x[0] < 1e-6 * (high - low): return 0., .5
    p, too_low, too_high = gaffke_two(questions, x, tail, low, high)
    missed = too_low + too_high if side == "both" else too_high
    # A gate asks for a drop: the mean difference is at most zero.
    if side == "drop": missed = np.where(x[0] + p * (x[1] - x[0]) <= 0, missed, 0)
    return (float(missed.max()), float(p[missed.argmax()])) if len(p) else (0., .5)


@lru_cache(maxsize=64)
def tables_of(questions, atoms):
    """All ways to spread the questions over the atoms, and the logarithm of their numbers."""
    rows = np.array(list(combinations_with_replacement(range(atoms), questions)))
    counts = np.stack([(rows == i).sum(1) for i in range(atoms)], 1)
    return counts, gammaln(questions + 1) - gammaln(counts + 1).sum(1)


def gaffke_many(questions, x, low=0., high=1.):
    """Exact misses for laws with several atoms: their log weights, then their places."""
    half = len(x) // 2
    weight = np.exp(x[:half] - x[:half].max())
    weight, atoms = weight / weight.sum(), np.asarray(x[half:])
    counts, ways = tables_of(questions, half)
    chance = np.exp(ways + xlogy(counts, weight).sum(1))
    kept = chance > 1e-12
    chance, counts, z = chance[kept], counts[kept], atoms - weight @ atoms
    mean, times = weight @ atoms, np.c_[counts, np.ones(kept.sum())]
    rows = [np.tile(np.r_[side * z, end], (len(counts), 1)) for side,
            end in ((1, high - mean), (-1, mean - low))]
    return sum_misses(chance, *(tail_chance(row, times) for row in rows))


def say_law(chances, atoms):
    return ", ".join(f"{p:.4g} at {x:.4g}" for p, x in zip(chances, atoms))


def worst_pair(missed, starts, low, high, rounds):
    """The two atoms with the most misses, from some starts."""
    found = [climb(missed, x, [.1, .1], [low, low], [high, high], rounds) for x in starts]
    return np.sort(max(found, key=lambda pair: pair[1])[0])


def search_two(questions, low, high, rng, quick, side="both"):
    """Worst two-atom laws for Gaffke's interval, level by level; the chance is solved for."""
    many = (2 if questions > 300 else 5) if quick else (6 if questions > 300 else 36)
    starts = [np.array([low, high]), *np.sort(rng.uniform(low, high, (many, 2)), 1)]
    starts += [np.array([low, x]) for x in rng.uniform(low, high, many // 3)]
    starts += [np.array([x, high]) for x in rng.uniform(low, high, many // 3)]
    for level, tail in enumerate(TAILS):
        def missed(x): return most_missed(questions, x, tail, low, high, side)[0]
        order = sorted(starts, key=missed)[::-1][:1 if quick or questions > 300 else 3]
        rounds = (1 if questions > 300 else 4) if quick else (3 if questions > 300 else 14)
        x = worst_pair(missed, order, low, high, rounds)
        share, p = most_missed(questions, x, tail, low, high, side)
        nominal = NOMINAL[level] if side == "both" else tail
        yield level, share / nominal, say_law((1 - p, p), x)


def search_many(questions, atoms, low, high, rng, quick):
    """Worst laws with three or four atoms, from random starts."""
    starts = [np.r_[rng.normal(0, 2, atoms), low, rng.uniform(low, high, atoms - 2), high]
              for _ in range(10 if quick else 60)]
    edges = np.r_[np.full(atoms, -12), np.full(atoms, low)], np.r_[np.full(atoms, 12),
                                                                   np.full(atoms, high)]
    steps = np.r_[np.full(atoms, .5), np.full(atoms, .15)]
    for level, x, misses in worst_laws(lambda x: gaffke_many(questions, x, low, high), starts,
                                       steps, *edges, 5 if quick else 12, 1 if quick else 2):
        p = np.exp(x[:atoms] - x[:atoms].max())
        yield level, misses.ratio[level], say_law(p / p.sum(), x[atoms:])


# --- other methods on 0/1 scores and two-atom laws ----------------------------------------------

def t_ends(questions, tail):
    j = np.arange(questions + 1) / questions
    if questions == 1: return j, j
    half = stdtrit(questions - 1, 1 - tail) * np.sqrt(j * (1 - j) / (questions - 1))
    return np.maximum(j - half, 0), np.minimum(j + half, 1)


def anchored_ends(questions, tail, left=0., right=1., low=0., high=1.):
    """The anchored t interval of every count of the upper of two atoms."""
    j = np.arange(questions + 1)
    length, total = questions + 2, (questions - j) * left + j * right + low + high
    mean = total / length
    squares = (questions - j) * (left - mean)**2 + j * (right - mean)**2
    squares += (low - mean)**2 + (high - mean)**2
    half = stdtrit(length - 1, 1 - tail) * np.sqrt(squares / (length - 1) / length)
    seen = ((questions - j) * left + j * right) / questions
    return np.minimum(np.clip(mean - half, low, high),
                      seen), np.maximum(np.clip(mean + half, low, high), seen)


def wilson_ends(questions, tail):
    return wilson_limits(np.arange(questions + 1), questions, tail)


def exact_ends(questions, tail):
    return clopper_pearson_limits(np.arange(questions + 1), questions, tail)


def flat_ends(questions, tail):
    """A flat prior on every question, one sample each: the moments of Beta(2, 1) and Beta(1, 2)."""
    j = np.arange(questions + 1)
    mean, half = (questions + j) / 3 / questions, -ndtri(tail) * np.sqrt(1 / 18 / questions)
    return np.clip(mean - half, 0, 1), np.clip(mean + half, 0, 1)


def bootstrap_ends(questions, tail, rng, resamples=2000):
    """Percentile bootstrap of every count."""
    share = np.arange(questions + 1) / questions
    drawn = np.sort(rng.binomial(questions, share, (resamples, questions + 1)), 0) / questions
    return tuple(np.quantile(drawn, q, axis=0) for q in (tail, 1 - tail))


def worst_rate(ends, questions):
    """The rate of right answers with the most misses: beside an end of some interval, or near 0."""
    places = np.unique(np.concatenate([*ends, np.geomspace(1e-6, .5, 60),
                                       1 - np.geomspace(1e-6, .5, 60)]))
    rates = np.concatenate([places - 1e-9, places, places + 1e-9])
    rates = rates[(rates > 5e-7) & (rates < 1 - 5e-7)]
    j, best = np.arange(questions + 1), (0., .5)
    ways = gammaln(questions + 1) - gammaln(j + 1) - gammaln(questions - j + 1)
    for part in np.array_split(rates, max(1, len(rates) * len(j) // 2_000_000)):
        p = part[:, None]
        chance = np.exp(ways + j * np.log(p) + (questions - j) * np.log1p(-p))
        missed = (chance * ((ends[0] > p + 1e-13) | (ends[1] < p - 1e-13))).sum(1)
        best = max(best, (float(missed.max()), float(part[missed.argmax()])))
    return best


def mean_width(ends, questions, rate=.7):
    """Mean width of the interval at a rate of right answers, the ends clipped to [0, 1]."""
    j = np.arange(questions + 1)
    chance = np.exp(gammaln(questions + 1) - gammaln(j + 1) - gammaln(questions - j + 1)
                    + j * np.log(rate) + (questions - j) * np.log1p(-rate))
    return chance @ (np.clip(ends[1], 0, 1) - np.clip(ends[0], 0, 1))


def others_on_rates(questions, rng):
    """Lines for the named methods on 0/1 scores."""
    ways = {"t": t_ends, "wilson": wilson_ends, "clopper-pearson": exact_ends,
            "flat prior": flat_ends,
            "bootstrap": lambda q, tail: bootstrap_ends(q, tail, rng)}
    for level, tail in zip(LEVELS, TAILS):
        plain = mean_width(t_ends(questions, tail), questions)
        for method, ends_of in ways.items():
            ends = ends_of(questions, tail)
            missed, rate = worst_rate(ends, questions)
            width = mean_width(ends, questions) / plain if questions > 1 and plain > 0 else np.nan
            yield line("single", method, level, questions, "0/1 scores", missed / (1 - level), 0,
                       f"right with chance {rate:.4g}", width)


def likely_counts(questions, p):
    """Counts of the upper atom that matter, and their chances."""
    middle, reach = questions * p, 9 * np.sqrt(questions * p * (1 - p)) + 40
    j = np.arange(max(0, int(middle - reach)), min(questions, int(middle + reach)) + 1)
    ways = gammaln(questions + 1) - gammaln(j + 1) - gammaln(questions - j + 1)
    return j, np.exp(ways + xlogy(j, p) + (questions - j) * np.log1p(-p))


def worst_anchored(questions, x, tail, low, high):
    """Largest chance of the anchored t to miss, over all chances of two given atoms."""
    left, right = np.sort(x)
    if right - left < 1e-6 * (high - low): return 0., .5
    ends = anchored_ends(questions, tail, left, right, low, high)
    return worst_rate(tuple((end - left) / (right - left) for end in ends), questions)


def search_anchored(questions, low, high, quick):
    """Worst two-atom laws for the anchored t, level by level; the chance is exact."""
    rng, large = np.random.default_rng([7, questions]), questions > 300
    many = 2 if quick else 8 if large else 24
    starts = [np.array([low, high]), np.array([low, (low + high) / 2])]
    starts += list(np.sort(rng.uniform(low, high, (many, 2)), 1))
    for level, tail in enumerate(TAILS):
        def missed(x): return worst_anchored(questions, x, tail, low, high)[0]
        order = sorted(starts, key=missed)[::-1][:1 if quick or large else 3]
        rounds = 1 if quick else 5 if large else 10
        x = worst_pair(missed, order, low, high, rounds)
        share, p = worst_anchored(questions, x, tail, low, high)
        yield level, share / NOMINAL[level], say_law((1 - p, p), x)


def pair_widths(questions, runs=30):
    """Mean widths for differences, one in ten -1 and two in ten 1, divided by that of t."""
    if questions < 3: return {}
    width = {m: np.zeros(len(LEVELS)) for m in ("gaffke", "anchored-t", "t")}
    rng = np.random.default_rng([8, questions])
    for times in rng.multinomial(questions, [.1, .7, .2], runs):
        estimate = mean_over_questions([-1, 0, 1], times=times, bounds=(-1, 1))
        for method, i in product(width, range(len(LEVELS))):
            if method == "t" and estimate.stderr is None: continue
            ends = estimate.confidence_interval(LEVELS[i], method)
            width[method][i] += min(ends.high, 1) - max(ends.low, -1)
    return {m: w / width["t"] for m, w in width.items()}


def singles(options):
    for questions in (options.few or QUESTIONS):
        rng = np.random.default_rng([1, questions])
        yield from others_on_rates(questions, rng)
        yield from atoms_of("single", questions, 0., 1., rng, options.quick)


def pairs(options):
    for questions in (options.few or QUESTIONS):
        rng = np.random.default_rng([2, questions])
        yield from atoms_of("pair", questions, -1., 1., rng, options.quick)
        width = pair_widths(questions, 5 if options.quick else 30)
        for i, level in enumerate(LEVELS):
            # t moves with the data: on two atoms it misses as on 0/1 scores.
            missed, rate = worst_rate(t_ends(questions, TAILS[i]), questions)
            law = say_law((1 - rate, rate), (0, 1))
            yield line("pair", "t", level, questions, "differences", missed / (1 - level), 0, law,
                       width["t"][i] if width else np.nan)


def atoms_of(kind, questions, low, high, rng, quick):
    """The default and the anchored t over laws with two to four atoms."""
    found = list(search_two(questions, low, high, rng, quick))
    sizes = [] if quick and questions > 3 else [3] * (questions <= 30) + [4] * (questions <= 8)
    for atoms in sizes: found += search_many(questions, atoms, low, high, rng,
                                             quick or questions > 15)
    default = [max((f for f in found if f[0] == i), key=lambda f: f[1]) for i in range(len(LEVELS))]
    methods = {"gaffke": default,
               "anchored-t": list(search_anchored(questions, low, high, quick))}
    width = pair_widths(questions, 5 if quick else 30) if kind == "pair" else {}
    for method, rows in methods.items():
        for i, ratio, law in rows:
            wide = np.nan if method not in width else width[method][i]
            if kind == "single" and questions > 1:
                ends_of = exact_ends if method == "gaffke" else anchored_ends
                wide = mean_width(ends_of(questions, TAILS[i]), questions)
                wide /= mean_width(t_ends(questions, TAILS[i]), questions)
            yield line(kind, method, LEVELS[i], questions,
                       "scores" if kind == "single" else "differences",
                       ratio, 0, law, wide, "1.05" if method == "gaffke" else "")


# --- these questions, run again, and the mean of groups: sums over kinds of questions -----------

class Kind(NamedTuple):
    """Questions, or groups, that are alike: how many, and what one of them can show.

    All columns are in units of the mean over everything, but `room`, which is in units of a value:
    how far one more sample, or question, may lie above and below what was seen.
    """
    count: int
    chance: np.ndarray # Of each state, shape `(S,)`
    sums: np.ndarray # Value, variance, signed and unsigned third moment, shape `(4, S)`
    room: np.ndarray # Above and below, shape `(2, S)`
    step: float # The most that one sample, or question, moves the mean
    truth: float # What all of them contribute to the true mean
    share: float # Their weight in the mean
    shown: np.ndarray # Value of a state if it stands for a single question, else NaN
    least: float = 0. # Least value of a question; the largest is 1


class Seen(NamedTuple):
    """Outcomes of all questions of one kind."""
    chance: np.ndarray
    sums: np.ndarray # Shape `(4, M)`
    room: np.ndarray # Shape `(2, M)`


def list_states(kind, most):
    """Every outcome of a kind with its chance; None where there are too many."""
    keep = np.flatnonzero(kind.chance > 1e-13)
    states, count = len(keep), kind.count
    if gammaln(states + count) - gammaln(count + 1) - gammaln(states) > np.log(most): return None
    chance, sums, room = kind.chance[keep], kind.sums[:, keep], kind.room[:, keep]
    if states == 1: return Seen(np.ones(1), sums * count, room)
    if count == 1: return Seen(chance, sums, room)
    counts, ways = tables_of(count, states)
    law = np.exp(ways + xlogy(counts, chance).sum(1))
    seen = counts > 0
    return Seen(law, sums @ counts.T, np.stack([np.where(seen, r, -np.inf).max(1) for r in room]))


def draw_states(kind, runs, rng):
    """Drawn outcomes of a kind."""
    law = kind.chance / kind.chance.sum()
    if len(law) == 1: return Seen(None, np.repeat(kind.sums * kind.count, runs, 1),
                                  np.repeat(kind.room, runs, 1))
    if kind.count < len(law):
        state = np.searchsorted(np.cumsum(law)[:-1], rng.random((runs, kind.count)))
        return Seen(None, kind.sums[:, state].sum(-1), kind.room[:, state].max(-1))
    counts = rng.multinomial(kind.count, law, runs)
    seen = counts > 0
    return Seen(None, kind.sums @ counts.T,
                np.stack([np.where(seen, r, -np.inf).max(1) for r in kind.room]))


def join_seen(kinds, most, runs, rng):
    """Outcomes of all kinds together: listed if at most `most`, else `runs` drawn ones."""
    listed = [list_states(kind, most) for kind in kinds]
    if all(o is not None for o in listed) and np.prod([float(len(o.chance))
                                                       for o in listed]) <= most:
        index = np.stack(np.meshgrid(*(np.arange(len(o.chance)) for o in listed),
                                     indexing="ij")).reshape(len(listed), -1)
        chance = np.prod([o.chance[i] for o, i in zip(listed, index)], axis=0)
        index = index[:, chance > 1e-12]
        return chance[chance > 1e-12], [Seen(None, o.sums[:, i], o.room[:, i]) for o,
                                        i in zip(listed, index)], 0
    return np.full(runs, 1 / runs), [draw_states(kind, runs, rng) for kind in kinds], runs


def fixed_tail(laws, truth):
    """The tail at which the limit of fixed questions is the truth; a small one misses it."""
    far, tails = truth - seen_mean(laws), [gamma_tail(laws, truth)]
    with np.errstate(invalid="ignore", divide="ignore"):
        for law in laws:
            left = np.where(law.room > 0, 1 - np.maximum(far, 0) / law.room, 0)
            tails.append(np.where(left > 0, np.maximum(left, 0)**law.unlike, 0))
    return np.max(tails, axis=0)


def gamma_tail(laws, truth):
    """Chance above the truth of a sum of shifted gamma laws; a small one misses the truth."""
    center = sum(law.mean for law in laws)
    variance = np.stack([law.variance for law in laws])
    third = np.stack([law.third for law in laws])
    with np.errstate(invalid="ignore", divide="ignore"):
        skew = np.clip(np.where(variance > 0, third / variance**1.5, 0), -2, 2)
        scale = np.sqrt(variance) / 2 * np.where(np.abs(skew) > 1e-3, skew, 1e-3)
        shape = np.where(variance > 0, variance / scale**2, 1)
    far = truth - center
    if len(laws) > 1: return tail_chance(scale.T, shape.T, -(scale * shape).sum(0) - far)
    with np.errstate(invalid="ignore", divide="ignore"):
        x = far / scale[0] + shape[0]
        tail = np.where(scale[0] > 0, gammaincc(shape[0], np.maximum(x, 0)),
                        gammainc(shape[0], np.maximum(x, 0)))
    return np.where(variance[0] > 0, tail, (far <= 0) * 1.)


def gamma_misses(kinds, most, runs, rng, safe=True):
    """Misses of the `gamma` interval for questions, or groups, of a few kinds.

    With `safe` the third moment is the variance times the step, on either side.
    """
    chance, seen, drawn = join_seen(kinds, most, runs, rng)
    truth = sum(kind.truth for kind in kinds)
    total = sum(s.sums[0] for s in seen)
    strata = split_by_size(np.array([kind.step for kind in kinds]))
    if any(np.isfinite(kind.shown).any() for kind in kinds): seen = share_spread(kinds, seen, total)
    tails = []
    for side, sign in enumerate((1, -1)):
        laws = []
        for rows in strata:
            sums = sum(seen[i].sums for i in rows)
            share, step = sum(kinds[i].share for i in rows), max(kinds[i].step for i in rows)
            room = np.max([seen[i].room[side] for i in rows], axis=0)
            variance, end = np.maximum(sums[1], 0), 1 if sign > 0 else -kinds[0].least
            far = share * end, share * np.maximum(room, 0), share
            if safe: laws.append(add_unseen_sample(sign * sums[0], variance, step, *far))
            else: laws.append(add_unseen(sign * sums[0], variance, sign * sums[2] + sums[3], step,
                                         *far[1:]))
        tail = (fixed_tail if safe else gamma_tail)(laws, sign * truth)
        # The interval always holds what was seen.
        tails.append(np.where(sign * (truth - total) <= 1e-12, 1., tail))
    return sum_misses(chance, *tails, draws=drawn)


def share_spread(kinds, seen, total):
    """Groups of one question share the spread and lean of their values, which are 0 or 1."""
    alone = [i for i, kind in enumerate(kinds) if np.isfinite(kind.shown).any()]
    many = sum(kinds[i].count for i in alone)
    weight = kinds[alone[0]].share / kinds[alone[0]].count
    mean = sum(seen[i].sums[0] for i in alone) / weight / many
    spread = mean * (1 - mean) * many / (many - 1) if many > 1 else (mean - total)**2
    lean, largest = (mean * (1 - mean) * (1 - 2 * mean), 0) if many > 2 else (0, spread)
    seen = list(seen)
    for i in alone:
        sums = seen[i].sums.copy()
        sums[1] = kinds[i].count * weight**2 * spread
        sums[2], sums[3] = (kinds[i].count * weight**3 * o for o in (lean, largest))
        seen[i] = seen[i]._replace(sums=sums)
    return seen


# --- the benchmark target ------------------------------------------------------------------------

CREDITS = {"avg": share_credit, "pass": any_credit, "hat": all_credit, "cons": majority_credit}
SHOWN = {"avg": "avg@n", "pass": "pass@{k}", "hat": "pass^{k}", "cons": "cons@{k}"}


@lru_cache(maxsize=256)
def values_of(n, k, metric):
    """Value and noise of every count of one question."""
    c = np.arange(n + 1)
    noise = within_questions(n, c, k, CREDITS[metric])
    return mean_credit(c, n - c, np.array([k]),
                       CREDITS[metric])[:, 0], noise.variance, min(1, k / n)


def true_value(p, k, metric):
    return float(mean_credit(np.array([p]), np.array([1 - p]), np.array([k]), CREDITS[metric],
                             0)[0, 0])


def question_kind(count, questions, n, k, metric, p):
    """Questions that are solved with chance `p`, `n` samples each."""
    value, variance, step = values_of(n, k, metric)
    chance = draws([p], [1 - p], n, 0)[0] if 0 < p < 1 else (np.arange(n + 1) == n * p) * 1.
    keep = chance > 1e-13
    sums = np.stack([value / questions, variance / questions**2, *np.zeros((2, n + 1))])[:, keep]
    return Kind(count, chance[keep], sums, np.stack([1 - value, value])[:, keep], step / questions,
                count * true_value(p, k, metric) / questions, count / questions,
                np.full(keep.sum(), np.nan))


def pair_kind(count, questions, sizes, k, metric, p, q):
    """Questions that A solves with chance `p` and B with chance `q`."""
    sides = [question_kind(count, questions, n, k, metric, chance) for n,
             chance in zip(sizes, (p, q))]
    a, b = sides
    chance = np.outer(a.chance, b.chance).ravel()
    value = (b.sums[0][None] - a.sums[0][:, None]).ravel() * questions
    noise = (b.sums[1][None] + a.sums[1][:, None]).ravel()
    keep = chance > 1e-13
    sums = np.stack([value / questions, noise, *np.zeros((2, len(value)))])[:, keep]
    return Kind(count, chance[keep], sums, np.stack([1 - value, 1 + value])[:, keep],
                max(a.step, b.step), b.truth - a.truth, count / questions,
                np.full(keep.sum(), np.nan), -1.)


def splits_of(questions):
    """How many questions are open, and which share of the others is right."""
    sizes = sorted({h for h in (1, 2, 3, round(questions / 4), round(questions / 2), questions)
                    if 1 <= h <= questions})
    return [(h, share) for h in sizes for share in ((0, .5, .9, 1) if h < questions else (0,))]


def spread_chances(quick):
    inner = [.001, .003, .01, .03, .1, .2, .35, .5]
    if quick: inner = [.003, .03, .15, .5]
    return inner + [1 - p for p in inner[::-1] if p < .5]


def search_kinds(misses, cases, quick, rng_seed, runs):
    """Worst case of each level; cases are `(label, function of a chance)`, which is refined."""
    seen = []
    for label, case in cases:
        for p in spread_chances(quick):
            kinds = case(p)
            if kinds is not None: seen.append((misses(kinds, runs[0],
                                                      np.random.default_rng(rng_seed)), label,
                                               case, p))
    for level in range(len(LEVELS)):
        order = sorted(seen, key=lambda s: -s[0].ratio[level])[:1 if quick else 3]
        found = [refine(misses, level, *s[1:], rng_seed, runs[0], quick) for s in order]
        _, label, case, p = max(found, key=lambda f: f[0])
        final = misses(case(p), runs[1], np.random.default_rng([rng_seed, 99, level]))
        yield level, final, label.format(p=p)


def refine(misses, level, label, case, p, seed, runs, quick):
    """The chance of a case moved on the scale of log odds, with the same draws throughout."""
    def height(x):
        kinds = case(1 / (1 + np.exp(-x[0])))
        return misses(kinds, runs, np.random.default_rng(seed)).ratio[level]
    x, top = climb(height, [np.log(p / (1 - p))], [.4], [-12], [12], 4 if quick else 10)
    return top, label, case, float(1 / (1 + np.exp(-x[0])))


def benchmark_cases(questions, n, k, metric):
    """One kind of open questions among solved and unsolved ones; two kinds of open ones."""
    def case(h, share, second=None):
        def kinds(p):
            right = round(share * (questions - h))
            wrong = questions - h - right
            made = [(h, p), (right, 1 if second is None else second), (wrong, 0)]
            return [question_kind(m, questions, n, k, metric, chance) for m, chance in made if m]
        return kinds
    for h, share in splits_of(questions):
        right = round(share * (questions - h))
        others = f"{right} always right, {questions - h - right} never"
        yield f"{h} with chance {{p:.4g}}, {others}", case(h, share)
    if questions > 2:
        h = questions // 3
        for second in (.5, .02):
            yield f"{h} with chance {{p:.4g}}, {questions - h} with {second}", case(h, 1, second)


def simple_misses(safe=True, most=20_000):
    return lambda kinds, runs, rng: gamma_misses(kinds, most, runs, rng, safe)


def cell_lines(kind, questions, design, found, aim="1.2", width="", method="gamma"):
    for level, misses, law in found:
        wide = width[level] if len(width) else ""
        yield line(kind, method, LEVELS[level], questions, design, misses.ratio[level],
                   misses.error[level] / NOMINAL[level], law, wide, aim)


def budgets_of(n):
    """Budgets up to n/2, between, and n itself."""
    return sorted({k for k in (n // 2, (3 * n + 3) // 4, n - 1, n) if k > 1 and k <= n})


def benchmark(options):
    sizes = (2, 8) if options.quick else (1, 2, 4, 8, 16, 64)
    for n in sizes:
        designs = [("avg", 1)] + [(m, k) for k in budgets_of(n)
                                  for m in ("pass", "cons")] + [("hat", n)] * (n in (2, 8))
        for (metric, k), questions in product(designs,
                                              (5, 20) if options.quick else (1, 2, 5, 20, 100)):
            if questions == 2 and n > 8: continue
            seed = 1000 * n + 10 * k + questions
            found = search_kinds(simple_misses(most=options.most),
                                 benchmark_cases(questions, n, k, metric), options.quick,
                                 seed, options.runs)
            design = f"{SHOWN[metric].format(k=k)}, n = {n}"
            yield from cell_lines("benchmark", questions, design, found,
                                  width=fixed_widths(questions, n, k, metric))


def fixed_widths(questions, n, k, metric, runs=8):
    """Mean width against that of the plain t, chances evenly spread."""
    if questions < 3 or n < 2: return ""
    rng, p = np.random.default_rng(5), (np.arange(questions) + .5) / questions
    wide = np.zeros((2, len(LEVELS)))
    for _ in range(runs):
        c = rng.binomial(n, p)
        value, variance, step = values_of(n, k, metric)
        estimate = mean_over_questions(value[c], target="same_questions",
                                       within=within_questions(n, c, k, CREDITS[metric]))
        for i, level in enumerate(LEVELS):
            ends = estimate.confidence_interval(level)
            wide[:, i] += ends.high - ends.low, 2 * -ndtri(TAILS[i]) * (estimate.stderr or 0)
    return wide[0] / wide[1]


RAGGED = {"one question with n = 2, 19 with 64": [(1, 2), (19, 64)],
          "one with n = 2, 4 with 8": [(1, 2), (4, 8)],
          "one with n = 1, 9 with 16": [(1, 1), (9, 16)],
          "two with n = 4, 98 with 8": [(2, 4), (98, 8)],
          "n = 3, 5, 8 on 4 questions each": [(4, 3), (4, 5), (4, 8)],
          "n = 2, 4, 8, 16 on one each": [(1, 2), (1, 4), (1, 8), (1, 16)]}


def ragged_cases(sizes):
    """The kind with the fewest samples, or the one with the most, is open; the rest is as named."""
    questions = sum(m for m, _ in sizes)
    rests = {"always right": 1, "never": 0, "with chance .5": .5, "with chance .02": .02,
             "with chance .97": .97}
    def case(which, others, h):
        def kinds(p):
            made = []
            for i, (m, n) in enumerate(sizes):
                open_ones = min(h, m) if i == which else 0
                made += [(open_ones, n, p), (m - open_ones, n, others)]
            return [question_kind(m, questions, n, 1, "avg", chance) for m, n, chance in made if m]
        return kinds
    for which, (name, others) in product({0, len(sizes) - 1}, rests.items()):
        for h in {1, sizes[which][0]}:
            chosen = f"{h} with n = {sizes[which][1]} and chance {{p:.4g}}"
            yield f"{chosen}, the others {name}", case(which, others, h)


def ragged(options):
    for name, sizes in list(RAGGED.items())[1:2] if options.quick else RAGGED.items():
        questions = sum(m for m, _ in sizes)
        found = search_kinds(simple_misses(most=4000), ragged_cases(sizes), True,
                             questions, (400 if options.quick else 1500, options.slow))
        yield from cell_lines("benchmark, unequal n", questions, name, found)


def fixed_pair_cases(questions, sizes, k, metric):
    """Open questions with the given chances among questions that never move."""
    def case(h, other, rest):
        def kinds(p):
            a = {"A never": 0, "A always": 1}.get(other, p)
            q = {"B never": 0, "B half": .5}.get(other, p)
            made = [(h, a, q)] + ([(questions - h, *rest)] if questions > h else [])
            return [pair_kind(m, questions, sizes, k, metric, *both) for m, *both in made]
        return kinds
    rests = {"both never right": (0, 0), "only B right": (0, 1), "only A right": (1, 0),
             "both half": (.5, .5)}
    opens = sorted({h for h in (1, 2, questions // 2, questions) if h})
    for h, other, (name, rest) in product(opens,
                                          ("B as A", "A never", "A always", "B never", "B half"),
                                          rests.items()):
        if h == questions and name != "both never right": continue
        rest_said = f", {questions - h} {name}" if questions > h else ""
        yield f"{h} with chance {{p:.4g}} ({other}){rest_said}", case(h, other, rest)


def fixed_pairs(options):
    designs = [((8, 8), 1, "avg", 20)] if options.quick else [
        ((2, 2), 1, "avg", 5), ((2, 2), 1, "avg", 50), ((4, 4), 2, "pass", 20),
                                                              ((8, 8), 1, "avg", 20),
                                                              ((8, 8), 1, "avg", 100),
        ((8, 8), 6, "cons", 20), ((8, 8), 8, "pass", 20), ((64, 64), 1, "avg", 20),
                                                              ((2, 16), 1, "avg", 20),
                                                              ((4, 64), 4, "pass", 20),
                                                              ((1, 8), 1, "avg", 30)]
    for sizes, k, metric, questions in designs:
        runs = (600, 20_000) if options.quick else (1500, options.runs[1])
        found = list(search_kinds(simple_misses(most=4000),
                                  fixed_pair_cases(questions, sizes, k, metric),
                                  True, questions + k, runs))
        design = f"{SHOWN[metric].format(k=k)}, n = {sizes[0]} and {sizes[1]}"
        yield from cell_lines("benchmark pair", questions, design, found)


# --- two systems on the same questions, one side of the interval, every outcome listed ----------

class Design(NamedTuple):
    """Questions that are open, and questions that both systems always answer alike."""
    open: tuple # (samples of A, samples of B, weight) of each open question
    rest: tuple = () # (questions, samples, weight, share of A, share of B) of each kind
    k: int = 1
    metric: str = "avg"

    def swapped(self):
        """The same with A and B exchanged, whose upper limit is the lower one of this design."""
        return self._replace(open=tuple((b, a, w) for a, b, w in self.open),
                             rest=tuple((m, n, w, b, a) for m, n, w, a, b in self.rest))


class Listed(NamedTuple):
    """Every outcome of a design; one column a kind of questions, the open ones first."""
    times: np.ndarray # Questions of a kind
    weight: np.ndarray # Weight of one such question in the mean
    step: np.ndarray # The most that one sample moves a value
    value: np.ndarray # Difference of each outcome, shape `(M, J)`
    noise: np.ndarray # Its variance


def list_outcomes(design):
    """All outcomes of the open questions, those of the first one slowest."""
    sizes = [n for n_a, n_b, _ in design.open for n in (n_a, n_b)]
    counts = np.stack(np.meshgrid(*(np.arange(n + 1) for n in sizes), indexing="ij"), -1)
    counts = counts.reshape(-1, len(sizes))
    columns = [(1, w, n_a, n_b, counts[:, 2 * i], counts[:, 2 * i + 1])
               for i, (n_a, n_b, w) in enumerate(design.open)]
    still = np.ones(len(counts), int)
    columns += [(m, w, n, n, still * round(a * n), still * round(b * n))
                for m, n, w, a, b in design.rest]
    known = []
    for m, w, n_a, n_b, c_a, c_b in columns:
        a, b = (values_of(n, design.k, design.metric) for n in (n_a, n_b))
        known.append((m, w, max(a[2], b[2]), b[0][c_b] - a[0][c_a], a[1][c_a] + b[1][c_b]))
    times, weight, step, value, noise = (np.array(o, float) for o in zip(*known))
    return Listed(times, weight / (times @ weight), step, value.T, noise.T)


def upper_ends(design):
    """Upper limit of each outcome at each level, shape `(4, M)`."""
    times, weight, step, value, noise = list_outcomes(design)
    laws = []
    for rows in split_by_size(weight * step):
        t, w = times[rows], weight[rows]
        room = np.maximum((1 - value[:, rows]).max(1), 0)
        far = t @ w, t @ w * room, t @ w
        laws.append(add_unseen_sample(value[:, rows] @ (t * w), noise[:, rows] @ (t * w**2),
                                      (w * step[rows]).max(), *far))
    ends = np.array([upper_of_laws(laws, tail) for tail in TAILS])
    return np.maximum(np.minimum(ends, 1), value @ (times * weight))


def upper_of_laws(laws, tail):
    """`upper_of_sum` for many outcomes."""
    if len(laws) == 1: return upper_of_moments(laws[0], tail)
    seen = seen_mean(laws)
    low = seen + np.max([reach_unseen(law, tail) for law in laws], axis=0)
    high = np.maximum(low, seen + sum(law.room for law in laws))
    # Beyond all rooms no limit counts: it is cut to the range anyway.
    for _ in range(45):
        middle = (low + high) / 2
        above = gamma_tail(laws, middle) > tail
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return high


def true_differences(design, p):
    """The true mean difference at each row of chances, of A and of B in turn."""
    total = sum(w for *_, w in design.open) + sum(m * w for m, _, w, *_ in design.rest)
    value = p if design.metric == "avg" else 1 - (1 - p)**design.k
    moves = [w * (value[:, 2 * i + 1] - value[:, 2 * i])
             for i, (*_, w) in enumerate(design.open)]
    return (sum(moves) + sum(m * w * (b - a) for m, _, w, a, b in design.rest)) / total


def too_low(design, ends, p):
    """Chance that the upper limit lies below the truth, each level and row of chances `(4, R)`."""
    sizes, found = [n for n_a, n_b, _ in design.open for n in (n_a, n_b)], []
    for rows in np.array_split(p, max(1, len(p) * ends.shape[1] // 4_000_000)):
        chance = np.ones((len(rows), 1))
        for n, column in zip(sizes, rows.T):
            c = np.arange(n + 1)
            ways = gammaln(n + 1) - gammaln(c + 1) - gammaln(n - c + 1)
            law = np.exp(ways + xlogy(c, column[:, None]) + xlogy(n - c, 1 - column[:, None]))
            chance = (chance[:, :, None] * law[:, None]).reshape(len(rows), -1)
        truth = true_differences(design, rows)
        found.append([(chance * (end < truth[:, None] - 1e-10)).sum(1) for end in ends])
    return np.concatenate(found, 1)


def search_chances(design, ends, quick, shift=None):
    """For each level the largest chance to be too low, and the chances of A and B where it is.

    With `shift` only chances with that true difference count.
    """
    rng, many = np.random.default_rng(len(ends[0])), 2 * len(design.open)
    runs = 1500 if quick else 6000
    p = np.r_[1 / (1 + np.exp(-rng.uniform(-8, 8, (runs, many)))), rng.random((runs, many))]
    p = np.where(rng.random(p.shape) < .15, p.round(), p)
    p[::2] = np.tile(p[::2, :2], (1, many // 2))
    if many == 2:
        side = np.r_[0, .0005, .002, .005, np.linspace(.01, .99, 99), .995, .998, .9995, 1]
        p = np.r_[p, np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)]
    if shift is None: p = np.r_[p, beside_ends(design, ends, p, 800 if quick else 12_000)]
    def keep(p): return p if shift is None else move_to(design, p, shift)
    # One question of twenty cannot make a difference of .1.
    if not len(p := keep(p)): return
    seen = too_low(design, ends, p)
    for level, row in enumerate(seen):
        best = np.argsort(-row)[:3 if quick else 6]
        x, top, width = p[best], row[best], .15
        for _ in range(8 if quick else 20):
            moves = rng.normal(0, width, (24, *x.shape)) * (rng.random((24, *x.shape)) < .6)
            new = np.clip(x + moves, 0, 1)
            new = keep(new.reshape(-1, many))
            if not len(new): continue
            high = too_low(design, ends[level:level + 1], new)[0]
            every, tops = np.r_[x, new], np.r_[top, high]
            best = np.argsort(-tops)[:len(x)]
            if tops[best].max() <= top.max(): width *= .6
            x, top = every[best], tops[best]
        yield level, float(top[0]), x[0]


def beside_ends(design, ends, p, many):
    """Chances with a truth just above a limit, where the chance to be too low jumps up."""
    jumps = np.unique(ends[ends < 1].round(9))
    jumps = jumps[::max(1, 2 * len(jumps) // many)]
    few = np.r_[np.zeros((1, p.shape[1])), p[:many // max(1, len(jumps))]]
    return np.concatenate([move_to(design, few, end + 1e-8) for end in jumps] or [p[:0]])


def move_to(design, p, shift):
    """Chances with a given true difference: that of B on the last open question is moved."""
    total = sum(w for *_, w in design.open) + sum(m * w for m, _, w, *_ in design.rest)
    last = p[:, -1] + (shift - true_differences(design, p)) * total / design.open[-1][2]
    moved = np.c_[p[:, :-1], last]
    return moved[(last >= 0) & (last <= 1)]


ALIKE = {"both never right": (0, 0), "both always right": (1, 1), "only B right": (0, 1),
         "only A right": (1, 0)}


def listed_designs(quick):
    """Designs with a name, in which one to three questions carry the noise."""
    def equal(q, n, k=1, metric="avg"): return Design(((n, n, 1),) * q, (), k, metric)
    yield "n = 2", equal(1, 2)
    few = ((1, 3), (1, 4), (1, 8), (1, 16), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2))
    for q, n in few[:1] if quick else few: yield f"n = {n}", equal(q, n)
    sides = (1, 2), (2, 8), (1, 8), (4, 16)
    for a, b in sides[:1] if quick else sides: yield f"n = {a} and {b}", Design(((a, b, 1),))
    budgets = (1, 4, 2), (1, 8, 4), (2, 4, 2), (1, 4, 3), (1, 4, 4)
    for q, n, k in budgets[:1] if quick else budgets:
        yield f"pass@{k}, n = {n}", equal(q, n, k, "pass")
    for said, (a, b) in list(ALIKE.items())[2:3] if quick else ALIKE.items():
        for n in (2, 3, 4):
            yield f"{n} samples, 19 of 64 {said}", Design(((n, n, 1),), ((19, 64, 1, a, b),))
        for w in (5, 50, 1000):
            yield f"n = 2, weight {w} of one, 19 {said}", Design(((2, 2, w),),
                                                                 ((19, 2, 1, a, b),))
        yield f"2 and 8 samples, 18 of 64 {said}", Design(((2, 2, 1), (8, 8, 1)),
                                                          ((18, 64, 1, a, b),))
        yield f"n = 2 and 4, weights 20 and 1, 5 {said}", Design(((2, 2, 20), (4, 4, 1)),
                                                                 ((5, 4, 1, a, b),))
        yield f"n = 4, 48 of 50 {said}", Design(((4, 4, 1),) * 2, ((48, 4, 1, a, b),))


MARGINS = 0, .02, .05, .1


def margin_designs(quick):
    """Designs for a gate whose new system lies exactly at the limit."""
    yield 1, "n = 4", Design(((4, 4, 1),))
    if quick: return
    yield 1, "n = 8", Design(((8, 8, 1),))
    yield 2, "n = 2", Design(((2, 2, 1),) * 2)
    for said, (a, b) in list(ALIKE.items())[:2]:
        yield 20, f"2 samples, 19 of 64 {said}", Design(((2, 2, 1),), ((19, 64, 1, a, b),))
        yield 20, f"n = 2, weight 50 of one, 19 {said}", Design(((2, 2, 50),),
                                                                ((19, 2, 1, a, b),))


def swap_chances(p):
    """Chances of B and of A, in place of those of A and of B."""
    return p.reshape(-1, 2)[:, ::-1].ravel()


def say_chances(p):
    return "; ".join(f"A {a:.4g}, B {b:.4g}" for a, b in p.reshape(-1, 2))


def listed_pairs(options):
    """One side of the interval: its share of misses is divided by half of 1 - level."""
    for name, design in listed_designs(options.quick):
        questions = len(design.open) + sum(m for m, *_ in design.rest)
        found = []
        for one in dict.fromkeys((design, design.swapped())):
            rows = search_chances(one, upper_ends(one), options.quick)
            found += [(*row[:2], row[2] if one is design else swap_chances(row[2])) for row in rows]
        for level, tail in enumerate(TAILS):
            _, share, p = max((o for o in found if o[0] == level), key=lambda o: o[1])
            yield line("benchmark pair, one side", "gamma", LEVELS[level], questions, name,
                       share / tail, 0, say_chances(p), aim="1.05")
    for (questions, name, design), margin in product(margin_designs(options.quick), MARGINS):
        # A pass is false where B lies lower, a fail where it lies higher than the limit.
        passes, fails = design.swapped(), design
        for verdict, one, shift in ("pass", passes, margin), ("fail", fails, -margin):
            for level, share, p in search_chances(one, upper_ends(one), options.quick, shift):
                p = swap_chances(p) if verdict == "pass" else p
                yield line("gate, one side", "gamma", LEVELS[level], questions,
                           f"false {verdict} at a drop of {margin}, {name}", share / TAILS[level],
                           0, say_chances(p), aim="1.05")


# --- rows "mean of groups" -----------------------------------------------------------------------

GROUPS = {"ten groups of 5": [5] * 10, "five groups of 20": [20] * 5, "three groups of 2": [2] * 3,
          "twenty groups of 2": [2] * 20,
          "96 and 4": [96, 4], "100, 100 and 2": [100, 100, 2],
          "50, 20, 10, 5, 2 and 1": [50, 20, 10, 5, 2, 1],
          "20 groups of 1": [1] * 20, "1 and 50": [1, 50], "2, 4, 8, 16, 32": [2, 4, 8, 16, 32],
          "3 and 3": [3, 3]}


def group_kind(count, groups, size, p, low=0., high=1.):
    """Groups of `size` questions with the score `high` with chance `p`, else `low`."""
    j = np.arange(size + 1)
    chance = draws([p], [1 - p], size, 0)[0] if 0 < p < 1 else (j == size * p) * 1.
    share, gap = j / size, high - low
    value = low + gap * share
    variance = gap**2 * share * (1 - share) / max(size - 1, 1)
    third = gap**3 * share * (1 - share) * (1 - 2 * share) / size**2 * (size > 2)
    largest = variance / size * (size == 2)
    keep = chance > 1e-13
    sums = np.stack([value / groups, variance / groups**2, third / groups**3,
                     largest / groups**3])[:, keep]
    shown = np.where(size == 1, value, np.nan)[keep]
    return Kind(count, chance[keep], sums, np.stack([1 - value, value])[:, keep], 1 / size / groups,
                count * (low + gap * p) / groups, count / groups, shown)


def group_cases(sizes):
    """One size of groups is open, wholly or a single group; the others are as named."""
    groups = len(sizes)
    kinds_of = sorted(set(sizes))
    rests = {"always right": 1, "never": 0, "half right, half never": None, "with chance .5": .5,
             "with chance .95": .95, "with chance .02": .02}
    atoms = {"": (0., 1.), " of scores 0 or .4": (0., .4)}
    def case(which, h, others, ends):
        def kinds(p):
            made = []
            for size in kinds_of:
                many = sizes.count(size)
                open_ones = min(h, many) if size == which else 0
                rest = many - open_ones
                made += [(open_ones, size, p, ends)]
                chances = [(rest, others)] if others is not None else [(rest - rest // 2, 1),
                                                                       (rest // 2, 0)]
                made += [(m, size, chance, (0., 1.)) for m, chance in chances]
            return [group_kind(m, groups, size, chance, *e) for m, size, chance, e in made if m]
        return kinds
    for which, (name, others), (said, ends) in product(kinds_of, rests.items(), atoms.items()):
        if which == 1 and said: continue
        many = sizes.count(which)
        for h in sorted({1, 2, many}):
            if h > many or h == groups and name != "never": continue
            yield f"{h} of {which} with chance {{p:.4g}}{said}, the others {name}", case(which, h,
                                                                                         others,
                                                                                         ends)


def macro(options):
    chosen = dict(list(GROUPS.items())[:1] + list(GROUPS.items())[5:6]) if options.quick else GROUPS
    for name, sizes in chosen.items():
        found = search_kinds(simple_misses(False, 6000), group_cases(sizes), True, sum(sizes),
                             (400 if options.quick else 1500, options.slow))
        yield from cell_lines("macro", sum(sizes), name, found, width=macro_widths(sizes))


def macro_widths(sizes, runs=8):
    """Mean width against that of the plain normal interval, groups of chances between .3 and .9."""
    rng, wide = np.random.default_rng(6), np.zeros((2, len(LEVELS)))
    chances = np.linspace(.3, .9, len(sizes))
    for _ in range(runs):
        right = rng.binomial(sizes, chances)
        joined = join_groups([units_of([0, 1], times=[n - c, c]) for n, c in zip(sizes, right)])
        for i, tail in enumerate(TAILS):
            low, high = joined.limits(tail)
            wide[:, i] += high - low, -2 * ndtri(tail) * joined.variance()**.5
    return wide[0] / wide[1]


# --- clusters ------------------------------------------------------------------------------------

def cluster_misses(clusters, x, most=20_000, runs=2000, seed=0):
    """Misses of Gaffke's interval over clusters of two sizes, wholly right or wholly wrong.

    `x` holds the share of large clusters, the size of a large one against a small one, and the
    chances of a small and of a large cluster to be right, all as log odds or logarithms.
    """
    large, p_small, p_large = 1 / (1 + np.exp(-np.array([x[0], x[2], x[3]])))
    ratio = np.exp(x[1])
    weight = np.array([(1 - large) * (1 - p_small), (1 - large) * p_small, large * (1 - p_large),
                       large * p_large])
    size, total = np.array([1, 1, ratio, ratio]), np.array([0, 1, 0, ratio])
    mean = weight @ total / (weight @ size)
    counts, chance, drawn = spread_clusters(clusters, weight, most, runs, seed)
    largest = np.where(counts[:, 2:].sum(1) > 0, ratio, 1)
    times = np.c_[counts, np.ones(len(counts))]
    # Kinds of clusters that are not seen weigh nothing.
    def tail(sign, room):
        z = np.tile(sign * (total - mean * size), (len(counts), 1))
        return tail_chance(np.c_[z, largest * room], times)
    return sum_misses(chance, tail(1, 1 - mean), tail(-1, mean), draws=drawn)


def spread_clusters(clusters, weight, most, runs, seed):
    if gammaln(clusters + 4) - gammaln(clusters + 1) - np.log(6) < np.log(most):
        counts, ways = tables_of(clusters, 4)
        chance = np.exp(ways + xlogy(counts, weight).sum(1))
        return counts[chance > 1e-10], chance[chance > 1e-10], 0
    drawn = np.random.default_rng(seed).multinomial(clusters, weight, runs)
    counts, times = np.unique(drawn, axis=0, return_counts=True)
    return counts, times / runs, runs


def clusters(options):
    """Size tells nothing about difficulty: an aim; size predicts difficulty: none."""
    for tied, count in product((True, False), (5, 15) if options.quick
                               else (3, 5, 10, 15, 30, 100)):
        kind = "cluster" if tied else "cluster, size predicts difficulty"
        def misses(x, runs=600, seed=0):
            most = 700 if options.quick else 6000
            return cluster_misses(count, np.r_[x, x[-1]] if tied else x, most, runs, seed)
        rng = np.random.default_rng([3, count])
        starts = [np.r_[rng.normal(-1, 1.5), rng.uniform(0, np.log(40)), rng.normal(0, 2, 2 - tied)]
                  for _ in range(8 if options.quick else 24)]
        edges = [-5, 0, *[-6] * (2 - tied)], [5, np.log(40), *[6] * (2 - tied)]
        for level, x, _ in worst_laws(misses, starts, [.5, .3, *[.4] * (2 - tied)], *edges,
                                      2 if options.quick else 5, 1):
            final = misses(x, options.slow, 77 + level)
            share, small, large = 1 / (1 + np.exp(-x[[0, 2, -1]]))
            law = f"{share:.3g} of the clusters {np.exp(x[1]):.3g} times as large, right with "
            law += "chance "
            law += f"{small:.4g}" if tied else f"{small:.4g} if small, {large:.4g} if large"
            yield line(kind, "gaffke", LEVELS[level], count, "clusters, each right or wrong",
                       final.ratio[level],
                       final.error[level] / NOMINAL[level], law, aim="1.05" if tied else "")


# --- bands ---------------------------------------------------------------------------------------

BUDGETS = np.arange(1, 9)


def band_curves(x):
    """Pass@k curves of two kinds of questions, and the share of the second kind."""
    share, p, q = 1 / (1 + np.exp(-np.asarray(x)))
    return share, 1 - (1 - np.array([p, q])[:, None])**BUDGETS


def bonferroni_misses(questions, x):
    """Exact misses of Gaffke's intervals at all budgets, each at its share of the tail."""
    share, curves = band_curves(x)
    j, chance = likely_counts(questions, share)
    mean = (1 - share) * curves[0] + share * curves[1]
    tails = []
    for sign, end in ((1, 1), (-1, 0)):
        times = np.c_[questions - j, j, np.ones(len(j))]
        z = np.c_[sign * (curves.T - mean[:, None]), sign * (end - mean)]
        found = [tail_chance(np.tile(row, (len(j), 1)), times) for row in z]
        tails.append(np.min(found, axis=0) * len(BUDGETS))
    # A band may be too low at one budget and too high at another; that is one miss.
    return sum_misses(chance, np.minimum(*tails), np.ones(len(j)))


def sup_t_misses(questions, x, levels):
    """Exact misses of the package's anchored sup-t band."""
    share, curves = band_curves(x)
    j, chance = likely_counts(questions, share)
    j, chance = j[chance > 1e-4], chance[chance > 1e-4]
    mean, missed = (1 - share) * curves[0] + share * curves[1], np.zeros((2, len(LEVELS)))
    for count, weight in zip(j, chance):
        units = units_of(curves, times=[questions - count, count])
        for i in levels:
            band = band_of(units, LEVELS[i])
            outside = (band.low > mean + 1e-12).any() or (band.high < mean - 1e-12).any()
            missed[0, i] += weight * outside
    return Misses(*missed, np.zeros(len(TAILS)))


def bands(options):
    for questions in (15,) if options.quick else (5, 15, 30, 100):
        rng = np.random.default_rng([4, questions])
        starts = [rng.normal(0, 1.5, 3) * [1.3, 1, 1.5] for _ in range(4 if options.quick else 24)]
        # Kinds that are never and always solved make all budgets one.
        starts += [np.array([x, -9., 9.])
                   for x in ((-1.6, 1.6) if options.quick
                             else (-3.5, -2.6, -1.9, -1.2, 1.2, 1.9, 2.6, 3.5))]
        def say(x):
            share, p, q = 1 / (1 + np.exp(-np.asarray(x)))
            return f"{share:.4g} of the questions with chance {q:.4g}, the others with {p:.4g}"
        for level, x, misses in worst_laws(lambda x: bonferroni_misses(questions, x), starts,
                                           [.4] * 3, [-9] * 3, [9] * 3,
                                           2 if options.quick else 5, 1):
            yield line("band", "gaffke, Bonferroni", LEVELS[level], questions, "pass@1 to pass@8",
                       misses.ratio[level], 0, say(x), aim="1.05")
        levels = [1] if options.quick or questions > 30 else [0, 1, 2]
        starts = starts[3 if options.quick
                        else 12:] + [np.array([-np.log(questions / 1.7), -4., 0.])]
        seen = [sup_t_misses(questions, x, levels) for x in starts]
        for level in levels:
            i = int(np.argmax([m.ratio[level] for m in seen]))
            x, _ = climb(lambda x: sup_t_misses(questions, x, [level]).ratio[level], starts[i],
                         [.4] * 3, [-9] * 3, [9] * 3, 1 if options.quick else 2)
            misses = sup_t_misses(questions, x, [level])
            yield line("band", "anchored-sup-t", LEVELS[level], questions, "pass@1 to pass@8",
                       misses.ratio[level], 0, say(x))


# --- tests and gates -----------------------------------------------------------------------------

EQUAL = {"all .5": [.5], "all .95": [.95], "all .99": [.99], "all .02": [.02],
         "half .5, half 1": [.5, 1.],
         "chances .05, .1, ..., .95": list(np.arange(1, 20) / 20)}
ZERO = {"(.2, .5) or (.5, .2)": [(.5, .2, .5), (.5, .5, .2)],
        "(.5, 0) or (.5, 1)": [(.5, .5, 0), (.5, .5, 1)],
        "(.05, .95) in one of ten, else (.5, .4)": [(.1, .05, .95), (.9, .5, .4)],
        "(0, 1) in one of 34, else (.5, .47)": [(1 / 34, 0, 1), (33 / 34, .5, .5 - 1 / 33)],
        "(1, 0) in one of 21, else (.9, .95)": [(1 / 21, 1, 0), (20 / 21, .9, .95)]}
SIDES = (1, 1), (4, 4), (1, 8), (4, 64)


def draw_pairs(null, law, questions, sizes, runs, rng):
    """Right samples of A and B per question, drawn under a null hypothesis."""
    if null == "equal chances":
        p = np.resize(np.array(EQUAL[law]), questions)
        a = b = np.broadcast_to(p, (runs, questions))
    else:
        weight, left, right = np.array(ZERO[law]).T
        kind = rng.choice(len(weight), (runs, questions), p=weight)
        a, b = left[kind], right[kind]
    return rng.binomial(sizes[0], a), rng.binomial(sizes[1], b)


def p_value(test, sizes, c_a, c_b):
    """The p value of one test by name."""
    d = c_b / sizes[1] - c_a / sizes[0]
    if test == "mcnemar": return mcnemar(int((d > 0).sum()), int((d < 0).sum())).value
    if test == "sign-flip": return sign_flip(d, draws=999).value
    if test == "permutation": return permutation(np.full(len(d), sizes[0]), c_a,
                                                 np.full(len(d), sizes[1]), c_b).value
    return min(1, 2 * min(gaffke_chances(units_of(d, bounds=(-1, 1)))))


def rejections(test, null, law, questions, sizes, runs, seed):
    """Share of drawn tables that are rejected at each level, with equal tables tested once."""
    tables = draw_pairs(null, law, questions, sizes, runs, np.random.default_rng(seed))
    known, p = {}, np.empty(runs)
    for i, (c_a, c_b) in enumerate(zip(*tables)):
        pairs, times = np.unique(np.stack([c_a, c_b], 1), axis=0, return_counts=True)
        key = pairs.tobytes(), times.tobytes()
        if key not in known: known[key] = p_value(test, sizes, c_a, c_b)
        p[i] = known[key]
    return np.array([(p <= nominal * (1 + SLACK)).mean() for nominal in NOMINAL])


def keeps_level(test, null, sizes):
    """Whether the test is made for this null hypothesis and these numbers of samples."""
    if test == "permutation": return null == "equal chances"
    if test == "sign-flip": return null == "equal chances" and sizes[0] == sizes[1]
    return True


def tests(options):
    """Type I errors: the law with the most rejections, simulated again."""
    few, many = (60, 200) if options.quick else (250, 2000)
    laws = {"equal chances": EQUAL, "mean zero": ZERO}
    for null, sizes in product(laws, SIDES[1:3] if options.quick else SIDES):
        names = ["sign-flip", "permutation", "gaffke"] + ["mcnemar"] * (sizes == (1, 1))
        for test in names:
            seen = {law: rejections(test, null, law, 30, sizes, few, 11) for law in laws[null]}
            for level in (1, 2):
                law = max(seen, key=lambda o: (seen[o][level], seen[o][1]))
                share = rejections(test, null, law, 30, sizes, many, 12)[level]
                error = np.sqrt(max(share, 1 / many) * (1 - share) / many)
                aim = "1.05" if keeps_level(test, null, sizes) else ""
                design = f"n = {sizes[0]} and {sizes[1]}"
                yield line(f"test, {null}", test, LEVELS[level], 30, design,
                           share / NOMINAL[level], error / NOMINAL[level], law, aim=aim)


def gates(options):
    """A system exactly at the allowed drop, or at the least value, passes in half of 1 - level."""
    for questions in (30,) if options.quick else (5, 15, 30, 100, 500):
        rng = np.random.default_rng([5, questions])
        for (low, side), design in zip([(-1., "drop"), (0., "high")],
                                       ["max_drop, new questions", "minimum, new questions"]):
            for level, ratio, law in search_two(questions, low, 1., rng, True, side):
                yield line("gate", "gaffke", LEVELS[level], questions, design, ratio, 0, law,
                           aim="1.05")
    def wrong_pass(kinds, runs, rng):
        found = gamma_misses(kinds, 4000, runs, rng)
        drop = sum(kind.truth for kind in kinds) <= 0
        return Misses(0 * found.low, 2 * found.high * drop, found.error * 2**.5)
    for sizes, questions in [((8, 8), 20)] if options.quick else [((2, 2), 10), ((8, 8), 20),
                                                                  ((4, 4), 100), ((2, 16), 20)]:
        runs = (600, 10_000) if options.quick else (1500, options.runs[1])
        found = search_kinds(wrong_pass, fixed_pair_cases(questions, sizes, 1, "avg"), True,
                             questions, runs)
        yield from cell_lines("gate", questions,
                              f"max_drop, these questions, n = {sizes[0]} and {sizes[1]}", found)
    yield from identical(options)


def identical(options):
    """Verdicts of a gate on one system against itself, run after run."""
    runs = 60 if options.quick else 600
    for (questions, n), allowed in product([(50, 4)] if options.quick
                                           else [(50, 4), (100, 16), (400, 8)], (.02, .05)):
        rng = np.random.default_rng([6, questions])
        p = betaincinv(.3, .7, (np.arange(questions) + .5) / questions)
        for target in "new_questions", "same_questions":
            seen = {"pass": 0, "inconclusive": 0, "fail": 0}
            for _ in range(runs): seen[verdict(rng, n, p, target, allowed)] += 1
            share = {name: count / runs for name, count in seen.items()}
            differ = 1 - sum(x**2 for x in share.values())
            law = (f"pass {share['pass']:.0%}, inconclusive {share['inconclusive']:.0%}, "
                   f"fail {share['fail']:.1%}; two runs differ in {differ:.0%}")
            error = np.sqrt(max(share["fail"], 1 / runs) / runs) / TAILS[1]
            method = "gaffke" if target == "new_questions" else "gamma"
            yield line("gate, identical systems", method, .95, questions,
                       f"max_drop {allowed}, n = {n}", share["fail"] / TAILS[1], error, law,
                       aim="1.2")


def verdict(rng, n, p, target, allowed):
    a, b = rng.binomial(n, p), rng.binomial(n, p)
    noise = [within_questions(n, c, 1, CREDITS["avg"]) for c in (a, b)]
    within = noise[1].minus(noise[0]) if target == "same_questions" else None
    estimate = mean_over_questions((b - a) / n, target=target, within=within, bounds=(-1, 1))
    ends = estimate.confidence_interval()
    return "pass" if ends.low >= -allowed else "fail" if ends.high < -allowed else "inconclusive"


# --- reruns --------------------------------------------------------------------------------------

DESIGNS = (5, 2), (15, 2), (30, 2), (8, 3), (5, 4), (15, 3)
MANY_TABLES = 200  # Tables of counts beyond which the slow interval of the ICC is not searched


def chance_of_counts(cells):
    """Probability of every table of counts; cells hold a question's chances, shape `(Q, n + 1)`."""
    questions, states = cells.shape
    law = np.zeros((questions + 1,) * (states - 1))
    law[(0,) * (states - 1)] = 1
    for row in cells:
        new = row[0] * law
        for axis, chance in enumerate(row[1:]): new += chance * np.roll(law, 1, axis)
        law = new
    some = np.array(list(np.ndindex(*law.shape)))
    kept = some.sum(1) <= questions
    times = np.c_[questions - some[kept].sum(1), some[kept]]
    return times, law.ravel()[kept]


def cells_of(n, p):
    """Chances of the counts of questions with these chances, shape `(Q, n + 1)`."""
    return draws(np.asarray(p, float), 1 - np.asarray(p, float), n, step=0)


def limit_tails(values, end, times, truth):
    """Tails at which the limits of every table of counts meet the truth: upper, and lower."""
    found = []
    for side, far in ((1, end - truth), (-1, truth)):
        z = np.broadcast_to(np.r_[side * (values - truth), far], (len(times), len(values) + 1))
        found.append(tail_chance(z, np.c_[times, np.ones(len(times))]))
    return found


class Reruns:
    """All tables of counts of one design, and the misses of each interval under a law."""

    def __init__(self, questions, n):
        self.questions, self.n, self.c = questions, n, np.arange(n + 1)
        self.times, _ = chance_of_counts(np.full((questions, n + 1), 1 / (n + 1)))
        self.flips = flip_chance(n, self.c)
        self.facts = [rerun_facts(n, np.repeat(self.c, row)) for row in self.times]
        self.known: dict[str, np.ndarray] = {}

    def ends(self, name):
        """Ends of the 95 % intervals of one fact in every table.

        The whole range where undefined."""
        if name not in self.known:
            limits = icc_limits if name == "icc" else question_limits
            rows = [(0, 1) if getattr(one, name) is None else limits(one, .95)[:2]
                    for one in self.facts]
            own = [np.nan if (x := getattr(one, name)) is None else x for one in self.facts]
            low, high = np.array(rows, float).T
            self.known[name] = np.fmin(low, own), np.fmax(high, own)
        return self.known[name]

    def misses(self, name, target, x):
        """Misses of one interval; two kinds of questions, drawn anew or a fixed number of each."""
        share, p, q = 1 / (1 + np.exp(-np.asarray(x)))
        if target == "same questions":
            many = np.arange(self.questions) < round(share * self.questions)
            p = np.where(many, q, p)
            law, weight = cells_of(self.n, p), np.full(self.questions, 1 / self.questions)
        else:
            p, weight = np.array([p, q]), np.array([1 - share, share])
            law = np.tile(weight @ cells_of(self.n, p), (self.questions, 1))
        _, chance = chance_of_counts(law)
        within, mean = weight @ (p * (1 - p)), weight @ p
        if name == "flip rate":
            tails = limit_tails(self.flips, self.flips.max(), self.times, 2 * within)
        elif name == "flaky share":
            mixed = np.r_[0., np.ones(self.n - 1), 0.]
            tails = limit_tails(mixed, 1., self.times, weight @ (1 - p**self.n - (1 - p)**self.n))
        else: return self.beyond(name, target, chance, p, within, mean)
        return sum_misses(chance, *tails)

    def beyond(self, name, target, chance, p, within, mean):
        """Misses at 95 % of the intervals that are not one tail."""
        if name == "ICC": truth = 1 - within / (mean * (1 - mean))
        elif target == "same questions":
            truth = least_questions(2 * p * (1 - p), np.ones(self.questions, int))
        else: truth = least_questions(np.array([2 * within]), np.array([self.questions]))
        low, high = self.ends("icc" if name == "ICC" else "least_questions_exact")
        some = np.full((2, len(TAILS)), np.nan)
        some[:, 1] = chance @ (high < truth - SLACK), chance @ (low > truth + SLACK)
        return Misses(*some, np.zeros(len(TAILS)))


def reruns(options):
    """Flips, flaky questions, ICC and least questions, over all tables of counts."""
    for questions, n in DESIGNS[:1] if options.quick else DESIGNS:
        lab = Reruns(questions, n)
        rng = np.random.default_rng([7, questions, n])
        starts = list(rng.normal(0, 2, (6 if options.quick else 16, 3)))
        starts += [np.array([-np.log(questions), -6., x]) for x in (0., 2.)]
        for target, name in product(("new questions", "same questions"),
                                    ("flip rate", "flaky share", "ICC", "least questions")):
            if name == "ICC" and len(lab.times) > MANY_TABLES: continue
            def misses(x): return lab.misses(name, target, x)
            levels = [1, 2] if name in ("flip rate", "flaky share") else [1]
            seen = [misses(x) for x in starts]
            for level in levels:
                best = np.argsort([-m.ratio[level] for m in seen])[:3]
                found = [climb(lambda x: misses(x).ratio[level], starts[i], [.5] * 3, [-9] * 3,
                               [9] * 3, 2 if options.quick else 4) for i in best]
                x, ratio = max(found, key=lambda pair: pair[1])
                share, p, q = 1 / (1 + np.exp(-x))
                law = f"{share:.4g} of the questions with chance {q:.4g}, the others with {p:.4g}"
                yield line(f"rerun, {target}", name, LEVELS[level], questions, f"n = {n}", ratio,
                           0, law, aim="" if name == "least questions" else "1.05")


# --- ratios of two totals ------------------------------------------------------------------------

def ratio_misses(questions, atoms, weight, cap):
    """Exact misses of cost per solved, by Gaffke's test and by Fieller's, at each level."""
    counts, ways = tables_of(questions, len(atoms))
    chance = np.exp(ways + xlogy(counts, weight).sum(1))
    kept = chance > 1e-12
    chance, counts = chance[kept], counts[kept]
    spend, solved = atoms.T
    theta = (weight @ spend) / (weight @ solved)
    rest, times = spend - theta * solved, np.c_[counts, np.ones(len(counts))]
    rows = [np.tile(np.r_[side * rest, end], (len(counts), 1))
            for side, end in ((1, cap), (-1, theta))]
    df = np.full(len(counts), questions - 1.)
    return (sum_misses(chance, *(tail_chance(row, times) for row in rows)).ratio,
            miss_fieller(counts, spend, solved, df, theta) @ chance / NOMINAL)


def miss_fieller(counts, spend, solved, df, theta):
    """Which tables give a Fieller interval, at each level, that has not the true ratio."""
    size = counts[0].sum()
    paid, won = counts @ spend / size, counts @ solved / size
    def covary(a, b, means): return (counts @ (a * b) / size - means) / (size - 1)
    found = []
    for tail in TAILS:
        reach = stdtrit(df, 1 - tail)**2
        square = won**2 - reach * covary(solved, solved, won**2)
        cross = paid * won - reach * covary(spend, solved, paid * won)
        rest = paid**2 - reach * covary(spend, spend, paid**2)
        root = cross + np.sqrt(np.maximum(cross**2 - square * rest, 0))
        # Where hardly anything is solved the interval has no upper end.
        low = np.where(root > 0, np.maximum(rest / np.where(root > 0, root, 1), 0), 0)
        high = np.where(square > 0, root / np.where(square > 0, square, 1), np.inf)
        found.append((theta < low * (1 - SLACK)) | (theta > high * (1 + SLACK)))
    return np.array(found)


def ratios(options):
    """Cost per solved: questions that cost the cap and are solved, or are not, or cost little."""
    cap = 8.
    atoms = np.array([[cap, 0.], [1., 1.], [cap, 1.]])
    for questions in (3, 15) if options.quick else (3, 8, 15, 30):
        laws = [np.array([a, 1 - a - b, b]) for a in (.002, .01, .05, .2, .5)
                for b in (.001, .05, .3) if a + b < 1]
        found = [ratio_misses(questions, atoms, law, cap) for law in laws]
        for place, method in enumerate(("gaffke, inverted", "Fieller t")):
            for level in range(len(LEVELS)):
                top = max(range(len(laws)), key=lambda i: found[i][place][level])
                law = ", ".join(f"{w:.3g} at ({s:g}, {p:g})" for w, (s, p) in zip(laws[top], atoms))
                yield line("ratios", method, LEVELS[level], questions, "cost per solved",
                           found[top][place][level], law=law, aim="1" if place == 0 else "")


def sized_misses(count, atoms, weight, cap, top=None):
    """Misses of cost per solved where a unit is a group or has a weight, exactly, at each level.

    Atoms: size or weight, spend and solved of one question of the unit. The largest size there may
    be is `top`, or the largest one that was drawn.
    """
    counts, ways = tables_of(count, len(atoms))
    chance = np.exp(ways + xlogy(counts, weight).sum(1))
    counts, chance = counts[chance > 1e-12], chance[chance > 1e-12]
    size, spend, solved = atoms.T
    theta = (weight @ (size * spend)) / (weight @ (size * solved))
    rest, times = size * (spend - theta * solved), np.c_[counts, np.ones(len(counts))]
    largest = np.where(counts > 0, size, 0).max(1) if top is None else np.full(len(counts), top)
    rows = [np.c_[np.tile(side * rest, (len(counts), 1)), largest * end]
            for side, end in ((1, cap), (-1, theta))]
    exact = sum_misses(chance, *(tail_chance(row, times) for row in rows)).ratio
    df = np.maximum((counts @ size)**2 / (counts @ size**2) - 1, 1e-9)
    missed = miss_fieller(counts, size * spend, size * solved, df, theta)
    return exact, missed @ chance / NOMINAL


# Question of a kind: spend and solved; dear ones are not solved.
CHEAP, DEAR, SOLVED = (1., 1.), (8., 0.), (8., 1.)


def sized_ratios(options):
    """Cost per solved of clusters and of weighted questions: some are many times as large."""
    shares = [(a, b) for a in (.002, .01, .05, .2, .5) for b in (.002, .05, .3)]
    times = (2, 10, 40)
    def tied(large, dear, m):
        "Size tells nothing about cost."
        atoms = [(size, *kind) for size in (1, m) for kind in (CHEAP, DEAR)]
        return atoms, np.outer([1 - large, large], [1 - dear, dear]).ravel()
    def telling(large, dear, m):
        "What is large is dear and not solved."
        rest = 1 - large
        atoms = [(1, *CHEAP), (1, *SOLVED), (m, *DEAR)]
        return atoms, np.array([rest * (1 - dear), rest * dear, large])
    # To the interval a group is a question whose weight is its size.
    cases = [("ratios, clusters", tied, False, "1.05"),
             ("ratios, clusters or weights, size predicts cost", telling, False, ""),
             ("ratios, weights, largest declared", telling, True, "1")]
    for (kind, law, declared, aim), count in product(cases, (5, 15) if options.quick
                                                     else (3, 8, 15, 30)):
        found = []
        for (large, dear), m in product(shares, times):
            atoms, weight = law(large, dear, m)
            found.append(((large, dear, m), sized_misses(count, np.array(atoms, float), weight, 8.,
                                                         m if declared else None)))
        for place, method in enumerate(("gaffke, inverted", "Fieller t")):
            for level in range(len(LEVELS)):
                (large, dear, m), ratio = max(found, key=lambda one: one[1][place][level])
                said = f"{large:g} {m} times as large" + (
                    f", {dear:g} of all dear and not solved" if law is tied else
                    f", dear and not solved; {dear:g} of the others dear")
                yield line(kind, method, LEVELS[level], count, "cost per solved",
                           ratio[place][level], law=said, aim="" if place else aim)


# --- judges that err, the same within a margin, an earlier run, equal spend ----------------------

JUDGES = (.9, .8), (.99, .95), (.7, .7)


def judges(options):
    """Truth behind verdicts of known error rates, exactly: questions of one or two chances."""
    designs = ((5, 1, 1), (15, 2, 2)) if options.quick else ((5, 1, 1), (30, 1, 1), (5, 4, 2),
                                                             (15, 2, 2))
    laws = [(share, p, q) for share in (0., .05, .3) for p in (.001, .02, .3, .98)
            for q in (0., 1.) if share or not q]
    for (questions, n, k), (s, t) in product(designs, JUDGES):
        judge = Judge(sensitivity=s, specificity=t)
        values = judged_pass_at_k(n, np.arange(n + 1), k, sensitivity=s, specificity=t)
        found = []
        for share, *chances in laws:
            passed = np.array([p * s + (1 - p) * (1 - t) for p in chances])
            weight = np.array([1 - share, share]) @ cells_of(n, passed)
            law = np.r_[np.log(np.maximum(weight, 1e-300)), values]
            found.append(gaffke_many(questions, law, *judged_range(k, judge)).ratio)
        for level in range(len(LEVELS)):
            top = max(range(len(laws)), key=lambda i: found[i][level])
            share, p, q = laws[top]
            yield line("judge", "gaffke", LEVELS[level], questions,
                       f"pass@{k} of {n}, sensitivity {s}, specificity {t}", found[top][level],
                       law=f"{share:g} of the questions with chance {q:g}, the others with {p:g}",
                       aim="1.05")


def same_rates(questions, margin, weight):
    """Chance that two systems are called the same, at each level; in units of half its misses."""
    counts, ways = tables_of(questions, 3)
    chance, ones = np.exp(ways + xlogy(counts, weight).sum(1)), np.ones((len(counts), 1))
    gain, times = np.array([-1., 0, 1]), np.c_[counts, ones]
    above, below = (tail_chance(np.tile(np.r_[side * gain - margin, 1 - margin], (len(counts), 1)),
                                times) for side in (1, -1))
    return np.array([chance @ (np.maximum(above, below) <= tail) for tail in TAILS]) / TAILS


def sames(options):
    """Two systems that differ by the margin and are called the same, exactly."""
    for questions, margin in product((8, 30) if options.quick else (8, 15, 30),
                                     (.05, .2, .5)):
        laws = [np.array([a, 1 - 2 * a - margin, a + margin])
                for a in np.linspace(0, (1 - margin) / 2, 9)]
        found = [same_rates(questions, margin, law) for law in laws]
        for level in range(len(LEVELS)):
            top = max(range(len(laws)), key=lambda i: found[i][level])
            yield line("same within a margin", "gaffke", LEVELS[level], questions,
                       f"margin {margin:g}", found[top][level],
                       law=say_law(laws[top], (-1, 0, 1)), aim="1")


def draw_without(kinds, size):
    """Counts of a sample without replacement from kinds of so many questions; their chances."""
    rows = [row for row in product(*(range(min(kind, size) + 1) for kind in kinds))
            if sum(row) == size]
    ways = [np.prod([float(comb(kind, one)) for kind, one in zip(kinds, row)]) for row in rows]
    return np.array(rows), np.array(ways) / comb(sum(kinds), size)


def borrowed_misses(kinds, size):
    """Misses for these questions; kinds: right before and now, before only, now only, never."""
    counts, chance = draw_without(kinds, size)
    total = sum(kinds)
    before, truth = (kinds[0] + kinds[1]) / total, (kinds[0] + kinds[2]) / total
    was = np.array([1., 1, 0, 0])
    reach = (before - was)[np.array(kinds) > 0]
    rest = np.array([0., -1, 1, 0]) + before - truth
    times = np.c_[counts, np.ones(len(counts))]
    rows = [np.tile(np.r_[side * rest, end], (len(counts), 1)) for side, end in
            ((1, 1 + reach.max() - truth), (-1, truth - reach.min()))]
    exact = sum_misses(chance, *(tail_chance(row, times) for row in rows)).ratio
    return exact, np.array([chance[miss_fitted(kinds, counts, level)].sum() for level in LEVELS])


def miss_fitted(kinds, counts, level):
    """In which samples the interval of a fitted slope misses; it has none where none is seen."""
    was, now = np.repeat([1., 1, 0, 0], kinds), np.repeat([1., 0, 1, 0], kinds)
    start = np.r_[0, np.cumsum(kinds)[:-1]]
    found = []
    for row in counts:
        place = np.concatenate([np.arange(a, a + m) for a, m in zip(start, row)])
        try: ends = borrowed_mean(now[place], place, was, slope=None).confidence_interval(level)
        except ValueError: found.append(False)
        else: found.append(not ends.low - SLACK <= now.mean() <= ends.high + SLACK)
    return np.array(found)


def borrowing(options):
    """An earlier run of all questions and a new one of some, drawn without replacement, exactly."""
    for total, size in ((10, 4),) if options.quick else ((10, 4), (20, 6)):
        steps = sorted({1, total // 10, total // 4, total // 2})
        laws = [(total - a - b - d, a, b, d) for a in (0, *steps) for b in (0, *steps)
                for d in (0, total // 4, total - a - b) if 0 < a + b and a + b + d <= total]
        found = [borrowed_misses(law, size) for law in dict.fromkeys(laws)]
        laws = list(dict.fromkeys(laws))
        for place, method in enumerate(("gaffke on differences", "t, fitted slope")):
            for level in range(len(LEVELS)):
                own = [one[place][level] / (NOMINAL[level] if place else 1) for one in found]
                top = int(np.argmax(own))
                both, before, now, never = laws[top]
                law = (f"{both} right in both runs, {before} before only, {now} now only, "
                       f"{never} never")
                yield line("borrowed", method, LEVELS[level], size, f"{size} of {total} questions",
                           own[top], law=law, aim="" if place else "1.05")


def spend_curve(share, p, price, k):
    """Mean spend and coverage at no try and at 1 to `k`, of two kinds of questions."""
    miss = (1 - np.asarray(p))[:, None] ** np.arange(k + 1)
    paid = np.c_[np.zeros(2), np.cumsum(miss[:, :-1], 1)] * np.asarray(price, float)[:, None]
    return share @ paid, share @ (1 - miss)


def equal_spend(options):
    """Coverage at equal spend, simulated: a share of the questions is dear and hard.

    At the spend that `compare` takes if none is stated, and at a stated one; of two systems that
    differ, and of two that are equal.
    """
    k, runs = np.arange(1, 9), 30 if options.quick else 300
    laws = [(dear, price, low) for dear in (.02, .1, .3) for price in (1., 10., 100.)
            for low in (.05, .3)]
    pairs = {"two systems": (.1, .5), "equal systems": (0., 1.)}
    designs = product((20,) if options.quick else (20, 60), pairs, ("default", "stated"))
    for questions, pair, spend in designs:
        own = [law + pairs[pair] for law in [*laws, (0., 1., .3), (1., 1., .3)]]
        def miss(seed, law, runs):
            rng = np.random.default_rng([seed, questions, law])
            return miss_equal_spend(rng, questions, own[law], k, runs, spend == "default")
        seen = [miss(11, law, runs)[0] for law in range(len(own))]
        tops = np.argmax(seen, 0).tolist()
        # Once more, so that a law is not picked for its luck.
        again = {law: miss(12, law, 6 * runs) for law in set(tops)}
        for level, top in enumerate(tops):
            rate, refused = again[top][0][level], again[top][1]
            law = "{:g} of the questions cost {:g} a try and are solved with {:g}".format(*own[top])
            if spend == "stated": law += f"; {refused:.0%} of all evaluations refused"
            same = (pair, spend, LEVELS[level]) == ("equal systems", "default", .95)
            yield line("equal spend", "t, jackknife", LEVELS[level], questions,
                       f"8 tries, {pair}, {spend} spend", rate / NOMINAL[level],
                       (rate * (1 - rate) / 6 / runs)**.5 / NOMINAL[level], law,
                       aim="1.2" if same else "")


def miss_equal_spend(rng, questions, law, k, runs, default=False):
    """Shares of intervals that miss, at each level, and of evaluations that are refused.

    One is refused where a stated spend is more than both have; those give no interval to be wrong.
    The default spend is less than both have: the truth is the one at the spend that was taken.
    """
    dear, price, low, gain, left = law
    share, sides = np.array([1 - dear, dear]), ((.5, low), (.5 + gain, low * left))
    curves = [spend_curve(share, p, (1, price), 200) for p in sides]
    target = None if default else .6 * min(paid[k[-1]] for paid, _ in curves)
    misses, made, drawn = np.zeros(len(LEVELS)), 0, 0
    while made < runs:
        drawn += 1
        kind = (rng.random(questions) < dear).astype(int)
        given, cost = [], np.array([1., price])[kind]
        for p in sides:
            c = rng.binomial(k[-1], np.array(p)[kind])
            given += [cost[:, None] * spend_at_k(k[-1], c, k), pass_at_k(k[-1], c, k)]
        if target and min(given[0][:, -1].mean(), given[2][:, -1].mean()) < target: continue
        made += 1
        for level, promised in enumerate(LEVELS):
            found = at_equal_spend(*given, spend=target, confidence_level=promised)
            truth = np.interp(found.spend, *curves[1]) - np.interp(found.spend, *curves[0])
            if found.interval.low <= truth <= found.interval.high: break  # So does every wider one
            misses[level] += 1
    return misses / runs, 1 - runs / drawn


KINDS = {"single": singles, "pair": pairs, "benchmark": benchmark, "ragged": ragged,
         "fixed pairs": fixed_pairs, "listed pairs": listed_pairs,
         "macro": macro, "clusters": clusters, "bands": bands, "tests": tests, "gates": gates,
         "reruns": reruns, "ratios": ratios, "sized ratios": sized_ratios, "judges": judges,
         "same": sames, "borrowing": borrowing, "equal spend": equal_spend}
TOLD = "rerun", "equal spend"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true",
                        help="fewer cells and starts, under a minute")
    parser.add_argument("--only", choices=KINDS, action="append",
                        help="only these parts; may be repeated")
    parser.add_argument("--out", type=Path,
                        help="default: sampling_eval/examples/worst_case.csv, or nothing with "
                             "--quick")
    options, start = parser.parse_args(), time.time()
    options.few = (1, 3, 15, 100) if options.quick else None
    if options.quick:
        options.runs, options.slow, options.most = (500, 10_000), 3000, 3000
    else:
        options.runs, options.slow, options.most = (2000, 100_000), 20_000, 20_000
    rows = []
    for name in options.only or KINDS:
        began = time.time()
        rows += list(KINDS[name](options))
        print(f"{name}: {len(rows)} cells, {time.time() - began:.0f} s", file=sys.stderr,
              flush=True)
    if options.out or not options.quick:
        examples = Path(__file__).parent.parent / "sampling_eval/examples"
        write(rows, options.out or examples / "worst_case.csv", options.only)
    report(rows)
    print(f"{time.time() - start:.0f} s")


def write(rows, path, only):
    """The table; with `only`, the other parts of an existing table are kept."""
    kinds = {row["kind"] for row in rows}
    if only and path.exists():
        with path.open() as file: rows = [row for row in csv.DictReader(file)
                                          if row["kind"] not in kinds] + rows
    write_rows(path, rows)
    # What lessons tell of the table; the wheel holds no more of it.
    told = [row for row in rows if row["kind"].startswith(TOLD)]
    write_rows(path.with_name("worst_case_told.csv"), told)


def write_rows(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def broken(row):
    """Whether a cell is above its aim by more than its simulation error."""
    return bool(row["aim"]) and float(row["misses"]) - 3 * float(row["error"]) > float(row["aim"])


def report(rows):
    """The worst cell of every kind and method, and those above their aim."""
    for kind, method in dict.fromkeys((row["kind"], row["method"]) for row in rows):
        some = [row for row in rows if (row["kind"], row["method"]) == (kind, method)]
        top = max(some, key=lambda row: float(row["misses"]))
        print(f"{kind}, {method}: misses {top['misses']} x nominal at {top['level']}, "
              f"{top['questions']} questions, {top['design']}: {top['law']}")
    for row in filter(broken, rows): print("ABOVE ITS AIM", *row.values())


if __name__ == "__main__":
    main()
