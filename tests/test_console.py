"What stands for the standard input by its content, and how much of the work is done."

import io
import json
import sqlite3
import tarfile
import zipfile

import numpy as np
import pytest

from sampling_eval.reading.console import (
    MAGIC,
    PACKINGS,
    Steps,
    count_steps,
    draw,
    find_ending,
    find_share,
    name_by_content,
    progress_bar,
    see_text,
    see_zip,
)


class Query:
    def __init__(self, share):
        self.share = share

    def query_progress(self):
        return self.share


@pytest.mark.parametrize(
    "known, share",
    [
        ([], None),
        ([object()], None),
        ([Query(-1)], None),
        ([Query(0)], 0),
        ([Query(50.0)], 50),
        ([Query(100.5)], 100),
        ([Query(20), Query(70)], 70),
        ([Query(20), object()], None),
    ],
)
def test_the_share_of_the_last_query(known, share):
    assert find_share(known) == share


def test_steps_are_done_when_the_next_is_asked_for():
    steps = Steps(4, "reading")
    assert steps.query_progress() == 0 and Steps(0, "x").query_progress() == 100
    shares = [steps.query_progress() for _ in steps.watch("abcd")]
    assert shares == [0, 25, 50, 75] and steps.query_progress() == 100


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_steps_are_shown_by_the_bar_that_is_there():
    with progress_bar(stream=Terminal()) as known, count_steps(2, "counting") as steps:
        assert known == [steps] and (steps.total, steps.label) == (2, "counting")


class Ended:
    "Work that is done after three looks, and how long each of them waited."

    def __init__(self):
        self.waits = []

    def wait(self, seconds):
        self.waits.append(seconds)
        return len(self.waits) > 3


def test_the_bar_tells_what_is_done_last():
    "A query has no word of its own, steps have."
    for known, told in ([], "read"), ([Query(50)], "read"), ([Query(5), Steps(4, "pair")], "pair"):
        done, stream = Ended(), io.StringIO()
        draw("read", stream, 0.5, known, done)
        assert done.waits == [0.5, 0.1, 0.1, 0.1] and stream.getvalue().count(told) == 2
        assert ("read" in stream.getvalue()) == (told == "read")


@pytest.mark.parametrize(
    "head, ending",
    [
        (b"a,b\n1,2\n", ".csv"),
        (b"", ".csv"),
        (b'{"a": 1}\n{"a": 2}\n', ".jsonl"),
        (b' \n{"a": 1}\n{', ".jsonl"),
        (b'{"a": 1}\n \n', ".json"),
        (b'{"a": 1}', ".json"),
        (b'{\n"a": 1}', ".json"),
        (b'[{"a": 1}]', ".json"),
        (b"[1]\n[2]\n", ".json"),
        (b"[\n1]", ".json"),
    ],
)
def test_kinds_of_text(head, ending):
    assert see_text(head) == ending


def zip_up(path, *names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return str(path)


@pytest.mark.parametrize(
    "names, ending",
    [
        (["a.npy", "b.npy"], ".npz"),
        (["a.npy", "b.csv"], ".zip"),
        (["a.csv", "xl/workbook.xml"], ".xlsx"),
        (["a.jsonl"], ".zip"),
        (["header.json", "samples/1.json"], ".eval"),
        ([], ".eval"),
    ],
)
def test_kinds_of_zip(names, ending, tmp_path):
    assert see_zip(zip_up(tmp_path / "a", *names)) == ending
    path = zip_up(tmp_path / "stdin", *names)
    # A zip archive without a member does not begin as others do.
    assert not names or name_by_content(path).endswith(f"stdin{ending}")


def test_names_by_content(tmp_path):
    rows = [dict(question=1, correct=1)] * 2
    text = "".join(json.dumps(row) + "\n" for row in rows)
    array, base = io.BytesIO(), tmp_path / "base"
    np.save(array, np.eye(2))
    with sqlite3.connect(base) as con:
        con.execute("CREATE TABLE t (id)")
    con.close()
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        info = tarfile.TarInfo("a.csv")
        archive.addfile(info, io.BytesIO())
    for data, ending in (
        (text.encode(), ".jsonl"),
        (text.encode("utf-16"), ".jsonl"),
        (array.getvalue(), ".npy"),
        (base.read_bytes(), ".db"),
        (held.getvalue(), ".tar"),
        (b"ARROW1\0\0", ".arrow"),
        (b"12345678DUCK", ".duckdb"),
    ):
        (tmp_path / "stdin").write_bytes(data)
        assert name_by_content(str(tmp_path / "stdin")) == str(tmp_path / f"stdin{ending}")
        assert (tmp_path / f"stdin{ending}").read_bytes() == data


def test_what_only_a_database_begins_with(tmp_path):
    (tmp_path / "a").write_bytes(b"12345678DUCK")
    assert find_ending(MAGIC, tmp_path / "a") == ".duckdb"
    assert find_ending(PACKINGS, tmp_path / "a") == ""
    (tmp_path / "a").write_bytes(b"\x1f\x8b12")
    assert find_ending(PACKINGS, tmp_path / "a") == ".gz" and not find_ending(MAGIC, tmp_path / "a")
