"""A gate that may be looked at after every question: its evidence, and the file between looks.

The file holds the difference on each question in the order of arrival, so that a later look may
bring new questions alone, and none is counted twice.
"""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import OptionError
from ...inference.intervals import Interval, Method
from ...inference.watched import best_evidence, first_reached, unrefuted_margins
from ...render.output import write
from ...results.verdict import GateVerdict
from ...spelling import name_option, option
from ..engine.measure import Measured
from .result import Check, Watched

__all__ = ["check_anytime", "watch_drop"]

METHOD = "evidence at every look"
LARGEST = 1e300  # Evidence that is told; there may be more
ROUNDING = 1e-12  # By which a difference may change when it is read again


def check_anytime(
    metrics: Sequence[str],  # Names of metrics
    max_drop: float | None,  # Largest drop allowed
    confidence_level: float,  # One less the chance of a false verdict on either side
    others: Mapping[str, Any],  # Options of other rules and intervals; None where not given
) -> None:
    "Refuse what no evidence is computed for: one rule on one metric may be watched."
    for name, given in others.items():
        if given is not None:
            rule = f"{name_option('anytime')} judges one drop on new questions"
            raise OptionError(name, f"{rule}, and takes no {name_option(name)}", found="both")
    if max_drop is None:
        raise OptionError("max_drop", f"{name_option('anytime')} needs the drop that is allowed",
                          found="none", hint=f"such as {option('max_drop', .02)}")
    if not 0 <= max_drop < 1:
        raise OptionError("max_drop", must="be at least 0 and below 1", got=max_drop)
    if len(metrics) > 1:
        raise OptionError("metrics", f"{name_option('anytime')} judges one metric",
                          found=f"{len(metrics)}")
    if not confidence_level > .5:
        raise OptionError("confidence_level", must="be above 0.5", got=confidence_level)


def watch_drop(
    pair: Measured,  # One metric on the baseline and the new system
    arrival: Sequence[Any],  # Questions of the new system, in the order of its data
    max_drop: float,  # Largest drop allowed
    confidence_level: float,  # One less the chance of a false verdict on either side
    path: Path | None,  # File of earlier looks; None: the data hold all of them
) -> Check:
    """The verdict on a drop, valid however often it was looked at.

    Raises: `OptionError` for a metric without a range, and for a file of another rule, or that
    holds another difference on a question.
    """
    metric, label = pair.chosen.metric, pair.chosen.labels[0]
    if not metric.bounded:
        raise OptionError("metrics", f"{name_option('anytime')} needs a metric between 0 and 1",
                          got=label)
    rule = dict(metric=label, max_drop=max_drop, confidence_level=confidence_level)
    earlier = Looks(rule) if path is None else read_looks(path, rule)
    looks = earlier.add(order_differences(pair, arrival))
    if path is not None and looks is not earlier: write(path, looks.to_text())
    x, needed = np.array(list(looks.differences.values())), 1 / (1 - confidence_level)
    needed *= 1 - ROUNDING
    passed, failed = first_reached(x, -max_drop, needed), first_reached(-x, max_drop, needed)
    settled = min((at for at in (passed, failed) if at is not None), default=None)
    verdict: GateVerdict = "inconclusive"
    if settled is not None: verdict = "pass" if settled == passed else "fail"
    # Each end is wrong with the chance of one side.
    level = round(2 * confidence_level - 1, 12)
    ends = Interval(*unrefuted_margins(x, needed), level, "new_questions",
                    Method(METHOD, exact=True), metric.unit)
    watched = Watched(tell_evidence(x, -max_drop), tell_evidence(-x, max_drop),
                      round(1 / (1 - confidence_level), 9), settled, len(looks.sizes),
                      len(x) - len(earlier.differences))
    return Check(f"{label} drops by at most {max_drop:g}, at every look", "drop", label,
                 float(x.mean()), ends, 0. - max_drop, verdict, len(x), "new_questions",
                 metric.unit, watched=watched)


def tell_evidence(x: np.ndarray, margin: float) -> float:
    return min(best_evidence(x, margin), LARGEST)


def order_differences(pair: Measured, arrival: Sequence[Any]) -> dict[Any, float]:
    "New minus baseline by question, in the order in which the new system was asked."
    old, new = (values.of_questions()[:, 0] for values in pair.values)
    found = dict(zip(pair.sides[0].questions.tolist(), (new - old).tolist(), strict=True))
    return {name: found[name] for name in arrival if name in found}


# The file between looks.

@dataclass(frozen=True)
class Looks:
    "What was seen so far."
    rule: dict[str, Any]  # Metric, drop and level, which were fixed before the first look
    differences: dict[Any, float] = field(default_factory=dict)  # By question, in order
    sizes: tuple[int, ...] = ()  # Questions known after each look

    def add(self, more: Mapping[Any, float]) -> Looks:
        """The same with the questions that are new; itself where none is.

        Raises: `OptionError` where a question was counted with another difference.
        """
        known = [name for name in more if name in self.differences]
        other = [name for name in known
                 if abs(more[name] - self.differences[name]) > ROUNDING]
        if other:
            was, now = self.differences[other[0]], more[other[0]]
            raise OptionError("state", "a question counts once, as it was at its first look",
                              found=f"{was:g} and now {now:g} on question {other[0]!r}",
                              where=f" ({len(other)} of {len(known)} fail)",
                              hint="bring new questions, or begin a new file")
        fresh = {name: value for name, value in more.items() if name not in self.differences}
        if not fresh: return self
        seen = self.differences | fresh
        return Looks(self.rule, seen, (*self.sizes, len(seen)))

    def to_text(self) -> str:
        "The file: JSON with a question a line."
        lines = ",\n".join(json.dumps(pair) for pair in self.differences.items())
        head = json.dumps(dict(self.rule, looks=self.sizes))
        return f'{head[:-1]}, "differences": [\n{lines}\n]}}\n'


def read_looks(path: Path, rule: dict[str, Any]) -> Looks:
    """What earlier looks left; nothing where there is no file yet.

    Raises: `OptionError` for another file, and for one of another rule.
    """
    if not path.exists(): return Looks(rule)
    try:
        told = json.loads(path.read_text("utf-8"))
        sizes = tuple(map(int, told["looks"]))
        differences = {name: float(value) for name, value in told["differences"]}
        held = {name: told[name] for name in rule}
    except (ValueError, KeyError, TypeError):
        raise OptionError("state", must="be a file that an earlier look wrote", got=str(path),
                          hint="name one that is not there yet") from None
    if held != rule:
        name = next(name for name in rule if held[name] != rule[name])
        raise OptionError("state", "the rule was fixed at the first look",
                          found=f"{name} {held[name]} in {path}, and now {rule[name]}",
                          hint="a new rule begins a new file")
    if not sizes or sizes[-1] != len(told["differences"]) or len(differences) != sizes[-1] \
            or not all(abs(one) <= 1 for one in differences.values()):
        raise OptionError("state", must="be a file that an earlier look wrote", got=str(path),
                          hint="name one that is not there yet")
    return Looks(rule, differences, sizes)
