"""Files and what stands for one.

Their kinds, faults and sizes, paths, databases, standard input; and the bar of what takes long."""

import gzip
import hashlib
import io
import json
import os
import sqlite3
import sys
import time
from types import SimpleNamespace

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from conftest import name_kind
from harness_cases import HEADER, inspect_sample, LOGS, put, zipped
from sampling_eval import count, read, score
from sampling_eval.reading import files, text_files, text_files as content
from sampling_eval.reading.console import (
    announce_connection,
    progress_bar,
    spool_input,
    stand_in,
    write_line,
)
from sampling_eval.reading.duckdb.sql import count_rows
from sampling_eval.reading.files import choose_table
from sampling_eval.reading.frames import dataset_source, is_dataset
from sampling_eval.reading.options import Options
from sampling_eval.reading.tables import open_plain, read_paths
from sampling_eval.reading.sample_ids import File
from sampling_eval.reading.tables import open_sources, outgrows
from sampling_eval.reading.text_files import (
    digest,
    find_csv_fault,
    identify,
    long_cells,
    note_files,
    read_csv_header,
    refuse_cut,
    refuse_same_files,
    unpack_size,
)


def find_error(check, *given, **named):
    with pytest.raises((ValueError, TypeError, OSError)) as error:
        check(*given, **named)
    return f"{name_kind(error.value)}: {error.value}"


@pytest.fixture
def write(tmp_path):
    "Write bytes or text to a file by name; gives its path as text."

    def write_file(name, data):
        path = tmp_path / name
        data = data.encode() if isinstance(data, str) else data
        path.write_bytes(
            gzip.compress(data, mtime=0)
            if name.endswith(".gz") and data[:2] != b"\x1f\x8b"
            else data
        )
        return str(path)

    return write_file


# What is wrong with a text file.


def test_long_cells(write, monkeypatch):
    import csv

    monkeypatch.setattr(text_files, "FIELD", 20)
    before = csv.field_size_limit()
    with long_cells():
        assert csv.field_size_limit() == 20
    assert csv.field_size_limit() == before
    fits, long = write("a.csv", f"a,b\n{'x' * 20},1\n"), write("b.csv", f"a,b\n1,1\n{'x' * 21},1\n")
    assert find_csv_fault(fits, ",", 2) == ""
    assert find_csv_fault(long, ",", 2) == (
        f"{long!r}, line 3: a value must have at most 20 characters, got a longer one"
    )
    assert read_csv_header(write("c.csv", "a" * 17 + ",b\n1,2\n")) == (",", ("a" * 17, "b"))
    assert read_csv_header(write("d.csv", "a" * 18 + ",b")) == (",", ("a" * 18, "b"))
    for name in "a" * 19 + ",b", "a" * 30:
        path = write("e.csv", name + "\n")
        assert find_error(read_csv_header, path) == (
            f"ValueError: {path!r}, line 1: a value must have at most 20 characters, "
            "got a longer one"
        )


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
    assert [unpack_size(packed, most) for most in (0, 1, 10, 11, 20, 100)] == [
        0,
        10,
        10,
        20,
        20,
        35,
    ]
    monkeypatch.setattr(text_files, "BLOCK", 1)
    assert outgrows([packed], 34) and not outgrows([packed], 35) and unpack_size(packed, 7) == 7
    assert unpack_size(write("b.csv", "x" * 35), 1) == 35
    assert unpack_size(write("c.csv.gz", b"\x1f\x8bplain"), 10) == 0


@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_arrays_that_do_not_end(name, write, monkeypatch):
    monkeypatch.setattr(text_files, "BLOCK", 8)
    for whole in (
        "[]",
        "[1, 2, 3, 4, 5, 6]",
        "[1, 2, 3] \n \n \n",
        "[1, 23]\n",
        "[1, 2] ",
        "[1, 2]" + 30 * " ",
    ):
        refuse_cut(write(name, whole))
    for cut in (
        "[1, 2, 3, 4, 5, 6",
        "[1, 2], 3" + "\n" * 9,
        "[",
        "[[1], [2], [3], 4   ",
        "[1, 2" + 30 * " ",
    ):
        path = write(name, cut)
        assert (
            find_error(refuse_cut, path)
            == f"ValueError: {path!r} is cut off: it begins with [ and must end with ]"
        )


# The content of files.


def test_contents_that_are_equal(tmp_path, write):
    a, b, other = write("a.csv", "id\n1\n"), write("b.csv", "id\n1\n"), write("c.csv", "id\n2\n")
    packed = write("d.csv.gz", "id\n1\n")
    assert digest(a) == digest(packed) == hashlib.sha256(b"id\n1\n").digest() != digest(other)
    refuse_same_files([a, other, "s3://b/x.csv", "s3://b/y.csv"], "way")
    assert find_error(refuse_same_files, ["s3://b/x.csv", other] * 2, "way") == (
        "ValueError: the same file twice: "
        "'s3://b/x.csv' and 's3://b/x.csv' have the same content; way"
    )
    far = write("z.csv", "id\n1\n")
    assert f"{a!r} and {far!r} have the same" in find_error(
        refuse_same_files, [a, write("m.csv", "id\n1\n2\n"), far], ""
    )
    for twin in b, packed:
        assert find_error(refuse_same_files, [a, other, twin], "way") == (
            f"ValueError: the same file twice: {a!r} and {twin!r} have the same content; way"
        )
    base = str(tmp_path / "x.db")
    with sqlite3.connect(base) as con:
        con.execute("CREATE TABLE t (id)")
    con.close()
    assert (
        digest(base + "::t")
        == hashlib.sha256(open(base, "rb").read() + b"::t").digest()
        != digest(base)
    )


def test_files_that_change(write, monkeypatch):
    path = write("a.csv", "id\n1\n")
    file, remote = note_files([path, "s3://b/x.csv"])
    assert file.state == (5, os.stat(path).st_mtime_ns) and remote == File("s3://b/x.csv")
    assert identify(file) == File(path, digest(path).hex()) and identify(remote) is remote
    write("a.csv", "id\n12\n")
    assert (
        find_error(identify, file)
        == f"ValueError: {path!r} changed after it was counted; count it again"
    )
    assert text_files.see_state(path)[0] == 6


# Sources.


class Dataset:
    "What follows the interface of a Hugging Face dataset."

    def __init__(self, **columns):
        self.table = pa.table(columns)

    column_names = property(lambda self: self.table.column_names)

    def __len__(self):
        return len(self.table)

    def select_columns(self, names):
        return Dataset(**{name: self.table[name] for name in names})

    def with_format(self, name):
        return {"arrow": self}[name]

    def __getitem__(self, some):
        return self.table[some]


def make_kind(name, *bases, **held):
    return type(name, bases, held | {"__module__": "datasets.some"})


def test_datasets(monkeypatch):
    data = make_kind("Dataset", Dataset)(id=["a", "b", "b"], passed=[1, 0, 1], other=[1, 2, 3])
    assert is_dataset(data) and not is_dataset(Dataset()) and not is_dataset(3)
    (source,) = open_sources(data)
    assert (source.columns, source.what, source.verb) == (
        ["id", "passed", "other"],
        "a Hugging Face Dataset",
        "read",
    )
    taken = source.take(dict(question="id", correct="passed", sample="id"), None)
    assert taken.parts["question"].tolist() == ["a", "b", "b"] == taken.parts["sample"].tolist()
    several = make_kind("DatasetDict", dict)(train=1, test=2)
    assert find_error(open_sources, several) == (
        "TypeError: need one Dataset, got a DatasetDict of 'train', 'test'; "
        "pass one of them, such as data['train']"
    )
    assert "such as data['test']" in find_error(dataset_source, {})
    for held in {}, dict(with_format=1), dict(__len__=lambda self: 1):
        assert find_error(open_sources, make_kind("Stream", **held)()) == (
            "TypeError: need a Dataset that is not streamed, got Stream; "
            "load it without streaming=True, or pass list(data)"
        )


# The bar.


@pytest.mark.parametrize(
    "share, seconds, line",
    [
        (None, 0, "x 0:00"),
        (None, 59.9, "x 0:59"),
        (None, 60, "x 1:00"),
        (None, 3671, "x 61:11"),
        (0.0, 1, "x [..............................]   0 % 0:01"),
        (50.0, 61, "x [###############...............]  50 % 1:01"),
        (100.0, 9, "x [##############################] 100 % 0:09"),
        (34.9, 9, "x [##########....................]  35 % " "0:09"),
    ],
)
def test_the_bar_as_text(share, seconds, line):
    assert write_line("x", share, seconds) == line


class Connection:
    def __init__(self, *shares):
        self.shares, self.said = list(shares), []

    def query_progress(self):
        return self.shares.pop(0) if len(self.shares) > 1 else self.shares[0]

    def execute(self, query):
        self.said.append(query)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_is_drawn_and_wiped_away():
    con, stream = Connection(50.0), Terminal()
    assert announce_connection(con) is con and con.said == []
    with progress_bar("rea\x1bd", stream, 0.0) as connections:
        assert announce_connection(con) is con and connections == [con]
        limit = time.monotonic() + 5
        while "50 %" not in stream.getvalue() and time.monotonic() < limit:
            time.sleep(0.02)
    line = "rea\ufffdd [###############...............]  50 % 0:00"
    drawn = stream.getvalue().split("\r")
    assert drawn[1] == line and drawn[-2] == " " * len(line) and drawn[-1] == ""
    assert con.said == ["SET enable_progress_bar=true; SET enable_progress_bar_print=false"]
    assert announce_connection(con) is con and len(con.said) == 1


def test_no_bar_for_what_is_quick_or_no_terminal():
    quick, file = Terminal(), io.StringIO()
    with progress_bar(stream=quick):
        time.sleep(0.15)
    with progress_bar(stream=file, patience=0) as connections:
        time.sleep(0.15)
    assert quick.getvalue() == "" == file.getvalue() and connections == []


# A file is opened once while it is read, and what is given twice is found.

OPENED = []
sys.addaudithook(lambda event, given: event == "open" and OPENED.append(given[0]))
ROWS = [dict(question=q, sample=s, correct=int(q > s)) for q in range(3) for s in range(2)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
TABLE = "question,sample,correct\n" + "".join(
    f"{q},{s},{int(q > s)}\n" for q in range(3) for s in range(2)
)
LOG = "".join(
    json.dumps(dict(task_id=str(row["question"]), passed=row["correct"] > 0, result="")) + "\n"
    for row in ROWS
)


@pytest.fixture
def write_plain(tmp_path):
    def write_file(name, data):
        data = data.encode() if isinstance(data, str) else data
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return str(tmp_path / name)

    return write_file


@pytest.mark.parametrize(
    "name, text",
    [
        ("a.csv", TABLE),
        ("a.csv.gz", TABLE),
        ("a.jsonl", LINES),
        ("a.json", json.dumps(ROWS)),
        ("a.jsonl", LOG),
    ],
)
def test_a_small_file_is_opened_once(name, text, write_plain):
    path, copy, other = (
        write_plain(name, text),
        write_plain("b" + name, text),
        write_plain("c" + name, text + "\n"),
    )
    del OPENED[:]
    assert len(read(path)) == 6 and OPENED.count(path) == 1
    for second, said in (copy, "the same file twice: .* have the same content"), (
        other,
        "question",
    ):
        del OPENED[:]
        with pytest.raises(ValueError, match=said):
            read([path, second])
        assert OPENED.count(path) == OPENED.count(second) == 1


def test_gradings_of_one_file_open_it_once(write_plain):
    path = write_plain(
        "a.jsonl", "".join(json.dumps(dict(question=q, x=q % 2, y=1)) + "\n" for q in range(4))
    )
    del OPENED[:]
    assert len(read(path, correct=["x", "y"]).models()) == 2 and OPENED.count(path) == 1


def test_of_a_large_file_the_beginning_is_held(write_plain, monkeypatch):
    monkeypatch.setattr(content, "SMALL", 100)
    monkeypatch.setattr(content, "HEAD", 10)
    data = bytes(range(250))
    path = write_plain("a.bin", data)
    with content.open_once(), content.open_once():
        del OPENED[:]
        for _ in range(3):
            with content.open_bytes(path) as file:
                assert file.peek(4)[:4] == data[:4]
        assert OPENED.count(path) == 1
        with content.open_bytes(path) as file:
            assert file.read() == data and file.read() == b""
            assert file.seek(-3, 2) == 247 and file.read() == data[-3:] and file.seek(5) == 5
            assert (
                file.read(20) == data[5:25]
                and file.seek(-1, 1) == 24
                and file.read(1) == data[24:25]
            )
        monkeypatch.setattr(content.READING.get(), "room", 0)
        with content.open_bytes(write_plain("b.bin", data)) as file:
            assert file.read() == data
    assert content.READING.get() is None


# From paths to rows: what is read, and the sentence that says so.

EVAL = LOGS / "inspect/log_streaming.eval"
TAU2 = LOGS / "tau2/results.json"


def write_rows(path, *values):
    members = {f"samples/{i}.json": inspect_sample("q", i, value) for i, value in enumerate(values)}
    return zipped(path, {"header.json": HEADER} | members)


def fetch(path, **options):
    return read_paths(path, Options.of(options), False)


def list_notes(rows):
    "Kind, and what is counted or compared, of each note but what the log says itself."
    return [
        (note.kind, *[v for v in (note.value, note.count, note.total) if v is not None])
        for note in rows.summary.notes
        if note.kind not in ("log", "no_outcome")
    ]


@pytest.mark.parametrize(
    "values, options, want",
    [
        (["C", "I"], {}, []),
        (["C", None], {}, [("missing_outcomes", 1, 2)]),
        (["C", None, None], {}, [("missing_outcomes", 2, 3)]),
        (["P", "I"], {}, [("graded",)]),
        (["P", "I"], dict(threshold=0.25), [("threshold", 0.25)]),
        (["P", "I", None], dict(threshold=0.5), [("threshold", 0.5), ("missing_outcomes", 1, 3)]),
        (["C", "C"], dict(threshold=0.0), [("threshold", 0.0)]),
    ],
)
def test_how_outcomes_were_found(values, options, want, tmp_path):
    rows = fetch(write_rows(tmp_path / "a.eval", *values), **options)
    assert list_notes(rows) == want and ": question=id, sample=epoch, score=s" in rows.source
    told = rows.summary
    assert (told.kind, told.harness, told.files, told.rows) == (
        "log",
        "inspect",
        ("a.eval",),
        len(values),
    )


def test_a_threshold_goes_before_stored_outcomes():
    graded, decided = fetch(TAU2), fetch(TAU2, threshold=-1)
    assert list_notes(graded) == [("missing_outcomes", 2, 8)] == list_notes(decided)[1:]
    assert (
        np.nansum(graded.correct * graded.times) == 3
        and np.nansum(decided.correct * decided.times) == 6
    )


def test_columns_of_logs_that_are_left_out():
    assert fetch(TAU2).model is not None and fetch(TAU2, model=False).model is None
    assert fetch(EVAL).answer is not None and fetch(EVAL, answer=False).answer is None
    assert fetch(TAU2, cluster="task").cluster is not None and fetch(TAU2).cluster is None
    assert [task.name for task in fetch(TAU2).tasks] == ["retail"]
    assert set(fetch(TAU2, by="task").group) == {"retail"} and fetch(TAU2).group is None


def test_versions_of_a_task_in_one_folder(tmp_path):
    for i in range(2):
        about = HEADER | dict(eval=dict(task="t", model=f"m{i}", task_version=i))
        zipped(
            tmp_path / f"{i}.eval",
            {"header.json": about, "samples/1.json": inspect_sample("q", 1, "C", input="x")},
        )
    rows = fetch(tmp_path)
    note = rows.summary.notes[-1]
    assert note.kind == "task_versions" and note.names[0] == "t" and len(note.names) == 3
    assert rows.source.endswith("may differ")


# Folders.


@pytest.fixture
def lay(tmp_path):
    "A function that writes texts beside a table and returns the folder."

    def lay(**texts):
        for name, text in dict(a_jsonl='{"id": 1, "correct": 1}\n', **texts).items():
            (tmp_path / name.replace("_", ".")).write_text(text)
        return tmp_path

    return lay


@pytest.mark.parametrize(
    "name, text, want",
    [
        ("s_json", '{"x": 1}', False),
        ("s_json", "[]", False),
        ("s_json", "{ // x\n}", False),
        ("s_json", " \n {", False),
        ("s_JSON", '{"x": 1}', None),
        ("s_csv", "", False),
        ("s_json", "", False),
        ("s_json", '[{"id": 2, "correct": 0}]', True),
        ("s_json", '{"id": 2, "correct": 1}', True),
        ("s_json", '{"id": 2, "correct": 1}\n{"id": 3, "correct": 1}', True),
        ("s_jsonl", '{"id": 2, "correct": 1}', True),
        ("s_csv", "id,correct\n2,1\n", True),
    ],
)
def test_what_may_be_a_table_of_a_folder(name, text, want, lay):
    folder = lay(**{name: text})
    notes = fetch(folder).summary.notes
    skipped = [note.names for note in notes if note.kind == "skipped_files"]
    assert skipped == [(name.replace("_", "."),)] * (want is False)
    tables = [(note.count, note.total) for note in notes if note.kind == "plain_tables"]
    assert tables == [(2, 2)] * (want is True)


def test_folders_of_tables(tmp_path):
    put(tmp_path / "a.jsonl", [dict(id=1, correct=1)], True)
    put(tmp_path / "b.jsonl", [dict(id=2, correct=0)], True)
    put(tmp_path / "settings.json", dict(x=1))
    rows = fetch(tmp_path)
    assert rows.source.endswith(
        "; skipped settings.json, as no table; none of 3 files is a log of a harness: 2 read as "
        "tables"
    )
    assert rows.files and len(rows) == 2
    named = fetch(tmp_path, question="id").summary.notes
    assert [note.kind for note in named] == ["skipped_files"]
    with pytest.raises(
        ValueError, match="'frage' is not a column.*; skipped settings.json, as no table$"
    ):
        fetch(tmp_path, question="frage")
    assert fetch(tmp_path / "a.jsonl").summary.notes == ()


def test_what_could_be_read_otherwise(tmp_path):
    def plain(data, **options):
        return [source.columns for source in open_plain(data, Options.of(options))]

    rows = [dict(frage=1, richtig=1)]
    path = put(tmp_path / "a.jsonl", rows, True)
    assert (
        plain(rows) == plain(path) == [["frage", "richtig"]]
        and plain([[1, 0]]) == plain(np.ones((2, 2))) == []
    )
    assert plain(read([dict(id=1, correct=1)])) == plain(LOGS / "tau_bench") == []
    (taken,) = plain(LOGS / "tau_bench", question="task_id")
    assert {"task_id", "reward", "trial"} <= set(taken)
    pytest.importorskip("duckdb")
    count([dict(id=1, correct=1)], tmp_path / "kept.parquet")
    assert (
        plain(tmp_path / "kept.parquet") == []
        and score(tmp_path / "kept.parquet", "avg@n").rows[0].estimate == 1
    )


# Options of logs.


@pytest.mark.parametrize(
    "given, told",
    [
        (dict(question="q"), "question='q'"),
        (dict(by="part"), "by='part'"),
        (dict(model="task"), "model='task'"),
    ],
)
def test_columns_of_logs(given, told):
    with pytest.raises(ValueError) as error:
        fetch(EVAL, harness="inspect", **given)
    assert str(error.value) == (
        f"a log has its own columns, got {told}; "
        "column names are for plain tables, and of logs by='task' and cluster='task'"
    )


@pytest.mark.parametrize(
    "given, told",
    [
        (dict(grade="exact"), "Which column holds the answer[?] Got 'correct', 'id'"),
        (dict(filter="f"), "^a.jsonl was read as a plain table; filter is for logs of .*lm-eval"),
    ],
)
def test_options_of_logs_beside_plain_tables(given, told, tmp_path):
    put(tmp_path / "a.jsonl", [dict(id=1, correct=1)], True)
    with pytest.raises(ValueError, match=told):
        fetch(tmp_path / "a.jsonl", **given)


def test_tasks_that_a_log_does_not_name(tmp_path):
    path = write_rows(tmp_path / "a.eval", "C", "I")
    assert fetch(path).group is None and fetch(TAU2, by="task").group is not None


# Standard input as a file of the kind that its content shows.


@pytest.fixture
def pour(monkeypatch):
    "A function that lets bytes come from the standard input."

    def pour(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return pour


def test_an_input_as_a_file_of_its_own(pour):
    pour(b"a,b\n")
    with spool_input() as path:
        assert os.path.basename(os.path.dirname(path)).startswith("sampling_eval")
        assert os.path.basename(path) == "stdin.csv" and open(path, "rb").read() == b"a,b\n"
    assert not os.path.exists(os.path.dirname(path))
    pour(b"")
    with pytest.raises(ValueError, match="^the standard input is empty$"):
        with spool_input():
            pass


@pytest.mark.parametrize("kind", [ValueError, TypeError, OSError])
def test_messages_name_the_input_alone(pour, kind):
    pour(b"a,b\n")
    with pytest.raises(kind) as error:
        with spool_input() as path:
            raise kind(f"cannot read {path}")
    assert str(error.value) == "cannot read stdin.csv"


def test_a_dash_stands_for_the_input(pour):
    pour(b"a,b\n")
    asked = SimpleNamespace(files=["x", "-"], baseline="y", pilot=None)
    with stand_in(asked, ["baseline", "pilot", "absent"]):
        assert (
            asked.files == ["x", asked.stdin]
            and asked.stdin.endswith("stdin.csv")
            and asked.baseline == "y"
        )
    pour(b"a,b\n")
    asked = SimpleNamespace(baseline="-")
    with stand_in(asked, ["baseline"]):
        assert asked.baseline == asked.stdin


def test_no_dash_and_two(pour):
    asked = SimpleNamespace(files=["x"], baseline="y")
    with stand_in(asked, ["baseline"]):
        assert vars(asked) == dict(files=["x"], baseline="y")
    for asked in (
        SimpleNamespace(files=["-", "-"]),
        SimpleNamespace(files=["-"], baseline="-"),
        SimpleNamespace(baseline="-", pilot="-"),
    ):
        with pytest.raises(ValueError, match="^the standard input can be read once, got - twice$"):
            with stand_in(asked, ["baseline", "pilot"]):
                pass


# Tables of SQLite and DuckDB files.


def write_sqlite(path, *names):
    with sqlite3.connect(path) as con:
        for name in names:
            quoted = name.replace('"', '""')
            con.execute(f'CREATE TABLE "{quoted}" (id, x)')
            con.execute(f'INSERT INTO "{quoted}" VALUES (1, ?), (2, NULL)', ["\u00e9"])
        if "view" not in names and names:
            con.execute("CREATE VIEW view AS SELECT 1 AS one")
        con.execute("CREATE TABLE IF NOT EXISTS auto (id INTEGER PRIMARY KEY AUTOINCREMENT)")
    con.close()
    return str(path)


def test_the_table_that_is_meant(tmp_path):
    one, none = tmp_path / "one.db", tmp_path / "none.db"
    for path, query in (one, "CREATE TABLE runs (x)"), (none, "PRAGMA user_version = 1"):
        con = sqlite3.connect(path)
        con.execute(query)
        con.close()
    assert choose_table(str(one)) == choose_table(f"{one}::runs") == f"{one}::runs"

    def fail(path):
        with pytest.raises(ValueError) as error:
            choose_table(str(path))
        return str(error.value)

    assert fail(none) == f"'{none}' holds no table"
    assert fail(f"{one}::run") == f"'{one}' has no table 'run', got 'runs'"
    many = write_sqlite(tmp_path / "many.db", *(f"t{i:02}" for i in range(11)))
    listed = ", ".join(["'auto'", *(f"'t{i:02}'" for i in range(11))])
    assert (
        fail(many) == f"'{many}' holds 13 tables, {listed}, ...; pass one, such as '{many}::auto'"
    )
    few = write_sqlite(tmp_path / "few.db", *(f"t{i:02}" for i in range(9)), "view")
    assert (
        fail(f"{few}::x").endswith("'t08', 'view'")
        and choose_table(f"{few}::view") == f"{few}::view"
    )
    twelve = write_sqlite(tmp_path / "twelve.db", *(f"t{i:02}" for i in range(10)), "view")
    assert fail(f"{twelve}::x").endswith("'t09', 'view'")


# Databases and their tables, and copies that stand for a file.


@pytest.fixture
def make_base(tmp_path):
    "Write a database of SQLite by what is executed in it; gives its path as text."

    def make(name, *queries):
        con = sqlite3.connect(tmp_path / name)
        with con:
            for query in queries:
                con.execute(query)
        con.close()
        return str(tmp_path / name)

    return make


def test_paths_of_tables(make_base, tmp_path):
    base = make_base("a.db", "CREATE TABLE t (id)")
    assert files.split_table("a.db::t::u") == ("a.db", "t::u")
    assert files.split_table("a") == ("a", "")
    assert files.is_table(f"{base}::t") and files.is_table(f"{base}::")
    assert not files.is_table(base) and not files.is_table(f"{tmp_path}/none.db::t")
    assert files.find_base(f"{base}::t") == base == files.find_base(base)
    assert files.find_base("none.db::t") == "none.db::t"
    (tmp_path / "b.DUCKDB").touch()
    bases = [f"{base}::t", base, str(tmp_path / "b.DUCKDB")]
    assert all(map(files.is_database, bases)) and not files.is_database(str(tmp_path / "c.db"))
    (tmp_path / "d.csv").touch()
    assert not files.is_database(str(tmp_path / "d.csv"))
    assert files.kind_of(f"{base}::t") == "json" and files.is_sqlite(f"{base}::t")


def test_tables_of_duckdb_outside_the_main_schema(tmp_path):
    path = str(tmp_path / "a.duckdb")
    with duckdb.connect(path) as con:
        con.execute('CREATE TABLE t (id INT); CREATE SCHEMA s; CREATE TABLE s.u (id INT)')
        con.execute('CREATE TABLE "a.b" (id INT); CREATE VIEW v AS SELECT * FROM t')
    assert files.list_tables(path) == ["main.a.b", "t", "v", "s.u"]
    assert not files.is_sqlite(path) and files.kind_of(f"{path}::t") == "duckdb"


@pytest.mark.parametrize("data", [b"", b"12345678DUC", b"SQLite format 2\0" + b"x" * 90])
def test_what_is_no_database(data, write):
    path = write("a.db", data)
    assert find_error(files.list_tables, path) == (
        f"ValueError: {path!r} is neither a SQLite nor a DuckDB file"
    )


def test_a_database_that_is_damaged(make_base, write):
    path = make_base("a.db", "CREATE TABLE t (id)")
    write("a.db", open(path, "rb").read()[:2000])
    for read_rows in files.list_tables, lambda file: list(files.list_lines(f"{file}::t")):
        told = find_error(read_rows, path)
        assert told.startswith(f"ValueError: cannot read {path!r}: ") and "\n" not in told
    odd = write("b.duckdb", b"12345678DUCK" + b"x" * 5000)
    told = find_error(files.list_tables, odd)
    assert told.startswith(f"ValueError: cannot read {odd!r}: ") and "\n" not in told


def test_rows_of_a_table_as_lines(make_base):
    base = make_base(
        "a #1%.db",
        'CREATE TABLE "a""b" (id, "x y")',
        """INSERT INTO "a""b" VALUES (1, 'é'), (2, x'0aff'), (3, NULL)""",
    )
    lines = list(files.list_lines(f'{base}::a"b'))
    assert [json.loads(line) for line in lines] == [
        {"id": 1, "x y": "é"},
        {"id": 2, "x y": {"bytes": "0aff"}},
        {"id": 3, "x y": None},
    ]
    assert lines[0] == '{"id": 1, "x y": "é"}\n'.encode()


def test_copies_are_called_by_their_files(monkeypatch):
    monkeypatch.setattr(files, "COPIES", {("d/a.zip", 1, 2): "/tmp/copies/a"})
    for kind in ValueError, TypeError, OSError:
        with pytest.raises(kind, match="^d/a.zip/b.csv is odd$"):
            with files.named_as_given():
                raise kind("/tmp/copies/a/b.csv is odd")
    with pytest.raises(KeyError, match="/tmp/copies/a/b.csv"):
        with files.named_as_given():
            raise KeyError("/tmp/copies/a/b.csv")
    monkeypatch.setattr(files, "COPIES", {})
    error = ValueError("plain", 3)
    with pytest.raises(ValueError):
        with files.named_as_given():
            raise error
    assert error.args == ("plain", 3)
