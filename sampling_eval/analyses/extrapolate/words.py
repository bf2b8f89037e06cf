"""What an extrapolation says: the first value beyond the samples, and what to distrust of it."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...inference.extrapolation import unsolved_limit
from ...render.blocks import Block, Curves, Fold, Headline, Series, Table, Text
from ...render.format import (
    count, count_range, decimal, interval, join, level, open_sentence, percent, points)
from ...render.plot import open_axes, plot_extrapolation, write_title
from ...results.rows import name_at
from ..phrases.reading import describe_read
from .result import Forecast

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["document", "title", "methods", "plot", "caution_sentences"]

MISFIT = .01  # Difference of a model from the exact value that is worth a word
SPREAD = .02  # Difference of two models that is worth a word


def title(result: Forecast) -> str: return f"{result.metric} beyond {result.n_min} samples"


def document(result: Forecast) -> list[Block]:
    "The answer, what to distrust, the curves and every value."
    cautions = [Text(text, "caution") for text in caution_sentences(result)]
    method = [Text(methods(result)), Text(open_sentence(describe_read(result.read)), "note")]
    return [Headline(headline(result)), *map(Text, unsolved_sentence(result)),
            draw_curves(result), make_table(result),
            Fold("What to distrust", cautions), Fold("All numbers", [make_whole_table(result)]),
            Fold("Methods", [one for one in method if one.text])]


# The answer.

def headline(result: Forecast) -> str:
    "The first budget beyond the samples, or the last one that was measured."
    beyond = [row for row in result.rows if row["exact"] is None]
    row = beyond[0] if beyond else result.rows[-1]
    name = name_at(result.metric, row["k"])
    each = count_range(result.n_min, result.n_max, "sample") + " per question"
    if not beyond: return f"{name} = {percent(row['exact'])}, measured with {each}."
    return (f"{name} with {each} is an extrapolation: {bounds_clause(result, row)}"
            f"{models_clause(result, row)}.")


def bounds_clause(result: Forecast, row: dict[str, Any]) -> str:
    if row["low"] is None: return "no distribution of difficulty fits the counts"
    ends = interval(row["low"], row["high"])
    return f"assumption-free {level(result.confidence_level)} bounds {ends}"


def models_clause(result: Forecast, row: dict[str, Any]) -> str:
    "What the models make of it; empty without any."
    found = [row[name] for name in result.models]
    if not found: return ""
    if len(found) == 1: return f"; one model says {percent(found[0])}"
    return f"; {len(found)} models say {interval(min(found), max(found))}"


def unsolved_sentence(result: Forecast) -> list[str]:
    "How many questions the samples tell least about."
    if not result.unsolved: return []
    what = f"{result.unsolved} of {count(result.questions, 'question')}"
    if result.mirrored: return [f"{what} always right: rare failures would not have been seen."]
    return [f"{what} never solved: impossible and very hard questions look the same."]


# Numbers.

def make_table(result: Forecast) -> Table:
    "Measured value, range of the models and bounds at each budget."
    heads = ["k", "measured", "models", f"{level(result.confidence_level)} bounds"]
    return Table(heads, [write_row(result, row) for row in result.rows])


def write_row(result: Forecast, row: dict[str, Any]) -> list[str]:
    found = [row[name] for name in result.models]
    models = interval(min(found), max(found)) if found and row["exact"] is None else "-"
    return [f"{row['k']:,}", percent(row["exact"]), models, interval(row["low"], row["high"])]


def make_whole_table(result: Forecast) -> Table:
    "Every model by itself."
    names = [name for name in result.rows[0] if name not in ("k", "kind")]
    rows = [[f"{row['k']:,}", *(decimal(row[name], 4) for name in names)] for row in result.rows]
    return Table(["k", *names], rows)


def draw_curves(result: Forecast) -> Curves:
    "Exact values, each model beyond them, and the bounds as a band."
    known = int((result.k <= result.n_min).sum())
    k = result.k.tolist()
    series = [make_series("measured", k[:known], result.exact.tolist())] * bool(known)
    for name, values in result.models.items():
        if known < len(k): series.append(make_series(name, k[known:], values[known:].tolist()))
    band = []
    if result.low is not None and result.high is not None:
        band = list(zip(k, result.low.tolist(), result.high.tolist()))
    alt = f"{result.metric} measured up to {result.n_min} samples, then models inside bounds"
    return Curves(series, alt, label=result.metric, level=result.confidence_level, band=band)


def make_series(name: str, k: list[int], value: list[float]) -> Series:
    none = [None] * len(k)
    said = [f"{name}, k = {one:,}: {percent(share)}" for one, share in zip(k, value)]
    return Series(name, "", k, value, none, none, said)


def plot(result: Forecast, *, ax: Axes | None = None, size: str | float | None = None) -> Axes:
    "Exact values, models and bounds over k."
    order = np.argsort(result.k, kind="stable")
    k = result.k[order]
    exact = result.exact[np.argsort(result.k[result.k <= result.n_min], kind="stable")]
    models = {name: values[order] for name, values in result.models.items()}
    bounds = None
    if result.low is not None and result.high is not None:
        bounds = result.low[order], result.high[order]
    each = count_range(result.n_min, result.n_max, "sample")
    with open_axes(ax, size, 2 + len(models)) as ax:
        plot_extrapolation(k, exact, models, bounds, n=result.n_min, ax=ax, label=result.metric,
                           level=result.confidence_level)
        return write_title(ax, f"{count(result.questions, 'question')}, {each} each")


# Cautions.

def caution_sentences(
    result: Any,  # A `Forecast`, or the `Extrapolation` of the lesson
) -> Iterator[str]:
    "What to distrust: what is assumed, what fits badly, and where the models part."
    for name, reason in dict(result.left_out).items(): yield f"{name} left out: {reason}."
    if (result.k > result.n_min).any():
        yield f"k > {result.n_min} is a model, not a measurement."
    yield from warn_of_unsolved(result)
    yield from warn_of_fits(result)
    yield from warn_of_spread(result)
    if result.low is None:
        yield ("No distribution of difficulty fits the counts: samples of a question are not "
               "independent draws.")


def warn_of_unsolved(result: Any) -> Iterator[str]:
    "Questions that may be impossible or only hard."
    if not result.unsolved: return
    kind, alike = "right", "impossible and very hard"
    if result.mirrored: kind, alike = "wrong", "certain and nearly certain"
    most = unsolved_limit(result.n_min, 1, result.confidence_level)
    yield (f"{result.unsolved} of {count(result.questions, 'question')} have no {kind} sample: "
           f"{alike} ones look the same; the probability of such a sample may be up to "
           f"{percent(float(most))} (exact {level(result.confidence_level)} bound).")


def warn_of_fits(result: Any) -> Iterator[str]:
    "Models that the counts do not settle, or that miss what is known."
    fitted = result.parameters if isinstance(result, Forecast) else {
        name: vars(law) for name, law in result.laws.items()}
    if edges := [name for name, one in fitted.items() if one.get("at_edge")]:
        yield f"{join(edges)}: parameters not determined, the likelihood rises up to the edge."
    for name, miss in result.misfit.items():
        if abs(miss) > MISFIT:
            yield f"{name} misses the measured value at k = {result.n_min} by {points(miss, True)}."


def warn_of_spread(result: Any) -> Iterator[str]:
    "Models that disagree beyond the samples."
    if len(result.models) < 2: return
    spread = np.ptp(list(result.models.values()), 0) * (result.k > result.n_min)
    if spread.max() <= SPREAD: return
    yield (f"The models differ by up to {points(spread.max(), True, sign=False)}, at k = "
           f"{result.k[spread.argmax()]:,}; all of them may err to the same side, so their spread "
           "is no error bar.")


# Methods.

def methods(result: Forecast) -> str:
    "What was computed and how."
    models = ", ".join(result.models) or "none"
    each = count_range(result.n_min, result.n_max, "sample")
    return (f"{result.metric} of {count(result.questions, 'question')} with {each} each: unbiased "
            f"estimates for k <= {result.n_min}; beyond, models of difficulty fitted to the counts "
            f"({models}) and assumption-free {level(result.confidence_level)} bounds over all "
            "distributions of difficulty.")
