"`count` and `merge`: a table counted once, and runs added."
import pandas as pd
import pytest
from conftest import command

from sampling_eval import count, merge, score

FIRST = dict(question=[1, 1, 2], sample=[0, 1, 0], correct=[1, 0, 1])
SECOND = dict(question=[1, 2, 2], sample=[2, 1, 2], correct=[1, 0, 0])


def numbers(data): return score(data, "pass@k", missing="wrong").estimates()


def test_counts_stand_for_the_data(tmp_path):
    path = tmp_path / "counts.parquet"
    rows = count(FIRST, path)
    assert len(rows) == 3 and numbers(rows) == numbers(str(path)) == numbers(FIRST)


def test_counted_rows_are_written_as_they_are(tmp_path):
    rows = count(FIRST)
    assert count(rows, tmp_path / "a.parquet") is rows and numbers(str(tmp_path / "a.parquet")) == numbers(FIRST)


def test_two_runs_are_added(tmp_path):
    path = tmp_path / "both.parquet"
    both = merge(FIRST, SECOND, path=path)
    assert len(both) == 6 and score(both, "avg@n").questions["n"].tolist() == [3, 3]
    assert score(str(path), "pass@1").estimates() == score(both, "pass@1").estimates() == {"pass@1": .5}


def test_a_sample_is_never_counted_twice():
    with pytest.raises(ValueError, match="each sample must appear once"): merge(FIRST, FIRST)
    assert len(merge(FIRST, FIRST, separate=True)) == 6


def test_questions_must_agree_unless_it_is_said():
    other = dict(question=[3], sample=[0], correct=[1])
    with pytest.raises(ValueError, match="runs must cover the same questions"): merge(FIRST, other)
    assert score(merge(FIRST, other, union=True), "avg@n").questions["n"].tolist() == [2, 1, 1]


def test_old_name_of_the_harness(tmp_path):
    (tmp_path / "a.csv").write_text("question,correct\n1,1\n2,0\n")
    with pytest.warns(DeprecationWarning, match="count: format= is now called harness="): count(str(tmp_path / "a.csv"), format="table")


def test_options_of_reading_are_for_data_that_are_not_counted(tmp_path):
    named = dict(q=[1, 1, 2], correct=[1, 0, 1], score=[.2, .9, .9])
    rows = count(named, question="q", correct=False, threshold=.5, ignore=["correct"])
    assert score(rows, "pass@1").estimates() == {"pass@1": .75}
    with pytest.raises((TypeError, ValueError)): count(rows, threshold=.5)
    assert count(rows, path=None) is rows and list(tmp_path.iterdir()) == []


def test_runs_are_merged_as_asked(tmp_path):
    both = merge(FIRST, SECOND, path=tmp_path / "both.parquet")
    assert (tmp_path / "both.parquet").exists() and merge(FIRST, SECOND).questions.tolist() == both.questions.tolist()
    assert len(merge(count(FIRST), count(SECOND))) == 6


# Graded or right and wrong is decided over all inputs.

GRADED = [dict(question=[1, 1, 2, 2], sample=[0, 1, 0, 1], score=[0., 1., 1., 0.]),
          dict(question=[1, 1, 2, 2], sample=[2, 3, 2, 3], score=[0., .5, 1., 0.])]


def write_table(path, columns):
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values()))]) + "\n")
    return str(path)


def write_halves(folder): return [write_table(folder / f"{i}.csv", half) for i, half in enumerate(GRADED)]


def test_a_graded_half_of_0_and_1_is_graded(tmp_path):
    paths = write_halves(tmp_path)
    counted = [str(tmp_path / f"{i}.parquet") for i in range(2)]
    for path, half in zip(counted, GRADED): count(half, path)
    for halves in (GRADED, GRADED[::-1], paths, counted, [count(half) for half in GRADED], [paths[0], counted[1]],
                   map(pd.DataFrame, GRADED)):
        both = merge(*halves)
        assert both.correct is None and "all 0 or 1" not in both.source
        assert score(both, "soft@n").estimates() == {"soft@4": 3.5 / 8}
    assert command("merge", *counted, "-o", str(tmp_path / "both.parquet")).returncode == 0
    assert score(str(tmp_path / "both.parquet"), "soft@n").estimates() == {"soft@4": 3.5 / 8}


def test_halves_of_0_and_1_stay_right_and_wrong_until_a_score_decides(tmp_path):
    more = dict(GRADED[0], sample=[4, 5, 4, 5], score=[1., 1., 1., 0.])
    both = merge(GRADED[0], more)
    assert score(both, "pass@1").estimates() == {"pass@1": 5 / 8}
    count(both, tmp_path / "both.parquet")
    for kept in both, str(tmp_path / "both.parquet"): assert score(merge(kept, GRADED[1]), "soft@n").estimates() == {"soft@6": pytest.approx(6.5 / 12)}


def test_outcomes_beside_scores_are_not_given_up():
    judged = dict(GRADED[0], correct=[0, 1, 1, 0])
    with pytest.raises(ValueError, match="all runs or none must have correct, got 1 of 2"): merge(judged, GRADED[1])


# Counts that are added.

def draw_counts(model, sample, path=None): return count(dict(question=[1, 1, 2, 2], sample=sample, correct=[1, 0, 1, 1], model=[model] * 4), path)


@pytest.mark.parametrize("ids", [([0, 1, 0, 1], [1, 2, 2, 3]), ([700, 701, 700, 701], [701, 702, 702, 703]), (["a", "b", "a", "b"], ["b", "c", "c", "d"])])
def test_counts_know_their_model_and_their_samples(ids, tmp_path):
    one, other = ids
    a, b = draw_counts("m", one).counts(), draw_counts("m", other).counts()
    for pair in (a, b), (b, a), (a, a):
        with pytest.raises(ValueError, match="each sample must appear once, got [14] of [74] compared sample ids"): pair[0] + pair[1]
    with pytest.raises(ValueError, match="counts of one system are added, got those of 'm' and 'other'"):
        a + draw_counts("other", other).counts()
    rest = draw_counts("m", [value if isinstance(value, str) else value + 50 for value in other[::-1]] if other[0] != "b" else [*"xyzw"])
    whole = a + rest.counts()
    assert whole.n.tolist() == [4, 4] and whole.model == "m"
    with pytest.raises(ValueError, match="each sample must appear once"): whole + a
    draw_counts("m", one, tmp_path / "a.parquet")
    kept = count(str(tmp_path / "a.parquet")).counts()
    with pytest.raises(ValueError, match="each sample must appear once"): kept + a
    assert kept == a
