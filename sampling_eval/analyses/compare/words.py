"""What a comparison of two systems says, and draws; `ranking_words` takes parts of it.

The headline is that of the first row; `without_assumptions` says what holds without assumptions.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...spelling import name_option
from ...inference.intervals import ASSUMPTION_FREE, FREE, Interval, row_of
from ...render.blocks import (
    Block, Curves, Fold, Headline, Intervals, Later, Line, Series, Stretch, Table, Text)
from ...render.citations import cite
from ...render.drawing import shorten_names
from ...render.format import (TARGET_WORDS, count, count_range, decimal, describe_alignment,
                              describe_ci, describe_stated, difference, difference_interval,
                              interval, join, level, open_sentence, percent, pvalue, ranges,
                              split_runs, value)
from ...render.plot import open_axes, plot_curves, plot_difference, plot_forest, write_title
from ...render.verdicts import (
    SIGNIFICANTLY, WITHIN_MARGIN, significance_of, significantly, word_of)
from ...results.base import Unit
from ...results.reading import ReadSummary
from ...results.rows import name_family
from ...results.verdict import Badge, Sign
from ..phrases.added import hear
from ..phrases.advice import describe_advice, describe_caution
from ..phrases.deciding import (
    cite_method, describe_method, lacking_evidence, name_deciding, say_none_free)
from ..phrases.metrics import define_metrics
from ..phrases.questions import open_questions, side_blocks
from ..phrases.reading import (
    are_shares, define_missing, describe_read, items_clause, made_on, versions_sentence)
from ..phrases.weights import explain_weights, weighting_clause
from .result import Difference, Move, Pair, PairwiseComparison, SystemCurve

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["document", "page", "title", "methods", "plot", "inputs_sentence", "further_sentences",
           "name_metrics", "is_mixed", "named_test_result", "stated_range", "define_intervals",
           "define_tests", "draw_systems"]

LETTERS_IN_HEAD = 12  # Letters of a name that heads a column
MOST_ROWS_SHOWN = 16  # Rows that a screen shows


def title(result: PairwiseComparison) -> str: return f"sampling_eval: {result.heading}"


def document(result: PairwiseComparison) -> list[Block]:
    "Who is ahead by how much, the verdict of each target, a picture, the table, and the rest."
    rows = pick_rows(result.rows)
    hidden = len(result.rows) - len(rows)
    more = [f"{hidden} more values of k: --how or a file has them."] * bool(hidden)
    step = [] if result.next is None else [describe_advice(result.next)]
    beside = further_sentences(result.rows, rows)
    return [Headline(headline(result), badge_of(result.rows[0])),
            *map(Text, [*without_assumptions(result.rows[0]), *verdict_sentences(result),
                        *margin_verdict(result)]),
            *map(Text, [*hear(result, "sentences", result.names), *step]),
            *draw_result(result),
            Text(f"{open_sentence(material_clauses(result))}."), make_table(result, rows),
            Text(explain_table(result), "note"), *map(Text, [*more, *beside]),
            *(Text(describe_caution(one), "caution") for one in result.cautions),
            Fold("All numbers", Later(number_blocks, result)),
            Fold("Questions that differ most", Later(moved_tables, result)),
            Fold("Methods", Later(methods_blocks, result)),
            *map(note, [*result.notes, *inputs_sentence(result.read)])]


def page(result: PairwiseComparison) -> list[Block]:
    "The same with every question, and the day, with which other forms would change."
    each = side_blocks(result.questions, dict(zip("AB", result.names)))
    return [*open_questions(document(result), each), note(f"Made on {made_on()}.")]


def note(text: str) -> Text: return Text(text, "note")


def badge_of(row: Difference) -> Badge: return "" if row.verdict == "none" else row.verdict


# The answer.

def headline(result: PairwiseComparison) -> str:
    "Who, by how much with its CI, verdict, and where the verdict is another one."
    row = result.rows[0]
    low, high = row.span()
    size = difference(abs(row.difference), row.unit, sign=False)
    a, b = result.names
    verb = "leads" if row.difference > 0 else "trails"
    said = f"{b} {verb} {a} by {size} in {row.metric}"
    if not row.difference: said = f"{a} and {b} are equal in {row.metric}"
    if low is None: return f"{said} ({TARGET_WORDS[row.target]}): {word_of('none')}."
    ends = describe_ci(low, high, row.confidence_level, TARGET_WORDS[row.target], name_method(row),
                       unit=row.unit, change=True)
    return f"{said} ({ends}): {significance_of(row.verdict)}{contradicting_metrics(result)}."


def name_method(row: Difference) -> str:
    "How the interval that decides is called, and why it is not t."
    evidence = None if row.method_asked else row.evidence
    return name_deciding(row.method, row.test, evidence, name_unit(row))


def without_assumptions(row: Difference) -> list[str]:
    "What the assumption-free interval says beside t; nothing where it decides."
    method = row_of(row.method)
    found = row.about()
    if method.fixed and row.method_asked and found: return [say_none_free(found.method)]
    if not method.needs_spread or row.target != "new_questions": return []
    one = row.without_assumptions
    if one is None:
        asked = name_option("scale")
        return [] if row.method_asked else [f"No assumption-free CI: {asked} is not stated."]
    ends = difference_interval(one.low, one.high, row.unit)
    if row.weights is not None and not row.weights.largest_weight_declared:
        ends += f", if no weight is above {row.weights.largest_weight:g}"
    if one.verdict == row.verdict:
        return [f"Also without assumptions ({ends})."] if one.verdict != "inconclusive" else []
    said = f"Without assumptions: {significance_of(one.verdict)} ({ends})"
    if one.verdict != "inconclusive": return [f"{said}."]
    return [f"{said}; t assumes no rare large {name_moves(row)} that these {name_unit(row)}s "
            "missed."]


def name_unit(row: Difference) -> str:
    return "cluster" if row.interval and row.interval.method.clusters else "question"


def name_moves(row: Difference) -> str: return "losses" if row.difference > 0 else "gains"


def contradicting_metrics(result: PairwiseComparison) -> str:
    "The metrics whose verdict contradicts that of the first."
    first = result.rows[0].verdict
    others = dict(better=["worse"], worse=["better"], inconclusive=["better", "worse"])
    found = {name: [row for row in result.rows[1:] if row.verdict == name]
             for name in others.get(first, [])}
    said = [f"{word_of(name)} at {name_metrics(rows, result.rows)}"
            for name, rows in found.items() if rows]
    adverb = f"{SIGNIFICANTLY} " * (first == "inconclusive")
    return f"; but {adverb}{' and '.join(said)}" if said else ""


def verdict_sentences(result: PairwiseComparison) -> list[str]:
    "The verdict of each target, and that of all budgets simultaneously."
    other = next(name for name in TARGET_WORDS if name != result.target)
    said = [verdict_on(result, result.target)] * (len(result.rows) > 1)
    # What is adjusted for several metrics is adjusted for one target.
    if result.primary: said.append(holm_sentence(result))
    else: said.append(verdict_on(result, other))
    return [*said, *band_verdict(result)]


BETTER_FIRST: tuple[Sign, ...] = "better", "worse", "inconclusive", "none"


def verdict_on(result: PairwiseComparison, target: str) -> str:
    "Where B is significantly better or worse by the CIs of a target, and where it is not."
    rows, b = result.rows, result.names[1]
    where = open_sentence(TARGET_WORDS[target])
    verdicts = result.verdict(target)
    found: dict[Sign, list[Difference]] = {}
    for row in rows: found.setdefault(verdicts[row.metric], []).append(row)
    if len(rows) == 1:
        verdict = verdicts[rows[0].metric]
        if verdict == "none": return f"{where}: {word_of('none')}."
        ends = describe_ci(*rows[0].span(target), rows[0].confidence_level, unit=rows[0].unit,
                           change=True)
        who = f"{b} is " * (verdict in ("better", "worse"))
        return f"{where}: {who}{significantly(verdict)} ({ends})."
    # What is better or worse comes first.
    said = [f"{significantly(name)} at {name_metrics(found[name], rows)}"
            for name in BETTER_FIRST if name in found]
    who = f"{b} is " * bool({"better", "worse"} & found.keys())
    return f"{where}: {who}{'; '.join(said)}."


def margin_verdict(result: PairwiseComparison) -> list[str]:
    "Whether the two are the same within the margin; nothing where none was named."
    found = result.same_within
    if found is None: return []
    margin = difference(found.margin, found.unit, sign=False)
    head = f"Same within {margin} in {found.metric}, {TARGET_WORDS[found.target]}"
    if found.low is None: return [f"{head}: {word_of('none')}."]
    ends = describe_ci(found.low, found.high, found.confidence_level, unit=found.unit, change=True)
    said = WITHIN_MARGIN[found.verdict].format(*result.names)
    return [f"{head}: {said} ({ends})."]


def band_verdict(result: PairwiseComparison) -> list[str]:
    "What the simultaneous band says; nothing without one."
    curve, b = result.curve, result.names[1]
    if curve is None: return []
    found = dict(better=curve.gains, worse=curve.losses, inconclusive=curve.inconclusive)
    said = [f"{word_of(name)} at k = {ranges(k.tolist(), curve.k.tolist())}"
            for name, k in found.items() if len(k)]
    who = f"{b} is " * bool(len(curve.gains) or len(curve.losses))
    cross = [f"between k = {before} and k = {after}" for before, after in curve_crossings(result)]
    more = f" The curves cross {join(cross)}." if cross else ""
    return [f"Simultaneous {level(curve.confidence_level)} band for all {len(curve.k)} values of "
            f"k, new questions: {who}{'; '.join(said)}.{more}"]


def holm_sentence(result: PairwiseComparison) -> str:
    "Which of several metrics is judged at the full level, and how the others are."
    others = len(result.rows) - 1
    first = f"{result.primary} is the primary metric ({level(result.confidence_level)})"
    if others == 1: return f"{first}; the other one is judged by itself at the same level."
    return f"{first}; the other {others} have wider CIs: Holm's correction for {others} metrics."


def material_clauses(result: PairwiseComparison) -> str:
    "On what the two are compared, as clauses."
    sampled = "" if are_shares(result.read) else samples_of_both(result)
    said = [describe_alignment(result.alignment), sampled,
            weighting_clause(result.rows[0].weights), items_clause(result.read)]
    return "; ".join(filter(None, said))


def samples_of_both(result: PairwiseComparison) -> str:
    "Samples per question of both, or of each where they differ."
    a, b = result.samples
    if a == b: return f"{count_range(*a, 'sample')} each"
    return (f"{result.names[0]} with {count_range(*a, 'sample')} each, {result.names[1]} with "
            f"{count_range(*b)}")


# The table.

def pick_rows(rows: Sequence[Difference]) -> Sequence[Difference]:
    "All rows where they are few; else the first, powers of two, and the last."
    if len(rows) <= MOST_ROWS_SHOWN: return rows
    last = len(rows) - 1
    return [row for i, row in enumerate(rows)
            if i in (0, last) or row.k is not None and row.k & (row.k - 1) == 0]


def make_table(result: PairwiseComparison, rows: Sequence[Difference]) -> Table:
    "Both values, the difference, and its CI for either target."
    one = "CI" if result.primary else f"{level(result.confidence_level)} CI"
    heads = ["metric", *name_shortly(result), "diff", f"{one} new", f"{one} same", "W/T/L"]
    new, same = (mark_ends(result, rows, target) for target in TARGET_WORDS)
    letters = mark_free(rows)
    return Table(heads, [write_row(*row) for row in zip(rows, new, letters, same, strict=True)])


def name_shortly(result: PairwiseComparison) -> tuple[str, str]:
    "Both names, long ones with their middle left out."
    a, b = shorten_names(result.names, LETTERS_IN_HEAD)
    return a, b


def write_row(row: Difference, new: str, letter: str, same: str) -> list[str]:
    change = difference(row.difference, row.unit, named=False)
    return [row.metric, value(row.a, row.unit), value(row.b, row.unit), change, new + letter, same,
            f"{row.wins}/{row.ties}/{row.losses}"]


def mark_ends(result: PairwiseComparison, rows: Sequence[Difference], target: str) -> list[str]:
    "The CI of each row for a target, with a star where it excludes 0."
    verdicts = result.verdict(target)
    stars = ["*" if verdicts[row.metric] in ("better", "worse") else " " for row in rows]
    return [difference_interval(*row.span(target), row.unit) + star
            for row, star in zip(rows, stars, strict=True)]


LETTER = "a"  # Mark of a CI without assumptions beside others that are t


def mark_free(rows: Sequence[Difference]) -> list[str]:
    "A letter for each row without assumptions where others are t; empty where all are of one kind."
    found = [row.new_method for row in rows]
    if not is_mixed(found): return [""] * len(rows)
    return [LETTER if method == FREE else " " for method in found]


def is_mixed(methods: Sequence[str]) -> bool:
    "Whether some intervals are t and others without assumptions."
    return FREE in methods and len({*methods} - {""}) > 1


def explain_table(result: PairwiseComparison) -> str:
    a, b = name_shortly(result)
    points = " in points" * all(row.unit == "share" for row in result.rows)
    each = "; each k separately" * (result.curve is not None)
    if result.primary: each = f"; {level(result.confidence_level)}, wider for secondary metrics"
    whose = "the " * (result.target == "same_questions") + TARGET_WORDS[result.target]
    weights = result.rows[0].weights
    most = None if weights is None else weights.assumed_largest_weight
    assumed = "" if most is None else f" (approximate: assumes no weight above {most:g})"
    return (f"diff: {b} minus {a}{points}. new, same: CI for new questions{assumed}, for the same "
            f"questions{each}. *: excludes 0 ({word_of('significant')}); the verdict is that of "
            f"{whose}. {explain_methods(result.rows)}{explain_noise(result)}"
            f"W/T/L: questions on which {b} is ahead, equal, behind.")


def explain_noise(result: PairwiseComparison) -> str:
    "Why intervals of the same questions grow at some k; empty where all are of one kind."
    fewest = min(few for few, _ in result.samples)
    known = [row.k is None or 2 * row.k <= fewest for row in result.rows]
    if all(known) or not any(known): return ""
    first = result.rows[known.index(False)]
    return (f"Same: from {first.metric} on n < 2k, and the noise is that of redrawn samples, which "
            "is wider. ")


def explain_methods(rows: Sequence[Difference]) -> str:
    "Why some intervals are not t; empty where all are of one kind."
    methods = [row.new_method for row in rows]
    if not is_mixed(methods): return ""
    row = rows[methods.index(FREE)]
    assert row.evidence is not None
    return (f"New: t intervals; {LETTER}: {ASSUMPTION_FREE}, too little stands behind t "
            f"({lacking_evidence(row.evidence, name_unit(row))} in {row.metric}). ")


# Folded.

def number_blocks(result: PairwiseComparison) -> list[Block]:
    "The picture, every row with its p value, and the band."
    a, b = name_shortly(result)
    columns = {"metric": [row.metric for row in result.rows],
               "diff": [difference(row.difference, row.unit) for row in result.rows],
               "standard error": [decimal(row.stderr) for row in result.rows]}
    for target, name in TARGET_WORDS.items():
        columns[f"CI, {name}"] = mark_ends(result, result.rows, target)
    if result.curve is not None:
        ends = zip(result.curve.low.tolist(), result.curve.high.tolist(), strict=True)
        columns["simultaneous"] = [difference_interval(low, high, result.rows[0].unit)
                                   for low, high in ends]
    columns["p"] = [pvalue(row.p, equals=False, alpha=1 - row.confidence_level)
                    for row in result.rows]
    if any(row.chance is not None for row in result.rows):
        columns[f"P({b} > {a})"] = [percent(row.chance) for row in result.rows]
    table = Table(list(columns), list(map(list, zip(*columns.values(), strict=True))))
    return [*draw_difference(result), table, *map(note, explain_numbers(result))]


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


def moved_tables(result: PairwiseComparison) -> list[Block]:
    "The questions that differ most in each metric, by their right samples where these are known."
    tries = count_tries(result)
    return [table for metric, moves in result.moved.items()
            for table in moves_table(result, metric, moves, tries)]


def count_tries(result: PairwiseComparison) -> dict[object, tuple[str, str]]:
    "Right samples of all samples of each question on either side; empty where not known."
    columns = result.questions
    if not {"c A", "c B"} <= set(columns): return {}
    sides = [[f"{c:g} of {n}" for c, n in zip(columns[f"c {side}"], columns[f"n {side}"])]
             for side in "AB"]
    return dict(zip(columns["question"].tolist(), zip(*sides), strict=True))


def moves_table(
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

def inputs_sentence(read: Mapping[str, ReadSummary]) -> list[str]:
    "What was read, in a sentence; none where nothing is known."
    return [open_sentence(describe_read(read))] if read else []


def methods_blocks(result: PairwiseComparison) -> list[Block]:
    return [Text(cite(methods(result)))]


def methods(result: PairwiseComparison) -> str:
    "What was compared, on which questions, by which intervals and tests."
    rows, (a, b) = result.rows, result.names
    at_least = " or wider" * bool(result.primary)
    said = [f"{b} was compared with {a}: {material_clauses(result)}. "
            f"Differences are paired by question @{{miller2024}}.",
            define_missing([one.missing for one in result.read.values() if one.missing]),
            define_metrics((row.metric, row.k, row.estimator) for row in rows),
            explain_weights(rows[0].weights),
            *define_intervals([row.interval for row in rows], "new questions", at_least),
            *define_intervals([row.again for row in rows], "the same questions", at_least)]
    if result.primary: said.append(f"{holm_sentence(result)}")
    said.append(define_tests(rows))
    if result.curve is not None:
        said.append(f"Simultaneous {level(result.confidence_level)} band: {result.curve.method}.")
    return " ".join(filter(None, [*said, versions_sentence()]))


# What other analyses say of a difference, what they assume, and how intervals were computed.


METRICS_LISTED = 8  # Metrics that are listed one by one


def further_sentences(
    every: Sequence[Difference],  # Rows of a comparison
    rows: Sequence[Difference],  # Those that are shown
) -> list[str]:  # Sentences
    "What else holds without assumptions, a named test, assumptions, and what is not known."
    return [*compare_without(rows[1:], every), *named_test_result(rows),
            *stated_range(every), *why_no_stderr(every),
            *upper_bound_sentence(rows, every)]


def compare_without(rows: Sequence[Difference], every: Sequence[Difference]) -> list[str]:
    "Further rows with another verdict without assumptions, those alike in one sentence."
    found: dict[Sign, list[Difference]] = {}
    for row in rows:
        one = row.without_assumptions
        if one is not None and one.verdict != row.verdict:
            found.setdefault(one.verdict, []).append(row)
    return [f"Without assumptions: {significance_of(verdict)} at {name_metrics(own, every)}."
            for verdict, own in found.items()]


def named_test_result(rows: Sequence[Difference | Pair]) -> list[str]:
    "A test that was asked for, with its null hypothesis, and the p value of each row."
    found: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.named_test is None: continue
        key = row.named_test["method"], row.named_test["null"]
        said = pvalue(row.named_test["pvalue"]) + f" at {name_row(row)}" * (len(rows) > 1)
        found.setdefault(key, []).append(said)
    return [f"Test asked for ({method}): {', '.join(said)}; null hypothesis: {null}."
            for (method, null), said in found.items()]


def name_row(row: Difference | Pair) -> str:
    return f"{row.metric}, {row.first} - {row.second}" if isinstance(row, Pair) else row.metric


def stated_range(rows: Sequence[Difference | Pair]) -> list[str]:
    "The range that was stated, as the assumption it is; nothing without one."
    row = next((row for row in rows if row.bounds is not None), None)
    if row is None or row.bounds is None: return []
    return [describe_stated(row.bounds, row.unit)]


def why_no_stderr(every: Sequence[Difference]) -> list[str]:
    "Why there is no standard error, each reason once with its metrics."
    found: dict[str, list[Difference]] = {}
    for row in every: found.setdefault(row.reason, []).append(row)
    return [f"{name_metrics(own, every)}: {reason}."
            for reason, own in found.items() if reason]


def upper_bound_sentence(rows: Sequence[Difference], every: Sequence[Difference]) -> list[str]:
    "Where the interval for the same questions is that for new ones."
    wide = [row for row in rows if row.again and row.again.method.upper_bound]
    if not wide: return []
    return [f"{name_metrics(wide, every)}: sampling noise within questions is unknown, so "
            "the CI for the same questions is that for new ones, an upper bound."]


def name_metrics(
    rows: Sequence[Difference],  # Some rows of a comparison, in order
    every: Sequence[Difference],  # All of them
) -> str:
    "Metrics by name, three neighbours or more as `pass@1 to pass@4`."
    places = {id(row): place for place, row in enumerate(every)}
    runs = split_runs(rows, lambda row, after: places[id(after)] == places[id(row)] + 1
                      and name_family(after.metric) == name_family(row.metric))
    if len(runs) > METRICS_LISTED:
        return f"{len(rows)} values of k from {rows[0].metric} to {rows[-1].metric}"
    return ", ".join(f"{run[0].metric} to {run[-1].metric}" if len(run) > 2
                     else ", ".join(row.metric for row in run) for run in runs)


# Methods.

def define_intervals(
    found: Iterable[Interval | None],  # Intervals
    whom: str,  # What they are for
    at_least: str = "",  # Words after the level
) -> list[str]:  # One sentence; none without an interval
    "How the intervals for a target were computed, with sources."
    known = [one for one in found if one is not None]
    if not known: return []
    said = dict.fromkeys(describe_method(one, named_level=False) + cite_method(one)
                         for one in known)
    return [f"Two-sided {level(known[0].level)}{at_least} CIs for {whom}: {' or '.join(said)}."]


def define_tests(rows: Sequence[Difference]) -> str:
    "The tests of the rows, each once; empty without a test."
    tests = list(dict.fromkeys(row.test for row in rows if row.p is not None))
    if not tests: return ""
    source = " @{mcnemar1947}" * any("McNemar" in test for test in tests)
    null = join(list(dict.fromkeys(row.null for row in rows if row.null)))
    many = "budgets" if name_family(rows[0].metric) == name_family(rows[-1].metric) else "metrics"
    several = f"; p values are not adjusted for several {many}" * (len(rows) > 1)
    return f"Two-sided tests of {null}: {' or '.join(tests)}{source}{several}."


# Pictures


def draw_systems(
    sides: Sequence[SystemCurve],  # Systems over the same budgets
    metric: str,  # Name of the metric at one of them
    unit: Unit,  # Of the metric
    caption: str,  # What is compared, on how many questions
    confidence_level: float,  # Level of the intervals
    found: Sequence[Stretch] = (),  # Where one of two is significantly above the other
) -> Curves:
    "Systems over the budgets with their intervals."
    label = name_family(metric)
    return Curves([make_series(side, unit) for side in sides],
                  f"{label} of {count(len(sides), 'system')} over k with intervals", caption, label,
                  found, confidence_level)


def make_series(side: SystemCurve, unit: Unit) -> Series:
    "A system over the budgets, each point in words."
    points = zip(side.k, side.estimate, side.low, side.high)
    said = [f"{side.name}, k = {k}: {value(mean, unit)} ({interval(low, high, unit)})"
            for k, mean, low, high in points]
    return Series(side.name, "", [k or 0 for k in side.k], side.estimate, side.low, side.high, said)


def significant_ranges(result: PairwiseComparison) -> list[Stretch]:
    "Runs of neighbouring budgets at which the band is on one side of zero."
    curve = result.curve
    if curve is None: return []
    sides = np.where(curve.low > 0, 1, np.where(curve.high < 0, 0, -1))
    starts = np.flatnonzero(np.diff(sides)) + 1
    runs = zip(np.split(curve.k, starts), np.split(sides, starts))
    return [Stretch(k.tolist(), int(side[0])) for k, side in runs if side[0] >= 0]


def curve_crossings(result: PairwiseComparison) -> list[tuple[int, int]]:
    "The last budget before each crossing of the band, and the first one after it."
    return Curves([], "", stretches=significant_ranges(result)).crossings


def draw_curves(result: PairwiseComparison) -> Curves | None:
    "Both systems over the budgets, with the ranges of the band; None at one budget."
    if result.curve is None or result.sides is None: return None
    row = result.rows[0]
    return draw_systems(result.sides, row.metric, row.unit, caption(result),
                        result.confidence_level, significant_ranges(result))


def caption(result: PairwiseComparison) -> str:
    return f"{result.heading} ({count(result.rows[0].questions, 'question')})"


def draw_result(result: PairwiseComparison) -> list[Block]:
    "The curves of both systems where values are shares of 1, else the differences."
    curves = draw_curves(result)
    if curves is None: return draw_intervals(result)
    return [curves] if all(0 <= one <= 1 for one in curves.values) else []


def draw_intervals(result: PairwiseComparison) -> list[Block]:
    "The difference in each metric against 0; scores of different scales on lines of their own."
    known = [row for row in result.rows if row.span()[0] is not None]
    shares = [row for row in known if row.unit == "share"]
    groups = [shares] * bool(shares) + [[row] for row in known if row.unit == "score"]
    a, b = result.names
    return [Intervals([make_line(row) for row in rows], f"{b} minus {a} with intervals",
                      zero="no difference") for rows in groups]


def make_line(row: Difference) -> Line:
    ends = describe_ci(*row.span(), row.confidence_level, unit=row.unit, change=True)
    return Line(row.metric, difference(row.difference, row.unit), row.difference, *row.span(), ends,
                verdict=badge_of(row))


def draw_difference(result: PairwiseComparison) -> list[Block]:
    "B minus A over the budgets against 0; nothing at one budget."
    if result.curve is None: return []
    (a, b), rows, unit = result.names, result.rows, result.rows[0].unit
    low, high = zip(*(row.span() for row in rows))
    said = [f"k = {row.k}: {difference(row.difference, unit)} "
            f"({difference_interval(*row.span(), unit)})" for row in rows]
    series = Series(f"{b} minus {a}", "", [row.k or 0 for row in rows],
                    [row.difference for row in rows], low, high, said)
    label = name_family(rows[0].metric)
    chart = Curves([series], f"{label}: {b} minus {a} over k with intervals", label=label,
                   level=result.confidence_level, zero="no difference", points=unit == "share")
    return [chart]


def plot(
    result: PairwiseComparison, what: str = "curves", *, ax: Axes | None = None,
    size: str | float | None = None,
) -> Axes:
    "The curves of both systems, or their difference, which is all there is at one budget."
    if what not in ("curves", "difference"):
        raise ValueError(f"what must be 'curves' or 'difference', got {what!r}")
    curves = draw_curves(result) if what == "curves" else None
    if curves is not None: return plot_curves(curves, ax=ax, size=size)
    lines, rows = (0, len(result.rows)) if result.curve is None else (4, 0)
    with open_axes(ax, size, lines, rows) as ax:
        plot_differences(result, ax)
        return write_title(ax, caption(result))


def plot_differences(result: PairwiseComparison, ax: Axes) -> None:
    "The difference curve with its bands, or the rows one below the other without a curve."
    rows, curve = result.rows, result.curve
    low, high = np.array([row.span() for row in rows], float).T
    if curve is None:
        values = [row.difference for row in rows], low, high
        plot_forest([row.metric for row in rows], *values, ax=ax, label="B - A")
        return
    bands = (low, high), (curve.low, curve.high)
    plot_difference(curve.k, curve.difference, *bands, ax=ax, label="B - A",
                    level=result.confidence_level)
