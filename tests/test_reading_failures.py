"What happened to a try: right, wrong, failed or not run, with counts; and what failed tries count as."

import json

import numpy as np
import pytest

from conftest import command
from sampling_eval import score
from sampling_eval.reading import tables


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
    assert (
        "16 of 32 tries failed or were not run (status error 8, timeout 8): counted as recorded, 8 right (--failed missing or wrong says else)"
        in said
    )
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
