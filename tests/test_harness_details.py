"Documents of details: who could have written them, and the samples they hold."
from sampling_eval.io.harness import aisbench, opencompass
from sampling_eval.io.harness.details import find_writers
from test_harness_reader import fail, grade, hold, take


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


def test_samples_of_details():
    details = {"10": dict(is_correct=[True, False], predictions=["a", "b"], answer="x", example_abbr="q10"),
        "type": "GEN",
               "2": dict(correct=.5, cascade_correct=0, pred="c", example_abbr="q2")}
    parts = "question={}, sample=position, score=correct, answer=pred"
    assert take(opencompass.rows, hold(dict(details=details))) == (parts.format("example_abbr"), [
        dict(question="q2", sample=0, answer="c", score=.5, task="x"),
        dict(question="q10", sample=0, answer="a", score=1., task="x"),
        dict(question="q10", sample=1, answer="b", score=0., task="x")], [])
    details = [dict(correct=[1, 0], prediction=["a"], example_abbr="q"), dict(correct=None, is_correct=[0], pred="y")]
    assert fail(opencompass.rows, hold(dict(details=details)), KeyError) == "'correct'"
    del details[1]["correct"]
    assert take(opencompass.rows, hold(dict(details=details)))[:2] == (parts.format("position"), [
        dict(question=0, sample=0, answer=None, score=1., task="x"),
        dict(question=0, sample=1, answer=None, score=0., task="x"),
        dict(question=1, sample=0, answer=None, score=0., task="x")])
    assert fail(opencompass.rows, hold(dict(details={"type": "GEN"}))) == (
        "details must hold at least one question, got none")
    assert fail(opencompass.rows, hold(dict(details=details)), grade=grade) == (
        "grade= needs texts as they were generated; read the predictions file")
