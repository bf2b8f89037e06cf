"""What a comparison of two systems says."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from ..reporting.families import name_family
from ..reporting.methods import say_metrics, say_versions
from ..results.analysis import Analysis, Sign, judge_interval
from ..results.comparison import Difference, Move, PairwiseComparison
from .advice import describe_advice
from .axis import shorten_names
from .blocks import Block, Fold, Headline, Table, Text, Verdict
from .compare_pictures import draw_difference, draw_result, find_crossings, plot
from .diagnostics import describe as describe_caution
from ..results.interval import Method
from ..results.reading import ReadSummary
from .format import (decimal, describe_alignment, describe_method, difference,
                     difference_interval, join, level, open_sentence, percent, pvalue, ranges,
                     signed, value)
from .reading import describe_read
from .sources import cite
from .weights import describe_weights, explain_weights

__all__ = ["document", "title", "methods", "plot", "TARGETS", "describe_bounds",
           "describe_named_test", "name_analysis", "describe_inputs", "define_intervals"]

TARGETS = dict(questions="new questions", benchmark="same questions")
PLAIN = "gaffke", "gamma"  # Default intervals, which are not named in a headline
LETTERS = 12  # Letters of a name that heads a column
MANY = 16  # Rows that a screen shows
LISTED = 8  # Metrics that are listed one by one


def title(result: PairwiseComparison) -> str: return f"sampling_eval: {result.heading}"


def document(result: PairwiseComparison) -> list[Block]:
    "Who is ahead by how much, the verdict of each target, a picture, the table, and the rest."
    verdict: dict[Sign, Verdict] = dict(better="better", worse="worse", none="",
                                        inconclusive="inconclusive")
    rows = pick_rows(result.rows)
    hidden = len(result.rows) - len(rows)
    more = [f"{hidden} more values of k: --how or a file has them."] * bool(hidden)
    step = [] if result.next is None else [describe_advice(result.next)]
    beside = list_beside(result, rows)
    return [Headline(describe_lead(result), verdict[result.rows[0].verdict]),
            *map(Text, list_verdicts(result)), *map(Text, step), *draw_result(result),
            Text(describe_material(result)), make_table(result, rows),
            Text(explain_table(result), "note"), *map(Text, [*more, *beside]),
            *(Text(describe_caution(one), "caution") for one in result.cautions),
            Fold("All numbers", list_numbers(result)), *draw_difference(result),
            Fold("Questions that differ most", list_moved(result)),
            Fold("Methods", [Text(cite(methods(result)))]),
            *map(note, [*result.notes, *describe_inputs(result.read)])]


def note(text: str) -> Text: return Text(text, "note")


# The answer.

def describe_lead(result: PairwiseComparison) -> str:
    "Who, by how much with its CI, verdict, and where the verdict is another one."
    row = result.rows[0]
    low, high = row.span()
    size = difference(abs(row.difference), row.unit).lstrip("+")
    a, b = result.names
    verb = "leads" if row.difference > 0 else "trails"
    said = f"{b} {verb} {a} by {size} in {row.metric}"
    if not row.difference: said = f"{a} and {b} are equal in {row.metric}"
    if low is None: return f"{said} ({TARGETS[row.target]}): no CI."
    method = "" if row.method in PLAIN else f"{row.method} "
    ends = f"{level(row.confidence_level)} {method}CI {difference_interval(low, high, row.unit)}"
    return f"{said} ({ends}, {TARGETS[row.target]}): {describe_significance(row)}{tell_rest(result)}."


def describe_significance(row: Difference) -> str:
    "The verdict, and whether the usual analysis has another one."
    if row.significance != "usual only": return SIGNIFICANCE[row.significance]
    assert row.usual is not None
    usual = "McNemar's test" if row.usual.low is None else "the normal approximation"
    return f"inconclusive (significant by {usual} only)"


SIGNIFICANCE = {"significant": "significant", "not significant": "inconclusive", "none": "no CI"}


def tell_rest(result: PairwiseComparison) -> str:
    "The metrics whose verdict contradicts that of the first."
    first = result.rows[0].verdict
    others = dict(better=["worse"], worse=["better"], inconclusive=["better", "worse"])
    found = {name: [row for row in result.rows[1:] if row.verdict == name]
             for name in others.get(first, [])}
    said = [f"{name} at {list_metrics(rows, result.rows)}" for name, rows in found.items() if rows]
    significantly = "significantly " * (first == "inconclusive")
    return f"; but {significantly}{' and '.join(said)}" if said else ""


def list_verdicts(result: PairwiseComparison) -> list[str]:
    "The verdict of each target, and that of all budgets simultaneously."
    other = next(name for name in TARGETS if name != result.target)
    said = [describe_verdict(result, result.target)] * (len(result.rows) > 1)
    # What is adjusted for several metrics is adjusted for one target.
    if result.primary: said.append(describe_holm(result))
    else: said.append(describe_verdict(result, other))
    return [*said, *describe_band(result)]


def describe_verdict(result: PairwiseComparison, target: str) -> str:
    "Where B is significantly better or worse by the CIs of a target, and where it is not."
    rows, b = result.rows, result.names[1]
    where = open_sentence(TARGETS[target])
    found: dict[Sign, list[Difference]] = {}
    for row in rows: found.setdefault(judge_interval(*row.span(target)), []).append(row)
    phrases = dict(better="significantly better", worse="significantly worse",
                   inconclusive="inconclusive", none="no CI")
    if len(rows) == 1:
        verdict = judge_interval(*rows[0].span(target))
        if verdict == "none": return f"{where}: no CI."
        ends = difference_interval(*rows[0].span(target), rows[0].unit)
        who = f"{b} is " * (verdict in ("better", "worse"))
        return f"{where}: {who}{phrases[verdict]} ({level(rows[0].confidence_level)} CI {ends})."
    said = [f"{phrases[name]} at {list_metrics(found[name], rows)}"
            for name in phrases if name in found]
    who = f"{b} is " * (min(found) in ("better", "worse"))
    return f"{where}: {who}{'; '.join(said)}."


def list_metrics(rows: Sequence[Difference], every: Sequence[Difference]) -> str:
    "Metrics by name, three neighbours or more as `pass@1 to pass@4`."
    places = {id(row): place for place, row in enumerate(every)}
    runs: list[list[Difference]] = []
    for row in rows:
        before = runs[-1][-1] if runs else None
        follows = (before is not None and places[id(row)] == places[id(before)] + 1
                   and name_family(row.metric) == name_family(before.metric))
        if follows: runs[-1].append(row)
        else: runs.append([row])
    if len(runs) > LISTED:
        return f"{len(rows)} values of k from {rows[0].metric} to {rows[-1].metric}"
    return ", ".join(f"{run[0].metric} to {run[-1].metric}" if len(run) > 2
                     else ", ".join(row.metric for row in run) for run in runs)


def describe_band(result: PairwiseComparison) -> list[str]:
    "What the simultaneous band says; nothing without one."
    curve, b = result.curve, result.names[1]
    if curve is None: return []
    found = dict(better=curve.gains, worse=curve.losses, inconclusive=curve.undecided)
    said = [f"{b} is " * (name != "inconclusive")
            + f"{name} at k = {ranges(k.tolist(), curve.k.tolist())}"
            for name, k in found.items() if len(k)]
    if len(said) > 1 and said[1].startswith(f"{b} is "): said[1] = said[1].removeprefix(f"{b} is ")
    cross = [f"between k = {before} and k = {after}" for before, after in find_crossings(result)]
    more = f" The curves cross {join(cross)}." if cross else ""
    return [f"Simultaneous {level(curve.confidence_level)} band for all {len(curve.k)} values of "
            f"k, new questions: {'; '.join(said)}.{more}"]


def describe_holm(result: PairwiseComparison) -> str:
    "Which of several metrics is judged at the full level, and how the others are."
    others = len(result.rows) - 1
    first = f"{result.primary} is the primary metric ({level(result.confidence_level)})"
    if others == 1: return f"{first}; the other one is judged by itself at the same level."
    return f"{first}; the other {others} have wider CIs: Holm's correction for {others} metrics."


def describe_material(result: PairwiseComparison) -> str:
    "On what the two are compared."
    said = [describe_alignment(result.alignment).removesuffix("."), describe_samples(result),
            describe_weights(result.rows[0].weights)]
    return "; ".join(filter(None, said)) + "."


def describe_samples(result: PairwiseComparison) -> str:
    "Samples per question of both, or of each where they differ."
    a, b = (text.replace("..", " to ") for text in result.samples)
    if a == b: return f"{a} sample{'s' * (a != '1')} each"
    return f"{result.names[0]} with {a} samples each, {result.names[1]} with {b}"


# The table.

def pick_rows(rows: Sequence[Difference]) -> Sequence[Difference]:
    "All rows where they are few; else the first, powers of two, and the last."
    if len(rows) <= MANY: return rows
    last = len(rows) - 1
    return [row for i, row in enumerate(rows)
            if i in (0, last) or row.k is not None and row.k & (row.k - 1) == 0]


def make_table(result: PairwiseComparison, rows: Sequence[Difference]) -> Table:
    "Both values, the difference, and its CI for either target."
    one = "CI" if result.primary else f"{level(result.confidence_level)} CI"
    heads = ["metric", *name_shortly(result), "diff", f"{one} new", f"{one} same", "W/T/L"]
    return Table(heads, [write_row(row) for row in rows])


def name_shortly(result: PairwiseComparison) -> tuple[str, str]:
    "Both names, long ones with their middle left out."
    a, b = shorten_names(result.names, LETTERS)
    return a, b


def write_row(row: Difference) -> list[str]:
    change = signed(row.difference) if row.unit == "score" else write_points(row)
    ends = [mark(row, target) for target in TARGETS]
    return [row.metric, value(row.a, row.unit), value(row.b, row.unit), change, *ends,
            f"{row.wins}/{row.ties}/{row.losses}"]


def write_points(row: Difference) -> str: return difference(row.difference).removesuffix(" points")


def mark(row: Difference, target: str) -> str:
    "The CI of a target, with a star where it excludes 0."
    low, high = row.span(target)
    star = "*" if judge_interval(low, high) in ("better", "worse") else " "
    return difference_interval(low, high, row.unit) + star


def explain_table(result: PairwiseComparison) -> str:
    a, b = name_shortly(result)
    points = " in points" * all(row.unit == "share" for row in result.rows)
    each = "; each k separately" * (result.curve is not None)
    if result.primary: each = f"; {level(result.confidence_level)}, wider for secondary metrics"
    return (f"diff: {b} minus {a}{points}. new, same: CI for new questions, for the same questions"
            f"{each}. *: excludes 0 (significant); the verdict is that of "
            f"{TARGETS[result.target]}. W/T/L: questions on which {b} is ahead, equal, behind.")


# Beside the verdict.

def list_beside(result: PairwiseComparison, rows: Sequence[Difference]) -> list[str]:
    "Other analyses where they disagree, a named test, assumptions, and what is not known."
    first, *others = rows
    return [*(describe_analysis(first, one) for one in list_disputes(first)),
            *group_disputes(others, result.rows), *describe_named_test(rows),
            *describe_bounds(result.rows), *describe_reasons(result),
            *describe_upper_bounds(result, rows)]


def list_disputes(row: Difference) -> list[Analysis]:
    "Analyses that contradict the verdict."
    if row.verdict == "none": return []
    own = row.verdict != "inconclusive"
    return [one for one in (row.usual, row.default)
            if one is not None and one.pvalue is not None and one.significant != own]


def describe_analysis(row: Difference, one: Analysis) -> str:
    "What another analysis says of the first row."
    name = open_sentence(name_analysis(one.method))
    if one.low is None:
        found = "significant" if one.significant else "not significant"
        return f"{name}: {pvalue(one.pvalue)}, {found}{tell_assumption(one)}."
    ends = difference_interval(one.low, one.high, row.unit)
    verb = "excludes" if one.significant else "includes"
    return f"{name} ({ends}, {pvalue(one.pvalue)}) {verb} 0{tell_assumption(one)}."


def tell_assumption(one: Analysis) -> str:
    return f"; it assumes {one.assumes}" if one.assumes and one.significant else ""


def group_disputes(rows: Sequence[Difference], every: Sequence[Difference]) -> list[str]:
    "What another analysis says of further rows, those alike in one sentence."
    found: dict[tuple[str, str, str], list[Difference]] = {}
    for row in rows:
        for one in list_disputes(row):
            verb = "significant" if one.significant else "not significant"
            key = verb, name_analysis(one.method), tell_assumption(one)
            found.setdefault(key, []).append(row)
    return [f"{open_sentence(verb)} by {name} at {list_metrics(own, every)}{assumes}."
            for (verb, name, assumes), own in found.items()]


def name_analysis(method: str) -> str:
    "An analysis as a reader calls it."
    kinds = {"t ": "a t interval", "normal": "a normal interval", "McNemar": "McNemar's exact test",
             "gaffke": "the assumption-free interval"}
    return next((said for start, said in kinds.items() if f"{method} ".startswith(start)),
                "the default interval")


def describe_named_test(
    rows: Sequence[Difference],  # Rows of a comparison
) -> list[str]:  # One sentence for each, none where no test was named
    "A test that was asked for, with its null hypothesis."
    found = [(row.metric, row.named_test) for row in rows if row.named_test is not None]
    return [f"{metric}: {pvalue(one['pvalue'])} ({one['method']}); null hypothesis: {one['null']}."
            for metric, one in found]


def describe_bounds(
    rows: Sequence[Difference],  # Rows of a result
) -> list[str]:  # One sentence, none where no range was stated
    "The range that was stated, as the assumption it is."
    row = next((row for row in rows if row.bounds is not None), None)
    if row is None or row.bounds is None: return []
    ends = difference_interval(*row.bounds, row.unit) + " points" * (row.unit == "share")
    return [f"Assumes that no question moves by more than {ends} (bounds=), which data cannot "
            "verify."]


def describe_reasons(result: PairwiseComparison) -> list[str]:
    "Why there is no standard error, each reason once with its metrics."
    found: dict[str, list[Difference]] = {}
    for row in result.rows: found.setdefault(row.reason, []).append(row)
    return [f"{list_metrics(own, result.rows)}: {reason}."
            for reason, own in found.items() if reason]


def describe_upper_bounds(result: PairwiseComparison, rows: Sequence[Difference]) -> list[str]:
    "Where the interval for the same questions is that for new ones."
    wide = [row for row in rows if row.again_interval and row.again_interval.upper_bound]
    if not wide: return []
    return [f"{list_metrics(wide, result.rows)}: sampling noise within questions is unknown, so "
            "the CI for the same questions is that for new ones, an upper bound."]


# Folded.

def list_numbers(result: PairwiseComparison) -> list[Block]:
    "Every row with its p value, both analyses, and the band."
    a, b = name_shortly(result)
    columns = {"metric": [row.metric for row in result.rows],
               "diff": [difference(row.difference, row.unit) for row in result.rows],
               "standard error": [decimal(row.stderr) for row in result.rows]}
    for target, name in TARGETS.items():
        columns[f"CI, {name}"] = [mark(row, target) for row in result.rows]
    if result.curve is not None:
        ends = zip(result.rows, result.curve.low.tolist(), result.curve.high.tolist(), strict=True)
        columns["simultaneous"] = [difference_interval(*edges, row.unit) for row, *edges in ends]
    columns["p"] = [pvalue(row.p, equals=False) for row in result.rows]
    if any(row.chance is not None for row in result.rows):
        columns[f"P({b} > {a})"] = [percent(row.chance) for row in result.rows]
    table = Table(list(columns), list(map(list, zip(*columns.values(), strict=True))))
    return [table, *map(note, explain_numbers(result))]


def explain_numbers(result: PairwiseComparison) -> list[str]:
    "What p and the probability of a lead are."
    a, b = name_shortly(result)
    alpha = f"{1 - result.confidence_level:.2g}"
    tests = dict.fromkeys((row.null, row.test) for row in result.rows if row.p is not None)
    said = [f"p: inverts the CI ({test}), so it is at most {alpha} where that excludes 0; null "
            f"hypothesis: {null}." for null, test in tests]
    if (least := result.rows[0].smallest) and least > .05:
        said.append(f"The smallest p value that these data can reach is {decimal(least)}.")
    if any(row.chance is not None for row in result.rows):
        said.append(f"P({b} > {a}): posterior probability that {b} is better on new questions, "
                    "from a Bayesian bootstrap with one unseen question against whoever leads.")
    return said


def list_moved(result: PairwiseComparison) -> list[Block]:
    "The questions that differ most in each metric, by their right samples where these are known."
    tries = count_tries(result)
    return [table for metric, moves in result.moved.items()
            for table in list_moves(result, metric, moves, tries)]


def count_tries(result: PairwiseComparison) -> dict[object, tuple[str, str]]:
    "Right samples of all samples of each question on either side; empty where not known."
    columns = result.questions
    if not {"c A", "c B"} <= set(columns): return {}
    sides = [[f"{c:g} of {n}" for c, n in zip(columns[f"c {side}"], columns[f"n {side}"])]
             for side in "AB"]
    return dict(zip(columns["question"].tolist(), zip(*sides), strict=True))


def list_moves(
    result: PairwiseComparison, metric: str, moves: Sequence[Move],
    tries: Mapping[object, tuple[str, str]],
) -> list[Block]:
    if not moves: return [Text(f"No question differs in {metric}.")]
    unit, rows = result[metric].unit, []
    for move in moves:
        both = value(move.a, unit), value(move.b, unit)
        if unit == "share": both = tries.get(move.question, both)
        rows.append([str(move.question), *both, difference(move.difference, unit)])
    return [Table(["question", *name_shortly(result), "diff"], rows, metric)]


# What was read, and methods.

def describe_inputs(
    read: Mapping[str, ReadSummary],  # What was read, by system; one without a name for all
) -> list[str]:  # Sentences, none where nothing is known
    "What was read."
    if not read: return []
    return [open_sentence(describe_read(read[""] if set(read) == {""} else read))]


def methods(result: PairwiseComparison) -> str:
    "What was compared, on which questions, by which intervals and tests."
    rows, (a, b) = result.rows, result.names
    at_least = " or wider" * bool(result.primary)
    said = [f"{b} was compared with {a}: {describe_material(result)[0].lower()}"
            f"{describe_material(result)[1:]} Differences are paired by question @{{miller2024}}.",
            say_metrics(rows), explain_weights(rows[0].weights),
            *define_intervals([row.interval for row in rows], "new questions", at_least),
            *define_intervals([row.again_interval for row in rows], "the same questions", at_least)]
    if result.primary: said.append(f"{describe_holm(result)} P values are not adjusted.")
    said.append(define_tests(result))
    if result.curve is not None:
        said.append(f"Simultaneous {level(result.confidence_level)} band: {result.curve.method}.")
    return " ".join(filter(None, [*said, say_versions()]))


def define_intervals(
    found: Iterable[Method | None],  # How intervals were computed
    whom: str,  # What they are for
    at_least: str = "",  # Words after the level
) -> list[str]:  # One sentence; none without an interval
    "How the intervals for a target were computed, with sources."
    known = [one for one in found if one is not None]
    if not known: return []
    said = dict.fromkeys(describe_method(one, named_level=False) + cite_method(one)
                         for one in known)
    return [f"Two-sided {level(known[0].level)}{at_least} CIs for {whom}: {' or '.join(said)}."]


def cite_method(method: Method) -> str:
    "Marks of the sources of an interval."
    sources = dict(gaffke=" @{gaffke2005} @{vlassis2026}", gamma=" @{fay1997}",
                   **{"clopper-pearson": " @{clopper1934}"})
    return sources.get(method.name, "") + sources.get(method.same_as, "")


def define_tests(result: PairwiseComparison) -> str:
    "The tests of the rows, each once."
    tests = list(dict.fromkeys(row.test for row in result.rows if row.p is not None))
    if not tests: return ""
    source = " @{mcnemar1947}" * any("McNemar" in test for test in tests)
    null = join(list(dict.fromkeys(row.null for row in result.rows if row.null)))
    several = "; p values are not adjusted for several budgets" * (len(result.rows) > 1)
    return f"Two-sided tests of {null}: {' or '.join(tests)}{source}{several}."
