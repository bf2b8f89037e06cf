"""What else `plan` says: the run list, labels and gradings for a judge, when a gate is settled."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import OptionError, option
from ..foundations.counts import Counts
from ..io.load import load
from ..io.options import Options
from ..metrics.catalog import Metric
from ..results.planning import PowerAnalysis
from ..results.style import Rng
from ..results.score_parts import JudgingPlan, PlannedQuestion, PlannedRun, SettledRule
from .truth import check_behind

__all__ = ["check_extent", "load_run", "plan_judging", "plan_rule", "plan_run"]


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
    from ..inference.borrowing import allocate_samples, draw_questions
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
    from ..inference.judges import judged_curve, labels_needed
    known = check_behind(judge, None, None).judge
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
    from ..inference.sequential import curtailed_tries, needed_successes
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
