"""The verdicts of a gate in words."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .headline import say_count, say_share
from .numbers import digits, signed, signed_span, span_text
from .question_rules import MustPass, Watch

if TYPE_CHECKING: from .verdicts import Check

__all__ = ["say_check", "warn_of_weak", "explain_equals", "explain_falls", "explain_must_pass"]


def say_check(
    row: Check,  # One rule of a gate
) -> str:  # One or two sentences
    "The verdict on a rule, the numbers behind it, and what would decide a weak one."
    if row.low is None: return f"{row.verdict.upper()}: {row.said or say_rule(row)}{add_help(row)}."
    number, span = (signed, signed_span) if row.drop else (digits, span_text)
    numbers = f"{number(row.value)}, {span(row.low, row.high)} on {row.target}"
    questions = say_count([row.questions], "question")
    could = f" {say_could(row)}" if row.verdict == "weak" and row.drop else ""
    return f"{row.verdict.upper()}: {say_rule(row)} ({numbers}; {questions}){add_help(row)}.{could}"


def say_rule(row: Check) -> str:
    "A rule as the verdict has it."
    if row.verdict == "pass": return row.rule
    if row.verdict == "weak": return f"it is not decided whether {row.rule}"
    if row.drop: return f"{row.metric} drops by more than {-row.limit:g}"
    return f"{row.metric} is below {row.limit:g}"


def add_help(row: Check) -> str:
    "What would decide a weak rule, to end its sentence."
    return f"; {row.warning}" if row.warning else ""


def say_could(row: Check) -> str:
    "Which drop such data could have told from no change."
    assert row.low is not None
    shown = f"{row.value - row.low:.2g}"
    could = (f"These {say_count([row.questions], 'question')} can tell a drop of {shown} from no "
             "change")
    if row.value - row.low > -row.limit: could += f", not one of {-row.limit:g}"
    if row.equal_passes is None: return f"{could}."
    return f"{could}: {say_equals(row)}."


def say_equals(row: Check) -> str:
    "How often a system that is as good as the baseline would pass."
    assert row.equal_passes is not None
    return f"a system equal to the baseline passes in about {say_chance(row.equal_passes)} of runs"


def say_chance(chance: float) -> str: return f"{100 * chance:.0f} %"


def explain_equals(
    row: Check,  # One rule of a gate
) -> str:  # A sentence, empty where nothing is known
    "How often a rule passes and changes its mind on equal systems."
    if row.equal_passes is None or row.equal_flips is None: return ""
    return (f"{row.metric}: {say_equals(row)}, and run again gets another verdict in "
            f"{say_chance(row.equal_flips)} (normal approximation).")


def explain_falls(
    watch: Watch,  # What the samples could show of single questions
) -> str:  # One sentence
    "How the questions that fell were found."
    return ("Questions that fell: Fisher's exact test of each question, one-sided, given the right "
            "samples of both sides; Holm's correction for discrete tests (Tarone) over "
            f"{watch.questions} questions: the chance that any is named that did not fall is at "
            f"most {watch.level:g}.")


def explain_must_pass(
    found: Sequence[MustPass],  # Questions that must pass
) -> str:  # One sentence
    "What right samples say of samples to come."
    said = "Must-pass questions are judged by the samples drawn"
    if any(one.needed < one.samples for one in found): return f"{said}."
    samples = min(one.samples for one in found)
    least = say_share(round(.05**(1 / samples), 2))
    return (f"{said}; {say_count([samples], 'right one')} of {samples} show that at least {least} "
            "of further ones are right (95 %).")


def warn_of_weak(
    row: Check,  # One rule that was not decided
) -> str:  # A sentence without its full stop
    "Why a rule was not decided, and what would decide it."
    # Among several rules one may be undecided although its own interval is below the limit.
    if row.low is None or row.high is None or row.high < row.limit:
        return f"{row.rule}: not decided{add_help(row)}"
    number, span = (signed, signed_span) if row.drop else (digits, span_text)
    return (f"{row.rule}: not decided, the interval {span(row.low, row.high)} "
            f"reaches to both sides of {number(row.limit)}{add_help(row)}")
