"The questions that are worth a look: which, in which order, with which numbers."
import numpy as np
import pytest

from sampling_eval import explain
from sampling_eval.foundations.counts import Counts
from sampling_eval.verbs.listing import list_worth, order_gaps, order_one, order_spread, tell_counts
from sampling_eval.verbs.side_by_side import measure_all

NAMES = list("abcde")
ONE = Counts([4, 4, 4, 4, 6], [4, 1, 2, 0, 5], NAMES)
TWO = Counts([4, 4, 4, 4, 6], [2, 2, 3, 0, 5], NAMES)
THREE = Counts([4, 4, 4, 4, 6], [1, 1, 2, 0, 5], NAMES)


def list_metrics(*sides, metrics="pass@1"):
    sides = dict(zip(("one", "two", "three"), sides))
    return sides, measure_all(sides, metrics, None, "expected", {})


def test_flaky_questions_of_one_system():
    order, said = order_one(ONE)
    assert order.tolist() == [2, 1, 4]
    assert said == ("5 questions: 3 right in some samples and wrong in others, 1 never right, 1 always right; "
                    "those closest to even come first.")
    found = list_worth(*list_metrics(ONE), read="read.", title="data")
    assert found.rows == tuple(dict(question=q, right=c, samples=n)
                               for q, c, n in (("c", 2, 4), ("b", 1, 4), ("e", 5, 6)))
    assert (found.names, found.questions, found.said, found.metric, found.read,
            found.title) == (("one",), 5, said, "", "read.", "data")
    order, said = order_one(Counts([1, 1, 1], [1, 0, 0]))
    assert order.tolist() == []
    assert said == "3 questions: 0 right in some samples and wrong in others, 2 never right, 1 always right."


def test_graded_questions_of_one_system():
    graded = Counts([2, 2, 4], None, ["a", "b", "c"], score_sum=[2., .5, 2.4])
    order, said = order_one(graded)
    assert order.tolist() == [2, 1]
    assert said == "3 questions with graded scores; those with a mean closest to 0.5 come first."
    assert list_worth(*list_metrics(graded, metrics="soft@n")).rows == (
        {"question": "c", "mean score": .6, "samples": 4}, {"question": "b", "mean score": .25, "samples": 2})


def test_differences_of_two_systems():
    sides, measured = list_metrics(ONE, TWO)
    order, said, metric = order_gaps(measured)
    assert (order.tolist(), metric) == ([0, 1, 2], "pass@1")
    assert said == ("5 questions: in pass@1 B is ahead on 2, behind on 1, equal on 2; the largest come first, with "
                    "what each adds to the "
                    "mean difference.")
    assert list_worth(sides, measured).rows == (
        {"question": "a", "right A": 4, "samples A": 4, "right B": 2, "samples B": 4, "B - A": -.5, "adds": -.1},
        {"question": "b", "right A": 1, "samples A": 4, "right B": 2, "samples B": 4, "B - A": .25, "adds": .05},
        {"question": "c", "right A": 2, "samples A": 4, "right B": 3, "samples B": 4, "B - A": .25, "adds": .05})
    order, said, _ = order_gaps(list_metrics(ONE, ONE)[1])
    assert order.tolist() == [] and said == "5 questions: in pass@1 B is ahead on 0, behind on 0, equal on 5."


def test_the_spread_of_three_systems():
    sides, measured = list_metrics(ONE, TWO, THREE)
    order, said, metric = order_spread(measured)
    assert (order.tolist(), metric) == ([0, 1, 2], "pass@1")
    assert said == "5 questions, 3 of which separate the 3 models in pass@1; the widest spread comes first."
    assert list_worth(sides, measured).rows == (
        {"question": "a", "lowest": .25, "lowest of": "three", "highest": 1, "highest of": "one"},
        {"question": "b", "lowest": .25, "lowest of": "one", "highest": .5, "highest of": "two"},
        {"question": "c", "lowest": .5, "lowest of": "one", "highest": .75, "highest of": "two"})


def test_numbers_of_a_question():
    assert tell_counts(ONE, 4) == [("right", 5), ("samples", 6)]
    assert tell_counts(Counts([4], None, score_sum=[1.]), 0) == [("mean score", .25), ("samples", 4)]
    assert tell_counts(Counts([4], None), 0) == [("mean score", None), ("samples", 4)]


@pytest.mark.parametrize("size, last", [(50, ""), (51, " The first 50 are listed.")])
def test_so_many_questions_are_kept(size, last):
    "Equal ones stand in the order of the questions."
    found = explain(Counts(np.full(size, 4), np.full(size, 2)))
    assert [row["question"] for row in found.rows] == list(range(50))
    assert found.said == (f"{size} questions: {size} right in some samples and wrong in others, 0 never right, "
                          f"0 always right; those closest to even come first.{last}")
    gaps = explain(Counts(np.full(size, 4), np.full(size, 2)), None, Counts(np.full(size, 4), np.full(size, 1)))
    assert [row["question"] for row in gaps.rows] == list(range(50)) and gaps.said.endswith(f"mean difference.{last}")
    three = list_worth(*list_metrics(*(Counts(np.full(size, 4), np.full(size, c)) for c in (1, 2, 3))))
    assert [row["question"] for row in three.rows] == list(range(50)) and three.said.endswith(f"comes first.{last}")
