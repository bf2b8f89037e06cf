"""The numbers of a gate in tables."""
from __future__ import annotations

from ..report.blocks import Table
from .gate_facts import Check, GateFacts
from .numbers import digits, signed, signed_span, span_text
from .openings import say_read
from .parts import Part, Sentence
from .question_rules import list_question_parts
from .verdict_words import describe_gate

__all__ = ["list_numbers", "make_table", "shorten_table", "say_matched"]


def list_numbers(
    gate: GateFacts,  # Verdicts on a new system
) -> list[Part]:  # Tables, then sentences
    "The table of rules, single questions, what was read, and the method."
    said = [*filter(None, [say_matched(gate)]), *map(say_read, [*gate.notes, gate.read]),
            describe_gate(gate)]
    single = list_question_parts(gate.falls, gate.watch, gate.must_pass)
    return [make_table(gate), *single, *map(Sentence, said)]


def say_matched(
    gate: GateFacts,  # Verdicts on a new system
) -> str:  # A sentence; empty without a baseline
    "Which questions the new system shares with its baseline."
    return f"Questions: {gate.alignment} (A: baseline, B: new)." if gate.alignment else ""


def make_table(
    gate: GateFacts,  # Verdicts on a new system
) -> Table:  # One row per rule
    "Every number of each rule."
    heads = ["rule", "value", "interval", "limit", "questions", "judged", "verdict"]
    return Table(heads, [write_check(row) for row in gate.rows])


def shorten_table(
    gate: GateFacts,  # Verdicts on a new system
) -> Table:  # The same without the target and the questions
    "The numbers of each rule that fit a terminal."
    table = make_table(gate)
    rows = [[*row[:4], row[-1]] for row in table.rows]
    return Table([*table.head[:4], table.head[-1]], rows)


def write_check(row: Check) -> list[str]:
    "The cells of a rule."
    if row.low is None: numbers = [f"{row.value:g}", "-", f"{row.limit:g}"]
    else:
        number, span = (signed, signed_span) if row.drop else (digits, span_text)
        numbers = [number(row.value), span(row.low, row.high), number(row.limit)]
    return [row.rule, *numbers, str(row.questions), row.target, row.verdict]
