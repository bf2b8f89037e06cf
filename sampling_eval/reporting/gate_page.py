"""The page of a gate: the verdict in plain words, a drawing, and every number."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .headline import say_count, say_share
from .numbers import digits
from .openings import say_read
from .parts import Folded, Lead, Note, Part, Ruler, Sentence, Table
from .points import say_could_move, say_move, say_size, say_terms
from .provenance import list_origin
from .question_rules import Fall, list_question_parts

if TYPE_CHECKING: from .verdicts import Check, Gate

__all__ = ["gate_page"]

BEGINS = {"pass": "Passed", "fail": "Failed", "weak": "Cannot tell"}
ENDS = {"pass": "The command ends with exit code 0.", "fail": "The command ends with exit code 1.",
        "weak": "What cannot be told is weak: the command ends with exit code 3, with 0 where "
                "--weak-passes is given, and with 1 where --strict is."}


def gate_page(
    gate: Gate,  # Verdicts on a new system
    cells: Sequence[Sequence[str]],  # Those of each rule, its verdict last
) -> list[Part]:  # The verdict, each rule with a drawing, tables, and what is folded
    "What the page of a gate says, in order."
    # The rule that gave the verdict comes first.
    rows = sorted(gate.rows, key=lambda row: row.verdict != gate.verdict)
    first, *others = [f"{BEGINS[row.verdict]}: {say_found(row, gate)}" for row in rows]
    parts: list[Part] = [Note(say_who(gate)), Lead(f"{first}.")]
    parts += [Sentence(f"{text}.") for text in others]
    parts += [Sentence(text) for row in rows for text in list_reasons(row, gate)]
    rules = [gate.say_rules()] * bool(gate.say_rules())
    parts += map(Sentence, [ENDS[gate.verdict], *rules, *map(say_read, gate.notes)])
    parts += [draw_rule(row) for row in rows if row.low is not None]
    return [*parts, *list_rules(gate, cells), Note(say_terms(find_level(gate))), *fold_rest(gate)]


def say_who(gate: Gate) -> str:
    "Who is judged, against whom, and on how many questions."
    new, *baseline = gate.names
    said = f"New: {new}" if new else "A new system"
    if any(baseline): said += f"; baseline: {baseline[0]}"
    same = "the same " * bool(gate.alignment)
    return f"{said}; {same}{say_count([gate.rows[0].questions], 'question')}"


def name_new(gate: Gate) -> str: return gate.names[0] or "the new system"


def name_baseline(gate: Gate) -> str:
    return next(filter(None, gate.names[1:]), "the baseline")


def say_found(row: Check, gate: Gate) -> str:
    "What was found of a rule, in points for shares."
    if row.low is None or row.high is None:
        undecided = "it is not decided whether " * (row.verdict == "weak")
        return row.said or undecided + row.rule
    small = "; the test is too small" * (row.verdict == "weak")
    new = name_new(gate)
    if row.drop:
        moved = f"{new} {say_move(row.value, row.metric)} against {name_baseline(gate)}"
        could = say_could_move(row.low, row.high, row.metric)
        allowed = f"a loss of {say_size(row.limit, row.metric)} in {row.metric} is allowed"
        return f"{moved}, {allowed} ({could}){small}"
    could = f"could be {say_value(row.low)} to {say_value(row.high)}"
    return (f"{new} has {say_value(row.value)} in {row.metric}, at least {say_value(row.limit)} "
            f"is required ({could}){small}")


def say_value(value: float) -> str:
    return say_share(value) if 0 <= value <= 1 else digits(value)


def list_reasons(row: Check, gate: Gate) -> list[str]:
    "How often an equal system would pass, and what would decide a weak rule."
    said = []
    if row.equal_passes is not None:
        which = f" the rule on {row.metric}" * (len(gate.rows) > 1)
        said.append(f"A system exactly as good as {name_baseline(gate)} would pass{which} in about "
                    f"{100 * row.equal_passes:.0f} % of such tests.")
    if row.warning: said.append(f"{row.warning[:1].upper()}{row.warning[1:]}.")
    return said


def draw_rule(row: Check) -> Ruler:
    "The interval of a rule against its limit."
    assert row.low is not None and row.high is not None
    said = f"limit: {say_value(row.limit)}"
    if row.drop: said = f"limit: a loss of {say_size(row.limit, row.metric)}"
    seen = (f"{row.metric}, {row.target}: the dot is what was measured, the bar its interval "
            f"({row.interval}). A bar wholly right of the limit passes, wholly left of it fails; "
            "across it nothing can be told.")
    return Ruler(row.value, row.low, row.high, row.limit, said, "no change" * row.drop, seen)


def list_rules(gate: Gate, cells: Sequence[Sequence[str]]) -> list[Part]:
    "Every rule with its verdict beside it, and single questions."
    heads = ["rule", "verdict", "value", "interval", "limit", "questions", "judged"]
    table = Table(heads, [[rule, verdict, *numbers] for rule, *numbers, verdict in cells])
    title = say_certain(gate.falls)
    single = list_question_parts(gate.falls, gate.watch, gate.must_pass, title)
    return [table, *single]


def say_certain(falls: tuple[Fall, ...]) -> str:
    "How many of the questions that are right less often fell for certain."
    certain = sum(fall.certain for fall in falls)
    rest = len(falls) - certain
    chance = f"{say_count([rest], 'question')} right less often may be chance"
    if not certain: return f"No question fell for certain: {chance}"
    return f"{say_count([certain], 'question')} fell for certain" + f"; {chance}" * (rest > 0)


def find_level(gate: Gate) -> str:
    "The confidence level of the first interval, in percent."
    found = re.match(r"([\d.]+) %", next((row.interval for row in gate.rows if row.interval), ""))
    return found[1] if found else "95"


def fold_rest(gate: Gate) -> list[Part]:
    "The method, and what was read when."
    matched = f"Questions: {gate.alignment} (A: baseline, B: new)." if gate.alignment else ""
    read = [Sentence(text) for text in (matched, say_read(gate.read)) if text]
    return [Folded("How it was computed", [Sentence(gate.how())]),
            Folded("What was read", [*read, *list_origin()])]
