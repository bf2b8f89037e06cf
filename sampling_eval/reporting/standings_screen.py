"""The first screen of several systems: who is first, and who cannot be told apart."""
from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..inference.estimate import TARGETS
from .headline import say_count
from .letters import letter_models, say_leader, say_letters
from .matrix import order_budgets
from .numbers import digits
from .openings import say_read
from .parts import Cell, GridLine, Lead, Matrix, Note, Part

if TYPE_CHECKING: from .standings import Standings

__all__ = ["screen_standings", "open_standings"]

FEW = 3  # Metrics with a sentence each


def screen_standings(
    standings: Standings,  # Several systems compared
) -> list[Part]:  # Who is first, and the means of all
    "What the first screen of several systems says."
    level, target = standings.confidence_level, TARGETS[standings.target]
    said = ["Below each mean the ranks that the model may have.",
            say_letters(level, f"for {target}", len(standings.rankings) > 1),
            "" if standings.next is None else standings.next.sentence,
            *say_left_out(standings.alignment),
            "Every pair with its difference, interval and p value: --how, or any file.",
            say_read(standings.read)]
    opening = Lead(say_size(standings)), Lead(say_first(standings)), make_grid(standings)
    return [*opening, *map(Lead, filter(None, said))]


def open_standings(
    standings: Standings,  # Several systems compared
) -> list[Part]:  # What is compared, the answer, and the table
    "How every other form of several systems begins."
    return [Note(say_size(standings)), Lead(say_first(standings)), make_grid(standings)]


def say_size(standings: Standings) -> str:
    "How many systems there are, and on how many questions."
    systems = next(iter(standings.rankings.values())).systems
    found = re.match("[0-9]+", standings.alignment)
    questions = f", the same {say_count([int(found[0])], 'question')}" if found else ""
    title = f"{standings.title}: " if standings.title else ""
    return f"{title}{len(systems)} models{questions}"


def say_first(standings: Standings) -> str:
    "Who is first in each metric; in the first and the last one where there are many."
    metrics = list(standings.rankings)
    if len(metrics) > FEW: metrics = [metrics[0], metrics[-1]]
    return " ".join(say_metric(standings, metric) for metric in metrics)


def say_metric(standings: Standings, metric: str) -> str:
    ranking = standings.rankings[metric]
    names = list(map(str, ranking.systems))
    return say_leader(metric, names, digits(float(ranking.means[0])), letter_models(ranking.tied))


def make_grid(standings: Standings) -> Matrix:
    "Systems by metrics: means with letters, above the ranks that are possible."
    systems = next(iter(standings.rankings.values())).systems
    columns = [list_cells(standings, metric) for metric in standings.rankings]
    lines = [GridLine(str(system), "", tuple(cells[str(system)] for cells in columns))
             for system in systems]
    budgets = [int(re.sub("[^0-9]", "", metric.partition("_")[0]) or 0)
               for metric in standings.rankings]
    return Matrix("model", tuple(standings.rankings), tuple(lines), order=order_budgets(budgets))


def list_cells(standings: Standings, metric: str) -> dict[str, Cell]:
    "The mean of each system, its possible ranks and its letters."
    ranking = standings.rankings[metric]
    letters = letter_models(ranking.tied)
    columns = ranking.systems, ranking.means, ranking.rank_low, ranking.rank_high
    return {str(system): Cell(digits(float(mean)), (say_rank(low, high),), letters[str(system)])
            for system, mean, low, high in zip(*columns, strict=True)}


def say_rank(low: int, high: int) -> str: return f"{low}" if low == high else f"{low}–{high}"


def say_left_out(alignment: str) -> list[str]:
    "Which questions not all systems have; nothing where all have the same."
    left_out = re.search(r"\b[1-9][0-9]* left out", alignment)
    return [f"Questions: {alignment}."] if left_out else []
