"Where labels and budgets stand, at the boundaries and by hand."
import numpy as np
import pytest

from sampling_eval.report.drawing import (NumberedAxis, find_limits, pick_multiples, pick_ticks, pool_falls,
                                          shorten_names, spread_labels)


@pytest.mark.parametrize("values, limits", [
    ([0., 1.], (-.04, 1.04)), ([.1, .79], (.0586, .8314)), ([.1, .81], (-.04, 1.04)), ([0., .7], (-.04, .742)),
    ([.3, 1.], (.258, 1.04)), ([.95, .99], (.9476, .9924)), ([1.], (.95, 1.04)),
    ([0.], (-.04, .05)), ([.01], (-.04, .06)),
    ([1.001, .2], (.15194, 1.04906)), ([-.001, .9], (-.05506, .95406)), ([-2., 3.], (-2.3, 3.3)), ([5.], (4.95, 5.05))])
def test_limits_of_an_axis(values, limits):
    assert find_limits(values) == pytest.approx(limits) and find_limits(values[::-1]) == pytest.approx(limits)


# Ticks.

@pytest.mark.parametrize("width, shown", [
    (1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), (1.1, [2, 4, 6, 8, 10]), (2, [2, 4, 6, 8, 10]), (2.1, [5, 10]), (5, [5, 10]),
    (5.1, [10]), (50, [10])])
def test_multiples_of_the_smallest_number_with_room(width, shown):
    budgets = list(range(1, 11))
    axis = NumberedAxis(budgets, [width] * 10)
    assert [budgets[i] for i in pick_multiples(budgets, range(10), axis)] == shown


def test_a_free_budget_leaves_room_for_both_ends():
    places = [0, 10, 20, 30, 40]
    assert pick_ticks([1, 2, 3, 4, 5], places, [10] * 5) == [0, 1, 2, 3, 4]
    assert pick_ticks([1, 2, 3, 4, 5], places, [10, 10, 10, 10, 11]) == [0, 1, 2, 4]
    assert pick_ticks([1, 2, 3, 4, 5], places, [11, 10, 10, 10, 11]) == [0, 2, 4]
    assert pick_ticks([1, 2, 3, 4, 5], places, [60] * 5) == [0, 4] and pick_ticks([7], [3], [1]) == [0]
    assert pick_ticks([1, 2, 4, 8, 16], places, [11] * 5) == [0, 2, 4]


# Labels.

@pytest.mark.parametrize("wanted, apart, low, high, placed", [
    ([], 10, 0, 100, []), ([5], 10, 0, 100, [5]), ([-5], 10, 0, 100, [0]), ([105], 10, 0, 100, [100]),
    ([30, 10], 10, 0, 100, [30, 10]), ([20, 10], 10, 0, 100, [20, 10]), ([15, 10], 10, 0, 100, [17.5, 7.5]),
    ([3, 3, 3], 10, 0, 100, [0, 10, 20]), ([99, 98, 97], 10, 0, 100, [100, 90, 80]), ([1, 2], 10, 0, 10, [0, 10]),
    ([1, 2], 10, 0, 8, [-1, 9]), ([1, 2], 10, 2, 8, [0, 10]), ([4], 10, 3, 3, [3]),
    ([0, 50, 52, 54, 100], 10, 0, 100, [0, 42, 52, 62, 100])])
def test_places_by_hand(wanted, apart, low, high, placed): assert spread_labels(wanted, apart, low, high) == placed


@pytest.mark.parametrize("values, pooled", [
    ([], []), ([1, 2, 3], [1, 2, 3]), ([2, 2], [2, 2]), ([3, 1], [2, 2]), ([4, 3, 2], [3, 3, 3]),
    ([1, 5, 2, 2], [1, 3, 3, 3]), ([2, 5, 2, -5], [1, 1, 1, 1]), ([0, 6, 3, 9], [0, 4.5, 4.5, 9])])
def test_neighbours_in_the_wrong_order_share_their_mean(values, pooled):
    assert pool_falls(np.array(values, float)).tolist() == pooled


@pytest.mark.parametrize("names, letters, short", [
    (["abcdef"], 6, ["abcdef"]), (["abcdefg"], 6, ["abc…fg"]), (["abcdefgh"], 7, ["abc…fgh"]),
    (["abcdefg", "xy"], 5, ["ab…fg", "xy"]), (["abcX1efg", "abcX2efg"], 7, ["abcX1efg", "abcX2efg"]),
    (["aaaaaaa", "aaaaaaa"], 5, ["aa…aa", "aa…aa"]), ([], 5, [])])
def test_names_lose_their_middle(names, letters, short): assert shorten_names(names, letters) == short
