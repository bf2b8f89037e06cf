"""Tries split over sources: every split, the best one, and its gain (`portfolio=`)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...errors import OptionError
from ...spelling import option
from ...foundations.counts import Counts
from ...inference.bands import simultaneous_band
from ...inference.intervals import Interval, Method
from ...metrics.parts import check_splits
from ...metrics.portfolio import portfolio_splits
from ...reading.load import load
from ...render.blocks import Block, Text
from ...render.format import (
    count, difference, difference_interval, interval, join, level, percent)
from ...render.verdicts import word_of
from ...results.base import Data, HasInterval, ends
from ..engine.systems import align_systems
from . import Asked, name_tries


@dataclass(frozen=True, eq=False)
class Split(HasInterval, Data):
    "One way to split the tries, with its mean over questions."
    tries: tuple[int, ...]  # Tries of each source
    estimate: float  # pass@k
    # Of the simultaneous band over all splits
    interval: Interval = field(metadata=ends(target="new_questions"))


@dataclass(frozen=True, eq=False)
class Gain(HasInterval, Data):
    "What the best split gains over all tries of one source, paired by question."
    source: str
    estimate: float
    # Of the simultaneous band over all splits
    interval: Interval = field(metadata=ends(target="new_questions"))

    @property
    def significant(self) -> bool: return self.interval.low > 0


@dataclass(frozen=True, eq=False)
class SourceMix(Data):
    "All splits of `k` tries over sources on the same questions."
    k: int
    sources: tuple[str, ...]
    questions: int
    confidence_level: float  # Of all splits together
    best: int  # Position of the split with the largest mean, chosen after looking
    splits: tuple[Split, ...]
    gains: tuple[Gain, ...]  # Over each source that has samples for all tries
    band: str = ""  # Method of the bands

    @property
    def best_split(self) -> Split: return self.splits[self.best]


FOUND = SourceMix  # The class of what is found


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `score`
) -> Any:
    """How many tries are split: by the option, or by the name of the metric.

    Raises: `OptionError` unless both state one number, and for missing samples that are counted
    both ways, between which a gain does not lie.
    """
    tries, named = given["portfolio"], given["budgets"].get("portfolio")
    if given["missing"] == "bounds":
        raise OptionError("missing", "missing and portfolio exclude each other", found="both")
    if named is None: return tries
    stated = {*named, *([] if tries is None else [tries])}
    if len(stated) == 1: return stated.pop()
    found = " and ".join(map(str, sorted(stated))) or "none"
    raise OptionError("portfolio", "a portfolio states its tries, as portfolio@4 does", found=found,
                      hint=f"write one number in {option('metrics')}")


def measure(
    k: int,  # Tries in all
    asked: Asked,  # What it is measured from
) -> SourceMix:
    """Every split of the tries over the sources.

    Raises: `ValueError` without a column of sources, for several models, for fewer than two
    sources, and where these do not share the questions.
    """
    if not isinstance(by := asked.by, str):
        raise OptionError("by", f"{option('portfolio', k)} needs the column of sources",
                          got=by, hint=f"name it by {option('by', ...)}")
    models = {model for model, _ in asked.loaded.blocks}
    if len(models) > 1:
        raise OptionError("portfolio", "the tries of one model are split over sources",
                          found=f"{len(models)} models beside the sources in {by!r}",
                          hint="read the rows of one model, or make the models the sources by "
                          f"{option('by', 'model')}")
    # A source is read as a model: its questions keep the names that all sources share.
    columns = {part: name for part, name in asked.options.columns.items() if part != "group"}
    options = replace(asked.options, columns=columns | dict(model=by), cluster=None)
    sources = load(asked.data, options)
    sides = {model: counts for (model, _), counts in sources.blocks.items()}
    if len(sides) < 2:
        raise OptionError("portfolio", "tries are split over two sources at least",
                          found=f"{len(sides)} in column {by!r}",
                          hint=f"name another column by {option('by', ...)}")
    check_shared(sides)
    return split_sources(align_systems(sides).sides, k, asked.style.confidence_level)


def check_shared(sides: dict[str, Counts]) -> None:
    "Refuse sources that do not have the same questions."
    asked = {name: set(side.questions.tolist()) for name, side in sides.items()}
    shared = set.intersection(*asked.values())
    more = {name: len(questions) - len(shared) for name, questions in asked.items()}
    name = max(more, key=lambda one: more[one])
    if not more[name]: return
    raise OptionError("portfolio", "every source needs every question",
                      found=f"{count(len(shared), 'question')} in all {len(sides)} sources "
                      f"and {more[name]:,} more in {name!r}", hint="leave out what only some have")


def split_sources(sides: dict[str, Counts], k: int, level: float) -> SourceMix:
    "Every split, with simultaneous bands of the means and of the gains of the best."
    if any(side.c is None for side in sides.values()):
        raise OptionError("portfolio", "a portfolio needs outcomes of 0 and 1",
                          found="graded scores only",
                          hint=f"set {option('threshold', ...)}")
    n, c = (np.stack([getattr(side, name) for side in sides.values()], 1) for name in ("n", "c"))
    check_splits(k, n.min(0), "portfolio")
    found = portfolio_splits(n, c, k)
    band = simultaneous_band(found.values, level)
    def span(low: float, high: float) -> Interval:
        return Interval(float(low), float(high), level, "new_questions", Method(band.method))
    splits = [Split(tuple(tries), float(mean), span(low, high)) for tries, mean, low, high
              in zip(found.splits.tolist(), found.means, band.low, band.high)]
    gains = []
    for i, source in enumerate(sides):
        alone = k * (np.arange(len(sides)) == i)
        if n[:, i].min() < k or (alone == found.best_split).all(): continue
        gain = simultaneous_band(found.gains(alone), level, bounds=(-1, 1))
        value, low, high = (float(x[found.best]) for x in (gain.value, gain.low, gain.high))
        gains.append(Gain(source, value, span(low, high)))
    return SourceMix(k, tuple(sides), len(n), level, found.best, tuple(splits), tuple(gains),
                     band.method)


# In words.

def blocks(found: SourceMix) -> list[Block]:
    "The best split, and its gain over each source alone."
    best = found.best_split
    said = (f"Best split of {name_tries(found.k)}, chosen after looking: "
            f"{name_split(found, best)}, pass@{found.k} = {percent(best.estimate)} (simultaneous "
            f"{level(found.confidence_level)} band over {count(len(found.splits), 'split')} "
            f"{interval(best.low, best.high)}, new questions"
            f"{f', {found.band}' if found.band else ''}).")
    return [Text(said), *(Text(gain_sentence(found, one)) for one in found.gains)]


def name_split(found: SourceMix, split: Split) -> str:
    "Tries of each source that is used: `base 21 and rl 11`."
    return join([f"{source} {tries}" for source, tries in zip(found.sources, split.tries) if tries])


def gain_sentence(found: SourceMix, gain: Gain) -> str:
    "What the best split gains over one source alone."
    verdict = word_of("significant" if gain.significant else "not significant")
    return (f"Over {gain.source} alone: {difference(gain.estimate)} (simultaneous "
            f"{level(found.confidence_level)} band {difference_interval(gain.low, gain.high)}): "
            f"{verdict}.")
