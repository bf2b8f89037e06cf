"What samples say: which are kept, how a text is cut, what messages come to, and where they stand."

from types import SimpleNamespace

import pytest

from sampling_eval.reading.logs.limits import Limits
from sampling_eval.reading.logs.log import open_log
from sampling_eval.reading.options import Options
from sampling_eval.reading.texts import (
    Cut,
    Gathering,
    SampleText,
    cut_text,
    find_column,
    find_outcome,
    has_lines,
    open_rows,
    tell_place,
    tell_text,
)


@pytest.mark.parametrize("size, left_out", [(1, 0), (2499, 0), (2500, 0), (2501, 1), (9000, 6500)])
def test_a_text_is_cut_beyond_what_is_kept(size, left_out):
    text = "".join(chr(33 + i % 90) for i in range(size))
    cut = cut_text(text)
    whole = Cut(text[:1500], text[-1000:], left_out) if left_out else Cut(text)
    assert cut == whole and cut.size == size - left_out
    assert cut_text(lambda: text) == cut


@pytest.mark.parametrize(
    "value, text",
    [
        (None, ""),
        ("", ""),
        ("x", "x"),
        (0, "0"),
        ([], ""),
        ([1, "a"], '[\n 1,\n "a"\n]'),
        (["a", "b"], "a\n\nb"),
        (dict(a="\u00e9"), '{\n "a": "\u00e9"\n}'),
        ([dict(role="user", content="a"), dict(content="b")], "user: a\n\nb"),
        (["a", dict(role="user", content="b")], "a\n\nuser: b"),
        (dict(role="user", content=""), ""),
        (dict(role="user", content=None), ""),
        (dict(role="user", content=["a", dict(text="b")]), "user: a\nb"),
        (dict(content=[dict(type="image"), dict(x=1)]), "[image]\n[no text]"),
        (
            dict(role="assistant", content="", tool_calls=[dict(name="f")]),
            'assistant: [{"name": "f"}]',
        ),
        (dict(content="a", tool_calls=[1]), "a\n[1]"),
        (dict(content="a", tool_calls=[]), "a"),
    ],
)
def test_what_a_value_says(value, text):
    assert tell_text(value) == text
    assert cut_text(value) == (Cut(text) if text else None)


def test_a_value_that_holds_itself_says_nothing():
    value = [1]
    value.append(value)
    assert tell_text(value) == ""


@pytest.mark.parametrize(
    "correct, score, threshold, outcome",
    [
        (True, 0.5, None, True),
        (None, 0.5, None, 0.5),
        (False, 0.5, 0.4, True),
        (True, 0.5, 0.5, False),
        (True, None, 0.5, True),
        (None, None, 0.5, None),
        (None, None, None, None),
        (0, 1.0, None, 0),
    ],
)
def test_the_outcome_of_a_sample(correct, score, threshold, outcome):
    found = find_outcome(correct, score, Options(threshold=threshold))
    assert found == outcome and type(found) is type(outcome)


def test_the_first_samples_of_each_outcome_are_kept():
    held = Gathering.of(["q", "r"])
    kept = [held.pick(["q"], "m", outcome) for outcome in [1] * 5 + [0] * 5 + [0.5, 0.7, None] * 2]
    assert kept == (["q"] * 4 + [None]) * 2 + ["q"] * 4 + [None] * 2
    assert held.pick(["q"], "n", 1) == "q" and held.pick(["x"], "m", 1) is None
    assert held.pick(["x", "r", "q"], "m", 1) == "r" and held.pick(["q"], "m", True) is None


@pytest.mark.parametrize(
    "columns, taken, found",
    [
        (["input", "Prompt"], (), "Prompt"),
        (["input", "Prompt"], ("Prompt",), "input"),
        (["x"], (), None),
        ([], (), None),
    ],
)
def test_the_first_name_that_is_free(columns, taken, found):
    assert find_column(("prompt", "input"), columns, taken) == found


def test_a_text_is_there_where_a_sample_says_something():
    assert SampleText("q", Cut("a"), None, "f") and SampleText("q", None, Cut("a"), "f")
    assert not SampleText("q", None, None, "f")


@pytest.mark.parametrize(
    "name, text, rows, lined",
    [
        ("a.csv", "id\n1\n\n2\n", [(2, dict(id="1")), (4, dict(id="2"))], False),
        ("a.jsonl", '{"id": 1}\n\n3\n{"id": 2}\n', [(1, dict(id=1)), (4, dict(id=2))], True),
        ("a.json", '[{"id": 1},\n3,\n{"id": 2}]', [(1, dict(id=1)), (3, dict(id=2))], False),
        ("a.npy", "x", [], False),
    ],
)
def test_rows_and_where_they_stand(name, text, rows, lined, tmp_path):
    (path := tmp_path / name).write_text(text)
    assert list(open_rows(str(path))) == rows and has_lines(str(path)) is lined


@pytest.mark.parametrize(
    "name, text, places",
    [
        ("a.jsonl", '{"id": 1}\n\n{"id": 2}\n', [1, 3]),
        ("a.json", '{"id": 1,\n "x": 2}', [None]),
        ("a.json", '[{"id": 1}, {"id": 2}]', [1, 2]),
    ],
)
def test_a_log_tells_where_its_records_stand(name, text, places, tmp_path):
    (path := tmp_path / name).write_text(text)
    log = Gathering.of(["q"]).number(open_log(path, Limits()))
    assert [log.at for _ in log.records()] == places and log.at is None


@pytest.mark.parametrize(
    "row, at, kind, took, place",
    [
        (dict(at=3), None, "lines", {}, dict(line=3)),
        (dict(), 7, "lines", {}, dict(line=7)),
        (dict(at=3), 7, "rows", {}, dict(names="row 3")),
        (dict(question="q", sample=2), None, "lines", {}, dict(names="question q, sample 2")),
        (
            dict(question="q", sample=2),
            None,
            "archive",
            dict(question="id", sample="the epoch of it"),
            dict(names="id q, sample 2"),
        ),
    ],
)
def test_the_place_of_a_sample(row, at, kind, took, place):
    assert tell_place(row, SimpleNamespace(at=at, kind=kind), took) == place
