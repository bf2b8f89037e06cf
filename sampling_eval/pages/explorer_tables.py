"""What the tables of the explorers hold where no script runs.

The scripts in explorers/ compute the same; tests compare both with fractions.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from ..inference.estimate import clopper_pearson_limits, wilson_limits
from ..metrics.consensus import cons_at_k
from ..metrics.gpass import g_pass_at_k
from ..metrics.passhat import pass_hat_k
from ..metrics.passk import pass_at_k
from ..metrics.vote import maj_at_k
from ..render.format import count
from ..render.verdicts import word_of

__all__ = ["CLAIMS", "COUNT_CREDITS", "GOALS", "LACKS", "LEVELS", "LOGS", "COVERED_METHODS",
           "PEEK_RULES", "VOTE_CREDITS", "audit", "count_metrics", "z_of_level", "plan_rows",
           "chooser_rows", "interval_rows", "peeking_rows", "name_leader", "vote_metrics"]


def say_percent(share: float) -> str: return f"{100 * share:.1f} %"


# The urn: what is seen of n samples, c of them correct, when k are kept.
COUNT_CREDITS = {
    "pass@k": "at least one correct", "cons@k": "more than half correct",
    "G-Pass@k": "at least the share τ correct", "pass^k": "all correct",
    "avg@n": "share of correct ones"}


def count_metrics(
    n: int,  # Samples drawn
    c: int,  # Correct ones among them
    k: int,  # Samples kept
    tau: Fraction,  # Share asked by G-Pass@k
) -> dict[str, Any]:  # Values by the names of `COUNT_CREDITS`
    "Every metric of correct samples."
    return {
        "pass@k": pass_at_k(n, c, k), "cons@k": cons_at_k(n, c, k),
        "G-Pass@k": g_pass_at_k(n, c, k, tau), "pass^k": pass_hat_k(n, c, k), "avg@n": c / n}


# The vote: samples of four answers, the first of them right.
VOTE_CREDITS = {
    "pass@k": "at least one sample says A", "maj@k": "A wins the vote, ties are shared",
    "maj@k, ties lose": "A has more votes than any other", "cons@k": "more than half say A",
    "pass^k": "all say A", "avg@n": "share of samples that say A"}


def vote_metrics(
    votes: Sequence[int],  # Samples of each answer
    k: int,  # Samples that vote
) -> dict[str, Any]:  # Values by the names of `VOTE_CREDITS`
    "Every metric of samples that vote."
    n, right = sum(votes), votes[0]
    answers = [np.repeat(list("ABCD"), votes).tolist()]
    marks = [[o == "A" for o in answers[0]]]
    return {
        "pass@k": pass_at_k(n, right, k), "maj@k": maj_at_k(answers, marks, k)[0],
        "maj@k, ties lose": maj_at_k(answers, marks, k, ties="wrong")[0],
        "cons@k": cons_at_k(n, right, k), "pass^k": pass_hat_k(n, right, k), "avg@n": right / n}


def name_leader(
    low: float,  # Lower end of an interval of the difference
    high: float,  # Upper end
    names: Sequence[str],  # The first system and the second
) -> str:
    "Who is ahead where an interval of the difference leaves zero."
    if low > 0: return f"{names[1]} is ahead"
    return f"{names[0]} is ahead" if high < 0 else word_of("inconclusive")


# Peeking: looks at a run of questions that one of two systems wins.
PEEK_RULES = {
    "one look": "sign test at the end", "every look": "sign test, each at 5 %",
    "level shared": "sign test, each at 5 % / looks",
    "wealth": "a bettor against equality has 20"}


def peeking_rows(
    looks: int,  # How often somebody looks
    step: int,  # Questions from look to look
    p: float,  # Chance that the second system wins one
) -> list[tuple[str, str, str]]:  # Rule, meaning, how often it announces a winner
    "Rows of the explorer of peeking."
    rules = stopping_rules(looks)
    return [(name, meaning, say_percent(announce(rules[name], looks, step, p)))
            for name, meaning in PEEK_RULES.items()]


def stopping_rules(looks: int) -> dict[str, Callable[[int, int], np.ndarray]]:
    "For each rule a function that says which numbers of wins stop at a look."
    def test(t, level):
        from scipy.stats import binom
        wins = np.arange(t + 1)
        return 2 * binom.sf(np.maximum(wins, t - wins) - 1, t, .5) <= level

    def grow_rich(t, at):
        from scipy.stats import binom
        return (t + 1) * binom.pmf(np.arange(t + 1), t, .5) <= 1 / 20

    return {
        "one look": lambda t, at: test(t, .05) & (at == looks),
        "every look": lambda t, at: test(t, .05),
        "level shared": lambda t, at: test(t, .05 / looks),
        "wealth": grow_rich}


def announce(stops: Callable[[int, int], np.ndarray], looks: int, step: int, p: float) -> float:
    "The chance that a rule stops at one of the looks."
    running, t = np.ones(1), 0
    for at in range(1, looks + 1):
        for _ in range(step): running = np.convolve(running, [1 - p, p])
        t += step
        running = np.where(stops(t, at), 0, running)
    return float(1 - running.sum())


# Plans: variance between questions and within them, in twentieths, by what is claimed.
CLAIMS: dict[str, Callable[[int], tuple[int, int]]] = {
    "new questions": lambda rho: (rho, 20 - rho),
    "same questions": lambda rho: (0, 20 - rho),
    "all samples independent": lambda rho: (0, 20)}


def plan_rows(
    questions: int,  # Questions
    n: int,  # Samples of each
    rate: int,  # Right answers in percent
    rho: int,  # Share of the variance between questions, in twentieths
    aim: int,  # Half-width wanted, in tenths of a point
) -> list[tuple[str, str, str]]:  # Claim, half-width, samples that are enough
    "Rows of the explorer of plans."
    return [(name, f"± {half_width(name, questions, n, rate, rho):.1f} points",
             say_least(samples_for_width(name, questions, rate, rho, aim))) for name in CLAIMS]


def say_least(samples: int | None) -> str:
    return "never enough" if samples is None else f"enough: {count(samples, 'sample')}"


def half_width(name: str, questions: int, n: int, rate: int, rho: int) -> float:
    "Half of the width of an interval in points."
    between, within = CLAIMS[name](rho)
    needed = 38416 * rate * (100 - rate) * (between * n + within)
    return sqrt(needed / (2000 * questions * n)) / 10


def samples_for_width(name: str, questions: int, rate: int, rho: int, aim: int) -> int | None:
    "The least samples of each question that are enough; None if no number is."
    between, within = CLAIMS[name](rho)
    one = 38416 * rate * (100 - rate)
    room = 2000 * aim**2 * questions - one * between
    if within == 0: return None if room < 0 else 1
    return None if room <= 0 else max(1, -(-one * within // room))


# Published scores.

def audit(
    score: int,  # Published score, in tenths of a percent
    questions: int,  # Questions of the benchmark
    tries: int,  # Tries of each question
    lead: int,  # Lead over a rival, in tenths of a point
) -> list[tuple[str, str, str]]:  # Name, what it says, value
    "What a published score can mean: its count, two 95 % intervals, the smallest p of a lead."
    total = questions * tries
    right = (score * total + 500) // 1000
    good = 2 * abs(1000 * right - score * total) <= total
    spread = min(questions, (lead * total + 500) // 1000)
    wide, narrow = (say_interval(score * o / 1000, o) for o in (questions, total))
    return [
        ("possible?", "some count of right answers gives the score", "yes" if good else "no"),
        ("widest interval", "every question always right, or never", wide),
        ("narrowest interval", "all questions equally hard", narrow),
        ("smallest p", "the lead, if no question speaks against it", say_smallest(spread))]


def say_interval(right: float, total: int) -> str:
    "The interval of Clopper and Pearson in percent; the count need not be whole."
    low, high = clopper_pearson_limits(right, total, .025)
    return f"{100 * low:.1f} to {100 * high:.1f}"


def say_smallest(spread: int) -> str:
    "Smallest two-sided p of a sign-flip test when so many questions differ, all in one direction."
    if spread < 2: return "1"
    return f"1/{2**(spread - 1):,}" if spread < 32 else "below 1 in a billion"


class Goal(NamedTuple):
    "What somebody wants to know, and the metric that says it."
    used: str  # What is used of the samples
    question: str  # What one wants to know
    metric: str
    needs: str  # What the log must hold, a key of `LACKS`
    says: str  # What the metric says; `of k` is replaced by the number
    note: str  # What it takes for granted
    page: str  # Where it is taught, inside nbs/
    call: str  # What to type; `{k}` is replaced by the number
    only: str = ""  # What limits a yes; else it is whether samples allow a rerun's error


NEW = "its error is for new questions"
GOALS = (
    Goal("one sample", "How good is one sample?", "avg@n", "flags",
         "how often one sample is correct", "It hides whether questions are easy or hard.",
         "metrics/average", 'score(log, "avg@n")'),
    Goal("one sample", "How right is a partly right answer?", "soft accuracy", "grades",
         "the mean credit of one answer", "A cut at one half is another metric, hard accuracy.",
         "metrics/average", "soft_accuracy(grades)", NEW),
    Goal("one sample", "How likely is the right choice?", "choice scores", "logprobs",
         "how the right choice ranks by probability", "Name what the lengths are counted in.",
         "metrics/choice", "choice_scores(logprobs, gold)", NEW),
    Goal("one of k", "Can it be done, if a judge picks?", "pass@k", "flags",
         "how often at least one of k samples is correct", "Without a judge it is no performance.",
         "metrics/passk", 'score(log, "pass@k", k={k})'),
    Goal("one of k", "Is the first that a judge passes right?", "guarded@k", "verdicts",
         "how often retrying until a judge passes, at most k times, delivers a correct sample",
         "pass@k of the verdicts is what would be reported.",
         "metrics/guarded", 'score(log, correct="truth", verdict="passed", k={k})', NEW),
    Goal("one of k", "What is true behind a judge that errs?", "corrected pass@k", "rates",
         "how often at least one of k samples is truly correct",
         "The judge's errors must be independent given the truth.",
         "inference/judges", 'score(log, correct="passed", judge=(.93, .9), k={k})'),
    Goal("one of k", "Do tries split over sources succeed?", "portfolio@k", "sources",
         "how often at least one of k samples, split over sources, is correct",
         "The samples are those of each source; the best split is chosen after looking.",
         "metrics/portfolio", 'score(log, by="model", portfolio={k})',
         "each source needs its share of the k"),
    Goal("one of k", "Does the commonest answer win?", "maj@k", "answers",
         "how often a vote of k answers is correct", "Say what ties and blanks count as.",
         "metrics/vote", 'score(log, "maj@k", k={k})'),
    Goal("one of k", "Does a verifier pick a right one?", "best@k", "verifier",
         "how often the best liked of k samples is correct", "Never choose k from the curve.",
         "metrics/bestof", 'score(log, "best@k", k={k})', NEW),
    Goal("one of k", "How many tries until a success?", "spend@k", "flags",
         "how many tries it takes until a success, at most k",
         'With costs it is money: <code>score(log, cost="cost")</code>.',
         "metrics/cost", "spend_at_k(n, c, {k})", NEW),
    Goal("all of k", "Does it work every time?", "pass^k", "flags",
         "how often all of k samples are correct", "Lost tries change it: say what they count as.",
         "metrics/passhat", 'score(log, "pass^k", k={k})'),
    Goal("all of k", "Do tries of a question disagree?", "flaky@k", "flags",
         "how often the outcomes of k samples are not all the same", "It is pass@k - pass^k.",
         "inference/rerun", "flaky_at_k(n, c, {k})"),
    Goal("all of k", "Are most samples correct?", "cons@k", "flags",
         "how often more than half of k samples are correct", "It is no vote on answers.",
         "metrics/consensus", 'score(log, "cons@k", k={k})'),
    Goal("all of k", "Is a share of the samples correct?", "G-Pass@k", "flags",
         "how often at least the share tau of k samples is correct", "It needs a tau, stated.",
         "metrics/gpass", 'score(log, "G-Pass@k", k={k})'),
    Goal("two runs", "How far does a rerun move the score?", "run difference", "flags",
         "which difference two single runs exceed in about 1 of 20 reruns",
         "It is of these questions, with one sample each; new ones move it more.",
         "inference/rerun", "rerun_facts(n, c)"),
)
LOGS = (
    ("right or wrong", ("flags",)), ("and the answers", ("flags", "answers")),
    ("and a verifier's scores", ("flags", "verifier")), ("grades from 0 to 1", ("grades",)),
    ("log-probabilities of choices", ("flags", "logprobs")),
    ("and a judge's verdicts", ("flags", "verdicts")),
    ("and the source of each sample", ("flags", "sources")),
    ("verdicts, and the judge's error rates", ("rates",)))
LACKS = {
    "flags": "which samples are right", "answers": "the answers themselves",
    "verifier": "a verifier's score of each sample", "grades": "a grade of each answer",
    "logprobs": "log-probabilities of the choices", "verdicts": "a judge's verdicts",
    "sources": "the source of each sample", "rates": "verdicts and their error rates"}


def chooser_rows(
    log: int,  # What is recorded: an entry of `LOGS`
    n: int,  # Samples per question
    k: int,  # Samples used together
) -> list[tuple[str, str, str]]:  # Question, metric, whether the log can give it
    "Rows of the chooser."
    return [(o.question, o.metric, say_missing(o, LOGS[log][1], n, k)) for o in GOALS]


def say_missing(goal: Goal, held: Sequence[str], n: int, k: int) -> str:
    "Whether a log can give a metric, and what it lacks."
    kept = goal.metric.endswith("k")
    if goal.needs not in held: return f"lacks {LACKS[goal.needs]}"
    needed = k if kept else 2 if goal.used == "two runs" else 1
    if needed > n: return f"needs {needed} samples"
    if goal.only: return f"yes; {goal.only}"
    least = 2 * k if kept else 2
    return "yes" if n >= least else f"yes; a rerun's error needs {least}"


# Intervals: the lower limits of every count of right answers, by method.
LEVELS = 80., 90., 95., 99., 99.9  # Promised coverage in percent


def z_of_level(
    level: float,  # Percent
) -> float:
    "The normal quantile of an interval."
    return NormalDist().inv_cdf(.5 + level / 200)


def limit_bootstrap(n: int, c: np.ndarray, level: float) -> np.ndarray:
    from scipy.stats import binom
    return binom.ppf(.5 - level / 200, n, c / n) / n


def limit_exactly(n: int, c: np.ndarray, level: float) -> np.ndarray:
    return clopper_pearson_limits(c, n, .5 - level / 200)[0]


COVERED_METHODS: dict[str, Callable[[int, np.ndarray, float], np.ndarray]] = {
    "Wald": lambda n, c, level: c / n - z_of_level(level) * np.sqrt(c * (n - c) / n) / n,
    "bootstrap": limit_bootstrap,
    "Wilson": lambda n, c, level: wilson_limits(c, n, .5 - level / 200)[0],
    "flat prior": lambda n, c, level: limit_exactly(n + 1, c + 1, level),
    "Gaffke": limit_exactly}


def interval_rows(
    n: int,  # Questions with one answer each
    rate: float,  # True rate of right answers
    level: float,  # Promised coverage in percent
) -> list[tuple[str, str, str]]:  # Method, coverage at the rate, coverage at the worst rate
    "Rows of the explorer of intervals."
    ends = {name: intervals_by_count(name, n, level) for name in COVERED_METHODS}
    return [(name, say_percent(cover(o, rate)), say_percent(lowest_coverage(o)))
            for name, o in ends.items()]


def intervals_by_count(name: str, n: int, level: float) -> np.ndarray:
    "Both ends for every count of right answers, shape `(n + 1, 2)`."
    c = np.arange(n + 1)
    low = np.maximum(COVERED_METHODS[name](n, c, level), 0)
    return np.stack([low, 1 - low[::-1]], 1)


def cover(ends: np.ndarray, rate: float, inside: float | None = None) -> float:
    "Chance of the counts whose interval holds a rate, or another one near it."
    from scipy.stats import binom
    inside = rate if inside is None else inside
    held = (ends[:, 0] <= inside + 1e-12) & (inside <= ends[:, 1] + 1e-12)
    return float(binom.pmf(np.arange(len(ends)), len(ends) - 1, rate) @ held)


def lowest_coverage(ends: np.ndarray) -> float:
    "The lowest coverage over all rates: it lies beside a limit of some interval."
    at = np.unique(np.concatenate([[0, 1], ends.ravel()]))
    wide = np.diff(at) > 1e-12
    spans = zip(at[:-1][wide], at[1:][wide], strict=True)
    return min(cover(ends, p, (low + high) / 2) for low, high in spans for p in (low, high))
