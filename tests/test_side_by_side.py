"Every metric of one or several systems, question by question."
import numpy as np
import pytest

from sampling_eval.foundations.answers import tally
from sampling_eval.foundations.counts import Counts
from sampling_eval.verbs.explaining import find_gaps, subtract
from sampling_eval.verbs.measuring import measure_all

OLD, NEW = Counts([4, 4, 6], [1, 2, 6], ["x", "y", "z"]), Counts([4, 8, 4], [1, 8, 3], ["x", "y", "z"])


def measure(sides, metrics=None, k=None, ties="expected", lacks={}): return measure_all(sides, metrics, k, ties, lacks)


def list_labels(measured): return {chosen.metric.name: chosen.labels for chosen, _ in measured}


def test_values_of_both_systems():
    (chosen, (old, new)), = measure(dict(A=OLD, B=NEW), "pass@2")
    assert chosen.labels == ("pass@2",)
    assert old.table[old.state, 0] == pytest.approx([1 / 2, 5 / 6, 1])
    assert new.table[new.state, 0] == pytest.approx([1 / 2, 1, 1])
    assert find_gaps([(chosen, (old, new))]) == pytest.approx([0, 1 / 6, 0])
    assert find_gaps([(chosen, (old,))]) is None and find_gaps([(chosen, (old, new, new))]) is None


def test_metrics_that_every_system_has():
    votes = tally([0, 0], ["a", "b"], [1, 0])
    voted, bare = Counts([2], [1], votes=votes), Counts([2], [1])
    assert "maj@k" in list_labels(measure(dict(A=voted))) and "maj@k" not in list_labels(measure(dict(A=voted, B=bare)))
    (_, (half,)), = measure(dict(A=voted), "maj@2")
    (_, (none,)), = measure(dict(A=voted), "maj@2", ties="wrong")
    assert half.table.tolist() == [[.5]] and none.table.tolist() == [[0]]
    with pytest.raises(ValueError, match="^maj@2 cannot be computed: no column$"):
        measure(dict(A=bare), "maj@2", lacks=dict(votes="no column"))
    with pytest.raises(ValueError, match="^no metric to report: pass@k"): measure(dict(A=Counts([2], None), B=bare))
    with pytest.raises(ValueError, match="^no metric to report: metrics holds no name$"): measure(dict(A=bare), [])


def test_differences_without_roundings():
    assert subtract(.1 + .2, .3) == 0 and subtract(1., 3.) == 2 and subtract([1, -2], [1.5, -2]).tolist() == [.5, 0]
    assert subtract([3, 1e-13], [1, 0]).tolist() == [-2, -1e-13]
    # The larger of both decides what is a rounding.
    assert subtract(1., 1 + 2e-12) != 0 and subtract(1., 1 + 5e-13) == 0 and subtract(-1., -1 - 5e-13) == 0
    assert subtract(0, 5e-324) > 0
    assert isinstance(subtract(1, 2), np.ndarray) and subtract(1, 2) == 1
