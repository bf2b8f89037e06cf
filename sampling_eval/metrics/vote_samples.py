"Plumbing of votes on answers: options checked, every sample beside its answer and its number."
from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..errors import OptionError
from ..foundations.answers import Votes, rows_of, votes_of
from ..foundations.checks import check_rows, faults, real_number, real_numbers, whole_numbers
from ..foundations.counts import check_counts
from ..foundations.credit import threshold_credit
from .ballots import MOST_APART

__all__ = ["check_ties", "weigh_samples", "match_samples", "check_subsets", "split_samples",
           "check_step", "count_kept", "list_samples", "count_right",
           "keep_questions"]


def check_ties(ties, *allowed):
    "Refuse a rule for ties that is not among those allowed."
    if ties not in allowed: raise OptionError("ties", choices=allowed, got=ties)


def weigh_samples(answers, correct, weights, normalize, no_answer, conflict):
    "Votes, and for every sample the row of its answer (-1 for none) and its weight."
    votes, row, weight = match_samples(
        "weights", answers, correct, weights, normalize, no_answer, conflict)
    if (bad := weight < 0).any():
        question = np.repeat(np.arange(len(votes)), votes.n)
        where = f"at question {question[bad][0]} ({bad.sum()} of {bad.size} fail)"
        raise ValueError("weights must be finite and >= 0, "
                         f"got {weight[bad][0]} {where}; "
                         "take exp of log-probabilities first")
    return votes, row, weight


def match_samples(name, answers, correct, numbers, normalize, no_answer, conflict):
    "Votes, and for every sample the row of its answer and a finite number."
    votes = votes_of(answers, correct, normalize, no_answer, conflict)
    numbers, size = check_rows(name, numbers)
    if len(size) != len(votes):
        raise ValueError(f"answers and {name} must cover the same questions, "
                         f"got {len(votes)} and {len(size)}")
    if (bad := size != votes.n).any():
        raise ValueError(f"answers and {name} must have one length, "
                         f"got {votes.n[bad][0]} and {size[bad][0]}{faults(bad)}")
    question = np.repeat(np.arange(len(votes)), size)
    number = real_numbers(name, [w for row in numbers for w in row])
    if (bad := ~np.isfinite(number)).any():
        where = f"at question {question[bad][0]} ({bad.sum()} of {bad.size} fail)"
        rule = "finite and >= 0" if name == "weights" else "finite"
        raise ValueError(f"{name} must be {rule}, got {number[bad][0]} {where}")
    labels = [label for row in answers for label in row]
    return votes, rows_of(votes, question, labels, normalize), number


def check_subsets(votes, k):
    "Budgets of samples that are told apart, whose subsets floats can count."
    n, _, k = check_counts(votes.n, votes.c, k)
    if (bad := n > MOST_APART).any():
        raise ValueError(f"need n <= {MOST_APART} where samples are told apart, "
                         f"got n={n[bad][0]}{faults(bad, votes.questions.tolist())}")
    return n, k


def split_samples(votes, row, number):
    "Of each question its rows of votes, and row and number of each sample."
    ends = np.cumsum(votes.n)[:-1]
    first = np.searchsorted(votes.question, np.arange(len(votes) + 1))
    parts = zip(first, first[1:], np.split(row, ends), np.split(number, ends))
    for start, stop, own, value in parts:
        yield slice(start, stop), np.where(own < 0, -1, own - start), value


def check_step(step):
    "A step by which weights can be rounded."
    step = real_number("step", step)
    if 0 < step < np.inf: return step
    raise OptionError("step", must="be a finite number above 0", got=step)


def count_kept(keep, k):
    "How many of every `k` vote."
    budgets = np.atleast_1d(k)
    if isinstance(keep, (float, np.floating, Fraction)):
        if not 0 < keep <= 1:
            rule = "be a share in (0, 1], or whole numbers"
            raise OptionError("keep", must=rule, got=keep)
        return np.array([threshold_credit(size, keep).argmax() for size in budgets])
    kept = whole_numbers("keep", keep)
    if kept.ndim and kept.shape != budgets.shape:
        raise ValueError("keep must be a share, or hold one whole number per k "
                         f"({budgets.size}), got {kept.size}")
    kept = np.broadcast_to(kept, budgets.shape)
    if (bad := (kept < 1) | (kept > budgets)).any():
        raise ValueError(f"need 1 <= keep <= k, got keep={kept[bad][0]}, "
                         f"k={budgets[bad][0]}; a share is a float such as 1.")
    return kept


def list_samples(votes):
    "Question, row of votes (-1 for none) and verdict of every sample."
    silent = np.repeat(np.arange(len(votes)), votes.blank)
    question = np.r_[np.repeat(votes.question, votes.votes), silent]
    row = np.repeat(np.arange(len(votes.votes)), votes.votes)
    ahead = np.cumsum(votes.votes) - votes.votes
    right = np.arange(len(row)) - ahead[row] < count_right(votes)[row]
    right = np.r_[right, np.zeros(len(silent), bool)]
    row = np.r_[row, np.full(len(silent), -1)]
    order = np.argsort(question, kind="stable")
    return question[order], row[order], right[order]


def count_right(votes):
    "Right samples behind every distinct answer."
    return np.rint(votes.votes * votes.correct).astype(np.int64)


def keep_questions(votes, keep):
    "The votes of some of the questions."
    rows, place = keep[votes.question], np.cumsum(keep) - 1
    return Votes(place[votes.question[rows]], votes.answer[rows], votes.votes[rows],
                 votes.correct[rows], votes.blank[keep], votes.questions[keep])
