"""`gate`: may a new system replace a baseline?"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..foundations.counts import Counts
from ..inference.deciding import enough_data, judge, least_questions
from ..inference.estimate import TARGETS, Estimate
from ..inference.units import Units
from ..reading.options import Options
from ..reading.policy import check_choice
from ..renaming import name_parameters, renamed
from ..reporting.intervals import find_ends
from ..reporting.verdicts import Check, Gate
from .comparing import compare_sides
from .choosing import find_kept
from .measuring import Measured, estimate_metric, measure_sides
from .several import adjust_fails
from .style import Rng, Style, check_style
from .systems import Aligned, Systems, align_systems, find_groups, load_systems, pick_model


@renamed(metric="metrics", format="harness", files="files_hold")
def gate(
    new: Any,  # The system judged: anything that `score` reads
    *by_position: Any,  # Refused: a baseline is named
    baseline: Any = None,  # The system it may replace, for `max_drop`
    metrics: str | Sequence[str] = "pass@1",  # Metrics that may drop by at most `max_drop`
    max_drop: float | None = None,  # Largest drop allowed, on the scale of the metric
    minimum: Mapping[str, float] | None = None,  # Metric to the least value it must have
    target: str | None = None,  # `benchmark`, `questions`; None: these again where `n >= 2k`
    models: Sequence[str] | str | None = None,  # Model of each input: of new, then of baseline
    cluster: str | bool | Mapping | None = None,  # Column of groups, or the group by question
    on_unmatched: str = "refuse",  # Questions that only one side has: `refuse` or `drop`
    confidence_level: float = .95,  # Level of the two-sided intervals
    interval: str | None = None,  # Interval method; None is the package default
    ties: str = "expected",  # Ties of maj@k
    rng: Rng = None,  # Seed of methods that draw; None is seed 0
    **reading: Any,  # Missing policy, columns and the rest of what `score` takes
) -> Gate:  # One check per rule, and the worst verdict
    """Whether a new system may replace a baseline, by intervals: pass, fail, or weak.

    Raises: `ValueError` unless there is a rule, a baseline goes with `max_drop`, and each metric
    states one budget.
    """
    if by_position:
        raise TypeError("which system is judged, and which is the baseline? "
                        "Write gate(new, baseline=...)")
    least = dict(minimum or {})
    check_rules(baseline, max_drop, least)
    main = "questions" if target is None else target
    style = check_style(Style(confidence_level, interval, None, main, rng))
    asked = check_targets(target, cluster)
    if metrics is None: raise TypeError("metrics must be a name or a list of names, got None")
    wanted = [*([metrics] if isinstance(metrics, str) else metrics), *least]
    given = reading | dict(cluster=cluster)
    options = Options.of(given, name_parameters(gate), **find_kept(wanted))
    found = load_sides(new, baseline, options, models)
    judged = Judged(found, ties, style, asked)
    checks, alignment = [], ""
    if baseline is not None:
        aligned = align_systems(found.counts, on_unmatched)
        names = [metrics] if isinstance(metrics, str) else metrics
        checks = [judged.check_drop(aligned, name, max_drop, cluster) for name in names]
        alignment = aligned.said
    checks += [judged.check_least(name, value, cluster) for name, value in least.items()]
    checks = adjust_fails(checks, style)
    return Gate(tuple(checks), tuple(map(str, found.counts))[::-1], found.read, alignment)


def check_rules(baseline: Any, max_drop: float | None, least: Mapping[str, float]) -> None:
    "Refuse a gate without a rule, or with half of one."
    if (baseline is None) != (max_drop is None):
        raise ValueError("a baseline and max_drop= go together, got only one of them")
    if max_drop is None and not least:
        raise ValueError("a gate needs a rule: a baseline with max_drop=, or minimum=")
    if max_drop is not None and not max_drop >= 0:
        raise ValueError(f"need max_drop >= 0, got {max_drop}")


def check_targets(target: str | None, cluster: Any) -> str | None:
    "The target asked for; groups of questions mean new ones."
    check_choice("target", target, (None, *TARGETS))
    if not cluster: return target
    if target == "benchmark":
        raise ValueError("cluster= is for new questions, target='questions'; "
                         "the same questions stay the same")
    if not isinstance(cluster, (str, bool, Mapping)):
        raise TypeError("cluster must be a column or a mapping of question to group, "
                        f"got {type(cluster).__name__}")
    return "questions"


def load_sides(new: Any, baseline: Any, options: Options, models: Any) -> Systems:
    "The baseline, if there is one, and the system judged."
    several = models is not None and not isinstance(models, str)
    backwards = list(models)[::-1] if several else models
    if baseline is not None:
        return load_systems([baseline, new], options, backwards, ["baseline", "new"])
    found = load_systems([new], options, backwards, ["new"])
    if len(found.counts) > 1: pick_model(found.counts, None, "new")
    return found


@dataclass(frozen=True)
class Judged:
    "The systems of a gate, and how they are judged."
    systems: Systems
    ties: str  # Ties of maj@k
    style: Style  # Interval, level and seed
    target: str | None  # Target asked for; None chooses by the metric

    def check_drop(self, aligned: Aligned, name: str, allowed: float, cluster: Any) -> Check:
        "Whether a metric drops by at most so much."
        pair = self.measure(aligned.sides, name)
        metric, label = pair.chosen.metric, pair.chosen.labels[0]
        if metric.bounded and allowed > 1:
            raise ValueError(f"max_drop must lie in [0, 1], got {allowed}; "
                             "two points of a hundred are 0.02")
        groups = find_groups(aligned, cluster)
        compared = compare_sides(pair, groups, rng=self.style.rng)[0]
        target = self.choose_target(pair)
        estimate = compared.estimate if target == "questions" else compared.again
        rule = f"{label} drops by at most {allowed:g}"
        return self.judge(rule, label, estimate, -allowed, target, drop=allowed)

    def check_least(self, name: str, least: float, cluster: Any) -> Check:
        "Whether a metric of the system judged has at least some value."
        system, counts = list(self.systems.counts.items())[-1]
        alone = self.measure({system: counts}, name)
        metric, label = alone.chosen.metric, alone.chosen.labels[0]
        if metric.bounded and not 0 <= least <= 1:
            raise ValueError(f"the least {label} must lie in [0, 1], got {least}")
        groups = find_groups(Aligned({system: counts}, [], ""), cluster)
        counts = replace(counts, cluster=None if groups is None else np.asarray(groups))
        target = self.choose_target(alone)
        estimate = estimate_metric(alone.chosen, counts, alone.values[0], target)[0]
        return self.judge(f"{label} is at least {least:g}", label, estimate, least, target)

    def measure(self, sides: Mapping[str, Counts], name: str) -> Measured:
        "A metric on the systems, at the one budget that it states."
        found = measure_sides(sides, name, ties=self.ties, lacks=self.systems.lacks)
        if len(found.chosen.ks) > 1 or not found.stated:
            label = found.chosen.metric.label(1)
            raise ValueError(f"a gate needs one number, got {name!r}; state the budget as in "
                             f"{label!r}")
        return found

    def choose_target(self, measured: Measured) -> str:
        "The target asked for, or these questions again where their noise has no bias."
        if self.target is not None: return self.target
        metric, k = measured.chosen.metric, int(measured.chosen.ks[0])
        known = metric.credit or metric.within
        enough = all(side.n_min >= 2 * k for side in measured.sides)
        return "benchmark" if known and enough else "questions"

    def judge(
        self,
        rule: str,  # The rule in words
        label: str,  # Name of the metric with its budget
        estimate: Estimate,  # The value, or the difference from the baseline
        limit: float,  # The number its interval is held against
        target: str,  # What the interval is about
        drop: float | None = None,  # Drop allowed, for a difference
    ) -> Check:
        "One check: the interval, the verdict, and what would help."
        style = self.style
        level = style.confidence_level
        try: low, high, method = find_ends(estimate, level, style.interval, style.rng)
        except ValueError as error: raise ValueError(f"{label}: {error}") from None
        if low is None or high is None:
            raise ValueError(f"{label}: no interval by {style.interval}: {estimate.reason}; "
                             "the default method has one")
        verdict = judge(low, high, limit)
        warning = ""
        if verdict == "weak":
            warning = explain_weak(estimate, limit, target, level, drop)
        return Check(rule, label, estimate.value, low, high, limit, verdict, method,
                     estimate.questions, TARGETS[target], drop is not None, warning, estimate)


# What a weak gate needs.

def explain_weak(
    estimate: Estimate,  # What was not decided
    limit: float,  # The number its interval reaches over
    target: str,  # What the interval is about
    confidence_level: float,  # Its level
    drop: float | None = None,  # Drop allowed, for a difference
) -> str:  # One sentence, empty where nothing is known
    "What would decide it, if the value stays as it is."
    units = estimate.units
    if drop is not None and units.bounds is not None and target == "questions":
        impossible = name_impossible(units, drop, confidence_level)
        if impossible: return impossible
    if units.bounds is None: return ""
    factor = enough_data(estimate, limit, confidence_level)
    if factor is None:
        return ("the value lies so close to the limit that a thousand times the data would not "
                "decide")
    return f"if the value stays as it is, {say_more(units, factor)} would decide"


def name_impossible(units: Units, drop: float, confidence_level: float) -> str:
    "A sentence where no outcome of so few questions can pass."
    least = least_questions(drop, confidence_level, width=np.ptp(units.bounds) / 2)
    if units.count >= least: return ""
    return f"no outcome of {units.count} {name_units(units)} can pass; it takes {least} at least"


def name_units(units: Units) -> str: return "clusters" if units.clustered else "questions"


def say_more(units: Any, factor: float) -> str:
    "How many questions, or samples of these questions, a factor stands for."
    if isinstance(units, Units):
        return f"about {round(units.count * factor):,} {name_units(units)} like these"
    if factor < 1.1: return "a tenth more samples of these questions"
    more = f"{factor:.1f}" if factor < 10 else f"{factor:.0f}"
    return f"about {more} times as many samples of these questions"
