"Whether a gate was given one run twice."
import re
from math import comb, log10
from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.foundations.answers import Rewards, tally
from sampling_eval.foundations.counts import Counts
from sampling_eval.results.diagnostics import IdenticalOutcomes
from sampling_eval.verbs.systems import check_identical


def check(a, b, inputs=(None, None), **options): return check_identical(dict(A=a, B=b), inputs, **options)
def is_same(a, b): return bool(check(a, b, allowed=True))


def test_equal_counts_by_chance_or_not():
    few = Counts([2] * 8, [1] * 8)
    assert (4 / 6)**8 > 1e-3 and check(few, few) == (IdenticalOutcomes(8),) and check(few, Counts([2] * 8, [1] * 7 + [2])) == ()
    many = Counts([2] * 18, [1] * 18)
    with pytest.raises(ValueError, match=f"all 18 questions.* probability {(4 / 6)**18:.0e}: .* allow_identical=True"):
        check(many, many)
    assert check(many, many, allowed=True) == (IdenticalOutcomes(18),)


@pytest.mark.parametrize("size, refused", [(17, False), (18, True)])
def test_rare_is_below_one_in_a_thousand(size, refused):
    assert ((4 / 6)**size < 1e-3) is refused
    one = Counts([2] * size, [1] * size)
    if not refused: assert len(check(one, one)) == 1
    else:
        with pytest.raises(ValueError, match="which two runs would show"): check(one, one)


def test_a_chance_too_small_for_a_number():
    one = Counts([40] * 2000, [20] * 2000)
    assert 2000 * log10(comb(40, 20)**2 / comb(80, 40)) < -300
    with pytest.raises(ValueError, match="with probability <1e-300: was"): check(one, one)


def test_scores_alone_are_never_refused():
    one = Counts([2] * 50, None, score_sum=np.linspace(0, 2, 50))
    assert check(one, one) == (IdenticalOutcomes(50),)


def make(**changes): return Counts(**dict(n=[2, 2], c=[1, 2]) | changes)


@pytest.mark.parametrize("changes, same", [
    ({}, True), (dict(c=[1, 1]), False), (dict(n=[3, 2]), False), (dict(c=None), False), (dict(missing=[1, 0]), False),
    (dict(score_sum=[1., 2.]), False), (dict(questions=["a", "b"]), True), (dict(cluster=["a", "b"]), True)])
def test_what_is_the_same(changes, same):
    assert is_same(make(), make(**changes)) is is_same(make(**changes), make()) is same


def test_scores_and_answers_are_compared():
    scored = make(score_sum=[1., np.nan])
    assert is_same(scored, make(score_sum=[1., np.nan])) and not is_same(scored, make(score_sum=[1., 2.]))
    rewards = Rewards([0, 1], [.5, .7])
    assert is_same(make(rewards=rewards), make(rewards=rewards))
    assert not is_same(make(rewards=rewards), make(rewards=Rewards([0, 1], [.5, .8])))
    votes, others = (tally([0, 0, 1, 1], list(said), [1, 0, 1, 0]) for said in ("xyxy", "xzxy"))
    assert is_same(make(votes=votes), make(votes=votes))
    assert not is_same(make(votes=votes), make()) and not is_same(make(votes=votes), make(votes=others))


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in dict(a="1", b="1", c="2").items(): (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    return tmp_path


ONE = Counts([1], [1])


@pytest.mark.parametrize("baseline, new, said", [
    ("a.csv", "{}/a.csv", "baseline and new are the same file, '{}/a.csv'"),
    ("a.csv", "link.csv", "baseline and new are the same file, 'link.csv'"),
    ("none.csv", "none.csv", "baseline and new are the same file, 'none.csv'"),
    ("[ab].csv", "[a-b].csv", "baseline and new are the same file, '[a-b].csv'"),
    ("a.csv", "b.csv", "'b.csv' is a copy of 'a.csv', byte by byte")])
def test_one_file_or_a_copy_is_refused(files, baseline, new, said):
    new, said = new.format(files), said.format(files)
    with pytest.raises(ValueError, match=f"^{re.escape(said)}: a gate needs two runs; allow_identical=True"):
        check(ONE, ONE, (baseline, new))
    assert len(check(ONE, ONE, (baseline, new), allowed=True)) == 1


@pytest.mark.parametrize("pair", [("[ab].csv", "?.csv"), ("a.csv", "c.csv"), ("none.csv", "gone.csv"), ("[ab].csv", "b.csv"),
                                  ("a.csv", "[ab].csv"), ("a.csv", SimpleNamespace())], ids=str)
def test_other_files_may_agree(files, pair): assert check(ONE, ONE, pair) == (IdenticalOutcomes(1),)
