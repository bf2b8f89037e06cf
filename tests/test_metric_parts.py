"What stands beside the metrics, function by function: sums by rank, splits, checks of rows."

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from sampling_eval.foundations.answers import Rewards
from sampling_eval.metrics.answer_forms import shape_like
from sampling_eval.metrics.choice_rows import (
    check_choices,
    check_lengths,
    check_unconditional,
    choice_table,
    group_means,
    rows_by_unit,
    text_lengths,
)
from sampling_eval.metrics.graded_scores import flatten_scores
from sampling_eval.metrics.majorities import mostly_right, sum_ties
from sampling_eval.metrics.parts import (
    MOST_SPLITS,
    Portfolio,
    check_part,
    check_portfolio,
    check_splits,
    count_by_limit,
    distinct_rows,
)
from sampling_eval.metrics.rank_sums import refuse_endless, share_ties, sort_rewards, sum_by_rank
from sampling_eval.metrics.spend_sums import add_rows, check_cost, count_wrong

NAN = float("nan")

# Sums by rank.


def test_samples_sorted_by_question_known_and_score():
    rewards = Rewards([1, 0, 1, 0, 1], [0.5, NAN, -1, 2, NAN])
    order, (question, known, score) = sort_rewards(rewards)
    assert order.tolist() == [1, 3, 4, 2, 0] and question.tolist() == [0, 0, 1, 1, 1]
    assert known.tolist() == [False, True, False, True, True]
    assert score.tolist() == [0, 2, 0, -1, 0.5]


def test_equal_samples_share_their_value():
    keys = np.array([0, 0, 0, 1, 1]), np.array([1, 1, 2, 2, 2])
    assert share_ties(np.array([1.0, 0, 1, 0, 1]), keys).tolist() == [0.5, 0.5, 1, 0.5, 0.5]
    assert share_ties(np.array([3.0]), (np.array([7]),)).tolist() == [3]


@pytest.mark.parametrize("top", [np.inf, 1.5])
def test_sums_of_unequal_questions_by_listing(top):
    n, k = np.array([2, 3, 2]), np.array([1, 2])
    value = np.array([1.0, 2, 1, 2, 4, 0, 8])

    def weights(size, ks):
        "The weight of the rank of each sample: its place from 1, times the budget."
        return np.arange(1, size + 1)[:, None] * ks

    found = sum_by_rank(value, n, k, weights, top)
    rows = [[1, 2], [1, 2, 4], [0, 8]]
    want = [[min(b * sum((i + 1) * v for i, v in enumerate(row)), top) for b in (1, 2)]
            for row in rows]
    assert found.tolist() == want


@pytest.mark.parametrize(
    "score, said",
    [
        ([0.5, NAN, 1], "got nan at question 'b' (1 of 3 fail)"),
        ([np.inf, 1, NAN], "got inf at question 'a' (2 of 3 fail)"),
    ],
)
def test_rewards_that_are_not_finite(score, said):
    with pytest.raises(ValueError) as error:
        refuse_endless(Rewards([0, 1, 1], score, questions=["a", "b"]))
    assert said in str(error.value)
    refuse_endless(Rewards([0, 1, 1], [1.0, 2, 3]))


# Majorities.


@pytest.mark.parametrize("n", range(1, 9))
def test_majorities_by_listing(n):
    ks = np.arange(1, n + 1)
    for c in range(n + 1):
        want = [
            Fraction(sum(2 * sum(i < c for i in kept) > k for kept in combinations(range(n), k)),
                     comb(n, k))
            for k in range(1, n + 1)
        ]
        column = np.array([[n]]), np.array([[c]])
        for found in sum_ties(*column, ks), mostly_right(*column, ks):
            assert found[0] == pytest.approx(np.array(want, float), abs=1e-14)
        for k in range(1, n + 1):
            single = mostly_right(*column, np.array([k]))
            assert single[0, 0] == pytest.approx(float(want[k - 1]), abs=1e-14)


# Costs.


@pytest.mark.parametrize("n, c", [(4, 0), (4, 1), (4, 3), (4, 4), (1, 0), (1, 1)])
def test_wrong_tries_before_the_first_success_by_listing(n, c):
    for k in range(1, n + 1):
        tries = list(combinations(range(n), c))
        wrong = [next((i for i in range(k) if i in right), k) for right in tries]
        want = Fraction(sum(wrong), len(wrong))
        assert count_wrong(np.array(n), np.array(c), k) == pytest.approx(float(want), abs=1e-14)


def test_prices_of_wrong_and_right_tries():
    missed, solved = np.array([[1.0, 2], [0, 3]]), np.array([[4.0, 5], [6, 7]])
    place, prices = np.array([1, 0, 1]), np.array([[1.0, 10], [2, 0], [0, 1]])
    want = [[0 + 60, 3 + 70], [2, 4], [6, 7]]
    assert add_rows(missed, solved, place, prices).tolist() == want


@pytest.mark.parametrize(
    "cost, unused, want",
    [
        ([1, 2.5], [False, False], [1, 2.5]),
        (3, [False, False], [3, 3]),
        ([1, NAN], [False, True], [1, 0]),
        ([1, -1], [False, True], [1, 0]),
        ([0, 0], [False, False], [0, 0]),
        ([1, NAN], [False, False], "got nan at question 1"),
        ([-1, 1], [False, False], "got -1.0 at question 0"),
        ([1, np.inf], [False, False], "got inf"),
        ([1, 2, 3], [False, False], "shape (2,), got shape (3,)"),
        (["a", "b"], [False, False], "must hold numbers"),
        ([True, False], [False, False], "must hold numbers"),
    ],
)
def test_mean_costs(cost, unused, want):
    if isinstance(want, list):
        assert check_cost("wrong", cost, np.array(unused)).tolist() == want
        return
    with pytest.raises((ValueError, TypeError)) as error:
        check_cost("wrong", cost, np.array(unused))
    assert want in str(error.value)


# Questions and limits.


@pytest.mark.parametrize("seed", range(4))
def test_successes_up_to_each_limit_by_listing(seed):
    rng = np.random.default_rng(seed)
    place, turn = rng.integers(0, 3, 30), rng.integers(0, 6, 30).astype(float)
    turn[rng.random(30) < 0.2] = NAN
    times, limits = rng.integers(1, 4, 30), np.array([3.0, 0, 5, -1])
    for weights in None, times:
        own = np.ones(30, int) if weights is None else weights
        want = [[sum(t for p, u, t in zip(place, turn, own) if p == q and u <= limit)
                 for limit in limits] for q in range(4)]
        assert count_by_limit(place, turn, limits, 4, weights).tolist() == want


def test_equal_questions_once():
    a, b = np.array([[1, 2], [1, 1]]), np.array([[5, 6], [5, 7]])
    (first, second), place = distinct_rows([a, b])
    assert len(first) == 3 and place.shape == (2, 2) and place[0, 0] == place[1, 0]
    assert (first[place] == a).all() and (second[place] == b).all()


@pytest.mark.parametrize(
    "part, said",
    [([0, 2], None), ([0, 3], "right=3, m=2 at question 1"), ([-1, 0], "right=-1, m=1"),
     ([0, 1, 2], "must fit n and judged")],
)
def test_parts_of_counts(part, said):
    n, m = np.array([4, 4]), np.array([1, 2])
    if said is None:
        assert [one.tolist() for one in check_part("right", part, "m", n, m, m)] == [
            [4, 4],
            [1, 2],
            [0, 2],
        ]
        return
    with pytest.raises(ValueError) as error:
        check_part("right", part, "m", n, m, m)
    assert said in str(error.value)


# Splits of a budget.


@pytest.mark.parametrize(
    "k, most, want",
    [
        (4, [2, 9], [2, 4]),
        (4, 4, [4]),
        (4, [2, 2], [2, 2]),
        (1, [2, 0], [1, 0]),
        (5, [2, 2], "must be at most 4, the samples of all sources, got 5"),
        (0, [2, 2], "must be at least 1, got 0"),
        ([1, 2], [2, 2], "must be an int"),
        # comb(200, 2) = 19,900 and comb(201, 2) = 20,100
        (198, [999] * 3, [198] * 3),
        (199, [999] * 3, "at most 20,000 splits over 3 sources, got 199 with 20,100"),
        (2**20 - 1, [2**20] * 2, [2**20 - 1] * 2),
        (2**20, [2**20] * 2, "at most 1,048,576 splits over 2 sources"),
    ],
)
def test_splits_of_a_budget(k, most, want):
    if isinstance(want, list):
        tries, own = check_splits(k, most)
        assert tries == k and own.tolist() == want and MOST_SPLITS == 20_000
        return
    with pytest.raises(ValueError) as error:
        check_splits(k, most)
    assert want in str(error.value)


@pytest.mark.parametrize(
    "n, c, k, said",
    [
        ([[4, 2]], [[1, 1]], [2, 2], None),
        ([[4, 2]], [[1, 1]], [[4, 0], [0, 2]], None),
        ([[4, 2]], [[1, 1]], [[1, 0], [2, 0]], None),
        ([[4, 2]], [[1, 1]], [1], "the same sources on their last axis"),
        ([[4, 2]], [[1, 1]], 2, "the same sources on their last axis"),
        ([[4, 2]], [[1, 1]], [2, -1], "need k >= 0 for every source, got -1"),
        ([[4, 2]], [[1, 1]], [0, 0], "every split needs a try, got [0, 0]"),
        ([[4, 2]], [[1, 1]], [[1, 0], [0, 0]], "every split needs a try, got none in row 1"),
        (
            [[4, 4], [1, 4]],
            [[1, 1], [1, 1]],
            [2, 3],
            "for every source, got n=1, k=2 of source 0 at question 1 (1 of 2 fail)",
        ),
        (
            [[4, 4], [4, 2], [4, 1]],
            [[1, 1]] * 3,
            [[4, 1], [1, 3]],
            "for every source, got n=2, k=3 of source 1 at question 1 (2 of 3 fail)",
        ),
    ],
)
def test_counts_and_tries_of_sources(n, c, k, said):
    if said is None:
        assert [one.tolist() for one in check_portfolio(n, c, k)] == [n, c, k]
        return
    with pytest.raises(ValueError) as error:
        check_portfolio(n, c, k)
    assert said in str(error.value)


def test_the_best_split_is_the_first_of_equal_ones():
    splits = np.array([[2, 0], [1, 1], [0, 2]])
    values = np.array([[0.25, 0.5, 0.5], [0.25, 0.5 - 4e-16, 0.5]])
    found = Portfolio(splits, values)
    assert found.best == 1 and found.best_split.tolist() == [1, 1] and found.find([0, 2]) == 2
    assert found.gains([2, 0])[0].tolist() == [0, 0.25, 0.25]
    with pytest.raises(ValueError, match="split must be one of 3 splits of k=2"):
        found.find([2, 1])


# Rows of scores, choices and answers.


@pytest.mark.parametrize(
    "scores, flat, sizes",
    [
        ([[0.5, 1], [0]], [0.5, 1, 0], [2, 1]),
        (np.array([[0.5, 1], [0, 0]]), [0.5, 1, 0, 0], [2, 2]),
        ([[True], [False]], [1, 0], [1, 1]),
    ],
)
def test_graded_scores_in_a_row(scores, flat, sizes):
    found = flatten_scores(scores)
    assert (found[0].tolist(), found[1].tolist()) == (flat, sizes)


@pytest.mark.parametrize(
    "scores, said",
    [
        ([[0.5, 1], [0, 1.5]], "got 1.5 at question 1, sample 1 (1 of 4 fail)"),
        ([[0.5], [0, -0.1], [NAN]], "got -0.1 at question 1, sample 1 (2 of 4 fail)"),
        ([[1.5, 0.5]], "at question 0, sample 0"),
        ([[0.5, 1], [1.5], [2]], "got 1.5 at question 1, sample 0 (2 of 4 fail)"),
        ([[0.5], []], "every question needs a score, got none at question 1"),
        ([], "at least one question, got none"),
        ([0.5, 1], "write [x] for one question"),
        (0.5, "write [x] for one question"),
        ([["a"]], "scores must be numbers"),
        (["ab"], "write [x] for one question"),
        ([[0.5], 1], "write [x] for one question"),
        ([[0.5], "ab"], "write [x] for one question"),
        (np.zeros((2, 2, 2)), "write [x] for one question"),
    ],
)
def test_graded_scores_that_are_none(scores, said):
    with pytest.raises((ValueError, TypeError)) as error:
        flatten_scores(scores)
    assert said in str(error.value)


def test_choices_of_different_number():
    table, sizes = choice_table([[-1, -2.0], [-3]])
    assert table.tolist() == [[-1, -2], [-3, -np.inf]] and sizes.tolist() == [2, 1]


@pytest.mark.parametrize(
    "rows, gold, said",
    [
        ([[-1, -2], [-3]], [1, 0], None),
        ([[0, -2]], [0], None),
        ([[-np.inf, -2]], [0], None),
        ([[-1, 0.1]], [0], "must be at most 0, got 0.1 at question 0, choice 1 (1 of 2 fail)"),
        ([[-1, NAN]], [0], "must not be NaN, got nan at question 0, choice 1"),
        ([[-np.inf] * 2], [0], "a row of -inf only"),
        ([[-1], [-1, -2]], [0, 2], "need 0 <= gold < choices, got 2 of 2 choices at question 1"),
        ([[-1], [-1, -2]], [-1, 0], "got -1 of 1 choices at question 0"),
        ([[-1]], [0, 0], "one position per question (1), got shape (2,)"),
        ([[-1], []], [0, 0], "at least one choice per question, got none at question 1"),
        ([[-1], [True]], [0, 0], "must hold numbers, got True at question 1 (1 of 2 fail)"),
        ([], [], "at least one question"),
        ([-1, -2], [0, 0], "one row of choices per question, got -1"),
    ],
)
def test_choices_and_the_right_one(rows, gold, said):
    if said is None:
        assert check_choices(rows, gold)[2].tolist() == gold
        return
    with pytest.raises((ValueError, TypeError)) as error:
        check_choices(rows, gold)
    assert said in str(error.value)


def test_lengths_of_choices():
    texts = [["a", "\u00e9\u00e9"], ["abc"]]
    assert text_lengths(texts) == dict(char=[[1, 2], [3]], byte=[[1, 4], [3]])
    assert rows_by_unit(None, None) == {} and set(rows_by_unit(texts, None)) == {"char", "byte"}
    assert rows_by_unit(texts, dict(token=[[1, 1], [1]]))["token"] == [[1, 1], [1]]
    with pytest.raises(ValueError, match=r"give texts or lengths\['byte'\], not both"):
        rows_by_unit(texts, dict(byte=[[1, 2], [3]]))
    with pytest.raises(ValueError, match="'token', got 'word'"):
        rows_by_unit(None, dict(word=[[1]]))
    sizes = np.array([2, 1])
    assert check_lengths([[1, 2], [3]], sizes, "x").tolist() == [[1, 2], [3, 1]]
    for odd, said in (([[1, 0], [3]], "got 0.0 at question 0, choice 1 (1 of 3 fail)"),
                      ([[1, 1.5], [3]], "got 1.5"), ([[1, 2], [np.inf]], "got inf")):
        with pytest.raises(ValueError) as error:
            check_lengths(odd, sizes, "x")
        assert said in str(error.value)
    for odd, said in (([[1, 2]], r"per question \(2\), got 1"), ([[1], [3]], "got 1 for 2")):
        with pytest.raises(ValueError, match=said):
            check_lengths(odd, sizes, "x")
    assert check_unconditional([[-1, 0], [-3]], sizes).tolist() == [[-1, 0], [-3, 0]]
    for odd in 0.1, -np.inf, NAN:
        with pytest.raises(ValueError, match="unconditional must be finite and at most 0"):
            check_unconditional([[-1, odd], [-3]], sizes)


def test_means_of_groups():
    found = group_means(["b", "a", "b"], [1, 0, 0])
    assert found == dict(b=(2, 0.5), a=(1, 0.0)) and list(found) == ["b", "a"]
    for groups, said in (
        (None, "groups="),
        (["a"], r"\(3\), got 1"),
        (["a", None, "b"], "got None"),
        (["a", NAN, "b"], "got nan"),
        (["a", [1], "b"], r"got \[1\]"),
    ):
        with pytest.raises(ValueError, match=said):
            group_means(groups, [1, 0, 0])


@pytest.mark.parametrize(
    "predictions, rows, want",
    [
        (["a", "b"], [["a"], ["b"]], [1, 2]),
        ([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d"]], [[1, 2], [3, 4]]),
        ([["a"], ["b", "c"]], [["a"], ["b", "c"]], [[1], [2, 3]]),
        (["a", ["b", "c"]], [["a"], ["b", "c"]], [[1], [2, 3]]),
    ],
)
def test_values_in_the_shape_of_the_answers(predictions, rows, want):
    values = np.arange(1, 1 + sum(map(len, rows)))
    assert [np.asarray(one).tolist() for one in shape_like(predictions, rows, values)] == want
