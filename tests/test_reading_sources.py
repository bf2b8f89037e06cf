"Where rows come from: encodings, packings, databases, Arrow files, tensors and foreign objects."

import gzip
import io
import json
import os
import sqlite3
import sys
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
import zstandard

from conftest import command
from sampling_eval import count, merge, read, score
from sampling_eval.reading import tables as sources
from sampling_eval.reading.listing import list_folder

ROWS = [
    dict(question=f"q{q}", sample=s, correct=(q + s) % 2, answer="é" * (s + 1))
    for q in range(4)
    for s in range(3)
]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}
WANT = read(ROWS)


@pytest.fixture(params=["small", "large"])
def size(request, monkeypatch):
    "Whether the standard library reads a file, or DuckDB counts it."
    if request.param == "large":
        monkeypatch.setattr(sources, "SMALL", -1)
    return request.param


def tell(rows):
    found = zip(rows.questions[rows.question], rows.correct, rows.answer, rows.times)
    return sorted((str(q), c, str(a), int(t)) for q, c, a, t in found)


def write_text(name, rows=ROWS):
    if name.startswith("csv") or name.startswith("tsv"):
        mark = "\t" if name.startswith("tsv") else ","
        lines = [mark.join(rows[0]), *(mark.join(map(str, row.values())) for row in rows)]
        return "\n".join(lines) + "\n"
    if name.startswith("jsonl"):
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return json.dumps(rows, ensure_ascii=False)


PACK = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.ZstdCompressor().compress}
ENCODINGS = "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"


@pytest.mark.parametrize("packing", PACK)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "jsonl"])
def test_encodings_and_packings(kind, encoding, packing, tmp_path, size):
    path = tmp_path / f"run.{kind}{packing}"
    path.write_bytes(PACK[packing](write_text(kind).encode(encoding)))
    rows = read(path)
    assert tell(rows) == tell(WANT) and "12 rows" in rows.source


def test_an_utf16_mark_of_big_end_first(tmp_path, size):
    path = tmp_path / "run.csv"
    path.write_bytes(b"\xfe\xff" + write_text("csv").encode("utf-16-be"))
    assert tell(read(path)) == tell(WANT)


def test_broken_encodings_name_file_and_line(tmp_path, size):
    path = tmp_path / "run.csv"
    path.write_bytes(write_text("csv").encode("utf-16")[:-1])
    with pytest.raises(ValueError, match=r"run\.csv'(, after line \d+)?: not UTF-16"):
        read(path)


@pytest.mark.parametrize("cut", [0.4, 0.9])
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_half_a_packed_file_is_refused(kind, cut, tmp_path, size):
    whole = [dict(question=i // 4, correct=i * i % 7 % 2) for i in range(20000)]
    packed = PACK[".zst"](write_text(kind, whole).encode())
    path = tmp_path / f"run.{kind}.zst"
    path.write_bytes(packed[: int(cut * len(packed))])
    with pytest.raises(ValueError, match="run.*zst' is not a complete Zstandard file"):
        read(path)
    with pytest.raises(ValueError, match="run.*zst' is not a complete Zstandard file"):
        read([path, path])


def test_packed_in_two_frames(tmp_path, size):
    text, path = write_text("jsonl").encode(), tmp_path / "run.jsonl.zst"
    half = text.index(b"\n", len(text) // 2) + 1
    path.write_bytes(PACK[".zst"](text[:half]) + PACK[".zst"](text[half:]))
    assert tell(read(path)) == tell(WANT)


def test_a_copy_in_another_packing_is_the_same_file(tmp_path):
    for packing in PACK:
        (tmp_path / f"run.csv{packing}").write_bytes(PACK[packing](write_text("csv").encode()))
    with pytest.raises(ValueError, match="the same file twice"):
        read([tmp_path / "run.csv", tmp_path / "run.csv.zst"])


# Databases.


def write_sqlite(path, **tables):
    with sqlite3.connect(path) as con:
        for name, rows in tables.items():
            con.execute(f'CREATE TABLE "{name}" (question, sample, correct, answer)')
            con.executemany(
                f'INSERT INTO "{name}" VALUES (?, ?, ?, ?)', [tuple(row.values()) for row in rows]
            )
    con.close()
    return str(path)


def write_duckdb(path, **tables):
    with duckdb.connect(str(path)) as con:
        for name, rows in tables.items():
            held = pa.Table.from_pylist(rows)
            con.execute(f'CREATE TABLE "{name}" AS FROM held')
    return str(path)


WRITE = dict(sqlite=write_sqlite, duckdb=write_duckdb)


@pytest.mark.parametrize("engine", WRITE)
def test_the_only_table_of_a_database(engine, tmp_path, size):
    path = WRITE[engine](tmp_path / "runs.db", samples=ROWS)
    for name in path, f"{path}::samples":
        rows = read(name)
        assert tell(rows) == tell(WANT) and "12 rows" in rows.source
        assert "runs.db::samples" in rows.source


@pytest.mark.parametrize("engine", WRITE)
def test_one_of_several_tables(engine, tmp_path, size):
    other = [row | dict(correct=1) for row in ROWS]
    path = WRITE[engine](tmp_path / "runs.db", **{"base": ROWS, "my run": other})
    assert tell(read(f"{path}::base")) == tell(WANT)
    assert read(f"{path}::my run").counts().c.tolist() == [3] * 4
    with pytest.raises(
        ValueError, match="holds 2 tables, 'base', 'my run'; pass one, such as .*runs.db::base'"
    ):
        read(path)
    with pytest.raises(ValueError, match="has no table 'bas', got 'base', 'my run'"):
        read(f"{path}::bas")


def test_a_duckdb_table_of_a_schema(tmp_path):
    path = str(tmp_path / "runs.duckdb")
    held = pa.Table.from_pylist(ROWS)
    with duckdb.connect(path) as con:
        con.execute("CREATE SCHEMA week; CREATE TABLE week.runs AS FROM held")
        del held
    assert tell(read(path)) == tell(WANT) and "runs.duckdb::week.runs" in read(path).source
    dotted = write_duckdb(tmp_path / "dotted.db", **{"v1.0": ROWS})
    assert tell(read(f"{dotted}::main.v1.0")) == tell(WANT)


@pytest.mark.parametrize("engine", WRITE)
def test_faults_of_databases(engine, tmp_path, size):
    write = WRITE[engine]
    odd = write(tmp_path / "odd.db", runs=[*ROWS[:-1], ROWS[-1] | dict(correct=7)])
    with pytest.raises(ValueError, match="correct must hold 0 and 1|outcome"):
        read(odd)
    twice = write(tmp_path / "twice.db", runs=[*ROWS, ROWS[5]])
    with pytest.raises(ValueError, match="question 'q1', sample 2 .*and again"):
        read(twice)
    bare = write_duckdb(tmp_path / "bare.db")
    with pytest.raises(ValueError, match="bare.db' holds no table"):
        read(bare)
    (tmp_path / "text.db").write_text("question,correct\n1,1\n")
    with pytest.raises(ValueError, match="neither a SQLite nor a DuckDB file"):
        read(tmp_path / "text.db")
    damaged = Path(WRITE["sqlite"](tmp_path / "whole.db", runs=ROWS * 200)).read_bytes()[:-4096]
    for content in bytes(8) + b"DUCK" + bytes(99), damaged:
        (tmp_path / "cut.db").write_bytes(content)
        with pytest.raises(ValueError, match="^cannot read '.*cut.db': [^\n]+$"):
            read(tmp_path / "cut.db")
    with pytest.raises(FileNotFoundError, match="no file to read at"):
        read(tmp_path / "none.db::runs")


def test_a_generated_column_keeps_its_place(tmp_path, size):
    path = tmp_path / "runs.db"
    with sqlite3.connect(path) as con:
        con.execute("CREATE TABLE runs (question, twice AS (2 * correct), correct)")
        con.execute("INSERT INTO runs (question, correct) VALUES ('a', 1), ('b', 0)")
    con.close()
    assert read(path).counts().c.tolist() == [1, 0] and read(
        str(tmp_path / "*.db")
    ).counts().c.tolist() == [1, 0]


def test_an_empty_table_holds_no_rows(tmp_path, size):
    path = write_sqlite(tmp_path / "runs.db", samples=[])
    with pytest.raises(ValueError, match="runs.db::samples' holds no rows"):
        read(path)


@pytest.mark.parametrize("engine", WRITE)
def test_tables_of_one_database_are_different_files(engine, tmp_path):
    late = [row | dict(sample=row["sample"] + 3) for row in ROWS]
    path = WRITE[engine](tmp_path / "runs.db", monday=ROWS, tuesday=late)
    both = merge(f"{path}::monday", f"{path}::tuesday")
    assert len(both) == 24 and len(read([f"{path}::monday", f"{path}::tuesday"])) == 24
    with pytest.raises(ValueError, match="twice"):
        merge(f"{path}::monday", f"{path}::monday")
    kept = count(f"{path}::monday", tmp_path / "kept.parquet")
    assert tell(read(tmp_path / "kept.parquet")) == tell(kept)


def test_cells_of_sqlite_keep_their_type(tmp_path, size):
    path = write_sqlite(
        tmp_path / "runs.db",
        samples=[
            dict(question="007", sample=0, correct=1, answer=b"x"),
            dict(question="7", sample=0, correct=None, answer=None),
        ],
    )
    rows = read(path)
    assert rows.questions.tolist() == ["007", "7"] and np.isnan(rows.correct).sum() == 1
    assert set(rows.answer.tolist()) == {'{"bytes": "78"}', None}


# Arrow.


def write_arrow(path, form):
    table = pa.table(COLUMNS)
    if form == "feather":
        pa.feather.write_feather(table, path, compression="lz4")
    elif form == "feather 1":
        pa.feather.write_feather(table, path, version=1)
    else:
        make = pa.ipc.new_stream if form == "stream" else pa.ipc.new_file
        with make(path, table.schema) as out:
            out.write_table(table, max_chunksize=5)
    return path


@pytest.mark.parametrize("form", ["feather", "feather 1", "file", "stream"])
@pytest.mark.parametrize("suffix", [".arrow", ".feather", ".ipc"])
@pytest.mark.filterwarnings("ignore")
def test_arrow_files(form, suffix, tmp_path, size):
    rows = read(write_arrow(str(tmp_path / f"run{suffix}"), form))
    assert tell(rows) == tell(WANT) and f"12 rows from run{suffix}" in rows.source.replace(
        " of ", " from "
    )


def test_a_damaged_arrow_file_is_named(tmp_path, size):
    path = write_arrow(str(tmp_path / "run.arrow"), "file")
    data = open(path, "rb").read()
    open(path, "wb").write(data[: len(data) // 2])
    with pytest.raises(ValueError, match="cannot read .*run.arrow"):
        read(path)


def test_arrow_beside_other_files(tmp_path, size):
    write_arrow(str(tmp_path / "a.arrow"), "stream")
    late = [row | dict(sample=row["sample"] + 3) for row in ROWS]
    (tmp_path / "b.jsonl").write_text(write_text("jsonl", late))
    assert len(read(tmp_path)) == 24
    (tmp_path / "b.jsonl").write_text(write_text("jsonl", ROWS + late))
    with pytest.raises(ValueError, match="must appear once"):
        read(tmp_path)


def test_a_saved_dataset_is_a_folder_of_arrow_files(tmp_path):
    write_arrow(str(tmp_path / "data-00000-of-00001.arrow"), "stream")
    for name in "dataset_info.json", "state.json":
        (tmp_path / name).write_text("{}")
    assert tell(read(tmp_path)) == tell(WANT)


# Tensors and objects of other libraries.


class Tensor:
    "What follows the array protocols as a tensor does."

    def __init__(self, values, device="cpu", fault=None):
        self.values, self.device, self.fault = np.array(values), device, fault
        self.shape = self.values.shape

    def __len__(self):
        return len(self.values)

    def __dlpack__(self, **given):
        return self.values.__dlpack__(**given)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class ArrayTensor(Tensor):
    def __array__(self, dtype=None, copy=None):
        if self.fault:
            raise self.fault
        return self.values


TABLE = [[1, 0, 1], [1, 1, 1]]
COUNTS = score(np.array(TABLE)).estimates()


@pytest.mark.parametrize("make", [Tensor, ArrayTensor])
def test_a_tensor_is_a_table_of_outcomes(make):
    assert score(make(TABLE)).estimates() == COUNTS
    columns = {
        name: make(np.array(v)) if name in ("correct", "sample") else v
        for name, v in COLUMNS.items()
    }
    assert tell(read(columns)) == tell(WANT)


def test_a_tensor_elsewhere_says_what_to_type():
    odd = ArrayTensor(
        TABLE, "cuda:0", TypeError("can't convert cuda:0 device type tensor to numpy.")
    )
    with pytest.raises(TypeError, match=r"ArrayTensor on cuda:0; pass data.get\(\)"):
        score(odd)
    odd.cpu = lambda: Tensor(odd.values)
    with pytest.raises(
        TypeError,
        match=r"must lie in main memory, got a .* ArrayTensor on cuda:0; pass data.cpu\(\)",
    ):
        score(odd)
    assert score(odd.cpu()).estimates() == COUNTS
    half = ArrayTensor(TABLE, fault=TypeError("Got unsupported ScalarType BFloat16"))
    with pytest.raises(
        TypeError,
        match=r"numpy can read, got a .* BFloat16\); convert it first, such as data.detach",
    ):
        score(half)


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    for kind in torch.int64, torch.bool, torch.uint8:
        assert score(torch.tensor(TABLE, dtype=kind)).estimates() == COUNTS
    for odd in (
        torch.zeros(2, 2, dtype=torch.bfloat16),
        torch.zeros(2, 2, requires_grad=True),
        torch.eye(2).to_sparse(),
    ):
        with pytest.raises(
            TypeError, match="need a tensor that numpy can read, got a torch Tensor"
        ):
            score(odd)
    with pytest.raises(
        TypeError, match="in main memory, got a torch Tensor on meta; pass data.cpu"
    ):
        score(torch.zeros(2, 2, device="meta"))
    columns = COLUMNS | dict(correct=torch.tensor(COLUMNS["correct"]))
    assert tell(read(columns)) == tell(WANT)


def test_datasets_of_hugging_face(tmp_path):
    datasets = pytest.importorskip("datasets")
    made = datasets.Dataset.from_list(ROWS)
    rows = read(made)
    assert tell(rows) == tell(WANT) and rows.source.startswith(
        "read 12 rows from a Hugging Face Dataset: "
    )
    assert len(read(made.select(range(3, 12)).shuffle(0))) == 9
    with pytest.raises(ValueError, match="must appear once"):
        read(datasets.concatenate_datasets([made, made]))
    with pytest.raises(
        TypeError,
        match="got a DatasetDict of 'train', 'test'; pass one of them, such as data\\['train'\\]",
    ):
        read(datasets.DatasetDict(train=made, test=made))
    with pytest.raises(TypeError, match="not streamed, got IterableDataset"):
        read(made.to_iterable_dataset())
    made.save_to_disk(tmp_path / "saved")
    assert tell(read(tmp_path / "saved")) == tell(WANT)


def make_samples(*scores):
    "A frame of the columns that inspect's `samples_df` writes."
    letters = dict(
        match=["C", "I", "C", "C"], grade=["C", "P", "N", None], number=[1.0, 0.5, 0.0, 1.0]
    )
    frame = dict(
        sample_id=["aa", "bb", "cc", "dd"],
        eval_id=["e"] * 4,
        log=["run.eval"] * 4,
        id=["x", "y", "x", "y"],
        epoch=[1, 1, 2, 2],
        input=["?"] * 4,
        target=["!"] * 4,
    )
    return pl.DataFrame(frame | {f"score_{name}": letters[name] for name in scores})


@pytest.mark.parametrize("convert", [lambda f: f, pl.DataFrame.to_pandas, pl.DataFrame.to_arrow])
def test_frames_of_inspect(convert):
    rows = read(convert(make_samples("match")))
    assert "question=id, sample=epoch, score=score_match" in rows.source
    assert rows.counts().c.tolist() == [2, 1] and rows.questions.tolist() == ["x", "y"]
    graded = score(convert(make_samples("grade")), "soft@n", missing="wrong")
    assert graded.estimates() == {"soft@2": 0.375}
    assert score(convert(make_samples("number")), "soft@n").estimates() == {"soft@2": 0.625}
    with pytest.raises(ValueError, match="pass score='score_match' or score='score_grade'"):
        read(convert(make_samples("match", "grade")))
    assert read(
        convert(make_samples("match", "grade")), score="score_match"
    ).counts().c.tolist() == [2, 1]
    with pytest.raises(ValueError, match="must appear once"):
        read(pl.concat([make_samples("match")] * 2))


@pytest.mark.parametrize(
    "log, options", [("log_streaming.eval", {}), ("arithmetic_mock.eval", dict(score="match"))]
)
def test_samples_df_of_inspect_equals_its_log(log, options):
    pytest.importorskip("inspect_ai")
    from inspect_ai.analysis import samples_df

    path = os.path.join(os.path.dirname(__file__), "logs", "inspect", log)
    named = {name: f"score_{value}" for name, value in options.items()}
    frame, whole = (
        read(data, **given).counts() for data, given in ((samples_df(path), named), (path, options))
    )
    assert dict(zip(map(str, frame.questions), frame.c)) == dict(
        zip(map(str, whole.questions), whole.c)
    )
    assert sorted(frame.n.tolist()) == sorted(whole.n.tolist())


# Standard input.


def pour(name, folder):
    "The bytes of a file of some kind."
    path = folder / name
    if name.endswith((".arrow", ".feather")):
        write_arrow(str(path), "stream" if "stream" in name else "feather")
    elif name.endswith(".db"):
        write_sqlite(path, runs=ROWS)
    elif name.endswith(".duckdb"):
        write_duckdb(path, runs=ROWS)
    elif name.endswith(".parquet"):
        pl.DataFrame(ROWS).write_parquet(path)
    else:
        stem, _, end = name.partition(".")
        kind, dot, packing = end.partition(".")
        path.write_bytes(
            PACK[dot + packing](write_text(kind).encode("utf-16" if "wide" in name else "utf-8"))
        )
    return path.read_bytes()


STREAMS = [
    "a.csv",
    "a.tsv",
    "a.json",
    "a.jsonl",
    "a.csv.gz",
    "a.jsonl.zst",
    "wide.csv",
    "wide.jsonl.gz",
    "a.parquet",
    "a.arrow",
    "stream.arrow",
    "a.db",
    "a.duckdb",
]


@pytest.mark.parametrize("name", STREAMS)
def test_standard_input_is_recognised_by_its_content(name, tmp_path, monkeypatch):
    from sampling_eval.reading.console import spool_input

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pour(name, tmp_path))))
    with spool_input() as path:
        assert tell(read(path)) == tell(WANT)
        folder = os.path.dirname(path)
    assert not os.path.exists(folder)


def test_standard_input_in_the_command(tmp_path):
    run = command("score", "-", "-m", "pass@1", "-f", "csv", stdin=write_text("jsonl").encode())
    assert run.returncode == 0 and "pass@1" in run.stdout, run.stderr
    (tmp_path / "old.csv").write_text(write_text("csv"))
    run = command(
        "gate",
        "-",
        "--baseline",
        tmp_path / "old.csv",
        "--max-drop",
        ".5",
        "--allow-identical",
        stdin=write_text("csv").encode(),
    )
    assert run.returncode in (0, 3), run.stderr
    log = os.path.join(os.path.dirname(__file__), "logs", "inspect", "arithmetic_mock.eval")
    run = command("score", "-", "--score", "match", "-m", "pass@1", stdin=Path(log).read_bytes())
    assert run.returncode == 0 and "stdin.eval" in run.stdout, run.stderr


@pytest.mark.parametrize(
    "words, data, told",
    [
        (["score", "-"], b"", "the standard input is empty"),
        (
            ["compare", "-", "-"],
            b"question,correct\n",
            "the standard input can be read once, got - twice",
        ),
        (
            ["score", "-"],
            b'{"question": 1, "correct": 1}\n{"question": 2,\n',
            "'stdin.jsonl', line 2: malformed JSON",
        ),
        (["score", "-"], b"question,correct\n1,1,1\n", "'stdin.csv', line 2: need 2 values"),
        (
            ["score", "-"],
            gzip.compress(b"question,correct\n1,1\n", mtime=0)[:-9],
            "'stdin.gz' is not a complete gzip file",
        ),
    ],
)
def test_faults_of_the_standard_input(words, data, told):
    run = command(*words, stdin=data)
    said = run.stderr
    assert run.returncode == 2 and told in said and said.count("\n") == 1 and "/tmp" not in said


def test_what_a_saved_set_keeps_beside_its_rows_is_left_out(tmp_path):
    saved, plain = tmp_path / "saved", tmp_path / "plain"
    for folder in (saved, plain):
        folder.mkdir()
        for name in ("state.json", "rows.json"):
            (folder / name).write_text("{}")
    (saved / "data.arrow").touch()
    found = {str(Path(path).relative_to(tmp_path)) for path in list_folder(str(tmp_path))}
    assert found == {"saved/data.arrow", "saved/rows.json", "plain/state.json", "plain/rows.json"}
