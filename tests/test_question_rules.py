"Rules about single questions: those that must pass, and those that may not regress. The test itself: test_regressions.py."
from math import ceil, comb

import pytest

from sampling_eval import Counts, gate
from sampling_eval.inference.regressions import fewest_samples, find_falls

NAMES = ["add/1", "add/2", "sort/1", "a,b", "7"]
RUN = Counts([4, 4, 3, 4, 2], [4, 3, 2, 0, 2], NAMES)


def require(wanted, run=RUN, **options): return gate(run, must_pass=wanted, **options)


# Questions that must pass.

@pytest.mark.parametrize("wanted, places", [
    ("add/1", [0]), ("sort/1, add/2,, ", [1, 2]), ("add/*", [0, 1]), ("a,b", [3]), (["a,b", "add/1"], [0, 3]),
    ("*/1,add/1", [0, 2]), ("add/[2-9]", [1]), ("?", [4]), (7, [4]), ([7, "7"], [4]), (("*",), [0, 1, 2, 3, 4]),
    (iter(["sort/1"]), [2])])
def test_questions_that_are_meant(wanted, places):
    assert [one.question for one in require(wanted).must_pass] == [NAMES[i] for i in places]


@pytest.mark.parametrize("wanted, said", [
    (" , ", "^must_pass names no question; leave it out, or name some$"), ([], "names no question"), ("", "names no question"),
    ("ad/1,sort/1,q*", r"^must_pass must name questions of the new run, got 'ad/1' \(2 of 3 fail\); near: 'add/1', 'add/2'$"),
    ("zzzz", r"got 'zzzz' \(1 of 1 fail\)$"), ("Add/*", r"got 'Add/\*' \(1 of 1 fail\); near: 'add/"), ("[", r"got '\[' "),
    ("x" * 200, "got '" + "x" * 79 + " "), ("x" * 9999, "1 of 1 fail"), ("a\0b", "1 of 1 fail")])
def test_questions_that_are_not_there(wanted, said):
    with pytest.raises(ValueError, match=said): require(wanted)


def test_names_in_a_file(tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("\ufeff# those of release 2\n add/1 \n\n  # more\nsort/*\na,b\n", "utf-8")
    for wanted in (path, str(path)):
        assert [one.question for one in require(wanted).must_pass] == ["add/1", "sort/1", "a,b"]
    # A question of that very name is meant before the file.
    assert require(str(path), Counts([1], [1], [str(path)])).must_pass[0].question == str(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="a text file with one question a line, got .*names.txt, which is not UTF-8"):
        require(path)
    path.write_text("# nothing\n")
    with pytest.raises(ValueError, match="names no question"): require(path)
    with pytest.raises(ValueError, match="must name questions"): require(str(tmp_path))
    with pytest.raises(FileNotFoundError): require(tmp_path / "none.txt")


@pytest.mark.parametrize("right, samples, share, needed, verdict", [
    (4, 4, 1., 4, "pass"), (3, 4, 1., 4, "fail"), (3, 4, .75, 3, "pass"), (2, 4, .75, 3, "fail"), (2, 4, .26, 2, "pass"),
    (1, 4, .26, 2, "fail"), (3, 10, .3, 3, "pass"), (2, 10, .3, 3, "fail"), (1, 3, .1, 1, "pass"), (0, 3, .1, 1, "fail"),
    (7, 10, .7, 7, "pass"), (7, 8, .9, 8, "fail")])
def test_so_many_right_samples(right, samples, share, needed, verdict):
    one, = require("q", Counts([samples], [right], ["q"]), must_pass_share=share).must_pass
    assert one.to_dict() == dict(question="q", right=right, samples=samples, needed=needed, verdict=verdict)
    assert ceil(round(share * samples, 9)) == one.needed


def test_the_rule_counts_them():
    found = require("add/*,7")
    row, = found.rows
    assert (row.rule, row.kind, row.metric, row.target) == ("must-pass questions pass", "must_pass", "must-pass questions", "samples")
    assert (row.value, row.limit, row.questions, row.verdict) == (2, 3, 5, "fail")
    assert row.low is row.high is row.method is row.next is None
    assert require("add/*,7", must_pass_share=.7).verdict == "pass"
    both = gate(RUN, baseline=RUN, max_drop=1, must_pass="a,b", allow_identical=True)
    assert [row.verdict for row in both.rows] == ["pass", "fail"]


@pytest.mark.parametrize("share", [0, -.1, 1.0001, 75, float("nan")])
def test_a_share_that_is_none(share):
    with pytest.raises(ValueError, match=f"must_pass_share must lie above 0 and at most 1, got {share}; 3 of 4 samples are 0.75"):
        require("7", must_pass_share=share)


def test_outcomes_are_needed():
    scored, judged = Counts([2], None, ["a"], score_sum=[1.]), Counts([2], [1], ["a"])
    with pytest.raises(ValueError, match="^must_pass needs outcomes, right or wrong, got scores only; threshold= makes outcomes"):
        require("a", scored)
    for new, old in ((scored, judged), (judged, scored)):
        with pytest.raises(ValueError, match="^no_question_regresses needs outcomes, right or wrong, got scores only"):
            gate(new, baseline=old, no_question_regresses=True)


# Questions that may not regress.

def judge_pair(old, new, n=8, m=8, **options):
    names = [f"q{i}" for i in range(len(old))]
    sides = Counts([m] * len(new), new, names), Counts([n] * len(old), old, names)
    return gate(sides[0], baseline=sides[1], no_question_regresses=True, allow_identical=True, **options)


def test_significant_regressions_and_five_that_are_not():
    old, new = [8, 8, 4, 4, 4, 5, 4, 4, 8, 0, 8], [0, 1, 3, 2, 3, 3, 3, 3, 8, 2, 8]
    gated = judge_pair(old, new)
    found = find_falls([8] * 11, old, [8] * 11, new, .05)
    assert [one.question for one in gated.regressions] == ["q0", "q1", "q3", "q5", "q2", "q4", "q6"]
    assert [one.significant for one in gated.regressions] == [True, True] + [False] * 5
    for one in gated.regressions:
        i = int(one.question[1:])
        assert (one.before, one.of_before, one.after, one.of_after) == (old[i], 8, new[i], 8)
        assert (one.p, one.p_adjusted) == (found.p[i], found.adjusted[i])
    assert gated.regressions[0].p == pytest.approx(1 / comb(16, 8))
    assert gated.regression_power.to_dict() == dict(
        questions=11, detectable=int(found.watched.sum()), n_min=8, n_max=8, needed=fewest_samples(11), level=.05, lower=8)
    row, = gated.rows
    assert (row.rule, row.kind, row.target) == ("no question regresses", "regressions", "same_questions")
    assert (row.verdict, row.value, row.limit, row.questions, row.low, row.high) == ("fail", 2, 0, 11, None, None)


def test_shares_of_unequal_samples_are_compared():
    a, b = Counts([4, 4, 2], [2, 2, 1], ["a", "b", "c"]), Counts([8, 8, 6], [3, 4, 3], ["a", "b", "c"])
    found = gate(b, baseline=a, max_drop=.5)
    assert [one.question for one in found.regressions] == ["a"] and found.forbids_regressions is False
    power = found.regression_power
    assert (power.n_min, power.n_max, power.lower) == (2, 8, 1)
    power = gate(a, baseline=b, max_drop=.5).regression_power
    assert (power.n_min, power.n_max, power.lower) == (2, 8, 0)


@pytest.mark.parametrize("level", [.9, .95, .999])
def test_the_level_of_the_list(level):
    power = judge_pair([4, 4], [4, 4], 4, 4, confidence_level=level).regression_power
    assert power.level == round(1 - level, 12) and power.needed == fewest_samples(2, power.level)


@pytest.mark.parametrize("n, verdict, detectable", [(1, "inconclusive", 0), (8, "pass", 3)])
def test_without_a_regression(n, verdict, detectable):
    found = judge_pair([n] * 3, [n] * 3, n, n)
    assert (found.verdict, found.rows[0].value, found.regressions) == (verdict, 0, ())
    assert (found.regression_power.detectable, found.regression_power.lower) == (detectable, 0)
