"""How often do nominal 95 % intervals hold the truth, for laws that occur in practice?

    python bench/coverage.py [--replicates 4000] [--out sampling_eval/examples/coverage.csv]

Simulates questions whose difficulty p follows a Beta law, n samples of each, and every interval
method of the package, for four designs: "questions" (truth: mean over the supply of questions),
"benchmark" (truth: mean over the questions drawn), "clusters" and "paired". bench/worst_case.py
has the laws that an adversary would choose.

The methods are written here a second time, vectorised over replicates; tests/test_coverage.py
holds them against the package. The integral of `gaffke` and the limits of `wilson` and of
`clopper-pearson` are the package's; only the replicates are new.

Law of the wrong answers, for maj@k: a wrong sample gives answer X with chance 0.7 and answer Y
with chance 0.3; ties are shared. At k = 1 all metrics are the average, so k = 1 is listed once,
as avg@n. Where a method has no interval because the data show no spread, the zero-width interval
that other code returns is counted; the column "no spread" has the share of such replicates. An
interval that misses by less than a millionth counts as holding the truth: pass@64 of easy
questions differs from 1 by 1e-15 only.
"""
import argparse
import csv
import time
from math import comb
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import betaincinv, expit, gammainccinv, gammaincinv, logit, stdtrit

from sampling_eval.foundations.credit import (all_credit, any_credit, majority_credit,
                                              share_credit)
from sampling_eval.foundations.urn import draws, mean_credit, second_moment
from sampling_eval.inference.intervals import clopper_pearson_limits, wilson_limits
from sampling_eval.inference.gaffke import gaffke_limits, tail_chance
from sampling_eval.inference.units import Units
from sampling_eval.inference.estimate import within_questions
from sampling_eval.inference.unseen import add_unseen

DIFFICULTIES = {"uniform": (1, 1), "U-shaped": (.3, .7), "hard": (.2, 2), "near 0": (1, 20),
                "near 1": (20, 1)}
QUESTIONS, SAMPLES = (15, 30, 200, 1000), (1, 4, 8, 64)
METHODS = ("gaffke", "gamma", "anchored-t", "t", "bootstrap", "wilson", "clopper-pearson",
           "flat normal", "fitted")
LEVEL, SHARE_X, TOLERANCE = .95, .7, 1e-6
LEVELS = .9, .95, .99, .999
FIELDS = ("design", "difficulty", "questions", "n", "k", "metric", "truth", "no spread", *METHODS,
          *(f"{m} width" for m in METHODS), *(f"default {100 * level:g}" for level in LEVELS),
          "runs of default")


def vote_credit(right, x, y):
    """Share of the win of the right answer in a vote with ties shared."""
    top = np.maximum(np.maximum(right, x), y)
    return (right == top) / ((right == top).astype(float) + (x == top) + (y == top))


def vote_mean_credit(k):
    """Mean credit of j right votes among k when the wrong ones split by law."""
    laws = [(j, np.arange(k - j + 1)) for j in range(k + 1)]
    return np.array([(draws([SHARE_X], [1 - SHARE_X], k - j, 0)[0] * vote_credit(j, x,
                                                                                 k - j - x)).sum()
                     if j < k else 1. for j, x in laws])


CREDITS = {
    "avg@n": share_credit, "pass@k": any_credit, "pass^k": all_credit, "cons@k": majority_credit,
    "maj@k": vote_mean_credit}


def list_votes(n):
    """Right, X and Y votes of n samples; row: number right, column: number of X."""
    c, x = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    return c, x, np.maximum(n - c - x, 0)


def vote_table(n, k):
    """maj@k with n samples, exact over all k-subsets, in the shape of `list_votes`."""
    c, x, y = list_votes(n)
    choose = np.array([[comb(a, b) for b in range(k + 1)] for a in range(n + 1)], float)
    terms = ((j, a, k - j - a) for j in range(k + 1) for a in range(k - j + 1))
    total = sum(choose[c, j] * choose[x, a] * choose[y, b] * vote_credit(j, a, b) for j, a,
                b in terms)
    return np.where(c + x <= n, total / comb(n, k), 0)


def vote_within(n, k):
    """Jackknife variance of maj@k for every state (c, x), as of the package; None where n = k."""
    if n == k: return None
    less = vote_table(n - 1, k)
    c, x, y = list_votes(n)
    at = lambda c, x: less[np.clip(c, 0, n - 1), np.clip(x, 0, n - 1)]
    value, times = np.stack([at(c - 1, x), at(c, x - 1), at(c, x)], -1), np.stack([c, x, y], -1)
    center = (times * value).sum(-1) / n
    return (n - 1) / n * (times * (value - center[..., None])**2).sum(-1)


def true_curve(credit, k):
    """The metric as a function of p, by a spline through 1501 points."""
    grid = np.sin(np.linspace(0, np.pi / 2, 1501))**2
    return CubicSpline(grid, mean_credit(grid, 1 - grid, np.array([k]), credit, 0)[:, 0])


def quantile(df): return stdtrit(df, (1 + LEVEL) / 2)


def tails_at(values, times, size, largest, truth, low=0., high=1.):
    """Chances of Gaffke's upper and lower limit to pass the truth, one row per replicate.

    `values` are totals and `size` sizes of the units; `largest` is the size of the invented one.
    """
    pair = []
    for sign, end in ((1, high), (-1, -low)):
        m = sign * np.broadcast_to(truth, len(times)) - TOLERANCE
        z = np.hstack([sign * values - m[:, None] * size, (largest * (end - m))[:, None]])
        pair.append(tail_chance(z, np.hstack([times, np.ones((len(times), 1))])))
    return pair


def gaffke(values, times, size, truth, low=0., high=1., room=40_000, widths=8):
    """Coverage of Gaffke's interval at all levels, its mean width at LEVEL, and the replicates.

    `values`, `times` and `size` have one row per replicate and one column per unit or state.
    """
    runs = int(np.clip(room // times.shape[1], 200, len(times)))
    values, times, size = (np.broadcast_to(o, np.shape(times))[:runs]
                           for o in (values, times, size))
    truth = np.broadcast_to(truth, runs) if np.ndim(truth) == 0 else truth[:runs]
    largest = np.where(times > 0, size, 0).max(1)
    count = (times * size).sum(1)
    mean = (times * values).sum(1) / count
    error = np.sqrt((times * (values - mean[:, None] * size)**2).sum(1)) / count
    # Within .8 standard errors every interval of 90 % and more holds the truth.
    far, upper, lower = np.abs(truth - mean) > .8 * error, np.ones(runs), np.ones(runs)
    if far.any(): upper[far], lower[far] = tails_at(values[far], times[far].astype(float),
                                                    size[far], largest[far], truth[far], low, high)
    cover = {level: float(((upper >= (1 - level) / 2) & (lower >= (1 - level) / 2)).mean())
             for level in LEVELS}
    wide = [width_of(v, t, s, low, high) for v, t, s in zip(values[:widths], times, size)]
    return cover, float(np.mean(wide)), runs


def width_of(values, times, size, low, high):
    """Width of the package's interval for one replicate."""
    seen = times > 0
    units = Units(values[seen, None], size[seen].astype(float), times[seen].astype(int),
                  (low, high), bool((size != 1).any()))
    ends = gaffke_limits(units, (1 - LEVEL) / 2)
    return float(ends[1][0] - ends[0][0])


def gamma_limit(mean, variance, step, room, tail):
    """Upper limit for fixed questions with equal steps, vectorised."""
    law = add_unseen(mean, variance, np.maximum(variance, 0) * step, step, room, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        skew = np.clip(np.nan_to_num(law.third / law.variance**1.5), -2, 2)
        skew = np.where(np.abs(skew) > 1e-3, skew, 1e-3)
    shape = 4 / skew**2
    quantile = np.where(skew > 0, gammainccinv(shape, tail), gammaincinv(shape, tail)) - shape
    # At least the exact limit where no sample is like the unseen one.
    unseen = mean - room * np.expm1(np.log(tail) * step)
    return np.maximum(law.mean + np.sqrt(law.variance) * skew / 2 * quantile, unseen)


def gamma_ends(mean, variance, n, k, count, least, most, level=LEVEL):
    """The interval for these questions, run again; `least` and `most` are the extremes seen."""
    step, tail = min(1, k / n) / count, (1 - level) / 2
    high = gamma_limit(mean, variance, step, 1 - least, tail)
    low = -gamma_limit(-mean, variance, step, most, tail)
    return np.minimum(np.maximum(low, 0), mean), np.maximum(np.minimum(high, 1), mean)


def anchored(mean, squares, count, low=0., high=1.):
    """Anchored t from the mean and the sum of squared deviations of `count` questions."""
    length = count + 2
    center = (count * mean + low + high) / length
    squares = squares + count * (mean - center)**2 + (low - center)**2 + (high - center)**2
    half = quantile(length - 1) * np.sqrt(squares / (length - 1) / length)
    return np.minimum(np.clip(center - half, low, high),
                      mean), np.maximum(np.clip(center + half, low, high), mean)


def anchored_clusters(total, size):
    """Anchored t over clusters: totals and sizes, shape (R, G)."""
    end = (size**2).sum(1) / size.sum(1)
    count, length = total.shape[1] + 2, size.sum(1) + 2 * end
    mean, seen = (total.sum(1) + end) / length, total.sum(1) / size.sum(1)
    squares = ((total - mean[:, None] * size)**2).sum(1) + (mean * end)**2 + ((1 - mean) * end)**2
    df = length**2 / ((size**2).sum(1) + 2 * end**2) - 1
    half = quantile(df) * np.sqrt(count / (count - 1) * squares) / length
    return np.minimum(np.clip(mean - half, 0, 1), seen), np.maximum(np.clip(mean + half, 0, 1),
                                                                    seen)


def plain(total, size):
    """The t interval over units."""
    count, mean = total.shape[1], total.sum(1) / size.sum(1)
    squares = ((total - mean[:, None] * size)**2).sum(1)
    half = quantile(count - 1) * np.sqrt(count / (count - 1) * squares) / size.sum(1)
    return mean - half, mean + half


def plain_moments(mean, variance, df):
    """The t interval from mean and variance of the mean."""
    half = quantile(df) * np.sqrt(np.maximum(variance, 0))
    return mean - half, mean + half


def binary_methods(mean, count):
    """Wilson and Clopper-Pearson for one 0/1 outcome a question."""
    seen = np.rint(mean * count), count, (1 - LEVEL) / 2
    return {"wilson": wilson_limits(*seen), "clopper-pearson": clopper_pearson_limits(*seen)}


def bootstrap(states, tables, rng, draws=500, most=1000):
    """Percentile bootstrap of the first replicates, for all tables at once; shape (2, R, M)."""
    states, count = states[:most], int(states[0].sum())
    ends = np.empty((2, len(states), tables.shape[1]))
    for i, row in enumerate(states):
        seen = np.flatnonzero(row)
        means = rng.multinomial(count, row[seen] / count, draws) @ tables[seen] / count
        ends[:, i] = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return ends


def normal(mean, variance):
    half = quantile(np.inf) * np.sqrt(variance)
    return np.clip(mean - half, 0, 1), np.clip(mean + half, 0, 1)


def flat_normal(states, n, k, credit):
    """Flat prior on every question, moments of the posterior, normal interval clipped to [0, 1]."""
    c, budget = np.arange(n + 1.), np.array([k])
    mean, square = (f(c + 1, n - c + 1, budget, credit, 1)[:, 0]
                    for f in (mean_credit, second_moment))
    count = states[0].sum()
    return normal(states @ mean / count, states @ np.maximum(square - mean**2, 0) / count**2)


def row(design, difficulty, count, n, k, metric, truth, ends, flat, default):
    """One line of the table: coverage in percent and mean width of each method.

    `default` holds what `gaffke` returns, or the intervals of `gamma` at each level.
    """
    line = dict(design=design, difficulty=difficulty, questions=count, n=n, k=k, metric=metric)
    line |= {"truth": f"{np.mean(truth):.4g}", "no spread": f"{100 * np.mean(flat):.1f}"}
    if isinstance(default, dict):
        ends = {"gamma": default[LEVEL]} | ends
        shares, runs = {level: covered(*default[level], truth) for level in LEVELS}, len(flat)
    else:
        shares, width, runs = default
        line |= {"gaffke": f"{100 * shares[LEVEL]:.1f}", "gaffke width": f"{width:.3g}"}
    for method, (low, high) in ends.items():
        line[method] = f"{100 * covered(low, high, truth):.1f}"
        line[f"{method} width"] = f"{np.mean(np.clip(high, -1, 1) - np.clip(low, -1, 1)):.3g}"
    return line | {f"default {100 * level:g}": f"{100 * share:.2f}" for level,
                   share in shares.items()} | {"runs of default": runs}


def covered(low, high, truth):
    truths = np.broadcast_to(truth, len(low)) if np.ndim(truth) == 0 else truth[:len(low)]
    return np.mean((low <= truths + TOLERANCE) & (truths - TOLERANCE <= high))


def budgets(n): return sorted({1, max(1, n // 2), (3 * n + 3) // 4, n})


def simulate(difficulty, count, n, replicates, rng, fitted=0):
    """Lines for both targets at one difficulty, number of questions and number of samples."""
    a, b = DIFFICULTIES[difficulty]
    p = rng.beta(a, b, (replicates, count))
    c = rng.binomial(n, p)
    x = rng.binomial(n - c, SHARE_X)
    states = np.bincount((np.arange(replicates)[:, None] * (n + 1) + c).ravel(),
                         minlength=replicates * (n + 1)).reshape(-1, n + 1)
    cells = [(k, metric) for k in budgets(n) for metric in CREDITS
             if (k == 1) == (metric == "avg@n")]
    tables = np.stack([count_table(n, k, metric) for k, metric in cells], 1)
    drawn = bootstrap(states, tables, rng)
    priors = fit_priors(states[:fitted], n) if fitted and n > 1 else []
    for i, (k, metric) in enumerate(cells):
        credit, vote = CREDITS[metric], metric == "maj@k"
        within = vote_within(n, k) if vote else within_questions(n, np.arange(n + 1), k,
                                                                 credit).variance
        if vote:
            values = vote_table(n, k)[c, x]
            mean, squares, flat = values.mean(1), values.var(1) * count, np.ptp(values, axis=1) == 0
            # Without a variance of their own the spread of the questions stands in.
            noise = squares * count / (count - 1) if within is None else within[c, x].sum(1)
            least, most = values.min(1), values.max(1)
            units = values, np.ones_like(values)
        else:
            mean = states @ tables[:, i] / count
            rest = tables[:, i] - mean[:, None]
            squares, noise = (states * rest**2).sum(1), states @ within
            flat = np.abs(np.where(states > 0, rest, 0)).max(1) < 1e-15
            least, most = (f(np.where(states > 0, tables[:, i], -sign), axis=1) for f,
                           sign in ((np.min, -1), (np.max, 1)))
            units = tables[:, i], states
        squares = np.where(flat, 0, squares)
        ends = {"anchored-t": anchored(mean, squares, count),
                "t": plain_moments(mean, squares / count / (count - 1), count - 1)}
        if not vote and np.isin(tables[:, i], (0, 1)).all(): ends |= binary_methods(mean, count)
        posterior = {} if vote else {"flat normal": flat_normal(states, n, k, credit)}
        boot = {} if vote else {"bootstrap": drawn[:, :, i]}
        truth = (draws([a], [b], k, 1) @ credit(k))[0]
        yield row("questions", difficulty, count, n, k, metric, truth, ends | boot | posterior,
                  flat, gaffke(*units, 1., truth))
        variance = noise / count**2
        fixed = {level: gamma_ends(mean, variance, n, k, count, least, most, level)
                 for level in LEVELS}
        if priors and not vote: posterior["fitted"] = fitted_quantiles(priors, states, n, k, credit)
        yield row("benchmark", difficulty, count, n, k, metric, true_curve(credit, k)(p).mean(1),
                  {"t": plain_moments(mean, variance, np.inf)} | posterior, noise <= 0, fixed)


def count_table(n, k, metric):
    """Value of every state c = 0..n."""
    return mean_credit(np.arange(n + 1), n - np.arange(n + 1), np.array([k]), CREDITS[metric])[:, 0]


def fit_priors(states, n):
    from sampling_eval.inference.bayes import fit_prior
    seen = [np.flatnonzero(s) for s in states]
    return [fit_prior(np.full(len(c), n), c, times=s[c]) for c, s in zip(seen, states)]


def fitted_quantiles(priors, states, n, k, credit):
    """Quantile interval under the prior fitted to each replicate."""
    from sampling_eval.inference.bayes import posterior
    ends = []
    for prior, s in zip(priors, states):
        c = np.flatnonzero(s)
        ends.append(posterior(np.full(len(c), n), c, k, credit, prior=prior,
                              times=s[c]).confidence_interval(LEVEL))
    return np.array([e.low for e in ends]), np.array([e.high for e in ends])


SIZES = {"five each": lambda rng, shape: np.full(shape, 5), "geometric": lambda rng,
         shape: np.minimum(rng.geometric(.2, shape), 30),
         "few large": lambda rng, shape: np.where(rng.random(shape) < .1, 40, 4)}


def simulate_clusters(difficulty, law, count, replicates, rng):
    """Lines for clusters whose questions share one difficulty."""
    a, b = DIFFICULTIES[difficulty]
    size = SIZES[law](rng, (replicates, count))
    p = rng.beta(a, b, (replicates, count))
    inside = np.arange(size.max()) < size[..., None]
    for n, k, metric in (1, 1, "avg@n"), (8, 4, "pass@k"), (8, 8, "cons@k"):
        total = (count_table(n, k,
                             metric)[rng.binomial(n, p[..., None], inside.shape)] * inside).sum(-1)
        flat = np.ptp(total / size, axis=1) == 0
        ends = {"anchored-t": anchored_clusters(total, size.astype(float)),
                "t": plain(total, size.astype(float))}
        truth = (draws([a], [b], k, 1) @ CREDITS[metric](k))[0]
        default = gaffke(total, np.ones_like(total), size, truth)
        yield row("clusters", f"{difficulty}, {law}", count, n, k, metric, truth, ends, flat,
                  default)


def simulate_paired(difficulty, law, count, n, replicates, rng):
    """Lines for two systems: B's log-odds are 0.7 higher, or B differs on some questions only."""
    a, b = DIFFICULTIES[difficulty]
    other = lambda p: expit(logit(np.clip(p, 1e-300, 1 - 1e-16)) + .7)
    p = rng.beta(a, b, (replicates, count))
    change = rng.random(p.shape) < {"shift": 0, "30 % differ": .3, "5 % differ": .05}[law]
    q = other(p) if law == "shift" else np.where(change, rng.beta(a, b, p.shape), p)
    c, d = rng.binomial(n, p), rng.binomial(n, q)
    angle = (np.arange(200000) + .5) / 200000
    supply = betaincinv(a, b, angle) if law == "shift" else None
    for k in budgets(n):
        for metric in ("avg@n",) if k == 1 else ("pass@k", "pass^k", "cons@k"):
            curve = true_curve(CREDITS[metric], k)
            truth = 0. if supply is None else (curve(other(supply)) - curve(supply)).mean()
            table = count_table(n, k, metric)
            values = table[d] - table[c]
            yield pair_row(f"{difficulty}, {law}", count, n, k, metric, truth, values)


def pair_row(difficulty, count, n, k, metric, truth, values):
    """The line of a table of differences, one row per replicate."""
    ends = {"anchored-t": anchored(values.mean(1), values.var(1) * count, count, -1., 1.),
            "t": plain(values, np.ones_like(values))}
    default = gaffke(values, np.ones_like(values), 1., truth, -1., 1.)
    return row("paired", difficulty, count, n, k, metric, truth, ends, np.ptp(values, axis=1) == 0,
               default)


def simulate_one_sided(count, n, replicates, rng):
    """Lines for systems that agree but on two questions in Q, all won by B, or all by A."""
    for law, sign in ("two in Q fixed by B", 1), ("two in Q broken by B", -1):
        change = rng.random((replicates, count)) < 2 / count
        for same, name in (0, "alike elsewhere"), (1, "equally noisy elsewhere"):
            p = rng.random((replicates, count))
            noise = same * (rng.binomial(n, p) - rng.binomial(n, p)) / n
            yield pair_row(f"{law}, {name}", count, n, 1, "avg@n", sign * 2 / count,
                           np.where(change, float(sign), noise))


def full_table(replicates, fitted):
    rng = np.random.default_rng(0)
    for difficulty in DIFFICULTIES:
        for count in QUESTIONS:
            for n in SAMPLES: yield from simulate(difficulty, count, n,
                                                  replicates // (1 + (count > 500)), rng,
                                                  fitted if count in (30, 200) else 0)
            if count <= 200:
                for law in ("shift", "30 % differ", "5 % differ"):
                    for n in SAMPLES: yield from simulate_paired(difficulty, law, count, n,
                                                                 replicates, rng)
                if difficulty == "uniform": yield from simulate_one_sided(count, 8, replicates, rng)
        for count in (5, 10, 30, 100):
            for law in SIZES: yield from simulate_clusters(difficulty, law, count, replicates, rng)


def write_lines(path, fields, lines):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fields, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replicates", type=int, default=2000,
                        help="half as many with 1000 questions; at most 1000 for the bootstrap")
    parser.add_argument("--fitted", type=int, default=50,
                        help="replicates with a fitted prior, at 30 and 200 questions")
    examples = Path(__file__).parent.parent / "sampling_eval/examples"
    parser.add_argument("--out", type=Path, default=examples / "coverage.csv")
    options, start = parser.parse_args(), time.time()
    lines = list(full_table(options.replicates, options.fitted))
    write_lines(options.out, FIELDS, lines)
    # The wheel holds no more of the table.
    fitted = [line for line in lines if line.get("fitted") not in (None, "")]
    write_lines(options.out.with_name("fitted_coverage.csv"), ["questions", "fitted"], fitted)
    print(f"{options.out}, {time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
