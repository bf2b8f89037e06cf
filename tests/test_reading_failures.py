"What happened to a try, with counts: right, wrong, failed, not run; what failed tries count as."

import json

import numpy as np
import pytest

from conftest import command
from sampling_eval import score
from sampling_eval.reading import tables
from sampling_eval.reading.columns import Batch
from sampling_eval.reading.failures import find_wrong, judge_failures, may_tell, tell_state
from sampling_eval.reading.values import tidy


def make(column, values, outcomes=(True, False, True, False)):
    "Eight questions with a try each for these values and outcomes."
    return [
        dict(question=f"q{q}", trial=s, correct=right) | {column: value}
        for q in range(8)
        for s, (value, right) in enumerate(zip(values, outcomes))
    ]


def write(folder, rows):
    path = folder / "tries.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


STATES = {
    "status": ["done", "Error", "timeout", "done"],
    "exit_reason": ["ok", "not run", "timed-out", "ok"],
    "exception": [None, "Boom {}", "Bang", ""],
    "is_error": [False, True, True, False],
}


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("column", STATES)
def test_failed_tries_are_named_and_count_as_is_said(column, large, tmp_path, monkeypatch):
    path = write(tmp_path, make(column, STATES[column]))
    if large:
        monkeypatch.setattr(tables, "SMALL", -1)
    found = score(path)
    note = next(note for note in found.summary.notes if note.kind == "failed")
    assert (note.names[0], note.count, note.total, note.value) == (column, 16, 32, 8) and found[
        "pass@1"
    ].estimate == 0.5
    assert f"16 of 32 tries failed or were not run ({column} " in str(note)
    assert "counted as recorded, 8 right (failed='missing' or 'wrong' says else)" in str(note)
    wrong = score(path, failed="wrong")
    assert wrong["pass@1"].estimate == 0.25 and wrong["pass@1"].n_max == 4
    assert "counted as wrong" in str(wrong.summary.notes[-1])
    with pytest.raises(ValueError, match="16 samples have no outcome"):
        score(path, failed="missing")
    dropped = score(path, failed="missing", missing="drop")
    assert dropped["pass@1"].estimate == 0.5 and dropped["pass@1"].n_max == 2


@pytest.mark.parametrize(
    "right, wrong", [(1, 0), ("pass", "fail"), ("CORRECT", "INCORRECT"), ("yes", "no")]
)
def test_outcomes_of_every_kind(right, wrong):
    rows = make("status", ["done", "error"], [right, right])
    assert (
        score(rows, failed="wrong")["pass@1"].estimate == 0.5
        and score(rows)["pass@1"].estimate == 1
    )
    mixed = make("status", ["done", "error"], [wrong, right])
    assert score(mixed, failed="wrong")["pass@1"].estimate == 0


def test_scores_of_failed_tries():
    rows = [
        dict(id=q, score=0.25 + q / 100, status=["done", "crashed"][s])
        for q in range(60)
        for s in range(2)
    ]
    whole, wrong = score(rows), score(rows, failed="wrong")
    assert wrong["soft@2"].estimate == pytest.approx(whole["soft@2"].estimate / 2)


def test_what_says_nothing_of_failures(tmp_path):
    for column, values in dict(
        status=["done", "finished"], error=[0.1, 0.2], errors=[0, 1], error_type=["none", None]
    ).items():
        rows = make(column, values)
        assert not any(note.kind == "failed" for note in score(rows).summary.notes)
        with pytest.raises(ValueError, match="needs a column such as status"):
            score(rows, failed="wrong")
    with pytest.raises(ValueError, match="failed"):
        score(rows, failed="drop")


def test_the_command_says_it(tmp_path):
    path = write(tmp_path, make("status", STATES["status"]))
    ran = command("score", path)
    said = " ".join(ran.stdout.split())
    told = (
        "16 of 32 tries failed or were not run (status error 8, timeout 8): "
        "counted as recorded, 8 right (--failed missing or wrong says else)"
    )
    assert told in said
    assert (
        json.loads(command("score", path, "--failed", "wrong", "-f", "json").stdout)["rows"][0][
            "estimate"
        ]
        == 0.25
    )


def test_a_log_says_itself_which_tries_failed():
    "They are missing, and the option that says what missing samples count as is named."
    with pytest.raises(ValueError, match="says itself.* pass missing='wrong' to count them as"):
        score("tests/logs/inspect", failed="wrong")


# Single functions.


@pytest.mark.parametrize(
    "column, value, state",
    [
        ("error", None, ""),
        ("error", " None ", ""),
        ("error", "x", "error"),
        ("error", False, ""),
        ("status", "Timed Out", "timed_out"),
        ("status", "infra-error", "infra_error"),
        ("status", "skipped", "skipped"),
        ("status", "done", ""),
        ("status", None, ""),
    ],
    ids=str,
)
def test_states_of_a_try(column, value, state):
    assert tell_state(f"status {column}", value) == state


@pytest.mark.parametrize(
    "values, states",
    [(["x", None], True), ([True], True), ([1, None], False), ([1.5], False), ([None], True)],
    ids=str,
)
def test_numbers_are_no_states(values, states):
    assert may_tell(tidy(values)) is states


@pytest.mark.parametrize(
    "values, wrong",
    [
        ([True, None], False),
        ([1, 0], 0),
        ([None], 0),
        (["yes", "no"], "no"),
        ([" Pass"], "fail"),
        (["C"], "i"),
        (["x", "y"], "0"),
        (["✓"], "0"),
    ],
    ids=str,
)
def test_how_wrong_is_written(values, wrong):
    assert find_wrong(np.array(values, object)) is wrong or find_wrong(tidy(values)) == wrong


def judge(failed, **parts):
    parts = {"status error": tidy(["x", "", "y"])} | {k: tidy(v) for k, v in parts.items()}
    times = np.array([2, 3, 4])
    added = dict(total=np.array([2.0, 3, 4]), scored=np.array([2, 3, 4]))
    return judge_failures(Batch(parts, times, None, added), failed)


@pytest.mark.parametrize(
    "failed, correct, score, total, scored, right",
    [
        (None, [1, 0, 1], [0.5, 0.1, 1], [2, 3, 4], [2, 3, 4], 6),
        ("wrong", [0, 0, 0], [0, 0.1, 0], [0, 3, 0], [2, 3, 4], None),
        ("missing", [None, 0, None], [None, 0.1, None], [0, 3, 0], [0, 3, 0], None),
    ],
)
def test_what_failed_tries_count_as(failed, correct, score, total, scored, right):
    batch, notes = judge(failed, correct=[1, 0, 1], score=[0.5, 0.1, 1])
    assert [batch.parts[name].tolist() for name in ("correct", "score")] == [correct, score]
    assert "status error" not in batch.parts
    assert [batch.added[name].tolist() for name in ("total", "scored")] == [total, scored]
    (note,) = notes
    assert (note.names, note.count, note.total) == (("error", "error 6"), 6, 9)
    assert (note.value, note.text) == (right, failed or "")


def test_states_are_named_up_to_three():
    states = ["timeout", "crash", "oom", "killed", "timeout", "done"]
    batch = Batch({"status exit_reason": tidy(states)}, np.ones(6, int), None)
    (note,) = judge_failures(batch, None)[1]
    assert note.names == ("exit_reason", "timeout 2", "crash 1", "oom 1", "...")
    fewer = Batch({"status exit_reason": tidy(states[:3])}, np.ones(3, int), None)
    assert judge_failures(fewer, None)[1][0].names[-1] == "oom 1"


def test_nothing_failed():
    batch = Batch({"status status": tidy(["done", "done"])}, np.ones(2, int), None)
    found, notes = judge_failures(batch, None)
    assert notes == [] and found.parts == {}
    with pytest.raises(ValueError, match="needs a column such as status, error or exit_reason"):
        judge_failures(batch, "wrong")
