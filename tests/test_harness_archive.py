"Archives that may come from anywhere."
import struct
import zipfile
import zlib

import numpy as np
import pytest

from harness_cases import EVAL, HEADER, MOCK, inspect_sample, read, zipped
from sampling_eval.io.harness.archive import archive_members, unpack_zstandard
from sampling_eval.io.harness.limits import Limits


def test_every_cut_of_an_archive_is_refused(tmp_path):
    data, path = EVAL.read_bytes(), tmp_path / "cut.eval"
    for size in range(2, len(data), 101):
        path.write_bytes(data[:size])
        with pytest.raises(ValueError): read(path)


@pytest.mark.parametrize("source, score", [(EVAL, None), (MOCK, "match")])
def test_flipped_bytes_never_crash(tmp_path, source, score):
    data, path, rng = source.read_bytes(), tmp_path / "flip.eval", np.random.default_rng(0)
    for at in rng.integers(0, len(data), 150):
        path.write_bytes(data[:at] + bytes([data[at] ^ 255]) + data[at + 1:])
        try: read(path, score=score)
        except (ValueError, FileNotFoundError): pass


def test_bombs(tmp_path):
    members = {"header.json": HEADER, "samples/1_epoch_1.json": bytes(10**8)}
    bomb = zipped(tmp_path / "bomb.eval", members)
    with pytest.raises(ValueError, match="an unpacked archive may hold at most"): read(bomb)
    with pytest.raises(ValueError, match="an unpacked archive may hold at most 1,000 bytes"):
        list(archive_members(bomb, limits=Limits(document=1000)))
    many = zipped(tmp_path / "many.eval", {f"samples/{i}.json": bytes(10**6) for i in range(5)})
    with pytest.raises(ValueError, match="raise limits=Limits"):
        list(archive_members(many, limits=Limits(free=3 * 10**6)))


def test_zstandard_bomb():
    pyarrow = pytest.importorskip("pyarrow")
    packed = pyarrow.compress(bytes(10**7), codec="zstd", asbytes=True)
    assert len(packed) < 10**4 and len(unpack_zstandard(packed, 1000)) == 1000
    with pytest.raises(zipfile.BadZipFile):
        unpack_zstandard(b"(\xb5/\xfd" + bytes(range(40)), 10**6)


def test_names_in_archives_are_labels(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = "samples/../../../evil.json", "samples//etc/passwd.json", "samples/C:\\evil.json"
    samples = {name: inspect_sample("q", i + 1, "C") for i, name in enumerate(names)}
    path = zipped(tmp_path / "a.eval", {"header.json": HEADER} | samples)
    assert read(path).correct.tolist() == [1, 1, 1]
    assert [p.name for p in tmp_path.rglob("*")] == ["a.eval"]


def test_other_archives(tmp_path):
    with pytest.raises(ValueError, match="is an archive, but not a log of inspect_ai"):
        read(zipped(tmp_path / "a.zip", {"x.txt": b"x"}))
    lzma = zipped(tmp_path / "b.eval", {"header.json": HEADER}, zipfile.ZIP_LZMA)
    with pytest.raises(ValueError, match="compression method 14"): read(lzma)


# Limits met exactly, and members that Zstandard compressed.

def sizes(path, wanted=lambda name: True, **limits):
    "Bytes of each member, or what is said of them."
    try: return {name: len(data) for name, data in archive_members(path, wanted, Limits(**limits))}
    except ValueError as error: return str(error)


def test_limits_of_members_and_of_all(tmp_path):
    path = zipped(tmp_path / "a.zip", {"a": bytes(100), "b": bytes(50)}, zipfile.ZIP_STORED)
    size, whole = path.stat().st_size, dict(a=100, b=50)
    told = ("an unpacked archive may hold at most {} bytes, got more in {!r} of a.zip; raise limits=Limits({}=...) if "
            "you trust the file")
    assert sizes(path, document=100) == sizes(path, ratio=0, free=150) == whole
    assert sizes(path, document=99) == told.format(99, "a", "document")
    assert sizes(path, ratio=0, free=149) == told.format(49, "b", "ratio")
    assert sizes(path, ratio=0, free=99) == told.format(99, "a", "ratio") and sizes(path, ratio=1,
        free=0) == whole and size > 150
    assert sizes(path, document=50, free=50, ratio=0) == told.format(50, "a", "document")
    assert sizes(path, lambda name: name == "b", ratio=0, free=50) == dict(b=50) and sizes(path) == whole


def pack_zstandard(path, data, **change):
    "An archive with one member that is compressed by method 93."
    packed = pytest.importorskip("zstandard").ZstdCompressor().compress(data)
    facts = dict(method=93, flags=0, crc=zlib.crc32(data), packed=len(packed), size=len(data), magic=b"PK\3\4") | change
    common = struct.pack("<HHHHIIIHH", facts["flags"], facts["method"], 0, 33, facts["crc"], facts["packed"],
        facts["size"], 1, 4)
    local = facts["magic"] + struct.pack("<H", 63) + common + b"a" + b"\xff\xff\0\0" + packed
    common = struct.pack("<HHHHIIIHH", facts["flags"], facts["method"], 0, 33, facts["crc"], facts["packed"],
        facts["size"], 1, 0)
    entry = b"PK\1\2" + struct.pack("<HH", 63, 63) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + b"a"
    path.write_bytes(local + entry + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0))
    return path


def test_members_of_zstandard(tmp_path):
    path, data = tmp_path / "a.eval", b"text " * 50
    assert list(archive_members(pack_zstandard(path, data))) == [("a", data)]
    assert sizes(path, document=250) == dict(a=250) and "at most 249 bytes, got more in 'a'" in sizes(path,
        document=249)
    assert list(archive_members(pack_zstandard(path, b""))) == [("a", b"")]
    told = "need a complete zip archive, got {} in a.eval; was the run interrupted?"
    for change, fault in ((dict(crc=5), "a wrong checksum"), (dict(size=249), "a wrong checksum"),
        (dict(size=251), "a wrong checksum"),
                          (dict(flags=1), "an encrypted member"), (dict(magic=b"PK\3\5"), "a member without a header"),
                          (dict(method=98), "compression method 98"),
                          (dict(method=98, size=251), "compression method 98")):
        assert sizes(pack_zstandard(path, data, **change)) == told.format(fault), change
    assert sizes(pack_zstandard(path, data, packed=8)) != dict(a=250)


def test_the_beginning_of_what_is_packed():
    compress = pytest.importorskip("zstandard").ZstdCompressor().compress
    packed = compress(b"one ") + compress(b"two")
    assert [unpack_zstandard(packed, most) for most in (0, 3, 7, 9)] == [b"", b"one", b"one two", b"one two"]
    with pytest.raises(zipfile.BadZipFile): unpack_zstandard(b"no frame", 5)
