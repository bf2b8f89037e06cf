"""The page of a gate: the verdict in plain words, a drawing, and every number."""
from __future__ import annotations

import re

from ..report.blocks import Table
from .gate_facts import FELL, Check, GateFacts
from .gate_tables import make_table, say_matched
from .openings import say_read
from .parts import Folded, Judged, Lead, Note, Part, Ruler, Sentence, Typed
from .points import is_share, say_ends, say_level, say_points, say_signed, say_terms
from .provenance import list_origin, tell_date
from .question_rules import (VERDICTS, list_plainly, list_tests, mark_verdict, open_sentence,
                             say_lower, say_watch)
from .verdict_words import (describe_gate, list_beside_rule, list_reasons, order_rules, say_all,
                            say_exit, say_found, say_range, say_step, say_targets, say_who,
                            write_limit)

__all__ = ["gate_page", "list_rules", "list_steps", "say_single"]

LEGEND = ("In a drawing the dot is what was measured and the bar its range. A bar wholly right of "
          "the limit passes, wholly left of it fails; across it nothing can be told.")


def gate_page(
    gate: GateFacts,  # Verdicts on a new system
) -> list[Part]:  # The verdict, each rule with a drawing, tables, and what is folded
    "What the page of a gate says, in order."
    several = len(gate.rows) > 1
    word = VERDICTS[gate.verdict][1].capitalize()
    parts: list[Part] = [Note(f"{tell_date()}. {say_who(gate)}"),
                         Lead(f"{word}: {say_all(gate)}.")]
    parts += map(Sentence, filter(None, [say_all_must(gate), say_single(gate)]))
    parts += [list_rules(gate)] if several else explain_check(gate.rows[0], gate)
    told = say_exit(gate), *map(say_read, gate.notes)
    parts += [*list_steps(gate), *map(Sentence, filter(None, told))]
    parts += map(Note, list_terms(gate))
    if several: parts += [judge_rule(row, gate) for row in order_rules(gate)]
    parts += list_plainly(gate.falls, gate.watch, gate.must_pass)
    return [*parts, *map(Sentence, say_seen(gate)), *fold_rest(gate)]


def say_seen(gate: GateFacts) -> list[str]:
    "Which falls would have been noticed, where no rule says so and none was."
    if gate.watch is None or not gate.allows_falls: return []
    if any(fall.certain for fall in gate.falls): return []
    return [f"{open_sentence(say_watch(gate.watch))}."]


def list_terms(gate: GateFacts) -> list[str]:
    "Words and drawings for a reader who meets them first."
    ranged = any(row.low is not None for row in gate.rows)
    said = [say_terms(find_level(gate)), say_targets(gate), LEGEND * ranged]
    return list(filter(None, said))


def say_all_must(gate: GateFacts) -> str:
    "What several rules need; empty for one."
    whole = len(gate.rows)
    if whole == 1: return ""
    return "Both rules must pass." if whole == 2 else f"All {whole} rules must pass."


def say_single(
    gate: GateFacts,  # Verdicts on a new system
) -> str:  # One sentence, empty where nothing was compared or a rule alone says it
    "Whether single questions fell, and how many were right less often."
    if gate.watch is None or not gate.allows_falls: return ""
    return f"{open_sentence(say_lower(gate.falls, gate.watch))}."


def list_steps(
    gate: GateFacts,  # Verdicts on a new system
) -> list[Part]:  # A sentence, and what is typed
    "What to do next: where a gate failed, the questions behind it."
    if gate.verdict != "fail": return []
    if gate.command is not None:
        return [Sentence("Next, the questions behind it:"), Typed(gate.command.explain)]
    typed = "explain(baseline, other=new)" if gate.alignment else "explain(new)"
    return [Sentence(f"Next: {typed} shows the questions behind it.")]


# Rules in words.

def list_rules(
    gate: GateFacts,  # Verdicts on a new system
) -> Table:  # A row per rule
    "Every rule with its verdict beside it, in points and percent."
    heads = ["rule", "verdict", "measured", "could be", "limit"]
    return Table(heads, [write_rule(row, gate) for row in order_rules(gate)],
                 wraps=True)


def write_rule(row: Check, gate: GateFacts) -> list[str]:
    "The cells of a rule."
    verdict = mark_verdict(row.verdict)
    if row.low is None or row.high is None:
        return [row.rule, verdict, *count_questions(row, gate)]
    if row.drop:
        limit = f"may lose {write_limit(row)}" if row.limit else "may not lose"
        ends = say_ends(row.low, row.high, row.metric)
        return [f"change in {row.metric}", verdict, say_points(row.value, row.metric), ends, limit]
    value, low, high = (say_level(number, row.metric) for number in (row.value, row.low, row.high))
    return [row.metric, verdict, value, f"{low} to {high}", f"at least {write_limit(row)}"]


def count_questions(row: Check, gate: GateFacts) -> list[str]:
    "What was counted, nothing for its range, and what was asked for."
    if row.metric == FELL: return [f"{row.value:g} fell", "", "none may"]
    # Where a share of the samples is enough, a question that passes need not be always right.
    often = " often enough" * any(one.needed < one.samples for one in gate.must_pass)
    return [f"{row.value:g} of {row.limit:g} right{often}", "", "all must be"]


def judge_rule(row: Check, gate: GateFacts) -> Judged:
    "A rule with its sentence, its drawing and its advice."
    sign, word = VERDICTS[row.verdict]
    return Judged(row.verdict, f"{sign} {word.capitalize()}:", f"{say_found(row, gate)}.",
                  explain_check(row, gate))


def explain_check(row: Check, gate: GateFacts) -> list[Part]:
    "The drawing of a rule, what it is about, and what would decide it."
    said = [" ".join(filter(None, [*list_beside_rule(row), *list_reasons(row, gate)])),
            say_step(row)]
    drawn = [draw_rule(row, gate)] if row.low is not None else []
    return [*drawn, *map(Sentence, filter(None, said))]


def draw_rule(row: Check, gate: GateFacts) -> Ruler:
    "The interval of a rule against its limit."
    assert row.low is not None and row.high is not None
    limit = write_limit(row)
    if row.drop: limit = f"a loss of {limit}" if row.limit else "no loss"
    unit = ", new minus baseline" + ", in points" * is_share(row.metric) if row.drop else ""
    say = say_signed if row.drop else say_level
    ends = [say(value, row.metric) for value in (row.low, row.value, row.high)]
    return Ruler(row.value, row.low, row.high, row.limit, f"limit: {limit}", "no change" * row.drop,
                 f"{row.metric}{unit}. {say_range(row)}", ends, find_scale(row, gate))


def find_scale(row: Check, gate: GateFacts) -> tuple[float, float]:
    "The ends of the line on which all rules of one unit are drawn."
    alike = [one for one in gate.rows if find_unit(one) == find_unit(row)]
    known = [value for one in alike for value in (one.low, one.high, one.value, one.limit)
             if value is not None]
    known += [0.] * row.drop
    return min(known), max(known)


def find_unit(row: Check) -> tuple[bool, bool, str]:
    "What rules have in common that share a line."
    share = is_share(row.metric)
    return row.low is not None and row.drop, share, "" if share else row.metric


# What is folded.

def find_level(gate: GateFacts) -> str:
    "The confidence level of the first interval, in percent."
    found = re.match(r"([\d.]+) %", next((row.interval for row in gate.rows if row.interval), ""))
    return found[1] if found else "95"


def fold_rest(gate: GateFacts) -> list[Part]:
    "Every number, the method, and what was read."
    read = [Sentence(text) for text in (say_matched(gate), say_read(gate.read)) if text]
    return [Folded("All numbers", [make_table(gate), *list_tests(gate.falls, gate.watch)]),
            Folded("How it was computed", [Sentence(describe_gate(gate))]),
            Folded("What was read", [*read, *list_origin()])]
