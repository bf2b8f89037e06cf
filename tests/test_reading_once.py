"A file is opened once while it is read, and what is given twice is found."
import gzip
import json
import sys

import pytest

from sampling_eval.io import text_files as content
from sampling_eval.io.load import read

OPENED = []
sys.addaudithook(lambda event, given: event == "open" and OPENED.append(given[0]))
ROWS = [dict(question=q, sample=s, correct=int(q > s)) for q in range(3) for s in range(2)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
TABLE = "question,sample,correct\n" + "".join(f"{q},{s},{int(q > s)}\n" for q in range(3) for s in range(2))
LOG = "".join(json.dumps(dict(task_id=str(row["question"]), passed=row["correct"] > 0, result="")) + "\n" for row in ROWS)


@pytest.fixture
def write(tmp_path):
    def write_file(name, data):
        data = data.encode() if isinstance(data, str) else data
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return str(tmp_path / name)
    return write_file


@pytest.mark.parametrize("name, text", [
    ("a.csv", TABLE), ("a.csv.gz", TABLE), ("a.jsonl", LINES), ("a.json", json.dumps(ROWS)), ("a.jsonl", LOG)])
def test_a_small_file_is_opened_once(name, text, write):
    path, copy, other = write(name, text), write("b" + name, text), write("c" + name, text + "\n")
    del OPENED[:]
    assert len(read(path)) == 6 and OPENED.count(path) == 1
    for second, said in (copy, "the same file twice: .* have the same content"), (other, "question"):
        del OPENED[:]
        with pytest.raises(ValueError, match=said): read([path, second])
        assert OPENED.count(path) == OPENED.count(second) == 1


def test_gradings_of_one_file_open_it_once(write):
    path = write("a.jsonl", "".join(json.dumps(dict(question=q, x=q % 2, y=1)) + "\n" for q in range(4)))
    del OPENED[:]
    assert len(read(path, correct=["x", "y"]).models()) == 2 and OPENED.count(path) == 1


def test_of_a_large_file_the_beginning_is_held(write, monkeypatch):
    monkeypatch.setattr(content, "SMALL", 100)
    monkeypatch.setattr(content, "HEAD", 10)
    data = bytes(range(250))
    path = write("a.bin", data)
    with content.open_once(), content.open_once():
        del OPENED[:]
        for _ in range(3):
            with content.open_bytes(path) as file: assert file.peek(4)[:4] == data[:4]
        assert OPENED.count(path) == 1
        with content.open_bytes(path) as file:
            assert file.read() == data and file.read() == b""
            assert file.seek(-3, 2) == 247 and file.read() == data[-3:] and file.seek(5) == 5
            assert file.read(20) == data[5:25] and file.seek(-1, 1) == 24 and file.read(1) == data[24:25]
        monkeypatch.setattr(content.READING.get(), "room", 0)
        with content.open_bytes(write("b.bin", data)) as file: assert file.read() == data
    assert content.READING.get() is None
