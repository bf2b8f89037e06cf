"Charts: what is drawn is what was passed in, read from the Axes and not from pixels."
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from sampling_eval.report import plot
from sampling_eval.reporting import charts
from sampling_eval.report import extrapolate as forecast
from sampling_eval.report.gate import plot as plot_gate
from sampling_eval.results.verdicts import Check, Gate


@pytest.fixture
def ax():
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


def data_of(ax): return [(list(o.get_xdata()), list(o.get_ydata())) for o in ax.lines]
def legend_of(ax): return [o.get_text() for o in ax.get_legend().get_texts()]
def edges_of(ax, i=0): return ax.collections[i].get_paths()[0].vertices[:, 1]


# Drawings of arrays.

@pytest.mark.parametrize("name, shown", [
    ("cost $5, $6", r"cost \$5, \$6"), ("_base", "\u200b_base"), ("a_b", "a_b"), (3, "3"),
    ("\x1b[0m", "\ufffd[0m"), ("x" * 60, "x" * 60),
    ("a" * 50 + "b" * 11, "a" * 40 + "..." + "a" * 6 + "b" * 11)])
def test_names_are_literal(name, shown): assert plot.plain(name) == shown


def test_axes_are_kept_or_made(ax):
    assert plot.axes(ax) is ax
    made = plot.axes()
    assert made.figure.get_size_inches().tolist() == [6., 3.2]
    plt.close(made.figure)


def test_curve(ax):
    k, values = np.arange(1, 65), np.linspace(0, 1, 64)
    found = plot.plot_curve(k, values, values - .1, values + .1, ax=ax, label="$x", band="b")
    assert found is ax and ax.get_xscale() == "linear" and ax.get_ylim() == (-.02, 1.02)
    assert [line[1] for line in data_of(ax)] == [values.tolist()]
    assert min(edges_of(ax)) == -.1 and max(edges_of(ax)) == 1.1
    ax.legend()
    assert legend_of(ax) == [r"\$x", "b"] and ax.lines[0].get_color() == "#0072b2"


@pytest.mark.parametrize("k, scale, ticks", [
    ([1, 10], "linear", [1, 10]), ([1, 2, 4, 8], "log", [1, 2, 4, 8]),
    ([1, 2, 3], "linear", [1, 2, 3]), ([1, 2, 4, 8, 16, 20], "log", [1, 2, 4, 8, 16, 20]),
    ([1, 2, 4, 8, 16, 32, 64, 70], "log", [1, 2, 4, 8, 16, 32, 70])])
def test_budgets_on_the_axis(ax, k, scale, ticks):
    plot.plot_curve(k, np.zeros(len(k)), ax=ax, series=8)
    assert ax.get_xscale() == scale and ax.get_xlabel() == "k, samples drawn" and not ax.collections
    assert ax.get_xticks().tolist() == ticks and not ax.get_xticks(minor=True).size
    assert (ax.lines[0].get_color(), ax.lines[0].get_marker()) == ("#0072b2", "<")


def test_forest(ax):
    plot.plot_forest(["a", "b", "c", "d"], [.06, .01, -.05, .1], [.03, 0., -.09, np.nan],
                     [.09, .05, -.01, np.nan], ax=ax, label="B - A")
    apart, open_, zero = ax.lines
    assert (apart.get_xdata().tolist(), apart.get_ydata().tolist()) == ([.06, -.05], [3, 1])
    assert (open_.get_xdata().tolist(), open_.get_ydata().tolist()) == ([.01, .1], [2, 0])
    assert (apart.get_markerfacecolor(), open_.get_markerfacecolor()) == ("#0072b2", "white")
    assert zero.get_xdata() == [0, 0] and ax.get_xlabel() == "B - A"
    assert [o.get_text() for o in ax.get_yticklabels()] == ["a", "b", "c", "d"]
    assert ax.collections[0].get_segments()[0].tolist() == [[.03, 3], [.09, 3]]


def test_difference_marks_where_the_band_leaves_zero(ax):
    k, d = 2**np.arange(7), .08 - .03 * np.arange(7)
    plot.plot_difference(k, d, (d - .02, d + .02), (d - .03, d + .03), ax=ax, label="B - A", level=.9)
    marked = {o.get_label(): o.get_xdata().tolist() for o in ax.lines if "zero" in str(o.get_label())}
    assert marked == {"band above zero": [1, 2], "band below zero": [16, 32, 64]}
    assert legend_of(ax)[:2] == ["90 % interval at each k", "90 % band for all k at once"]
    np.testing.assert_allclose([o.get_ydata() for o in ax.lines[:3]], [d, d - .03, d + .03])
    np.testing.assert_allclose([edges_of(ax).min(), edges_of(ax).max()], [d.min() - .02, d.max() + .02])


def test_difference_alone_has_no_legend(ax):
    plot.plot_difference([1, 2], [.1, 0.], ax=ax)
    assert ax.get_legend() is None and len(ax.lines) == 2 and ax.get_ylabel() == "difference"
    touching = np.array([0., -.1]), np.array([.2, 0.])
    plot.plot_difference([1, 2], [.1, 0.], None, touching, ax=ax)
    assert not any("zero" in text for text in legend_of(ax))


def test_power(ax):
    plot.plot_power([.1, .2], [.3, .9], ax=ax, label="50 questions", series=1)
    assert data_of(ax)[0] == ([.1, .2], [.3, .9]) and legend_of(ax) == ["50 questions"]
    assert ax.lines[1].get_ydata() == [.8, .8]
    plot.plot_power([.1, .2], [.3, .9], ax=ax, target=None)
    assert len(ax.lines) == 3


def test_extrapolation(ax):
    k = 2**np.arange(9)
    grown = 1 - .9**k**.6
    bounds = grown * .9, 1 - (1 - grown) * .8
    plot.plot_extrapolation(k, grown[:5], {"a law": grown, "b": grown / 2}, bounds, n=16, ax=ax, level=.9)
    assert [len(o.get_xdata()) for o in ax.lines] == [9, 9, 5, 2] and ax.lines[3].get_xdata() == [16, 16]
    assert legend_of(ax) == ["bounds without a law, 90 %", "a law (model)", "b (model)", "exact"]
    assert ax.lines[1].get_ydata().tolist() == (grown / 2).tolist()


# Charts of the other results.

def test_a_gate_is_drawn_from_its_limits(ax):
    check = Check("rule", "minimum", "pass@1", .75, .5, 1., .25, "pass", 50, "questions")
    plot_gate(Gate((check,), ("new",)), ax=ax)
    assert data_of(ax)[0] == ([.5], [0]) and ax.get_xlabel() == "distance from the limit"
    assert ax.collections[0].get_segments()[0].tolist() == [[.25, 0], [.75, 0]]


def test_forecast_is_drawn_in_the_order_of_budgets(ax):
    k = np.array([8, 1, 4])
    found = SimpleNamespace(k=k, n_min=4, n_max=6, exact=np.array([.1, .4]), low=k / 20.,
                            high=k / 5., models={"law": k / 10.}, metric="pass@k",
                            confidence_level=.95, questions=15)
    forecast.plot(found, ax=ax)
    assert data_of(ax)[:2] == [([1, 4, 8], [.1, .4, .8]), ([1, 4], [.1, .4])]
    assert ax.get_title("left") == "15 questions, 4 to 6 samples each" and ax.get_ylabel() == "pass@k"
    assert ax.lines[2].get_xdata() == [4, 4]
    one = SimpleNamespace(**vars(found) | dict(low=None, high=None, n_max=4))
    open_ = forecast.plot(one)
    assert open_.get_title("left") == "15 questions, 4 samples each" and not open_.collections
    plt.close(open_.figure)


def test_results_draw_without_importing_matplotlib_before():
    import subprocess
    import sys
    names = "plan table score compare ranking gate explain extrapolate describe"
    code = "".join(f"import sampling_eval.reporting.{o}\n" for o in names.split())
    code += "import sampling_eval.report.compare, sampling_eval.report.ranking, sampling_eval.report.gate\n"
    code += "import sys; assert not sys.modules.keys() & {'matplotlib', 'narwhals', 'pandas', 'scipy'}"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
    assert charts.__all__
