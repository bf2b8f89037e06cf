"Who could have written a document of details."
from sampling_eval.harness import aisbench, opencompass
from sampling_eval.harness.details import find_writers


def test_who_wrote_details():
    both, one, other = {"opencompass", "aisbench"}, {"opencompass"}, {"aisbench"}
    right, several = dict(correct=True), dict(correct=[True, False])
    for details, want in (
            ({}, one), ({"0": {}}, one), ([], one), ([right], one), ([dict(is_correct=True)], one),
            ([dict(cascade_correct=[True])], one), ([right, several], both), ([several], both),
            ([dict(correct=[1])], one),
            ([several | {"avg@4": 1}, several], other), ([several | {"G-Pass@4": 1, "avg@4": 1}], one),
            ([several | {"mG-Pass@4": 1}], one), ([right, dict(pred=1)], set()), ([right, 5], set()),
            ([dict(correct=None)], set()), ("x", set()), (None, set())):
        assert find_writers(dict(details=details)) == want, details
        assert (opencompass.recognise(dict(details=details)), aisbench.recognise(dict(details=details))) == (
            "opencompass" in want, "aisbench" in want)
    assert find_writers([]) == find_writers({}) == set()
