"""What verbs share, function by function: groups with the same questions, metrics with a column of
their own, battles, margins, and what is cautioned."""

from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval import Counts
from sampling_eval.analyses.engine.battles import (
    SHARE,
    WIN_SHARE,
    battles_of,
    choose_share,
    refuse_battles,
    refuse_several_battles,
    split_evenly,
)
from sampling_eval.analyses.engine.crossing import (
    cross_items,
    list_items,
    order_items,
    share_of_groups,
)
from sampling_eval.analyses.engine.diagnostics import (
    caution_attempts,
    caution_clusters,
    caution_files,
    caution_sides,
    caution_spellings,
    check_first,
    count_looked,
    run_checks,
    sample_order,
    size_checks,
)
from sampling_eval.analyses.engine.judging import check_judge
from sampling_eval.analyses.engine.named_columns import refuse_spend, split_name, take_named
from sampling_eval.analyses.engine.pairs import check_margin, match_test
from sampling_eval.analyses.engine.runs import ColumnRuns
from sampling_eval.foundations.answers import Rewards, tally
from sampling_eval.inference.crossed import crossed_mean
from sampling_eval.inference.judges import Judge
from sampling_eval.results.base import Style
from sampling_eval.results.cautions import Attempts, ClusterSizes, RepeatedFile, ShortLog
from sampling_eval.results.reading import Coverage, Repeat

# Groups that were all asked the same questions.


def test_a_table_of_questions_by_groups():
    items = np.array(list("abcbcacab"))
    group = np.array(list("xxxyyyzzz"))
    cells = cross_items(items, group, "prompt")
    assert items[cells].tolist() == [["a"] * 3, ["b"] * 3, ["c"] * 3]
    assert group[cells].tolist() == [["x", "y", "z"]] * 3


@pytest.mark.parametrize(
    "groups, said",
    [
        (["ab", "ab"], "three at least, got 2 in column 'p'"),
        (["ab"], "three at least, got 1 in column 'p'"),
        (["ab", "ab", "abc"], "got 2 to 3 questions in 3 groups"),
        (["ab", "ab", "ac"], "got 2 to 2 questions in 3 groups"),
        (["ab", "ab", "aa"], "got 2 to 2 questions in 3 groups"),
    ],
)
def test_groups_that_do_not_share_their_questions(groups, said):
    with pytest.raises(ValueError) as error:
        order_items([np.array(list(names)) for names in groups], "p")
    assert said in str(error.value)


def test_what_questions_are_called_in_all_groups():
    plain = Counts([1, 1], [1, 0], ["a", "b"])
    assert list_items(plain).tolist() == ["a", "b"]
    assert list_items(Counts([1, 1], [1, 0], ["a", "b"], cluster=["u", "v"])).tolist() == ["u", "v"]


def test_the_share_of_the_variance_that_is_of_groups():
    y = np.array([[0.0, 0.5, 1.0], [0.25, 0.5, 1.0], [0.0, 0.75, 1.0], [0.0, 0.5, 0.75]])
    found = crossed_mean(y)
    by_group = max(found.MSP - found.MSI, 0) / 4 / 3
    assert share_of_groups(found) == pytest.approx(by_group / found.variance, rel=1e-14)


# Metrics with a column of their own.


@pytest.mark.parametrize(
    "name, parts",
    [
        ("spend@4", ("spend", "4")),
        ("Guarded@K", ("guarded", "k")),
        ("portfolio@12", ("portfolio", "12")),
        ("spend@0", ("", "")),
        ("spend@04", ("", "")),
        ("spend@1234567890", ("", "")),
        ("spend@123456789", ("spend", "123456789")),
        ("spend", ("", "")),
        ("pass@4", ("", "")),
        ("xspend@4", ("", "")),
        (4, ("", "")),
    ],
)
def test_family_and_budget(name, parts):
    assert split_name(name) == parts


GIVEN = dict(cost="cost", verdict=None, by=None)


@pytest.mark.parametrize(
    "metrics, given, kept, budgets",
    [
        ("spend@4", {}, ["pass@4"], dict(spend=(4,))),
        ("spend@k", {}, ["pass@k"], dict(spend=())),
        ("spend@4,spend@2,pass@4", {}, ["pass@4", "pass@2"], dict(spend=(4, 2))),
        (["spend@4", "guarded@2"], {}, ["pass@4", "guarded@2"], dict(spend=(4,))),
        ("portfolio@9", dict(by="model"), ["pass@k"], dict(portfolio=(9,))),
        ("guarded@2", dict(verdict="judge"), ["pass@2"], dict(guarded=(2,))),
    ],
)
def test_metrics_whose_column_was_named(metrics, given, kept, budgets):
    found = take_named(metrics, GIVEN | given)
    assert (found.metrics, found.budgets) == (kept, budgets)


@pytest.mark.parametrize("metrics", [None, "pass@4", ["guarded@2"], dict(x=None), 3])
def test_other_metrics_stay_as_they_were_asked_for(metrics):
    found = take_named(metrics, GIVEN)
    assert found.metrics is metrics and found.budgets == {}


def test_systems_are_not_compared_in_what_they_spend():
    refuse_spend(None), refuse_spend("pass@1,guarded@2"), refuse_spend(["pass@k"])
    for metrics in "pass@1,spend@4", ["spend@4"]:
        with pytest.raises(ValueError, match="at equal spend, not in spend@4"):
            refuse_spend(metrics)


# Battles.


def battles(alone=True):
    return SimpleNamespace(alone=alone)


@pytest.mark.parametrize(
    "metrics, read, usual, share",
    [
        (None, battles(), None, True),
        ("win share", battles(), None, True),
        (["win share"], battles(), None, True),
        ("pass@k", battles(), "pass@k", True),
        ("pass@k", battles(), None, False),
        (["win share", "mean@n"], battles(), None, False),
        (None, None, None, False),
    ],
)
def test_the_win_share_stands_for_no_metric(metrics, read, usual, share):
    found = choose_share(metrics, read, usual)
    assert found == {WIN_SHARE: SHARE} if share else found is metrics


def test_two_models_are_held_against_an_even_split():
    own = Counts([2, 4], None, score_sum=[1.0, 3.0])
    rewards = Rewards([0, 0, 1, 1, 1, 1], [0.5] * 6)
    scored = Counts([2, 4], None, score_sum=[1.0, 3.0], rewards=rewards)
    counts = dict(x=own, y=own)
    found = split_evenly(counts, battles())
    assert list(found) == ["a tie with x", "y"] and found["y"] is own
    tie = found["a tie with x"]
    assert (tie.score_sum / tie.n).tolist() == [0.5, 0.5] and tie.rewards is None
    halves = split_evenly(dict(x=scored, y=scored), battles())["a tie with x"].rewards
    assert halves.score.tolist() == [0.5] * 6
    for read, sides in (None, counts), (battles(False), counts), (battles(), counts | dict(z=own)):
        assert split_evenly(sides, read) is sides


def test_battles_are_refused_where_no_rule_is_about_them():
    read = SimpleNamespace(rows=SimpleNamespace(battles=battles()))
    plain, none = SimpleNamespace(rows=SimpleNamespace(battles=None)), SimpleNamespace(rows=None)
    assert battles_of(read) and battles_of(plain) is None and battles_of(none) is None
    for refuse, said in (
        (refuse_battles, "battles are compared, not gated"),
        (refuse_several_battles, "battles are compared within one table"),
    ):
        refuse([plain, none])
        with pytest.raises(ValueError, match=said):
            refuse([plain, read])


# Margins, tests and judges.


@pytest.mark.parametrize(
    "margin, fits",
    [(None, True), (0.02, True), (5, True), (1e-300, True), (0, False), (-0.1, False),
     (np.inf, False), (np.nan, False), (True, False), ("1", False)],
)
def test_margins(margin, fits):
    if fits:
        assert check_margin(margin) is None
        return
    with pytest.raises(ValueError, match="same_within must be a finite margin above 0"):
        check_margin(margin)


@pytest.mark.parametrize(
    "target, interval, bounds, count, test",
    [
        ("same_questions", None, (0, 1), 3, "cautious"),
        ("same_questions", None, (0, 1), 2, None),
        ("same_questions", None, None, 3, None),
        ("same_questions", "t", (0, 1), 3, None),
        ("same_questions", "gamma", (0, 1), 3, "cautious"),
        ("new_questions", None, (0, 1), 3, None),
        ("new_questions", "gaffke", (0, 1), 3, None),
    ],
)
def test_a_test_that_rejects_only_where_the_interval_does(target, interval, bounds, count, test):
    assert match_test(Style(target=target, interval=interval), bounds, count) == test


def test_rates_of_a_judge():
    judge = Judge(sensitivity=0.93, specificity=0.9)
    assert check_judge(None) is None and check_judge(judge) is judge
    for given in (0.93, 0.9), [0.93, 0.9]:
        assert check_judge(given) == judge
    for given in (0.9,), (0.9, 0.9, 0.9), 0.9, "x":
        with pytest.raises(TypeError, match="judge must be a Judge"):
            check_judge(given)


# Cautions.


def runs(*rows, word="run"):
    table = np.array(rows, np.int8)
    return ColumnRuns(tuple(range(table.shape[1])), table, word=word)


@pytest.mark.parametrize(
    "rows, word, order",
    [
        ([[1, 1, 0], [1, 0, 0]], "column", "right first"),
        ([[0, 1, 1], [0, 0, 1]], "column", "right last"),
        ([[1, 0, 1], [0, 1, 0]], "column", ""),
        ([[1, 1, 0], [1, 0, 0]], "run", "right first"),
        # A run that broke off is wrong everywhere, and may be the last one.
        ([[1, 1, 0], [1, 1, 0]], "run", ""),
        ([[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 0, 0]], "run", ""),
        ([[1, 1, 0], [1, 1, 0]], "column", "right first"),
    ],
)
def test_samples_in_the_order_of_their_outcomes(rows, word, order):
    many = [row for row in rows for _ in range(20)]
    assert sample_order(runs(*many, word=word)) == order
    assert sample_order(None) == ""


def test_which_checks_are_made():
    wide, pair = runs([1, 0, 1]), runs([1, 0])
    assert [[share for share, _ in own] for own in run_checks(wide)] == [[4, 1], [1, 2]]
    assert [[share for share, _ in own] for own in run_checks(pair)] == [[4, 1], []]
    assert run_checks(None) == []
    ragged, even = Counts([2, 3], [1, 1]), Counts([2, 2], [1, 1])
    assert [share for share, _ in size_checks(ragged, None, None)] == [1, 3]
    assert size_checks(even, None, None) == []
    assert size_checks(Counts([2, 3], None, score_sum=[1.0, 1]), None, None) == []
    assert count_looked(wide, np.zeros(1)) is None and count_looked(wide, np.zeros(2)) == 2


def test_the_first_check_that_finds_something_speaks_at_its_share_of_the_level():
    levels = []

    def check(found):
        def find(level):
            levels.append(level)
            return found

        return find

    found = check_first([(4, check(None)), (1, check("x")), (2, check("y"))], 0.001)
    assert found == "x" and levels == [0.004, 0.001]
    assert check_first([(1, check(None))], 0.001) is None and check_first([], 1) is None


@pytest.mark.parametrize(
    "column, chained",
    [
        ("attempt", True),
        ("Retry-No", True),
        ("turns_1", True),
        ("round2", True),
        ("attempted", False),
        ("sample", False),
        ("", False),
    ],
)
def test_samples_that_may_have_seen_the_one_before(column, chained):
    assert list(caution_attempts(column)) == [Attempts(column)] * chained


@pytest.mark.parametrize(
    "cluster, said", [("aabb", []), ("aaab", [ClusterSizes(2, 1, 3)]), ("aaaa", [])]
)
def test_clusters_of_unequal_size(cluster, said):
    assert list(caution_clusters(np.array(list(cluster)))) == said


def test_files_that_are_longer_or_shorter_than_their_run():
    repeats = [Repeat("a.jsonl", 6, 2)]
    totals = [Coverage("b", 4, 3, "x"), Coverage("c", 4, 3, "y", left_out=1)]
    assert list(caution_files(repeats, totals)) == [
        RepeatedFile("a.jsonl", 6, 2),
        ShortLog("c", 3, 4, "y"),
    ]


def voted(*answers):
    "Counts with the right answers of each question."
    places = [q for q, own in enumerate(answers) for _ in own]
    listed = [one for own in answers for one in own]
    votes = tally(places, listed, [1] * len(listed))
    n = [len(own) for own in answers]
    return Counts(n, n, votes=votes)


@pytest.mark.parametrize(
    "answers, said",
    [
        ([["x", "x"], ["y", "y"]], None),
        ([["x", "x "], ["y", "y"]], (1, 2, "0", ("x", "x "), "strip", 0)),
        ([["y", "y"], ["x", "X"]], (1, 2, "1", ("x", "X"), "lower", 0)),
        ([["18", "18.0"], ["a", "b"]], (2, 2, "0", ("18", "18.0"), "number", 1)),
        ([["a", "b"], ["y"]], (1, 2, "0", ("a", "b"), None, 1)),
        ([["z" * 70, "b"]], (1, 1, "0", ("z" * 60, "b"), None, 1)),
    ],
)
def test_right_answers_with_votes_of_their_own(answers, said):
    found = list(caution_spellings(voted(*answers)))
    if said is None:
        assert found == []
        return
    (one,) = found
    told = one.questions, one.among, one.question, one.answers, one.rule, one.left
    assert told == said
    (named,) = caution_sides(dict(m=voted(*answers), n=voted(["x"])))
    assert named == one.of("m")
    assert list(caution_spellings(Counts([1], [1]))) == []
