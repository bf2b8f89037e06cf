"Whether values lie over the questions by design: X^2 by hand, its chance as scipy has it."

import numpy as np
import pytest
from scipy.stats import chi2

from sampling_eval.reading.structure import Spread, find_lower_tail, find_spread, rate


def spread(question, value, system=None):
    codes = question, system or [0] * len(question), value
    return find_spread(*map(np.array, codes))


@pytest.mark.parametrize("square", [1e-4, 1, 3, 7.5, 40])
@pytest.mark.parametrize("df", [1, 2, 5, 60])
def test_the_lower_tail_of_chi_squared(square, df):
    assert find_lower_tail(square, df) == pytest.approx(chi2.cdf(square, df), rel=1e-10)


def test_nothing_lies_more_evenly_than_a_design():
    assert find_lower_tail(0, 3) == 0


@pytest.mark.parametrize(
    "square, df, tests, want",
    [
        (6, 10, 1, (0.6, 1)),
        (5.9, 10, 1, (0.59, chi2.cdf(5.9, 10))),
        (1, 10, 3, (0.1, 3 * chi2.cdf(1, 10))),
        (5.9, 10, 9, (0.59, 1)),
    ],
)
def test_dispersion_and_its_chance(square, df, tests, want):
    assert rate(square, df, tests) == pytest.approx(want, rel=1e-10)


@pytest.mark.parametrize(
    "dispersion, chance, designed",
    [(0.59, 9e-4, True), (0.6, 9e-4, False), (0.59, 1e-3, False)],
)
def test_a_design_is_even_and_no_chance(dispersion, chance, designed):
    assert Spread(dispersion, chance).designed is designed


@pytest.mark.parametrize(
    "question, value, want",
    [
        ([0, 0, 1, 1], [0, 1, 0, 1], (0, 0)),
        ([0, 0, 1, 1], [0, 0, 1, 1], (4, 1)),
        ([0, 0, 1, 1, 1], [0, 1, 0, 1, 0], (5 / 36, chi2.cdf(5 / 36, 1))),
        # A question with one row says nothing.
        ([0, 0, 1, 1, 2], [0, 1, 0, 1, 2], (0, 0)),
        ([0, 1, 2], [0, 1, 0], (1, 1)),
        # One value, or one question, leaves no degree of freedom.
        ([0, 0, 1, 1], [0, 0, 0, 0], (1, 1)),
        ([0, 0, 0], [0, 1, 2], (1, 1)),
    ],
    ids="whole none uneven lone single one_value one_question".split(),
)
def test_the_spread_over_questions(question, value, want):
    assert spread(question, value) == pytest.approx(want, abs=1e-12, rel=1e-9)


QUESTIONS = [q for q in range(40) for _ in range(2)]


def test_the_most_even_system_decides():
    rng = np.random.default_rng(0)
    even, odd = [0, 1] * 40, rng.integers(0, 2, 80).tolist()
    one = spread(QUESTIONS, even)
    assert one.designed and one.chance == 0
    assert not spread(QUESTIONS, odd).designed
    both = spread(QUESTIONS * 2, even + odd, [0] * 80 + [1] * 80)
    assert both == one == spread(QUESTIONS * 2, odd + even, [0] * 80 + [1] * 80)


def test_a_column_may_lie_evenly_in_the_table_alone():
    "Each system has one value: within them nothing varies, over the table each question has both."
    value = [0] * 40 + [1] * 40
    question = list(range(40)) * 2
    assert spread(question, value) == (0, 0)
    assert spread(question, value, value) == (1, 1)


def test_systems_are_judged_together():
    "Two systems of six questions are too few alone, and enough together."
    question = [q for q in range(6) for _ in range(2)]
    value, uneven = [0, 1] * 6, [0, 1] * 5 + [0, 0]
    alone = spread(question, uneven)
    assert not alone.designed
    size = len(question)
    system = [s for s in range(3) for _ in range(size)]
    together = spread(question * 3, uneven * 3, system)
    assert together.chance < alone.chance and together.dispersion < 0.6
    assert spread(question * 3, value * 3, system).chance == 0


def test_the_chance_is_that_of_the_least_of_all_systems():
    "One system has one value, and so only the other one is judged: 5/36 of one degree of freedom."
    question, value = [0, 0, 1, 1, 1], [0, 1, 0, 1, 0]
    found = spread(question + [0, 0, 1], value + [2] * 3, [0] * 5 + [1] * 3)
    assert found == pytest.approx((5 / 36, 2 * chi2.cdf(5 / 36, 1)), rel=1e-9)


def test_a_design_counts_and_not_the_least_dispersion():
    "Few rows lie more evenly than many, and only of the many is it no chance."
    few = [0, 0, 1, 1, 1], [0, 1, 0, 1, 0]
    halves = [(2, 2)] * 28 + [(3, 1), (1, 3)] * 6
    question = [q for q in range(40) for _ in range(4)]
    value = [kind for ones in halves for kind in (0, 1) for _ in range(ones[kind])]
    assert spread(question, value).dispersion == pytest.approx(12 / 39, rel=1e-9)
    assert spread(*few).dispersion < 12 / 39
    assert not spread(*few).designed and spread(question, value).designed
    assert spread(few[0] + question, few[1] + value, [0] * 5 + [1] * 160).designed
