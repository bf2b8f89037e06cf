"""`explain`: one question, its answers, and what it moves; or which questions to look at."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.counts import Counts, Values
from ..reading.options import Options
from ..renaming import name_parameters, renamed
from ..reporting.explanations import (GAP, Answer, Effect, Explanation, Scores, Side, Vote,
                                      cut_answer)
from ..reporting.headline import say_count
from ..reporting.score_parts import order_flaky
from ..reporting.shortlist import Shortlist
from .choosing import Budgets, Chosen, Metrics, find_kept, pick_metrics, say_left_out
from .finding import find_question
from .measuring import share_budgets
from .systems import align_systems, load_systems

MOST = 50  # Answers, and questions worth a look, that a result keeps
ROUNDING = 1e-12  # Differences below this part of their terms are roundings of zero


@renamed(format="harness", files="files_hold")
def explain(
    data: Any,  # Anything that `score` reads
    name: Any = None,  # Name of the question; None lists those worth a look
    other: Any = None,  # A second system, B, beside that of `data`; anything that `score` reads
    *,
    metrics: Metrics = None,  # Names such as `pass@k` or `pass@8`, as for `score`; None: all
    k: Budgets = None,  # Budgets; None chooses, as for `score`
    models: Sequence[str] | str | None = None,  # One model per input, or several of one input
    ties: str = "expected",  # Ties of maj@k: `expected` shares, `wrong` gives nothing
    on_unmatched: str = "refuse",  # Questions that only one system has: `refuse` or `drop`
    title: str = "",  # Heading of the result
    **reading: Any,  # `missing=`, `no_answer=`, columns and the rest of what `score` takes
) -> Explanation | Shortlist:  # The question, or a list of questions
    """One question and what it moves: its answers, and in every metric the mean without it.

    Value: of two systems also the difference, and what the question adds to it; without a name
    the questions that are worth a look, flaky ones first, or those that differ most.

    Raises: `ValueError` with near matches for a question that is not there, and as `score` and
    `compare`.
    """
    options = Options.of(reading, name_parameters(explain),
                         **find_kept(metrics) | dict(answers=True))
    inputs = [data] if other is None else [data, other]
    found = load_systems(inputs, options, models)
    aligned = align_systems(found.counts, on_unmatched) if len(found.counts) > 1 else None
    sides = found.counts if aligned is None else aligned.sides
    measured = measure_all(sides, metrics, k, ties, found.lacks)
    told: dict[str, Any] = dict(read=found.read, title=title)
    if name is None: return list_worth(sides, measured, told)
    row = find_question(list_names(sides), name)
    lacking = found.lacks.get("votes", "")
    notes = (f"No answers: {lacking}.",) if lacking else ()
    return explain_row(row, sides, measured, told | dict(notes=notes, ties=ties))


# The metrics that all systems have.

Measured = list[tuple[Chosen, tuple[Values, ...]]]


def measure_all(
    sides: Mapping[str, Counts], metrics: Metrics, k: Budgets, ties: str, lacks: Mapping[str, str],
) -> Measured:
    "Every metric with its values on every system, at budgets that all of them reach."
    counts = tuple(sides.values())
    picked = [pick_metrics(side, metrics, k, ties, lacks) for side in counts]
    found = [{metric.name: (metric, stated) for metric, stated in one} for one, _ in picked]
    shared = [name for name in found[0] if all(name in one for one in found)]
    if not shared: raise ValueError(f"no metric to report: {say_left_out(picked[0][1])}")
    return [measure_one(name, found, counts, k) for name in shared]


def measure_one(
    name: str, found: list[dict], counts: tuple[Counts, ...], k: Budgets,
) -> tuple[Chosen, tuple[Values, ...]]:
    "One metric on every system."
    metric, stated = found[0][name]
    chosen = share_budgets(metric, stated, counts, k)
    own = [one[name][0] for one in found]
    values = [metric.at_states(side, chosen.ks) for metric, side in zip(own, counts)]
    return chosen, tuple(values)


def find_means(values: Values) -> np.ndarray:
    "The mean over all questions at every budget."
    return np.average(values.table, 0, values.times)


def list_names(sides: Mapping[str, Counts]) -> list[Any]:
    "Names of the questions, which all systems share."
    return list(np.asarray(next(iter(sides.values())).questions).tolist())


# One question.

def explain_row(
    row: int, sides: Mapping[str, Counts], measured: Measured, told: dict[str, Any],
) -> Explanation:
    "Everything on the question that stands in one row."
    first = next(iter(sides.values()))
    tallies = [tally_answers(counts, row) for counts in sides.values()]
    effects = [effect for chosen, values in measured
               for effect in list_effects(row, list(sides), chosen, values)]
    return Explanation(str(list_names(sides)[row]),
                       tuple(map(tell_side, sides, sides.values(), tallies, [row] * len(sides))),
                       join_tallies(tallies), tuple(effects), len(first),
                       rank_part(row, measured), **told)


def list_effects(
    row: int, names: Sequence[str], chosen: Chosen, values: Sequence[Values],
) -> Iterable[Effect]:
    "One metric at its budgets: each system, then the difference of two."
    own = [one.table[one.state[row]] for one in values]
    means = [find_means(one) for one in values]
    if len(names) == 2:
        names = [*names, GAP]
        own, means = [*own, subtract(*own)], [*means, subtract(*means)]
    budgets = [None] * len(chosen.ks) if chosen.budgets is None else chosen.budgets.tolist()
    size = len(values[0].state)
    for i, (label, budget) in enumerate(zip(chosen.labels, budgets)):
        for name, value, mean in zip(names, own, means):
            yield make_effect(name, label, budget, float(value[i]), float(mean[i]), size)


def subtract(old: ArrayLike, new: ArrayLike) -> np.ndarray:
    "New minus old, without the rounding of equal numbers."
    old, new = np.asarray(old, float), np.asarray(new, float)
    small = ROUNDING * np.maximum(np.abs(old), np.abs(new))
    return np.where(np.abs(new - old) <= small, 0., new - old)


def make_effect(
    of: str, metric: str, k: int | None, value: float, mean: float, size: int,
) -> Effect:
    "A value beside the mean of `size` questions, and the mean of the others."
    if size == 1: return Effect(of, metric, k, value, mean, None, None)
    moved = float(subtract(mean, value)) / (size - 1)
    without = float(subtract(moved, mean))
    return Effect(of, metric, k, value, mean, without, moved)


def rank_part(row: int, measured: Measured) -> int | None:
    "The place of the question among all parts of a difference, the largest first."
    gaps = find_gaps(measured)
    return None if gaps is None else 1 + int((np.abs(gaps) > abs(gaps[row]) + ROUNDING).sum())


def find_gaps(measured: Measured) -> np.ndarray | None:
    "B minus A of every question in the first metric; None unless there are two systems."
    _, values = measured[0]
    if len(values) != 2: return None
    old, new = (one.table[one.state, 0] for one in values)
    return subtract(old, new)


def tell_side(name: str, counts: Counts, tally: Tally | None, row: int) -> Side:
    "What one system did."
    graded = counts.score_sum
    return Side(name, int(counts.n[row]), None if counts.c is None else int(counts.c[row]),
                int(np.asarray(counts.missing)[row]),
                None if graded is None else float(graded[row] / counts.n[row]),
                different=None if tally is None else len(tally),
                blank=0 if counts.votes is None else int(counts.votes.blank[row]),
                vote=find_vote(tally), scores=tell_scores(counts, row))


# Answers.

Tally = dict[Any, tuple[int, bool]]  # Samples that gave an answer, and whether it is right


def tally_answers(counts: Counts, row: int) -> Tally | None:
    "The answers of one question, most frequent first; None where none are kept."
    votes = counts.votes
    if votes is None: return None
    here = slice(*np.searchsorted(votes.question, [row, row + 1]).tolist())
    found = zip(votes.answer[here].tolist(), votes.votes[here].tolist(),
                votes.correct[here].tolist())
    # Among equals by text, so that no order of rows shows; no answer comes last.
    ordered = sorted(found, key=lambda one: (-one[1], one[0] is None, str(one[0])))
    return {answer: (times, bool(right)) for answer, times, right in ordered}


def join_tallies(tallies: Sequence[Tally | None]) -> tuple[Answer, ...]:
    "The answers of all systems, the most frequent ones first."
    known = [tally or {} for tally in tallies]
    times = {answer: [tally.get(answer, (0, None))[0] for tally in known]
             for answer in dict.fromkeys(answer for tally in known for answer in tally)}
    def place(answer: Any) -> tuple: return -sum(times[answer]), answer is None, str(answer)
    most = sorted(times, key=place)[:MOST]
    return tuple(Answer(cut_answer(answer), tuple(times[answer]),
                        tuple(tally.get(answer, (0, None))[1] for tally in known))
                 for answer in most)


def find_vote(tally: Tally | None) -> Vote | None:
    "The answer that wins a vote of all samples; None where nobody votes."
    if not tally: return None
    answer, (most, _) = next(iter(tally.items()))
    tied = [right for times, right in tally.values() if times == most]
    return Vote(cut_answer(answer), most, len(tied), sum(tied))


def tell_scores(counts: Counts, row: int) -> Scores | None:
    "The spread of the scores; None where none are kept."
    rewards = counts.rewards
    if rewards is None: return None
    here = rewards.question == row
    score = rewards.score[here]
    known = score[~np.isnan(score)]
    if not len(known): return None
    right = None
    if rewards.correct is not None: right = bool(rewards.correct[here][score == known.max()].all())
    return Scores(len(known), float(known.min()), float(np.median(known)), float(known.max()),
                  float(known.mean()), right)


# Questions worth a look.

def list_worth(
    sides: Mapping[str, Counts], measured: Measured, told: dict[str, Any],
) -> Shortlist:
    "The questions to look at first."
    names = tuple(sides)
    if len(sides) == 2: order, said, metric = order_gaps(measured)
    elif len(sides) == 1: order, said, metric = *order_one(next(iter(sides.values()))), ""
    else: order, said, metric = order_spread(measured)
    rows = tuple(tell_row(int(row), sides, measured) for row in order[:MOST])
    if len(order) > MOST: said += f" The first {MOST} are listed."
    return Shortlist(names, rows, len(next(iter(sides.values()))), said, metric, **told)


def order_one(counts: Counts) -> tuple[np.ndarray, str]:
    "Flaky questions of one system, those closest to even first."
    if counts.c is None:
        share = np.asarray(counts.score_sum) / counts.n
        return order_flaky(share), (f"{say_count([len(counts)], 'question')} with graded scores; "
                                    "those with a mean closest to 0.5 come first.")
    share = counts.c / counts.n
    order = order_flaky(share)
    never, always = int((counts.c == 0).sum()), int((counts.c == counts.n).sum())
    last = "; those closest to even come first" * bool(len(order))
    return order, (f"{say_count([len(counts)], 'question')}: {len(order)} right in some samples "
                   f"and wrong in others, {never} never right, {always} always right{last}.")


def order_gaps(measured: Measured) -> tuple[np.ndarray, str, str]:
    "Questions on which two systems differ, the largest differences first."
    chosen, values = measured[0]
    gaps = find_gaps(measured)
    assert gaps is not None
    order = np.argsort(-np.abs(gaps), kind="stable")
    order, label = order[gaps[order] != 0], chosen.labels[0]
    up, down = int((gaps > 0).sum()), int((gaps < 0).sum())
    last = "; the largest come first, with what each adds to the mean difference" * bool(len(order))
    return order, (f"{say_count([len(gaps)], 'question')}: in {label} B is ahead on {up}, behind "
                   f"on {down}, equal on {len(gaps) - up - down}{last}."), label


def order_spread(measured: Measured) -> tuple[np.ndarray, str, str]:
    "Questions on which several systems differ, the largest spread first."
    chosen, values = measured[0]
    table = np.stack([one.table[one.state, 0] for one in values])
    spread = np.ptp(table, 0)
    order, label = np.argsort(-spread, kind="stable"), chosen.labels[0]
    order = order[spread[order] > 0]
    return order, (f"{say_count([len(spread)], 'question')}, {len(order)} of which separate the "
                   f"{len(values)} models in {label}; the widest spread comes first."), label


def tell_row(row: int, sides: Mapping[str, Counts], measured: Measured) -> dict[str, Any]:
    "One question as a row: its samples on each of two systems, or the extremes of several."
    told: dict[str, Any] = dict(question=list_names(sides)[row])
    if len(sides) > 2: return told | tell_extremes(row, list(sides), measured)
    for label, counts in zip(["A", "B"] if len(sides) == 2 else [""], sides.values()):
        told |= {f"{what} {label}".rstrip(): value for what, value in tell_counts(counts, row)}
    gaps = find_gaps(measured)
    if gaps is None: return told
    return told | {GAP: float(gaps[row]), "adds": float(gaps[row]) / len(gaps)}


def tell_counts(counts: Counts, row: int) -> list[tuple[str, Any]]:
    "Samples of one question, and right ones or their mean score."
    n = int(counts.n[row])
    if counts.c is not None: return [("right", int(counts.c[row])), ("samples", n)]
    score = None if counts.score_sum is None else float(counts.score_sum[row] / n)
    return [("mean score", score), ("samples", n)]


def tell_extremes(row: int, names: Sequence[str], measured: Measured) -> dict[str, Any]:
    "The lowest and the highest of several systems on one question."
    values = [float(one.table[one.state[row], 0]) for one in measured[0][1]]
    low, high = int(np.argmin(values)), int(np.argmax(values))
    return {"lowest": values[low], "lowest of": names[low], "highest": values[high],
            "highest of": names[high]}
