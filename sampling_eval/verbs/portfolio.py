"`score(by=, portfolio=)`: tries split over the groups, which are sources on the same questions."
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..foundations.counts import Counts
from ..inference.bands import simultaneous_band
from ..io.load import Loaded, load
from ..io.options import Options
from ..metrics.portfolio import portfolio_splits
from ..results.portfolio import Gain, SourceMix, Split
from .systems import align_systems

__all__ = ["measure_portfolio"]


def measure_portfolio(
    data: Any,  # As `score` takes it
    loaded: Loaded,  # The same, read in groups
    options: Options,  # How it was read
    by: str | None,  # Column of the sources
    k: int,  # Tries in all
    confidence_level: float,  # Of all splits together
) -> SourceMix:
    """Every split of the tries over the sources.

    Raises: `ValueError` without a column of sources, for several models, for fewer than two
    sources, and where these do not share the questions.
    """
    if not isinstance(by, str):
        raise ValueError(f"portfolio={k} needs the column of sources, got by={by!r}; type "
                         "by=COLUMN")
    models = {model for model, _ in loaded.blocks}
    if len(models) > 1:
        raise ValueError(f"portfolio is for one model at a time, got {len(models)} models beside "
                         f"the groups of {by!r}; read one of them")
    # A source is read as a model: its questions keep the names that all sources share.
    columns = {part: name for part, name in options.columns.items() if part != "group"}
    sources = load(data, replace(options, columns=columns | dict(model=by), cluster=None))
    sides = {model: counts for (model, _), counts in sources.blocks.items()}
    if len(sides) < 2:
        raise ValueError(f"portfolio needs two sources at least, got {len(sides)} in column {by!r}")
    check_shared(sides)
    return split_sources(align_systems(sides).sides, k, confidence_level)


def check_shared(sides: dict[str, Counts]) -> None:
    "Refuse sources that do not have the same questions."
    asked = {name: set(side.questions.tolist()) for name, side in sides.items()}
    shared = set.intersection(*asked.values())
    more = {name: len(questions) - len(shared) for name, questions in asked.items()}
    name = max(more, key=lambda one: more[one])
    if not more[name]: return
    raise ValueError(f"portfolio needs every question from every source, got {len(shared):,} "
                     f"questions in all {len(sides)} sources and {more[name]:,} more in {name!r}; "
                     "leave out what only some have")


def split_sources(sides: dict[str, Counts], k: int, level: float) -> SourceMix:
    "Every split, with simultaneous bands of the means and of the gains of the best."
    if any(side.c is None for side in sides.values()):
        raise ValueError("portfolio needs outcomes of 0 and 1, got graded scores only")
    n, c = (np.stack([getattr(side, name) for side in sides.values()], 1) for name in ("n", "c"))
    found = portfolio_splits(n, c, k)
    band = simultaneous_band(found.values, level)
    splits = [Split(tuple(tries), float(mean), float(low), float(high)) for tries, mean, low, high
              in zip(found.splits.tolist(), found.means, band.low, band.high)]
    gains = []
    for i, source in enumerate(sides):
        alone = k * (np.arange(len(sides)) == i)
        if n[:, i].min() < k or (alone == found.best_split).all(): continue
        gain = simultaneous_band(found.gains(alone), level, bounds=(-1, 1))
        ends = (float(x[found.best]) for x in (gain.value, gain.low, gain.high))
        gains.append(Gain(source, *ends))
    return SourceMix(k, tuple(sides), len(n), level, found.best, tuple(splits), tuple(gains),
                     band.method)
