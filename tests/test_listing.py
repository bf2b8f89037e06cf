"The questions that are worth a look: which, in which order, with which numbers."
import numpy as np

from sampling_eval.foundations.counts import Counts
from sampling_eval.results.reading import ReadSummary
from sampling_eval.verbs.explaining import list_worth, order_gaps, order_one, order_spread
from sampling_eval.verbs.measuring import measure_all

NAMES = list("abcde")
ONE = Counts([4, 4, 4, 4, 6], [4, 1, 2, 0, 5], NAMES)
TWO = Counts([4, 4, 4, 4, 6], [2, 2, 3, 0, 5], NAMES)
THREE = Counts([4, 4, 4, 4, 6], [1, 1, 2, 0, 5], NAMES)


def list_metrics(*sides, metrics="pass@1"):
    sides = dict(zip(("one", "two", "three"), sides))
    return sides, measure_all(sides, metrics, None, "expected", {})


def test_flaky_questions_of_one_system():
    order, counts = order_one(ONE)
    assert order.tolist() == [2, 1, 4] and counts == dict(flaky=3, never=1, always=1)
    found = list_worth(*list_metrics(ONE), read={"": ReadSummary(rows=4)}, title="data")
    assert found.rows == [dict(question=q, right=c, samples=n) for q, c, n in (("c", 2, 4), ("b", 1, 4), ("e", 5, 6))]
    assert (found.names, found.questions, found.counts, found.order, found.metric, found.read,
            found.title) == (("one",), 5, counts, "flaky", "", {"": ReadSummary(rows=4)}, "data")
    order, counts = order_one(Counts([1, 1, 1], [1, 0, 0]))
    assert order.tolist() == [] and counts == dict(flaky=0, never=2, always=1)


def test_graded_questions_of_one_system():
    graded = Counts([2, 2, 4], None, ["a", "b", "c"], score_sum=[2., .5, 2.4])
    order, counts = order_one(graded)
    assert order.tolist() == [2, 1] and counts == {}
    found = list_worth(*list_metrics(graded, metrics="soft@n"))
    assert found.order == "graded" and found.rows == [
        {"question": "c", "mean score": .6, "samples": 4}, {"question": "b", "mean score": .25, "samples": 2}]


def test_differences_of_two_systems():
    sides, measured = list_metrics(ONE, TWO)
    order, counts = order_gaps(measured)
    assert order.tolist() == [0, 1, 2] and counts == dict(higher=2, lower=1, equal=2)
    found = list_worth(sides, measured)
    assert (found.metric, found.unit, found.order) == ("pass@1", "share", "difference")
    assert found.rows == [
        {"question": "a", "right A": 4, "samples A": 4, "right B": 2, "samples B": 4, "B - A": -.5, "adds": -.1},
        {"question": "b", "right A": 1, "samples A": 4, "right B": 2, "samples B": 4, "B - A": .25, "adds": .05},
        {"question": "c", "right A": 2, "samples A": 4, "right B": 3, "samples B": 4, "B - A": .25, "adds": .05}]
    order, counts = order_gaps(list_metrics(ONE, ONE)[1])
    assert order.tolist() == [] and counts == dict(higher=0, lower=0, equal=5)


def test_the_spread_of_three_systems():
    sides, measured = list_metrics(ONE, TWO, THREE)
    order, counts = order_spread(measured)
    found = list_worth(sides, measured)
    assert order.tolist() == [0, 1, 2] and counts == dict(differ=3) and found.order == "spread"
    assert found.rows[0] == {"question": "a", "lowest": .25, "lowest of": "three", "highest": 1., "highest of": "one"}


def test_the_first_fifty_are_kept():
    sides = {name: Counts(np.full(60, 4), np.full(60, c)) for name, c in (("one", 2), ("two", 3), ("three", 1))}
    for count in (1, 2, 3):
        some = dict(list(sides.items())[:count])
        found = list_worth(some, measure_all(some, "pass@1", None, "expected", {}))
        assert [row["question"] for row in found.rows] == list(range(50)) and found.questions == 60
