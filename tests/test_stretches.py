"Where a curve is certainly above another, in words and at the boundaries."
from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.inference.curves import PairedCurve
from sampling_eval.reporting.parts import Chart, Series, Stretch
from sampling_eval.report.compare_pictures import find_ranges
from sampling_eval.reporting.stretches import find_crossings, say_run, say_stretches


def curve_of(low, high):
    low, high = np.array(low, float), np.array(high, float)
    k = 2**np.arange(len(low))
    return PairedCurve(k, (low + high) / 2, high, low, high, 2., .9, 50, "m")


@pytest.mark.parametrize("low, high, runs", [
    ([.1], [.2], [([1], 1)]), ([-.2], [-.1], [([1], 0)]), ([0], [.1], []), ([-.1], [0], []), ([-.1], [.1], []),
    ([.1, -.3, .1, .1], [.2, -.1, .2, .2], [([1], 1), ([2], 0), ([4, 8], 1)]),
    ([-.1, .1, .1, -.1], [.1, .2, .2, .1], [([2, 4], 1)])])
def test_runs_of_budgets(low, high, runs):
    found = find_ranges(SimpleNamespace(curve=curve_of(low, high)))
    assert [(one.k, one.series) for one in found] == runs


def test_curves_cross_between_two_that_differ():
    a, b, c = Stretch([1, 2], 0), Stretch([8], 1), Stretch([16, 32], 1)
    assert find_crossings([a, b, c]) == [(2, 8)] and find_crossings([c, a]) == [(32, 1)]
    assert find_crossings([b, c]) == []


@pytest.mark.parametrize("k, said", [
    ([4], "k = 4"), ([4, 8], "k = 4 and 8"), ([4, 8, 16], "k = 4 to 16"), (range(1, 9), "k = 1 to 8")])
def test_a_run_in_words(k, said): assert say_run(list(k)) == said


def test_stretches_in_words():
    series = [Series(name, "", [], [], [], [], []) for name in ("old", "new")]
    stretches = Stretch([1, 2], 1), Stretch([4], 0), Stretch([8, 16, 32], 1)
    assert say_stretches(Chart(series, "", stretches=stretches)) == [
        ("new is better at k = 1 and 2 and at k = 8 to 32", 1), ("old is better at k = 4", 0),
        ("the curves cross between k = 2 and 4 and between k = 4 and 8", None)]
    assert say_stretches(Chart(series, "", stretches=stretches[:1])) == [("new is better at k = 1 and 2", 1)]
    assert say_stretches(Chart(series, "")) == []
