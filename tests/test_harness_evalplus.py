"evalplus: samples under the first tests and the added ones."
from sampling_eval.io.harness import evalplus
from test_harness_reader import check_keys, hold, take


TRIES = {"a/0": [dict(base_status="pass", plus_status="pass", solution="s"),
    dict(base_status="pass", plus_status="fail"),
                 dict(base_status="fail", plus_status="pass"), dict(base_status="pass", plus_status=None)],
         "a/1": [dict(base_status=None, plus_status=None)]}


def test_evalplus():
    rows = [dict(question="a/0", sample=0, answer="s"), *(dict(question="a/0", sample=i, answer=None)
        for i in (1, 2, 3)),
            dict(question="a/1", sample=0, answer=None)]
    def judge(*outcomes): return [row | dict(correct=outcome) for row, outcome in zip(rows, outcomes)]
    log, parts = hold(dict(eval=TRIES)), "question=task_id, sample=position, correct={}, answer=solution"
    assert take(evalplus.rows, log) == (
        parts.format("base_status and plus_status 'pass'"), judge(True, False, False, None, None), [])
    assert take(evalplus.rows, log, score="base")[:2] == (
        parts.format("base_status 'pass'"), judge(True, True, False, True, None))
    base = hold(dict(eval={"a/0": [dict(base_status="pass", plus_status=None)]}))
    assert "correct=base_status 'pass'" in take(evalplus.rows, base)[0]
    check_keys(evalplus.recognise, dict(eval=TRIES), "eval")
    for odd in dict(eval=TRIES, version=2), dict(eval=[]), dict(eval={"a": [],
        "b": {}}), dict(eval={"a": [dict(status="pass")]}):
        assert not evalplus.recognise(odd)
    assert evalplus.recognise(dict(eval={})) and evalplus.recognise(dict(eval={"a": [dict(status="x"),
        dict(base_status="x")]}))
