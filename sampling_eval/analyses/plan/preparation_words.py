"""What a plan says of the run before it: questions to run, labels, when a rule is settled."""
from __future__ import annotations

from collections.abc import Iterator

from ...render.blocks import Block, Table
from ...render.format import count, count_range, percent
from .result import JudgingPlan, PlannedRun, SettledRule

__all__ = ["preparation_sentences", "planned_questions"]


def preparation_sentences(
    run: PlannedRun | None,  # Questions and samples to run
    judging: JudgingPlan | None,  # Labels and gradings
    settled: SettledRule | None = None,  # When a gate is settled
) -> Iterator[str]:  # One sentence each
    "What to run, and what to label, in a sentence."
    if run is not None: yield run_sentence(run)
    if judging is not None: yield labelling_sentence(judging)
    if settled is not None: yield settled_sentence(settled)


def run_sentence(run: PlannedRun) -> str:
    "How many questions to run, and how often."
    sizes = [one.samples for one in run.listed]
    each = count_range(min(sizes), max(sizes), "sample")
    if run.drawn:
        drawn = "" if run.seed is None else f" (seed {run.seed})"
        return (f"Run {len(run.listed):,} of {run.questions:,} questions, drawn at random{drawn}, "
                f"{each} each; with the earlier run they estimate all.")
    return (f"Run all {run.questions:,} questions, {each} each by the difficulty in the earlier "
            f"run, {sum(sizes):,} samples in all; do not change the numbers while it runs.")


def labelling_sentence(found: JudgingPlan) -> str:
    "Labels that are needed, and how often to grade an answer."
    rates = f"sensitivity {percent(found.sensitivity)}, specificity {percent(found.specificity)}"
    wanted = f"a corrected pass@1 within {100 * found.half_width:g} points"
    need = ("no number of labels gives" if found.labels is None else
            f"about {count(found.labels, 'label')} drawn at random give")
    best = ("" if found.gradings is None else
            f" Best gradings per answer: {max(1., found.gradings):.1f}.")
    return (f"A judge with {rates}: {need} {wanted}, if {percent(found.share)} of answers are "
            f"right.{best}")


def settled_sentence(found: SettledRule) -> str:
    "When the verdict on a minimum is settled."
    asked = f"one try of each of {count(found.questions, 'question')}"
    rule = f"pass@1 above {percent(found.minimum)}, {asked}"
    if found.needed is None: return f"{rule}: no outcome passes; ask more questions."
    means = ", ".join(f"{tries:.1f} at {share}" for share, tries in found.tries.items())
    return (f"{rule}: passes with {found.needed:,} right, settled after {found.needed:,} successes "
            f"or {count(found.failures or 0, 'failure')}. Mean tries by the true share: {means}.")


def planned_questions(run: PlannedRun) -> list[Block]:
    "Every question to run."
    return [Table(["question", "samples"], [[one.question, f"{one.samples:,}"]
                                            for one in run.listed])]
