"`compare`: two systems on the same questions. More cases: test_compare.py."
import numpy as np
import pytest

from sampling_eval import Counts, compare
from sampling_eval.reporting.standings import list_places

ANSWERS = dict(small=["AAB", "ABB", "CCA", "BBC"], medium=["AAB", "AAB", "CAA", "ABC"], large=["AAA", "AAB", "AAA", "AAC"])
ROWS = [dict(model=model, question=q, answer=x, correct=int(x == "A"))
        for model, tables in ANSWERS.items() for q, given in enumerate(tables) for x in given]
OLD, NEW = Counts([4] * 4, [0, 1, 2, 4]), Counts([4] * 4, [1, 3, 2, 4])


def test_a_difference_is_new_minus_baseline():
    row = compare(OLD, NEW, "avg@n")["avg@4"]
    assert row.difference == pytest.approx(3 / 16) and (row.wins, row.ties, row.losses) == (2, 2, 0)
    turned = compare(NEW, OLD, "avg@n")["avg@4"]
    assert turned.difference == -row.difference and (turned.low, turned.high) == pytest.approx((-row.high, -row.low))


def test_models_of_one_table_are_ranked_by_votes():
    ranked = compare(ROWS, metrics="maj@3")
    means = {one["system"]: one["mean"] for one in list_places(ranked.rankings["maj@3"])}
    assert means == pytest.approx(dict(large=1, medium=5 / 6, small=.25)) and list(means) == ["large", "medium", "small"]
    assert not any(row.apart for row in ranked.rows) and len(ranked.rows) == 3


def test_questions_only_one_side_has():
    with pytest.raises(ValueError, match=r"A and B must cover the same questions, got 2 in both, 1 only in A \(2\)"):
        compare([[1], [0], [1]], [[1], [1]])
    assert compare([[1], [0], [1]], [[1], [1]], on_unmatched="drop").alignment == "2 in both, 1 only in A (2), 0 only in B"


def test_one_model_or_a_name():
    with pytest.raises(ValueError, match=r"A must hold one model, got 3 \('small', 'medium', 'large'\); choose with models="):
        compare(ROWS, ROWS)
    with pytest.raises(ValueError, match="compare needs two systems, got one"): compare([[1, 0]])


def test_a_name_that_states_its_budget():
    with pytest.raises(ValueError, match="'pass@2' states its budget, got k=1 as well"): compare([[1, 0]], [[1, 1]], "pass@2", 1)


def test_what_moved_and_every_question():
    found = compare(OLD, NEW, k=[1, 4])
    assert list(found.moved) == ["pass@1", "pass@4"]
    assert [(o.question, o.difference) for o in found.moved["pass@1"]] == [(1, .5), (0, .25)]
    counts = [f"{what} {side}" for side in "AB" for what in ("n", "c", "missing")]
    values = [f"pass@{k} {side}" for k in (1, 4) for side in ("A", "B", "B - A")]
    assert list(found.questions) == ["question", *counts, *values]
    np.testing.assert_allclose(found.questions["pass@1 B - A"], found.questions["pass@1 B"] - found.questions["pass@1 A"])
    np.testing.assert_allclose(found.questions["pass@1 B"], [.25, .75, .5, 1])


def test_a_band_needs_several_budgets():
    assert compare(OLD, NEW, k=[2]).curve is None and compare(OLD, NEW, k=[1, 2]).curve is not None


def test_samples_of_each_side():
    assert compare(Counts([4, 6], [1, 2]), Counts([8, 8], [1, 2])).samples == ("4..6", "8")


def test_the_target_decides_the_verdict():
    old, new = Counts([64] * 12, [20] * 12), Counts([64] * 12, [20] * 6 + [35] * 6)
    row = compare(old, new, "pass@1", target="benchmark")["pass@1"]
    other = compare(old, new, "pass@1", target="questions")["pass@1"]
    assert row.verdict == "better" and row.p < .05 and "again" in compare(old, new, "pass@1", target="benchmark").how()
    assert row.confidence_interval(target="benchmark").low > 0 and other.test != row.test


@pytest.mark.parametrize("old, new", [("a", "baseline"), ("b", "new")])
def test_old_names_of_the_sides(old, new):
    given = dict(baseline=OLD, new=NEW)
    given[old] = given.pop(new)
    with pytest.warns(DeprecationWarning, match=f"compare: {old}= is now called {new}="): found = compare(**given, metrics="pass@1")
    assert found == compare(OLD, NEW, "pass@1")
    with pytest.warns(DeprecationWarning, match="metric= is now called metrics="): compare(OLD, NEW, metric="pass@1")
