"""Text files at their boundaries: encodings by the first bytes, lines of cells, what is held while
a file is read, and which files are meant."""

import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import sqlite3
import zipfile
from dataclasses import replace

import pytest

from sampling_eval.reading import text_files
from sampling_eval.reading.columns import Keep
from sampling_eval.reading.files import (
    check_tables,
    is_archive,
    is_remote,
    is_sealed,
    kind_of,
    refuse_hollow,
)
from sampling_eval.reading.listing import list_files, list_folder, refuse_pointer
from sampling_eval.reading.sample_ids import File
from sampling_eval.reading.text_files import (
    Reading,
    Stream,
    add_hashes,
    begins_with_list,
    check_whole,
    csv_source,
    digest,
    find_csv_fault,
    find_encoding,
    find_json_fault,
    identify,
    json_source,
    measure,
    note_files,
    open_bytes,
    open_file,
    open_once,
    place_in_files,
    read_cells,
    read_csv_header,
    read_layout,
    read_values,
    refuse_cut,
    refuse_equal,
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
        ("newline_delimited", "{}\n" + "[" * 99_999, "line 2: nested beyond the parser"),
        ("array", "[" * 99_999, "line ?: nested beyond the parser"),
        ("array", "[1]".encode("utf-16")[:-1], "line ?: not UTF-16-LE"),
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
        ('a,b\r\n"x\r\ny",1\r\n', [(2, ["x\r\ny", "1"])]),
        ('a,b\n"x;y",1\n', [(2, ["x;y", "1"])]),
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
        ('"a\r\nb",c\r\n', ",", ("a\r\nb", "c")),
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
        (b"\n\xff", 2),
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
    assert place_in_files(list("abcd"), [1, 2, 3, 4], "score", 2) == "at row 2 of b"


def test_a_number_of_very_many_digits(write):
    path = write("a.jsonl", "{}\n" + f'{{"a": {"1" * 5000}}}\n')
    told = find_json_fault(path, "newline_delimited")
    assert told.startswith(f"{path!r}, line 2: Exceeds the limit")


def test_cells_of_another_mark(write):
    path = write("a.csv", "a;b\n1,5;2\n")
    assert list(read_cells(path, ";", 2)) == [(2, ["1,5", "2"])]


@pytest.mark.parametrize(
    "text, said",
    [
        ("abcdefghi\n1\n", ""),
        ("abcdefghij\n1\n", "line 1: a value must have at most 10 characters, got a longer one"),
        ("a\n1234567890\n", ""),
        ("a\n1\n12345678901\n", "line 3: a value must have at most 10 characters, got a longer"),
    ],
)
def test_cells_of_as_many_characters(text, said, write, monkeypatch):
    monkeypatch.setattr(text_files, "FIELD", 10)
    path = write("a.csv", text)
    if not said:
        assert len(read_csv_header(path)[1]) == 1 and find_csv_fault(path, ",", 1) == ""
        return
    with pytest.raises(ValueError) as error:
        mark, names = read_csv_header(path)
        list(read_cells(path, mark, len(names)))
    assert said in str(error.value) and repr(path) in str(error.value)
    # A header of one name more than fits is one cell that does.
    assert find_csv_fault(path, ",", 1) == str(error.value) * ("line 3" in said)


@pytest.mark.parametrize("ending, pack", [(".gz", gzip.compress), (".bz2", bz2.compress)])
@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_packed_files_that_are_damaged(ending, pack, damage, write):
    data = pack(json.dumps([dict(id=i, x="x" * (i % 7)) for i in range(300)]).encode())
    half = len(data) // 2
    data = data[:half] if damage == "cut" else data[:half] + b"\0" * 9 + data[half + 9 :]
    path = write(f"a.json{ending}", data)
    kind = dict(gz="gzip", bz2="bzip2")[ending[1:]]
    for read in (
        check_whole,
        digest,
        lambda file: list(read_values(file, "array")),
        lambda file: list(read_cells(file, ",", 1)),
    ):
        with pytest.raises(ValueError) as error:
            read(path)
        assert str(error.value) == f"{path!r} is not a complete {kind} file"
    head = write(f"b.json{ending}", pack(b"[1]")[:-7])
    for read in read_csv_header, lambda file: read_layout(file, "json"):
        with pytest.raises(ValueError, match=f"b.json{ending}' is not a complete {kind} file"):
            read(head)


@pytest.mark.parametrize(
    "text, whole",
    [
        ("[1]", True),
        ("[1] \n\t", True),
        ("[1]" + " " * 40, True),
        ("[" + "1," * 20 + "1]", True),
        ("[1", False),
        ("[1] 2", False),
        ("[1] 2" + " " * 40, False),
        ("[1" + " " * 40, False),
        ("]" * 9 + "," * 9, False),
    ],
)
@pytest.mark.parametrize("ending", ["", ".gz", ".bz2"])
def test_an_array_that_does_not_end(text, whole, ending, write, monkeypatch):
    monkeypatch.setattr(text_files, "BLOCK", 8)
    pack = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress}[ending]
    path = write(f"a.json{ending}", pack(text.encode()))
    if whole:
        return refuse_cut(path)
    with pytest.raises(ValueError, match=r"is cut off: it begins with \[ and must end with \]"):
        refuse_cut(path)


# Tables of small files.


def test_json_files_as_a_table(write):
    files = [
        write("a.jsonl", '{"id": 1, "x": 2}\n{"id": 2, "b": null}\n'),
        write("b.jsonl", '{"id": 3, "x": "y"}\n'),
    ]
    source = json_source(files, "newline_delimited")
    assert (source.columns, source.files, source.sizes) == (["b", "id", "x"], tuple(files), (2, 1))
    batch = source.take(dict(question="id", answer="x"), Keep())
    assert batch.parts["question"].tolist() == [1, 2, 3] and source.notes == ()
    assert batch.parts["answer"].tolist() == [2, None, "y"]
    assert batch.place("answer", 2) == "at row 1 of b.jsonl"
    hollow = write("c.jsonl", "\n")
    with pytest.raises(ValueError, match="c.jsonl' holds no rows"):
        json_source([files[0], hollow], "newline_delimited")


@pytest.mark.parametrize(
    "text, form, rows, under",
    [
        ("[[1, 0], [1]]", "array", [dict(correct=[1, 0]), dict(correct=[1])], ()),
        ("[1, 0]\n[1]\n", "newline_delimited", [dict(correct=[1, 0]), dict(correct=[1])], ()),
        ('{"a": [{"id": 1}], "x": 2}', "unstructured", [dict(id=1)], ("a",)),
        ('{"id": 1, "x": 2}', "unstructured", [dict(id=1, x=2)], ()),
        ('{"q1": [1, 0]}', "unstructured", [dict(question="q1", correct=[1, 0])], ()),
    ],
)
def test_values_of_json_as_a_table(text, form, rows, under, write):
    source = json_source([write("a.json", text)], form)
    assert source.columns == sorted(rows[0]) and source.sizes == (len(rows),)
    assert [note.names for note in source.notes] == [(key,) for key in under]
    for column in source.columns:
        taken = source.take(dict(question=column, answer=column), Keep()).parts["answer"]
        assert taken.tolist() == [row[column] for row in rows]


@pytest.mark.parametrize(
    "text, form, said",
    [
        ("[[1, 0], {}]", "array", "row 1: every row must be an object, got [1, 0]"),
        ('{"a": 1}\n3\n', "newline_delimited", "line 2: every line must be an object, got 3"),
        ('{"a": 1, "a": 1}\n', "newline_delimited", "line 1: key 'a' stands there twice"),
        ('[{"a": 1},\n', "array", "malformed JSON"),
        ('{"mean": 1}', "unstructured", "is a summary: one object with totals, such as 'mean'"),
    ],
)
def test_values_of_json_that_are_no_table(text, form, said, write):
    path = write("a.json", text)
    with pytest.raises(ValueError) as error:
        json_source([path], form)
    assert said in str(error.value)


def test_a_summary_is_a_row_beside_other_files(write):
    files = [write(f"{name}.json", f'{{"mean": 1, "x": "{name}"}}') for name in "ab"]
    source = json_source(files, "unstructured")
    assert source.sizes == (1, 1) and source.columns == ["mean", "x"]


def test_csv_files_as_a_table(write):
    files = [write("a.csv", "id,x\n1,2\n2,\n"), write("b.csv", "id,x\n3,4.5\n")]
    source = csv_source(files, ",", ("id", "x"))
    assert (source.columns, source.files, source.sizes) == (["id", "x"], tuple(files), (2, 1))
    batch = source.take(dict(question="id", score="x"), Keep())
    assert batch.parts["question"].tolist() == [1, 2, 3]
    assert batch.parts["score"].tolist() == [2, None, 4.5]
    assert batch.place("score", 2) == "at row 1 of b.csv"
    with pytest.raises(ValueError, match="c.csv' holds no rows"):
        csv_source([files[0], write("c.csv", "id,x\n")], ",", ("id", "x"))


# What is held while files are read.


@pytest.mark.parametrize("size", [9, 10, 11, 40])
def test_a_file_of_which_the_beginning_is_held_reads_as_a_whole(size, write, monkeypatch):
    monkeypatch.setattr(text_files, "SMALL", 10)
    monkeypatch.setattr(text_files, "HEAD", 4)
    data = bytes(range(size))
    path = write("a", data)
    with open_once(), open_once():
        for start in 0, 3, 4, 5, 8, size - 1, size:
            with open_bytes(path) as file:
                assert file.readable() and file.seekable()
                assert file.seek(start) == start and file.read(3) == data[start : start + 3]
                at = min(start + 3, size)
                assert file.seek(1, os.SEEK_CUR) == at + 1 and file.read() == data[at + 1 :]
                assert file.seek(-5, os.SEEK_END) == size - 5 and file.read() == data[-5:]
        with open_bytes(path) as file:
            assert file.read() == data
        with open_bytes(path) as file:
            assert [file.read(7) for _ in range(7)] == [
                data[at : at + 7] for at in range(0, 49, 7)
            ]
    with open_bytes(path) as file:
        assert file.read() == data


def test_the_hash_of_a_content(write):
    plain = write("a.csv", "id\n1\n")
    packed = write("a.csv.gz", gzip.compress(b"id\n1\n"))
    sha256 = hashlib.sha256(b"id\n1\n")
    assert digest(plain) == digest(packed) == sha256.digest()
    base = write("runs.db", b"")
    with sqlite3.connect(base) as con:
        con.execute("CREATE TABLE t (id)")
    con.close()
    content = open(base, "rb").read()
    assert digest(f"{base}::t") == hashlib.sha256(content + b"::t").digest()


def test_files_that_are_known_by_their_content(write):
    path = write("a.csv", "id\n1\n")
    file, address = note_files([path, "s3://b/a.csv"])
    assert address == File("s3://b/a.csv") and file.sha256 == "" and file.state[0] == 5
    sha256 = hashlib.sha256(b"id\n1\n").hexdigest()
    assert identify(file) == File(path, sha256) and identify(address) is address
    assert identify(replace(file, sha256="12")) == File(path, "12")
    write("a.csv", "id\n12\n")
    with pytest.raises(ValueError, match="a.csv' changed after it was counted; count it again"):
        identify(file)


@pytest.mark.parametrize(
    "files, way, said",
    [
        ([("a", 1), ("b", 2)], "", None),
        ([("a", 1), ("b", 2), ("c", 1)], "", "a and c have the same content"),
        ([("a", 1), ("b", 1)], "leave one out", "a and b have the same content; leave one out"),
    ],
)
def test_files_of_one_content(files, way, said):
    if said is None:
        return refuse_equal(files, way)
    with pytest.raises(ValueError) as error:
        refuse_equal(files, way)
    assert str(error.value) == f"the same file twice: {said}"


def test_only_files_of_one_size_are_compared(write, monkeypatch):
    a, b, c = write("a.csv", "1"), write("b.csv", "22"), write("c.csv", "33")
    hashed = []
    monkeypatch.setattr(text_files, "digest", lambda file: hashed.append(file) or file)
    refuse_same_files([a, b, c, "s3://x/a.csv"], "")
    assert hashed == [b, c]


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
