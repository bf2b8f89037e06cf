"""`gate`: may a new system replace a baseline?"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from ..foundations.counts import Counts
from ..inference.deciding import judge, least_questions, verdict_chances
from ..inference.estimate import TARGETS, Estimate
from ..inference.weights import Weights
from ..io.options import Options
from ..io.policy import check_choice
from ..renaming import name_parameters, renamed
from ..report.advice import describe_advice
from ..results.advice import Advice
from ..reporting.analyses import usual_verdict
from ..reporting.gate_facts import Check
from ..reporting.intervals import find_ends
from ..reporting.question_rules import MustPass
from ..reporting.verdicts import Gate
from ..reporting.weights import describe_weights
from .next_steps import Sampling, advise_verdict, find_sampling, sampling_of
from .comparing import compare_sides, count_samples
from .metric_choice import find_kept
from .falling import check_falls, list_falls
from .measuring import Measured, estimate_metric, measure_sides
from .requiring import Wanted, check_must_pass, check_share, list_must_pass
from .several import adjust_fails
from .style import Rng, Style, check_range, check_style
from .systems import Aligned, Systems, align_systems, find_groups, load_systems, pick_model
from .twins import notice_twins
from .weighing import Weighing, check_request


@renamed(metric="metrics", format="harness", files="files_hold", interval="method")
def gate(
    new: Any,  # The system judged: anything that `score` reads
    *by_position: Any,  # Refused: a baseline is named
    baseline: Any = None,  # The system it may replace, for `max_drop`
    metrics: str | Sequence[str] = "pass@1",  # Metrics that may drop by at most `max_drop`
    max_drop: float | None = None,  # Largest drop allowed, on the scale of the metric
    minimum: Mapping[str, float] | None = None,  # Metric to the least value it must have
    must_pass: str | PathLike | Iterable | None = None,  # Names, patterns, or a file of them
    must_pass_share: float = 1.,  # Least share of right samples of each of these
    no_question_falls: bool = False,  # Whether a single question that falls fails the gate
    target: str | None = None,  # `benchmark`, `questions`; None: these again where `n >= 2k`
    models: Sequence[str] | str | None = None,  # Model of each input: of new, then of baseline
    cluster: str | bool | Mapping | None = None,  # Column of groups, or the group by question
    on_unmatched: str = "refuse",  # Questions that only one side has: `refuse` or `drop`
    allow_identical: bool = False,  # Whether one run may be judged against itself
    confidence_level: float = .95,  # Level of the two-sided intervals
    method: str | None = None,  # Interval that decides: None assumption-free, `t` the usual one
    bounds: tuple[float, float] | None = None,  # No question differs by more, an assumption
    ties: str = "expected",  # Ties of maj@k
    weights: str | Mapping | None = None,  # Column of weights of the questions, or by question
    largest_weight: float | None = None,  # Largest there may be; None: the largest seen
    rng: Rng = None,  # Seed of methods that draw; None is seed 0
    **reading: Any,  # Missing policy, columns and the rest of what `score` takes
) -> Gate:  # One check per rule, and the worst verdict
    """Whether a new system may replace a baseline, by intervals: pass, fail, or weak.

    Value: with a baseline also the questions that fell beyond chance, over all questions.

    Raises: `ValueError` unless there is a rule, a baseline goes with `max_drop` or
    `no_question_falls`, each metric states one budget, and the runs are two.
    """
    if by_position:
        raise TypeError("which system is judged, and which is the baseline? "
                        "Write gate(new, baseline=...)")
    if metrics is None: raise TypeError("metrics must be a name or a list of names, got None")
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    rules = Rules(names, max_drop, dict(minimum or {}), must_pass, must_pass_share,
                  no_question_falls)
    rules.check(baseline is not None)
    main = "questions" if target is None else target
    style = check_style(Style(confidence_level, method, None, main, rng,
                              check_range(bounds, target)), word="method")
    asked = check_targets(target, cluster)
    # A range of differences says something of new questions only.
    if bounds is not None: asked = "questions"
    given = reading | dict(cluster=cluster)
    weighing = check_request(weights, largest_weight, cluster)
    options = Options.of(given, name_parameters(gate), **find_kept([*names, *rules.minimum]),
                         weights=weights)
    found = load_sides(new, baseline, options, models)
    judged = Judged(found, ties, style, asked, cluster, weighing)
    alone, required = judged.check_alone(rules)
    told: dict[str, Any] = dict(names=tuple(map(str, found.counts))[::-1], read=found.read,
                                must_pass=required)
    if baseline is None:
        notes = (*found.warnings, *judged.say_weights())
        return Gate(adjust_fails(alone, style), notes=notes, **told)
    aligned = align_systems(found.counts, on_unmatched)
    # One file may hold both systems; then it is no copy of itself.
    inputs = (None, None) if has_two_models(models) else (baseline, new)
    notes = notice_twins(aligned.sides, inputs, allow_identical)
    falls, watch = list_falls(aligned.sides, style.confidence_level)
    checks = judged.check_pair(aligned, rules)
    if no_question_falls: checks += check_falls(falls, watch),
    checks = adjust_fails((*checks, *alone), style)
    notes = (*found.warnings, *notes, *judged.say_weights())
    return Gate(checks, alignment=aligned.said, falls=falls, watch=watch, notes=notes, **told)


@dataclass(frozen=True)
class Rules:
    "What a new system has to keep."
    metrics: list[str]  # Metrics that may drop by at most `max_drop`
    max_drop: float | None  # Largest drop allowed
    minimum: dict[str, float]  # Metric to the least value it must have
    must_pass: Wanted | None  # Questions that must pass
    must_pass_share: float  # Least share of right samples of each
    no_question_falls: bool  # Whether no single question may fall

    def check(self, has_baseline: bool) -> None:
        "Refuse a gate without a rule, or with half of one."
        check_share(self.must_pass_share)
        self.check_baseline(has_baseline)
        if not (has_baseline or self.minimum or self.must_pass is not None):
            raise ValueError("a gate needs a rule: a baseline with max_drop=, minimum= or "
                             "must_pass=")
        if self.max_drop is not None and not self.max_drop >= 0:
            raise ValueError(f"need max_drop >= 0, got {self.max_drop}")

    def check_baseline(self, has_baseline: bool) -> None:
        "Refuse a baseline that no rule needs, and a rule that needs one without it."
        if self.no_question_falls:
            if not has_baseline:
                raise ValueError("no_question_falls=True needs a baseline, got none")
        elif has_baseline != (self.max_drop is not None):
            got = "a baseline" if has_baseline else "max_drop="
            raise ValueError(f"a baseline and max_drop= go together, got only {got}")


def has_two_models(models: Sequence[str] | str | None) -> bool:
    "Whether a model was named for each side, and they differ."
    return models is not None and not isinstance(models, str) and len(set(models)) > 1


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
    cluster: Any = None  # Column of groups, or the group by question
    weighing: Weighing = Weighing()  # How questions are weighted

    def check_alone(self, rules: Rules) -> tuple[tuple[Check, ...], tuple[MustPass, ...]]:
        "The rules about the system judged by itself, and the questions that must pass."
        checks = tuple(self.check_least(*rule) for rule in rules.minimum.items())
        if rules.must_pass is None: return checks, ()
        _, counts = list(self.systems.counts.items())[-1]
        share = rules.must_pass_share
        required = list_must_pass(rules.must_pass, counts, share)
        return (*checks, check_must_pass(required, share, len(counts))), required

    def check_pair(self, aligned: Aligned, rules: Rules) -> tuple[Check, ...]:
        "The rules about the drop of metrics."
        if rules.max_drop is None: return ()
        return tuple(self.check_drop(aligned, name, rules.max_drop) for name in rules.metrics)

    def check_drop(self, aligned: Aligned, name: str, allowed: float) -> Check:
        "Whether a metric drops by at most so much."
        pair = self.measure(aligned.sides, name)
        metric, label = pair.chosen.metric, pair.chosen.labels[0]
        if metric.bounded and allowed > 1:
            raise ValueError(f"max_drop must lie in [0, 1], got {allowed}; "
                             "two points of a hundred are 0.02")
        groups = find_groups(aligned, self.cluster)
        compared = compare_sides(pair, groups, stated=self.style.bounds)[0]
        target = self.choose_target(pair)
        estimate = compared.estimate if target == "questions" else compared.again
        rule = f"{label} drops by at most {allowed:g}"
        sampling = None if compared.tables is None else sampling_of(compared.tables)
        known = Known(target, pair.sides, sampling, pair.weights)
        return self.judge(rule, label, estimate, -allowed, known, drop=allowed)

    def check_least(self, name: str, least: float) -> Check:
        "Whether a metric of the system judged has at least some value."
        system, counts = list(self.systems.counts.items())[-1]
        alone = self.measure({system: counts}, name)
        metric, label = alone.chosen.metric, alone.chosen.labels[0]
        if metric.bounded and not 0 <= least <= 1:
            raise ValueError(f"the least {label} must lie in [0, 1], got {least}")
        groups = find_groups(Aligned({system: counts}, [], ""), self.cluster)
        counts = replace(counts, cluster=None if groups is None else np.asarray(groups))
        target = self.choose_target(alone)
        estimate = estimate_metric(alone.chosen, counts, alone.values[0], target, alone.weights)[0]
        known = Known(target, (counts,), find_sampling(alone.chosen, counts), alone.weights)
        return self.judge(f"{label} is at least {least:g}", label, estimate, least, known)

    def measure(self, sides: Mapping[str, Counts], name: str) -> Measured:
        "A metric on the systems, at the one budget that it states."
        found = measure_sides(sides, name, ties=self.ties, lacks=self.systems.lacks)
        if len(found.chosen.ks) > 1 or not found.stated:
            label = found.chosen.metric.label(1)
            raise ValueError(f"a gate needs one number, got {name!r}; state the budget as in "
                             f"{label!r}")
        return replace(found, weights=self.weigh(found.sides[0]))

    def weigh(self, counts: Counts) -> Weights | None:
        "The weights of the questions of a system."
        return self.weighing.find(counts.questions, self.systems.weights)

    def say_weights(self) -> tuple[str, ...]:
        "What a reader has to know of the weights."
        system, counts = list(self.systems.counts.items())[-1]
        weights = self.weigh(counts)
        known = () if weights is None else (f"Questions are weighted by {weights.name}.",)
        return known + self.weighing.say([weights])

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
        known: Known,  # What the interval is about, and the samples behind it
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
        impossible, advice = "", None
        equals: dict[str, Any] = {}
        if verdict == "weak":
            if drop is not None: impossible = name_impossible(estimate, drop, known.target, level)
            if not impossible: advice = known.advise(label, estimate, (low, high), limit, level)
        warning = impossible if advice is None else describe_advice(advice)[:-1]
        if drop is not None: equals = judge_equals(estimate, low, high, limit)
        return Check(rule, label, estimate.value, low, high, limit, verdict, method,
                     estimate.questions, TARGETS[known.target], drop is not None, warning,
                     next=advice, estimate=estimate, confidence_level=level,
                     usual=judge_usual(estimate, limit, level),
                     bounds=style.bounds if drop is not None else None,
                     weights=describe_weights(known.weights, estimate.units, style.interval),
                     **equals)


def judge_usual(
    estimate: Estimate, limit: float, confidence_level: float,
) -> dict[str, Any] | None:
    "The interval that most reports take, and its verdict; None where no spread is seen."
    return usual_verdict(estimate, confidence_level, lambda low, high: judge(low, high, limit))


def judge_equals(estimate: Estimate, low: float, high: float, limit: float) -> dict[str, float]:
    "How often a system equal to the baseline passes, and changes its verdict when run again."
    if not estimate.stderr: return {}
    chances = verdict_chances(estimate.value - low, high - estimate.value, limit, estimate.stderr)
    flips = 1 - sum(chance**2 for chance in chances.values())
    return dict(equal_passes=chances["pass"], equal_flips=max(0., flips))


# What a weak gate needs.

@dataclass(frozen=True)
class Known:
    "What an interval is about, and what is known of the samples behind it."
    target: str
    sides: tuple[Counts, ...]  # Counts of the systems
    sampling: Sampling | None  # The samples behind the value; None where their noise is unknown
    weights: Weights | None = None  # Weights of questions, for which nothing is advised

    def advise(
        self, label: str, estimate: Estimate, ends: tuple[float, float], limit: float, level: float,
    ) -> Advice | None:
        "What would decide it, if the truth is what was measured."
        if self.weights is not None: return None
        return advise_verdict(label, estimate, ends, limit, level, self.sampling,
                              target=self.target, has_samples=count_samples(*self.sides),
                              difference=len(self.sides) > 1)


def name_impossible(
    estimate: Estimate, drop: float, target: str, confidence_level: float,
) -> str:
    "A sentence where no outcome of so few questions can pass."
    units: Any = estimate.units
    if target != "questions" or units.bounds is None: return ""
    least = least_questions(drop, confidence_level, width=np.ptp(units.bounds) / 2)
    if units.count >= least: return ""
    what = "clusters" if units.clustered else "questions"
    return f"no outcome of {units.count} {what} can pass; it takes {least} at least"
