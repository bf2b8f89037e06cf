"""`explain`: one question, its answers, and what it moves; or which questions to look at."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ...arguments import checked, name_parameters
from ...foundations.counts import Counts
from ...inference.intervals import Interval, Method
from ...inference.shares import clopper_pearson_limits
from ...parameters import Reading, Ties, Unmatched
from ...reading.options import Options
from ..engine.choose import Budgets, Metrics, columns_to_keep
from ..engine.measure import Measured, measure_all
from ..engine.questions import find_question
from ..engine.systems import align_systems, load_systems
from ..score.result import order_flaky
from .result import (GAP, Answer, Effect, Explanation, Listed, ListedSide, Order, Scores, Shortlist,
                     Side, Vote)

MOST_KEPT = 50  # Answers, and questions, that a result keeps
LONGEST_KEPT = 1000  # Characters that it keeps of each
ROUNDING = 1e-12  # Differences below this part of their terms are roundings of zero


@checked
def explain(
    data: Any,  # Anything that `score` reads
    name: Any = None,  # Name of the question; None lists those worth a look
    other: Any = None,  # A second system, B, beside that of `data`; anything that `score` reads
    *,
    metrics: Metrics = None,  # Names such as `pass@k` or `pass@8`, as for `score`; None: all
    k: Budgets = None,  # Budgets; None chooses, as for `score`
    models: Sequence[str] | str | None = None,  # One model per input, or several of one input
    ties: Ties = "expected",  # Ties of maj@k: `expected` shares the credit, `wrong` gives none
    on_unmatched: Unmatched = "refuse",  # Questions that only one system has
    title: str = "",  # Heading of the result
    **reading: Unpack[Reading],  # Missing policy, columns and the rest of what `score` takes
) -> Explanation | Shortlist:  # The question, or a list of questions
    """One question and what it moves: its answers, and in every metric the mean without it.

    Parameters:
        data          Anything that `score` reads
        name          Name of the question; None lists those worth a look
        other         A second system, B, beside that of `data`; anything that `score` reads
        metrics       Names such as `pass@k` or `pass@8`, as for `score`; None: all
        k             Budgets; None chooses, as for `score`
        models        One model per input, or several of one input
        ties          Ties of maj@k: `expected` shares the credit, `wrong` gives none
        on_unmatched  Questions that only one system has
        title         Heading of the result
        reading       Missing policy, columns and the rest of what `score` takes (see `read`):
                      missing, samples_per_question, no_answer, normalize, scale, conflict,
                      question, sample, correct, answer, score, model, cluster, expected, keys,
                      threshold, ignore, failed, sums, harness, task, filter, grade, files_hold,
                      limits
        return        The question, or a list of questions

    Value: of two systems also the difference, and what the question adds to it; without a name
    the questions that are worth a look, flaky ones first, or those that differ most.

    Raises: `ValueError` with near matches for a question that is not there, and as `score` and
    `compare`.
    """
    options = Options.of(reading, name_parameters(explain),
                         **columns_to_keep(metrics) | dict(answers=True))
    inputs = [data] if other is None else [data, other]
    found = load_systems(inputs, options, models)
    aligned = align_systems(found.counts, on_unmatched) if len(found.counts) > 1 else None
    sides = found.counts if aligned is None else aligned.sides
    measured = measure_all(sides, metrics, k, ties, found.lacks)
    versions = (f"Warning: {found.versions}",) if found.versions else ()
    told: dict[str, Any] = dict(read=found.inputs, title=title, notes=versions)
    if name is None: return shortlist_of(sides, measured, texts=found.texts, **told)
    row = find_question(question_names(sides), name)
    notes = (*say_lacking(sides, found.lacks.get("votes", "")), *versions)
    return explain_row(row, sides, measured, told | dict(notes=notes, ties=ties,
                                                         texts=found.texts))


def say_lacking(sides: Mapping[str, Counts], why: str) -> Iterable[str]:
    "Which systems have no answers, and why."
    bare = [name for name, counts in sides.items() if counts.votes is None]
    if not why or not bare: return
    of = f" of {', '.join(bare)}" * (len(bare) < len(sides))
    yield f"No answers{of}: {why}."


# One question.

def explain_row(
    row: int, sides: Mapping[str, Counts], measured: Sequence[Measured], told: dict[str, Any],
) -> Explanation:
    "Everything on the question that stands in one row."
    first = next(iter(sides.values()))
    tallies = [tally_answers(counts, row) for counts in sides.values()]
    effects = [effect for one in measured for effect in metric_effects(row, list(sides), one)]
    return Explanation(str(question_names(sides)[row]),
                       tuple(map(side_of, sides, sides.values(), tallies, [row] * len(sides))),
                       join_tallies(tallies), tuple(effects), len(first),
                       rank_part(row, measured), **told)


def metric_effects(row: int, names: Sequence[str], measured: Measured) -> Iterable[Effect]:
    "One metric at its budgets: each system, then the difference of two."
    chosen = measured.chosen
    own = [one.table[one.state[row]] for one in measured.values]
    means = [np.average(one.table, 0, one.times) for one in measured.values]
    if len(names) == 2:
        names = [*names, GAP]
        own, means = [*own, subtract(*own)], [*means, subtract(*means)]
    budgets = [None] * len(chosen.ks) if chosen.budgets is None else chosen.budgets.tolist()
    size = len(measured.values[0].state)
    for i, (label, budget) in enumerate(zip(chosen.labels, budgets)):
        for name, value, mean in zip(names, own, means):
            effect = measure_effect(float(value[i]), float(mean[i]), size)
            yield Effect(name, label, budget, chosen.metric.unit, *effect)


def measure_effect(
    value: float, mean: float, size: int,
) -> tuple[float, float, float | None, float | None]:
    "A value beside the mean of `size` questions, the mean of the others, and the difference."
    if size == 1: return value, mean, None, None
    moved = float(subtract(mean, value)) / (size - 1)
    return value, mean, float(subtract(moved, mean)), moved


def rank_part(row: int, measured: Sequence[Measured]) -> int | None:
    "The place of the question among all parts of a difference, the largest first."
    gaps = question_differences(measured)
    return None if gaps is None else 1 + int((np.abs(gaps) > abs(gaps[row]) + 1e-12).sum())


def side_of(name: str, counts: Counts, tally: Tally | None, row: int) -> Side:
    "What one system did."
    n, c = int(counts.n[row]), None if counts.c is None else int(counts.c[row])
    graded = c is None or counts.score_sum is not None
    means = mean_scores(counts) if graded else None
    return Side(name, n, c, int(np.asarray(counts.missing)[row]),
                None if means is None else float(means[row]),
                None if c is None else exact_limits(c, n),
                different=None if tally is None else len(tally),
                blank=0 if counts.votes is None else int(counts.votes.blank[row]),
                vote=majority_answer(tally), scores=score_spread(counts, row))


def exact_limits(c: int, n: int) -> Interval:
    "The exact 95 % interval of a share."
    low, high = clopper_pearson_limits(c, n, .025)
    return Interval(float(low), float(high), .95, "same_questions", Method("clopper-pearson", True))


# Answers.

# Samples that gave an answer, and whether it is right; a share where judges disagree
Tally = dict[Any, tuple[int, bool | float]]


def tally_answers(counts: Counts, row: int) -> Tally | None:
    "The answers of one question, most frequent first; None where none are kept."
    votes = counts.votes
    if votes is None: return None
    here = slice(*np.searchsorted(votes.question, [row, row + 1]).tolist())
    found = zip(votes.answer[here].tolist(), votes.votes[here].tolist(),
                votes.correct[here].tolist())
    # Among equals by text, so that no order of rows shows; no answer comes last.
    ordered = sorted(found, key=lambda one: (-one[1], one[0] is None, str(one[0])))
    return {answer: (times, right if 0 < right < 1 else bool(right))
            for answer, times, right in ordered}


def join_tallies(tallies: Sequence[Tally | None]) -> tuple[Answer, ...]:
    "The answers of all systems, the most frequent ones first."
    labels = dict.fromkeys(answer for tally in tallies for answer in tally or {})
    known = {label: join_answer(label, tallies) for label in labels}
    # No answer comes last among equals.
    order = sorted(known, key=lambda label: (-known[label].total, label is None, str(label)))
    return tuple(known[label] for label in order[:MOST_KEPT])


def join_answer(label: Any, tallies: Sequence[Tally | None]) -> Answer:
    "One answer on every system."
    given = [(None, None) if tally is None else tally.get(label, (0, None)) for tally in tallies]
    return Answer(stored_answer(label), 0 if label is None else len(str(label)),
                  tuple(times for times, _ in given),
                  tuple(right for _, right in given))


def stored_answer(answer: Any) -> str | None:
    "An answer as a result keeps it."
    return None if answer is None else str(answer)[:LONGEST_KEPT]


def majority_answer(tally: Tally | None) -> Vote | None:
    "The answer that wins a vote of all samples; None where nobody votes."
    if not tally: return None
    answer, (most, _) = next(iter(tally.items()))
    tied = [right for times, right in tally.values() if times == most]
    return Vote(stored_answer(answer), most, len(tied), sum(tied))


def score_spread(counts: Counts, row: int) -> Scores | None:
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


# The questions that are worth a look: flaky ones, or those on which systems differ.

def shortlist_of(
    sides: Mapping[str, Counts],  # Counts of systems with the same questions
    measured: Sequence[Measured],  # Their metrics
    **told: Any,  # What was read, and the title
) -> Shortlist:
    "The questions to look at first."
    if len(sides) == 2: order, counts = order_gaps(measured)
    elif len(sides) == 1: order, counts = order_one(next(iter(sides.values())))
    else: order, counts = order_spread(measured)
    first = next(iter(sides.values()))
    kind: Order = "difference" if len(sides) == 2 else "spread"
    if len(sides) == 1: kind = name_order(first)
    listed = tuple(listed_question(int(row), sides, measured) for row in order[:MOST_KEPT])
    metric = "" if len(sides) == 1 else measured[0].chosen.labels[0]
    return Shortlist(tuple(sides), listed, len(first), kind, counts, metric,
                     measured[0].chosen.metric.unit, **told)


def name_order(counts: Counts) -> Order:
    "What the questions of one system are ordered by."
    if counts.c is not None: return "flaky"
    return "scores" if counts.score_sum is None else "graded"


def order_one(counts: Counts) -> tuple[np.ndarray, dict[str, int]]:
    "Flaky questions of one system, those closest to even first; scores of a scale from the lowest."
    if counts.c is None:
        means = np.asarray(mean_scores(counts))
        low_first = np.argsort(means, kind="stable")
        return (order_flaky(means) if counts.score_sum is not None else low_first), {}
    order = order_flaky(counts.c / counts.n)
    never, always = int((counts.c == 0).sum()), int((counts.c == counts.n).sum())
    return order, dict(flaky=len(order), never=never, always=always)


def order_gaps(measured: Sequence[Measured]) -> tuple[np.ndarray, dict[str, int]]:
    "Questions on which two systems differ, the largest differences first."
    gaps = question_differences(measured)
    assert gaps is not None
    order = np.argsort(-np.abs(gaps), kind="stable")
    higher, lower = int((gaps > 0).sum()), int((gaps < 0).sum())
    counts = dict(higher=higher, lower=lower, equal=len(gaps) - higher - lower)
    return order[gaps[order] != 0], counts


def order_spread(measured: Sequence[Measured]) -> tuple[np.ndarray, dict[str, int]]:
    "Questions on which several systems differ, the largest spread first."
    table = np.stack([one.table[one.state, 0] for one in measured[0].values])
    spread = np.ptp(table, 0)
    order = np.argsort(-spread, kind="stable")
    order = order[spread[order] > 0]
    return order, dict(differ=len(order))


def listed_question(row: int, sides: Mapping[str, Counts], measured: Sequence[Measured]) -> Listed:
    "One question: its samples on each of two systems, or the extremes of several."
    name = question_names(sides)[row]
    if len(sides) > 2: return Listed(name, **extreme_systems(row, list(sides), measured))
    own = tuple(listed_side(counts, row) for counts in sides.values())
    gaps = question_differences(measured)
    if gaps is None: return Listed(name, own)
    return Listed(name, own, float(gaps[row]), float(gaps[row]) / len(gaps))


def listed_side(counts: Counts, row: int) -> ListedSide:
    "Samples of one question, and right ones or their mean score."
    n = int(counts.n[row])
    if counts.c is not None: return ListedSide(int(counts.c[row]), n)
    means = mean_scores(counts)
    return ListedSide(None, n, None if means is None else float(means[row]))


def mean_scores(
    counts: Counts,  # Counts of one system
) -> np.ndarray | None:  # Shape `(Q,)`; None where no scores are kept
    "The mean score of every question: of graded credit, or of scores on a scale of their own."
    if counts.score_sum is not None: return np.asarray(counts.score_sum) / counts.n
    if counts.rewards is None: return None
    known = ~np.isnan(counts.rewards.score)
    question = counts.rewards.question[known]
    size = np.bincount(question, minlength=len(counts))
    return np.bincount(question, counts.rewards.score[known], minlength=len(counts)) / size


def extreme_systems(row: int, names: Sequence[str], measured: Sequence[Measured]) -> dict[str, Any]:
    "The lowest and the highest of several systems on one question."
    values = [float(one.table[one.state[row], 0]) for one in measured[0].values]
    low, high = int(np.argmin(values)), int(np.argmax(values))
    return dict(low=values[low], low_of=names[low], high=values[high], high_of=names[high])


# Names and differences of the questions.

def question_names(
    sides: Mapping[str, Counts],  # Counts of systems with the same questions
) -> list[Any]:  # Their names, in order
    "Names of the questions, which all systems share."
    return list(np.asarray(next(iter(sides.values())).questions).tolist())


def question_differences(
    measured: Sequence[Measured],  # Metrics on some systems
) -> np.ndarray | None:  # Differences, shape `(Q,)`
    "B minus A of every question in the first metric; None unless there are two systems."
    if len(measured[0].values) != 2: return None
    old, new = (one.table[one.state, 0] for one in measured[0].values)
    return subtract(old, new)


def subtract(
    old: ArrayLike,  # Numbers
    new: ArrayLike,  # As many
) -> np.ndarray:  # Their differences
    "New minus old, without the rounding of equal numbers."
    old, new = np.asarray(old, float), np.asarray(new, float)
    small = ROUNDING * np.maximum(np.abs(old), np.abs(new))
    return np.where(np.abs(new - old) <= small, 0., new - old)
