"Values, bounds and groups at the boundaries of what is taken."

import numpy as np
import pytest

from sampling_eval.inference.grouping import (
    add_by_group,
    check_bounds,
    check_state,
    check_times,
    check_values,
    clip_rounding,
    largest_size,
    multiply,
    name_groups,
    number_groups,
    within_bounds,
)


def refusal(call, *given):
    with pytest.raises((ValueError, TypeError)) as refused:
        call(*given)
    return str(refused.value)


@pytest.mark.parametrize(
    "values, table",
    [
        ([1, 0], [[1], [0]]),
        ([True, False], [[1], [0]]),
        ([[0.5, 1], [0, 0.25]], [[0.5, 1], [0, 0.25]]),
        (np.uint8([1]), [[1]]),
        ([1 + 1e-10, -1e-10], [[1], [0]]),
        ([1 + 1e-9, -1e-9], [[1], [0]]),
    ],
    ids=["whole", "bool", "table", "bytes", "rounding", "most rounding"],
)
def test_values_as_a_table(values, table):
    found = check_values(values, (0, 1))
    assert found.dtype == float and found.tolist() == table


@pytest.mark.parametrize(
    "values, bounds, said",
    [
        (np.ma.array([1.0]), (0, 1), "values must be a plain array, got a masked one"),
        ([np.ma.array([1.0]), [1]], (0, 1), "values must be a plain array"),
        ([[1, 0], [1]], (0, 1), "values must have rows of one length"),
        (["a"], (0, 1), "values must be numbers, got dtype <U1"),
        ([1j], (0, 1), "values must be numbers"),
        (1.0, (0, 1), "got shape ()"),
        ([], (0, 1), "got shape (0,)"),
        ([[[1.0]]], (0, 1), "got shape (1, 1, 1)"),
        ([1, np.nan], (0, 1), "values must be finite, got nan at question 1 (1 of 2 fail)"),
        ([np.inf], None, "values must be finite, got inf"),
        ([0, -2e150], None, "values must be at most 1e150 in size, got -2e+150 at question 1"),
        ([1e150, 2e150], None, "at most 1e150 in size, got 2e+150 at question 1 (1 of 2 fail)"),
        ([[0, 1], [0, np.nan]], (0, 1), "finite, got nan at question 1 (1 of 2 fail)"),
        ([[0, 1], [0, 0], [0, 3]], (0, 1), "[0, 1], got 3.0 at question 2 (1 of 3 fail)"),
        ([0.5, 1.1], (0, 1), "values must lie in [0, 1], got 1.1 at question 1 (1 of 2 fail)"),
        ([-0.1, 0.5], (0, 1), "values must lie in [0, 1], got -0.1 at question 0"),
        ([1 + 3e-9], (0, 1), "values must lie in [0, 1], got 1.000000003"),
        ([-3e-9], (0, 1), "values must lie in [0, 1], got -3e-09"),
    ],
)
def test_values_refused(values, bounds, said):
    assert said in refusal(check_values, values, bounds)


def test_values_have_the_name_of_their_side():
    assert refusal(check_values, [2.0], (0, 1), "a").startswith("a must lie in [0, 1]")
    assert check_values([1e150, -1e150], None).ravel().tolist() == [1e150, -1e150]


@pytest.mark.parametrize(
    "bounds, pair",
    [
        (None, None),
        ((0, 1), (0, 1)),
        ([-1e150, 1e150], (-1e150, 1e150)),
        (np.array([0.5, 2.0]), (0.5, 2.0)),
        ((np.int8(0), np.float32(1)), (0, 1)),
    ],
    ids=str,
)
def test_bounds_that_are_some(bounds, pair):
    found = check_bounds(bounds)
    assert found == pair and (found is None or not isinstance(found[0], np.generic))


@pytest.mark.parametrize(
    "bounds, got",
    [
        ((1, 0), "1 and 0"),
        ((1, 1), "1 and 1"),
        ((0, np.nan), "0 and nan"),
        ((-1e151, 0), "-1e+151 and 0"),
        ((0, 1e151), "0 and 1e+151"),
        ((0, 1, 2), "(0, 1, 2)"),
        (("a", "b"), "('a', 'b')"),
        ((0, [1, 2]), "(0, [1, 2])"),
        (5, "5"),
    ],
    ids=str,
)
def test_bounds_that_are_none(bounds, got):
    text = refusal(check_bounds, bounds)
    assert text == f"bounds must be two ascending numbers of at most 1e150 in size, got {got}"


def test_what_is_within_bounds():
    table = np.array([[0.0], [1.0]])
    assert within_bounds(table, (0, 1)) and within_bounds(table, None)
    assert not within_bounds(table, (0.1, 1)) and not within_bounds(table, (0, 0.9))
    assert not within_bounds(np.array([[np.nan]]), None)
    assert within_bounds(np.array([[-1e150, 1e150]]), None)
    assert not within_bounds(np.array([[2e150]]), None)


def test_rounding_is_relative_to_the_range():
    table = np.array([[100 + 5e-8, -100 - 5e-8]])
    assert clip_rounding(table, -100, 100, "values").tolist() == [[100, -100]]
    assert "must lie in [-1, 1]" in refusal(clip_rounding, table / 50, -1, 1, "values")


@pytest.mark.parametrize(
    "times, said",
    [
        ([1], "times must hold one count per value (2), got shape (1,)"),
        ([1, -1], "times must be counts with a positive sum, got -1"),
        ([0, 0], "times must be counts with a positive sum, got 0"),
        ([2**53 - 1, 1], "times must add up to less than 2**53, got 9.0072e+15"),
    ],
)
def test_times_refused(times, said):
    assert refusal(check_times, times, 2).startswith(said)


def test_times_whose_sum_leaves_the_range_of_whole_numbers():
    assert refusal(check_times, [2**62] * 4, 4).endswith("less than 2**53, got 1.84467e+19")


def test_times_that_are_some():
    assert check_times([0, 3], 2).tolist() == [0, 3]
    assert check_times([2**53 - 2, 1], 2).sum() == 2**53 - 1


@pytest.mark.parametrize("state", [[0, 3], [-1, 0], [[0, 1]]], ids=str)
def test_states_refused(state):
    text = refusal(check_state, state, 3)
    assert text.startswith("state must hold one row of values (0 to 2) per question, got shape")


def test_states_from_the_first_row_to_the_last():
    assert check_state([2, 0, 2], 3).tolist() == [2, 0, 2]


# Groups.


@pytest.mark.parametrize(
    "names, group, count",
    [
        ([5, 3, 5, 9], [1, 0, 1, 2], 3),
        (np.array([5, 3, 5, 9]), [1, 0, 1, 2], 3),
        (np.array([-7, 10**9, -7]), [0, 1, 0], 2),
        (np.array([1.5, 0.5]), [1, 0], 2),
        (["b", "a", "b"], [1, 0, 1], 2),
        ([10, 9], [0, 1], 2),
        (np.array([True, False]), [1, 0], 2),
        (np.array([(1), "x"], object), [0, 1], 2),
        (iter("ab"), [0, 1], 2),
    ],
    ids="list array far floats words text bool objects iterator".split(),
)
def test_groups_are_numbered_by_their_names(names, group, count):
    found, many = number_groups(names)
    assert found.tolist() == group and many == count


def test_names_that_span_more_than_whole_numbers_hold():
    names = np.array([-(2**62) - 5, 2**62 + 7, 5, 5])
    group, count = number_groups(names)
    assert group.tolist() == [0, 2, 1, 1] and count == 3


@pytest.mark.parametrize("reach", [1024 + 4 * 3, 1024 + 4 * 3 + 1])
def test_near_and_far_numbers_are_numbered_alike(reach):
    names = np.array([7, 7 + reach, 7])
    assert number_groups(names)[0].tolist() == [0, 1, 0] and number_groups(names, 3)[1] == 2


@pytest.mark.parametrize(
    "names, said",
    [
        (np.ma.array([1]), "cluster must be a plain array, got a masked one"),
        ("abc", "cluster must hold one name per question, got 'abc'"),
        (b"abc", "cluster must hold one name per question, got b'abc'"),
        (7, "cluster must hold one name per question, got 7"),
        (np.ones((2, 2)), "cluster must hold one name per question, got shape (2, 2)"),
        ([1, None, 2], "cluster must name a group, got none at question 1 (1 of 3 fail)"),
        ([np.nan, 1], "cluster must name a group, got none at question 0 (1 of 2 fail)"),
        (np.array([1, np.nan]), "cluster must name a group, got none at question 1"),
    ],
)
def test_names_refused(names, said):
    assert refusal(name_groups, names).startswith(said)


def test_as_many_names_as_questions():
    assert refusal(number_groups, [1, 2], 3) == (
        "cluster must hold one name per question (3), got 2"
    )


@pytest.mark.parametrize("groups", [1, 3, 12])
@pytest.mark.parametrize("rows", [1, 4, 40])
def test_sums_of_groups(groups, rows):
    "Few states of many questions, and many of few: both are one sum."
    rng = np.random.default_rng(groups * rows)
    group = np.r_[np.arange(groups), rng.integers(0, groups, 8)]
    state, values = rng.integers(0, rows, len(group)), rng.random((rows, 2))
    found = add_by_group(values, group, state, groups)
    want = [values[state[group == i]].sum(0) for i in range(groups)]
    assert found == pytest.approx(np.array(want))


@pytest.mark.parametrize("length", [1, 7])
def test_products_in_blocks(length):
    left, right = np.random.default_rng(0).random((length, 3)), np.ones((3, 2**16))
    assert multiply(left, right)[:, 5] == pytest.approx(left.sum(1))
    assert multiply(left, right).shape == (length, 2**16)


def test_how_far_columns_go():
    assert largest_size(np.array([[-3.0, 1.0, 0], [2.0, 5.0, 0]])).tolist() == [3, 5, 0]
