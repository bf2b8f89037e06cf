"""One table gives one result whatever its size, packing and type.

Names have one spelling in every route."""

import csv
import datetime as dt
import json
import tracemalloc

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from sampling_eval import compare, read, score
from sampling_eval.reading import tables
from sampling_eval.reading.duckdb import scans
from sampling_eval.reading.logs.limits import Limits
from sampling_eval.reading.texts import read_outcome
from sampling_eval.reading.values import spell_text

ZONE = dt.timezone(dt.timedelta(hours=2))
NAMES = {
    "days": [dt.date(2024, 1, 1 + i) for i in range(3)],
    "moments": [dt.datetime(2024, 1, 1, 3, 4, 5 + i) for i in range(3)],
    "fractions": [dt.datetime(2024, 1, 1, 3, 4, 5, 120000 + i) for i in range(3)],
    "midnight": [dt.datetime(2024, 1, 1 + i) for i in range(3)],
    "zones": [dt.datetime(2024, 1, 1, 3, 4, 5 + i, tzinfo=ZONE) for i in range(3)],
    "beyond 64 bits": [2**70 + i for i in range(3)],
    "beyond 63 bits": [2**63 + i for i in range(3)],
    "nineteen digits": [1234567890123456789 + i for i in range(3)],
    "some beyond": [1, 2, 2**66],
    "floats": [1.0, 2.0, 3.0],
}
ROUTES = [
    "rows",
    "columns",
    "pandas",
    "polars",
    "lazy",
    "csv",
    "jsonl",
    "json",
    "pyarrow",
    "parquet",
    "arrow",
    "relation",
    "pandas csv",
    "polars csv",
]


def make_table(names):
    return dict(
        question=[name for name in names for _ in range(2)],
        sample=[0, 1] * 3,
        correct=[1, 0, 1, 1, 0, 0],
    )


def count_right(rows):
    return dict(zip(rows.questions.tolist(), rows.counts().c.tolist()))


def plain(value):
    return value.isoformat() if isinstance(value, dt.date) else value


def make_route(route, columns, folder):
    rows = [dict(zip(columns, row)) for row in zip(*columns.values())]
    if route == "rows":
        return rows
    if route == "columns":
        return columns
    if route == "pandas":
        return pd.DataFrame(columns)
    if route in ("polars", "lazy"):
        frame = pl.DataFrame(columns, strict=False)
        return frame.lazy() if route == "lazy" else frame
    path = folder / f"a.{route.split()[-1]}"
    if route == "pandas csv":
        pd.DataFrame(columns).to_csv(path, index=False)
    elif route == "polars csv":
        pl.DataFrame(columns, strict=False).write_csv(path)
    elif route == "csv":
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows(
                [columns, *([plain(cell) for cell in row.values()] for row in rows)]
            )
    elif route == "jsonl":
        path.write_text(
            "\n".join(json.dumps({k: plain(v) for k, v in row.items()}) for row in rows)
        )
    elif route == "json":
        path.write_text(json.dumps([{k: plain(v) for k, v in row.items()} for row in rows]))
    else:
        table = pa.table(columns)
        if route == "pyarrow":
            return table
        if route == "relation":
            return duckdb.from_arrow(table)
        (
            pa.parquet.write_table(table, path)
            if route == "parquet"
            else pa.feather.write_feather(table, path)
        )
    return path


@pytest.mark.parametrize("size", [2**23, -1], ids=["small", "large"])
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("kind", NAMES)
def test_names_have_one_spelling(kind, route, size, tmp_path, monkeypatch):
    columns = make_table(NAMES[kind])
    known = read(make_route("rows", columns, tmp_path))
    assert not any(isinstance(name, (dt.date, float)) for name in known.questions.tolist())
    try:
        data = make_route(route, columns, tmp_path)
    except (OverflowError, pa.ArrowException):
        pytest.skip("this library holds no such numbers")
    monkeypatch.setattr(tables, "SMALL", size)
    rows = read(data)
    assert count_right(rows) == count_right(known)
    assert sorted(count_right(rows).values()) == [0, 1, 2]
    # What is one question in both is compared as one.
    if size > 0:
        assert len(compare(data, columns, "pass@1").questions["question"]) == 3


@pytest.mark.parametrize(
    "text, spelled",
    [
        ("2024-01-01T03:04:05", "2024-01-01 03:04:05"),
        ("2024-01-01 03:04:05.120", "2024-01-01 03:04:05.12"),
        ("2024-01-01T00:00:00.000", "2024-01-01"),
        ("2024-01-01T03:04", "2024-01-01 03:04:00"),
        ("2024-01-01T03:04:05Z", "2024-01-01 03:04:05+00:00"),
        ("2024-01-01 05:04:05+02", "2024-01-01 03:04:05+00:00"),
        ("2024-99-99T03:04:05Z", "2024-99-99 03:04:05+00:00"),
        ("2024-01-01", "2024-01-01"),
        ("a\ud83d", "a\ufffd"),
        ("task-2024-01-01T03:04:05", "task-2024-01-01T03:04:05"),
        ("x", "x"),
    ],
)
def test_one_spelling_of_a_text(text, spelled):
    assert spell_text(text) == spelled


# Small and large text files.

ROWS = [dict(question=f"q{i // 2}", correct=i % 2, note="x") for i in range(40)]


def read_both(path, monkeypatch, **options):
    small = read(path, **options)
    monkeypatch.setattr(tables, "SMALL", -1)
    large = read(path, **options)
    assert count_right(small) == count_right(large)
    return large


@pytest.mark.parametrize("ending", ["jsonl", "json"])
@pytest.mark.parametrize("name", ["", "a b", "x/y", "~", 'quo"te', "it's"])
def test_odd_names_of_columns(name, ending, tmp_path, monkeypatch):
    rows = [{**row, name: [None, "x", 1][i % 3]} for i, row in enumerate(ROWS)]
    (path := tmp_path / f"a.{ending}").write_text(
        json.dumps(rows) if ending == "json" else "\n".join(map(json.dumps, rows))
    )
    read_both(path, monkeypatch)


@pytest.mark.parametrize("where", [3, 33])
@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_half_a_character(ending, where, tmp_path, monkeypatch):
    monkeypatch.setattr(scans, "LARGE", 10)
    monkeypatch.setattr(scans, "FIRST", 5)
    rows = [dict(row) for row in ROWS]
    rows[where]["note"] = "\ud83d \U0001f600 \\ud83d"
    for i in 10, 11:
        rows[i]["question"] = "a\udc00 \\ud83d \U0001f600"
    (path := tmp_path / f"a.{ending}").write_text(
        json.dumps(rows) if ending == "json" else "\n".join(map(json.dumps, rows))
    )
    assert "a\ufffd \\ud83d \U0001f600" in read_both(path, monkeypatch).questions.tolist()


@pytest.mark.parametrize("mark", [",", "\t", ";"])
def test_a_header_on_two_lines(mark, tmp_path, monkeypatch):
    with open(tmp_path / "a.csv", "w", newline="") as file:
        out = csv.writer(file, delimiter=mark)
        out.writerow(["question", "correct", "two\nlines", "a\r\nb"])
        out.writerows([*row.values(), "x\ny"] for row in ROWS)
    read_both(tmp_path / "a.csv", monkeypatch)


# Arrays.


@pytest.mark.parametrize(
    "data",
    [
        np.eye(3, 4),
        np.eye(3, 4, dtype=bool),
        np.eye(3, 200, dtype=np.int8),
        np.eye(3, 4) * 0.5,
        np.array([[1, np.nan], [0, 1.0]]),
    ],
    ids=["floats", "flags", "many", "scores", "missing"],
)
def test_an_array_in_a_file_is_that_array(data, tmp_path, monkeypatch):
    np.save(tmp_path / "a.npy", data)
    np.savez(tmp_path / "a.npz", x=data)
    known = read(data, missing="wrong")
    for block in 2**20, 5:
        monkeypatch.setattr("sampling_eval.reading.arrays.BLOCK", block)
        for name in "a.npy", "a.npz":
            rows = read(tmp_path / name, missing="wrong")
            assert rows.questions.tolist() == [0, 1, 2][: len(data)] and len(rows) == len(known)
            assert (rows.draws is None) == (known.draws is None)
            if rows.correct is None:
                assert rows.total.sum() == known.total.sum()
            else:
                assert np.nansum(rows.correct * rows.times) == np.nansum(
                    known.correct * known.times
                )


def test_two_files_of_arrays_are_told_apart(tmp_path):
    files = [tmp_path / "a.npy", tmp_path / "b.npy"]
    for i, file in enumerate(files):
        np.save(file, np.roll(np.eye(3, 4), i, 0))
    with pytest.raises(
        ValueError, match="each sample must appear once, got question 0, sample 0 at row 1 of a.npy"
    ):
        read(files)
    models = read(files, files_hold="models").models()
    assert {name: own.counts().c.tolist() for name, own in models.items()} == dict(
        a=[1, 1, 1], b=[1, 1, 1]
    )
    assert read(files, files_hold="draws").counts().n.tolist() == [8, 8, 8]


def test_arrays_are_unpacked_within_limits(tmp_path):
    np.savez_compressed(tmp_path / "a.npz", x=np.zeros((10**4, 10**3)))
    with pytest.raises(ValueError, match="unpacked arrays may hold at most"):
        read(tmp_path / "a.npz", limits=Limits(free=10**6, ratio=10))
    (tmp_path / "b.npz").write_bytes(b"PK\x03\x04")
    with pytest.raises(ValueError, match="cannot read"):
        read(tmp_path / "b.npz")


def test_an_array_costs_what_it_holds(tmp_path):
    "Counting touches a block at a time: no list of Python objects is made of the whole."
    np.save(
        tmp_path / "a.npy", (np.random.default_rng(0).random((20_000, 100)) < 0.5).astype(float)
    )
    tracemalloc.start()
    read(tmp_path / "a.npy")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * 20_000 * 100 * 8


# Answers that are none.


@pytest.mark.parametrize("word", ["[invalid]", "N/A", "n/a", " ", ""])
@pytest.mark.parametrize("route", ["rows", "csv", "jsonl", "polars", "lazy"])
def test_no_answer_abstains(route, word, tmp_path):
    columns = dict(
        question=["a"] * 5,
        sample=list(range(5)),
        answer=["x", "x", word, word, word],
        correct=[1, 1, 0, 0, 0],
    )
    for size in 2**23, -1:
        assert (
            score(make_route(route, columns, tmp_path), "maj@5", no_answer="abstain")[
                "maj@5"
            ].estimate
            == 1
        )
    # Where it is right it is an answer.
    columns = dict(columns, correct=[0, 0, 1, 1, 1])
    if word:
        assert (
            score(make_route(route, columns, tmp_path), "maj@5", no_answer="abstain")[
                "maj@5"
            ].estimate
            == 1
        )


@pytest.mark.parametrize(
    "text",
    [
        "[[0, 1], [1, 1]]",
        '{"q1": [0, 1], "q2": [1, 1]}',
        '{"columns": ["id", "correct"], "data": [["a", 1], ["b", 0]]}',
    ],
)
def test_documents_of_every_size_are_read_whole(text, tmp_path, monkeypatch):
    (path := tmp_path / "a.json").write_text(text)
    read_both(path, monkeypatch)


@pytest.mark.parametrize(
    "words",
    [
        "CORRECT INCORRECT",
        "pass fail",
        "PASS FAILED",
        "resolved unresolved",
        "Success Fail",
        "succeeded failed",
        "Accepted Rejected",
        "passed failed",
    ],
)
def test_words_of_verdicts_are_outcomes(words, tmp_path, monkeypatch):
    right, wrong = words.split()
    (path := tmp_path / "a.csv").write_text(
        "question,verdict\n" + f"a,{right}\na,{wrong}\nb,{right}\nb,{right}\n"
    )
    assert count_right(read_both(path, monkeypatch, correct="verdict")) == dict(a=1, b=2)
    assert [read_outcome(word, None) for word in (right, wrong, "perhaps")] == [True, False, None]
