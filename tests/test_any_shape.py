"""Data in the shapes in which new users bring them: read at once, or as the error says to type.

Every suggestion that an error prints is run as it was printed, and gives the number. Where more
than one way may be meant none is printed, and what is meant is typed.
"""

import gzip
import json
import re
import shlex
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import sampling_eval
from sampling_eval import cli

# Question a has one right sample of two, b two of two: pass@1 is 3/4, whatever the layout.
ROWS = [("a", 0, 1), ("a", 1, 0), ("b", 0, 1), ("b", 1, 1)]
WORDS = "question,trial,correct\na,0,{1}\na,1,{0}\nb,0,{1}\nb,1,{1}\n"
WIDE = "1,0\n1,1\n"


def csv(head, *columns, rows=ROWS, mark=","):
    "A CSV text with columns `question`, `sample` and `outcome` in the order asked for."
    return (
        "\n".join([head, *(mark.join(str(row["qso".index(c)]) for c in columns) for row in rows)])
        + "\n"
    )


def lines(rows):
    return "\n".join(map(json.dumps, rows)) + "\n"


def nested(**field):
    return [
        dict(id=q, epoch=s, scores=dict(accuracy={k: v[1 - o] for k, v in field.items()}))
        for q, s, o in ROWS
    ]


ANSWERS = [("a", "so\n4", "4"), ("a", "5", "4"), ("b", "2", "2"), ("b", " 2 ", "2")]
JUDGED = "id,trial,{}\na,0,5\na,1,3\nb,0,4\nb,1,1\n"

READ = {  # Name of the file, content, and the metric with its value where it is not pass@1 = .75
    "task": ("my runs.csv", csv("task,trial,success", *"qso")),
    "item": ("item.csv", csv("item,epoch,passed", *"qso")),
    "prompt_id": ("x.csv", csv("prompt_id,rep,correct", *"qso")),
    "seed": ("x.csv", csv("qid,seed,resolved", *"qso")),
    "no sample": ("x.csv", csv("id,is_correct", *"qo")),
    "capitals and spaces": ("x.csv", csv("Question ID,Trial,Is Correct", *"qso")),
    "wide": ("wide.csv", "run_1,run_2\n" + WIDE),
    "wide with an index": ("wide.csv", ",run_1,run_2\n0,1,0\n1,1,1\n"),
    "wide with the index of pandas": ("wide.csv", "Unnamed: 0,run_1,run_2\n0,1,0\n1,1,1\n"),
    "wide with ids": ("wide.csv", "id,trial 1,trial 2\na,1,0\nb,1,1\n"),
    "wide with numbers": ("wide.csv", "0,1\n" + WIDE),
    "wide with numbers and ids": ("wide.csv", "id,0,1\na,1,0\nb,1,1\n"),
    "totals": ("x.csv", "id,n,c\na,2,1\nb,2,2\n"),
    "totals without ids": ("x.csv", "n,c\n2,1\n2,2\n"),
    "index of pandas": ("x.csv", ",id,trial,correct\n0,a,0,1\n1,a,1,0\n2,b,0,1\n3,b,1,1\n"),
    "a model": ("x.csv", "model,id,trial,correct\nm,a,0,1\nm,a,1,0\nm,b,0,1\nm,b,1,1\n"),
    "notes twice": (
        "x.csv",
        "id,trial,correct,note,note\na,0,1,x,y\na,1,0,x,y\nb,0,1,x,y\nb,1,1,x,y\n",
    ),
    "tabs": ("x.tsv", csv("id\ttrial\tcorrect", *"qso", mark="\t")),
    "semicolons": ("x.csv", csv("id;trial;correct", *"qso", mark=";")),
    "decimal commas": (
        "x.csv",
        "id;trial;score\na;0;0,5\na;1;0,25\nb;0;1,0\nb;1;0,75\n",
        "soft@2",
        0.625,
    ),
    "byte order mark": ("x.csv", "\ufeff" + WORDS.format(0, 1)),
    "gzip": ("x.csv.gz", gzip.compress(WORDS.format(0, 1).encode())),
    "quotes": (
        "x.csv",
        '"id","trial","correct"\r\n"a, ""b""",0,1\r\n"a, ""b""",1,0\r\n"b",0,"1"\r\n"b",1,1\r\n',
    ),
    "blank lines": ("x.csv", WORDS.format(0, 1) + "\n\n"),
    **{
        f"{right} and {wrong}": ("x.csv", WORDS.format(wrong, right))
        for right, wrong in (
            ("yes", "no"),
            ("PASS", "FAIL"),
            ("correct", "incorrect"),
            ("✓", "✗"),
            ("✅", "❌"),
            ("1.0", "0.0"),
            ("True", "False"),
            ("C", "I"),
            ("solved", "unsolved"),
        )
    },
    "percent": (
        "x.csv",
        "id,trial,score\na,0,80 %\na,1,60%\nb,0,90 %\nb,1,100 %\n",
        "soft@2",
        0.825,
    ),
    "rows": ("x.json", json.dumps([dict(id=q, correct=o) for q, _, o in ROWS])),
    "columns": ("x.json", json.dumps(dict(id=list("aabb"), correct=[1, 0, 1, 1]))),
    "split of pandas": (
        "x.json",
        json.dumps(
            dict(columns=["id", "correct"], index=[0, 1, 2, 3], data=[[q, o] for q, _, o in ROWS])
        ),
    ),
    "rows under a name": (
        "x.json",
        json.dumps(dict(made="today", samples=[dict(id=q, correct=o) for q, _, o in ROWS])),
    ),
    "list of lists": ("x.json", "[[0, 1], [1, 1]]"),
    "lists under questions": ("x.json", '{"q1": [0, 1], "q2": [1, 1]}'),
    "ragged lists under questions": ("x.json", '{"HumanEval/0": [0, 1], "HumanEval/1": [1]}'),
    "objects under questions": ("x.json", '{"q1": {"correct": [0, 1]}, "q2": {"correct": [1, 1]}}'),
    "runs under questions": (
        "x.json",
        '{"a": {"run1": 0, "run2": 1}, "b": {"run1": 1, "run2": 1}}',
    ),
    "lists under runs": ("x.json", '{"run_1": [0, 1], "run_2": [1, 1]}'),
    "lines of lists": (
        "x.jsonl",
        lines([dict(id="a", passed=[True, False]), dict(id="b", passed=[True, True])]),
    ),
    "lines of lists without ids": ("x.jsonl", lines([dict(correct=[1, 0]), dict(correct=[1, 1])])),
}

ASKED = {  # What is typed after the file; where no command is printed, what is meant
    "item_name": ("x.csv", csv("item_name,attempt_no,is_ok", *"qso"), "", ""),
    "an odd name": ("it's mine.csv", csv("the item,attempt_no,is_ok", *"qso"), "", ""),
    "no known outcome": ("x.csv", csv("id,trial,good", *"qso"), "", ""),
    "two outcomes": (
        "x.csv",
        "id,trial,correct,passed\na,0,1,0\na,1,0,0\nb,0,1,0\nb,1,1,0\n",
        "",
        "--correct correct",
    ),
    "an outcome twice": (
        "x.csv",
        "id,trial,correct,correct\na,0,1,0\na,1,0,0\nb,0,1,0\nb,1,1,0\n",
        "",
        "--correct correct.1",
    ),
    "runs with names": (
        "x.csv",
        "id,run,correct\na,base,1\na,tuned,0\nb,base,1\nb,tuned,1\n",
        "",
        "--sample run",
    ),
    "two texts of one question": (
        "x.csv",
        "id,trial,prompt,correct\n"
        + "".join(
            f"q{i},{j},what is {i} version {j % 2},{int((i + j) % 4 > 0)}\n"
            for i in range(8)
            for j in range(4)
        ),
        "",
        "--ignore prompt",
    ),
    "crossed": (
        "x.csv",
        "id,trial,mode,correct\n"
        + "".join(
            f"q{i},{j},{'hot' if j < 2 else 'cold'},{int((i + j) % 4 > 0)}\n"
            for i in range(20)
            for j in range(4)
        ),
        "",
        "--ignore mode",
    ),
    "two questions": (
        "x.csv",
        "id,question,correct\n0,a,1\n1,a,0\n2,b,1\n3,b,1\n",
        "",
        "--question question",
    ),
    "an id for each row": (
        "x.csv",
        "id,prompt,passed\n0,of a,1\n1,of a,0\n2,of b,1\n3,of b,1\n",
        "",
        "--question prompt",
    ),
    "a task of samples with ids": ("x.csv", csv("task,sample_id,correct", *"qso"), "", ""),
    "a name wrong by a letter": ("x.csv", csv("id,trial,correct", *"qso"), "--correct korrect", ""),
    "a name that is wrong": (
        "x.csv",
        csv("the item,attempt,ok", *"qso"),
        "--question prompt --correct ok",
        "",
    ),
    "wide with names": ("x.csv", "name,run_1,run_2\nx,1,0\ny,1,1\n", "", ""),
    "wide with a category": (
        "x.csv",
        "level,run_1,run_2\n1.5,1,0\n1.5,1,1\n",
        "",
        "--question none",
    ),
    "nested": ("x.jsonl", lines(nested(value="CI")), "", ""),
    "nested, named": (
        "x.jsonl",
        lines(nested(value="CI", other="IC")),
        "--correct scores.accuracy.valu",
        "",
    ),
    "a nested score": ("x.jsonl", lines(nested(value=[0.5, 0.25])), "", "", "soft@2", 0.4375),
    "a nested question": (
        "x.jsonl",
        lines([dict(meta=dict(qid=q), passed=o) for q, _, o in ROWS]),
        "",
        "",
    ),
    "answers": (
        "x.jsonl",
        lines([dict(id=q, answer=a, target=t) for q, a, t in ANSWERS]),
        "",
        "--grade last_line",
    ),
    "answers of another name": (
        "x.jsonl",
        lines([dict(id=q, said=a, key=t) for q, a, t in ANSWERS]),
        "--grade last_line --answer said --expected ky",
        "",
    ),
    "two right answers": (
        "x.jsonl",
        lines([dict(id=q, answer=a, target=t, label="x") for q, a, t in ANSWERS]),
        "--grade last_line",
        "--expected target",
    ),
    "judge": ("x.csv", JUDGED.format("score"), "", "", "mean@2", 3.25),
    "a judge of another name": ("x.csv", JUDGED.format("judge_points"), "", "", "mean@2", 3.25),
    "lists under names": ("x.json", '{"base": [0, 1], "tuned": [1, 1]}', "", "--keys samples"),
    "means of runs": (
        "x.csv",
        "seed,accuracy,questions\n0,.81,500\n1,.79,500\n2,.80,500\n",
        "",
        "",
        "soft@3",
        0.8,
    ),
    "means of runs in percent": (
        "x.csv",
        "seed,acc\n0,81 %\n1,79 %\n2,80 %\n",
        "",
        "",
        "soft@3",
        0.8,
    ),
}
OUTCOMES = [[1, 0], [1, 1]]
LONG = pd.DataFrame(ROWS, columns=["question", "trial", "correct"])
PYTHON = {  # Data, arguments, the way that is meant, and the metric with its value
    "list of lists": lambda: OUTCOMES,
    "tuple": lambda: ((1, 0), (True, True)) and ((1, 0), (1, 1)),
    "array": lambda: np.array(OUTCOMES),
    "flags": lambda: np.array(OUTCOMES, bool),
    "array of objects": lambda: np.array([[1, 0], [1, 1]], object),
    "array of lists": lambda: np.array([[1, 0], [1, 1], None], object)[:2],
    "generator": lambda: (row for row in OUTCOMES),
    "generator of rows": lambda: (dict(id=q, correct=o) for q, _, o in ROWS),
    "dict of lists": lambda: dict(q1=[1, 0], q2=[1, 1]),
    "dict of arrays": lambda: {"q/1": np.array([1, 0]), "q/2": np.ones(2, int)},
    "dict of columns": lambda: dict(id=np.array(list("aabb")), correct=np.array([1, 0, 1, 1])),
    "dict of models": lambda: dict(base=np.array(OUTCOMES), tuned=np.array(OUTCOMES)),
    "series of lists": lambda: pd.Series(OUTCOMES, index=["a", "b"]),
    "series with an index": lambda: LONG.set_index(["question", "trial"])["correct"],
    "series with repeated names": lambda: pd.Series([1, 0, 1, 1], index=list("aabb")),
    "polars series": lambda: pl.Series(OUTCOMES),
    "frame": lambda: LONG,
    "indexed frame": lambda: LONG.set_index("question"),
    "frame with two levels": lambda: LONG.set_index(["question", "trial"]),
    "wide frame": lambda: pd.DataFrame(OUTCOMES, index=["a", "b"], columns=["run_1", "run_2"]),
    "frame of an array": lambda: pd.DataFrame(OUTCOMES),
    "polars frame": lambda: pl.from_pandas(LONG),
    "wide polars frame": lambda: pl.DataFrame(OUTCOMES, schema=["run_1", "run_2"], orient="row"),
    "lazy frame": lambda: pl.from_pandas(LONG).lazy(),
    "structs": lambda: (pl.DataFrame([dict(id=q, scores=dict(v=bool(o))) for q, _, o in ROWS]), ""),
    "frame of unknown names": lambda: (
        LONG.set_axis(["item_name", "attempt_no", "is_ok"], axis=1),
        "",
    ),
    "dict of two names": lambda: (dict(base=[1, 0], tuned=[1, 1]), "keys='questions'"),
    "levels without names": lambda: (
        pd.Series([1, 0, 1, 1], pd.MultiIndex.from_tuples([row[:2] for row in ROWS])),
        "question='level_0'",
    ),
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def type_in(capsys, monkeypatch, *words):
    "Exit code, output and error of a command."
    monkeypatch.setattr(sys, "argv", ["sampling-eval", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return ended.value.code, *capsys.readouterr()


def write(folder, name, content):
    if isinstance(content, str):
        content = content.encode()
    (folder / name).write_bytes(content)
    return name


def find_value(report, metric):
    rows = report["rows"] if isinstance(report, dict) else report.rows
    values = [
        row["estimate"] if isinstance(row, dict) else row.estimate
        for row in rows
        if (row["metric"] if isinstance(row, dict) else row.metric) == metric
    ]
    assert values and len(set(values)) == 1, rows
    return values[0]


def list_ways(said):
    return [way for way in said.strip().partition(" Try: ")[2].split(", or: ") if way]


def follow(run, said, more, seen=()):
    """What is told after typing the only way that errors print.

    Where they print none, what is meant."""
    ways = list_ways(said)
    assert len(ways) == (not more) and (not more or "pass " in said.lower()), said
    way = ways[0] if ways else more
    assert way not in seen, said
    return run(way, (*seen, way))


@pytest.mark.parametrize("name", READ)
def test_files_that_are_read_at_once(name, here, capsys, monkeypatch):
    file, content, *want = READ[name]
    code, out, err = type_in(capsys, monkeypatch, "score", write(here, file, content), "-f", "json")
    assert code == 0, err
    metric, value = want or ("pass@1", 0.75)
    assert find_value(json.loads(out), metric) == pytest.approx(value)


@pytest.mark.parametrize("name", ASKED)
def test_files_that_are_asked_about(name, here, capsys, monkeypatch):
    file, content, words, meant, *want = ASKED[name]

    def run(way, seen):
        code, out, err = type_in(capsys, monkeypatch, *shlex.split(way)[1:], "-f", "json")
        if code:
            return follow(run, err.replace(" -f json", ""), "", seen)
        return json.loads(out)

    code, out, err = type_in(
        capsys, monkeypatch, "score", write(here, file, content), *shlex.split(words)
    )
    assert code == 2 and all(shlex.quote(file) in way for way in list_ways(err)), err
    metric, value = want or ("pass@1", 0.75)
    typed = f"sampling-eval score {shlex.quote(file)} {words} {meant}" if meant else ""
    assert find_value(follow(run, err, typed), metric) == pytest.approx(value)


@pytest.mark.parametrize("name", PYTHON)
def test_objects(name):
    made = PYTHON[name]()
    data, meant = made if isinstance(made, tuple) and isinstance(made[-1], str) else (made, None)
    if meant is None:
        assert find_value(sampling_eval.score(data), "pass@1") == 0.75
        again = PYTHON[name]()
        assert sampling_eval.count(again).times.sum() in (4, 8)
        return

    def run(way, seen):
        return eval(way, dict(sampling_eval=sampling_eval, data=data))

    with pytest.raises((ValueError, TypeError)) as error:
        sampling_eval.score(data)
    typed = f"sampling_eval.score(data, {meant})" if meant else ""
    assert find_value(follow(run, str(error.value), typed), "pass@1") == 0.75


def test_every_way_out_can_be_typed(here, capsys, monkeypatch):
    "None of the ways that errors list is refused for its spelling or its columns."
    for name, (file, content, words, *_) in ASKED.items():
        _, _, err = type_in(
            capsys, monkeypatch, "score", write(here, file, content), *shlex.split(words)
        )
        for way in list_ways(err):
            code, _, said = type_in(capsys, monkeypatch, *shlex.split(way)[1:])
            assert code == 0 or " Try: " in said or "texts are no number" in said, (name, way, said)


def test_arrays_in_files(here, capsys, monkeypatch):
    np.save("a.npy", np.array(OUTCOMES))
    np.savez("one.npz", outcomes=OUTCOMES)
    np.savez("models.npz", base=OUTCOMES, tuned=OUTCOMES)
    np.savez("columns.npz", question=list("aabb"), correct=[1, 0, 1, 1])
    np.savez("lists.npz", id=["x", "y"], correct=OUTCOMES)
    np.savez("flat.npz", q1=[1, 0], q2=[1, 1])
    for file in "a.npy", "one.npz", "models.npz", "columns.npz", "lists.npz", "flat.npz":
        assert find_value(sampling_eval.score(file), "pass@1") == 0.75
    np.save("flat.npy", [1, 0])
    np.save("odd.npy", np.array([[1], [0, 1]], object), allow_pickle=True)
    for file, said in ("flat.npy", "one row per question"), ("odd.npy", "Python objects"):
        code, _, err = type_in(capsys, monkeypatch, "score", file)
        assert code == 2 and said in err


def test_arrays_in_every_verb(here):
    array, frame = np.array([[1, 0], [1, 1], [0, 0]] * 4), pd.DataFrame(
        [[1, 1], [1, 1], [0, 1]] * 4
    )
    counted = sampling_eval.count(array, "a.parquet")
    assert (
        counted.times.sum() == 24 and find_value(sampling_eval.score("a.parquet"), "pass@1") == 0.5
    )
    both = sampling_eval.merge(array, array + 0, separate=True)
    assert both.times.sum() == 48 and find_value(sampling_eval.score(both), "pass@1") == 0.5
    compared = sampling_eval.compare(counted, frame)
    assert compared.rows[0].difference == pytest.approx(1 / 3)
    assert len(sampling_eval.table(dict(a=array, b=frame)).rows) > 1
    for verb in sampling_eval.describe, sampling_eval.extrapolate, sampling_eval.explain:
        assert str(verb(frame))
    gate = sampling_eval.gate(frame, minimum={"pass@1": 0.1})
    assert gate.passed and str(sampling_eval.plan(pilot=frame, delta=0.1))


def test_row_numbers_and_means_are_said(here, capsys, monkeypatch):
    _, out, _ = type_in(
        capsys, monkeypatch, "score", write(here, "wide.csv", "run_1,run_2\n" + WIDE)
    )
    assert "each row is a question, named by its number from 0 on" in " ".join(out.split())
    file, content, *_ = ASKED["means of runs"]
    _, _, err = type_in(capsys, monkeypatch, "score", write(here, file, content))
    assert "nothing of new questions" in err
    _, out, _ = type_in(capsys, monkeypatch, *shlex.split(list_ways(err)[0])[1:])
    assert "each row is the mean of a whole run over 500 questions" in " ".join(out.split())
    assert "new questions)" not in out


def test_what_merge_and_compare_are_told_to_type(here, capsys, monkeypatch):
    one, two = (
        write(here, name, csv("item_name,attempt_no,is_ok", *"qso"))
        for name in ("a b.csv", "c.csv")
    )
    code, _, err = type_in(capsys, monkeypatch, "compare", one, two)
    assert code == 2 and list_ways(err) == [
        "sampling-eval compare 'a b.csv' c.csv --question item_name --correct is_ok"
    ]
    with pytest.raises(ValueError) as error:
        sampling_eval.compare(one, two, k=1)
    way = "sampling_eval.compare('a b.csv', 'c.csv', k=1, question='item_name', correct='is_ok')"
    assert list_ways(str(error.value)) == [way]
    code, _, err = type_in(capsys, monkeypatch, "merge", one, two, "-o", "both.csv")
    assert code == 2
    code, _, _ = type_in(capsys, monkeypatch, *shlex.split(list_ways(err)[0])[1:])
    assert code == 0 and find_value(sampling_eval.score("a b_counts.parquet"), "pass@1") == 0.75
    assert not re.search(r"\.\.\.", err)
