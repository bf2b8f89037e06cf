"""Diagnostics of samples: runs that differ or agree, numbers of samples that depend on outcomes.

All tests of a report together accuse sound data with a chance of `CAUTION_LEVEL` at most.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import erfc, sqrt

import numpy as np

from ...foundations.checks import normalized
from ...foundations.counts import Counts
from ...inference.rerun import cochran_test, pair_test, rough_cochran, share_disagreeing
from ...inference.run_tests import ABSENT
from ...results.cautions import (AllAgree, Attempts, Caution, ClusterSizes, DuplicateRuns,
                                 EmptyRuns, OddRun, RepeatedFile, RightSpellings, RunEffect,
                                 SampleCount, ShortLog, StoppedAtSuccess, Test)
from ...results.reading import Coverage, Repeat
from .runs import (LARGE, RunTable, Total, bound_copies, bound_reruns, bound_shares, bound_stopping,
                   drop_runs, empty_runs, first_sample_test, group_equal_runs, last_sample_test,
                   mark_sorted, name_runs, poisson_binomial_test, total_runs)

CAUTION_LEVEL = 1e-3  # Chance of a caution about sound data, for all tests of a report together
EXACT_BELOW = 30  # Times the level: approximate p value beyond which the exact one is not looked at
FEWEST = 20  # Questions on which equal samples say something
CHAINED = {"attempt", "attempts", "retry", "retries", "turn", "turns", "round", "rounds"}

# Tests of one fault: the share of the level of each, and the test at a level. The first that
# finds it speaks.
Checks = list[tuple[int, Callable[[float], Caution | None]]]


def cautions_of(
    counts: Counts,  # Counts of one system
    target: str = "new_questions",  # Target of the error bars
    table: RunTable | None = None,  # Runs of its samples; None where they are not known
    models: int = 1,  # Systems of the report, which share the level
) -> Iterator[Caution]:  # Empty where there is nothing to say
    "What may be wrong with the samples of one system."
    if table is not None and (empty := empty_runs(table)):
        runs, sizes = zip(*empty)
        yield EmptyRuns(name_runs(table, runs), sizes, table.word)
        table = drop_runs(table, runs)
    if table is not None and (len(table.names) < 2 or not table.binary and not table.answers):
        table = None
    order = sample_order(table)
    sized = size_checks(counts, None if order == "right first" else table,
                        None if order else table)
    checks = run_checks(None if order else table)
    shares = sum(share for own in (sized, *checks) for share, _ in own)
    level = CAUTION_LEVEL / models / max(1, shares)
    found = [check_first(sized, level)]
    # Where the outcome says how often a question is sampled, places differ of themselves.
    if found[0] is None: found = [check_first(own, level) for own in checks]
    yield from filter(None, found)
    if counts.cluster is not None and target != "same_questions":
        yield from caution_clusters(counts.cluster)


def check_first(checks: Checks, level: float) -> Caution | None:
    "What the first test finds that finds something."
    return next(filter(None, (check(share * level) for share, check in checks)), None)


def size_checks(counts: Counts, ending: RunTable | None, table: RunTable | None) -> Checks:
    "Whether the number of samples depends on the outcomes."
    if counts.c is None or counts.n_min == counts.n_max: return []
    return [(1, partial(find_stopping, counts, ending)),
            (3, partial(find_dependence, counts, table))]


def run_checks(table: RunTable | None) -> list[Checks]:
    "Whether runs differ, and whether they agree."
    if table is None: return []
    differ: Checks = [(4, partial(find_odd_run, table)), (1, partial(find_run_effect, table))]
    # Copies make p so small that little of the level finds them.
    agree: Checks = [(1, partial(find_copies, table)), (2, partial(find_duplicates, table))]
    return [differ if table.binary else [], agree if len(table.names) > 2 else []]


def sample_order(table: RunTable | None) -> str:
    """How samples stand in the order of their outcomes; empty where they do not.

    Of runs with names that takes questions with different numbers of right samples: a run that
    broke off is wrong everywhere, and may well be the last one.
    """
    if table is None or not table.binary: return ""
    outcomes = table.list_outcomes()
    right, held = (outcomes == 1).sum(1), (outcomes >= 0).sum(1)
    flaky = (right > 0) & (right < held)
    if table.word == "run" and len(set(right[flaky].tolist())) < 2: return ""
    first, last = mark_sorted(outcomes).tolist()
    return "right first" if first else "right last" if last else ""


# Runs that differ.

def find_odd_run(
    table: RunTable,  # Runs of one system
    level: float = CAUTION_LEVEL,  # Chance of a caution about sound data
) -> OddRun | None:  # None where no run is far off
    """The run whose number of right samples is least likely, if that is too unlikely.

    If samples are independent, every run is as likely as any other to hold each of the `c` right
    ones among the `n` of a question. Given the counts, the total of a run therefore is a sum of
    independent 0 or 1 with means `c / n`: an exact permutation test within questions.
    """
    if not table.binary or len(table.names) < 2: return None
    n, right = table.count_right()
    share = right / n
    totals = total_runs(table, share)
    run = int(np.argmax([total.distance for total in totals]))
    near = erfc(totals[run].distance / sqrt(2))
    if len(totals) * near > EXACT_BELOW * level: return None
    means = share[table.find_questions(run)]
    p = min(1., len(totals) * poisson_binomial_test(totals[run].right, means))
    return odd_run_of(table, totals, run, p) if p < level else None


def odd_run_of(table: RunTable, totals: list[Total], run: int, p: float) -> OddRun:
    "Which run is far off; of two runs nobody knows which one is."
    odd = [0, 1] if len(totals) == 2 else [run]
    some = [totals[i] for i in odd]
    rest = [one.right / one.size for i, one in enumerate(totals) if i not in odd]
    return OddRun(name_runs(table, odd), tuple(one.right for one in some),
                  tuple(one.size for one in some), tuple(one.missing for one in some), len(rest),
                  min(rest, default=None), max(rest, default=None), table.word, p=p,
                  test="permutation" if totals[run].size <= LARGE else "normal",
                  comparisons=len(totals))


def find_run_effect(
    table: RunTable,  # Runs of one system
    level: float = CAUTION_LEVEL,  # Chance of a caution about sound data
) -> RunEffect | None:  # None where runs differ no more than chance explains
    "Cochran's Q of all runs together, with the runs that are right least and most often."
    outcomes = table.list_outcomes()
    if rough_cochran(outcomes) > EXACT_BELOW * level: return None
    # Enough permutations that the smallest p value lies well below the level.
    found = cochran_test(outcomes, max(9999, int(4 / level)))
    if not found.p < level: return None
    share = outcomes[(outcomes >= 0).all(1)].mean(0)
    ends = [int(share.argmin()), int(share.argmax())]
    tests: dict[str, Test] = {"exact": "cochran", "permutation": "cochran permutation",
                              "chi-square": "cochran chi-square"}
    return RunEffect(name_runs(table, ends), tuple(share[ends].tolist()), len(table.names),
                     found.q, found.permutations, table.word, count_looked(table, outcomes),
                     p=found.p, test=tests[found.method])


# Runs that agree.

def find_duplicates(
    table: RunTable,  # Runs of one system
    level: float = CAUTION_LEVEL,  # Chance of a caution about sound data
) -> DuplicateRuns | None:  # None where no two runs agree beyond chance
    "The runs that agree with the first one of the least likely pair, if that is too unlikely."
    if len(table.names) < 3: return None
    kinds = table.list_kinds()
    pairs = pair_test(kinds)
    if pairs.p.min() * len(pairs.p) >= level: return None
    # What ranks systems takes long to import, and honest runs do without.
    from ...inference.ranking import holm
    p = holm(pairs.p)
    alike = np.flatnonzero(p < level)
    best = alike[np.lexsort((pairs.second[alike], pairs.first[alike], pairs.p[alike]))[0]]
    # All runs that differ from the first one as rarely as the best pair does.
    here = (pairs.first == pairs.first[best]) & (pairs.differ <= pairs.differ[best]) & (p < level)
    group = [int(pairs.first[best]), *pairs.second[here].tolist()]
    shared = int(pairs.shared[best])
    return DuplicateRuns(
        name_runs(table, group), len(table.names), differ=int(pairs.differ[best]), shared=shared,
        expected=float(share_disagreeing(kinds).mean() * shared), answers=table.answers,
        looked=count_looked(table, kinds), word=table.word,
        p=float(p[best]), test="permutation", comparisons=len(p))


def find_copies(
    table: RunTable,  # Runs of one system
    level: float = CAUTION_LEVEL,  # Chance of a caution about sound data
) -> DuplicateRuns | None:  # None where the runs do not fall into such groups
    "Whether every run is there several times, which counts every sample as several."
    if not table.binary or len(table.names) < 4: return None
    outcomes = table.list_outcomes()
    p, times = bound_copies(outcomes)
    if p >= level: return None
    first, _ = group_equal_runs(outcomes)
    return DuplicateRuns(name_runs(table, first), len(table.names), times,
                         looked=count_looked(table, outcomes), word=table.word, p=p, test="bound")


def count_looked(table: RunTable, some: np.ndarray) -> int | None:
    "Questions that were looked at; None where these are all."
    return None if len(some) == table.questions else len(some)


def find_agreement(
    counts: Counts,  # Counts of one system
) -> AllAgree | None:  # None where samples differ somewhere
    """Whether all samples of each question agree, which no test of outcomes can judge.

    Answers are held against each other where there are any.
    """
    n, c, votes = counts.n, counts.c, counts.votes
    if counts.n_min < 2 or len(counts) < FEWEST: return None
    if c is None and votes is None: return None
    # No question is flaky, and some are right and some wrong.
    if c is not None and not (((c == 0) | (c == n)).all() and c.any() and (c < n).any()):
        return None
    if votes is None or votes.blank.any(): return AllAgree(len(counts))
    # Different answers are no copies.
    return None if len(votes.answer) > len(counts) else AllAgree(len(counts), answers=True)


# Numbers of samples that depend on outcomes: failures run again, or stopped at a success.

def find_stopping(
    counts: Counts,  # Counts of one system
    table: RunTable | None = None,  # Its runs in the order in which they were drawn, if known
    level: float = CAUTION_LEVEL,  # Chance of a caution about sound data
) -> StoppedAtSuccess | None:  # None where samples do not look so, or may by chance
    "Whether samples were drawn until the first success."
    from ...inference.sequential import stopped_at_success
    if counts.c is None or not stopped_at_success(counts.n, counts.c): return None
    ends = None if table is None else first_and_last_outcomes(table)
    if ends is not None:
        n, _, _, last = ends
        # The order is known, and a success stands elsewhere.
        if not last[n < n.max()].all(): return None
    p = bound_stopping(counts.n, ends is not None)
    if p >= level: return None
    return StoppedAtSuccess(int((counts.n < counts.n_max).sum()), ends is not None, p=p,
                            test="bound")


def find_dependence(
    counts: Counts,  # Counts of one system
    table: RunTable | None = None,  # Its runs, if they are known
    level: float = CAUTION_LEVEL,  # Chance of a caution about sound data
) -> SampleCount | None:  # None where it may well be chance
    "Whether questions with the fewest samples are right more often, or less, than all others."
    n, c = counts.n, counts.c
    if c is None or counts.n_min == counts.n_max: return None
    tests: list[tuple[float, Test]] = [(bound_reruns(n, c), "bound"), (bound_shares(n, c), "bound")]
    ends = None if table is None else first_and_last_outcomes(table)
    if ends is not None and ends[0].min() < ends[0].max():
        held, right, first, last = ends
        tests += [(first_sample_test(held, first), "fisher"),
                  (last_sample_test(held, right, last), "last")]
    p, test = min(tests)
    p = min(1., len(tests) * p)
    if p >= level: return None
    few, share = n == n.min(), c / n
    return SampleCount(int(n.min()), (int(few.sum()), int((~few).sum())),
                       (float(share[few].mean()), float(share[~few].mean())), p=p, test=test,
                       comparisons=len(tests))


def first_and_last_outcomes(table: RunTable) -> tuple[np.ndarray, ...] | None:
    "Samples, right ones, first and last outcome of each question; None without a known order."
    if not table.binary: return None
    outcomes = table.list_outcomes()
    held = outcomes != ABSENT
    n, each = held.sum(1), np.arange(len(outcomes))
    if not n.all(): return None
    first = outcomes[each, held.argmax(1)]
    last = outcomes[each, held.shape[1] - 1 - held[:, ::-1].argmax(1)]
    return n, ((outcomes == 1) & held).sum(1), first, last


# Columns, files, clusters.

def caution_attempts(
    column: str,  # Column that numbers the samples
) -> Iterator[Attempts]:
    "A caution where the name of the samples says that each may have seen the one before."
    if CHAINED & set(re.findall("[a-z]+", column.lower())): yield Attempts(column)


def caution_files(
    repeats: Iterable[Repeat],  # Logs that are several equal parts
    totals: Iterable[Coverage],  # Totals that logs store
) -> Iterator[Caution]:
    "Files that were appended to themselves, and logs that hold fewer samples than their run."
    for one in repeats: yield RepeatedFile(one.file, one.lines, one.times)
    for total in totals:
        if total.left_out: yield ShortLog(total.file, total.found, total.expected, total.where)


def caution_spellings(
    counts: Counts,  # Counts of one system, with votes
) -> Iterator[RightSpellings]:
    "A caution where right answers of one question have votes of their own."
    votes = counts.votes
    if votes is None: return
    right = np.flatnonzero(votes.correct)
    several = np.bincount(votes.question[right], minlength=len(votes)) > 1
    if not several.any(): return
    right = right[several[votes.question[right]]]
    question, answers = votes.question[right], votes.answer[right].tolist()

    def count_left(rule: str) -> int:
        "Questions that still have several right answers under a rule."
        kinds = {(q, normalized(answer, rule)) for q, answer in zip(question.tolist(), answers)}
        return int((np.bincount([q for q, _ in kinds]) > 1).sum())
    number = int(several.sum())
    left = {rule: count_left(rule) for rule in ("strip", "lower", "number")}
    rule = min(left, key=lambda name: left[name])
    helps = left[rule] < number
    yield RightSpellings(number, len(votes), str(votes.questions[question[0]]),
                         tuple(str(answer)[:60] for answer in answers[:2]),
                         rule if helps else None, left[rule] if helps else number)


def caution_sides(sides: Mapping[str, Counts]) -> Iterator[RightSpellings]:
    "The same of several systems."
    for name, counts in sides.items():
        for one in caution_spellings(counts): yield one.of(name)


def caution_clusters(
    cluster: np.ndarray,  # Group of each question
) -> Iterator[ClusterSizes]:
    "A caution where clusters differ in size."
    _, sizes = np.unique(cluster, return_counts=True)
    if sizes.min() < sizes.max():
        yield ClusterSizes(len(sizes), int(sizes.min()), int(sizes.max()))
