"The content of a file: unpacked, and as text in UTF-8."
import codecs
import gzip
import io
import sqlite3

import pytest
import zstandard

from sampling_eval.io import file_content as streams
from sampling_eval.io.file_content import (Stream, check_whole, count_bytes, find_encoding, find_packing,
                                           open_file, recode, see_encoding, tell_broken, unpack_blocks,
                                           unpack_file)

PACK = zstandard.ZstdCompressor().compress


def test_blocks_of_bytes_as_a_file():
    stream = Stream(iter([b"abc", b"", b"de"]))
    room = bytearray(2)
    assert stream.readable() is True
    read = [(stream.readinto(room), bytes(room)) for _ in range(5)]
    assert read == [(2, b"ab"), (1, b"cb"), (2, b"de"), (0, b"de"), (0, b"de")]
    wide = bytearray(9)
    assert Stream(iter([b"abc"])).readinto(wide) == 3 and wide == b"abc" + bytes(6)


@pytest.mark.parametrize("name, packing, kind", [
    ("a.gz", ".gz", "gzip"), ("a.json.GZ", ".gz", "gzip"), ("a.zst", ".zst", "Zstandard"), ("a.gzip", "", "gzip"),
    ("a", "", "gzip")])
def test_packings_by_name(name, packing, kind):
    assert find_packing(name) == packing and tell_broken(name) == f"{name!r} is not a complete {kind} file"


@pytest.mark.parametrize("head, want", [
    (b"", None), (b"a", None), (b"ab", None), (b"a\0", "utf-16-le"), (b"\0a", "utf-16-be"), (b"\0\0", None),
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE + b"a\0", "utf-16"), (codecs.BOM_UTF16_BE + b"\0a", "utf-16"),
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (b"\xef\xbb", None)])
def test_encodings_by_the_first_bytes(head, want): assert see_encoding(head) == want


@pytest.mark.parametrize("encoding, told", [
    ("utf-8", None), ("utf-8-sig", "utf-8-sig"), ("utf-16", "utf-16"), ("utf-16-le", "utf-16-le"),
    ("utf-16-be", "utf-16-be"), ("utf-32", "utf-32")])
@pytest.mark.parametrize("ending, pack", [("", bytes), (".gz", gzip.compress), (".zst", PACK)])
def test_texts_in_utf_8(encoding, told, ending, pack, tmp_path):
    path, text = str(tmp_path / f"a.csv{ending}"), "a\u00e9\u20ac\U0001f600\n" * 3
    with open(path, "wb") as file: file.write(pack(text.encode(encoding)))
    assert find_encoding(path) == told
    with open_file(path) as file: assert file.read() == text.encode()


def test_characters_across_blocks_and_half_of_one(monkeypatch):
    monkeypatch.setattr(streams, "BLOCK", 3)
    file = io.BytesIO("\u00e9\U0001f600a".encode("utf-16-le"))
    assert b"".join(recode(file, "utf-16-le")) == "\u00e9\U0001f600a".encode() and file.closed
    with pytest.raises(UnicodeDecodeError): list(recode(io.BytesIO(b"a\0b"), "utf-16-le"))


def test_frames_one_after_another_and_damaged_ones(tmp_path, monkeypatch):
    path = tmp_path / "a.zst"
    path.write_bytes(PACK(b"one ") + PACK(b"two ") + PACK(b"three"))
    assert b"".join(unpack_blocks(str(path))) == b"one two three" and count_bytes(str(path)) == 13
    with unpack_file(str(path)) as file: assert file.read() == b"one two three"
    path.write_bytes(PACK(b"one") + PACK(b"two")[:-2])
    with pytest.raises(EOFError, match="the last frame is not complete"): list(unpack_blocks(str(path)))
    for call in count_bytes, check_whole:
        with pytest.raises(ValueError, match="a.zst' is not a complete Zstandard file"): call(str(path))
    path.write_bytes(b"no frame at all")
    with pytest.raises(EOFError): list(unpack_blocks(str(path)))
    with pytest.raises(EOFError): open_file(str(path))


def test_bytes_are_counted_up_to_a_bound(tmp_path, monkeypatch):
    path = tmp_path / "a.zst"
    path.write_bytes(b"".join(PACK(bytes(10)) for _ in range(5)))
    for most, size in (50, 50), (20, 30), (19, 20), (9, 10):
        monkeypatch.setattr(streams, "MOST", most)
        assert count_bytes(str(path)) == size


def test_only_packed_files_are_checked_to_their_end(tmp_path):
    whole, cut, plain = (tmp_path / name for name in ("a.gz", "b.gz", "c.csv"))
    whole.write_bytes(gzip.compress(bytes(200_000)))
    cut.write_bytes(gzip.compress(bytes(200_000))[:-3])
    plain.write_bytes(b"\x1f\x8b")
    assert check_whole(str(whole)) is check_whole(str(plain)) is check_whole(str(tmp_path / "absent")) is None
    with pytest.raises(ValueError, match="b.gz' is not a complete gzip file"): check_whole(str(cut))


def test_a_table_of_sqlite_is_a_text(tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as con:
        con.execute("CREATE TABLE runs (id, x)")
        con.executemany("INSERT INTO runs VALUES (?, ?)", [(1, "\u00e9"), (2, None)])
    con.close()
    with open_file(f"{tmp_path}/a.db::runs") as file:
        assert file.read().decode() == '{"id": 1, "x": "\u00e9"}\n{"id": 2, "x": null}\n'
