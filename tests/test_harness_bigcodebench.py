"BigCodeBench: every sample and its status."
from sampling_eval.io.harness import bigcodebench
from test_harness_reader import check_keys, fail, hold, take


def test_bigcodebench():
    tasks = {"b/0": [dict(status="pass", solution="s"), dict(status="fail")], "b/1": [dict(status="timeout")]}
    log = hold(dict(eval=tasks), "/x/my--model--bigcodebench-complete--more.json")
    assert take(bigcodebench.rows, log) == (
        "question=task_id, sample=position, correct=status 'pass', answer=solution", [
            dict(question="b/0", sample=0, answer="s", model="my--model", correct=True),
            dict(question="b/0", sample=1, answer=None, model="my--model", correct=False),
            dict(question="b/1", sample=0, answer=None, model="my--model", correct=False)], [])
    assert take(bigcodebench.rows, hold(dict(eval=tasks)))[1][0]["model"] is None
    assert fail(bigcodebench.rows, hold(dict(eval={"b/2": [dict(status="new")]}))) == (
        "a status must be one of 'pass', 'fail', 'timeout', got 'new' for b/2 in x.json")
    check_keys(bigcodebench.recognise, dict(eval=tasks), "eval")
    for odd in {}, {"a": []}, {"a": [dict(status="pass"), {}]}: assert not bigcodebench.recognise(dict(eval=odd))
