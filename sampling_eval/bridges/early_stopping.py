"""Early stopping for inspect_ai: epochs that can no longer change a verdict are not run."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from math import isnan
from typing import TYPE_CHECKING, Any

from inspect_ai.scorer import value_to_float
from inspect_ai.util import EarlyStop

from ..errors import OptionError
from ..inference.sequential import vote_evidence
from ..records import dataclass

if TYPE_CHECKING:
    from inspect_ai.dataset import Sample
    from inspect_ai.log import EvalSpec
    from inspect_ai.scorer import SampleScore

__all__ = ["StopWhenCertified", "StopWhenSettled"]

to_float = value_to_float()


@dataclass
class Tries:
    "What the finished epochs of one question have shown."
    right: int = 0
    wrong: int = 0
    answers: Counter = field(default_factory=Counter)
    first: object = None  # The first answer, which is the target where none was named


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
        reason = self.settled(self.tries.get(id, Tries()))
        if reason is None: return None
        self.spared[id] += 1
        return EarlyStop(id=id, epoch=epoch, reason=reason)

    async def complete_sample(
        self, id: str | int, epoch: int, scores: dict[str, SampleScore],
    ) -> None:
        "Count a finished epoch; one without a score is no try."
        found = pick_score(scores, self.scorer)
        number = to_float(found.value)
        if isnan(number): return
        seen = self.tries.setdefault(id, Tries())
        if number >= self.value: seen.right += 1
        else: seen.wrong += 1
        if found.answer is None: return
        # The first answer names the target, and does not count for it.
        if seen.first is None: seen.first = found.answer
        else: seen.answers[found.answer] += 1

    async def complete_task(self) -> dict[str, Any]:
        "What was spared, and what each question showed."
        return dict(spared=sum(self.spared.values()), questions=len(self.tries),
                    settled=sum(self.settled(one) is not None for one in self.tries.values()),
                    **self.describe())

    def begin(self, epochs: int) -> None:
        "Check the rule against the number of epochs."

    def settled(self, seen: Tries) -> str | None:
        "Why a question needs no more epochs; None while it does."
        raise NotImplementedError

    def describe(self) -> dict[str, Any]:
        "The rule by its numbers."
        return {}


class StopWhenSettled(Stopping):
    """Stops a question when its verdict "at least `needed` right" is settled.

    The verdict is that of all epochs. The share of right samples afterwards is
    `curtailed_share` of `sampling_eval.inference.sequential`, and pass@k is not pass@k.
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

    def settled(self, seen: Tries) -> str | None:
        failures = self.epochs - self.needed + 1
        if seen.right >= self.needed: return f"passed: {self.needed} right"
        return f"failed: {failures} wrong" if seen.wrong >= failures else None

    def describe(self) -> dict[str, Any]:
        return dict(needed=self.needed, failures=self.epochs - self.needed + 1)


class StopWhenCertified(Stopping):
    """Stops a question when its most probable answer is certified.

    The target is the first answer of the question unless one is named beforehand; counting
    begins after it. What is certified is the most probable answer, not that it is right.
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

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:
        if self.evidence(id) * (1 - self.confidence_level) < 1 - 1e-12: return None
        self.spared[id] += 1
        target = self.targets.get(id, self.tries[id].first)
        return EarlyStop(id=id, epoch=epoch, reason=f"certified: {target}")

    def evidence(self, id: str | int) -> float:
        "E-value of the target of a question."
        seen = self.tries.get(id)
        if seen is None or seen.first is None: return 1.
        counts = Counter(seen.answers)
        target = self.targets.get(id)
        # A target that was named beforehand counts from the first answer on.
        if target is None: target = seen.first
        else: counts[seen.first] += 1
        rival = max((n for answer, n in counts.items() if answer != target), default=0)
        return float(vote_evidence(counts[target], rival))

    async def complete_task(self) -> dict[str, Any]:
        "What was spared, and how many questions have a certified answer."
        bar = (1 - 1e-12) / (1 - self.confidence_level)
        certified = sum(self.evidence(id) >= bar for id in self.tries)
        return dict(spared=sum(self.spared.values()), questions=len(self.tries),
                    certified=certified, confidence_level=self.confidence_level,
                    named_beforehand=len(self.targets))

    def settled(self, seen: Tries) -> str | None: return None


def pick_score(scores: Mapping[str, SampleScore], name: str | None) -> Any:
    "The score of one scorer."
    if name is None and len(scores) == 1: name = next(iter(scores))
    if name is not None and name in scores: return scores[name].score
    raise OptionError("scorer", must="be the name of a scorer of the task", got=name,
                      choices=list(scores), hint=f"there are {', '.join(map(repr, scores))}")
