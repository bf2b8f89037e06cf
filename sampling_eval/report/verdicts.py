"""What a gate says of its rules and of single questions."""
from __future__ import annotations

from collections.abc import Sequence

from ..results.verdicts import Check, Gate, MustPass, QuestionRegression, RegressionPower, Verdict
from .advice import describe_next
from .format import (TARGETS, count, count_range, describe_stated, difference, difference_interval,
                     interval, join, level, open_sentence, value)
from .text import cut_text

__all__ = ["WORDS", "SCOPES", "describe_gate", "describe_check", "describe_in_table",
           "explain_check", "name_rule", "name_new", "name_baseline", "write_value", "write_ends",
           "describe_required", "describe_must_pass", "describe_regression", "describe_regressions",
           "explain_regressions", "describe_questions", "explain_rule"]


# Rules


WORDS: dict[Verdict, str] = {"pass": "PASS", "fail": "FAIL", "inconclusive": "INCONCLUSIVE"}
SCOPES = TARGETS | dict(samples="samples drawn")  # What a rule is about
UNNAMED = "new", "baseline"  # Names of systems without one


# All rules.

def describe_gate(gate: Gate) -> str:
    "The verdict of all rules, or what the only one found."
    word = WORDS[gate.verdict]
    if len(gate.rows) == 1: return f"{word}: {describe_finding(gate, gate.rows[0])}."
    found = [row for row in gate.rows if row.verdict == gate.verdict]
    named = [name_rule(row) for row in found] if len(found) < min(3, len(gate.rows)) else []
    rules = f"{len(found)} of {len(gate.rows)} rules"
    if len(found) == len(gate.rows):
        rules = "both rules" if len(found) == 2 else f"all {len(found)} rules"
    verb = dict(fail=" failed", inconclusive="")
    said = f"{word}: {rules}{verb.get(gate.verdict, ' passed')}"
    said += f" ({'; '.join(named)})" * bool(named)
    rest = sum(row.verdict == "inconclusive" for row in gate.rows)
    return said + f", {rest} inconclusive" * (gate.verdict == "fail" and rest > 0) + "."


# One rule.

def describe_check(
    gate: Gate,  # Verdicts on a new system
    row: Check,  # One of its rules
) -> str:  # A few sentences
    "The verdict on a rule, the numbers behind it, why, and what would decide it."
    return " ".join([f"{WORDS[row.verdict]} {name_rule(row)}.", open_finding(gate, row),
                     *explain_check(gate, row)])


def describe_in_table(
    gate: Gate,  # Verdicts on a new system
    row: Check,  # One of its rules
) -> str:  # A few sentences; empty where the table says all
    "The same beside a table of the rules, which has the numbers of those with an interval."
    said = explain_check(gate, row)
    if row.kind == "regressions" or row.kind == "must_pass" and row.verdict == "fail":
        said = [open_finding(gate, row), *said]
    return " ".join([f"{WORDS[row.verdict]} {name_rule(row)}.", *said]) if said else ""


def open_finding(gate: Gate, row: Check) -> str:
    "What was found as a sentence; a system keeps the first letter of its name."
    said = f"{describe_finding(gate, row)}."
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


def describe_finding(gate: Gate, row: Check) -> str:
    "What was found of a rule and what it asks for, without a full stop."
    if row.kind == "must_pass": return describe_required(gate)
    if row.kind == "regressions": return describe_regressions(gate)
    ends = f"{level(row.method.level)} CI {write_ends(row)}" if row.method else write_ends(row)
    told = f"in {row.metric} ({ends}, {SCOPES[row.target]})"
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
    write = difference_interval if row.drop else interval
    return write(row.low, row.high, row.unit)


def explain_check(
    gate: Gate,  # Verdicts on a new system
    row: Check,  # One of its rules
) -> list[str]:  # Sentences
    "Why a rule has its verdict, and what would decide it."
    if row.kind == "must_pass": return []
    if row.kind == "regressions": return explain_regressions(gate, row)
    said = [describe_usual(row), describe_bounds(row), describe_assumed(row)]
    if row.verdict == "inconclusive": said += explain_inconclusive(gate, row)
    return list(filter(None, said))


def describe_usual(row: Check) -> str:
    "What the usual interval says of a rule; empty where it gives the same verdict."
    usual = row.usual
    if usual is None or usual.verdict == row.verdict: return ""
    words = {"pass": "pass", "fail": "fail", "inconclusive": "be inconclusive"}
    write = difference_interval if row.drop else interval
    assumed = "sampling noise close to normal"
    if usual.method == "t":
        units = "clusters" if row.method and row.method.clusters is not None else "questions"
        moves = "losses" if row.value > 0 else "gains"
        assumed = f"no rare large {moves} that these {units} missed"
    return (f"By a {usual.method} interval ({write(usual.low, usual.high, row.unit)}) it would "
            f"{words[usual.verdict]}, assuming {assumed}.")


def describe_bounds(row: Check) -> str:
    "The range that was stated, as the assumption it is; empty without one."
    if row.bounds is None: return ""
    return describe_stated(row.bounds, row.unit)


def describe_assumed(row: Check) -> str:
    "What the interval assumes of weights; empty where it assumes nothing."
    if row.method is None or row.method.max_weight is None: return ""
    return f"The CI is approximate: it assumes no weight above {row.method.max_weight:g}."


def explain_inconclusive(gate: Gate, row: Check) -> list[str]:
    "Why a rule is inconclusive, and what would decide it."
    if row.fails_alone:
        return ["It fails if judged alone, but not with Holm's correction for the other rules."]
    few = "Too few data." * (row.equal_passes is None or row.equal_passes < .5)
    said = [few, describe_power(gate, row), describe_detectable(row)] * (row.kind == "drop")
    if row.least is not None:
        clusters = row.method.clusters if row.method else None
        units = count(row.questions, "question") if clusters is None else count(clusters, "cluster")
        said.append(f"No outcome of {units} can pass; at least {row.least} are needed.")
    return list(filter(None, [*said, describe_next(row.next)]))


def describe_power(gate: Gate, row: Check) -> str:
    "How often a system equal to the baseline would pass; empty where that is not known."
    if row.equal_passes is None: return ""
    usually = "pass" if row.equal_passes >= .5 else "be inconclusive"
    what = "rule" if len(gate.rows) > 1 else "gate"
    whom = "the baseline" if gate.names == UNNAMED else name_baseline(gate)
    return (f"This {what} has {write_power(row.equal_passes)} power: a candidate equal to {whom} "
            f"would usually {usually}.")


def write_power(share: float) -> str:
    "A share in whole percents, never 0 or 100."
    if share < .005: return "<1 %"
    return f"{min(round(100 * share), 99)} %"


def describe_detectable(row: Check) -> str:
    "How large a drop such data detect."
    assert row.high is not None
    # The upper end of an interval that is shifted so far lies below 0 in half of the runs.
    reach = row.high - row.value
    size = difference(reach, row.unit, sign=False)
    fewer = f", one of {write_limit(row)} with less" * (reach > -row.limit > 0)
    return f"A drop of {size} is detected with 50 % power{fewer}."


# Single questions: those that regressed, and those that must pass


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


# A rule at length.

def explain_rule(
    gate: Gate,  # Verdicts on a new system
    row: Check,  # One of its rules
) -> str:  # One paragraph
    "What was tested, why it came out so, what would change it, and the questions behind it."
    said = [f"{WORDS[row.verdict]} {name_rule(row)}.", describe_tested(gate, row),
            open_finding(gate, row), describe_place(row), *explain_check(gate, row),
            *describe_change(row), *name_behind(gate, row)]
    return " ".join(filter(None, said))


def describe_tested(gate: Gate, row: Check) -> str:
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


def describe_place(row: Check) -> str:
    "Where the interval lies, from which the verdict follows; empty without one."
    if row.low is None: return ""
    if row.kind == "same":
        where = dict(fail="wholly beyond the margin", inconclusive="across an end of the margin")
        return f"The CI lies {where.get(row.verdict, 'within the margin')}."
    if row.fails_alone: return "The whole CI lies below the limit."
    where = dict(fail="wholly below the limit", inconclusive="on both sides of the limit")
    return f"The CI lies {where.get(row.verdict, 'wholly at or above the limit')}."


def describe_change(row: Check) -> list[str]:
    "Which limit would have given another verdict on the same data."
    if row.low is None or row.high is None: return []
    told = "Choose a limit before looking; these data would"
    if row.kind == "same":
        widest = max(-row.low, row.high)
        return [f"{told} pass a margin of about {difference(widest, row.unit, sign=False)} or more."]
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
    named = list(map(describe_regression, gate.regressions[:5]))
    return [f"Largest drops of questions: {join(named)}."]
