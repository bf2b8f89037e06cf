"""What other analyses say of a difference, what they assume, and how intervals were computed."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..results.rows import Method, name_family
from ..results.analysis import Analysis, Kind
from ..results.comparison import Difference
from ..results.ranking import Pair
from .format import (describe_method, describe_stated, difference_interval, join, level,
                     open_sentence, pvalue)

__all__ = ["list_beside", "list_metrics", "ANALYSES", "describe_named_test",
           "describe_bounds", "define_intervals", "define_tests"]

LISTED = 8  # Metrics that are listed one by one
# Analyses as a reader calls them.
ANALYSES: dict[Kind, str] = dict(
    t="a t interval", normal="a normal interval", mcnemar="McNemar's exact test",
    gaffke="the assumption-free interval", other="the default interval")


def list_beside(
    every: Sequence[Difference],  # Rows of a comparison
    rows: Sequence[Difference],  # Those that are shown
) -> list[str]:  # Sentences
    "Other analyses where they disagree, a named test, assumptions, and what is not known."
    first, *others = rows
    return [*(describe_analysis(first, one) for one in list_disputes(first)),
            *group_disputes(others, every), *describe_named_test(rows),
            *describe_bounds(every), *describe_reasons(every),
            *describe_upper_bounds(rows, every)]


def list_disputes(row: Difference) -> list[Analysis]:
    "Analyses that contradict the verdict."
    if row.verdict == "none": return []
    own = row.verdict != "inconclusive"
    return [one for one in (row.usual, row.default)
            if one is not None and one.pvalue is not None and one.significant != own]


def describe_analysis(row: Difference, one: Analysis) -> str:
    "What another analysis says of the first row."
    name = open_sentence(ANALYSES[one.kind])
    p = pvalue(one.pvalue, alpha=1 - row.confidence_level)
    if one.low is None:
        found = "significant" if one.significant else "not significant"
        return f"{name}: {p}, {found}{tell_assumption(one)}."
    ends = difference_interval(one.low, one.high, row.unit)
    verb = "excludes" if one.significant else "includes"
    return f"{name} ({ends}, {p}) {verb} 0{tell_assumption(one)}."


def tell_assumption(one: Analysis) -> str:
    return f"; it assumes {one.assumes}" if one.assumes and one.significant else ""


def group_disputes(rows: Sequence[Difference], every: Sequence[Difference]) -> list[str]:
    "What another analysis says of further rows, those alike in one sentence."
    found: dict[tuple[str, str, str], list[Difference]] = {}
    for row in rows:
        for one in list_disputes(row):
            verb = "significant" if one.significant else "not significant"
            key = verb, ANALYSES[one.kind], tell_assumption(one)
            found.setdefault(key, []).append(row)
    return [f"{open_sentence(verb)} by {name} at {list_metrics(own, every)}{assumes}."
            for (verb, name, assumes), own in found.items()]


def describe_named_test(
    rows: Sequence[Difference | Pair],  # Rows of a comparison, or pairs of a ranking
) -> list[str]:  # One sentence for each test, none where none was named
    "A test that was asked for, with its null hypothesis."
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


def describe_bounds(
    rows: Sequence[Difference | Pair],  # Rows of a comparison, or pairs of a ranking
) -> list[str]:  # One sentence, none where no range was stated
    "The range that was stated, as the assumption it is."
    row = next((row for row in rows if row.bounds is not None), None)
    if row is None or row.bounds is None: return []
    return [describe_stated(row.bounds, row.unit)]


def describe_reasons(every: Sequence[Difference]) -> list[str]:
    "Why there is no standard error, each reason once with its metrics."
    found: dict[str, list[Difference]] = {}
    for row in every: found.setdefault(row.reason, []).append(row)
    return [f"{list_metrics(own, every)}: {reason}."
            for reason, own in found.items() if reason]


def describe_upper_bounds(
    rows: Sequence[Difference], every: Sequence[Difference],
) -> list[str]:
    "Where the interval for the same questions is that for new ones."
    wide = [row for row in rows if row.again_interval and row.again_interval.upper_bound]
    if not wide: return []
    return [f"{list_metrics(wide, every)}: sampling noise within questions is unknown, so "
            "the CI for the same questions is that for new ones, an upper bound."]


def list_metrics(
    rows: Sequence[Difference],  # Some rows of a comparison, in order
    every: Sequence[Difference],  # All of them
) -> str:
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


# Methods.

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


def define_tests(
    rows: Sequence[Difference],  # Rows of a comparison
) -> str:  # One sentence; empty without a test
    "The tests of the rows, each once."
    tests = list(dict.fromkeys(row.test for row in rows if row.p is not None))
    if not tests: return ""
    source = " @{mcnemar1947}" * any("McNemar" in test for test in tests)
    null = join(list(dict.fromkeys(row.null for row in rows if row.null)))
    many = "budgets" if name_family(rows[0].metric) == name_family(rows[-1].metric) else "metrics"
    several = f"; p values are not adjusted for several {many}" * (len(rows) > 1)
    return f"Two-sided tests of {null}: {' or '.join(tests)}{source}{several}."
