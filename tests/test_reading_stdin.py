"Standard input as a file of the kind that its content shows."
import gzip
import io
import os
import sys
from types import SimpleNamespace

import pytest
import zstandard

from sampling_eval.io.console import (MAGIC, PACKINGS, find_ending, name_by_content, see_text,
                                      spool_input, stand_in)

ZST = zstandard.ZstdCompressor().compress


@pytest.fixture
def pour(monkeypatch):
    "A function that lets bytes come from the standard input."
    def pour(data): monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    return pour


@pytest.mark.parametrize("text, ending", [
    (b"a,b\n1,2", ".csv"), (b"", ".csv"), (b'{"a": 1}', ".json"), (b'{"a": 1}\n', ".json"), (b'{"a": 1}\n \n', ".json"),
    (b'{"a": 1}\n{"a": 2}', ".jsonl"), (b' \n{"a": 1}\n{"a', ".jsonl"), (b'[{"a": 1}]', ".json"),
    (b"[1]\n[2]", ".json"),
    (b'{"a":\n1}', ".json"), (b'{"a": 1} {"a": 2}\n{"a": 3}', ".json")])
def test_kinds_of_text(text, ending): assert see_text(text) == ending


@pytest.mark.parametrize("data, known, ending", [
    (b"PAR1x", MAGIC, ".parquet"), (b"ARROW1", MAGIC, ".arrow"), (b"\xff\xff\xff\xff", MAGIC, ".arrow"),
    (b"FEA1", MAGIC, ".feather"), (b"PK\x03\x04", MAGIC, ".eval"), (b"SQLite format 3\0", MAGIC, ".db"),
    (bytes(8) + b"DUCK@", MAGIC, ".duckdb"), (bytes(8) + b"DUCK", PACKINGS, ""), (b"\x1f\x8b8", PACKINGS, ".gz"),
    (b"\x28\xb5\x2f\xfd", PACKINGS, ".zst"), (b"PAR1", PACKINGS, ""), (b"xPAR1", MAGIC, ""), (b"", MAGIC, "")])
def test_endings_by_the_first_bytes(data, known, ending, tmp_path):
    path = tmp_path / "x"
    path.write_bytes(data)
    assert find_ending(known, str(path)) == ending


@pytest.mark.parametrize("data, name", [
    (b"a,b\n", "in.csv"), (b'{"a": 1}\n{"a": 1}', "in.jsonl"), (gzip.compress(b"[1]", mtime=0), "in.json.gz"),
    (ZST(b"a,b\n"), "in.csv.zst"), (b"PAR1", "in.parquet"), ("{}\n{}".encode("utf-16"), "in.jsonl")])
def test_names_by_content(data, name, tmp_path):
    path = tmp_path / "in"
    path.write_bytes(data)
    assert name_by_content(str(path)) == str(tmp_path / name) and os.listdir(tmp_path) == [name]


def test_broken_packings_are_refused(tmp_path):
    (path := tmp_path / "in").write_bytes(gzip.compress(b"a,b\n")[:-6])
    with pytest.raises(ValueError, match="in.gz' is not a complete gzip file"): name_by_content(str(path))


def test_an_input_as_a_file_of_its_own(pour):
    pour(b"a,b\n")
    with spool_input() as path:
        assert os.path.basename(os.path.dirname(path)).startswith("sampling_eval")
        assert os.path.basename(path) == "stdin.csv" and open(path, "rb").read() == b"a,b\n"
    assert not os.path.exists(os.path.dirname(path))
    pour(b"")
    with pytest.raises(ValueError, match="^the standard input is empty$"):
        with spool_input(): pass


@pytest.mark.parametrize("kind", [ValueError, TypeError, OSError])
def test_messages_name_the_input_alone(pour, kind):
    pour(b"a,b\n")
    with pytest.raises(kind) as error:
        with spool_input() as path: raise kind(f"cannot read {path}")
    assert str(error.value) == "cannot read stdin.csv"


def test_a_dash_stands_for_the_input(pour):
    pour(b"a,b\n")
    asked = SimpleNamespace(files=["x", "-"], baseline="y", pilot=None)
    with stand_in(asked, ["baseline", "pilot", "absent"]):
        assert asked.files == ["x", asked.stdin] and asked.stdin.endswith("stdin.csv") and asked.baseline == "y"
    pour(b"a,b\n")
    asked = SimpleNamespace(baseline="-")
    with stand_in(asked, ["baseline"]): assert asked.baseline == asked.stdin


def test_no_dash_and_two(pour):
    asked = SimpleNamespace(files=["x"], baseline="y")
    with stand_in(asked, ["baseline"]): assert vars(asked) == dict(files=["x"], baseline="y")
    for asked in (SimpleNamespace(files=["-", "-"]), SimpleNamespace(files=["-"], baseline="-"),
                  SimpleNamespace(baseline="-", pilot="-")):
        with pytest.raises(ValueError, match="^the standard input can be read once, got - twice$"):
            with stand_in(asked, ["baseline", "pilot"]): pass
