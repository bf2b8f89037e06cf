"""What a gate says of single questions: those that regressed, and those that must pass."""
from __future__ import annotations

from collections.abc import Sequence

from ..results.verdicts import Check, Gate, MustPass, QuestionRegression, RegressionPower
from .format import count, count_range, join, open_sentence
from .text import cut_text

__all__ = ["describe_required", "describe_must_pass", "describe_regression",
           "describe_regressions", "explain_regressions", "describe_questions"]

SHOWN = 5  # Questions that a sentence names
LONGEST = 60  # Columns of a question's name
NEAR = .2  # Largest p value of a regression that is named though it is not significant

def describe_required(gate: Gate) -> str:
    "Whether the questions that must pass do, and which ones do not."
    found, share = gate.must_pass, gate.must_pass_share
    rule = "in every sample" if share == 1 else f"in at least {100 * share:g} % of the samples"
    failed = [one for one in found if one.verdict == "fail"]
    whole = count(len(found), "must-pass question")
    if not failed: return f"{whole} {'is' if len(found) == 1 else 'are'} right {rule}"
    named = [f"{name_question(one.question)} ({one.right}/{one.samples})" for one in failed]
    return f"{len(failed)} of {whole} not right {rule}: {name_some(named)}"


def describe_must_pass(
    one: MustPass,  # A question that must pass
) -> str:  # Without a full stop
    "How often a question is right, and how often it must be."
    return f"{one.right}/{one.samples} samples are right, {one.needed} are needed"


def describe_regression(
    one: QuestionRegression,  # A question that scored lower
) -> str:  # `question 12 (4/4 to 0/4)`
    "A question with its right samples before and now."
    name = name_question(one.question)
    return f"{name} ({one.before}/{one.of_before} to {one.after}/{one.of_after})"


def name_question(name: object) -> str:
    "The name of a question; a number is said to be one."
    text = str(name)
    return f"question {text}" if text.isdigit() else cut_text(text, LONGEST)


def name_some(found: Sequence[str]) -> str:
    "The first few of several, and how many more there are."
    more = len(found) - SHOWN
    return ", ".join(found[:SHOWN]) + f" and {more} more" * (more > 0)


def list_significant(gate: Gate) -> list[QuestionRegression]:
    return [one for one in gate.regressions if one.significant]


def describe_regressions(gate: Gate) -> str:
    "Which questions regressed, and how many scored lower, without a full stop."
    found, power = list_significant(gate), gate.regression_power
    lower = len(gate.regressions) if power is None or power.lower is None else power.lower
    rest = lower - len(found)
    if found:
        said = (f"{count(len(found), 'question')} regressed: "
                f"{name_some(list(map(describe_regression, found)))}")
        return said + f"; {rest:,} more scored lower, none significantly" * (rest > 0)
    if not rest: return "no question scored lower"
    whole = "" if power is None else f" of {count(power.questions, 'question')}"
    none = "the drop is not significant" if rest == 1 else "no single drop is significant"
    return f"{rest:,}{whole} scored lower; {none}"


def describe_watch(power: RegressionPower) -> str:
    "On how many questions a drop could have been significant."
    whole = count(power.questions, "question")
    if power.detectable:
        return f"On {power.detectable} of {whole} losing every right sample would be significant."
    if power.n_min >= power.needed:
        return "No question was right often enough before for a drop to be significant."
    each = count_range(power.n_min, power.n_max, "sample")
    return (f"With {each} each, no single drop can be significant; {power.needed} samples each "
            "would detect a drop from all right to none.")


def explain_regressions(gate: Gate, row: Check) -> list[str]:
    "What the samples could have shown where no question regressed."
    power = gate.regression_power
    return [] if row.verdict == "fail" or power is None else [describe_watch(power)]


def describe_questions(gate: Gate) -> list[str]:
    "What is said of single questions beside the rule about them, if there is one."
    if gate.regression_power is None: return []
    said = []
    if not gate.forbids_regressions:
        said.append(f"{open_sentence(describe_regressions(gate))}.")
        if not list_significant(gate): said.append(describe_watch(gate.regression_power))
    near = [one for one in gate.regressions if not one.significant and one.p <= NEAR]
    named = list(map(describe_regression, near[:3]))
    if near: said.append(f"Largest non-significant: {join(named)}.")
    return [" ".join(said)] * bool(said)
