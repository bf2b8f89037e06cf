"Which rows are samples of one question: a column or a file that says otherwise is not passed over."
import json

import numpy as np
import pandas as pd
import pytest
from conftest import command

import sampling_eval as se
from sampling_eval.io import tables as sources
from sampling_eval.io.columns import COLUMNS
from sampling_eval.io.identity import NAMES
from sampling_eval.io.load import load, read
from sampling_eval.io.counts_file import merge_rows
from sampling_eval.io.options import Options
from test_reading_origins import cross, leave_out, write_file

TASKS, SYSTEMS, GRADES = (NAMES[kind].split() for kind in ("task", "system", "grade"))


def list_sizes(rows):
    "Samples of each question."
    return dict(zip(rows.questions.tolist(), np.bincount(rows.question, rows.times).astype(int)))


def find_refusal(data, **options):
    with pytest.raises(ValueError) as error: read(data, **options)
    return str(error.value)


def restart(column, values=("a", "b"), questions=8):
    "Names of questions that restart for each value of a column."
    return leave_out(cross(**{column: values, "question_id": range(questions), "s": range(3)}), "s")


# Columns that are known by name.

@pytest.mark.parametrize("column", [*TASKS, "Data Set", "DATASET", "task-name"])
def test_tasks_name_the_questions_that_restart(column):
    rows = read(restart(column))
    assert set(list_sizes(rows).values()) == {3} and len(rows.questions) == 16
    assert f"questions are named {column}/question_id, since one question_id stands under" in rows.source
    assert list_sizes(read(restart(column), ignore=column)) == dict.fromkeys(range(8), 6)
    assert len(read(restart(column), by=column).questions) == 16


@pytest.mark.parametrize("column", [name for name in (*SYSTEMS, *GRADES) if name not in COLUMNS["model"]])
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
    rows = [dict(id=q, correct=(q + s) % 2) | {column: f"v{q % 3}"} for q in range(9) for s in range(4)]
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
    columns = cross(model=["m", "n"], temperature=[0, .7], id=range(4))
    told = find_refusal(columns)
    assert "a question needs rows of one temperature, got 0 and 0.7 for id 0 (8 of 8" in told
    assert sorted(read(columns, model="temperature").models()) == ["0", "0.7"]
    lone = {name: [v for v, model in zip(values, columns["model"]) if model == "m"]
            for name, values in columns.items()}
    assert set(find_refusal(lone).split()) >= {"pass", "model='temperature'"}


def test_another_spelling_of_the_model_does_not_matter_once_one_is_named():
    columns = cross(model=["m", "n"], run=["m-fast", "m-slow"], id=range(4))
    assert len(read(columns, model="run").models()) == 2


# Columns that no name tells of.

def test_a_crossed_column_is_refused_whatever_its_name():
    told = find_refusal(restart("variant"))
    assert told == ("column 'variant' takes the same values ('a', 'b') in every question: a model, a setting or "
                    "the sample? Pass model='variant' to tell them apart, by='variant' if they are groups, or "
                    "ignore='variant' if it changes nothing. Try: sampling_eval.read(data, model='variant'), "
                    "or: sampling_eval.read(data, ignore='variant')")
    assert len(read(restart("variant"), by="variant").questions) == 16
    numbered = cross(variant=["a", "b"], id=range(8), s=range(3))
    numbered["sample"] = [s + 3 * (v == "b") for s, v in zip(numbered.pop("s"), numbered["variant"])]
    assert "column 'variant' takes the same values" in find_refusal(numbered)
    assert "column 'variant' takes the same values" in find_refusal({name: values[:-3] for name, values in restart("variant", questions=40).items()})


def test_what_numbers_the_samples_is_no_system():
    for values in range(4), range(1, 5), [True, False]:
        columns = cross(gen=values, id=range(20))
        if values == [True, False]: assert "column 'gen' takes the same values" in find_refusal(columns)
        else: assert set(list_sizes(read(columns)).values()) == {4}
    letters = cross(gen="abcd", id=range(20))
    assert "sample='gen' if they are draws" in find_refusal(letters)
    letters["sample"] = ["abcd".index(letter) for letter in letters["gen"]]
    assert set(list_sizes(read(letters)).values()) == {4}
    assert read(cross(rank=range(4), id=range(20), sample=["x", "y"]) | dict(sample=[*range(160)])) is not None


@pytest.mark.parametrize("seed", range(30))
def test_completions_and_their_kind_are_no_identities(seed):
    rng = np.random.default_rng(seed)
    questions, n = int(rng.integers(1, 40)), int(rng.integers(1, 20))
    rows = []
    for q in range(questions):
        for s in range(n):
            rows.append(dict(
                question=q, sample=s, correct=int(rng.random() < .6), answer="ABCD"[rng.integers(4)],
                finish=["stop", "length"][int(rng.random() < .1)], hard=f"level {q % 3}", kind=q % 4, tokens=int(rng.integers(900)),
                judge=f"j{rng.integers(3)}", seconds=rng.random(), flag=bool(rng.integers(2)), strict=int(rng.random() < .3),
                extracted="ABCD"[rng.integers(4)], text=f"word {rng.integers(10**6)}", version=1, prompt=f"What is {q}?"))
    assert set(list_sizes(read(rows)).values()) == {n}


def test_one_question_and_few_rows_raise_no_alarm():
    assert len(read([dict(id=1, correct=i % 2, kind=f"k{i % 9}") for i in range(900)])) == 900
    assert len(read([dict(id=i // 2, correct=0, kind="ab"[i % 2]) for i in range(8)])) == 8


# Texts of questions.

def list_prompts(prompts, n, **more):
    rows = [dict(prompt=f"What is {p}?", correct=(p + s) % 2) for p in range(prompts) for s in range(n)]
    return [dict(id=i) | row | more for i, row in enumerate(rows)]


@pytest.mark.parametrize("text", ["prompt", "problem", "Question_Text", "input", "instruction"])
def test_row_ids_beside_repeated_prompts_are_asked_about(text):
    rows = [{text if name == "prompt" else name: v for name, v in row.items()} for row in list_prompts(12, 4)]
    told = find_refusal(rows)
    assert told == (f"48 rows have 48 different id, but most share their {text} with another; pass question={text!r} if "
                    f"rows of one {text} are samples of one question, question='id' if each is a question of its own. Try: sampling_eval.read(data, "
                    f"question={text!r}), or: sampling_eval.read(data, question='id')")
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
        "one id needs one prompt, got two for 0; pass question='prompt' if the text is the question, or ignore='prompt' "
        "if its wording changes from sample to sample. Try: sampling_eval.read(data, question='prompt'), "
        "or: sampling_eval.read(data, ignore='prompt')")
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
    assert told == ("run must number the samples, got 'claude' and 'gpt'; pass model='run' if each is a model of its own, "
                    "or sample='run' if they are draws of one model. Try: sampling_eval.read(data, model='run'), "
                    "or: sampling_eval.read(data, sample='run')")
    assert len(read(cross(run=["gpt", "claude"], id=range(6)), model="run").models()) == 2
    again = leave_out(cross(run=range(4), id=range(6), s=range(2)), "s")
    told = find_refusal(again)
    assert "if each run is a model of its own, pass model='run'; if each row is a sample of its own, pass sample=False" in told
    assert len(read(again, model="run").models()) == 4
    assert set(list_sizes(read(again, sample=False)).values()) == {8}
    # What was passed already is no advice.
    deep = cross(run=range(4), sample=range(2), id=range(6), s=range(2))
    twice = find_refusal(leave_out(deep, "s"), model="run")
    assert "pass model='run'" not in twice and "pass sample=False" in twice
    beside = cross(run=range(4), sample=range(2), id=range(6))
    assert "pass model='run'" in find_refusal(beside)
    assert len(read(beside, model="run").models()) == 4
    unique = beside | dict(sample=[*range(48)])
    told = find_refusal(unique)
    assert "a question needs rows of one run, got 0 and 1 for id 0 (6 of 6 questions fail)" in told
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
    if large: monkeypatch.setattr(sources, "SMALL", -1)
    paths = write_models(tmp_path, name)
    told = find_refusal(paths)
    assert told == (
        f"files with the same questions must be told apart, got '{name}' and '{name}' for id 0 (6 of 6 questions fail); "
        "pass files_hold='models' if each file is a model, files_hold='draws' if they hold more samples of one; if they "
        "are other tasks, add a column dataset to each")
    found = read(paths, files_hold="models").models()
    assert {model.partition("/")[0]: list_sizes(rows) for model, rows in found.items()} == dict.fromkeys(
        ["claude", "gpt"], dict.fromkeys(range(6), 4))
    for path in paths:
        (alone,), mine = read(path).models().values(), found[next(m for m in found if m.startswith(path.parent.name))]
        assert (alone.counts().c == mine.counts().c[np.argsort(mine.questions)][alone.questions]).all()
    for options in dict(files_hold="draws"), dict(model=False):
        assert list_sizes(read(paths, **options)) == dict.fromkeys(range(6), 8)


@pytest.mark.parametrize("large", [False, True])
def test_files_with_the_same_samples(large, tmp_path, monkeypatch):
    if large: monkeypatch.setattr(sources, "SMALL", -1)
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    table = pd.DataFrame(cross(id=range(6), sample=range(4))).to_csv(index=False)
    for path, end in zip(paths, ("", "\n")): path.write_text(table + end)
    assert "if the files hold other models or more samples, pass files_hold='models' or 'draws'" in find_refusal(paths)
    assert len(read(paths, files_hold="models").models()) == 2
    draws = read(paths, files_hold="draws")
    assert list_sizes(draws) == dict.fromkeys(range(6), 8)
    assert merge_rows(draws).draws is None
    with open(paths[0], "a") as file: file.write(paths[0].read_text().splitlines()[1] + "\n")
    assert "each sample must appear once, got file " in find_refusal(paths, files_hold="draws")


def test_parts_and_models_of_files_need_no_option(tmp_path):
    columns = cross(id=range(6), s=range(4))
    halves = [{name: [v for v, q in zip(values, columns["id"]) if q % 2 == i] for name, values in columns.items()} for i in (0, 1)]
    paths = [write_file(f"{i}.jsonl")(leave_out(half, "s"), tmp_path) for i, half in enumerate(halves)]
    assert list_sizes(read(paths)) == list_sizes(read(leave_out(columns, "s")))
    named = [write_file(f"m{i}.jsonl")(leave_out(columns, "s") | dict(model=[f"m{i}"] * 24), tmp_path) for i in (0, 1)]
    assert read(named).models().keys() == {"m0", "m1"}
    assert "files_hold='models' names each model after its file, but there is model='model'" in find_refusal(named, files_hold="models")
    tasks = [write_file(f"t{i}.jsonl")(leave_out(columns, "s") | dict(dataset=[f"t{i}"] * 24), tmp_path) for i in (0, 1)]
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
    with pytest.raises(ValueError, match="with one sample id in run 1 and run 2"): merge_rows(read(rows), read(rows[::2]))
    with pytest.raises(ValueError, match="one sample number in two runs"):
        merge_rows(*(read([dict(id=1, sample=s, correct=1) for s in half]) for half in (range(150), range(75))))


def test_a_label_says_which_threshold_was_computed():
    rows = [dict(id=q, correct=(q + s) % 2) for q in range(4) for s in range(4)]
    report = se.score(rows, ["g-pass@2_0.5000001", "g-pass@2_0.5"])
    assert [(row.metric, round(row.estimate, 3)) for row in report.rows] == [
        ("g-pass@2_0.5000001", .167), ("g-pass@2_0.5", .833)]


def test_a_column_that_is_ignored_plays_no_part():
    columns = cross(model=["a", "b"], llm=["c", "d"], id=range(6))
    assert read(columns, ignore=["model", "llm"]).model is None
    assert "sample=seed" in read(cross(trial=[0], seed=range(3), id=range(6)), ignore="trial").source


def test_columns_to_ignore_are_checked():
    assert find_refusal(restart("llm"), ignore="lm") == (
        "ignore='lm' is not a column, got 'llm', 'question_id', 'correct'; did you mean 'llm'? "
        "Try: sampling_eval.read(data, ignore='llm')")
    with pytest.raises(ValueError, match="ignore must name each column once"): read(restart("llm"), ignore=["llm", "llm"])
    with pytest.raises(ValueError, match="ignore= is for files and frames"): load(np.ones((2, 2)), Options.of(dict(ignore="a")))


def test_the_command_speaks_of_its_own_options(tmp_path):
    path = write_file("a.jsonl")(restart("llm"), tmp_path)
    words = "score", path, "-m", "avg@n", "-f", "json"
    refused = command(*words)
    assert refused.returncode == 2 and "pass --model llm to tell them apart, or --ignore llm if" in refused.stderr
    done = command(*words, "--ignore", "llm")
    assert done.returncode == 0 and json.loads(done.stdout)["rows"][0]["n_max"] == 6
