"""Metrics, epochs reducers and early stopping for inspect_ai; needs inspect_ai 0.3.285 or newer."""
from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, update_wrapper
from itertools import takewhile
from math import isnan
from typing import Any, NamedTuple, TYPE_CHECKING, TypeVar

from inspect_ai.scorer import (Metric, SampleScore, Score, ScoreReducer, Value, metric,
                               score_reducer, value_to_float)
from inspect_ai.util import EarlyStop

from ..analyses.engine.choose import split_metric_names
from ..analyses.score.verb import score
from ..errors import OptionError
from ..inference.sequential import certify_vote
from ..metrics.catalog import find_metric
from ..metrics.consensus import cons_at_k as cons_of_counts
from ..metrics.passhat import pass_hat_k as pass_hat_of_counts
from ..metrics.passk import pass_at_k as pass_of_counts
from ..metrics.vote import maj_at_k as maj_of_answers
from ..reading.options import Policy
from ..results.base import Style, check_style
from . import warn_once

if TYPE_CHECKING:
    from inspect_ai.dataset import Sample
    from inspect_ai.log import EvalSpec
    from inspect_ai.scorer import SampleScore

__all__ = ["StopWhenCertified", "StopWhenSettled", "cons_at_k", "estimate", "maj_at_k", "pass_at_k",
           "pass_hat_k"]

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
    names = split_metric_names(metrics)
    budgets = {name: find_metric(name)[1] or 1 for name in names}
    policy = Policy(missing, samples_per_question, no_answer, normalize)
    style = check_style(Style(.95 if confidence_level is None else confidence_level))
    told = vars(policy) | dict(confidence_level=style.confidence_level)
    if cluster is not None: told["cluster"] = "cluster"

    def measure(scores: list[SampleScore]) -> Value:
        columns = epoch_columns(scores, value, cluster)
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

def epoch_columns(
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
        parts = [values_by_name(o) for o in values]
        answers = [o.answer for o in scores if not is_unscored(o.value)]
        if not parts: return write_score(UNSCORED, scores)
        found = {key: take_part(formula, key, parts, answers) for key in parts[0]}
        return write_score(join_parts(found, values[0]), scores)
    return reduce


def values_by_name(value: Value) -> Mapping[Any, Any]:
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


# Early stopping for inspect_ai: epochs that can no longer change a verdict are not run.


class Try(NamedTuple):
    "What a finished epoch has shown."
    right: bool
    answer: object


@dataclass
class Tries:
    "The epochs of one question, and what those that are finished have shown."
    started: list[int] = field(default_factory=list)  # Epochs in the order in which they began
    done: dict[int, Try | None] = field(default_factory=dict)  # By epoch; None without a score
    reason: str | None = None  # Why it needs no more epochs, kept from then on

    def list_done(self) -> list[Try]:
        "Every finished epoch with a score."
        return [one for one in self.done.values() if one is not None]

    def list_in_order(self) -> list[Try]:
        "The finished epochs up to the first that still runs: in an order that no outcome chose."
        first = takewhile(self.done.__contains__, self.started)
        return [one for epoch in first if (one := self.done[epoch]) is not None]


class Stopping:
    "What both rules share: the epochs that are done, those that were not run, and the report."
    name = ""

    def __init__(self,
        scorer: str | None = None,  # Scorer that is looked at; None for the only one
        value: float = 1.,  # Score at which a sample is right
    ) -> None:
        self.scorer, self.value, self.epochs = scorer, value, 0
        self.tries: dict[str | int, Tries] = {}
        self.spared: Counter = Counter()

    async def start_task(self, task: EvalSpec, samples: list[Sample], epochs: int) -> str:
        "Begin anew with the questions of a task."
        self.epochs, self.tries, self.spared = epochs, {}, Counter()
        self.begin(epochs)
        return self.name

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:
        "Skip an epoch of a question that is settled."
        seen = self.tries.setdefault(id, Tries())
        if seen.reason is None:
            if epoch not in seen.started: seen.started.append(epoch)
            return None
        self.spared[id] += 1
        return EarlyStop(id=id, epoch=epoch, reason=seen.reason)

    async def complete_sample(
        self, id: str | int, epoch: int, scores: dict[str, SampleScore],
    ) -> None:
        "Count a finished epoch; one without a score is no try."
        found = pick_score(scores, self.scorer)
        number = to_float(found.value)
        seen = self.tries.setdefault(id, Tries())
        if epoch not in seen.started: seen.started.append(epoch)
        seen.done[epoch] = None if isnan(number) else Try(number >= self.value, found.answer)
        # What is settled stays so, whatever epochs in flight bring.
        if seen.reason is None: seen.reason = self.settle(id, seen)

    async def complete_task(self) -> dict[str, Any]:
        "What was spared, and what each question showed."
        return dict(spared=sum(self.spared.values()), questions=len(self.tries), **self.describe())

    def count_settled(self) -> int:
        return sum(seen.reason is not None for seen in self.tries.values())

    def begin(self, epochs: int) -> None:
        "Check the rule against the number of epochs."

    def settle(self, id: str | int, seen: Tries) -> str | None:
        "Why a question needs no more epochs; None while it does."
        raise NotImplementedError

    def describe(self) -> dict[str, Any]:
        "The rule by its numbers, and how many questions it has settled."
        raise NotImplementedError


class StopWhenSettled(Stopping):
    """Stops a question when its verdict "at least `needed` right" is settled.

    The verdict is that of all epochs. Those in flight when it is settled end as usual. The share
    of right samples afterwards is `curtailed_share` of `sampling_eval.inference.sequential`, of
    records that `settled_tries` cuts where they were settled; pass@k is not pass@k.
    """
    name = "sampling_eval: settled"

    def __init__(self,
        needed: int,  # Right samples that pass a question
        scorer: str | None = None,  # Scorer that is looked at; None for the only one
        value: float = 1.,  # Score at which a sample is right
    ) -> None:
        super().__init__(scorer, value)
        if isinstance(needed, bool) or not isinstance(needed, int) or needed < 1:
            raise OptionError("needed", must="be a whole number of at least 1", got=needed)
        self.needed = needed

    def begin(self, epochs: int) -> None:
        "Refuse a rule that no number of right samples can pass."
        if self.needed > epochs:
            raise OptionError("needed", must=f"be at most the epochs, {epochs}", got=self.needed)

    def settle(self, id: str | int, seen: Tries) -> str | None:
        done, failures = seen.list_done(), self.epochs - self.needed + 1
        right = sum(one.right for one in done)
        if right >= self.needed: return f"passed: {self.needed} right"
        return f"failed: {failures} wrong" if len(done) - right >= failures else None

    def describe(self) -> dict[str, Any]:
        return dict(settled=self.count_settled(), needed=self.needed,
                    failures=self.epochs - self.needed + 1)


class StopWhenCertified(Stopping):
    """Stops a question when its most probable answer is certified.

    The target is the first answer of the question unless one is named beforehand; counting
    begins after it. Answers are looked at in the order in which their epochs began: those that
    end first may be another kind. What is certified is the most probable answer, not that it is
    right.
    """
    name = "sampling_eval: certified vote"

    def __init__(self,
        confidence_level: float = .95,  # One less the chance of certifying another answer
        targets: Mapping[str | int, str] | None = None,  # Answer named beforehand, by question
        scorer: str | None = None,  # Scorer that is looked at; None for the only one
    ) -> None:
        super().__init__(scorer)
        if not 0 < confidence_level < 1:
            raise OptionError("confidence_level", must="lie between 0 and 1", got=confidence_level)
        self.confidence_level, self.targets = confidence_level, dict(targets or {})

    def settle(self, id: str | int, seen: Tries) -> str | None:
        answers = [one.answer for one in seen.list_in_order() if one.answer is not None]
        if not answers: return None
        found = certify_vote(answers, self.targets.get(id), self.confidence_level)
        return None if found.certified_at is None else f"certified: {found.target}"

    def describe(self) -> dict[str, Any]:
        return dict(certified=self.count_settled(), confidence_level=self.confidence_level,
                    named_beforehand=len(self.targets))


def pick_score(scores: Mapping[str, SampleScore], name: str | None) -> Any:
    "The score of one scorer."
    if name is None and len(scores) == 1: name = next(iter(scores))
    if name is not None and name in scores: return scores[name].score
    raise OptionError("scorer", must="be the name of a scorer of the task", got=name,
                      choices=list(scores), hint=f"there are {', '.join(map(repr, scores))}")
