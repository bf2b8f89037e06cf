"""What a power analysis says: the design to choose, what it assumes, and every row.

`headline` is the answer, `gate_blocks` that of a gate; `SOUGHT` tells which column of the rows
is sought where another one was given.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from ...inference.intervals import ASSUMPTION_FREE
from ...inference.power import SIMULATED
from ...render.blocks import Block, Curves, Fold, Headline, Later, Series, Table, Text
from ...render.format import (
    TARGET_WORDS, amount, count, describe_alignment, join, level, open_sentence, percent, points)
from ...render.plot import open_axes, plot_power, write_title
from ..phrases.reading import describe_read
from .preparation_words import planned_questions, preparation_sentences
from .result import AtCorrelation, GatePlan, PlannedRule, PowerAnalysis, Role

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["document", "title", "methods", "plot"]

SOUGHT = dict(delta="questions", questions="delta", both="power", budget="delta")  # By goal
HEADS = dict(questions="questions", delta="points", power="power")
TITLES = dict(questions="Questions", delta="Minimum detectable difference in points", power="Power")


def title(result: PowerAnalysis) -> str: return f"plan for {result.metric}"


def page(result: PowerAnalysis) -> list[Block]:
    "With its curves, which are simulated: that takes as long as a hundred screens."
    return document(result, picture=True)


def document(
    result: PowerAnalysis,  # A power analysis
    picture: bool = False,  # Whether power is drawn over the number of questions
) -> list[Block]:
    "The answer, what it assumes, the rows to choose between, and all rows."
    assumed = [Text(" ".join(said)) for said in [list(assumption_sentences(result))] if said]
    drawn = [draw_power(result)] if picture and can_draw(result) else []
    read = [Text(said, "note") for said in pilot_sentences(result)]
    planned = [Text(said) for said in preparation_sentences(result.run, result.judging,
                                                                  result.settled)]
    listed = [Fold("Questions to run", Later(planned_questions, result.run))] if result.run else []
    gate = gate_blocks(result)
    if result.gate is not None and result.gate.alone:
        known = [Text(said) for said in unknown_truths(result)]
        return [*gate, *known, *planned, *read, *listed,
                Fold("Methods", Later(methods_blocks, result))]
    return [Headline(headline(result)), *gate, *assumed, make_table(result), *drawn,
            Text(power_sentence(result)), *planned, *read, *listed,
            Fold("All numbers of samples", Later(number_blocks, result)),
            Fold("Methods", Later(methods_blocks, result))]


# The answer.

def headline(result: PowerAnalysis) -> str:
    "What to do, in a sentence."
    power, row = level(result.wanted), best_row(result)
    if result.goal == "both": return enough_sentence(result)
    if result.goal == "delta":
        what = f"a true difference of {asked_size(result)} in {result.metric} with {power} power"
        if row is None: return f"{open_sentence(what)}: not achievable."
        return f"{design_clause(row)} would detect {what}{unknown_correlation(result, row)}."
    what = f"Minimum detectable difference in {result.metric} with {power} power"
    given = count(int(result.asked["questions"] or 0), "question")
    if result.goal == "budget": given = f"a budget of {result.asked['budget']:,g}"
    if row is None: return f"{what} and {given}: not achievable."
    design = design_clause(row)
    if result.goal == "budget": design = f"{given}: {design}"
    return f"{what}: {size(row['delta'])}, with {design}."


def best_row(result: PowerAnalysis) -> dict[str, Any] | None:
    return None if result.best is None else result.rows[result.best]


def asked_size(result: PowerAnalysis) -> str:
    "The difference asked for, in the digits that were typed."
    number = f"{100 * (result.asked['delta'] or 0):g}"
    return f"{number} point{'s' * (number != '1')}"


def size(delta: float | None) -> str: return points(delta, unit = True, sign = False)


def design_clause(row: dict[str, Any]) -> str:
    return f"{count(row['questions'], 'question')} at {count(row['samples'], 'sample')} each"


def unknown_correlation(result: PowerAnalysis, row: dict[str, Any]) -> str:
    "For how many questions a correlation would do that nobody knows; empty where it is known."
    known = [other for other in result.others if other.rows and result.correlation is None]
    if not known: return ""
    same = [own for own in known[-1].rows if own["samples"] == row["samples"]]
    if not same or same[0]["questions"] == row["questions"]: return ""
    return (f" if the systems are uncorrelated ({same[0]['questions']:,} questions if their "
            f"correlation is {known[-1].correlation:g})")


def enough_sentence(result: PowerAnalysis) -> str:
    "Whether so many questions are enough."
    what = f"a true difference of {asked_size(result)} in {result.metric}"
    wanted, row = level(result.wanted), best_row(result)
    if row is not None:
        return (f"Yes: {design_clause(row)} detect {what} with {percent(row['power'])} power "
                f"({wanted} asked for).")
    most = percent(float(np.max(result.power)))
    each = count(int(result.samples[-1]), "sample")
    size = count(int(result.asked["questions"] or 0), "question")
    said = (f"No: {size} at up to {each} each detect {what} with at most {most} power ({wanted} "
            "asked for)")
    if result.questions_needed is None: return f"{said}."
    return f"{said}; {count(result.questions_needed, 'question')} at {each} each would be enough."


# A gate.

def gate_blocks(result: PowerAnalysis) -> list[Block]:
    "With how many questions the rules of a gate pass, and by the samples of each."
    gate = result.gate
    if gate is None: return []
    rows = [[f"{n:,}", "-" if q is None else f"{q:,}", percent(power)]
            for n, q, power in zip(gate.samples, gate.questions, gate.power)]
    said = gate_plan_sentence(gate)
    return [Headline(said) if gate.alone else Text(said),
            Table(["samples each", "questions", "power of the gate"], rows,
                  "Until the gate passes, new questions", left=0)]


def gate_plan_sentence(gate: GatePlan) -> str:
    "How many questions pass a gate, if the truth is as assumed."
    rules = join([name_planned(rule) for rule in gate.rules])
    truth = join([assumed_truth(rule) for rule in gate.rules])
    if gate.best is None:
        most = percent(max(gate.power)) if gate.power else "no"
        return f"A gate on {rules} passes with at most {most} power if {truth}."
    size = dict(questions=gate.questions[gate.best], samples=gate.samples[gate.best])
    return (f"A gate on {rules} passes with {percent(gate.power[gate.best])} power "
            f"({level(gate.wanted)} asked for) with {design_clause(size)}, if {truth}.")


def name_planned(rule: PlannedRule) -> str:
    "A rule as a gate names it."
    if rule.kind == "minimum": return f"{rule.metric} >= {100 * rule.limit:.10g} %"
    number = f"{-100 * rule.limit:.10g}"
    return f"{rule.metric} drop <= {number} point{'s' * (number != '1')}"


def assumed_truth(rule: PlannedRule) -> str:
    "What is assumed to be true of a rule."
    if rule.kind == "minimum": return f"{rule.metric} is truly {percent(rule.truth)}"
    if rule.truth == 0: return "candidate and baseline are equal"
    return f"the true difference is {points(rule.truth, True)}"


def unknown_truths(result: PowerAnalysis) -> Iterator[str]:
    "What a gate's plan assumes of difficulty, and of two systems."
    if result.pilots == 0: yield "No pilot: assumes uniformly distributed difficulty."
    drop = result.gate is not None and any(one.kind == "drop" for one in result.gate.rules)
    if drop and result.correlation is None:
        given = 0. if result.population is None else result.population.correlation
        yield ("The correlation between the systems is unknown and taken as "
               f"{given:g}; a positive one needs fewer questions.")


def explain_gate(gate: GatePlan, confidence_level: float) -> str:
    "How the power of a gate is computed."
    several = ("Each rule passes with a power that makes all pass with at least the power asked "
               "for. " * (len(gate.rules) > 1))
    return (f"Power: probability that the lower end of the {level(confidence_level)} CI of gate "
            "(new questions) reaches every limit, simulated with 3,000 benchmarks. "
            f"{several}")


# What it hangs on.

def assumption_sentences(result: PowerAnalysis) -> Iterator[str]:
    "The pilot, the correlation of the two systems, and what another interval would make of it."
    if result.pilots == 0: yield "No pilot: assumes uniformly distributed difficulty."
    if result.correlation is not None:
        own = min(max(result.correlation, -1), 1)
        yield f"Correlation of the two systems over the pilot's questions: {own:.2f}."
    elif result.others:
        yield ("The correlation between the systems is unknown; pilot both on the same questions "
               "to estimate it.")
    yield from without_assumptions(result)


def without_assumptions(result: PowerAnalysis) -> Iterator[str]:
    "What the recommended row is without assumptions; nothing where it is the same."
    own = best_row(result)
    if own is None or result.goal == "budget": return
    same = next((row for row in result.without_assumptions if row["samples"] == own["samples"]),
                None)
    if same is None or same == own: return
    if result.goal == "questions" and same["delta"] is None: return
    found = dict(delta=lambda: count(same["questions"], "question"),
                 questions=lambda: size(same["delta"]),
                 both=lambda: f"{percent(same['power'])} power")[result.goal]()
    yield f"Without assumptions: {found}."


def power_sentence(result: PowerAnalysis) -> str:
    "What power is, and how exactly it is known."
    ci = f"{level(result.confidence_level)} CI of compare ({TARGET_WORDS[result.target]})"
    if result.method == ASSUMPTION_FREE: ci = f"{ASSUMPTION_FREE} {ci}"
    if result.method not in SIMULATED:
        return (f"Power of a two-sided test with {result.method} quantiles, an approximation to "
                f"the {ci}.")
    said = f"Power: probability that the {ci} excludes 0 on the correct side"
    return f"{said}, {simulation_error(result)}."


def simulation_error(result: PowerAnalysis) -> str:
    "How far another seed may move the numbers."
    if not result.error: return "computed exactly"
    if result.goal == "both":
        return f"simulated with a standard error of {100 * result.error:.1g} points"
    normal = NormalDist()
    wanted = normal.inv_cdf(result.wanted)
    reach = wanted + normal.inv_cdf((1 + result.confidence_level) / 2)
    moved = result.error / normal.pdf(wanted) / reach
    # Questions go with the square of the difference.
    if SOUGHT[result.goal] == "questions": moved *= 2
    return f"simulated: another seed moves the numbers by about {100 * moved:.1g} %"


def pilot_sentences(result: PowerAnalysis) -> Iterator[str]:
    "What was read, and what of it is not used."
    if result.pilots == 1: yield f"Pilot: {describe_read(result.read)}"
    if result.alignment is not None:
        yield f"Pilots: {describe_alignment(result.alignment)}. {describe_read(result.read)}"
    if result.clustered:
        yield ("Clusters are not used: questions are planned as independent draws, and clustered "
               "ones take more.")


def limit_sentences(result: PowerAnalysis) -> Iterator[str]:
    "What no data could show, what more samples could save, and what the estimates rest on."
    yield "*: recommended. Points: true difference."
    if result.target != "same_questions":
        yield ("Between: share of the variance that lies between questions, which more samples "
               "cannot lower.")
    if result.smallest is not None and result.smallest.max() > 1:
        few, many = int(result.smallest.min()), int(result.smallest.max())
        less = "" if few == many else f" ({few} at the most samples)"
        yield (f"With fewer than {count(many, 'question')}{less} the CI never excludes 0, whatever "
               "the data.")
    yield from enough_samples(result)
    yield from result.notes
    if result.components.between < 0:
        used = "as little as possible" if result.method in SIMULATED else "0"
        yield (f"The variance between questions is estimated as {result.components.between:.3g}, "
               f"below 0 by chance; {used} is used.")
    yield f"Based on: {result.components.source}."


def enough_samples(result: PowerAnalysis) -> Iterator[str]:
    "From how many samples on more of them save little."
    if result.target == "same_questions": return
    if result.enough is not None:
        yield (f"From {count(result.enough, 'sample')} per question on, at most 10 % of the "
               "variance comes from sampling: more samples save at most 10 % of the questions.")
    elif (share := float(result.components.within[-1] / result.components.total[-1])) > 0:
        each = count(int(result.samples[-1]), "sample")
        yield (f"At {each} per question, {100 * share:.0f} % of the variance still comes from "
               "sampling.")


def methods_blocks(result: PowerAnalysis) -> list[Block]:
    gate = result.gate
    if gate is None or not gate.alone: return [Text(methods(result))]
    return [Text(explain_gate(gate, result.confidence_level))]


def methods(result: PowerAnalysis) -> str:
    "What was computed and how."
    each = join([f"{n:,}" for n in result.samples.tolist()])
    return (f"{power_sentence(result)} Samples per question considered: {each}. Based on: "
            f"{result.components.source}.")


# Tables.

def make_table(result: PowerAnalysis) -> Table:
    "The rows to choose between, at each correlation."
    sought, rows = SOUGHT[result.goal], result.rows
    shown = [rows[i] for i in result.choices]
    own = f"r = {result.correlation or 0:.2g}" if result.others else HEADS[sought]
    columns = {"samples each": write_numbers(shown, "samples")}
    if result.goal == "budget": columns["questions"] = write_numbers(shown, "questions")
    columns[own] = write_numbers(shown, sought)
    for other in result.others:
        columns[f"r = {other.correlation:g}"] = correlation_column(other, shown, sought)
    if result.goal == "delta": columns["cost"] = write_numbers(shown, "cost")
    names = [name_role(result, role) for role in result.choices.values()]
    lines = [list(line) for line in zip(names, *columns.values(), strict=True)]
    by = " by the correlation r of the two systems" * bool(result.others)
    return Table(["", *columns], lines, TITLES[sought] + by)


def name_role(result: PowerAnalysis, role: Role) -> str:
    best = "cheapest" if result.goal == "delta" else "recommended"
    return dict(best=best, piloted="as now", fewest="fewest samples", most="most samples")[role]


def write_numbers(rows: Sequence[dict[str, Any]], name: str) -> list[str]:
    return [write_number(row, name) for row in rows]


def write_number(row: dict[str, Any], name: str) -> str:
    "A number of a row as a reader sees it."
    if name in ("samples", "questions"): return f"{row[name]:,}"
    if name == "cost": return amount(row[name], 6)
    return percent(row[name]) if name == "power" else points(row[name], sign=False)


def correlation_column(
    other: AtCorrelation, shown: Sequence[dict[str, Any]], sought: str,
) -> list[str]:
    "The same column at another correlation; `-` where there is none."
    found = {row["samples"]: write_number(row, sought) for row in other.rows}
    return [found.get(row["samples"], "-") for row in shown]


def number_blocks(result: PowerAnalysis) -> list[Block]:
    "Every number of samples, and what to know of them."
    notes = [Text(said, "note") for said in limit_sentences(result)]
    return [make_whole_table(result), *notes]


def make_whole_table(result: PowerAnalysis) -> Table:
    "Every number of samples."
    names = ["samples", "questions", "delta", "power", "cost"]
    rows = [[write_number(row, name) for name in names] for row in result.rows]
    for i, row in enumerate(rows): row[0] = "* " * (i == result.best) + row[0]
    head = ["samples", "questions", "points", "power", "cost"]
    # The same questions do not vary, so there is no share between them.
    if result.target == "same_questions": return Table(head, rows)
    shares = ["-" if row["between_share"] is None else f"{100 * row['between_share']:.0f} %"
              for row in result.rows]
    return Table([*head, "between"], [[*row, share] for row, share in zip(rows, shares)])


# Pictures.

def can_draw(result: PowerAnalysis) -> bool:
    "Whether there is a difference to show, and a population: JSON holds no simulated one."
    if not np.isfinite(result.delta[recommended_row(result)]): return False
    return result.method != "interval" or result.population is not None


def draw_power(result: PowerAnalysis) -> Curves:
    "Power over the number of questions, at the samples of the rows to choose between."
    most = recommended_row(result)
    delta = difference_of_row(result, most)
    ends = np.geomspace(max(2, result.questions[most] / 8), 4 * result.questions[most], 8)
    sizes = list(dict.fromkeys(np.rint(ends).astype(int).tolist()))
    series = []
    for i in result.choices:
        power = [result.power_at(i, delta, one) for one in sizes]
        each = f"{count(int(result.samples[i]), 'sample')} each"
        said = [f"{count(q, 'question')}, {each}: {percent(p)} power" for q, p in zip(sizes, power)]
        none = [None] * len(sizes)
        series.append(Series(each, "", sizes, power, none, none, said))
    return Curves(series, f"power over the number of questions, true difference {size(delta)}",
                  label="power", across=f"questions (true difference {size(delta)})")


def recommended_row(result: PowerAnalysis) -> int:
    "The recommended row, or the one with the most power."
    return int(np.nanargmax(result.power)) if result.best is None else result.best


def difference_of_row(result: PowerAnalysis, row: int) -> float:
    return float(result.delta[row]) if np.isfinite(result.delta[row]) else .5


def plot(
    result: PowerAnalysis, *, ax: Axes | None = None, size: str | float | None = None,
) -> Axes:
    "The power at half, once and twice the questions of the recommended row."
    row = recommended_row(result)
    most = difference_of_row(result, row)
    # A simulated power takes its time.
    steps = 8 if result.method in SIMULATED else 50
    delta = np.linspace(.1, min(2, .999 / most), steps) * most
    with open_axes(ax, size) as ax:
        for series, factor in enumerate((.5, 1, 2)):
            questions = max(2, round(factor * int(result.questions[row])))
            power = [result.power_at(row, float(one), questions) for one in delta]
            target = result.wanted if factor == 1 else None
            plot_power(delta, power, ax=ax, label=f"{questions} questions", series=series,
                       target=target)
        return write_title(ax, f"{result.metric}, n = {result.samples[row]}")
