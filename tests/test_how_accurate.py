"""The bench of accuracy: its exact side against listings, and a part of it run again."""

from fractions import Fraction
from itertools import combinations
from math import inf, ulp

import pytest

from sampling_eval import pass_at_k, pass_hat_k
from sampling_eval.foundations.oracle import mean_over_subsets, small_cases
from scripts import load_script, read_example

lab = load_script("bench/how_accurate.py")
STORED = {(row["function"], row["grid"]): row for row in read_example("how_accurate.csv")}
SUBJECTS = {subject.name: subject for subject in lab.list_subjects()}


def as_fraction(exact):
    return Fraction(exact.over, exact.under)


def test_subsets_are_those_of_a_listing():
    for n, c, k in small_cases(7):
        found, every = lab.count_subsets(n, c, k)
        listed = [sum(one) for one in combinations([1] * c + [0] * (n - c), k)]
        shares = {j: Fraction(listed.count(j), len(listed)) for j in set(listed)}
        assert {j: Fraction(number, every) for j, number in found.items() if number} == shares


@pytest.mark.parametrize(
    "name, credit",
    [
        ("pass_at_k", any),
        ("pass_hat_k", all),
        ("flaky_at_k", lambda s: any(s) and not all(s)),
        ("cons_at_k", lambda s: 2 * sum(s) > len(s)),
        ("g_pass_at_k, tau = 3/4", lambda s: 4 * sum(s) >= 3 * len(s)),
        ("guarded_tries", lambda s: (s + [1])[: len(s)].index(1) + 1 if any(s) else len(s)),
    ],
)
def test_the_exact_side_is_a_listing(name, credit):
    for n, c, k in small_cases(6):
        if name == "guarded_tries":
            # Tries have an order: the mean over all arrangements of the samples.
            places = list(combinations(range(n), c))
            wanted = Fraction(sum(min([*one, k - 1][0], k - 1) + 1 for one in places), len(places))
        else:
            wanted = mean_over_subsets([1] * c + [0] * (n - c), k, credit)
        assert as_fraction(SUBJECTS[name].exact(n, c, k)) == wanted, (n, c, k)


def test_votes_are_those_of_a_listing():
    votes = (3, 2, 2)
    samples = [i for i, times in enumerate(votes) for _ in range(times)]

    def share(some):
        most = max(some.count(one) for one in some)
        leaders = [one for one in set(some) if some.count(one) == most]
        return Fraction(0 in leaders, len(leaders))

    for k in range(1, 8):
        listed = [share(some) for some in combinations(samples, k)]
        assert as_fraction(lab.exact_vote(votes, k)) == sum(listed) / len(listed)


def test_an_error_is_relative_and_exact():
    third = lab.Exact(1, 3)
    assert third.error_of(1 / 3) == pytest.approx(float(abs(Fraction(1 / 3) * 3 - 1)))
    assert lab.Exact(1).error_of(1 + ulp(1)) == ulp(1) and lab.Exact(0).error_of(0) == 0
    assert lab.Exact(0).error_of(5e-324) == inf and lab.Exact(-2, 4).error_of(-0.5) == 0
    assert (
        lab.Exact(1, 10**301).is_tiny
        and not lab.Exact(1, 10**299).is_tiny
        and not lab.Exact(0).is_tiny
    )


def test_a_wrong_formula_is_seen():
    wrong = lab.of_counts(
        "pass@k", lambda n, c, k: pass_at_k(n, c, k) * (1 + 1e-13), lab.hit_any, "small"
    )
    swapped = lab.of_counts("pass@k", pass_hat_k, lab.hit_any, "small")
    assert lab.measure(wrong, "small", True)["worst"] > 9e-14
    assert lab.measure(swapped, "small", True)["worst"] == 1


def test_the_stored_table_has_every_function_and_grid():
    assert list(STORED) == [
        (name, grid) for name, subject in SUBJECTS.items() for grid in subject.grids
    ]


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_part_run_again_is_as_accurate(name):
    subject = SUBJECTS[name]
    worst = max(float(STORED[name, grid]["worst"]) for grid in subject.grids)
    # Another processor rounds other steps: a digit of leave.
    assert (
        max(lab.measure(subject, grid, quick=True)["worst"] for grid in subject.grids)
        <= 10 * worst + 1e-15
    )
