"One question: its answers, and what it moves in every metric; or which questions to look at."

import json
import shlex
from dataclasses import replace

import numpy as np
import pytest

from conftest import command
from printed import check_text
from sampling_eval import compare, Counts, explain, Explanation, read, score, Shortlist
from sampling_eval.cli import make_parser
from sampling_eval.foundations.answers import tally
from sampling_eval.render.text import cut_text, measure, printable
from sampling_eval.results.base import encode
from sampling_eval.analyses.explain.result import Answer
from sampling_eval.analyses.explain.verb import question_differences, subtract
from sampling_eval.analyses.explain.words import draw_sides, right_or_wrong
from sampling_eval.analyses.engine.measure import measure_all
from sampling_eval.analyses.engine.questions import (
    COMPARED,
    near_matches,
    printed_as,
    find_question,
    join_words,
    LENGTH,
    quote_name,
    split_words,
)

OLD = [[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0]]
NEW = [[1, 0, 0, 0], [1, 0, 1, 1], [0, 0, 0, 0]]
GIVEN = dict(question="q", model="m", answer="said", correct="right", no_answer="vote")


def draw(said, model="m", question="aime/1", right=("7",), **more):
    "Samples of one question, a row for each answer."
    return [dict(q=question, m=model, said=one, right=int(one in right), **more) for one in said]


ROWS = [
    *draw(["7", "7", "8", None]),
    *draw(["7", "8", "8", "9"], question="aime/2"),
    *draw(["1", "2", "3", "4"], question="aime 3"),
]


# One system.


@pytest.mark.parametrize("name", ["aime/1", "aime/2", "aime 3"])
def test_every_metric_beside_the_mean_with_and_without(name):
    found, report = explain(ROWS, name, **GIVEN), score(ROWS, **GIVEN)
    others = score([row for row in ROWS if row["q"] != name], **GIVEN)
    own = report.questions.where(report.questions["question"] == name)
    assert {row.metric for row in found.rows} == {row.metric for row in report.rows}
    for row in found.rows:
        assert row.value == own[row.metric][0]
        assert row.mean == pytest.approx(report[row.metric].estimate, abs=1e-15)
        assert row.without == pytest.approx(others[row.metric].estimate, abs=1e-15)
        assert row.moved == pytest.approx(row.mean - row.without, abs=1e-15)


def test_metrics_and_budgets_asked_for():
    found = explain(OLD, 1, metrics=["pass@k", "pass^4"], k=[1, 2])
    assert [row.metric for row in found.rows] == ["pass@1", "pass@2", "pass^4"]
    assert found["pass@1"].value == 0.5 and found.weight == 1 / 3
    found = explain(OLD, 1, metrics=["pass@1", "pass@4"])
    assert [row.metric for row in found.rows] == ["pass@1", "pass@4"]
    found, report = explain(OLD, 1, k=[1, 2]), score(OLD, k=[1, 2])
    assert [row.metric for row in found.rows] == [row.metric for row in report.rows]
    own = explain(OLD, 1, NEW, metrics={"twice@k": lambda k: np.arange(k + 1) >= 2})
    gap = compare(OLD, NEW, {"twice@k": lambda k: np.arange(k + 1) >= 2})["twice@2"].difference
    assert own["twice@2"].mean == pytest.approx(gap)
    with pytest.raises(KeyError, match="metric must be one of .'pass@1'"):
        found["pass@9"]
    with pytest.raises(ValueError, match="k=9 needs 9 samples"):
        explain(OLD, 1, k=9)


def test_answers_are_kept_whatever_the_metric():
    assert explain(ROWS, "aime/1", metrics="pass@1", **GIVEN).answers


def test_a_question_that_moves_nothing_and_one_that_is_alone():
    assert "Every mean would be the same without it." in " ".join(
        repr(explain([[1, 0]] * 3, 0)).split()
    )
    alone = explain([[1, 0]], 0)
    assert alone.rows[0].without is None and "It is the only question." in repr(alone)


def test_missing_samples_and_why_no_answers():
    rows = [*ROWS, dict(q="aime/1", m="m", said=None, right=None)]
    found = explain(rows, "aime/1", missing="wrong", **GIVEN)
    assert found.sides[0].missing == 1 and "right in 2 of 5 samples (1 missing)" in repr(found)
    bare = explain(ROWS, "aime/1", **GIVEN | dict(no_answer=None))
    assert not bare.answers and bare.notes[0].startswith(
        "No answers: samples without an answer need a rule"
    )


def test_of_which_systems_there_are_no_answers():
    given = GIVEN | dict(no_answer=None)
    whole = [row | dict(said=row["said"] or "none") for row in ROWS]
    both = explain(ROWS, "aime/1", ROWS, **given)
    assert both.notes[0].startswith("No answers: samples without an answer need a rule")
    one = explain(ROWS, "aime/1", whole, **given)
    assert one.notes[0].startswith(f"No answers of {one.sides[0].name}: samples without")


def test_scores_on_a_scale_of_their_own():
    table = dict(question=[1, 1, 2, 2], score=[4, 5, 1, 2])
    one = repr(explain(table, 1, metrics="mean@n"))
    assert "Question 1: scored 4.500 on average in 2 samples." in one
    found = explain(table, metrics="mean@n")
    assert found.order == "scores" and [row.question for row in found.listed] == [2, 1]
    assert "2 questions with scores. Lowest means first. question mean score" in " ".join(
        repr(found).split()
    )


def test_scores_that_are_the_outcomes_are_not_said_twice():
    assert "Scores 0" not in repr(
        explain(dict(question=[1, 1], score=[0.0, 1.0], correct=[0, 1]), 1)
    )


# Two systems.


def test_its_part_of_the_difference():
    found, versus = explain(OLD, 0, NEW), compare(OLD, NEW)
    for row in (one for one in found.rows if one.of == "B - A" and one.metric.startswith("pass@")):
        assert row.mean == pytest.approx(versus[row.metric].difference, abs=1e-15)
        assert row.value == versus.questions[f"{row.metric} B - A"][0]
    assert found["pass@1"].without == pytest.approx(compare(OLD[1:], NEW[1:])["pass@1"].difference)
    assert found["A", "pass@1"].value == 1 and found.rank == 1 and explain(OLD, 1, NEW).rank == 2
    told = " ".join(repr(found).split())
    assert told.startswith("Question 0: A right in 4 of 4 samples, B right in 1 of 4 samples.")
    assert (
        "It adds -25.0 points to B - A in pass@1 (no question adds more): -16.7 points, without it"
        " +12.5 points."
        in told
    )


def test_roundings_of_zero_are_zero():
    found = explain([[1, 1, 0], [0, 0, 1]], 0, [[0, 1, 1], [1, 0, 0]])
    assert {row.value for row in found.rows if row.of == "B - A"} == {0.0}
    assert {row.without for row in found.rows if row.of == "B - A"} == {0.0}


def test_an_answer_that_is_right_under_one_grading():
    rows = [dict(q=1, said="12 ", strict=0, loose=1), dict(q=2, said="3", strict=1, loose=1)]
    found = explain(rows, 1, question="q", answer="said", correct=["strict", "loose"])
    assert found.answers[0].right == (False, True) and "for " in repr(found)


def test_questions_that_only_one_side_has():
    base, new = Counts([2, 2], [1, 2], ["a", "b"]), Counts([2, 2], [1, 2], ["a", "c"])
    with pytest.raises(ValueError, match="on_unmatched='drop'"):
        explain(base, "a", new)
    assert explain(base, "a", new, on_unmatched="drop").questions == 1
    with pytest.raises(ValueError, match="there is no question 'c' among the 1"):
        explain(base, "c", new, on_unmatched="drop")


def test_several_models_fit_the_screen():
    rows = [
        dict(q=q, m=f"model-{m}", right=int((q + s) % (m + 2) == 0))
        for q in range(3)
        for m in range(5)
        for s in range(4)
    ]
    found = explain(rows, 1, question="q", model="m", correct="right")
    assert len(found.sides) == 5 and "Question 1: 5 models." in repr(found)
    assert max(map(measure, repr(found).splitlines())) <= 80


# Questions worth a look.


def test_flaky_ones_first():
    found = explain([[1, 1], [0, 1], [0, 0]])
    assert [row["question"] for row in found.rows] == [1] and isinstance(found, Shortlist)
    assert found.counts == dict(flaky=1, never=1, always=1) and found.order == "flaky"
    even = explain([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]])
    assert [row["question"] for row in even.rows] == [1, 0, 2] and "2 of 4" in repr(even)


def test_the_largest_part_of_the_difference_first():
    found = explain(OLD, None, NEW)
    assert [(row["question"], row["B - A"]) for row in found.rows] == [(0, -0.75), (1, 0.25)]
    assert found.rows[0]["adds"] == -0.25 and found.metric == "pass@1"
    assert found.counts == dict(higher=1, lower=1, equal=1) and found.order == "difference"


def test_equal_differences_keep_the_order_of_the_questions():
    old, new = [[0, 0, 1, 1]] * 40, [[1, 1, 1, 1], [0, 1, 1, 1]] * 20
    listed = [row["question"] for row in explain(old, None, new).rows]
    assert listed == [*range(0, 40, 2), *range(1, 40, 2)][: len(listed)] and len(listed) > 16


def test_the_widest_spread_of_several():
    rows = [dict(q=q, m=m, right=int(m > q)) for q in range(3) for m in range(3)]
    found = explain(rows, question="q", model="m", correct="right")
    assert [row["question"] for row in found.rows] == [0, 1]
    assert found.rows[1] == {
        "question": 1,
        "lowest": 0.0,
        "lowest of": "0",
        "highest": 1.0,
        "highest of": "2",
    }


def test_no_question_worth_a_look():
    found = explain([[1, 1]])
    assert not found.rows and "0 flaky" in repr(found)
    assert "No question is worth a look." in repr(explain(OLD, None, OLD))


def test_long_lists_are_cut():
    found = explain(Counts(np.full(99, 4), np.full(99, 2)))
    assert len(found.rows) == 50 and repr(found).count("2 of 4") == 8
    assert found.to_text(how=True).count("2 of 4") == 58


# Names.


def test_names_as_a_shell_gives_them():
    assert find_question([7, 12], "12") == 1 and find_question(["a b", "c/d"], "c/d") == 1
    assert find_question([1, "1"], "1") == 1 and find_question([1, "1"], 1) == 0
    assert find_question(["\x1b[31mred", "x"], "\ufffd[31mred") == 0
    assert find_question(["a\nb", "x"], "a b") == 0
    long = ["x" * 500, "y" * 500]
    assert find_question(long, cut_text(long[1], 60)) == 1


def test_of_a_long_name_its_beginning_is_looked_for():
    name = "z" * LENGTH + "a" * LENGTH
    assert near_matches([name], "a" * LENGTH + "b") == [quote_name(name)]


def test_near_matches():
    with pytest.raises(
        ValueError,
        match="there is no question '50' among the 3; did you mean 'aime/50' or 'aime/150'.$",
    ):
        find_question(["aime/150", "aime/50", "x"], "50")
    with pytest.raises(ValueError, match="did you mean 'aime/50'"):
        find_question(["aime/50", "x"], "amie/50")
    with pytest.raises(ValueError, match="among the 1; they are named like 'x'$"):
        find_question(["x"], "amie/50")
    with pytest.raises(ValueError, match="2 questions read like '�1'; pass the name itself"):
        find_question([1, "\x001", "\x011"], "�1")


def test_words_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.json", "b.json", "7"):
        (tmp_path / name).write_text("[]")
    assert split_words(["a.json"]) == (["a.json"], None)
    assert split_words(["a.json", "q/1"]) == (["a.json"], "q/1")
    assert split_words(["a.json", "b.json"]) == (["a.json", "b.json"], None)
    assert split_words(["a.json", "b.json", "7"]) == (["a.json", "b.json"], "7")
    assert split_words(["a.json"], "7") == (["a.json"], "7")
    assert split_words(["a.json", "b.json"], "b.json") == (["a.json", "b.json"], "b.json")
    with pytest.raises(ValueError, match="got 4 words; put quotes"):
        split_words(["a.json", "b.json", "x", "y"])
    with pytest.raises(ValueError, match="no file to read at 'x'; put quotes"):
        split_words(["a.json", "x", "y"])


@pytest.mark.parametrize("name", ["7", "q 1", "-1", "--how", "it's", "q/1", "a.json"])
def test_what_is_typed_next_can_be_typed(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.json").write_text("[]")
    words = shlex.split(shlex.join(["explain", *join_words(["a.json"], name)]))
    asked = make_parser().parse_args(words)
    assert split_words(asked.files, asked.about) == (["a.json"], name)


# Hostile text.

HOSTILE = [
    "\x1b[2J\x1b[31m",
    "x" * 2**20,
    "\u202eabc",
    "a\nb\tc",
    "漢字" * 60,
    "=HYPERLINK(1)",
    "<script>",
    "|",
    " ",
]


def test_hostile_answers_and_names_are_inert():
    rows = [
        row
        for name in ("\x1b[31mred\n" + "n" * 300, "plain")
        for row in draw(HOSTILE, "mo\x1bdel", name, HOSTILE[:2])
    ]
    given = GIVEN | dict(no_answer="abstain", conflict="any")
    for row in rows[-1:]:
        row["right"] = 0
    found = explain(rows, rows[0]["q"], **given)
    assert all(len(one.answer) <= 1000 for one in found.answers)
    assert any(one.length == 2**20 for one in found.answers) and "1,048,576 characters" in repr(
        found
    )
    for text in (repr(found), found.to_text(how=True), repr(explain(rows, **given))):
        lines = text.splitlines()
        assert all(printable(line) == line for line in lines) and max(map(measure, lines)) <= 80
    assert "<script>" not in found.to_html() and "\x1b" not in found.to_html() + found.to_markdown()


# Forms, and the command.


@pytest.mark.parametrize("given", [dict(name="aime/1"), dict(name=None)])
def test_every_form(given):
    rows = [
        *ROWS,
        *draw(["8", "8", "7", "7"], "n"),
        *draw(["7"] * 4, "n", "aime/2"),
        *draw(["1"] * 4, "n", "aime 3"),
    ]
    found = explain(rows, **given, **GIVEN)
    assert type(found).from_json(found.to_json()) == found
    forms = found.to_text(how=True), found.to_markdown(), found.to_latex(), found.to_html()
    assert all(("aime/1" if given["name"] else "aime/2") in form for form in forms)
    assert list(found.to_frame()) == list(encode(found.rows[0]))
    with pytest.raises(ValueError, match="has no figure"):
        found.plot()


@pytest.fixture
def files(tmp_path):
    "Two runs of numbered questions, and of questions whose names need quotes."
    for name, table in dict(a=OLD, b=NEW).items():
        rows = [
            dict(question=q, correct=c, model=name)
            for q, row in zip((7, 12, 50), table)
            for c in row
        ]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))
    (tmp_path / "odd.jsonl").write_text(
        "\n".join(map(json.dumps, (row | dict(model="m") for row in ROWS)))
    )
    return tmp_path


def test_from_a_shell(files):
    told = command("explain", files / "a.json", "12")
    assert told.returncode == 0 and told.stdout.startswith(
        "Question 12: a right in 2 of 4 samples."
    )
    told = command("explain", files / "a.json", files / "b.json", "7")
    assert (
        told.stdout.startswith("Question 7: a right in 4 of 4 samples, b right")
        and "It adds -25.0" in told.stdout
    )
    odd = (
        "--question",
        "q",
        "--answer",
        "said",
        "--correct",
        "right",
        "--no-answer",
        "vote",
        "--model",
        "m",
    )
    told = command("explain", files / "odd.jsonl", "aime 3", *odd)
    assert "Question aime 3: m right in 0 of 4 samples." in told.stdout
    assert max(map(len, told.stdout.splitlines())) <= 80


def test_options_may_stand_before_the_question(files):
    told = command("explain", files / "a.json", "--how", files / "b.json", "-m", "pass@1", "50")
    assert told.returncode == 0 and "Question 50" in told.stdout
    told = command("explain", files / "a.json", "--hau", "50")
    assert told.returncode == 2 and "unrecognized arguments: --hau 50" in told.stderr


def test_lists_and_says_what_to_type(files):
    told = command("explain", files / "a.json", files / "b.json")
    typed = " ".join(told.stdout.rpartition("\n\n")[2].replace("\\\n", "").split())
    assert typed == f"Next: sampling-eval explain {files / 'a.json'} {files / 'b.json'} 7"
    assert "Next" not in command("explain", files / "a.json", "-f", "json").stdout
    told = command("explain", files / "a.json", "--ignore", "model", "--model", "none")
    assert " ".join(told.stdout.replace("\\\n", "").split()).endswith(
        "a.json 12 --model none --ignore model"
    )


def test_what_the_command_refuses(files):
    told = command("explain", files / "a.json", "51")
    assert (
        told.returncode == 2
        and "there is no question '51' among the 3; they are named like '7', '12', '50'"
        in told.stderr
    )
    told = command("explain", files / "a.json", "7", "-o", files / "out.svg")
    assert told.returncode == 2 and "a result of explain has no figure" in told.stderr
    told = command("explain", files / "a.json", "7", "-o", files / "a.json")
    assert told.returncode == 2 and "holds the data that were read" in told.stderr
    assert command("explain", files / "none.json", "7").returncode == 2


def test_files_of_every_form(files):
    for ending in "json csv md tex html txt".split():
        assert (
            command("explain", files / "a.json", "7", "-o", files / f"out.{ending}").returncode == 0
        )
        assert (files / f"out.{ending}").stat().st_size > 100
    assert Explanation.from_json((files / "out.json").read_text()).question == "7"


def test_counted_rows_keep_the_answers(tmp_path):
    from sampling_eval import count

    pytest.importorskip("duckdb")
    count(read(ROWS, question="q", answer="said", correct="right"), tmp_path / "counts.parquet")
    found = explain(str(tmp_path / "counts.parquet"), "aime/1", no_answer="vote")
    assert (
        found.answers == explain(
            ROWS, "aime/1", question="q", answer="said", correct="right", no_answer="vote"
        ).answers
    )


# Every number of small cases, each recounted by hand when it was stored.

GIVEN_ALL = {
    "m": {
        "q1": (["7", "7", "8", None], [1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1]),
        "q2": ("1221", [0, 1, 1, 0], [0.5, 0.5, 0.7, 0.4]),
        "q3": ("xxx", [1, 1, None], [0.3, None, 0.1]),
    },
    "n": {
        "q1": ("79998", [1, 0, 0, 0, 0], [0.9, 0.8, 0.2, 0.1, 0.3]),
        "q2": ("2222", [1] * 4, [0.5, 0.5, 0.7, 0.4]),
        "q3": ("yxyz", [0, 1, 0, 0], [0.3, 0.4, 0.1, 0.6]),
    },
}
TWO_MODELS = [
    dict(question=q, answer=a, correct=c, score=s, model=model)
    for model, tables in GIVEN_ALL.items()
    for q, columns in tables.items()
    for a, c, s in zip(*columns)
]


@pytest.mark.parametrize("name", ["q1", "q2", "q3", None])
@pytest.mark.parametrize("models", [["m", "n"], ["n"]], ids="-".join)
def test_all_of_a_small_case(name, models):
    found = explain(
        TWO_MODELS,
        name,
        no_answer="vote",
        missing="wrong",
        metrics=["pass@k", "maj@3", "best@2", "avg@n"],
        k=[1, 2],
        models=models,
    )
    check_text(f"explain {name} {' '.join(models)}", found.to_text(how=True), found.to_json())


def test_so_many_answers_are_kept():
    rows = [dict(question=0, answer=f"a{i:02}", correct=0) for i in range(51)]
    found = explain(rows, 0)
    assert [one.answer for one in found.answers] == [f"a{i:02}" for i in range(50)] and found.sides[
        0
    ].different == 51


def test_options_that_are_told():
    given = dict(no_answer="vote", missing="wrong", models=["m", "n"], metrics="maj@3")
    found = {ties: explain(TWO_MODELS, "q1", ties=ties, **given) for ties in ("expected", "wrong")}
    assert [one.rows[0].value for one in found.values()] == pytest.approx([2 / 3, 1 / 2])
    assert [one.ties for one in found.values()] == ["expected", "wrong"]
    assert (
        explain(TWO_MODELS, "q1", title="data", **given).title
        == explain(TWO_MODELS, title="data", **given).title
        == "data"
    )
    part = [row for row in TWO_MODELS if (row["model"], row["question"]) != ("n", "q3")]
    assert explain(part, "q1", on_unmatched="drop", **given).questions == 2
    with pytest.raises(ValueError, match="must cover the same questions"):
        explain(part, "q1", **given)
    alone = explain(
        [row for row in part if row["model"] == "n"], "q1", metrics="pass@1", models="n"
    )
    assert alone.rank is None and alone.questions == 2


# What is printed.


def answer_all(said, model, question, right="7"):
    return draw(said, model, question, [right])


ONE = [
    *answer_all(["7", "7", "8", None], "m", "aime/1"),
    *answer_all(["7", "8", "8", "9"], "m", "aime/2"),
    *answer_all(["1", "2", "3", "4"], "m", "aime|3"),
]
TWO = [
    *ONE,
    *answer_all(["8", "8", "7", "7"], "n", "aime/1"),
    *answer_all(["7"] * 4, "n", "aime/2"),
    *answer_all(["5", "5", "6", "6"], "n", "aime|3"),
]
THREE = [
    *TWO,
    *answer_all(["8", "7", "7", "7"], "o", "aime/1"),
    *answer_all(["8", "8", "8", "8"], "o", "aime/2"),
    *answer_all(["7", "6", "6", "6"], "o", "aime|3"),
]
GRADED = dict(question=[1, 1, 2, 2, 3, 3], score=[0.1, 0.7, 0.5, 0.5, 1.0, 0.0])
JUDGED = GRADED | dict(correct=[0, 1, 1, 0, 0, 1])
MISSING = [
    *ONE,
    dict(q="aime/1", m="m", said=None, right=None),
    dict(q="aime/2", m="m", said="7", right=1),
]

CASES = {
    "one": (ONE, "aime/1", GIVEN),
    "abstain": (
        answer_all(["7", None, "8", "7", None], "m", "x") + ONE[4:8],
        "x",
        GIVEN | dict(no_answer="abstain", ties="wrong"),
    ),
    "tie": (ONE, "aime|3", GIVEN | dict(ties="wrong")),
    "two": (TWO, "aime/1", GIVEN),
    "two ties": (TWO, "aime|3", GIVEN),
    "three": (THREE, "aime/2", GIVEN),
    "graded": (GRADED, 1, dict(correct=False)),
    "judged": (JUDGED, 1, {}),
    "judged wrong": (JUDGED, 3, {}),
    "missing": (MISSING, "aime/1", GIVEN | dict(missing="wrong")),
    "alone": ([[1, 0, 1]], 0, {}),
    "never": ([[0, 0], [0, 0]], 0, {}),
    "list of one": (ONE, None, GIVEN),
    "list of two": (TWO, None, GIVEN),
    "list of three": (THREE, None, GIVEN),
    "list of graded": (GRADED, None, dict(correct=False)),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_printed(name):
    data, question, given = CASES[name]
    found = explain(data, question, **given)
    check_text(
        f"explain case {name}", found.to_text(how=True), found.to_markdown(), found.to_latex()
    )
    assert type(found).from_json(found.to_json()) == found and found.to_html()


# A question by its name, as it is typed in a shell.


@pytest.mark.parametrize(
    "words, about, said",
    [
        (
            ["a.json", "8", "9"],
            None,
            "^no file to read at '8'; put quotes around the name of a question that has spaces$",
        ),
        (["a.json", "8"], "9", "no file to read at '8'"),
        (["a.json", "b.json", "7"], "8", "got 3 words; put quotes around a name with spaces, and"),
        (
            ["a.json", "b.json", "7", "8"],
            None,
            "explain takes one or two files and a question, got 4 words",
        ),
    ],
)
def test_words_that_are_too_many(words, about, said):
    with pytest.raises(ValueError, match=said):
        split_words(words, about)


@pytest.mark.parametrize(
    "names, wanted, place",
    [
        ([1, 1.0, "1"], "1", 2),
        ([1, True], True, 1),
        ([True, 1], 1, 1),
        (["1", 1], 1, 1),
        (["a", "a"], "a", 0),
        ([1, 2.5], "2.5", 1),
        ([None, "x"], "None", 0),
        (["ab", "a b"], "a b", 1),
        ([7, "\x1b7"], "\ufffd7", 1),
        (["q\t1\nx", "q1x"], "q 1 x", 0),
        (["long name one", "other"], "long na…", 0),
    ],
)
def test_a_name_or_what_reads_like_it(names, wanted, place):
    assert find_question(names, wanted) == place


@pytest.mark.parametrize(
    "names, wanted, said",
    [
        (
            ["one a", "one b"],
            "one…",
            "^2 questions read like 'one…'; pass the name itself, a number as a number$",
        ),
        ([1, 1.0], "x", "^there is no question 'x' among the 2; they are named like '1', '1.0'$"),
        ([1, 2, 3, 4], "x", "they are named like '1', '2', '3'$"),
        (["abcd", "abce", "abcf", "abcg"], "abc", "did you mean 'abcd' or 'abce' or 'abcf'.$"),
    ],
)
def test_names_that_are_not_there(names, wanted, said):
    with pytest.raises(ValueError, match=said):
        find_question(names, wanted)


def test_names_as_they_are_printed():
    assert printed_as(["a\x00b", "a\ufffdb", "ab"], "a\ufffdb") == [0, 1]
    assert printed_as(["abc", "abd", "xab"], "ab…") == [0, 1]
    assert printed_as(["abc"], "…") == [] == printed_as(["abc"], "ab")
    assert printed_as(["abc", "ab…"], "ab…") == [1]
    # Of a long name the start is looked at.
    assert printed_as(["a b" + " " * 996 + "cd"], "a b c") == [0]
    assert printed_as(["a b" + " " * 997 + "cd"], "a b") == [0]


def test_names_that_are_near():
    assert near_matches(["xx50", "x50", "yyy50", "50", "z"], "50") == ["'50'", "'x50'", "'xx50'"]
    assert (
        near_matches(["ABC/1"], "abc") == ["'ABC/1'"]
        and near_matches(["q"], "") == []
        and near_matches([], "q") == []
    )
    assert (
        near_matches(["abcdefgh", "zzzz"], "abcdefzz") == ["'abcdefgh'"]
        and near_matches(["abcdefgh"], "abczzzzz") == []
    )
    # Six tenths alike are near, a little less is not.
    assert (
        near_matches(["abcxx"], "abcyy") == ["'abcxx'"]
        and near_matches(["abcxxy"], "abczzzz") == []
    )
    start = "s" * LENGTH
    assert near_matches([f"{start}one"], f"{start}two") == [quote_name(f"{start}one")]
    far = [f"{i:08}" for i in range(COMPARED)]
    assert near_matches([*far[1:], "question/x"], "qestion/x") == ["'question/x'"]
    assert near_matches([*far, "question/x"], "qestion/x") == []


# Every metric of one or several systems, question by question.

BEFORE, AFTER = Counts([4, 4, 6], [1, 2, 6], ["x", "y", "z"]), Counts(
    [4, 8, 4], [1, 8, 3], ["x", "y", "z"]
)


def measure_each(sides, metrics=None, k=None, ties="expected", lacks={}):
    return measure_all(sides, metrics, k, ties, lacks)


def list_labels(measured):
    return {one.chosen.metric.name: one.chosen.labels for one in measured}


def test_values_of_both_systems():
    (found,) = measure_each(dict(A=BEFORE, B=AFTER), "pass@2")
    chosen, (old, new) = found.chosen, found.values
    assert chosen.labels == ("pass@2",)
    assert old.table[old.state, 0] == pytest.approx([1 / 2, 5 / 6, 1])
    assert new.table[new.state, 0] == pytest.approx([1 / 2, 1, 1])
    assert question_differences([found]) == pytest.approx([0, 1 / 6, 0])
    assert question_differences([replace(found, values=(old,))]) is None
    assert question_differences([replace(found, values=(old, new, new))]) is None


def test_metrics_that_every_system_has():
    votes = tally([0, 0], ["a", "b"], [1, 0])
    voted, bare = Counts([2], [1], votes=votes), Counts([2], [1])
    assert "maj@k" in list_labels(measure_each(dict(A=voted))) and "maj@k" not in list_labels(
        measure_each(dict(A=voted, B=bare))
    )
    (half,), (none,) = (
        measure_each(dict(A=voted), "maj@2", ties=ties)[0].values for ties in ("expected", "wrong")
    )
    assert half.table.tolist() == [[0.5]] and none.table.tolist() == [[0]]
    with pytest.raises(ValueError, match="^maj@2 cannot be computed: no column$"):
        measure_each(dict(A=bare), "maj@2", lacks=dict(votes="no column"))
    with pytest.raises(ValueError, match="^no metric to report: pass@k"):
        measure_each(dict(A=Counts([2], None), B=bare))
    with pytest.raises(ValueError, match="^no metric to report: metrics holds no name$"):
        measure_each(dict(A=bare), [])


def test_differences_without_roundings():
    assert (
        subtract(0.1 + 0.2, 0.3) == 0
        and subtract(1.0, 3.0) == 2
        and subtract([1, -2], [1.5, -2]).tolist() == [0.5, 0]
    )
    assert subtract([3, 1e-13], [1, 0]).tolist() == [-2, -1e-13]
    # The larger of both decides what is a rounding.
    assert (
        subtract(1.0, 1 + 2e-12) != 0
        and subtract(1.0, 1 + 5e-13) == 0
        and subtract(-1.0, -1 - 5e-13) == 0
    )
    assert subtract(0, 5e-324) > 0
    assert isinstance(subtract(1, 2), np.ndarray) and subtract(1, 2) == 1


@pytest.mark.parametrize(
    "right, names, said",
    [
        ((True, True), "ab", "✓"),
        ((False, None), "ab", "✗"),
        ((True, False), "ab", "for a"),
        ((0.5, True), "ab", "for a (50.0 %), b"),
        ((True, False, True), "abc", "for some"),
        ((True, None, True), "abc", "✓"),
    ],
)
def test_for_whom_an_answer_is_right(right, names, said):
    answer = Answer("x", 1, tuple(1 for _ in right), right)
    assert right_or_wrong(answer, list(names)) == said


def test_several_systems_list_the_questions_that_differ_most():
    "Equal spreads keep the order of the questions; where all agree, nothing is listed."
    rng = np.random.default_rng(0)
    right = rng.integers(0, 2, (3, 60, 2))
    found = explain(list_samples(right))
    spread = np.ptp(right.mean(2), 0)
    wanted = sorted(np.flatnonzero(spread > 0).tolist(), key=lambda i: -spread[i])
    assert [one.question for one in found.listed] == wanted[: len(found.listed)]
    assert found.order == "spread"
    assert explain(list_samples(right[[0, 0, 0]])).listed == ()


def list_samples(right):
    "Rows of outcomes by system, question and sample."
    return [
        dict(model=f"m{i}", question=q, sample=j, correct=int(right[i, q, j]))
        for i, q, j in np.ndindex(right.shape)
    ]



def test_a_page_lists_its_questions_once():
    rng = np.random.default_rng(0)
    runs = [rng.integers(0, 2, (60, 4)) for _ in range(2)]
    for found in (explain(runs[0]), explain(runs[0], None, runs[1])):
        shown, text = found.to_html(), found.to_markdown()
        assert len(found.listed) > 20 and shown.count("<summary>All numbers") == 1
        assert f"All {len(found.listed)} listed" not in shown
        assert f"All {len(found.listed)} listed" in text


def test_graded_scores_have_no_picture_of_right_samples():
    found = explain([dict(question=i, score=s) for i in range(3) for s in (0.25, 0.5)], 1)
    assert draw_sides(found) == []
