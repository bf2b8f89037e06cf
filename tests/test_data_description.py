"`describe`: what data support, and which columns there are where none can be chosen."

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from conftest import command
from printed import check_text

import sampling_eval
from sampling_eval import count, describe, score
from sampling_eval.reading import tables as sources
from sampling_eval.render.output import render
from sampling_eval.analyses.describe.result import DataDescription
from sampling_eval.analyses.describe.words import draw_solved

LOGS = Path(__file__).parent / "logs"
ROWS = [
    dict(
        task_id=f"q{q}",
        trial=s,
        passed=(q + s) % 2,
        answer="x" * (1 + (q + s) % 2),
        usd=0.25 * (s + q),
    )
    for q in range(4)
    for s in range(4)
]
FRAME = pl.DataFrame(ROWS)


def run(*words, code=0):
    told = command(*words)
    assert told.returncode == code, told.stderr
    return told.stdout + told.stderr


def pipe(data, *words):
    told = command(*words, stdin=data)
    assert told.returncode == 0, told.stderr
    return told.stdout


@pytest.mark.parametrize(
    "data, options",
    [
        (FRAME, {}),
        (FRAME.drop("answer"), {}),
        (np.array([[1, 0], [1, 1]]), {}),
        (LOGS / "tau_bench" / "gpt-4o-airline.json", {}),
        (FRAME.with_columns(passed=pl.col("usd") / 4), dict(correct=False, score="passed")),
        (LOGS / "inspect" / "arithmetic_mock.eval", dict(score="match", no_answer="abstain")),
    ],
)
def test_what_is_said_to_be_possible_is_what_score_computes(data, options):
    found, report = describe(data, **options), score(data, **options)
    names = {row.metric for row in report.rows}
    possible = [
        one
        for one in found.metrics
        if one.possible and one.metric not in ("mean@n", "max@k", "min@k")
    ]
    assert {one.metric.partition("@")[0].partition("^")[0] for one in possible} == {
        name.partition("@")[0].partition("^")[0] for name in names
    }
    for one in possible:
        if one.metric == "pass@k":
            assert {f"pass@{k}" for k in one.budgets} <= names
    for one in found.metrics:
        if one.possible:
            continue
        with pytest.raises(ValueError) as caught:
            score(data, one.metric, **options)
        assert str(caught.value).startswith(f"{one.metric} cannot be computed: {one.reason}")
        assert (f" with {one.part}=" in str(caught.value)) == bool(one.part)


def flat(result):
    return " ".join(str(result).split())


def test_missing_samples_are_told_and_not_settled():
    lost = FRAME.with_columns(passed=pl.when(pl.col("trial") < 3).then("passed"))
    for missing in None, "raise", "bounds":
        found = describe(lost, missing=missing)
        assert (
            found.systems[0].missing == found.read.missing.count == 4
            and found.read.missing.policy == "raise"
        )
        assert (
            "Warning: 4 samples have no outcome; choose missing='wrong', 'drop' or 'bounds'."
            in flat(found)
        )
    dropped = describe(lost, missing="drop")
    assert dropped.read.missing.policy == "drop" and "choose missing=" not in flat(dropped)
    assert [o.budgets for o in dropped.metrics if o.metric == "pass@k"] == [(1, 2, 3)]
    one = describe([[1, None], [0, 1]])
    assert "1 sample has no outcome" in flat(one) and "missing" in one.to_dict()["read"]


def test_questions_with_fewer_samples():
    found = describe(FRAME.head(13))
    assert (found.systems[0].fewest, found.systems[0].most, found.unbiased_k) == (1, 4, 0)
    assert "Warning: questions have 1 to 4 samples; if 4 were drawn of each, state it" in flat(
        found
    )
    assert "CIs for the same questions: upper bounds, as a question has one sample only." in flat(
        found
    )
    assert describe(FRAME).unbiased_k == 2 and "questions have" not in flat(describe(FRAME))
    assert "CIs for new questions: a single question says almost nothing of others." in flat(
        describe(FRAME.head(4))
    )


def test_models_groups_and_clusters():
    both = pl.concat(
        [
            FRAME.with_columns(model=pl.lit("base")),
            FRAME.head(12).with_columns(model=pl.lit("tuned")),
        ]
    )
    both = both.with_columns(
        topic=pl.col("task_id").replace_strict({f"q{i}": f"part {i % 2}" for i in range(4)})
    )
    found = describe(both.with_columns(passage="topic"), by="topic", cluster="passage")
    assert [(o.model, o.group, o.questions) for o in found.systems] == [
        ("base", "", 4),
        ("base", "part 0", 2),
        ("base", "part 1", 2),
        ("tuned", "", 3),
        ("tuned", "part 0", 2),
        ("tuned", "part 1", 1),
    ]
    assert found.systems[0].clusters == 2 and "clusters" in str(found)
    assert str(found).startswith("this DataFrame: 2 models, 3 to 4 questions, 4 samples each;")


def test_counts_files_are_described_too(tmp_path):
    count(FRAME, tmp_path / "kept.parquet")
    assert describe(tmp_path / "kept.parquet").systems == describe(FRAME).systems


# Columns to choose from.

ODD = FRAME.rename(dict(task_id="the problem", passed="verdict", trial="nr"))


@pytest.mark.parametrize(
    "convert",
    [
        lambda f: f,
        pl.DataFrame.to_dicts,
        pl.DataFrame.to_pandas,
        lambda f: f.to_dict(as_series=False),
    ],
)
def test_columns_are_listed_where_none_can_be_chosen(convert):
    found = describe(convert(ODD))
    assert found.fault.startswith("Which column holds the question? Got 'the problem', ")
    assert {o.column: (o.holds, o.different, o.parts[:1]) for o in found.columns} == {
        "the problem": ("text", 4, ("question",)),
        "nr": ("whole numbers", 4, ("question",)),
        "verdict": ("whole numbers", 2, ("correct",)),
        "answer": ("text", 2, ("answer",)),
        "usd": ("numbers", 7, ("score",)),
    }
    assert found.choice == {"question": "the problem", "correct": "verdict"}
    assert str(found).endswith("Try: question='the problem', correct='verdict'.")
    again = describe(convert(ODD), **found.choice)
    assert not again.fault and again.systems[0].right == 8


def test_two_columns_that_could_play_one_part():
    found = describe(FRAME.with_columns(prediction="answer"))
    assert found.fault.startswith("ambiguous: 'answer' or 'prediction' could be the answer")
    assert [o.column for o in found.columns if "answer" in o.parts] == [
        "answer",
        "prediction",
    ] and not found.choice


@pytest.mark.parametrize("name", ["odd.csv", "odd.jsonl", "odd.parquet"])
def test_files_with_odd_columns(name, tmp_path, monkeypatch):
    path = tmp_path / name
    dict(csv=ODD.write_csv, jsonl=ODD.write_ndjson, parquet=ODD.write_parquet)[name[4:]](path)
    small = describe(path)
    assert {o.column: o.different for o in small.columns}["verdict"] == 2 and small.choice[
        "correct"
    ] == "verdict"
    monkeypatch.setattr(sources, "SMALL", -1)
    # An engine would have to count each column, and only their names are looked at.
    large = describe(path)
    assert {o.column for o in large.columns} == set(ODD.columns) and not any(
        o.holds for o in large.columns
    )


def test_what_columns_hold():
    frame = dict(
        flag=[True, False, None],
        empty=[None] * 3,
        cells=[[1], [0, 1], []],
        word=["yes", "no", "yes"],
        long=["a" * 30, "b\nc", "d"],
        mixed=[1, "a", None],
        number=["0.5", "1", "2"],
    )
    found = {o.column: o for o in describe(frame).columns}
    assert {name: o.holds for name, o in found.items()} == dict(
        flag="flags",
        empty="nothing",
        cells="lists",
        word="text",
        long="text",
        mixed="mixed",
        number="numbers",
    )
    assert found["flag"].parts == found["word"].parts == ("correct",)
    assert found["long"].examples == ("aaaaaaaaa...", "b c")


def test_other_errors_stay_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        describe(tmp_path / "none.csv")
    with pytest.raises(TypeError, match="did you mean 'threshold'"):
        describe(FRAME, treshold=0.5)
    with pytest.raises(ValueError, match="missing must be"):
        describe(FRAME, missing="wrnog")
    (tmp_path / "bad.jsonl").write_text('{"id": 1}\n{"id"\n')
    with pytest.raises(ValueError, match="line 2: malformed JSON"):
        describe(tmp_path / "bad.jsonl")
    with pytest.raises(ValueError, match="pass score="):
        describe(LOGS / "inspect" / "arithmetic_mock.eval")
    with pytest.raises((ValueError, TypeError)):
        describe([[1, 2], [0, 1]])


# Forms.


@pytest.mark.parametrize("data", [FRAME, ODD])
def test_every_form(data):
    found = describe(data)
    assert DataDescription.from_json(found.to_json()) == found
    assert max(map(len, str(found).splitlines())) <= 80
    for form in found.to_markdown(), found.to_latex(), found.to_html():
        assert "this DataFrame" in form
    assert len(found.to_frame("polars")) == len(found.rows)
    assert render(found, "csv").splitlines()[0].startswith(("metric,possible", "column,holds"))
    with pytest.raises(ValueError, match="has no figure"):
        found.plot()


def test_budgets_in_words():
    said = [describe(np.ones((2, n), int)).to_markdown() for n in (1, 2, 5, 40)]
    for text, budgets in zip(said, ("1", "1, 2", "1 to 5", "1, 2, 4, ..., 40")):
        assert f"| pass@k | {budgets} |" in text


def join_lines(told):
    return " ".join(told.replace("\\\n", "").split())


def test_the_command(tmp_path):
    path, odd = tmp_path / "run.csv", tmp_path / "odd.csv"
    FRAME.write_csv(path)
    ODD.write_csv(odd)
    told = run("describe", path, "--no-answer", "vote")
    assert told.startswith(
        "run.csv: 4 questions"
    ) and "name their column with --score)." in " ".join(told.split())
    assert join_lines(told).endswith(f"Next: sampling-eval score {path} --no-answer vote")
    found = json.loads(run("describe", path, "-f", "json"))
    assert found["systems"][0]["right"] == 8 and found["metrics"][0]["metric"] == "pass@k"
    told = run("describe", odd, code=2)
    words = f"describe {odd} --question 'the problem' --correct verdict"
    assert join_lines(told).endswith(
        f"Next: sampling-eval {words}"
    ) and "Try: sampling-eval describe" in " ".join(told.split())
    assert run("describe", odd, "--question", "the problem", "--correct", "verdict").startswith(
        "odd.csv: 4 questions"
    )
    assert pipe(path.read_bytes(), "describe", "-").endswith("Next: sampling-eval score -\n")
    assert "has no figure" in run("describe", path, "-o", tmp_path / "x.svg", code=2)


# Everything on small data, recounted by hand when it was stored.

UNEVEN = [
    dict(
        question=q,
        sample=s,
        correct=None if (q, s) == (2, 1) else int(s < q),
        answer=["a", "b", None][(q + s) % 3],
        score=None if s == 3 else (q + s) % 4 / 4,
        model=m,
        task="uv"[q % 2],
        passage=q // 2,
    )
    for m in "xy"
    for q in range(5)
    for s in range(4 if (m, q) != ("y", 4) else 3)
]
SMALL = {
    "rows": (UNEVEN, {}),
    "groups": (UNEVEN, dict(by="task", cluster="passage", title="t")),
    "groups, missing drop": (UNEVEN, dict(by="task", missing="drop", no_answer="vote")),
    "missing wrong": (UNEVEN, dict(missing="wrong", no_answer="vote")),
    "no question": ([dict(a=1, b="x", c=0.5), dict(a=0, b="y", c=None)], {}),
    "a table": ([[1, None], [0, 1]], dict(title="table")),
    "one sample": ([[1]], dict(missing="raise")),
    "bounds": ([[1, None], [0, None]], dict(missing="bounds")),
}


@pytest.mark.parametrize("name", SMALL)
def test_all_of_small_data(name):
    data, options = SMALL[name]
    found = describe(data, **options)
    check_text(f"describe {name}", str(found), found.to_json())


def test_a_metric_is_possible_where_it_is_on_every_system():
    rows = [
        dict(model=m, question=q, sample=s, correct=1)
        for m, n in (("a", 4), ("b", 2))
        for q in "xy"
        for s in range(n)
    ]
    found = {one.metric: one for one in describe(rows).metrics}
    assert (
        found["pass@k"].budgets == (1, 2)
        and found["avg@n"].possible
        and found["avg@n"].budgets == ()
    )
    assert not found["maj@k"].possible and (found["maj@k"].reason, found["maj@k"].part) == (
        "no answers",
        "answer",
    )


def test_answers_and_scores_there_are():
    rows = [
        dict(question=q, correct=1, answer=a, score=s)
        for q, a, s in ((1, "x", 1), (1, "x", None), (2, None, 0.5), (2, "y", 0.5))
    ]
    (one,) = describe(rows, no_answer="vote").systems
    assert (one.answers, one.scored) == (2, 3)
    (one,) = describe([dict(question=1, correct=1)]).systems
    assert (one.answers, one.scored) == (None, None)


def test_clusters_are_those_named():
    assert {one.clusters for one in describe(UNEVEN, cluster={q: q for q in range(5)}).systems} == {
        5
    }
    assert describe(UNEVEN, no_answer="abstain", conflict="any").metrics != describe(UNEVEN).metrics
    copies = [
        dict(model=m, question=q, sample=s, answer="same", correct=q % 2)
        for m in "xy"
        for q in range(20)
        for s in range(2)
    ]
    assert [one.kind for one in describe(copies).cautions] == ["all_agree"]


# The picture: how many questions are solved at least so often.


def test_the_picture_counts_questions_by_their_right_samples():
    found = describe([[1, 1, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1]])
    assert found.whole[0].solved == (1, 1, 0, 1, 1)
    (picture,) = draw_solved(found)
    (line,) = picture.series
    assert (line.k, line.value) == ([1, 2, 3, 4], [0.75, 0.5, 0.5, 0.25])
    assert line.said[-1] == "at least 4 of 4 right: 25.0 % of questions"
    # Its ends are what all samples of a question give: pass@n, and pass^n.
    rows = score([[1, 1, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1]], k=4)
    assert [row.estimate for row in rows.rows if row.k == 4][:2] == [0.75, 0.25]
    assert "<svg" in found.to_html() and "at least so many" not in str(found)
    again = DataDescription.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.to_html() == found.to_html()


@pytest.mark.parametrize(
    "data",
    [
        [[1], [0]],  # One sample each
        [[1, 0], [1, 0, 1]],  # Unequal numbers
        [[1, None], [0, 1]],  # Without an outcome
        np.ones((3, 300), int),  # Too many to draw
        [dict(question=q, sample=s, score=0.5) for q in range(3) for s in range(2)],
    ],
)
def test_no_picture_where_counts_do_not_compare(data):
    found = describe(data)
    assert found.whole[0].solved == () and draw_solved(found) == []
