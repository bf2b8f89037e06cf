"""Numerics of maj@k: subsets in which an answer leads, for many questions and every k at once.

Of one winning number of votes j, powers of x count samples and powers of y count ties; an integral
over y, exact at a few nodes, shares them. All terms are positive: nothing cancels.

Two shortcuts. An answer with fewer than j votes in all cannot tie: its factor is a power of 1 + x
and joins the samples without an answer. And for j = 1 the power of y is that of x, so no nodes are
needed. If no other answer has j votes, or 2j > k, the others are unrestricted. Each right answer is
a row; questions with about as many answers are grouped, and distinct rows are taken in blocks.
"""
from __future__ import annotations

import numpy as np

from ..foundations.answers import Votes
from ..foundations.checks import make_generator
from .ballots import binomial_table, fits_floats, group_votes, nodes_and_weights, wide_share
from .vote_samples import count_right

__all__ = ["decide_votes", "vote_of_all", "share_of_subsets", "lead_share", "vote_of_first",
           "shuffle_places", "vote_in_groups", "jackknife_votes"]


def decide_votes(weight, question, right, count, ties):
    "Credit of one vote per column by answers' weights, `(R, B)` to `(count, B)`."
    value = np.zeros((count, weight.shape[1]))
    if len(weight) == 0: return value
    new = np.diff(question, prepend=-1)
    start = np.flatnonzero(new)
    top = np.maximum.reduceat(weight, start)[np.cumsum(new > 0) - 1]
    tied = (weight >= top * (1 - 1e-12)) & (top > 0)
    if ties == "first":
        place = np.where(tied, np.arange(len(weight))[:, None], len(weight))
        earliest = np.minimum.reduceat(place, start)
        value[question[start]] = np.append(right, False)[earliest]
        return value
    leaders = np.add.reduceat(tied, start, dtype=float)
    share = np.add.reduceat(tied * right[:, None], start, dtype=float)
    share = share / np.maximum(leaders, 1)
    value[question[start]] = share if ties == "expected" else share * (leaders == 1)
    return value


def vote_of_all(votes, ties):
    "What the vote of all samples earns; shape `(Q,)`."
    weight = votes.votes[:, None]
    return decide_votes(weight, votes.question, votes.correct, len(votes), ties)[:, 0]


def share_of_subsets(votes, k, ties):
    "maj@k as the mean over all k-subsets; shape `(Q, K)`."
    value, top = np.zeros((len(votes), len(k))), int(k.max())
    fits = fits_floats(int(votes.n.max()), top)
    share_of = _share_in_blocks if fits else _wide_shares
    for question, times, rows in _right_rows(votes):
        states, state = np.unique(rows, axis=0, return_inverse=True)
        share = share_of(states, k, ties)
        np.add.at(value, question, times * share[state.ravel()])
    return np.minimum(value, 1)


def _right_rows(votes):
    """Rows of each question and size of its right answers, and the credit of these.

    A row: the size, the abstentions, the votes of the others in falling order.
    """
    order = np.lexsort((-votes.votes, votes.question))
    question, size = votes.question[order], votes.votes[order]
    answers = np.bincount(question, minlength=len(votes))
    first = np.cumsum(answers) - answers
    credit = votes.correct[order].astype(float)
    right = np.flatnonzero(credit)
    new = np.diff(question[right], prepend=-1) | np.diff(size[right], prepend=-1)
    kind = np.flatnonzero(new)
    times, right = np.add.reduceat(credit[right], kind), right[kind]
    width = 2**np.ceil(np.log2(answers[question[right]])).astype(np.int64)
    for w in np.unique(width):
        row = right[width == w]
        q, place = question[row], first[question[row], None] + np.arange(w)
        here = (np.arange(w) < answers[q, None]) & (place != row[:, None])
        others = np.where(here, size[np.minimum(place, len(size) - 1)], 0)
        state = np.column_stack([size[row], votes.blank[q], -np.sort(-others, 1)])
        yield q, times[width == w, None], state


def _wide_shares(states, k, ties):
    return np.array([[wide_share(row, int(b), ties) for b in k] for row in states])


def _share_in_blocks(states, k, ties):
    top = int(k.max())
    block = max(1, 2**21 // ((top + 1) * (1 + min(states.shape[1], top) // 4)))
    parts = np.split(states, range(block, len(states), block))
    shares = [lead_share(s[:, 0], s[:, 2:], s[:, 1], top, ties) for s in parts]
    return np.concatenate([share[:, k] for share in shares])


def lead_share(own, others, blank, top, ties):
    """Chance that an answer with `own` votes wins, for subsets of `0..top` samples.

    The shape is `(S, top + 1)`.
    """
    rest = others.sum(1) + blank
    table = binomial_table(int((own + rest).max()), top)
    ways = np.zeros((len(own), top + 1))
    for j in range(1, min(top, int(own.max())) + 1):
        mine, left = table[own, j, None], table[:, :top+1-j]
        rivals = (own >= j) & (others.max(1, initial=0) >= j) & (2 * j <= top)
        alone = (own >= j) & ~rivals
        ways[alone, j:] += mine[alone] * left[rest[alone]]
        if not rivals.any(): continue
        shared = _rivals(others[rivals], rest[rivals], j, left, ties)
        ways[rivals, j:] += mine[rivals] * shared
    return np.minimum(ways / np.maximum(table[own + rest], 1), 1)


def _rivals(others, rest, j, table, ties):
    """Ways to draw from the others so that nobody passes `j` votes; shape `(S, kept)`.

    A tie is counted as the chance to win it.
    """
    kept, big = table.shape[1], others >= j
    most = int(big.sum(1).max())
    y, w = _tie_nodes(ties, j, min(most, (kept - 1) // j))
    ways = np.ones((len(others), len(y), 1))
    for a in range(most):
        row = table[np.where(big[:, a], others[:, a], 0), :j+1]
        ways = _add_rival(ways, row, y, kept)
    ways = w @ ways
    # at j = 1 every vote for another answer is a tie
    if j == 1 and ties != "wrong": ways = ways / np.arange(1, ways.shape[1] + 1)
    return _multiply(ways, table[rest - (others * big).sum(1)])


def _tie_nodes(ties, j, most):
    if ties == "wrong": return np.zeros(1), np.ones(1)
    if j == 1: return np.ones(1), np.ones(1)
    return nodes_and_weights(most)


def _add_rival(ways, row, y, kept):
    "`ways` times the polynomial of one answer, whose last term is a tie."
    j, size = row.shape[1] - 1, ways.shape[2]
    out = np.zeros((*ways.shape[:2], min(size + j, kept)))
    for l in range(j + 1):
        tie = y[:, None] if l == j else 1
        out[:, :, l:l+size] += (row[:, l, None, None] * tie) * ways[:, :, :kept-l]
    return out


def _multiply(few, many):
    out = np.zeros_like(many)
    width = many.shape[1]
    for l in range(few.shape[1]): out[:, l:] += few[:, l, None] * many[:, :width-l]
    return out


def vote_of_first(row, sure, credit, top, ties):
    "What the vote of `0..top` of the `0..n` surest earns; shape `(n + 1, top + 1)`."
    order = np.argsort(-sure, kind="stable")
    given = np.zeros((len(row) + 1, len(credit) + 1), int)
    given[np.arange(1, len(row) + 1), row[order]] = 1  # the last column: no answer
    given = given.cumsum(0)
    ends = np.r_[0, 1 + np.flatnonzero(np.diff(sure[order])), len(row)]
    best = np.zeros((len(row) + 1, top + 1))
    best[ends[1:], 1:] = _vote_of_rows(given[ends[1:]], credit, top, ties)
    for start, stop in zip(ends, ends[1:]):
        if stop == start + 1: continue
        above, group = given[start], given[stop] - given[start]
        blank = int(above[-1]), int(group[-1])
        best[start+1:stop] = group_votes(
            above[:-1], group[:-1], blank, credit, top, ties)
    return best


def _vote_of_rows(given, credit, top, ties):
    "The vote among samples that are alike; a row of votes and of blanks a case."
    case, answer = np.nonzero(given[:, :-1])
    some = Votes(case, answer.astype(object), given[case, answer], credit[answer],
                 given[:, -1], np.arange(len(given)))
    return share_of_subsets(some, np.arange(1, top + 1), ties)


def shuffle_places(question, n, draws, rng):
    "Random places of the samples within their question, once per draw."
    rng, first = make_generator(rng), np.cumsum(n) - n
    for _ in range(draws):
        order = np.argsort(question + rng.random(len(question)))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order)) - first[question[order]]
        yield rank


def vote_in_groups(votes, question, row, weight, right, rank, k, ties):
    "Credit of groups of `k` shuffled samples, and which are whole; both `(Q, groups)`."
    whole = votes.n // k
    group, width = rank // k, int(whole.max())
    keep = (group < whole[question]) & (row >= 0)
    # only answers that occur in a group, so that the cost follows the samples
    cell = question[keep] * width + group[keep]
    ballot = cell * (len(votes.votes) + 1) + row[keep]
    found, place = np.unique(ballot, return_inverse=True)
    cell = found // (len(votes.votes) + 1)
    total = np.bincount(place, weight[keep], len(found))[:, None]
    share = np.bincount(place, right[keep]) / np.bincount(place)
    value = decide_votes(total, cell, share, len(votes) * width, ties)
    return value.reshape(-1, width), np.arange(width) < whole[:, None]


def jackknife_votes(votes, k, ties):
    "Variance of maj@k by leaving out one sample at a time; shape `(Q, K)`."
    less, origin, times = _leave_one_out(votes)
    value, n = share_of_subsets(less, k, ties), votes.n[:, None]
    center, spread = np.zeros((2, len(votes), len(k)))
    np.add.at(center, origin, times[:, None] * value / n[origin])
    np.add.at(spread, origin, times[:, None] * (value - center[origin])**2)
    return (n - 1) / n * spread


def _leave_one_out(votes):
    """A question for each kind of sample to leave out.

    With the question it came from, and how many such samples there are.
    """
    good, rows = count_right(votes), np.arange(len(votes.votes))
    # an answer with both verdicts has two kinds of samples
    place = np.r_[rows[good > 0], rows[good < votes.votes]]
    right = np.arange(len(place)) < (good > 0).sum()
    of = votes.question[place], votes.votes[place], good[place], right
    _, first, answers = np.unique(
        np.column_stack(of), axis=0, return_index=True, return_counts=True)
    row, right = place[first], right[first]
    silent = np.flatnonzero(votes.blank)
    origin = np.r_[votes.question[row], silent]
    alike = np.where(right, good[row], votes.votes[row] - good[row])
    times = np.r_[answers * alike, votes.blank[silent]]
    row = np.r_[row, np.full(len(silent), -1)]
    right = np.r_[right, np.zeros(len(silent), bool)]
    size = np.bincount(votes.question, minlength=len(votes))
    first, copied = np.cumsum(size) - size, size[origin]
    new = np.repeat(np.arange(len(origin)), copied)
    ahead = np.cumsum(copied) - copied - first[origin]
    place = np.arange(len(new)) - np.repeat(ahead, copied)
    out = place == row[new]
    count, good = votes.votes[place] - out, good[place] - (out & right[new])
    keep = count > 0
    there = place[keep]
    less = Votes(new[keep], votes.answer[there], count[keep], good[keep] / count[keep],
                 votes.blank[origin] - (row < 0), np.arange(len(origin)))
    return less, origin, times
