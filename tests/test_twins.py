"Whether a gate was given one run twice."
from math import comb, log10
from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.foundations.answers import Rewards, tally
from sampling_eval.foundations.counts import Counts
from sampling_eval.verbs.twins import (find_files, have_same_outcomes, have_same_parts, notice_twins, refuse_twins,
                                       tell_same_file)

NONE = None, None


def notice(a, b, inputs=NONE, **options): return notice_twins(dict(A=a, B=b), inputs, **options)


def test_equal_counts_by_chance_or_not():
    few, said = Counts([2] * 8, [1] * 8), "baseline and new hold the same outcomes on all 8 questions"
    chance = (4 / 6)**8
    assert chance > 1e-3 and notice(few, few) == (f"{said}.",) and notice(few, Counts([2] * 8, [1] * 7 + [2])) == ()
    many = Counts([2] * 18, [1] * 18)
    with pytest.raises(ValueError) as refused: notice(many, many)
    assert str(refused.value) == (f"baseline and new hold the same outcomes on all 18 questions, which two runs would "
                                  f"show with chance {(4 / 6)**18:.0e}: "
                                  "was a file copied, or a cache read twice? allow_identical=True judges them all the "
                                  "same")
    assert notice(many, many, allowed=True) == ("baseline and new hold the same outcomes on all 18 questions.",)


@pytest.mark.parametrize("size, refused", [(17, False), (18, True)])
def test_rare_is_below_one_in_a_thousand(size, refused):
    assert ((4 / 6)**size < 1e-3) is refused
    one = Counts([2] * size, [1] * size)
    if not refused: assert len(notice(one, one)) == 1
    else:
        with pytest.raises(ValueError, match="two runs would show with chance"): notice(one, one)


def test_a_chance_too_small_for_a_number():
    one = Counts([40] * 2000, [20] * 2000)
    assert 2000 * log10(comb(40, 20)**2 / comb(80, 40)) < -300
    with pytest.raises(ValueError, match="with chance <1e-300: was"): notice(one, one)


def test_scores_alone_are_never_refused():
    one = Counts([2] * 50, None, score_sum=np.linspace(0, 2, 50))
    assert notice(one, one) == ("baseline and new hold the same outcomes on all 50 questions.",)


def make(**changes): return Counts(**dict(n=[2, 2], c=[1, 2]) | changes)


@pytest.mark.parametrize("changes, same", [
    ({}, True), (dict(c=[1, 1]), False), (dict(n=[3, 2]), False), (dict(c=None), False), (dict(missing=[1, 0]), False),
    (dict(score_sum=[1., 2.]), False), (dict(questions=["a", "b"]), True), (dict(cluster=["a", "b"]), True)])
def test_what_is_the_same(changes, same):
    assert have_same_outcomes(make(), make(**changes)) is have_same_outcomes(make(**changes), make()) is same


def test_scores_and_answers_are_compared():
    scored = make(score_sum=[1., np.nan])
    assert have_same_outcomes(scored, make(score_sum=[1., np.nan]))
    assert not have_same_outcomes(scored, make(score_sum=[1., 2.]))
    one, other = (tally([0, 0], ["x", y], [1, 0]) for y in "yz")
    assert have_same_parts(one, tally([0, 0], ["x", "y"], [1, 0])) and not have_same_parts(one, other)
    assert have_same_parts(None, None) is True and have_same_parts(one, None) is have_same_parts(None, one) is False
    rewards = Rewards([0, 1], [.5, .7])
    assert have_same_outcomes(make(rewards=rewards), make(rewards=rewards))
    assert not have_same_outcomes(make(rewards=rewards), make(rewards=Rewards([0, 1], [.5, .8])))
    votes = tally([0, 0, 1, 1], list("xyxy"), [1, 0, 1, 0])
    assert not have_same_outcomes(make(votes=votes), make())
    assert have_same_outcomes(make(votes=votes), make(votes=votes))


def test_one_file_a_copy_and_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in dict(a="1", b="1", c="2").items(): (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    assert tell_same_file("a.csv",
                          tmp_path / "a.csv") == f"baseline and new are the same file, {str(tmp_path / 'a.csv')!r}"
    assert tell_same_file("a.csv", "link.csv") == "baseline and new are the same file, 'link.csv'"
    assert tell_same_file("none.csv", "none.csv") == "baseline and new are the same file, 'none.csv'"
    assert tell_same_file("a.csv", "b.csv") == "'b.csv' is a copy of 'a.csv', byte by byte"
    others = [("[ab].csv", "?.csv"), ("a.csv", "c.csv"), ("none.csv", "gone.csv"), ("[ab].csv", "b.csv"),
              ("a.csv", "[ab].csv"), ("a.csv", SimpleNamespace())]
    assert {tell_same_file(*pair) for pair in others} == {""}
    assert tell_same_file("[ab].csv", "[a-b].csv") == "baseline and new are the same file, '[a-b].csv'"
    assert find_files("*.csv") == {tmp_path / f"{name}.csv" for name in "abc"}
    assert find_files("*.txt") == find_files(".") == set()
    one = Counts([1], [1])
    with pytest.raises(ValueError,
                       match="^'b.csv' is a copy of 'a.csv', byte by byte: a gate needs two runs; "
                             "allow_identical=True judges"):
        notice(one, one, ("a.csv", "b.csv"))
    assert refuse_twins(one, ("a.csv", "c.csv"), "") is None
    assert len(notice(one, one, ("a.csv", "b.csv"), allowed=True)) == 1
