"Figures of Matplotlib: every artist with its numbers, colours and words, read from the Axes."

import subprocess
import sys
from types import SimpleNamespace

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from printed import check_printed
from sampling_eval.inference.intervals import Interval
from sampling_eval import audit, Counts, compare, table
from sampling_eval.analyses.extrapolate import words as forecast
from sampling_eval.render.blocks import Curves, Series, Stretch
from sampling_eval.analyses.gate.words import plot as plot_gate
from sampling_eval.analyses.plan.words import plot as plot_plan
from sampling_eval.render.plot import (
    axes,
    curve_end,
    escape_text,
    label_budgets,
    measure_width,
    open_axes,
    plain,
    plot_curve,
    plot_curves,
    plot_difference,
    plot_extrapolation,
    plot_forest,
    plot_intervals,
    plot_power,
    text_size,
    write_legend,
    write_name,
    write_title,
)
from sampling_eval.analyses.score.pictures import plot as plot_report
from sampling_eval.results.rows import Bound
from sampling_eval.analyses.gate.result import Check, Gate
from score_rows import make_report, make_row


@pytest.fixture(autouse=True)
def plain_style():
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        yield
        plt.close("all")


@pytest.fixture
def fixed():
    """Axes 4 inches wide at a fixed place of a figure 5 inches wide, 100 dots an inch, text of 10
    points."""
    return plt.figure(figsize=(5, 4), dpi=100).add_axes((0.1, 0.25, 0.8, 0.5))


# What stands on Axes, in words.


def show(value):
    "A number, a colour or a list of them, with six digits."
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + " ".join(map(show, value)) + "]"
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)


def name_colour(colour):
    return to_hex(colour, keep_alpha=True).replace("#", "")


def find_place(artist, ax):
    "In which coordinates an artist stands."
    known = {
        "data": ax.transData,
        "on the axis": ax.get_xaxis_transform(),
        "across": ax.get_yaxis_transform(),
    }
    return next((name for name, one in known.items() if one == artist.get_transform()), "elsewhere")


def name_artist(one):
    return one.get_label() if one.get_label()[:1] != "_" else ""


def tell_look(line):
    return dict(
        colour=name_colour(line.get_color()),
        width=line.get_linewidth(),
        dash=line.get_linestyle(),
        cap=line.get_solid_capstyle(),
        alpha=line.get_alpha(),
        marker=line.get_marker(),
        size=line.get_markersize(),
        face=name_colour(line.get_markerfacecolor()),
    )


def tell_line(line, ax):
    return (
        dict(x=line.get_xdata(), y=line.get_ydata())
        | tell_look(line)
        | dict(
            every=line.get_markevery(),
            order=line.get_zorder(),
            clipped=line.get_clip_on(),
            label=name_artist(line),
            stands=find_place(line, ax),
        )
    )


def tell_collection(one):
    "Corners in the order of x: versions of Matplotlib start a shape at different ones."
    known = [path.vertices[np.isfinite(path.vertices).all(1)] for path in one.get_paths()]
    corners = [np.unique(found, axis=0) for found in known]
    colours = [
        [name_colour(o) for o in found] for found in (one.get_facecolor(), one.get_edgecolor())
    ]
    return dict(
        corners=corners,
        face=colours[0],
        edge=colours[1],
        width=one.get_linewidth(),
        alpha=one.get_alpha(),
        order=one.get_zorder(),
        label=name_artist(one),
    )


def tell_patch(one):
    x = one.get_patch_transform().transform_path(one.get_path()).vertices[:, 0]
    return dict(
        x=[x.min(), x.max()],
        face=name_colour(one.get_facecolor()),
        width=one.get_linewidth(),
        alpha=one.get_alpha(),
        order=one.get_zorder(),
    )


def tell_text(one):
    "A name beside a curve; how far it has moved depends on the layout, and has its own tests."
    arrow = {
        name: name_colour(o) if name == "color" else o for name, o in (one.arrowprops or {}).items()
    }
    return dict(
        text=one.get_text(),
        at=one.xy,
        across=one.get_va(),
        colour=name_colour(one.get_color()),
        size=one.get_fontsize(),
        clipped=one.get_annotation_clip(),
        coordinates=one.xycoords,
        offset=one.anncoords,
        arrow=arrow,
    )


def tell_handle(one):
    if hasattr(one, "get_markersize"):
        return tell_look(one)
    colours = [name_colour(o) for o in np.reshape(one.get_facecolor(), (-1, 4))]
    return dict(face=colours, width=np.max(one.get_linewidth()), alpha=one.get_alpha())


def tell_legend(legend, ax):
    points, box = 72 / ax.figure.dpi, legend.get_bbox_to_anchor()
    pads = [legend.borderaxespad, legend.borderpad, legend.handlelength, legend.labelspacing]
    yield "legend", dict(
        below=round((ax.bbox.y0 - box.y0) * points, 2),
        left=round((box.x0 - ax.bbox.x0) * points, 2),
        pads=pads,
        frame=legend.get_frame_on(),
    )
    for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
        yield "meaning", dict(
            text=text.get_text().replace("\n", " "), height=text.get_fontsize()
        ) | tell_handle(handle)


def tell_axes(ax):
    "Everything on Axes, kind by kind."
    yield "figure", dict(inches=ax.figure.get_size_inches())
    for name, axis in ("x", ax.xaxis), ("y", ax.yaxis):
        numbers = [o.get_text().replace("\u2212", "-") for o in axis.get_ticklabels()]
        yield name, dict(
            label=axis.get_label_text(),
            scale=axis.get_scale(),
            ends=axis.get_view_interval(),
            ticks=axis.get_ticklocs(),
            numbers=numbers,
            minor=axis.get_ticklocs(minor=True),
        )
    yield "title", dict(text=ax.get_title("left").replace("\n", " "), middle=ax.get_title())
    for line in ax.lines:
        yield "line", tell_line(line, ax)
    for one in ax.collections:
        yield "shade", tell_collection(one)
    for one in ax.patches:
        yield "ground", tell_patch(one)
    for one in ax.texts:
        yield "name", tell_text(one)
    if ax.get_legend():
        yield from tell_legend(ax.get_legend(), ax)


def check_axes(name, ax):
    ax.figure.draw_without_rendering()
    lines = [
        f"{kind}: " + ", ".join(f"{key} {show(value)}" for key, value in told.items())
        for kind, told in tell_axes(ax)
    ]
    check_printed("charts", f"axes: {name}", "\n".join(lines))


# Sizes.


@pytest.mark.parametrize(
    "size, width",
    [("column", 3.25), ("page", 6.75), (1, 1.0), (40, 40.0), ("3.5", 3.5), (2.25, 2.25)],
)
def test_widths(size, width):
    assert measure_width(size) == width


@pytest.mark.parametrize(
    "size, lines, rows, inches",
    [
        (None, 0, 0, (6, 3.2)),
        (None, 5, 0, (6, 4.1)),
        (None, 0, 10, (6, 4.14)),
        (None, 5, 10, (6, 5.04)),
        ("column", 0, 0, (3.25, 2.015)),
        ("column", 5, 0, (3.25, 2.715)),
        ("page", 0, 0, (6.75, 2.8)),
        (4, 0, 10, (4, 3.22)),
        (4, 5, 10, (4, 3.92)),
        (1, 0, 1, (1, 1.204)),
    ],
)
def test_a_figure_is_as_high_as_its_rows(size, lines, rows, inches):
    with open_axes(None, size, lines, rows) as ax:
        assert ax.figure.get_size_inches() == pytest.approx(inches)


def test_axes_are_kept():
    made = axes()
    assert made.figure.get_size_inches().tolist() == [6, 3.2] and axes(made) is made
    assert axes(None, 5).figure.get_size_inches().tolist() == [6, 5]
    assert made.figure.get_layout_engine() is not None
    with open_axes(made) as kept:
        assert kept is made
    with pytest.raises(
        ValueError, match="ax and size exclude each other: the Axes have a size; leave one out"
    ):
        with open_axes(made, "page"):
            pass


def test_paper_has_a_style_of_its_own():
    with open_axes(None, "column") as ax:
        assert (
            plt.rcParams["font.size"] == 8
            and plt.rcParams["lines.linewidth"] == 1.2
            and text_size(ax) == 8
        )
        assert ax.xaxis.get_tick_params()["labelsize"] == 8 and not ax.spines["top"].get_visible()
        assert ax.figure.get_layout_engine() is not None
    assert plt.rcParams["font.size"] == 10
    with open_axes() as usual:
        assert text_size(usual) == 10 and usual.spines["top"].get_visible()


# Words.


@pytest.mark.parametrize(
    "name, shown",
    [
        ("cost $5, $6", r"cost \$5, \$6"),
        ("_base", "\u200b_base"),
        ("a_b", "a_b"),
        (3, "3"),
        ("\x1b[0m", "\ufffd[0m"),
        ("x" * 60, "x" * 60),
        ("a" * 50 + "b" * 11, "a" * 40 + "..." + "a" * 6 + "b" * 11),
    ],
)
def test_names_are_literal(name, shown):
    assert plain(name) == shown


@pytest.mark.parametrize(
    "text, shown", [("a$b$", r"a\$b\$"), ("\t\u200b", "\ufffd\ufffd"), ("_x é", "_x é"), ("", "")]
)
def test_text_is_literal(text, shown):
    assert escape_text(text) == shown


@pytest.mark.parametrize("width, letters", [(5, 55), (9, 99), (2, 24), (1, 24)])
def test_a_title_is_as_long_as_the_axes_are_wide(width, letters):
    ax = plt.figure(figsize=(width, 4)).add_axes((0.1, 0.25, 0.8, 0.5))
    # 0.8 of the width are 57.6 points an inch, and a letter takes 5.2.
    assert write_title(ax, "x" * 60 + "$" * 60) is ax
    lines = ax.get_title("left").replace(r"\$", "$").split("\n")
    assert len(lines[0]) == letters and "".join(lines) == "x" * 60 + "$" * 60
    assert ax._left_title.get_fontsize() == 10


@pytest.mark.parametrize("width, letters", [(5, 53), (2, 24)])
def test_a_legend_is_as_long_as_the_axes_are_wide(width, letters):
    ax = plt.figure(figsize=(width, 4)).add_axes((0.1, 0.25, 0.8, 0.5))
    assert write_legend(ax, []) is ax and ax.get_legend() is None
    (line,) = ax.plot([1], [2])
    assert write_legend(ax, [(line, "x" * 60), (line, "$")]) is ax
    first, second = (o.get_text() for o in ax.get_legend().get_texts())
    assert first.split("\n")[0] == "x" * letters and first.count("x") == 60 and second == r"\$"
    check_axes(f"legend {width}", ax)


@pytest.mark.parametrize(
    "k, ends",
    [
        ([1, 2, 4, 8], (8**-0.03, 8 * 8**0.03)),
        ([1, 2, 3], (0.94, 3.06)),
        ([5], (4.5, 5.5)),
        ([2, 6], (1.88, 6.12)),
    ],
)
def test_budgets_have_a_margin(fixed, k, ends):
    assert label_budgets(fixed, k) is fixed
    assert fixed.get_xlim() == pytest.approx(ends) and fixed.get_xticks().tolist() == k
    if fixed.get_xscale() == "log":
        assert fixed.xaxis.get_transform().base == 2
    assert fixed.get_xticks(minor=True).size == 0 and fixed.get_xlabel() == "k, samples drawn"


@pytest.mark.parametrize(
    "k, shown",
    [
        ([1, 10], [1, 10]),
        ([1, 2, 4, 8, 16, 20], [1, 2, 4, 8, 16, 20]),
        ([1, 2, 4, 8, 16, 32, 64, 70], [1, 2, 4, 8, 16, 32, 70]),
    ],
)
def test_budgets_that_are_written(fixed, k, shown):
    label_budgets(fixed, k)
    assert fixed.get_xticks().tolist() == shown and (fixed.get_xscale() == "log") == (len(k) > 2)


@pytest.mark.parametrize(
    "most, shown",
    [
        (28, [1, *range(4, 27, 2), 28]),
        (29, [1, 5, 10, 15, 20, 25, 29]),
        (37, [1, 5, 10, 15, 20, 25, 30, 37]),
    ],
)
def test_numbers_of_budgets_have_room(fixed, most, shown):
    # 400 dots hold 1.06 times the budgets. A digit takes 9.03 dots, and a number one digit more
    # than it has: two steps of 28 budgets are 27.9 dots, which holds two digits, and two of 29 are
    # 26.95.
    label_budgets(fixed, range(1, most + 1))
    assert fixed.get_xticks().tolist() == shown
    assert [o.get_text() for o in fixed.get_xticklabels()] == list(map(str, shown))


# Arrays.

K = np.arange(1, 26)
RISE = K / 25


def test_curves(fixed):
    assert (
        plot_curve(
            K, RISE, RISE - 0.1, RISE + 0.1, ax=fixed, label="$x", band="95 %", series=3, alpha=0.5
        )
        is fixed
    )
    plot_curve([1, 2, 4, 8], [0.1, 0.2, 0.3, 0.4], ax=fixed)
    check_axes("curves", fixed)


def test_intervals(fixed):
    ends = [0.4, 0.2, np.nan], [0.6, 0.5, np.nan]
    assert (
        plot_intervals(
            ["a", "_b$", 3],
            [0.5, 0.25, 0.75],
            *ends,
            upper=[0.55, 0.25, 0.8],
            level=0.9,
            ax=fixed,
            label="$m",
        )
        is fixed
    )
    check_axes("intervals", fixed)


def test_intervals_that_nobody_knows(fixed):
    nothing = [np.nan, np.nan]
    assert plot_intervals(["a", "b"], [0.5, 0.25], nothing, nothing, ax=fixed) is fixed
    assert fixed.get_legend() is None and fixed.get_xlabel() == "estimate" and not fixed.collections
    own = plot_intervals(["a"], [0.5], [0.4], [0.6])
    assert own.get_legend().get_texts()[0].get_text() == "95 % CI"
    assert own.figure.get_size_inches().tolist() == [6, 3.2]
    half = plot_intervals(["a", "b"], [0.5, 0.25], [np.nan, 0.2], [np.nan, 0.3])
    assert half.get_legend() is not None


def test_forests(fixed):
    assert (
        plot_forest(
            ["a", "b", "c", "d", "e"],
            [0.06, 0.01, -0.05, 0.1, 0.1],
            [0.03, 0.0, -0.09, np.nan, 0.1],
            [0.09, 0.05, 0.0, np.nan, 0.2],
            ax=fixed,
            label="B - $A",
        )
        is fixed
    )
    check_axes("forest", fixed)
    assert plot_forest(["a"], [1], [0.5], [2]).get_xlabel() == "difference"


def test_differences(fixed):
    k, d = np.arange(1, 46), np.linspace(0.2, -0.2, 45)
    assert (
        plot_difference(
            k, d, (d - 0.02, d + 0.02), (d - 0.1, d + 0.1), ax=fixed, label="B - $A", level=0.9
        )
        is fixed
    )
    check_axes("difference", fixed)
    bare = plot_difference([1, 2], [0.1, 0.0], (np.array([0.0, -0.1]), np.array([0.2, 0.1])))
    check_axes("difference without a band", bare)
    edge = plot_difference([1, 2, 3], [0.1, 0.0, -0.1], None, ([0, -0.1, -0.2], [0.2, 0.1, 0]))
    assert [o.get_text() for o in edge.get_legend().get_texts()] == ["simultaneous 95 % band"]
    assert plot_difference([1, 2], [0.1, 0.0]).get_legend() is None


@pytest.mark.parametrize("most, every", [(10, 1), (40, 2), (59, 2), (60, 3)])
def test_triangles_where_the_band_leaves_zero(most, every):
    k = np.arange(1, most + 1)
    low, high = np.where(k > 6, 0.1, -0.1), np.where(k < 4, -0.05, 0.2)
    ax = plot_difference(k, (low + high) / 2, None, (low, high))
    marks = {line.get_marker(): line for line in ax.lines if line.get_marker() in ("^", "v")}
    told = {sign: (line.get_label(), line.get_xdata().tolist()) for sign, line in marks.items()}
    assert told == {
        "^": ("band above zero", k[6:].tolist()),
        "v": ("band below zero", [1, 2, 3]),
    }
    assert {line.get_markevery() for line in marks.values()} == {every}


def test_power(fixed):
    delta = np.linspace(0, 0.4, 25)
    assert plot_power(delta, delta * 2, ax=fixed, label="$50 questions", series=1) is fixed
    plot_power(delta[:3], delta[:3], ax=fixed, target=None)
    check_axes("power", fixed)
    bare = plot_power([0.1, 0.2], [0.3, 0.9], target=0.5)
    assert bare.get_legend() is None and bare.lines[1].get_ydata() == [0.5, 0.5]


def test_extrapolations(fixed):
    models = {"law": RISE, "b": RISE / 2}
    bounds = RISE - 0.1, RISE + 0.1
    assert (
        plot_extrapolation(K, RISE[:20], models, bounds, n=20, ax=fixed, label="$m", level=0.9)
        is fixed
    )
    check_axes("extrapolation", fixed)
    bare = plot_extrapolation(K, [], {"law": RISE})
    assert len(bare.lines) == 1 and not bare.collections and bare.get_ylabel() == "estimate"
    bounded = plot_extrapolation(K, [], {}, (RISE, RISE))
    assert bounded.get_legend().get_texts()[0].get_text() == "assumption-free 95 % bounds"


# Charts of curves.


def series_of(name, k, value, low=None, high=None, **more):
    nothing = [None] * len(k)
    return Series(name, "", k, value, low or nothing, high or nothing, [], **more)


A = series_of(
    "old_$", [1, 2, 4, 8], [0.4, 0.5, 0.6, 0.7], [0.3, 0.4, 0.5, 0.6], [0.5, 0.6, 0.7, 0.8]
)
B = series_of(
    "new", [1, 2, 4, 8], [0.6, 0.55, 0.5, 0.45], [0.5, 0.5, 0.4, 0.4], [0.7, 0.6, 0.6, 0.5]
)
CHARTS = {
    "two": Curves([A, B], "", "of $x", "pass@$k", (Stretch([1], 1), Stretch([4, 8], 0)), 0.9),
    "one ahead": Curves([B, A], "", "t", "m", (Stretch([1, 2], 0),)),
    "missing": Curves(
        [
            series_of(
                "",
                [1, 2, 3],
                [0.2, 0.4, 0.3],
                [0.1, 0.2, 0.2],
                [0.6, 0.7, 0.8],
                upper=[0.5, 0.6, 0.7],
            )
        ],
        "",
        "t",
        "m",
    ),
    "no intervals": Curves(
        [series_of("a", [1, 2], [0.5, 0.5]), series_of("b", [2, 4], [0.5, 0.5])], "", "t", "m"
    ),
}


@pytest.mark.parametrize("name", CHARTS)
def test_charts(name):
    ax = plot_curves(CHARTS[name])
    check_axes(name, ax)


def test_many_curves_are_fainter():
    def shade(count):
        several = [
            series_of(f"m{i}", [1, 2], [0.5, 0.5 + i / 40], [0.4, 0.4], [0.6, 0.9])
            for i in range(count)
        ]
        ax = plot_curves(Curves(several, "", "t", "m"))
        assert ax.figure.get_size_inches()[1] == pytest.approx(3.2 + 0.18 * (1 + max(0, count - 6)))
        return ax.collections[0].get_alpha(), len(ax.lines)

    assert [shade(count) for count in (4, 6, 7)] == [
        (0.1, 12),
        (pytest.approx(0.4 / 6), 18),
        (pytest.approx(0.4 / 7), 7),
    ]


def test_where_a_curve_ends():
    assert curve_end(A) == (8, 0.7)
    assert curve_end(series_of("", [1, 3], [0.2, 0.4], upper=[0.3, 0.7])) == (
        3,
        pytest.approx(0.55),
    )


@pytest.mark.parametrize(
    "x, up, moved",
    [
        (1, 0, False),
        (1, 4, False),
        (1, -4, False),
        (1, 4.1, True),
        (1, -4.1, True),
        (0.94, 0, False),
        (0.92, 0, True),
    ],
)
def test_a_thin_line_leads_to_a_name_that_moved(fixed, x, up, moved):
    # The Axes are 288 points wide, so that 20 points from the edge are .0694 of them.
    fixed.set(xlim=(0, 1), ylim=(0, 1))
    name = write_name(fixed, 9, "_$", (x, 0.5), 10, up)
    assert name.get_text() == "\u200b_\\$" and name.get_color() == "#d55e00"
    assert name.xyann == pytest.approx((288 * (1 - x) + 8, up))
    arrow = dict(arrowstyle="-", color="#d55e00", lw=0.5, shrinkA=0, shrinkB=3, relpos=(0, 0.5))
    assert name.arrowprops == (arrow if moved else None)


def test_names_stand_apart_and_inside():
    ends = 0.6, 0.6, 0.6, 0.9
    ax = plot_curves(
        Curves([series_of(f"m{i}", [1, 2], [0.5, end]) for i, end in enumerate(ends)], "", "t", "m")
    )
    ax.figure.draw_without_rendering()
    assert [o.xyann[1] for o in ax.texts] == pytest.approx([-11.5, 0, 11.5, 0])
    right = (ax.bbox.x1 - ax.transData.transform((2, 0.6))[0]) * 72 / ax.figure.dpi
    assert ax.texts[0].xyann[0] == pytest.approx(right + 8, abs=0.3)
    assert [o.arrowprops is not None for o in ax.texts] == [True, False, True, False]


@pytest.mark.parametrize("inches, room", [(6, 29), (1.5, 10)])
def test_names_have_a_third_of_the_figure(inches, room):
    # .36 of 72 points an inch, and a letter takes 5.2.
    ax = plt.figure(figsize=(inches, 4)).add_axes((0.2, 0.4, 0.3, 0.5))
    names = "a" * room, "b" * (room + 1)
    plot_curves(
        Curves(
            [series_of(name, [1, 2], [0.2, 0.2 + i / 2]) for i, name in enumerate(names)],
            "",
            "t",
            "m",
        ),
        ax=ax,
    )
    long = names[1][: room // 2] + "…" + names[1][: (room - 1) // 2]
    assert [o.get_text() for o in ax.texts] == [names[0], long]


# Results.


def test_models():
    rows = [
        dict(model=model, question=q, sample=i, correct=int(i < c + q % 2))
        for model, c in (("_b", 3), ("a$", 1), ("c", 2))
        for q in range(30)
        for i in range(4)
    ]
    found = table(rows, ["pass@1", "pass@2"])
    ax = found.plot()
    assert [o.get_text() for o in ax.get_yticklabels()] == [
        "\u200b_b",
        "c",
        r"a\$",
    ] and ax.get_xlabel() == "pass@1"
    assert list(ax.lines[0].get_xdata()) == [0.875, 0.625, 0.375] and list(
        ax.lines[0].get_ydata()
    ) == [2, 1, 0]
    ends = [[found[model, "pass@1"].low, found[model, "pass@1"].high] for model in found.models]
    np.testing.assert_array_equal([o[:, 0] for o in ax.collections[0].get_segments()], ends)
    assert [(o.get_text(), o.xy) for o in ax.texts] == [
        ("a", (1.01, 2)),
        ("b", (1.01, 1)),
        ("c", (1.01, 0)),
    ]
    second = found.plot("pass@2", size="page")
    assert second.get_xlabel() == "pass@2" and second.figure.get_size_inches() == pytest.approx(
        (6.75, 1.652)
    )
    with pytest.raises(ValueError, match="metric must be"):
        found.plot("pass@9")


def test_dots():
    rows = [
        make_row(
            "pass@1",
            1,
            value,
            value - 0.1,
            value + 0.1,
            model=name,
            group=f"missing counted {how}",
            missing=3,
            bound=Bound(how, ""),
        )
        for name, value in (("a", 0.3), ("b", 0.6))
        for how in ("wrong", "right")
    ]
    ax = plot_report(make_report(*rows))
    check_axes("dots", ax)
    one = make_report(
        make_row("avg@4", None, 0.4), make_row("pass@4", 4, 0.9), confidence_level=0.9
    )
    check_axes("dots of one", plot_report(one))
    assert plot_report(one, size="column").figure.get_size_inches() == pytest.approx(
        (3.25, 0.14 * 10.2)
    )


def test_gates():
    def check(rule, value, low, high, limit):
        interval = None if low is None else Interval(low, high)
        return Check(rule, "minimum", "pass@1", value, interval, limit, "pass", 50, "new_questions")

    rows = (
        check("at least", 0.75, 0.5, 1.0, 0.25),
        check("falls", 2.0, None, None, 0.0),
        check("drop", 0.1, 0.05, 0.3, 0.2),
    )
    check_axes("gate", plot_gate(Gate(rows, ("new",))))
    assert plot_gate(Gate(rows, ("new",)), size=4).figure.get_size_inches() == pytest.approx(
        (4, 0.14 * 10.2)
    )
    with pytest.raises(ValueError, match="no rule of this gate has an interval to draw"):
        plot_gate(Gate(rows[1:2], ("new",)))


def plan_of(best, method="normal", delta=(0.2, np.nan, 0.05)):
    def power_at(row, delta, questions):
        return row + delta * questions / 100

    return SimpleNamespace(
        best=best,
        method=method,
        delta=np.array(delta),
        wanted=0.7,
        power_at=power_at,
        power=np.array([0.8, np.nan, 0.9]),
        questions=np.array([10, 3, 5]),
        samples=[1, 4, 2],
        metric="pass@$1",
    )


@pytest.mark.parametrize(
    "best, method", [(0, "interval"), (1, "interval"), (None, "interval"), (2, "normal")]
)
def test_plans(best, method):
    check_axes(f"plan {best} {method}", plot_plan(plan_of(best, method), size="column"))


def forecast_of(**more):
    k = np.array([8, 1, 4, 2])
    found = dict(
        k=k,
        n_min=4,
        n_max=6,
        exact=np.array([0.1, 0.4, 0.2]),
        low=k / 20.0,
        high=k / 5.0,
        metric="pass@k",
        models={"law": k / 10.0, "b": k / 9.0},
        confidence_level=0.9,
        questions=15,
    )
    return SimpleNamespace(**found | more)


def test_forecasts():
    check_axes("forecast", forecast.plot(forecast_of()))
    equal = forecast.plot(forecast_of(high=None, n_max=4))
    assert equal.get_title("left") == "15 questions, 4 samples each" and not equal.collections
    assert not forecast.plot(forecast_of(low=None)).collections
    assert forecast.plot(forecast_of(), size="column").figure.get_size_inches() == pytest.approx(
        (3.25, 2.015 + 0.56)
    )


CURVES = make_report(*(make_row(f"pass@{k}", k, k / 8, k / 9, k / 7) for k in (1, 2, 4)))
TABLE = table(
    [dict(model=m, question=q, correct=int(m == "a")) for m in "ab" for q in range(3)], "pass@1"
)
SIDES = [Counts([4] * 9, np.minimum(np.arange(9) % 4 + i, 4)) for i in range(3)]
DRAWN = {
    "chart": lambda **asked: plot_curves(CHARTS["two"], **asked),
    "curves": lambda **asked: plot_report(CURVES, **asked),
    "dots": lambda **asked: plot_report(CURVES, metric="pass@2", **asked),
    "audit": lambda **asked: audit("17/20", "14/20").plot(**asked),
    "models": lambda **asked: TABLE.plot(**asked),
    "pair": lambda **asked: compare(*SIDES[:2], "pass@1").plot(**asked),
    "ranking": lambda **asked: compare(*SIDES[:2], "pass@1", others=SIDES[2:]).plot(**asked),
}


@pytest.mark.parametrize("name", DRAWN)
def test_what_is_drawn_on_given_axes_and_in_a_given_size(fixed, name):
    assert (
        DRAWN[name](ax=fixed) is fixed
        and fixed.has_data()
        and plt.get_fignums() == [fixed.figure.number]
    )
    assert DRAWN[name](size=4).figure.get_size_inches()[0] == 4
    with pytest.raises(ValueError, match="ax and size exclude each other"):
        DRAWN[name](ax=fixed, size=4)


def test_a_dollar_in_the_name_of_a_law_is_escaped_once():
    drawn = plot_extrapolation(K, [], {"a $law": RISE})
    assert [o.get_text() for o in drawn.get_legend().get_texts()] == [r"a \$law (model)"]


def test_results_are_read_and_written_without_a_plotting_library():
    names = "plan table score compare gate explain extrapolate describe audit"
    code = "".join(f"import sampling_eval.analyses.{o}.words\n" for o in names.split())
    code += (
        "import sys; assert not sys.modules.keys() & {'matplotlib', 'narwhals', 'pandas', 'scipy'}"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
