"""Records under a key of one object, and summaries."""

import json

import pytest

from sampling_eval import read

ROWS = [dict(task_id=f"t{i}", correct=i % 3 == 0) for i in range(12)]
KEYS = ["tasks", "instances", "games", "outputs", "runs", "entries", "results", "data.records"]


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def wrap(key, rows, **more):
    for part in reversed(key.split(".")):
        rows = {part: rows}
    return {**more, **rows}


@pytest.mark.parametrize("size", [2**23, 0])
@pytest.mark.parametrize("key", KEYS)
def test_a_list_under_a_key_is_that_list(key, size, tmp_path, monkeypatch):
    monkeypatch.setattr("sampling_eval.reading.tables.SMALL", size)
    about = dict(definition="x", accuracy=0.25, settings=dict(k=3), tags=["a", "b"])
    rows = read(write(tmp_path / "a.json", wrap(key, ROWS, **about)))
    assert rows.counts().c.tolist() == [1, 0, 0] * 4
    assert f"rows are the list under {key!r}" in map(str, rows.summary.notes)


@pytest.mark.parametrize("size", [2**23, 0])
def test_lists_of_other_names_under_a_key(size, tmp_path, monkeypatch):
    monkeypatch.setattr("sampling_eval.reading.tables.SMALL", size)
    rows = [dict(case=row["task_id"], win=row["correct"]) for row in ROWS]
    path = write(tmp_path / "a.json", dict(model="m", games=rows))
    assert read(path, question="case", correct="win").counts().c.tolist() == [1, 0, 0] * 4


def test_of_several_lists_the_one_with_samples(tmp_path):
    steps = [dict(name="a", seconds=1), dict(name="b", seconds=2)]
    path = write(tmp_path / "a.json", dict(steps=steps, results=ROWS))
    assert len(read(path)) == 12
    path = write(tmp_path / "b.json", dict(steps=steps, other=[dict(x=1)]))
    with pytest.raises(
        ValueError, match="which list of 'b.json' holds the samples.*'steps', 'other'"
    ):
        read(path)


@pytest.mark.parametrize(
    "row",
    [
        dict(task_id="a", correct=True, tests=[dict(name="x", ok=True), dict(name="y", ok=False)]),
        dict(question="a", resolved=False, messages=[dict(role="user", content="x")]),
        dict(question="a", score=0.5, messages=[dict(role="user", content="x")] * 3),
    ],
)
def test_a_sample_with_lists_is_one_row(row, tmp_path):
    assert len(read(write(tmp_path / "a.json", row))) == 1


@pytest.mark.parametrize(
    "value",
    [
        dict(score=1.0, total_tasks=4, task_results=dict(t0=dict(score=1.0, attempts=2))),
        dict(accuracy=0.5, n=10),
        dict(overall=dict(a=1), mean_reward=0.3),
    ],
)
def test_a_summary_is_named_as_such(value, tmp_path):
    with pytest.raises(ValueError, match="is a summary: one object with totals"):
        read(write(tmp_path / "a.json", value))
