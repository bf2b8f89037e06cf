"Archives and packed files at their limits: members, names that lead elsewhere, kept copies."

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from sampling_eval.reading.archives import (
    any_cell,
    is_one_log,
    is_plain,
    keep_copy,
    list_members,
    list_parts,
    name_folder,
    open_archive,
    open_sealed,
)
from sampling_eval.reading.logs.limits import Limits


def zip_up(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return str(path)


def tar_up(path, members):
    with tarfile.open(path, "w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        folder = tarfile.TarInfo("folder.csv")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
    return str(path)


@pytest.mark.parametrize(
    "name, parts",
    [
        ("a/b.csv", ["a", "b.csv"]),
        ("../../b.csv", ["b.csv"]),
        ("/etc/./b.csv", ["etc", "b.csv"]),
        ("a\\..\\b.csv", ["a", "b.csv"]),
        ("C:\\b.csv", ["C_", "b.csv"]),
        ("a//b", ["a", "b"]),
        ("...", ["..."]),
        ("..", ["unnamed"]),
        ("", ["unnamed"]),
    ],
)
def test_names_lead_further_down(name, parts):
    assert list_parts(name) == parts


@pytest.mark.parametrize(
    "name, plain",
    [
        ("a/b.csv", True),
        ("a/", False),
        ("__MACOSX/b.csv", False),
        ("a/__MACOSX/b.csv", False),
        ("a__MACOSX/b.csv", True),
    ],
)
def test_members_that_are_files(name, plain):
    assert is_plain(name) is plain


@pytest.mark.parametrize(
    "row, some", [((None, None), False), ((None, 0), True), (("",), True), ((), False)]
)
def test_rows_with_a_cell(row, some):
    assert any_cell(row) is some


MEMBERS = {"a.csv": b"x" * 1000, "b.txt": b"y" * 5000, "s/c.csv": b"z" * 500}


@pytest.mark.parametrize("pack, ending", [(zip_up, ".zip"), (tar_up, ".tar")])
def test_what_is_not_wanted_is_an_empty_file(pack, ending, tmp_path):
    path = pack(tmp_path / f"runs{ending}", MEMBERS | {"__MACOSX/a.csv": b"x"})
    folder = Path(open_archive(path, Limits(), lambda name: name.endswith(".csv")))
    held = {
        str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()
    }
    assert held == MEMBERS | {"b.txt": b""} and folder.name == "runs"


@pytest.mark.parametrize(
    "limits, name",
    [
        (Limits(document=1000, ratio=0, free=1500), None),
        (Limits(document=999, ratio=0, free=1500), "document"),
        (Limits(document=1000, ratio=0, free=1499), "ratio"),
        (Limits(document=999, ratio=0, free=999), "document"),
        (Limits(document=1000, ratio=1, free=0), None),
    ],
)
def test_a_tar_archive_of_as_many_bytes_as_are_believed(limits, name, tmp_path):
    path = tar_up(tmp_path / "runs.tar", MEMBERS)

    def wanted(member):
        return member.endswith(".csv")

    if name is None:
        assert open_archive(path, limits, wanted)
        return
    with pytest.raises(ValueError, match=f"an unpacked archive may hold at most .*{name}="):
        open_archive(path, limits, wanted)


@pytest.mark.parametrize("cut", [0, 700, 1500])
def test_half_a_tar_archive_is_refused(cut, tmp_path):
    path = Path(tar_up(tmp_path / "runs.tar", MEMBERS))
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ValueError, match="is not a complete tar archive"):
        open_archive(str(path), Limits(), lambda name: True)


@pytest.mark.parametrize(
    "limits, fits",
    [
        (Limits(free=1000, ratio=0), True),
        (Limits(free=999, ratio=0), False),
        (Limits(free=0, ratio=1000), True),
        (Limits(free=0, ratio=1), False),
    ],
)
@pytest.mark.parametrize("block", [7, 1000, 2**16])
def test_a_packed_file_of_as_many_bytes_as_are_believed(limits, fits, block, tmp_path, monkeypatch):
    monkeypatch.setattr("sampling_eval.reading.archives.BLOCK", block)
    path = tmp_path / "a.npy.gz"
    path.write_bytes(gzip.compress(b"x" * 1000))
    if fits:
        copy = Path(open_sealed(str(path), limits))
        assert (copy.name, copy.read_bytes()) == ("a.npy", b"x" * 1000)
        return
    most = max(limits.free, limits.ratio * path.stat().st_size)
    with pytest.raises(ValueError, match=f"a packed file may hold at most {most:,} bytes.*ratio="):
        open_sealed(str(path), limits)


def test_a_copy_is_kept_as_long_as_its_file_stays(tmp_path):
    path, filled = tmp_path / "a.zip", []
    path.write_bytes(b"1")
    first = keep_copy(str(path), filled.append)
    assert keep_copy(str(path), filled.append) == first and filled == [first]
    path.write_bytes(b"12")
    assert keep_copy(str(path), filled.append) != first and len(filled) == 2


def test_a_copy_that_failed_is_not_kept(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(b"1")

    def fail(folder):
        raise ValueError("damaged")

    for _ in range(2):
        with pytest.raises(ValueError, match="damaged"):
            keep_copy(str(path), fail)


def test_folders_are_called_as_their_files(tmp_path):
    first, second = (Path(name_folder(f"{tmp_path}/{place}/run.tar.gz")) for place in "xy")
    assert first.name == second.name == "run" and first != second
    assert first.is_dir() and second.is_dir()


def test_a_log_and_other_archives(tmp_path):
    log = zip_up(tmp_path / "log.zip", {"header.json": "{}", "samples/1.json": "{}"})
    assert is_one_log(log) and list_members(log) == ["header.json", "samples/1.json"]
    assert not is_one_log(zip_up(tmp_path / "runs.ZIP", {"a.csv": "1"}))
    assert is_one_log(zip_up(tmp_path / "log.ZIP", {"header.json": "{}"}))
    assert not is_one_log(zip_up(tmp_path / "log.eval", {"header.json": "{}"}))
    (tmp_path / "bad.zip").write_bytes(b"PK")
    assert list_members(str(tmp_path / "bad.zip")) == [] == list_members(str(tmp_path / "none.zip"))


def test_the_first_sheet_of_a_workbook(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "a b"
    for row in (["id", "note"], [1, "caf\u00e9"], [None, None], [2, "x\ny"], [3, "=1+1"]):
        book.active.append(row)
    book.create_sheet("second").append(["other"])
    book.save(tmp_path / "runs.xlsx")
    copy = Path(open_sealed(str(tmp_path / "runs.xlsx"), Limits()))
    assert copy.name == "runs.a b.csv"
    # A formula that nobody has worked out has no value.
    assert copy.read_bytes().decode() == 'id,note\r\n1,caf\u00e9\r\n2,"x\ny"\r\n3,\r\n'


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no workbook"])
def test_workbooks_that_are_damaged(data, tmp_path):
    pytest.importorskip("openpyxl")
    (path := tmp_path / "runs.xlsx").write_bytes(data)
    with pytest.raises(ValueError) as error:
        open_sealed(str(path), Limits())
    assert str(error.value).startswith(f"cannot read {str(path)!r}: ")
