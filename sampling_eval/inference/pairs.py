"""Plumbing of a comparison: two systems on the same questions, before they are compared.

`align` finds the questions that both have, `pair_states` the pairs of values that occur, and
`pair_noise` how much their differences vary when only samples are drawn anew.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError
from ..spelling import option
from .fixed_questions import fix_questions
from .intervals import UPPER_BOUND, estimates_of
from .significance import sign_flips
from .units import Units, Weights, check_state, check_values, largest_size, units_of, weigh_units
from .estimate import weigh_fixed, within_questions


@dataclass(frozen=True, eq=False, repr=False)
class Alignment:
    "Where the common questions stand in either list, and what has no partner."
    a: np.ndarray  # Positions in A of the common questions
    b: np.ndarray  # Positions in B of the same questions
    names: tuple  # Their names, in the order of A
    only_a: tuple = ()  # Names that only A has
    only_b: tuple = ()  # Names that only B has

    def __repr__(self):
        sides = name_some("A", self.only_a), name_some("B", self.only_b)
        return f"{len(self.names)} in both, {sides[0]}, {sides[1]}"


def name_some(side, names):
    "How many names only one side has, with the first three."
    more = ", ..." if len(names) > 3 else ""
    shown = f" ({', '.join(map(repr, names[:3]))}{more})" if names else ""
    return f"{len(names)} only in {side}{shown}"


def align(
    names_a: Sequence,  # Name of each question of A
    names_b: Sequence,  # Name of each question of B
    on_unmatched: str = "refuse",  # `"refuse"`, or `"drop"` what has no partner
) -> Alignment:  # Positions of the common questions, in the order of A
    """Positions of the questions that two systems share.

    Raises: `ValueError` where a name occurs twice, has no partner and may not be
    dropped, or nothing is shared.
    """
    if on_unmatched not in ("refuse", "drop"):
        raise OptionError("on_unmatched", choices=("refuse", "drop"), got=on_unmatched)
    a, b = positions_of("A", names_a), positions_of("B", names_b)
    both, only_a = divide_names(a, b)
    _, only_b = divide_names(b, a)
    in_a, in_b = (np.array([side[name] for name in both], int) for side in (a, b))
    found = Alignment(in_a, in_b, both, only_a, only_b)
    if not both:
        hint = kinds_hint(a, b)
        raise ValueError(f"A and B must share questions, got {found}{hint}")
    if on_unmatched == "refuse" and (only_a or only_b):
        raise OptionError("on_unmatched", "A and B must cover the same questions",
                          found=str(found),
                          hint=f"{option('on_unmatched', 'drop')} compares the common ones")
    return found


def positions_of(side, names):
    "The position of every name, each of which may stand once."
    names = np.asarray(names).tolist() if isinstance(names, np.ndarray) else list(names)
    places = {name: i for i, name in enumerate(names)}
    if len(places) < len(names):
        twice = next(name for i, name in enumerate(names) if places[name] != i)
        raise ValueError(f"each question must appear once, got {twice!r} "
                         f"{names.count(twice)} times in {side}")
    return places


def divide_names(own, other):
    "The names that another side has too, and those that it has not."
    both = tuple(name for name in own if name in other)
    return both, tuple(name for name in own if name not in other)


def kinds_hint(a, b):
    "A hint where the names of the two sides are of different kinds."
    kinds = [type(next(iter(side), None)).__name__ for side in (a, b)]
    if kinds[0] == kinds[1]: return ""
    return f"; names are {kinds[0]} in A and {kinds[1]} in B"


class Move(NamedTuple):
    "One question and how far it moved."
    question: object  # Its name, or its position
    a: float  # Value of A
    b: float  # Value of B
    difference: float  # B minus A


class Tables(NamedTuple):
    "The counts behind two lists of values, for tests that deal samples anew."
    n_a: np.ndarray  # Samples of A per question
    c_a: np.ndarray  # Correct ones among them
    n_b: np.ndarray  # Samples of B
    c_b: np.ndarray  # Correct ones among them
    k: int | np.ndarray  # Samples kept per trial; an array for many budgets
    credit: Callable  # Maps a budget to the credits `h(0..k)`


@dataclass(frozen=True, eq=False)
class Pairs:
    "Values of two systems on the same questions; equal pairs of states stand once."
    a: np.ndarray  # Values of A at each budget, shape `(J, K)`
    b: np.ndarray  # Values of B in the same rows
    first: tuple[np.ndarray, np.ndarray]  # Rows of the values of A and of B, `(J,)` each
    state: np.ndarray  # Row of each question, shape `(Q,)`
    cluster: Sequence | None = None  # Group of each question
    weights: Weights | None = None  # Weight of each question, where they differ

    @cached_property
    def times(self): return np.bincount(self.state, minlength=len(self.a))

    @cached_property
    def gaps(self): return self.b - self.a

    @cached_property
    def changes(self):
        "B minus A in each row; 0 where only rounding distinguishes them."
        size = np.maximum(largest_size(self.a), largest_size(self.b))
        return np.where(np.abs(self.gaps) <= 1e-12 * size, 0, self.gaps)

    @property
    def some(self) -> np.ndarray:
        "A question of each row, `(J,)`; its counts are those of the others."
        some = np.empty(len(self.a), int)
        some[self.state] = np.arange(len(self.state))
        return some

    def at(self, i: int) -> Pairs:
        "The pairs at one budget."
        return replace(self, a=self.a[:, i:i + 1], b=self.b[:, i:i + 1])

    def units(self, values: np.ndarray, bounds: tuple | None) -> Units:
        "Sampling units of values in these rows, which were checked before."
        if self.weights is not None:
            return weigh_units(values, self.weights, bounds=bounds, state=self.state,
                               cluster=self.cluster)
        if self.cluster is None:
            return Units(values, np.ones(len(values)), self.times, bounds)
        return units_of(values, bounds=bounds, cluster=self.cluster, state=self.state)


def pair_states(
    a: np.ndarray,  # Values of A, one row a state, shape `(S, K)`
    b: np.ndarray,  # Values of B, one row a state of its own, shape `(T, K)`
    state_a: np.ndarray,  # Row of A of each question, shape `(Q,)`
    state_b: np.ndarray,  # Row of B of each question
    cluster: Sequence | None = None,  # Group of each question
) -> Pairs:  # Both systems in the pairs of states that occur
    "The pairs of states that two systems have on the same questions."
    # Where no question shares its row, pairs are questions, in their order.
    each = np.arange(len(state_a))
    if len(a) == len(b) == len(each) and (state_a == state_b).all():
        return Pairs(a[state_a], b[state_b], (state_a, state_b), each, cluster)
    key = state_a * len(b) + state_b
    if len(a) * len(b) <= 2**22:
        seen = np.bincount(key) > 0
        pairs, state = np.flatnonzero(seen), (np.cumsum(seen) - 1)[key]
    else: pairs, state = np.unique(key, return_inverse=True)
    first = pairs // len(b), pairs % len(b)
    return Pairs(a[first[0]], b[first[1]], first, state, cluster)


def check_side(
    name: str,  # What the error calls the values
    values: ArrayLike,  # Values of one system, `(Q,)` or `(Q, K)`
    bounds: tuple | None,  # Least and largest value; None if unknown
) -> np.ndarray:  # The values as a table
    "A table of finite numbers; the error names the side."
    return check_values(values, bounds, name)


def check_names(names, questions):
    "One name per question, or none."
    if names is None or len(names) == questions: return
    raise ValueError(f"names must hold one name per question ({questions}), "
                     f"got {len(names)}")


def share_samples(samples, tables, questions):
    "Samples per question of either side, as far as they are known."
    if samples is None and tables is None: return None
    samples = (tables.n_a, tables.n_b) if samples is None else samples
    return tuple(np.broadcast_to(np.asarray(n), questions) for n in samples)


def place_questions(values, state):
    "Row of each question."
    return np.arange(len(values)) if state is None else check_state(state, len(values))


def split_error(paired, a, b):
    "The error had the questions differed, and the correlation that pairing uses."
    either, both = (a > 0) | (b > 0), (a > 0) & (b > 0)
    unpaired = np.sqrt(np.where(either, a + b, np.nan))
    product = np.sqrt(np.where(both, a * b, np.nan))
    return unpaired, (a + b - paired) / (2 * product)


def count_where(pairs, rows):
    "How many questions are in rows that are true, at each budget."
    return np.einsum("j,jk->k", pairs.times, rows)


def flip_pairs(pairs, draws=9999, rng=None):
    "The sign flip of the differences, of whole groups where there are groups."
    if pairs.cluster is None and pairs.weights is None:
        return sign_flips(pairs.changes, pairs.state, draws=draws, rng=rng)
    units = pairs.units(pairs.changes, None)
    # Questions of equal counts and weight are one row of several questions.
    state = np.repeat(np.arange(len(units.total)), units.times)
    return sign_flips(units.total, state, draws=draws, rng=rng)


def estimate_again(pairs, noise, span):
    "Differences of the same questions; without noise their spread is an upper bound."
    gaps = pairs.gaps
    if noise is None:
        plain = replace(pairs, cluster=None)
        units = plain.units(check_values(gaps, span), span)
        return estimates_of(units, units.kind + UPPER_BOUND)
    if np.ndim(noise.variance) == 1: gaps = gaps[:, 0]
    if pairs.weights is not None:
        return estimates_of(weigh_fixed(gaps, noise, pairs.weights, bounds=span,
                                        state=pairs.state))
    return estimates_of(fix_questions(gaps, noise, bounds=span, times=pairs.times))


def at_budget(
    tables: Tables | None,  # Counts; `k` may hold several budgets
    i: int,  # Position of a budget
) -> Tables | None:  # Counts with a single budget
    "The counts behind the values at one budget."
    if tables is None or not np.ndim(tables.k): return tables
    return tables._replace(k=int(np.asarray(tables.k)[i]))


def pair_noise(comparisons, i):
    "Noise of the differences by pair, at one budget or at a range of them."
    noise, pairs = comparisons.noise, comparisons.pairs
    if callable(noise): noise = noise()
    if noise is None: return subtract_noise(comparisons, i)
    if isinstance(noise, tuple):
        old, new = (cut_noise(side, rows) for side, rows in zip(noise, pairs.first))
        noise = new.minus(old)
    elif len(pairs.state) > len(pairs.a): noise = cut_noise(noise, pairs.some)
    if np.ndim(noise.variance) == 1: return noise
    return noise.at(i if isinstance(i, int) else slice(None))


def cut_noise(noise, rows):
    "The noise of some rows."
    step = np.broadcast_to(noise.step, noise.variance.shape)
    return replace(noise, variance=noise.variance[rows], step=step[rows])


def subtract_noise(comparisons, i):
    "Noise of differences of credits; None with one sample a question, or no counts."
    tables = comparisons.tables
    if tables is None or max(tables.n_a.max(), tables.n_b.max()) == 1: return None
    k = at_budget(tables, i).k if isinstance(i, int) else tables.k
    counts = [np.asarray(o)[comparisons.pairs.some] for o in tables[:4]]
    a = within_questions(*counts[:2], k, tables.credit)
    return within_questions(*counts[2:], k, tables.credit).minus(a)
