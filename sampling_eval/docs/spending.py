"""The explorer of what trying until success costs, and the table shown where scripts do not run."""
from __future__ import annotations

from ..foundations.counts import check_counts
from ..metrics.cost import spend_at_k
from ..metrics.passk import pass_at_k
from .display import Table
from .explorer import Explorer, check_choice, slide

__all__ = ["spend_explorer", "list_stops"]

STOPS = {
    "one try": "the first try, whatever it shows",
    "stop at success": "until one is right, at most k",
    "always k": "all k tries, whatever they show"}


def list_stops(
    n: int,  # Samples drawn
    c: int,  # Correct ones among them
    k: int,  # Most tries
    right: int,  # Cost of a right try
    wrong: int,  # Cost of a wrong one
) -> list[tuple[str, str, str, str, str]]:  # Rule, tries, solved, spend, per solved
    "What each rule spends on one question, how often it solves it, and the ratio of both."
    prices = dict(right=right, wrong=wrong)
    one, some = (float(spend_at_k(n, c, tries, **prices)) for tries in (1, k))
    solved, spend = [float(pass_at_k(n, c, tries)) for tries in (1, k, k)], [one, some, k * one]
    return [(*rule, f"{share:.3f} solved", f"{paid:.3f} spent",
             f"{paid / share:.3f} per solved" if share else "never solved")
            for rule, share, paid in zip(STOPS.items(), solved, spend, strict=True)]


def spend_explorer(
    n: int = 10,  # Samples drawn, up to 20
    c: int = 2,  # Correct ones among them
    k: int = 5,  # Most tries
    right: int = 2,  # Cost of a right try, 0 to 20
    wrong: int = 4,  # Cost of a wrong one, 0 to 20
    *,
    choice: str = "stop at success",  # Rule shown first
) -> Explorer:  # The figure
    """What one question costs who tries at most `k` times, by three rules, from its counts.

    Raises: `ValueError` or `TypeError` unless `1 <= k <= n <= 20` and `0 <= c <= n` are ints and
    costs lie in 0 to 20.
    """
    check_counts(n, c, k)
    if n > 20: raise ValueError(f"need n <= 20, got n={n}")
    if not (right in range(21) and wrong in range(21)):
        raise ValueError(f"costs must be whole numbers from 0 to 20, got {right} and {wrong}")
    check_choice(choice, STOPS)
    rows = list_stops(n, c, k, right, wrong)
    return Explorer(
        "spend",
        [slide("n", "samples drawn, n", 1, 20), slide("c", "correct ones, c", 0, "n"),
         slide("k", "most tries, k", 1, "n"), slide("right", "cost of a right try", 0, 20),
         slide("wrong", "cost of a wrong try", 0, 20)],
        {"n": n, "c": c, "k": k, "right": right, "wrong": wrong, "choice": choice},
        Table(rows, "rule", "tries made", "solved", "spend", "per solved"),
        "Move a slider; choose a rule in the table. All orders of the samples are equally likely;"
        " everything is counted exactly, in this page.",
        f"{n} samples, {c} correct; a right try costs {right}, a wrong one {wrong}: "
        f"{choice} at k = {k}: {rows[list(STOPS).index(choice)][3]}.",
        presets={"One in ten": {"n": 10, "c": 1, "k": 10, "choice": "stop at success"},
                 "Success is dear": {"n": 10, "c": 6, "k": 4, "right": 15, "wrong": 2}},
        meaning=STOPS)
