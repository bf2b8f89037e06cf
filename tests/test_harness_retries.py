"Logs of one run put together, tasks that may be paired, and what counts once."

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from harness_cases import HEADER, LOGS, inspect_sample, lm_rows, load, put, zipped
from sampling_eval import compare, count, gate, merge, plan, read, score
from sampling_eval.reading.logs.several import Held, join_runs
from sampling_eval.reading.logs.samples import Table

SET = LOGS / "inspect_set"
SQUARES, SUMS_ONCE, SUMS_AGAIN = sorted(SET.glob("*.eval"))
CONVERTED = LOGS / "inspect_converted/squares.json"
KINDS = LOGS / "lm_eval_kinds/mock"


def values(report):
    return {row.group: round(row.estimate, 6) for row in report.rows}


def notes(path, **options):
    "Notes on what was read, by kind: their count."
    return {note.kind: note.count for note in read(path, **options).summary.notes}


# What is one sample.


def table(name, *rows):
    made = Table(Path(f"/logs/{name}"))
    for row in rows:
        made.add(dict(model="m", task="t") | row)
    return made


def sample(question, number, score, **more):
    return dict(question=question, sample=number, score=score) | more


def rows(made):
    columns = made.columns
    return list(zip(columns["question"], columns["sample"], columns["score"]))


@pytest.mark.parametrize(
    "one, two, same",
    [
        (dict(uuid="u"), dict(uuid="u"), True),
        (dict(uuid="u"), dict(uuid="v"), False),
        (dict(score=1), dict(score=0), True),
        (dict(score=1), {}, False),
        ({}, dict(score=1), False),
        (dict(score=1), dict(score=float("nan")), False),
        (dict(correct=False), dict(score=1), True),
        (dict(uuid="u", score=1), dict(score=1), True),
        (dict(uuid="u"), dict(score=1), False),
        (dict(uuid="u"), dict(uuid="v", score=1), False),
    ],
)
def test_what_is_one_sample(one, two, same):
    held = [Held(dict(uuid=None, score=None, correct=None) | row, Path("x")) for row in (one, two)]
    assert held[0].is_same(held[1]) is same


@pytest.mark.parametrize(
    "one, two, want, counted",
    [
        # The later entry counts, unless it alone has no outcome.
        (
            [sample("a", 0, 1.0), sample("b", 0, None), sample("c", 0, 0.0), sample("d", 0, None)],
            [sample("b", 0, 0.0), sample("a", 0, 1.0), sample("d", 0, None), sample("e", 0, 1.0)],
            [("a", 0, 1.0), ("b", 0, 0.0), ("c", 0, 0.0), ("d", 0, None), ("e", 0, 1.0)],
            dict(counted_once=1, rerun=2),
        ),
        ([sample("a", 0, 1.0)], [sample("a", 0, None)], [("a", 0, 1.0)], dict(rerun=1)),
        (
            [sample("a", 0, 1.0, uuid="u"), sample("b", 0, 1.0, uuid="v")],
            [sample("a", 0, 0.0, uuid="w"), sample("b", 0, 1.0, uuid="v")],
            [("a", 0, 0.0), ("b", 0, 1.0)],
            dict(counted_once=1, rerun=1),
        ),
        # A sample that stands twice in one log stays twice, and is refused later.
        (
            [sample("a", 0, 1.0)] * 2,
            [sample("a", 0, 1.0)] * 2,
            [("a", 0, 1.0)] * 2,
            dict(counted_once=2),
        ),
    ],
)
def test_retries_of_one_run(one, two, want, counted):
    logs = [
        table("1", *(row | dict(run="r") for row in one)),
        table("2", *(row | dict(run="r") for row in two)),
    ]
    (made,), told = join_runs(logs)
    assert rows(made) == want and made.path == Path("/logs/2")
    assert {kind: n for kind, n in told.items() if n} == counted | dict(run_parts=2)


def test_outcomes_of_any_part():
    one = table("1", sample("a", 0, None, run="r", correct=True))
    (made,), _ = join_runs([one, table("2", sample("b", 0, 1.0, run="r"))])
    assert made.outcomes and made.columns["correct"] == [True, None]


@pytest.mark.parametrize("more", [dict(run="r"), dict(uuid="u")])
def test_two_scores_of_one_sample(more):
    pair = [table(str(i), sample("a", 3, float(i), **more)) for i in range(2)]
    with pytest.raises(ValueError) as error:
        join_runs(pair)
    assert (
        str(error.value)
        == "a sample has one score, got 0.0 in 0 and 1.0 in 1 for sample 3 of "
        "question 'a'; leave one of the files out"
    )


def test_runs_of_their_own():
    "Without a name, of another model, of several models, and with one name of another model."
    logs = [
        table("1", sample("a", 0, 1.0)),
        table("2", sample("a", 0, 0.0)),
        table("3", sample("a", 0, 1.0, run="r")),
        table("4", sample("a", 0, 1.0, run="r", model="n")),
        table("5", sample("a", 0, 1.0, run="r"), sample("a", 0, 1.0, run="s")),
        table("6"),
    ]
    made, told = join_runs(logs)
    assert [one.path.name for one in made] == ["1", "2", "3", "4", "5"] and not any(told.values())
    assert made[0] is logs[0]


def test_copies_in_other_runs_are_let_go():
    one = table("1", sample("a", 0, 1.0, uuid="u"), sample("b", 0, 1.0))
    two = table(
        "2",
        sample("c", 0, 0.0, uuid="w"),
        sample("a", 0, 1.0, uuid="u"),
        sample("b", 0, 1.0),
        sample("a", 1, None, uuid="u"),
    )
    made, told = join_runs([one, two, table("3", sample("a", 0, 1.0, uuid="u"))])
    assert [rows(part) for part in made] == [
        [("a", 0, 1.0), ("b", 0, 1.0)],
        [("c", 0, 0.0), ("b", 0, 1.0)],
    ]
    assert told["counted_once"] == 3 and told["rerun"] == told["run_parts"] == 0


# Runs.


def log(path, samples, **about):
    "A log of inspect_ai as one document."
    told = dict(version=2, status="success", eval=dict(task="t", model="m", task_id="run") | about)
    return put(path, told | dict(samples=samples))


def answers(values, **more):
    return [inspect_sample(i, 1, value, **more) for i, value in enumerate(values)]


def test_a_retried_eval_set_counts_every_sample_once():
    report = score(SET, "avg@n")
    assert values(report) == {
        "all questions": 0.4375,
        "squares": 0.25,
        "sums": 0.625,
        "mean of 2 groups": 0.4375,
    }
    assert report["sums", "avg@2"].questions == 4 and report.rows[0].missing == 0
    found = read(SET).summary
    counted = {note.kind: note.count for note in found.notes if note.count}
    assert counted == dict(run_parts=2, counted_once=1, rerun=1)
    assert not found.has("log"), "how the part ended that others complete"
    assert values(score(SET, "avg@n", files_hold="draws")) == values(report)


def test_a_run_and_its_conversion_are_one_run():
    for paths in [SQUARES, CONVERTED], [CONVERTED, SQUARES]:
        report = score(paths, "avg@n")
        assert report.rows[0].estimate == 0.25 and report.rows[0].n_max == 2
        assert notes(paths)["counted_once"] == 8


def test_parts_of_one_run_are_not_merged():
    for pair in [SQUARES, CONVERTED], [count(SUMS_ONCE, missing="drop"), SUMS_AGAIN]:
        with pytest.raises(ValueError, match="run 1 and run 2 hold parts of one run of task 's"):
            merge(*pair, separate=True, union=True)


def test_samples_of_one_name_count_once_in_other_runs_too(tmp_path):
    samples = answers("CI", uuid="u")[:1] + answers("CC", uuid="v")[1:]
    one = log(tmp_path / "a.json", samples)
    two = log(tmp_path / "b.json", [samples[0], inspect_sample(5, 1, "C")], task_id="other")
    assert len(read([one, two])) == 3 and notes([one, two])["counted_once"] == 1


def test_reruns_without_names_of_samples(tmp_path):
    lost = inspect_sample("a", 1, "C") | dict(scores={}, error=dict(message="x"))
    first = log(tmp_path / "1.json", [lost, inspect_sample("b", 1, "C")])
    later = log(tmp_path / "2.json", [inspect_sample("a", 1, "I"), inspect_sample("b", 2, "C")])
    found = read([first, later])
    assert len(found) == 3 and found.times[found.correct == 1].sum() == 2
    assert notes([first, later])["rerun"] == 1


def test_a_run_that_wrote_no_sample_blocks_no_retry(tmp_path):
    log(tmp_path / "1.json", [], task_id="run")
    log(tmp_path / "2.json", answers("CI"))
    found = read(tmp_path)
    (said,) = [note.text for note in found.summary.notes if note.kind == "skipped_logs"]
    assert len(found) == 2 and said.startswith("1.json holds no samples")
    with pytest.raises(ValueError, match="1.json holds no samples"):
        read(tmp_path / "1.json")


def test_archives_without_names_of_runs_are_runs_of_their_own(tmp_path):
    shutil.copy(SQUARES, tmp_path)
    zipped(
        tmp_path / "more.eval", {"header.json": HEADER, "samples/1.json": inspect_sample(1, 3, "C")}
    )
    assert len(read(tmp_path)) == 9


def test_an_interrupted_log_is_not_skipped(tmp_path):
    shutil.copy(SQUARES, tmp_path)
    (tmp_path / "a.parquet").write_text("")
    assert ("a.parquet",) in [note.names for note in read(tmp_path).summary.notes]
    (tmp_path / "z.eval").write_bytes(SQUARES.read_bytes()[:2000])
    with pytest.raises(ValueError, match="need a complete zip archive"):
        read(tmp_path)


# Samples that were declared invalid.


@pytest.mark.parametrize("names", ["ab", "ba"])
@pytest.mark.parametrize("run", ["same", "other"])
def test_a_sample_that_one_copy_declares_invalid_has_no_outcome(tmp_path, names, run):
    samples = answers("CCC")
    for i, one in enumerate(samples):
        one["uuid"] = f"u{i}"
    first, second = names
    log(tmp_path / f"{first}.json", samples, task_id="r")
    samples[1] |= dict(invalidation=dict(reason="leaked"))
    log(tmp_path / f"{second}.json", samples, task_id="r" if run == "same" else "s")
    with pytest.raises(ValueError, match="1"):
        score(tmp_path)
    report = score(tmp_path, "avg@n", missing="wrong")
    assert report.rows[0].estimate == pytest.approx(2 / 3) and report.rows[0].n_max == 1
    assert report.rows[0].missing == 1 and notes(tmp_path)["invalid_elsewhere"] == 1


def test_a_sample_that_was_run_again_after_it_was_invalid_counts(tmp_path):
    bad = inspect_sample(2, 1, "C", uuid="v", invalidation=dict(reason="x"))
    log(tmp_path / "a.json", [inspect_sample(1, 1, "I", uuid="u"), bad])
    log(tmp_path / "b.json", [inspect_sample(2, 1, "C", uuid="w")])
    assert score(tmp_path, "avg@n").rows[0].estimate == 0.5


def test_an_invalid_sample_without_a_name_beside_an_outcome_is_refused(tmp_path):
    log(tmp_path / "a.json", answers("CC"))
    log(tmp_path / "b.json", answers("C", invalidation=dict(reason="x")))
    with pytest.raises(
        ValueError,
        match=(
            "a sample is valid or not, got sample 1 of question 0 invalid "
            "in b.json and with an outcome in a.json"
        ),
    ):
        score(tmp_path)


def test_a_log_whose_samples_are_all_invalid_is_not_skipped(tmp_path):
    samples = [inspect_sample(q, 1, "C", uuid=f"u{q}") for q in range(3)]
    log(tmp_path / "a.json", samples)
    log(tmp_path / "b.json", [samples[1] | dict(invalidation=dict(reason="x"))], task_id="other")
    assert score(tmp_path, "avg@n", missing="wrong").rows[0].missing == 1
    with pytest.raises(ValueError, match="were not scored"):
        score(tmp_path / "b.json")


# Logs of different tasks are not paired.


def test_different_tasks_are_not_paired(tmp_path):
    pair = [SQUARES, SUMS_AGAIN]
    names = {task: f"samples_{task}_2026-01-01T00-00-00.jsonl" for task in "xy"}
    texts = [put(tmp_path / name, lm_rows("small", task), True) for task, name in names.items()]
    retail = load(LOGS / "tau2/results.json")
    airline = retail | dict(
        info=retail["info"] | dict(environment_info=dict(domain_name="airline"))
    )
    taus = [put(tmp_path / f"{i}.json", told) for i, told in enumerate([airline, retail])]
    counts = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for source, path in zip(pair, counts):
        count(source, path)
    assert [task.name for task in read(counts[0]).tasks] == ["squares"]
    told = "same task are paired, got {!r} in {} and {!r} in {},".format
    for call, said in (
        (lambda: compare(*pair, "avg@n"), ("squares", "A", "sums", "B")),
        (lambda: compare(*counts, "avg@n"), ("squares", "A", "sums", "B")),
        (lambda: compare(*texts, "avg@n"), ("x", "A", "y", "B")),
        (lambda: compare(*taus, "avg@n", missing="drop"), ("airline", "A", "retail", "B")),
        (
            lambda: gate(SQUARES, baseline=SUMS_AGAIN, metrics="pass@1", max_drop=0.1),
            ("sums", "baseline", "squares", "new"),
        ),
        (lambda: plan(pilot=SQUARES, pilot_b=SUMS_AGAIN, delta=0.1), ("squares", "A", "sums", "B")),
        (lambda: merge(*pair, separate=True), ("squares", "run 1", "sums", "run 2")),
    ):
        with pytest.raises(ValueError) as error:
            call()
        assert told(*said) in str(error.value)


def test_tasks_that_are_one(tmp_path):
    "Names of files, packages and examples tell no tasks apart; equal documents are one task."

    def copy(source):
        return [
            shutil.copy(source, tmp_path / f"{name}{Path(source).suffix}")
            for name in ("ours", "theirs")
        ]

    same = [
        copy(LOGS / "opencompass/results/mock/arith.json"),
        copy(next(KINDS.glob("samples_mygen_2*"))),
        [put(tmp_path / f"{name}.jsonl", lm_rows("small", "x"), True) for name in "ab"],
        [
            log(tmp_path / f"{i}.json", answers("CI"), task=task, model=f"m{i}")
            for i, task in enumerate(["gsm8k", "inspect_evals/gsm8k"])
        ],
    ]
    for paths in same:
        assert compare(*paths, "avg@n").rows[0].difference == 0
    sides = [replace(read(path), tasks=()) for path in (SQUARES, SUMS_AGAIN)]
    assert compare(*sides, "pass@1").rows[0].questions == 4
    several = compare(SQUARES, SET, "avg@n", on_unmatched="drop")
    assert several.rows[0].questions == 4 and several.rows[0].difference == 0


def test_another_version_of_a_task_is_told(tmp_path):
    paths = [
        log(
            tmp_path / f"{i}.json", answers("CI", input=f"text {i}"), task_version=i, task_id=f"{i}"
        )
        for i in range(2)
    ]
    (note,) = [
        one for one in read(paths, files_hold="draws").summary.notes if one.kind == "task_versions"
    ]
    assert note.names[0] == "t" and len(note.names) == 3
    assert note.names[1].startswith("version 0, questions 1, hash ")
    alike = log(tmp_path / "c.json", answers("II", input="text 0"), task_version=0, task_id="other")
    assert not read([paths[0], alike], files_hold="draws").summary.has("task_versions")


# Per-task results.


def test_tasks_are_groups_and_clusters_where_asked():
    report = score(SQUARES, "avg@n", by="task")
    assert values(report) == {"all questions": 0.25, "squares": 0.25}
    assert "2 clusters" in score(SET, "avg@n", cluster="task").rows[0].stderr_kind
    assert compare(SQUARES, CONVERTED, "avg@n", cluster="task").rows
    assert set(values(score(SET, "avg@n", by=False))) == {""}
    with pytest.raises(ValueError, match="a log has its own columns, got by='kind'.*by='task'"):
        score(SQUARES, "avg@n", by="kind", harness="inspect")
    with pytest.raises(ValueError, match="by='task' needs the task of every sample"):
        score(LOGS / "tau_bench", "avg@n", by="task")


def test_a_table_may_have_a_column_called_task(tmp_path):
    rows = [dict(question=i, correct=i % 2, task="ab"[i // 2]) for i in range(4)]
    for given in rows, put(tmp_path / "t.jsonl", rows, True):
        assert set(values(score(given, "avg@n", by="task"))) >= {"a", "b"}


def test_logs_without_outcomes_never_block_a_folder():
    report = score(KINDS, "avg@n")
    truth = load(next(KINDS.glob("results*")))["results"]
    assert report["mygen", "avg@1"].estimate == pytest.approx(truth["mygen"]["exact_match,none"])
    assert report["mymc", "avg@1"].estimate == pytest.approx(truth["mymc"]["acc,none"])
    said = {(note.kind, note.text or note.names) for note in read(KINDS).summary.notes}
    assert ("no_logs", ("results_2026-11-22T04-24-34.119510.json",)) in said
    assert sorted(text.partition(": ")[2] for kind, text in said if kind == "skipped_logs") == [
        "4 texts a question and one metric over them by each filter",
        "it holds the likelihood of whole texts, no answers",
    ]


def test_a_folder_of_plain_tables_says_so(tmp_path):
    (tmp_path / "tsconfig.json").write_text('{ // settings\n  "include": ["src"] }')
    put(tmp_path / "package.json", dict(name="x", version="1"))
    (tmp_path / "empty.jsonl").write_text("")
    others = "empty.jsonl", "package.json", "tsconfig.json"
    shutil.copy(SQUARES, tmp_path)
    names = {note.kind: note.names for note in read(tmp_path).summary.notes}
    assert names == dict(no_logs=others[:2], unreadable=others[2:])
    for name in "tsconfig.json", "empty.jsonl":
        with pytest.raises(ValueError, match=name):
            score([SQUARES, tmp_path / name], "avg@n")
    (tmp_path / SQUARES.name).unlink()
    for name in "a", "b":
        put(tmp_path / f"{name}.jsonl", [dict(question=name, correct=1)], True)
    found = read(tmp_path)
    skipped, plain = found.summary.notes
    assert len(found) == 2 and (skipped.kind, skipped.names) == ("skipped_files", others)
    assert (plain.kind, plain.total, plain.count) == ("plain_tables", 5, 2)
    put(tmp_path / "c.jsonl", [dict(frage="c")], True)
    with pytest.raises(ValueError, match="none of 6 files is a log of a harness"):
        read(tmp_path)
