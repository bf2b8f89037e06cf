"Files of arrays at their boundaries: outcomes or scores, blocks, runs of samples, limits of bytes."

import re

import numpy as np
import pytest

from sampling_eval.reading.arrays import (
    are_outcomes,
    array_source,
    count_block,
    is_matrix,
    load_array,
    place_question,
    spread_block,
)
from sampling_eval.reading.columns import FILE, Keep
from sampling_eval.reading.logs.limits import Limits
from sampling_eval.reading.objects import OUTCOME, SCORE
from sampling_eval.reading.shapes import PLACE, ROW

NAN = float("nan")
WHOLE = dict(question=ROW, sample=PLACE, correct=OUTCOME)


def list_rows(batch):
    "The rows of a batch as tuples, with the numbers of their samples, as they stand."
    parts = [batch.parts[part].tolist() for part in ("question", "correct")]
    bits = [
        sum(int(word) << 52 * i for i, word in enumerate(words))
        for words in (np.zeros((len(batch), 3)) if batch.draws is None else batch.draws).tolist()
    ]
    rows = zip(*parts, batch.times.tolist(), bits)
    return [
        (q, None if c != c else int(c), times, [i for i in range(156) if held >> i & 1])
        for q, c, times, held in rows
    ]


@pytest.mark.parametrize(
    "values, matrix, outcomes",
    [
        ([[1, 0]], True, True),
        ([[1.0, NAN]], True, True),
        ([[True]], True, True),
        ([[0, 2]], True, False),
        ([[0, -1]], True, False),
        ([[0.5, 1]], True, False),
        ([[np.inf, 1]], True, False),
        ([1, 0], False, True),
        ([[[1]]], False, True),
        ([[]], False, True),
        ([["1"]], False, None),
        ([[1j]], False, None),
    ],
)
def test_arrays_of_questions_and_samples(values, matrix, outcomes):
    array = np.array(values)
    assert is_matrix(array) is matrix and not is_matrix(values)
    if matrix:
        assert are_outcomes(array) == outcomes


@pytest.mark.parametrize("step", [1, 5, 6, 2**20])
def test_a_value_of_any_block_makes_scores(step, monkeypatch):
    monkeypatch.setattr("sampling_eval.reading.arrays.BLOCK", step)
    for at in range(5):
        array = np.zeros((5, 3))
        array[at, 2] = 0.5
        assert not are_outcomes(array)
    assert are_outcomes(np.zeros((5, 3)))


@pytest.mark.parametrize("samples", [1, 52, 53, 104, 105, 156])
def test_a_block_counts_the_samples_of_each_outcome(samples):
    rng = np.random.default_rng(samples)
    block = rng.choice([1.0, 0.0, NAN], (3, samples))
    want = []
    for q, row in enumerate(block.tolist()):
        for kind in 1, 0, None:
            held = [i for i, v in enumerate(row) if (None if v != v else v) == kind]
            want += [(q + 7, kind, len(held), held)] * bool(held)
    found = count_block(block, 7, "x/a.npy", WHOLE)
    assert list_rows(found) == want
    assert "sample" not in found.parts and found.place("correct", 0) == "at row 8 of a.npy"
    alone = count_block(block, 7, "a.npy", dict(question=ROW, correct=OUTCOME))
    assert alone.draws is None and alone.times.sum() == 3 * samples


def test_a_block_one_sample_at_a_time():
    block = np.array([[0.5, 1.0], [0.0, NAN]])
    chosen = dict(question=ROW, sample=PLACE, score=SCORE, model=FILE)
    found = spread_block(block, 3, "x/a.npy", chosen)
    assert found.parts["question"].tolist() == [3, 3, 4, 4] and found.times.tolist() == [1] * 4
    assert found.parts["sample"].tolist() == [0, 1, 0, 1]
    assert found.parts["score"].tolist()[:3] == [0.5, 1, 0] and found.parts["model"][0] == "x/a.npy"
    assert [found.place("score", row) for row in (1, 2)] == [
        "at row 4 of a.npy",
        "at row 5 of a.npy",
    ]
    assert place_question("x/a.npy", np.array([4]), "score", 0) == "at row 5 of a.npy"


@pytest.mark.parametrize("samples, counted", [(156, True), (157, False)])
@pytest.mark.parametrize("block", [1, 400, 2**20])
def test_as_many_samples_as_there_are_bits(samples, counted, block, tmp_path, monkeypatch):
    monkeypatch.setattr("sampling_eval.reading.arrays.BLOCK", block)
    path = str(tmp_path / "a.npy")
    np.save(path, np.eye(5, samples, dtype=np.int8))
    source = array_source([path], None)
    found = source.take(WHOLE, Keep())
    assert (found.draws is not None, "sample" in found.parts) == (counted, not counted)
    assert found.times.sum() == 5 * samples and len(found) == (10 if counted else 5 * samples)
    right = found.parts["correct"] == 1
    assert found.parts["question"][right].tolist() == [0, 1, 2, 3, 4]
    assert [note.kind for note in source.notes] == ["lists", "row_numbers"]
    single = source.take(WHOLE | dict(score=OUTCOME), Keep())
    assert single.draws is None and len(single) == 5 * samples


def test_several_files_are_taken_one_sample_at_a_time(tmp_path):
    files = [str(tmp_path / name) for name in ("a.npy", "b.npy")]
    for file in files:
        np.save(file, np.eye(2))
    found = array_source(files, None).take(WHOLE | dict(model=FILE), Keep())
    assert found.draws is None and len(found) == 8
    assert found.parts["model"].tolist() == [files[0]] * 4 + [files[1]] * 4
    assert found.place("correct", 5) == "at row 1 of b.npy"
    np.save(files[1], np.eye(2) / 2)
    assert array_source(files, None).columns == [ROW, PLACE, SCORE]


def test_arrays_by_name_and_alone(tmp_path):
    path = str(tmp_path / "a.NPZ")
    with open(path, "wb") as file:
        np.savez(file, x=np.eye(2))
    assert isinstance(load_array(path, Limits()), np.ndarray)
    with open(path, "wb") as file:
        np.savez(file, x=np.eye(2), y=np.eye(2))
    assert sorted(load_array(path, Limits())) == ["x", "y"]


@pytest.mark.parametrize("packed", [True, False])
def test_arrays_of_as_many_bytes_as_are_believed(packed, tmp_path):
    path = tmp_path / "a.npz"
    (np.savez_compressed if packed else np.savez)(path, x=np.zeros(1000))
    size = 1000 * 8 + 128  # An array and its header
    load_array(str(path), Limits(free=size, ratio=0))
    with pytest.raises(ValueError, match=f"at most {size - 1:,} bytes.*ratio="):
        load_array(str(path), Limits(free=size - 1, ratio=0))
    own = path.stat().st_size
    load_array(str(path), Limits(free=0, ratio=-(-size // own)))
    if packed:
        with pytest.raises(ValueError, match="unpacked arrays may hold at most"):
            load_array(str(path), Limits(free=0, ratio=size // own))


@pytest.mark.parametrize(
    "name, data, said",
    [
        ("a.npy", b"", "cannot read"),
        ("a.npz", b"PK\x03\x04", "cannot read"),
        ("a.npy", b"\x93NUMPY\x01\x00\x04\x00{1:\n", "cannot read"),
        ("a.npy", b"\x93NUMPY\x09\x00\x04\x00{}\n ", "cannot read"),
        ("a.npy", "objects", "holds Python objects, which are not read; write numbers, such as"),
    ],
)
def test_files_that_are_no_arrays(name, data, said, tmp_path):
    path = str(tmp_path / name)
    if data == "objects":
        np.save(path, np.array([[1], [0, 1]], object), allow_pickle=True)
    else:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=f"{re.escape(repr(path))}.*{said}|{said} {path!r}: ."):
        array_source([path], None)


def test_arrays_of_several_files_that_are_no_tables(tmp_path):
    files = [str(tmp_path / name) for name in ("a.npz", "b.npz")]
    for at, file in enumerate(files):
        np.savez(file, id=np.array([1, 2]) + 2 * at, correct=np.array([1, 0]))
    source = array_source(files, None)
    assert (source.columns, source.files, source.sizes) == (["id", "correct"], tuple(files), (2, 2))
    batch = source.take(dict(question="id", correct="correct"), Keep())
    assert batch.parts["question"].tolist() == [1, 2, 3, 4]
