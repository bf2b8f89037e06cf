"""What some tries of at most so many turns, tokens or dollars solve (`budget_column=`)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import OptionError, OptionTypeError
from ...foundations.checks import faults
from ...foundations.counts import Counts, Values
from ...inference.bands import band_of
from ...inference.intervals import Interval, Method, estimates_of
from ...metrics.parts import count_by_limit, distinct_rows
from ...metrics.passk import pass_at_k
from ...render.blocks import Block, Cell, Curves, Grid, GridLine, Series, Text
from ...render.format import interval, level, percent, write_interval
from ...results.base import Data, HasInterval, ends
from ..engine.choose import choose_metrics
from ..engine.measure import sampling_units
from ..phrases.metrics import order_budgets
from . import Asked, Numbered, load_numbers, name_block, name_tries, refuse_beside


@dataclass(frozen=True, eq=False)
class TurnRow(HasInterval, Data):
    "What some tries of limited length solve."
    k: int  # Tries
    most: float  # Turns, tokens or dollars up to which a success counts
    solved: float  # Share of questions
    # Of the band that holds the whole surface of its model, all `k` and all limits
    interval: Interval = field(metadata=ends(words="method", target="new_questions"))
    model: str = ""  # Empty for a single one


@dataclass(frozen=True, eq=False)
class ByTurn(Data):
    "pass@(k, T): the share solved over tries and over the limit of each."
    column: str  # That holds at which turn, token or dollar a try ended
    confidence_level: float  # Of the band
    questions: int
    limits: tuple[float, ...]  # Ascending; the last one holds every success
    shown: tuple[float, ...]  # Those of the table and the figure, quantiles of the successes
    rows: tuple[TurnRow, ...]  # By model, limit and tries


FOUND = ByTurn  # The class of what is found
LIMITS = 32  # Limits of the surface
SHOWN = 6  # Of which the table and the figure have so many


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `score`
) -> str:
    """The column of turns.

    Raises: `OptionError` beside weights, bounds and options that look behind the outcomes.
    """
    column = given["budget_column"]
    if not isinstance(column, str) or not column:
        raise OptionTypeError("budget_column", must="be the name of a column", got=column)
    refuse_beside("budget_column", given)
    return column


def measure(column: str, asked: Asked) -> ByTurn:
    """The surface of each model, at the budgets of pass@k and limits that all models share.

    Raises: `OptionError` for a success without a turn, and where nothing was solved.
    """
    found = load_numbers("budget_column", column, asked)
    turns = {model: read_turns(one, column) for model, one in found.items()}
    every = np.concatenate([np.repeat(turn, times) for _, turn, times in turns.values()])
    if not every.size:
        raise OptionError("budget_column", "a surface needs a success", found="none")
    limits = choose_limits(every, np.unique(every), LIMITS)
    confidence_level, rows = asked.style.confidence_level, []
    for model, own in turns.items():
        counts = found[model].counts
        ks = choose_metrics(counts, "pass@k", asked.k)[0][0].ks
        rows += surface_rows(model, counts, own, limits, ks, confidence_level)
    names = {name for one in found.values() for name in one.counts.questions.tolist()}
    shown = choose_limits(every, limits, SHOWN)
    return ByTurn(column, confidence_level, len(names), tuple(limits.tolist()),
                  tuple(shown.tolist()), tuple(rows))


def read_turns(
    samples: Numbered, column: str,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    "Question, turn and number of the successes of each row that has some."
    right, rows = samples.correct == 1, samples.rows
    place, turn = rows.question[right], samples.number[right]
    for bad, said in ((~np.isfinite(turn), "without"), (turn < 0, "below 0")):
        if not bad.any(): continue
        where = faults(np.bincount(place, bad, len(rows.questions)) > 0, rows.questions)
        raise OptionError("budget_column", f"every success needs a number of at least 0 in "
                          f"{column!r}, where its try ended", found=f"one {said}{where}")
    return place, turn, rows.times[right]


def choose_limits(turns: np.ndarray, known: np.ndarray, most: int) -> np.ndarray:
    "All limits that are known where they are few, else those at quantiles of the successes."
    if len(known) <= most: return known
    quantiles = np.quantile(turns, np.arange(1, most + 1) / most, method="inverted_cdf")
    return np.unique(known[np.searchsorted(known, quantiles)])


def surface_rows(
    model: str, counts: Counts, turns: tuple[np.ndarray, np.ndarray, np.ndarray],
    limits: np.ndarray, ks: np.ndarray, confidence_level: float,
) -> list[TurnRow]:
    "All tries at all limits, with one band over them."
    place, turn, times = turns
    solved = count_by_limit(place, turn, limits, len(counts), times)
    states, state = distinct_rows([counts.n, *solved.T])
    n, hits = states[0], np.stack(states[1:], 1)
    table = pass_at_k(n[:, None], hits, ks)
    # Forth and back over the tries: neighbours in the band differ by one step.
    table[:, 1::2] = table[:, 1::2, ::-1]
    table = table.reshape(len(n), -1)
    units = sampling_units(Values(table, state, np.bincount(state)), (0, 1), counts.cluster, None)
    band = band_of(units, confidence_level)
    own = estimates_of(units, k=np.arange(1, table.shape[1] + 1)).intervals(confidence_level)
    # The band is an approximation, an interval is not: the band never is the narrower one.
    low = [end if one is None else min(end, one.low) for end, one in zip(band.low, own)]
    high = [end if one is None else max(end, one.high) for end, one in zip(band.high, own)]
    sides = np.stack([band.value, low, high]).reshape(3, len(limits), len(ks))
    sides[:, 1::2] = sides[:, 1::2, ::-1]
    method = Method(band.method)
    return [TurnRow(k, float(limit), float(value), Interval(
                float(low), float(high), confidence_level, "new_questions", method), model)
            for limit, columns in zip(limits, sides.transpose(1, 2, 0))
            for k, (value, low, high) in zip(ks.tolist(), columns)]


# In words.

CENSORED = ("A try that was cut off before a limit counts as unsolved there; agents that are told "
            "their limit behave otherwise.")


def blocks(found: ByTurn) -> list[Block]:
    "The surface of each model in a sentence, as a figure and as a table."
    said: list[Block] = []
    for model in dict.fromkeys(one.model for one in found.rows):
        rows = [one for one in found.rows if one.model == model]
        shown = [one for one in rows if one.most in found.shown]
        said += [Text(surface_sentence(found, rows)), draw_surface(found, model, shown),
                 make_grid(found, model, shown)]
    methods = " and ".join(sorted({str(one.interval.method) for one in found.rows}))
    all_of = f"{len(found.shown)} of {len(found.limits)} limits are shown; files have them all. "
    return [*said, Text(f"{all_of * (len(found.shown) < len(found.limits))}Below each estimate: "
                        f"{level(found.confidence_level)} band that holds all tries and all limits "
                        f"of a model, new questions ({methods}). {CENSORED}", "note")]


def name_limit(found: ByTurn, most: float) -> str: return f"{found.column} <= {most:.6g}"


def surface_sentence(found: ByTurn, rows: list[TurnRow]) -> str:
    "What the most tries solve without a limit, and where half of the successes came."
    who = name_block((rows[-1].model, ""))
    last, half = rows[-1], found.shown[(len(found.shown) - 1) // 2]
    short = next(one for one in rows if (one.k, one.most) == (last.k, half))
    whole = (f"{f'{who}: ' if who else ''}{name_tries(last.k)} with {name_limit(found, last.most)} "
             f"solve {percent(last.solved)} of questions ({write_band(found, last)}, new "
             f"questions)")
    if last.most == half: return f"{whole}."
    return (f"{whole}; with {name_limit(found, half)}: {percent(short.solved)} "
            f"({write_band(found, short)}).")


def write_band(found: ByTurn, one: TurnRow) -> str:
    return f"{level(found.confidence_level)} band {interval(one.low, one.high)}"


def make_grid(found: ByTurn, model: str, rows: list[TurnRow]) -> Grid:
    "A line for each limit, a column for each number of tries."
    ks = list(dict.fromkeys(one.k for one in rows))
    cells: dict[float, list[Cell]] = {}
    for one in rows:
        ends = write_interval(one.low, one.high, True, 1)
        cells.setdefault(one.most, []).append(Cell(percent(one.solved), (ends,)))
    lines = [GridLine(name_limit(found, most), "", tuple(line)) for most, line in cells.items()]
    heads = [f"{'k = ' * (not i)}{k}" for i, k in enumerate(ks)]
    return Grid("pass@(k, T)", tuple(heads), tuple(lines), (), model, order_budgets(ks))


def draw_surface(found: ByTurn, model: str, rows: list[TurnRow]) -> Curves:
    "A curve over the tries for each limit."
    curves: dict[float, list[TurnRow]] = {}
    for one in rows: curves.setdefault(one.most, []).append(one)
    series = [Series(name_limit(found, most), "", [one.k for one in line],
                     [one.solved for one in line], [one.low for one in line],
                     [one.high for one in line], [point_in_words(found, one) for one in line])
              for most, line in curves.items()]
    return Curves(series, f"share solved over tries, a curve for each limit of {found.column}",
                  model, "solved", level=found.confidence_level, across="k, tries")


def point_in_words(found: ByTurn, one: TurnRow) -> str:
    return (f"{name_tries(one.k)}, {name_limit(found, one.most)}: {percent(one.solved)} "
            f"({interval(one.low, one.high)})")
