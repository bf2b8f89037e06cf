"""The whole maj@k curve, exact, against resampling 1000 subsets: `python bench/vote.py`.

Resampling is vectorised and gets all k from each random order, the fastest form we know; many
questions and orders are drawn at once."""
import sys

import numpy as np

from sampling_eval.foundations.answers import votes_of
from sampling_eval.metrics.vote import maj_from_votes
from timing import best_of

CASES = [(1000, 64, 8, "even-ish"), (1000, 16, 5, "even-ish"),
         (100, 100, 40, "Zipf"), (1, 1000, 200, "Zipf")]


def simulated(questions, n, classes, kind, rng):
    share = 1 / np.arange(1, classes + 1) if kind == "Zipf" else np.linspace(2, 1, classes)
    return rng.choice(classes, (questions, n), p=share / share.sum())


def resampled(answers, classes, draws, rng):
    """Mean credit of the first k samples over random orders; shape (Q, n).

    Answer 0 is right, ties are shared."""
    questions, n = answers.shape
    together = min(draws, max(1, 4096 // questions))
    total, rows = np.zeros((questions, n)), np.arange(questions * together)
    for _ in range(draws // together):
        order = rng.permuted(np.tile(answers, (together, 1)), axis=1)
        votes = np.zeros((len(rows), classes), np.int32)
        top, tied = np.zeros(len(rows), np.int32), np.ones(len(rows), np.int32)
        for k in range(n):
            votes[rows, order[:, k]] += 1
            now = votes[rows, order[:, k]]
            tied = np.where(now > top, 1, tied + (now == top))
            top = np.maximum(top, now)
            total[:, k] += ((votes[:, 0] == top) / tied).reshape(together, questions).sum(0)
    return total / (draws // together * together)


def main(draws=1000):
    print(f"{'questions x samples, answers':32} {'counting s':>10} {'exact s':>9} "
          f"{f'{draws} orders s':>13} {'ratio':>7} {'rms error of resampling':>24}")
    for questions, n, classes, kind in CASES:
        rng = np.random.default_rng(0)
        answers = simulated(questions, n, classes, kind, rng)
        votes, counting = best_of(3, lambda: votes_of(answers, answers == 0))
        exact, fast = best_of(3, lambda: maj_from_votes(votes, np.arange(1, n + 1)))
        sampled, slow = best_of(1, lambda: resampled(answers, classes, draws, rng))
        error = np.sqrt(np.mean((sampled - exact)**2))
        print(f"{f'{questions} x {n}, {classes} {kind}':32} {counting:10.3f} {fast:9.3f} "
              f"{slow:13.2f} {slow / fast:7.1f} {error:24.4f}")


if __name__ == "__main__": main(*map(int, sys.argv[1:]))
