"What is said of tries until a judge passes, and of tries split over sources."
from __future__ import annotations

from ..results.guarded import Guarded
from ..results.portfolio import Gain, SourceMix, Split
from .blocks import Block, Table, Text
from .format import count, difference, difference_interval, interval, join, level, percent

__all__ = ["list_guarded", "list_portfolio"]

HEADS = ["most tries", "reported", "right", "wrong", "CI", "right with the last",
         "pass@k", "tries"]


def list_guarded(
    found: Guarded | None,  # None where no column of verdicts was named
) -> list[Block]:
    "The loop in a sentence, and at every limit of tries."
    if found is None: return []
    return [Text(describe_guarded(found)),
            Table(HEADS, [[f"{one.k}", percent(one.reported), percent(one.right),
                           percent(one.slip), interval(one.slip_low, one.slip_high, "share"),
                           percent(one.right_with_last), percent(one.pass_at_k),
                           f"{one.tries:.2f}"] for one in found.rows], left=0)]


def name_tries(k: int) -> str: return f"{k:,} {'try' if k == 1 else 'tries'}"


def describe_guarded(found: Guarded) -> str:
    "What is reported and what is right, at the largest limit."
    last = found.rows[-1]
    ends = interval(last.slip_low, last.slip_high, "share")
    return (f"Retried until {found.verdict} = 1, at most {name_tries(last.k)}: "
            f"{percent(last.reported)} reported, {percent(last.right)} right; delivered and wrong: "
            f"{percent(last.slip)} ({level(found.confidence_level)} CI {ends}, new questions).")


def list_portfolio(
    found: SourceMix | None,  # None where none was asked for
) -> list[Block]:
    "The best split, and its gain over each source alone."
    if found is None: return []
    best = found.best_split
    said = (f"Best split of {name_tries(found.k)}, chosen after looking: "
            f"{name_split(found, best)}, pass@{found.k} = {percent(best.estimate)} (simultaneous "
            f"{level(found.confidence_level)} band over {count(len(found.splits), 'split')} "
            f"{interval(best.low, best.high, 'share')}, new questions).")
    return [Text(said), *(Text(describe_gain(found, one)) for one in found.gains)]


def name_split(found: SourceMix, split: Split) -> str:
    "Tries of each source that is used: `base 21 and rl 11`."
    return join([f"{source} {tries}" for source, tries in zip(found.sources, split.tries) if tries])


def describe_gain(found: SourceMix, gain: Gain) -> str:
    "What the best split gains over one source alone."
    verdict = "significant" if gain.significant else "not significant"
    return (f"Over {gain.source} alone: {difference(gain.estimate, 'share')} (simultaneous "
            f"{level(found.confidence_level)} band "
            f"{difference_interval(gain.low, gain.high, 'share')}): {verdict}.")
