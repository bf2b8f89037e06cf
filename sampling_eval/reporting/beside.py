"""A difference with its interval and p value, and what another analysis says, in words."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..inference.estimate import TARGETS
from .analyses import Analysis
from .differences import Difference, decide
from .numbers import percent
from .points import is_share, say_points, say_signed

__all__ = ["WHOSE", "say_p", "say_difference", "say_beside", "list_beside", "say_bounds",
           "say_named", "say_named_apart", "say_disputed", "say_ci", "say_whose"]

WHOSE = dict(questions="new questions", benchmark="same questions")
FEW = 6  # Pairs that are named in a sentence
PLAIN = "gaffke", "gamma", None  # None in an older JSON text
SAID = {"significant": "significant", "not significant": "not significant", "none": "no interval",
        "usual only": "inconclusive (significant under the normal approximation only)"}


def say_p(
    p: float | None,  # P value; None where there is none
    alpha: float = .05,  # Level that it is held against
) -> str:  # `p = .02`, on the side of the level where it is
    "A p value in two decimals, more where they would hide the verdict."
    if p is None: return ""
    for places in range(2, 12):
        shown = f"{p:.{places}f}"
        if float(shown) > 0 and (float(shown) <= alpha) == (p <= alpha): break
        if p < .001 <= alpha: return "p < .001"
    return f"p = {shown.removeprefix('0')}"


def say_ci(
    low: float,  # Lower end of an interval of differences
    high: float,  # Upper end
    metric: str,  # Name of its metric
) -> str:  # `-1.3 to +15`, in points for a share
    "Both ends of an interval."
    return f"{say_signed(low, metric)} to {say_signed(high, metric)}"


def say_difference(
    row: Difference,  # A row of a comparison
    names: tuple[str, str],  # Names of A and B
) -> str:  # Its headline, and what the other analysis says
    "Who, by how much with its interval and p value, for which questions, and the verdict."
    a, b = names
    low, high = row.span()
    size = say_points(row.difference, row.metric)
    where = WHOSE[row.target]
    said = f"{b} - {a} = {size} in {row.metric}"
    if low is None or high is None: return f"{said} ({where}): no interval."
    # What is not the default of a known range is named.
    kind = "" if row.method in PLAIN else f"{row.method} "
    level = f"{percent(row.confidence_level)} % {kind}CI {say_ci(low, high, row.metric)}"
    known = level, say_p(row.p, 1 - row.confidence_level), where
    return (f"{said} ({', '.join(filter(None, known))}): {say_significance(row)}."
            + "".join(f" {text}" for text in say_beside(row)))


def say_significance(row: Difference) -> str:
    "Which of the three cases a row is."
    if row.significance == "usual only" and row.usual is not None and row.usual.low is None:
        return "inconclusive (significant by McNemar's test only)"
    return SAID[row.significance]


def say_beside(
    row: Difference,  # A row of a comparison
) -> list[str]:  # Sentences, none where all analyses agree
    "What another analysis says where it disagrees with the verdict."
    verdict = decide(*row.span())
    if verdict == "none": return []
    own = verdict != "open"
    return [say_analysis(row, one) for one in (row.usual, row.default)
            if one is not None and one.pvalue is not None and one.significant != own]


def say_analysis(row: Difference, one: Analysis) -> str:
    "An analysis beside the verdict."
    p = say_p(one.pvalue, 1 - row.confidence_level)
    assumes = f"; it assumes {one.assumes}" if one.assumes and one.significant else ""
    if one.low is None or one.high is None:
        found = "" if one.significant else "not "
        return f"McNemar's exact test: {p}, {found}significant{assumes}."
    kind = name_kind(one.method)
    verb = "excludes" if one.significant else "includes"
    span = f"{say_ci(one.low, one.high, row.metric)}, {p}"
    return f"{kind[0].upper()}{kind[1:]} ({span}) {verb} 0{assumes}."


def name_kind(method: str) -> str:
    "An analysis by what a reader calls it."
    kinds = {"t": "a t interval", "normal": "a normal interval", "McNemar": "McNemar's exact test",
             "gaffke": "the assumption-free interval"}
    return kinds.get(re.split("[ ,]", method)[0], "the default interval")


def list_beside(
    rows: Sequence[Difference],  # Rows of a comparison
) -> list[str]:  # Sentences
    "What other analyses say of the rows behind the first, which its headline tells."
    return [f"{row.metric}: {text}" for row in rows[1:] for text in say_beside(row)]


def say_disputed(
    pairs: Sequence[tuple[str, str, str, bool]],  # Metric, better, worse, whether the verdict is so
    tests: Sequence[str],  # Names of the other analysis
) -> list[str]:  # Sentences, none where both analyses agree
    "Which pairs of systems another analysis tells apart, or does not, all pairs at once."
    if not pairs: return []
    other = " or ".join(dict.fromkeys(map(name_kind, tests)))
    found = {own: [f"{better} over {worse} in {metric}" for metric, better, worse, one in pairs
                   if one == own] for own in (False, True)}
    words = {False: f"Significant by {other} only, all pairs at once (Holm)",
             True: f"Not significant by {other}, all pairs at once (Holm)"}
    return [f"{words[own]}: {', '.join(names[:FEW])}{say_more(len(names) - FEW)}."
            for own, names in found.items() if names]


def say_named_apart(
    column: str,  # Metric, and its group if there are some
    tests: Sequence[str],  # Names of the test that was asked for
    pairs: Sequence[tuple[str, str]],  # Better and worse system of each pair that it tells apart
) -> str:  # One sentence
    "What a test that was asked for by name tells apart, all pairs at once."
    found = [f"{better} over {worse}" for better, worse in pairs]
    listed = ", ".join(found[:FEW]) + say_more(len(found) - FEW)
    return f"Significant in {column} by {' or '.join(tests)} (Holm): {listed or 'none'}."


def say_more(count: int) -> str: return f" and {count} more" if count > 0 else ""


def say_named(
    rows: Sequence[Any],  # Rows of a comparison, or pairs of a ranking
) -> list[str]:  # One sentence for each, none where no test was named
    "A test that was asked for by name, under its own name and null hypothesis."
    found = [(row, row.named_test) for row in rows if row.named_test is not None]
    return [f"{name_row(row)}: p = {one['pvalue']:.2g} by the test {one['method']}; its null "
            f"hypothesis: {one['null']}." for row, one in found]


def name_row(row: Any) -> str:
    "A metric, and of several systems the two."
    pair = f", {row.first} - {row.second}" if hasattr(row, "first") else ""
    return f"{row.metric}{pair}"


def say_bounds(
    rows: Sequence[Any],  # Rows of a result
) -> list[str]:  # One sentence, none where no range was stated
    "The range that was stated, as the assumption it is."
    row = next((row for row in rows if row.bounds is not None), None)
    if row is None: return []
    low, high = row.bounds
    return [f"Assumes that no question moves by more than {say_ci(low, high, row.metric)}"
            f"{' points' * is_share(row.metric)} (bounds=), which data cannot verify."]


def say_whose(
    target: str,  # Target of a rule, in words
) -> str:  # `new questions`
    "A target in two words."
    return next(name for key, name in WHOSE.items() if TARGETS[key] == target)
