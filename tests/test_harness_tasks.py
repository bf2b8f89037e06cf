"Tasks and runs of logs: what may be paired, what counts once, and what of a folder is read."
import json
import shutil
from dataclasses import replace

import pytest

from harness_cases import HEADER, LM, LOGS, inspect_sample, put, zipped
from sampling_eval import compare, count, gate, merge, plan, read, score
from test_harness_folder import lm_rows

SET = LOGS / "inspect_set"
SQUARES, SUMS_ONCE, SUMS_AGAIN = sorted(SET.glob("*.eval"))
CONVERTED = LOGS / "inspect_converted/squares.json"
KINDS = LOGS / "lm_eval_kinds/mock"


def values(report): return {row.group: round(row.estimate, 6) for row in report.rows}


def log(path, samples, **about):
    "A log of inspect_ai as one document."
    told = dict(version=2, status="success", eval=dict(task="t", model="m", task_id="run") | about)
    return put(path, told | dict(samples=samples))


def answers(values, **more):
    return [inspect_sample(i, 1, value, **more) for i, value in enumerate(values)]


# Logs of different tasks are not paired.

def test_different_tasks_of_inspect_are_not_compared():
    told = "same task are paired, got 'squares' in A and 'sums' in B"
    with pytest.raises(ValueError, match=told): compare(SQUARES, SUMS_AGAIN, "avg@n")
    with pytest.raises(ValueError, match="'sums' in baseline and 'squares' in new"):
        gate(SQUARES, baseline=SUMS_AGAIN, metrics="pass@1", max_drop=.1)
    with pytest.raises(ValueError, match=told): plan(pilot=SQUARES, pilot_b=SUMS_AGAIN, delta=.1)
    with pytest.raises(ValueError, match="'squares' in run 1 and 'sums' in run 2"):
        merge(SQUARES, SUMS_AGAIN, separate=True)


def test_different_tasks_of_lm_eval_are_not_compared(tmp_path):
    names = {task: f"samples_{task}_2026-01-01T00-00-00.jsonl" for task in "xy"}
    paths = [put(tmp_path / name, lm_rows("small", task), True) for task, name in names.items()]
    with pytest.raises(ValueError, match="got 'x' in A and 'y' in B"): compare(*paths, "avg@n")


def test_different_domains_of_tau2_are_not_compared(tmp_path):
    retail = json.loads((LOGS / "tau2/results.json").read_text())
    airline = json.loads(json.dumps(retail).replace('"retail"', '"airline"'))
    paths = [put(tmp_path / f"{i}.json", told) for i, told in enumerate([airline, retail])]
    with pytest.raises(ValueError, match="got 'airline' in A and 'retail' in B"):
        compare(*paths, "avg@n", missing="drop")


def test_names_of_files_are_no_tasks(tmp_path):
    paths = [shutil.copy(LOGS / "opencompass/results/mock/arith.json", tmp_path / f"{name}.json")
             for name in ("ours", "theirs")]
    assert compare(*paths, "avg@n").rows


def test_a_renamed_task_is_compared_when_read_first():
    sides = [replace(read(path), tasks=()) for path in (SQUARES, SUMS_AGAIN)]
    assert compare(*sides, "pass@1").rows[0].questions == 4


def test_the_same_documents_are_compared_under_any_name(tmp_path):
    paths = [shutil.copy(KINDS / "samples_mygen_2026-11-22T04-24-34.119510.jsonl", tmp_path / name)
             for name in ("ours.jsonl", "theirs.jsonl")]
    assert compare(*paths, "pass@1").rows[0].difference == 0


def test_renamed_logs_without_hashes_are_compared(tmp_path):
    rows = lm_rows("small", "x")
    paths = [put(tmp_path / f"{name}.jsonl", rows, True) for name in ("ours", "theirs")]
    assert compare(*paths, "pass@1").rows[0].questions == 2


def test_names_of_packages_and_examples_do_not_tell_tasks_apart(tmp_path):
    paths = [log(tmp_path / f"{i}.json", answers("CI"), task=task, model=f"m{i}")
             for i, task in enumerate(["gsm8k", "inspect_evals/gsm8k"])]
    assert compare(*paths, "avg@n").rows[0].questions == 2


def test_another_version_of_a_task_is_told(tmp_path):
    paths = [log(tmp_path / f"{i}.json", answers("CI", input=f"text {i}"), task_version=i,
                 task_id=f"{i}") for i in range(2)]
    said = compare(*paths, "avg@n").notes[0]
    assert "Warning: the questions of task 't' (A: version 0, questions 1, hash " in said
    assert " against B: version 1, questions 1, hash " in said and said.endswith(") may differ.")
    assert "the questions of task 't' (version 0, " in read(paths, files_hold="draws").source
    assert "Warning" not in compare(paths[0], log(tmp_path / "c.json", answers(
        "II", input="text 0"), task_version=0, task_id="other"), "avg@n").notes


def test_tasks_travel_with_counts(tmp_path):
    pytest.importorskip("duckdb")
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for source, path in zip((SQUARES, SUMS_AGAIN), paths): count(source, path)
    with pytest.raises(ValueError, match="got 'squares' in A and 'sums' in B"):
        compare(*paths, "avg@n")
    assert [task.name for task in read(paths[0]).tasks] == ["squares"]


def test_one_task_is_paired_with_the_same_of_several():
    result = compare(SQUARES, SET, "avg@n", on_unmatched="drop")
    assert result.rows[0].questions == 4 and result.rows[0].difference == 0


# Runs.

def test_a_retried_eval_set_counts_every_sample_once():
    report = score(SET, "avg@n")
    assert values(report) == {"all questions": .4375, "squares": .25, "sums": .625,
                              "mean of 2 groups": .4375}
    assert report["sums", "avg@2"].questions == 4
    assert "2 files are parts of one run each and complete each other" in report.read
    assert "1 sample that several files hold counts once" in report.read
    assert "1 sample run again counts as rerun" in report.read
    assert values(score(SET, "avg@n", files_hold="draws")) == values(report)
    assert "ended with status" not in report.read and "no sample missing" in report.read


def test_a_run_and_its_conversion_are_one_run():
    for paths in [SQUARES, CONVERTED], [CONVERTED, SQUARES]:
        report = score(paths, "avg@n")
        assert report.rows[0].estimate == .25 and report.rows[0].n_max == 2
        assert "8 samples that several files hold count once" in report.read


def test_parts_of_one_run_are_not_merged():
    for pair in [SQUARES, CONVERTED], [count(SUMS_ONCE, missing="drop"), SUMS_AGAIN]:
        with pytest.raises(ValueError, match="run 1 and run 2 hold parts of one run of task 's"):
            merge(*pair, separate=True, union=True)


def test_samples_of_one_name_count_once_in_other_runs_too(tmp_path):
    samples = answers("CI", uuid="u") [:1] + answers("CC", uuid="v")[1:]
    one = log(tmp_path / "a.json", samples)
    two = log(tmp_path / "b.json", [samples[0], inspect_sample(5, 1, "C")], task_id="other")
    rows = read([one, two])
    assert len(rows) == 3 and "1 sample that several files hold counts once" in rows.source


def test_reruns_without_names_of_samples(tmp_path):
    lost = inspect_sample("a", 1, "C") | dict(scores={}, error=dict(message="x"))
    first = log(tmp_path / "1.json", [lost, inspect_sample("b", 1, "C")])
    later = log(tmp_path / "2.json", [inspect_sample("a", 1, "I"), inspect_sample("b", 2, "C")])
    rows = read([first, later])
    assert len(rows) == 3 and rows.times[rows.correct == 1].sum() == 2
    assert "1 sample run again counts as rerun" in rows.source


def test_a_sample_with_two_scores_is_refused(tmp_path):
    paths = [log(tmp_path / f"{value}.json", answers([value], uuid="u")) for value in "CI"]
    with pytest.raises(ValueError, match="has one score, got 1.0 in C.json and 0.0 in I.json"):
        read(paths)


def test_a_run_that_wrote_no_sample_blocks_no_retry(tmp_path):
    log(tmp_path / "1.json", [], task_id="run")
    log(tmp_path / "2.json", answers("CI"))
    rows = read(tmp_path)
    assert len(rows) == 2 and "skipped: 1.json holds no samples" in rows.source
    with pytest.raises(ValueError, match="1.json holds no samples"): read(tmp_path / "1.json")


# Per-task results.

def test_tasks_are_groups_and_clusters_where_asked():
    report = score(SQUARES, "avg@n", by="task")
    assert values(report) == {"all questions": .25, "squares": .25}
    assert "2 clusters" in score(SET, "avg@n", cluster="task").rows[0].stderr_kind
    assert compare(SQUARES, CONVERTED, "avg@n", cluster="task").rows
    assert set(values(score(SET, "avg@n", by=False))) == {""}
    with pytest.raises(ValueError, match="a log has its own columns, got by='kind'.*by='task'"):
        score(SQUARES, "avg@n", by="kind", harness="inspect")
    with pytest.raises(ValueError, match="by='task' needs the task of every sample"):
        score(LOGS / "tau_bench", "avg@n", by="task")


def test_a_table_may_have_a_column_called_task():
    rows = [dict(question=i, correct=i % 2, task="ab"[i // 2]) for i in range(4)]
    assert set(values(score(rows, "avg@n", by="task"))) >= {"a", "b"}


def test_a_file_with_a_column_called_task(tmp_path):
    rows = [dict(question=i, correct=i % 2, task="ab"[i // 2]) for i in range(4)]
    path = put(tmp_path / "t.jsonl", rows, True)
    assert set(values(score(path, "avg@n", by="task"))) >= {"a", "b"}


# Folders.

def lay_others(folder):
    "What a project has beside its logs."
    (folder / "tsconfig.json").write_text('{ // settings\n  "include": ["src"] }')
    put(folder / "package.json", dict(name="x", version="1"))
    (folder / "empty.jsonl").write_text("")
    return folder


def test_a_folder_skips_what_is_no_log(tmp_path):
    shutil.copy(SQUARES, lay_others(tmp_path))
    report = score(tmp_path, "avg@n")
    assert report.rows[0].estimate == .25
    assert ("skipped 2 files (empty.jsonl, package.json), as no log; "
            "skipped tsconfig.json, which cannot be read") in report.read
    for name in "tsconfig.json", "empty.jsonl":
        with pytest.raises(ValueError, match=name): score([SQUARES, tmp_path / name], "avg@n")


def test_logs_of_another_harness_are_told_apart(tmp_path):
    for path in SQUARES, LM[2]: shutil.copy(path, tmp_path)
    with pytest.raises(ValueError, match="holds logs of inspect and lm-eval; pass harness="):
        read(tmp_path)
    assert f"skipped {LM[2].name}, as no log of inspect" in read(tmp_path, harness="inspect").source


def test_an_interrupted_log_is_not_skipped(tmp_path):
    shutil.copy(SQUARES, tmp_path)
    (tmp_path / "z.eval").write_bytes(SQUARES.read_bytes()[:2000])
    with pytest.raises(ValueError, match="need a complete zip archive"): read(tmp_path)


def test_the_sentence_tells_every_kind():
    said = score([LM[0], LM[2]], "avg@n", filter="flexible-extract").read
    assert f"lm-eval, {LM[0].name}: question=doc_id, sample=repeat, score=exact_match" in said
    assert f"lm-eval, {LM[2].name}: question=doc_id, sample=repeat, score=acc" in said


def test_logs_without_outcomes_never_block_a_folder():
    report = score(KINDS, "avg@n")
    truth = json.loads(next(KINDS.glob("results*")).read_text())["results"]
    assert report["mygen", "avg@1"].estimate == pytest.approx(truth["mygen"]["exact_match,none"])
    assert report["mymc", "avg@1"].estimate == pytest.approx(truth["mymc"]["acc,none"])
    assert "samples_mygen_rep_2026-11-22T04-24-34.119510.jsonl: 4 texts a question" in report.read
    assert "it holds the likelihood of whole texts, no answers" in report.read
    assert "skipped results_2026-11-22T04-24-34.119510.json, as no log" in report.read


def test_texts_beside_judged_samples_are_told():
    said = score(LOGS / "human_eval", "avg@n").read
    assert "skipped example_samples.jsonl, whose samples stand judged in other files" in said


def test_a_folder_of_plain_tables_says_so(tmp_path):
    lay_others(tmp_path)
    for name in "a", "b":
        put(tmp_path / f"{name}.jsonl", [dict(question=name, correct=1)], True)
    rows = read(tmp_path)
    assert len(rows) == 2
    assert "skipped 3 files (empty.jsonl, package.json, tsconfig.json), as no table" in rows.source
    assert "none of 5 files is a log of a harness, so 2 are read as plain tables" in rows.source
    put(tmp_path / "c.jsonl", [dict(frage="c")], True)
    with pytest.raises(ValueError, match="none of 6 files is a log of a harness"): read(tmp_path)


def test_an_empty_parquet_file_is_skipped_in_a_folder(tmp_path):
    shutil.copy(SQUARES, tmp_path)
    (tmp_path / "a.parquet").write_text("")
    assert "skipped a.parquet, as no log" in read(tmp_path).source


def test_archives_without_names_of_runs_are_runs_of_their_own(tmp_path):
    shutil.copy(SQUARES, tmp_path)
    zipped(tmp_path / "more.eval", {"header.json": HEADER | dict(version=2)} | {
        "samples/1.json": inspect_sample(1, 3, "C")})
    assert len(read(tmp_path)) == 9
