"Texts judged by name, and counts from stored shares."
import json
import subprocess
import sys

import pytest

from harness_cases import LM, LOGS, PARQUET, put, read
from sampling_eval import score
from sampling_eval.io.harness.grading import find_grade

KINDS = LOGS / "lm_eval_kinds/mock"
REPEATS = next(KINDS.glob("samples_mygen_rep_*"))
CHOICES = next(KINDS.glob("samples_mymc_*"))
ROLLING = next(KINDS.glob("samples_myppl_*"))


def count_right():
    "Right texts of each question, counted by hand."
    records = map(json.loads, REPEATS.read_text().splitlines())
    first = {record["doc_id"]: record for record in records}
    return [record["resps"][0].count(record["target"]) for record in first.values()]


# By name.

def test_repeats_of_lm_eval_are_judged_by_name():
    with pytest.raises(ValueError, match="4 texts a question.*pass grade='exact' or 'number'"):
        score(REPEATS, "avg@n")
    for grade in "exact", "number":
        report = score(REPEATS, "avg@n", grade=grade)
        assert report.questions["n"].tolist() == [4] * 6
        assert report.questions["c"].tolist() == count_right()
    assert "right is the number that equals the target; " in report.read


def test_the_command_judges_by_name():
    words = [sys.executable, "-m", "sampling_eval", "score", REPEATS, "-m", "avg@n", "-f", "json"]
    done = subprocess.run([*words, "--grade", "exact"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["rows"][0]["estimate"] == sum(count_right()) / 24
    told = subprocess.run(words, capture_output=True, text=True).stderr
    assert "pass --grade exact or number to compare each text" in told
    told = subprocess.run([*words, "--grade", "loose"], capture_output=True, text=True).stderr
    assert "invalid choice: 'loose'" in told


def test_what_is_equal():
    exact, number = find_grade("exact"), find_grade("number")
    assert exact(" 4\n", "4") and exact("4", 4) and not exact("4.0", "4")
    pairs = ("4.0", "4"), ("1,000", 1000), ("1/2", .5), ("3", ["2", 3])
    assert all(number(*pair) for pair in pairs) and not number("it is 4", "4")
    assert number.tell().endswith("; 1 of 5 texts are no number and wrong")


def test_a_grade_needs_something_to_compare_with(tmp_path):
    with pytest.raises(ValueError, match="grade must be 'exact', 'number' or a function"):
        score(REPEATS, "avg@n", grade="loose")
    with pytest.raises(ValueError, match="grade='exact' needs the right answer beside each text, "
                                         "got None for question 'test/0' in example_samples.jsonl"):
        score(LOGS / "human_eval/example_samples.jsonl", "avg@n", grade="exact")
    records = [json.loads(line) | dict(target="2 + 2 #### 4") for line in open(REPEATS)]
    path = put(tmp_path / "samples_x.jsonl", records, True)
    with pytest.raises(ValueError, match="needs a number as the right answer beside each text, got "
                                         "'2 . 2 #### 4' for question 0 in samples_x.jsonl"):
        score(path, "avg@n", grade="number")


def test_choices_keep_what_the_harness_judged():
    assert score(CHOICES, "avg@n", grade="exact").rows[0].estimate == pytest.approx(1 / 3)
    report = score(KINDS, "avg@n", grade="exact")
    assert report["mymc", "avg@1"].estimate == pytest.approx(1 / 3)
    assert report["mygen_rep", "avg@4"].estimate == sum(count_right()) / 24


def test_likelihoods_of_texts_are_no_answers():
    for grade in None, "exact", lambda answer, target: True:
        with pytest.raises(ValueError, match="likelihood of whole texts, no answers"):
            score(ROLLING, "avg@n", grade=grade)


# Filters.

def test_texts_that_all_filters_share_need_no_choice():
    assert "filter=score-first, answer=resps" in read(REPEATS, grade="exact").source
    assert "filter=maj@4, answer=resps" in read(REPEATS, grade="exact", filter="maj@4").source
    with pytest.raises(ValueError, match="pass filter= one of 'strict-match', 'flexible-extract'"):
        read(LM[0], grade="exact")


# lighteval.

def with_metric(path, metric):
    "Real details of four texts a question, under another metric."
    duckdb = pytest.importorskip("duckdb")
    source = PARQUET["details_arith_0"]
    duckdb.sql(f"SELECT doc, model_response, {metric} AS metric FROM read_parquet('{source}')"
               ).write_parquet(str(path))
    return path


def test_a_stored_share_times_n_is_the_count(tmp_path):
    share = "CASE doc.id WHEN '0' THEN 0.75 WHEN '1' THEN 0.5 ELSE 1.0 END"
    path = with_metric(tmp_path / "d.parquet", f"{{'avg@n:n=4': {share}, 'pass@k:k=4&n=4': 1.0}}")
    samples = read(path)
    assert samples.counts()[0][:2] == [4, 4] and samples.counts()[1][:2] == [3, 2]
    assert samples.answer is None
    assert "score=avg@n:n=4; avg@n:n=4 times 4 is how many samples are right" in samples.source
    one = with_metric(tmp_path / "one.parquet", f"{{'pass@k:k=1&n=4': {share}}}")
    assert read(one).counts() == samples.counts()


def test_a_share_that_is_none_is_refused(tmp_path):
    path = with_metric(tmp_path / "d.parquet", "{'avg@n:n=4': 0.4}")
    with pytest.raises(ValueError, match="avg@n:n=4 is 0.4 for question '0', no share of 4"):
        read(path)


def test_details_without_a_share_never_block_a_folder():
    pytest.importorskip("duckdb")
    report = score(LOGS / "lighteval", "pass@1")
    assert "'pass@k:k=2&n=4' over them" in report.read
    assert {row.group for row in report.rows} >= {"arith_once|0", "facts|0"}


def test_grade_of_logs_without_texts():
    from pathlib import Path
    with pytest.raises(ValueError, match="these logs hold no such text; leave grade= out"):
        score(Path(__file__).parent / "logs" / "tau2" / "results.json", grade="exact")
