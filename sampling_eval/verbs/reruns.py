"""What more samples of the same questions give: another run, and how far they narrow a CI."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields

import numpy as np

from ..foundations.counts import Counts, distinct_states
from ..foundations.urn import draws, mean_credit, within_variance
from ..inference.rerun import Kinds, facts_of
from ..records import dataclass
from ..results.score_report import Reruns

__all__ = ["find_reruns", "rerun_models", "doubt_samples"]


# Another run


def find_reruns(
    systems: Sequence[Counts],  # Counts of every system
) -> Reruns | None:  # None for several, and where `measure_reruns` has none
    "What another run of the only system would give."
    return measure_reruns(systems[0]) if len(systems) == 1 else None


def measure_reruns(
    counts: Counts,  # Counts of one system
) -> Reruns | None:  # None for graded scores, and where a question has one sample
    "What another run of the same questions would give."
    if counts.c is None or counts.n_min < 2: return None
    states = counts.states
    facts = facts_of(Kinds(states.n, states.c, states.times))
    return Reruns(*(getattr(facts, one.name) for one in fields(Reruns)))


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


# How far more samples narrow an interval


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
