"""What a score says of the truth behind verdicts, and of a new run over all questions."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..results.rows import name_family
from ..results.truth import (BorrowedScore, CorrectedRow, CorrectedScore, JudgingPlan,
                             PlannedRun,
                             SettledRule)
from .blocks import Block, Table
from .format import count, count_range, interval, level, percent

__all__ = ["describe_preparation", "describe_truth", "list_planned", "list_truth"]

CORRECTED = ["metric", "verdicts", "corrected", "CI", "method"]
LABELLED = ["metric", "labels alone", "CI", "PPI++ (approximate)", "approximate CI"]
BORROWED = ["metric", "questions run", "CI", "all questions", "CI of all", "earlier run"]


def describe_truth(
    corrected: CorrectedScore | None,  # What a judge's verdicts were corrected to
    borrowed: BorrowedScore | None,  # What was borrowed from an earlier run
    confidence_level: float,  # Level of the CIs
) -> Iterator[str]:  # One sentence each
    "What is true behind the outcomes, in a sentence."
    if corrected is not None: yield describe_corrected(corrected, confidence_level)
    if corrected is not None and corrected.labelled:
        yield describe_labelled(corrected, confidence_level)
    if borrowed is not None: yield describe_borrowed(borrowed, confidence_level)


def describe_corrected(found: CorrectedScore, confidence_level: float) -> str:
    "The first and the last corrected number with their CIs, beside the verdicts."
    rates = f"sensitivity {percent(found.sensitivity)}, specificity {percent(found.specificity)}"
    source = "" if found.labels is None else f" from {count(found.labels, 'label')}"
    told = "; ".join(
        f"{row.metric} {percent(row.estimate)} ({level(confidence_level)} CI "
        f"{interval(row.low, row.high)}), where the verdicts say {percent(row.raw)}"
        for row in pick_ends(found.rows))
    assumes = "errors are independent given the truth, with the same rates on every question"
    return f"Corrected for a judge with {rates}{source}: {told}. Assumes {assumes}."


def pick_ends(rows: Sequence[CorrectedRow]) -> Sequence[CorrectedRow]:
    "The first row, and the one at the largest budget of its metric."
    first = rows[0]
    family = [row for row in rows if (row.model, row.group) == (first.model, first.group)
              and name_family(row.metric) == name_family(first.metric)]
    return [first] if len(family) == 1 else [first, family[-1]]


def describe_labelled(found: CorrectedScore, confidence_level: float) -> str:
    "The labels alone, and PPI++ beside them."
    row, confidence = found.labelled[0], level(confidence_level)
    powered = ("without an interval" if row.powered_low is None else
               f"{confidence} CI {interval(row.powered_low, row.powered_high)}")
    return (f"The {found.labelled_questions} labelled questions alone: {row.metric} "
            f"{percent(row.estimate)} ({confidence} CI {interval(row.low, row.high)}); with the "
            f"verdicts on all {percent(row.powered)} (PPI++, approximate: {powered}). Assumes "
            f"they were drawn at random.")


def describe_borrowed(found: BorrowedScore, confidence_level: float) -> str:
    "The first number over all questions, beside that of the questions that were run."
    row, confidence = found.rows[0], level(confidence_level)
    return (f"Estimated on all {found.questions:,} questions of the earlier run: {row.metric} "
            f"{percent(row.estimate)} ({confidence} CI {interval(row.low, row.high)}); the "
            f"{found.sampled:,} that were run alone: {percent(row.raw)} "
            f"({interval(row.raw_low, row.raw_high)}). Assumes they were drawn at random.")


def list_truth(
    corrected: CorrectedScore | None,  # What a judge's verdicts were corrected to
    borrowed: BorrowedScore | None,  # What was borrowed from an earlier run
) -> list[Block]:  # A table of each
    "Every corrected and every borrowed number."
    blocks: list[Block] = []
    if corrected is not None:
        blocks.append(Table(CORRECTED, [
            [" / ".join(filter(None, (row.model, row.group, row.metric))), percent(row.raw),
             percent(row.estimate), interval(row.low, row.high), row.method]
            for row in corrected.rows], left=1))
    if corrected is not None and corrected.labelled:
        blocks.append(Table(LABELLED, [
            [row.metric, percent(row.estimate), interval(row.low, row.high),
             percent(row.powered), interval(row.powered_low, row.powered_high)]
            for row in corrected.labelled], left=1))
    if borrowed is not None:
        blocks.append(Table(BORROWED, [
            [row.metric, percent(row.raw), interval(row.raw_low, row.raw_high),
             percent(row.estimate), interval(row.low, row.high), percent(row.earlier)]
            for row in borrowed.rows], left=1))
    return blocks


# Before a run.

def describe_preparation(
    run: PlannedRun | None,  # Questions and samples to run
    judging: JudgingPlan | None,  # Labels and gradings
    settled: SettledRule | None = None,  # When a gate is settled
) -> Iterator[str]:  # One sentence each
    "What to run, and what to label, in a sentence."
    if run is not None: yield describe_run(run)
    if judging is not None: yield describe_judging(judging)
    if settled is not None: yield describe_settled(settled)


def describe_run(run: PlannedRun) -> str:
    "How many questions to run, and how often."
    sizes = [one.samples for one in run.listed]
    each = count_range(min(sizes), max(sizes), "sample")
    if run.drawn:
        drawn = "" if run.seed is None else f" (seed {run.seed})"
        return (f"Run {len(run.listed):,} of {run.questions:,} questions, drawn at random{drawn}, "
                f"{each} each; with the earlier run they estimate all.")
    return (f"Run all {run.questions:,} questions, {each} each by the difficulty in the earlier "
            f"run, {sum(sizes):,} samples in all; do not change the numbers while it runs.")


def describe_judging(found: JudgingPlan) -> str:
    "Labels that are needed, and how often to grade an answer."
    rates = f"sensitivity {percent(found.sensitivity)}, specificity {percent(found.specificity)}"
    wanted = f"a corrected pass@1 within {100 * found.half_width:g} points"
    need = ("no number of labels gives" if found.labels is None else
            f"about {count(found.labels, 'label')} drawn at random give")
    best = ("" if found.gradings is None else
            f" Best gradings per answer: {max(1., found.gradings):.1f}.")
    return (f"A judge with {rates}: {need} {wanted}, if {percent(found.share)} of answers are "
            f"right.{best}")


def describe_settled(found: SettledRule) -> str:
    "When the verdict on a minimum is settled."
    asked = f"one try of each of {count(found.questions, 'question')}"
    rule = f"pass@1 above {percent(found.minimum)}, {asked}"
    if found.needed is None: return f"{rule}: no outcome passes; ask more questions."
    means = ", ".join(f"{tries:.1f} at {share}" for share, tries in found.tries.items())
    return (f"{rule}: passes with {found.needed:,} right, settled after {found.needed:,} successes "
            f"or {count(found.failures or 0, 'failure')}. Mean tries by the true share: {means}.")


def list_planned(run: PlannedRun) -> list[Block]:
    "Every question to run."
    return [Table(["question", "samples"], [[one.question, f"{one.samples:,}"]
                                            for one in run.listed], left=1)]
