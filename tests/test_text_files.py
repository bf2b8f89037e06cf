"""Text files at their boundaries: encodings by the first bytes, lines of cells, what is held while
a file is read, and which files are meant."""

import bz2
import gzip
import io
import json
import lzma
import os
import zipfile

import pytest

from sampling_eval.reading import text_files
from sampling_eval.reading.files import (
    check_tables,
    is_archive,
    is_remote,
    is_sealed,
    kind_of,
    refuse_hollow,
)
from sampling_eval.reading.listing import list_files, list_folder, refuse_pointer
from sampling_eval.reading.text_files import (
    Reading,
    Stream,
    add_hashes,
    begins_with_list,
    check_whole,
    digest,
    find_csv_fault,
    find_encoding,
    find_json_fault,
    measure,
    note_files,
    open_file,
    open_once,
    place_in_files,
    read_cells,
    read_csv_header,
    read_layout,
    read_values,
    refuse_same_files,
    see_encoding,
    unpack_size,
)


@pytest.fixture
def write(tmp_path):
    "Write bytes to a file by name; gives its path as text."

    def write_file(name, data):
        (path := tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return str(path)

    return write_file


# Encodings.


@pytest.mark.parametrize(
    "head, encoding",
    [
        (b"", None),
        (b"1", None),
        (b"\0", None),
        (b"12", None),
        (b"\0\0", None),
        (b"1\0", "utf-16-le"),
        (b"\0001", "utf-16-be"),
        (b"{\0\n\0", "utf-16-le"),
        (b"\0{\0\n", "utf-16-be"),
        (b"\xef\xbb\xbf1", "utf-8-sig"),
        (b"\xff\xfe1\0", "utf-16"),
        (b"\xfe\xff\0001", "utf-16"),
        (b"\xff\xfe\0\0", "utf-32"),
        (b"\0\0\xfe\xff", "utf-32"),
    ],
)
def test_first_bytes_show_an_encoding(head, encoding, write):
    assert see_encoding(head) == encoding
    assert find_encoding(write("a.csv", head + b"12,3"[: 8 - len(head)] * (encoding != None))) == (
        encoding
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_every_encoding_opens_as_utf_8(encoding, pack, write, monkeypatch):
    monkeypatch.setattr(text_files, "BLOCK", 3)
    ending = {bytes: "", gzip.compress: ".gz", bz2.compress: ".bz2", lzma.compress: ".xz"}[pack]
    text = "id,x\n1,\u00e9\U0001f600\n"
    path = write(f"a.csv{ending}", pack(text.encode(encoding)))
    with open_file(path) as opened:
        assert opened.read().decode() == text
    check_whole(path)
    if ending:
        cut = write(f"b.csv{ending}", pack(text.encode(encoding))[:-5])
        with pytest.raises(ValueError, match="is not a complete"):
            check_whole(cut)


def test_streams_of_any_packing_follow_each_other(write):
    for ending, pack in (".bz2", bz2.compress), (".xz", lzma.compress):
        path = write(f"a.csv{ending}", pack(b"id\n1\n") + pack(b"2\n"))
        with open_file(path) as opened:
            assert opened.read() == b"id\n1\n2\n"
        assert measure(path) == 7


def test_blocks_are_a_file():
    def blocks():
        return iter([b"abc", b"", b"", b"defgh"])

    room = bytearray(2)
    stream = Stream(blocks())
    taken = []
    while size := stream.readinto(room):
        taken.append(bytes(room[:size]))
    assert taken == [b"ab", b"c", b"de", b"fg", b"h"] and stream.readable()
    assert io.BufferedReader(Stream(blocks())).read() == b"abcdefgh"


# Values of JSON.


@pytest.mark.parametrize(
    "form, text, values",
    [
        ("newline_delimited", '\n{"a": 1}\n \n3\n', [(2, {"a": 1}), (4, 3)]),
        ("array", '\n[{"a": 1},\n2]', [(0, {"a": 1}), (0, 2)]),
        ("unstructured", ' {"a": 1}\n\n[2] 3 \n', [(0, {"a": 1}), (0, [2]), (0, 3)]),
        ("unstructured", "3", [(0, 3)]),
        ("unstructured", " \n", []),
        ("unstructured", "", []),
    ],
)
def test_values_of_json(form, text, values, write):
    assert list(read_values(write("a.json", text), form)) == values


LONG = [10] * 12  # As JSON: 48 letters


@pytest.mark.parametrize(
    "form, text, said",
    [
        ("newline_delimited", '{"a": 1}\n\n4', "line 3: every line must be an object, got 4"),
        ("array", '[{"a": 1}, 4]', "row 2: every row must be an object, got 4"),
        ("array", "[4]", "row 1: every row must be an object, got 4"),
        ("array", json.dumps([LONG]), f"must be an object, got {json.dumps(LONG)[:40]}"),
        ("newline_delimited", '{}\n{"a": 1, "b": 2, "b": 3}', "line 2: key 'b' stands there twice"),
        ("array", '[{"a": 1, "a": 1}]', "line ?: key 'a' stands there twice"),
        ("array", '[\n{"a": 1},\n}', "line 3: malformed JSON (Expecting value)"),
        ("newline_delimited", '{}\n{"a"', "line 2: malformed JSON (Expecting ':' delimiter)"),
        ("newline_delimited", b'{}\n"\xff"', "line 2: not UTF-8"),
        ("array", b'["\xff"]', "line ?: not UTF-8"),
        ("array", "[{}]", ""),
    ],
)
def test_the_first_fault_of_json(form, text, said, write):
    path = write("a.json", text)
    told = find_json_fault(path, form)
    assert told.endswith(said) and bool(told) == bool(said)
    assert not said or told.startswith(repr(path))


# Cells of CSV.


@pytest.mark.parametrize(
    "text, rows",
    [
        ('\n\na,b\n"x\ny",1\n\n2,3\n', [(4, ["x\ny", "1"]), (7, ["2", "3"])]),
        ("a,b\n1,2", [(2, ["1", "2"])]),
        ("a,b\r\n1,2\r\n", [(2, ["1", "2"])]),
        ("\ufeffa,b\n1,\n", [(2, ["1", ""])]),
        ("a,b\n", []),
    ],
)
def test_the_line_of_each_row(text, rows, write):
    assert list(read_cells(write("a.csv", text), ",", 2)) == rows


@pytest.mark.parametrize(
    "text, said",
    [
        ("a,b\n1\n", "line 2: need 2 values as in the first line, got 1"),
        ("a,b\n1,2\n\n1,2,3\n", "line 4: need 2 values as in the first line, got 3"),
        ('a,b\n"x\ny",1\n2\n', "line 4: need 2 values as in the first line, got 1"),
        ('a,b\n1,"2" x\n', "line 2: malformed CSV (',' expected after '\"')"),
        ('a,b\n1,2\n1,"2" x\n', "line 3: malformed CSV (',' expected after '\"')"),
        ('"a" x,b\n1,2\n', "line 1: malformed CSV (',' expected after '\"')"),
        ('a,"b\n1,2\n', "line 1: malformed CSV (unexpected end of data)"),
        (b"a,b\n1,\xff\n", "after line 1: not UTF-8"),
        (b"a,b\n" + b"1,2\n" * 9999 + b"1,\xff\n", ": not UTF-8"),
        ("a,b\n1,2\n", ""),
    ],
)
def test_the_first_fault_of_csv(text, said, write):
    told = find_csv_fault(write("a.csv", text), ",", 2)
    assert told.endswith(said) and bool(told) == bool(said)


@pytest.mark.parametrize(
    "text, mark, names",
    [
        ("a,b;c,d\n", ",", ("a", "b;c", "d")),
        ("a;b,c;d\n", ";", ("a", "b,c", "d")),
        ("a\tb\n", "\t", ("a", "b")),
        ("a|b|c,d\n", "|", ("a", "b", "c,d")),
        ("a;b,c\n", ",", ("a;b", "c")),
        ('"a\nb",c\n1,2\n', ",", ("a\nb", "c")),
        ("a\n", ",", ("a",)),
        ("", ",", ()),
    ],
)
def test_the_mark_between_names(text, mark, names, write):
    assert read_csv_header(write("a.csv", text)) == (mark, names)


@pytest.mark.parametrize(
    "data, line",
    [
        (b"a,\xff\n", 1),
        (b"a\n1\n\xff\n", 3),
        (b"\xef\xbb\xbfa\n\xff", 2),
        (b"x" * 9000 + b"\xff", 1),
    ],
)
def test_the_line_of_bytes_that_are_no_text(data, line, write):
    path = write("a.csv", data)
    with pytest.raises(ValueError) as error:
        read_csv_header(path)
    assert str(error.value) == f"{path!r}, line {line}: not UTF-8"


@pytest.mark.parametrize(
    "name, text, layout",
    [
        ("a.json", " \n[1]", ("json", "array")),
        ("a.jsonl", "[1]", ("json", "array")),
        ("a.json", '{"a": 1}', ("json", "unstructured")),
        ("a.JSON.GZ", '{"a": 1}', ("json", "unstructured")),
        ("a.json.gz", '{"a": 1}', ("json", "unstructured")),
        ("a.json.xz", '{"a": 1}', ("json", "unstructured")),
        ("a.jsonl", '{"a": 1}', ("json", "newline_delimited")),
        ("a.ndjson.bz2", '{"a": 1}', ("json", "newline_delimited")),
        ("a.json", "", ("json", "unstructured")),
    ],
)
def test_the_layout_of_json(name, text, layout, write):
    packs = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}
    pack = packs.get(name.lower().rpartition(".")[2], bytes)
    assert read_layout(write(name, pack(text.encode())), "json") == layout


@pytest.mark.parametrize(
    "text, lists",
    [("[[1]]", True), (" [\n [1]]", True), ("[1]", False), ("[", False), ("[]", False)],
)
def test_arrays_of_lists(text, lists, write):
    assert begins_with_list(write("a.json", text)) is lists


@pytest.mark.parametrize(
    "row, place",
    [
        (0, "at row 1 of a.csv"),
        (1, "at row 2 of a.csv"),
        (2, "at row 1 of c.csv"),
        (4, "at row 3 of c.csv"),
    ],
)
def test_rows_of_several_files(row, place):
    assert place_in_files(["x/a.csv", "x/b.csv", "x/c.csv"], [2, 0, 3], "score", row) == place


# What is held while files are read.


def test_how_much_of_a_file_is_held(write, monkeypatch):
    monkeypatch.setattr(text_files, "SMALL", 10)
    monkeypatch.setattr(text_files, "HEAD", 4)
    reading = Reading(room=15)
    ten, eleven, none = (write(name, b"x" * size) for name, size in zip("abc", (10, 11, 0)))
    assert reading.start(ten) == (b"x" * 10, True) and reading.room == 5
    # One byte more than the beginning shows that more follows.
    assert reading.start(eleven) == (b"x" * 5, False) and reading.room == 0
    assert reading.start(ten) == (b"x" * 10, True) and reading.room == 0
    assert reading.start(none) == (b"", True) and reading.start(write("d", b"x")) is None


def test_a_file_of_all_the_room_is_held(write):
    path = write("a", b"x" * 8)
    assert Reading(room=8).start(path) == (b"x" * 8, True) and Reading(room=7).start(path) is None


def test_hashes_that_were_needed_are_kept(write):
    paths = [write(name, text) for name, text in (("a.csv", "1"), ("b.csv", "2"))]
    files = note_files(paths)
    assert add_hashes(files) == files
    with open_once():
        first = digest(paths[0])
        write("a.csv", "3")
        assert digest(paths[0]) == first
        assert [file.sha256 for file in add_hashes(files)] == [first.hex(), ""]
    assert digest(paths[0]) != first


@pytest.mark.parametrize(
    "name, data, size",
    [
        ("a.csv", b"12345", 5),
        ("a.csv.gz", gzip.compress(b"12345"), 5),
        ("a.csv.gz", gzip.compress(b"x" * 300), 300),
        ("a.csv.gz", b"x" * 14 + b"\x02\x01\0\0", 258),
        ("a.csv.gz", b"x" * 13 + b"\x02\x01\0\0", 17),
        ("a.csv.gz", b"", 0),
        ("a.csv.xz", lzma.compress(b"x" * 300), 300),
    ],
    ids="plain packed longer told too-large empty xz".split(),
)
def test_bytes_of_a_content(name, data, size, write):
    assert measure(write(name, data)) == size


def test_as_many_bytes_as_are_counted(write, monkeypatch):
    monkeypatch.setattr(text_files, "MOST", 100)
    monkeypatch.setattr(text_files, "BLOCK", 10)
    assert measure(write("a.csv.xz", lzma.compress(b"x" * 300))) == 100
    assert unpack_size(write("b.csv.gz", gzip.compress(b"x" * 25)), 10) == 10


def test_two_files_of_one_content_among_addresses(write):
    a, b = write("a.csv", "1"), write("b.csv", "1")
    refuse_same_files([a, "s3://x/a.csv"], "")
    refuse_same_files([a], "")
    for files in ([a, b], [a, "s3://x/a.csv", b], [a, a]):
        with pytest.raises(ValueError, match="the same file twice"):
            refuse_same_files(files, "")


# Which files are meant, by their names.


@pytest.mark.parametrize(
    "path, kind, sealed, archive",
    [
        ("a.jsonl", "json", False, False),
        ("a.NDJSON", "json", False, False),
        ("a.tsv", "csv", False, False),
        ("a.csv.zst", "csv", False, False),
        ("a.json.gz", "json", False, False),
        ("a.pq", "parquet", False, False),
        ("a.parquet.gz", None, True, False),
        ("a.feather", "arrow", False, False),
        ("a.arrow.xz", None, True, False),
        ("a.npz", "array", False, False),
        ("a.npy.gz", None, True, False),
        ("a.eval.gz", None, True, False),
        ("a.eval", None, False, False),
        ("a.XLSX", None, True, False),
        ("a.zip", None, False, True),
        ("a.TGZ", None, False, True),
        ("a.tar", None, False, True),
        ("a.tar.gz", None, False, True),
        ("a.gz", None, False, False),
        ("a.txt", None, False, False),
        ("s3://b/a.csv?v=1.json", "csv", False, False),
        ("a.csv?v=1.json", "json", False, False),
    ],
)
def test_kinds_of_files(path, kind, sealed, archive):
    assert (kind_of(path), is_sealed(path), is_archive(path)) == (kind, sealed, archive)


@pytest.mark.parametrize(
    "path, remote",
    [
        ("s3://b/a", True),
        ("hf://a", True),
        ("c://a", False),
        ("x/s3://a", False),
        ("3s://a", False),
    ],
)
def test_addresses(path, remote):
    assert is_remote(path) is remote


def test_files_without_bytes_and_rows(write):
    full, hollow = write("a.csv", "id\n1\n"), write("b.csv", "")
    check_tables([full, "s3://b/a.csv", "s3://b/a.txt"])
    for files, said in (([full, hollow], "b.csv' is empty"), ([full[:-3] + "txt"], "of no kind")):
        with pytest.raises(ValueError, match=said):
            check_tables(files)
    refuse_hollow([full, "s3://b/a.csv"], [full])
    with pytest.raises(ValueError) as error:
        refuse_hollow([full, hollow, "s3://b/a.csv"], [full, "s3://b/a.csv"])
    assert str(error.value) == f"{hollow!r} holds no rows (1 of 3 files)"


def test_the_files_of_a_folder(write, tmp_path):
    for name in "a.csv a.csv.gz b.jsonl.gz .c.csv d.txt e.zip f.eval g.json s/data.arrow".split():
        write(f"x/{name}", "1")
    for name in "dataset_info.json", "state.json":
        write(f"x/{name}", "1")
        write(f"x/s/{name}", "1")

    def names(folder):
        return sorted(os.path.relpath(path, folder) for path in list_folder(str(folder)))

    assert names(tmp_path / "x") == sorted(
        "a.csv b.jsonl.gz dataset_info.json f.eval g.json s/data.arrow state.json".split()
    )
    for name, text in (("a.zip", "1"), ("b.tar.gz", "1"), ("c.zip", ""), ("d.txt", "1")):
        write(f"y/{name}", text)
    assert names(tmp_path / "y") == ["a.zip", "b.tar.gz"]


def test_what_the_archives_of_a_folder_hold(write, tmp_path):
    for name, members in (("runs", ["b2.csv", "s/b10.csv", "c.txt"]), ("more", ["a.csv"])):
        with zipfile.ZipFile(write(f"x/{name}.zip", ""), "w") as archive:
            for member in members:
                archive.writestr(member, "id\n1\n")
    assert [os.path.basename(path) for path in list_files(tmp_path / "x")] == [
        "a.csv",
        "b2.csv",
        "b10.csv",
    ]
    with zipfile.ZipFile(write("y.zip", ""), "w") as archive:
        archive.writestr("c.txt", "id\n1\n")
    with pytest.raises(ValueError, match="y.zip' holds no file that is read"):
        list_files(tmp_path / "*.zip")
    packed = write("z/a.npy.gz", gzip.compress(b"12"))
    (copy,) = list_files(packed)
    assert os.path.basename(copy) == "a.npy" and open(copy, "rb").read() == b"12"


def test_addresses_come_first_and_numbers_are_in_order(write, tmp_path):
    files = [write(f"r{i}.csv", "1") for i in (10, 9, 1)]
    assert list_files([*files, "s3://b/z.csv"]) == ["s3://b/z.csv", *files[::-1]]
    for given, said in (("", "an empty text"), ("s3://b/z.txt", "of no kind that is read")):
        with pytest.raises(ValueError, match=said):
            list_files(given)
    with pytest.raises(FileNotFoundError, match="no file to read at"):
        list_files(str(tmp_path / "none.csv"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no file to read at"):
        list_files(tmp_path / "empty")


POINTER = "version https://git-lfs.github.com/spec/v1\n"


@pytest.mark.parametrize(
    "text, size, said",
    [
        (POINTER + "size 1234\n", 1024, " for one of 1,234 bytes, not the file"),
        (POINTER + "size 1234\n", 1025, None),
        (POINTER + "size x\n", 100, "is a pointer of Git LFS, not the file"),
        (POINTER, 100, "is a pointer of Git LFS, not the file"),
        ("\n" + POINTER, 100, None),
        ("", 0, None),
    ],
)
def test_pointers_of_git_lfs(text, size, said, write):
    path = write("a.csv", text.ljust(size))
    if said is None:
        refuse_pointer(path)
        return
    with pytest.raises(ValueError) as error:
        refuse_pointer(path)
    assert said in str(error.value)
