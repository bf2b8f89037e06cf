"Files that an engine reads: a column without a name, beside the file of each row."

import json

import pytest

from sampling_eval import read
from sampling_eval.reading import tables
from sampling_eval.reading.duckdb.scans import ESCAPE, choose_type, mend_half, point, see_layout


def write(folder, question="", text="x"):
    for shift, model in enumerate("ab"):
        rows = [{question: q, "correct": (q + shift) % 2, "answer": text} for q in range(3)]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{model}.jsonl").write_text(lines)
    return [folder / "a.jsonl", folder / "b.jsonl"]


@pytest.mark.parametrize("question", ["", "a b", "id"])
@pytest.mark.parametrize("text", ["x", "x\ud800"], ids=["whole", "half"])
@pytest.mark.parametrize("files_hold, models", [("models", ["a", "b"]), ("draws", None)])
def test_a_column_beside_the_file_of_its_rows(
    question, text, files_hold, models, tmp_path, monkeypatch
):
    files = write(tmp_path, question, text)
    found = []
    for size in 2**23, -1:
        monkeypatch.setattr(tables, "SMALL", size)
        rows = read(files, question=question, files_hold=files_hold)
        assert rows.questions.tolist() == [0, 1, 2]
        assert rows.summary.counted is (size < 0)
        named = None if rows.model is None else sorted(set(rows.model.tolist()))
        # Half a character is a mark to an engine.
        answers = {answer.replace("\ud800", "\ufffd") for answer in rows.answer.tolist()}
        found.append((named, len(rows), answers))
    assert found[0] == found[1] == (models, 6, {text.replace("\ud800", "\ufffd")})


@pytest.mark.parametrize(
    "kinds, want",
    [
        ({"VARCHAR"}, "VARCHAR"),
        ({"BOOLEAN"}, "JSON FLAG"),
        ({"UBIGINT"}, "JSON WHOLE"),
        ({"UBIGINT", "BIGINT"}, "JSON WHOLE"),
        ({"UBIGINT", "DOUBLE"}, "JSON NUMBER"),
        ({"DOUBLE"}, "JSON NUMBER"),
        ({"DOUBLE", "VARCHAR"}, None),
        ({"BOOLEAN", "UBIGINT"}, None),
        ({"OBJECT"}, None),
    ],
    ids=str,
)
def test_types_of_columns(kinds, want):
    assert choose_type(kinds) == want


def test_keys_as_pointers():
    told = {"a": "'/a'", "a/b~c": "'/a~1b~0c'", "a'b": "'/a''b'", "": "'/'"}
    assert {key: point(key) for key in told} == told


@pytest.mark.parametrize(
    "text, want",
    [
        (rb"\ud800", rb"\ufffd"),
        (rb"\udc00", rb"\ufffd"),
        (rb"\ud83d\ude00", rb"\ud83d\ude00"),
        (rb"\ud83d\u0041", rb"\ufffd\u0041"),
        (rb"\\ud800", rb"\\ud800"),
        (rb"\n\u0041", rb"\n\u0041"),
    ],
)
def test_half_a_character_is_a_mark(text, want):
    assert ESCAPE.sub(mend_half, text) == want


@pytest.mark.parametrize("name", ["run.arrow", "run.feather"])
def test_files_of_an_engine_stand_alone(name):
    assert see_layout(None, name) == ("arrow", name)
