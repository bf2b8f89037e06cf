"Files: which there are, of what kind, how much they hold, what is wrong with them; and the bar of what takes long."
import gzip
import hashlib
import io
import os
import sqlite3
import time

import duckdb
import pyarrow as pa
import pytest

from conftest import name_kind
from sampling_eval.io import text_files
from sampling_eval.io.text_files import (digest, find_csv_fault, identify, long_cells, note_files,
                                         read_csv_header, refuse_cut, refuse_same_files,
                                         unpack_size)
from sampling_eval.io.duckdb.sql import count_rows
from sampling_eval.io.tables import outgrows
from sampling_eval.io.frames import dataset_source, is_dataset
from sampling_eval.io.sample_ids import File
from sampling_eval.io.console import announce_connection, progress_bar, write_line
from sampling_eval.io.tables import open_sources


def find_error(check, *given, **named):
    with pytest.raises((ValueError, TypeError, OSError)) as error: check(*given, **named)
    return f"{name_kind(error.value)}: {error.value}"


@pytest.fixture
def write(tmp_path):
    "Write bytes or text to a file by name; gives its path as text."
    def write_file(name, data):
        path = tmp_path / name
        data = data.encode() if isinstance(data, str) else data
        path.write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") and data[:2] != b"\x1f\x8b" else data)
        return str(path)
    return write_file


# What is wrong with a text file.


def test_long_cells(write, monkeypatch):
    import csv
    monkeypatch.setattr(text_files, "FIELD", 20)
    before = csv.field_size_limit()
    with long_cells(): assert csv.field_size_limit() == 20
    assert csv.field_size_limit() == before
    fits, long = write("a.csv", f"a,b\n{'x' * 20},1\n"), write("b.csv", f"a,b\n1,1\n{'x' * 21},1\n")
    assert find_csv_fault(fits, ",", 2) == ""
    assert find_csv_fault(long, ",", 2) == (
        f"{long!r}, line 3: a value must have at most 20 characters, got a longer one")
    assert read_csv_header(write("c.csv", "a" * 17 + ",b\n1,2\n")) == (",", ("a" * 17, "b"))
    assert read_csv_header(write("d.csv", "a" * 18 + ",b")) == (",", ("a" * 18, "b"))
    for name in "a" * 19 + ",b", "a" * 30:
        path = write("e.csv", name + "\n")
        assert find_error(read_csv_header, path) == (
            f"ValueError: {path!r}, line 1: a value must have at most 20 characters, got a longer one")


# How much a file holds.

def test_files_beyond_a_number_of_bytes(tmp_path, write):
    plain, packed = write("a.csv", "x" * 100), write("b.csv.gz", "x" * 100)
    for files, size in ([plain], 100), ([packed], 100), ([plain, packed], 200):
        assert not outgrows(files, size) and outgrows(files, size - 1)
    assert not outgrows([], 0) and outgrows([plain, packed], 100)
    stored = str(tmp_path / "c.parquet")
    duckdb.sql(f"COPY (SELECT 1 AS id FROM range(1000)) TO '{stored}'")
    size = 16 * 1000 + os.path.getsize(stored)
    assert count_rows([stored]) == 1000 and count_rows([stored] * 2) == 2000
    assert not outgrows([stored], size) and outgrows([stored], size - 1)
    assert outgrows([stored, plain], size + 99) and not outgrows([stored, plain], size + 100)
    assert count_rows([write("d.parquet", "no")]) == 0


def test_sizes_of_packed_files(write, monkeypatch):
    monkeypatch.setattr(text_files, "BLOCK", 10)
    packed = write("a.csv.gz", "x" * 35)
    assert [unpack_size(packed, most) for most in (0, 1, 10, 11, 20, 100)] == [0, 10, 10, 20, 20, 35]
    monkeypatch.setattr(text_files, "BLOCK", 1)
    assert outgrows([packed], 34) and not outgrows([packed], 35) and unpack_size(packed, 7) == 7
    assert unpack_size(write("b.csv", "x" * 35), 1) == 35
    assert unpack_size(write("c.csv.gz", b"\x1f\x8bplain"), 10) == 0


@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_arrays_that_do_not_end(name, write, monkeypatch):
    monkeypatch.setattr(text_files, "BLOCK", 8)
    for whole in "[]", "[1, 2, 3, 4, 5, 6]", "[1, 2, 3] \n \n \n", "[1, 23]\n", "[1, 2] ", "[1, 2]" + 30 * " ":
        refuse_cut(write(name, whole))
    for cut in "[1, 2, 3, 4, 5, 6", "[1, 2], 3" + "\n" * 9, "[", "[[1], [2], [3], 4   ", "[1, 2" + 30 * " ":
        path = write(name, cut)
        assert find_error(refuse_cut, path) == f"ValueError: {path!r} is cut off: it begins with [ and must end with ]"


# The content of files.


def test_contents_that_are_equal(tmp_path, write):
    a, b, other = write("a.csv", "id\n1\n"), write("b.csv", "id\n1\n"), write("c.csv", "id\n2\n")
    packed = write("d.csv.gz", "id\n1\n")
    assert digest(a) == digest(packed) == hashlib.sha256(b"id\n1\n").digest() != digest(other)
    refuse_same_files([a, other, "s3://b/x.csv", "s3://b/y.csv"], "way")
    assert find_error(refuse_same_files, ["s3://b/x.csv", other] * 2, "way") == (
        "ValueError: the same file twice: 's3://b/x.csv' and 's3://b/x.csv' have the same content; way")
    far = write("z.csv", "id\n1\n")
    assert f"{a!r} and {far!r} have the same" in find_error(refuse_same_files, [a, write("m.csv", "id\n1\n2\n"), far], "")
    for twin in b, packed:
        assert find_error(refuse_same_files, [a, other, twin], "way") == (
            f"ValueError: the same file twice: {a!r} and {twin!r} have the same content; way")
    base = str(tmp_path / "x.db")
    with sqlite3.connect(base) as con: con.execute("CREATE TABLE t (id)")
    con.close()
    assert digest(base + "::t") == hashlib.sha256(open(base, "rb").read() + b"::t").digest() != digest(base)


def test_files_that_change(write, monkeypatch):
    path = write("a.csv", "id\n1\n")
    file, remote = note_files([path, "s3://b/x.csv"])
    assert file.state == (5, os.stat(path).st_mtime_ns) and remote == File("s3://b/x.csv")
    assert identify(file) == File(path, digest(path).hex()) and identify(remote) is remote
    write("a.csv", "id\n12\n")
    assert find_error(identify, file) == f"ValueError: {path!r} changed after it was counted; count it again"
    assert text_files.see_state(path)[0] == 6


# Sources.


class Dataset:
    "What follows the interface of a Hugging Face dataset."

    def __init__(self, **columns): self.table = pa.table(columns)

    column_names = property(lambda self: self.table.column_names)

    def __len__(self): return len(self.table)

    def select_columns(self, names): return Dataset(**{name: self.table[name] for name in names})

    def with_format(self, name): return {"arrow": self}[name]

    def __getitem__(self, some): return self.table[some]


def make_kind(name, *bases, **held): return type(name, bases, held | {"__module__": "datasets.some"})


def test_datasets(monkeypatch):
    data = make_kind("Dataset", Dataset)(id=["a", "b", "b"], passed=[1, 0, 1], other=[1, 2, 3])
    assert is_dataset(data) and not is_dataset(Dataset()) and not is_dataset(3)
    (source,) = open_sources(data)
    assert (source.columns, source.what, source.verb) == (["id", "passed", "other"], "a Hugging Face Dataset", "read")
    taken = source.take(dict(question="id", correct="passed", sample="id"), None)
    assert taken.parts["question"].tolist() == ["a", "b", "b"] == taken.parts["sample"].tolist()
    several = make_kind("DatasetDict", dict)(train=1, test=2)
    assert find_error(open_sources, several) == (
        "TypeError: need one Dataset, got a DatasetDict of 'train', 'test'; pass one of them, such as data['train']")
    assert "such as data['test']" in find_error(dataset_source, {})
    for held in {}, dict(with_format=1), dict(__len__=lambda self: 1):
        assert find_error(open_sources, make_kind("Stream", **held)()) == (
            "TypeError: need a Dataset that is not streamed, got Stream; load it without streaming=True, or pass "
            "list(data)")


# The bar.

@pytest.mark.parametrize("share, seconds, line", [
    (None, 0, "x 0:00"), (None, 59.9, "x 0:59"), (None, 60, "x 1:00"), (None, 3671, "x 61:11"),
    (0., 1, "x [..............................]   0 % 0:01"),
    (50., 61, "x [###############...............]  50 % 1:01"),
    (100., 9, "x [##############################] 100 % 0:09"), (34.9, 9, "x [##########....................]  35 % "
                                                                 "0:09")])
def test_the_bar_as_text(share, seconds, line): assert write_line("x", share, seconds) == line


class Connection:
    def __init__(self, *shares): self.shares, self.said = list(shares), []

    def query_progress(self): return self.shares.pop(0) if len(self.shares) > 1 else self.shares[0]

    def execute(self, query): self.said.append(query)


class Terminal(io.StringIO):
    def isatty(self): return True


def test_a_bar_is_drawn_and_wiped_away():
    con, stream = Connection(50.), Terminal()
    assert announce_connection(con) is con and con.said == []
    with progress_bar("rea\x1bd", stream, 0.) as connections:
        assert announce_connection(con) is con and connections == [con]
        limit = time.monotonic() + 5
        while "50 %" not in stream.getvalue() and time.monotonic() < limit: time.sleep(.02)
    line = "rea\ufffdd [###############...............]  50 % 0:00"
    drawn = stream.getvalue().split("\r")
    assert drawn[1] == line and drawn[-2] == " " * len(line) and drawn[-1] == ""
    assert con.said == ["SET enable_progress_bar=true; SET enable_progress_bar_print=false"]
    assert announce_connection(con) is con and len(con.said) == 1


def test_no_bar_for_what_is_quick_or_no_terminal():
    quick, file = Terminal(), io.StringIO()
    with progress_bar(stream=quick): time.sleep(.15)
    with progress_bar(stream=file, patience=0) as connections: time.sleep(.15)
    assert quick.getvalue() == "" == file.getvalue() and connections == []
