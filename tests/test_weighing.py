"Questions of unequal weight: which were given, and what cannot honour them."
import numpy as np
import pytest

from sampling_eval.foundations.counts import Values
from sampling_eval.inference.weights import check_weights
from sampling_eval.verbs.measuring import Weighing, check_request, find_units, share_weights

QUESTIONS = np.array(["a", "b", "c"])


def test_names_of_weights():
    assert Weighing("points").name == "points" and Weighing({"a": 1}).name == Weighing().name == "the weights given"
    assert [one.asked for one in (Weighing(), Weighing("points"), Weighing({}))] == [False, True, True]


def test_weights_of_some_questions():
    found = Weighing("points", 8).find(QUESTIONS, dict(c=1, a=2, b=4, d=9))
    assert found.weight.tolist() == [.5, 1, .25] and (found.unit, found.largest, found.declared) == (4, 2, True)
    assert found.name == "points" and Weighing("points").find(QUESTIONS, None) is None
    assert Weighing({}).find(QUESTIONS, dict.fromkeys("abc", 2.)) is None
    assert Weighing({}).find(QUESTIONS, dict(a=1, b=1, c=2)).name == "the weights given"
    seen = Weighing("points").find(QUESTIONS, dict(c=1, a=2, b=4))
    assert (seen.largest, seen.declared) == (1, False)


@pytest.mark.parametrize("known, said", [
    (dict(a=1), r"^weights must name a weight for every question, got none for 'b' \(2 of 3 fail\)$"),
    (dict(a=1, b=0, c=2), "weights must be positive and finite, got 0 at question 'b'"),
    (dict(a=1, b=9, c=2), r"largest_weight must be at least the largest weight seen \(9\), got 4")])
def test_weights_that_are_none(known, said):
    with pytest.raises(ValueError, match=said): Weighing("points", 4).find(QUESTIONS, known)


def test_notes_on_weights():
    small, large = check_weights([1, 2]), check_weights([.5, 2], 6)
    wide = check_weights([1, 3])
    assert Weighing().say([small]) == ()
    assert Weighing("points").say([None, None]) == ("weights: points gives all questions the same weight.",)
    seen = ("Where new questions may weigh more than {}, the largest weight seen, declare it with largest_weight; "
            "without it their CIs are approximate.")
    assert Weighing("points").say([small, wide, None]) == (seen.format(3),)
    assert Weighing("points").say([wide, small]) == (seen.format(3),)
    declared = "CIs for new questions hold for weights up to 6, as declared."
    assert Weighing("points").say([large, wide]) == (declared,)
    assert Weighing({}).say([large], True) == ("Within a group questions are weighted by the weights given.", declared)
    assert Weighing({}).say([large], grouped=False) == (declared,)


def test_what_cannot_be_asked_for_together():
    with pytest.raises(ValueError, match="largest_weight= goes with weights="): check_request(None, 3)
    with pytest.raises(ValueError, match="weights= and cluster= cannot be given together"):
        check_request("points", None, "passage")
    with pytest.raises(ValueError, match="weights= and cluster="): check_request("points", None, [])
    for cluster in (None, False): assert check_request("points", 3, cluster) == Weighing("points", 3)
    assert check_request(None, None, "passage") == check_request(None, None) == Weighing()


def test_weights_of_several_inputs():
    assert share_weights([dict(a=1, b=2), dict(b=2, c=3)]) == dict(a=1, b=2, c=3)
    assert share_weights([dict(a=1), None]) is None and share_weights([None, dict(a=1)]) is None
    assert share_weights([]) == {}
    with pytest.raises(ValueError, match="^a question has one weight, got 2 and 2.5 at 'b', in two inputs$"):
        share_weights([dict(a=1, b=2), dict(a=1, b=2.5)])


def test_units_with_weights_groups_or_neither():
    values = Values(np.array([[0.], [1.]]), np.array([0, 1, 1]), np.array([1, 2]))
    plain = find_units(values, (0, 1), None, None)
    assert (plain.times.tolist(), plain.size.tolist(), plain.bounds, plain.clustered) == ([1, 2], [1, 1], (0, 1), False)
    grouped = find_units(values, None, ["x", "x", "y"], None)
    assert sorted(zip(grouped.total[:, 0].tolist(), grouped.size.tolist())) == [(1, 1), (1, 2)] and grouped.clustered
    assert grouped.bounds is None
    weighted = find_units(values, (0, 2), None, check_weights([1, 2, 4]))
    assert weighted.bounds == (0, 2) and weighted.weighted
    assert sorted(zip(weighted.total[:, 0].tolist(), weighted.size.tolist())) == [(0, .25), (.5, .5), (1, 1)]
