"JSON and files that may come from anywhere."
import os
import subprocess
import sys

import numpy as np
import pytest

from harness_cases import LOGS, PARQUET, put, read
from sampling_eval.harness.jsontext import json_lines, parse_json
from sampling_eval.harness.limits import Limits
from sampling_eval.harness.log import open_log


@pytest.mark.parametrize("data, reason", [
    (b'{"a": 1, "a": 2}', "the key 'a' twice"), (b"[" * 10**6, "nested"),
    (b'{"a":' * 10**5, "nested"), (b'"\xff"', "byte 0xff at offset 1"),
    (b'{"a": 1', "need valid JSON"), (b"", "need valid JSON"), (b"1" * 5000, "need valid JSON"),
    ('"\x00"'.encode(), "need valid JSON")])
def test_bad_json(data, reason):
    with pytest.raises(ValueError, match=reason): parse_json(data)


def test_soft_json():
    value = parse_json(b'\xef\xbb\xbf{"a": NaN, "b": -Infinity, "c": "\\ud800"}')
    assert np.isnan(value["a"]) and value["b"] == -np.inf


def test_long_lines(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"task_id": "' + b"x" * 10**5 + b'"}')
    with pytest.raises(ValueError, match="a line may hold at most 1,000 bytes, got more in line 1"):
        list(json_lines(path, Limits(line=1000)))
    with pytest.raises(ValueError, match="a line may hold at most 1,000 bytes"):
        read(path, limits=Limits(line=1000))
    with pytest.raises(ValueError, match="a JSON document may hold at most 10 bytes"):
        read(LOGS / "evalplus", limits=Limits(document=10))


@pytest.mark.skipif(sys.platform != "linux", reason="needs ulimit")
def test_one_gigabyte_line_in_little_memory(tmp_path):
    path = tmp_path / "x.jsonl"
    with open(path, "wb") as file: file.truncate(2**30)
    code = ("import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
            "from sampling_eval.harness.jsontext import json_lines\n"
            f"try: list(json_lines({str(path)!r}))\n"
            "except ValueError as fault: sys.exit(0 if 'a line may hold' in str(fault) else 1)")
    threads = dict(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    assert subprocess.run([sys.executable, "-c", code], env=os.environ | threads).returncode == 0


def test_lines_that_are_no_objects(tmp_path):
    path, first = tmp_path / "x.jsonl", '{"task_id": 1, "passed": true, "result": ""}\n'
    path.write_text(first + "\n[1]\n")
    with pytest.raises(ValueError, match=r"must hold one JSON object, got \[1\] in line 3"):
        read(path)
    path.write_text(first + '{"task_id": 1, "pass')
    with pytest.raises(ValueError, match="need valid JSON.*in line 2 of x.jsonl"): read(path)
    path.write_text(' \n')
    with pytest.raises(ValueError, match="got nothing in .*, an empty file"): read(path)


@pytest.mark.parametrize("text, kind", [
    ('{"a": 1}\n{"a": 2}\n', "lines"), ('{"a": 1}', "document"), ('{"a":\n 1}', "document"),
    ('[{"a": 1}, {"a": 2}]', "rows"), ('[1, {"a": 2}]', "document"), ("[]", "document"),
    ("a,b\n1,2\n", "table")])
def test_kinds(tmp_path, text, kind):
    path = tmp_path / "x.json"
    path.write_text(text)
    assert open_log(path).kind == kind


def test_rows_whose_first_one_is_long(tmp_path):
    rows = [dict(a="x" * 2**17), dict(a="y")]
    log = open_log(put(tmp_path / "x.json", rows))
    assert log.kind == "rows" and log.head == rows[0] and list(log.records()) == rows


def test_damaged_parquet(tmp_path):
    path = tmp_path / "c.parquet"
    path.write_bytes(next(iter(PARQUET.values())).read_bytes()[:3000])
    with pytest.raises(ValueError, match="need a complete Parquet file"): read(path)
