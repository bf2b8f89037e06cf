"Single questions that fall: what is listed, in which order. The test itself: test_regressions.py."
from math import comb

import pytest

from sampling_eval.foundations.counts import Counts
from sampling_eval.inference.regressions import fewest_samples, find_falls
from sampling_eval.verbs.falling import check_falls, list_falls


def list_pair(old, new, n=8, m=8, **options):
    names = [f"q{i}" for i in range(len(old))]
    return list_falls(dict(A=Counts([n] * len(old), old, names), B=Counts([m] * len(new), new, names)), **options)


def test_certain_falls_and_five_that_may_be_chance():
    old, new = [8, 8, 4, 4, 4, 5, 4, 4, 8, 0, 8], [0, 1, 3, 2, 3, 3, 3, 3, 8, 2, 8]
    falls, watch = list_pair(old, new)
    found = find_falls([8] * 11, old, [8] * 11, new, .05)
    assert [fall.question for fall in falls] == ["q0", "q1", "q3", "q5", "q2", "q4", "q6"]
    assert [fall.certain for fall in falls] == [True, True] + [False] * 5
    for fall in falls:
        i = int(fall.question[1:])
        assert (fall.before, fall.of_before, fall.after, fall.of_after) == (old[i], 8, new[i], 8)
        assert (fall.p, fall.adjusted) == (found.p[i], found.adjusted[i])
    assert falls[0].p == pytest.approx(1 / comb(16, 8))
    assert watch.to_dict() == dict(questions=11, watched=int(found.watched.sum()), n_min=8, n_max=8,
                                   needed=fewest_samples(11),
                                   level=.05, lower=8)
    check = check_falls(falls, watch)
    assert (check.verdict, check.value, check.limit, check.questions, check.warning) == ("fail", 2, 0, 11, "")
    assert check.said == ("2 questions fell: q0 (8 to 0 of 8 right), q1 (8 to 1 of 8 right); 6 others of 11 were "
                          "right less often, "
                          "by no more than chance explains")
    assert (check.rule, check.target) == ("no question falls", "these questions, run again")
    assert check.low is check.high is None


def test_shares_of_unequal_samples_are_compared():
    sides = dict(A=Counts([4, 4, 2], [2, 2, 1], ["a", "b", "c"]), B=Counts([8, 8, 6], [3, 4, 3], ["a", "b", "c"]))
    falls, watch = list_falls(sides)
    assert [str(fall) for fall in falls] == ["a (2 of 4 to 3 of 8 right)"]
    assert (watch.n_min, watch.n_max, watch.lower) == (2, 8, 1)
    _, watch = list_falls(dict(A=sides["B"], B=sides["A"]))
    assert (watch.n_min, watch.n_max, watch.lower) == (2, 8, 0)


@pytest.mark.parametrize("level", [.9, .95, .999])
def test_the_level_of_the_list(level):
    _, watch = list_pair([4, 4], [4, 4], 4, 4, confidence_level=level)
    assert watch.level == round(1 - level, 12) and watch.needed == fewest_samples(2, watch.level)
    assert list_pair([4, 4], [4, 4], 4, 4)[1].level == .05


@pytest.mark.parametrize("n, verdict, warning", [
    (1, "weak",
     "with 1 sample each, no fall of a single question among 3 questions can be told from chance; 4 samples each would "
                "show a fall from all right to none"), (8, "pass", "")])
def test_without_a_fall(n, verdict, warning):
    check = check_falls(*list_pair([n] * 3, [n] * 3, n, n))
    assert (check.verdict, check.value, check.warning,
            check.said) == (verdict, 0, warning, "no question was right less often")


def test_outcomes_are_needed_on_both_sides():
    scored, judged = Counts([2], None, score_sum=[1.]), Counts([2], [1])
    for pair in ((scored, judged), (judged, scored)): assert list_falls(dict(zip("AB", pair))) == ((), None)
    with pytest.raises(ValueError,
                       match="no_question_falls needs outcomes, right or wrong, got scores only; threshold= makes "
                             "outcomes"):
        check_falls((), None)
