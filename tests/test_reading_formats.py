"""Layouts that had no way forward: what is read of them, and what is said where nothing can be."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import read, score

LOGS = Path(__file__).parent / "logs"


def write(path, *values):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, values)))
    return path


# SWE-bench.


def run_instances(folder, outcomes):
    for name, outcome in outcomes.items():
        place = folder / "logs/run_evaluation/r1/m" / name
        write(place / "patch.diff", "")
        if outcome is not None:
            report = dict(patch_successfully_applied=True, resolved=outcome)
            write(place / "report.json", {name: report})
    return folder


def test_an_instance_without_a_report_is_missing(tmp_path):
    run_instances(tmp_path, dict(a=True, b=False, c=None, d=None))
    with pytest.raises(ValueError, match="2 samples have no outcome .*c.*d"):
        score(tmp_path)
    rows = read(tmp_path, missing="wrong")
    assert dict(zip(rows.questions.tolist(), rows.correct.tolist()))["a"] == 1 and len(rows) == 4
    assert score(tmp_path, missing="wrong")["pass@1"].estimate == 0.25
    assert "2 instances without a report: missing" in map(str, rows.summary.notes)
    # A report that is named is one that somebody chose.
    assert len(read(tmp_path / "logs/run_evaluation/r1/m/a/report.json")) == 1
    # What lies beside instances and is none is no instance.
    write(tmp_path / "logs/run_evaluation/r1/m/notes/readme.txt", "x")
    assert len(read(tmp_path, missing="wrong")) == 4


def test_the_report_of_2024_is_a_summary(tmp_path):
    report = dict(
        generated=["a", "b"], no_generation=[], with_logs=["a"], applied=["a"], resolved=["a"]
    )
    with pytest.raises(
        ValueError, match="is a summary that SWE-bench wrote until 2024.*read the folder"
    ):
        read(write(tmp_path / "report.json", report))


# evalplus of 2023 and programs that say how they did.


def test_evalplus_of_2023(tmp_path):
    def tell(base, plus):
        return dict(
            nfiles=len(base), base=[[o, [True]] for o in base], plus=[[o, []] for o in plus]
        )

    tasks = {
        "HumanEval/0": tell(["success", "failed"], ["success", "success"]),
        "HumanEval/1": tell(["success", "timeout"], ["failed", "failed"]),
    }
    path = write(tmp_path / "eval_results.json", dict(date="2023-05-01", hash="x", eval=tasks))
    assert read(path).counts().c.tolist() == [1, 0] and read(path).summary.harness == "evalplus"
    assert read(path, score="base").counts().c.tolist() == [1, 1]
    bare = {name: dict(one, plus=[]) for name, one in tasks.items()}
    path = write(tmp_path / "base.json", dict(date="2023-05-01", hash="x", eval=bare))
    assert read(path).counts().c.tolist() == [1, 1]


def test_programs_beside_a_flag_are_a_table(tmp_path):
    rows = [dict(task_id=f"H/{i}", completion="x", is_solved=i % 2 == 0) for i in range(8)]
    path = write(tmp_path / "he.jsonl", *rows)
    assert read(path, correct="is_solved").counts().c.sum() == 4
    bare = [{key: row[key] for key in ("task_id", "completion")} for row in rows]
    with pytest.raises(ValueError, match="programs that were not run"):
        read(write(tmp_path / "b.jsonl", *bare))


# BFCL.


def test_a_score_file_of_bfcl_holds_failures(tmp_path):
    rows = [
        dict(id=i, model_name="m", test_category="simple", valid=False, error=["x"])
        for i in (3, 5, 8)
    ]
    path = write(
        tmp_path / "BFCL_v3_simple_score.json",
        dict(accuracy=0.75, correct_count=9, total_count=12),
        *rows,
    )
    with pytest.raises(ValueError, match="failures only.*9 of 12 are right.*read as 9/12"):
        read(path)


# Answers that are judged.


@pytest.mark.parametrize("size", [2**23, 0])
@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_lists_of_answers_are_samples(ending, size, tmp_path, monkeypatch):
    monkeypatch.setattr("sampling_eval.reading.tables.SMALL", size)
    rows = [
        dict(question=f"q{i}", gt=str(i), pred=[str(i), str(i + 1), f" {i}.0 "]) for i in range(4)
    ]
    path = tmp_path / f"a.{ending}"
    if ending == "jsonl":
        write(path, *rows)
    elif ending == "parquet":
        pytest.importorskip("pandas").DataFrame(rows).to_parquet(path)
    else:
        pytest.importorskip("pandas").DataFrame(rows).to_csv(path, index=False)
    counts = read(path, grade="number", expected="gt").counts()
    assert counts.n.tolist() == [3] * 4 and counts.c.tolist() == [2] * 4
    # Two spellings of a number are one answer.
    assert score(path, "maj@3", grade="number", expected="gt")["maj@3"].estimate == 1


def test_one_answer_that_is_a_list_is_one_answer():
    rows = dict(question=["a", "b"], pred=["[1, 2]", "[2, 3]"], gt=["[1, 2]", "[1, 3]"])
    assert read(rows, grade="exact", expected="gt").counts().c.tolist() == [1, 0]


@pytest.mark.parametrize("target, said", [("", "an empty target"), (None, "None")])
def test_no_target_is_no_empty_answer(target, said):
    rows = [dict(question=f"q{i}", answer="", gt=target) for i in range(3)]
    with pytest.raises(ValueError, match=f"needs the right answer beside each text, got {said}"):
        read(rows, grade="exact", expected="gt")


# Logs of inspect.


def log_of(path, task, scores, epochs=(1, 2)):
    head = dict(version=2, status="success", eval=dict(task=task, model="m", task_id=task))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(head))
        for epoch in epochs:
            sample = dict(
                id=1, epoch=epoch, input="x", scores={name: dict(value="C") for name in scores}
            )
            archive.writestr(f"samples/1_epoch_{epoch}.json", json.dumps(sample))
    return path


def test_of_several_tasks_one_is_chosen(tmp_path):
    log_of(tmp_path / "a.eval", "sums", ["match", "includes"])
    log_of(tmp_path / "b.eval", "squares", ["exact", "f1"])
    with pytest.raises(
        ValueError, match="several scores.*of several tasks, task='squares' or 'sums' reads one"
    ):
        read(tmp_path)
    rows = read(tmp_path, task="sums", score="match")
    assert len(rows) == 2 and "1 file of other tasks left out" in map(str, rows.summary.notes)
    with pytest.raises(ValueError, match="task must be one of 'squares', 'sums'"):
        read(tmp_path, task="x")


def test_a_task_of_other_logs_and_of_tables(tmp_path):
    whole, one = read(LOGS / "inspect_set"), read(LOGS / "inspect_set", task="sums")
    assert len(one) == 8 and len(whole) == 16 and one.questions.tolist() == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="name no tasks"):
        read(LOGS / "human_eval", task="x")
    path = write(tmp_path / "a.jsonl", dict(question=1, correct=1))
    with pytest.raises(ValueError, match="was read as a plain table"):
        read(path, task="x")
    with pytest.raises(ValueError, match="task= is for log files"):
        read([dict(question=1, correct=1)], task="x")


def test_of_members_with_one_name_the_last_is_the_sample(tmp_path):
    path = log_of(tmp_path / "a.eval", "sums", ["match"])
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        sample = dict(id=1, epoch=1, input="x", scores=dict(match=dict(value="I")))
        archive.writestr("samples/1_epoch_1.json", json.dumps(sample))
    assert read(path).counts().c.tolist() == [1]
