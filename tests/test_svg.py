"Drawings of pages, without a plotting library: where curves, labels and numbers stand."

import re
from dataclasses import replace

import numpy as np
import pytest

from printed import check_printed, split_markup
from sampling_eval.render.blocks import Curves, Intervals, Line, Series, Stretch
from sampling_eval.render.drawing import (
    axis_limits,
    choose_style,
    dash_array,
    NumberedAxis,
    pick_multiples,
    pick_powers,
    pick_ticks,
    pool_falls,
    shape_path,
    shorten_names,
    spread_labels,
)
from sampling_eval.render.svg import (
    Bars,
    count_shares,
    draw_chart,
    draw_line,
    draw_range,
    draw_shares,
    draw_strip,
    scale_ends,
    grid_step,
    Frame,
    say_line,
)


def series_of(k, value, low=None, high=None, label="m", **more):
    nothing = [None] * len(k)
    said = [f"{label}, k = {one}: {100 * share:g} %" for one, share in zip(k, value)]
    return Series(label, "", k, value, low or nothing, high or nothing, said, **more)


def frame_of(k, value, **more):
    return Frame(Curves([series_of(k, value)], "", **more))


# Where things stand.


@pytest.mark.parametrize(
    "values, differences, limits",
    [
        ([0.1, 0.9], False, (0, 1)),
        ([0.5, 0.6], False, (0.494, 0.606)),
        ([0, 0.1], False, (0, 0.106)),
        ([0.95, 1], False, (0.947, 1)),
        ([0.02, 0.05], True, (-0.003, 0.053)),
        ([-0.05, -0.02], True, (-0.053, 0.003)),
        ([-0.1, 0.1], True, (-0.112, 0.112)),
    ],
)
def test_the_floor_and_the_top(values, differences, limits):
    frame = frame_of([1, 2], values, zero="0" * differences)
    assert frame.limits == pytest.approx(limits)
    assert frame.height(frame.limits[0]) == 256 and frame.height(frame.limits[1]) == 12
    assert frame.height(sum(frame.limits) / 2) == pytest.approx(134)


@pytest.mark.parametrize(
    "values, differences, lines",
    [
        ([0, 1], False, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([0.5, 0.6], False, [0.5, 0.55, 0.6]),
        ([0.94, 1], False, [0.94, 0.96, 0.98, 1]),
        ([0.0, 0.3], False, [0, 0.1, 0.2, 0.3]),
        ([-0.1, 0.1], True, [-0.1, -0.05, 0, 0.05, 0.1]),
        ([0.02, 0.05], True, [0, 0.01, 0.02, 0.03, 0.04, 0.05]),
        # At most five steps of shares and six of differences: 0.56 / 5 and 1.2992 / 6
        ([0.2, 0.7], False, [0.2, 0.4, 0.6]),
        ([-0.58, 0.58], True, [-0.5, 0, 0.5]),
    ],
)
def test_grid_lines(values, differences, lines):
    assert frame_of([1, 2], values, zero="0" * differences).list_lines() == pytest.approx(lines)


@pytest.mark.parametrize(
    "height, most, step",
    [
        (1.0, 5, 0.2),
        (1.0, 6, 0.2),
        (0.6, 6, 0.1),
        (0.61, 6, 0.2),
        (0.35, 5, 0.1),
        (0.25, 5, 0.05),
        (0.26, 5, 0.1),
        (10.0, 5, 2.0),
        (10.1, 5, 5.0),
        (25.0, 5, 5.0),
        (26.0, 5, 10.0),
        (1.2, 6, 0.2),
    ],
)
def test_steps_are_as_small_as_there_is_room_for(height, most, step):
    assert grid_step(height, most) == pytest.approx(step)


@pytest.mark.parametrize(
    "zero, points, value, said",
    [
        ("", True, 0.25, "25 %"),
        ("", True, 0.0, "0 %"),
        ("", True, 0.005, "0.5 %"),
        ("", False, 0.25, "25 %"),
        ("no", True, 0.025, "+2.5"),
        ("no", True, -0.1, "-10"),
        ("no", True, 0.0, "0"),
        ("no", False, 2.0, "+2"),
        ("no", False, -0.5, "-0.5"),
    ],
)
def test_what_stands_beside_a_grid_line(zero, points, value, said):
    assert say_line(Curves([], "", zero=zero, points=points), value) == said


# Parts of a chart.


def test_who_is_better_where():
    series = [Series(name, "", [], [], [], [], []) for name in ("old", "new")]
    stretches = Stretch([1, 2], 1), Stretch([4], 0), Stretch([8, 16, 32], 1)
    assert Curves(series, "", stretches=stretches).describe_stretches() == [
        ("new is better at k = 1-2 and k = 8-32", 1),
        ("old is better at k = 4", 0),
        ("the curves cross between k = 2 and 4 and between k = 4 and 8", None),
    ]
    assert Curves(series, "", stretches=stretches[:1]).describe_stretches() == [
        ("new is better at k = 1-2", 1)
    ]
    assert Curves(series, "").describe_stretches() == []


K = [1, 2, 3, 4, 5]
CHARTS = {
    "shares": Curves(
        [
            series_of(
                [1, 2, 4, 8],
                [0.4, 0.5, 0.6, 0.7],
                [0.3, 0.4, 0.5, 0.6],
                [0.5, 0.6, 0.7, 0.8],
                "base <1>",
            ),
            series_of(
                [1, 2, 4],
                [0.45, 0.5, 0.5],
                [0.4, None, 0.4],
                [0.5, None, 0.6],
                "a-rather-long-name-of-a-model",
                shown=False,
            ),
            series_of([8], [0.7], label="dot", colour=9),
            series_of([1, 8], [0.2, 0.7], [0.1, None], [0.3, None], "two", colour=4),
        ],
        'pass@k & "more"',
        label="pass@k",
    ),
    "crossing": Curves(
        [series_of(K, [0.5] * 5, label="A"), series_of(K, [0.7, 0.6, 0.5, 0.4, 0.3], label="B")],
        "A and B",
        stretches=(Stretch([1, 2], 1), Stretch([4, 5], 0)),
    ),
    "band": Curves(
        [series_of([1, 2, 3], [0.5, 0.6, 0.7])],
        "",
        band=[(1, 0.4, 0.6), (4, 0.5, 0.9)],
        across="questions",
    ),
    "differences": Curves(
        [
            series_of(
                [1, 2, 3],
                [0.03, 0.0, -0.05],
                [0.01, -0.02, -0.08],
                [0.05, 0.02, -0.02],
                "B - A",
                colour=1,
            )
        ],
        "B less A",
        zero="no difference",
    ),
    "one budget": Curves(
        [series_of([16], [1.0], [0.9], [1.0], "a"), series_of([16], [1.0], [0.9], [1.0], "b")],
        "all right",
    ),
}


@pytest.mark.parametrize("name", CHARTS)
def test_charts(name):
    check_printed("charts", f"chart: {name}", split_markup(draw_chart(CHARTS[name])))


@pytest.mark.parametrize(
    "ends, letters, bars, start",
    [
        ([(1, 2)], 5, "M40.0 300H148.0", "40.0"),
        ([(5, 5)], 17, "M440.0 300H448.0", "440.0"),
        # Seven to a letter: what would stand over the edge begins further to the left
        ([(5, 5)], 18, "M440.0 300H448.0", "434.0"),
        ([(3, 4)], 40, "M240.0 300H348.0", "240.0"),
        ([(5, 5)], 100, "M440.0 300H448.0", "40.0"),
    ],
)
def test_words_below_a_bar_stay_inside(ends, letters, bars, start):
    drawn = draw_strip(ends, "w" * letters, frame_of(K, [0.5] * 5), 300)
    assert drawn == f'<path d="{bars}"/><text x="{start}" y="317">{"w" * letters}</text>'


@pytest.mark.parametrize(
    "ends, said", [([1.0] * 3, [16, 30, 44]), ([0.0] * 3, [239, 253, 267])]
)
def test_names_of_curves_that_end_together_stay_beside_the_chart(ends, said):
    chart = Curves([series_of([1, 2], [0.5, end], label=name) for name, end in zip("abc", ends)]
                   + [series_of([1], [1.0 - ends[0]], shown=False)], "")
    placed = re.findall(r'class="name" x="454" y="([\d.]+)"', draw_chart(chart))
    assert list(map(float, placed[:3])) == said


@pytest.mark.parametrize(
    "most, shown",
    [(20, [*range(1, 21)]), (21, [1, *range(2, 19, 2), 21])],
)
def test_numbers_below_a_chart_have_room(most, shown):
    "Of 400, a step of 20 budgets is 21.1 and one of 21 is 20: three digits, of which one is air."
    budgets = list(range(1, most + 1))
    drawn = draw_chart(Curves([series_of(budgets, [0.5] * most)], ""))
    assert re.findall(r'y="274" text-anchor="middle">(\d+)<', drawn) == list(map(str, shown))


def test_a_range_needs_both_ends():
    series = series_of([1, 2, 3], [0.5] * 3, [0.25, None, 0.25], [None, 0.75, 0.75])
    frame = frame_of([1, 2, 3], [0.0, 1.0, 0.5])
    assert draw_range(series, [0.0, 10.0, 20.0], frame) == ""
    whole = replace(series, low=[0.25, 0.25, None], high=[0.75, 0.75, 0.75])
    assert draw_range(whole, [0.0, 10.0, 20.0], frame) == (
        '<path class="range" d="M0.0 73.0L10.0 73.0L10.0 195.0L0.0 195.0Z"/>'
    )


def test_long_names_are_short_where_it_is_said_who_is_better():
    name = "a-rather-long-name-of-a-model"
    series = [series_of(K, [0.5] * 5, label=name), series_of(K, [0.2] * 5, label="b")]
    drawn = draw_chart(Curves(series, "", stretches=(Stretch([1, 2], 0),)))
    assert ">a-rathe…-model is better at k = 1-2</text></g>" in drawn


# Estimates on a line.


@pytest.mark.parametrize(
    "value, low, high, bar",
    [
        (0.5, 0.25, 0.75, ("104.0", "192.0")),
        (0.0, 0.0, 0.0, ("8.0", "2.0")),
        (1.0, 0.999, 1.0, ("391.6", "2.0")),
        (0.5, None, 0.75, None),
        (0.5, 0.25, None, None),
    ],
)
def test_an_interval_on_a_line(value, low, high, bar):
    drawn = draw_line(Line("m", "", value, low, high), (0, 1))
    assert (
        f'<circle cx="{8 + 384 * value:.1f}" cy="14" r="6"/>' in drawn
        and "upright" not in drawn + "limit"
    )
    if bar is None:
        assert "rect" not in drawn
    else:
        assert (
            f'<rect class="range" x="{bar[0]}" y="8" width="{bar[1]}" height="12" rx="5"/>' in drawn
        )


def test_what_an_interval_is_held_against():
    drawn = draw_line(Line("m", "", -0.08, -0.2, 0.04, limit=-0.05), (-0.2, 0.04), zero=True)
    assert '<path class="upright" d="M328.0 1V27"/><path class="limit" d="M248.0 1V27"/>' in drawn
    assert 'x="8.0" y="8" width="384.0"' in drawn and "limit" not in draw_line(
        Line("m", "", 0.0, 0.0, 0.0), (0, 0), True
    )
    assert "nan" not in draw_line(Line("m", "", 0.0, 0.0, 0.0, limit=0.0), (0, 0))


@pytest.mark.parametrize(
    "more, ends",
    [
        ({}, (-0.1, 0.6)),
        (dict(zero="no change"), (-0.1, 0.6)),
        (dict(scale=(0.0, 1.0)), (0.0, 1.0)),
    ],
)
def test_ends_of_a_scale(more, ends):
    lines = Line("a", "", 0.5, 0.4, 0.6), Line("b", "", 0.3, None, None, limit=-0.1)
    assert scale_ends(Intervals(lines, "", **more)) == ends
    assert scale_ends(Intervals(lines[:1], "", zero="0")) == (0.0, 0.6) and scale_ends(
        Intervals(lines[:1], "")
    ) == (0.4, 0.6)


# Questions by how often they are right.


@pytest.mark.parametrize(
    "c, n, counts, steps, alike",
    [
        ([0, 4, 4, 2], [4] * 4, [1, 0, 1, 0, 2], 4, True),
        ([0, 20], [20, 20], [1] + [0] * 19 + [1], 20, True),
        ([0, 21, 2, 3], [21] * 4, [2, 1] + [0] * 7 + [1], 10, False),
        ([1, 1], [1, 2], [0] * 5 + [1] + [0] * 3 + [1], 10, False),
        ([1, 9, 10], [10, 10, 100], [0, 2] + [0] * 7 + [1], 10, False),
        ([3], [7], [0, 0, 0, 1, 0, 0, 0, 0], 7, True),
    ],
)
def test_questions_by_how_often_they_are_right(c, n, counts, steps, alike):
    assert count_shares(np.array(c), np.array(n)) == Bars(counts, steps, alike)


BARS = {
    "few samples": Bars([3, 0, 1, 6], 3, True),
    "many samples": Bars([1, 2, 0, 0, 0, 0, 0, 0, 5], 8, True),
    "shares": Bars([4, 0, 0, 0, 1, 0, 0, 0, 0, 2], 10, False),
}


@pytest.mark.parametrize("name", BARS)
def test_bars(name):
    check_printed(
        "charts", f"bars: {name}", split_markup(draw_shares(BARS[name], 6, "what is <seen>"))
    )


# Where labels and budgets stand, at the boundaries and by hand.


@pytest.mark.parametrize(
    "values, limits",
    [
        ([0.0, 1.0], (-0.04, 1.04)),
        ([0.1, 0.79], (0.0586, 0.8314)),
        ([0.1, 0.81], (-0.04, 1.04)),
        ([0.0, 0.7], (-0.04, 0.742)),
        ([0.3, 1.0], (0.258, 1.04)),
        ([0.95, 0.99], (0.9476, 0.9924)),
        ([1.0], (0.95, 1.04)),
        ([0.0], (-0.04, 0.05)),
        ([0.01], (-0.04, 0.06)),
        ([1.001, 0.2], (0.15194, 1.04906)),
        ([-0.001, 0.9], (-0.05506, 0.95406)),
        ([-2.0, 3.0], (-2.3, 3.3)),
        ([5.0], (4.95, 5.05)),
    ],
)
def test_limits_of_an_axis(values, limits):
    assert axis_limits(values) == pytest.approx(limits) and axis_limits(
        values[::-1]
    ) == pytest.approx(limits)


# Ticks.


@pytest.mark.parametrize(
    "width, shown",
    [
        (1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        (1.1, [2, 4, 6, 8, 10]),
        (2, [2, 4, 6, 8, 10]),
        (2.1, [5, 10]),
        (5, [5, 10]),
        (5.1, [10]),
        (50, [10]),
    ],
)
def test_multiples_of_the_smallest_number_with_room(width, shown):
    budgets = list(range(1, 11))
    axis = NumberedAxis(budgets, [width] * 10)
    assert [budgets[i] for i in pick_multiples(budgets, range(10), axis)] == shown


def test_a_free_budget_leaves_room_for_both_ends():
    places = [0, 10, 20, 30, 40]
    assert pick_ticks([1, 2, 3, 4, 5], places, [10] * 5) == [0, 1, 2, 3, 4]
    assert pick_ticks([1, 2, 3, 4, 5], places, [10, 10, 10, 10, 11]) == [0, 1, 2, 4]
    assert pick_ticks([1, 2, 3, 4, 5], places, [11, 10, 10, 10, 11]) == [0, 2, 4]
    assert pick_ticks([1, 2, 3, 4, 5], places, [60] * 5) == [0, 4] and pick_ticks(
        [7], [3], [1]
    ) == [0]
    assert pick_ticks([1, 2, 4, 8, 16], places, [11] * 5) == [0, 2, 4]


# Labels.


@pytest.mark.parametrize(
    "wanted, apart, low, high, placed",
    [
        ([], 10, 0, 100, []),
        ([5], 10, 0, 100, [5]),
        ([-5], 10, 0, 100, [0]),
        ([105], 10, 0, 100, [100]),
        ([30, 10], 10, 0, 100, [30, 10]),
        ([20, 10], 10, 0, 100, [20, 10]),
        ([15, 10], 10, 0, 100, [17.5, 7.5]),
        ([3, 3, 3], 10, 0, 100, [0, 10, 20]),
        ([99, 98, 97], 10, 0, 100, [100, 90, 80]),
        ([1, 2], 10, 0, 10, [0, 10]),
        ([1, 2], 10, 0, 8, [-1, 9]),
        ([1, 2], 10, 2, 8, [0, 10]),
        ([4], 10, 3, 3, [3]),
        ([0, 50, 52, 54, 100], 10, 0, 100, [0, 42, 52, 62, 100]),
    ],
)
def test_places_by_hand(wanted, apart, low, high, placed):
    assert spread_labels(wanted, apart, low, high) == placed


@pytest.mark.parametrize(
    "values, pooled",
    [
        ([], []),
        ([1, 2, 3], [1, 2, 3]),
        ([2, 2], [2, 2]),
        ([3, 1], [2, 2]),
        ([4, 3, 2], [3, 3, 3]),
        ([1, 5, 2, 2], [1, 3, 3, 3]),
        ([2, 5, 2, -5], [1, 1, 1, 1]),
        ([0, 6, 3, 9], [0, 4.5, 4.5, 9]),
    ],
)
def test_neighbours_in_the_wrong_order_share_their_mean(values, pooled):
    assert pool_falls(np.array(values, float)).tolist() == pooled


@pytest.mark.parametrize(
    "names, letters, short",
    [
        (["abcdef"], 6, ["abcdef"]),
        (["abcdefg"], 6, ["abc…fg"]),
        (["abcdefgh"], 7, ["abc…fgh"]),
        (["abcdefg", "xy"], 5, ["ab…fg", "xy"]),
        (["abcX1efg", "abcX2efg"], 7, ["abcX1efg", "abcX2efg"]),
        (["aaaaaaa", "aaaaaaa"], 5, ["aa…aa", "aa…aa"]),
        ([], 5, []),
    ],
)
def test_names_lose_their_middle(names, letters, short):
    assert shorten_names(names, letters) == short


@pytest.mark.parametrize(
    "budgets, free, places, width, shown",
    [
        # The smaller power first, and a power before what lies between
        ([1, 2, 4, 8, 16], [1, 2, 3], [0, 1, 2, 3, 4], 2, [1, 3]),
        ([1, 2, 4, 8, 16, 32], [1, 2, 3, 4], [0, 1, 2, 3, 4, 5], 2, [1, 3]),
        ([1, 2, 3, 4, 9], [2, 3], [0, 10, 16, 20, 30], 10, [3]),
        ([1, 5, 6, 7, 9], [1, 2, 3], [0, 5, 6, 7, 9], 2, [1, 3]),
        ([1, 2, 4], [], [0, 1, 2], 1, []),
    ],
)
def test_powers_have_room_first(budgets, free, places, width, shown):
    axis = NumberedAxis(places, [width] * len(budgets))
    assert pick_powers(budgets, free, axis) == shown


@pytest.mark.parametrize(
    "series, style, dash",
    [
        (0, dict(color="#0072b2", marker="o", ls="-"), ""),
        (1, dict(color="#d55e00", marker="s", ls=(0, (5, 2))), ' stroke-dasharray="10 4"'),
        (7, dict(color="#333333", marker="p", ls="-"), ""),
        (8, dict(color="#0072b2", marker="<", ls=(0, (5, 2))), ' stroke-dasharray="10 4"'),
        (9, dict(color="#d55e00", marker="o", ls=(0, (1.2, 1.4))), ' stroke-dasharray="2.4 2.8"'),
    ],
)
def test_styles_begin_anew_where_they_end(series, style, dash):
    assert choose_style(series) == style and dash_array(series) == dash
    assert (shape_path(series) == "") == (style["marker"] == "o")
    assert shape_path(series) == shape_path(series + 9)
