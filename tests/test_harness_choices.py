"Log-probabilities of choices."
import json

import pytest

from harness_cases import EVAL, LM, PARQUET, put, read
from sampling_eval.harness.choices import read_choices


def test_choices():
    held = read_choices(LM[2])
    assert held.gold.tolist() == [0, 1, 1, 0] and held.unconditional is None
    assert held.logprobs[0].tolist() == [-.25, -3.5, -2.75]
    right = [float(o.argmax() == g) for o, g in zip(held.logprobs, held.gold)]
    assert read(LM[2]).correct.tolist() == right
    light = read_choices(PARQUET["details_facts_0"])
    assert light.gold.tolist() == [0, 1] and light.choices[1] == (" steam", " water", " sand")


def test_choices_with_unconditional(tmp_path):
    asked = [("Q", " a"), ("Q", " b"), ("", " a"), ("", " b")]
    asked = {f"gen_args_{i}": dict(arg_0=a, arg_1=b) for i, (a, b) in enumerate(asked)}
    row = dict(doc_id=7, target=" b", filter="none", filtered_resps=[], arguments=asked,
               resps=[[[str(-i - .5), "False"]] for i in range(4)],
               metrics=["acc", "acc_mutual_info"], acc=0.0, acc_mutual_info=1.0)
    path = put(tmp_path / "s.jsonl", [row], True)
    held = read_choices(path)
    assert held.logprobs[0].tolist() == [-.5, -1.5] and held.gold.tolist() == [1]
    assert held.unconditional[0].tolist() == [-2.5, -3.5]
    assert read(path).correct.tolist() == [0] and read(path).answer.tolist() == ["a"]
    assert read(path, score="acc_mutual_info").correct.tolist() == [1]


@pytest.mark.parametrize("path, reason", [
    (LM[0], "no log-probabilities of choices"), (EVAL, "need an lm-eval or lighteval log"),
    (PARQUET["details_arith_once_0"], "no log-probabilities of choices")])
def test_choices_refused(path, reason):
    with pytest.raises(ValueError, match=reason): read_choices(path)


def test_choices_without_a_right_one(tmp_path):
    rows = [json.loads(line) | dict(target="9") for line in LM[2].read_text().splitlines()]
    with pytest.raises(ValueError, match="one right choice among its 3, got '9' at question 0"):
        read_choices(put(tmp_path / "s.jsonl", rows, True))


def test_choices_that_look_like_positions(tmp_path):
    def row(i, target, acc):
        asked = [["Q", " 2"], ["Q", " 0"], ["Q", " 1"]]
        return dict(doc_id=i, target=target, filter="none", filtered_resps=[], arguments=asked,
                    resps=[[[f"-{o}", "False"]] for o in (1, 2, 3)], metrics=["acc"], acc=acc)
    def gold(name, *rows): return read_choices(put(tmp_path / name, rows, True)).gold.tolist()
    assert gold("a.jsonl", row(0, "0", 1.0), row(1, "2", 0.0)) == [0, 2]
    assert gold("b.jsonl", row(0, "0", 0.0), row(1, "2", 1.0)) == [1, 0]
    with pytest.raises(ValueError, match="acc agrees with neither"):
        gold("c.jsonl", row(0, "1", 1.0))
