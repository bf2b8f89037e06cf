"""Long tables from every origin: what is read, and what is refused.

Nothing is lost or counted twice."""

import csv
import gzip
import json
from dataclasses import replace
from types import SimpleNamespace

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from sampling_eval.reading import tables
from sampling_eval.reading.columns import COLUMNS, FILE, choose_columns
from sampling_eval.reading.counted import CountedRows
from sampling_eval.reading.objects import columns_source
from sampling_eval.reading.options import Options, Policy
from sampling_eval.reading.sample_ids import Task
from test_reading_origins import read_plain as read_table, tell

CON = duckdb.connect()
ROWS = [
    dict(
        task_id=f"aime/{q}",
        trial=s,
        passed=(q + s) % 3 == 0,
        prediction=str(s % 2),
        reward=(q + s) / 10,
    )
    for q in (2, 0, 1)
    for s in range(4)
]


def write(path, text):
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return str(path)


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def csv_text(rows, mark=","):
    columns = list(rows[0])
    body = [mark.join("" if row.get(c) is None else str(row[c]) for c in columns) for row in rows]
    return "\n".join([mark.join(columns), *body]) + "\n"


def same(a, b):
    assert tell(a) == tell(b)


# ---- one table, every origin


def origins(tmp_path):
    frame, arrow = pd.DataFrame(ROWS), pa.Table.from_pylist(ROWS)
    pl.DataFrame(ROWS).write_parquet(tmp_path / "x.parquet")
    return {
        "rows": ROWS,
        "tuple": tuple(ROWS),
        "columns": {c: [row[c] for row in ROWS] for c in ROWS[0]},
        "arrays": {c: np.array([row[c] for row in ROWS]) for c in ROWS[0]},
        "pandas": frame,
        "pandas nullable": frame.convert_dtypes(),
        "pandas arrow": frame.convert_dtypes(dtype_backend="pyarrow"),
        "polars": pl.DataFrame(ROWS),
        "lazy": pl.LazyFrame(ROWS),
        "arrow": arrow,
        "relation": CON.from_arrow(arrow),
        "parquet": tmp_path / "x.parquet",
        "jsonl": write(tmp_path / "x.jsonl", lines(ROWS)),
        "jsonl.gz": write(tmp_path / "y.jsonl.gz", lines(ROWS)),
        "ndjson, CRLF": write(tmp_path / "x.ndjson", lines(ROWS).replace("\n", "\r\n")),
        "array": write(tmp_path / "x.json", json.dumps(ROWS, indent=1)),
        "array.gz": write(tmp_path / "y.json.gz", json.dumps(ROWS)),
        "pretty objects": write(
            tmp_path / "z.json", "\n".join(json.dumps(row, indent=2) for row in ROWS)
        ),
        "csv": write(tmp_path / "x.csv", csv_text(ROWS)),
        "csv.gz": write(tmp_path / "y.csv.gz", csv_text(ROWS)),
        "csv, CRLF, BOM": write(
            tmp_path / "bom.csv", "\ufeff" + csv_text(ROWS).replace("\n", "\r\n")
        ),
        "semicolons": write(tmp_path / "z.csv", csv_text(ROWS, ";")),
        "tsv": write(tmp_path / "x.tsv", csv_text(ROWS, "\t")),
        "glob": str(tmp_path / "x.js*nl"),
    }


def test_every_origin_gives_the_same_samples(tmp_path):
    want = read_table(ROWS)
    assert want.questions.tolist() == ["aime/2", "aime/0", "aime/1"]
    for name, data in origins(tmp_path).items():
        got = read_table(data)
        same(got, want)
        assert (
            "question=task_id, sample=trial, correct=passed, answer=prediction, score=reward"
            in got.source
        ), name


def test_a_column_absent_from_one_file_is_missing_there(tmp_path):
    files = [
        write(tmp_path / "a.jsonl", '{"id": 1, "passed": true}\n'),
        write(tmp_path / "b.jsonl", '{"id": 1}\n'),
        write(tmp_path / "c.csv", "id\n1\n"),
        write(tmp_path / "d.csv", "id\n2\n"),
    ]
    rows = read_table(files, files_hold="draws")
    assert "4 files (a.jsonl, b.jsonl, c.csv, ...)" in rows.source
    assert rows.correct.tolist()[:1] == [1.0] and np.isnan(rows.correct[1:]).all()
    files.append(write(tmp_path / "e.csv", "name,passed\n1,1\n"))
    with pytest.raises(ValueError, match="question='id' is not a column, got 'name', 'passed'"):
        read_table(files)


def test_late_columns_and_late_types_are_seen(tmp_path):
    rows = [dict(id=i, passed=True) for i in range(30_000)] + [
        dict(id="late", passed=False, score=0.5)
    ]
    got = read_table(write(tmp_path / "x.jsonl", lines(rows)))
    assert (
        got.questions[-1] == "late"
        and got.score[-1] == 0.5
        and "mixed types compared as text" in got.source
    )


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
            st.sampled_from([True, False, None]),
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_any_text_survives_json_and_csv(tmp_path_factory, cells):
    folder = tmp_path_factory.mktemp("any")
    rows = [dict(id="q" + q, passed=p, answer=a) for q, p, a in cells]
    same(read_table(write(folder / "x.jsonl", lines(rows))), read_table(rows))
    with open(folder / "x.csv", "w", newline="") as f:
        (out := csv.writer(f)).writerow(["id", "passed", "answer"])
        out.writerows([row["id"], row["passed"], row["answer"] or "none"] for row in rows)
    same(
        read_table(folder / "x.csv"),
        read_table([{**row, "answer": row["answer"] or "none"} for row in rows]),
    )


# ---- columns


def test_aliases_are_distinct_and_case_does_not_matter():
    names = [name for part in COLUMNS.values() for name in part]
    assert len(set(names)) == len(names)
    for part, aliases in COLUMNS.items():
        for name in aliases:
            assert (
                choose_columns(
                    ["question", name.upper()] if part != "question" else [name.upper()]
                )[part]
                == name.upper()
            )


@pytest.mark.parametrize(
    "columns, named, message",
    [
        (["a", "b"], {}, "Which column holds the question? Got 'a', 'b'"),
        ([], {}, "Which column holds the question? Got no columns"),
        (
            ["id", "task_id"],
            {},
            "ambiguous: 'id' or 'task_id' could be the question; pass question='id' or 'task_id'",
        ),
        (["Question", "question"], {}, "could be the question; pass "),
        (["id", "system", "model"], {}, "could be the model; pass "),
        (["id", "trial", "seed"], {}, "could be the sample; pass "),
        (["id"], dict(question=False), "Which column holds the question?"),
        (
            ["id", "passed"],
            dict(correct="passd"),
            "correct='passd' is not a column, got 'id', 'passed'; did you mean 'passed'?",
        ),
        (["id"], dict(sample="id"), "sample='id' leaves no column for the question"),
        (
            ["id"],
            dict(question="id", sample="id"),
            "a column plays one part, got 'id' as question and as sample",
        ),
        ([f"c{i}" for i in range(30)], {}, "and 18 more"),
    ],
)
def test_columns_refused(columns, named, message):
    with pytest.raises(ValueError) as error:
        choose_columns(columns, named)
    assert message in str(error.value)


def test_columns_that_differ_in_case(tmp_path):
    path = write(
        tmp_path / "x.jsonl",
        '{"ID": "a", "id": "b", "passed": 1}\n{"id": "c", "ID": "a", "passed": 0}\n',
    )
    assert read_table(path, question="ID").questions.tolist() == ["a"]
    assert read_table(path, question="id").questions.tolist() == ["b", "c"]


def test_odd_column_names(tmp_path):
    odd = {'my "id"': "é ü", "it's $.ok": True, "file": 3, "filename": 4, "file of a row": 5, "": 6}
    for path in write(tmp_path / "x.jsonl", lines([odd])), odd and [odd]:
        got = read_table(path, question='my "id"', correct="it's $.ok", sample="filename")
        assert got.questions.tolist() == ["é ü"] and got.correct.tolist() == [1]
    pl.DataFrame([odd]).write_parquet(tmp_path / "x.parquet")
    assert read_table(
        tmp_path / "x.parquet", question='my "id"', correct="it's $.ok"
    ).questions.tolist() == ["é ü"]
    path = write(tmp_path / "o.csv", 'id,passed,file,filename,\n"a ""b"", c",1,2,3,4\n')
    assert read_table(path, sample="filename").questions.tolist() == ['a "b", c']


def test_paths_with_special_characters(tmp_path):
    folder = tmp_path / "it's [1] {x}"
    folder.mkdir()
    write(folder / "a1.jsonl", '{"id": "wrong", "passed": 1}\n')
    for name, text in ("a[1].jsonl", '{"id": "right", "passed": 1}\n'), (
        "a[1].csv",
        "id,passed\nright,1\n",
    ):
        assert read_table(write(folder / name, text)).questions.tolist() == ["right"]
    pl.DataFrame(dict(id=["right"], passed=[1])).write_parquet(folder / "a[1].parquet")
    assert read_table(folder / "a[1].parquet").questions.tolist() == ["right"]


# ---- names


def test_names_keep_their_type(tmp_path):
    big = 123456789012345678901234567890
    assert read_table([dict(id=3), dict(id=1)]).questions.tolist() == [3, 1]
    assert read_table(
        write(tmp_path / "b.jsonl", f'{{"id": {big}}}\n{{"id": {big + 1}}}\n')
    ).questions.tolist() == [str(big), str(big + 1)]
    assert read_table(
        write(tmp_path / "u.jsonl", f'{{"id": {2**64 - 1}}}\n{{"id": {-2**63}}}\n')
    ).questions.tolist() == [str(2**64 - 1), str(-(2**63))]
    assert read_table(write(tmp_path / "z.csv", "id\n001\n1\n")).questions.tolist() == ["001", "1"]
    assert read_table(write(tmp_path / "d.jsonl", '{"id": "2024-01-01"}\n')).questions.tolist() == [
        "2024-01-01"
    ]
    pl.DataFrame(dict(id=np.array([2**64 - 1], np.uint64))).write_parquet(tmp_path / "u.parquet")
    assert read_table(tmp_path / "u.parquet").questions.tolist() == [str(2**64 - 1)]


@pytest.mark.parametrize(
    "bad, kind",
    [
        (None, ValueError),
        (float("nan"), ValueError),
        ("nan", ValueError),
        ("None", ValueError),
        ("", ValueError),
        (0.5, TypeError),
        (True, TypeError),
        ([1], TypeError),
        ({}, TypeError),
        (1e300, TypeError),
        (float("inf"), TypeError),
    ],
)
def test_names_refused(bad, kind, tmp_path):
    rows = [dict(id=1, passed=1), dict(id=bad, passed=1)]
    with pytest.raises(kind, match="question.* at row 1"):
        read_table(rows)
    path = write(tmp_path / "x.jsonl", lines(rows))
    with pytest.raises(kind, match="question.* at row 2 of x.jsonl"):
        read_table(path)


def test_place_in_the_right_file(tmp_path):
    a = write(tmp_path / "a.jsonl", '{"id": 1}\n' * 3)
    b, c = write(tmp_path / "b.jsonl", '{"id": 1}\n{"id": null}\n'), write(
        tmp_path / "c.csv", "id,x\n1,1\n,1\n"
    )
    with pytest.raises(ValueError, match=r"at row 2 of b.jsonl \(1 of 5 fail\)"):
        read_table([a, b])
    with pytest.raises(ValueError, match="at row 2 of c.csv"):
        read_table([a, c])
    pl.DataFrame(dict(id=[1, None])).write_parquet(tmp_path / "d.parquet")
    with pytest.raises(ValueError, match="at row 2 of d.parquet"):
        read_table([a, tmp_path / "d.parquet"])


# ---- outcomes, scores, answers


def test_outcomes_of_two_kinds_across_files_are_refused(tmp_path):
    files = [
        write(tmp_path / "a.jsonl", '{"id": 1, "passed": true}\n'),
        write(tmp_path / "b.jsonl", '{"id": 1, "passed": 0}\n'),
    ]
    with pytest.raises(TypeError, match="only bool or only 0/1"):
        read_table(files)
    with pytest.raises(TypeError, match="only bool or only 0/1"):
        read_table(write(tmp_path / "x.csv", "id,passed\n1,true\n2,0\n"))
    pl.DataFrame(dict(id=[1], passed=[0])).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(TypeError, match="only bool or only 0/1"):
        read_table([files[0], tmp_path / "b.parquet"])


def test_thresholds():
    rows = [dict(id=1, score=0.5), dict(id=1, score=0.6), dict(id=2, score=None)]
    np.testing.assert_array_equal(read_table(rows, threshold=0.5).correct, [0, 1, np.nan])
    assert "correct = score > 0.5" in read_table(rows, threshold=0.5).source
    assert read_table(rows).correct is None
    got = read_table([dict(id=1, reward=r) for r in (0, 1.0, None)])
    np.testing.assert_array_equal(got.correct, [0, 1, np.nan])
    assert got.source.endswith("correct = reward (all 0 or 1)")
    assert read_table([dict(id=1, reward=None)]).correct is None
    assert read_table(
        [dict(id=1, passed=1, score=0.2)], threshold=0.5, correct=False
    ).correct.tolist() == [0]
    for data, value, kind, message in (
        ([dict(id=1, passed=1, score=0.2)], 0.5, ValueError, "there is correct='passed'"),
        ([dict(id=1, passed=1)], 0.5, ValueError, "there is correct='passed'"),
        ([dict(id=1)], 0.5, ValueError, "no column is the score"),
        (rows, True, TypeError, "must be a number"),
        (rows, "0.5", TypeError, "must be a number"),
        (rows, float("nan"), ValueError, "must be finite"),
    ):
        with pytest.raises(kind, match=message):
            read_table(data, threshold=value)


def test_answers(tmp_path):
    values = ["a", 3, 2.5, True, None, {"y": [1], "x": "é"}, [2, 1], ""]
    want = ["a", 3, 2.5, True, None, '{"x": "é", "y": [1]}', "[2, 1]", ""]
    rows = [dict(id=i, answer=v) for i, v in enumerate(values)]
    for data in rows, write(tmp_path / "x.jsonl", lines(rows)):
        assert read_table(data).answer.tolist() == want
    nested = [dict(id=1, answer={"b": 1, "a": [1, 2]}), dict(id=1, answer=None)]
    pl.DataFrame(nested).write_parquet(tmp_path / "n.parquet")
    for data in (
        nested,
        tmp_path / "n.parquet",
        pl.DataFrame(nested),
        pa.Table.from_pylist(nested),
        CON.from_arrow(pa.Table.from_pylist(nested)),
    ):
        assert set(read_table(data).answer.tolist()) == {'{"a": [1, 2], "b": 1}', None}


# ---- missing, counts, models


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.permutations(range(12)), st.sampled_from(["wrong", "drop", "right"]))
def test_row_order_decides_nothing_but_the_order_of_names(order, policy):
    rows = [
        dict(
            id=q, s=s, passed=None if s == 3 else (q * s) % 2, reward=0.1 * (q + s), passage=q // 2
        )
        for q in range(3)
        for s in range(4)
    ]
    a, b = read_table(rows, sample="s").counts(Policy(policy)), read_table(
        [rows[i] for i in order], sample="s"
    ).counts(Policy(policy))
    where = [b.questions.tolist().index(q) for q in a.questions.tolist()]
    for field in ("n", "c", "missing", "score_sum", "cluster"):
        assert (getattr(a, field) == getattr(b, field)[where]).all()


# ---- files that are not what they should be


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("x.jsonl", '{"id": 1}\n' * 16 + '{"id": ,}\n', "x.jsonl', line 17: malformed JSON"),
        ("x.jsonl.gz", '{"id": 1}\n' * 16 + '{"id": \n', "x.jsonl.gz', line 17: malformed JSON"),
        ("x.jsonl", '{"id": 1}\n\n3\n', "line 3: every line must be an object, got 3"),
        ("x.jsonl", '{"id": 1}\n{"id": 1, "id": 2}\n', "line 2: key 'id' stands there twice"),
        ("x.jsonl", '{"id": 1, "z": 1, "z": 2}\n', "line 1: key 'z' stands there twice"),
        ("x.jsonl", '\n{"id": 1}\n"x"\n', 'line 3: every line must be an object, got "x"'),
        (
            "x.jsonl",
            '{"id": 1}\n[' + "1, " * 20 + "1]",
            "line 2: every line must be an object, got \\[" + "1, " * 13 + "$",
        ),
        ("x.jsonl", '{"id": ' + "[" * 100_000, "line 1: nested beyond the parser"),
        ("x.json", "[" * 100_000, "nested beyond the parser"),
        ("x.json", '{"id": 1} null {"id": 2}', "row 2: every row must be an object, got null"),
        ("x.json", '{"id": 1}\n\n{"id"', "line 3: malformed JSON"),
        ("x.csv", 'id,passed\n1,"2" x\n', "line 2: malformed CSV"),
        ("x.json", '[{"id": 1},\n {"id": }]', "x.json', line 2: malformed JSON"),
        ("x.json", '[{"id": 1}, [2]]', "row 2: every row must be an object, got \\[2\\]"),
        ("x.json", '[{"id": 1, "id": 3}]', "key 'id' stands there twice"),
        ("x.json", "3", "every row must be an object, got 3"),
        ("x.json", '{"results": [{"name": 1}]}', r"Which column holds the question\? Got 'name'"),
        ("x.jsonl", "", "is empty"),
        ("x.jsonl", "\n\n", "holds no rows"),
        ("x.json", "[]", "holds no rows"),
        ("x.csv", "id,passed\n", "holds no rows"),
        ("x.csv", "\n", "holds no rows"),
        (
            "x.csv",
            "id,passed\n1,1\n2,1,3\n",
            "x.csv', line 3: need 2 values as in the first line, got 3",
        ),
        (
            "x.csv",
            'id,passed\n"a\nb",1\n2\n',
            "x.csv', line 4: need 2 values as in the first line, got 1",
        ),
        ("x.csv", 'id,passed\n1,"1\n', "x.csv'"),
        (
            "x.csv",
            "id,passed,passed\n1,1,0\n",
            "ambiguous: 'passed.1' or 'passed.2' could be the outcome",
        ),
        ("x.txt", "id\n", "is of no kind that is read; need .jsonl, .ndjson, .json, .csv"),
        ("x.parquet.gz", "a", "cannot read"),
        ("x.parquet", "not parquet", "cannot read"),
    ],
)
def test_bad_files(name, text, message, tmp_path):
    path = write(tmp_path / name, text)
    with pytest.raises(ValueError, match=message):
        read_table(path)


def test_bad_bytes(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(b'{"id": 1}\n{"id": "\xe9"}\n')
    with pytest.raises(ValueError, match="x.jsonl', line 2: not UTF-8"):
        read_table(tmp_path / "x.jsonl")
    (tmp_path / "x.csv").write_bytes(b"id,passed\n1,1\n\xe9,1\n")
    with pytest.raises(ValueError, match="x.csv'.*not UTF-8"):
        read_table(tmp_path / "x.csv")
    (tmp_path / "h.csv").write_bytes(b"id\xe9,passed\n1,1\n")
    with pytest.raises(ValueError, match="h.csv', line 1: not UTF-8"):
        read_table(tmp_path / "h.csv")


@pytest.mark.parametrize(
    "name, text",
    [
        ("x.jsonl.gz", lines([dict(id=i, passed=1, text="x" * i) for i in range(3000)])),
        ("x.csv.gz", "id,passed\n" + "".join(f"{i},{i % 2}\n" for i in range(100_000))),
        ("x.json.gz", json.dumps([dict(id=i) for i in range(9999)])),
    ],
)
def test_incomplete_gzip(name, text, tmp_path):
    whole = gzip.compress(text.encode())
    for content in whole[:-20], whole[: len(whole) // 2], whole[:12], b"plain text":
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=name):
            read_table(tmp_path / name)


def test_an_empty_file_among_others(tmp_path):
    a = write(tmp_path / "a.jsonl", '{"id": 1}\n')
    for name, text in ("b.jsonl", "\n"), ("b.csv", "id\n"), ("b.json", "[]"):
        with pytest.raises(ValueError, match="no rows"):
            read_table([a, write(tmp_path / name, text)])
    b = write(tmp_path / "c.jsonl", "\n\n\n")
    with pytest.raises(ValueError, match=r"c.jsonl' holds no rows \(1 of 2 files\)"):
        read_table([a, b])
    pl.DataFrame(dict(id=[1])).clear().write_parquet(tmp_path / "e.parquet")
    with pytest.raises(ValueError, match="holds no rows"):
        read_table([a, tmp_path / "e.parquet"])


@pytest.mark.parametrize(
    "data",
    [3, None, [], [1, 2], [dict(id=1), "x.jsonl"], dict(id=3), dict(id="abc"), {"id": {"0": 1}}],
)
def test_data_refused(data):
    with pytest.raises(TypeError):
        read_table(data)


@pytest.mark.parametrize(
    "data, message",
    [
        ({"id": [1, 2], "passed": [1]}, "columns must have one length, got 'id': 2, 'passed': 1"),
        ({"id": np.zeros((2, 2))}, "one-dimensional"),
        ({}, "no columns"),
        ({"id": []}, "at least one row"),
        (pd.DataFrame(dict(id=[])), "at least one row"),
        ([{}], "no columns"),
    ],
)
def test_tables_refused(data, message):
    with pytest.raises(ValueError, match=message):
        read_table(data)


# ---- frames


def test_nulls_of_every_library():
    want = [1, np.nan, 0]
    for column in (
        pd.array([True, None, False], dtype="boolean"),
        pd.array([1, None, 0], dtype="Int64"),
        pd.array([1, None, 0], dtype="Float64"),
        pd.Series([True, None, False], dtype=object),
        pd.Series([1, pd.NA, 0], dtype=object),
        pd.Series([1, np.nan, 0]),
        pd.array([True, None, False], dtype="bool[pyarrow]"),
        pd.array([1, None, 0], dtype="int64[pyarrow]"),
    ):
        np.testing.assert_array_equal(
            read_table(pd.DataFrame(dict(id=[1, 2, 3], passed=column))).correct, want
        )
    for kind in (pl.Boolean, pl.Int8, pl.UInt64, pl.Float32, pl.Float64):
        np.testing.assert_array_equal(
            read_table(
                pl.DataFrame(dict(id=[1, 2, 3], passed=[1, None, 0]), strict=False).cast(
                    dict(passed=kind)
                )
            ).correct,
            want,
        )
    masked = np.ma.masked_array([1, 1, 0], [False, True, False])
    np.testing.assert_array_equal(read_table(dict(id=[1, 2, 3], passed=masked)).correct, want)


def test_categories_and_decimals():
    frame = pl.DataFrame(dict(id=["b", "a"], score=["0.1", "0.2"])).with_columns(
        pl.col("id").cast(pl.Categorical), pl.col("score").cast(pl.Decimal(10, 2))
    )
    for data in frame, frame.to_pandas(), frame.to_arrow(), CON.from_arrow(frame.to_arrow()):
        got = read_table(data)
        scores = dict(zip(got.questions[got.question].tolist(), got.score))
        assert scores == pytest.approx(dict(b=0.1, a=0.2), rel=1e-15)


def test_a_frame_is_read_as_it_stands():
    frame = pd.DataFrame(dict(id=["x", "y"], passed=[1, 0]), index=[7, 7])
    before = frame.copy()
    assert read_table(frame).correct.tolist() == [1, 0]
    pd.testing.assert_frame_equal(frame, before)


# Single functions.


@pytest.mark.parametrize(
    "name, known, parts",
    [
        ("a,b", "ab", ["a", "b"]),
        ("a,c", "ab", ["a,c"]),
        ("a", "ab", ["a"]),
        ("c", "ab", ["c"]),
        ("a,b", ["a", "b", "a,b"], ["a,b"]),
    ],
)
def test_names_with_commas(name, known, parts):
    assert tables.split_name(name, set(known)) == parts


def test_names_with_commas_are_spread_once():
    options = Options.of(dict(ignore=["a,b", "b", "c"], sums=["x,y"]))
    found = tables.spread_names(options, ["a", "b", "x", "y"])
    assert found.ignore == ("a", "b", "c") and found.sums == ("x", "y")


@pytest.mark.parametrize(
    "tasks, options, want",
    [
        (None, {}, {}),
        (["t", "t"], {}, {}),
        (["t", "u"], {}, dict(group=["t", "u"], cluster=["t", "u"])),
        (["t", "t"], dict(by="task"), dict(group=["t", "t"])),
        (["t", None], {}, dict(group=["t", "None"], cluster=["t", "None"])),
        (["t", None], dict(by="task"), "by='task' needs the task of every sample"),
        (None, dict(cluster="task"), "cluster='task' needs the task of every sample"),
    ],
    ids=str,
)
def test_tasks_as_groups_and_clusters(tasks, options, want):
    try:
        found = tables.group_tasks(tasks, Options.of(options))
    except ValueError as error:
        assert want in str(error)
    else:
        assert found == want


def test_versions_of_tasks_are_noted():
    tasks = [Task("t", "1"), Task("t", "2"), Task("t", "1"), Task("u", "1"), Task("v")]
    assert [one.names for one in tables.note_versions(tasks)] == [("t", "1", "2")]


@pytest.mark.parametrize(
    "name, text, table",
    [
        ("a.json", "", False),
        ("a.csv", "x", True),
        ("a.json", '[{"id": 1}]', True),
        ("a.json", '{"id": 1}', True),
        ("a.json", '{"x": 1}', False),
        ("a.json", "// c\n[1]", True),
        ("a.json", ' {"x": 1, // c\n}', False),
        ("A.JSON", '{"x": 1}', False),
    ],
)
def test_files_that_may_be_tables(name, text, table, tmp_path):
    (tmp_path / name).write_text(text)
    assert tables.may_be_table(str(tmp_path / name)) is table


def test_how_much_comes_out_of_files(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text("x" * 10)
    files = [str(tmp_path / f"{name}.csv") for name in "ab"]
    assert [tables.outgrows(files, most) for most in (19, 20, 21)] == [True, False, False]
    assert tables.outgrows(files[:1], 9) and not tables.outgrows([], 0)


def test_tables_beside_settings(tmp_path):
    for name, text in dict(a="id,correct\n", b="id,correct\n", c="").items():
        (tmp_path / f"{name}.csv").write_text(text)
    files = [str(tmp_path / f"{name}.csv") for name in "abc"]
    found, notes = tables.leave_others(tmp_path, files, False)
    assert found == files[:2] and [(one.kind, one.names) for one in notes] == [
        ("skipped_files", ("c.csv",))
    ]
    _, notes = tables.leave_others([tmp_path], files, True)
    assert [(one.kind, one.count, one.total) for one in notes][1:] == [("plain_tables", 2, 3)]
    assert len(tables.leave_others([tmp_path], [files[0], files[2]], True)[1]) == 1
    assert tables.leave_others(files, files, True) == (files, [])
    assert tables.leave_others(tmp_path, files[2:], True) == (files[2:], [])
    assert tables.leave_others([tmp_path, files[2]], files, False) == (files, [])


# Single functions on the way from sources to rows.


@pytest.mark.parametrize(
    "threshold, chosen, kind, said",
    [
        (None, {}, None, ""),
        (0.5, dict(score="s"), None, ""),
        (np.float32(1), dict(score="s"), None, ""),
        (True, dict(score="s"), TypeError, "threshold must be a number, got True"),
        ("1", dict(score="s"), TypeError, "threshold must be a number, got '1'"),
        (float("inf"), dict(score="s"), ValueError, "threshold must be finite, got inf"),
        (
            1,
            dict(score="s", correct="c"),
            ValueError,
            "threshold derives correct from score, but there is correct='c'; leave threshold out, "
            "or pass correct=False",
        ),
        (1, {}, ValueError, "threshold derives correct from score, and no column is the score; p"),
    ],
)
def test_thresholds_that_are_refused(threshold, chosen, kind, said):
    if kind is None:
        assert tables.check_threshold(chosen, threshold) is None
        return
    with pytest.raises(kind) as error:
        tables.check_threshold(chosen, threshold)
    assert str(error.value).startswith(said)


def test_columns_that_are_counted_or_added_up():
    chosen = dict(question="id", correct="ok", cluster="part")
    plain = dict(question="id", correct="ok")
    options = Options(sums=("usd",))
    assert tables.find_used(["usd"], chosen, options, False) == plain | {"sum usd": "usd"}
    assert tables.find_used([], chosen, Options(), True) == chosen
    assert tables.find_used([], chosen, Options(cluster="part"), False) == chosen
    for costs, option in ((), "sums"), (("usd",), "cost"):
        with pytest.raises(ValueError, match=f"^{option}='usd' is not a column, got 'id'"):
            tables.find_used(["id"], {}, Options(sums=("usd",), costs=costs), False)


def test_columns_as_a_reader_knows_them():
    found = tables.label_columns(dict(question="id", model=FILE))
    assert found == dict(question="id", model="file")


@pytest.mark.parametrize(
    "chosen, able, ways",
    [
        (dict(correct="x"), (), ()),
        (dict(score="x"), (), ()),
        ({}, ("x", "is_ok"), (dict(correct="is_ok"),)),
        (dict(answer="said"), ("x", "is_ok"), ("exact", "number", "last_line")),
    ],
)
def test_columns_that_may_hold_the_outcome(chosen, able, ways):
    columns = dict(id=[1, 2], x=[1, 0], is_ok=[True, False], y=["a", "b"], target=["u", "v"],
                   said=["u", "w"])
    ways = tuple(dict(grade=way) if isinstance(way, str) else way for way in ways)
    source = columns_source(columns)
    found = tables.list_candidates([source], dict(question="id") | chosen, Options())
    assert found == (able, ways)


def test_the_options_that_name_columns():
    options = Options(columns=dict(question="a", group="b"), sums=("c",), ignore=("d", "e"))
    assert tables.list_asked(options) == [
        ("question", "a"), ("by", "b"), ("sums", "c"), ("ignore", "d"), ("ignore", "e"),
        ("expected", None),
    ]


def test_columns_that_name_a_part_together():
    source = columns_source(dict(id=[1, 1], run=["r", "s"], at=[0, 1], m=["x", "y"], n=["u", "v"]))
    options = Options(columns=dict(sample="run,at", model="m,n", question="id"))
    (found,) = tables.join_named([source], options)
    assert found.columns[5:] == ["run,at", "m,n"]
    assert tables.join_named([source], Options(columns=dict(sample="run", model=False))) == [source]
    assert tables.join_named([source], Options(columns=dict(sample="run,x"))) == [source]


# Single functions on logs.


@pytest.mark.parametrize(
    "costs, wanted, found",
    [
        ([dict(usd=1)], [], {}),
        ([dict(usd=1, s=2), None, dict(usd=3)], ["usd"], dict(usd=[1, None, 3])),
        ([dict(usd=1), dict(s=2)], ["usd", "s"], dict(usd=[1, None], s=[None, 2])),
        ([dict(usd=None, s=2)], ["usd"], "usd; it has 's'"),
        ([None, {}], ["usd"], "usd; it has none"),
    ],
)
def test_costs_of_logs(costs, wanted, found):
    search = SimpleNamespace(logs=[SimpleNamespace(reader=SimpleNamespace(name="tau_bench"))])
    if not isinstance(found, str):
        assert tables.take_costs(costs, wanted, search) == found
        return
    with pytest.raises(ValueError) as error:
        tables.take_costs(costs, wanted, search)
    assert str(error.value) == (
        f"this log of tau_bench does not hold the costs asked for, got '{found}".replace(
            "'usd;", "'usd';"
        )
    )


@pytest.mark.parametrize(
    "columns, name",
    [
        (dict(score="match", group="task", cluster="task"), None),
        (dict(cluster="question"), None),
        (dict(model=False), None),
        (dict(model="m"), "model"),
        (dict(group="topic"), "by"),
        (dict(score="match", question="q"), "question"),
    ],
)
def test_columns_of_logs_are_not_named(columns, name):
    if name is None:
        assert tables.refuse_columns_of_logs(Options(columns=columns)) is None
        return
    value = next(value for part, value in columns.items() if part in (name, "group", "question"))
    with pytest.raises(ValueError) as error:
        tables.refuse_columns_of_logs(Options(columns=columns))
    assert str(error.value) == (
        f"a log has its own columns, got {name}={value!r}; column names are for plain tables, and "
        "of logs by='task' and cluster='task'"
    )


def make_counted(names, groups=None, **more):
    known = list(dict.fromkeys(names))
    held = {} if groups is None else dict(group=np.array(list(groups), object))
    code = np.array([known.index(name) for name in names])
    return CountedRows(code, np.array(known, object), np.ones(len(code), int), **held, **more)


@pytest.mark.parametrize(
    "names, groups, item",
    [
        (["s/1", "t/1", "t/2"], "stt", ["1", "1", "2"]),
        (["s/1", "t/2"], "st", None),
        (["1", "2"], "ss", None),
        (["1", "2"], None, None),
        (["s/a/1", "t/a/1"], "st", ["a/1", "a/1"]),
    ],
)
def test_ids_that_tasks_share(names, groups, item):
    found = tables.name_items(make_counted(names, groups))
    assert (None if found.item is None else found.item.tolist()) == item


@pytest.mark.parametrize(
    "correct, threshold, notes",
    [
        (None, None, [("graded", None)]),
        (None, 0.5, [("threshold", None)]),
        ([1, 0, np.nan], 0.5, [("threshold", None), ("missing_outcomes", 4)]),
        ([1, np.nan, np.nan], None, [("missing_outcomes", 7)]),
        ([1, 0, 1], None, []),
    ],
)
def test_how_outcomes_of_a_log_were_found(correct, threshold, notes):
    correct = None if correct is None else np.array(correct, float)
    rows = replace(make_counted("abc"), times=np.array([2, 3, 4]), correct=correct)
    found = tables.note_outcomes(rows, Options(threshold=threshold))
    assert [(note.kind, note.count) for note in found] == notes
    assert all(note.total == 9 for note in found if note.count)
    assert all(note.value == 0.5 for note in found if note.kind == "threshold")


def test_what_readers_of_logs_are_asked():
    options = Options(columns=dict(score="match"), filter="f", task="t", files_hold="draws")
    ask = tables.make_ask(options, texts="kept")
    assert (ask.filter, ask.task, ask.files_hold, ask.texts) == ("f", "t", "draws", "kept")
    assert "match" in vars(ask).values()
    assert "match" not in vars(tables.make_ask(Options(columns=dict(score=False)))).values()
