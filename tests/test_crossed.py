"""Questions crossed with prompts: vectors, fractions, expectations added up, degrees of freedom,
coverage, refusals."""

import json
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t as student

from conftest import command
from sampling_eval import Report, compare, crossed_mean, score
from sampling_eval.inference.units import cross_groups

VECTORS = json.loads(
    (Path(__file__).parent / "vectors" / "crossed_selected_evidence.json").read_text("utf-8")
)["crossed"]


def listed(y):
    "Mean and mean squares in fractions, by sums of squares and not by deviations."
    Q, P = len(y), len(y[0])
    total = sum(map(sum, y))
    rows, columns = [sum(row) for row in y], [sum(column) for column in zip(*y)]
    middle = Fraction(total**2) / (Q * P)
    of_rows = sum(Fraction(o) ** 2 for o in rows) / P - middle
    of_columns = sum(Fraction(o) ** 2 for o in columns) / Q - middle
    rest = sum(Fraction(v) ** 2 for row in y for v in row) - middle - of_rows - of_columns
    return (
        Fraction(total) / (Q * P),
        of_rows / (Q - 1),
        of_columns / (P - 1),
        rest / ((Q - 1) * (P - 1)),
    )


def read(case):
    return [[Fraction(one) for one in row] for row in case["y"]]


@pytest.mark.parametrize("case", VECTORS, ids=range(len(VECTORS)))
def test_vectors(case):
    y = read(case)
    wanted = {
        name: Fraction(case[name])
        for name in ("mean", "MSQ", "MSP", "MSI", "variance", "variance_prompts_fixed")
    }
    assert listed(y) == tuple(wanted[name] for name in ("mean", "MSQ", "MSP", "MSI"))
    kinds = ("fixed", "random") if len(y[0]) > 2 else ("fixed",)
    for kind in kinds:
        found = crossed_mean(y, prompts=kind)
        for name in "mean", "MSQ", "MSP", "MSI":
            assert getattr(found, name) == pytest.approx(float(wanted[name]), rel=1e-13)
        own = wanted["variance" if kind == "random" else "variance_prompts_fixed"]
        assert found.unbiased_variance == pytest.approx(float(own), rel=1e-13)
        assert found.variance == pytest.approx(
            float(max(own, wanted["variance_prompts_fixed"])), rel=1e-13
        )
        assert (found.questions, found.prompts, found.fixed) == (len(y), len(y[0]), kind == "fixed")


@pytest.mark.parametrize("Q, P", [(2, 3), (3, 3), (4, 3)])
def test_every_small_table(Q, P):
    for cells in product((0, 1), repeat=Q * P):
        y = np.reshape(cells, (Q, P))
        mean, MSQ, MSP, MSI = listed(y.tolist())
        found = crossed_mean(y)
        V, fixed = (MSQ + MSP - MSI) / (Q * P), MSQ / (Q * P)
        assert found.unbiased_variance == pytest.approx(float(V), abs=1e-16, rel=1e-13)
        assert found.variance == pytest.approx(float(max(V, fixed)), abs=1e-16, rel=1e-13)
        df = (
            (MSQ + MSP - MSI) ** 2
            / (MSQ**2 / (Q - 1) + MSP**2 / (P - 1) + MSI**2 / ((Q - 1) * (P - 1)))
            if V > fixed
            else Q - 1
        )
        if MSP != MSI:
            assert found.df == pytest.approx(float(df), rel=1e-12)


@pytest.mark.parametrize("Q, P", [(2, 2), (3, 2), (2, 3)])
def test_unbiased_over_questions_prompts_and_tries(Q, P):
    "Two kinds of questions and of prompts, drawn at random; one try of each pair."
    chance = {
        (0, 0): Fraction(1, 5),
        (0, 1): Fraction(3, 4),
        (1, 0): Fraction(1, 2),
        (1, 1): Fraction(9, 10),
    }
    law = []
    for item, prompt in product(product((0, 1), repeat=Q), product((0, 1), repeat=P)):
        chances = [chance[i, j] for i in item for j in prompt]
        for cells in product((0, 1), repeat=Q * P):
            weight = prod(p if one else 1 - p for one, p in zip(cells, chances)) / 2 ** (Q + P)
            law.append((weight, listed([cells[i * P : (i + 1) * P] for i in range(Q)])))
    assert sum(weight for weight, _ in law) == 1
    mean = sum(w * m for w, (m, *_) in law)
    variance = sum(w * (m - mean) ** 2 for w, (m, *_) in law)
    assert sum(w * (MSQ + MSP - MSI) / (Q * P) for w, (_, MSQ, MSP, MSI) in law) == variance
    assert (
        sum(w * MSQ / (Q * P) for w, (_, MSQ, _, _) in law) < variance
    ), "items alone leave the prompts out"


def test_fixed_prompts_are_items():
    "The variance of groups that share all items, and its degrees of freedom."
    y = np.random.default_rng(0).random((12, 4))
    found = crossed_mean(y, prompts="fixed")
    items = cross_groups(list(y.T), [range(12)] * 4)
    assert found.variance == pytest.approx(items.variance()[0], rel=1e-13) and found.df == 11
    assert found.stderr == found.variance**0.5
    ends = found.confidence_interval(0.9)
    half = student.ppf(0.95, 11) * found.stderr
    assert (ends.low, ends.high) == pytest.approx((found.mean - half, found.mean + half), rel=1e-12)
    assert str(ends.method) == "t, crossed (approximate)" and (ends.level, ends.target) == (
        0.9,
        "new_questions",
    )


def test_rounding_is_no_spread():
    assert crossed_mean(np.full((7, 3), 0.1)).variance == 0
    added = crossed_mean([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.4, 0.5, 0.6]])
    assert added.MSI == 0 and added.MSP == pytest.approx(0.03, rel=1e-13)


@pytest.mark.parametrize("kind", ["random", "fixed"])
def test_rounding_is_no_spread_beside_cells_of_zero(kind):
    "Each question and each prompt has every value once: their means agree but for rounding."
    square = crossed_mean([[0, 0.1, 0.2], [0.1, 0.2, 0], [0.2, 0, 0.1]], prompts=kind)
    assert square.stderr is None and (square.MSQ, square.MSP) == (0, 0)
    assert square.MSI == pytest.approx(0.06 / 4)


def test_the_larger_variance_is_taken():
    low = crossed_mean(np.eye(3))
    assert low.unbiased_variance < 0 == low.variance and low.df == 2 and low.stderr is None
    with pytest.raises(
        ValueError, match="no t interval: neither questions nor prompts show a spread"
    ):
        low.confidence_interval()
    y = np.random.default_rng(1).random((8, 3))
    found = crossed_mean(y)
    assert (
        found.unbiased_variance < crossed_mean(y, prompts="fixed").variance == found.variance
        and found.df == 7
    )


def test_other_numbers_of_questions_and_prompts():
    y = (
        np.random.default_rng(3).normal(0, 1, (30, 1))
        + np.random.default_rng(2).normal(0, 1, 5)
        + np.random.default_rng(1).random((30, 5))
    )
    found = crossed_mean(y)
    assert found.variance_at(30, 5) == pytest.approx(found.unbiased_variance, rel=1e-12)
    each = [found.variance_at(30, P) for P in range(1, 50)]
    assert (np.diff(each) < 0).all() and found.variance_at(10**9, 5) == pytest.approx(
        (found.MSP - found.MSI) / 30 / 5, rel=1e-6
    )
    with pytest.raises(
        ValueError, match="fixed prompts have no other number; pass prompts='random'"
    ):
        crossed_mean(y, prompts="fixed").variance_at(3, 3)
    with pytest.raises(ValueError, match="need prompts >= 1, got 0"):
        found.variance_at(3, 0)


def test_scale_bounds_and_printing():
    y = np.array([[4, 3, 2], [3, 3, 0], [2, 0, 1]])
    found, small = crossed_mean(y), crossed_mean(y / 4, bounds=(0, 1))
    assert found.df == pytest.approx(100 / 37) and found.variance == pytest.approx(
        16 * small.variance
    )
    ends = small.confidence_interval()
    assert (ends.low, ends.high) == (0, 1) and crossed_mean(y / 4).confidence_interval().low < 0
    assert repr(small) == "CrossedMean(0.5, stderr 0.1863, 3 questions x 3 random prompts)"
    assert crossed_mean(y - 2).mean == 0, "differences of two systems are cells too"
    huge = crossed_mean(1e8 + y)
    assert huge.unbiased_variance == pytest.approx(found.unbiased_variance, rel=1e-6)


@pytest.mark.parametrize(
    "Q, P, n, spread", [(40, 4, 3, 0.3), (100, 4, 4, 0.6), (100, 10, 4, 0.3), (500, 8, 1, 0.3)]
)
def test_coverage(Q, P, n, spread):
    "Made benchmarks: items, prompts and pairs of the two have a part in the difficulty."
    rng, held = np.random.default_rng(7), []
    for _ in range(400):
        logit = rng.normal(0, 1.5, (Q, 1)) + rng.normal(0, spread, P) + rng.normal(0, 0.5, (Q, P))
        y = rng.binomial(n, 1 / (1 + np.exp(-logit))) / n
        ends = [crossed_mean(y, prompts=kind).confidence_interval() for kind in ("random", "fixed")]
        held.append([one.low <= 0.5 <= one.high for one in ends])
    crossed, items = np.mean(held, 0)
    assert 0.9 < crossed < 0.985 and items < crossed


@pytest.mark.parametrize(
    "y, more, said",
    [
        (
            np.zeros((4, 2)),
            {},
            (
                "need at least 2 questions and 3 random prompts, got 4 and 2; prompts='fixed' takes"
                " two, and speaks for these alone"
            ),
        ),
        (
            np.zeros((4, 1)),
            dict(prompts="fixed"),
            "need at least 2 questions and 2 fixed prompts, got 4 and 1",
        ),
        (np.zeros((1, 5)), {}, "got 1 and 5"),
        (np.zeros((0, 5)), {}, "got 0 and 5"),
        ([[]], {}, "got 1 and 0"),
        ([0.1, 0.2, 0.3], {}, "a row per question and a column per prompt, got shape (3,)"),
        (0.5, {}, "got shape ()"),
        (np.zeros((2, 3, 4)), {}, "got shape (2, 3, 4)"),
        (
            [[0.1, 0.2, 0.3], [0.1, float("nan"), 0.3]],
            {},
            "y must be finite, got nan at question 1 (1 of 2 fail)",
        ),
        ([[0.1, 0.2, 0.3], [0.1, float("inf"), 0.3]], {}, "y must be finite, got inf"),
        ([[0.1, 0.2, 0.3], [0.1, 0.2]], {}, "y must hold rows of one length"),
        (
            [[0.1, 0.2, 0.3], [0.1, 62.0, 0.3]],
            dict(bounds=(0, 1)),
            "y must lie in [0, 1], got 62.0 at question 1",
        ),
        (np.eye(3), dict(prompts="drawn"), "prompts must be 'random' or 'fixed', got 'drawn'"),
        (np.eye(3), dict(prompts=None), "got None"),
        (np.eye(3), dict(bounds=(1, 0)), "bounds must be two ascending numbers"),
    ],
)
def test_refused(y, more, said):
    with pytest.raises(ValueError) as told:
        crossed_mean(y, **more)
    assert said in str(told.value)


@pytest.mark.parametrize(
    "y, said",
    [
        ("text", "y must hold numbers, got 'text'"),
        ([[None, 1, 1]] * 3, "y must hold numbers, got None"),
        (np.ma.array(np.eye(3), mask=np.eye(3) > 0), "y must hold numbers"),
    ],
)
def test_refused_kinds(y, said):
    with pytest.raises(TypeError) as told:
        crossed_mean(y)
    assert said in str(told.value)


# `score(by=..., crossed=True)`

RNG = np.random.default_rng(0)
ROWS = [
    dict(
        question=f"q{q}",
        prompt=f"p{p}",
        sample=s,
        correct=int(RNG.random() < 0.3 + 0.08 * p + 0.01 * q),
    )
    for q in range(20)
    for p in range(4)
    for s in range(3)
]


def table_of(rows, model=None):
    kept = [row for row in rows if model in (None, row.get("model"))]
    return np.array(
        [
            [
                np.mean(
                    [
                        row["correct"]
                        for row in kept
                        if (row["question"], row["prompt"]) == (f"q{q}", f"p{p}")
                    ]
                )
                for p in range(4)
            ]
            for q in range(20)
        ]
    )


def test_score_crosses_questions_and_groups():
    report = score(ROWS, ["pass@k", "avg@n"], by="prompt", crossed=True)
    found, own = report.crossed, crossed_mean(table_of(ROWS), bounds=(0, 1))
    assert (found.by, found.groups, found.questions) == ("prompt", 4, 20)
    assert [row.metric for row in found.rows] == ["pass@1", "pass@2", "pass@3", "avg@3"]
    for row in found.rows[0], found.rows[3]:
        ends = own.confidence_interval()
        assert (row.estimate, row.low, row.high) == pytest.approx(
            (own.mean, ends.low, ends.high), rel=1e-12
        )
        assert (row.MSQ, row.MSP, row.MSI, row.df) == pytest.approx(
            (own.MSQ, own.MSP, own.MSI, own.df), rel=1e-12
        )
        assert row.share == pytest.approx((own.MSP - own.MSI) / 80 / own.variance)
    whole = next(
        row for row in report.rows if row.group == "mean of 4 groups" and row.metric == "pass@1"
    )
    assert (
        whole.estimate == pytest.approx(own.mean)
        and found.rows[0].high - found.rows[0].low > whole.high - whole.low
    )
    text = " ".join(repr(report).split())
    assert (
        "If the 4 groups of prompt could have been others, drawn as the 20 questions are: pass@1 ="
        f" {100 * own.mean:.1f} % (95 % CI {100 * ends.low:.1f} to {100 * ends.high:.1f} %, new"
        " questions and new values of prompt"
        in text
    )
    again = Report.from_dict(json.loads(json.dumps(report.to_dict())))
    assert again.crossed == found
    assert (
        score(ROWS, "pass@1", by="prompt").addons
        == score(ROWS, "pass@1", by="prompt", crossed=False).addons
        == {}
    )


def test_score_crosses_each_model():
    both = [
        row | dict(model=name, correct=row["correct"] if name == "a" else 1 - row["correct"])
        for row in ROWS
        for name in "ab"
    ]
    rows = score(both, "pass@1", by="prompt", crossed=True).crossed.rows
    assert [row.model for row in rows] == ["a", "b"] and rows[0].estimate == pytest.approx(
        1 - rows[1].estimate
    )
    assert rows[0].estimate == pytest.approx(table_of(both, "a").mean())


def test_the_order_of_rows_is_no_matter():
    mixed = [ROWS[i] for i in np.random.default_rng(1).permutation(len(ROWS))]
    one, other = (
        score(rows, "pass@2", by="prompt", crossed=True).crossed for rows in (ROWS, mixed)
    )
    assert one.rows[0].estimate == pytest.approx(other.rows[0].estimate) and one.rows[
        0
    ].MSI == pytest.approx(other.rows[0].MSI)


def test_without_a_spread_there_is_no_interval():
    rows = [row | dict(correct=1) for row in ROWS]
    report = score(rows, "pass@1", by="prompt", crossed=True)
    assert report.crossed.rows[0].interval is None and report.crossed.rows[0].share is None
    assert "no CI: neither questions nor groups show a spread" in " ".join(repr(report).split())
    assert Report.from_dict(report.to_dict()).crossed == report.crossed


@pytest.mark.parametrize(
    "rows, more, said",
    [
        (
            [dict(row, question=row["question"] + row["prompt"], prompt="") for row in ROWS],
            {},
            "needs the column of groups, such as prompts, got None",
        ),
        (
            [row for row in ROWS if row["prompt"] < "p2"],
            dict(by="prompt"),
            "groups that are drawn have to be three at least, got 2 in column 'prompt'",
        ),
        (
            [row for row in ROWS if (row["question"], row["prompt"]) != ("q3", "p1")],
            dict(by="prompt"),
            (
                "every group needs every question once, by the same name, got 19 to 20 questions in"
                " 4 groups"
            ),
        ),
        (ROWS, dict(by="prompt", cluster=False), "every group needs every question once"),
        (
            [row | dict(w=1.0 + (row["question"] > "q2")) for row in ROWS],
            dict(by="prompt", weights="w"),
            "weights and crossed exclude each other",
        ),
        (ROWS, dict(by="prompt", missing="bounds"), "missing and crossed exclude each other"),
    ],
)
def test_what_score_does_not_cross(rows, more, said):
    with pytest.raises(ValueError) as told:
        score(rows, "pass@1", crossed=True, **more)
    assert said in str(told.value)


def test_a_switch_is_true_or_false():
    with pytest.raises(TypeError, match="crossed must be True or False, got 'yes'"):
        score(ROWS, "pass@1", by="prompt", crossed="yes")


def test_the_command_crosses(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(ROWS))
    ran = command("score", path, "--metrics", "pass@1", "--by", "prompt", "--crossed")
    assert ran.returncode == 0, ran.stderr
    assert "If the 4 groups of prompt could have been others" in " ".join(ran.stdout.split())


def test_a_score_says_that_groups_are_fixed_unless_they_are_drawn():
    said = (
        "Every group holds the same 20 questions, and the CI takes the groups as fixed:"
        " crossed=True counts them as drawn too."
    )
    assert said in " ".join(repr(score(ROWS, "pass@1", by="prompt")).split())
    two = [row for row in ROWS if row["prompt"] < "p2"]
    own = [row | dict(question=row["question"] + row["prompt"]) for row in ROWS]
    # Each question lacks one prompt, another one than its neighbour.
    square = [row for row in ROWS if int(row["question"][1:]) % 4 != int(row["prompt"][1:])]
    for report in (
        score(square, "pass@1", by="prompt"),
        score(ROWS, "pass@1", by="prompt", crossed=True),
        score(two, "pass@1", by="prompt"),
        score(own, "pass@1", by="prompt"),
        score(own, "pass@1"),
        score(ROWS, "pass@1", by="prompt", cluster=False),
    ):
        assert "as drawn too" not in " ".join(repr(report).split())


def components(y):
    "Variance components by the mean squares, in fractions: of a question, a prompt, a cell."
    _, MSQ, MSP, MSI = listed(y)
    Q, P = len(y), len(y[0])
    return max(MSQ - MSI, 0) / P, max(MSP - MSI, 0) / Q, MSI


def exact_table(rows):
    "Shares of right tries in fractions."
    return [
        [
            Fraction(
                sum(
                    row["correct"]
                    for row in rows
                    if (row["question"], row["prompt"]) == (f"q{q}", f"p{p}")
                ),
                3,
            )
            for p in range(4)
        ]
        for q in range(20)
    ]


def test_more_prompts_by_the_components():
    found = score(ROWS, "pass@1", by="prompt", crossed=True).crossed
    question, prompt, cell = components(exact_table(ROWS))
    for one, P in zip(found.rows[0].planned, (8, 16, 32), strict=True):
        variance = question / 20 + prompt / P + cell / (20 * P)
        assert (one.groups, one.stderr) == (P, pytest.approx(float(variance) ** 0.5, rel=1e-12))
    variance = question / 50 + prompt / 6 + cell / 300
    assert found.stderr_at(50, 6) == pytest.approx(float(variance) ** 0.5, rel=1e-12)
    assert found.stderr_at(50, 6, "pass@1") == found.stderr_at(50, 6)
    with pytest.raises(ValueError, match="metric must be 'pass@1', got 'pass@9'"):
        found.stderr_at(50, 6, "pass@9")
    with pytest.raises(ValueError, match="need prompts >= 1, got 0"):
        found.stderr_at(50, 0)


# `compare(by=..., crossed=True)`

OTHER = [row | dict(correct=int(RNG.random() < 0.4 + 0.1 * int(row["prompt"][1]))) for row in ROWS]


def test_compare_crosses_the_difference_of_each_cell():
    result = compare(ROWS, OTHER, ["pass@1", "pass@3"], by="prompt", crossed=True)
    found, row = result.crossed_difference, result.crossed_difference.rows[0]
    new, old = exact_table(OTHER), exact_table(ROWS)
    cells = [[b - a for a, b in zip(*both)] for both in zip(old, new)]
    mean, MSQ, MSP, MSI = listed(cells)
    assert (row.estimate, row.MSQ, row.MSP, row.MSI) == pytest.approx(
        tuple(map(float, (mean, MSQ, MSP, MSI))), rel=1e-12
    )
    assert row.unbiased_variance == pytest.approx(float((MSQ + MSP - MSI) / 80), rel=1e-11)
    own = crossed_mean(np.array(cells, float), bounds=(-1, 1)).confidence_interval()
    assert (row.low, row.high) == pytest.approx((own.low, own.high), rel=1e-12)
    assert [one.metric for one in found.rows] == ["pass@1", "pass@3"]
    usual = result["pass@1"]
    assert row.estimate == pytest.approx(usual.difference)
    text = " ".join(repr(result).split())
    assert "If the 4 groups of prompt could have been others, drawn as the 20 questions" in text
    assert "in pass@1 (95 % CI" in text and "t, crossed (approximate)" in text
    for form in result.to_markdown(), result.to_html():
        assert "new values of prompt" in form
    again = type(result).from_dict(json.loads(json.dumps(result.to_dict())))
    assert again.crossed_difference == found


def test_one_file_of_two_models_and_the_order_of_rows():
    both = [row | dict(model="a") for row in ROWS] + [row | dict(model="b") for row in OTHER]
    mixed = [both[i] for i in np.random.default_rng(2).permutation(len(both))]
    one = compare(ROWS, OTHER, "pass@1", by="prompt", crossed=True).crossed_difference
    for rows in both, mixed:
        other = compare(
            rows, metrics="pass@1", models=["a", "b"], by="prompt", crossed=True
        ).crossed_difference
        assert other.rows[0].estimate == pytest.approx(one.rows[0].estimate)
        assert other.rows[0].MSI == pytest.approx(one.rows[0].MSI, rel=1e-12)


def test_a_difference_of_scores_has_their_unit():
    "Points are of shares; scores have a range of their own."
    graded = [[row | dict(score=3.0 * row["correct"]) for row in rows] for rows in (ROWS, OTHER)]
    for one in graded:
        for row in one:
            del row["correct"]
    result = compare(*graded, "mean@n", by="prompt", crossed=True)
    row = result.crossed_difference.rows[0]
    assert row.unit == "score"
    said = f"in mean@3 (95 % CI {row.low:.3f} to +{row.high:.3f}, new questions and new values"
    assert said in " ".join(repr(result).split())


def test_a_difference_without_a_spread():
    right = [row | dict(correct=1) for row in ROWS]
    wrong = [row | dict(correct=0) for row in ROWS]
    result = compare(wrong, right, "pass@1", by="prompt", crossed=True)
    row = result.crossed_difference.rows[0]
    assert (row.estimate, row.interval, row.stderr, row.planned) == (1, None, None, ())
    assert "no CI: neither questions nor groups show a spread" in " ".join(repr(result).split())
    assert type(result).from_dict(result.to_dict()).crossed_difference == result.crossed_difference


HOLE = [row for row in OTHER if (row["question"], row["prompt"]) != ("q3", "p1")]


@pytest.mark.parametrize(
    "new, more, kind, said",
    [
        (OTHER, dict(by="prompt", crossed=False), ValueError, "by='prompt' alone; crossed=True"),
        (OTHER, dict(), ValueError, "needs the column of groups, such as prompts, got None"),
        (OTHER, dict(by="prompt", crossed="yes"), TypeError, "crossed must be True or False"),
        (OTHER, dict(by="no", crossed=True), ValueError, "by='no' is not a column"),
        (HOLE, dict(by="prompt", on_unmatched="drop"), ValueError, "got 19 to 20 questions in 4"),
        (OTHER, dict(by="prompt", weights="w"), ValueError, "weights and crossed exclude"),
        (OTHER, dict(by="prompt", others=[ROWS]), ValueError, "is for two systems, got 3"),
        (OTHER, dict(by="prompt", cluster=False), ValueError, "every group needs every question"),
    ],
)
def test_what_compare_does_not_cross(new, more, kind, said):
    with pytest.raises(kind) as told:
        compare(ROWS, new, "pass@1", **{"crossed": True} | more)
    assert said in str(told.value)


def test_two_prompts_are_no_sample_of_prompts():
    old, new = ([row for row in rows if row["prompt"] < "p2"] for rows in (ROWS, OTHER))
    with pytest.raises(ValueError, match="have to be three at least, got 2 in column 'prompt'"):
        compare(old, new, "pass@1", by="prompt", crossed=True)


def test_the_command_compares_crossed(tmp_path):
    paths = [tmp_path / name for name in ("old.json", "new.json")]
    for path, rows in zip(paths, (ROWS, OTHER)):
        path.write_text(json.dumps(rows))
    ran = command("compare", *paths, "--metrics", "pass@1", "--by", "prompt", "--crossed")
    assert ran.returncode == 0, ran.stderr
    assert "If the 4 groups of prompt could have been others" in " ".join(ran.stdout.split())


# Models, averages and ends that few tables have.


def test_models_may_be_asked_under_other_numbers_of_prompts():
    rows = [row | dict(model="a") for row in ROWS]
    rows += [row | dict(model="b") for row in ROWS if row["prompt"] < "p3"]
    found = score(rows, "pass@1", by="prompt", crossed=True).crossed
    assert (found.groups, found.questions) == (4, 20)
    for row, groups in zip(found.rows, (4, 3)):
        assert [one.groups for one in row.planned] == [2 * groups, 4 * groups, 8 * groups]


def test_an_average_is_one_over_groups_of_other_numbers_of_samples():
    rows = [row for row in ROWS if row["prompt"] > "p0" or row["sample"] < 2]
    (row,) = score(rows, "avg@n", by="prompt", crossed=True).crossed.rows
    own = crossed_mean(table_of(rows))
    assert row.estimate == pytest.approx(own.mean)
    assert row.MSI == pytest.approx(own.MSI, rel=1e-12)
    assert row.metric == "avg@n"


def test_a_metric_that_some_group_lacks_is_not_crossed():
    rows = [row for row in ROWS if row["prompt"] > "p0" or row["sample"] < 2]
    found = score(rows, "pass@k", by="prompt", crossed=True).crossed
    assert [row.metric for row in found.rows] == ["pass@1", "pass@2"]


def test_intervals_end_where_the_metric_does():
    rows = [
        dict(question=q, prompt=f"p{p}", sample=s, correct=int((q, p) not in ((0, 0), (1, 2))))
        for q in range(6)
        for p in range(3)
        for s in range(2)
    ]
    row = score(rows, "pass@1", by="prompt", crossed=True).crossed.rows[0]
    y = [[float((q, p) not in ((0, 0), (1, 2))) for p in range(3)] for q in range(6)]
    free = crossed_mean(y).confidence_interval()
    assert free.high > 1 == row.high and row.low == pytest.approx(free.low)
    wrong = [row | dict(correct=0) for row in rows]
    new, old = compare(wrong, rows, "pass@1", by="prompt", crossed=True), compare(
        rows, wrong, "pass@1", by="prompt", crossed=True
    )
    assert new.crossed_difference.rows[0].high == 1
    assert old.crossed_difference.rows[0].low == -1


def test_an_interval_of_scores_is_no_percentage():
    rows = [
        {k: v for k, v in row.items() if k != "correct"} | dict(score=3 * row["correct"])
        for row in ROWS
    ]
    report = score(rows, "mean@n", by="prompt", crossed=True)
    row = report.crossed.rows[0]
    assert row.unit == row.interval.unit == "score"
    said = f"CI {row.low:.3f} to {row.high:.3f}, new questions and new values of prompt"
    assert said in " ".join(str(report).split())


@pytest.mark.parametrize(
    "better, verdict",
    [(lambda q, p: q % 5 > 0, "significant"), (lambda q, p: (q + p) % 2, "inconclusive")],
)
def test_a_crossed_difference_is_significant_where_its_interval_leaves_out_zero(better, verdict):
    old, new = (
        [
            dict(question=q, prompt=f"p{p}", correct=int(side(q, p)))
            for q in range(24)
            for p in range(4)
        ]
        for side in (lambda q, p: q % 3 == 0, better)
    )
    for sides in (old, new), (new, old):
        result = compare(*sides, "pass@1", by="prompt", crossed=True)
        row = result.crossed_difference.rows[0]
        assert (row.low > 0 or row.high < 0) is (verdict == "significant")
        text = " ".join(str(result).split()).split("If the 4 groups")[1]
        assert f"): {verdict}" in text.split("Standard error")[0]


def test_a_difference_of_scores_is_no_larger_than_their_range():
    old, new = (
        [
            dict(question=q, prompt=f"p{p}", score=low if (q, p) in ((0, 0), (1, 2)) else high)
            for q in range(6)
            for p in range(3)
        ]
        for low, high in ((1.0, 1.0), (1.0, 5.0))
    )
    given = dict(by="prompt", crossed=True, scale=(1, 5))
    found = compare(old, new, "mean@n", **given).crossed_difference.rows[0]
    back = compare(new, old, "mean@n", **given).crossed_difference.rows[0]
    assert (found.high, back.low) == (4, -4) and found.low == pytest.approx(-back.high)
