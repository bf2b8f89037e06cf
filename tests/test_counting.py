"`count` and `merge`: a table counted once, and runs added."
import pytest

from sampling_eval import count, merge, score

FIRST = dict(question=[1, 1, 2], sample=[0, 1, 0], correct=[1, 0, 1])
SECOND = dict(question=[1, 2, 2], sample=[2, 1, 2], correct=[1, 0, 0])


def numbers(data): return score(data, "pass@k", missing="wrong").to_dict()


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
    assert score(str(path), "pass@1").to_dict() == score(both, "pass@1").to_dict() == {"pass@1": .5}


def test_the_order_of_runs_does_not_matter():
    assert numbers(merge(FIRST, SECOND)) == numbers(merge(SECOND, FIRST))


def test_a_sample_is_never_counted_twice():
    with pytest.raises(ValueError, match="each sample must appear once"): merge(FIRST, FIRST)
    assert len(merge(FIRST, FIRST, separate=True)) == 6


def test_a_file_is_never_counted_twice(tmp_path):
    (tmp_path / "a.csv").write_text("question,correct\n1,1\n2,0\n")
    with pytest.raises(ValueError, match="the same file twice"): merge(str(tmp_path / "a.csv"), str(tmp_path / "a.csv"), separate=True)


def test_questions_must_agree_unless_it_is_said():
    other = dict(question=[3], sample=[0], correct=[1])
    with pytest.raises(ValueError, match="runs must cover the same questions"): merge(FIRST, other)
    assert score(merge(FIRST, other, union=True), "avg@n").questions["n"].tolist() == [2, 1, 1]


def test_missing_samples_are_settled_later():
    rows = count(dict(question=[1, 1, 2, 2], correct=[1, None, 0, 1]))
    with pytest.raises(ValueError, match="pass missing='wrong' or 'drop'"): score(rows)
    assert [score(rows, "pass@1", missing=rule).to_dict()["pass@1"] for rule in ("wrong", "drop")] == [.5, .75]


def test_old_name_of_the_harness(tmp_path):
    (tmp_path / "a.csv").write_text("question,correct\n1,1\n2,0\n")
    with pytest.warns(DeprecationWarning, match="count: format= is now called harness="): count(str(tmp_path / "a.csv"), format="table")


def test_options_of_reading_are_for_data_that_are_not_counted(tmp_path):
    named = dict(q=[1, 1, 2], correct=[1, 0, 1], score=[.2, .9, .9])
    rows = count(named, question="q", correct=False, threshold=.5, ignore=["correct"])
    assert score(rows, "pass@1").to_dict() == {"pass@1": .75}
    with pytest.raises((TypeError, ValueError)): count(rows, threshold=.5)
    assert count(rows, path=None) is rows and list(tmp_path.iterdir()) == []


def test_runs_are_merged_as_asked(tmp_path):
    both = merge(FIRST, SECOND, path=tmp_path / "both.parquet")
    assert (tmp_path / "both.parquet").exists() and merge(FIRST, SECOND).questions.tolist() == both.questions.tolist()
    assert len(merge(count(FIRST), count(SECOND))) == 6
