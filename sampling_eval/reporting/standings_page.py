"""The page of several systems: who is better, the curves, every value, and every pair."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..report.axis import shorten_names
from ..report.blocks import Table
from .advice import say_next
from .aligned import align_ends, align_level, align_points
from .numbers import p_text, percent
from .openings import say_read
from .parts import Folded, Heading, Lead, Note, Part, Sentence
from .points import say_size, say_terms
from .provenance import list_origin, tell_date
from .standings_screen import make_grid
from .standings_words import (WHOM, describe_standings, list_analyses, say_first, say_marks,
                              say_material, say_others)
from .versus_chart import chart_standings, list_curves

if TYPE_CHECKING: from .standings_facts import Pair, StandingsFacts

__all__ = ["standings_page"]

LETTERS = 14  # Letters of a name in a column


def standings_page(
    standings: StandingsFacts,  # Several systems compared
) -> list[Part]:  # The answer, the curves, every value, and what is folded
    "What the page of several systems says, in order."
    told = say_others(standings), say_next(standings.next)
    terms = Note(say_terms(percent(standings.confidence_level)))
    return [Note(f"{say_material(standings)}; {tell_date()}"), Lead(say_first(standings)),
            *map(Sentence, filter(None, told)), terms, *list_curves(chart_standings(standings)),
            Heading("Every metric"), make_grid(standings, align_level),
            *map(Sentence, list_analyses(standings)), *map(Note, say_marks(standings)),
            *fold_rest(standings)]


def fold_rest(standings: StandingsFacts) -> list[Part]:
    "The pairs of each metric, the method, and what was read when."
    pairs = [Folded("All pairs", list_pairs(standings))] * bool(standings.rows)
    told = f"Questions: {standings.alignment}.", say_read(standings.read)
    return [*pairs, Folded("How it was computed", [Sentence(describe_standings(standings))]),
            Folded("What was read", [*map(Sentence, filter(None, told)), *list_origin()])]


def list_pairs(standings: StandingsFacts) -> list[Part]:
    "Every pair of systems, metric by metric."
    level = percent(standings.confidence_level)
    least = f"{1 - standings.confidence_level:.2g}"
    told = (f"Decided {WHOM[standings.target]} where the p value for all pairs at once (Holm's "
            f"correction) is at most {least}. 'Could be' and p are of each pair by itself, so "
            "that they may look decided where the verdict is not.")
    heads = ["pair", "verdict", "difference", f"could be ({level} %)", "standard error", "p",
             "p, all pairs"]
    names = shorten_systems(standings)
    tables = [Table(heads, [write_pair(row, names) for row in standings.rows
                            if row.metric == metric], metric, left=2)
              for metric in standings.rankings]
    return [Note(told), *tables]


def shorten_systems(standings: StandingsFacts) -> dict[str, str]:
    "Each system by the name that fits in a column."
    names = list(map(str, next(iter(standings.rankings.values())).systems))
    return dict(zip(names, shorten_names(names, LETTERS)))


def write_pair(row: Pair, names: Mapping[str, str]) -> list[str]:
    "A pair in points, the better one by name where that is decided."
    better = names[row.first if row.difference > 0 else row.second]
    error = "-" if row.stderr is None else say_size(row.stderr, row.metric)
    return [f"{names[row.first]} minus {names[row.second]}",
            f"decided: {better}" if row.apart else "not decided",
            align_points(row.difference, row.metric),
            align_ends(row.low, row.high, row.metric), error, p_text(row.p), p_text(row.p_holm)]
