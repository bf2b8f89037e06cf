"`compare`: two systems on the same questions. More cases: test_compare.py."

import numpy as np
import pytest

from sampling_eval import Counts, compare, score
from sampling_eval.results.reading import Alignment, Unmatched
from sampling_eval.results.cautions import ClusterSizes

ANSWERS = dict(
    small=["AAB", "ABB", "CCA", "BBC"],
    medium=["AAB", "AAB", "CAA", "ABC"],
    large=["AAA", "AAB", "AAA", "AAC"],
)
ROWS = [
    dict(model=model, question=q, answer=x, correct=int(x == "A"))
    for model, tables in ANSWERS.items()
    for q, given in enumerate(tables)
    for x in given
]
OLD, NEW = Counts([4] * 4, [0, 1, 2, 4]), Counts([4] * 4, [1, 3, 2, 4])


def test_a_difference_is_new_minus_baseline():
    row = compare(OLD, NEW, "avg@n")["avg@4"]
    assert row.difference == pytest.approx(3 / 16) and (row.wins, row.ties, row.losses) == (2, 2, 0)
    turned = compare(NEW, OLD, "avg@n")["avg@4"]
    assert turned.difference == -row.difference and (turned.low, turned.high) == pytest.approx(
        (-row.high, -row.low)
    )


def test_models_of_one_table_are_ranked_by_votes():
    ranked = compare(ROWS, metrics="maj@3")
    means = {one["system"]: one["mean"] for one in ranked.rankings["maj@3"].rows}
    assert means == pytest.approx(dict(large=1, medium=5 / 6, small=0.25)) and list(means) == [
        "large",
        "medium",
        "small",
    ]
    assert not any(row.apart for row in ranked.rows) and len(ranked.rows) == 3


def test_what_moved_and_every_question():
    found = compare(OLD, NEW, k=[1, 4])
    assert list(found.moved) == ["pass@1", "pass@4"]
    assert [(o.question, o.difference) for o in found.moved["pass@1"]] == [(1, 0.5), (0, 0.25)]
    counts = [f"{what} {side}" for side in "AB" for what in ("n", "c", "missing")]
    values = [f"pass@{k} {side}" for k in (1, 4) for side in ("A", "B", "B - A")]
    assert list(found.questions) == ["question", *counts, *values]
    np.testing.assert_allclose(
        found.questions["pass@1 B - A"], found.questions["pass@1 B"] - found.questions["pass@1 A"]
    )
    np.testing.assert_allclose(found.questions["pass@1 B"], [0.25, 0.75, 0.5, 1])


# Each option reaches what is computed.


def list_pair(shift=0, model=None):
    "Rows of one system: 10 questions, 4 samples, two groups, answers and scores."
    rows = [
        dict(
            question=q,
            sample=s,
            answer="xyz"[(q + s) % 3],
            correct=int(s + shift < q % 6),
            score=(q + s + shift) % 5 / 4,
            passage=q // 2,
            points=1 + q % 3,
        )
        for q in range(10)
        for s in range(4)
    ]
    return [row | dict(model=model) for row in rows] if model else rows


A, B = list_pair(), list_pair(-1)


def compare_pair(metrics="pass@2", a=A, b=B, **options):
    return compare(a, b, metrics, **dict(conflict="any") | options)


@pytest.mark.parametrize(
    "options, differs",
    [
        (dict(confidence_level=0.8), "low"),
        (dict(method="t"), "low"),
        (dict(method="t"), "pvalue"),
        (dict(test="t"), "named_test"),
        (dict(bounds=(-1, 0.9)), "high"),
        (dict(cluster="passage"), "low"),
        (dict(cluster={q: q // 2 for q in range(10)}), "low"),
        (dict(cluster=[q // 2 for q in range(10)]), "low"),
        (dict(weights="points"), "difference"),
        (dict(weights={q: 1 + q % 3 for q in range(10)}), "difference"),
        (dict(metrics="pass@k", k=3), "a"),
        (dict(metrics="maj@3"), "a"),
        (dict(metrics="maj@3", ties="wrong"), "a"),
    ],
)
def test_options_that_change_a_number(options, differs):
    assert getattr(compare_pair(**options).rows[0], differs) != getattr(
        compare_pair().rows[0], differs
    )


def test_options_that_are_told():
    found = compare_pair(title="data", target="same_questions", confidence_level=0.9)
    assert (found.title, found.target, found.confidence_level) == (
        "data",
        "same_questions",
        0.9,
    ) and found.notes == ()
    assert list(found.read) == ["A", "B"] and found.samples == ((4, 4), (4, 4))
    assert found.names == ("A", "B")
    three = compare(
        A,
        B,
        "pass@2",
        others=[A],
        title="data",
        target="same_questions",
        confidence_level=0.9,
        conflict="any",
    )
    assert (three.title, three.target, three.confidence_level) == ("data", "same_questions", 0.9)
    assert list(three.read) == [side.name for side in three.sides] == ["A", "B", "C"]
    assert three.estimator == found.rows[0].estimator
    both = [row | dict(model=model) for model, rows in (("x", A), ("y", B)) for row in rows]
    assert compare(both, models=["y", "x"], conflict="any").names == ("y", "x")
    assert compare(both, conflict="any").names == ("x", "y")
    assert compare_pair(b=B[:36], on_unmatched="drop").alignment == Alignment(
        9, (Unmatched("A", 1, ("9",)), Unmatched("B", 0))
    )


def test_ties_and_votes_of_both_sides():
    plain, wrong = (compare_pair("maj@2", ties=ties).rows[0] for ties in ("expected", "wrong"))
    for side, rows in (("a", A), ("b", B)):
        for ties, row in (("expected", plain), ("wrong", wrong)):
            assert getattr(row, side) == pytest.approx(
                score(rows, "maj@2", conflict="any", ties=ties).rows[0].estimate
            )
    assert plain.a != wrong.a
    several = compare_pair(["maj@2", "pass@1"], ties="wrong")
    assert several.rows[0].a == wrong.a and several.rows[0].b == wrong.b


def test_weights_of_two_systems_only():
    found = compare_pair("pass@1", weights="points", largest_weight=9)
    right = {
        name: [sum(row["correct"] for row in rows if row["question"] == q) / 4 for q in range(10)]
        for name, rows in (("A", A), ("B", B))
    }
    points = [1 + q % 3 for q in range(10)]
    want = [np.average(right[name], weights=points) for name in "AB"]
    assert (found.rows[0].a, found.rows[0].b) == pytest.approx(tuple(want))
    assert found.notes[-1].endswith("weights up to 9, as declared.")
    assert found.next is None and compare_pair("pass@1").next is not None
    several = compare_pair(["pass@1", "pass@2"], weights="points", largest_weight=9)
    assert several.rows[0].a == pytest.approx(want[0]) and several.notes == found.notes
    note = compare_pair("pass@k", k=[1, 2], weights="points").notes[-1]
    assert note == "No band over all values of k: it takes all questions as equal."
    assert compare_pair("pass@k", k=[1, 2], weights="points").curve is None
    with pytest.raises(
        ValueError,
        match=(
            "weights= is for two systems, got 3; compare two at a time, or all of them with table"
        ),
    ):
        compare(A, B, "pass@1", others=[A], weights="points")
    with pytest.raises(
        ValueError, match="^several metrics are for two systems, got 3; rank them by one metric"
    ):
        compare(A, B, ["pass@1", "pass@2"], others=[A])


def test_groups_of_unequal_size_are_cautioned():
    for metrics in ("pass@1", ["pass@1", "pass@2"]):
        found = compare_pair(metrics, cluster=[0] * 4 + [1] * 6)
        assert found.cautions == (ClusterSizes(2, 4, 6),) and "Warning: " in repr(found)
        assert type(found).from_json(found.to_json()) == found
    assert compare_pair("pass@1", cluster=[0] * 5 + [1] * 5).cautions == ()
    assert (
        compare(A, B, "pass@1", others=[A], cluster=[q // 2 for q in range(10)]).rows[0].low
        != compare(A, B, "pass@1", others=[A]).rows[0].low
    )


def test_a_ranking_at_its_level_and_target():
    sides = [Counts([4] * 18, c * 9) for c in ([0, 1], [1, 3], [3, 2])]
    found = {
        level: compare(*sides[:2], "pass@1", others=sides[2:], confidence_level=level)
        for level in (0.5, 1 - 1e-6)
    }
    assert [one.confidence_level for one in found.values()] == [0.5, 1 - 1e-6]
    assert [any(row.apart for row in one.rows) for one in found.values()] == [True, False]
    again = compare(A, B, "pass@1", others=[B], target="same_questions")
    assert again.rows[0].test_holm != found[0.5].rows[0].test_holm
    seeds = [
        compare(A, B, "pass@2", others=[B], test="permutation", rng=seed).rows[0].p_holm
        for seed in (None, 0, 1)
    ]
    assert seeds[0] == seeds[1]
    named = compare(A, B, "pass@k", [1, 2], others=[B])
    assert list(named.rankings) == ["pass@1", "pass@2"] and named.rankings[
        "pass@2"
    ].means == pytest.approx(
        sorted((compare_pair().rows[0].a, *[compare_pair().rows[0].b] * 2), reverse=True)
    )
    assert [row.metric for row in named.rows] == ["pass@1"] * 3 + ["pass@2"] * 3
    assert named.next is None


@pytest.mark.parametrize("metrics", ["pass@1", ["pass@1", "pass@2"]])
def test_seeds_of_tests_that_draw(metrics):
    a, b = (
        Counts([7] * 12, c)
        for c in ([0, 1, 2, 3, 4, 5, 6, 7, 1, 3, 5, 2], [2, 1, 5, 3, 6, 7, 6, 7, 0, 6, 7, 3])
    )
    found = [
        compare(a, b, metrics, method="bootstrap", rng=seed).rows[0].low
        for seed in (None, *range(6))
    ]
    assert found[0] == found[1] and len(set(found)) > 1


def test_the_target_of_a_ranking_without_bounds():
    "Without a test that inverts the interval the default of the target is taken."
    own = {"twice@1": [0, 2]}
    methods = {
        target: {row.test_holm for row in compare(A, B, own, others=[B], target=target).rows}
        for target in ("new_questions", "same_questions")
    }
    assert methods["new_questions"] & methods["same_questions"] <= {"none"} and all(
        methods.values()
    )
