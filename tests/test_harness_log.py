"JSON, CSV and Parquet that may come from anywhere, and what kind of container a file is."
import csv
import os
import subprocess
import sys

import numpy as np
import pytest

from harness_cases import HEADER, LOGS, PARQUET, put, refusal, zipped
from sampling_eval.io.harness.limits import (Limits, TooLarge, csv_columns, csv_rows, json_lines,
                                             parquet_columns, parquet_rows, parse_json)
from sampling_eval.io.harness.log import open_log, read_sidecar


def write(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def fail(call, *given, kind=ValueError):
    with pytest.raises(kind) as error: call(*given)
    return str(error.value)


# JSON.

@pytest.mark.parametrize("data, said", [
    (b'{"b": 1, "a": 1, "a": 2, "b": 3}', "need valid JSON, got the key 'b' twice in one object in x"),
    (b'{"c": {"a": 1, "b": 2, "b": 2}}', "need valid JSON, got the key 'b' twice in one object in x"),
    (b"[" * 10**6, "JSON must not be nested this deeply, got more levels than the parser takes in x"),
    (b'{"a":' * 10**5, "JSON must not be nested this deeply"),
    (b'"ab\xff"', "text must be UTF-8, got byte 0xff at offset 3 in x"),
    (b'{"a": 1', "need valid JSON"), (b"", "need valid JSON"), (b"1" * 5000, "a whole number may have "
                                                               "at most 4,300 digits"),
    ('"\x00"'.encode(), "need valid JSON")])
def test_bad_json(data, said): assert fail(parse_json, data, "x").startswith(said)


def test_soft_json():
    value = parse_json(b'\xef\xbb\xbf{"a": NaN, "b": -Infinity, "c": "\\ud800", "d": [1, null]}')
    assert np.isnan(value["a"]) and value["b"] == -np.inf and value["d"] == [1, None]


# JSON lines.

def test_lines_of_a_limit(tmp_path):
    "A limit that is met exactly is fine."
    path = write(tmp_path / "x.jsonl", '{"a": 1}\n\n \n{"a": 22}')
    assert list(json_lines(path)) == [dict(a=1), dict(a=22)]
    assert list(json_lines(str(path), Limits(line=9))) == [dict(a=1), dict(a=22)]
    told = ("a line may hold at most 8 bytes, got more in line {} of x.jsonl; raise "
            "limits=Limits(line=...) if you trust the file")
    assert fail(next, json_lines(path, Limits(line=8)), kind=TooLarge) == told.format(1)
    write(path, '{"a":1}\n\n{"a": 22}')
    assert fail(list, json_lines(path, Limits(line=8)), kind=TooLarge) == told.format(3)


def test_logs_beyond_a_limit(tmp_path):
    path = write(tmp_path / "x.jsonl", '{"task_id": "' + "x" * 10**5 + '"}')
    assert "a line may hold at most 1,000 bytes" in refusal(path, limits=Limits(line=1000))
    document = refusal(LOGS / "evalplus", limits=Limits(document=10))
    assert "a JSON document may hold at most 10 bytes" in document


@pytest.mark.skipif(sys.platform != "linux", reason="needs ulimit")
def test_one_gigabyte_line_in_little_memory(tmp_path):
    path = tmp_path / "x.jsonl"
    with open(path, "wb") as file: file.truncate(2**30)
    code = ("import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
            "from sampling_eval.io.harness.limits import json_lines\n"
            f"try: list(json_lines({str(path)!r}))\n"
            "except ValueError as fault: sys.exit(0 if 'a line may hold' in str(fault) else 1)")
    threads = dict(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    assert subprocess.run([sys.executable, "-c", code], env=os.environ | threads).returncode == 0


@pytest.mark.parametrize("text, said", [
    ("{}\n[1]\n", "a line must hold one JSON object, got [1] in line 3 of x.jsonl"),
    ('{}{"task_id": 1, "pass', "in line 2 of x.jsonl"), (" \n", "need one row or record per sample, "
                                                       "got nothing in x.jsonl, an empty file")])
def test_lines_that_are_refused(tmp_path, text, said):
    first = '{"task_id": 1, "passed": true, "result": ""}\n'
    assert said in refusal(write(tmp_path / "x.jsonl", text.replace("{}", first, 1)))


# Containers.

@pytest.mark.parametrize("name, text, kind, head", [
    ("x.json", '{"a": 1}\n{"a": 2}\n', "lines", dict(a=1)), ("x.jsonl", '{"a": 1}', "lines", dict(a=1)),
    ("x.json", '\n \n{"a": 1}\n{"a"', "lines", dict(a=1)), ("x.json", '{"a": 1}\n\n', "document", dict(a=1)),
    ("x.json", '{"a":\n1}', "document", dict(a=1)), ("x.json", "[1]\n", "document", [1]),
    ("x.json", "[[1], [2]]", "document", [[1], [2]]),
    ("x.json", '[{"a": 1}, 5]', "rows", dict(a=1)), ("x.json", ' [ {"a": 1}]', "rows", dict(a=1)),
    ("x.json", "[]", "document", []),
    ("x.json", '\ufeff{"a": 1}', "document", dict(a=1)), ("x.csv", "a,b\n1,2", "table", ["a", "b"]),
    ("x.csv", '{"a": 1}', "table", None),
    ("x.tsv", '{"a": 1}', "table", None), ("x.gz", '{"a": 1}', "table", None),
    ("x.json", '{"a": 1}'.encode("utf-16-le"), "table", None),
    ("x.txt", "text", "table", None), ("x.json", '"text"', "table", None), ("x.csv", '"a"b', "table", [])])
def test_containers_and_heads(name, text, kind, head, tmp_path):
    log = open_log(write(tmp_path / name, text))
    assert log.kind == kind and (log.head == head or name == "x.csv" and head is None)


def test_records_and_memory(tmp_path):
    lines, rows = write(tmp_path / "a.jsonl", '{"a": 1}\n{"a": 2}'), write(tmp_path / "b.json", '[{"a": 1}, {"a": 2}]')
    document, big = write(tmp_path / "c.json", '{"a": 1}'), put(tmp_path / "d.json", [dict(a="x" * 2**17), dict(a=2)])
    for path in lines, rows: assert list(open_log(path).records()) == [dict(a=1), dict(a=2)]
    assert list(open_log(document).records()) == [dict(a=1)] and open_log(big).items is not None
    kept = [open_log(path).count_kept() for path in (lines, rows, document, big)]
    assert kept == [0, 0, document.stat().st_size, big.stat().st_size]
    assert fail(open_log,
        write(tmp_path / "e.jsonl",
        " \n")) == "need one row or record per sample, got nothing in e.jsonl, an empty file"


def test_documents_of_a_limit(tmp_path):
    path = write(tmp_path / "x.json", '{"a":\n 1}')
    size = path.stat().st_size
    assert open_log(path, Limits(document=size)).head == dict(a=1)
    assert fail(open_log, path, Limits(document=size - 1), kind=TooLarge) == (
        f"a JSON document may hold at most {size - 1} bytes, got more in x.json; raise limits=Limits(document=...) "
        f"if you trust the file")
    # A first line beyond the limit of lines makes it no file of lines.
    two = write(tmp_path / "y.json", '{"a": 1}\n{"a": 2}')
    assert open_log(two, Limits(line=9)).kind == "lines" and "need valid JSON" in fail(open_log, two, Limits(line=8))


def test_headers_of_archives(tmp_path):
    first, second = HEADER | dict(status="first"), HEADER | dict(status="second")
    for members, head in (({"header.json": first, "_journal/start.json": second}, first),
        ({"_journal/start.json": second}, second),
                          ({"x.json": first}, None)):
        log = open_log(zipped(tmp_path / "a.eval", members))
        assert (log.kind, log.head) == ("archive", head)
    assert "in header.json of a.eval" in fail(open_log, zipped(tmp_path / "a.eval", {"header.json": b"{"}))


def test_rows_of_csv(tmp_path):
    path = write(tmp_path / "x.csv", '\ufeffa,b\n1,"x\ny"\n\n2,\n')
    assert csv_columns(path) == ["a", "b"] and csv_rows(path, Limits()) == [["1", "x\ny"], ["2", ""]]
    size = path.stat().st_size
    assert len(csv_rows(path, Limits(document=size))) == 2
    assert fail(csv_rows, path, Limits(document=size - 1)) == (
        f"a CSV file may hold at most {size - 1} bytes, got more in x.csv; raise limits=Limits(document=...) if you "
        f"trust the file")
    assert fail(csv_rows, write(path, "a,b\n1,2\n1,2,3\n"), Limits()) == (
        "a row must have 2 cells as the header has, got 3 in row 2 of x.csv")
    assert fail(csv_rows, write(path, 'a,b\n"1"x,2\n'), Limits()).startswith("need valid CSV, got ")
    assert fail(csv_rows, write(path, b"a,b\n\xff,2\n"), Limits()).startswith("need valid CSV, got ")
    assert csv_columns(write(path, b"a\xff\n")) == ["a\ufffd"] and csv_columns(write(path,
        "")) == csv_columns(write(path, '"a"b')) == []
    before = csv.field_size_limit()
    long = write(path, "a,b\n1," + "x" * 200_000)
    assert len(csv_rows(long, Limits())[0][1]) == 200_000 and csv.field_size_limit() == before
    assert "field larger than field limit" in fail(csv_rows, write(path, 'a\n"1234\n67890"\n'), Limits(line=8))


def test_rows_of_parquet(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "a[1]*?.parquet"
    duckdb.sql("SELECT range AS id, 'x' AS \"a\"\"b\" FROM range(1001)").write_parquet(str(tmp_path / "plain.parquet"))
    (tmp_path / "plain.parquet").rename(path)
    assert parquet_columns(path) == ["id", 'a"b'] and list(parquet_rows(path, ['a"b']))[:2] == [{'a"b': "x"}] * 2
    rows = list(parquet_rows(path))
    assert len(rows) == 1001 and rows[-1] == {"id": 1000, 'a"b': "x"}
    log = open_log(path)
    assert (log.kind, log.head, log.count_kept()) == ("parquet", {"id": None, 'a"b': None}, 0)
    assert next(log.records(["id"])) == dict(id=0)
    broken = write(tmp_path / "b.parquet", b"PAR1 and nothing")
    assert fail(parquet_columns, broken).startswith("need a complete Parquet file, got ") and fail(parquet_columns,
        broken).endswith(" in b.parquet")


def test_damaged_parquet(tmp_path):
    path = tmp_path / "c.parquet"
    path.write_bytes(next(iter(PARQUET.values())).read_bytes()[:3000])
    assert "need a complete Parquet file" in refusal(path)


def test_files_beside_a_log(tmp_path):
    assert read_sidecar(tmp_path / "none.json", Limits()) == {}
    for text, want in (('{"a": 1}', dict(a=1)), ("[1]", {}), ("a,b", {})):
        assert read_sidecar(write(tmp_path / "x.json", text), Limits()) == want
