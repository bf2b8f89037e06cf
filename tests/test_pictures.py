"Pictures of reports and comparisons: what is drawn, said and marked, not that a file exists."

import itertools
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, strategies as st
from matplotlib.text import Text

from conftest import command
from sampling_eval import Counts, compare, score
from sampling_eval.inference.bands import PairedCurve
from sampling_eval.render import drawing
from sampling_eval.render.drawing import is_geometric, pick_ticks, spread_labels
from sampling_eval.render.blocks import Curves, Series
from sampling_eval.analyses.compare.words import make_line, significant_ranges
from sampling_eval.render.html import read_style
from sampling_eval.render.output import draw
from sampling_eval.render.plot import plot_curves
from sampling_eval.analyses.score.pictures import has_curve, plot as plot_report
from sampling_eval.analyses.compare.result import MultipleComparison, PairwiseComparison
from sampling_eval.results.rows import Bound
from score_rows import make_report, make_row

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def no_figure_stays_open():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def rl():
    "B better at few samples, A at many: 1,060 problems before and after reinforcement learning."
    table = np.genfromtxt(
        ROOT / "sampling_eval/examples/deepscaler32k_counts.csv",
        delimiter=",",
        names=True,
        dtype=None,
        encoding="utf-8",
    )
    before, after = (Counts(table["n"], table[c], table["question_id"]) for c in ("c_base", "c_rl"))
    return compare(before, after)


def legend_of(ax):
    return [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]


def names_of(ax):
    return [text for text in ax.texts if text.get_text()]


def bars_of(ax):
    return [line for line in ax.lines if line.get_linewidth() == 4]


def curves_of(ax):
    return [
        line
        for line in ax.lines
        if line.get_marker() not in ("None", "", None) and line.get_ls() != "None"
    ]


def ends_of(span):
    "Left and right end of a span, a `Polygon` before matplotlib 3.9 and a `Rectangle` since."
    x = span.get_patch_transform().transform_path(span.get_path()).vertices[:, 0]
    return x.min(), x.max()


# Colours.

SEEN = dict(
    normal=np.eye(3),
    protan=[
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    deutan=[
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    tritan=[
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
)  # Machado et al. (2009)
LMS = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]  # Oklab, Ottosson (2020)


def light_of(colour):
    part = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    low, high = sorted(light_of(o) @ [0.2126, 0.7152, 0.0722] for o in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("vision", SEEN)
@pytest.mark.parametrize("colours, ground", [(drawing.LIGHT, "#ffffff"), (drawing.DARK, "#15181c")])
def test_colours_are_told_apart(colours, ground, vision):
    light = [np.clip(np.array(SEEN[vision]) @ light_of(colour), 0, 1) for colour in colours]
    places = [LAB @ np.cbrt(LMS @ one) for one in light]
    # Okabe and Ito's own colours come as close as 0.076.
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(places, 2)) > 0.09
    assert min(contrast(colour, ground) for colour in colours) > 3


def test_series_differ_in_more_than_colour():
    styles = [drawing.choose_style(i) for i in range(12)]
    for a, b in itertools.combinations(range(12), 2):
        same = [styles[a][name] == styles[b][name] for name in ("color", "marker", "ls")]
        assert sum(same) < 2
    for a, b in itertools.combinations(range(7), 2):
        assert all(styles[a][name] != styles[b][name] for name in ("color", "marker", "ls"))


def test_there_is_one_palette():
    for i, colour in enumerate(drawing.LIGHT):
        assert f"--c{i}: {colour};" in read_style()
    for i, colour in enumerate(drawing.DARK):
        assert f"--c{i}: {colour};" in read_style()
    for path in (ROOT / "sampling_eval" / "report").glob("*.py"):
        others = set(re.findall(r"#[0-9a-fA-F]{6}\b", path.read_text("utf-8")))
        if path.name not in ("drawing.py", "plot.py"):
            assert not others, path.name


# Places.


@pytest.mark.parametrize(
    "k, powers",
    [
        ([1, 2, 4, 8], True),
        ([1, 2, 3, 4], False),
        (range(1, 129), False),
        ([1, 8, 64], True),
        ([1, 10], False),
        ([1, 3, 10, 30, 100], True),
        ([1, 2, 4, 8, 16, 32, 64, 100], True),
        ([5], False),
    ],
)
def test_powers_are_told_from_steps(k, powers):
    assert is_geometric(list(k)) == powers


@pytest.mark.parametrize(
    "k, width, shown",
    [
        ([1, 2, 4, 8], 1, [1, 2, 4, 8]),
        (range(1, 129), 30, [1, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 128]),
        (range(1, 129), 60, [1, 40, 60, 80, 100, 128]),
        ([7], 1, [7]),
        ([3, 9], 1e9, [3, 9]),
        ([1, 2, 4, 8, 12, 16], 90, [1, 2, 4, 8, 16]),
    ],
)
def test_ticks_are_budgets_with_room(k, width, shown):
    k = list(k)
    at = np.log(k) if is_geometric(k) else np.array(k, float)
    places = 400 * (at - at[0]) / (np.ptp(at) or 1)
    picked = pick_ticks(k, places.tolist(), [width] * len(k))
    assert [k[i] for i in picked] == shown


@given(st.lists(st.floats(0, 100), min_size=1, max_size=12))
def test_labels_never_touch_and_hardly_move(wanted):
    placed = spread_labels(wanted, 8, 0, 100)
    ordered = sorted(placed)
    assert all(b - a >= 8 - 1e-9 for a, b in zip(ordered, ordered[1:]))
    assert all(
        (a <= b) == (x <= y) or x == y
        for (a, x), (b, y) in itertools.combinations(zip(wanted, placed), 2)
        if a != b
    )
    if len(wanted) * 8 < 100:
        assert 0 <= ordered[0] and ordered[-1] <= 100
    alone = [
        i
        for i, a in enumerate(wanted)
        if 8 * len(wanted) < a < 100 - 8 * len(wanted)
        and all(abs(a - b) >= 8 * len(wanted) for j, b in enumerate(wanted) if j != i)
    ]
    assert all(placed[i] == pytest.approx(wanted[i]) for i in alone)


# Two systems.


@pytest.mark.parametrize("size", ["column", "page", 5.5])
def test_a_comparison_shows_both_curves(rl, size):
    ax = rl.plot(size=size)
    width = dict(column=3.25, page=6.75).get(size, size)
    assert ax.figure.get_size_inches()[0] == width
    a, b = curves_of(ax)[:2]
    np.testing.assert_allclose(a.get_ydata(), [row.a for row in rl.rows])
    np.testing.assert_allclose(b.get_ydata(), [row.b for row in rl.rows])
    assert (
        a.get_color() != b.get_color()
        and a.get_marker() != b.get_marker()
        and a.get_ls() != b.get_ls()
    )
    assert ax.get_xscale() == "log" and ax.get_xticks().tolist() == [1, 2, 4, 8, 16, 32, 64, 128]
    assert [text.get_text() for text in ax.get_xticklabels()] == "1 2 4 8 16 32 64 128".split()
    assert ax.get_ylabel() == "pass@k" and ax.get_title("left") == "B against A (1,060 questions)"
    assert {text.get_text() for text in names_of(ax)} == {"A", "B"}
    texts = [
        *ax.texts,
        *ax.get_legend().get_texts(),
        *ax.get_xticklabels(),
        ax.xaxis.label,
        ax.title,
    ]
    assert {text.get_fontsize() for text in texts} == {8}


def test_bars_are_the_verdict_of_the_band(rl):
    ax = rl.plot(size="column")
    assert rl.curve.gains.tolist() == [1, 2, 4, 8] and rl.curve.losses.tolist() == [64, 128]
    colours = [line.get_color() for line in curves_of(ax)[:2]]
    assert [(list(line.get_xdata()), line.get_color()) for line in bars_of(ax)] == [
        ([1, 8], colours[1]),
        ([64, 128], colours[0]),
    ]
    assert [ends_of(o) for o in ax.patches] == [(8, 64)]
    assert legend_of(ax) == [
        "B is better at k = 1-8",
        "A is better at k = 64-128",
        "the curves cross between k = 8 and 64",
        "shades: 95 % CI at each k; bars: significant in the simultaneous band",
    ]


def curve_of(low, high):
    low, high = np.array(low, float), np.array(high, float)
    return PairedCurve(
        2 ** np.arange(len(low)), (low + high) / 2, high, low, high, 2.0, 0.9, 50, "m"
    )


@pytest.mark.parametrize(
    "low, high, runs",
    [
        ([0.1], [0.2], [([1], 1)]),
        ([-0.2], [-0.1], [([1], 0)]),
        ([0], [0.1], []),
        ([-0.1], [0], []),
        ([-0.1], [0.1], []),
        ([0.1, -0.3, 0.1, 0.1], [0.2, -0.1, 0.2, 0.2], [([1], 1), ([2], 0), ([4, 8], 1)]),
        ([-0.1, 0.1, 0.1, -0.1], [0.1, 0.2, 0.2, 0.1], [([2, 4], 1)]),
    ],
)
def test_runs_of_budgets(low, high, runs):
    found = significant_ranges(SimpleNamespace(curve=curve_of(low, high)))
    assert [(one.k, one.series) for one in found] == runs


def test_shades_are_the_intervals_of_score(rl):
    table = np.genfromtxt(
        ROOT / "sampling_eval/examples/deepscaler32k_counts.csv",
        delimiter=",",
        names=True,
        dtype=None,
        encoding="utf-8",
    )
    ax = rl.plot(size="column")
    for column, drawn, side in zip(("c_base", "c_rl"), ax.collections, rl.sides):
        rows = score(Counts(table["n"], table[column]), "pass@k").rows
        np.testing.assert_allclose(side.low, [row.low for row in rows], rtol=1e-12)
        np.testing.assert_allclose(side.high, [row.high for row in rows], rtol=1e-12)
        edge = drawn.get_paths()[0].vertices[:, 1]
        assert edge.min() == pytest.approx(min(side.low)) and edge.max() == pytest.approx(
            max(side.high)
        )


def test_nothing_is_marked_where_nothing_is_certain():
    r1 = Counts([4] * 15, [4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1])
    o3 = Counts([4] * 15, [4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4])
    ax = compare(r1, o3).plot()
    assert not bars_of(ax) and not ax.patches and ax.get_xticks().tolist() == [1, 2, 3, 4]
    assert ax.get_xscale() == "linear" and legend_of(ax) == ["shades: 95 % CI at each k"]
    one = compare(r1, o3, "pass@2").plot(size="column")
    assert one.get_xlabel() == "B - A" and [o.get_text() for o in one.get_yticklabels()] == [
        "pass@2"
    ]


def test_the_difference_is_still_there(rl):
    ax = rl.plot("difference", size="page")
    assert (
        ax.lines[0].get_ydata().tolist() == rl.curve.difference.tolist()
        and ax.get_ylabel() == "B - A"
    )
    with pytest.raises(ValueError, match="what must be 'curves' or 'difference', got 'both'"):
        rl.plot("both")
    with pytest.raises(ValueError, match="ax and size exclude each other"):
        rl.plot(ax=ax, size="page")


def test_the_figure_survives_json(rl):
    again = PairwiseComparison.from_json(rl.to_json())
    assert again == rl and draw(again, "svg") == draw(rl, "svg")


def test_the_page_shows_both_curves(rl):
    svg = re.search(r'(?s)<figure class="chart">.*?</figure>', rl.to_html())[0]
    assert re.findall(r'class="stretch (\w+)".*?>([^<]+)</text>', svg) == [
        ("c1", "B is better at k = 1-8"),
        ("c0", "A is better at k = 64-128"),
        ("gap", "the curves cross between k = 8 and 64"),
    ]
    assert svg.count('class="crossing"') == 1
    assert 'data-say="A, k = 1: 60.4 % (' in svg
    assert (
        svg.count('class="mark"') == 8 and svg.count("<circle") == 8 and "stroke-dasharray" in svg
    )
    assert [float(o) for o in re.findall(r'>(\d+) %</text>', svg)] == [60, 70, 80, 90]


def test_the_page_draws_no_curves_of_one_budget():
    one = compare([[1, 0], [1, 1]], [[1, 1], [1, 1]], "pass@1")
    assert (
        '<figure class="chart">' not in one.to_html()
        and '<figure class="intervals"' in one.to_html()
    )


def test_several_systems_share_the_axis():
    rows = [
        dict(model=m, question=q, sample=s, correct=s < (q + i) % 5)
        for i, m in enumerate("abc")
        for q in range(10)
        for s in range(4)
    ]
    standings = compare(rows)
    ax = standings.plot(size="column")
    assert [text.get_text() for text in names_of(ax)] == ["a", "b", "c"] and not bars_of(ax)
    for line, model in zip(curves_of(ax), "abc"):
        own = score([row for row in rows if row["model"] == model], "pass@k")
        np.testing.assert_allclose(line.get_ydata(), [row.estimate for row in own.rows])
    again = MultipleComparison.from_json(standings.to_json())
    assert (
        draw(again, "svg") == draw(standings, "svg")
        and again.to_html().count('<figure class="chart">') == 1
    )
    assert standings.plot("pass@2").get_xlabel().startswith("pass@2: difference from")
    with pytest.raises(ValueError, match=r"metric must be one of \['pass@1', .*\], got 'pass@k'"):
        standings.plot("pass@k")


# Names.


def test_names_never_overlap_and_stay_inside():
    k = [1, 2, 4, 8]
    series = [
        Series(
            f"model-{i}-of-a-rather-long-name",
            "",
            k,
            [0.4, 0.5, 0.6, 0.7 + i / 400],
            [None] * 4,
            [None] * 4,
            [],
        )
        for i in range(9)
    ]
    ax = plot_curves(Curves(series, "", "title", "pass@k"), size="column")
    figure = ax.figure
    figure.canvas.draw()
    boxes = sorted((Text.get_window_extent(text) for text in names_of(ax)), key=lambda box: box.y0)
    assert len(boxes) == 9 and all(a.y1 <= b.y0 for a, b in zip(boxes, boxes[1:]))
    whole = figure.bbox
    assert all(box.x1 <= whole.x1 + 1 and box.y0 >= 0 and box.y1 <= whole.y1 for box in boxes)
    assert [text.get_color() for text in names_of(ax)] == [drawing.LIGHT[i % 8] for i in range(9)]


# Reports.


def rows_of(name, values, **fields):
    return [
        make_row(f"{name}{k}", k, value, value - 0.1, value + 0.1, **fields)
        for k, value in values.items()
    ]


UP, DOWN = {1: 0.4, 2: 0.5, 4: 0.7}, {1: 0.4, 2: 0.3, 4: 0.2}


def plot_told(*rows, model=None, metric=None, **options):
    return plot_report(make_report(*rows), model, metric, **options)


def test_one_model_shows_its_metrics():
    ax = plot_told(
        *rows_of("pass@", UP, model="m"),
        *rows_of("cons@", UP, model="m"),
        *rows_of("pass^", DOWN, model="m"),
    )
    assert [text.get_text() for text in names_of(ax)] == ["pass@k", "pass^k"]
    assert [list(line.get_ydata()) for line in curves_of(ax)[:2]] == [
        list(UP.values()),
        list(DOWN.values()),
    ]
    assert (
        ax.get_title("left") == "m, 50 questions, 4 samples each"
        and ax.get_ylabel() == "mean over questions"
    )
    asked = plot_told(*rows_of("pass@", UP), *rows_of("cons@", DOWN), metric="cons@k")
    assert asked.get_ylabel() == "cons@k" and list(curves_of(asked)[0].get_ydata()) == list(
        DOWN.values()
    )


def test_several_models_share_the_axis():
    rows = (
        *rows_of("pass@", UP, model="a"),
        *rows_of("pass^", UP, model="a"),
        *rows_of("pass@", DOWN, model="b"),
    )
    ax = plot_told(*rows, size="column")
    assert [text.get_text() for text in names_of(ax)] == ["a", "b"] and ax.get_ylabel() == "pass@k"
    assert ax.get_title("left") == "2 models, 50 questions, 4 samples each"
    assert list(curves_of(plot_told(*rows, model="b"))[0].get_ydata()) == list(DOWN.values())
    many = [row for i in range(15) for row in rows_of("pass@", UP, model=f"m{i}")]
    ax = plot_told(*many)
    assert len(names_of(ax)) == 12 and ax.get_title("left").endswith("; the first 12 are drawn")


def test_a_model_with_one_budget_is_a_point_among_curves():
    ax = plot_told(*rows_of("pass@", UP, model="a"), *rows_of("pass@", {1: 0.3}, model="b"))
    assert [list(line.get_xdata()) for line in curves_of(ax)] == [[1, 2, 4], [1]]
    assert [text.get_text() for text in names_of(ax)] == ["a", "b"]


def test_groups_share_the_axis():
    rows = [
        row
        for group in ("", "x", "y")
        for row in rows_of(
            "pass@", UP, model="m", group=f"task {group}" if group else "all questions"
        )
    ]
    ax = plot_told(*rows)
    assert [text.get_text() for text in names_of(ax)] == ["all questions", "task x", "task y"]
    two = [
        *rows,
        *rows_of("pass@", DOWN, model="n", group="all questions"),
        *rows_of("pass@", DOWN, model="n", group="task x"),
    ]
    assert [text.get_text() for text in names_of(plot_told(*two))] == ["m", "n"]
    assert [text.get_text() for text in names_of(plot_told(*two, model="n"))] == [
        "all questions",
        "task x",
    ]


@pytest.mark.parametrize("group", ["", "all questions / "])
def test_missing_samples_leave_two_curves(group):
    wrong, right = (
        rows_of(
            "pass@",
            told,
            group=f"{group}missing counted {how}",
            missing=9,
            bound=Bound(how, group[:-3]),
        )
        for how, told in (("wrong", DOWN), ("right", UP))
    )
    ax = plot_told(*wrong, *right, size="column")
    low, high = [line for line in ax.lines if line.get_marker() == "o" and line.get_ls() != "None"]
    assert list(low.get_ydata()) == list(DOWN.values()) and list(high.get_ydata()) == list(
        UP.values()
    )
    assert high.get_markerfacecolor() == "white" and low.get_color() == high.get_color()
    edge = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert edge.min() == pytest.approx(0.1) and edge.max() == pytest.approx(0.8)
    assert (
        legend_of(ax)[0]
        == "between full and hollow markers: missing samples counted wrong or right"
    )
    dots = plot_told(*wrong[:1], *right[:1], size="column")
    assert [list(line.get_xdata()) for line in dots.lines] == [[0.4], [0.4]]


def test_missing_samples_of_a_real_report():
    rows = [
        dict(question=q, sample=s, correct=None if (q + s) % 9 == 0 else (q * s) % 3 == 0)
        for q in range(12)
        for s in range(4)
    ]
    report = score(rows, ["pass@k", "pass^k"], missing="bounds")
    ax = report.plot()
    assert len([line for line in ax.lines if line.get_markerfacecolor() == "white"]) == 2
    assert {text.get_text() for text in names_of(ax)} == {"pass@k", "pass^k"}


def test_one_budget_is_drawn_as_dots():
    models = [
        make_row("pass@1", 1, value, value - 0.1, value + 0.1, model=name)
        for name, value in [("a", 0.3), ("b", 0.6), ("c", 0.5)]
    ]
    ax = plot_told(*models, size="column")
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        "b",
        "c",
        "a",
    ] and ax.get_xlabel() == "pass@1"
    assert list(ax.lines[0].get_xdata()) == [0.6, 0.5, 0.3] and list(ax.lines[0].get_ydata()) == [
        2,
        1,
        0,
    ]
    np.testing.assert_allclose(ax.collections[0].get_segments()[0], [[0.5, 2], [0.7, 2]])
    assert (
        legend_of(ax) == ["95 % CI"]
        and ax.get_title("left") == "3 models, 50 questions, 4 samples each"
    )
    lone = plot_told(make_row("avg@4", None, 0.4), make_row("soft@4", None, 3.0, 2.0, 4.0))
    assert [text.get_text() for text in lone.get_yticklabels()] == ["avg@4", "soft@4"]
    at_two = plot_told(
        *rows_of("pass@", UP, model="a"), *rows_of("pass@", DOWN, model="b"), metric="pass@2"
    )
    assert list(at_two.lines[0].get_xdata()) == [0.5, 0.3] and at_two.get_xlabel() == "pass@2"
    none = plot_told(make_row("avg@4", None, 0.4, None, None))
    assert none.get_legend() is None


def test_what_a_figure_refuses():
    rows = *rows_of("pass@", UP, model="a"), *rows_of("pass@", DOWN, model="b")
    with pytest.raises(ValueError, match=r"model must be one of \['a', 'b'\], got 'x'"):
        plot_told(*rows, model="x")
    with pytest.raises(
        ValueError, match=r"metric must be one of \['pass@1', 'pass@2', 'pass@4'\], got 'maj@k'"
    ):
        plot_told(*rows, metric="maj@k")
    for size in "colum", 0, -1, float("nan"), "1e9":
        with pytest.raises(
            ValueError, match="size must be 'column', 'page' or a width from 1 to 40 inches"
        ):
            plot_told(*rows, size=size)


# Files.


def test_files_are_the_same_on_each_run_and_hold_text(rl):
    for kind in "svg", "pdf", "png":
        assert draw(rl, kind) == draw(rl, kind)
    svg = draw(rl, "svg").decode()
    assert f'width="{3.25 * 72:g}pt"' in svg
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert {"A", "B", "pass@k", "128", "B is better at k = 1-8"} <= set(texts)
    assert set(re.findall(r"font(?:-size)?: ([\d.]+)px", svg)) == {"8"}
    assert draw(rl, "svg", 5.5) != draw(rl, "svg") and b'width="396pt"' in draw(rl, "svg", "5.5")
    assert int.from_bytes(draw(rl, "png")[16:20], "big") == 975  # 300 dots an inch
    with pytest.raises(ValueError, match="a picture must end in .svg, .png or .pdf, got 'gif'"):
        draw(rl, "gif")


def test_another_process_writes_the_same_bytes(tmp_path):
    rows = "question,sample,correct\n" + "".join(
        f"{q},{s},{(q * s + q) % 3 % 2}\n" for q in range(9) for s in range(4)
    )
    (tmp_path / "run.csv").write_text(rows)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "sampling_eval",
            "score",
            "run.csv",
            "-m",
            "pass@k",
            "--plot",
            "p.svg",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0 and "Wrote p.svg" in done.stderr, done.stderr
    assert (tmp_path / "p.svg").read_bytes() == draw(score(tmp_path / "run.csv", "pass@k"), "svg")


def test_the_command_draws_a_comparison(tmp_path):
    for name, right in ("base", 1), ("tuned", 4):
        lines = "".join(f"{q},{s},{int(s < right + q % 3)}\n" for q in range(30) for s in range(8))
        (tmp_path / f"{name}.csv").write_text("question,sample,correct\n" + lines)

    def run(*words):
        return command("compare", "base.csv", "tuned.csv", *words, cwd=tmp_path)

    assert run("--plot", "curves.svg", "--size", "page").returncode == 0
    drawn = (tmp_path / "curves.svg").read_text("utf-8")
    assert (
        "tuned.csv is better at k = " in drawn
        and 'width="486pt"' in drawn
        and ">base.csv</text>" in drawn
    )
    wrong = run("--plot", "base.csv")
    assert wrong.returncode == 2 and "base.csv holds the data that were read" in wrong.stderr
    wide = run("--plot", "x.pdf", "--size", "wide")
    assert (
        wide.returncode == 2
        and "--size must be" in wide.stderr
        and not (tmp_path / "x.pdf").exists()
    )


def test_a_line_has_the_verdict_of_its_row():
    right, wrong, mixed = [[1, 1]] * 20, [[0, 0]] * 20, [[1, 0]] * 20
    for a, b, verdict in (
        (wrong, right, "better"),
        (right, wrong, "worse"),
        (mixed, mixed, "inconclusive"),
    ):
        (row,) = compare(a, b, metrics="pass@1").rows
        assert make_line(row).verdict == row.verdict == verdict


@pytest.mark.parametrize(
    "name, estimates, drawn",
    [
        ("pass@k", [0.2, 1.0], True),
        ("pass@k", [0.2, 1.5], False),
        ("pass@k", [-0.1, 0.5], False),
        ("pass@k", [0.2], False),
        ("max@k", [0.2, 0.5], False),
    ],
)
def test_a_curve_is_drawn_of_several_shares(name, estimates, drawn):
    rows = [SimpleNamespace(estimate=one) for one in estimates]
    assert has_curve(SimpleNamespace(name=name, rows=rows)) == drawn


def test_powers_of_two_are_numbered_before_others():
    budgets = [1, 2, 3, 4, 6, 8, 12, 16]
    places = [20.0 * i for i in range(8)]
    assert pick_ticks(budgets, places, [10.0] * 8) == [*range(8)]
    # Where one in two has room, the powers have it.
    narrow = pick_ticks(budgets, places, [35.0] * 8)
    assert [budgets[i] for i in narrow] == [1, 4, 8, 16]
