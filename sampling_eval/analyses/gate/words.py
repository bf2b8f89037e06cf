"""What a gate says: the document first, then sentences on its rules and on single questions.

`headline` is the verdict in a sentence, `describe_check` a rule in a few, `explain_rule` a
rule at length. JUnit and annotations of GitHub stand in `junit`.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from ...inference.intervals import row_of
from ...render.blocks import (
    Block, Code, Fold, Headline, Intervals, Later, Line, Table, Text)
from ...render.citations import cite
from ...render.format import (
    TARGET_WORDS, count, count_range, decimal, describe_alignment, describe_stated,
    difference, difference_interval, interval, join, join_some, level, open_sentence, points,
    pvalue, signed, value)
from ...render.plot import open_axes, plot_forest
from ...render.text import cut_text
from ...render.verdicts import capitals_of, mark_of, word_of
from ...results.verdict import GateVerdict
from ..phrases.advice import next_step
from ..phrases.deciding import cite_method, describe_method, name_deciding, say_none_free
from ..phrases.questions import open_questions, side_blocks
from ..phrases.reading import describe_read, items_clause, versions_sentence
from ..phrases.weights import explain_weights, max_weight_sentence, weighting_clause
from .result import Check, Gate, MustPass, QuestionRegression, RegressionPower, Watched

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["document", "page", "title", "methods", "plot", "describe_check", "explain_rules",
           "describe_must_pass", "question_with_drop"]

WORST_FIRST: tuple[GateVerdict, ...] = "fail", "inconclusive", "pass"
# Questions of an interval.
SHORT_TARGETS = dict(new_questions="new", same_questions="same", samples="-")
QUESTIONS_LISTED = 50  # Questions that a table has
SCOPES = TARGET_WORDS | dict(samples="samples drawn")  # What a rule is about
UNNAMED = "new", "baseline"  # Names of systems without one
QUESTIONS_NAMED = 5  # Questions that a sentence names
LONGEST_NAME = 60  # Columns of a question's name
LARGEST_P_NAMED = .2  # Largest p value of a regression that is named though it is not significant


def title(gate: Gate) -> str:
    names = " vs ".join(filter(None, gate.names))
    return f"gate {word_of(gate.verdict)}" + f": {names}" * bool(names)


def document(gate: Gate) -> list[Block]:
    "The verdict, the rules, why and what next; single questions and all numbers on demand."
    blocks: list[Block] = [Headline(headline(gate), gate.verdict),
                           *map(Text, verdicts_on_new(gate)), Text(systems_judged(gate)),
                           make_table(gate), *draw_rules(gate)]
    said = [check_beside_table(gate, row) for row in sort_rows(gate)]
    if gate.command is not None and gate.command.explains: said = explain_rules(gate)
    elif len(gate.rows) == 1: said = [" ".join(explain_check(gate, gate.rows[0]))]
    blocks += [Text(text) for text in said if text]
    blocks += [Text(text) for text in question_sentences(gate)] + next_step_blocks(gate)
    if gate.command is not None: blocks.append(Text(exit_code_sentence(gate)))
    blocks += [Text(text, "caution") for text in caution_sentences(gate)]
    blocks += [Text(text) for text in data_sentences(gate)]
    if gate.must_pass or gate.regressions:
        blocks.append(Fold("Single questions", Later(question_tables, gate)))
    blocks.append(Fold("All numbers", Later(number_blocks, gate)))
    blocks.append(Fold("Methods", Later(methods_blocks, gate)))
    if not gate.read: return blocks
    return [*blocks, Text(open_sentence(describe_read(gate.read)), "note")]


def page(gate: Gate) -> list[Block]:
    "The same with every question, where both systems are from files."
    sides = {name: name for name in gate.names[::-1]}
    each = side_blocks(gate.questions, sides) if gate.texts else []
    return open_questions(document(gate), each)


def explain_rules(gate: Gate) -> list[str]:
    "A paragraph on each rule: what was tested, why it came out so, and what would change it."
    return [explain_rule(gate, row) for row in sort_rows(gate)]


def caution_sentences(gate: Gate) -> list[str]:
    "What could not be checked of the data, each once."
    versions = [f"{gate.task_versions}."] * bool(gate.task_versions)
    notes = (note.sentence for read in gate.read.values() for note in read.warnings)
    return list(dict.fromkeys([*versions, *notes]))


def sort_rows(gate: Gate) -> list[Check]:
    "What failed first, then what is inconclusive."
    return sorted(gate.rows, key=lambda row: WORST_FIRST.index(row.verdict))


def systems_judged(gate: Gate) -> str:
    "Who is judged, against whom, on how many questions and samples."
    questions = count(gate.rows[0].questions, "question")
    if gate.samples:
        low, high = min(one for one, _ in gate.samples), max(most for _, most in gate.samples)
        questions += f", {count_range(low, high, 'sample')} each"
    new, *baseline = gate.names
    if baseline: return f"{name_new(gate)} vs {name_baseline(gate)}: the same {questions}."
    return f"{new}: {questions}." if new else f"{questions}."


def question_tables(gate: Gate) -> list[Block]:
    "Questions that must pass, and those that scored lower."
    blocks: list[Block] = []
    if gate.must_pass:
        ordered = sorted(gate.must_pass, key=lambda one: one.verdict == "pass")
        rows = [[str(one.question), f"{one.right}/{one.samples}", f"{one.needed}/{one.samples}",
                 mark_of(one.verdict)] for one in ordered]
        blocks += cut_table(["question", "right", "needed", "verdict"], rows, "Must-pass questions")
    if gate.regressions:
        lower = len(gate.regressions)
        if gate.regression_power is not None: lower = gate.regression_power.lower or lower
        which = f" ({len(gate.regressions)} of {lower:,})" * (len(gate.regressions) < lower)
        heads = ["question", "before", "now", "p", "adjusted p", "significant"]
        blocks += cut_table(heads, list(map(write_regression, gate.regressions)),
                            f"Questions that scored lower{which}")
    return blocks


def write_regression(one: QuestionRegression) -> list[str]:
    p = pvalue(one.p, equals=False), pvalue(one.p_adjusted, equals=False)
    return [str(one.question), f"{one.before}/{one.of_before}", f"{one.after}/{one.of_after}", *p,
            "yes" if one.significant else "no"]


def cut_table(heads: list[str], rows: list[list[str]], title: str) -> list[Block]:
    "A table of the first rows, and a sentence on the others."
    more = len(rows) - QUESTIONS_LISTED
    said = Text(f"{more} more: the JSON form of the gate has them all.")
    return [Table(heads, rows[:QUESTIONS_LISTED], title), *[said] * (more > 0)]


# Tables and pictures.

def make_table(gate: Gate) -> Table:
    "Each rule with its value, its interval and its verdict."
    known = next((row.interval for row in gate.rows if row.interval is not None), None)
    ci = "CI" if known is None else f"{level(known.level)} CI"
    # A value beside "drop <= 2 points" would read as the drop.
    head = "change" if all(row.drop for row in gate.rows) else "value"
    return Table(["rule", head, ci, "questions", "verdict"],
                 [write_row(row) for row in gate.rows])


def write_row(row: Check) -> list[str]:
    name, verdict = name_rule(row), mark_of(verdict_of(row))
    if row.kind == "must_pass":
        return [name, f"{row.value:g} of {row.limit:g}", "-", "-", verdict]
    if row.low is None: return [name, f"{row.value:g}", "-", "-", verdict]
    shown = points(row.value) if row.drop and row.unit == "share" else write_value(row)
    return [name, shown, write_ends(row), SHORT_TARGETS[row.target], verdict]


def number_blocks(gate: Gate) -> list[Block]:
    "Every number of each rule in decimals."
    heads = ["rule", "value", "low", "high", "limit", "questions", "of", "verdict"]
    return [Table(heads, [write_numbers(row) for row in gate.rows])]


def write_numbers(row: Check) -> list[str]:
    about = [str(row.questions), SCOPES[row.target], word_of(verdict_of(row))]
    if row.low is None: return [row.rule, f"{row.value:g}", "-", "-", f"{row.limit:g}", *about]
    write = signed if row.drop else decimal
    numbers = (row.value, row.low, row.high, row.limit)
    return [row.rule, *map(write, numbers), *about]


def draw_rules(gate: Gate) -> Iterator[Intervals]:
    "The intervals against their limits, on a scale of its own for each unit."
    ranged = sorted((row for row in gate.rows if row.low is not None), key=scale_of)
    for _, group in groupby(ranged, key=scale_of):
        rows = list(group)
        lines = [Line(name_rule(row), write_value(row), row.value, row.low, row.high,
                      f"{write_ends(row)}, {SCOPES[row.target]}", row.limit, row.verdict)
                 for row in rows]
        alt = "; ".join(f"{line.label}: {line.said}, {line.note}, {word_of(row.verdict)}"
                        for line, row in zip(lines, rows))
        yield Intervals(lines, alt, zero="no change" * rows[0].drop, limit="limit")


def scale_of(row: Check) -> tuple[bool, str]:
    "What rules have in common that share a scale."
    return not row.drop, "" if row.unit == "share" else row.metric


def plot(gate: Gate, *, ax: Axes | None = None, size: str | float | None = None) -> Axes:
    "How far each value lies from its limit, with its interval."
    rows = [row for row in gate.rows if row.low is not None]
    if not rows: raise ValueError("no rule of this gate has an interval to draw")
    far = np.array([[row.value, row.low, row.high] for row in rows], float).T
    far -= [row.limit for row in rows]
    with open_axes(ax, size, rows=len(rows)) as ax:
        return plot_forest([row.rule for row in rows], *far, ax=ax, label="distance from the limit")


# What next.

def next_step_blocks(gate: Gate) -> list[Block]:
    "What to do next: where a gate failed, the questions behind it."
    if gate.verdict != "fail": return []
    if gate.command is not None:
        return [Text("Next, the questions behind it:"), Code(gate.command.explain)]
    typed = "explain(new)" if gate.alignment is None else "explain(baseline, other=new)"
    return [Text(f"Next: {typed} shows the questions behind it.")]


def exit_code_sentence(gate: Gate) -> str:
    "The exit code of the command that judged, and the options that change it."
    command = gate.command
    assert command is not None
    code = gate.exit_code(command.strict, command.inconclusive_passes)
    if gate.verdict != "inconclusive": return f"Exit code {code}."
    if code == 3: return "Exit code 3; --inconclusive-passes makes it 0, --strict 1."
    return f"Exit code {code} ({'--strict' if code else '--inconclusive-passes'})."


def data_sentences(gate: Gate) -> list[str]:
    "What a reader has to know of questions, weights and runs."
    said = []
    if gate.identical:
        said.append("baseline and new hold the same outcomes on all "
                    f"{count(gate.rows[0].questions, 'question')}.")
    if gate.alignment is not None and gate.alignment.left_out:
        said.append(f"{open_sentence(describe_alignment(gate.alignment))}.")
    unit = items_clause(gate.read) if any(o.target == "new_questions" for o in gate.rows) else ""
    if unit: said.append(f"{open_sentence(unit)}.")
    if gate.equal_weights:
        said.append(f"weights: {gate.equal_weights} gives all questions the same weight.")
    weighted = next((row.weights for row in gate.rows if row.weights is not None), None)
    if weighted is not None:
        said.append(f"Questions are {weighting_clause(weighted)}. {max_weight_sentence(weighted)}")
    return said


# Methods.

def methods_blocks(gate: Gate) -> list[Block]:
    return [Text(text) for text in [*explain_targets(gate), cite(methods(gate))]]


def explain_targets(gate: Gate) -> list[str]:
    "What the intervals of the rules are about, and why they differ if they do."
    used = list(dict.fromkeys(row.target for row in gate.rows if row.low is not None))
    if not used: return []
    said = ("Same questions: the CI allows for the sampling of answers to these questions. New "
            "questions: also for the sampling of questions, which mostly makes it wider.")
    if len(used) == 1: return [said]
    return [f"{said} A rule is about the same questions where each has at least 2k samples and the "
            "noise of the metric is known, else about new questions."]


def methods(gate: Gate) -> str:
    "Which rules were judged, by which intervals and tests."
    rules = "; ".join(f"{row.rule} ({count(row.questions, 'question')}, {SCOPES[row.target]})"
                      for row in gate.rows)
    weighted = next((row.weights for row in gate.rows if row.weights is not None), None)
    said = [f"Rules: {rules}.",
            "A rule passes if its whole CI lies at or above the limit, fails if all of it lies "
            f"below, and is {word_of('inconclusive')} otherwise.", explain_intervals(gate),
            explain_weights(weighted), explain_several(gate), *map(explain_equals, gate.rows),
            *map(explain_watched, gate.rows)]
    if gate.regression_power: said.append(explain_fisher(gate.regression_power))
    if gate.must_pass: said.append(explain_must_pass(gate.must_pass))
    return " ".join(filter(None, [*said, versions_sentence()]))


def explain_intervals(gate: Gate) -> str:
    "How the intervals were computed."
    found = {describe_method(one) + cite_method(one): None
             for one in (row.interval for row in gate.rows) if one is not None}
    return f"CIs are two-sided: {'; '.join(found)}." if found else ""


def explain_several(gate: Gate) -> str:
    "How several rules with an interval are judged together; empty for one."
    others = sum(row.low is not None for row in gate.rows) - 1
    if gate.primary is None: return ""
    rest = "and so does the other one"
    if others > 1: rest = f"the other {others} at the levels of Holm's correction @{{holm1979}}"
    return ("The gate passes if all rules pass, each at the full level. To fail, "
            f"'{gate.primary}', named first, needs its CI below the limit at the full level, "
            f"{rest}.")


def explain_equals(row: Check) -> str:
    "How often a rule passes and changes its verdict on equal systems."
    if row.equal_passes is None or row.equal_flips is None: return ""
    passes, flips = (f"{100 * chance:.0f} %" for chance in (row.equal_passes, row.equal_flips))
    return (f"{row.metric}: a system equal to the baseline passes in about {passes} of runs, and "
            f"in a rerun gets another verdict in {flips} (normal approximation).")


def explain_watched(row: Check) -> str:
    "What evidence is, and what it promises; empty for a rule that is looked at once."
    if row.watched is None: return ""
    limit = f"{row.limit:g}"
    return (f"Evidence to pass: products of 1 + stake * (difference - limit) / (1 + |limit|) over "
            f"the questions in order of arrival, limit {limit}, averaged over stakes of .1 to .9; "
            f"to fail, the same of the reverse. Either side ever reaches {row.watched.needed:.4g} "
            f"wrongly with a chance of 1/{row.watched.needed:.4g} at most, if questions come in "
            "random order. The CI holds the limits that neither side has refuted at any look.")


def explain_fisher(power: RegressionPower) -> str:
    "How regressions were found."
    return ("Regressions: Fisher's exact test of each question, one-sided; Holm's correction for "
            f"discrete tests (Tarone) over {count(power.questions, 'question')}, family-wise error "
            f"rate at most {power.level:g}.")


def explain_must_pass(found: Sequence[MustPass]) -> str:
    "What right samples say of samples to come."
    said = "Must-pass questions are judged by the samples drawn"
    if any(one.needed < one.samples for one in found): return f"{said}."
    samples = min(one.samples for one in found)
    # With this probability all samples are right in one of twenty runs.
    least = round(100 * .05**(1 / samples))
    return (f"{said}; {samples} of {samples} right show that the probability of a right one is at "
            f"least {least} % (95 % bound).")


# Sentences on rules


# All rules.

def headline(gate: Gate) -> str:
    "The verdict of all rules, or what the only one found."
    if len(gate.rows) == 1:
        row = gate.rows[0]
        return f"{capitals_of(verdict_of(row))}: {finding_of(gate, row)}."
    word = capitals_of(gate.verdict)
    found = [row for row in gate.rows if row.verdict == gate.verdict]
    named = [name_rule(row) for row in found] if len(found) < min(3, len(gate.rows)) else []
    rules = f"{len(found)} of {len(gate.rows)} rules"
    if len(found) == len(gate.rows):
        rules = "both rules" if len(found) == 2 else f"all {len(found)} rules"
    verb = dict(fail=" failed", inconclusive="")
    said = f"{word}: {rules}{verb.get(gate.verdict, ' passed')}"
    said += f" ({'; '.join(named)})" * bool(named)
    rest = sum(row.verdict == "inconclusive" for row in gate.rows)
    said += f", {rest} {word_of('inconclusive')}" * (gate.verdict == "fail" and rest > 0)
    return f"{said}{common_scope(gate)}."


def common_scope(gate: Gate) -> str:
    "Which questions all rules with an interval are about; empty where they differ."
    found = {row.target for row in gate.rows if row.low is not None}
    return f", {SCOPES[found.pop()]}" if len(found) == 1 else ""


def verdicts_on_new(gate: Gate) -> list[str]:
    "What rules that were judged on the same questions say of new ones; nothing without such."
    rows = [row for row in gate.rows if row.for_new_questions is not None]
    if not rows: return []
    return [f"New questions: {'; '.join(other_verdict(row, len(gate.rows) > 1) for row in rows)}."]


def other_verdict(row: Check, named: bool) -> str:
    "The verdict of a rule on new questions, with the interval behind it."
    other = row.for_new_questions
    assert other is not None and row.interval is not None
    ends = write_span(row, other.low, other.high)
    method = f", {name_deciding(other.interval.method.name)}" * row.drop
    rule = f" for {name_rule(row)}" * named
    return f"{word_of(other.verdict)}{rule} ({level(row.interval.level)} CI {ends}{method})"


def name_method(row: Check) -> str:
    "How the interval of a difference is called; empty for other rules."
    if not row.drop or row.method is None: return ""
    unit = "cluster" if row.method.clusters is not None else "question"
    evidence = None if row.method_asked else row.evidence
    return name_deciding(row.method.name, row.test, evidence, unit)


# One rule.

def describe_check(gate: Gate, row: Check) -> str:
    "The verdict on a rule, the numbers behind it, why, and what would decide it."
    return " ".join([f"{capitals_of(verdict_of(row))} {name_rule(row)}.", open_finding(gate, row),
                     *explain_check(gate, row)])


def verdict_of(row: Check) -> str:
    "The verdict on a rule, or to go on where it may be looked at again."
    return "go on" if row.watched and row.verdict == "inconclusive" else row.verdict


def check_beside_table(gate: Gate, row: Check) -> str:
    "The same beside a table of the rules; empty where that says all."
    said = explain_check(gate, row)
    if row.kind == "regressions" or row.kind == "must_pass" and row.verdict == "fail":
        said = [open_finding(gate, row), *said]
    return " ".join([f"{capitals_of(row.verdict)} {name_rule(row)}.", *said]) if said else ""


def open_finding(gate: Gate, row: Check) -> str:
    "What was found as a sentence; a system keeps the first letter of its name."
    said = f"{finding_of(gate, row)}."
    return open_sentence(said) if row.low is None else said


def name_rule(row: Check) -> str:
    "A rule as a reader writes it: `pass@1 drop <= 2 points`, `pass^4 >= 90 %`."
    if row.kind == "regressions": return "no question regresses"
    if row.kind == "must_pass": return "must-pass questions"
    if row.kind == "same": return f"{row.metric} same within {write_limit(row)}"
    return f"{row.metric} {'drop <=' if row.drop else '>='} {write_limit(row)}"


def write_limit(row: Check) -> str:
    "The drop that is allowed, or the least value, as it was asked for."
    share = row.unit == "share"
    number = f"{abs(row.limit) * (100 if share else 1):.10g}"
    if not share: return number
    return f"{number} point{'s' * (number != '1')}" if row.drop else f"{number} %"


def finding_of(gate: Gate, row: Check) -> str:
    "What was found of a rule and what it asks for, without a full stop."
    if row.kind == "must_pass": return required_questions(gate)
    if row.kind == "regressions": return regressions_clause(gate)
    ends = write_ends(row)
    if row.interval: ends = f"{level(row.interval.level)} CI {ends}"
    method = f", {name_method(row)}" * bool(name_method(row))
    told = f"in {row.metric} ({ends}, {SCOPES[row.target]}{method})"
    if not row.drop:
        named = f"{gate.names[0]} has " * bool(gate.names[0])
        return f"{named}{value(row.value, row.unit)} {told}; at least {write_limit(row)} required"
    moved = f"{name_new(gate)} - {name_baseline(gate)} = {difference(row.value, row.unit)} {told}"
    if row.kind == "same": return f"{moved}; margin: {write_limit(row)} either way"
    return f"{moved}; drop allowed: {write_limit(row)}"


def name_new(gate: Gate) -> str:
    "The name of the system judged, or what it is."
    return gate.names[0] or UNNAMED[0]


def name_baseline(gate: Gate) -> str:
    "The name of the baseline, or what it is."
    return next(filter(None, gate.names[1:]), UNNAMED[1])


def write_value(row: Check) -> str:
    "The value of a rule with an interval, in its unit."
    return difference(row.value, row.unit) if row.drop else value(row.value, row.unit)


def write_ends(row: Check) -> str:
    "Both ends of the interval of a rule."
    return write_span(row, row.low, row.high)


def write_span(row: Check, low: float | None, high: float | None) -> str:
    "An interval of a difference, or of a value."
    return (difference_interval if row.drop else interval)(low, high, row.unit)


def explain_check(gate: Gate, row: Check) -> list[str]:
    "Why a rule has its verdict, and what would decide it."
    if row.kind == "must_pass": return []
    if row.kind == "regressions": return explain_regressions(gate, row)
    if row.watched is not None: return [describe_evidence(row.watched)]
    said = [without_assumptions(row)]
    if row.bounds is not None: said.append(describe_stated(row.bounds, row.unit))
    if row.method is not None and row.method.max_weight is not None:
        said.append("The CI is approximate: it assumes no weight above "
                    f"{row.method.max_weight:g}.")
    if row.verdict == "inconclusive": said += explain_inconclusive(gate, row)
    return list(filter(None, said))


def describe_evidence(found: Watched) -> str:
    "How much there is on either side, and whether to look again."
    needed = f"{found.needed:.4g}"
    passed, failed = map(write_evidence, (found.to_pass, found.to_fail))
    said = f"Evidence at its highest: {passed} to pass, {failed} to fail; {needed} settles it"
    if found.settled_after is not None:
        return f"{said}, and did after {count(found.settled_after, 'question')}."
    return f"{said}, whenever one looks. Look again when there are more questions."


def write_evidence(found: float) -> str:
    return "over a million" if found > 1e6 else f"{found:.3g}"


def without_assumptions(row: Check) -> str:
    "What the assumption-free interval says of a rule that t decides; empty without one."
    if row.method_asked and row.method is not None and row_of(row.method.name).fixed:
        return say_none_free(row.method)
    other = row.without_assumptions
    if other is None: return ""
    ends = write_span(row, other.low, other.high)
    if other.verdict == row.verdict:
        return f"Also without assumptions ({ends})." * (row.verdict != "inconclusive")
    units = "clusters" if row.method and row.method.clusters is not None else "questions"
    moves = "losses" if row.value > row.limit else "gains"
    return (f"Without assumptions: {word_of(other.verdict)} ({ends}); t assumes no rare large "
            f"{moves} that these {units} missed.")


def explain_inconclusive(gate: Gate, row: Check) -> list[str]:
    "Why a rule is inconclusive, and what would decide it."
    if row.fails_alone:
        return ["It fails if judged alone, but not with Holm's correction for the other rules."]
    few = "Too few data." * (row.equal_passes is None or row.equal_passes < .5)
    said = [few, power_sentence(gate, row), detectable_drop(row)] * (row.kind == "drop")
    if row.least is not None:
        clusters = row.method.clusters if row.method else None
        units = count(row.questions, "question") if clusters is None else count(clusters, "cluster")
        said.append(f"No outcome of {units} can pass; at least {row.least} are needed.")
    return list(filter(None, [*said, next_step(row.next)]))


def power_sentence(gate: Gate, row: Check) -> str:
    "How often a system equal to the baseline would pass; empty where that is not known."
    if row.equal_passes is None: return ""
    usually = word_of("pass" if row.equal_passes >= .5 else "inconclusive")
    if row.equal_passes < .5: usually = f"be {usually}"
    what = "rule" if len(gate.rows) > 1 else "gate"
    whom = "the baseline" if gate.names == UNNAMED else name_baseline(gate)
    return (f"This {what} has {write_power(row.equal_passes)} power: a candidate equal to {whom} "
            f"would usually {usually}.")


def write_power(share: float) -> str:
    "A share in whole percents, never 0 or 100."
    if share <= .005: return "<1 %"
    return f"{min(round(100 * share), 99)} %"


def detectable_drop(row: Check) -> str:
    "How large a drop such data detect."
    assert row.high is not None
    # The upper end of an interval that is shifted so far lies below 0 in half of the runs.
    reach = row.high - row.value
    size = difference(reach, row.unit, sign=False)
    fewer = f", one of {write_limit(row)} with less" * (reach > -row.limit > 0)
    return f"A drop of {size} is detected with 50 % power{fewer}."


# Single questions: those that regressed, and those that must pass


def required_questions(gate: Gate) -> str:
    "Whether the questions that must pass do, and which ones do not."
    found, share = gate.must_pass, gate.must_pass_share
    rule = "in every sample" if share == 1 else f"in at least {100 * share:g} % of the samples"
    failed = [one for one in found if one.verdict == "fail"]
    whole = count(len(found), "must-pass question")
    if not failed: return f"{whole} {'is' if len(found) == 1 else 'are'} right {rule}"
    named = [f"{name_question(one.question)} ({one.right}/{one.samples})" for one in failed]
    return f"{len(failed)} of {whole} not right {rule}: {join_some(named, QUESTIONS_NAMED)}"


def describe_must_pass(one: MustPass) -> str:
    "How often a question is right, and how often it must be, without a full stop."
    return f"{one.right}/{one.samples} samples are right, {one.needed} are needed"


def question_with_drop(one: QuestionRegression) -> str:
    "A question with its right samples before and now: `question 12 (4/4 to 0/4)`."
    name = name_question(one.question)
    return f"{name} ({one.before}/{one.of_before} to {one.after}/{one.of_after})"


def name_question(name: object) -> str:
    "The name of a question; a number is said to be one."
    text = str(name)
    return f"question {text}" if text.isdigit() else cut_text(text, LONGEST_NAME)


def significant_regressions(gate: Gate) -> list[QuestionRegression]:
    return [one for one in gate.regressions if one.significant]


def regressions_clause(gate: Gate) -> str:
    "Which questions regressed, and how many scored lower, without a full stop."
    found, power = significant_regressions(gate), gate.regression_power
    lower = len(gate.regressions) if power is None or power.lower is None else power.lower
    rest = lower - len(found)
    if found:
        said = (f"{count(len(found), 'question')} regressed: "
                f"{join_some(list(map(question_with_drop, found)), QUESTIONS_NAMED)}")
        return said + f"; {rest:,} more scored lower, none significantly" * (rest > 0)
    if not rest: return "no question scored lower"
    whole = "" if power is None else f" of {count(power.questions, 'question')}"
    none = "the drop is not significant" if rest == 1 else "no single drop is significant"
    return f"{rest:,}{whole} scored lower; {none}"


def regression_power_sentence(power: RegressionPower) -> str:
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
    return [] if row.verdict == "fail" or power is None else [regression_power_sentence(power)]


def question_sentences(gate: Gate) -> list[str]:
    "What is said of single questions beside the rule about them, if there is one."
    if gate.regression_power is None: return []
    said = []
    if not gate.forbids_regressions:
        said.append(f"{open_sentence(regressions_clause(gate))}.")
        if not significant_regressions(gate):
            said.append(regression_power_sentence(gate.regression_power))
    near = [one for one in gate.regressions if not one.significant and one.p <= LARGEST_P_NAMED]
    named = list(map(question_with_drop, near[:3]))
    if near: said.append(f"Largest non-significant: {join(named)}.")
    return [" ".join(said)] * bool(said)


# A rule at length.

def explain_rule(gate: Gate, row: Check) -> str:
    "What was tested, why it came out so, what would change it, and the questions behind it."
    said = [f"{capitals_of(verdict_of(row))} {name_rule(row)}.", claim_sentence(gate, row),
            open_finding(gate, row), place_of_ci(row), *explain_check(gate, row),
            *other_limits(row), *name_behind(gate, row)]
    return " ".join(filter(None, said))


def claim_sentence(gate: Gate, row: Check) -> str:
    "What a rule asks of the truth."
    if row.kind == "must_pass":
        share = f"{100 * gate.must_pass_share:g} % of the samples"
        each = "every sample" if gate.must_pass_share == 1 else f"at least {share}"
        return f"Tested: whether {each} of each must-pass question is right."
    if row.kind == "regressions":
        return "Tested: whether any single question is right less often than in the baseline."
    about = f"on {SCOPES[row.target]}"
    if row.kind == "minimum":
        return f"Tested: whether {row.metric} {about} is truly at least {write_limit(row)}."
    pair = f"{name_new(gate)} - {name_baseline(gate)}"
    if row.kind == "same":
        return (f"Tested: whether {pair} in {row.metric} {about} truly lies within "
                f"{write_limit(row)} of 0.")
    drop = f"-{write_limit(row)}" if row.limit else "0"
    return f"Tested: whether {pair} in {row.metric} {about} is truly at least {drop}."


def place_of_ci(row: Check) -> str:
    "Where the interval lies, from which the verdict follows; empty without one."
    if row.low is None: return ""
    if row.kind == "same":
        where = dict(fail="wholly beyond the margin", inconclusive="across an end of the margin")
        return f"The CI lies {where.get(row.verdict, 'within the margin')}."
    if row.fails_alone: return "The whole CI lies below the limit."
    where = dict(fail="wholly below the limit", inconclusive="on both sides of the limit")
    return f"The CI lies {where.get(row.verdict, 'wholly at or above the limit')}."


def other_limits(row: Check) -> list[str]:
    "Which limit would have given another verdict on the same data."
    if row.low is None or row.high is None: return []
    told = "Choose a limit before looking; these data would"
    if row.kind == "same":
        widest = difference(max(-row.low, row.high), row.unit, sign=False)
        return [f"{told} pass a margin of about {widest} or more."]
    if row.kind == "minimum":
        return [f"{told} pass a minimum up to about {value(row.low, row.unit)}, and fail one above "
                f"{value(row.high, row.unit)}."]
    least = difference(max(0., -row.low), row.unit, sign=False)
    fails = f", and fail one below {difference(-row.high, row.unit, sign=False)}" * (row.high < 0)
    return [f"{told} pass an allowed drop of about {least} or more{fails}."]


def name_behind(gate: Gate, row: Check) -> list[str]:
    "The questions behind a rule about a difference, and those that must pass."
    if row.kind == "minimum" or row.verdict == "pass" or row.kind == "must_pass": return []
    if not gate.regressions or row.kind == "regressions": return []
    named = list(map(question_with_drop, gate.regressions[:5]))
    return [f"Largest drops of questions: {join(named)}."]
