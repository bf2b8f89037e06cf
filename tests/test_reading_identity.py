"""Which rows are samples of one question, and which are copies.

Names, outcomes and scores at their boundaries."""

import json
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import sampling_eval as se
from conftest import command, name_kind
from test_reading_origins import cross, leave_out, write_file
from sampling_eval import read, score
from sampling_eval.reading import tables as sources
from sampling_eval.reading.columns import COLUMNS
from sampling_eval.reading.counts_file import merge_rows
from sampling_eval.reading.column_names import KIND_NAMES
from sampling_eval.reading.load import load
from sampling_eval.reading.options import Options

TASKS, SYSTEMS, GRADES = (KIND_NAMES[kind].split() for kind in ("task", "system", "grade"))


def list_sizes(rows):
    "Samples of each question."
    return dict(zip(rows.questions.tolist(), np.bincount(rows.question, rows.times).astype(int)))


def find_refusal(data, **options):
    with pytest.raises(ValueError) as error:
        read(data, **options)
    return str(error.value)


def restart(column, values=("a", "b"), questions=8):
    "Names of questions that restart for each value of a column."
    return leave_out(cross(**{column: values, "question_id": range(questions), "s": range(3)}), "s")


# Columns that are known by name.


@pytest.mark.parametrize("column", [*TASKS, "Data Set", "DATASET", "task-name"])
def test_tasks_name_the_questions_that_restart(column):
    rows = read(restart(column))
    assert set(list_sizes(rows).values()) == {3} and len(rows.questions) == 16
    assert (
        f"questions are named {column}/question_id, since one question_id stands under"
        in rows.source
    )
    assert list_sizes(read(restart(column), ignore=column)) == dict.fromkeys(range(8), 6)
    assert len(read(restart(column), by=column).questions) == 16


@pytest.mark.parametrize(
    "column", [name for name in (*SYSTEMS, *GRADES) if name not in COLUMNS["model"]]
)
def test_other_systems_and_graders_are_refused(column):
    told = find_refusal(restart(column))
    assert f"of {'one' if column in SYSTEMS else 'several'} {column}" in told
    assert "got 'a' and 'b' for question_id 0 (8 of 8 questions fail)" in told
    assert f"ignore={column!r}" in told and "sample=" not in told
    assert (f"model={column!r}" in told) == (column in SYSTEMS)
    assert list_sizes(read(restart(column), ignore=[column])) == dict.fromkeys(range(8), 6)
    once = cross(**{column: ["a", "b"], "question_id": range(8)})
    assert (f"sample={column!r}" in find_refusal(once)) == (column in SYSTEMS)


@pytest.mark.parametrize("column", [*TASKS, *SYSTEMS, *GRADES])
def test_what_is_one_within_a_question_is_left_alone(column):
    rows = [
        dict(id=q, correct=(q + s) % 2) | {column: f"v{q % 3}"} for q in range(9) for s in range(4)
    ]
    found = read(rows)
    assert set(list_sizes(found).values()) == {4} and found.questions.tolist() == [*range(9)]
    assert "questions are named" not in found.source


def test_several_tasks_name_a_question_together():
    columns = leave_out(cross(split=["x", "y"], dataset=["a", "b"], id=range(5), s=range(3)), "s")
    rows = read(columns)
    assert len(rows.questions) == 20 and "a/x/0" in rows.questions
    assert "questions are named dataset/split/id" in rows.source
    columns["benchmark"] = columns["dataset"]
    assert len(read(columns).questions) == 20
    assert "questions are named dataset/split/id" in read(columns).source
    by = read(columns, by="dataset")
    assert len(by.questions) == 20 and sorted(set(by.group)) == ["a", "b"]


def test_clusters_of_tasks_whose_names_restart():
    rows = read(restart("dataset"), cluster="dataset")
    assert len(rows.questions) == 16 and sorted(set(rows.cluster)) == ["a", "b"]
    assert len(load(restart("dataset"), Options.of(dict(cluster="dataset"))).blocks["", ""]) == 16


def test_a_row_without_its_task_is_refused():
    columns = restart("dataset")
    columns["dataset"][4] = None
    assert "every row needs a dataset, got none at row 4 (1 of 48 fail)" in find_refusal(columns)


def test_systems_of_one_model_are_refused_too():
    columns = cross(model=["m", "n"], temperature=[0, 0.7], id=range(4))
    told = find_refusal(columns)
    assert "a question needs rows of one temperature, got 0 and 0.7 for id 0 (8 of 8" in told
    assert sorted(read(columns, model="temperature").models()) == ["0", "0.7"]
    lone = {
        name: [v for v, model in zip(values, columns["model"]) if model == "m"]
        for name, values in columns.items()
    }
    assert set(find_refusal(lone).split()) >= {"pass", "model='temperature'"}


def test_another_spelling_of_the_model_does_not_matter_once_one_is_named():
    columns = cross(model=["m", "n"], run=["m-fast", "m-slow"], id=range(4))
    assert len(read(columns, model="run").models()) == 2


# Columns that no name tells of.


def test_a_crossed_column_is_refused_whatever_its_name():
    told = find_refusal(restart("variant"))
    assert told == (
        "column 'variant' takes the same values ('a', 'b') in every question: "
        "a model, a setting or the sample? Pass model='variant' to tell them apart, "
        "by='variant' if they are groups, or ignore='variant' if it changes nothing"
    )
    assert len(read(restart("variant"), by="variant").questions) == 16
    numbered = cross(variant=["a", "b"], id=range(8), s=range(3))
    numbered["sample"] = [
        s + 3 * (v == "b") for s, v in zip(numbered.pop("s"), numbered["variant"])
    ]
    assert "column 'variant' takes the same values" in find_refusal(numbered)
    assert "column 'variant' takes the same values" in find_refusal(
        {name: values[:-3] for name, values in restart("variant", questions=40).items()}
    )


def test_what_numbers_the_samples_is_no_system():
    for values in range(4), range(1, 5), [True, False]:
        columns = cross(gen=values, id=range(20))
        if values == [True, False]:
            assert "column 'gen' takes the same values" in find_refusal(columns)
        else:
            assert set(list_sizes(read(columns)).values()) == {4}
    letters = cross(gen="abcd", id=range(20))
    assert "sample='gen' if they are draws" in find_refusal(letters)
    letters["sample"] = ["abcd".index(letter) for letter in letters["gen"]]
    assert set(list_sizes(read(letters)).values()) == {4}
    assert (
        read(cross(rank=range(4), id=range(20), sample=["x", "y"]) | dict(sample=[*range(160)]))
        is not None
    )


@pytest.mark.parametrize("seed", range(30))
def test_completions_and_their_kind_are_no_identities(seed):
    rng = np.random.default_rng(seed)
    questions, n = int(rng.integers(1, 40)), int(rng.integers(1, 20))
    rows = []
    for q in range(questions):
        for s in range(n):
            rows.append(
                dict(
                    question=q,
                    sample=s,
                    correct=int(rng.random() < 0.6),
                    answer="ABCD"[rng.integers(4)],
                    finish=["stop", "length"][int(rng.random() < 0.1)],
                    hard=f"level {q % 3}",
                    kind=q % 4,
                    tokens=int(rng.integers(900)),
                    judge=f"j{rng.integers(3)}",
                    seconds=rng.random(),
                    flag=bool(rng.integers(2)),
                    strict=int(rng.random() < 0.3),
                    extracted="ABCD"[rng.integers(4)],
                    text=f"word {rng.integers(10**6)}",
                    version=1,
                    prompt=f"What is {q}?",
                )
            )
    assert set(list_sizes(read(rows)).values()) == {n}


def test_one_question_raises_no_alarm_and_few_do():
    assert len(read([dict(id=1, correct=i % 2, kind=f"k{i % 9}") for i in range(900)])) == 900
    assert "column 'kind' takes the same" in find_refusal(
        [dict(id=i // 2, correct=0, kind="ab"[i % 2]) for i in range(8)]
    )
    rare = [dict(id=i // 8, correct=i % 2, kind="a" if i % 8 == i // 8 else "b") for i in range(16)]
    assert len(read(rare)) == 16


# Texts of questions.


def list_prompts(prompts, n, **more):
    rows = [
        dict(prompt=f"What is {p}?", correct=(p + s) % 2) for p in range(prompts) for s in range(n)
    ]
    return [dict(id=i) | row | more for i, row in enumerate(rows)]


@pytest.mark.parametrize("text", ["prompt", "problem", "Question_Text", "input", "instruction"])
def test_row_ids_beside_repeated_prompts_are_asked_about(text):
    rows = [
        {text if name == "prompt" else name: v for name, v in row.items()}
        for row in list_prompts(12, 4)
    ]
    told = find_refusal(rows)
    assert told == (
        f"48 rows have 48 different id, but most share their {text} with another; "
        f"pass question={text!r} if rows of one {text} are samples of one question, "
        "question='id' if each is a question of its own"
    )
    assert set(list_sizes(read(rows, question=text)).values()) == {4}
    assert set(list_sizes(read(rows, question="id")).values()) == {1}


def test_row_ids_of_several_models():
    rows = [row | dict(id=f"{m}{row['id']}", model=m) for m in "xy" for row in list_prompts(6, 2)]
    assert "share their prompt" in find_refusal(rows)
    single = [row | dict(model=m) for m in "xy" for row in list_prompts(6, 1)]
    assert read(single).models().keys() == {"x", "y"}
    apart = [row | dict(id=f"{m}{row['id']}") for m in "xy" for row in list_prompts(6, 1)]
    assert "share their prompt" in find_refusal(apart)


def test_texts_that_are_not_the_question_raise_no_alarm():
    template = [dict(id=i, instruction="Solve.", input=f"p{i}", correct=i % 2) for i in range(40)]
    assert len(read(template).questions) == 40
    few = list_prompts(30, 1) + [dict(id=90 + i, prompt="What is 1?", correct=1) for i in range(3)]
    assert len(read(few).questions) == 33
    assert len(read([dict(id=i, prompt="", correct=i % 2) for i in range(9)]).questions) == 9
    assert len(read([dict(id=i, prompt="go", correct=i % 2) for i in range(9)]).questions) == 9


def test_one_name_of_two_texts_is_refused():
    rows = [dict(id=i % 6, prompt=f"p{i % 12}", correct=i % 2) for i in range(48)]
    assert find_refusal(rows) == (
        "one id needs one prompt, got two for 0; "
        "pass question='prompt' if the text is the question, "
        "or ignore='prompt' if its wording changes from sample to sample"
    )
    assert set(list_sizes(read(rows, ignore="prompt")).values()) == {8}
    styles = [dict(id=i % 9, prompt=["io", "cot"][i // 9 % 2], correct=i % 2) for i in range(36)]
    assert "pass model='prompt' to tell these apart" in find_refusal(styles)
    named = [row | dict(dataset="ab"[i // 6 % 2]) for i, row in enumerate(rows)]
    assert len(read(named).questions) == 12


# Runs.


@pytest.mark.parametrize("column", ["run", "run_id", "seed", "epoch", "trial", "attempt"])
def test_runs_number_the_samples(column):
    rows = read(cross(**{column: range(1, 5), "question_id": range(8)}))
    assert rows.model is None and list_sizes(rows) == dict.fromkeys(range(8), 4)
    assert f"sample={column}" in rows.source
    both = read(cross(**{column: range(1, 5), "question_id": range(8), "model": ["a", "b"]}))
    assert [list_sizes(o) for o in both.models().values()] == [dict.fromkeys(range(8), 4)] * 2


def test_runs_with_stems_hashes_and_dates_are_numbers():
    for values in ["run_1", "run_2"], ["2026-01-01", "2026-01-02"], ["0f3a9b2c11", "77aa0012bc"]:
        assert list_sizes(read(cross(run=values, id=range(6)))) == dict.fromkeys(range(6), 2)


def test_runs_that_may_be_models_are_refused_by_name():
    told = find_refusal(cross(run=["gpt", "claude"], id=range(6)))
    assert told == (
        "run must number the samples, got 'claude' and 'gpt'; "
        "pass model='run' if each is a model of its own, "
        "or sample='run' if they are draws of one model"
    )
    assert len(read(cross(run=["gpt", "claude"], id=range(6)), model="run").models()) == 2
    again = leave_out(cross(run=range(4), id=range(6), s=range(2)), "s")
    told = find_refusal(again)
    ways = (
        "if each run is a model of its own, pass model='run'; "
        "if each row is a sample of its own, pass sample=False"
    )
    assert ways in told
    assert len(read(again, model="run").models()) == 4
    assert set(list_sizes(read(again, sample=False)).values()) == {8}
    # What was passed already is no advice.
    deep = cross(run=range(4), sample=range(2), id=range(6), s=range(2))
    twice = find_refusal(leave_out(deep, "s"), model="run")
    assert "pass model='run'" not in twice and "pass sample=False" in twice
    beside = cross(run=range(4), sample=range(2), id=range(6))
    assert (
        set(list_sizes(read(beside)).values()) == {8} and "sample=sample,run" in read(beside).source
    )
    assert set(list_sizes(read(beside, sample="run,sample")).values()) == {8}
    assert len(read(beside, model="run").models()) == 4
    unique = beside | dict(sample=[*range(48)])
    assert set(list_sizes(read(unique)).values()) == {8} and "sample=sample" in read(unique).source
    assert set(list_sizes(read(unique, ignore="run")).values()) == {8}
    assert set(list_sizes(read(unique, sample="sample")).values()) == {8}
    moved = cross(run=range(4), id=range(6)) | dict(llm=["a", "b"] * 12)
    assert "rows of one llm" in find_refusal(moved)


# Files.


def write_models(folder, name, **more):
    "Two files of different models with the same questions, and no column that says so."
    paths = []
    for seed, model in enumerate(["gpt", "claude"]):
        (folder / model).mkdir(exist_ok=True)
        columns = cross(seed, id=range(6), s=range(4))
        paths.append(write_file(name)(leave_out(columns, "s") | more, folder / model))
    return paths


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json", "a.csv", "a.tsv", "a.parquet"])
def test_files_with_the_same_questions_are_told_apart(name, large, tmp_path, monkeypatch):
    if large:
        monkeypatch.setattr(sources, "SMALL", -1)
    paths = write_models(tmp_path, name)
    told = find_refusal(paths)
    assert told == (
        f"files with the same questions must be told apart, got '{name}' and '{name}' for id 0 "
        "(6 of 6 questions fail); pass files_hold='models' if each file is a model, "
        "files_hold='draws' if they hold more samples of one; "
        "if they are other tasks, add a column dataset to each"
    )
    found = read(paths, files_hold="models").models()
    assert {
        model.partition("/")[0]: list_sizes(rows) for model, rows in found.items()
    } == dict.fromkeys(["claude", "gpt"], dict.fromkeys(range(6), 4))
    for path in paths:
        (alone,), mine = (
            read(path).models().values(),
            found[next(m for m in found if m.startswith(path.parent.name))],
        )
        assert (
            alone.counts().c == mine.counts().c[np.argsort(mine.questions)][alone.questions]
        ).all()
    for options in dict(files_hold="draws"), dict(model=False):
        assert list_sizes(read(paths, **options)) == dict.fromkeys(range(6), 8)


@pytest.mark.parametrize("large", [False, True])
def test_files_with_the_same_samples(large, tmp_path, monkeypatch):
    if large:
        monkeypatch.setattr(sources, "SMALL", -1)
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    table = pd.DataFrame(cross(id=range(6), sample=range(4))).to_csv(index=False)
    for path, end in zip(paths, ("", "\n")):
        path.write_text(table + end)
    assert (
        "if the files hold other models or more samples, pass files_hold='models' or 'draws'"
        in find_refusal(paths)
    )
    assert len(read(paths, files_hold="models").models()) == 2
    draws = read(paths, files_hold="draws")
    assert list_sizes(draws) == dict.fromkeys(range(6), 8)
    assert merge_rows(draws).draws is None
    with open(paths[0], "a") as file:
        file.write(paths[0].read_text().splitlines()[1] + "\n")
    assert "each sample must appear once, got file " in find_refusal(paths, files_hold="draws")


def test_parts_and_models_of_files_need_no_option(tmp_path):
    columns = cross(id=range(6), s=range(4))
    halves = [
        {
            name: [v for v, q in zip(values, columns["id"]) if q % 2 == i]
            for name, values in columns.items()
        }
        for i in (0, 1)
    ]
    paths = [
        write_file(f"{i}.jsonl")(leave_out(half, "s"), tmp_path) for i, half in enumerate(halves)
    ]
    assert list_sizes(read(paths)) == list_sizes(read(leave_out(columns, "s")))
    named = [
        write_file(f"m{i}.jsonl")(leave_out(columns, "s") | dict(model=[f"m{i}"] * 24), tmp_path)
        for i in (0, 1)
    ]
    assert read(named).models().keys() == {"m0", "m1"}
    assert (
        "files_hold='models' names each model after its file, but there is model='model'"
        in find_refusal(named, files_hold="models")
    )
    tasks = [
        write_file(f"t{i}.jsonl")(leave_out(columns, "s") | dict(dataset=[f"t{i}"] * 24), tmp_path)
        for i in (0, 1)
    ]
    assert set(list_sizes(read(tasks)).values()) == {4} and len(read(tasks).questions) == 12


# Names that are blank, runs that are added, labels, options.


@pytest.mark.parametrize("blank", ["", " ", "\t"])
def test_blank_names_of_groups_and_models_are_refused(blank):
    rows = [dict(id=q, part=blank if q % 2 else "x", correct=1) for q in range(6)]
    for part in "group", "model":
        told = find_refusal(rows, **{"by" if part == "group" else part: "part"})
        assert told == f"every row needs a {part}, got {blank!r} at row 1; give it a name"


@pytest.mark.parametrize("names", [range(200), range(200, 208), range(-4, 4), "abcdefgh"])
def test_half_of_a_run_is_not_added_in_silence(names):
    rows = [dict(id=q, sample=s, correct=i % 2) for q in range(5) for i, s in enumerate(names)]
    with pytest.raises(ValueError, match="with one sample id in run 1 and run 2"):
        merge_rows(read(rows), read(rows[::2]))
    with pytest.raises(ValueError, match="one sample number in two runs"):
        merge_rows(
            *(
                read([dict(id=1, sample=s, correct=1) for s in half])
                for half in (range(150), range(75))
            )
        )


def test_a_label_says_which_threshold_was_computed():
    rows = [dict(id=q, correct=(q + s) % 2) for q in range(4) for s in range(4)]
    report = se.score(rows, ["g-pass@2_0.5000001", "g-pass@2_0.5"])
    assert [(row.metric, round(row.estimate, 3)) for row in report.rows] == [
        ("g-pass@2_0.5000001", 0.167),
        ("g-pass@2_0.5", 0.833),
    ]


def test_a_column_that_is_ignored_plays_no_part():
    columns = cross(model=["a", "b"], llm=["c", "d"], id=range(6))
    assert read(columns, ignore=["model", "llm"]).model is None
    assert (
        "sample=seed" in read(cross(trial=[0], seed=range(3), id=range(6)), ignore="trial").source
    )


def test_columns_to_ignore_are_checked():
    assert find_refusal(restart("llm"), ignore="lm") == (
        "ignore='lm' is not a column, got 'llm', 'question_id', 'correct'; did you mean 'llm'? "
        "Try: sampling_eval.read(data, ignore='llm')"
    )
    with pytest.raises(ValueError, match="ignore must name each column once"):
        read(restart("llm"), ignore=["llm", "llm"])
    with pytest.raises(ValueError, match="ignore= is for files and frames"):
        load(np.ones((2, 2)), Options.of(dict(ignore="a")))


def test_the_command_speaks_of_its_own_options(tmp_path):
    path = write_file("a.jsonl")(restart("llm"), tmp_path)
    words = "score", path, "-m", "avg@n", "-f", "json"
    refused = command(*words)
    assert (
        refused.returncode == 2
        and "pass --model llm to tell them apart, or --ignore llm if" in refused.stderr
    )
    done = command(*words, "--ignore", "llm")
    assert done.returncode == 0 and json.loads(done.stdout)["rows"][0]["n_max"] == 6


# Rows that stand in a table twice are named as copies, and are not counted twice in silence.


def draw(seed=0, questions=12, n=4, **more):
    rng = np.random.default_rng(seed)
    return [
        dict(question=q, attempt_no=s, correct=int(rng.random() < 0.5)) | more
        for q in range(questions)
        for s in range(n)
    ]


def write_as(form, rows, folder):
    frame, path = pl.DataFrame(rows), folder / f"a.{form}"
    if form == "rows":
        return rows
    if form == "polars":
        return frame
    if form == "pandas":
        return frame.to_pandas()
    if form == "duckdb":
        return duckdb.from_arrow(frame.to_arrow())
    if form == "csv":
        frame.write_csv(path)
    if form == "jsonl":
        frame.write_ndjson(path)
    if form == "parquet":
        frame.write_parquet(path)
    return str(path)


FORMS = ["rows", "polars", "pandas", "duckdb", "csv", "jsonl", "parquet"]
COPIED = "48 of 96 rows are exact copies of other rows \\(all 3 columns are equal\\)"


@pytest.mark.parametrize("form", FORMS)
def test_rows_written_twice_are_copies(form, tmp_path):
    data = write_as(form, draw() + draw()[::-1], tmp_path)
    for options in {}, dict(ignore="attempt_no"), dict(ignore=["attempt_no"]):
        with pytest.raises(
            ValueError, match=f"{COPIED}.*leave the copies out and pass sample='attempt_no'"
        ):
            score(data, **options)
    with pytest.raises(
        ValueError,
        match="48 rows repeat.; these rows are exact copies, equal in all columns: "
        "leave the copies out$",
    ):
        score(data, sample="attempt_no")
    once = write_as(form, draw(), tmp_path)
    assert score(once, sample="attempt_no")["pass@1"].n_max == score(once)["pass@1"].n_max == 4
    assert score(once, ignore="attempt_no").cautions == ()


@pytest.mark.parametrize("form", FORMS)
def test_copies_of_numbered_samples_are_no_samples_of_their_own(form, tmp_path):
    rows = [
        {("sample" if name == "attempt_no" else name): value for name, value in row.items()}
        for row in draw() + draw()
    ]
    data = write_as(form, rows, tmp_path)
    with pytest.raises(ValueError, match="these rows are exact copies"):
        score(data)
    with pytest.raises(ValueError, match=COPIED):
        score(data, sample=False)


def test_the_command_names_copies(tmp_path):
    path = write_as("csv", draw() + draw(), tmp_path)
    for words in [], ["--ignore", "attempt_no"]:
        told = command("score", path, *words)
        said = " ".join(told.stderr.split())
        assert (
            told.returncode == 2
            and "48 of 96 rows are exact copies" in said
            and "pass --sample attempt_no" in said
        )
    told = command("score", "-", "--ignore", "attempt_no", stdin=Path(path).read_bytes())
    assert told.returncode == 2 and "exact copies" in told.stderr


def test_copies_that_may_be_samples_are_warned_of():
    "Some rows twice, and few rows that agree: a warning of its own line, and a number."
    rows = draw()
    partly = score(rows + rows[:6], ignore="attempt_no")
    assert partly.cautions[0].said == (
        "6 of 54 rows are exact copies of other rows (all 3 columns are equal), "
        "and count as samples of their own."
    )
    alike = [row | dict(correct=int(row["question"] % 2)) for row in rows]
    assert (
        score(alike + alike, ignore="attempt_no")
        .cautions[0]
        .said.startswith("48 of 96 rows are exact copies")
    )


def test_rows_that_only_look_alike_are_samples():
    "Without a column that numbers samples, or where its rows differ, equal rows say nothing."
    plain = [{name: value for name, value in row.items() if name != "attempt_no"} for row in draw()]
    assert score(plain).cautions == () and score(plain + plain)["pass@1"].n_max == 8
    again = draw() + draw(1)
    assert score(again, ignore="attempt_no").cautions == ()
    warm = [row | dict(temperature=[0.2, 0.8][row["attempt_no"] % 2]) for row in draw(n=8)]
    assert score(warm, ignore=["temperature", "attempt_no"]).cautions == ()


def test_rows_of_other_outcomes_are_no_copies():
    rows = [
        {("sample" if name == "attempt_no" else name): value for name, value in row.items()}
        for row in draw()
    ]
    with pytest.raises(ValueError, match="each sample must appear once") as caught:
        read(rows + [rows[0] | dict(correct=1 - rows[0]["correct"])])
    assert "copies" not in str(caught.value)


def test_honest_rows_are_hardly_ever_taken_for_copies():
    "Two samples for each of two numbers, 3 questions: equal rows are common, refusals are not."
    refused = 0
    for seed in range(300):
        try:
            score(draw(seed, 3, 2) + draw(seed + 10**6, 3, 2), "pass@1", ignore="attempt_no")
        except ValueError:
            refused += 1
    assert refused == 0


def test_a_table_larger_than_what_is_looked_at_first(tmp_path):
    rng = np.random.default_rng(0)
    size = 40_000
    frame = pl.DataFrame(
        dict(
            question=np.arange(size) // 4,
            attempt_no=np.arange(size) % 4,
            correct=rng.integers(0, 2, size),
        )
    )
    pl.concat([frame, frame]).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="40,000 of 80,000 rows are exact copies"):
        score(tmp_path / "a.parquet", "pass@1", ignore="attempt_no")


# Names, outcomes, scores, weights and words at their boundaries, through what reads any data.

NAN, INF = float("nan"), float("inf")


def fail(columns, weights=None, **options):
    with pytest.raises((TypeError, ValueError)) as error:
        load(columns, Options.of(options, weights=weights))
    return f"{name_kind(error.value)}: {error.value}"


def is_same(a, b):
    return [None if v != v else v for v in a] == [None if v != v else v for v in b]


# Names.


@pytest.mark.parametrize(
    "part, values, names, note",
    [
        ("question", ["b", "a", "b"], ["b", "a"], None),
        ("question", [7, 3, 7], [7, 3], None),
        ("question", [7, "7", "x"], ["7", "x"], "mixed_names"),
        ("question", [1.0, 2.0], [1, 2], "whole_names"),
        ("model", [0.5, 1.0, True], ["0.5", "1", "True"], "mixed_names"),
        ("model", [0.5, 0.7], ["0.5", "0.7"], None),
        ("model", [1.0, 2.0], [1, 2], "whole_names"),
        ("model", [""], [""], None),
        ("model", ["nan", "None"], ["nan", "None"], None),
        ("group", [True, False], ["True", "False"], None),
        ("question", [float(2**53 - 1)], [2**53 - 1], "whole_names"),
        ("question", [2**63, 1], [str(2**63), "1"], None),
        ("question", [-(2**63) - 1], [str(-(2**63) - 1)], None),
    ],
)
def test_names(part, values, names, note):
    ids = {} if part == "question" else dict(question=range(len(values)))
    rows = read(
        ids | {part: values, "correct": [1] * len(values)},
        **dict(by="group") if part == "group" else {},
    )
    found = rows.questions if part == "question" else getattr(rows, part)
    assert list(map(repr, dict.fromkeys(found.tolist()))) == list(map(repr, names))
    assert [one.kind for one in rows.summary.notes if one.names == (part,)] == [note] * bool(note)


@pytest.mark.parametrize(
    "part, values, told",
    [
        (
            "question",
            ["a", None, None],
            "ValueError: every row needs a question, got none at row 1 (2 of 3 fail)",
        ),
        (
            "sample",
            [1.0, NAN, 2.0],
            "ValueError: every row needs a sample, got none at row 1 (1 of 3 fail)",
        ),
        (
            "question",
            [1, 2.5, 2],
            "TypeError: question must hold text or whole numbers, got 2.5 at row 1",
        ),
        (
            "question",
            [1, 2, True],
            "TypeError: question must hold text or whole numbers, got True at row 2",
        ),
        (
            "question",
            [1.0, 2.0, 2.0**53],
            "TypeError: question must hold text or whole numbers, got 9007199254740992.0 at row 2",
        ),
        (
            "question",
            ["a", "null", ""],
            "ValueError: every row needs a question, got 'null' at row 1; such a name is a null "
            "that became text",
        ),
        (
            "model",
            [0.5, NAN, 0.5],
            "ValueError: every row needs a model, got none at row 1 (1 of 3 fail)",
        ),
        (
            "group",
            ["a", "b", " "],
            "ValueError: every row needs a group, got ' ' at row 2; give it a name",
        ),
        (
            "model",
            ["a", "", "\t"],
            "ValueError: every row needs a model, got '' at row 1; give it a name",
        ),
    ],
)
def test_names_that_are_refused(part, values, told):
    ids = {} if part == "question" else dict(question=[1, 2, 3])
    assert (
        fail(
            ids | {part: values, "correct": [1, 1, 1]},
            **dict(by="group") if part == "group" else {},
        )
        == told
    )


@pytest.mark.parametrize("size", [1000, 1001])
def test_many_names_are_read_like_few(size):
    values = np.arange(size)[::-1] // 2 * 3
    rows = read(dict(question=values, correct=np.ones(size)))
    assert (
        rows.questions.tolist() == list(dict.fromkeys(values.tolist()))
        and rows.questions.dtype == np.int64
    )
    names = [f"q{i}" for i in range(size)]
    assert read(dict(question=names, correct=np.ones(size))).questions.tolist() == names
    assert "got 'null' at row 7; such" in fail(
        dict(question=[*names[:7], "null", *names[8:]], correct=np.ones(size))
    )
    assert read(
        dict(question=np.full(size, 2**63, np.uint64), correct=np.ones(size))
    ).questions.tolist() == [str(2**63)]


# Outcomes and scores. The samples of question i are 2**i.


def spread(values):
    return [v for i, v in enumerate(values) for _ in range(2**i)]


def make(part, values, **more):
    return {"question": spread([f"q{i}" for i in range(len(values))]), part: spread(values)} | more


@pytest.mark.parametrize(
    "values, want",
    [
        ([True, False], [1, 0]),
        ([1, 0, 1], [1, 0, 1]),
        ([1.0, NAN, 0.0], [1, NAN, 0]),
        ([NAN, NAN], [NAN, NAN]),
        ([None, True], [NAN, 1]),
        ([None, 1, 0.0], [NAN, 1, 0]),
        ([None, None], [NAN, NAN]),
        (["C", "I", " c", None], [1, 0, 1, NAN]),
        (["N", "C"], [0, 1]),
        (["wrong"], [0]),
        (["Yes", "no"], [1, 0]),
        (["correct", "wrong"], [1, 0]),
        (["solved", "unsolved"], [1, 0]),
        (["1", "0"], [1, 0]),
        (["true", "FALSE"], [1, 0]),
    ],
)
def test_outcomes(values, want):
    rows = read(make("correct", values))
    assert is_same(rows.correct.tolist(), want) and rows.times.tolist() == [
        2**i for i in range(len(values))
    ]
    told = [note.words for note in rows.summary.notes if note.kind == "words"]
    assert told == [{v: bool(w) for v, w in zip(values, want) if v}] * any(
        isinstance(v, str) for v in values
    )


@pytest.mark.parametrize(
    "values, told",
    [
        ([1, 0, 7, 9], "ValueError: correct must be 0 or 1, got 7 at question q2 (12 of 15 fail)"),
        (
            [1.0, NAN, 0.5, NAN],
            "ValueError: correct must be 0 or 1, got 0.5 at question q2 (4 of 5 fail)",
        ),
        (
            [None, 1, None, 2],
            "ValueError: correct must be 0 or 1, got 2 at question q3 (8 of 10 fail)",
        ),
        (
            [100, 0, 0, 100],
            "ValueError: correct must be 0 or 1, got 100 at question q0 (9 of 15 fail)",
        ),
        (
            [10**400, 1, 0, 0],
            "ValueError: correct must be 0 or 1, got inf at question q0 (1 of 15 fail)",
        ),
        ([True, 1, 0, None], "TypeError: correct must hold only bool or only 0/1, got True and 0"),
        (
            [False, 1.0, None, None],
            "TypeError: correct must hold only bool or only 0/1, got False and 1.0",
        ),
        (
            ["yes", "maybe", "no", "maybe"],
            "TypeError: correct must hold 0/1 or bool, got 'maybe' (10 of 15 fail); compare",
        ),
        (
            ["d", "c", "b", "a"],
            "TypeError: correct must hold 0/1 or bool, got 'a', 'b', 'd' (13 of 15 fail); compare",
        ),
        (
            ["yes", 1, None],
            "TypeError: correct must hold 0/1 or bool, got 'yes' (1 of 7 fail); compare",
        ),
        (
            ["yes", "true", "C", "pass"],
            "TypeError: correct must hold words of one kind, "
            "got 'C' and 'pass' and 'true' and 'yes'",
        ),
        (
            ["C", "P"],
            "TypeError: correct must be right or wrong, got 'P', which is partial credit; "
            "write C, P and I as 1, 0.5 and 0 in a column score",
        ),
        (
            ["P", "x"],
            "TypeError: correct must hold 0/1 or bool, got 'P', 'x' (3 of 3 fail); compare",
        ),
    ],
)
def test_outcomes_that_are_refused(values, told):
    assert fail(make("correct", values)).startswith(told)


@pytest.mark.parametrize(
    "values, want",
    [
        ([2, 3], [2, 3]),
        ([0.5, NAN], [0.5, NAN]),
        ([None, 2], [NAN, 2]),
        ([None, Decimal("0.5")], [NAN, 0.5]),
        ([None, 2**64], [NAN, 2.0**64]),
        ([None, 2**1000 - 1], [NAN, 2.0**1000]),
    ],
)
def test_scores(values, want):
    assert is_same(read(make("score", values)).score.tolist(), want)


@pytest.mark.parametrize(
    "part, values, told",
    [
        (
            "score",
            [0.5, INF, -INF],
            "ValueError: score must be finite, got inf at row 1 (6 of 7 fail)",
        ),
        (
            "score",
            [None, 1, 2**1000],
            "ValueError: score must be finite, got inf at row 3 (4 of 7 fail)",
        ),
        (
            "score",
            [None, 1, -(10**400)],
            "ValueError: score must be finite, got inf at row 3 (4 of 7 fail)",
        ),
        (
            "score",
            [0.5, "x", "y"],
            "TypeError: score must hold numbers, got 'x' at row 1; "
            "pass score=False to leave the column out",
        ),
        ("cost", [0.5, 1, True], "TypeError: cost must hold numbers, got True at row 3"),
        ("cost", [None, True, "a"], "TypeError: cost must hold numbers, got True at row 1"),
    ],
)
def test_scores_that_are_refused(part, values, told):
    assert (
        fail(make(part, values, correct=[1] * 7), **dict(sums="cost") if part == "cost" else {})
        == told
    )


@pytest.mark.parametrize(
    "score, kind, want",
    [
        ([0, 1, 1], "score_as_outcome", [0, 1, 1]),
        ([0, 1, NAN], "score_as_outcome", [0, 1, NAN]),
        ([0, 0.5, 1], None, None),
    ],
)
def test_scores_of_0_and_1_are_outcomes(score, kind, want):
    rows = read(dict(question=[1, 2, 3], score=score))
    assert (rows.correct is None) is (want is None) and [
        note.kind for note in rows.summary.notes
    ] == [kind] * bool(kind)
    if want:
        assert is_same(rows.correct.tolist(), want)
    above = read(dict(question=[1, 2, 3], score=score), threshold=0.5)
    assert is_same(above.correct.tolist(), [v if v != v else v > 0.5 for v in score])
    assert above.summary.notes[0].to_dict() | dict(words=None) == dict(
        kind="threshold", names=["score"], words=None, value=0.5, count=None, total=None, text=""
    )


# Weights, clusters and samples.


@pytest.mark.parametrize(
    "weights, told",
    [
        (
            [2, 0, 2, 0],
            "ValueError: every row needs a positive and finite weight, "
            "got 0 at row 1 (2 of 4 fail)",
        ),
        (
            [2.0, NAN, 2.0, 1.0],
            "ValueError: every row needs a positive and finite weight, "
            "got nan at row 1 (1 of 4 fail)",
        ),
        (
            [2.0, 1.0, -1.0, 1.0],
            "ValueError: every row needs a positive and finite weight, "
            "got -1.0 at row 2 (1 of 4 fail)",
        ),
        ([2, "x", 2, 1], "TypeError: weight must hold numbers, got 'x' at row 1"),
        (
            [2, 3, 1, 3],
            "ValueError: a question has one weight, got 1 and 2 at 'a' (1 of 2 questions fail)",
        ),
        (
            [2, 3, 2, 4],
            "ValueError: a question has one weight, got 3 and 4 at 'b' (1 of 2 questions fail)",
        ),
        (
            [1, 3, 2, 4],
            "ValueError: a question has one weight, got 1 and 2 at 'a' (2 of 2 questions fail)",
        ),
    ],
)
def test_weights_that_are_refused(weights, told):
    assert fail(dict(question=list("abab"), correct=[1] * 4, w=weights), "w") == told


def test_weights():
    columns = dict(question=list("abab"), correct=[1] * 4, w=[2, 0.5, 2, 0.5])
    assert load(columns, Options.of({}, weights="w")).weights == dict(a=2, b=0.5)
    given = {"a": 1.0}
    assert (
        load(columns, Options.of({}, weights=given)).weights is given
        and load(columns).weights is None
    )


@pytest.mark.parametrize(
    "cluster, told",
    [
        (list("xyxxy"), "got 'b' in 'y' and in 'x' (1 of 3 questions fail)"),
        (list("xyzxy"), "got 'a' in 'x' and in 'z' (2 of 3 questions fail)"),
    ],
)
def test_a_question_in_two_clusters(cluster, told):
    columns = dict(question=list("ababc"), correct=[1] * 5, cluster=cluster)
    assert (
        fail(columns, cluster="cluster") == f"ValueError: a question belongs to one cluster, {told}"
    )


def test_a_sample_that_appears_twice():
    columns = dict(question=list("aabab"), sample=list("ssstt"), correct=[1] * 5)
    told = (
        "ValueError: each sample must appear once, got question 'a', sample 's' at row 0 "
        "and again at row 1 (1 row repeats)"
    )
    assert fail(columns).startswith(told)
    assert len(read(columns | dict(model=list("mnmnm")))) == 5
    many = dict(question=list("baaba"), sample=[7] * 5, correct=[1] * 5)
    assert "got question 'a', sample 7 at row 1 and again at row 2 (3 rows repeat)" in fail(many)


# Lists, and numbers of samples.


@pytest.mark.parametrize(
    "columns, told",
    [
        (
            dict(id=[1, 2], graded=[[1], 7]),
            "TypeError: graded must hold a list in every row, got 7 at row 1",
        ),
        (
            dict(id=[1, 2], graded=[[1], "[1"]),
            "TypeError: graded must hold a list in every row, got '[1' at row 1",
        ),
        (
            dict(id=[1], graded=[[1, 0]], preds=[["a"]]),
            "ValueError: the lists of a row must have one length, got 2 of graded, "
            "1 of preds at row 0 (1 of 1 rows fail)",
        ),
        (
            dict(id=[1, 1], n=[2, 2], c=[1, 2]),
            "ValueError: each question must appear once in a table of n and c, got 1 at row 0 "
            "and again at row 1; add them up, or name a column model",
        ),
    ],
)
def test_rows_of_several_samples_that_are_refused(columns, told):
    assert fail(columns) == told


@pytest.mark.parametrize(
    "cell, n, c",
    [
        ([1, 0], 2, 1),
        ((1, 0), 2, 1),
        (np.array([1, 0, 1]), 3, 2),
        ("[1, 0]", 2, 1),
        ("[True, False]", 2, 1),
        ("[true, false]", 2, 1),
        ("[1, nan]", 2, 1),
        ([1, None], 2, 1),
    ],
)
def test_lists(cell, n, c):
    counts = load(dict(id=[1], graded=[cell]), Options.of(dict(missing="wrong"))).blocks["", ""]
    assert (counts.n.tolist(), counts.c.tolist()) == ([n], [c])


# Text.


@pytest.mark.parametrize(
    "texts, want",
    [
        (["1", "2"], [1, 2]),
        (["1", "02"], ["1", "02"]),
        (["-1", "0"], [-1, 0]),
        (["+1"], ["+1"]),
        (["1_0"], ["1_0"]),
        (["9" * 18], [int("9" * 18)]),
        (["9" * 19], ["9" * 19]),
        (["\u0663"], ["\u0663"]),
        (["1.0", "2.0"], [1, 2]),
        (["1.0", "2.5"], ["1.0", "2.5"]),
    ],
)
def test_names_of_a_csv_file(texts, want, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,correct\n" + "".join(f"{text},1\n" for text in texts), "utf-8")
    assert read(path).questions.tolist() == want


def test_hostile_names_come_back_as_they_are(tmp_path):
    names = [
        "'; DROP TABLE x; --",
        'say "a"',
        "a\tb",
        "[1]",
        "{}",
        "=1+1",
        "\u202e",
        "\U0001f600",
        " a ",
        "A\\nB",
    ]
    path = tmp_path / "a.jsonl"
    path.write_text(
        "".join(json.dumps({"id": name, "correct": 1, "it's \"x\"": 1}) + "\n" for name in names),
        "utf-8",
    )
    assert (
        read(path).questions.tolist()
        == names
        == read(dict(id=names, correct=[1] * 10)).questions.tolist()
    )


# Columns that are named together.


@pytest.mark.parametrize("large", [False, True])
def test_a_sample_of_two_columns(large, tmp_path, monkeypatch):
    if large:
        monkeypatch.setattr(sources, "SMALL", -1)
    path = write_file("a.jsonl")(
        cross(runId=["r0", "r1"], iteration=range(3), id=range(6)), tmp_path
    )
    rows = read(path)
    assert (
        list_sizes(rows) == dict.fromkeys(range(6), 6) and "sample=runId,iteration" in rows.source
    )
    assert list_sizes(read(path, sample="iteration,runId")) == dict.fromkeys(range(6), 6)
    assert len(read(path, model="runId").models()) == 2
    told = find_refusal(path, sample="iteration")
    assert "each sample must appear once" in told
    assert "'runId,x' is not a column" in find_refusal(path, sample="runId,x")


def test_a_system_and_a_question_of_two_columns():
    columns = cross(model=["m", "n"], thinking=["off", "low"], id=range(8))
    ways = "pass sample='thinking' if they are draws, model='model,thinking' to tell them apart"
    assert ways.lower() in find_refusal(columns).lower()
    assert sorted(read(columns, model="model,thinking").models()) == [
        "m/low",
        "m/off",
        "n/low",
        "n/off",
    ]
    rows = [
        dict(prompt=f"area of {q // 2}", gts=str(q), correct=s % 2)
        for q in range(8)
        for s in range(3)
    ]
    told = find_refusal(rows, question="prompt")
    assert (
        "one prompt needs one gts, got '0' and '1' for 'area of 0' (4 of 4 questions fail)" in told
    )
    assert "pass question='prompt,gts' if each is a question of its own" in told
    assert len(read(rows, question="prompt,gts").questions) == 8


def test_several_columns_are_ignored_at_once(tmp_path):
    columns = cross(mode=["a", "b"], effort=["x", "y"], id=range(8))
    path = write_file("a.csv")(columns, tmp_path)
    assert (
        "column 'mode' takes the same values ('a', 'b') in every question, and so does 'effort'"
        in find_refusal(path)
    )
    for ignore in "mode,effort", ["mode", "effort"], ["mode,effort"]:
        assert set(list_sizes(read(path, ignore=ignore)).values()) == {4}
    ran = command("score", path, "--ignore", "mode,effort", "-f", "json")
    assert ran.returncode == 0 and json.loads(ran.stdout)["rows"][0]["questions"] == 8
    assert "'mode,efort' is not a column" in find_refusal(path, ignore="mode,efort")


# Ids of another name than the question.


def test_an_id_that_is_finer_than_the_question_is_asked_about():
    rows = [
        dict(question=f"area of {q // 2}", image_id=q, correct=s % 2)
        for q in range(8)
        for s in range(3)
    ]
    assert "one question stands for several image_id (24 of 24 rows)" in find_refusal(rows)
    assert (
        len(read(rows, question="image_id").questions) == 8
        and len(read(rows, ignore="image_id").questions) == 4
    )
    for name in "uuid", "request_id", "completion_id":
        assert (
            len(read([row | {name: i} for i, row in enumerate(rows)], ignore="image_id").questions)
            == 4
        )


def test_several_names_of_the_questions():
    "The finest, where it is no number of rows."
    text = [
        dict(question_id=q, question=f"text {q // 2 if q < 6 else q}", correct=1) for q in range(40)
    ]
    assert len(read(text).questions) == 40
    same = [dict(id=q, task_id=f"t{q}", correct=s % 2) for q in range(8) for s in range(3)]
    assert len(read(same).questions) == 8
    rows = [dict(id=i, question=f"text {i // 4}", correct=1) for i in range(40)]
    assert (
        find_refusal(rows)
        == "ambiguous: 'id' or 'question' could be the question; pass question='id' or 'question'"
    )


def test_a_system_of_sentences_is_none():
    rows = [
        dict(id=q, system=["You are a coder.", "Think step by step."][q % 2], correct=s)
        for q in range(8)
        for s in range(2)
    ]
    assert read(rows).model is None
    both = [row | dict(system=text) for row in rows for text in ("You are a coder.", "Think hard.")]
    assert "a question needs rows of one system" in find_refusal(both)
    assert len(read([row | dict(system="ab"[row["correct"]]) for row in rows]).models()) == 2


def test_a_run_called_after_its_model():
    rows = [
        dict(model=m, id=q, run=f"{m}-run{s}", correct=s % 2)
        for m in ("gpt", "claude")
        for q in range(8)
        for s in range(3)
    ]
    assert [set(list_sizes(one).values()) for one in read(rows).models().values()] == [{3}, {3}]
    told = find_refusal(
        [{name: value for name, value in row.items() if name != "model"} for row in rows]
    )
    assert "run must number the samples, got 'claude-run0' and 'gpt-run0'" in told


@pytest.mark.parametrize("column", ["prompt_version", "shots", "templateVariant", "arm"])
def test_numbers_of_a_setting_number_no_samples(column):
    "Once each in a question, from 0 or from 1 on: as a seed stands, which is read."
    rows = [
        {"id": q, column: at, "correct": (q + at) % 2} for q in range(12) for at in range(3)
    ]
    with pytest.raises(ValueError, match=f"column '{column}' takes the same values") as error:
        read(rows)
    assert getattr(error.value, "ways", ()) == ()
    seeds = [{"id": row["id"], "lap": row[column], "correct": row["correct"]} for row in rows]
    assert read(seeds).sample_column == "lap"
