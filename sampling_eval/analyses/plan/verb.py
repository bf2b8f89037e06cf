"""`plan`: how many questions, how many samples, which difference can be seen.

Pilots, or an assumption, give a population of two systems (`Pilots`), from which the plan is
computed. On request follow the questions of an earlier run to ask again, labels for a judge, and
the questions until a gate passes.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ...arguments import checked, name_parameters
from ...errors import OptionError
from ...spelling import name_option, option
from ...foundations.checks import check_rng, make_array
from ...foundations.counts import Counts
from ...inference.borrowing import allocate_samples, draw_questions
from ...inference.intervals import ASSUMPTION_FREE
from ...inference.judges import judged_curve, labels_needed
from ...inference.planning import Components
from ...inference.population import Population, population_of, relate
from ...inference.power import PassRule, make_plan, pass_power, questions_to_pass
from ...inference.sequential import curtailed_tries, needed_successes
from ...metrics.catalog import CATALOG, Metric, find_metric
from ...parameters import Planned, Reading, Target, Unmatched
from ...reading.load import load
from ...reading.options import Options
from ...results.base import Rng, check_rng
from ...results.reading import Alignment, ReadSummary
from ..engine.choose import check_budgets, split_metric_names
from ..engine.judging import check_judge
from ..engine.systems import align_systems, load_systems, pick_model
from .result import (
    AtCorrelation, GatePlan, Goal, GroupPlan, JudgingPlan, PlannedQuestion, PlannedRule, PlannedRun,
    PowerAnalysis, SettledRule, Variances, WidthPlan)
from .groups import check_groups, plan_groups
from .width import check_alone, plan_width

# A difference below which, and questions beyond which, no benchmark goes.
LEAST_DELTA, MOST_QUESTIONS = 1e-4, 10**10
GUESSES = .5, .9  # Correlations told beside 0 where nothing is known of the second system


@checked
def plan(
    delta: float | None = None,  # Difference to detect
    power: float = .8,  # Probability to detect it
    pilot: Any = None,  # Data of one system, `Population` or `Components`; None: uniform difficulty
    questions: int | None = None,  # Questions there are; with `budget` the most there can be
    n: int | ArrayLike | None = None,  # Samples per question; None: the metric's `k` and doubles
    metrics: str | None = None,  # One metric that is a credit of counts; None is `pass@1`
    *,
    k: int | None = None,  # Its budget, where its name states none
    budget: float | None = None,  # Total cost allowed
    pilot_b: Any = None,  # Data of the second system on the same questions
    correlation: float | None = None,  # Of the two systems over questions (default: 0, .5 and .9)
    cost_question: float = 0.,  # Cost of one question, whatever its samples
    cost_sample: float = 1.,  # Cost of one more sample of a question, of both systems together
    confidence_level: float = .95,  # Level of the interval that must exclude zero
    method: Planned | None = None,  # CI that decides (default: as `compare`, simulated)
    target: Target = "new_questions",  # Whose interval
    models: Sequence[str] | str | None = None,  # Model of each pilot, or two of one pilot
    on_unmatched: Unmatched = "refuse",  # Questions that only one pilot has
    earlier: Any = None,  # Earlier run of all questions: what to run of them; the pilot if alone
    judge: Any = None,  # `Judge`, or its sensitivity and specificity: labels and gradings needed
    half_width: float | None = None,  # Half of the CI of one system; of `judge` (default: .05)
    by: str | None = None,  # Column of groups of the pilot, such as prompts, beside `crossed`
    crossed: bool = False,  # Plan how many groups, drawn as questions are, give `half_width`
    cost_grading: float = 1.,  # Cost of one grading, beside `cost_sample`
    minimum: Mapping[str, float] | None = None,  # Rule of a gate: a metric to its minimum
    true_value: float | None = None,  # True value of that metric: questions until the gate passes
    max_drop: float | None = None,  # Rule of a gate: largest drop of `metrics` that is allowed
    true_difference: float | None = None,  # True difference beside `max_drop` (default: 0)
    rng: Rng = None,  # Random seed (default 0)
    **reading: Unpack[Reading],  # Missing policy, columns and the rest of what `score` takes
) -> PowerAnalysis | WidthPlan | GroupPlan:  # Samples, questions and cost, with a recommended row
    """Questions needed, minimum detectable difference, power, or best split of a budget, for
    comparing two systems; or questions, or groups such as prompts, that give the CI of one system
    a half-width.

    Parameters:
        delta             Difference to detect
        power             Probability to detect it
        pilot             Data of one system, `Population` or `Components`; None: uniform difficulty
        questions         Questions there are; with `budget` the most there can be
        n                 Samples per question; None: the metric's `k` and doubles
        metrics           One metric that is a credit of counts; None is `pass@1`
        k                 Its budget, where its name states none
        budget            Total cost allowed
        pilot_b           Data of the second system on the same questions
        correlation       Of the two systems over questions (default: 0, .5 and .9)
        cost_question     Cost of one question, whatever its samples
        cost_sample       Cost of one more sample of a question, of both systems together
        confidence_level  Level of the interval that must exclude zero
        method            CI that decides (default: as `compare`, simulated)
        target            Whose interval
        models            Model of each pilot, or two of one pilot
        on_unmatched      Questions that only one pilot has
        earlier           Earlier run of all questions: what to run of them; the pilot if alone
        judge             `Judge`, or its sensitivity and specificity: labels and gradings needed
        half_width        Half of the CI of one system; of `judge` (default: .05)
        by                Column of groups of the pilot, such as prompts, beside `crossed`
        crossed           Plan how many groups, drawn as questions are, give `half_width`
        cost_grading      Cost of one grading, beside `cost_sample`
        minimum           Rule of a gate: a metric to its minimum
        true_value        True value of that metric: questions until the gate passes
        max_drop          Rule of a gate: largest drop of `metrics` that is allowed
        true_difference   True difference beside `max_drop` (default: 0)
        rng               Random seed (default 0)
        reading           Missing policy, columns and the rest of what `score` takes (see `read`):
                          missing, samples_per_question, no_answer, normalize, scale, conflict,
                          question, sample, correct, answer, score, model, cluster, expected, keys,
                          threshold, ignore, failed, sums, harness, task, filter, grade, files_hold,
                          limits
        return            Samples, questions and cost, with a recommended row

    Value: `PowerAnalysis`; `WidthPlan` for `half_width` without `judge`; `GroupPlan` for `crossed`.

    Raises: `ValueError` unless the question is clear, the metric has a credit and states its
    budget, and the pilot allows it.
    """
    groups = check_groups(by, crossed, half_width, pilot)
    if half_width is not None and (groups or judge is None):
        others = dict(judge=judge, delta=delta, budget=budget, minimum=minimum or None,
                      max_drop=max_drop, true_value=true_value, true_difference=true_difference,
                      pilot_b=pilot_b, correlation=correlation, earlier=earlier)
        others |= dict(n=n, method=method) if groups else dict(questions=questions)
        check_alone(half_width, others, target, groups)
        one = parse_credit_metric(name_budget(name_one(metrics), k))
        options = Options.of(dict(reading) | dict(by=by), name_parameters(plan))
        if groups:
            return plan_groups(pilot, options, models, one, half_width, confidence_level, questions)
        return plan_one(pilot, options, models, one, n, (half_width, confidence_level, method,
                        (cost_question or 0., 1. if cost_sample is None else cost_sample)))
    half_width = .05 if half_width is None else half_width
    asked_rules = AskedRules(dict(minimum or {}), true_value, max_drop, true_difference)
    asked_rules.check(target)
    unasked = (delta, questions, budget) == (None, None, None)
    if minimum and unasked: asked_rules.check_truth()
    alone = asked_rules.sized and unasked
    if alone: delta = asked_rules.smallest_gap
    refuse_endless(delta, questions)
    check_rng(rng)
    metric, k = parse_credit_metric(name_budget(name_one(metrics), k))
    options = Options.of(reading, name_parameters(plan))
    refuse_two_sources(pilot, pilot_b, correlation)
    if earlier is not None: check_extent(questions, budget)
    if pilot is None: pilot = earlier
    pilots = load_pilots(pilot, pilot_b, options, correlation, models, on_unmatched)
    population = pilots.imagine(metric, k, n)
    asked = dict(delta=delta, questions=questions, budget=budget)
    style = dict(power=power, confidence_level=confidence_level, method=method, target=target,
                 cost_question=cost_question or 0., rng=rng,
                 cost_sample=1. if cost_sample is None else cost_sample)
    made = make_plan(population, **asked, **style)
    known = vars(made) | dict(
        components=Variances(**vars(made.components)), metric=metric.label(k),
        pilots=None if pilots.given is not None else len(pilots.sides), read=pilots.read,
        alignment=pilots.alignment, piloted=pilots.samples,
        correlation=population.correlation if len(pilots.sides) == 2 else None,
        goal=name_goal(delta, questions, budget), asked=asked, wanted=power,
        clustered=options.cluster not in (None, False) or pilots.share_items,
        notes=(*made.notes, *[f"Warning: {pilots.versions}."] * bool(pilots.versions)))
    result = PowerAnalysis(**known)
    facts: dict[str, Any] = {}
    if earlier is not None:
        facts["run"] = plan_run(load_run("earlier", earlier, options), result, k, n, rng, metric)
    if judge is not None:
        data = load_run("judge", pilot, options) if pilot is not None else None
        facts["judging"] = plan_judging(judge, data, half_width, confidence_level,
                                        style["cost_sample"], cost_grading)
    if asked_rules.sized:
        facts["gate"] = plan_gate(asked_rules, pilots, (metric, k, n), result, alone)
    elif minimum: facts["settled"] = plan_rule(minimum, questions, confidence_level)
    return replace(result, **facts, others=plan_others(pilots, population, result, style),
                   without_assumptions=plan_without(population, asked, style),
                   questions_needed=questions_needed(result, style))


def plan_one(
    pilot: Any, options: Options, models: Sequence[str] | str | None, metric: tuple[Metric, int],
    n: Any, style: tuple[float, float, str | None, tuple[float, float]],
) -> WidthPlan:
    "The questions that give the CI of one system a half-width."
    pilots = Pilots()
    if isinstance(pilot, (Components, Population)): pilots = Pilots(pilot)
    elif pilot is not None:
        found = load_systems([pilot], options, models)
        counts = found.counts[pick_model(found.counts, None, "the pilot")]
        check_pilot(counts)
        pilots = Pilots(None, (counts,), None, found.inputs)
    population = pilots.imagine(*metric, n)
    samples = planned_samples(metric[1], n, pilots.samples)
    return WidthPlan(**plan_width(population, (*metric, samples), *style),
                     pilot=pilot is not None, read=pilots.read,
                     clustered=options.cluster not in (None, False))


def name_goal(delta: float | None, questions: int | None, budget: float | None) -> Goal:
    "What a plan looks from, of what was given."
    if budget is not None: return "budget"
    if delta is None: return "questions"
    return "delta" if questions is None else "both"


def plan_without(
    population: Components | Population, asked: dict[str, Any], style: dict[str, Any],
) -> tuple[dict[str, Any], ...]:
    "The rows of the same plan without assumptions; none where it is the plan, or is not known."
    rerun = style["target"] == "same_questions"
    if style["method"] is not None or rerun or not isinstance(population, Population): return ()
    return tuple(make_plan(population, **asked, **style | dict(method=ASSUMPTION_FREE)).rows)


def name_one(metrics: Any) -> Any:
    "The one metric that a plan is for, by name."
    if not isinstance(metrics, (str, list, tuple)): return metrics
    names = split_metric_names(metrics)
    if len(names) == 1: return names[0]
    raise OptionError("metrics", must="be one metric", found=", ".join(map(repr, names)) or "none",
                      hint="write one of them")


def name_budget(name: Any, k: Any) -> Any:
    "A metric by name with the budget that stands beside it."
    if k is None: return "pass@1" if name is None else name
    ks = check_budgets(k)
    if len(ks) > 1: raise OptionError("k", "a plan is for one budget", found=f"k={ks.tolist()}")
    found, stated = find_metric("pass@k" if name is None else name)
    if stated or len(found) > 1 or found[0].at == "n":
        raise OptionError("k", f"{name!r} states its budget, or has none",
                          found=f"k={ks[0]} as well")
    return found[0].label(int(ks[0]))


def parse_credit_metric(name: Any) -> tuple[Metric, int]:
    "A metric with a credit, and its budget; the average has the budget 1."
    if isinstance(name, Mapping):
        raise OptionError("metrics",
                          "write the metric as a name with its budget, such as 'pass@8'")
    found, k = find_metric(name)
    if len(found) > 1:
        names = ", ".join(repr(metric.name) for metric in found)
        raise OptionError("metrics", must="be one metric", found=names, hint="write one of them")
    metric = found[0]
    if metric.credit is None:
        known = ", ".join(o for o, one in CATALOG.items() if one.credit)
        raise OptionError("metrics", "planning needs a metric that follows from the number of "
                                     "right samples", found=str(name), hint=f"known are {known}")
    if k is None and metric.at != "n":
        raise OptionError("metrics", f"state the budget, as in {metric.label(8)!r}", got=name)
    return metric, k or 1


def refuse_endless(delta: Any, questions: Any) -> None:
    "Refuse a difference, or a number of questions, that no benchmark has."
    if isinstance(delta, (int, float)) and 0 < delta < LEAST_DELTA:
        raise OptionError("delta", f"need {name_option('delta')} >= {LEAST_DELTA}", delta)
    if isinstance(delta, int) and abs(delta) > MOST_QUESTIONS:
        raise OptionError("delta", f"need {name_option('delta')} between {LEAST_DELTA} and "
                          f"{MOST_QUESTIONS:,}", found="a number farther from 0")
    if isinstance(questions, (int, float)) and questions > MOST_QUESTIONS:
        raise OptionError("questions", f"need {name_option('questions')} <= {MOST_QUESTIONS:,}",
                          questions)


def refuse_two_sources(pilot: Any, pilot_b: Any, correlation: float | None) -> None:
    "Refuse a second pilot alone, and a correlation beside data that hold one."
    if pilot is None and pilot_b is not None:
        alone = name_option("pilot_b")
        raise OptionError("pilot", f"{alone} goes with {name_option('pilot')}",
                          found=f"{alone} alone")
    known = pilot_b is not None or isinstance(pilot, (Components, Population))
    if correlation is not None and known:
        raise OptionError("correlation", "the correlation is in the data of two pilots and in "
                                         "given Components",
                          found=f"{option('correlation')} as well")


def plan_others(
    pilots: Pilots, population: Components | Population, result: PowerAnalysis,
    style: dict[str, Any],
) -> tuple[AtCorrelation, ...]:
    "The rows of the first screen for systems with another correlation."
    if pilots.given is not None: return ()
    others = (0.,) if len(pilots.sides) == 2 else GUESSES if pilots.correlation is None else ()
    shown = [int(result.samples[i]) for i in result.choices]
    return tuple(plan_at(r, population, shown, result.asked, style) for r in others)


def plan_at(
    correlation: float, population: Population, samples: list[int], asked: dict[str, Any],
    style: dict[str, Any],
) -> AtCorrelation:
    "The same plan for two systems with another correlation."
    found = relate(population, correlation, samples)  # type: ignore[arg-type]
    try: made = make_plan(found, **asked, **style)
    # A difference may be beyond what such systems can have.
    except ValueError: return AtCorrelation(correlation, ())
    return AtCorrelation(correlation, tuple(made.rows))


def questions_needed(plan: PowerAnalysis, style: dict[str, Any]) -> int | None:
    "Questions that show the difference where the number asked for shows it with no row."
    asked = plan.asked
    if plan.best is not None or None in (asked["delta"], asked["questions"]): return None
    parts = plan.components
    last = replace(parts, within=parts.within[-1:], samples=parts.samples[-1:])
    known: Components | Population = last
    if (p := plan.population) is not None:
        known = Population(p.a, p.b, p.correlation, p.k, p.credit, last, p.notes)
    return int(make_plan(known, delta=asked["delta"], **style).questions[0])


@dataclass(frozen=True)
class Pilots:
    "What is known of the two systems that a comparison would draw from."
    given: Components | Population | None = None  # Handed over as they are
    sides: tuple[Counts, ...] = ()  # Counts of one system, or of two on their common questions
    correlation: float | None = None  # Of the two systems, where it was given
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What was read, by system
    alignment: Alignment | None = None  # Which questions two pilots share
    versions: str = ""  # A warning where the pilots are of two versions of a task

    @property
    def samples(self) -> int | None:
        "Samples of every question, where all have as many."
        sizes = {n for side in self.sides for n in (side.n_min, side.n_max)}
        return sizes.pop() if len(sizes) == 1 else None

    @property
    def share_items(self) -> bool:
        "Whether questions are items asked in several groups."
        return any(note.kind == "items" for one in self.read.values() for note in one.all_notes())

    def imagine(self, metric: Metric, k: int, n: Any) -> Components | Population:
        "The two systems in one metric."
        if self.given is not None: return self.given
        return population_of(k, metric.credit, planned_samples(k, n, self.samples), *self.sides,
                             correlation=self.correlation)


def load_pilots(
    pilot: Any, pilot_b: Any, options: Options, correlation: float | None,
    models: Sequence[str] | str | None, on_unmatched: str,
) -> Pilots:
    "What is known of the two systems: nothing, one of them, or both."
    if pilot is None: return Pilots(correlation=correlation)
    if isinstance(pilot, (Components, Population)): return Pilots(pilot)
    found = load_systems([pilot] if pilot_b is None else [pilot, pilot_b], options, models)
    if len(found.counts) == 2 and correlation is None:
        aligned = align_systems(found.counts, on_unmatched)
        pilots = Pilots(None, tuple(aligned.sides.values()), None, found.inputs,
                        aligned.alignment, found.versions)
    else:
        counts = found.counts[pick_model(found.counts, None, "the pilot")]
        pilots = Pilots(None, (counts,), correlation, found.inputs)
    for counts in pilots.sides: check_pilot(counts)
    return pilots


def planned_samples(k: int, n: Any, piloted: int | None = None) -> np.ndarray:
    "Samples to plan for: as asked, or the budget and its doubles, and those of the pilot."
    if n is not None: return np.atleast_1d(make_array("n", n))
    doubles = k * 2**np.arange(7)
    return doubles if piloted is None or piloted < k else np.union1d(doubles, [piloted])


def check_pilot(counts: Counts) -> None:
    "Refuse a pilot that does not tell difficulty from luck."
    if len(counts) < 2:
        raise ValueError("a pilot needs two questions at least, to see how questions differ, got "
                         "one; without a pilot, plan assumes uniformly distributed difficulty")
    if counts.n_max < 2:
        raise ValueError("a pilot needs a question with two samples, to tell difficulty from "
                         f"luck, got one sample of each of {len(counts)} questions; compare says "
                         "how many questions with one sample would decide")
    n, c = int(counts.n.sum()), int(counts.c.sum())
    if c in (0, n):
        raise ValueError(f"a pilot needs right and wrong samples, got {c} right of {n}; without a "
                         "pilot, plan assumes uniformly distributed difficulty")


# What else `plan` says: the run list, labels and gradings for a judge, when a gate is settled.


def check_extent(
    questions: int | None,  # Questions to run
    budget: float | None,  # Samples to run
) -> None:
    "Refuse an earlier run where nothing says how much of it to run again."
    if questions is not None or budget is not None: return
    raise OptionError("earlier", "a list of questions needs their number, or a budget",
                      found="neither",
                      hint=f"{option('questions', 200)}, or {option('budget', 1600)} samples")


def load_run(
    name: str,  # Option that needs it
    data: Any,  # What `score` reads
    options: Options,  # How it is read
) -> Counts:  # Counts of the only model
    """The run of one model.

    Raises: `ValueError` for several models, or outcomes that are not right or wrong.
    """
    blocks = list(load(data, options).blocks.values())
    if len(blocks) == 1 and blocks[0].c is not None: return blocks[0]
    found = f"{len(blocks)} models or groups" if len(blocks) != 1 else "graded scores"
    raise OptionError(name, f"{name} needs one run of right and wrong outcomes", found=found)


def plan_run(
    before: Counts,  # The earlier run
    plan: PowerAnalysis,  # What was planned
    k: int,  # Budget of the metric
    n: Any,  # Samples per question, if they were given
    rng: Rng,  # Seed of the draw
    metric: Metric,  # The metric, a credit of counts
) -> PlannedRun:  # Questions and samples
    "The questions to run: a random part of so many, or all with samples by difficulty."
    asked, names = plan.asked, before.questions.tolist()
    if asked["budget"] is not None:
        samples = allocate_samples(before.n, np.asarray(before.c), k, int(asked["budget"]),
                                   credit=metric.credit)  # type: ignore[arg-type]
        listed = zip(names, samples.tolist())
        return PlannedRun(len(names), False, None, tuple(
            PlannedQuestion(str(name), many) for name, many in listed))
    questions: Any = asked["questions"]  # Given where no budget is: `check_extent`
    place = draw_questions(len(names), int(questions), rng)
    row = len(plan.samples) - 1 if plan.best is None else plan.best
    each = int(n) if isinstance(n, (int, np.integer)) else int(plan.samples[row])
    seed = None if isinstance(rng, np.random.Generator) else int(rng or 0)
    return PlannedRun(len(names), True, seed, tuple(
        PlannedQuestion(str(names[i]), each) for i in place.tolist()))


def plan_judging(
    judge: Any,  # `Judge`, or two rates
    pilot: Counts | None,  # Verdicts of a run, if there is one
    half_width: float,  # Half of the CI that is wanted
    confidence_level: float,  # Its level
    sample_cost: float,  # Cost of one answer
    grading_cost: float,  # Cost of one grading
) -> JudgingPlan:  # Labels and gradings
    """Labels that make the corrected pass@1 as sure as wanted, and the best gradings.

    Raises: `ValueError` for numbers out of range.
    """
    known = check_judge(judge)
    assert known is not None
    rates = dict(sensitivity=known.sensitivity, specificity=known.specificity)
    # Without a pilot half of the answers are right, and difficulty is spread evenly.
    share, spread, error = .5, 1 / 6, 0.
    if pilot is not None:
        passed = np.asarray(pilot.c)
        first = judged_curve(pilot.n, passed, 1, **rates)
        share, spread = float(first.value[0]), 0.
        if pilot.n_min > 1:
            both = judged_curve(pilot.n, passed, 2, **rates, credit="all")
            spread = share - float(both.value[0])
        error = float(np.nan_to_num(first.stderr[0])) * known.informedness
    share = min(max(share, .01), .99)
    labels = labels_needed(half_width, **rates, share=share, stderr=error,
                           confidence_level=confidence_level)
    noise = share * rates["sensitivity"] * (1 - rates["sensitivity"])
    noise += (1 - share) * rates["specificity"] * (1 - rates["specificity"])
    answer = spread * known.informedness**2
    if not grading_cost > 0:
        raise OptionError("cost_grading", must="be above 0", got=grading_cost)
    best = (noise / answer * sample_cost / grading_cost)**.5 if answer > 0 else None
    return JudgingPlan(known.sensitivity, known.specificity, share, half_width, labels, best)


SHARES = .5, .7, .9, .95  # True shares for which mean tries are told


def plan_rule(
    minimum: Mapping[str, float],  # `pass@1` to its minimum
    questions: int | None,  # Questions there are, one try each
    confidence_level: float,  # Level at which a pass shows that the minimum is exceeded
) -> SettledRule:  # Successes and failures that settle it, and mean tries
    """When the verdict of a gate on pass@1 is settled, before all questions were asked.

    Raises: `ValueError` unless the minimum is that of pass@1, and the questions are given.
    """
    if list(minimum) != ["pass@1"]:
        raise OptionError("minimum", "a plan knows when a minimum of pass@1 is settled",
                          found=" and ".join(minimum), hint=option("minimum", {"pass@1": .8}))
    if questions is None:
        raise OptionError("minimum", "a gate is settled after so many of a number of questions",
                          found="no number", hint=option("questions", 50))
    least = minimum["pass@1"]
    if not 0 <= least < 1: raise OptionError("minimum", must="lie in [0, 1)", got=least)
    needed = needed_successes(questions, least, 1 - confidence_level)
    tries = {} if needed is None else {
        f"{share:g}": float(curtailed_tries(questions, needed, share)) for share in SHARES}
    return SettledRule(least, questions, needed, tries)


# What `plan` says of a gate: with how many questions its rules pass, if this is true.


@dataclass(frozen=True)
class AskedRules:
    "The rules of a gate, and what is assumed to be true."
    minimum: dict[str, float]
    true_value: float | None
    max_drop: float | None
    true_difference: float | None

    @property
    def sized(self) -> bool:
        "Whether it is asked how many questions a gate takes."
        return self.max_drop is not None or self.true_value is not None

    @property
    def smallest_gap(self) -> float:
        "The least distance of what is true from a limit."
        found = []
        if self.max_drop is not None: found.append(self.max_drop + (self.true_difference or 0.))
        if self.true_value is not None:
            found.append(self.true_value - next(iter(self.minimum.values())))
        return min(found)

    def check(self, target: str) -> None:
        "Refuse half of a rule, and a truth that no number of questions passes."
        if self.true_difference is not None and self.max_drop is None:
            raise OptionError("max_drop", f"{name_option('true_difference')} goes with "
                                          f"{name_option('max_drop')}", found="none")
        if self.true_value is not None and len(self.minimum) != 1:
            raise OptionError("minimum", f"{name_option('true_value')} is that of one metric",
                              found=f"{len(self.minimum)} minimums",
                              hint=option("minimum", {"pass@1": .8}))
        if not self.sized: return
        if self.minimum and self.true_value is None:
            raise OptionError("true_value", f"{option('minimum')} needs what is true of it",
                              found="none", hint=option("true_value", .9))
        if target != "new_questions":
            raise OptionError("target", "a gate is sized for new questions", got=target,
                              hint=option("target", "new_questions"))
        for name, value, low in (("max_drop", self.max_drop, 0), ("true_value", self.true_value, 0),
                                 ("true_difference", self.true_difference, -1)):
            if value is not None and not low <= value <= 1:
                raise OptionError(name, must=f"lie in [{low}, 1]", got=value)
        if not self.smallest_gap > 0: self.refuse_gap()

    def check_truth(self) -> None:
        "Refuse a minimum beside which nothing says what is planned."
        if self.true_value is not None: return
        raise OptionError("true_value", f"{name_option('minimum')} alone does not say what to plan",
                          hint=f"{option('true_value', ...)} gives the questions until the gate "
                          f"passes if that is true, {option('questions', ...)} when its verdict is "
                          "settled")

    def refuse_gap(self) -> None:
        "Refuse a truth at the limit of a rule, or beyond it."
        drop = self.max_drop is not None and self.max_drop + (self.true_difference or 0.) <= 0
        name = "true_difference" if drop else "true_value"
        limit = f"-{self.max_drop:g}" if drop else f"{next(iter(self.minimum.values())):g}"
        got = (self.true_difference or 0.) if drop else self.true_value
        raise OptionError(name, f"no number of questions passes a gate whose limit is {limit} "
                                "unless the truth lies above it", got=got)


def plan_gate(
    asked: AskedRules,  # Rules and truths
    pilots: Pilots,  # What is known of the systems
    planned: tuple[Metric, int, Any],  # Metric of the plan, its budget, and samples asked for
    plan: PowerAnalysis,  # What else was planned
    alone: bool,  # Whether nothing else was asked for
) -> GatePlan:  # Questions and power for each number of samples
    """Questions with which all rules pass; each passes with a chance that makes all pass.

    Raises: `ValueError` for a truth that no system can have.
    """
    found = sized_rules(asked, pilots, planned)
    samples = [n for n in plan.samples.tolist() if all(n >= k for _, _, _, k in found)]
    each = 1 - (1 - plan.wanted) / len(found)
    given = plan.asked["questions"]
    questions = None if given is None else int(given)
    rows = [size_rules(found, n, each, questions, plan) for n in samples]
    power = [1 - sum(1 - one for one in chances) for _, chances in rows]
    sizes = [size for size, _ in rows]
    price = plan.cost / plan.questions
    prices = dict(zip(plan.samples.tolist(), price.tolist()))
    cost = [np.inf if size is None or share < plan.wanted else size * prices[n]
            for n, size, share in zip(samples, sizes, power)]
    best = int(np.argmin(cost)) if cost and np.isfinite(min(cost)) else None
    return GatePlan(tuple(rule for rule, _, _, _ in found), tuple(samples), tuple(sizes),
                    tuple(max(0., one) for one in power), best, plan.wanted,
                    questions is not None, alone)


Sized = tuple[PlannedRule, PassRule, Population, int]  # The last is the budget of the metric


def sized_rules(
    asked: AskedRules, pilots: Pilots, planned: tuple[Metric, int, Any],
) -> list[Sized]:
    "Each rule with the systems that it judges."
    metric, k, n = planned
    found: list[Sized] = []
    def add(metric: Metric, k: int, kind: Any, rule: PassRule) -> None:
        population = pilots.imagine(metric, k, n)
        if not isinstance(population, Population):
            raise OptionError("pilot", "variances alone cannot be simulated, and a gate is",
                              found=type(population).__name__)
        said = PlannedRule(metric.label(k), kind, rule.limit, rule.truth)
        found.append((said, rule, population, k))
    if asked.max_drop is not None:
        add(metric, k, "drop", PassRule(-asked.max_drop, asked.true_difference or 0., True))
    if asked.true_value is not None:
        name, least = next(iter(asked.minimum.items()))
        add(*parse_planned_metric(name), "minimum", PassRule(least, asked.true_value, False))
    return found


def parse_planned_metric(name: str) -> tuple[Metric, int]:
    "A metric by name, with its budget."
    found, k = find_metric(name)
    metric = found[0]
    if len(found) > 1 or metric.credit is None or k is None and metric.at != "n":
        raise OptionError("minimum", "planning needs one metric that follows from the number of "
                                     "right samples, with its budget", got=name,
                          hint=option("minimum", {"pass@1": .8}))
    return metric, k or 1


def size_rules(
    found: list[Sized], n: int, each: float, questions: int | None, plan: PowerAnalysis,
) -> tuple[int | None, list[float]]:
    "Questions with which every rule passes often enough, and how often each does."
    level, seed = plan.confidence_level, plan.seed
    if questions is None:
        sizes = [questions_to_pass(population, rule, n, each, level, seed, plan.method)
                 for _, rule, population, _ in found]
        known = [one[0] for one in sizes if one is not None]
        if len(known) < len(sizes): return None, [0.]
        if len(found) == 1: return known[0], [one[1] for one in sizes if one is not None]
        questions = max(known)
    return questions, [pass_power(population, rule, n, questions, level, seed, plan.method)[0]
                       for _, rule, population, _ in found]
