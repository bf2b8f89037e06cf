"""How far from the exact value is each formula, in relative error?

    python bench/how_accurate.py [--quick] [--out sampling_eval/examples/how_accurate.csv]

Every case is computed twice: by the package, in floats, and here, in integers of any length.
Nothing is shared between the two but the definition. A relative error of 1.1e-16 is the rounding of
the result itself. Values below 1e-300, where floats lose their digits, are counted and left out.

Grids: `small` is every case up to 10 samples; `usual` has up to 1,000 samples; `million` has
100,000 and 1,000,000; `rare` has up to 1,000,000,000 samples of which few are right, or few wrong.
"""
import argparse
import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, lcm, prod
from pathlib import Path
from statistics import median

import numpy as np

import sampling_eval as se
from sampling_eval.inference.significance import chance_of_heads
from sampling_eval.metrics.passk import pass_at_k_plugin
from sampling_eval.metrics.passhat import pass_hat_k_plugin

# Where one of c, n - c, k and n - k is no larger than this, the exact sum is quick.
FEW = 1000
SMALLEST = 10**300
FIELDS = "function", "grid", "cases", "median", "worst", "at", "tiny"
ERRORS = "median", "worst"


@dataclass(frozen=True)
class Exact:
    """A ratio of integers, never reduced: a divisor of a million digits is slow to find."""
    over: int
    under: int = 1

    def error_of(self, value: float) -> float:
        """Relative error of a float."""
        if not self.over: return 0. if value == 0 else float("inf")
        over, under = float(value).as_integer_ratio()
        return abs(over * self.under - self.over * under) / abs(self.over * under)

    @property
    def is_tiny(self) -> bool:
        return self.over != 0 and abs(self.over) * SMALLEST < self.under


def reduce_to_exact(value: Fraction) -> Exact: return Exact(value.numerator, value.denominator)


# Subsets of k of n samples, of which c are right.

def count_subsets(n: int, c: int, k: int) -> tuple[dict[int, int], int]:
    """Weights of j right samples, by j, and their sum: the subsets, or as many for each.

    Right and wrong change places, the subset and what it leaves out do, and c and k do: the way
    with the smallest integers is taken.
    """
    if c > n - c:
        flipped, every = count_subsets(n, n - c, k)
        return {k - j: number for j, number in flipped.items()}, every
    if k > n - k:
        left, every = count_subsets(n, c, n - k)
        return {c - j: number for j, number in left.items()}, every
    c, k = max(c, k), min(c, k)
    number, found = comb(n - c, k), {}
    for j in range(k + 1):
        found[j] = number
        number = number * (c - j) * (k - j) // ((j + 1) * (n - c - k + j + 1))
    return found, comb(n, k)


def exact_mean(credit: Callable[[int, int], Fraction | int]) -> Callable[[int, int, int], Exact]:
    """The mean of a credit of j right samples of k over all subsets."""
    def mean(n, c, k):
        subsets, every = count_subsets(n, c, k)
        credits = {j: Fraction(credit(j, k)) for j in subsets}
        # One divisor for all: fractions of a million digits are slow to reduce.
        under = lcm(*(value.denominator for value in credits.values()))
        total = sum(number * int(credits[j] * under) for j, number in subsets.items())
        return Exact(total, under * every)
    return mean


def miss_all(n: int, c: int, k: int) -> Exact:
    """C(n - c, k) / C(n, k); c and k may change places."""
    few, many = sorted((c, k))
    return Exact(comb(n - many, few), comb(n, few))


def hit_any(n: int, c: int, k: int) -> Exact:
    missed = miss_all(n, c, k)
    return Exact(missed.under - missed.over, missed.under)


def hit_all(n: int, c: int, k: int) -> Exact: return miss_all(n, n - c, k)


def hit_any_put_back(n: int, c: int, k: int) -> Exact: return Exact(n**k - (n - c)**k, n**k)


def hit_all_put_back(n: int, c: int, k: int) -> Exact: return Exact(c**k, n**k)


def disagree(n: int, c: int, k: int) -> Exact:
    any_right, all_right = hit_any(n, c, k), hit_all(n, c, k)
    return Exact(any_right.over * all_right.under - all_right.over * any_right.under,
                 any_right.under * all_right.under)


def count_tries(n: int, c: int, k: int) -> Exact:
    """Mean tries until a right sample, at most k: pass@k with one more right, times (n+1)/(c+1)."""
    missed = miss_all(n + 1, c + 1, k)
    return Exact((n + 1) * (missed.under - missed.over), (c + 1) * missed.under)


# Grids of n, c and k.

def spread(largest: int, least: int = 0) -> list[int]:
    """A few numbers from end to end, denser at both ends."""
    near = [0, 1, 2, 7, largest // 10, largest // 3, largest // 2]
    return sorted({i for a in near for i in (a, largest - a) if least <= i <= largest})


def list_small(quick: bool) -> list[tuple]:
    sizes = range(1, 7 if quick else 11)
    return [(n, c, k) for n in sizes for c in range(n + 1) for k in range(1, n + 1)]


def list_usual(quick: bool) -> list[tuple]:
    sizes = (64,) if quick else (16, 50, 64, 128, 200, 500, 1000)
    return [(n, c, k) for n in sizes for c in spread(n) for k in spread(n, 1)]


def list_million(quick: bool) -> list[tuple]:
    sizes = (100_000,) if quick else (100_000, 1_000_000)
    rights = lambda n: (1, 2, 30, FEW, n // 2, n - FEW, n - 30, n - 1)
    budgets = lambda n: (1, 2, 30, FEW, n // 2, n - 30)
    return [(n, c, k) for n in sizes for c in rights(n) for k in budgets(n) if is_quick(n, c, k)]


def is_quick(n: int, c: int, k: int) -> bool: return min(c, n - c, k, n - k) <= FEW


def list_rare(quick: bool) -> list[tuple]:
    sizes = (10**9,) if quick else (10**7, 10**8, 10**9)
    rights = lambda n: [count for few in (1, 2, 5, 30) for count in (few, n - few)]
    return [(n, c, k) for n in sizes for c in rights(n) for k in (1, 2, 30, FEW)]


GRIDS = {"small": list_small, "usual": list_usual, "million": list_million, "rare": list_rare}


# What is compared: the package's value, the exact one, and the cases.

@dataclass(frozen=True)
class Subject:
    """A function of the package, how it is called, the exact value, and its cases by grid."""
    name: str
    ours: Callable[..., float]
    exact: Callable[..., Exact]
    grids: dict[str, Callable[[bool], Sequence[tuple]]]


def of_counts(name: str, ours: Callable, exact: Callable, grids: str = "small usual million rare",
              fits: Callable[..., bool] = lambda n, c, k: True) -> Subject:
    """A function of n, c and k, on those of the grids' cases that it takes."""
    def keep(grid): return lambda quick: [case for case in GRIDS[grid](quick) if fits(*case)]
    return Subject(name, ours, exact, {grid: keep(grid) for grid in grids.split()})


def need_share(tau: Fraction) -> Callable[[int, int], bool]:
    return lambda j, k: j >= 1 and j >= tau * k


def list_metrics() -> Iterator[Subject]:
    yield of_counts("pass_at_k", se.pass_at_k, hit_any)
    yield of_counts("pass_hat_k", se.pass_hat_k, hit_all, fits=is_listed)
    # Powers of integers of n^k are long: the budgets of the larger grids stay at 1,000.
    few = lambda n, c, k: k <= FEW
    yield of_counts("pass_at_k_plugin", pass_at_k_plugin, hit_any_put_back, fits=few)
    yield of_counts("pass_hat_k_plugin", pass_hat_k_plugin, hit_all_put_back, fits=few)
    yield of_counts("cons_at_k", se.cons_at_k, exact_mean(lambda j, k: 2 * j > k))
    for tau in (Fraction(1, 4), Fraction(3, 4)):
        def ours(n, c, k, tau=tau): return se.g_pass_at_k(n, c, k, tau)
        yield of_counts(f"g_pass_at_k, tau = {tau}", ours, exact_mean(need_share(tau)))
    yield of_counts("mg_pass_at_k", se.mg_pass_at_k,
                    exact_mean(lambda j, k: Fraction(2 * max(j - (k + 1) // 2, 0), k)))
    yield of_counts("flaky_at_k", se.flaky_at_k, disagree, fits=is_listed)
    yield of_counts("spend_at_k, tries", se.spend_at_k, count_tries)
    yield of_counts("guarded_tries", se.guarded_tries, count_tries)


def is_listed(n: int, c: int, k: int) -> bool:
    """Whether C(c, k) / C(n, k) is a short product."""
    return min(n - c, k) <= 2 * FEW


# Functions of other things than n, c and k.

def draw_rewards(n: int) -> list[int]: return [(7 * i * i + 3 * i) % (5 * n) for i in range(n)]


def weigh_ranks(values: Sequence, k: int) -> Exact:
    """The mean of the last of k in the order given: C(i-1, k-1) / C(n, k) for place i."""
    n = len(values)
    return Exact(sum(value * comb(i, k - 1) for i, value in enumerate(values)), comb(n, k))


def exact_max(n: int, k: int) -> Exact: return weigh_ranks(sorted(draw_rewards(n)), k)


def exact_min(n: int, k: int) -> Exact: return weigh_ranks(sorted(draw_rewards(n), reverse=True), k)


def exact_best(n: int, k: int) -> Exact: return weigh_ranks([i % 3 == 0 for i in range(n)], k)


def best_of_thirds(n: int, k: int) -> float:
    """Scores that differ, every third sample right."""
    return se.best_of_k([list(range(n))], [[i % 3 == 0 for i in range(n)]], k)[0]


def spell_votes(votes: Sequence[int]) -> tuple[list, list]:
    """Answers of one question, the first of them right."""
    answers = [str(i) for i, times in enumerate(votes) for _ in range(times)]
    return [answers], [[answer == "0" for answer in answers]]


def exact_vote(votes: Sequence[int], k: int) -> Exact:
    """Shares of the first answer in all votes of k: it has j of them, and t others have j too."""
    total = Fraction(0)
    for j in range(1, min(votes[0], k) + 1):
        # Subsets of the other answers by their size and by how many answers have j.
        ways = {(0, 0): 1}
        for times in votes[1:]:
            more = {}
            for (size, tied), number in ways.items():
                for own in range(min(times, j) + 1):
                    key = size + own, tied + (own == j)
                    more[key] = more.get(key, 0) + number * comb(times, own)
            ways = more
        total += sum(Fraction(number, tied + 1) for (size, tied), number in ways.items()
                     if size == k - j) * comb(votes[0], j)
    return Exact(total.numerator, total.denominator * comb(sum(votes), k))


def exact_portfolio(*counts: tuple[int, int, int]) -> Exact:
    missed = [miss_all(*one) for one in counts]
    under = prod(one.under for one in missed)
    return Exact(under - prod(one.over for one in missed), under)


def exact_portfolio_hat(*counts: tuple[int, int, int]) -> Exact:
    every = [hit_all(*one) for one in counts]
    return Exact(prod(one.over for one in every), prod(one.under for one in every))


def exact_guarded(n: int, judged: int, right: int, k: int) -> Exact:
    some = hit_any(n, judged, k)
    return Exact(some.over * right, some.under * judged)


RATES = .9, .8


def exact_judged(n: int, judged: int, k: int) -> Exact:
    """With the floats of the rates taken at their exact value."""
    s, t = map(Fraction, RATES)
    return exact_mean(lambda j, k: 1 - s**(k - j) * (s - 1)**j / (s + t - 1)**k)(n, judged, k)


def exact_judged_hat(n: int, judged: int, k: int) -> Exact:
    s, t = map(Fraction, RATES)
    return exact_mean(lambda j, k: t**j * (t - 1)**(k - j) / (s + t - 1)**k)(n, judged, k)


def exact_flips(n: int, c: int) -> Exact: return Exact(2 * c * (n - c), n * (n - 1))


def exact_bayes(n: int, c: int) -> Exact: return Exact(c + 1, n + 2)


def exact_curtailed(tries: int, needed: int, p: float) -> Exact:
    """Tries until `needed` successes or `tries - needed + 1` failures."""
    p, lost = Fraction(p), tries - needed + 1
    q = 1 - p
    passed = sum(m * comb(m - 1, needed - 1) * p**needed * q**(m - needed)
                 for m in range(needed, tries + 1))
    failed = sum(m * comb(m - 1, lost - 1) * q**lost * p**(m - lost)
                 for m in range(lost, tries + 1))
    return reduce_to_exact(passed + failed)


def exact_evidence(a: int, b: int) -> Exact:
    return Exact(sum(comb(a + b + 1, j) for j in range(a + 1)), (a + b + 1) * comb(a + b, a))


def exact_heads(most: int, throws: int) -> Exact:
    total = number = 1
    for j in range(most):
        number = number * (throws - j) // (j + 1)
        total += number
    return Exact(total, 2**throws)


def binomial_tail(n: int, c: int, p: float) -> Exact:
    """Chance of c or more successes in n, at the exact value of the float p."""
    over, under = p.as_integer_ratio()
    ways = sum(comb(n, j) * over**j * (under - over)**(n - j) for j in range(c, n + 1))
    return Exact(ways, under**n)


def lower_end(n: int, c: int, method: str) -> float:
    outcomes = np.repeat([1., 0.], [c, n - c])
    return se.mean_over_questions(outcomes).confidence_interval(method=method).low


def tail_at_end(method: str) -> Callable[[int, int], float]:
    """What the exact chance of c or more is, at the lower end; it should be 1 in 40."""
    def tail(n, c):
        found = binomial_tail(n, c, float(lower_end(n, c, method)))
        return found.over / found.under
    return tail


def of_lists(name: str, ours: Callable, exact: Callable, **grids: list[tuple]) -> Subject:
    """A function with cases of its own; the tests run a quarter of them again."""
    def keep(cases): return lambda quick: cases[::4] if quick else cases
    return Subject(name, ours, exact, {grid: keep(cases) for grid, cases in grids.items()})


def list_others() -> Iterator[Subject]:
    ranked = [(n, k) for n in (5, 16, 64, 200, 1000) for k in spread(n, 1)]
    def largest(n, k): return se.max_at_k([draw_rewards(n)], k)[0]
    def smallest(n, k): return se.min_at_k([draw_rewards(n)], k)[0]
    yield of_lists("max_at_k", largest, exact_max, usual=ranked)
    yield of_lists("min_at_k", smallest, exact_min, usual=ranked)
    yield of_lists("best_of_k", best_of_thirds, exact_best, usual=ranked)
    votes = [(3, 2, 1), (4, 4, 4, 4), (1, 6, 1), (20, 12), (5, 9, 4, 3, 2, 1),
             (30, 1, 1, 1, 30, 1), (16, 24, 24)]
    voted = [(one, k) for one in votes for k in spread(sum(one), 1)]
    def share(one, k): return se.maj_at_k(*spell_votes(one), k)[0]
    yield of_lists("maj_at_k", share, exact_vote, usual=voted)
    yield from list_mixed()
    yield from list_inference()


def list_mixed() -> Iterator[Subject]:
    sources = (16, 3), (128, 1), (1000, 990), (10**6, 2)
    pairs = list(product(sources, sources))
    mixed = [tuple((n, c, k) for (n, c), k in zip(pair, split, strict=True))
             for pair in pairs for split in ((1, 1), (2, 9), (15, 16))]
    def call(formula): return lambda *one: formula(*np.transpose(one))
    yield of_lists("portfolio_at_k", call(se.portfolio_at_k), exact_portfolio, usual=mixed)
    yield of_lists("portfolio_hat_k", call(se.portfolio_hat_k), exact_portfolio_hat, usual=mixed)
    judged = [(n, m, g, k) for n in (8, 64, 1000) for m in spread(n, 1)
              for g in spread(m, 1) for k in spread(n, 1)]
    yield of_lists("guarded_at_k", se.guarded_at_k, exact_guarded, usual=judged)
    rates = dict(zip(("sensitivity", "specificity"), RATES, strict=True))
    passed = [(n, m, k) for n in (8, 16, 64) for m in spread(n) for k in (1, 2, 4, 8)]
    yield of_lists("judged_pass_at_k", partial(se.judged_pass_at_k, **rates), exact_judged,
                   usual=passed)
    yield of_lists("judged_pass_hat_k", partial(se.judged_pass_hat_k, **rates), exact_judged_hat,
                   usual=passed)


def list_inference() -> Iterator[Subject]:
    counts = [(n, c) for n in (4, 16, 128, 1000, 10**6) for c in spread(n)]
    def flips(n, c): return se.rerun_facts([n], [c]).flip_rate
    def bayes(n, c): return se.bayes_at_n([[1] * c + [0] * (n - c)]).value
    yield of_lists("rerun_facts, flip rate", flips, exact_flips, usual=counts)
    yield of_lists("bayes_at_n", bayes, exact_bayes, usual=[(n, c) for n, c in counts if n <= 1000])
    rules = [(n, x, p) for n in (5, 50, 200) for x in spread(n, 1) for p in (.01, .5, .8, .999)]
    yield of_lists("curtailed_tries", se.curtailed_tries, exact_curtailed, usual=rules)
    seen = list(product((0, 1, 7, 50, 400), repeat=2))
    yield of_lists("vote_evidence", se.vote_evidence, exact_evidence, usual=seen)
    throws = [(most, n) for n in (5, 50, 1000, 10_000) for most in spread(n)]
    yield of_lists("exact McNemar p", chance_of_heads, exact_heads, usual=throws)
    ends = [(n, c) for n in (5, 50, 500) for c in spread(n, 1)]
    for method in ("clopper-pearson", "gaffke"):
        yield of_lists(f"{method} interval", tail_at_end(method), lambda n, c: Exact(1, 40),
                       usual=ends)


def list_subjects() -> Iterator[Subject]:
    yield from list_metrics()
    yield from list_others()


# The table.

def measure(subject: Subject, grid: str, quick: bool = False) -> dict:
    """Errors of one function on one grid."""
    errors, tiny = [], 0
    for case in subject.grids[grid](quick):
        exact = subject.exact(*case)
        if exact.is_tiny: tiny += 1
        else: errors.append((exact.error_of(float(subject.ours(*case))), case))
    worst, case = max(errors)
    middle = median(error for error, _ in errors)
    row = subject.name, grid, len(errors), middle, worst, " ".join(map(str, case)), tiny
    return dict(zip(FIELDS, row, strict=True))


def measure_all(quick: bool = False) -> list[dict]:
    return [measure(subject, grid, quick)
            for subject in list_subjects() for grid in subject.grids]


def write(rows: list[dict], path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(row | {name: f"{row[name]:.2e}" for name in ERRORS} for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="the part that the tests run again")
    parser.add_argument("--out", type=Path, help="write the table here")
    args = parser.parse_args()
    rows = measure_all(args.quick)
    for row in rows:
        print(*(f"{row[name]:.1e}" if name in ERRORS else row[name] for name in FIELDS))
    if args.out: write(rows, args.out)


if __name__ == "__main__": main()
