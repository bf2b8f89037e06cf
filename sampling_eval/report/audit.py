"""What an audit says of one or two published numbers: the counts that fit, and their CIs."""
from __future__ import annotations

from collections.abc import Iterator

from ..results.published import Audit, PublishedDifference, PublishedNumber
from .blocks import Block, Fold, Headline, Table, Text, Verdict
from .format import (count, decimal, describe_ci, difference_interval, interval, join, level,
                     percent, points, pvalue, ranges)
from .reading import describe_versions
from .sources import cite

__all__ = ["document", "title", "methods"]


def title(result: Audit) -> str:
    return result.title or "audit of " + " and ".join(row.text for row in result.rows)


def document(result: Audit) -> list[Block]:
    "The answer, what the numbers can stand for, and what is not known."
    gap = result.difference
    opened = Headline(describe_number(result, result.rows[0]))
    if gap is not None: opened = Headline(describe_difference(result, gap), find_badge(gap))
    said = [text for row in result.rows for text in describe_fits(row)]
    if gap is not None: said += describe_pairing(result, gap)
    return [opened, make_table(result), *map(Text, said),
            Fold("All numbers", [make_whole_table(result)]),
            Fold("Methods", [Text(cite(methods(result)))])]


def find_badge(gap: PublishedDifference) -> Verdict:
    if gap.verdict != "significant": return "inconclusive"
    return "better" if gap.value > 0 else "worse"


# One number.

def describe_number(result: Audit, row: PublishedNumber) -> str:
    "A number with its interval."
    ci = describe_ci(row.low, row.high, result.confidence_level, "new questions")
    return (f"{name_number(row)}: {ci}, {count(row.questions, 'question')} with "
            f"{count(row.samples, 'sample')} each.")


def name_number(row: PublishedNumber) -> str:
    "The number as it was given, with its count where that is known."
    known = write_right(row)
    return row.text if row.text == known else f"{row.text} ({known})"


def write_right(row: PublishedNumber) -> str:
    "The counts that fit: `26/30`, `25-26/30`."
    right = f"{row.right_least}-{row.right_most}"
    if row.right_least == row.right_most: right = str(row.right_least)
    return f"{right}/{row.total}"


def describe_fits(row: PublishedNumber) -> Iterator[str]:
    "Which numbers of samples fit, and what those leave open."
    if row.near:
        near = join([f"{one}/{row.questions} = {decimal(one / row.questions)}" for one in row.near])
        yield (f"No count of {count(row.questions, 'question')} with one sample each is rounded to "
               f"{row.text} (nearest: {near}).")
    if row.tried and row.fits != tuple(range(1, row.tried + 1)):
        yield (f"{row.text} fits {ranges(row.fits)} of 1 to {row.tried} samples per question.")
    if row.right_least < row.right_most:
        yield (f"{row.text} is rounded: {row.right_least} to {row.right_most} of {row.total:,} "
               "right all give it, and the CI covers each of them.")
    if row.samples > 1:
        yield (f"{row.text}: how alike the samples of a question are is unknown. The CI holds as "
               "if they always agreed; as if all were independent it is "
               f"{interval(row.low_apart, row.high_apart)}.")


# Two numbers.

def describe_difference(result: Audit, gap: PublishedDifference) -> str:
    "By how much two numbers differ, with the interval and the verdict."
    first, second = result.rows
    verdict = gap.verdict
    if verdict == "unknown": verdict = "significance unknown"  # type: ignore[assignment]
    ends = describe_ci(gap.low, gap.high, result.confidence_level, "unpaired", change=True)
    return (f"{name_number(second)} - {name_number(first)} = {points(gap.value, True)} ({ends}; "
            f"{pvalue(gap.p)}): {verdict}.")


def describe_pairing(result: Audit, gap: PublishedDifference) -> Iterator[str]:
    "What is not known of the questions of both, and what logs would show."
    first, second = result.rows
    kind = "exact unconditional" if gap.exact else "score (approximate)"
    yield (f"Pairing is unknown: the CI ({kind}) treats the questions of both as independent. On "
           "the same questions the paired CI of their logs is usually narrower.")
    if gap.verdict == "unknown" and first.samples > 1:
        ends = difference_interval(gap.low_apart, gap.high_apart)
        yield (f"As if all samples were independent the CI is {ends} ({pvalue(gap.p_apart)}): "
               "whether the difference is significant takes the logs.")
    elif gap.verdict == "unknown":
        yield "Which of the counts that fit are the true ones decides; rounding hides it."
    elif first.samples > 1 and gap.verdict == "not significant":
        yield "It is not even significant as if all samples were independent."
    if gap.least_paired is not None and gap.verdict != "significant":
        least = pvalue(gap.least_paired)
        yield f"Paired on the same questions {least} at the least (McNemar, no question lost)."


# Tables.

def make_table(result: Audit) -> Table:
    "Each number with the counts that fit, and its interval."
    heads = ["number", "right", "value", f"{level(result.confidence_level)} CI"]
    return Table(heads, [[row.text, write_right(row), percent(row.value),
                          interval(row.low, row.high)] for row in result.rows])


def make_whole_table(result: Audit) -> Table:
    "Every number in decimals."
    heads = ["number", "rounded from", "to", "questions", "samples", "CI", "CI, all independent"]
    rows = [[row.text, decimal(row.least, 4), decimal(row.most, 4), f"{row.questions:,}",
             f"{row.samples:,}", interval(row.low, row.high),
             interval(row.low_apart, row.high_apart)] for row in result.rows]
    return Table(heads, rows)


# Methods.

def methods(result: Audit) -> str:
    "How counts and intervals were found."
    said = ["Counts are those whose share is rounded to the printed digits (either way at a half). "
            "CIs of one number are exact @{clopper1934}, of the least to the largest such count; "
            "with several samples each, of the questions, as if the samples of each agreed."]
    gap = result.difference
    if gap is not None and gap.exact:
        said.append("The difference has the exact unconditional CI of two independent shares, by "
                    "the score statistic @{chan1999}; p is the same test.")
    elif gap is not None:
        said.append("The difference has the score CI of two independent shares, an approximation "
                    "for large samples.")
    return " ".join([*said, describe_versions()])
