"""A packed file is the same file: logs and tables under every packing, and archives of folders."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
import zstandard

from sampling_eval import read, score
from sampling_eval.reading.logs.limits import Limits

LOGS = Path(__file__).parent / "logs"
PACK = {
    ".gz": gzip.compress,
    ".zst": zstandard.ZstdCompressor().compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}
SINGLE = [
    "human_eval/example_samples.jsonl_results.jsonl",
    "tau_bench/gpt-4o-airline.json",
    "promptfoo_repeat/out.csv",
    "promptfoo_repeat/out.json",
    "pytest/run1.xml",
    "inspect_converted/squares.json",
    "choices.jsonl",
    "swe_bench/mock__model.run1.json",
    "inspect_set/2026-11-22T04-38-01-00-00_squares_4VunFxyhbykike37rQVVAT.eval",
]
FOLDERS = sorted(path.name for path in LOGS.iterdir() if path.is_dir() and path.name != "licences")
TABLE = "question,correct\n" + "".join(f"q{i // 4},{i % 2}\n" for i in range(40))


def zipped(folder, place, members=None):
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder.parent))
        for name, data in (members or {}).items():
            archive.writestr(name, data)
    return place


def tarred(folder, place, mode="w:gz"):
    with tarfile.open(place, mode) as archive:
        archive.add(folder, folder.name)
    return place


def tell(path, **options):
    "What is read of a path, or why nothing is."
    try:
        rows = read(path, **options)
    except (ValueError, TypeError) as error:
        return str(error)
    columns = (
        None if column is None else np.nan_to_num(column.astype(float), nan=-1).tolist()
        for column in (rows.correct, rows.total, rows.times)
    )
    return *columns, rows.models().keys(), rows.questions.tolist(), rows.summary.harness


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("name", SINGLE)
def test_a_packed_log_is_the_same_log(name, ending, tmp_path):
    plain = LOGS / name
    # What lies beside a log counts its samples.
    for other in plain.parent.iterdir():
        if other.is_file() and other != plain and plain.parent != LOGS:
            (tmp_path / other.name).write_bytes(other.read_bytes())
    packed = tmp_path / (plain.name + ending)
    packed.write_bytes(PACK[ending](plain.read_bytes()))
    assert tell(packed) == tell(plain)
    assert not isinstance(tell(plain), str) or name.endswith("out.json")


@pytest.mark.parametrize("name", FOLDERS)
def test_an_archive_is_the_folder_that_it_holds(name, tmp_path):
    folder = LOGS / name
    expected = tell(folder)
    for path in zipped(folder, tmp_path / "a.zip"), tarred(folder, tmp_path / "a.tar.gz"):
        found = tell(path)
        assert found == expected or isinstance(expected, str) and isinstance(found, str)


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("kind", ["csv", "jsonl", "json", "tsv"])
def test_tables_under_every_packing(kind, ending, tmp_path, monkeypatch):
    rows = [line.split(",") for line in TABLE.splitlines()[1:]]
    lines = [f'{{"question": "{q}", "correct": {c}}}' for q, c in rows]
    text = {
        "csv": TABLE,
        "tsv": TABLE.replace(",", "\t"),
        "jsonl": "\n".join(lines),
        "json": f"[{','.join(lines)}]",
    }[kind]
    plain, packed = tmp_path / f"a.{kind}", tmp_path / f"b.{kind}{ending}"
    plain.write_text(text)
    packed.write_bytes(PACK[ending](text.encode()))
    assert tell(packed) == tell(plain)
    with pytest.raises(ValueError, match="same file twice"):
        read([plain, packed])
    monkeypatch.setattr("sampling_eval.reading.tables.SMALL", 0)
    assert tell(packed) == tell(plain)
    packed.write_bytes(packed.read_bytes()[:-8])
    with pytest.raises(ValueError, match="is not a complete"):
        read(packed)


def test_a_folder_of_packed_logs(tmp_path):
    for name in "50.jsonl", "100.jsonl":
        data = (LOGS / "verl" / name).read_bytes()
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data))
    assert tell(tmp_path, files_hold="models") == tell(LOGS / "verl", files_hold="models")
    # A file that was packed and kept is one file.
    (tmp_path / "50.jsonl").write_bytes((LOGS / "verl" / "50.jsonl").read_bytes())
    assert tell(tmp_path, files_hold="models") == tell(LOGS / "verl", files_hold="models")


@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
def test_arrays_parquet_and_databases_are_unpacked(ending, tmp_path):
    pack = PACK.get(ending, bytes)
    buffer = io.BytesIO()
    np.save(buffer, np.arange(12).reshape(4, 3) % 2)
    path = tmp_path / f"a.npy{ending}"
    path.write_bytes(pack(buffer.getvalue()))
    assert read(path).counts().c.tolist() == [1, 2, 1, 2]


def test_archives_of_archives_and_names_that_lead_elsewhere(tmp_path):
    (inner := tmp_path / "in").mkdir()
    (inner / "a.csv").write_text(TABLE)
    (tmp_path / "packed").mkdir()
    zipped(inner, tmp_path / "packed" / "x.zip")
    outer = zipped(tmp_path / "packed", tmp_path / "outer.zip")
    # An archive within is opened only where nothing else is there.
    with pytest.raises(FileNotFoundError, match="outer.zip"):
        read(outer)
    bad = zipped(inner, tmp_path / "bad.zip", {"../../evil.csv": "question,correct\nz,1\n"})
    assert len(read(bad)) == 41
    assert not (tmp_path.parent / "evil.csv").exists() and not (tmp_path / "evil.csv").exists()


def test_archives_are_believed_within_limits(tmp_path):
    (folder := tmp_path / "in").mkdir()
    (folder / "a.jsonl").write_text(" \n" * 3_000_000)
    small = Limits(free=10**6, ratio=10)
    for path in zipped(folder, tmp_path / "a.zip"), tarred(folder, tmp_path / "a.tar.xz", "w:xz"):
        with pytest.raises(ValueError, match="may hold at most"):
            read(path, limits=small)
    packed = tmp_path / "a.npy.gz"
    packed.write_bytes(gzip.compress(bytes(10**7)))
    with pytest.raises(ValueError, match="may hold at most"):
        read(packed, limits=small)


def test_a_refusal_names_the_archive(tmp_path):
    (folder := tmp_path / "in").mkdir()
    (folder / "a.csv").write_text("question,correct\nq,1\nq\n")
    with pytest.raises(ValueError) as caught:
        read(zipped(folder, tmp_path / "runs.zip"))
    assert f"{str(tmp_path / 'runs.zip')}{os.sep}in{os.sep}a.csv" in str(caught.value)


def test_a_report_of_an_archive_has_its_hash(tmp_path):
    (folder := tmp_path / "in").mkdir()
    (folder / "a.csv").write_text(TABLE)
    report = score(zipped(folder, tmp_path / "runs.zip"))
    assert "a.csv" in str(report)


def test_a_pointer_of_git_lfs_is_named_as_such(tmp_path):
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 123456\n"
    for name in "a.jsonl", "a.parquet", "a.json", "a.csv", "a.eval", "a.npy":
        (tmp_path / name).write_text(text)
        with pytest.raises(ValueError, match="a pointer of Git LFS for one of 123,456 bytes"):
            read(tmp_path / name)
    with pytest.raises(ValueError, match="git lfs pull"):
        read(tmp_path)


def test_a_workbook_is_its_first_sheet(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    first = book.active
    first.title = "runs"
    for row in [
        ["question", "sample", "correct"],
        ["q1", 0, True],
        ["q1", 1, False],
        [],
        ["q2", 0, 1],
        ["q2", 1, 1],
    ]:
        first.append(row)
    book.create_sheet("other").append(["x"])
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(TypeError, match="correct must hold"):
        read(tmp_path / "a.xlsx")
    first["C5"], first["C6"] = True, True
    book.save(tmp_path / "a.xlsx")
    rows = read(tmp_path / "a.xlsx")
    assert rows.counts().c.tolist() == [1, 2] and rows.summary.files == ("a.runs.csv",)


def test_a_workbook_without_what_reads_it(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    (tmp_path / "a.xlsx").write_bytes(b"PK")
    with pytest.raises(ImportError, match=r'needs openpyxl.*"sampling_eval\[sheets\]"'):
        read(tmp_path / "a.xlsx")


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.jsonl.xz", "a.jsonl.bz2", "a.npz"])
def test_packed_standard_input(name, tmp_path):
    from sampling_eval.reading.console import name_by_content

    (folder := tmp_path / "in").mkdir()
    (folder / "a.csv").write_text(TABLE)
    path = tmp_path / name
    if name == "a.zip":
        zipped(folder, path)
    elif name == "a.tar.gz":
        tarred(folder, path)
    elif name == "a.npz":
        np.savez(path, a=np.eye(2))
    else:
        path.write_bytes(PACK[path.suffix](b'{"question": 1, "correct": 1}\n' * 2))
    os.rename(path, tmp_path / "stdin")
    named = name_by_content(str(tmp_path / "stdin"))
    assert named.removeprefix(str(tmp_path / "stdin")) == name.removeprefix("a")
