"Options, policies and clusters on the way from any data to counts."
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest

from sampling_eval.foundations.counts import Counts
from sampling_eval.io.load import load, read
from sampling_eval.io.options import Options, Policy

ROWS = [dict(id=q, sample=s, correct=(q + s) % 2, group=q // 2, cost=q + .5)
        for q in range(4) for s in range(3)]


# Options.

@pytest.mark.parametrize("name, near", [("corect", "correct"), ("metric", "metrics"),
                                        ("treshold", "threshold"), ("clusters", "cluster")])
def test_unknown_options_are_refused_with_the_near_one(name, near):
    with pytest.raises(TypeError, match=f"there is no option '{name}'; did you mean '{near}'?"):
        Options.of({name: 1}, ["metrics", "k"])


def test_an_option_without_a_near_one_is_refused_with_all():
    with pytest.raises(TypeError, match="there is no option 'zzz'; known are question, "):
        Options.of(dict(zzz=1))


def test_options_that_are_none_are_not_given():
    assert Options.of(dict(question=None, by=None, cluster=None)) == Options()


def test_options_hold_what_they_were_given():
    options = Options.of(dict(by="task", cluster="part", sums="cost", missing="drop", score=False,
                              threshold=.5, filter="x"), answers=False)
    assert options.columns == dict(score=False, cluster="part", group="task")
    assert (options.sums, options.threshold, options.filter) == (("cost",), .5, "x")
    assert options.policy == Policy("drop") and not options.answers and options.uses_clusters
    with pytest.raises(ValueError, match="sums must name each column once"):
        Options.of(dict(sums=["a", "a"]))


@pytest.mark.parametrize("choice, said", [
    (dict(missing="bounds"), "missing must be 'raise', 'wrong', 'drop' or 'right', got 'bounds'"),
    (dict(no_answer="skip"), "no_answer must be None, 'abstain' or 'vote', got 'skip'"),
    (dict(conflict="first"), "conflict must be 'refuse', 'any' or 'majority', got 'first'"),
    (dict(normalize="upper"), "normalize must be None, 'strip', 'lower' or 'number', got 'upper'"),
    (dict(samples_per_question=0), "samples_per_question must be a whole number of at least 1"),
    (dict(samples_per_question=True), "samples_per_question must be a whole number")])
def test_policies_check_themselves(choice, said):
    for make in Policy, lambda **o: Options.of(o):
        with pytest.raises(ValueError, match=said): make(**choice)


# A table of outcomes.

def test_a_table_of_outcomes_has_no_columns():
    assert load([[1, 0], [1, 1]]).blocks["", ""].c.tolist() == [1, 2]
    for name, value in dict(question="id", by="task", cluster=True, threshold=.5).items():
        with pytest.raises(ValueError, match=f"{name}= is for files and frames, but a table"):
            load([[1, 0]], Options.of({name: value}))


def test_tables_are_completed():
    options = Options.of(dict(samples_per_question=3, missing="wrong"))
    found = load([[1, 0], [1, 1, 1]], options)
    assert found.blocks["", ""].n.tolist() == [3, 3] and found.rows is None
    assert str(found.summary) == "1 of 6 samples missing (coverage 83.3 %), counted as wrong"
    kept = Counts([2, 2], [1, 1], missing=[1, 0])
    with pytest.raises(ValueError, match="what these counts already hold cannot be completed"):
        load(kept, options)


# Clusters and groups.

def test_clusters_from_beside_the_data():
    groups = {q: f"g{q % 2}" for q in range(4)}
    for data in ROWS, [[1, 0]] * 4:
        found = load(data, Options.of(dict(cluster=groups))).blocks["", ""]
        assert found.cluster.tolist() == ["g0", "g1", "g0", "g1"]
    in_order = load([[1, 0]] * 4, Options.of(dict(cluster=list("aabb")))).blocks["", ""]
    assert in_order.cluster.tolist() == list("aabb")
    with pytest.raises(TypeError, match="a column or a mapping of question to group, got list"):
        load(ROWS, Options.of(dict(cluster=list("aabb"))))
    with pytest.raises(ValueError, match=r"got none for 3 \(1 of 4 fail\)"):
        load(ROWS, Options.of(dict(cluster={q: 0 for q in range(3)})))
    with pytest.raises(ValueError, match=r"one group per question \(4\)"):
        load([[1, 0]] * 4, Options.of(dict(cluster=[1, 2])))


def test_a_column_of_clusters_is_used_when_asked_for():
    unused = load(ROWS)
    assert unused.blocks["", ""].cluster is None and "not used: cluster=group" in str(unused.summary)
    for cluster in True, "group":
        used = load(ROWS, Options.of(dict(cluster=cluster)))
        assert used.blocks["", ""].cluster.tolist() == [0, 0, 1, 1]
        assert "; no sample missing" in str(used.summary) and "not used" not in str(used.summary)
    assert read(ROWS).cluster is not None


def test_groups():
    rows = [row | dict(task=f"t{row['id'] % 2}") for row in ROWS]
    blocks = load(rows, Options.of(dict(by="task"))).blocks
    assert list(blocks) == [("", ""), ("", "t0"), ("", "t1")]
    assert blocks["", "t1"].questions.tolist() == [1, 3]
    with pytest.raises(ValueError, match="every row needs a group, got '' at row 1; give it"):
        load([dict(id=1, correct=1, task="a"), dict(id=2, correct=1, task="")],
             Options.of(dict(by="task")))


def test_questions_of_one_name_in_two_groups_are_told_apart():
    rows = [dict(id=1, correct=1, task="a"), dict(id=1, correct=0, task="b")]
    found = load(rows, Options.of(dict(by="task")))
    assert found.blocks["", ""].questions.tolist() == ["a/1", "b/1"]
    assert "questions are named group/question" in str(found.summary)


# Counted rows.

def test_counted_rows_settle_again_under_another_policy():
    rows = [dict(id=1, correct=1, model="x"), dict(id=1, correct=None, model="x")]
    first = load(rows, Options.of(dict(missing="wrong")))
    again = load(first.rows, Options(policy=Policy("right")))
    assert first.blocks["x", ""].c.tolist() == [1] and again.blocks["x", ""].c.tolist() == [2]
    assert str(again.summary).endswith("1 of 2 samples missing (coverage 50.0 %), counted as right")


def test_what_was_read_already_has_no_columns_to_choose():
    for name in "question", "by", "threshold":
        with pytest.raises(ValueError, match=f"{name}= is for data that are still to be read"):
            load(read(ROWS), Options.of({name: "id"}))


def test_sums_by_outcome():
    rows = read(ROWS, sums=["cost"])
    if "sums" not in {field.name for field in fields(Counts)}: pytest.skip("Counts has no sums")
    sums = rows.counts().sums["cost"]
    assert sums.shape == (4, 2) and sums.sum(1).tolist() == [1.5, 4.5, 7.5, 10.5]
    assert sums[:, 1].tolist() == [.5, 3., 2.5, 7.]


def test_a_sum_with_gaps_is_not_known():
    rows = read([dict(id=1, correct=1, cost=2.), dict(id=1, correct=0, cost=None)], sums="cost")
    assert rows.sums["cost"][0] == 2 and np.isnan(rows.sums["cost"][1])
    with pytest.raises(TypeError, match="cost must hold numbers, got 'x' at row 0"):
        read([dict(id=1, correct=1, cost="x")], sums="cost")


def test_old_names_work_and_say_the_new_one():
    import sampling_eval
    with pytest.warns(DeprecationWarning, match="io.load.read"): old = sampling_eval.read_samples
    assert len(old(ROWS)) == len(ROWS)


def test_small_files_need_no_engine(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "correct": 1}\n')
    code = ("import sys; from sampling_eval.io.load import load; load(sys.argv[1]); "
            "print([m for m in ('duckdb', 'narwhals', 'pandas', 'polars', 'scipy', 'rich') "
            "if m in sys.modules])")
    ran = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert ran.stdout.strip() == "[]", ran.stderr


def test_an_array_needs_neither_files_nor_harnesses_nor_pages():
    code = ("import sys, sampling_eval; sampling_eval.score([[1, 0]]); "
            "print([m for m in sys.modules if m.startswith(('sampling_eval.io.harness.l', 'sampling_eval.io.harness.f', "
            "'sampling_eval.io.objects', 'sampling_eval.io.tables', "
            "'sampling_eval.io.files', 'sampling_eval.io.counts_file', "
            "'sampling_eval.report.html', 'sampling_eval.report.score_pictures'))])")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout.strip() == "[]", ran.stderr
