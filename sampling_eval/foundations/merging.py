"Checks of runs that are added, and the addition of their fields."
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from ..errors import OptionError, list_choices, option
from .checks import faults


def place_runs(
    runs: Sequence[Any],  # `Counts` of one system, at least one
) -> list[np.ndarray]:  # Row of each run's questions, in the order of the first run
    """Where the questions of the first run stand in every run.

    Raises: `ValueError` unless all runs have the same questions, fields and clusters, and
    no sample twice.
    """
    for run in runs[1:]: _check_same_questions(runs[0], run)
    _check_same_fields(runs)
    _check_samples(runs)
    orders = [_find_rows(run, runs[0].questions.tolist()) for run in runs]
    for run, order in zip(runs[1:], orders[1:]): _check_clusters(runs[0], run, order)
    return orders


def add_fields(
    runs: Sequence[Any],  # `Counts` of one system
    orders: list[np.ndarray],  # As `place_runs` finds them
) -> dict[str, Any]:  # Fields of their sum, by name
    "Every field that adds up, added question by question."
    def total(values):
        if any(value is None for value in values): return None
        return sum(value[order] for value, order in zip(values, orders))
    added = {name: total([getattr(run, name) for run in runs])
             for name in ("n", "c", "missing", "score_sum")}
    sums = {name: total([run.sums[name] for run in runs]) for name in runs[0].sums}
    named = {name: _add_named(runs, name) for name in ("votes", "rewards")}
    ids = [run.samples for run in runs]
    samples = None if any(o is None for o in ids) else np.concatenate(ids)
    return added | named | dict(sums=sums, samples=samples)


def _check_same_questions(first, run):
    one, other = set(first.questions.tolist()), set(run.questions.tolist())
    if one == other: return
    sides = [sorted(map(str, o))[:3] for o in (one - other, other - one)]
    raise ValueError("runs must cover the same questions, got only in the first "
                     f"{sides[0]}, only in another {sides[1]}")


def _check_same_fields(runs):
    for name in "c", "score_sum", "cluster", "votes", "rewards":
        held = sum(getattr(run, name) is not None for run in runs)
        if 0 < held < len(runs): _refuse_part(name, held, runs, f"{name}=None")
    for name in sorted(set().union(*(run.sums for run in runs))):
        held = sum(name in run.sums for run in runs)
        if held < len(runs): _refuse_part(f"sums of {name!r}", held, runs, "sums={}")


def _check_samples(runs):
    models = list(dict.fromkeys(run.model for run in runs if run.model))
    if len(models) > 1:
        raise ValueError("counts of one system are added, got those of "
                         f"{models[0]!r} and {models[1]!r}")
    known = [run.samples for run in runs if run.samples is not None]
    hashes, times = np.unique(np.concatenate(known or [[]]), return_counts=True)
    if (times > 1).any():
        raise ValueError(f"each sample must appear once, got {(times > 1).sum()} of "
                         f"{len(hashes)} compared sample ids in two runs")


def _refuse_part(name, held, runs, without):
    raise ValueError("runs must hold the same fields, "
                     f"got {name} in {held} of {len(runs)}; "
                     f"read them alike, or leave it out with replace(run, {without})")


def _find_rows(run, names):
    place = {name: i for i, name in enumerate(run.questions.tolist())}
    return np.array([place[name] for name in names])


def _check_clusters(first, run, order):
    if first.cluster is None: return
    bad = first.cluster != run.cluster[order]
    if not np.any(bad): return
    one, other = first.cluster[bad].tolist()[0], run.cluster[order][bad].tolist()[0]
    raise ValueError("runs must agree on the cluster of a question, "
                     f"got {one!r} and {other!r}"
                     f"{faults(bad, first.questions.tolist())}")


def _add_named(runs, name):
    "Votes or rewards; they find each other by the names of the questions."
    if getattr(runs[0], name) is None: return None
    return reduce(add, (replace(getattr(o, name), questions=o.questions) for o in runs))


def refuse_unlike(runs):
    "Refuse runs of which some abstain without an answer, and others vote for none."
    abstain = any(run.blank.any() for run in runs)
    if abstain and any(answer is None for run in runs for answer in run.answer):
        raise OptionError("no_answer", "runs must treat missing answers alike",
                          found=f"one with {option('no_answer', 'abstain')} and one with "
                                f"{list_choices(['vote'])}")


def match_questions(runs):
    "The names of the first run, and the place of each run's questions among them."
    names = runs[0].questions
    place = {name: i for i, name in enumerate(names.tolist())}
    for run in runs:
        odd = place.keys() ^ set(run.questions.tolist())
        if odd:
            raise ValueError("runs must cover the same questions, "
                             f"got {sorted(map(str, odd))[:3]} in one only")
    return names, [np.array([place[o] for o in run.questions.tolist()]) for run in runs]
