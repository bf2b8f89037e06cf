"""`plan`: how many questions, how many samples, which difference can be seen."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError, name_option, option
from ..foundations.counts import Counts
from ..inference.planning import Components
from ..inference.population import Population, population_of, relate
from ..inference.sample_size import make_plan
from ..metrics.catalog import CATALOG, Metric, find_metric
from ..io.options import Options
from ..records import dataclass
from ..renaming import name_parameters, renamed
from ..parameters import Approximation, Reading, Target, Unmatched
from ..results.reading import Alignment, ReadSummary
from ..results.planning import AtCorrelation, Goal, PowerAnalysis, Variances
from .metric_choice import check_budgets
from ..results.style import Rng, check_rng
from .gate_size import AskedRules, plan_gate
from .run_list import check_extent, load_run, plan_judging, plan_rule, plan_run
from .systems import Systems, align_systems, load_systems, pick_model

LEAST, MOST = 1e-4, 10**10  # Differences and questions beyond which no benchmark goes
GUESSES = .5, .9  # Correlations told beside 0 where nothing is known of the second system


@renamed(metric="metrics", format="harness", files="files_hold")
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
    method: Approximation | None = None,  # Approximate CI (default: that of `compare`, simulated)
    target: Target = "new_questions",  # Whose interval
    models: Sequence[str] | str | None = None,  # Model of each pilot, or two of one pilot
    on_unmatched: Unmatched = "refuse",  # Questions that only one pilot has
    earlier: Any = None,  # Earlier run of all questions: what to run of them; the pilot if alone
    judge: Any = None,  # `Judge`, or its sensitivity and specificity: labels and gradings needed
    half_width: float = .05,  # Half of the CI that the corrected pass@1 should have
    cost_grading: float = 1.,  # Cost of one grading, beside `cost_sample`
    minimum: Mapping[str, float] | None = None,  # Rule of a gate: a metric to its minimum
    true_value: float | None = None,  # True value of that metric: questions until the gate passes
    max_drop: float | None = None,  # Rule of a gate: largest drop of `metrics` that is allowed
    true_difference: float | None = None,  # True difference beside `max_drop` (default: 0)
    rng: Rng = None,  # Random seed (default 0)
    **reading: Unpack[Reading],  # Missing policy, columns and the rest of what `score` takes
) -> PowerAnalysis:  # Samples, questions, difference, power and cost, with a recommended row
    """Questions needed, minimum detectable difference, power, or best split of a budget, for
    comparing two systems.

    Raises: `ValueError` unless the question is clear, the metric has a credit and states its
    budget, and the pilot allows it.
    """
    asked_rules = AskedRules(dict(minimum or {}), true_value, max_drop, true_difference)
    asked_rules.check(target)
    unasked = (delta, questions, budget) == (None, None, None)
    if minimum and unasked: asked_rules.check_truth()
    alone = asked_rules.sized and unasked
    if alone: delta = asked_rules.smallest_gap
    refuse_endless(delta, questions)
    check_rng(rng)
    metric, k = find_credit(name_budget(metrics, k))
    options = Options.of(reading, name_parameters(plan))
    refuse_two_sources(pilot, pilot_b, correlation)
    if earlier is not None: check_extent(questions, budget)
    if pilot is None: pilot = earlier
    pilots = Pilots(pilot, pilot_b, correlation, models, on_unmatched)
    basis = pilots.imagine(k, metric, n, options)
    asked = dict(delta=delta, questions=questions, budget=budget)
    style = dict(power=power, confidence_level=confidence_level, method=method, target=target,
                 cost_question=cost_question or 0., rng=rng,
                 cost_sample=1. if cost_sample is None else cost_sample)
    made = make_plan(basis.population, **asked, **style)
    found = vars(made) | dict(components=Variances(**vars(made.components)))
    found |= {one.name: getattr(basis, one.name) for one in fields(Pilot)}
    result = PowerAnalysis(**found | dict(
        metric=metric.label(k), goal=name_goal(delta, questions, budget), asked=asked,
        wanted=power, clustered=options.cluster not in (None, False),
        notes=(*made.notes, *[f"Warning: {basis.versions}."] * bool(basis.versions))))
    facts: dict[str, Any] = {}
    if earlier is not None:
        facts["run"] = plan_run(load_run("earlier", earlier, options), result, k, n, rng, metric)
    if judge is not None:
        data = load_run("judge", pilot, options) if pilot is not None else None
        facts["judging"] = plan_judging(judge, data, half_width, confidence_level,
                                        style["cost_sample"], cost_grading)
    if asked_rules.sized:
        facts["gate"] = plan_gate(asked_rules, pilots, (metric, k, n), options, result, alone)
    elif minimum: facts["settled"] = plan_rule(minimum, questions, confidence_level)
    return replace(result, **facts, others=basis.plan_others(result, style),
                   usual=plan_usual(basis, asked, style),
                   questions_needed=find_needed(result, style))


def name_goal(delta: float | None, questions: int | None, budget: float | None) -> Goal:
    "What a plan looks from, of what was given."
    if budget is not None: return "budget"
    if delta is None: return "questions"
    return "delta" if questions is None else "both"


def plan_usual(
    basis: Basis, asked: dict[str, Any], style: dict[str, Any],
) -> tuple[dict[str, Any], ...]:
    "The rows of the same plan by the t interval; none where it is the plan."
    if style["method"] is not None or not isinstance(basis.population, Population): return ()
    return tuple(make_plan(basis.population, **asked, **style | dict(method="t")).rows)


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


def find_credit(name: Any) -> tuple[Metric, int]:
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
    if isinstance(delta, (int, float)) and 0 < delta < LEAST:
        raise OptionError("delta", f"need {name_option('delta')} >= {LEAST}", delta)
    if isinstance(delta, int) and abs(delta) > MOST:
        raise OptionError("delta", f"need {name_option('delta')} between {LEAST} and {MOST:,}",
                          found="a number farther from 0")
    if isinstance(questions, (int, float)) and questions > MOST:
        raise OptionError("questions", f"need {name_option('questions')} <= {MOST:,}", questions)


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


@dataclass(frozen=True)
class Pilot:
    "What is known of the pilots, as fields of the result."
    pilots: int | None = None  # Systems piloted; None where variances or a population were given
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What was read, by system
    alignment: Alignment | None = None  # Which questions two pilots share
    piloted: int | None = None  # Samples of every question of the pilots, where they are equal
    correlation: float | None = None  # Of the two systems, where it was measured


@dataclass(frozen=True)
class Basis(Pilot):
    "What a plan rests on."
    population: Components | Population = field(kw_only=True)
    guessed: bool = False  # Whether nothing is known of the correlation
    versions: str = ""  # A warning where the pilots are of two versions of a task

    def plan_others(self,
        result: PowerAnalysis, style: dict[str, Any],
    ) -> tuple[AtCorrelation, ...]:
        "The rows of the first screen for systems with another correlation."
        if not isinstance(self.population, Population): return ()
        others = GUESSES if self.guessed else (0.,) if self.correlation is not None else ()
        shown = [int(result.samples[i]) for i in result.choices]
        return tuple(plan_at(r, self.population, shown, result.asked, style) for r in others)


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


def find_needed(plan: PowerAnalysis, style: dict[str, Any]) -> int | None:
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
    pilot: Any
    pilot_b: Any
    correlation: float | None
    models: Sequence[str] | str | None
    on_unmatched: str

    def imagine(self, k: int, metric: Metric, n: Any, options: Options) -> Basis:
        "The two systems, and where they come from."
        if isinstance(self.pilot, (Components, Population)): return Basis(population=self.pilot)
        guessed = self.correlation is None
        if self.pilot is None:
            grid = list_samples(k, n)
            imagined = population_of(k, metric.credit, grid, correlation=self.correlation)
            return Basis(0, population=imagined, guessed=guessed)
        inputs = [self.pilot] if self.pilot_b is None else [self.pilot, self.pilot_b]
        found = load_systems(inputs, options, self.models)
        if len(found.counts) == 2 and guessed:
            return self.pair(k, metric, n, found)
        counts = found.counts[pick_model(found.counts, None, "the pilot")]
        check_pilot(counts)
        same = find_same([counts])
        imagined = population_of(k, metric.credit, list_samples(k, n, same), counts,
                                 correlation=self.correlation)
        return Basis(1, found.inputs, piloted=same, population=imagined, guessed=guessed)

    def pair(self, k: int, metric: Metric, n: Any, found: Systems) -> Basis:
        "The two systems from a pilot of each."
        aligned = align_systems(found.counts, self.on_unmatched)
        sides = list(aligned.sides.values())
        for counts in sides: check_pilot(counts)
        same = find_same(sides)
        imagined = population_of(k, metric.credit, list_samples(k, n, same), *sides)
        return Basis(2, found.inputs, aligned.alignment, same, imagined.correlation,
                     population=imagined, versions=found.versions)


def list_samples(k: int, n: Any, piloted: int | None = None) -> np.ndarray:
    "Samples to plan for: as asked, or the budget and its doubles, and those of the pilot."
    if n is not None: return np.atleast_1d(n)
    doubles = k * 2**np.arange(7)
    return doubles if piloted is None or piloted < k else np.union1d(doubles, [piloted])


def find_same(sides: Sequence[Counts]) -> int | None:
    "Samples of every question, where all have as many."
    sizes = {n for side in sides for n in (side.n_min, side.n_max)}
    return sizes.pop() if len(sizes) == 1 else None


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
