"""How often do nominal 95 % intervals hold the truth?

    python bench/coverage.py [--replicates 4000] [--out nbs/data/coverage.csv]

Simulates questions whose difficulty p follows a Beta law, n samples of each, and every interval method of the package, for four designs:
"questions" (truth: mean over the supply of questions), "benchmark" (truth: mean over the questions drawn), "clusters" and "paired".
The methods are written here a second time, vectorised over replicates; tests/test_coverage.py holds them against the package.

Law of the wrong answers, for maj@k: a wrong sample gives answer X with chance 0.7 and answer Y with chance 0.3; ties are shared.
At k = 1 all metrics are the average, so k = 1 is listed once, as avg@n. Where a method has no interval because the data show no spread,
the zero-width interval that other code returns is counted; the column "no spread" has the share of such replicates. An interval that
misses by less than a millionth counts as holding the truth: pass@64 of easy questions differs from 1 by 1e-15 only.
"""
import argparse
import csv
import time
from math import comb
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import betaincinv, expit, logit, stdtrit

from sampling_eval.foundations.urn import draws, mean_credit, second_moment
from sampling_eval.inference.estimate import jackknife_variance, within_questions

DIFFICULTIES = {"uniform": (1, 1), "U-shaped": (.3, .7), "hard": (.2, 2), "near 0": (1, 20), "near 1": (20, 1)}
QUESTIONS, SAMPLES = (15, 30, 200, 1000), (1, 4, 8, 64)
METHODS = ("anchored-t", "t", "bootstrap", "logit-t", "score-t", "wilson", "clopper-pearson", "flat normal", "fitted")
LEVEL, SHARE_X, TOLERANCE = .95, .7, 1e-6
FIELDS = ("design", "difficulty", "questions", "n", "k", "metric", "truth", "no spread") + METHODS + tuple(f"{m} width" for m in METHODS)


def vote_credit(right, x, y):
    """Share of the win of the right answer in a vote with ties shared."""
    top = np.maximum(np.maximum(right, x), y)
    return (right == top) / ((right == top).astype(float) + (x == top) + (y == top))


def vote_mean_credit(k):
    """Mean credit of j right votes among k when the wrong ones split by law."""
    laws = [(j, np.arange(k - j + 1)) for j in range(k + 1)]
    return np.array([(draws([SHARE_X], [1 - SHARE_X], k - j, 0)[0] * vote_credit(j, x, k - j - x)).sum() if j < k else 1. for j, x in laws])


CREDITS = {
    "avg@n": lambda k: np.arange(k + 1) / k,
    "pass@k": lambda k: (np.arange(k + 1) >= 1) * 1.,
    "pass^k": lambda k: (np.arange(k + 1) == k) * 1.,
    "cons@k": lambda k: (np.arange(k + 1) > k / 2) * 1.,
    "maj@k": vote_mean_credit,
}


def vote_table(n, k):
    """maj@k of every state (right, X) with n samples, exact over all k-subsets; the row is the number right, the column that of X."""
    c, x = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    y = np.maximum(n - c - x, 0)
    choose = np.array([[comb(a, b) for b in range(k + 1)] for a in range(n + 1)], float)
    terms = ((j, a, k - j - a) for j in range(k + 1) for a in range(k - j + 1))
    total = sum(choose[c, j] * choose[x, a] * choose[y, b] * vote_credit(j, a, b) for j, a, b in terms)
    return np.where(c + x <= n, total / comb(n, k), 0)


def vote_within(n, k):
    """Jackknife variance of maj@k for every state; None where n = k."""
    if n == k: return None
    less = vote_table(n - 1, k)
    c, x = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    y = np.maximum(n - c - x, 0)
    at = lambda c, x: less[np.clip(c, 0, n - 1), np.clip(x, 0, n - 1)]
    return jackknife_variance(np.stack([at(c - 1, x), at(c, x - 1), at(c, x)], -1), np.stack([c, x, y], -1))


def true_curve(credit, k):
    """The metric as a function of p, by a spline through 1501 points."""
    grid = np.sin(np.linspace(0, np.pi / 2, 1501))**2
    return CubicSpline(grid, mean_credit(grid, 1 - grid, np.array([k]), credit, 0)[:, 0])


def quantile(df): return stdtrit(df, (1 + LEVEL) / 2)


def anchored(mean, squares, count, low=0., high=1., weight=1.):
    """Anchored t from the mean and the sum of squared deviations of `count` questions."""
    length = count + 2 * weight
    center = (count * mean + weight * (low + high)) / length
    squares = squares + count * (mean - center)**2 + weight * ((low - center)**2 + (high - center)**2)
    half = quantile(length - 1) * np.sqrt(squares / (length - 1) / length)
    return np.clip(center - half, low, high), np.clip(center + half, low, high)


def anchored_clusters(total, size):
    """Anchored t over clusters: totals and sizes, shape (R, G)."""
    end = (size**2).sum(1) / size.sum(1)
    count, length = total.shape[1] + 2, size.sum(1) + 2 * end
    mean = (total.sum(1) + end) / length
    squares = ((total - mean[:, None] * size)**2).sum(1) + (mean * end)**2 + ((1 - mean) * end)**2
    df = length**2 / ((size**2).sum(1) + 2 * end**2) - 1
    half = quantile(df) * np.sqrt(count / (count - 1) * squares) / length
    return np.clip(mean - half, 0, 1), np.clip(mean + half, 0, 1)


def plain(total, size):
    """The t interval over units."""
    count, mean = total.shape[1], total.sum(1) / size.sum(1)
    half = quantile(count - 1) * np.sqrt(count / (count - 1) * ((total - mean[:, None] * size)**2).sum(1)) / size.sum(1)
    return mean - half, mean + half


def moment_methods(mean, variance, count):
    """t, logit-t and score-t from mean and variance of the mean."""
    t, error = quantile(count - 1), np.sqrt(variance)
    inner = np.clip(mean, 1e-12, 1 - 1e-12)
    spread = np.where(error > 0, t * error / (inner * (1 - inner)), 0)
    odds = (1 - inner) / inner
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        trials = np.where(error > 0, mean * (1 - mean) / variance, count)
        logits = np.where(error > 0, 1 / (1 + odds * np.exp(spread)), mean), np.where(error > 0, 1 / (1 + odds * np.exp(-spread)), mean)
    return {"t": (mean - t * error, mean + t * error), "logit-t": logits, "score-t": wilson(mean, trials, t)}


def wilson(mean, trials, z):
    share = 1 / np.maximum(trials, 1e-9)
    half = z * np.sqrt(np.maximum(mean * (1 - mean), 0) * share + z**2 * share**2 / 4)
    center = mean + z**2 * share / 2
    return (center - half) / (1 + z**2 * share), (center + half) / (1 + z**2 * share)


def binary_methods(mean, count):
    """Wilson and Clopper-Pearson for one 0/1 outcome a question."""
    right, tail = np.rint(mean * count), (1 - LEVEL) / 2
    low, high = wilson(mean, count, quantile(np.inf))
    exact_low = np.where(right > 0, betaincinv(np.maximum(right, 1), count - right + 1, tail), 0)
    exact_high = np.where(right < count, betaincinv(right + 1, np.maximum(count - right, 1), 1 - tail), 1)
    return {"wilson": (np.where(right == 0, 0, low), np.where(right == count, 1, high)), "clopper-pearson": (exact_low, exact_high)}


def bootstrap(states, tables, rng, draws=500, most=1000):
    """Percentile bootstrap of the first replicates on the histogram of states, for all tables at once; shape (2, R, M)."""
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
    mean, square = (f(c + 1, n - c + 1, budget, credit, 1)[:, 0] for f in (mean_credit, second_moment))
    count = states[0].sum()
    return normal(states @ mean / count, states @ np.maximum(square - mean**2, 0) / count**2)


def fixed_questions(mean, noise, count, n, k):
    """Anchored t and plain t for these questions only; `noise` is the sum of the within-question variances."""
    trials = max(2, n / k)
    weight, t = 2 / trials, quantile(count * (trials - 1))
    center = (mean * count + weight) / (count + 2 * weight)
    half = t * np.sqrt(np.maximum(noise, 0) + weight**2 * (center**2 + (1 - center)**2)) / (count + 2 * weight)
    error = t * np.sqrt(np.maximum(noise, 0)) / count
    return {"anchored-t": (np.clip(center - half, 0, 1), np.clip(center + half, 0, 1)), "t": (mean - error, mean + error)}


def row(design, difficulty, count, n, k, metric, truth, ends, flat):
    """One line of the table: coverage in percent and mean width of each method."""
    line = dict(design=design, difficulty=difficulty, questions=count, n=n, k=k, metric=metric)
    line |= {"truth": f"{np.mean(truth):.4g}", "no spread": f"{100 * np.mean(flat):.1f}"}
    for method, (low, high) in ends.items():
        truths = np.broadcast_to(truth, len(flat))[:len(low)]
        line[method] = f"{100 * np.mean((low <= truths + TOLERANCE) & (truths - TOLERANCE <= high)):.1f}"
        line[f"{method} width"] = f"{np.mean(np.clip(high, -1, 1) - np.clip(low, -1, 1)):.3g}"
    return line


def budgets(n): return sorted({1, max(1, n // 2), n})


def simulate(difficulty, count, n, replicates, rng, fitted=0):
    """Lines for both targets at one difficulty, number of questions and number of samples."""
    a, b = DIFFICULTIES[difficulty]
    p = rng.beta(a, b, (replicates, count))
    c = rng.binomial(n, p)
    x = rng.binomial(n - c, SHARE_X)
    states = np.bincount((np.arange(replicates)[:, None] * (n + 1) + c).ravel(), minlength=replicates * (n + 1)).reshape(-1, n + 1)
    cells = [(k, metric) for k in budgets(n) for metric in CREDITS if (k == 1) == (metric == "avg@n")]
    tables = np.stack([count_table(n, k, metric) for k, metric in cells], 1)
    drawn = bootstrap(states, tables, rng)
    priors = fit_priors(states[:fitted], n) if fitted and n > 1 else []
    for i, (k, metric) in enumerate(cells):
        credit, vote = CREDITS[metric], metric == "maj@k"
        within = vote_within(n, k) if vote else within_questions(n, np.arange(n + 1), k, credit) if n > 1 else None
        known = within is not None and not np.isnan(within).all()
        if vote:
            values = vote_table(n, k)[c, x]
            mean, squares, flat = values.mean(1), values.var(1) * count, np.ptp(values, axis=1) == 0
            noise = within[c, x].sum(1) if known else None
        else:
            mean = states @ tables[:, i] / count
            rest = tables[:, i] - mean[:, None]
            squares, noise = (states * rest**2).sum(1), states @ within if known else None
            flat = np.abs(np.where(states > 0, rest, 0)).max(1) < 1e-15
        squares = np.where(flat, 0, squares)
        ends = {"anchored-t": anchored(mean, squares, count)} | moment_methods(mean, squares / count / (count - 1), count)
        if not vote and np.isin(tables[:, i], (0, 1)).all(): ends |= binary_methods(mean, count)
        posterior = {} if vote else {"flat normal": flat_normal(states, n, k, credit)}
        boot = {} if vote else {"bootstrap": drawn[:, :, i]}
        truth = (draws([a], [b], k, 1) @ credit(k))[0]
        yield row("questions", difficulty, count, n, k, metric, truth, ends | boot | posterior, flat)
        fixed = fixed_questions(mean, noise, count, n, k) if known else {m: ends[m] for m in ("anchored-t", "t")}
        if priors and not vote: posterior["fitted"] = fitted_quantiles(priors, states, n, k, credit)
        yield row("benchmark", difficulty, count, n, k, metric, true_curve(credit, k)(p).mean(1), fixed | posterior, noise <= 0 if known else flat)


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
        ends.append(posterior(np.full(len(c), n), c, k, credit, prior=prior, times=s[c]).confidence_interval(LEVEL))
    return np.array([e.low for e in ends]), np.array([e.high for e in ends])


SIZES = {"five each": lambda rng, shape: np.full(shape, 5), "geometric": lambda rng, shape: np.minimum(rng.geometric(.2, shape), 30),
         "few large": lambda rng, shape: np.where(rng.random(shape) < .1, 40, 4)}


def simulate_clusters(difficulty, law, count, replicates, rng):
    """Lines for clusters whose questions share one difficulty."""
    a, b = DIFFICULTIES[difficulty]
    size = SIZES[law](rng, (replicates, count))
    p = rng.beta(a, b, (replicates, count))
    inside = np.arange(size.max()) < size[..., None]
    for n, k, metric in (1, 1, "avg@n"), (8, 4, "pass@k"), (8, 8, "cons@k"):
        total = (count_table(n, k, metric)[rng.binomial(n, p[..., None], inside.shape)] * inside).sum(-1)
        flat = np.ptp(total / size, axis=1) == 0
        ends = {"anchored-t": anchored_clusters(total, size.astype(float)), "t": plain(total, size.astype(float))}
        yield row("clusters", f"{difficulty}, {law}", count, n, k, metric, (draws([a], [b], k, 1) @ CREDITS[metric](k))[0], ends, flat)


def simulate_paired(difficulty, law, count, n, replicates, rng):
    """Lines for two systems on the same questions: B's log-odds are 0.7 higher, or B differs on some questions only."""
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
            ends = {"anchored-t": anchored(values.mean(1), values.var(1) * count, count, -1., 1., .5), "t": plain(values, np.ones_like(values))}
            yield row("paired", f"{difficulty}, {law}", count, n, k, metric, truth, ends, np.ptp(values, axis=1) == 0)


def full_table(replicates, fitted):
    rng = np.random.default_rng(0)
    for difficulty in DIFFICULTIES:
        for count in QUESTIONS:
            for n in SAMPLES: yield from simulate(difficulty, count, n, replicates // (1 + (count > 500)), rng, fitted if count in (30, 200) else 0)
            if count <= 200:
                for law in ("shift", "30 % differ", "5 % differ"):
                    for n in SAMPLES: yield from simulate_paired(difficulty, law, count, n, replicates, rng)
        for count in (5, 10, 30, 100):
            for law in SIZES: yield from simulate_clusters(difficulty, law, count, replicates, rng)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replicates", type=int, default=4000, help="half as many with 1000 questions; at most 1000 for the bootstrap")
    parser.add_argument("--fitted", type=int, default=200, help="replicates with a fitted prior, at 30 and 200 questions")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "nbs/data/coverage.csv")
    options, start = parser.parse_args(), time.time()
    with options.out.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for line in full_table(options.replicates, options.fitted): writer.writerow(line)
    print(f"{options.out}, {time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
