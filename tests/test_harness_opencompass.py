"opencompass: details and predictions."
from sampling_eval.harness import opencompass
from sampling_eval.harness.ask import NoOutcomes
from test_harness_reader import check_keys, fail, grade, hold, take


def test_opencompass_details():
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


def test_opencompass_predictions():
    head = {str(i): dict(prediction=f"p{i}", origin_prompt="ab"[i % 2], gold=i % 2) for i in range(12)}
    took, rows, notes = take(opencompass.prediction_rows, hold(head), grade=grade)
    assert took == ("question=index modulo 2 (the period of the prompts), sample=replica, correct=grade, "
                    "answer=prediction")
    assert rows == [dict(question=i % 2, sample=i // 2, answer=f"p{i}", target=i % 2, task="x") for i in range(12)]
    odd = head | {"11": dict(prediction="p", origin_prompt="b", gold=0)}
    assert "index modulo 12 " in take(opencompass.prediction_rows, hold(odd), grade=grade)[0]
    assert fail(opencompass.prediction_rows, hold(head), NoOutcomes).startswith(
        "opencompass stores no outcome per sample in x.json: predictions are not judged; the results file is, with "
        "dump_eval_details on; pass grade='exact' or 'number'")
    check_keys(opencompass.recognise_predictions, head, "0")
    assert not opencompass.recognise_predictions(head | {"x": {}})
    assert not opencompass.recognise_predictions({"0": dict(pred="x")})
