"""Posterior intervals of cons@k, here and in scorio, on the same outcomes in one run.

    python bench/posterior.py [questions] [samples] [k ...]

Ours takes the outcomes or the counts; the first includes counting. Fitting a prior is timed on its
own. Each time is the best of several. scorio is a development requirement; without it, only our
times are shown."""
import sys
from importlib.metadata import version

import numpy as np

from sampling_eval.foundations.credit import majority_credit
from sampling_eval.inference.bayes import posterior
from timing import best_of


def ours(outcomes, k, method):
    n = np.full(len(outcomes), outcomes.shape[1])
    law = posterior(n, outcomes.sum(1), k, majority_credit)
    interval = law.confidence_interval(method=method)
    return interval.low, interval.high


def main(questions=10_000, samples=256, *budgets):
    try:
        from scorio.eval import maj_at_k_ci
        peer = f"scorio {version('scorio')} s"
    except ImportError: maj_at_k_ci, peer = None, "scorio, not installed"
    rng = np.random.default_rng(0)
    outcomes = (rng.random((questions, samples)) < rng.beta(.3, .7, (questions, 1))).astype(int)
    c, n = outcomes.sum(1), np.full(questions, samples)
    print(f"{questions} questions x {samples} samples, flat prior, cons@k, 95 %")
    print(f"{'k':>4} {'quantiles s':>12} {'of counts s':>12} {'fitted s':>9} {'normal s':>9} "
          f"{peer:>16} {'ratio':>7} {'largest difference':>19}")
    for k in budgets or (16, 64, 128):
        _, exact = best_of(5, lambda: ours(outcomes, k, None))
        _, counted = best_of(5, lambda: posterior(n, c, k, majority_credit).confidence_interval())
        _, fitted = best_of(
            2, lambda: posterior(n, c, k, majority_credit, prior="fitted").confidence_interval())
        ends, normal = best_of(5, lambda: ours(outcomes, k, "normal"))
        line = f"{k:4} {exact:12.4f} {counted:12.4f} {fitted:9.3f} {normal:9.4f}"
        if maj_at_k_ci:
            theirs, slow = best_of(1, lambda: maj_at_k_ci(outcomes, k))
            off = np.abs(np.subtract(ends, theirs[2:])).max()
            line += f" {slow:16.3f} {slow / normal:7.0f} {off:19.1e}"
        print(line)


if __name__ == "__main__": main(*map(int, sys.argv[1:]))
