"""The first screen of several systems: who is first, and who cannot be told apart."""
from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..report.advice import describe_advice
from .letters import letter_models
from ..report.estimate_tables import order_budgets
from .numbers import digits
from .openings import say_read
from .parts import Cell, GridLine, Lead, Matrix, Note, Part
from .standings_words import (list_analyses, say_first, say_marks, say_material,
                              say_others)

if TYPE_CHECKING: from .standings_facts import StandingsFacts

__all__ = ["screen_standings", "open_standings", "make_grid"]


def screen_standings(
    standings: StandingsFacts,  # Several systems compared
) -> list[Part]:  # Who is first, and the means of all
    "What the first screen of several systems says."
    opening = say_first(standings), say_others(standings), say_material(standings)
    said = [*list_analyses(standings), *say_marks(standings),
            "" if standings.next is None else describe_advice(standings.next),
            *say_left_out(standings.alignment),
            "Every pair with its difference, interval and p value: --how, or any file.",
            say_read(standings.read)]
    return [*map(Lead, filter(None, opening)), make_grid(standings),
            *map(Lead, filter(None, said))]


def open_standings(
    standings: StandingsFacts,  # Several systems compared
) -> list[Part]:  # What is compared, the answer, and the table
    "How every other form of several systems begins."
    answer = " ".join(filter(None, (say_first(standings), say_others(standings))))
    return [Note(say_material(standings)), Lead(answer), make_grid(standings)]


def make_grid(
    standings: StandingsFacts,  # Several systems compared
    say: Callable[[float, str], str] | None = None,  # Writes a value of a metric; decimals if None
) -> Matrix:  # A line for each system
    "Systems by metrics: means with letters, above the ranks that are possible."
    systems = next(iter(standings.rankings.values())).systems
    columns = [list_cells(standings, metric, say or write_value) for metric in standings.rankings]
    lines = [GridLine(str(system), "", tuple(cells[str(system)] for cells in columns))
             for system in systems]
    budgets = [int(re.sub("[^0-9]", "", metric.partition("_")[0]) or 0)
               for metric in standings.rankings]
    return Matrix("model", tuple(standings.rankings), tuple(lines), order=order_budgets(budgets))


def write_value(value: float, metric: str) -> str: return digits(value)


def list_cells(
    standings: StandingsFacts, metric: str, say: Callable[[float, str], str],
) -> dict[str, Cell]:
    "The mean of each system, its possible ranks and its letters."
    ranking = standings.rankings[metric]
    letters = letter_models(ranking.tied)
    columns = ranking.systems, ranking.means, ranking.rank_low, ranking.rank_high
    return {str(system): Cell(say(float(mean), metric), (say_rank(low, high),),
                              letters[str(system)])
            for system, mean, low, high in zip(*columns, strict=True)}


def say_rank(low: int, high: int) -> str: return f"{low}" if low == high else f"{low}–{high}"


def say_left_out(alignment: str) -> list[str]:
    "Which questions not all systems have; nothing where all have the same."
    left_out = re.search(r"\b[1-9][0-9]* left out", alignment)
    return [f"Questions: {alignment}."] if left_out else []
