"""Verdicts in words: the one dictionary that sentences, tables and badges take them from.

A result, a file and the code hold values, those of `results.verdict`, of an audit or of a gate that
goes on; readers see what stands here.
"""
from __future__ import annotations

from typing import NamedTuple, TYPE_CHECKING

if TYPE_CHECKING: from ..results.verdict import Badge

__all__ = ["SIGNIFICANTLY", "WITHIN_MARGIN", "word_of", "capitals_of", "significance_of",
           "significantly", "mark_of", "badge_text"]


class Words(NamedTuple):
    "A verdict in the middle of a sentence, and the mark before it."
    word: str
    mark: str = ""


WORDS = {
    # An interval of a difference.
    "better": Words("better", "✓"), "worse": Words("worse", "✗"), "none": Words("no CI"),
    # A rule of a gate.
    "pass": Words("pass", "✓"), "fail": Words("fail", "✗"),
    # Either.
    "inconclusive": Words("inconclusive", "?"),
    # A gate that may be looked at again.
    "go on": Words("go on", "…"),
    # A difference, whichever side of 0 it is on; the spread of runs.
    "significant": Words("significant"), "not significant": Words("not significant"),
    "unknown": Words("significance unknown"),
    "within chance": Words("within chance"), "more than chance": Words("more than chance")}

SIGNIFICANTLY = "significantly"

# Whether two systems, by name, are the same within a margin.
WITHIN_MARGIN = dict(same="yes, {} and {} differ by less", different="no, they differ by more",
                     inconclusive=WORDS["inconclusive"].word)


def word_of(verdict: str) -> str:
    "`better`, `inconclusive`, `fail`."
    return WORDS[verdict].word


def capitals_of(verdict: str) -> str:
    "`PASS`, to open a sentence on a rule."
    return word_of(verdict).upper()


def significance_of(verdict: str) -> str:
    "`significant` on either side of 0, `inconclusive`."
    return word_of("significant" if verdict in ("better", "worse") else verdict)


def significantly(verdict: str) -> str:
    "`significantly better`, `inconclusive`."
    return f"{SIGNIFICANTLY} " * (verdict in ("better", "worse")) + word_of(verdict)


def mark_of(verdict: str) -> str:
    "`✓ PASS`, in a table."
    return f"{WORDS[verdict].mark} {capitals_of(verdict)}"


def badge_text(verdict: Badge) -> str:
    "`✓ PASS`, `? inconclusive`, beside a headline."
    if verdict in ("pass", "fail"): return mark_of(verdict)
    return f"{WORDS[verdict].mark} {significance_of(verdict)}"
