"The listing of subsets, which other tests hold formulas against."

from fractions import Fraction

import pytest

from sampling_eval.foundations.oracle import (
    binomial_mean,
    largest_error,
    mean_over_subsets,
    small_cases,
)


def share(subset):
    return Fraction(sum(subset), len(subset))


def share_of(n, c, k):
    return c / n


def test_small_cases_are_all_of_them():
    assert list(small_cases(2)) == [(1, 0, 1), (1, 1, 1)] + [
        (2, c, k) for c in (0, 1, 2) for k in (1, 2)
    ]
    assert len(list(small_cases())) == sum(n * (n + 1) for n in range(1, 9)) == 240


def test_subsets_by_hand():
    # Of the pairs ab, ac, bc two hold a right sample.
    assert mean_over_subsets([1, 0, 0], 2, any) == Fraction(2, 3)
    assert mean_over_subsets("abc", 2, lambda pair: pair == ("a", "c")) == Fraction(1, 3)


@pytest.mark.parametrize(
    "formula, error",
    [
        (share_of, 0),
        (lambda n, c, k: 0, 1),
        (lambda n, c, k: 1, 1),
        (lambda n, c, k: c / n + 0.25 * ((n, c, k) == (3, 1, 2)), 0.25),
        (lambda n, c, k: c / n - 0.25 * ((n, c, k) == (2, 2, 1)), 0.25),
        (lambda n, c, k: c / n + 0.125 * (k == 3), 0.125),
    ],
    ids="right zero one once-above once-below at-one-budget".split(),
)
def test_how_far_a_formula_is_off(formula, error):
    tried, found = largest_error(formula, share, 3)
    assert tried == 2 + 6 + 12 and found == pytest.approx(error, abs=1e-15)


def test_eight_samples_are_usual():
    assert largest_error(lambda n, c, k: c / n + (n == 8), share) == (240, pytest.approx(1))


@pytest.mark.parametrize("n", [1, 2, 5])
def test_moments_of_a_binomial(n):
    p = Fraction(1, 3)
    assert binomial_mean(lambda c: Fraction(c), n, p) == n * p
    assert binomial_mean(lambda c: Fraction(c) ** 2, n, p) == n * p * (1 - p) + (n * p) ** 2
