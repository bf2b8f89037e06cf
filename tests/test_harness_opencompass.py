"opencompass: predictions, numbered over questions and repeats."
from sampling_eval.io.harness import opencompass
from sampling_eval.io.harness.ask import NoOutcomes
from test_harness_reader import check_keys, fail, grade, hold, take


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
