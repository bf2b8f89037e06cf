"What samples say: which are kept, how a text is cut, what messages come to, and where they stand."

import json
from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import polars as pl
import pytest

from sampling_eval.reading.load import load

from sampling_eval.reading.logs.limits import Limits
from sampling_eval.reading.logs.log import open_log
from sampling_eval.reading.options import Options
from sampling_eval.reading.texts import (
    Cut,
    Gathering,
    Layout,
    SampleText,
    ShownSample,
    cut_text,
    find_column,
    find_outcome,
    has_lines,
    open_rows,
    read_input,
    read_outcome,
    tell_place,
    tell_text,
)
from sampling_eval.results.reading import ReadNote, ReadSummary

NAN = float("nan")


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
        (["a", dict(role="user")], '[\n "a",\n {\n  "role": "user"\n }\n]'),
        (dict(a=date(2026, 1, 2)), '{\n "a": "2026-01-02"\n}'),
        (
            dict(content="a", tool_calls=[dict(name="\u00e9", at=date(2026, 1, 2))]),
            'a\n[{"name": "\u00e9", "at": "2026-01-02"}]',
        ),
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


# Plain tables.


@pytest.mark.parametrize(
    "cell, threshold, outcome",
    [
        ("yes", None, True),
        (" No ", None, False),
        ("C", None, True),
        ("incorrect", None, False),
        ("0.75", None, 0.75),
        ("0.75", 0.5, True),
        ("0.5", 0.5, False),
        ("3", None, 3),
        ("x", None, None),
        ("", None, None),
        ("nan", None, None),
        (None, None, None),
        (NAN, 0.5, None),
        ([1], None, None),
        (1, None, True),
        (0.0, None, False),
        (0.5, None, 0.5),
        (2, None, 2),
        (2, 1.5, True),
        (1, 1.5, False),
        (True, None, True),
    ],
    ids=str,
)
def test_a_cell_as_an_outcome(cell, threshold, outcome):
    found = read_outcome(cell, threshold)
    assert found == outcome and isinstance(found, bool) is isinstance(outcome, bool)


COLUMNS = dict(question="id", correct="ok", score="points", model="llm", group="topic")


@pytest.mark.parametrize(
    "columns, notes, threshold, want",
    [
        (["id", "ok"], [], None, dict()),
        (["ok"], [], None, None),
        (["id"], [("named_by_task", ("set", "id"))], None, dict(names=("set", "id"))),
        (["id"], [("named_by_group", ())], None, dict(names=("topic", "id"))),
        (["id"], [], 0.5, dict(outcome="points")),
        (["id", "prompt"], [], None, dict(prompt="prompt")),
        (["id", "input", "question"], [], None, dict(prompt="question")),
        (["id", "output", "response"], [], None, dict(answer="response")),
        (["id", "final"], [], None, dict(answer="final")),
        (["id", "ok", "text", "code"], [], None, dict(prompt="text", answer="code")),
        # A column that plays a part says nothing else.
        (["id", "topic", "text"], [], None, dict(prompt="text")),
        (["id", "final", "text"], [], None, dict(prompt="text", answer="final")),
        # Rows that hold several samples have no outcome, and no answer.
        (["id", "text", "code"], [("lists", ("ok",))], None, dict(prompt="text", outcome=None)),
        (["id", "text"], [("run_columns", ("a", "b"))], None, dict(prompt="text", outcome=None)),
    ],
)
def test_the_columns_of_a_table_that_say_something(columns, notes, threshold, want):
    held = COLUMNS | (dict(answer="final") if "final" in columns else {})
    summary = ReadSummary("table", columns=held, notes=tuple(ReadNote(*one) for one in notes))
    found = Layout.of(summary, Options(threshold=threshold), ["a.csv"], columns)
    if want is None:
        assert found is None
        return
    plain = dict(names=("id",), model="llm", by_file=None, outcome="ok", threshold=threshold,
                 prompt=None, answer=None)
    assert vars(found) == plain | want


@pytest.mark.parametrize(
    "parts, columns, prompt, answer",
    [
        (dict(question="question"), ["question", "ok"], None, None),
        (dict(question="question"), ["question", "text"], "text", None),
        (dict(question="id", answer="text"), ["id", "text", "input"], "input", "text"),
        (dict(question="id", answer="text"), ["id", "text"], None, "text"),
        (dict(question="id", score="output"), ["id", "output"], None, None),
    ],
)
def test_a_column_says_one_thing(parts, columns, prompt, answer):
    found = Layout.of(ReadSummary("table", columns=parts), Options(), ["a.csv"], columns)
    assert (found.prompt, found.answer) == (prompt, answer)


def test_models_that_are_called_after_files():
    summary = ReadSummary("table", columns=dict(question="id", model="file", score="points"))
    found = Layout.of(summary, Options(), ["r/a/x.csv", "r/b/x.csv"], ["id", "points"])
    assert found.by_file("r/b/x.csv") == "b/x" and found.model is None
    assert found.outcome == "points"
    own = Layout.of(summary, Options(), ["r/a/x.csv"], ["id", "file"])
    assert own.by_file is None and own.model == "file"


SAID = [
    dict(id=f"q{q}", llm=m, ok=(q + s) % 2, prompt=f"Ask {q}", response=f"Say {q}{s}{m}")
    for q in (1, 2)
    for s in (0, 1)
    for m in "xy"
]


def write_rows(path):
    frame = pl.DataFrame(SAID)
    if path.suffix == ".csv":
        frame.write_csv(path)
    elif path.suffix == ".parquet":
        frame.write_parquet(path)
    elif path.suffix == ".jsonl":
        frame.write_ndjson(path)
    else:
        path.write_text(json.dumps(SAID))
    return str(path)


@pytest.mark.parametrize(
    "ending, first", [(".csv", 2), (".jsonl", 1), (".json", 0), (".parquet", 0)]
)
def test_what_the_samples_of_a_table_say(ending, first, tmp_path):
    path = write_rows(tmp_path / f"a{ending}")
    origin = load(path, Options.of(dict(model="llm", correct="ok"))).origin
    found = list(read_input(origin, ["q2"]))
    rows = [(at, row) for at, row in enumerate(SAID) if row["id"] == "q2"]
    places = [dict(line=first + at) if first else dict(names=f"row {at + 1}") for at, _ in rows]
    assert found == [
        ShownSample(row["llm"], bool(row["ok"]), SampleText(
            "q2", Cut(row["prompt"]), Cut(row["response"]), path, **place
        ))
        for (_, row), place in zip(rows, places)
    ]
    assert len(list(read_input(origin, ["q1", "q2", "q3"]))) == 8
    assert list(read_input(origin, [])) == [] == list(read_input(origin, ["q3"]))


@pytest.mark.parametrize(
    "system, model, names",
    [
        (None, None, ["x", "y"] * 2),
        ("A", None, ["A"] * 4),
        ("A", "", ["A"] * 4),
        ("A", "x", ["A"] * 2),
        ("A", "z", []),
        (None, "x", ["x", "y"] * 2),
    ],
)
def test_samples_are_called_as_in_the_result(system, model, names, tmp_path):
    path = write_rows(tmp_path / "a.jsonl")
    origin = load(path, Options.of(dict(model="llm", correct="ok"))).origin
    found = list(read_input(replace(origin, system=system, model=model), ["q1"]))
    assert [one.model for one in found] == names


def test_a_table_that_says_nothing_is_left_out(tmp_path):
    one, two = tmp_path / "a.csv", tmp_path / "b.csv"
    one.write_text("id,correct\nq1,1\n")
    two.write_text("id,correct,prompt\nq1,0,Ask\n")
    summary = ReadSummary("table", columns=dict(question="id", correct="correct"))
    origin = replace(load(str(one)).origin, data=[str(one), str(two)], summary=summary)
    (found,) = read_input(origin, ["q1"])
    assert found.said == SampleText("q1", Cut("Ask"), None, str(two), line=2)
    assert found.outcome is False and found.model == ""
    two.write_text("id,correct,reply\nq1,0,Say\n")
    (found,) = read_input(origin, ["q1"])
    assert found.said == SampleText("q1", None, Cut("Say"), str(two), line=2)


def test_what_a_sample_of_a_log_says():
    log = SimpleNamespace(path="a.jsonl", at=5, kind="lines")
    held = Gathering.of(["q1", "t/7", "q2"])

    def take(**row):
        return held.take(row, log, "a sentence")

    said = take(question="q1", correct=1, said=("Ask", lambda: "Say"))
    assert said == SampleText("q1", Cut("Ask"), Cut("Say"), "a.jsonl", 5)
    said = take(question=7, task="t", score=0.5, answer="B")
    assert said == SampleText("t/7", None, Cut("B"), "a.jsonl", 5)
    assert take(question="q3", correct=1) is None and not take(question="q2")
    row = dict(question="q1", sample=2, correct=0, answer="B")
    said = held.take(row, SimpleNamespace(path="a.json", at=None, kind="document"),
                     dict(question="id", sample="the epoch of it"))
    assert said == SampleText("q1", None, Cut("B"), "a.json", names="id q1, sample 2")
    # Four of each outcome, question, model and task.
    kept = [bool(take(question="q2", model=m, correct=1, answer="x")) for m in "aaaaaab"]
    assert kept == [True] * 4 + [False] * 2 + [True]
