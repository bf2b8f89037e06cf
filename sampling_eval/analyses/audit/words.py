"""What an audit says of published numbers: the counts that fit, and their CIs; of several of one
log, whether it can show them all, and whether chance explains how runs spread."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...render.blocks import SHARES, Block, Fold, Headline, Intervals, Line, Table, Text
from ...render.citations import cite
from ...render.format import (
    count, decimal, describe_ci, difference_interval, interval, join, level, percent, points,
    pvalue, ranges)
from ...render.plot import open_axes, plot_intervals
from ...render.verdicts import word_of
from ...results.verdict import Badge
from ..phrases.reading import versions_sentence
from .result import Audit, PublishedCurve, PublishedDifference, PublishedNumber, PublishedRuns

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["document", "title", "methods", "plot"]


def title(result: Audit) -> str:
    return result.title or "audit of " + " and ".join(row.text for row in result.list_lines())


def document(result: Audit) -> list[Block]:
    "The answer, what the numbers can stand for, and what is not known."
    if result.curve is not None: return curve_document(result, result.curve)
    if result.runs is not None: return runs_document(result, result.runs)
    gap = result.difference
    opened = Headline(number_with_ci(result, result.rows[0]))
    if gap is not None: opened = Headline(difference_headline(result, gap), badge_of(gap))
    said = [text for row in result.rows for text in fits_sentences(row)]
    if gap is not None: said += pairing_sentences(result, gap)
    return [opened, make_table(result), draw_numbers(result), *map(Text, said),
            Fold("All numbers", [make_whole_table(result)]),
            Fold("Methods", [Text(cite(methods(result)))])]


def badge_of(gap: PublishedDifference) -> Badge:
    if gap.verdict != "significant": return "inconclusive"
    return "better" if gap.value > 0 else "worse"


# One number.

def number_with_ci(result: Audit, row: PublishedNumber) -> str:
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


def fits_sentences(row: PublishedNumber) -> Iterator[str]:
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
               f"{interval(row.apart.low, row.apart.high)}.")


# Two numbers.

def difference_headline(result: Audit, gap: PublishedDifference) -> str:
    "By how much two numbers differ, with the interval and the verdict."
    first, second = result.rows
    verdict = word_of(gap.verdict)
    ends = describe_ci(gap.low, gap.high, result.confidence_level, "unpaired", change=True)
    return (f"{name_number(second)} - {name_number(first)} = {points(gap.value, True)} ({ends}; "
            f"{pvalue(gap.p)}): {verdict}.")


def pairing_sentences(result: Audit, gap: PublishedDifference) -> Iterator[str]:
    "What is not known of the questions of both, and what logs would show."
    first, second = result.rows
    kind = "exact unconditional" if gap.exact else "score (approximate)"
    yield (f"Pairing is unknown: the CI ({kind}) treats the questions of both as independent. On "
           "the same questions the paired CI of their logs is usually narrower.")
    if gap.verdict == "unknown" and first.samples > 1:
        ends = difference_interval(gap.apart.low, gap.apart.high)
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


def draw_numbers(result: Audit) -> Intervals:
    "Each number with its interval, on one scale."
    lines = [Line(name_number(row), percent(row.value), row.value, row.low, row.high,
                  interval(row.low, row.high), colour=i) for i, row in enumerate(result.rows)]
    return Intervals(lines, "; ".join(f"{o.label}: {o.note}" for o in lines), **SHARES)


def plot(result: Audit, *, ax: Axes | None = None, size: str | float | None = None) -> Axes:
    """Each number with its interval, as on a page.

    Raises: `ValueError` for values of several metrics and for totals of runs, which are tables.
    """
    if result.curve is not None or result.runs is not None:
        raise ValueError("an audit of several metrics, or of totals of runs, has no figure; "
                         "one or two numbers have one")
    rows = result.rows
    value, low, high = np.array([(row.value, row.low, row.high) for row in rows], float).T
    with open_axes(ax, size, rows=len(rows)) as ax:
        plot_intervals([name_number(row) for row in rows], value, low, high, ax=ax,
                       level=result.confidence_level, label="share right")
        ax.set_xlim(0, 1)
    return ax


def make_whole_table(result: Audit) -> Table:
    "Every number in decimals."
    heads = ["number", "rounded from", "to", "questions", "samples", "CI", "CI, all independent"]
    rows = [[row.text, decimal(row.least, 4), decimal(row.most, 4), f"{row.questions:,}",
             f"{row.samples:,}", interval(row.low, row.high),
             interval(row.apart.low, row.apart.high)] for row in result.rows]
    return Table(heads, rows)


# Several values of one log.

METHOD_OF_CURVE = (
    "Each metric is a mean over questions of a function of the number of right samples. Whether "
    "any shares of questions with 0 to all samples right are rounded to the printed values is "
    "decided by a linear program, with the number of questions given by whole numbers of them; "
    "with the samples unknown, for as many as the largest budget, which allows whatever more "
    "samples do.")


def curve_document(result: Audit, curve: PublishedCurve) -> list[Block]:
    "Whether one log can show the values, and if not, where they break."
    texts = [*break_sentences(curve), *samples_sentences(curve)]
    heads = ["metric", "printed", "value", "per sample"]
    rows = [[row.metric, row.text, percent(row.value), points(row.gain)] for row in curve.values]
    verdict: Badge = "" if curve.possible else "fail"
    return [Headline(curve_headline(curve), verdict), Table(heads, rows), *map(Text, texts),
            Fold("Methods", [Text(cite(methods(result)))])]


def curve_headline(curve: PublishedCurve) -> str:
    "The answer."
    values = count(len(curve.values), "value")
    if curve.possible: return f"Possible: the samples of one log can give the {values}."
    if len(curve.bend) == 2:
        way = "falls" if curve.family == "pass@k" else "rises"
        return (f"Impossible: {curve.family} {way} from k = {curve.bend[0]} to {curve.bend[1]}, "
                "which no curve of it does.")
    if curve.bend:
        first, middle, last = curve.bend
        one, two = (points(abs(gain), True, False) for gain in curve.gains)
        way = "gains" if curve.family == "pass@k" else "loses"
        return (f"Impossible: {curve.family} {way} {two} a sample from k = {middle} to {last}, and "
                f"only {one} from {first} to {middle}.")
    if curve.miss:
        return (f"Impossible: no log gives the {values} together; they miss by "
                f"{points(curve.miss, True, False)} beyond rounding.")
    each = f" with {count(curve.samples, 'sample')} each" if curve.stated else ""
    return (f"Impossible: no counts of {count(curve.questions or 0, 'question')}{each} are rounded "
            f"to the {values}.")


def break_sentences(curve: PublishedCurve) -> Iterator[str]:
    "Why, and how such numbers come about."
    if curve.possible: return
    if len(curve.bend) == 3:
        worth = "helps only where all before it failed"
        if curve.family == "pass^k": worth = "harms only where all before it were right"
        yield (f"On every question a further sample {worth}, so that steps never grow. "
               f"Rounding is allowed for{say_miss(curve)}.")
    yield ("So they are not of one log: their questions, prompts or samples differ, each k has "
           "samples of its own, or a number is misprinted.")


def say_miss(curve: PublishedCurve) -> str:
    if not curve.miss: return ""
    return f"; the values miss by {points(curve.miss, True, False)} more"


def samples_sentences(curve: PublishedCurve) -> Iterator[str]:
    "For which samples it was asked."
    if curve.fits and not curve.stated:
        yield f"They fit {ranges(curve.fits)} samples of each of {curve.questions:,} questions."
    elif curve.possible and not curve.stated:
        yield ("The number of samples is unknown; with more than the largest k, fewer values are "
               "possible.")


# Totals of runs.

METHOD_OF_RUNS = (
    "The CI of a mean for the same questions is that of t over runs. Samples of the same questions "
    "let a total vary most where all questions are equally hard, as a binomial count; the spread "
    "is held against that by a chi-square test, and its own CI takes totals for normal.")


def runs_document(result: Audit, runs: PublishedRuns) -> list[Block]:
    "The mean, and whether the runs differ by more than samples of the same questions do."
    row = result.rows[0]
    heads = ["run", "right", "share", "from mean"]
    rows = [[str(i + 1), f"{one}/{runs.questions}", percent(one / runs.questions),
             points(one / runs.questions - runs.value)] for i, one in enumerate(runs.totals)]
    said = [spread_verdict(runs), *spread_interval(result, runs), bounds_sentence(row)]
    return [Headline(runs_headline(result, runs, row), "" if runs.by_chance else "fail"),
            Table(heads, rows), *map(Text, said), Fold("Methods", [Text(cite(methods(result)))])]


def runs_headline(result: Audit, runs: PublishedRuns, row: PublishedNumber) -> str:
    "The mean with its intervals."
    ci = describe_ci(row.low, row.high, result.confidence_level, "new questions")
    same = ""
    if runs.interval is not None:
        same = f"; same questions {interval(runs.low, runs.high)}"
    return f"Mean of {len(runs.totals)} runs {percent(runs.value)} ({ci}{same})."


def spread_verdict(runs: PublishedRuns) -> str:
    "Whether the spread is chance."
    share = points(runs.spread / runs.questions, True, False)
    most = points(runs.largest / runs.questions, True, False)
    seen = f"Runs spread by {share} (standard deviation); chance alone gives up to about {most}"
    if not runs.spread:
        return (f"All totals are equal. Chance alone gives a standard deviation of up to about "
                f"{most}; a copied run, or a system without randomness, gives none.")
    if runs.by_chance:
        return (f"{seen}, were all questions equally hard: {word_of('within chance')} "
                f"({pvalue(runs.p)}).")
    return (f"{seen}: {word_of('more than chance')} ({pvalue(runs.p)}). Settings, versions or "
            "questions differ between the runs.")


def spread_interval(result: Audit, runs: PublishedRuns) -> Iterator[str]:
    "How far further runs would spread."
    if not runs.spread or not runs.by_chance: return
    low, high = (points(one / runs.questions, False, False)
                 for one in (runs.spread_interval.low, runs.spread_interval.high))
    yield (f"{level(result.confidence_level)} CI of that standard deviation: about {low} to {high} "
           "points.")


def bounds_sentence(row: PublishedNumber) -> str:
    "What is not known of single questions."
    return ("Which questions were right is unknown: the CI for new questions holds as if the runs "
            "agreed on every question; as if all samples were independent it is "
            f"{interval(row.apart.low, row.apart.high)}.")


# Methods.

def methods(result: Audit) -> str:
    "How counts and intervals were found."
    if result.curve is not None: return f"{METHOD_OF_CURVE} {versions_sentence()}"
    if result.runs is not None: return f"{METHOD_OF_RUNS} {versions_sentence()}"
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
    return " ".join([*said, versions_sentence()])
