"Log-probabilities of choices."
import json

import numpy as np
import pytest

from harness_cases import EVAL, LM, PARQUET, put, read
from sampling_eval.io.harness.choices import Choices, read_choices


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


# One question at a time.

def write(path, *questions):
    "A log of lm-eval: texts, log-probabilities, target, and what else a line holds."
    rows = [dict(doc_id=i, target=target, filter="none", filtered_resps=[], arguments=[["Q", text] for text in texts],
                 resps=[[[str(value), "False"]] for value in values]) | (more[0] if more else {})
            for i, (texts, values, target, *more) in enumerate(questions)]
    return put(path / "c.jsonl", rows, True)


def place(tmp_path, *questions):
    "The place of each right choice, or what is said."
    try: return read_choices(write(tmp_path, *questions)).gold.tolist()
    except ValueError as error: return str(error)


AB, DIGITS = [" a", " b "], [" 2", " 0", " 1"]


def test_right_choices_by_place_and_text(tmp_path):
    assert place(tmp_path, (AB, [-1, -2], 1)) == [1] and place(tmp_path, (AB, [-1, -2], 0), (AB, [-1, -2], 1)) == [0, 1]
    assert place(tmp_path, (AB, [-1, -2], " b")) == place(tmp_path, (AB, [-1, -2], "1")) == [1]
    assert place(tmp_path, (AB, [-1, -2], "b"), (AB, [-1, -2], 0)) == [1, 0]
    told = "every question needs one right choice among its 2, got {} at question 0"
    for target in 2, -1, None, .5, "c", "2", [0, 1]: assert place(tmp_path,
        (AB, [-1, -2], target)) == told.format(repr(target))


def test_places_that_are_texts_too(tmp_path):
    "What the stored acc says of the likeliest choice decides; where it says nothing, places go first."
    def ask(*pairs): return place(tmp_path, *((DIGITS, values, target, more) for values, target, more in pairs))
    first, last = [-1, -2, -3], [-3, -2, -1]
    assert ask((first, "0", dict(acc=1.))) == [0] and ask((first, "0", dict(acc=0.))) == [1]
    assert ask((first, "0", {})) == [0] and ask((first, "0", {}), (last, "2", dict(acc=1.))) == [0, 2]
    assert ask((first, "0", {}), (last, "2", dict(acc=0.))) == [1, 0]
    assert ask((first, "0", dict(acc=1.)), (last, "1", dict(acc=1.))) == (
        "targets are positions and texts of choices at once, and acc agrees with neither")


def test_choices_of_unequal_number(tmp_path):
    held = read_choices(write(tmp_path, (AB, [-1, -2], 1), (DIGITS, [-3, -2, -1], 2)))
    assert repr(held) == "Choices(2 questions of 2..3 choices)" and len(held) == 2
    assert held.choices == ((" a", " b "), (" 2", " 0", " 1")) and held.questions.tolist() == [0, 1]
    assert held.source == "lm-eval, c.jsonl" and [part.dtype for part in held.logprobs] == [np.float64] * 2
    bare = tuple(np.zeros(2) for _ in range(2))
    assert repr(Choices(bare, np.zeros(2), ((), ()), np.zeros(2),
        bare)) == "Choices(2 questions of 2 choices, unconditional)"


def test_a_question_that_every_filter_repeats(tmp_path):
    path = write(tmp_path, (AB, [-1, -2], 1))
    path.write_text(path.read_text() * 2)
    assert len(read_choices(path)) == 1


def test_layouts_without_choices(tmp_path):
    path = put(tmp_path / "c.jsonl", [dict(doc_id=0, target=0, resps=[[["-1", "False"]]], filtered_resps=[])], True)
    with pytest.raises(ValueError) as error: read_choices(path)
    assert str(error.value) == "c.jsonl does not follow the layout of lm-eval with choices (KeyError: 'arguments')"
    with pytest.raises(ValueError,
        match="^need an lm-eval or lighteval log, got x.json$"): read_choices(put(tmp_path / "x.json", dict(eval={})))
