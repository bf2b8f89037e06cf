"""Tables whose rows hold several samples: lists, columns of runs, n and c.

They meet tasks, systems and several files."""

import gzip
import json
import zipfile

import numpy as np
import pandas as pd
import polars as pl
import pytest

from test_reading_origins import FEW, make, simplify, write_file
from sampling_eval import read, score
from sampling_eval.reading import tables as sources
from sampling_eval.reading.archives import is_one_log
from sampling_eval.reading.load import load
from sampling_eval.reading.options import Options
from sampling_eval.reading.records import find_records

pytestmark = pytest.mark.filterwarnings("ignore")
ORIGINS = [*FEW, "polars lazy"]
assert make  # a fixture


def count(data, **options):
    return load(data, Options.of(options)).blocks["", ""]


def list_counts(counts):
    return dict(zip(counts.questions.tolist(), zip(counts.n.tolist(), counts.c.tolist())))


def fail(data, **options):
    with pytest.raises((TypeError, ValueError)) as error:
        count(data, **options)
    return type(error.value), str(error.value)


def columns_of(rows):
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


# Lists, in the layouts of those who write them.

LIVECODEBENCH = [  # LiveCodeBench: *_eval_all.json
    dict(
        question_title="A",
        question_id="1873_A",
        contest_date="2023-08-21T00:00:00",
        difficulty="easy",
        output_list=["x", "y"],
        code_list=["x", "y"],
        graded_list=[True, False],
        **{"pass@1": 0.5},
        metadata=["{}", "{}"],
    ),
    dict(
        question_title="B",
        question_id="1873_B",
        contest_date="2023-08-21T00:00:00",
        difficulty="easy",
        output_list=["x", "y"],
        code_list=["x", "y"],
        graded_list=[True, True],
        **{"pass@1": 1.0},
        metadata=["{}", "{}"],
    ),
]
QWEN = [  # Qwen2.5-Math: *.jsonl of math_eval.py
    dict(
        idx=0,
        question="1 + 1",
        gt="2",
        answer="2",
        solution="",
        code=["", "", ""],
        pred=["2", "3", "2"],
        report=[None, None, None],
        score=[True, False, True],
    ),
    dict(
        idx=1,
        question="2 + 2",
        gt="4",
        answer="4",
        solution="",
        code=["", "", ""],
        pred=["5", "5", "5"],
        report=[None, None, None],
        score=[False, False, False],
    ),
]
MATHARENA = [  # MathArena: one file a problem
    dict(
        idx=1,
        problem="1 + 1",
        gold_answer="2",
        answers=["2", "2", "1", "2"],
        correct=[True, True, False, True],
        pass_at_1=0.75,
        cost=dict(cost=0.1),
    )
]
OPENR1 = [  # OpenR1-Math-220k
    dict(
        problem="1 + 1",
        answer="2",
        source="olympiads",
        uuid="a",
        generations=["x", "y"],
        correctness_math_verify=[True, False],
        correctness_llama=None,
        correctness_count=1,
    ),
    dict(
        problem="2 + 2",
        answer="4",
        source="olympiads",
        uuid="b",
        generations=["x", "y"],
        correctness_math_verify=[True, True],
        correctness_llama=None,
        correctness_count=2,
    ),
]


@pytest.mark.parametrize(
    "rows, want, answers",
    [
        (LIVECODEBENCH, {"1873_A": (2, 1), "1873_B": (2, 2)}, False),
        (QWEN, {"1 + 1": (3, 2), "2 + 2": (3, 0)}, True),
        (MATHARENA, {1: (4, 3)}, True),
        (OPENR1, {"a": (2, 1), "b": (2, 2)}, False),
    ],
    ids=["livecodebench", "qwen-math", "matharena", "openr1"],
)
def test_known_layouts_open_without_options(rows, want, answers, tmp_path):
    for form in "a.jsonl", "a.json":
        (tmp_path / form).write_text(
            "\n".join(map(json.dumps, rows)) if "jsonl" in form else json.dumps(rows)
        )
        counts = count(tmp_path / form)
        assert list_counts(counts) == want and (counts.votes is not None) == answers
    assert list_counts(count(rows)) == want


def test_a_problem_a_file(tmp_path):
    for i in 1, 2, 3:
        (tmp_path / f"{i}.json").write_text(json.dumps(MATHARENA[0] | dict(idx=i)))
    assert list_counts(count(tmp_path)) == dict.fromkeys((1, 2, 3), (4, 3))


LISTS = dict(
    question_id=["a", "b", "c"],
    model=["m", "m", "m"],
    graded=[[1, 0, 1, 1], [0, 0], [1, 1, 1]],
    preds=[["x", "y", "x", "x"], ["z", "z"], ["x", "x", "y"]],
)


@pytest.mark.parametrize("name", ORIGINS)
def test_lists_are_samples_in_every_origin(name, make):
    rows = read(make(name, LISTS))
    counts = rows.counts()
    assert list_counts(counts) == {"a": (4, 3), "b": (2, 0), "c": (3, 3)}
    assert sorted(zip(counts.votes.answer, counts.votes.votes)) == [
        ("x", 2),
        ("x", 3),
        ("y", 1),
        ("y", 1),
        ("z", 2),
    ]
    assert "correct=graded, answer=preds" in rows.source
    assert "samples are the values of the lists in graded, preds" in rows.source
    assert len(rows) == 9 and rows.draws.sum() == sum(2**i for n in (4, 2, 3) for i in range(n))


def test_lists_of_a_csv_file_as_json_or_as_python_prints_them(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    for small in 2**23, -1:
        monkeypatch.setattr(sources, "SMALL", small)
        for cells in ('"[true, false]"', '"[null, true]"'), ('"[True, False]"', '"[None, True]"'):
            path.write_text(
                "id,correct,pred\n"
                + "".join(
                    (
                        f'q{i},{cell},"[""it\'s"", \'b\']"\n'
                        if i
                        else f'q{i},{cell},"[""a"", ""b""]"\n'
                    )
                    for i, cell in enumerate(cells)
                )
            )
            counts = count(path, missing="wrong")
            assert list_counts(counts) == {"q0": (2, 1), "q1": (2, 1)}
            assert counts.missing.tolist() == [0, 1]
        path.write_text("id,correct\n1,\"[nan, 1.0]\"\n2,\"[0.0, 1.0]\"\n")
        assert count(path, missing="drop").n.tolist() == [1, 2]
        path.write_text('id,correct\n1,"[0_1, 1]"\n')
        assert fail(path)[1].startswith("correct must hold a list in every row, got '[0_1, 1]'")
    frame = pd.read_csv(write_file("b.csv")(columns_of(QWEN), tmp_path))
    assert list_counts(count(frame)) == {"1 + 1": (3, 2), "2 + 2": (3, 0)}


def test_arrays_as_cells():
    frame = pd.DataFrame(dict(id=[1, 2], correct=[np.array([1, 0]), np.array([1])]))
    assert list_counts(count(frame)) == {1: (2, 1), 2: (1, 1)}


def test_graded_lists_and_a_threshold():
    rows = [dict(id=i, score=[0.25 * i, 0.5, 1.0]) for i in range(3)]
    assert count(rows).c is None and count(rows).score_sum.tolist() == [1.5, 1.75, 2.0]
    assert count(rows, threshold=0.4).c.tolist() == [2, 2, 3]


def test_sums_beside_lists():
    rows = [dict(id=1, correct=[1, 0], tokens=[5, 7]), dict(id=2, correct=[1, 1], tokens=[1, 2])]
    assert count(rows, sums="tokens").sums["tokens"].tolist() == [[7, 5], [0, 3]]
    rows = [row | dict(cost=1.0) for row in rows]
    assert "sums='cost' must hold a list in every row" in fail(rows, sums="cost")[1]


def test_a_null_in_a_list_is_a_missing_sample():
    rows = [
        dict(id=1, correct=[1, None, 0], pred=["a", "b", "c"]),
        dict(id=2, correct=None, pred=["a", "b"]),
    ]
    counts = count(rows, missing="wrong")
    assert list_counts(counts) == {1: (3, 1), 2: (2, 0)} and counts.missing.tolist() == [1, 2]
    assert "3 samples have no outcome" in fail(rows)[1]


@pytest.mark.parametrize("name", ORIGINS)
def test_an_empty_list_is_a_question_without_a_sample(name, make):
    data = make(name, dict(id=[1, 2, 3], correct=[[1, 0], [], [1, 1]]))
    kind, told = fail(data, missing="wrong")
    assert issubclass(kind, ValueError) and told == (
        "every question needs a sample with an outcome, got none at question 2 (1 of 3 fail); "
        "missing='wrong' with samples_per_question= keeps it"
    )
    counts = count(data, missing="wrong", samples_per_question=2)
    assert list_counts(counts) == {1: (2, 1), 2: (2, 0), 3: (2, 2)}
    assert counts.missing.tolist() == [0, 2, 0]


FAULTS = {
    "two lengths": (dict(id=[1, 2, 3], correct=[[1], [1, 0], [1]], pred=[["a"], ["b"], ["c"]]), {}),
    "repeat": (dict(id=[1, 2, 1], correct=[[1, 0], [1], [1]]), {}),
    "odd": (dict(id=[1, 2], correct=[[1, 0], [1, 7]]), {}),
    "single answer": (dict(id=[1], gold=["a"], correct=[[1, 0]]), dict(answer="gold")),
    "single score": (dict(id=[1], final=[0.5], correct=[[1, 0]]), dict(score="final")),
    "two lists": (dict(id=[1], correct=[[1, 0]], passed=[[1, 1]]), {}),
    "threshold": (dict(id=[1], correct=[[1, 0]], score=[[0.5, 0.1]]), dict(threshold=0.2)),
}


@pytest.mark.parametrize("name", ORIGINS)
@pytest.mark.parametrize("fault", FAULTS)
def test_errors_are_equal(name, fault, make):
    columns, options = FAULTS[fault]
    got, want = fail(make(name, columns), **options), fail(columns, **options)
    if "json" in name and fault == "two lists":
        assert got[0] is want[0]
    else:
        assert simplify(got) == simplify(want)


def test_sentences_of_refused_lists():
    names = "two lengths", "repeat", "single answer", "two lists"
    told = [fail(FAULTS[name][0], **FAULTS[name][1])[1] for name in names]
    assert told == [
        "the lists of a row must have one length, got 2 of correct, 1 of pred at row 1 (1 of 3 "
        "rows fail)",
        "each sample must appear once, got question 1, sample 0 at row 0 and again at row 2 (1 row "
        "repeats); these rows are exact copies, equal in all columns: leave the copies out",
        "answer='gold' must hold a list in every row, as 'correct' does; leave it out, or write "
        "one row per sample",
        "ambiguous: 'correct' or 'passed' could be the outcome; pass correct='correct' or 'passed'",
    ]
    assert fail([dict(id=1, correct=[1]), dict(id=2, correct=1)])[1] == (
        "correct must hold a list in every row, got 1 at row 1"
    )


def test_lists_beside_outcomes_are_no_samples():
    rows = [dict(id=1, sample=s, correct=1, answer=["a", "b"]) for s in range(3)]
    assert list_counts(count(rows)) == {1: (3, 3)}
    rows = [row | dict(score=[0.1, 0.2]) for row in rows]
    assert fail(rows)[1].startswith("score must hold numbers, got [0.1, 0.2] at row 0")
    # The same question in several rows: the lists are no list of all its samples.
    del rows[0]["correct"], rows[1]["correct"], rows[2]["correct"]
    assert fail(rows)[1].startswith("each sample must appear once, got question 1, sample 0")


def test_lists_may_be_named():
    rows = [dict(id=1, right=[1, 0], said=["a", "b"]), dict(id=2, right=[1, 1], said=["a", "a"])]
    counts = count(rows, correct="right", answer="said")
    assert list_counts(counts) == {1: (2, 1), 2: (2, 2)} and counts.votes is not None
    assert list_counts(count(rows + rows, correct="right", sample=False)) == {1: (4, 2), 2: (4, 4)}


# Columns of runs.

RUNS = dict(problem_id=["a", "b", "c"], run_1=[1, 0, 1], run_2=[1, 1, 0], run_10=[0, 0, 0])


@pytest.mark.parametrize("name", ORIGINS)
def test_columns_of_runs_are_samples_in_every_origin(name, make):
    rows = read(make(name, RUNS))
    assert list_counts(rows.counts()) == {"a": (3, 2), "b": (3, 1), "c": (3, 1)}
    assert "sample=number of the column, correct=run_1..run_10" in rows.source
    assert rows.source.endswith("samples are the columns run_1..run_10")
    assert rows.draws.sum() == 3 * (2 + 4 + 1024)


@pytest.mark.parametrize(
    "stem",
    ["sample_{}", "pass_{}", "attempt{}", "Trial {}", "gpt4_run_{}", "correct-{}", "is_correct_{}"],
)
@pytest.mark.parametrize("right, wrong", [(1, 0), (True, False), (1.0, 0.0), ("yes", "no")])
def test_names_and_values_of_runs(stem, right, wrong):
    rows = [
        dict(id=i, **{stem.format(0): right, stem.format(1): wrong if i else None})
        for i in range(3)
    ]
    counts = count(rows, missing="drop")
    assert counts.n.tolist() == [1, 2, 2] and counts.c.tolist() == [1, 1, 1]


def test_columns_that_are_no_runs():
    no_outcome = "Which column holds the outcome?"
    for other in (
        dict(run_1=1),
        dict(run_1=1, run_2=0.5),
        dict(q1=1, q2=0),
        {"pass@1": 1, "pass@8": 1},
        dict(pass_at_1=1, pass_at_8=1),
        dict(run_1="the text", run_2="of a run"),
    ):
        assert no_outcome in fail([dict(id=1, **other), dict(id=2, **other)])[1]
    both = dict(a_run_1=1, a_run_2=0, b_run_1=1, b_run_2=0)
    assert fail([dict(id=1, **both)])[1] == (
        "ambiguous: columns such as 'a_run_1' or 'b_run_1' could hold the samples; write one row "
        "per sample, with a column model"
    )
    rows = [dict(id=1, sample=s, correct=1, run_1=0, run_2=0) for s in range(2)]
    assert list_counts(count(rows)) == {1: (2, 2)}


# Numbers of samples.


@pytest.mark.parametrize("name", ORIGINS)
@pytest.mark.parametrize(
    "n, c", [("n", "c"), ("num_samples", "num_correct"), ("total", "passed"), ("n", "correct")]
)
def test_tables_of_n_and_c_in_every_origin(name, n, c, make):
    data = make(name, {"id": ["a", "b", "c"], n: [8, 8, 4], c: [3, 0, 4], "k": [1, 1, 1]})
    rows = read(data)
    assert list_counts(rows.counts()) == {"a": (8, 3), "b": (8, 0), "c": (4, 4)}
    assert rows.source.endswith(
        f"question=id, correct={c}; samples are counted by {n}, right ones " f"by {c}"
    )
    assert len(rows) == 20


def test_what_is_no_table_of_n_and_c():
    assert fail([dict(id=1, n=3, c=2), dict(id=2, n=3, c=4)])[1] == (
        "need whole numbers 0 <= c <= n, got n=3, c=4 at row 1 (1 of 2 fail)"
    )
    assert (
        "ambiguous: 'n' or 'total' could hold the number of samples; take one"
        in fail([dict(id=1, n=3, total=4, c=2)])[1]
    )
    assert fail([dict(id=1, n=3, c=2), dict(id=1, n=3, c=1)])[1] == (
        "each question must appear once in a table of n and c, got 1 at row 0 and again at row 1; "
        "add them up, or name a column model"
    )
    # Outcomes beside a number of tokens, or of samples that were asked for.
    rows = [dict(id=i // 2, total=1500 + i, correct=i % 2) for i in range(4)]
    assert list_counts(count(rows)) == {0: (2, 1), 1: (2, 1)}
    assert "correct must be 0 or 1, got 5" in fail([dict(id=1, n=8, sample=0, correct=5)])[1]
    assert "got none at question 2" in fail([dict(id=1, n=3, c=2), dict(id=2, n=0, c=0)])[1]
    # Totals of models or tasks are no samples of a question.
    for name in "name", "model", "task", "title":
        rows = [{name: o, "n": 100, "correct": 85} for o in ("a", "b")]
        assert fail(rows)[1].startswith("Which column holds the question?")


def test_n_and_c_of_models():
    rows = [dict(id=i, model=m, n=4, c=i + (m == "b")) for i in range(3) for m in "ab"]
    blocks = load(rows).blocks
    assert [o.c.tolist() for o in blocks.values()] == [[0, 1, 2], [1, 2, 3]]


# Words.

WORDS = {
    "C = correct, I = incorrect": "CIIC",
    "yes = correct, no = incorrect": ["yes", "no"] * 2,
    "Y = correct, N = incorrect": "YNNY",
    "PASS = correct, FAIL = incorrect": ["PASS", "FAIL", "FAIL ", " PASS"],
    "passed = correct, failed = incorrect": ["passed", "failed", "failed", "passed"],
    "correct = correct, incorrect = incorrect, wrong = incorrect": [
        "correct",
        "incorrect",
        "wrong",
        "correct",
    ],
    "right = correct, wrong = incorrect": ["right", "wrong", "wrong", "right"],
    "solved = correct, unsolved = incorrect": ["solved", "unsolved", "unsolved", "solved"],
    "C = correct, I = incorrect, N = incorrect": "CNIC",
    "Yes = correct, yes = correct, NO = incorrect": ["Yes", "NO", " NO", "yes"],
}


@pytest.mark.parametrize("name", ORIGINS)
@pytest.mark.parametrize("part", ["correct", "score"])
def test_words_are_outcomes_in_every_origin(name, part, make):
    if part == "score" and name == "polars lazy":
        pytest.skip("its engine sums scores")
    for note, words in list(WORDS.items())[: 3 if part == "score" else None]:
        columns = {"id": [1, 1, 2, 2], "sample": [0, 1, 0, 1], part: list(words)}
        rows = read(make(name, columns))
        assert list_counts(rows.counts()) in ({1: (2, 1), 2: (2, 1)}, {1: (2, 0), 2: (2, 2)})
        assert rows.source.endswith(f"{part}={part}; {note}")


@pytest.mark.parametrize("name", ORIGINS)
def test_true_and_one_as_text(name, make):
    for words in ["True", "False", " true", "FALSE"], ["1", "0", "1", "0"]:
        counts = count(make(name, dict(id=[1, 1, 2, 2], correct=words)))
        assert list_counts(counts) == {1: (2, 1), 2: (2, 1)}


@pytest.mark.parametrize("name", ORIGINS)
@pytest.mark.parametrize(
    "words, told",
    [
        (
            ["yes", "pass", "no"],
            "correct must hold words of one kind, got 'no' and 'pass' and 'yes'",
        ),
        (
            ["yes", "maybe", "no"],
            "correct must hold 0/1 or bool, got 'maybe' (1 of 3 fail); compare "
            "text with the gold answer first, leave out what has no outcome",
        ),
        (
            ["C", "P", "I"],
            "correct must be right or wrong, got 'P', which is partial credit; write C, "
            "P and I as 1, 0.5 and 0 in a column score, and pass threshold=... for outcomes",
        ),
    ],
)
def test_other_words_are_refused(name, words, told, make):
    data = make(name, dict(id=[1, 1, 2], correct=words))
    kind, said = fail(data)
    assert issubclass(kind, TypeError) and said == told


def test_words_beside_missing_outcomes():
    rows = [dict(id=1, correct="C"), dict(id=1, correct=None), dict(id=2, correct="I")]
    assert count(rows, missing="drop").n.tolist() == [1, 1]
    frame = pd.DataFrame(rows).astype({"correct": "category"})
    assert count(frame, missing="drop").c.tolist() == [1, 0]
    assert count(pl.DataFrame(rows), missing="drop").c.tolist() == [1, 0]


# What a row is, by the names and values of its columns.


def tell_shape(columns, options):
    "How many samples each question has, and what they were taken from; or the refusal."
    try:
        rows = read(columns, **options)
    except (TypeError, ValueError) as error:
        return str(error)
    note = next(
        (note for note in rows.summary.notes if note.kind in ("lists", "totals", "run_columns")),
        None,
    )
    return (
        "rows" if note is None else " ".join([note.kind, *note.names]),
        np.bincount(rows.question, rows.times, len(rows.questions)).astype(int).tolist(),
    )


N = dict(id=[1, 2], n=[4, 4])
TWO_RUNS = dict(id=[1, 2], run_1=[1, 1], run_2=[0, 1])
UNCLEAR = (
    "ambiguous: correct could count the right ones of n samples or be the outcome of one, "
    "got 0 and 1 only, each question once and n above 1; "
    "pass ignore='n' if each row is one sample, or rename 'correct' to 'c'"
)


@pytest.mark.parametrize(
    "columns, options, want",
    [
        # Lists.
        (
            dict(idx=[1, 2], pred=[["a"], ["b"]], graded=[[1], [0]]),
            {},
            ("lists graded pred", [1, 1]),
        ),
        (dict(id=[1], pred=[["a"]], graded=[[1]]), dict(answer=False), ("lists graded", [1])),
        (dict(question=[1], rewards=[[0.5, 1]]), {}, ("lists rewards", [2])),
        (dict(id=[1], correct=[1], graded=[[1]]), {}, ("rows", [1])),
        (dict(id=[1], preds=[["a"]]), {}, ("rows", [1])),
        (dict(id=[1], graded=[[1, 0]]), dict(correct=False), ("rows", [1])),
        (dict(id=[1], graded=[[1, 0]]), dict(ignore="graded"), ("rows", [1])),
        (dict(id=[1, 2, 3], graded=[None, [1], "[1, 0]"]), {}, ("lists graded", [0, 1, 2])),
        # Numbers of samples.
        (dict(idx=[1, 2], n=[4, 4], c=[3, 4]), {}, ("totals n c", [4, 4])),
        (N | dict(c=[0, 1]), {}, ("totals n c", [4, 4])),
        (N | dict(correct=[0, 2]), {}, ("totals n correct", [4, 4])),
        (dict(id=[1, 2], total=[4, 4], ok=[3, 4]), dict(correct="ok"), ("totals total ok", [4, 4])),
        (
            dict(id=[1, 2], n=[1, 1], total=[4, 4], correct=[0, 2]),
            {},
            ("totals total correct", [4, 4]),
        ),
        (dict(id=[1, 2], n=[4, 4], total=[4, 1], correct=[0, 2]), {}, ("totals n correct", [4, 4])),
        (dict(id=[1, 2], n=[2.0**31 - 1, 0], c=[0, 0]), {}, ("totals n c", [2**31 - 1, 0])),
        (N | dict(c=[3, 4]), dict(sums="n"), ("rows", [1, 1])),
        (N | dict(c=[3, 4]), dict(ignore="n"), ("rows", [1, 1])),
        (N | dict(c=[3, 4], seed=[1, 1]), {}, ("rows", [1, 1])),
        *(
            (N | dict(c=[3, 4], s=[1, 1]), {part: "s"}, ("rows", [1, 1]))
            for part in ("sample", "score", "answer")
        ),
        (N | dict(c=[3, 4]), dict(correct=False), ("rows", [1, 1])),
        (N, {}, ("rows", [1, 1])),
        (dict(id=[1, 2], size=[4, 4], c=[3, 4]), {}, ("rows", [1, 1])),
        (dict(id=[1, 2], n=["4", "4"], c=["3", "4"]), {}, ("rows", [1, 1])),
        (
            N | dict(c=[3, 5]),
            {},
            "need whole numbers 0 <= c <= n, got n=4, c=5 at row 1 (1 of 2 fail)",
        ),
        (
            N | dict(c=[0.5, -1]),
            {},
            "need whole numbers 0 <= c <= n, got n=4, c=0.5 at row 0 (2 of 2 fail)",
        ),
        (
            dict(id=[1, 2], n=[2.0**31, 1.5], c=[0, 1]),
            {},
            "need whole numbers 0 <= c <= n, got n=2.14748e+09, c=0 at row 0 " "(2 of 2 fail)",
        ),
        (
            dict(id=[1, 2], total=[4, 4], n=[2, 2], correct=[0, 2]),
            {},
            "ambiguous: 'n' or 'total' could hold the number of " "samples; take one of them out",
        ),
        (N | dict(correct=[0, 1]), {}, UNCLEAR),
        (dict(id=[1, 1], model=["a", "b"], n=[4, 4], correct=[0, 1]), {}, UNCLEAR),
        (
            dict(id=[1, 1], group=["a", "b"], x=[1, 2], n=[4, 4], correct=[0, 1]),
            dict(question="x"),
            UNCLEAR,
        ),
        (dict(id=[1, 2], n_total=[4, 4], n=[2, 2], correct=[0, 1]), {}, UNCLEAR),
        (dict(id=[1, 2], n=[4, 1], correct=[0, 1]), {}, ("rows", [1, 1])),
        (dict(id=[1, 1], n=[4, 4], correct=[0, 1]), {}, ("rows", [2])),
        (dict(id=[1, 2], total=[4, 4], correct=[0, 1]), {}, ("rows", [1, 1])),
        # Columns of runs.
        (TWO_RUNS, {}, ("run_columns run_1 run_2", [2, 2])),
        (dict(uuid=[1], run_2=[0], run_10=[1], run_1=[1]), {}, ("run_columns run_1 run_10", [3])),
        (TWO_RUNS | dict(reward=[1, 2]), dict(score=False), ("run_columns run_1 run_2", [2, 2])),
        (
            TWO_RUNS | dict(reward=[1, 2]),
            {},
            "ambiguous: run_1..run_2 or 'reward' could hold the samples; pass score=False if "
            "they are runs, or score='reward' if a row is a sample",
        ),
        (dict(id=[1], my_pass_1=[1], my_pass_2=[0]), {}, ("run_columns my_pass_1 my_pass_2", [2])),
        (dict(id=[1], pass_0=[1], pass_1=[1], pass_2=[0]), {}, ("run_columns pass_0 pass_2", [3])),
        (dict(id=[1], pass_1=[1], pass_3=[0]), {}, ("rows", [1])),
        (dict(id=[1], gpt4=[1], gpt5=[0]), {}, ("rows", [1])),
        (dict(id=[1], run_1=[1], run_9=[0]), {}, ("run_columns run_1 run_9", [2])),
        (dict(id=[1], sample_1=[1], sample_1234567890=[0]), {}, ("rows", [1])),
        (TWO_RUNS, dict(sums="run_1"), ("rows", [1, 1])),
        (TWO_RUNS, dict(correct="run_1"), ("rows", [1, 1])),
        (TWO_RUNS | dict(s=[1, 1]), dict(sample="s"), ("rows", [1, 1])),
        (TWO_RUNS | dict(solved=[1, 1]), {}, ("rows", [1, 1])),
        (TWO_RUNS | dict(run_2=[7, 1]), {}, ("rows", [1, 1])),
        (TWO_RUNS | dict(run_2=[None, 1]), {}, ("run_columns run_1 run_2", [2, 2])),
        (
            dict(id=[1], a_run_1=[1], a_run_2=[7], b_run_1=[0], b_run_2=[1]),
            {},
            ("run_columns b_run_1 b_run_2", [2]),
        ),
        (
            dict(id=[1], b_run_1=[0], b_run_2=[1], c_run_1=[0], c_run_2=[1]),
            {},
            "ambiguous: columns such as 'b_run_1' or "
            "'c_run_1' could hold the samples; write one row per sample, with a column model",
        ),
        # Further names of questions.
        (
            {"prompt": [9], "Problem IDX": [1], "graded": [[1]]},
            dict(ignore="prompt"),
            ("lists graded", [1]),
        ),
        (dict(prompt=["a"], uuid=[1], graded=[[1]]), {}, ("lists graded", [1])),
    ],
)
def test_what_a_row_is(columns, options, want):
    assert tell_shape(columns, options) == want


@pytest.mark.parametrize("n, c", [([4, 4], [2, 3.0]), ([4, 4.0], [2, 3]), ([4.0, 4], [2.0, 3])])
def test_counts_written_with_and_without_a_point(n, c, tmp_path):
    rows = [dict(id=i, n=n[i], c=c[i]) for i in range(2)]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for data in rows, path:
        counts = load(data, Options.of({})).blocks["", ""]
        assert counts.n.tolist() == [4, 4] and counts.c.tolist() == [2, 3]
    with pytest.raises(
        ValueError, match=r"need whole numbers 0 <= c <= n, got n=4, c=3.5 at row 1 \(1 of 2 fail\)"
    ):
        load([rows[0], rows[1] | dict(c=3.5)], Options.of({}))


# Where shapes of tables meet tasks, systems, several files, and columns that are left out.

TOTALS = [dict(question=q, n=4, c=c) for q, c in (("a", 1), ("b", 3))]
AGAIN = [dict(question=q, n=4, c=c) for q, c in (("a", 2), ("b", 4))]


@pytest.fixture(params=["small", "counted"])
def reader(request, monkeypatch):
    if request.param == "counted":
        monkeypatch.setattr(sources, "SMALL", 0)


def write_tables(folder, form, *tables):
    return [write_file(f"{i}.{form}")(columns_of(rows), folder) for i, rows in enumerate(tables)]


def mark(rows, **marks):
    return [marks | row for row in rows]


# Numbers of samples beside tasks, systems and files.


def test_tasks_name_the_questions_of_n_and_c():
    rows = mark(TOTALS, dataset="x") + mark(TOTALS, dataset="y")
    assert list_counts(count(rows)) == {"x/a": (4, 1), "x/b": (4, 3), "y/a": (4, 1), "y/b": (4, 3)}
    rule = "a question needs rows of one llm, got 'x' and 'y'"
    assert rule in fail(mark(TOTALS, llm="x") + mark(TOTALS, llm="y"))[1]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_files_of_n_and_c(form, reader, tmp_path):
    paths = write_tables(tmp_path, form, TOTALS, AGAIN)
    assert "files with the same questions must be told apart" in fail(paths)[1]
    assert list_counts(count(paths, files_hold="draws")) == {"a": (8, 3), "b": (8, 7)}
    blocks = load(paths, Options.of(dict(files_hold="models"))).blocks
    assert {model: list_counts(counts) for (model, _), counts in blocks.items()} == {
        "0": {"a": (4, 1), "b": (4, 3)},
        "1": {"a": (4, 2), "b": (4, 4)},
    }
    assert "must appear once in a table of n and c" in fail(paths, model=False)[1]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_one_model_twice_in_files_of_n_and_c(form, reader, tmp_path):
    paths = write_tables(tmp_path, form, mark(TOTALS, model="m"), mark(AGAIN, model="m"))
    assert "must appear once in a table of n and c" in fail(paths)[1]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_n_and_c_beside_outcomes(form, reader, tmp_path):
    long = [dict(question=q, correct=1) for q in "ab"]
    paths = write_tables(tmp_path, form, TOTALS, long)
    assert "files with the same questions must be told apart" in fail(paths)[1]


# Columns that are left out.


def test_shapes_without_ignored_columns():
    wide = [dict(question=q, run_1=1, run_2=0, run_3=0) for q in "ab"]
    assert list_counts(count(wide, ignore="run_3")) == {"a": (2, 1), "b": (2, 1)}
    lists = [dict(question=q, correct=[1, 0], scores=[0.5]) for q in "ab"]
    assert list_counts(count(lists, ignore="scores")) == {"a": (2, 1), "b": (2, 1)}
    long = [dict(question=q, n=8, correct=2 - i) for i, q in enumerate("ab")]
    assert "correct must be 0 or 1, got 2" in fail(long, ignore="n")[1]


def test_runs_of_rows_that_are_samples_of_their_own():
    rows = [dict(question="a", run_1=1, run_2=0)] * 2
    assert list_counts(count(rows, sample=False)) == {"a": (4, 2)}


def test_runs_beside_a_score():
    rows = [dict(question=q, run_1=1, run_2=0, score=0.5) for q in "ab"]
    assert fail(rows)[1] == (
        "ambiguous: run_1..run_2 or 'score' could hold the samples; pass "
        "score=False if they are runs, or score='score' if a row is a sample"
    )
    assert list_counts(count(rows, score=False)) == {"a": (2, 1), "b": (2, 1)}
    assert count(rows, score="score").n.tolist() == [1, 1]


def test_values_of_pass_at_k_are_no_runs():
    rows = [dict(question=q, pass_1=0, pass_2=0, pass_4=1) for q in "ab"]
    assert "Which column holds the outcome?" in fail(rows)[1]
    assert count([dict(question="a", pass_1=0, pass_2=1)]).n.tolist() == [2]


# Names of columns and of questions, small or counted.


@pytest.mark.parametrize("name", ["", "Thing"])
def test_a_column_without_a_name_or_with_one_in_capitals(name, reader, tmp_path):
    rows = [{name: 4 * i, "thing": 3 * i, "question": i // 2, "correct": i % 2} for i in range(8)]
    (path,) = write_tables(tmp_path, "csv", rows)
    assert list_counts(count(path)) == {i: (2, 1) for i in range(4)}


@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "parquet"])
@pytest.mark.parametrize("first", [10**18, 2**62, -(10**18)])
def test_long_whole_numbers_name_questions(form, first, reader, tmp_path):
    (path,) = write_tables(tmp_path, form, [dict(question=first + i, correct=1) for i in range(3)])
    assert list_counts(count(path)) == {first + i: (1, 1) for i in range(3)}


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_large_tables_whose_columns_differ_in_capitals(form, monkeypatch, tmp_path):
    monkeypatch.setattr(sources, "SMALL", 0)
    rows = [dict(Dataset="x", dataset="y", question=q, correct=1) for q in "ab"]
    (path,) = write_tables(tmp_path, form, rows)
    kind, said = fail(path)
    assert issubclass(kind, ValueError) and said == (
        "columns of a large table must differ in more than capitals, got 'Dataset' and 'dataset'; "
        "rename one, or pass ignore='dataset'"
    )
    assert list_counts(count(path, ignore="dataset")) == {"a": (1, 1), "b": (1, 1)}


@pytest.mark.parametrize("cut", [1, 4, 8])
def test_a_gzip_file_without_its_end_gives_no_number(tmp_path, monkeypatch, cut):
    rows = "question,correct\n" + "".join(f"{q},{q % 2}\n" for q in range(40) for _ in range(2))
    (path := tmp_path / "t.csv.gz").write_bytes(gzip.compress(rows.encode())[:-cut])
    for small in (sources.SMALL, 0):
        monkeypatch.setattr(sources, "SMALL", small)
        with pytest.raises(ValueError, match="is not a complete gzip file"):
            score(path)


@pytest.mark.parametrize("small", [True, False])
def test_outcomes_of_zero_and_one_beside_several_samples_are_asked_for(
    tmp_path, monkeypatch, small
):
    if not small:
        monkeypatch.setattr(sources, "SMALL", 0)
    rows = "".join(f"q{q},8,{q % 2}\n" for q in range(6))
    (path := tmp_path / "t.csv").write_text(f"question,n,correct\n{rows}")
    with pytest.raises(
        ValueError, match="ambiguous: correct could count the right ones of n samples"
    ):
        score(path)
    assert score(path, ignore="n").rows[0].n_max == 1
    path.write_text(f"question,n,c\n{rows}")
    assert score(path).rows[0].n_max == 8
    path.write_text(f"question,n,correct\n{rows}{rows}")
    assert score(path).rows[0].n_max == 2
    path.write_text("question,total,correct\n" + rows)
    assert score(path).rows[0].n_max == 1


def test_lists_hold_samples_and_not_rows(tmp_path):
    rows = [dict(question=i, correct=[1, 0, 1]) for i in range(4)]
    (path := tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, rows)))
    np.save(tmp_path / "run.npy", np.ones((4, 3), int))
    for data in path, rows, tmp_path / "run.npy":
        found = read(data).summary
        assert (found.rows, found.unit) == (12, "sample") and "read 12 samples" in str(found)
    plain = [dict(question=i, sample=j, correct=1) for i in range(4) for j in range(3)]
    path.write_text("\n".join(map(json.dumps, plain)))
    assert "read 12 rows" in str(read(path).summary) and read(path).summary.unit == "row"


def test_a_run_may_have_a_mean_of_one():
    rows = [dict(seed=i, accuracy=a) for i, a in enumerate([0.75, 1.0, 0.8])]
    found = score(rows, target="same_questions")
    assert found.rows[0].estimate == pytest.approx(0.85)


@pytest.mark.parametrize(
    "row, alone",
    [
        (dict(question="a", accuracy=1, correct=1), True),
        (dict(model="m", accuracy=1), False),
        (dict(name="a", correct=1), True),
    ],
)
def test_an_object_is_a_row_unless_it_is_the_only_one_and_holds_totals(row, alone):
    assert find_records(row, None, "x.json", alone) == ([row], "")


def test_an_only_object_with_totals_is_no_row():
    with pytest.raises(ValueError, match="'x.json' is a summary"):
        find_records(dict(model="m", accuracy=1), None, "x.json", True)


@pytest.mark.parametrize(
    "name, held, one",
    [
        ("a.zip", "header.json", True),
        ("a.ZIP", "_journal/start.json", True),
        ("a.eval", "header.json", False),
        ("a.zip", "run.csv", False),
    ],
)
def test_a_zip_archive_is_one_log_if_it_holds_the_head_of_one(tmp_path, name, held, one):
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr(held, "{}")
    assert is_one_log(str(tmp_path / name)) is one
