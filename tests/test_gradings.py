"The same samples under several gradings, side by side as systems."
from pathlib import Path

import pytest

from sampling_eval import compare, describe, score
from sampling_eval.cli import make_parser
from sampling_eval.io.load import read

LOGS = Path(__file__).parent / "logs" / "lm_eval" / "mock"
CHOICES = str(LOGS / "samples_facts_mc_2026-11-21T10-05-01.592126.jsonl")
TEXTS = str(LOGS / "samples_arith_gen_2026-11-21T10-05-01.592126.jsonl")
ROWS = [dict(q=q, strict=int(q == 0), loose=int(q < 2), draw=d) for q in range(3) for d in range(2)]


def run(*words):
    "The parsed words of a command."
    return make_parser().parse_args(list(words))


def test_two_scores_of_a_log_are_two_systems():
    found = compare(CHOICES, score=["acc", "acc_norm"])
    assert found.names == ("acc", "acc_norm") and found["pass@1"].questions == 4
    alone = [score(CHOICES, "pass@1", score=name)["pass@1"].estimate for name in found.names]
    assert [found["pass@1"].a, found["pass@1"].b] == alone
    assert found.read[""].gradings == ("acc", "acc_norm") and found.read[""].same_samples


def test_two_filters_and_two_judges():
    found = compare(TEXTS, filter=["strict-match", "flexible-extract"])
    assert found.names == ("strict-match", "flexible-extract")
    assert (found["pass@1"].a, found["pass@1"].b) == (pytest.approx(2 / 3), 1)
    judged = score(TEXTS, "pass@1", filter="strict-match", grade=["exact", "number"])
    assert [row.model for row in judged.rows] == ["exact", "number"]


def test_columns_of_a_table(tmp_path):
    found = score(ROWS, "pass@1", correct=["strict", "loose"], question="q", sample="draw")
    assert found.estimates() == {"strict": {"pass@1": 1 / 3}, "loose": {"pass@1": 2 / 3}}
    pandas, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    frame = pandas.DataFrame(ROWS)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    relation = duckdb.sql("FROM frame")
    for origin in frame, str(tmp_path / "rows.csv"), relation:
        again = score(origin, "pass@1", correct=["strict", "loose"], question="q", sample="draw")
        assert again.estimates() == found.estimates()
        assert again.questions["question"].tolist() == [0, 1, 2] * 2


def test_models_keep_their_names_where_they_are_several():
    rows = [row | dict(m=m) for row in ROWS for m in "xy"]
    found = score(rows, "pass@1", correct=["strict", "loose"], question="q", model="m")
    assert {row.model for row in found.rows} == {"x strict", "y strict", "x loose", "y loose"}
    one = score(rows, "pass@1", correct=["strict"], question="q", model="m")
    assert {row.model for row in one.rows} == {"x", "y"}


def test_refusals():
    with pytest.raises(ValueError, match="only one option may hold several gradings, got score= and filter="):
        score(TEXTS, score=["a", "b"], filter=["c", "d"])
    with pytest.raises(ValueError, match="score must name each grading once, got .'acc', 'acc'."):
        score(CHOICES, score=["acc", "acc"])
    with pytest.raises(ValueError, match="correct must name each grading once, got .."): score(ROWS, correct=[])
    mixed = dict(question=[1, 1, 2], a=[1, 0, 1], f=[.3, .4, .5])
    with pytest.raises(ValueError, match="must all say right or wrong.*'a'.*and 'f' .a score.; pass threshold="):
        score(mixed, score=["a", "f"], correct=False)
    with pytest.raises(ValueError, match="correct= is for files and frames"): score([[1, 0]], correct=["a", "b"])
    with pytest.raises(ValueError, match="score= is for data that are still to be read"):
        score(read(CHOICES, score="acc"), score=["acc", "acc_norm"])


def test_the_command_repeats_the_option(capsys):
    asked = run("compare", CHOICES, "--score", "acc", "--score", "acc_norm")
    assert asked.score == ["acc", "acc_norm"] and run("score", CHOICES, "--score", "acc").score == "acc"
    from sampling_eval.cli import finish
    assert finish(asked) == 0 and "acc and acc_norm are equal in pass@1" in capsys.readouterr().out
    assert finish(run("describe", CHOICES, "--score", "acc", "--score", "acc_norm")) == 0
    assert capsys.readouterr().out.rstrip().endswith("--score acc --score acc_norm")


# Columns of right samples

COUNTS = [dict(id=f"q{q}", n=8, base=q % 9, tuned=(3 * q) % 9) for q in range(12)]


def test_two_columns_of_right_samples_are_two_systems():
    found = compare(COUNTS, correct=["base", "tuned"])
    assert found.names == ("base", "tuned")
    apart = [[dict(id=row["id"], n=8, c=row[name]) for row in COUNTS] for name in found.names]
    alone = compare(*apart)
    for mine, theirs in zip(found.rows, alone.rows, strict=True):
        assert (mine.a, mine.b, mine.low, mine.high) == (theirs.a, theirs.b, theirs.low, theirs.high)
        assert (mine.again_low, mine.again_high) == (theirs.again_low, theirs.again_high)
    assert found.read[""].gradings == ("base", "tuned") and not found.read[""].same_samples


def test_a_named_column_of_0_and_1_beside_several_samples_is_refused():
    unclear = [dict(id=f"q{q}", n=8, base=q % 2) for q in range(6)]
    with pytest.raises(ValueError, match="ambiguous: base could count the right ones of n samples or be"):
        score(unclear, "pass@1", correct="base")
    assert score(unclear, "pass@1", correct="base", ignore="n")["pass@1"].estimate == .5
    with pytest.raises(ValueError, match="correct must be 0 or 1, got 9"):
        score([dict(id="a", n=8, base=9), dict(id="b", n=8, base=1)], correct="base")
