"""Metrics and epochs reducers for inspect_ai; needs inspect_ai 0.3.285 or newer."""
from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial, update_wrapper
from typing import Any, TypeVar

from inspect_ai.scorer import (
    Metric, SampleScore, Score, ScoreReducer, Value, metric, score_reducer, value_to_float)

from ..metrics.catalog import find_metric
from ..metrics.consensus import cons_at_k as cons_of_counts
from ..metrics.passhat import pass_hat_k as pass_hat_of_counts
from ..metrics.passk import pass_at_k as pass_of_counts
from ..metrics.vote import maj_at_k as maj_of_answers
from ..io.policy import Policy
from ..verbs.scoring import score
from ..results.style import Style, check_style
from .early_stopping import StopWhenCertified, StopWhenSettled
from .telling import warn_once

__all__ = ["StopWhenCertified", "StopWhenSettled", "cons_at_k", "estimate", "maj_at_k",
           "pass_at_k", "pass_hat_k"]

UNSCORED = math.nan  # What inspect_ai takes for a sample, or a question, without a value
to_float = value_to_float()
Function = TypeVar("Function", bound=Callable[..., Any])


def keep_help(register: Callable[[Function], Function]) -> Callable[[Function], Function]:
    "A decorator of inspect_ai that leaves parameters and docstring where `help` finds them."
    def wrap(function: Function) -> Function:
        registered = register(function)
        update_wrapper(registered, function)
        return registered
    return wrap


@keep_help(metric(scores="unreduced"))
def estimate(
    metrics: str | Sequence[str],  # Names such as `pass@8`, or a list of them
    value: float = 1.,  # Score at which a sample is right, as in inspect_ai's own `pass_at`
    cluster: str | None = None,  # Key of the samples' metadata that holds their group
    confidence_level: float | None = None,  # Level of an interval to report; None: no interval
    missing: str = "raise",  # Samples that should be there and have no score: `wrong`, `right`
    samples_per_question: int | None = None,  # Epochs, where samples may have no score
    no_answer: str | None = None,  # Whether samples without an answer `abstain` or `vote`
    normalize: str | None = None,  # When answers are equal: `strip`, `lower` or `number`
) -> Metric:  # Estimate, standard error and interval of each metric, under its name
    """Metrics over all epochs at once, each with its standard error, for `Task(metrics=...)`.

    Value: nan while a question has fewer scores than the budget of a metric, as in the middle of a
    run. What else the scores do not allow is nan too, and a warning in the log says why: no run
    fails at its end.

    Raises: `ValueError` or `TypeError` for an unknown metric or policy, before the run.
    """
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    budgets = {name: find_metric(name)[1] or 1 for name in names}
    policy = Policy(missing, samples_per_question, no_answer, normalize)
    style = check_style(Style(.95 if confidence_level is None else confidence_level))
    told = vars(policy) | dict(confidence_level=style.confidence_level)
    if cluster is not None: told["cluster"] = "cluster"

    def measure(scores: list[SampleScore]) -> Value:
        columns = list_columns(scores, value, cluster)
        fewest = count_fewest(columns, samples_per_question)
        found: dict[str, float] = {}
        for name, budget in budgets.items():
            if budget > fewest: found[name] = UNSCORED
            else: found |= read_rows(name, columns, told, confidence_level is not None)
        return found

    return measure


@keep_help(score_reducer)
def pass_at_k(
    k: int,  # Samples kept per trial, at most the number of epochs
    value: float = 1.,  # Score at which a sample is right
) -> ScoreReducer:  # Reduces the epochs of a question
    "Unbiased chance that at least one of `k` samples is right; nan with fewer than `k` scores."
    return reduce_with(partial(count_right, pass_of_counts, k, value))


@keep_help(score_reducer)
def pass_hat_k(
    k: int,  # Samples kept per trial, at most the number of epochs
    value: float = 1.,  # Score at which a sample is right
) -> ScoreReducer:  # Reduces the epochs of a question
    "Unbiased chance that all of `k` samples are right; nan with fewer than `k` scores."
    return reduce_with(partial(count_right, pass_hat_of_counts, k, value))


@keep_help(score_reducer)
def cons_at_k(
    k: int,  # Samples kept per trial, at most the number of epochs
    value: float = 1.,  # Score at which a sample is right
) -> ScoreReducer:  # Reduces the epochs of a question
    "Unbiased chance that most of `k` samples are right; nan with fewer than `k` scores."
    return reduce_with(partial(count_right, cons_of_counts, k, value))


@keep_help(score_reducer)
def maj_at_k(
    k: int,  # Samples kept per vote, at most the number of epochs
    value: float = 1.,  # Score at which a sample is right
    no_answer: str | None = None,  # Whether samples without an answer `abstain` or `vote`
    normalize: str | None = None,  # When answers are equal: `strip`, `lower` or `number`
) -> ScoreReducer:  # Reduces the epochs of a question
    """Unbiased chance that the most frequent of `k` answers is right; ties are shared.

    Value: nan with fewer than `k` scores, and where answers cannot be counted; a warning says why.
    """
    return reduce_with(partial(vote, k, value, no_answer, normalize))


# The metric.

def list_columns(
    scores: Sequence[SampleScore], value: float, cluster: str | None,
) -> dict[str, list[Any]]:
    "The samples of all epochs as the columns of a table."
    numbers = [to_float(o.score.value) for o in scores]
    columns: dict[str, list[Any]] = dict(
        question=[str(o.sample_id) for o in scores], correct=[o >= value for o in numbers],
        score=numbers, answer=[o.score.answer for o in scores])
    if cluster: columns["cluster"] = [(o.sample_metadata or {}).get(cluster) for o in scores]
    # A column of nothing is no column of answers.
    if set(columns["answer"]) == {None}: del columns["answer"]
    return columns


def count_fewest(columns: Mapping[str, list[Any]], should: int | None) -> int:
    "Samples of the question that has fewest, or as many as it should have."
    held = Counter(columns["question"]).values()
    return should or min(held) if held else 0


def read_rows(
    name: str, columns: Mapping[str, list[Any]], told: Mapping[str, Any], interval: bool,
) -> dict[str, float]:
    "Estimate and error of one metric at its budgets; nan, and a warning, where there is none."
    try: rows = score(columns, name, **told).rows
    except (ValueError, TypeError) as error:
        warn_once(f"{name}: {error}")
        return {name: UNSCORED}
    found: dict[str, float | None] = {}
    for row in rows:
        found |= {row.metric: row.estimate, f"{row.metric}_stderr": row.stderr}
        if interval: found |= {f"{row.metric}_low": row.low, f"{row.metric}_high": row.high}
    return {key: UNSCORED if number is None else number for key, number in found.items()}


# The reducers.

Attempts = list[tuple[float, str | None]]  # Score and answer of each epoch that has a score


def reduce_with(
    formula: Callable[[Attempts], float],  # Value of a question from its epochs
) -> ScoreReducer:  # The same for scores, and for each part of scores with several values
    "A reducer of inspect_ai; scores that were never given are left out."
    def reduce(scores: list[Score]) -> Score:
        values = [o.value for o in scores if not is_unscored(o.value)]
        parts = [list_parts(o) for o in values]
        answers = [o.answer for o in scores if not is_unscored(o.value)]
        if not parts: return write_score(UNSCORED, scores)
        found = {key: take_part(formula, key, parts, answers) for key in parts[0]}
        return write_score(join_parts(found, values[0]), scores)
    return reduce


def list_parts(value: Value) -> Mapping[Any, Any]:
    "The values of a score by their names, or places; one value has no name."
    if isinstance(value, Mapping): return value
    if isinstance(value, str) or not isinstance(value, Sequence): return {"": value}
    return dict(enumerate(value))


def take_part(
    formula: Callable[[Attempts], float], key: Any, parts: Sequence[Mapping[Any, Any]],
    answers: Sequence[str | None],
) -> float:
    "The formula on one of the values of each score, where it is there."
    held = [(part.get(key), answer) for part, answer in zip(parts, answers)]
    known = [(to_float(part), answer) for part, answer in held
             if part is not None and not is_unscored(part)]
    return formula(known)


def join_parts(found: dict[Any, float], like: Value) -> Value:
    "Values in the form that the scores have."
    if isinstance(like, Mapping): return found
    return found[""] if "" in found else list(found.values())


def write_score(value: Value, scores: Sequence[Score]) -> Score:
    "One score for those it stands for; answer and explanation where all agree."
    first = scores[0]
    answer = first.answer if len({o.answer for o in scores}) == 1 else None
    said = first.explanation if len({o.explanation for o in scores}) == 1 else None
    return Score(value=value, answer=answer, explanation=said, metadata=first.metadata)


def is_unscored(value: Value) -> bool:
    "Whether a value is the nan of inspect_ai, which stands for none."
    return isinstance(value, float) and math.isnan(value)


def count_right(
    formula: Callable[[int, int, int], Any], k: int, value: float, attempts: Attempts,
) -> float:
    "A metric of counts for one question."
    if len(attempts) < k: return UNSCORED
    right = sum(number >= value for number, _ in attempts)
    return float(formula(len(attempts), right, k))


def vote(
    k: int, value: float, no_answer: str | None, normalize: str | None, attempts: Attempts,
) -> float:
    "The vote on the answers of one question."
    if len(attempts) < k: return UNSCORED
    answers = [answer for _, answer in attempts]
    right = [number >= value for number, _ in attempts]
    try: found = maj_of_answers([answers], [right], k, no_answer=no_answer, normalize=normalize)
    except (ValueError, TypeError) as error:
        warn_once(f"maj@{k}: {error}")
        return UNSCORED
    return float(found[0])
