"Questions of unequal weight: which were given, and what cannot honour them."
import numpy as np
import pytest

from sampling_eval.verbs.measuring import Weighing, check_request

QUESTIONS = np.array(["a", "b", "c"])


@pytest.mark.parametrize("known, said", [
    (dict(a=1), r"^weights must name a weight for every question, got none for 'b' \(2 of 3 fail\)$"),
    (dict(a=1, b=0, c=2), "weights must be positive and finite, got 0 at question 'b'"),
    (dict(a=1, b=9, c=2), r"largest_weight must be at least the largest weight seen \(9\), got 4")])
def test_weights_that_are_none(known, said):
    with pytest.raises(ValueError, match=said): Weighing("points", 4).find(QUESTIONS, known)


def test_what_cannot_be_asked_for_together():
    with pytest.raises(ValueError, match="largest_weight= goes with weights="): check_request(None, 3)
    with pytest.raises(ValueError, match="weights= and cluster= cannot be given together"):
        check_request("points", None, "passage")
    with pytest.raises(ValueError, match="weights= and cluster="): check_request("points", None, [])
    for cluster in (None, False): assert check_request("points", 3, cluster) == Weighing("points", 3)
    assert check_request(None, None, "passage") == check_request(None, None) == Weighing()
