"Warnings about runs that differ, or agree, more than independent samples would."
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from sampling_eval import score
from sampling_eval.foundations.answers import tally
from sampling_eval.foundations.counts import Counts
from sampling_eval.reading.load import load, read
from sampling_eval.reading.options import Options
from sampling_eval.reporting.report import Report
from sampling_eval.verbs import runs
from sampling_eval.verbs.cautions import caution_clusters, caution_stopping, find_cautions
from sampling_eval.verbs.runs import LEVEL, find_tables, find_tail, stop_chance, find_odd_run, find_twins


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


def find_table(data, **options): return find_tables(load(data, Options.of(options, runs=True)).rows)[""]


# The exact tests against all permutations.

def test_the_tail_is_that_of_all_permutations():
    outcomes = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 1, 1]])
    sums = np.array([0])
    for row in outcomes: sums = np.add.outer(sums, [row[list(o)][0] for o in permutations(range(3))]).ravel()
    for total in range(5):
        want = min(1, 2 * min((sums <= total).mean(), (sums >= total).mean()))
        assert find_tail(total, outcomes.mean(1)) == pytest.approx(max(want, 2e-12))


def test_the_chance_of_twins_is_that_of_all_permutations():
    outcomes = copy([[1, 0, 0, 1], [1, 1, 0, 1], [0, 1, 0, 0], [1, 0, 1, 0]], 3, 0)
    want = np.prod([np.mean([row[a] == row[b] for a in range(4) for b in range(4) if a != b]) for row in outcomes])
    assert np.exp(runs.find_chance(find_table(list_rows(outcomes)), 0)) == pytest.approx(want)


def test_a_normal_tail_is_close_to_the_exact_one(monkeypatch):
    means = np.tile([.25, .5, .75], 1000)
    exact = find_tail(1400, means)
    monkeypatch.setattr(runs, "LARGE", 10)
    assert find_tail(1400, means) == pytest.approx(exact, rel=.05) and exact < LEVEL


# Honest data are not accused.

@pytest.mark.parametrize("questions,n", [(5, 2), (30, 4), (60, 16), (200, 3)])
def test_honest_runs_are_left_alone(questions, n):
    accused = 0
    for seed in range(1000):
        outcomes = draw(seed, questions, n)
        words = np.zeros((2 * questions, 3), np.int64)
        for run in range(n): words[2 * np.arange(questions) + outcomes[:, run], 0] += 1 << run
        times = np.stack([(outcomes == 0).sum(1), (outcomes == 1).sum(1)], 1).ravel()
        some = times > 0
        table = runs.RunTable(tuple(range(n)), tuple(range(n)), words[some],
                              np.repeat(np.arange(questions), 2)[some], times[some],
                              np.tile([False, True], questions)[some], np.zeros(some.sum(), bool), False)
        accused += bool([*find_odd_run(table), *find_twins(table)])
    # At two tests of level 1e-3 more than 8 of 1000 have a chance below 1e-3.
    assert accused <= 8


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


def test_two_runs_cannot_be_told_from_one_drawn_twice():
    assert score(list_rows(copy(draw(n=2), 1, 0))).cautions == ()


def test_equal_answers_everywhere_are_no_samples():
    answers = np.repeat(np.arange(12)[:, None], 3, 1).astype(str)
    (said,) = score(list_rows(draw(questions=12, n=1).repeat(3, 1), answer=answers)).cautions
    assert "one and the same answer" in said and "temperature 0" in said
    assert score(list_rows(draw(questions=5, n=1).repeat(3, 1), answer=answers[:5])).cautions == ()


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
        monkeypatch.setattr("sampling_eval.reading.sources.SMALL", 0)
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
    assert score(data, "avg@n", **told).cautions == (first, second)


def test_what_does_not_know_its_runs_says_nothing():
    outcomes = crash(draw())
    assert score(outcomes).cautions == ()
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
    assert "the last one drawn (by chance with probability" in said and "until the first success" in said
    backwards = [row | dict(sample=9 - row["sample"]) for row in rows]
    assert not any("first success" in said for said in score(backwards).cautions)


def test_the_chance_of_stopping_is_that_of_one_place_in_n():
    rows = [dict(question=q, sample=s, correct=int(s == n - 1)) for q, n in enumerate([2, 3, 4]) for s in range(n)]
    assert stop_chance(find_table(rows)) == pytest.approx(1 / 6)


def find_said(counts, **options): return list(find_cautions(counts, **options))


def test_copies_need_ten_questions_two_samples_and_every_answer():
    def make(size, n=2, last=("x", "x"), **options):
        answers = [a for q in range(size - 1) for a in "x" * n] + list(last)[:n]
        places = [q for q in range(size) for _ in range(n)]
        return Counts([n] * size, [0] * size, votes=tally(places, answers, [0] * len(places), **options))
    said, = find_said(make(10))
    assert said == ("all samples of each of the 10 questions have one and the same answer (no test: they are equal). "
                    "If they were drawn with "
                    "one seed or at temperature 0, they say no more than one sample each, and nothing about other "
                    "runs.")
    assert find_said(make(9)) == find_said(make(10, 1)) == find_said(make(10, last="xy")) == []
    assert find_said(make(10, last=("x", None), no_answer="abstain")) == []
    assert find_said(Counts([2] * 10, [2] * 10)) == []


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


STOPPED = ("every question with fewer samples than the others has exactly one right: if samples were drawn until the "
           "first success, c/n is too "
           "high; pass_at_k_until_success has the unbiased estimates.")


def test_stopping_without_the_order_of_the_samples():
    stopped = Counts([1, 2, 3, 5, 5, 2, 3], [1, 1, 1, 0, 1, 1, 1])
    assert caution_stopping(stopped, None) == find_said(stopped) == [STOPPED]
    assert caution_stopping(Counts([5, 5], [1, 0]), None) == caution_stopping(Counts([1, 5], None), None) == []
    assert caution_stopping(Counts([1, 2, 3, 5, 5, 2, 3], [1, 1, 2, 0, 1, 1, 1]), None) == []


def stop(sizes, last=True):
    "Questions that stop at their right sample, and two that never see one."
    rows = [dict(question=q, sample=s, correct=int(s == (n - 1 if last else 0))) for q, n in enumerate(sizes)
            for s in range(n)]
    return rows + [dict(question=len(sizes) + q, sample=s, correct=0) for q in range(2) for s in range(6)]


def test_stopping_beside_its_chance():
    counts, table = (load(stop([4] * 6), Options.of({}, runs=True)).blocks["", ""], find_table(stop([4] * 6)))
    said, = caution_stopping(counts, table)
    assert said == STOPPED.replace("right:",
                                   f"right, the last one drawn (by chance with probability {4**-6:.1e}: exact "
                                   f"permutation test within questions):")
    # One in a thousand decides whether the order is told: 4**-5 is below, 4**-4 is not.
    for size, told in ((5, True), (4, False)):
        counts, table = (load(stop([4] * size), Options.of({}, runs=True)).blocks["", ""], find_table(stop([4] * size)))
        assert [", the last one drawn" in one for one in caution_stopping(counts, table)] == [told]
    counts, table = (load(stop([4] * 6, False), Options.of({}, runs=True)).blocks["", ""],
                     find_table(stop([4] * 6, False)))
    assert caution_stopping(counts, table) == [] and caution_stopping(counts, None) == [STOPPED]


def test_who_stops_is_not_accused_of_an_odd_run():
    "Later runs hold more right samples where each is drawn only as long as the others failed."
    rows = stop([2] * 20)
    counts, table = load(rows, Options.of({}, runs=True)).blocks["", ""], find_table(rows)
    assert [*find_odd_run(table)] and find_said(counts, table=table) == caution_stopping(counts, table)
