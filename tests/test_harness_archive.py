"Archives that may come from anywhere."
import zipfile

import numpy as np
import pytest

from harness_cases import EVAL, HEADER, MOCK, inspect_sample, read, zipped
from sampling_eval.harness.archive import archive_members, unpack_zstandard
from sampling_eval.harness.limits import Limits


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
