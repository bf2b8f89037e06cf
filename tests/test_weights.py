"Questions of unequal weight: coverage, scale, equal weights, readers and refusals."

import json
import re
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
import pandas as pd
import pytest

from conftest import command
from printed import check_printed
from sampling_eval import (
    compare,
    count,
    Counts,
    describe,
    extrapolate,
    gate,
    mean_over_questions,
    ModelTable,
    plan,
    score,
    table,
)
from sampling_eval.inference.fixed_questions import Noise
from sampling_eval.inference.intervals import estimate_from, estimates_of
from sampling_eval.inference.estimate import weigh_fixed, weighted_mean
from sampling_eval.inference.units import check_weights, join_groups, weigh_units, Weights
from sampling_eval.analyses.engine.measure import check_request, Weighing

pytestmark = pytest.mark.usefixtures("known_limits")
LEVELS = 0.9, 0.95, 0.99
VALUES = {
    "right or wrong": ((0, 1), (0.0, 1.0)),
    "scores": ((0, 1), (0.0, 0.5, 1.0)),
    "differences": ((-1, 1), (-1.0, 0.0, 1.0)),
}


def list_samples(atoms, n):
    "How often each atom occurs, and in how many orders."
    for rows in combinations_with_replacement(range(len(atoms)), n):
        times = np.bincount(rows, minlength=len(atoms))
        yield times, factorial(n) // prod(map(factorial, times.tolist()))


def list_laws(size, steps):
    for cuts in combinations_with_replacement(range(size), steps):
        yield np.bincount(cuts, minlength=size) / steps


@pytest.mark.parametrize(
    "kind, n",
    [*product(VALUES, (1, 2)), ("scores", 3), ("right or wrong", 3), ("right or wrong", 4)],
)
@pytest.mark.parametrize("heavy", [1.5, 40.0])
def test_interval_holds_for_every_small_law(kind, heavy, n):
    bounds, values = VALUES[kind]
    weight, value = np.array(list(product((1.0, heavy), values))).T
    samples = list(list_samples(weight, n))
    laws = np.array(list(list_laws(len(weight), 4)))
    theta = laws @ (weight * value) / (laws @ weight)
    chance = np.array([many * np.prod(laws**times, 1) for times, many in samples])
    np.testing.assert_allclose(chance.sum(0), 1)
    for level in LEVELS:
        ends = []
        for times, _ in samples:
            own = weighted_mean(
                np.repeat(value, times),
                np.repeat(weight, times),
                largest_weight=heavy,
                bounds=bounds,
            )
            ends.append(own.confidence_interval(level))
        low, high = (
            np.array([getattr(one, side) for one in ends])[:, None] for side in ("low", "high")
        )
        tail = (1 - level) / 2 + 1e-9
        assert (chance * (theta < low - 1e-9)).sum(0).max() <= tail
        assert (chance * (theta > high + 1e-9)).sum(0).max() <= tail


def test_limit_of_one_light_question_by_hand():
    high = weighted_mean([0], [1], largest_weight=3).confidence_interval().high
    assert high == pytest.approx(3 * 0.975 / (3 * 0.975 + 0.025), abs=1e-10)
    low = weighted_mean([1], [1], largest_weight=3).confidence_interval().low
    assert low == pytest.approx(1 - high, abs=1e-10)


def test_weights_of_whole_numbers_repeat_nothing():
    "A question of weight 2 is not two questions: its interval is wider."
    x, w = np.tile([1.0, 0.0, 1.0], 5), np.tile([2, 1, 1], 5)
    own, twice = weighted_mean(x, w), mean_over_questions(np.repeat(x, w))
    assert own.value == pytest.approx(twice.value)
    one, other = own.confidence_interval(), twice.confidence_interval()
    assert one.high - one.low > other.high - other.low


@pytest.mark.parametrize("factor", [1e-200, 0.1, 7, 1e200])
def test_scale_does_not_matter(factor):
    rng = np.random.default_rng(0)
    x, w = rng.random(30), rng.random(30) + 0.01
    first, other = weighted_mean(x, w), weighted_mean(x, w * factor)
    assert other.value == pytest.approx(first.value, rel=1e-12)
    assert other.stderr == pytest.approx(first.stderr, rel=1e-9)
    for name in ("gaffke", "t", "anchored-t"):
        one, two = (o.confidence_interval(method=name) for o in (first, other))
        assert [two.low, two.high] == pytest.approx([one.low, one.high], rel=1e-8)


def test_many_values_of_many_weights():
    rng = np.random.default_rng(1)
    x, w = rng.random(3000), rng.exponential(size=3000)
    ends = weighted_mean(x, w).confidence_interval()
    assert ends.low < np.average(x, weights=w) < ends.high
    assert ends.high - ends.low < 0.08


@pytest.mark.parametrize("name", ["wilson", "clopper-pearson"])
def test_methods_of_counts_refuse_weights(name):
    with pytest.raises(ValueError, match="got weights"):
        weighted_mean([1, 0], [1, 2]).confidence_interval(method=name)


# The verbs.


def make_rows(seed=0, weights=(1, 2.5, 4)):
    rng = np.random.default_rng(seed)
    return [
        dict(
            question=f"q{i}",
            sample=j,
            correct=int(rng.random() < 0.2 + 0.1 * (i % 6)),
            points=weights[i % len(weights)],
        )
        for i in range(24)
        for j in range(4)
    ]


def without_names(rows):
    return [row.to_dict() | dict(weighted_by="") for row in rows]


def by_question(rows):
    return {row["question"]: row["points"] for row in rows}


@pytest.fixture
def files(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(make_rows())
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    (tmp_path / "a.json").write_text(json.dumps(make_rows()))
    frame.to_parquet(tmp_path / "a.parquet")
    return tmp_path


def test_mean_and_effective_number():
    rows = make_rows()
    row = score(rows, "pass@1", weights="points").rows[0]
    right = np.array([r["correct"] for r in rows]).reshape(-1, 4).mean(1)
    weight = np.array([r["points"] for r in rows])[::4]
    assert row.estimate == pytest.approx(np.average(right, weights=weight))
    own = weighted_mean(right, weight)
    ends = own.confidence_interval()
    assert [row.stderr, row.low, row.high] == pytest.approx([own.stderr, ends.low, ends.high])
    assert row.weights.effective_questions == pytest.approx(weight.sum() ** 2 / (weight**2).sum())
    assert row.questions == 24


def test_every_reader_gives_the_same(files):
    frame = pytest.importorskip("pandas").read_csv(files / "a.csv")
    expected = without_names(score(make_rows(), weights="points", target="both").rows)
    weights = by_question(make_rows())
    for data in (
        frame,
        *map(str, (files / "a.csv", files / "a.jsonl", files / "a.json", files / "a.parquet")),
    ):
        for given in ("points", weights):
            found = score(data, weights=given, target="both")
            assert without_names(found.rows) == expected, (data, given)


def test_engine_gives_the_same(files):
    duckdb = pytest.importorskip("duckdb")
    expected = without_names(score(make_rows(), weights="points").rows)
    relation = duckdb.read_csv(str(files / "a.csv"))
    found = {row["metric"]: row for row in without_names(score(relation, weights="points").rows)}
    for row in expected:
        assert found[row["metric"]]["estimate"] == pytest.approx(row["estimate"], rel=1e-12)
        assert found[row["metric"]]["low"] == pytest.approx(row["low"], rel=1e-9)


def test_equal_weights_are_no_weights():
    rows = make_rows(weights=(3,))
    for target in ("new_questions", "both", "same_questions"):
        plain, own = score(rows, target=target), score(rows, weights="points", target=target)
        assert [o.to_dict() for o in own.rows] == [o.to_dict() for o in plain.rows]
    assert "points gives all questions the same weight" in own.notes[-1]
    other = make_rows(1, (3,))
    plain, own = compare(rows, other), compare(rows, other, weights="points")
    assert [o.to_dict() for o in own.rows] == [o.to_dict() for o in plain.rows]


def test_declared_weight_widens_and_is_said():
    rows = make_rows()
    seen, declared = (
        score(rows, "pass@1", weights="points", largest_weight=most) for most in (None, 12)
    )
    assert declared.rows[0].high - declared.rows[0].low > seen.rows[0].high - seen.rows[0].low
    assert "weights up to 12, as declared" in declared.notes[-1]
    assert "more than 4, the largest weight seen" in seen.notes[-1]
    again = score(rows, "pass@1", weights="points", largest_weight=4)
    assert (again.rows[0].low, again.rows[0].high) == (seen.rows[0].low, seen.rows[0].high)


SAID = re.compile(r"approximate: (it )?assumes no weight above 4")


def tell(result):
    return result.how() if hasattr(result, "how") else result.methods()


def judge(rows, **options):
    return gate(rows, minimum={"pass@1": 0.3}, **options)


def test_a_comparison_without_a_declared_weight_is_called_approximate():
    rows, said = make_rows(), "approximate: assumes no weight above 4"
    strict = dict(weights="points", method="assumption-free")
    seen = compare(rows, make_rows(1), "pass@1", **strict)
    flat = " ".join(repr(seen).split())
    assert said in flat and "declare it with largest_weight" in flat
    assert (
        seen.rows[0].weights.assumed_largest_weight == seen.rows[0].interval.method.max_weight == 4
    )
    assert (
        said in seen.to_html()
        and said in seen.to_markdown()
        and said.replace("4", "") not in seen.to_json()
    )
    declared = compare(rows, make_rows(1), "pass@1", largest_weight=4, **strict)
    assert (
        "assumes no weight" not in repr(declared) + declared.methods()
        and declared.rows[0].interval.method.exact
    )


@pytest.mark.parametrize("verb", [score, judge, table])
def test_an_interval_without_a_declared_weight_is_called_approximate(verb):
    rows = make_rows()
    target = {} if verb is not judge else dict(target="new_questions")
    seen = verb(rows, weights="points", **target)
    flat = " ".join(repr(seen).split())
    # Beside the interval, not only in a note at the end.
    assert SAID.search(flat).start() < flat.index("largest_weight") and SAID.search(tell(seen))
    held = seen.rows if verb is not table else seen.numbers
    assert {row.weights.assumed_largest_weight for row in held} == {4}
    methods = [row.interval.method for row in held]
    assert [method.max_weight for method in methods] == [4] * len(held)
    told = json.loads(seen.to_json())
    row = told["rows"][0]
    weights = row["weights"] if verb is judge else row
    assert weights["assumed_largest_weight"] == 4 and weights["largest_weight_declared"] is False
    assert type(seen).from_json(seen.to_json()) == seen
    assert SAID.search(seen.to_html()) and SAID.search(seen.to_markdown())
    declared = verb(rows, weights="points", largest_weight=4, **target)
    assert "assumes no " not in declared.to_json() and "assumes no " not in repr(declared) + tell(
        declared
    )
    again = verb(rows, weights="points", target="same_questions")
    assert "assumes no " not in repr(again) or verb not in (score, judge, table)


def test_the_command_says_it_beside_the_interval(tmp_path):
    pd.DataFrame(make_rows()).to_csv(tmp_path / "a.csv", index=False)
    pd.DataFrame(make_rows(1)).to_csv(tmp_path / "b.csv", index=False)
    pair = "a.csv", "b.csv", "--weights", "points"
    strict = command("compare", *pair, "--method", "assumption-free", cwd=tmp_path).stdout
    assert "assumes no weight above 4" in " ".join(strict.split())
    for words in (
        ("score", *pair[:1], *pair[2:]),
        ("table", *pair),
        (
            "gate",
            "a.csv",
            "--weights",
            "points",
            "--minimum",
            "pass@1=.3",
            "--target",
            "new_questions",
        ),
    ):
        assert SAID.search(" ".join(command(*words, cwd=tmp_path).stdout.split())), words
        told = " ".join(command(*words, "--largest-weight", "5", cwd=tmp_path).stdout.split())
        assert (
            "assumes no " not in told
            and "weighted by points" in told
            and "weights up to 5, as declared" in told
        ), words


def test_both_targets_and_missing_bounds():
    rows = make_rows()
    rows[3]["correct"] = None
    low, high = score(rows, "pass@1", weights="points", missing="bounds", target="both").rows
    assert low.estimate < high.estimate and low.weights == high.weights
    assert low.again.low < low.estimate < low.again.high


def test_comparison_weighs_differences():
    rows, other = make_rows(), make_rows(1)
    row = compare(rows, other, "pass@1", weights="points").rows[0]
    sides = [np.array([r["correct"] for r in o]).reshape(-1, 4).mean(1) for o in (rows, other)]
    weight = np.array([r["points"] for r in rows])[::4]
    own = weighted_mean(sides[1] - sides[0], weight, bounds=(-1, 1))
    ends = own.confidence_interval(method="t")
    assert row.method == "t" and row.without_assumptions.low == pytest.approx(
        own.confidence_interval().low
    )
    assert [row.a, row.b] == pytest.approx([np.average(o, weights=weight) for o in sides])
    assert row.difference == pytest.approx(row.b - row.a)
    assert [row.stderr, row.low, row.high] == pytest.approx([own.stderr, ends.low, ends.high])
    assert row.null.startswith("weighted mean difference zero") and row.chance is None
    several = compare(rows, other, ["pass@1", "pass@4"], weights="points")
    assert several.rows[0].to_dict() == row.to_dict()


def test_sign_flip_of_weighted_differences_by_enumeration():
    a, b = Counts([1] * 6, [0, 0, 0, 1, 0, 1]), Counts([1] * 6, [1, 1, 0, 0, 1, 1])
    weights = dict(enumerate([3, 1, 2, 1, 5, 2]))
    moved = np.array([3, 1, -1, 5])
    sums = [abs(np.dot(signs, moved)) for signs in product((-1, 1), repeat=4)]
    found = compare(a, b, "pass@1", weights=weights, test="sign-flip").rows[0]
    assert found.named_test["pvalue"] == pytest.approx(
        np.mean(np.array(sums) >= abs(moved.sum()) - 1e-12)
    )


def test_questions_of_equal_counts_and_weight_are_flipped_one_by_one():
    "All five differences have one sign: 2 of the 32 tables are as far."
    a, b = Counts([4] * 5, [1, 0, 0, 0, 0]), Counts([4] * 5, [3, 2, 2, 2, 2])
    weights = dict(enumerate([2, 1, 1, 1, 1]))
    found = compare(a, b, "pass@1", weights=weights, test="sign-flip").rows[0]
    assert found.named_test["pvalue"] == pytest.approx(2 / 32)


@pytest.mark.parametrize(
    "test, target",
    [
        ("mcnemar", "new_questions"),
        ("mcnemar-mid", "new_questions"),
        ("permutation", "same_questions"),
    ],
)
def test_tests_of_counts_refuse_weights(test, target):
    a, b = Counts([2] * 3, [0, 1, 0]), Counts([2] * 3, [1, 1, 0])
    with pytest.raises(ValueError, match="takes all questions as equal, got weights; use"):
        compare(a, b, "pass@1", weights={0: 1, 1: 2, 2: 3}, test=test, target=target)


# Groups, tables and gates.


def name_rows(rows, model):
    "Rows of one model, its questions in two groups."
    return [row | dict(model=model, task="ab"[int(row["question"][1:]) % 2]) for row in rows]


def make_models():
    return [row for seed, model in enumerate("ABC") for row in name_rows(make_rows(seed), model)]


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_each_group_is_weighted_as_if_it_were_alone(target):
    rows = name_rows(make_rows(), "A")
    found = {
        row.group: row
        for row in score(rows, "pass@1", by="task", weights="points", target=target).rows
    }
    means = []
    for task in "ab":
        alone = score(
            [row for row in rows if row["task"] == task], "pass@1", weights="points", target=target
        ).rows[0]
        one = found[task]
        assert [one.estimate, one.stderr, one.low, one.high] == [
            alone.estimate,
            alone.stderr,
            alone.low,
            alone.high,
        ]
        assert one.weights == alone.weights
        means.append(one.estimate)
    whole = score(rows, "pass@1", weights="points", target=target).rows[0]
    assert found["all questions"].to_dict() | dict(group="") == whole.to_dict()
    assert found["mean of 2 groups"].estimate == pytest.approx(np.mean(means))
    assert found["mean of 2 groups"].low < np.mean(means) < found["mean of 2 groups"].high


def test_the_mean_of_weighted_groups_is_held():
    "Heavy questions are easier or harder than light ones, in groups of several sizes."
    rng, kept = np.random.default_rng(0), 0
    laws, sizes, heavy, share = ((0.2, 0.8), (0.6, 0.6), (0.9, 0.3)), (4, 8, 16), 4.0, 0.3
    theta = np.mean(
        [((1 - share) * p + share * heavy * q) / (1 - share + share * heavy) for p, q in laws]
    )
    for _ in range(200):
        parts = []
        for size, (p, q) in zip(sizes, laws):
            weight = np.where(rng.random(size) < share, heavy, 1.0)
            right = rng.random(size) < np.where(weight > 1, q, p)
            known = check_weights(weight, heavy) or Weights(np.ones(size))
            parts.append(weigh_units(right.astype(float), known))
        ends = estimates_of(join_groups(parts))[0].confidence_interval()
        kept += ends.low <= theta <= ends.high
    assert kept >= 190


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_letters_of_weighted_models(target):
    rows = make_models()
    options = dict(weights="points", target=target)
    found = table(rows, ["pass@1", "pass@4"], **options)
    for name in "ABC":
        own = score([row for row in rows if row["model"] == name], "pass@1", **options).rows[0]
        row = found[name, "pass@1"]
        assert [row.estimate, row.low, row.high, row.weights] == [
            own.estimate,
            own.low,
            own.high,
            own.weights,
        ]
    assert score(rows, ["pass@1", "pass@4"], **options).letters == {
        o.metric: o.letters for o in found.columns
    }
    assert "weighted by points" in repr(found) and "weighted by points" in found.methods()
    again = ModelTable.from_json(found.to_json())
    assert again == found and repr(again) == repr(found)
    for shift in (0, 0.3, 0.6):
        new = [
            row | dict(model="new", correct=max(row["correct"], int(row["sample"] < 4 * shift)))
            for row in make_rows()
        ]
        old = [row | dict(model="old") for row in make_rows()]
        row = compare(old, new, "pass@1", **options).rows[0]
        letters = table(old + new, "pass@1", **options).columns[0].letters
        assert (len(set(letters.values())) == 2) == (row.verdict in ("better", "worse"))


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_a_table_of_weighted_groups(target):
    rows = make_models()
    found = table(rows, "pass@1", by="task", weights="points", target=target)
    told = {
        (row.model, row.group): row
        for row in score(rows, "pass@1", by="task", weights="points", target=target).rows
    }
    for row in found.numbers:
        assert row.to_dict() == told[row.model, row.group].to_dict()
    # Groups whose questions all weigh the same are groups without weights.
    even = [row | dict(points=dict(a=1, b=5)[row["task"]]) for row in rows]
    plain = table(even, "pass@1", by="task", target=target)
    assert (
        table(even, "pass@1", by="task", weights="points", target=target).columns == plain.columns
    )


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_a_gate_judges_the_weighted_difference(target):
    old, new = make_rows(), make_rows(1)
    found = gate(
        new, baseline=old, max_drop=0.1, minimum={"pass@1": 0.4}, weights="points", target=target
    )
    row = compare(old, new, "pass@1", weights="points", target=target).rows[0]
    drop, least = found.rows
    assert [drop.value, drop.low, drop.high] == pytest.approx([row.difference, *row.span(target)])
    alone = score(new, "pass@1", weights="points", target=target).rows[0]
    assert [least.value, least.low, least.high] == [alone.estimate, alone.low, alone.high]
    assert all((row.weights.weighted_by, row.next) == ("points", None) for row in found.rows)
    # A heavy question that falls weighs in the verdict as much as in the mean.
    fallen = [row | dict(correct=0) if row["question"] == "q2" else row for row in old]
    heavy = {f"q{i}": 1000.0 if i == 2 else 1.0 for i in range(24)}
    assert (
        gate(fallen, baseline=old, max_drop=0.1, weights=heavy, target="same_questions")
        .rows[0]
        .value
        < -0.2
    )


def test_report_says_it_everywhere():
    rows = make_rows()
    for result in (score(rows, weights="points"), compare(rows, make_rows(1), weights="points")):
        said = "weighted by points"
        assert said in result.methods() and said in str(result)
        assert "all of which have equal weight" not in result.methods()
        assert max(map(len, str(result).splitlines())) <= 80
        told = json.loads(result.to_json())["rows"][0]
        assert told["weighted_by"] == "points" and told["largest_weight"] == 4
        again = type(result).from_json(result.to_json())
        assert again.rows[0] == result.rows[0] and again.rows[0].weights == result.rows[0].weights
        assert said in result.to_html() and said in again.methods()


# Refusals.


@pytest.mark.parametrize(
    "weights, said",
    [
        ("pionts", "weights='pionts' is not a column"),
        ([1, 2], "weights must be a column or a mapping of question to weight, got list"),
        (
            {"q0": 1},
            "weights must name a weight for every question, got none for 'q1' (23 of 24 fail)",
        ),
        (dict(by_question(make_rows()), q3=0), "weights must be positive and finite, got 0"),
        (dict(by_question(make_rows()), q3=np.inf), "weights must be positive and finite, got inf"),
    ],
)
def test_odd_weights_are_refused(weights, said):
    with pytest.raises((ValueError, TypeError)) as error:
        score(make_rows(), weights=weights)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "options, said",
    [
        (
            dict(cluster="points"),
            "weights= and cluster= cannot be given together: nothing bounds the weight",
        ),
        (
            dict(largest_weight=2),
            "largest_weight must be at least the largest weight seen (4), got 2",
        ),
    ],
)
def test_what_does_not_go_together(options, said):
    with pytest.raises((ValueError, TypeError)) as error:
        score(make_rows(), weights="points", **options)
    assert said in str(error.value)


def test_other_refusals():
    rows = make_rows()
    with pytest.raises(ValueError, match="goes with weights="):
        score(rows, largest_weight=2)
    with pytest.raises(ValueError, match="is for two systems, got 3"):
        compare(rows, make_rows(1), others=[make_rows(2)], weights="points")
    with pytest.raises(ValueError, match="a question has one weight, got 1 and 4 at 'q0'"):
        compare(rows, make_rows(1, (4, 1)), weights="points")
    for verb, options in (
        (plan, dict(pilot=rows, delta=0.1)),
        (extrapolate, dict(data=rows)),
        (describe, dict(data=rows)),
    ):
        with pytest.raises(TypeError, match="weights= is for score, compare, table and gate"):
            verb(**options, weights="points")
    for verb, options in (
        (gate, dict(new=rows, minimum={"pass@1": 0.5})),
        (table, dict(systems=rows)),
    ):
        with pytest.raises(ValueError, match="weights= and cluster= cannot be given together"):
            verb(**options, weights="points", cluster="points")
        with pytest.raises(ValueError, match="goes with weights="):
            verb(**options, largest_weight=2)
    with pytest.raises(ValueError, match="weights= is for files and frames"):
        score(np.eye(3, dtype=int), weights="points")


def test_counts_files_take_a_mapping_only(tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / "counts.parquet"
    count(make_rows(), path)
    said = "weights= names a column of samples, but .* holds counts; pass a mapping"
    with pytest.raises(ValueError, match=said):
        score(str(path), weights="points")
    found = score(str(path), weights=by_question(make_rows()))
    expected = score(make_rows(), weights="points")
    assert [o.estimate for o in found.rows] == [o.estimate for o in expected.rows]


def test_text_is_no_weight_in_an_engine(files):
    duckdb = pytest.importorskip("duckdb")
    source = duckdb.read_csv(str(files / "a.csv"))
    text = source.project("* REPLACE (points::VARCHAR || ' points' AS points)")
    with pytest.raises(TypeError, match="weight must hold numbers, got '1.0 points'"):
        score(text, weights="points")


# Weights by hand.


def test_weights_in_units_of_the_largest():
    made = check_weights([4, 1, 2], name="points")
    assert made.weight.tolist() == [1, 0.25, 0.5]
    assert (made.largest, made.unit, made.declared, made.name) == (1, 4, False, "points")
    assert made.effective == pytest.approx(49 / 21) and made.average(
        np.array([1, 0, 2.0])
    ) == pytest.approx(8 / 7)
    assert made.average(np.array([[1, 0], [0, 7], [2.0, 0]])).tolist() == pytest.approx([8 / 7, 1])
    more = check_weights([4.0, 1.0], 10)
    assert (more.weight.tolist(), more.largest, more.unit, more.declared, more.name) == (
        [1, 0.25],
        2.5,
        4,
        True,
        "",
    )
    plain = Weights(np.array([1.0]))
    assert (plain.largest, plain.unit, plain.declared, plain.name) == (1, 1, False, "")


def test_equal_weights_need_none_unless_more_is_declared():
    assert (
        check_weights([3, 3]) is None
        and check_weights([3, 3], 3) is None
        and check_weights([0.1]) is None
    )
    declared = check_weights([3, 3], 6)
    assert declared.largest == 2 and declared.weight.tolist() == [1, 1] and declared.declared
    assert check_weights(np.array([2, 2], np.uint8)) is None


@pytest.mark.parametrize(
    "weights, said",
    [
        ([[1, 2]], "must hold one number per question"),
        (3, "must hold one number per question"),
        ([], "must hold one number per question"),
        (["a"], "must hold one number per question"),
        ([True, False], "must hold one number"),
        ([1, 0], r"positive and finite, got 0 at question 1"),
        ([1, -2, -2], r"positive and finite, got -2 at question 1 \(2 of 3"),
        ([np.inf, 1], "got inf at question 0"),
        ([1, np.nan], "got nan at question 1"),
    ],
)
def test_weights_that_are_refused(weights, said):
    with pytest.raises((TypeError, ValueError), match=said):
        check_weights(weights)


@pytest.mark.parametrize(
    "largest, said",
    [
        ("9", "largest_weight must be a number"),
        (True, "largest_weight must be a number"),
        (np.inf, "must be a number, got inf"),
        (np.nan, "must be a number, got nan"),
        (1.99, r"at least the largest weight seen \(2\), got 1.99"),
        ([3], "must be a number"),
    ],
)
def test_largest_weights_that_are_refused(largest, said):
    with pytest.raises((TypeError, ValueError), match=said):
        check_weights([1, 2], largest)
    for fine in 2, 2.0, np.int64(2), np.float32(2.5), None:
        assert check_weights([1, 2], fine).unit == 2


def test_units_of_weighted_questions():
    "Equal values of equal weights stand once; totals are values times weights."
    made = weigh_units([1, 0.5, 1, 1], check_weights([4, 2, 4, 2], 8))
    assert sorted(zip(made.total[:, 0], made.size, made.times)) == [
        (0.25, 0.5, 1),
        (0.5, 0.5, 1),
        (1, 1, 1),
        (1, 1, 1),
    ]
    shared = weigh_units(
        [1, 0.5], check_weights([4, 2, 4, 2]), state=np.array([0, 1, 0, 0]), bounds=(0, 2)
    )
    assert sorted(zip(shared.total[:, 0], shared.size, shared.times)) == [
        (0.25, 0.5, 1),
        (0.5, 0.5, 1),
        (1, 1, 2),
    ]
    assert (shared.bounds, shared.largest, made.bounds, made.largest, made.clustered) == (
        (0, 2),
        1,
        (0, 1),
        2,
        False,
    )
    assert shared.mean()[0] == pytest.approx((4 + 1 + 4 + 2) / 12) and shared.count == 4
    with pytest.raises(ValueError, match=r"weights must hold one number per question \(3\), got 2"):
        weigh_units([1, 0, 1], check_weights([1, 2]))
    with pytest.raises(ValueError, match=r"one number per question \(1\), got 2"):
        weigh_units([1, 0], check_weights([1, 2]), state=np.array([0]))
    with pytest.raises(ValueError, match=r"lie in \[0, 1\]"):
        weigh_units([1, 2], check_weights([1, 2]))


def test_the_weighted_mean_by_hand():
    one = weighted_mean([1, 0, 0.5], [1, 2, 5])
    mean = 3.5 / 8
    error = (3 / 2 * sum((w * (x - mean)) ** 2 for x, w in ((1, 1), (0, 2), (0.5, 5)))) ** 0.5 / 8
    assert (one.value, one.stderr, one.questions, one.stderr_kind) == (
        pytest.approx(mean),
        pytest.approx(error),
        3,
        "over weighted questions",
    )
    assert weighted_mean([-1, 3], [1, 2], bounds=(-1, 3)).confidence_interval().high <= 3
    assert weighted_mean([5, 9], [1, 3], bounds=None).value == 8
    equal = weighted_mean([5, 9], [2, 2], bounds=(0, 10))
    assert equal == mean_over_questions([5, 9], bounds=(0, 10))
    assert (
        equal.confidence_interval()
        == mean_over_questions([5, 9], bounds=(0, 10)).confidence_interval()
    )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("called", [False, True])
def test_fixed_questions_of_unequal_weight(called):
    weights = check_weights([4, 1, 1])
    noise = Noise(
        np.array([[0.02, 0.01], [0.03, np.nan], [np.nan, np.nan]]), np.array([[0.25, 0.5]]), 2.0
    )
    values = np.array([[0.5, 0.25], [0.25, 0.5], [1.0, 1.0]])
    fixed = weigh_fixed(values, (lambda: noise) if called else noise, weights, bounds=(-1, 1))
    share = np.array([4, 1, 1]) / 6
    assert fixed.weight.tolist() == pytest.approx(share.tolist()) and fixed.guessed.tolist() == [
        1,
        2,
    ]
    assert fixed.bounds == (-1, 1)
    apart = [(1 - 0.375) ** 2, (0.5 - 0.625) ** 2, (1 - 0.375) ** 2]
    assert fixed.known_noise.variance == pytest.approx(
        np.array([[0.02, 0.01], [0.03, apart[1]], [apart[0], apart[2]]])
    )
    assert fixed.variance() == pytest.approx(
        [share**2 @ [0.02, 0.03, apart[0]], share**2 @ [0.01, apart[1], apart[2]]]
    )
    assert fixed.known_noise.step.tolist() == [[0.25, 0.5]] * 3 and fixed.known_noise.span == 2
    one = weigh_fixed(
        [0.5, 0.25],
        Noise(np.array([0.02, np.nan]), np.array([0.25, 0.5])),
        check_weights([2, 1, 1, 1]),
        state=np.array([0, 1, 1, 0]),
    )
    assert (
        one.guessed == 2
        and type(one.guessed) is int
        and one.mean() == pytest.approx((2 * 0.5 + 0.5 + 0.5) / 5)
    )
    assert one.kind == "within questions, 2 of 4 by an upper bound"
    # Times 4/3 the distance from the mean of all is that from the mean of the others.
    assert one.variance() == pytest.approx((4 * 0.02 + 0.02 + 2 * (0.125 * 4 / 3) ** 2) / 25)
    alone = weigh_fixed([0.5], Noise(np.array([np.nan]), np.array([0.25])), check_weights([1], 2))
    assert alone.variance() == 0 and alone.mean() == 0.5 and alone.bounds == (0, 1)


def test_weighted_intervals_in_numbers():
    x, w = [1, 0, 0.5, 0.5, 1, 0, 0.25], [1, 2, 5, 5, 2, 1, 3]
    lines = []
    for options in {}, dict(largest_weight=20), dict(bounds=(-1, 1)), dict(bounds=None):
        one = weighted_mean(x, w, **options)
        ends = [one.confidence_interval(level) for level in (0.95, 0.5)]
        lines.append(
            f"{options}: {one.value:.10f} {one.stderr:.10f}; "
            + "; ".join(f"{o.low:.9f} {o.high:.9f} {o.method}" for o in ends)
        )
    noise = Noise(np.array([0, 0, 0.02, 0.03, 0, 0, np.nan]), np.full(7, 0.25))
    fixed = estimate_from(weigh_fixed(x, noise, check_weights(w)))
    ends = fixed.confidence_interval()
    lines.append(
        f"again: {fixed.value:.10f} {fixed.stderr:.10f} {ends.low:.9f} {ends.high:.9f}"
        f" {fixed.stderr_kind}"
    )
    check_printed("estimates", "weights", "\n".join(lines))


# Questions of unequal weight: which were given, and what cannot honour them.

QUESTIONS = np.array(["a", "b", "c"])


@pytest.mark.parametrize(
    "known, said",
    [
        (
            dict(a=1),
            r"^weights must name a weight for every question, got none for 'b' \(2 of 3 fail\)$",
        ),
        (dict(a=1, b=0, c=2), "weights must be positive and finite, got 0 at question 'b'"),
        (
            dict(a=1, b=9, c=2),
            r"largest_weight must be at least the largest weight seen \(9\), got 4",
        ),
    ],
)
def test_weights_that_are_none(known, said):
    with pytest.raises(ValueError, match=said):
        Weighing("points", 4).find(QUESTIONS, known)


def test_what_cannot_be_asked_for_together():
    with pytest.raises(ValueError, match="largest_weight= goes with weights="):
        check_request(None, 3)
    with pytest.raises(ValueError, match="weights= and cluster= cannot be given together"):
        check_request("points", None, "passage")
    with pytest.raises(ValueError, match="weights= and cluster="):
        check_request("points", None, [])
    for cluster in (None, False):
        assert check_request("points", 3, cluster) == Weighing("points", 3)
    assert check_request(None, None, "passage") == check_request(None, None) == Weighing()
