"""How much more samples can narrow an interval at most: a limit for the variance between questions.

More samples of the same questions leave the variance between their true values. Its unbiased
estimate, `sum((x - mean)^2) / (Q (Q - 1)) - sum(noise) / Q^2`, is too large in about half of all
runs; what is computed here, subtracted from it, is so in one of twenty.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..foundations.counts import distinct_states
from ..foundations.urn import draws, mean_credit, within_variance
from ..records import dataclass

__all__ = ["doubt_samples"]

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
    found = [redraw(n, c, k, credit) for n, c in sides]
    known = [one for one in found if one is not None]
    if len(known) < len(found): return None
    count = len(known[0].value)
    signs = (1,) if len(known) == 1 else (-1, 1)
    value = known[0].value if len(known) == 1 else known[1].value - known[0].value
    apart = value - value.mean()
    variance, step = np.zeros(count), 0.
    for sign, one in zip(signs, known):
        variance += 4 * apart**2 * one.spread + 4 * sign * apart * one.lean + one.rest
        step = max(step, *(find_step(sign * apart, one, *move) for move in one.moves))
    if len(known) == 2: variance += 4 * known[0].spread * known[1].spread
    reach = QUANTILE * float(variance.sum())**.5 + UNSEEN * step
    return reach / (count * max(count - 1, 1))


def find_step(apart: np.ndarray, one: Redrawn, value: np.ndarray, noise: np.ndarray) -> float:
    "How far one other outcome lowers the square of the distance from the mean, less the noise."
    moved = apart + value - one.value
    return float((apart**2 - one.noise - moved**2 + noise).max())


def redraw(n: np.ndarray, c: np.ndarray, k: int, credit: Callable) -> Redrawn | None:
    "The moments of one system's questions; None where there are too many outcomes to list."
    return redraw_single(n, c, credit) if k == 1 else redraw_listed(n, c, k, credit)


def redraw_single(n: np.ndarray, c: np.ndarray, credit: Callable) -> Redrawn:
    "The same for the mean of single samples, where all moments are known."
    wrong, right = map(float, credit(1))
    rise = right - wrong

    def read(c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return wrong + rise * c / n, rise**2 * c * (n - c) / (n * n * (n - 1.))

    chance = (c + .5) / (n + 1.)
    spread = rise**2 * chance * (1 - chance) / n
    moves = read(np.minimum(c + 1, n)), read(np.maximum(c - 1, 0))
    return Redrawn(*read(c), spread, np.zeros(len(n)), 2 * spread**2 * n / (n - 1.), moves)


def redraw_listed(n: np.ndarray, c: np.ndarray, k: int, credit: Callable) -> Redrawn | None:
    "The same for any budget, from a list of all outcomes of each question."
    sizes, rights, state = distinct_states(n, c)
    kinds = sorted(set(sizes.tolist()))
    cells = sum((size + 1) * max(int((sizes == size).sum()), 2 * k) for size in kinds)
    if cells > CELLS: return None
    columns = np.empty((9, len(sizes)))
    for size in kinds:
        own = sizes == size
        columns[:, own] = list_outcomes(size, rights[own], k, credit)
    value, noise, spread, lean, rest, more, loud, less, quiet = columns[:, state]
    return Redrawn(value, noise, spread, lean, rest, ((more, loud), (less, quiet)))


def list_outcomes(n: int, c: np.ndarray, k: int, credit: Callable) -> np.ndarray:
    "Columns of `Redrawn` for states with so many samples, each pair of `moves` taken apart."
    counts, budget = np.arange(n + 1), np.array([k])
    value = mean_credit(counts, n - counts, budget, credit)[:, 0]
    noise = within_variance(np.full(n + 1, n), counts, budget, credit)[:, 0]
    chance = draws(c + .5, n - c + .5, n, step=0)
    apart = value - (chance @ value)[:, None]
    square = apart**2 - noise
    mean = (chance * square).sum(1)
    moments = [(chance * one).sum(1) for one in (apart**2, apart * square, square**2)]
    more, less = np.minimum(c + 1, n), np.maximum(c - 1, 0)
    spread, lean, rest = moments
    return np.stack([value[c], noise[c], spread, lean, rest - mean**2,
                     value[more], noise[more], value[less], noise[less]])
