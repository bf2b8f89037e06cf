"Kinds of tries, the chi-square tail, random orders, and tables of runs at their limits."

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from sampling_eval.foundations.counts import Counts
from sampling_eval.inference.run_tests import (
    ABSENT,
    chi_square_tail,
    code_kinds,
    permute_squares,
    table_runs,
)


def test_codes_of_tries():
    kinds = np.array([[0, 2, ABSENT], [1, ABSENT, 1]])
    question, run, codes = code_kinds(kinds)
    assert question.tolist() == [0, 0, 1, 1] and run.tolist() == [0, 1, 0, 2]
    assert codes.tolist() == [0, 2, 4, 4], "three kinds of each question"


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 9, 10])
@pytest.mark.parametrize("q", [1e-9, 0.5, 3.0, 40.0, 900.0])
def test_tails_of_chi_square(degrees, q):
    assert chi_square_tail(q, degrees) == pytest.approx(stats.chi2.sf(q, degrees), rel=1e-12)


@pytest.mark.parametrize("q", [0.0, -1.0, np.nan])
def test_no_statistic_is_no_evidence(q):
    assert chi_square_tail(q, 3) == 1


@pytest.mark.parametrize("block", [None, 6, 13, 1])
def test_random_orders_and_all_orders(block, monkeypatch):
    "In blocks of any size they are as many as were asked for, and as frequent as they should be."
    table = np.array([[1, 1, 0], [1, 0, 0]])
    if block:
        monkeypatch.setattr("sampling_eval.inference.run_tests.BLOCK", block)
    above, equal = permute_squares(table, 4000, np.random.default_rng(0))
    seen = (table.sum(0) ** 2).sum()
    squares = np.array(
        [
            (np.sum(orders, 0) ** 2).sum()
            for orders in product(*(list(permutations(row)) for row in table.tolist()))
        ]
    )
    for found, want in (above, (squares >= seen).mean()), (equal, (squares == seen).mean()):
        assert found / 4000 == pytest.approx(want, abs=0.04)
    alike = np.ones((2, 3), int)
    assert permute_squares(alike, 7, np.random.default_rng(0)) == (7, 7)


@pytest.mark.parametrize("kind", [int, bool, float, np.uint8])
def test_the_least_table_of_runs(kind):
    found = table_runs(np.array([[1, 0]], kind))
    assert found.dtype == np.int64 and found.tolist() == [[1, 0]]


@pytest.mark.parametrize(
    "outcomes, said",
    [
        (Counts([2], [1]), "the run of each try is needed, got counts"),
        ([], "the run of each try is needed, got counts"),
        ([1, 0], "the run of each try is needed, got counts"),
        ([[1, 0], [1]], "every question needs a try of every run, got rows of 1 to 2 tries"),
        ([["a", "b"]], "outcomes must be 0 or 1, got dtype <U1"),
        (np.ma.array([[1, 0]]), "outcomes must be 0 or 1, got dtype"),
        ([[1], [0]], r"need a row for each question and two runs at least, got shape \(2, 1\)"),
        ([[[1, 0]]], r"got shape \(1, 1, 2\)"),
        ([[1, 0], [0, 2]], r"outcomes must be 0 or 1, got 2 at question 1 \(1 of 2 fail\)"),
        ([[0.5, 1]], "outcomes must be 0 or 1, got 0.5 at question 0"),
        ([[np.nan, 1]], "outcomes must be 0 or 1, got nan"),
    ],
)
def test_tables_refused(outcomes, said):
    with pytest.raises((ValueError, TypeError), match=said):
        table_runs(outcomes)
